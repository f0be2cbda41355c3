"""Tournaments that a person has played, with rank and field, on the site and at real tables. It never writes."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from players.models import Player
from tournaments.models import EntryMember, Tournament, TournamentPoints
from tournaments.profiles.history import list_own_persons

PAGE_ROWS = 20
SHOWN = (Tournament.State.RUNNING, Tournament.State.FINISHED)


@dataclass(frozen=True, slots=True)
class PersonTournament:
    """A tournament of a person. ``rank``: among people, once it is over; ``field``: how many entries of people."""

    tournament: Tournament
    rank: int | None
    field: int | None
    points: int | None


@dataclass(frozen=True, slots=True)
class PlayedTournamentsPage:
    """Page ``number`` of ``pages`` of ``total`` tournaments, the latest first."""

    rows: tuple[PersonTournament, ...] = ()
    number: int = 1
    pages: int = 1
    total: int = 0


def read_played_tournaments(player: Player, number: int = 1, *, size: int = PAGE_ROWS) -> PlayedTournamentsPage:
    """Return the page of that number, or the nearest, in as many queries for any number of tournaments."""
    entered = _list_memberships(player)
    total = entered.count()
    pages = max(1, -(-total // size))
    number = min(max(number, 1), pages)
    rows = entered.select_related("tournament", "entry").order_by("-tournament__drawn_at", "-pk")
    chosen = list(rows[(number - 1) * size : number * size])
    return PlayedTournamentsPage(tuple(_rank(chosen)), number, pages, total)


def _list_memberships(player: Player) -> QuerySet[EntryMember]:
    return EntryMember.objects.filter(
        person__in=list_own_persons(player), tournament__state__in=SHOWN, tournament__drawn_at__isnull=False
    )


def _rank(members: Sequence[EntryMember]) -> list[PersonTournament]:
    """Return the tournaments of these memberships with what is stored of their ranks (Y4)."""
    stored = TournamentPoints.objects.filter(entry__in=[member.entry_id for member in members])
    ranks = {(row.entry_id, row.person_id): row for row in stored}
    return [_build(member.tournament, ranks.get((member.entry_id, member.person_id))) for member in members]


def _build(tournament: Tournament, row: TournamentPoints | None) -> PersonTournament:
    if row is None:
        return PersonTournament(tournament, None, None, None)
    return PersonTournament(tournament, row.rank, row.field, row.points)
