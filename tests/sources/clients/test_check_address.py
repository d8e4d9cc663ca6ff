"""`manage.py check_address`: one look, one JSON object, no database (these tests have none)."""

import json
from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from sources.verdicts import ANSWERED


@pytest.fixture(autouse=True)
def _reach(settings, farm):
    settings.LINKCHECK_ALLOWED_NETWORKS = ["127.0.0.0/16"]
    settings.LINKCHECK_ALLOWED_PORTS = [str(farm.port)]
    settings.LINKCHECK_MIN_INTERVAL = 0.0
    settings.LINKCHECK_DEADLINE = 3.0


def told(url):
    out = StringIO()
    call_command("check_address", url, stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.parametrize(
    ("name", "outcome", "status"),
    [
        ("plain", "ok", 200),
        ("not-found", "broken", 404),
        ("gone", "gone", 410),
        ("moved-301", "moved", 200),
        ("found-302", "redirected", 200),
        ("forbidden", "blocked", 403),
        ("hop-to-private", "unsafe", 302),
        ("refused", "failing", None),
        ("scheme-mailto", "unsupported", None),
        ("robots-disallow", "blocked", None),
        ("limited-seconds", "rate_limited", 429),
    ],
)
def test_one_look_is_told_as_json(name, outcome, status, farm):
    found = told(farm.url(farm.behaviours[name], "command"))
    assert (found["outcome"], found["status"]) == (outcome, status)
    assert found["reason"].endswith(".")
    assert set(found) >= {"outcome", "reason", "hops", "status", "final_url"}
    if outcome in ANSWERED:
        assert found["hops"][-1]["url"] == found["final_url"]


def test_credentials_are_not_shown(farm):
    found = told(farm.url(farm.behaviours["credentials-in-url"], "command"))
    assert found["outcome"] == "unsafe"
    assert "s3cret" not in json.dumps(found)


def test_half_a_character_is_refused_in_words(farm):
    assert told("http://example.org/\udcff")["outcome"] == "unsafe"


@pytest.mark.parametrize(("name", "value"), [("NETWORKS", ["127.0.0.1/8"]), ("PORTS", ["http"])])
def test_a_setting_that_makes_no_sense_is_named(name, value, settings):
    setattr(settings, f"LINKCHECK_ALLOWED_{name}", value)
    with pytest.raises(ImproperlyConfigured, match=f"LINKCHECK_ALLOWED_{name}: “"):
        told("http://example.org/")
