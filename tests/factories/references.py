"""Organisations, sources, subjects and properties."""

import datetime

from registry.actions.subjects import add_property, add_subject
from sources.actions.organisations import add_organisation
from sources.actions.sources import add_source, record_verification
from sources.actions.sources import passage as passage_of
from tests.factories.numbers import unique

_DETAILS = {
    "gpu": lambda: {"kind": "accelerator"},
    "checkpoint": lambda: {"identifier": unique("publisher/model")},
    "runtime": lambda: {"layer": "serving engine"},
}


def organisation(**fields):
    """A manufacturer, unless `kind` says otherwise."""
    key = fields.setdefault("key", unique("organisation"))
    return add_organisation(**{"name": key.replace("-", " ").title(), "kind": "manufacturer", **fields})


def source(verified=True, *, verified_on=None, representation="full text", by=None, **fields):
    """A data sheet with a publisher (publisher=None: a lead), read in full today or on the day given."""
    key = fields.setdefault("key", unique("source"))
    if "publisher" not in fields:
        fields["publisher"] = organisation()
    defaults = {
        "url": f"https://example.org/{key}",
        "title": f"Data sheet {key}",
        "kind": "datasheet",
        "attribution_role": "maker",
        "link_kind": "pinned",
        "date_basis": "not stated",
    }
    made = add_source(by=by, **{**defaults, **fields})
    if verified or verified_on:
        record_verification(made, on=verified_on or today(), representation=representation, by=by)
        made.refresh_from_db()
    return made


def passage(of=None, *, locator="p. 2", quotation="", **source_fields):
    """A passage of a source, which is made and verified unless given."""
    return passage_of(of or source(**source_fields), locator, quotation)


def subject(kind="gpu", *, by=None, detail=None, **fields):
    """A subject with the details of its kind."""
    key = fields.setdefault("key", unique(kind))
    defaults = {"slug": key, "name": key.replace("-", " ").upper()}
    if "maker" not in fields:
        fields["maker"] = organisation()
    return add_subject(
        by=by, kind=kind, detail=detail or _DETAILS.get(kind, dict)(), **{**defaults, **fields}
    )


def property_(subject_kind="gpu", *, by=None, **fields):
    """A performance figure in TFLOPS."""
    key = fields.setdefault("key", unique("property"))
    defaults = {
        "label": f"Peak throughput {key}",
        "group": "Compute",
        "position": 1,
        "quantity": f"throughput {key}",
        "datatype": "quantity",
        "unit": "TFLOPS",
        "performance_figure": True,
        "definition": "What the chip can do in theory.",
    }
    return add_property(by=by, subject_kind=subject_kind, **{**defaults, **fields})


def today():
    """The day it is in UTC, as the database counts."""
    return datetime.datetime.now(tz=datetime.UTC).date()
