"""The player's acts before the draw: enter, leave, check in, show a link or a code. Each calls one service."""

from allauth.core import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from players.selectors import player_for
from players.views import let_in
from tournaments.core import refusals
from tournaments.core.web import get_tournament_or_404, keep_key, run_act, shown_key
from tournaments.entries import checkin, queries
from tournaments.entries.join import enter_player, leave_tournament
from tournaments.models import Entry, Tournament

Registration = Tournament.Registration


def has_room(request: HttpRequest, found: Tournament) -> bool:
    """Whether it makes sense to let a visitor in: he could enter, or wait for a place if he wants to."""
    entries = found.entries.in_place().count()
    refusal = queries.refusal_to_join(found, None, entered=False, entries=entries, key=shown_key(request, found))
    asks = found.registration == Tournament.Registration.APPROVAL
    somebody = refusal in ("not_signed_in", "account_needed")
    return somebody and (entries < found.max_entries or wants_to_wait(request) or asks)


def wants_to_wait(request: HttpRequest) -> bool:
    """Whether he would also be on the waiting list (E3)."""
    return "attesa" in request.POST


def warn_of_collision(request: HttpRequest, found: Tournament, *, asked: bool = False) -> HttpResponse | None:
    """The page that names the tournaments that would want the reader at the same time (E8), once before he enters; None
    where there are none, he was warned already, or he couldn't enter anyway. What he was about to do is posted again
    from there. ``asked``: somebody's partner, who needs no key."""
    player = player_for(request.user)
    if player is None or "comunque" in request.POST:
        return None
    refusal = queries.refusal_to_join(found, player, entered=False, entries=0, key=shown_key(request, found))
    if refusal is not None and not asked:
        return None
    others = queries.find_collisions(found, player, timezone.now())
    if not others:
        return None
    again = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
    context = {
        "tournament": found,
        "others": others,
        "again": [each for each in again if each[0] != "csrfmiddlewaretoken"],
    }
    return render(request, "tournaments/entries/collision.html", context)


def joined_message(entry: Entry) -> str:
    """What one is told who has just entered alone."""
    if not entry.approved:
        return _("Richiesta mandata: chi organizza risponde, e te lo diciamo su ogni pagina.")
    if entry.waiting_since is not None:
        return _("Sei in lista d'attesa: se si libera un posto e tocca a te, te lo diciamo su ogni pagina.")
    return _("Sei iscritto. Quando il tuo tavolo si apre te lo diciamo su ogni pagina.")


@require_POST
def join(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter; a visitor becomes a guest on the way where guests are allowed."""
    found = get_tournament_or_404(request, public_id)
    collides = warn_of_collision(request, found)
    if collides is not None:
        return collides
    key, wait = shown_key(request, found), wants_to_wait(request)
    if player_for(request.user) is None and found.guests_allowed and has_room(request, found):
        refused = let_in(request)
        if refused is not None:
            messages.error(request, refused)
            return redirect("tournament", public_id)
    return run_act(request, public_id, enter_player, joined_message, key=key, wait=wait)


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    return run_act(request, public_id, leave_tournament, _("Non sei più iscritto."))


@require_GET
def invite(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """The link that opens the registration to whoever has it: he keeps it, and enters on the tournament's page."""
    found = get_tournament_or_404(request, public_id)
    if found.registration == Registration.LINK and queries.opens_with(found, token):
        keep_key(request, found, token)
    else:
        messages.error(request, _("Questo link non vale più: chiedine un altro a chi organizza."))
    return redirect("tournament", public_id)


@require_POST
def type_code(request: HttpRequest, public_id: str) -> HttpResponse:
    """The code that opens the registration. A single player is entered at once; a pair goes on to its page."""
    found = get_tournament_or_404(request, public_id)
    if found.registration != Registration.CODE:
        raise Http404
    typed = request.POST.get("code", "")
    if not ratelimit.consume(request, action="join_code"):
        messages.error(request, refusals.describe_refusal("too_many_codes"))
    elif not queries.opens_with(found, typed):
        messages.error(request, refusals.describe_refusal("code_wrong"))
    else:
        keep_key(request, found, typed)
        return redirect("pair", public_id) if found.seats_an_entry == 2 else join(request, public_id)
    return redirect("tournament", public_id)


@require_POST
def check_in(request: HttpRequest, public_id: str) -> HttpResponse:
    return run_act(request, public_id, checkin.check_in, _("Check-in fatto: ci vediamo al tavolo."))
