"""What `manage.py check --deploy` says about this project, beside Django's own list."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


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
