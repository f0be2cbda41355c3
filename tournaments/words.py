"""The words of tournaments: what codes, lengths and clocks are called. Italian is the source language.

Everything a person reads about a code is said here; nothing here decides anything.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import words as games
from games.words import duration, length, lengths
from tournaments import account

__all__ = ["duration", "length", "lengths"]  # besides its own


def ruleset_name(code: str) -> str:
    return games.ruleset_name(code)


def format_name(code: str) -> str:
    return {
        "ko": _("Eliminazione diretta (KO)"),
        "girone": _("Girone all'italiana"),
        "gironi": _("Gironi, poi eliminazione diretta"),
        "danese": _("Danese (sistema svizzero)"),
    }.get(code, code)


def format_short(code: str) -> str:
    return {"ko": _("KO"), "girone": _("Girone"), "gironi": _("Gironi e KO"), "danese": _("Danese")}.get(code, code)


def ordinal(place: int) -> str:
    """A place in the standings."""
    return _("%(place)dº") % {"place": place}


def round_name(code: str, number: int) -> str:
    return {
        "final": _("Finale"),
        "third_place": _("Finale per il 3º posto"),
        "semifinal": _("Semifinali"),
        "quarterfinal": _("Quarti di finale"),
        "group": _("Gironi, turno %(number)d") % {"number": number},
    }.get(code) or _("Turno %(number)d") % {"number": number}


def fixture_name(code: str, number: int, board: int) -> str:
    """A fixture by its round and board."""
    return _("%(round)s, incontro %(board)d") % {"round": round_name(code, number), "board": board}


def fixture_state(code: str) -> str:
    return {
        "waiting": _("in attesa"),
        "ready": _("sta per aprirsi"),
        "playing": _("in corso"),
        "done": _("conclusa"),
        "bye": _("passa il turno"),
        "rest": _("riposa"),
        "void": _("non si gioca"),
        "annulled": _("annullata"),
    }[code]


def decided_by(code: str) -> str:
    """How a fixture ended, where the score alone doesn't say it; empty for an ordinary end."""
    if code in ("tie_break_1", "tie_break_2", "tie_break_3"):
        return _("allo spareggio")
    return {
        "last_trick": _("per l'ultima presa"),
        "tie_break_last_trick": _("per l'ultima presa dello spareggio"),
        "timeout": _("per tempo scaduto"),
        "clock": _("per tempo partita finito"),
        "abandon": _("per abbandono"),
        "noshow": _("per assenza"),
        "forfeit": _("per forfait"),
        "withdrawn": _("per ritiro"),
    }.get(code, "")


def separation(code: str, own: int | None, other: int | None) -> str:
    """What put a line before the next one (R2, R3)."""
    if code == "equal":
        return _("ex aequo: tutto in parità")
    name = {
        "vp": _("VP"),
        "direct": _("VP negli scontri diretti"),
        "mp": _("differenza MP"),
        "won": _("partite vinte"),
        "lot": _("sorteggio"),
    }.get(code, code)
    if own is None or other is None:
        return name
    return _("%(name)s: %(own)d contro %(other)d") % {"name": name, "own": own, "other": other}


def tie_break(code: str) -> str:
    """What a preset looks at among lines level on VP (R2), as its choice in a form."""
    return {
        "standard": _("Standard: scontri diretti, differenza MP, partite vinte"),
        "rete": _("Rete: solo differenza MP"),
        "club": _("Club: scontri diretti, differenza MP, sorteggio"),
    }[code]


def option_elsewhere(code: str) -> str:
    """Why an option of another format was refused."""
    return {
        "third_place": _("Questa formula non ha una finale per il terzo posto: togli la spunta, o scegli il KO."),
        "byes_by_lot": _("Con questa formula il primo turno non si sorteggia: togli la spunta, o scegli il KO."),
        "double": _("Questa formula non ha andata e ritorno: togli la spunta, o scegli il girone."),
    }[code]


def tie_break_rule(code: str) -> str:
    """The same as a rule, in full."""
    return {
        "standard": _(
            "Conta il totale dei VP; a parità: VP negli scontri diretti (se si sono incontrati tutti), differenza MP, "
            "partite vinte. Chi resta pari divide il posto."
        ),
        "rete": _("Conta il totale dei VP; a parità la differenza MP. Chi resta pari divide il posto."),
        "club": _(
            "Conta il totale dei VP; a parità: VP negli scontri diretti (se si sono incontrati tutti), differenza MP, "
            "poi il sorteggio fatto all'inizio: chi è estratto prima ha il numero più alto, e passa avanti."
        ),
    }[code]


