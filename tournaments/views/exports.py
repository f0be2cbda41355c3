"""Files for other programs: tables of a tournament, calendars, and the page where one gets one's own."""

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from players.selectors import calendar_owner, player_for
from players.services import drop_calendar, new_calendar
from tournaments import words
from tournaments.models import Tournament
from tournaments.selectors import exports
from tournaments.selectors.exports import Happening
from tournaments.views import files
from tournaments.views.acts import found_for

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_GET
def export(request: HttpRequest, public_id: str, what: str, kind: str) -> HttpResponse:
    """A table of the tournament, as a visitor may see it: ``what`` and ``kind`` are in the address and never change."""
    found = found_for(request, public_id)
    if what not in exports.SHEETS:
        raise Http404
    sheet = exports.sheet(found, what)
    name = f"{what}-{found.public_id}.{kind}"
    if kind == "json":
        body = {"tournament": exports.about(found), exports.KEYS[what]: sheet.records()}
        response: HttpResponse = JsonResponse(body, json_dumps_params={"ensure_ascii": False})
    elif kind == "csv":
        response = HttpResponse(files.as_csv(sheet), content_type="text/csv; charset=utf-8")
    else:
        response = HttpResponse(files.as_workbook(sheet, what), content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_GET
def calendar(request: HttpRequest, public_id: str) -> HttpResponse:
    """The tournament's calendar, in the site's language."""
    found = found_for(request, public_id)
    with translation.override("it"):
        return _calendar(request, found.name, found.time_zone, exports.happenings_of(found), f"torneo-{public_id}")


@require_GET
def own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The calendar of whoever has that token: it needs no login, for calendars have none."""
    owner = calendar_owner(token)
    if owner is None:
        raise Http404
    with translation.override(owner.user.language or "it"):
        zone = owner.user.time_zone or timezone.get_default_timezone_name()
        response = _calendar(request, _("I miei tornei"), zone, exports.happenings_for(owner), "smazzata")
    response["Cache-Control"] = "private, no-store"
    return response


def _calendar(request: HttpRequest, name: str, zone: str, happenings: Iterable[Happening], file: str) -> HttpResponse:
    told = [(each, _about(each.tournament), _url(request, each.tournament)) for each in happenings]
    body = files.as_calendar(exports.clean_line(name), zone, told, timezone.now())
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{file}.ics"'
    return response


def _about(tournament: Tournament) -> str:
    return " · ".join(
        (
            words.ruleset_name(tournament.ruleset),
            words.format_name(tournament.format),
            words.length(tournament.length_kind, tournament.length_value),
        )
    )


def _url(request: HttpRequest, tournament: Tournament) -> str:
    return request.build_absolute_uri(reverse("tournament", args=[tournament.public_id]))


@require_http_methods(["GET", "HEAD", "POST"])
def calendar_page(request: HttpRequest) -> HttpResponse:
    """The address of one's own calendar: made, made anew, or taken away."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if request.method == "POST":
        if "togli" in request.POST:
            drop_calendar(player=player)
            messages.success(request, _("Il tuo calendario non ha più un indirizzo."))
        else:
            new_calendar(player=player)
            messages.success(request, _("Fatto: questo è l'indirizzo del tuo calendario."))
        return redirect("calendar-page")
    token = player.calendar_token
    url = request.build_absolute_uri(reverse("own-calendar", args=[token])) if token else ""
    return render(request, "players/calendar.html", {"url": url})
