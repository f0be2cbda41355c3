"""Columns of models, written once for all the statements that select whole rows.

Django writes each query anew, and most of that time goes into the columns: the list of a model's fields, the quoted
name of each, what turns its values into Python's, and whether a column that sorts is one of those selected. For a
model of seventy columns that is more work than the database has. They are the same at every query for rows of the
model, alone or with the rows that ``select_related`` brings along, so they are kept; the rest of a statement is
written by Django alone, and so is all of it where a table got another alias than the last time.
"""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.backends.postgresql import compiler as postgresql
from django.db.models import Model
from django.db.models.expressions import Col
from django.db.models.sql import compiler

Column = tuple[Any, tuple[str, Any], str | None]  # an expression, its SQL with parameters, its alias
Converters = dict[int, tuple[list[Any], Any]]  # by the place of a column: functions, and the expression for them
Shape = tuple[type[Model], Any]  # a model, and the relations whose rows come with it


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns selected for whole rows of a model and of those that come with each.

    ``joins``: the relation, the model's options and alias it starts from, and the alias it got, in Django's order.
    ``info``: Django's own nested description of the models and their places.
    """

    columns: tuple[Column, ...]
    info: Any
    joins: tuple[tuple[list[str], Any, str, str], ...]


# All by the database's kind first.
QUOTED: dict[tuple[str, str, str], str] = {}  # and by table and column
ROWS: dict[tuple[str, Shape], Rows] = {}
CONVERTERS: dict[tuple[str, Shape], Converters] = {}


class KeptColumns(compiler.SQLCompiler):
    """Compiler of Django's that looks up what it would write of the columns of whole rows."""

    shape: Shape | None = None

    def get_select(self, with_col_aliases: bool = False) -> Any:
        """Return what is selected, for whole rows from what is kept of them."""
        query = self.query
        self.shape = find_shape(query)
        if self.shape is None or with_col_aliases or query.get_initial_alias() != self.shape[0]._meta.db_table:
            return super().get_select(with_col_aliases)
        key = (self.connection.vendor, self.shape)
        if key not in ROWS:
            ROWS[key] = self.read_rows()
        rows = ROWS[key]
        for names, options, start, alias in rows.joins:  # a filter may have joined these tables already
            if query.setup_joins(names, options, start).joins[-1] != alias:
                return super().get_select()
        return list(rows.columns), rows.info, {}

    def read_rows(self) -> Rows:
        """Return what Django selects, with the joins that it makes for it."""
        query: Any = self.query
        joins = []

        def note_join(names: list[str], options: Any, start: str) -> Any:
            path = type(query).setup_joins(query, names, options, start)
            joins.append((names, options, start, path.joins[-1]))
            return path

        query.setup_joins = note_join
        try:
            columns, info, _annotations = super().get_select()
        finally:
            del query.setup_joins
        return Rows(tuple(columns), info, tuple(joins))

    def compile(self, node: Any) -> Any:
        """Return the SQL of an expression; a column's of a table under its own name is kept."""
        table = node.target.model._meta.db_table if type(node) is Col else None
        if table is None or node.alias != table:
            return super().compile(node)
        key = (self.connection.vendor, table, node.target.column)
        if key not in QUOTED:
            QUOTED[key] = super().compile(node)[0]
        return QUOTED[key], []

    def get_order_by(self) -> Any:
        """Return what sorts: of whole rows a column by its name, without a search among those selected."""
        if self.shape is None or self.query.combinator:
            return super().get_order_by()
        columns, self.select = self.select, []
        try:
            return super().get_order_by()
        finally:
            self.select = columns

    def get_converters(self, expressions: Any) -> Any:
        """Return what turns values of the rows into Python's."""
        if self.shape is None or len(expressions) != self.col_count:
            return super().get_converters(expressions)
        key = (self.connection.vendor, self.shape)
        if key not in CONVERTERS:
            CONVERTERS[key] = super().get_converters(expressions)
        return CONVERTERS[key]


def find_shape(query: Any) -> Shape | None:
    """Return the model whose whole rows a query selects and the rows that come with each; None: other than those.

    Not of models that inherit rows, nor where all relations are followed to some depth.
    """
    model = query.model
    if (
        model is None
        or query.select_related is True
        or not query.default_cols
        or query.selected is not None
        or query.annotations
        or query.extra_select
        or query.deferred_loading[0]
        or model._meta.parents
        or model._meta.apps is not apps  # models of migrations come and go
    ):
        return None
    return model, freeze(query.select_related)


def freeze(related: Any) -> Any:
    """Return the names that select_related has nested as what a dict can be asked for."""
    if isinstance(related, dict):
        return tuple((name, freeze(inner)) for name, inner in related.items())
    return related


class SqliteCompiler(KeptColumns):
    """Compiler of rows from SQLite."""


class PostgresCompiler(KeptColumns, postgresql.SQLCompiler):
    """Compiler of rows from PostgreSQL."""