def notices() -> dict[str, tuple[str, str]]:
    """What a page says when a notice comes in: the news, and the words of the link to the tournament, by code."""
    see = _("Vai al torneo")
    return {
        "cancelled_too_few_entries": (_("Torneo annullato:"), _("Vedi perché")),
        "cancelled_by_organiser": (_("Torneo annullato:"), _("Vedi perché")),
        "drawn": (_("Sorteggio fatto:"), _("Vedi contro chi giochi")),
        "checkin_open": (_("Il check-in è aperto:"), _("Conferma che ci sei")),
        "not_checked_in": (_("Il check-in si è chiuso senza di te, e il posto è perso:"), see),
        "start_moved": (_("Cambia l'inizio del torneo:"), _("Vedi quando comincia")),
        "starts_soon": (_("Fra poco si comincia:"), see),
        "round_drawn": (_("Nuovo turno:"), _("Vedi contro chi giochi")),
        "round_moved": (_("Cambia l'ora di un turno:"), _("Vedi quando si gioca")),
        "round_soon": (_("Fra poco si apre il tuo tavolo:"), _("Vedi contro chi giochi")),
        "moved_up": (_("Dalla lista d'attesa hai ora un posto:"), see),
        "approved": (_("Iscrizione accettata:"), see),
        "declined": (_("Iscrizione non accettata:"), see),
        "entered_by_list": (_("Chi organizza ti ha messo fra gli iscritti:"), see),
        "replaced": (_("Un giocatore ha preso il posto di un altro:"), _("Vedi chi")),
        "withdrawn": (_("Il tuo ritiro dal torneo è segnato:"), see),
        "expelled": (_("Espulsione dal torneo:"), _("Vedi perché")),
        "returned": (_("Sei di nuovo in gara:"), see),
        "referee_called": (_("Un tavolo chiama l'arbitro:"), _("Vai ai tavoli")),
        "call_seen": (_("L'arbitro ha visto la chiamata:"), see),
        "ruling": (_("L'arbitro ha deciso su un tuo incontro:"), _("Vedi che cosa")),
        "club_invited": (_("Un circolo ti invita:"), _("Vedi e rispondi")),
        "club_asked": (_("Qualcuno chiede di entrare nel circolo:"), _("Vedi e rispondi")),
        "club_joined": (_("Ora sei del circolo:"), _("Vai al circolo")),
        "club_inherited": (_("Ora amministri tu il circolo:"), _("Vai al circolo")),
        "referee_named": (_("Sei fra gli arbitri del torneo:"), see),
        "referee_dismissed": (_("Non sei più fra gli arbitri del torneo:"), see),
        "series_held": (_("Il prossimo torneo della serie non si è potuto aprire:"), _("Vedi perché")),
        "invited": (_("Qualcuno ti vuole come compagno:"), _("Vedi e rispondi")),
        "pair_confirmed": (_("Il tuo compagno ha confermato:"), see),
        "pair_declined": (_("Il tuo compagno non può:"), _("Invitane un altro")),
        "pair_expired": (_("Nessuno ha confermato in tempo, il posto è di nuovo libero:"), see),
        "pair_unconfirmed": (_("Il sorteggio è fatto e la tua coppia non era confermata:"), see),
        "left_out": (_("Il torneo comincia, e per te non c'è stato un posto:"), see),
        "removed": (_("Chi organizza ti ha tolto dagli iscritti:"), see),
        "partner_left": (_("Il tuo compagno si è ritirato, e la coppia con lui:"), see),
    }


