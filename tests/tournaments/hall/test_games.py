"""Fixtures of several games at real tables (EV1): what is written, what it is worth, what is refused."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.arrangements import arrange_once
from tests.support.best_of import OF_THREE, SCOPA, Points, decide, enter, read, read_again, refuse
from tests.support.desk import build_act
from tests.support.play import stored_equals_recomputed
from tests.support.real_tables import draw_real, list_round, publish_next
from tests.support.tournaments import GIRONE, KO, Opened, catch_code
from tournaments.core.errors import TournamentError
from tournaments.core.log_details import ResultActDetail, read_detail
from tournaments.core.refusals import describe_refusal
from tournaments.core.result import FORFEIT, GameScore
from tournaments.desk import undo
from tournaments.desk.results import annul_result, declare_forfeit, order_replay, restore_result, set_result
from tournaments.models import Entry, Fixture, LogEntry, Tournament
from tournaments.running import round_clocks, withdraw
from tournaments.running.recompute import find_differences
from tournaments.running.round_clocks import ClockPlace
from tournaments.venues import VENUES

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV1")]
DANESE: dict[str, Any] = {"format": "danese", "format_options": {"rounds": 2}}
CORRECTED = "letto male"


@arrange_once
def danese(opened: Opened, now: datetime) -> Tournament:
    """A danese of four over two rounds, best of three games of Scopa to 21, half an hour a round."""
    return draw_real(opened, 4, now, clock_minutes=30, **DANESE, **OF_THREE)


@arrange_once
def counted(opened: Opened, now: datetime) -> Tournament:
    """A girone of four, best of five, of which only the games won are written."""
    return draw_real(opened, 4, now, clock_minutes=30, only_games_won=True, **{**OF_THREE, "games": 5})


@arrange_once
def knockout(opened: Opened, now: datetime) -> Tournament:
    """A KO of four: best of three, the final best of five."""
    return draw_real(opened, 4, now, KO, late_games=5, late_from="final", **OF_THREE)


def test_a_fixture_is_worth_its_games_and_its_margins(danese: Tournament, now: datetime) -> None:
    first, second = list_round(danese, 1)
    assert read(enter(first, now, (21, 11), (8, 21), (22, 15))) == (0, (2, 1), (4, -4), (15, 5))  # 10 − 13 + 7
    assert read(enter(second, now, (12, 21), (20, 24))) == (1, (0, 2), (-13, 13), (0, 20))  # 9 + 4
    danese.refresh_from_db()
    assert stored_equals_recomputed(danese)
    assert find_differences(danese) == []
    standing = Entry.objects.filter(tournament=danese).order_by("rank").values_list("vp", "mp")
    assert list(standing) == [(20, 13), (15, 4), (5, -4), (0, -13)]


def test_whoever_wins_more_games_wins_with_fewer_points(danese: Tournament, now: datetime) -> None:
    (first, _second) = list_round(danese, 1)
    assert read(enter(first, now, (21, 20), (2, 21), (21, 20))) == (0, (2, 1), (-17, 17), (15, 5))  # 1 − 19 + 1


def test_only_the_games_won_are_written(counted: Tournament, now: datetime) -> None:
    first, second = list_round(counted, 1)
    assert read(enter(first, now, won=(3, 1))) == (0, (3, 1), (2, -2), (17, 3))
    assert read(enter(second, now, won=(2, 3))) == (1, (2, 3), (-1, 1), (7, 13))
    assert first.games is None
    counted.refresh_from_db()
    assert find_differences(counted) == []


@pytest.mark.parametrize(
    ("points", "code"),
    [
        ([], "games_missing"),
        ([(21, 3)], "games_undecided"),
        ([(21, 3), (3, 21)], "games_undecided"),
        ([(21, 3), (21, 4), (21, 5)], "games_many"),
        ([(21, 3), (20, 3)], "game_impossible"),
        ([(21, 3), (21, 21)], "game_impossible"),  # level: it is played on (G7)
        ([(21, 3), GameScore(None, None, FORFEIT)], "game_impossible"),  # given to nobody
    ],
)
def test_games_that_decide_nothing_are_refused(
    danese: Tournament, now: datetime, points: list[Points], code: str
) -> None:
    assert refuse(list_round(danese, 1)[0], now, *points) == code


@pytest.mark.parametrize("won", [(3, 3), (4, 0), (0, 6)])
def test_more_games_than_there_are_cant_be_won(counted: Tournament, now: datetime, won: Points) -> None:
    assert refuse(list_round(counted, 1)[0], now, won=won) == "games_many"


def test_each_tournament_takes_what_it_asks_for(
    danese: Tournament, counted: Tournament, opened: Opened, now: datetime
) -> None:
    assert refuse(list_round(counted, 1)[0], now, (21, 3), (21, 4), (21, 5)) == "games_only_won"
    assert refuse(list_round(danese, 1)[0], now, won=(2, 0)) == "games_missing"
    assert refuse(list_round(danese, 1)[0], now, (21, 3), (21, 4), winner=1) == "games_winner"
    assert refuse(list_round(danese, 1)[0], now, (21, 3), (21, 4), won=(2, 1)) == "games_score"
    assert refuse(list_round(draw_real(opened, 4, now), 1)[0], now, (6, 5), won=(6, 5), winner=0) == "no_games"


def test_the_refusal_of_a_game_says_which_and_why(danese: Tournament, now: datetime) -> None:
    act = build_act(danese.organiser, now, "")
    ids = {"tournament_id": danese.pk, "fixture_id": list_round(danese, 1)[0].pk}
    with pytest.raises(TournamentError) as refused:
        set_result(**ids, decision=decide((21, 3), (12, 20)), act=act)
    assert describe_refusal(refused.value.code, refused.value.values).startswith("Partita 2: nessuno è arrivato a 21")


@pytest.mark.rule("T8")
def test_a_game_that_ends_level_is_never_a_draw(opened: Opened, now: datetime) -> None:
    two_deals = {"games": 3, "ruleset": "tresette", "length_kind": "deals", "length_value": 2}
    (first, _second) = list_round(draw_real(opened, 4, now, **two_deals), 1)
    assert refuse(first, now, (11, 11), (12, 10)) == "game_impossible"
    last_trick = GameScore(1, (11, 11))
    assert read(enter(first, now, last_trick, (12, 10), (15, 7))) == (0, (2, 1), (10, -10), (15, 5))
    assert read_again(first).games[0] == {"winner": 1, "points": [11, 11], "decided_by": "last_trick"}


@pytest.mark.parametrize("ruleset", ["briscola", "asso-piglia-tutto"])
@pytest.mark.rule("V3")
def test_games_without_margins_of_their_own_count_the_same(opened: Opened, now: datetime, ruleset: str) -> None:
    """A win of these games is 20 VP whatever the score; several of them go by how many were won."""
    of_three = {"games": 3, "ruleset": ruleset, "length_kind": "points", "length_value": 3}
    (first, _second) = list_round(draw_real(opened, 4, now, **of_three), 1)
    winner, won, mp, vp = read(enter(first, now, (3, 1), (0, 3), (3, 2)))
    assert (winner, won, mp, vp) == (0, (2, 1), (0, 0), (15, 5))


@pytest.mark.rule("A1")
def test_fewer_points_win_each_game_where_they_do(opened: Opened, now: datetime) -> None:
    to_lose = {"games": 3, "ruleset": "tresette-a-perdere", "length_kind": "deals", "length_value": 1}
    (first, _second) = list_round(draw_real(opened, 4, now, **to_lose), 1)
    assert read(enter(first, now, (2, 9), (4, 7))) == (0, (2, 0), (10, -10), (20, 0))


@pytest.mark.rule("V4")
def test_a_length_without_vp_may_be_that_of_games(opened: Opened, now: datetime) -> None:
    (first, _second) = list_round(
        draw_real(opened, 4, now, games=3, ruleset="scopa", **{"length_kind": "points", "length_value": 16}), 1
    )
    assert read(enter(first, now, (16, 3), (18, 17)))[3] == (20, 0)


# --- Forfeits --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("R4")
def test_a_forfeit_before_the_first_card_is_lost_to_nothing(danese: Tournament, now: datetime) -> None:
    (first, _second) = list_round(danese, 1)
    about = {"tournament_id": danese.pk, "fixture_id": first.pk, "act": build_act(danese.organiser, now)}
    declare_forfeit(**about, lines=(1,))
    stored = read_again(first)
    assert read(stored) == (0, (0, 0), (0, 0), (20, 0))
    assert (stored.forfeit_by, stored.unplayed) == (1, True)


@pytest.mark.parametrize(
    ("points", "offender", "worth"),
    [
        ([(21, 11)], 0, (1, (1, 0), (10, -10), (0, 15))),  # the other would have won 2-1
        ([(21, 11)], 1, (0, (1, 0), (10, -10), (20, 0))),  # 2-0
        ([(21, 11), (20, 21)], 1, (0, (1, 1), (9, -9), (15, 0))),
    ],
)
def test_a_forfeit_counts_the_games_that_are_left(
    danese: Tournament, now: datetime, points: list[Points], offender: int, worth: object
) -> None:
    fixture = enter(list_round(danese, 1)[0], now, *points, winner=1 - offender, decided_by=FORFEIT)
    assert read(fixture) == worth
    assert (fixture.forfeit_by, fixture.unplayed) == (offender, False)
    danese.refresh_from_db()
    assert find_differences(danese) == []


def test_both_forfeit(danese: Tournament, now: datetime) -> None:
    (first, _second) = list_round(danese, 1)
    about = {"tournament_id": danese.pk, "fixture_id": first.pk, "act": build_act(danese.organiser, now)}
    declare_forfeit(**about, lines=(0, 1))
    assert read(read_again(first)) == (None, (0, 0), (0, 0), (0, 0))


def test_a_forfeit_after_the_result_keeps_what_was_played(danese: Tournament, now: datetime) -> None:
    fixture = enter(list_round(danese, 1)[0], now, (21, 11), (8, 21), (22, 15))
    about = {"tournament_id": danese.pk, "fixture_id": fixture.pk, "act": build_act(danese.organiser, now)}
    declare_forfeit(**about, lines=(0,))
    assert read(read_again(fixture)) == (1, (2, 1), (4, -4), (0, 15))  # never less than the 2-1 that was left to win
    declare_forfeit(**about, lines=(0, 1))
    assert read(read_again(fixture)) == (None, (0, 0), (0, 0), (0, 0))
    assert read_again(fixture).games is None


def test_a_referee_gives_one_game_away(danese: Tournament, now: datetime) -> None:
    given = GameScore(1, None, FORFEIT)
    fixture = enter(list_round(danese, 1)[0], now, (21, 11), given, (21, 15))
    assert read(fixture) == (0, (2, 1), (16, -16), (15, 5))  # its margin is 0
    assert (fixture.forfeit_by, fixture.games[1]) == (None, {"winner": 1, "points": None, "decided_by": "forfeit"})


@pytest.mark.rule("R5")
def test_whoever_leaves_loses_the_fixture(danese: Tournament, now: datetime) -> None:
    for fixture in list_round(danese, 1):
        enter(fixture, now, (21, 11), (21, 12))
    publish_next(danese, now)
    loser = list_round(danese, 2)[1].second_id
    by = {"by": danese.organiser, "reason": "a casa", "now": now, "expelled": False}
    withdraw.withdraw_entry(tournament_id=danese.pk, entry_id=loser, **by)
    left = read_again(list_round(danese, 2)[1])
    assert (left.decided_by, read(left)) == ("withdrawn", (0, (0, 0), (0, 0), (20, 0)))
    danese.refresh_from_db()
    assert find_differences(danese) == []


@pytest.mark.rule("D1")
@pytest.mark.parametrize("ruleset", ["scopa", "asso-piglia-tutto"])
def test_a_bye_is_worth_fourteen(opened: Opened, now: datetime, ruleset: str) -> None:
    tournament = draw_real(opened, 3, now, **DANESE, **{**OF_THREE, "ruleset": ruleset})
    bye = Fixture.objects.of(tournament).get(state=Fixture.State.BYE)
    assert (bye.vp_0, bye.mp_0) == (14, 0)


# --- The round's clock (O6) ------------------------------------------------------------------------------------------


def run_out(tournament: Tournament, now: datetime) -> datetime:
    """Start the first wave's clock; the instant after its end."""
    about = {"tournament_id": tournament.pk, "place": ClockPlace(1, 1), "by": tournament.organiser, "now": now}
    round_clocks.start_clock(**about)
    return now + timedelta(minutes=31)


