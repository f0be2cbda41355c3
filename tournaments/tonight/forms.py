"""The form of a seek (B2). What can't be sought is refused by the service."""

from functools import partial
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import wording
from games.lobby.kinds import OPTION_SETS, SPEEDS, SeekKind
from games.lobby.wording import FORMS, SPEED_NAMES, describe_set, describe_times
from players.models import Player
from players.selectors import find_by_name

MAX_LEVEL = 5000


class SetSelect(forms.Select):
    """Select of the named sets of options, each marked that is played in one form only."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Mark the option: the style sheet asks for no form where there is no choice."""
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        if len(find_forms(str(value))) == 1:
            option["attrs"]["data-one-form"] = True
        return option


def find_forms(game: str) -> tuple[str, ...]:
    """Return the forms in which a game with a named set of options ("scopone:solita") is played; none of an unknown
    one."""
    ruleset, _colon, option_set = game.partition(":")
    terms = OPTION_SETS.get(ruleset, {}).get(option_set)
    return () if terms is None else terms.forms


class SeekForm(forms.Form):
    """Form of a seek: the match, with whom, and whether the house will do."""

    game = forms.ChoiceField(label=gettext_lazy("Gioco"), widget=SetSelect)
    form = forms.ChoiceField(label=gettext_lazy("Si gioca"), widget=forms.RadioSelect, initial="alone")
    speed = forms.ChoiceField(label=gettext_lazy("Tempo"), widget=forms.RadioSelect, initial="normale")
    partner = forms.CharField(
        label=gettext_lazy("Compagno"),
        help_text=gettext_lazy("A coppie: il nome di chi gioca con te, che ti nomina a sua volta. Vuoto: chiunque."),
        required=False,
        max_length=64,
    )
    lowest = forms.IntegerField(label=gettext_lazy("Livello, da"), required=False, min_value=0, max_value=MAX_LEVEL)
    highest = forms.IntegerField(label=gettext_lazy("a"), required=False, min_value=0, max_value=MAX_LEVEL)
    house = forms.ChoiceField(label=gettext_lazy("Se non arriva nessuno"), widget=forms.RadioSelect, initial="")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._choose(
            "game",
            [
                (
                    wording.name_ruleset(ruleset),
                    [(f"{ruleset}:{name}", describe_set(ruleset, name)) for name in OPTION_SETS[ruleset]],
                )
                for ruleset in OPTION_SETS
            ],
        )
        self._choose("form", [(code, str(name)) for code, name in FORMS.items()])
        two_rows = partial(format_html, "{} <small>{}</small>")
        self._choose("speed", [(code, two_rows(SPEED_NAMES[code], describe_times(code))) for code in SPEEDS])
        self._choose("house", [("", _("aspetto")), ("1", _("dopo 30 s la casa"))])
        self.fields["house"].required = False
        for name in ("lowest", "highest"):
            self.fields[name].widget.attrs.update({"inputmode": "numeric", "step": 50})
        wrong = next((name for name in self.fields if name in self.errors), None) if self.is_bound else None
        if wrong is not None:  # far down the page: the browser goes there
            self.fields[wrong].widget.attrs["autofocus"] = True

    def _choose(self, name: str, offered: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = offered

    def clean_partner(self) -> Player | None:
        """Return the partner that was named."""
        typed = self.cleaned_data["partner"].strip()
        if not typed:
            return None
        partner = find_by_name(typed)
        if partner is None:
            raise forms.ValidationError(_("Non c'è nessuno con questo nome."), code="no_such_partner")
        return partner

    def clean(self) -> dict[str, Any]:
        """Take the one form of a game that is played in one only: the page asks for none."""
        data = super().clean() or {}
        only = find_forms(data.get("game", ""))
        if len(only) == 1:
            data["form"] = only[0]
        return data

    @property
    def rulesets(self) -> list[str]:
        """Return the games there are to choose from."""
        return list(OPTION_SETS)

    @property
    def kind(self) -> SeekKind:
        """Return what is sought; only after ``is_valid``."""
        ruleset, _colon, option_set = self.cleaned_data["game"].partition(":")
        return SeekKind(ruleset, option_set, self.cleaned_data["form"], self.cleaned_data["speed"])


def fill_form(kind: SeekKind) -> SeekForm:
    """Return the form as it begins for whoever played this last."""
    initial = {"game": f"{kind.ruleset}:{kind.option_set}", "form": kind.form, "speed": kind.speed}
    return SeekForm(initial=initial, auto_id="cerca_%s")
