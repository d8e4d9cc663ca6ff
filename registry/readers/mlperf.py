"""MLPerf Inference: LoadGen's summary log, the description of a system, and published tables of results.

In conditions, `suite_version` is the round, `category` datacenter or edge, and `availability` available, preview or RDI,
which the messaging rules call category. A number that is not in the published tables is unverified. Rules:
mlcommons/policies, MLPerf_Results_Messaging_Guidelines.adoc; mlcommons/inference_policies, inference_rules.adoc.
"""

from registry.readers import mlperf_log, mlperf_system, mlperf_tables
from registry.readers.decode import Documents
from registry.readers.findings import rows
from registry.readers.mlperf_rules import MESSAGING
from registry.readers.run import Report, Run

TOOL = "MLPerf Inference"
FORMATS = (
    "LoadGen's summary log; systems/*.json with accelerators_per_node; summary_results.json; the submission checker's CSV; "
    "the results page's pivot or long table"
)


def recognises(documents: Documents) -> bool:
    found = rows(documents)
    return (
        mlperf_log.is_log(documents.text)
        or any(mlperf_system.is_system(row) or mlperf_tables.is_result(row) for row in found)
        or mlperf_tables.kind(documents.text) is not None
    )  # fmt: skip


def read_runs(documents: Documents) -> Report:
    form, runs = read_any(documents)
    return Report(TOOL, None, form, runs, (MESSAGING,))


def read_any(documents: Documents) -> tuple[str, tuple[Run, ...]]:
    """What kind of file it is, and its runs."""
    found = rows(documents)
    if mlperf_log.is_log(documents.text):
        return "LoadGen summary log", mlperf_log.read_logs(documents.text)
    if results := [row for row in found if mlperf_tables.is_result(row)]:
        return "summary_results.json", mlperf_tables.read_results(results)
    if systems := [row for row in found if mlperf_system.is_system(row)]:
        return "system description", tuple(mlperf_system.read_system(row) for row in systems)
    kind = mlperf_tables.kind(documents.text) or ""
    return kind, mlperf_tables.read_table(kind, documents.text)
