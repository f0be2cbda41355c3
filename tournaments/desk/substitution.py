"""A player takes another's place in an entry, between two of its fixtures (F2, E1, E8): at once where they have agreed
beforehand, else when they accept (E3)."""

from datetime import datetime
from typing import Any

from django.db import transaction

from players.models import Person, Player
from players.selectors import find_by_name
from tournaments.core import notify
from tournaments.core.draw_secret import find_reserve
from tournaments.core.errors import TournamentError
from tournaments.core.locking import list_person_ids, lock_tournament, store_version, write_log
from tournaments.core.log_details import EntryDetail, ReplacementDetail
from tournaments.core.permissions import list_own_persons
from tournaments.desk.act import Act, begin_act, write_act
from tournaments.desk.asking import ask_to_play, open_asked_act
from tournaments.entries.open_invitations import end_invitation, lock_inviter, read_consent, require_invitable
from tournaments.entries.typed_names import KnownNames, store_people
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, EntryMember, Fixture, LineUp, LogEntry, PlayInvitation, Tournament


def replace_person(
    *, tournament_id: int, entry_id: int, person_id: int, name: str, act: Act, another: bool = False
) -> bool:
    """Replace one of an entry's people by ``name``: at real tables a typed one, on the site an account. Return whether
    the place is taken now; else somebody was asked. TournamentError: those of the one or the other."""
    arguments: dict[str, Any] = {"tournament_id": tournament_id, "entry_id": entry_id, "name": name, "act": act}
    if Tournament.objects.get(pk=tournament_id).venue.enters_names:
        replace_typed_person(person_id=person_id, another=another, **arguments)
        return True
    player_id = Person.objects.values_list("player_id", flat=True).filter(pk=person_id).first()
    return replace_player(player_id=player_id or 0, **arguments)


def replace_player(*, tournament_id: int, entry_id: int, player_id: int, name: str, act: Act) -> bool:
    """Replace ``player_id`` by ``name`` in the entry from its next fixture on; what was played stays.

    Whoever hasn't agreed beforehand is invited, and takes the place by accepting (E3). Return whether the place is
    taken now. TournamentError: the entry is playing now or has left, or the newcomer may not play in it (E1, guests,
    the house) or be invited.
    """
    with transaction.atomic():
        lock_inviter(act.by)
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return True
        if act.key and tournament.invitations.filter(act=act.key).exists():
            return False
        member = _find_member(tournament, entry_id, act, person__player=player_id)
        _require_free(member.entry)
        new = _find_substitute(tournament, name)
        reserve = find_reserve(tournament)  # who entered, and stayed out when pairs were drawn (EV2)
        agreed = reserve is not None and reserve.player_id == new.pk
        if new.is_house or agreed or new.pk in read_consent(tournament, act.by, [new], act.now).agreed:
            _replace(tournament, member, new.person, act)
            return True
        require_invitable(tournament, act.by, new, act.now)
        for earlier in tournament.invitations.open().filter(entry=entry_id, replaces=member.person_id):
            end_invitation(earlier, PlayInvitation.Outcome.TAKEN_BACK, act.now)
        ask_to_play(tournament, PlayInvitation.Kind.PLACE, new, member.entry, act, replaces=member.person)
        write_log(tournament, "substitute_asked", act.now, act.by, EntryDetail(entry=entry_id))
        store_version(tournament)
        return False


@transaction.atomic
def replace_typed_person(
    *, tournament_id: int, entry_id: int, person_id: int, name: str, act: Act, another: bool = False
) -> None:
    """Replace a person by a typed name at real tables (O2), from the entry's next fixture on; what was played stays.
    ``another``: than those who are called so already.

    TournamentError: not_real; plays_there; no_such_entry; entry_left; bad_name; list_refused (``problems``): who is
    called so is in already.
    """
    tournament = begin_act(tournament_id, act)
    if tournament is None:
        return
    if not tournament.venue.enters_names:
        raise TournamentError("not_real")
    member = _find_member(tournament, entry_id, act, person=person_id)
    problems = KnownNames(tournament).find(TypedEntry(1, (TypedPerson(name),), another=another))
    if problems:
        raise TournamentError("list_refused", problems=problems)
    (new,) = store_people(tournament, [name], reserve=None if another else find_reserve(tournament))
    _replace(tournament, member, new, act)


