"""Form fields for hours by the organiser's clock (E7)."""

from datetime import datetime, tzinfo
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _

from games.decks import MOTIFS
from players.bounds import is_within
from players.selectors import list_time_zones
from players.wording import describe_hour_bounds

HOUR_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%d/%m/%Y %H:%M"]
DEFAULT_ZONE = "Europe/Rome"


def get_reader_zone() -> str:
    """Return the name of the time zone in which the reader sees hours."""
    name = timezone.get_current_timezone_name()
    return name if name in list_time_zones() else DEFAULT_ZONE


class GameSelect(forms.Select):
    """Select of games: each says by which suit it is known, for the mark beside it (``components/mark.css``)."""

    def create_option(self, name: str, value: Any, *args: Any, **more: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **more)
        if str(value) in MOTIFS:
            option["attrs"]["data-suit"] = MOTIFS[str(value)][-1]
        return option


class StartField(forms.DateTimeField):
    """Field of an hour by the clock of ``zone``; one that this clock skips or has twice is refused in words."""

    zone: tzinfo | None = None  # None: the reader's

    def to_python(self, value: Any) -> datetime | None:
        try:
            with timezone.override(self.zone or timezone.get_current_timezone()):
                hour: datetime | None = super().to_python(value)
        except forms.ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            raise forms.ValidationError(
                _("Quel giorno cambia l'ora legale, e quest'ora manca o c'è due volte: scegline un'altra."),
                code=error.code,
            ) from error
        except OverflowError:  # the zone pushes it out of the calendar
            raise forms.ValidationError(describe_hour_bounds(), code="hour_range") from None
        if hour is not None and not is_within(hour):
            raise forms.ValidationError(describe_hour_bounds(), code="hour_range")
        return hour


def make_hour_field(**more: Any) -> StartField:
    """Return a field of a day and an hour, with a picker where the browser has one."""
    return StartField(
        input_formats=HOUR_FORMATS,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        **more,
    )


class HoursField(StartField):
    """Field of several hours, one a row of text."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> tuple[datetime, ...]:  # type: ignore[override]
        lines = [(number, line) for number, line in enumerate(str(value or "").splitlines(), start=1) if line.strip()]
        hours = []
        for number, line in lines:
            try:
                at = super().to_python(line.strip())
            except forms.ValidationError as error:
                values = {"number": number, "why": error.messages[0]}
                raise forms.ValidationError(_("Riga %(number)d: %(why)s") % values, code=error.code) from error
            if at is not None:
                hours.append(at)
        return tuple(hours)

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, tuple):
            return value
        local = (timezone.localtime(at, self.zone or timezone.get_current_timezone()) for at in value)
        return "\n".join(f"{at:%d/%m/%Y %H:%M}" for at in local)
