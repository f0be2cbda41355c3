"""Danese (Swiss, D1): everybody plays every round, against a neighbour in the standings whom they haven't met.

A round is drawn when the one before is over, and stays as it was drawn. First the top half of the seeds meets the
bottom half; then the sum of the squares of the distances in the standings is made as small as it can be
(``matching.pair_neighbours``). Entries that are level stand there in the order in which the lot draws them for that
round, never by seed. A bye is worth what ``draw.bye`` says and goes to whoever stands lowest, to nobody twice.
Results of whoever leaves stand, and they are drawn no more. Who asked for a bye, is absent or came later stands on a
board alone in that round, for what ``draw.byes`` says (D2, D3). Forbidden pairs (D4) are made only where there is no
other way: where rounds publish themselves, as many as it takes are lifted, in the order in which they were
forbidden; else a round isn't drawn before somebody lifts one, and the plan says which. Those of one club (EV9) meet in
the first round only where there is no other way, and if asked for in no round but at the price of four places.

So many rounds can be paired without a rematch as a girone has, and no more are taken (``limit_rounds``). Pairs are
chosen so that the rounds to come can be paired too, by those who play them as far as that is known: who has left, and
who asked for a bye or is absent. Only where an entry left, came or rests after others were paired may there be no way
on: the plan says from which round (``Plan.stuck``). That round is paired as the organiser chose for it (``Draw.ways``):
with second byes, or as the last one with rematches. Where nothing was chosen the tournament ends with the round before
if rounds publish themselves, and waits for the choice if the organiser publishes them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Literal

from scoring.standings import Game, StandingsRow, compute_standings
from scoring.tiebreaks import Rounds, draw_lot_order
from tournaments.formats.common.clubs import NO_CLUBS, Board
from tournaments.formats.common.options import APART
from tournaments.formats.common.rounds_ahead import BYE, Fields, find_dead_end
from tournaments.formats.common.swiss import Pair, pair_by_standing, pair_first_round
from tournaments.formats.common.ways_out import (
    can_meet_again,
    can_rest_more,
    pair_with_rematches,
    pair_with_second_byes,
)
from tournaments.formats.protocol import (
    NOBODY_LEFT,
    NOTHING_DRAWN,
    Context,
    Draw,
    Drawn,
    Kind,
    OptionFault,
    OptionField,
    Pairing,
    Plan,
    Result,
    Slot,
    Swaps,
    WayOut,
    gettext_noop,
)  # fmt: skip


def propose_rounds(size: int) -> int:
    """Return ⌈log2 N⌉ (D1): as many rounds as a KO would have."""
    return max(1, (size - 1).bit_length())


def limit_rounds(size: int) -> int:
    """Return the number of rounds in which everybody meets everybody once, with an odd size a bye each (D1)."""
    return size - 1 + size % 2


def count_rounds(draw: Draw) -> int:
    """Return the rounds that were asked for, or are proposed; no more than can be paired without a rematch."""
    return min(int(draw.options.get("rounds", 0)) or propose_rounds(draw.size), limit_rounds(draw.size))


@dataclass
class _Swiss:
    """The plan of a danese while it is made from the results, round by round."""

    draw: Draw
    results: Mapping[Slot, Result]
    leavers: Mapping[int, int]
    drawn: Drawn
    pairings: list[Pairing] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    met: set[frozenset[int]] = field(default_factory=set)
    byes: dict[int, tuple[int, int]] = field(default_factory=dict)
    firsts: Counter[int] = field(default_factory=Counter)
    rested: Counter[int] = field(default_factory=Counter)
    lifted: tuple[Pair, ...] = ()
    counted: int = 0  # rounds drawn so far that are in the standings
    waiting: list[Pair] = field(default_factory=list)  # for the result of their match, of those rounds
    halves: Counter[int] = field(default_factory=Counter)  # of a win, by byes (EV10)

    def __post_init__(self) -> None:
        self.boards: defaultdict[int, list[tuple[Slot, tuple[int, int | None]]]] = defaultdict(list)
        for slot, pair in sorted(self.drawn.items()):
            self.boards[slot.round].append((slot, pair))

    def plan(self) -> Plan:
        over, ended, stuck, undrawn = True, False, None, None
        rounds = count_rounds(self.draw)
        for number in range(1, rounds + 1):
            pairs = self._read_drawn(number)
            if pairs is None and over and not ended:
                pairs = self._pair_round(number, self._list_fields(number, rounds))
                if pairs is None and not self.lifted:
                    stuck = number
                    pairs = self._pair_by_choice(number, rounds)
                    ended = pairs is None and not self.lifted and self._ends_before(number, rounds)
            if pairs and self.draw.published is not None and number > self.draw.published:
                pairs = None  # it can be drawn, and isn't yet (D4)
            if pairs is not None:
                stuck = None
                over = self._add_round(number, pairs) and over
            else:
                over = over and ended
                undrawn = undrawn or number
                self._add_undrawn(number, Kind.VOID if ended else Kind.MATCH)
        if undrawn is not None and stuck is None:
            stuck = self._find_stuck(undrawn, rounds)
        ways = () if stuck is None else self._list_ways(stuck, rounds)
        return Plan(
            tuple(self.pairings), ("round",) * rounds, self.rank_entries(), over,
            lifted=self.lifted, stuck=stuck, ways=ways,
        )  # fmt: skip

    def _find_stuck(self, number: int, rounds: int) -> int | None:
        """Return the first round, from one that isn't drawn on, that surely can't be paired; None: none surely."""
        turn = find_dead_end(self._list_fields(number, rounds), frozenset(self.met))
        return None if turn is None else number + turn

    def _list_ways(self, number: int, rounds: int) -> tuple[WayOut, ...]:
        """Return the ways out of a round that can't be paired."""
        entries, met = self._list_fields(number, number)[0], frozenset(self.met)
        possible = {
            WayOut.BYE: can_rest_more(entries, met),
            WayOut.REMATCH: number == rounds and can_meet_again(entries, met),
            WayOut.END: True,
        }
        return tuple(way for way, is_one in possible.items() if is_one)

    def _ends_before(self, number: int, rounds: int) -> bool:
        """Tell if the tournament ends before a round that can't be paired, and doesn't wait for a choice."""
        chosen = self.draw.ways.get(number)
        nothing_else = self._list_ways(number, rounds) == (WayOut.END,)
        return self.draw.published is None or chosen == WayOut.END or nothing_else

    def _pair_by_choice(self, number: int, rounds: int) -> tuple[Pair, ...] | None:
        """Pair a round that can't be paired as the rules want, as the organiser chose for it; None without a way."""
        way = self.draw.ways.get(number)
        if way is None or way == WayOut.END or way not in self._list_ways(number, rounds):
            return None
        order, alone = self._split_present(number)
        lot, met = self._name_lot(number), frozenset(self.met)
        if way == WayOut.BYE:
            pairs = self._pair_allowed(lambda banned: pair_with_second_byes(order, met, self.rested, lot, banned))
        else:
            pairs = self._pair_allowed(lambda banned: pair_with_rematches(order, met, lot, banned))
        return pairs and (*self._seat(pairs), *alone)

    def rank_entries(self) -> tuple[StandingsRow, ...]:
        entries = range(1, self.draw.size + 1)
        draw = self.draw
        rounds = Rounds(self.counted, tuple(self.waiting), self.halves)
        return compute_standings(entries, self.games, draw.tie_break, draw.lot, self.byes, 0, draw.shares, rounds)

    def _read_drawn(self, number: int) -> tuple[Pair, ...] | None:
        """Return the pairs of a round as it was drawn, board after board; None if it wasn't."""
        return tuple((one, BYE if other is None else other) for _slot, (one, other) in self.boards[number]) or None

    def _list_fields(self, number: int, rounds: int) -> Fields:
        """Return who plays each round from this one on, as it is known when this one is drawn."""
        staying = frozenset(entry for entry in range(1, self.draw.size + 1) if self._stays(entry, number))
        asked = (self.draw.byes.get(turn) for turn in range(number, rounds + 1))
        return tuple(staying.difference(byes) if byes else staying for byes in asked)

    def _stays(self, entry: int, number: int) -> bool:
        """Tell if an entry hadn't left when a round was drawn."""
        return self.leavers.get(entry, number) >= number

    def _pair_round(self, number: int, fields: Fields) -> tuple[Pair, ...] | None:
        """Pair a round whose turn has come; None where there can't be one, or a pair must be allowed first."""
        order, alone = self._split_present(number)
        if len(order) < 2:
            return None
        lot = self._name_lot(number)
        if number == 1:
            seeds, clubs = tuple(sorted(order)), self.draw.clubs
            pairs = self._pair_allowed(lambda banned: pair_first_round(seeds, lot, banned, fields[1:], clubs))
        else:
            met = frozenset(self.met)
            clubs = self.draw.clubs if self.draw.options.get("apart_always") else NO_CLUBS
            pairs = self._pair_allowed(lambda banned: pair_by_standing(order, met, lot, fields[1:], banned, clubs))
            pairs = pairs and self._seat(pairs)
        return pairs and (*pairs, *alone)

    def _split_present(self, number: int) -> tuple[tuple[int, ...], tuple[Pair, ...]]:
        """Return who plays a round, by standing, and the boards of those who are alone in it."""
        present = [entry for entry in self._order_entries(number) if self._stays(entry, number)]
        byes = self.draw.byes.get(number, {})
        alone = tuple((entry, BYE) for entry in sorted(present) if entry in byes)
        return tuple(entry for entry in present if entry not in byes), alone

    def _name_lot(self, number: int) -> str:
        return f"{self.draw.lot}/round {number}"

    def _seat(self, pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        """Return the pairs in which who has sat first less often does so now (R1 does the same by its tables)."""
        return tuple((b, a) if b != BYE and self.firsts[b] < self.firsts[a] else (a, b) for a, b in pairs)

    def _pair_allowed(
        self, pair: Callable[[frozenset[frozenset[int]]], tuple[Pair, ...] | None]
    ) -> tuple[Pair, ...] | None:
        """Pair by ``pair`` without the forbidden pairs (D4). Where that can't be, note those that must be lifted."""
        banned = self.draw.banned
        pairs = pair(frozenset(map(frozenset, banned)))
        if pairs is not None or not banned or pair(frozenset()) is None:
            return pairs
        published = self.draw.published is not None
        one, first = ((ban,) for ban in banned if published), (banned[:count] for count in range(1, len(banned) + 1))
        for lifted in chain(one, first):
            pairs = pair(frozenset(frozenset(ban) for ban in banned if ban not in lifted))
            if pairs is not None:
                self.lifted = lifted
                break
        return None if published else pairs

    def _order_entries(self, number: int) -> list[int]:
        """Return the entries by standing; level ones as the lot draws them for this round."""
        order: list[int] = []
        for _rank, level in groupby(self.rank_entries(), key=lambda row: row.rank):
            order += draw_lot_order(self.draw.lot, [row.seed for row in level], f"round {number}")
        return order

    def _add_round(self, number: int, pairs: tuple[Pair, ...]) -> bool:
        """Add a round's pairings. Return True if it is over."""
        over = True
        self.counted += self.draw.counts(number)
        for board, (first, second) in enumerate(pairs, start=1):
            slot = Slot(number, board)
            own = self.draw.byes.get(number, {}).get(first) if second == BYE else None
            if own is None:
                self.met.add(frozenset((first, second)))
                self.rested[first] += second == BYE
            if second == BYE:
                worth = self.draw.bye if own is None else own
                if self.draw.counts(number):
                    mp, vp = self.byes.get(first, (0, 0))
                    self.byes[first] = (mp + worth[0], vp + worth[1])
                    self.halves[first] += 2 if own is None else int(own[1] > 0)
                self._add(Pairing(slot, first, None, Kind.BYE, worth=worth))
                continue
            self.firsts[first] += 1
            self._add(Pairing(slot, first, second, Kind.MATCH, ready=True))
            result = self.results.get(slot)
            if result is None:
                over = False
                if self.draw.counts(number):
                    self.waiting.append((first, second))
            elif not result.annulled and self.draw.counts(number):
                self.games.append(result.make_game(first, second))
        self._add_undrawn(number, Kind.VOID, after=len(pairs))
        return over

    def _add_undrawn(self, number: int, kind: Kind, after: int = 0) -> None:
        """Add the boards of a round that nobody has been drawn to, yet or for good."""
        for board in range(after + 1, (self.draw.size + 1) // 2 + 1):
            self._add(Pairing(Slot(number, board), None, None, kind))

    def _add(self, pairing: Pairing) -> None:
        if pairing.slot in self.results and not pairing.ready:
            raise ValueError(f"a result for {pairing.slot}, which is not being played")
        self.pairings.append(pairing)


ROUNDS = OptionField(
    gettext_noop("Quanti turni"),
    gettext_noop(
        "Vuoto: quelli proposti, 3 con 8 iscritti, 4 con 16, 5 con 32. Al massimo quanti se ne fanno senza incontrarsi "
        "due volte: 7 con 7 o con 8 iscritti; se al sorteggio sono meno del previsto, i turni si riducono."
    ),
    gettext_noop("turni: %(value)s"),
    blank=True,
)


LATE = OptionField(
    gettext_noop("Chi arriva tardi entra fino al turno"),
    gettext_noop(
        "Vuoto: fino al terzo. Ogni turno perso vale 10 VP, come un riposo chiesto. 1: dopo il sorteggio non entra "
        "nessuno."
    ),
    gettext_noop("chi arriva tardi entra fino al turno %(value)s"),
    blank=True,
)
APART_ALWAYS = OptionField(
    gettext_noop("Protezione di circolo in tutti i turni"),
    gettext_noop(
        "Anche dopo il primo: chi è di uno stesso circolo si incontra solo se l'alternativa è più lontana in "
        "classifica, al prezzo di quattro posti."
    ),
    gettext_noop("protezione di circolo in tutti i turni"),
)
LAST_LATE_ROUND = 3  # two rounds at most may be missed (D2)


class Danese:
    id = "danese"
    order = 4
    name = gettext_noop("Danese (sistema svizzero)")
    short = gettext_noop("Danese")
    summary = gettext_noop(
        "Ogni turno si gioca contro chi è vicino in classifica, mai due volte con lo stesso; chi resta solo riposa, "
        "una volta sola, e prende %(bye)s."
    )
    leaving_text = gettext_noop("I tuoi risultati restano; nei prossimi turni non sei più sorteggiato.")
    limit_text = gettext_noop("Danese: fino a %(limit)d.")
    option_fields: Mapping[str, OptionField] = {
        "rounds": ROUNDS,
        "late": LATE,
        "apart": APART,
        "apart_always": APART_ALWAYS,
    }
    pairs_everyone_at_draw = False
    context: Context = "round_robin"
    has_vp = True
    is_bracket = False
    defeats = None
    options: Mapping[str, bool | int] = {"rounds": 0, "late": 0, "apart": False, "apart_always": False}
    ranges: Mapping[str, range] = {"rounds": range(64), "late": range(LAST_LATE_ROUND + 1)}
    keeps_rounds = True
    leaver_has: Literal["results", "rounds"] = "rounds"
    min_size = 2
    max_size = limit = 4096

    def check_options(self, options: Mapping[str, bool | int], size: int) -> OptionFault | None:
        if int(options["rounds"]) > limit_rounds(size):
            return OptionFault("rounds_too_many", {"size": size, "most": limit_rounds(size)})
        return None

    def freeze_options(self, options: Mapping[str, bool | int], size: int) -> Mapping[str, bool | int]:
        late = options.get("late") or LAST_LATE_ROUND
        return {**options, "rounds": count_rounds(Draw(size, options)), "late": late}

    def list_draw_examples(self) -> Mapping[str, Callable[[int], object]]:
        return {self.id: self._draw_example}

    def _draw_example(self, size: int) -> list[list[list[int | None]]]:
        """Return the first round, the only one that depends on no result (D1); a bye is [n, null]."""
        return [[[first, second or None] for first, second in pair_first_round(tuple(range(1, size + 1))) or ()]]

    def protects_clubs(self, options: Mapping[str, bool | int]) -> bool:
        return bool(options.get("apart") or options.get("apart_always"))

    def part_clubs(self, draw: Draw) -> Swaps:
        return ()  # seeds stay: it pairs by clubs

    def list_meetings(self, draw: Draw) -> Sequence[Board]:
        first = (pairing for pairing in self.plan(draw, {}).pairings if pairing.slot.round == 1)
        return [(p.first, p.second) for p in first if p.first and p.second]

    def plan(
        self,
        draw: Draw,
        results: Mapping[Slot, Result],
        leavers: Mapping[int, int] = NOBODY_LEFT,
        drawn: Drawn = NOTHING_DRAWN,
    ) -> Plan:
        return _Swiss(draw, results, leavers, drawn).plan()


FORMAT = Danese()
