"""Bodies and filters that programs send: a name nobody knows is refused, and lists come in pages by a cursor."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlencode

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from players.bounds import MOST, is_within
from players.web.requests import MAX_KEY_DIGITS, read_number
from players.wording import describe_hour_bounds

Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=Model)
Fields = dict[str, Any]  # of a serializer, by their names
MAX_ROWS_A_PAGE = 100


class HourField(serializers.DateTimeField):
    """Field of an hour that can be stored and shown by every clock."""

    def to_internal_value(self, value: Any) -> datetime:
        try:
            hour: datetime = super().to_internal_value(value)
        except OverflowError:  # a time zone pushes it out of the calendar
            self.fail("overflow")
        return hour if is_within(hour) else self.fail("overflow")

    def fail(self, key: str, **kwargs: Any) -> NoReturn:
        if key == "overflow":
            raise serializers.ValidationError(describe_hour_bounds(), "hour_range")
        super().fail(key, **kwargs)


class StrictSerializer(serializers.Serializer[Any]):
    """Serializer that refuses what it has no field for, by its name, and any number that no column holds."""

    def get_fields(self) -> Fields:
        fields: Fields = super().get_fields()
        for field in fields.values():
            inner = getattr(field, "child", field)
            if isinstance(inner, serializers.IntegerField) and not inner.read_only:
                _bound_number(inner)
        return fields

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [str(name) for name in data if name not in self.fields or self.fields[name].read_only]
            if unknown:
                raise serializers.ValidationError(
                    {name: serializers.ErrorDetail(_("Questo nome non c'è."), "unknown") for name in unknown}
                )
        return super().to_internal_value(data)


class NoFilters(StrictSerializer):
    """Query of an address that has no filters."""


class PageFilters(StrictSerializer):
    """Query of every list."""

    cursor = serializers.CharField(required=False, max_length=64, help_text="where the page begins: from ``next``")
    limit = serializers.IntegerField(required=False, default=50, min_value=1, max_value=MAX_ROWS_A_PAGE)

    def validate_cursor(self, text: str) -> int:
        try:
            number = urlsafe_b64decode(text.encode("ascii") + b"==").decode("ascii")
        except ValueError:
            number = ""
        key = read_number(number, None, digits=MAX_KEY_DIGITS)
        if key is None:
            raise serializers.ValidationError(_("Da qui non comincia nessuna pagina."), "invalid")
        return key


def _bound_number(field: serializers.IntegerField) -> None:
    """Give a field of whole numbers the bounds that it hasn't."""
    if field.max_value is None:
        field.max_value = MOST
        field.validators.append(MaxValueValidator(MOST, field.error_messages["max_value"].format(max_value=MOST)))
    if field.min_value is None:
        field.min_value = -MOST
        field.validators.append(MinValueValidator(-MOST, field.error_messages["min_value"].format(min_value=-MOST)))


def answer_page(
    request: Request, kind: type[serializers.Serializer[Any]], page: Sequence[Any], key: int | None, **context: Any
) -> Response:
    """Answer a page of a list: ``next``, the address of the one after it, or None; ``results``.

    ``context``: what the rows are answered by, beside themselves.
    """
    results: Any = kind(many=True, instance=page, context=context).data
    return Response({"next": None if key is None else build_next_address(request, key), "results": results})


def read_filters(request: Request, kind: type[StrictSerializer]) -> Any:
    """Return the query of a request, checked. ValidationError names what isn't known."""
    query = request.query_params
    twice = [name for name in query if len(query.getlist(name)) > 1]
    if twice:
        raise serializers.ValidationError(
            {name: serializers.ErrorDetail(_("Una volta sola."), "repeated") for name in twice}
        )
    filters = kind(data=query.dict())
    filters.is_valid(raise_exception=True)
    return filters.validated_data


def build_next_address(request: Request, key: int) -> str:
    """Return the request's own address, with the cursor behind that row."""
    cursor = urlsafe_b64encode(str(key).encode()).decode().rstrip("=")
    query = urlencode({**request.query_params.dict(), "cursor": cursor})
    return f"{request.build_absolute_uri(request.path)}?{query}"


def cut_rows(rows: QuerySet[Stored], filters: Mapping[str, Any]) -> tuple[list[Stored], int | None]:
    """Return a page of stored rows, the newest first, and the key of its last if there are more."""
    if "cursor" in filters:
        rows = rows.filter(pk__lt=filters["cursor"])
    page = list(rows.order_by("-pk")[: filters["limit"] + 1])
    more = len(page) > filters["limit"]
    del page[filters["limit"] :]
    return page, page[-1].pk if more else None


def cut_page(
    rows: Iterable[Row], filters: Mapping[str, Any], key: Callable[[Row], int]
) -> tuple[list[Row], int | None]:
    """Return a page of rows that are in an order of their own, and the key of its last if there are more.

    A cursor whose row has gone is refused: nobody is left out or named twice without being told.
    """
    rest = iter(rows)
    if "cursor" in filters and not any(key(row) == filters["cursor"] for row in rest):
        raise serializers.ValidationError(
            {"cursor": serializers.ErrorDetail(_("Da qui non comincia più nessuna pagina."), "gone")}
        )
    page = list(islice(rest, filters["limit"] + 1))
    more = len(page) > filters["limit"]
    del page[filters["limit"] :]
    return page, key(page[-1]) if more else None
