from django.db import models
from django.db.models import Q

from sources.models.constraints import SAYS_SOMETHING


class Passage(models.Model):
    """Located words inside a source. Immutable from birth: other words are another passage."""

    source = models.ForeignKey("sources.Source", models.PROTECT, related_name="passages")
    locator = models.CharField(max_length=200, help_text="Page, section, table, row or field.")
    quotation = models.CharField(
        max_length=300, blank=True, help_text="The source's own words; blank when put in ours."
    )

    class Meta:
        ordering = ["source", "id"]
        constraints = [
            models.UniqueConstraint(
                name="passage_once",
                fields=["source", "locator", "quotation"],
                violation_error_message="This passage is recorded already.",
            ),
            models.CheckConstraint(
                name="passage_located",
                condition=Q(locator__regex=SAYS_SOMETHING),
                violation_error_message="A passage says where in the source it stands.",
            ),
        ]

    def __str__(self):
        return f"{self.source}, {self.locator}"
