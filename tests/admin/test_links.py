"""Link triage: the list, the page of a link, and the three decisions."""

import html
import json
import re
import threading

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from registry.celery import app
from sources.actions.links import accept_page, check_now
from sources.actions.sources import change_source
from sources.models import Host, Link, LinkCheck, PassageLook, ReferenceChange
from tests import factories
from tests.admin import looks
from tests.admin.desks import desk
from tests.admin.test_lists import INLINE, queues

LIST = "/admin/sources/link/"
QUOTED = "It draws 700 W at most."


def url(source, name="change"):
    return f"/admin/sources/link/{source.pk}/{name}/"


def read(answer):
    """The text of a page as a person sees it."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def shown(client, source):
    """What the forms of a link's page carry."""
    return client.get(url(source)).context["shown"].value()


def decide(client, source, name, note="I read it.", facts=None, **options):
    data = {"note": note, "shown": shown(client, source) if facts is None else facts}
    return client.post(url(source, name), data, **options)


@pytest.fixture
def source():
    return factories.source()


@pytest.fixture
def cited(source):
    """A published claim that rests on words of the source."""
    return factories.claim(cited=[(factories.passage(source, quotation=QUOTED), "supports")])


# Work queue ------------------------------------------------------------------------------------------


def one_of_each():
    """A source for each queue of links, and one that is fine."""
    found = {
        name: factories.source()
        for name in ["broken", "changed", "look", "moved", "parked", "beyond", "fine"]
    }
    looks.break_link(found["broken"])
    factories.claim(cited=[(factories.passage(found["changed"], quotation=QUOTED), "supports")])
    looks.change_number(found["changed"])
    looks.look(found["look"], looks.status(found["look"], 204))
    looks.look(found["moved"], looks.moved(found["moved"], "https://example.net/new"))
    looks.park(found["parked"])
    for days in (20, 10, 1):
        looks.look(found["beyond"], looks.status(found["beyond"], 403), days_ago=days)
    looks.look(found["fine"], looks.page(found["fine"]))
    return found


def test_each_count_leads_to_exactly_its_links(author):
    found = one_of_each()
    expected = {
        "Links broken": ["broken"],
        "Sources changed, under review": ["changed"],
        "Sources moved": ["moved"],
        "Links parked": ["parked"],
        "Cannot be checked by machine": ["beyond"],
    }
    told = queues(author)
    for title, names in expected.items():
        rows = author.get(told[title]["url"]).context["cl"].result_list
        assert [link.source for link in rows] == [found[name] for name in names], title
        assert told[title]["count"] == len(names), title
    rows = author.get(told["Links that need a look"]["url"]).context["cl"].result_list
    assert found["look"] in [link.source for link in rows]
    assert told["Links that need a look"]["count"] == len(rows)


def test_the_neutral_queue_stands_below_the_others(author):
    sections = author.get("/admin/").context["queue_sections"]
    assert [queue["title"] for queue in sections["The registry"]][-1] == "Cannot be checked by machine"
    assert "Cannot be checked by machine" not in [queue["title"] for queue in sections["Links to sources"]]


# The list --------------------------------------------------------------------------------------------


def test_the_list_says_what_looks_found(author, cited, source):
    looks.change_number(source)
    page = read(author.get(LIST, {"queue": "under-review"}))
    assert source.title in page
    assert source.publisher.name in page
    assert "source changed, under review" in page
    row = author.get(LIST, {"queue": "under-review"}).context["cl"].result_list[0]
    assert row.claims_resting == 1


def test_claims_that_are_not_published_are_not_counted(author, source):
    factories.claim("draft", cited=[(factories.passage(source), "supports")])
    row = author.get(LIST, {"q": source.key}).context["cl"].result_list[0]
    assert row.claims_resting == 0


