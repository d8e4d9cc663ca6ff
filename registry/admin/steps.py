"""The steps of an entry as pages of the admin: a GET explains and asks, a POST acts, outside the change form's transaction."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from registry.actions import lifecycle
from registry.actions.drafts import may_edit
from registry.admin.differences import differences
from registry.admin.refusals import REFUSALS, words
from registry.forms.steps import CorrectForm, DiscardForm, PublishForm, ReturnForm, SubmitForm, WithdrawForm
from registry.models.entry import Status


@dataclass(frozen=True)
class Step:
    name: str  # in the address
    button: str
    status: str  # in which the step can be taken
    form: type[forms.Form]
    act: Callable  # (entry, user, cleaned data) → where the entry stands then, or None
    allowed: Callable  # (entry, user, may: verb → bool) → bool
    done: str
    meaning: str = ""


def _moment(text):
    """The time a form carried, or one that is never right, so that a form without it is refused as outdated."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)


STEPS = {
    step.name: step
    for step in [
        Step(
            "submit",
            "Submit for review",
            Status.DRAFT,
            SubmitForm,
            lambda entry, by, data: lifecycle.submit(entry, by=by, note=data["note"]),
            lambda entry, user, may: may("change") and may_edit(entry, user),
            "{} waits for a second person.",
            "A second person compares it with its source and publishes it or returns it to you.",
        ),
        Step(
            "publish",
            "Publish",
            Status.SUBMITTED,
            PublishForm,
            lambda entry, by, data: lifecycle.publish(entry, by=by, seen_at=_moment(data["seen"])),
            lambda entry, user, may: may("publish"),
            "{} is published.",
        ),
        Step(
            "return",
            "Return to the author",
            Status.SUBMITTED,
            ReturnForm,
            lambda entry, by, data: lifecycle.return_to_author(entry, by=by, reason=data["reason"]),
            lambda entry, user, may: (
                may("publish") or (may("change") and user.pk in (entry.created_by_id, entry.submitted_by_id))
            ),
            "{} is a draft again.",
        ),
        Step(
            "correct",
            "Correct",
            Status.PUBLISHED,
            CorrectForm,
            lambda entry, by, data: lifecycle.revise(entry, by=by, kind=data["kind"], note=data["note"]),
            lambda entry, user, may: may("add"),
            "{} is open: change what is to change, then submit it. Until it is published readers see the revision before.",
            "Makes a draft of the next revision with this one's content. This one stays readable at its own address.",
        ),
        Step(
            "withdraw",
            "Withdraw",
            Status.PUBLISHED,
            WithdrawForm,
            lambda entry, by, data: lifecycle.withdraw(entry, by=by, reason=data["reason"]),
            lambda entry, user, may: may("publish"),
            "{} is withdrawn.",
            "Takes it back. Its address goes on to answer, with the reason; what ended stays ended.",
        ),
        Step(
            "discard",
            "Discard",
            Status.DRAFT,
            DiscardForm,
            lambda entry, by, data: lifecycle.discard(entry, by=by),
            lambda entry, user, may: may("delete") and may_edit(entry, user),
            "{} is discarded.",
            "Deletes this draft for good. Nothing readers ever saw is deleted.",
        ),
    ]
}


