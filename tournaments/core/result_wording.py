"""A fixture's result in words, as a log entry keeps it. It decides nothing."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games import wording as games
from games.engine.scores import CUT_SHORT
from tournaments.core import wording
from tournaments.core.game_wording import describe_game_scores
from tournaments.core.log_details import LoggedResult
from tournaments.core.result import FixtureResult

Names = Sequence[str]  # of the two sides


def describe_result(logged: LoggedResult | None, names: Names) -> str:
    """Return a result as it stood: "11–7, vince Anna · VP 12–8"; empty where there was none."""
    if logged is None:
        return ""
    if logged.annulled:
        return _("annullata")
    if not logged.over:
        return _("in corso") if logged.playing else _("da giocare")
    if logged.result == FixtureResult():  # it is withheld (J12)
        return _("finita")
    return " · ".join(part for part in (_describe_end(logged.result, names), _describe_points(logged.result)) if part)


def _describe_end(result: FixtureResult, names: Names) -> str:
    score = "" if result.points is None else f"{result.points[0]}–{result.points[1]}"
    if result.games:
        score = f"{score} ({describe_game_scores(result.games)})"
    if result.double_forfeit:
        return _("doppio forfait")
    if result.forfeit_by is not None:
        return _("%(score)s, forfait di %(name)s") % {"score": score, "name": names[result.forfeit_by]}
    if result.winner is None:
        return _("%(score)s, pari") % {"score": score}
    if result.decided_by not in ("", "points"):
        code = result.decided_by
        how = wording.describe_decision(code) if code == CUT_SHORT else games.describe_decision(code)
        return _("%(score)s, vince %(name)s %(how)s") % {"score": score, "name": names[result.winner], "how": how}
    return _("%(score)s, vince %(name)s") % {"score": score, "name": names[result.winner]}


def _describe_points(result: FixtureResult) -> str:
    if result.vp is None:
        return ""
    text = f"VP {result.vp[0]}–{result.vp[1]}"
    mp = result.mp
    return text if mp is None else f"{text} · MP {games.write_signed(mp[0])}/{games.write_signed(mp[1])}"
