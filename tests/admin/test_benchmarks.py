"""A result file on its way to readers: upload, completion, drafts, review, correction, withdrawal; and every refusal."""

import json
import re
import zlib
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from registry.actions.benchmark_import import import_file
from registry.actions.benchmark_plan import Supplied
from registry.actions.uploads import keep, kept
from registry.models import Artifact, BenchmarkRecord, Upload, Workload
from registry.readers.text import MAX_BYTES
from registry.tasks import forget_uploads
from tests import factories
from tests.admin.desks import desk, sent_back
from tests.readers.made import LLAMA, VLLM
from tests.readers.made_reports import AIPERF, MLPERF_OFFLINE, MLPERF_PIVOT

IMPORT = "/admin/registry/benchmarkrecord/import/"
LIST = "/admin/registry/benchmarkrecord/"


def upload(client, content, name="result.json", **options):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return client.post(IMPORT, {"file": SimpleUploadedFile(name, data)}, **options)


def form_of(client, content, name="result.json"):
    """(address, what its form holds) of the page that completes a file."""
    answer = upload(client, content, name)
    assert answer.status_code == 302, answer.context["form"].errors
    return answer.url, as_shown(client.get(answer.url))


def as_shown(response):
    """Every field of the completion form as a browser would send it."""
    found = {}
    for field in response.context["form"]:
        value = field.value()
        if value not in (None, False, ""):
            found[field.html_name] = "on" if value is True else str(field.field.prepare_value(value))
    return found


def completed(client, content=VLLM, **typed):
    """The answer to the form of a file, filled with what is needed."""
    address, shown = form_of(client, content)
    named = {name: organisation().key for name in names(client, address, "submitter")}
    named |= {name: factories.subject().key for name in names(client, address, "hardware")}
    return client.post(address, {**shown, **named, "source": factories.source().key, "make": "1", **typed})


def names(client, address, role):
    form = client.get(address).context["form"]
    return [each.field for each in form.named if each.role == role]


def organisation():
    return factories.organisation(kind="independent")


def problems(answer):
    form = answer.context["form"]
    return {name: list(errors) for name, errors in form.errors.items()}


def step(record, name):
    return reverse(f"admin:registry_benchmarkrecord_{name}", args=[record.pk])


