"""The reader's own invitations (E3), and the people whose invitations they take no more."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.clean_text import clean_line
from players.selectors import list_blocked, player_for
from players.services.blocks import unblock_player
from tournaments.core.web import Notice, show_notice
from tournaments.entries import queries


@require_safe
def show_invitations(request: HttpRequest) -> HttpResponse:
    """Show every open invitation to the reader, with its answers, and whom they have blocked."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    context = {
        "partners": queries.list_invitations(player),
        "invitations": queries.list_play_invitations(player),
        "blocked": list_blocked(player),
    }
    return render(request, "tournaments/entries/invitations.html", context)


@require_POST
def unblock_inviter(request: HttpRequest) -> HttpResponse:
    """Take a block back, as the reader."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if unblock_player(player=player, public_id=clean_line(request.POST.get("chi", ""))[:12]):
        show_notice(request, Notice("unblocked", _("Ora ti può di nuovo invitare.")))
    else:
        messages.info(request, _("Non era fra le persone bloccate."), extra_tags="not_blocked")
    return redirect("invitations")
