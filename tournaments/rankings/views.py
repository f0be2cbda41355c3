"""Pages of the rankings (Y1): the site's and a club's own, and of the archive (I2). They work without scripts."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.rules import RULESETS
from players.clean_text import clean_line
from players.names import MAX_NAME_CHARACTERS
from players.selectors import player_for
from players.web.live import keep_from_search
from players.web.requests import read_number
from scoring.days import find_day
from tournaments.clubs.queries import list_memberships
from tournaments.core.wording import name_ruleset
from tournaments.models import Club, Ranking
from tournaments.rankings import archive, queries, wording
from tournaments.venues import VENUES, list_venues

Kind = Ranking.Kind
Form = Ranking.Form
SEARCHED = ("nome", "circolo", "gioco", "anno", "giocatore", "dove")  # of the archive


class Choice(NamedTuple):
    """Value of a field of the page's address, and what a reader calls it."""

    value: str
    name: str


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
    board = _read_board(request, rankings, club)
    ranking = next((row for row in rankings if _name_board(row) == board), None)
    name = clean_line(request.GET.get("nome", ""))[:MAX_NAME_CHARACTERS]
    number = read_number(request.GET.get("pagina", ""), 1, digits=6)
    page = (
        queries.PeoplePage((), 1, 1, 0)
        if ranking is None
        else queries.read_people(ranking, player, number=number, name=name, members_of=members_of)
    )
    kept = {"gioco": board.ruleset, "forma": board.form, "classifica": board.value}
    if members_of is not None:
        kept["circolo"] = members_of.public_id
    memberships = [] if player is None or club is not None else list_memberships(player).filter(confirmed=True)
    context = {
        "club": club,
        "members_of": members_of,
        "own_clubs": [membership.club for membership in memberships],
        "board": board,
        "ranking": ranking,
        "title": wording.name_kind(board.kind, board.year),
        "game": wording.name_game(board.ruleset, board.form),
        "games": [Choice(code, name_ruleset(code)) for code in RULESETS],
        "forms": [Choice(str(value), str(label)) for value, label in Form.choices],
        "kinds": _list_kinds(rankings, board, club),
        "page": page,
        "name": name,
        "kept": urlencode(kept),
        "is_level": board.kind == Kind.LEVEL,
        "may_stand": player is not None and not player.is_guest,
    }
    return render(request, "tournaments/rankings/rankings.html", context)


def _read_board(request: HttpRequest, rankings: Sequence[Ranking], club: Club | None) -> Board:
    """Return what the address asks for; without a game, the ranking with the most people, of this year if possible."""
    year = find_day(timezone.now()).year
    ruleset, form = request.GET.get("gioco", ""), request.GET.get("forma", "")
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


def _list_kinds(rankings: Sequence[Ranking], board: Board, club: Club | None) -> list[Choice]:
    """Return the rankings of a game and form that one may choose: each year in which there is one, and this one."""
    same = [row for row in rankings if (row.ruleset, row.form) == (board.ruleset, board.form)]
    years = {row.year for row in same if row.kind == Kind.YEAR} | {find_day(timezone.now()).year}
    if board.kind == Kind.YEAR:
        years.add(board.year)
    choices = [
        Choice(f"{Kind.YEAR}-{year}", wording.name_kind(Kind.YEAR, year)) for year in sorted(years, reverse=True)
    ]
    choices.append(Choice(str(Kind.EVER), wording.name_kind(Kind.EVER)))
    return choices if club is not None else [*choices, Choice(str(Kind.LEVEL), wording.name_kind(Kind.LEVEL))]


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
