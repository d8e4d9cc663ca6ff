"""How links stand, for readers: real looks written down, in HTML, twin and download; never a moved verified date."""

import csv
import datetime as dt
import io
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.models import RegistryState
from registry.presentation.looks import STANDINGS, VERDICTS
from registry.presentation.page import with_suffix
from sources import standing
from sources.actions.links import accept_address, accept_page
from sources.actions.sources import change_source, record_verification
from sources.clients.limits import agent
from sources.models import Link, LinkCheck, PassageLook
from sources.standing import State
from sources.verdicts import Outcome
from tests import factories
from tests.admin.looks import break_link, failure, link_of, look, moved, page, status
from tests.pages.reading import flags_of, page_of, part, rendered, text_of
from tests.pages.world import FIRST, ODD

MOVED, UNDER_REVIEW, UNCHECKABLE = (
    "Source moved",
    "Source changed, under review",
    "Cannot be checked by machine",
)
NEW = "https://aster.example/new/sheet"
HOSTILE = '<script>alert(1)</script> "&\u202e javascript:alert(2) [x](http://evil.example/) | *b* `c`'


def day(days_ago):
    return (factories.today() - dt.timedelta(days=days_ago)).isoformat()


def broken(world):
    break_link(world.sheet)
    return f"Link broken since {day(9)}"


def moves(world):
    look(world.sheet, page(world.sheet, world.page_two.quotation), days_ago=30)
    look(world.sheet, moved(world.sheet, NEW, world.page_two.quotation))
    return MOVED


def other_figures(world):
    look(world.sheet, page(world.sheet, world.page_two.quotation), days_ago=30)
    look(world.sheet, page(world.sheet, world.page_two.quotation.replace("1,979", "1,980")))
    return UNDER_REVIEW


def refuses(world):
    for days_ago in (20, 10, 0):
        look(world.sheet, status(world.sheet, 403), days_ago=days_ago)
    return UNCHECKABLE


STORIES = {"broken": broken, "moved": moves, "changed": other_figures, "uncheckable": refuses}


def main(client, address):
    return part(page_of(client.get(address)), "main")


def twin(client, address):
    return text_of(rendered(client.get(with_suffix(address, "md")).content.decode()))


@pytest.mark.parametrize("story", STORIES)
def test_a_claim_bears_the_flag_in_html_twin_and_csv(world, client, story):
    words = STORIES[story](world)
    claim = world.unreproduced
    flags = ["Manufacturer figure, not reproduced", words]
    comparison = "/gpus/compare?ids=aster-a1,boreal-b1"
    for address in (
        "/gpus/aster-a1",
        comparison,
        f"/claims/C-{claim.number}",
        "/sources/aster-a1-sheet",
        "/gpus",
    ):
        drawer = part(page_of(client.get(address)), f"provenance-{claim.number}-1")
        assert flags_of(drawer) == flags, address
        assert f"({words})" in twin(client, address), address
    rows = csv.DictReader(io.StringIO(client.get(with_suffix(comparison, "csv")).content.decode()))
    found = {row["claim"]: row["flags"].split("; ") for row in rows}
    assert found[f"C-{claim.number}"] == flags
    # The maker's other board cites another source.
    assert not any(words in each for key, each in found.items() if key == f"C-{world.second_hand.number}")


@pytest.mark.parametrize("story", STORIES)
def test_the_source_says_the_same_words_wherever_it_stands_alone(world, client, story):
    words = STORIES[story](world)
    line = next(
        item
        for item in main(client, "/sources").walk()
        if item.tag == "li"
        and any(node.attrs.get("href") == "/sources/aster-a1-sheet" for node in item.walk())
    )
    assert words in flags_of(line)
    assert words in flags_of(part(page_of(client.get("/sources/aster-a1-sheet")), "main"))
    drawer = part(page_of(client.get("/gpus/aster-a1")), f"provenance-{world.unreproduced.number}-1")
    assert f"Verified: 2024-06-01. {words}." in text_of(drawer)
    assert f"Verified: 2024-06-01. {words}." in twin(client, "/gpus/aster-a1")
    assert words in text_of(
        next(node for node in main(client, "/gpus/aster-a1").walk() if node.has_class("sources"))
    )


