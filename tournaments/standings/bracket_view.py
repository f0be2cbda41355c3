"""The bracket as pages draw it: rounds in order, the origins of unknown sides, the champion's path.

It reads the tournament's page only: no query, no pairing of its own.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.core.rows import FixtureRow, RoundRow, TournamentPage
from tournaments.formats import FORMATS
from tournaments.formats.common.brackets import compute_bracket_size, order_bracket
from tournaments.formats.common.groups import cross_groups
from tournaments.formats.protocol import FedFormat, Origin, Origins, Slot
from tournaments.models import Fixture

State = Fixture.State


@dataclass(frozen=True, slots=True)
class Feeder:
    """The fixture of another part of the bracket from which an entry comes, winning it or losing.

    ``round`` None: nobody does, or a ``lucky`` loser of the round before.
    """

    round: RoundRow | None
    board: int = 0
    wins: bool = False
    lucky: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """A fixture of the bracket.

    ``from_boards``: for each side that isn't known yet, the board of the round before whose winner comes to it (of the
    semifinals, whose loser, in the third-place fixture); None where the side is known or comes from elsewhere.
    ``feeders``: likewise, where it comes from another part (EV4).
    ``path``: the winner of the bracket played here and won, or had a bye.
    """

    fixture: FixtureRow
    from_boards: tuple[int | None, int | None]
    path: bool
    from_groups: tuple[tuple[int, int] | None, tuple[int, int] | None] = (None, None)  # group and place in it (Q2)
    feeders: tuple[Feeder | None, Feeder | None] = (None, None)


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round as it is drawn. ``straight``: each of its fixtures leads to one of its own, not two to one."""

    round: RoundRow
    spots: tuple[Spot, ...]
    straight: bool = False


@dataclass(frozen=True, slots=True)
class BracketView:
    """The rounds of a bracket as pages draw them.

    ``rounds`` from the first to the final; ``third`` the third-place fixture's, where there is one; ``live`` the
    number of the round that is being played, None where none is. Of two brackets (EV4) ``rounds`` are the upper one's,
    ``lower`` the other's, and ``finals`` the rounds between the two.
    """

    rounds: tuple[BracketRound, ...]
    third: BracketRound | None
    live: int | None
    lower: tuple[BracketRound, ...] = ()
    finals: tuple[BracketRound, ...] = ()

    @property
    def all_rounds(self) -> tuple[BracketRound, ...]:
        """All of them, in the order of their parts."""
        return (*self.rounds, *self.lower, *self.finals, *(() if self.third is None else (self.third,)))


@dataclass(frozen=True, slots=True)
class BracketSheet:
    """A part of a bracket that fits a sheet of paper. ``last`` of all; ``ends`` a bracket; ``lower``: of the lower
    one."""

    rounds: tuple[BracketRound, ...]
    last: bool
    ends: bool = True
    lower: bool = False


def list_bracket_rounds(shown: TournamentPage) -> tuple[RoundRow, ...]:
    """Return the rounds that make a bracket: all of a KO's, and those after the groups (Q2)."""
    if shown.header.is_bracket:
        return shown.schedule.rounds
    if not any(f.group is not None for round_ in shown.schedule.rounds for f in round_.fixtures):
        return ()
    return tuple(round_ for round_ in shown.schedule.rounds if all(f.group is None for f in round_.fixtures))


def read_bracket(shown: TournamentPage, since: int = 1) -> BracketView | None:
    """Return the bracket from the round ``since`` on; None where there is none, or not yet."""
    in_bracket = tuple(round_ for round_ in list_bracket_rounds(shown) if round_.number >= since)
    if not in_bracket:
        return None
    format_ = FORMATS[shown.header.tournament.format]
    if isinstance(format_, FedFormat):
        return _read_two_brackets(format_, shown.schedule.rounds, in_bracket)
    main = [round_ for round_ in in_bracket if round_.name != "third_place"]
    champion = _find_winner(main[-1].fixtures[0]) if len(main[-1].fixtures) == 1 else None
    rounds = [
        BracketRound(round_, tuple(_make_spot(f, i > 0, champion) for f in round_.fixtures))
        for i, round_ in enumerate(main)
    ]
    if not shown.header.is_bracket:
        rounds[0] = _add_origins(shown, rounds[0])
    elif since == 1 and len(rounds) > 1 and shown.header.tournament.format_options.get("lucky_losers"):
        rounds[1] = _name_lucky(rounds[0], rounds[1])
    third = next((round_ for round_ in in_bracket if round_.name == "third_place"), None)
    live = next((round_.number for round_ in in_bracket if not round_.finished), None)
    return BracketView(
        tuple(rounds),
        None if third is None else BracketRound(third, tuple(_make_spot(f, True, None) for f in third.fixtures)),
        live,
    )


def _name_lucky(first: BracketRound, second: BracketRound) -> BracketRound:
    """Return the second round, where the places that lucky losers will fill say so (EV4)."""
    free = {spot.fixture.board for spot in first.spots if spot.fixture.first is None}

    def name(spot: Spot) -> Spot:
        boards = [None if board in free else board for board in spot.from_boards]
        feeders = [Feeder(None, lucky=True) if board in free else None for board in spot.from_boards]
        return replace(spot, from_boards=(boards[0], boards[1]), feeders=(feeders[0], feeders[1]))

    return replace(second, spots=tuple(map(name, second.spots)))


