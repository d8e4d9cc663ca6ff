"""The writers of benchmark records and workloads: conditions, workload and figures together, or nothing of it."""

from collections.abc import Mapping
from typing import Any

from registry.actions.drafts import draft, edit_draft
from registry.models import BenchmarkRecord, Measurement, Workload
from sources.actions.acting import acting, retried


@retried
def draft_record(*, by, cited, asked, measured, **fields):
    """A new draft. `asked` are the columns of its workload, `measured` those of its measurements, in order."""
    with acting(by):
        record = draft(BenchmarkRecord, by=by, cited=cited, workload=workload_of(asked), **fields)
        _measure(record, measured)
    return record


@retried
def edit_record(record, changes, *, by, seen_at, cited=None, asked=None, measured=None):
    """Changes a draft that the editor saw as of `seen_at`; raises Outdated and saves nothing if it changed since.

    Workloads never change: one that asks for something else is another. None leaves workload or measurements alone.
    """
    with acting(by):
        if asked is not None:
            changes = {**changes, "workload": workload_of(asked)}
        fresh = edit_draft(record, changes, by=by, seen_at=seen_at, cited=cited)
        if measured is not None:
            fresh.measurements.all().delete()
            _measure(fresh, measured)
    return fresh


def workload_of(spec: Mapping[str, Any]) -> Workload:
    """The workload that says exactly this; made if it is new."""
    Workload.objects.bulk_create([Workload(**spec)], ignore_conflicts=True)
    blank = {
        f.name: f.get_default() for f in Workload._meta.concrete_fields if f.name not in ("id", "spec_hash")
    }
    wanted = {**blank, **spec}
    return Workload.objects.get(
        **{
            f"{name}__isnull" if value is None else name: True if value is None else value
            for name, value in wanted.items()
        }
    )


def _measure(record, measured):
    Measurement.objects.bulk_create(
        Measurement(entry=record, position=position, **columns)
        for position, columns in enumerate(measured, start=1)
    )
