from django.apps import apps
from django.db import models
from django.db.models import Count, Max


class PublicationQuerySet(models.QuerySet):
    def extent(self):
        """How many rows, and the newest record date among them (None where there are none)."""
        extent = self.aggregate(rows=Count("pk"), newest=Max("record_date"))
        return extent["rows"], extent["newest"]

    def about(self, subjects):
        """Rows that touch the pages of these subjects."""
        return self.filter(subject_key__in=[subject.key for subject in subjects])

    def about_kind(self, kind):
        keys = apps.get_model("registry", "Subject").objects.filter(kind=kind).values("key")
        return self.filter(subject_key__in=keys)

    def by_day(self):
        """How many rows of each event a day, newest first."""
        return (
            self.order_by("-record_date", "event").values("record_date", "event").annotate(rows=Count("pk"))
        )

    def until(self, day=None):
        return self if day is None else self.filter(record_date__lte=day)


class Publication(models.Model):
    """One row a publish, supersede or withdraw, chained by SHA-256. Written by a trigger only."""

    class Event(models.TextChoices):
        PUBLISHED = "published", "Published"
        SUPERSEDED = "superseded", "Superseded"
        WITHDRAWN = "withdrawn", "Withdrawn"

    sequence = models.BigIntegerField(primary_key=True)
    letter = models.CharField(max_length=1)
    number = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    event = models.CharField(max_length=10, choices=Event.choices)
    subject_key = models.CharField(max_length=120, blank=True, help_text="Of which pages it is part.")
    record_date = models.DateField()
    bundle = models.CharField(max_length=200, blank=True)
    format_version = models.PositiveSmallIntegerField()
    text = models.TextField(help_text="The entry's canonical text.")
    previous_sha256 = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    recorded_at = models.DateTimeField()

    objects = PublicationQuerySet.as_manager()

    class Meta:
        ordering = ["sequence"]
        indexes = [
            models.Index(fields=["letter", "number", "revision"]),
            models.Index(fields=["subject_key", "record_date"]),
        ]

    def __str__(self):
        return f"{self.sequence}: {self.letter}-{self.number}/{self.revision} {self.event}"


class PublicationHead(models.Model):
    """One row: where the chain stands. Its lock gives publications and numbers their one order."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    sequence = models.BigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, default="0" * 64)
    superseding = models.UUIDField(
        null=True, blank=True, help_text="The revision being superseded in this very moment; else empty."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="publicationhead_one_row",
                condition=models.Q(id=1),
                violation_error_message="The log has one head.",
            )
        ]

    def __str__(self):
        return f"{self.sequence}"
