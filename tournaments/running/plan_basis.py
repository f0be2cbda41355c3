"""Basis of a plan: what a format is asked, the values of the draw, the results so far, the rounds that are published.

Read from the rows as they are stored; it writes nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from games.withheld import require_withheld
from scoring import vp
from tournaments.core.game_terms import find_main_terms
from tournaments.core.play_offs import PlayOffPlan, read_play_offs
from tournaments.core.result import (
    NO_RESULT,
    FixtureResult,
    ResultTerms,
    combine_tables,
    do_fewest_points_win,
)
from tournaments.equal.confronto import compare_rounds, compute_means
from tournaments.equal.team_results import combine_boards
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Clubs, Draw, Drawn, Kind, Plan, Result, Slot, WayOut
from tournaments.models import Entry, Fixture, ForbiddenPairing, Round, RoundBye, Tournament
from tournaments.running.line_clubs import read_clubs

BYE_WORTH = {  # the MP and VP of a round that an entry doesn't play (D2, D3)
    RoundBye.Kind.ASKED: (0, vp.EVEN),
    RoundBye.Kind.MISSED: (0, vp.EVEN),
    RoundBye.Kind.ABSENT: (0, 0),
}
Published = Collection[int] | None  # the numbers of the rounds; None where rounds publish themselves (D4)
Wishes = tuple[Mapping[int, Mapping[int, tuple[int, int]]], tuple[tuple[int, int], ...]]  # as ``Draw.byes``, ``banned``


@dataclass(frozen=True, slots=True)
class Picture:
    """Rows of a tournament that was drawn, stored or not: the entries in seed order, the rounds by number, fixtures and
    second tables by slot, the byes and the forbidden pairings, the clubs in seed order where rounds are paired by them
    (EV9), and the play-offs (EV11)."""

    tournament: Tournament
    entries: Sequence[Entry]
    rounds: Mapping[int, Round]
    fixtures: Mapping[Slot, Fixture]
    seconds: Mapping[Slot, Fixture]
    byes: Sequence[RoundBye]
    bans: Sequence[ForbiddenPairing]
    clubs: Clubs = ()
    play_offs: Sequence[PlayOffPlan] = ()

    def make_plan(self) -> Plan:
        """Return the plan after the results of these rows. It reads nothing, but for equal deals."""
        tournament, size = self.tournament, len(self.entries)
        seeds = {entry.pk: seed for seed, entry in enumerate(self.entries, start=1)}
        published = None
        if tournament.publishes_rounds:
            published = frozenset(row.number for row in self.rounds.values() if row.published_at is not None)
        draw = replace(make_draw(tournament, size), published=_find_last(published))
        if FORMATS[tournament.format].keeps_rounds:
            byes, banned = weigh_wishes(self.byes, self.bans, seeds)
            ways = {row.number: WayOut(row.way) for row in self.rounds.values() if row.way}
            draw = replace(draw, byes=byes, banned=banned, ways=ways, clubs=self.clubs)
        leavers = read_leavers(self.entries)
        return make_plan(tournament, size, self.fixtures, leavers, published, self.seconds, (draw, seeds))


def read_picture(tournament: Tournament) -> Picture:
    """Return the stored rows."""
    rounds = read_rounds_by_number(tournament)
    entries = list(tournament.entries.drawn())
    return Picture(
        tournament,
        entries,
        rounds,
        read_stored_fixtures(tournament, rounds),
        read_second_tables(tournament, rounds),
        *read_wishes(tournament),
        read_clubs(tournament, [entry.pk for entry in entries]) if FORMATS[tournament.format].keeps_rounds else (),
        read_play_offs(tournament),
    )


def read_stored_fixtures(tournament: Tournament, rounds: Mapping[int, Round]) -> dict[Slot, Fixture]:
    """Return the stored fixtures by slot, without second tables."""
    return _group_by_slot(Fixture.objects.with_results().of(tournament).firsts(), rounds)


def read_second_tables(tournament: Tournament, rounds: Mapping[int, Round] | None = None) -> dict[Slot, Fixture]:
    """Return the second tables of the fixtures by slot (O12); none where each has one."""
    if not tournament.entry_kind.has_parts:
        return {}
    rounds = read_rounds_by_number(tournament) if rounds is None else rounds
    return _group_by_slot(Fixture.objects.with_results().of(tournament).seconds(), rounds)


def _group_by_slot(fixtures: Iterable[Fixture], rounds: Mapping[int, Round]) -> dict[Slot, Fixture]:
    numbers = {round_.pk: round_.number for round_ in rounds.values()}
    return {Slot(numbers[fixture.round_id], fixture.board): fixture for fixture in fixtures}


def read_rounds_by_number(tournament: Tournament) -> dict[int, Round]:
    """Return the rounds that are stored, by number."""
    return {round_.number: round_ for round_ in Round.objects.filter(tournament=tournament)}


def read_leavers(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the entries that left, with what they had then (R5); ``entries`` stand in seed order."""
    left = ((seed, entry.withdrawn_after) for seed, entry in enumerate(entries, start=1) if entry.withdrawn_at)
    return {seed: after or 0 for seed, after in left}


