"""Orders of tie-breaks in files (EV10, E6): what was drawn before keeps its reading, here and elsewhere."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings

from players.models import Player
from tests.support.desk import build_act
from tests.support.play import stored_equals_recomputed
from tests.support.standings import CIRCLE, write_result
from tests.support.transfer import change_file, read_results, rule_ready
from tournaments.desk.results import declare_forfeit
from tournaments.models import Fixture, Tournament
from tournaments.running.results import advance
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import take_in_file
from tournaments.transfer.outgoing import make_copy

ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")
pytestmark = [pytest.mark.django_db, pytest.mark.rule("R2", "E6", "O9", "EV10")]


def reorder(tournament: Tournament, code: str, now: datetime) -> None:
    """Rank it by another order, as if it had been drawn so."""
    Tournament.objects.filter(pk=tournament.pk).update(tie_break=code)
    advance(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()


def test_an_order_arrives_with_its_ranks_and_with_what_was_unplayed(
    field: Tournament, organiser: Player, now: datetime
) -> None:
    rule_ready(field, organiser, now)
    fixture = Fixture.objects.of(field).ready().first()
    assert fixture is not None
    declare_forfeit(tournament_id=field.pk, fixture_id=fixture.pk, lines=(0,), act=build_act(organiser, now))
    reorder(field, "wins,sonneborn,difference,lot", now)
    stored_equals_recomputed(field)
    data = make_copy(field, now)
    with ELSEWHERE:
        arrived = take_in_file(data=data, by=organiser, now=now)
    assert arrived.tie_break == "wins,sonneborn,difference,lot"
    assert read_results(arrived) == read_results(field)
    assert Fixture.objects.of(arrived).filter(unplayed=True).count() == 1


@pytest.fixture
def circle(field: Tournament, now: datetime) -> Tournament:
    """The first three beat each other in a circle; by their MP 3 is behind, and 1 beat 2."""
    for fixture in Fixture.objects.of(field).select_related("first", "second"):
        assert fixture.first is not None
        assert fixture.second is not None
        vp, mp = CIRCLE[fixture.first.seed or 0, fixture.second.seed or 0]
        write_result(fixture, vp, (mp, -mp), now)
        points = (7, 4) if vp[0] > vp[1] else (4, 7)
        Fixture.objects.filter(pk=fixture.pk).update(ruled=True, points_0=points[0], points_1=points[1])
    return field


@pytest.mark.parametrize(("code", "read"), [("standard", "standard-1"), ("club", "club-1")])
def test_a_file_of_before_keeps_its_reading(
    circle: Tournament, organiser: Player, now: datetime, code: str, read: str
) -> None:
    reorder(circle, read, now)

    def make_old(body: dict[str, Any]) -> None:
        drop_unplayed(body)
        body["tournament"]["tie_break"] = code
        for entry in body["entries"]:
            for name in ("before", "among"):
                (entry["separation"] or {}).pop(name, None)

    old = change_file(make_copy(circle, now), make_old)
    with ELSEWHERE:
        arrived = take_in_file(data=old, by=organiser, now=now)
    assert arrived.tie_break == read
    assert list(arrived.entries.order_by("seed").values_list("rank", flat=True))[2:] == [3, 4]
    assert len(set(arrived.entries.values_list("rank", flat=True))) == (3 if code == "standard" else 4)


def test_a_file_whose_reasons_tell_what_was_asked_before_is_of_today(
    circle: Tournament, organiser: Player, now: datetime
) -> None:
    reorder(circle, "standard", now)
    recent = change_file(make_copy(circle, now), drop_unplayed)
    with ELSEWHERE:
        arrived = take_in_file(data=recent, by=organiser, now=now)
    assert arrived.tie_break == "standard"
    assert [entry.rank for entry in arrived.entries.order_by("seed")] == [1, 2, 3, 4]


def drop_unplayed(body: dict[str, Any]) -> None:
    for round_ in body["rounds"]:
        for fixture in round_["fixtures"]:
            del fixture["unplayed"]


def test_a_file_that_says_unplayed_of_a_match_that_was_played_is_refused(
    field: Tournament, organiser: Player, now: datetime
) -> None:
    rule_ready(field, organiser, now, most=1)

    def forge(body: dict[str, Any]) -> None:
        played = next(f for r in body["rounds"] for f in r["fixtures"] if f["result_at"] is not None)
        played["unplayed"] = True

    forged = change_file(make_copy(field, now), forge)
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=forged, by=organiser, now=now)
    assert [fault.code for fault in refused.value.faults] == ["refused"]


@pytest.mark.parametrize(
    ("code", "days", "reason", "read"),
    [
        ("standard", 1, {}, "standard-1"),
        ("club", 1, {}, "club-1"),
        ("rete", 1, {}, "rete"),
        ("standard", -1, {}, "standard"),  # drawn since
        ("standard", 1, {"among": 2, "before": [["vp", 10, 4]]}, "standard"),  # ranked anew since
    ],
)
def test_updating_keeps_the_reading_of_what_was_drawn_before_the_direct_encounter_was_asked_again(
    field: Tournament, now: datetime, code: str, days: int, reason: Mapping[str, Any], read: str
) -> None:
    Tournament.objects.filter(pk=field.pk).update(tie_break=code, drawn_at=now)
    field.entries.update(separation={"code": "mp", "own": 3, "next": 1, **reason})
    rows = MigrationRecorder(connection).migration_qs.filter(app="tournaments", name="0006_rounds_stuck")
    rows.update(applied=now + timedelta(days=days))
    migration = import_module("tournaments.migrations.0011_earlier_tie_breaks")
    migration.keep_earlier_readings(apps, SimpleNamespace(connection=connection))
    field.refresh_from_db()
    assert field.tie_break == read
    migration.read_as_today(apps, SimpleNamespace(connection=connection))
    field.refresh_from_db()
    assert field.tie_break == code
