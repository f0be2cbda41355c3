"""The tournament's log and the acts of its referees, in words."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.core.format_wording import describe_option
from tournaments.core.log_details import (
    ActDetail,
    CancellationDetail,
    ClocksActDetail,
    CommitmentDetail,
    ComparisonDetail,
    CountDetail,
    DrawDetail,
    EntriesDetail,
    LogDetail,
    LoggedResult,
    OptionDetail,
    PlayOffDetail,
    PrizeDetail,
    RealTableDetail,
    ResultActDetail,
    RoundClockDetail,
    RoundDetail,
    RoundHourDetail,
    RoundWayDetail,
    SiteDetail,
    SlipDetail,
    TimeActDetail,
)
from tournaments.core.result_wording import Names, describe_result
from tournaments.core.wording import describe_cancellation, name_clock, name_hall_place, name_round, write_ordinal
from tournaments.formats.protocol import WayOut

SHOWN_DIGITS = 8  # of a commitment: enough to compare

LOG_WORDS = {  # of the entries that need no details, by code
    "created": gettext_lazy("Torneo creato"),
    "texts_edited": gettext_lazy("Presentazione modificata"),
    "referee_named": gettext_lazy("Un arbitro in più"),
    "referee_dismissed": gettext_lazy("Un arbitro in meno"),
    "organiser_changed": gettext_lazy("Chi organizzava ha chiuso il suo account: ora organizza un altro"),
    "edited": gettext_lazy("Regole modificate"),
    "hall_marked": gettext_lazy("Segnato l'indirizzo della sala"),
    "hall_ended": gettext_lazy("Tolto l'indirizzo della sala"),
    "desk_pass_made": gettext_lazy("Dato un accesso al banco da un altro computer"),
    "desk_pass_used": gettext_lazy("Un altro computer è al banco"),
    "desk_pass_ended": gettext_lazy("Chiuso un accesso al banco"),
    "renamed": gettext_lazy("Corretto un nome scritto a mano"),
    "fees_set": gettext_lazy("Scritti quota e premi"),
    "table_fixed": gettext_lazy("Cambiato il tavolo fisso di un iscritto"),
    "list_chosen": gettext_lazy("Cambiata la lista di un iscritto"),
    "published": gettext_lazy("Iscrizioni aperte"),
    "seeded": gettext_lazy("Teste di serie cambiate"),
    "joined": gettext_lazy("Nuovo iscritto"),
    "applied": gettext_lazy("Una richiesta di iscrizione"),
    "queued": gettext_lazy("Uno in lista d'attesa"),
    "declined": gettext_lazy("Richieste di iscrizione non accettate"),
    "removed": gettext_lazy("Un iscritto tolto da chi organizza"),
    "name_forgotten": gettext_lazy("Un nome è stato tolto su richiesta"),
    "link_renewed": gettext_lazy("Nuovo link per iscriversi"),
    "checkin_opened": gettext_lazy("Check-in aperto"),
    "checked_in": gettext_lazy("Check-in"),
    "checked_out": gettext_lazy("Check-in tolto"),
    "left_out": gettext_lazy("Chi era in attesa resta fuori"),
    "invited": gettext_lazy("Nuova coppia, da confermare"),
    "link_made": gettext_lazy("Nuova coppia, da confermare"),
    "pair_joined": gettext_lazy("Coppia confermata"),
    "pair_expired": gettext_lazy("Una coppia non confermata perde il posto"),
    "pair_unconfirmed": gettext_lazy("Una coppia non confermata resta fuori"),
    "invitation_refused": gettext_lazy("Un invito rifiutato"),
    "invitation_taken_back": gettext_lazy("Un invito ritirato"),
    "substitute_asked": gettext_lazy("L'arbitro chiede a qualcuno di prendere un posto"),
    "return_asked": gettext_lazy("L'arbitro chiede a chi si era ritirato di tornare in gara"),
    "left": gettext_lazy("Un iscritto si ritira"),
    "self_left": gettext_lazy("Un iscritto si ritira"),
    "claim_asked": gettext_lazy("Un account dice di essere un iscritto"),
    "claim_accepted": gettext_lazy("Riconosciuto un account che dice di essere un iscritto"),
    "claim_refused": gettext_lazy("Non riconosciuto un account che dice di essere un iscritto"),
    "claim_revoked": gettext_lazy("Un account non è più riconosciuto come un iscritto"),
    "claim_taken_back": gettext_lazy("Un account non dice più di essere un iscritto"),
    "withdrawn": gettext_lazy("Un iscritto si ritira dal torneo"),
    "expelled": gettext_lazy("Un iscritto è fuori: tre forfait"),
    "ahead": gettext_lazy("Due iscritti giocano prima del loro turno"),
    "slip_called": gettext_lazy("Un tavolo chiama l'arbitro per il risultato"),
    "slip_confirmed": gettext_lazy("Un risultato scritto a un telefono è stato confermato"),
    "drawn": gettext_lazy("Sorteggio fatto: si comincia"),
    "finished": gettext_lazy("Torneo concluso"),
    "closed": gettext_lazy("Torneo chiuso: i posti pari restano come sono"),
    "closed_not": gettext_lazy("Torneo di nuovo aperto agli spareggi"),
}


def name_act(code: str, detail: ActDetail) -> str:
    """Return the name of a referee's act, by the code of its log entry without ``ruling_``."""
    if isinstance(detail, ClocksActDetail) and detail.all:
        if not detail.count:
            return _("Torneo sospeso") if code == "pause" else _("Torneo ripreso")
        text = (
            ngettext("Sospeso %(n)d tavolo", "Sospesi tutti i tavoli (%(n)d)", detail.count)
            if code == "pause"
            else ngettext("Ripreso %(n)d tavolo", "Ripresi tutti i tavoli (%(n)d)", detail.count)
        )
        return text % {"n": detail.count}
    if isinstance(detail, TimeActDetail):
        text = ngettext("Restituito %(n)d minuto", "Restituiti %(n)d minuti", detail.minutes)
        return text % {"n": detail.minutes}
    if code == "agreed" and isinstance(detail, ResultActDetail) and detail.typed_by is not None:
        return _("Risultato scritto da chi organizza e ci gioca, confermato dall'altra parte con il suo codice")
    return {
        "result": _("Risultato stabilito"),
        "entered": _("Risultato inserito"),
        "agreed": _("Risultato scritto da chi ci gioca, letto e confermato dall'altra parte"),
        "moved": _("Si gioca al tavolo vero"),
        "moved_back": _("Si gioca di nuovo sul sito"),
        "phones": _("Risultato scritto e confermato ai telefoni"),
        "unconfirmed": _("Risultato scritto a un telefono, non confermato"),
        "annulled": _("Incontro annullato"),
        "replay": _("Partita da rigiocare"),
        "reopened": _("Corretto: l'incontro è ancora da finire"),
        "forfeit": _("Forfait dichiarato"),
        "pause": _("Tavolo sospeso"),
        "resume": _("Tavolo ripreso"),
        "replace": _("Giocatore sostituito"),
        "withdrawn": _("Iscritto ritirato"),
        "expelled": _("Iscritto espulso"),
        "reinstated": _("Annullamento ritirato"),
        "returned": _("Iscritto di nuovo in gara"),
        "comparison": _("Confronto corretto"),
        "undone": _("Risultato ritirato da chi l'aveva scritto"),
    }.get(code, "")


