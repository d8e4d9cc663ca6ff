"""The small registry of tests/pages/world.py for every test of pages: made once a module, never committed."""

from importlib import import_module

import pytest
from django.db import transaction
from django.test import Client


@pytest.fixture(scope="module")
def published(django_db_setup, django_db_blocker):
    """The registry, in a transaction that outlives each test of the module. Tests take `world` instead."""
    with django_db_blocker.unblock(), transaction.atomic():
        # Models can be imported only after this file was: Django is set up when all of them are read.
        yield import_module("tests.pages.world").build()
        transaction.set_rollback(True)


@pytest.fixture
def world(published):
    """The registry; what a test writes is undone after it."""
    with transaction.atomic():
        yield published
        transaction.set_rollback(True)


@pytest.fixture
def client():
    """A reader who sees a server's answer, also where the code breaks."""
    return Client(raise_request_exception=False)


@pytest.fixture(scope="module")
def answers(published):
    """Address → (HTML, twin) of every public page, asked for once a module."""
    worlds = import_module("tests.pages.world")
    reader = Client()
    suffixed = import_module("registry.presentation.page").with_suffix
    return {
        address: (reader.get(address), reader.get(suffixed(address, "md")))
        for address in worlds.public_addresses(published)
    }
