"""Views of the front page: whom one would play now, the table in its window, the next tournaments, who is here; and of
the page of all tournaments."""

from collections.abc import Collection, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db.models import Count, F, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.decks import MOTIFS
from games.engine.cards import CARDS
from games.lobby.kinds import DEFAULT_KIND, GAME_COOKIE, OPTION_SETS, begin_kind
from games.lobby.queries import find_own_table
from games.lobby.seek_queries import find_last_kind
from games.lobby.tiles import GameTile
from games.wording import name_card, use_names_of_deck
from players import presence
from players.models import Player
from players.selectors import find_blocks_with, find_shown, player_for, read_looks
from players.web.live import PageContext, is_live, render_live
from tournaments.core.drawn_once import draw_once
from tournaments.core.permissions import make_run_condition
from tournaments.core.rows import Home
from tournaments.core.shared_reads import SharedRead
from tournaments.core.states import ENTERING
from tournaments.core.visibility import count_house, count_live, list_tournaments, make_listed_condition
from tournaments.entries import queries as entries_queries
from tournaments.models import Tournament
from tournaments.pages.opponents import read_opponents
from tournaments.pages.showcase import count_tables, read_showcase

State = Tournament.State
DIGEST_CHARACTERS = 16
MOST_FINISHED = 10
MOST_NEXT = 6
GAMES_SHOWN = 3
MOST_FACES, MOST_READ = 4, 40  # people, of those who are here
KEEP_SECONDS = 5.0


def read_home(player: Player | None = None, *, finished: int = MOST_FINISHED) -> Home:
    """Return the front page's lists: open (soonest start first, sit and gos on top), running, the last ``finished``
    ones.

    What a new account has opened isn't there before somebody else has entered, but for whoever runs it (AT6).
    """
    listed = make_listed_condition()
    if player is not None:
        listed |= make_run_condition(player)
    all_ = list_tournaments(player).filter(listed).annotate(live_count=count_live(), house_count=count_house())
    return Home(
        open=tuple(all_.filter(state__in=ENTERING).order_by(F("starts_at").asc(nulls_first=True), "-created_at")),
        running=tuple(all_.filter(state=State.RUNNING).order_by("-drawn_at")),
        finished=tuple(all_.filter(state=State.FINISHED).order_by("-finished_at")[:finished]),
    )


_for_visitors = SharedRead(lambda now: read_home(), KEEP_SECONDS)


def read_home_of_visitors(now: datetime) -> Home:
    """Return the lists as every visitor sees them: read anew as soon as a tournament in them has a new version, and
    after some seconds in any case, for the clock changes them, too."""
    current = Tournament.objects.filter(state__in=(*ENTERING, State.RUNNING)).aggregate(Count("pk"), Sum("version"))
    latest = Tournament.objects.filter(state=State.FINISHED).order_by("-finished_at").values_list("pk", "version")
    return _for_visitors.read(now, (*current.values(), *latest[:MOST_FINISHED]))


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """Show the front page."""
    player, now = player_for(request.user), timezone.now()
    lists = read_home_of_visitors(now) if player is None else read_home(player)
    here = presence.find_here(now)
    context = {
        "next": draw_next(lists, now),
        "to_check_in": () if player is None else entries_queries.list_awaiting_checkin(player),
        "own_table": None if player is None else find_own_table(player),
        "here": None if here is None else len(here),
        "faces": list_faces(here, player),
        "watched": count_tables(now),
        "now": now,
    }
    if not is_live(request):
        context |= {"showcase": draw_showcase(request)[0], **choose_games(request, player, now)}
    return render_live(request, "tournaments/pages/home.html", context)


@require_safe
def show_tournaments(request: HttpRequest) -> HttpResponse:
    """Show every tournament of the lists: those that take entries, those that are played, the last that are over."""
    player, now = player_for(request.user), timezone.now()
    lists = read_home_of_visitors(now) if player is None else read_home(player)
    return render_live(request, "tournaments/pages/tournaments.html", {"lists": draw_lists(lists)})


