"""Benchmark records as readers meet them: conditions before figures, reasons before comparisons, nothing ranked."""

import csv
import io
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.actions.benchmark_records import workload_of
from registry.models import Measurement
from tests import factories
from tests.pages.reading import flags_of, page_of, part, text_of

pytestmark = pytest.mark.django_db

FIGURES = {"tpot_client": ("median", "20.5"), "output_throughput_per_accelerator_client": ("value", "154.25")}


def measured(concurrency=8, status="published", *, figures=None, workload=None, **fields):
    """A record of one system at that concurrency, with the figures of FIGURES."""
    spec = {"load_mode": "closed", "concurrency": concurrency, "input_tokens": 128, "output_tokens": 256}
    asked = workload_of({**spec, **(workload or {})})
    draft = factories.benchmark_record("draft", measured=(), workload=asked, **fields)
    for metric, (statistic, value) in (figures or FIGURES).items():
        Measurement.objects.create(
            entry=draft,
            metric_id=metric,
            statistic=statistic,
            value=Decimal(value),
            text=f"{value} as stated",
        )
    return factories.brought_to(status, draft, by=draft.created_by)


@pytest.fixture
def system():
    """What two records share that differ in their load alone."""
    return {
        "hardware": factories.subject(name="Aster A1"),
        "submitter": factories.organisation(kind="independent", name="Lab"),
        "model_as_stated": "quill/quill-7b",
        "precision": "fp8",
        "accelerators": 8,
        "runtime_as_stated": "loom",
    }


@pytest.fixture
def client():
    return Client(raise_request_exception=False)


def test_a_record_shows_conditions_before_figures_and_names_what_nobody_reports(client, system):
    measured(**system)
    page = page_of(client.get("/benchmarks/B-1"))
    text = " ".join(text_of(part(page, "main")).split())
    assert text.index("Conditions") < text.index("Results") < text.index("What is missing for a re-run")
    assert "InterconnectNot reported" in text.replace(" Not", "Not")
    assert "FailedNot reported" in text.replace(" Not", "Not")
    assert "20.5 ms" in text
    assert "20.5 as stated" in text
    assert "(E2E - TTFT) / (n - 1)" in text


def test_throughput_alone_is_marked_and_says_what_it_lacks(client, system):
    measured(**system)
    page = page_of(client.get("/benchmarks/B-1"))
    assert "Throughput alone is incomplete" in flags_of(page)
    assert "no tail latency, failures not reported, no quality task stated" in text_of(page)


def test_a_makers_own_record_is_flagged_everywhere(client, system):
    hardware = system["hardware"]
    measured(**{**system, "submitter": hardware.maker})
    words = "Manufacturer figure, not reproduced"
    assert words in flags_of(page_of(client.get("/benchmarks/B-1")))
    assert words in flags_of(page_of(client.get("/benchmarks")))
    for address in ("/benchmarks/B-1.md", "/benchmarks.md", "/benchmarks.csv", "/benchmarks/B-1.csv"):
        assert words in client.get(address).content.decode(), address


def test_csv_has_a_row_a_figure_with_its_unit_and_conditions(client, system):
    measured(**{**system, "model_as_stated": "=quill"})
    rows = list(csv.DictReader(io.StringIO(client.get("/benchmarks.csv").content.decode())))
    assert [row["metric"] for row in rows] == list(FIGURES)
    assert {row["concurrency"] for row in rows} == {"8"}
    assert {row["requests_failed"] for row in rows} == {"not_reported"}
    assert {row["model_as_stated"] for row in rows} == {"'=quill"}
    assert (rows[0]["value"], rows[0]["unit"], rows[0]["clock"]) == ("20.5", "ms", "client")


def test_a_comparison_gives_the_verdict_before_any_figure(client, system):
    measured(8, **system)
    measured(16, **system)
    text = text_of(part(page_of(client.get("/benchmarks/compare?r=B-1,B-2")), "main"))
    assert text.index("Comparable with stated differences") < text.index("20.5 ms")
    assert "8 requests in flight" in text
    assert "B-2 is 1.00 × B-1" in text


def test_no_ratio_where_two_conditions_differ(client, system):
    measured(8, **system)
    measured(16, **{**system, "runtime_version": "2"})
    measured(16, **{**system, "runtime_version": "3"})
    text = text_of(part(page_of(client.get("/benchmarks/compare?r=B-1,B-3")), "main"))
    assert "20.5 ms" in text
    assert " × B-1" not in text.split("Figures that may stand", 1)[1]


def test_records_that_may_not_be_compared_show_reasons_and_no_figure(client, system):
    measured(8, **system)
    measured(8, workload={"load_mode": "open", "concurrency": None, "request_rate": 4}, **system)
    text = text_of(part(page_of(client.get("/benchmarks/compare?r=B-1&r=B-2")), "main"))
    assert "Not comparable" in text
    assert "keep every figure apart" in text
    assert "20.5 ms" not in text
    assert " × B-" not in text