def refusal(code: str, values: Mapping[str, Any] | None = None) -> str:
    """Why something was refused: the codes of ``tournaments.services.errors``."""
    known = dict(values or {})
    if code == "depended_on":
        return _("Da questo risultato ne dipendono altri, che vanno prima rifatti: %(fixtures)s.") % {
            "fixtures": "; ".join(fixture_name(*each) for each in known["fixtures"])
        }
    told = account.refusal(code, known)
    if told is not None:
        return told
    if code == "length_without_vp" and not known["allowed"]:
        return _("Questo gioco non ha una tabella dei VP: in un girone non si può giocare.")
    if code == "length_without_vp":
        return _("In un girone questa lunghezza non ha una tabella dei VP. Scegli fra: %(allowed)s.") % {
            "allowed": lengths(known["allowed"])
        }
    if code == "setup_refused":
        return games.setup_fault(known["about"], known["reason"], known["allowed"])
    if code == "entries_range":
        return _("Gli iscritti devono essere da %(low)s a %(high)s, e il minimo non più del massimo.") % known
    if code == "code_length":
        return _("Un codice ha da %(low)s a %(high)s caratteri.") % known
    if code == "checkin_range":
        return _("Il check-in dura da 1 a %(high)s minuti.") % known
    if code == "text_too_long":
        return _("Il testo è troppo lungo: al massimo %(limit)s caratteri.") % known
    if code == "too_many_referees":
        return _("Più di %(limit)s arbitri non servono: aspetta un po', o togline uno.") % known
    if code == "series_range":
        return _("Un torneo si apre da uno a %(high)s giorni prima.") % known
    if code == "too_many_series":
        return _("Hai già %(limit)s serie: fermane una.") % known
    if code == "option_range":
        return _("Dev'essere un numero da %(low)s a %(high)s.") % known
    if code == "groups_too_many":
        return _("Per %(groups)s gironi servono almeno %(least)s posti.") % known
    if code == "round_minutes_range":
        return _("I minuti da un turno all'altro sono da %(low)s a %(high)s.") % known
    if code == "round_hours_many":
        return _("Sono troppe ore: al massimo %(limit)s, una per ogni turno dal secondo.") % known
    if code == "too_many_open":
        return (
            _("Hai già %(limit)s tornei non ancora cominciati, bozze comprese: aspetta che comincino, o annullane uno.")
            % known
        )
    return {
        "name_missing": _("Dai un nome al torneo."),
        "unknown_format": _("Questa formula non esiste."),
        "unknown_format_option": _("Questa opzione non esiste."),
        "not_ahead": _("Questo incontro non si può anticipare."),
        "unknown_tie_break": _("Questo criterio non esiste."),
        "clocks_missing": _("In un torneo serve almeno un limite: il tempo per giocata o il tempo partita."),
        "start_in_the_past": _("L'ora d'inizio è già passata."),
        "round_hours_start": _("Per dare un'ora ai turni serve un'ora d'inizio stabilita."),
        "round_hours_order": _("Ogni turno comincia dopo quello prima, e il secondo dopo l'inizio del torneo."),
        "round_hours_late": _("Un turno può cominciare al massimo un anno dopo."),
        "round_begun": _("Un turno già cominciato non si sposta, e nessuno si sposta nel passato."),
        "start_too_far": _("Un torneo si annuncia al massimo un anno prima."),
        "not_a_member": _("Per organizzare un torneo serve un account. Iscriviti: ci vuole un attimo."),
        "unknown_time_zone": _("Questo fuso orario non c'è."),
        "not_of_club": _("A nome di questo circolo non puoi organizzare."),
        "referee_unknown": _("Qui nessuno si chiama così. Controlla il nome."),
        "referee_is_guest": _("È un ospite: un arbitro deve avere un account."),
        "referee_is_house": _("È un giocatore della casa: non può arbitrare."),
        "referee_already": _("È già fra gli arbitri."),
        "no_referee": _("Non è fra gli arbitri."),
        "not_series": _("Questa serie non è tua."),
        "not_organiser": _("Può farlo solo chi organizza il torneo."),
        "not_a_draft": _("Il torneo è già pubblicato."),
        "drawn": _("Il sorteggio è già fatto: non si può più cambiare."),
        "over": _("Il torneo è finito."),
        "registration_closed": _("Le iscrizioni sono chiuse."),
        "not_signed_in": _("Per iscriverti entra con il tuo account, o come ospite."),
        "account_needed": _("Per iscriverti serve un account."),
        "already_entered": _("Sei già fra gli iscritti."),
        "not_entered": _("Non sei fra gli iscritti."),
        "guests_not_allowed": _("Qui si iscrive solo chi ha un account."),
        "house_not_allowed": _("Qui i giocatori della casa non sono ammessi."),
        "full": _("Il torneo è al completo."),
        "queue_full": _("Anche la lista d'attesa è al completo: prova più tardi, o con un altro torneo."),
        "asking_full": _("Molti hanno già chiesto di giocare e aspettano una risposta: prova più tardi."),
        "unknown_seeding": _("Questo modo di assegnare le teste di serie non esiste."),
        "seeding_needs_start": _("Per decidere le teste di serie serve un'ora d'inizio stabilita."),
        "entered_already": _("Ci sono già iscritti: non si può più passare da singoli a coppie, o viceversa."),
        "unknown_registration": _("Questo modo di iscriversi non esiste."),
        "checkin_needs_start": _("Per il check-in serve un'ora d'inizio stabilita."),
        "link_needed": _("Qui si entra con il link di chi organizza: chiediglielo."),
        "code_needed": _("Qui si entra con il codice di chi organizza: chiediglielo."),
        "code_wrong": _("Il codice non è questo. Controlla come è scritto."),
        "too_many_codes": _("Hai provato molti codici: aspetta un po' e riprova."),
        "list_only": _("Qui gioca solo chi è nell'elenco di chi organizza."),
        "no_link": _("In questo torneo non ci si iscrive con un link."),
        "entry_gone": _("Questa iscrizione non c'è più, o ha già avuto risposta."),
        "pair_incomplete": _("La coppia non è ancora completa: si accetta quando sono in due."),
        "would_start": _("Con questo elenco il torneo è al completo e comincia subito: conferma."),
        "list_refused": _("Nell'elenco c'è qualcosa che non va: non è stato iscritto nessuno."),
        "checkin_not_open": _("Il check-in non è ancora aperto."),
        "needs_partner": _("Qui si gioca a coppie: iscriviti con un compagno."),
        "not_pairs": _("Qui non si gioca a coppie."),
        "partner_unknown": _("Qui nessuno si chiama così. Controlla il nome, o manda un link."),
        "partner_is_you": _("Il compagno dev'essere un altro."),
        "partner_is_house": _("Per un compagno della casa c'è il pulsante apposta."),
        "partner_is_guest": _("È un ospite, e qui gioca solo chi ha un account."),
        "partner_entered": _("È già iscritto in un'altra coppia."),
        "invitation_gone": _("Questo invito non vale più."),
        "pair_complete": _("La tua coppia è già completa."),
        "too_many_invitations": _("Hai fatto molti inviti in poco tempo: aspetta un po', o manda un link."),
        "not_seeded_by_organiser": _("In questo torneo le teste di serie si sorteggiano."),
        "no_offer": _("In questo momento non c'è un tavolo per chi arriva. Guarda i tornei aperti qui sotto."),
    }[code]


