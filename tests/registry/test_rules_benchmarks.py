"""What holds for benchmark records beside what holds for every entry: broken by plain SQL and by the ORM's bulk roads."""

import uuid
from decimal import Decimal

import pytest
from django.db import IntegrityError

from registry.actions.benchmark_records import workload_of
from registry.actions.lifecycle import publish, submit
from registry.actions.log import verify
from registry.actions.seed import seed
from registry.errors import rule_of
from registry.models import (
    Artifact,
    BenchmarkCitation,
    BenchmarkRecord,
    Measurement,
    Metric,
    Publication,
    Workload,
)
from tests import factories
from tests.refusals import INSERTS, UPDATES, refused, sql

pytestmark = pytest.mark.django_db(databases=["default", "owner"])


@pytest.fixture
def published():
    return factories.benchmark_record()


@pytest.fixture
def draft():
    return factories.benchmark_record("draft")


def artifact(**fields):
    given = {
        "sha256": "a" * 64,
        "size": 3,
        "name": "run.json",
        "tool": "vLLM bench serve",
        "origin": "https://example.org/run.json",
    }
    return Artifact(**{**given, **fields})


class TestLife:
    def test_it_is_published_with_a_number_and_a_row_of_the_log(self, published):
        assert published.name == "B-1/1"
        row = Publication.objects.get(letter="B")
        assert row.subject_key == published.hardware.key
        assert '"52.30"' in row.text
        assert "ttft_client" in row.text
        assert verify().holds

    @pytest.mark.parametrize("road", UPDATES)
    def test_nothing_of_a_published_record_changes(self, road, published):
        for changes in (
            {"precision": "fp8"},
            {"accelerators": 8},
            {"requests_failed": 0},
            {"quirks": ["none"]},
            {"further": {"driver": "550"}},
            {"workload": workload_of({"load_mode": "open"})},
        ):
            with refused("entry_frozen", "B-1/1 is published and cannot change"):
                UPDATES[road](published, changes)

    def test_no_measurement_is_added_changed_or_taken_away(self, published):
        figure = published.measurements.get()
        with refused("entry_frozen", "its measurements cannot change"):
            sql("UPDATE registry_measurement SET value = 1 WHERE id = %s", figure.pk)
        with refused("entry_frozen", "its measurements cannot change"):
            sql("DELETE FROM registry_measurement WHERE id = %s", figure.pk)
        with refused("entry_frozen", "its measurements cannot change"):
            Measurement.objects.create(
                entry=published, metric=figure.metric, statistic="p99", value=1, text="1 ms"
            )
        with refused("entry_frozen", "its citations cannot change"):
            sql("DELETE FROM registry_benchmarkcitation WHERE entry_id = %s", published.pk)

    def test_a_correction_takes_measurements_and_citations_along(self, published):
        newer = factories.revision(published, precision="fp8")
        published.refresh_from_db()
        assert (newer.name, published.status) == ("B-1/2", "superseded")
        assert newer.measurements.get().value == Decimal("52.30")
        assert newer.citations.count() == 1
        assert verify().holds

    def test_it_is_not_submitted_without_a_measurement(self):
        empty = factories.benchmark_record("draft", measured=())
        with refused("benchmark_measures_something", "no measurement", "Import it"):
            sql("UPDATE registry_benchmarkrecord SET status = 'submitted' WHERE id = %s", empty.pk)

    def test_it_is_not_published_on_an_unread_source(self):
        lead = factories.passage(factories.source(verified=False))
        entry = factories.benchmark_record("draft", cited=[(lead, "supports")])
        entry = submit(entry, by=entry.created_by, note="Look.")
        with pytest.raises(IntegrityError) as refusal:
            publish(entry, by=factories.user("reviewer"))
        assert rule_of(refusal.value) == "entry_needs_attributed_source"

    def test_it_stays_about_its_hardware(self, published):
        newer = factories.revision(published, "draft")
        with refused("revision_keeps_subject", published.hardware.key, "Withdraw it"):
            UPDATES["SQL"](newer, {"hardware": factories.subject()})

    @pytest.mark.parametrize("role", ["hardware", "checkpoint", "runtime"])
    def test_subjects_have_the_kind_of_their_role(self, role, draft):
        wrong = factories.subject("runtime" if role == "hardware" else "gpu")
        with refused("benchmark_subject_of_kind", "The hardware is a GPU"):
            UPDATES["SQL"](draft, {role: wrong})

    def test_withdrawing_says_why(self, published):
        factories.withdrawn(published)
        assert Publication.objects.filter(letter="B").latest("sequence").event == "withdrawn"
        assert verify().holds


