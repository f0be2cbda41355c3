"""A format is a file in a folder: one that was never in the house is found there, drawn, played and ranked."""

from datetime import datetime
from pathlib import Path

import pytest
from django.test import Client

from players.models import Player
from tests.support.play import OPENING, nobody_comes, open_ready, play, stored_equals_recomputed
from tests.support.tournaments import KO, Opened
from tournaments import formats
from tournaments.core import errors
from tournaments.entries import join
from tournaments.models import Entry, Fixture, Tournament

pytestmark = [pytest.mark.django_db]

State = Fixture.State


@pytest.fixture
def challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house finds the folder's formats again, with one file more in it."""
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(Path(__file__).parent / "added")])
    loaded = formats.load_formats()
    assert sorted(loaded) == sorted([*formats.FORMATS, "challenge"])
    monkeypatch.setitem(formats.FORMATS, "challenge", loaded["challenge"])


@pytest.fixture
def running(challenge: None, opened: Opened, anna: Player, bruno: Player, now: datetime) -> Tournament:
    tournament = opened(KO, format="challenge", max_entries=2)
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    return tournament


def states(tournament: Tournament) -> list[str]:
    fixtures = Fixture.objects.filter(round__tournament=tournament)
    return list(fixtures.order_by("round__number").values_list("state", flat=True))


def test_two_wins_decide_it_and_the_third_match_is_not_played(running: Tournament, now: datetime) -> None:
    assert states(running) == [State.READY, State.WAITING, State.WAITING]
    while running.state == Tournament.State.RUNNING:
        (match,) = open_ready(running, now := now + OPENING)
        now = play(match, now)
        running.refresh_from_db()
    played = Fixture.objects.filter(round__tournament=running, state=State.DONE).count()
    ranks = dict(Entry.objects.filter(tournament=running).values_list("rank", "won"))
    assert ranks == {1: 2, 2: played - 2}
    assert states(running)[2] == (State.VOID if played == 2 else State.DONE)
    assert stored_equals_recomputed(running)


def test_if_nobody_ever_comes_both_are_first(running: Tournament, now: datetime) -> None:
    while running.state == Tournament.State.RUNNING:
        (match,) = open_ready(running, now := now + OPENING)
        now = nobody_comes(match)
        running.refresh_from_db()
    assert states(running) == [State.DONE] * 3
    assert set(Entry.objects.filter(tournament=running).values_list("rank", flat=True)) == {1}


def test_it_takes_two_and_no_more(challenge: None, opened: Opened) -> None:
    with pytest.raises(errors.TournamentError, match="entries_range"):
        opened(KO, format="challenge", max_entries=3)


def test_its_page_and_the_organisers_form_show_it(running: Tournament, client: Client, anna: Player) -> None:
    page = client.get(f"/tornei/{running.public_id}/").content.decode()
    assert "Anna" in page
    assert page.count("Turno ") >= 3
    client.force_login(anna.user)
    assert 'value="challenge"' in client.get("/tornei/nuovo/").content.decode()
