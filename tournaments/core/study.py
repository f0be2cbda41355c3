"""Tournaments that keep people from studying (HP6): a round with equal deals that is on, whose cards others are still
to play, and matches of a tournament that runs. It never writes."""

from datetime import datetime

from django.db.models import Q
from django.urls import Resolver404, resolve

from games.models import Match
from games.withheld import require_withheld
from players.models import Player
from tournaments.core.states import UNFINISHED
from tournaments.core.visibility import make_player_condition
from tournaments.models import Fixture, Tournament

EQUAL_ROUND = "study_equal_round"
TOURNAMENT_RUNNING = "study_tournament_running"


def find_equal_round(player: Player, _now: datetime) -> str | None:
    """Return EQUAL_ROUND while a round with equal deals is on in a tournament of the player's (J12)."""
    on = Fixture.objects.filter(require_withheld("round__"), match__isnull=False)
    return EQUAL_ROUND if on.filter(make_player_condition("round__tournament", player)).exists() else None


def find_running_tournament(match: Match) -> str | None:
    """Return TOURNAMENT_RUNNING for a match of a tournament that isn't over, also for one that was replayed."""
    own = Q(rounds__fixtures__match=match) | Q(public_id=_read_tournament_id(match))
    return TOURNAMENT_RUNNING if Tournament.objects.filter(own, state__in=UNFINISHED).exists() else None


def _read_tournament_id(match: Match) -> str:
    """Return the public id of the tournament whose page the match belongs to; empty where there is none."""
    try:
        page = resolve(match.about_url)
    except Resolver404:
        return ""
    return str(page.kwargs["public_id"]) if page.url_name == "tournament" else ""
