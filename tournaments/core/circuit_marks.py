"""Circuits that wait to be counted again (Y4): marked in the transaction that changes what they stand on.

The sweep counts them right afterwards. It never counts itself.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from tournaments.formats import FORMATS
from tournaments.models import Circuit, CircuitTournament, Tournament

PAIR = 2


def mark_circuits(tournament: Tournament, now: datetime) -> None:
    """Have a tournament's results read again by its circuits. Call it in a transaction that has it locked."""
    _mark(CircuitTournament.objects.filter(tournament=tournament), now)


def mark_circuits_with(person_ids: Iterable[int], now: datetime) -> None:
    """Have the circuits counted again in whose tournaments one of these persons played."""
    person_ids = list(person_ids)
    played = Q(members__person__in=person_ids) | Q(rounds__fixtures__line_ups__person__in=person_ids)
    _mark(CircuitTournament.objects.filter(tournament__in=Tournament.objects.filter(played).values("pk")), now)


def _mark(stages: QuerySet[CircuitTournament], now: datetime) -> None:
    circuits = set(stages.values_list("circuit_id", flat=True))
    if circuits:
        # The circuits first, in one order: whoever counts one has its row locked.
        list(Circuit.objects.select_for_update().filter(pk__in=circuits).order_by("pk").values_list("pk", flat=True))
        stages.update(stale=True)
        Circuit.objects.filter(pk__in=circuits).update(due_at=now)


def join_circuits(tournament: Tournament, now: datetime) -> None:
    """Put a tournament that its series has opened into the circuits of that series (Y3), where it fits."""
    if tournament.series_id is None:
        return
    following = Circuit.objects.filter(series=tournament.series_id, ended_at=None).order_by("pk")
    CircuitTournament.objects.bulk_create(
        CircuitTournament(circuit=circuit, tournament=tournament, added_at=now)
        for circuit in following
        if find_misfit(circuit, tournament) is None
    )


def find_misfit(circuit: Circuit, tournament: Tournament) -> str | None:
    """Return the code of why a tournament can't count in a circuit (Y3); None if it can."""
    if circuit.table in (Circuit.Table.VP, Circuit.Table.MP) and not FORMATS[tournament.format].has_vp:
        return "no_vp"
    if circuit.by_pairs and not tournament.playing_kind.is_fixed_pair:
        return "no_pairs"
    return None
