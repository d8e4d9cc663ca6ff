"""What a reader must know beside a value, as the query annotates it: now, and as of a day."""

import datetime
from decimal import Decimal

import pytest

from registry.actions.subjects import change_subject
from registry.models import Claim
from registry.reasoning.flags import MEANINGS, flags_of
from sources.actions.sources import record_verification
from sources.models import Link, PassageLook
from tests import factories

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 11, 2, 12, tzinfo=datetime.UTC)
LINK_FLAGS = [
    "Link broken since 2026-11-02",
    "Source moved",
    "Source changed, under review",
    "Cannot be checked by machine",
]
MAY, JUNE, JULY = (datetime.date(2026, month, 1) for month in (5, 6, 7))


def flags(claim, day=None):
    return Claim.objects.with_flags(day).get(pk=claim.pk)


def read(representation="full text", on=None):
    """A passage of a source that was read so."""
    return [
        (factories.passage(representation=representation, verified_on=on or factories.today()), "supports")
    ]


class TestUnreproduced:
    """T-07"""

    def test_a_makers_performance_figure(self):
        claim = flags(factories.claim())
        assert claim.self_reported
        assert claim.unreproduced
        assert not claim.reproduced

    def test_what_is_no_performance_figure(self):
        claim = flags(factories.claim(property=factories.property_(performance_figure=False)))
        assert claim.self_reported
        assert not claim.unreproduced

    def test_a_figure_that_somebody_else_states(self):
        claim = flags(factories.claim(asserter=factories.organisation(kind="independent")))
        assert not claim.self_reported
        assert not claim.unreproduced

    def test_a_figure_of_the_makers_parent(self):
        parent = factories.organisation()
        maker = factories.organisation(parent=parent)
        claim = flags(factories.claim(subject=factories.subject(maker=maker), asserter=parent))
        assert claim.self_reported
        assert claim.unreproduced

    def test_a_figure_of_the_makers_sister_is_not_its_own(self):
        parent = factories.organisation()
        maker = factories.organisation(parent=parent)
        sister = factories.organisation(parent=parent)
        assert not flags(
            factories.claim(subject=factories.subject(maker=maker), asserter=sister)
        ).self_reported

    def test_a_maker_that_was_wrong_is_decided_anew(self):
        claim = factories.claim(asserter=factories.organisation())
        change_subject(claim.subject, {"maker": claim.asserter}, by=factories.user(), note="Made by it.")
        assert flags(claim).unreproduced

    @pytest.mark.parametrize("kind", ["not stated", "none", "withheld"])
    def test_no_figure_is_no_figure(self, kind):
        assert not flags(factories.claim(value_kind=kind)).unreproduced

    def test_a_reproduction_takes_it_away(self):
        claim = factories.claim()
        factories.reproduction(claim)
        assert flags(claim).reproduced
        assert not flags(claim).unreproduced

    @pytest.mark.parametrize("status", ["draft", "submitted"])
    def test_a_reproduction_in_the_making_does_not(self, status):
        claim = factories.claim()
        factories.reproduction(claim, status)
        assert flags(claim).unreproduced

    @pytest.mark.parametrize("outcome", ["not reproduced", "inconclusive"])
    def test_a_reproduction_that_failed_does_not(self, outcome):
        claim = factories.claim()
        factories.reproduction(claim, outcome=outcome)
        assert flags(claim).unreproduced

    def test_a_withdrawn_reproduction_brings_it_back(self):
        claim = factories.claim()
        factories.withdrawn(factories.reproduction(claim))
        assert flags(claim).unreproduced

    def test_one_of_two_reproductions_withdrawn_does_not(self):
        claim = factories.claim()
        factories.reproduction(claim)
        factories.withdrawn(factories.reproduction(claim))
        assert not flags(claim).unreproduced

    def test_a_reproduction_corrected_to_failed_brings_it_back(self):
        claim = factories.claim()
        factories.revision(factories.reproduction(claim), outcome="not reproduced")
        assert flags(claim).unreproduced
        assert flags(claim).failed_reproductions == 1

    def test_failures_are_counted_beside_a_success(self):
        claim = factories.claim()
        for outcome in ("reproduced", "not reproduced", "not reproduced", "inconclusive"):
            factories.reproduction(claim, outcome=outcome)
        assert flags(claim).reproduced
        assert flags(claim).failed_reproductions == 2

    def test_another_claims_reproduction_does_not_count(self):
        claim, other = factories.claim(), factories.claim()
        factories.reproduction(other)
        assert flags(claim).unreproduced

    def test_a_corrected_figure_was_not_tried_yet(self):
        claim = factories.claim(value=Decimal("1979"))
        factories.reproduction(claim)
        factories.reproduction(claim, outcome="not reproduced")
        corrected = factories.revision(claim, value=Decimal("19790"), text="19,790 TFLOPS")
        assert flags(corrected).unreproduced
        assert flags(corrected).failed_reproductions == 0

    def test_tried_again_it_counts(self):
        claim = factories.claim()
        corrected = factories.revision(claim, value=Decimal("19790"), text="19,790 TFLOPS")
        factories.reproduction(corrected)
        assert flags(corrected).reproduced

    def test_other_words_for_the_same_figure_need_no_new_trial(self):
        claim = factories.claim(value=Decimal("1979"))
        factories.reproduction(claim)
        clearer = factories.revision(
            claim, kind="clarification", value=Decimal("1979.0"), note="Said more clearly."
        )
        assert flags(clearer).reproduced

    def test_a_figure_moved_to_another_property_was_not_tried_yet(self):
        claim = factories.claim()
        factories.reproduction(claim)
        assert flags(factories.revision(claim, property=factories.property_())).unreproduced

    def test_who_turns_out_to_be_the_maker_or_to_say_so_confirms_nothing(self):
        claim = factories.claim()
        reproduction = factories.reproduction(claim)
        restated = factories.revision(claim, asserter=reproduction.performer)
        assert not flags(restated).reproduced
        other = factories.claim()
        performer = factories.reproduction(other).performer
        change_subject(other.subject, {"maker": performer}, by=factories.user(), note="Made by it.")
        assert not flags(other).reproduced

    def test_the_list(self):
        claim, reproduced = factories.claim(), factories.claim()
        factories.reproduction(reproduced)
        assert list(Claim.objects.published().unreproduced()) == [claim]


