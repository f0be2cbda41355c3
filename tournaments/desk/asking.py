"""Acts of a referee that wait for a player's yes (F2, E3): who is asked, and the act that happens when they accept."""

from datetime import datetime

from players.models import Person, Player
from tournaments.core.errors import TournamentError
from tournaments.desk.act import Act, begin_act
from tournaments.entries.open_invitations import HOLD, get_open_invitation, tell_invited
from tournaments.entries.suspensions import require_leave_to_play
from tournaments.models import Entry, Invitee, PlayInvitation, Tournament


def ask_to_play(
    tournament: Tournament, kind: str, player: Player, entry: Entry, act: Act, *, replaces: Person | None = None
) -> PlayInvitation:
    """Store the act as an invitation to ``player``, and tell them. The caller has checked that they may be asked."""
    invitation = PlayInvitation.objects.create(
        tournament=tournament,
        by=act.by,
        kind=kind,
        made_at=act.now,
        expires_at=act.now + HOLD,
        entry=entry,
        replaces=replaces,
        reason=act.reason,
        act=act.key,
    )
    Invitee.objects.create(invitation=invitation, player=player)
    tell_invited(tournament, [player.pk], act.now)
    return invitation


def open_asked_act(
    tournament_id: int, player: Player, invitation_id: int, kind: str, now: datetime
) -> tuple[Tournament, PlayInvitation, Act]:
    """Return the locked tournament, the invitation that the player accepts now, and the act of whoever asked.

    TournamentError "invitation_gone" also where they don't referee it any more, or the tournament is called off;
    "suspended" (U2).
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    invitation = get_open_invitation(tournament, player, invitation_id, now, kind)
    require_leave_to_play(player, now)
    act = Act(by=invitation.by, reason=invitation.reason, now=now, key=invitation.act)
    try:
        locked = begin_act(tournament_id, act)
    except TournamentError as error:
        raise TournamentError("invitation_gone") from error
    if locked is None:
        raise TournamentError("invitation_gone")
    return locked, invitation, act
