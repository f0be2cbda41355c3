"""Venues of tournaments: where the fixtures are played, and what follows from it (O1).

Nothing asks which venue it is: whoever needs to know something asks the venue for it. Another one is one more object
here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    CodeField = models.CharField["Venue", "Venue"]
else:
    CodeField = models.CharField


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    """A place to play at, with its answers. ``code`` stands in the database, in forms, in files and in the API."""

    code: str  # at most 4 characters
    name: "StrOrPromise"
    opens_tables: bool  # the site opens the table of a fixture and counts; else a fixture's result is typed (O4)
    runs_by_clock: bool  # rounds begin, people check in and are reminded at their hours; else somebody acts (O1)
    enters_names: bool  # whoever plays is a name that was typed; an account isn't needed (O2)
    names_line_ups: bool  # of a team only some play a fixture, and somebody says who (O12)
    numbers_tables: bool  # every fixture is played at a table with a number, one after the other if need be (O3)
    plays_off: bool  # ranks that are shared at the end may be played for, until somebody closes it (EV11)

    def __str__(self) -> str:
        return self.code

    @property
    def types_results(self) -> bool:
        """Tell if somebody types the results: at the desk, from slips, on telephones (O4)."""
        return not self.opens_tables

    @property
    def calls_roll(self) -> bool:
        """Tell if the organiser ticks who has come, until the draw (O1)."""
        return not self.runs_by_clock


SITE = Venue(
    code="site", name=_("sul sito"), opens_tables=True, runs_by_clock=True, enters_names=False, names_line_ups=False,
    numbers_tables=False, plays_off=False,
)  # fmt: skip
HALL = Venue(
    code="real", name=_("dal vivo, a tavoli veri"), opens_tables=False, runs_by_clock=False, enters_names=True,
    names_line_ups=True, numbers_tables=True, plays_off=True,
)  # fmt: skip
VENUES: dict[str, Venue] = {venue.code: venue for venue in (SITE, HALL)}


def list_venues() -> Iterator[tuple[str, "StrOrPromise"]]:
    """Yield code and name of every venue, for a form."""
    for venue in VENUES.values():
        yield venue.code, venue.name


def list_where(**answers: bool) -> list[Venue]:
    """Return the venues that give these answers, as ``opens_tables=True``; for a query."""
    return [
        venue for venue in VENUES.values() if all(getattr(venue, name) is answer for name, answer in answers.items())
    ]


class VenueField(CodeField):
    """Column that keeps a venue's code. To migrations it is the text it stores."""

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        default = self.get_prep_value(self.default)
        return name, "django.db.models.CharField", args, {**kwargs, "default": default}

    def from_db_value(self, value: str | None, *_about: object) -> Venue | None:
        """Return the venue of a stored code; None where a query found no row to join."""
        return None if value is None else VENUES[value]

    def to_python(self, value: Any) -> Venue:
        """Return the venue of a code that comes from elsewhere. KeyError for none."""
        return value if isinstance(value, Venue) else VENUES[value]

    def get_prep_value(self, value: Any) -> str:
        """Return the code to be stored or looked for."""
        return value.code if isinstance(value, Venue) else str(value)

    def value_to_string(self, obj: models.Model) -> str:
        """Return the code, for Django's own dumps."""
        return self.get_prep_value(self.value_from_object(obj))
