"""Pages of the rankings (Y1): the site's and a club's own, and of the archive (I2). They work without scripts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.decks import MOTIFS
from games.rules import RULESETS
from players.clean_text import clean_line
from players.names import MAX_NAME_CHARACTERS
from players.selectors import player_for
from players.web.live import PageContext, keep_from_search
from players.web.requests import read_number
from scoring.days import find_day
from tournaments.clubs.queries import list_memberships
from tournaments.core.wording import name_ruleset
from tournaments.models import Club, Ranking
from tournaments.rankings import archive, empty_board, queries, wording
from tournaments.venues import VENUES, list_venues

Kind = Ranking.Kind
Form = Ranking.Form
SEEN = "rankings_seen"  # key of the session: the game whose chip stands first, and the one last looked at
CHIPS = 5  # games that are seen at once
SEARCHED = ("nome", "circolo", "gioco", "anno", "giocatore", "dove")  # of the archive


class Choice(NamedTuple):
    """Value of a field of the page's address, and what a reader calls it."""

    value: str
    name: str


class Way(NamedTuple):
    """Way to another ranking; ``chosen``: it is the one shown. ``ruleset``: the game it is of."""

    name: str
    address: str
    chosen: bool
    ruleset: str


class Seen(NamedTuple):
    """Games of the rankings that a reader has looked at: the one whose chip stands first, and the last one."""

    first: str
    last: str


class ShownRow(NamedTuple):
    """A person of a ranking, and how their last matches ended."""

    ranked: queries.RankedPerson
    last: tuple[str, ...]


class Board(NamedTuple):
    """The ranking that the address asks for, whether anybody stands in it or not."""

    ruleset: str
    form: str
    kind: str
    year: int

    @property
    def value(self) -> str:
        """Return what the address calls kind and year."""
        return f"{self.kind}-{self.year}" if self.kind == Kind.YEAR else self.kind


@require_safe
def show_rankings(request: HttpRequest) -> HttpResponse:
    """Show a page of a ranking of the site; ``circolo``: only the members of a club."""
    members_of = Club.objects.filter(public_id=clean_line(request.GET.get("circolo", ""))[:12]).first()
    return _show(request, None, members_of)