def choose_games(request: HttpRequest, player: Player | None, now: datetime) -> PageContext:
    """Return the games as the front page offers them: the one that was chosen last, those beside it, the others, and
    who waits for each."""
    kept = request.COOKIES.get(GAME_COOKIE, "")
    usual = DEFAULT_KIND if player is None else find_last_kind(player)
    chosen = kept if kept in OPTION_SETS else usual.ruleset
    first = [*MOTIFS][:GAMES_SHOWN]
    shown = first if chosen in first else [chosen, *first[:-1]]
    waiting = read_opponents(player, now)
    return {
        "chosen": chosen,
        "games": shown,
        "more_games": [GameTile(begin_kind(game), waiting[game].count) for game in MOTIFS if game not in shown],
        "opponents": draw_opponents(player, now)[0],
    }


def list_faces(here: Collection[int] | None, player: Player | None) -> list[Player]:
    """List the first of those who are here and let the reader know it."""
    people = list(Player.objects.filter(pk__in=here or ()).exclude(kind=Player.Kind.HOUSE).order_by("-pk")[:MOST_READ])
    parted = set() if player is None else {pk for pair in find_blocks_with([player.pk]) for pk in pair}
    shown = find_shown(people, player, "presence") - parted if people else set()
    return [one for one in people if one.pk in shown][:MOST_FACES]


def draw_next(lists: Home, now: datetime) -> SafeString:
    """Return the next tournaments as they are drawn, once for all who see the same."""
    rows: Sequence[Any] = lists.open[:MOST_NEXT]
    today = timezone.localdate(now)
    key = tuple((t.public_id, t.version, t.entries_count, t.house_count) for t in rows)
    return draw_once("tournaments/pages/_home_next.html", {"tournaments": rows, "today": today}, (today, key))


def draw_lists(lists: Home) -> dict[str, SafeString]:
    """Return the lists of tournaments as they are drawn, once for all who see the same."""
    drawn = {}
    for name in ("open", "running", "finished"):
        rows = getattr(lists, name)
        key = [(t.public_id, t.version, t.entries_count, t.live_count, t.house_count) for t in rows]
        drawn[name] = draw_once(f"tournaments/pages/_list_{name}.html", {"tournaments": rows}, tuple(key))
    return drawn


def draw_opponents(player: Player | None, now: datetime) -> tuple[SafeString, str]:
    """Return the lines that name whom each game would be played against, as the reader may see it, and what they are
    known by."""
    opponents = read_opponents(player, now)
    digest = sha256(repr(opponents).encode()).hexdigest()[:DIGEST_CHARACTERS]
    context = {"opponents": opponents.values(), "digest": digest}
    return draw_once("tournaments/pages/_opponents.html", context, digest), digest


def draw_showcase(request: HttpRequest) -> tuple[SafeString, str]:
    """Return the window with the table that the reader may watch, and what its content is known by."""
    show = read_showcase(player_for(request.user), timezone.now())
    looks = read_looks(request.user)
    with use_names_of_deck(looks.deck):
        cards = () if show is None else tuple((card, name_card(CARDS[card])) for card in show.cards)
        digest = sha256(repr((show, cards)).encode()).hexdigest()[:DIGEST_CHARACTERS]
        context = {"show": show, "cards": cards, "looks": looks, "digest": digest}
        return draw_once("tournaments/pages/_showcase.html", context, (show, cards, looks)), digest


@never_cache
@require_safe
def show_showcase(request: HttpRequest) -> HttpResponse:
    """Show anew what the front page has in its window, the table and whom one would meet; nothing (204) where its
    reader has ``visto`` all that stands there."""
    parts = [draw_opponents(player_for(request.user), timezone.now())]
    if "solo" not in request.GET:  # whoever has an account has no table in their front page
        parts.insert(0, draw_showcase(request))
    if request.GET.get("visto") == "".join(digest for _drawn, digest in parts):
        return HttpResponse(status=204)
    return HttpResponse("".join(drawn for drawn, _digest in parts))
