"""Views of the lobby: its page, a seek begun, joined and ended, the house's offer, and *Gioca subito*. They parse, call
one service, and answer.

Who isn't signed in becomes a guest by seeking.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.lobby import seeks
from games.lobby.actions import LobbyRefused
from games.lobby.conduct import find_seek_ban
from games.lobby.kinds import DEFAULT_KIND, GAME_COOKIE, OPTION_SETS, SeekKind, begin_kind
from games.lobby.queries import find_own_table
from games.lobby.seek_queries import count_own_matches, find_last_kind, read_own_seek
from games.models import Match
from games.wording import describe_lobby_refusal
from players.models import Player
from players.selectors import player_for
from players.views import let_in, show_crowd
from players.web.addresses import read_client_address
from players.web.live import render_live
from players.web.requests import show_error
from tournaments import standing_offers
from tournaments.core.drawn_once import draw_once
from tournaments.core.errors import TournamentError
from tournaments.core.web import JUST_CLICKED, show_refusal
from tournaments.tonight import queries
from tournaments.tonight.board import lay_out
from tournaments.tonight.duties import list_unplayed_tournaments
from tournaments.tonight.forms import SeekForm, fill_form

PERSON = "persona"  # the choice to wait for a person where nobody waits
KEPT_SECONDS = 365 * 24 * 3600
CONFIRM = "conferma"  # the button of whoever has fixtures to play, and seeks all the same
SEEK_BAR = "seek-bar"  # the part of every page of whoever seeks
HOUSE = "casa"  # the choice to play with the house where nobody comes

Act = Callable[[Player, datetime], Match | None]


@require_safe
def show_lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby (B1); that its page is read keeps its reader's seek (B2)."""
    player = player_for(request.user)
    now = timezone.now()
    if player is not None:
        seeks.hear_of([player.pk], now)
    if request.headers.get("HX-Target") == SEEK_BAR:
        own = None if player is None else read_own_seek(player, now)
        return render(request, "games/_seek_bar.html", {"own_seek": own})
    return _render_page(request, player, now)


