"""Files that stand beside a result and are none: what they are, and which one to upload instead."""

from registry.readers.decode import Documents
from registry.readers.findings import rows

# keys that all stand in the first object → what the file is
BY_KEYS = (
    ({"error_code", "ttft_s", "inter_token_latency_s"},
     "This is LLMPerf's list of individual responses. Upload the summary beside it, whose name ends in _summary.json."),
    ({"backend", "scenario", "launcher", "environment"},
     "This is the configuration of optimum-benchmark. Upload benchmark.json, which holds configuration and report."),
    ({"run_name", "batch_size", "input_len", "output_len", "prefill_latency"},
     "This is a result of SGLang's bench_one_batch, which is not read. Measure with sglang.bench_serving."),
    ({"successful_requests", "total_latency", "last_gen_throughput"},
     "This is a result of SGLang's bench_offline_throughput, which is not read. Measure with sglang.bench_serving."),
    ({"benchmark", "model", "metric"},
     "This is vLLM's copy of a result for the PyTorch dashboard. Upload the JSON of the tool itself beside it."),
    ({"task_id", "output_tokens"},
     "This is a data set of trtllm-bench. Upload the file that --report_json wrote."),
)  # fmt: skip
# words of the text → what the file is
BY_WORDS = (
    ("Serving Benchmark Result ====",
     "This is what the load client printed, rounded and without its settings. Save the result (vLLM: --save-result, "
     "SGLang: --output-file) and upload that file."),
    ("INSERT INTO test (build_commit",
     "This is SQL of llama-bench. Write the result as JSON (-o json) and upload that."),
    ("TENSORRT LLM VERSION",
     "This is what trtllm-bench printed. Upload the file that --report_json wrote."),
)  # fmt: skip


def hint(documents: Documents) -> str | None:
    """What a file that no reader recognises is, if it is one of these."""
    first = next(iter(rows(documents)), {})
    for keys, sentence in BY_KEYS:
        if keys <= first.keys():
            return sentence
    return next((sentence for words, sentence in BY_WORDS if words in documents.text), None)
