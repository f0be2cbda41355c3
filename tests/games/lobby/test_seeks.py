"""Seeks (B2): one at a time, ended by a table, their person or silence; and what the sweep makes of them (B3, B4)."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games import levels
from games.levels import ShownLevel
from games.lobby import duties, seeks
from games.lobby.actions import LobbyRefused
from games.lobby.kinds import SPEEDS, SeekKind
from games.lobby.seek_queries import find_last_kind
from games.models import FreeTable, Match, Seat, Seek
from games.wording import describe_lobby_refusal
from players.models import Player
from players.services.blocks import block_player
from players.services.close_account import close_account
from tests.support.lobby import finish_by_forfeit, open_free_table
from tests.support.people import create_person, take_house
from tests.support.tables import again, opened

pytestmark = pytest.mark.django_db

PAIRS = SeekKind(form="pairs")


def seek(player: Player, now: datetime, kind: SeekKind | None = None, **about: Any) -> Seek:
    return seeks.seek_match(player=player, kind=kind or SeekKind(), now=now, **about)


def refuse(player: Player, now: datetime, kind: SeekKind | None = None, **about: Any) -> str:
    with pytest.raises(LobbyRefused) as error:
        seek(player, now, kind, **about)
    assert describe_lobby_refusal(error.value.code, error.value.wait)
    return error.value.code


def at(now: datetime, seconds: float) -> datetime:
    return now + timedelta(seconds=seconds)


def keep_heard(now: datetime) -> None:
    Seek.objects.update(heard_at=now)


def read_lines(match: Match) -> list[set[str]]:
    seats = Seat.objects.filter(match=match).select_related("player")
    return [{seat.player.name for seat in seats if seat.number % 2 == line} for line in (0, 1)]


@pytest.fixture
def strengths(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Levels of people by id, in every game; who isn't in it has none."""
    known: dict[int, int] = {}

    def read(ids: Collection[int], ruleset: str, form: str, now: datetime) -> dict[int, ShownLevel]:
        return {pk: ShownLevel(known[pk], uncertain=False) for pk in ids if pk in known}

    monkeypatch.setattr(levels, "_readers", [read])
    return known


@pytest.fixture
def due(monkeypatch: pytest.MonkeyPatch) -> dict[int, datetime]:
    """Tables that wait for people elsewhere, by their id."""
    known: dict[int, datetime] = {}
    reader = lambda ids, until: {pk for pk in ids if pk in known and known[pk] <= until}  # noqa: E731
    monkeypatch.setattr(duties, "_readers", [reader])
    return known


