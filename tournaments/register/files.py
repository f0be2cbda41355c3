"""The file of a register, for whoever keeps it: all its cards, in columns that an import knows again (I1)."""

from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.models import Register
from tournaments.register.cards import lock_register, write_register_log
from tournaments.register.queries import list_cards
from tournaments.sharing.exports import Sheet

COLUMNS = ("card", "name", "card_number", "level", "birth_year", "minor", "contact", "notes")


@transaction.atomic
def export_cards(*, register: Register, by: Player, now: datetime) -> Sheet:
    """Return the register as a sheet, and log that it was taken."""
    register = lock_register(register, by)
    rows = tuple(
        (
            card.public_id,
            card.person.typed_name,
            card.number,
            card.level,
            card.birth_year,
            card.minor,
            card.contact,
            card.notes,
        )
        for card in list_cards(register)
    )
    write_register_log(register, by, "exported", now, count=len(rows))
    return Sheet(COLUMNS, rows)
