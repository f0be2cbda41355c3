"""Views of a pair (E1): the page to ask a partner, the page of a link, and the answers.

A visitor becomes a guest on the way where guests are allowed, as when entering alone.
"""

from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players.selectors import player_for
from players.views import let_in, show_crowd
from players.web.requests import read_number
from tournaments.core import states
from tournaments.core.errors import TournamentError
from tournaments.core.web import (
    Notice,
    get_tournament_or_404,
    read_key,
    run_act,
    show_notice,
    show_refusal,
)
from tournaments.entries import invitations, pairs, queries
from tournaments.entries.forms import PairForm
from tournaments.entries.views import (
    blocked_message,
    joined_message,
    may_let_in,
    wants_to_wait,
    warn_of_collision,
    warn_of_namesake,
)
from tournaments.models import Entry, Tournament


def _get_pair_tournament_or_404(request: HttpRequest, public_id: str) -> Tournament:
    tournament = get_tournament_or_404(request, public_id)
    kind = tournament.entry_kind
    if kind.sits_alone or (kind.lists_people and not tournament.venue.enters_names):
        raise Http404
    return tournament


def sign_in_visitor(request: HttpRequest, tournament: Tournament, *, by_link: bool = False) -> HttpResponse | None:
    """Make a visitor a guest; return the response that replaces the page if that can't be, None for a signed-in
    reader. ``by_link``: they come by a partner's link."""
    if player_for(request.user) is not None:
        return None
    if not tournament.guests_allowed:
        return redirect_to_login(request.get_full_path())
    linked = by_link or queries.accepts_key(tournament, read_key(request, tournament))
    refused = let_in(request, link=tournament.public_id if linked else "")
    if refused is None:
        return None
    show_crowd(request, refused)
    return redirect("tournament", tournament.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_pair(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter a pair, or ask somebody else for the pending one: by name, or by a link."""
    tournament = _get_pair_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if tournament.venue.enters_names and player is None:
        return redirect("self-entry", public_id)
    may_enter = tournament.state in states.ENTERING
    if request.method == "POST" and not may_enter:
        show_refusal(request, "drawn" if tournament.drawn_at else "registration_closed")
        return redirect("pair", public_id)
    by_link = "link" in request.POST
    form = PairForm(request.POST if request.method == "POST" and not by_link else None)
    if request.method == "POST" and (by_link or form.is_valid()):
        warned = warn_of_collision(request, tournament) or warn_of_namesake(request, tournament)
        if warned is not None:
            return warned
        if may_let_in(request, tournament):
            response = sign_in_visitor(request, tournament)
            if response is not None:
                return response
        player = player_for(request.user)
        if player is None:
            show_refusal(request, "full" if tournament.drawn_at is None else "registration_closed")
            return redirect("tournament", public_id)
        partner = None if by_link else form.cleaned_data["partner"]
        asked: dict[str, Any] = {
            "tournament_id": tournament.pk,
            "player": player,
            "partner": partner,
            "now": timezone.now(),
        }
        try:
            if queries.read_waiting(tournament, player) is not None:
                entry = pairs.invite_partner(**asked)
            else:
                key, wait = read_key(request, tournament), wants_to_wait(request)
                entry = pairs.enter_pair(**asked, key=key, wait=wait, another="altra" in request.POST)
        except TournamentError as error:
            _refuse(request, form, error)
        else:
            show_notice(request, _entered_message(entry, by_link))
            return redirect("tournament", public_id)
    context = {
        "form": form,
        "tournament": tournament,
        "waiting": None if player is None else queries.read_waiting(tournament, player),
        "may_enter": may_enter,
        "full": queries.count_taken_places(tournament) >= tournament.max_entries,
        "partners": [] if player is None else queries.list_fixed_partners(tournament, player),
    }
    return render(request, "tournaments/entries/pair.html", context)


def _has_place(entry: Entry) -> bool:
    return entry.approved and entry.waiting_since is None


def _refuse(request: HttpRequest, form: PairForm, error: TournamentError) -> None:
    if form.is_bound:
        form.refuse(error)
    else:  # a link was asked for: there is no field to put it beside
        show_refusal(request, error.code, error.values)


def _entered_message(entry: Entry, by_link: bool) -> Notice:
    if entry.confirmed:
        return Notice("pair_complete", _("La coppia è fatta: ti aveva già invitato."))
    if not entry.approved or entry.waiting_since is not None:
        confirms = _("La coppia vale quando il tuo compagno conferma.")
        joined = joined_message(entry)
        return Notice(joined.code, f"{joined.text} {confirms}")
    if by_link:
        return Notice("link_made", _("Il posto è tuo: manda il link al tuo compagno. La coppia vale quando conferma."))
    return Notice("partner_asked", _("Il posto è tuo, e il tuo compagno lo sa. La coppia vale quando conferma."))


def _confirmed_message() -> Notice:
    done = _("La coppia è fatta. Quando il vostro tavolo si apre te lo diciamo su ogni pagina.")
    return Notice("pair_complete", done)


def _warn_partner(request: HttpRequest, tournament: Tournament) -> HttpResponse | None:
    """Return the page that asks whoever was asked something first; None if there is nothing to ask."""
    return warn_of_collision(request, tournament, asked=True) or warn_of_namesake(request, tournament, asked=True)


def _confirm(request: HttpRequest, public_id: str, **which: Any) -> HttpResponse:
    another = "altra" in request.POST
    return run_act(request, public_id, pairs.confirm_pair, _confirmed_message(), another=another, **which)


@require_http_methods(["GET", "HEAD", "POST"])
def show_pair_link(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show a link's invitation to the reader; a POST confirms it."""
    tournament = _get_pair_tournament_or_404(request, public_id)
    asking = queries.find_asker_by_link(tournament, token)
    if request.method == "POST":
        warned = _warn_partner(request, tournament) if asking is not None else None
        if warned is not None:
            return warned
        if asking is not None:
            response = sign_in_visitor(request, tournament, by_link=True)
            if response is not None:
                return response
        return _confirm(request, public_id, token=token)
    own = asking is not None and player_for(request.user) == asking
    return render(request, "tournaments/entries/link.html", {"tournament": tournament, "asking": asking, "own": own})


@require_POST
def answer_pair(request: HttpRequest, public_id: str) -> HttpResponse:
    """Confirm or decline a pair that asks by name."""
    tournament = _get_pair_tournament_or_404(request, public_id)
    entry = request.POST.get("entry", "")
    entry_id = read_number(entry, 0)
    if "si" in request.POST:
        return _warn_partner(request, tournament) or _confirm(request, public_id, entry_id=entry_id)
    if "mai" in request.POST:
        return run_act(request, public_id, invitations.refuse_partner_for_good, blocked_message, entry_id=entry_id)
    done = Notice("pair_declined", _("Hai detto di no: lo abbiamo fatto sapere."))
    return run_act(request, public_id, pairs.decline_pair, done, entry_id=entry_id)


@require_POST
def enter_with_house(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter the reader with a partner of the house."""
    tournament = _get_pair_tournament_or_404(request, public_id)
    collides = warn_of_collision(request, tournament) if tournament.house_allowed else None
    if collides is not None:
        return collides
    key, wait = read_key(request, tournament), wants_to_wait(request)
    if may_let_in(request, tournament) and tournament.house_allowed and tournament.guests_allowed:
        response = sign_in_visitor(request, tournament)
        if response is not None:
            return response
    return run_act(request, public_id, pairs.enter_with_house, _with_house_message, key=key, wait=wait)


def _with_house_message(entry: Entry) -> Notice:
    done = _("Sei iscritto, con un compagno della casa.")
    return Notice("entered", done) if _has_place(entry) else joined_message(entry)
