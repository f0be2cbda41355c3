"""The words of tournaments: what codes, lengths and clocks are called. Italian is the source language.

Everything a person reads about a code is said here; nothing here decides anything.
"""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext as translate_marked  # texts that a format's file marks

from games import wording as games
from tournaments.formats import FORMATS

# Victories whatever the score (T9, C5, C6).
VICTORIES = ("called_out", "cappotto", "cappottone", "stramazzo", "stramazzone", "collatondrione")


def name_ruleset(code: str) -> str:
    return games.name_ruleset(code)


def name_format(code: str) -> str:
    return translate_marked(FORMATS[code].name) if code in FORMATS else code


def name_format_short(code: str) -> str:
    return translate_marked(FORMATS[code].short) if code in FORMATS else code


def write_ordinal(place: int) -> str:
    """Write a place in the standings."""
    return _("%(place)dº") % {"place": place}


def name_round(code: str, number: int) -> str:
    return {
        "final": _("Finale"),
        "third_place": _("Finale per il 3º posto"),
        "semifinal": _("Semifinali"),
        "quarterfinal": _("Quarti di finale"),
        "group": _("Gironi, turno %(number)d") % {"number": number},
        "upper_final": _("Finale dei vincenti"),
        "lower_final": _("Finale di recupero"),
        "decider": _("Bella"),
    }.get(code) or _name_numbered_round(code, number)


def _name_numbered_round(code: str, number: int) -> str:
    """Name a round by its number: the tournament's, or its own bracket's, which is in the code (EV4)."""
    part, _separator, own = code.partition("_")
    if part == "upper" and own.isdigit():
        return _("Vincenti, turno %(number)d") % {"number": int(own)}
    if part == "lower" and own.isdigit():
        return _("Recupero, turno %(number)d") % {"number": int(own)}
    return _("Turno %(number)d") % {"number": number}


def name_stage(code: str) -> str:
    """Name one match of a bracket's last rounds by the round's code."""
    return {
        "final": _("Finale"),
        "third_place": _("Finale per il 3º posto"),
        "semifinal": _("Semifinale"),
        "quarterfinal": _("Quarto di finale"),
        "upper_final": _("Finale dei vincenti"),
        "lower_final": _("Finale di recupero"),
        "decider": _("Bella"),
    }[code]


def name_fixture(code: str, number: int, board: int) -> str:
    """Name a fixture by its round and board."""
    return _("%(round)s, incontro %(board)d") % {"round": name_round(code, number), "board": board}


def describe_euros(cents: int) -> str:
    """Return an amount of money as it is written in the reader's language."""
    return _("%(amount)s €") % {"amount": number_format(Decimal(cents) / 100, 2)}


def name_hall_place(wave: int | None, table: int | None) -> str:
    """Name the real table of a fixture (O3), with its wave from the second on; empty where it has none."""
    if table is None:
        return ""
    if wave is None or wave == 1:
        return _("Tavolo %(table)d") % {"table": table}
    return _("Tavolo %(table)d, %(wave)dª ondata") % {"table": table, "wave": wave}


def name_clock(round_name: str, number: int, wave: int, table: int | None = None) -> str:
    """Name a round's clock (O6): the round, with its wave from the second on, or the table that has it for itself."""
    name = name_round(round_name, number)
    if table is not None:
        return _("%(round)s, tavolo %(table)d") % {"round": name, "table": table}
    return name if wave == 1 else _("%(round)s, %(wave)dª ondata") % {"round": name, "wave": wave}


def name_fixture_state(code: str) -> str:
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


def describe_decision(code: str) -> str:
    """Return the way a fixture was decided, where the score alone doesn't say it; empty for an ordinary end."""
    if code in ("tie_break_1", "tie_break_2", "tie_break_3"):
        return _("allo spareggio")
    return {
        "last_trick": _("per l'ultima presa"),
        "tie_break_last_trick": _("per l'ultima presa dello spareggio"),
        "cut_short": _("allo scadere del turno"),
        "timeout": _("per tempo scaduto"),
        "clock": _("per tempo partita finito"),
        "abandon": _("per abbandono"),
        "noshow": _("per assenza"),
        "forfeit": _("per forfait"),
        "withdrawn": _("per ritiro"),
    }.get(code) or (games.describe_decision(code) if code in VICTORIES else "")


