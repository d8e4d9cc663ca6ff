"""What `check --deploy` tells an operator, and what the settings promise."""

import subprocess
import sys

import pytest
from django.conf import LazySettings, settings
from django.test import Client

from registry import checks


def test_one_role_for_everything_is_a_warning_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.two_database_roles(None) == []
    monkeypatch.setitem(settings.DATABASES["owner"], "USER", settings.DATABASES["default"]["USER"])
    (warning,) = checks.two_database_roles(None)
    assert "DATABASE_OWNER_URL" in str(warning.hint)


def test_no_broker_is_a_warning_with_the_remedy(settings: LazySettings) -> None:
    assert checks.broker_is_named(None) == []
    settings.CELERY_BROKER_URL = ""
    (warning,) = checks.broker_is_named(None)
    assert "CELERY_BROKER_URL" in str(warning.hint)


def test_check_deploy_prints_what_looks_at_links_may_reach(settings: LazySettings) -> None:
    settings.LINKCHECK_ALLOWED_NETWORKS, settings.LINKCHECK_MIN_INTERVAL = ["10.1.0.0/16"], 0.1
    networks, interval, ports = checks.link_reach(None)
    assert "10.1.0.0/16" in networks.msg
    assert "0.1 s" in interval.msg
    assert "80, 443, 8080, 8443" in ports.msg
    settings.LINKCHECK_ALLOWED_NETWORKS, settings.LINKCHECK_MIN_INTERVAL = [], 1.0
    assert [message.id for message in checks.link_reach(None)] == ["registry.I001"]


@pytest.mark.django_db
def test_every_answer_carries_the_strict_policy(client: Client) -> None:
    policy = dict(
        part.strip().split(" ", 1)
        for part in client.get("/admin/login/")["Content-Security-Policy"].split(";")
        if part
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "font-src": "'self'",
        "connect-src": "'self'",
        "form-action": "'self'",
        "img-src": "'self' data:",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
    }


def test_passwords_are_kept_as_argon2() -> None:
    assert settings.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")


def test_web_requests_end_after_three_seconds_and_commands_do_not() -> None:
    assert settings.STATEMENT_TIMEOUT == 0
    assert "lock_timeout=5000" in settings.DATABASES["default"]["OPTIONS"]["options"]
    assert "idle_in_transaction" not in settings.DATABASES["default"]["OPTIONS"]["options"]


def test_a_web_request_does_not_hold_its_transaction_open_for_ever() -> None:
    """Of the web role alone, and in web processes alone: wsgi.py names the limit, commands do not."""
    program = "import registry.wsgi; from django.db import connections as c\nfor a in ('default', 'owner'):\n"
    program += "  print(c[a].settings_dict['OPTIONS']['options'])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "-c lock_timeout=5000 -c statement_timeout=3000 -c idle_in_transaction_session_timeout=30000",
        "-c lock_timeout=5000 -c statement_timeout=3000",
    ]
