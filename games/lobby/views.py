"""The pages of free tables: opening one, and waiting at it until it begins. They parse, call one service, and answer.

Who isn't signed in becomes a guest by opening a table or sitting down, as with *Gioca subito*.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import wording
from games.chips.queries import read_balance, sees_chips
from games.engine.game import Length
from games.forms import asks_for_options, read_typed
from games.lobby import queries
from games.lobby.actions import LobbyRefused, SetupRefused, fill, leave, open_table, sit, unseat
from games.lobby.forms import FreeTableForm
from games.lobby.seek_queries import OwnSeek, read_own_seek
from games.models import FreeTable, Match, Seat
from players.models import Player
from players.selectors import player_for
from players.services.players import TooManyGuests
from players.views import let_in, show_crowd
from players.web.live import PageContext, is_live, render_live
from players.web.requests import find_reader, show_error
from players.wording import describe_crowd

LONELY_AFTER = timedelta(minutes=3)  # without anybody who sat down: the page says where else people are


@require_http_methods(["GET", "HEAD", "POST"])
def set_up_table(request: HttpRequest) -> HttpResponse:
    """Set up a table and sit down at it."""
    stakes = sees_chips(player_for(request.user))
    form = FreeTableForm(request.POST or None, stakes=stakes)
    if request.method == "POST" and (asks_for_options(request.POST) or form.leaves_unseen()):
        scripted = "HX-Request" in request.headers
        asked = read_typed(FreeTableForm, request.POST)
        return _form_page(request, FreeTableForm(initial=asked, scripted=scripted, stakes=stakes))
    if request.method == "POST" and form.is_valid():
        player = _player_or_guest(request)
        if isinstance(player, TooManyGuests):
            form.refuse_at(None, ValidationError(describe_crowd(player.code, player.wait), code=player.code))
            return _form_page(request, form)
        data = form.cleaned_data
        try:
            table = open_table(
                host=player,
                ruleset=data["ruleset"],
                players=data["players"],
                length=Length(data["length_kind"], data["length_value"]),
                options=form.chosen_options(),
                turn_timeout=data["turn_timeout"],
                match_clock=data["match_clock"],
                absence=data["absence"],
                strength=data["strength"],
                public=data["public"],
                handicap=form.handicap,
                **form.read_stake(),
                now=timezone.now(),
            )
        except SetupRefused as refused:
            form.misfit(refused.fault)
        except LobbyRefused as refused:
            why = wording.describe_lobby_refusal(refused.code, refused.wait)
            form.refuse_at(None, ValidationError(why, code=refused.code))
        else:
            return redirect("free-table", table.public_id)
    return _form_page(request, form)


def _form_page(request: HttpRequest, form: FreeTableForm) -> HttpResponse:
    player = player_for(request.user)
    context = {
        "form": form,
        "chips": read_balance(player) if player is not None and sees_chips(player) else None,
        "own_table": None if player is None else queries.find_own_table(player),
    }
    return render(request, "games/new_table.html", context)


@require_safe
def show_table(request: HttpRequest, public_id: str) -> HttpResponse:
    """A free table that waits, for whoever has its link; once it has begun, the match."""
    table = _get_table(public_id)
    player = player_for(request.user)
    if table.match is not None and not is_live(request):
        return redirect("table", table.match.public_id)
    now = timezone.now()
    elsewhere = None if player is None else _find_elsewhere(player, table)
    waiting = queries.describe_table(table, player)
    lonely_at = None if waiting.waits_since is None else waiting.waits_since + LONELY_AFTER
    context = {
        "waiting": waiting,
        "free_table": table,
        "friends": queries.list_friends_here(player, table, now) if player is not None and waiting.seated else [],
        "lonely_at": lonely_at,
        "lonely": lonely_at is not None and now >= lonely_at,
        "elsewhere": elsewhere,
        "sees_chips": sees_chips(player),
        "may_sit": elsewhere is None and (not table.stake or sees_chips(player)),
        "chips": read_balance(player) if table.stake and player is not None and sees_chips(player) else None,
        "here": table.match if table.match is not None and _sits(table.match, player) else None,
    }
    return render_live(request, "games/waiting.html", context)


@require_POST
def take_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    seat = _read_seat(request)
    return _act(
        request, public_id, lambda table, player, now: sit(table_id=table.pk, player=player, seat=seat, now=now)
    )


@require_POST
def get_up(request: HttpRequest, public_id: str) -> HttpResponse:
    return _act(
        request,
        public_id,
        lambda table, player, now: leave(table_id=table.pk, player=player, now=now),
        guests=False,
        then="home",
    )


@require_POST
def have_get_up(request: HttpRequest, public_id: str) -> HttpResponse:
    """Have whoever sits on a seat get up, as the host."""
    seat = _read_seat(request)
    return _act(
        request,
        public_id,
        lambda table, player, now: unseat(table_id=table.pk, by=player, seat=seat, now=now),
        guests=False,
    )


def _read_seat(request: HttpRequest) -> int:
    typed_seat = str(request.POST.get("posto", ""))
    return int(typed_seat) if typed_seat in ("0", "1", "2", "3") else -1


@require_POST
def call_house(request: HttpRequest, public_id: str) -> HttpResponse:
    """The host seats players of the house on the free seats."""

    def call(table: FreeTable, player: Player, now: datetime) -> Match | None:
        match = fill(table_id=table.pk, by=player, now=now)
        if match is None:
            messages.info(request, wording.describe_lobby_refusal("somebody_left"), extra_tags="somebody_left")
        return match

    return _act(request, public_id, call, guests=False)


def _act(
    request: HttpRequest,
    public_id: str,
    service: Callable[[FreeTable, Player, datetime], Match | None],
    *,
    guests: bool = True,
    then: str | None = None,
) -> HttpResponse:
    """Do one thing at a free table as the reader; to the match if it began by it, else back to the table's page. A
    script asks for the address alone, in JSON: it has the match take that page's place in the history."""
    address = _perform(request, public_id, service, guests=guests, then=then)
    return redirect(address) if request.accepts("text/html") else JsonResponse({"url": address})


