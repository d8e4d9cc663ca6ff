"""The work queues: which rows wait for whom. The front page counts them, a list filter of the same name shows them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.contrib import admin
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, F, Func, Max, Min, Q, Window
from django.urls import reverse

from registry.models import BenchmarkRecord, Claim, Reproduction
from sources.models import Link, Source

YOURS, REVIEW, LINKS, REGISTRY = "Yours", "For a second person", "Links to sources", "The registry"


@dataclass(frozen=True)
class Queue:
    key: str
    section: str
    title: str
    meaning: str
    model: type
    rows: Callable  # (queryset, user) → the rows of the queue
    verb: str = "view"  # what one must be allowed to do to act on it

    def open_to(self, user):
        return user.has_perm(f"{self.model._meta.app_label}.{self.verb}_{self.model._meta.model_name}")

    def counted(self, user):
        address = reverse(f"admin:{self.model._meta.app_label}_{self.model._meta.model_name}_changelist")
        return {
            "section": self.section,
            "title": self.title,
            "meaning": self.meaning,
            "count": self.rows(self.model.objects.all(), user).count(),
            "url": f"{address}?queue={self.key}",
        }


def _own(user):
    return Q(created_by=user) | Q(edited_by=user)


def _of_entries(model, several):
    return [
        Queue(
            "returned",
            YOURS,
            f"{several} returned to you",
            "A reviewer asks for a change; the reason stands on the draft.",
            model,
            lambda rows, user: rows.drafts().filter(created_by=user).exclude(returned_reason=""),
            "change",
        ),
        Queue(
            "drafts",
            YOURS,
            f"Your drafts of {several.lower()}",
            "Not submitted yet.",
            model,
            lambda rows, user: rows.drafts().filter(created_by=user, returned_reason=""),
            "change",
        ),
        Queue(
            "handed-in",
            YOURS,
            f"{several} you submitted",
            "Waiting for a second person.",
            model,
            lambda rows, user: rows.submitted().filter(_own(user)),
            "change",
        ),
        Queue(
            "review",
            REVIEW,
            f"{several} waiting for your review",
            "Submitted by others.",
            model,
            lambda rows, user: rows.submitted().exclude(created_by=user).exclude(edited_by=user),
            "publish",
        ),
    ]


class _Among(Func):
    """value = ANY(array)"""

    template, arg_joiner = "%(expressions)s)", " = ANY("
    output_field = BooleanField()


def _disagreeing(published):
    """The claims `ClaimQuerySet.disagreeing` finds, by one pass over all of them instead of a count for each."""
    alike = [F("subject"), F("property"), F("conditions")]
    comparable = (
        Claim.objects.published()
        .filter(value_kind="value", derivation="")
        .exclude(property__datatype="description")
        .annotate(
            lowest=Window(Min("value_key"), partition_by=alike),
            highest=Window(Max("value_key"), partition_by=alike),
        )
    )
    apart = comparable.filter(lowest__lt=F("highest")).order_by().values("pk")
    # As an array it is made once; until a loaded database is analysed, a plain IN may make it anew for every claim.
    return published.filter(_Among("pk", ArraySubquery(apart)))


QUEUES = [
    *_of_entries(Claim, "Claims"),
    *_of_entries(Reproduction, "Reproductions"),
    *_of_entries(BenchmarkRecord, "Benchmark records"),
    Queue(
        "broken",
        LINKS,
        "Links broken",
        "Confirmed by several looks, days apart. Find the source elsewhere, or offer its archived copy.",
        Link,
        lambda rows, user: rows.broken(),
    ),
    Queue(
        "under-review",
        LINKS,
        "Sources changed, under review",
        "A cited passage gives another number or is gone: correct the claim, or say that the page is fine.",
        Link,
        lambda rows, user: rows.under_review(),
    ),
    Queue(
        "look",
        LINKS,
        "Links that need a look",
        "Changed text, an answer that is probably not the source, or no answer for weeks.",
        Link,
        lambda rows, user: rows.waiting_for_a_person(),
    ),
    Queue(
        "moved",
        LINKS,
        "Sources moved",
        "They answer for good at another address: accept it, with a note.",
        Link,
        lambda rows, user: rows.moved(),
    ),
    Queue(
        "parked",
        LINKS,
        "Links parked",
        "No look at them ever came back: the checker dies on them. Read the source yourself, and tell who runs this.",
        Link,
        lambda rows, user: rows.parked(),
    ),
    Queue(
        "due",
        REGISTRY,
        "Verification due",
        "Last read over twelve months ago; documentation over six.",
        Source,
        lambda rows, user: rows.verification_due(datetime.now(UTC).date()),
    ),
    Queue(
        "disagree",
        REGISTRY,
        "Sources disagree",
        "Published claims on one property that give different values.",
        Claim,
        lambda rows, user: _disagreeing(rows.published()),
    ),
    Queue(
        "unreproduced",
        REGISTRY,
        "Manufacturer figures, not reproduced",
        "No independent party has published a reproduction.",
        Claim,
        lambda rows, user: rows.published().unreproduced(),
    ),
    Queue(
        "claims-second-hand",
        REGISTRY,
        "Claims read at second hand",
        "Nobody has read the text of their sources itself.",
        Claim,
        lambda rows, user: rows.published().read_at_second_hand(),
    ),
    Queue(
        "second-hand",
        REGISTRY,
        "Sources read at second hand",
        "Find and read the source itself.",
        Source,
        lambda rows, user: rows.second_hand(),
    ),
    Queue(
        "leads",
        REGISTRY,
        "Leads",
        "Sources without a publisher or a verification: they cannot carry a publication yet.",
        Source,
        lambda rows, user: rows.leads(),
    ),
    Queue(
        "beyond-robots",
        REGISTRY,
        "Cannot be checked by machine",
        "The site refuses robots, or its address must not be fetched. It says nothing about the source.",
        Link,
        lambda rows, user: rows.beyond_robots(),
    ),
]


class QueueFilter(admin.SimpleListFilter):
    """Shows exactly the rows of one work queue."""

    title = "work queue"
    parameter_name = "queue"

    def __init__(self, request, params, model, model_admin):
        self.queues = {q.key: q for q in QUEUES if q.model is model and q.open_to(request.user)}
        super().__init__(request, params, model, model_admin)

    def lookups(self, request, model_admin):
        return [(key, queue.title) for key, queue in self.queues.items()]

    def queryset(self, request, queryset):
        queue = self.queues.get(self.value())
        return queue.rows(queryset, request.user) if queue else queryset
