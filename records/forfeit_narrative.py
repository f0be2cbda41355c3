"""A forfeit in words: the source of the points of its broken deal (T11, A3, S9, M7, C7, BR4), its VP and MP by V5.

It decides nothing: the points are the ruleset's, MP and VP those of ``scoring.vp``.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording as game_wording
from games.engine.game import TallyRow
from games.engine.match import Progress
from games.engine.tricks import DEAL_POINTS, MOST_PENALTY
from records import wording
from scoring import vp

SECURABLE = ("settebello", "denari", "cards")  # a line may have these for sure before a deal's end (S9)


def explain_rows(rows: Sequence[TallyRow], lines: Sequence[str], offender: int) -> dict[str, str]:
    """Explain the rows of a broken deal's count that the rulebook gives or takes away, by their code."""
    return {row.code: text for row in rows if (text := _explain_row(row, rows, lines, offender))}


def _explain_row(row: TallyRow, rows: Sequence[TallyRow], lines: Sequence[str], offender: int) -> str:
    line = int(row.points[1] > row.points[0])
    if row.code == "unassigned":
        return _explain_unassigned(lines[line], sum(row.values), sum(row.points), own=line == offender)
    if row.code == "unsecured":
        unsecured = [other.code for other in rows if other.code in SECURABLE and not any(other.points)] + ["primiera"]
        return _explain_unsecured(lines[line], sum(row.points), unsecured)
    if row.code == "deal_forfeited":
        return _("La smazzata è di %(line)s, qualunque cosa si fosse già presa.") % {"line": lines[line]}
    if row.code == "one_scopa":
        return _("In più, 1 punto a %(line)s come per una scopa.") % {"line": lines[line]}
    if row.code == "accuso" and not any(row.points):
        values = {"called": wording.write_score(row.values)}
        return _("L'accuso di una smazzata interrotta non si conta: era %(called)s.") % values
    return ""


def _explain_unassigned(line: str, left: int, points: int, *, own: bool) -> str:
    """Explain the points not assigned yet (T11). ``own``: the offender gets them, since points hurt (A3)."""
    values = {"all": DEAL_POINTS, "left": left, "points": points, "most": MOST_PENALTY, "line": line}
    if own:
        text = _(
            "Degli %(all)d punti della smazzata, non ancora assegnati: %(left)d. A %(line)s, che ha interrotto la "
            "partita, ne vanno %(points)d (al massimo %(most)d), perché qui i punti sono un danno."
        )
    else:
        text = _(
            "Degli %(all)d punti della smazzata, non ancora assegnati: %(left)d. "
            "A %(line)s ne vanno %(points)d (al massimo %(most)d)."
        )
    return text % values


def _explain_unsecured(line: str, points: int, codes: Sequence[str]) -> str:
    """Explain the points of Scopa that nobody was sure of (S9)."""
    more = ngettext("%(n)d punto", "%(n)d punti", points) % {"n": points}
    what = wording.join_list(game_wording.name_tally_row(code).lower() for code in codes)
    return _("Non ancora al sicuro: %(what)s. A %(line)s: %(points)s.") % {"what": what, "line": line, "points": more}


def explain_points(progress: Progress) -> list[str]:
    """Explain the VP and MP of a forfeit (V5); nothing where there was none, or no VP."""
    outcome, setup = progress.outcome, progress.setup
    if outcome is None or outcome.offender is None or setup.context == "ko":
        return []
    points = vp.compute_points(setup.ruleset, setup.length, outcome.winner, outcome.margin, outcome.offender)
    if points is None:
        return []
    column = vp.find_column(setup.ruleset, setup.length)
    if column is None:
        text = _("Chi perde così ha 0 VP e chi vince %(vp)d, qualunque sia lo scarto; gli MP sono lo scarto.")
        return [text % {"vp": vp.WIN}]
    values = {
        "margin": outcome.margin,
        "row": vp.EVEN + column.row(outcome.margin),
        "least": vp.LEAST_FOR_THE_OFFENDED,
        "vp": max(points.vp),
        "won": game_wording.write_signed(max(points.mp)),
        "lost": game_wording.write_signed(min(points.mp)),
    }
    text = _(
        "Chi perde così ha 0 VP; chi vince quelli della tabella per lo scarto %(margin)d, cioè %(row)d, "
        "ma almeno %(least)d: quindi %(vp)d."
    )
    if len(column.bounds) > vp.EVEN:
        mp = _("Gli MP sono quelli da cui comincia la riga: %(won)s per %(vp)d VP, %(lost)s per 0 VP.")
    else:
        mp = _(
            "Gli MP sono quelli da cui comincia la riga: %(won)s per %(vp)d VP; "
            "per 0 VP la tabella non ha una riga, e vale l'ultima: %(lost)s."
        )
    return [text % values, mp % values]
