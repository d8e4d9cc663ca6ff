"""How often a password may be tried. The count stands in the database, so it holds for any number of processes."""

import math
from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone

from registry.models import LoginFailure

WINDOW = timedelta(minutes=15)
KEPT = timedelta(days=1)
OF_ONE_ACCOUNT = 5  # wrong passwords in a window, from one address
OF_ALL_ACCOUNTS = 30  # the same, whatever the account


def begin_try(account, address):
    """Counts a try as failed until `succeed` takes it back, so that many at once cannot slip through together.

    Gives back 0; or, once there were too many, the seconds until the next try is heard. Such a try is not counted, so
    nobody keeps anybody out for longer than a window. What is older than a day is deleted.
    """
    now = timezone.now()
    with transaction.atomic():
        # One after the other for each address: counting and adding are one step.
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended('login from ' || %s, 0))", [address]
            )
        recent = LoginFailure.objects.filter(address=address, at__gt=now - WINDOW)
        wait = max(
            _wait(recent.filter(account=_key(account)), OF_ONE_ACCOUNT, now),
            _wait(recent, OF_ALL_ACCOUNTS, now),
        )
        if not wait:
            LoginFailure.objects.filter(at__lt=now - KEPT).delete()
            LoginFailure.objects.create(account=_key(account), address=address, at=now)
    return wait


def succeed(account, address):
    """Forgets the failures of an account from an address: the password was right."""
    LoginFailure.objects.filter(account=_key(account), address=address).delete()


def _key(account):
    return account.lower()[:150]


def _wait(failures, allowed, now):
    """Seconds until fewer than `allowed` of the failures lie in the window; 0 where that is so already."""
    # The last of those that count: when it leaves the window, one place is free.
    last = failures.order_by("-at").values_list("at", flat=True)[allowed - 1 : allowed].first()
    return max(1, math.ceil((last + WINDOW - now).total_seconds())) if last else 0
