"""The referee's pages (F4): the tables as they stand, the acts about one fixture, the record of a match so far."""

from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games import selectors as tables
from players.models import Player
from players.selectors import player_for
from records import match_narrative
from tournaments import selectors, services, words
from tournaments.models import Fixture, Tournament
from tournaments.result import context_of, has_vp
from tournaments.selectors.desk import desk as read_desk
from tournaments.selectors.desk import rulings
from tournaments.selectors.rights import may_judge, may_referee, may_run
from tournaments.services import TournamentError
from tournaments.views.acts import found_for
from tournaments.views.rulings import forms_of_fixture, forms_of_tournament, of_fixture, of_tournament

URGENT = "solo"  # in the address: only the tables that want somebody


def _referee(request: HttpRequest, public_id: str) -> tuple[Tournament, Player]:
    """404 for everybody who doesn't referee it."""
    found = found_for(request, public_id)
    player = player_for(request.user)
    if player is None or not may_referee(found, player):
        raise Http404
    return found, player


@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every table, what wants somebody first; below, what is decided about all of them and about lines."""
    found, player = _referee(request, public_id)
    now = timezone.now()
    lines = tuple(selectors.lines(found).values()) if found.drawn_at is not None else ()
    over = found.state == Tournament.State.FINISHED
    acts = forms_of_tournament(request.POST if request.method == "POST" else None, lines, over=over)
    for form in acts:
        if form.is_bound and form.is_valid():
            try:
                of_tournament(form, found, player, now)
            except TournamentError as error:
                form.refuse(error)
            else:
                messages.success(request, _("Fatto: è nel registro, e lo sa chi deve saperlo."))
                return redirect("tournament-desk", public_id)
    context = {
        "tournament": found,
        "desk": read_desk(found, player, now),
        "acts": acts if found.state == Tournament.State.RUNNING or over else [],
        "may_run": may_run(found, player),
        "only_urgent": URGENT in request.GET,
        "now": now,
    }
    live = request.headers.get("HX-Target") == "live"
    response = render(request, "tournaments/_desk_live.html" if live else "tournaments/desk.html", context)
    patch_vary_headers(response, ["HX-Target"])
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def desk_fixture(request: HttpRequest, public_id: str, fixture_id: int) -> HttpResponse:
    """What can be decided about one fixture, and what was."""
    found, player = _referee(request, public_id)
    fixture, row = _fixture(found, player, fixture_id)
    forms = []
    if may_judge(found, player, fixture) and found.state in (Tournament.State.RUNNING, Tournament.State.FINISHED):
        context = context_of(found, fixture)
        data = request.POST if request.method == "POST" else None
        forms = forms_of_fixture(data, fixture, row, has_vp=has_vp(found, context), knockout=context == "ko")
    for form in forms:
        if form.is_bound and form.is_valid():
            try:
                of_fixture(form, found, fixture, player, timezone.now())
            except TournamentError as error:
                form.refuse(error)
            else:
                messages.success(request, _("Deciso: è nel registro, e lo sa chi ci gioca."))
                return redirect("tournament-desk", public_id)
    said = [
        each
        for each in rulings(found, selectors.lines(found).values())
        if each.entry.detail.get("fixture") == fixture.pk
    ]
    context_ = {
        "tournament": found,
        "fixture": fixture,
        "f": row,
        "acts": forms,
        "rulings": said,
        "now": timezone.now(),
    }
    return render(request, "tournaments/desk_fixture.html", context_)


def _fixture(found: Tournament, player: Player, fixture_id: int) -> tuple[Fixture, selectors.FixtureRow]:
    """404 unless two lines meet in it."""
    fixtures = Fixture.objects.of(found).select_related("round", "match")
    fixture = get_object_or_404(fixtures, pk=fixture_id)
    for round_ in selectors.rounds(found, selectors.lines(found), player):
        for row in round_.fixtures:
            if row.id == fixture_id and row.first is not None and row.second is not None:
                return fixture, row
    raise Http404


@require_GET
def desk_record(request: HttpRequest, public_id: str, fixture_id: int) -> HttpResponse:
    """The record so far (F4): of the deals that are over everything, of the running one what everybody saw.

    404 for a referee who plays in the tournament: he sees of running tables what everybody sees.
    """
    found, player = _referee(request, public_id)
    fixture, row = _fixture(found, player, fixture_id)
    plays = found.members.filter(player=player).exists()
    if fixture.match is None or plays:
        raise Http404
    if not row.live:
        return redirect("match-result", fixture.match.public_id)
    so_far = tables.record_so_far(fixture.match)
    context = {
        "tournament": found,
        "f": row,
        "narrative": match_narrative.narrate_record(so_far.record),
        "running": so_far.running,
    }
    return render(request, "tournaments/desk_record.html", context)


@require_POST
def desk_seen(request: HttpRequest, public_id: str) -> HttpResponse:
    """A call that somebody is seeing to."""
    found, player = _referee(request, public_id)
    typed = request.POST.get("chiamata", "")
    report_id = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 19 else 0
    now: datetime = timezone.now()
    try:
        services.see_to(tournament_id=found.pk, report_id=report_id, by=player, now=now)
    except TournamentError as error:
        messages.error(request, words.refusal(error.code, error.values))
    return redirect(reverse("tournament-desk", args=[public_id]))
