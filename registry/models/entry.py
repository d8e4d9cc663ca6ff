import uuid

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, When

from sources.models.constraints import SAYS_SOMETHING


class Status(models.TextChoices):
    DRAFT = "draft", "Draft"
    SUBMITTED = "submitted", "Submitted for review"
    PUBLISHED = "published", "Published"
    SUPERSEDED = "superseded", "Superseded"
    WITHDRAWN = "withdrawn", "Withdrawn"


OPEN = [Status.DRAFT, Status.SUBMITTED]
EVER_PUBLISHED = [Status.PUBLISHED, Status.SUPERSEDED, Status.WITHDRAWN]


class EntryQuerySet(models.QuerySet):
    def published(self):
        return self.filter(status=Status.PUBLISHED)

    def ever_published(self):
        return self.filter(status__in=EVER_PUBLISHED)

    def open(self):
        return self.filter(status__in=OPEN)

    def drafts(self):
        return self.filter(status=Status.DRAFT)

    def submitted(self):
        return self.filter(status=Status.SUBMITTED)

    def as_of(self, day):
        """What was published at the end of that UTC day, by editorial record date."""
        return self.ever_published().filter(
            Q(ended_on__isnull=True) | Q(ended_on__gt=day), record_date__lte=day
        )

    def recorded_until(self, day=None):
        """Ever published, or ever until the end of a day."""
        published = self.ever_published()
        return published if day is None else published.filter(record_date__lte=day)

    def corrections(self):
        """Revisions that changed what was published, and withdrawals, newest first."""
        happened_on = Case(When(status=Status.WITHDRAWN, then="ended_on"), default="record_date")
        return (
            self.ever_published()
            .filter(Q(revision__gt=1) | Q(status=Status.WITHDRAWN))
            .order_by(happened_on.desc(), "-number", "-revision")
        )

    def standing(self, day=None):
        """Published now, or as of a day."""
        return self.published() if day is None else self.as_of(day)


