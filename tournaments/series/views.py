"""The pages of a series: its form, and its acts of one click."""

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.forms import FormValues
from players.models import Player
from players.selectors import player_for
from tournaments.core import dates
from tournaments.core.errors import TournamentError
from tournaments.core.web import Notice, show_notice, show_refusal
from tournaments.models import Series, Tournament
from tournaments.organise.forms import read_initial_values
from tournaments.organise.making import Making, answer_form
from tournaments.organise.views import find_source, get_member_or_redirect
from tournaments.series import actions
from tournaments.series.forms import SeriesForm, read_initial_series_values


@require_http_methods(["GET", "HEAD", "POST"])
def create_series(request: HttpRequest) -> HttpResponse:
    player = get_member_or_redirect(request, "organiser-home")
    if isinstance(player, HttpResponse):
        return player
    source = find_source(request, player)

    def save(form: SeriesForm, now: datetime) -> HttpResponse:
        series = actions.create_series(
            organiser=player, settings=form.read_settings(), source=source, weekly=form.read_weekly(), now=now
        )
        return _redirect_saved(request, series)

    return answer_form(request, Making(SeriesForm, save, _initial_values(source), {"organiser": player}, is_new=True))


@require_http_methods(["GET", "HEAD", "POST"])
def edit_series(request: HttpRequest, public_id: str) -> HttpResponse:
    player, series = _get_own_series(request, public_id)

    def save(form: SeriesForm, now: datetime) -> HttpResponse:
        changed = actions.edit_series(
            series_id=series.pk, by=player, settings=form.read_settings(), weekly=form.read_weekly(), now=now
        )
        return _redirect_saved(request, changed)

    arguments = {"organiser": player, "of": series}
    return answer_form(request, Making(SeriesForm, save, read_initial_series_values(series), arguments))


def _redirect_saved(request: HttpRequest, series: Series) -> HttpResponse:
    """Say when the first one is, and go back to the organiser's home."""
    start = timezone.localtime(series.next_start)
    show_notice(
        request, Notice("series_saved", _("Salvata: il primo è %(start)s.") % {"start": dates.describe_hour(start)})
    )
    return redirect("organiser-home")


def _initial_values(source: Tournament | None) -> FormValues:
    """Return the initial values of a new series: a tournament's settings, its day and its hour."""
    if source is None:
        return {}
    values = read_initial_values(source)
    at = values.pop("starts_at", None)
    return values if at is None else {**values, "weekday": at.weekday(), "hour": at.time()}


def _get_own_series(request: HttpRequest, public_id: str) -> tuple[Player, Series]:
    player = player_for(request.user)
    if player is None:
        raise Http404
    rows = Series.objects.filter(organiser=player).select_related("club", "organiser")
    return player, get_object_or_404(rows, public_id=public_id)


@require_POST
def act_on_series(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Stop, resume or delete a series."""
    player, series = _get_own_series(request, public_id)
    try:
        if act == "ferma":
            actions.stop_series(series_id=series.pk, by=player)
            show_notice(request, Notice("series_stopped", _("La serie è ferma. I tornei già aperti restano.")))
        elif act == "riprendi":
            actions.resume_series(series_id=series.pk, by=player, now=timezone.now())
            show_notice(request, Notice("series_resumed", _("La serie riprende.")))
        elif act == "elimina":
            actions.delete_series(series_id=series.pk, by=player)
            show_notice(request, Notice("series_deleted", _("La serie non c'è più. I tornei già aperti restano.")))
        else:
            raise Http404
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
    return redirect("organiser-home")
