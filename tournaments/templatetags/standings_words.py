"""Wording of standings for templates: one filter a function, nothing more."""

from collections.abc import Sequence
from typing import Any

from django import template

from tournaments.core.order_wording import write_wins
from tournaments.core.rows import CrossRow, EntryRow, RankedEntry
from tournaments.standings import wording as standings_wording
from tournaments.standings.explained import ExplainedRow
from tournaments.standings.projections import Projection

register = template.Library()


register.filter("reason", standings_wording.describe_reason)
register.filter("winners", standings_wording.describe_winners)
register.filter("question", standings_wording.describe_question)
register.filter("outcome", standings_wording.describe_outcome)
register.filter("wins", write_wins)
register.filter("group_name", standings_wording.name_group)
register.filter("place_of", standings_wording.name_group_place)
register.filter("feeder", standings_wording.describe_feeder)


@register.filter
def ahead(row: ExplainedRow) -> str:
    """Return the reason that puts this entry ahead of the next one."""
    return (
        "" if row.following is None else standings_wording.describe_lead(row.row.separation, row.following.entry.name)
    )


@register.filter
def sure(projection: Projection | None, entry: EntryRow) -> list[str]:
    """Return the sentences about an entry that are certain while the round is being played."""
    if projection is None:
        return []
    claims = projection.claims.get(entry.entry_id, ())
    return standings_wording.describe_projections(claims, final=projection.final, passes=projection.passes)


@register.filter
def certain(projection: Projection | None, rows: Sequence[RankedEntry]) -> list[tuple[EntryRow, list[str]]]:
    """Return the entries of a table for which something is certain or within reach in this round, each in few words."""
    if projection is None:
        return []
    aims = [(row.entry, projection.claims.get(row.entry.entry_id, ())) for row in rows]
    return [
        (entry, standings_wording.summarize_projections(claims, final=projection.final, passes=projection.passes))
        for entry, claims in aims
        if claims
    ]


@register.filter
def feeds(sides: Any, index: int) -> Any:
    """Return the source of one side of a fixture, where it is known: a board, a place in a group."""
    return sides[index] if sides else None


@register.filter
def any_bye(cross: Sequence[CrossRow]) -> bool:
    """Say whether somebody in a cross table had a bye that is worth VP (D1)."""
    return any(row.bye is not None for row in cross)


@register.filter
def any_annulled(cross: Sequence[CrossRow]) -> bool:
    """Say whether a cross table shows a result that counts for nobody (R5)."""
    return any(cell.annulled for row in cross for cells in row.cells for cell in cells)