@pytest.mark.rule("B2")
def test_a_person_has_one_seek_at_a_time(anna: Player, now: datetime) -> None:
    first = seek(anna, now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Seek.objects.create(player=anna, created_at=now, heard_at=now, ruleset="tresette")
    again_ = seek(anna, at(now, 3), house=True)
    assert (again_.pk, again_.created_at, again_.house) == (first.pk, now, True), "its wait goes on"
    other = seek(anna, at(now, 5), PAIRS)
    assert (Seek.objects.count(), other.created_at) == (1, at(now, 5)), "another kind waits anew"


@pytest.mark.rule("B2")
def test_a_partner_is_somebody_else_and_only_in_pairs(anna: Player, bruno: Player, now: datetime) -> None:
    kind = {"ruleset": "scopa", "option_set": "solita", "speed": "normale", "created_at": now, "heard_at": now}
    for wrong in ({"partner": anna, "form": "pairs"}, {"partner": bruno, "form": "alone"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Seek.objects.create(player=anna, **kind, **wrong)
    (house,) = take_house(count=1, now=now)
    for about in ({"partner": bruno}, {"partner": anna, "kind": PAIRS}, {"partner": house, "kind": PAIRS}):
        assert refuse(anna, now, **about) == "no_such_partner"
    assert seek(anna, now, PAIRS, partner=bruno).partner == bruno


def test_a_closing_account_seeks_no_more_and_is_nobodys_partner(anna: Player, bruno: Player, now: datetime) -> None:
    seek(anna, now, PAIRS, partner=bruno)
    seek(bruno, now, PAIRS, partner=anna)
    close_account(player_id=bruno.pk, now=now)
    assert not Seek.objects.exists()


@pytest.mark.rule("B2")
def test_a_seek_ends_twenty_seconds_after_the_last_page_was_heard_of(anna: Player, now: datetime) -> None:
    seek(anna, now)
    seeks.pair_lobby(at(now, 19))
    assert seeks.hear_of([anna.pk], at(now, 19))
    seeks.pair_lobby(at(now, 38))
    assert Seek.objects.count() == 1
    seeks.pair_lobby(at(now, 39))
    assert not Seek.objects.exists()
    assert not seeks.hear_of([anna.pk], at(now, 40)), "what has ended isn't revived"


@pytest.mark.rule("B2")
def test_its_person_ends_a_seek(anna: Player, now: datetime) -> None:
    seek(anna, now)
    assert seeks.end_seek(player=anna)
    assert not seeks.end_seek(player=anna)


@pytest.mark.rule("B2")
def test_nobody_seeks_while_they_play_or_wait_at_a_table(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    opened([anna, bruno], now)
    open_free_table(carla, now)
    assert {refuse(player, now) for player in (anna, carla)} == {"seated_elsewhere"}


@pytest.mark.rule("B2")
def test_who_sits_down_elsewhere_seeks_no_more(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    seek(anna, now)
    open_free_table(anna, now)
    assert not Seek.objects.exists()
    seek(bruno, now)
    seek(carla, now, PAIRS)
    opened([bruno, carla], now)
    seeks.pair_lobby(now)
    assert not Seek.objects.exists()


@pytest.mark.rule("B2")
def test_nobody_seeks_with_a_table_due_within_five_minutes(
    anna: Player, now: datetime, due: dict[int, datetime]
) -> None:
    due[anna.pk] = at(now, 301)
    seek(anna, now)
    seeks.pair_lobby(now)
    assert Seek.objects.exists()
    keep_heard(at(now, 1))
    seeks.pair_lobby(at(now, 1))
    assert not Seek.objects.exists()
    assert refuse(anna, at(now, 1)) == "table_due"


@pytest.mark.rule("B2")
def test_what_makes_no_sense_is_refused(anna: Player, now: datetime) -> None:
    assert refuse(anna, now, SeekKind("burraco")) == "no_such_kind"
    assert refuse(anna, now, lowest=1600, highest=1500) == "levels_crossed"


@pytest.mark.rule("B2")
def test_who_has_no_level_seeks_as_1500_with_an_open_range(
    anna: Player, bruno: Player, now: datetime, strengths: dict[int, int]
) -> None:
    mine = seek(anna, now, lowest=1900, highest=2000)
    assert (mine.level, mine.lowest, mine.highest) == (None, None, None)
    (unit,) = seeks.list_seekings([mine])
    assert (unit.level, unit.lowest, unit.highest) == (1500, None, None)
    strengths[bruno.pk] = 1480
    theirs = seek(bruno, now, lowest=1400, highest=1600)
    assert (theirs.level, theirs.lowest, theirs.highest) == (1480, 1400, 1600)
    assert seeks.pair_lobby(now) == 1


@pytest.mark.rule("B2")
def test_what_is_sought_again_is_the_latest_match_and_no_training(anna: Player, bruno: Player, now: datetime) -> None:
    assert find_last_kind(anna) == SeekKind()
    for ruleset in ("scopa", "tresette"):
        finish_by_forfeit(opened([anna, bruno], now, ruleset=ruleset), 0, now)
    opened([anna, *take_house(count=1, now=now)], now, ruleset="scopa", context="free", training=True)
    assert find_last_kind(anna).ruleset == "tresette"


@pytest.mark.rule("B2", "B3")
def test_two_who_seek_the_same_are_seated_at_a_table_of_that_kind(anna: Player, bruno: Player, now: datetime) -> None:
    kind = SeekKind("tresette", "accusi", "alone", "lampo")
    seek(anna, now, kind)
    seek(bruno, now, kind)
    assert seeks.pair_lobby(now) == 1
    match = Match.objects.get()
    assert read_lines(match) == [{"Anna"}, {"Bruno"}]
    assert (match.ruleset, match.options, match.turn_timeout, match.match_clock, match.context) == (
        "tresette", dict(kind.terms.options), SPEEDS["lampo"].turn_timeout, SPEEDS["lampo"].match_clock, "free",
    )  # fmt: skip
    table = FreeTable.objects.get()
    assert (table.state, table.match) == (FreeTable.State.STARTED, match), "so that a rematch may follow (B5)"
    assert not Seek.objects.exists()


@pytest.mark.rule("B3")
def test_other_kinds_other_levels_and_blocked_people_are_not_put_together(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, strengths: dict[int, int]
) -> None:
    seek(anna, now)
    seek(bruno, now, SeekKind(speed="lampo"))
    strengths[carla.pk] = 1701
    seek(carla, now)
    block_player(player=dino, blocked=anna, now=now)
    seek(dino, now)
    assert seeks.pair_lobby(now) == 0
    keep_heard(at(now, 5))
    assert seeks.pair_lobby(at(now, 5)) == 0, "201 apart, and 200 admitted"


@pytest.mark.rule("B3")
def test_the_longer_wait_brings_distant_levels_together(
    anna: Player, bruno: Player, now: datetime, strengths: dict[int, int]
) -> None:
    strengths |= {anna.pk: 1500, bruno.pk: 1700}
    seek(anna, now)
    seek(bruno, at(now, 4))
    assert seeks.pair_lobby(at(now, 4)) == 0
    assert seeks.pair_lobby(at(now, 5)) == 1


@pytest.mark.rule("B3")
def test_two_who_met_in_their_last_three_matches_wait_for_somebody_else(
    anna: Player, bruno: Player, carla: Player, now: datetime, strengths: dict[int, int]
) -> None:
    finish_by_forfeit(opened([anna, bruno], now, ruleset="scopa"), 0, now)
    later = at(now, 60)
    strengths |= {anna.pk: 1500, bruno.pk: 1500, carla.pk: 1590}
    assert seek(anna, later).met == [bruno.pk]
    assert seek(bruno, later, SeekKind("tresette")).met == [], "in another game"
    seek(bruno, later)
    seek(carla, later)
    assert seeks.pair_lobby(later) == 1
    assert {seat.player.name for seat in Seat.objects.filter(live=True)} == {"Anna", "Carla"}


@pytest.mark.rule("B3")
def test_who_was_met_four_matches_ago_is_met_as_anybody(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    finish_by_forfeit(opened([anna, bruno], now, ruleset="scopa"), 1, now)
    for _match in range(2):
        finish_by_forfeit(opened([anna, carla], now, ruleset="scopa"), 1, now)
    assert seek(anna, now).met == sorted([bruno.pk, carla.pk])
    seeks.end_seek(player=anna)
    finish_by_forfeit(opened([anna, carla], now, ruleset="scopa"), 1, now)
    assert seek(anna, now).met == [carla.pk]


@pytest.mark.rule("B3", "B7")
def test_training_since_then_makes_nobody_strangers_again(anna: Player, bruno: Player, now: datetime) -> None:
    finish_by_forfeit(opened([anna, bruno], now, ruleset="scopa"), 0, now)
    for _training in range(seeks.LAST_MATCHES):
        opened([anna, *take_house(count=1, now=now)], now, ruleset="scopa", context="free", training=True)
    assert seek(anna, at(now, 60)).met == [bruno.pk]


@pytest.mark.rule("B2", "B3")
def test_partners_who_name_each_other_are_one_line(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    seek(anna, now, PAIRS, partner=dino)
    for player in (bruno, carla):
        seek(player, now, PAIRS)
    seek(dino, now, PAIRS)
    assert seeks.pair_lobby(now) == 0, "Dino hasn't named her"
    assert seeks.join_seek(player=dino, seek_id=Seek.objects.get(player=anna).pk, now=now) is None
    assert seeks.pair_lobby(now) == 1
    assert {"Anna", "Dino"} in read_lines(Match.objects.get())


@pytest.mark.rule("B2", "B3")
def test_a_pair_has_the_mean_level_its_later_hour_and_the_range_that_both_accept(
    anna: Player, bruno: Player, now: datetime, strengths: dict[int, int]
) -> None:
    strengths |= {anna.pk: 1400, bruno.pk: 1700}
    rows = [
        seek(anna, now, PAIRS, partner=bruno, lowest=1300, highest=1800),
        seek(bruno, at(now, 7), PAIRS, partner=anna, lowest=1450, highest=1900),
    ]
    (pair,) = seeks.list_seekings(rows)
    assert (pair.people, pair.level, pair.since) == ((anna.pk, bruno.pk), 1550, at(now, 7).timestamp())
    assert (pair.lowest, pair.highest, pair.house) == (1450, 1800, False)
    seek(anna, at(now, 9), PAIRS, partner=bruno, house=True)
    (pair,) = seeks.list_seekings(list(Seek.objects.order_by("pk")))
    assert not pair.house, "the other hasn't chosen it"


@pytest.mark.rule("B3")
def test_one_click_joins_a_seek_that_fits(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    mine = seek(anna, now)
    match = seeks.join_seek(player=bruno, seek_id=mine.pk, now=now)
    assert match is not None
    assert read_lines(match) == [{"Bruno"}, {"Anna"}]
    with pytest.raises(LobbyRefused) as error:
        seeks.join_seek(player=carla, seek_id=mine.pk, now=now)
    assert error.value.code == "seek_gone"


@pytest.mark.rule("B3", "B4")
def test_who_joins_a_pairs_seek_waits_for_people_and_not_with_the_house(
    anna: Player, bruno: Player, now: datetime
) -> None:
    mine = seek(anna, now, PAIRS)
    assert seeks.join_seek(player=bruno, seek_id=mine.pk, now=now) is None
    assert Seek.objects.count() == 2
    assert not Match.objects.exists()


def test_a_blocked_person_finds_no_seek_to_join(anna: Player, bruno: Player, now: datetime) -> None:
    mine = seek(anna, now)
    block_player(player=anna, blocked=bruno, now=now)
    with pytest.raises(LobbyRefused) as error:
        seeks.join_seek(player=bruno, seek_id=mine.pk, now=now)
    assert error.value.code == "seek_gone"


@pytest.mark.rule("B4")
def test_the_house_is_offered_after_fifteen_seconds_and_taken_by_a_click(anna: Player, now: datetime) -> None:
    with pytest.raises(LobbyRefused) as error:
        seeks.play_with_house(player=anna, now=now)
    assert error.value.code == "not_seeking"
    seek(anna, now)
    with pytest.raises(LobbyRefused) as error:
        seeks.play_with_house(player=anna, now=at(now, 14))
    assert (error.value.code, error.value.wait) == ("offer_later", timedelta(seconds=1))
    match = seeks.play_with_house(player=anna, now=at(now, 15))
    assert match is not None
    assert [seat.player.is_house for seat in match.seats.all()] == [False, True]


@pytest.mark.rule("B4")
def test_only_who_chose_the_house_beforehand_is_seated_with_it_and_within_thirty_seconds(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    seek(anna, now, PAIRS, house=True)
    seek(bruno, at(now, 1), PAIRS)
    seek(carla, at(now, 2), PAIRS, house=True)
    for second in range(1, 30):
        keep_heard(at(now, second))
        seeks.pair_lobby(at(now, second))
    match = Match.objects.get()
    people = {seat.player.name for seat in match.seats.all() if not seat.player.is_house}
    assert people == {"Anna", "Carla"}
    assert match.seats.count() == 4
    keep_heard(at(now, 300))
    assert seeks.pair_lobby(at(now, 300)) == 0
    assert Seek.objects.get().player == bruno


def test_a_named_partner_plays_along_with_the_house(anna: Player, bruno: Player, now: datetime) -> None:
    seek(anna, now, PAIRS, partner=bruno)
    with pytest.raises(LobbyRefused) as error:
        seeks.play_with_house(player=anna, now=at(now, 20))
    assert error.value.code == "partner_missing"
    seek(bruno, at(now, 5), PAIRS, partner=anna)
    match = seeks.play_with_house(player=anna, now=at(now, 20))
    assert match is not None
    assert {"Anna", "Bruno"} in read_lines(match)


@pytest.mark.rule("B2", "B4")
def test_a_partner_who_seeks_another_match_is_not_seated_with_the_house(
    anna: Player, bruno: Player, now: datetime
) -> None:
    seek(anna, now, PAIRS, partner=bruno)
    seek(bruno, now, SeekKind("tresette", form="pairs"), partner=anna)
    with pytest.raises(LobbyRefused) as error:
        seeks.play_with_house(player=anna, now=at(now, 20))
    assert error.value.code == "partner_missing"


def test_a_hundred_strangers_are_all_seated_in_one_round(now: datetime) -> None:
    for number in range(40):
        seek(create_person(f"Socio {number:02}", now), now, PAIRS if number % 2 else None)
    assert seeks.pair_lobby(now) == 10 + 5
    assert not Seek.objects.exists()
    assert all(again(match).status == Match.Status.WAITING for match in Match.objects.all())
