"""The written reason of a referee's act (F2): public, so without control characters and not too long."""

from players.clean_text import clean_line
from tournaments.core.errors import TournamentError

MAX_REASON_CHARACTERS = 500


def read_reason(text: str, *, required: bool = True) -> str:
    """Return a reason as it is kept. TournamentError: reason_missing (only if ``required``), reason_long."""
    reason = clean_line(text)
    if required and not reason:
        raise TournamentError("reason_missing")
    if len(reason) > MAX_REASON_CHARACTERS:
        raise TournamentError("reason_long", limit=MAX_REASON_CHARACTERS)
    return reason
