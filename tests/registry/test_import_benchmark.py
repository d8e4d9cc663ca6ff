"""Importing result files: through the action and the command, all or nothing, and never more than the file says."""

import json
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from registry.actions.benchmark_import import import_file
from registry.actions.benchmark_plan import KnownFile, Supplied, plan
from registry.actions.benchmark_suggestions import suggested
from registry.errors import rule_of
from registry.models import Artifact, BenchmarkRecord, Workload
from registry.readers import read
from tests import factories

pytestmark = pytest.mark.django_db

SERVE = {
    "date": "20260203-101112",
    "backend": "openai",
    "model_id": "quill/quill-7b",
    "tokenizer_id": "quill/quill-7b",
    "num_prompts": 10,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 4,
    "duration": 20.0,
    "completed": 10,
    "failed": 0,
    "total_input_tokens": 1280,
    "total_output_tokens": 2000,
    "request_throughput": 0.5,
    "output_throughput": 100.0,
    "total_token_throughput": 164.0,
    "mean_ttft_ms": 50.0,
    "median_ttft_ms": 48.0,
    "std_ttft_ms": 5.0,
    "p99_ttft_ms": 61.5,
    "mean_tpot_ms": 10.0,
    "median_tpot_ms": 10.0,
    "std_tpot_ms": 1.0,
    "p99_tpot_ms": 12.0,
    "mean_itl_ms": 10.0,
    "median_itl_ms": 10.0,
    "std_itl_ms": 1.0,
    "p99_itl_ms": 12.0,
}


def the_file(**changes):
    return json.dumps({**SERVE, **changes}).encode()


@pytest.fixture
def supplied():
    return Supplied(
        source=factories.source(key="results-of-lab"),
        hardware={"": factories.subject(slug="aster-a1", name="Aster A1")},
        submitter={"": factories.organisation(key="lab", name="Lab", kind="independent")},
        origin="https://example.org/run.json",
    )


class TestAction:
    def test_a_run_becomes_a_draft_with_all_the_file_says(self, supplied):
        (record,) = import_file(the_file(), "folder/run.json", supplied, by=factories.user())
        assert record.status == "draft"
        assert (record.model_as_stated, record.requests_ok, record.requests_failed) == (
            "quill/quill-7b",
            10,
            0,
        )
        assert record.workload.load_mode == "closed"
        assert record.workload.concurrency == 4
        assert record.artifact.name == "run.json"
        assert record.measurements.get(metric="ttft_client", statistic="p99").value == Decimal("61.5")
        assert record.citations.get().passage.source.key == "results-of-lab"

    def test_what_the_file_does_not_say_stays_unreported(self, supplied):
        (record,) = import_file(the_file(), "run.json", supplied, by=factories.user())
        assert (record.accelerators, record.precision, record.workload.streaming) in [
            (None, "", None),
            (None, "", True),
        ]
        assert (record.nodes, record.power_boundary, record.workload.quality_gate) == (None, "", "")

    def test_a_person_completes_and_never_overrides(self, supplied):
        completed = {"accelerators": "8", "precision": "fp8", "concurrency": "16"}
        found = plan(the_file(), "run.json", _with(supplied, conditions=completed))
        assert [problem for problem in found.problems if "concurrency is 4, you say 16" in problem]
        del completed["concurrency"]
        (planned,) = plan(the_file(), "run.json", _with(supplied, conditions=completed)).planned
        assert (planned.record["accelerators"], planned.record["precision"]) == (8, "fp8")

    @pytest.mark.parametrize(
        ("conditions", "words"),
        [
            ({"acelerators": "8"}, "Did you mean accelerators?"),
            ({"accelerators": "eight"}, "accelerators=eight: give a whole number"),
            ({"accelerators": "1.5"}, "give a whole number"),
            ({"input_tokens_requested": "NaN"}, "give a number"),
            ({"streaming": "maybe"}, "give yes or no"),
            ({"arrival": "whenever"}, "poisson"),
        ],
    )
    def test_every_wrong_fact_is_named(self, supplied, conditions, words):
        assert words in " ".join(
            plan(the_file(), "run.json", _with(supplied, conditions=conditions)).problems
        )

    def test_all_problems_at_once(self, supplied):
        wrong = _with(
            supplied,
            hardware={},
            submitter={},
            source=factories.source(verified=False, publisher=None),
            redistributable=True,
            conditions={"nonsense": "1"},
        )
        problems = " ".join(plan(the_file(), "run.json", wrong).problems)
        for words in (
            "No hardware is chosen",
            "No submitter",
            "names no publisher",
            "name it",
            "no condition",
        ):
            assert words in problems
        with pytest.raises(ValueError, match="No hardware is chosen"):
            import_file(the_file(), "run.json", wrong, by=factories.user())
        assert not Artifact.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"num_prompts": 2**31}, "num_prompts"),
            ({"date": "20990101-000000"}, "a day that has not come yet"),
            ({"std_ttft_ms": 1e25}, "which nobody measured"),
        ],
    )
    def test_what_the_database_would_refuse_is_told_in_the_plan(self, supplied, changes, words):
        problems = " ".join(plan(the_file(**changes), "run.json", supplied).problems)
        assert words in problems or "the most that is kept" in problems

    def test_impossible_days_and_numbers_of_a_person_are_told(self, supplied):
        nameless = json.dumps({key: value for key, value in SERVE.items() if key != "date"}).encode()
        wrong = {"started_at": "2025-02-30", "accelerators": 10**14}
        problems = " ".join(plan(nameless, "run.json", _with(supplied, conditions=wrong)).problems)
        assert "2025-02-30, which is no day" in problems
        assert "accelerators is 100000000000000" in problems

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"origin": "javascript:1"}, "no web address"),
            ({"licence": "y" * 5000}, "5000 characters; 200 is the most"),
        ],
    )
    def test_what_a_person_adds_has_bounds(self, supplied, changes, words):
        assert words in " ".join(plan(the_file(), "run.json", _with(supplied, **changes)).problems)

    def test_the_same_file_twice_leads_to_the_first(self, supplied):
        (record,) = import_file(the_file(), "run.json", supplied, by=factories.user())
        with pytest.raises(KnownFile, match=str(record.pk)[:8]) as refusal:
            import_file(the_file(), "other-name.json", supplied, by=factories.user())
        assert refusal.value.records == [record]
        assert BenchmarkRecord.objects.count() == 1

    def test_half_an_import_is_none(self, supplied):
        """The database refuses a workload: nothing of the file stays, not even what was written before it."""
        beyond = _with(supplied, conditions={"input_tokens_requested": str(10**12)})
        with pytest.raises(IntegrityError) as refusal, transaction.atomic():
            import_file(the_file(), "run.json", beyond, by=factories.user())
        assert rule_of(refusal.value) == "workload_numbers_positive"
        assert not BenchmarkRecord.objects.exists()
        assert not Artifact.objects.exists()

    def test_bytes_are_kept_only_where_they_may_be_passed_on(self, supplied):
        import_file(the_file(), "run.json", supplied, by=factories.user())
        assert Artifact.objects.get().content is None
        free = _with(supplied, licence="MIT", redistributable=True)
        import_file(the_file(max_concurrency=8), "run.json", free, by=factories.user())
        assert Artifact.objects.filter(content__isnull=False).count() == 1

    def test_runs_share_a_workload_where_it_is_the_same(self, supplied):
        import_file(the_file(), "a.json", supplied, by=factories.user())
        import_file(the_file(output_throughput=101.0), "b.json", supplied, by=factories.user())
        assert Workload.objects.count() == 1

    def test_suggestions_are_only_that(self):
        factories.subject("checkpoint", slug="quill-7b", detail={"identifier": "quill/quill-7b"})
        found = suggested(read(the_file(), "x"))
        assert found["checkpoint"]["quill/quill-7b"].slug == "quill-7b"
        assert found["hardware"] == {"": None}


