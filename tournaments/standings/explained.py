"""The standings explained (R3): per entry its fixtures, its sums and the reason that separates it from the next one.

Ranks and reasons are those stored after each result; only the tables of groups (Q1), whose ranks the tournament's own
standings don't keep, are counted here, by the same ``scoring.standings``, from the same results.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.standings import StandingsRow, TieBreakReason
from scoring.tiebreaks import CRITERIA, HEADS, Game, Number, digest_lot
from tournaments.core.reads import merge_tables, place_people, tell_wins
from tournaments.core.result import Games, do_fewest_points_win
from tournaments.core.rows import EntryRow, FixtureRow, RankedEntry, RoundRow, TournamentPage
from tournaments.equal.confronto import Shares
from tournaments.equal.queries import read_shares_by_fixture
from tournaments.formats.common.round_robin import find_early_leavers, rank_entries
from tournaments.models import Fixture, Tournament

State = Fixture.State
MOST_NAMES = 12  # of a group of level entries, in a sentence


@dataclass(frozen=True, slots=True)
class PlayedFixture:
    """A fixture from one entry's side. ``points``, ``mp``, ``vp``: own and the other's; None where there is none.

    ``outcome``: won, lost, drawn, forfeited, given (the other forfeited), nobody (both did), annulled, bye, rest, void,
    live or to_play. Only what ``counts`` is in the sums.
    """

    round: RoundRow
    fixture: FixtureRow
    opponent: EntryRow | None
    played_by: str  # the entry's people then, where one has been replaced since (F2)
    outcome: str
    counts: bool
    points: tuple[int, int] | None
    mp: tuple[int, int] | None
    vp: tuple[int, int] | None
    tables: tuple[tuple[int, int] | None, ...] = ()  # the points of each of two (O12)
    share: Fraction | None = None  # its own in the confronto of the round (J10)
    share_why: str = ""  # a code of ``equal.confronto``
    cards: tuple[int, int] | None = None  # card points, where the score counts deals (BR4)
    games: Games = ()  # each of several (EV1)


@dataclass(frozen=True, slots=True)
class LotDraw:
    """An entry's place in the recorded lot: the smallest digest comes first."""

    entry: EntryRow
    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class TieBreakQuestion:
    """A tie-break that was asked of a group of level entries, with its value for one of them and for the next one.

    ``entries``: the group, the best first; empty where they are many, and only how many is said.
    """

    code: str
    among: int
    entries: tuple[EntryRow, ...]
    own: Number | None
    next: Number | None
    by_wins: bool = False


@dataclass(frozen=True, slots=True)
class ExplainedRow:
    """A row of the standings with its reasons.

    ``following``: the entry right behind in the same table; ``level``: those with as many VP, where it took more than
    VP to separate them; ``questions``: what was asked of whom until they were told apart, or stayed level (R2);
    ``lot``: their draw, where it came to that.
    """

    row: RankedEntry
    played: tuple[PlayedFixture, ...]
    following: RankedEntry | None
    level: tuple[EntryRow, ...]
    questions: tuple[TieBreakQuestion, ...]
    lot: tuple[LotDraw, ...]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """Table of standings: the tournament's, or a group's (``group`` from 1)."""

    group: int | None
    rows: tuple[RankedEntry, ...]


def read_standings_tables(shown: TournamentPage) -> tuple[StandingsTable, ...]:
    """Return one table a group where there are groups, else the tournament's own."""
    groups = sorted({row.entry.group for row in shown.standings.rows if row.entry.group is not None})
    if not groups:
        return (StandingsTable(None, shown.standings.rows),)
    return tuple(StandingsTable(group, _read_group(shown, group)) for group in groups)


def read_final_table(shown: TournamentPage) -> StandingsTable | None:
    """Return the tournament's own standings beside groups, as soon as somebody has a rank in them."""
    grouped = any(row.entry.group is not None for row in shown.standings.rows)
    return (
        StandingsTable(None, shown.standings.rows)
        if grouped and any(row.rank for row in shown.standings.rows)
        else None
    )


def list_counting_games(shown: TournamentPage, group: int | None) -> list[Game]:
    """Return the results that count in a table; sides are given by their seeds."""
    fewest_wins = do_fewest_points_win(shown.header.tournament)
    return [
        f.result.as_played(fewest_wins=fewest_wins).make_game(f.first.seed, f.second.seed)
        for round_ in merge_tables(shown.schedule.rounds)
        for f in round_.fixtures
        if f.group == group and f.state == State.DONE and not f.annulled and f.mp is not None and f.vp is not None
        if f.first is not None and f.second is not None and f.first.seed is not None and f.second.seed is not None
    ]


