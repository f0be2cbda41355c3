"""The page of one's friends (B6): who is here, who calls, and whom to call to a table, a tournament, a pair.

It parses, calls one service and answers. A call is a notice; a pair is asked as on the tournament's own page.
"""

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games import wording as games
from games.lobby.queries import find_own_table
from games.models import FreeSeat, FreeTable, Seat
from games.withheld import require_shown
from players import presence
from players.clean_text import clean_line
from players.models import FriendCall, Player
from players.selectors import find_blocks_with, find_shown, list_blocked, list_followed, player_for
from players.services.calls import CallRefused, call_friend, list_called, list_calls
from players.web.addresses import is_own_page
from players.web.requests import show_error
from players.wording import describe_company
from tournaments.core import visibility
from tournaments.core.states import ENTERING
from tournaments.models import Tournament

Kind = FriendCall.Kind


@dataclass(frozen=True, slots=True)
class Target:
    """Table or tournament to which the reader may call friends; ``asks_partner``: they may ask one to be their second
    there."""

    kind: str
    key: str
    title: str
    path: str
    asks_partner: bool = False


@dataclass(frozen=True, slots=True)
class Friend:
    """Friend as the reader sees them: ``here`` and ``table`` only if they show it."""

    player: Player
    here: bool
    table: str  # the public id of the match they play, or empty: where only its link leads there, too
    called: bool


@require_safe
def show_friends(request: HttpRequest) -> HttpResponse:
    """Show the reader's friends, who is here first."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(request.get_full_path())
    now = timezone.now()
    target = find_target(player, clean_line(request.GET.get("torneo", "")))
    context = {
        "friends": list_friends(player, target, now),
        "target": target,
        "calls": list_open_calls(player, now),
        "blocked": list_blocked(player),
        "back": request.get_full_path(),
    }
    return render(request, "tournaments/pages/friends.html", context)


@require_POST
def call(request: HttpRequest) -> HttpResponse:
    """Call a friend to the table the reader waits at, or to a tournament."""
    player = player_for(request.user)
    if player is None:
        return redirect_to_login(reverse("friends"))
    key = clean_line(request.POST.get("torneo", ""))
    page = reverse("friends") + (f"?torneo={key}" if key and key.isalnum() else "")
    back = request.POST.get("next", "")
    page = back if is_own_page(back) else page
    target = find_target(player, key)
    who = clean_line(request.POST.get("chi", ""))
    name = Player.objects.filter(public_id=who).values_list("name", flat=True).first() or ""
    if target is None:
        show_error(request, describe_company("nothing_to_call_to", name), "nothing_to_call_to")
        return redirect(page)
    try:
        call_friend(
            by=player,
            public_id=who,
            kind=target.kind,
            key=target.key,
            title=target.title,
            path=target.path,
            now=timezone.now(),
        )
    except CallRefused as refused:
        show_error(request, describe_company(refused.code, name), refused.code)
    else:
        messages.success(request, describe_company("called", name), extra_tags="called")
    return redirect(page)


def list_open_calls(player: Player, now: datetime) -> list[FriendCall]:
    """List the calls to this player that can still be followed, the latest first: to a table at which the caller still
    waits, and to a tournament that takes entries."""
    calls = list_calls(player, now)
    keys = {kind: {call.key for call in calls if call.kind == kind} for kind in Kind}
    seats = FreeSeat.objects.filter(table__public_id__in=keys[Kind.TABLE], table__state=FreeTable.State.OPEN)
    waiting = set(seats.values_list("table__public_id", "player_id"))
    entering = Tournament.objects.filter(public_id__in=keys[Kind.TOURNAMENT], state__in=ENTERING)
    open_ = set(entering.values_list("public_id", flat=True))
    return [call for call in calls if (call.key, call.by_id) in waiting or call.key in open_]


def list_friends(player: Player, target: Target | None, now: datetime) -> list[Friend]:
    """List the player's friends, those who are here first, in the same few queries for any number."""
    friends = list_followed(player)
    blocks = {pk for pair in find_blocks_with([player.pk]) for pk in pair}  # of either: as in the lobby (B1)
    shown = find_shown(friends, player, "presence") - blocks
    here = (presence.find_here(now) or set()) & shown
    seats = Seat.objects.filter(player__in=shown, live=True, match__training=False)
    playing = set(seats.values_list("player_id", flat=True))
    own = seats.filter(require_shown("match__"))  # nobody watches those (J12)
    listed = own.exclude(match__free_table__public=False)  # only its link leads to the others
    tables = dict(listed.values_list("player_id", "match__public_id"))
    called = list_called(player, target.kind, target.key) if target is not None else ()
    rows = [
        Friend(friend, friend.pk in here or friend.pk in playing, tables.get(friend.pk, ""), friend.pk in called)
        for friend in friends
    ]
    return sorted(rows, key=lambda row: not row.here)


def find_tournament_target(player: Player, public_id: str) -> Target | None:
    """Return the tournament as something to call friends to, if everybody finds it and it takes entries."""
    tournament = Tournament.objects.filter(public_id=public_id, state__in=ENTERING).first()
    if tournament is None or not visibility.is_listed(tournament):
        return None
    path = reverse("tournament", args=[public_id])
    own = tournament.entries.of_player(player).filter(confirmed=False).exists()
    return Target(Kind.TOURNAMENT, public_id, tournament.name, path, asks_partner=own)


def find_table_target(table: FreeTable | None) -> Target | None:
    """Return a free table that waits as something to call friends to."""
    if table is None or table.state != FreeTable.State.OPEN:
        return None
    path = reverse("free-table", args=[table.public_id])
    return Target(Kind.TABLE, table.public_id, games.name_ruleset(table.ruleset), path)


def find_target(player: Player, tournament: str) -> Target | None:
    """Return the tournament that was named, else the free table at which the reader waits."""
    return find_tournament_target(player, tournament) if tournament else find_table_target(find_own_table(player))
