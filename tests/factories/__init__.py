"""Records for tests, each made by one call through the real actions. Whatever a test does not name is made for it."""

from tests.factories.entries import (
    as_bundle,
    benchmark_record,
    brought_to,
    cited_draft,
    claim,
    ended,
    loaded,
    reproduction,
    revision,
    withdrawn,
)
from tests.factories.people import user
from tests.factories.references import organisation, passage, property_, source, subject, today
from tests.factories.world import world

__all__ = [
    "as_bundle",
    "benchmark_record",
    "brought_to",
    "cited_draft",
    "claim",
    "ended",
    "loaded",
    "organisation",
    "passage",
    "property_",
    "reproduction",
    "revision",
    "source",
    "subject",
    "today",
    "user",
    "withdrawn",
    "world",
]