@pytest.mark.rule("O6")
def test_whoever_is_ahead_in_games_at_the_end_of_the_time_wins(danese: Tournament, now: datetime) -> None:
    first, second = list_round(danese, 1)
    late = run_out(danese, now)
    fixture = enter(first, late, (21, 11))
    assert (fixture.decided_by, read(fixture)) == ("cut_short", (0, (1, 0), (10, -10), (15, 5)))
    # The running game ends as it stands, and is one of them.
    fixture = enter(second, late, (21, 11), (9, 14), (3, 7))
    assert (fixture.decided_by, read(fixture)) == ("points", (1, (1, 2), (1, -1), (5, 15)))
    assert [game["decided_by"] for game in fixture.games] == ["points", "cut_short", "cut_short"]
    danese.refresh_from_db()
    assert find_differences(danese) == []


@pytest.mark.rule("O6")
def test_level_in_games_one_deal_more_decides(danese: Tournament, now: datetime) -> None:
    (first, _second) = list_round(danese, 1)
    late = run_out(danese, now)
    assert refuse(first, late, (21, 11), (10, 21)) == "games_level"
    assert read(enter(first, late, (21, 11), (10, 21), (3, 1))) == (0, (2, 1), (1, -1), (15, 5))


@pytest.mark.rule("O6")
def test_a_game_that_the_time_ended_is_the_last_but_for_that_deal(danese: Tournament, now: datetime) -> None:
    first, second = list_round(danese, 1)
    late = run_out(danese, now)
    assert refuse(first, late, (9, 5), (21, 11)) == "game_after_time"  # ahead, nothing more is played
    assert refuse(first, late, (9, 5), (21, 11), (21, 3)) == "game_impossible"
    assert refuse(first, late, (8, 8)) == "game_impossible"  # level: tie-break deals (G7)
    assert read(enter(second, late, (9, 8)))[1:] == ((1, 0), (1, -1), (15, 5))


