from django.db import models
from django.db.models import Count, Exists, Max, Min, OuterRef, Q

from registry.models.benchmark import BenchmarkRecord
from registry.models.claim import Claim
from sources.models import Organisation
from sources.models.constraints import KEY_PATTERN, SAYS_SOMETHING


class SubjectKind(models.TextChoices):
    GPU = "gpu", "GPU"
    CHECKPOINT = "checkpoint", "Checkpoint"
    RUNTIME = "runtime", "Runtime"
    ORGANISATION = "organisation", "Organisation"
    FACILITY = "facility", "Facility"


class SubjectQuerySet(models.QuerySet):
    def of_kind(self, kind):
        return self.filter(kind=kind)

    def public(self):
        """Subjects readers see: at some time a claim about them, or a record they took part in, was published."""
        records = BenchmarkRecord.objects.ever_published()
        return self.filter(
            Exists(Claim.objects.ever_published().filter(subject=OuterRef("pk")))
            | Exists(records.filter(hardware=OuterRef("pk")))
            | Exists(records.filter(checkpoint=OuterRef("pk")))
            | Exists(records.filter(runtime=OuterRef("pk")))
        )

    def matching(self, q="", maker="", kind=""):
        """Filters of the library: part of the name, the maker's key, the kind of GPU or the runtime's layer."""
        found = self
        if q:
            found = found.filter(Q(name__icontains=q) | Q(slug__icontains=q) | Q(family__icontains=q))
        if maker:
            found = found.filter(maker__key=maker)
        if kind:
            found = found.filter(Q(gpu__kind=kind) | Q(runtime__layer=kind))
        return found

    def counts(self):
        """Kind → how many."""
        return dict(self.order_by("kind").values_list("kind").annotate(Count("pk")))

    def with_coverage(self):
        """Annotates published_claims and, over the sources they cite, verified_from and verified_to."""
        published = Q(claims__status="published")
        verified = "claims__citations__passage__source__verified_on"
        return self.annotate(
            published_claims=Count("claims", filter=published, distinct=True),
            verified_from=Min(verified, filter=published),
            verified_to=Max(verified, filter=published),
        )


class Subject(models.Model):
    """What is spoken of. Identity only: every figure and property of it is a claim."""

    key = models.CharField(
        max_length=120,
        unique=True,
        help_text="Permanent; the slug may change, this not.",
        error_messages={"unique": "Another subject has this key: keys are permanent, choose another."},
    )
    kind = models.CharField(max_length=20, choices=SubjectKind.choices)
    slug = models.CharField(max_length=100, help_text="Its address in the library.")
    name = models.CharField(max_length=200, help_text="In the maker's own spelling.")
    maker = models.ForeignKey(Organisation, models.PROTECT, related_name="subjects")
    family = models.CharField("product line", max_length=100, blank=True)

    objects = SubjectQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(
                name="subject_slug_once",
                fields=["kind", "slug"],
                violation_error_message="Another subject of this kind has this slug already: choose another.",
            ),
            # With these two a claim's property and its subject are of one kind (see rules/claim.sql).
            models.UniqueConstraint(
                name="subject_with_kind",
                fields=["id", "kind"],
                violation_error_message="A subject is of one kind.",
            ),
            models.CheckConstraint(
                name="subject_slug_form",
                condition=Q(slug__regex=KEY_PATTERN),
                violation_error_message="A slug is lower case letters, digits and hyphens; dots become hyphens.",
            ),
            models.CheckConstraint(
                name="subject_slug_reserved",
                condition=~Q(slug="compare"),
                violation_error_message="“compare” is the address of the comparison page: choose another slug.",
            ),
            models.CheckConstraint(
                name="subject_kind_known",
                condition=Q(kind__in=SubjectKind.values),
                violation_error_message="This kind of subject is not known.",
            ),
            models.CheckConstraint(
                name="subject_name_says_something",
                condition=Q(name__regex=SAYS_SOMETHING),
                violation_error_message="A subject needs a name with letters or digits.",
            ),
        ]

    def __str__(self):
        return self.name


class GPU(models.Model):
    class Kind(models.TextChoices):
        ACCELERATOR = "accelerator", "Single accelerator"
        BOARD = "board", "Board"
        SERVER = "server", "Server"
        RACK = "rack-scale system", "Rack-scale system"

    subject = models.OneToOneField(Subject, models.CASCADE, primary_key=True, related_name="gpu")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    form_factor = models.CharField(max_length=50, blank=True)

    class Meta:
        verbose_name = "GPU"

    def __str__(self):
        return str(self.subject)


class Checkpoint(models.Model):
    subject = models.OneToOneField(Subject, models.CASCADE, primary_key=True, related_name="checkpoint")
    identifier = models.CharField(
        max_length=200,
        unique=True,
        help_text="The publisher's exact identifier.",
        error_messages={"unique": "A checkpoint with this identifier is recorded already."},
    )

    def __str__(self):
        return str(self.subject)


class Runtime(models.Model):
    class Layer(models.TextChoices):
        ENGINE = "serving engine", "Serving engine"
        DISTRIBUTED = "distributed serving", "Distributed serving"
        SERVER = "inference server", "Inference server"
        PLATFORM = "platform", "Platform"
        LIBRARY = "serving library", "Serving library"
        ORCHESTRATION = "orchestration", "Orchestration"

    subject = models.OneToOneField(Subject, models.CASCADE, primary_key=True, related_name="runtime")
    layer = models.CharField(max_length=30, choices=Layer.choices)
    repository = models.CharField(max_length=200, blank=True, help_text="The project's exact identifier.")

    def __str__(self):
        return str(self.subject)


class FormerSlug(models.Model):
    """An address a subject had once. Written by a trigger when a slug changes, so that old links keep working."""

    kind = models.CharField(max_length=20, choices=SubjectKind.choices)
    slug = models.CharField(max_length=100)
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="former_slugs")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="former_slug_once",
                fields=["kind", "slug"],
                violation_error_message="This address led to a subject before and still leads there.",
            )
        ]

    def __str__(self):
        return self.slug
