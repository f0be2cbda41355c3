"""Reads of fees and prizes (O10): who has paid, the totals, the prizes as the standings are now. They never write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Sum

from scoring.tournament_points import count_ranks
from tournaments.core.rows import EntryRow
from tournaments.fees.shares import Contender, Prize, Share, share_prizes
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class FeeRow:
    """An entry with what it has paid, refunds taken off."""

    entry: EntryRow
    cents: int


@dataclass(frozen=True, slots=True)
class FeeTotals:
    """Totals in cents: taken in, given back, and of the prizes; and how many entries have paid."""

    collected: int
    refunded: int
    prizes: int
    paid: int
    unpaid: int

    @property
    def balance(self) -> int:
        """Return what is in the till."""
        return self.collected - self.refunded


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize with who gets it."""

    entry: EntryRow
    share: Share


def read_prizes(tournament: Tournament) -> list[Prize]:
    """Return the prizes of the places, the first first."""
    return [Prize(cents, what) for cents, what in tournament.prizes]


def read_fee_rows(tournament: Tournament, entries: Mapping[int, EntryRow]) -> list[FeeRow]:
    """Return the entries of people with what they have paid."""
    rows = tournament.payments.filter(entry__isnull=False).values_list("entry_id").annotate(sum=Sum("cents"))
    paid: dict[int | None, int] = dict(rows.order_by())
    return [FeeRow(entry, paid.get(pk, 0)) for pk, entry in entries.items() if not entry.house]


def read_totals(tournament: Tournament, rows: Sequence[FeeRow]) -> FeeTotals:
    """Return the totals: also of entries that are gone."""
    amounts = list(tournament.payments.values_list("cents", flat=True))
    paid = sum(row.cents > 0 for row in rows)
    return FeeTotals(
        collected=sum(cents for cents in amounts if cents > 0),
        refunded=-sum(cents for cents in amounts if cents < 0),
        prizes=sum(prize.cents for prize in read_prizes(tournament)),
        paid=paid,
        unpaid=len(rows) - paid,
    )


def read_shares(tournament: Tournament, entries: Mapping[int, EntryRow]) -> list[PrizeRow]:
    """Return who gets which prize by the standings as they are now; house and absent entries take none.

    Whoever is still in a knock-out has no rank yet: the places before those who are out are kept for them.
    """
    drawn = [entry for entry in tournament.entries.drawn() if entry.pk in entries and entry.withdrawn_at is None]
    people = [entry for entry in drawn if not entries[entry.pk].house]
    contenders = [
        Contender(entry.pk, entry.rank, entry.seed or 0) for entry in people if entry.rank is not None and entry.played
    ]
    running = tournament.state == Tournament.State.RUNNING
    ahead = sum(entry.rank is None for entry in people) if running else 0
    everybody = count_ranks(tournament.entries.drawn().values_list("rank", flat=True))
    shares = share_prizes(contenders, read_prizes(tournament), ahead=ahead, everybody=everybody)
    return [PrizeRow(entries[share.entry_id], share) for share in shares]
