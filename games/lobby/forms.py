"""The form of a free table: a match's own fields, the number of players, and whether the table is listed."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms import MatchForm
from games.rules import RULESETS


class FreeTableForm(MatchForm):
    players = forms.TypedChoiceField(label=gettext_lazy("Si gioca"), coerce=int, widget=forms.RadioSelect, initial="2")
    public = forms.BooleanField(
        label=gettext_lazy("Lo vedono tutti"),
        help_text=gettext_lazy(
            "Il tavolo si vede nella pagina iniziale finché c'è posto; se no entra solo chi ha il link."
        ),
        required=False,
        initial=True,
    )
    field_of = {**MatchForm.field_of, "players": "players"}
    field_order = ("ruleset", "players")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_bound:
            self.mark_errors()
            self._offer_players(self._player_counts())  # read among all of them: the rules say why one is refused

    def _narrow(self) -> None:
        chosen = self.raw("ruleset")
        counts = sorted({count for rules in RULESETS.values() for count in rules.players})
        if not self.is_bound and chosen in RULESETS:
            counts = list(RULESETS[chosen].players)
            if str(self.raw("players")) not in map(str, counts):
                self.initial["players"] = str(counts[0])
        self._offer_players(counts)

    def _offer_players(self, counts: Iterable[int]) -> None:
        known = {2: _("in due"), 3: _("in tre, con il morto"), 4: _("in quattro, a coppie")}
        self.choose("players", [(str(count), known.get(count, str(count))) for count in counts])

    def _players(self) -> int:
        typed = str(self.raw("players"))
        return int(typed) if typed in ("2", "3", "4") else self._player_counts()[0]
