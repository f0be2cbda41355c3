"""Found, join, leave, administer and dissolve a club.

A club is never without an administrator: the last one can neither leave nor be demoted. When the last one's account
closes, the oldest organiser, else the oldest member, takes over; with nobody left the club is deleted. Guests stay out:
their name is not their own yet. The club's row is locked first, so that two administrators can't remove one another.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Case, IntegerField, Value, When
from django.urls import reverse

from players import caps
from players.broadcast import notify
from players.clean_text import clean_line
from players.markdown import MAX_MARKDOWN_CHARACTERS, clean_text
from players.models import Player
from players.names import make_name_key, sounds_like_staff
from players.selectors import find_blockers, find_by_name
from tournaments.clubs.queries import is_admin
from tournaments.models import Circuit, Club, ClubMember, Tournament
from tournaments.rankings.points import note_changes
from tournaments.venues import list_where

Role = ClubMember.Role

MIN_NAME_CHARACTERS, MAX_NAME_CHARACTERS = 3, 60
MAX_CLUBS_PER_ADMIN = 5

CLUB_CODES = frozenset(
    {
        "name_length",  # values: low, high
        "name_reserved",
        "club_name_taken",
        "text_too_long",  # values: limit
        "account_needed",
        "too_many_clubs",  # values: limit
        "not_admin",
        "last_admin",
        "not_alone",  # a club is dissolved by its last member
        "already_in",
        "already_asked",
        "not_in",
        "player_unknown",
        "player_is_guest",
        "player_is_house",
        "not_invitable",
        "too_many_asked",
        "unknown_role",
    }
)


class ClubError(Exception):
    """A refusal. ``code`` is one of CLUB_CODES, ``values`` fill its sentence."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in CLUB_CODES:
            raise ValueError(f"not a code of clubs: {code}")
        super().__init__(code)
        self.code = code
        self.values = values


def create_club(*, by: Player, name: str, description: str, now: datetime) -> Club:
    """Found a club, ``by`` its administrator."""
    if by.kind != Player.Kind.MEMBER:
        raise ClubError("account_needed")
    club = Club(created_at=now)
    try:
        with transaction.atomic():
            Player.objects.select_for_update(no_key=True).get(pk=by.pk)  # two requests at once are counted in turn
            if ClubMember.objects.filter(player=by, role=Role.ADMIN, confirmed=True).count() >= MAX_CLUBS_PER_ADMIN:
                raise ClubError("too_many_clubs", limit=MAX_CLUBS_PER_ADMIN)
            _write_texts(club, name, description)
            ClubMember.objects.create(club=club, player=by, role=Role.ADMIN, confirmed=True, since=now)
    except IntegrityError as error:
        raise ClubError("club_name_taken") from error
    return club


def edit_club(*, club_id: int, by: Player, name: str, description: str) -> Club:
    """Change the club's name and description."""
    try:
        with transaction.atomic():
            club = _lock_club(club_id)
            _require_admin(club, by)
            _write_texts(club, name, description)
    except IntegrityError as error:
        raise ClubError("club_name_taken") from error
    return club


@transaction.atomic
def ask_to_join(*, club_id: int, player: Player, now: datetime) -> ClubMember:
    """Ask to join, and notify the administrators. A player whom the club has invited is a member at once."""
    club = _lock_club(club_id)
    if player.kind != Player.Kind.MEMBER:
        raise ClubError("account_needed")
    row = ClubMember.objects.filter(club=club, player=player).first()
    if row is None:
        row = ClubMember.objects.create(club=club, player=player, since=now)
        _notify_players(club, _list_admins(club), "club_asked")
        return row
    if row.confirmed or not row.invited:
        raise ClubError("already_in" if row.confirmed else "already_asked")
    return _admit(row, now)


