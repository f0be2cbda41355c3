"""Notices that every page of the site shows to its reader: their open table, and the pairs that ask for them (W1). It
never writes."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.selectors import find_open_table
from players.selectors import player_for
from players.services.open_tables import OpenTable
from players.web.live import PageContext
from players.web.requests import find_reader
from tournaments.core import rows, visibility, wording
from tournaments.desk.queries import has_referee
from tournaments.entries import queries as entries_queries

PAIR_PAGES = ("tournament", "pair", "pair-link")


def build_notices(request: HttpRequest) -> PageContext:
    """Return the context of every template (W1).

    ``desk_pass``: of the desk that this browser may work at (O9); ``open_table``: the reader's open table (url, title),
    None on its own page; ``pair_invitations``: the pairs that ask for the reader, and ``play_invitations``: those of
    who runs or referees a tournament (E3), but for those of the tournament whose page this is, which shows them itself;
    ``notice_words``: the script's sentences for a notice; ``table_counts_for_nothing``: this is a table of a cancelled
    tournament; ``table_has_referee``: a referee can be called to this table.
    """

    def find_table() -> OpenTable | None:
        player = player_for(find_reader(request))
        table = None if player is None else find_open_table(player.pk)
        return None if table is None or table.url == request.path else table

    def list_foreign_invitations() -> list[rows.Invitation]:
        player = player_for(find_reader(request))
        match = getattr(request, "resolver_match", None)
        here = match.kwargs.get("public_id") if match is not None and match.url_name in PAIR_PAGES else None
        at_table = match is not None and match.url_name in ("table", "invitations")
        invitations = () if player is None or at_table else entries_queries.list_invitations(player)
        return [invitation for invitation in invitations if invitation.tournament.public_id != here]

    def list_foreign_play_invitations() -> list[rows.InvitationToPlay]:
        player = player_for(find_reader(request))
        match = getattr(request, "resolver_match", None)
        if player is None or (match is not None and match.url_name in ("table", "invitations")):
            return []
        here = match.kwargs.get("public_id") if match is not None and match.url_name == "tournament" else None
        invitations = entries_queries.list_play_invitations(player)
        return [row for row in invitations if row.tournament.public_id != here and not row.accepted]

    def is_cancelled() -> bool:
        match = getattr(request, "resolver_match", None)
        if match is None or match.url_name != "table":
            return False
        return visibility.is_called_off(match.kwargs["public_id"])

    def has_table_referee() -> bool:
        match = getattr(request, "resolver_match", None)
        return match is not None and match.url_name == "table" and has_referee(match.kwargs["public_id"])

    return {
        "desk_pass": getattr(request, "desk_pass", None),
        "table_has_referee": SimpleLazyObject(has_table_referee),
        "table_counts_for_nothing": SimpleLazyObject(is_cancelled),
        "open_table": SimpleLazyObject(find_table),
        "pair_invitations": SimpleLazyObject(list_foreign_invitations),
        "play_invitations": SimpleLazyObject(list_foreign_play_invitations),
        "notice_words": wording.list_notices,
    }
