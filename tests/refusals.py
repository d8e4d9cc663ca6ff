"""What tests of the rules share: an attempt that must be refused, and the roads it may take."""

from contextlib import contextmanager

import pytest
from django.db import IntegrityError, connection, transaction

from registry.errors import rule_of, sentence


@contextmanager
def refused(rule, *words, using="default"):
    """What is done inside must be refused by that rule, in a sentence with these words. The transaction goes on."""
    with pytest.raises(IntegrityError) as refusal, transaction.atomic(using):
        yield
    assert rule_of(refusal.value) == rule, str(refusal.value)
    said = sentence(refusal.value)
    for word in words:
        assert str(word) in said, said
    assert "CONTEXT" not in said


def sql(statement, *values, on=connection):
    """Runs one statement as the web role, in the test's transaction; gives back its rows."""
    with on.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []


def setting(name, value):
    """Sets one of our settings for the rest of the transaction, as an action would."""
    sql("SELECT set_config(%s, %s, true)", f"registry.{name}", value)


def update_by_sql(record, changes):
    """UPDATE of one row in plain SQL."""
    fields = {record._meta.get_field(name): value for name, value in changes.items()}
    assigned = ", ".join(f'"{field.column}" = %s' for field in fields)
    values = [field.get_db_prep_save(_key(value), connection) for field, value in fields.items()]
    key = record._meta.pk
    sql(f'UPDATE {record._meta.db_table} SET {assigned} WHERE "{key.column}" = %s', *values, record.pk)


def update_by_queryset(record, changes):
    """UPDATE of one row by QuerySet.update."""
    type(record)._base_manager.filter(pk=record.pk).update(**changes)


def insert_by_sql(record):
    """INSERT of one row in plain SQL."""
    fields = [
        field
        for field in record._meta.concrete_fields
        if not field.generated and not (field.primary_key and record.pk is None)
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = [field.get_db_prep_save(field.pre_save(record, True), connection) for field in fields]
    sql(
        f"INSERT INTO {record._meta.db_table} ({columns}) VALUES ({', '.join(['%s'] * len(fields))})", *values
    )


def insert_by_queryset(record):
    """INSERT of one row by bulk_create."""
    type(record)._base_manager.bulk_create([record])


UPDATES = {"SQL": update_by_sql, "QuerySet.update": update_by_queryset}
INSERTS = {"SQL": insert_by_sql, "bulk_create": insert_by_queryset}


def _key(value):
    return getattr(value, "pk", value)