def list_notices() -> dict[str, tuple[str, str]]:
    """Return, by the code of a notice, the news a page shows and the words of its link to the tournament."""
    see = _("Vai al torneo")
    return {
        "cancelled_too_few_entries": (_("Torneo annullato:"), _("Vedi perché")),
        "cancelled_by_organiser": (_("Torneo annullato:"), _("Vedi perché")),
        "cancelled_nobody_left": (_("Torneo annullato:"), _("Vedi perché")),
        "cancelled_organiser_gone": (_("Torneo annullato:"), _("Vedi perché")),
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
        "late_asked": (_("Qualcuno arriva tardi e chiede di entrare:"), _("Vedi e rispondi")),
        "late_over": (_("Nel torneo non entra più nessuno:"), see),
        "claim_asked": (_("Qualcuno dice di essere un iscritto del tuo torneo:"), _("Vedi e rispondi")),
        "claim_accepted": (_("Chi organizza ti riconosce fra gli iscritti:"), see),
        "claim_refused": (_("Chi organizza non ti riconosce fra gli iscritti:"), _("Vedi perché")),
        "claim_revoked": (_("Chi organizza non ti riconosce più fra gli iscritti:"), _("Vedi perché")),
        "entered_by_list": (_("Chi organizza ti ha messo fra gli iscritti:"), see),
        "play_invited": (_("Sei invitato a un torneo:"), _("Vedi e rispondi")),
        "invitation_accepted": (_("Un invito al tuo torneo è accettato:"), _("Vai agli iscritti")),
        "invitation_refused": (_("Un invito al tuo torneo è rifiutato:"), see),
        "invitations_lapsed": (_("Inviti scaduti senza risposta:"), see),
        "invitations_open": (
            _("Fra poco si comincia, e qualcuno non ha risposto all'invito: chi non accetta non gioca."),
            _("Vai agli iscritti"),
        ),
        "called_to_table": (_("Ti aspettano a un tavolo:"), _("Vai al tavolo")),
        "called_to_tournament": (_("Ti chiamano a un torneo:"), see),
        "moderation": (_("I moderatori hanno deciso qualcosa che ti riguarda."), _("Leggi che cosa e perché")),
        "replaced": (_("Un giocatore ha preso il posto di un altro:"), _("Vedi chi")),
        "withdrawn": (_("Il tuo ritiro dal torneo è segnato:"), see),
        "expelled": (_("Espulsione dal torneo:"), _("Vedi perché")),
        "returned": (_("Sei di nuovo in gara:"), see),
        "clocks_held": (_("Dopo un guasto i tempi di un tavolo sono fermi:"), _("Vai ai tavoli")),
        "referee_called": (_("Un tavolo chiama l'arbitro:"), _("Vai ai tavoli")),
        "call_seen": (_("L'arbitro ha visto la chiamata:"), see),
        "ruling": (_("L'arbitro ha deciso su un tuo incontro:"), _("Vedi che cosa")),
        "club_invited": (_("Un circolo ti invita:"), _("Vedi e rispondi")),
        "club_asked": (_("Qualcuno chiede di entrare nel circolo:"), _("Vedi e rispondi")),
        "club_joined": (_("Ora sei del circolo:"), _("Vai al circolo")),
        "club_inherited": (_("Ora amministri tu il circolo:"), _("Vai al circolo")),
        "referee_named": (_("Sei fra gli arbitri del torneo:"), see),
        "referee_dismissed": (_("Non sei più fra gli arbitri del torneo:"), see),
        "tournament_inherited": (_("Ora organizzi tu il torneo, che chi l'ha fatto ha lasciato:"), _("Vai al torneo")),
        "circuit_place": (_("La tua posizione in un circuito:"), _("Vedi la classifica")),
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


def describe_cancellation(code: str) -> str:
    return {
        "too_few_entries": _("Gli iscritti erano meno del minimo."),
        "by_organiser": _("Lo ha annullato chi lo organizzava."),
        "organiser_gone": _("Chi lo organizzava ha chiuso il suo account."),
        "nobody_left": _("Si sono ritirati tutti: restavano solo i giocatori della casa."),
    }.get(code, "")
