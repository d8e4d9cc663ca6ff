"""What is wrong with what a bundle says: every reference, date, figure and asserter, before the database is asked."""

from collections.abc import Iterator
from datetime import date

from registry.bundle.benchmarks import check_artifact
from registry.bundle.entries import check_entries
from registry.bundle.fields import ARTIFACTS, ORGANISATIONS, PROPERTIES, SOURCES, SUBJECTS, Record
from registry.bundle.known import Known, day
from registry.bundle.problems import Problem
from registry.reasoning.slugs import SlugError, refuse_collision
from sources.addresses import AddressError, normalise

_DETAILS = {"gpu": ["hardware"], "checkpoint": ["identifier"], "runtime": ["layer"]}
_OF_KIND = {
    "hardware": "gpu", "form_factor": "gpu", "identifier": "checkpoint", "layer": "runtime", "repository": "runtime",
}  # fmt: skip


def check(known: Known, today: date) -> list[Problem]:
    """Return every problem of a bundle's records, whose references may also lead into the registry."""
    return [
        *_organisations(known),
        *_properties(known),
        *_sources(known, today),
        *_subjects(known),
        *_artifacts(known),
        *check_entries(known, today),
    ]


def _organisations(known: Known) -> Iterator[Problem]:
    names = {record["name"]: key for key, record in known.recorded[ORGANISATIONS].items()}
    for key, record in known.bundle[ORGANISATIONS].items():
        at = known.at(ORGANISATIONS, key)
        other = names.setdefault(record["name"], key)
        if other != key:
            yield at(
                "name",
                record["name"],
                f"is also the name of {other}.",
                "Keep one organisation, or tell them apart.",
            )
        if "parent" in record:
            yield from known.missing(at, "parent", ORGANISATIONS, record["parent"])
            if key in known.parents(record["parent"]):
                yield at("parent", record["parent"], "makes a circle of parents.", "Leave one parent out.")


def _properties(known: Known) -> Iterator[Problem]:
    rows = {_row(record): key for key, record in known.recorded[PROPERTIES].items()}
    for key, record in known.bundle[PROPERTIES].items():
        other = rows.setdefault(_row(record), key)
        if other != key:
            message = f"has the quantity and condition of {other}."
            yield known.at(PROPERTIES, key)(
                "quantity", record["quantity"], message, "Give each its own condition."
            )


def _row(record: Record) -> tuple[str, str, str]:
    return record["subject_kind"], record["quantity"], record.get("condition", "")


def _sources(known: Known, today: date) -> Iterator[Problem]:
    works: dict[tuple[str, str], str] = {}
    for key, record in [*known.recorded[SOURCES].items(), *known.bundle[SOURCES].items()]:
        at = known.at(SOURCES, key)
        try:
            address = normalise(record["url"])
        except AddressError as error:
            if key in known.bundle[SOURCES]:
                yield at("url", record["url"], "cannot be a source's address.", str(error))
            continue
        other = works.setdefault((address.work_id, record.get("version", "") or address.version), key)
        if key not in known.bundle[SOURCES]:
            continue
        if address.version and "version" not in record:
            yield at(
                "",
                None,
                f"The address pins {address.version}.",
                "Give the version that was read as “version”.",
            )
        if address.url != record["url"]:
            yield at("url", record["url"], "is not in its one form.", f"Write {address.url}")
        if other != key:
            message = f"is the work of {other}, in the same version."
            yield at(
                "url",
                record["url"],
                message,
                "Keep one of the two, or give the versions that tell them apart.",
            )
        for field, kind in (
            ("publisher", ORGANISATIONS),
            ("superseded_by", SOURCES),
            ("edition_of", SOURCES),
        ):
            if field in record:
                yield from known.missing(at, field, kind, record[field])
        yield from _dates(at, record, today)


def _dates(at, record: Record, today: date) -> Iterator[Problem]:
    wanted = {"published": "published", "last modified": "last_modified"}.get(record["date_basis"], "")
    if wanted and wanted not in record:
        yield at(
            "date_basis",
            record["date_basis"],
            f"needs “{wanted}”.",
            "Give that date, or choose “not stated”.",
        )
    if not wanted and ("published" in record or "last_modified" in record):
        yield at(
            "date_basis",
            "not stated",
            "stands beside a date.",
            "Choose the basis whose date is to be printed.",
        )
    if ("superseded_by" in record) != (record.get("state") == "superseded"):
        yield at(
            "state", record.get("state", "current"), "does not fit “superseded_by”.", "Give both or neither."
        )
    for index, verification in enumerate(record.get("verifications", [])):
        read_on, place = day(verification["on"]), f"verifications/{index}/on"
        if read_on is None:
            yield at(place, verification["on"], "is no day.", "Give a day that exists.")
        elif read_on > today:
            yield at(place, verification["on"], "has not come yet.", "Give the day the source was read.")
    confirmed = [
        v["on"] for v in record.get("verifications", []) if v.get("outcome", "confirmed") == "confirmed"
    ]
    for field in ("published", "last_modified"):
        if field not in record:
            continue
        dated = day(record[field])
        if dated is None:
            yield at(field, record[field], "is no date.", "Give a date that exists.")
        elif dated > today:
            yield at(field, record[field], "has not come yet.", "Give the date the source bears.")
        elif confirmed and record[field] > max(confirmed)[: len(record[field])]:
            message = f"is after the source was read ({max(confirmed)})."
            yield at(
                field, record[field], message, "Check both dates; verify the source again if it changed."
            )


def _subjects(known: Known) -> Iterator[Problem]:
    addresses: dict[str, dict[str, str]] = {}
    for record in known.recorded[SUBJECTS].values():
        for slug in (record.get("slug") or record["key"], *record.get("former_slugs", [])):
            addresses.setdefault(record["kind"], {})[slug] = record["name"]
    for key, record in known.bundle[SUBJECTS].items():
        at = known.at(SUBJECTS, key)
        yield from known.missing(at, "maker", ORGANISATIONS, record["maker"])
        taken = addresses.setdefault(record["kind"], {})
        for field in _DETAILS.get(record["kind"], []):
            if field not in record:
                yield at("", None, f"A {record['kind']} needs “{field}”.", "Add the field.")
        for field, kind in _OF_KIND.items():
            if field in record and record["kind"] != kind:
                yield at(
                    field,
                    record[field],
                    f"is a field of a {kind}.",
                    "Remove it, or move the subject to that file.",
                )
        for slug in (record.get("slug") or key, *record.get("former_slugs", [])):
            try:
                if key not in known.recorded[SUBJECTS]:
                    refuse_collision(record["name"], slug, record["kind"], taken)
            except SlugError as error:
                yield at("slug", slug, "cannot be its address.", str(error))
            taken[slug] = record["name"]


def _artifacts(known: Known) -> Iterator[Problem]:
    for key, record in known.bundle[ARTIFACTS].items():
        yield from check_artifact(known.at(ARTIFACTS, key), record)
