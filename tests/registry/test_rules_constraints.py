"""Each declared constraint, broken by plain SQL and by the ORM's bulk roads, as the web role."""

import copy
import datetime
import uuid

import pytest
from django.db import connection

from registry.models import Claim, ClaimContext, Reproduction
from sources.models import Organisation, Passage, Verification
from tests import factories
from tests.refusals import INSERTS, UPDATES, refused, setting, sql

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return factories.world()


def read_last_year():
    return factories.source(verified_on=factories.today() - datetime.timedelta(days=365))


def again(record, **changes):
    """A copy of a row that was not saved yet, with changes."""
    twin = copy.copy(record)
    twin._state = copy.copy(record._state)
    twin._state.fields_cache = {}
    twin.pk = uuid.uuid4() if isinstance(record.pk, uuid.UUID) else None
    for field, value in changes.items():
        setattr(twin, field, value)
    return twin


def other(record, **changes):
    """A copy under another key."""
    return again(record, **{"key": f"{record.key}-other", **changes})


def a_claim(world, **fields):
    """A draft that would be accepted but for the fields given."""
    about = {"subject": world.subject, "property": world.property, "asserter": world.subject.maker}
    return Claim(**{**about, "text": "7 TFLOPS", "value": 7, "created_by": world.author, **fields})


def a_reproduction(world, **fields):
    about = {"claim_number": world.newest.number, "performer": world.reproduction.performer}
    return Reproduction(**{**about, "outcome": "reproduced", "created_by": world.author, **fields})


