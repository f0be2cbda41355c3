"""Thousands of rows of one model in one statement that the database prepares once.

Django's ``bulk_create`` and ``bulk_update`` compile every value of every row: a girone of 64 takes them nine times as
long as this. Nothing here reads a row back: new ones have no key in memory afterwards. No signal is sent.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
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
    columns = {
        field: values
        for field, values in zip(concrete, _read_columns(concrete, rows), strict=True)
        if values.count(None) < len(values)
    }
    names, marks = ", ".join(map(_quote, columns)), ", ".join("%s" for _ in columns)
    table = connection.ops.quote_name(rows[0]._meta.db_table)
    _run(f"INSERT INTO {table} ({names}) VALUES ({marks})", columns)  # noqa: S608 (the model's names)


def copy_unsaved(row: M, **values: object) -> M:
    """Return another new row like this one but for these values, by column, without running ``__init__`` and the
    setters of foreign keys: those take as long as storing it."""
    made = row.__class__.__new__(row.__class__)
    made.__dict__.update(row.__dict__, **values)
    made._state = ModelState()
    return made


def update_rows(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Store these fields of rows of one model that exist."""
    if not rows:
        return
    meta = rows[0]._meta
    fields: list[Any] = [meta.get_field(name) for name in names]
    assigned = ", ".join(f"{_quote(field)} = %s" for field in fields)
    table = connection.ops.quote_name(meta.db_table)
    statement = f"UPDATE {table} SET {assigned} WHERE {_quote(meta.pk)} = %s"  # noqa: S608 (the model's names)
    fields.append(meta.pk)
    _run(statement, dict(zip(fields, _read_columns(fields, rows), strict=True)))


def _read_columns(fields: "Sequence[Field[Any, Any]]", rows: Sequence[Model]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of all rows, field by field, past the descriptors that look them up one by one."""
    return zip(*map(itemgetter(*(field.attname for field in fields)), map(vars, rows)), strict=True)


def _run(statement: str, columns: "Mapping[Field[Any, Any], Sequence[Any]]") -> None:
    prepared = [_prepare(field, values) for field, values in columns.items()]
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(zip(*prepared, strict=True)))


def _prepare(field: "Field[Any, Any]", values: Sequence[Any]) -> Sequence[Any]:
    if field.get_internal_type() in CONVERTED:
        return [None if value is None else field.get_db_prep_save(value, connection) for value in values]
    return values


def _quote(field: Any) -> str:
    return connection.ops.quote_name(field.column)
