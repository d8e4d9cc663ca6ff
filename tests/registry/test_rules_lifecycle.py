"""The life of an entry: what is refused at each step, by plain SQL, by QuerySet.update and through the actions."""

import psycopg
import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, transaction

from registry.actions.lifecycle import discard, publish, return_to_author, revise, submit, withdraw
from registry.errors import sentence
from registry.models import Claim, ClaimCitation, ClaimContext, Publication, Reproduction
from tests import factories
from tests.refusals import INSERTS, UPDATES, refused, setting, sql

pytestmark = pytest.mark.django_db

KINDS = ["claim", "reproduction"]


@pytest.fixture
def world():
    return factories.world()


def made(kind, status, world, **fields):
    """A claim or a reproduction at that step of its life."""
    if kind == "claim":
        about = {"subject": world.subject, "property": world.property}
        return factories.claim(status, by=world.author, reviewer=world.reviewer, **about, **fields)
    return factories.reproduction(world.newest, status, by=world.author, reviewer=world.reviewer, **fields)


@pytest.mark.parametrize("road", INSERTS)
@pytest.mark.parametrize("kind", KINDS)
class TestBirth:
    """entry_born_draft"""

    def born(self, kind, world, **fields):
        if kind == "claim":
            return Claim(
                subject=world.subject,
                property=world.property,
                asserter=world.subject.maker,
                text="7",
                created_by=world.author,
                **fields,
            )
        return Reproduction(
            claim_number=world.newest.number,
            performer=world.reproduction.performer,
            outcome="reproduced",
            created_by=world.author,
            **fields,
        )

    def test_it_is_born_a_draft(self, kind, road, world):
        for status in ("submitted", "published", "superseded", "withdrawn", "approved"):
            with refused("entry_born_draft", f"A {kind} is born a draft, not {status}.", "cite its source"):
                INSERTS[road](self.born(kind, world, status=status))

    def test_it_does_not_choose_its_number(self, kind, road, world):
        with refused("entry_born_draft", "The number 4711 cannot be chosen", "Leave the number empty"):
            INSERTS[road](self.born(kind, world, number=4711))

    def test_a_bundle_does_not_use_numbers_up(self, kind, road, world):
        setting("bundle", "hardware")
        for number in (0, 100_000_000, 2_147_483_647):
            with refused("entry_born_draft", f"{number} is no number", "from 1 to 99999999"):
                INSERTS[road](self.born(kind, world, number=number))

    def test_it_does_not_say_which_bundle_it_came_from(self, kind, road, world):
        with refused("entry_born_draft"):
            INSERTS[road](self.born(kind, world, bundle="hardware"))

    def test_a_revision_needs_the_one_before_it(self, kind, road, world):
        with refused("entry_born_draft", "Revision 2 of this", "Correct the published"):
            INSERTS[road](self.born(kind, world, revision=2))

    def test_a_revision_does_not_follow_a_draft(self, kind, road, world):
        draft = made(kind, "draft", world)
        with refused("entry_born_draft", "does not follow a published revision"):
            INSERTS[road](self.born(kind, world, revision=2, lineage=draft.lineage))

    def test_a_revision_does_not_take_another_number(self, kind, road, world):
        before = made(kind, "published", world)
        with refused("entry_born_draft", "of the same number"):
            INSERTS[road](
                self.born(kind, world, revision=2, lineage=before.lineage, number=before.number + 1)
            )

    def test_a_revision_does_not_skip_one(self, kind, road, world):
        before = made(kind, "published", world)
        with refused("entry_born_draft", "Revision 3"):
            INSERTS[road](self.born(kind, world, revision=3, lineage=before.lineage, number=before.number))


