"""Rows that tell no result and no hand while others are still to play the same cards (J12).

A row read from the database answers None for each of its ``RESULTS`` as long as they are withheld, whoever asks and
by whatever way it was read. Who counts asks for rows ``with_results()``; which modules do is a law
(tests/lint/told.py). What is stored is never touched: a row is written, refreshed and copied as it is.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, ClassVar, Self, TypeVar

from django.db import models
from django.db.models import Q, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.query_utils import DeferredAttribute

Row = TypeVar("Row", bound="WithheldRow")


def require_shown(path: str = "") -> Q:
    """Return the condition of the matches, or rounds, at that path of which everybody may know everything."""
    return Q(**{f"{path}withheld": False})


def require_withheld(path: str = "") -> Q:
    """Return the condition of the others."""
    return Q(**{f"{path}withheld": True})


class ResultsUnasked(Exception):
    """Raised where results are counted, or read past the rows, that nobody asked for ``with_results()``."""


class ResultColumn(DeferredAttribute):
    """Column of a result: None where the row doesn't tell it."""

    def __get__(self, instance: Any, cls: type | None = None) -> Any:
        if instance is None:
            return self
        if not instance._asked and not instance.tells_results:
            return None
        stored = instance.__dict__
        name = self.field.attname
        return stored[name] if name in stored else super().__get__(instance, cls)

    def __set__(self, instance: Any, value: object) -> None:
        instance.__dict__[self.field.attname] = value


class TellingIterable(ModelIterable):
    """Rows with their results."""

    def __iter__(self) -> Iterator[Any]:
        for row in super().__iter__():
            row._asked = True
            yield row


class WithheldQuerySet(QuerySet[Row]):
    """Rows that tell no result while it is withheld, unless they are asked for with them."""

    asks_results = False

    def with_results(self) -> Self:
        """Rows that tell their results, to nobody but whoever counts."""
        rows = self.all()
        rows.asks_results = True
        if rows._iterable_class is ModelIterable:
            rows._iterable_class = TellingIterable
        return rows

    def _clone(self) -> Self:
        clone: Self = super()._clone()  # type: ignore[misc]
        clone.asks_results = self.asks_results
        return clone

    def _values(self, *fields: Any, **expressions: Any) -> Self:
        if not self.asks_results:
            self._refuse(fields)
        rows: Self = super()._values(*fields, **expressions)  # type: ignore[misc]
        return rows

    def _refuse(self, names: Collection[object]) -> None:
        if not names or not set(self.model.RESULTS).isdisjoint(name for name in names if isinstance(name, str)):
            raise ResultsUnasked(f"{self.model.__name__}: {', '.join(map(str, names)) or 'every column'}")

    def bulk_update(self, objs: Iterable[Row], fields: Iterable[str], batch_size: int | None = None) -> int:
        """Write these columns, as QuerySet does, which would read results through the rows."""
        rows, columns = list(objs), list(fields)
        if not all(row.tells_results for row in rows):
            self._refuse(columns)
        return super().bulk_update(rows, columns, batch_size)


class WithheldRow(models.Model):
    """A row with results, or hands, that may be withheld."""

    RESULTS: ClassVar[tuple[str, ...]] = ()  # the columns
    _asked = False  # it was read with its results

    class Meta:
        abstract = True

    @property
    def is_shown(self) -> bool:
        """Return whether everybody may know its results: nobody is still to play its cards (J12)."""
        raise NotImplementedError

    @property
    def tells_results(self) -> bool:
        """Return whether its results can be read from it: also from one that isn't stored yet, by whoever made it."""
        return self._asked or self._state.adding or self.is_shown

    def require_results(self) -> None:
        """Raise ResultsUnasked if it holds them back: what is empty is no result to count."""
        if not self.tells_results:
            raise ResultsUnasked(f"{type(self).__name__} {self.pk}")

    def with_results(self) -> Self:
        """Return the row itself, which tells its results from now on."""
        self._asked = True
        return self

    def save_base(self, *args: Any, **options: Any) -> None:
        """Write what is stored in it, told or not. Whoever made it is told what they wrote."""
        asked, self._asked = self._asked or self._state.adding, True
        try:
            super().save_base(*args, **options)
        finally:
            self._asked = asked

    def refresh_from_db(
        self, using: str | None = None, fields: Iterable[str] | None = None, from_queryset: Any = None
    ) -> None:
        """Read it anew, told or not: it tells no more than before."""
        rows: Any = type(self)._default_manager.all() if from_queryset is None else from_queryset
        super().refresh_from_db(using, fields, rows.with_results())


def hold_results(model: type[Row]) -> type[Row]:
    """Have the rows of a model hold back their ``RESULTS``."""
    for name in model.RESULTS:
        field: Any = model._meta.get_field(name)
        setattr(model, name, ResultColumn(field))
    return model