def test_a_claim_that_cites_two_passages_of_a_source_is_one(author, source):
    passages = [factories.passage(source, locator=place) for place in ("p. 1", "p. 2")]
    factories.claim(cited=[(passage, "supports") for passage in passages])
    assert author.get(LIST, {"q": source.key}).context["cl"].result_list[0].claims_resting == 1
    page = author.get(url(source))
    assert page.context["claim_count"] == len(page.context["claims"]) == 1


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"_facets": "True"}, None),
        ({"standing": "broken"}, {"broken"}),
        ({"standing": "uncheckable"}, {"beyond"}),
        ({"standing": "new"}, {"parked"}),
        ({"verdict": "moved"}, {"moved"}),
        ({"verdict": "nonsense"}, None),
        ({"host": "example.org"}, None),
        ({"host": "example.com"}, set()),
        ({"host": "'\""}, set()),
        ({"standing": "nonsense"}, None),
    ],
)
def test_filters(author, query, names):
    found = one_of_each()
    rows = {link.source for link in author.get(LIST, query).context["cl"].result_list}
    assert rows == set(found.values()) if names is None else rows == {found[name] for name in names}


@pytest.mark.parametrize("term", ["Special", "sheet-key", "special.example.net", "example.net/special"])
def test_search(author, source, term):
    special = factories.source(title="Special", key="sheet-key", url="https://special.example.net/special")
    if term == "example.net/special":
        looks.look(special, looks.moved(special, "https://example.net/special"))
    assert [link.source for link in author.get(LIST, {"q": term}).context["cl"].result_list] == [special]


def test_queries_of_list_page_and_front_do_not_grow(author, source):
    def queries():
        counts = []
        for address in (LIST, url(source), "/admin/", f"/admin/sources/source/{source.pk}/change/"):
            with CaptureQueriesContext(connection) as captured:
                assert author.get(address).status_code == 200
            counts.append(len(captured))
        return counts

    def more():
        passage = factories.passage(source, locator=f"p. {Link.objects.count()}", quotation=QUOTED)
        factories.claim(cited=[(passage, "supports")])
        looks.look(factories.source(), looks.page(source))

    for number in (404, 403):
        looks.look(source, looks.status(source, number))
    more()
    looks.change_number(source)
    before = queries()
    for number in (404, 403, 404, 500):
        looks.look(source, looks.status(source, number))
        more()
        more()
    looks.change_number(source)
    assert queries() <= before
    assert max(before) <= 30


# The page --------------------------------------------------------------------------------------------


def test_the_page_shows_hops_history_passages_and_claims(author, cited, source):
    looks.look(source, looks.page(source, QUOTED), days_ago=9)
    looks.look(source, looks.page(source, QUOTED), days_ago=8)
    looks.look(source, looks.moved(source, "https://example.net/new", QUOTED))
    answer = author.get(url(source))
    page = read(answer)
    newest, oldest = answer.context["history"]
    assert (newest.check.verdict, newest.looks) == ("moved", 1)
    assert (oldest.check.verdict, oldest.looks) == ("ok", 2)
    assert (oldest.last_at - oldest.check.checked_at).days == 1
    assert [(hop.status, hop.to.text) for hop in answer.context["hops"]] == [
        (301, "https://example.net/new"),
        (200, ""),
    ]
    assert f"“{QUOTED}”" in page
    assert "none recorded" in page
    assert reverse("admin:registry_claim_change", args=[cited.pk]) in answer.content.decode()
    assert reverse("claim", args=[cited.number]) in answer.content.decode()
    assert reverse("admin:registry_claim_correct", args=[cited.pk]) in answer.content.decode()
    assert reverse("admin:sources_source_verify", args=[source.pk]) in answer.content.decode()


def test_a_changed_number_is_shown_with_the_nearest_words(author, cited, source):
    looks.change_number(source)
    page = read(author.get(url(source)))
    assert "number changed" in page
    assert "750" in page
    assert "1 of them cites a passage that is under review" in page
    assert "This page is fine" in page


def test_the_archived_copy_is_a_link(author):
    source = factories.source(archive_url="https://archive.example.org/x")
    assert (
        'href="https://archive.example.org/x" rel="noopener noreferrer"'
        in author.get(url(source)).content.decode()
    )


def test_a_link_nobody_looked_at_has_a_page(author, source):
    page = read(author.get(url(source)))
    assert "Not checked yet." in page
    assert "No robot has looked at this address yet" in page


