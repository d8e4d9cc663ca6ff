from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from registry.models.fields import ExactDecimalField


class Workload(models.Model):
    """What was asked of a system. Two records with the same workload share the row: its identity is what it says.

    A blank text, an empty number and an unknown yes-or-no mean not reported. Rows never change.
    """

    class LoadMode(models.TextChoices):
        CLOSED = "closed", "Closed: a fixed number of requests in flight"
        OPEN = "open", "Open: requests arrive at a rate, whatever the system does"
        AT_ONCE = "all at once", "All at once: every request is queued at the start"
        SINGLE = "single stream", "Single stream: one request or batch at a time"

    spec_hash = models.CharField(
        max_length=64,
        unique=True,
        editable=False,
        error_messages={"unique": "This workload is recorded already: use that one."},
    )
    task = models.CharField(max_length=300, blank=True)
    quality_gate = models.CharField(
        max_length=300, blank=True, help_text="The quality a run must reach, or “none stated”."
    )
    dataset = models.CharField(max_length=300, blank=True)
    input_tokens = ExactDecimalField(null=True, blank=True, help_text="Asked for, mean tokens per request.")
    output_tokens = ExactDecimalField(null=True, blank=True, help_text="Asked for, mean tokens per request.")
    length_distribution = models.CharField(
        max_length=300, blank=True, help_text="How the lengths asked for vary."
    )
    context_policy = models.CharField(max_length=300, blank=True)
    cache_policy = models.CharField(max_length=300, blank=True)
    cache_state = models.CharField(max_length=60, blank=True, help_text="cold, warm, shared")
    load_mode = models.CharField(max_length=15, choices=LoadMode.choices, blank=True)
    concurrency = models.PositiveIntegerField(null=True, blank=True, help_text="Requests in flight at most.")
    request_rate = ExactDecimalField(null=True, blank=True, help_text="Requests per second asked for.")
    arrival = models.CharField(max_length=60, blank=True)
    batch_size = models.PositiveIntegerField(null=True, blank=True)
    warm_up = models.CharField(max_length=200, blank=True)
    warm_up_excluded = models.BooleanField(null=True, blank=True)
    streaming = models.BooleanField(null=True, blank=True)
    sampling = models.CharField(max_length=300, blank=True)
    latency_limits = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                name="workload_load_mode_known",
                condition=Q(load_mode__in=["", "closed", "open", "all at once", "single stream"]),
                violation_error_message="A load is closed, open, all at once or single stream; blank where not reported.",
            ),
            models.CheckConstraint(
                name="workload_numbers_positive",
                condition=(Q(input_tokens__isnull=True) | Q(input_tokens__gt=0, input_tokens__lt=10**12))
                & (Q(output_tokens__isnull=True) | Q(output_tokens__gt=0, output_tokens__lt=10**12))
                & (Q(request_rate__isnull=True) | Q(request_rate__gt=0, request_rate__lt=10**12))
                & (Q(concurrency__isnull=True) | Q(concurrency__gt=0)),
                violation_error_message="Lengths, rates and concurrency are above zero; leave empty what is not reported.",
            ),
        ]

    def __str__(self):
        asked = [self.task, self.dataset, self.get_load_mode_display() if self.load_mode else ""]
        return ", ".join(filter(None, asked)) or "Workload not reported"


class Metric(models.Model):
    """One formula at one clock, over one population. Comes with the program (`registry.readers`), never from an editor."""

    key = models.CharField(primary_key=True, max_length=80)
    name = models.CharField(max_length=200)
    formula = models.CharField(max_length=500)
    unit = models.CharField(max_length=30)
    clock = models.CharField(max_length=30)
    per = models.CharField("one value per", max_length=20)
    phase = models.CharField(max_length=20)
    tools = ArrayField(models.CharField(max_length=60), default=list)
    per_accelerator = models.BooleanField(default=False)

    class Meta:
        ordering = ["key"]

    def __str__(self):
        return self.name
