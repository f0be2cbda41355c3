"""Values of a row of a file, as its model has them."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.db.models import DateTimeField, Model

from tournaments.transfer.faults import JsonObject
from tournaments.transfer.field_lists import list_carried
from tournaments.transfer.shapes import read_hour
from tournaments.venues import VenueField


def read_row(model: type[Model], values: Mapping[str, Any]) -> JsonObject:
    """Return the plain values of a row as its model has them."""
    return {
        name: read(values[name]) if read is not None and values[name] is not None else values[name]
        for name, read in _list_fields(model)
        if name in values
    }


@cache
def _list_fields(model: type[Model]) -> tuple[tuple[str, Callable[[str], Any] | None], ...]:
    """Return the names of the plain values, and what makes of each the value that the model has, if it is another."""
    return tuple((name, _find_reader(model._meta.get_field(name))) for name in list_carried(model))


def _find_reader(field: Any) -> Callable[[str], Any] | None:
    if isinstance(field, DateTimeField):
        return read_hour
    return field.to_python if isinstance(field, VenueField) else None
