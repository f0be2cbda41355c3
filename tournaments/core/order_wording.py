"""Words of what orders the standings (R2, R3, EV10): criteria, presets, chosen orders, and reasons of ranks."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.wording import write_signed
from scoring.play_offs import PLAY_OFF
from scoring.tiebreaks import (
    DIRECT,
    EARLIER,
    LOT,
    OF_ROUNDS,
    PRESETS,
    SHARE,
    VP,
    WINS,
    Number,
    read_order,
)
from tournaments.core.wording import write_ordinal

SIGNED = frozenset({"mp", "difference"})
MOST_DIGITS = 6  # behind the comma, of values that read alike with fewer


_PRESET_NAMES = {
    "standard": gettext_lazy("Standard: scontri diretti, differenza MP, partite vinte"),
    "svizzero": gettext_lazy("Svizzero: scontri diretti, Buchholz, differenza MP, partite vinte"),
    "rete": gettext_lazy("Rete: solo differenza MP"),
    "club": gettext_lazy("Club: scontri diretti, differenza MP, sorteggio"),
    "percentuale": gettext_lazy("Percentuale media dei confronti, con le carte uguali"),
}


def name_tie_break(code: str) -> str:
    """Return a preset of tie-breaks (R2) as its choice in a form."""
    return str(_PRESET_NAMES[code])


_CRITERION_NAMES = {
    VP: gettext_lazy("VP"),
    WINS: gettext_lazy("partite vinte (la patta vale mezza)"),
    SHARE: gettext_lazy("percentuale media, con le carte uguali"),
    DIRECT: gettext_lazy("scontri diretti (se si sono incontrati tutti)"),
    "mp": gettext_lazy("differenza MP"),
    "won": gettext_lazy("partite vinte"),
    "points": gettext_lazy("punti fatti"),
    "difference": gettext_lazy("punti fatti meno punti subiti"),
    "buchholz_cut": gettext_lazy("Buchholz senza il più basso"),
    "buchholz": gettext_lazy("Buchholz"),
    "sonneborn": gettext_lazy("Sonneborn-Berger"),
    "forfeits": gettext_lazy("meno partite perse a tavolino"),
    LOT: gettext_lazy("sorteggio"),
}


def name_criterion(code: str) -> str:
    """Return a criterion as the choice of an order, and in the list of one."""
    return str(_CRITERION_NAMES[code])


def describe_tie_break(code: str) -> str:
    """Return an order of tie-breaks (R2) as a rule, in full."""
    written: dict[str, Callable[[], str]] = {
        "standard": lambda: _(
            "Conta il totale dei VP; a parità: VP negli scontri diretti (se si sono incontrati tutti), differenza MP, "
            "partite vinte. Quando MP o vittorie dividono chi è pari, gli scontri diretti si guardano di nuovo in ogni "
            "gruppo più piccolo. Chi resta pari divide il posto."
        ),
        "standard-1": lambda: _(
            "Conta il totale dei VP; a parità: VP negli scontri diretti (se si sono incontrati tutti), differenza MP, "
            "partite vinte. Gli scontri diretti si guardano una volta sola. Chi resta pari divide il posto."
        ),
        "rete": lambda: _("Conta il totale dei VP; a parità la differenza MP. Chi resta pari divide il posto."),
        "club": lambda: _(
            "Conta il totale dei VP; a parità: VP negli scontri diretti (se si sono incontrati tutti), differenza MP, "
            "e di nuovo gli scontri diretti in ogni gruppo più piccolo; poi il sorteggio fatto all'inizio: chi è "
            "estratto prima ha il numero più alto, e passa avanti."
        ),
        "club-1": lambda: _(
            "Conta il totale dei VP; a parità: VP negli scontri diretti (se si sono incontrati tutti, una volta sola), "
            "differenza MP; poi il sorteggio fatto all'inizio: chi è estratto prima ha il numero più alto, e passa "
            "avanti."
        ),
        "percentuale": lambda: _(
            "Conta la percentuale media dei confronti, turno per turno; a parità il totale dei VP. Chi resta pari "
            "divide il posto."
        ),
    }
    return written[code]() if code in written else _describe_criteria(read_order(code).criteria)


def _describe_criteria(criteria: Sequence[str]) -> str:
    """Return the sentences of an order: what counts, what after it, and what its words mean."""
    first = {
        VP: _("Conta il totale dei VP"),
        WINS: _(
            "Contano le partite vinte: la patta vale mezza, il riposo una, un riposo chiesto o un turno perso mezza"
        ),
        SHARE: _("Conta la percentuale media dei confronti, turno per turno"),
    }[criteria[0]]
    then = ", ".join(map(name_criterion, criteria[1:]))
    sentences = [_("%(first)s; a parità: %(then)s.") % {"first": first, "then": then} if then else f"{first}."]
    return " ".join((*sentences, *_explain(criteria)))


def _explain(criteria: Sequence[str]) -> list[str]:
    """Return what the criteria of an order mean, where their names don't say it, and what becomes of those level."""
    by_wins, used = criteria[0] == WINS, set(criteria)
    sentences: list[str] = []
    if DIRECT in criteria[:-1]:
        sentences.append(
            _(
                "Quando un criterio divide chi è pari, gli scontri diretti, se vengono prima, si guardano di nuovo in "
                "ogni gruppo più piccolo."
            )
        )
    if used & OF_ROUNDS:
        sentences.append(
            _(
                "Il Buchholz somma, turno per turno, le vittorie di chi si è incontrato; per un turno non giocato "
                "contano le proprie, e a un avversario ogni turno che non ha giocato vale mezza."
            )
            if by_wins
            else _(
                "Il Buchholz somma, turno per turno, i VP di chi si è incontrato; per un turno non giocato contano i "
                "propri, e a un avversario ogni turno che non ha giocato vale 10."
            )
        )
    if "sonneborn" in used:
        sentences.append(
            _("Il Sonneborn-Berger somma le vittorie di ogni avversario battuto, e metà di quelle di chi ha pattato.")
            if by_wins
            else _(
                "Il Sonneborn-Berger somma i VP di ogni avversario, per la parte dei VP dell'incontro che si è presa."
            )
        )
    if used & {"points", "difference"}:
        sentences.append(_("Dove vince chi fa meno punti, è meglio averne meno."))
    sentences.append(
        _("Il sorteggio è quello fatto all'inizio: chi è estratto prima ha il numero più alto, e passa avanti.")
        if LOT in used
        else _("Chi resta pari divide il posto.")
    )
    return sentences


