"""Loading and dumping bundles against the real database."""

import threading
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from registry.actions import bundle as loading
from registry.bundle.folder import read_folder
from registry.models import BenchmarkRecord, Claim, FormerSlug, Property, Publication, Reproduction, Subject
from sources.actions.acting import acting
from sources.models import Link, Organisation, ReferenceChange, Source, Verification
from tests.bundles import CLAIM, contents, corrected, revision, small, written

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def load(folder, *options):
    call_command("load_bundle", folder, *options)


@pytest.fixture
def loaded(db, tmp_path):
    """The small bundle, loaded; the folder it was loaded from."""
    folder = written(tmp_path / "loaded", small())
    load(folder, "--apply")
    return folder


def refused(capsys, folder, *options):
    """The lines that say why a bundle was refused."""
    capsys.readouterr()
    with pytest.raises(CommandError) as refusal:
        load(folder, *options)
    return [*capsys.readouterr().err.splitlines(), str(refusal.value)]


def told(capsys, folder, *options):
    """What loading says."""
    capsys.readouterr()
    load(folder, *options)
    return capsys.readouterr().out


def full():
    """The small bundle with everything a bundle can hold."""
    files = small()
    corrected(files, 1, text="81 GB", value="81")
    revision(files, 1)["withdrawn"] = {"on": "2026-07-02", "reason": "The sheet was withdrawn."}
    corrected(files, 1, record_date="2026-08-01", change="update", change_note="Published again.")
    del revision(files, 1)["withdrawn"]
    revision(files, 2).update(
        contexts=[{"subject": "b2", "role": "beside"}],
        derivation="Half of two",
        boundary="One GPU",
        note="Rounded.",
        conditions="idle",
        self_reviewed=True,
    )
    files["subjects/gpus.json"]["subjects"].append(
        {
            "key": "b2",
            "slug": "b-2",
            "former_slugs": ["b2-old", "b2"],
            "name": "Acme B2",
            "maker": "acme",
            "family": "B",
            "hardware": "rack-scale system",
        }
    )
    files["sources/bench.json"]["sources"][0].update(state="superseded", superseded_by="bench-report-2")
    files["sources/bench.json"]["sources"].append(
        {
            "key": "bench-report-2",
            "title": "Report",
            "product": "Bench",
            "version": "2.0",
            "edition_of": "bench-report",
            "url": "https://bench.example/2.0/report",
            "link_kind": "floating",
            "kind": "benchmark results",
            "attribution_role": "third party",
            "date_basis": "last modified",
            "last_modified": "2026-06-01",
            "licence": "CC BY",
            "archive_url": "https://archive.example/1",
            "title_stands_alone": True,
            "verifications": [
                {"on": "2026-06-02", "representation": "excerpt"},
                {"on": "2026-06-03", "representation": "full text", "outcome": "differs"},
            ],
        }
    )
    files["reproductions/a1.json"] = {
        "subject": "a1",
        "reproductions": [
            {
                "number": "R-1",
                "revisions": [
                    {
                        "record_date": "2026-08-02",
                        "claim": "C-1",
                        "performer": "bench",
                        "outcome": "inconclusive",
                        "text": "80.9 GB",
                        "measured": "80.9",
                        "tolerance": "1 %",
                        "conditions": "idle",
                        "citations": [{"source": "bench-report", "locator": "Page 3", "stance": "supports"}],
                    }
                ],
            }
        ],
    }
    return files  # fmt: skip


@pytest.mark.django_db
def test_without_apply_nothing_is_written(tmp_path, capsys):
    said = told(capsys, written(tmp_path, small()))
    assert "Dry run, nothing written: 11 new, 0 same, 0 kept." in said
    assert not Claim.objects.exists()
    assert not Organisation.objects.exists()


@pytest.mark.django_db
def test_a_second_load_changes_nothing(loaded, capsys):
    before = Publication.objects.count()
    assert "Loaded: 0 new, 11 same, 0 kept." in told(capsys, loaded, "--apply")
    assert Publication.objects.count() == before


@pytest.mark.django_db
def test_a_dump_of_what_was_loaded_is_the_same_to_the_byte(tmp_path):
    given = written(tmp_path / "given", full())
    load(given, "--apply")
    call_command("dump_bundle", tmp_path / "first")
    call_command("dump_bundle", tmp_path / "first")
    assert read_folder(tmp_path / "first").records == read_folder(given).records


@pytest.mark.django_db
def test_the_fixtures_load_and_come_back_to_the_byte(tmp_path):
    load(FIXTURES, "--apply")
    call_command("dump_bundle", tmp_path / "dump")
    assert contents(tmp_path / "dump") == contents(FIXTURES)
    assert Subject.objects.count() == 33
    assert Source.objects.filter(verified_on__isnull=False, publisher__isnull=False).count() == 244
    assert Claim.objects.published().count() == 1388
    assert BenchmarkRecord.objects.published().count() == 454


