"""Entries that people at real tables make themselves, without an account (O2): by the tournament's page, its link or
its QR code.

Names are checked as those the organiser types. Who enters so holds a key, by which they come back to their entry; only
its digest is stored. The key is made with the form: sent twice, it makes one entry.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players import caps
from players.addresses import compute_address_digest
from players.keyed_digests import compute_keyed_digest, list_keyed_digests
from players.models import Person, Player
from players.names import clean_typed_name
from players.services.counted_acts import TooMany, count_act
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import EntriesDetail, LogDetail, NameDetail
from tournaments.core.people import drop_unused_people, list_typed_people
from tournaments.core.states import UNDER_WAY, UNDRAWN
from tournaments.entries import waiting_list
from tournaments.entries.join import checkin_stamp, choose_log_code
from tournaments.entries.queries import count_taken_places, find_self_refusal
from tournaments.entries.typed_names import Suffixes, check_typed, store_entries
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, EntryMember, LateRequest, Tournament

SALT = "tournaments.own_entry"


def enter_by_name(
    *,
    tournament_id: int,
    player: Player | None,
    people: Sequence[TypedPerson],
    own_key: str,
    address: str,
    now: datetime,
    join_key: str = "",
    wait: bool = False,
    team: str = "",
    another: bool = False,
) -> Entry:
    """Enter who writes these names: without an account all of them, with one the partner's; of a ``team`` all of them.
    The same key again returns the entry it has made. ``another``: than those who are called so already.

    TournamentError: not_real, list_refused (``problems``), self_often, and the refusals of entering.
    """
    digest = compute_key_digest(own_key)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        asking, player = player, None if tournament.entry_kind.lists_people else player
        made = tournament.entries.filter(link_digest__in=list_key_digests(own_key)).first()
        if made is not None and player is None:
            return made
        refusal = find_self_refusal(tournament, asking, join_key)
        if refusal is not None:
            raise TournamentError(refusal)
        first = [] if player is None else [TypedPerson(player.name)]
        row = TypedEntry(1, (*first, *people), team=team, another=another)
        problems = check_typed(tournament, [row], minors=False, waits=True)
        if problems:
            raise TournamentError("list_refused", problems=problems)
        if player is None:
            status = _find_status(tournament, address, wait=wait, now=now)
        else:
            status = waiting_list.initial_entry_status(
                tournament, player, entered=False, key=join_key, wait=wait, now=now
            )
        entry = Entry(tournament=tournament, created_at=now, approved=status.approved)
        entry.waiting_since = status.waiting_since
        entry.link_digest = digest if player is None else ""
        entry.team_name = clean_typed_name(team) if tournament.entry_kind.has_name else ""
        suffixes = Suffixes(tournament)
        typed = [suffixes.make_person(person) for person in people]
        (entry,) = store_entries([entry], [_put_first(player, typed)])
        if player is None:
            write_log(tournament, f"self_{choose_log_code(entry)}", now, detail=EntriesDetail(entries=(entry.pk,)))
        else:
            EntryMember.objects.filter(entry=entry).update(checked_in_at=checkin_stamp(tournament, now))
            write_log(tournament, choose_log_code(entry), now, player, NameDetail(name=player.name))
        store_version(tournament)
    return entry


def _put_first(player: Player | None, typed: list[Person]) -> list[Person]:
    return typed if player is None else [player.person, *typed]


def _find_status(tournament: Tournament, address: str, *, wait: bool, now: datetime) -> waiting_list.EntryStatus:
    """Return the status of an entry without an account, which is counted for its address."""
    asks = tournament.registration == Tournament.Registration.APPROVAL
    full = count_taken_places(tournament) >= tournament.max_entries
    status = waiting_list.choose_status(tournament, asks=asks, full=full, wait=wait, now=now)
    count_address(tournament, address, now)
    return status


def count_address(tournament: Tournament, address: str, now: datetime) -> None:
    """Count an entry, or a request for one, that somebody without an account makes from an address.

    A whole hall enters by one address: it may fill the tournament, and as much again. TournamentError: self_often.
    """
    digest = compute_address_digest(address)
    here = caps.Cap(caps.SELF_ENTRIES_A_PLACE * tournament.max_entries, caps.DAY)
    limits = {
        f"names:{digest}:{tournament.public_id}": (here,),
        f"names:{digest}": caps.SELF_ENTRIES_AN_ADDRESS,
    }
    try:
        count_act(limits, now=now)
    except TooMany as refused:
        raise TournamentError("self_often", wait=refused.wait) from None


@transaction.atomic
def leave_by_key(*, tournament_id: int, own_key: str, now: datetime) -> None:
    """Give up the place of the entry with this key, until the draw; or take a request to come late back (D2).

    TournamentError: entry_gone, drawn, registration_closed.
    """
    tournament = lock_tournament(tournament_id)
    entry = find_entry(tournament, own_key)
    if entry is None:
        if not tournament.late_requests.filter(link_digest__in=list_key_digests(own_key)).delete()[0]:
            raise TournamentError("entry_gone")
        store_version(tournament)
        return
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    typed = list_typed_people([entry])
    entry.delete()
    drop_unused_people(typed)
    write_log(tournament, "self_left", now, detail=LogDetail())
    waiting_list.move_up(tournament, now)
    store_version(tournament)


def find_entry(tournament: Tournament, own_key: str) -> Entry | None:
    """Return the entry that a key opens, as long as the tournament isn't over."""
    return find_entries(tournament, [own_key]).get(own_key)


def find_entries(tournament: Tournament, own_keys: Sequence[str]) -> dict[str, Entry]:
    """Return the entries that these keys open, by key, in as many queries for any number."""
    if tournament.state not in UNDER_WAY:
        return {}
    keys = {digest: key for key in own_keys for digest in list_key_digests(key)}
    entries = {keys[entry.link_digest]: entry for entry in tournament.entries.filter(link_digest__in=keys)}
    if tournament.entry_kind.is_drawn_pair:  # each of the two had an entry of their own until the draw (EV2)
        members = tournament.members.filter(link_digest__in=keys).select_related("entry")
        entries |= {keys[member.link_digest]: member.entry for member in members}
    return entries


def find_late_request(tournament: Tournament, own_key: str) -> LateRequest | None:
    """Return the request to come late (D2) that a key opens, as long as it isn't answered."""
    return tournament.late_requests.filter(link_digest__in=list_key_digests(own_key)).first()


def compute_key_digest(own_key: str) -> str:
    """Return the digest that is stored of a key."""
    return compute_keyed_digest(SALT, own_key)


def list_key_digests(own_key: str) -> tuple[str, ...]:
    """Return the digests by which a key's entry is found."""
    return list_keyed_digests(SALT, own_key)
