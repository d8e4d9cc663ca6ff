"""What holds for every MLPerf result: what must be supplied and printed, and in which unit a model's results are.

In several rounds the published tables label results of language models Samples/s or Queries/s and hold tokens per second
(pull requests inference#1822, #2150). Which models are measured in tokens since which round: inference_rules.adoc.
"""

import re
from decimal import Decimal

from registry.readers.run import Quirk

SUITE = "MLPerf Inference"
NEEDED = (
    "hardware",
    "accelerators",
    "nodes",
    "system",
    "model",
    "precision",
    "runtime",
    "runtime_version",
    "submitter",
    "suite_version",
    "division",
    "category",
    "availability",
    "scenario",
    "result_id",
)
# Model names that begin so are measured in output tokens per second from this round on.
TOKENS_SINCE = {
    "llama2-70b": Decimal("4.0"),
    "mixtral-8x7b": Decimal("4.1"),
    "gptj": Decimal("4.1"),
    "llama3.1-405b": Decimal("5.0"),
    "llama3.1-8b": Decimal("5.1"),
    "deepseek-r1": Decimal("5.1"),
    "whisper": Decimal("5.1"),  # labelled Samples/s in 5.1 and 6.0; the logs of 5.1 show output tokens
    "gpt-oss-120b": Decimal("6.0"),
}
# qsl_rng_seed as the rules set it for a round, and as audit test TEST05 sets it in 4.0 and 4.1 (submission_checker.py).
SEEDS = {
    "3066443479025735752": "v4.1",
    "6023615788873153749": "v5.0",
    "1780908523862526354": "v5.1",
    "2465351861681999779": "v6.0",
}
AUDIT_SEEDS = frozenset({"2376919268182438552", "16799458546791641818"})
ROUND = re.compile(r"v?(?P<round>\d{1,2}\.\d)\b", re.ASCII)


def round_of(text: str | None) -> str | None:
    """The round in “v5.1”, “5.1-0071” or “v6.0-0001”, written v5.1."""
    match = ROUND.match(text.strip()) if text else None
    return f"v{match['round']}" if match else None


def in_tokens(model: str, version: str | None) -> bool | None:
    """Whether the model's results are tokens per second in this round; None where that cannot be said."""
    for name, since in TOKENS_SINCE.items():
        if model.startswith(name):
            if version is None:
                return None
            return Decimal(version.lstrip("v")) >= since
    return False


MESSAGING = Quirk(
    "mlperf-messaging",
    "Beside each figure must stand: submitter, MLPerf Inference with round and division, benchmark, scenario, system with its "
    "number of accelerators, availability, result id, date and source of retrieval, and the trademark notice. Figures are "
    "compared with MLPerf results of the same benchmark and scenario only; what is derived from them (per accelerator, per "
    "watt, sums) is unofficial.",
)
IDENTIFIED = Quirk(
    "mlperf-identified",
    "The table gives the id of a published result: what stands under it on the results page may be called verified.",
)
UNVERIFIED = Quirk(
    "mlperf-unverified",
    "The file does not show that MLCommons published this result. Until that is known it is unverified, and “Result not "
    "verified by MLCommons Association.” must stand beside it.",
    "warning",
)
