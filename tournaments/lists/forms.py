"""Forms of lists: a file or a pasted text, and the rows of a checked draft on their way back. They read and check."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields, replace
from typing import Any

from django import forms
from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.clean_text import clean_line
from tournaments.formats.common.partners import SIDES
from tournaments.lists import people_list, wording
from tournaments.lists.people_list import MAX_PEOPLE, PeopleList, read_file, read_text
from tournaments.lists.spreadsheet import (
    BOUNDS,
    HEADINGS,
    MAX_CELL_CHARS,
    MAX_FILE_BYTES,
    MAX_ROWS,
    Bounds,
    Headings,
    Row,
    Unreadable,
    make_text,
    read_rows,
)
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Tournament

MAX_TEXT_CHARACTERS = MAX_FILE_BYTES  # of a pasted list, or of a file's that is mended here
SHEETS = (
    ".csv,.txt,.xlsx,.ods,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet,"
    "application/vnd.oasis.opendocument.spreadsheet"
)


class SheetForm(forms.Form):
    """Form of a list: a file, or pasted text. ``read_sheet`` says what it holds."""

    text_help: Promise
    text_label: Promise = gettext_lazy("O un elenco incollato")
    file_help: Promise = gettext_lazy("Al massimo 1 MB e 5000 righe.")
    headings: Headings = HEADINGS  # of its columns
    bounds: Bounds = BOUNDS
    _sheet: bytes | str = ""  # what was sent, once the form was checked

    file = forms.FileField(
        label=gettext_lazy("Un file CSV, XLSX o ODS"),
        allow_empty_file=True,
        required=False,
        max_length=255,
        widget=forms.FileInput(attrs={"accept": SHEETS}),
    )
    text = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_TEXT_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].help_text = str(self.text_help)
        self.fields["text"].label = str(self.text_label)
        self.fields["file"].help_text = str(self.file_help)
        for name in self.errors if self.is_bound else ():
            if name in self.fields:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

    def read_sheet(self, data: bytes | str) -> None:
        """Keep what a file or a text holds. Unreadable gives the code of its refusal."""
        raise NotImplementedError

    def describe(self, code: str) -> str:
        """Return the sentence of a list that can't be read."""
        return wording.describe_unreadable(code)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        file, text = data.get("file"), data.get("text", "")
        if not file and not text.strip():
            if not self.errors:
                self.add_error(None, forms.ValidationError(_("Scegli un file, o incolla l'elenco."), code="required"))
            return data
        try:
            if file and file.size > self.bounds.size:
                raise Unreadable("too_big")
            self._sheet = file.read() if file else text
            self.read_sheet(self._sheet)
        except Unreadable as error:
            refused = forms.ValidationError(self.describe(error.code), code=error.code)
            self.add_error("file" if file else "text", refused)
        return data

    @cached_property
    def list_text(self) -> str:
        """The list as text, once the form was checked; empty for what no list can be read from."""
        try:
            return make_text(self._sheet, self.headings) if isinstance(self._sheet, bytes) else self._sheet
        except Unreadable:
            return ""

    def show_kept(self) -> None:
        """Show the list as text, whatever it came from: what was read can be mended there."""
        self.data = {**self.data, "text": self.list_text or self.data.get("text", "")}