@transaction.atomic
def invite_to_club(*, club_id: int, by: Player, name: str, now: datetime) -> ClubMember:
    """Invite a player by name. A player who has asked to join is a member at once."""
    club = _lock_club(club_id)
    _require_admin(club, by)
    invited = find_by_name(name)
    if invited is None:
        raise ClubError("player_unknown")
    if invited.kind != Player.Kind.MEMBER:
        raise ClubError("player_is_house" if invited.is_house else "player_is_guest")
    row = ClubMember.objects.filter(club=club, player=invited).first()
    if row is None:
        recent = ClubMember.objects.filter(club=club, invited=True, since__gt=now - timedelta(hours=1))
        if recent.count() >= caps.CLUB_INVITATIONS_AN_HOUR:
            raise ClubError("too_many_asked")
        if find_blockers({invited.pk}, {by.pk}):
            raise ClubError("not_invitable")
        row = ClubMember.objects.create(club=club, player=invited, invited=True, since=now)
        _notify_players(club, [invited.pk], "club_invited")
        return row
    if row.confirmed or row.invited:
        raise ClubError("already_in" if row.confirmed else "already_asked")
    _notify_players(club, [invited.pk], "club_joined")
    return _admit(row, now)


@transaction.atomic
def answer_club(*, club_id: int, player: Player, accept: bool, now: datetime) -> None:
    """Accept or decline an invitation as the invited player."""
    club = _lock_club(club_id)
    row = ClubMember.objects.filter(club=club, player=player, confirmed=False, invited=True).first()
    if row is None:
        raise ClubError("not_in")
    if accept:
        _admit(row, now)
    else:
        row.delete()


@transaction.atomic
def answer_request(*, club_id: int, by: Player, player_id: int, accept: bool, now: datetime) -> None:
    """Accept or decline a request as an administrator."""
    club = _lock_club(club_id)
    _require_admin(club, by)
    row = ClubMember.objects.filter(club=club, player=player_id, confirmed=False, invited=False).first()
    if row is None:
        raise ClubError("not_in")
    if accept:
        _admit(row, now)
        _notify_players(club, [player_id], "club_joined")
    else:
        row.delete()


@transaction.atomic
def set_role(*, club_id: int, by: Player, player_id: int, role: str) -> None:
    """Change a member's role."""
    club = _lock_club(club_id)
    _require_admin(club, by)
    if role not in Role.values:
        raise ClubError("unknown_role")
    row = _get_member(club, player_id)
    if role != Role.ADMIN:
        _require_another_admin(club, row)
    row.role = role
    row.save(update_fields=["role"])


@transaction.atomic
def remove_member(*, club_id: int, by: Player, player_id: int) -> None:
    """Remove a member, or take an invitation back."""
    club = _lock_club(club_id)
    _require_admin(club, by)
    _delete_membership(club, player_id)


@transaction.atomic
def choose_consent(*, club_id: int, player: Player, consents: bool) -> None:
    """Let the club enter the player in its tournaments without asking each time (E3), or not any more. Nobody else
    chooses it; entries made meanwhile stay."""
    club = _lock_club(club_id)
    if not ClubMember.objects.filter(club=club, player=player, confirmed=True).update(consents=consents):
        raise ClubError("not_in")


@transaction.atomic
def leave_club(*, club_id: int, player: Player) -> None:
    """Leave the club, or take one's own request back."""
    _delete_membership(_lock_club(club_id), player.pk)


def _delete_membership(club: Club, player_id: int) -> None:
    """Delete a player's row in a locked club. ClubError: not_in, last_admin."""
    row = ClubMember.objects.filter(club=club, player=player_id).first()
    if row is None:
        raise ClubError("not_in")
    _require_another_admin(club, row)
    row.delete()


@transaction.atomic
def dissolve_club(*, club_id: int, by: Player, now: datetime) -> None:
    """Delete the club as its last member."""
    club = _lock_club(club_id)
    _require_admin(club, by)
    if ClubMember.objects.filter(club=club, confirmed=True).exclude(player=by).exists():
        raise ClubError("not_alone")
    _delete_club(club, now)


def _delete_club(club: Club, now: datetime) -> None:
    """Delete a locked club with its register: rankings and circuits follow, whose results stood on them (Y4)."""
    tournaments = list(Tournament.objects.filter(club=club).values_list("pk", flat=True))
    Circuit.objects.filter(club=club).update(due_at=now)
    club.delete()
    note_changes(Tournament.objects.filter(pk__in=tournaments), now)


