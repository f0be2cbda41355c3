"""The forms of a register: a card, a list of people."""

from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.names import MAX_NAME_CHARACTERS
from tournaments.lists.forms import SheetForm
from tournaments.models import RegisterCard
from tournaments.register import cards, imports, wording
from tournaments.register.errors import RegisterError

FIELD_OF = {"number_taken": "number", "year_wrong": "birth_year"}


class CardForm(forms.Form):
    """A card of the register. ``another`` is asked only where somebody of that name is there already."""

    name = forms.CharField(
        label=_("Nome e cognome"),
        max_length=MAX_NAME_CHARACTERS,
        error_messages={"required": _("Scrivi il nome.")},
    )
    another = forms.BooleanField(label=_("È un'altra persona con lo stesso nome"), required=False)
    number = forms.CharField(label=_("Tessera"), max_length=cards.MAX_NUMBER_CHARS, required=False)
    level = forms.CharField(label=_("Livello"), max_length=cards.MAX_LEVEL_CHARS, required=False)
    birth_year = forms.IntegerField(
        label=_("Anno di nascita"),
        help_text=_("Se vuoi. Di chi può avere meno di 14 anni il pubblico vede solo le iniziali."),
        required=False,
        min_value=0,
        max_value=9999,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _("Scrivi un anno, per esempio 1985.")),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "maxlength": 4}),
    )
    minor = forms.BooleanField(
        label=_("Minore"), help_text=_("Il pubblico vede solo le iniziali, qualunque sia l'anno."), required=False
    )
    contact = forms.CharField(
        label=_("Contatto"),
        help_text=_("Telefono o e-mail: lo vede solo chi tiene questo registro."),
        max_length=cards.MAX_CONTACT_CHARS,
        required=False,
    )
    notes = forms.CharField(
        label=_("Annotazioni"),
        help_text=_("Le vede solo chi tiene questo registro."),
        max_length=cards.MAX_NOTES_CHARS,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, asks_another: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
        self.fields["name"].widget.attrs["autocapitalize"] = "words"
        if not asks_another and not self.data.get("another"):
            self.fields["another"].widget = forms.HiddenInput()
        for name in self.errors if self.is_bound else ():
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def read_values(self) -> cards.CardValues:
        """Return what was typed; only after ``is_valid``."""
        data = {name: value for name, value in self.cleaned_data.items() if name != "another"}
        return cards.CardValues(**data)

    def refuse(self, error: RegisterError) -> None:
        """Show a refusal beside its field; of a name that is there already, with the box that says it is another's."""
        field = "name" if error.code.startswith("name_") else FIELD_OF.get(error.code)
        why = wording.describe_refusal(error.code, error.values)
        self.add_error(field, forms.ValidationError(why, code=error.code))
        if field is not None:
            self.fields[field].widget.attrs["aria-invalid"] = "true"
        if error.code in ("name_taken", "name_forgotten"):
            self.fields["another"].widget = forms.CheckboxInput()


class PeopleForm(SheetForm):
    """A list of people for a register; ``read_rows`` after ``is_valid``."""

    text_help = _("Anche da un foglio di calcolo, con la riga che dice che cosa c'è nelle colonne.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.rows: list[imports.DraftRow] = []
        super().__init__(*args, **kwargs)

    def read_sheet(self, data: bytes | str) -> None:
        self.rows = imports.read_list(data.strip().encode() if isinstance(data, str) else data)

    def describe(self, code: str) -> str:
        return wording.describe_unreadable(code)

    def read_rows(self) -> list[imports.DraftRow]:
        """Return the rows of the list; only after ``is_valid``."""
        return self.rows


def read_card(card: RegisterCard) -> dict[str, object]:
    """Return a card's contents as the form's initial values."""
    return asdict(cards.read_values(card))
