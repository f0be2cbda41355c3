"""One page of the standings, out of the ranks that are stored: what it takes doesn't grow with the number of lines.

Before the draw there are none; then the lines stand in the order of their seeds.
"""

from dataclasses import dataclass

from django.db.models import Count, F, Q

from players.models import Player
from players.names import name_key
from tournaments.core.reads import make_standing_row, read_lines_of
from tournaments.core.rows import PageHeader, StandingRow
from tournaments.models import Entry, Tournament
from tournaments.querysets import EntryQuerySet

PAGE = 100  # lines; a tournament with no more shows all of them on its own page


@dataclass(frozen=True, slots=True)
class Ranks:
    """Page ``number`` of ``pages``. ``found``: how many lines there are, or were found by name; ``own``: the page with
    the reader's line. ``header``: as on the tournament's page, for the templates that draw rows of either."""

    rows: tuple[StandingRow, ...]
    number: int
    pages: int
    found: int
    own: int | None
    header: PageHeader


def read_ranks(tournament: Tournament, player: Player | None, *, number: int = 1, name: str = "") -> Ranks:
    """The page of that number, or the nearest there is. ``name``: only lines with a player called about so."""
    ordered = tournament.entries.order_by(F("rank").asc(nulls_first=True), "seed")
    wanted = ordered
    if name:
        wanted = ordered.filter(members__player__name_key__contains=name_key(name)).distinct()
    found = wanted.count() if tournament.drawn_at is not None else 0
    pages = max(1, -(-found // PAGE))
    number = min(max(1, number), pages)
    entries = list(wanted[(number - 1) * PAGE : number * PAGE]) if found else []
    lines = read_lines_of(entries)
    begun = tournament.state == Tournament.State.FINISHED or ordered.filter(played__gt=0).exists()
    levels = _levels(tournament, entries)
    people = ordered.count() - sum(levels.values()) if levels is not None else found
    return Ranks(
        rows=tuple(
            make_standing_row(
                entry,
                lines[entry.pk],
                entry.rank if begun else None,
                _place(entry, levels, people, begun=begun),
                player,
            )
            for entry in entries
        ),
        number=number,
        pages=pages,
        found=found,
        own=None if player is None or name else _page_of(ordered, player),
        header=PageHeader(tournament, total=found, people=people, tables_open=0),
    )


def _levels(tournament: Tournament, entries: list[Entry]) -> dict[int, int] | None:
    """Per rank (0: none yet) the house's lines, where it plays too (E8); else None: a line's place is its rank."""
    if not tournament.house_allowed or not entries or not _house_plays(tournament):
        return None
    house = tournament.entries.drawn().exclude(pk__in=tournament.entries.of_people().values("pk")).order_by()
    rows = house.values("rank").annotate(lines=Count("pk", distinct=True)).values_list("rank", "lines")
    return {rank or 0: lines for rank, lines in rows}


def _house_plays(tournament: Tournament) -> bool:
    return tournament.members.bots().exists()


def _place(entry: Entry, levels: dict[int, int] | None, people: int, *, begun: bool) -> int | None:
    if not begun or entry.rank is None:
        return None
    if levels is None:
        return entry.rank
    if people < 2:  # alone one is ahead of nobody
        return None
    return entry.rank - sum(lines for rank, lines in levels.items() if rank < entry.rank)


def _page_of(ordered: EntryQuerySet, player: Player) -> int | None:
    """The page with the player's own line."""
    own = ordered.of_player(player).first()
    if own is None or own.seed is None:
        return None
    level = Q(rank=own.rank) if own.rank is not None else Q(rank__isnull=True)
    better = Q(pk__in=()) if own.rank is None else Q(rank__lt=own.rank) | Q(rank__isnull=True)
    ahead = ordered.filter(better | (level & Q(seed__lt=own.seed))).count()
    return ahead // PAGE + 1
