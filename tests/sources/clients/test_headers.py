"""Retry-After in both forms, types, and refreshes; hostile values included."""

import datetime as dt
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.clients.headers import media_type, meta_refresh_target, refresh_target, retry_after

NOW = dt.datetime(2026, 3, 4, 5, 6, 7, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("86401", 86_400),
        ("9" * 5000, 86_400),
        ("Wed, 04 Mar 2026 05:08:07 GMT", 120),
        ("Wednesday, 04-Mar-26 05:08:07 GMT", 120),
        ("Wed Mar  4 05:08:07 2026", 120),
        ("Wed, 04 Mar 2026 07:08:07 +0200", 120),
        ("Wed, 04 Mar 2026 05:06:00 GMT", 0),
        ("Fri, 01 Jan 2100 00:00:00 GMT", 86_400),
        ("", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("soon", None),
        ("Wed, 99 Mar 2026 05:08:07 GMT", None),
        ("Wed, 04 Mar 99999 05:08:07 GMT", None),
    ],
)
def test_retry_after_becomes_seconds(value, seconds):
    assert retry_after(value, NOW) == seconds


def test_a_date_between_two_seconds_is_never_too_soon():
    assert retry_after("Wed, 04 Mar 2026 05:08:07 GMT", NOW + dt.timedelta(milliseconds=300)) == 120


@given(st.text(max_size=60))
def test_any_retry_after_is_understood_or_ignored(value):
    wait = retry_after(value, NOW)
    assert wait is None or 0 <= wait <= 86_400


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text/html; charset=UTF-8", ("text/html", "utf-8")),
        ("TEXT/HTML;charset='x'", ("text/html", "x")),
        ("application/pdf", ("application/pdf", "")),
        ("", ("", "")),
        ("nonsense", ("", "")),
        ("a/b" * 1000, ("", "")),
        ("text/html, text/plain", ("", "")),
    ],
)
def test_types_are_read(value, expected):
    assert media_type(value) == expected


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("0; url=/new", "/new"),
        ("0;URL='/new'", "/new"),
        ('5 ; url = "/new"', "/new"),
        ("0, /new", "/new"),
        ("0.5; url=/new", "/new"),
        ("6; url=/new", ""),
        ("0", ""),
        ("0; url=", ""),
        ("; url=/new", ""),
        ("soon; url=/new", ""),
    ],
)
def test_refreshes_are_read(value, address):
    assert refresh_target(value) == address


@pytest.mark.parametrize(
    "piece",
    ["<meta http-equiv=refresh ", "<!--", "<!", "<meta http-equiv=refresh><", "<noscript>", "&#", "</"],
)
def test_hostile_markup_is_read_soon(piece):
    began = time.perf_counter()
    meta_refresh_target("<meta http-equiv=refresh>" + piece * (300_000 // len(piece)))
    assert time.perf_counter() - began < 1.0
