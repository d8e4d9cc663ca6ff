"""Looks at a source as a worker writes them down, from answers that a test makes up; leased, judged and recorded for real."""

import datetime as dt
from contextlib import ExitStack

import time_machine
from django.utils import timezone

from sources.actions.looks import record
from sources.actions.queue import claim
from sources.clients.exchange import Exchange, Failure, Hop
from sources.look import Found
from sources.models import Host, Link
from sources.passages import prepare, standing_of
from sources.verdicts import ANSWERED, text_of, verdict

LEASE = dt.timedelta(minutes=5)
PAST = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
PAGE = "<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{words}</p>{filling}</body></html>"
FILLING = "".join(
    f"<p>Paragraph {word} of the sheet describes the board, its cooling and its connectors.</p>"
    for word in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
)


def look(source, answer, *, days_ago=0):
    """One look at a source that brought this answer."""
    Link.objects.filter(pk=source.pk).update(due_at=PAST, lost_leases=0)
    Host.objects.update(free_at=PAST)
    with ExitStack() as stack:
        if days_ago:
            then = timezone.now() - dt.timedelta(days=days_ago)
            stack.enter_context(time_machine.travel(then, tick=False))
        (turn,) = claim(1, LEASE, only=[source.pk])
        read = text_of(answer) if isinstance(answer, Exchange) and answer.status == 200 else None
        judged = verdict(answer, turn.title, turn.seen, read)
        stand = ()
        if read is not None and judged.outcome in ANSWERED:
            ready = prepare(read)
            stand = tuple((w.id, standing_of(w.words, w.locator, ready, w.anchor)) for w in turn.passages)
        record([Found(turn, answer, judged, stand)], dt.timedelta(0))
    return link_of(source)


def link_of(source):
    return Link.objects.select_related("last_check", "source").get(pk=source.pk)


def page(source, words="", filling=FILLING):
    """The page of a source, with these words in it."""
    text = PAGE.format(title=source.title, words=words, filling=filling)
    return Exchange(
        source.url, (Hop(source.url, 200),), 200, content_type="text/html", text=text, body=text.encode()
    )


def moved(source, to, words="", status=301):
    """The same page, at another address."""
    text = PAGE.format(title=source.title, words=words, filling=FILLING)
    hops = (Hop(source.url, status, to, "http"), Hop(to, 200))
    return Exchange(source.url, hops, 200, content_type="text/html", text=text, body=text.encode())


def status(source, number):
    """An answer with nothing but a status."""
    return Exchange(source.url, (Hop(source.url, number),), number)


def failure(source, kind="timeout", reason="No answer within 30 seconds."):
    """No answer at all."""
    return Failure(source.url, kind, reason)


def break_link(source):
    """Three looks that found nothing, days apart."""
    for days in (9, 5, 1):
        link = look(source, status(source, 404), days_ago=days)
    return link


def change_number(source, before="It draws 700 W at most.", after="It draws 750 W at most."):
    """A look that finds the words, and one that finds another number in their place."""
    look(source, page(source, before), days_ago=9)
    return look(source, page(source, after))


def park(source):
    """Leases that no look ever came back from."""
    for _ in range(5):
        Link.objects.filter(pk=source.pk).update(due_at=PAST, lease_until=None)
        Host.objects.update(free_at=PAST, lease_until=None)
        claim(1, LEASE, only=[source.pk])
    Link.objects.filter(pk=source.pk).update(lease_until=None)
    Host.objects.update(lease_until=None)
    return link_of(source)