class PlayersForm(SheetForm):
    """Form of a list of players of the site (E3)."""

    text_help = gettext_lazy(
        "Una riga per ogni iscrizione, sotto quella che dice che cosa c'è in ogni colonna, come in un file."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.rows: list[Row] = []  # what was read; only after ``is_valid``
        super().__init__(*args, **kwargs)

    def read_sheet(self, data: bytes | str) -> None:
        self.rows = read_rows(data if isinstance(data, bytes) else data.encode())


class TypedPeopleForm(SheetForm):
    """Form of a list of people at real tables (O2)."""

    headings = people_list.HEADINGS
    text_help = gettext_lazy("Un nome per riga; di una coppia i due nomi, separati da una virgola o da un trattino.")
    another = forms.BooleanField(label=gettext_lazy("Chi si chiama come un altro è un'altra persona"), required=False)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        self.tournament = tournament
        self.people = PeopleList((), ())  # what was read; only after ``is_valid``
        super().__init__(*args, **kwargs)

    def list_entries(self) -> list[TypedEntry]:
        """Return the entries that were read; only after ``is_valid``."""
        return [replace(entry, another=self.cleaned_data["another"]) for entry in self.people.entries]

    def read_sheet(self, data: bytes | str) -> None:
        lot = self.tournament.seeding == Tournament.Seeding.LOT and not self.tournament.takes_places
        kind = self.tournament.entry_kind
        self.people = (
            read_file(data, kind=kind, by_lot=lot)
            if isinstance(data, bytes)
            else read_text(data, kind=kind, by_lot=lot)
        )


class ListedForm(forms.Form):
    """Form of a checked list on its way back: of its ``rows``, or of the ``rest`` without those that have a fault;
    ``mark``: of the draft that it was read from, before them."""

    rows = forms.CharField(widget=forms.HiddenInput, strip=False)

    def __init__(self, data: Mapping[str, str]) -> None:
        self.mark, opening, rows = data.get("rest", data.get("rows", "")).partition("[")
        super().__init__({"rows": opening + rows})
        self.leaves_some = "rest" in data

    @classmethod
    def is_sent(cls, data: Mapping[str, str]) -> bool:
        """Tell if the list comes back to be entered."""
        return "rows" in data or "rest" in data


class PeopleRowsForm(ListedForm):
    """Form of the checked entries on their way back to be entered; the service checks them again."""

    def clean_rows(self) -> list[TypedEntry]:
        try:
            rows = json.loads(self.cleaned_data["rows"])
            if not isinstance(rows, list) or len(rows) > MAX_ROWS:
                raise TypeError("not a list")
            return [_decode_entry(*row) for row in rows]
        except (ValueError, TypeError, RecursionError) as error:
            raise forms.ValidationError(wording.describe_unreadable("not_a_sheet"), code="not_a_sheet") from error


def _decode_entry(
    number: object, placed: object, team: object, people: Sequence[Sequence[object]], another: object = False
) -> TypedEntry:
    """Return an entry as ``encode_people`` wrote it. ValueError, TypeError for anything else."""
    if type(number) is not int or (placed is not None and type(placed) is not int) or len(people) > MAX_PEOPLE:
        raise ValueError("not an entry")
    name = clean_line(str(team))[:MAX_CELL_CHARS]
    return TypedEntry(number, tuple(_decode_person(*person) for person in people), placed, name, another is True)


def _decode_person(name: object, club: object, card: object, row: object, side: object = "") -> TypedPerson:
    if type(row) is not int or side not in ("", *SIDES):
        raise ValueError("not a row")
    called, of_club, number = (clean_line(str(text))[:MAX_CELL_CHARS] for text in (name, club, card))
    return TypedPerson(called, of_club, number, row, side=str(side))


def encode_people(entries: Sequence[TypedEntry], mark: str) -> str:
    """Return the entries of the draft of that mark in the format that ``PeopleRowsForm`` reads; empty for none."""
    rows = [
        [
            entry.number,
            entry.placed,
            entry.team,
            [[person.name, person.club, person.card, person.row, person.side] for person in entry.people],
            entry.another,
        ]
        for entry in entries
    ]
    return mark + json.dumps(rows, ensure_ascii=False) if rows else ""


class RowsForm(ListedForm):
    """Form of the rows of a checked list on their way back to be imported; the service checks them again."""

    def clean_rows(self) -> list[Row]:
        try:
            rows = json.loads(self.cleaned_data["rows"])
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(wording.describe_unreadable("not_a_sheet"), code="not_a_sheet") from error
        if not isinstance(rows, list) or not 0 < len(rows) <= MAX_ROWS or not all(map(_is_row, rows)):
            raise forms.ValidationError(wording.describe_unreadable("not_a_sheet"), code="not_a_sheet")
        return [Row(number, *map(clean_line, texts)) for number, *texts in rows]


def _is_row(value: object) -> bool:
    if not isinstance(value, list) or len(value) != len(fields(Row)):
        return False
    number, *texts = value
    short = all(isinstance(text, str) and len(text) <= MAX_CELL_CHARS and "\0" not in text for text in texts)
    return type(number) is int and 0 < number < 10**6 and short


def encode_rows(rows: Sequence[Row], mark: str) -> str:
    """Return the rows of the draft of that mark in the format that ``RowsForm`` reads; empty for none."""
    return mark + json.dumps([astuple(row) for row in rows], ensure_ascii=False) if rows else ""
