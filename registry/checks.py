"""What `manage.py check --deploy` says about this project, beside Django's own list."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, Warning, register

from sources.reach import limits


@register(Tags.security, deploy=True)
def two_database_roles(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Warn where web requests run as the role that owns the tables: it could switch the rules off."""
    if settings.DATABASES["default"]["USER"] != settings.DATABASES["owner"]["USER"]:
        return []
    return [
        Warning(
            "Web requests and migrations use one database role.",
            hint="Give DATABASE_OWNER_URL the role that owns the tables, and DATABASE_URL one that owns nothing; "
            "`manage.py migrate` gives it its rights.",
            id="registry.W001",
        )
    ]


@register(Tags.security, deploy=True)
def broker_is_named(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Warn where no broker is named: pages work, but nothing periodic does."""
    if settings.CELERY_BROKER_URL:
        return []
    return [
        Warning(
            "No broker is named, so no periodic work runs: links are not looked at, the log is not verified.",
            hint="Set CELERY_BROKER_URL, for example to redis://host:6379/0.",
            id="registry.W002",
        )
    ]


@register(Tags.security, deploy=True)
def link_reach(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Print what looks at links may reach beside the public web, and warn of a pause that no host would call polite."""
    found: list[CheckMessage] = []
    reach = limits()
    if reach.networks:
        found.append(
            Warning(
                f"Looks at links may reach these networks that are not public: {', '.join(map(str, reach.networks))}.",
                hint="Whoever adds a source can make it ask there. Blank LINKCHECK_ALLOWED_NETWORKS unless that is wanted.",
                id="registry.W003",
            )
        )
    if reach.min_interval < 1:
        found.append(
            Warning(
                f"Requests to one host follow each other after {reach.min_interval:g} s.",
                hint="Set LINKCHECK_MIN_INTERVAL to 1 or more on the public web.",
                id="registry.W004",
            )
        )
    ports = ", ".join(map(str, sorted(reach.ports)))
    found.append(Info(f"Looks at links reach the public web on the ports {ports}.", id="registry.I001"))
    return found
