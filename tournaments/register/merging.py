"""Doubles in a register: two cards of one person become one, and can be two again (I1).

The double stays as it is, unseen, with its person: results keep the name under which they were played.
"""

from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core.circuit_marks import mark_circuits_with
from tournaments.models import Register, RegisterCard, RegisterLogEntry, Tournament
from tournaments.rankings.points import note_changes
from tournaments.register.cards import get_card, lock_register, renew_initials, write_register_log
from tournaments.register.errors import RegisterError
from tournaments.register.queries import list_person_ids

FILLED = ("number", "birth_year", "contact", "level", "notes", "minor")  # from the double, where a card is silent


@transaction.atomic
def merge_cards(*, register: Register, by: Player, card_id: str, double_id: str, now: datetime) -> RegisterCard:
    """Merge the double into the card, which keeps what it says and takes over what it doesn't.

    RegisterError: no_card, same_card, or played_together where both were in one tournament.
    """
    register = lock_register(register, by)
    card, double = get_card(register, card_id), get_card(register, double_id)
    if card == double:
        raise RegisterError("same_card")
    both = Tournament.objects.filter(members__person__in=list_person_ids(card))
    together = both.filter(pk__in=Tournament.objects.filter(members__person__in=list_person_ids(double))).first()
    if together is not None:
        raise RegisterError("played_together", name=together.name)
    filled = [name for name in FILLED if getattr(double, name) and not getattr(card, name)]
    double.merged_into = card
    double.save(update_fields=["merged_into"])
    for name in filled:
        setattr(card, name, getattr(double, name))
    card.save()
    renew_initials(card, now)
    _note_changes(card, double, now)
    mark_circuits_with(list_person_ids(card), now)
    write_register_log(register, by, "merged", now, card=card, double=double, filled=filled)
    return card


def may_undo(entry: RegisterLogEntry) -> bool:
    """Tell if an entry of the log is a merge that still stands."""
    double = entry.double
    return entry.code == "merged" and double is not None and double.merged_into_id == entry.card_id


@transaction.atomic
def undo_merge(*, register: Register, by: Player, entry_id: int, now: datetime) -> RegisterCard:
    """Make a double a card of its own again, and empty what was filled from it, if nobody has changed that since.

    RegisterError: no_merge, number_taken.
    """
    register = lock_register(register, by)
    merges = RegisterLogEntry.objects.filter(register=register, code="merged").select_related("card__person", "double")
    entry = merges.filter(pk=entry_id).first()
    if entry is None or entry.card is None or entry.double is None or not may_undo(entry):
        raise RegisterError("no_merge")
    card, double = entry.card, entry.double
    empty = RegisterCard()
    for name in entry.filled:
        if getattr(card, name) == getattr(double, name):
            setattr(card, name, getattr(empty, name))
    card.save()
    holder = RegisterCard.objects.filter(register=register, number=double.number).present().exclude(number="").first()
    if holder is not None:
        raise RegisterError("number_taken", name=str(holder))
    double.merged_into = None
    double.save(update_fields=["merged_into"])
    for one in (card, double):
        renew_initials(one, now)
    _note_changes(card, double, now)
    mark_circuits_with([*list_person_ids(card), *list_person_ids(double)], now)
    write_register_log(register, by, "unmerged", now, card=card, double=double)
    return double


def _note_changes(card: RegisterCard, double: RegisterCard, now: datetime) -> None:
    """Have the club's own rankings follow (Y1)."""
    note_changes(Tournament.objects.filter(points__person__in=(card.person_id, double.person_id)), now)