def _read_group(shown: TournamentPage, group: int) -> tuple[RankedEntry, ...]:
    known = {
        row.entry.seed: row for row in shown.standings.rows if row.entry.group == group and row.entry.seed is not None
    }
    tournament = shown.header.tournament
    counted = _rank_group(
        tournament, list(known.values()), list_counting_games(shown, group), cut=_count_through(shown, group)
    )
    alone = sum(not row.entry.house for row in known.values()) < 2
    begun = any(row.played for row in counted)
    places = {} if alone or not begun else place_people((row.rank, known[row.seed].entry.house) for row in counted)
    return tell_wins([_make_row(known[row.seed], row, places, begun=begun) for row in counted])


def _count_through(shown: TournamentPage, group: int) -> int:
    """Return the number of entries that go on from a group that is over; level ones are separated by the lot (Q3)."""
    own = (f for round_ in shown.schedule.rounds for f in round_.fixtures if f.group == group)
    over = all(f.state not in Fixture.OPEN for f in own)
    return int(shown.header.tournament.format_options.get("qualify", 0)) if over else 0


def _rank_group(
    tournament: Tournament, rows: Sequence[RankedEntry], games: Sequence[Game], *, cut: int
) -> Sequence[StandingsRow]:
    """Return the standings of a group; entries with annulled results come below everybody (R5)."""
    left = {row.entry.seed or 0: row.entry.withdrawn_after or 0 for row in rows if row.entry.withdrawn}
    entries = sorted(row.entry.seed or 0 for row in rows)
    early = find_early_leavers(entries, left, double=bool(tournament.format_options.get("double")))
    shares = {row.entry.seed or 0: row.percentage for row in rows if row.percentage is not None}
    return rank_entries(entries, early, games, tournament.tie_break, tournament.lot, cut, shares)


def _make_row(stored: RankedEntry, row: StandingsRow, places: Mapping[int, int], *, begun: bool) -> RankedEntry:
    """Return a row of a group; ``places``: those among people, by rank."""
    return RankedEntry(
        entry=stored.entry,
        rank=row.rank if begun else None,
        place=None if stored.entry.house else places.get(row.rank or 0),
        out_of_competition=stored.entry.house,
        played=row.played,
        won=row.won,
        drawn=row.drawn,
        lost=row.played - row.won - row.drawn,
        mp=row.mp,
        vp=row.vp,
        percentage=row.share,
        separation=row.separation,
        mine=stored.mine,
        wins=None if row.separation is None else row.separation.own_wins,
    )


def explain_standings(
    shown: TournamentPage, table: StandingsTable, only: int | None = None
) -> tuple[ExplainedRow, ...]:
    """Explain every entry of a table, best first; ``only``: the entry of that seed."""
    shares = read_shares_by_fixture(shown.header.tournament)
    sides = _list_sides(merge_tables(shown.schedule.rounds), table.group)
    return tuple(
        ExplainedRow(
            row,
            tuple(_make_played(*side, row.entry, shares) for side in sides.get(row.entry.entry_id, ())),
            table.rows[i + 1] if i + 1 < len(table.rows) else None,
            level := _list_level(table.rows, i),
            _list_questions(table.rows, i),
            _list_lot(shown.header.tournament, level, row.separation),
        )
        for i, row in enumerate(table.rows)
        if only is None or row.entry.seed == only
    )


def _list_level(rows: Sequence[RankedEntry], at: int) -> tuple[EntryRow, ...]:
    separation = rows[at].separation
    if separation is None or separation.code not in CRITERIA or separation.code in HEADS:
        return ()
    if separation.before:
        return _list_asked(rows, at, 1)
    return tuple(row.entry for row in rows if row.vp == rows[at].vp)  # stored before questions were


def _list_questions(rows: Sequence[RankedEntry], at: int) -> tuple[TieBreakQuestion, ...]:
    """Return what was asked of this entry and the next one after their VP, each question with its group."""
    reason = rows[at].separation
    if reason is None or not reason.before:
        return ()
    asked = [(code, value, value, among) for code, value, among in reason.before]
    if reason.among is not None:
        asked.append((reason.code, reason.own, reason.next, reason.among))
    return tuple(
        TieBreakQuestion(
            code, among, _list_asked(rows, at, number) if among <= MOST_NAMES else (), own, other, reason.by_wins
        )
        for number, (code, own, other, among) in enumerate(asked)
        if number
    )


