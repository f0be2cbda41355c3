"""Django's PostgreSQL backend, whose connections set their limits of time themselves, and whose statements are written
with kept columns (players/databases/compiler.py).

Given with the connection's start (``-c statement_timeout=…``) they would be refused by a pooler such as PgBouncer, or
left out by it in silence. So ``OPTIONS["limits"]`` holds PostgreSQL's names with milliseconds, set as soon as a
connection is open; with the pool of this process once for each of its connections.
"""

from typing import Any

from django.db.backends.postgresql import base, operations

from players.databases.compiler import PostgresCompiler

LIMITS = "limits"


class PostgresOperations(operations.DatabaseOperations):
    """Operations of PostgreSQL, with our compiler of rows."""

    def compiler(self, compiler_name: str) -> Any:
        return PostgresCompiler if compiler_name == "SQLCompiler" else super().compiler(compiler_name)


class DatabaseWrapper(base.DatabaseWrapper):
    """Connection to PostgreSQL with its limits of time."""

    ops_class = PostgresOperations

    def get_connection_params(self) -> dict[str, object]:
        """Return what the driver is given: the limits are ours."""
        params: dict[str, object] = super().get_connection_params()
        params.pop(LIMITS, None)
        return params

    def _configure_connection(self, connection: Any) -> bool:
        """Set the limits of a connection just opened, and what Django sets; return whether it is to be committed."""
        limits = self.settings_dict["OPTIONS"].get(LIMITS, {})
        if limits:
            calls = ", ".join("set_config(%s, %s, false)" for _ in limits)
            values = [part for name, milliseconds in limits.items() for part in (name, f"{milliseconds}ms")]
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT {calls}", values)
        return bool(super()._configure_connection(connection)) or bool(limits)  # type: ignore[misc]  # no stub has it
