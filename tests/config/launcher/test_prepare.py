"""Preparation at a start, only where something is missing."""

import gettext
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.test import override_settings

from config.environment import BrokenSetting
from config.launcher import prepare
from config.launcher.preflight import claim_data
from config.launcher.prepare import compile_messages, refuse_shared_sessions
from config.launcher.statics import RELEASES, collect_static, compute_static_fingerprint

CATALOGUE = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Gioca subito"
msgstr "Play now"
"""


def test_a_catalogue_is_compiled_once_and_again_when_it_changed(tmp_path: Path) -> None:
    source = tmp_path / "en" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(CATALOGUE)

    assert compile_messages(tmp_path) == 1
    assert compile_messages(tmp_path) == 0

    source.write_text(CATALOGUE.replace("Play now", "Play at once"))
    later = source.with_suffix(".mo").stat().st_mtime + 10
    os.utime(source, (later, later))
    assert compile_messages(tmp_path) == 1
    with source.with_suffix(".mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Gioca subito") == "Play at once"


def test_data_of_before_the_tables_began_again_are_refused_and_left_untouched(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "smazzata.sqlite3")) as before:
        before.execute("CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app TEXT, name TEXT, applied TEXT)")
        before.execute("INSERT INTO django_migrations VALUES (1, 'tournaments', '0004_desk', '2026-11-01 10:00')")
        before.commit()
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    answer = subprocess.run(
        [sys.executable, "-m", "config.launcher.prepare"],
        env=environment | {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 2, answer.stderr
    (sentence,) = answer.stderr.splitlines()
    assert "tournaments.0004_desk" in sentence
    assert "left untouched" in sentence
    with closing(sqlite3.connect(tmp_path / "smazzata.sqlite3")) as after:
        assert [name for (name,) in after.execute("SELECT name FROM sqlite_master")] == ["django_migrations"]


def test_static_files_are_collected_only_when_one_of_them_changed(tmp_path: Path) -> None:
    sources, data = tmp_path / "static", tmp_path / "data"
    sources.mkdir()
    data.mkdir()
    style = sources / "site.css"
    style.write_text("body { color: black }")
    storages = {"staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"}}
    with override_settings(
        STATICFILES_DIRS=[sources],
        STATIC_ROOT=data / "static",
        STORAGES=storages,
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
    ):
        assert collect_static(data)
        assert not collect_static(data)
        before = compute_static_fingerprint()
        style.write_text("body { color: green; }")
        assert compute_static_fingerprint() != before
        assert collect_static(data)
    assert [path for path in (data / "static").glob("site.*.css") if "green" in path.read_text()]


def test_what_a_running_site_serves_stays_in_its_place_for_three_releases(tmp_path: Path) -> None:
    """An update is unseen (H13)."""
    sources, data = tmp_path / "static", tmp_path / "data"
    sources.mkdir()
    data.mkdir()
    style, script = sources / "site.css", sources / "page.js"
    script.write_text("// the same in all releases")
    kept: list[tuple[Path, int]] = []
    with override_settings(
        STATICFILES_DIRS=[sources],
        STATIC_ROOT=data / "static",
        STORAGES={"staticfiles": {"BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"}},
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
    ):
        for release in range(RELEASES + 1):
            style.write_text(f"body {{ width: {release}px }}")
            assert collect_static(data)
            for hour in (1, 2, 3):  # sources that were copied again are no other release
                os.utime(script, (hour, hour))
                assert collect_static(data)
            if release < RELEASES:
                assert [path.stat().st_ino for path, inode in kept] == [inode for _path, inode in kept], (
                    "none was away for a moment"
                )
            (newest,) = (path for path in (data / "static").glob("site.*.css") if f" {release}px" in path.read_text())
            (same,) = (data / "static").glob("page.*.js")
            kept += [(path, path.stat().st_ino) for path in (newest, same)]
    stats = json.loads((data / "static" / "staticfiles.json").read_text())["stats"]
    assert {path.name for path in (data / "static").iterdir()} - {"staticfiles.json"} == stats.keys() - {
        "staticfiles.json"
    }
    assert [path.exists() for path, _inode in kept[::2]] == [False] + [True] * RELEASES
    assert same.stat().st_ino == kept[1][1]


def test_the_data_folder_is_for_its_owner_alone_and_an_open_one_is_closed_at_the_start_at4(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    old.mkdir(mode=0o755)
    for folder in (new, old):
        claim_data(folder).close()
        assert folder.stat().st_mode & 0o777 == 0o700
    everybodys = tmp_path / "everybodys"
    everybodys.mkdir()
    everybodys.chmod(0o1777)  # as /tmp is: not ours to close
    claim_data(everybodys).close()
    assert everybodys.stat().st_mode & 0o7777 == 0o1777


@pytest.mark.only_on("postgres")
@pytest.mark.django_db
def test_a_pooler_that_gives_one_session_to_two_connections_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_shared_sessions()
    monkeypatch.setattr(prepare, "read_session", lambda _connection: 4711)
    with pytest.raises(BrokenSetting, match="pool_mode=session"):
        refuse_shared_sessions()
