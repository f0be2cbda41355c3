"""Drafts of imports (E3, O2): a list of entries that was read and isn't entered yet, kept as text for whoever mends it.

Each person has one a tournament, the latest; nobody else sees it. It goes when the list is entered or thrown away, and
with ``players.caps.LIST_DRAFT_KEPT``; of a list that was entered without some rows, those stay. What was found in it
stays with it, so that looking at it checks nothing (AT6). A list that comes back to be entered bears the mark of the
draft that it was read from: another draft, made in another window meanwhile, is left alone.
"""

import hashlib
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

from players.models import Player
from tournaments.lists.problems import Problem, list_bad_rows
from tournaments.lists.spreadsheet import Headings, Unreadable, blank_rows
from tournaments.models import EntryListDraft, Tournament

MOST_KEPT = 200  # problems
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class ListFindings:
    """Outcome of a check: how many problems, and the first of them; of a list of accounts how many of its other rows
    are entries, and how many invitations."""

    count: int = 0
    first: Sequence[Problem] = ()
    entries: int = 0
    invitations: int = 0


def keep_draft(*, tournament: Tournament, by: Player, text: str, now: datetime) -> EntryListDraft:
    """Keep a list as the draft of whoever reads it in, in place of an earlier one; return it."""
    values = {"text": text, "made_at": now, "problems": None}
    return EntryListDraft.objects.update_or_create(tournament=tournament, player=by, defaults=values)[0]


def find_draft(tournament: Tournament, by: Player) -> EntryListDraft | None:
    """Return the reader's draft, None if there is none."""
    return EntryListDraft.objects.filter(tournament=tournament, player=by).first()


def mark_draft(draft: EntryListDraft | None) -> str:
    """Return the mark of a draft's text, in hexadecimal digits; empty for no draft."""
    return "" if draft is None else hashlib.sha256(draft.text.encode()).hexdigest()[:32]


def settle_draft(
    draft: EntryListDraft | None, mark: str, *, entered: Collection[int], left: Headings | None, now: datetime
) -> None:
    """Leave in the draft of that mark what wasn't entered of it, each row in its place, as a list with the headings of
    ``left``; None: nothing was left, and it goes. Another draft stays as it is."""
    if draft is None or mark_draft(draft) != mark:
        return
    same = EntryListDraft.objects.filter(pk=draft.pk, text=draft.text)
    if left is None:
        same.delete()
        return
    with suppress(Unreadable):  # nothing was read from it
        same.update(text=blank_rows(draft.text, entered, left), made_at=now, problems=None)


def find_problems(draft: EntryListDraft | None, check: Callable[[], ListFindings], *, anew: bool) -> ListFindings:
    """Return what is wrong with a list: as it was found when it was last looked at, unless it is to be checked
    ``anew``; what a check finds is kept with its draft."""
    if draft is None:
        return check()
    if draft.problems is not None and not anew:
        first = [Problem(**problem) for problem in draft.problems["first"]]
        return ListFindings(**{**draft.problems, "first": first})
    findings = check()
    draft.problems = {**asdict(findings), "first": [asdict(problem) for problem in findings.first[:MOST_KEPT]]}
    EntryListDraft.objects.filter(pk=draft.pk, text=draft.text).update(problems=draft.problems)
    return findings


def list_good_rows(
    rows: Sequence[Row], findings: ListFindings, list_numbers: Callable[[Row], Collection[int]]
) -> list[Row]:
    """Return the rows that have no problem in any of their numbers; none where not all problems are known."""
    if not findings.count or findings.count > len(findings.first):
        return []
    bad = list_bad_rows(findings.first)
    return [row for row in rows if bad.isdisjoint(list_numbers(row))]
