"""Look at one address once and say what came of it; nothing is stored."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from sources.clients.exchange import Exchange, Failure
from sources.clients.manners import Manners
from sources.clients.robots import RobotsCache
from sources.clients.targets import masked
from sources.clients.web import fetch
from sources.reach import limits
from sources.verdicts import verdict


class Command(BaseCommand):
    help = (
        "Looks at an address as the link checker does, robots.txt and pauses included, without touching the database. "
        "Prints one JSON object: outcome, reason, hops, status, final_url."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address."""
        parser.add_argument("url", help="the address, as it would be cited")

    def handle(self, *args: Any, url: str, **options: Any) -> None:
        """Look, judge, print."""
        reach = limits()
        look = fetch(url, reach, admit=Manners(reach, RobotsCache()).admit)
        self.stdout.write(json.dumps(described(look), indent=2))


def described(look: Exchange | Failure) -> dict[str, Any]:
    """A look and its verdict as plain data; never with a body, a resolved address or credentials."""
    judged = verdict(look)
    return {
        "outcome": judged.outcome,
        "reason": judged.reason,
        "hops": [asdict(hop) for hop in look.hops],
        "status": look.status,
        "final_url": masked(look.final_url),
        "retry_after": look.retry_after,
        "seconds": look.elapsed,
    }
