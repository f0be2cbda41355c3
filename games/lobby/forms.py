"""The form of a free table: a match's own fields, the number of players, and whether the table is listed."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import wording
from games.chips.terms import compute_most, count_shares
from games.engine.game import Length, Points
from games.engine.match import MOST_HANDICAP
from games.forms import OPTION, FormValues, MatchForm
from games.models import FreeTable, Match, Strength
from games.options import build_setup, find_refusal, list_choices
from games.rules import RULESETS
from players import caps
from players.web.requests import read_number


class FreeTableForm(MatchForm):
    players = forms.TypedChoiceField(label=gettext_lazy("Si gioca"), coerce=int, widget=forms.RadioSelect, initial="2")
    absence = forms.ChoiceField(
        label=gettext_lazy("Chi non arriva, o lascia scadere un tempo"),
        widget=forms.RadioSelect,
        choices=wording.ABSENCES.items(),
        initial=Match.Absence.LOSES,
        required=False,
    )
    strength = forms.ChoiceField(
        label=gettext_lazy("Forza della casa"),
        help_text=gettext_lazy(
            "Per la casa gioca il computer: Principiante sbaglia spesso, Circolo gioca come un buon socio, Maestro è "
            "il più forte."
        ),
        widget=forms.RadioSelect,
        choices=Strength.choices,
        initial=Strength.CLUB,
        required=False,
    )
    public = forms.BooleanField(
        label=gettext_lazy("Lo vedono tutti"),
        help_text=gettext_lazy(
            "Il tavolo si vede nella pagina iniziale finché c'è posto; se no entra solo chi ha il link."
        ),
        required=False,
        initial=True,
    )
    handicap_0 = forms.IntegerField(
        label=gettext_lazy("A chi apre il tavolo"), min_value=0, max_value=MOST_HANDICAP, initial=0, required=False
    )
    handicap_1 = forms.IntegerField(
        label=gettext_lazy("A chi gioca contro"), min_value=0, max_value=MOST_HANDICAP, initial=0, required=False
    )
    stake = forms.IntegerField(
        label=gettext_lazy("Posta, in gettoni"),
        help_text=gettext_lazy(
            "Quello che chi perde dà a chi vince: gettoni, mai soldi. 0: niente. Con una posta giocano solo i soci, "
            "e mai la casa."
        ),
        required=False,
        min_value=0,
        max_value=caps.MAX_STAKE,
        initial=0,
    )
    stake_per = forms.ChoiceField(
        label=gettext_lazy("Si paga"),
        required=False,
        choices=FreeTable.StakePer.choices,
        initial=FreeTable.StakePer.MATCH,
    )
    field_of = {**MatchForm.field_of, "players": "players"}
    field_order = ("ruleset", "players")

    def __init__(self, *args: Any, stakes: bool = False, **kwargs: Any) -> None:
        """``stakes``: the reader may choose one (Z5)."""
        super().__init__(*args, **kwargs)
        if stakes:
            self.fields["stake"].widget.attrs["inputmode"] = "numeric"
        else:
            del self.fields["stake"], self.fields["stake_per"]
        if self.is_bound:
            self.mark_errors()
            self._offer_players(self._player_counts())  # read among all of them: the rules say why one is refused

    def clean_absence(self) -> str:
        """Take the rulebooks' way where none was chosen."""
        return str(self.cleaned_data["absence"] or Match.Absence.LOSES)

    def clean_strength(self) -> str:
        """Take the usual strength where none was chosen."""
        return str(self.cleaned_data["strength"] or Strength.CLUB)

    @property
    def handicap(self) -> Points:
        """Return the points that each side starts with (L7); only after ``is_valid``."""
        return (self.cleaned_data["handicap_0"] or 0, self.cleaned_data["handicap_1"] or 0)

    def read_stake(self) -> FormValues:
        """Return the stake that was chosen, and what it is paid for; only after ``is_valid``."""
        stake = self.cleaned_data.get("stake") or 0
        return {"stake": stake, "stake_per": self.cleaned_data.get("stake_per") or FreeTable.StakePer.MATCH}

    @property
    def greatest_loss(self) -> int:
        """Return the chips that who opens this table can lose at most, as far as it is chosen now (Z2); 0: none."""
        if "stake" not in self.fields:
            return 0
        stake = min(read_number(str(self.raw("stake") or ""), 0, digits=4), caps.MAX_STAKE)
        length = Length(self._kind(), read_number(str(self.raw("length_value")), 0, digits=3))
        values = {name: self._option_now(name) for name in list_choices(self.chosen)}
        fitting = {name.removeprefix(OPTION): values[name.removeprefix(OPTION)] for name in self.fitting}
        setup = build_setup(self.chosen, self._players(), length, "free", fitting)
        if not stake or find_refusal(setup) is not None:
            return 0
        return stake * compute_most(setup, str(self.raw("stake_per"))) * count_shares(0, setup.players)

    def _narrow(self) -> None:
        chosen = self.raw("ruleset")
        counts = sorted({count for rules in RULESETS.values() for count in rules.players})
        if not self.is_bound and chosen in RULESETS:
            counts = list(RULESETS[chosen].players)
            if str(self.raw("players")) not in map(str, counts):
                self.initial["players"] = str(counts[0])
        self._offer_players(counts)

    def _offer_players(self, counts: Iterable[int]) -> None:
        labels = {2: _("in due"), 3: _("in tre, con il morto"), 4: _("in quattro, a coppie")}
        self.choose("players", [(str(count), labels.get(count, str(count))) for count in counts])

    def _players(self) -> int:
        typed = str(self.raw("players"))
        return int(typed) if typed in ("2", "3", "4") else self._player_counts()[0]
