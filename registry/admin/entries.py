"""What the admins of all kinds of entry share: whose drafts one may edit, citations below them, and how they are saved."""

from django.contrib import admin
from django.utils.html import format_html_join

from registry.actions.drafts import edit_draft, may_edit
from registry.admin.record_admin import RecordAdmin
from registry.admin.steps import Steps
from registry.forms.citations import ChildFormSet, CitationForm
from registry.models.entry import Status
from sources.actions.sources import passage

ROWS = 60  # rows of one kind below an entry: far more than an entry ever rests on


class ChildInline(admin.TabularInline):
    """Rows of an entry. They can be changed exactly when the entry can."""

    template = "admin/registry/rows.html"
    extra = 1
    formset = ChildFormSet
    max_num = ROWS

    def get_formset(self, request, obj=None, **kwargs):
        # Without it, a posted count of rows has a thousand forms made more than max_num, just to refuse them.
        return super().get_formset(request, obj, **{"absolute_max": ROWS, **kwargs})

    def has_add_permission(self, request, obj=None):
        return obj is None or may_edit(obj, request.user)

    def has_change_permission(self, request, obj=None):
        return obj is None or may_edit(obj, request.user)

    def has_delete_permission(self, request, obj=None):
        return obj is None or may_edit(obj, request.user)

    def has_view_permission(self, request, obj=None):
        return True


class CitationInline(ChildInline):
    form = CitationForm
    fields = ["source", "locator", "quotation", "stance"]
    verbose_name = "citation"
    verbose_name_plural = "citations: what the source says, and where"

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("passage__source__publisher")

    @admin.display
    def source(self, citation):
        return citation.passage.source if citation.pk else None

    @admin.display
    def locator(self, citation):
        return citation.passage.locator if citation.pk else None

    @admin.display
    def quotation(self, citation):
        return citation.passage.quotation if citation.pk else None


class EntryAdmin(Steps, RecordAdmin):
    change_form_template = "admin/registry/entry_form.html"
    content_fields = ()

    def has_change_permission(self, request, obj=None):
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or may_edit(obj, request.user))

    def get_fieldsets(self, request, obj=None):
        fieldsets = super().get_fieldsets(request, obj)
        if obj is not None and obj.revision > 1:
            return [("What changes", {"fields": ["change_kind", "change_note"]}), *fieldsets]
        return fieldsets

    def get_formset_kwargs(self, request, obj, inline, prefix):
        kwargs = super().get_formset_kwargs(request, obj, inline, prefix)
        return {**kwargs, "form_kwargs": {"directories": request.directories}}

    def draft(self, by, cited, contexts, fields):
        """The action that makes a draft of this kind."""
        raise NotImplementedError

    def add_record(self, request, form, formsets):
        fields = self.content(form, self.content_fields)
        return self.draft(
            request.user,
            cited_in(formsets),
            _contexts_in(formsets) or (),
            {"id": form.instance.pk, **fields},
        )

    def change_record(self, request, form, formsets):
        edit_draft(
            form.instance,
            self.content(form, [*self.content_fields, "change_kind", "change_note"]),
            by=request.user,
            seen_at=form.instance.edited_at,
            cited=cited_in(formsets),
            contexts=_contexts_in(formsets),
        )

    def render_change_form(self, request, context, add=False, change=False, form_url="", obj=None):
        context["steps"] = self.steps_open(request, obj) if obj else []
        form = context["adminform"].form
        if getattr(form, "conflict", False):
            context["their_citations"] = obj.citations.select_related("passage__source__publisher")
        return super().render_change_form(request, context, add, change, form_url, obj)

    @admin.display(description="entry", ordering="number")
    def called(self, entry):
        return entry.name

    @admin.display(description="status", ordering="status")
    def standing(self, entry):
        return (
            "Returned"
            if entry.status == Status.DRAFT and entry.returned_reason
            else entry.get_status_display()
        )

    @admin.display(description="flags")
    def flags(self, entry):
        return format_html_join(
            " ", '<span class="flag {}">{}</span>', [(f.tone, f.words) for f in self.flags_of(entry)]
        )

    def flags_of(self, entry):
        return []


def kept_rows(formset):
    """The forms of rows that are to stand: what was there and is not taken out, and what was filled in."""
    return [
        form
        for form in formset.forms
        if form not in formset.deleted_forms and (form.has_changed() or not form.instance._state.adding)
    ]


def cited_in(formsets):
    """(passage, stance) pairs as actions want them; None where no formset holds citations."""
    for formset in formsets:
        if hasattr(formset.model, "passage"):
            return [
                (
                    passage(f.cleaned_data["source"], f.cleaned_data["locator"], f.cleaned_data["quotation"]),
                    f.cleaned_data["stance"],
                )
                for f in kept_rows(formset)
            ]
    return None


def _contexts_in(formsets):
    """(subject, role) pairs as actions want them; None where no formset holds contexts."""
    for formset in formsets:
        if hasattr(formset.model, "role"):
            return [(f.cleaned_data["subject"], f.cleaned_data["role"]) for f in kept_rows(formset)]
    return None
