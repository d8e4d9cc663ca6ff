"""Input as it comes, and input that wants to hurt: read rightly or refused with the reason, within bounds."""

import gzip
import io
import json
import tracemalloc
import zipfile
from decimal import Decimal

import pytest

from registry.readers import decode as decoding
from registry.readers.decode import decode
from registry.readers.errors import Unreadable
from registry.readers.numbers import INFINITE, from_text
from tests.readers.made import VLLM, report, run


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_unicode_encoding_is_read(encoding):
    assert decode('{"größe": 1}'.encode(encoding)).objects == ({"größe": 1},)


def test_windows_and_progress_bar_line_ends_are_read():
    assert decode(b'10 %\r50 %\r{"a":\r\n 1}\r\n').objects == ({"a": 1},)


def test_text_before_between_and_after_documents_is_kept_apart():
    found = decode(b'[INFO] start\n[1/3] step\n{"a": 1}{"b": 2}\n, \n  [{"c": 3}] done\nend')
    assert found.objects == ({"a": 1}, {"b": 2}, [{"c": 3}])
    assert found.text == "[INFO] start\n[1/3] step\ndone\nend"


def test_brackets_of_a_log_are_no_json():
    found = decode(b"[2026-01-02 03:04:05] [INFO] {'a': 1}\n[\n{not json}\n[]x\n")
    assert found.objects == ([],)
    assert "{not json}" in found.text


def test_nan_is_missing_and_infinity_no_number():
    assert decode(b'{"a": NaN, "b": Infinity, "c": -Infinity}').objects == (
        {"a": None, "b": INFINITE, "c": INFINITE},
    )


def test_numbers_keep_their_digits():
    (found,) = decode(b'{"a": 1.10, "b": 0.1234567890123456789, "c": 12345678901234567890}').objects
    assert found == {"a": Decimal("1.10"), "b": Decimal("0.1234567890123456789"), "c": 12345678901234567890}
    assert str(found["a"]) == "1.10"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,019.69", "1019.69"), ("12", "12"), ("-1.5e3", "-1500"), ("N/A", None), ("", None), ("None", None)],
)
def test_numbers_of_tables_are_read(text, value):
    assert from_text(text) == (None if value is None else Decimal(value))


@pytest.mark.parametrize("text", ["1,01", "1.019,69", "12 ms", "0x10", "1_000", "²"])
def test_what_might_be_another_number_is_none(text):
    with pytest.raises(ValueError, match="."):
        from_text(text)


def test_a_file_cut_off_says_so():
    with pytest.raises(
        Unreadable, match="The JSON that begins on line 2 does not end: the file seems cut off"
    ):
        decode(b'log\n{"a": [1, 2')


def test_broken_json_says_where():
    with pytest.raises(
        Unreadable, match=r"begins on line 1 is broken: Expecting ',' delimiter: line 2 column 8"
    ):
        decode(b'{"a": 1,\n "b":2 3}')


def test_a_key_twice_is_refused_by_name():
    with pytest.raises(Unreadable, match="The key “duration” stands twice in one object"):
        decode(b'{"x": {"duration": 1, "duration": 2}}')


def test_archives_are_refused_with_what_to_do():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", b"0" * 10_000_000)
    for data in (packed.getvalue(), gzip.compress(b"0" * 10_000_000)):
        with pytest.raises(Unreadable, match="archive.* Unpack it and upload the file inside"):
            decode(data)


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_an_empty_file_is_named_so(data):
    with pytest.raises(Unreadable, match="The file is empty"):
        decode(data)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00", b"caf\xe9", b"{\x00}", b"\xed\xa0\x80"])
def test_what_is_no_text_is_refused(data):
    with pytest.raises(Unreadable, match="not text|no text"):
        decode(data)


