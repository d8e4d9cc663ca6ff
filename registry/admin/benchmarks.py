"""Benchmark records as editors work on them. Most come from a file (see benchmark_import); a few from a printed table."""

from decimal import Decimal

from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.utils.html import format_html_join

from registry.actions.benchmark_records import draft_record, edit_record
from registry.admin.benchmark_import import Importing
from registry.admin.entries import ChildInline, CitationInline, EntryAdmin, cited_in, kept_rows
from registry.admin.queues import QueueFilter
from registry.admin.site import site
from registry.forms.benchmarks import ASKED, FIGURE, PREFIX, BenchmarkRecordForm, MeasurementForm
from registry.models import Artifact, BenchmarkCitation, BenchmarkRecord, Measurement, Workload
from registry.presentation.benchmarks import load_of, model_of, record_flags, runtime_of, title_of

EMPTY = site.empty_value_display
MOST_FIGURES = 400  # of one record; tools that report most give about 160


class BenchmarkCitationInline(CitationInline):
    model = BenchmarkCitation


class MeasurementInline(ChildInline):
    model = Measurement
    form = MeasurementForm
    readonly_fields = ("read",)
    max_num = MOST_FIGURES
    verbose_name_plural = "measurements: what the file gives, each by its definition"

    def get_formset(self, request, obj=None, **kwargs):
        return super().get_formset(request, obj, **{"absolute_max": MOST_FIGURES, **kwargs})

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("metric")

    def get_fields(self, request, obj=None):
        if self.has_change_permission(request, obj):
            return FIGURE
        return ["read" if name == "value" else name for name in FIGURE]

    @admin.display(description="value")
    def read(self, measurement):
        return f"{measurement.value:f} {measurement.metric.unit}"


class FileFilter(admin.SimpleListFilter):
    """The records of one file, named by its SHA-256: where an import leads."""

    title = "file"
    parameter_name = "file"

    def lookups(self, request, model_admin):
        sha256 = request.GET.get(self.parameter_name, "")[:64]
        known = Artifact.objects.filter(pk=sha256).only("name").first() if sha256 else None
        return [(sha256, known.name if known else "no such file")] if sha256 else []

    def queryset(self, request, queryset):
        return queryset.filter(artifact=self.value()) if self.value() else queryset


class StatedValuesFilter(admin.AllValuesFieldListFilter):
    """Every value of a column but the blank one, whose link would have no name."""

    def __init__(self, field, request, params, model, model_admin, field_path):
        super().__init__(field, request, params, model, model_admin, field_path)
        self.lookup_choices = self.lookup_choices.exclude(**{field_path: ""})


