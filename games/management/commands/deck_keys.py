"""``manage.py deck_keys check|reseal``: do the keys open what is sealed; or seal it all with the first of them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import sealed_decks
from games.sealing import WrongKey


class Command(BaseCommand):
    help = "Controlla se le chiavi aprono i mazzi delle partite in corso (check), o li chiude con la prima (reseal)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("act", choices=["check", "reseal"])

    def handle(self, *args: Any, **options: Any) -> None:
        if options["act"] == "reseal":
            try:
                count = sealed_decks.seal_anew()
            except WrongKey as refusal:
                raise CommandError("DECK_KEYS non apre tutti i mazzi: niente è cambiato.") from refusal
            self.stdout.write(f"Chiusi con la prima chiave: {count}.")
            return
        lost = sealed_decks.find_unopenable()
        if lost:
            raise CommandError(f"DECK_KEYS non apre i mazzi di {len(lost)} partite in corso.")
        self.stdout.write("Le chiavi aprono i mazzi di tutte le partite in corso.")