def read_published(tournament: Tournament) -> Published:
    """Return the rounds the organiser has published; None where rounds publish themselves (D4)."""
    if not tournament.publishes_rounds:
        return None
    published = Round.objects.filter(tournament=tournament, published_at__isnull=False)
    return frozenset(published.values_list("number", flat=True))


def make_plan(
    tournament: Tournament,
    size: int,
    fixtures: Mapping[Slot, Fixture],
    leavers: Mapping[int, int] | None = None,
    published: Published = None,
    seconds: Mapping[Slot, Fixture] | None = None,
    basis: tuple[Draw, Mapping[int, int]] | None = None,
) -> Plan:
    """Return the format's plan after the results of these fixtures.

    ``leavers``, ``published``, the ``seconds`` tables and the ``basis``, a draw and its seeds by entry, are the stored
    ones unless given. What isn't published isn't played (D4).
    """
    seconds = read_second_tables(tournament) if seconds is None else seconds
    paired = tournament.entry_kind.has_parts
    fewest_wins = do_fewest_points_win(tournament)
    results = (
        _read_sums(tournament, fixtures, seconds, fewest_wins=fewest_wins)
        if paired
        else read_results(fixtures, _find_terms(tournament), fewest_wins=fewest_wins)
    )
    if leavers is None:
        left = tournament.entries.drawn().filter(withdrawn_at__isnull=False)
        leavers = {seed: after or 0 for seed, after in left.values_list("seed", "withdrawn_after") if seed is not None}
    format_ = FORMATS[tournament.format]
    published = read_published(tournament) if published is None else published
    if basis is None:
        seeds: Mapping[int, int] = _read_seeds(tournament) if format_.keeps_rounds else {}
        draw = read_draw(tournament, size, published)
    else:
        draw, seeds = basis
    drawn = _list_drawn_pairs(fixtures, seeds) if format_.keeps_rounds else {}
    if not tournament.equal_deals:
        return withhold_rounds(format_.plan(draw, results, leavers, drawn), published)
    shown = _count_shown_rounds(tournament)
    counted, annulled = shown, _list_annulled(fixtures)
    while True:
        shares = read_shares(tournament, (fixtures, seconds), counted, annulled)
        plan = format_.plan(replace(draw, counted=counted, shares=shares), results, leavers, drawn)
        counts = max(shown, _count_rounds_over(plan, results)), _list_annulled_slots(plan)
        if counts == (counted, annulled):
            return withhold_rounds(plan, published)
        counted, annulled = counts


def _count_shown_rounds(tournament: Tournament) -> int:
    """Return how many rounds everybody knows the results of: all before the first that is withheld (J12)."""
    rounds = Round.objects.filter(tournament=tournament)
    first = rounds.filter(require_withheld()).order_by("number").values_list("number", flat=True).first()
    return rounds.count() if first is None else first - 1


