"""Basis of a plan: what a format is asked, the values of the draw, the results so far, the rounds that are published.

Read from the rows as they are stored; it writes nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from scoring import vp
from tournaments.core.result import NO_RESULT, FixtureResult, ResultTerms, combine_tables, find_length
from tournaments.equal.confronto import compare_rounds, compute_means
from tournaments.equal.team_results import combine_boards
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw, Drawn, Kind, Plan, Result, Slot, WayOut
from tournaments.models import Entry, Fixture, ForbiddenPairing, Round, RoundBye, Tournament

BYE_WORTH = {  # the MP and VP of a round that an entry doesn't play (D2, D3)
    RoundBye.Kind.ASKED: (0, vp.EVEN),
    RoundBye.Kind.MISSED: (0, vp.EVEN),
    RoundBye.Kind.ABSENT: (0, 0),
}
Published = Collection[int] | None  # the numbers of the rounds; None where rounds publish themselves (D4)


def read_stored_fixtures(tournament: Tournament, rounds: Mapping[int, Round]) -> dict[Slot, Fixture]:
    """Return the stored fixtures by slot, without second tables."""
    return _group_by_slot(Fixture.objects.of(tournament).firsts(), rounds)


def read_second_tables(tournament: Tournament, rounds: Mapping[int, Round] | None = None) -> dict[Slot, Fixture]:
    """Return the second tables of the fixtures by slot (O12); none where each has one."""
    if tournament.team_tables == 1:
        return {}
    rounds = read_rounds_by_number(tournament) if rounds is None else rounds
    return _group_by_slot(Fixture.objects.of(tournament).seconds(), rounds)


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
) -> Plan:
    """Return the format's plan after the results of these fixtures.

    ``leavers``, ``published`` and the ``seconds`` tables are the stored ones unless given. What isn't published isn't
    played (D4).
    """
    seconds = read_second_tables(tournament) if seconds is None else seconds
    paired = tournament.team_tables > 1
    results = _read_sums(tournament, fixtures, seconds) if paired else read_results(fixtures)
    if leavers is None:
        left = tournament.entries.drawn().filter(withdrawn_at__isnull=False)
        leavers = {seed: after or 0 for seed, after in left.values_list("seed", "withdrawn_after") if seed is not None}
    format_ = FORMATS[tournament.format]
    drawn = _drawn_pairs(tournament, fixtures) if format_.keeps_rounds else {}
    published = read_published(tournament) if published is None else published
    draw = read_draw(tournament, size, published)
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
    first = rounds.filter(withheld=True).order_by("number").values_list("number", flat=True).first()
    return rounds.count() if first is None else first - 1


def _count_rounds_over(plan: Plan, results: Mapping[Slot, Result]) -> int:
    """Return how many rounds, from the first on, have nothing left to play: with equal deals those count (J10)."""
    left = (p.slot.round for p in plan.pairings if p.kind is Kind.MATCH and p.slot not in results)
    return min(left, default=len(plan.names) + 1) - 1


def _list_annulled_slots(plan: Plan) -> frozenset[Slot]:
    """Return the fixtures of who left before half (R5)."""
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


def read_results(fixtures: Mapping[Slot, Fixture]) -> dict[Slot, Result]:
    """Return the results of the fixtures that have one, as a format takes them."""
    return {
        slot: FixtureResult.from_fixture(fixture).as_played(annulled=fixture.annulled)
        for slot, fixture in fixtures.items()
        if fixture.result_at is not None
    }


def _read_sums(
    tournament: Tournament, fixtures: Mapping[Slot, Fixture], seconds: Mapping[Slot, Fixture]
) -> dict[Slot, Result]:
    """Return the results of the fixtures whose two tables are over."""
    wholes = combine_slots(tournament, fixtures, seconds)
    return {slot: whole.as_played(annulled=whole == NO_RESULT) for slot, whole in wholes.items() if whole is not None}


def combine_slots(
    tournament: Tournament, fixtures: Mapping[Slot, Fixture], seconds: Mapping[Slot, Fixture]
) -> dict[Slot, FixtureResult | None]:
    """Return the results of the fixtures that have two tables, those of both together (O12, J11); None until both are
    over."""
    boards = {slot: (fixtures[slot], seconds[slot]) for slot in sorted(fixtures.keys() & seconds.keys())}
    if tournament.exchanges_seats:
        combined = combine_boards(tournament, boards)
        return {slot: combined[slot].result if slot in combined else None for slot in boards}
    terms = ResultTerms.of(tournament, FORMATS[tournament.format].context)
    return {slot: combine_tables(terms.setup, tables) for slot, tables in boards.items()}


def _drawn_pairs(tournament: Tournament, fixtures: Mapping[Slot, Fixture]) -> Drawn:
    """Return the entries of each fixture that has some, None for a bye's empty side."""
    seeds = dict(tournament.entries.drawn().values_list("pk", "seed"))
    return {
        slot: (seeds[fixture.first_id] or 0, None if fixture.second_id is None else seeds[fixture.second_id])
        for slot, fixture in fixtures.items()
        if fixture.first_id is not None
    }


def read_draw(tournament: Tournament, size: int, published: Published = None) -> Draw:
    """Return the values frozen at the draw (E6), and what was asked of its rounds since (D1, D3, D4)."""
    wishes = FORMATS[tournament.format].keeps_rounds
    drawn = tournament.entries.drawn().values_list("pk", "seed") if wishes else ()
    draw = make_draw(tournament, size, {pk: seed for pk, seed in drawn if seed is not None})
    ways = read_ways(tournament) if wishes else {}
    return replace(draw, published=None if published is None else max(published, default=0), ways=ways)


def read_ways(tournament: Tournament) -> dict[int, WayOut]:
    """Return the organiser's choices for rounds that can't be paired, by number (D1)."""
    chosen = tournament.rounds.exclude(way="").values_list("number", "way")
    return {number: WayOut(way) for number, way in chosen}


def make_draw(tournament: Tournament, size: int, seeds: Mapping[int, int]) -> Draw:
    """Return the values of a draw in which the entries have these seeds, by id."""
    byes, banned = read_wishes(tournament, seeds) if FORMATS[tournament.format].keeps_rounds else ({}, ())
    return Draw(
        size,
        tournament.format_options,
        tournament.tie_break,
        tournament.lot,
        vp.compute_bye(tournament.ruleset, find_length(tournament)) or (0, 0),
        tournament.has_hours,
        byes=byes,
        banned=banned,
    )


def read_wishes(
    tournament: Tournament, seeds: Mapping[int, int]
) -> tuple[dict[int, dict[int, tuple[int, int]]], tuple[tuple[int, int], ...]]:
    """Return the rounds that entries don't play, each with what they get for it, and the forbidden pairs, by seed."""
    byes: dict[int, dict[int, tuple[int, int]]] = {}
    for row in RoundBye.objects.filter(entry__tournament=tournament):
        if row.entry_id in seeds:
            byes.setdefault(row.number, {})[seeds[row.entry_id]] = BYE_WORTH[RoundBye.Kind(row.kind)]
    bans = ForbiddenPairing.objects.filter(tournament=tournament).values_list("first", "second")
    return byes, tuple((seeds[first], seeds[second]) for first, second in bans if {first, second} <= set(seeds))
