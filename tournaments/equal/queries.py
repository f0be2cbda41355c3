"""Reads of equal deals for their pages: what each round was committed to, who added what (J9), and after the reveal
each deal at all tables (J10, J12). It never writes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.engine.game import TallyRow
from games.models import Commitment, Match
from games.selectors import build_record
from players.models import Player
from records.match_narrative import narrate_record
from scoring.comparison import ComparedDeal
from tournaments.core.reads import group_line_ups, make_fixture_row, read_entries_of
from tournaments.core.rows import FixtureRow
from tournaments.core.states import ENTERING
from tournaments.equal import prepared_decks, secrets
from tournaments.equal.confronto import Shares, TableComparison, compare_rounds
from tournaments.models import Entry, EntryMember, Fixture, LineUp, LogEntry, Round, RoundSecret, Tournament

COMPARED = ("round", "group")  # names of rounds with equal deals
MOST_COUNTED = 32  # tables of a round whose counts are written out: each is played through


@dataclass(frozen=True, slots=True)
class MixingPanel:
    """News to the reader's browser of the numbers, while it may add one: ``stage``, its ``commitments`` by scope,
    and what is there of its own."""

    stage: str
    commitments: Mapping[str, str]
    hash: str
    nonce: str


@dataclass(frozen=True, slots=True)
class MixingMember:
    """A person who may add a number: ``state`` is house, none, hash or nonce."""

    name: str
    state: str
    digits: str


@dataclass(frozen=True, slots=True)
class EqualRound:
    """A round and its commitment; ``shown``: everybody reads its deals. None for one that isn't drawn."""

    number: int
    commitment: Commitment
    round: Round | None
    shown: bool
    preparers: tuple[LogEntry, ...] = ()  # of its decks at real tables, as the log names them (J5)
    open: bool = False  # its decks are to be prepared now


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """A deal at one table. ``won`` of ``possible``, by side; ``took``: how its points were made; ``place``: of the deal
    in the record, from 1."""

    fixture: FixtureRow
    deal: ComparedDeal
    place: int
    took: tuple[TallyRow, ...]

    @property
    def won(self) -> tuple[int, int]:
        return (self.deal.score(0), self.deal.score(1))


@dataclass(frozen=True, slots=True)
class TravellerTable:
    """A table's round: the percentage of each side, and why."""

    fixture: FixtureRow
    shares: Shares
    why: str


@dataclass(frozen=True, slots=True)
class Traveller:
    """A round after the reveal: its deals by number, from 1, each at all tables, the best for side 0 first."""

    deals: tuple[tuple[int, tuple[TravellerRow, ...]], ...]
    tables: tuple[TravellerTable, ...]


def read_panel(tournament: Tournament, player: Player | None) -> MixingPanel | None:
    """Return what the reader's browser needs to add a number; None where it can't."""
    if not tournament.equal_deals or tournament.state not in ENTERING or player is None:
        return None
    member = tournament.members.of_player(player).select_related("entry").first()
    waits = member is None or not member.entry.approved or member.entry.waiting_since is not None
    if member is None or waits or secrets.is_awaited(tournament, member):
        return None
    commitments = secrets.list_commitments(tournament)
    if not commitments:
        return None
    known = {commitment.scope: commitment.digest for commitment in commitments}
    return MixingPanel(commitments[0].stage, known, member.nonce_hash, member.nonce)


def list_rounds(tournament: Tournament) -> list[EqualRound]:
    """Return the rounds that were committed to, in order."""
    stored = {round_.number: round_ for round_ in tournament.rounds.all()}
    rows = tournament.round_secrets.select_related("commitment").order_by("number")
    return [_describe_round(tournament, row, stored.get(row.number)) for row in rows]


def _describe_round(tournament: Tournament, row: RoundSecret, round_: Round | None) -> EqualRound:
    if round_ is None or not tournament.venue.types_results:
        return EqualRound(row.number, row.commitment, round_, _is_shown(round_))
    preparers = tuple(prepared_decks.list_preparers(round_))
    is_open = prepared_decks.is_open(tournament, round_)
    return EqualRound(row.number, row.commitment, round_, _is_shown(round_), preparers, is_open)


def _is_shown(round_: Round | None) -> bool:
    return round_ is not None and round_.finished and round_.is_shown


