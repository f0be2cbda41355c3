"""The referee's pages, and the acts their forms ask for."""

from datetime import datetime
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import selectors as tables
from players.models import Player
from players.selectors import player_for
from players.web.live import render_live
from players.web.requests import read_number
from records import match_narrative
from tournaments.core import reads, rows
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import find_fixture_terms
from tournaments.core.parts import MOST_ENTRIES, page_request, read_address_number
from tournaments.core.permissions import may_judge, may_referee, may_run
from tournaments.core.visibility import plays_in
from tournaments.core.web import Notice, get_tournament_or_404, show_notice, show_refusal
from tournaments.desk import referee_calls
from tournaments.desk.acts import (
    AtFixture,
    apply_sent,
    apply_to_fixture,
    apply_to_tournament,
    build_fixture_forms,
    build_tournament_forms,
)
from tournaments.desk.forms import ActForm
from tournaments.desk.part_queries import read_desk_part
from tournaments.desk.queries import Desk, narrow_desk, read_desk, read_fixture_table
from tournaments.desk.rulings import list_rulings
from tournaments.desk.typed import ask_typed_results
from tournaments.entries.queries import read_invited
from tournaments.models import Fixture, Tournament
from tournaments.own_names.claims import count_claims
from tournaments.running import round_clocks

URGENT = "solo"  # in the address: only the tables that want somebody
FROM_RESULTS = "risultati"  # the page of quick entry, to which a mended result leads back
KEPT = ("nome", "turno", URGENT)  # of the address, by the links to other pages of a big tournament's lists


