"""How links come into being, and start anew where a source is cited at another address."""

import datetime as dt
import hashlib
from collections.abc import Iterable

from django.utils import timezone

from sources.clients.targets import host_of
from sources.models import Host, Link

IMPORT_SPREAD = dt.timedelta(days=1)  # over which the first looks at many new sources are spread


def add_links(sources: Iterable, spread: dt.timedelta = dt.timedelta(0)) -> None:
    """Give each new source its link, due within `spread`: by its key, so that the same import spreads the same way."""
    sources = list(sources)
    hosts = {source.pk: host_of(source.url)[:255] for source in sources}
    Host.objects.bulk_create((Host(name=name) for name in sorted(set(hosts.values()))), ignore_conflicts=True)
    now = timezone.now()
    Link.objects.bulk_create(
        Link(source=source, host_id=hosts[source.pk], due_at=now + spread * _share(source.key))
        for source in sources
    )


def _share(key: str) -> float:
    """A number from 0 to 1 that a key always has."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4]) / 2**32


def start_anew(source) -> None:
    """Forget what was known of a source's former address; the history of looks keeps it. Due at once."""
    link = Link.objects.select_for_update().get(pk=source.pk)
    host = host_of(source.url)[:255]
    Host.objects.bulk_create([Host(name=host)], ignore_conflicts=True)
    fresh = Link(
        source=source,
        host_id=host,
        due_at=timezone.now(),
        first_equal_look_at=link.first_equal_look_at,
        last_equal_look_at=link.last_equal_look_at,
        equal_looks=link.equal_looks,
    )
    # A look at the former address that is under way finds its lease gone.
    fresh.save(force_update=True)
