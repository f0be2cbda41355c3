"""Sentences about standings: why a line is ahead of the next one (R3), what it still needs, how a fixture went."""

from collections.abc import Iterable, Sequence

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scoring.projections import Claim
from scoring.standings import TieBreakReason
from tournaments.core import wording
from tournaments.core.rows import StandingRow


def describe_reason(found: TieBreakReason | None) -> str:
    """What separated two lines, as a note beside a rank; empty for the last line."""
    if found is None:
        return ""
    said: dict[str, object] = {"own": found.own, "next": found.next}
    if found.code in ("vp_average", "mp_average") and found.own is not None and found.next is not None:
        said = {"own": _hundredths(found.own), "next": _hundredths(found.next)}
    texts = {
        "round": _("è arrivato più avanti nel tabellone"),
        "qualified": _("ha passato il girone"),
        "left": _("chi segue ha lasciato il torneo"),
        "group_place": _("posto nel gruppo: %(own)s contro %(next)s"),
        "vp_average": _("VP a partita: %(own)s contro %(next)s"),
        "mp_average": _("MP a partita: %(own)s contro %(next)s"),
    }
    return (
        texts[found.code] % said
        if found.code in texts
        else wording.describe_separation(found.code, found.own, found.next)
    )


def _hundredths(value: int) -> str:
    return number_format(value / 100, 2).replace("-", "−")


def describe_lead(found: TieBreakReason | None, name: str) -> str:
    """Why a line is ahead of the one called ``name``, with both values."""
    if found is None:
        return ""
    said = {"name": name, "own": _signed(found.code, found.own), "next": _signed(found.code, found.next)}
    if found.code == "equal":
        return _("Ex aequo con %(name)s: tutto in parità.") % said
    known = found.own is not None and found.next is not None
    if known and found.code == "vp":
        return _("Davanti a %(name)s per i VP: %(own)s contro %(next)s.") % said
    if known and found.code == "direct":
        return _("Davanti a %(name)s per i VP negli scontri diretti: %(own)s contro %(next)s.") % said
    if known and found.code == "mp":
        return _("Davanti a %(name)s per la differenza MP: %(own)s contro %(next)s.") % said
    if known and found.code == "won":
        return _("Davanti a %(name)s per le partite vinte: %(own)s contro %(next)s.") % said
    if known and found.code == "lot":
        return _("Davanti a %(name)s per il sorteggio: numero %(own)s contro numero %(next)s.") % said
    return _("Davanti a %(name)s: %(why)s.") % {"name": name, "why": describe_reason(found)}


def _signed(code: str, value: int | None) -> str:
    if value is None:
        return ""
    return f"{value:+d}".replace("-", "−") if code == "mp" and value else str(value)


def name_group(group: int | None) -> str:
    """What a group is called: A, B ... by its number from 1 (Q1)."""
    return "" if group is None else chr(ord("A") + group - 1) if group <= 26 else str(group)


def name_group_place(place: tuple[int, int]) -> str:
    """Who comes to a bracket from a group, by group and place (Q2)."""
    return _("%(place)s del gruppo %(group)s") % {
        "place": wording.write_ordinal(place[1]),
        "group": name_group(place[0]),
    }


def describe_outcome(code: str) -> str:
    """How a fixture went, from one line's side (``tournaments.standings.explained.Played``)."""
    return {
        "won": _("vinta"),
        "lost": _("persa"),
        "drawn": _("patta"),
        "forfeited": _("persa a tavolino"),
        "given": _("vinta a tavolino"),
        "nobody": _("persa a tavolino da entrambi"),
        "annulled": _("annullata: non conta per nessuno"),
        "bye": _("passa il turno"),
        "rest": _("riposo"),
        "void": _("non si gioca"),
        "live": _("in corso"),
        "to_play": _("da giocare"),
    }[code]


def describe_projections(claims: Iterable[Claim], *, final: bool, passes: int | None) -> list[str]:
    """What is certain about a line when the round is over. ``final``: nothing is played after it; ``passes``: so many
    lines of the table go on."""
    return [_projection(claim, final, passes) for claim in claims]


def _projection(claim: Claim, final: bool, passes: int | None) -> str:
    if passes is not None and final and claim.place == passes and claim.place > 1:
        what = _("passa il turno")
    elif claim.place == 1:
        what = _("1º posto")
    else:
        what = _("fra i primi %(place)d") % {"place": claim.place}
    said = {"what": what, "least": claim.least, "against": claim.against}
    if claim.least == 0 and final:
        return _("Già sicuro: %(what)s, comunque finiscano i tavoli aperti") % said
    if claim.least == 0:
        return _("Dopo questo turno, comunque finisca: %(what)s") % said
    if final and claim.against is None:
        return _("Sicuro con almeno %(least)d VP: %(what)s") % said
    if final:
        return _("Sicuro con almeno %(least)d–%(against)d: %(what)s") % said
    if claim.against is None:
        return _("Dopo questo turno, con almeno %(least)d VP: %(what)s") % said
    return _("Dopo questo turno, con almeno %(least)d–%(against)d: %(what)s") % said


def describe_winners(rows: Sequence[StandingRow]) -> str:
    """Say who came first among people (E8), all of those who share the place; nobody may have (K5)."""
    people = [row for row in rows if not row.out_of_competition]
    first = [row for row in people if row.place == 1] or [row for row in people if row.rank == 1]
    names = ", ".join(row.line.name for row in first)
    if not first:
        return _("Torneo concluso.")
    if len(first) > 1:
        return _("Primi ex aequo: %(names)s") % {"names": names}
    if first[0].rank == 1:
        return _("Ha vinto %(name)s") % {"name": names}
    return _("Al primo posto: %(name)s") % {"name": names}
