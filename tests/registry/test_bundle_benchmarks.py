"""Benchmark records in bundles: loaded, dumped and refused like any other entry, with workload, figures and file."""

import copy
import io
import json
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import transaction

from registry.actions.log import verify
from registry.bundle.check import check
from registry.bundle.folder import read_folder
from registry.bundle.known import Known
from registry.models import Artifact, BenchmarkRecord, Measurement, Workload
from sources.models import Passage
from tests.bundles import contents, small, written

TODAY = date(2026, 11, 30)
RECORDS = "benchmarks/a1.json"
SHA = "ab" * 32
FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

ARTIFACT = {
    "sha256": SHA,
    "size": "1234",
    "name": "run.json",
    "tool": "Acme bench",
    "tool_version": "1.2",
    "format": "one run",
    "origin": "https://bench.example/blob/0123456789abcdef0123456789abcdef01234567/run.json",
    "licence": "Apache-2.0",
    "redistributable": True,
}
FIRST = {
    "record_date": "2026-06-03",
    "accelerators": "8",
    "nodes": "1",
    "interconnect": "Acme link",
    "system": "Acme box",
    "checkpoint": "m1",
    "model_as_stated": "acme/m1",
    "model_revision": "abc",
    "precision": "fp8",
    "runtime": "r1",
    "runtime_as_stated": "r one",
    "runtime_version": "2.0",
    "flags": "--fast",
    "workload": {
        "task": "chat",
        "quality_gate": "none stated",
        "dataset": "random",
        "input_tokens": "1024",
        "output_tokens": "128.5",
        "length_distribution": "fixed",
        "context_policy": "single turn",
        "cache_policy": "prefix cache off",
        "cache_state": "cold",
        "load_mode": "open",
        "concurrency": "32",
        "request_rate": "0.25",
        "arrival": "poisson",
        "batch_size": "4",
        "warm_up": "10 requests",
        "warm_up_excluded": False,
        "streaming": True,
        "sampling": "greedy",
        "latency_limits": "TTFT 2 s",
    },
    "boundary": "Client to answer",
    "submitter": "bench",
    "performed_by": "acme-labs",
    "measured_on": "2026-05-30",
    "tool": "Acme bench",
    "tool_version": "1.2",
    "suite": "Acme suite",
    "suite_round": "v1",
    "division": "closed",
    "category": "datacenter",
    "availability": "available",
    "scenario": "Offline",
    "result_id": "1-0001",
    "verification": "verified",
    "requests_attempted": "100",
    "requests_ok": "98",
    "requests_failed": "0",
    "requests_incomplete": "2",
    "input_tokens": "1000.50",
    "output_tokens": "99",
    "power_boundary": "full system",
    "run": "run 1",
    "artifact": SHA,
    "further": {"seed": 123456789012, "tensor_parallel": 8, "disaggregated": False, "backend": "C 1"},
    "quirks": ["Chunks hold several tokens.", "Zeros were missing."],
    "note": "Read twice.",
    "measurements": [
        {"metric": "ttft_client", "statistic": "p99.9", "value": "0.000123450", "text": "0.00012345 ms", "values": "98"},
        {"metric": "ttft_client", "statistic": "mean", "value": "100.10", "text": "0.10010 s"},
        {
            "metric": "output_throughput_per_accelerator_client", "statistic": "value", "value": "12",
            "text": "12 tokens/s", "divisor": "8",
        },
    ],
    "citations": [
        {"source": "bench-report", "locator": "run.json, run 1", "quotation": "ttft 0.10010"},
        {"source": "acme-sheet", "locator": "Table 1", "stance": "context"},
    ],
}  # fmt: skip
SECOND = {
    "record_date": "2026-06-03",
    "submitter": "bench",
    "tool": "Acme bench",
    "run": "run 2",
    "measurements": [{"metric": "ttft_client", "statistic": "mean", "value": "7", "text": "7 ms"}],
    "citations": [{"source": "bench-report", "locator": "run.json, run 2"}],
}


