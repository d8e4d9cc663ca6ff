"""What headers mean: when to come back, where a page sends on to, what type a body has."""

import datetime as dt
import math
import re
from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from html.parser import HTMLParser

A_DAY = 86_400  # seconds
_SOON = 5  # seconds: a page that sends on later than that is meant to be read
_LONGEST = 4096  # characters kept of one header
_REFRESH = re.compile(r"\s*([0-9]{1,6})(?:\.[0-9]*)?\s*[;,]\s*(.*)", re.DOTALL)
_MENTIONS_REFRESH = re.compile(r"http-equiv\s*=\s*[\"']?\s*refresh", re.I)
_HEAD = 65_536  # characters in which a meta element is looked for
_NEVER_KEPT = {"set-cookie", "set-cookie2"}


def retry_after(value: str, now: dt.datetime) -> int | None:
    """Seconds until one may come back, 0 to a day, from a number or a date; None where it says nothing sensible."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(int(value[:9]), A_DAY)
    try:
        moment = parsedate_to_datetime(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
        wait = (moment - now).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None
    return math.ceil(min(max(wait, 0), A_DAY))  # never a moment too soon


def kept(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers as they may be stored: names in lower case, values cut and free of control characters, no cookies."""
    found: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()[:100]
        if name not in _NEVER_KEPT:
            clean = re.sub("[\x00-\x1f\x7f]+", " ", value).strip()[:_LONGEST]
            found[name] = f"{found[name]}, {clean}"[:_LONGEST] if name in found else clean
    return found


def media_type(value: str) -> tuple[str, str]:
    """Type and charset of a Content-Type, both in lower case, "" where not stated."""
    kind, _, parameters = value.partition(";")
    charset = re.search(r"charset\s*=\s*[\"']?\s*([\w.:+-]{1,40})", parameters, re.I)
    kind = kind.strip().lower()
    return kind if re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,100}", kind) else "", charset[
        1
    ].lower() if charset else ""


def utf8(value: str) -> str:
    """A header as its sender meant it: read as Latin-1 by the rules, but written in UTF-8 by many."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def refresh_target(value: str) -> str:
    """The address a Refresh value sends on to within a few seconds, "" for none."""
    found = _REFRESH.fullmatch(value)
    if not found or int(found[1]) > _SOON:
        return ""
    address = re.sub(r"^url\s*=\s*", "", found[2], flags=re.I)
    return address.strip().strip("\"'").strip()


def meta_refresh_target(text: str) -> str:
    """The address that a page's meta element sends on to within a few seconds, "" for none."""
    beginning = text[:_HEAD]
    if not _MENTIONS_REFRESH.search(beginning):
        return ""
    reader = _RefreshReader()
    reader.feed(beginning)
    return reader.target


class _RefreshReader(HTMLParser):
    """Finds the first meta refresh that counts for readers with scripts: not one in noscript, script or a comment."""

    def __init__(self) -> None:
        super().__init__()
        self.target = ""
        self._aside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the target of a meta refresh."""
        if tag in ("noscript", "template"):
            self._aside += 1
        elif tag == "meta" and not self._aside and not self.target:
            values = {name: value or "" for name, value in attrs}
            if values.get("http-equiv", "").strip().lower() == "refresh":
                self.target = refresh_target(values.get("content", ""))

    def handle_endtag(self, tag: str) -> None:
        """Leave what is not for readers with scripts."""
        if tag in ("noscript", "template"):
            self._aside = max(0, self._aside - 1)
