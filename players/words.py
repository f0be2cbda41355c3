"""The words of this app's codes. Italian is the source language; nothing else here speaks to people."""

from django.utils.translation import gettext as _


def frame_error(code: str) -> str:
    """What a person reads when a frame of his browser was refused."""
    return {
        "malformed": _("Messaggio non valido."),
        "binary": _("Messaggio non valido."),
        "too_long": _("Messaggio troppo lungo."),
        "too_deep": _("Messaggio non valido."),
        "unknown": _("Richiesta sconosciuta."),
        "unavailable": _("Il server non risponde in questo momento. Riprova."),
        "internal": _("Qualcosa non ha funzionato. Riprova."),
    }.get(code, _("Richiesta rifiutata."))


def name_error(code: str) -> str:
    """Why a name can't be taken."""
    return {
        "short": _("Il nome è troppo corto: servono almeno 3 caratteri."),
        "long": _("Il nome è troppo lungo: al massimo 24 caratteri."),
        "characters": _("Usa solo lettere, cifre, spazi, punti, trattini e apostrofi."),
        "letters": _("Il nome deve avere almeno due lettere."),
        "reserved": _("Questo nome è riservato al circolo. Scegline un altro."),
        "name_taken": _("Questo nome è già di un altro giocatore. Scegline un altro."),
    }[code]


def refusal(code: str) -> str:
    """Why somebody could not come in."""
    return {
        "too_many_guests": _(
            "Da questo indirizzo sono arrivati troppi ospiti. Riprova fra dieci minuti, oppure iscriviti: "
            "con un account si entra sempre."
        ),
        "not_a_guest": _("Hai già un account."),
        "at_table": _("Sei seduto a un tavolo: finisci la partita, poi potrai eliminare l'account."),
    }[code]


def browser(user_agent: str) -> str:
    """What a person would call that browser on that device; it says no more than the browser itself does."""
    programs = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
    systems = (
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    )  # fmt: skip
    program = next((name for mark, name in programs if mark in user_agent), "")
    system = next((name for mark, name in systems if mark in user_agent), "")
    if program and system:
        return _("%(program)s su %(system)s") % {"program": program, "system": system}
    return program or system or _("Un altro programma")
