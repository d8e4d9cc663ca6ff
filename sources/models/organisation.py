from django.db import models
from django.db.models import F, Q

from sources.models.constraints import KEY_PATTERN, SAYS_SOMETHING

_KINDS = ["manufacturer", "model publisher", "project", "consortium", "academic", "independent", "press"]


class Organisation(models.Model):
    """A maker, publisher, project, standards body, lab or benchmark consortium."""

    class Kind(models.TextChoices):
        MANUFACTURER = "manufacturer", "Manufacturer"
        MODEL_PUBLISHER = "model publisher", "Model publisher"
        PROJECT = "project", "Project"
        CONSORTIUM = "consortium", "Consortium"
        ACADEMIC = "academic", "Academic"
        INDEPENDENT = "independent", "Independent"
        PRESS = "press", "Press"

    key = models.CharField(
        max_length=100,
        unique=True,
        help_text="Permanent; lower case, digits, hyphens.",
        error_messages={"unique": "Another organisation has this key: keys are permanent, choose another."},
    )
    name = models.CharField(
        max_length=200,
        unique=True,
        error_messages={"unique": "An organisation of this name is recorded already: use that one."},
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="children")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                name="organisation_key_form",
                condition=Q(key__regex=KEY_PATTERN),
                violation_error_message="An organisation's key is lower case letters, digits and hyphens.",
            ),
            models.CheckConstraint(
                name="organisation_name_says_something",
                condition=Q(name__regex=SAYS_SOMETHING),
                violation_error_message="An organisation needs a name with letters or digits: blanks name nobody.",
            ),
            models.CheckConstraint(
                name="organisation_kind_known",
                condition=Q(kind__in=_KINDS),
                violation_error_message="This kind of organisation is not known: choose one of the list.",
            ),
            models.CheckConstraint(
                name="organisation_not_its_own_parent",
                condition=~Q(parent=F("id")) | Q(parent__isnull=True),
                violation_error_message="An organisation cannot be its own parent.",
            ),
        ]

    def __str__(self):
        return self.name
