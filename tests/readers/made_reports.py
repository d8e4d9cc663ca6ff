"""Small reports of suites and of load generators with formats of their own, made up to be checked by arithmetic.

The run is that of `made`: 4 requests of 100 prompt and 20 output tokens in 8 s, one in flight, TTFT 100 ms, TPOT 100 ms,
so 2000 ms a request, 0.5 requests/s, 10 output tokens/s, 60 tokens/s in total.
"""

import json
from typing import Any


def block(unit: str, mean: float, spread: float = 0.1) -> dict[str, Any]:
    """A metric as genai-perf and AIPerf write it, symmetric around its mean."""
    low, high = round(mean * (1 - spread), 6), round(mean * (1 + spread), 6)
    return {
        "unit": unit,
        "avg": mean,
        "min": low,
        "p50": mean,
        "p90": high,
        "p99": high,
        "max": high,
        "std": mean * spread,
    }


GENAI: dict[str, Any] = {
    "request_throughput": {"unit": "requests/sec", "avg": 0.5},
    "request_latency": block("ms", 2000.0),
    "time_to_first_token": block("ms", 100.0),
    "inter_token_latency": block("ms", 100.0),
    "output_token_throughput": {"unit": "tokens/sec", "avg": 10.0},
    "output_token_throughput_per_request": block("tokens/sec", 10.0),
    "output_sequence_length": block("tokens", 20.0, 0.0),
    "input_sequence_length": block("tokens", 100.0, 0.0),
    "input_config": {
        "model": ["acme/Tiny-1B"],
        "backend": "tensorrtllm",
        "endpoint": "v1/chat/completions",
        "endpoint_type": "chat",
        "streaming": True,
        "u": "inference.acme.example:8000",
        "output_tokens_mean": 20,
        "output_tokens_stddev": 0,
        "random_seed": 7,
        "synthetic_input_tokens_mean": 100,
        "synthetic_input_tokens_stddev": 0,
        "concurrency": 1,
        "request_rate": None,
        "artifact_dir": "/data/someone/artifacts",
        "tokenizer": "acme/Tiny-1B",
        "extra_inputs": {"max_tokens": 20, "min_tokens": 20, "ignore_eos": True},
    },
}

GENAI_TABLE = (
    "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\r\n"
    'Time To First Token (ms),"1,100.00",90.00,"1,400.00","1,300.00",1200.00,1150.00,1120.00,1100.00,1000.00\r\n'
    "Inter Token Latency (ms),100.00,90.00,110.00,109.00,108.00,107.00,105.00,100.00,95.00\r\n"
    "Output Sequence Length,20.00,20.00,20.00,20.00,20.00,20.00,20.00,20.00,20.00\r\n"
    "\r\n"
    "Metric,Value\r\n"
    "Output Token Throughput (per sec),10.00\r\n"
    "Request Throughput (per sec),0.50\r\n"
)

AIPERF: dict[str, Any] = {
    "schema_version": "1.3",
    "aiperf_version": "0.10.0",
    "request_throughput": {"unit": "requests/sec", "avg": 0.5},
    "request_latency": block("ms", 2000.0) | {"count": 4},
    "request_count": {"unit": "requests", "avg": 4.0},
    "error_request_count": {"unit": "requests", "avg": 1.0},
    "time_to_first_token": block("ms", 100.0) | {"count": 4},
    "inter_token_latency": block("ms", 100.0) | {"count": 4},
    "inter_chunk_latency": block("ms", 200.0) | {"count": 38},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 10.0},
    "total_token_throughput": {"unit": "tokens/sec", "avg": 60.0},
    "output_token_throughput_per_user": block("tokens/sec/user", 10.0),
    "output_sequence_length": block("tokens", 20.0, 0.0),
    "input_sequence_length": block("tokens", 100.0, 0.0),
    "benchmark_duration": {"unit": "sec", "avg": 8.0},
    "goodput": {"unit": "requests/sec", "avg": 0.25},
    "was_cancelled": False,
    "error_summary": [{"error_details": {"message": "secret text"}, "count": 1}],
    "start_time": "2026-01-02T03:04:05.000001",
    "telemetry_data": {
        "endpoints": {
            "node7.acme.example:9400": {"gpus": {"gpu_0": {"gpu_name": "Imaginary X1", "hostname": "node7"}}},
        },
    },
    "input_config": {
        "models": {"items": [{"name": "acme/Tiny-1B"}]},
        "endpoint": {"type": "chat", "streaming": True, "urls": ["http://node7.acme.example"]},
        "datasets": [
            {"type": "synthetic", "prompts": {"isl": {"mean": 100, "stddev": 0}, "osl": {"value": 20}}}
        ],
        "phases": [
            {
                "type": "concurrency",
                "name": "warmup",
                "exclude_from_results": True,
                "requests": 2,
                "concurrency": 1,
            },
            {
                "type": "concurrency",
                "name": "profiling",
                "exclude_from_results": False,
                "requests": 5,
                "concurrency": 1,
            },
        ],
        "slos": {"request_latency": 2100.0},
        "tokenizer": {"name": "acme/Tiny-1B"},
        "cli_command": "aiperf profile --url node7.acme.example",
    },
}

