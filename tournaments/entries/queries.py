"""Queries about entering: who may enter (E3), who is asked to check in or to join a pair. It never writes."""

from datetime import datetime, timedelta
from hmac import compare_digest

from django.db.models import F, Q, QuerySet

from games.prepared_sql import PreparedSql
from players.clean_text import clean_line
from players.models import FixedPair, Player
from tournaments.core.permissions import may_run
from tournaments.core.rows import Invitation, InvitationToPlay, InvitedRow, Waiting
from tournaments.core.states import ENTERING, UNDER_WAY
from tournaments.entries.level_admission import admits
from tournaments.entries.schedule import compute_start
from tournaments.models import Entry, EntryMember, Invitee, PlayInvitation, Tournament

# Every page asks, and hardly anybody is asked for: that is found out by statements made once.
ENTRIES, INVITEES = PreparedSql(Entry), PreparedSql(Invitee)  # only read here
State = Tournament.State
Registration = Tournament.Registration
MAX_INVITED = 500  # invitations listed for whoever runs a tournament
ESTIMATED_LENGTH = timedelta(hours=3)  # of a tournament, for warnings (E8)


def normalise_code(typed: str) -> str:
    """Return a code in its stored form: without spaces, in capitals."""
    return clean_line(typed).replace(" ", "").upper()


def accepts_key(tournament: Tournament, key: str) -> bool:
    """Return whether ``key`` is the token of the tournament's link, or its code."""
    if tournament.registration == Registration.LINK:
        return _matches(key, tournament.join_token)
    if tournament.registration == Registration.CODE:
        return _matches(normalise_code(key), tournament.join_code)
    return False


def _matches(given: str, kept: str) -> bool:
    return bool(kept) and compare_digest(given.encode(), kept.encode())


def _find_registration_refusal(tournament: Tournament, player: Player | None, key: str) -> str | None:
    """Return the refusal of the registration without a valid key; None with one, or for whoever runs the tournament."""
    code = {
        Registration.LINK: "link_needed",
        Registration.CODE: "code_needed",
        Registration.LIST: "list_only",
    }.get(Registration(tournament.registration))
    if code is None or accepts_key(tournament, key) or may_run(tournament, player):
        return None
    return code


def count_taken_places(tournament: Tournament) -> int:
    """Return how many places aren't free: those of entries, and those that open invitations hold (E3)."""
    return tournament.entries.in_place().count() + tournament.invitations.holding().count()


def find_join_refusal(
    tournament: Tournament, player: Player | None, *, entered: bool, entries: int, key: str = ""
) -> str | None:
    """Return the TournamentError code that keeps ``player`` from entering now; None if they may.

    ``entries``: how many places aren't free; ``key``: the link's token or the code, as far as the player has it. With
    "full" they may still wait for a place. At real tables no account enters where teams do: who may enter one gets
    "teams_typed".
    """
    refusal = find_entry_refusal(tournament, player, entered=entered, entries=entries, key=key)
    typed = tournament.entry_kind.lists_people and tournament.venue.enters_names
    return "teams_typed" if typed and refusal in (None, "not_signed_in", "full") else refusal


def find_entry_refusal(
    tournament: Tournament, player: Player | None, *, entered: bool, entries: int, key: str = ""
) -> str | None:
    """Return the same, whatever an entry is."""
    if tournament.state not in ENTERING:
        return "registration_closed"
    if entered:
        return "already_entered"
    refusal = _find_reader_refusal(tournament, player, key)
    if refusal is not None:
        return refusal
    return "full" if entries >= tournament.max_entries else None


def find_admission_refusal(tournament: Tournament, player: Player | None, key: str) -> str | None:
    """Return the TournamentError code that keeps ``player`` out of a tournament whatever its state and its places (E3);
    None if nothing does."""
    typed = tournament.entry_kind.lists_people and tournament.venue.enters_names
    return "teams_typed" if typed else _find_reader_refusal(tournament, player, key)