@pytest.mark.rule("O6")
def test_only_the_games_won_are_cut_short_too(counted: Tournament, now: datetime) -> None:
    first, second = list_round(counted, 1)
    assert refuse(first, now, won=(2, 1)) == "games_undecided"
    late = run_out(counted, now)
    assert read(enter(first, late, won=(2, 0))) == (0, (2, 0), (2, -2), (17, 3))
    assert refuse(second, late, won=(1, 1)) == "games_level"
    assert read(enter(second, late, won=(2, 1))) == (0, (2, 1), (1, -1), (13, 7))


# --- Corrections -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("F3")
def test_a_correction_that_decides_nothing_opens_the_fixture_again(danese: Tournament, now: datetime) -> None:
    fixture = enter(list_round(danese, 1)[0], now, (21, 11), (22, 15))
    assert refuse(fixture, now, (21, 11), (15, 22)) == "reason_missing"
    fixture = enter(fixture, now, (21, 11), (15, 22), reason=CORRECTED)
    assert (fixture.state, fixture.result_at, fixture.games, fixture.points_0) == ("ready", None, None, None)
    logged = LogEntry.objects.filter(tournament=danese, code="ruling_reopened").get()
    detail = read_detail(logged, ResultActDetail)
    assert (detail.before.result.points, detail.reason) == ((2, 0), CORRECTED)
    assert detail.before.result.games[1] == GameScore(0, (22, 15), "points")
    assert not Entry.objects.filter(tournament=danese, vp__gt=0).exists()
    assert read(enter(fixture, now, (21, 11), (15, 22), (21, 4)))[1] == (2, 1)