# What is changed → the constraint that refuses, the row, the change, words of the sentence.
CHANGES = {
    "an organisation's name to blanks": (
        "organisation_name_says_something",
        lambda w: (w.organisation, {"name": " \u00a0\u200b"}),
        "letters or digits",
    ),
    "an organisation's kind": (
        "organisation_kind_known",
        lambda w: (w.organisation, {"kind": "vendor"}),
        "not known",
    ),
    "an organisation to its own parent": (
        "organisation_not_its_own_parent",
        lambda w: (w.organisation, {"parent": w.organisation}),
        "its own parent",
    ),
    "an organisation's name to another's": (
        "sources_organisation_name_key",
        lambda w: (w.organisation, {"name": w.subject.maker.name}),
        "use that one",
    ),
    "a source to another's work": (
        "source_identity",
        lambda w: (w.lead, {"work_id": w.source.work_id}),
        "in the register already",
    ),
    "a source's kind": ("source_words_known", lambda w: (w.lead, {"kind": "tweet"}), "from their lists"),
    "a source's attribution": (
        "source_words_known",
        lambda w: (w.lead, {"attribution_role": "me"}),
        "from their lists",
    ),
    "a source's kind of link": (
        "source_words_known",
        lambda w: (w.lead, {"link_kind": "loose"}),
        "from their lists",
    ),
    "a source's title to blanks": (
        "source_title_says_something",
        lambda w: (w.lead, {"title": "—"}),
        "needs a title",
    ),
    "a source's address to a script": (
        "source_address_is_web",
        lambda w: (w.lead, {"url": "javascript:alert(1)"}),
        "http",
    ),
    "a source's archive to a file": (
        "source_address_is_web",
        lambda w: (w.lead, {"archive_url": "file:///etc/passwd"}),
        "http",
    ),
    "a source's date basis without a date": (
        "source_one_date_form",
        lambda w: (w.lead, {"date_basis": "published"}),
        "Exactly one date form",
    ),
    "a source's date with the basis not stated": (
        "source_one_date_form",
        lambda w: (w.lead, {"published_on": "2025-01-01", "published_precision": "day"}),
        "give none",
    ),
    "a source's date basis to a strange word": (
        "source_one_date_form",
        lambda w: (w.lead, {"date_basis": "heard"}),
        "Exactly one date form",
    ),
    "a source's date without precision": (
        "source_date_precision",
        lambda w: (w.lead, {"date_basis": "published", "published_on": "2025-01-01"}),
        "precision",
    ),
    "a source's precision without date": (
        "source_date_precision",
        lambda w: (w.lead, {"published_precision": "day"}),
        "precision",
    ),
    "a source's date to after its reading": (
        "source_dates_before_verification",
        lambda w: (
            read_last_year(),
            {"date_basis": "published", "published_on": factories.today(), "published_precision": "day"},
        ),
        "before it was published",
    ),
    "a source's last modification to after its reading": (
        "source_dates_before_verification",
        lambda w: (
            read_last_year(),
            {
                "date_basis": "last modified",
                "last_modified_on": factories.today(),
                "last_modified_precision": "day",
            },
        ),
        "verify it again",
    ),
    "a source to superseded by nothing": (
        "source_successor_named",
        lambda w: (w.lead, {"state": "superseded"}),
        "names the other source",
    ),
    "a source to superseded by itself": (
        "source_successor_named",
        lambda w: (w.lead, {"state": "superseded", "superseded_by": w.lead}),
        "the other source",
    ),
    "a current source's successor": (
        "source_successor_named",
        lambda w: (w.lead, {"superseded_by": w.source}),
        "only a superseded one does",
    ),
    "a source's state": ("source_successor_named", lambda w: (w.lead, {"state": "lost"}), "superseded"),
    "a subject's slug to another's": (
        "subject_slug_once",
        lambda w: (factories.subject(), {"slug": w.subject.slug}),
        "choose another",
    ),
    "a subject's slug to capitals": (
        "subject_slug_form",
        lambda w: (factories.subject(), {"slug": "H100.SXM"}),
        "hyphens",
    ),
    "a subject's slug to the comparison's": (
        "subject_slug_reserved",
        lambda w: (factories.subject(), {"slug": "compare"}),
        "choose another slug",
    ),
    "a subject's name to blanks": (
        "subject_name_says_something",
        lambda w: (factories.subject(), {"name": " "}),
        "needs a name",
    ),
    "a checkpoint's identifier to another's": (
        "registry_checkpoint_identifier_key",
        lambda w: (
            factories.subject("checkpoint").checkpoint,
            {"identifier": w.checkpoint.checkpoint.identifier},
        ),
        "recorded already",
    ),
    "a property's quantity to another's": (
        "property_quantity_condition_once",
        lambda w: (factories.property_(), {"quantity": w.property.quantity}),
        "already",
    ),
    "a property's type": (
        "property_words_known",
        lambda w: (factories.property_(), {"datatype": "float"}),
        "from their lists",
    ),
    "a property's definition to blanks": (
        "property_says_what_it_is",
        lambda w: (factories.property_(), {"definition": "…"}),
        "definition",
    ),
    "a claim's value without its words": (
        "claim_value_fits_kind",
        lambda w: (w.draft, {"text": " "}),
        "as the source states it",
    ),
    "a claim's kind to none with a number": (
        "claim_value_fits_kind",
        lambda w: (w.draft, {"value_kind": "none"}),
        "gives no number",
    ),
    "a claim's kind to a strange word": (
        "claim_value_fits_kind",
        lambda w: (w.draft, {"value_kind": "unknown", "value": None}),
        "gives no number",
    ),
    "a claim to number and range": (
        "claim_number_or_range",
        lambda w: (w.draft, {"low": 1, "high": 2}),
        "not both",
    ),
    "a claim's range upside down": (
        "claim_number_or_range",
        lambda w: (w.draft, {"value": None, "low": 2, "high": 1}),
        "from low to high",
    ),
    "a claim's range without an end": (
        "claim_number_or_range",
        lambda w: (w.draft, {"value": None, "low": 2}),
        "from low to high",
    ),
    "a claim's bound": ("claim_bound_known", lambda w: (w.draft, {"bound": "roughly"}), "at most"),
    "a draft's dates": (
        "claim_dates_with_status",
        lambda w: (w.draft, {"published_at": "2026-01-01T00:00:00Z"}),
        "the database sets them",
    ),
    "a draft's end": (
        "claim_dates_with_status",
        lambda w: (w.draft, {"ended_on": "2026-01-01"}),
        "the database sets them",
    ),
    "a draft's kind of change": (
        "claim_change_kind_known",
        lambda w: (w.draft, {"change_kind": "silent"}),
        "correction",
    ),
    "a citation's stance": (
        "claimcitation_stance_known",
        lambda w: (w.draft.citations.get(), {"stance": "proves"}),
        "supports, contradicts",
    ),
    "a reproduction's outcome": (
        "reproduction_outcome_known",
        lambda w: (factories.reproduction(w.newest, "draft"), {"outcome": "great"}),
        "inconclusive",
    ),
    "a reproduction's dates": (
        "reproduction_dates_with_status",
        lambda w: (factories.reproduction(w.newest, "draft"), {"published_at": "2026-01-01T00:00:00Z"}),
        "the database sets them",
    ),
    "a reproduction's kind of change": (
        "reproduction_change_kind_known",
        lambda w: (factories.reproduction(w.newest, "draft"), {"change_kind": "silent"}),
        "correction",
    ),
    "a reproduction's citation's stance": (
        "reproductioncitation_stance_known",
        lambda w: (factories.reproduction(w.newest, "draft").citations.get(), {"stance": "proves"}),
        "supports, contradicts",
    ),
}