def list_mixing(tournament: Tournament) -> list[MixingMember]:
    """Return who adds numbers, in the order of registration; after the draw those who did are in the commitments."""
    opened = secrets.find_stage(tournament) != Commitment.Stage.HASHES
    return [_describe_member(member, opened) for member in secrets.list_mixing_members(tournament).with_people()]


def _describe_member(member: EntryMember, opened: bool) -> MixingMember:
    name, player = member.person.public_name, member.person.player
    if player is not None and player.is_house:
        return MixingMember(name, "house", "")
    if opened and member.nonce:
        return MixingMember(name, "nonce", member.nonce)
    return MixingMember(name, "hash" if member.nonce_hash and not opened else "none", "")


def find_round(tournament: Tournament, number: int) -> Round | None:
    """Return a round whose tables play the same decks; None for any other."""
    return tournament.rounds.filter(number=number, name__in=COMPARED).first() if tournament.equal_deals else None


def read_traveller(tournament: Tournament, round_: Round, player: Player | None) -> Traveller | None:
    """Return a round of which everybody may know everything; None while it is withheld (J12)."""
    if not round_.is_shown:
        return None
    fixtures = list(Fixture.objects.filter(round=round_).select_related("round", "match").order_by("board", "part"))
    compared = compare_all(tournament, {round_.number: fixtures})[round_.number]
    rows = _read_rows(fixtures, player)
    counts = _count_deals(fixtures) if len(fixtures) <= MOST_COUNTED else {}
    deals: dict[int, list[TravellerRow]] = {}
    for table in compared:
        for deal in table.deals:
            took = counts.get((table.fixture.pk, deal.number), ())
            row = TravellerRow(rows[table.fixture.pk], deal, deal.number + 1, took)
            deals.setdefault(deal.number, []).append(row)
    drawn = [table for table in compared if rows[table.fixture.pk].first is not None and table.why != "rest"]
    return Traveller(
        tuple(
            (number + 1, tuple(sorted(of_deal, key=lambda row: (-row.deal.won, row.fixture.board))))
            for number, of_deal in sorted(deals.items())
        ),
        tuple(TravellerTable(rows[table.fixture.pk], table.shares, table.why) for table in drawn),
    )


def compare_all(
    tournament: Tournament, fixtures: Mapping[int, Sequence[Fixture]]
) -> dict[int, tuple[TableComparison, ...]]:
    """Compare rounds as they are stored, by their numbers."""
    annulled = {
        fixture.pk for round_ in fixtures.values() for fixture in round_ if fixture.state == Fixture.State.ANNULLED
    }
    return compare_rounds(tournament, fixtures, annulled)


def read_shares_by_fixture(tournament: Tournament) -> dict[int, tuple[Shares, str]]:
    """Return the percentages of all fixtures of rounds that everybody may know, with why, by the fixture's id."""
    if not tournament.equal_deals or tournament.drawn_at is None:
        return {}
    rounds: dict[int, list[Fixture]] = {}
    known = Fixture.objects.of(tournament).in_the_open().filter(round__in=_list_compared(tournament))
    for fixture in known.select_related("round"):
        rounds.setdefault(fixture.round.number, []).append(fixture)
    return {
        table.fixture.pk: (table.shares, table.why)
        for tables in compare_all(tournament, rounds).values()
        for table in tables
    }


def _list_compared(tournament: Tournament) -> list[int]:
    """Return the ids of the rounds with equal deals: not those of a KO after groups."""
    return [round_.pk for round_ in tournament.rounds.all() if round_.name in COMPARED]


def _read_rows(fixtures: Sequence[Fixture], player: Player | None) -> dict[int, FixtureRow]:
    sides = {side for fixture in fixtures for side in (fixture.first_id, fixture.second_id) if side is not None}
    entries = read_entries_of(Entry.objects.filter(pk__in=sides))
    line_ups = group_line_ups(LineUp.objects.filter(fixture__in=fixtures))
    return {fixture.pk: make_fixture_row(fixture, entries, line_ups, player) for fixture in fixtures}


def _count_deals(fixtures: Sequence[Fixture]) -> dict[tuple[int, int], tuple[TallyRow, ...]]:
    """Return how the points of each deal were made, by fixture and number."""
    counts: dict[tuple[int, int], tuple[TallyRow, ...]] = {}
    for fixture in fixtures:
        if fixture.match is None or fixture.match.status != Match.Status.FINISHED:
            continue
        for number, deal in enumerate(narrate_record(build_record(fixture.match)).deals):
            if deal.tally is not None:
                counts[fixture.pk, number] = deal.tally.rows
    return counts
