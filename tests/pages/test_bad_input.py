"""What no page can follow is answered with a page or a clear 4xx, never with an error of ours."""

import string
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.pages.reading import page_of, part, text_of

VIEWS = [
    "/", "/resources", "/gpus", "/models", "/inference-stack", "/gpus/compare", "/gpus/compare.csv", "/models/compare.md",
    "/gpus/aster-a1", "/sources", "/sources/aster-a1-sheet", "/claims/C-1", "/claims/C-7/1", "/corrections", "/gpus.md",
]  # fmt: skip
NAMES = [
    "ids",
    "add",
    "group",
    "as_of",
    "diff",
    "page",
    "q",
    "maker",
    "kind",
    "publisher",
    "state",
    "age",
    "read",
]
ODD_BYTES = [
    "%00",
    "a%00b",
    "%FF",
    "%C3%28",
    "%ED%A0%80",
    "%F4%90%80%80",
    "%0A",
    "%0D%0ASet-Cookie:x=1",
    "%7F",
    "%1B%5B2J",
]


def problems(answer):
    assert answer.status_code == 400
    return [text_of(node) for node in part(page_of(answer), "main").walk() if node.tag == "li"]


@pytest.mark.parametrize("odd", ODD_BYTES)
def test_bytes_that_are_no_text_are_refused_in_every_parameter(world, client, odd):
    for path in VIEWS:
        for name in NAMES:
            [problem] = problems(client.get("/", PATH_INFO=path, QUERY_STRING=f"{name}={odd}"))
            assert "not UTF-8 text" in problem or "control character" in problem


@pytest.mark.parametrize("odd", ODD_BYTES)
def test_bytes_that_are_no_text_are_refused_in_every_path(world, client, odd):
    for path in ("/", "/gpus/", "/sources/", "/claims/C-", "/gpus/aster-a1", "/none/"):
        assert client.get(path + odd).status_code in (400, 404), path
        if "%00" in odd or "%0A" in odd:
            assert client.get(path + odd).status_code == 400, path


@pytest.mark.parametrize(
    "number",
    [
        "C-0",
        "C-01",
        "C-99999999999",
        "C--1",
        "C-1.0",
        "C-1e1",
        "C-٣",
        "C-１",
        "c-1",
        "C-",
        "C-1 ",
        "C-1%2F1x",
        "1",
        "C-999999999",
    ],
)
def test_numbers_that_are_none_lead_nowhere(world, client, number):
    for address in (f"/claims/{number}", f"/claims/{number}.md", f"/claims/{number}/1"):
        assert client.get(address).status_code == 404, address


@pytest.mark.parametrize(
    "revision", ["0", "01", "99", "99999", "100000", "-1", "+1", "１", "1e0", "2147483648", "one"]
)
def test_revisions_that_are_none_lead_nowhere(world, client, revision):
    assert client.get(f"/claims/C-1/{revision}").status_code == 404


def as_of(path, day):
    """The query of a page as of a day; a comparison needs its subjects too."""
    return {"as_of": day} | ({"ids": "aster-a1,boreal-b1"} if "compare" in path else {})


@pytest.mark.parametrize(
    "day",
    ["2024-02-30", "2024-13-01", "today", "01.03.2024", "2024-3", "20240301", "0000-00-00", "99999-01-01", "2999-01-01",
     "-2024-01-01", "2024-03-01T00:00", "1709251200", "' OR 1=1", "2024-03-01;DROP TABLE registry_claim"],
)  # fmt: skip
def test_a_date_that_is_none_is_named_with_what_would_be_one(world, client, day):
    for path in ("/gpus/aster-a1", "/gpus/compare", "/gpus/compare.csv", "/gpus/aster-a1.md"):
        [problem] = problems(client.get(path, as_of(path, day)))
        assert problem.startswith(f"as_of={day}: ")
        assert "Give a day such as" in problem or "has not come yet" in problem


@pytest.mark.parametrize("day", ["0001-01-01", "1970-01-01", "2024-02-29"])
def test_a_day_before_everything_shows_nothing_yet(world, client, day):
    for path in (
        "/gpus/aster-a1",
        "/gpus/aster-a1.md",
        "/gpus/compare",
        "/gpus/compare.csv",
        "/gpus/compare.md",
    ):
        answer = client.get(path, as_of(path, day))
        assert answer.status_code == 200
        assert "1979" not in answer.content.decode()


