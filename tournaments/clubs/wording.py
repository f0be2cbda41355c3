"""The wording of a club's refusals."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _


def describe_refusal(code: str, values: Mapping[str, Any]) -> str:
    """Return the sentence of a code of ``CLUB_CODES``."""
    return {
        "name_length": _("Il nome di un circolo ha da %(low)s a %(high)s caratteri, con almeno due lettere."),
        "name_reserved": _("Questo nome è riservato alla casa. Scegline un altro."),
        "club_name_taken": _("C'è già un circolo che si chiama così."),
        "text_too_long": _("Il testo è troppo lungo: al massimo %(limit)s caratteri."),
        "account_needed": _("Per questo serve un account. Iscriviti: ci vuole un attimo."),
        "too_many_clubs": _("Amministri già %(limit)s circoli: di più non si può."),
        "not_admin": _("Può farlo solo chi amministra il circolo."),
        "last_admin": _("Un circolo non resta senza amministratore: prima nominane un altro."),
        "not_alone": _("Il circolo ha altri soci: scioglierlo può solo l'ultimo."),
        "already_in": _("È già del circolo."),
        "already_asked": _("La richiesta c'è già, e aspetta risposta."),
        "not_in": _("Questa richiesta non c'è più."),
        "player_unknown": _("Qui nessuno si chiama così. Controlla il nome."),
        "player_is_guest": _("È un ospite: prima deve farsi un account."),
        "player_is_house": _("È un giocatore della casa: i circoli sono di persone."),
        "not_invitable": _("Questa persona non si può invitare."),
        "too_many_asked": _("Troppi inviti e richieste in poco tempo: aspetta un po'."),
        "unknown_role": _("Questo ruolo non esiste."),
    }[code] % dict(values)
