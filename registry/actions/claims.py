"""Drafting claims, one or many from one source."""

from django.db import IntegrityError

from registry.actions.drafts import Outdated, draft, edit_draft
from registry.models import Claim
from sources.actions.acting import acting, retried
from sources.actions.sources import passage

__all__ = ["Outdated", "RowRefused", "draft_claim", "draft_claims", "edit_draft"]


class RowRefused(Exception):
    """The database refused one row of many, and nothing was saved. `position` counts from 0."""

    def __init__(self, position, error):
        self.position, self.error = position, error
        super().__init__(f"Row {position + 1} was refused: {error}")


def draft_claim(*, by, cited, contexts=(), **fields):
    """A new draft. `cited` holds (passage, stance) pairs in order, `contexts` (subject, role) pairs."""
    return draft(Claim, by=by, cited=cited, contexts=contexts, **fields)


@retried
def draft_claims(source, rows, *, by):
    """Drafts from one source, all or none. A row is (locator, quotation, fields); raises RowRefused for the first bad one."""
    drafts = []
    with acting(by):
        for position, (locator, quotation, fields) in enumerate(rows):
            try:
                cited = [(passage(source, locator, quotation), "supports")]
                drafts.append(draft(Claim, by=by, cited=cited, **fields))
            except IntegrityError as error:
                raise RowRefused(position, error) from error
    return drafts
