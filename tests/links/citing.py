"""Sources at loopback addresses, which no editor could give, and the passage of time for their links."""

import datetime as dt
from collections.abc import Iterable

from django.utils import timezone

from sources.actions.link_rows import add_links
from sources.models import Host, Link, LinkCheck, PassageCheck, PassageLook, Source
from tests.factories.numbers import unique

WEB = {"kind": "datasheet", "attribution_role": "maker", "link_kind": "floating", "date_basis": "not stated"}


def cite(*urls: str, **fields: object) -> list[Source]:
    """A source for each address, its link due now."""
    sources = Source.objects.bulk_create(
        Source(**{**WEB, "key": unique("cited"), "title": "A document", "url": url, "work_id": f"url:{url}", **fields})
        for url in urls
    )  # fmt: skip
    add_links(sources)
    return sources


def link_of(source: Source) -> Link:
    """The link of a source as the database has it now."""
    return Link.objects.select_related("last_check", "host").get(pk=source.pk)


def rows_of(source: Source) -> list[LinkCheck]:
    """The history of a source's looks, oldest first."""
    return list(LinkCheck.objects.filter(source=source).order_by("id"))


def make_due(*sources: Source) -> None:
    """Let the time of the next look come, of all links where none is named; hosts that asked for a pause keep it."""
    links = Link.objects.filter(pk__in=[one.pk for one in sources]) if sources else Link.objects.all()
    links.update(due_at=timezone.now())


def free_hosts(*names: str) -> None:
    """Let the pauses end that hosts asked for."""
    hosts = Host.objects.filter(pk__in=names) if names else Host.objects.all()
    hosts.update(free_at=timezone.now())


def pass_days(source: Source, days: float) -> None:
    """Let days go by for a link: all it remembers is so much older, and its next look is due."""
    link, past = Link.objects.get(pk=source.pk), dt.timedelta(days=days)
    for name in ("since", "last_good_at", "failing_since", "first_equal_look_at", "last_equal_look_at"):
        moment = getattr(link, name)
        setattr(link, name, moment - past if moment else None)
    for name in ("misses", "gone_misses", "blocked"):
        setattr(link, name, [moment - past for moment in getattr(link, name)])
    link.due_at = timezone.now()
    link.save()


def facts() -> dict[str, list[tuple[object, ...]]]:
    """Everything that looks may write and readers or editors may see; not the times of the next looks."""
    kept: Iterable[str] = (
        "source_id", "state", "since", "last_good_at", "moved_to", "misses", "gone_misses", "failing_since", "failures",
        "blocked", "seen", "offered", "accepted", "last_check_id", "first_equal_look_at", "last_equal_look_at", "equal_looks",
    )  # fmt: skip
    return {
        "links": list(Link.objects.order_by("pk").values_list(*kept)),
        "checks": list(LinkCheck.objects.order_by("pk").values_list()),
        "passages": list(PassageLook.objects.order_by("pk").values_list()),
        "passage checks": list(PassageCheck.objects.order_by("pk").values_list()),
    }
