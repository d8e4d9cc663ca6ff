"""The lease queue: whose turn it is to be looked at. The truth stands in the tables; workers come, die and come again.

A claim leases one due link and the turn of its host under one token, in one statement. What is finished counts only
under the token of a live lease, so a worker that was paused or killed loses its look and never spoils another's.
The clock is the database's: several machines agree on it.
"""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from sources.clients.exchange import Condition
from sources.look import Turn, Wanted
from sources.models import Host, Link, Passage
from sources.models.link import MOST_LOST_LEASES
from sources.passages import Anchor
from sources.verdicts import Seen

_DUE = """link.due_at <= now() AND (link.lease_until IS NULL OR link.lease_until <= now())
          AND link.lost_leases < %(most_lost)s AND (%(only)s::bigint[] IS NULL OR link.source_id = ANY(%(only)s))"""
_FREE = "host.free_at <= now() AND (host.lease_until IS NULL OR host.lease_until <= now())"
_CLAIM = f"""
WITH free AS MATERIALIZED (
  SELECT host.name FROM sources_host host
  WHERE {_FREE} AND EXISTS (SELECT FROM sources_link link WHERE link.host_id = host.name AND {_DUE})
  ORDER BY host.free_at LIMIT %(most)s FOR NO KEY UPDATE SKIP LOCKED
), chosen AS MATERIALIZED (
  SELECT free.name, link.source_id, gen_random_uuid() AS token
  FROM free CROSS JOIN LATERAL (
    SELECT link.source_id FROM sources_link link WHERE link.host_id = free.name AND {_DUE}
    ORDER BY link.due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ) link
), held AS (
  UPDATE sources_host host SET lease_until = now() + %(lease)s, lease_token = chosen.token
  FROM chosen WHERE host.name = chosen.name
)
UPDATE sources_link link
SET lease_until = now() + %(lease)s, lease_token = chosen.token, lost_leases = link.lost_leases + 1,
    -- Lost more than once, links come back apart from each other: the one that kills its workers then meets other ones.
    due_at = CASE WHEN link.lost_leases = 0 THEN link.due_at
             ELSE now() + %(lease)s * (1 + random() * power(2, link.lost_leases)) END
FROM chosen WHERE link.source_id = chosen.source_id
RETURNING link.source_id, link.lease_token
"""
# Nobody knows when somebody else's look at a host ends: it may be any moment, long before its lease does.
_WAIT = """
SELECT extract(epoch FROM min(greatest(
  host.free_at, coalesce(link.lease_until, '-infinity'), now(),
  CASE WHEN host.lease_until > now() + interval '0.1 s' AND NOT host.lease_token = ANY(%(mine)s)
       THEN now() + interval '0.1 s' ELSE host.lease_until END
)) - now())
FROM sources_link link JOIN sources_host host ON host.name = link.host_id
WHERE link.due_at <= now() AND link.lost_leases < %(most_lost)s
  AND (%(only)s::bigint[] IS NULL OR link.source_id = ANY(%(only)s))
"""
_LEAVE_OTHERS = """
UPDATE sources_host SET lease_until = NULL, lease_token = NULL, free_at = greatest(free_at, now() + %(interval)s)
WHERE lease_token = %(token)s AND name <> %(host)s
"""
_TAKE = """
INSERT INTO sources_host AS host (name, free_at, limits, lease_until, lease_token)
VALUES (%(host)s, now(), 0, now() + %(lease)s, %(token)s)
ON CONFLICT (name) DO UPDATE SET lease_until = excluded.lease_until, lease_token = excluded.lease_token
WHERE host.lease_token = excluded.lease_token
   OR (host.free_at <= now() AND (host.lease_until IS NULL OR host.lease_until <= now()))
RETURNING true
"""
_GIVE_BACK = """
UPDATE sources_host SET lease_until = NULL, lease_token = NULL, free_at = greatest(free_at, now() + %(interval)s)
WHERE lease_token = ANY(%(tokens)s)
"""
_LEAVE_ALONE = """
INSERT INTO sources_host AS host (name, free_at, limits)
SELECT name, now() + wait, silent::int FROM unnest(%(hosts)s::text[], %(waits)s::interval[], %(silent)s::bool[])
  AS asked(name, wait, silent) ORDER BY name
ON CONFLICT (name) DO UPDATE SET free_at = greatest(host.free_at, excluded.free_at),
  limits = least(host.limits + excluded.limits, 30)
"""