# From → what nobody may do with it, and the remedy.
ARROWS = {
    ("draft", "published"): "Submit it for review first.",
    ("draft", "superseded"): "Submit it for review first.",
    ("draft", "withdrawn"): "Submit it for review first.",
    ("submitted", "superseded"): "Publish it or return it to its author.",
    ("submitted", "withdrawn"): "Publish it or return it to its author.",
    ("published", "draft"): "Publish its next revision, or withdraw it with a reason.",
    ("published", "submitted"): "Publish its next revision",
    ("published", "superseded"): "Publish its next revision",
    ("withdrawn", "published"): "What ended stays ended: make a new revision.",
    ("withdrawn", "draft"): "What ended stays ended",
    ("withdrawn", "superseded"): "What ended stays ended",
    ("draft", "approved"): "Submit it for review first.",
}


@pytest.mark.parametrize("road", UPDATES)
@pytest.mark.parametrize("kind", KINDS)
class TestSteps:
    """entry_transition and entry_needs_attributed_source"""

    @pytest.mark.parametrize("before", ["draft", "submitted", "published", "withdrawn"])
    def test_only_the_arrows(self, kind, road, before, world):
        entry = made(kind, before, world)
        for after, remedy in ((to, remedy) for (start, to), remedy in ARROWS.items() if start == before):
            with refused("entry_transition", f"cannot go from {before} to {after}", remedy):
                UPDATES[road](entry, {"status": after, "published_by": world.reviewer, "end_note": "Why."})

    def test_what_was_superseded_stays_so(self, kind, road, world):
        entry = made(kind, "published", world)
        factories.revision(entry, by=world.author)
        with refused("entry_transition", "cannot go from superseded to published", "make a new revision"):
            UPDATES[road](entry, {"status": "published"})

    def test_no_return_without_a_reason(self, kind, road, world):
        with refused("entry_transition", "without a reason", "Say what has to change"):
            UPDATES[road](made(kind, "submitted", world), {"status": "draft"})

    def test_no_publisher_before_publication(self, kind, road, world):
        with refused("entry_transition", "is not published yet"):
            UPDATES[road](made(kind, "draft", world), {"status": "submitted", "published_by": world.reviewer})

    def publishing(self, road, entry, world):
        UPDATES[road](entry, {"status": "published", "published_by": world.reviewer})

    def test_no_publication_without_a_citation(self, kind, road, world):
        entry = made(kind, "submitted", world, cited=[])
        with refused(
            "entry_needs_attributed_source", "it cites no source that supports it", "Cite the passage"
        ):
            self.publishing(road, entry, world)

    @pytest.mark.parametrize("stance", ["contradicts", "context"])
    def test_no_publication_on_a_citation_that_does_not_support(self, kind, road, stance, world):
        entry = made(kind, "submitted", world, cited=[(world.passage, stance)])
        with refused("entry_needs_attributed_source", "it cites no source that supports it"):
            self.publishing(road, entry, world)

    def test_no_publication_on_a_source_that_names_nobody(self, kind, road, world):
        lead = factories.passage(publisher=None)
        entry = made(kind, "submitted", world, cited=[(lead, "supports")])
        with refused(
            "entry_needs_attributed_source", "none of its 1 sources names a publisher", "name the org"
        ):
            self.publishing(road, entry, world)

    def test_no_publication_on_a_source_nobody_read(self, kind, road, world):
        entry = made(kind, "submitted", world, cited=[(factories.passage(world.lead), "supports")])
        with refused("entry_needs_attributed_source", "has not been verified", "record the verification"):
            self.publishing(road, entry, world)

    def test_no_publication_on_two_sources_nobody_read(self, kind, road, world):
        leads = [(factories.passage(verified=False), "supports") for _ in range(2)]
        entry = made(kind, "submitted", world, cited=leads)
        with refused("entry_needs_attributed_source", "none of its 2 sources has been verified"):
            self.publishing(road, entry, world)

    def test_no_publication_on_a_verification_that_failed(self, kind, road, world):
        for outcome in ("differs", "not found", "not readable"):
            world.lead.verifications.create(
                verified_on=factories.today(), representation="full text", outcome=outcome
            )
        entry = made(kind, "submitted", world, cited=[(factories.passage(world.lead), "supports")])
        with refused("entry_needs_attributed_source", "has not been verified"):
            self.publishing(road, entry, world)

    def test_an_attributed_source_beside_a_read_one_is_not_enough(self, kind, road, world):
        halves = [factories.passage(verified=False), factories.passage(publisher=None)]
        entry = made(kind, "submitted", world, cited=[(half, "supports") for half in halves])
        with refused("entry_needs_attributed_source", "none of its 2 sources"):
            self.publishing(road, entry, world)

    def test_a_record_is_not_kept_before_its_source_was_read(self, kind, road, world):
        setting("bundle", "hardware")
        entry = made(kind, "submitted", world)
        with refused("entry_needs_attributed_source", "verified by 2020-01-01"):
            UPDATES[road](entry, {"status": "published", "record_date": "2020-01-01"})

    def test_a_record_is_not_kept_before_its_day(self, kind, road, world):
        setting("bundle", "hardware")
        with refused("record_date_in_order", "cannot be recorded on 2999-01-01", "not after today"):
            UPDATES[road](
                made(kind, "submitted", world), {"status": "published", "record_date": "2999-01-01"}
            )

    def test_a_record_is_not_kept_before_the_one_it_follows(self, kind, road, world):
        draft = factories.revision(made(kind, "published", world), "submitted", by=world.author)
        setting("bundle", "hardware")
        with refused("record_date_in_order", "before the revision it follows", "later record date"):
            UPDATES[road](draft, {"status": "published", "record_date": "2025-01-01"})

    def test_an_entry_does_not_end_before_its_day(self, kind, road, world):
        setting("bundle", "hardware")
        with refused("record_date_in_order", "cannot end on 2999-01-01"):
            UPDATES[road](
                made(kind, "published", world),
                {"status": "withdrawn", "end_note": "Later.", "ended_on": "2999-01-01"},
            )

    def test_without_a_bundle_the_record_date_is_today(self, kind, road, world):
        entry = made(kind, "submitted", world)
        UPDATES[road](
            entry, {"status": "published", "published_by": world.reviewer, "record_date": "2020-01-01"}
        )
        entry.refresh_from_db()
        assert entry.record_date == factories.today()

    def test_the_record_of_submission_is_kept(self, kind, road, world):
        entry = made(kind, "submitted", world)
        for field in ("submit_note", "returned_reason"):
            with refused("entry_frozen", "keeps its record of submission"):
                UPDATES[road](
                    entry, {"status": "published", "published_by": world.reviewer, field: "Other words."}
                )

    def test_the_record_of_publication_is_kept(self, kind, road, world):
        entry = made(kind, "published", world)
        for changes in (
            {"record_date": "2020-01-01"},
            {"published_at": "2020-01-01T00:00:00Z"},
            {"published_by": world.author},
            {"self_reviewed": True},
            {"bundle": "hardware"},
            {"submit_note": "Other words."},
            {"returned_reason": "Other words."},
            {"edited_at": "2020-01-01T00:00:00Z"},
        ):
            with refused("entry_frozen", "keeps its record of publication"):
                UPDATES[road](entry, {"status": "withdrawn", "end_note": "Wrong.", **changes})

    def test_nothing_is_published_with_an_end(self, kind, road, world):
        entry = made(kind, "submitted", world)
        UPDATES[road](
            entry,
            {
                "status": "published",
                "published_by": world.reviewer,
                "end_note": "x",
                "ended_by": world.author,
            },
        )
        entry.refresh_from_db()
        assert (entry.end_note, entry.ended_by) == ("", None)


