"""Editors at their desks: a logged-in client a role."""

from importlib import import_module

import pytest


@pytest.fixture(autouse=True)
def _database(db):
    """Every test here has the database."""


def sit_down(role):
    # Models can be imported only after this file was: Django is set up when all of them are read.
    return import_module("tests.admin.desks").desk(import_module("tests.factories").user(role))


@pytest.fixture
def author():
    return sit_down("author")


@pytest.fixture
def reviewer():
    return sit_down("reviewer")


@pytest.fixture
def administrator():
    return sit_down("administrator")
