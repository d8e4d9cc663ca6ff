"""Logging in: wrong passwords are counted by account and address, in the database, and forgotten in time."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.utils import timezone

from registry.actions.login import begin_try
from registry.forms.login import client_address
from registry.models import LoginFailure
from tests import factories

LOGIN = "/admin/login/"
RIGHT, WRONG = "correct horse battery staple", "wrong"
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.7"


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def person():
    editor = factories.user("author")
    editor.set_password(RIGHT)
    editor.save()
    return editor


def attempt(name, password=WRONG, at=HERE, client=None):
    data = {"username": name, "password": password}
    return (client or Client()).post(LOGIN, data, REMOTE_ADDR=at)


def said(response):
    return list(response.context["form"].non_field_errors())


def test_five_wrong_passwords_are_enough(person):
    assert [attempt(person.username).status_code for _ in range(5)] == [200] * 5
    for password in (WRONG, RIGHT):
        refused = attempt(person.username, password)
        assert refused.status_code == 429
        assert 0 < int(refused.headers["Retry-After"]) <= 15 * 60
        assert said(refused) == [
            "Too many wrong passwords. Try again in 15 minutes; until then no password is looked at, not even the "
            "right one."
        ]
        assert "no-store" in refused.headers["Cache-Control"]
    assert LoginFailure.objects.count() == 5


def test_a_refused_try_does_not_look_at_the_password(person, monkeypatch):
    for _ in range(5):
        attempt(person.username)
    monkeypatch.setattr("django.contrib.auth.forms.authenticate", lambda *_, **__: pytest.fail("it looked"))
    assert attempt(person.username, RIGHT).status_code == 429


def test_nobody_is_locked_out_elsewhere_or_for_good(person):
    for _ in range(9):
        attempt(person.username)
    assert attempt(person.username, RIGHT, at=ELSEWHERE).status_code == 302
    assert attempt(person.username, RIGHT).status_code == 429
    LoginFailure.objects.update(at=timezone.now() - timedelta(minutes=15, seconds=1))
    assert attempt(person.username, RIGHT).status_code == 302


def test_the_wait_ends_when_the_first_of_five_is_a_quarter_of_an_hour_old(person):
    for minutes in (14, 3, 2, 1, 1):
        at = timezone.now() - timedelta(minutes=minutes)
        LoginFailure.objects.create(account=person.username, address=HERE, at=at)
    refused = attempt(person.username)
    assert 50 <= int(refused.headers["Retry-After"]) <= 60
    assert "in 1 minute;" in said(refused)[0]


def test_success_forgets_the_account_at_this_address_only(person):
    for name in [person.username] * 4 + ["somebody"] * 2:
        attempt(name)
    attempt(person.username, at=ELSEWHERE)
    assert attempt(person.username, RIGHT).status_code == 302
    left = LoginFailure.objects.order_by("id").values_list("account", "address")
    assert list(left) == [("somebody", HERE)] * 2 + [(person.username, ELSEWHERE)]


def test_thirty_wrong_passwords_from_one_address_are_enough(person):
    answers = [attempt(f"name{number}").status_code for number in range(30)]
    assert answers == [200] * 30
    assert attempt(person.username, RIGHT).status_code == 429
    assert attempt(person.username, RIGHT, at=ELSEWHERE).status_code == 302


def test_spelling_the_name_otherwise_gives_no_new_tries(person):
    for name in (person.username, person.username.upper(), f" {person.username} ", person.username.title()):
        attempt(name)
    attempt(person.username)
    assert attempt(person.username.upper()).status_code == 429


def test_an_unknown_account_an_inactive_one_and_a_reader_are_told_the_same(person):
    inactive = User.objects.create_user("inactive", password=RIGHT, is_staff=True, is_active=False)
    reader = User.objects.create_user("reader", password=RIGHT)
    tries = [(person, WRONG), (User(username="nobody"), WRONG), (inactive, RIGHT), (reader, RIGHT)]
    words = [[said(attempt(user.username, password)) for _ in range(6)] for user, password in tries]
    assert all(told == words[0] for told in words)
    assert words[0][0] != words[0][5]


@pytest.mark.parametrize("name", ["a\x00b", "x" * 151, "x" * 100_000, "", "   "])
def test_a_name_that_cannot_be_is_a_form_error(name):
    answer = attempt(name)
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert not LoginFailure.objects.exists()


def test_the_longest_name_in_letters_that_grow_is_counted():
    assert attempt("İ" * 150).status_code == 200
    assert len(LoginFailure.objects.get().account) == 150


def test_what_is_older_than_a_day_is_deleted():
    for hours in (23, 25):
        at = timezone.now() - timedelta(hours=hours)
        LoginFailure.objects.create(account="old", address=ELSEWHERE, at=at)
    attempt("new")
    assert LoginFailure.objects.filter(account="old").count() == 1


def test_logging_in_leads_to_the_work_queue(person):
    assert attempt(person.username, RIGHT).url == "/admin/"


@pytest.mark.parametrize(
    ("proxy", "peer", "forwarded", "known_by"),
    [
        (False, HERE, ELSEWHERE, HERE),
        (True, HERE, f"1.1.1.1, {ELSEWHERE}", ELSEWHERE),
        (True, HERE, "1.1.1.1, unknown", HERE),
        (True, HERE, "", HERE),
        (False, "::ffff:192.0.2.1", "", HERE),
        (False, "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
        (False, "", "", ""),
    ],
)
def test_the_address_is_the_peers_or_what_our_own_proxy_says(rf, settings, proxy, peer, forwarded, known_by):
    settings.BEHIND_TLS_PROXY = proxy
    assert client_address(rf.get("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)) == known_by


def test_a_forged_hop_gives_no_new_tries(person):
    for number in range(5):
        Client().post(
            LOGIN,
            {"username": person.username, "password": WRONG},
            REMOTE_ADDR=HERE,
            HTTP_X_FORWARDED_FOR=f"10.0.0.{number}",
        )
    assert attempt(person.username, RIGHT).status_code == 429


@pytest.mark.django_db(transaction=True)
def test_many_at_once_do_not_slip_through_together():
    waits = []

    def one():
        try:
            waits.append(begin_try("admin", HERE))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(not wait for wait in waits) == 5
    assert len(waits) == 12
