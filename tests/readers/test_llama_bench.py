"""llama-bench: prompt speed, generation speed and their sum are three metrics, in every way the tool writes them."""

import json

import pytest

from registry.readers.errors import Unreadable
from tests.readers.made import LLAMA, LLAMA_TABLE, codes, figures, report, run

GENERATION = LLAMA | {"n_prompt": 0, "n_gen": 128, "avg_ts": 100.0, "stddev_ts": 0.5}


def test_prompt_processing_and_generation_are_two_metrics():
    found = report([LLAMA, GENERATION])
    assert [figures(each) for each in found.runs] == [
        {
            ("prompt_processing_llama", "mean"): "2000 tokens/s",
            ("prompt_processing_llama", "std"): "8 tokens/s",
        },
        {
            ("token_generation_llama", "mean"): "100 tokens/s",
            ("token_generation_llama", "std"): "0.5 tokens/s",
        },
    ]
    assert [each.label for each in found.runs] == ["Tiny-1B-Q4_K_M.gguf, pp512", "Tiny-1B-Q4_K_M.gguf, tg128"]
    assert found.tool_version == "b7000 (abc1234)"


def test_prompt_and_generation_together_are_no_output_speed():
    found = run(LLAMA | {"n_prompt": 512, "n_gen": 128})
    assert {figure.metric for figure in found.figures} == {"prompt_and_generation_llama"}
    assert "total-tokens" in codes(found)


def test_a_test_states_its_conditions_without_folders():
    conditions = run(LLAMA | {"n_depth": 4096}).conditions
    assert conditions.model == "Tiny-1B-Q4_K_M.gguf"
    assert (conditions.precision, conditions.kv_cache_precision) == ("Q4_K - Medium", "f16")
    assert (conditions.hardware, conditions.accelerators) == ("Imaginary X1", 1)
    assert (conditions.context_tokens, conditions.input_tokens, conditions.output_tokens) == (4096, 512, 0)
    assert conditions.repetitions == 2


def test_several_listed_devices_are_not_counted_for_the_reader():
    found = run(LLAMA | {"gpu_info": "Imaginary X1, Imaginary X1"})
    assert found.conditions.accelerators is None
    assert "accelerators" in found.missing
    assert "devices-listed" in codes(found)


def test_remote_backends_are_named():
    assert "several-machines" in codes(run(LLAMA | {"backends": "CUDA,RPC"}))


def test_a_deviation_over_one_sample_is_missing():
    found = run(LLAMA | {"samples_ts": [2000.0], "stddev_ts": 0.0})
    assert ("prompt_processing_llama", "std") not in figures(found)
    assert "deviation-of-one" in codes(found)


def test_files_older_than_the_depth_option_have_depth_0():
    row = {key: value for key, value in LLAMA.items() if key != "n_depth"}
    assert run(row).conditions.context_tokens == 0


def test_json_lines_after_a_log_are_read():
    lines = "[INFO] loading\nload_backend: loaded\n" + "\n".join(
        json.dumps(row) for row in (LLAMA, GENERATION)
    )
    assert len(report(lines).runs) == 2


def test_a_csv_is_read_like_the_json():
    row = {key: value for key, value in LLAMA.items() if not isinstance(value, list)}
    lines = [
        ",".join(row),
        ",".join(f'"{str(value).replace(chr(34), chr(34) * 2)}"' for value in row.values()),
    ]
    assert figures(run("\n".join(lines))) == figures(run(LLAMA))


def test_a_markdown_table_is_read_with_the_log_around_it():
    found = report(LLAMA_TABLE)
    prompt, generation = found.runs
    assert figures(prompt)["prompt_processing_llama", "mean"] == "2000 tokens/s"
    assert figures(generation)["token_generation_llama", "std"] == "0.5 tokens/s"
    assert generation.conditions.context_tokens == 4096
    assert (prompt.conditions.hardware, prompt.conditions.accelerators) == ("Imaginary X1", 2)
    assert prompt.conditions.flags == "ngl=99 fa=1"
    assert found.tool_version == "b7000 (abc1234)"


def test_a_table_names_a_kind_of_model_and_no_checkpoint():
    found = report(LLAMA_TABLE).runs[0]
    assert (found.conditions.model, found.conditions.architecture) == (None, "llama 1B Q4_K - Medium")
    assert "model" in found.missing
    assert "model-is-a-type" in codes(found)


def test_each_table_has_the_devices_found_before_it():
    second = LLAMA_TABLE.replace("found 2", "found 1").replace(
        "  Device 1: Imaginary X1, compute capability 9.0, VMM: yes\n", ""
    )
    found = report(LLAMA_TABLE + "\n" + second)
    assert [each.conditions.accelerators for each in found.runs] == [2, 2, 1, 1]


@pytest.mark.parametrize("sign", ["±", "+/-", "┬▒"])
def test_a_plus_minus_sign_survives_other_code_pages(sign):
    assert (
        figures(report(LLAMA_TABLE.replace("±", sign)).runs[0])["prompt_processing_llama", "std"]
        == "8 tokens/s"
    )


def test_a_build_number_of_a_shallow_clone_is_left_out():
    found = report(LLAMA_TABLE.replace("(7000)", "(1)"))
    assert found.tool_version == "abc1234"
    assert "build-number" in codes(found.runs[0])


def test_a_line_of_a_table_that_cannot_be_read_is_refused():
    with pytest.raises(Unreadable, match="has the test “pp512” and the speed “fast”, which cannot be read"):
        report(LLAMA_TABLE.replace("2,000.00 ± 8.00", "fast"))
