"""What an organiser's forms say beyond the match: a text, the zone of his hours, in whose name, and the start.

Hours are typed and shown by the clock of the zone that stands in the form, whoever has the form before him (E7).
"""

import zoneinfo
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.forms import ZoneSelect, zones_by_region
from players.markdown import LONGEST
from players.models import Club, Player
from players.selectors import clubs_to_organise_for, time_zones
from tournaments import words
from tournaments.models import Round, Series, Tournament

HOUR_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%d/%m/%Y %H:%M"]
DEFAULT_ZONE = "Europe/Rome"


def readers_zone() -> str:
    """The name of the zone in which the reader sees his hours."""
    name = timezone.get_current_timezone_name()
    return name if name in time_zones() else DEFAULT_ZONE


class StartField(forms.DateTimeField):
    """An hour by the clock of ``zone``; one that this clock skips or has twice is refused in words."""

    zone: tzinfo | None = None  # None: the reader's

    def to_python(self, value: Any) -> datetime | None:
        try:
            with timezone.override(self.zone or timezone.get_current_timezone()):
                found: datetime | None = super().to_python(value)
        except forms.ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            raise forms.ValidationError(
                _("Quel giorno cambia l'ora legale, e quest'ora manca o c'è due volte: scegline un'altra."),
                code=error.code,
            ) from error
        return found


def hour_field(**more: Any) -> StartField:
    """A day and an hour, by a picker where the browser has one."""
    return StartField(
        input_formats=HOUR_FORMATS,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        **more,
    )


class HoursField(StartField):
    """Several hours, one a line."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> tuple[datetime, ...]:  # type: ignore[override]
        lines = [(number, line) for number, line in enumerate(str(value or "").splitlines(), start=1) if line.strip()]
        found = []
        for number, line in lines:
            try:
                at = super().to_python(line.strip())
            except forms.ValidationError as error:
                said = {"number": number, "why": error.messages[0]}
                raise forms.ValidationError(_("Riga %(number)d: %(why)s") % said, code=error.code) from error
            if at is not None:
                found.append(at)
        return tuple(found)

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, tuple):
            return value
        local = (timezone.localtime(at, self.zone or timezone.get_current_timezone()) for at in value)
        return "\n".join(f"{at:%d/%m/%Y %H:%M}" for at in local)


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
        found = list(clubs_to_organise_for(organiser)) if own and organiser is not None else []
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


def organised_initial(of: Tournament | Series) -> dict[str, Any]:
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
            label = words.round_name(round_.name, round_.number)
            self.fields[f"round_{round_.number}"] = hour_field(label=label, initial=at)
        self.offer_organising(None, None)
        for name in self.errors if self.is_bound else ():
            self.fields[name].widget.attrs["aria-invalid"] = "true"

    def moved(self) -> dict[int, datetime]:
        """The new hours, by the number of the round; only after ``is_valid``."""
        said = {number: self.cleaned_data[f"round_{number}"] for number in self._hours}
        return {number: at for number, at in said.items() if at != self._hours[number]}
