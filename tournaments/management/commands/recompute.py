"""Command ``recompute [--check] [--only PARTE] [TORNEO…]``: whatever is derived, again from what it follows from.

It is done part by part (F3, H8, L6). ``--check`` writes nothing, prints the differences, and ends with 1 if there is
one.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.chips import audit as chip_audit
from games.facts import store as facts
from scoring import level_audit
from tournaments.circuits import audit as circuit_audit
from tournaments.models import Tournament
from tournaments.rankings import checks
from tournaments.running.recompute import Difference, find_differences, recompute

DRAWN = (Tournament.State.RUNNING, Tournament.State.FINISHED)
TOURNAMENTS = "tornei"


class RecomputedPart(NamedTuple):
    """Part of what can be computed again: what differs (it writes nothing), and the act, which returns what differed.

    Each difference is a sentence.
    """

    name: str
    find_differences: Callable[[], Iterable[str]]
    recompute: Callable[[datetime], Iterable[str]]


PARTS: tuple[RecomputedPart, ...] = (  # each stands on those before it
    RecomputedPart("statistiche", facts.find_fact_differences, lambda _now: facts.recompute_facts()),
    RecomputedPart("livelli", level_audit.list_differences, level_audit.recompute_all),
    RecomputedPart("gettoni", chip_audit.find_differences, chip_audit.recompute_balances),
    RecomputedPart("classifiche", checks.list_differences, checks.recompute_all),
    RecomputedPart("circuiti", circuit_audit.list_circuit_differences, circuit_audit.recompute_circuits),
)


class Command(BaseCommand):
    help = "Ricalcola tutto quel che si ricava dai soli risultati; con --check confronta soltanto."

    def add_arguments(self, parser: CommandParser) -> None:
        names = (TOURNAMENTS, *(part.name for part in PARTS))
        parser.add_argument("tournaments", metavar="TORNEO", nargs="*", help="gli id pubblici; senza, tutto")
        parser.add_argument("--only", choices=names, help="questa parte soltanto")
        parser.add_argument("--check", action="store_true", help="non scrive niente; esce con 1 se qualcosa differisce")

    def handle(self, *args: Any, tournaments: list[str], only: str | None, check: bool, **options: Any) -> None:
        wrong = 0
        if tournaments or only in (None, TOURNAMENTS):
            wrong += self._do_tournaments(tournaments, check=check)
        if not tournaments:
            for part in PARTS:
                if only in (None, part.name):
                    wrong += self._do_part(part, check=check)
        if check and wrong:
            raise CommandError("Quel che è scritto non è quel che danno i risultati.")

    def _do_part(self, part: RecomputedPart, *, check: bool) -> int:
        count = 0
        for difference in part.find_differences() if check else part.recompute(timezone.now()):
            count += 1
            self.stdout.write(f"{part.name} {difference}")
        self.stdout.write(f"{part.name}: {count} differenze.")
        return count

    def _do_tournaments(self, public_ids: list[str], *, check: bool) -> int:
        drawn = Tournament.objects.filter(state__in=DRAWN).order_by("pk")
        if public_ids:
            drawn = drawn.filter(public_id__in=public_ids)
            missing = set(public_ids) - set(drawn.values_list("public_id", flat=True))
            if missing:
                raise CommandError(f"Nessun torneo sorteggiato con id {', '.join(sorted(missing))}.", returncode=2)
        if not check:
            drawn = drawn.filter(lent_to="")  # read-only here until they return (O9)
        count = wrong = 0
        for tournament in drawn.iterator():
            count += 1
            differing = (
                find_differences(tournament) if check else recompute(tournament_id=tournament.pk, now=timezone.now())
            )
            wrong += bool(differing)
            for difference in differing:
                self.stdout.write(_describe_difference(tournament, difference))
        self.stdout.write(f"{count} tornei, {wrong} con differenze.")
        return wrong


def _describe_difference(tournament: Tournament, difference: Difference) -> str:
    values = f"{difference.stored!r} → {difference.given!r}"
    return f"{tournament.public_id} {difference.about} {difference.name}: {values}"
