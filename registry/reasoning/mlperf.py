"""What MLCommons demands of who shows MLPerf results: which may be compared, and what must stand beside each.

After `MLPerf_Results_Messaging_Guidelines.adoc` and `MLPerf_Compatibility_Table.adoc` of mlcommons/policies at
c195f80f (2026-04-28), in our own words; the first four constants are sentences prescribed there and stand as they are.
"""

import re
from itertools import pairwise

from registry.reasoning.benchmark_facts import Record, fold, shown, version

NOT_VERIFIED = "Result not verified by MLCommons Association."
VERIFIED = "Result verified by MLCommons Association."
UNVERIFIED_BESIDE_VERIFIED = (
    "Unverified results have not been through an MLPerf® review and may use measurement methodologies and/or workload "
    "implementations that are inconsistent with the MLPerf® specification for verified results."
)
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United States "
    "and other countries. All rights reserved. Unauthorized use strictly prohibited. "
    "See www.mlcommons.org for more information."
)

ROUNDS = ("0.5", "0.7", "1.0", "1.1", "2.0", "2.1", "3.0", "3.1", "4.0", "4.1", "5.0", "5.1", "6.0")

# MultiStream meant something else until 1.1.
MULTISTREAM_OF_OLD = frozenset(ROUNDS[:4])

# Results of one benchmark may be compared within a span of rounds and never across its ends. A benchmark, a system
# type or a round that is not listed is compatible with its own round only.
COMPATIBLE = (
    # system type, benchmark as result files name it, first round, last round
    ("datacenter", "resnet", "0.5", "5.0"),
    ("datacenter", "ssd-mobilenet", "0.5", "3.1"),
    ("datacenter", "ssd-resnet34", "0.5", "2.0"),
    ("datacenter", "retinanet", "2.1", "5.1"),
    ("datacenter", "dlrm", "0.7", "3.0"),
    ("datacenter", "dlrm-v2", "3.1", "5.1"),
    ("datacenter", "bert", "0.7", "4.1"),
    ("datacenter", "rnnt", "0.7", "4.0"),
    ("datacenter", "3d-unet", "0.7", "5.0"),
    ("datacenter", "gptj", "3.1", "5.0"),
    ("datacenter", "llama2-70b", "4.0", "6.0"),
    ("datacenter", "stable-diffusion-xl", "4.0", "5.1"),
    ("datacenter", "mixtral-8x7b", "4.1", "6.0"),
    ("datacenter", "llama3.1-405b", "5.0", "6.0"),
    ("datacenter", "rgat", "5.0", "6.0"),
    ("datacenter", "llama3.1-8b", "5.1", "6.0"),
    ("datacenter", "whisper", "5.1", "6.0"),
    ("datacenter", "deepseek-r1", "5.1", "6.0"),
    ("edge", "resnet", "0.5", "6.0"),
    ("edge", "ssd-mobilenet", "0.5", "3.1"),
    ("edge", "ssd-resnet34", "0.5", "2.0"),
    ("edge", "retinanet", "2.1", "5.1"),
    ("edge", "bert", "0.7", "6.0"),
    ("edge", "rnnt", "0.7", "4.0"),
    ("edge", "3d-unet", "0.7", "6.0"),
    ("edge", "gptj", "3.1", "5.0"),
    ("edge", "stable-diffusion-xl", "4.0", "6.0"),
    ("edge", "pointpainting", "5.0", "6.0"),
    ("edge", "llama3.1-8b", "5.1", "6.0"),
    ("edge", "whisper", "5.1", "6.0"),
)

# What the guidelines want said with every result: field and what people call it.
QUALIFIERS = (
    ("suite_round", "version"),
    ("division", "division"),
    ("benchmark", "benchmark"),
    ("scenario", "scenario"),
    ("category", "availability category"),
    ("verification_status", "verification status"),
    ("accelerators", "number of accelerators"),
    ("submitter", "submitter"),
    ("system", "system under test"),
    ("result_id", "result ID"),
    ("retrieved_on", "date of retrieval"),
    ("retrieved_from", "source of retrieval"),
)