AIPERF_TABLE = (
    "Metric,avg,min,max,sum,p1,p50,p99,std\r\n"
    "Inter Chunk Latency (ms),200.00,0.00,400.00,7600.00,10.00,200.00,390.00,50.00\r\n"
    "Inter Token Latency (ms),100.00,90.00,110.00,400.00,90.00,100.00,110.00,10.00\r\n"
    "Output Sequence Length (tokens),20.00,20.00,20.00,80.00,20.00,20.00,20.00,0.00\r\n"
    "Time to First Token (ms),100.00,90.00,110.00,400.00,90.00,100.00,110.00,10.00\r\n"
    "\r\n"
    "Metric,Value\r\n"
    "Benchmark Duration (sec),8.00\r\n"
    "Error Request Count,1.00\r\n"
    "Output Token Throughput (tokens/sec),10.00\r\n"
    "Request Count,4.00\r\n"
    "Request Throughput (requests/sec),0.50\r\n"
    "\r\n"
    "\r\n"
    "Endpoint,GPU_Index,GPU_Name,GPU_UUID,Metric,avg\r\n"
)


def aiperf_record(start: int, ttft: float, phase: str = "profiling", **more: Any) -> dict[str, Any]:
    """One request: 3 output tokens, the gaps between them 10 ms and 30 ms."""
    return {
        "metadata": {
            "request_start_ns": start * 10**9,
            "request_end_ns": (start + 1) * 10**9,
            "benchmark_phase": phase,
            "was_cancelled": False,
            "worker_id": "worker_7",
        },
        "metrics": {
            "time_to_first_token": {"value": ttft, "unit": "ms"},
            "inter_token_latency": {"value": 20.0, "unit": "ms"},
            "inter_chunk_latency": {"value": [10.0, 30.0], "unit": "ms"},
            "output_sequence_length": {"value": 3, "unit": "tokens"},
            "input_sequence_length": {"value": 5, "unit": "tokens"},
        },
    } | more


AIPERF_RECORDS = "\n".join(
    json.dumps(record)
    for record in (
        aiperf_record(100, 999.0, "warmup"),
        aiperf_record(101, 40.0),
        aiperf_record(102, 60.0),
        aiperf_record(104, 80.0),
        aiperf_record(105, 500.0, error={"message": "secret text"}, metrics={}),
    )
)


def spread(mean: float, count: int = 4, **more: Any) -> dict[str, Any]:
    """A distribution as GuideLLM writes it, once over each status."""
    empty = {"mean": 0.0, "median": 0.0, "std_dev": 0.0, "min": 0.0, "max": 0.0, "count": 0, "total_sum": 0.0}
    full = {
        "mean": mean, "median": mean, "std_dev": 0.0, "min": mean, "max": mean, "count": count, "total_sum": mean * count,
        "percentiles": {"p001": mean, "p25": mean, "p99": mean, "p999": mean},
    }  # fmt: skip
    return {"successful": full | more, "errored": empty, "incomplete": empty, "total": full}


def guidellm_metrics(per_token: float, by_token: bool) -> dict[str, Any]:
    return {
        "request_totals": {"successful": 4, "errored": 1, "incomplete": 2, "total": 7},
        "requests_per_second": spread(0.5, median=99.0),
        "request_concurrency": spread(1.0),
        "request_latency": spread(2.0),
        "prompt_token_count": spread(100.0),
        "output_token_count": spread(20.0),
        "time_to_first_token_ms": spread(100.0),
        "inter_token_latency_ms": spread(100.0, 76 if by_token else 4),
        "time_per_output_token_ms": spread(per_token, 80 if by_token else 4),
        "output_tokens_per_second": spread(10.0),
        "tokens_per_second": spread(60.0),
    }


