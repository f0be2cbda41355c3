"""Wording of the referee's page for templates: one filter a function, nothing more."""

from datetime import datetime, timedelta

from django import template

from tournaments.core.result_wording import describe_result
from tournaments.core.wording import name_fixture
from tournaments.desk import wording as desk_wording
from tournaments.desk.rehearsal import FixtureChange
from tournaments.desk.rulings import Ruling

register = template.Library()


@register.filter
def clock(left: timedelta) -> str:
    """Return minutes and seconds, as the countdowns of the pages show them."""
    seconds = max(0, int(left.total_seconds()))
    return f"{seconds // 60}:{seconds % 60:02d}"


@register.filter(expects_localtime=False)
def clock_until(ends: datetime, now: datetime) -> str:
    return clock(ends - now)


@register.filter
def ruling_act(ruling: Ruling) -> str:
    return desk_wording.name_act(ruling.code, ruling.detail)


@register.filter
def ruling_before(ruling: Ruling) -> str:
    return (
        ruling.people[0]
        if ruling.people
        else desk_wording.describe_change(ruling.code, ruling.detail, _names(ruling))[0]
    )


@register.filter
def ruling_after(ruling: Ruling) -> str:
    return (
        ruling.people[1]
        if ruling.people
        else desk_wording.describe_change(ruling.code, ruling.detail, _names(ruling))[1]
    )


@register.simple_tag
def former_result(change: FixtureChange) -> str:
    return describe_result(change.before, _name_sides(change))


@register.simple_tag
def new_result(change: FixtureChange) -> str:
    return describe_result(change.after, _name_sides(change))


@register.filter
def changed_place(change: FixtureChange) -> str:
    return name_fixture(change.fixture.round.name, change.fixture.round.number, change.fixture.board)


@register.filter
def what_stays(code: str) -> str:
    return desk_wording.name_what_stays(code)


def _name_sides(change: FixtureChange) -> list[str]:
    return ["" if side is None else side.name for side in (change.first, change.second)]


def _names(ruling: Ruling) -> list[str]:
    return ["" if entry is None else entry.name for entry in (ruling.first, ruling.second)]