STATUSES = ["submitted", "published", "superseded", "withdrawn"]
CONTENT = {
    "text": "7 TFLOPS",
    "value": 7,
    "value_kind": "withheld",
    "low": 1,
    "bound": "about",
    "conditions": "none",
    "boundary": "chip",
    "derivation": "guessed",
    "note": "x",
    "change_note": "x",
    "change_kind": "update",
    "record_date": "2020-01-01",
    "published_at": "2020-01-01T00:00:00Z",
    "self_reviewed": True,
    "bundle": "x",
    "submit_note": "x",
    "returned_reason": "x",
    "end_note": "x",
    "edited_at": "2020-01-01T00:00:00Z",
}


@pytest.mark.parametrize("road", UPDATES)
class TestFrozen:
    """entry_frozen and key_is_permanent"""

    @pytest.mark.parametrize("status", STATUSES)
    def test_no_field_changes(self, road, status, world):
        entry = getattr(world, status)
        for field, value in CONTENT.items():
            with refused("entry_frozen", f"is {status} and cannot change"):
                UPDATES[road](entry, {field: value})

    @pytest.mark.parametrize("status", STATUSES)
    def test_no_subject_property_asserter_or_person_changes(self, road, status, world):
        entry, subject = getattr(world, status), factories.subject()
        for field, value in {
            "subject": subject,
            "property": factories.property_(),
            "asserter": subject.maker,
            "published_by": world.author,
            "ended_by": world.author,
            "submitted_by": world.reviewer,
            "edited_by": world.reviewer,
        }.items():
            with refused("entry_frozen", "cannot change"):
                UPDATES[road](entry, {field: value})

    def test_content_does_not_change_with_the_status(self, road, world):
        for entry, status in ((world.draft, "submitted"), (world.submitted, "published")):
            with refused("entry_frozen", "in one step", "Save the draft first"):
                UPDATES[road](entry, {"status": status, "text": "7", "published_by": None})

    def test_no_field_of_a_reproduction_changes(self, road, world):
        for changes in (
            {"outcome": "inconclusive"},
            {"text": "x"},
            {"measured": 7},
            {"tolerance": "x"},
            {"conditions": "x"},
        ):
            with refused("entry_frozen", "R-1/1 is published", "Correct it"):
                UPDATES[road](world.reproduction, changes)

    @pytest.mark.parametrize("status", ["draft", *STATUSES])
    def test_identity_is_permanent(self, road, status, world):
        entry = getattr(world, status)
        for changes in (
            {"lineage": world.published.id},
            {"revision": 7},
            {"created_at": "2020-01-01T00:00:00Z"},
            {"created_by": world.reviewer},
        ):
            with refused("key_is_permanent", "keeps its identity, author and revision"):
                UPDATES[road](entry, changes)

    @pytest.mark.parametrize("status", ["draft", *STATUSES])
    def test_numbers_are_permanent(self, road, status, world):
        with refused("key_is_permanent", "does not choose its number 4711", "Leave the number alone"):
            UPDATES[road](getattr(world, status), {"number": 4711})

    def test_a_submitted_entry_goes_back_first(self, road, world):
        with refused("entry_frozen", "Return it to its author first"):
            UPDATES[road](world.submitted, {"text": "7"})


