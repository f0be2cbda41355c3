"""Statistics of a person: tables with a plot beside each, by game and period."""

from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.facts.queries import list_companions, read_months, read_sums
from games.facts.store import COUNTED
from games.models import Match, SeatFacts
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.entries import fill_sit_and_go
from tests.support.histories import set_card_points, store_history
from tests.support.html import read_attribute, read_hooks
from tests.support.play import OPENING, open_ready, play, rounds_played
from tests.support.tables import play_out, seated
from tests.support.tournaments import GIRONE, Opened
from tournaments.desk.act import Act
from tournaments.desk.results import (
    Decision,
    annul_result,
    declare_forfeit,
    order_replay,
    restore_result,
    set_result,
)
from tournaments.models import Fixture
from tournaments.profiles.history import choose_counted, read_history
from tournaments.profiles.statistics import read_statistics
from tournaments.running.withdraw import withdraw_entry

pytestmark = pytest.mark.django_db


@arrange_once
def played(anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime) -> Match:
    pairs = seated([anna, bruno, carla, dino], now, ruleset="tresette", context="free")
    later = play_out(pairs, now)
    alone = seated([anna, bruno], later, ruleset="scopa", context="free")
    play_out(alone, later)
    SeatFacts.objects.filter(match=pairs).update(finished_at=now - timedelta(days=60))
    return alone


def test_each_statistic_is_a_plot_with_a_table_beside(client: Client, anna: Player, played: Match) -> None:
    page = client.get(reverse("person-statistics", args=[anna.public_id]))
    codes = read_hooks(page, "stat")
    assert {"results", "points", "time", "opponents", "partners"} <= set(codes)
    text = page.content.decode()
    assert text.count("<thead>") == len(codes)
    assert text.count('class="plot" viewBox') == len({"opponents", "partners"}), "two months are no chart"
    assert not read_attribute(page, "style")
    assert read_hooks(page, "played") == ["2"]


def test_months_are_a_chart_from_three_on(client: Client, anna: Player, bruno: Player, now: datetime) -> None:
    store_history([anna, bruno], now, [("scopa", (11, 3), day) for day in (1, 35, 65)])
    page = client.get(reverse("person-statistics", args=[anna.public_id])).content.decode()
    assert page.count('class="bar-won"') > 3
    assert 'data-stat="results"' in page
    assert page.count('class="plot" viewBox') == len(read_hooks(page, "stat")) + 1, "and the level's"


