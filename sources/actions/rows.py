"""Many rows in one statement, the same statement whatever their number: they go as JSON, which PostgreSQL unfolds.

The ORM's bulk statements spell out a placeholder for every value, and so are made, parsed and planned anew for each number
of rows; that was half of what a look cost the thread that has the connection.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from django.db import connection, models


def insert(rows: Sequence[models.Model]) -> None:
    """Insert rows of one model; each gets its primary key."""
    if rows:
        for row, (key,) in zip(rows, _execute(_inserting(type(rows[0])), rows), strict=True):
            row.pk = key


def put(rows: Sequence[models.Model], fields: Iterable[str]) -> None:
    """Insert rows of one model by their primary keys; of those that exist, these fields are changed."""
    if rows:
        _execute(_putting(type(rows[0]), tuple(fields)), rows)


def change(rows: Sequence[models.Model], fields: Iterable[str]) -> None:
    """Change these fields of rows that exist."""
    if rows:
        _execute(_changing(type(rows[0]), tuple(fields)), rows)


def _execute(statement: str, rows: Sequence[models.Model]) -> list[tuple[Any, ...]]:
    fields = [(field.column, field.attname) for field in type(rows[0])._meta.concrete_fields]
    values = [{column: getattr(row, name) for column, name in fields} for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(statement, [json.dumps(values, default=str)])
        return cursor.fetchall()


def _columns(model: type[models.Model]) -> str:
    """The columns that a row brings with it: not a key that the database gives."""
    return ", ".join(
        f'"{field.column}"'
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField)
    )


def _given(model: type[models.Model]) -> str:
    return f'jsonb_populate_recordset(NULL::"{model._meta.db_table}", %s::jsonb)'


@cache
def _inserting(model: type[models.Model]) -> str:
    columns = _columns(model)
    key = model._meta.pk.column
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) SELECT {columns} FROM {_given(model)} RETURNING "{key}"'


@cache
def _putting(model: type[models.Model], fields: tuple[str, ...]) -> str:
    columns, key = _columns(model), model._meta.pk.column
    kept = ", ".join(f'"{column}" = excluded."{column}"' for column in _of(model, fields))
    return (
        f'INSERT INTO "{model._meta.db_table}" ({columns}) SELECT {columns} FROM {_given(model)} '
        f'ON CONFLICT ("{key}") DO UPDATE SET {kept} RETURNING "{key}"'
    )


@cache
def _changing(model: type[models.Model], fields: tuple[str, ...]) -> str:
    key = model._meta.pk.column
    kept = ", ".join(f'"{column}" = given."{column}"' for column in _of(model, fields))
    return (
        f'UPDATE "{model._meta.db_table}" kept SET {kept} FROM {_given(model)} given '
        f'WHERE kept."{key}" = given."{key}" RETURNING kept."{key}"'
    )


def _of(model: type[models.Model], fields: tuple[str, ...]) -> list[str]:
    columns = {field.name: str(field.column) for field in model._meta.concrete_fields}
    return [columns[name] for name in fields]