def _find_reader_refusal(tournament: Tournament, player: Player | None, key: str) -> str | None:
    refusal = _find_registration_refusal(tournament, player, key)
    if refusal is not None:
        return refusal
    if player is None:
        return "not_signed_in" if tournament.guests_allowed else "account_needed"
    if player.is_guest and not tournament.guests_allowed:
        return "guests_not_allowed"
    if player.is_house and not tournament.house_allowed:
        return "house_not_allowed"
    if tournament.venue.enters_names and is_in_by_name(tournament, player):
        return "already_entered"
    if tournament.playing_kind.entering.enters_alone and not admits(tournament, [player]):
        return "level_outside"
    return None


def is_in_by_name(tournament: Tournament, player: Player) -> bool:
    """Tell if the player is somebody who was entered by name, as their accepted claim says (E1, O2)."""
    claimed = tournament.name_claims.standing().filter(player=player).values("person")
    return tournament.members.filter(person__in=claimed).exists()


def find_collisions(tournament: Tournament, player: Player, now: datetime) -> list[Tournament]:
    """Return the unfinished tournaments of ``player`` that overlap with this one (E8), the soonest first.

    A tournament that starts as soon as it is full may do so at any moment.
    """
    others = Tournament.objects.filter(members__person__player=player, state__in=UNDER_WAY).exclude(pk=tournament.pk)
    begins, ends = _estimate_span(tournament, now)
    collisions = []
    for other in others.distinct():
        other_begins, other_ends = _estimate_span(other, now)
        if begins < other_ends and other_begins < ends:
            collisions.append((other_begins, other.pk, other))
    return [other for _begins, _pk, other in sorted(collisions, key=lambda collision: collision[:2])]


def list_awaiting_checkin(player: Player) -> QuerySet[Tournament]:
    """Return the tournaments that ask ``player`` now to check in (E4), the soonest first."""
    away = Tournament.objects.filter(members__person__player=player, members__checked_in_at=None, state=State.CHECKIN)
    return away.order_by("starts_at")


def _estimate_span(tournament: Tournament, now: datetime) -> tuple[datetime, datetime]:
    if tournament.state == State.RUNNING and tournament.drawn_at is not None:
        return tournament.drawn_at, max(tournament.drawn_at + ESTIMATED_LENGTH, now + timedelta(hours=1))
    begins = now if tournament.starts_at is None else tournament.starts_at
    return begins, begins + ESTIMATED_LENGTH


def list_invitations(player: Player, tournament: Tournament | None = None) -> tuple[Invitation, ...]:
    """Return the pairs that ask ``player`` to be their partner, in one tournament or in all of them, the oldest
    first."""
    if not ENTRIES.exists(invited=player.pk, confirmed=False):
        return ()
    asking = EntryMember.objects.filter(entry__invited=player, entry__confirmed=False, tournament__state__in=ENTERING)
    if tournament is not None:
        asking = asking.filter(tournament=tournament)
    rows = asking.with_people().select_related("tournament").order_by("entry_id")
    return tuple(Invitation(row.entry_id, row.person.name, row.tournament) for row in rows)


def find_asker_by_link(tournament: Tournament, token: str) -> Player | None:
    """Return the player who asks by the link of that token; None if it isn't valid any more."""
    rows = EntryMember.objects.filter(tournament=tournament, entry__confirmed=False, entry__token=token)
    row = rows.with_people().first() if token and tournament.state in ENTERING else None
    return None if row is None else row.person.player


def may_check_in(tournament: Tournament, player: Player) -> bool:
    """Return whether ``player`` is entered, hasn't checked in, and may do so now (E4)."""
    if tournament.state != State.CHECKIN:
        return False
    return tournament.members.of_player(player).filter(checked_in_at=None).exists()


def read_waiting(tournament: Tournament, player: Player) -> Waiting | None:
    """Return the pending pair of ``player`` in a tournament; None without one."""
    own = tournament.entries.unconfirmed().of_player(player)
    entry = own.select_related("invited").first()
    if entry is None:
        return None
    return Waiting(None if entry.invited is None else entry.invited.name, entry.token, entry.expires_at)