def _list_asked(rows: Sequence[RankedEntry], at: int, number: int) -> tuple[EntryRow, ...]:
    """Return the group of which the entry's question of that number, from 0, was asked: those around it whom no
    question before it had told apart."""
    first = last = at
    while first and _is_asked(rows[first - 1], number):
        first -= 1
    while last + 1 < len(rows) and _is_asked(rows[last], number):
        last += 1
    return tuple(row.entry for row in rows[first : last + 1])


def _is_asked(row: RankedEntry, number: int) -> bool:
    """Tell if a question was asked of an entry and the next one together."""
    return row.separation is not None and len(row.separation.before) >= number


def _list_lot(
    tournament: Tournament, level: Iterable[EntryRow], separation: TieBreakReason | None
) -> tuple[LotDraw, ...]:
    if separation is None or separation.code != "lot":
        return ()
    return draw_in_order(tournament.lot, level, "standings")


def draw_in_order(lot: str, entries: Iterable[EntryRow], purpose: str) -> tuple[LotDraw, ...]:
    """Return the entries as the lot draws them, with what it takes to draw them again."""
    drawn = [LotDraw(entry, *digest_lot(lot, purpose, entry.seed or 0)) for entry in entries]
    return tuple(sorted(drawn, key=lambda draw: draw.digest))


Side = tuple[RoundRow, FixtureRow, int]


def _list_sides(rounds: Iterable[RoundRow], group: int | None) -> dict[int, list[Side]]:
    """Return each entry's fixtures in order, with the side it is on; of one group, if one is given."""
    sides: dict[int, list[Side]] = {}
    for round_ in rounds:
        for fixture in round_.fixtures:
            if group is not None and fixture.group != group:
                continue
            for own, entry in enumerate((fixture.first, fixture.second)):
                if entry is not None:
                    sides.setdefault(entry.entry_id, []).append((round_, fixture, own))
    return sides


def _make_played(
    round_: RoundRow, fixture: FixtureRow, own: int, entry: EntryRow, shares: Mapping[int, tuple[Shares, str]]
) -> PlayedFixture:
    def turn_to_side(pair: tuple[int, int] | None) -> tuple[int, int] | None:
        return None if pair is None else (pair[own], pair[1 - own])

    sides = (fixture.first, fixture.second)
    then = sides[own]
    share, why = _find_share(fixture, own, shares)
    return PlayedFixture(
        round=round_,
        fixture=fixture,
        opponent=sides[1 - own],
        played_by="" if then is None or then.name == entry.name else then.name,
        outcome=_name_outcome(fixture, own),
        counts=_is_counted(fixture),
        points=turn_to_side(fixture.points),
        mp=turn_to_side(fixture.mp),
        vp=turn_to_side(fixture.vp),
        tables=tuple(turn_to_side(table.points) for table in fixture.tables),
        share=share,
        share_why=why,
        cards=turn_to_side(fixture.cards),
        games=(fixture.result.exchange_sides() if own else fixture.result).games,
    )


def _find_share(fixture: FixtureRow, own: int, shares: Mapping[int, tuple[Shares, str]]) -> tuple[Fraction | None, str]:
    """Return the percentage of a side, and why; of a team the mean of its two tables, with exchanged seats (J11)."""
    nothing: tuple[Shares, str] = ((None, None), "")
    compared, why = shares.get(fixture.id, nothing)
    if not fixture.tables:
        return compared[own], why
    sides = (shares.get(table.id, nothing)[0][(own, 1 - own)[table.part == 2]] for table in fixture.tables)
    known = [share for share in sides if share is not None]
    return (sum(known, Fraction(0)) / len(known) if known else None), why


def _is_counted(fixture: FixtureRow) -> bool:
    """Tell if it is in the sums: a result that stands, or a bye that is worth something (D1)."""
    if fixture.state == State.BYE:
        return bool(fixture.vp)
    return fixture.state == State.DONE and not fixture.annulled and fixture.is_shown


def _name_outcome(fixture: FixtureRow, own: int) -> str:
    if fixture.annulled:
        return "annulled"
    if fixture.state in (State.BYE, State.REST, State.VOID):
        return str(fixture.state)
    if not fixture.is_shown and fixture.state == State.DONE:
        return "over"
    if fixture.state != State.DONE:
        return "live" if fixture.live else "to_play"
    if fixture.double_forfeit:
        return "nobody"
    if fixture.forfeit_by is not None:
        return "forfeited" if fixture.forfeit_by == own else "given"
    if fixture.winner is None:
        return "drawn"
    return "won" if fixture.winner == own else "lost"