class TestSecondHand:
    @pytest.mark.parametrize("representation", ["full text", "excerpt"])
    def test_the_text_itself_was_read(self, representation):
        assert not flags(factories.claim(cited=read(representation))).second_hand

    @pytest.mark.parametrize(
        "representation", ["transcription", "quotation", "repost", "translation", "summary"]
    )
    def test_only_something_else_was_read(self, representation):
        claim = factories.claim(cited=read(representation))
        assert flags(claim).second_hand
        assert list(Claim.objects.read_at_second_hand()) == [claim]

    def test_one_better_source_is_enough(self):
        assert not flags(factories.claim(cited=read("summary") + read("full text"))).second_hand

    @pytest.mark.parametrize("stance", ["contradicts", "context"])
    def test_a_better_source_that_does_not_support_is_not(self, stance):
        better = [(read()[0][0], stance)]
        assert flags(factories.claim(cited=read("summary") + better)).second_hand

    def test_reading_the_text_later_takes_it_away(self):
        claim = factories.claim(cited=read("summary"))
        source = claim.citations.get().passage.source
        record_verification(source, on=factories.today(), representation="full text")
        assert not flags(claim).second_hand

    def test_failing_to_read_the_text_does_not(self):
        claim = factories.claim(cited=read("summary"))
        source = claim.citations.get().passage.source
        record_verification(source, on=factories.today(), representation="full text", outcome="differs")
        assert flags(claim).second_hand


class TestDisagreement:
    @pytest.fixture
    def said(self):
        """Claims of one property of one subject."""
        subject, figure = factories.subject(), factories.property_()

        def say(value, status="published", **fields):
            fields.setdefault("text", f"{value} TFLOPS")
            return factories.claim(status, subject=subject, property=figure, value=Decimal(value), **fields)

        return say

    def test_one_claim_agrees_with_itself(self, said):
        assert flags(said("1979")).different_values == 1

    def test_two_values(self, said):
        first, second = said("1979"), said("1980")
        assert {flags(first).different_values, flags(second).different_values} == {2}
        assert set(Claim.objects.published().disagreeing()) == {first, second}

    def test_the_same_value_in_other_words_and_zeros(self, said):
        said("1979")
        assert flags(said("1979.00", text="1,979.00 TFLOPS")).different_values == 1

    def test_ranges(self, said):
        number = said("1979")
        about = {"subject": number.subject, "property": number.property, "value": None}
        factories.claim(**about, low=Decimal("1.0"), high=Decimal("2"), text="1 to 2")
        assert flags(number).different_values == 2
        factories.claim(**about, low=Decimal("1"), high=Decimal("2.00"), text="1–2")
        assert flags(number).different_values == 2

    def test_other_conditions_are_another_statement(self, said):
        assert flags(said("1979")).different_values == 1
        assert flags(said("3958", conditions="with sparsity")).different_values == 1

    def test_derived_values_are_not_what_a_source_says(self, said):
        stated = said("1979")
        derived = said("1900", derivation="Half of the figure per system.")
        assert flags(stated).different_values == 1
        assert derived not in Claim.objects.disagreeing()

    def test_not_stated_contradicts_nobody(self, said):
        stated = said("1979")
        factories.claim(subject=stated.subject, property=stated.property, value_kind="not stated")
        assert flags(stated).different_values == 1

    @pytest.mark.parametrize("status", ["draft", "submitted", "withdrawn"])
    def test_what_is_not_published_does_not_disagree(self, said, status):
        stated = said("1979")
        said("1980", status)
        assert flags(stated).different_values == 1

    def test_a_corrected_value_no_longer_disagrees(self, said):
        first, second = said("1979"), said("1980")
        factories.revision(second, value=Decimal("1979"), text="1979 TFLOPS")
        assert flags(first).different_values == 1

    def test_another_subject_or_property_does_not_disagree(self, said):
        stated = said("1979")
        factories.claim(property=stated.property, value=Decimal("1980"))
        factories.claim(subject=stated.subject, value=Decimal("1980"))
        assert flags(stated).different_values == 1

    def test_texts_differ_by_more_than_case_and_blanks(self):
        subject, licence = factories.subject(), factories.property_(datatype="text", unit="")
        said = [
            factories.claim(subject=subject, property=licence, value=None, text=text)
            for text in ("Apache 2.0", " apache 2.0 ", "MIT")
        ]
        assert flags(said[0]).different_values == 2

    def test_descriptions_never_disagree(self):
        subject, words = factories.subject(), factories.property_(datatype="description", unit="")
        said = [
            factories.claim(subject=subject, property=words, value=None, text=text)
            for text in ("Fast", "Quick")
        ]
        assert flags(said[0]).different_values == 0
        assert not Claim.objects.disagreeing().exists()


