from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from sources.models.constraints import KEY_PATTERN, SAYS_SOMETHING
from sources.models.organisation import Organisation
from sources.models.verification import Representation


class Precision(models.TextChoices):
    DAY = "day", "day"
    MONTH = "month", "month"
    YEAR = "year", "year"


class SourceQuerySet(models.QuerySet):
    def attributed(self):
        return self.filter(publisher__isnull=False)

    def published(self):
        """Sources readers see: attributed, and read by a person at least once."""
        return self.attributed().filter(verified_on__isnull=False)

    def leads(self):
        """Sources an editor noted that cannot carry a publication yet."""
        return self.filter(Q(publisher__isnull=True) | Q(verified_on__isnull=True))

    def second_hand(self):
        """Published sources of which nobody has read the text itself."""
        return self.published().filter(read_directly=False)

    def matching(self, today, q="", publisher="", kind="", state="", age="", read="", page=None):
        """Filters of the register; `page` is not one of them."""
        found = self
        if age == "due":
            found = found.verification_due(today)
        if age == "fresh":
            found = found.filter(verified_on__gte=_months_before(today, 6))
        if read:
            found = found.filter(read_directly=read == "directly")
        if q:
            found = found.filter(Q(title__icontains=q) | Q(key__icontains=q) | Q(url__icontains=q))
        exact = {"publisher__key": publisher, "kind": kind, "state": state}
        return found.filter(**{field: value for field, value in exact.items() if value})

    def verification_due(self, today):
        """Sources last verified over six months ago (documentation) or over twelve (all others)."""
        due = Q(verified_on__lt=_months_before(today, 12)) | Q(
            kind=Source.Kind.DOCUMENTATION, verified_on__lt=_months_before(today, 6)
        )
        return self.published().filter(due)


# Nested classes are out of sight in Meta.
_SOURCE_KINDS = [
    "datasheet",
    "product page",
    "white paper",
    "press release",
    "documentation",
    "repository",
    "paper",
    "benchmark results",
    "model card",
    "license",
    "release notes",
    "policy",
    "blog",
    "filing",
]


def _months_before(day, months):
    years, month = divmod(day.month - 1 - months, 12)
    # The 28th exists in every month; a few days more or less do not matter for a reminder.
    return day.replace(year=day.year + years, month=month + 1, day=min(day.day, 28))


