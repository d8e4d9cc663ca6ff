"""What the database, the workers and the public log wrote: to look at only."""

from django.contrib import admin

from registry.admin.record_admin import ReadOnlyAdmin
from registry.admin.site import site
from registry.models import Publication
from sources.models import Passage, ReferenceChange


@admin.register(Publication, site=site)
class PublicationAdmin(ReadOnlyAdmin):
    list_display = ["sequence", "entry", "event", "record_date", "subject_key", "bundle", "recorded_at"]
    list_filter = ["event", "letter"]
    search_fields = ["number__exact", "subject_key", "bundle", "sha256__exact"]
    date_hierarchy = "record_date"
    ordering = ["-sequence"]

    @admin.display(description="entry", ordering="number")
    def entry(self, row):
        return f"{row.letter}-{row.number}/{row.revision}"


@admin.register(ReferenceChange, site=site)
class ReferenceChangeAdmin(ReadOnlyAdmin):
    list_display = ["changed_at", "table", "key", "operation", "note", "changed_by"]
    list_select_related = ["changed_by"]
    list_filter = ["table", "operation"]
    search_fields = ["key", "note"]
    date_hierarchy = "changed_at"


@admin.register(Passage, site=site)
class PassageAdmin(ReadOnlyAdmin):
    list_display = ["source", "locator", "quotation"]
    list_select_related = ["source__publisher"]
    search_fields = ["source__title", "locator", "quotation"]