class TestLinks:
    """How links and cited passages stand today; how they are looked at is tested elsewhere."""

    def links(self, *sources, **fields):
        for source in sources:
            Link.objects.filter(source=source).update(**fields)

    def review(self, passage):
        PassageLook.objects.create(
            passage=passage, verdict="gone", since=NOON, looked_at=NOON, review_since=NOON
        )

    def words(self, claim, day=None):
        return [flag.words for flag in flags_of(flags(claim, day)) if flag.words in LINK_FLAGS]

    def test_nothing_is_said_of_links_that_answer_or_were_not_looked_at(self):
        claim = factories.claim()
        assert self.words(claim) == []
        self.links(claim.citations.get().passage.source, state="ok", since=NOON)
        assert self.words(claim) == []

    @pytest.mark.parametrize("state", ["broken", "gone"])
    def test_broken_since_the_earliest_of_its_sources(self, state):
        claim = factories.claim(cited=[(factories.passage(), "supports") for _ in range(3)])
        one, two, three = (citation.passage.source for citation in claim.citations.all())
        self.links(one, state="ok", since=NOON - datetime.timedelta(days=90))
        self.links(two, state=state, since=NOON)
        self.links(three, state="broken", since=NOON + datetime.timedelta(days=4))
        assert self.words(claim) == ["Link broken since 2026-11-02"]

    @pytest.mark.parametrize("state", ["changed", "needs a look", "unreachable", "ok", ""])
    def test_states_that_settle_nothing(self, state):
        claim = factories.claim()
        self.links(claim.citations.get().passage.source, state=state, since=NOON)
        assert self.words(claim) == []

    @pytest.mark.parametrize("state", ["cannot be checked by machine", "refused", "not checked"])
    def test_beyond_robots(self, state):
        claim = factories.claim()
        self.links(claim.citations.get().passage.source, state=state, since=NOON)
        assert self.words(claim) == ["Cannot be checked by machine"]

    def test_moved_until_it_is_dead(self):
        claim = factories.claim()
        source = claim.citations.get().passage.source
        self.links(source, state="ok", since=NOON, moved_to="https://example.org/elsewhere")
        assert self.words(claim) == ["Source moved"]
        self.links(source, state="broken")
        assert self.words(claim) == ["Link broken since 2026-11-02"]

    @pytest.mark.parametrize("stance", ["contradicts", "context"])
    def test_links_of_sources_that_do_not_support_say_nothing_but_their_passages_do(self, stance):
        passage = factories.passage()
        claim = factories.claim(cited=[(factories.passage(), "supports"), (passage, stance)])
        self.links(passage.source, state="broken", since=NOON, moved_to="https://example.org/elsewhere")
        assert self.words(claim) == []
        self.review(passage)
        assert self.words(claim) == ["Source changed, under review"]

    def test_another_passage_of_the_same_source_does_not_count(self):
        claim = factories.claim()
        source = claim.citations.get().passage.source
        self.review(factories.passage(source, locator="p. 99"))
        assert self.words(claim) == []

    def test_all_four_together_and_after_the_others(self):
        claim = factories.claim(cited=[(factories.passage(), "supports") for _ in range(3)])
        passages = [citation.passage for citation in claim.citations.all()]
        self.links(passages[0].source, state="gone", since=NOON)
        self.links(passages[1].source, state="ok", moved_to="https://example.org/elsewhere")
        self.links(passages[2].source, state="refused")
        self.review(passages[2])
        assert [(flag.words, flag.tone) for flag in flags_of(flags(claim))] == [
            ("Manufacturer figure, not reproduced", "caution"),
            ("Link broken since 2026-11-02", "bad"),
            ("Source moved", "info"),
            ("Source changed, under review", "caution"),
            ("Cannot be checked by machine", "neutral"),
        ]

    def test_a_day_of_the_past_does_not_know_how_links_stand(self):
        claim = factories.claim()
        passage = claim.citations.get().passage
        self.links(passage.source, state="broken", since=NOON)
        self.review(passage)
        assert self.words(claim, factories.today()) == []

    def test_the_words_are_those_that_pages_explain(self):
        explained = [flag.words.replace("YYYY-MM-DD", "2026-11-02") for flag, _ in MEANINGS]
        assert set(LINK_FLAGS) <= set(explained)


