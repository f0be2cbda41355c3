"""Housekeeping (AT6): what nobody will miss is deleted after a time, in small steps; people's history stays."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Deal, Match, Move, Seat
from players import caps
from players.models import Player
from players.services import housekeeping
from players.services.house import create_house_player
from players.services.players import create_guest, forget_unused_house_players
from tests.support.play import OPENING, entry_of, nobody_comes, open_ready, sit_down, stored_equals_recomputed
from tests.support.tournaments import KO, Opened
from tournaments import retention, standing_offers
from tournaments.entries import house
from tournaments.models import Entry, Fixture, LogEntry, Tournament
from tournaments.organise import lifecycle
from tournaments.running.recompute import find_differences
from tournaments.running.results import record_result
from tournaments.running.withdraw import withdraw_entry

pytestmark = pytest.mark.django_db

State = Tournament.State


def finish(matches: list[Match], now: datetime) -> None:
    """End these matches as the first line's, as if they had been played."""
    for match in matches:
        over = {"status": "finished", "winner": 0, "margin": 1, "score_0": 1, "decided_by": "points"}
        Match.objects.filter(pk=match.pk).update(**over, finished_at=now, bot_due_at=None, noshow_at=None)
        Seat.objects.filter(match=match).update(live=False)
        record_result(match_id=match.pk, now=now)


def play_to_the_end(tournament: Tournament, now: datetime) -> datetime:
    tournament.refresh_from_db()
    while tournament.state == State.RUNNING:
        now += OPENING
        finish(open_ready(tournament, now), now)
        tournament.refresh_from_db()
    return now


def offer(now: datetime) -> None:
    standing_offers.publish_offer(standing_offers.OFFERS[0], now=now)


@pytest.fixture
def visited(db: None, anna: Player, now: datetime) -> Callable[[bool], Tournament]:
    """A standing offer that was played to its end; Anna sat down at her table, or never came."""

    def make(came: bool) -> Tournament:
        offer(now)
        tournament = standing_offers.enter_now(player=anna, now=now)
        matches = open_ready(tournament, now + OPENING)
        own = Match.objects.get(seats__player=anna)
        if came:
            sit_down(own, now + OPENING)
            finish([own], now + OPENING)
        else:
            nobody_comes(own)
        finish([match for match in matches if match.pk != own.pk], now + OPENING)
        play_to_the_end(tournament, now + OPENING)
        return tournament

    return make


def test_what_the_house_played_alone_is_deleted_with_its_tables_at6(now: datetime) -> None:
    show = standing_offers.start_showcase(now=now)
    end = play_to_the_end(show, now)
    assert retention.forget_house_tournaments(end + caps.HOUSE_TOURNAMENT_KEPT - caps.MINUTE) == 0
    assert retention.forget_house_tournaments(end + caps.HOUSE_TOURNAMENT_KEPT) == 1
    assert retention.forget_house_tournaments(end + caps.HOUSE_TOURNAMENT_KEPT) == 0, "done again it does nothing"
    for model in (Tournament, Entry, Fixture, LogEntry, Match, Seat, Deal, Move):
        assert not model.objects.exists(), model


def test_what_is_still_running_stays_at6(now: datetime) -> None:
    show = standing_offers.start_showcase(now=now)
    open_ready(show, now + OPENING)
    assert retention.forget_house_tournaments(now + 2 * caps.HOUSE_TOURNAMENT_KEPT) == 0
    assert retention.forget_house_matches(now + 2 * caps.HOUSE_MATCH_KEPT) == 0


def test_the_history_of_a_person_stays_and_loses_the_houses_cards_alone_at6(
    visited: Callable[[bool], Tournament], anna: Player, client: Client, now: datetime
) -> None:
    tournament = visited(True)
    results = list(
        Fixture.objects.of(tournament).order_by("pk").with_results().values("state", "winner", "points_0", "result_at")
    )
    ranks = list(tournament.entries.order_by("pk").values_list("rank", flat=True))
    own = set(Match.objects.filter(seats__player=anna))
    assert own < set(Match.objects.all())
    later = now + caps.DAY + max(caps.HOUSE_TOURNAMENT_KEPT, caps.HOUSE_MATCH_KEPT)
    assert retention.forget_house_tournaments(later) == 0
    assert retention.forget_house_matches(later) == 1
    assert retention.forget_house_matches(later) == 0
    assert set(Match.objects.all()) == own, "what she played is all there"
    assert results == list(
        Fixture.objects.of(tournament).order_by("pk").with_results().values("state", "winner", "points_0", "result_at")
    )
    assert ranks == list(tournament.entries.order_by("pk").values_list("rank", flat=True))
    assert stored_equals_recomputed(tournament)
    assert find_differences(tournament) == []
    client.force_login(anna.user)
    for name in ("tournament", "standings", "ranks"):
        assert client.get(reverse(name, args=[tournament.public_id])).status_code == 200
    assert client.get(reverse("profile")).status_code == 200


