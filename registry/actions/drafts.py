"""Drafting and editing entries of every kind: content, citations and contexts are written together or not at all."""

from registry.models.entry import Status
from sources.actions.acting import acting, retried


class Outdated(Exception):
    """Somebody else saved the entry meanwhile. `current` is what stands in the database now."""

    def __init__(self, current):
        self.current = current
        super().__init__(f"{current.name} was changed by {current.edited_by or 'somebody else'} meanwhile.")


def may_edit(entry, user):
    """True for a draft's author, and for who manages accounts: somebody must be able to go on with a draft left behind."""
    if entry.status != Status.DRAFT:
        return False
    return entry.created_by_id in (None, user.pk) or user.has_perm("auth.change_user")


@retried
def draft(model, *, by, cited, contexts=(), **fields):
    """A new draft. `cited` holds (passage, stance) pairs in order, `contexts` (subject, role) pairs."""
    with acting(by):
        entry = model.objects.create(created_by=by, edited_by=by, **fields)
        cite(entry, cited)
        _place(entry, contexts)
    return entry


@retried
def edit_draft(entry, changes, *, by, seen_at, cited=None, contexts=None):
    """Changes a draft that the editor saw as of `seen_at`; raises Outdated and saves nothing if it changed since."""
    with acting(by):
        fresh = type(entry).objects.select_for_update().get(pk=entry.pk)
        if fresh.edited_at != seen_at:
            raise Outdated(fresh)
        for field, value in changes.items():
            setattr(fresh, field, value)
        fresh.edited_by = by
        fresh.save(update_fields=[*changes, "edited_by", "edited_at"])
        if cited is not None:
            fresh.citations.all().delete()
            cite(fresh, cited)
        if contexts is not None:
            fresh.contexts.all().delete()
            _place(fresh, contexts)
    return fresh


def cite(entry, cited):
    citation = type(entry).citations.rel.related_model
    citation.objects.bulk_create(
        citation(entry=entry, passage=passage, stance=stance, position=position)
        for position, (passage, stance) in enumerate(cited, start=1)
    )


def _place(entry, contexts):
    if contexts:
        context = type(entry).contexts.rel.related_model
        context.objects.bulk_create(
            context(entry=entry, subject=subject, role=role) for subject, role in contexts
        )
