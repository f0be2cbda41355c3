"""One's own acts of moderation (U2): what staff decided about the reader, why, until when, and the one appeal."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players import wording
from players.models import ModerationAct, Player
from players.selectors import is_suspended, list_acts_about, player_for
from players.services.moderation import MAX_APPEAL_CHARACTERS, ModerationRefused, appeal_act, mark_acts_read
from players.web.requests import show_error


@require_safe
def show_own_acts(request: HttpRequest) -> HttpResponse:
    """Show what staff decided about the reader; all that a suspended account is shown."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    return _render_own_acts(request, player)


def _render_own_acts(request: HttpRequest, player: Player, *, refused: str = "", typed: str = "") -> HttpResponse:
    """Render the page; ``refused``: the act whose appeal was, ``typed``: what it said."""
    context = {
        "acts": list_acts_about(player),
        "refused": refused,
        "typed": typed,
        "suspended": is_suspended(player.user, timezone.now()),
        "now": timezone.now(),
        "longest": MAX_APPEAL_CHARACTERS,
    }
    return render(request, "players/own_moderation.html", context)


@require_POST
def note_read(request: HttpRequest) -> HttpResponse:
    """Note that the reader has read them."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("own-moderation"))
    mark_acts_read(player=player, now=timezone.now())
    return redirect("own-moderation")


@require_POST
def appeal(request: HttpRequest, public_id: str) -> HttpResponse:
    """Appeal against one of them. What was written is shown again with a refusal."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("own-moderation"))
    act = ModerationAct.objects.filter(public_id=public_id, player=player).first()
    text = request.POST.get("testo", "")
    try:
        if act is None:
            raise ModerationRefused("act_gone")
        appeal_act(act_id=act.pk, player=player, text=text, now=timezone.now())
    except ModerationRefused as refused:
        show_error(request, wording.describe_moderation_refusal(refused.code), refused.code)
        return _render_own_acts(request, player, refused=public_id, typed=text)
    else:
        messages.success(request, _("Ricorso mandato: la risposta arriva qui."), extra_tags="appealed")
    return redirect("own-moderation")