def list_play_invitations(player: Player, tournament: Tournament | None = None) -> tuple[InvitationToPlay, ...]:
    """Return the open invitations to ``player`` of those who run or referee a tournament (E3), the oldest first."""
    if not INVITEES.exists(player=player.pk):
        return ()
    mine = Invitee.objects.filter(player=player, invitation__ended_at=None, invitation__expires_at__isnull=False)
    if tournament is not None:
        mine = mine.filter(invitation__tournament=tournament)
    Kind = PlayInvitation.Kind
    answerable = (
        Q(invitation__kind=Kind.ENTRY, invitation__tournament__state__in=ENTERING)
        | Q(invitation__kind=Kind.PLACE, invitation__tournament__state=State.RUNNING)
        | Q(invitation__kind=Kind.RETURN, invitation__tournament__state__in=(State.RUNNING, State.FINISHED))
    )
    rows = mine.filter(answerable).order_by("invitation__made_at", "pk")
    about = ("invitation__tournament", "invitation__by", "invitation__replaces__player")
    rows = rows.select_related(*about).prefetch_related("invitation__invitees__player")
    return tuple(_make_invitation(row) for row in rows)


def _make_invitation(row: Invitee) -> InvitationToPlay:
    invitation = row.invitation
    others = [other.player.name for other in invitation.invitees.all() if other.pk != row.pk]
    replaces = invitation.replaces
    return InvitationToPlay(
        invitation_id=invitation.pk,
        kind=invitation.kind,
        by=invitation.by.name,
        tournament=invitation.tournament,
        partners=tuple(others),
        team=invitation.team_name,
        own=invitation.by_id == row.player_id,
        agreed=tuple(
            other.player.name
            for other in invitation.invitees.all()
            if other.pk != row.pk and other.accepted_at is not None
        ),
        replaces="" if replaces is None else replaces.name,
        accepted=row.accepted_at is not None,
        until=_find_end(invitation, invitation.tournament),
    )


def _find_end(invitation: PlayInvitation, tournament: Tournament) -> datetime | None:
    """Return until when an invitation can be answered: who is asked to enter must have done so by the draw (E3). None
    for one of a draft."""
    start = compute_start(tournament) if invitation.kind == PlayInvitation.Kind.ENTRY else None
    if start is None or invitation.expires_at is None:
        return invitation.expires_at
    return min(invitation.expires_at, start)


def list_fixed_partners(tournament: Tournament, player: Player) -> list[Player]:
    """Return with whom the player has a fixed pair and who can still be asked for this tournament, by name. A block of
    theirs takes nobody out: whoever is blocked is never told."""
    standing = FixedPair.objects.filter(formed_at__isnull=False, ended_at=None)
    others = Q(pairs_second__in=standing.filter(first=player)) | Q(pairs_first__in=standing.filter(second=player))
    entered = tournament.members.filter(entry__confirmed=True, person__player__isnull=False).values("person__player")
    return list(Player.objects.filter(others).exclude(pk__in=entered).distinct().order_by("name_key"))


def read_invited(tournament: Tournament) -> tuple[InvitedRow, ...]:
    """Return the invitations to a tournament with their answers, for whoever runs it: the open ones first, then the
    latest."""
    rows = tournament.invitations.prefetch_related("invitees__player").order_by(
        F("ended_at").desc(nulls_first=True), "pk"
    )
    return tuple(
        InvitedRow(
            invitation_id=row.pk,
            kind=row.kind,
            name=_name_invited(row),
            outcome=row.outcome,
            made_at=row.made_at,
            until=_find_end(row, tournament),
            ended_at=row.ended_at,
            agreed=tuple(invitee.player.name for invitee in row.invitees.all() if invitee.accepted_at is not None),
        )
        for row in rows[:MAX_INVITED]
    )


def _name_invited(invitation: PlayInvitation) -> str:
    names = " – ".join(invitee.player.name for invitee in invitation.invitees.all())
    return f"{invitation.team_name}: {names}" if invitation.team_name else names


def find_self_refusal(tournament: Tournament, player: Player | None, join_key: str) -> str | None:
    """Return the TournamentError code that keeps a reader from writing names themselves; None if they may.

    A reader with an account writes only a partner's; of a team everybody's, without anybody's account (O12).
    """
    if not tournament.venue.enters_names:
        return "not_real"
    entered = player is not None and tournament.members.of_player(player).exists()
    refusal = find_entry_refusal(tournament, player, entered=entered, entries=0, key=join_key)
    if player is None or tournament.entry_kind.lists_people:
        return None if refusal == "not_signed_in" else refusal
    return refusal or (None if tournament.entry_kind.names_partner else "not_pairs")
