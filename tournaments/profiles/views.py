"""Views of a person's page and what hangs on it, of one's own profile, and of the choice of who is shown what."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.training.queries import list_open_training
from games.wording import name_ruleset
from players.forms import AppearanceForm
from players.models import Player, User
from players.selectors import PARTS, find_relation, list_acts_about, list_seen_parts, player_for, read_audience
from players.services.audience import choose_audience
from players.web.live import PageContext, keep_from_search
from players.web.requests import read_number
from scoring.levels import list_level_history
from tournaments.core import visibility
from tournaments.core.web import count_files
from tournaments.models import Tournament
from tournaments.own_names.claims import list_claimed_tournaments
from tournaments.profiles import wording
from tournaments.profiles.beside_matches import count_beside, list_awards, read_beside
from tournaments.profiles.forms import AudienceForm
from tournaments.profiles.history import read_history
from tournaments.profiles.own_archive import answer_archive
from tournaments.profiles.person_head import read_head
from tournaments.profiles.played_tournaments import read_played_tournaments
from tournaments.profiles.queries import find_person, list_pair_invitations, read_person
from tournaments.profiles.statistics import PERIOD_DAYS, draw_level, read_statistics

MOST_NEXT = 3  # rows of each kind
MOST_ORGANISED = 5
PartContext = Callable[[HttpRequest, Player, Player | None, frozenset[str]], PageContext]


def _show(request: HttpRequest, public_id: str, template: str, read: PartContext) -> HttpResponse:
    """Render a page of a person; of a closed account only that it is closed."""
    person = find_person(public_id)
    if person is None:
        raise Http404
    if not person.user.is_active:
        response = render(request, "tournaments/profiles/closed.html", {"person": person}, status=410)
        return keep_from_search(response)
    reader = player_for(request.user)
    own = reader is not None and reader.pk == person.pk
    parts = list_seen_parts(person, reader)
    context = {
        "person": person,
        "own": own,
        "parts": parts,
        "relation": None if reader is None or own else find_relation(reader, person),
        "back": request.path,
        "head": read_head(person, parts, timezone.now(), own=own),
        **read(request, person, reader, parts),
    }
    response = render(request, f"tournaments/profiles/{template}", context)
    return response if person.is_house or read_audience(person).indexed else keep_from_search(response)


@require_safe
def show_person(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a person's page, as far as they let the reader see it."""

    def read(request: HttpRequest, person: Player, reader: Player | None, parts: frozenset[str]) -> PageContext:
        page = read_person(person, reader, timezone.now())
        return {
            "page": page,
            "history": page.history if "history" in parts else None,
            "pairs": page.pairs,
            "beside": read_beside(person, reader, parts),
            "social_about": wording.describe_person(page),
        }

    return _show(request, public_id, "person.html", read)


@require_safe
def show_matches(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a page of all that a person has played."""

    def read(request: HttpRequest, person: Player, reader: Player | None, parts: frozenset[str]) -> PageContext:
        number = read_number(request.GET.get("pagina", ""), 1, digits=5)
        return {"history": read_history(person, number) if "history" in parts else None}

    return _show(request, public_id, "matches.html", read)


@require_safe
def show_tournaments(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a page of the tournaments that a person has played."""

    def read(request: HttpRequest, person: Player, reader: Player | None, parts: frozenset[str]) -> PageContext:
        number = read_number(request.GET.get("pagina", ""), 1, digits=5)
        return {"played": read_played_tournaments(person, number) if "tournaments" in parts else None}

    return _show(request, public_id, "tournaments.html", read)


@require_safe
def show_statistics(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a person's statistics: of the game ``gioco``, of the last ``periodo`` days; else of all."""

    def read(request: HttpRequest, person: Player, reader: Player | None, parts: frozenset[str]) -> PageContext:
        levels = _list_levels(person) if "levels" in parts else []
        if "statistics" not in parts:
            return {"statistics": None, "levels": levels}
        ruleset, period = request.GET.get("gioco", ""), request.GET.get("periodo", "")
        statistics = read_statistics(person, ruleset=ruleset, period=period, now=timezone.now())
        return {
            "statistics": statistics,
            "levels": levels,
            "beside": count_beside(statistics.months),
            "period": wording.name_period(PERIOD_DAYS[statistics.period]),
            "games": [(code, name_ruleset(code)) for code in statistics.rulesets],
            "periods": [(code, wording.name_period(days)) for code, days in PERIOD_DAYS.items()],
        }

    return _show(request, public_id, "statistics.html", read)


def _list_levels(person: Player) -> list[PageContext]:
    """Return the levels of a person, each with its plot where it has one."""
    return [
        {"history": level, "name": name, "plot": draw_level(level, name) if len(level.points) > 1 else ""}
        for level in list_level_history(person.pk, timezone.now())
        if (name := wording.name_level(level))
    ]


@require_safe
def show_awards(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the tournaments in which a person was among the first three."""

    def read(request: HttpRequest, person: Player, reader: Player | None, parts: frozenset[str]) -> PageContext:
        return {"awards": list_awards(person) if "tournaments" in parts else None}

    return _show(request, public_id, "awards.html", read)


@require_safe
def show_profile(request: HttpRequest) -> HttpResponse:
    """Show the reader's own page: what is next for them, and what they have played."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    now, parts = timezone.now(), frozenset(PARTS)
    page = read_person(player, player, now)
    context = {
        "person": player,
        "own": True,
        "parts": parts,
        "head": read_head(player, parts, now, own=True),
        "history": page.history,
        "pairs": page.pairs,
        "beside": read_beside(player, player, parts),
        "entered": visibility.list_current(player)[:MOST_NEXT],
        "trainings": list_open_training(player)[:MOST_NEXT],
        "claimed": list_claimed_tournaments(player),
        "organised": Tournament.objects.filter(organiser=player).order_by("-created_at")[:MOST_ORGANISED],
        "asked_pairs": [pair for pair in list_pair_invitations(player) if pair.second_id == player.pk],
    }
    return render(request, "players/profile.html", context)


@require_safe
def show_settings(request: HttpRequest) -> HttpResponse:
    """Show the reader's settings: how the site looks to them, and the ways to all the others."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    context = {
        "person": player,
        "form": AppearanceForm(instance=User.objects.select_related("player").get(pk=player.user_id)),
        "judged": bool(list_acts_about(player)),
    }
    return render(request, "players/settings.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_audience(request: HttpRequest) -> HttpResponse:
    """Show and change who is shown what of the reader's page."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    form = AudienceForm(request.POST or None, instance=read_audience(player))
    if request.method == "POST" and form.is_valid():
        readers, indexed = form.read_choice()
        choose_audience(player=player, readers=readers, indexed=indexed)
        messages.success(request, _("Salvato: vale da subito."), extra_tags="audience_chosen")
        return redirect("person", player.public_id)
    return render(request, "tournaments/profiles/audience.html", {"form": form, "person": player})


@require_safe
@count_files
def send_own_data(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Send all that the site keeps of the reader as one file."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    return answer_archive(request, player)
