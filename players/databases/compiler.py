"""Names of models' columns, written once for all the statements that select them.

Django writes each query anew, and half of that time goes into the columns: the list of a model's fields, the quoted
name of each, what turns its values into Python's, and whether a column that sorts is one of those selected. For a
model of seventy columns that is more work than the database has. They are the same at every query for rows of the
model, so they are kept; the rest of a statement is written by Django alone.
"""

from typing import Any

from django.apps import apps
from django.db.backends.postgresql import compiler as postgresql
from django.db.models import Model
from django.db.models.expressions import Col
from django.db.models.sql import compiler

Selected = tuple[Any, tuple[str, Any], str | None]  # an expression, its SQL with parameters, its alias
Converters = dict[int, tuple[list[Any], Any]]  # by the place of a column: functions, and the expression for them
Shape = tuple[type[Model], Any]  # a model, and the relations whose rows come with it

# All by the database's kind first.
QUOTED: dict[tuple[str, str, str], str] = {}  # and by table and column
SELECTED: dict[tuple[str, type[Model]], tuple[Selected, ...]] = {}  # columns of the model's own table
CONVERTERS: dict[tuple[str, Shape], Converters] = {}


class KeptColumns(compiler.SQLCompiler):
    """Compiler of Django's that looks up what it would write of the columns of whole rows."""

    shape: Shape | None = None

    def get_select(self, with_col_aliases: bool = False) -> Any:
        """Return what is selected, for rows of one model from what is kept of them."""
        query = self.query
        self.shape = find_shape(query)
        if self.shape is None or with_col_aliases:
            return super().get_select(with_col_aliases)
        model, related = self.shape
        if related or query.get_initial_alias() != model._meta.db_table:
            return super().get_select()
        key = (self.connection.vendor, model)
        if key not in SELECTED:
            SELECTED[key] = tuple(super().get_select()[0])
        selected = SELECTED[key]
        return list(selected), {"model": model, "select_fields": list(range(len(selected)))}, {}

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
        selected, self.select = self.select, []
        try:
            return super().get_order_by()
        finally:
            self.select = selected

    def get_converters(self, expressions: Any) -> Any:
        """Return what turns values of the rows into Python's."""
        if self.shape is None or len(expressions) != self.col_count:
            return super().get_converters(expressions)
        key = (self.connection.vendor, self.shape)
        if key not in CONVERTERS:
            CONVERTERS[key] = super().get_converters(expressions)
        return CONVERTERS[key]


def find_shape(query: Any) -> Shape | None:
    """Return the model whose whole rows a query selects and the rows that come with each; None: other than those."""
    model = query.model
    if (
        model is None
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
