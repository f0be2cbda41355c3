"""The form of one result in quick entry (O4, O5): the points of the match, or of each deal, and how it was won."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import scores
from games.engine.match import find_leader, find_terms
from players.bounds import MOST
from players.models import Player
from tournaments.core import refusals, wording
from tournaments.core.errors import TournamentError
from tournaments.core.game_terms import GamesTerms
from tournaments.core.result import FORFEIT, ResultTerms
from tournaments.desk.act import Act, compute_seal
from tournaments.desk.game_fields import GamesField, GamesWidget, describe_form, describe_marks
from tournaments.desk.results import MAX_POINTS, Decision

MAX_DEALS = 60
BOTH = f"01:{FORFEIT}"


class PointsField(forms.CharField):
    """Field of a side's points: of the match ("21"), or of each deal ("11+4+6"); cleaned, a tuple of numbers."""

    def to_python(self, value: Any) -> Any:
        typed = str(value or "").replace("+", " ").split()
        if not typed:
            return ()
        numbers = [int(text) for text in typed if text.isascii() and text.isdigit() and len(text) <= 3]
        if len(numbers) != len(typed) or len(numbers) > MAX_DEALS or sum(numbers) > MAX_POINTS:
            why = _("Scrivi i punti della partita, o di ogni smazzata: 21, oppure 11+4+6.")
            raise forms.ValidationError(why, code="no_points")
        return tuple(numbers)


class QuickForm(forms.Form):
    """Points of the two sides, and what they don't say: a forfeit, a victory of its own, who took the last trick."""

    row_template = "tournaments/hall/_quick_points.html"  # its fields in a row of quick entry
    phone_template = "tournaments/hall/_phone_points.html"
    typed_names: tuple[str, ...] = ("points_0", "points_1", "how", "fixture")  # what says which act it is

    points_0 = PointsField(required=False)
    points_1 = PointsField(required=False)
    how = forms.ChoiceField(label=gettext_lazy("Se non ai punti"), required=False)
    fixture = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=MOST)
    stamp = forms.CharField(widget=forms.HiddenInput, max_length=16, required=False)
    key = forms.CharField(widget=forms.HiddenInput, max_length=36, required=False)

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        terms: ResultTerms,
        names: tuple[str, str],
        fixture_id: int,
        stamp: str,
        forfeits: bool = True,
    ) -> None:
        initial = {"fixture": fixture_id, "stamp": stamp, "key": str(uuid4())}
        super().__init__(data, initial=initial, auto_id=f"id_{fixture_id}_%s")
        self.terms, self.names = terms, names
        self._name_fields()
        choices = self._list_choices()
        if not forfeits:  # whoever plays there declares none (O13)
            choices = [choice for choice in choices if not choice[0].endswith(FORFEIT)]
        self.fields["how"].choices = choices  # type: ignore[attr-defined]
        self.ways = tuple(way for way, _label in choices if way)

    def _name_fields(self) -> None:
        """Give the fields of the two sides their labels."""
        for side, name in enumerate(self.names):
            field = self.fields[f"points_{side}"]
            field.label = _("Punti di %(name)s") % {"name": name}
            field.widget.attrs |= {"inputmode": "numeric", "autocomplete": "off", "size": 5, "maxlength": 120}

    def turn_to_side(self, side: int) -> None:
        """Have what a telephone asks for stand as on its slip: one's own first."""
        self.side = side

    def _list_choices(self) -> list[tuple[str, str]]:
        """Return how a match can be decided but by the points, each with the side it is about."""
        setup = self.terms.setup
        level = {"last_trick": scores.LAST_TRICK, "tie_breaks": scores.LAST_TIE_BREAK}
        ways = [level[rule] for rule in (find_terms(setup).level,) if rule in level]
        ways += scores.list_endings(setup)
        won = [(f"{side}:{way}", self._describe_victory(side, way)) for way in ways for side in (0, 1)]
        return [("", _("ai punti")), *won, *self._list_forfeit_choices()]

    def _list_forfeit_choices(self) -> list[tuple[str, str]]:
        lost = [(f"{side}:{FORFEIT}", _("forfait di %(name)s") % {"name": self.names[side]}) for side in (0, 1)]
        return [*lost, (BOTH, _("doppio forfait"))]

    def _describe_victory(self, side: int, way: str) -> str:
        values = {"name": self.names[side], "way": wording.describe_decision(way)}
        return _("vince %(name)s %(way)s") % values

    @property
    def is_half_typed(self) -> bool:
        """Tell if the first points were sent alone, as by Enter where no script leads on to the second."""
        return bool(self["points_0"].value()) and not self["points_1"].value()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        points = [data.get(f"points_{side}") for side in (0, 1)]
        if None in points:
            return data
        counts = [len(typed or ()) for typed in points]
        if FORFEIT in data.get("how", "") and counts == [0, 0]:
            return data
        for side, count in enumerate(counts):
            if not count:
                self.add_error(f"points_{side}", forms.ValidationError(_("Mancano i punti."), code="points_missing"))
        if min(counts) and counts[0] != counts[1]:
            why = _("Le smazzate sono %(first)d da una parte e %(second)d dall'altra.")
            values = {"first": counts[0], "second": counts[1]}
            self.add_error("points_1", forms.ValidationError(why % values, code="deals_uneven"))
        return data

    def make_act(self, by: Player, now: datetime) -> Act:
        """Return the act of this form. Sent again as it was, because an answer was lost, it is the same act."""
        typed = {name: self.cleaned_data[name] for name in self.typed_names}
        key = self.cleaned_data["key"]
        key = f"{key}:{compute_seal('quick', typed)}" if key else ""
        return Act(by=by, reason="", now=now, key=key, stamp=self.cleaned_data["stamp"])

    def list_forfeits(self) -> tuple[int, ...]:
        """Return the sides that forfeited without any points: nothing was played, or nothing counts."""
        sides, _colon, way = self.cleaned_data["how"].partition(":")
        unplayed = not self.cleaned_data["points_0"] or sides == "01"
        return tuple(map(int, sides)) if way == FORFEIT and unplayed else ()

    def make_decision(self) -> Decision:
        """Return the result that was typed; only where it isn't a forfeit without points."""
        scored = self.cleaned_data["points_0"], self.cleaned_data["points_1"]
        points = (sum(scored[0]), sum(scored[1]))
        deals = tuple(zip(*scored, strict=True)) if len(scored[0]) > 1 else ()
        side, _colon, way = self.cleaned_data["how"].partition(":")
        if not way:
            winner = find_leader(find_terms(self.terms.setup), points)
        else:
            winner = 1 - int(side) if way == FORFEIT else int(side)
        decided_by = way if way in (FORFEIT, *scores.list_endings(self.terms.setup)) else ""
        return Decision(points=points, winner=winner, decided_by=decided_by, deals=deals)

    def describe_typed(self) -> str:
        """Return the result that was typed."""
        return "–".join(str(sum(self.cleaned_data[f"points_{side}"])) for side in (0, 1))

    def refuse(self, error: TournamentError, stamp: str) -> None:
        """Show why a result was refused; sent again, it is about the fixture as it is now (O13), whose ``stamp`` it
        carries."""
        if error.code == "fixture_changed":
            error.values["typed"] = self.describe_typed()
        self.add_error(None, refusals.make_form_error(error))
        self.data = {name: self.data.get(name) for name in self.fields} | {"stamp": stamp}


