"""Forms of entries: a pair's partner, places, names. They read and check; the services decide."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.models import Person, Player
from players.names import MAX_NAME_CHARACTERS
from tournaments.core import refusals
from tournaments.core.errors import TournamentError
from tournaments.core.rows import EntryRow
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.entries.typed_names import MAX_CLUB_CHARACTERS, MAX_SUFFIX_CHARACTERS
from tournaments.lists import wording
from tournaments.lists.people_list import MAX_PEOPLE, split_people
from tournaments.lists.spreadsheet import (
    MAX_CELL_CHARS,
    Row,
)
from tournaments.lists.teams import make_team_row
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, Tournament

MAX_TEAM_CHARACTERS = MAX_PEOPLE * (MAX_CELL_CHARS + 2)  # of a team's names


def make_another_field() -> forms.BooleanField:
    """Return the field by which whoever writes a name says that it is another person's of the same name (O2)."""
    return forms.BooleanField(label=gettext_lazy("È un'altra persona con lo stesso nome"), required=False)


def keep_fields(form: forms.Form, names: Collection[str]) -> None:
    """Leave a form without the fields that aren't named."""
    for name in form.fields.keys() - set(names):
        del form.fields[name]


class PairForm(forms.Form):
    """Form to ask a partner: somebody by name, or whoever gets the link."""

    partner = forms.CharField(
        label=gettext_lazy("Nome del compagno"),
        help_text=gettext_lazy("Come si chiama qui. Lo saprà su ogni pagina che ha aperta, e deve confermare."),
        max_length=MAX_NAME_CHARACTERS,
        error_messages={
            "required": gettext_lazy("Scrivi il nome del tuo compagno, oppure fatti dare un link."),
            "max_length": gettext_lazy("Un nome ha al massimo %(limit_value)d caratteri."),
        },
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["partner"].widget.attrs.update({"autocomplete": "off", "autocapitalize": "words"})
        if self.is_bound and "partner" in self.errors:
            self.fields["partner"].widget.attrs["aria-invalid"] = "true"

    def refuse(self, error: TournamentError) -> None:
        """Show a service's refusal: beside the name if it is about the partner, else on top."""
        about_partner = error.code.startswith("partner_") or error.code == "too_many_invitations"
        self.add_error("partner" if about_partner else None, refusals.make_form_error(error))
        if about_partner:
            self.fields["partner"].widget.attrs["aria-invalid"] = "true"


class PlacesForm(forms.Form):
    """Form of the entries' places, 1 being the best; an empty place comes after those that are given."""

    def __init__(self, entries: Sequence[EntryRow], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for entry in entries:
            self.fields[f"entry-{entry.entry_id}"] = forms.IntegerField(
                label=entry.name, min_value=1, max_value=len(entries), required=False, initial=entry.placed
            )
        for field in self.fields.values():
            field.widget.attrs["inputmode"] = "numeric"
        if self.is_bound:
            for name in self.errors:
                self.fields[name].widget.attrs["aria-invalid"] = "true"

    def read_places(self) -> dict[int, int | None]:
        """Return the place of each entry, by its id; only after ``is_valid``."""
        return {int(name.partition("-")[2]): value for name, value in self.cleaned_data.items()}


class NamesForm(forms.Form):
    """Form of an entry that the organiser makes: a player, and a partner in pairs; a team's name and people (O12)."""

    team = forms.CharField(
        label=gettext_lazy("Squadra"),
        max_length=MAX_CELL_CHARS,
        error_messages={"required": gettext_lazy("Scrivi il nome della squadra.")},
    )
    people = forms.CharField(
        label=gettext_lazy("Chi ne fa parte"),
        help_text=gettext_lazy("I nomi, separati da una virgola."),
        max_length=MAX_TEAM_CHARACTERS,
        error_messages={"required": gettext_lazy("Scrivi chi ne fa parte.")},
    )
    player = forms.CharField(
        label=gettext_lazy("Giocatore"),
        max_length=MAX_CELL_CHARS,
        error_messages={"required": gettext_lazy("Scrivi il nome del giocatore.")},
    )
    partner = forms.CharField(label=gettext_lazy("Compagno"), max_length=MAX_CELL_CHARS, required=False)
    another = make_another_field()

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = tournament.entry_kind.fields
        keep_fields(self, (*names, "another") if tournament.venue.enters_names else names)
        for field in (self.fields[name] for name in names):
            field.widget.attrs.update({"autocomplete": "off", "autocapitalize": "words"})
        if tournament.venue.enters_names:  # the next name is typed where the last one was (O2)
            wrong = next(
                (name for name in self.fields if self.is_bound and name in self.errors), next(iter(self.fields))
            )
            self.fields[wrong].widget.attrs["autofocus"] = True

    def list_names(self) -> tuple[str, str]:
        """Return the names that were typed, empty for none; only after ``is_valid``."""
        return self.cleaned_data["player"], self.cleaned_data.get("partner", "")

    def make_row(self) -> Row:
        """Return the names of accounts that were typed, as a row of a list; only after ``is_valid``."""
        if "people" not in self.fields:
            return Row(1, *self.list_names())
        return make_team_row(1, self.cleaned_data.get("team", ""), split_people(self.cleaned_data["people"]))

    def make_entry(self) -> TypedEntry:
        """Return the entry that was typed; only after ``is_valid``."""
        data = self.cleaned_data
        listed = "people" in self.fields
        names = split_people(data["people"]) if listed else [name for name in self.list_names() if name]
        return TypedEntry(1, tuple(map(TypedPerson, names)), team=data.get("team", ""), another=data["another"])


class TeamForm(forms.Form):
    """Form of a player's own team (J11): its name, and the names of the others by the table at which they play.

    ``house``: the house's players take their seats, and nobody need be named.
    """

    team = forms.CharField(
        label=gettext_lazy("Nome della squadra"),
        max_length=MAX_CELL_CHARS,
        error_messages={"required": gettext_lazy("Scrivi il nome della squadra.")},
    )

    def __init__(self, tournament: Tournament, *args: Any, house: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        labels = {
            2: {"second": _("Chi gioca al secondo tavolo")},
            4: {
                "first": _("Con te al primo tavolo"),
                "second": _("Al secondo tavolo: uno"),
                "third": _("Al secondo tavolo: l'altro"),
            },
        }[tournament.entry_kind.line_up_size]
        for name, label in labels.items():
            self.fields[name] = forms.CharField(label=label, max_length=MAX_CELL_CHARS, required=not house)
            self.fields[name].error_messages["required"] = _("Scrivi come si chiama qui.")
        for name, field in self.fields.items():
            field.widget.attrs.update({"autocomplete": "off", "autocapitalize": "words"})
            if self.is_bound and name in self.errors:
                field.widget.attrs["aria-invalid"] = "true"

    def make_row(self, player: Player) -> Row:
        """Return the player's team as a row of a list; only after ``is_valid``."""
        others = [value for name, value in self.cleaned_data.items() if name != "team"]
        return make_team_row(1, self.cleaned_data["team"], [player.name, *others])

    def refuse(self, error: TournamentError) -> None:
        """Show a service's refusal: beside the name that it is about, else on top."""
        if error.code != "list_refused":
            self.add_error(None, refusals.make_form_error(error))
            return
        typed = {value: name for name, value in self.cleaned_data.items()}
        for problem in error.values["problems"]:
            field = typed.get(problem.typed) if problem.about != "team" else "team"
            why = wording.describe_problem(problem.code, problem.typed, problem.other)
            self.add_error(field, forms.ValidationError(why, code=problem.code))
            if field is not None:
                self.fields[field].widget.attrs["aria-invalid"] = "true"


class TypedEntryForm(forms.Form):
    """Form of an entry at real tables (O2, O3): its typed names, each with its suffix, and its fixed table; of a team
    also its name, and who joins it (O12)."""

    team = forms.CharField(label=gettext_lazy("Squadra"), max_length=MAX_CELL_CHARS)
    more = forms.CharField(
        label=gettext_lazy("Uno in più nella squadra"),
        help_text=gettext_lazy("Il nome; più nomi, separati da una virgola."),
        max_length=MAX_TEAM_CHARACTERS,
        required=False,
    )
    table = forms.IntegerField(
        label=gettext_lazy("Tavolo fisso"),
        help_text=gettext_lazy("Per chi cammina poco: gioca sempre lì, dal prossimo incontro. Vuoto: dove capita."),
        required=False,
        min_value=1,
        max_value=MAX_TABLES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def __init__(self, entry: Entry, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["table"].initial = entry.fixed_table
        keep_fields(self, ("team", "more", "table") if entry.team_name else ("table",))
        if entry.team_name:
            self.fields["team"].initial = entry.team_name
        members = entry.members.with_people().filter(person__player=None, person__card=None)
        self.people: dict[int, Person] = {member.person_id: member.person for member in members}
        self.clubs = {member.person_id: member.club for member in members}
        for pk, person in self.people.items():
            self.fields[f"name-{pk}"] = forms.CharField(
                label=gettext_lazy("Nome"), max_length=MAX_CELL_CHARS, initial=person.typed_name
            )
            self.fields[f"suffix-{pk}"] = forms.CharField(
                label=gettext_lazy("Per distinguerlo da chi si chiama uguale"),
                help_text=gettext_lazy("Si vede dopo il nome, fra parentesi: il circolo, o un numero."),
                max_length=MAX_SUFFIX_CHARACTERS,
                initial=person.suffix,
                required=False,
            )
            self.fields[f"club-{pk}"] = forms.CharField(
                label=gettext_lazy("Circolo"),
                help_text=gettext_lazy("Per la protezione di circolo al sorteggio: non si vede."),
                max_length=MAX_CLUB_CHARACTERS,
                initial=self.clubs[pk],
                required=False,
            )
        self.order_fields(["team", *(name for name in self.fields if name not in ("team", "more", "table"))])
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"

    def list_renamed(self) -> list[tuple[int, str, str, str]]:
        """Return each person who is called otherwise now, with name, suffix and club; only after ``is_valid``."""
        data, kinds = self.cleaned_data, ("name", "suffix", "club")
        typed = {pk: tuple(data[f"{kind}-{pk}"] for kind in kinds) for pk in self.people}
        before = {pk: (person.typed_name, person.suffix, self.clubs[pk]) for pk, person in self.people.items()}
        return [(pk, name, suffix, club) for pk, (name, suffix, club) in typed.items() if typed[pk] != before[pk]]

    def list_more(self) -> list[str]:
        """Return the names of whoever joins the team; only after ``is_valid``."""
        return split_people(self.cleaned_data.get("more", ""))

    def refuse(self, error: TournamentError) -> None:
        """Show a service's refusal: of a table beside it, of a name on top with the name in it."""
        if error.code == "list_refused":
            for problem in error.values["problems"]:
                why = wording.describe_problem(problem.code, problem.typed, problem.other)
                self.add_error(None, forms.ValidationError(why, code=problem.code))
        else:
            about_table = error.code.startswith("fixed_table_")
            self.add_error("table" if about_table else None, refusals.make_form_error(error))
