"""Organisations, subjects and properties: what claims speak of and who says so. Administrators keep them."""

from django.contrib import admin

from registry.actions.subjects import add_property, add_subject, change_property, change_subject
from registry.admin.record_admin import NotedAdmin
from registry.admin.site import site
from registry.forms.registers import DETAIL_FIELDS, OrganisationForm, PropertyForm, SubjectForm
from registry.models import Property, Subject
from registry.models.subject import SubjectKind
from sources.actions.organisations import add_organisation, change_organisation
from sources.models import Organisation


@admin.register(Organisation, site=site)
class OrganisationAdmin(NotedAdmin):
    form = OrganisationForm
    directories = ("organisations",)
    permanent = ("key",)
    fields = ["name", "key", "kind", "parent"]
    list_display = ["name", "kind", "parent", "key"]
    list_select_related = ["parent"]
    list_filter = ["kind"]
    search_fields = ["name", "key"]

    def add_record(self, request, form, formsets):
        return add_organisation(by=request.user, **self.content(form, self.fields))

    def change_record(self, request, form, formsets):
        change_organisation(form.instance, self.changed(form), by=request.user, note=self.note(form))


@admin.register(Subject, site=site)
class SubjectAdmin(NotedAdmin):
    form = SubjectForm
    directories = ("organisations",)
    permanent = ("key", "kind")
    own_fields = ["key", "kind", "slug", "name", "maker", "family"]
    list_display = ["name", "kind", "maker", "family", "slug", "key"]
    list_select_related = ["maker"]
    list_filter = ["kind", ("maker", admin.RelatedOnlyFieldListFilter)]
    search_fields = ["name", "key", "slug", "family", "maker__name"]
    fieldsets = [("Identity", {"fields": ["kind", "name", "slug", "key", "maker", "family"]})]

    def get_fieldsets(self, request, obj=None):
        identity, *note = super().get_fieldsets(request, obj)
        if obj is not None and not self.has_change_permission(request, obj):
            return [identity]
        kinds = [obj.kind] if obj else list(DETAIL_FIELDS)
        details = [
            (f"Only for a {SubjectKind(kind).label}", {"fields": DETAIL_FIELDS[kind]})
            for kind in kinds
            if kind in DETAIL_FIELDS
        ]
        return [identity, *details, *note]

    def add_record(self, request, form, formsets):
        return add_subject(by=request.user, detail=form.detail, **self.content(form, self.own_fields))

    def change_record(self, request, form, formsets):
        change_subject(
            form.instance, self.changed(form), by=request.user, detail=form.detail, note=self.note(form)
        )

    def response_change(self, request, obj):
        former = getattr(obj, "former", "")
        if former:
            self.message_user(request, f"The old address “{former}” leads here from now on.")
        return super().response_change(request, obj)


@admin.register(Property, site=site)
class PropertyAdmin(NotedAdmin):
    form = PropertyForm
    permanent = ("key", "subject_kind")
    fieldsets = [
        ("What is measured", {"fields": ["key", "subject_kind", "label", "definition", "datatype", "unit"]}),
        ("Where it stands", {"fields": ["group", "position", "quantity", "condition"]}),
        ("How it is treated", {"fields": ["performance_figure", "headline"]}),
    ]
    list_display = [
        "label",
        "subject_kind",
        "group",
        "quantity",
        "condition",
        "unit",
        "performance_figure",
        "headline",
        "key",
    ]
    list_filter = ["subject_kind", "performance_figure", "headline", "datatype", "group"]
    search_fields = ["label", "key", "quantity", "condition", "definition"]

    def add_record(self, request, form, formsets):
        return add_property(by=request.user, **self.content(form, form.fields_of_property))

    def change_record(self, request, form, formsets):
        change_property(form.instance, self.changed(form), by=request.user, note=self.note(form))
