"""Editors."""

from django.contrib.auth.models import Group, User

from tests.factories.numbers import unique


def user(role="author", **fields):
    """A person with one of the roles author, reviewer, administrator, or with none ("")."""
    fields.setdefault("is_staff", bool(role))
    person = User.objects.create_user(fields.pop("username", unique(role or "visitor")), **fields)
    if role:
        person.groups.add(Group.objects.get(name=role))
    return person
