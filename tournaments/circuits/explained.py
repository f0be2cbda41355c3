"""Circuits as everybody is shown them (Y3): each total with the results that count and those that don't, and what puts
it before the next one. It never writes and never ranks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from players.models import Person, Player
from players.names import make_name_key
from scoring.circuit_totals import TotalReason
from tournaments.circuits.queries import may_run_circuit
from tournaments.circuits.totals import CountedResult, list_stages, order_stages
from tournaments.core.circuit_marks import find_misfit
from tournaments.models import Circuit, CircuitTotal, CircuitTournament, Tournament

State = Tournament.State
PAGE_ROWS = 100


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A tournament of the circuit. ``standing``: counts, coming, running, lent, cancelled or misfit."""

    tournament: Tournament
    standing: str
    number: int  # among those that count, from 1; 0: it doesn't


@dataclass(frozen=True, slots=True)
class ShownResult:
    """A result of a row, by the tournament it is of."""

    stage: ShownStage
    points: int
    place: int
    field: int
    counts: bool


@dataclass(frozen=True, slots=True)
class ShownTotal:
    """A row of the circuit, with its reason before ``following``, the next one, by name."""

    row: CircuitTotal
    people: tuple[Person, ...]
    results: tuple[ShownResult, ...]
    separation: TotalReason | None
    following: str
    mine: bool

    @property
    def name(self) -> str:
        """The names as everybody is shown them."""
        return " – ".join(person.public_name for person in self.people)

    @property
    def counting_results(self) -> tuple[ShownResult, ...]:
        """The results that make the total."""
        return tuple(result for result in self.results if result.counts)


@dataclass(frozen=True, slots=True)
class CircuitPage:
    """A circuit with page ``number`` of ``pages`` of its rows; ``own``: the page with the reader's."""

    circuit: Circuit
    stages: tuple[ShownStage, ...]
    rows: tuple[ShownTotal, ...]
    number: int
    pages: int
    total: int
    own: int | None
    runs: bool
    named_typed: bool  # somebody without an account stands on it: search engines keep away (I1)

    @property
    def finished_count(self) -> int:
        """The number of its tournaments that count."""
        return sum(stage.standing == "counts" for stage in self.stages)

    @property
    def by_number(self) -> Mapping[int, ShownStage]:
        """The tournaments by their ids."""
        return {stage.tournament.pk: stage for stage in self.stages}


def read_stages(
    circuit: Circuit, *, runs: bool, stages: Iterable[CircuitTournament] | None = None
) -> tuple[ShownStage, ...]:
    """Return the circuit's tournaments in their order; drafts are for whoever runs it. ``stages``: as they are
    known."""
    shown: list[ShownStage] = []
    for stage in list_stages(circuit) if stages is None else order_stages(stages):
        tournament = stage.tournament
        if tournament.state == State.DRAFT and not runs:
            continue
        standing = _name_standing(circuit, tournament)
        number = sum(one.standing == "counts" for one in shown) + 1 if standing == "counts" else 0
        shown.append(ShownStage(tournament, standing, number))
    return tuple(shown)


def _name_standing(circuit: Circuit, tournament: Tournament) -> str:
    if tournament.state == State.CANCELLED:
        return "cancelled"
    if find_misfit(circuit, tournament) is not None:
        return "misfit"
    if tournament.state == State.FINISHED:
        return "counts"
    if tournament.lent_to:
        return "lent"
    return "running" if tournament.state == State.RUNNING else "coming"


def read_circuit_page(
    circuit: Circuit, player: Player | None, *, number: int = 1, name: str = "", whole: bool = False
) -> CircuitPage:
    """Read the page of that number, or the nearest; ``name``: only rows with it in theirs; ``whole``: all rows."""
    runs = may_run_circuit(circuit, player)
    stages = read_stages(circuit, runs=runs)
    totals = list(
        circuit.totals.select_related("person__player", "partner__player").order_by(
            "rank", "person__player__name_key", "pk"
        )
    )
    following = {row.pk: behind for row, behind in pairwise(totals)}
    wanted = [row for row in totals if _is_called(row, name)]
    pages = 1 if whole else max(1, -(-len(wanted) // PAGE_ROWS))
    number = min(max(1, number), pages)
    part = wanted if whole else wanted[(number - 1) * PAGE_ROWS : number * PAGE_ROWS]
    by_tournament = {stage.tournament.pk: stage for stage in stages}
    own = None if player is None or name else _find_own(wanted, player)
    return CircuitPage(
        circuit=circuit,
        stages=stages,
        rows=tuple(_show_total(row, following.get(row.pk), by_tournament, player) for row in part),
        number=number,
        pages=pages,
        total=len(totals),
        own=own,
        runs=runs,
        named_typed=any(one.player_id is None for row in totals for one in _list_people(row)),
    )


def _list_people(row: CircuitTotal) -> tuple[Person, ...]:
    return (row.person,) if row.partner is None else (row.person, row.partner)


def _is_called(row: CircuitTotal, name: str) -> bool:
    """Tell if the name that everybody is shown contains this one (I1)."""
    key = make_name_key(name)
    return not name or bool(key and any(key in make_name_key(person.public_name) for person in _list_people(row)))


def _find_own(totals: Sequence[CircuitTotal], player: Player) -> int | None:
    places = (at for at, row in enumerate(totals) if any(one.player_id == player.pk for one in _list_people(row)))
    at = next(places, None)
    return None if at is None else at // PAGE_ROWS + 1


def _show_total(
    row: CircuitTotal, following: CircuitTotal | None, stages: Mapping[int, ShownStage], player: Player | None
) -> ShownTotal:
    people = _list_people(row)
    results = tuple(CountedResult(*result) for result in row.results)
    return ShownTotal(
        row=row,
        people=people,
        results=tuple(
            ShownResult(stages[result.tournament], result.points, result.place, result.field, result.counts)
            for result in results
            if result.tournament in stages
        ),
        separation=None if row.separation is None else TotalReason(**row.separation),
        following="" if following is None else " – ".join(one.public_name for one in _list_people(following)),
        mine=player is not None and any(person.player_id == player.pk for person in people),
    )
