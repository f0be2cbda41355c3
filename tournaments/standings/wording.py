"""Sentences about standings: reasons of ranks (R3), claims of projections, outcomes of fixtures."""

from collections.abc import Iterable, Sequence

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.projections import Claim
from scoring.standings import TieBreakReason
from scoring.tiebreaks import CRITERIA, DIRECT, Number
from tournaments.core import wording
from tournaments.core.order_wording import describe_separation, name_question, write_values
from tournaments.core.rows import RankedEntry
from tournaments.standings.bracket_view import Feeder
from tournaments.standings.explained import TieBreakQuestion


def describe_reason(reason: TieBreakReason | None) -> str:
    """Return the reason that separates two entries, as a note beside a rank; empty for the last one."""
    if reason is None:
        return ""
    values: dict[str, object] = {"own": reason.own, "next": reason.next}
    if reason.code in ("vp_average", "mp_average") and reason.own is not None and reason.next is not None:
        values = {"own": _format_hundredths(reason.own), "next": _format_hundredths(reason.next)}
    texts = {
        "round": _("è arrivato più avanti nel tabellone"),
        "qualified": _("ha passato il girone"),
        "left": _("chi segue ha lasciato il torneo"),
        "group_place": _("posto nel gruppo: %(own)s contro %(next)s"),
        "vp_average": _("VP a partita: %(own)s contro %(next)s"),
        "mp_average": _("MP a partita: %(own)s contro %(next)s"),
    }
    if reason.code in texts:
        return texts[reason.code] % values
    again = reason.among if reason.repeats else None
    return describe_separation(reason.code, reason.own, reason.next, again, by_wins=reason.by_wins)


def _format_hundredths(value: Number) -> str:
    return number_format(float(value) / 100, 2).replace("-", "−")


def describe_lead(reason: TieBreakReason | None, name: str) -> str:
    """Return the reason that puts an entry ahead of the one called ``name``, with both values."""
    if reason is None:
        return ""
    if reason.code == "equal":
        return _("Ex aequo con %(name)s: tutto in parità.") % {"name": name}
    if reason.code not in CRITERIA or reason.own is None or reason.next is None:
        return _("Davanti a %(name)s: %(why)s.") % {"name": name, "why": describe_reason(reason)}
    own, other = write_values(reason.code, reason.own, reason.next)
    values = {"name": name, "n": reason.among, "own": own, "next": other}
    return _choose_lead(reason) % values


def _choose_lead(reason: TieBreakReason) -> str:
    if reason.code == DIRECT and reason.by_wins:
        if reason.repeats:
            return _(
                "Davanti a %(name)s per le vittorie negli scontri diretti fra i %(n)s ancora pari: %(own)s contro "
                "%(next)s."
            )
        return _("Davanti a %(name)s per le vittorie negli scontri diretti: %(own)s contro %(next)s.")
    if reason.repeats:
        return _("Davanti a %(name)s per i VP negli scontri diretti fra i %(n)s ancora pari: %(own)s contro %(next)s.")
    return {
        "vp": _("Davanti a %(name)s per i VP: %(own)s contro %(next)s."),
        "wins": _("Davanti a %(name)s per le partite vinte: %(own)s contro %(next)s."),
        "percentage": _("Davanti a %(name)s per la percentuale media: %(own)s contro %(next)s."),
        "direct": _("Davanti a %(name)s per i VP negli scontri diretti: %(own)s contro %(next)s."),
        "mp": _("Davanti a %(name)s per la differenza MP: %(own)s contro %(next)s."),
        "won": _("Davanti a %(name)s per le partite vinte: %(own)s contro %(next)s."),
        "points": _("Davanti a %(name)s per i punti fatti: %(own)s contro %(next)s."),
        "difference": _("Davanti a %(name)s per i punti fatti meno quelli subiti: %(own)s contro %(next)s."),
        "buchholz_cut": _("Davanti a %(name)s per il Buchholz senza il più basso: %(own)s contro %(next)s."),
        "buchholz": _("Davanti a %(name)s per il Buchholz: %(own)s contro %(next)s."),
        "sonneborn": _("Davanti a %(name)s per il Sonneborn-Berger: %(own)s contro %(next)s."),
        "forfeits": _("Davanti a %(name)s per le partite perse a tavolino: %(own)s contro %(next)s."),
        "lot": _("Davanti a %(name)s per il sorteggio: numero %(own)s contro numero %(next)s."),
    }[reason.code]


