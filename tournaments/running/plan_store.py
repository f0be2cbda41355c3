"""Storing the picture a format gives: rounds, fixtures and standings become what the plan says, and only what differs
is written. The number of queries depends on neither the size of the field nor the number of results.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType

from scoring.standings import StandingsRow
from tournaments.core.bulk import copy_unsaved, insert_rows, update_rows
from tournaments.core.game_terms import find_terms
from tournaments.core.locking import write_log
from tournaments.core.log_details import EntriesDetail
from tournaments.core.play_offs import PlayOffPlan, read_play_offs, settle_standings
from tournaments.core.result import COLUMNS, WITHDRAWN, FixtureResult
from tournaments.core.signals import round_published
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Kind, Pairing, Plan, Slot
from tournaments.models import Entry, Fixture, ForbiddenPairing, Round, ScoreSlip, Tournament
from tournaments.running.dead_ends import note_dead_end
from tournaments.running.line_ups import take_line_ups_back
from tournaments.running.plan_basis import (
    make_plan,
    read_leavers,
    read_rounds_by_number,
    read_second_tables,
    read_stored_fixtures,
)
from tournaments.running.real_tables import seat_fixtures
from tournaments.running.team_tables import count_forfeits, pair_again, store_sums, turn_pairing

State = Fixture.State
ALONE = {Kind.BYE: State.BYE, Kind.REST: State.REST, Kind.VOID: State.VOID, Kind.ANNULLED: State.ANNULLED}
STANDING = ("rank", "played", "won", "drawn", "mp", "vp", "separation", "forfeits", "group", "percentage")
PLANNED = ("tournament", "seed", "withdrawn_at", "withdrawn_after", *STANDING)  # what a plan reads of entries
# mp_0, vp_0: what a bye is worth
PLACE = (
    "first", "second", "group", "state", "opens_at", "mp_0", "vp_0", "announced", "ahead_by", "extra_minutes", "moved",
)  # fmt: skip
RESULT = (*COLUMNS, "result_at")


def store_plan(tournament: Tournament, entries: Sequence[Entry], now: datetime) -> bool:
    """Store the plan after all results so far; whether the tournament is finished. ``entries`` stand in seed order.

    What entries that left would play next is written down as their forfeit, until nothing more comes to them (R5, K5):
    so nobody waits for whoever won't come.
    """
    rounds = read_rounds_by_number(tournament)
    fixtures, seconds = read_stored_fixtures(tournament, rounds), read_second_tables(tournament, rounds)
    leavers = read_leavers(entries)
    by_seed = dict(enumerate(entries, start=1))

    def plan() -> Plan:
        return make_plan(tournament, len(entries), fixtures, leavers, seconds=seconds)

    final = give_up_fixtures(tournament, plan, fixtures, leavers, now, seconds)
    store_fixtures(tournament, final, _store_rounds(tournament, final, rounds), fixtures, by_seed, now)
    if tournament.entry_kind.has_parts:
        paired = replace(final, pairings=tuple(pair_again(tournament, final)))
        store_fixtures(tournament, paired, rounds, seconds, by_seed, now, part=2)
        store_sums(tournament, fixtures, seconds)
    _finish_rounds(rounds, [*fixtures.items(), *seconds.items()])
    _store_standings(tournament, final, fixtures, by_seed, seconds, read_play_offs(tournament))
    _lift_bans(tournament, final, by_seed, now)
    note_dead_end(tournament, final, now)
    seat_fixtures(tournament)
    publish_reached(tournament, final, rounds, now)
    return final.finished


def _lift_bans(tournament: Tournament, plan: Plan, entries: Mapping[int, Entry], now: datetime) -> None:
    """Take back the forbidden pairs without which no round could be paired, where nobody else can (D4)."""
    if tournament.publishes_rounds:
        return
    for pair in plan.lifted:
        first, second = sorted(entries[seed].pk for seed in pair)
        ForbiddenPairing.objects.filter(tournament=tournament, first=first, second=second).delete()
        write_log(tournament, "pairing_allowed", now, detail=EntriesDetail(entries=(first, second)))


def publish_reached(tournament: Tournament, plan: Plan, rounds: Mapping[int, Round], now: datetime) -> None:
    """Mark the rounds whose turn has come as published, where rounds publish themselves (D4): no others are ready."""
    reached = {pairing.slot.round for pairing in plan.pairings if pairing.ready or pairing.worth is not None}
    new = [rounds[number] for number in sorted(reached) if rounds[number].published_at is None]
    for round_ in new:
        round_.published_at = now
    update_rows(new, ["published_at"])
    for round_ in new:
        round_published.send(sender=Tournament, tournament=tournament, round=round_, now=now)


def store_draw(tournament: Tournament, entries: Sequence[Entry], now: datetime) -> None:
    """Store the seeds, the first of ``entries`` the best (K1), and the first plan. It needs no announcement: its
    players are told of the draw."""
    for seed, entry in enumerate(entries, start=1):
        entry.seed = seed
    update_rows(entries, ["seed"])
    store_plan(tournament, entries, now)
    Fixture.objects.of(tournament).ready().update(announced=True)


def give_up_fixtures(
    tournament: Tournament,
    make: Callable[[], Plan],
    fixtures: Mapping[Slot, Fixture],
    leavers: Mapping[int, int],
    now: datetime,
    seconds: Mapping[Slot, Fixture] = MappingProxyType({}),
) -> Plan:
    """Store the forfeits of what entries that left would play next (R5, K5). Return the plan after them, which ``make``
    makes from the fixtures and their ``seconds`` tables."""
    plan = make()
    forfeited: list[Fixture] = []

    def list_left(pairing: Pairing) -> list[Fixture]:
        """Return the tables to which one of the two won't come."""
        tables = (fixtures.get(pairing.slot), seconds.get(pairing.slot))
        return [table for table in tables if _is_left(pairing, table, leavers) and table is not None]

    while left := [(p, table) for p in plan.pairings for table in list_left(p)]:
        for pairing, table in left:
            own = turn_pairing(tournament, pairing) if table.part == 2 else pairing
            _forfeit(tournament, table, own, plan, leavers, now)
            forfeited.append(table)
        plan = make()
    update_rows(forfeited, RESULT)
    return plan


