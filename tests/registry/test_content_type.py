"""A request's Content-Type never decides how its address is read."""

import io

import pytest
from django.core.handlers.wsgi import WSGIHandler

from registry.content_type import plain_content_type

STRANGE = [
    "text/html; charset=cp037",
    "x/y; charset=base64",
    "text/html; charset=utf-16",
    "text/html; charset*=nope''x",
    "multipart/form-data; boundary*=nope''x",
    "text/html; charset=unicode_escape",
]


def answered(content_type, method="GET", path="/sources", query="q=nvidia", body=b""):
    """Status and body of one request through the application that the server runs."""
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "HTTP_HOST": "localhost",
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http",
        "wsgi.errors": io.StringIO(),
    }
    seen = []
    parts = plain_content_type(WSGIHandler())(
        environ, lambda status, headers: seen.append((status, dict(headers)))
    )
    return seen[0][0], seen[0][1].get("ETag"), b"".join(parts)


@pytest.mark.django_db
@pytest.mark.parametrize("content_type", STRANGE)
def test_a_get_is_the_same_page_whatever_its_content_type(content_type):
    assert answered(content_type) == answered("")


@pytest.mark.django_db
@pytest.mark.parametrize("content_type", [*STRANGE, "multipart/form-data; boundary=x", "application/json"])
def test_a_post_is_refused_and_not_an_error(content_type):
    status, _, _ = answered(content_type, "POST", body=b"a=1")
    assert status.startswith("405")


def test_a_form_keeps_its_boundary_and_loses_its_charset():
    kept = []

    def application(environ, start_response):
        kept.append(environ["CONTENT_TYPE"])
        return []

    for stated in (
        'Multipart/Form-Data; charset=utf-7; boundary="----abc123"',
        "application/json; charset=utf-16",
    ):
        plain_content_type(application)({"REQUEST_METHOD": "POST", "CONTENT_TYPE": stated}, None)
    assert kept == ["multipart/form-data; boundary=----abc123", "application/json"]