def measured():
    """The small bundle with two records: one that says everything, one that says nothing it need not."""
    files = small()
    files["subjects/checkpoints.json"] = {
        "subjects": [{"key": "m1", "name": "M One", "maker": "acme", "identifier": "acme/m1"}]
    }
    files["subjects/runtimes.json"] = {
        "subjects": [{"key": "r1", "name": "R One", "maker": "acme", "layer": "serving engine"}]
    }
    files["artifacts.json"] = {"artifacts": [copy.deepcopy(ARTIFACT)]}
    files[RECORDS] = {
        "subject": "a1",
        "benchmarks": [
            {"number": f"B-{number}", "revisions": [copy.deepcopy(revision)]}
            for number, revision in enumerate((FIRST, SECOND), start=1)
        ],
    }
    return files


def state(files, number=1, place=-1):
    return files[RECORDS]["benchmarks"][number - 1]["revisions"][place]


def followed(files, number=1, **changes):
    """Add a correction of B-number and give it back."""
    new = copy.deepcopy(state(files, number)) | {
        "record_date": "2026-07-01",
        "change": "correction",
        "change_note": "Misread.",
        **changes,
    }
    files[RECORDS]["benchmarks"][number - 1]["revisions"].append(new)
    return new


def problems(folder, files):
    bundle = read_folder(written(folder, files))
    empty = {kind: {} for kind in bundle.records}
    return [str(problem) for problem in [*bundle.problems, *check(Known(bundle, empty), TODAY)]]


def load(folder, *options):
    said = io.StringIO()
    call_command("load_bundle", folder, *options, stdout=said)
    return said.getvalue()


def refused(capsys, folder):
    capsys.readouterr()
    with pytest.raises(CommandError):
        load(folder, "--apply")
    return capsys.readouterr().err.splitlines()


def dumped(folder):
    call_command("dump_bundle", folder, stdout=io.StringIO())
    return folder


@pytest.fixture
def loaded(db, tmp_path):
    folder = written(tmp_path / "loaded", measured())
    load(folder, "--apply")
    return folder