def _is_left(pairing: Pairing, fixture: Fixture | None, leavers: Mapping[int, int]) -> bool:
    """Tell if one of the two won't come to the table that would open now. A table that is open ends by itself."""
    waits = fixture is not None and fixture.result_at is None and fixture.state != State.PLAYING
    return waits and pairing.ready and (pairing.first in leavers or pairing.second in leavers)


def _forfeit(
    tournament: Tournament,
    fixture: Fixture,
    pairing: Pairing,
    plan: Plan,
    leavers: Mapping[int, int],
    now: datetime,
) -> None:
    """Write the result of a fixture nobody sat down to, because one entry or both had left (V5, R4, K5)."""
    context = plan.contexts[pairing.slot.round - 1] if plan.contexts else FORMATS[tournament.format].context
    absent = [side for side, seed in enumerate((pairing.first, pairing.second)) if seed in leavers]
    name = plan.names[pairing.slot.round - 1] if plan.names else fixture.round.name
    terms = find_terms(tournament, context, name)
    result = FixtureResult.from_forfeit(terms, absent, WITHDRAWN)
    result.write_to(fixture)
    fixture.result_at = now


def _store_rounds(tournament: Tournament, plan: Plan, rounds: dict[int, Round]) -> Mapping[int, Round]:
    """Store missing rounds, each with its hour where rounds have hours of their own (R6). Return all, by number."""
    missing = [
        Round(
            tournament=tournament,
            number=number,
            name=name,
            opens_at=compute_round_opens_at(tournament, number),
            withheld=has_equal_deals(tournament, plan, number),
        )
        for number, name in enumerate(plan.names, start=1)
        if number not in rounds
    ]
    rounds.update((round_.number, round_) for round_ in Round.objects.bulk_create(missing))
    return rounds


