"""What stands in the log: one line for each refusal, a traceback for what failed."""

import logging

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.test import Client
from django.utils.log import log_response

from registry.settings import LOGGING
from tests import factories


@pytest.fixture
def formatter():
    options = LOGGING["formatters"]["line"]
    handler = next(h for h in logging.getLogger().handlers if type(h) is logging.StreamHandler)
    assert type(handler.formatter).__name__ in options["()"]
    return handler.formatter


@pytest.mark.django_db
def test_a_refusal_of_the_admin_is_one_line(caplog, formatter):
    editor = Client()
    editor.force_login(factories.user("author"))
    assert editor.get("/admin/registry/subject/add/").status_code == 403
    assert editor.post(f"/admin/registry/claim/{factories.claim().pk}/withdraw/").status_code == 403
    lines = [formatter.format(record) for record in caplog.records]
    assert lines
    assert all("\n" not in line for line in lines)
    assert "“Withdraw” is not yours to do with C-" in lines[-1]


@pytest.mark.parametrize(
    ("error", "status"), [(PermissionDenied("not\nyours"), 403), (BadRequest("half"), 400)]
)
def test_a_reason_stands_in_the_line(caplog, formatter, rf, error, status):
    log_response("Refused: %s", "/x", response=_answer(status), request=rf.get("/x"), exception=error)
    line = formatter.format(caplog.records[-1])
    assert line.endswith(f"Refused: /x ({' '.join(str(error).split())})")
    assert caplog.records[-1].exc_info


def test_a_failure_of_ours_keeps_its_traceback(caplog, formatter, rf):
    log_response(
        "Failed: %s", "/x", response=_answer(500), request=rf.get("/x"), exception=ValueError("ours")
    )
    assert "ValueError: ours" in formatter.format(caplog.records[-1])
    try:
        raise ValueError("a worker's")
    except ValueError:
        logging.getLogger("worker").exception("It failed")
    assert "Traceback" in formatter.format(caplog.records[-1])


def _answer(status):
    return type("Answer", (), {"status_code": status})()
