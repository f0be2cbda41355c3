"""The bracket as pages draw it: rounds in order, the origins of unknown sides, the champion's path.

It reads the tournament's page only: no query, no pairing of its own.
"""

from collections import Counter
from dataclasses import dataclass, replace

from tournaments.core.rows import FixtureRow, RoundRow, TournamentPage
from tournaments.formats.common.brackets import compute_bracket_size, order_bracket
from tournaments.formats.common.groups import cross_groups
from tournaments.models import Fixture

State = Fixture.State


@dataclass(frozen=True, slots=True)
class Spot:
    """A fixture of the bracket.

    ``from_boards``: for each side that isn't known yet, the board of the round before whose winner comes to it (of the
    semifinals, whose loser, in the third-place fixture); None where the side is known or comes from elsewhere.
    ``path``: the winner of the bracket played here and won, or had a bye.
    """

    fixture: FixtureRow
    from_boards: tuple[int | None, int | None]
    path: bool
    from_groups: tuple[tuple[int, int] | None, tuple[int, int] | None] = (None, None)  # group and place in it (Q2)


@dataclass(frozen=True, slots=True)
class BracketRound:
    round: RoundRow
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class BracketView:
    """The rounds of a bracket as pages draw them.

    ``rounds`` from the first to the final; ``third`` the third-place fixture's, where there is one; ``live`` the
    number of the round that is being played, None where none is.
    """

    rounds: tuple[BracketRound, ...]
    third: BracketRound | None
    live: int | None


@dataclass(frozen=True, slots=True)
class BracketSheet:
    """A part of a bracket that fits a sheet of paper."""

    rounds: tuple[BracketRound, ...]
    last: bool


def list_bracket_rounds(shown: TournamentPage) -> tuple[RoundRow, ...]:
    """Return the rounds that make a bracket: all of a KO's, and those after the groups (Q2)."""
    if shown.header.is_bracket:
        return shown.schedule.rounds
    if not any(f.group is not None for round_ in shown.schedule.rounds for f in round_.fixtures):
        return ()
    return tuple(round_ for round_ in shown.schedule.rounds if all(f.group is None for f in round_.fixtures))


def read_bracket(shown: TournamentPage) -> BracketView | None:
    """Return the bracket; None where there is none, or not yet."""
    in_bracket = list_bracket_rounds(shown)
    if not in_bracket:
        return None
    main = [round_ for round_ in in_bracket if round_.name != "third_place"]
    champion = _find_winner(main[-1].fixtures[0]) if len(main[-1].fixtures) == 1 else None
    rounds = [
        BracketRound(round_, tuple(_make_spot(f, i > 0, champion) for f in round_.fixtures))
        for i, round_ in enumerate(main)
    ]
    if not shown.header.is_bracket:
        rounds[0] = _add_origins(shown, rounds[0])
    third = next((round_ for round_ in in_bracket if round_.name == "third_place"), None)
    live = next((round_.number for round_ in in_bracket if not round_.finished), None)
    return BracketView(
        tuple(rounds),
        None if third is None else BracketRound(third, tuple(_make_spot(f, True, None) for f in third.fixtures)),
        live,
    )


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
    """Split the bracket into sheets of paper.

    The first rounds go ``first_fixtures`` fixtures at a time, each part down to the one fixture it leads to; what is
    left stands together on the last sheet.
    """
    rounds = drawn.rounds
    if len(rounds[0].spots) <= first_fixtures:
        return (BracketSheet(rounds, True),)
    deep = first_fixtures.bit_length()  # so many rounds lead to one fixture
    parts = []
    for part in range(len(rounds[0].spots) // first_fixtures):
        width = first_fixtures
        cut = []
        for round_ in rounds[:deep]:
            cut.append(BracketRound(round_.round, round_.spots[part * width : (part + 1) * width]))
            width //= 2
        parts.append(BracketSheet(tuple(cut), False))
    rest = BracketView(rounds[deep:], drawn.third, drawn.live)
    return (*parts, *split_for_paper(rest, first_fixtures)) if rest.rounds else tuple(parts)
