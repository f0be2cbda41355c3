"""The pages of a register, for whoever keeps it and nobody else (I1)."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.clean_text import clean_line
from players.models import Player
from tournaments.core.web import Notice, count_files, show_notice
from tournaments.models import Register
from tournaments.register import cards, merging, queries, wording
from tournaments.register.errors import RegisterError
from tournaments.register.files import export_cards
from tournaments.register.forms import CardForm, read_card
from tournaments.register.web import add_register, for_keepers, get_card_or_404
from tournaments.sharing.file_formats import write_csv, write_workbook
from tournaments.sharing.views import XLSX

CARDS_PER_PAGE = 100
MAX_SEARCH_CHARS = 60


@require_safe
@for_keepers
def show_register(request: HttpRequest, register: Register, player: Player) -> HttpResponse:
    """Show the people of a register, or those whose name or number was searched."""
    search = clean_line(request.GET.get("nome", "")[:MAX_SEARCH_CHARS])
    page = Paginator(queries.list_cards(register, search), CARDS_PER_PAGE).get_page(request.GET.get("pagina"))
    context = {"search": search, "cards": page, "total": queries.count_cards(register)}
    return render(request, "tournaments/register/register.html", add_register(register, context))


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
    return render(request, "tournaments/register/card.html", add_register(register, {"form": form}))


@require_http_methods(["GET", "HEAD", "POST"])
@for_keepers
def edit_card(request: HttpRequest, register: Register, player: Player, card_id: str) -> HttpResponse:
    """Show a card with the person's tournaments, and take its changes."""
    card = get_card_or_404(register, card_id)
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
    return render(request, "tournaments/register/card.html", add_register(register, context))


@require_safe
@count_files
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
        (entry, wording.describe_register_act(entry), merging.may_undo(entry)) for entry in queries.read_log(register)
    ]
    return render(request, "tournaments/register/log.html", add_register(register, {"rows": rows}))
