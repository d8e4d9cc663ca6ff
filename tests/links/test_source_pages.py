"""Altered copies of one source page through the whole queue: no altered figure passes, no new layout raises a review."""

from collections.abc import Sequence

from registry.models import RegistryState
from sources.actions.sources import passage, record_verification
from sources.drain import drain
from sources.models import Link, LinkCheck, Passage, PassageCheck, PassageLook, Source
from tests import factories
from tests.links.citing import cite, facts, free_hosts, link_of, make_due, rows_of
from tests.links.recorder import HOSTS, Recorder, html
from tests.sources.source_page import ALTERED, LAYOUT, PAGE, PASSAGES, STANDINS, Mutation, notice, swap

ROWS = PAGE[PAGE.index("<tr><th>FP8") : PAGE.index("</table>")]
MORE_LAYOUT = [
    Mutation("rows of the table in another order", swap(ROWS, "\n".join(reversed(ROWS.strip().split("\n"))))),
    Mutation("white space everywhere", PAGE.replace(" ", " \n\t ")),
    Mutation("narrow spaces in figures", swap("3,958 TFLOPS", "3\u202f958\u202fTFLOPS").replace("141 GB", "141\u202fGB")),
    Mutation("a date at the top", swap("<main>", "<main><p>Updated on 7 July 2026, 14:05</p>")),
]  # fmt: skip
RETRACTED = Mutation(
    "a notice of retraction", swap("<title>", "<title>RETRACTED: ").replace("<h1>", "<h1>Retracted: ")
)
EVERY = [*LAYOUT, *MORE_LAYOUT, *ALTERED, *STANDINS]


def with_passages(recorder: Recorder, hosts: Sequence[str]) -> list[Source]:
    """A source on each host, cited for every passage."""
    sources = cite(
        *(recorder.url(host, "/sheet") for host in hosts), title="Aurora X2 accelerator: data sheet"
    )
    for source in sources:
        for words, locator in PASSAGES.values():
            passage(source, locator, words)
    return sources


def look_again() -> None:
    """All links are due and all hosts free: look at them."""
    make_due()
    free_hosts()
    assert drain(20).recorded.lost == 0


def stand(source: Source) -> dict[str, PassageLook]:
    """How the passages of a source stand, by their names."""
    looks = PassageLook.objects.filter(passage__source=source).select_related("passage")
    by_words = {(look.passage.quotation, look.passage.locator): look for look in looks}
    return {name: by_words[key] for name, key in PASSAGES.items() if key in by_words}


def test_only_what_was_altered_is_under_review_and_what_comes_back_is_not(recorder: Recorder) -> None:
    assert len(EVERY) >= 30
    hosts = HOSTS[: len(EVERY)]
    sources = with_passages(recorder, hosts)
    recorder.answers["/sheet"] = html(PAGE)
    look_again()
    assert set(PassageLook.objects.values_list("verdict", "review_since")) == {("intact", None)}
    assert PassageLook.objects.count() == len(EVERY) * len(PASSAGES)

    for host, mutation in zip(hosts, EVERY, strict=True):
        recorder.answers[host, "/sheet"] = html(mutation.html)
    look_again()
    wrong = []
    for source, mutation in zip(sources, EVERY, strict=True):
        for name, look in stand(source).items():
            wanted = mutation.found.get(name, "intact").split("|")
            wanted += ["moved"] if mutation in LAYOUT + MORE_LAYOUT else []
            # A page in the place of the source says nothing, so what was seen before stands.
            review = bool({*wanted} & {"number changed", "gone"})
            if look.verdict not in wanted or bool(look.review_since) != review:
                wrong.append((mutation.name, name, wanted, look.verdict, look.review_since, look.nearest))
    assert wrong == []
    assert {link_of(s).state for s, m in zip(sources, EVERY, strict=True) if m in STANDINS} <= {
        "needs a look",
        "ok",
    }
    under_review = set(Link.objects.under_review().values_list("pk", flat=True))
    assert under_review == {s.pk for s, m in zip(sources, EVERY, strict=True) if m in ALTERED}

    for host in hosts:
        del recorder.answers[host, "/sheet"]
    look_again()
    # What was found at another place at the last look has moved again.
    assert set(PassageLook.objects.values_list("verdict", "review_since")) == {
        ("intact", None),
        ("moved", None),
    }
    # … and the rows keep that they were gone.
    back = sum(len(mutation.found) for mutation in ALTERED)
    assert PassageCheck.objects.filter(verdict__in=["number changed", "gone"]).count() == back