def describe_question(question: TieBreakQuestion) -> str:
    """Return what was asked of a group of level entries, and what it said of this one and the next (R3)."""
    what = name_question(question.code, by_wins=question.by_wins)
    if question.entries:
        known = {"what": what, "names": ", ".join(entry.name for entry in question.entries)}
        asked = _("%(what)s fra %(names)s") % known
    else:
        asked = _("%(what)s fra %(n)s iscritti") % {"what": what, "n": question.among}
    if question.own is None or question.next is None:
        answer = _("non si sono incontrati tutti") if question.code == DIRECT else _("non c'è")
    else:
        own, other = write_values(question.code, question.own, question.next)
        numbers = {"own": own, "next": other}
        same = question.own == question.next
        answer = _("pari, %(own)s") % numbers if same else _("%(own)s contro %(next)s") % numbers
    return f"{asked}: {answer}"


def name_group(group: int | None) -> str:
    """Return a group's name: A, B ... by its number from 1 (Q1)."""
    return "" if group is None else chr(ord("A") + group - 1) if group <= 26 else str(group)


def name_group_place(place: tuple[int, int]) -> str:
    """Return the words for a place of a group that leads to the bracket (Q2)."""
    return _("%(place)s del gruppo %(group)s") % {
        "place": wording.write_ordinal(place[1]),
        "group": name_group(place[0]),
    }


def describe_feeder(feeder: Feeder) -> str:
    """Return the words for an entry that comes from a fixture of another part of the bracket (EV4)."""
    if feeder.round is None:
        return _("un ripescato") if feeder.lucky else pgettext("un posto del tabellone", "nessuno")
    values = {"board": feeder.board, "round": wording.name_round(feeder.round.name, feeder.round.number)}
    if len(feeder.round.fixtures) == 1:
        return (_("chi vince: %(round)s") if feeder.wins else _("chi perde: %(round)s")) % values
    return (
        _("chi vince: %(round)s, n. %(board)d") if feeder.wins else _("chi perde: %(round)s, n. %(board)d")
    ) % values


def describe_outcome(code: str) -> str:
    """Return the words for an outcome of ``tournaments.standings.explained.PlayedFixture``."""
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
        "over": _("finita"),
        "to_play": _("da giocare"),
    }[code]


def describe_projections(claims: Iterable[Claim], *, final: bool, passes: int | None) -> list[str]:
    """Return an entry's claims as sentences. ``final``: no round follows; ``passes``: so many of the table go on."""
    return [_describe_claim(claim, final, passes) for claim in claims]


def summarize_projections(claims: Iterable[Claim], *, final: bool, passes: int | None) -> list[str]:
    """Return an entry's claims in few words, to stand under a heading that names the round's end."""
    return [_summarize_claim(claim, _name_aim(claim, final, passes)) for claim in claims]


def _name_aim(claim: Claim, final: bool, passes: int | None) -> str:
    if passes is not None and final and claim.place == passes and claim.place > 1:
        return _("passa il turno")
    if claim.place == 1:
        return _("1º posto")
    return _("fra i primi %(place)d") % {"place": claim.place}


def _summarize_claim(claim: Claim, aim: str) -> str:
    values = {"what": aim, "least": claim.least, "against": claim.against}
    if claim.least == 0:
        return _("%(what)s, comunque finisca") % values
    if claim.against is None:
        return _("%(what)s con almeno %(least)d VP") % values
    return _("%(what)s con almeno %(least)d–%(against)d") % values


def _describe_claim(claim: Claim, final: bool, passes: int | None) -> str:
    values = {"what": _name_aim(claim, final, passes), "least": claim.least, "against": claim.against}
    if claim.least == 0 and final:
        return _("Già sicuro: %(what)s, comunque finiscano i tavoli aperti") % values
    if claim.least == 0:
        return _("Dopo questo turno, comunque finisca: %(what)s") % values
    if final and claim.against is None:
        return _("Sicuro con almeno %(least)d VP: %(what)s") % values
    if final:
        return _("Sicuro con almeno %(least)d–%(against)d: %(what)s") % values
    if claim.against is None:
        return _("Dopo questo turno, con almeno %(least)d VP: %(what)s") % values
    return _("Dopo questo turno, con almeno %(least)d–%(against)d: %(what)s") % values


def describe_winners(rows: Sequence[RankedEntry]) -> str:
    """Say who came first among people (E8), all of those who share the place; nobody may have (K5)."""
    people = [row for row in rows if not row.out_of_competition]
    first = [row for row in people if row.place == 1] or [row for row in people if row.rank == 1]
    names = ", ".join(row.entry.name for row in first)
    if not first:
        return _("Torneo concluso.")
    if len(first) > 1:
        return _("Primi ex aequo: %(names)s") % {"names": names}
    if first[0].rank == 1:
        return _("Ha vinto %(name)s") % {"name": names}
    return _("Al primo posto: %(name)s") % {"name": names}
