"""Acts of a reader about another player, from that player's page: to follow them, to block them, and back (B6)."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from players import wording
from players.models import Player
from players.selectors import player_for
from players.services.blocks import block_player, unblock_player
from players.services.follows import FollowRefused, follow_player, unfollow_player
from players.web.addresses import is_own_page
from players.web.requests import show_error


@require_POST
def follow(request: HttpRequest, public_id: str) -> HttpResponse:
    """Follow a player."""

    def act(player: Player, other: Player, now: datetime) -> str:
        follow_player(player=player, followed=other, now=now)
        return "followed"

    return _act(request, public_id, act)


@require_POST
def unfollow(request: HttpRequest, public_id: str) -> HttpResponse:
    """Follow a player no longer."""

    def act(player: Player, other: Player, now: datetime) -> str:
        unfollow_player(player=player, public_id=other.public_id)
        return "unfollowed"

    return _act(request, public_id, act)


@require_POST
def block(request: HttpRequest, public_id: str) -> HttpResponse:
    """Block a player, who isn't told."""

    def act(player: Player, other: Player, now: datetime) -> str:
        block_player(player=player, blocked=other, now=now)
        return "blocked"

    return _act(request, public_id, act)


@require_POST
def unblock(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a block back."""

    def act(player: Player, other: Player, now: datetime) -> str:
        unblock_player(player=player, public_id=other.public_id)
        return "unblocked"

    return _act(request, public_id, act)


def _act(request: HttpRequest, public_id: str, service: Callable[[Player, Player, datetime], str]) -> HttpResponse:
    """Do it as the reader and say so on the page it was asked from, else on the front page."""
    player = player_for(request.user)
    back = request.POST.get("next", "")
    page = back if is_own_page(back) else reverse("home")
    if player is None:
        return redirect_to_login(page)
    other = Player.objects.select_related("user").filter(public_id=public_id).first()
    if other is None:
        raise Http404
    try:
        code = service(player, other, timezone.now())
    except FollowRefused as refused:
        show_error(request, wording.describe_company(refused.code, other.name), refused.code)
    else:
        messages.success(request, wording.describe_company(code, other.name), extra_tags=code)
    return redirect(page)
