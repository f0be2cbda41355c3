"""The picture a format gives before any result, stored at the draw: seeds, rounds, fixtures, standings.

It is the one ``picture.store_picture`` would store, but with no object for each of thousands of rows. Only the draw may
use it, where nothing was stored before and nobody has left.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Round, Stage, Tournament
from tournaments.pairing import Kind, Pairing, Plan
from tournaments.services.picture import ALONE, STANDING, draw_of, groups_in, opens_at, standing_of

State = Fixture.State
MOST_PARAMETERS = 30_000  # of one statement, where the database knows no lower bound


def store_drawn(tournament: Tournament, stage: Stage, entries: Sequence[int], now: datetime) -> None:
    """Store the whole plan of a new stage. ``entries``: the keys of the lines, the best seed first (K1)."""
    plan = FORMATS[stage.format].plan(draw_of(tournament, len(entries)), {})
    _store_lines(plan, entries)
    _store_fixtures(tournament, plan, _store_rounds(tournament, stage, plan), entries, now)


def _store_lines(plan: Plan, entries: Sequence[int]) -> None:
    """Seeds and standings. Where nobody has a rank before the first result (KO), the standing of a new entry holds."""
    groups = groups_in(plan)
    values = {row.line: standing_of(row, 0, groups.get(row.line)) for row in plan.standings}
    fields = _fields(Entry)
    standing = [fields[name] for name in STANDING]
    new = tuple(field.get_default() for field in standing)
    ranked = any(own != new for own in values.values())
    columns = [fields["seed"], *(standing if ranked else ())]
    quote = connection.ops.quote_name
    assigned = ", ".join(f"{quote(str(field.column))} = %s" for field in columns)
    statement = f"UPDATE {quote(Entry._meta.db_table)} SET {assigned} WHERE {quote('id')} = %s"  # noqa: S608 (the model's)
    rows = []
    for seed, entry_id in enumerate(entries, start=1):
        own = values[seed] if ranked else ()
        rows.append((seed, *(_prepared(field, value) for field, value in zip(columns[1:], own, strict=True)), entry_id))
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows)


def _store_rounds(tournament: Tournament, stage: Stage, plan: Plan) -> list[Round]:
    played = {pairing.slot.round for pairing in plan.pairings if pairing.kind == Kind.MATCH}
    return Round.objects.bulk_create(
        Round(stage=stage, number=n, name=name, finished=n not in played, opens_at=opens_at(tournament, n))
        for n, name in enumerate(plan.names, start=1)
    )


def _store_fixtures(
    tournament: Tournament, plan: Plan, rounds: Sequence[Round], entries: Sequence[int], now: datetime
) -> None:
    """Every fixture in its place; who plays is told of the draw, so what is ready needs no announcement any more."""
    pairings = plan.pairings
    soonest = now + timedelta(seconds=tournament.pause)
    hours = [max(soonest, round_.opens_at or now) for round_ in rounds]
    keys = [None, *entries]
    worths = [pairing.worth or (None, None) for pairing in pairings]
    columns: dict[str, Sequence[object]] = {
        "round": [rounds[pairing.slot.round - 1].pk for pairing in pairings],
        "board": [pairing.slot.board for pairing in pairings],
        "first": [keys[pairing.first or 0] for pairing in pairings],
        "second": [keys[pairing.second or 0] for pairing in pairings],
        "group": [pairing.group for pairing in pairings],
        "state": [_state(pairing) for pairing in pairings],
        "opens_at": [hours[p.slot.round - 1] if p.ready else None for p in pairings],
        "mp_0": [mp for mp, _vp in worths],
        "vp_0": [vp for _mp, vp in worths],
        "announced": [pairing.ready for pairing in pairings],
    }
    others = (field for name, field in _fields(Fixture).items() if name not in columns and not field.primary_key)
    columns |= {field.name: [field.get_default()] * len(pairings) for field in others}
    _insert(Fixture, columns)


def _state(pairing: Pairing) -> str:
    return ALONE.get(pairing.kind, State.READY if pairing.ready else State.WAITING)


# --- Thousands of rows -----------------------------------------------------------------------------------------------


def _insert(model: type[Model], columns: Mapping[str, Sequence[object]]) -> None:
    """New rows, as many in a statement as it may have parameters: for each column, by its field's name, the values of
    all rows. What is the same in all of them is written in the statement, where SQL has a word for it."""
    bound: dict[str, list[Any]] = {}
    said: dict[str, str] = {}
    fields = _fields(model)
    for name, values in columns.items():
        field = fields[name]
        column = connection.ops.quote_name(str(field.column))
        prepared = {value: _prepared(field, value) for value in set(values)}
        word = _word(values[0]) if len(prepared) == 1 else ""
        if word:
            said[column] = word
        else:
            bound[column] = [prepared[value] for value in values]
    rows = list(zip(*bound.values(), strict=True))
    table, names = connection.ops.quote_name(model._meta.db_table), ", ".join([*bound, *said])
    one = f"({', '.join([*['%s'] * len(bound), *said.values()])})"
    at_once = max(1, (connection.features.max_query_params or MOST_PARAMETERS) // len(bound))
    with connection.cursor() as cursor:
        for start in range(0, len(rows), at_once):
            part = rows[start : start + at_once]
            statement = f"INSERT INTO {table} ({names}) VALUES {', '.join([one] * len(part))}"  # noqa: S608 (the model's)
            cursor.execute(statement, [*chain.from_iterable(part)])


def _fields(model: type[Model]) -> "dict[str, Field[Any, Any]]":
    return {field.name: field for field in model._meta.concrete_fields}


def _word(value: object) -> str:
    """What every database's SQL calls this value; empty where it is a parameter like any other."""
    return "NULL" if value is None else "FALSE" if value is False else "''" if value == "" else ""


def _prepared(field: "Field[Any, Any]", value: object) -> Any:
    return field.get_db_prep_save(value, connection)
