"""Training begun (B7), and forgotten a while after it is over. It makes no move, and nobody waits for anybody."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from games.engine.game import Length
from games.lobby.actions import LobbyRefused, SetupRefused, require_leave_to_play
from games.models import Match, Strength
from games.options import build_setup, find_fault
from games.services.seating import open_match, set_training_aside
from players import caps
from players.models import Player
from players.services.counted_acts import TooMany, count_act
from players.services.house import HouseBusy, prepare_house_players, take_house_players

SET_ASIDE_SECONDS = 86_400  # after a day


def begin_training(
    *,
    player: Player,
    ruleset: str,
    players: int,
    length: Length,
    options: Mapping[str, Any],
    turn_timeout: int | None,
    match_clock: int | None,
    strength: str,
    now: datetime,
) -> Match:
    """Open a match of ``player`` at seat 0 against the house; training of theirs that runs is set aside.

    SetupRefused if it can't be played so; LobbyRefused: too_many_tables, house_busy, suspended.
    """
    if strength not in Strength.values:
        raise ValueError("no such strength")
    wrong = find_fault(build_setup(ruleset, players, length, "free", options))
    if wrong is not None:
        raise SetupRefused(wrong)
    try:
        prepare_house_players(count=players - 1, now=now)
        with transaction.atomic():
            require_leave_to_play(player, now)
            count_act({f"training:{player.pk}": caps.TRAININGS_A_PERSON}, now=now)
            seated = [player, *take_house_players(count=players - 1, now=now)]
            return open_match(
                ruleset=ruleset,
                length=length,
                context="free",
                options=options,
                players=seated,
                turn_timeout=turn_timeout,
                match_clock=match_clock,
                noshow_after=SET_ASIDE_SECONDS,
                first_dealer=None,
                title=" · ".join(person.name for person in seated),
                absence=Match.Absence.HOUSE,
                training=True,
                strength=strength,
                now=now,
            )
    except TooMany as refused:
        raise LobbyRefused("too_many_tables", refused.wait) from None
    except HouseBusy as busy:
        raise LobbyRefused(busy.code) from None


def forget_training(*, match_id: int, now: datetime) -> bool:
    """Delete a training that has been over for long enough; False where there was nothing to do."""
    over = Match.objects.filter(pk=match_id, training=True, finished_at__lte=now - caps.TRAINING_KEPT)
    return bool(over.delete()[0])


def forget_all(*, player: Player, now: datetime) -> None:
    """Delete all training of an account that closes: nobody else has seen any of it, but for the secret of its cards,
    which is published with the end (J1)."""
    set_training_aside([player.pk], now=now)
    Match.objects.filter(training=True, seats__player=player).delete()
