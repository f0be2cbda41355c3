"""Who has a place, who waits for one, who may enter (E3), and which pairs ask for whom. It never writes."""

from datetime import datetime, timedelta
from hmac import compare_digest

from django.db.models import QuerySet

from players.clean_text import clean_line
from players.models import Player
from tournaments.core.permissions import may_run
from tournaments.core.rows import Invitation, Waiting
from tournaments.core.states import ENTERING, UNDER_WAY
from tournaments.models import EntryMember, Tournament

State = Tournament.State
Registration = Tournament.Registration
LASTS = timedelta(hours=3)  # what a tournament takes, as far as a warning can know (E8)


def plain_code(typed: str) -> str:
    """A code as it is kept and compared: spaces and small letters don't count."""
    return clean_line(typed).replace(" ", "").upper()


def opens_with(tournament: Tournament, key: str) -> bool:
    """Whether ``key`` is the token of its link, or the code one types."""
    if tournament.registration == Registration.LINK:
        return _same(key, tournament.join_token)
    if tournament.registration == Registration.CODE:
        return _same(plain_code(key), tournament.join_code)
    return False


def _same(given: str, kept: str) -> bool:
    return bool(kept) and compare_digest(given.encode(), kept.encode())


def _shut(tournament: Tournament, player: Player | None, key: str) -> str | None:
    """Why the way in is shut for him; whoever runs the tournament needs no key."""
    code = {
        Registration.LINK: "link_needed",
        Registration.CODE: "code_needed",
        Registration.LIST: "list_only",
    }.get(Registration(tournament.registration))
    if code is None or opens_with(tournament, key) or may_run(tournament, player):
        return None
    return code


def refusal_to_join(
    tournament: Tournament, player: Player | None, *, entered: bool, entries: int, key: str = ""
) -> str | None:
    """Why ``player`` may not enter now: a TournamentError code, or None where he may. ``entries``: how many hold a
    place; ``key``: the link's token or the code, as far as he has it. With "full" he may still wait for a place."""
    if tournament.state not in ENTERING:
        return "registration_closed"
    if entered:
        return "already_entered"
    shut = _shut(tournament, player, key)
    if shut is not None:
        return shut
    if player is None:
        return "not_signed_in" if tournament.guests_allowed else "account_needed"
    if player.is_guest and not tournament.guests_allowed:
        return "guests_not_allowed"
    if player.is_house and not tournament.house_allowed:
        return "house_not_allowed"
    if entries >= tournament.max_entries:
        return "full"
    return None


def find_collisions(tournament: Tournament, player: Player, now: datetime) -> list[Tournament]:
    """The unfinished tournaments ``player`` is in that would want him at the same time (E8), the soonest first.

    What starts as soon as it is full may do so any moment.
    """
    others = Tournament.objects.filter(members__person__player=player, state__in=UNDER_WAY).exclude(pk=tournament.pk)
    begins, ends = _span(tournament, now)
    found = []
    for other in others.distinct():
        other_begins, other_ends = _span(other, now)
        if begins < other_ends and other_begins < ends:
            found.append((other_begins, other.pk, other))
    return [other for _begins, _pk, other in sorted(found, key=lambda each: each[:2])]


def awaiting_checkin(player: Player) -> QuerySet[Tournament]:
    """The tournaments that ask ``player`` now to say that he is there (E4), the soonest first."""
    away = Tournament.objects.filter(members__person__player=player, members__checked_in_at=None, state=State.CHECKIN)
    return away.order_by("starts_at")


def _span(tournament: Tournament, now: datetime) -> tuple[datetime, datetime]:
    if tournament.state == State.RUNNING and tournament.drawn_at is not None:
        return tournament.drawn_at, max(tournament.drawn_at + LASTS, now + timedelta(hours=1))
    begins = now if tournament.starts_at is None else tournament.starts_at
    return begins, begins + LASTS


def list_invitations(player: Player, tournament: Tournament | None = None) -> tuple[Invitation, ...]:
    """The pairs that ask ``player`` to be their second, in one tournament or in all of them, the oldest first."""
    asking = EntryMember.objects.filter(entry__invited=player, entry__confirmed=False, tournament__state__in=ENTERING)
    if tournament is not None:
        asking = asking.filter(tournament=tournament)
    rows = asking.with_people().select_related("tournament").order_by("entry_id")
    return tuple(Invitation(row.entry_id, row.person.name, row.tournament) for row in rows)


def asker_by_link(tournament: Tournament, token: str) -> Player | None:
    """Who asks with the link of that token; None where it holds no more."""
    rows = EntryMember.objects.filter(tournament=tournament, entry__confirmed=False, entry__token=token)
    row = rows.with_people().first() if token and tournament.state in ENTERING else None
    return None if row is None else row.person.player


def may_check_in(tournament: Tournament, player: Player) -> bool:
    """Whether ``player`` is entered and hasn't checked in, while one may (E4)."""
    if tournament.state != State.CHECKIN:
        return False
    return tournament.members.of_player(player).filter(checked_in_at=None).exists()


def read_waiting(tournament: Tournament, player: Player) -> Waiting | None:
    """The pending pair of ``player`` in a tournament, if he has one."""
    own = tournament.entries.unconfirmed().of_player(player)
    entry = own.select_related("invited").first()
    if entry is None:
        return None
    return Waiting(None if entry.invited is None else entry.invited.name, entry.token, entry.expires_at)