@transaction.atomic
def vouch_for_club(*, club_id: int, vouched: bool, now: datetime) -> None:
    """Let the tournaments at a club's real tables count in the rankings of the site, or no longer (Y1): staff do."""
    club = _lock_club(club_id)
    if club.vouched == vouched:
        return
    club.vouched = vouched
    club.save(update_fields=["vouched"])
    note_changes(Tournament.objects.filter(club=club, venue__in=list_where(opens_tables=False)), now)


def leave_all_clubs(player: Player, now: datetime) -> None:
    """Leave every club, inside the transaction that closes the account.

    A club without another administrator passes on to its oldest organiser or member, or is deleted.
    """
    for club in Club.objects.select_for_update(of=("self",)).filter(members__player=player).order_by("pk"):
        ClubMember.objects.filter(club=club, player=player).delete()
        if _list_admins(club):
            continue
        heir = _find_heir(club)
        if heir is None:
            _delete_club(club, now)
            continue
        heir.role = Role.ADMIN
        heir.save(update_fields=["role"])
        _notify_players(club, [heir.player_id], "club_inherited")


@transaction.atomic
def hide_club_name(*, club_id: int) -> str:
    """Give the club a name that says nothing and no description, as an act of the staff (O2); return the name."""
    club = _lock_club(club_id)
    club.name, club.description = f"Circolo {club.public_id}", ""
    club.save()
    return club.name


def _find_heir(club: Club) -> ClubMember | None:
    organisers_first = Case(When(role=Role.ORGANISER, then=Value(0)), default=Value(1), output_field=IntegerField())
    return ClubMember.objects.filter(club=club, confirmed=True).order_by(organisers_first, "since", "pk").first()


def _write_texts(club: Club, name: str, description: str) -> None:
    clean_name = clean_line(name)
    if not MIN_NAME_CHARACTERS <= len(clean_name) <= MAX_NAME_CHARACTERS or len(make_name_key(clean_name)) < 2:
        raise ClubError("name_length", low=MIN_NAME_CHARACTERS, high=MAX_NAME_CHARACTERS)
    if sounds_like_staff(clean_name):
        raise ClubError("name_reserved")
    clean_description = clean_text(description)
    if len(clean_description) > MAX_MARKDOWN_CHARACTERS:
        raise ClubError("text_too_long", limit=MAX_MARKDOWN_CHARACTERS)
    club.name, club.description = clean_name, clean_description
    club.save()


def _lock_club(club_id: int) -> Club:
    """Lock the club until the transaction ends; "not_in" where it was dissolved meanwhile."""
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None:
        raise ClubError("not_in")
    return club


def _require_admin(club: Club, by: Player) -> None:
    if not is_admin(club, by):
        raise ClubError("not_admin")


def _get_member(club: Club, player_id: int) -> ClubMember:
    row = ClubMember.objects.filter(club=club, player=player_id, confirmed=True).first()
    if row is None:
        raise ClubError("not_in")
    return row


def _require_another_admin(club: Club, without: ClubMember) -> None:
    """Raise ClubError where nobody would administer the club without that member."""
    admin = without.confirmed and without.role == Role.ADMIN
    if admin and _list_admins(club) == [without.player_id]:
        raise ClubError("last_admin")


def _list_admins(club: Club) -> list[int]:
    rows = ClubMember.objects.filter(club=club, confirmed=True, role=Role.ADMIN)
    return list(rows.values_list("player_id", flat=True))


def _admit(row: ClubMember, now: datetime) -> ClubMember:
    row.confirmed, row.since, row.role = True, now, Role.MEMBER
    row.save(update_fields=["confirmed", "since", "role"])
    return row


def _notify_players(club: Club, player_ids: list[int], code: str) -> None:
    frame = {"t": "notice", "code": code, "url": reverse("club", args=[club.public_id]), "title": club.name}
    for player_id in player_ids:
        transaction.on_commit(partial(notify, player_id, frame))
