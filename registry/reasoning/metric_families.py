"""What readers would take for the same: the family of a metric, by its key.

A family brings together definitions that people confuse, so that comparing can name what keeps them apart. A key that
is not listed is a family of its own: it is never mistaken for another, and never shares a row with one either.
"""

import re

FAMILIES: tuple[tuple[str, str], ...] = (
    # the first pattern that the key begins with decides
    (r"goodput", "goodput"),
    (r"ttft|prefill_latency", "time to first token"),
    (r"ttst", "time to second token"),
    (r"tpot|itl|time_per_chunk|per_token_latency", "time per output token"),
    (r"e2e|batch_latency|call_latency|stream_latency", "request latency"),
    (r"user_decode_throughput|user_e2e_throughput|interactivity|token_generation", "output tokens per second and user"),
    (r"user_prefill_throughput|prompt_processing|prefill_throughput", "prompt processing speed"),
    (r"(output|input|total)_throughput|(offline|server)_tokens|decode_throughput|prompt_and_generation",
     "tokens per second"),
    (r"request_throughput|(offline|server|scheduled)_samples|server_queries|forward_throughput", "requests per second"),
    (r"acceptance_length", "tokens accepted per step"),
    (r"acceptance_rate|draft_acceptance_rate", "share of draft tokens accepted"),
)  # fmt: skip


def family_of(key: str) -> str:
    return next((family for pattern, family in FAMILIES if re.match(pattern, key)), key)
