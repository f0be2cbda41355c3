"""A referee's decisions in tests: a reason, an act, a tournament with a referee, a refusal."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from games.models import Match
from players.models import Player
from tests.support.entries import enter_all, find_invitation
from tests.support.tournaments import Opened
from tournaments.core.errors import TournamentError
from tournaments.desk import reinstatement, substitution
from tournaments.desk.act import Act
from tournaments.models import Fixture, Referee, Tournament

WHY = "Carte viste da tutti e due"


def start_refereed(opened: Opened, players: list[Player], referee: Player, now: datetime, *args: object) -> Tournament:
    tournament = opened(*args, max_entries=len(players))
    Referee.objects.create(tournament=tournament, player=referee)
    enter_all(tournament, players, now)
    assert tournament.state == Tournament.State.RUNNING
    return tournament


def build_act(by: Player, now: datetime, reason: str = WHY, key: str = "") -> Act:
    return Act(by=by, reason=reason, now=now, key=key)


def send_act(client: Client, address: str, sent: Mapping[str, object], **more: Any) -> Any:
    """Send an act's form, and confirm what its preview shows (F5); the answer is the page where it is refused."""
    shown = client.post(address, sent)
    (form,) = [form for form in shown.context["acts"] if form.is_bound]
    return shown if form.consequences is None else client.post(address, {**sent, "sure": form.seal}, **more)


def raises_refusal(code: str) -> "pytest.RaisesExc[TournamentError]":
    return pytest.raises(TournamentError, match=f"^{code}$")


def read_fixture(match: Match) -> Fixture:
    return Fixture.objects.select_related("match").get(match=match)


def replace_by(tournament: Tournament, entry_id: int, out: Player, newcomer: Player, act: Act) -> None:
    """The referee asks the newcomer, who accepts at once."""
    substitution.replace_player(
        tournament_id=tournament.pk, entry_id=entry_id, player_id=out.pk, name=newcomer.name, act=act
    )
    asked = find_invitation(tournament, newcomer)
    substitution.take_place(tournament_id=tournament.pk, player=newcomer, invitation_id=asked.pk, now=act.now)


def bring_back(tournament: Tournament, entry_id: int, leaver: Player, act: Act) -> None:
    """The referee takes in again who left, who accepts at once."""
    reinstatement.reinstate_entry(tournament_id=tournament.pk, entry_id=entry_id, act=act)
    asked = find_invitation(tournament, leaver)
    reinstatement.return_to_play(tournament_id=tournament.pk, player=leaver, invitation_id=asked.pk, now=act.now)
