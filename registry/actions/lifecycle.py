"""The steps of an entry's life: submit, return, publish, revise, withdraw, discard. The same for every kind of entry."""

import uuid

from django.core.exceptions import PermissionDenied

from registry.actions.drafts import Outdated
from registry.models.entry import Status
from sources.actions.acting import acting, retried

# What a new revision does not take over from the one it follows.
_NOT_COPIED = {
    "id",
    "lineage",
    "number",
    "revision",
    "status",
    "change_kind",
    "change_note",
    "record_date",
    "created_at",
    "created_by",
    "edited_at",
    "edited_by",
    "submitted_at",
    "submitted_by",
    "submit_note",
    "returned_reason",
    "published_at",
    "published_by",
    "self_reviewed",
    "bundle",
    "ended_at",
    "ended_on",
    "ended_by",
    "end_note",
    "value_key",
}


@retried
def submit(entry, *, by, note):
    """Hands a draft to a reviewer. The note tells them what to look at."""
    return _step(
        entry,
        by,
        status=Status.SUBMITTED,
        submitted_by=by,
        submit_note=_said(note, "submit"),
        returned_reason="",
    )


@retried
def return_to_author(entry, *, by, reason):
    """Makes a submitted entry a draft again; its author reads the reason."""
    _may_review(entry, by, unless_own=True)
    return _step(entry, by, status=Status.DRAFT, returned_reason=_said(reason, "return"))


@retried
def publish(entry, *, by, seen_at=None):
    """Publishes a submitted entry; the database supersedes the revision before it in the same step.

    With `seen_at` (its `edited_at` when the reviewer read it) raises Outdated if it was edited since.
    """
    if not may_publish(entry, by):
        raise PermissionDenied(
            f"You wrote {entry.name}, so you cannot publish it: ask a second person to review it."
            if wrote(entry, by)
            else _takes_a_reviewer(entry)
        )
    return _step(entry, by, seen_at, status=Status.PUBLISHED, published_by=by, self_reviewed=wrote(entry, by))


def wrote(entry, user):
    """True for who began an entry or changed it last: their publishing it is no review by a second person."""
    return user.pk in (entry.created_by_id, entry.edited_by_id)


def may_publish(entry, user):
    """What others began takes the reviewer's permission; what one wrote, the one for one's own, which is no other's."""
    verbs = []
    if entry.created_by_id != user.pk:
        verbs.append("publish")
    if wrote(entry, user):
        verbs.append("publish_own")
    return user.has_perms([_permission(entry, verb) for verb in verbs])


@retried
def withdraw(entry, *, by, reason):
    """Takes a published entry back. It stays readable at its address, with the reason."""
    _may_review(entry, by)
    return _step(entry, by, status=Status.WITHDRAWN, ended_by=by, end_note=_said(reason, "withdraw"))


@retried
def revise(entry, *, by, kind, note):
    """A draft of the next revision, with the content and citations of this one. Readers see the note once it is published."""
    copied = {
        field.name: getattr(entry, field.name)
        for field in entry._meta.concrete_fields
        if field.name not in _NOT_COPIED
    }
    with acting(by):
        newest = type(entry).objects.filter(lineage=entry.lineage).order_by("-revision").first()
        draft = type(entry).objects.create(
            **copied,
            id=uuid.uuid4(),
            lineage=entry.lineage,
            number=entry.number,
            revision=newest.revision + 1,
            change_kind=kind,
            change_note=_said(note, "correct"),
            created_by=by,
            edited_by=by,
        )
        for children in _children(entry):
            for child in children.all():
                child.pk = None
                child.entry = draft
                child.save(force_insert=True)
    return draft


@retried
def discard(entry, *, by):
    """Deletes a draft. The database refuses this for anything that was ever submitted or published and not returned."""
    with acting(by):
        entry.delete()


def _children(entry):
    yield entry.citations
    for others in ("contexts", "measurements"):
        if hasattr(entry, others):
            yield getattr(entry, others)


def _step(entry, by, seen_at=None, /, **changes):
    with acting(by):
        fresh = type(entry).objects.select_for_update().get(pk=entry.pk)
        if seen_at and fresh.edited_at != seen_at:
            raise Outdated(fresh)
        for field, value in changes.items():
            setattr(fresh, field, value)
        fresh.save(update_fields=[*changes])
    fresh.refresh_from_db()
    return fresh


def _permission(entry, verb):
    return f"{entry._meta.app_label}.{verb}_{entry._meta.model_name}"


def _may_review(entry, by, unless_own=False):
    if unless_own and by.pk in (entry.created_by_id, entry.submitted_by_id):
        return
    if not by.has_perm(_permission(entry, "publish")):
        raise PermissionDenied(_takes_a_reviewer(entry))


def _takes_a_reviewer(entry):
    return f"Reviewing {entry.name} takes the reviewer role, which you do not have."


def _said(text, verb):
    text = text.strip()
    if not text:
        raise ValueError(f"To {verb} an entry, say why: the note is empty.")
    return text
