"""The organiser's pages: their home, a new tournament, its changes, its referees, and one-click acts."""

from dataclasses import replace
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
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.forms import asks_for_options, read_typed
from players.clean_text import clean_line
from players.models import Player
from players.selectors import player_for
from tournaments.clubs.queries import list_memberships
from tournaments.core import permissions, refusals, states, visibility
from tournaments.core.errors import TournamentError
from tournaments.core.web import get_tournament_or_404, run_act, run_and_report
from tournaments.entries import join
from tournaments.models import Series, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.base_forms import TextsForm
from tournaments.organise.forms import TournamentForm, initial_values
from tournaments.organise.referees import copy_referees, dismiss_referee, name_referee
from tournaments.organise.settings import read_settings
from tournaments.running import round_times

MAX_FINISHED = 20  # tournaments on the organiser's home


@require_GET
def show_organiser_home(request: HttpRequest) -> HttpResponse:
    """Show the tournaments, series and clubs of the reader."""
    player = member_or_away(request, "organiser-home")
    if isinstance(player, HttpResponse):
        return player
    mine = permissions.tournaments_run_by(player).select_related("organiser", "club")
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
def create(request: HttpRequest) -> HttpResponse:
    player = member_or_away(request, "tournament-new")
    if isinstance(player, HttpResponse):
        return player
    source = source_of(request, player)
    form = TournamentForm(request.POST or None, initial=_initial_values(request, source), organiser=player)
    if request.method == "POST" and (asks_for_options(request.POST) or form.leaves_unseen()):
        return _form_page(request, _form_again(request, player, None), None)
    if request.method == "POST" and form.is_valid():
        now = timezone.now()
        try:
            with transaction.atomic():  # refused, it leaves no draft behind
                made = lifecycle.create_tournament(organiser=player, settings=form.settings(), now=now)
                if source is not None:
                    copy_referees(source=source, tournament=made)
                if "publish" in request.POST:
                    lifecycle.publish_tournament(tournament_id=made.pk, by=player, now=now)
            return redirect("tournament", made.public_id)
        except TournamentError as error:
            form.refuse(error)
    return _form_page(request, form, None)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    found = get_tournament_or_404(request, public_id)
    player = player_for(request.user)
    if player is None or not permissions.may_run(found, player):
        raise Http404
    if found.state == Tournament.State.RUNNING:
        return edit_texts(request, found, player)
    if found.state not in states.UNDRAWN:
        messages.error(request, refusals.describe_refusal("over"))
        return redirect("tournament", public_id)
    form = TournamentForm(request.POST or None, initial=initial_values(found), organiser=player, of=found)
    if request.method == "POST" and (asks_for_options(request.POST) or form.leaves_unseen()):
        return _form_page(request, _form_again(request, player, found), found)
    if request.method == "POST" and form.is_valid():
        try:
            lifecycle.edit_tournament(tournament_id=found.pk, by=player, settings=form.settings(), now=timezone.now())
        except TournamentError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Modifiche salvate."))
            return redirect("tournament", public_id)
    return _form_page(request, form, found)


def _initial_values(request: HttpRequest, source: Tournament | None) -> dict[str, Any]:
    """What a new form begins with: a tournament's settings but for its hour, or the club one comes from."""
    if source is None:
        return {"club": request.GET.get("circolo", "")}
    return {**initial_values(source), "starts_at": None, "round_hours": ()}


def _form_again(request: HttpRequest, player: Player, found: Tournament | None) -> TournamentForm:
    """The form with what was typed, and the options of what is chosen in it."""
    scripted = "HX-Request" in request.headers
    return TournamentForm(
        initial=read_typed(TournamentForm, request.POST), scripted=scripted, organiser=player, of=found
    )


def _form_page(request: HttpRequest, form: TournamentForm, found: Tournament | None) -> HttpResponse:
    return render(request, "tournaments/organise/form.html", {"form": form, "tournament": found})


