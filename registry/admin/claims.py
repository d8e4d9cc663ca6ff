from django.contrib import admin
from django.utils.html import format_html

from registry.actions.claims import draft_claim
from registry.admin.entries import ChildInline, CitationInline, EntryAdmin
from registry.admin.prediction import flags_once_published, published_beside
from registry.admin.queues import QueueFilter
from registry.admin.site import site
from registry.forms.citations import ContextForm
from registry.forms.claims import ClaimForm
from registry.models import Claim, ClaimCitation, ClaimContext
from registry.reasoning.flags import flags_of
from registry.reasoning.quantities import display


class ClaimCitationInline(CitationInline):
    model = ClaimCitation


class ContextInline(ChildInline):
    model = ClaimContext
    form = ContextForm
    verbose_name = "context"
    verbose_name_plural = "contexts: other subjects the claim needs (“on this hardware”)"


@admin.register(Claim, site=site)
class ClaimAdmin(EntryAdmin):
    form = ClaimForm
    inlines = [ClaimCitationInline, ContextInline]
    directories = ("subjects", "properties", "organisations", "sources")
    content_fields = [
        "subject",
        "property",
        "asserter",
        "value_kind",
        "text",
        "value",
        "low",
        "high",
        "bound",
        "conditions",
        "boundary",
        "derivation",
        "note",
    ]
    fieldsets = [
        ("What is claimed", {"fields": ["subject", "property", "asserter", "value_kind", "text"]}),
        (
            "The number, read from the text",
            {"fields": [("value", "low", "high"), "bound"], "classes": ["numbers"]},
        ),
        ("Around it", {"fields": ["conditions", "boundary", "derivation", "note"]}),
    ]
    list_display = [
        "called",
        "subject",
        "property",
        "said",
        "flags",
        "asserter",
        "standing",
        "created_by",
        "edited_at",
    ]
    list_select_related = [
        "subject__maker",
        "property",
        "asserter",
        "created_by",
        "edited_by",
        "submitted_by",
    ]
    list_filter = [
        QueueFilter,
        "status",
        "subject__kind",
        "value_kind",
        "property__performance_figure",
        ("subject", admin.RelatedOnlyFieldListFilter),
        ("asserter", admin.RelatedOnlyFieldListFilter),
    ]
    search_fields = [
        "number__exact",
        "subject__name",
        "property__label",
        "text",
        "citations__passage__source__title",
    ]
    search_help_text = "Number, subject, property, words of the claim or title of its source."
    date_hierarchy = "record_date"

    def get_queryset(self, request):
        return super().get_queryset(request).with_flags().select_related(*self.list_select_related)

    def get_search_results(self, request, queryset, search_term):
        return super().get_search_results(request, queryset, search_term.strip().removeprefix("C-"))

    def get_fieldsets(self, request, obj=None):
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        return [
            ("The number, read from the text", {"fields": ["said"]})
            if "numbers" in options.get("classes", [])
            else (title, options)
            for title, options in fieldsets
        ]

    def draft(self, by, cited, contexts, fields):
        return draft_claim(by=by, cited=cited, contexts=contexts, **fields)

    @admin.display(description="value")
    def said(self, claim):
        if claim.value_kind != Claim.ValueKind.VALUE:
            return claim.get_value_kind_display()
        read = display(claim.value, claim.low, claim.high, claim.bound, claim.property.unit)
        text = claim.text if len(claim.text) <= 80 else claim.text[:79] + "…"
        return format_html('<b class="figure">{}</b>', read) if read else text

    def flags_of(self, claim):
        return flags_of(claim)

    def summary(self, claim):
        return f"{claim.subject}, {claim.property.label}: {claim.text or claim.get_value_kind_display()}"

    def published_beside(self, claim):
        pair = claim.subject_id, claim.property_id
        return published_beside([pair], without=claim.lineage)[pair]

    def flags_to_come(self, claim, by):
        return flags_once_published(claim, self.published_beside(claim), by=by)