def test_trailing_zeros_are_content(world):
    """numeric 1979 equals 1979.00, but a source that states the second states more."""
    with refused("entry_frozen", f"C-{world.published.number}/1 is published", "Correct it"):
        sql("UPDATE registry_claim SET value = 1979.00 WHERE id = %s", world.published.pk)


def test_the_key_itself_is_permanent(world):
    with refused("key_is_permanent"):
        sql("UPDATE registry_claim SET id = gen_random_uuid() WHERE id = %s", world.draft.pk)


@pytest.mark.parametrize("status", STATUSES)
class TestDeletion:
    def test_what_was_submitted_stays(self, status, world):
        entry = getattr(world, status)
        with refused("entry_frozen", f"is {status} and cannot be deleted"):
            sql("DELETE FROM registry_claim WHERE id = %s", entry.pk)

    def test_what_was_submitted_stays_whatever_the_orm_cascades(self, status, world):
        with refused("entry_frozen"):
            Claim.objects.filter(pk=getattr(world, status).pk).delete()

    def test_what_was_submitted_cannot_be_discarded(self, status, world):
        with pytest.raises(IntegrityError) as refusal, transaction.atomic():
            discard(getattr(world, status), by=world.author)
        assert "cannot" in sentence(refusal.value)


def test_a_draft_can_be_discarded(world):
    discard(world.draft, by=world.author)
    assert not Claim.objects.filter(pk=world.draft.pk).exists()


