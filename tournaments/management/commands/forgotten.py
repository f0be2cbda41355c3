"""``manage.py forgotten export|apply FILE``: names that were forgotten on request stay so in a restored copy (I1)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from tournaments.register.forgetting import forget_again
from tournaments.register.tombstones import Tombstone, list_tombstones


class Command(BaseCommand):
    help = "Export the tombstones of forgotten names before a copy is restored, apply them to it afterwards."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", choices=["export", "apply"])
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if options["act"] == "export":
            stones = list_tombstones()
            file.write_text("".join(f"{json.dumps(asdict(stone))}\n" for stone in stones), encoding="utf-8")
            self.stdout.write(f"{len(stones)} exported")
            return
        try:
            texts = file.read_text(encoding="utf-8").splitlines()
            read = [Tombstone(**json.loads(text)) for text in texts]
        except (OSError, ValueError, TypeError) as error:
            raise CommandError(f"{file} is no export of this command: {error}") from error
        self.stdout.write(f"{forget_again(read, timezone.now())} forgotten again")