def describe_change(code: str, detail: ActDetail, names: Names) -> tuple[str, str]:
    """Return the states before and after an act: "11–7, vince Anna · VP 12–8", or a clock; empty where it has none."""
    if isinstance(detail, TimeActDetail):
        return _describe_clock(detail.before), _describe_clock(detail.after)
    if isinstance(detail, ResultActDetail):
        return describe_result(detail.before, names), describe_result(detail.after, names)
    if isinstance(detail, ComparisonDetail):
        return "", _describe_comparison(detail)
    if isinstance(detail, RealTableDetail):
        place = name_hall_place(None, detail.number) or _("tavolo vero")
        return (_("sul sito"), place) if code == "moved" else (place, _("sul sito"))
    return "", ""


def _describe_comparison(detail: ComparisonDetail) -> str:
    """Return what counts of a fixture in the confronto after a referee's act (J10)."""
    parts = []
    if detail.deals:
        deals = " ".join("–" if pair is None else f"{pair[0]}–{pair[1]}" for pair in detail.deals)
        parts.append(_("smazzate %(deals)s") % {"deals": deals})
    if detail.percent is not None:
        first, second = (number_format(percent / 100, 2) for percent in detail.percent)
        parts.append(_("percentuali %(first)s e %(second)s") % {"first": first, "second": second})
    if detail.left_out:
        parts.append(_("le sue smazzate non si confrontano"))
    return ", ".join(parts) or _("come dicono le smazzate giocate")


