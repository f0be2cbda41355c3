"""Drafts of imports (E3, O2): a list of entries that was read and isn't entered yet, kept as text for who mends it.

Each person has one a tournament, the latest; nobody else sees it. It goes when the list is entered or thrown away, and
with ``players.caps.LIST_DRAFT_KEPT``; of a list that was entered without some rows, those stay.
"""

from collections.abc import Collection
from datetime import datetime

from players.models import Player
from tournaments.entries.spreadsheet import blank_rows
from tournaments.models import EntryListDraft, Tournament


def keep_draft(*, tournament: Tournament, by: Player, text: str, now: datetime) -> EntryListDraft:
    """Keep a list as the draft of who reads it in, in place of an earlier one; return it."""
    values = {"text": text, "made_at": now}
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
