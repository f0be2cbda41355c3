"""Clubs: founded, joined, left, and who may do what in their name.

A club is never without an administrator: the last one can neither leave nor be demoted, and when his account closes the
oldest organiser, else the oldest member, takes his place; with nobody left the club is gone. Members only: a guest's
name is not his own yet. The club's row is locked first, so that two can't each let the other go.
"""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Case, IntegerField, Value, When
from django.urls import reverse

from players.broadcast import notify
from players.markdown import LONGEST, clean_text
from players.models import Club, ClubMember, Player
from players.names import name_key, passes_for_the_house
from players.selectors import named
from players.text import clean_line

Role = ClubMember.Role

SHORTEST_CLUB_NAME, LONGEST_CLUB_NAME = 3, 60
CLUBS_EACH = 5  # that one person administers
ASKED_AN_HOUR = 30  # invitations of one club; nobody has it call strangers all day

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
        "too_many_asked",
        "unknown_role",
    }
)


class ClubError(Exception):
    """What a club refuses. ``code`` is one of CLUB_CODES, ``values`` what its sentence needs."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in CLUB_CODES:
            raise ValueError(f"not a code of clubs: {code}")
        super().__init__(code)
        self.code = code
        self.values = values


def create_club(*, by: Player, name: str, description: str, now: datetime) -> Club:
    """A new club, ``by`` its administrator."""
    if by.kind != Player.Kind.MEMBER:
        raise ClubError("account_needed")
    club = Club(created_at=now)
    try:
        with transaction.atomic():
            Player.objects.select_for_update(no_key=True).get(pk=by.pk)  # two made at once are counted in turn
            if ClubMember.objects.filter(player=by, role=Role.ADMIN, confirmed=True).count() >= CLUBS_EACH:
                raise ClubError("too_many_clubs", limit=CLUBS_EACH)
            _say(club, name, description)
            ClubMember.objects.create(club=club, player=by, role=Role.ADMIN, confirmed=True, since=now)
    except IntegrityError as error:
        raise ClubError("club_name_taken") from error
    return club


def edit_club(*, club_id: int, by: Player, name: str, description: str) -> Club:
    """Its name and what it says of itself."""
    try:
        with transaction.atomic():
            club = _locked(club_id)
            _require_admin(club, by)
            _say(club, name, description)
    except IntegrityError as error:
        raise ClubError("club_name_taken") from error
    return club


@transaction.atomic
def ask_to_join(*, club_id: int, player: Player, now: datetime) -> ClubMember:
    """He is let in at once where the club has invited him, else its administrators are told."""
    club = _locked(club_id)
    if player.kind != Player.Kind.MEMBER:
        raise ClubError("account_needed")
    row = ClubMember.objects.filter(club=club, player=player).first()
    if row is None:
        row = ClubMember.objects.create(club=club, player=player, since=now)
        _tell(club, _admins(club), "club_asked")
        return row
    if row.confirmed or not row.invited:
        raise ClubError("already_in" if row.confirmed else "already_asked")
    return _let_in(row, now)


@transaction.atomic
def invite_to_club(*, club_id: int, by: Player, name: str, now: datetime) -> ClubMember:
    """Ask somebody by name; who asked by himself is let in."""
    club = _locked(club_id)
    _require_admin(club, by)
    found = named(name)
    if found is None:
        raise ClubError("player_unknown")
    if found.kind != Player.Kind.MEMBER:
        raise ClubError("player_is_house" if found.is_house else "player_is_guest")
    row = ClubMember.objects.filter(club=club, player=found).first()
    if row is None:
        lately = ClubMember.objects.filter(club=club, invited=True, since__gt=now - timedelta(hours=1))
        if lately.count() >= ASKED_AN_HOUR:
            raise ClubError("too_many_asked")
        row = ClubMember.objects.create(club=club, player=found, invited=True, since=now)
        _tell(club, [found.pk], "club_invited")
        return row
    if row.confirmed or row.invited:
        raise ClubError("already_in" if row.confirmed else "already_asked")
    _tell(club, [found.pk], "club_joined")
    return _let_in(row, now)


@transaction.atomic
def answer_club(*, club_id: int, player: Player, accept: bool, now: datetime) -> None:
    """An invited player's own yes or no."""
    club = _locked(club_id)
    row = ClubMember.objects.filter(club=club, player=player, confirmed=False, invited=True).first()
    if row is None:
        raise ClubError("not_in")
    if accept:
        _let_in(row, now)
    else:
        row.delete()


