from django.conf import settings
from django.db import models
from django.db.models import Q


class Representation(models.TextChoices):
    """What was in front of the person who read the source."""

    FULL_TEXT = "full text", "Full text"
    EXCERPT = "excerpt", "Excerpt"
    TRANSCRIPTION = "transcription", "Transcription"
    QUOTATION = "quotation", "Quotation"
    REPOST = "repost", "Repost"
    TRANSLATION = "translation", "Translation"
    SUMMARY = "summary", "Summary"

    @property
    def indefinite(self):
        return ("an " if self.value[0] in "aeiou" else "a ") + self.value


# Words of the source itself were read; anything else is second hand.
DIRECT = [Representation.FULL_TEXT, Representation.EXCERPT]


class VerificationQuerySet(models.QuerySet):
    def confirmed(self):
        return self.filter(outcome=Verification.Outcome.CONFIRMED)

    def as_of(self, day):
        """Source id → (day, representation, whether its own text had been read) at the end of that day."""
        known = {}
        for source, on, representation in (
            self.confirmed()
            .filter(verified_on__lte=day)
            .order_by("verified_on", "id")
            .values_list("source", "verified_on", "representation")
        ):
            directly = known.get(source, (None, "", False))[2] or representation in DIRECT
            known[source] = (on, representation, directly)
        return known


class Verification(models.Model):
    """A person read the source and says what they found. Append-only."""

    class Outcome(models.TextChoices):
        CONFIRMED = "confirmed", "It says what is cited"
        DIFFERS = "differs", "It says something else now"
        NOT_FOUND = "not found", "The cited words are not there"
        NOT_READABLE = "not readable", "It could not be opened or read"

    source = models.ForeignKey("sources.Source", models.PROTECT, related_name="verifications")
    verified_on = models.DateField()
    representation = models.CharField(max_length=20, choices=Representation.choices)
    outcome = models.CharField(max_length=20, choices=Outcome.choices, default=Outcome.CONFIRMED)
    note = models.CharField(max_length=500, blank=True)
    verified_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    recorded_at = models.DateTimeField(auto_now_add=True)

    objects = VerificationQuerySet.as_manager()

    class Meta:
        ordering = ["-verified_on", "-id"]
        constraints = [
            models.UniqueConstraint(
                name="verification_once",
                fields=["source", "verified_on", "representation", "outcome", "note"],
                violation_error_message="This verification is recorded already.",
            ),
            models.CheckConstraint(
                name="verification_words_known",
                condition=Q(
                    representation__in=Representation.values,
                    outcome__in=["confirmed", "differs", "not found", "not readable"],
                ),
                violation_error_message="What was read and what was found are chosen from their lists.",
            ),
        ]
        indexes = [models.Index(fields=["source", "outcome", "verified_on"])]

    def __str__(self):
        return f"{self.source_id}: {self.outcome} {self.verified_on}"
