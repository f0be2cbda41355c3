"""Files, calendars and the code for a wall."""

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games import wording as game_wording
from players import clean_text
from players.selectors import find_calendar_owner, player_for
from players.services.calendar import drop_calendar, renew_calendar
from tournaments.core import wording
from tournaments.core.permissions import may_run
from tournaments.core.web import absolute_address, address_of, draw_qr, get_tournament_or_404
from tournaments.models import Tournament
from tournaments.sharing import calendars, exports, file_formats
from tournaments.sharing.calendars import Happening

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
State = Tournament.State


@require_GET
def export(request: HttpRequest, public_id: str, what: str, kind: str) -> HttpResponse:
    """A table of the tournament, as a visitor may see it: ``what`` and ``kind`` are in the address and never change."""
    found = get_tournament_or_404(request, public_id)
    if what not in exports.SHEETS:
        raise Http404
    sheet = exports.export_sheet(found, what)
    name = f"{what}-{found.public_id}.{kind}"
    if kind == "json":
        body = {"tournament": exports.export_header(found), exports.KEYS[what]: sheet.records()}
        response: HttpResponse = JsonResponse(body, json_dumps_params={"ensure_ascii": False})
    elif kind == "csv":
        response = HttpResponse(file_formats.write_csv(sheet), content_type="text/csv; charset=utf-8")
    else:
        response = HttpResponse(file_formats.write_workbook(sheet, what), content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_GET
def calendar(request: HttpRequest, public_id: str) -> HttpResponse:
    """The tournament's calendar, in the site's language."""
    found = get_tournament_or_404(request, public_id)
    with translation.override("it"):
        return _calendar(
            request, found.name, found.time_zone, calendars.tournament_happenings(found), f"torneo-{public_id}"
        )


@require_GET
def own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The calendar of whoever has that token: it needs no login, for calendars have none."""
    owner = find_calendar_owner(token)
    if owner is None:
        raise Http404
    with translation.override(owner.user.language or "it"):
        zone = owner.user.time_zone or timezone.get_default_timezone_name()
        response = _calendar(request, _("I miei tornei"), zone, calendars.player_happenings(owner), "smazzata")
    response["Cache-Control"] = "private, no-store"
    return response


def _calendar(request: HttpRequest, name: str, zone: str, happenings: Iterable[Happening], file: str) -> HttpResponse:
    told = [(each, _about(each.tournament), _url(request, each.tournament)) for each in happenings]
    body = file_formats.write_calendar(clean_text.clean_line(name), zone, told, timezone.now())
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{file}.ics"'
    return response


def _about(tournament: Tournament) -> str:
    return " · ".join(
        (
            wording.name_ruleset(tournament.ruleset),
            wording.name_format(tournament.format),
            game_wording.describe_length(tournament.length_kind, tournament.length_value),
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
            renew_calendar(player=player)
            messages.success(request, _("Fatto: questo è l'indirizzo del tuo calendario."))
        return redirect("calendar-page")
    token = player.calendar_token
    url = request.build_absolute_uri(reverse("own-calendar", args=[token])) if token else ""
    return render(request, "players/calendar.html", {"url": url})


@require_GET
def code(request: HttpRequest, public_id: str) -> HttpResponse:
    """Big enough for a wall: to enter, and during the check-in to be there. Who runs the tournament gets the link of a
    registration by link (E3); everybody else, and every other registration, the public page."""
    found = get_tournament_or_404(request, public_id)
    url = address_of(request, found)
    player = player_for(request.user)
    runs = may_run(found, player)
    by_link = found.registration == Tournament.Registration.LINK and found.join_token and found.state == State.OPEN
    join = absolute_address(request, "tournament-invite", public_id, found.join_token) if runs and by_link else url
    if found.state == State.CHECKIN:
        join = f"{url}#adesso"  # where the button is (E4)
    context = {
        "tournament": found,
        "url": url,
        "join": join,
        "qr": draw_qr(join),
        "secret": bool(runs and by_link),
    }
    if runs:
        context["embed"] = absolute_address(request, "tournament-embed", public_id)
        context["snippet"] = _snippet(str(context["embed"]), found.name)
    return render(request, "tournaments/sharing/qr.html", context)


def _snippet(url: str, title: str) -> str:
    """The lines to copy: text to show, and markup where they are pasted, so what stands in them is escaped for that."""
    attributes = f'src="{escape(url)}" title="{escape(title)}" width="100%" height="600" loading="lazy"'
    return f"<iframe {attributes}></iframe>"