def _with(supplied, **changes):
    return Supplied(**{**supplied.__dict__, **changes})


class TestCommand:
    def run(self, *args):
        out, err = StringIO(), StringIO()
        try:
            call_command("import_benchmark", *map(str, args), stdout=out, stderr=err)
        except CommandError as error:
            err.write(str(error))
        return out.getvalue(), err.getvalue()

    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "run.json"
        path.write_bytes(the_file())
        return path

    def test_json_prints_what_was_read_and_needs_nothing_else(self, path):
        out, err = self.run(path, "--json")
        found = json.loads(out)
        assert err == ""
        assert found["tool"] == "vLLM bench serve"
        (run,) = found["runs"]
        assert run["counts"] == {"attempted": 10, "ok": 10, "failed": 0, "incomplete": None}
        figure = next(m for m in run["metrics"] if (m["metric"], m["statistic"]) == ("ttft_client", "p99"))
        assert (figure["value"], figure["unit"]) == ("61.5", "ms")
        assert "hardware" in run["missing"]

    def test_json_of_what_cannot_be_read_says_why(self, tmp_path):
        bad = tmp_path / "bad.json"
        bad.write_text('{"a": 1, "a": 2}')
        with pytest.raises(SystemExit):
            self.run(bad, "--json")

    def test_a_dry_run_writes_nothing(self, path, supplied):
        out, err = self.run(
            path, "--source", "results-of-lab", "--hardware", "aster-a1", "--submitter", "lab"
        )
        assert "Dry run, nothing written" in out
        assert err == ""
        assert not BenchmarkRecord.objects.exists()

    def test_apply_makes_drafts_of_the_named_author(self, path, supplied):
        user = factories.user()
        arguments = [
            path,
            "--source",
            "results-of-lab",
            "--hardware",
            "aster-a1",
            "--submitter",
            "lab",
            "--apply",
        ]
        assert "There is no user" in self.run(*arguments, "--by", "nobody")[1]
        out, _ = self.run(*arguments, "--by", user.username)
        assert "1 drafts" in out
        assert BenchmarkRecord.objects.get().created_by == user
        assert "was imported on" in self.run(*arguments, "--by", user.username)[1]

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--source", "none"], "There is no source “none”"),
            (["--source", "results-of-lab", "--hardware", "h999"], "There is no gpu “h999”"),
            (["--source", "results-of-lab", "--submitter", "x"], "no organisation with the key “x”"),
            (["--source", "results-of-lab", "--condition", "precision"], "takes NAME=VALUE"),
            (["--source", "results-of-lab"], "No hardware is chosen and the file names none"),
        ],
    )
    def test_refusals_name_the_remedy(self, path, supplied, arguments, words):
        assert words in self.run(path, *arguments)[1]

    def test_problems_of_every_file_before_anything_is_written(self, path, tmp_path, supplied):
        bad = tmp_path / "bad.txt"
        bad.write_text("no result at all")
        user = factories.user()
        out, err = self.run(
            path,
            bad,
            "--source",
            "results-of-lab",
            "--hardware",
            "aster-a1",
            "--submitter",
            "lab",
            "--apply",
            "--by",
            user.username,
        )
        assert "bad.txt" in err
        assert "1 of 2 files have problems" in err
        assert not BenchmarkRecord.objects.exists()

    def test_a_file_that_is_none(self, tmp_path):
        assert "cannot be read" in self.run(tmp_path / "absent.json", "--json")[1]
