"""Why a write did not happen, in words for the person at the form."""

from django.db import DataError, IntegrityError, OperationalError

from registry.actions.drafts import Outdated
from registry.errors import sentence
from sources.actions.acting import DEADLOCK_OR_SERIALISATION

LOCK_NOT_AVAILABLE = "55P03"

REFUSALS = (IntegrityError, DataError, OperationalError, Outdated)


def words(error):
    """The sentence for a refusal; raises the error again when it is a fault of ours or the server's."""
    if isinstance(error, IntegrityError):
        return sentence(error)
    if isinstance(error, Outdated):
        return f"{error} Nothing was saved."
    if isinstance(error, DataError):
        return "One of the values is too large or in a form that cannot be kept: check numbers, dates and lengths."
    if getattr(error.__cause__, "sqlstate", None) in {LOCK_NOT_AVAILABLE, *DEADLOCK_OR_SERIALISATION}:
        return "Somebody else is saving this at the moment. Nothing was saved: try again."
    raise error
