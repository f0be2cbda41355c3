"""Double knockout (EV4): who loses twice is out. A bracket as in a KO, and a lower one of those who have lost once.

The losers of the first round meet; then in turn those who won there meet the losers of the next upper round, and each
other. A place that stays empty passes its opponent on. Who is left below meets who is left above in the final; if the
former wins, they meet once more (``decider``), unless that is switched off. Ranks are counted: who is beaten in a lower
round shares the place after all who went further, and has it once nobody else can be beaten there.

An entry that leaves forfeits its next fixture, and the one below it, results like any others (K5).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from scoring.standings import StandingsRow
from tournaments.formats.common.brackets import (
    NOBODY,
    UNKNOWN,
    BracketPlan,
    Side,
    compute_bracket_size,
    make_row,
    order_bracket,
    seed_first_round,
    separate_ranks,
)
from tournaments.formats.common.options import BYES_BY_LOT
from tournaments.formats.protocol import (
    NOBODY_LEFT,
    NOTHING_DRAWN,
    Context,
    Draw,
    Drawn,
    Kind,
    OptionFault,
    OptionField,
    Origin,
    Origins,
    Plan,
    Result,
    Slot,
    gettext_noop,
)  # fmt: skip

FINAL, DECIDER = "final", "decider"
UPPER, LOWER, LAST = "upper_", "lower_", "final"  # of the names of a bracket's rounds, and of its last one's
NO_DECIDER = OptionField(
    gettext_noop("Finale secca, senza bella"),
    gettext_noop(
        "Altrimenti, se vince chi viene dal recupero, i due si incontrano ancora: hanno perso una volta a testa."
    ),
    gettext_noop("finale secca, senza bella"),
)
Sources = tuple[Origins, Origins]  # of a fixture's two sides


@dataclass(frozen=True, slots=True)
class LayoutRound:
    """A round: its name's code, and where the entries of its fixtures come from; from nowhere in the first.

    ``beaten``: the number of the lower round whose place they share who lose here, or would lose here for good.
    """

    name: str
    fixtures: tuple[Sources, ...]
    beaten: int


def order_dropped(boards: Sequence[int], number: int) -> list[int]:
    """Return the order in which the losers of an upper round, from the second on, come to the lower bracket (EV4)."""
    half = len(boards) // 2
    first, second = list(boards[:half]), list(boards[half:])
    return [
        [*second[::-1], *first[::-1]],
        [*first[::-1], *second[::-1]],
        [*second, *first],
        [*first, *second],
    ][(number - 2) % 4]


def lay_out(upper: int, *, first_lower: bool, decider: bool) -> tuple[LayoutRound, ...]:
    """Return the rounds of both brackets in the order in which they can be played.

    ``upper``: how many rounds the upper bracket has, two at least. ``first_lower``: the losers of its first round meet;
    otherwise no two of them can, and each goes on to where the winner would.
    """
    rounds: list[LayoutRound] = []

    def add(name: str, fixtures: Sequence[Sources], beaten: int) -> list[Slot]:
        rounds.append(LayoutRound(name, tuple(fixtures), beaten))
        return [Slot(len(rounds), board) for board in range(1, len(fixtures) + 1)]

    def pair(sides: Sequence[Origins]) -> list[Sources]:
        return list(zip(sides[::2], sides[1::2], strict=True))

    above = add(f"{UPPER}1", [((), ())] * (1 << (upper - 1)), beaten=1)
    below: list[Origins] = [(Origin(slot, wins=False),) for slot in above]
    lower = 0
    for number in range(2, upper + 1):
        last = number == upper
        dropped = 2 * number - 2
        fixtures = pair([(Origin(slot, wins=True),) for slot in above])
        above = add(f"{UPPER}{LAST if last else number}", fixtures, dropped)
        if number > 2 or first_lower:
            lower += 1
            below = [(Origin(slot, wins=True),) for slot in add(f"{LOWER}{lower}", pair(below), dropped - 1)]
        else:
            below = [(*first, *second) for first, second in pair(below)]
        lower += 1
        come: list[Origins] = [(Origin(above[at], wins=False),) for at in order_dropped(range(len(above)), number)]
        name = f"{LOWER}{LAST if last else lower}"
        below = [(Origin(slot, wins=True),) for slot in add(name, list(zip(come, below, strict=True)), dropped)]
    (final,) = add(FINAL, [((Origin(above[0], wins=True),), below[0])], 2 * upper - 1)
    if decider:
        add(DECIDER, [((Origin(final, wins=True),), (Origin(final, wins=False),))], 2 * upper - 1)
    return tuple(rounds)


def read_layout(names: Sequence[str]) -> tuple[LayoutRound, ...]:
    """Return the layout of a tournament whose rounds are called so."""
    upper = sum(name.startswith(UPPER) for name in names)
    lower = sum(name.startswith(LOWER) for name in names)
    return lay_out(upper, first_lower=lower == 2 * upper - 2, decider=DECIDER in names)


@dataclass
class DoubleBracket:
    """Both brackets as the results make them. ``beaten`` has the entries that are out by where they share a place."""

    layout: tuple[LayoutRound, ...]
    bracket: BracketPlan
    beaten: dict[int, list[int]] = field(default_factory=dict)
    undecided: set[int] = field(default_factory=set)  # of those places: where somebody can still be beaten
    ends: dict[tuple[Slot, bool], Side] = field(default_factory=dict)  # who comes from a fixture, winning it or losing
    champion: Side = UNKNOWN  # of the last fixture that is played

    def play(self, seeded: Sequence[Side]) -> None:
        """Play all rounds; the first one's sides in the order of the bracket."""
        for number, round_ in enumerate(self.layout, start=1):
            self.bracket.names.append(round_.name)
            for board, sources in enumerate(round_.fixtures, start=1):
                slot = Slot(number, board)
                if number == 1:
                    self._play_fixture(slot, round_, seeded[2 * board - 2], seeded[2 * board - 1])
                elif round_.name == DECIDER:
                    self._play_decider(slot, round_)
                else:
                    self._play_fixture(slot, round_, *map(self._find_side, sources))

    def rank_all(self, size: int) -> None:
        """Rank whoever is out, from the last place on, as far as it is sure; and the winner."""
        above = size
        for place in range(1, max((*self.beaten, *self.undecided), default=0) + 1):
            if place in self.undecided:
                return
            above -= len(self.beaten.get(place, ()))
            # K5: where nobody wins nobody is first.
            self.bracket.rank.update(dict.fromkeys(self.beaten.get(place, ()), max(2, above + 1)))
        if self.champion.seed is not None:
            self.bracket.rank[self.champion.seed] = 1

    def _find_side(self, origins: Origins) -> Side:
        """Return who comes from there: of two places one is empty from the draw on."""
        return next((side for side in (self.ends[origin] for origin in origins) if side != NOBODY), NOBODY)

    def _play_fixture(self, slot: Slot, round_: LayoutRound, first: Side, second: Side) -> None:
        winner, out = self.bracket.pair(slot, first, second)
        loser = Side(True, out[0]) if len(out) == 1 else NOBODY if winner.known else UNKNOWN
        self.ends[slot, True], self.ends[slot, False] = winner, loser
        if not winner.known:
            self.undecided.add(round_.beaten)
        self.champion = winner
        # Whoever loses above goes on below. So does, to the decider, who wins the upper bracket and loses the final.
        goes_on = round_.name.startswith(UPPER) or self._is_followed(round_, winner, second)
        if len(out) == 2 or not goes_on:
            self.beaten.setdefault(round_.beaten, []).extend(out)

    def _is_followed(self, round_: LayoutRound, winner: Side, from_below: Side) -> bool:
        """Tell if a decider is played after this final: it was won by the one who has lost already."""
        return round_.name == FINAL and self.layout[-1].name == DECIDER and winner == from_below != NOBODY

    def _play_decider(self, slot: Slot, round_: LayoutRound) -> None:
        """Play the decider between those of the final, the seats exchanged; nobody comes if the final decided."""
        final = Slot(slot.round - 1, 1)
        winner, loser = self.ends[final, True], self.ends[final, False]
        if not winner.known:
            self._play_fixture(slot, round_, UNKNOWN, UNKNOWN)
        elif loser.seed is not None and winner == self._find_side(self.layout[-2].fixtures[0][1]):
            self._play_fixture(slot, round_, winner, loser)
        else:
            self.bracket.pair(slot, NOBODY, NOBODY)


