"""Refusals at the door of what no database and no library holds, whatever it is sent by (AT8): years 1 and 9999, hours
that a time zone pushes over the edge, huge numbers, NUL, half of a character."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import walk_packages
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django import forms
from django.core.exceptions import ValidationError as FormError
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

import api
from players.api.bodies import StrictSerializer
from players.bounds import FIRST_YEAR, LAST_YEAR, MOST, is_within

HOURS = (
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "0001-01-01T00:00",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-12:00",
    "9999-12-31T23:59",
    "1899-12-31T23:59",
    "3000-01-02T00:00",
)
NUMBERS = (10**30, -(10**30), 2**31, -(2**31), str(10**30))
TEXTS = ("a\0b", "\ud800", "a" * 100_000)
ODD = (*HOURS, *NUMBERS, *TEXTS, {"a\0b": 1}, ["\ud800"], [10**30], 1e308, True, None)


APPS = ("players", "games", "records", "tournaments")
ZONES = ("Etc/GMT+12", "UTC", "Pacific/Kiritimati")


def is_held(value: Any) -> bool:
    """Tell if every database and every clock holds a value."""
    if isinstance(value, datetime):
        return is_within(value) and all(value.astimezone(ZoneInfo(zone)).isoformat() for zone in ZONES)
    if isinstance(value, int):
        return abs(value) <= MOST
    if isinstance(value, str):
        return "\0" not in value and not any(0xD800 <= ord(char) < 0xE000 for char in value)
    if isinstance(value, dict):
        return all(is_held(part) for pair in value.items() for part in pair)
    return all(map(is_held, value)) if isinstance(value, list | tuple) else True


def list_kinds(base: type) -> Iterator[type]:
    for kind in base.__subclasses__():
        yield kind
        yield from list_kinds(kind)


def list_bodies() -> list[type[StrictSerializer]]:
    """Return every body and every query of the API."""
    for module in walk_packages(api.__path__, "api."):
        import_module(module.name)
    import_module("records.api")
    return [kind for kind in list_kinds(StrictSerializer) if kind.__module__.startswith(("api.", "records"))]


@pytest.mark.django_db
def test_no_body_and_no_query_of_a_program_lets_in_what_nobody_holds() -> None:
    let_in = []
    bodies = list_bodies()
    for kind in bodies:
        for name, field in kind().fields.items():
            previewed = kind.__name__.endswith("PreviewBody") and name == "body"  # checked as that of its act
            if field.read_only or previewed or isinstance(field, serializers.JSONField):
                continue
            for odd in ODD:
                try:
                    value = field.run_validation(odd)
                except ValidationError:
                    continue
                if not is_held(value):
                    let_in.append(f"{kind.__name__}.{name}: {str(odd)[:40]!r}")
    assert not let_in, "\n".join(let_in)
    assert len(bodies) > 40


@pytest.mark.parametrize("zone", ["Europe/Rome", "Pacific/Kiritimati", "Etc/GMT+12"])
@pytest.mark.django_db
def test_no_form_lets_in_what_nobody_holds(zone: str) -> None:
    from config.urls import urlpatterns  # noqa: F401  # whose views know every form

    let_in = []
    kinds = [kind for kind in list_kinds(forms.BaseForm) if kind.__module__.startswith(APPS)]
    with timezone.override(zone):
        for kind in kinds:
            for name, field in kind.base_fields.items():  # type: ignore[attr-defined]
                if not isinstance(field, forms.IntegerField | forms.fields.BaseTemporalField | forms.CharField):
                    continue
                for odd in (*HOURS, *map(str, NUMBERS), *TEXTS[:1]):
                    try:
                        value = field.clean(odd)
                    except FormError:
                        continue
                    if not is_held(value):
                        let_in.append(f"{kind.__name__}.{name}: {odd[:40]!r}")
    assert not let_in, "\n".join(let_in)
    assert len(kinds) > 40


def test_the_years_that_are_held_are_held_by_every_clock() -> None:
    ends = (datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(LAST_YEAR, 12, 31, tzinfo=UTC))
    assert all(is_within(end) for end in ends)
    assert all(end.astimezone(ZoneInfo(zone)).isoformat() for end in ends for zone in ZONES)
