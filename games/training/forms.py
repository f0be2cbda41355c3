"""The form of training: a free table's, without what needs other people, and the strength of the house."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games import bots, wording
from games.lobby.forms import FreeTableForm


class TrainingForm(FreeTableForm):
    strength = forms.ChoiceField(
        label=gettext_lazy("La casa gioca"),
        widget=forms.RadioSelect,
        choices=[(code, wording.STRENGTHS[code]) for code in bots.STRENGTHS],
        initial=bots.STRENGTHS[0],
        required=False,
    )
    absence = None  # type: ignore[assignment]
    public = None  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("turn_timeout", "match_clock"):
            self.fields[name].initial = ""

    def clean_strength(self) -> str:
        """Take the first where none was chosen: where there is one alone, it isn't asked for."""
        return str(self.cleaned_data["strength"] or bots.STRENGTHS[0])