@pytest.mark.parametrize("page", ["0", "-1", str(10**30), "9" * 5000, "1.5", "one", "NaN", "0x1", "1;2", "²"])
def test_a_page_that_is_none_is_named(world, client, page):
    for path in ("/sources", "/corrections", "/sources.md"):
        [problem] = problems(client.get(path, {"page": page}))
        assert problem.startswith(f"page={page[:80]}: ")


def test_a_page_behind_the_last_shows_the_last(world, client):
    assert client.get("/sources?page=10000").status_code == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("/gpus?kind=none", "kind=none: Select a valid choice."),
        ("/gpus?kind=none", "Allowed: accelerator, board, server, rack-scale system."),
        ("/gpus?maker=none", "Allowed: aster, boreal."),
        ("/sources?age=old", "Allowed: due, fresh."),
        ("/sources?kind=Paper", "kind=Paper: "),
        ("/sources?publisher=nobody", "publisher=nobody: "),
        ("/gpus/compare?group=none&ids=aster-a1", "Allowed: Memory, Compute, Power, Links."),
        ("/gpus/compare?add=none", "add=none: "),
        ("/gpus?q=" + "x" * 101, "at most 100 characters"),
        ("/sources?q=" + "x" * 20000, "at most 100 characters"),
        ("/gpus/compare?ids=" + "," * 10000, "at most 800 characters"),
        ("/gpus/compare?ids=aster-a11", "there is no GPU “aster-a11” here. Did you mean aster-a1?"),
        ("/gpus/compare?ids=quill-7b", "there is no GPU “quill-7b” here. The library is at /gpus."),
        ("/models/compare?ids=Quill-7B", "Did you mean quill-7b?"),
    ],
)
def test_a_wrong_value_is_answered_with_what_is_allowed(world, client, query, said):
    assert said in " ".join(problems(client.get(query)))


def test_every_wrong_parameter_is_listed_at_once(world, client):
    listed = problems(client.get("/sources?kind=x&age=y&state=z&page=0&read=no&publisher=p"))
    assert len(listed) == 6


def test_seven_subjects_are_too_many_and_none_is_dropped_in_silence(world, client):
    seven = ["aster-a1", "aster-a2", "boreal-b1", "zenith-z3", "mote-1", "mote-2", "mote-3"]
    for suffix in ("", ".md", ".csv"):
        [problem] = problems(client.get(f"/gpus/compare{suffix}", {"ids": ",".join(seven)}))
        assert "7 GPUs were asked for; at most 6 stand side by side" in problem
    assert client.get("/gpus/compare", {"ids": ",".join(seven[:6])}).status_code == 200


def test_ten_thousand_repeated_ids_are_refused(world, client):
    query = "&".join(["ids=aster-a1"] * 4000)
    assert client.get(f"/gpus/compare?{query}").status_code == 301
    query = "&".join(f"ids=none-{n}" for n in range(4000))
    assert "4000 GPUs were asked for" in problems(client.get(f"/gpus/compare?{query}"))[-1]
    assert client.get("/gpus/compare?" + "&".join(["ids=a"] * 6000)).status_code == 400


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("ids=,,,", ""),
        ("ids=", ""),
        ("ids=%20aster-a1%20,,boreal-b1,", "?ids=aster-a1,boreal-b1"),
        ("ids=aster-a1&ids=boreal-b1", "?ids=aster-a1,boreal-b1"),
        ("ids=boreal-b1,aster-a1,boreal-b1", "?ids=boreal-b1,aster-a1"),
        ("ids=aster-a1&add=boreal-b1", "?ids=aster-a1,boreal-b1"),
        ("ids=aster-a2-sxm,aster-a2,aster-a1", "?ids=aster-a2,aster-a1"),
        ("ids=aster-a1%2Cboreal-b1&group=&as_of=&add=&diff=on", "?ids=aster-a1,boreal-b1"),
    ],
)
def test_ids_are_read_generously_and_written_in_one_way(world, client, asked, shown):
    answer = client.get(f"/gpus/compare?{asked}")
    if answer.status_code == 200:
        heads = [
            node.attrs["href"] for node in page_of(answer).walk() if node.attrs.get("rel") == "canonical"
        ]
        assert heads[0].partition("/gpus/compare")[2].removesuffix("&diff=1") == shown
    else:
        assert (answer.status_code, answer["Location"]) == (301, f"/gpus/compare{shown}")


