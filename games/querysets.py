"""Matches asked for and written many at once."""

from typing import TYPE_CHECKING, Any

from django.db.models import F, QuerySet

if TYPE_CHECKING:
    from games.models import Match  # noqa: F401 (named in quotes)


class MatchQuerySet(QuerySet["Match"]):
    def update(self, **values: Any) -> int:
        """Write these columns, each row at a new revision."""
        return super().update(**{"revision": F("revision") + 1, **values})
