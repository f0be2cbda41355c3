"""People of a register entered in a tournament at real tables (O2, I1): their cards' persons, so that results are
theirs."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.typed_names import Suffixes
from tournaments.models import Entry, EntryMember, Register, RegisterCard, Tournament
from tournaments.register.cards import get_card, lock_register
from tournaments.register.errors import RegisterError
from tournaments.register.queries import list_person_ids


@transaction.atomic
def enter_cards(*, tournament_id: int, register: Register, by: Player, card_ids: Sequence[str], now: datetime) -> Entry:
    """Enter the people of these cards as one entry, a pair of two.

    RegisterError: no_card, in_already, same_card. TournamentError: not_organiser, not_real, drawn, registration_closed,
    full.
    """
    register = lock_register(register, by)
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    if not tournament.venue.enters_names:
        raise TournamentError("not_real")
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    if waiting_list.count_free_places(tournament) < 1:
        raise TournamentError("full")
    kind = tournament.entry_kind
    cards = [get_card(register, card_id) for card_id in card_ids]
    if kind.lists_people or len(cards) != kind.most:
        raise RegisterError("no_card")
    if len(set(cards)) < len(cards):
        raise RegisterError("same_card")
    for card in cards:
        if tournament.members.filter(person__in=list_person_ids(card)).exists():
            raise RegisterError("in_already", name=str(card))
    return _create_entry(tournament, cards, by, now)


def _create_entry(tournament: Tournament, cards: Sequence[RegisterCard], by: Player, now: datetime) -> Entry:
    suffixes = Suffixes(tournament)
    entry = Entry.objects.create(tournament=tournament, created_at=now)
    for position, card in enumerate(cards):
        person = card.person
        if suffixes.has(person.typed_name, person.suffix, minor=person.initials):
            person.suffix = suffixes.choose(person.typed_name, minor=person.initials)
            person.save(update_fields=["suffix"])
        EntryMember.objects.create(entry=entry, tournament=tournament, person=person, position=position)
    write_log(tournament, "entered_by_list", now, by, CountDetail(count=1))
    store_version(tournament)
    return entry