def has_equal_deals(tournament: Tournament, plan: Plan, number: int) -> bool:
    """Tell if all fixtures of a round play the same decks (J9): never in the KO after groups."""
    return tournament.equal_deals and (not plan.contexts or plan.contexts[number - 1] == "round_robin")


def compute_round_opens_at(tournament: Tournament, number: int) -> datetime | None:
    """Return the hour of a round (R6).

    First the start, then the hours the organiser gave; then so many minutes after the one before, or as much as between
    the last two given hours.
    """
    start = tournament.starts_at or tournament.drawn_at
    if not tournament.has_hours or start is None:
        return None
    hours = [start, *tournament.hours_set]
    if number <= len(hours):
        return hours[number - 1]
    minutes = tournament.round_minutes
    step = hours[-1] - hours[-2] if minutes is None else timedelta(minutes=minutes)
    return hours[-1] + (number - len(hours)) * step


def store_fixtures(
    tournament: Tournament,
    plan: Plan,
    rounds: Mapping[int, Round],
    fixtures: dict[Slot, Fixture],
    entries: Mapping[int, Entry],
    now: datetime,
    *,
    part: int | None = None,
) -> None:
    """Store where the fixtures of a plan differ from it; ``entries`` by seed. ``part``: of new ones (O12)."""
    part = tournament.entry_kind.first_part if part is None else part
    new, different, repaired = [], [], []
    alike: dict[tuple[object, ...], Fixture] = {}
    for pairing in plan.pairings:
        slot = pairing.slot
        fixture = fixtures.get(slot)
        round_ = rounds[slot.round]
        if fixture is None:
            kind = (slot.round, pairing.kind, pairing.ready, pairing.group, pairing.worth)
            like = alike.get(kind) or alike.setdefault(kind, _make_fixture(tournament, pairing, round_, entries, now))
            first, second = _sides(pairing, entries)
            fixtures[slot] = copy_unsaved(like, board=slot.board, first_id=first, second_id=second, part=part)
            new.append(fixtures[slot])
        elif _differs(fixture, pairing, entries):
            if (
                tournament.venue.numbers_tables
                and fixture.second_id
                and _sides(pairing, entries) != _read_sides(fixture)
            ):
                repaired.append(fixture.pk)
            for name, value in _place_fixture(tournament, fixture, pairing, round_, entries, now).items():
                setattr(fixture, name, value)
            different.append(fixture)
    insert_rows(new)
    update_rows(different, PLACE)
    if repaired:  # codes and results on paper are of those who were paired before
        ScoreSlip.objects.filter(fixture__in=repaired).delete()
        if tournament.entry_kind.has_line_ups:
            take_line_ups_back(repaired)


def _make_fixture(
    tournament: Tournament, pairing: Pairing, round_: Round, entries: Mapping[int, Entry], now: datetime
) -> Fixture:
    """Return a new fixture like all of its round that are of one kind: only board and sides are each one's own."""
    blank = Fixture()
    return copy_unsaved(blank, round_id=round_.pk, **_place_fixture(tournament, blank, pairing, round_, entries, now))


def _place_fixture(
    tournament: Tournament,
    fixture: Fixture,
    pairing: Pairing,
    round_: Round,
    entries: Mapping[int, Entry],
    now: datetime,
) -> dict[str, object]:
    """Return the values of ``PLACE`` that a plan gives a fixture."""
    first, second = _sides(pairing, entries)
    state = _state(fixture, pairing)
    values: dict[str, object] = {"first_id": first, "second_id": second, "group": pairing.group, "state": state}
    values["opens_at"] = None
    if (first, second) != _read_sides(fixture):  # whoever was told, wanted to play ahead or got time isn't these two
        values |= {"announced": False, "ahead_by": None, "extra_minutes": 0, "moved": False}
    if pairing.worth is not None:
        values["mp_0"], values["vp_0"] = pairing.worth
    if state == State.READY and tournament.venue.opens_tables and not values.get("moved", fixture.moved):
        # O1: no table opens by itself at real ones
        soonest = now + timedelta(seconds=tournament.pause)
        values["opens_at"] = fixture.opens_at or (soonest if round_.opens_at is None else max(soonest, round_.opens_at))
    return values


