"""The organiser's own home: what he runs, his series and clubs; and the pages of a series."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.forms import asks_for_options, typed
from players.models import Player
from players.selectors import player_for
from tournaments.clubs.queries import list_memberships
from tournaments.core import dates, permissions, refusals, states
from tournaments.core.errors import TournamentError
from tournaments.models import Series, Tournament
from tournaments.organise.forms import initial_values
from tournaments.organise.views import member_or_away, source_of
from tournaments.recurring import SeriesForm, series_initial
from tournaments.services import series

State = Tournament.State

SHOWN_FINISHED = 20


@require_GET
def organiser_home(request: HttpRequest) -> HttpResponse:
    """Everything the reader runs."""
    player = member_or_away(request, "organiser-home")
    if isinstance(player, HttpResponse):
        return player
    mine = permissions.tournaments_run_by(player).select_related("organiser", "club")
    soonest = F("starts_at").asc(nulls_first=True)
    context = {
        "drafts": mine.filter(state=State.DRAFT).order_by("-created_at"),
        "open": mine.filter(state__in=states.ENTERING).order_by(soonest, "-created_at"),
        "running": mine.filter(state=State.RUNNING).order_by("-drawn_at"),
        "finished": mine.filter(state=State.FINISHED).order_by("-finished_at")[:SHOWN_FINISHED],
        "series": Series.objects.filter(organiser=player).select_related("club").order_by("next_start"),
        "memberships": list(list_memberships(player)),
    }
    return render(request, "tournaments/organiser.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def series_new(request: HttpRequest) -> HttpResponse:
    player = member_or_away(request, "organiser-home")
    if isinstance(player, HttpResponse):
        return player
    source = source_of(request, player)
    form = SeriesForm(request.POST or None, initial=_like(source), organiser=player)

    def save(form: SeriesForm, now: datetime) -> Series:
        return series.create_series(organiser=player, settings=form.settings(), source=source, now=now, **form.weekly())

    return _page(request, form, save, player, None)


@require_http_methods(["GET", "HEAD", "POST"])
def series_edit(request: HttpRequest, public_id: str) -> HttpResponse:
    player, found = _own(request, public_id)
    form = SeriesForm(request.POST or None, initial=series_initial(found), organiser=player, of=found)

    def save(form: SeriesForm, now: datetime) -> Series:
        return series.edit_series(series_id=found.pk, by=player, settings=form.settings(), now=now, **form.weekly())

    return _page(request, form, save, player, found)


def _page(
    request: HttpRequest,
    form: SeriesForm,
    save: Callable[[SeriesForm, datetime], Series],
    player: Player,
    found: Series | None,
) -> HttpResponse:
    """The form, or what comes after it was taken."""
    if request.method == "POST" and (asks_for_options(request.POST) or form.leaves_unseen()):
        scripted = "HX-Request" in request.headers
        form = SeriesForm(initial=typed(SeriesForm, request.POST), scripted=scripted, organiser=player, of=found)
    elif request.method == "POST" and form.is_valid():
        try:
            made = save(form, timezone.now())
        except TournamentError as error:
            form.refuse(error)
        else:
            start = timezone.localtime(made.next_start)
            messages.success(request, _("Salvata: il primo è %(start)s.") % {"start": dates.describe_hour(start)})
            return redirect("organiser-home")
    return render(request, "tournaments/form.html", {"form": form})


def _like(source: Tournament | None) -> dict[str, Any]:
    """What a new series begins with: a tournament's settings, its day and its hour."""
    if source is None:
        return {}
    begun = initial_values(source)
    at = begun.pop("starts_at", None)
    return begun if at is None else {**begun, "weekday": at.weekday(), "hour": at.time()}


def _own(request: HttpRequest, public_id: str) -> tuple[Player, Series]:
    player = player_for(request.user)
    if player is None:
        raise Http404
    rows = Series.objects.filter(organiser=player).select_related("club", "organiser")
    return player, get_object_or_404(rows, public_id=public_id)


@require_POST
def series_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Stop it, let it run again, or forget it."""
    player, found = _own(request, public_id)
    try:
        if act == "ferma":
            series.stop_series(series_id=found.pk, by=player)
            messages.success(request, _("La serie è ferma. I tornei già aperti restano."))
        elif act == "riprendi":
            series.resume_series(series_id=found.pk, by=player, now=timezone.now())
            messages.success(request, _("La serie riprende."))
        elif act == "elimina":
            series.forget_series(series_id=found.pk, by=player)
            messages.success(request, _("La serie non c'è più. I tornei già aperti restano."))
        else:
            raise Http404
    except TournamentError as error:
        messages.error(request, refusals.describe_refusal(error.code, error.values))
    return redirect("organiser-home")