@pytest.mark.parametrize("status", STATUSES)
class TestChildren:
    """entry_frozen of citations and contexts"""

    def test_a_citation_is_not_taken_away(self, status, world):
        entry = getattr(world, status)
        with refused("entry_frozen", f"is {status}: its citations cannot change"):
            sql("DELETE FROM registry_claimcitation WHERE entry_id = %s", entry.pk)
        with refused("entry_frozen", "its citations cannot change"):
            entry.citations.all().delete()

    def test_a_citation_is_not_added(self, status, world):
        citation = ClaimCitation(entry=getattr(world, status), passage=world.passage)
        for insert in INSERTS.values():
            with refused("entry_frozen", "its citations cannot change"):
                insert(citation)

    @pytest.mark.parametrize("road", UPDATES)
    def test_a_citation_does_not_change(self, status, road, world):
        citation = getattr(world, status).citations.get()
        for changes in ({"stance": "context"}, {"passage": world.passage}, {"position": 9}):
            with refused("entry_frozen", "its citations cannot change"):
                UPDATES[road](citation, changes)

    @pytest.mark.parametrize("road", UPDATES)
    def test_a_citation_does_not_move(self, status, road, world):
        with refused("entry_frozen"):
            UPDATES[road](getattr(world, status).citations.get(), {"entry": world.draft})
        with refused("entry_frozen"):
            UPDATES[road](world.draft.citations.get(), {"entry": getattr(world, status)})

    def test_a_context_is_not_added(self, status, world):
        with refused("entry_frozen", "its contexts cannot change"):
            ClaimContext.objects.create(entry=getattr(world, status), subject=world.checkpoint, role="model")


def test_a_reproductions_citation_is_not_taken_away(world):
    with refused("entry_frozen", "R-1/1 is published: its citations cannot change", "Correct it"):
        sql("DELETE FROM registry_reproductioncitation WHERE entry_id = %s", world.reproduction.pk)


class TestAboutness:
    """revision_keeps_subject"""

    @pytest.mark.parametrize("road", UPDATES)
    def test_a_revision_does_not_move_to_another_subject(self, road, world):
        draft, elsewhere = factories.revision(world.published, "draft"), factories.subject()
        with refused("revision_keeps_subject", world.subject.key, elsewhere.key, "make a new claim"):
            UPDATES[road](draft, {"subject": elsewhere})

    @pytest.mark.parametrize("road", UPDATES)
    def test_a_revision_does_not_move_to_another_claim(self, road, world):
        draft = factories.revision(world.reproduction, "draft")
        with refused("revision_keeps_subject", f"C-{world.published.number}", "new reproduction"):
            UPDATES[road](draft, {"claim_number": world.published.number})

    def test_a_revision_is_not_born_about_another_subject(self, world):
        with refused("revision_keeps_subject"):
            Claim.objects.create(
                lineage=world.published.lineage,
                number=world.published.number,
                revision=2,
                subject=factories.subject(),
                property=world.property,
                asserter=world.subject.maker,
                text="7",
            )


