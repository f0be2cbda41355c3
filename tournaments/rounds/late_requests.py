"""Requests to come into a running danese (D2): asked by whoever comes late, answered by whoever runs the tournament.

Nobody plays by asking: an accepted request becomes the late entry that the organiser would make. What isn't answered
ends when nobody comes in any more.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from players import caps
from players.models import Person, Player
from players.services.counted_acts import TooMany, count_act
from tournaments.core import notify
from tournaments.core.draw_secret import find_reserve
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version
from tournaments.core.permissions import require_organiser
from tournaments.entries.queries import find_admission_refusal
from tournaments.entries.suspensions import require_leave_to_play
from tournaments.entries.typed_names import KnownNames, Suffixes, check_typed
from tournaments.entries.waiting_list import get_waiting_limit
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import LateRequest, Tournament
from tournaments.own_names.self_entry import compute_key_digest, count_address, list_key_digests
from tournaments.rounds.late_entries import add_late_entry, find_late_round


def find_late_refusal(tournament: Tournament, player: Player | None, key: str) -> str | None:
    """Return the TournamentError code that keeps a reader from asking to come late; None if they may.

    Pairs on the site are the organiser's to enter: both must have agreed (E3).
    """
    if find_late_round(tournament) is None:
        return "late_closed"
    if not (tournament.playing_kind.entering.enters_alone or tournament.venue.enters_names):
        return "late_by_organiser"
    if player is not None and tournament.members.of_player(player).exists():
        return "already_entered"
    refusal = find_admission_refusal(tournament, player, key)
    if refusal == "not_signed_in" and tournament.venue.enters_names:
        return None
    if refusal is None and player is not None and tournament.late_requests.filter(player=player).exists():
        return "late_asked_already"
    return refusal


def ask_to_enter_late(
    *,
    tournament_id: int,
    player: Player | None,
    people: Sequence[TypedPerson],
    own_key: str,
    address: str,
    now: datetime,
    join_key: str = "",
    another: bool = False,
) -> LateRequest:
    """Ask for an entry from the next round on: an account for itself, and at real tables by names (O2). The same key
    again returns the request it has made. ``another``: than those who are called so already.

    TournamentError: those of ``find_late_refusal``, list_refused (``problems``), asking_full, self_often,
    entered_often, suspended.
    """
    digest = compute_key_digest(own_key) if player is None else ""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        made = tournament.late_requests.filter(link_digest__in=list_key_digests(own_key)).first() if digest else None
        if made is not None:
            return made
        refusal = find_late_refusal(tournament, player, join_key)
        if refusal is not None:
            raise TournamentError(refusal)
        if player is not None:
            require_leave_to_play(player, now)
        first = [] if player is None else [TypedPerson(player.name)]
        row = TypedEntry(1, (*first, *people), another=another)
        problems = check_typed(tournament, [row], minors=False, waits=True)
        if problems:
            raise TournamentError("list_refused", problems=problems)
        if tournament.late_requests.count() >= get_waiting_limit(tournament):
            raise TournamentError("asking_full")
        _count(tournament, player, address, now)
        asked = LateRequest.objects.create(
            tournament=tournament,
            player=player,
            people=[[person.name, person.minor, another] for person in people],
            link_digest=digest,
            asked_at=now,
        )
        store_version(tournament)
        notify.tell_people(tournament, [tournament.organiser_id], "late_asked", "tournament-rounds")
    return asked


def _count(tournament: Tournament, player: Player | None, address: str, now: datetime) -> None:
    if player is None:
        count_address(tournament, address, now)
        return
    try:
        count_act({f"entries:{player.pk}": caps.ENTRIES_A_PERSON}, now=now)
    except TooMany as refused:
        raise TournamentError("entered_often", wait=refused.wait) from None


@transaction.atomic
def answer_late_request(*, tournament_id: int, request_id: int, by: Player, yes: bool, now: datetime) -> None:
    """Let who asks come in from the next round on, or say no. TournamentError: not_organiser, entry_gone, list_refused,
    where somebody of that name has come in since, and those of ``add_late_entry``."""
    tournament = lock_tournament(tournament_id)
    require_organiser(tournament, by)
    asked = tournament.late_requests.select_related("player").filter(pk=request_id).first()
    if asked is None:
        raise TournamentError("entry_gone")
    if yes:
        people_asked = tuple(TypedPerson(name, minor=minor) for name, minor, *_another in asked.people)
        another = any(flag for _name, _minor, *more in asked.people for flag in more)
        others = KnownNames(tournament, but=asked).find(TypedEntry(1, people_asked, another=another))
        if others:
            raise TournamentError("list_refused", problems=others)
        mate = _find_mate(tournament, asked)
        both = [asked] if mate is None else [asked, mate]
        people = [person for one in both for person in _make_people(tournament, one)]
        reserve = find_reserve(tournament)
        if len(people) < tournament.entry_kind.least and reserve is not None:
            people.append(reserve)
        elif len(people) < tournament.entry_kind.least and tournament.entry_kind.is_drawn_pair:
            raise TournamentError("late_alone")
        add_late_entry(
            tournament_id=tournament.pk,
            people=people,
            by=by,
            now=now,
            asked=[one.player for one in both if one.player is not None],
            link_digests=[one.link_digest for one in both],
        )
        if mate is not None:
            _tell_answer(tournament, mate, "approved", now)
    _tell_answer(tournament, asked, "approved" if yes else "declined", now)


def _find_mate(tournament: Tournament, asked: LateRequest) -> LateRequest | None:
    """Return whoever comes in with somebody who asks alone where pairs are drawn (EV2): the first of the others who do,
    unless somebody stayed out at the draw, who comes before."""
    if not tournament.entry_kind.is_drawn_pair or _count_people(asked) > 1 or find_reserve(tournament) is not None:
        return None
    others = tournament.late_requests.select_related("player").exclude(pk=asked.pk)
    return next((other for other in others if _count_people(other) == 1), None)


def _count_people(asked: LateRequest) -> int:
    return len(asked.people) + (asked.player_id is not None)


def _make_people(tournament: Tournament, asked: LateRequest) -> list[Person]:
    """Store the people of a request; an account is there already."""
    suffixes = Suffixes(tournament)
    typed = [suffixes.make_person(TypedPerson(name, minor=minor)) for name, minor, *_another in asked.people]
    return [*([] if asked.player is None else [asked.player.person]), *Person.objects.bulk_create(typed)]


def _tell_answer(tournament: Tournament, asked: LateRequest, code: str, now: datetime) -> None:
    """End a request, and tell whoever asked."""
    player_ids = [] if asked.player_id is None else [asked.player_id]
    asked.delete()
    tournament.refresh_from_db()
    store_version(tournament)
    notify.tell_people(tournament, player_ids, code)
    notify.mail_people(tournament, player_ids, code, now, about=tournament.version)


@transaction.atomic
def take_late_request_back(*, tournament_id: int, player: Player, now: datetime) -> None:
    """Ask no more. TournamentError: entry_gone."""
    tournament = lock_tournament(tournament_id)
    if not tournament.late_requests.filter(player=player).delete()[0]:
        raise TournamentError("entry_gone")
    store_version(tournament)


def close_late_requests(tournament: Tournament) -> None:
    """End the requests of a locked tournament in which nobody comes in any more, and tell who asked."""
    if find_late_round(tournament) is not None:
        return
    player_ids = [pk for pk in tournament.late_requests.values_list("player_id", flat=True) if pk is not None]
    tournament.late_requests.all().delete()
    if player_ids:
        notify.tell_people(tournament, player_ids, "late_over")