class TestThereAndBack:
    def test_a_dump_of_what_was_loaded_is_the_same_to_the_byte(self, loaded, tmp_path):
        first = dumped(tmp_path / "first")
        assert read_folder(first).records == read_folder(loaded).records
        assert "0 new, 16 same, 0 kept." in load(first, "--apply")
        assert contents(dumped(tmp_path / "second")) == contents(first)

    def test_everything_a_record_can_say_arrives(self, loaded):
        record = BenchmarkRecord.objects.for_readers().get(number=1)
        assert (record.name, record.status, record.record_date) == ("B-1/1", "published", date(2026, 6, 3))
        assert record.further == FIRST["further"]
        assert record.quirks == FIRST["quirks"]
        assert (record.requests_failed, record.requests_incomplete) == (0, 2)
        assert str(record.input_tokens) == "1000.50"
        assert record.workload.warm_up_excluded is False
        assert record.workload.streaming is True
        assert [str(figure.value) for figure in record.measurements.all()] == ["0.000123450", "100.10", "12"]
        assert [figure.divisor for figure in record.measurements.all()] == [None, None, 8]
        assert record.artifact.content is None
        assert record.performed_by.key == "acme-labs"

    def test_what_is_not_reported_is_nothing_and_never_zero(self, loaded):
        record = BenchmarkRecord.objects.get(number=2)
        assert record.accelerators is record.nodes is record.requests_failed is record.input_tokens is None
        assert record.checkpoint is record.artifact is record.measured_on is None
        assert record.workload.streaming is None
        assert record.workload.concurrency is None

    def test_revisions_and_withdrawals_come_back_to_the_byte(self, db, tmp_path):
        files = measured()
        followed(files, 1, accelerators="4")["withdrawn"] = {
            "on": "2026-07-02",
            "reason": "The file was wrong.",
        }
        del followed(files, 1, record_date="2026-08-01", change="update", self_reviewed=True)["withdrawn"]
        state(files, 2)["withdrawn"] = {"on": "2026-07-02", "reason": "The file was wrong."}
        given = written(tmp_path / "given", files)
        load(given, "--apply")
        assert list(
            BenchmarkRecord.objects.order_by("number", "revision").values_list("number", "revision", "status")
        ) == [(1, 1, "superseded"), (1, 2, "withdrawn"), (1, 3, "published"), (2, 1, "withdrawn")]
        assert read_folder(dumped(tmp_path / "dump")).records == read_folder(given).records

    @pytest.mark.django_db(transaction=True, databases=["default", "owner"])
    def test_the_log_holds_after_loading(self, tmp_path):
        files = measured()
        followed(files, 1, accelerators="4")
        state(files, 2)["withdrawn"] = {"on": "2026-07-02", "reason": "The file was wrong."}
        load(written(tmp_path, files), "--apply")
        assert verify().problems == []

    def test_what_the_importer_publishes_makes_a_sound_bundle(self, loaded, tmp_path):
        """Two hand-written points on 4 and 8 GPUs; the second has a zero latency, which is no measurement."""
        points = [
            {
                "hw": "a1", "tp": tp, "conc": 2, "model": "acme/m1", "framework": "r1", "precision": "fp8",
                "tput_per_gpu": 30.5, "output_tput_per_gpu": 20.25, "input_tput_per_gpu": 10.25, "median_ttft": ttft,
                "mean_tpot": 0.01, "mean_intvty": 100.0,
            }
            for tp, ttft in ((4, 0.1234), (8, 0.0))
        ]  # fmt: skip
        (tmp_path / "points.json").write_text(json.dumps(points))
        for name in ("author", "reviewer"):
            get_user_model().objects.create_superuser(name, f"{name}@bench.example", "secret")
        call_command(
            "import_benchmark", tmp_path / "points.json", "--apply", "--by=author", "--publish-by=reviewer",
            "--source=bench-report", "--hardware=a1=a1", "--submitter=bench", "--checkpoint=acme/m1=m1",
            "--condition=seed=12345678901234567", stdout=io.StringIO(),
        )  # fmt: skip
        assert BenchmarkRecord.objects.published().filter(number__in=[3, 4], self_reviewed=False).count() == 2
        bundle = read_folder(dumped(tmp_path / "dump"))
        assert bundle.problems == []
        made = [bundle.records["benchmarks"][name]["revisions"][0] for name in ("B-3", "B-4")]
        figures = [
            {f["metric"]: (f["value"], f.get("divisor")) for f in each["measurements"]} for each in made
        ]
        assert figures[0]["ttft_client"] == ("123.4", None)
        assert "ttft_client" not in figures[1]
        assert made[0]["further"]["seed"] == "12345678901234567"
        assert made[0]["further"]["tensor_parallel"] == 4
        assert [each["total_throughput_per_accelerator_client"] for each in figures] == [
            ("30.5", "4"),
            ("30.5", "8"),
        ]

    def test_who_may_not_review_publishes_nothing(self, loaded, tmp_path):
        (tmp_path / "points.json").write_text(
            json.dumps([{"hw": "a1", "tp": 4, "tput_per_gpu": 30.5, "median_ttft": 0.1, "mean_tpot": 0.01}])
        )
        get_user_model().objects.create_superuser("author", "author@bench.example", "secret")
        get_user_model().objects.create_user("guest", "guest@bench.example", "secret")
        with pytest.raises(CommandError, match="0 of 1 were published, the others are drafts"):
            call_command(
                "import_benchmark", tmp_path / "points.json", "--apply", "--by=author", "--publish-by=guest",
                "--source=bench-report", "--hardware=a1=a1", "--submitter=bench", stdout=io.StringIO(),
            )  # fmt: skip
        assert not BenchmarkRecord.objects.filter(number=3).exists()

    def test_a_dump_holds_no_file_that_only_drafts_were_read_from(self, loaded, tmp_path):
        Artifact.objects.create(
            sha256="cd" * 32, size=1, name="canary", tool="x", origin="https://a.example/"
        )
        Passage.objects.create(source=Passage.objects.first().source, locator="canary")
        files = contents(dumped(tmp_path / "dump"))
        assert not any(b"canary" in content for content in files.values())


class TestWorkloads:
    def test_what_says_the_same_is_one_row_however_many_zeros_follow(self, db, tmp_path):
        files = measured()
        state(files, 2)["workload"] = {**FIRST["workload"], "input_tokens": "1024.0", "request_rate": "0.250"}
        given = written(tmp_path / "given", files)
        load(given, "--apply")
        assert Workload.objects.count() == 1
        assert "0 new, 16 same" in load(given)

    def test_a_row_the_registry_has_is_used(self, db, tmp_path):
        files = measured()
        state(files, 2)["workload"] = {"task": "chat", "input_tokens": "128"}
        kept = Workload.objects.create(task="chat", input_tokens="128.00")
        load(written(tmp_path / "given", files), "--apply")
        assert BenchmarkRecord.objects.get(number=2).workload_id == kept.pk
        assert "0 new, 16 same" in load(tmp_path / "given")

    def test_no_identity_is_taken_from_a_file(self, tmp_path):
        files = measured()
        state(files)["workload"]["spec_hash"] = "0" * 64
        assert "/workload: “spec_hash” is no field here." in problems(tmp_path, files)[0]


