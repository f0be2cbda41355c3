"""Views of files, of calendars, and of the QR code for a wall."""

from collections.abc import Iterable

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import wording as game_wording
from players import clean_text
from players.selectors import find_calendar_owner, player_for
from players.services.calendar import drop_calendar, renew_calendar
from players.web.qr import draw_qr
from tournaments.core import wording
from tournaments.core.permissions import may_run
from tournaments.core.web import (
    Notice,
    build_address,
    count_files,
    get_address,
    get_tournament_or_404,
    show_notice,
)
from tournaments.entries.queries import find_self_refusal, read_invited
from tournaments.models import Tournament
from tournaments.sharing import calendars, exports, file_formats
from tournaments.sharing.calendars import Happening

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
State = Tournament.State


@require_safe
@count_files
def export_table(request: HttpRequest, public_id: str, what: str, kind: str) -> HttpResponse:
    """Return a table of the tournament as a file, as a visitor may see it: ``what`` and ``kind`` are in the address and
    never change. Its invitations are for whoever runs it."""
    tournament = get_tournament_or_404(request, public_id)
    if what == exports.INVITATIONS and may_run(tournament, player_for(request.user)):
        sheet = exports.export_invitations(read_invited(tournament))
    elif what in exports.SHEETS:
        sheet = exports.export_sheet(tournament, what)
    else:
        raise Http404
    name = f"{what}-{tournament.public_id}.{kind}"
    if kind == "json":
        body = {"tournament": exports.export_header(tournament), exports.KEYS[what]: sheet.records()}
        response: HttpResponse = JsonResponse(body, json_dumps_params={"ensure_ascii": False})
    elif kind == "csv":
        response = HttpResponse(file_formats.write_csv(sheet), content_type="text/csv; charset=utf-8")
    else:
        response = HttpResponse(file_formats.write_workbook(sheet, what), content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
def download_calendar(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the tournament's calendar, in the site's language."""
    tournament = get_tournament_or_404(request, public_id)
    with translation.override("it"):
        return _render_calendar(
            request,
            tournament.name,
            tournament.time_zone,
            calendars.list_tournament_happenings(tournament),
            f"torneo-{public_id}",
        )


@require_safe
def download_own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar of the token's player, without a login, for calendar programs have none."""
    owner = find_calendar_owner(token)
    if owner is None:
        raise Http404
    with translation.override(owner.user.language or "it"):
        zone = owner.user.time_zone or timezone.get_default_timezone_name()
        response = _render_calendar(
            request, _("I miei tornei"), zone, calendars.list_player_happenings(owner), "smazzata"
        )
    response["Cache-Control"] = "private, no-store"
    return response


def _render_calendar(
    request: HttpRequest, name: str, zone: str, happenings: Iterable[Happening], file: str
) -> HttpResponse:
    described = [
        (happening, _describe_tournament(happening.tournament), _build_url(request, happening.tournament))
        for happening in happenings
    ]
    body = file_formats.write_calendar(clean_text.clean_line(name), zone, described, timezone.now())
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{file}.ics"'
    return response


def _describe_tournament(tournament: Tournament) -> str:
    return " · ".join(
        (
            wording.name_ruleset(tournament.ruleset),
            wording.name_format(tournament.format),
            game_wording.describe_length(tournament.length_kind, tournament.length_value),
        )
    )


def _build_url(request: HttpRequest, tournament: Tournament) -> str:
    return request.build_absolute_uri(reverse("tournament", args=[tournament.public_id]))


@require_http_methods(["GET", "HEAD", "POST"])
def edit_calendar(request: HttpRequest) -> HttpResponse:
    """Show the address of the reader's own calendar; a POST makes it anew, or takes it away."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if request.method == "POST":
        if "togli" in request.POST:
            drop_calendar(player=player)
            show_notice(request, Notice("calendar_dropped", _("Il tuo calendario non ha più un indirizzo.")))
        else:
            renew_calendar(player=player)
            show_notice(request, Notice("calendar_made", _("Fatto: questo è l'indirizzo del tuo calendario.")))
        return redirect("calendar-page")
    token = player.calendar_token
    url = request.build_absolute_uri(reverse("own-calendar", args=[token])) if token else ""
    return render(request, "players/calendar.html", {"url": url})


@require_safe
def show_qr(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the QR code, big enough for a wall: to enter, and to check in during the check-in.

    The organiser gets the link of a registration by link (E3); everybody else, and every other registration, the public
    page.
    """
    tournament = get_tournament_or_404(request, public_id)
    url = get_address(request, tournament)
    player = player_for(request.user)
    runs = may_run(tournament, player)
    by_link = (
        tournament.registration == Tournament.Registration.LINK
        and tournament.join_token
        and tournament.state == State.OPEN
    )
    join = build_address(request, "tournament-invite", public_id, tournament.join_token) if runs and by_link else url
    if find_self_refusal(tournament, None, "") is None:
        join = build_address(request, "self-entry", public_id)  # at real tables, by name (O2)
    if tournament.state == State.CHECKIN:
        join = f"{url}#adesso"  # where the button is (E4)
    context = {
        "tournament": tournament,
        "url": url,
        "join": join,
        "qr": draw_qr(join),
        "secret": bool(runs and by_link),
    }
    if runs:
        context["embed"] = build_address(request, "tournament-embed", public_id)
        context["snippet"] = _build_snippet(str(context["embed"]), tournament.name)
    return render(request, "tournaments/sharing/qr.html", context)


def _build_snippet(url: str, title: str) -> str:
    """Return the markup to copy into another page; name and address are escaped for it."""
    attributes = f'src="{escape(url)}" title="{escape(title)}" width="100%" height="600" loading="lazy"'
    return f"<iframe {attributes}></iframe>"