def test_what_servers_send_is_escaped_and_never_a_way_out_of_the_web(author, source):
    hostile = "https://example.net/<script>alert(1)</script>"
    answer = looks.moved(source, hostile)
    looks.look(source, answer)
    check = LinkCheck.objects.get(source=source)
    row = {
        field.attname: getattr(check, field.attname)
        for field in LinkCheck._meta.concrete_fields
        if not field.primary_key
    }
    evil = "javascript:alert(1)"
    hops = [{"url": evil, "status": 302, "to": "data:text/html,<script>alert(2)</script>", "via": "<b>"}]
    last = LinkCheck.objects.create(
        **{
            **row,
            "hops": hops,
            "reason": "<script>alert(3)</script>",
            "final_url": evil,
            "notes": ["<img src=x onerror=alert(4)>"],
        }
    )
    passage = factories.passage(source, quotation=QUOTED)
    PassageLook.objects.create(
        passage=passage, verdict="gone", since=timezone.now(), looked_at=timezone.now(),
        nearest="<script>alert(5)</script>", review_since=timezone.now(),
    )  # fmt: skip
    Link.objects.filter(pk=source.pk).update(last_check=last, moved_to=evil)
    for address in (url(source), LIST, f"/admin/sources/source/{source.pk}/change/"):
        page = author.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert not re.search(r'(?:href|action|src)="(?:javascript|data):', page, re.I)
        for link in re.findall(r"<a [^>]*href=\"https?://[^>]*>", page):
            assert "noreferrer" in link, link
    page = author.post(
        url(source, "address"), {"note": "x y", "shown": json.dumps({"<script>alert(6)": "<b>"})}
    )
    assert "<script>alert" not in page.content.decode()
    assert page.status_code == 409


def test_no_page_of_a_link_has_an_inline_style_or_script(author, cited, source):
    looks.change_number(source)
    assert not INLINE.search(author.get(url(source)).content.decode())


@pytest.mark.parametrize("path", ["9999999/change/", "nonsense/change/", "9999999/check/", "9999999/fine/"])
def test_an_unknown_link_is_no_error_of_the_server(author, path):
    assert author.get(LIST + path).status_code in (302, 404)
    assert author.post(LIST + path).status_code in (404, 405)


# Check now -------------------------------------------------------------------------------------------


def rest(source):
    Link.objects.filter(pk=source.pk).update(due_at=None, lost_leases=5)


def test_check_now_makes_it_due_and_says_who_looks(author, source):
    rest(source)
    answer = author.post(url(source, "check"), follow=True)
    link = looks.link_of(source)
    assert link.due_at is not None
    assert link.lost_leases == 0
    assert "a worker looks within about 15 seconds" in read(answer)
    assert answer.redirect_chain == [(url(source), 302)]


def test_check_now_on_the_source_leads_back_to_it(author, source):
    address = f"/admin/sources/source/{source.pk}/change/"
    assert f'action="{url(source, "check")}"' in author.get(address).content.decode()
    answer = author.post(url(source, "check"), {"from": "source"})
    assert (answer.status_code, answer.url) == (302, address)


def test_check_now_says_that_a_host_asked_to_be_left_alone(author, source):
    Host.objects.update(free_at=timezone.now() + timezone.timedelta(hours=2))
    assert "example.org asked to be left alone until" in read(author.post(url(source, "check"), follow=True))


def test_many_links_are_checked_by_one_action(author):
    sources = [factories.source() for _ in range(3)]
    for each in sources:
        rest(each)
    data = {"action": "check_chosen", "_selected_action": [str(each.pk) for each in sources[:2]]}
    assert "2 links are due now" in read(author.post(LIST, data, follow=True))
    assert [looks.link_of(each).due_at is not None for each in sources] == [True, True, False]


def test_more_than_two_hundred_are_refused(author, monkeypatch):
    monkeypatch.setattr("registry.admin.links.MOST_AT_ONCE", 2)
    sources = [factories.source() for _ in range(3)]
    for each in sources:
        rest(each)
    data = {
        "action": "check_chosen",
        "_selected_action": [str(sources[0].pk)],
        "select_across": "1",
        "index": "0",
    }
    assert "none was made due" in read(author.post(LIST, data, follow=True))
    assert not Link.objects.filter(due_at__isnull=False).exists()


