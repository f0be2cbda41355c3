"""Tables of a circuit for other programs (Y3), as a visitor may see them. It never writes."""

from games.engine.record import Json
from players.clean_text import clean_line
from tournaments.circuits import wording
from tournaments.circuits.explained import CircuitPage, ShownTotal
from tournaments.models import Circuit, Tournament
from tournaments.sharing.exports import Coded, Sheet

State = Tournament.State
KEYS = {"classifica": "totals", "risultati": "results"}


def export_totals(page: CircuitPage) -> Sheet:
    """Return a row a person or pair: rank, total, how many results count and how many there are, and the reason."""
    columns = ("rank", "name", "total", "counted", "tournaments", "why")
    return Sheet(
        columns,
        tuple(
            (
                shown.row.rank,
                clean_line(shown.name),
                shown.row.total,
                len(shown.counting_results),
                len(shown.results),
                code_reason(shown, page),
            )
            for shown in page.rows
        ),
    )


def code_reason(shown: ShownTotal, page: CircuitPage) -> Coded | None:
    """Return what put a row before the next one, as programs and people read it."""
    why = shown.separation
    if why is None:
        return None
    code: dict[str, str | int | None] = {"code": why.code, "nth": why.nth, "own": why.own, "next": why.next}
    if why.code == "earlier":  # of tournaments programs know the public ids
        stages = page.by_number
        for name, pk in (("own", why.own), ("next", why.next)):
            code[name] = stages[pk].tournament.public_id if pk in stages else None
    return Coded(code, clean_line(wording.describe_lead(shown, page)))


def export_results(page: CircuitPage) -> Sheet:
    """Return a row a result: whose, in which tournament, place and points, and if it counts."""
    columns = ("rank", "name", "tournament", "tournament_name", "place", "field", "points", "counts")
    return Sheet(
        columns,
        tuple(
            (
                shown.row.rank,
                clean_line(shown.name),
                result.stage.tournament.public_id,
                clean_line(result.stage.tournament.name),
                result.place,
                result.field,
                result.points,
                result.counts,
            )
            for shown in page.rows
            for result in shown.results
        ),
    )


SHEETS = {"classifica": export_totals, "risultati": export_results}


def export_circuit_header(circuit: Circuit) -> Json:
    """Return the circuit itself, as a program reads it beside a table."""
    return {
        "public_id": circuit.public_id,
        "name": clean_line(circuit.name),
        "club": None if circuit.club is None else circuit.club.public_id,
        "table": circuit.table,
        "places": circuit.places,
        "taking_part": circuit.taking_part,
        "best_of": circuit.best_of,
        "by_pairs": circuit.by_pairs,
        "ended_at": circuit.ended_at,
        "final": None if circuit.final is None or circuit.final.state == State.DRAFT else circuit.final.public_id,
    }