GUIDELLM: dict[str, Any] = {
    "metadata": {"version": 2, "guidellm_version": "0.8.0"},
    "config": {
        "spec": {
            "backend": {
                "kind": "openai_http",
                "target": "http://node7.acme.example",
                "model": "acme/Tiny-1B",
            },
            "data": [{"kind": "synthetic_text", "prompt_tokens": 100, "output_tokens": 20}],
            "tokenizer": {"model": "/data/someone/tokenizers/tiny"},
            "seed": {"kind": "static", "value": 7},
        },
    },
    "benchmarks": [
        {
            "type_": "generative_benchmark",
            "config": {
                "strategy": {"type_": "concurrent", "streams": 1, "max_concurrency": 10240},
                "profile": {"kind": "concurrent", "max_concurrency": None},
                "backend": {
                    "model": "acme/Tiny-1B",
                    "request_format": "/v1/chat/completions",
                    "stream": True,
                },
                "warmup": {"percent": 0.1, "value": None},
            },
            "metrics": guidellm_metrics(100.0, by_token=True),
            "requests": {"successful": [{"prompt": "secret text"}]},
            "start_time": 1767323045.5,
            "duration": 8.0,
        },
    ],
}

GUIDELLM_OLD: dict[str, Any] = {
    "benchmarks": [
        {
            "type_": "generative_benchmark",
            "args": {
                "profile": {"type_": "sweep", "random_seed": 7, "max_concurrency": None},
                "strategy": {"type_": "constant", "rate": 0.5},
                "warmup_number": None,
                "warmup_duration": None,
            },
            "worker": {
                "backend_type": "openai_http",
                "backend_target": "http://node7",
                "backend_model": "acme/Tiny-1B",
            },
            "request_loader": {"data": "prompt_tokens=100,output_tokens=20", "processor": "acme/Tiny-1B"},
            "metrics": guidellm_metrics(95.0, by_token=False),
            "start_time": 1767323045.5,
            "duration": 8.0,
        },
    ],
}

GUIDELLM_TABLE_OLD = (
    "Type,Name,Duration,Successful Requests,Errored Requests,Incomplete Requests,Total Requests,"
    "Successful Time to first token ms mean,Successful Time to first token ms median,"
    'Successful Time to first token ms std dev,"Successful Time to first token ms [min, 0.1, 1, 5, 10, 25, 75, 90, 95, 99, max]",'
    "Successful Output tokens per second mean\n"
    'generative_benchmark,synchronous,8.0,4,1,2,7,100.0,100.0,9.0,"[80, 81, 82, 83, 84, 90, 110, 115, 118, 119, 120]",10.0\n'
)
GUIDELLM_TABLE = (
    "Run Info,Benchmark,Request Counts,Request Counts,Request Counts,Request Counts,Time to First Token,Time to First Token,"
    "Inter Token Latency,Token Throughput\n"
    "Run ID,Type,Successful,Incomplete,Errored,Total,Successful ms,Successful ms,Successful ms,Successful Output Tokens/Sec\n"
    ",,,,,,Mean,Percentiles,Mean,Mean\n"
    '1,generative_benchmark,4,2,1,7,100.0,"[80, 81, 82, 83, 84, 90, 110, 115, 118, 119, 120]",100.0,10.0\n'
)

INFERENCEX: dict[str, Any] = {
    "hw": "x1-trt",
    "tp": 4,
    "ep": 2,
    "dp_attention": "false",
    "conc": 1,
    "model": "acme/Tiny-1B",
    "framework": "trt",
    "precision": "fp8",
    "image": "registry.acme.example/serve/trt:1.2.0",
    "isl": 100,
    "osl": 20,
    "tput_per_gpu": 15.0,
    "output_tput_per_gpu": 2.5,
    "input_tput_per_gpu": 12.5,
    "mean_ttft": 0.1,
    "median_ttft": 0.09,
    "p99_ttft": 0.14,
    "mean_tpot": 0.1,
    "mean_intvty": 10.0,
    "median_tpot": 0.08,
    "median_intvty": 12.5,
    "std_tpot": 0.01,
    "std_intvty": 100.0,
    "p99_tpot": 0.2,
    "p99_intvty": 5.0,
    "mean_itl": 1.0,
    "mean_e2el": 2.0,
}

INFERENCEX_TABLE = (
    "# Licensed under Apache License 2.0\n"
    "# Copyright\n"
    "# Attribution is required\n"
    "Model,ISL,OSL,Hardware,Hardware Key,Framework,Precision,TP,Concurrency,Date,Throughput/GPU (tok/s),"
    "Output Throughput/GPU (tok/s),Input Throughput/GPU (tok/s),Mean TTFT (ms),Median TPOT (ms),P99 TPOT (ms),"
    "Median Interactivity (tok/s/user),Disaggregated,Num Prefill GPUs,Num Decode GPUs,"
    "Spec Decoding,EP,DP Attention,Is Multinode\n"
    "Tiny-1B,100,20,x1,x1_trt,trt,fp8,4,1,2026-01-02,15.0,2.5,12.5,0.1,0.08,0.2,12.5,false,,,none,2,false,false\n"
)

