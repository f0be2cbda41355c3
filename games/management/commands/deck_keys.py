"""``manage.py deck_keys check|reseal|give-up``: what is sealed in the database, and the keys that open it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games import sealed_decks
from games.sealing import WrongKey
from games.services.lost_keys import give_up_unopenable


class Command(BaseCommand):
    help = "Controlla se le chiavi aprono i mazzi delle partite in corso (check), li chiude con la prima (reseal), "
    help += "o finisce senza risultato le partite che nessuna apre (give-up)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("act", choices=["check", "reseal", "give-up"])

    def handle(self, *args: Any, **options: Any) -> None:
        if options["act"] == "reseal":
            try:
                count = sealed_decks.seal_anew()
            except WrongKey as refusal:
                raise CommandError("DECK_KEYS non apre tutti i mazzi: niente è cambiato.") from refusal
            self.stdout.write(f"Chiusi con la prima chiave: {count}.")
            return
        if options["act"] == "give-up":
            ended = give_up_unopenable(now=timezone.now())
            self.stdout.write(f"Finite senza risultato: {' '.join(ended) or 'nessuna'}.")
            return
        lost = len(sealed_decks.list_unopenable())
        if lost:
            raise CommandError(f"DECK_KEYS non apre i mazzi di {lost} partite in corso o tornei da sorteggiare.")
        self.stdout.write("Le chiavi aprono i mazzi di tutte le partite in corso e i sorteggi da fare.")
