"""The empty database with all its tables: made once a run from the models, then copied by each process of the tests
and emptied after each test that really commits.

That migrations and models say the same is checked by ``makemigrations --check``; tests of migrations run them.
"""

import os
import shutil
from functools import cache
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings
from django.test.utils import setup_databases

from tests.services import MARK, kept

NAME = "smazzata_empty"  # PostgreSQL's
KEPT = {"django_content_type", "auth_permission"}  # what migrations write, and a flush would have them write again
EMPTYING_TRIES = 20


def _find_file() -> Path:
    """Return the place of SQLite's; for PostgreSQL, whose server is this run's, of a note that it is there."""
    return kept() / "empty.sqlite3" if connection.vendor == "sqlite" else Path(os.environ[MARK]) / "empty"


def exists() -> bool:
    """Return whether a process has made it."""
    return _find_file().exists()


def make() -> None:
    """Make it, with every migration written down as applied."""
    chosen = connection.settings_dict
    own, test_name = chosen["NAME"], chosen["TEST"]["NAME"]
    growing = _find_file().with_suffix(".new")
    growing.touch()
    chosen["TEST"]["NAME"] = str(growing) if connection.vendor == "sqlite" else NAME
    if connection.vendor == "postgresql":
        _run_beside(f'DROP DATABASE IF EXISTS "{NAME}"')  # TEST_DATABASE_URL names a server that stays
    without = {config.label: None for config in apps.get_app_configs()}
    with override_settings(MIGRATION_MODULES=without):
        setup_databases(verbosity=0, interactive=False, keepdb=True)
    recorder = MigrationRecorder(connection)
    for app, name in MigrationLoader(None, ignore_no_migrations=True).disk_migrations:
        recorder.record_applied(app, name)
    leave()
    chosen["NAME"], chosen["TEST"]["NAME"] = own, test_name
    growing.rename(_find_file())


def copy() -> None:
    """Give this process its own copy, under the name its settings have for the tests."""
    name = connection.settings_dict["TEST"]["NAME"]
    leave()
    if connection.vendor == "sqlite":
        shutil.copy(_find_file(), name)
    else:
        _run_beside(f'DROP DATABASE IF EXISTS "{name}"')
        _run_beside(f'CREATE DATABASE "{name}" TEMPLATE "{NAME}"')
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


def empty() -> None:
    """Delete all that is in this process's copy. A worker that sweeps meanwhile may be in the way: once more then."""
    for left in reversed(range(EMPTYING_TRIES)):
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                emptying = [f"DELETE FROM {connection.ops.quote_name(table)}" for table in _list_tables()]
                for statement in emptying if connection.vendor == "sqlite" else ["; ".join(emptying)]:
                    cursor.execute(statement)
        except (OperationalError, IntegrityError):  # both wait for each other; a row came that refers to a deleted one
            if not left:
                raise
        else:
            return


@cache
def _list_tables() -> list[str]:
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(tables) - KEPT)


def _run_beside(statement: str) -> None:
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(statement)


def leave() -> None:
    """Close every connection to the database: what is open can't be copied."""
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]
