"""Wording of this app's codes. Italian is the source language; nothing else here speaks to people."""

import math
from collections.abc import Sequence
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from players.bounds import FIRST_YEAR, LAST_YEAR
from players.names import MAX_NAME_CHARACTERS, MIN_NAME_CHARACTERS


def describe_frame_error(code: str) -> str:
    """Return the sentence for a refused frame."""
    return {
        "malformed": _("Messaggio non valido."),
        "binary": _("Messaggio non valido."),
        "too_long": _("Messaggio troppo lungo."),
        "too_deep": _("Messaggio non valido."),
        "unknown": _("Richiesta sconosciuta."),
        "unavailable": _("Il server non risponde in questo momento. Riprova."),
        "internal": _("Qualcosa non ha funzionato. Riprova."),
    }.get(code, _("Richiesta rifiutata."))


def describe_name_error(code: str) -> str:
    """Return the sentence for a name that can't be taken."""
    return {
        "short": _("Il nome è troppo corto: servono almeno %(shortest)d caratteri."),
        "long": _("Il nome è troppo lungo: al massimo %(longest)d caratteri."),
        "characters": _("Usa solo lettere di un solo alfabeto, cifre, spazi, punti, trattini e apostrofi."),
        "letters": _("Il nome deve avere almeno due lettere."),
        "reserved": _("Questo nome è riservato al circolo. Scegline un altro."),
        "name_taken": _("Questo nome è già di un altro giocatore. Scegline un altro."),
    }[code] % {"shortest": MIN_NAME_CHARACTERS, "longest": MAX_NAME_CHARACTERS}


def describe_refusal(code: str) -> str:
    """Return the sentence for an account that can't be closed."""
    return {
        "not_a_guest": _("Hai già un account."),
        "at_table": _("Sei seduto a un tavolo: finisci la partita, poi potrai eliminare l'account."),
    }[code]


def describe_company(code: str, name: str) -> str:
    """Return the sentence for what a reader did, or couldn't do, about the player of that name (B6)."""
    return {
        "followed": _("Ora segui %(name)s: è fra i tuoi amici."),
        "unfollowed": _("Non segui più %(name)s."),
        "blocked": _("Hai bloccato %(name)s: non vi incontrerete più, se non nei tornei, e lì senza chat."),
        "unblocked": _("Hai tolto il blocco a %(name)s."),
        "nobody_to_follow": _("Questo giocatore non si può seguire."),
        "follows_blocked": _("Hai bloccato %(name)s: prima togli il blocco."),
        "called": _("%(name)s è avvisato: se vuole, arriva da solo."),
        "nobody_to_call": _("Puoi chiamare solo chi segui."),
        "too_many_calls": _("Hai chiamato troppe volte: riprova più tardi."),
        "nothing_to_call_to": _("Non c'è più niente a cui chiamare: il tavolo è cominciato, o il torneo è chiuso."),
        "too_many_follows": _("Segui già tutti quelli che si possono seguire: prima togline qualcuno."),
    }[code] % {"name": name}


def describe_moderation_refusal(code: str) -> str:
    """Return the sentence for an act of moderation, or an appeal, that isn't possible (U2)."""
    return {
        "not_staff": _("Può farlo solo chi modera il sito."),
        "not_oneself": _("Su di sé non si decide."),
        "own_case": _("A quel tavolo c'eri anche tu: decide un altro moderatore."),
        "on_staff": _("È uno dei moderatori: prima va tolto dal loro gruppo."),
        "nobody_to_judge": _("Questo account non c'è più, o è della casa."),
        "reason_missing": _("Scrivi il perché: lo legge anche chi è toccato."),
        "text_missing": _("Scrivi qualcosa."),
        "text_too_long": _("Il testo è troppo lungo."),
        "no_such_time": _("Scegli che cosa, e per quanto tempo: un avvertimento non ha durata."),
        "act_gone": _("Questa decisione non c'è più."),
        "act_lifted": _("Questa decisione è già stata tolta."),
        "appealed": _("Il ricorso c'è già: se ne può fare uno solo."),
        "no_appeal": _("Non c'è un ricorso a cui rispondere."),
        "answered": _("A questo ricorso qualcuno ha già risposto."),
        "report_closed": _("Di questa segnalazione si è già occupato qualcuno."),
    }[code]


def describe_wait(wait: timedelta) -> str:
    """Return a time to wait, a minute at least, in whole minutes or hours, rounded up."""
    minutes = max(1, math.ceil(wait / timedelta(minutes=1)))
    if minutes < 60:
        return ngettext("fra %(n)d minuto", "fra %(n)d minuti", minutes) % {"n": minutes}
    hours = math.ceil(minutes / 60)
    return ngettext("fra %(n)d ora", "fra %(n)d ore", hours) % {"n": hours}