def member_or_away(request: HttpRequest, back: str) -> Player | HttpResponse:
    """The reader, or where he is sent to become one who organises; ``back``: the page he comes back to then."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, refusals.describe_refusal("not_a_member"))
        return redirect(f"{reverse('account_signup')}?next={reverse(back)}")
    return player


def source_of(request: HttpRequest, player: Player) -> Tournament | None:
    """The tournament that another is to be made like, named in the address; 404 for one he doesn't run."""
    if "da" not in request.GET:
        return None
    public_id = clean_line(request.GET["da"])
    return get_object_or_404(permissions.tournaments_run_by(player).select_related("club"), public_id=public_id)


def edit_texts(request: HttpRequest, found: Tournament, player: Player) -> HttpResponse:
    """What may still be changed after the draw (E2)."""
    begun = {"name": found.name, "description": found.description, "time_zone": found.time_zone}
    form = TextsForm(request.POST or None, initial=begun, rounds=round_times.upcoming_rounds(found, timezone.now()))
    if request.method == "POST" and form.is_valid():
        said = {name: form.cleaned_data[name] for name in ("name", "description")}
        zone = form.cleaned_data["time_zone"] or found.time_zone
        settings = replace(read_settings(found), **said, time_zone=zone)

        run_and_report(
            request,
            lifecycle.edit_tournament,
            _("Modifiche salvate."),
            tournament_id=found.pk,
            by=player,
            settings=settings,
            hours=form.moved(),
            now=timezone.now(),
        )
        return redirect("tournament", found.public_id)
    return render(request, "tournaments/organise/texts_form.html", {"form": form, "tournament": found})


@require_GET
def referees(request: HttpRequest, public_id: str) -> HttpResponse:
    """Where the organiser names them: not on the tournament's page, which is drawn anew while one types."""
    found = get_tournament_or_404(request, public_id)
    if not permissions.may_run(found, player_for(request.user)) or found.state == Tournament.State.CANCELLED:
        raise Http404
    context = {"tournament": found, "referees": permissions.list_referees(found)}
    return render(request, "tournaments/organise/referees.html", context)


def _back(request: HttpRequest, public_id: str, answer: HttpResponse) -> HttpResponse:
    """To that page, for who may see it."""
    found = visibility.find_visible(public_id, player_for(request.user))
    runs = found is not None and permissions.may_run(found, player_for(request.user))
    return redirect("referees", public_id) if runs else answer


@require_POST
def referee_name(request: HttpRequest, public_id: str) -> HttpResponse:
    name = request.POST.get("nome", "")[:64]
    done = _("Nominato: lo sa su ogni pagina che ha aperta.")
    return _back(request, public_id, run_act(request, public_id, name_referee, done, actor="by", name=name))


@require_POST
def referee_dismiss(request: HttpRequest, public_id: str) -> HttpResponse:
    referee = Player.objects.filter(public_id=clean_line(request.POST.get("chi", ""))).first()
    player_id = 0 if referee is None else referee.pk
    done = _("Non arbitra più questo torneo.")
    return _back(
        request, public_id, run_act(request, public_id, dismiss_referee, done, actor="by", player_id=player_id)
    )


@require_POST
def publish(request: HttpRequest, public_id: str) -> HttpResponse:
    done = _("Le iscrizioni sono aperte.")
    return run_act(request, public_id, lifecycle.publish_tournament, done, actor="by")


@require_POST
def fill_with_house(request: HttpRequest, public_id: str) -> HttpResponse:
    """Seat house players on every free place; with the last one a sit and go starts (E5)."""
    done = _("I posti liberi sono della casa.")
    return run_act(request, public_id, join.enter_house_players, done, actor="by")


@require_POST
def cancel(request: HttpRequest, public_id: str) -> HttpResponse:
    return run_act(request, public_id, lifecycle.cancel_tournament, _("Il torneo è annullato."), actor="by")
