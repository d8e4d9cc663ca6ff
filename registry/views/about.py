from datetime import date

from django.conf import settings

from registry.forms.reader import AddressForm
from registry.presentation.looks import STANDINGS, VERDICTS
from registry.presentation.page import HOME, Link, Page, Record
from registry.views.rendering import public_page, render
from sources.clients.limits import AGENT, Limits, agent
from sources.pace import FAILING, LONGEST, LONGEST_WAIT, MOST_BLOCKED, NORMAL

WRITTEN = Record(1, date(2026, 12, 1))  # a new revision and day whenever its words change


@public_page
def link_checker(request):
    """What our robot does at other people's servers, and how to keep it out. Its User-Agent leads here."""
    AddressForm.read(request)
    page = Page(
        "Link checker",
        "The robot that looks whether cited sources still stand: what it asks for, how rarely, and how to keep it out.",
        "/about/link-checker",
        [HOME, Link("Link checker")],
        record=WRITTEN,
        contents=[
            Link("Who it is", "#who"),
            Link("How it behaves", "#manners"),
            Link("What it keeps", "#keeps"),
            Link("How to keep it out", "#out"),
            Link("What it finds", "#verdicts"),
            Link("How a link stands", "#standings"),
        ],
        actions=[Link("Markdown", "/about/link-checker.md")],
    )
    return render(
        request,
        "pages/about/link_checker.html",
        page,
        {
            "name": AGENT,
            "agent": agent(settings.LINKCHECK_ABOUT),
            "interval": f"{settings.LINKCHECK_MIN_INTERVAL:g}",
            "deadline": f"{settings.LINKCHECK_DEADLINE:g}",
            "hops": Limits.max_hops,
            "megabytes": f"{Limits.max_bytes / 1e6:g}",
            "refusals": MOST_BLOCKED,
            "normal": NORMAL.days,
            "longest": LONGEST.days,
            "soonest": round(FAILING[0].total_seconds() / 3600),
            "longest_wait": round(LONGEST_WAIT.total_seconds() / 3600),
            "verdicts": VERDICTS.values(),
            "standings": STANDINGS,
        },
    )
