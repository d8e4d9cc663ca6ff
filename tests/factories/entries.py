"""Claims and reproductions at any step of their life."""

from contextlib import contextmanager
from decimal import Decimal

from django.db import connection, transaction

from registry.actions.benchmark_records import workload_of
from registry.actions.claims import draft_claim
from registry.actions.drafts import draft as draft_entry
from registry.actions.lifecycle import publish, revise, submit, withdraw
from registry.actions.reproductions import draft_reproduction
from registry.models import BenchmarkRecord, Measurement
from registry.models.entry import Status
from tests.factories.people import user
from tests.factories.references import organisation, passage, property_, subject

_STEPS = [Status.DRAFT, Status.SUBMITTED, Status.PUBLISHED, Status.WITHDRAWN]


def claim(status="published", *, by=None, reviewer=None, cited=None, contexts=(), **fields):
    """A claim of the subject's maker with one verified source, brought to that status by two people."""
    if "subject" not in fields:
        fields["subject"] = subject()
    if "property" not in fields:
        fields["property"] = property_(fields["subject"].kind)
    fields.setdefault("asserter", fields["subject"].maker)
    if fields.get("value_kind", "value") == "value":
        fields.setdefault("value", Decimal("1979"))
        fields.setdefault("text", f"{fields['value']} TFLOPS")
    by = by or user()
    draft = draft_claim(by=by, cited=_cited(cited), contexts=contexts, **fields)
    return brought_to(status, draft, by=by, reviewer=reviewer)


def reproduction(of, status="published", *, by=None, reviewer=None, cited=None, **fields):
    """A successful reproduction of a published claim by somebody independent."""
    if "performer" not in fields:
        fields["performer"] = organisation(kind="independent")
    fields.setdefault("outcome", "reproduced")
    by = by or user()
    draft = draft_reproduction(by=by, cited=_cited(cited), claim_number=of.number, **fields)
    return brought_to(status, draft, by=by, reviewer=reviewer)


def benchmark_record(
    status="published", *, by=None, reviewer=None, cited=None, measured=(("ttft_client", "mean"),), **fields
):
    """A record of one run on some hardware with one figure a (metric, statistic), brought to that status by two people."""
    if "hardware" not in fields:
        fields["hardware"] = subject()
    if "submitter" not in fields:
        fields["submitter"] = organisation(kind="independent")
    fields.setdefault("workload", workload_of({"load_mode": "closed", "concurrency": 8}))
    fields = {"tool": "vLLM bench serve", "run": "concurrency 8", **fields}
    by = by or user()
    draft = draft_entry(BenchmarkRecord, by=by, cited=_cited(cited), **fields)
    for position, (metric, statistic) in enumerate(measured, start=1):
        Measurement.objects.create(
            entry=draft,
            metric_id=metric,
            statistic=statistic,
            value=Decimal("52.30"),
            text="52.30 ms",
            position=position,
        )
    return brought_to(status, draft, by=by, reviewer=reviewer)


def cited_draft(cited, **fields):
    """A draft claim that cites these (passage, stance) pairs and nothing else."""
    return claim("draft", cited=cited, **fields)


def revision(of, status="published", *, kind="correction", note="A digit was wrong.", by=None, **changes):
    """The next revision of a published entry, with changes to its content."""
    by = by or user()
    draft = revise(of, by=by, kind=kind, note=note)
    if changes:
        for field, value in changes.items():
            setattr(draft, field, value)
        draft.save(update_fields=[*changes])
    return brought_to(status, draft, by=by)


def withdrawn(entry, *, reason="The source took it back."):
    """A published entry, taken back."""
    return withdraw(entry, by=user("reviewer"), reason=reason)


def loaded(entry, on):
    """A submitted entry, published as a bundle does it: by nobody, with an earlier record date."""
    with as_bundle():
        type(entry).objects.filter(pk=entry.pk).update(status=Status.PUBLISHED, record_date=on)
    entry.refresh_from_db()
    return entry


def ended(entry, on, reason="The source took it back."):
    """A published entry, withdrawn on an earlier day."""
    with as_bundle():
        type(entry).objects.filter(pk=entry.pk).update(status=Status.WITHDRAWN, ended_on=on, end_note=reason)
    entry.refresh_from_db()
    return entry


@contextmanager
def as_bundle(name="hardware"):
    """What is done inside is done as the loader of a bundle does it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('registry.bundle', %s, true)", [name])
        yield
        cursor.execute("SELECT set_config('registry.bundle', '', true)")


def brought_to(status, draft, *, by, reviewer=None):
    """A draft, taken through the steps up to that status; the reviewer is a second person."""
    steps = _STEPS[: _STEPS.index(status) + 1]
    reviewer = reviewer or (user("reviewer") if Status.PUBLISHED in steps else None)
    entry = draft
    if Status.SUBMITTED in steps:
        entry = submit(entry, by=by, note="Please read the second page.")
    if Status.PUBLISHED in steps:
        entry = publish(entry, by=reviewer)
    if Status.WITHDRAWN in steps:
        entry = withdraw(entry, by=reviewer, reason="The source took it back.")
    return entry


def _cited(cited):
    return [(passage(), "supports")] if cited is None else cited
