"""Hours and days in words, and the order of the hours of rounds (R6)."""

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from itertools import pairwise

from django.conf import settings
from django.utils import timezone, translation
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from players.zones import name_zone
from tournaments.core.errors import TournamentError

LATEST_ROUND = timedelta(days=366)  # after the start


def _in_sentence(text: str) -> str:
    """Return days and months as the language in use writes them inside a sentence: Italian without capitals."""
    return text.lower() if (translation.get_language() or "").startswith("it") else text


def add_day_to_name(name: str, at: datetime, language: str) -> str:
    """Return the name of one tournament of a series: the series' name and the day, in the organiser's language."""
    with translation.override(language or settings.LANGUAGE_CODE):
        day = _in_sentence(date_format(at, _("j b")))
    return f"{name[:66].rstrip()} – {day}"


def describe_weekly(weekday: int, hour: time, zone: str) -> str:
    """Return the weekly hour of a series by the organiser's clock; ``zone`` is empty where the reader has the same."""
    day = _in_sentence(str(WEEKDAYS[weekday]))
    values = {"day": day, "hour": time_format(hour, "H:i"), "place": name_zone(zone)}
    if not zone:
        return _("ogni %(day)s alle %(hour)s") % values
    return _("ogni %(day)s alle %(hour)s (%(place)s)") % values


def describe_hour(at: datetime) -> str:
    """Return a day and an hour inside a sentence."""
    return _in_sentence(date_format(at, _("l j F, H:i")))


def describe_end(at: datetime) -> str:
    """Return when something ended by the reader's clock: the hour of today, the day of another."""
    at = timezone.localtime(at)
    today = timezone.localdate()
    if at.date() == today:
        return _("finito alle %(hour)s") % {"hour": time_format(at, "H:i")}
    return _("finito il %(day)s") % {
        "day": _in_sentence(date_format(at, _("j b") if at.year == today.year else _("j b Y")))
    }


def describe_series_trouble(code: str) -> str:
    """Return the reason why a series has stopped, or can't open its next tournament; empty where all is well."""
    if code == "too_many_open":
        return _("Hai troppi tornei non ancora cominciati: il prossimo si apre appena ne comincia uno.")
    if code == "not_of_club":
        return _("Ferma: a nome di questo circolo non puoi più organizzare.")
    return _("Le regole scelte non vanno più bene: modificala.") if code else ""


def describe_hour_elsewhere(at: datetime, zone: str) -> str:
    """Return ``at`` by that zone's clock, with the name of its place."""
    return _("%(hour)s a %(place)s") % {"hour": date_format(at, "H:i"), "place": name_zone(zone)}


def require_order(hours: Iterable[datetime]) -> None:
    """Raise TournamentError("round_hours_order") unless each is later than the one before it."""
    if any(later <= earlier for earlier, later in pairwise(hours)):
        raise TournamentError("round_hours_order")