class GamesQuickForm(QuickForm):
    """Games of a fixture that has several (EV1), in one line; ``how``: a forfeit of the whole fixture."""

    row_template = "tournaments/hall/_quick_games.html"
    phone_template = "tournaments/hall/_phone_games.html"
    typed_names = ("games", "how", "fixture")
    terms: GamesTerms

    points_0 = None  # type: ignore[assignment]
    points_1 = None  # type: ignore[assignment]

    def _name_fields(self) -> None:
        about = {"first": self.names[0], "second": self.names[1]}
        label = _("Partite, %(first)s e %(second)s") % about
        self.fields["games"] = GamesField(self.terms, label=label, required=False)
        attrs = {"autocomplete": "off", "size": 5 if self.terms.only_won else 22, "placeholder": self.example}
        self.fields["games"].widget.attrs |= attrs

    @property
    def example(self) -> str:
        """An example of what is typed."""
        return "2-1" if self.terms.only_won else "21-11 8-21 21-15"

    @property
    def explanation(self) -> str:
        """An explanation of what is typed, in a sentence or two."""
        return " ".join(filter(None, (describe_form(self.terms), describe_marks(self.terms))))

    def turn_to_side(self, side: int) -> None:
        super().turn_to_side(side)
        widget = GamesWidget(self.terms, self.names, side)
        self.fields["games"].widget = widget

    def _list_choices(self) -> list[tuple[str, str]]:
        return [("", _("come dicono le partite")), *self._list_forfeit_choices()]

    @property
    def is_half_typed(self) -> bool:
        return False

    def clean(self) -> dict[str, Any]:
        data = forms.Form.clean(self) or {}
        if "games" not in self.errors and data.get("games") is None and not data.get("how"):
            self.add_error("games", forms.ValidationError(describe_form(self.terms), code="games_missing"))
        return data

    def list_forfeits(self) -> tuple[int, ...]:
        sides, _colon, way = self.cleaned_data["how"].partition(":")
        unplayed = self.cleaned_data["games"] is None or sides == "01"
        return tuple(map(int, sides)) if way == FORFEIT and unplayed else ()

    def make_decision(self) -> Decision:
        typed = self.cleaned_data["games"]
        side, _colon, way = self.cleaned_data["how"].partition(":")
        winner = 1 - int(side) if way == FORFEIT else None
        return Decision(points=typed.won, winner=winner, decided_by=way, games=typed.games)

    def describe_typed(self) -> str:
        typed = self.cleaned_data["games"]
        return "" if typed is None else str(typed.text)