class TestAsOf:
    """The end of a UTC day, by editorial record date."""

    @pytest.fixture
    def past(self):
        """A figure of 1979 recorded in May by somebody whose source was read that day, corrected to 1980 in July."""
        old = factories.loaded(factories.claim("submitted", cited=read(on=MAY)), MAY)
        draft = factories.revision(old, "submitted", value=Decimal("1980"), text="1980 TFLOPS")
        new = factories.loaded(draft, JULY)
        old.refresh_from_db()
        return old, new

    def test_the_revision_of_the_day(self, past):
        old, new = past
        assert list(Claim.objects.as_of(MAY - datetime.timedelta(days=1))) == []
        assert list(Claim.objects.as_of(MAY)) == [old]
        assert list(Claim.objects.as_of(JULY - datetime.timedelta(days=1))) == [old]
        assert list(Claim.objects.as_of(JULY)) == [new]
        assert list(Claim.objects.standing()) == [new]

    def test_a_withdrawn_claim_stood_until_the_day_before(self):
        claim = factories.loaded(factories.claim("submitted", cited=read(on=MAY)), MAY)
        claim = factories.ended(claim, JUNE)
        assert list(Claim.objects.as_of(JUNE - datetime.timedelta(days=1))) == [claim]
        assert not Claim.objects.as_of(JUNE).exists()

    def test_a_reproduction_counts_from_its_day_to_its_end(self, past):
        old, _ = past
        reproduction = factories.reproduction(old, "submitted", cited=read(on=JUNE))
        factories.ended(factories.loaded(reproduction, JUNE), datetime.date(2026, 6, 20))
        assert flags(old, MAY).unreproduced
        assert flags(old, JUNE).reproduced
        assert flags(old, datetime.date(2026, 6, 19)).reproduced
        assert flags(old, datetime.date(2026, 6, 20)).unreproduced

    def test_a_reproduction_of_the_old_figure_is_none_of_the_new(self, past):
        old, new = past
        factories.loaded(factories.reproduction(old, "submitted", cited=read(on=JUNE)), JUNE)
        assert flags(old, JUNE).reproduced
        assert flags(new).unreproduced

    def test_second_hand_until_the_text_was_read(self):
        claim = factories.loaded(factories.claim("submitted", cited=read("summary", on=MAY)), MAY)
        source = claim.citations.get().passage.source
        record_verification(source, on=JULY, representation="full text")
        assert flags(claim, JUNE).second_hand
        assert not flags(claim, JULY).second_hand

    def test_disagreement_of_the_day(self, past):
        old, new = past
        other = factories.claim(
            "submitted",
            subject=old.subject,
            property=old.property,
            value=Decimal("1980"),
            cited=read(on=JUNE),
        )
        factories.loaded(other, JUNE)
        assert flags(old, MAY).different_values == 1
        assert flags(old, JUNE).different_values == 2
        assert flags(new, JULY).different_values == 1


def test_the_number_of_queries_does_not_grow(django_assert_num_queries):
    for count in (2, 10):
        subject = factories.subject()
        for number in range(count):
            claim = factories.claim(subject=subject, value=Decimal(number))
            factories.reproduction(claim)
        with django_assert_num_queries(2):
            found = list(Claim.objects.published().for_subjects([subject]).for_readers())
            assert [each.citations.all()[0].passage.source.publisher.name for each in found]
        with django_assert_num_queries(1):
            assert len(list(Claim.objects.as_of(factories.today()).with_flags(factories.today()))) >= count


def test_a_claim_is_withdrawn_from_the_day_it_was_and_not_before():
    claim = factories.loaded(factories.claim("submitted", cited=read(on=MAY)), MAY)
    factories.ended(claim, JULY)
    assert not flags(claim, JUNE).withdrawn
    assert flags(claim, JULY).withdrawn
    assert flags(claim).withdrawn