INFERENCEX_CLIENT: dict[str, Any] = {
    "model_id": "acme/Tiny-1B",
    "num_prompts": 4,
    "request_rate": "inf",
    "max_concurrency": 1,
    "duration": 8.0,
    "completed": 4,
    "total_input_tokens": 400,
    "total_output_tokens": 80,
    "request_throughput": 0.5,
    "output_throughput": 10.0,
    "median_ttft": 0.1,
    "p99_ttft": 0.14,
    "median_e2el": 2.0,
    "median_tpot": 0.1,
}

INFERENCE_PERF: dict[str, Any] = {
    "load_summary": {
        "count": 5,
        "schedule_delay": {"mean": 0.001, "median": 0.001, "min": -0.001},
        "requested_rate": 0.5,
        "achieved_rate": 0.5,
        "send_duration": 8.0,
    },
    "successes": {
        "count": 4,
        "latency": {
            "request_latency": {"mean": 2.0, "median": 2.0, "p99": 2.1, "p99.9": 2.1},
            "time_to_first_token": {"mean": 0.1, "median": 0.09, "p99": 0.14},
            "time_per_output_token": {"mean": 0.1, "median": 0.099, "p99": 0.11},
            "normalized_time_per_output_token": {"mean": 0.1, "median": 0.1, "p99": 0.105},
            "inter_token_latency": {"mean": 0.05, "median": 0.05, "p99": 0.2},
        },
        "throughput": {"requests_per_sec": 0.5, "output_tokens_per_sec": 10.0, "total_tokens_per_sec": 60.0},
        "prompt_len": {"mean": 100.0, "min": 100.0, "max": 100.0},
        "output_len": {"mean": 20.0, "min": 20.0, "max": 20.0},
    },
    "failures": {"count": 1},
}

MLPERF_SERVER = """\
================================================
MLPerf Results Summary
================================================
SUT name : SomeonesSUT
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 0.50
Completed tokens per second: 10.00
Result is : VALID
  Performance constraints satisfied : Yes
  Min duration satisfied : Yes
================================================
Additional Stats
================================================
Scheduled samples per second : 0.60
Min latency (ns)                : 1900000000
Mean latency (ns)               : 2000000000
99.00 percentile latency (ns)   : 2100000000
99.90 percentile latency (ns)   : 2200000000
Completed tokens per second                 : 10.00
Mean First Token latency (ns)               : 100000000
50.00 percentile first token latency (ns)   : 90000000
99.00 percentile first token latency (ns)   : 140000000
Mean Time to Output Token (ns)                : 100000000
99.00 percentile time to output token (ns)   : 110000000
================================================
Test Parameters Used
================================================
samples_per_query : 1
target_qps : 0.6
ttft_latency (ns): 2000000000
tpot_latency (ns): 200000000
accuracy_log_sampling_target : 0
performance_issue_unique : 0
performance_issue_same : 0
No warnings encountered during test.
No errors encountered during test.
"""

MLPERF_OFFLINE = """\
================================================
MLPerf Results Summary
================================================
Scenario : Offline
Mode     : PerformanceOnly
Samples per second: 0.5
Tokens per second: 10
Result is : VALID
Mean latency (ns)               : 1279299435599
99.00 percentile latency (ns)   : 3112088352356
ttft_latency (ns): 2000000000
tpot_latency (ns): 80000000
"""

MLPERF_SYSTEM: dict[str, Any] = {
    "accelerator_interconnect": "ImaginaryLink",
    "accelerator_model_name": "Imaginary X1",
    "accelerators_per_node": 4,
    "division": "closed",
    "framework": "vLLM 0.9.0, Pytorch 2.7.0",
    "host_processor_model_name": "Imaginary CPU",
    "host_processors_per_node": 2,
    "number_of_nodes": 2,
    "operating_system": "Ubuntu 24.04",
    "status": "preview",
    "submitter": "Acme",
    "system_name": "Acme 8x X1",
    "system_type": "datacenter",
}

