from django.conf import settings
from django.db import models


class ReferenceChangeQuerySet(models.QuerySet):
    def noted(self):
        """Changes that readers are told of: those made with a note."""
        return self.filter(operation="update").exclude(note="")


class ReferenceChange(models.Model):
    """Who changed which organisation, source, subject or property, and why. Written by a trigger only."""

    class Table(models.TextChoices):
        ORGANISATION = "organisation", "Organisation"
        SOURCE = "source", "Source"
        SUBJECT = "subject", "Subject"
        PROPERTY = "property", "Property"

    table = models.CharField(max_length=20, choices=Table.choices)
    key = models.CharField(max_length=120)
    operation = models.CharField(max_length=10)
    before = models.JSONField(null=True, help_text="The changed columns as they were.")
    after = models.JSONField(null=True, help_text="The changed columns as they are now.")
    note = models.CharField(max_length=1000, blank=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, related_name="+"
    )
    changed_at = models.DateTimeField()

    objects = ReferenceChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-changed_at", "-id"]
        indexes = [models.Index(fields=["table", "key"])]

    def __str__(self):
        return f"{self.table} {self.key}: {self.operation} {self.changed_at:%Y-%m-%d}"
