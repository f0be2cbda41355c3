"""Consent and open invitations (E3): who need not be asked, who can't be, how many one may send, and how they end.

An invitation seats nobody and keeps nobody from anything. Every function that writes takes a locked tournament; nothing
here answers for anybody.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, QuerySet

from players import caps
from players.models import Player
from players.selectors import find_blockers, find_blocks, find_suspended
from tournaments.core import notify
from tournaments.core.errors import TournamentError
from tournaments.core.locking import write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.states import ENTERING
from tournaments.models import ClubMember, Entry, Invitee, PlayInvitation, Tournament

Kind = PlayInvitation.Kind
Outcome = PlayInvitation.Outcome
HOLD = timedelta(hours=48)  # without an answer an invitation lapses after so long
KEPT_FOR = timedelta(days=30)  # once it has ended
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Consent:
    """The players, by id, who have agreed beforehand, and those who can't be invited: nobody is told why."""

    agreed: frozenset[int]
    closed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Allowance:
    """The number of invitations, and of people named in them, that somebody may still send now."""

    invitations: int
    people: int


@dataclass(frozen=True, slots=True)
class InvitedEntry:
    """The players of an entry to invite, those who have agreed beforehand by id, and its place in the organiser's
    order."""

    players: Sequence[Player]
    agreed: Collection[int] = ()
    placed: int | None = None
    team: str = ""  # the name of a team (J11)


def lock_inviter(by: Player) -> None:
    """Lock who invites, so that their invitations are counted in turn. Before the tournament's lock."""
    Player.objects.select_for_update(no_key=True).get(pk=by.pk)


def read_consent(tournament: Tournament, by: Player, players: Iterable[Player], now: datetime) -> Consent:
    """Return which of these players ``by`` may enter at once, and which they can't even invite.

    Agreed: ``by`` themself, and members of the tournament's club who let it enter them. A block outweighs that, and a
    suspension everything (U2).
    """
    ids = {player.pk for player in players}
    suspended = find_suspended(ids, now)
    closed = find_closed(ids, by, now, organiser_id=tournament.organiser_id) - {by.pk} | suspended
    agreed = {by.pk} & ids
    if tournament.club_id is not None:
        members = ClubMember.objects.filter(club=tournament.club_id, player__in=ids, confirmed=True, consents=True)
        blockers = find_blockers(ids, {by.pk, tournament.organiser_id})
        agreed |= set(members.values_list("player_id", flat=True)) - blockers
    agreed -= suspended
    return Consent(frozenset(agreed), frozenset(closed - agreed))


def find_closed(ids: Collection[int], by: Player, now: datetime, organiser_id: int | None = None) -> set[int]:
    """Return those of these players, by id, whom ``by`` can't invite now: they have blocked who invites, or are blocked
    by them (B6), or are suspended (U2), or have as many invitations as anybody may have, or were asked by ``by`` often
    enough today."""
    inviters = {by.pk} if organiser_id is None else {by.pk, organiser_id}
    mine = Invitee.objects.filter(player__in=ids)
    open_ = Counter(dict(_count_by_player(mine.filter(invitation__ended_at=None))))
    asked = Entry.objects.filter(invited__in=ids, confirmed=False, tournament__state__in=ENTERING)
    open_.update(dict(asked.values_list("invited").annotate(n=Count("pk")).order_by()))
    today = dict(_count_by_player(mine.filter(invitation__by=by, invitation__made_at__gt=now - DAY)))
    full = {pk for pk, count in open_.items() if count >= caps.OPEN_INVITATIONS_A_PERSON}
    pestered = {pk for pk, count in today.items() if count >= caps.INVITATIONS_BY_ONE_TO_ONE_A_DAY}
    blocks = find_blocks({*ids, *inviters})
    blocked = {pk for pk in ids if any(frozenset({pk, inviter}) in blocks for inviter in inviters)}
    return blocked | full | pestered | find_suspended(ids, now)


def _count_by_player(rows: QuerySet[Invitee]) -> Iterable[tuple[int, int]]:
    return rows.values_list("player").annotate(n=Count("pk")).order_by()


def read_allowance(by: Player, now: datetime) -> Allowance:
    """Return how many invitations ``by`` may still send."""
    open_ = PlayInvitation.objects.open().filter(by=by).count()
    today = Invitee.objects.filter(invitation__by=by, invitation__made_at__gt=now - DAY).count()
    return Allowance(
        max(0, caps.OPEN_INVITATIONS_AN_ORGANISER - open_), max(0, caps.INVITATIONS_AN_ORGANISER_A_DAY - today)
    )


def require_invitable(tournament: Tournament, by: Player, player: Player, now: datetime) -> None:
    """Raise TournamentError where ``by`` can't invite one player more, or not this one: too_many_invitations,
    invited_already, not_invitable."""
    allowance = read_allowance(by, now)
    if not allowance.invitations or not allowance.people:
        raise TournamentError("too_many_invitations")
    if tournament.invitations.open().filter(invitees__player=player).exists():
        raise TournamentError("invited_already")
    if player.pk in find_closed({player.pk}, by, now, organiser_id=tournament.organiser_id):
        raise TournamentError("not_invitable")