def test_one_to_whose_tables_nobody_came_is_missed_by_nobody_at6(
    visited: Callable[[bool], Tournament], anna: Player, now: datetime
) -> None:
    visited(False)
    later = now + caps.DAY + caps.HOUSE_TOURNAMENT_KEPT
    assert retention.forget_house_tournaments(later) == 1
    assert not Match.objects.exists()
    assert Player.objects.filter(pk=anna.pk).exists()


def test_one_that_everybody_left_before_they_came_is_deleted_too_at6(anna: Player, now: datetime) -> None:
    offer(now)
    tournament = standing_offers.enter_now(player=anna, now=now)
    own = entry_of(tournament, anna)
    withdraw_entry(tournament_id=tournament.pk, entry_id=own.pk, by=anna, reason="", now=now)
    assert retention.forget_house_tournaments(now + caps.HOUSE_TOURNAMENT_KEPT) == 1


def test_tournaments_of_people_stay_for_ever_at6(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = opened(KO, house_allowed=True)
    house.enter_house_players(tournament_id=tournament.pk, now=now)
    play_to_the_end(tournament, now)
    called_off = opened(KO)
    lifecycle.cancel_tournament(tournament_id=called_off.pk, by=organiser, now=now)
    later = now + caps.HOUSE_TOURNAMENT_KEPT + 2 * caps.DAY
    assert retention.forget_house_tournaments(later) == retention.forget_house_matches(later) == 0
    assert Match.objects.count() == 3


def test_a_draft_that_nobody_opened_is_deleted_at6(organiser: Player, now: datetime) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    touched = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    at = now + timedelta(days=1)
    lifecycle.edit_tournament(tournament_id=touched.pk, by=organiser, settings=KO, now=at)
    assert retention.forget_drafts(now + caps.DRAFT_KEPT - caps.MINUTE) == 0
    assert retention.forget_drafts(now + caps.DRAFT_KEPT) == 1
    assert list(Tournament.objects.all()) == [touched]
    assert not Tournament.objects.filter(pk=draft.pk).exists()


def test_house_players_nobody_needs_go_and_the_oldest_stay_at6(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "HOUSE_PLAYERS_KEPT", 2)
    offer(now)  # seven of them sit there
    extra = [create_house_player(now=now) for _ in range(3)]
    later = now + caps.HOUSE_PLAYER_KEPT
    assert forget_unused_house_players(now=later - caps.MINUTE) == 0
    assert forget_unused_house_players(now=later) == len(extra)
    assert forget_unused_house_players(now=later) == 0
    of_house = Player.objects.filter(kind=Player.Kind.HOUSE)
    assert of_house.filter(person__memberships__isnull=False).count() == 7


def test_the_housekeeping_does_a_share_at_a_time_and_goes_on_next_time_at6(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "HOUSEKEEPING_BATCH", 2)
    monkeypatch.setattr(caps, "HOUSEKEEPING_BATCHES", 2)
    for number in range(7):
        create_guest(now=now, address=f"192.0.2.{number}")
    later = now + caps.GUEST_UNUSED_KEPT
    counts = [housekeeping.keep_house(now=later)["unused guests"] for _ in range(3)]
    assert counts == [4, 3, 0]


def test_a_step_that_fails_stops_no_other(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(at: datetime) -> int:
        raise RuntimeError

    create_guest(now=now, address="192.0.2.1")
    monkeypatch.setattr(housekeeping, "_steps", {"broken": fail, **housekeeping._steps})
    assert housekeeping.keep_house(now=now + caps.GUEST_UNUSED_KEPT)["unused guests"] == 1


def test_every_step_is_registered() -> None:
    assert {"tournaments of the house", "matches of the house", "drafts", "counted acts"} <= set(housekeeping._steps)
