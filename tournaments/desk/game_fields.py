"""Field in which the games of a fixture are typed (EV1): "21-11 8-21 21-15", or "2-1" where only their number is.

A star stands after the points of whoever won a game otherwise than by them ("10*-10", by the last trick); *f* in the
place of the points of whoever loses one because a referee gave it away. What a game can't end with is judged elsewhere.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.web.live import PageContext
from tournaments.core.game_terms import GamesTerms
from tournaments.core.result import FORFEIT, FixtureResult, Games, GameScore, Pair

MAX_CHARACTERS = 120
MISSING = "?"  # in the place of a number that a widget didn't get
_GAME = re.compile(r"(\d{1,3}|f)(\*?)[-–:/](\d{1,3}|f)(\*?)")


@dataclass(frozen=True, slots=True)
class TypedScore:
    """Games as they were typed, and how many each side won by their points; ``text``: in one line."""

    won: Pair
    games: Games
    text: str


class GamesField(forms.CharField):
    """Field of the games of a fixture, in one line; cleaned, a ``TypedScore``, None for nothing."""

    def __init__(self, terms: GamesTerms, **more: Any) -> None:
        super().__init__(max_length=MAX_CHARACTERS, **more)
        self.terms = terms

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        typed = text.casefold().replace(",", " ").split()
        if not typed:
            return None
        matches = [_GAME.fullmatch(part) for part in typed]
        if None in matches or (self.terms.only_won and not self._is_count(matches)):
            raise forms.ValidationError(describe_form(self.terms), code="no_games_typed")
        if self.terms.only_won:
            (counted,) = matches
            assert counted is not None
            return TypedScore((int(counted[1]), int(counted[3])), (), text)
        games = tuple(_read_game(match) for match in matches if match is not None)
        if None in games:
            raise forms.ValidationError(describe_form(self.terms), code="no_games_typed")
        return TypedScore((0, 0), tuple(game for game in games if game is not None), text)

    def _is_count(self, matches: Sequence[re.Match[str] | None]) -> bool:
        """Tell if it says how many games each side won, and no more."""
        if len(matches) != 1 or matches[0] is None:
            return False
        first, star, second, other = matches[0].groups()
        return "f" not in (first, second) and not star and not other


def _read_game(match: re.Match[str]) -> GameScore | None:
    """Return a game as it was typed; None for one that nobody wins."""
    first, star, second, other = match.groups()
    if "f" in (first, second):
        return None if first == second else GameScore(int(first == "f"), None, FORFEIT)
    if star and other:
        return None
    winner = 0 if star else 1 if other else None
    return GameScore(winner, (int(first), int(second)))


def describe_form(terms: GamesTerms) -> str:
    """Return how games are typed."""
    if terms.only_won:
        return _("Scrivi le partite vinte da ognuno: 2-1.")
    return _("Scrivi i punti di ogni partita, con uno spazio fra l'una e l'altra: 21-11 8-21 21-15.")


def describe_marks(terms: GamesTerms) -> str:
    """Return how a game is typed that wasn't won by its points; empty where no points are."""
    if terms.only_won:
        return ""
    return _("* dopo i punti di chi ne vince una in altro modo, f al posto di quelli di chi la perde a tavolino.")


def write_result(result: FixtureResult) -> str:
    """Return the games of a result as they are typed; empty where there is none."""
    if result.points is None or result.games:
        return write_games(result.games)
    return f"{result.points[0]}-{result.points[1]}"


def write_games(games: Games) -> str:
    """Return games as they are typed."""
    return " ".join(_write_game(game) for game in games)


def _write_game(game: GameScore) -> str:
    if game.points is None:
        return "0-f" if game.winner == 0 else "f-0"
    marks = ["*" if game.winner == side and _needs_mark(game) else "" for side in (0, 1)]
    return f"{game.points[0]}{marks[0]}-{game.points[1]}{marks[1]}"


def _needs_mark(game: GameScore) -> bool:
    """Tell if the points don't say who won: a tie-break deal's do, and so does the clock's end."""
    by_points = game.decided_by in ("", "points", "cut_short") or game.decided_by.startswith("tie_break_")
    return game.points is None or game.points[0] == game.points[1] or not by_points


class GamesWidget(forms.Widget):
    """Two numbers for each game, side by side, on telephones and at the desk; sent, they are the one line.

    ``side``: the one whose numbers stand first, as on its slip.
    """

    template_name = "tournaments/desk/_games_widget.html"

    def __init__(self, terms: GamesTerms, names: tuple[str, str], side: int = 0) -> None:
        super().__init__()
        self.terms, self.names, self.side = terms, names, side

    def get_context(self, name: str, value: Any, attrs: PageContext | None) -> PageContext:
        context = super().get_context(name, value, attrs)
        typed = [part.replace("–", "-").partition("-") for part in str(value or "").split()]
        order = (self.side, 1 - self.side)
        count = 1 if self.terms.only_won else self.terms.games
        rows = []
        for number in range(count):
            first, _dash, second = typed[number] if number < len(typed) else ("", "", "")
            cells = [
                {
                    "name": f"{name}_{number}_{side}",
                    "value": (first, second)[side].replace(MISSING, ""),
                    "label": _("Partita %(n)d, %(name)s") % {"n": number + 1, "name": self.names[side]}
                    if count > 1
                    else _("Partite vinte da %(name)s") % {"name": self.names[side]},
                    "first": number == 0 and side == self.side,  # what the label leads to
                }
                for side in order
            ]
            rows.append({"number": number + 1, "cells": cells})
        context["widget"] |= {
            "rows": rows, "names": [self.names[side] for side in order], "counts": self.terms.only_won,
        }  # fmt: skip
        return context

    def render(self, name: str, value: Any, attrs: PageContext | None = None, renderer: Any = None) -> SafeString:
        """Return the numbers by a template of the site's, not of the forms' own renderer."""
        return render_to_string(self.template_name, self.get_context(name, value, attrs))

    def id_for_label(self, id_: str | None) -> str:
        return f"{id_}_0" if id_ else ""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> str:
        """Return the one line; a program or a page of before may send it as such."""
        if name in data:
            return str(data.get(name) or "")
        written = []
        for number in range(1 if self.terms.only_won else self.terms.games):
            first, second = (str(data.get(f"{name}_{number}_{side}") or "").strip() for side in (0, 1))
            if first or second:
                written.append(f"{first or MISSING}-{second or MISSING}")
        return " ".join(written)

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return False
