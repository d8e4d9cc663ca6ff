"""Middleware alone: which representation is asked for, what is no text, and where a trailing slash leads."""

import pytest
from django.http import HttpResponse, HttpResponseNotFound
from django.test import RequestFactory

from registry.middleware import NoTrailingSlash, Representation, TextOnly

PAGES = {"/", "/gpus", "/gpus/h100", "/gpus.md"}


def site(request):
    """Answers the known pages, with the representation and path it was asked for."""
    if request.path_info not in PAGES:
        return HttpResponseNotFound()
    return HttpResponse(f"{getattr(request, 'representation', '')} {request.path_info}")


def asked(middleware, path, query="", method="get", **headers):
    request = getattr(RequestFactory(), method)("/", PATH_INFO=path, QUERY_STRING=query, headers=headers)
    return middleware(site)(request)


@pytest.mark.parametrize(
    ("path", "served"),
    [
        ("/gpus", b"html /gpus"),
        ("/gpus.md", b"md /gpus"),
        ("/gpus.csv", b"csv /gpus"),
        ("/index.md", b"md /"),
        ("/", b"html /"),
    ],
)
def test_a_suffix_names_the_representation(path, served):
    assert asked(Representation, path).content == served


def test_a_suffix_wins_over_the_accept_header():
    assert asked(Representation, "/gpus.md", accept="text/html").content == b"md /gpus"
    assert asked(Representation, "/gpus.csv", accept="text/markdown").content == b"csv /gpus"


@pytest.mark.parametrize(
    "path", ["/gpus.MD", "/gpus.html", "/gpus.json", "/gpus.", "/gpus.csv.md", "/x.md/gpus"]
)
def test_other_endings_are_part_of_the_address(path):
    assert asked(Representation, path).status_code == 404


@pytest.mark.parametrize("path", ["/admin/x.md", "/static/x.md"])
def test_admin_and_static_files_are_left_alone(path):
    assert "Vary" not in asked(Representation, path, accept="text/markdown")


@pytest.mark.parametrize("path", ["/gpus", "/none", "/gpus.md"])
def test_every_other_answer_varies_by_accept(path):
    assert asked(Representation, path)["Vary"] == "Accept"


@pytest.mark.parametrize("query", ["q=%FF", "q=%ED%A0%80", "%C3=1", "q=\xff", "a=1&b=%80"])
def test_a_query_that_is_no_text_is_refused(query, db):
    answer = asked(TextOnly, "/gpus", query)
    assert answer.status_code == 400
    assert "not UTF-8 text" in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "query"),
    [("/gpus\x00", ""), ("/gpus", "q=%00"), ("/gpus\n", ""), ("/gpus", "q=%7F"), ("/\x1b", "")],
)
def test_a_control_character_is_refused(path, query, db):
    answer = asked(TextOnly, path, query)
    assert answer.status_code == 400
    assert "control character" in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "query"),
    [("/gpus", "q=%C3%A9"), ("/gpus", "q=%25FF"), ("/gpus", "q=a+b"), ("/gpus", "q=\xc3\xa9")],
)
def test_text_in_any_script_passes(path, query):
    assert asked(TextOnly, path, query).status_code == 200


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/gpus/", "/gpus"),
        ("/gpus//", "/gpus"),
        ("///gpus/", "/gpus"),
        ("//", "/"),
        ("/gpus.md/", "/gpus.md"),
    ],
)
def test_a_trailing_slash_redirects_for_ever(path, leads_to):
    answer = asked(NoTrailingSlash, path, "a=1&b=%2F")
    assert (answer.status_code, answer["Location"]) == (301, f"{leads_to}?a=1&b=%2F")


@pytest.mark.parametrize(
    "path", ["/none/", "//evil.com/", "/\\evil.com/", "/gpus/none/", "/http://evil.com/"]
)
def test_a_slash_where_no_page_is_leads_nowhere(path):
    assert asked(NoTrailingSlash, path).status_code == 404


@pytest.mark.parametrize("path", ["/admin/", "/admin/registry/", "/static/"])
def test_the_admin_keeps_its_slashes(path):
    assert asked(NoTrailingSlash, path).status_code == 404


def test_only_readers_are_redirected():
    assert asked(NoTrailingSlash, "/gpus/", method="post").status_code == 404
    assert asked(NoTrailingSlash, "/gpus/", method="head").status_code == 301


@pytest.mark.parametrize(
    "accept", ["text/markdown;q*=utf-9''%FF", "q*=nope'en'%FF", "text/markdown; q*=x'y'%"]
)
def test_an_accept_header_nobody_can_read_prefers_nothing(client, db, accept):
    assert client.get("/resources", headers={"Accept": accept})["Content-Type"].startswith("text/html")
