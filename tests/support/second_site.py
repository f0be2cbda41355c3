"""Another site in tests: a process with its own database, key and name, which takes a tournament in, plays it to the
end and gives it back. Run as a program by ``SecondSite``; it says nothing but faults."""

import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "Sandra"


class SecondSite:
    """A site on a database of its own; ``url`` of SQLite in its folder, or of a PostgreSQL server."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": url,
            "DATA_DIR": str(folder / "data"),
            "SECRET_KEY": "the key of a laptop in a hall",
            "REDIS_PREFIX": "second-site",
            "SITE_URL": "http://sala.example:8000",
        }

    def finish(self, data: bytes, now: datetime) -> bytes:
        """Take the file in, play to the end there, and return the file that goes back."""
        there, back = self.folder / "there.json", self.folder / "back.json"
        there.write_bytes(data)
        command = [sys.executable, "-m", "tests.support.second_site", str(there), str(back), now.isoformat()]
        ran = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr[-3000:]
        return back.read_bytes()


def main(there: Path, back: Path, now: datetime) -> None:
    import django

    django.setup()
    from django.apps import apps
    from django.core.management import call_command
    from django.db import connection
    from django.test import override_settings

    with override_settings(MIGRATION_MODULES={config.label: None for config in apps.get_app_configs()}):
        call_command("migrate", run_syncdb=True, verbosity=0)  # the tables as they are: quicker than all steps to them
    from tests.support.people import create_person
    from tests.support.tournaments import catch_code
    from tests.support.transfer import finish
    from tournaments.running.recompute import find_differences
    from tournaments.transfer.loans import lend_tournament, take_in_file

    sandra = create_person(NAME, now)
    tournament = take_in_file(data=there.read_bytes(), by=sandra, now=now)
    assert catch_code(take_in_file, data=there.read_bytes(), by=sandra, now=now) == "file_twice"
    finish(tournament, sandra, now)
    assert find_differences(tournament) == []
    back.write_bytes(lend_tournament(tournament_id=tournament.pk, by=sandra, to="", now=now))
    back.with_suffix(".vendor").write_text(json.dumps(connection.vendor))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), datetime.fromisoformat(sys.argv[3]))
