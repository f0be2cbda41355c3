"""The pages on which a person's cards are merged, and a name is forgotten on request (I1)."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from players.clean_text import clean_line
from players.models import Player
from players.selectors import player_for
from players.web.requests import read_number
from tournaments.core import web as core_web
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_run
from tournaments.core.web import Notice, get_tournament_or_404, show_notice
from tournaments.models import Register
from tournaments.register import forgetting, merging, queries
from tournaments.register.errors import RegisterError
from tournaments.register.web import add_register, for_keepers, get_card_or_404, show_refusal

MAX_CANDIDATES = 30


@require_http_methods(["GET", "HEAD", "POST"])
@for_keepers
def merge_card(request: HttpRequest, register: Register, player: Player, card_id: str) -> HttpResponse:
    """Show who may be a double of a card, by name or as searched; a POST merges one into it."""
    card = get_card_or_404(register, card_id)
    key = queries.get_key(register)
    if request.method == "POST":
        double_id = clean_line(request.POST.get("double", "")[:20])
        try:
            merging.merge_cards(register=register, by=player, card_id=card_id, double_id=double_id, now=timezone.now())
        except RegisterError as error:
            show_refusal(request, error)
            return redirect("register-merge", key, card_id)
        show_notice(request, Notice("merged", _("Ora è una scheda sola. Si può disfare da «Che cosa è cambiato».")))
        return redirect("register-card", key, card_id)
    search = clean_line(request.GET.get("nome", "")[:60])
    candidates = queries.list_cards(register, search or card.person.typed_name).exclude(pk=card.pk)[:MAX_CANDIDATES]
    context = {"card": card, "candidates": candidates, "search": search}
    return render(request, "tournaments/register/merge.html", add_register(register, context))


@require_POST
@for_keepers
def undo_merge(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    """Take a merge back."""
    entry_id = read_number(request.POST.get("entry", ""), 0)
    try:
        double = merging.undo_merge(register=register, by=player, entry_id=entry_id, now=timezone.now())
    except RegisterError as error:
        show_refusal(request, error)
    else:
        show_notice(request, Notice("unmerged", _("%(name)s ha di nuovo la sua scheda.") % {"name": double}))
    return redirect("register-log", queries.get_key(register))


@require_http_methods(["GET", "HEAD", "POST"])
@for_keepers
def forget_card(request: HttpRequest, register: Register, player: Player, card_id: str) -> HttpResponse:
    """Show what forgetting a person does, and ask what stays in results; a POST does it."""
    card = get_card_or_404(register, card_id)
    key = queries.get_key(register)
    if request.method == "POST":
        keeps_name = request.POST.get("results") == "name"
        try:
            forgetting.forget_card(
                register=register, by=player, card_id=card_id, keeps_name=keeps_name, now=timezone.now()
            )
        except (RegisterError, TournamentError) as error:
            _show_any_refusal(request, error)
            return redirect("register-forget", key, card_id)
        show_notice(request, Notice("forgotten", _("Non è più nel registro, e di quel che sapevi non resta niente.")))
        return redirect("register", key)
    context = {"card": card, "tournaments": queries.list_tournaments(card)}
    return render(request, "tournaments/register/forget.html", add_register(register, context))


@require_http_methods(["GET", "HEAD", "POST"])
def forget_name(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the people of a tournament who have no account, to whoever runs it and to the staff; a POST forgets one."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    staff = bool(request.user.is_staff)
    if player is None or not (staff or may_run(tournament, player)):
        raise Http404
    if request.method == "POST":
        person_id = read_number(request.POST.get("person", ""), 0)
        try:
            forgetting.forget_typed_name(
                tournament=tournament, by=player, person_id=person_id, staff=staff, now=timezone.now()
            )
        except (RegisterError, TournamentError) as error:
            _show_any_refusal(request, error)
        else:
            show_notice(request, Notice("forgotten", _("Quel nome non c'è più: nei risultati resta «ritirato».")))
        return redirect("name-forget", public_id)
    context = {"tournament": tournament, "people": forgetting.list_typed_people(tournament)}
    return render(request, "tournaments/register/forget_name.html", context)


def _show_any_refusal(request: HttpRequest, error: RegisterError | TournamentError) -> None:
    """Say on the next page why an act was refused, by the register or by a tournament that is on loan (O9)."""
    if isinstance(error, RegisterError):
        show_refusal(request, error)
    else:
        core_web.show_refusal(request, error.code, error.values)
