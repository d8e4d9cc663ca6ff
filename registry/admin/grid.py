"""Entering many claims from one source: check, see what is published beside them, save all or nothing."""

from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from registry.actions.claims import RowRefused, draft_claims
from registry.actions.lifecycle import submit
from registry.admin.prediction import flags_of_row, published_beside
from registry.admin.refusals import REFUSALS, words
from registry.forms.directories import Directories
from registry.forms.grid import GridForm, claim_rows
from registry.reasoning.quantities import display

MORE = 12


def claims_from(admin, request, source):
    """The grid page; after saving, the list of the new drafts."""
    directories = Directories()
    posted = request.method == "POST"
    post = _with_more_rows(request.POST) if posted else None
    rows = claim_rows(source, directories, post)
    grid = GridForm(post)
    if posted:
        right = rows.is_valid() and grid.is_valid()
        _look_beside(rows, source)
        wants_submit = "hand_in" in post
        if wants_submit and not (post.get("note") or "").strip():
            grid.add_error("note", "To submit, tell the reviewer what to look at.")
            right = False
        if right and ("save" in post or wants_submit):
            if not rows.filled:
                grid.add_error(None, "No row is filled: there is nothing to save.")
            elif (response := _save(admin, request, source, rows, grid, wants_submit)) is not None:
                return response
    wrong = [form for form in rows.forms if posted and form.errors]
    context = {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "title": "Enter claims from this source",
        "source": source,
        "rows": rows,
        "grid": grid,
        "wrong": wrong,
        "problems": sum(len(form.errors) for form in wrong),
        "checked": posted,
        "datalists": directories.lists("subjects", "properties", "organisations"),
        "passages": source.passages.order_by("id")[:50],
    }
    return TemplateResponse(request, "admin/registry/grid.html", context)


def _with_more_rows(post):
    if "more" not in post:
        return post
    longer = post.copy()
    try:
        longer["rows-TOTAL_FORMS"] = str(int(post.get("rows-TOTAL_FORMS", 0)) + MORE)
    except ValueError:
        return post
    return longer


def _look_beside(rows, source):
    """Gives each right row what it was read as, the published claims beside it, and the flags it would carry."""
    right = [form for form in rows.filled if form.claim is not None]
    beside = (
        published_beside({(form.claim.subject_id, form.claim.property_id) for form in right}) if right else {}
    )
    for form in right:
        claim = form.claim
        form.read_as = display(claim.value, claim.low, claim.high, claim.bound, claim.property.unit)
        form.beside = beside[claim.subject_id, claim.property_id]
        form.flags = flags_of_row(claim, form.beside, source)


def _save(admin, request, source, rows, grid, wants_submit):
    filled = rows.filled
    contents = [
        (form.cleaned_data["locator"], form.cleaned_data["quotation"], form.content()) for form in filled
    ]
    try:
        with transaction.atomic():
            drafts = draft_claims(source, contents, by=request.user)
            if wants_submit:
                drafts = [submit(draft, by=request.user, note=grid.cleaned_data["note"]) for draft in drafts]
    except RowRefused as refused:
        filled[refused.position].add_error(None, words(refused.error))
        return None
    except REFUSALS as error:
        grid.add_error(None, words(error))
        return None
    verb = "submitted" if wants_submit else "saved as drafts"
    several = "1 claim was" if len(drafts) == 1 else f"{len(drafts)} claims were"
    admin.message_user(request, f"{several} {verb}.", messages.SUCCESS)
    queue = "handed-in" if wants_submit else "drafts"
    return HttpResponseRedirect(f"{reverse('admin:registry_claim_changelist')}?{urlencode({'queue': queue})}")
