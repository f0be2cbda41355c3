"""The table in the window of the front page: the most worthwhile that its reader may watch, drawn as they may see it.

It is never shown as more than its own page would show that reader (W3, N4): the view is the one of their own right. One
that shows nothing yet, because its first deal is still being played and they see it late, stands behind those that
show something. What is the same for everybody is read once in some seconds by each process. It never writes.
"""

from dataclasses import dataclass
from datetime import datetime

from games.engine.record import Json
from games.models import Deal, Match
from games.selectors import find_viewpoint
from games.table_views import build_table_view
from players.faces import find_face
from players.house_titles import show_title
from players.models import Player
from players.selectors import is_established
from tournaments.core.shared_reads import SharedRead
from tournaments.core.visibility import find_unwatchable
from tournaments.core.watched import TableToWatch, list_tables_to_watch

SHARED_SECONDS = 2.0
MOST_CONSIDERED = 24  # tables
MOST_TRIED = 3  # of which something has become of them since they were read


@dataclass(frozen=True, slots=True)
class Window:
    """The best tables of the site, and those of them of which a deal is over: who sees them late sees something."""

    tables: tuple[TableToWatch, ...]
    begun: frozenset[int]


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of the table in the window: its people and their faces, its points, and whether one of them is to play."""

    names: tuple[str, ...]
    faces: tuple[str, ...]
    points: int
    to_move: bool


@dataclass(frozen=True, slots=True)
class Showcase:
    """The table in the window, as its reader may see it: nothing but what stands in the view of their own right.

    ``cards``: on the table, or the last that were taken (``taken``); ``late``: one deal late (W3); ``hidden``: nothing
    can be seen yet; ``deal``: its number, None for none; ``over``: the match has just ended.
    """

    public_id: str
    ruleset: str
    length_kind: str
    length_value: int
    title: str
    stage: str
    only_house: bool
    sides: tuple[ShownSide, ShownSide]
    cards: tuple[str, ...]
    taken: bool
    stock: int
    deal: int | None
    late: bool
    hidden: bool
    over: bool

    @property
    def shown_title(self) -> str:
        """The title as the reader sees it: kept for readers of several languages, it is put into words when drawn."""
        return show_title(self.title)


def read_showcase(player: Player | None, now: datetime) -> Showcase | None:
    """Return the table for the reader (None: a visitor); None where there is nothing to watch."""
    return _for_visitors.read(now) if player is None else _find_showcase(player, now)


def count_tables(now: datetime) -> int:
    """Return how many tables there are to watch, as everybody is told."""
    return len(_window.read(now).tables)


def _find_showcase(player: Player | None, now: datetime) -> Showcase | None:
    window = _window.read(now)
    refused = find_unwatchable([table.match.pk for table in window.tables], player)
    tables = [t for t in window.tables if t.match.pk not in refused and player not in t.people]
    at_once = player is not None and any(table.late for table in tables) and is_established(player, now)
    tables.sort(key=lambda table: table.late and not at_once and table.match.pk not in window.begun)
    for table in tables[:MOST_TRIED]:
        viewpoint = find_viewpoint(table.match, player, now)
        if viewpoint.seat is None and not viewpoint.is_refused:
            return _describe(table, build_table_view(table.match, viewpoint.viewer, now))
    return None


def _describe(table: TableToWatch, view: Json) -> Showcase:
    match, last = table.match, view["last"]
    lying = [card["card"] for card in view["table"]]
    taken = not lying and last is not None
    sides = [
        ShownSide(
            names=tuple(view["seats"][seat]["name"] for seat in seats if view["seats"][seat]["name"]),
            faces=tuple(find_face(player) for player in table.sides[number]),
            points=view["score"][number],
            to_move=view["turn"] in seats,
        )
        for number, seats in enumerate(view["lines"])
    ]
    return Showcase(
        public_id=match.public_id,
        ruleset=match.ruleset,
        length_kind=match.length_kind,
        length_value=match.length_value,
        title=match.title if match.about_url else "",
        stage=table.stage,
        only_house=table.only_house,
        sides=(sides[0], sides[1]),
        cards=tuple(card["card"] for card in last["cards"]) if taken else tuple(lying),
        taken=taken,
        stock=view["stock"],
        deal=None if view["deal"] is None else view["deal"]["number"],
        late=bool(view["late"]),
        hidden=view["status"] == Match.Status.WAITING,
        over=view["status"] == Match.Status.FINISHED,
    )


def _read_window(now: datetime) -> Window:
    tables = tuple(table for table in list_tables_to_watch(now) if table.listed)[:MOST_CONSIDERED]
    over = Deal.objects.filter(match__in=[table.match.pk for table in tables], finished=True, void=False)
    return Window(tables, frozenset(over.values_list("match_id", flat=True)))


_window = SharedRead(_read_window, SHARED_SECONDS)
_for_visitors = SharedRead(lambda now: _find_showcase(None, now), SHARED_SECONDS)


def forget_showcase() -> None:
    """Forget what was read: what a test changes is read anew."""
    _window.forget()
    _for_visitors.forget()
