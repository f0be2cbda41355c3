"""The page of one's own chips: what they are, the balance, each movement and why; the day's top-up; shown or hidden."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.chips import actions, queries, terms, wording
from games.chips.errors import ChipsRefused
from players.models import Player
from players.selectors import player_for
from players.web.requests import show_error


def _require_own(view: Callable[[HttpRequest, Player], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect visitors to the login, and give the view its player."""

    @wraps(view)
    def page(request: HttpRequest) -> HttpResponse:
        player = player_for(request.user)
        return redirect_to_login(reverse("chips")) if player is None else view(request, player)

    return page


@require_safe
@_require_own
def show_chips(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the reader's chips and their ledger, the newest line first; hidden, only what chips are (Z5)."""
    context = {"person": player, "shown": queries.sees_chips(player), "top": queries.TOPPED_UP_TO, "cap": terms.CAP}
    if context["shown"]:
        page = Paginator(queries.list_entries(player), queries.ENTRIES_A_PAGE).get_page(request.GET.get("pagina"))
        context |= {
            "chips": queries.read_balance(player),
            "page": page,
            "rows": [(entry, wording.describe_reason(entry)) for entry in page],
            "topping": queries.can_top_up(player, timezone.now()),
        }
    return render(request, "games/chips.html", context)


@require_POST
@_require_own
def top_up(request: HttpRequest, player: Player) -> HttpResponse:
    """Top the reader's chips up (Z4)."""
    try:
        added = actions.top_up(player=player, now=timezone.now())
    except ChipsRefused as refused:
        show_error(request, wording.describe_chip_refusal(refused.code), refused.code)
    else:
        text = _("Ricarica fatta: %(chips)s in più.") % {"chips": wording.describe_chips(added)}
        messages.success(request, text, extra_tags="topped_up_now")
    return redirect("chips")


@require_POST
@_require_own
def choose_shown(request: HttpRequest, player: Player) -> HttpResponse:
    """Show chips and stakes to the reader from now on, or hide them (Z5)."""
    actions.show_chips(player=player, shown=request.POST.get("shown") == "1")
    return redirect("chips")
