"""The pages of the clubs: who is in them and what they organise. What is done to a club is done by ``players``."""

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
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players import selectors as people
from players import services, words
from players.forms import ClubForm
from players.models import Club, ClubMember, Player
from players.selectors import player_for
from players.services import ClubError
from players.text import clean_line
from tournaments.core import states, visibility

Role = ClubMember.Role

A_PAGE = 50  # clubs
SHOWN_FINISHED = 20
CALLS = ("chiedi", "invita")  # each tells somebody, also when it is taken back and done again


@require_GET
def clubs(request: HttpRequest) -> HttpResponse:
    """All of them, one's own on top."""
    player = player_for(request.user)
    places = [] if player is None else list(people.places_in_clubs(player))
    page = Paginator(people.clubs(), A_PAGE).get_page(request.GET.get("pagina"))
    return render(request, "tournaments/clubs.html", {"places": places, "clubs": page})


@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    if player.is_guest:
        messages.info(request, words.club_refusal("account_needed", {}))
        return redirect(f"{reverse('account_signup')}?next={reverse('club-new')}")
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.create_club(by=player, now=timezone.now(), **form.cleaned_data)
        except ClubError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Il circolo è fondato. Ora invita i soci."))
            return redirect("club", made.public_id)
    return render(request, "tournaments/club_form.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
def club_edit(request: HttpRequest, public_id: str) -> HttpResponse:
    club, place = _found(request, public_id)
    player = player_for(request.user)
    if player is None or not _is(place, Role.ADMIN):
        raise Http404
    form = ClubForm(request.POST or None, initial={"name": club.name, "description": club.description})
    if request.method == "POST" and form.is_valid():
        try:
            services.edit_club(club_id=club.pk, by=player, **form.cleaned_data)
        except ClubError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Modifiche salvate."))
            return redirect("club", public_id)
    return render(request, "tournaments/club_form.html", {"form": form, "club": club})


@require_GET
def club(request: HttpRequest, public_id: str) -> HttpResponse:
    found, place = _found(request, public_id)
    player = player_for(request.user)
    everybody = list(people.people_of(found))
    events = visibility.list_tournaments(player).filter(club=found)
    context = {
        "club": found,
        "place": place,
        "is_admin": _is(place, Role.ADMIN),
        "may_organise": _is(place, Role.ORGANISER, Role.ADMIN),
        "members": sorted((row for row in everybody if row.confirmed), key=_by_role),
        "asking": [row for row in everybody if not row.confirmed and not row.invited],
        "invited": [row for row in everybody if not row.confirmed and row.invited],
        "roles": Role.choices,
        "coming": events.filter(state__in=states.UNFINISHED).order_by("starts_at", "-created_at"),
        "finished": events.filter(state="finished").order_by("-finished_at")[:SHOWN_FINISHED],
    }
    return render(request, "tournaments/club.html", context)


def _found(request: HttpRequest, public_id: str) -> tuple[Club, ClubMember | None]:
    """The club of the address, and the reader's place in it."""
    found = Club.objects.filter(public_id=public_id).first()
    if found is None:
        raise Http404
    player = player_for(request.user)
    return found, None if player is None else found.members.filter(player=player).first()


def _is(place: ClubMember | None, *roles: Role) -> bool:
    return place is not None and place.confirmed and place.role in roles


def _by_role(row: ClubMember) -> int:
    return -Role.values.index(row.role)


# --- What is done by one click ---------------------------------------------------------------------------------------


def _person(request: HttpRequest) -> int:
    """Whose row a button stands in; 0 for none."""
    found = Player.objects.filter(public_id=clean_line(request.POST.get("chi", ""))).first()
    return 0 if found is None else found.pk


Act = Callable[[HttpRequest, Club, Player, datetime], Any]


def _acts() -> dict[str, tuple[Act, str]]:
    """By the last word of the address: what it does, and what is said when it is done."""
    return {
        "chiedi": (
            lambda request, club, me, now: services.ask_to_join(club_id=club.pk, player=me, now=now),
            _("Fatto: chi amministra il circolo lo sa."),
        ),
        "lascia": (
            lambda request, club, me, now: services.leave_club(club_id=club.pk, player=me),
            _("Non sei più del circolo."),
        ),
        "accetta": (
            lambda request, club, me, now: services.answer_club(club_id=club.pk, player=me, accept=True, now=now),
            _("Benvenuto nel circolo."),
        ),
        "rifiuta": (
            lambda request, club, me, now: services.answer_club(club_id=club.pk, player=me, accept=False, now=now),
            _("Hai detto di no."),
        ),
        "invita": (
            lambda request, club, me, now: services.invite_to_club(
                club_id=club.pk, by=me, name=request.POST.get("nome", "")[:64], now=now
            ),
            _("Invitato: lo sa su ogni pagina che ha aperta."),
        ),
        "ammetti": (
            lambda request, club, me, now: services.answer_request(
                club_id=club.pk, by=me, player_id=_person(request), accept=True, now=now
            ),
            _("Ora è socio."),
        ),
        "respingi": (
            lambda request, club, me, now: services.answer_request(
                club_id=club.pk, by=me, player_id=_person(request), accept=False, now=now
            ),
            _("La richiesta è respinta."),
        ),
        "ruolo": (
            lambda request, club, me, now: services.set_role(
                club_id=club.pk, by=me, player_id=_person(request), role=request.POST.get("ruolo", "")
            ),
            _("Ruolo cambiato."),
        ),
        "togli": (
            lambda request, club, me, now: services.remove_member(club_id=club.pk, by=me, player_id=_person(request)),
            _("Non è più del circolo."),
        ),
        "sciogli": (
            lambda request, club, me, now: services.dissolve_club(club_id=club.pk, by=me),
            _("Il circolo è sciolto."),
        ),
    }


@require_POST
def club_act(request: HttpRequest, public_id: str, act: str) -> HttpResponse:
    """Do one thing to a club as the reader, say how it went, and go back to its page."""
    acts = _acts()
    if act not in acts:
        raise Http404
    found, _place = _found(request, public_id)
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("club", args=[public_id]))
    do, done = acts[act]
    if act in CALLS and not ratelimit.consume(request, action="club_call"):
        messages.error(request, words.club_refusal("too_many_asked", {}))
        return redirect("club", public_id)
    try:
        do(request, found, player, timezone.now())
    except ClubError as error:
        messages.error(request, words.club_refusal(error.code, error.values))
    else:
        messages.success(request, done)
        if act == "sciogli":
            return redirect("clubs")
    return redirect("club", public_id)
