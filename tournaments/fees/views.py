"""The organiser's page of fees and prizes (O10)."""

from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Player
from players.web.requests import read_number
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.reads import read_entries
from tournaments.core.web import Notice, get_managed_or_404, run_and_report, show_notice, show_refusal
from tournaments.fees import actions
from tournaments.fees.forms import FeesForm, PrizeForm, format_prizes
from tournaments.fees.queries import list_shared, read_fee_rows, read_prizes, read_shares, read_totals
from tournaments.models import Tournament


class RefusedRefund(NamedTuple):
    """A refund that was refused: of which entry, what was typed, and why."""

    entry_id: int
    typed: str
    why: str


@require_http_methods(["GET", "HEAD", "POST"])
def show_fees(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show fee, prizes and who has paid to whoever runs the tournament; a touch notes who pays."""
    tournament, player = get_managed_or_404(request, public_id)
    initial = {
        "fee": Decimal(tournament.fee_cents) / 100 if tournament.fee_cents else None,
        "prizes": format_prizes(read_prizes(tournament)),
        "per_person": tournament.prizes_each,
    }
    typed = request.POST if request.method == "POST" and "prizes" in request.POST else None
    kind = tournament.playing_kind
    form = FeesForm(typed, initial=initial, alone=kind.enters_alone, each_pays=kind.is_drawn_pair)
    refused: RefusedRefund | None = None
    if request.method == "POST" and typed is None and "premio" not in request.POST:
        refused = _note(request, tournament, player)
        if refused is None:
            return redirect("tournament-fees", public_id)
    if typed is not None and form.is_valid() and _set_fees(tournament, player, form):
        show_notice(request, Notice("saved", _("Modifiche salvate.")))
        return redirect("tournament-fees", public_id)
    entries = read_entries(tournament)
    prizes = read_shares(tournament, entries)
    shared = list_shared(tournament, prizes)
    place = read_number(request.POST.get("premio", ""), 0)
    forms = [
        PrizeForm(request.POST if given.thing.place == place else None, shared=places, given=given)
        for places in shared
        for given in places.given
    ]
    if "premio" in request.POST and _give_prize(request, tournament, player, forms):
        return redirect("tournament-fees", public_id)
    rows = sorted(read_fee_rows(tournament, entries), key=lambda row: row.entry.name.casefold())
    context = {
        "tournament": tournament,
        "form": form,
        "rows": rows,
        "totals": read_totals(tournament, rows),
        "prizes": prizes,
        "shared": shared,
        "prize_forms": forms if tournament.state == Tournament.State.FINISHED else [],
        "refused": refused,
    }
    response = render(request, "tournaments/fees/fees.html", context, status=200 if refused is None else 422)
    response["Cache-Control"] = "no-store"
    return response


def _set_fees(tournament: Tournament, player: Player, form: FeesForm) -> bool:
    """Store what the form says; False where it shows why not."""
    try:
        actions.set_fees(
            tournament_id=tournament.pk,
            by=player,
            fee_cents=form.count_fee_cents(),
            prizes=form.cleaned_data["prizes"],
            prizes_each=form.cleaned_data.get("per_person"),
            now=timezone.now(),
        )
    except TournamentError as error:
        form.refuse(error)
        return False
    return True


def _give_prize(request: HttpRequest, tournament: Tournament, player: Player, forms: list[PrizeForm]) -> bool:
    """Give what can't be divided as a form says; False where the page shows why not."""
    form = next((form for form in forms if form.is_bound), None)
    if form is None:
        show_refusal(request, "prize_not_shared")
        return True
    if not form.is_valid():
        return False
    try:
        actions.give_prize(
            tournament_id=tournament.pk,
            by=player,
            place=form.given.thing.place,
            entry_id=form.read_entry_id(),
            reason=form.cleaned_data["reason"],
            now=timezone.now(),
        )
    except TournamentError as error:
        form.refuse(error)
        return False
    show_notice(request, Notice("prize_given", _("Scritto a chi va il premio.")))
    return True


def _note(request: HttpRequest, tournament: Tournament, player: Player) -> RefusedRefund | None:
    """Note a payment, take it back, or note a refund, as the button says. Return a refund that the page has to show."""
    arguments: dict[str, Any] = {
        "tournament_id": tournament.pk,
        "by": player,
        "entry_id": read_number(request.POST.get("entry", ""), 0),
    }
    if "pagato" in request.POST:
        run_and_report(request, actions.mark_paid, Notice("paid", _("Ha pagato.")), now=timezone.now(), **arguments)
    elif "rimborso" in request.POST:
        typed = request.POST["rimborso"]
        try:
            actions.note_refund(cents=_read_cents(typed), now=timezone.now(), **arguments)
        except TournamentError as error:
            if error.code != "refund_range" or not error.values["most"]:  # nothing is paid: there is no such form
                show_refusal(request, error.code, error.values)
                return None
            return RefusedRefund(arguments["entry_id"], typed, refusals.describe_refusal(error.code, error.values))
        show_notice(request, Notice("refunded", _("Rimborso segnato.")))
    else:
        run_and_report(
            request, actions.unmark_paid, Notice("unpaid", _("Non risulta più che abbia pagato.")), **arguments
        )
    return None


def _read_cents(typed: str) -> int:
    """Return an amount of euros in cents; 0, which is refused, for anything else."""
    try:
        amount = Decimal(typed.strip().replace(",", ".")) * 100
    except InvalidOperation:
        return 0
    return int(amount) if amount.is_finite() and 0 < amount <= actions.MAX_CENTS else 0
