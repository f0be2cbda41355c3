"""Access of a request to tournaments: what its reader may see, and what its key was made for."""

from collections.abc import Callable

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.api.api_view import Scope, read_token, require_scope
from players.api.problems import ApiRefusal
from players.models import AccessToken, Player
from players.selectors import player_for
from players.services.tokens import OWN, make_target
from tournaments.core import visibility
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_run
from tournaments.models import Club, Tournament


def find_tournament(request: Request, public_id: str) -> Tournament:
    """Return a tournament that the reader may know of, with ``entries_count``; Http404 for any other."""
    rows = visibility.list_tournaments(player_for(request.user))
    tournament = rows.filter(public_id=public_id).first()
    if tournament is None:
        raise Http404
    return tournament


def require_reader(request: Request) -> Player:
    """Return who reads what is theirs alone, by a session or by a key that organises. ApiRefusal for anybody else."""
    player = player_for(request.user)
    if player is None:
        raise ApiRefusal(401, "token_needed", _("Per leggere questo serve una chiave: si fa nel profilo."))
    if read_token(request) is not None:
        require_scope(request, Scope.ORGANISE)
    return player


def require_owner(request: Request, target: str = OWN) -> Player:
    """Return who reads what is theirs alone, by a session or by a key made for it. ApiRefusal for anybody else."""
    player, token = require_reader(request), read_token(request)
    if token is not None and target not in token.targets:
        raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo."))
    return player


def find_private(
    request: Request, public_id: str, may: Callable[[Tournament, Player], bool] = may_run
) -> tuple[Tournament, Player]:
    """Return a tournament with its reader, who runs it, or ``may`` what is asked. ApiRefusal for anybody else, and for
    a key that wasn't made for it."""
    player = require_reader(request)
    tournament = find_tournament(request, public_id)
    if not is_open_to_key(request, tournament):
        raise ApiRefusal(403, "not_chosen", _("Questa chiave non è per questo torneo."))
    if not may(tournament, player):
        raise TournamentError("not_organiser")
    return tournament, player


def is_for_tournament(token: AccessToken, tournament: Tournament) -> bool:
    """Tell if the key was made to organise this tournament, or those of its club."""
    if make_target("tournament", tournament.public_id) in token.targets:
        return True
    return tournament.club is not None and is_for_club(token, tournament.club)


def is_for_club(token: AccessToken, club: Club) -> bool:
    """Tell if the key was made to organise in this club's name."""
    return make_target("club", club.public_id) in token.targets


def is_open_to_key(request: Request, what: Tournament | Club) -> bool:
    """Tell if the reader comes by a session, or by a key that was made to organise this."""
    token = read_token(request)
    if token is None:
        return True
    chosen = is_for_club(token, what) if isinstance(what, Club) else is_for_tournament(token, what)
    return Scope.ORGANISE in token.scopes and chosen


def may_read_as_organiser(request: Request, tournament: Tournament) -> bool:
    """Tell if the reader runs it and, where they come by a key, it was made for that."""
    return may_run(tournament, player_for(request.user)) and is_open_to_key(request, tournament)