@pytest.mark.parametrize("story", STORIES)
def test_no_look_moves_the_verified_date(world, client, story):
    before = text_of(main(client, "/sources/aster-a1-sheet"))
    STORIES[story](world)
    world.sheet.refresh_from_db()
    assert world.sheet.verified_on.isoformat() == "2024-06-01"
    assert "Verified: 2024-06-01." in before
    assert "Verified: 2024-06-01." in text_of(main(client, "/sources/aster-a1-sheet"))


@pytest.mark.parametrize("story", STORIES)
def test_a_view_of_the_past_leaves_links_out_and_says_so(world, client, story):
    words = STORIES[story](world)
    for address in (
        f"/gpus/aster-a1?as_of={FIRST}",
        f"/gpus/compare?ids=aster-a1,boreal-b1&as_of={FIRST}",
        f"/claims/C-{world.unreproduced.number}?as_of={FIRST}",
    ):
        text = text_of(main(client, address))
        assert words not in text, address
        assert "How links stand is known for today only, so it is left out." in text
        assert words not in twin(client, address)
        assert "No archived copy" not in text
    file = client.get(f"/gpus/compare.csv?ids=aster-a1,boreal-b1&as_of={FIRST}").content.decode()
    assert words not in file


def test_a_passage_that_only_a_draft_cites_raises_no_flag_and_is_not_shown(world, client):
    secret = factories.passage(world.sheet, locator="canary row", quotation="5,000 canary units of power")
    factories.claim(
        "draft", by=world.editor, subject=world.a1, property=world.power, cited=[(secret, "supports")]
    )
    both = f"{world.page_two.quotation}. {secret.quotation}"
    look(world.sheet, page(world.sheet, both), days_ago=30)
    look(world.sheet, page(world.sheet, both.replace("5,000", "6,000")))
    assert PassageLook.objects.get(passage=secret).review_since
    for address in ("/sources/aster-a1-sheet", "/sources", "/gpus/aster-a1", "/sources?link=changed"):
        text = client.get(address).content.decode()
        assert "canary" not in text, address
        assert 'badge-caution">Source changed' not in text, address


def test_values_in_one_line_keep_a_neutral_word_to_the_claim_it_is_true_of(world, client):
    """96 GB is stated by the sheet, which moved, and again by a report, which answers."""
    again = factories.claim(
        subject=world.a1, property=world.memory, value="96", text="96 GB",
        asserter=world.lab, cited=[(world.measured, "supports")],
    )  # fmt: skip
    moves(world)
    plate = next(node for node in main(client, "/gpus/aster-a1").walk() if node.has_class("plate"))
    memory = next(node for node in plate.walk() if node.has_class("claim") and "96" in text_of(node))
    assert MOVED not in flags_of(memory)
    drawers = page_of(client.get("/gpus/aster-a1"))
    assert MOVED in flags_of(part(drawers, f"provenance-{world.a1_memory.number}-1"))
    assert MOVED not in flags_of(part(drawers, f"provenance-{again.number}-1"))


# The source page -------------------------------------------------------------------------------------


def facts(client, address="/sources/aster-a1-sheet", section="dates"):
    """Label → words of the definition list in the section with this heading."""
    region = next(
        node for node in main(client, address).walk() if node.attrs.get("aria-labelledby") == section and node.tag == "section"
    )  # fmt: skip
    terms = [text_of(node) for node in region.walk() if node.tag == "dt"]
    return dict(zip(terms, [text_of(node) for node in region.walk() if node.tag == "dd"], strict=True))


def test_five_dates_each_with_its_own_label(world, client):
    look(world.sheet, page(world.sheet, world.page_two.quotation), days_ago=3)
    record_verification(
        world.sheet,
        on=dt.date(2024, 7, 1),
        representation="excerpt",
        outcome="differs",
        note="No.",
        by=world.editor,
    )
    change_source(world.sheet, {"title": "Aster A1, the sheet"}, note="Its title.", by=world.editor)
    assert facts(client) == {
        "Source published": "2024-01-15",
        "Verified": "2024-06-01: a person confirmed what it says",
        "Last read": "2024-07-01, as excerpt: it says something else now",
        "Link checked": f"{day(3)}: the address answers with what was cited",
        "Record of this page": day(0),
    }


