"""People of a register entered in a tournament at real tables (O2, I1): their cards' persons, so that results are
theirs."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players.models import Player
from players.names import make_name_key
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.typed_names import Suffixes
from tournaments.lists.problems import Problem
from tournaments.models import Entry, EntryMember, Register, RegisterCard, Tournament
from tournaments.register.cards import get_card, lock_register
from tournaments.register.errors import RegisterError
from tournaments.register.queries import list_person_ids


@transaction.atomic
def enter_cards(
    *,
    tournament_id: int,
    register: Register,
    by: Player,
    card_ids: Sequence[str],
    now: datetime,
    another: bool = False,
) -> Entry:
    """Enter the people of these cards as one entry, a pair of two. ``another``: than those who are called so already.

    RegisterError: no_card, in_already, same_card. TournamentError: not_organiser, not_real, drawn, registration_closed,
    full; list_refused (``problems``): who is called so is in already.
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
    doubles = [] if another else _list_doubles(tournament, register, cards)
    if doubles:
        raise TournamentError("list_refused", problems=doubles)
    return _create_entry(tournament, cards, by, now)


def _list_doubles(tournament: Tournament, register: Register, cards: Sequence[RegisterCard]) -> list[Problem]:
    """Return a problem for whoever is called as somebody who is in without a card: cards are told apart already."""
    members = tournament.members.with_people().exclude(person__card__register=register)
    names = {make_name_key(member.person.typed_name or member.person.name) for member in members}
    called = [(about, card.person.typed_name) for about, card in zip(("player", "partner"), cards, strict=False)]
    return [Problem(1, "in_already", about, name) for about, name in called if make_name_key(name) in names]


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
