"""Words for webhooks: events, failures and refusals."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from players.wording import describe_wait


def describe_refusal(code: str, values: Mapping[str, Any]) -> str:
    """Return the sentence of a code of ``WEBHOOK_CODES``."""
    if code == "webhooks_often":
        return _("Troppe prove in poco tempo. Riprova %(wait)s.") % {"wait": describe_wait(values["wait"])}
    return {
        "account_needed": _("I webhook sono di chi ha un account: iscriviti."),
        "too_many_webhooks": _("Hai già %(limit)s webhook: togline uno."),
        "webhook_off": _("È spento: prima riaccendilo."),
        "no_such_webhook": _("Questo webhook non c'è più."),
    }[code] % values


def describe_error(code: str) -> str:
    """Return why a request had no answer that counts: a code of ``players.outgoing``."""
    return {
        "malformed": _("Questo non è un indirizzo completo: scrivilo come https://esempio.it/avvisi."),
        "not_https": _("L'indirizzo deve cominciare con https://."),
        "unknown_name": _("Nessun server ha questo nome."),
        "wrong_port": _("La porta è un'altra: si spedisce solo alla 443 e alla 8443."),
        "inside": _("Questo indirizzo porta dentro una rete privata: ne serve uno di internet."),
        "no_answer": _("Il server non ha risposto."),
        "no_tls": _("Il certificato del server non vale per questo nome."),
        "too_late": _("Il server non ha risposto in tempo."),
        "too_long": _("La risposta del server era troppo lunga."),
        "not_http": _("Il server ha risposto qualcosa che non è HTTP."),
        "redirected": _("Il server manda a un altro indirizzo: scrivi quello."),
    }[code]


def name_event(kind: str) -> str:
    """Return an event in words: a value of ``tournaments.webhooks.outbox.Event``."""
    return {
        "tournament.started": _("torneo cominciato"),
        "round.drawn": _("turno pubblicato"),
        "result.in": _("risultato"),
        "result.corrected": _("risultato corretto"),
        "tournament.finished": _("torneo concluso"),
        "webhook.test": _("prova"),
    }[kind]
