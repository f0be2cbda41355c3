"""The picture a format gives before any result, stored at the draw: seeds, rounds, fixtures, standings.

It is the one ``picture.store_picture`` would store, but with no object for each of thousands of rows. Only the draw may
use it, where nothing was stored before and nobody has left.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Round, Tournament
from tournaments.pairing import Kind, Plan
from tournaments.running.plan_store import ALONE, STANDING, read_draw, read_groups, round_opens_at, standing_values

State = Fixture.State
PARAMETER = "%s"
MOST_PARAMETERS = 30_000  # of one statement, where the database knows no lower bound


def store_drawn(tournament: Tournament, entries: Sequence[int], now: datetime) -> None:
    """Store the whole plan of a tournament just drawn. ``entries``: the keys of the lines, the best seed first (K1)."""
    plan = FORMATS[tournament.format].plan(read_draw(tournament, len(entries)), {})
    _store_lines(plan, entries)
    _store_fixtures(tournament, plan, _store_rounds(tournament, plan), entries, now)


def _store_lines(plan: Plan, entries: Sequence[int]) -> None:
    """Seeds and standings. Where nobody has a rank before the first result (KO), the standing of a new entry holds."""
    groups = read_groups(plan)
    values = {row.line: standing_values(row, 0, groups.get(row.line)) for row in plan.standings}
    fields = {field.name: field for field in Entry._meta.concrete_fields}
    standing = [fields[name] for name in STANDING]
    new = tuple(field.get_default() for field in standing)
    ranked = any(own != new for own in values.values())
    columns = [fields["seed"], *(standing if ranked else ())]
    quote = connection.ops.quote_name
    assigned = ", ".join(f"{quote(str(field.column))} = %s" for field in columns)
    statement = f"UPDATE {quote(Entry._meta.db_table)} SET {assigned} WHERE {quote('id')} = %s"  # noqa: S608 (the model's)
    why = fields["separation"]
    at = STANDING.index("separation")
    rows: list[tuple[Any, ...]] = []
    for seed, entry_id in enumerate(entries, start=1):
        own = list(values[seed]) if ranked else []
        if ranked:
            own[at] = _prepared(why, own[at])  # the others are numbers
        rows.append((seed, *own, entry_id))
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows)


def _store_rounds(tournament: Tournament, plan: Plan) -> list[Round]:
    played = {pairing.slot.round for pairing in plan.pairings if pairing.kind == Kind.MATCH}
    return Round.objects.bulk_create(
        Round(
            tournament=tournament, number=n, name=name, finished=n not in played, opens_at=round_opens_at(tournament, n)
        )
        for n, name in enumerate(plan.names, start=1)
    )


def _store_fixtures(
    tournament: Tournament, plan: Plan, rounds: Sequence[Round], entries: Sequence[int], now: datetime
) -> None:
    """Every fixture in its place; who plays is told of the draw, so what is ready needs no announcement any more."""
    soonest = now + timedelta(seconds=tournament.pause)
    hours = [max(soonest, round_.opens_at or now) for round_ in rounds]
    ids = [round_.pk for round_ in rounds]
    keys = [None, *entries]
    alike: dict[tuple[Any, ...], list[tuple[int | None, ...]]] = {}
    for (number, board), first, second, kind, ready, group, worth in plan.pairings:
        state = ALONE.get(kind, State.READY if ready else State.WAITING)
        same = alike.setdefault((state, hours[number - 1] if ready else None, group, worth), [])
        same.append((ids[number - 1], board, keys[first or 0], keys[second or 0]))
    for (state, hour, group, worth), rows in alike.items():
        mp, vp = worth or (None, None)
        fixture = Fixture(state=state, opens_at=hour, group=group, mp_0=mp, vp_0=vp, announced=state == State.READY)
        _insert_like(fixture, ("round", "board", "first", "second"), rows)


# --- Thousands of rows -----------------------------------------------------------------------------------------------


def _insert_like(row: Model, names: Sequence[str], values: Sequence[tuple[int | None, ...]]) -> None:
    """So many new rows like ``row``, but for the numbers in the fields of these names. Only those are parameters: to
    bind what is the same in thousands of rows takes longer than to store it."""
    fields = {field.name: field for field in row._meta.concrete_fields}
    same = {
        field: _prepared(field, getattr(row, field.attname))
        for name, field in fields.items()
        if name not in names and getattr(row, field.attname) is not None
    }
    words = [_word(value) for value in same.values()]
    bound = tuple(value for value, word in zip(same.values(), words, strict=True) if word == PARAMETER)
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in (*(fields[name] for name in names), *same))
    one = f"({', '.join([*[PARAMETER] * len(names), *words])})"
    head = f"INSERT INTO {quote(row._meta.db_table)} ({columns}) VALUES "  # noqa: S608 (names from the model)
    at_once = (connection.features.max_query_params or MOST_PARAMETERS) // (len(names) + len(bound))
    with connection.cursor() as cursor:
        for start in range(0, len(values), at_once):
            part = values[start : start + at_once]
            cursor.execute(head + ", ".join([one] * len(part)), [each for own in part for each in (*own, *bound)])


def _word(value: object) -> str:
    """What every database's SQL calls a value; a parameter where that isn't plain."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    plain = isinstance(value, str) and (value == "" or (value.isascii() and value.isalpha()))
    return f"'{value}'" if plain else PARAMETER


def _prepared(field: "Field[Any, Any]", value: object) -> Any:
    return field.get_db_prep_save(value, connection)