def _count_rounds_over(plan: Plan, results: Mapping[Slot, Result]) -> int:
    """Return how many rounds, from the first on, have nothing left to play: with equal deals those count (J10)."""
    left = (p.slot.round for p in plan.pairings if p.kind is Kind.MATCH and p.slot not in results)
    return min(left, default=len(plan.names) + 1) - 1


def _list_annulled_slots(plan: Plan) -> frozenset[Slot]:
    """Return the fixtures of whoever left before half (R5)."""
    return frozenset(pairing.slot for pairing in plan.pairings if pairing.kind is Kind.ANNULLED)


def _list_annulled(fixtures: Mapping[Slot, Fixture]) -> frozenset[Slot]:
    stored = ((slot, fixture) for slot, fixture in fixtures.items() if not fixture.annulled)
    return frozenset(slot for slot, fixture in stored if fixture.state == Fixture.State.ANNULLED)


def read_shares(
    tournament: Tournament,
    tables: Sequence[Mapping[Slot, Fixture]],
    counted: int,
    annulled: Collection[Slot],
) -> dict[int, Fraction]:
    """Return the mean percentages of the counted rounds by seed (J10), without those of a KO after groups; ``tables``:
    the fixtures, and the second tables of teams."""
    rounds: dict[int, list[Fixture]] = {}
    rows = [row for fixtures in tables for row in fixtures.items()]
    grouped = any(fixture.group is not None for _slot, fixture in rows)
    for slot, fixture in rows:
        if slot.round <= counted and (fixture.group is not None or not grouped):
            rounds.setdefault(slot.round, []).append(fixture)
    if not rounds:
        return {}
    lost = {fixture.pk for slot, fixture in rows if slot in annulled}
    means = compute_means(compare_rounds(tournament, rounds, lost).values())
    seeds = dict(tournament.entries.drawn().values_list("pk", "seed"))
    return {seeds[entry] or 0: share for entry, share in means.items() if entry in seeds}


def withhold_rounds(plan: Plan, published: Published) -> Plan:
    """Return the plan in which no fixture of a round that isn't published is ready."""
    if published is None:
        return plan
    pairings = tuple(
        pairing._replace(ready=False) if pairing.ready and pairing.slot.round not in published else pairing
        for pairing in plan.pairings
    )
    return replace(plan, pairings=pairings)


def _find_terms(tournament: Tournament) -> ResultTerms | None:
    """Return the terms of its matches, where a format asks by how much they were won (EV4)."""
    if not tournament.format_options.get("lucky_losers"):
        return None
    return find_main_terms(tournament)


def read_results(
    fixtures: Mapping[Slot, Fixture], terms: ResultTerms | None = None, *, fewest_wins: bool = False
) -> dict[Slot, Result]:
    """Return the results of the fixtures that have one, as a format takes them; with margins by the ``terms``,
    ``fewest_wins``: fewer points do."""
    return {
        slot: FixtureResult.from_fixture(fixture).as_played(
            annulled=fixture.annulled, fewest_wins=fewest_wins, terms=terms
        )
        for slot, fixture in fixtures.items()
        if fixture.result_at is not None
    }


def _read_sums(
    tournament: Tournament, fixtures: Mapping[Slot, Fixture], seconds: Mapping[Slot, Fixture], *, fewest_wins: bool
) -> dict[Slot, Result]:
    """Return the results of the fixtures whose two tables are over."""
    wholes = combine_slots(tournament, fixtures, seconds)
    return {
        slot: whole.as_played(annulled=whole == NO_RESULT, fewest_wins=fewest_wins)
        for slot, whole in wholes.items()
        if whole is not None
    }