def test_dates_that_nobody_has_are_said_to_be_missing(world, client):
    assert facts(client, "/sources/aster-overview") | {"Record of this page": ""} == {
        "Source published": "date not stated in the reviewed source",
        "Verified": "2024-02-01: a person confirmed what it says",
        "Last read": "2024-02-01, as full text: it says what is cited",
        "Link checked": "no robot has looked yet",
        "Record of this page": "",
    }
    assert facts(client, "/sources/boreal-sheet")["Source published"] == "last modified 2024-01"
    assert (
        facts(client, "/sources/boreal-sheet")["Verified"]
        == "2024-02-01, read through a transcription: a person confirmed what it says"
    )
    assert "Not checked yet." in text_of(main(client, "/sources/aster-overview"))


def timeline(client, address="/sources/aster-a1-sheet"):
    """The rows of the timeline, as texts of their cells."""
    table = next(
        node for node in main(client, address).walk() if node.has_class("looks") and node.tag == "table"
    )
    rows = [[text_of(cell) for cell in row.elements()] for row in table.walk() if row.tag == "tr"]
    return rows[1:]


def test_the_timeline_is_a_row_a_change_with_days_and_counts(world, client):
    for days_ago in (60, 50, 40):
        look(world.sheet, page(world.sheet, world.page_two.quotation), days_ago=days_ago)
    look(world.sheet, failure(world.sheet), days_ago=30)
    for days_ago in (20, 5):
        look(world.sheet, moved(world.sheet, NEW, world.page_two.quotation), days_ago=days_ago)
    assert timeline(client) == [
        [
            "Moved for good",
            f"The source has moved for good to {NEW}, by one hop (301).",
            f"Status 200, at {NEW}; by 301",
            day(20),
            day(5),
            "2",
        ],
        ["Technical failure", "No answer within 30 seconds.", "", day(30), day(30), "1"],
        ["Answers", "The address answers with what was cited.", "Status 200", day(60), day(40), "3"],
    ]
    assert facts(client)["Link checked"].startswith(f"{day(5)}: it sends on for good")
    # The cells of the twin are the same.
    assert (
        f"| Answers | The address answers with what was cited. | Status 200 | {day(60)} | {day(40)} | 3 |"
        in (client.get("/sources/aster-a1-sheet.md").content.decode())
    )


def test_a_persons_decision_stands_in_the_timeline_with_its_note_and_without_a_name(world, client):
    other_figures(world)
    accept_page(world.sheet, note="Only the layout of the table changed.", by=world.editor)
    rows = timeline(client)
    assert rows[0] == [
        "A person looked: the page is fine",
        "Only the layout of the table changed.",
        "Status 200",
        day(0),
        day(0),
        "a person’s",
    ]
    # What the robot said last is still what the robot said.
    assert facts(client)["Link checked"].startswith(f"{day(0)}: it answers, but the text that matters")
    for address in ("/sources/aster-a1-sheet", "/sources/aster-a1-sheet.md"):
        assert world.editor.username not in client.get(address).content.decode()
    look(world.sheet, page(world.sheet, world.page_two.quotation))
    assert [row[5] for row in timeline(client)] == ["1", "a person’s", "1", "1"]


def test_more_rows_than_a_page_shows_are_said_to_exist(world, client):
    past = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
    LinkCheck.objects.bulk_create(
        LinkCheck(
            source=world.sheet, checked_at=past + dt.timedelta(days=n), verdict="ok", reason=f"Look {n}."
        )
        for n in range(51)
    )
    assert len(timeline(client)) == 50
    assert "These are the newest 50 rows; earlier ones are kept too." in text_of(
        main(client, "/sources/aster-a1-sheet")
    )


def test_cited_passages_say_how_they_stood_with_the_nearest_words_under_review(world, client):
    other_figures(world)
    row = next(
        row
        for row in main(client, "/sources/aster-a1-sheet").walk()
        if row.tag == "tr" and text_of(row).startswith("p. 2, table 1: “1,979") and UNDER_REVIEW in text_of(row)
        and "Other figures" in text_of(row)
    )  # fmt: skip
    nearest = PassageLook.objects.get(passage=world.page_two).nearest
    assert "1,980 TFLOPS" in nearest
    assert f"{UNDER_REVIEW} since {day(0)}. Nearest words now: “{nearest}”" in text_of(row)
    assert text_of(row).endswith(f"{day(0)} {day(0)}")
    look(world.sheet, page(world.sheet, world.page_two.quotation))
    text = text_of(main(client, "/sources/aster-a1-sheet"))
    assert "Its words stand" in text
    assert "Nearest words" not in text
    assert "Not looked for yet" in text_of(main(client, "/sources/aster-overview"))