def test_too_many_bytes_are_refused():
    with pytest.raises(Unreadable, match="at most 52,428,800 are read"):
        decode(b" " * (50 * 1024 * 1024 + 1))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested deeper than 64 levels"),
        (b"[" * 100_000, "nested deeper than 64 levels"),
        (
            b'{"a": ' + b"9" * 10_000_000 + b"}",
            "A number of 10,000,000 characters begins with “99999999999999999999”",
        ),
        (b'{"a": 0.' + b"9" * 10_000_000 + b"}", "A number of 10,000,002 characters"),
        (b'{"a": "' + b"x" * 10_000_000, "does not end"),
    ],
    ids=["deep objects", "deep arrays", "long integer", "long fraction", "endless text"],
)
def test_hostile_json_is_refused_in_bounded_memory(data, words):
    tracemalloc.start()
    with pytest.raises(Unreadable, match=words):
        report(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * len(data) + 20_000_000


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a": ' + b"[]," * 3_000_000 + b"}", "more than 4,000,000 texts and brackets"),
        (b'[{"a":1},' + b'{"a":1},' * 1_000_000 + b"{}]", "more than 2,500,000 values"),
    ],
    ids=["brackets", "objects"],
)
def test_files_of_too_many_parts_are_refused_before_they_are_built(data, words, monkeypatch):
    monkeypatch.setattr(decoding, "parse", lambda piece: pytest.fail("was built"))
    with pytest.raises(Unreadable, match=words):
        decode(data)


def test_lines_that_only_look_like_json_cost_a_bounded_number_of_steps(monkeypatch):
    looked = []
    real = decoding.extent
    monkeypatch.setattr(
        decoding, "extent", lambda data, start, budget: looked.append(start) or real(data, start, budget)
    )
    with pytest.raises(Unreadable, match="Too many lines look like the beginning of JSON"):
        decode(b"[1,\n" * 50 + b"x" * 1_000_000)
    assert len(looked) < 10


def test_quotation_marks_that_never_close_end_the_search_at_once():
    assert decode(b'["\n' * 10_000).objects == ()


def test_a_number_out_of_range_matters_only_where_it_is_read():
    assert run(VLLM | {"seed": 10**75}).conditions.model == "acme/Tiny-1B"
    with pytest.raises(Unreadable, match="is out of any measurement's range"):
        report(json.dumps(VLLM).replace('"mean_ttft_ms": 100.0', '"mean_ttft_ms": 1e999'))


def test_a_detailed_file_of_40_mb_is_read_in_bounded_memory():
    gaps = ", ".join(["0.012345678901234567"] * 40)
    requests = 40_000_000 // (len(gaps) + 4)
    detailed = json.dumps(VLLM)[:-1] + ', "itls": [' + ", ".join([f"[{gaps}]"] * requests) + "]}"
    data = detailed.encode()
    del detailed
    assert len(data) > 39_000_000
    tracemalloc.start()
    found = report(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found.runs[0].figures) == 19
    assert peak < 150_000_000


def test_long_arrays_of_texts_and_numbers_are_left_out_and_counted():
    data = json.dumps(
        {"texts": ["x" * 100] * 2000, "numbers": [[1.5] * 10] * 6000, "runs": [{"a": [1, 2]}]}
    ).encode()
    found = decode(data)
    assert found.objects == ({"texts": None, "numbers": None, "runs": [{"a": [1, 2]}]},)
    assert found.left_out == 2


def test_an_unknown_file_is_told_what_is_known():
    with pytest.raises(
        Unreadable,
        match=r"it holds 1 JSON document\(s\), the first with the keys a, b\. Known are vLLM bench serve",
    ):
        report({"a": 1, "b": 2})


def test_two_tools_in_one_file_are_told_apart():
    with pytest.raises(Unreadable, match="results of vLLM bench serve and vLLM bench throughput. Split it"):
        report([VLLM, {"elapsed_time": 1, "num_requests": 1, "total_num_tokens": 1, "tokens_per_second": 1}])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([{"error_code": None, "ttft_s": 1, "inter_token_latency_s": 1}], "Upload the summary beside it"),
        ("==== Serving Benchmark Result ====\nSuccessful requests: 4\n", "Save the result"),
        (
            "INSERT INTO test (build_commit, build_number) VALUES ('a', '1');",
            r"Write the result as JSON \(-o json\)",
        ),
    ],
)
def test_a_file_beside_a_result_is_told_from_it(content, words):
    with pytest.raises(Unreadable, match=words):
        report(content)