def said(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


# The whole road ------------------------------------------------------------------------------------------


def test_from_a_file_to_a_correction_and_a_withdrawal(author, reviewer):
    hardware, submitter, source = factories.subject(name="Imaginary X1"), organisation(), factories.source()
    model = factories.subject("checkpoint", detail={"identifier": "acme/Tiny-1B"})
    address, shown = form_of(author, VLLM)
    assert shown["checkpoint-0"] == model.key
    page = said(author.get(address))
    assert "vLLM bench serve" in page
    assert "Suggested, please check" in page
    typed = {
        "source": source.key,
        "hardware-0": "Imaginary X1",
        "submitter-0": submitter.key,
        "boundary": "client to client",
        "condition-accelerators": "8",
        "condition-precision": "FP8",
        "condition-warm_up": "10 requests",
        "make": "1",
    }
    answer = author.post(address, {**shown, **typed}, follow=True)
    record = BenchmarkRecord.objects.get()
    assert list(answer.context["cl"].result_list) == [record]
    assert "1 draft was made from result.json." in answer.content.decode()
    assert (record.hardware, record.checkpoint, record.submitter) == (hardware, model, submitter)
    assert (record.accelerators, record.precision, record.boundary) == (8, "FP8", "client to client")
    assert (record.workload.concurrency, record.workload.warm_up) == (1, "10 requests")
    assert record.measurements.get(metric="output_throughput_client").value == 10
    assert record.citations.get().passage.source == source
    assert not Upload.objects.exists()

    author.post(step(record, "submit"), {"note": "Compare the file."})
    page = said(reviewer.get(step(record, "review")))
    for words in ["First publication", "Imaginary X1", "Workload: concurrency", "10.0 tokens/s"]:
        assert words in page
    record.refresh_from_db()
    reviewer.post(step(record, "publish"), {"seen": record.edited_at.isoformat()})
    record.refresh_from_db()
    assert (record.status, record.name) == ("published", "B-1/1")

    answer = author.post(
        step(record, "correct"), {"kind": "correction", "note": "The throughput was misread."}
    )
    data = sent_back(author.get(answer.url))
    row = next(name for name, value in data.items() if value == "output_throughput_client").removesuffix(
        "-metric"
    )
    data |= {f"{row}-value": "11", f"{row}-text": "11 tokens/s", "asked_concurrency": "2", "nodes": "1"}
    assert author.post(answer.url, data).status_code == 302
    draft = BenchmarkRecord.objects.get(revision=2)
    assert draft.measurements.count() == record.measurements.count()
    assert draft.measurements.get(metric="output_throughput_client").value == 11
    assert draft.measurements.get(metric="ttft_client", statistic="p99").text == "140.0 ms"
    assert (draft.workload.concurrency, record.workload.concurrency) == (2, 1)
    assert draft.workload != record.workload

    author.post(step(draft, "submit"), {"note": "One figure."})
    review = reviewer.get(step(draft, "review"))
    changed = {row.label: (row.old, row.new) for row in review.context["differences"] if row.changed}
    assert changed.pop("Workload: concurrency") == ("1", "2")
    assert changed.pop("Nodes") == ("", "1")
    ((label, (old, new)),) = changed.items()
    assert "output_throughput_client" in label
    assert (old, new) == ("10.0 tokens/s (stated: 10.0 tokens/s)", "11 tokens/s (stated: 11 tokens/s)")
    draft.refresh_from_db()
    reviewer.post(step(draft, "publish"), {"seen": draft.edited_at.isoformat()})
    draft.refresh_from_db()
    record.refresh_from_db()
    assert (draft.status, draft.name, record.status) == ("published", "B-1/2", "superseded")

    reviewer.post(step(draft, "withdraw"), {"reason": "The lab took it back."})
    draft.refresh_from_db()
    assert (draft.status, draft.end_note) == ("withdrawn", "The lab took it back.")


def test_each_run_becomes_a_draft_and_the_list_shows_exactly_these(author):
    factories.benchmark_record("draft", by=author.person)
    runs = "\n".join(json.dumps({**LLAMA, "n_prompt": length}) for length in (512, 1024, 2048)).encode()
    answer = author.get(completed(author, runs).url)
    assert answer.context["cl"].result_count == 3
    assert {record.artifact.name for record in answer.context["cl"].result_list} == {"result.json"}
    # They measure a prefill alone: that nothing was put out is known, not missing.
    assert {record.further["output_tokens"] for record in answer.context["cl"].result_list} == {"0"}


def test_a_record_is_entered_by_hand_from_a_printed_table(author):
    source, hardware, submitter = factories.source(), factories.subject(), organisation()
    data = {
        "hardware": hardware.key,
        "submitter": submitter.key,
        "tool": "vLLM bench serve",
        "run": "Table 3, row 2",
        "asked_load_mode": "closed",
        "asked_concurrency": "8",
        "further": "tensor_parallel = 8",
        "citations-TOTAL_FORMS": "1",
        "citations-INITIAL_FORMS": "0",
        "citations-0-source": source.key,
        "citations-0-locator": "Table 3",
        "citations-0-stance": "supports",
        "measurements-TOTAL_FORMS": "1",
        "measurements-INITIAL_FORMS": "0",
        "measurements-0-metric": "ttft_client",
        "measurements-0-statistic": "p99",
        "measurements-0-value": "140.0",
        "measurements-0-text": "140.0 ms",
    }
    answer = author.post(f"{LIST}add/", data)
    assert answer.status_code == 302, answer.context["errors"]
    record = BenchmarkRecord.objects.get()
    assert (record.workload.concurrency, record.further) == (8, {"tensor_parallel": 8})
    assert str(record.measurements.get().value) == "140.0"
    assert author.post(step(record, "submit"), {"note": "Look."}).status_code == 302


# Upload --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PK\x03\x04 zipped", "a zip archive"),
        (b"[" * 100_000, "nest"),
        (b'{"a": ' + b"9" * 2_000_000 + b"}", "digits"),
        (b"\xff\xfea\x00b", "not text"),
        (b"hello", "no result file of a known tool"),
        (b"\x00" * 1000, "empty"),
        (b'{"model_id": "x", "model_id": "y"}', "twice"),
        ({**VLLM, "model_id": "<script>alert(1)</script>" * 30}, "more than 300 characters"),
    ],
)
def test_a_file_that_cannot_be_read_gives_the_readers_sentence(author, content, sentence):
    answer = upload(author, content)
    assert answer.status_code == 200
    assert sentence in " ".join(problems(answer)["file"]), problems(answer)
    assert not Upload.objects.exists()


