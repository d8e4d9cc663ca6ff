from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Prefetch, Q, Value, When

from registry.models.entry import Citation, Entry, EntryQuerySet
from registry.models.fields import ExactDecimalField
from sources.models.constraints import SAYS_SOMETHING


class Artifact(models.Model):
    """A result file that was read, known by its SHA-256. Its bytes are kept only where they are public and may be passed on."""

    sha256 = models.CharField(
        primary_key=True, max_length=64, help_text="Of the file as it was read, 64 hexadecimal digits."
    )
    size = models.PositiveIntegerField(help_text="Bytes.")
    name = models.CharField(max_length=200, help_text="The file's name, without folders.")
    tool = models.CharField(max_length=60)
    tool_version = models.CharField(max_length=60, blank=True)
    format = models.CharField(max_length=60, blank=True)
    origin = models.CharField(max_length=2000, help_text="Where it is published, at a commit or version.")
    licence = models.CharField(max_length=200, blank=True)
    redistributable = models.BooleanField(default=False)
    content = models.BinaryField(null=True, editable=False, help_text="Compressed; only if redistributable.")
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-read_at"]
        constraints = [
            models.CheckConstraint(
                name="artifact_sha256_form",
                condition=Q(sha256__regex="^[0-9a-f]{64}$"),
                violation_error_message="An artifact is known by the 64 hexadecimal digits of its SHA-256.",
            ),
            models.CheckConstraint(
                name="artifact_content_redistributable",
                condition=Q(content__isnull=True) | Q(redistributable=True, licence__regex=SAYS_SOMETHING),
                violation_error_message="A file's bytes are kept only where its licence is known and lets them be passed on.",
            ),
        ]

    def __str__(self):
        return f"{self.name} ({self.sha256[:12]})"


class BenchmarkRecordQuerySet(EntryQuerySet):
    def for_readers(self):
        """With everything a page shows, in a fixed number of queries."""
        citations = BenchmarkCitation.objects.select_related("passage__source__publisher")
        measurements = Measurement.objects.select_related("metric")
        return self.select_related(
            "hardware__maker",
            "hardware__gpu",
            "checkpoint",
            "runtime",
            "workload",
            "submitter",
            "performed_by",
            "artifact",
        ).prefetch_related(Prefetch("citations", citations), Prefetch("measurements", measurements))

    def matching(
        self, hardware="", checkpoint="", runtime="", submitter="", suite="", load="", q="", page=None
    ):
        """Filters of the register; `page` is not one of them."""
        exact = {
            "hardware__slug": hardware,
            "checkpoint__slug": checkpoint,
            "runtime__slug": runtime,
            "submitter__key": submitter,
            "suite": suite,
            "workload__load_mode": load,
        }
        found = self.filter(**{column: value for column, value in exact.items() if value})
        if q:
            found = found.filter(
                Q(model_as_stated__icontains=q)
                | Q(system__icontains=q)
                | Q(tool__icontains=q)
                | Q(result_id__iexact=q)
            )
        return found

    def like(self, record):
        """Records of the same tool that differ from this one in at most one of hardware, model, runtime and precision."""
        apart = sum(
            (
                Case(When(Q(**{field: getattr(record, field)}), then=0), default=1)
                for field in ("hardware_id", "model_as_stated", "runtime_as_stated", "precision")
            ),
            start=Value(0),
        )
        others = self.filter(tool=record.tool).exclude(number=record.number)
        return others.annotate(apart=apart).filter(apart__lte=1).order_by("number")

    def resting_on(self, source):
        """Records that cite a passage of the source."""
        return self.filter(
            Exists(BenchmarkCitation.objects.filter(entry=OuterRef("pk"), passage__source=source))
        )

    def about(self, subject):
        """Records in which a subject is the hardware, the checkpoint or the runtime."""
        return self.filter(Q(hardware=subject) | Q(checkpoint=subject) | Q(runtime=subject))


