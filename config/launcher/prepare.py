"""Preparation of the data before the site is served: tables, static files, catalogues, something to play.

``python -m config.launcher.prepare``, run by the supervisor before the other processes. Each step does only what is
missing, so that it costs next to nothing when nothing changed. It never touches what people did: demo tournaments are
made on an empty site only.
"""

import os
import sys
import tempfile
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import polib
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper

from config.environment import BrokenSetting

OWN_APPS = ("players", "games", "records", "tournaments")  # those with tables


def compile_messages(locale: Path) -> int:
    """Compile the catalogues newer than their compiled form; return how many there were. Needs no gettext."""
    compiled = 0
    for source in sorted(locale.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        with tempfile.NamedTemporaryFile(dir=source.parent, delete=False) as binary:
            binary.write(polib.pofile(str(source), encoding="utf-8").to_binary())
        os.chmod(binary.name, 0o644)
        os.replace(binary.name, target)  # at once: others may be reading it
        compiled += 1
    return compiled


def refuse_data_of_before(apps: Collection[str]) -> None:
    """Raise BrokenSetting if the database went through migrations that these apps no longer have.

    Their migrations began again while nothing was deployed, so no step leads from there to here. Nothing is written.
    """
    from django.conf import settings
    from django.db import connection
    from django.db.migrations.loader import MigrationLoader

    loader = MigrationLoader(connection)
    unknown = [key for key in loader.applied_migrations if key[0] in apps and key not in loader.disk_migrations]
    if unknown:
        where = f"The data in {settings.DATA_DIR}" if connection.vendor == "sqlite" else "The database of DATABASE_URL"
        raise BrokenSetting(
            f"{where} is of a Smazzata from before its tables began again ({'.'.join(min(unknown))}), and was left "
            "untouched: move it away, or name another by DATA_DIR or DATABASE_URL."
        )


def refuse_wrong_deck_keys() -> None:
    """Raise BrokenSetting if some match that runs can't go on, for no key of DECK_KEYS opens its decks."""
    from games.sealed_decks import list_unopenable

    if lost := len(list_unopenable()):
        raise BrokenSetting(
            f"DECK_KEYS opens nothing of {lost} running matches or draws to come: give the keys they were sealed with, "
            "or the file deck_key of their data folder."
        )


def refuse_shared_sessions() -> None:
    """Raise BrokenSetting if a pooler gives two connections one session of PostgreSQL, with its limits and locks."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return
    with closing(connection.copy()) as one, closing(connection.copy()) as other:
        for wrapper in (one, other):
            wrapper.settings_dict["OPTIONS"].pop("pool", None)
        if read_session(one) == read_session(other):
            raise BrokenSetting(
                "A pooler before the PostgreSQL of DATABASE_URL gives one session to several connections; limits of "
                "time and locks belong to a session: pool_mode=session, if it is PgBouncer."
            )


def read_session(connection: BaseDatabaseWrapper) -> int:
    """Return the number of the server's process that answers this connection, and leave the connection open."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def prepare() -> None:
    """Take every step, in order."""
    import django
    from django.conf import settings

    django.setup()
    from config.checks import refuse_if_unsafe, refuse_open_servers
    from config.launcher.statics import collect_static

    refuse_if_unsafe()
    refuse_open_servers()
    refuse_shared_sessions()
    refuse_data_of_before(OWN_APPS)
    call_command("migrate", interactive=False, verbosity=0)
    refuse_wrong_deck_keys()
    for locale in settings.LOCALE_PATHS:
        compile_messages(Path(locale))
    collect_static(settings.DATA_DIR)
    call_command("demo", "--if-empty")


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        prepare()
    except BrokenSetting as error:
        print(error, file=sys.stderr)  # noqa: T201 the supervisor shows the last line
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
