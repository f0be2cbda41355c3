"""Page of the standings, from the stored ranks: its cost doesn't grow with the number of entries. It never ranks.

Before the draw it is empty; before the first result entries stand in the order of their seeds.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Q

from players.models import Player
from scoring.tournament_points import place_ranks
from tournaments.core.name_search import search_entries
from tournaments.core.reads import make_standing_row, read_entries_of
from tournaments.core.rows import PageHeader, RankedEntry, Replacement
from tournaments.models import Entry, Tournament
from tournaments.querysets import EntryQuerySet

PAGE_ENTRIES = 100  # a tournament with no more shows all of them on its own page


@dataclass(frozen=True, slots=True)
class RankingPage:
    """Page ``number`` of ``pages``.

    ``total``: the number of entries, of all or by name; ``own``: the page with the reader's entry. ``header``: as on
    the tournament's page, for the templates that draw rows of either. ``replaced``: who went among those of that name.
    """

    rows: tuple[RankedEntry, ...]
    number: int
    pages: int
    total: int
    own: int | None
    header: PageHeader
    replaced: tuple[Replacement, ...] = ()


def read_ranking_page(tournament: Tournament, player: Player | None, *, number: int = 1, name: str = "") -> RankingPage:
    """Read the page of that number, or the nearest. ``name``: only entries with a player whose name contains it."""
    order = (F("rank").asc(nulls_first=True), "seed")
    named, replaced = search_entries(tournament, name)
    ordered, wanted = tournament.entries.order_by(*order), named.order_by(*order)
    count = wanted.count() if tournament.drawn_at is not None else 0
    pages = max(1, -(-count // PAGE_ENTRIES))
    number = min(max(1, number), pages)
    entries = list(wanted[(number - 1) * PAGE_ENTRIES : number * PAGE_ENTRIES]) if count else []
    shown = read_entries_of(entries)
    begun = tournament.state == Tournament.State.FINISHED or ordered.filter(played__gt=0).exists()
    levels = _count_people(tournament, entries)
    people = sum(levels.values()) if levels is not None else count
    places = _find_places(ordered, levels)
    return RankingPage(
        rows=tuple(
            make_standing_row(
                entry,
                shown[entry.pk],
                entry.rank if begun else None,
                None if not begun or entry.rank is None else entry.rank if places is None else places.get(entry.rank),
                player,
            )
            for entry in entries
        ),
        number=number,
        pages=pages,
        total=count,
        own=None if player is None or name else _find_own_page(ordered, player),
        header=PageHeader(tournament, total=count, people=people, tables_open=0),
        replaced=replaced,
    )


def _count_people(tournament: Tournament, entries: list[Entry]) -> dict[int, int] | None:
    """Count people's entries by rank (0: none yet), where the house plays too (E8); else None: a place is the rank."""
    if not tournament.house_allowed or not entries or not _house_plays(tournament):
        return None
    people = tournament.entries.drawn().filter(pk__in=tournament.entries.of_people().values("pk")).order_by()
    rows = people.values("rank").annotate(size=Count("pk", distinct=True)).values_list("rank", "size")
    return {rank or 0: size for rank, size in rows}


def _house_plays(tournament: Tournament) -> bool:
    return tournament.members.bots().exists()


def _find_places(ordered: EntryQuerySet, people: Mapping[int, int] | None) -> Mapping[int, int] | None:
    """Return the place of people's entries at each rank; None where it is the rank. Alone one is ahead of nobody."""
    if people is None:
        return None
    if sum(people.values()) < 2:
        return {}
    everybody = {rank or 0: size for rank, size in ordered.order_by().values_list("rank").annotate(size=Count("pk"))}
    return {rank: places.first for rank, places in place_ranks(people, everybody).items()}


def _find_own_page(ordered: EntryQuerySet, player: Player) -> int | None:
    """Return the number of the page with the player's own entry."""
    own = ordered.of_player(player).first()
    if own is None or own.seed is None:
        return None
    level = Q(rank=own.rank) if own.rank is not None else Q(rank__isnull=True)
    better = Q(pk__in=()) if own.rank is None else Q(rank__lt=own.rank) | Q(rank__isnull=True)
    ahead = ordered.filter(better | (level & Q(seed__lt=own.seed))).count()
    return ahead // PAGE_ENTRIES + 1