class Steps:
    """Adds the pages of STEPS and the review page to an entry's admin."""

    def get_urls(self):
        own = [
            path(f"<uuid:entry_id>/{name}/", self._page(self.step_view, name), name=self._url_name(name))
            for name in STEPS
        ]
        own.append(
            path("<uuid:entry_id>/review/", self._page(self.review_view), name=self._url_name("review"))
        )
        return [*own, *super().get_urls()]

    def _page(self, view, *args):
        def page(request, entry_id):
            return view(request, entry_id, *args)

        return self.admin_site.admin_view(page)

    def _url_name(self, name):
        return f"{self.opts.app_label}_{self.opts.model_name}_{name}"

    def step_url(self, entry, name):
        return reverse(f"admin:{self._url_name(name)}", args=[entry.pk])

    def _may(self, request):
        return lambda verb: request.user.has_perm(f"{self.opts.app_label}.{verb}_{self.opts.model_name}")

    def steps_open(self, request, entry):
        """(address, button) of the steps this person can take with this entry now; publish and return share a page."""
        may = self._may(request)
        shown = []
        for step in STEPS.values():
            if entry.status == step.status and step.allowed(entry, request.user, may):
                name = "review" if step.name in ("publish", "return") else step.name
                pair = (self.step_url(entry, name), "Review" if name == "review" else step.button)
                if pair not in shown:
                    shown.append(pair)
        return shown

    def _entry(self, request, entry_id):
        entry = self.get_queryset(request).filter(pk=entry_id).first()
        if entry is None:
            raise Http404
        if not self.has_view_permission(request, entry):
            raise PermissionDenied
        return entry

    @method_decorator(csrf_protect)
    def step_view(self, request, entry_id, name):
        step = STEPS[name]
        entry = self._entry(request, entry_id)
        if entry.status != step.status:
            text = (
                f"{entry.name} is {entry.get_status_display().lower()}: “{step.button}” is not possible now."
            )
            self.message_user(request, text, messages.WARNING)
            return HttpResponseRedirect(self._change_url(entry))
        if not step.allowed(entry, request.user, self._may(request)):
            raise PermissionDenied(f"“{step.button}” is not yours to do with {entry.name}.")
        on_review = name in ("publish", "return")
        if request.method != "POST":
            if on_review:
                return HttpResponseRedirect(self.step_url(entry, "review"))
            return self._step_page(request, entry, step, step.form())
        form = step.form(request.POST)
        if form.is_valid():
            called, summary = entry.name, self.summary(entry)
            try:
                after = step.act(entry, request.user, form.cleaned_data)
            except REFUSALS as error:
                form.add_error(None, words(error))
            except PermissionDenied as error:
                form.add_error(None, str(error))
            else:
                return self._taken(request, step, after, f"{after.name if after else called}: {summary}")
        if on_review:
            return self._review_page(request, entry, {name: form})
        return self._step_page(request, entry, step, form)

    def _taken(self, request, step, after, called):
        self.message_user(request, step.done.format(called), messages.SUCCESS)
        if step.name == "publish":
            following = self._waiting(request).first()
            if following is not None:
                return HttpResponseRedirect(self.step_url(following, "review"))
            return HttpResponseRedirect(reverse("admin:index"))
        if step.name in ("discard", "return", "submit"):
            return HttpResponseRedirect(reverse("admin:index"))
        return HttpResponseRedirect(self._change_url(after))

    def _waiting(self, request):
        others = (
            self.model.objects.submitted().exclude(created_by=request.user).exclude(edited_by=request.user)
        )
        return others.order_by("submitted_at")

    def _change_url(self, entry):
        return reverse(f"admin:{self._url_name('change')}", args=[entry.pk])

    def _step_page(self, request, entry, step, form):
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{step.button}: {entry.name}",
            "entry": entry,
            "summary": self.summary(entry),
            "step": step,
            "form": form,
            "back": self._change_url(entry),
        }
        status = 409 if form.non_field_errors() else 200
        return TemplateResponse(request, "admin/registry/step.html", context, status=status)

    @method_decorator(require_http_methods(["GET", "HEAD"]))
    def review_view(self, request, entry_id):
        entry = self._entry(request, entry_id)
        may = self._may(request)
        if not any(STEPS[name].allowed(entry, request.user, may) for name in ("publish", "return")):
            raise PermissionDenied(f"Reviewing {entry.name} takes the reviewer role.")
        if entry.status != Status.SUBMITTED:
            text = f"{entry.name} is {entry.get_status_display().lower()}: there is nothing to review."
            self.message_user(request, text, messages.WARNING)
            return HttpResponseRedirect(self._change_url(entry))
        return self._review_page(request, entry, {})

    def _review_page(self, request, entry, forms_with_errors):
        old = (
            self.model.objects.filter(lineage=entry.lineage, revision__lt=entry.revision)
            .order_by("-revision")
            .first()
        )
        citations = entry.citations.select_related("passage__source__publisher")
        user, may = request.user, self._may(request)
        own = user.pk in (entry.created_by_id, entry.edited_by_id)
        may_publish = may("publish") and (not own or may("publish_own"))
        seen = PublishForm(initial={"seen": entry.edited_at.isoformat()})
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Review: {entry.name}",
            "entry": entry,
            "old": old,
            "summary": self.summary(entry),
            "differences": differences(old, entry),
            "citations": citations,
            "flags": self.flags_to_come(entry, user if own and may_publish else None),
            "beside": self.published_beside(entry),
            "own": own,
            "may_publish": may_publish,
            "may_return": STEPS["return"].allowed(entry, user, may),
            "publish_form": forms_with_errors.get("publish") or seen,
            "fresh_seen": seen,
            "return_form": forms_with_errors.get("return") or ReturnForm(),
            "publish_url": self.step_url(entry, "publish"),
            "return_url": self.step_url(entry, "return"),
            "back": self._change_url(entry),
        }
        refused = any(form.non_field_errors() for form in forms_with_errors.values())
        return TemplateResponse(
            request, "admin/registry/review.html", context, status=409 if refused else 200
        )

    def summary(self, entry):
        """The entry in one line, without its name."""
        raise NotImplementedError

    def flags_to_come(self, entry, by):
        """The flags readers will see once it is published."""
        return []

    def published_beside(self, entry):
        """Other published entries that speak of the same."""
        return []