class BenchmarkRecord(Entry):
    """One measured operating point: what ran on what, what was asked of it, who measured it how, and what came out.

    A blank text and an empty number mean not reported.
    """

    letter = "B"

    hardware = models.ForeignKey(
        "registry.Subject", models.PROTECT, related_name="+", help_text="The accelerator or system measured."
    )
    accelerators = models.PositiveIntegerField(null=True, blank=True, help_text="In use, over all nodes.")
    nodes = models.PositiveIntegerField(null=True, blank=True)
    interconnect = models.CharField(max_length=200, blank=True)
    system = models.CharField(
        max_length=300, blank=True, help_text="The system's name as the file prints it."
    )
    checkpoint = models.ForeignKey(
        "registry.Subject", models.PROTECT, related_name="+", null=True, blank=True
    )
    model_as_stated = models.CharField(max_length=300, blank=True)
    model_revision = models.CharField(max_length=100, blank=True)
    precision = models.CharField(max_length=100, blank=True, help_text="Of the weights, as printed.")
    runtime = models.ForeignKey("registry.Subject", models.PROTECT, related_name="+", null=True, blank=True)
    runtime_as_stated = models.CharField(max_length=200, blank=True)
    runtime_version = models.CharField(max_length=100, blank=True)
    flags = models.CharField(max_length=1000, blank=True)
    workload = models.ForeignKey("registry.Workload", models.PROTECT, related_name="records")
    boundary = models.CharField(
        max_length=300, blank=True, help_text="What is inside the measurement and what not."
    )
    submitter = models.ForeignKey(
        "sources.Organisation",
        models.PROTECT,
        related_name="submitted_records",
        help_text="Who publishes it.",
    )
    performed_by = models.ForeignKey(
        "sources.Organisation", models.PROTECT, related_name="performed_records", null=True, blank=True
    )
    measured_on = models.DateField(null=True, blank=True)
    tool = models.CharField(max_length=60)
    tool_version = models.CharField(max_length=60, blank=True)
    suite = models.CharField(max_length=60, blank=True)
    suite_round = models.CharField(max_length=30, blank=True)
    division = models.CharField(max_length=30, blank=True)
    category = models.CharField(max_length=60, blank=True)
    availability = models.CharField(max_length=60, blank=True)
    scenario = models.CharField(max_length=60, blank=True)
    result_id = models.CharField(max_length=60, blank=True)
    verification = models.CharField(
        max_length=30, blank=True, help_text="verified or unverified, as the suite says."
    )
    requests_attempted = models.PositiveIntegerField(null=True, blank=True)
    requests_ok = models.PositiveIntegerField(null=True, blank=True)
    requests_failed = models.PositiveIntegerField(null=True, blank=True)
    requests_incomplete = models.PositiveIntegerField(null=True, blank=True)
    input_tokens = ExactDecimalField(null=True, blank=True, help_text="Actual mean, tokens per request.")
    output_tokens = ExactDecimalField(null=True, blank=True, help_text="Actual mean, tokens per request.")
    power_boundary = models.CharField(max_length=200, blank=True)
    run = models.CharField(max_length=300, help_text="Which run of the file it is.")
    artifact = models.ForeignKey(Artifact, models.PROTECT, related_name="records", null=True, blank=True)
    further = models.JSONField(
        default=dict, blank=True, help_text="Further conditions, as the file states them."
    )
    quirks = ArrayField(models.CharField(max_length=600), default=list, blank=True)
    note = models.CharField(max_length=500, blank=True)

    objects = BenchmarkRecordQuerySet.as_manager()

    class Meta(Entry.Meta):
        ordering = ["number", "revision"]
        permissions = [
            ("publish_benchmarkrecord", "Can review, publish and withdraw benchmark records"),
            (
                "publish_own_benchmarkrecord",
                "Can publish benchmark records they wrote (shown as self-reviewed)",
            ),
        ]
        indexes = [
            models.Index(
                name="benchmark_published",
                fields=["hardware", "checkpoint", "runtime"],
                condition=Q(status="published"),
            )
        ]
        constraints = [
            *Entry.Meta.constraints,
            models.CheckConstraint(
                name="benchmarkrecord_names_tool_and_run",
                condition=Q(tool__regex=SAYS_SOMETHING, run__regex=SAYS_SOMETHING),
                violation_error_message="A benchmark record names the tool that measured and which of its runs this is.",
            ),
            models.CheckConstraint(
                name="benchmarkrecord_counts_add_up",
                condition=Q(requests_attempted__isnull=True)
                | (
                    (Q(requests_ok__isnull=True) | Q(requests_ok__lte=F("requests_attempted")))
                    & (Q(requests_failed__isnull=True) | Q(requests_failed__lte=F("requests_attempted")))
                ),
                violation_error_message="More requests cannot have succeeded or failed than were attempted.",
            ),
            models.CheckConstraint(
                name="benchmarkrecord_suite_qualified",
                condition=Q(suite="") | (Q(status="draft") | (~Q(suite_round="") & ~Q(scenario=""))),
                violation_error_message=(
                    "A suite's result is cited with its round and scenario; division, category and result id "
                    "as far as the suite has them."
                ),
            ),
            models.CheckConstraint(
                name="benchmarkrecord_nothing_is_zero",
                condition=(Q(accelerators__isnull=True) | Q(accelerators__gt=0))
                & (Q(nodes__isnull=True) | Q(nodes__gt=0))
                & (Q(input_tokens__isnull=True) | Q(input_tokens__gt=0, input_tokens__lt=10**12))
                & (Q(output_tokens__isnull=True) | Q(output_tokens__gt=0, output_tokens__lt=10**12)),
                violation_error_message="What is not reported is left empty: no run used zero accelerators, nodes or tokens.",
            ),
        ]


class BenchmarkCitation(Citation):
    entry = models.ForeignKey(BenchmarkRecord, models.CASCADE, related_name="citations")

    class Meta(Citation.Meta):
        pass


class Measurement(models.Model):
    """Metric × statistic of one record, in the metric's unit; frozen with the record."""

    entry = models.ForeignKey(BenchmarkRecord, models.CASCADE, related_name="measurements")
    metric = models.ForeignKey("registry.Metric", models.PROTECT, related_name="+")
    statistic = models.CharField(max_length=10)
    value = ExactDecimalField()
    text = models.CharField(max_length=100, help_text="As the file states it, with its unit.")
    values = models.PositiveIntegerField(
        null=True, blank=True, help_text="Over how many values the statistic was taken."
    )
    divisor = models.PositiveIntegerField(
        null=True, blank=True, help_text="By how many accelerators it was divided."
    )
    position = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                name="measurement_once",
                fields=["entry", "metric", "statistic"],
                violation_error_message="This record gives that statistic of the metric already.",
            ),
            models.CheckConstraint(
                name="measurement_finite",
                condition=Q(value__gt=-(10**20), value__lt=10**20),
                violation_error_message="NaN, Infinity and numbers beyond 20 digits are not values anybody measured.",
            ),
            models.CheckConstraint(
                name="measurement_statistic_known",
                condition=Q(
                    statistic__regex=r"^(mean|median|min|max|std|total|value|p[0-9]{1,2}(\.[0-9]{1,3})?)$"
                ),
                violation_error_message="A statistic is mean, median, min, max, std, total, value or a percentile such as p99.",
            ),
        ]

    def __str__(self):
        return f"{self.entry}: {self.metric_id} {self.statistic}"