class TestIndependence:
    """reproduction_independent and reproduction_of_known_claim"""

    def tried_by(self, performer, claim):
        return Reproduction(claim_number=claim.number, performer=performer, outcome="reproduced")

    def related(self, world):
        maker = world.subject.maker
        maker_parent = factories.organisation()
        setting("change_note", "A purchase.")
        UPDATES["SQL"](maker, {"parent": maker_parent})
        daughter = factories.organisation(parent=maker)
        return {
            "the maker": maker,
            "its parent": maker_parent,
            "its daughter": daughter,
            "its sister": factories.organisation(parent=maker_parent),
            "its grandchild": factories.organisation(parent=daughter),
            "its sister's daughter": factories.organisation(
                parent=factories.organisation(parent=maker_parent)
            ),
        }

    @pytest.mark.parametrize("road", INSERTS)
    def test_who_belongs_to_the_maker_does_not_reproduce(self, road, world):
        for performer in self.related(world).values():
            with refused(
                "reproduction_independent", performer.name, f"C-{world.newest.number}", "of its own"
            ):
                INSERTS[road](self.tried_by(performer, world.newest))

    @pytest.mark.parametrize("road", INSERTS)
    def test_who_asserted_it_does_not_reproduce(self, road, world):
        asserter = factories.organisation(kind="independent")
        claim = factories.claim(asserter=asserter)
        with refused("reproduction_independent"):
            INSERTS[road](self.tried_by(asserter, claim))

    @pytest.mark.parametrize("road", UPDATES)
    def test_a_draft_does_not_change_hands(self, road, world):
        draft = factories.reproduction(world.newest, "draft")
        with refused("reproduction_independent"):
            UPDATES[road](draft, {"performer": world.subject.maker})

    def test_independence_lost_before_publication(self, world):
        entry = factories.reproduction(world.newest, "submitted")
        setting("change_note", "A purchase.")
        UPDATES["SQL"](entry.performer, {"parent": world.subject.maker})
        with refused("reproduction_independent"):
            UPDATES["SQL"](entry, {"status": "published", "published_by": world.reviewer})

    def test_a_circle_of_parents_ends(self, world):
        one = factories.organisation()
        other = factories.organisation(parent=one)
        UPDATES["SQL"](one, {"parent": other})
        assert factories.reproduction(world.newest, performer=one).status == "published"

    @pytest.mark.parametrize("road", INSERTS)
    @pytest.mark.parametrize("number", [0, 4711])
    def test_only_a_published_claim_is_reproduced(self, road, number, world):
        performer = factories.organisation(kind="independent")
        with refused("reproduction_of_known_claim", f"no published claim C-{number}", "Give the number"):
            INSERTS[road](Reproduction(claim_number=number, performer=performer, outcome="reproduced"))


class TestIsolation:
    """publish_in_read_committed"""

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
    def test_a_snapshot_does_not_publish(self, level):
        entry, reviewer = factories.claim("submitted"), factories.user("reviewer")
        with refused("publish_in_read_committed", f"in a {level.lower()} transaction", "read committed"):
            sql(f"SET TRANSACTION ISOLATION LEVEL {level}")
            UPDATES["SQL"](entry, {"status": "published", "published_by": reviewer})


class TestActions:
    """The same rules through what editors do."""

    def test_publishing_a_draft(self, world):
        with refused("entry_transition", "cannot go from draft to published", "Submit it"):
            publish(world.draft, by=world.reviewer)

    def test_publishing_without_a_source(self, world):
        entry = factories.claim("submitted", cited=[])
        with refused("entry_needs_attributed_source", "it cites no source", "Cite the passage"):
            publish(entry, by=world.reviewer)

    def test_publishing_what_one_wrote(self, world):
        entry = factories.claim("submitted", by=world.reviewer)
        with pytest.raises(PermissionDenied, match="ask a second person"):
            publish(entry, by=world.reviewer)

    def test_publishing_as_an_author(self, world):
        with pytest.raises(PermissionDenied, match="reviewer role"):
            publish(world.submitted, by=factories.user())

    def test_submitting_twice(self, world):
        with refused("entry_frozen", "is submitted"):
            submit(world.submitted, by=world.author, note="Again.")

    def test_returning_a_published_entry(self, world):
        with refused("entry_transition", "cannot go from published to draft", "withdraw it"):
            return_to_author(world.published, by=world.reviewer, reason="Wrong.")

    def test_revising_a_draft(self, world):
        with refused("entry_born_draft", "does not follow a published revision"):
            revise(world.draft, by=world.author, kind="correction", note="A digit.")

    def test_revising_twice(self, world):
        factories.revision(world.published, "draft")
        with refused("entry_born_draft", "Revision 3"):
            revise(world.published, by=world.author, kind="correction", note="A digit.")

    def test_withdrawing_twice(self, world):
        with refused("entry_frozen", "is withdrawn"):
            withdraw(world.withdrawn, by=world.reviewer, reason="Again.")

    def test_withdrawing_what_was_superseded(self, world):
        with refused("entry_transition", "What ended stays ended"):
            withdraw(world.superseded, by=world.reviewer, reason="Wrong.")

    def test_returning_and_submitting_again(self, world):
        returned = return_to_author(world.submitted, by=world.reviewer, reason="Cite the table.")
        assert (returned.status, returned.returned_reason) == ("draft", "Cite the table.")
        assert submit(returned, by=world.author, note="Cited.").submitted_at is not None


