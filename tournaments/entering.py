"""The forms about entries: how one enters (E3) and checks in (E4), a line by name, and a list to import."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.text import clean_line
from tournaments import problems
from tournaments.models import Tournament
from tournaments.services.sheets import LARGEST, LONGEST_CELL, MOST_ROWS, Row, Unreadable, read
from tournaments.words import duration

CHECKIN_MINUTES = (5, 10, 15, 20, 30, 60)


class EnteringForm(forms.Form):
    """The fields of a tournament's form that say who may enter, and whether one checks in."""

    registration = forms.ChoiceField(
        label=gettext_lazy("Iscrizione"),
        widget=forms.RadioSelect,
        required=False,
        initial=Tournament.Registration.OPEN,
    )
    join_code = forms.CharField(
        label=gettext_lazy("Codice"),
        help_text=gettext_lazy("Solo per chi entra con un codice: da 4 a 16 caratteri. Vuoto: lo scegliamo noi."),
        max_length=40,
        required=False,
    )
    checkin_minutes = forms.TypedChoiceField(
        label=gettext_lazy("Check-in"),
        help_text=gettext_lazy(
            "Prima di cominciare a un'ora stabilita: chi non conferma di esserci perde il posto, e sale chi aspetta."
        ),
        coerce=int,
        empty_value=None,
        required=False,
        initial="15",
    )

    def entering_choices(self) -> dict[str, list[tuple[str, str]]]:
        """What can be chosen, by field."""
        now = self.get_initial_for_field(self.fields["checkin_minutes"], "checkin_minutes")
        minutes = sorted({*CHECKIN_MINUTES, *([now] if isinstance(now, int) else [])})
        return {
            "registration": [(code, str(label)) for code, label in Tournament.Registration.choices],
            "checkin_minutes": [("", _("niente check-in")), *((str(each), duration(60 * each)) for each in minutes)],
        }

    def entering(self, *, has_start: bool) -> dict[str, Any]:
        """What of a tournament's settings is said here; only after ``is_valid``."""
        return {
            "registration": self.cleaned_data["registration"] or Tournament.Registration.OPEN,
            "join_code": self.cleaned_data["join_code"],
            "checkin_minutes": self.cleaned_data["checkin_minutes"] if has_start else None,
        }


class NamesForm(forms.Form):
    """A line that the organiser enters: who plays, and with whom."""

    player = forms.CharField(
        label=gettext_lazy("Giocatore"),
        max_length=LONGEST_CELL,
        error_messages={"required": gettext_lazy("Scrivi il nome del giocatore.")},
    )
    partner = forms.CharField(label=gettext_lazy("Compagno"), max_length=LONGEST_CELL, required=False)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if tournament.seats_an_entry == 1:
            del self.fields["partner"]
        for field in self.fields.values():
            field.widget.attrs.update({"autocomplete": "off", "autocapitalize": "words"})


class ListForm(forms.Form):
    """A file with a list of players; ``rows`` after ``is_valid``."""

    file = forms.FileField(
        label=gettext_lazy("Elenco"),
        help_text=gettext_lazy("Un file CSV o XLSX, al massimo 1 MB e 5000 righe."),
        allow_empty_file=True,
        max_length=255,
        error_messages={"required": gettext_lazy("Scegli un file.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        accepted = ".csv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        self.fields["file"].widget.attrs["accept"] = accepted
        if self.is_bound and self.errors:
            self.fields["file"].widget.attrs["aria-invalid"] = "true"

    def clean_file(self) -> list[Row]:
        given = self.cleaned_data["file"]
        try:
            if given.size > LARGEST:
                raise Unreadable("too_big")
            return read(given.read())
        except Unreadable as error:
            raise forms.ValidationError(problems.unreadable(error.code)) from error

    def rows(self) -> list[Row]:
        found: list[Row] = self.cleaned_data["file"]
        return found


class RowsForm(forms.Form):
    """The rows of a list that was looked at, as they travel back to be imported; they are checked again."""

    rows = forms.CharField(widget=forms.HiddenInput, strip=False)

    def clean_rows(self) -> list[Row]:
        try:
            found = json.loads(self.cleaned_data["rows"])
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(problems.unreadable("not_a_sheet")) from error
        if not isinstance(found, list) or not 0 < len(found) <= MOST_ROWS or not all(map(_is_row, found)):
            raise forms.ValidationError(problems.unreadable("not_a_sheet"))
        return [Row(number, *map(clean_line, texts)) for number, *texts in found]


def _is_row(found: object) -> bool:
    if not isinstance(found, list) or len(found) != 4:
        return False
    number, *texts = found
    short = all(isinstance(text, str) and len(text) <= LONGEST_CELL and "\0" not in text for text in texts)
    return type(number) is int and 0 < number < 10**6 and short


def rows_as_text(rows: Sequence[Row]) -> str:
    """What ``RowsForm`` reads."""
    return json.dumps([[row.number, row.player, row.partner, row.seed] for row in rows], ensure_ascii=False)
