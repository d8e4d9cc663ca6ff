from django.db import models
from django.db.models import Case, F, Func, Q, Value, When
from django.db.models.functions import Cast, Coalesce, Concat, Lower, Trim

from registry.models.entry import Citation, Entry
from registry.models.fields import ExactDecimalField
from registry.models.flags import ClaimQuerySet
from sources.models.constraints import SAYS_SOMETHING


def _unpadded(field):
    """The number as text without trailing zeros: 3.350 and 3.35 are one value to a comparison."""
    return Cast(Func(F(field), function="trim_scale"), models.TextField())


def _within_reason(field):
    # PostgreSQL sorts NaN above Infinity, so an upper limit refuses both.
    limit = 10**20
    return Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gt": -limit, f"{field}__lt": limit})


class Claim(Entry):
    """Asserter says: subject's property has value."""

    letter = "C"

    class ValueKind(models.TextChoices):
        VALUE = "value", "Value"
        NOT_STATED = "not stated", "Not stated in the reviewed sources"
        NONE = "none", "None: known not to exist"
        WITHHELD = "withheld", "Withheld by the source"

    class Bound(models.TextChoices):
        EXACT = "", "exactly"
        AT_MOST = "at most", "at most"
        AT_LEAST = "at least", "at least"
        ABOUT = "about", "about"

    subject = models.ForeignKey("registry.Subject", models.PROTECT, related_name="claims")
    property = models.ForeignKey("registry.Property", models.PROTECT, related_name="claims")
    # Filled by the database from the property, judged against the subject by composite keys.
    subject_kind = models.CharField(max_length=20, editable=False, default="")
    asserter = models.ForeignKey("sources.Organisation", models.PROTECT, related_name="claims")
    value_kind = models.CharField(max_length=12, choices=ValueKind.choices, default=ValueKind.VALUE)
    text = models.CharField(max_length=600, blank=True, help_text="As the source states it.")
    value = ExactDecimalField(null=True, blank=True, help_text="In the property's unit.")
    low = ExactDecimalField(null=True, blank=True)
    high = ExactDecimalField(null=True, blank=True)
    bound = models.CharField(max_length=10, choices=Bound.choices, blank=True)
    conditions = models.CharField(max_length=500, blank=True, help_text="Under which the value holds.")
    boundary = models.CharField(
        max_length=300, blank=True, help_text="What is inside the measurement and what not."
    )
    derivation = models.CharField(
        max_length=300,
        blank=True,
        help_text="How it was derived or taken over, if the source does not state it.",
    )
    note = models.CharField(max_length=500, blank=True)
    # What two claims of one property must have in common to agree.
    value_key = models.GeneratedField(
        expression=Coalesce(
            _unpadded("value"),
            Case(
                When(
                    low__isnull=False,
                    then=Concat(
                        _unpadded("low"), Value("–", output_field=models.TextField()), _unpadded("high")
                    ),
                ),
                output_field=models.TextField(),
            ),
            Lower(Trim("text"), output_field=models.TextField()),
        ),
        output_field=models.TextField(),
        db_persist=True,
    )

    objects = ClaimQuerySet.as_manager()

    class Meta(Entry.Meta):
        ordering = ["number", "revision"]
        permissions = [
            ("publish_claim", "Can review, publish and withdraw claims"),
            ("publish_own_claim", "Can publish claims they wrote (shown as self-reviewed)"),
        ]
        indexes = [
            models.Index(
                name="claim_published",
                fields=["subject", "property"],
                condition=Q(status="published"),
            ),
            models.Index(
                name="claim_history", fields=["record_date", "number"], condition=~Q(status="draft")
            ),
        ]
        constraints = [
            *Entry.Meta.constraints,
            models.CheckConstraint(
                name="claim_value_fits_kind",
                condition=(
                    Q(value_kind="value", text__regex=SAYS_SOMETHING)
                    | Q(
                        value_kind__in=["not stated", "none", "withheld"],
                        value__isnull=True,
                        low__isnull=True,
                        high__isnull=True,
                        bound="",
                    )
                ),
                violation_error_message=(
                    "A claim with a value gives it as the source states it; "
                    "one that is not stated, none or withheld gives no number."
                ),
            ),
            models.CheckConstraint(
                name="claim_number_or_range",
                condition=Q(low__isnull=True, high__isnull=True)
                | Q(value__isnull=True, low__isnull=False, high__isnull=False, low__lte=F("high")),
                violation_error_message="A claim has one number or a range from low to high, not both.",
            ),
            models.CheckConstraint(
                name="claim_numbers_finite",
                condition=_within_reason("value") & _within_reason("low") & _within_reason("high"),
                violation_error_message="NaN, Infinity and numbers beyond 20 digits are not values a source states.",
            ),
            models.CheckConstraint(
                name="claim_bound_known",
                condition=Q(bound__in=["", "at most", "at least", "about"]),
                violation_error_message="A bound is at most, at least or about.",
            ),
        ]


class ClaimCitation(Citation):
    entry = models.ForeignKey(Claim, models.CASCADE, related_name="citations")

    class Meta(Citation.Meta):
        pass


class ClaimContext(models.Model):
    """Another subject a claim needs: "this model on this hardware". Frozen with its claim."""

    entry = models.ForeignKey(Claim, models.CASCADE, related_name="contexts")
    subject = models.ForeignKey("registry.Subject", models.PROTECT, related_name="+")
    role = models.CharField(max_length=100, help_text="hardware, checkpoint, optimisation …")

    class Meta:
        ordering = ["role", "id"]
        constraints = [
            models.UniqueConstraint(
                name="claimcontext_once",
                fields=["entry", "subject", "role"],
                violation_error_message="This claim names that subject in that role already.",
            ),
            models.CheckConstraint(
                name="claimcontext_role_says_something",
                condition=Q(role__regex=SAYS_SOMETHING),
                violation_error_message="Say in what role the claim needs this subject: hardware, checkpoint …",
            ),
        ]

    def __str__(self):
        return f"{self.role}: {self.subject}"
