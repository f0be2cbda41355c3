"""Fixtures that wait for a player, told to the lobby of the tables: what is due soon, and what is left to play when
there are no hours (B2). It never writes."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q

from players.models import Player
from tournaments.core.states import ENTERING
from tournaments.core.visibility import list_current
from tournaments.models import EntryMember, Fixture, Tournament
from tournaments.venues import list_where

State = Tournament.State


def find_due_players(player_ids: Collection[int], until: datetime) -> set[int]:
    """Return who of these players has a table that opens by that instant: a fixture with an hour, or the first one of a
    tournament that begins."""
    ids = set(player_ids)
    if not ids:
        return set()
    on_site = list_where(opens_tables=True)
    fixtures = Fixture.objects.ready().filter(
        round__tournament__venue__in=on_site, round__tournament__lent_to="", round__tournament__state=State.RUNNING,
        opens_at__lte=until, moved=False,
        round__tournament__paused_at__isnull=True, round__tournament__imported_from="",
    )  # fmt: skip
    sides = [side for pair in fixtures.values_list("first", "second") for side in pair if side is not None]
    begins = Q(
        tournament__state__in=ENTERING, tournament__starts_at__lte=until, tournament__venue__in=on_site,
        tournament__lent_to="", entry__waiting_since__isnull=True,
    )  # fmt: skip
    rows = EntryMember.objects.filter(Q(entry__in=sides) | begins, person__player__in=ids)
    return {pk for pk in rows.values_list("person__player_id", flat=True) if pk is not None}


def list_unplayed_tournaments(player: Player) -> list[Tournament]:
    """List the running tournaments without hours in which the player has fixtures to play: their tables may open at any
    moment, so who seeks a match meanwhile is asked to confirm (B2)."""
    running = list_current(player).filter(
        state=State.RUNNING, venue__in=list_where(opens_tables=True), round_minutes=None, lent_to="", imported_from=""
    )
    mine = Q(first__members__person__player=player) | Q(second__members__person__player=player)
    return [
        tournament
        for tournament in running
        if not tournament.has_hours and Fixture.objects.of(tournament).open().filter(mine).exists()
    ]