def test_nothing_here_touches_the_broker(author, cited, source, monkeypatch):
    monkeypatch.setattr(app.conf, "broker_url", "redis+socket:///nowhere/at/all.sock")
    monkeypatch.setattr(app, "send_task", lambda *_, **__: pytest.fail("a request waited for the broker"))
    looks.change_number(source)
    for address in ("/admin/", LIST, url(source), f"/admin/sources/source/{source.pk}/change/"):
        assert author.get(address).status_code == 200
    assert author.post(url(source, "check")).status_code == 302
    assert decide(author, source, "fine").status_code == 302
    assert (
        author.post(LIST, {"action": "check_chosen", "_selected_action": [str(source.pk)]}).status_code == 302
    )


# Accept the new address ------------------------------------------------------------------------------


@pytest.fixture
def gone_elsewhere(source):
    looks.look(source, looks.moved(source, "https://example.net/new"))
    return source


def test_the_page_shows_the_old_and_the_new_address(author, gone_elsewhere):
    page = read(author.get(url(gone_elsewhere)))
    assert f"Cited now {gone_elsewhere.url} Instead https://example.net/new" in page


def test_an_accepted_address_is_a_change_of_the_source_with_its_note(author, cited, gone_elsewhere):
    answer = decide(author, gone_elsewhere, "address", "The maker moved its documents.", follow=True)
    assert "is cited at its new address" in read(answer)
    gone_elsewhere.refresh_from_db()
    assert gone_elsewhere.url == "https://example.net/new"
    change = ReferenceChange.objects.filter(
        table="source", key=gone_elsewhere.key, operation="update"
    ).first()
    assert (change.note, change.changed_by) == ("The maker moved its documents.", author.person)
    link = looks.link_of(gone_elsewhere)
    assert (link.moved_to, link.state, link.host_id) == ("", "", "example.net")
    assert "The maker moved its documents." in read(author.get("/corrections"))


def test_the_edition_stays_the_one_that_was_read(author):
    source = factories.source(url="https://docs.example.org/guide", version="2.1", link_kind="pinned")
    looks.look(source, looks.moved(source, "https://docs.example.net/handbook"))
    decide(author, source, "address")
    source.refresh_from_db()
    assert (source.url, source.version, source.link_kind) == (
        "https://docs.example.net/handbook",
        "2.1",
        "pinned",
    )


@pytest.mark.parametrize("note", ["", "  ", "…", "a\x00b", "x" * 1001])
@pytest.mark.parametrize("name", ["address", "fine"])
def test_a_decision_takes_a_note_in_words(author, cited, source, name, note):
    if name == "fine":
        looks.change_number(source)
    else:
        looks.look(source, looks.moved(source, "https://example.net/new"))
    answer = decide(author, source, name, note)
    assert answer.status_code == 200
    assert answer.context[f"{name}_form"].errors["note"]
    source.refresh_from_db()
    assert source.url != "https://example.net/new"
    assert looks.link_of(source).last_check.accepted_by is None


def test_an_address_another_source_has_is_refused_with_the_way_there(author, gone_elsewhere):
    other = factories.source(url="https://example.net/new")
    answer = decide(author, gone_elsewhere, "address", "It moved.")
    assert answer.status_code == 409
    assert "This work is registered already" in read(answer)
    assert f"/admin/sources/source/{other.pk}/change/" in answer.content.decode()
    assert "It moved." in answer.content.decode()
    gone_elsewhere.refresh_from_db()
    assert gone_elsewhere.url != other.url


def test_an_address_the_register_cannot_hold_is_refused_in_words(author, source):
    looks.look(source, looks.moved(source, "https://192.0.2.1/new"))
    assert "no public host name" in read(decide(author, source, "address", follow=True))
    before = source.url
    source.refresh_from_db()
    assert source.url == before


def test_the_address_written_another_way_is_not_offered(author, source):
    link = looks.look(source, looks.moved(source, f"{source.url}?utm_source=mail"))
    assert (link.state, link.moved_to) == ("ok", "")
    assert author.get(url(source)).context["address_form"] is None


