"""The page on which people of a register are entered in a tournament at real tables (O2, I1)."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.clean_text import clean_line
from players.models import Player
from players.web.requests import show_error
from tournaments.core import web as core_web
from tournaments.core.errors import TournamentError
from tournaments.core.states import UNDRAWN
from tournaments.core.web import Notice, get_managed_or_404, show_notice
from tournaments.lists.wording import describe_problem
from tournaments.models import Register, RegisterCard, Tournament
from tournaments.register import queries
from tournaments.register.enter_cards import enter_cards
from tournaments.register.errors import RegisterError
from tournaments.register.web import add_register, show_refusal

MAX_TYPED_CHARS = 60
ANOTHER = "altro"  # somebody else than whoever is called so already


@require_http_methods(["GET", "HEAD", "POST"])
def enter_from_register(request: HttpRequest, public_id: str) -> HttpResponse:
    """Propose the people of the register with what was typed in their name, from three letters on; a POST enters."""
    tournament, player = get_managed_or_404(request, public_id)
    register = _find_register(tournament, player)
    typed_here = tournament.venue.enters_names and not tournament.entry_kind.lists_people
    if register is None or not typed_here or tournament.state not in UNDRAWN:
        raise Http404
    if request.method == "POST":
        return redirect(reverse("register-enter", args=[public_id]) + _enter(request, tournament, register, player))
    typed = clean_line(request.GET.get("nome", "")[:MAX_TYPED_CHARS])
    first = _find_first(tournament, register, request.GET.get("primo", ""))
    context = {
        "tournament": tournament,
        "typed": typed,
        "first": first,
        "proposals": [card for card in queries.propose_cards(register, typed) if card != first],
        "short": len(typed) < queries.PROPOSAL_LETTERS,
        "another": ANOTHER in request.GET,
        "needs_two": tournament.entry_kind.names_partner and first is None,
        "total": queries.count_cards(register),
    }
    answer = render(request, "tournaments/register/enter.html", add_register(register, context))
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


def _find_register(tournament: Tournament, player: Player) -> Register | None:
    """Return the register of the tournament's club, without one the reader's own; None for whoever doesn't keep it."""
    club = tournament.club
    return queries.find_register(queries.OWN if club is None else club.public_id, player)


def _find_first(tournament: Tournament, register: Register, card_id: str) -> RegisterCard | None:
    """Return the first of a pair, who is chosen already."""
    if not tournament.entry_kind.names_partner:
        return None
    return queries.list_cards(register).filter(public_id=clean_line(card_id[:20])).first()


def _enter(request: HttpRequest, tournament: Tournament, register: Register, player: Player) -> str:
    """Enter the cards that were chosen. Return the query of the next page: the same cards, to be said to be others."""
    card_ids = [clean_line(card_id[:20]) for card_id in request.POST.getlist("card")]
    try:
        entry = enter_cards(
            tournament_id=tournament.pk,
            register=register,
            by=player,
            card_ids=card_ids,
            now=timezone.now(),
            another=ANOTHER in request.POST,
        )
    except RegisterError as error:
        show_refusal(request, error)
    except TournamentError as error:
        if error.code == "list_refused":
            for problem in error.values["problems"]:
                show_error(request, describe_problem(problem.code, problem.typed, problem.other), problem.code)
            *first, last = card_ids
            name = str(queries.list_cards(register).get(public_id=last))
            return "?" + urlencode({"nome": name, "primo": "".join(first), ANOTHER: "1"})
        core_web.show_refusal(request, error.code, error.values)
    else:
        names = " – ".join(member.person.name for member in entry.members.with_people())
        show_notice(request, Notice("entered", _("%(names)s: iscrizione fatta.") % {"names": names}))
    return ""
