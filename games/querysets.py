"""Matches asked for and written many at once."""

from typing import TYPE_CHECKING, Any, Self

from django.db.models import F

from games.withheld import WithheldQuerySet, require_shown

if TYPE_CHECKING:
    from games.models import Deal, Match, Move  # noqa: F401 (named in quotes)


class MatchQuerySet(WithheldQuerySet["Match"]):
    def update(self, **values: Any) -> int:
        """Write these columns, each row at a new revision."""
        return super().update(**{"revision": F("revision") + 1, **values})

    def in_the_open(self) -> Self:
        """Matches of which everybody may know everything, once they are over (J12)."""
        return self.filter(require_shown())


class DealQuerySet(WithheldQuerySet["Deal"]):
    pass


class MoveQuerySet(WithheldQuerySet["Move"]):
    pass