def test_without_a_file_the_form_asks_for_one(author):
    assert problems(author.post(IMPORT, {}))["file"] == ["Choose the file that the benchmark tool wrote."]


def test_a_file_without_a_usable_run_says_why(author):
    answer = upload(author, {**VLLM, "completed": 0, "failed": 4})
    assert answer.status_code == 200
    assert "No run of the file can become a record" in problems(answer)["file"][0]


def test_the_same_file_twice_leads_to_the_first_records(author, reviewer):
    completed(author)
    record = BenchmarkRecord.objects.get()
    answer = upload(reviewer, VLLM)
    assert answer.status_code == 409
    assert f'href="{step(record, "change")}"' in said(answer)
    shown = reviewer.get(answer.context["known_rows"]).context["cl"]
    assert list(shown.result_list) == [record]


def test_and_so_does_the_form_that_was_open_meanwhile(author, reviewer):
    address, shown = form_of(author, VLLM)
    completed(reviewer)
    for answer in (author.post(address, shown), upload(author, VLLM)):
        assert answer.status_code == 409
        assert step(BenchmarkRecord.objects.get(), "change") in said(answer)
    assert not Upload.objects.exists()


def test_a_file_whose_drafts_were_discarded_can_come_again(author):
    completed(author)
    author.post(step(BenchmarkRecord.objects.get(), "discard"))
    assert completed(author).status_code == 302
    assert BenchmarkRecord.objects.count() == Artifact.objects.count() == 1


def test_the_file_of_one_person_is_no_other_persons(author, reviewer):
    address, _ = form_of(author, VLLM)
    for answer in (reviewer.get(address, follow=True), reviewer.post(address, {"make": "1"}, follow=True)):
        assert answer.redirect_chain[-1][0] == IMPORT
        assert "not kept for you" in said(answer)
        assert "Tiny-1B" not in said(answer)
    reviewer.post(address, {"drop": "1"})
    assert author.get(address).status_code == 200


def test_a_person_has_one_file_for_one_day(author):
    first, _ = form_of(author, VLLM)
    second, _ = form_of(author, {**VLLM, "completed": 3, "failed": 1, "num_prompts": 4})
    assert Upload.objects.count() == 1
    assert author.get(first).status_code == 302
    assert author.get(second).status_code == 200
    Upload.objects.update(at=timezone.now() - timedelta(days=1, seconds=1))
    assert author.get(second).status_code == 302
    keep(b"another", "another", by=factories.user())
    forget_uploads()
    assert not Upload.objects.filter(by=author.person).exists()
    assert Upload.objects.count() == 1


def test_a_file_is_dropped_on_request(author):
    address, _ = form_of(author, VLLM)
    assert author.post(address, {"drop": "1"}).status_code == 302
    assert not Upload.objects.exists()