@pytest.mark.parametrize("road", UPDATES)
@pytest.mark.parametrize("what", CHANGES)
def test_a_change_that_a_constraint_refuses(what, road, world):
    rule, change, words = CHANGES[what]
    record, changes = change(world)
    setting("change_note", "A test.")
    with refused(rule, words):
        UPDATES[road](record, changes)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e20", "-1e20"])
@pytest.mark.parametrize("columns", ["value = %(n)s", "value = NULL, low = %(n)s, high = %(n)s"])
def test_a_number_that_no_source_states(number, columns, world):
    """The ORM refuses these by itself; plain SQL must not slip past."""
    with refused("claim_numbers_finite", "NaN"), connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE registry_claim SET {columns} WHERE id = %(id)s", {"n": number, "id": world.draft.pk}
        )


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e20"])
def test_a_number_that_nobody_measured(number, world):
    draft = factories.reproduction(world.newest, "draft")
    with refused("reproduction_measured_finite", "NaN"):
        sql("UPDATE registry_reproduction SET measured = %s WHERE id = %s", number, draft.pk)


# What is added → the constraint that refuses, the row, words of the sentence.
ADDITIONS = {
    "an organisation's key in capitals": (
        "organisation_key_form",
        lambda w: Organisation(key="NVIDIA", name="NVIDIA", kind="manufacturer"),
        "lower case",
    ),
    "an organisation's key twice": (
        "sources_organisation_key_key",
        lambda w: other(w.organisation, key=w.organisation.key, name="Another"),
        "choose another",
    ),
    "a source's key in capitals": (
        "source_key_form",
        lambda w: again(w.lead, key="A b", work_id="url:1"),
        "lower case",
    ),
    "a source's key twice": (
        "sources_source_key_key",
        lambda w: again(w.lead, work_id="url:1"),
        "choose another",
    ),
    "a source twice in one version": ("source_identity", lambda w: other(w.lead), "in the register already"),
    "a verification twice": (
        "verification_once",
        lambda w: again(Verification.objects.filter(source=w.source).get()),
        "recorded already",
    ),
    "a verification of what was not read": (
        "verification_words_known",
        lambda w: Verification(source=w.lead, verified_on=factories.today(), representation="hearsay"),
        "from their lists",
    ),
    "a verification of a strange outcome": (
        "verification_words_known",
        lambda w: Verification(
            source=w.lead, verified_on=factories.today(), representation="full text", outcome="fine"
        ),
        "from their lists",
    ),
    "a passage twice": ("passage_once", lambda w: again(w.passage), "recorded already"),
    "a passage nowhere": (
        "passage_located",
        lambda w: Passage(source=w.source, locator=" "),
        "where in the source",
    ),
    "a subject of a strange kind": (
        "subject_kind_known",
        lambda w: other(w.subject, kind="cpu"),
        "not known",
    ),
    "a subject's key twice": (
        "registry_subject_key_key",
        lambda w: again(w.subject, slug="another"),
        "choose another",
    ),
    "a subject's address twice": ("subject_slug_once", lambda w: other(w.subject), "choose another"),
    "a property's key in capitals": (
        "property_key_form",
        lambda w: again(w.property, key="TDP", quantity="power"),
        "lower case",
    ),
    "a property's key twice": (
        "registry_property_key_key",
        lambda w: again(w.property, quantity="power"),
        "choose another",
    ),
    "a property of a strange kind of subject": (
        "property_words_known",
        lambda w: other(w.property, subject_kind="cpu", quantity="power"),
        "from their lists",
    ),
    "a claim of another kind's property": (
        "claim_subject_of_kind",
        lambda w: a_claim(w, property=w.checkpoint_property),
        "another kind of subject",
    ),
    "a claim's revision twice": (
        "claim_revision_once",
        lambda w: a_claim(w, lineage=w.draft.lineage),
        "edit that",
    ),
    "a second draft of one claim": (
        "claim_revision_once",
        lambda w: again(factories.revision(w.published, "draft")),
        "open draft",
    ),
    "a citation twice": (
        "claimcitation_once",
        lambda w: again(w.draft.citations.get()),
        "cited already",
    ),
    "a context twice": (
        "claimcontext_once",
        lambda w: again(ClaimContext.objects.create(entry=w.draft, subject=w.checkpoint, role="checkpoint")),
        "already",
    ),
    "a context without a role": (
        "claimcontext_role_says_something",
        lambda w: ClaimContext(entry=w.draft, subject=w.checkpoint, role=" "),
        "in what role",
    ),
    "a reproduction's revision twice": (
        "reproduction_revision_once",
        lambda w: a_reproduction(w, lineage=w.reproduction.lineage),
        "edit that",
    ),
    "a reproduction's citation twice": (
        "reproductioncitation_once",
        lambda w: again(factories.reproduction(w.newest, "draft").citations.get()),
        "cited already",
    ),
}