def name_question(code: str, *, by_wins: bool = False) -> str:
    """Return a criterion as what was asked, at the beginning of a sentence (R3)."""
    return {
        VP: _("VP"),
        WINS: _("Partite vinte"),
        SHARE: _("Percentuale media"),
        DIRECT: _("Vittorie negli scontri diretti") if by_wins else _("Scontri diretti"),
        "mp": _("Differenza MP"),
        "won": _("Partite vinte"),
        "points": _("Punti fatti"),
        "difference": _("Punti fatti meno subiti"),
        "buchholz_cut": _("Buchholz senza il più basso"),
        "buchholz": _("Buchholz"),
        "sonneborn": _("Sonneborn-Berger"),
        "forfeits": _("Partite perse a tavolino"),
        LOT: _("Sorteggio"),
        PLAY_OFF: _("Spareggio per il posto"),
    }[code]


def name_reason(code: str, *, by_wins: bool = False, again: int | None = None) -> str:
    """Return what put an entry before the next one (R3). ``again``: it was asked once more, of so many still level."""
    if code == DIRECT and again is not None:
        values = {"n": again}
        if by_wins:
            return _("vittorie negli scontri diretti fra i %(n)s ancora pari") % values
        return _("VP negli scontri diretti fra i %(n)s ancora pari") % values
    return {
        VP: _("VP"),
        WINS: _("partite vinte"),
        SHARE: _("percentuale media"),
        DIRECT: _("vittorie negli scontri diretti") if by_wins else _("VP negli scontri diretti"),
        "mp": _("differenza MP"),
        "won": _("partite vinte"),
        "points": _("punti fatti"),
        "difference": _("punti fatti meno subiti"),
        "buchholz_cut": _("Buchholz senza il più basso"),
        "buchholz": _("Buchholz"),
        "sonneborn": _("Sonneborn-Berger"),
        "forfeits": _("partite perse a tavolino"),
        LOT: _("sorteggio"),
        PLAY_OFF: _("spareggio per il posto"),
    }.get(code, code)


def describe_separation(
    code: str, own: Number | None, other: Number | None, again: int | None = None, *, by_wins: bool = False
) -> str:
    """Return the reason that puts an entry before the next one (R2, R3), with both values."""
    if code == "equal":
        return _("ex aequo: tutto in parità")
    name = name_reason(code, by_wins=by_wins, again=again)
    if own is None or other is None:
        return name
    numbers = write_values(code, own, other)
    return _("%(name)s: %(own)s contro %(other)s") % {"name": name, "own": numbers[0], "other": numbers[1]}


def write_values(code: str, own: Number, other: Number) -> tuple[str, str]:
    """Return two values of a criterion as people read them, told apart: fractions with as few digits as that takes."""
    for digits in range(2, MOST_DIGITS + 1):
        numbers = (_write_value(code, own, digits), _write_value(code, other, digits))
        if own == other or numbers[0] != numbers[1]:
            return numbers
    return str(own), str(other)


def write_wins(wins: Number | None) -> str:
    """Return matches won, draws and byes included (EV10); empty where they aren't counted so."""
    return "" if wins is None else _write_value(WINS, wins, 2)


def _write_value(code: str, value: Number, digits: int) -> str:
    if code == SHARE:
        return describe_hundredths(int(value))
    if code == PLAY_OFF:
        return write_ordinal(int(value))
    if not isinstance(value, Fraction):
        return write_signed(value) if code in SIGNED else str(value)
    if value.denominator == 2:
        return f"{value.numerator // 2 or ''}½"
    return number_format(Decimal(f"{float(value):.{digits}f}"), digits)  # rounded: number_format cuts off


def describe_hundredths(hundredths: int) -> str:
    """Return hundredths of one per cent as a percentage."""
    return _("%(share)s %%") % {"share": number_format(hundredths / 100, 2)}


def list_presets() -> list[tuple[str, str]]:
    """Return the presets as a form offers them."""
    return [(code, name_tie_break(code)) for code in PRESETS]


def is_preset(code: str) -> bool:
    """Tell if an order is one of the presets, of today or before."""
    return code in PRESETS or code in EARLIER
