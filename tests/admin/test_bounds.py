"""What one address or form may ask of the database and the server: so much, and an answer in words beyond it."""

import logging
import time

import pytest
from django.db import OperationalError, connection
from django.db.models import Func, TextField, Value
from django.db.models.functions import Cast

from registry.admin.claims import ClaimAdmin
from registry.admin.lists import BoundedList, shortened
from registry.admin.site import site
from tests import factories
from tests.admin.desks import sent_back
from tests.admin.test_lists import LISTS

EVERY_LIST = [*LISTS, "auth/user", "auth/group"]


def told(response):
    return [str(message) for message in response.context["messages"]]


def test_a_search_is_cut_to_ten_words_and_says_so(author):
    answer = author.get("/admin/registry/claim/", {"q": "a " * 5000})
    assert answer.status_code == 200
    cut = "a a a a a a a a a a"
    assert told(answer) == [f"The search was cut to “{cut}”: it takes 10 words and 200 characters."]


def test_facets_say_it_once(administrator):
    assert len(told(administrator.get("/admin/registry/claim/", {"q": "a " * 11, "_facets": "True"}))) == 1


@pytest.mark.parametrize("name", EVERY_LIST)
def test_every_list_bears_a_search_of_thousands_of_words(administrator, name):
    assert administrator.get(f"/admin/{name}/", {"q": "x " * 20_000}).status_code == 200


def test_a_search_through_citations_finds_an_entry_once(author):
    claim = factories.claim(
        cited=[(factories.passage(title=name), "supports") for name in ("Sheet", "Sheet 2")]
    )
    shown = author.get("/admin/registry/claim/", {"q": "Sheet"}).context["cl"]
    assert list(shown.result_list) == [claim]
    assert shown.result_count == 1
    assert not shown.queryset.query.distinct  # it would make the flags of every row


def test_a_usual_search_stays_as_it_is(author):
    assert told(author.get("/admin/registry/claim/", {"q": ' "H100 SXM"  dense '})) == []
    assert shortened(' "H100 SXM"  dense ') == ' "H100 SXM"  dense '
    assert shortened("x" * 300) == "x" * 200


def test_every_list_is_bounded():
    assert [admin for admin in site._registry.values() if not isinstance(admin, BoundedList)] == []


@pytest.mark.parametrize("counted", [False, True], ids=["while the page is made", "while rows are counted"])
def test_a_list_that_takes_too_long_says_so(author, monkeypatch, counted):
    factories.claim()
    slow = Func(Value(2), function="pg_sleep", template="CAST(%(function)s(%(expressions)s) AS text)")
    original = ClaimAdmin.get_queryset

    def sleeping(self, request):
        rows = original(self, request).annotate(slow=Cast(slow, TextField()))
        return rows.filter(slow="") if counted else rows

    monkeypatch.setattr(ClaimAdmin, "get_queryset", sleeping)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 100")
    answer = author.get("/admin/registry/claim/")
    assert answer.status_code == 503
    assert "fewer words in a search" in answer.content.decode()


def test_other_faults_of_the_database_stay_faults(author, monkeypatch):
    def fail(*_):
        raise OperationalError("gone")

    monkeypatch.setattr(ClaimAdmin, "get_queryset", fail)
    with pytest.raises(OperationalError):
        author.get("/admin/registry/claim/")


@pytest.mark.parametrize(
    "query",
    [
        "text__iregex=%5B",
        "text__regex=(a%2B)%2B",
        "subject__name__iregex=%5B",
        "created_by__username=x",
        "x=1",
    ],
)
def test_a_list_filters_by_its_own_filters_only(author, query):
    factories.claim()
    assert author.get(f"/admin/registry/claim/?{query}").status_code == 400


def test_every_link_of_every_list_still_leads_to_rows(administrator):
    factories.claim()
    factories.claim("draft", by=administrator.person)
    factories.reproduction(factories.claim())
    followed = 0
    for name in EVERY_LIST:
        changelist = administrator.get(f"/admin/{name}/").context["cl"]
        queries = [
            choice["query_string"] for spec in changelist.filter_specs for choice in spec.choices(changelist)
        ]
        if changelist.date_hierarchy:
            field = changelist.date_hierarchy
            queries += [f"?{field}__year=2026", f"?{field}__year=2026&{field}__month=11&{field}__day=3"]
        for query in queries:
            assert administrator.get(f"/admin/{name}/{query}").status_code == 200, f"{name} {query}"
        followed += len(queries)
    assert followed > 60


def test_a_value_the_database_cannot_read_leads_back_to_the_list(author, monkeypatch):
    monkeypatch.setattr(BoundedList, "lookup_allowed", lambda self, lookup, value, request: True)
    factories.claim()
    answer = author.get("/admin/registry/claim/?text__iregex=%5B&e=1")
    assert (answer.status_code, answer.url) == (302, "/admin/registry/claim/?e=1")


@pytest.mark.parametrize("rows", ["citations", "contexts"])
def test_a_flood_of_rows_is_refused_at_once(author, rows):
    draft = factories.claim("draft", by=author.person)
    address = f"/admin/registry/claim/{draft.pk}/change/"
    data = sent_back(author.get(address)) | {f"{rows}-TOTAL_FORMS": "99999"}
    began = time.monotonic()
    answer = author.post(address, data)
    assert time.monotonic() - began < 1
    assert answer.status_code == 200
    assert "Please submit at most 60 forms." in answer.content.decode()


@pytest.mark.parametrize(
    ("query", "more"), [("a=1&" * 5001, {}), ("", {"HTTP_HOST": "elsewhere.example"})], ids=["fields", "host"]
)
def test_what_is_refused_for_safety_is_one_line(author, caplog, query, more):
    assert author.get(f"/admin/registry/claim/?{query}", **more).status_code == 400
    handler = next(h for h in logging.getLogger().handlers if type(h) is logging.StreamHandler)
    (line,) = [handler.formatter.format(record) for record in caplog.records]
    assert "django.security." in line
    assert "\n" not in line