def describe_undo(entered: ResultActDetail, names: Names) -> str:
    """Return what taking back an entry of a result brings back."""
    return _("%(first)s contro %(second)s: adesso %(after)s. Torna com'era: %(before)s.") % {
        "first": names[0],
        "second": names[1],
        "after": describe_result(entered.after, names),
        "before": describe_result(entered.before, names),
    }


def name_what_stays(code: str) -> str:
    """Return what a correction doesn't undo, by its code (F5)."""
    return {
        "notices": _("Gli avvisi già partiti: chi li ha avuti ne riceve un altro."),
        "pairings": _("Gli abbinamenti già pubblicati."),
        "prints": _("I fogli già stampati e i file già scaricati: vanno rifatti."),
        "prizes": _("I premi già stampati o consegnati: vanno ricontrollati."),
    }[code]


def _describe_clock(seconds: int | None) -> str:
    if seconds is None:
        return ""
    return _("%(minutes)d:%(seconds)02d sull'orologio") % {"minutes": seconds // 60, "seconds": seconds % 60}


def _describe_count(code: str, count: int) -> str:
    """Return the words of a log entry with a count; empty for one that says no number."""
    words = {
        "approved": ngettext("Iscrizione accettata", "%(n)d iscrizioni accettate", count),
        "moved_up": ngettext("Uno sale dalla lista d'attesa", "%(n)d salgono dalla lista d'attesa", count),
        "not_checked_in": ngettext("Uno non ha fatto il check-in: è fuori", "%(n)d senza check-in: sono fuori", count),
        "all_present": ngettext("All'appello: uno segnato presente", "All'appello: %(n)d segnati presenti", count),
        "roll_call_undone": ngettext(
            "All'appello: uno non più segnato presente", "All'appello: %(n)d non più segnati presenti", count
        ),
        "slips_printed": ngettext(
            "Stampati i segnapunti di un incontro", "Stampati i segnapunti di %(n)d incontri", count
        ),
        "entered_by_list": ngettext("Chi organizza fa un'iscrizione", "Chi organizza fa %(n)d iscrizioni", count),
        "entries_invited": ngettext("Chi organizza fa un invito", "Chi organizza fa %(n)d inviti", count),
        "invitations_lapsed": ngettext(
            "Un invito è scaduto senza risposta", "%(n)d inviti sono scaduti senza risposta", count
        ),
        "house_joined": ngettext("Si siede %(n)d giocatore della casa", "Si siedono %(n)d giocatori della casa", count),
    }.get(code, "")
    return words % {"n": count}


def _describe_round(code: str, detail: RoundDetail) -> str:
    """Return the sentence of a log entry about a round: published, or that it can't be paired (D1)."""
    words = {
        "decks_prepared": _("%(round)s: aperti i mazzi da preparare"),
        "round_stuck": _("%(round)s: non si può più abbinare, non restano abbastanza incontri nuovi"),
        "round_unstuck": _("%(round)s: si può di nuovo abbinare"),
        "rounds_dropped": _("%(round)s: non si può abbinare, e il torneo finisce con il turno prima"),
    }.get(code)
    return _describe_publication(detail) if words is None else words % {"round": name_round(*detail.round)}


def _describe_way(code: str, detail: RoundWayDetail) -> str:
    """Return the sentence of the organiser's choice for a round that can't be paired (D1), with its reason."""
    words = {
        WayOut.BYE: _("%(round)s: qualcuno riposa una seconda volta"),
        WayOut.REMATCH: _("%(round)s: qualcuno si incontra di nuovo"),
        WayOut.END: _("%(round)s: non si gioca, e il torneo finisce con il turno prima"),
    }[WayOut(detail.way)]
    chosen = words % {"round": name_round(*detail.round)}
    taken_back = _("Ritirata la scelta: %(choice)s. Motivo: %(reason)s")
    text = taken_back if code == "round_way_back" else _("%(choice)s. Motivo: %(reason)s")
    return text % {"choice": chosen, "reason": detail.reason}


def name_way(way: str) -> str:
    """Return what a way out of a round that can't be paired is, as the organiser chooses it (D1)."""
    return {
        WayOut.BYE: _("un secondo riposo: a chi ne ha avuti meno, e di quelli a chi è più in basso"),
        WayOut.REMATCH: _("una rivincita: quante meno si può, tra vicini in classifica"),
        WayOut.END: _("la fine: il torneo si chiude con il turno prima"),
    }[WayOut(way)]


def _describe_publication(detail: RoundDetail) -> str:
    parts = [_("%(round)s: pubblicato") % {"round": name_round(*detail.round)}]
    if detail.draws > 1:
        often = ngettext("sorteggiato %(n)d volta", "sorteggiato %(n)d volte", detail.draws)
        parts.append(often % {"n": detail.draws})
    if detail.swaps:
        by_hand = ngettext("%(n)d scambio a mano", "%(n)d scambi a mano", len(detail.swaps))
        parts.append(by_hand % {"n": len(detail.swaps)})
    return ", ".join(parts)


def _describe_wish(code: str, number: int | None) -> str:
    """Return the words of what was asked of the rounds for entries (D2-D4, O12), and of whoever entered by themselves
    (O2), without the names."""
    words = {
        "pairing_forbidden": _("Non devono incontrarsi"),
        "pairing_allowed": _("Possono di nuovo incontrarsi"),
        "bye_asked": _("Turno %(n)s, riposo chiesto"),
        "bye_absent": _("Turno %(n)s, assenza"),
        "bye_taken_back": _("Turno %(n)s, di nuovo in gioco"),
        "joined_late": _("In gara dal turno %(n)s"),
        "self_joined": _("Iscritto da sé, senza account"),
        "self_applied": _("Chiede di giocare, senza account"),
        "self_queued": _("In lista d'attesa da sé, senza account"),
        "line_up_named": _("Una squadra ha detto chi gioca"),
        "line_up_changed": _("Turno %(n)s, cambiata la formazione di una squadra"),
        "team_grown": _("Uno in più in una squadra"),
        "pair_tied": _("Restano in coppia al sorteggio"),
        "pair_untied": _("Si sorteggiano come gli altri"),
    }[code]
    return words % {"n": number} if number is not None else words


def describe_unreadable_results(code: str) -> str:
    """Return the sentence for a list of results that can't be read; empty for a code of any other list (O4)."""
    return {
        "no_results": _("Nell'elenco non c'è nessun risultato: scrivi i punti nelle loro colonne."),
        "too_big": _("Il file è troppo grande: può avere al massimo 4 MB."),
        "too_many_rows": _("Il file ha troppe righe: tieni quelle con i risultati."),
        "too_many_results": _("L'elenco ha più di 300 risultati: dividilo."),
        "no_result_columns": _(
            "Una riga deve dire che cosa c'è nelle colonne: servono Tavolo, Punti 1 e Punti 2, o quelle del file "
            "degli incontri."
        ),
    }.get(code, "")


def name_result_column(column: str) -> str:
    """Return the name of a column of a list of results; empty for the whole row."""
    return {
        "round": _("Turno"),
        "wave": _("Ondata"),
        "table": _("Tavolo"),
        "points": _("Punti"),
        "points_0": _("Punti del primo"),
        "points_1": _("Punti del secondo"),
        "games": _("Partite dell'incontro"),
        "winner": _("Vince (0 il primo, 1 il secondo)"),
        "both": _("Forfait di entrambi"),
        "decided": _("Decisa"),
        "first": _("Primo"),
        "second": _("Secondo"),
    }.get(column, "")


def list_logged_entries(detail: LogDetail) -> tuple[tuple[int, ...], ...]:
    """Return the ids of the entries that a log entry names, in the groups in which it names them."""
    if isinstance(detail, RoundDetail):
        return detail.swaps
    if isinstance(detail, PrizeDetail):
        return () if detail.entry is None else ((detail.entry,),)
    return (detail.entries,) if isinstance(detail, EntriesDetail | SlipDetail | PlayOffDetail) else ()


def _describe_play_off(code: str, detail: PlayOffDetail) -> str:
    """Return the sentence of an act on a play-off (EV11), without the names."""
    values = {
        "n": detail.number,
        "place": write_ordinal(detail.rank),
        "before": _describe_score(detail.before),
        "after": _describe_score(detail.after),
        "reason": detail.reason,
    }
    return {
        "play_off_opened": _("Spareggio %(n)s per il %(place)s posto: si gioca"),
        "play_off_result": _("Spareggio %(n)s per il %(place)s posto: %(after)s"),
        "play_off_changed": _("Spareggio %(n)s per il %(place)s posto: da %(before)s a %(after)s. Motivo: %(reason)s"),
        "play_off_dropped": _("Spareggio %(n)s per il %(place)s posto: tolto. Motivo: %(reason)s"),
    }[code] % values


def _describe_score(logged: LoggedResult | None) -> str:
    """Return the points of a match of a play-off, in the order of its two sides."""
    if logged is None or not logged.over:
        return _("da giocare")
    result = logged.result
    if result.double_forfeit:
        return _("doppio forfait")
    score = "" if result.points is None else f"{result.points[0]}–{result.points[1]}"
    return _("%(score)s per forfait") % {"score": score} if result.forfeits else score


def _describe_forgotten(score: tuple[int, int] | None) -> str:
    """Return the sentence of a result that waited when its slips were printed anew (O4)."""
    if score is None:
        return _("Segnapunti stampati di nuovo: il forfait scritto con il codice di prima va scritto da capo")
    return _(
        "Segnapunti stampati di nuovo: il %(first)s–%(second)s scritto con il codice di prima va scritto da capo"
    ) % {
        "first": score[0],
        "second": score[1],
    }


def _describe_site(code: str) -> str:
    """Return the sentence of what came from another site, or went there (O9)."""
    return {
        "imported": _("Importato da %(site)s"),
        "lent": _("Prestato a %(site)s: qui non cambia più, finché non torna"),
        "recalled": _("Richiamato da %(site)s"),
        "returned": _("Tornato da %(site)s"),
    }[code]


def _describe_clock_act(code: str, detail: RoundClockDetail) -> str:
    """Return the sentence of an act on a round's clock (O6)."""
    if code == "clock_extended" and detail.table is not None:
        code = "clock_extended_at"
    values = {
        "clock": name_clock(detail.round[0], detail.round[1], detail.wave, detail.own),
        "minutes": detail.minutes,
        "table": detail.table,
    }
    return {
        "clock_started": _("Parte l'orologio, %(minutes)s min: %(clock)s"),
        "clock_paused": _("Orologio fermo: %(clock)s"),
        "clock_resumed": _("L'orologio riparte: %(clock)s"),
        "clock_extended": _("%(minutes)s min in più per tutti: %(clock)s"),
        "clock_extended_at": _("%(minutes)s min in più al tavolo %(table)s: %(clock)s"),
    }[code] % values


def describe_log_entry(code: str, detail: LogDetail) -> str:
    """Return the words of a log entry (E2), without who and when; empty for what the page shows elsewhere."""
    if isinstance(detail, CountDetail) and (counted := _describe_count(code, detail.count)):
        return counted
    if isinstance(detail, OptionDetail):
        return _("Con %(entries)s iscritti: %(fact)s (erano previsti %(planned)s)") % {
            "entries": detail.entries,
            "planned": detail.planned,
            "fact": describe_option(detail.option, detail.drawn),
        }
    if isinstance(detail, CommitmentDetail):
        return _("Fissato l'impegno del sorteggio")
    if isinstance(detail, DrawDetail) and detail.partners is not None:
        pairs = len(detail.partners.pairs)
        text = ngettext("Sorteggiata %(n)d coppia", "Sorteggiate %(n)d coppie", pairs) % {"n": pairs}
        return _("%(pairs)s, sorteggio numero %(n)s: si comincia") % {"pairs": text, "n": max(1, detail.number)}
    if isinstance(detail, DrawDetail) and detail.number > 1:
        return _("Sorteggio numero %(n)s: si comincia") % {"n": detail.number}
    if isinstance(detail, EntriesDetail):
        return _describe_wish(code, detail.round)
    if isinstance(detail, SlipDetail):
        return _describe_forgotten(detail.score)
    if isinstance(detail, RoundDetail):
        return _describe_round(code, detail)
    if isinstance(detail, RoundWayDetail):
        return _describe_way(code, detail)
    if isinstance(detail, RoundHourDetail):
        return _("Nuova ora: %(round)s") % {"round": name_round(*detail.round)}
    if isinstance(detail, RoundClockDetail):
        return _describe_clock_act(code, detail)
    if isinstance(detail, SiteDetail):
        return _describe_site(code) % {"site": detail.site}
    if isinstance(detail, PrizeDetail):
        values = {"place": write_ordinal(detail.place), "what": detail.what, "reason": detail.reason}
        if detail.entry is None:
            return _("Premio del %(place)s posto, «%(what)s»: di nuovo a sorte. %(reason)s") % values
        return _("Premio del %(place)s posto, «%(what)s», dato da chi organizza. %(reason)s") % values
    if isinstance(detail, PlayOffDetail):
        return _describe_play_off(code, detail)
    if isinstance(detail, CancellationDetail):
        words = (_("Torneo annullato."), describe_cancellation(detail.because), detail.reason)
        return " ".join(part for part in words if part)
    return str(LOG_WORDS.get(code, ""))