class TestAgainstTheRegistry:
    def test_the_same_revision_with_other_content_is_an_error(self, loaded, tmp_path, capsys):
        files = measured()
        state(files)["measurements"][1]["value"] = "100.1"
        state(files)["workload"]["streaming"] = False
        said = refused(capsys, written(tmp_path / "next", files))
        assert "B-1/1 says something else in the registry (measurements, workload)." in said[0]
        assert "A published revision never changes" in said[0]
        assert str(Measurement.objects.get(entry__number=1, statistic="mean").value) == "100.10"

    def test_a_new_revision_follows_and_a_withdrawal_withdraws(self, loaded, tmp_path):
        files = measured()
        followed(files, 1, note="Read three times.")
        state(files, 2)["withdrawn"] = {"on": "2026-09-01", "reason": "The file was wrong."}
        assert "1 new revisions of benchmarks" in load(written(tmp_path / "next", files), "--apply")
        assert BenchmarkRecord.objects.published().get().name == "B-1/2"
        assert BenchmarkRecord.objects.get(number=2).end_note == "The file was wrong."

    def test_a_registry_that_is_ahead_is_kept_and_listed(self, db, tmp_path):
        files = measured()
        followed(files, 1, note="Read three times.")
        load(written(tmp_path / "newer", files), "--apply")
        said = load(written(tmp_path / "older", measured()), "--apply")
        assert "kept: B-1: the registry is ahead (at revision 2); the bundle ends at 1." in said

    def test_an_open_draft_of_the_same_record_stops_the_load(self, loaded, tmp_path, capsys):
        published = BenchmarkRecord.objects.get(number=2)
        BenchmarkRecord.objects.create(
            lineage=published.lineage, number=2, revision=2, change_kind="update", change_note="More.", tool="x", run="y",
            hardware=published.hardware, workload=published.workload, submitter=published.submitter,
        )  # fmt: skip
        files = measured()
        followed(files, 2, note="Read again.")
        assert "B-2 has an open draft in the registry." in refused(capsys, written(tmp_path / "n", files))[0]

    def test_a_file_with_one_hash_and_other_facts_is_an_error(self, loaded, tmp_path, capsys):
        files = measured()
        files["artifacts.json"]["artifacts"][0].update(licence="MIT", size="1235")
        said = refused(capsys, written(tmp_path / "next", files))
        assert said[0].startswith("artifacts.json#/artifacts/0/sha256:")
        assert "has another licence, size in the registry, and a file is what its hash says." in said[0]

    def test_a_file_the_registry_has_keeps_its_bytes(self, db, tmp_path):
        facts = {**ARTIFACT, "size": 1234}
        Artifact.objects.create(**facts, content=b"kept")
        load(written(tmp_path, measured()), "--apply")
        assert bytes(Artifact.objects.get().content) == b"kept"

    def test_a_record_may_rest_on_what_the_registry_has(self, loaded, tmp_path):
        record = {"number": "B-7", "revisions": [{**SECOND, "artifact": SHA, "checkpoint": "m1"}]}
        files = {"bundle.json": {"format": 1}, RECORDS: {"subject": "a1", "benchmarks": [record]}}
        load(written(tmp_path / "part", files), "--apply")
        assert BenchmarkRecord.objects.published().filter(number=7).exists()

    def test_what_the_database_refuses_leaves_nothing_behind(self, db, tmp_path, monkeypatch):
        files = measured()
        state(files, 2).update(suite="Acme suite")
        monkeypatch.setattr("registry.actions.bundle.check", lambda known, today: [])
        with pytest.raises(CommandError, match="nothing was written"), transaction.atomic():
            load(written(tmp_path, files), "--apply")
        assert not BenchmarkRecord.objects.exists()
        assert not Workload.objects.exists()
        assert not Artifact.objects.exists()


