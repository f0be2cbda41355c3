"""A tournament between two sites with databases of their own: SQLite and PostgreSQL, either way round (O9)."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from django.db import connection, transaction

from config.launcher import processes
from players.models import Player
from tests.services import PostgresServer
from tests.support.real_tables import draw_real
from tests.support.second_site import SecondSite
from tests.support.tournaments import GIRONE, Opened, catch_code
from tests.support.transfer import change_file, finish, read_picture, rule_ready
from tournaments.running.recompute import find_differences
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, recall_tournament, take_in_file

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
if connection.vendor == "sqlite":  # either way each database lends, takes in and plays: one of the two will do
    pytestmark.append(pytest.mark.soak)

DANESE = replace(GIRONE, name="Danese in piazza", format="danese", max_entries=8)


@pytest.fixture
def second_site(tmp_path: Path) -> Iterator[SecondSite]:
    """A site on the other kind of database than the test's own."""
    if connection.vendor != "sqlite":
        yield SecondSite(tmp_path, f"sqlite:///{tmp_path}/site.sqlite3")
        return
    folder = Path(tempfile.mkdtemp(prefix="smazzata-second-"))
    server = PostgresServer(folder)
    process = server.start()
    try:
        yield SecondSite(tmp_path, server.url)
    finally:
        processes.stop(process, patience=5)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.rule("O9")
def test_finished_on_another_database_and_brought_back_it_equals_one_finished_at_home_o9(
    second_site: SecondSite, opened: Opened, organiser: Player, now: datetime, tmp_path: Path
) -> None:
    tournament = draw_real(opened, 8, now, DANESE)
    rule_ready(tournament, organiser, now, most=3)
    with transaction.atomic():
        finish(tournament, organiser, now)
        at_home = read_picture(tournament)
        transaction.set_rollback(True)
    tournament.refresh_from_db()
    data = lend_tournament(tournament_id=tournament.pk, by=organiser, to="Sala", now=now)
    back = second_site.finish(data, now)
    assert json.loads((tmp_path / "back.vendor").read_text()) != connection.vendor
    lent = read_picture(tournament)
    ticket = json.loads(back)["loan"]["ticket"].encode()
    forged = change_file(back.replace(ticket, b"x" * len(ticket)), lambda body: None)
    assert catch_code(take_in_file, data=forged, by=organiser, now=now) == "file_forged"
    with pytest.raises(FileRefused) as refused:
        take_in_file(data=back.replace(b"Danese in piazza", b"Danese in cucina"), by=organiser, now=now)
    assert [fault.code for fault in refused.value.faults] == ["damaged"]
    assert read_picture(tournament) == lent
    take_in_file(data=back, by=organiser, now=now)
    brought = read_picture(tournament)
    for picture in (at_home, brought):
        for entry in picture["log"]:
            entry["by"] = ""
    assert brought == at_home
    assert find_differences(tournament) == []
    assert catch_code(take_in_file, data=back, by=organiser, now=now) == "file_returned"
    again = lend_tournament(tournament_id=tournament.pk, by=organiser, to="Sala", now=now)
    recall_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    assert catch_code(take_in_file, data=again, by=organiser, now=now) == "file_recalled"