CHANGES = {
    "more requests succeeded than were attempted": (
        "benchmarkrecord_counts_add_up",
        "requests_attempted = 10, requests_ok = 11",
        "than were attempted",
    ),
    "more failed than were attempted": (
        "benchmarkrecord_counts_add_up",
        "requests_attempted = 10, requests_failed = 11",
        "than were attempted",
    ),
    "no accelerators": (
        "benchmarkrecord_nothing_is_zero",
        "accelerators = 0",
        "left empty",
    ),
    "no nodes": ("benchmarkrecord_nothing_is_zero", "nodes = 0", "left empty"),
    "no tokens": ("benchmarkrecord_nothing_is_zero", "output_tokens = 0", "left empty"),
    "endless tokens": ("benchmarkrecord_nothing_is_zero", "input_tokens = 'NaN'", "left empty"),
    "a run without a name": ("benchmarkrecord_names_tool_and_run", "run = ' — '", "which of its runs"),
    "no tool": ("benchmarkrecord_names_tool_and_run", "tool = ''", "names the tool"),
    "a kind of change": ("benchmarkrecord_change_kind_known", "change_kind = 'silent'", "correction"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_draft_cannot_say(what, draft):
    rule, assigned, words = CHANGES[what]
    with refused(rule, words):
        sql(f"UPDATE registry_benchmarkrecord SET {assigned} WHERE id = %s", draft.pk)


def test_a_number_is_given_once(published):
    with factories.as_bundle(), refused("benchmarkrecord_number_once", "never given twice"):
        factories.benchmark_record("draft", number=published.number)


def test_a_suites_result_is_submitted_with_round_and_scenario(draft):
    UPDATES["SQL"](draft, {"suite": "MLPerf Inference"})
    with refused("benchmarkrecord_suite_qualified", "round and scenario"):
        sql("UPDATE registry_benchmarkrecord SET status = 'submitted' WHERE id = %s", draft.pk)


class TestMeasurements:
    def born(self, draft, **fields):
        return Measurement(
            **{
                "entry": draft,
                "metric_id": "ttft_client",
                "statistic": "p99",
                "value": 1,
                "text": "1 ms",
                **fields,
            }
        )

    @pytest.mark.parametrize("road", INSERTS)
    def test_one_statistic_of_a_metric_once(self, road, draft):
        with refused("measurement_once", "already"):
            INSERTS[road](self.born(draft, statistic="mean"))

    @pytest.mark.parametrize("value", ["NaN", "Infinity", "1e25"])
    def test_only_numbers(self, value, draft):
        with refused("measurement_finite", "anybody measured"):
            sql("UPDATE registry_measurement SET value = %s::numeric WHERE entry_id = %s", value, draft.pk)

    @pytest.mark.parametrize("road", INSERTS)
    @pytest.mark.parametrize("statistic", ["", "p", "p100", "average", "P99", "p99;"])
    def test_only_known_statistics(self, road, statistic, draft):
        with refused("measurement_statistic_known", "percentile"):
            INSERTS[road](self.born(draft, statistic=statistic))

    def test_one_passage_once(self, draft):
        cited = draft.citations.get()
        with refused("benchmarkcitation_once", "cited already"):
            BenchmarkCitation.objects.create(entry=draft, passage=cited.passage, stance="context")
        with refused("benchmarkcitation_stance_known", "supports"):
            UPDATES["SQL"](cited, {"stance": "proves"})


class TestWorkload:
    def test_what_says_the_same_is_one_row(self):
        one = workload_of({"load_mode": "closed", "concurrency": 8, "input_tokens": Decimal("128.0")})
        assert workload_of({"load_mode": "closed", "concurrency": 8, "input_tokens": Decimal(128)}) == one
        assert workload_of({"load_mode": "closed", "concurrency": 16}) != one

    def test_unknown_is_not_no(self):
        assert workload_of({"streaming": False}) != workload_of({"streaming": None})

    @pytest.mark.parametrize("road", INSERTS)
    def test_its_identity_is_not_chosen(self, road):
        INSERTS[road](Workload(load_mode="open", spec_hash="0" * 64))
        assert not Workload.objects.filter(spec_hash="0" * 64).exists()
        with refused("registry_workload_spec_hash_key", "use that one"):
            INSERTS["SQL"](Workload(load_mode="open"))

    def test_it_never_changes(self):
        row = workload_of({"load_mode": "closed"})
        with refused("append_only", "neither changed nor deleted"):
            UPDATES["SQL"](row, {"load_mode": "open"})
        with refused("append_only"):
            sql("DELETE FROM registry_workload WHERE id = %s", row.pk)

    @pytest.mark.parametrize("road", INSERTS)
    def test_only_known_loads(self, road):
        with refused("workload_load_mode_known", "closed, open"):
            INSERTS[road](Workload(load_mode="some"))

    @pytest.mark.parametrize("column", ["input_tokens", "output_tokens", "request_rate", "concurrency"])
    @pytest.mark.parametrize("value", ["0", "'NaN'"])
    def test_zero_is_not_unreported(self, column, value):
        if (column, value) == ("concurrency", "'NaN'"):
            return  # no integer
        columns = [each for each in Workload._meta.concrete_fields if each.name not in ("id", "spec_hash")]
        texts = {each.column: "''" for each in columns if each.get_default() == ""}
        names = ", ".join([*texts, column])
        with refused("workload_numbers_positive", "leave empty"):
            sql(f"INSERT INTO registry_workload ({names}) VALUES ({', '.join([*texts.values(), value])})")


class TestArtifacts:
    @pytest.mark.parametrize("road", INSERTS)
    @pytest.mark.parametrize("digest", ["", "A" * 64, "a" * 63, "g" * 64])
    def test_it_is_known_by_its_hash(self, road, digest):
        with refused("artifact_sha256_form", "64 hexadecimal digits"):
            INSERTS[road](artifact(sha256=digest))

    @pytest.mark.parametrize("road", INSERTS)
    @pytest.mark.parametrize("fields", [{}, {"redistributable": True}, {"licence": "MIT"}])
    def test_bytes_are_kept_only_where_the_licence_lets_them_be_passed_on(self, road, fields):
        with refused("artifact_content_redistributable", "licence"):
            INSERTS[road](artifact(content=b"abc", **fields))
        INSERTS[road](
            artifact(sha256=uuid.uuid4().hex * 2, content=b"abc", redistributable=True, licence="MIT")
        )

    def test_what_is_said_of_a_file_stays(self):
        kept = artifact()
        kept.save(force_insert=True)
        with refused("append_only"):
            UPDATES["SQL"](kept, {"licence": "MIT"})


class TestMetrics:
    def test_the_web_role_reads_them(self, web_sql):
        with pytest.raises(Exception, match="permission denied"):
            web_sql.execute("UPDATE registry_metric SET name = 'x'")

    def test_a_key_means_one_formula_for_ever(self):
        with refused("metric_permanent", "keeps its formula", "key of its own", using="owner"):
            Metric.objects.using("owner").filter(pk="ttft_client").update(formula="something else")
        with refused("metric_permanent", using="owner"):
            Metric.objects.using("owner").filter(pk="ttft_client").delete()
        Metric.objects.using("owner").filter(pk="ttft_client").update(name="Another name")
        seed("owner")
        assert Metric.objects.using("owner").get(pk="ttft_client").name != "Another name"


def test_a_record_makes_its_subjects_seen(published):
    """Readers see the hardware now, so its name changes only with a note."""
    with refused("reference_change_noted", published.hardware.key):
        UPDATES["SQL"](published.hardware, {"name": "Another name"})
    assert BenchmarkRecord.objects.about(published.hardware).get() == published
