"""Drafting reproductions. They are edited with registry.actions.drafts.edit_draft."""

from registry.actions.drafts import draft
from registry.models import Reproduction


def draft_reproduction(*, by, cited, **fields):
    """A new draft. `cited` holds (passage, stance) pairs in order."""
    return draft(Reproduction, by=by, cited=cited, **fields)
