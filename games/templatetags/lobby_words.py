"""The words of the lobby for templates."""

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.lobby.pairing import ADMITTED, ADMITTED_A_SECOND
from games.lobby.rematches import RematchStand
from games.lobby.wording import describe_kind, describe_rematch

register = template.Library()

register.filter("kind_said", describe_kind)


@register.filter("rematch_said")
def say_rematch(stand: RematchStand) -> str:
    """Return how far a rematch has come, said to its reader."""
    return describe_rematch(stand.reader, stand.asking, stand.missing)


@register.filter("admitted")
def show_admitted(since: datetime, now: int) -> SafeString:
    """Return the difference of levels that a seek admits (B3), as a number that goes on growing on the page."""
    return _show_growing(since, now, ADMITTED, ADMITTED_A_SECOND)


@register.filter("waited")
def show_waited(since: datetime, now: int) -> SafeString:
    """Return how long somebody has waited, in seconds, as a number that goes on growing on the page."""
    return _show_growing(since, now, 0, 1)


def _show_growing(since: datetime, now: int, first: int, each_second: int) -> SafeString:
    return format_html(
        '<span data-since="{}" data-first="{}" data-each-second="{}">{}</span>',
        since.isoformat(), first, each_second, now,
    )  # fmt: skip
