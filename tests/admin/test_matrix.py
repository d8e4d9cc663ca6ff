"""Every address of the admin for every role, from the URL resolver: one without a rule here fails."""

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.urls import get_resolver, reverse

from registry.models import Publication
from sources.models import Link, Passage, ReferenceChange
from tests import factories
from tests.admin.desks import desk

ROLES = ["author", "reviewer", "administrator"]
YES, NO = 200, 403
# What GET answers to author, reviewer and administrator. Steps are asked of an entry that somebody else wrote.
KEPT_BY_ADMINISTRATORS = {
    "changelist": (YES,) * 3,
    "add": (NO, NO, YES),
    "change": (YES,) * 3,
    "history": (YES,) * 3,
}
LOOKED_AT = {"changelist": (YES,) * 3, "add": (NO,) * 3, "change": (YES,) * 3, "history": (YES,) * 3}
EVERYBODYS = {"changelist": (YES,) * 3, "add": (YES,) * 3, "change": (YES,) * 3, "history": (YES,) * 3}
ENTRY = {
    **EVERYBODYS,
    "submit": (NO, NO, YES),
    "discard": (NO, NO, YES),
    "review": (NO, YES, YES),
    "publish": (NO, 302, 302),
    "return": (NO, 302, 302),
    "correct": (YES,) * 3,
    "withdraw": (NO, YES, YES),
}
RULES = {
    "registry_claim": ENTRY,
    "registry_reproduction": ENTRY,
    # A file that is not kept for who asks leads back to the upload.
    "registry_benchmarkrecord": {**ENTRY, "import": (YES,) * 3, "complete": (302,) * 3},
    "registry_subject": KEPT_BY_ADMINISTRATORS,
    "registry_property": KEPT_BY_ADMINISTRATORS,
    "registry_publication": LOOKED_AT,
    "sources_source": {**EVERYBODYS, "verify": (YES,) * 3, "claims": (YES,) * 3},
    "sources_organisation": {**KEPT_BY_ADMINISTRATORS, "add": (YES,) * 3},
    "sources_link": {**LOOKED_AT, **dict.fromkeys(["check", "address", "fine"], (302,) * 3)},
    "sources_passage": LOOKED_AT,
    "sources_referencechange": LOOKED_AT,
    "auth_user": {
        "changelist": (NO, NO, YES),
        "add": (NO, NO, YES),
        "change": (NO, NO, YES),
        "history": (NO, NO, YES),
    },
    "auth_group": {
        "changelist": (NO, NO, YES),
        "add": (NO,) * 3,
        "change": (NO, NO, YES),
        "history": (NO, NO, YES),
    },
}
SITE = {
    "index": (YES,) * 3,
    "login": (302,) * 3,
    "logout": (405,) * 3,
    "password_change": (YES,) * 3,
    "password_change_done": (YES,) * 3,
    "autocomplete": (NO,) * 3,
    "jsi18n": (YES,) * 3,
    "app_list": (YES,) * 3,
    "auth_user_password_change": (NO, NO, YES),
}


def routes():
    """(name, pattern) of every route of the admin; the catch-all and old redirects have no name."""
    for resolver in get_resolver().url_patterns:
        if getattr(resolver, "namespace", None) == "admin":
            yield from _named(resolver.url_patterns)


