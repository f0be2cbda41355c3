"""Files of the largest tournament, which other sites take in; what no site takes in stays where it is (O9)."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from players.models import Player
from tests.support.tournaments import catch_code
from tests.support.transfer import rule_ready
from tournaments.formats import FORMATS
from tournaments.formats.danese import propose_rounds
from tournaments.models import Tournament
from tournaments.transfer.document import MAX_FILE_BYTES, Document
from tournaments.transfer.loans import lend_tournament
from tournaments.transfer.outgoing import make_copy, make_document

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O9")]

LONGER = 1.1  # than in a small tournament: names, numbers, the hours of a real clock


def weigh(document: Document, rows: list[Any]) -> float:
    """Return how much longer the file gets by another row of a list of it."""
    before = len(document.encode())
    count = len(rows)
    rows.extend(rows[:])
    grown = len(document.encode()) - before
    del rows[count:]
    return grown / count


def test_the_largest_danese_of_the_site_fits_its_file(field: Tournament, organiser: Player, now: datetime) -> None:
    rule_ready(field, organiser, now)
    document = make_document(field, now)
    body = document.body
    fixture = weigh(document, body["rounds"][0]["fixtures"])
    entry = weigh(document, body["entries"]) + weigh(document, body["persons"])
    size = FORMATS["danese"].max_size
    told = size * 120  # each entry's line of the log
    assert size * entry + propose_rounds(size) * size // 2 * fixture + told < MAX_FILE_BYTES / LONGER


def test_what_no_site_would_take_in_leaves_none(field: Tournament, organiser: Player, now: datetime) -> None:
    document = make_document(field, now)
    room = MAX_FILE_BYTES - len(replace(document, body={**document.body, "padding": ""}).encode())
    Tournament.objects.filter(pk=field.pk).update(description="x" * room)
    field.refresh_from_db()
    assert len(make_copy(field, now)) <= MAX_FILE_BYTES
    Tournament.objects.filter(pk=field.pk).update(description="x" * (room + 1024))
    field.refresh_from_db()
    assert catch_code(make_copy, tournament=field, now=now) == "file_too_big"
    lent = catch_code(lend_tournament, tournament_id=field.pk, by=organiser, to="Bar Sport", now=now)
    assert lent == "file_too_big"
    field.refresh_from_db()
    assert field.lent_to == "", "it goes on here"
