"""Faults of a tournament's file in words: where, what, and how to mend it."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.refusals import describe_refusal
from tournaments.lists.wording import describe_problem
from tournaments.transfer.faults import FileFault

MOST_TOLD = 50  # faults that a page or a command tells one by one


def describe_fault(fault: FileFault) -> str:
    """Return the sentence of a fault, without its place."""
    values = fault.values
    if fault.code == "refused":
        return describe_refusal(values["code"], values["values"])
    if fault.code == "bad_name":
        why = describe_problem(f"name_{values['code']}", values["value"], 0)
        mend = _("Correggilo sul sito da cui viene il file, poi scarica di nuovo il file.")
        return f"{why} {mend}"
    if fault.code == "wrong_kind":
        return _("Qui ci vuole %(kind)s.") % {"kind": _name_kind(values["wanted"])}
    if fault.code == "no_choice":
        return _("«%(value)s» non c'è. Si può: %(choices)s.") % {
            "value": values["value"], "choices": ", ".join(values["choices"]),
        }  # fmt: skip
    return {
        "too_big": _("Il file è troppo grande: al massimo %(limit)s MB."),
        "no_json": _(
            "Questo non è il file di un torneo: scegli quello scaricato da «Porta su un altro computer», così com'è."
        ),
        "no_tournament": _(
            "Questo non è il file di un torneo: scegli quello scaricato da «Porta su un altro computer», così com'è."
        ),
        "other_version": _(
            "Il file è di un'altra versione (%(version)s, qui si legge la %(known)s): aggiorna il sito più vecchio."
        ),
        "damaged": _("Il file è rovinato o è stato cambiato a mano: esportalo di nuovo dal sito da cui viene."),
        "missing": _("Manca, o è vuoto."),
        "unknown": _("Qui non ci va: toglilo."),
        "too_long": _("Troppo lungo: al massimo %(limit)s."),
        "out_of_range": _("Dev'essere da %(low)s a %(high)s."),
        "twice": _("«%(value)s» c'è due volte: uno dei due è di troppo."),
        "dangling": _("«%(value)s» non è nel file."),
        "in_future": _("Quest'ora deve ancora venire: controlla l'orologio del computer da cui viene il file."),
        "other_size": _("Devono essere %(wanted)s."),
        "worth_differs": _("Con questi punti MP e VP sarebbero altri: correggi gli uni o gli altri."),
        "result_open": _("Un incontro concluso ha un risultato, uno da giocare non ne ha."),
        "differs": _("«%(name)s» non è quel che danno i risultati: c'è %(stored)s, dovrebbe esserci %(given)s."),
        "denied": _(
            "Quando il torneo è partito c'era, o era diverso: riporta il file che viene dal sito del prestito."
        ),
        "no_act": _("Il risultato era un altro, e nel diario non c'è chi l'ha cambiato."),
        "no_plan": _("Con questa formula non possono venire questi incontri."),
        "log_impossible": _("Nel diario non può esserci una voce così («%(code)s»)."),
    }[fault.code] % values


def describe_slips() -> str:
    """Return what whoever took a tournament in has to know of the score slips (O4)."""
    return _("I segnapunti già stampati non valgono più: stampali di nuovo da «Segnapunti».")


def describe_faults(faults: Sequence[FileFault]) -> list[tuple[str, str, str]]:
    """Return code, place and sentence of the first faults."""
    return [(fault.code, name_place(fault.place), describe_fault(fault)) for fault in faults[:MOST_TOLD]]


def count_untold(faults: Sequence[FileFault]) -> str:
    """Return the sentence of how many faults more there are; empty for none."""
    more = len(faults) - MOST_TOLD
    return "" if more <= 0 else ngettext("e un'altra cosa", "e altre %(n)d cose", more) % {"n": more}


def name_place(place: str) -> str:
    """Return a place in words people can look for: "turno 2, incontro 1: winner"."""
    place = place.removeprefix("body.")
    if matched := re.fullmatch(r"round (\d+) board (\d+)", place):
        return _("turno %(round)s, incontro %(board)s") % {"round": matched[1], "board": matched[2]}
    if matched := re.fullmatch(r"rounds\[(\d+)\]\.fixtures\[(\d+)\]\.?(.*)", place):
        named = _("turno %(round)s, incontro %(board)s") % {"round": matched[1], "board": matched[2]}
        return f"{named}: {matched[3]}" if matched[3] else named
    if matched := re.fullmatch(r"(entries|persons|log|rounds)\[(\d+)\]\.?(.*)", place):
        named = _name_row(matched[1]) % {"n": matched[2]}
        return f"{named}: {matched[3]}" if matched[3] else named
    return place


def _name_row(name: str) -> str:
    return {
        "entries": _("iscritto %(n)s"),
        "persons": _("persona %(n)s"),
        "log": _("diario, voce %(n)s"),
        "rounds": _("turno %(n)s"),
    }[name]


def _name_kind(kind: str) -> str:
    return {
        "record": _("un oggetto"),
        "list": _("un elenco"),
        "text": _("un testo"),
        "number": _("un numero intero"),
        "flag": _("true o false"),
        "hour": _("un'ora con il suo fuso"),
        "prize": _("un premio: i centesimi e che cos'altro"),
    }[kind]
