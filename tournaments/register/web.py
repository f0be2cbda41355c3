"""Shared by the views of a register: who keeps it, what its pages say of it, its refusals (I1)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from players.selectors import player_for
from players.web.live import PageContext
from players.web.requests import show_error
from tournaments.models import Register, RegisterCard
from tournaments.register import cards, queries, wording
from tournaments.register.errors import RegisterError

RegisterView = Callable[..., HttpResponse]


def for_keepers(view: RegisterView) -> RegisterView:
    """Give a view the register of its address and the reader, who keeps it; 404 for everybody else."""

    @wraps(view)
    def show(request: HttpRequest, key: str, **values: Any) -> HttpResponse:
        player = player_for(request.user)
        if player is None:
            return redirect_to_login(request.get_full_path())
        register = queries.find_register(key, player)
        if register is None:
            raise Http404
        answer = view(request, register, player, **values)
        answer.headers["X-Robots-Tag"] = "noindex"
        return answer

    return show


def add_register(register: Register, context: PageContext) -> PageContext:
    """Return a page's context with the register, its address and its name."""
    name = _("Il mio registro") if register.club is None else register.club.name
    return {"register": register, "register_key": queries.get_key(register), "register_name": name, **context}


def get_card_or_404(register: Register, card_id: str) -> RegisterCard:
    """Return the card of the address, or raise Http404."""
    try:
        return cards.get_card(register, card_id)
    except RegisterError as error:
        raise Http404 from error


def show_refusal(request: HttpRequest, error: RegisterError) -> None:
    """Say on the next page why an act was refused."""
    show_error(request, wording.describe_refusal(error.code, error.values), error.code)