def test_how_the_link_stands_is_a_sentence(world, client):
    sentences = {
        "broken": f"How its link stands: Link broken since {day(9)}.",
        "uncheckable": "How its link stands: Cannot be checked by machine: the site refuses robots, which says nothing",
    }
    for story, sentence in sentences.items():
        STORIES[story](world)
        assert sentence in text_of(main(client, "/sources/aster-a1-sheet"))
        Link.objects.update(state="", blocked=[], misses=[])


def archives(node):
    """Addresses of links to archived copies below a node."""
    return {each.attrs["href"] for each in node.walk() if "archive.example" in each.attrs.get("href", "")}


@pytest.mark.parametrize("kept", [True, False])
def test_the_archived_copy_of_a_broken_link_is_offered_and_none_is_invented(world, client, kept):
    source, claim = (world.sheet, world.unreproduced) if kept else (world.overview, world.a2_memory)
    break_link(source)
    own = {source.archive_url} - {""}
    record = f"/sources/{source.key}"
    drawer = part(page_of(client.get(f"/gpus/{claim.subject.slug}")), f"provenance-{claim.number}-1")
    about = next(
        node
        for node in main(client, record).walk()
        if node.tag == "section" and node.attrs.get("aria-labelledby") == "source"
    )
    lines = [
        item
        for address in ("/sources", f"/claims/C-{claim.number}")
        for item in main(client, address).walk()
        if item.tag == "li" and any(node.attrs.get("href") == record for node in item.walk())
    ]
    assert len(lines) == 2
    for place in (drawer, about, *lines):
        assert archives(place) == own
        assert ("No archived copy is recorded" in text_of(place)) != kept


def test_nobody_answering_is_said_with_the_archived_copy_and_raises_no_flag(world, client):
    for days_ago in (40, 20, 1):
        look(world.overview, failure(world.overview), days_ago=days_ago)
    assert link_of(world.overview).state == "unreachable"
    register = text_of(main(client, "/sources"))
    assert f"Could not be reached since {day(40)} · No archived copy is recorded" in register
    drawer = part(page_of(client.get("/gpus/aster-a2")), f"provenance-{world.a2_memory.number}-1")
    assert flags_of(drawer) == []
    assert f"Could not be reached since {day(40)}." in text_of(drawer)
    assert f"Could not be reached since {day(40)}." in text_of(main(client, "/sources/aster-overview"))


# Strangers' words ------------------------------------------------------------------------------------


def test_what_servers_say_is_text_and_never_markup_or_a_link(world, client):
    look(world.sheet, page(world.sheet, world.page_two.quotation), days_ago=30)
    look(world.sheet, failure(world.sheet, "timeout", HOSTILE), days_ago=20)
    address = "https://evil.example/<script>alert(3)</script>?" + "x" * 1500
    look(world.sheet, moved(world.sheet, address, world.page_two.quotation), days_ago=10)
    Link.objects.filter(source=world.sheet).update(moved_to="javascript:alert(4)")
    PassageLook.objects.filter(passage=world.page_two).update(
        nearest=HOSTILE, review_since=dt.datetime.now(tz=dt.UTC), verdict="number changed"
    )
    html = page_of(client.get("/sources/aster-a1-sheet"))
    text = text_of(html)
    for said in ('<script>alert(1)</script> "&', "javascript:alert(4)", "<script>alert(3)</script>?xxx"):
        assert said in text
    scripts = [node for node in html.walk() if node.tag == "script"]
    assert all(script.attrs.get("src", "").startswith("/static/") for script in scripts)
    links = [node.attrs["href"] for node in html.walk() if "href" in node.attrs]
    assert not [link for link in links if "javascript" in link or "evil.example" in link]
    read = rendered(client.get("/sources/aster-a1-sheet.md").content.decode())
    targets = [node.attrs["href"] for node in read.walk() if node.tag == "a"]
    assert not [link for link in targets if "javascript" in link or link.startswith("http://evil")]
    assert "<script>alert(1)</script>" in text_of(read)
    assert not [node for node in read.walk() if node.tag == "script"]
    # What turns writing is shown as a sign that it was there.
    for seen in (html, read):
        assert "\u202e" not in text_of(seen)
        assert text_of(seen).count(HOSTILE.replace("\u202e", "\ufffd")) == 2