def test_what_is_kept_comes_back_byte_for_byte(author):
    data = json.dumps(VLLM).encode()
    sha256 = keep(data, "/data/someone/…\\result.json", by=author.person)
    assert kept(sha256, by=author.person) == (data, "result.json")
    assert kept(sha256, by=factories.user()) is None


# How large ------------------------------------------------------------------------------------------------


def lines_of(size):
    """A log of that many bytes."""
    return SimpleUploadedFile("run.log", (b"x" * 99 + b"\n") * (size // 100))


def test_up_to_50_mb_are_read(author):
    answer = author.post(IMPORT, {"file": lines_of(MAX_BYTES)})
    assert "no result file of a known tool" in problems(answer)["file"][0]


def test_more_is_refused_in_words_and_never_kept(author):
    answer = author.post(IMPORT, {"file": lines_of(MAX_BYTES + 200_000)})
    assert answer.status_code == 200
    (sentence,) = problems(answer)["file"]
    assert sentence.startswith("The file is larger than 52,428,800 bytes")


@pytest.mark.parametrize("address", [LIST, "/admin/login/", "/admin/registry/claim/add/", IMPORT + "x/"])
def test_no_other_address_reads_as_much(author, address):
    assert author.post(address, {"file": lines_of(11 * 2**20)}).status_code == 400


def test_nor_does_the_import_for_whoever_may_not_add():
    # The token is read from the body, and so the body before anything else.
    checked = {"enforce_csrf_checks": True}
    strangers = [desk(factories.user("", is_staff=True), **checked), desk(factories.user(""), **checked)]
    strangers.append(Client(**checked))
    for client in strangers:
        client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
        assert client.post(IMPORT, {"file": lines_of(11 * 2**20)}).status_code == 400


def test_nothing_reads_a_flood(author):
    answer = author.post(IMPORT, {"file": lines_of(4 * MAX_BYTES + 100_000)})
    assert answer.status_code == 400


# Completion -----------------------------------------------------------------------------------------------


def test_all_problems_stand_at_their_fields_and_nothing_typed_is_lost(author):
    address, shown = form_of(author, VLLM)
    typed = {
        "source": "no-such-source",
        "hardware-0": "",
        "submitter-0": "nobody",
        "origin": "javascript:alert(1)",
        "redistributable": "on",
        "boundary": "client <to> client",
        "condition-accelerators": "eight",
        "condition-started_at": "yesterday",
        "condition-warm_up": "10 requests",
        "condition-prefix_cache": "perhaps",
        "make": "1",
    }
    answer = author.post(address, {**shown, **typed})
    assert answer.status_code == 200
    wrong = problems(answer)
    for field in ["source", "hardware-0", "submitter-0", "origin", "licence", "condition-accelerators"]:
        assert wrong[field], field
    assert "a whole number" in wrong["condition-accelerators"][0]
    assert "condition-prefix_cache" in wrong
    assert {name: text for name, text in as_shown(answer).items() if name in typed} == {
        name: text for name, text in typed.items() if text and name in wrong.keys() | as_shown(answer).keys()
    }
    page = said(answer)
    assert "client &lt;to&gt; client" in page
    assert 'href="#id_condition-accelerators"' in page
    assert not BenchmarkRecord.objects.exists()
    assert not Workload.objects.exists()
    assert not Artifact.objects.exists()


def test_the_form_asks_only_for_what_the_file_does_not_state(author):
    address, _ = form_of(author, VLLM)
    conditions = author.get(address).context["form"].conditions
    assert "accelerators" in conditions
    assert not {"model", "concurrency", "load_mode", "hardware", "submitter"} & set(conditions)


def test_a_source_without_a_publisher_is_refused_at_its_field(author):
    answer = completed(author, source=factories.source(publisher=None).key)
    assert "names no publisher" in problems(answer)["source"][0]


def test_a_record_of_another_kind_is_no_hardware(author):
    runtime = factories.subject("runtime")
    assert "no GPU called" in problems(completed(author, **{"hardware-0": runtime.key}))["hardware-0"][0]


def test_what_the_database_refuses_is_a_sentence_and_nothing_is_written(author):
    answer = completed(author, **{"condition-accelerators": "3000000000"})
    assert answer.status_code == 200
    assert "is the most that is kept" in " ".join(problems(answer)["__all__"])
    assert not BenchmarkRecord.objects.exists()
    assert not Artifact.objects.exists()
    assert Upload.objects.exists()


@pytest.mark.parametrize("value", ["0", "1e999999999", "NaN", "-1", "9" * 200, "a\x00b", "1" * 301])
def test_a_hostile_number_is_a_form_error(author, value):
    answer = completed(author, **{"condition-accelerators": value})
    assert answer.status_code == 200
    assert problems(answer)
    assert not BenchmarkRecord.objects.exists()


def two_systems():
    rows = [
        {**LLAMA, "gpu_info": name, "n_prompt": n} for n, name in ((512, "Known One"), (1024, "Unknown Two"))
    ]
    return "\n".join(map(json.dumps, rows)).encode()


def test_runs_on_unknown_hardware_are_left_out_only_when_told(author):
    factories.subject(name="Known One")
    address, shown = form_of(author, two_systems())
    assert "hardware-0" in shown
    assert "hardware-1" not in shown
    typed = {**shown, "source": factories.source().key, "submitter-0": organisation().key, "make": "1"}
    answer = author.post(address, typed)
    assert list(problems(answer)) == ["hardware-1"]
    assert author.post(address, {**typed, "known_only": "on"}).status_code == 302
    assert BenchmarkRecord.objects.get().hardware.name == "Known One"


def test_runs_on_no_accelerator_are_told_by_their_hardware(author):
    address, _ = form_of(author, MLPERF_PIVOT.encode())
    form = author.get(address).context["form"]
    on_processors = next(
        each.field
        for each in form.named
        if each.role == "hardware"
        and any(run.conditions.accelerators == 0 for run in form.runs if each.words in run.label)
    )
    typed = {name: factories.subject().key for name in names(author, address, "hardware")}
    typed |= {name: organisation().key for name in names(author, address, "submitter")}
    typed |= {name: "x" for name in ("condition-suite_version", "condition-scenario") if name in form.fields}
    typed |= {"source": factories.source().key, "make": "1"}
    assert "used no accelerator" in problems(author.post(address, typed))[on_processors][0]
    typed |= {on_processors: "", "known_only": "on"}
    assert author.post(address, typed).status_code == 302
    assert not BenchmarkRecord.objects.filter(accelerators=0).exists()


def test_a_suite_is_imported_with_its_round_only(author):
    address, _ = form_of(author, MLPERF_OFFLINE.encode())
    assert "condition-suite_version" in author.get(address).context["form"].fields
    answer = author.post(address, {"source": factories.source().key, "make": "1"})
    assert "cited with its round and scenario" in problems(answer)["condition-suite_version"][0]


def test_leaving_out_every_run_leaves_nothing(author):
    answer = completed(author, **{"hardware-0": "", "known_only": "on"})
    assert "none is on hardware, or by a submitter, that you named" in problems(answer)["__all__"][0]


def test_bytes_are_kept_only_where_they_may_be_passed_on(author):
    completed(author)
    assert Artifact.objects.get().content is None
    completed(author, AIPERF, redistributable="on", licence="Apache-2.0")
    artifact = Artifact.objects.get(tool="AIPerf")
    assert zlib.decompress(artifact.content) == json.dumps(AIPERF).encode()


def test_words_of_a_file_are_escaped(author, reviewer):
    hostile = "<img src=x onerror=alert(1)>"
    address, _ = form_of(author, {**VLLM, "model_id": hostile, "tokenizer_id": hostile}, "<b>name</b>.json")
    page = author.get(address).content.decode()
    assert "&lt;img src=x" in page
    assert hostile not in page
    assert "<b>name" not in page
    record = factories.benchmark_record(
        "submitted", model_as_stated=hostile, further={"driver": hostile}, quirks=[hostile], run=hostile
    )
    for name in ("review", "change"):
        page = reviewer.get(step(record, name)).content.decode()
        assert "&lt;img src=x" in page
        assert hostile not in page
    assert hostile not in reviewer.get(LIST).content.decode()


def test_no_page_of_the_import_needs_a_script_or_breaks_the_policy(author):
    address, _ = form_of(author, VLLM)
    for page in (IMPORT, address, f"{LIST}add/"):
        answer = author.get(page)
        assert not re.search(
            r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=", answer.content.decode(), re.I
        )
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "<script" not in author.get(address).content.decode()


# Who may --------------------------------------------------------------------------------------------------


def test_only_who_may_add_records_imports(author):
    address, _ = form_of(author, VLLM)
    author.person.groups.clear()
    assert [author.get(IMPORT).status_code, author.get(address).status_code] == [403, 403]
    assert upload(author, VLLM).status_code == 403
    assert author.post(address, {"make": "1"}).status_code == 403


def test_an_upload_without_its_token_is_refused():
    client = desk(factories.user("administrator"), enforce_csrf_checks=True)
    assert upload(client, VLLM).status_code == 403


def test_a_draft_is_its_authors_to_change(author, reviewer):
    record = factories.benchmark_record("draft", by=author.person)
    assert author.get(step(record, "change")).context["has_change_permission"]
    page = reviewer.get(step(record, "change"))
    assert not page.context["has_change_permission"]
    assert "Closed: a fixed number of requests in flight" in said(page)
    assert "52.30 ms" in said(page)
    assert "None" not in said(page)
    assert reviewer.post(step(record, "change"), {}).status_code == 403


# The form of a draft ---------------------------------------------------------------------------------------


def changed(client, record, **typed):
    return client.post(step(record, "change"), {**sent_back(client.get(step(record, "change"))), **typed})


def test_saving_without_a_change_changes_nothing(author):
    completed(author)
    record = BenchmarkRecord.objects.get()
    before = list(record.measurements.values_list())
    assert changed(author, record).status_code == 302
    again = BenchmarkRecord.objects.get()
    assert list(again.measurements.values_list()) == before
    assert (again.workload, again.further, again.quirks) == (record.workload, record.further, record.quirks)
    assert Workload.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"further": "tensor_parallel: 8"}, "is no condition"),
        ({"further": "colour = red"}, "is no condition"),
        ({"further": "tensor_parallel = many"}, "a whole number"),
        ({"hardware": "nothing"}, "no GPU called"),
        ({"asked_concurrency": "-1"}, "greater than or equal to 0"),
        ({"asked_concurrency": "0"}, "above zero"),
        ({"asked_load_mode": "wild"}, "valid choice"),
        ({"measurements-0-metric": "speed"}, "no metric called"),
        ({"measurements-0-statistic": "best"}, "A statistic is mean"),
        ({"measurements-0-value": "NaN"}, "Enter a number"),
        ({"measurements-0-value": "1" + "0" * 25}, "digits"),
        ({"measurements-0-text": ""}, "required"),
        ({"requests_attempted": "1", "requests_ok": "2"}, "More requests cannot have succeeded"),
        ({"measurements-TOTAL_FORMS": "100000"}, "at most 400"),
        ({"run": "a\x00b"}, "Null characters"),
    ],
)
def test_bad_input_is_a_form_error(author, typed, sentence):
    record = factories.benchmark_record("draft", by=author.person)
    answer = changed(author, record, **typed)
    assert answer.status_code == 200
    assert sentence in said(answer)
    assert BenchmarkRecord.objects.get().edited_at == record.edited_at


