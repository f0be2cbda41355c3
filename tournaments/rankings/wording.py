"""Words of the rankings and of the archive."""

from django.utils.translation import gettext as _

from tournaments.core.wording import name_ruleset
from tournaments.models import Ranking

Kind = Ranking.Kind


def name_kind(kind: str, year: int = 0) -> str:
    """Return what a ranking goes by, in words."""
    if kind == Kind.YEAR:
        return _("Punti del %(year)d") % {"year": year}
    return {Kind.EVER: _("Punti di sempre"), Kind.LEVEL: _("Livelli")}[Kind(kind)]


def name_short_kind(kind: str, year: int = 0) -> str:
    """Return what a ranking goes by, as a button says it beside its neighbour."""
    if kind == Kind.LEVEL:
        return _("Livello")
    return _("Punti %(year)d") % {"year": year} if kind == Kind.YEAR else _("Punti di sempre")


def name_game(ruleset: str, form: str) -> str:
    """Return a game and a form of play, in words."""
    return f"{name_ruleset(ruleset)}, {Ranking.Form(form).label}"
