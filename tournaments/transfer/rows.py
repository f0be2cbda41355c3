"""Values of a row of a file, as its model has them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db.models import Model

from tournaments.transfer.faults import JsonObject
from tournaments.transfer.field_lists import list_carried
from tournaments.transfer.shapes import read_hour


def read_row(model: type[Model], values: Mapping[str, Any]) -> JsonObject:
    """Return the plain values of a row as its model has them."""
    return {
        name: read_hour(values[name]) if is_hour and values[name] is not None else values[name]
        for name, is_hour in _list_fields(model)
        if name in values
    }


@cache
def _list_fields(model: type[Model]) -> tuple[tuple[str, bool], ...]:
    """Return the names of the plain values, and whether each is an instant."""
    hours = {field.name for field in model._meta.concrete_fields if field.get_internal_type() == "DateTimeField"}
    return tuple((name, name in hours) for name in list_carried(model))