@pytest.mark.parametrize("road", INSERTS)
@pytest.mark.parametrize("what", ADDITIONS)
def test_an_addition_that_a_constraint_refuses(what, road, world):
    rule, added, words = ADDITIONS[what]
    record = added(world)
    with refused(rule, words):
        INSERTS[road](record)


@pytest.mark.parametrize("road", INSERTS)
def test_a_number_given_twice_by_a_bundle(road, world):
    setting("bundle", "hardware")
    with refused("claim_number_once", "never given twice"):
        INSERTS[road](a_claim(world, number=world.published.number))
    with refused("reproduction_number_once", "never given twice"):
        INSERTS[road](a_reproduction(world, number=world.reproduction.number))


@pytest.mark.parametrize("road", UPDATES)
@pytest.mark.parametrize("kind", ["claim", "reproduction"])
class TestPublishing:
    """The constraints on people and notes, at the steps where they bite."""

    def revised(self, kind, world, **changes):
        entry = world.published if kind == "claim" else world.reproduction
        return factories.revision(entry, "draft", **changes)

    def test_a_revision_without_a_note(self, kind, road, world):
        draft = self.revised(kind, world, change_note=" ")
        with refused(f"{kind}_change_note_required", "what changed and why"):
            UPDATES[road](draft, {"status": "submitted"})

    def test_a_revision_that_calls_itself_the_first(self, kind, road, world):
        draft = self.revised(kind, world, change_kind="first")
        with refused(f"{kind}_change_note_required", "correction"):
            UPDATES[road](draft, {"status": "submitted"})

    def test_a_withdrawal_without_its_reason(self, kind, road, world):
        entry = world.published if kind == "claim" else world.reproduction
        with refused(f"{kind}_change_note_required", "a withdrawal needs its reason"):
            UPDATES[road](entry, {"status": "withdrawn"})

    def submitted(self, kind, world):
        made = (
            factories.claim
            if kind == "claim"
            else lambda *a, **k: factories.reproduction(world.newest, *a, **k)
        )
        return made("submitted", by=world.author)

    def test_an_author_who_publishes_alone(self, kind, road, world):
        with refused(f"{kind}_second_person", "a second person reviews it"):
            UPDATES[road](self.submitted(kind, world), {"status": "published", "published_by": world.author})

    def test_nobody_who_publishes(self, kind, road, world):
        with refused(f"{kind}_publisher_named", "names the person who published it"):
            UPDATES[road](self.submitted(kind, world), {"status": "published"})

    def test_an_entry_that_nobody_wrote(self, kind, road, world):
        unsigned = (a_claim if kind == "claim" else a_reproduction)(world, created_by=None)
        unsigned.save()
        type(unsigned).citations.rel.related_model.objects.create(entry=unsigned, passage=world.passage)
        UPDATES[road](unsigned, {"status": "submitted"})
        with refused(f"{kind}_second_person", "a second person"):
            UPDATES[road](unsigned, {"status": "published", "published_by": world.reviewer})