class Entry(models.Model):
    """Anything published under the promise. The rules that hold for it are in registry/rules/entry/."""

    class ChangeKind(models.TextChoices):
        FIRST = "first", "First publication"
        CORRECTION = "correction", "Correction"
        UPDATE = "update", "Update"
        CLARIFICATION = "clarification", "Clarification"

    letter = ""  # C of C-1042

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    lineage = models.UUIDField(default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(
        null=True, blank=True, editable=False, help_text="Given at first publication, without gaps."
    )
    revision = models.PositiveIntegerField(default=1, editable=False)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT, editable=False)
    change_kind = models.CharField(max_length=15, choices=ChangeKind.choices, default=ChangeKind.FIRST)
    change_note = models.CharField(max_length=1000, blank=True, help_text="Public: what changed and why.")
    record_date = models.DateField(null=True, blank=True, editable=False)

    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    edited_at = models.DateTimeField(auto_now=True)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    submitted_at = models.DateTimeField(null=True, blank=True, editable=False)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    submit_note = models.CharField(max_length=1000, blank=True, editable=False)
    returned_reason = models.CharField(max_length=1000, blank=True, editable=False)
    published_at = models.DateTimeField(null=True, blank=True, editable=False)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    self_reviewed = models.BooleanField(default=False, editable=False)
    bundle = models.CharField(
        max_length=200, blank=True, editable=False, help_text="The reviewed bundle it was loaded from."
    )
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_on = models.DateField(null=True, blank=True, editable=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    end_note = models.CharField(max_length=1000, blank=True, editable=False)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                name="%(class)s_revision_once",
                fields=["lineage", "revision"],
                violation_error_message="This entry has an open draft or a revision of this number already: edit that.",
            ),
            models.UniqueConstraint(
                name="%(class)s_number_once",
                fields=["number", "revision"],
                violation_error_message="Another entry has this number: numbers are never given twice.",
            ),
            models.UniqueConstraint(
                name="%(class)s_one_published_revision_per_lineage",
                fields=["lineage"],
                condition=Q(status="published"),
                violation_error_message="Another revision of this entry is published.",
            ),
            models.UniqueConstraint(
                name="%(class)s_one_open_revision_per_lineage",
                fields=["lineage"],
                condition=Q(status__in=OPEN),
                violation_error_message="This entry has an open draft already: edit that one.",
            ),
            models.CheckConstraint(
                name="%(class)s_status_known",
                condition=Q(status__in=Status.values),
                violation_error_message="This status is not known.",
            ),
            models.CheckConstraint(
                name="%(class)s_change_kind_known",
                condition=Q(change_kind__in=["first", "correction", "update", "clarification"]),
                violation_error_message="A change is a correction, an update or a clarification.",
            ),
            models.CheckConstraint(
                name="%(class)s_change_note_required",
                condition=(
                    Q(status="draft")
                    | Q(revision=1, change_kind="first")
                    | (Q(revision__gt=1) & ~Q(change_kind="first") & Q(change_note__regex=SAYS_SOMETHING))
                )
                & (~Q(status="withdrawn") | Q(end_note__regex=SAYS_SOMETHING)),
                violation_error_message=(
                    "A change needs its kind (correction, update or clarification) and a public note saying "
                    "what changed and why; a withdrawal needs its reason."
                ),
            ),
            models.CheckConstraint(
                name="%(class)s_dates_with_status",
                condition=Q(
                    status__in=OPEN, published_at__isnull=True, ended_at__isnull=True, ended_on__isnull=True
                )
                | Q(
                    status="published",
                    number__isnull=False,
                    record_date__isnull=False,
                    published_at__isnull=False,
                    ended_at__isnull=True,
                    ended_on__isnull=True,
                )
                | Q(
                    status__in=["superseded", "withdrawn"],
                    number__isnull=False,
                    record_date__isnull=False,
                    published_at__isnull=False,
                    ended_at__isnull=False,
                    ended_on__gte=F("record_date"),
                ),
                violation_error_message=(
                    "Number and dates of publication do not fit the status: the database sets them."
                ),
            ),
            models.CheckConstraint(
                name="%(class)s_second_person",
                condition=Q(status__in=OPEN)
                | Q(self_reviewed=True)
                | ~Q(bundle="")
                | (
                    Q(created_by__isnull=False)
                    & ~Q(created_by=F("published_by"))
                    & (Q(edited_by__isnull=True) | ~Q(edited_by=F("published_by")))
                ),
                violation_error_message=(
                    "An author cannot publish their own entry: a second person reviews it, "
                    "or it is marked as self-reviewed by someone with that permission."
                ),
            ),
            models.CheckConstraint(
                name="%(class)s_publisher_named",
                condition=Q(status__in=OPEN) | Q(published_by__isnull=False) | ~Q(bundle=""),
                violation_error_message="A publication names the person who published it, or the bundle it came from.",
            ),
        ]

    def __str__(self):
        return self.name

    @property
    def name(self):
        """C-1042/2, or "draft 3fa8…" while it has no number."""
        if self.number is None:
            return f"draft {str(self.id)[:8]}"
        return f"{self.letter}-{self.number}/{self.revision}"


class Citation(models.Model):
    """Entry → passage of a source, with a stance. Changes only while its entry is a draft."""

    class Stance(models.TextChoices):
        SUPPORTS = "supports", "Supports"
        CONTRADICTS = "contradicts", "Contradicts"
        CONTEXT = "context", "Context"

    passage = models.ForeignKey("sources.Passage", models.PROTECT, related_name="%(class)ss")
    stance = models.CharField(max_length=12, choices=Stance.choices, default=Stance.SUPPORTS)
    position = models.PositiveSmallIntegerField(default=1)

    class Meta:
        abstract = True
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                name="%(class)s_once",
                fields=["entry", "passage"],
                violation_error_message="This passage is cited already by this entry.",
            ),
            models.CheckConstraint(
                name="%(class)s_stance_known",
                condition=Q(stance__in=["supports", "contradicts", "context"]),
                violation_error_message="A citation supports, contradicts or gives context.",
            ),
        ]

    def __str__(self):
        return f"{self.entry} {self.stance} {self.passage}"


def with_sources(citations):
    """Citations with what readers see of them: passage, source, publisher, and how link and passage stand.

    What only the next look compares with stays in the database: it is larger than all the rest.
    """
    link, look = "passage__source__link", "passage__look"
    return citations.select_related("passage__source__publisher", link, look).defer(
        f"{link}__seen", f"{link}__offered", f"{link}__accepted", f"{look}__anchor"
    )
