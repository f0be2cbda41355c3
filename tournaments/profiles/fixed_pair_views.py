"""Views of fixed pairs: the reader's own with their invitations, the page of one, and the acts about it."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.facts.queries import read_sums
from players.models import FixedPair, Player
from players.selectors import find_by_name, may_see, player_for
from players.services import fixed_pairs
from players.services.fixed_pairs import PairRefused
from players.web.live import keep_from_search
from players.web.requests import read_number, show_error
from tournaments.profiles import wording
from tournaments.profiles.history import read_history
from tournaments.profiles.queries import (
    choose_together,
    find_pair,
    list_pair_invitations,
    list_pairs,
    read_pair_levels,
)
from tournaments.profiles.statistics import build_tables

ACTS = ("accetta", "rifiuta", "lascia", "nome")
MAX_TYPED_CHARACTERS = 200  # of a name, that are looked at


@require_http_methods(["GET", "HEAD", "POST"])
def show_pairs(request: HttpRequest) -> HttpResponse:
    """Show the reader's pairs and invitations; a POST invites the member of that name."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    name = request.POST.get("chi", "")[:MAX_TYPED_CHARACTERS]
    if request.method == "POST":
        try:
            pair = fixed_pairs.invite_to_pair(player=player, other=find_by_name(name), now=timezone.now())
        except PairRefused as refused:
            show_error(request, wording.describe_pair_refusal(refused.code), refused.code)
        else:
            code = "pair_formed" if pair.formed_at else "pair_invited"
            messages.success(request, _say_done(code), extra_tags=code)
            return redirect("pairs")
    context = {
        "person": player,
        "pairs": list_pairs(player),
        "invitations": list_pair_invitations(player),
        "typed": name or request.GET.get("chi", "")[:80],
    }
    return render(request, "tournaments/profiles/pairs.html", context)


def _say_done(code: str) -> str:
    return {
        "pair_formed": _("Siete una coppia."),
        "pair_invited": _("Invito mandato: aspetta il suo sì."),
        "pair_declined": _("Invito rifiutato."),
        "pair_left": _("Fatto. Quello che avete giocato insieme resta."),
        "pair_named": _("Nome proposto: vale quando lo propone anche l'altro."),
        "pair_name_holds": _("Ora la coppia si chiama così."),
    }[code]


@require_safe
def show_pair(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a pair's page to whom both of its players show their pairs; 404 to all others."""
    pair, reader = find_pair(public_id), player_for(request.user)
    if pair is None or not _may_see_pair(pair, reader):
        raise Http404
    return _render_pair(request, pair, reader)


def _render_pair(request: HttpRequest, pair: FixedPair, reader: Player | None, typed: str = "") -> HttpResponse:
    """Render a pair's page as its reader may see it; ``typed``: a name that was refused."""
    together = choose_together(pair)
    shown = all(may_see(player, reader, "statistics") for player in pair.players)
    history = all(may_see(player, reader, "history") for player in pair.players)
    levels = all(may_see(player, reader, "levels") for player in pair.players)
    number = read_number(request.GET.get("pagina", ""), 1, digits=5)
    context = {
        "pair": pair,
        "name": wording.name_fixed_pair(pair),
        "own": reader is not None and reader in pair.players,
        "proposes": pair.proposed_by_id is not None and reader is not None and pair.proposed_by_id == reader.pk,
        "sums": read_sums(together) if shown else None,
        "tables": build_tables(together, pair.first)[:2] if shown else (),
        "history": read_history(pair.first, number, beside=pair.second) if history else None,
        "levels": read_pair_levels(pair, timezone.now()) if levels else (),
        "typed": typed,
    }
    return keep_from_search(render(request, "tournaments/profiles/pair.html", context))


def _may_see_pair(pair: FixedPair, reader: Player | None) -> bool:
    """Tell if the reader is one of the two, or is shown their pairs by both; those of a closed account by the other."""
    if reader is not None and reader in pair.players:
        return True
    return all(not player.user.is_active or may_see(player, reader, "pairs") for player in pair.players)


@require_POST
def act_on_pair(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Accept or decline an invitation, leave a pair, propose a name for it."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("pairs"))
    if act not in ACTS:
        raise Http404
    now = timezone.now()
    try:
        if act in ("accetta", "rifiuta"):
            accepts = act == "accetta"
            fixed_pairs.answer_pair(public_id=public_id, player=player, accepts=accepts, now=now)
            code = "pair_formed" if accepts else "pair_declined"
        elif act == "lascia":
            fixed_pairs.leave_pair(public_id=public_id, player=player, now=now)
            code = "pair_left"
        else:
            name = request.POST.get("coppia", "")[:MAX_TYPED_CHARACTERS]
            pair = fixed_pairs.name_pair(public_id=public_id, player=player, name=name)
            code = "pair_named" if pair.proposal else "pair_name_holds"
    except PairRefused as refused:
        show_error(request, wording.describe_pair_refusal(refused.code), refused.code)
        named = find_pair(public_id) if act == "nome" else None
        if named is None or player not in named.players:
            return redirect("pairs")
        return _render_pair(request, named, player, typed=request.POST.get("coppia", "")[:MAX_TYPED_CHARACTERS])
    messages.success(request, _say_done(code), extra_tags=code)
    return redirect("fixed-pair", public_id) if code.startswith(("pair_name", "pair_formed")) else redirect("pairs")