@transaction.atomic
def take_place(*, tournament_id: int, player: Player, invitation_id: int, now: datetime) -> None:
    """Accept the invitation to play in somebody's place: the referee's act happens now.

    TournamentError: invitation_gone, also where whoever asked is no referee any more or the place isn't there;
    entry_plays, until the table is over; guests_not_allowed.
    """
    lock_tournament(tournament_id)
    tournament, invitation, act = open_asked_act(tournament_id, player, invitation_id, PlayInvitation.Kind.PLACE, now)
    try:
        member = _find_member(tournament, invitation.entry_id or 0, act, person=invitation.replaces_id)
    except TournamentError as error:
        raise TournamentError("invitation_gone") from error
    _require_free(member.entry)
    _require_admitted(tournament, player)
    end_invitation(invitation, PlayInvitation.Outcome.ACCEPTED, now)
    _replace(tournament, member, player.person, act)


def _find_member(tournament: Tournament, entry_id: int, act: Act, **who: int | None) -> EntryMember:
    """Return the member to be replaced in an entry that isn't the referee's own (F1)."""
    if tournament.state != Tournament.State.RUNNING:
        raise TournamentError("over")
    members = tournament.members.with_people().select_related("entry").filter(entry=entry_id)
    if members.filter(person__in=list_own_persons(tournament.pk, act.by)).exists():
        raise TournamentError("plays_there")
    member = members.filter(**who).first()
    if member is None:
        raise TournamentError("no_such_entry")
    if member.entry.withdrawn_at is not None:
        raise TournamentError("entry_left")
    return member


def _replace(tournament: Tournament, member: EntryMember, new: Person, act: Act) -> None:
    old = member.person
    detail = ReplacementDetail(
        entry=member.entry_id,
        members=list_person_ids(member.entry),
        changed=(member.person_id, new.pk),
    )
    _keep_line_ups(tournament, member.entry)
    unplayed = Fixture.objects.of_entry(member.entry).open()
    LineUp.objects.filter(fixture__in=unplayed, person=old).update(person=new)  # of a team (O12)
    member.person, member.club = new, ""
    member.save(update_fields=["person", "club"])
    write_act(tournament, "replace", act, detail)
    store_version(tournament)
    players = (person.player for person in (old, new))
    people = [player.pk for player in players if player is not None and not player.is_house]
    about = LogEntry.objects.filter(tournament=tournament).order_by("-pk").values_list("pk", flat=True).first()
    notify.recheck_watching(people)
    notify.tell_people(tournament, people, "replaced")
    notify.mail_people(tournament, people, "replaced", act.now, about=about)


def _require_free(entry: Entry) -> None:
    sides = Fixture.objects.filter(state=Fixture.State.PLAYING)
    if sides.filter(first=entry).exists() or sides.filter(second=entry).exists():
        raise TournamentError("entry_plays")


def _keep_line_ups(tournament: Tournament, entry: Entry) -> None:
    """Store the players of each of the entry's fixtures so far: its members, where nobody is named yet. Of teams
    somebody is (O12)."""
    if tournament.entry_kind.has_line_ups:
        return
    members = list(entry.members.order_by("position"))
    for side, name in enumerate(("first", "second")):
        own = Fixture.objects.played().filter(**{name: entry})
        unnamed = own.exclude(pk__in=LineUp.objects.filter(side=side, fixture__in=own).values("fixture"))
        LineUp.objects.bulk_create(
            LineUp(fixture_id=fixture, side=side, person_id=member.person_id, position=member.position)
            for fixture in unnamed.values_list("pk", flat=True)
            for member in members
        )


def _find_substitute(tournament: Tournament, name: str) -> Player:
    """Return the player of this name, if they may play for an entry here."""
    player = find_by_name(name)
    if player is None:
        raise TournamentError("player_unknown")
    _require_admitted(tournament, player)
    return player


def _require_admitted(tournament: Tournament, player: Player) -> None:
    if player.is_house and not tournament.house_allowed:
        raise TournamentError("house_not_allowed")
    if player.is_guest and not tournament.guests_allowed:
        raise TournamentError("guests_not_allowed")
    if tournament.members.of_player(player).exists():
        raise TournamentError("player_entered")
