"""The wording of circuits: their terms, why a row comes before the next one, and refusals."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.circuits.explained import CircuitPage, ShownTotal
from tournaments.core import refusals
from tournaments.models import Circuit


def describe_table(circuit: Circuit) -> str:
    """Return how a result becomes points."""
    if circuit.table == Circuit.Table.PLACES:
        places = ", ".join(str(points) for points in circuit.places)
        if circuit.taking_part:
            return _("Punti ai primi posti: %(places)s; a ogni altro che gioca: %(other)s.") % {
                "places": places,
                "other": circuit.taking_part,
            }
        return _("Punti ai primi posti: %(places)s.") % {"places": places}
    return {
        Circuit.Table.POINTS: _("Punti dei tornei: contano il posto e quanti giocano (il primo di 8 ne ha 100)."),
        Circuit.Table.VP: _("Si sommano i VP dei tornei."),
        Circuit.Table.MP: _("Si sommano gli MP dei tornei."),
    }[Circuit.Table(circuit.table)]


def describe_best(circuit: Circuit) -> str:
    """Return how many results count."""
    if circuit.best_of is None:
        return _("Contano tutti i risultati.")
    return ngettext("Conta il migliore risultato.", "Contano i migliori %(n)d risultati.", circuit.best_of) % {
        "n": circuit.best_of
    }


def name_standing(code: str) -> str:
    """Return what a tournament of the circuit is at, by its ``ShownStage.standing``."""
    return {
        "counts": _("conta"),
        "coming": _("deve cominciare"),
        "running": _("in corso"),
        "lent": _("in prestito"),
        "cancelled": _("annullato: non conta"),
        "misfit": _("non conta: non ha questi punti"),
    }[code]


def describe_lead(total: ShownTotal, page: CircuitPage) -> str:
    """Return what puts a row before the next one at the same total; empty where the totals say it."""
    why, name = total.separation, total.following
    if why is None:
        return ""
    if why.code == "level":
        return _("Ex aequo con %(name)s: gli stessi risultati, raggiunti nello stesso torneo.") % {"name": name}
    if why.code == "earlier":
        stages = page.by_number
        own, other = (stages[pk].tournament.name if pk in stages else "—" for pk in (why.own, why.next))
        return _(
            "Davanti a %(name)s, con gli stessi punti e gli stessi risultati: ci arriva prima (%(own)s, non %(next)s)."
        ) % {"name": name, "own": own, "next": other}
    values = {"name": name, "nth": why.nth, "own": why.own, "next": why.next}
    if why.nth == 1:
        return _("Davanti a %(name)s, con gli stessi punti: il miglior risultato è %(own)s contro %(next)s.") % values
    return (
        _("Davanti a %(name)s, con gli stessi punti: il %(nth)sº miglior risultato è %(own)s contro %(next)s.") % values
    )


def describe_refusal(code: str, values: Mapping[str, Any]) -> str:
    """Return the sentence of a code of ``CIRCUIT_CODES``."""
    if code == "final_refused":
        return refusals.describe_refusal(
            values["reason"], {"problems": ()} if values["reason"] == "list_refused" else {}
        )
    return {
        "account_needed": _("Per questo serve un account. Iscriviti: ci vuole un attimo."),
        "not_yours": _("Lo può fare solo chi gestisce il circuito."),
        "not_of_club": _("Non organizzi per questo circolo."),
        "name_missing": _("Dai un nome al circuito."),
        "text_long": _("È troppo lungo: al massimo %(limit)s caratteri."),
        "too_many_circuits": _("Hai già %(limit)s circuiti in corso: concludine uno."),
        "too_many_tournaments": _("In un circuito stanno al massimo %(limit)s tornei."),
        "places_missing": _("Scrivi i punti dei primi posti, per esempio: 10 7 5 3."),
        "places_range": _("Al massimo %(limit)s posti, con punti da 0 a %(high)s, separati da uno spazio."),
        "places_order": _("Un posto più indietro non può avere più punti di uno davanti."),
        "best_range": _("Dev'essere un numero da 1 a %(high)s, o niente: contano tutti."),
        "terms_stand": _("Uno dei tornei è già sorteggiato: che cosa conta non si cambia più."),
        "no_tournament": _("Questo torneo non c'è, o non lo organizzi tu."),
        "in_already": _("Questo torneo è già nel circuito."),
        "is_final": _("Questo torneo è la finale: non conta per la classifica."),
        "cancelled": _("Questo torneo è stato annullato."),
        "no_vp": _("Un torneo a KO non ha VP né MP: in questo circuito non può contare."),
        "no_pairs": _("Questo circuito è per coppie fisse: può contare solo un torneo a coppie."),
        "no_series": _("Questa serie non c'è, o non è tua."),
        "ended": _("Il circuito è concluso: prima riprendilo."),
        "not_ended": _("Il circuito non è concluso."),
        "empty": _("Nessuno ha ancora un risultato."),
        "no_person": _("Questo nome non è nel circuito."),
        "same_person": _("Sono già la stessa persona."),
        "two_accounts": _("Sono due account: restano due persone."),
        "played_together": _("Hanno giocato tutti e due in %(name)s: non possono essere la stessa persona."),
        "too_many_links": _("Hai già collegato %(limit)s nomi: di più non si può."),
        "no_link": _("Questo collegamento non c'è più."),
        "final_drawn": _("La finale è già sorteggiata."),
        "final_lent": _("La finale è in prestito: si cambia quando torna."),
        "final_range": _("Si qualificano al massimo in %(high)s."),
        "final_level": _(
            "Al %(rank)dº posto sono in più alla pari: ne entrano %(above)d o %(below)d, non una parte di loro. Cambia"
            " quanti si qualificano, o i posti della finale."
        ),
        "final_nobody": _("Non c'è nessuno da iscrivere: non c'è posto, o nessuno può giocare in questo torneo."),
    }[code] % dict(values)
