"""``manage.py mine_problems``: go through finished matches for problems (HP7), and say how far it is."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.models import Match
from records.models import CardProblem
from records.problems.mining import mine

NICENESS = 10


class Command(BaseCommand):
    help = "Cerca problemi nelle partite finite, una volta ciascuna. È lento: lascia passare avanti tutto il resto."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seconds", type=float, default=600.0, help="dopo quanti secondi non si comincia un'altra")
        parser.add_argument("--most", type=int, default=1000, help="quante partite al più")

    def handle(self, *args: Any, **options: Any) -> None:
        os.nice(NICENESS)
        stored = mine(now=timezone.now(), seconds=options["seconds"], most=options["most"], tell=self._tell)
        self.stdout.write(f"problemi nuovi: {stored}, in tutto {CardProblem.objects.count()}")

    def _tell(self, match: Match, number: int) -> None:
        self.stdout.write(f"{match.ruleset} {match.public_id}: {number}")
        self.stdout.flush()
