"""Drafting and editing claims."""

from registry.models import Claim, ClaimCitation, ClaimContext
from sources.actions.acting import acting, retried


class Outdated(Exception):
    """Somebody else saved the draft meanwhile. `current` is what stands in the database now."""

    def __init__(self, current):
        self.current = current
        super().__init__(f"{current.name} was changed by {current.edited_by or 'somebody else'} meanwhile.")


@retried
def draft_claim(*, by, cited, contexts=(), **fields):
    """A new draft. `cited` holds (passage, stance) pairs in order, `contexts` (subject, role) pairs."""
    with acting(by):
        claim = Claim.objects.create(created_by=by, edited_by=by, **fields)
        _cite(claim, cited, contexts)
    return claim


@retried
def edit_draft(claim, changes, *, by, seen_at, cited=None, contexts=None):
    """Changes a draft that the editor saw as of `seen_at`; raises Outdated and saves nothing if it changed since."""
    with acting(by):
        fresh = Claim.objects.select_for_update().get(pk=claim.pk)
        if fresh.edited_at != seen_at:
            raise Outdated(fresh)
        for field, value in changes.items():
            setattr(fresh, field, value)
        fresh.edited_by = by
        fresh.save(update_fields=[*changes, "edited_by", "edited_at"])
        if cited is not None:
            fresh.citations.all().delete()
            _cite(fresh, cited, ())
        if contexts is not None:
            fresh.contexts.all().delete()
            _cite(fresh, (), contexts)
    return fresh


def _cite(claim, cited, contexts):
    ClaimCitation.objects.bulk_create(
        ClaimCitation(entry=claim, passage=passage, stance=stance, position=position)
        for position, (passage, stance) in enumerate(cited, start=1)
    )
    ClaimContext.objects.bulk_create(
        ClaimContext(entry=claim, subject=subject, role=role) for subject, role in contexts
    )
