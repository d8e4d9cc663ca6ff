from django.db import models
from django.utils import timezone


class Link(models.Model):
    """What robots know of a source's address. One a source; never moves the verified date."""

    source = models.OneToOneField("sources.Source", models.CASCADE, primary_key=True, related_name="link")
    state = models.CharField(max_length=20, blank=True, help_text="Blank: not looked at yet.")
    since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField(null=True, blank=True)
    etag = models.CharField(max_length=300, blank=True)
    first_equal_look_at = models.DateTimeField(null=True, blank=True)
    last_equal_look_at = models.DateTimeField(null=True, blank=True)
    equal_looks = models.PositiveIntegerField(default=0)

    def __str__(self):
        return f"{self.source_id}: {self.state or 'not looked at yet'}"


class LinkCheck(models.Model):
    """One row a change of a link's verdict. Append-only."""

    source = models.ForeignKey("sources.Source", models.PROTECT, related_name="link_checks")
    checked_at = models.DateTimeField(default=timezone.now)
    verdict = models.CharField(max_length=20)
    reason = models.CharField(max_length=300)
    status = models.PositiveSmallIntegerField(null=True)
    final_url = models.CharField(max_length=2000, blank=True)

    class Meta:
        ordering = ["-checked_at"]

    def __str__(self):
        return f"{self.source_id}: {self.verdict} {self.checked_at:%Y-%m-%d}"


class PassageCheck(models.Model):
    """One row a change of a cited passage's verdict. Append-only."""

    passage = models.ForeignKey("sources.Passage", models.PROTECT, related_name="checks")
    checked_at = models.DateTimeField(default=timezone.now)
    verdict = models.CharField(max_length=20)
    reason = models.CharField(max_length=300)

    class Meta:
        ordering = ["-checked_at"]

    def __str__(self):
        return f"{self.passage_id}: {self.verdict} {self.checked_at:%Y-%m-%d}"