@pytest.mark.django_db
def test_everything_a_bundle_can_hold_arrives(tmp_path):
    load(written(tmp_path, full()), "--apply")
    assert list(
        Claim.objects.filter(number=1).order_by("revision").values_list("status", "record_date", "ended_on")
    ) == [
        ("superseded", date(2026, 6, 3), date(2026, 7, 1)),
        ("withdrawn", date(2026, 7, 1), date(2026, 7, 2)),
        ("published", date(2026, 8, 1), None),
    ]
    assert Claim.objects.get(number=2).self_reviewed
    assert str(Claim.objects.get(number=2).value) == "79.60"
    assert Reproduction.objects.published().get().measured is not None
    assert set(FormerSlug.objects.values_list("slug", flat=True)) == {"b2-old", "b2"}
    assert Source.objects.get(key="bench-report").superseded_by.key == "bench-report-2"
    assert Source.objects.get(key="bench-report-2").link_kind == "floating"
    assert Link.objects.count() == 3


@pytest.mark.django_db
def test_a_load_shows_no_correction_of_what_it_made(db, tmp_path, client):
    """Editions, successors and former addresses are part of the rows as they came."""
    load(written(tmp_path, full()), "--apply")
    assert Source.objects.get(key="bench-report-2").edition_of.key == "bench-report"
    assert not ReferenceChange.objects.noted().exists()
    assert ReferenceChange.objects.filter(note__startswith="Loaded from the bundle").exists()
    assert client.get("/corrections").context["changes"] == []


def test_the_log_says_from_which_bundle_an_earlier_date_came(loaded):
    row = Publication.objects.get(letter="C", number=1)
    assert (row.record_date, row.bundle) == (date(2026, 6, 3), "loaded")
    assert Claim.objects.get(number=1).published_by is None


@pytest.mark.django_db
def test_after_a_load_the_earlier_date_is_closed_again(loaded):
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('registry.bundle', true)")
        assert not cursor.fetchone()[0]


@pytest.mark.django_db
def test_a_new_revision_follows_what_is_published(loaded, tmp_path, capsys):
    files = small()
    corrected(files, 1, text="81 GB", value="81")
    said = told(capsys, written(tmp_path / "next", files), "--apply")
    assert "1 new revisions of claims" in said
    assert list(Claim.objects.filter(number=1).order_by("revision").values_list("status", flat=True)) == [
        "superseded",
        "published",
    ]


@pytest.mark.django_db
def test_a_withdrawal_in_the_bundle_withdraws(loaded, tmp_path):
    files = small()
    revision(files, 1)["withdrawn"] = {"on": "2026-09-01", "reason": "The sheet was withdrawn."}
    load(written(tmp_path / "next", files), "--apply")
    claim = Claim.objects.get(number=1)
    assert (claim.status, claim.ended_on, claim.end_note) == (
        "withdrawn",
        date(2026, 9, 1),
        "The sheet was withdrawn.",
    )


@pytest.mark.django_db
def test_what_was_withdrawn_comes_back_as_a_new_revision(loaded, tmp_path):
    files = small()
    revision(files, 1)["withdrawn"] = {"on": "2026-06-30", "reason": "The sheet was withdrawn."}
    del corrected(files, 1, text="81 GB", value="81")["withdrawn"]
    load(written(tmp_path / "next", files), "--apply")
    assert list(Claim.objects.filter(number=1).order_by("revision").values_list("status", flat=True)) == [
        "withdrawn",
        "published",
    ]


@pytest.mark.django_db
def test_the_same_revision_with_other_content_is_an_error(loaded, tmp_path, capsys):
    files = small()
    revision(files, 1).update(text="81 GB", value="81")
    said = refused(capsys, written(tmp_path / "next", files), "--apply")
    assert "C-1/1 says something else in the registry (text, value)." in said[0]
    assert "A published revision never changes" in said[0]
    assert Claim.objects.get(number=1).text == "80 GB"


@pytest.mark.django_db
def test_a_registry_that_is_ahead_is_kept_and_listed(tmp_path, capsys):
    files = small()
    corrected(files, 1, text="81 GB", value="81")
    load(written(tmp_path / "newer", files), "--apply")
    said = told(capsys, written(tmp_path / "older", small()), "--apply")
    assert "kept: C-1: the registry is ahead (at revision 2); the bundle ends at 1." in said
    assert Claim.objects.published().get(number=1).text == "81 GB"


@pytest.mark.django_db
def test_a_row_that_editors_changed_is_kept_and_listed(loaded, capsys):
    with acting(None, note="The maker's own word."):
        Property.objects.filter(key="memory").update(label="Memory capacity")
    said = told(capsys, loaded, "--apply")
    assert "kept: properties memory: the registry has another label and keeps it." in said
    assert Property.objects.get(key="memory").label == "Memory capacity"


