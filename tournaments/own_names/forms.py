"""Form of people who enter by themselves at real tables (O2): their names, and what is shown of a minor's."""

import base64
import json
import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.clean_text import clean_line
from players.models import Player
from players.names import MAX_NAME_CHARACTERS
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.entries.approvals import make_token
from tournaments.entries.forms import make_another_field
from tournaments.lists import wording
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import Tournament

KEY = re.compile(r"[-_0-9A-Za-z]{22}")  # as ``make_token`` makes it


class OwnNamesForm(forms.Form):
    """Form of the names of an entry, without that of a reader who has an account."""

    def __init__(self, tournament: Tournament, player: Player | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind = tournament.playing_kind.entering
        labels = {"player": _("Nome e cognome")} if player is None else {}
        if kind.names_partner:
            labels["partner"] = _("Nome e cognome del compagno")
        if kind.lists_people:
            labels = {f"person_{n}": _("Nome e cognome, %(n)d") % {"n": n} for n in range(1, kind.most + 1)}
        if kind.has_name:
            self.fields["team"] = forms.CharField(
                label=_("Nome della squadra"),
                max_length=MAX_NAME_CHARACTERS,
                error_messages={"required": gettext_lazy("Scrivi il nome della squadra.")},
                widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words"}),
            )
        for about, label in labels.items():
            self._add_name(about, label)
        for about in list(labels)[kind.least :]:
            self.fields[about].required = False
        self.names = tuple(labels)
        self.fields["another"] = make_another_field()
        self.asks_another = "another" in self.data  # shown to whoever has been told that the name is there
        self.fields["key"] = forms.CharField(required=False, initial=make_token, widget=forms.HiddenInput)

    def _add_name(self, about: str, label: str) -> None:
        whole = "name" if about == "player" else "off"
        self.fields[about] = forms.CharField(
            label=label,
            max_length=MAX_NAME_CHARACTERS,
            error_messages={
                "required": gettext_lazy("Scrivi nome e cognome."),
                "max_length": gettext_lazy("Un nome ha al massimo %(limit_value)d caratteri."),
            },
            widget=forms.TextInput(attrs={"autocomplete": whole, "autocapitalize": "words", "spellcheck": "false"}),
        )
        self.fields[f"{about}_minor"] = forms.BooleanField(
            label=_("Ha meno di 14 anni: in pubblico solo le iniziali"), required=False
        )

    def clean_key(self) -> str:
        """Return the form's own key, or a new one for what no page has made."""
        key = str(self.cleaned_data["key"])
        return key if KEY.fullmatch(key) else make_token()

    def make_own_key(self) -> str:
        """Return the key of the entry, made of the form's and of what was typed; only after ``is_valid``. Sent again as
        it was, the form is the same entry; with other people it is another."""
        people = [(person.name, person.minor) for person in self.list_people()]
        typed = json.dumps([people, self.cleaned_data.get("team", ""), self.cleaned_data["another"]])
        made = salted_hmac("tournaments.own_key", f"{self.cleaned_data['key']}:{typed}", algorithm="sha256").digest()
        return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")

    def list_people(self) -> tuple[TypedPerson, ...]:
        """Return who is entered; only after ``is_valid``."""
        data = self.cleaned_data
        named = [about for about in self.names if data[about]]
        return tuple(TypedPerson(clean_line(data[about]), minor=data[f"{about}_minor"]) for about in named)

    def list_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Return each name's field, with that of what is shown of it."""
        return [(self[about], self[f"{about}_minor"]) for about in self.names]

    def refuse(self, error: TournamentError) -> None:
        """Show a service's refusal: beside the name it is about, else on top."""
        problems = error.values.get("problems", ())
        self.asks_another |= any(problem.code in ("in_already", "same_person") for problem in problems)
        for problem in problems:
            why = wording.describe_problem(problem.code, problem.typed, problem.other)
            self.add_error(
                problem.about if problem.about in self.fields else None, ValidationError(why, code=problem.code)
            )
        if not problems:
            self.add_error(None, refusals.make_form_error(error))

    def mark_errors(self) -> None:
        """Mark the fields that have an error for whoever doesn't see them."""
        for name in self.errors:
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"