def _named(patterns):
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            yield from _named(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def expected(name):
    if name in SITE:
        return SITE[name]
    model, _, action = name.rpartition("_")
    if action == "delete":
        return (NO,) * 3
    return RULES[model][action]


@pytest.fixture
def world():
    """One record of every kind, none of it by the person who asks."""
    claims = {status: factories.claim(status) for status in ["draft", "submitted", "published"]}
    reproductions = {
        s: factories.reproduction(claims["published"], s) for s in ["draft", "submitted", "published"]
    }
    records = {status: factories.benchmark_record(status) for status in ["draft", "submitted", "published"]}
    return {
        "registry_claim": claims,
        "registry_reproduction": reproductions,
        "registry_benchmarkrecord": records,
        "person": factories.user("author"),
    }


STATUS_OF_STEP = {
    **dict.fromkeys(["submit", "discard"], "draft"),
    **dict.fromkeys(["review", "publish", "return"], "submitted"),
    **dict.fromkeys(["correct", "withdraw"], "published"),
}


def address(name, world):
    if name == "app_list":
        return reverse("admin:app_list", args=["registry"])
    if name in SITE and name != "auth_user_password_change":
        return reverse(f"admin:{name}")
    model, _, action = ("auth_user", "", "") if name == "auth_user_password_change" else name.rpartition("_")
    if action in ("changelist", "add", "import"):
        return reverse(f"admin:{name}")
    return reverse(f"admin:{name}", args=[_sample(model, action, world)])


def _sample(model, action, world):
    published = world["registry_claim"]["published"]
    source = published.citations.get().passage.source
    if action == "complete":
        return "0" * 64
    if model in ("registry_claim", "registry_reproduction", "registry_benchmarkrecord"):
        return world[model][STATUS_OF_STEP.get(action, "draft")].pk
    return {
        "registry_subject": published.subject,
        "registry_property": published.property,
        "registry_publication": Publication.objects.first(),
        "sources_source": source,
        "sources_organisation": source.publisher,
        "sources_link": Link.objects.first(),
        "sources_passage": Passage.objects.first(),
        "sources_referencechange": ReferenceChange.objects.first(),
        "auth_user": world["person"],
        "auth_group": Group.objects.first(),
    }[model].pk


def contents():
    """A digest of every table but the sessions and the admin's own log."""
    with connection.cursor() as cursor:
        tables = sorted(
            set(connection.introspection.table_names(cursor)) - {"django_session", "django_admin_log"}
        )
        digest = {}
        for table in tables:
            quoted = connection.ops.quote_name(table)
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {quoted} t"
            )
            digest[table] = cursor.fetchone()[0]
    return digest


def test_every_address_has_a_rule():
    assert all(expected(name) for name in routes())


def test_reading_answers_as_the_role_may_and_changes_nothing(world):
    people = [desk(factories.user(role), raise_request_exception=True) for role in ROLES]
    before = contents()
    wrong = []
    for name in routes():
        for place, (role, client) in enumerate(zip(ROLES, people, strict=True)):
            status = client.get(address(name, world)).status_code
            if status != expected(name)[place]:
                wrong.append(f"{name} as {role}: {status}, not {expected(name)[place]}")
    assert wrong == []
    assert contents() == before


def test_strangers_see_nothing_but_the_way_in(world):
    stranger, staff_without_role = Client(), desk(factories.user("", is_staff=True))
    reader = desk(factories.user(""))
    for name in routes():
        url = address(name, world)
        answer = stranger.get(url)
        assert answer.status_code == (200 if name == "login" else 302), name
        assert reader.get(url).status_code in (302, 200, 405), name
        if name not in SITE:
            assert staff_without_role.get(url).status_code == 403, name


def test_an_empty_post_never_breaks_and_is_refused_where_reading_is(world):
    before = contents()
    wrong = []
    for role in ROLES:
        client = desk(factories.user(role))
        for name in routes():
            # Asking for a look takes no more than a post: test_links has it.
            if name in ("logout", "login", "sources_link_check") or (
                role != "author" and name.rpartition("_")[2] in ("publish", "discard")
            ):
                continue
            status = client.post(address(name, world), {}).status_code
            if status >= 500 or (expected(name)[ROLES.index(role)] == NO and status not in (NO, 405)):
                wrong.append(f"{name} as {role}: {status}")
    assert wrong == []
    changed = {table for table, digest in contents().items() if digest != before[table]} - {
        "auth_user",
        "auth_user_groups",
    }
    assert changed == set()


def test_a_post_without_the_csrf_token_is_refused(world):
    client = desk(factories.user("administrator"), enforce_csrf_checks=True)
    for name in routes():
        assert client.post(address(name, world), {}).status_code in (403, 405), name


def test_a_role_taken_away_counts_at_once(world):
    client = desk(factories.user("reviewer"))
    client.person.groups.clear()
    entry = world["registry_claim"]["submitted"]
    answer = client.post(
        reverse("admin:registry_claim_publish", args=[entry.pk]), {"seen": entry.edited_at.isoformat()}
    )
    assert answer.status_code == 403