class DoubleKnockout:
    id = "doppio"
    order = 5
    name = gettext_noop("Doppio KO, con il recupero")
    short = gettext_noop("Doppio KO")
    summary = gettext_noop(
        "È fuori chi perde due volte. Chi perde la prima continua nel tabellone di recupero, e chi lo vince incontra "
        "in finale chi non ha mai perso. Chi esce nello stesso turno del recupero è a pari merito."
    )
    leaving_text = gettext_noop("Chi doveva incontrarti passa il turno, anche nel recupero.")
    limit_text = gettext_noop("Doppio KO: da 3 a %(limit)d.")
    option_fields: Mapping[str, OptionField] = {"no_decider": NO_DECIDER, "byes_by_lot": BYES_BY_LOT}
    pairs_everyone_at_draw = False
    context: Context = "ko"
    has_vp = False
    is_bracket = True
    defeats = 2
    options: Mapping[str, bool | int] = {"no_decider": False, "byes_by_lot": False}
    ranges: Mapping[str, range] = {}
    keeps_rounds = False
    leaver_has: Literal["results", "rounds"] = "results"
    min_size = 3
    max_size = limit = 512

    def check_options(self, options: Mapping[str, bool | int], size: int) -> OptionFault | None:
        return None

    def freeze_options(self, options: Mapping[str, bool | int], size: int) -> Mapping[str, bool | int]:
        return options

    def list_draw_examples(self) -> Mapping[str, Callable[[int], object]]:
        return {self.id: self._draw_example}

    def _draw_example(self, size: int) -> object:
        """Return every round's name and fixtures by board; a side is a seed, or the round and board whose winner or
        loser comes to it; None: nobody does."""
        plan = self.plan(Draw(size), {})
        origins = self.list_origins(plan.names)
        empty = {p.slot: p.kind for p in plan.pairings if p.kind is not Kind.MATCH}

        def describe(seed: int | None, side: Origins) -> object:
            come = [origin for origin in side if not _is_empty(empty.get(origin.slot, Kind.MATCH), wins=origin.wins)]
            if seed is not None or not come:
                return seed
            return {"winner" if come[0].wins else "loser": list(come[0].slot)}

        rounds: list[dict[str, object]] = [{"name": name, "fixtures": []} for name in plan.names]
        for p in plan.pairings:
            sides = [describe(seed, side) for seed, side in zip((p.first, p.second), origins[p.slot], strict=True)]
            cast(list[object], rounds[p.slot.round - 1]["fixtures"]).append(sides)
        return rounds

    def plan(
        self,
        draw: Draw,
        results: Mapping[Slot, Result],
        leavers: Mapping[int, int] = NOBODY_LEFT,
        drawn: Drawn = NOTHING_DRAWN,
    ) -> Plan:
        size = compute_bracket_size(draw.size)
        at = seed_first_round(draw)
        seeds = [at[place] for place in order_bracket(size)]
        sides = [NOBODY if seed is None else Side(True, seed) for seed in seeds]
        lone = [NOBODY in sides[place : place + 2] for place in range(0, size, 2)]
        layout = lay_out(
            size.bit_length() - 1,
            first_lower=any(not (first or second) for first, second in zip(lone[::2], lone[1::2], strict=True)),
            decider=not draw.options.get("no_decider"),
        )
        double = DoubleBracket(layout, BracketPlan(results))
        double.play(sides)
        double.rank_all(draw.size)
        bracket = double.bracket
        return Plan(tuple(bracket.pairings), tuple(bracket.names), _list_rows(draw.size, double), bracket.over)

    def list_origins(self, names: Sequence[str]) -> Mapping[Slot, tuple[Origins, Origins]]:
        return {
            Slot(number, board): sources
            for number, round_ in enumerate(read_layout(names), start=1)
            for board, sources in enumerate(round_.fixtures, start=1)
        }


def _is_empty(kind: Kind, *, wins: bool) -> bool:
    """Tell if nobody comes from such a fixture, winning it or losing."""
    return kind is Kind.VOID or (kind is Kind.BYE and not wins)


def _list_rows(size: int, double: DoubleBracket) -> tuple[StandingsRow, ...]:
    """Return the rows: first who is still in, then who is out without a rank that is sure, then those with one."""
    places = {entry: place for place, entries in double.beaten.items() for entry in entries}
    still_in = max((*double.beaten, 0)) + 1
    ranks = double.bracket.rank
    order = sorted(range(1, size + 1), key=lambda entry: (ranks.get(entry, 0), -places.get(entry, still_in), entry))
    below = [*(ranks.get(entry) for entry in order[1:]), None]
    return tuple(
        make_row(double.bracket, entry, separate_ranks(ranks.get(entry), lower))
        for entry, lower in zip(order, below, strict=True)
    )


FORMAT = DoubleKnockout()
