"""The pages of clubs: members, tournaments, and the acts of members and administrators."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.clean_text import clean_line
from players.models import Player
from players.selectors import player_for
from players.web.requests import show_error
from tournaments.clubs import actions, queries, wording
from tournaments.clubs.actions import ClubError
from tournaments.clubs.forms import ClubForm
from tournaments.core import states, visibility
from tournaments.core.web import Notice, show_notice
from tournaments.models import Club, ClubMember

Role = ClubMember.Role

CLUBS_PER_PAGE = 50
MAX_FINISHED = 20  # tournaments on a club's page
RATE_LIMITED = ("chiedi", "invita")  # they notify somebody, also when taken back and repeated


@require_safe
def list_clubs(request: HttpRequest) -> HttpResponse:
    """List all clubs, one's own on top."""
    player = player_for(request.user)
    memberships = [] if player is None else list(queries.list_memberships(player))
    page = Paginator(queries.list_clubs(), CLUBS_PER_PAGE).get_page(request.GET.get("pagina"))
    return render(request, "tournaments/clubs/list.html", {"memberships": memberships, "clubs": page})


@require_http_methods(["GET", "HEAD", "POST"])
def create_club(request: HttpRequest) -> HttpResponse:
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, wording.describe_refusal("account_needed", {}), extra_tags="account_needed")
        return redirect(f"{reverse('account_signup')}?next={reverse('club-new')}")
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = actions.create_club(by=player, now=timezone.now(), **form.cleaned_data)
        except ClubError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("founded", _("Il circolo è fondato. Ora invita i soci.")))
            return redirect("club", club.public_id)
    return render(request, "tournaments/clubs/form.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
def edit_club(request: HttpRequest, public_id: str) -> HttpResponse:
    club, membership = _get_club(request, public_id)
    player = player_for(request.user)
    if player is None or not _has_role(membership, Role.ADMIN):
        raise Http404
    form = ClubForm(request.POST or None, initial={"name": club.name, "description": club.description})
    if request.method == "POST" and form.is_valid():
        try:
            actions.edit_club(club_id=club.pk, by=player, **form.cleaned_data)
        except ClubError as error:
            form.refuse(error)
        else:
            show_notice(request, Notice("saved", _("Modifiche salvate.")))
            return redirect("club", public_id)
    return render(request, "tournaments/clubs/form.html", {"form": form, "club": club})


@require_safe
def show_club(request: HttpRequest, public_id: str) -> HttpResponse:
    club, membership = _get_club(request, public_id)
    player = player_for(request.user)
    everybody = list(queries.list_people(club))
    events = visibility.list_tournaments(player).filter(club=club)
    context = {
        "club": club,
        "membership": membership,
        "is_admin": _has_role(membership, Role.ADMIN),
        "may_organise": _has_role(membership, Role.ORGANISER, Role.ADMIN),
        "members": sorted((row for row in everybody if row.confirmed), key=_role_order),
        "asking": [row for row in everybody if not row.confirmed and not row.invited],
        "invited": [row for row in everybody if not row.confirmed and row.invited],
        "roles": Role.choices,
        "coming": events.filter(state__in=states.UNFINISHED).order_by("starts_at", "-created_at"),
        "finished": events.filter(state="finished").order_by("-finished_at")[:MAX_FINISHED],
    }
    return render(request, "tournaments/clubs/club.html", context)


def _get_club(request: HttpRequest, public_id: str) -> tuple[Club, ClubMember | None]:
    """Return the club of the address and the reader's membership, or raise Http404."""
    club = Club.objects.filter(public_id=public_id).first()
    if club is None:
        raise Http404
    player = player_for(request.user)
    return club, None if player is None else club.members.filter(player=player).first()


def _has_role(membership: ClubMember | None, *roles: Role) -> bool:
    return membership is not None and membership.confirmed and membership.role in roles


def _role_order(row: ClubMember) -> int:
    return -Role.values.index(row.role)


# --- Acts of one click -----------------------------------------------------------------------------------------------


def _posted_player_id(request: HttpRequest) -> int:
    """Return the id of the player in whose row the button stands; 0 for none."""
    player = Player.objects.filter(public_id=clean_line(request.POST.get("chi", ""))).first()
    return 0 if player is None else player.pk


Act = Callable[[HttpRequest, Club, Player, datetime], Any]


def _list_acts() -> dict[str, tuple[Act, Notice]]:
    """Map the last word of the address to the act and the notice of its success."""
    return {
        "chiedi": (
            lambda request, club, me, now: actions.ask_to_join(club_id=club.pk, player=me, now=now),
            Notice("asked", _("Fatto: chi amministra il circolo lo sa.")),
        ),
        "lascia": (
            lambda request, club, me, now: actions.leave_club(club_id=club.pk, player=me),
            Notice("left", _("Non sei più del circolo.")),
        ),
        "consenti": (
            lambda request, club, me, now: actions.choose_consent(club_id=club.pk, player=me, consents=True),
            Notice("consents", _("Il circolo ti può iscrivere ai suoi tornei: ogni volta lo saprai.")),
        ),
        "non-consentire": (
            lambda request, club, me, now: actions.choose_consent(club_id=club.pk, player=me, consents=False),
            Notice("asks_first", _("D'ora in poi il circolo ti invita, e decidi ogni volta.")),
        ),
        "accetta": (
            lambda request, club, me, now: actions.answer_club(club_id=club.pk, player=me, accept=True, now=now),
            Notice("joined", _("Benvenuto nel circolo.")),
        ),
        "rifiuta": (
            lambda request, club, me, now: actions.answer_club(club_id=club.pk, player=me, accept=False, now=now),
            Notice("declined", _("Hai detto di no.")),
        ),
        "invita": (
            lambda request, club, me, now: actions.invite_to_club(
                club_id=club.pk, by=me, name=request.POST.get("nome", "")[:64], now=now
            ),
            Notice("invited", _("Invitato: lo sa su ogni pagina che ha aperta.")),
        ),
        "ammetti": (
            lambda request, club, me, now: actions.answer_request(
                club_id=club.pk, by=me, player_id=_posted_player_id(request), accept=True, now=now
            ),
            Notice("admitted", _("Ora è socio.")),
        ),
        "respingi": (
            lambda request, club, me, now: actions.answer_request(
                club_id=club.pk, by=me, player_id=_posted_player_id(request), accept=False, now=now
            ),
            Notice("turned_down", _("La richiesta è respinta.")),
        ),
        "ruolo": (
            lambda request, club, me, now: actions.set_role(
                club_id=club.pk, by=me, player_id=_posted_player_id(request), role=request.POST.get("ruolo", "")
            ),
            Notice("role_changed", _("Ruolo cambiato.")),
        ),
        "togli": (
            lambda request, club, me, now: actions.remove_member(
                club_id=club.pk, by=me, player_id=_posted_player_id(request)
            ),
            Notice("removed", _("Non è più del circolo.")),
        ),
        "sciogli": (
            lambda request, club, me, now: actions.dissolve_club(club_id=club.pk, by=me, now=now),
            Notice("dissolved", _("Il circolo è sciolto.")),
        ),
    }


@require_POST
def act_on_club(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Run one act as the reader, show its outcome, and go back to the club's page."""
    acts = _list_acts()
    if act not in acts:
        raise Http404
    club, _membership = _get_club(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("club", args=[public_id]))
    run, success = acts[act]
    if act in RATE_LIMITED and not ratelimit.consume(request, action="club_call"):
        show_error(request, wording.describe_refusal("too_many_asked", {}), "too_many_asked")
        return redirect("club", public_id)
    try:
        run(request, club, player, timezone.now())
    except ClubError as error:
        show_error(request, wording.describe_refusal(error.code, error.values), error.code)
    else:
        show_notice(request, success)
        if act == "sciogli":
            return redirect("clubs")
    return redirect("club", public_id)
