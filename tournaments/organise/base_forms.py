"""Fields that the forms of a tournament and of a series share, and the texts that stay open after the draw (E2)."""

import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms import FormValues
from games.wording import describe_duration
from players.forms import ZoneSelect
from players.markdown import MAX_MARKDOWN_CHARACTERS
from players.models import Player
from players.selectors import list_time_zones
from players.web.requests import read_number
from players.zones import group_time_zones
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.core import refusals, wording
from tournaments.core.errors import TournamentError
from tournaments.core.reasons import MAX_REASON_CHARACTERS
from tournaments.models import Club, Round, Series, Tournament
from tournaments.organise.fields import StartField, get_reader_zone, make_hour_field

CHECKIN_MINUTES = (5, 10, 15, 20, 30, 60)


@dataclass(frozen=True, slots=True)
class OrganiserChoices:
    """The part of a tournament's settings that says in whose name and where it is held."""

    description: str
    time_zone: str
    club_id: int | None


@dataclass(frozen=True, slots=True)
class RegistrationChoices:
    """The part of a tournament's settings that says how one enters (E3, E4)."""

    registration: str
    join_code: str
    checkin_minutes: int | None


class OrganiserForm(forms.Form):
    """Form fields that a tournament and a series of them share."""

    description = forms.CharField(
        label=gettext_lazy("Presentazione"),
        help_text=gettext_lazy(
            "Facoltativa: premi, appuntamenti, come ci si trova. Si può usare Markdown: *corsivo*, **grassetto**, "
            "elenchi, link."
        ),
        max_length=MAX_MARKDOWN_CHARACTERS,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Fuso orario"),
        help_text=gettext_lazy("L'ora scritta qui si legge in questo fuso. Ognuno poi la vede nel suo."),
        required=False,
        widget=ZoneSelect,
    )
    club = forms.ChoiceField(
        label=gettext_lazy("A nome di"),
        help_text=gettext_lazy("Lo gestiscono anche organizzatori e amministratori del circolo, e arbitrano i suoi."),
        required=False,
    )

    def offer_organising(self, organiser: Player | None, of: Tournament | Series | None) -> None:
        """Offer one organiser's choices; another who runs ``of`` leaves it in the club it has."""
        zone, club = self.fields["time_zone"], self.fields["club"]
        assert isinstance(zone, forms.ChoiceField)
        assert isinstance(club, forms.ChoiceField)
        zone.initial = get_reader_zone()
        held = str(self.get_initial_for_field(zone, "time_zone"))
        zone.choices = partial(group_time_zones, held)  # hundreds: only where they are drawn or one is checked
        own = organiser is not None and (of is None or of.organiser_id == organiser.pk)
        present = None if of is None else of.club
        clubs = list(list_clubs_to_organise_for(organiser)) if own and organiser is not None else []
        self._clubs: dict[str, Club] = {club.public_id: club for club in [*clubs, *([present] if present else [])]}
        nobody = [("", _("a nome mio"))] if own or present is None else []
        club.choices = [*nobody, *((key, own_club.name) for key, own_club in self._clubs.items())]
        if not self._clubs:
            del self.fields["club"]
        for field in self.fields.values():
            if isinstance(field, StartField):
                field.zone = zoneinfo.ZoneInfo(self.read_zone())

    def read_zone(self) -> str:
        """Return the time zone in the form; the reader's if there is none."""
        field = self.fields["time_zone"]
        raw = (
            self.data.get(self.add_prefix("time_zone"))
            if self.is_bound
            else self.get_initial_for_field(field, "time_zone")
        )
        return str(raw) if raw in list_time_zones() else get_reader_zone()

    def read_organiser_choices(self) -> OrganiserChoices:
        """Return the form's part of a tournament's settings; only after ``is_valid``."""
        club = self._clubs.get(self.cleaned_data.get("club") or "")
        return OrganiserChoices(
            description=self.cleaned_data["description"],
            time_zone=self.cleaned_data["time_zone"] or self.read_zone(),
            club_id=None if club is None else club.pk,
        )


def read_shared_initial(of: Tournament | Series) -> FormValues:
    """Return the initial values of these fields for a tournament or a series."""
    return {"time_zone": of.time_zone, "club": "" if of.club is None else of.club.public_id}


class TextsForm(OrganiserForm):
    """Form of the choices that stay open after the draw (E2): name, text, time zone, and the hours of the rounds that
    haven't begun (R6)."""

    name = forms.CharField(
        label=gettext_lazy("Nome del torneo"),
        max_length=80,
        error_messages={"required": gettext_lazy("Dai un nome al torneo.")},
    )
    field_order = ("name", "description", "time_zone")

    def __init__(self, *args: Any, rounds: Sequence[Round] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._hours: dict[int, datetime] = {}
        for round_ in rounds:
            assert round_.opens_at is not None
            at = self._hours[round_.number] = round_.opens_at.replace(second=0, microsecond=0)
            label = wording.name_round(round_.name, round_.number)
            self.fields[f"round_{round_.number}"] = make_hour_field(label=label, initial=at)
        self.offer_organising(None, None)
        for name in self.errors if self.is_bound else ():
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def read_moved_hours(self) -> dict[int, datetime]:
        """Return the new hours, by the number of the round; only after ``is_valid``."""
        hours = {number: self.cleaned_data[f"round_{number}"] for number in self._hours}
        return {number: at for number, at in hours.items() if at != self._hours[number]}


class CancelForm(forms.Form):
    """Form of a cancellation: its reason, where somebody is in the tournament (E2)."""

    reason = forms.CharField(
        label=gettext_lazy("Motivo, che leggono tutti"),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Scrivi il motivo: lo ricevono gli iscritti, e resta nel diario.")},
    )

    def __init__(self, *args: Any, needs_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = needs_reason
        if not needs_reason:
            self.fields["reason"].help_text = _("Facoltativo: non è ancora iscritto nessuno.")
        if self.is_bound and "reason" in self.errors:
            self.fields["reason"].widget.attrs["aria-invalid"] = "true"

    def refuse(self, error: TournamentError) -> None:
        """Show a service's refusal: beside the reason if it is about it, else on top."""
        field = "reason" if error.code.startswith("reason_") else None
        self.add_error(field, refusals.make_form_error(error))


class EnteringForm(forms.Form):
    """Form fields of the registration and of the check-in (E3, E4)."""

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
        widget=forms.TextInput(attrs={"data-secret": True}),
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

    def list_registration_choices(self) -> dict[str, list[tuple[str, str]]]:
        """Return the choices of each field, by its name."""
        now = read_number(str(self.get_initial_for_field(self.fields["checkin_minutes"], "checkin_minutes")), 0)
        minutes = sorted({*CHECKIN_MINUTES, *([now] if now else [])})
        return {
            "registration": [(code, str(label)) for code, label in Tournament.Registration.choices],
            "checkin_minutes": [
                ("", _("niente check-in")),
                *((str(number), describe_duration(60 * number)) for number in minutes),
            ],
        }

    def read_registration(self, *, has_start: bool) -> RegistrationChoices:
        """Return the form's part of a tournament's settings; only after ``is_valid``."""
        return RegistrationChoices(
            registration=self.cleaned_data["registration"] or Tournament.Registration.OPEN,
            join_code=self.cleaned_data["join_code"],
            checkin_minutes=self.cleaned_data["checkin_minutes"] if has_start else None,
        )
