from django.db import models
from django.db.models import Q

from sources.models.constraints import KEY_PATTERN, SAYS_SOMETHING


class PropertyQuerySet(models.QuerySet):
    def groups(self, subject_kind):
        """The groups of one kind of subject, in the order of their first property."""
        named = self.filter(subject_kind=subject_kind).order_by("position").values_list("group", flat=True)
        return list(dict.fromkeys(named))


class Property(models.Model):
    """One fully specified measurand or attribute, with its unit and definition.

    `quantity` and `condition` say which rows stand together in a comparison without ever being mixed:
    quantity "FP8 matrix throughput, per GPU" has the conditions "dense" and "with sparsity".
    """

    class Datatype(models.TextChoices):
        QUANTITY = "quantity", "Quantity with unit"
        INTEGER = "integer", "Whole number"
        TEXT = "text", "Text"
        CHOICE = "choice", "Choice"
        BOOLEAN = "boolean", "Yes or no"
        DATE = "date", "Date"
        # Words that two sources never choose alike: different ones are no disagreement.
        DESCRIPTION = "description", "Description"

    key = models.CharField(
        max_length=100,
        unique=True,
        help_text="Permanent.",
        error_messages={"unique": "Another property has this key: keys are permanent, choose another."},
    )
    subject_kind = models.CharField(max_length=20)
    label = models.CharField(max_length=150)
    group = models.CharField(max_length=100)
    position = models.PositiveIntegerField(help_text="Order on pages; groups follow their first property.")
    quantity = models.CharField(max_length=150)
    condition = models.CharField(max_length=150, blank=True)
    datatype = models.CharField(max_length=12, choices=Datatype.choices)
    unit = models.CharField(max_length=50, blank=True)
    performance_figure = models.BooleanField(default=False)
    headline = models.BooleanField(default=False, help_text="Shown in the library's table.")
    definition = models.CharField(max_length=500)

    objects = PropertyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "properties"
        ordering = ["subject_kind", "position", "key"]
        constraints = [
            models.UniqueConstraint(
                name="property_with_kind",
                fields=["id", "subject_kind"],
                violation_error_message="A property is of one kind of subject.",
            ),
            models.UniqueConstraint(
                name="property_quantity_condition_once",
                fields=["subject_kind", "quantity", "condition"],
                violation_error_message="Another property has this quantity and condition already.",
            ),
            models.CheckConstraint(
                name="property_words_known",
                condition=Q(
                    subject_kind__in=["gpu", "checkpoint", "runtime", "organisation", "facility"],
                    datatype__in=["quantity", "integer", "text", "choice", "boolean", "date", "description"],
                ),
                violation_error_message="A property's kind of subject and type of value are chosen from their lists.",
            ),
            models.CheckConstraint(
                name="property_says_what_it_is",
                condition=Q(
                    label__regex=SAYS_SOMETHING,
                    quantity__regex=SAYS_SOMETHING,
                    definition__regex=SAYS_SOMETHING,
                ),
                violation_error_message="A property needs a label, a quantity and a definition.",
            ),
            models.CheckConstraint(
                name="property_key_form",
                condition=Q(key__regex=KEY_PATTERN),
                violation_error_message="A property's key is lower case letters, digits and hyphens.",
            ),
        ]

    def __str__(self):
        return f"{self.label} ({self.unit})" if self.unit else self.label

    @property
    def is_numeric(self):
        return self.datatype in (self.Datatype.QUANTITY, self.Datatype.INTEGER)