def test_a_first_look_lets_no_altered_figure_pass_and_calls_no_words_gone_that_no_look_ever_found(
    recorder: Recorder,
) -> None:
    hosts = HOSTS[: len(EVERY)]
    sources = with_passages(recorder, hosts)
    for host, mutation in zip(hosts, EVERY, strict=True):
        recorder.answers[host, "/sheet"] = html(mutation.html)
    look_again()
    wrong = []
    for source, mutation in zip(sources, EVERY, strict=True):
        for name, look in stand(source).items():
            altered = bool({*mutation.found.get(name, "").split("|")} & {"number changed", "gone"})
            told_by_its_place = name == "bare figure" and "elsewhere" in mutation.name
            if altered and not told_by_its_place and look.verdict not in ("number changed", "gone"):
                wrong.append((mutation.name, name, look.verdict))
            if (look.review_since is not None) != (look.verdict == "number changed"):
                wrong.append((mutation.name, name, look.verdict, look.review_since))
            if mutation in LAYOUT + MORE_LAYOUT + STANDINS and look.review_since:
                wrong.append((mutation.name, name, look.verdict, look.review_since))
    assert wrong == []


def test_a_notice_of_retraction_puts_every_passage_under_review(recorder: Recorder) -> None:
    (source,) = with_passages(recorder, HOSTS[:1])
    recorder.answers["/sheet"] = html(PAGE)
    look_again()
    recorder.answers["/sheet"] = html(RETRACTED.html)
    look_again()
    assert link_of(source).state == "changed"
    assert "retracted or withdrawn" in rows_of(source)[-1].reason
    assert all(look.review_since for look in stand(source).values())


def test_no_look_moves_the_verified_date_and_no_verification_touches_a_link(recorder: Recorder) -> None:
    day = factories.today().replace(year=2025)
    (source,) = with_passages(recorder, HOSTS[:1])
    record_verification(source, on=day, representation="full text")
    before = facts()

    def verified() -> tuple[object, ...]:
        return Source.objects.values_list("verified_on", "verified_representation", "read_directly").get(
            pk=source.pk
        )

    shown = verified()
    for answer in (PAGE, swap("3.35TB/s", "4.8TB/s"), notice("Page not found", "<h1>Not found</h1>"), PAGE):
        recorder.answers["/sheet"] = html(answer)
        look_again()
        assert verified() == shown == (day, "full text", True)
    looked = facts()
    assert looked != before
    record_verification(source, on=factories.today(), representation="excerpt")
    assert facts() == looked
    assert verified()[0] == factories.today()


def test_readers_pages_get_a_new_version_from_a_new_standing_or_review_and_not_from_an_equal_look(
    recorder: Recorder,
) -> None:
    source = with_passages(recorder, HOSTS[:1])[0]
    Source.objects.filter(pk=source.pk).update(publisher=factories.organisation())
    record_verification(source, on=factories.today(), representation="full text")

    def version() -> int:
        return RegistryState.objects.get().version

    steps = []
    for name, answer in {
        "first": PAGE,
        "equal": PAGE,
        "another footer": LAYOUT[5].html,
        "another figure": swap("Up to 700W", "Up to 1000W"),
        "the same figure": swap("Up to 700W", "Up to 1000W"),
        "back": PAGE,
        "back still": PAGE,
    }.items():
        before = version()
        recorder.answers["/sheet"] = html(answer)
        look_again()
        steps.append((name, version() > before))
    assert steps == [
        ("first", True),
        ("equal", False),
        ("another footer", False),
        ("another figure", True),
        ("the same figure", False),
        ("back", True),
        ("back still", False),
    ]
    assert LinkCheck.objects.count() == 3
    assert Passage.objects.count() == len(PASSAGES)