def _read_sides(fixture: Fixture) -> tuple[int | None, int | None]:
    return fixture.first_id, fixture.second_id


def _sides(pairing: Pairing, entries: Mapping[int, Entry]) -> tuple[int | None, int | None]:
    first = None if pairing.first is None else entries[pairing.first].pk
    second = None if pairing.second is None else entries[pairing.second].pk
    return first, second


def _differs(fixture: Fixture, pairing: Pairing, entries: Mapping[int, Entry]) -> bool:
    stored = (fixture.first_id, fixture.second_id, fixture.group, fixture.state)
    return stored != make_placement_values(fixture, pairing, entries)


def make_placement_values(fixture: Fixture, pairing: Pairing, entries: Mapping[int, Entry]) -> tuple[object, ...]:
    """Return the planned values of a fixture: the first four of ``PLACE``."""
    return (*_sides(pairing, entries), pairing.group, _state(fixture, pairing))


def _state(fixture: Fixture, pairing: Pairing) -> str:
    if pairing.kind in ALONE:
        return ALONE[pairing.kind]
    if fixture.annulled:
        return State.ANNULLED
    if fixture.result_at is not None:
        return State.DONE
    if fixture.state == State.PLAYING:
        return State.PLAYING
    return State.READY if pairing.ready else State.WAITING


def _finish_rounds(rounds: Mapping[int, Round], fixtures: Iterable[tuple[Slot, Fixture]]) -> None:
    open_rounds = {slot.round for slot, fixture in fixtures if fixture.state in Fixture.OPEN}
    different = [round_ for round_ in rounds.values() if round_.finished == (round_.number in open_rounds)]
    for round_ in different:
        round_.finished = not round_.finished
    Round.objects.bulk_update(different, ["finished"])


def _store_standings(
    tournament: Tournament,
    plan: Plan,
    fixtures: Mapping[Slot, Fixture],
    entries: Mapping[int, Entry],
    seconds: Mapping[Slot, Fixture],
    play_offs: Sequence[PlayOffPlan],
) -> None:
    different = []
    for entry, values in build_standings(tournament, plan, fixtures, entries, seconds, play_offs):
        if values != tuple(getattr(entry, name) for name in STANDING):
            for name, value in zip(STANDING, values, strict=True):
                setattr(entry, name, value)
            different.append(entry)
    update_rows(different, STANDING)


def build_standings(
    tournament: Tournament,
    plan: Plan,
    fixtures: Mapping[Slot, Fixture],
    entries: Mapping[int, Entry],
    seconds: Mapping[Slot, Fixture] = MappingProxyType({}),
    play_offs: Sequence[PlayOffPlan] = (),
) -> list[tuple[Entry, tuple[object, ...]]]:
    """Return each entry with its planned values of ``STANDING``, after these play-offs (EV11)."""
    forfeits, groups = count_forfeits(tournament, fixtures, seconds), read_groups(plan)
    standings: list[tuple[Entry, tuple[object, ...]]] = []
    seeds = {entry.pk: seed for seed, entry in entries.items()}
    for row in settle_standings(plan.standings, play_offs, seeds):
        entry = entries[row.seed]
        standings.append((entry, make_standing_values(row, forfeits.get(entry.pk, 0), groups.get(row.seed))))
    return standings


def read_groups(plan: Plan) -> dict[int, int]:
    """Return the group by seed, where there are groups (Q1)."""
    return {row.seed: number for number, rows in enumerate(plan.groups, start=1) for row in rows}


def make_standing_values(row: StandingsRow, forfeits: int, group: int | None) -> tuple[object, ...]:
    """Return the values of ``STANDING``."""
    why = None if row.separation is None else row.separation.to_json()
    percentage = "" if row.share is None else str(row.share)
    return (row.rank, row.played, row.won, row.drawn, row.mp, row.vp, why, forfeits, group, percentage)
