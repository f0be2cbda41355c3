"""What the forms of a tournament and of a series share, and the texts that stay open after the draw (E2)."""

import zoneinfo
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.wording import describe_duration
from players.forms import ZoneSelect, zones_by_region
from players.markdown import LONGEST
from players.models import Player
from players.selectors import time_zones
from tournaments.clubs.queries import list_clubs_to_organise_for
from tournaments.core import wording
from tournaments.models import Club, Round, Series, Tournament
from tournaments.organise.fields import StartField, hour_field, readers_zone

CHECKIN_MINUTES = (5, 10, 15, 20, 30, 60)


class OrganiserForm(forms.Form):
    """The fields that a tournament and a series of them share."""

    description = forms.CharField(
        label=gettext_lazy("Presentazione"),
        help_text=gettext_lazy(
            "Facoltativa: premi, appuntamenti, come ci si trova. Si può usare Markdown: *corsivo*, **grassetto**, "
            "elenchi, link."
        ),
        max_length=LONGEST,
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
        """The choices of one organiser; whoever else runs ``of`` leaves it in the name it has."""
        zone, club = self.fields["time_zone"], self.fields["club"]
        assert isinstance(zone, forms.ChoiceField)
        assert isinstance(club, forms.ChoiceField)
        zone.choices = zones_by_region()
        zone.initial = readers_zone()
        own = organiser is not None and (of is None or of.organiser_id == organiser.pk)
        held = None if of is None else of.club
        found = list(list_clubs_to_organise_for(organiser)) if own and organiser is not None else []
        self._clubs: dict[str, Club] = {each.public_id: each for each in [*found, *([held] if held else [])]}
        nobody = [("", _("a nome mio"))] if own or held is None else []
        club.choices = [*nobody, *((key, each.name) for key, each in self._clubs.items())]
        if not self._clubs:
            del self.fields["club"]
        for field in self.fields.values():
            if isinstance(field, StartField):
                field.zone = zoneinfo.ZoneInfo(self.zone_now())

    def zone_now(self) -> str:
        """The zone that stands in the form, if it is one."""
        field = self.fields["time_zone"]
        raw = (
            self.data.get(self.add_prefix("time_zone"))
            if self.is_bound
            else self.get_initial_for_field(field, "time_zone")
        )
        return str(raw) if raw in time_zones() else readers_zone()

    def organised(self) -> dict[str, Any]:
        """What of a tournament's settings is said here; only after ``is_valid``."""
        club = self._clubs.get(self.cleaned_data.get("club") or "")
        return {
            "description": self.cleaned_data["description"],
            "time_zone": self.cleaned_data["time_zone"] or self.zone_now(),
            "club_id": None if club is None else club.pk,
        }


def shared_initial(of: Tournament | Series) -> dict[str, Any]:
    """The same fields as they are."""
    return {"time_zone": of.time_zone, "club": "" if of.club is None else of.club.public_id}


class TextsForm(OrganiserForm):
    """What can still be said after the draw (E2): how it is called, its text, the zone of its hours, and those of the
    rounds that haven't begun (R6)."""

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
            self.fields[f"round_{round_.number}"] = hour_field(label=label, initial=at)
        self.offer_organising(None, None)
        for name in self.errors if self.is_bound else ():
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def moved(self) -> dict[int, datetime]:
        """The new hours, by the number of the round; only after ``is_valid``."""
        said = {number: self.cleaned_data[f"round_{number}"] for number in self._hours}
        return {number: at for number, at in said.items() if at != self._hours[number]}


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
            "checkin_minutes": [
                ("", _("niente check-in")),
                *((str(each), describe_duration(60 * each)) for each in minutes),
            ],
        }

    def entering(self, *, has_start: bool) -> dict[str, Any]:
        """What of a tournament's settings is said here; only after ``is_valid``."""
        return {
            "registration": self.cleaned_data["registration"] or Tournament.Registration.OPEN,
            "join_code": self.cleaned_data["join_code"],
            "checkin_minutes": self.cleaned_data["checkin_minutes"] if has_start else None,
        }
