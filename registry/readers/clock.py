"""Unix time as files write it."""

from datetime import UTC, datetime
from decimal import Decimal

LATEST = 4_102_444_800  # 2100 in unix seconds; beyond it stand other units, not dates


def instant(seconds: Decimal | None) -> str | None:
    """Unix seconds as ISO 8601 in UTC, to the second."""
    if seconds is None or not 0 < seconds < LATEST:
        return None
    return datetime.fromtimestamp(int(seconds), UTC).isoformat()