def benchmark_family(benchmark: str | None) -> str | None:
    """A benchmark's name without quality target and system type: llama2-70b of llama2-70b-99.9."""
    folded = fold(benchmark)
    return re.sub(r"-(99|99\.9|edge)$", "", folded) if folded else None


def compatible_rounds(a: Record, b: Record) -> str:
    """The words that two rounds of one benchmark are compatible; empty where the table does not say so."""
    family, kind = benchmark_family(a.benchmark), fold(a.system_type)
    if not family or not kind or (family, kind) != (benchmark_family(b.benchmark), fold(b.system_type)):
        return ""
    rounds = {version(a.suite_round), version(b.suite_round)}
    if fold(a.scenario) == "multistream" and not rounds.isdisjoint(MULTISTREAM_OF_OLD):
        return ""
    for system_type, name, first, last in COMPATIBLE:
        span = ROUNDS[ROUNDS.index(first) : ROUNDS.index(last) + 1]
        if (system_type, name) == (kind, family) and rounds <= set(span):
            return f"MLCommons lists versions {first} to {last} of {family} ({kind}) as compatible."
    return ""


def missing_qualifiers(record: Record) -> tuple[str, ...]:
    """What the guidelines want said and the record does not report."""
    return tuple(words for field, words in QUALIFIERS if unreported(getattr(record, field)))


def required_footnote(record: Record) -> str:
    """The footnote an MLPerf result must carry; empty for every other record. What is missing is said to be."""
    if not record.is_mlperf:
        return ""
    status = fold(record.verification_status)
    standing = {"verified": VERIFIED, "unverified": NOT_VERIFIED}.get(
        status or "",
        "Whether MLCommons Association verified the result is not reported: read it as unverified.",
    )
    title = f"MLPerf® {_suite(record)} {_round(record)}"
    chips = "number of accelerators not reported"
    if record.accelerators is not None:
        chips = "1 accelerator" if record.accelerators == 1 else f"{record.accelerators} accelerators"
    said = [
        f"{'' if status == 'verified' else 'Unverified '}{title}",
        _named(record, "division", "{} division"),
        *([fold(record.system_type) or ""] if fold(record.system_type) else []),
        _named(record, "benchmark", "{}"),
        _named(record, "scenario", "{} scenario"),
        _named(record, "category", "category {}"),
        chips,
        _named(record, "submitter", "submitted by {}"),
        _named(record, "system", "system {}"),
    ]
    entry = _named(record, "result_id", "result ID {}")
    source = _named(record, "retrieved_from", "from {}")
    retrieved = f"{entry}, retrieved {source}, {_named(record, 'retrieved_on', 'on {}')}"
    sentences = [", ".join(said), _capital(retrieved), standing.rstrip(".")]
    if any(each.metric.per_accelerator or each.metric.energy for each in record.figures):
        sentences.append(
            "Figures per accelerator or per unit of energy are derived from the result and are not official MLPerf® "
            "results; they count as unverified"
        )
    return " ".join(f"{each}." for each in sentences) + f" {TRADEMARK}"


def unreported(value: object) -> bool:
    return value is None or (isinstance(value, str) and fold(value) is None)


def suite_name(suite: str | None) -> str | None:
    """A suite's name without mark, owner and version: “mlperf inference” of “MLCommons MLPerf® Inference v5.1”."""
    return fold(re.sub(r"®|\bv?[0-9]+(\.[0-9]+)+\s*$|^.*?(?=mlperf)", " ", suite or "", flags=re.IGNORECASE))


def _suite(record: Record) -> str:
    name = (suite_name(record.suite) or "").removeprefix("mlperf").strip(" :")
    return name.title() or "(suite not reported)"


def _round(record: Record) -> str:
    return f"v{version(record.suite_round)}" if version(record.suite_round) else "(version not reported)"


def _named(record: Record, field: str, words: str) -> str:
    value = getattr(record, field)
    return f"{dict(QUALIFIERS)[field]} not reported" if unreported(value) else words.format(shown(value))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


assert all(ROUNDS.index(first) < ROUNDS.index(last) for _, _, first, last in COMPATIBLE)
assert all(a < b for a, b in pairwise(ROUNDS))
