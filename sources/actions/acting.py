from contextlib import contextmanager
from functools import wraps

from django.db import OperationalError, connection, transaction

DEADLOCK_OR_SERIALISATION = {"40P01", "40001"}


@contextmanager
def acting(user, note=""):
    """One transaction in which the database's history knows who acts (None: a command) and why."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('registry.user_id', %s, true), set_config('registry.change_note', %s, true)",
            [str(user.pk) if user else "", note],
        )
        yield


def retried(action):
    """Runs an action once more when two editors' transactions met in a deadlock; inside a caller's transaction it cannot."""

    @wraps(action)
    def once_more(*args, **kwargs):
        try:
            return action(*args, **kwargs)
        except OperationalError as error:
            sqlstate = getattr(error.__cause__, "sqlstate", None)
            if sqlstate not in DEADLOCK_OR_SERIALISATION or connection.in_atomic_block:
                raise
            return action(*args, **kwargs)

    return once_more
