"""A forfeit told: where the points of its broken deal come from (T11, A3, S9, M7, C7), how V5 makes VP and MP of it.

It decides nothing: the points are the ruleset's, MP and VP ``vp``'s.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words
from games.engine.game import TallyRow
from games.engine.match import Progress
from games.engine.tricks import DEAL_POINTS, MOST_PENALTY
from scoring import sentences, vp

SECURED = ("settebello", "denari", "cards")  # what a line may have for sure before a deal's end (S9)


def given_away(rows: Sequence[TallyRow], lines: Sequence[str], offender: int) -> dict[str, str]:
    """For those rows of a broken deal's count that the rulebook gives or takes away: what, why and to whom."""
    return {row.code: text for row in rows if (text := _told(row, rows, lines, offender))}


def _told(row: TallyRow, rows: Sequence[TallyRow], lines: Sequence[str], offender: int) -> str:
    line = int(row.points[1] > row.points[0])
    if row.code == "unassigned":
        return _unassigned(lines[line], sum(row.values), sum(row.points), own=line == offender)
    if row.code == "unsecured":
        unsecured = [each.code for each in rows if each.code in SECURED and not any(each.points)] + ["primiera"]
        return _unsecured(lines[line], sum(row.points), unsecured)
    if row.code == "one_scopa":
        return _("In più, 1 punto a %(line)s come per una scopa.") % {"line": lines[line]}
    if row.code == "accuso" and not any(row.points):
        said = {"called": sentences.versus(row.values)}
        return _("L'accuso di una smazzata interrotta non si conta: era %(called)s.") % said
    return ""


def _unassigned(line: str, left: int, points: int, *, own: bool) -> str:
    """T11; ``own``: they go to the offender, since points hurt (A3)."""
    said = {"all": DEAL_POINTS, "left": left, "points": points, "most": MOST_PENALTY, "line": line}
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
    return text % said


def _unsecured(line: str, points: int, codes: Sequence[str]) -> str:
    """S9."""
    more = ngettext("%(n)d punto", "%(n)d punti", points) % {"n": points}
    what = sentences.listed(words.tally_row(code).lower() for code in codes)
    return _("Non ancora al sicuro: %(what)s. A %(line)s: %(points)s.") % {"what": what, "line": line, "points": more}


def worth(progress: Progress) -> list[str]:
    """How VP and MP come of a forfeit (V5); nothing where there was none, or no VP."""
    outcome, setup = progress.outcome, progress.setup
    if outcome is None or outcome.offender is None or setup.context == "ko":
        return []
    found = vp.worth(setup.ruleset, setup.length, outcome.winner, outcome.margin, outcome.offender)
    if found is None:
        return []
    column = vp.column(setup.ruleset, setup.length)
    if column is None:
        text = _("Chi perde così ha 0 VP e l'altra linea %(vp)d, qualunque sia lo scarto; gli MP sono lo scarto.")
        return [text % {"vp": vp.WIN}]
    said = {
        "margin": outcome.margin,
        "row": vp.EVEN + column.row(outcome.margin),
        "least": vp.LEAST_FOR_THE_OFFENDED,
        "vp": max(found.vp),
        "won": max(found.mp),
        "lost": min(found.mp),
    }
    text = _(
        "Chi perde così ha 0 VP; l'altra linea quelli della tabella per lo scarto %(margin)d, cioè %(row)d, "
        "ma almeno %(least)d: quindi %(vp)d."
    )
    if len(column.bounds) > vp.EVEN:
        mp = _("Gli MP sono quelli da cui comincia la riga: %(won)d per %(vp)d VP, %(lost)d per 0 VP.")
    else:
        mp = _(
            "Gli MP sono quelli da cui comincia la riga: %(won)d per %(vp)d VP; "
            "per 0 VP la tabella non ha una riga, e vale l'ultima: %(lost)d."
        )
    return [text % said, mp % said]
