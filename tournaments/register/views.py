"""The pages of a register, for who keeps it and nobody else (I1)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.clean_text import clean_line
from players.models import Player
from players.selectors import player_for
from players.web import PageContext
from tournaments.core.web import Notice, show_notice
from tournaments.models import Register, RegisterCard
from tournaments.register import cards, queries, wording
from tournaments.register.errors import RegisterError
from tournaments.register.files import export_cards
from tournaments.register.forms import CardForm, read_card
from tournaments.sharing.file_formats import write_csv, write_workbook
from tournaments.sharing.views import XLSX

CARDS_PER_PAGE = 100
MAX_SEARCH = 60  # so many characters

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


@require_safe
@for_keepers
def show_register(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    """Show the people of a register, or those whose name or number was searched."""
    search = clean_line(request.GET.get("nome", "")[:MAX_SEARCH])
    page = Paginator(queries.list_cards(register, search), CARDS_PER_PAGE).get_page(request.GET.get("pagina"))
    context = {"search": search, "cards": page, "total": queries.count_cards(register)}
    return render(request, "tournaments/register/register.html", _add_register(register, context))


@require_http_methods(["GET", "HEAD", "POST"])
@for_keepers
def add_card(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    """Show and take the form of a new card."""
    form = CardForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            card = cards.add_card(
                register=register,
                by=player,
                values=form.read_values(),
                now=timezone.now(),
                namesake=form.cleaned_data["another"],
            )
        except RegisterError as error:
            form.refuse(error)
        else:
            done = _("%(name)s è nel registro. Scrivi la persona che viene dopo.") % {"name": card}
            show_notice(request, Notice("card_added", done))
            return redirect("register-card-new", queries.get_key(register))
    return render(request, "tournaments/register/card.html", _add_register(register, {"form": form}))


@require_http_methods(["GET", "HEAD", "POST"])
@for_keepers
def edit_card(request: HttpRequest, register: Register, player: Player, card_id: str) -> HttpResponse:
    """Show a card with the person's tournaments, and take its changes."""
    card = _get_card_or_404(register, card_id)
    form = CardForm(request.POST or None, initial=read_card(card))
    if request.method == "POST" and form.is_valid():
        try:
            cards.edit_card(
                register=register,
                by=player,
                card_id=card_id,
                values=form.read_values(),
                now=timezone.now(),
                namesake=form.cleaned_data["another"],
            )
        except RegisterError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("card_saved", _("Scheda salvata.")))
            return redirect("register", queries.get_key(register))
    context = {"form": form, "card": card, "tournaments": queries.list_tournaments(card)}
    return render(request, "tournaments/register/card.html", _add_register(register, context))


@require_safe
@for_keepers
def export_register(request: HttpRequest, register: Register, player: Player, kind: str) -> HttpResponse:
    """Return the whole register as a file; the log says who took it."""
    sheet = export_cards(register=register, by=player, now=timezone.now())
    body, content_type = (
        (write_csv(sheet), "text/csv; charset=utf-8")
        if kind == "csv"
        else (
            write_workbook(sheet, _("Registro")),
            XLSX,
        )
    )
    answer = HttpResponse(body, content_type=content_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="registro.{kind}"'
    answer.headers["Cache-Control"] = "no-store"
    return answer


@require_safe
@for_keepers
def show_log(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    """Show what was done in the register, and by whom."""
    rows = [
        (entry, wording.describe_register_act(entry.code, entry.facts), card)
        for entry, card in queries.read_log(register)
    ]
    return render(request, "tournaments/register/log.html", _add_register(register, {"rows": rows}))


def _get_card_or_404(register: Register, card_id: str) -> RegisterCard:
    try:
        return cards.get_card(register, card_id)
    except RegisterError as error:
        raise Http404 from error


def _add_register(register: Register, context: PageContext) -> PageContext:
    """Return a page's context with the register, its address and its name."""
    name = _("Il mio registro") if register.club is None else register.club.name
    return {"register": register, "register_key": queries.get_key(register), "register_name": name, **context}