def create_invitations(
    tournament: Tournament, by: Player, entries: Sequence[InvitedEntry], now: datetime, *, hold: timedelta = HOLD
) -> list[int]:
    """Store an invitation for each of these entries, in the same few queries for any number. Return whom to tell, by
    id."""
    PlayInvitation.objects.filter(by=by, ended_at__lte=now - KEPT_FOR).delete()
    draft = tournament.state == Tournament.State.DRAFT
    rows = PlayInvitation.objects.bulk_create(
        [
            PlayInvitation(
                tournament=tournament,
                by=by,
                made_at=now,
                expires_at=None if draft else now + hold,
                placed=entry.placed,
                team_name=entry.team,
            )
            for entry in entries
        ],
        batch_size=500,
    )
    Invitee.objects.bulk_create(
        [
            Invitee(
                invitation=row,
                player=player,
                position=position,
                accepted_at=now if player.pk in entry.agreed else None,
            )
            for row, entry in zip(rows, entries, strict=True)
            for position, player in enumerate(entry.players)
        ],
        batch_size=500,
    )
    return [player.pk for entry in entries for player in entry.players if player.pk not in entry.agreed]


def tell_invited(tournament: Tournament, player_ids: Collection[int], now: datetime) -> None:
    """Tell these players that they are invited."""
    notify.tell_people(tournament, player_ids, "play_invited")
    notify.mail_people(tournament, player_ids, "play_invited", now, about=tournament.version)


def announce_invitations(tournament: Tournament, now: datetime) -> None:
    """Tell the people invited to a draft that was just published; their time to answer begins.

    Whoever has blocked the inviter meanwhile, or is suspended (U2), isn't told, and an invitation that lost one of its
    people is none.
    """
    asked: list[int] = []
    for row in tournament.invitations.holding().filter(expires_at=None).prefetch_related("invitees"):
        ids = [invitee.player_id for invitee in row.invitees.all()]
        closed = find_blockers(ids, {row.by_id, tournament.organiser_id}) | find_suspended(ids, now)
        if closed or len(ids) != tournament.entry_kind.line_up_size:
            end_invitation(row, Outcome.LAPSED, now)
            continue
        row.expires_at = now + HOLD
        row.save(update_fields=["expires_at"])
        asked += [invitee.player_id for invitee in row.invitees.all() if invitee.accepted_at is None]
    if asked:
        tell_invited(tournament, asked, now)


def get_open_invitation(
    tournament: Tournament, player: Player, invitation_id: int, now: datetime, kind: str | None = None
) -> PlayInvitation:
    """Return an invitation that the player may answer now. TournamentError: invitation_gone."""
    rows = tournament.invitations.open().filter(pk=invitation_id, invitees__player=player, expires_at__gt=now)
    row = (rows if kind is None else rows.filter(kind=kind)).select_related("by").first()
    if row is None:
        raise TournamentError("invitation_gone")
    return row


def end_invitation(invitation: PlayInvitation, outcome: str, now: datetime) -> None:
    """Store how an invitation ended."""
    invitation.ended_at, invitation.outcome = now, outcome
    invitation.save(update_fields=["ended_at", "outcome"])


def release_invitations(tournament: Tournament, player: Player, now: datetime) -> bool:
    """End the invitations of a player who enters by themself: the place they held is theirs to take. Return whether
    there were any."""
    rows = list(tournament.invitations.open().filter(invitees__player=player).exclude(kind=Kind.RETURN))
    for row in rows:
        end_invitation(row, Outcome.LAPSED, now)
        agreed = row.invitees.exclude(player=player).filter(accepted_at__isnull=False)
        notify.tell_people(tournament, list(agreed.values_list("player_id", flat=True)), "pair_declined")
    return bool(rows)


def lapse_invitations(tournament: Tournament, rows: Iterable[PlayInvitation], now: datetime) -> int:
    """End these invitations, to which nobody or not everybody has said yes, and tell who waited. Return how many."""
    lapsed = list(rows)
    if not lapsed:
        return 0
    PlayInvitation.objects.filter(pk__in=[row.pk for row in lapsed]).update(ended_at=now, outcome=Outcome.LAPSED)
    write_log(tournament, "invitations_lapsed", now, detail=CountDetail(count=len(lapsed)))
    agreed = Invitee.objects.filter(invitation__in=lapsed, accepted_at__isnull=False)
    notify.tell_people(tournament, sorted(set(agreed.values_list("player_id", flat=True))), "pair_expired")
    notify.tell_people(tournament, sorted({row.by_id for row in lapsed}), "invitations_lapsed")
    return len(lapsed)