@pytest.mark.rule("F3")
def test_a_correction_stays_one(danese: Tournament, now: datetime) -> None:
    fixture = enter(list_round(danese, 1)[0], now, (21, 11), (22, 15))
    fixture = enter(fixture, now, (21, 11), (15, 22), (3, 21), reason=CORRECTED)
    assert (fixture.ruled, read(fixture)) == (True, (1, (1, 2), (-15, 15), (5, 15)))
    act = build_act(danese.organiser, now, "era giusto prima")
    last = undo.find_last_entry(danese, danese.organiser)
    assert last is not None
    undo.undo_entry(tournament_id=danese.pk, entry_id=last.pk, act=act)
    assert read(read_again(fixture)) == (0, (2, 0), (17, -17), (20, 0))
    assert read_again(fixture).games[0] == {"winner": 0, "points": [21, 11], "decided_by": "points"}


@pytest.mark.rule("F2")
def test_vp_and_mp_may_be_written_and_it_may_be_annulled(danese: Tournament, now: datetime) -> None:
    fixture = enter(list_round(danese, 1)[0], now, (21, 11), (22, 15), vp=(16, 0), mp=(3, -3))
    assert read(fixture) == (0, (2, 0), (3, -3), (16, 0))
    about = {"tournament_id": danese.pk, "fixture_id": fixture.pk, "act": build_act(danese.organiser, now)}
    annul_result(**about)
    assert read_again(fixture).games is None
    restore_result(**about)
    assert (read(read_again(fixture)), len(read_again(fixture).games)) == ((0, (2, 0), (3, -3), (16, 0)), 2)
    order_replay(**about)
    assert (read_again(fixture).state, read_again(fixture).games) == ("ready", None)