@transaction.atomic
def answer_request(*, club_id: int, by: Player, player_id: int, accept: bool, now: datetime) -> None:
    """An administrator's yes or no to who asked."""
    club = _locked(club_id)
    _require_admin(club, by)
    row = ClubMember.objects.filter(club=club, player=player_id, confirmed=False, invited=False).first()
    if row is None:
        raise ClubError("not_in")
    if accept:
        _let_in(row, now)
        _tell(club, [player_id], "club_joined")
    else:
        row.delete()


@transaction.atomic
def set_role(*, club_id: int, by: Player, player_id: int, role: str) -> None:
    """What a member may do in the club's name from now on."""
    club = _locked(club_id)
    _require_admin(club, by)
    if role not in Role.values:
        raise ClubError("unknown_role")
    row = _member(club, player_id)
    if role != Role.ADMIN:
        _keep_an_admin(club, row)
    row.role = role
    row.save(update_fields=["role"])


@transaction.atomic
def remove_member(*, club_id: int, by: Player, player_id: int) -> None:
    """Out, or an invitation taken back."""
    club = _locked(club_id)
    _require_admin(club, by)
    row = ClubMember.objects.filter(club=club, player=player_id).first()
    if row is None:
        raise ClubError("not_in")
    _keep_an_admin(club, row)
    row.delete()


@transaction.atomic
def leave_club(*, club_id: int, player: Player) -> None:
    """A member goes; who had only asked takes it back."""
    club = _locked(club_id)
    row = ClubMember.objects.filter(club=club, player=player).first()
    if row is None:
        raise ClubError("not_in")
    _keep_an_admin(club, row)
    row.delete()


@transaction.atomic
def dissolve_club(*, club_id: int, by: Player) -> None:
    """The last member turns the light off."""
    club = _locked(club_id)
    _require_admin(club, by)
    if ClubMember.objects.filter(club=club, confirmed=True).exclude(player=by).exists():
        raise ClubError("not_alone")
    club.delete()


def leave_all_clubs(player: Player) -> None:
    """His account closes: what he alone administered passes on, or goes. Inside the transaction that closes it."""
    for club in Club.objects.select_for_update(of=("self",)).filter(members__player=player).order_by("pk"):
        ClubMember.objects.filter(club=club, player=player).delete()
        if _admins(club):
            continue
        heir = _heir(club)
        if heir is None:
            club.delete()
            continue
        heir.role = Role.ADMIN
        heir.save(update_fields=["role"])
        _tell(club, [heir.player_id], "club_inherited")


def _heir(club: Club) -> ClubMember | None:
    first = Case(When(role=Role.ORGANISER, then=Value(0)), default=Value(1), output_field=IntegerField())
    return ClubMember.objects.filter(club=club, confirmed=True).order_by(first, "since", "pk").first()


def _say(club: Club, name: str, description: str) -> None:
    called = clean_line(name)
    if not SHORTEST_CLUB_NAME <= len(called) <= LONGEST_CLUB_NAME or len(name_key(called)) < 2:
        raise ClubError("name_length", low=SHORTEST_CLUB_NAME, high=LONGEST_CLUB_NAME)
    if passes_for_the_house(called):
        raise ClubError("name_reserved")
    said = clean_text(description)
    if len(said) > LONGEST:
        raise ClubError("text_too_long", limit=LONGEST)
    club.name, club.description = called, said
    club.save()


def _locked(club_id: int) -> Club:
    """The club, held until the transaction ends; "not_in" where it was dissolved meanwhile."""
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None:
        raise ClubError("not_in")
    return club


def _require_admin(club: Club, by: Player) -> None:
    if not ClubMember.objects.filter(club=club, player=by, confirmed=True, role=Role.ADMIN).exists():
        raise ClubError("not_admin")


def _member(club: Club, player_id: int) -> ClubMember:
    row = ClubMember.objects.filter(club=club, player=player_id, confirmed=True).first()
    if row is None:
        raise ClubError("not_in")
    return row


def _keep_an_admin(club: Club, without: ClubMember) -> None:
    """ClubError where nobody would administer the club without that one."""
    admin = without.confirmed and without.role == Role.ADMIN
    if admin and _admins(club) == [without.player_id]:
        raise ClubError("last_admin")


def _admins(club: Club) -> list[int]:
    rows = ClubMember.objects.filter(club=club, confirmed=True, role=Role.ADMIN)
    return list(rows.values_list("player_id", flat=True))


def _let_in(row: ClubMember, now: datetime) -> ClubMember:
    row.confirmed, row.since, row.role = True, now, Role.MEMBER
    row.save(update_fields=["confirmed", "since", "role"])
    return row


def _tell(club: Club, player_ids: list[int], code: str) -> None:
    frame = {"t": "notice", "code": code, "url": reverse("club", args=[club.public_id]), "title": club.name}
    for player_id in player_ids:
        transaction.on_commit(partial(notify, player_id, frame))
