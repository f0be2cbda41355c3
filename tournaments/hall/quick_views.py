"""The page of quick entry (O4): results at real tables, typed one after the other with the keyboard alone.

A form a row, each sent like any other; the page's script sends it in the background and asks for that row alone.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.models import Player
from players.web.live import PageContext, render_live
from players.web.requests import read_number
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_run
from tournaments.core.web import Notice, get_refereed_or_404, show_notice, show_refusal
from tournaments.desk import undo
from tournaments.desk.act import Act, compute_stamp
from tournaments.desk.forms import UndoForm
from tournaments.hall import own_results
from tournaments.hall.quick_entry import (
    QuickPage,
    QuickPart,
    QuickRow,
    has_quick_entry,
    is_all_in,
    make_quick_form,
    make_quick_row,
    needs_address,
    read_quick_fixture,
    read_quick_page,
    write_address,
)
from tournaments.hall.typed_results import enter_typed_result
from tournaments.models import Fixture, Tournament
from tournaments.running import round_clocks

CODE, READ = "code", "read"  # the ways to confirm one's own match
MAX_TYPED = 20  # of a code


@require_http_methods(["GET", "HEAD", "POST"])
def show_quick_entry(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the rows of the rounds being played, and take the result of one of them, or the last one back."""
    tournament, player = get_refereed_or_404(request, public_id)
    if not has_quick_entry(tournament):
        raise Http404
    now = timezone.now()
    kept_undo, sent = None, None
    if request.method == "POST" and request.POST.get("what") == UndoForm.what:
        kept_undo = _undo(request, tournament, player, now)
        if kept_undo is None:
            return redirect("tournament-results", public_id)
    elif request.method == "POST":
        sent = _take_result(request, tournament, player, now)
    if sent is not None and "part" in request.POST:
        refused = _is_refused(sent)
        context: PageContext = {"tournament": tournament, "row": sent, "refused": refused}
        context |= {} if refused else _read_after(tournament, player)
        return render(request, "tournaments/hall/_quick_sent.html", context, status=422 if refused else 200)
    if sent is not None and not _is_refused(sent):
        return redirect(f"{reverse('tournament-results', args=[public_id])}?dopo={sent.fixture.id}")
    version = tournament.version  # before the rows are read: what changes meanwhile is asked for again
    wanted = QuickPart.of(request) if sent is None else QuickPart(around=sent.fixture.id)
    page = read_quick_page(tournament, player, wanted)
    if needs_address(request, page):
        return redirect(write_address(request, page))
    context = {
        "tournament": tournament,
        "version": version,
        "now": now,
        "clocks": round_clocks.read_clocks(tournament, now),
        "page": page if sent is None else _put_back(page, sent),
        "may_run": may_run(tournament, player),
        **_read_after(tournament, player, kept_undo),
    }
    response = render_live(request, "tournaments/hall/quick.html", context)
    if kept_undo is not None:
        response.status_code = 422
    response["Cache-Control"] = "no-store"
    return response


def _read_after(tournament: Tournament, player: Player, kept_undo: UndoForm | None = None) -> PageContext:
    """Return what stands below the rows: whether all results are in, and the entry that can be taken back.

    ``kept_undo``: its form with what was typed into it.
    """
    tournament.refresh_from_db(fields=["state", "version"])  # the last result ends it
    last = undo.read_last_entry(tournament, player)
    return {"all_in": is_all_in(tournament), "undo": kept_undo or (None if last is None else UndoForm(last=last))}


def _take_result(request: HttpRequest, tournament: Tournament, player: Player, now: datetime) -> QuickRow:
    """Enter the result that was sent. Return its row as it is then, with what was typed if that was refused."""
    fixture_id = read_number(request.POST.get("fixture", ""), 0)
    at = read_quick_fixture(tournament, player, fixture_id)
    if at is None or at[1].first is None or at[1].second is None:
        raise Http404
    if request.POST.get("what") in (CODE, READ):
        return _confirm_own(request, tournament, at[0], player, now)
    form = make_quick_form(*at, request.POST)
    if form.is_valid():
        try:
            enter_typed_result(tournament, at, form, player, now)
        except TournamentError as error:
            form.refuse(error, compute_stamp(Fixture.objects.get(pk=fixture_id)))
    at = read_quick_fixture(tournament, player, fixture_id)
    assert at is not None
    row = make_quick_row(*at, player)
    if not form.errors:
        return row
    if row.form is not None:
        return replace(row, form=form, own=None)
    return replace(row, refused=tuple(str(why) for errors in form.errors.values() for why in errors))


def _confirm_own(
    request: HttpRequest, tournament: Tournament, fixture: Fixture, player: Player, now: datetime
) -> QuickRow:
    """Confirm what waits of the reader's own match (O13): by the other side's code, or because it has read it."""
    about: dict[str, Any] = {"tournament_id": tournament.pk, "fixture_id": fixture.pk}
    about["act"] = Act(by=player, reason="", now=now)
    refused: tuple[str, ...] = ()
    try:
        if request.POST["what"] == CODE:
            own_results.confirm_own_with_code(code=request.POST.get("code", "")[:MAX_TYPED], **about)
        else:
            own_results.enter_waiting_result(seen=request.POST.get("seen", ""), **about)
    except TournamentError as error:
        refused = (refusals.describe_refusal(error.code, error.values),)
    at = read_quick_fixture(tournament, player, fixture.pk)
    assert at is not None
    # Confirmed before, and only the answer is lost: the result is in.
    return replace(make_quick_row(*at, player), refused=() if at[0].state == Fixture.State.DONE else refused)


def _undo(request: HttpRequest, tournament: Tournament, player: Player, now: datetime) -> UndoForm | None:
    """Take the reader's last entry back, if it is still the last (O13). Where it is refused, return the form of the one
    that is the last now, with the reason that was typed."""
    form = UndoForm(request.POST, last=undo.read_last_entry(tournament, player))
    try:
        if form.is_valid():
            about: dict[str, Any] = {"tournament_id": tournament.pk, "entry_id": form.cleaned_data["entry"]}
            undo.undo_entry(**about, act=form.make_act(player, now))
            show_notice(request, Notice("undone", _("Ritirato: si può scrivere di nuovo.")))
            return None
        show_refusal(request, "reason_missing")
    except TournamentError as error:
        show_refusal(request, error.code, {**error.values, "typed": form.describe_typed()})
    last = undo.read_last_entry(tournament, player)
    if last is None:
        return None
    again = UndoForm(last=last)
    again.initial["reason"] = request.POST.get("reason", "")
    return again


def _is_refused(row: QuickRow) -> bool:
    return bool(row.refused) or (row.form is not None and row.form.is_bound)


def _put_back(page: QuickPage, sent: QuickRow) -> QuickPage:
    """Return the page with the row that was refused, which is typed next."""
    rows = tuple(sent if row.fixture.id == sent.fixture.id else row for row in page.rows)
    return replace(page, rows=rows, next_id=sent.fixture.id if sent.is_open else page.next_id)
