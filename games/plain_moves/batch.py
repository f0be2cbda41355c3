"""Statements that write plans: each match's row only if it is still at the revision the plan was made at.

They are built once for each connection from the models; every value is a parameter. A batch is a handful of statements
however many moves are in it. It decides nothing about any move, and knows no thread.
"""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import psycopg
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, DateTimeField, ForeignKey, IntegerField

from games.models import Match, Move
from games.plain_moves.plan import CHANGED, MovePlan

LOCK_TIMEOUT_MS = 200  # for rows that somebody else holds (PostgreSQL): the long way waits, not the batch


class StalePlans(Exception):
    """Some plan of a batch was made on a row that has been written since: the transaction must be rolled back."""


_made = threading.local()  # a connection belongs to one thread, and statements to a connection


def write_plans(plans: Sequence[MovePlan]) -> None:
    """Write these plans of different matches in the running transaction; StalePlans if one of them no longer holds."""
    connection = connections[router.db_for_write(Match)]
    statements: _PlanStatements | None = getattr(_made, "statements", None)
    if statements is None or statements.connection is not connection:
        kind = _PostgresStatements if connection.vendor == "postgresql" else _SqliteStatements
        statements = _made.statements = kind(connection)
    # In one order everywhere, so that two processes never wait for each other.
    if statements.write(sorted(plans, key=lambda plan: plan.move.match_id)) != len(plans):
        raise StalePlans


class _PlanStatements:
    """The two statements of a move, for one connection."""

    def __init__(self, connection: BaseDatabaseWrapper) -> None:
        self.connection = connection

        def name(identifier: Any) -> str:
            return str(connection.ops.quote_name(identifier))

        self._changed = [Match._meta.get_field(column) for column in CHANGED]
        self._inserted = [field for field in Move._meta.concrete_fields if not field.primary_key]
        self._row_values = [(field.name, self._find_converter(field)) for field in self._changed]
        self._move_values = [(field.attname, self._find_converter(field)) for field in self._inserted]
        changes = ", ".join(f"{name(field.column)} = %s" for field in self._changed)  # type: ignore[union-attr]
        match, key = name(Match._meta.db_table), name(Match._meta.pk.column)
        # Names of tables and columns only, as the models have them; values are parameters.
        self.update = f"UPDATE {match} SET {changes} WHERE {key} = %s AND {name('revision')} = %s"  # noqa: S608
        columns = ", ".join(name(field.column) for field in self._inserted)
        self.into = f"INSERT INTO {name(Move._meta.db_table)} ({columns})"
        self.places = ", ".join("%s" for _ in self._inserted)

    def _find_converter(self, field: Any) -> Callable[[Any], Any] | None:
        """Return what makes a parameter of a field's value; None where the value is one."""
        if isinstance(field, IntegerField | CharField | ForeignKey):
            return None
        if isinstance(field, DateTimeField):
            return self.connection.ops.adapt_datetimefield_value
        return partial(field.get_db_prep_save, connection=self.connection)

    def row_values(self, plan: MovePlan) -> list[Any]:
        """Return the parameters of the match's row: what is written, the key, the revision before."""
        row = plan.match.__dict__
        written = [convert(row[name]) if convert else row[name] for name, convert in self._row_values]
        return [*written, plan.move.match_id, plan.revision_before]

    def move_values(self, plan: MovePlan) -> list[Any]:
        """Return the parameters of the move's row."""
        move = plan.move
        return [convert(getattr(move, name)) if convert else getattr(move, name) for name, convert in self._move_values]

    def write(self, plans: Sequence[MovePlan]) -> int:
        """Return how many of the plans held."""
        raise NotImplementedError


class _SqliteStatements(_PlanStatements):
    def write(self, plans: Sequence[MovePlan]) -> int:
        with self.connection.cursor() as cursor:
            cursor.executemany(self.update, [self.row_values(plan) for plan in plans])
            held = cursor.rowcount
            if held == len(plans):
                cursor.executemany(f"{self.into} VALUES ({self.places})", [self.move_values(plan) for plan in plans])
        return int(held)


class _PostgresStatements(_PlanStatements):
    """One statement a move, all of them sent before the first is answered, prepared by the server once."""

    def __init__(self, connection: BaseDatabaseWrapper) -> None:
        super().__init__(connection)
        update, key = self.update, connection.ops.quote_name(str(Match._meta.pk.column))
        self.statement = f"WITH held AS ({update} RETURNING {key}) {self.into} SELECT {self.places} FROM held"  # noqa: S608

    def write(self, plans: Sequence[MovePlan]) -> int:
        self.connection.ensure_connection()
        raw: Any = self.connection.connection
        values = [[*self.row_values(plan), *self.move_values(plan)] for plan in plans]
        threshold, raw.prepare_threshold = raw.prepare_threshold, 0
        try:
            with self.connection.wrap_database_errors, psycopg.Cursor(raw) as cursor:
                with raw.pipeline():
                    cursor.execute(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}")
                    cursor.executemany(self.statement, values)
                return int(cursor.rowcount)
        finally:
            raw.prepare_threshold = threshold
