"""Link triage: the list of links, the page of one, and what a person decides about it."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.db.models import Count, F, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html_join
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from registry.admin.link_page import MOST_LOST_LEASES, WORDS, page_of, signs
from registry.admin.queues import QueueFilter
from registry.admin.record_admin import ReadOnlyAdmin
from registry.admin.refusals import REFUSALS, words
from registry.admin.site import site
from registry.errors import rule_of
from registry.forms.links import AddressMovedForm, DecisionForm, PageIsFineForm
from registry.forms.sources import known_already
from registry.models import Claim
from sources.actions.links import (
    NothingToDecideError,
    OutdatedError,
    accept_address,
    accept_page,
    check_now,
    facts,
    in_review,
)
from sources.actions.sources import existing
from sources.models import Link, PassageLook
from sources.standing import State
from sources.verdicts import Outcome

MOST_AT_ONCE = 200  # links one asks to check at once
MOST_HOSTS = 20  # offered as a filter
SOON_IS = dt.timedelta(seconds=15)  # a worker is woken as often
SOON = "a worker looks within about 15 seconds. Load the page again to see what it found."


@dataclass(frozen=True)
class Decision:
    name: str  # in the address
    form: type[DecisionForm]
    act: Callable  # (source, note, by, shown)
    done: str


DECISIONS = {
    decision.name: decision
    for decision in [
        Decision(
            "address",
            AddressMovedForm,
            accept_address,
            "“{source.title}” is cited at its new address; the note stands under Corrections. It is due to be looked at there.",
        ),
        Decision(
            "fine",
            PageIsFineForm,
            accept_page,
            "Recorded: the page of “{source.title}” is fine as it is. What it says now is what later looks compare with.",
        ),
    ]
}


class StandingFilter(admin.SimpleListFilter):
    title = "standing"
    parameter_name = "standing"

    def lookups(self, request, model_admin):
        return [(state.name.lower(), WORDS[state]) for state in State]

    def queryset(self, request, queryset):
        states = {state.name.lower(): state for state in State}
        state = states.get(self.value())
        return queryset.filter(state="" if state is State.NEW else state.value) if state else queryset


class VerdictFilter(admin.SimpleListFilter):
    title = "verdict of the last look"
    parameter_name = "verdict"

    def lookups(self, request, model_admin):
        return [(name, name.replace("_", " ")) for name in [*get_args(Outcome), "accepted"]]

    def queryset(self, request, queryset):
        known = dict(self.lookup_choices)
        return queryset.filter(last_check__verdict=self.value()) if self.value() in known else queryset


class HostFilter(admin.SimpleListFilter):
    """The hosts with most links to decide on; any other one by its address (?host=…), as pages of links lead here."""

    title = "host"
    parameter_name = "host"

    def lookups(self, request, model_admin):
        waiting = (
            Link.objects.in_triage()
            .values_list("host")
            .annotate(links=Count("pk"))
            .order_by("-links", "host")
        )
        hosts = [host for host, _ in waiting[:MOST_HOSTS]]
        asked = self.value()
        return [(host, host) for host in ([asked] if asked and asked not in hosts else []) + hosts]

    def has_output(self):
        return True

    def queryset(self, request, queryset):
        return queryset.filter(host=self.value()) if self.value() else queryset


def _counted(rows, of):
    counted = rows.order_by().values(of).annotate(counted=Count("pk", distinct=True)).values("counted")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


@admin.register(Link, site=site)
class LinkAdmin(ReadOnlyAdmin):
    list_display = [
        "title",
        "publisher",
        "standing",
        "resting",
        "since_day",
        "verdict",
        "last_good",
        "next_look",
        "archived",
    ]
    list_select_related = ["source__publisher", "last_check"]
    list_filter = [QueueFilter, StandingFilter, VerdictFilter, HostFilter]
    search_fields = ["source__title", "source__key", "source__url", "moved_to", "host__name"]
    search_help_text = "Title, key, address, host."
    list_max_show_all = MOST_AT_ONCE
    ordering = [F("since").asc(nulls_last=True), "pk"]
    actions = ["check_chosen"]

    def get_queryset(self, request):
        citing = Claim.objects.published().filter(citations__passage__source=OuterRef("pk"))
        review = PassageLook.objects.filter(passage__source=OuterRef("pk"), review_since__isnull=False)
        return (
            super()
            .get_queryset(request)
            .annotate(
                claims_resting=_counted(citing, "citations__passage__source"),
                passages_in_review=_counted(review, "passage__source"),
            )
        )

    def changelist_view(self, request, extra_context=None):
        return super().changelist_view(request, {"title": "Link triage", **(extra_context or {})})

    # The list -----------------------------------------------------------------------------------------

    @admin.display(description="source", ordering="source__title")
    def title(self, link):
        return link.source.title

    @admin.display(description="publisher", ordering="source__publisher__name")
    def publisher(self, link):
        return link.source.publisher

    @admin.display(description="standing", ordering="state")
    def standing(self, link):
        flags = [(tone, said) for said, tone in signs(link, link.passages_in_review)]
        return format_html_join(" ", '<span class="flag {}">{}</span>', flags)

    @admin.display(description="since", ordering="since")
    def since_day(self, link):
        return link.since and link.since.date().isoformat()

    @admin.display(description="last verdict", ordering="last_check__verdict")
    def verdict(self, link):
        last = link.last_check
        return f"{last.verdict.replace('_', ' ')}: {last.reason}" if last else "not looked at yet"

    @admin.display(description="last good", ordering="last_good_at")
    def last_good(self, link):
        return link.last_good_at.date().isoformat() if link.last_good_at else "none yet"

    @admin.display(description="next look", ordering="due_at")
    def next_look(self, link):
        if link.due_at is None or link.lost_leases >= MOST_LOST_LEASES:
            return "when a person asks"
        return "now" if link.due_at <= timezone.now() else f"{link.due_at:%Y-%m-%d %H:%M}"

    @admin.display(description="archive", ordering="source__archive_url")
    def archived(self, link):
        return "yes" if link.source.archive_url else "no"

    @admin.display(description="claims", ordering="claims_resting")
    def resting(self, link):
        return link.claims_resting

    def has_decide_permission(self, request):
        """Whoever may change a source decides about its link."""
        return request.user.has_perm("sources.change_source")

    @admin.action(description="Check now", permissions=["decide"])
    def check_chosen(self, request, queryset):
        """At most so many, whatever the page or “select all” chose."""
        chosen = list(queryset.order_by("pk")[: MOST_AT_ONCE + 1])
        if len(chosen) > MOST_AT_ONCE:
            text = f"More than {MOST_AT_ONCE} links were chosen, so none was made due: choose fewer, or filter the list."
            self.message_user(request, text, messages.ERROR)
            return
        number = check_now(*chosen, by=request.user)
        text = f"{number} link is due now" if number == 1 else f"{number} links are due now"
        self.message_user(request, f"{text}, one at a time for each host: {SOON}", messages.SUCCESS)

    # One link -----------------------------------------------------------------------------------------

    def get_urls(self):
        wrap = self.admin_site.admin_view
        own = [path("<int:source_id>/check/", wrap(self.check_view), name="sources_link_check")]
        own += [
            path(f"<int:source_id>/{name}/", wrap(self._deciding(name)), name=f"sources_link_{name}")
            for name in DECISIONS
        ]
        return [*own, *super().get_urls()]

    def _deciding(self, name):
        def view(request, source_id):
            return self.decision_view(request, source_id, DECISIONS[name])

        return view

    def _link(self, source_id):
        links = Link.objects.select_related("source__publisher", "last_check", "host")
        link = links.filter(pk=source_id).first()
        if link is None:
            raise Http404
        return link

    @method_decorator(require_http_methods(["GET", "HEAD"]))
    def change_view(self, request, object_id, form_url="", extra_context=None):
        found = self.get_object(request, object_id)
        if found is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if not self.has_view_permission(request, found):
            raise PermissionDenied
        return self._page(request, self._link(found.pk), {})

    def _page(self, request, link, forms_with_errors, then=None):
        """The page. `then` are facts a form was shown that stand no longer."""
        user, under_review = request.user, in_review(link.source)
        now = facts(link, under_review)
        may_decide = self.has_decide_permission(request)
        fresh = {name: decision.form(facts=now) for name, decision in DECISIONS.items()}
        conflict = None if then is None else _side_by_side(then, now)
        undecided = link.state in (
            State.CHANGED,
            State.NEEDS_A_LOOK,
            State.UNREACHABLE,
            State.BROKEN,
            State.GONE,
        )
        context = {
            **self.admin_site.each_context(request),
            **page_of(link),
            "opts": self.opts,
            "title": f"Link of “{link.source.title}”",
            "signs": signs(link, under_review),
            "conflict": conflict,
            "may_decide": may_decide,
            "may_verify": user.has_perm("sources.add_verification"),
            "may_correct": user.has_perm("registry.add_claim"),
            "address_form": (forms_with_errors.get("address") or fresh["address"]) if link.moved_to else None,
            "fine_form": (forms_with_errors.get("fine") or fresh["fine"])
            if link.last_check and (undecided or under_review)
            else None,
            "shown": fresh["fine"]["shown"],
        }
        refused = then is not None or any(form.non_field_errors() for form in forms_with_errors.values())
        return TemplateResponse(request, "admin/registry/link.html", context, status=409 if refused else 200)

    def _page_of(self, source_id):
        return HttpResponseRedirect(reverse("admin:sources_link_change", args=[source_id]))

    @method_decorator(csrf_protect)
    def check_view(self, request, source_id):
        """Makes a link due. Whoever comes by GET, as from a login page in between, is led to the link's page."""
        if not self.has_decide_permission(request):
            raise PermissionDenied
        link = self._link(source_id)
        if request.method == "POST":
            check_now(link.source, by=request.user)
            when = SOON
            if link.host.free_at > timezone.now() + SOON_IS:
                when = f"{link.host_id} asked to be left alone until {link.host.free_at:%Y-%m-%d %H:%M} UTC, then {SOON}"
            self.message_user(
                request, f"The link of “{link.source.title}” is due now: {when}", messages.SUCCESS
            )
            if request.POST.get("from") == "source":
                return HttpResponseRedirect(reverse("admin:sources_source_change", args=[source_id]))
        return self._page_of(source_id)

    @method_decorator(csrf_protect)
    def decision_view(self, request, source_id, decision):
        """One decision. What it was about is on the form: where that stands no longer, nothing is saved."""
        if not self.has_decide_permission(request):
            raise PermissionDenied
        link = self._link(source_id)
        if request.method != "POST":
            return self._page_of(source_id)
        form = decision.form(request.POST)
        if form.is_valid():
            data = form.cleaned_data
            try:
                decision.act(link.source, note=data["note"], by=request.user, shown=data["shown"])
            except NothingToDecideError as error:
                self.message_user(request, f"{error} Nothing was saved.", messages.WARNING)
                return self._page_of(source_id)
            except OutdatedError as error:
                form.add_error(None, str(error))
                return self._page(request, self._link(source_id), {decision.name: form}, then=data["shown"])
            except REFUSALS as error:
                form.add_error(None, _refused(error, link))
            else:
                self.message_user(request, decision.done.format(source=link.source), messages.SUCCESS)
                return self._page_of(source_id)
        return self._page(request, link, {decision.name: form})


def _refused(error: Exception, link: Link) -> forms.ValidationError | str:
    """The sentence; where another record has the address already, with the way there."""
    if isinstance(error, IntegrityError) and rule_of(error) == "source_identity":
        other = existing(link.moved_to, link.source.version)
        if other is not None:
            return forms.ValidationError(known_already(other))
    return words(error)


def _side_by_side(then, now):
    """(label, as it was shown, as it stands) of the facts that differ; what a form carried is any text at all."""
    labels = [*now, *(label for label in then if label not in now)]
    return [
        (label, then.get(label, "—"), now.get(label, "—"))
        for label in labels
        if then.get(label) != now.get(label)
    ]