def describe_crowd(code: str, wait: timedelta) -> str:
    """Return the sentence for a visitor who can't come in now, because too many have."""
    sentences = {
        "too_many_guests": _(
            "Da questo indirizzo sono arrivati troppi ospiti. Riprova %(wait)s, oppure iscriviti: "
            "con un account si entra sempre."
        ),
        "too_many_signups": _(
            "Da questo indirizzo si sono già iscritti in troppi. Riprova %(wait)s: quello che hai scritto è rimasto, "
            "tranne le password."
        ),
    }
    return sentences[code] % {"wait": describe_wait(wait)}


def describe_throttling(wait: timedelta) -> str:
    """Return the sentence of a program that asks too often."""
    return _("Troppe richieste. Riprova %(wait)s.") % {"wait": describe_wait(wait)}


def describe_hour_bounds() -> str:
    """Return the sentence about an hour that no calendar here has."""
    return _("Serve un anno dal %(first)d al %(last)d.") % {"first": FIRST_YEAR, "last": LAST_YEAR}


def name_wish(code: str) -> str:
    """Return the label of a preference for mails: one of ``players.models.WISHES``."""
    return {
        "mail_tables": _("Un'e-mail quando si apre il mio tavolo"),
        "mail_rounds": _("Un'e-mail quando è pronto il mio prossimo turno"),
        "mail_reminders": _("Un'e-mail prima dell'inizio e per il check-in"),
        "mail_places": _("Un'e-mail quando ho un posto o chi organizza mi risponde"),
        "mail_tournaments": _("Un'e-mail quando un mio torneo è sorteggiato o annullato, o decide l'arbitro"),
    }[code]


def describe_wish(code: str) -> str:
    """Return one more sentence about the preference, for its page."""
    return {
        "mail_tables": _("Con il link del tavolo: chi non arriva in tempo perde."),
        "mail_rounds": _("Una sola a turno, anche se il tavolo si apre più tardi."),
        "mail_reminders": _("Un quarto d'ora prima, quando si apre il check-in, e se si chiude senza di te."),
        "mail_places": _("Dalla lista d'attesa, da una richiesta, da un elenco, da un invito, o al posto di un altro."),
        "mail_tournaments": _("Anche un ritiro o un'espulsione, sempre con il perché."),
    }[code]


def describe_push(kind: str) -> str:
    """Return the first line of a message to a device (U4); the second is the table's title."""
    return {"table": _("Il tuo tavolo è aperto"), "turn": _("Tocca a te")}[kind]


def describe_push_refusal(code: str, *, limit: int = 0, wait: timedelta = timedelta()) -> str:
    """Return the sentence for a device that can't be told (U4)."""
    return {
        "not_a_service": _("Questo browser ha un servizio di avvisi che qui non si può usare."),
        "service_away": _("Il servizio di avvisi di questo browser non si trova. Riprova fra poco."),
        "too_many_devices": _("Hai già %(limit)d dispositivi: prima togline uno."),
        "devices_often": _("Hai acceso gli avvisi troppe volte: riprova %(wait)s."),
    }[code] % {"limit": limit, "wait": describe_wait(wait)}


def name_push_wish(code: str) -> str:
    """Return the label of a preference for devices: one of ``players.models.PUSH_WISHES``."""
    return {
        "push_tables": _("Quando si apre il mio tavolo"),
        "push_turns": _("Quando tocca a me"),
    }[code]


def describe_push_wish(code: str) -> str:
    """Return one more sentence about the preference, for its page."""
    return {
        "push_tables": _("Con il nome del torneo, e il link del tavolo."),
        "push_turns": _("Se non guardi il sito: dopo dieci secondi, quando te ne restano almeno quindici."),
    }[code]


def name_browser(user_agent: str) -> str:
    """Return a name for that browser and device, from what it says of itself."""
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


def name_outcome(outcome: str) -> str:
    """Name how a match ended for somebody, by its code."""
    return {
        "won": pgettext("una partita", "vinta"),
        "lost": pgettext("una partita", "persa"),
        "even": pgettext("una partita", "pari"),
    }[outcome]


def count_outcomes(outcomes: Sequence[str]) -> str:
    """Say how many matches were won, lost and, if any, even: "7 vinte, 2 perse, 1 pari"."""
    won, lost, even = (outcomes.count(code) for code in ("won", "lost", "even"))
    words = [ngettext("%d vinta", "%d vinte", won) % won, ngettext("%d persa", "%d perse", lost) % lost]
    return ", ".join([*words, _("%d pari") % even] if even else words)
