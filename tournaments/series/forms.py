"""The form of a series: a tournament's own, with a day of the week and an hour where a date stood (E7)."""

from dataclasses import replace
from datetime import datetime, timedelta

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy

from games.forms import FormValues
from tournaments.models import Series, Tournament
from tournaments.organise.forms import TournamentForm, read_initial_values
from tournaments.organise.settings import Settings, check_settings
from tournaments.series.actions import MAX_DAYS_AHEAD, Weekly


class SeriesForm(TournamentForm):
    """Form of a tournament without its date."""

    start = None  # type: ignore[assignment]  # no single start
    starts_at = None  # type: ignore[assignment]
    round_hours = None  # type: ignore[assignment]
    weekday = forms.TypedChoiceField(label=gettext_lazy("Ogni"), coerce=int, choices=list(WEEKDAYS.items()), initial=1)
    hour = forms.TimeField(
        label=gettext_lazy("Alle"),
        help_text=gettext_lazy("La stessa ora d'estate e d'inverno, nel fuso orario scelto qui."),
        initial="21:00",
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    days_ahead = forms.IntegerField(
        label=gettext_lazy("Si apre, giorni prima"),
        help_text=gettext_lazy("Quanto prima dell'inizio cominciano le iscrizioni."),
        min_value=1,
        max_value=MAX_DAYS_AHEAD,
        initial=6,
    )

    def read_start(self) -> datetime | None:
        return None

    def has_start(self) -> bool:
        return True

    def check_plan(self, settings: Settings, now: datetime) -> None:
        """Raise TournamentError for settings that can't be run, by whatever week."""
        check_settings(replace(settings, starts_at=now + timedelta(days=1)))

    def read_weekly(self) -> Weekly:
        """Return day, hour and days ahead; only after ``is_valid``."""
        return Weekly(self.cleaned_data["weekday"], self.cleaned_data["hour"], self.cleaned_data["days_ahead"])


def read_initial_series_values(series: Series) -> FormValues:
    """Return the form's initial values for a series."""
    names = {field.attname for field in Tournament._meta.concrete_fields}
    kept = {name: value for name, value in series.settings.items() if name in names - {"club_id"}}
    shell = Tournament(**kept, club=series.club)
    own = {name: getattr(series, name) for name in ("weekday", "hour", "days_ahead", "time_zone")}
    return {**read_initial_values(shell), **own}
