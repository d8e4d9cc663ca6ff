from django.contrib import admin

from registry.actions.reproductions import draft_reproduction
from registry.admin.entries import CitationInline, EntryAdmin
from registry.admin.queues import QueueFilter
from registry.admin.site import site
from registry.forms.claims import ReproductionForm
from registry.models import Claim, Reproduction, ReproductionCitation
from registry.reasoning.flags import SELF_REVIEWED, Flag


class ReproductionCitationInline(CitationInline):
    model = ReproductionCitation


@admin.register(Reproduction, site=site)
class ReproductionAdmin(EntryAdmin):
    form = ReproductionForm
    inlines = [ReproductionCitationInline]
    directories = ("organisations", "sources")
    content_fields = ["claim_number", "performer", "outcome", "text", "measured", "tolerance", "conditions"]
    fieldsets = [
        ("What was tried", {"fields": ["claim_number", "performer"]}),
        ("What came out", {"fields": ["outcome", "text", "measured", "tolerance", "conditions"]}),
    ]
    list_display = [
        "called",
        "of_claim",
        "performer",
        "outcome",
        "figure",
        "standing",
        "flags",
        "created_by",
        "edited_at",
    ]
    list_select_related = ["performer", "created_by", "edited_by", "submitted_by"]
    list_filter = [QueueFilter, "status", "outcome", ("performer", admin.RelatedOnlyFieldListFilter)]
    search_fields = ["number__exact", "claim_number__exact", "performer__name", "text"]
    search_help_text = "Number of the reproduction or of its claim, performer, words."
    date_hierarchy = "record_date"

    def get_queryset(self, request):
        return super().get_queryset(request).select_related(*self.list_select_related)

    def get_search_results(self, request, queryset, search_term):
        number = search_term.strip().removeprefix("C-").removeprefix("R-")
        return super().get_search_results(request, queryset, number)

    def get_changeform_initial_data(self, request):
        claim = request.GET.get("claim", "")
        return {
            **super().get_changeform_initial_data(request),
            **({"claim_number": claim[:12]} if claim else {}),
        }

    def draft(self, by, cited, contexts, fields):
        return draft_reproduction(by=by, cited=cited, **fields)

    @admin.display(description="claim", ordering="claim_number")
    def of_claim(self, reproduction):
        return f"C-{reproduction.claim_number}"

    @admin.display(description="measured", ordering="measured")
    def figure(self, reproduction):
        return None if reproduction.measured is None else f"{reproduction.measured:f}"

    def get_fieldsets(self, request, obj=None):
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        shown = {"measured": "figure", "claim_number": "of_claim"}
        return [
            (title, {**options, "fields": [shown.get(name, name) for name in options["fields"]]})
            for title, options in fieldsets
        ]

    def flags_of(self, reproduction):
        return [Flag(SELF_REVIEWED, "info")] if reproduction.self_reviewed else []

    def summary(self, reproduction):
        return f"{reproduction.performer} on C-{reproduction.claim_number}: {reproduction.get_outcome_display().lower()}"

    def published_beside(self, reproduction):
        return (
            Claim.objects.published()
            .filter(number=reproduction.claim_number)
            .select_related("property", "asserter")
        )

    def flags_to_come(self, reproduction, by):
        return [Flag(SELF_REVIEWED, "info")] if by is not None else []
