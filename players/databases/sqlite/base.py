"""Django's SQLite backend, whose statements are written with kept columns (players/databases/compiler.py)."""

from typing import Any

from django.db.backends.sqlite3 import base, operations

from players.databases.compiler import SqliteCompiler


class SqliteOperations(operations.DatabaseOperations):
    """Operations of SQLite, with our compiler of rows."""

    def compiler(self, compiler_name: str) -> Any:
        return SqliteCompiler if compiler_name == "SQLCompiler" else super().compiler(compiler_name)


class DatabaseWrapper(base.DatabaseWrapper):
    """Connection to SQLite."""

    ops_class = SqliteOperations
