"""Thousands of rows of one model at once: read past ``__init__``, written in one statement that is prepared once.

Django's ``bulk_create`` and ``bulk_update`` compile every value of every row: a girone of 64 takes them nine times as
long as this. New rows have no key in memory afterwards. No signal is sent.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from operator import itemgetter
from typing import Any, TypeVar, cast

from django.db import connection
from django.db.models import Field, Model, QuerySet
from django.db.models.base import ModelState

from games.withheld import WithheldQuerySet, WithheldRow

M = TypeVar("M", bound=Model)

PARAMETER = "%s"


def read_rows(rows: "QuerySet[M]", names: Sequence[str]) -> list[M]:
    """Return the rows with these fields and the key; the others are read when they are asked for, as by ``only``."""
    meta = rows.model._meta
    attributes = [meta.pk.attname, *(cast("Field[Any, Any]", meta.get_field(name)).attname for name in names)]
    asks_results = isinstance(rows, WithheldQuerySet) and rows.asks_results
    state = ModelState()
    state.adding, state.db = False, rows.db

    def make(values: tuple[Any, ...]) -> M:
        row = rows.model.__new__(rows.model)
        row.__dict__.update(zip(attributes, values, strict=True), _state=copy(state))
        return row.with_results() if asks_results and isinstance(row, WithheldRow) else row

    return list(map(make, rows.values_list(*attributes)))


def insert_rows(rows: Sequence[Model]) -> None:
    """Store new rows of one model. A field that is None in all of them is left to the database."""
    if not rows:
        return
    concrete = [field for field in rows[0]._meta.concrete_fields if not field.primary_key]
    columns: dict[Any, Sequence[Any]] = {}
    same: dict[Any, str] = {}  # to bind what is the same in thousands of rows takes longer than to store it
    for field, values in zip(concrete, _read_columns(concrete, rows), strict=True):
        first = values[0]
        alike = len(rows) > 1 and values.count(first) == len(values)  # of one row all is bound: a statement needs some
        word = _find_word(first) if alike else PARAMETER
        if word == PARAMETER:
            columns[field] = values
        elif first is not None:
            same[field] = word
    names = ", ".join(map(_quote, (*columns, *same)))
    words = ", ".join((*[PARAMETER] * len(columns), *same.values()))
    table = connection.ops.quote_name(rows[0]._meta.db_table)
    _run(f"INSERT INTO {table} ({names}) VALUES ({words})", columns)  # noqa: S608 (the model's names)


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
    kind = field.get_internal_type()
    if kind == "DateTimeField":
        prepared = {value: value and field.get_db_prep_save(value, connection) for value in set(values)}
        return list(map(prepared.__getitem__, values))
    if kind == "JSONField":
        return [None if value is None else field.get_db_prep_save(value, connection) for value in values]
    return values


def _find_word(value: object) -> str:
    """Return what every database's SQL calls a value; a parameter where that isn't plain."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    plain = isinstance(value, str) and (value == "" or (value.isascii() and value.isalpha()))
    return f"'{value}'" if plain else PARAMETER


def _quote(field: Any) -> str:
    return connection.ops.quote_name(field.column)