MLPERF_RESULT: dict[str, Any] = {
    "ID": "5.1-9999",
    "Submitter": "Acme",
    "Availability": "available",
    "Category": "closed",
    "Suite": "datacenter",
    "System": "Acme 8x X1",
    "Model": "llama3.1-8b",
    "Scenario": "Interactive",
    "Accuracy": "ROUGE1: 38.7",
    "Nodes": 2,
    "Processor": "Imaginary CPU",
    "Accelerator": "Imaginary X1",
    "a#": 4.0,
    "Location": "closed/Acme/results/x1/llama3.1-8b/Interactive",
    "Software": "vLLM 0.9.0, Pytorch 2.7.0",
    "errors": 0,
    "inferred": 0,
    "version": "v5.1",
    "has_power": False,
    "weight_data_types": "fp8",
    "Performance_Result": 1234.5,
    "Performance_Units": "Queries/s",
}

MLPERF_CHECKER = (
    "Organization,Availability,Division,SystemType,SystemName,Platform,Model,MlperfModel,Scenario,Result,Accuracy,"
    "number_of_nodes,host_processor_model_name,accelerator_model_name,accelerators_per_node,framework,errors,version,inferred,"
    "has_power,Units\n"
    'Acme,available,closed,"datacenter","Acme 8x X1",x1,mixtral-8x7b,mixtral-8x7b,Server,57174.1,45.3,2,CPU,"Imaginary X1","4",'
    '"vLLM 0.9.0, Pytorch 2.7.0",0,v4.1,0,False,Queries/s\n'
    'Acme,available,closed,"datacenter","Acme 8x X1",x1,resnet50,resnet,Offline,100.5,76.0,2,CPU,"Imaginary X1","4",'
    '"vLLM 0.9.0, Pytorch 2.7.0",0,v4.1,0,False,Samples/s\n'
)

MLPERF_PIVOT = (
    ",,,,,,,,,Benchmark  /  Model MLC  /  Scenario  /  Units,,\r\n"
    ",,,,,,,,,Inference,,\r\n"
    ",,,,,,,,,deepseek-r1,,retinanet\r\n"
    ",,,,,,,,,Offline,Server,Offline\r\n"
    "Public ID,Organization,Availability,System Name (click + for details),# of Nodes,Accelerator,# of Accelerators,"
    "Division/Power,,Samples/s,Queries/s,Samples/s\r\n"
    '5.1-9999,Acme,available,"Acme, 8x X1",2,Imaginary X1,4,Closed ,# of  Processors ,2,2,\r\n'
    ",,,,,,,,# of Accelerators,4,4,\r\n"
    ",,,,,,,,# of Nodes,2,2,\r\n"
    ',,,,,,,,Avg. Result at System Name,"48,047.00","22,545.10",\r\n'
    "5.1-9998,Acme,preview,Acme CPU,1,N/A,0,Closed ,# of  Processors ,,,2\r\n"
    ",,,,,,,,# of Accelerators,,,0\r\n"
    ",,,,,,,,# of Nodes,,,1\r\n"
    ",,,,,,,,Avg. Result at System Name,,,476.59\r\n"
)

MLPERF_LONG = (
    "Public ID\tOrganization\tAvailability\tSystem Name (click + for details)\tAccelerator (click + for details)\t"
    "Accelerators per node\tBenchmark\tModel MLC\tScenario\tUnits\tDivision/Power\t# of Nodes\tAvailability\t"
    "Total Accelerators \tAvg. Result at System Name\n"
    "v6.0-9999\tAcme\tavailable\tAcme Cluster\tImaginary X1 (x7)\t4\tInference\tllama2-70b-99\tOffline\tTokens/s\tClosed \t2\t"
    "available\t7\t1042.5\n"
)

ALL: dict[str, Any] = {
    "genai-perf": GENAI,
    "genai-perf CSV": GENAI_TABLE,
    "AIPerf": AIPERF,
    "AIPerf CSV": AIPERF_TABLE,
    "AIPerf JSONL": AIPERF_RECORDS,
    "GuideLLM": GUIDELLM,
    "GuideLLM 0.2": GUIDELLM_OLD,
    "GuideLLM CSV": GUIDELLM_TABLE,
    "GuideLLM 0.2 CSV": GUIDELLM_TABLE_OLD,
    "InferenceX": INFERENCEX,
    "InferenceX CSV": INFERENCEX_TABLE,
    "InferenceX client": INFERENCEX_CLIENT,
    "inference-perf": INFERENCE_PERF,
    "MLPerf server log": MLPERF_SERVER,
    "MLPerf offline log": MLPERF_OFFLINE,
    "MLPerf system": MLPERF_SYSTEM,
    "MLPerf results": [MLPERF_RESULT],
    "MLPerf checker CSV": MLPERF_CHECKER,
    "MLPerf pivot": MLPERF_PIVOT,
    "MLPerf long table": MLPERF_LONG,
}