class Source(models.Model):
    """A published work that was read. Its identity is the work (DOI, arXiv id or address) and its version."""

    class Kind(models.TextChoices):
        DATASHEET = "datasheet", "Data sheet"
        PRODUCT_PAGE = "product page", "Product page"
        WHITE_PAPER = "white paper", "White paper"
        PRESS_RELEASE = "press release", "Press release"
        DOCUMENTATION = "documentation", "Documentation"
        REPOSITORY = "repository", "Repository"
        PAPER = "paper", "Paper"
        BENCHMARK_RESULTS = "benchmark results", "Benchmark results"
        MODEL_CARD = "model card", "Model card"
        LICENSE = "license", "License"
        RELEASE_NOTES = "release notes", "Release notes"
        POLICY = "policy", "Policy"
        BLOG = "blog", "Blog"
        FILING = "filing", "Filing"

    class AttributionRole(models.TextChoices):
        MAKER = "maker", "Written by the maker"
        PROJECT = "project", "Written by the project"
        PROVIDER = "provider", "Written by a provider"
        AUTHORS = "authors", "Written by the authors of the work"
        CONSORTIUM = "consortium", "Written by a consortium"
        THIRD_PARTY = "third party", "Written by a third party"

    class LinkKind(models.TextChoices):
        PINNED = "pinned", "Pinned to one version"
        FLOATING = "floating", "Floating: the page may change"

    class DateBasis(models.TextChoices):
        PUBLISHED = "published", "Publication date"
        LAST_MODIFIED = "last modified", "Last-modified date"
        NOT_STATED = "not stated", "Date not stated in the reviewed source"

    class State(models.TextChoices):
        CURRENT = "current", "Current"
        SUPERSEDED = "superseded", "Superseded"
        WITHDRAWN = "withdrawn", "Withdrawn by its publisher"

    key = models.CharField(
        max_length=100,
        unique=True,
        help_text="Permanent; lower case, digits, hyphens.",
        error_messages={"unique": "Another source has this key: keys are permanent, choose another."},
    )
    title = models.CharField(max_length=300)
    url = models.CharField("address", max_length=2000)
    work_id = models.CharField(max_length=2100, help_text="doi:…, arxiv:… or url:…, from the address.")
    version = models.CharField(max_length=100, blank=True)
    publisher = models.ForeignKey(Organisation, models.PROTECT, null=True, blank=True, related_name="sources")
    product = models.CharField(
        max_length=200, blank=True, help_text="Printed with the version in place of the publisher's name."
    )
    title_stands_alone = models.BooleanField(
        default=False, help_text="Print the title without publisher or product."
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    attribution_role = models.CharField(max_length=20, choices=AttributionRole.choices)
    link_kind = models.CharField(max_length=10, choices=LinkKind.choices)
    date_basis = models.CharField(max_length=20, choices=DateBasis.choices)
    published_on = models.DateField(null=True, blank=True)
    published_precision = models.CharField(max_length=10, choices=Precision.choices, blank=True)
    last_modified_on = models.DateField(null=True, blank=True)
    last_modified_precision = models.CharField(max_length=10, choices=Precision.choices, blank=True)
    scope_notes = ArrayField(models.CharField(max_length=400), default=list, blank=True)
    archive_url = models.CharField("archived copy", max_length=2000, blank=True)
    licence = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=20, choices=State.choices, default=State.CURRENT)
    superseded_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="supersedes"
    )
    edition_of = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="editions",
        help_text="The floating record of which this is a pinned edition.",
    )
    # Kept by a trigger from the verifications; nobody writes these four.
    verified_on = models.DateField(null=True, blank=True, editable=False)
    verified_representation = models.CharField(
        max_length=20, choices=Representation.choices, blank=True, editable=False
    )
    read_directly = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SourceQuerySet.as_manager()

    class Meta:
        ordering = ["title", "version", "key"]
        constraints = [
            models.UniqueConstraint(
                name="source_identity",
                fields=["work_id", "version"],
                violation_error_message="This work is in the register already in this version.",
            ),
            models.CheckConstraint(
                name="source_key_form",
                condition=Q(key__regex=KEY_PATTERN),
                violation_error_message="A source's key is lower case letters, digits and hyphens.",
            ),
            models.CheckConstraint(
                name="source_words_known",
                condition=Q(
                    kind__in=_SOURCE_KINDS,
                    attribution_role__in=[
                        "maker",
                        "project",
                        "provider",
                        "authors",
                        "consortium",
                        "third party",
                    ],
                    link_kind__in=["pinned", "floating"],
                ),
                violation_error_message="A source's kind, attribution and kind of link are chosen from their lists.",
            ),
            models.CheckConstraint(
                name="source_title_says_something",
                condition=Q(title__regex=SAYS_SOMETHING),
                violation_error_message="A source needs a title with letters or digits.",
            ),
            models.CheckConstraint(
                name="source_address_is_web",
                condition=Q(url__regex=r"^https?://[^\s]+$")
                & (Q(archive_url="") | Q(archive_url__regex=r"^https?://[^\s]+$")),
                violation_error_message="A source's address and archived copy start with http:// or https://.",
            ),
            models.CheckConstraint(
                name="source_one_date_form",
                condition=Q(date_basis="published", published_on__isnull=False)
                | Q(date_basis="last modified", last_modified_on__isnull=False)
                | Q(date_basis="not stated", published_on__isnull=True, last_modified_on__isnull=True),
                violation_error_message=(
                    "Exactly one date form: give the date the basis names, "
                    "or choose “not stated in the reviewed source” and give none."
                ),
            ),
            models.CheckConstraint(
                name="source_date_precision",
                condition=(
                    Q(published_on__isnull=True, published_precision="")
                    | Q(published_on__isnull=False, published_precision__in=["day", "month", "year"])
                )
                & (
                    Q(last_modified_on__isnull=True, last_modified_precision="")
                    | Q(last_modified_on__isnull=False, last_modified_precision__in=["day", "month", "year"])
                ),
                violation_error_message="A date needs its precision (day, month or year), and only a date has one.",
            ),
            models.CheckConstraint(
                name="source_dates_before_verification",
                condition=Q(verified_on__isnull=True)
                | (
                    (Q(published_on__isnull=True) | Q(published_on__lte=F("verified_on")))
                    & (Q(last_modified_on__isnull=True) | Q(last_modified_on__lte=F("verified_on")))
                ),
                violation_error_message=(
                    "A source cannot have been read before it was published or last modified: "
                    "check both dates, and verify it again if it changed."
                ),
            ),
            models.CheckConstraint(
                name="source_successor_named",
                condition=(Q(state="superseded", superseded_by__isnull=False) & ~Q(superseded_by=F("id")))
                | (Q(state__in=["current", "withdrawn"]) & Q(superseded_by__isnull=True)),
                violation_error_message=(
                    "A superseded source names the other source that superseded it, and only a superseded one does."
                ),
            ),
        ]

    def __str__(self):
        return f"{self.title} — {self.imprint}" if self.imprint else self.title

    @property
    def imprint(self):
        """Printed after the title: product and version, else the publisher; empty when the title stands alone."""
        if self.title_stands_alone:
            return ""
        name = self.product or (self.publisher.name if self.publisher else "")
        return f"{name} {self.version}".strip() if self.product else name

    @property
    def second_hand(self):
        return self.verified_on is not None and not self.read_directly

    @property
    def date_sentence(self):
        """One of the three forms of S-075 to S-077; a month or a year is printed as far as it is known."""
        if self.date_basis == self.DateBasis.PUBLISHED:
            return f"Publication: {as_precise(self.published_on, self.published_precision)}."
        if self.date_basis == self.DateBasis.LAST_MODIFIED:
            return f"Last modified: {as_precise(self.last_modified_on, self.last_modified_precision)}."
        return "Publication: date not stated in the reviewed source."

    @property
    def verified_sentence(self):
        if self.verified_on is None:
            return "Not verified yet."
        if self.read_directly:
            return f"Verified: {self.verified_on.isoformat()}."
        through = Representation(self.verified_representation).indefinite
        return f"Verified: {self.verified_on.isoformat()}, read through {through}."


def as_precise(day, precision):
    """An ISO date cut to what is known of it: 2025, 2025-03 or 2025-03-31."""
    return day.isoformat()[: {Precision.YEAR: 4, Precision.MONTH: 7}.get(precision, 10)]
