"""Importing result files: a draft of every run, all or none. The admin and `manage.py import_benchmark` both come here."""

import re
import zlib
from typing import Any

from django.db import connection, transaction

from registry.actions.benchmark_plan import Plan, Supplied, plan, refuse_known
from registry.actions.benchmark_records import draft_record
from registry.models import Artifact, BenchmarkRecord
from registry.readers.run import Figure, Report, Run
from sources.actions.acting import acting, retried
from sources.actions.sources import passage

KEEPING_TIMEOUT = "60s"


@retried
def import_file(
    data: bytes, name: str, supplied: Supplied, *, by, report: Report | None = None
) -> list[BenchmarkRecord]:
    """Make a draft of every run, all or none. Raises ValueError with the problems of the plan, one a line.

    `report` is what was read of the file, where that was done already.
    """
    planned = plan(data, name, supplied, report)
    if planned.problems:
        raise ValueError("\n".join(planned.problems))
    with transaction.atomic(), acting(by), connection.cursor() as cursor:
        # Keeping a large file takes longer than a web request's other statements may. The lock: whoever sends the same
        # file at the same moment waits here, and then meets the records made from it.
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [KEEPING_TIMEOUT])
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended('import of ' || %s, 0))", [planned.sha256]
        )
        refuse_known(data)
        artifact = _artifact(data, name, planned, supplied)
        made = []
        for each in planned.planned:
            cited = [(passage(supplied.source, _locator(each.run, artifact)), "supports")]
            made.append(
                draft_record(
                    by=by,
                    cited=cited,
                    asked=each.workload,
                    measured=[_columns(figure) for figure in each.run.figures],
                    artifact=artifact,
                    **each.record,
                )
            )
    return made


def _columns(figure: Figure) -> dict[str, Any]:
    return {
        "metric_id": figure.metric,
        "statistic": figure.statistic,
        "value": figure.value,
        "text": figure.as_stated[:100],
        "values": figure.n,
        "divisor": figure.divisor,
    }


def _artifact(data: bytes, name: str, wanted: Plan, supplied: Supplied) -> Artifact:
    known = Artifact.objects.filter(pk=wanted.sha256).first()
    return known or Artifact.objects.create(
        sha256=wanted.sha256,
        size=len(data),
        name=re.split(r"[\\/]", name)[-1][:200] or "unnamed",
        tool=wanted.report.tool,
        tool_version=(wanted.report.tool_version or "")[:60],
        format=wanted.report.format[:60],
        origin=supplied.origin or supplied.source.url,
        licence=supplied.licence,
        redistributable=supplied.redistributable,
        content=zlib.compress(data, 6) if supplied.redistributable else None,
    )


def _locator(run: Run, artifact: Artifact) -> str:
    return f"{artifact.name}, run {run.label}"[:200]