def claim(most: int, lease: dt.timedelta, only: Sequence[int] | None = None) -> list[Turn]:
    """Lease up to `most` due links, each of another host whose turn is free; the longest free host first."""
    asked: dict[str, Any] = {"most": most, "lease": lease, "only": only, "most_lost": MOST_LOST_LEASES}
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_CLAIM, asked)
            claimed = dict(cursor.fetchall())
        return _turns(claimed) if claimed else []


def wait(only: Sequence[int] | None = None, mine: Sequence[uuid.UUID] = ()) -> float | None:
    """Seconds until a link that is due might be claimed; None where none is due.

    Hosts whose turn is held under a token of `mine` are held until the lease ends, those of others may be free soon.
    """
    asked: dict[str, Any] = {"only": only, "mine": list(mine), "most_lost": MOST_LOST_LEASES}
    with connection.cursor() as cursor:
        cursor.execute(_WAIT, asked)
        (seconds,) = cursor.fetchone()
    return None if seconds is None else float(seconds)


def take_host(host: str, token: uuid.UUID, lease: dt.timedelta, interval: dt.timedelta) -> bool:
    """Give back the turn held under the token and take that of another host, if it is free now.

    In two transactions: in one, two looks that want each other's hosts would wait for each other.
    """
    asked: dict[str, Any] = {"host": host[:255], "token": token, "lease": lease, "interval": interval}
    with connection.cursor() as cursor:
        cursor.execute(_LEAVE_OTHERS, asked)
        cursor.execute(_TAKE, asked)
        return cursor.fetchone() is not None


def give_back(tokens: Sequence[uuid.UUID], interval: dt.timedelta) -> None:
    """End the turns of hosts held under these tokens; nobody asks them before `interval` has passed."""
    with connection.cursor() as cursor:
        asked: dict[str, Any] = {"tokens": list(tokens), "interval": interval}
        cursor.execute(_GIVE_BACK, asked)


def leave_alone(pauses: Mapping[str, dt.timedelta], silent: Collection[str]) -> None:
    """Let nobody ask these hosts before their pauses have passed, because they asked for that; `silent` did not say how long."""
    asked: dict[str, Any] = {
        "hosts": list(pauses),
        "waits": list(pauses.values()),
        "silent": [host in silent for host in pauses],
    }
    with connection.cursor() as cursor:
        cursor.execute(_LEAVE_ALONE, asked)


def times_silent(hosts: Collection[str]) -> dict[str, int]:
    """How often in a row each host asked to be left alone without saying how long."""
    return dict(Host.objects.filter(pk__in=hosts).values_list("pk", "limits"))


def forgive(hosts: Collection[str]) -> None:
    """Forget how often these hosts asked to be left alone: they answer again."""
    Host.objects.filter(pk__in=hosts, limits__gt=0).update(limits=0)


def forget_hosts() -> int:
    """Remove hosts that no link belongs to and nobody has to wait for; returns how many."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    unused = Host.objects.filter(free, links__isnull=True, free_at__lt=Now() - dt.timedelta(days=1))
    return unused.delete()[0]


def _turns(claimed: dict[int, uuid.UUID]) -> list[Turn]:
    # Plain values: sources and links have many columns, and most of a look's cost here was making objects of them.
    wanted = defaultdict(list)
    passages = Passage.objects.filter(source__in=claimed).exclude(quotation="").order_by("pk")
    cited = passages.values_list("source_id", "pk", "quotation", "locator", "look__anchor")
    for source, passage, quotation, locator, anchor in cited:
        wanted[source].append(_wanted(passage, quotation, locator, anchor))
    links = Link.objects.filter(pk__in=claimed).values_list(*_TURN)
    return [_turn(link, claimed[link[0]], tuple(wanted[link[0]])) for link in links]


_TURN = (
    "source_id", "source__url", "source__title", "host_id",
    "seen", "etag", "last_modified", "validated_url", "failing_since", "misses",
)  # fmt: skip


def _turn(link: tuple[Any, ...], token: uuid.UUID, wanted: tuple[Wanted, ...]) -> Turn:
    source, url, title, host, seen, etag, last_modified, validated_url, failing_since, misses = link
    condition = None
    # A "not modified" answers for the passages only where the last look found every one of them.
    if seen and (etag or last_modified) and all(each.anchor for each in wanted):
        condition = Condition(etag, last_modified, validated_url)
    return Turn(
        source,
        token,
        url,
        title,
        host,
        condition,
        Seen(**seen) if seen else None,
        bool(failing_since or misses),
        wanted,
    )


def _wanted(passage: int, quotation: str, locator: str, kept: Any) -> Wanted:
    anchor = None
    if kept:
        anchor = Anchor(kept["heading"], tuple((before, after) for before, after in kept["around"]))
    return Wanted(passage, quotation, locator, anchor)