class TestOneStatement:
    """Many rows, clever statements: the rules hold for each row of each."""

    def test_one_failing_row_publishes_none(self, world):
        bare = factories.claim("submitted", cited=[])
        before = Publication.objects.count()
        with refused("entry_needs_attributed_source", str(bare.pk)[:8]):
            Claim.objects.submitted().update(status="published", published_by=world.reviewer)
        assert Publication.objects.count() == before
        assert Claim.objects.submitted().count() == 2

    def test_a_revision_and_its_predecessor_in_one_statement(self, world):
        draft = factories.revision(world.published, "submitted", by=world.author)
        sql(
            "UPDATE registry_claim SET status = CASE revision WHEN 1 THEN 'withdrawn' ELSE 'published' END,"
            " end_note = CASE revision WHEN 1 THEN 'Wrong.' ELSE '' END,"
            " published_by_id = CASE revision WHEN 1 THEN published_by_id ELSE %s END WHERE lineage = %s",
            world.reviewer.pk,
            draft.lineage,
        )
        statuses = dict(Claim.objects.filter(lineage=draft.lineage).values_list("revision", "status"))
        assert statuses == {1: "withdrawn", 2: "published"}

    def test_publishing_and_unciting_in_one_statement(self, world):
        for first, second in (("uncited", "published"), ("published", "uncited")):
            parts = {
                "uncited": f"uncited AS (DELETE FROM registry_claimcitation WHERE entry_id = '{world.submitted.pk}'"
                " RETURNING 1)",
                "published": "published AS (UPDATE registry_claim SET status = 'published',"
                f" published_by_id = {world.reviewer.pk} WHERE id = '{world.submitted.pk}' RETURNING 1)",
            }
            with refused("entry_frozen", "its citations cannot change"):
                sql(f"WITH {parts[first]}, {parts[second]} SELECT FROM {first}, {second}")

    def test_returning_and_publishing_in_one_statement(self, world):
        """One statement changes a row once: the second step finds nothing to do."""
        sql(
            "WITH back AS (UPDATE registry_claim SET status = 'draft', returned_reason = 'x' WHERE id = %s"
            " RETURNING id), again AS (UPDATE registry_claim SET status = 'published' WHERE id IN (SELECT id FROM back))"
            " SELECT 1",
            world.submitted.pk,
        )
        world.submitted.refresh_from_db()
        assert world.submitted.status == "draft"

    def test_insert_on_conflict_is_an_update(self, world):
        with refused("entry_frozen", "is published and cannot change"):
            Claim.objects.bulk_create(
                [Claim(**self.columns(world.published), text="forged")],
                update_conflicts=True,
                unique_fields=["id"],
                update_fields=["text"],
            )

    def columns(self, claim):
        names = ["id", "lineage", "subject", "property", "asserter", "created_by"]
        return {name: getattr(claim, name) for name in names}

    def test_insert_on_conflict_publishes_nothing_unjudged(self, world):
        bare = factories.claim("submitted", cited=[])
        with refused("entry_needs_attributed_source"):
            sql(
                "INSERT INTO registry_claim (id, lineage, revision, status, change_kind, change_note, created_at,"
                " edited_at, submit_note, returned_reason, self_reviewed, bundle, end_note, subject_kind, value_kind,"
                " text, bound, conditions, boundary, derivation, note, asserter_id, property_id, subject_id)"
                " SELECT id, lineage, revision, 'draft', change_kind, change_note, created_at, edited_at, submit_note,"
                " returned_reason, self_reviewed, bundle, end_note, subject_kind, value_kind, text, bound, conditions,"
                " boundary, derivation, note, asserter_id, property_id, subject_id FROM registry_claim WHERE id = %s"
                " ON CONFLICT (id) DO UPDATE SET status = 'published', published_by_id = %s",
                bare.pk,
                world.reviewer.pk,
            )

    def test_merge_is_an_update(self, world):
        with refused("entry_frozen", "is published and cannot change"):
            sql(
                "MERGE INTO registry_claim USING (SELECT %s::uuid AS id) known ON known.id = registry_claim.id"
                " WHEN MATCHED THEN UPDATE SET text = 'forged'",
                world.published.pk,
            )

    def test_merge_is_a_delete(self, world):
        with refused("entry_frozen", "cannot be deleted"):
            sql(
                "MERGE INTO registry_claim USING (SELECT %s::uuid AS id) known ON known.id = registry_claim.id"
                " WHEN MATCHED THEN DELETE",
                world.published.pk,
            )

    def test_update_from_is_an_update(self, world):
        with refused("entry_frozen"):
            sql(
                "UPDATE registry_claim SET text = other.text FROM registry_claim other"
                " WHERE other.id = %s AND registry_claim.id = %s",
                world.draft.pk,
                world.newest.pk,
            )

    def test_copy_is_an_insert(self, world):
        columns = (
            "id, lineage, revision, status, change_kind, change_note, created_at, edited_at, submit_note,"
            " returned_reason, self_reviewed, bundle, end_note, subject_kind, value_kind, text, bound, conditions,"
            " boundary, derivation, note, asserter_id, property_id, subject_id"
        )
        row = sql(
            f"SELECT {columns.replace('id, lineage', 'gen_random_uuid(), gen_random_uuid()', 1)}"
            " FROM registry_claim WHERE id = %s",
            world.published.pk,
        )[0]
        copied = f"COPY registry_claim ({columns}) FROM STDIN"
        with (
            pytest.raises(psycopg.errors.CheckViolation, match="not published"),
            transaction.atomic(),
            connection.cursor() as cursor,
            cursor.copy(copied) as copy,
        ):
            copy.write_row(row)


class TestSeparateTransactions:
    """Numbers and the chain after work that was undone."""

    def numbers(self, model):
        return list(
            model.objects.ever_published().order_by("number").values_list("number", flat=True).distinct()
        )

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_publication_undone_leaves_no_gap(self, kind, world):
        with transaction.atomic():
            made(kind, "published", world)
            transaction.set_rollback(True)
        made(kind, "published", world)
        numbers = self.numbers(Claim if kind == "claim" else Reproduction)
        assert numbers == list(range(1, len(numbers) + 1))

    def test_a_publication_undone_leaves_the_chain_whole(self, world):
        before = Publication.objects.last()
        with transaction.atomic():
            factories.claim()
            transaction.set_rollback(True)
        factories.claim()
        after = Publication.objects.last()
        assert (after.sequence, after.previous_sha256) == (before.sequence + 1, before.sha256)

    def test_claims_and_reproductions_are_numbered_apart(self, world):
        assert factories.reproduction(world.newest).number == 2
        assert factories.claim().number == 5 - 1
