"""Wording of play-offs for templates: one filter a function, nothing more."""

from django import template

from games.wording import describe_length
from tournaments.core.wording import write_ordinal
from tournaments.play_offs import wording
from tournaments.play_offs.queries import PlayOffMatch, ShownPlayOff

register = template.Library()


@register.filter
def play_off_name(play_off: ShownPlayOff) -> str:
    return wording.name_play_off(play_off.plan.number, play_off.plan.rank)


@register.filter
def play_off_state(play_off: ShownPlayOff) -> str:
    return wording.describe_state(play_off)


@register.filter
def play_off_length(play_off: ShownPlayOff) -> str:
    return wording.describe_play_off_length(describe_length(*play_off.plan.length))


@register.filter
def play_off_place(place: int) -> str:
    return write_ordinal(place)


@register.filter
def play_off_score(match: PlayOffMatch) -> str:
    return wording.describe_match(match)
