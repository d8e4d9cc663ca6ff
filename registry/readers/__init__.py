"""Benchmark result files: bytes in, frozen dataclasses out.

A reader is a module with `TOOL` (its name), `FORMATS` (what it recognises, in words), `recognises(documents)` and
`read_runs(documents) -> Report`. Recognition goes by content alone, never by the file's name.
"""

from types import ModuleType

from registry.readers import (
    aiperf,
    decode,
    genai_perf,
    guidellm,
    inference_perf,
    inferencex,
    llama_bench,
    llmperf,
    mlperf,
    optimum_benchmark,
    sglang,
    trtllm_bench,
    vllm_latency,
    vllm_serve,
    vllm_throughput,
)
from registry.readers.decode import Documents
from registry.readers.errors import Unreadable
from registry.readers.hints import hint
from registry.readers.run import Report

READERS: tuple[ModuleType, ...] = (
    vllm_serve,
    vllm_latency,
    vllm_throughput,
    sglang,
    trtllm_bench,
    llmperf,
    llama_bench,
    optimum_benchmark,
    genai_perf,
    aiperf,
    guidellm,
    inference_perf,
    inferencex,
    mlperf,
)


def read(data: bytes, name: str = "") -> Report:
    """What a result file says. The name only serves error sentences. Raises Unreadable and nothing else."""
    try:
        documents = decode.decode(data)
        return reader_of(documents).read_runs(documents)
    except Unreadable as error:
        raise Unreadable(f"{name}: {error}" if name else str(error)) from None


def reader_of(documents: Documents) -> ModuleType:
    """The one reader that knows this content."""
    found = [reader for reader in READERS if reader.recognises(documents)]
    if len(found) == 1:
        return found[0]
    if found:
        tools = " and ".join(reader.TOOL for reader in found)
        raise Unreadable(f"The file holds results of {tools}. Split it into one file a tool.")
    if known_otherwise := hint(documents):
        raise Unreadable(known_otherwise)
    known = "; ".join(f"{reader.TOOL} ({reader.FORMATS})" for reader in READERS)
    raise Unreadable(f"This is no result file of a known tool: {described(documents)}. Known are {known}.")


def described(documents: Documents) -> str:
    """What was found instead, in a few words and without quoting values."""
    if not documents.objects:
        lines = documents.text.count("\n") + 1
        return f"it holds no JSON, only {lines:,} line{'s' if lines > 1 else ''} of text"
    first = documents.objects[0]
    if isinstance(first, list):
        first = first[0] if first and isinstance(first[0], dict) else {}
    keys = [key[:40] for key in first if key.isprintable()][:6] if isinstance(first, dict) else []
    named = f"with the keys {', '.join(keys)}" if keys else "without keys"
    return f"it holds {len(documents.objects):,} JSON document(s), the first {named}"