@require_safe
def show_club_ranking(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a page of a club's own ranking, of the points won in its tournaments."""
    club = Club.objects.filter(public_id=public_id).first()
    if club is None:
        raise Http404
    return keep_from_search(_show(request, club, None))


def _show(request: HttpRequest, club: Club | None, members_of: Club | None) -> HttpResponse:
    player = player_for(request.user)
    rankings = list(queries.list_rankings(club))
    seen = _read_seen(request, club)
    board = _read_board(request, rankings, club, seen.last)
    ranking = next((row for row in rankings if _name_board(row) == board), None)
    name = clean_line(request.GET.get("nome", ""))[:MAX_NAME_CHARACTERS]
    number = read_number(request.GET.get("pagina", ""), 1, digits=6)
    page = (
        queries.PeoplePage((), 1, 1, 0)
        if ranking is None
        else queries.read_people(ranking, player, number=number, name=name, members_of=members_of)
    )
    last = queries.read_last_of_people([*page.rows, *([page.own] if page.own else [])], player, board.ruleset)
    asked = {"gioco": board.ruleset, "forma": board.form, "classifica": board.value}
    if members_of is not None:
        asked["circolo"] = members_of.public_id
    memberships = [] if player is None or club is not None else list_memberships(player).filter(confirmed=True)
    clubs = [membership.club for membership in memberships]
    if members_of is not None and members_of not in clubs:
        clubs.append(members_of)
    games = _list_games(board, seen, asked)
    kinds, more_kinds = _list_kinds(rankings, board, club, asked)
    context: PageContext = {
        "club": club,
        "members_of": members_of,
        "clubs": _list_clubs(clubs, members_of, asked),
        "board": board,
        "ranking": ranking,
        "title": wording.name_kind(board.kind, board.year),
        "game": wording.name_game(board.ruleset, board.form),
        "games": games[:CHIPS],
        "more_games": games[CHIPS:],
        "kinds": kinds,
        "more_kinds": more_kinds,
        "forms": [
            _make_way(str(label), str(value) == board.form, asked, forma=str(value)) for value, label in Form.choices
        ],
        "page": page,
        "rows": [ShownRow(row, _find_last(row, last)) for row in page.rows],
        "own": None if page.own is None else ShownRow(page.own, _find_last(page.own, last)),
        "name": name,
        "kept": urlencode(asked),
        "asked": asked,
        "is_level": board.kind == Kind.LEVEL,
        "may_stand": player is not None and not player.is_guest,
    }
    if not page.rows and not name:
        context["next"] = empty_board.find_next_tournament(board.ruleset, board.form, club, timezone.now())
        context["house"] = empty_board.list_house_records(board.ruleset, timezone.now())
    return render(request, "tournaments/rankings/rankings.html", context)


def _find_last(row: queries.RankedPerson, last: Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    return () if row.player is None else last.get(row.player.pk, ())


def _make_way(name: str, chosen: bool, asked: Mapping[str, str], **other: str) -> Way:
    """Return the way to the ranking that is asked for, but for ``other`` values; an empty one isn't asked for."""
    values = {key: value for key, value in {**asked, **other}.items() if value}
    return Way(name, f"?{urlencode(values)}", chosen, values["gioco"])


def _read_seen(request: HttpRequest, club: Club | None) -> Seen:
    """Return the games that the reader has looked at, and keep which one it is now: a visit that names none begins with
    the last one, and its chip stands first until the next such visit."""
    first, last = request.session.get(SEEN, ("", "")) if request.user.is_authenticated else ("", "")
    asked = request.GET.get("gioco", "")
    seen = Seen(first, last) if asked else Seen(last, last)
    if request.user.is_authenticated and club is None:
        now = (seen.first, asked if asked in RULESETS else seen.last)
        if list(now) != list(request.session.get(SEEN, ("", ""))):
            request.session[SEEN] = now
    return seen


def _read_board(request: HttpRequest, rankings: Sequence[Ranking], club: Club | None, last: str) -> Board:
    """Return what the address asks for; without a game, the one last looked at, or the ranking with the most people; of
    this year if possible."""
    year = find_day(timezone.now()).year
    ruleset, form = request.GET.get("gioco", "") or last, request.GET.get("forma", "")
    kind, _dash, asked = request.GET.get("classifica", "").partition("-")
    if ruleset not in RULESETS:
        candidates = [row for row in rankings if row.ruleset in RULESETS]
        biggest = max(candidates, key=lambda row: (row.year == year, row.size), default=None)
        if biggest is None:
            return Board(next(iter(RULESETS)), Form.ALONE, Kind.YEAR, year)
        ruleset, form = biggest.ruleset, form or biggest.form
        kind, asked = kind or biggest.kind, asked or str(biggest.year)
    if form not in Form.values:
        form = str(Form.ALONE)
    if kind not in Kind.values or (kind == Kind.LEVEL and club is not None):
        kind = str(Kind.YEAR)
    return Board(ruleset, form, kind, (read_number(asked, year, digits=4) or year) if kind == Kind.YEAR else 0)


def _list_games(board: Board, seen: Seen, asked: Mapping[str, str]) -> list[Way]:
    """Return the ways to the games: the one last looked at first, the one shown among those that are seen at once."""
    codes = [code for code in MOTIFS if code in RULESETS]
    if seen.first in codes:
        codes.remove(seen.first)
        codes.insert(0, seen.first)
    if board.ruleset in codes[CHIPS:]:
        codes.remove(board.ruleset)
        codes.insert(CHIPS - 1, board.ruleset)
    return [_make_way(name_ruleset(code), code == board.ruleset, asked, gioco=code) for code in codes]


def _list_kinds(
    rankings: Sequence[Ranking], board: Board, club: Club | None, asked: Mapping[str, str]
) -> tuple[list[Way], list[Way]]:
    """Return the ways to points and levels, and to the rankings of other years and of all time."""
    this_year = find_day(timezone.now()).year
    same = [row for row in rankings if (row.ruleset, row.form) == (board.ruleset, board.form)]
    years = {row.year for row in same if row.kind == Kind.YEAR} | {this_year}
    if board.kind == Kind.YEAR:
        years.add(board.year)
    shown = Kind.EVER if board.kind == Kind.EVER else Kind.YEAR
    year = board.year if board.kind == Kind.YEAR else this_year

    def make_way(kind: str, year: int, name: str) -> Way:
        wanted = Board(board.ruleset, board.form, kind, year)
        return _make_way(name, wanted == board, asked, classifica=wanted.value)

    points = make_way(shown, year if shown == Kind.YEAR else 0, wording.name_short_kind(shown, year))
    levels = make_way(Kind.LEVEL, 0, wording.name_short_kind(Kind.LEVEL))
    more = [make_way(Kind.YEAR, year, wording.name_kind(Kind.YEAR, year)) for year in sorted(years, reverse=True)]
    more.append(make_way(Kind.EVER, 0, wording.name_kind(Kind.EVER)))
    return ([points] if club is not None else [points, levels]), more


def _list_clubs(clubs: Sequence[Club], members_of: Club | None, asked: Mapping[str, str]) -> list[Way]:
    """Return the ways to everybody, and to the members of each of the reader's clubs; none where they have no club."""
    if not clubs:
        return []
    members = [
        _make_way(_("i soci di %(name)s") % {"name": club.name}, club == members_of, asked, circolo=club.public_id)
        for club in clubs
    ]
    return [_make_way(_("tutti"), members_of is None, asked, circolo=""), *members]


def _name_board(row: Ranking) -> Board:
    return Board(row.ruleset, row.form, row.kind, row.year)


@require_safe
def show_archive(request: HttpRequest) -> HttpResponse:
    """Show a page of the finished tournaments that fit what is looked for (I2)."""
    asked = {name: clean_line(request.GET.get(name, ""))[:MAX_NAME_CHARACTERS] for name in SEARCHED}
    wanted = archive.Wanted(
        name=asked["nome"],
        club=asked["circolo"],
        ruleset=asked["gioco"] if asked["gioco"] in RULESETS else "",
        year=read_number(asked["anno"], None, digits=4),
        player=asked["giocatore"],
        venue=asked["dove"] if asked["dove"] in VENUES else "",
    )
    page = archive.read_archive(wanted, after=request.GET.get("dopo", ""), before=request.GET.get("prima", ""))
    context = {
        "page": page,
        "asked": asked,
        "searched": any(asked.values()),
        "kept": urlencode({name: value for name, value in asked.items() if value}),
        "games": [Choice("", _("tutti i giochi")), *(Choice(code, name_ruleset(code)) for code in RULESETS)],
        "venues": [
            Choice("", _("ovunque")),
            *(Choice(code, str(name)) for code, name in list_venues()),
        ],
    }
    return render(request, "tournaments/rankings/archive.html", context)
