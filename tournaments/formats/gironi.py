"""Groups, then KO (Q1, Q2): a girone in each group, and the first of each play a bracket.

Each group goes its own way; an entry enters the bracket as soon as its group is over. With fewer than two entries a
group there are fewer groups, and a group too small for all its places in the bracket leaves them empty (a bye). Who
leaves in its group is treated as in a girone (R5); who leaves later forfeits, as in a KO (K5). Entries that are level
at a place that goes on are told apart by the lot (Q3); those that stay level below it share their place. Where clubs
are protected (EV9), entries change places at the draw, and afterwards nothing knows of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from scoring.standings import StandingsRow, TieBreakReason
from tournaments.formats.common.brackets import NOBODY, UNKNOWN, BracketPlan, Side, compute_bracket_size, order_bracket
from tournaments.formats.common.club_groups import list_meetings, part_groups
from tournaments.formats.common.clubs import Board
from tournaments.formats.common.groups import cross_groups, fill_groups
from tournaments.formats.common.options import APART, DOUBLE, THIRD_PLACE
from tournaments.formats.common.round_robin import RoundRobin
from tournaments.formats.protocol import (
    NOBODY_LEFT,
    NOTHING_DRAWN,
    Context,
    Draw,
    Drawn,
    OptionFault,
    OptionField,
    Pairing,
    Plan,
    Result,
    Slot,
    Swaps,
    gettext_noop,
)  # fmt: skip

Key = tuple[int | Fraction, ...]  # by which entries are ranked: 0 and the rank in the bracket; 1, place, VP, MP; 2

MIN_GROUP_ENTRIES, MAX_GROUP_ENTRIES = 2, 64  # entries in a group (D5)
GROUPS = OptionField(
    gettext_noop("Quanti gironi"),
    gettext_noop("Riempiti a serpentina secondo le teste di serie; da 2 a 64 iscritti in ognuno."),
    gettext_noop("gironi: %(value)s"),
)
QUALIFY = OptionField(
    gettext_noop("Quanti passano da ogni girone"),
    gettext_noop("Vanno al tabellone: chi vince un girone incontra l'ultimo di chi passa da un altro."),
    gettext_noop("passano da ognuno: %(value)s"),
)


def split_groups(draw: Draw) -> tuple[tuple[int, ...], ...]:
    """Return the entries of each group: as many groups as were asked for, if there are entries enough."""
    return fill_groups(draw.size, max(1, min(int(draw.options.get("groups", 1)), draw.size // MIN_GROUP_ENTRIES)))


class Gironi:
    id = "gironi"
    order = 2
    name = gettext_noop("Gironi, poi eliminazione diretta")
    short = gettext_noop("Gironi e KO")
    summary = gettext_noop(
        "In ogni girone ognuno incontra tutti gli altri; poi chi passa gioca l'eliminazione diretta, e chi perde è "
        "fuori. "
        "Chi è in parità a un posto che passa, dopo tutti i criteri, è separato dal sorteggio fatto all'inizio."
    )
    leaving_text = gettext_noop(
        "Se non hai ancora giocato metà dei tuoi incontri, i tuoi risultati si annullano per tutti; altrimenti "
        "restano, e gli altri incontri li perdi. Nel tabellone, chi doveva incontrarti passa il turno."
    )
    limit_text = gettext_noop("Gironi e KO: fino a %(limit)d per girone.")
    option_fields: Mapping[str, OptionField] = {
        "groups": GROUPS,
        "qualify": QUALIFY,
        "third_place": THIRD_PLACE,
        "double": DOUBLE,
        "apart": APART,
    }
    pairs_everyone_at_draw = False
    context: Context = "round_robin"
    has_vp = True
    is_bracket = False
    defeats = None
    options: Mapping[str, bool | int] = {
        "groups": 4,
        "qualify": 2,
        "third_place": False,
        "double": False,
        "apart": False,
    }
    ranges: Mapping[str, range] = {"groups": range(2, 17), "qualify": range(1, 5)}
    keeps_rounds = False
    leaver_has: Literal["results", "rounds"] = "results"
    min_size = 4
    limit = MAX_GROUP_ENTRIES
    max_size = MAX_GROUP_ENTRIES * ranges["groups"][-1]

    def check_options(self, options: Mapping[str, bool | int], size: int) -> OptionFault | None:
        groups = int(options["groups"])
        if size < MIN_GROUP_ENTRIES * groups:
            return OptionFault("groups_too_many", {"groups": groups, "least": MIN_GROUP_ENTRIES * groups})
        if size > MAX_GROUP_ENTRIES * groups:
            return OptionFault("groups_too_few", {"groups": groups, "most": MAX_GROUP_ENTRIES * groups})
        return None

    def freeze_options(self, options: Mapping[str, bool | int], size: int) -> Mapping[str, bool | int]:
        return {**options, "groups": len(split_groups(Draw(size, options)))}

    def list_draw_examples(self) -> Mapping[str, Callable[[int], object]]:
        return {}

    def protects_clubs(self, options: Mapping[str, bool | int]) -> bool:
        return bool(options.get("apart"))

    def part_clubs(self, draw: Draw) -> Swaps:
        return part_groups(split_groups(draw), draw.clubs, draw.lot)

    def list_meetings(self, draw: Draw) -> Sequence[Board]:
        return list_meetings(split_groups(draw))

    def plan(
        self,
        draw: Draw,
        results: Mapping[Slot, Result],
        leavers: Mapping[int, int] = NOBODY_LEFT,
        drawn: Drawn = NOTHING_DRAWN,
    ) -> Plan:
        groups = split_groups(draw)
        gironi = [RoundRobin(draw, group, results, leavers, number) for number, group in enumerate(groups, start=1)]
        count = max(len(girone.rounds) for girone in gironi)
        boards = [0] * count
        for girone in gironi:
            girone.play(boards)
            for number, pairs in enumerate(girone.rounds):
                boards[number] += len(pairs)
        pairings: list[Pairing] = sorted((p for girone in gironi for p in girone.pairings), key=lambda p: p.slot)
        qualify = int(draw.options.get("qualify", 1))
        tables = tuple(girone.rank_entries(cut=qualify) for girone in gironi)

        places = cross_groups(tuple(min(qualify, len(group)) for group in groups))
        bracket = BracketPlan(results, third_place=bool(draw.options.get("third_place")), before=count)
        order = order_bracket(compute_bracket_size(len(places)))
        bracket.play([_find_side(places.get(place), gironi, tables) for place in order])
        in_groups: list[Context] = ["round_robin"] * count
        in_bracket: list[Context] = ["ko"] * len(bracket.names)
        groups_over = all(girone.over for girone in gironi)
        return Plan(
            (*pairings, *bracket.pairings),
            ("group",) * count + tuple(bracket.names),
            _rank_all(gironi, tables, qualify, bracket, groups_over=groups_over),
            groups_over and bracket.over,
            (*in_groups, *in_bracket),
            tables,
        )


def _find_side(
    place: tuple[int, int] | None, gironi: list[RoundRobin], tables: tuple[tuple[StandingsRow, ...], ...]
) -> Side:
    """Return the entry that comes from that place of that group."""
    if place is None:
        return NOBODY
    girone, table = gironi[place[0] - 1], tables[place[0] - 1]
    if place[1] > len(girone.entries) - len(girone.early):
        return NOBODY
    return Side(True, table[place[1] - 1].seed) if girone.over else UNKNOWN


def _rank_all(
    gironi: list[RoundRobin],
    tables: tuple[tuple[StandingsRow, ...], ...],
    qualify: int,
    bracket: BracketPlan,
    *,
    groups_over: bool,
) -> tuple[StandingsRow, ...]:
    """Rank the bracket's entries by round (K4), then the others by place in their groups, by VP and by MP a fixture.

    VP and MP are those of the groups, matches played and won those of both. Before all groups are over nobody below
    the bracket has a rank.
    """
    keys: dict[int, Key] = {}
    sums: dict[int, StandingsRow] = {}
    for girone, table in zip(gironi, tables, strict=True):
        staying = len(table) - len(girone.early)
        for place, row in enumerate(table, start=1):
            entry = row.seed
            won, played = row.won + bracket.won.get(entry, 0), row.played + bracket.played.get(entry, 0)
            sums[entry] = replace(row, played=played, won=won, rank=None, separation=None)
            if place > staying:
                keys[entry] = (2,)
            elif place <= qualify and girone.over:
                keys[entry] = (0, bracket.rank.get(entry, 0))
            else:
                games = max(row.played, 1)
                keys[entry] = (1, row.rank or place, -Fraction(row.vp, games), -Fraction(row.mp, games))
    order = sorted(sums, key=lambda entry: (keys[entry], entry))
    rows: list[StandingsRow] = []
    for number, entry in enumerate(order):
        key = keys[entry]
        rank, separation = None, None
        if _is_sure(key, groups_over=groups_over):
            shared = number > 0 and keys[order[number - 1]] == key
            rank = rows[-1].rank if shared else int(key[1]) if key[0] == 0 else number + 1
            below = keys[order[number + 1]] if number + 1 < len(order) else None
            if below is not None and _is_sure(below, groups_over=groups_over):
                separation = _find_reason(key, below)
        rows.append(replace(sums[entry], rank=rank, separation=separation))
    return tuple(rows)


def _is_sure(key: Key, *, groups_over: bool) -> bool:
    return key[1] > 0 if key[0] == 0 else groups_over


def _find_reason(own: Key, other: Key) -> TieBreakReason:
    """Return the reason that puts one before the other (R3); averages in hundredths."""
    if own == other:
        return TieBreakReason("equal", None, None)
    if other[0] == 2:
        return TieBreakReason("left", None, None)
    if own[0] == 0:
        return TieBreakReason("round" if other[0] == 0 else "qualified", None, None)
    if own[1] != other[1]:
        return TieBreakReason("group_place", int(own[1]), int(other[1]))
    code, at = ("vp_average", 2) if own[2] != other[2] else ("mp_average", 3)
    return TieBreakReason(code, int(-own[at] * 100), int(-other[at] * 100))


FORMAT = Gironi()