def cancelled_because(code: str) -> str:
    return {
        "too_few_entries": _("Gli iscritti erano meno del minimo."),
        "by_organiser": _("Lo ha annullato chi lo organizzava."),
    }.get(code, "")


def _counted(code: str, count: int) -> str:
    """A line of the log that says how many; empty for every other."""
    if code == "approved":
        words = ngettext("Iscrizione accettata", "%(n)d iscrizioni accettate", count)
    elif code == "moved_up":
        words = ngettext("Uno sale dalla lista d'attesa", "%(n)d salgono dalla lista d'attesa", count)
    elif code == "not_checked_in":
        words = ngettext("Uno non ha fatto il check-in: è fuori", "%(n)d senza check-in: sono fuori", count)
    elif code == "entered_by_list":
        words = ngettext("Chi organizza iscrive una linea", "Chi organizza iscrive %(n)d linee", count)
    else:
        return ""
    return words % {"n": count}


def log(code: str, detail: Mapping[str, Any]) -> str:
    """One line of the tournament's log (E2), without who and when; empty for what the page shows elsewhere."""
    if code == "house_joined":
        count = int(detail.get("count", 0))
        return ngettext("Si siede %(n)d giocatore della casa", "Si siedono %(n)d giocatori della casa", count) % {
            "n": count
        }
    counted = _counted(code, int(detail.get("count", 0)))
    if counted:
        return counted
    if code == "round_moved":
        return _("Nuova ora: %(round)s") % {"round": round_name(*detail.get("round", ("round", 0)))}
    if code == "cancelled":
        return " ".join((_("Torneo annullato."), cancelled_because(str(detail.get("because", ""))))).strip()
    return {
        "created": _("Torneo creato"),
        "texts_edited": _("Presentazione modificata"),
        "referee_named": _("Un arbitro in più"),
        "referee_dismissed": _("Un arbitro in meno"),
        "edited": _("Regole modificate"),
        "published": _("Iscrizioni aperte"),
        "seeded": _("Teste di serie cambiate"),
        "joined": _("Nuovo iscritto"),
        "applied": _("Una richiesta di iscrizione"),
        "queued": _("Uno in lista d'attesa"),
        "declined": _("Richieste di iscrizione non accettate"),
        "removed": _("Un iscritto tolto da chi organizza"),
        "link_renewed": _("Nuovo link per iscriversi"),
        "checkin_opened": _("Check-in aperto"),
        "checked_in": _("Check-in"),
        "checked_out": _("Check-in tolto"),
        "left_out": _("Chi era in attesa resta fuori"),
        "invited": _("Nuova coppia, da confermare"),
        "link_made": _("Nuova coppia, da confermare"),
        "pair_joined": _("Coppia confermata"),
        "pair_expired": _("Una coppia non confermata perde il posto"),
        "pair_unconfirmed": _("Una coppia non confermata resta fuori"),
        "left": _("Un iscritto si ritira"),
        "withdrawn": _("Una linea si ritira dal torneo"),
        "expelled": _("Una linea è fuori: tre forfait"),
        "ahead": _("Due linee giocano prima del loro turno"),
        "drawn": _("Sorteggio fatto: si comincia"),
        "finished": _("Torneo concluso"),
    }.get(code, "")