@pytest.mark.rule("F3")
def test_in_a_bracket_nothing_is_opened_again_that_others_depend_on(knockout: Tournament, now: datetime) -> None:
    first, second = list_round(knockout, 1)
    enter(first, now, (21, 11), (22, 15))
    enter(second, now, (21, 11), (22, 15))
    publish_next(knockout, now)
    (final,) = list_round(knockout, 2)
    enter(first, now, (21, 11), (15, 22), (21, 4), reason=CORRECTED)  # the same winner
    # Nothing is played after it yet: it opens again, and the final waits for it.
    assert enter(first, now, (21, 11), reason=CORRECTED).state == "ready"
    assert read_again(final).first_id is None
    enter(first, now, (21, 11), (22, 15))
    enter(final, now, (21, 11), (22, 15), (10, 21), (21, 20))
    assert refuse(first, now, (21, 11), reason=CORRECTED) == "depended_on"
    assert refuse(first, now, (1, 21), (2, 21), reason=CORRECTED) == "depended_on"


@pytest.mark.rule("K5")
def test_whoever_leaves_before_the_final_loses_it_by_its_own_number(knockout: Tournament, now: datetime) -> None:
    for fixture in list_round(knockout, 1):
        enter(fixture, now, (21, 11), (22, 15))
    publish_next(knockout, now)
    (final,) = list_round(knockout, 2)
    by = {"by": knockout.organiser, "reason": "a casa", "now": now, "expelled": False}
    withdraw.withdraw_entry(tournament_id=knockout.pk, entry_id=final.second_id, **by)
    assert (read_again(final).decided_by, read(read_again(final))) == ("withdrawn", (0, (0, 0), None, None))
    knockout.refresh_from_db()
    assert (knockout.state, find_differences(knockout)) == ("finished", [])


# --- Other numbers in parts of a tournament --------------------------------------------------------------------------


