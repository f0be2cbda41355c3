"""Reads of free tables: which there are, who waits at one and which of its seats are free. They never write."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from games.chips.queries import compute_greatest_loss, sees_chips
from games.engine.game import list_seats
from games.levels import ShownLevel, read_shown_levels
from games.models import FreeSeat, FreeTable, Seat
from players import presence
from players.models import FriendCall, Player
from players.selectors import find_blocks_with, find_shown, list_followed
from players.services.calls import list_called

SIDES = ("top", "left", "right", "bottom")  # of the square table, as one reads it
MAX_LISTED = 30  # at most so many on the front page
# What a free table is set up with, and a rematch plays by again (B5).
SETTINGS = (
    "ruleset", "players", "length_kind", "length_value", "options", "turn_timeout", "match_clock", "absence", "public",
    "strength", "stake", "stake_per", "handicap",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """A seat of a free table as one reader sees it. ``line`` is 0 or 1; ``morto``: who sits here plays seat 2 too."""

    number: int
    line: int
    name: str | None
    guest: bool
    mine: bool
    host: bool
    morto: bool
    greatest_loss: int = 0  # chips (Z2)
    start: int = 0  # points that its line begins with (L7)
    player: Player | None = None
    level: ShownLevel | None = None  # None where there is none, or it isn't shown to the reader
    ordinal: int = 1  # among the seats of its table
    side: str = "bottom"  # of the square table, seen from the reader's seat

    @property
    def with_reader(self) -> bool:
        """Tell if who sits here is the partner of the reader, opposite whom they play."""
        return self.side == "top"


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A free table as one reader sees it."""

    table: FreeTable
    places: tuple[SeatPlace, ...]
    host: str
    seated: bool  # the reader waits here
    is_host: bool
    waits_since: datetime | None = None  # since somebody last sat down

    @property
    def free(self) -> int:
        return sum(place.name is None for place in self.places)

    @property
    def around(self) -> tuple[SeatPlace, ...]:
        """Return the seats as one sees them, from above to below."""
        return tuple(sorted(self.places, key=lambda place: SIDES.index(place.side)))

    @property
    def names(self) -> str:
        """Return the names of whoever waits, in the order of the seats."""
        return ", ".join(place.name for place in self.places if place.name is not None)

    @property
    def has_levels(self) -> bool:
        """Tell if a level is said of anybody, so that the page explains levels."""
        return any(place.level for place in self.places)

    @property
    def last_seat(self) -> int | None:
        """The seat that is left, where there is only one."""
        left = [place.number for place in self.places if place.name is None]
        return left[0] if len(left) == 1 else None

    @property
    def sits_at_once(self) -> bool:
        """Tell if a list may offer the last seat itself: what it doesn't say of the table, a stake's greatest loss (Z2)
        or a handicap (L7), is read on the table's page first."""
        return self.last_seat is not None and not self.table.stake and not self.table.handicap


@dataclass(frozen=True, slots=True)
class FriendHere:
    """Friend who is here: the level they show, and whether they were called to the table."""

    player: Player
    level: ShownLevel | None
    called: bool


def find_table(public_id: str) -> FreeTable | None:
    return FreeTable.objects.select_related("match").filter(public_id=public_id).first()


def describe_table(table: FreeTable, player: Player | None) -> WaitingTable:
    """Return the table with its seats, for this reader (None: a visitor): those of its match, once that has begun."""
    seats: dict[int, FreeSeat | Seat] = {seat.number: seat for seat in (table.match or table).seats.all()}
    first = min(seats.values(), key=lambda seat: seat.pk, default=None)
    mine = None if player is None else next((seat for seat in seats.values() if seat.player_id == player.pk), None)
    levels = read_shown_levels([seat.player for seat in seats.values()], player, table.ruleset, table.players)
    places = []
    sides = find_sides(table.players, 0 if mine is None else mine.number)
    for ordinal, number in enumerate(list_seats(table.players), 1):
        seat = seats.get(number)
        places.append(
            SeatPlace(
                number=number,
                line=number % 2,
                name=None if seat is None else seat.player.name,
                guest=seat is not None and seat.player.is_guest,
                mine=seat is not None and seat is mine,
                host=seat is not None and seat is first,
                morto=number == 0 and table.players == 3,
                greatest_loss=compute_greatest_loss(table, number) if table.stake else 0,
                start=table.handicap[number % 2] if table.handicap else 0,
                player=None if seat is None else seat.player,
                level=None if seat is None else levels.get(seat.player_id),
                ordinal=ordinal,
                side=sides[number],
            )
        )
    return WaitingTable(
        table=table,
        places=tuple(places),
        host="" if first is None else first.player.name,
        seated=mine is not None,
        is_host=mine is not None and mine is first,
        waits_since=max((seat.sat_at for seat in seats.values() if isinstance(seat, FreeSeat)), default=None),
    )


def find_sides(players: int, own: int) -> dict[int, str]:
    """Return on which side of the square table each seat stands, seen from one of them: that one below, and whoever
    plays next at its right; where three play the two others above."""
    numbers = list_seats(players)
    others = [*numbers[numbers.index(own) + 1 :], *numbers[: numbers.index(own)]]
    shown = {1: ["top"], 2: ["right", "left"], 3: ["right", "top", "left"]}[len(others)]
    return {own: "bottom", **dict(zip(others, shown, strict=True))}


def list_friends_here(player: Player, table: FreeTable, now: datetime) -> list[FriendHere]:
    """List whom the player follows that are here and let them know it (B6), those at the table aside."""
    friends = list_followed(player)
    here = presence.find_here(now) if friends else None
    if not here:
        return []
    parted = {pk for pair in find_blocks_with([player.pk]) for pk in pair}
    seated = {seat.player_id for seat in list_occupants(table)}
    shown = (find_shown(friends, player, "presence") & here) - parted - seated
    about = [friend for friend in friends if friend.pk in shown]
    levels = read_shown_levels(about, player, table.ruleset, table.players)
    called = list_called(player, FriendCall.Kind.TABLE, table.public_id)
    return [FriendHere(friend, levels.get(friend.pk), friend.pk in called) for friend in about]


def list_tables(player: Player | None) -> list[WaitingTable]:
    """List the public tables that wait for somebody, the fullest first, without those nobody sits at any more, and
    without those at which the player can't sit for a block (B6)."""
    public = _open_tables().filter(public=True)
    if not sees_chips(player):
        public = public.filter(stake=0)  # Z5
    tables = public.annotate(taken=Count("seats")).filter(taken__gt=0)
    if player is not None:
        blocked = {other for pair in find_blocks_with([player.pk]) for other in pair if other != player.pk}
        tables = tables.exclude(seats__player__in=blocked) if blocked else tables
    return [describe_table(table, player) for table in tables.order_by("-taken", "-opened_at")[:MAX_LISTED]]


def find_own_table(player: Player) -> FreeTable | None:
    """Return the free table the player waits at."""
    return FreeTable.objects.filter(seats__player=player, state=FreeTable.State.OPEN).first()


def find_due(now: datetime) -> Iterable[int]:
    return FreeTable.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)


def _open_tables() -> QuerySet[FreeTable]:
    return FreeTable.objects.filter(state=FreeTable.State.OPEN).prefetch_related("seats__player")


def list_occupants(table: FreeTable) -> list[FreeSeat]:
    """List the people who wait at a table, the host first."""
    return list(FreeSeat.objects.filter(table=table).select_related("player").order_by("pk"))
