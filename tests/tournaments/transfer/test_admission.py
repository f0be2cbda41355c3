"""Files that are large, broken or sent in a loop hold nobody up: they are checked before anything is locked, one at a
time, and every attempt counts (AT11)."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players import caps
from players.models import Player
from tests.support.keys import by_key, code, make_key, send
from tests.support.people import sign_in
from tests.support.tournaments import catch_code
from tests.support.transfer import change_file, finish
from tournaments.models import Tournament
from tournaments.transfer.admission import LEASE_TIME, admit_file
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import check_file, lend_tournament, store_incoming, take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db]

ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")
IMPORT = "/api/v1/tournaments/import/"


def forge_rank(body: Any) -> None:
    """Give the first entry a rank that no result gives: of all that a file says it is checked last."""
    body["entries"][0]["rank"] = 4


def forge_log(body: Any) -> None:
    """Give the last entry of the log details that no entry has."""
    body["log"][-1]["detail"] = {"nobody": 1}


def admit(by: Player, now: datetime) -> None:
    with admit_file(by, now):
        pass


def post(client: Client, data: bytes) -> list[str]:
    """Send a file by the page; the codes of what it says is wrong."""
    answer = client.post(reverse("tournament-file"), {"file": SimpleUploadedFile("t.json", data)})
    errors = answer.context["form"].errors.as_data().get("file", [])
    return [error.code for error in errors] or [fault[0] for fault in answer.context["faults"]]


@pytest.mark.rule("O9")
@pytest.mark.parametrize(("forge", "fault"), [(forge_rank, "differs"), (forge_log, "log_impossible")])
def test_a_file_is_checked_to_the_last_value_before_anything_is_written_at11(
    field: Tournament, organiser: Player, referee: Player, now: datetime, forge: Callable[[Any], None], fault: str
) -> None:
    finish(field, organiser, now)
    forged = change_file(make_copy(field, now), forge)
    with ELSEWHERE, CaptureQueriesContext(connection) as done, pytest.raises(FileRefused) as refused:
        take_in_file(data=forged, by=referee, now=now)
    assert {fault.code for fault in refused.value.faults} == {fault}
    assert {query["sql"].split()[0] for query in done.captured_queries} <= {"SELECT"}


@pytest.mark.rule("O9")
def test_what_comes_back_is_checked_before_anything_is_locked_too_at11(
    field: Tournament, organiser: Player, now: datetime
) -> None:
    data = lend_tournament(tournament_id=field.pk, by=organiser, to="Sala", now=now)
    forged = change_file(data, lambda body: body["entries"][0].update(mp=99))
    with CaptureQueriesContext(connection) as done, pytest.raises(FileRefused):
        take_in_file(data=forged, by=organiser, now=now)
    assert {query["sql"].split()[0] for query in done.captured_queries} <= {"SELECT"}


@pytest.mark.rule("O9")
def test_a_file_that_was_checked_twice_is_stored_once_at11(
    field: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    data = make_copy(field, now)
    with ELSEWHERE:
        two = [check_file(data=data, by=by, now=now) for by in (organiser, referee)]
        assert store_incoming(two[0], by=organiser, now=now).entries.count() == 4
        assert catch_code(store_incoming, incoming=two[1], by=referee, now=now) == "file_twice"


@pytest.mark.rule("O9")
def test_files_that_are_refused_count_like_those_that_are_taken_at11(
    field: Tournament, referee: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "FILES_A_PERSON", (caps.Cap(3, caps.HOUR),))
    data = make_copy(field, now)
    with ELSEWHERE:
        page, key = sign_in(referee), by_key(make_key(referee))
        assert post(page, data[:-9]) == ["no_json"]
        forged = {"file": json.loads(change_file(data, forge_rank))}
        assert code(send(key, IMPORT, forged)) == (409, "file_refused")
        again = key.post(IMPORT, forged, "application/json", headers={"Idempotency-Key": "one"})
        assert code(again) == (409, "file_refused"), "in one transaction with its answer, which is rolled back"
        assert post(page, data) == ["brought_often"]
        assert code(send(key, IMPORT, forged)) == (429, "brought_often")


@pytest.mark.rule("O9")
def test_one_file_is_taken_in_at_a_time_at11(organiser: Player, referee: Player, now: datetime) -> None:
    with admit_file(organiser, now):
        assert catch_code(admit, by=referee, now=now) == "file_busy"
        admit(referee, now + LEASE_TIME)  # the process that had it has died
    admit(referee, now + timedelta(seconds=1))
