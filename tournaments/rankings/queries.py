"""Reads of the stored rankings (Y1): as many queries for a hundred thousand people as for ten. They never rank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

from players import caps
from players.models import Person, Player
from players.names import make_name_key
from players.selectors import find_shown
from tournaments.core.last_results import read_last_outcomes
from tournaments.models import Club, Ranking, RankingRow

PAGE_ROWS = 50
LAST_MATCHES = 5
M = TypeVar("M", bound=Model)
Kind = Ranking.Kind


@dataclass(frozen=True, slots=True)
class RankedPerson:
    """A person of a ranking, as everybody is shown them. ``player`` is None of whoever has no account."""

    place: int
    rank: int
    name: str
    player: Player | None
    value: int
    tournaments: int
    uncertain: bool
    mine: bool
    person: Person


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """Page ``number`` of ``pages``. ``own``: the reader's row, and ``own_page`` the page that it is on."""

    rows: tuple[RankedPerson, ...]
    number: int
    pages: int
    total: int
    own: RankedPerson | None = None
    own_page: int = 1

    @property
    def is_own_elsewhere(self) -> bool:
        """Tell whether the reader's row is none of those that this page shows."""
        return self.own is not None and not any(row.mine for row in self.rows)


def list_rankings(club: Club | None) -> QuerySet[Ranking]:
    """Return the rankings of the site, or a club's own, in which somebody stands: a handful."""
    return Ranking.objects.filter(club=club, size__gt=0).order_by("ruleset", "form", "kind", "-year")


def read_people_after(
    ranking: Ranking, player: Player | None, *, after: int, limit: int, name: str = ""
) -> tuple[tuple[RankedPerson, ...], int | None]:
    """Return who stands behind that place, at most so many, and the place behind which the next ones do; of a name
    the first few."""
    rows = ranking.rows.filter(generation=ranking.generation).select_related("person__player")
    if name:
        named = list(begin_with(rows, "name_key", name)[: caps.RANKING_NAMES])
        return _show(ranking, sorted(named, key=lambda row: row.place), player), None
    shown = _show(ranking, list(rows.filter(place__gt=after, place__lte=after + limit).order_by("place")), player)
    return shown, after + limit if after + limit < ranking.size else None


def read_people(
    ranking: Ranking, player: Player | None, *, number: int = 1, name: str = "", members_of: Club | None = None
) -> PeoplePage:
    """Read the page of that number, or the nearest. ``name``: only who is called so, or by a name that begins so;
    ``members_of``: only the members of that club, with the ranks they have among all."""
    rows = ranking.rows.filter(generation=ranking.generation).order_by("place")
    own = None if player is None else rows.filter(person__player=player).select_related("person__player").first()
    wanted = rows
    if members_of is not None:
        wanted = wanted.filter(person__player__clubs__club=members_of, person__player__clubs__confirmed=True)
    if name:
        named = list(begin_with(wanted, "name_key", name).select_related("person__player")[: caps.RANKING_NAMES])
        shown = _show(ranking, sorted(named, key=lambda row: row.place), player)
        return PeoplePage(shown, 1, 1, len(shown), *_show_own(ranking, rows, own, player, members_of))
    total = ranking.size if members_of is None else wanted.count()
    pages = max(1, -(-total // PAGE_ROWS))
    number = min(max(1, number), pages)
    start = (number - 1) * PAGE_ROWS
    if members_of is None:
        cut = wanted.filter(place__gt=start, place__lte=start + PAGE_ROWS)
    else:
        cut = wanted[start : start + PAGE_ROWS]
    shown = _show(ranking, list(cut.select_related("person__player")), player)
    return PeoplePage(shown, number, pages, total, *_show_own(ranking, wanted, own, player, members_of))


def read_last_of_people(
    people: Sequence[RankedPerson], reader: Player | None, ruleset: str
) -> Mapping[int, tuple[str, ...]]:
    """Return how the last matches of these people ended in a game, by player: of those alone who show the reader what
    they have played."""
    players = [person.player for person in people if person.player is not None]
    return read_last_outcomes(find_shown(players, reader, "history"), LAST_MATCHES, ruleset)


def begin_with(rows: QuerySet[M], field: str, name: str) -> QuerySet[M]:
    """Return the rows whose key of a name begins as this one does, in that order, from the key's index alone."""
    key = make_name_key(name)
    if not key:
        return rows.none()
    begun = rows.filter(**{f"{field}__startswith": key})
    if connection.vendor == "sqlite":  # whose LIKE knows no index
        begun = begun.filter(**{f"{field}__gte": key, f"{field}__lt": f"{key}\U0010ffff"})
    return begun.order_by(field)


def _show(ranking: Ranking, rows: Sequence[RankingRow], player: Player | None) -> tuple[RankedPerson, ...]:
    """Return the rows as this reader may see them: a level only of whoever shows it to them, whenever they chose so."""
    if ranking.kind == Kind.LEVEL:
        shown = find_shown([row.person.player for row in rows if row.person.player is not None], player, "levels")
        rows = [row for row in rows if row.person.player is not None and row.person.player.pk in shown]
    return tuple(_make_row(row, player) for row in rows)


def _show_own(
    ranking: Ranking, rows: QuerySet[RankingRow], own: RankingRow | None, player: Player | None, club: Club | None
) -> tuple[RankedPerson | None, int]:
    """Return the reader's own row, and the number of the page that it is on."""
    if own is None:
        return None, 1
    ahead = own.place - 1 if club is None else rows.filter(place__lt=own.place).count()
    return _make_row(own, player), ahead // PAGE_ROWS + 1


def _make_row(row: RankingRow, player: Player | None) -> RankedPerson:
    mine = player is not None and row.person.player is not None and row.person.player.pk == player.pk
    return RankedPerson(
        place=row.place,
        rank=row.rank,
        name=row.person.public_name,
        player=row.person.player,
        value=row.value,
        tournaments=row.tournaments,
        uncertain=row.uncertain,
        mine=mine,
        person=row.person,
    )