def test_an_address_too_long_to_be_kept_whole_is_not_offered(author, source):
    link = looks.look(source, looks.moved(source, "https://example.net/" + "x" * 2000))
    assert (link.state, link.moved_to) == ("ok", "")
    assert author.get(url(source)).context["address_form"] is None


def test_an_identifier_is_never_offered_another_address(author):
    source = factories.source(url="https://doi.org/10.1145/3600006.3613165")
    looks.look(source, looks.moved(source, "https://example.net/paper"))
    page = author.get(url(source))
    assert page.context["address_form"] is None
    answer = decide(author, source, "address", follow=True)
    assert "No look found that this source has moved for good. Nothing was saved." in read(answer)


# This page is fine -----------------------------------------------------------------------------------


def test_a_page_called_fine_is_out_of_review_with_the_note_kept(author, cited, source):
    looks.change_number(source)
    assert "Recorded" in read(decide(author, source, "fine", "It is another board's number.", follow=True))
    link = looks.link_of(source)
    assert (link.state, link.last_check.reason) == ("ok", "It is another board's number.")
    assert link.last_check.accepted_by == author.person
    assert not PassageLook.objects.filter(review_since__isnull=False).exists()
    page = author.get(url(source))
    assert f"accepted by {author.person.username}" in read(page)
    assert page.context["fine_form"] is None
    assert [hop.status for hop in page.context["hops"]] == [200]


def test_a_broken_link_called_fine_answers_again(author, source):
    looks.break_link(source)
    decide(author, source, "fine", "It opens in a browser.")
    assert looks.link_of(source).state == "ok"


def test_a_decision_does_not_move_the_verified_date(author, source):
    before = source.verified_on
    looks.break_link(source)
    decide(author, source, "fine")
    source.refresh_from_db()
    assert source.verified_on == before


@pytest.mark.parametrize("looked", [True, False])
def test_where_there_is_nothing_to_decide_it_says_so(author, source, looked):
    if looked:
        looks.look(source, looks.page(source))
    answer = decide(author, source, "fine", follow=True)
    said = "there is nothing to accept" if looked else "No robot has looked at this address yet"
    assert said in read(answer)
    assert not LinkCheck.objects.filter(accepted_by__isnull=False).exists()


# Two editors -----------------------------------------------------------------------------------------


def test_the_second_to_accept_an_address_sees_that_it_is_done(author, reviewer, gone_elsewhere):
    facts = shown(reviewer, gone_elsewhere)
    decide(author, gone_elsewhere, "address")
    answer = decide(reviewer, gone_elsewhere, "address", "Moved, I think.", facts)
    assert answer.status_code == 409
    page = read(answer)
    assert "Nothing of yours is saved" in page
    assert "New address https://example.net/new none" in page
    assert (
        ReferenceChange.objects.filter(table="source", key=gone_elsewhere.key, note="Moved, I think.").count()
        == 0
    )


def test_the_second_to_call_a_page_fine_sees_that_it_is_done(author, reviewer, cited, source):
    looks.change_number(source)
    facts = shown(reviewer, source)
    decide(author, source, "fine", "I read it first.")
    answer = decide(reviewer, source, "fine", "I read it too.", facts)
    assert answer.status_code == 409
    assert "I read it first." in read(answer)
    assert LinkCheck.objects.filter(accepted_by__isnull=False).count() == 1


def test_a_look_in_between_saves_nothing_and_shows_both(author, gone_elsewhere):
    facts = shown(author, gone_elsewhere)
    looks.look(gone_elsewhere, looks.moved(gone_elsewhere, "https://example.com/newer"))
    answer = decide(author, gone_elsewhere, "address", "It moved.", facts)
    assert "New address https://example.net/new https://example.com/newer" in read(answer)
    before = gone_elsewhere.url
    gone_elsewhere.refresh_from_db()
    assert gone_elsewhere.url == before
    # The form below carries what stands now, with the note that was typed.
    assert answer.context["address_form"]["note"].value() == "It moved."
    assert (
        decide(author, gone_elsewhere, "address", "It moved.", answer.context["shown"].value()).status_code
        == 302
    )


