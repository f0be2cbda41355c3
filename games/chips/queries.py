"""Reads of chips: what a table can cost, what a match moved, one's own ledger, and whether the books are in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import cast
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from games.chips import terms
from games.engine.game import Length, LengthKind, Points, Setup
from games.engine.record import Json
from games.models import ChipAccount, ChipEntry, ChipTransfer, FreeTable, Match
from games.options import build_setup
from players.models import Player
from players.selectors import find_shown

ENTRIES_A_PAGE = 50
TOPPED_UP_TO = 100  # chips (Z4)
DAYS_OF = ZoneInfo("Europe/Rome")


@dataclass(frozen=True, slots=True)
class ChipBalance:
    """The chips of a player: all of them, and those held at a table."""

    balance: int
    held: int

    @property
    def free(self) -> int:
        return self.balance - self.held


@dataclass(frozen=True, slots=True)
class MovedStakes:
    """Stakes that a match moves: the line that gets them, and the chips of one share."""

    line: int
    amount: int


@dataclass(frozen=True, slots=True)
class Winning:
    """Chips that a player won with a match, or lost."""

    name: str
    amount: int


def read_day(now: datetime) -> date:
    """Return the day that it is in Rome (Z4)."""
    return now.astimezone(DAYS_OF).date()


def sees_chips(player: Player | None) -> bool:
    """Tell if the reader is shown chips and stakes: members who want to (Z5)."""
    return player is not None and player.kind == Player.Kind.MEMBER and player.user.chips


def read_balance(player: Player) -> ChipBalance:
    """Read a player's chips; who never had any has none."""
    account = ChipAccount.objects.filter(player=player).first()
    return ChipBalance(0, 0) if account is None else ChipBalance(account.balance, account.held)


def list_entries(player: Player) -> QuerySet[ChipEntry]:
    """List the lines of a player's ledger, the newest first."""
    return ChipEntry.objects.filter(account__player=player).select_related("transfer__match").order_by("-pk")


def read_own_entries(player: Player) -> Iterator[Json]:
    """Read the lines of a player's ledger for the export of their own data."""
    for entry in list_entries(player).iterator():
        match = entry.transfer.match
        yield {
            "at": entry.transfer.at.isoformat(),
            "reason": entry.transfer.reason,
            "amount": entry.amount,
            "match": None if match is None else match.public_id,
        }


def build_table_setup(table: FreeTable) -> Setup:
    """Return the match that a free table is set up for."""
    length = Length(cast(LengthKind, table.length_kind), table.length_value)
    return build_setup(table.ruleset, table.players, length, "free", table.options)


def compute_greatest_loss(table: FreeTable, seat: int) -> int:
    """Return the chips that the player at a seat can lose at most (Z2)."""
    most = terms.compute_most(build_table_setup(table), table.stake_per)
    return table.stake * most * terms.count_shares(seat, table.players)


def compute_cap(table: FreeTable) -> int:
    """Return the chips beyond which nobody loses at this table, whatever its options (Z2)."""
    return table.stake * terms.CAP


def compute_moved(table: FreeTable, match: Match) -> MovedStakes:
    """Return what a finished match moves: nothing where it has no result, or none that stands (Z3)."""
    if match.stopped_at is not None or match.annulled_at is not None or match.both_forfeited:
        return MovedStakes(0, 0)
    setup = build_table_setup(table)
    line, times = terms.compute_multiple(
        setup,
        table.stake_per,
        winner=match.winner,
        score=_subtract_handicap(match),
        stakes=(match.stakes_0, match.stakes_1),
        most=terms.compute_most(setup, table.stake_per),
    )
    return MovedStakes(line, times * table.stake)


def _subtract_handicap(match: Match) -> Points:
    """Return the points made at the table: those of a handicap aren't in the margin (L7)."""
    ahead = match.handicap or (0, 0)
    return match.score_0 - ahead[0], match.score_1 - ahead[1]


def list_winnings(match: Match, reader: Player | None) -> list[Winning]:
    """List what a match moved, by the seats of its players, for whoever sat there and sees chips (Z5), and for
    others where everybody who staked shows them theirs. Empty where it moved nothing, or isn't shown."""
    if not sees_chips(reader):
        return []
    entries = ChipEntry.objects.filter(transfer__match=match, transfer__reason=ChipTransfer.Reason.SETTLEMENT)
    by_player = dict(entries.values_list("account__player_id", "amount"))
    players = [seat.player for seat in match.seats.select_related("player") if seat.player_id in by_player]
    if reader not in players and len(find_shown(players, reader, "stakes")) < len(players):
        return []
    return [Winning(player.name, by_player[player.pk]) for player in players]


def can_top_up(player: Player, now: datetime) -> bool:
    """Tell if a top-up would give the player anything now (Z4)."""
    account = ChipAccount.objects.filter(player=player).first()
    if account is None:
        return True
    today = read_day(now)
    return account.balance < TOPPED_UP_TO and (account.topped_up_on is None or account.topped_up_on < today)
