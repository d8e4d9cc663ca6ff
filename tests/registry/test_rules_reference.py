"""What published entries rest on: subjects, properties and organisations change only with a note; keys never do."""

from contextlib import contextmanager

import pytest
from django.db import IntegrityError, transaction

from registry.actions.subjects import change_property, change_subject
from registry.errors import sentence
from registry.models import FormerSlug
from sources.actions.organisations import change_organisation
from sources.models import ReferenceChange
from tests import factories
from tests.refusals import INSERTS, UPDATES, refused, setting, sql

pytestmark = pytest.mark.django_db


@pytest.fixture
def claim():
    made = factories.claim()
    sql("SET CONSTRAINTS ALL IMMEDIATE")  # as if it had been committed
    return made


def competitor(claim):
    return factories.organisation()


# What changes in silence → the row and the change.
NOTED = {
    "a property's unit": lambda c: (c.property, {"unit": "PFLOPS"}),
    "a property's type": lambda c: (c.property, {"datatype": "integer"}),
    "a property's quantity": lambda c: (c.property, {"quantity": "sparse throughput"}),
    "a property's condition": lambda c: (c.property, {"condition": "with sparsity"}),
    "a property's definition": lambda c: (c.property, {"definition": "What marketing says."}),
    "a property's label": lambda c: (c.property, {"label": "Peak FP4 throughput"}),
    "whether a property is a performance figure": lambda c: (c.property, {"performance_figure": False}),
    "a subject's name": lambda c: (c.subject, {"name": "H200"}),
    "a subject's address": lambda c: (c.subject, {"slug": "h200"}),
    "a subject's maker": lambda c: (c.subject, {"maker": competitor(c)}),
    "a subject's product line": lambda c: (c.subject, {"family": "Hopper"}),
    "a subject's kind of hardware": lambda c: (c.subject.gpu, {"kind": "server"}),
    "a subject's form factor": lambda c: (c.subject.gpu, {"form_factor": "PCIe"}),
    "a maker's name": lambda c: (c.subject.maker, {"name": "Competitor"}),
    "a maker's kind": lambda c: (c.subject.maker, {"kind": "independent"}),
    "a maker's parent": lambda c: (c.subject.maker, {"parent": competitor(c)}),
    "a publisher's name": lambda c: (publisher(c), {"name": "Competitor"}),
}


def publisher(claim):
    return claim.citations.get().passage.source.publisher


@pytest.mark.parametrize("road", UPDATES)
@pytest.mark.parametrize("what", NOTED)
def test_what_published_claims_rest_on_does_not_change_in_silence(what, road, claim):
    record, changes = NOTED[what](claim)
    for note in ("", " \u200b"):
        setting("change_note", note)
        with refused(
            "reference_change_noted", "cannot change without a note", "/corrections", "Say what changed"
        ):
            UPDATES[road](record, changes)


@pytest.mark.parametrize("what", NOTED)
def test_with_a_note_it_changes_and_the_note_is_kept(what, claim):
    record, changes = NOTED[what](claim)
    setting("change_note", "Renamed by its maker.")
    UPDATES["SQL"](record, changes)
    kept = ReferenceChange.objects.first()
    assert (kept.note, kept.operation) == ("Renamed by its maker.", "update")
    (column,) = changes
    assert set(kept.after) == {record._meta.get_field(column).column}


@pytest.mark.parametrize(
    "what",
    [
        "a property's unit",
        "a subject's name",
        "a subject's maker",
        "a maker's name",
        "a subject's form factor",
    ],
)
def test_while_nothing_is_published_no_note_is_needed(what):
    record, changes = NOTED[what](factories.claim("submitted"))
    UPDATES["SQL"](record, changes)
    record.refresh_from_db()
    (field,) = changes
    assert getattr(record, field) == changes[field]


def test_a_source_that_rests_in_a_draft_needs_a_note_of_its_own(claim):
    """Its publisher is seen on the page of the source."""
    with refused("reference_change_noted"):
        UPDATES["SQL"](factories.source().publisher, {"name": "Other"})


def test_layout_needs_no_note(claim):
    UPDATES["SQL"](claim.property, {"position": 7, "headline": True, "group": "Speed"})


def test_a_context_is_seen_too():
    hardware = factories.subject()
    factories.claim(contexts=[(hardware, "hardware")])
    with refused("reference_change_noted", f"The subject {hardware.key}"):
        UPDATES["SQL"](hardware, {"name": "Other"})