def test_the_final_has_more_games(knockout: Tournament, now: datetime) -> None:
    for fixture in list_round(knockout, 1):
        enter(fixture, now, (21, 11), (22, 15))
    publish_next(knockout, now)
    (final,) = list_round(knockout, 2)
    assert refuse(final, now, (21, 11), (22, 15)) == "games_undecided"
    fixture = enter(final, now, (21, 11), (22, 15), (10, 21), (21, 20))
    assert read(fixture) == (0, (3, 1), None, None)  # a KO has no VP (K3)
    knockout.refresh_from_db()
    assert (knockout.state, find_differences(knockout)) == ("finished", [])


@pytest.mark.rule("Q2")
def test_groups_may_be_one_match_and_the_ko_several(opened: Opened, now: datetime) -> None:
    rules = {"format": "gironi", "format_options": {"groups": 2, "qualify": 2}, "games_in_ko": 3, **SCOPA}
    tournament = draw_real(opened, 8, now, min_entries=4, max_entries=8, **rules)
    number = 1
    while True:
        fixtures = list_round(tournament, number)
        if fixtures[0].group is None:
            break
        for fixture in fixtures:
            assert refuse(fixture, now, (21, 11), (21, 12), won=(21, 11), winner=0) == "no_games"
            enter(fixture, now, won=(21, 11), winner=0)
        publish_next(tournament, now)
        number += 1
    assert [read(enter(fixture, now, (21, 11), (21, 12)))[1] for fixture in fixtures] == [(2, 0), (2, 0)]
    tournament.refresh_from_db()
    assert find_differences(tournament) == []


@pytest.mark.rule("EV4")
def test_lucky_losers_are_those_who_lost_by_the_fewest_points_of_all_games(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 6, now, KO, format_options={"lucky_losers": True}, **OF_THREE)
    first, second, third = list_round(tournament, 1)
    enter(first, now, (21, 20), (21, 20))  # lost by 2
    enter(second, now, (21, 11), (2, 21), (21, 11))  # lost by 1: −10 + 19 − 10
    enter(third, now, (21, 11), (21, 11))
    publish_next(tournament, now)
    through = {pk for fixture in list_round(tournament, 2) for pk in (fixture.first_id, fixture.second_id)}
    assert second.second_id in through
    assert first.second_id not in through


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"games": 2}, "games_range"),
        ({"games": 9}, "games_range"),
        ({"games": 3, "venue": "site"}, "games_on_site"),
        ({"games": 3, "equal_deals": True, "length_kind": "deals", "length_value": 1}, "games_equal_deals"),
        ({"games": 3, "team_size": 4, "team_tables": 2}, "games_two_tables"),
        ({"games_in_ko": 3}, "games_in_ko_alone"),
        ({"late_games": 3, "late_from": "final"}, "late_games_ko"),
        ({"format": "ko", "late_games": 3}, "late_games_from"),
        ({"format": "ko", "late_from": "final"}, "late_games_from"),
        ({"format": "ko", "late_games": 3, "late_from": "round"}, "late_games_from"),
        ({"format": "doppio", "late_games": 3, "late_from": "quarterfinal", "min_entries": 3}, "late_games_quarters"),
        ({"games": 3, "only_games_won": True, "tie_break": "vp,points"}, "games_made_points"),
    ],
)
def test_what_doesnt_go_together_is_refused_with_its_reason(opened: Opened, changed: dict[str, Any], code: str) -> None:
    venue = VENUES[changed.pop("venue", "real")]
    assert catch_code(opened, base=GIRONE, venue=venue, **{**SCOPA, **changed}) == code


@pytest.mark.rule("EV10")
def test_points_made_are_those_of_all_games(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, tie_break="vp,points", **DANESE, **OF_THREE)
    first, second = list_round(tournament, 1)
    enter(first, now, (21, 11), (22, 15))  # 43 and 26
    enter(second, now, (21, 3), (24, 20))  # 45 and 23
    ranked = Entry.objects.filter(tournament=tournament).order_by("rank").values_list("pk", flat=True)
    assert list(ranked) == [second.first_id, first.first_id, first.second_id, second.second_id]
    best = Entry.objects.get(pk=second.first_id)
    assert best.separation is not None
    assert (best.separation["code"], best.separation["own"], best.separation["next"]) == ("points", 45, 43)
