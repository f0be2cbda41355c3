"""The few statements that every move and every page makes, built once from the models and run again with other values.

The ORM compiles a query anew each time, which costs several times what the database needs for it, with the lock held.
Only names from the models stand in the text of a statement; every value is a parameter, prepared and converted by its
field as the ORM does. No signal is sent. It decides nothing about any row.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar

from django.db import connections, models, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field

from games.withheld import WithheldRow

Row = TypeVar("Row", bound=models.Model)
Converter = Callable[[Any, Any, BaseDatabaseWrapper], Any]


class PreparedSql(Generic[Row]):
    """The rows of one model. ``written``: the fields that ``update`` writes. Safe between threads."""

    def __init__(self, model: type[Row], written: Sequence[str] = ()) -> None:
        self._model = model
        self._written = written
        self._asks_results = False
        self._made = threading.local()  # a connection belongs to one thread, and statements to a connection

    def with_results(self) -> Self:
        """Rows that tell their results (``games.withheld``): for the table itself."""
        self._asks_results = True
        return self

    def lock(self, pk: int, *, skip_locked: bool = False) -> Row | None:
        """The row, locked until the transaction ends; None if there is none, or if it may be skipped and is locked.

        SQLite has no row locks: there a transaction is alone.
        """
        statements = self._statements()
        if not statements.connection.in_atomic_block:
            raise transaction.TransactionManagementError("a lock lasts for a transaction, and there is none")
        with statements.connection.cursor() as cursor:
            cursor.execute(statements.lock_or_skip if skip_locked else statements.lock, [pk])
            values = cursor.fetchone()
        return None if values is None else statements.row(values)

    def read(self, pk: int) -> Row | None:
        """The row as it was committed last, without a lock; None if there is none."""
        statements = self._statements()
        with statements.connection.cursor() as cursor:
            cursor.execute(statements.read, [pk])
            values = cursor.fetchone()
        return None if values is None else statements.row(values)

    def find(self, **wanted: int | str) -> Row | None:
        """The one row that has these values in its columns, as it was committed last; None if there is none."""
        statements = self._statements()
        with statements.connection.cursor() as cursor:
            cursor.execute(statements.select + statements.where(tuple(wanted)), [*wanted.values()])
            values = cursor.fetchone()
        return None if values is None else statements.row(values)

    def exists(self, **wanted: int | str) -> bool:
        """Return whether some row has these values in its columns, as it was committed last."""
        statements = self._statements()
        with statements.connection.cursor() as cursor:
            cursor.execute(f"{statements.probe}{statements.where(tuple(wanted))} LIMIT 1", [*wanted.values()])
            return cursor.fetchone() is not None

    def read_from(self, column: str, value: int, order: str, first: int) -> list[Row]:
        """The rows that have this value there, from the ``first`` on, in the order of a column."""
        statements = self._statements()
        with statements.connection.cursor() as cursor:
            cursor.execute(statements.select_from(column, order), [value, first])
            return [statements.row(values) for values in cursor.fetchall()]

    def insert(self, *rows: object) -> None:
        """Write new rows, or what has their columns, in one statement. IntegrityError if one of them may not be."""
        statements = self._statements()
        values = [value for row in rows for value in statements.values(row, statements.inserted)]
        with statements.connection.cursor() as cursor:
            cursor.execute(statements.insert + ", ".join([statements.places] * len(rows)), values)

    def update(self, row: Row) -> None:
        """Write the fields ``written`` of a row that is locked."""
        statements = self._statements()
        with statements.connection.cursor() as cursor:
            cursor.execute(statements.update, [*statements.values(row, statements.updated), row.pk])

    def _statements(self) -> "_Statements[Row]":
        connection = connections[router.db_for_write(self._model)]
        made: _Statements[Row] | None = getattr(self._made, "statements", None)
        if made is None or made.connection is not connection:
            made = _Statements(self._model, self._written, connection, asks_results=self._asks_results)
            self._made.statements = made
        return made


class _Statements(Generic[Row]):
    """The statements of one model for one connection."""

    def __init__(
        self, model: type[Row], written: Sequence[str], connection: BaseDatabaseWrapper, *, asks_results: bool
    ) -> None:
        self.model, self.connection, self._asks_results = model, connection, asks_results
        meta = model._meta

        def name(identifier: Any) -> str:
            return str(connection.ops.quote_name(identifier))

        self.fields: list[Field[Any, Any]] = list(meta.concrete_fields)
        self.inserted = [field for field in self.fields if not field.primary_key]
        self.updated: list[Field[Any, Any]] = [meta.get_field(column) for column in written]  # type: ignore[misc]
        table, key = name(meta.db_table), name(meta.pk.column)
        chosen = ", ".join(name(field.column) for field in self.fields)
        new = ", ".join(name(field.column) for field in self.inserted)
        self.places = f"({', '.join('%s' for _ in self.inserted)})"
        changed = ", ".join(f"{name(field.column)} = %s" for field in self.updated)
        # Names of tables and columns only, as the models have them; values are parameters.
        self._conditions: dict[tuple[str, ...], str] = {}
        self.select = f"SELECT {chosen} FROM {table}"  # noqa: S608
        self.probe = f"SELECT 1 FROM {table}"  # noqa: S608
        self.read = self.lock = self.lock_or_skip = f"{self.select} WHERE {key} = %s"
        if connection.features.has_select_for_update:
            self.lock += f" {connection.ops.for_update_sql()}"
            self.lock_or_skip += f" {connection.ops.for_update_sql(skip_locked=True)}"
        self.insert = f"INSERT INTO {table} ({new}) VALUES "  # noqa: S608
        self.update = f"UPDATE {table} SET {changed} WHERE {key} = %s"  # noqa: S608
        self._names = [field.attname for field in self.fields]
        self._converted = [
            (place, *reader) for place, field in enumerate(self.fields) if (reader := self._reader(field))
        ]

    def where(self, columns: tuple[str, ...]) -> str:
        """Return the condition of the rows that have given values in some columns."""
        condition = self._conditions.get(columns)
        if condition is None:
            names = [self.connection.ops.quote_name(str(self._column(name))) for name in columns]
            condition = self._conditions[columns] = f" WHERE {' AND '.join(f'{name} = %s' for name in names)}"
        return condition

    def select_from(self, column: str, order: str) -> str:
        """Return the statement for rows by a column's value, from one of another column on."""
        by, along = (self.connection.ops.quote_name(str(self._column(name))) for name in (column, order))
        return f"{self.select} WHERE {by} = %s AND {along} >= %s ORDER BY {along}"

    def _column(self, name: str) -> Any:
        return self.model._meta.get_field(name).column  # type: ignore[union-attr]

    def _reader(self, field: "Field[Any, Any]") -> "tuple[Any, list[Converter]] | None":
        """Return the converter of a column's values to Python's; None where the driver's own will do."""
        column = field.get_col(self.model._meta.db_table)
        converters = [*self.connection.ops.get_db_converters(column), *column.get_db_converters(self.connection)]
        return (column, converters) if converters else None

    def row(self, values: Sequence[Any]) -> Row:
        """The model's instance of a row that was read."""
        converted = list(values)
        for place, column, converters in self._converted:
            for convert in converters:
                converted[place] = convert(converted[place], column, self.connection)
        row = self.model.from_db(self.connection.alias, self._names, converted)
        return row.with_results() if self._asks_results and isinstance(row, WithheldRow) else row

    def values(self, row: object, fields: "Sequence[Field[Any, Any]]") -> list[Any]:
        """Return the parameters for these fields of a row, told or not."""
        stored = vars(row) if isinstance(row, models.Model) else {}
        names = (field.attname for field in fields)
        values = [stored[name] if name in stored else getattr(row, name) for name in names]
        return [field.get_db_prep_save(value, self.connection) for field, value in zip(fields, values, strict=True)]
