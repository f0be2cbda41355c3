"""Command that writes a tournament to a file and takes one in (O9). ``tournaments.transfer`` decides everything."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from players.models import Player
from players.selectors import find_by_name
from tournaments.core.errors import TournamentError
from tournaments.core.refusals import describe_refusal
from tournaments.models import Tournament
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy
from tournaments.transfer.venue import waits_for_slips
from tournaments.transfer.wording import count_untold, describe_faults, describe_slips


class Command(BaseCommand):
    help = "Porta un torneo in un file e da un file: tutto o niente."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        export = acts.add_parser("export", help="scrive il torneo in un file; qui continua")
        export.add_argument("tournament", metavar="TORNEO", help="l'id pubblico")
        export.add_argument("file", metavar="FILE", type=Path)
        export.add_argument("--lend-to", metavar="DOVE", default="", help="lo presta: qui si legge soltanto")
        export.add_argument("--by", metavar="NOME", default="", help="con --lend-to: il nome di chi lo organizza")
        importing = acts.add_parser("import", help="prende un torneo da un file, o lo riporta dal prestito")
        importing.add_argument("file", metavar="FILE", type=Path)
        importing.add_argument("--organiser", metavar="NOME", required=True, help="il nome di chi lo organizza qui")

    def handle(self, *args: Any, act: str, **options: Any) -> None:
        try:
            if act == "export":
                self._export(options["tournament"], options["file"], options["lend_to"], options["by"])
            else:
                self._import(options["file"], options["organiser"])
        except TournamentError as error:
            raise CommandError(describe_refusal(error.code, error.values)) from None
        except FileRefused as refused:
            sentences = [
                f"{place or 'Il file'}: {sentence}" for _code, place, sentence in describe_faults(refused.faults)
            ]
            raise CommandError("\n".join(filter(None, [*sentences, count_untold(refused.faults)]))) from None
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}", returncode=2) from None

    def _export(self, public_id: str, file: Path, lend_to: str, by: str) -> None:
        tournament = Tournament.objects.filter(public_id=public_id).first()
        if tournament is None:
            raise CommandError(f"Nessun torneo con id {public_id}.", returncode=2)
        with transaction.atomic():  # a file that can't be written lends nothing
            if lend_to:
                player, now = _find_player(by), timezone.now()
                data = lend_tournament(tournament_id=tournament.pk, by=player, to=lend_to, now=now)
            else:
                data = make_copy(tournament, timezone.now())
            file.write_bytes(data)
        self.stdout.write(str(file))

    def _import(self, file: Path, organiser: str) -> None:
        tournament = take_in_file(data=file.read_bytes(), by=_find_player(organiser), now=timezone.now())
        self.stdout.write(tournament.public_id)
        if waits_for_slips(tournament):
            self.stderr.write(describe_slips())


def _find_player(name: str) -> Player:
    player = find_by_name(name)
    if player is None:
        raise CommandError(f"Nessuno si chiama {name!r}: serve un account.", returncode=2)
    return player
