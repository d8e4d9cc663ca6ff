"""Which writes give readers' pages a new version, and which do not: exactly."""

import datetime

import pytest

from registry.actions.claims import edit_draft
from registry.actions.lifecycle import discard, publish, return_to_author, revise, submit, withdraw
from registry.actions.subjects import add_property, change_property, change_subject
from registry.models import GPU, Claim, RegistryState
from sources.actions.organisations import change_organisation
from sources.actions.sources import change_source, passage, record_verification
from sources.models import Link
from tests import factories
from tests.refusals import refused, sql

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    return factories.world()


def version():
    return RegistryState.objects.get().version


def cited_source(claim):
    return claim.citations.get().passage.source


RAISES = {
    "a publication": lambda w: publish(w.submitted, by=w.reviewer),
    "a correction": lambda w: publish(w.revision, by=w.reviewer),
    "a withdrawal": lambda w: withdraw(w.published, by=w.reviewer, reason="Wrong."),
    "a reproduction": lambda w: factories.reproduction(w.published),
    "a withdrawn reproduction": lambda w: withdraw(w.reproduction, by=w.reviewer, reason="Wrong."),
    "the first verification of a source": lambda w: verified(w.lead),
    "an older verification of a seen source": lambda w: verified(w.source, datetime.date(2026, 1, 2)),
    "a failed verification of a seen source": lambda w: verified(w.source, outcome="differs"),
    "a noted change of a seen source": lambda w: change_source(
        w.source, {"title": "Other"}, note="Cut.", by=w.author
    ),
    "an attribution of a verified source": lambda w: change_source(
        w.verified_lead, {"publisher": w.organisation}, note="Found.", by=w.author
    ),
    "a seen subject's name": lambda w: change_subject(
        w.subject, {"name": "Other"}, by=w.author, note="Renamed."
    ),
    "a seen subject's detail": lambda w: change_subject(
        w.subject, {}, detail={"form_factor": "SXM"}, by=w.author, note="Stated."
    ),
    "a seen property's order": lambda w: change_property(w.property, {"position": 9}, by=w.author),
    "a maker's name": lambda w: change_organisation(
        w.subject.maker, {"name": "Other"}, by=w.author, note="Renamed."
    ),
    "a publisher's name": lambda w: change_organisation(
        w.source.publisher, {"name": "Other"}, by=w.author, note="Renamed."
    ),
    "a link that breaks": lambda w: Link.objects.filter(source=w.source).update(state="broken"),
}


def verified(source, on=None, outcome="confirmed"):
    return record_verification(source, on=on or factories.today(), representation="excerpt", outcome=outcome)


@pytest.fixture
def prepared(world):
    world.revision = factories.revision(world.published, "submitted", by=world.author)
    world.verified_lead = factories.source(publisher=None)
    return world


@pytest.mark.parametrize("what", RAISES)
def test_what_readers_see_raises_the_version(what, prepared):
    before = version()
    RAISES[what](prepared)
    assert version() > before


LEAVES = {
    "a draft": lambda w: factories.claim("draft", subject=w.subject, property=w.property, cited=[]),
    "an edit of a draft": lambda w: edit_draft(
        w.draft, {"text": "8 TFLOPS"}, by=w.author, seen_at=w.draft.edited_at, cited=[(w.passage, "supports")]
    ),
    "a submission": lambda w: submit(w.draft, by=w.author, note="Read."),
    "a return": lambda w: return_to_author(w.submitted, by=w.reviewer, reason="Cite the table."),
    "a discarded draft": lambda w: discard(w.draft, by=w.author),
    "a revision begun": lambda w: revise(w.newest, by=w.author, kind="update", note="New."),
    "a refused publication": lambda w: refused_publication(w),
    "a lead": lambda w: factories.source(verified=False),
    "a source verified but not attributed": lambda w: factories.source(publisher=None),
    "a change of a lead": lambda w: change_source(w.lead, {"title": "Other"}, note="", by=w.author),
    "a failed verification of a lead": lambda w: verified(w.lead, outcome="not found"),
    "a passage": lambda w: passage(w.source, "p. 9"),
    "an organisation": lambda w: factories.organisation(),
    "a change of an organisation nobody sees": lambda w: change_organisation(
        w.organisation, {"name": "Other"}, by=w.author
    ),
    "a subject": lambda w: factories.subject(),
    "a change of a subject nobody sees": lambda w: change_subject(
        w.checkpoint, {"name": "Other"}, by=w.author, detail={"identifier": "other/model"}
    ),
    "a property": lambda w: add_property(
        by=w.author,
        key="tdp",
        subject_kind="gpu",
        label="Power",
        group="Power",
        position=1,
        quantity="power",
        datatype="quantity",
        unit="W",
        definition="Board power.",
    ),
    "a change of a property nobody sees": lambda w: change_property(
        w.checkpoint_property, {"unit": "PFLOPS"}, by=w.author
    ),
    "a save that changes nothing": lambda w: (w.subject.save(), w.property.save(), w.source.save()),
    "an update of no rows": lambda w: sql("UPDATE registry_subject SET name = 'x' WHERE false"),
    "an update of published rows to themselves": lambda w: Claim.objects.published().update(
        status="published"
    ),
    "a robot's look that changes nothing": lambda w: Link.objects.filter(source=w.source).update(
        equal_looks=7
    ),
    "a lead's link that breaks": lambda w: Link.objects.filter(source=w.lead).update(state="broken"),
    "a user": lambda w: factories.user(),
}


def refused_publication(world):
    bare = factories.claim("submitted", cited=[])
    with refused("entry_needs_attributed_source"):
        publish(bare, by=world.reviewer)


@pytest.mark.parametrize("what", LEAVES)
def test_what_readers_do_not_see_leaves_the_version(what, prepared):
    before = version()
    LEAVES[what](prepared)
    assert version() == before


def test_a_bulk_publication_raises_it_once(prepared):
    for _ in range(3):
        factories.claim("submitted")
    before = version()
    Claim.objects.submitted().exclude(pk=prepared.revision.pk).update(
        status="published", published_by=prepared.reviewer
    )
    assert version() == before + 1


def test_a_detail_added_to_a_seen_subject_raises_it():
    subject = factories.subject()
    GPU.objects.filter(subject=subject).delete()
    factories.claim(subject=subject)
    before = version()
    change_subject(subject, {}, detail={"kind": "board"}, by=factories.user(), note="Stated now.")
    assert version() > before
