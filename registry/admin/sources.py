"""Sources as editors work on them: address first, then the fields, then what was read and what is claimed from it."""

from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect

from registry.admin.grid import claims_from
from registry.admin.link_page import signs
from registry.admin.queues import QueueFilter
from registry.admin.record_admin import NotedAdmin
from registry.admin.refusals import REFUSALS, words
from registry.admin.site import site
from registry.forms.sources import AddressForm, SourceForm, VerificationForm, matches, moving_part, today
from registry.models import Claim
from sources.actions.links import in_review
from sources.actions.looks import standing_of
from sources.actions.sources import add_source, change_source, record_verification
from sources.models import Source


@admin.register(Source, site=site)
class SourceAdmin(NotedAdmin):
    form = SourceForm
    change_form_template = "admin/registry/source_form.html"
    directories = ("organisations", "sources")
    permanent = ("key",)
    own_fields = [
        "key",
        "title",
        "publisher",
        "product",
        "title_stands_alone",
        "kind",
        "attribution_role",
        "date_basis",
        "published_on",
        "published_precision",
        "last_modified_on",
        "last_modified_precision",
        "scope_notes",
        "archive_url",
        "licence",
        "state",
        "superseded_by",
        "edition_of",
    ]
    fieldsets = [
        ("Address", {"fields": ["url", "version", "link_kind"]}),
        (
            "The work",
            {
                "fields": [
                    "title",
                    "key",
                    "publisher",
                    "kind",
                    "attribution_role",
                    "product",
                    "title_stands_alone",
                    "scope_notes",
                ]
            },
        ),
        (
            "Its date: exactly one form",
            {
                "fields": [
                    "date_basis",
                    ("published_on", "published_precision"),
                    ("last_modified_on", "last_modified_precision"),
                ]
            },
        ),
        ("Further", {"fields": ["archive_url", "licence", "state", "superseded_by", "edition_of"]}),
    ]
    list_display = ["title", "publisher", "kind", "version", "dated", "verified", "state", "key"]
    list_select_related = ["publisher"]
    list_filter = [
        QueueFilter,
        "kind",
        "state",
        "link_kind",
        "date_basis",
        "verified_representation",
        ("publisher", admin.RelatedOnlyFieldListFilter),
    ]
    search_fields = ["title", "key", "url", "work_id", "publisher__name", "product"]
    search_help_text = "Title, key, address, DOI or arXiv id, publisher."
    date_hierarchy = "verified_on"

    def get_fieldsets(self, request, obj=None):
        own = super().get_fieldsets(request, obj)
        if obj is None:
            together = ["opened_today", "representation", "verification_note"]
            return [*own, ("Verification, if you read it today", {"fields": together})]
        return own

    def get_urls(self):
        wrap = self.admin_site.admin_view
        return [
            path("<int:source_id>/verify/", wrap(self.verify_view), name="sources_source_verify"),
            path("<int:source_id>/claims/", wrap(self.claims_view), name="sources_source_claims"),
            *super().get_urls(),
        ]

    # Step one: the address ----------------------------------------------------------------------------

    def add_view(self, request, form_url="", extra_context=None):
        """Asks for the address alone until it leads to a work that is not registered yet."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method == "POST" or request.GET.get("step") == "2":
            return super().add_view(request, form_url, extra_context)
        form = AddressForm(request.GET if "address" in request.GET else None)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Add a source: its address",
            "form": form,
            **(extra_context or {}),
        }
        if form.is_valid():
            url, version = form.cleaned_data["address"], form.cleaned_data["version"]
            address, same, others = matches(url, version)
            context |= {"address": address, "version": version, "same": same, "others": others}
            context["moving"] = moving_part(address.url)
            if not same and not others and not context["moving"]:
                return HttpResponseRedirect(self._step_two(address, version))
            context["go_on"] = self._step_two(address, version)
        return TemplateResponse(request, "admin/registry/source_address.html", context)

    @staticmethod
    def _step_two(address, version):
        from_address = {"step": "2", "url": address.url, "version": version or address.version}
        return f"?{urlencode({**from_address, 'link_kind': address.link_kind})}"

    def get_changeform_initial_data(self, request):
        return {"state": "current", **super().get_changeform_initial_data(request)}

    # Saving -------------------------------------------------------------------------------------------

    def add_record(self, request, form, formsets):
        data = form.cleaned_data
        fields = self.content(form, [*self.own_fields, "version", "link_kind"])
        source = add_source(url=data["url"], by=request.user, **fields)
        if data["opened_today"]:
            record_verification(
                source,
                on=today(),
                representation=data["representation"],
                note=data["verification_note"],
                by=request.user,
            )
        return source

    def change_record(self, request, form, formsets):
        changes = self.changed(form)
        if "url" in changes:
            changes = {"version": form.instance.version, "link_kind": form.instance.link_kind, **changes}
        if changes:
            change_source(form.instance, changes, note=self.note(form), by=request.user)

    def change_view(self, request, object_id, form_url="", extra_context=None):
        source = self.get_object(request, object_id) if request.method == "GET" else None
        if source is not None:
            citing = Claim.objects.filter(citations__passage__source=source).select_related(
                "subject", "property"
            )
            extra_context = {
                **(extra_context or {}),
                "verifications": source.verifications.select_related("verified_by")[:20],
                "citing": citing.distinct().order_by("number", "revision")[:100],
                "may_verify": request.user.has_perm("sources.add_verification"),
                "may_claim": request.user.has_perm("registry.add_claim"),
                **self._link_of(request, source),
            }
        return super().change_view(request, object_id, form_url, extra_context)

    @staticmethod
    def _link_of(request, source):
        link = getattr(source, "link", None)
        if link is None:
            return {}
        return {
            "link": link,
            "link_signs": signs(link, in_review(source)),
            "link_reason": standing_of(link).reason,
            "may_triage": request.user.has_perm("sources.view_link"),
            "may_check": request.user.has_perm("sources.change_source"),
        }

    # Verification and claims --------------------------------------------------------------------------

    def _source(self, source_id):
        source = Source.objects.select_related("publisher__parent").filter(pk=source_id).first()
        if source is None:
            raise Http404
        return source

    @method_decorator(csrf_protect)
    def verify_view(self, request, source_id):
        """Records that this person read the source today."""
        source = self._source(source_id)
        if not request.user.has_perm("sources.add_verification"):
            raise PermissionDenied
        form = VerificationForm(request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            data = form.cleaned_data
            try:
                record_verification(
                    source,
                    on=today(),
                    representation=data["representation"],
                    outcome=data["outcome"],
                    note=data["note"],
                    by=request.user,
                )
            except REFUSALS as error:
                form.add_error(None, words(error))
            else:
                self.message_user(
                    request, f"Recorded. {source.title}: {source.verified_sentence}", messages.SUCCESS
                )
                return HttpResponseRedirect(reverse("admin:sources_source_change", args=[source.pk]))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Record a verification",
            "source": source,
            "form": form,
            "passages": source.passages.order_by("id")[:200],
            "verifications": source.verifications.select_related("verified_by")[:20],
        }
        return TemplateResponse(request, "admin/registry/verify.html", context)

    @method_decorator(csrf_protect)
    def claims_view(self, request, source_id):
        """The grid: many claims from this source."""
        source = self._source(source_id)
        if not request.user.has_perm("registry.add_claim"):
            raise PermissionDenied
        return claims_from(self, request, source)

    @admin.display(description="date")
    def dated(self, source):
        return source.date_sentence.removeprefix("Publication: ").rstrip(".")

    @admin.display(description="verified", ordering="verified_on")
    def verified(self, source):
        return source.verified_sentence.removeprefix("Verified: ").rstrip(".")