@pytest.mark.django_db
def test_a_later_verification_is_added_to_a_known_source(loaded, tmp_path):
    files = small()
    files["sources/acme.json"]["sources"][0]["verifications"].append(
        {"on": "2026-10-01", "representation": "excerpt"}
    )
    load(written(tmp_path / "next", files), "--apply")
    assert Verification.objects.filter(source__key="acme-sheet").count() == 2
    assert Source.objects.get(key="acme-sheet").verified_on == date(2026, 10, 1)


@pytest.mark.django_db
def test_a_bundle_may_rest_on_what_the_registry_has(loaded, tmp_path):
    claim = small()[CLAIM]["claims"][0] | {"number": "C-4"}
    files = {"bundle.json": {"format": 1}, CLAIM: {"subject": "a1", "claims": [claim]}}
    load(written(tmp_path / "part", files), "--apply")
    assert Claim.objects.published().filter(number=4).exists()


@pytest.mark.django_db
def test_an_open_draft_of_the_same_claim_stops_the_load(loaded, tmp_path, capsys):
    published = Claim.objects.get(number=1)
    Claim.objects.create(
        lineage=published.lineage, number=1, revision=2, change_kind="update", change_note="New sheet.",
        subject=published.subject, property=published.property, asserter=published.asserter, text="90 GB", value=90,
    )  # fmt: skip
    files = small()
    corrected(files, 1)
    assert (
        "C-1 has an open draft in the registry."
        in refused(capsys, written(tmp_path / "next", files), "--apply")[0]
    )


@pytest.mark.django_db
def test_every_problem_is_printed_and_nothing_written(tmp_path, capsys):
    files = small()
    revision(files, 1)["value"] = "eighty"
    revision(files, 2)["asserter"] = "acme-labs"
    files["subjects/gpus.json"]["subjects"][0]["slug"] = "compare"
    said = refused(capsys, written(tmp_path, files), "--apply")
    assert len(said) == 4
    assert said[-1] == "3 problems; nothing was written."
    assert not Organisation.objects.exists()


@pytest.mark.django_db
def test_what_only_the_database_finds_leaves_nothing_behind(tmp_path, capsys, monkeypatch):
    files = small()
    revision(files, 1)["record_date"] = "2026-05-31"
    monkeypatch.setattr(loading, "check", lambda known, today: [])
    said = refused(capsys, written(tmp_path, files), "--apply")
    assert "The database refused the bundle; nothing was written." in said[-1]
    assert "has not been verified by 2026-05-31" in said[-1]
    assert not Organisation.objects.exists()


@pytest.mark.django_db
def test_a_bundle_that_is_none_is_refused(tmp_path, capsys):
    assert "This is no bundle." in refused(capsys, tmp_path)[0]


@pytest.mark.django_db
def test_a_dump_writes_over_no_other_folder(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear reader")
    with pytest.raises(CommandError, match="holds something that is no bundle"):
        call_command("dump_bundle", tmp_path)


@pytest.mark.django_db
def test_a_dump_holds_no_drafts_and_no_people(loaded, tmp_path):
    claim = Claim.objects.get(number=1)
    Claim.objects.create(
        subject=claim.subject, property=claim.property, asserter=claim.asserter, text="canary"
    )
    Source.objects.create(
        key="lead", title="canary", url="https://a.example/", work_id="url:a.example", kind="blog",
        attribution_role="provider", link_kind="floating", date_basis="not stated",
    )  # fmt: skip
    call_command("dump_bundle", tmp_path / "dump")
    assert not any(
        b"canary" in content or b"user" in content for content in contents(tmp_path / "dump").values()
    )


@pytest.mark.django_db(transaction=True)
def test_a_second_import_is_told_that_one_is_running(tmp_path):
    folder = written(tmp_path, small())
    holding, done, said = threading.Event(), threading.Event(), []

    def hold():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [loading.LOCK])
            holding.set()
            done.wait(10)
        connection.close()

    other = threading.Thread(target=hold)
    other.start()
    holding.wait(10)
    try:
        with pytest.raises(CommandError) as refusal:
            load(folder, "--apply")
        said.append(str(refusal.value))
    finally:
        done.set()
        other.join()
    assert said == ["An import is running. Wait for it to end, then load the bundle again."]
    load(folder, "--apply")
    assert Claim.objects.published().count() == 3


@pytest.mark.django_db
def test_only_a_load_may_choose_numbers(loaded):
    claim = Claim.objects.get(number=1)
    with pytest.raises(IntegrityError, match="cannot be chosen"), transaction.atomic():
        Claim.objects.create(
            number=9,
            subject=claim.subject,
            property=claim.property,
            asserter=claim.asserter,
            text="1 GB",
            value=1,
        )