def test_another_number_in_between_is_not_called_fine(author, cited, source):
    looks.change_number(source)
    facts = shown(author, source)
    looks.look(source, looks.page(source, "It draws 800 W at most."))
    answer = decide(author, source, "fine", facts=facts)
    assert answer.status_code == 409
    assert "800" in read(answer)
    assert PassageLook.objects.filter(review_since__isnull=False).count() == 1


def test_a_look_that_says_the_same_is_no_conflict(author, gone_elsewhere):
    facts = shown(author, gone_elsewhere)
    looks.look(gone_elsewhere, looks.moved(gone_elsewhere, "https://example.net/new"))
    assert decide(author, gone_elsewhere, "address", facts=facts).status_code == 302


@pytest.mark.parametrize("facts", ["", "null", "[]", "{", "1", '{"Address": 5}', "[" * 5000])
def test_a_form_that_does_not_say_what_it_was_about_saves_nothing(author, gone_elsewhere, facts):
    assert decide(author, gone_elsewhere, "address", facts=facts).status_code == 409
    before = gone_elsewhere.url
    gone_elsewhere.refresh_from_db()
    assert gone_elsewhere.url == before


def test_of_two_in_one_moment_one_decides_and_one_is_told(transactional_db):
    source, people = factories.source(), [factories.user("author"), factories.user("reviewer")]
    looks.break_link(source)
    carried = shown(desk(people[0]), source)
    start, answers = threading.Barrier(2), []

    def accept(person):
        client = desk(person)
        start.wait()
        answers.append(decide(client, source, "fine", "I read it.", carried).status_code)
        connection.close()

    threads = [threading.Thread(target=accept, args=[person]) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [302, 409]
    assert LinkCheck.objects.filter(accepted_by__isnull=False).count() == 1


# Who may ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["check", "address", "fine"])
def test_who_only_looks_decides_nothing(cited, source, name):
    looks.change_number(source)
    rest(source)
    person = factories.user("", is_staff=True)
    person.user_permissions.add(Permission.objects.get(codename="view_link"))
    client = desk(person)
    page = client.get(url(source))
    assert page.status_code == 200
    assert "<h2>This page is fine" not in page.content.decode()
    assert 'value="Check now"' not in page.content.decode()
    assert decide(client, source, name).status_code == 403
    assert client.get(url(source, name)).status_code == 403
    assert looks.link_of(source).due_at is None
    listed = client.post(LIST, {"action": "check_chosen", "_selected_action": [str(source.pk)]}, follow=True)
    assert listed.status_code == 200
    assert looks.link_of(source).due_at is None


@pytest.mark.parametrize("name", ["check", "address", "fine"])
def test_a_get_decides_nothing_and_leads_to_the_page(author, source, name):
    rest(source)
    answer = author.get(url(source, name))
    assert (answer.status_code, answer.url) == (302, url(source))
    assert looks.link_of(source).due_at is None


# The source's own page -------------------------------------------------------------------------------


def test_the_source_shows_the_standing_and_the_way_to_triage(author, source):
    looks.break_link(source)
    page = author.get(f"/admin/sources/source/{source.pk}/change/")
    assert "Link broken since" in read(page)
    assert f'href="{url(source)}"' in page.content.decode()


def test_an_address_typed_in_another_form_does_not_start_looks_anew(author, source):
    looks.look(source, looks.page(source))
    change_source(source, {"url": f"{source.url}?utm_source=x"}, note="Cleaned.", by=author.person)
    assert looks.link_of(source).state == "ok"


# The actions themselves ------------------------------------------------------------------------------


def test_an_action_without_facts_decides_on_what_stands(author, source):
    looks.break_link(source)
    accept_page(source, note="It opens.", by=author.person)
    assert looks.link_of(source).state == "ok"


def test_many_are_made_due_in_one_call(author):
    sources = [factories.source() for _ in range(3)]
    for each in sources:
        rest(each)
    assert check_now(*sources, by=author.person) == 3
    assert Link.objects.filter(due_at__isnull=False).count() == 3
