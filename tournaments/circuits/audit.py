"""Circuits held against their finished tournaments (Y4), and computed again, one after the other."""

from collections.abc import Iterator
from datetime import datetime

from tournaments.circuits.totals import TotalDifference, find_circuit_differences, recompute_circuit
from tournaments.models import Circuit


def list_circuit_differences() -> Iterator[str]:
    """Yield a sentence for each stored value that the tournaments don't give; it writes nothing."""
    for circuit in Circuit.objects.order_by("pk"):
        for difference in find_circuit_differences(circuit):
            yield _describe(circuit, difference)


def recompute_circuits(now: datetime) -> Iterator[str]:
    """Store what the tournaments give; yield a sentence for each value that differed."""
    for circuit in Circuit.objects.order_by("pk"):
        for difference in recompute_circuit(circuit_id=circuit.pk, now=now):
            yield _describe(circuit, difference)


def _describe(circuit: Circuit, difference: TotalDifference) -> str:
    return f"{circuit.public_id} {difference.about}: {difference.stored!r} → {difference.given!r}"
