"""Thousands of rows of one model in one statement that the database prepares once.

Django's ``bulk_create`` and ``bulk_update`` compile every value of every row: a girone of 64 takes them nine times as
long as this. Nothing here reads a row back: new ones have no key in memory afterwards. No signal is sent.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Field, Model
from django.db.models.base import ModelState

M = TypeVar("M", bound=Model)

CONVERTED = ("DateTimeField", "JSONField")  # what isn't a number, a text or a truth value in Python


def insert_rows(rows: Sequence[Model]) -> None:
    """Store new rows of one model. A field that is None in all of them is left to the database."""
    if not rows:
        return
    concrete = [field for field in rows[0]._meta.concrete_fields if not field.primary_key]
    fields = [field for field in concrete if any(getattr(row, field.attname) is not None for row in rows)]
    names, marks = ", ".join(map(_quote, fields)), ", ".join("%s" for _ in fields)
    table = connection.ops.quote_name(rows[0]._meta.db_table)
    _run(f"INSERT INTO {table} ({names}) VALUES ({marks})", fields, rows)  # noqa: S608 (the model's names)


def copy_unsaved(row: M) -> M:
    """Return another new row like this one, without running its ``__init__``: that takes as long as storing it."""
    made = row.__class__.__new__(row.__class__)
    made.__dict__.update(row.__dict__)
    made._state = ModelState()
    return made


def update_rows(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Store these fields of rows of one model that exist."""
    if not rows:
        return
    meta = rows[0]._meta
    fields = [meta.get_field(name) for name in names]
    assigned = ", ".join(f"{_quote(field)} = %s" for field in fields)
    table = connection.ops.quote_name(meta.db_table)
    statement = f"UPDATE {table} SET {assigned} WHERE {_quote(meta.pk)} = %s"  # noqa: S608 (the model's names)
    _run(statement, [*fields, meta.pk], rows)


def _run(statement: str, fields: Sequence[Any], rows: Sequence[Model]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*(_values(field, rows) for field in fields), strict=True)))


def _values(field: "Field[Any, Any]", rows: Sequence[Model]) -> Iterator[Any]:
    name = field.attname
    values = (getattr(row, name) for row in rows)
    if field.get_internal_type() in CONVERTED:
        return (None if value is None else field.get_db_prep_save(value, connection) for value in values)
    return values


def _quote(field: Any) -> str:
    return connection.ops.quote_name(field.column)
