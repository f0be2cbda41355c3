"""Brackets: results, leavers and a referee's acts cost the same in any field: queries and rows made (K4, F3)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match
from players.models import Player
from tests.support.counting import measure
from tests.support.desk import build_act, raises_refusal
from tests.support.play import OPENING, ready
from tests.support.standings import create_field
from tests.support.thorough import tries
from tests.support.tournaments import KO, Opened
from tournaments.desk import reinstatement, results
from tournaments.models import EntryMember, Fixture, Tournament
from tournaments.running import dependents, withdraw
from tournaments.running import results as match_results
from tournaments.running.recompute import find_differences
from tournaments.running.tables import open_due_fixture

pytestmark = pytest.mark.django_db

SMALL, BIG = 16, tries(64, 4096)
# Rows that a round more may add: a fixture on the path, the one beside it and their entries, for what depends on a
# result and for what follows from it.
A_ROUND = 8
THIRD_PLACE = replace(KO, format_options={"third_place": True})


def take_result(tournament: Tournament, now: datetime) -> Callable[[], object]:
    match = open_due_fixture(fixture_id=ready(tournament)[0].pk, now=now + OPENING)
    assert match is not None
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, winner=0, margin=1, score_0=1, decided_by="points", noshow_at=None
    )
    return lambda: match_results.record_result(match_id=match.pk, now=now)


def leave(tournament: Tournament, now: datetime) -> Callable[[], object]:
    member = EntryMember.objects.filter(tournament=tournament).select_related("person__player").order_by("pk")[5]
    player = member.person.player
    assert player is not None
    return lambda: withdraw.withdraw_entry(
        tournament_id=tournament.pk, entry_id=member.entry_id, by=player, reason="", now=now
    )


def decide(tournament: Tournament, now: datetime, winner: int) -> None:
    """The organiser gives the first fixture this winner."""
    points = (8, 3) if winner == 0 else (3, 8)
    results.set_result(
        tournament_id=tournament.pk,
        fixture_id=Fixture.objects.of(tournament).earliest("pk").pk,
        decision=results.Decision(points=points, winner=winner),
        act=build_act(tournament.organiser, now),
    )


def correct(tournament: Tournament, now: datetime) -> Callable[[], object]:
    decide(tournament, now, 0)
    return lambda: decide(tournament, now, 1)


def replay(tournament: Tournament, now: datetime) -> Callable[[], object]:
    decide(tournament, now, 0)
    fixture, act = Fixture.objects.of(tournament).earliest("pk"), build_act(tournament.organiser, now)
    return lambda: results.order_replay(tournament_id=tournament.pk, fixture_id=fixture.pk, act=act)


def take_again(tournament: Tournament, now: datetime) -> Callable[[], object]:
    entry, act = tournament.entries.order_by("pk")[5], build_act(tournament.organiser, now)
    withdraw.withdraw_entry(
        tournament_id=tournament.pk, entry_id=entry.pk, by=tournament.organiser, reason="Via", now=now
    )
    return lambda: reinstatement.reinstate_entry(tournament_id=tournament.pk, entry_id=entry.pk, act=act)


@pytest.mark.parametrize("what", [take_result, leave, correct, replay, take_again])
def test_what_changes_a_big_bracket_costs_what_it_costs_in_a_small_one_k4(
    opened: Opened, now: datetime, what: Callable[[Tournament, datetime], Callable[[], object]]
) -> None:
    costs = []
    for size in (SMALL, BIG):
        tournament = create_field(opened, THIRD_PLACE, size, now)
        costs.append(measure(what(tournament, now)))
        tournament.refresh_from_db()
        assert find_differences(tournament) == []
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")
    (small_queries, small_rows), (queries, rows) = costs
    rounds_more = BIG.bit_length() - SMALL.bit_length()
    assert queries == small_queries
    assert rows <= small_rows + A_ROUND * rounds_more


@pytest.mark.rule("F3")
def test_on_the_path_of_a_result_stand_all_that_depend_on_it(
    opened: Opened, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare with the plan of the whole bracket, after each result of an evening in any order."""
    tournament, dice, refused = create_field(opened, THIRD_PLACE, 12, now), Random(3), 0
    while open_ := ready(tournament):
        about = {"tournament_id": tournament.pk, "act": build_act(tournament.organiser, now)}
        results.declare_forfeit(fixture_id=dice.choice(open_).pk, lines=dice.choice([(0,), (1,), (0, 1)]), **about)
        for fixture in Fixture.objects.of(tournament).filter(result_at__isnull=False).select_related("round"):
            if fixture.winner is None:
                fixture.winner, fixture.double_forfeit = 0, False
            else:
                fixture.winner = 1 - fixture.winner
            dependent = dependents.find_dependents(tournament, fixture)
            with monkeypatch.context() as whole:
                whole.setattr(dependents, "find_path_format", lambda _tournament: None)
                assert dependent == dependents.find_dependents(tournament, fixture)
            refused += bool(dependent)
    assert refused
    tournament.refresh_from_db()
    assert find_differences(tournament) == []


@pytest.mark.rule("F3")
def test_who_left_a_bracket_stays_out_after_their_opponents_next_table_has_opened(
    opened: Opened, now: datetime
) -> None:
    tournament = create_field(opened, THIRD_PLACE, 8, now)
    leave(tournament, now)()
    entry = tournament.entries.get(withdrawn_at__isnull=False)
    act = build_act(tournament.organiser, now)
    for fixture in ready(tournament):
        results.declare_forfeit(tournament_id=tournament.pk, fixture_id=fixture.pk, lines=(0,), act=act)
    about = {"tournament_id": tournament.pk, "entry_id": entry.pk, "act": act}
    (lost,) = Fixture.objects.of_entry(entry)
    (followed,) = [fixture for fixture in ready(tournament) if fixture.board == (lost.board + 1) // 2]
    open_due_fixture(fixture_id=followed.pk, now=now + OPENING)
    with raises_refusal("depended_on") as refusal:
        reinstatement.reinstate_entry(**about)
    assert refusal.value.values["fixtures"] == [(followed.round.name, 2, followed.board)]


def test_the_referees_page_of_a_big_bracket_costs_what_that_of_a_small_one_does_w2(
    opened: Opened, client: Client, organiser: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.desk.views.MOST_ENTRIES", 32)
    assert organiser.user is not None
    client.force_login(organiser.user)
    costs = []
    for size in (64, tries(128, 4096)):
        tournament = create_field(opened, KO, size, now)
        for fixture in ready(tournament)[:3]:
            open_due_fixture(fixture_id=fixture.pk, now=now + OPENING)
        url = reverse("tournament-desk", args=[tournament.public_id])
        client.get(url)
        costs.append(measure(lambda url=url: client.get(url)))  # type: ignore[misc]
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")
    assert costs[0] == costs[1]