def test_a_new_address_is_a_link_only_on_the_web(world, client):
    moves(world)
    assert facts(client, section="source")["Moved to"] == f"{NEW} ↱"
    assert NEW in [node.attrs.get("href") for node in main(client, "/sources/aster-a1-sheet").walk()]
    accept_address(world.sheet, note="It moved.", by=world.editor)
    assert "Moved to" not in facts(client, section="source")
    assert facts(client, section="source")["Address"] == f"{NEW} ↱"


# The register, and what changes with a standing ------------------------------------------------------

FILTERS = {
    "ok": ["ok"],
    "broken": ["broken", "gone"],
    "unreachable": ["unreachable"],
    "doubtful": ["changed", "needs a look"],
    "uncheckable": ["cannot be checked by machine", "refused", "not checked"],
    "unchecked": [""],
}


def registered(client, query):
    return {
        node.attrs["href"].rpartition("/")[2]
        for node in main(client, f"/sources?{query}").walk()
        if node.attrs.get("href", "").startswith("/sources/")
    }


@pytest.mark.parametrize("word", FILTERS)
def test_the_register_is_filtered_by_how_links_stand(world, client, word):
    everything = registered(client, "")
    assert registered(client, "link=unchecked") == everything
    for state in FILTERS[word]:
        Link.objects.filter(source=world.sheet).update(state=state)
        assert world.sheet.key in registered(client, f"link={word}")
        assert "Without link" in text_of(main(client, f"/sources?link={word}"))
        if word != "unchecked":
            assert registered(client, f"link={word}") == {"aster-a1-sheet"}
    assert {state for states in FILTERS.values() for state in states} == {
        "" if state is State.NEW else state.value for state in State
    }


@pytest.mark.parametrize("word", ["moved", "changed"])
def test_the_register_is_filtered_by_the_flags_of_links(world, client, word):
    assert registered(client, f"link={word}") == set()
    STORIES[word](world)
    assert registered(client, f"link={word}") == {"aster-a1-sheet"}
    assert registered(client, f"link={word}&kind=paper") == set()


def test_a_word_that_is_no_standing_is_refused_with_what_is_allowed(world, client):
    answer = client.get("/sources?link=dead")
    assert answer.status_code == 400
    assert "Allowed: ok, broken, unreachable, moved, changed, doubtful, uncheckable, unchecked." in text_of(
        page_of(answer)
    )


PLACES = [
    "/",
    "/gpus/aster-a1",
    "/sources",
    "/gpus/compare.csv?ids=aster-a1,boreal-b1",
    "/claims/C-1",
    "/claims/C-1.md",
]


def etags(client, *addresses):
    return [client.get(address)["ETag"] for address in addresses]


def test_a_change_of_standing_changes_every_etag(world, client):
    for days_ago in (9, 5):
        look(world.sheet, status(world.sheet, 404), days_ago=days_ago)
    before, version = etags(client, *PLACES), RegistryState.objects.get().version
    look(world.sheet, status(world.sheet, 404), days_ago=1)
    assert RegistryState.objects.get().version > version
    assert not set(before) & set(etags(client, *PLACES))
    assert client.get("/gpus/aster-a1", headers={"if-none-match": before[1]}).status_code == 200


def test_an_equal_look_changes_the_page_that_shows_looks_and_no_other(world, client):
    look(world.sheet, page(world.sheet, world.page_two.quotation), days_ago=9)
    looks = ["/sources/aster-a1-sheet", "/sources/aster-a1-sheet.md"]
    others = [*PLACES, "/sources/aster-overview", "/about/link-checker"]
    before, shown = etags(client, *others), etags(client, *looks)
    version = RegistryState.objects.get().version
    contents = [client.get(address).content for address in others]
    look(world.sheet, page(world.sheet, world.page_two.quotation))
    assert RegistryState.objects.get().version == version
    assert etags(client, *others) == before
    assert [client.get(address).content for address in others] == contents
    assert client.get("/gpus/aster-a1", headers={"if-none-match": before[1]}).status_code == 304
    # A strong ETag never stands for two answers: the dates of the looks moved.
    assert not set(etags(client, *looks)) & set(shown)
    assert f"{day(0)}: the address answers" in text_of(main(client, looks[0]))