def test_a_figure_is_taken_out_and_another_put_in(author):
    record = factories.benchmark_record(
        "draft", by=author.person, measured=(("ttft_client", "mean"), ("ttft_client", "p99"))
    )
    typed = {
        "measurements-0-DELETE": "on",
        "measurements-2-metric": "ttft_client",
        "measurements-2-statistic": "max",
        "measurements-2-value": "60",
        "measurements-2-text": "60 ms",
        "measurements-2-values": "4",
    }
    assert changed(author, record, **typed).status_code == 302
    assert list(record.measurements.values_list("statistic", "position")) == [("p99", 1), ("max", 2)]


def test_the_second_of_two_windows_sees_both_versions(author):
    record = factories.benchmark_record("draft", by=author.person)
    second = sent_back(author.get(step(record, "change")))
    changed(author, record, asked_concurrency="16")
    answer = author.post(step(record, "change"), {**second, "asked_concurrency": "32"})
    assert ("16", "32") in [versions[1:] for versions in answer.context["adminform"].form.versions]
    record.refresh_from_db()
    assert record.workload.concurrency == 16


def test_a_record_cannot_change_its_hardware_in_a_correction(author):
    published = factories.benchmark_record()
    draft = factories.revision(published, "draft", by=author.person)
    answer = changed(author, draft, hardware=factories.subject().key)
    assert "cannot become one about" in said(answer)


