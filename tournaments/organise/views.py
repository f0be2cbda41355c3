"""Views of the organiser: their home, a new tournament, its changes, its referees, and one-click acts."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms import FormValues
from players import caps
from players.clean_text import clean_line
from players.models import Player
from players.selectors import player_for
from tournaments.clubs.queries import list_memberships
from tournaments.core import permissions, refusals, states, visibility
from tournaments.core.errors import TournamentError
from tournaments.core.web import (
    Notice,
    get_tournament_or_404,
    run_act,
    run_and_report,
    show_notice,
    show_refusal,
)
from tournaments.entries import house
from tournaments.models import Series, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.base_forms import CancelForm, TextsForm
from tournaments.organise.forms import TournamentForm, read_initial_values
from tournaments.organise.making import Making, answer_form
from tournaments.organise.referees import copy_referees, dismiss_referee, name_referee
from tournaments.organise.settings import read_settings
from tournaments.running import round_times

MAX_FINISHED = 20  # tournaments on the organiser's home


@require_safe
def show_organiser_home(request: HttpRequest) -> HttpResponse:
    """Show the tournaments, series and clubs of the reader."""
    player = get_member_or_redirect(request, "organiser-home")
    if isinstance(player, HttpResponse):
        return player
    mine = permissions.list_run_tournaments(player).select_related("organiser", "club")
    soonest = F("starts_at").asc(nulls_first=True)
    context = {
        "drafts": mine.filter(state=Tournament.State.DRAFT).order_by("-created_at"),
        "open": mine.filter(state__in=states.ENTERING).order_by(soonest, "-created_at"),
        "running": mine.filter(state=Tournament.State.RUNNING).order_by("-drawn_at"),
        "finished": mine.filter(state=Tournament.State.FINISHED).order_by("-finished_at")[:MAX_FINISHED],
        "series": Series.objects.filter(organiser=player).select_related("club").order_by("next_start"),
        "memberships": list(list_memberships(player)),
    }
    return render(request, "tournaments/organise/organiser.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def create_tournament(request: HttpRequest) -> HttpResponse:
    """Show and take the form of a new tournament, published at once if the organiser says so."""
    player = get_member_or_redirect(request, "tournament-new")
    if isinstance(player, HttpResponse):
        return player
    source = find_source(request, player)

    def save(form: TournamentForm, now: datetime) -> HttpResponse:
        with transaction.atomic():  # refused, it leaves no draft behind
            tournament = lifecycle.create_tournament(organiser=player, settings=form.read_settings(), now=now)
            if source is not None:
                copy_referees(source=source, tournament=tournament)
            if "publish" in request.POST:
                lifecycle.publish_tournament(tournament_id=tournament.pk, by=player, now=now)
        calls_roll = "publish" in request.POST and tournament.venue.calls_roll
        return redirect("tournament-entries" if calls_roll else "tournament", tournament.public_id)

    initial = _read_initial_values(request, source)
    return answer_form(request, Making(TournamentForm, save, initial, {"organiser": player}, is_new=True))


@require_http_methods(["GET", "HEAD", "POST"])
def edit_tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show and take the form of a tournament; after the draw, the form of its texts alone (E2)."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not permissions.may_run(tournament, player):
        raise Http404
    if tournament.state == Tournament.State.RUNNING:
        return edit_texts(request, tournament, player)
    if tournament.state not in states.UNDRAWN:
        show_refusal(request, "over")
        return redirect("tournament", public_id)

    def save(form: TournamentForm, now: datetime) -> HttpResponse:
        lifecycle.edit_tournament(tournament_id=tournament.pk, by=player, settings=form.read_settings(), now=now)
        show_notice(request, Notice("saved", _("Modifiche salvate.")))
        return redirect("tournament", public_id)

    arguments = {"organiser": player, "of": tournament}
    return answer_form(request, Making(TournamentForm, save, read_initial_values(tournament), arguments, tournament))


def _read_initial_values(request: HttpRequest, source: Tournament | None) -> FormValues:
    """Return the initial values of a new form: a tournament's settings but for its hour, or the club of the address."""
    if source is None:
        return {"club": request.GET.get("circolo", "")}
    return {**read_initial_values(source), "starts_at": None, "round_hours": ()}


def get_member_or_redirect(request: HttpRequest, back: str) -> Player | HttpResponse:
    """Return the reader, or the response that leads them to sign up; ``back``: the page they come back to."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, refusals.describe_refusal("not_a_member"), extra_tags="not_a_member")
        return redirect(f"{reverse('account_signup')}?next={reverse(back)}")
    return player


def find_source(request: HttpRequest, player: Player) -> Tournament | None:
    """Return the tournament of the address to copy; None without one, 404 for one the reader doesn't run."""
    if "da" not in request.GET:
        return None
    public_id = clean_line(request.GET["da"])
    return get_object_or_404(permissions.list_run_tournaments(player).select_related("club"), public_id=public_id)


