"""The wording of a register: its refusals and its log."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.lists import wording as entry_wording
from tournaments.models import RegisterLogEntry
from tournaments.register.imports import Fault


def describe_refusal(code: str, values: Mapping[str, Any]) -> str:
    """Return the sentence of a code of ``REGISTER_CODES``."""
    return {
        "not_keeper": _("Questo registro lo tiene chi organizza, e tu non sei tra loro."),
        "account_needed": _("Per questo serve un account. Iscriviti: ci vuole un attimo."),
        "too_many_cards": _("Il registro ha già %(limit)s persone: di più non si può."),
        "no_draft": _("Questa bozza non c'è più."),
        "register_changed": _("Nel frattempo il registro o la bozza sono cambiati: guarda di nuovo, poi riprova."),
        "same_card": _("È la stessa scheda: scegline un'altra."),
        "in_already": _("%(name)s è già in questo torneo."),
        "played_together": _("Hanno giocato tutti e due in %(name)s: non possono essere la stessa persona."),
        "no_merge": _("Questa unione è già stata disfatta, o una delle due schede non c'è più."),
        "name_forgotten": _(
            "Chi si chiamava %(name)s non vuole essere nel registro. Se è un'altra persona, spunta la casella sotto."
        ),
        "still_entered": _("È ancora in %(name)s: prima ritira la sua iscrizione."),
        "not_organiser": _("Può farlo solo chi organizza il torneo."),
        "no_name": _("Questo nome non c'è più."),
        "no_card": _("Questa scheda non c'è più."),
        "name_short": _("Il nome è troppo corto: ha almeno 2 caratteri."),
        "name_long": _("Il nome è troppo lungo: ha al massimo 60 caratteri."),
        "name_characters": _(
            "Nel nome c'è un segno che non va: vanno lettere di ogni lingua, numeri, spazi, punti, trattini, "
            "apostrofi, virgolette, parentesi e «&»."
        ),
        "name_letters": _("Nel nome ci vogliono almeno due lettere."),
        "name_reserved": _("Questo nome è riservato alla casa. Scrivilo in un altro modo."),
        "name_taken": _("Nel registro c'è già %(name)s. Se è un'altra persona, spunta la casella qui sotto."),
        "number_taken": _("Questa tessera è già di %(name)s."),
        "year_wrong": _("L'anno di nascita va dal %(low)s al %(high)s."),
    }[code] % dict(values)


def describe_unreadable(code: str) -> str:
    """Return the sentence of a file that can't be read, by its code in ``spreadsheet.UNREADABLE``."""
    return {
        "no_player_column": _("In nessuna riga c'è una colonna che si chiama «nome» o «cognome»."),
        "too_many_rows": _("Sono troppe righe: un registro ha al massimo 5000 persone."),
    }.get(code) or entry_wording.describe_unreadable(code)


def describe_fault(fault: Fault) -> str:
    """Return what is wrong with a row of an import, and how to mend it."""
    names = {"typed": fault.typed, "other": fault.other}
    return {
        "name_missing": _("Manca il nome: scrivilo."),
        "name_short": _("Il nome è troppo corto: ha almeno 2 caratteri."),
        "name_long": _("Il nome è troppo lungo: ha al massimo 60 caratteri."),
        "name_characters": _(
            "Nel nome c'è un segno che non va: vanno lettere di ogni lingua, numeri, spazi, punti, trattini, "
            "apostrofi, virgolette, parentesi e «&»."
        ),
        "name_letters": _("Nel nome ci vogliono almeno due lettere."),
        "name_reserved": _("Questo nome è riservato alla casa. Scrivilo in un altro modo."),
        "name_taken": _(
            "Nel registro c'è già chi si chiama così. Scrivi la sua tessera, oppure spunta che è un'altra persona."
        ),
        "name_twice": _("Si chiama come alla riga %(other)s. Scrivi le due tessere, o spunta che è un'altra persona."),
        "text_long": _("È troppo lungo: al massimo %(other)s caratteri."),
        "year_unclear": _("Scrivi un anno dal 1900 al %(other)s, per esempio 1985, o niente."),
        "minor_unclear": _("Scrivi «sì», «no» o niente."),
        "number_taken": _("Questa tessera nel registro è di un'altra persona: correggi il numero o il nome."),
        "card_unknown": _("Questa scheda non è in questo registro: lascia vuota la cella."),
        "card_twice": _("È la stessa persona della riga %(other)s: lascia una riga sola, o correggi la tessera."),
        "no_room": _("Il registro ha posto per %(other)s persone: lascia fuori questa riga."),
    }[fault.code] % names


def describe_register_act(entry: RegisterLogEntry) -> str:
    """Return what was done, for an entry of the register's log."""
    count = entry.count or 0
    imported = ngettext("Elenco importato: %(n)d persona", "Elenco importato: %(n)d persone", count)
    exported = ngettext("Registro scaricato: %(n)d persona", "Registro scaricato: %(n)d persone", count)
    return {
        "added": _("Scheda aggiunta"),
        "edited": _("Scheda cambiata"),
        "merged": _("Doppione unito"),
        "unmerged": _("Unione disfatta"),
        "forgotten": _("Una persona cancellata su richiesta"),
        "imported": imported % {"n": count},
        "exported": exported % {"n": count},
    }[entry.code]