# Lists ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", ["file=x", "file=%27", "tool=x", "suite=x", "workload__load_mode=closed", "q=B-1"]
)
def test_filters_and_search_answer(author, query):
    factories.benchmark_record()
    assert author.get(f"{LIST}?{query}").status_code == 200


def test_a_record_is_found_by_number_model_and_load(author):
    record = factories.benchmark_record(model_as_stated="acme/Tiny-1B")
    factories.benchmark_record("draft", workload=record.workload, model_as_stated="other")
    for query in (f"q=B-{record.number}", "q=tiny", "status=published&workload__load_mode__exact=closed"):
        found = author.get(f"{LIST}?{query}").context["cl"].result_list
        assert record in found, query
    assert list(found) == [record]
    shown = said(author.get(f"{LIST}?q=tiny"))
    for words in ["acme/Tiny-1B", record.hardware.name, "Closed, 8 in flight", record.submitter.name]:
        assert words in shown


def queries(client, url):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def test_queries_of_pages_do_not_grow_with_runs_names_and_figures(author, reviewer):
    few, _ = form_of(author, two_systems())
    queries(author, few)  # what a process asks once
    counted = queries(author, few)
    rows = [{**LLAMA, "gpu_info": f"System {n}", "n_prompt": n} for n in range(1, 41)]
    many, _ = form_of(author, "\n".join(map(json.dumps, rows)).encode())
    assert queries(author, many) == counted <= 16
    small, large = (
        factories.benchmark_record("submitted", measured=measured)
        for measured in ((("ttft_client", "mean"),), [("ttft_client", f"p{n}") for n in range(10, 60)])
    )
    for name in ("change", "review"):
        queries(reviewer, step(small, name))  # what a process asks once
        assert queries(reviewer, step(small, name)) == queries(reviewer, step(large, name)) <= 24


def test_each_further_run_costs_the_same_few_statements(author):
    def cost(prompts):
        rows = [{**LLAMA, "n_prompt": n} for n in prompts]
        with CaptureQueriesContext(connection) as captured:
            completed(author, "\n".join(map(json.dumps, rows)).encode())
        return len(captured)

    few, many = cost(range(1, 7)), cost(range(101, 167))
    assert BenchmarkRecord.objects.count() == 72
    assert many - few <= 60 * 20


def test_the_statement_timeout_is_longer_for_the_import_alone(author):
    supplied = Supplied(factories.source(), {"": factories.subject()}, {"": organisation()})
    import_file(json.dumps(VLLM).encode(), "result.json", supplied, by=author.person)
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("1min",)
