"""The words of the lobby for templates."""

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.lobby.kinds import SeekKind
from games.lobby.pairing import ADMITTED, ADMITTED_A_SECOND
from games.lobby.rematches import RematchStand
from games.lobby.seek_queries import OwnSeek
from games.lobby.wording import FORMS, describe_kind, describe_rematch, describe_terms
from games.wording import describe_length

register = template.Library()

MIN_LEVEL, MAX_LEVEL = 0, 3000  # nobody is weaker or stronger

register.filter("kind_said", describe_kind)
register.filter("terms_said", describe_terms)


@register.filter("form_name")
def name_form(kind: SeekKind) -> str:
    """Return the form of a kind: "in due"."""
    return str(FORMS[kind.form])


@register.filter("rematch_said")
def say_rematch(stand: RematchStand) -> str:
    """Return how far a rematch has come, said to its reader."""
    return describe_rematch(stand.reader, stand.asking, stand.missing)


@register.simple_tag(name="admitted_from")
def show_least_level(own: OwnSeek) -> SafeString:
    """Return the least level that a seek admits (B3), as a number that goes on falling on the page."""
    return _show_moving(own, -1, MIN_LEVEL if own.seek.lowest is None else own.seek.lowest)


@register.simple_tag(name="admitted_to")
def show_greatest_level(own: OwnSeek) -> SafeString:
    """Return the greatest level that a seek admits (B3), as a number that goes on rising on the page."""
    return _show_moving(own, 1, MAX_LEVEL if own.seek.highest is None else own.seek.highest)


def _show_moving(own: OwnSeek, way: int, end: int) -> SafeString:
    first, now = own.start + way * ADMITTED, own.start + way * own.admitted
    shown = max(now, end) if way < 0 else min(now, end)
    return format_html(
        '<span data-since="{}" data-first="{}" data-each-second="{}" data-end="{}">{}</span>',
        own.seek.created_at.isoformat(), first, way * ADMITTED_A_SECOND, end, shown,
    )  # fmt: skip


@register.filter("waited")
def show_waited(since: datetime, now: int) -> SafeString:
    """Return how long somebody has waited, as a clock that goes on on the page."""
    return format_html(
        '<time class="number" datetime="PT{}S" data-since="{}">{}:{:02}</time>',
        now,
        since.isoformat(),
        now // 60,
        now % 60,
    )


@register.filter("seconds_to")
def show_seconds_to(end: datetime, seconds: int) -> SafeString:
    """Return the seconds to an instant, as a number that goes on falling on the page."""
    return format_html('<span class="number" data-seconds-to="{}">{}</span>', end.isoformat(), seconds)


@register.filter("length_said")
def show_length(kind: SeekKind) -> str:
    """Return what a match of the kind is played to: "11 punti"."""
    return describe_length(kind.length.kind, kind.length.value)