def _require_referee(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """Return the tournament and its referee; 404 for everybody else."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not may_referee(tournament, player):
        raise Http404
    return tournament, player


@require_http_methods(["GET", "HEAD", "POST"])
def show_desk(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show every table, the urgent ones first; below, the forms about all tables and about entries."""
    tournament, player = _require_referee(request, public_id)
    now = timezone.now()
    shown = _read_desk(request, tournament, player, now)
    entries = shown.entries if tournament.drawn_at is not None else ()
    acts = build_tournament_forms(request.POST if request.method == "POST" else None, tournament, player, entries)
    applied: list[bool] = []

    def apply(form: ActForm) -> bool:
        applied.append(apply_to_tournament(form, tournament, player, now))
        return applied[-1]

    if apply_sent(acts, tournament, player, apply):
        logged = Notice("logged", _("Fatto: è nel diario, e lo sa chi deve saperlo."))
        asked = Notice("play_asked", _("L'invito è partito: vale da quando chi hai invitato accetta."))
        show_notice(request, logged if all(applied) else asked)
        return redirect("tournament-desk", public_id)
    if request.method == "POST" and not any(form.is_bound for form in acts):
        show_refusal(request, "act_gone")
        return redirect("tournament-desk", public_id)
    typed = ask_typed_results()
    context = {
        "tournament": tournament,
        "desk": shown,
        "asked": page_request(request).name,
        "links": "?" + "".join(f"{name}={quote(request.GET[name])}&" for name in KEPT if name in request.GET),
        "acts": acts,
        "may_run": may_run(tournament, player),
        "claims": count_claims(tournament) if may_run(tournament, player) else None,
        "calling": typed.list_calling(tournament, player) if tournament.venue.types_results else (),
        "quick_entry": typed.has_page(tournament),
        "only_urgent": URGENT in request.GET,
        "asked_to_play": [row for row in read_invited(tournament) if not row.outcome],
        "now": now,
    }
    response = render_live(request, "tournaments/desk/desk.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _read_desk(request: HttpRequest, tournament: Tournament, player: Player, now: datetime) -> Desk:
    """Return what the address asks for: of a big tournament a part, and the entry that a form names."""
    if tournament.drawn_at is None or tournament.entries.in_place().count() <= MOST_ENTRIES:
        return narrow_desk(read_desk(tournament, player, now), page_request(request).name)
    named = request.POST.get("entry") or request.POST.get("out", "").partition(" ")[0]
    entry_id = read_number(named, 0)
    return read_desk_part(
        tournament,
        player,
        page_request(request),
        now,
        tables_page=read_address_number(request, "tavoli") or 1,
        only_urgent=URGENT in request.GET,
        chosen=(entry_id,) if entry_id else (),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def show_fixture_desk(request: HttpRequest, public_id: str, fixture_id: int) -> HttpResponse:
    """Show the rulings about one fixture and the forms of the acts that are possible."""
    tournament, player = _require_referee(request, public_id)
    fixture, row = _get_fixture(tournament, player, fixture_id)
    now = timezone.now()
    terms = find_fixture_terms(tournament, fixture)
    data = request.POST if request.method == "POST" else None
    forms: list[ActForm] = []
    if tournament.state in (Tournament.State.RUNNING, Tournament.State.FINISHED):
        judges = may_judge(tournament, player, fixture)
        if judges or row.mine:
            forms = build_fixture_forms(data, AtFixture(fixture, row, terms, player, judges))

    def apply(form: ActForm) -> None:
        apply_to_fixture(form, tournament, fixture, player, now)

    if apply_sent(forms, tournament, player, apply, fixture):
        show_notice(request, Notice("decided", _("Deciso: è nel diario, e lo sa chi ci gioca.")))
        if request.GET.get("da") == FROM_RESULTS:
            return redirect(f"{reverse('tournament-results', args=[public_id])}?dopo={fixture_id}")
        return redirect("tournament-desk", public_id)
    if request.method == "POST" and not any(form.is_bound for form in forms):
        show_refusal(request, "act_gone")
        return redirect(request.get_full_path())
    fixture, row = _get_fixture(tournament, player, fixture_id)  # as it is now, where that is why an act was refused
    context_ = {
        "tournament": tournament,
        "fixture": fixture,
        "f": row,
        "acts": forms,
        "clocks": round_clocks.read_clock_of(fixture, now),
        "rulings": list_rulings(tournament, (), fixture.pk),
        "slip": getattr(fixture, "slip", None),
        "typed": ask_typed_results().list_typed(fixture, row),
        "table": read_fixture_table(tournament, fixture, row, plays=plays_in(tournament, player), now=now),
        "now": now,
    }
    response = render_live(request, "tournaments/desk/desk_fixture.html", context_)
    response["Cache-Control"] = "no-store"
    return response


def _get_fixture(tournament: Tournament, player: Player, fixture_id: int) -> tuple[Fixture, rows.FixtureRow]:
    """Return a fixture and its row; 404 unless two entries meet in it."""
    fixtures = Fixture.objects.of(tournament).select_related("round__tournament", "match", "slip")
    fixture = get_object_or_404(fixtures, pk=fixture_id)
    row = reads.read_fixture_row(fixture, player)
    if row.first is None or row.second is None:
        raise Http404
    return fixture, row


@require_safe
def show_running_record(request: HttpRequest, public_id: str, fixture_id: int) -> HttpResponse:
    """Show the record so far (F4): finished deals entirely, the running one as everybody saw it; 404 while it is
    withheld (J12).

    404 for a referee who plays in the tournament: of running tables they see what everybody sees.
    """
    tournament, player = _require_referee(request, public_id)
    fixture, row = _get_fixture(tournament, player, fixture_id)
    plays = plays_in(tournament, player)
    if fixture.match is None or plays or not fixture.match.is_shown:
        raise Http404
    if not row.live:
        return redirect("match-result", fixture.match.public_id)
    so_far = tables.build_running_record(fixture.match)
    context = {
        "tournament": tournament,
        "f": row,
        "commitment": fixture.match.commitment,
        "narrative": match_narrative.narrate_record(so_far.record),
        "running": so_far.running,
    }
    return render(request, "tournaments/desk/desk_record.html", context)


@require_POST
def mark_call_seen(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mark a call as seen."""
    tournament, player = _require_referee(request, public_id)
    typed = request.POST.get("chiamata", "")
    report_id = read_number(typed, 0)
    now: datetime = timezone.now()
    try:
        referee_calls.answer_call(tournament_id=tournament.pk, report_id=report_id, by=player, now=now)
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
    return redirect(reverse("tournament-desk", args=[public_id]))
