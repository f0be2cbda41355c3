"""A referee's decisions in tests: a reason, an act, a tournament with a referee, a refusal."""

from datetime import datetime

import pytest

from games.models import Match
from players.models import Player
from tests.support.tournaments import Opened
from tournaments.core.errors import TournamentError
from tournaments.desk.act import Act
from tournaments.entries import join
from tournaments.models import Fixture, Referee, Tournament

WHY = "Carte viste da tutti e due"


def start_refereed(opened: Opened, players: list[Player], referee: Player, now: datetime, *args: object) -> Tournament:
    tournament = opened(*args, max_entries=len(players))
    Referee.objects.create(tournament=tournament, player=referee)
    for player in players:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    return tournament


def build_act(by: Player, now: datetime, reason: str = WHY, key: str = "") -> Act:
    return Act(by=by, reason=reason, now=now, key=key)


def raises_refusal(code: str) -> "pytest.RaisesExc[TournamentError]":
    return pytest.raises(TournamentError, match=f"^{code}$")


def read_fixture(match: Match) -> Fixture:
    return Fixture.objects.select_related("match").get(match=match)
