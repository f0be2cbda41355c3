"""Sentences about a format: its own texts in the reader's language, with the rulebook's values (V2, V3, D1).

No format is known here by name; one that isn't in the folder gets no text.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext as translate_marked  # texts that a format's file marks

from games.engine.game import Length
from scoring import best_of, vp
from tournaments.formats import FORMATS


def list_format_facts(code: str, options: Mapping[str, Any]) -> list[str]:
    """Return what was chosen of a format's options, a fact each."""
    fields = FORMATS[code].option_fields if code in FORMATS else {}
    return [
        translate_marked(field.fact) % {"value": options[name]} for name, field in fields.items() if options.get(name)
    ]


def describe_format(code: str, ruleset: str, length: Length, *, by_clock: bool = True, games: int = 1) -> str:
    """Return how one plays: the format's way, and what a match is worth by the rulebook (V2, V3, D1). ``by_clock``:
    whoever lets their time run out loses; at real tables nobody does (O1). ``games``: of a fixture (EV1)."""
    if code not in FORMATS:
        return ""
    format_ = FORMATS[code]
    bye = vp.compute_bye(ruleset, length) if games == 1 else best_of.compute_bye()
    worth = "" if bye is None else _("%(vp)d VP e %(mp)d MP") % {"vp": bye[1], "mp": bye[0]}
    parts = [translate_marked(format_.summary) % {"bye": worth}]
    if games > 1:
        won = best_of.count_needed(games)
        parts.append(_("Vince l'incontro chi vince %(n)d partite; le altre non si giocano.") % {"n": won})
    if format_.has_vp and games > 1:
        parts.append(_("Ogni incontro dà da 0 a 20 VP secondo le partite vinte e perse."))
    elif format_.has_vp and vp.find_column(ruleset, length) is None:
        parts.append(_("Ogni partita dà 20 VP a chi vince, 10 a testa se è patta, 0 a chi perde."))
    elif format_.has_vp:
        parts.append(_("Ogni partita dà da 0 a 20 VP secondo lo scarto."))
    if format_.has_vp:
        parts.append(
            _("Chi lascia scadere il tempo o abbandona prende 0 VP.") if by_clock else _("Un forfait vale 0 VP.")
        )
    elif not by_clock:
        parts.append(_("In parità si gioca lo spareggio, o decide l'ultima presa secondo il gioco."))
    else:
        parts.append(
            _(
                "In parità si gioca lo spareggio, o decide l'ultima presa secondo il gioco. Chi lascia scadere il "
                "tempo o abbandona perde la partita."
            )
        )
    return " ".join(parts)


def describe_leaving(code: str) -> str:
    """Return what becomes of the results and fixtures of whoever leaves."""
    return translate_marked(FORMATS[code].leaving_text) if code in FORMATS else ""


def describe_option(name: str, value: object) -> str:
    """Return an option of whichever format has it as a fact."""
    fields = (format_.option_fields.get(name) for format_ in FORMATS.values())
    return next((translate_marked(field.fact) % {"value": value} for field in fields if field is not None), name)


def describe_limit(code: str, *, times: int = 1) -> str:
    """Return how many may enter in a format (D5); ``times`` as many, where so many are joined at the draw (EV2)."""
    return translate_marked(FORMATS[code].limit_text) % {"limit": times * FORMATS[code].limit}


def describe_apart(before: int, after: int) -> str:
    """Return what the protection of clubs did at the draw (EV9)."""
    sentence = _(
        "Incontri fra chi è di uno stesso circolo, nel primo turno o nei gironi: %(before)d senza protezione, "
        "%(after)d con la protezione."
    ) % {"before": before, "after": after}
    no_fewer = _("Di meno, con i posti che restano fermi, non se ne sono trovati.")
    return f"{sentence} {no_fewer}" if after else sentence
