"""Result files between upload and import. One a person, for a day: storage is bounded by the number of editors."""

import hashlib
import re
import zlib
from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone

from registry.models import Upload

KEPT = timedelta(days=1)


def keep(data: bytes, name: str, *, by) -> str:
    """Keep a file in place of the person's last one, and give back its SHA-256."""
    now = timezone.now()
    upload = Upload(
        by=by,
        sha256=hashlib.sha256(data).hexdigest(),
        name=re.split(r"[\\/]", name)[-1][:200] or "unnamed",
        content=zlib.compress(data, 1),
        at=now,
    )
    with transaction.atomic(), connection.cursor() as cursor:
        # Writing 50 MB may take longer than a web request's other statements may.
        cursor.execute("SELECT set_config('statement_timeout', '30s', true)")
        Upload.objects.bulk_create(
            [upload],
            update_conflicts=True,
            unique_fields=["by"],
            update_fields=["sha256", "name", "content", "at"],
        )
    return upload.sha256


def kept(sha256: str, *, by) -> tuple[bytes, str] | None:
    """The content and the name of the file this very person uploaded within the day; None for any other."""
    upload = Upload.objects.filter(by=by, sha256=sha256, at__gte=timezone.now() - KEPT).first()
    return (zlib.decompress(upload.content), upload.name) if upload else None


def forget_old() -> int:
    """Delete every file whose day is over; returns how many."""
    return Upload.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]


def forget(sha256: str, *, by) -> None:
    """Delete what was kept of a file."""
    Upload.objects.filter(by=by, sha256=sha256).delete()