def test_an_unchanged_page_of_looks_costs_one_query(world, client):
    look(world.sheet, page(world.sheet, world.page_two.quotation))
    etag = client.get("/sources/aster-a1-sheet")["ETag"]
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/sources/aster-a1-sheet", headers={"if-none-match": etag}).status_code == 304
    assert len(queries) == 1


def test_the_queries_of_a_source_do_not_grow_with_its_looks(world):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            Client().get("/sources/aster-a1-sheet")
        return len(queries)

    moves(world)
    before = asked()
    for number in range(20):
        passage = factories.passage(world.sheet, locator=f"row {number}", quotation=f"{number} W at most")
        factories.claim(
            subject=world.a1, property=world.power, value=str(number), cited=[(passage, "supports")]
        )
        look(
            world.sheet,
            page(world.sheet, passage.quotation) if number % 2 else failure(world.sheet),
            days_ago=0,
        )
    assert asked() == before


# The page our agent names ----------------------------------------------------------------------------


def test_the_agent_leads_to_a_page_that_says_who_it_is(world, client):
    assert f"{settings.SITE_URL}/about/link-checker" == settings.LINKCHECK_ABOUT
    text = text_of(main(client, "/about/link-checker"))
    assert f"User-Agent: {agent(settings.LINKCHECK_ABOUT)}" in text
    assert "User-agent: EvidenceRegistryLinks Disallow: /" in text
    footer = part(page_of(client.get("/gpus")), "footer")
    assert "/about/link-checker" in [node.attrs.get("href") for node in footer.walk()]
    assert client.get("/about/link-checker?x=1").status_code == 400


def test_the_page_of_the_agent_follows_the_settings(world, client, settings):
    before = client.get("/about/link-checker")
    settings.LINKCHECK_MIN_INTERVAL = 2.5
    settings.LINKCHECK_ABOUT = "https://other.example/robot"
    after = client.get("/about/link-checker")
    assert "at least 2.5 s after" in text_of(page_of(after))
    assert "(+https://other.example/robot)" in text_of(page_of(after))
    assert after["ETag"] != before["ETag"]


def test_every_verdict_and_every_standing_is_explained(world, client):
    assert set(VERDICTS) == {*Outcome.__args__, "accepted"}
    assert [state for state, _ in STANDINGS] == list(State)
    text = text_of(main(client, "/about/link-checker"))
    for called, meaning in VERDICTS.values():
        assert f"{called}{meaning}" in text
    for state, meaning in STANDINGS:
        assert f"{state.value.capitalize()}{meaning}" in text


def test_the_numbers_written_out_are_those_of_the_rules():
    said = dict(STANDINGS)
    numbers = {1: "a day", 2: "Two", 3: "Three"}
    assert said[State.BROKEN].startswith(numbers[standing.CONFIRMATIONS])
    assert dt.timedelta(days=3) == standing.APART
    assert said[State.GONE].startswith(numbers[standing.GONE_CONFIRMATIONS])
    assert dt.timedelta(days=1) == standing.GONE_APART
    assert dt.timedelta(weeks=3) == standing.UNREACHABLE_AFTER
    assert said[State.UNCHECKABLE].startswith(numbers[standing.BLOCKED_TIMES])
    assert dt.timedelta(weeks=6) == standing.BLOCKED_WITHIN


def test_no_page_says_that_links_are_not_looked_at(world, client):
    look(world.sheet, page(world.sheet, world.page_two.quotation))
    assert not re.search("not checked yet", text_of(main(client, "/sources/aster-a1-sheet")), re.I)


def test_odd_words_of_passages_survive(world, client):
    look(world.overview, page(world.overview, ""), days_ago=2)
    assert ODD in text_of(main(client, "/sources/aster-overview"))
