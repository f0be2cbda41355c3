"""Views of the player's acts before the draw: enter, leave, check in, show a link or a code. Each calls one service."""

from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.models import Player
from players.selectors import player_for
from players.services.halls import is_hall
from players.views import let_in, show_crowd
from players.web.addresses import read_client_address
from players.web.requests import show_error
from tournaments.core.web import Notice, get_tournament_or_404, keep_key, read_key, run_act, show_refusal
from tournaments.entries import checkin, queries
from tournaments.entries.join import enter_player, leave_tournament, list_namesakes
from tournaments.entries.queries import find_self_refusal
from tournaments.models import Entry, Tournament

Registration = Tournament.Registration


def may_let_in(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether to make a visitor a guest: they could enter, or wait for a place if they want to."""
    entries = queries.count_taken_places(tournament)
    refusal = queries.find_join_refusal(
        tournament, None, entered=False, entries=entries, key=read_key(request, tournament)
    )
    asks = tournament.registration == Tournament.Registration.APPROVAL
    somebody = refusal in ("not_signed_in", "account_needed")
    return somebody and (entries < tournament.max_entries or wants_to_wait(request) or asks)


def wants_to_wait(request: HttpRequest) -> bool:
    """Return whether the form accepts a place on the waiting list (E3)."""
    return "attesa" in request.POST


def warn_of_collision(request: HttpRequest, tournament: Tournament, *, asked: bool = False) -> HttpResponse | None:
    """Return the page that names the tournaments that overlap with this one (E8), once before the reader enters.

    None without any, after a warning, or if the reader couldn't enter anyway. The page posts the same form again.
    ``asked``: the reader is somebody's partner, who needs no key.
    """
    player = player_for(request.user)
    if player is None or "comunque" in request.POST:
        return None
    refusal = queries.find_join_refusal(tournament, player, entered=False, entries=0, key=read_key(request, tournament))
    if refusal is not None and not asked:
        return None
    others = queries.find_collisions(tournament, player, timezone.now())
    if not others:
        return None
    again = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    context = {
        "tournament": tournament,
        "others": others,
        "again": [(name, value) for name, value in again if name != "csrfmiddlewaretoken"],
    }
    return render(request, "tournaments/entries/collision.html", context)


def joined_message(entry: Entry) -> Notice:
    """Return the notice for a player who has just entered alone."""
    if entry.approved and entry.waiting_since is None and entry.tournament.venue.calls_roll:
        real = _("Sei iscritto. Si gioca dal vivo: quando arrivi, fatti segnare all'appello.")
        return Notice("entered", real)
    if not entry.approved:
        return Notice("asked", _("Richiesta mandata: chi organizza risponde, e te lo diciamo su ogni pagina."))
    if entry.waiting_since is not None:
        waits = _("Sei in lista d'attesa: se si libera un posto e tocca a te, te lo diciamo su ogni pagina.")
        return Notice("waiting", waits)
    return Notice("entered", _("Sei iscritto. Quando il tuo tavolo si apre te lo diciamo su ogni pagina."))


def blocked_message(inviter: Player) -> Notice:
    """Return the notice for a player who has refused somebody's invitations for good (E3)."""
    never = _("Fatto: %(name)s non ti può più invitare. Se cambi idea, trovi il blocco fra i tuoi inviti.")
    return Notice("refused_for_good", never % {"name": inviter.name})


def warn_of_namesake(request: HttpRequest, tournament: Tournament, *, asked: bool = False) -> HttpResponse | None:
    """Return the page that asks whether the reader is who was entered by the name of their account (O2); None where
    nobody was, after an answer, or if the reader couldn't enter anyway. The page posts the same form again.

    ``asked``: the reader is somebody's partner, who needs no key.
    """
    player = player_for(request.user)
    if player is None or "altra" in request.POST or not list_namesakes(tournament, player):
        return None
    refusal = queries.find_join_refusal(tournament, player, entered=False, entries=0, key=read_key(request, tournament))
    if refusal is not None and not asked:
        return None
    again = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    context = {
        "tournament": tournament,
        "name": player.name,
        "again": [(name, value) for name, value in again if name != "csrfmiddlewaretoken"],
    }
    return render(request, "tournaments/entries/namesake.html", context)


@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter the reader; a visitor becomes a guest on the way where guests are allowed."""
    tournament = get_tournament_or_404(request, public_id)
    if tournament.venue.enters_names and player_for(request.user) is None:
        return redirect("self-entry", public_id)
    warned = warn_of_collision(request, tournament) or warn_of_namesake(request, tournament)
    if warned is not None:
        return warned
    key, wait = read_key(request, tournament), wants_to_wait(request)
    if player_for(request.user) is None and tournament.guests_allowed and may_let_in(request, tournament):
        refused = let_in(request, link=public_id if queries.accepts_key(tournament, key) else "")
        if refused is not None:
            show_crowd(request, refused)
            return redirect("tournament", public_id)
    return run_act(
        request, public_id, enter_player, joined_message, key=key, wait=wait, another="altra" in request.POST
    )


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    return run_act(request, public_id, leave_tournament, Notice("left", _("Non sei più iscritto.")))


@require_safe
def open_invite(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Keep the key of the link that opens the registration, and lead on to the tournament's page."""
    tournament = get_tournament_or_404(request, public_id)
    if tournament.registration == Registration.LINK and queries.accepts_key(tournament, token):
        keep_key(request, tournament, token)
        if player_for(request.user) is None and find_self_refusal(tournament, None, token) is None:
            return redirect("self-entry", public_id)
    else:
        show_error(request, _("Questo link non vale più: chiedine un altro a chi organizza."), "link_gone")
    return redirect("tournament", public_id)


@require_POST
def type_code(request: HttpRequest, public_id: str) -> HttpResponse:
    """Check the code that opens the registration. A single player is entered at once; a pair or a team goes on
    to its page."""
    tournament = get_tournament_or_404(request, public_id)
    if tournament.registration != Registration.CODE:
        raise Http404
    typed = request.POST.get("code", "")
    action = "join_code" if request.user.is_authenticated else "join_code_visitor"
    in_hall = is_hall(address=read_client_address(request), now=timezone.now())
    if not ratelimit.consume(request, action=f"{action}_in_hall" if in_hall else action):
        show_refusal(request, "too_many_codes")
    elif not queries.accepts_key(tournament, typed):
        show_refusal(request, "code_wrong")
    else:
        keep_key(request, tournament, typed)
        kind = tournament.entry_kind
        if tournament.venue.enters_names and (kind.lists_people or player_for(request.user) is None):
            return redirect("self-entry", public_id)
        if kind.lists_people:
            return redirect("team", public_id)
        return join(request, public_id) if kind.enters_alone else redirect("pair", public_id)
    return redirect("tournament", public_id)


@require_POST
def check_in(request: HttpRequest, public_id: str) -> HttpResponse:
    done = Notice("checked_in", _("Check-in fatto: ci vediamo al tavolo."))
    return run_act(request, public_id, checkin.check_in, done)
