"""Every write of a match raises its revision: a move planned on an older row is then never written (H1)."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from games import outages
from games.engine.shuffling import hash_nonce
from games.models import Liveness, Match
from games.prepared_sql import PreparedSql
from games.services import nonces, playing, preferences, referee, seating, settlement
from games.training import hints
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.tables import CONTROLS, FIRST, SECOND, again, legal, opened, play, play_out, seated

pytestmark = pytest.mark.django_db

SERVICES = (nonces, playing, preferences, referee, seating, settlement, hints)
LATE = timedelta(seconds=40)
NONCE = "ab" * 16

Act = Callable[[Match, datetime], object]


def give_back(match: Match, now: datetime) -> None:
    referee.pause(match_id=match.pk, now=now)
    referee.resume(match_id=match.pk, now=now + timedelta(seconds=3))


def come(match: Match, now: datetime) -> None:
    waiting = opened(list(Player.objects.filter(seats=None)), now)
    for seat in waiting.seats.all():
        seating.sit_down(match_id=waiting.pk, player_id=seat.player_id, token="", now=now)


def claim(match: Match, now: datetime) -> None:
    player_id = match.seats.get(number=0).player_id
    seating.sit_down(match_id=match.pk, player_id=player_id, token="newer", now=now)


def follow(match: Match, now: datetime) -> None:
    preferences.follow_preference(player_id=match.seats.get(number=0).player_id, now=now)


def prefer(match: Match, now: datetime) -> None:
    preferences.choose_automatic(match_id=match.pk, seat=0, control=FIRST, automatic=(), client_id="p", now=now)


def deliver(match: Match, now: datetime) -> None:
    play_out(match, now)
    Match.objects.filter(pk=match.pk).update(settled_at=None)
    assert settlement.deliver_result(match_id=match.pk, now=now)


def pass_on(match: Match, now: datetime) -> None:
    play_out(match, now)
    Match.objects.filter(pk=match.pk).update(settled_at=None)
    settlement.pass_result_on(match_id=match.pk, now=now)


def house(match: Match, now: datetime) -> None:
    Player.objects.filter(seats=None).update(kind=Player.Kind.HOUSE)
    of_house = again(opened(list(Player.objects.filter(kind=Player.Kind.HOUSE)), now))
    assert of_house.bot_due_at is not None
    assert playing.play_house_move(match_id=of_house.pk, now=of_house.bot_due_at) is not None


def lose(match: Match, now: datetime) -> None:
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)


def come_again(match: Match, now: datetime) -> None:
    Match.objects.filter(pk=match.pk).update(absence=Match.Absence.HOUSE)
    settlement.expire_overdue(match_id=match.pk, now=now + LATE)
    before = again(match).revision
    playing.come_back(match_id=match.pk, seat=1, control=SECOND, client_id="b", now=now + LATE)
    assert again(match).revision > before


def take_back(match: Match, now: datetime) -> None:
    Match.objects.filter(pk=match.pk).update(training=True, absence=Match.Absence.HOUSE, noshow_at=None)
    version = play(match, now).version
    before = again(match).revision
    hints.take_back(match_id=match.pk, seat=1, control=SECOND, client_id="t", version=version, now=now)
    assert again(match).revision > before


def set_aside(match: Match, now: datetime) -> None:
    Match.objects.filter(pk=match.pk).update(training=True)
    match.seats.update(live=False)
    opened(list(Player.objects.filter(seats__match=match)), now)
    assert again(match).decided_by == "set_aside"


def mix(match: Match, now: datetime) -> None:
    """Two browsers add their nonces at another table of the same people."""
    referee.stop(match_id=match.pk, now=now)
    with override_settings(MIXING_SECONDS=5):
        waiting = opened([seat.player for seat in match.seats.all()], now)
        for seat in waiting.seats.all():
            seating.sit_down(match_id=waiting.pk, player_id=seat.player_id, token=CONTROLS[seat.number], now=now)
        for act, said in ((nonces.add_hash, "digest"), (nonces.add_nonce, "nonce")):
            for seat in (0, 1):
                text = NONCE if said == "nonce" else hash_nonce(NONCE)
                act(match_id=waiting.pk, seat=seat, control=CONTROLS[seat], client_id="n", now=now, **{said: text})
    assert again(waiting).status == Match.Status.PLAYING


def outage(match: Match, now: datetime) -> None:
    """Sixty seconds without a sweeper, at tables that play, that wait and that are held."""
    before = again(match).deadline_at
    Liveness.objects.create(kind=outages.SWEEPER, beat_at=now)
    outages.record_beat(outages.SWEEPER, now + timedelta(seconds=60))
    assert again(match).deadline_at != before


def held(match: Match, now: datetime) -> None:
    referee.pause(match_id=match.pk, now=now + timedelta(seconds=30))
    outage(match, now)


def begun_meanwhile(match: Match, now: datetime) -> None:
    play(match, now + timedelta(seconds=30))
    outage(match, now)


ACTS: dict[str, list[Act]] = {
    "playing.play_move": [lambda match, now: play(match, now)],
    "playing.play_house_move": [house],
    "playing.abandon": [lose],
    "playing.come_back": [come_again],
    "preferences.choose_automatic": [prefer],
    "preferences.follow_preference": [follow],
    "referee.pause": [lambda match, now: referee.pause(match_id=match.pk, now=now)],
    "referee.resume": [give_back],
    "referee.give_time": [lambda match, now: referee.give_time(match_id=match.pk, seat=1, seconds=9, now=now)],
    "referee.forfeit": [lambda match, now: referee.forfeit(match_id=match.pk, seat=0, now=now)],
    "referee.stop": [lambda match, now: referee.stop(match_id=match.pk, now=now)],
    "seating.open_match": [lambda match, now: opened(list(Player.objects.filter(seats=None)), now), set_aside],
    "seating.sit_down": [come, claim],
    "seating.set_training_aside": [set_aside],
    "nonces.add_hash": [mix],
    "nonces.add_nonce": [mix],
    "settlement.expire_overdue": [lambda match, now: settlement.expire_overdue(match_id=match.pk, now=now + LATE)],
    "settlement.deliver_result": [deliver],
    "settlement.pass_result_on": [pass_on],
    "hints.take_back": [take_back],
    "outages.record_beat": [outage, held, begun_meanwhile],
}
# Statements written by hand, which each database has its own way of; the rest goes by them or by Django's.
PREPARED = {"playing.play_move", "playing.play_house_move", "outages.record_beat"}
WRITES_NOTHING = {
    "playing.choose_moves",
    "playing.join_calls_and_card",
    "seating.find_seated_house_players",
    "settlement.deliver_when_over",
    "hints.explain_hint",
    "hints.prepare_hint",
    "hints.think_of_hint",
}


def test_every_service_that_acts_on_a_match_is_tried_here() -> None:
    public = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in SERVICES
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert public - WRITES_NOTHING == {name for name in ACTS if not name.startswith("outages.")}


@contextmanager
def forgetful_writes() -> Iterator[list[str]]:
    """The statements that write a match and leave its revision."""
    forgetful: list[str] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith('UPDATE "games_match"') and '"revision" =' not in sql:
            forgetful.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield forgetful


def rows() -> dict[int, dict[str, Any]]:
    return {row["id"]: row for row in Match.objects.with_results().values()}


@arrange_once
def match(anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime) -> Match:
    return seated([anna, bruno], now)


@pytest.mark.parametrize(
    ("name", "act"),
    [
        pytest.param(name, act, marks=[pytest.mark.both_databases] if name in PREPARED else [])
        for name, acts in ACTS.items()
        for act in acts
    ],
)
def test_a_service_that_writes_a_match_raises_its_revision(match: Match, now: datetime, name: str, act: Act) -> None:
    before = rows()
    with forgetful_writes() as forgetful:
        act(again(match), now)
    assert forgetful == []
    after = rows()
    changed = [pk for pk, row in after.items() if row != before.get(pk)]
    assert changed, "this act was to write a match"
    for pk in changed:
        assert pk not in before or after[pk]["revision"] > before[pk]["revision"]


@pytest.mark.both_databases
def test_a_write_that_forgets_the_revision_is_caught(
    match: Match, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above: a service that wrote its row in another way would fail there."""
    from games import locked_row

    without = [column for column in locked_row.WRITTEN if column != "revision"]
    monkeypatch.setattr(locked_row, "MATCHES", PreparedSql(Match, without))
    before = rows()
    with forgetful_writes() as forgetful:
        play(match, now)
    assert len(forgetful) == 1
    assert rows()[match.pk]["revision"] == before[match.pk]["revision"]


@pytest.mark.both_databases
def test_a_row_saved_or_updated_in_any_way_is_at_a_new_revision(match: Match, now: datetime) -> None:
    revision = again(match).revision
    Match.objects.filter(pk=match.pk).update(title="Altro")
    assert again(match).revision == revision + 1
    row = again(match)
    row.title = "Altro ancora"
    row.save(update_fields=["title"])
    assert row.revision == again(match).revision == revision + 2
    row.save()
    Match.objects.bulk_update([row], ["title"])
    assert again(match).revision == revision + 4
    assert legal(match)
    assert CONTROLS[0] == again(match).controls[0]