def test_repeated_parameters_break_nothing(world, client):
    for query in (
        "kind=paper&kind=datasheet",
        "page=1&page=2",
        "q=a&q=b&q=%E2%82%AC",
    ):
        assert client.get(f"/sources?{query}").status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/gpus", "/gpus/aster-a1", "/sources", "/claims/C-1/1", "/resources.md"]
)
def test_a_parameter_that_the_page_does_not_know_is_named(world, client, path):
    [problem] = problems(client.get(path, {"makr": "aster"}))
    assert problem.startswith("makr: this page knows no such parameter; ")
    assert client.get(path, {"utm_source": "letter"}).status_code == 200


def test_a_misspelt_parameter_meets_the_one_that_was_meant(world, client):
    [problem] = problems(client.get("/sources?publsher=x"))
    assert problem.endswith("Did you mean publisher?")


def test_slugs_longer_than_any_are_not_found(world, client):
    for length in (101, 2000, 30000):
        assert client.get("/gpus/" + "a" * length).status_code == 404
        assert client.get("/sources/" + "a-" * length).status_code == 404
        assert client.get("/" + "a/" * length).status_code == 404


HEADERS = [
    "", ",", ";", "q=1", "*", "/", "text/markdown;q=x", "text/markdown;q=1e400", "text/markdown;q=-1", "text/markdown;q=nan",
    "text/html;q=0,text/markdown;q=0", "a" * 20000, "text/markdown;" * 3000, "ï»¿text/html", '";"', 'text/markdown;a="', "\x7f",
]  # fmt: skip


@pytest.mark.parametrize("value", HEADERS)
def test_odd_headers_break_nothing(world, client, value):
    for name in (
        "accept",
        "if-none-match",
        "if-modified-since",
        "accept-language",
        "cookie",
        "referer",
        "range",
        "user-agent",
    ):
        assert client.get("/gpus", headers={name: value}).status_code in (200, 304), name


@pytest.mark.parametrize("address", ["/gpus/é", "/gpus/日本", "/é?q=%C3%A9", "/gpus/%25FF", "/gpus/😀.md"])
def test_letters_of_any_script_are_text(world, client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("value", ["*", '"', 'W/"x"', '""', '"a", "b"', "a" * 100000, "\xff"])
def test_an_odd_etag_is_answered_with_the_page(world, client, value):
    answer = client.get("/gpus", headers={"if-none-match": value})
    assert answer.status_code == 200


WORDS = st.text(max_size=40) | st.sampled_from(
    [
        "aster-a1",
        "aster-a1,boreal-b1",
        "2024-03-01",
        "1",
        "accelerator",
        "datasheet",
        "on",
        "due",
        "Memory",
        "",
        "%",
        "%_",
        "\\",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    path=st.sampled_from(VIEWS),
    query=st.lists(st.tuples(st.sampled_from(NAMES) | st.text(max_size=10), WORDS), max_size=6),
)
@example(path="/sources", query=[("q", "%"), ("q", "\ud800")])
def test_no_query_breaks_a_page(published, path, query):
    encoded = "&".join(
        f"{quote(name, errors='surrogatepass')}={quote(value, errors='surrogatepass')}"
        for name, value in query
    )
    answer = Client().get(path, QUERY_STRING=encoded)
    assert answer.status_code in (200, 301, 400, 404)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    parts=st.lists(
        st.sampled_from(
            [
                "gpus",
                "claims",
                "C-1",
                "compare",
                "sources",
                "aster-a1",
                "..",
                ".",
                "",
                ".md",
                "index",
                "admin",
            ]
        )
        | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
        max_size=5,
    ),
    raw=st.binary(max_size=6),
)
def test_no_path_breaks_the_site(published, parts, raw):
    path = "/" + "/".join(parts)
    asked = [path, path + raw.decode("latin-1"), path + "/"]
    for one in asked:
        try:
            wsgi = one.encode().decode("latin-1")
        except UnicodeEncodeError:
            continue
        answer = Client().get("/", PATH_INFO=wsgi)
        assert answer.status_code in (200, 301, 302, 400, 404, 410), one
        assert not answer.get("Location", "").startswith(("//", "http"))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(accept=st.text(st.sampled_from(string.ascii_letters + "*/;=,. q01\"'\\"), max_size=60))
def test_no_accept_header_breaks_a_page(published, accept):
    assert Client().get("/resources", headers={"accept": accept}).status_code == 200


@pytest.mark.parametrize("address", ["/nowhere", "/gpus?x=1"])
def test_an_error_has_no_address_of_its_own(client, world, address):
    head = client.get(address).content.decode().partition("</head>")[0]
    assert "canonical" not in head
    assert "text/markdown" not in head
