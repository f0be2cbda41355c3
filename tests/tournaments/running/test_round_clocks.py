"""The round clock at real tables (O6): started, held, lengthened; what was cut short by it; what everybody sees."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine import scores
from games.engine.game import Length, Setup
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act
from tests.support.html import read_hooks
from tests.support.pages import post_tournament
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, list_round, publish_next
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.core.log_details import RoundClockDetail, read_detail
from tournaments.desk import clocks
from tournaments.desk.results import Decision, set_result
from tournaments.desk.wording import describe_log_entry
from tournaments.models import Fixture, RoundClock, Tournament
from tournaments.running import round_clocks
from tournaments.running.recompute import find_differences
from tournaments.running.round_clocks import ClockPlace
from tournaments.venues import HALL

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
POINTS = {"length_kind": "points", "length_value": 21}


def about(tournament: Tournament, now: datetime, wave: int = 1) -> dict[str, Any]:
    place = ClockPlace(1, wave)
    return {"tournament_id": tournament.pk, "place": place, "by": tournament.organiser, "now": now}


def read(tournament: Tournament, now: datetime) -> list[round_clocks.ClockRow]:
    return round_clocks.read_clocks(Tournament.objects.get(pk=tournament.pk), now)


def enter(fixture: Fixture, points: tuple[int, int], winner: int | None, now: datetime, **more: Any) -> Fixture:
    tournament = fixture.round.tournament
    decision = Decision(points=points, winner=winner, **more)
    act = build_act(tournament.organiser, now)
    set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
    fixture.refresh_from_db()
    return fixture


def refuse(fixture: Fixture, points: tuple[int, int], winner: int | None, now: datetime) -> str:
    act = build_act(fixture.round.tournament.organiser, now)
    ids = {"tournament_id": fixture.round.tournament_id, "fixture_id": fixture.pk}
    return catch_code(set_result, **ids, decision=Decision(points=points, winner=winner), act=act)


@pytest.mark.rule("O6")
def test_each_wave_has_a_clock_that_the_organiser_starts(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now, hall_tables=2, clock_minutes=30)
    assert [(row.number, row.wave, row.ends_at) for row in read(tournament, now)] == [(1, 1, None), (1, 2, None)]
    assert catch_code(round_clocks.pause_clock, **about(tournament, now)) == "clock_changed"
    round_clocks.start_clock(**about(tournament, now))
    assert catch_code(round_clocks.start_clock, **about(tournament, now)) == "clock_changed"
    assert catch_code(round_clocks.start_clock, **about(tournament, now, wave=3)) == "no_clock"
    first, second = read(tournament, now + 29 * MINUTE)
    assert (first.ends_at, first.over, second.ends_at) == (now + 30 * MINUTE, False, None)
    assert read(tournament, now + 30 * MINUTE)[0].over
    assert Fixture.objects.of(tournament).ready().count() >= 4, "nothing happens by the clock"


Knockout = tuple[Tournament, Fixture, Fixture]


@arrange_once
def clock(opened: Opened, now: datetime) -> Tournament:
    """A girone of four whose rounds have half an hour."""
    return draw_real(opened, 4, now, clock_minutes=30)


@arrange_once
def points(opened: Opened, now: datetime) -> Tournament:
    """The same, played to points."""
    return draw_real(opened, 4, now, clock_minutes=30, **POINTS)


@arrange_once
def knockout(opened: Opened, now: datetime) -> Knockout:
    """A KO of eight whose semifinals are published as soon as one is known; the one, and the other, known later."""
    tournament = draw_real(opened, 8, now, KO, max_entries=8, clock_minutes=30)
    quarters = list_round(tournament, 1)
    for fixture in quarters[:2]:
        enter(fixture, (7, 4), 0, now)
    publish_next(tournament, now)
    (first,) = list_round(tournament, 2)
    for fixture in quarters[2:]:
        enter(fixture, (7, 4), 0, now)
    second = next(fixture for fixture in list_round(tournament, 2) if fixture.pk != first.pk)
    return tournament, first, second


@pytest.mark.rule("D4", "K4")
def test_a_round_that_is_known_in_part_can_be_published_and_says_so(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now, KO, max_entries=8)
    quarters = list_round(tournament, 1)
    client, address = sign_in(tournament.organiser), reverse("tournament-rounds", args=[tournament.public_id])
    for fixture in quarters[:3]:
        enter(fixture, (7, 4), 0, now)
    page = client.get(address)
    notes = read_hooks(page, "note")
    assert ("round_partial" in notes, notes.count("opponent_unknown")) == (True, 1)
    (waiting,) = page.context["waiting"]
    assert [(row.waits, row.second is None) for row in waiting.boards] == [(True, False), (True, True)]
    enter(quarters[3], (7, 4), 0, now)
    notes = read_hooks(client.get(address), "note")
    assert ("round_partial" in notes, notes.count("opponent_unknown")) == (False, 0)


@pytest.mark.rule("O6")
def test_in_a_knockout_who_is_known_later_has_a_clock_for_themselves(knockout: Knockout, now: datetime) -> None:
    tournament, first, second = knockout
    assert (first.own_clock, second.own_clock) == (False, True)
    assert [str(row.place) for row in read(tournament, now)] == ["2-1", f"2-1-{second.board}"]
    of_one: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser}
    wave, own = ClockPlace(2, 1), ClockPlace(2, 1, second.board)
    round_clocks.start_clock(place=wave, now=now, **of_one)
    round_clocks.start_clock(place=own, now=now + 20 * MINUTE, **of_one)
    assert catch_code(round_clocks.start_clock, place=own, now=now, **of_one) == "clock_changed"
    assert catch_code(round_clocks.start_clock, place=ClockPlace(2, 1, first.board), now=now, **of_one) == "no_clock"
    late = now + 31 * MINUTE
    assert [round_clocks.is_time_up(fixture, late) for fixture in (first, second)] == [True, False]
    round_clocks.give_more(place=own, minutes=5, table=None, now=late, **of_one)
    assert catch_code(round_clocks.give_more, place=own, minutes=5, table=first.table, now=late, **of_one) == (
        "clock_table"
    )
    assert [row.ends_at for row in read(tournament, late)] == [now + 30 * MINUTE, now + 55 * MINUTE]
    logged = tournament.log.filter(code="clock_extended").get()
    assert f"tavolo {second.table}" in describe_log_entry(logged.code, read_detail(logged, RoundClockDetail))


@pytest.mark.rule("O6", "F6")
def test_a_clock_of_one_table_stands_still_with_all_of_the_tournament(knockout: Knockout, now: datetime) -> None:
    tournament, _first, second = knockout
    own = ClockPlace(2, 1, second.board)
    round_clocks.start_clock(tournament_id=tournament.pk, place=own, by=tournament.organiser, now=now)
    every: dict[str, Any] = {"tournament_id": tournament.pk, "fixture_id": None}
    clocks.hold_clocks(act=build_act(tournament.organiser, now + 10 * MINUTE), **every)
    assert [row.held for row in read(tournament, now + 60 * MINUTE)] == [None, 20 * MINUTE]
    clocks.resume_clocks(act=build_act(tournament.organiser, now + 70 * MINUTE), **every)
    assert read(tournament, now + 70 * MINUTE)[1].ends_at == now + 90 * MINUTE


@pytest.mark.rule("O6", "G7")
def test_a_match_cut_short_by_its_own_clock_is_decided_by_its_rules(knockout: Knockout, now: datetime) -> None:
    tournament, first, second = knockout
    Tournament.objects.filter(pk=tournament.pk).update(length_kind="points", length_value=21)
    own = ClockPlace(2, 1, second.board)
    round_clocks.start_clock(tournament_id=tournament.pk, place=own, by=tournament.organiser, now=now)
    over = now + 30 * MINUTE
    first, second = (Fixture.objects.select_related("round__tournament").get(pk=one.pk) for one in (first, second))
    assert refuse(second, (12, 9), 0, over - MINUTE) == "points_few"
    assert refuse(first, (12, 9), 0, over) == "points_few", "its clock isn't over"
    assert refuse(second, (9, 9), None, over) == "cut_short_level"
    assert enter(second, (12, 9), 0, over).decided_by == "cut_short"


@pytest.mark.rule("O6")
def test_the_clock_of_one_table_is_on_every_page_and_in_hand_on_that_of_the_rounds(
    knockout: Knockout, now: datetime
) -> None:
    tournament, first, second = knockout
    client = sign_in(tournament.organiser)
    rounds = reverse("tournament-rounds", args=[tournament.public_id])
    own = f"2-1-{second.board}"
    client.post(rounds, {"act": "clock-start", "clock": own})
    assert RoundClock.objects.get().board == second.board
    for name in ("tournament", "tournament-wall", "tournament-results"):
        page = client.get(reverse(name, args=[tournament.public_id]))
        assert read_hooks(page, "clock") == ["2-1", own]
    for fixture, shown in ((first, "2-1"), (second, own)):
        page = client.get(reverse("desk-fixture", args=[tournament.public_id, fixture.pk]))
        assert read_hooks(page, "clock") == [shown]
    for wrong in ("2", "2-1-9", "2-x", "2-1-1-1"):
        answer = client.post(rounds, {"act": "clock-start", "clock": wrong}, follow=True)
        assert "no_clock" in read_hooks(answer, "notice")


@pytest.mark.rule("O6")
def test_only_the_organiser_has_the_clock_in_hand(clock: Tournament, now: datetime, anna: Player) -> None:
    assert catch_code(round_clocks.start_clock, **about(clock, now) | {"by": anna}) == "not_organiser"


@pytest.mark.rule("O6")
def test_without_minutes_there_is_no_clock_and_the_site_has_none(
    hall: Tournament, opened: Opened, now: datetime
) -> None:
    assert read(hall, now) == []
    assert catch_code(round_clocks.start_clock, **about(hall, now)) == "no_clock"
    assert opened(clock_minutes=30).clock_minutes is None
    assert catch_code(opened, venue=HALL, clock_minutes=241) == "clock_minutes_range"
    assert catch_code(opened, venue=HALL, clock_end="never") == "unknown_clock_end"


@pytest.mark.rule("O6", "O1")
def test_the_form_asks_for_it_at_real_tables(organisers: Client) -> None:
    real = {"venue": "real", "clock_minutes": "45", "clock_end": "stop", "turn_timeout": "", "match_clock": ""}
    assert post_tournament(organisers, **real).status_code == 302
    made = Tournament.objects.get()
    assert (made.clock_minutes, made.clock_end) == (45, "stop")
    answer = post_tournament(organisers, **real | {"clock_minutes": "999"})
    assert list(answer.context["form"].errors) == ["clock_minutes"]


@pytest.mark.rule("O6", "F6")
def test_a_pause_of_the_clock_and_of_all_moves_its_end_on(clock: Tournament, now: datetime) -> None:
    round_clocks.start_clock(**about(clock, now))
    round_clocks.pause_clock(**about(clock, now + 10 * MINUTE))
    assert read(clock, now + 50 * MINUTE)[0].held == 20 * MINUTE
    round_clocks.resume_clock(**about(clock, now + 15 * MINUTE))
    assert read(clock, now + 15 * MINUTE)[0].ends_at == now + 35 * MINUTE
    act = build_act(clock.organiser, now + 20 * MINUTE)
    clocks.hold_clocks(tournament_id=clock.pk, fixture_id=None, act=act)
    assert read(clock, now + 60 * MINUTE)[0].held == 15 * MINUTE
    assert catch_code(round_clocks.pause_clock, **about(clock, now + 21 * MINUTE)) == "clock_held"
    act = build_act(clock.organiser, now + 30 * MINUTE)
    clocks.resume_clocks(tournament_id=clock.pk, fixture_id=None, act=act)
    assert read(clock, now + 30 * MINUTE)[0].ends_at == now + 45 * MINUTE


@pytest.mark.rule("O6")
def test_more_time_is_for_all_or_for_one_table(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, clock_minutes=30, **POINTS)
    first, second = list_round(tournament, 1)
    round_clocks.start_clock(**about(tournament, now))
    round_clocks.give_more(**about(tournament, now), minutes=5, table=None)
    late = now + 37 * MINUTE
    assert read(tournament, now)[0].ends_at == now + 35 * MINUTE
    round_clocks.give_more(**about(tournament, late), minutes=4, table=second.table)
    assert read(tournament, late)[0].more == ((second.table, 6),), "from now, not from the end that has passed"
    assert refuse(second, (12, 10), 0, late) == "points_few"
    assert enter(first, (12, 10), 0, late).decided_by == "cut_short"
    assert enter(second, (12, 10), 0, late + 4 * MINUTE).decided_by == "cut_short"
    asked = about(tournament, late)
    assert catch_code(round_clocks.give_more, **asked, minutes=61, table=None) == "clock_minutes_range"
    tournament = draw_real(opened, 4, now, clock_minutes=30)
    round_clocks.start_clock(**about(tournament, now))
    assert catch_code(round_clocks.give_more, **about(tournament, now), minutes=5, table=9) == "clock_table"


@pytest.mark.rule("O6")
def test_what_a_table_caught_up_with_a_clock_that_was_over_counts_once(clock: Tournament, now: datetime) -> None:
    first, second = list_round(clock, 1)
    round_clocks.start_clock(**about(clock, now))
    late = now + 50 * MINUTE
    round_clocks.give_more(**about(clock, late), minutes=5, table=first.table)
    round_clocks.give_more(**about(clock, late), minutes=5, table=None)
    first.refresh_from_db()
    assert [round_clocks.is_time_up(first, late + minutes * MINUTE) for minutes in (9, 10)] == [False, True]
    assert [round_clocks.is_time_up(second, late + minutes * MINUTE) for minutes in (4, 5)] == [False, True]


@pytest.mark.rule("O6", "V1")
def test_what_is_cut_short_is_worth_the_column_of_the_agreed_length(points: Tournament, now: datetime) -> None:
    first, second = list_round(points, 1)
    assert refuse(first, (12, 10), 0, now) == "points_few"
    round_clocks.start_clock(**about(points, now))
    assert refuse(first, (12, 10), 0, now) == "points_few"
    over = now + 30 * MINUTE
    assert refuse(first, (12, 10), 1, over) == "points_few"
    enter(first, (12, 10), 0, over)
    assert (first.winner, first.mp_0, first.decided_by) == (0, 2, "cut_short")
    enter(second, (0, 0), None, over)
    assert (second.winner, second.vp_0, second.vp_1, second.mp_0) == (None, 10, 10, 0)
    enter(first, (21, 12), 0, over)
    assert first.decided_by == "points", "a match that had ended isn't cut short"
    assert not find_differences(points)


@pytest.mark.rule("O6", "G7")
def test_a_level_ko_asks_for_tie_break_deals_whatever_the_clock_says(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, KO, clock_minutes=30, **POINTS)
    fixture = list_round(tournament, 1)[0]
    round_clocks.start_clock(**about(tournament, now))
    over = now + 31 * MINUTE
    client = sign_in(tournament.organiser)
    RoundClock.objects.update(ends_at=now - 300 * 24 * 60 * MINUTE)  # the page's clock is the wall's
    data = {"part": "1", "fixture": fixture.pk, "points_0": "0", "points_1": "0", "how": ""}
    answer = client.post(reverse("tournament-results", args=[tournament.public_id]), data)
    errors = answer.context["row"].form.errors.get_json_data().values()
    assert [error["code"] for each in errors for error in each] == ["cut_short_level"]
    assert enter(fixture, (7, 4), 0, over).decided_by == "cut_short"


@pytest.mark.rule("O6", "G7", "A2")
def test_scores_that_a_match_cut_short_may_have() -> None:
    def may(ruleset: str, context: str, points: tuple[int, int], winner: int | None) -> bool:
        return scores.may_be_cut_short(Setup(ruleset, 2, Length("points", 21), context, {}, 0), points, winner)  # type: ignore[arg-type]

    assert may("tresette", "round_robin", (0, 0), None)
    assert may("tresette", "round_robin", (12, 10), 0)
    assert not may("tresette", "round_robin", (12, 10), 1), "who is ahead has won"
    assert not may("tresette", "round_robin", (12, 10), None)
    assert not may("tresette", "round_robin", (32, 1), 0), "no deal began after 21"
    assert may("tresette-a-perdere", "round_robin", (12, 10), 1), "who is behind has won"
    assert not may("tresette", "ko", (11, 11), None)
    assert not may("tresette", "ko", (11, 11), 0), "tie-break deals aren't level, but the third"
    assert may("tresette-a-perdere", "ko", (11, 11), 1), "who took the last trick lost or won"
    setup = Setup("tresette", 2, Length("points", 21), "ko", {}, 0)
    assert scores.needs_tie_breaks(setup, (11, 11))
    deals = ((7, 4), (4, 7))
    assert scores.find_deal_fault(setup, deals, cut_short=True) is None
    assert scores.find_deal_fault(setup, deals) == ("deals_few", 2, ())


@pytest.mark.rule("O6", "O7")
def test_everybody_sees_the_clock_and_what_follows_its_end(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, clock_minutes=30, clock_end="stop")
    client = sign_in(tournament.organiser)
    rounds = reverse("tournament-rounds", args=[tournament.public_id])
    pages = [reverse(name, args=[tournament.public_id]) for name in ("tournament", "tournament-wall")]

    def act(what: str, **typed: str) -> Any:
        return client.post(rounds, {"act": what, "clock": "1-1", **typed}, follow=True)

    assert read_hooks(Client().get(pages[0]), "clock") == ["1-1"]
    act("clock-start")
    for page in (*pages, rounds, reverse("tournament-results", args=[tournament.public_id])):
        shown = client.get(page).content.decode()
        assert "data-round-clock" in shown
        assert "vale subito il punteggio" in shown
    act("clock-pause")
    assert "data-round-clock" not in Client().get(pages[1]).content.decode()
    act("clock-resume")
    typed = act("clock-more", minutes="x", table="2").content.decode()
    assert 'value="x"' in typed, "what was typed is kept"
    act("clock-more", minutes="5", table="2")
    assert "tavolo 2: +5 min" in Client().get(pages[0]).content.decode()
    log = list(tournament.log.order_by("pk").values_list("code", flat=True))[-4:]
    assert log == ["clock_started", "clock_paused", "clock_resumed", "clock_extended"]
