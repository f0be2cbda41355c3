"""Views of a tournament that travels: its file to take along, and the file that brings one here (O9)."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.models import Player
from players.selectors import player_for
from tournaments.core import permissions, refusals
from tournaments.core.errors import TournamentError
from tournaments.core.web import Notice, count_files, get_tournament_or_404, run_and_report, show_notice, show_refusal
from tournaments.models import Arrival, Tournament
from tournaments.organise.views import get_member_or_redirect
from tournaments.transfer import wording
from tournaments.transfer.admission import admit_file
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.forms import TournamentFileForm
from tournaments.transfer.loans import MAX_PLACE_CHARACTERS, lend_tournament, recall_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy, require_portable
from tournaments.transfer.venue import waits_for_slips


@require_safe
def show_transfer(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show how the tournament can be taken along, to whoever runs it."""
    tournament, _player = _get_own_or_404(request, public_id)
    refusal = text = ""
    try:
        require_portable(tournament)
    except TournamentError as error:
        refusal, text = error.code, refusals.describe_refusal(error.code, error.values)
    context = {
        "tournament": tournament,
        "refusal": refusal,
        "back_to": Arrival.objects.filter(tournament=tournament).exclude(ticket="").exists()
        and tournament.imported_from,
        "most": MAX_PLACE_CHARACTERS,
        "refusal_text": text,
    }
    return render(request, "tournaments/transfer/transfer.html", context)


@require_safe
@count_files
def download_copy(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the tournament as a file; it goes on here as if nothing had been."""
    tournament, _player = _get_own_or_404(request, public_id)
    try:
        data = make_copy(tournament, timezone.now())
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
        return redirect("tournament-transfer", public_id)
    return _send_file(tournament, data)


@require_POST
def lend_tournament_by_form(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the file that takes the tournament to another site; here it is read-only from now on."""
    tournament, player = _get_own_or_404(request, public_id)
    to = request.POST.get("dove", "")[:MAX_PLACE_CHARACTERS]
    try:
        data = lend_tournament(tournament_id=tournament.pk, by=player, to=to, now=timezone.now())
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
        return redirect("tournament-transfer", public_id)
    return _send_file(tournament, data)


@require_POST
def recall_tournament_by_form(request: HttpRequest, public_id: str) -> HttpResponse:
    tournament, player = _get_own_or_404(request, public_id)
    done = Notice("recalled", _("Richiamato: qui si continua, e il file partito non vale più."))
    if waits_for_slips(tournament):
        done = Notice(done.code, f"{done.text} {wording.describe_slips()}")
    run_and_report(request, recall_tournament, done, tournament_id=tournament.pk, by=player, now=timezone.now())
    return redirect("tournament-transfer", public_id)


@require_http_methods(["GET", "HEAD", "POST"])
def import_file(request: HttpRequest) -> HttpResponse:
    """Show and take the form of a file that brings a tournament here: all of it or nothing."""
    player = get_member_or_redirect(request, "tournament-file")
    if isinstance(player, HttpResponse):
        return player
    form = TournamentFileForm(request.POST or None, request.FILES or None)
    faults, more = [], ""
    if request.method == "POST" and form.is_valid():
        now = timezone.now()
        try:
            with admit_file(player, now):
                tournament = take_in_file(data=form.read_data(), by=player, now=now)
        except FileRefused as refused:
            faults, more = wording.describe_faults(refused.faults), wording.count_untold(refused.faults)
        except TournamentError as error:
            form.add_error("file", refusals.make_form_error(error))
        else:
            if tournament.imported_from:
                show_notice(request, Notice("file_imported", _("Importato: è qui per intero.")))
            else:
                show_notice(request, Notice("file_returned", _("Tornato: da adesso si continua qui.")))
            if waits_for_slips(tournament):
                messages.warning(request, wording.describe_slips(), extra_tags="slips_anew")
            return redirect("tournament", tournament.public_id)
    context = {"form": form, "faults": faults, "faults_more": more}
    return render(request, "tournaments/transfer/import.html", context)


def _get_own_or_404(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not permissions.may_run(tournament, player):
        raise Http404
    return tournament, player


def _send_file(tournament: Tournament, data: bytes) -> HttpResponse:
    response = HttpResponse(data, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="torneo-{tournament.public_id}.json"'
    response["Cache-Control"] = "no-store"
    return response
