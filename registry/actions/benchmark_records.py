"""Writing benchmark records by hand: conditions, workload and figures together, or nothing of it."""

from registry.actions.benchmarks import workload_of
from registry.actions.drafts import draft, edit_draft
from registry.models import BenchmarkRecord, Measurement
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


def _measure(record, measured):
    Measurement.objects.bulk_create(
        Measurement(entry=record, position=position, **columns)
        for position, columns in enumerate(measured, start=1)
    )
