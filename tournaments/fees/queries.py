"""Reads of fees and prizes (O10): who has paid, the totals, the prizes as the standings are now. They never write."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, Q, Sum

from scoring.tiebreaks import draw_lot_order
from scoring.tournament_points import count_ranks
from tournaments.core.log_details import PrizeDetail, read_detail
from tournaments.core.rows import EntryRow
from tournaments.fees.shares import Contender, Prize, PrizeChoice, Share, Thing, share_prizes
from tournaments.models import LogEntry, Tournament
from tournaments.standings.explained import LotDraw, draw_in_order

LOT = "prizes"  # what the tournament's lot is asked for


@dataclass(frozen=True, slots=True)
class FeeRow:
    """An entry with what it has paid, refunds taken off. ``missing``: so many fees of it aren't paid, of which each
    person has one where partners are drawn (EV2)."""

    entry: EntryRow
    cents: int
    missing: int

    @property
    def is_paid(self) -> bool:
        """Tell if nothing of it is missing."""
        return not self.missing


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
    """A prize with whoever gets it."""

    entry: EntryRow
    share: Share


@dataclass(frozen=True, slots=True)
class GivenThing:
    """Something that can't be divided, of a place that several share, with whoever gets it."""

    entry: EntryRow
    thing: Thing


@dataclass(frozen=True, slots=True)
class SharedPlaces:
    """The places, ``first`` to ``last``, that several share and whose prizes can't all be divided: who shares them, in
    the order of the lot, and who gets what."""

    first: int
    last: int
    drawn: tuple[LotDraw, ...]
    given: tuple[GivenThing, ...]

    @property
    def by_lot(self) -> bool:
        """Tell if the lot decides about anything of it."""
        return any(given.thing.by == "lot" for given in self.given)


def read_prizes(tournament: Tournament) -> list[Prize]:
    """Return the prizes of the places, the first first."""
    return [Prize(cents, what) for cents, what in tournament.prizes]


def count_prizes(tournament: Tournament) -> int:
    """Return how many times a prize is given: once, or for each person of an entry (EV11)."""
    return tournament.playing_kind.most if tournament.prizes_each else 1


def read_fee_rows(tournament: Tournament, entries: Mapping[int, EntryRow]) -> list[FeeRow]:
    """Return the entries of people with what they have paid."""
    paid, each_pays = read_paid(tournament), tournament.playing_kind.is_drawn_pair
    return [
        FeeRow(entry, paid.cents(pk), paid.count_missing(pk, len(entry.person_ids) if each_pays else 1))
        for pk, entry in entries.items()
        if not entry.house
    ]


@dataclass(frozen=True, slots=True)
class Paid:
    """Sums of what entries have paid, and how often they have, by their ids."""

    sums: Mapping[int, int]
    times: Mapping[int, int]

    def cents(self, entry_id: int) -> int:
        """Return what an entry has paid, refunds taken off."""
        return self.sums.get(entry_id, 0)

    def count_missing(self, entry_id: int, fees: int) -> int:
        """Return how many of so many ``fees`` an entry hasn't paid: all of them, where it has got back what it paid."""
        return fees if self.cents(entry_id) <= 0 else max(0, fees - self.times.get(entry_id, 0))


def read_paid(tournament: Tournament, entry_ids: Collection[int] | None = None) -> Paid:
    """Return what these entries have paid, or all of them."""
    rows = tournament.payments.filter(entry__isnull=False)
    if entry_ids is not None:
        rows = rows.filter(entry__in=entry_ids)
    counted = rows.values_list("entry_id").annotate(sum=Sum("cents"), times=Count("pk", filter=Q(cents__gt=0)))
    listed = list(counted.order_by())
    return Paid({pk: cents for pk, cents, _times in listed}, {pk: times for pk, _cents, times in listed})


def read_totals(tournament: Tournament, rows: Sequence[FeeRow]) -> FeeTotals:
    """Return the totals: also of entries that are gone. Prizes for each person are those of as many as an entry may
    have (EV11)."""
    amounts = list(tournament.payments.values_list("cents", flat=True))
    paid = sum(row.is_paid for row in rows)
    return FeeTotals(
        collected=sum(cents for cents in amounts if cents > 0),
        refunded=-sum(cents for cents in amounts if cents < 0),
        prizes=sum(prize.cents for prize in read_prizes(tournament)) * count_prizes(tournament),
        paid=paid,
        unpaid=len(rows) - paid,
    )


def read_shares(tournament: Tournament, entries: Mapping[int, EntryRow]) -> list[PrizeRow]:
    """Return who gets which prize by the standings as they are now; house and absent entries take none.

    Whoever is still in a knock-out has no rank yet: the places before those who are out are kept for them.
    """
    drawn = [entry for entry in tournament.entries.drawn() if entry.pk in entries and entry.withdrawn_at is None]
    people = [entry for entry in drawn if not entries[entry.pk].house]
    order = draw_lot_order(tournament.lot, [entry.seed or 0 for entry in people], LOT)
    drawn_at = {seed: number for number, seed in enumerate(order)}
    contenders = [
        Contender(entry.pk, entry.rank, entry.seed or 0, drawn_at[entry.seed or 0])
        for entry in people
        if entry.rank is not None and entry.played
    ]
    running = tournament.state == Tournament.State.RUNNING
    ahead = sum(entry.rank is None for entry in people) if running else 0
    everybody = count_ranks(tournament.entries.drawn().values_list("rank", flat=True))
    prizes = read_prizes(tournament)
    choices = _read_choices(tournament) if any(prize.what for prize in prizes) else {}
    shares = share_prizes(contenders, prizes, ahead=ahead, everybody=everybody, choices=choices)
    return [PrizeRow(entries[share.entry_id], share) for share in shares]


def _read_choices(tournament: Tournament) -> dict[int, PrizeChoice]:
    """Return by place what the organiser gave last; what was left to the lot again isn't there."""
    choices: dict[int, PrizeChoice] = {}
    for logged in LogEntry.objects.filter(tournament=tournament, code="prize_given").order_by("pk"):
        detail = read_detail(logged, PrizeDetail)
        choices.pop(detail.place, None)
        if detail.entry is not None:
            choices[detail.place] = PrizeChoice(detail.what, detail.entry, detail.reason)
    return choices


def list_shared(tournament: Tournament, rows: Sequence[PrizeRow]) -> list[SharedPlaces]:
    """Return the places that several of these rows share, and whose prizes can't all be divided."""
    shared: list[SharedPlaces] = []
    for (first, last), group in groupby(rows, key=lambda row: (row.share.first, row.share.last)):
        level = list(group)
        given = [GivenThing(row.entry, thing) for row in level for thing in row.share.things]
        if len(level) > 1 and given:
            in_order = tuple(sorted(given, key=lambda one: one.thing.place))
            drawn = draw_in_order(tournament.lot, [row.entry for row in level], LOT)
            shared.append(SharedPlaces(first, last, drawn, in_order))
    return shared