def edit_texts(request: HttpRequest, tournament: Tournament, player: Player) -> HttpResponse:
    """Show and take the form of a tournament's texts and hours after the draw (E2, R6)."""
    initial = {"name": tournament.name, "description": tournament.description, "time_zone": tournament.time_zone}
    form = TextsForm(
        request.POST or None, initial=initial, rounds=round_times.list_upcoming_rounds(tournament, timezone.now())
    )
    if request.method == "POST" and form.is_valid():
        texts = {name: form.cleaned_data[name] for name in ("name", "description")}
        zone = form.cleaned_data["time_zone"] or tournament.time_zone
        settings = replace(read_settings(tournament), **texts, time_zone=zone)

        run_and_report(
            request,
            lifecycle.edit_tournament,
            Notice("saved", _("Modifiche salvate.")),
            tournament_id=tournament.pk,
            by=player,
            settings=settings,
            hours=form.read_moved_hours(),
            now=timezone.now(),
        )
        return redirect("tournament", tournament.public_id)
    return render(request, "tournaments/organise/texts_form.html", {"form": form, "tournament": tournament})


@require_safe
def show_referees(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the referees' page: apart from the tournament's own, which is drawn anew while one types."""
    tournament = get_tournament_or_404(request, public_id)
    if not permissions.may_run(tournament, player_for(request.user)) or tournament.state == Tournament.State.CANCELLED:
        raise Http404
    context = {"tournament": tournament, "referees": permissions.list_referees(tournament)}
    return render(request, "tournaments/organise/referees.html", context)


def _redirect_to_referees(request: HttpRequest, public_id: str, answer: HttpResponse) -> HttpResponse:
    """Redirect to the referees' page; ``answer`` for readers who may not see it."""
    tournament = visibility.find_visible(public_id, player_for(request.user))
    runs = tournament is not None and permissions.may_run(tournament, player_for(request.user))
    return redirect("referees", public_id) if runs else answer


@require_POST
def name_referee_by_form(request: HttpRequest, public_id: str) -> HttpResponse:
    name = request.POST.get("nome", "")[:64]
    done = Notice("referee_named", _("Nominato: lo sa su ogni pagina che ha aperta."))
    return _redirect_to_referees(
        request, public_id, run_act(request, public_id, name_referee, done, actor="by", name=name)
    )


@require_POST
def dismiss_referee_by_form(request: HttpRequest, public_id: str) -> HttpResponse:
    referee = Player.objects.filter(public_id=clean_line(request.POST.get("chi", ""))).first()
    player_id = 0 if referee is None else referee.pk
    done = Notice("referee_dismissed", _("Non arbitra più questo torneo."))
    return _redirect_to_referees(
        request, public_id, run_act(request, public_id, dismiss_referee, done, actor="by", player_id=player_id)
    )


@require_POST
def publish_tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    done = Notice("published", _("Le iscrizioni sono aperte."))
    return run_act(request, public_id, lifecycle.publish_tournament, done, actor="by")


@require_POST
def fill_with_house(request: HttpRequest, public_id: str) -> HttpResponse:
    """Seat house players on the free places, up to their cap; with the last one a sit and go starts (E5)."""

    def say_done(free: int) -> Notice:
        if free <= 0:
            return Notice("house_entered", _("I posti liberi sono della casa."))
        sentence = _("La casa ha %(limit)d posti, il massimo. Ancora liberi: %(free)d.")
        return Notice("house_entered_some", sentence % {"limit": caps.MAX_HOUSE_ENTRIES, "free": free})

    return run_act(request, public_id, house.enter_house_players, say_done, actor="by")


@require_http_methods(["GET", "HEAD", "POST"])
def cancel_tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say what cancelling does and ask for the reason, where somebody is in it (E2); cancel by the second click."""
    tournament = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not permissions.may_run(tournament, player):
        raise Http404
    if tournament.state not in states.UNFINISHED:
        show_refusal(request, "over")
        return redirect("tournament", public_id)
    typed = request.POST if request.method == "POST" else None
    form = CancelForm(typed, needs_reason=lifecycle.needs_reason(tournament))
    if request.method == "POST" and form.is_valid():
        arguments: dict[str, Any] = {"tournament_id": tournament.pk, "by": player, "now": timezone.now()}
        try:
            lifecycle.cancel_tournament(reason=form.cleaned_data["reason"], **arguments)
        except TournamentError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("cancelled", _("Il torneo è annullato.")))
            return redirect("tournament", public_id)
    return render(request, "tournaments/organise/cancel.html", {"form": form, "tournament": tournament})
