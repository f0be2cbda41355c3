"""Views of the front page: its lists, who is here, and the table in its window."""

from datetime import datetime
from hashlib import sha256

from django.db.models import Count, F, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.engine.cards import CARDS
from games.lobby.views import list_free_tables
from games.wording import name_card, use_names_of_deck
from players import presence
from players.models import Player
from players.selectors import player_for, read_looks
from players.web.live import is_live, render_live
from tournaments.core.drawn_once import draw_once
from tournaments.core.permissions import make_run_condition
from tournaments.core.rows import Home
from tournaments.core.shared_reads import SharedRead
from tournaments.core.states import ENTERING
from tournaments.core.visibility import count_house, count_live, list_tournaments, make_listed_condition
from tournaments.entries import queries as entries_queries
from tournaments.models import Tournament
from tournaments.pages.showcase import read_showcase

State = Tournament.State
DIGEST_CHARACTERS = 16
MOST_FINISHED = 10
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
    to_check_in = () if player is None else entries_queries.list_awaiting_checkin(player)
    here = presence.find_here(now)
    context = {
        "lists": draw_lists(lists),
        "to_check_in": to_check_in,
        "here": None if here is None else len(here),
        "now": now,
        "showcase": "" if is_live(request) else draw_showcase(request)[0],
        **list_free_tables(request),
    }
    return render_live(request, "tournaments/pages/home.html", context)


def draw_lists(lists: Home) -> dict[str, SafeString]:
    """Return the lists of tournaments as they are drawn, once for all who see the same."""
    drawn = {}
    for name in ("open", "running", "finished"):
        rows = getattr(lists, name)
        key = [(t.public_id, t.version, t.entries_count, t.live_count, t.house_count) for t in rows]
        drawn[name] = draw_once(f"tournaments/pages/_home_{name}.html", {"tournaments": rows}, tuple(key))
    return drawn


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
    """Show the window of the front page anew; nothing (204) where its reader has ``visto`` all that stands in it."""
    drawn, digest = draw_showcase(request)
    if request.GET.get("visto") == digest:
        return HttpResponse(status=204)
    return HttpResponse(drawn)
