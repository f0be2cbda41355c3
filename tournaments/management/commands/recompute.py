"""Command that recomputes standings and brackets from the results alone (F3, H8).

``--check`` writes nothing, prints the differences, and ends with 1 if there is one.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tournaments.models import Tournament
from tournaments.running.recompute import Difference, find_differences, recompute

DRAWN = (Tournament.State.RUNNING, Tournament.State.FINISHED)


class Command(BaseCommand):
    help = "Ricalcola classifiche e tabelloni dai soli risultati; con --check confronta soltanto."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("tournaments", metavar="TORNEO", nargs="*", help="gli id pubblici; senza, tutti")
        parser.add_argument("--check", action="store_true", help="non scrive niente; esce con 1 se qualcosa differisce")

    def handle(self, *args: Any, tournaments: list[str], check: bool, **options: Any) -> None:
        drawn = Tournament.objects.filter(state__in=DRAWN).order_by("pk")
        if tournaments:
            drawn = drawn.filter(public_id__in=tournaments)
            missing = set(tournaments) - set(drawn.values_list("public_id", flat=True))
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
        if check and wrong:
            raise CommandError("Quel che è scritto non è quel che danno i risultati.")


def _describe_difference(tournament: Tournament, difference: Difference) -> str:
    values = f"{difference.stored!r} → {difference.given!r}"
    return f"{tournament.public_id} {difference.about} {difference.name}: {values}"
