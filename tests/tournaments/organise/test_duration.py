"""Estimated duration: what it is made of, and that it is a range nobody takes for a promise."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from games.rules import RULESETS
from tests.support.tournaments import GIRONE, KO, PAIRS
from tournaments.formats import FORMATS
from tournaments.organise.duration import POINTS_A_DEAL, TimeRange, estimate_duration
from tournaments.organise.settings import Settings
from tournaments.organise.summary import describe_range, describe_reckoning, describe_time
from tournaments.venues import HALL

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def whole(settings: Settings) -> TimeRange:
    return estimate_duration(settings).whole


def test_it_grows_with_the_length_the_field_and_the_pause() -> None:
    base = replace(KO, length_kind="points", length_value=11, max_entries=8)
    for longer in ({"length_value": 21}, {"max_entries": 16}, {"pause": 600}):
        assert whole(replace(base, **longer)).least > whole(base).least  # type: ignore[arg-type]
    assert whole(base).least < whole(base).most


def test_rounds_are_those_of_the_format_and_the_third_place_is_played_beside_the_final() -> None:
    def rounds(settings: Settings, **options: int) -> int:
        return estimate_duration(replace(settings, format_options=options)).rounds

    ko = replace(KO, max_entries=64)
    assert (rounds(ko), rounds(ko, third_place=True)) == (6, 6)
    assert (rounds(replace(GIRONE, max_entries=7)), rounds(replace(GIRONE, max_entries=8), double=True)) == (7, 14)
    assert rounds(replace(GIRONE, format="danese", max_entries=32), rounds=4) == 4
    double = replace(KO, format="doppio", max_entries=16)
    assert (rounds(double), rounds(double, no_decider=True)) == (9, 8), "above beside below (EV4)"


def test_clocks_end_a_match_that_would_last_longer() -> None:
    slow = replace(KO, length_kind="deals", length_value=10, match_clock=None)
    quick = replace(slow, match_clock=300)
    assert estimate_duration(quick).match.most == 2 * 5 * MINUTE
    assert estimate_duration(slow).match.most > 40 * MINUTE
    pairs = replace(PAIRS, length_value=10, match_clock=300)
    assert estimate_duration(pairs).match.most == 4 * 5 * MINUTE, "each has a clock"


@pytest.mark.rule("R6")
def test_rounds_with_hours_last_until_the_last_of_them_is_played() -> None:
    weekly = replace(GIRONE, max_entries=6, round_minutes=7 * 24 * 60)
    assert timedelta(days=28) < whole(weekly).least < timedelta(days=29)
    start = datetime(2026, 12, 1, 20, tzinfo=UTC)
    hours = (start + 2 * HOUR, start + 5 * HOUR)
    some = replace(GIRONE, max_entries=4, starts_at=start, round_hours=hours)
    assert 5 * HOUR < whole(some).least < 6 * HOUR
    more = replace(some, max_entries=6)
    assert 11 * HOUR < whole(more).least < 12 * HOUR, "as far apart as the last two"


def test_every_game_and_format_has_an_estimate_and_its_words() -> None:
    assert set(RULESETS) <= set(POINTS_A_DEAL)
    for ruleset, rules in RULESETS.items():
        for format_ in FORMATS.values():
            seats = 1 if 2 in rules.players else 2
            settings = replace(KO, ruleset=ruleset, format=format_.id, seats_an_entry=seats, max_entries=16)
            estimate = estimate_duration(settings)
            assert timedelta(0) < estimate.whole.least <= estimate.whole.most
            assert "È una stima" in describe_reckoning(estimate)
    assert estimate_duration(replace(KO, ruleset="burraco", length_kind="points")).match.least > timedelta(0)


def test_times_are_said_as_people_say_them() -> None:
    assert describe_range(TimeRange(62 * MINUTE, 3 * HOUR)) == "da 1 ora e 5 a 3 ore"
    assert describe_range(TimeRange(16 * MINUTE, 19 * MINUTE)) == "circa 20 minuti"
    assert describe_time(timedelta(seconds=1)) == "5 minuti"
    assert describe_time(timedelta(days=28, minutes=3)) == "29 giorni"


@pytest.mark.rule("O3", "O1")
def test_at_real_tables_dealing_takes_time_clocks_none_and_few_tables_make_waves() -> None:
    here = replace(GIRONE, max_entries=8, match_clock=60, pause=600)
    real = replace(here, venue=HALL)
    assert estimate_duration(real).match.most > estimate_duration(here).match.most
    assert not estimate_duration(real).capped
    assert whole(replace(real, hall_tables=4)) == whole(real)
    told = describe_reckoning(estimate_duration(replace(real, hall_tables=3)))
    assert "mescolare" in told
    assert "in 2 volte" in told
    assert whole(replace(real, hall_tables=3)).least == 2 * whole(real).least
    assert whole(replace(real, hall_tables=1)).least == 4 * whole(real).least
    assert whole(replace(here, hall_tables=1)) == whole(here), "the site has tables for all"


@pytest.mark.rule("O6")
def test_the_clock_of_a_round_ends_a_match_after_the_deal_that_is_played() -> None:
    real = replace(GIRONE, venue=HALL, length_kind="deals", length_value=10)
    held = replace(real, clock_minutes=30, clock_end="stop")
    slow = estimate_duration(real).match.most
    assert estimate_duration(held).match.most == 30 * MINUTE
    assert estimate_duration(held).capped
    assert "orologio del turno" in describe_reckoning(estimate_duration(held))
    assert "orologio del turno" not in describe_reckoning(estimate_duration(real))
    assert 30 * MINUTE < estimate_duration(replace(held, clock_end="finish")).match.most < slow


@pytest.mark.rule("EV1")
def test_several_games_take_as_few_as_win_or_all_of_them() -> None:
    base = replace(KO, venue=HALL, max_entries=8)
    three, late = replace(base, games=3), replace(base, late_games=3, late_from="final")
    assert (whole(three).least, whole(three).most) == (2 * whole(base).least, 3 * whole(base).most)
    assert whole(late).most == whole(base).most / 3 * 5, "of three rounds the last has three games"
    clock = replace(three, clock_minutes=1, clock_end="stop")
    assert whole(clock).most == 3 * MINUTE
    assert "al meglio di 3 partite" in describe_reckoning(estimate_duration(three))
