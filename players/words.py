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
