"""MP and VP of a finished match, read from its row. It writes nothing."""

from typing import cast

from games.engine.game import Length, LengthKind
from games.models import Match
from scoring import vp


def compute_match_points(match: Match) -> vp.MatchPoints | None:
    """Return the MP and VP of a finished match (V1-V5, R4).

    None in a KO, for a match that a referee stopped, and where its length has no column.
    """
    if match.context == "ko" or match.stopped_at is not None:
        return None
    length = Length(cast(LengthKind, match.length_kind), match.length_value)
    if match.both_forfeited:
        return vp.compute_double_forfeit(match.ruleset, length)
    return vp.compute_points(match.ruleset, length, match.winner, match.margin or 0, match.offender)