def test_a_detail_is_not_added_in_silence(claim):
    with refused("reference_change_noted", f"The runtime {claim.subject.key}"):
        sql("INSERT INTO registry_runtime VALUES (%s, 'serving engine', '')", claim.subject_id)


def test_the_actions_pass_the_note_on(claim):
    admin = factories.user("administrator")
    change_subject(claim.subject, {"name": "Other"}, by=admin, note="Renamed.")
    change_property(claim.property, {"unit": "PFLOPS"}, by=admin, note="A thousand times too much.")
    change_organisation(claim.subject.maker, {"name": "Maker"}, by=admin, note="Renamed.")
    assert {change.changed_by for change in ReferenceChange.objects.noted()} == {admin}


def test_the_actions_refuse_without_a_note(claim):
    with refused("reference_change_noted", claim.subject.key):
        change_subject(claim.subject, {"name": "Other"}, by=factories.user("administrator"))


PERMANENT = {
    "a subject's key": lambda c: (c.subject, {"key": "other"}),
    "a subject's kind": lambda c: (c.subject, {"kind": "runtime"}),
    "a property's key": lambda c: (c.property, {"key": "other"}),
    "a property's kind of subject": lambda c: (c.property, {"subject_kind": "runtime"}),
    "an organisation's key": lambda c: (c.subject.maker, {"key": "other"}),
    "a source's key": lambda c: (c.citations.get().passage.source, {"key": "other"}),
}


@pytest.mark.parametrize("road", UPDATES)
@pytest.mark.parametrize("what", PERMANENT)
def test_keys_are_permanent(what, road, claim):
    record, changes = PERMANENT[what](claim)
    setting("change_note", "A test.")
    with refused("key_is_permanent", getattr(record, "key", ""), "permanent", "Make a new record"):
        UPDATES[road](record, changes)


def test_a_detail_does_not_move_to_another_subject(claim):
    other = factories.subject("runtime")
    setting("change_note", "A test.")
    with refused("key_is_permanent"):
        sql("UPDATE registry_gpu SET subject_id = %s WHERE subject_id = %s", other.pk, claim.subject_id)


class TestAddresses:
    """subject_slug_once of former addresses"""

    def renamed(self):
        subject = factories.subject(slug="h100")
        return change_subject(subject, {"slug": "h100-sxm"}, by=factories.user("administrator"))

    def test_a_former_address_leads_to_its_subject(self):
        subject = self.renamed()
        assert FormerSlug.objects.get(kind="gpu", slug="h100").subject == subject

    @pytest.mark.parametrize("road", UPDATES)
    def test_another_subject_does_not_move_to_it(self, road):
        self.renamed()
        with refused("subject_slug_once", "The slug h100 was the address of another subject", "another slug"):
            UPDATES[road](factories.subject(), {"slug": "h100"})

    @pytest.mark.parametrize("road", INSERTS)
    def test_another_subject_is_not_born_at_it(self, road):
        subject = self.renamed()
        new = type(subject)(key="new", kind="gpu", slug="h100", name="New", maker=subject.maker)
        with refused("subject_slug_once", "still leads there"):
            INSERTS[road](new)

    def test_its_own_subject_may_go_back(self):
        subject = change_subject(self.renamed(), {"slug": "h100"}, by=factories.user("administrator"))
        assert list(FormerSlug.objects.values_list("slug", flat=True)) == ["h100-sxm"]
        assert subject.slug == "h100"


def test_a_person_who_wrote_something_stays(claim):
    with refused_for_others():
        sql("DELETE FROM auth_user WHERE id = %s", claim.created_by_id)


def test_a_missing_row_is_not_cited(claim):
    with refused_for_others("does not exist"):
        sql(
            "INSERT INTO registry_claimcitation (entry_id, passage_id, stance, position) VALUES (%s, 0, 'supports', 1)",
            factories.claim("draft").pk,
        )


@contextmanager
def refused_for_others(words="rest on this one"):
    """A foreign key refuses; its name says nothing to people, its sentence does."""
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        yield
    assert words in sentence(refusal.value)


def test_a_missing_field_is_named(claim):
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        sql("UPDATE registry_claim SET asserter_id = NULL WHERE id = %s", factories.claim("draft").pk)
    assert sentence(refusal.value) == "The asserter of a claim is missing: give it."
