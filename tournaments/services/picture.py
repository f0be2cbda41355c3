"""Storing the picture a format gives: rounds, fixtures and standings become what the plan says, and only what differs
is written. The number of queries depends on neither the size of the field nor the number of results.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection

from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Round, Stage, Tournament
from tournaments.pairing import Draw, Kind, Pairing, Plan, Result, Slot

State = Fixture.State
DECIDED = (State.DONE, State.BYE, State.REST, State.VOID)
ALONE = {Kind.BYE: State.BYE, Kind.REST: State.REST, Kind.VOID: State.VOID}
STANDING = ("rank", "played", "won", "drawn", "mp", "vp", "separation", "forfeits")


def store_picture(
    tournament: Tournament, stage: Stage, entries: Sequence[Entry], now: datetime, *, drawn: bool = False
) -> bool:
    """Store the plan after all results so far; whether the stage is finished. ``entries`` stand in seed order.

    ``drawn``: nothing was stored before.
    """
    rounds = {round_.number: round_ for round_ in Round.objects.filter(stage=stage)}
    numbers = {round_.pk: round_.number for round_ in rounds.values()}
    fixtures = (
        {}
        if drawn
        else {
            Slot(numbers[fixture.round_id], fixture.board): fixture
            for fixture in Fixture.objects.filter(round__stage=stage)
        }
    )
    plan = plan_of(tournament, stage.format, len(entries), fixtures)
    _store_fixtures(tournament, stage, plan, rounds, fixtures, entries, now)
    _store_rounds(rounds, fixtures)
    _store_standings(plan, fixtures, entries)
    return plan.finished


def plan_of(tournament: Tournament, format_id: str, size: int, fixtures: dict[Slot, Fixture]) -> Plan:
    """What the format says after the results these fixtures have."""
    results = {
        slot: Result(
            fixture.winner,
            fixture.double_forfeit,
            (fixture.mp_0 or 0, fixture.mp_1 or 0),
            (fixture.vp_0 or 0, fixture.vp_1 or 0),
        )
        for slot, fixture in fixtures.items()
        if fixture.result_at is not None
    }
    return FORMATS[format_id].plan(draw_of(tournament, size), results)


def draw_of(tournament: Tournament, size: int) -> Draw:
    """What was frozen at the draw (E6)."""
    return Draw(size, tournament.format_options, tournament.tie_break, tournament.lot)


def _store_fixtures(
    tournament: Tournament,
    stage: Stage,
    plan: Plan,
    rounds: dict[int, Round],
    fixtures: dict[Slot, Fixture],
    entries: Sequence[Entry],
    now: datetime,
) -> None:
    missing = [Round(stage=stage, number=n, name=name) for n, name in enumerate(plan.names, 1) if n not in rounds]
    rounds.update((round_.number, round_) for round_ in Round.objects.bulk_create(missing))
    new, different = [], []
    for pairing in plan.pairings:
        fixture = fixtures.get(pairing.slot)
        if fixture is None:
            fixture = Fixture(round=rounds[pairing.slot.round], board=pairing.slot.board)
            fixtures[pairing.slot] = fixture
            new.append(fixture)
        elif not _differs(fixture, pairing, entries):
            continue
        else:
            different.append(fixture)
        fixture.first_id = None if pairing.first is None else entries[pairing.first - 1].pk
        fixture.second_id = None if pairing.second is None else entries[pairing.second - 1].pk
        state = _state(fixture, pairing)
        if state == State.READY:
            fixture.opens_at = now + timedelta(seconds=tournament.pause)
        fixture.state = state
    Fixture.objects.bulk_create(new)
    Fixture.objects.bulk_update(different, ["first", "second", "state", "opens_at"])


def _differs(fixture: Fixture, pairing: Pairing, entries: Sequence[Entry]) -> bool:
    first = None if pairing.first is None else entries[pairing.first - 1].pk
    second = None if pairing.second is None else entries[pairing.second - 1].pk
    return (fixture.first_id, fixture.second_id, fixture.state) != (first, second, _state(fixture, pairing))


def _state(fixture: Fixture, pairing: Pairing) -> str:
    if pairing.kind in ALONE:
        return ALONE[pairing.kind]
    if fixture.state in (State.PLAYING, State.DONE):
        return fixture.state
    return State.READY if pairing.ready else State.WAITING


def _store_rounds(rounds: dict[int, Round], fixtures: dict[Slot, Fixture]) -> None:
    open_rounds = {slot.round for slot, fixture in fixtures.items() if fixture.state not in DECIDED}
    over = [round_ for round_ in rounds.values() if not round_.finished and round_.number not in open_rounds]
    for round_ in over:
        round_.finished = True
    Round.objects.bulk_update(over, ["finished"])


def _store_standings(plan: Plan, fixtures: dict[Slot, Fixture], entries: Sequence[Entry]) -> None:
    forfeits = _forfeits(fixtures)
    different = []
    for row in plan.standings:
        entry = entries[row.line - 1]
        separation = None if row.separation is None else row.separation._asdict()
        values = (row.rank, row.played, row.won, row.drawn, row.mp, row.vp, separation, forfeits.get(entry.pk, 0))
        if values != tuple(getattr(entry, name) for name in STANDING):
            for name, value in zip(STANDING, values, strict=True):
                setattr(entry, name, value)
            different.append(entry)
    # An upsert on the key is one plain statement a batch, where an update of many rows is a long chain of cases.
    Entry.objects.bulk_create(different, update_conflicts=True, unique_fields=["id"], update_fields=STANDING)


def store_seeds(entries: Sequence[Entry]) -> None:
    """Give the entries the seeds of their order: thousands at once, so by one prepared statement."""
    meta, quote = Entry._meta, connection.ops.quote_name
    seed, key = quote("seed"), quote("id")
    statement = f"UPDATE {quote(meta.db_table)} SET {seed} = %s WHERE {key} = %s"  # noqa: S608 (names from the model)
    with connection.cursor() as cursor:
        cursor.executemany(statement, [(number, entry.pk) for number, entry in enumerate(entries, start=1)])
    for number, entry in enumerate(entries, start=1):
        entry.seed = number


def _forfeits(fixtures: dict[Slot, Fixture]) -> dict[int, int]:
    """How many fixtures each entry forfeited."""
    counts: dict[int, int] = {}
    for fixture in fixtures.values():
        sides = (fixture.first_id, fixture.second_id)
        offenders = (
            sides if fixture.double_forfeit else () if fixture.forfeit_by is None else (sides[fixture.forfeit_by],)
        )
        for entry_id in offenders:
            if entry_id is not None:
                counts[entry_id] = counts.get(entry_id, 0) + 1
    return counts