def combine_slots(
    tournament: Tournament, fixtures: Mapping[Slot, Fixture], seconds: Mapping[Slot, Fixture]
) -> dict[Slot, FixtureResult | None]:
    """Return the results of the fixtures that have two tables, those of both together (O12, J11); None until both are
    over."""
    boards = {slot: (fixtures[slot], seconds[slot]) for slot in sorted(fixtures.keys() & seconds.keys())}
    if tournament.entry_kind.exchanges_seats:
        combined = combine_boards(tournament, boards)
        return {slot: combined[slot].result if slot in combined else None for slot in boards}
    terms = ResultTerms.of(tournament, FORMATS[tournament.format].context)
    return {slot: combine_tables(terms.setup, tables) for slot, tables in boards.items()}


def _read_seeds(tournament: Tournament) -> dict[int, int]:
    """Return the seeds of the entries that were drawn, by entry."""
    rows = tournament.entries.drawn().values_list("pk", "seed")
    return {pk: seed for pk, seed in rows if seed is not None}


def _list_drawn_pairs(fixtures: Mapping[Slot, Fixture], seeds: Mapping[int, int]) -> Drawn:
    """Return the entries of each fixture that has some, None for a bye's empty side."""
    return {
        slot: (seeds[fixture.first_id], None if fixture.second_id is None else seeds[fixture.second_id])
        for slot, fixture in fixtures.items()
        if fixture.first_id is not None
    }


def read_draw(tournament: Tournament, size: int, published: Published = None) -> Draw:
    """Return the values frozen at the draw (E6), and what was asked of its rounds since (D1, D3, D4)."""
    draw = replace(make_draw(tournament, size), published=_find_last(published))
    if not FORMATS[tournament.format].keeps_rounds:
        return draw
    seeds = _read_seeds(tournament)
    byes, banned = weigh_wishes(*read_wishes(tournament), seeds)
    clubs = read_clubs(tournament, sorted(seeds, key=seeds.__getitem__))
    return replace(draw, byes=byes, banned=banned, ways=read_ways(tournament), clubs=clubs)


def _find_last(published: Published) -> int | None:
    return None if published is None else max(published, default=0)


def read_ways(tournament: Tournament) -> dict[int, WayOut]:
    """Return the organiser's choices for rounds that can't be paired, by number (D1)."""
    chosen = tournament.rounds.exclude(way="").values_list("number", "way")
    return {number: WayOut(way) for number, way in chosen}


def make_draw(tournament: Tournament, size: int) -> Draw:
    """Return the values of a draw, of which nobody has asked anything."""
    return Draw(
        size,
        tournament.format_options,
        tournament.tie_break,
        tournament.lot,
        find_main_terms(tournament).compute_bye() or (0, 0),
        tournament.has_hours,
    )


def read_wishes(tournament: Tournament) -> tuple[list[RoundBye], list[ForbiddenPairing]]:
    """Return the stored byes and forbidden pairings; none where rounds aren't drawn one by one."""
    if not FORMATS[tournament.format].keeps_rounds:
        return [], []
    byes = RoundBye.objects.filter(entry__tournament=tournament)
    return list(byes), list(ForbiddenPairing.objects.filter(tournament=tournament))


def weigh_wishes(byes: Iterable[RoundBye], bans: Iterable[ForbiddenPairing], seeds: Mapping[int, int]) -> Wishes:
    """Return the rounds that entries don't play, each with what they get for it, and the forbidden pairs, by seed; two
    entries that become one pair have the same (EV2)."""
    worth: dict[int, dict[int, tuple[int, int]]] = {}
    for row in byes:
        if row.entry_id in seeds:
            worth.setdefault(row.number, {})[seeds[row.entry_id]] = BYE_WORTH[RoundBye.Kind(row.kind)]
    pairs = ((seeds.get(ban.first_id), seeds.get(ban.second_id)) for ban in bans)
    banned = ((first, second) for first, second in pairs if first is not None and second is not None)
    return worth, tuple(dict.fromkeys((first, second) for first, second in banned if first != second))
