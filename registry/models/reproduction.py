from django.db import models
from django.db.models import Prefetch, Q

from registry.models.entry import Citation, Entry, EntryQuerySet, with_sources
from registry.models.fields import ExactDecimalField


class ReproductionQuerySet(EntryQuerySet):
    def of(self, numbers):
        return self.filter(claim_number__in=numbers)

    def with_sources(self):
        """With performer, citations and their sources, in two queries."""
        citations = with_sources(ReproductionCitation.objects.all())
        return self.select_related("performer").prefetch_related(Prefetch("citations", citations))


class Reproduction(Entry):
    """An independent party tried a claim's figure."""

    letter = "R"

    class Outcome(models.TextChoices):
        REPRODUCED = "reproduced", "Reproduced"
        NOT_REPRODUCED = "not reproduced", "Not reproduced"
        INCONCLUSIVE = "inconclusive", "Inconclusive"

    claim_number = models.PositiveIntegerField(help_text="n of C-n.")
    performer = models.ForeignKey("sources.Organisation", models.PROTECT, related_name="reproductions")
    outcome = models.CharField(max_length=15, choices=Outcome.choices)
    text = models.CharField(
        max_length=300, blank=True, help_text="What was measured, as the source states it."
    )
    measured = ExactDecimalField(null=True, blank=True, help_text="In the property's unit.")
    tolerance = models.CharField(max_length=200, blank=True)
    conditions = models.CharField(max_length=500, blank=True)

    objects = ReproductionQuerySet.as_manager()

    class Meta(Entry.Meta):
        ordering = ["number", "revision"]
        permissions = [
            ("publish_reproduction", "Can review, publish and withdraw reproductions"),
            ("publish_own_reproduction", "Can publish reproductions they wrote (shown as self-reviewed)"),
        ]
        indexes = [
            models.Index(
                name="reproduction_published", fields=["claim_number"], condition=Q(status="published")
            )
        ]
        constraints = [
            *Entry.Meta.constraints,
            models.CheckConstraint(
                name="reproduction_outcome_known",
                condition=Q(outcome__in=["reproduced", "not reproduced", "inconclusive"]),
                violation_error_message="An outcome is reproduced, not reproduced or inconclusive.",
            ),
            models.CheckConstraint(
                name="reproduction_measured_finite",
                condition=Q(measured__isnull=True) | Q(measured__gt=-(10**20), measured__lt=10**20),
                violation_error_message="NaN, Infinity and numbers beyond 20 digits are not values anybody measured.",
            ),
        ]


class ReproductionCitation(Citation):
    entry = models.ForeignKey(Reproduction, models.CASCADE, related_name="citations")

    class Meta(Citation.Meta):
        pass
