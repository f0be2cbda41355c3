"""The wording of a register: its refusals and its log."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def describe_refusal(code: str, values: Mapping[str, Any]) -> str:
    """Return the sentence of a code of ``REGISTER_CODES``."""
    return {
        "not_keeper": _("Questo registro lo tiene chi organizza, e tu non sei tra loro."),
        "account_needed": _("Per questo serve un account. Iscriviti: ci vuole un attimo."),
        "too_many_cards": _("Il registro ha già %(limit)s persone: di più non si può."),
        "no_card": _("Questa scheda non c'è più."),
        "name_short": _("Il nome è troppo corto: ha almeno 3 caratteri."),
        "name_long": _("Il nome è troppo lungo: ha al massimo 60 caratteri."),
        "name_characters": _("Nel nome stanno solo lettere, cifre, spazi, punti, trattini e apostrofi."),
        "name_letters": _("Nel nome ci vogliono almeno due lettere."),
        "name_reserved": _("Questo nome è riservato alla casa. Scrivilo in un altro modo."),
        "name_taken": _("Nel registro c'è già %(name)s. Se è un'altra persona, spunta la casella qui sotto."),
        "number_taken": _("Questa tessera è già di %(name)s."),
        "year_wrong": _("L'anno di nascita va dal %(low)s al %(high)s."),
    }[code] % dict(values)


def describe_register_act(code: str, facts: Mapping[str, Any]) -> str:
    """Return what was done, for a code of the register's log."""
    count = facts.get("count", 0)
    exported = ngettext("Registro scaricato: %(n)d persona", "Registro scaricato: %(n)d persone", count)
    return {
        "added": _("Scheda aggiunta"),
        "edited": _("Scheda cambiata"),
        "exported": exported % {"n": count},
    }[code]
