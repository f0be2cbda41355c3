"""Dates inside a sentence, in the reader's language: Italian writes days and months small; Django's are capital."""

from datetime import date, datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.zones import name_zone

WEEK = timedelta(days=7)

register = template.Library()
register.filter("zone_name", name_zone)


@register.filter(expects_localtime=True)
def when(moment: datetime | None, shape: str) -> str:
    """Return ``moment`` in the reader's zone, in the ``shape`` of Django's ``date`` filter; empty for None."""
    if moment is None:
        return ""
    if timezone.is_aware(moment):
        moment = timezone.localtime(moment)
    written = date_format(moment, shape)
    return written.lower() if (get_language() or "").startswith("it") else written


@register.filter("day_said", expects_localtime=True)
def say_day(moment: datetime) -> str:
    """Return the day of ``moment`` in the reader's zone as short as one says it: today, yesterday, "26 nov"."""
    local, today = timezone.localtime(moment).date(), timezone.localdate()
    if local == today:
        return _("oggi")
    if local == today - timedelta(days=1):
        return _("ieri")
    return when(moment, _("j b") if local.year == today.year else _("j b Y"))


@register.filter(expects_localtime=True)
def soon(moment: datetime, today: date) -> str:
    """Return an instant as short as it may be said: "21:00" of today, "sab 16:00" of this week, else "12 dic", with its
    year if that is another."""
    day = moment.date()
    if day == today:
        return date_format(moment, "H:i")
    return when(moment, "D H:i" if day < today + WEEK else "j b" if day.year == today.year else "j b Y")


@register.simple_tag
def clock_left(until: datetime, now: datetime | None = None) -> str:
    """Return what is left until an instant as a clock shows it, and as scripts count it on: 1:58, 2:05:00."""
    seconds = max(0, round((until - (now or timezone.now())).total_seconds()))
    minutes, hours = seconds // 60 % 60, seconds // 3600
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


@register.simple_tag
def part_left(until: datetime, seconds: int, now: datetime | None = None) -> int:
    """Return the percentage of so many seconds that is left until an instant."""
    left = (until - (now or timezone.now())).total_seconds()
    return round(100 * min(1.0, max(0.0, left / seconds))) if seconds else 0
