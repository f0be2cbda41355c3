"""Drafts of imports (E3, O2): a list of entries that was read and isn't entered yet, kept as text for who mends it.

Each person has one a tournament, the latest; nobody else sees it. It goes when the list is entered or thrown away, and
with ``players.caps.LIST_DRAFT_KEPT``; of a list that was entered without some rows, those stay. What was found in it
stays with it, so that looking at it checks nothing (AT6).
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from players.models import Player
from tournaments.entries.list_problems import Problem
from tournaments.entries.spreadsheet import blank_rows
from tournaments.models import EntryListDraft, Tournament

MOST_KEPT = 200  # problems


def keep_draft(*, tournament: Tournament, by: Player, text: str, now: datetime) -> EntryListDraft:
    """Keep a list as the draft of who reads it in, in place of an earlier one; return it."""
    values = {"text": text, "made_at": now, "problems": None}
    return EntryListDraft.objects.update_or_create(tournament=tournament, player=by, defaults=values)[0]


def find_draft(tournament: Tournament, by: Player) -> EntryListDraft | None:
    """Return the reader's draft, None if there is none."""
    return EntryListDraft.objects.filter(tournament=tournament, player=by).first()


def settle_draft(
    *, tournament: Tournament, by: Player, entered: Collection[int], some_left: bool, now: datetime
) -> None:
    """Leave in the draft what wasn't entered of it, each row in its place; without any (``some_left``) it goes."""
    draft = find_draft(tournament, by)
    if draft is None or not some_left:
        drop_draft(tournament=tournament, by=by)
    else:
        keep_draft(tournament=tournament, by=by, text=blank_rows(draft.text, entered), now=now)


def drop_draft(*, tournament: Tournament, by: Player) -> None:
    """Throw the draft away; without one nothing changes."""
    EntryListDraft.objects.filter(tournament=tournament, player=by).delete()


def keep_problems(draft: EntryListDraft, problems: Sequence[Problem]) -> None:
    """Keep with a draft what was found in it: how many problems, and the first of them."""
    draft.problems = {"count": len(problems), "first": [asdict(problem) for problem in problems[:MOST_KEPT]]}
    EntryListDraft.objects.filter(pk=draft.pk, text=draft.text).update(problems=draft.problems)


def read_problems(draft: EntryListDraft) -> tuple[int, list[Problem]] | None:
    """Return how many problems were found in a draft, and the first of them; None where nobody has looked yet."""
    if draft.problems is None:
        return None
    return draft.problems["count"], [Problem(**problem) for problem in draft.problems["first"]]