FIGURE = {"metric": "ttft_client", "statistic": "mean", "value": "7", "text": "7 ms"}
REFUSED = {
    "unknown metric": ({"measurements": [{**FIGURE, "metric": "ttft"}]}, "“ttft” is no metric of this program."),
    "bad statistic": ({"measurements": [{**FIGURE, "statistic": "average"}]}, "“average” does not have the right form."),
    "hundredth percentile": ({"measurements": [{**FIGURE, "statistic": "p100"}]}, "“p100” does not have"),
    "one figure twice": ({"measurements": [FIGURE, {**FIGURE, "value": "8"}]}, "“mean” of ttft_client stands here twice."),
    "no figure": ({"measurements": []}, "should be non-empty"),
    "NaN": ({"measurements": [{**FIGURE, "value": "NaN"}]}, "“NaN” does not have the right form."),
    "Infinity": ({"measurements": [{**FIGURE, "value": "-Infinity"}]}, "“-Infinity” does not have the right form."),
    "exponent": ({"measurements": [{**FIGURE, "value": "1e3"}]}, "“1e3” does not have the right form."),
    "beyond twenty digits": ({"measurements": [{**FIGURE, "value": "1" + "0" * 20}]}, "does not have the right form."),
    "bare number": ({"measurements": [{**FIGURE, "value": 7}]}, "“7” has to be string."),
    "figure without words": ({"measurements": [{**FIGURE, "text": ""}]}, "does not have the right form. As the file"),
    "zero divisor": ({"measurements": [{**FIGURE, "divisor": "0"}]}, "“0” does not have the right form."),
    "values no column holds": ({"measurements": [{**FIGURE, "values": "3000000000"}]}, "is more than 2,147,483,647."),
    "zero accelerators": ({"accelerators": "0"}, "“0” does not have the right form. In use, over all nodes: above zero"),
    "blank nodes": ({"nodes": ""}, "“” does not have the right form. How many: above zero"),
    "no tokens": ({"input_tokens": "0.00"}, "“0.00” does not have the right form. Actual mean"),
    "negative requests": ({"requests_failed": "-1"}, "“-1” does not have the right form. A count as text"),
    "too many requests": ({"requests_ok": "9999999999"}, "“9999999999” is more than 2,147,483,647."),
    "more ok than attempted": (
        {"requests_attempted": "10", "requests_ok": "11"}, "“11” is more than were attempted (10). Correct the counts.",
    ),
    "more failed than attempted": ({"requests_attempted": "10", "requests_failed": "11"}, "more than were attempted"),
    "zero rate": ({"workload": {"request_rate": "0"}}, "/workload/request_rate: “0” does not have the right form."),
    "zero in flight": ({"workload": {"concurrency": "0"}}, "“0” does not have the right form. Requests in flight"),
    "batch no column holds": ({"workload": {"batch_size": "3000000000"}}, "workload/batch_size: “3000000000” is more"),
    "unknown load": ({"workload": {"load_mode": "half open"}}, "“half open” is none of closed, open, all at once"),
    "maybe": ({"workload": {"streaming": "maybe"}}, "“maybe” has to be boolean."),
    "unknown hardware": ({"subject": "h9"}, "“h9” is in neither the bundle nor the registry (subjects)."),
    "a model as hardware": ({"subject": "m1"}, "“m1” is a checkpoint and cannot be the hardware. Name a gpu."),
    "hardware as model": ({"checkpoint": "a1"}, "“a1” is a gpu and cannot be the checkpoint. Name a checkpoint."),
    "hardware as runtime": ({"runtime": "a1"}, "“a1” is a gpu and cannot be the runtime. Name a runtime."),
    "unknown submitter": ({"submitter": "nobody"}, "“nobody” is in neither the bundle nor the registry (organisations)."),
    "unknown performer": ({"performed_by": "nobody"}, "“nobody” is in neither"),
    "unknown file": ({"artifact": "0" * 64}, "is in neither the bundle nor the registry (artifacts). Add it to artifacts.json"),
    "a hash in capitals": ({"artifact": "AB" * 32}, "does not have the right form. The SHA-256 of a file"),
    "suite without round": ({"suite": "Acme suite", "scenario": "Offline"}, "is cited without its round or scenario."),
    "no such day": ({"measured_on": "2026-02-30"}, "“2026-02-30” is no day up to the record date."),
    "measured later": ({"measured_on": "2026-06-04"}, "“2026-06-04” is no day up to the record date."),
    "no supporting source": (
        {"citations": [{"source": "bench-report", "locator": "x1", "stance": "context"}]}, "No supporting source",
    ),
    "recorded before it was read": ({"record_date": "2026-06-01"}, "No supporting source with a publisher was verified"),
    "nested facts": ({"further": {"env": {"a": "b"}}}, "This has to be ['string', 'integer', 'boolean']."),
    "half a fact": ({"further": {"rate": 0.5}}, "“0.5” is a bare number."),
    "an endless fact": ({"further": {"seed": 10**15}}, "is a bare number."),
    "a fact without a name": ({"further": {"A B": "c"}}, "Lower case letters, digits and underscores."),
    "a blank fact": ({"further": {"backend": ""}}, "Write text, a whole number, true or false."),
    "bytes": ({"content": "aGk="}, "“content” is no field here."),
    "a clock": ({"created_at": "2026-06-03T00:00:00Z"}, "“created_at” is no field here."),
    "a person": ({"created_by": "ada"}, "“created_by” is no field here."),
    "an escape": ({"run": "\x1b[2J"}, "holds a character that nobody sees (U+001B)."),
    "turned writing": ({"system": "a\u202eb"}, "holds a character that nobody sees (U+202E)."),
    "a blank run": ({"run": " "}, "begins or ends with a blank."),
    "a dash for nothing": ({"system": "—"}, "“—” does not have the right form. The system's name"),
    "a long run": ({"run": "x" * 301}, "has 301 characters; at most 300 are kept."),
    "first called a change": ({"change": "update"}, "“update” stands on a first revision."),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_record_that_cannot_stand_says_why(tmp_path, what):
    change, words = REFUSED[what]
    files = measured()
    state(files, 2).update(change)
    found = problems(tmp_path, files)
    assert len(found) == 1
    assert found[0].startswith(f"{RECORDS}#/benchmarks/1/revisions/0")
    assert words in found[0]


ARTIFACTS = {
    "no hash": ({"sha256": "abc"}, "“abc” does not have the right form. Of the file as it was read"),
    "a path": (
        {"name": "results/run.json"},
        "does not have the right form. The file's name, without folders.",
    ),
    "no address": ({"origin": "run.json"}, "does not have the right form. Where it is published"),
    "no size": ({"size": "big"}, "“big” does not have the right form."),
    "no column": ({"size": "9999999999"}, "“9999999999” is more than 2,147,483,647."),
    "the bytes": ({"content": "aGk="}, "“content” is no field here."),
}


@pytest.mark.parametrize("what", ARTIFACTS)
def test_a_file_that_cannot_stand_says_why_and_its_records_are_not_blamed(tmp_path, what):
    change, words = ARTIFACTS[what]
    files = measured()
    files["artifacts.json"]["artifacts"][0].update(change)
    if "sha256" in change:
        del state(files)["artifact"]
    found = problems(tmp_path, files)
    assert len(found) == 1
    assert found[0].startswith("artifacts.json#/artifacts/0")
    assert words in found[0]


def test_a_file_that_may_be_passed_on_has_a_licence(tmp_path):
    files = measured()
    del files["artifacts.json"]["artifacts"][0]["licence"]
    assert problems(tmp_path, files) == [
        "artifacts.json#/artifacts/0/redistributable: A file that may be passed on has a licence. "
        "Name the licence, or leave “redistributable” out."
    ]


def test_two_files_with_one_hash_are_told(tmp_path):
    files = measured()
    files["artifacts.json"]["artifacts"].append({**ARTIFACT, "licence": "MIT"})
    assert (
        "stands in artifacts.json#/artifacts/0 already. Keep one of the two." in problems(tmp_path, files)[0]
    )


def test_one_number_for_two_records_is_told(tmp_path):
    files = measured()
    files[RECORDS]["benchmarks"][1]["number"] = "B-1"
    assert "stands in benchmarks/a1.json#/benchmarks/0 already." in problems(tmp_path, files)[0]


@pytest.mark.parametrize("number", ["B-0", "C-1", "B-01", "B-1/2", "1"])
def test_a_number_of_another_form_is_refused(tmp_path, number):
    files = measured()
    files[RECORDS]["benchmarks"][1]["number"] = number
    assert "does not have the right form. B-1, B-2 …: permanent." in problems(tmp_path, files)[0]


def test_a_record_keeps_its_hardware(tmp_path):
    files = measured()
    files["subjects/gpus.json"]["subjects"].append(
        {"key": "b2", "name": "Acme B2", "maker": "acme", "hardware": "board"}
    )
    followed(files, 2, subject="b2")
    found = problems(tmp_path, files)
    assert len(found) == 1
    assert "“b2” is another subject than that of the revision before, a1." in found[0]


def test_every_problem_is_told_at_once(tmp_path):
    files = measured()
    state(files)["submitter"] = "nobody"
    state(files)["measurements"][0]["metric"] = "ttft"
    state(files, 2)["checkpoint"] = "a1"
    files["artifacts.json"]["artifacts"][0]["size"] = "9999999999"
    assert len(problems(tmp_path, files)) == 4


class TestFixtures:
    """What is published was read by the importer, so it holds what the importer promises."""

    records = read_folder(FIXTURES).records

    def states(self):
        for record in self.records["benchmarks"].values():
            yield from record["revisions"]

    def test_there_are_sixty_records_and_more(self):
        assert len(self.records["benchmarks"]) >= 60
        numbers = sorted(int(name[2:]) for name in self.records["benchmarks"])
        assert numbers == [*range(1, len(numbers) + 1)]

    def test_each_was_read_from_a_file_whose_licence_lets_it_be_passed_on(self):
        for state in self.states():
            artifact = self.records["artifacts"][state["artifact"]]
            assert artifact["licence"] == "Apache-2.0"
            assert artifact["redistributable"]
            assert {self.records["sources"][cited["source"]]["url"] for cited in state["citations"]} == {
                artifact["origin"]
            }

    def test_a_figure_per_accelerator_has_the_divisor_of_its_system(self):
        for state in self.states():
            for figure in state["measurements"]:
                assert figure.get("divisor") in (None, state["accelerators"])
                assert (figure.get("divisor") is None) == ("per_accelerator" not in figure["metric"])

    def test_a_point_of_the_export_is_what_the_file_prints(self):
        """B-5 is its fifth point, on 8 × B200: median TTFT 0.15581916295923293 s, 48.07087361159109 tokens/s a GPU."""
        state = self.records["benchmarks"]["B-5"]["revisions"][0]
        figures = {(f["metric"], f["statistic"]): f["value"] for f in state["measurements"]}
        assert (state["subject"], state["runtime"], state["accelerators"]) == ("b200", "sglang", "8")
        assert "checkpoint" not in state
        assert figures["ttft_client", "median"] == "155.81916295923293"
        assert figures["output_throughput_per_accelerator_client", "value"] == "48.07087361159109"
        assert state["workload"] == {
            "input_tokens": "1024", "output_tokens": "8192", "load_mode": "closed", "concurrency": "4",
        }  # fmt: skip

    def test_a_row_of_the_results_page_is_what_the_file_prints(self):
        """5.1-0090 has 2 nodes of 8 MI325X and 65,320.10 tokens/s for llama2-70b-99, Offline."""
        state = next(
            state for state in self.states()
            if (state.get("result_id"), state["model_as_stated"], state.get("scenario"))
            == ("5.1-0090", "llama2-70b-99", "Offline")
        )  # fmt: skip
        assert (state["subject"], state["accelerators"], state["nodes"]) == ("mi325x", "16", "2")
        assert state["measurements"] == [
            {
                "metric": "offline_tokens_loadgen", "statistic": "value", "value": "65320.10",
                "text": "65320.10 tokens/s",
            }
        ]  # fmt: skip

    def test_no_result_of_a_suite_is_called_verified_without_its_id(self):
        for state in self.states():
            if state.get("suite"):
                assert (state["verification"] == "verified") == ("result_id" in state)

    def test_the_files_hold_no_folder_and_no_person(self):
        for path in [FIXTURES / "artifacts.json", *(FIXTURES / "benchmarks").glob("*.json")]:
            text = path.read_text()
            assert "/home/" not in text
            assert "created_by" not in text
            json.loads(text)