def _render_page(
    request: HttpRequest, player: Player | None, now: datetime, form: SeekForm | None = None
) -> HttpResponse:
    """Answer with the lobby; its form as it was filled in, or with what the reader played last."""
    page = queries.read_lobby(player, now)
    board = lay_out(page, {} if player is None else count_own_matches(player))
    last = DEFAULT_KIND if player is None else find_last_kind(player)
    ban = None if player is None else find_seek_ban(player, now)
    key = (page.at, board.rows, board.unlisted)
    context = {
        "page": page,
        "board": board,
        "rows": draw_once("tournaments/tonight/_rows.html", {"board": board, "now": page.at}, key),
        "form": form or fill_form(last),
        "own_table": None if player is None else find_own_table(player),
        "own_seek": page.own,
        "ban": ban,
        "with_house": board.is_empty if HOUSE not in request.COOKIES else request.COOKIES[HOUSE] == "1",
    }
    return render_live(request, "tournaments/tonight/lobby.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def begin_seek(request: HttpRequest) -> HttpResponse:
    """Seek what the form says, or a game's usual match by its button. What was typed is shown again with a refusal.

    A GET seeks nothing: it is how the page of a refusal reads itself anew.
    """
    if request.method != "POST":
        return redirect("lobby")
    form = SeekForm(_complete(request.POST), auto_id="cerca_%s")
    if not form.is_valid():
        return _render_page(request, player_for(request.user), timezone.now(), form)
    data = form.cleaned_data

    def act(player: Player, now: datetime) -> None:
        levels = {"lowest": data["lowest"], "highest": data["highest"]}
        partner, house = data["partner"], bool(data["house"])
        seeks.seek_match(player=player, kind=form.kind, partner=partner, house=house, now=now, **levels)

    return _seek(request, act, form=form)


def _complete(posted: Any) -> Any:
    """Return what was posted, with a new form's values where a game's own button says nothing of them."""
    data = posted.copy()
    ruleset = data.get("game", "").partition(":")[0]
    terms = next(iter(OPTION_SETS.get(ruleset, {}).values()), None)
    if "form" not in data and terms is not None:
        data["form"] = terms.forms[0]
    data.setdefault("speed", DEFAULT_KIND.speed)
    return data


@require_POST
def join_seek(request: HttpRequest, seek_id: int) -> HttpResponse:
    """Seek the very match that somebody else seeks, with them where it fits."""
    return _seek(request, lambda player, now: seeks.join_seek(player=player, seek_id=seek_id, now=now))


@require_http_methods(["GET", "HEAD", "POST"])
def play_now(request: HttpRequest) -> HttpResponse:
    """Play at one press (*Gioca subito*, B2): the ``game`` that was chosen, with whoever waits for it, else with the
    house where the page had said so (B4); without a game, seek what the reader played last.

    A GET seeks nothing: after a reload, or a login that leads back here, the button is on the home page.
    """
    if request.method != "POST":
        return redirect("home")
    chosen = request.POST.get("game", "")
    answer = _seek(
        request, partial(_play_chosen, request.POST) if chosen in OPTION_SETS else partial(_seek_last, request.POST)
    )
    if chosen in OPTION_SETS:
        answer.set_cookie(GAME_COOKIE, chosen, max_age=KEPT_SECONDS, samesite="Lax")
    return answer


def _seek_last(posted: QueryDict, player: Player, now: datetime) -> None:
    """Seek what the player played last, in pairs if the form says so."""
    kind = find_last_kind(player)
    if "coppia" in posted:
        kind = SeekKind(kind.ruleset, kind.option_set, "pairs", kind.speed)
    seeks.seek_match(player=player, kind=kind, house=bool(posted.get(HOUSE)), now=now)


def _play_chosen(posted: QueryDict, player: Player, now: datetime) -> Match | None:
    """Join whoever waits for the game the longest; where nobody does, sit down with the house if the page had named it
    as the opponent and the reader didn't want a person, else wait for one."""
    ruleset = posted.get("game", "")
    waiting = seeks.list_joinable(player, now, ruleset)
    if waiting:
        return seeks.join_seek(player=player, seek_id=waiting[0].pk, now=now)
    last = find_last_kind(player)
    house = ruleset in posted.getlist(HOUSE) and PERSON not in posted
    seeks.seek_match(player=player, kind=last if last.ruleset == ruleset else begin_kind(ruleset), house=house, now=now)
    return seeks.play_with_house(player=player, now=now, chosen=True) if house else None


@require_POST
def end_seek(request: HttpRequest) -> HttpResponse:
    """End the reader's own seek."""
    player = player_for(request.user)
    if player is None or not seeks.end_seek(player=player):
        _refuse(request, LobbyRefused("not_seeking"))
    return redirect("lobby")


@require_POST
def take_house(request: HttpRequest) -> HttpResponse:
    """Sit down with the house, as the reader chose by its button (B4)."""
    return _seek(request, lambda player, now: seeks.play_with_house(player=player, now=now, chosen=True), begins=False)


def _seek(request: HttpRequest, act: Act, *, begins: bool = True, form: SeekForm | None = None) -> HttpResponse:
    """Do one thing in the lobby as the reader, and go to the table that opened by it, else back to the lobby; where it
    is refused, with the ``form`` as it was filled in.

    Whoever has fixtures to play without hours is asked first (B2)."""
    if player_for(request.user) is None:
        refused = let_in(request) if begins else None
        if refused is not None:
            show_crowd(request, refused)
            return redirect("lobby")
    player = player_for(request.user)
    if player is None:
        _refuse(request, LobbyRefused("not_seeking"))
        return redirect("lobby")
    if begins and CONFIRM not in request.POST:
        unplayed = list_unplayed_tournaments(player)
        if unplayed:
            typed = [(name, value) for name in request.POST for value in request.POST.getlist(name)]
            hidden = [pair for pair in typed if pair[0] != "csrfmiddlewaretoken"]
            return render(request, "tournaments/tonight/confirm.html", {"unplayed": unplayed, "hidden": hidden})
    try:
        match = act(player, timezone.now())
    except LobbyRefused as refused:
        _refuse(request, refused)
        return redirect("lobby") if form is None else _render_page(request, player, timezone.now(), form)
    return redirect("lobby") if match is None else redirect("table", match.public_id)


def _refuse(request: HttpRequest, refused: LobbyRefused) -> None:
    """Show on the next page why something in the lobby was refused."""
    show_error(request, describe_lobby_refusal(refused.code, refused.wait), refused.code)


@require_POST
def enter_offer(request: HttpRequest) -> HttpResponse:
    """Enter the reader in a standing offer, a tournament of the house that begins at once; in a pair if the form says
    so."""
    if player_for(request.user) is None:
        refused = let_in(request)
        if refused is not None:
            show_crowd(request, refused)
            return redirect("home")
    player = player_for(request.user)
    assert player is not None
    try:
        tournament = standing_offers.enter_now(
            player=player,
            now=timezone.now(),
            seats=2 if "coppia" in request.POST else 1,
            address=read_client_address(request),
        )
    except TournamentError as error:
        show_refusal(request, error.code, error.values)
        return redirect("home")
    return redirect(f"{reverse('tournament', args=[tournament.public_id])}?{JUST_CLICKED}=1")