def test_one_system_under_several_loads_is_a_curve_beside_its_table(client, system):
    for concurrency in (4, 8, 16):
        measured(concurrency, **system)
    answer = client.get("/benchmarks/B-2").content.decode()
    assert answer.count('class="chart-point') == 3
    assert "4 in flight" in answer
    rows = list(csv.DictReader(io.StringIO(client.get("/benchmarks/B-2.csv").content.decode())))
    assert {row["record"] for row in rows} == {"B-1", "B-2", "B-3"}
    twin = client.get("/benchmarks/B-2.md").content.decode()
    assert "16 in flight" in twin


def test_a_corrected_record_leads_on_and_a_withdrawn_one_is_gone(client, system):
    record = measured(**system)
    newer = factories.revision(record, precision="bf16")
    assert "Superseded" in client.get("/benchmarks/B-1/1").content.decode()
    assert "bf16" in client.get("/benchmarks/B-1").content.decode()
    factories.withdrawn(newer, reason="The run was invalid.")
    gone = client.get("/benchmarks/B-1")
    assert gone.status_code == 410
    assert "The run was invalid." in gone.content.decode()
    assert client.get("/benchmarks/B-1/2").status_code == 200
    assert "benchmark record on Aster A1" in client.get("/corrections").content.decode()


def test_subjects_list_their_records(client, system):
    measured(**system)
    hardware = system["hardware"]
    text = client.get(f"/gpus/{hardware.slug}").content.decode()
    assert 'href="/benchmarks/B-1"' in text
    assert f"/benchmarks?hardware={hardware.slug}" in text


def test_drafts_are_shown_nowhere(client, system):
    measured(status="submitted", **{**system, "model_as_stated": "canary"})
    measured(**system)
    for address in ("/benchmarks", "/benchmarks.csv", "/benchmarks/B-1", f"/gpus/{system['hardware'].slug}"):
        assert "canary" not in client.get(address).content.decode()
    assert client.get("/benchmarks/B-2").status_code == 404


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/benchmarks?hardware=h999", "hardware=h999"),
        ("/benchmarks?load=some", "Allowed: closed, open"),
        ("/benchmarks?hardwear=x", "Did you mean hardware?"),
        ("/benchmarks?page=0", "page=0"),
        ("/benchmarks/compare?r=C-1", "“C-1” is no record"),
        ("/benchmarks/compare?r=B-77", "no published record of this number"),
        ("/benchmarks/compare?r=B-1,B-2,B-3,B-4,B-5,B-6,B-7", "7 records are too many"),
        ("/benchmarks/B-1?as=x", "no such parameter"),
    ],
)
def test_bad_addresses_are_told_what_is_wrong(client, system, address, words):
    measured(**system)
    answer = client.get(address)
    assert answer.status_code == 400
    assert words in answer.content.decode().replace("&#x27;", "'")


@pytest.mark.parametrize("place", ["B-0", "B-99", "B-1/9", "b-1", "B-1.xml"])
def test_addresses_without_a_record(client, system, place):
    measured(**system)
    assert client.get(f"/benchmarks/{place}").status_code == 404


def test_what_a_file_says_is_never_markup(client, system):
    hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    measured(
        **{
            **system,
            "model_as_stated": hostile,
            "flags": hostile,
            "quirks": [hostile],
            "further": {"driver": hostile},
        }
    )
    measured(**{**system, "model_as_stated": hostile})
    for address in (
        "/benchmarks",
        "/benchmarks/B-1",
        "/benchmarks/compare?r=B-1,B-2",
        f"/gpus/{system['hardware'].slug}",
    ):
        answer = client.get(address).content.decode()
        assert "<script>alert" not in answer, address
        assert "<img src=x" not in answer, address


@pytest.mark.parametrize(
    "address", ["/benchmarks", "/benchmarks.csv", "/benchmarks/B-1", "/benchmarks/compare?r=B-1,B-2"]
)
def test_queries_do_not_grow_with_records(system, address):
    def count():
        with CaptureQueriesContext(connection) as captured:
            assert Client().get(address).status_code == 200
        return len([query for query in captured if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))])

    measured(4, **system)
    measured(8, **system)
    few = count()
    for concurrency in range(16, 26):
        measured(concurrency, **system)
    assert count() == few


def test_an_unchanged_page_is_not_sent_again(client, system):
    measured(**system)
    etag = client.get("/benchmarks/B-1")["ETag"]
    assert client.get("/benchmarks/B-1", headers={"if-none-match": etag}).status_code == 304
    measured(16, **system)
    assert client.get("/benchmarks/B-1", headers={"if-none-match": etag}).status_code == 200
