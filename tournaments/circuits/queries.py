"""Reads of circuits: who runs one, whose they are, and what may still be chosen (Y3). It never writes."""

from itertools import islice

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from players.models import Player
from tournaments.circuits.errors import CircuitError
from tournaments.core.circuit_marks import find_misfit
from tournaments.core.permissions import RUNS, list_run_tournaments
from tournaments.core.states import UNDRAWN
from tournaments.models import Circuit, CircuitTotal, ClubMember, Series, Tournament
from tournaments.venues import list_where

State = Tournament.State
MAX_CHOICES = 60  # tournaments that may be added, listed at once


def may_run_circuit(circuit: Circuit, player: Player | None) -> bool:
    """Tell if the player made it, or organises for its club."""
    if player is None:
        return False
    if circuit.club_id is None:
        return circuit.organiser_id == player.pk
    roles = ClubMember.objects.filter(club=circuit.club_id, player=player, confirmed=True, role__in=RUNS)
    return roles.exists()


def list_own_circuits(player: Player) -> QuerySet[Circuit]:
    """Return the circuits the player runs, those that go on first, then the latest."""
    role = ClubMember.objects.filter(club=OuterRef("club"), player=player, confirmed=True, role__in=RUNS)
    own = Circuit.objects.filter(Q(club=None, organiser=player) | Q(Exists(role)))
    return _add_counts(own).order_by(F("ended_at").desc(nulls_first=True), "-pk")


def list_public_circuits(club: str = "") -> QuerySet[Circuit]:
    """Return the circuits in which somebody has a result, the latest first; ``club``: of that club alone, by its
    public id."""
    circuits = Circuit.objects.filter(Exists(CircuitTotal.objects.filter(circuit=OuterRef("pk"))))
    if club:
        circuits = Circuit.objects.filter(club__public_id=club)
    return _add_counts(circuits).order_by("-pk")


def _add_counts(circuits: QuerySet[Circuit]) -> QuerySet[Circuit]:
    drawn = Count("stages", filter=Q(stages__tournament__state=State.FINISHED))
    return circuits.select_related("club", "organiser").annotate(stages_count=Count("stages"), finished_count=drawn)


def list_circuits_of(tournament: Tournament) -> list[Circuit]:
    """Return the circuits in which a tournament counts, or whose final it is; none before it is stored."""
    if tournament._state.adding:
        return []
    circuits = Circuit.objects.filter(Q(stages__tournament=tournament) | Q(final=tournament)).distinct()
    return list(circuits.order_by("pk"))


def find_circuit(public_id: str) -> Circuit | None:
    """Return the circuit of that address."""
    circuits = Circuit.objects.select_related("club", "organiser", "series", "final")
    return circuits.filter(public_id=public_id).first()


def require_runner(circuit: Circuit, by: Player) -> None:
    """Raise CircuitError unless the player runs it."""
    if not may_run_circuit(circuit, by):
        raise CircuitError("not_yours")


def have_terms_begun(circuit: Circuit) -> bool:
    """Tell if one of its tournaments is drawn: what counts how stands from then on."""
    return circuit.stages.filter(tournament__drawn_at__isnull=False).exists()


def list_addable(circuit: Circuit, player: Player) -> list[Tournament]:
    """Return the tournaments of the player's that may be added, the latest first."""
    tournaments = list_run_tournaments(player).exclude(state=State.CANCELLED).exclude(circuit_stages__circuit=circuit)
    if circuit.final_id is not None:
        tournaments = tournaments.exclude(pk=circuit.final_id)
    latest = tournaments.order_by(F("starts_at").desc(nulls_last=True), "-pk")[:MAX_CHOICES]
    return [tournament for tournament in latest if find_misfit(circuit, tournament) is None]


def list_possible_finals(circuit: Circuit, player: Player) -> list[Tournament]:
    """Return the tournaments of the player's that could be the final: not drawn yet, and in no circuit's totals."""
    tournaments = list_run_tournaments(player).filter(state__in=UNDRAWN, lent_to="")
    tournaments = tournaments.filter(circuit_stages=None).filter(Q(final_of=None) | Q(final_of=circuit))
    drawn_later = Q(starts_at__isnull=False) | Q(publishes_rounds=True) | Q(venue__in=list_where(runs_by_clock=False))
    possible = (
        tournament
        for tournament in tournaments.filter(drawn_later).order_by("-pk")
        if (tournament.playing_kind.is_fixed_pair if circuit.by_pairs else not tournament.entry_kind.lists_people)
    )
    return list(islice(possible, MAX_CHOICES))


def list_own_series(player: Player) -> QuerySet[Series]:
    """Return the series whose tournaments may join by themselves."""
    return Series.objects.filter(organiser=player).order_by("pk")