def _perform(
    request: HttpRequest,
    public_id: str,
    service: Callable[[FreeTable, Player, datetime], Match | None],
    *,
    guests: bool,
    then: str | None,
) -> str:
    """Do it, or say why it can't be; the address to go on at."""
    table = _get_table(public_id)
    back = reverse("free-table", args=[public_id])
    if table.state != FreeTable.State.OPEN:
        _show_refusal(request, "table_gone")
        return back
    if table.stake and player_for(request.user) is None:  # nobody becomes a guest only to be refused
        _show_refusal(request, "stake_members")
        return back
    player: Player | TooManyGuests | None = _player_or_guest(request) if guests else player_for(request.user)
    if isinstance(player, TooManyGuests):
        show_crowd(request, player)
        return back
    if player is None:
        _show_refusal(request, "not_here")
        return back
    try:
        match = service(table, player, timezone.now())
    except LobbyRefused as refused:
        _show_refusal(request, refused.code)
        return back
    if match is not None:
        return reverse("table", args=[match.public_id])
    return back if then is None else reverse(then)


def _show_refusal(request: HttpRequest, code: str) -> None:
    """Show on the next page why an act at a free table was refused."""
    show_error(request, wording.describe_lobby_refusal(code), code)


def _get_table(public_id: str) -> FreeTable:
    table = queries.find_table(public_id)
    if table is None:
        raise Http404
    return table


def _player_or_guest(request: HttpRequest) -> Player | TooManyGuests:
    """Return who plays: the reader, or a guest made of the visitor; the refusal where there are too many."""
    if player_for(request.user) is None:
        refused = let_in(request)
        if refused is not None:
            return refused
    player = player_for(request.user)
    assert player is not None
    return player


def _find_elsewhere(player: Player, table: FreeTable) -> str | None:
    """Return the address of the other table where the player sits or waits."""
    seat = Seat.objects.filter(player=player, live=True).select_related("match").first()
    if seat is not None and seat.match_id != table.match_id:
        return reverse("table", args=[seat.match.public_id])
    other = queries.find_own_table(player)
    return None if other is None or other.pk == table.pk else reverse("free-table", args=[other.public_id])


def _sits(match: Match, player: Player | None) -> bool:
    return player is not None and Seat.objects.filter(match=match, player=player).exists()


def provide_seek(request: HttpRequest) -> PageContext:
    """Return the context of every template that tells of the reader's own seek (B2): ``own_seek``, read where used."""
    user = find_reader(request)

    def find_seek() -> OwnSeek | None:
        player = player_for(user)
        return None if player is None else read_own_seek(player, timezone.now())

    return {"own_seek": SimpleLazyObject(find_seek)}
