"""Every rule and constraint of the database has a sentence for people, and a test that breaks it (DESIGN §4)."""

import re

import pytest
from django.apps import apps
from django.db import connection, models

from registry import rules
from registry.errors import COMPOSITE_KEYS, RULES, declared
from sources.rules import missing_constraints, rule_names
from tests.house.files import PROJECT, modules, text_of

# Unique because the id alone is: composite foreign keys need them, and no statement can break them.
UNBREAKABLE = {"property_with_kind", "subject_with_kind"}
ENTRY = ("claim_", "reproduction_", "benchmarkrecord_")


def broken_in_tests():
    """Names that a test expects a refusal to bear; those of all kinds of entry without the kind."""
    names = set()
    for folder in ("registry", "sources"):
        for path in (PROJECT / "tests" / folder).glob("test_r*.py"):
            text = path.read_text()
            names |= set(re.findall(r"""refused\(\s*f?"(?:\{kind\}_)?(\w+)\"""", text))
            names |= set(re.findall(r"""^ +"?(?:[\w' -]+": )?\(?\s*"(\w+)",$""", text, re.MULTILINE))
            names |= set(re.findall(r"""": \("(\w+)", (?:lambda|")""", text))
            names |= set(re.findall(r"""constraint_name == "(\w+)\"""", text))
    return names


def without_kind(name):
    return next((name.removeprefix(kind) for kind in ENTRY if name.startswith(kind)), name)


def test_every_rule_has_a_sentence():
    assert set(rule_names(rules.statements())) <= set(RULES)


def test_every_sentence_has_a_rule():
    assert set(RULES) - set(COMPOSITE_KEYS) <= set(rule_names(rules.statements()))


@pytest.mark.parametrize(
    "model",
    [model for model in apps.get_models() if model._meta.app_label in ("sources", "registry")],
    ids=lambda model: model.__name__,
)
def test_every_constraint_has_a_sentence_of_its_own(model):
    default = models.CheckConstraint.default_violation_error_message
    for constraint in model._meta.constraints:
        assert constraint.violation_error_message != default, constraint.name
    default = models.Field.default_error_messages["unique"]
    for field in model._meta.local_fields:
        if field.unique and not field.primary_key:
            assert field.error_messages["unique"] != default, field


def test_every_sentence_ends_as_sentences_do():
    for name, words in {**declared(), **RULES}.items():
        assert re.search(r"[.…]$", str(words)), name
        assert str(words)[0].isupper() or str(words)[0] == "“", name


@pytest.mark.parametrize("name", sorted({*RULES, *declared()} - UNBREAKABLE))
def test_a_test_breaks_it(name):
    assert {name, without_kind(name)} & broken_in_tests(), f"No test expects {name} to refuse."


@pytest.mark.django_db
def test_the_database_holds_every_constraint():
    assert missing_constraints(connection, [*declared(), *COMPOSITE_KEYS]) == []


def test_rules_are_installed_as_they_stand_in_the_files():
    """Nothing in a rule is left over from rendering."""
    for statement in rules.statements():
        assert not re.search(r"@\w+@", statement)


def test_no_rule_names_a_session_it_trusts():
    """Only three settings may be read, and each is told in the log or in the history."""
    settings = set(re.findall(r"current_setting\('([\w.]+)'", "\n".join(rules.statements())))
    assert settings == {
        "registry.bundle",
        "registry.change_note",
        "registry.user_id",
        "transaction_isolation",
    }


def test_modules_do_not_switch_rules_off():
    words = re.compile(r"DISABLE TRIGGER|session_replication_role", re.IGNORECASE)
    assert [path for path in modules() if words.search(text_of(path))] == []
