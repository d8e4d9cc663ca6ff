from django.db import models
from django.utils import timezone


class Host(models.Model):
    """A web host and its turn: one request at a time whoever asks, and none before `free_at`."""

    name = models.CharField(primary_key=True, max_length=255)
    free_at = models.DateTimeField(default=timezone.now)
    limits = models.PositiveSmallIntegerField(
        default=0, help_text="Times in a row it asked us to come back later without saying when."
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField(null=True, blank=True, db_index=True)

    def __str__(self):
        return self.name