def test_points_a_deal_are_no_statistic_of_games_whose_score_counts_deals(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    [match] = store_history([anna, bruno], now, [("briscola", (1, 0), 1)])
    set_card_points(match, (82, 38))
    page = client.get(reverse("person-statistics", args=[anna.public_id]))
    assert {"cards", "results"} <= set(read_hooks(page, "stat"))
    assert "points" not in read_hooks(page, "stat")
    assert read_hooks(page, "figure") == ["cards"]
    assert "82–38" in client.get(reverse("person", args=[anna.public_id])).content.decode()
    assert "38–82" in client.get(reverse("person", args=[bruno.public_id])).content.decode()


def test_all_that_is_counted_is_shown(client: Client, anna: Player, played: Match) -> None:
    counted = ("scope", "settebello", "primiera", "accusi", "cappotti", "last_tricks")
    address = reverse("person-statistics", args=[anna.public_id])
    SeatFacts.objects.update(plays=9, thinking_ms=9000, **dict.fromkeys(counted, 2))
    assert {*counted, "time", "results", "points", "opponents", "partners"} == set(
        read_hooks(client.get(address), "stat")
    )
    SeatFacts.objects.update(plays=0, **dict.fromkeys(counted, 0))
    assert {"results", "points", "opponents", "partners"} == set(read_hooks(client.get(address), "stat"))


def test_they_are_of_one_game_and_of_one_period_if_asked(anna: Player, played: Match, now: datetime) -> None:
    def count(ruleset: str, period: str) -> int:
        return read_statistics(anna, ruleset=ruleset, period=period, now=now).sums.matches

    assert [count("", ""), count("scopa", ""), count("tresette", ""), count("", "30"), count("tresette", "30")] == [
        2, 1, 1, 1, 0
    ]  # fmt: skip
    assert count("poker", "7") == 2, "what is unknown is everything"


def test_who_has_played_nothing_is_told_what_to_do(client: Client, anna: Player) -> None:
    client.force_login(anna.user)
    page = client.get(reverse("person-statistics", args=[anna.public_id]))
    assert read_hooks(page, "note") == ["no_matches"]
    assert reverse("home") in read_attribute(page, "href", "a")


@arrange_once
def decided(opened: Opened, anna: Player, bruno: Player, now: datetime) -> Fixture:
    """A fixture of a girone that was played to its end."""
    tournament = fill_sit_and_go(opened, [anna, bruno], now, base=GIRONE, length_value=2)
    rounds_played(tournament, now)
    return Fixture.objects.of(tournament).get(second__isnull=False)


def read_result(player: Player) -> tuple[tuple[int, int, int], tuple[int, int]]:
    """Won, drawn and lost, and the points made and conceded."""
    sums = read_sums(choose_counted(player))
    return (sums.won, sums.drawn, sums.lost), (sums.points_for, sums.points_against)


@pytest.mark.rule("F2")
def test_a_result_that_a_referee_ruled_is_counted_in_the_place_of_the_matchs_own(
    decided: Fixture, organiser: Player, now: datetime
) -> None:
    assert decided.match is not None
    first, second = (decided.match.seats.get(number=number).player for number in (0, 1))
    done = [read_sums(choose_counted(player)) for player in (first, second)]
    fixture = {"tournament_id": decided.round.tournament_id, "fixture_id": decided.pk}
    winner = 1 - (decided.winner or 0)
    points = (14, 8) if winner == 0 else (8, 14)
    decision = Decision(points=points, winner=winner)
    set_result(**fixture, decision=decision, act=Act(by=organiser, reason="Carte cadute", now=now))
    lost = (0, 0, 1)
    assert [read_result(player) for player in (first, second)] == [
        ((1, 0, 0) if winner == side else lost, (points[side], points[1 - side])) for side in (0, 1)
    ]
    for player, before in zip((first, second), done, strict=True):
        sums = read_sums(choose_counted(player))
        for name in ("matches", "deals", *COUNTED):
            assert getattr(sums, name) == getattr(before, name), "what was done at the table stays"
        [month] = read_months(choose_counted(player))
        assert (month.won, month.points_for) == (sums.won, sums.points_for)
        [opponent] = list_companions(choose_counted(player), player, partners=False)
        assert opponent.won == sums.won
        assert read_history(player).rows[0].outcome == ("won" if sums.won else "lost")
    call_command("recompute", "--check", "--only", "statistiche")
    draw = Decision(points=(11, 11), winner=None)
    set_result(**fixture, decision=draw, act=Act(by=organiser, reason="Pari", now=now))
    assert [read_result(player) for player in (first, second)] == [((0, 1, 0), (11, 11))] * 2
    act = Act(by=organiser, reason="Nessuno dei due", now=now)
    declare_forfeit(**fixture, lines=(0, 1), act=act)
    assert [read_result(player)[0] for player in (first, second)] == [lost] * 2
    annul_result(**fixture, act=Act(by=organiser, reason="Errore", now=now))
    assert [read_result(player) for player in (first, second)] == [((0, 0, 0), (0, 0))] * 2
    assert read_history(first).rows[0].outcome == "annulled"
    call_command("recompute", "--check", "--only", "statistiche")


@pytest.mark.rule("F2")
def test_a_ruling_that_is_taken_back_leaves_the_statistics_as_they_were(
    decided: Fixture, organiser: Player, anna: Player, now: datetime
) -> None:
    before = read_result(anna)
    fixture = {"tournament_id": decided.round.tournament_id, "fixture_id": decided.pk}
    annul_result(**fixture, act=Act(by=organiser, reason="Errore", now=now))
    assert read_result(anna)[0] == (0, 0, 0)
    restore_result(**fixture, act=Act(by=organiser, reason="Invece no", now=now))
    assert read_result(anna) == before
    call_command("recompute", "--check", "--only", "statistiche")


@pytest.mark.rule("F2")
def test_a_match_that_is_ordered_to_be_played_anew_counts_for_nobody(
    decided: Fixture, organiser: Player, anna: Player, now: datetime
) -> None:
    act = Act(by=organiser, reason="Mazzo incompleto", now=now)
    order_replay(tournament_id=decided.round.tournament_id, fixture_id=decided.pk, act=act)
    assert read_result(anna)[0] == (0, 0, 0)
    assert [row.outcome for row in read_history(anna).rows] == ["annulled"]


@pytest.mark.rule("R5")
def test_what_was_played_against_who_left_before_half_counts_for_nobody(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four, now, base=GIRONE)
    for match in open_ready(tournament, now + OPENING):
        play(match, now + OPENING)
    fixture = Fixture.objects.of(tournament).filter(match__status="finished").first()
    assert fixture is not None
    assert fixture.first is not None
    assert fixture.second is not None
    stayed = fixture.second.members.get().person.player
    assert stayed is not None
    assert read_sums(choose_counted(stayed)).matches == 1
    leaver = fixture.first
    withdraw_entry(tournament_id=tournament.pk, entry_id=leaver.pk, by=organiser, reason="Via", now=now)
    fixture.refresh_from_db()
    assert fixture.state == Fixture.State.ANNULLED
    assert read_sums(choose_counted(stayed)).matches == 0
    assert "annulled" in {row.outcome for row in read_history(stayed).rows}