def _read_two_brackets(format_: FedFormat, rounds: Sequence[RoundRow], drawn: Sequence[RoundRow]) -> BracketView | None:
    """Return the ``drawn`` rounds of a format whose losers play on, each in its part."""
    names = [round_.name for round_ in rounds]
    origins = format_.list_origins(names)
    fixtures = {Slot(f.round, f.board): f for round_ in rounds for f in round_.fixtures}
    champion = _find_champion(rounds)
    parts: dict[str, list[BracketRound]] = {}
    for round_ in drawn:
        before = parts.setdefault(round_.name.split("_")[0] if "_" in round_.name else "", [])
        previous = before[-1].round.number if before else None
        spots = tuple(
            _make_fed_spot(f, origins[Slot(f.round, f.board)], fixtures, rounds, previous, champion)
            for f in round_.fixtures
        )
        if before and len(before[-1].spots) == len(spots):
            before[-1] = replace(before[-1], straight=True)
        before.append(BracketRound(round_, spots))
    return BracketView(
        rounds=tuple(parts.get("upper", ())),
        third=None,
        live=next((round_.number for round_ in drawn if not round_.finished), None),
        lower=tuple(parts.get("lower", ())),
        finals=tuple(parts.get("", ())),
    )


def _find_champion(rounds: Sequence[RoundRow]) -> int | None:
    """Return the id of the entry that won the last fixture that was played, once all are over."""
    lasts = [round_.fixtures[0] for round_ in rounds if round_.fixtures and round_.fixtures[0].state != State.VOID]
    return _find_winner(lasts[-1]) if lasts and all(round_.finished for round_ in rounds) else None


def _make_fed_spot(
    fixture: FixtureRow,
    origins: tuple[Origins, Origins],
    fixtures: Mapping[Slot, FixtureRow],
    rounds: Sequence[RoundRow],
    previous: int | None,
    champion: int | None,
) -> Spot:
    boards: list[int | None] = []
    feeders: list[Feeder | None] = []
    for entry, side in zip((fixture.first, fixture.second), origins, strict=True):
        waits = entry is None and fixture.state == State.WAITING
        come = [origin for origin in side if not _is_empty(fixtures.get(origin.slot), origin)] if waits else []
        near = bool(come) and come[0].wins and come[0].slot.round == previous
        boards.append(come[0].slot.board if near else None)
        if not waits or near:
            feeders.append(None)
        elif not come:
            feeders.append(Feeder(None))
        else:
            feeders.append(Feeder(rounds[come[0].slot.round - 1], come[0].slot.board, come[0].wins))
    path = champion is not None and _find_winner(fixture) == champion
    return Spot(fixture, (boards[0], boards[1]), path, feeders=(feeders[0], feeders[1]))


def _is_empty(fixture: FixtureRow | None, origin: Origin) -> bool:
    """Tell if nobody comes from there."""
    if fixture is None:  # of an earlier round that isn't read
        return False
    if fixture.state == State.DONE:
        return fixture.winner is None
    return fixture.state == State.VOID or (fixture.state == State.BYE and not origin.wins)


def _add_origins(shown: TournamentPage, first: BracketRound) -> BracketRound:
    """Return the first round after the groups, with the places that come to its sides (Q2)."""
    sizes = Counter(entry.group for entry in shown.entries.rows if entry.group is not None)
    qualify = int(shown.header.tournament.format_options.get("qualify", 1))
    places = cross_groups(tuple(min(qualify, sizes[group]) for group in sorted(sizes)))
    order = order_bracket(compute_bracket_size(len(places)))
    if len(order) != 2 * len(first.spots):
        return first
    sides = [places.get(place) for place in order]
    return BracketRound(
        first.round,
        tuple(
            replace(spot, from_groups=(sides[2 * i], sides[2 * i + 1])) if spot.fixture.state == State.WAITING else spot
            for i, spot in enumerate(first.spots)
        ),
    )


def _make_spot(fixture: FixtureRow, fed: bool, champion: int | None) -> Spot:
    unknown = (fixture.first is None, fixture.second is None)
    waits = fed and fixture.state == State.WAITING
    boards = tuple(2 * fixture.board - 1 + side if waits and unknown[side] else None for side in (0, 1))
    return Spot(fixture, (boards[0], boards[1]), champion is not None and _find_winner(fixture) == champion)


def _find_winner(fixture: FixtureRow) -> int | None:
    """Return the id of the entry that goes on from here."""
    if fixture.state == State.BYE:
        return None if fixture.first is None else fixture.first.entry_id
    entry = None if fixture.winner is None else (fixture.first, fixture.second)[fixture.winner]
    return None if entry is None else entry.entry_id


def split_for_paper(drawn: BracketView, first_fixtures: int = 8) -> tuple[BracketSheet, ...]:
    """Split the bracket into sheets of paper; of two brackets one after the other.

    The first rounds go ``first_fixtures`` fixtures at a time, each part down to the one fixture it leads to; what is
    left stands together on the last sheet.
    """
    upper = list(_cut_into_sheets(drawn.rounds, first_fixtures, lower=False))
    lower = list(_cut_into_sheets(drawn.lower, first_fixtures, lower=True))
    sheets = [*upper, *lower]
    return (*sheets[:-1], replace(sheets[-1], last=True)) if sheets else ()


def _cut_into_sheets(rounds: tuple[BracketRound, ...], first_fixtures: int, *, lower: bool) -> Iterator[BracketSheet]:
    while rounds and len(rounds[0].spots) > first_fixtures:
        parts = len(rounds[0].spots) // first_fixtures
        deep = sum(len(round_.spots) >= parts for round_ in rounds)
        for part in range(parts):
            cut = []
            for round_ in rounds[:deep]:
                width = len(round_.spots) // parts
                cut.append(replace(round_, spots=round_.spots[part * width : (part + 1) * width]))
            yield BracketSheet(tuple(cut), last=False, ends=False, lower=lower)
        rounds = rounds[deep:]
    if rounds:
        yield BracketSheet(rounds, last=False, lower=lower)
