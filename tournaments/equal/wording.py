"""Words of the confronto (J10): percentages, and why a table has the one it has."""

from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.standings import round_share
from tournaments.core.order_wording import describe_hundredths


def describe_share(share: Fraction | None) -> str:
    """Return a percentage with two decimals, half up; empty for none."""
    return "" if share is None else describe_hundredths(round_share(share))


def describe_dealer(seat: int, people: int) -> str:
    """Return who deals at a real table, by the seat (J9) and the people of an entry, as pairings name them."""
    if people == 1:
        return _("chi è scritto per primo") if seat == 0 else _("chi è scritto per secondo")
    return {
        0: _("il primo della prima coppia"),
        1: _("il primo della seconda coppia"),
        2: _("il secondo della prima coppia"),
        3: _("il secondo della seconda coppia"),
    }[seat]


def describe_team_why(code: str) -> str:
    """Return what the sum of a match of teams comes from; empty where its deals say it (J11)."""
    return {
        "deals": "",
        "whole": _("Un tavolo non ha smazzate da confrontare: conta la differenza intera di ognuno dei due."),
        "annulled": _("Un tavolo è annullato: non c'è niente da confrontare."),
    }[code]


def describe_why(code: str) -> str:
    """Return why a table has its percentages; empty where its deals say it."""
    return {
        "deals": "",
        "even": _("nessuna smazzata da confrontare: metà ciascuno"),
        "forfeit": _("a tavolino: 0 a chi perde, all'altro la sua percentuale, almeno 70"),
        "ruled": _("decise dall'arbitro"),
        "annulled": _("annullata: nessuna percentuale"),
        "bye": _("riposo del turno"),
        "missed": _("non ha giocato questo turno"),
        "rest": "",
        "open": _("in corso"),
    }[code]