@admin.register(BenchmarkRecord, site=site)
class BenchmarkRecordAdmin(Importing, EntryAdmin):
    form = BenchmarkRecordForm
    change_list_template = "admin/registry/record_list.html"
    inlines = [BenchmarkCitationInline, MeasurementInline]
    directories = ("gpus", "checkpoints", "runtimes", "organisations", "sources", "metrics")
    readonly_fields = ("file", "found")
    fieldsets = [
        (
            "The system",
            {"fields": ["hardware", ("accelerators", "nodes"), "interconnect", "system", "power_boundary"]},
        ),
        (
            "Model and runtime",
            {
                "fields": [
                    "checkpoint",
                    "model_as_stated",
                    "model_revision",
                    "precision",
                    "runtime",
                    "runtime_as_stated",
                    "runtime_version",
                    "flags",
                ]
            },
        ),
        ("Workload: what was asked", {"fields": [f"{PREFIX}{name}" for name in ASKED]}),
        (
            "What came back",
            {
                "fields": [
                    ("requests_attempted", "requests_ok", "requests_failed", "requests_incomplete"),
                    ("input_tokens", "output_tokens"),
                ]
            },
        ),
        (
            "Who measured, when, with what",
            {
                "fields": [
                    "submitter",
                    "performed_by",
                    "measured_on",
                    ("tool", "tool_version"),
                    "run",
                    "boundary",
                ]
            },
        ),
        (
            "Suite",
            {
                "fields": [
                    ("suite", "suite_round"),
                    ("division", "category", "availability"),
                    ("scenario", "result_id", "verification"),
                ]
            },
        ),
        ("Further", {"fields": ["further", "note", "file", "found"]}),
    ]
    list_display = [
        "called",
        "hardware",
        "ran",
        "runs_on",
        "load",
        "tool",
        "submitter",
        "standing",
        "flags_shown",
        "created_by",
    ]
    list_select_related = ["hardware__maker", "created_by", "edited_by", "submitted_by"]
    list_filter = [
        QueueFilter,
        FileFilter,
        "status",
        ("hardware", admin.RelatedOnlyFieldListFilter),
        ("checkpoint", admin.RelatedOnlyFieldListFilter),
        ("runtime", admin.RelatedOnlyFieldListFilter),
        ("submitter", admin.RelatedOnlyFieldListFilter),
        ("tool", StatedValuesFilter),
        ("suite", StatedValuesFilter),
        "workload__load_mode",
    ]
    search_fields = [
        "number__exact",
        "hardware__name",
        "model_as_stated",
        "runtime_as_stated",
        "submitter__name",
        "system",
        "tool",
        "run",
        "result_id",
        "citations__passage__source__title",
    ]
    search_help_text = (
        "Number, hardware, model, runtime, submitter, tool, run or result of the file, title of its source."
    )
    date_hierarchy = "record_date"

    def get_queryset(self, request):
        return super().get_queryset(request).for_readers().select_related(*self.list_select_related)

    def get_search_results(self, request, queryset, search_term):
        return super().get_search_results(request, queryset, search_term.strip().removeprefix("B-"))

    # Saving -------------------------------------------------------------------------------------------

    def add_record(self, request, form, formsets):
        return draft_record(
            by=request.user,
            cited=cited_in(formsets),
            asked=form.asked,
            measured=_figures(formsets),
            id=form.instance.pk,
            **self.content(form, _CONTENT),
        )

    def change_record(self, request, form, formsets):
        edit_record(
            form.instance,
            self.content(form, [*_CONTENT, "change_kind", "change_note"]),
            by=request.user,
            seen_at=form.instance.edited_at,
            cited=cited_in(formsets),
            asked=form.asked,
            measured=_figures(formsets),
        )

    # What is shown ------------------------------------------------------------------------------------

    @admin.display(description="model", ordering="model_as_stated")
    def ran(self, record):
        return model_of(record)

    @admin.display(description="runtime", ordering="runtime_as_stated")
    def runs_on(self, record):
        return runtime_of(record)

    @admin.display(description="load")
    def load(self, record):
        return load_of(record)

    @admin.display(description="flags")
    def flags_shown(self, record):
        return self.flags(record)

    @admin.display(description="file")
    def file(self, record):
        artifact = record.artifact
        return f"{artifact.name}, SHA-256 {artifact.sha256}, from {artifact.origin}" if artifact else EMPTY

    @admin.display(description="what looked odd in the file")
    def found(self, record):
        return format_html_join("", "<div>{}</div>", [(each,) for each in record.quirks]) or EMPTY

    @admin.display(description="further conditions")
    def further_said(self, record):
        rows = [(name, value) for name, value in record.further.items()]
        return format_html_join("", "<div>{}: {}</div>", rows) or EMPTY

    @admin.display(description="input tokens")
    def input_read(self, record):
        return _written(record.input_tokens)

    @admin.display(description="output tokens")
    def output_read(self, record):
        return _written(record.output_tokens)

    def get_fieldsets(self, request, obj=None):
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        return [
            (title, {**options, "fields": [_to_read(name) for name in options["fields"]]})
            for title, options in fieldsets
        ]

    def flags_of(self, record):
        return record_flags(record)

    def summary(self, record):
        return f"{_in_a_line(record)}; {record.tool}, {record.run}"

    def published_beside(self, record):
        near = BenchmarkRecord.objects.published().like(record).exclude(lineage=record.lineage)
        return [(other, _in_a_line(other)) for other in near.for_readers()[:10]]

    def flags_to_come(self, record, by):
        record.self_reviewed = by is not None
        return record_flags(record)


# The columns of a record that its form writes.
_CONTENT = [
    name
    for name in flatten_fieldsets(BenchmarkRecordAdmin.fieldsets)
    if not name.startswith(PREFIX) and name not in BenchmarkRecordAdmin.readonly_fields
]


def _in_a_line(record):
    ran_by = runtime_of(record) if record.runtime or record.runtime_as_stated else "runtime not reported"
    return f"{title_of(record)}; {ran_by}; {load_of(record)}"


def _figures(formsets):
    """The figures as they now stand, in order; None where nobody touched them."""
    formset = next(each for each in formsets if each.model is Measurement)
    if not formset.has_changed():
        return None if not formset.instance._state.adding else []
    return [form.columns() for form in kept_rows(formset)]


def _to_read(name):
    """The field of a record's form, or the column that shows it where it is read and not edited."""
    shown = {"further": "further_said", "input_tokens": "input_read", "output_tokens": "output_read"}
    return tuple(map(_to_read, name)) if isinstance(name, tuple) else shown.get(name, name)


def _written(value):
    if value in (None, ""):
        return EMPTY
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _asked_for(field):
    """How a record that is read, not edited, shows a field of its workload."""

    @admin.display(description=field.verbose_name)
    def shown(self, record):
        if field.choices and getattr(record.workload, field.name):
            return getattr(record.workload, f"get_{field.name}_display")()
        return _written(getattr(record.workload, field.name))

    return shown


for _name in ASKED:
    setattr(BenchmarkRecordAdmin, f"{PREFIX}{_name}", _asked_for(Workload._meta.get_field(_name)))
