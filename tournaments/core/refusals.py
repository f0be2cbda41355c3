"""Sentences for refusals: the codes of ``core.errors`` in words. It refuses nothing itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from games import wording as games
from games.wording import describe_lengths
from players.wording import describe_hour_bounds, describe_wait
from tournaments.core.equal_refusals import describe_equal_refusal
from tournaments.core.errors import TournamentError
from tournaments.core.result_wording import describe_result
from tournaments.core.wording import describe_decision, describe_euros, name_fixture

SUMS_LISTED = 4  # sums of points that a refusal names one by one


def make_form_error(error: TournamentError) -> ValidationError:
    """Return a refusal as the error of a form, with its sentence and its code."""
    return ValidationError(describe_refusal(error.code, error.values), code=error.code)


def describe_refusal(code: str, values: Mapping[str, Any] | None = None) -> str:
    """Return the sentence of a code of ``tournaments.core.errors``."""
    known = dict(values or {})
    if code == "fixture_changed":
        return _describe_conflict(known)
    if code == "depended_on":
        return _("Da questo risultato ne dipendono altri, che vanno prima rifatti: %(fixtures)s.") % {
            "fixtures": "; ".join(name_fixture(*place) for place in known["fixtures"])
        }
    equal_refusal = describe_equal_refusal(code)
    if equal_refusal is not None:
        return equal_refusal
    slip_refusal = _describe_slip_refusal(code)
    if slip_refusal is not None:
        return slip_refusal % known
    ruling_refusal = describe_ruling_refusal(code, known)
    if ruling_refusal is not None:
        return ruling_refusal
    wait_refusal = _describe_wait_refusal(code)
    if wait_refusal is not None:
        return wait_refusal % {"wait": describe_wait(known["wait"])}
    if code == "length_without_vp" and not known["allowed"]:
        return _("Questo gioco non ha una tabella dei VP: in un girone non si può giocare.")
    if code == "length_without_vp":
        return _("In un girone questa lunghezza non ha una tabella dei VP. Scegli fra: %(allowed)s.") % {
            "allowed": describe_lengths(known["allowed"])
        }
    if code == "setup_refused":
        return games.describe_setup_fault(known["about"], known["reason"], known["allowed"])
    if code == "entries_range":
        return _("Gli iscritti devono essere da %(low)s a %(high)s, e il minimo non più del massimo.") % known
    if code == "code_length":
        return _("Un codice ha da %(low)s a %(high)s caratteri.") % known
    if code == "checkin_range":
        return _("Il check-in dura da 1 a %(high)s minuti.") % known
    if code == "lent":
        return _("Il torneo è in prestito a %(to)s: finché non torna, qui si legge soltanto.") % known
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
    if code == "groups_too_few":
        return _("In %(groups)s gironi stanno al massimo %(most)s iscritti.") % known
    if code == "rounds_too_many":
        return _("Con %(size)s iscritti si fanno al massimo %(most)s turni senza incontrarsi due volte.") % known
    if code == "round_minutes_range":
        return _("I minuti da un turno all'altro sono da %(low)s a %(high)s.") % known
    if code == "round_hours_many":
        return _("Sono troppe ore: al massimo %(limit)s, una per ogni turno dal secondo.") % known
    if code == "hall_tables_range":
        return _("I tavoli della sala sono da 1 a %(high)s.") % known
    if code == "bad_name":
        return _("«%(typed)s» non va bene come nome: da 3 a 60 caratteri, solo lettere, numeri, - _ . '.") % known
    if code == "cents_range":
        return _("Quote e premi vanno da 0 a %(high)s euro.") % known
    if code == "prizes_many":
        return _("I premi sono al massimo %(limit)s.") % known
    if code == "refund_range":
        return _("Si rende al massimo quello che è stato pagato: %(most)s.") % {"most": describe_euros(known["most"])}
    if code == "fixed_table_range":
        return _("I tavoli vanno da 1 a %(high)s.") % known
    if code == "fixed_table_taken":
        return _("Il tavolo %(table)s è già il tavolo fisso di %(by)s.") % known
    if code == "house_many":
        return _("La casa ha già %(limit)s posti, e in un torneo non ne prende di più. Aspetta altre persone.") % known
    if code == "house_of_organiser":
        return (
            _("Nei tuoi tornei giocano insieme al massimo %(limit)s giocatori della casa: aspetta che ne finisca uno.")
            % known
        )
    round_refusal = _describe_round_refusal(code)
    if round_refusal is not None:
        return round_refusal % known
    if code == "self_many":
        return _("Da questo telefono hai già fatto %(limit)s iscrizioni: per le altre chiedi al banco.") % known
    if code == "too_many_open":
        return (
            _("Hai già %(limit)s tornei non ancora cominciati, bozze comprese: aspetta che comincino, o annullane uno.")
            % known
        )
    return {
        "prizes_not_final": _("Chi prende un premio si sceglie quando il torneo è finito."),
        "prize_not_shared": _("Questo premio non è da scegliere: il posto è di uno solo, o si divide."),
        "prize_not_among": _("Questo iscritto non divide quel posto: la classifica può essere cambiata."),
        "name_missing": _("Dai un nome al torneo."),
        "unknown_format": _("Questa formula non esiste."),
        "unknown_format_option": _("Questa opzione non esiste."),
        "hall_not_today": _("Si segna il giorno del torneo, da dove si gioca."),
        "not_ahead": _("Questo incontro non si può anticipare."),
        "unknown_tie_break": _("Questo criterio non esiste."),
        "clocks_missing": _("In un torneo serve almeno un limite: il tempo per giocata o il tempo partita."),
        "start_in_the_past": _("L'ora d'inizio è già passata."),
        "round_hours_start": _("Per dare un'ora ai turni serve un'ora d'inizio stabilita."),
        "round_hours_order": _("Ogni turno comincia dopo quello prima, e il secondo dopo l'inizio del torneo."),
        "round_hours_late": _("Un turno può cominciare al massimo un anno dopo."),
        "round_begun": _("Un turno già cominciato non si sposta, e nessuno si sposta nel passato."),
        "hour_range": describe_hour_bounds(),
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
        "suspended": _("Il tuo account è sospeso: per ora non puoi giocare."),
        "cannot_play": _("Non si può: una di queste persone per ora non può giocare."),
        "house_not_allowed": _("Qui i giocatori della casa non sono ammessi."),
        "house_busy": _("I giocatori della casa adesso sono tutti occupati: riprova tra qualche minuto."),
        "full": _("Il torneo è al completo."),
        "queue_full": _("Anche la lista d'attesa è al completo: prova più tardi, o con un altro torneo."),
        "asking_full": _("Molti hanno già chiesto di giocare e aspettano una risposta: prova più tardi."),
        "levels_range": _("I livelli ammessi vanno da 0 a %(high)s, il minimo non oltre il massimo."),
        "level_outside": _("Il tuo livello non è fra quelli che questo torneo ammette."),
        "pair_level_outside": _("Il livello della coppia non è fra quelli che questo torneo ammette."),
        "unknown_seeding": _("Questo modo di assegnare le teste di serie non esiste."),
        "seeding_needs_start": _("Per decidere le teste di serie serve un'ora d'inizio stabilita."),
        "entered_already": _("Ci sono già iscritti: singoli o a coppie, sul sito o dal vivo, non si cambia più."),
        "unknown_venue": _("Si gioca sul sito o dal vivo."),
        "desk_passes_many": _("Ci sono già %(limit)s accessi al banco: chiudine uno."),
        "desk_pass_over": _(
            "Questo accesso non vale: è scaduto, chiuso, o di un altro computer. Chiedine uno nuovo a chi organizza."
        ),
        "imported_real": _("Un torneo importato si gioca dal vivo: qui non apre tavoli."),
        "not_real": _("Questo torneo si gioca sul sito: i nomi si scrivono a mano solo dove si gioca dal vivo."),
        "no_fee": _("Questo torneo non ha una quota: scrivila prima."),
        "not_paid": _("Non risulta che abbia pagato."),
        "no_source": _("Da questo torneo non si possono riprendere gli iscritti."),
        "no_roll_call": _("All'appello non è segnato nessuno: non c'è niente da annullare."),
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
        "invited_already": _("È già invitato a questo torneo, e non ha ancora risposto."),
        "not_invitable": _("Questa persona non si può invitare."),
        "partner_not_invitable": _("Questa persona non si può invitare."),
        "pair_complete": _("La tua coppia è già completa."),
        "too_many_invitations": _("Hai fatto molti inviti in poco tempo: aspetta un po', o manda un link."),
        "not_seeded_by_organiser": _("In questo torneo le teste di serie si sorteggiano."),
        "tables_open": _("A qualche tavolo si sta giocando: aspetta che finiscano, poi portalo via."),
        "file_too_big": _(
            "Il torneo è troppo grande per viaggiare: il suo file avrebbe più di %(limit)s MB, e nessun sito lo prende."
        ),
        "house_inside": _("Ci giocano giocatori della casa, che non lasciano il sito: questo torneo resta qui."),
        "file_own": _("Questo file viene da questo sito, dove il torneo c'è già."),
        "file_twice": _("Questo file è già stato importato."),
        "not_lent": _("Il torneo non è in prestito: è qui."),
        "place_missing": _("Scrivi dove lo porti: lo leggono tutti."),
        "file_forged": _("Questo file dice di tornare da un prestito che qui non c'è."),
        "file_returned": _("Da questo prestito il torneo è già tornato, con un altro file."),
        "file_recalled": _("Il torneo è stato richiamato: questo file non vale più."),
        "file_unchanged": _("È il file con cui il torneo è partito: per riaverlo com'era, richiamalo."),
        "claims_closed": _("In questo torneo adesso non si può dire «sono io»."),
        "claim_needs_address": _("Per dire «sono io» serve un account con l'e-mail confermata."),
        "claim_by_organiser": _("Chi organizza non può dire «sono io» nel suo torneo: darebbe la risposta da sé."),
        "claim_of_preparer": _("Chi ha preparato i mazzi di questo torneo non ci ha giocato: non può dire «sono io»."),
        "claim_once": _("In questo torneo hai già detto chi sei: si può una volta sola."),
        "claim_of_other": _("Quel nome è già di un altro account."),
        "claim_unknown": _("Questo nome non è fra gli iscritti senza account."),
        "claim_gone": _("Questa richiesta non c'è più, o ha già avuto risposta."),
        "no_offer": _("In questo momento non c'è un tavolo per chi arriva. Guarda i tornei aperti qui sotto."),
    }[code]


def _describe_round_refusal(code: str) -> str | None:
    """Return the sentence of a refused act about rounds that the organiser publishes (D4); None for any other code."""
    return {
        "publishes_hours": _("Se i turni li pubblichi tu non hanno un'ora loro: togli i minuti e le ore dei turni."),
        "rounds_publish_themselves": _("In questo torneo i turni si pubblicano da soli."),
        "too_few_to_draw": _("Per sorteggiare servono almeno %(least)s iscritti presenti."),
        "round_not_over": _("Il turno prima non è ancora finito."),
        "round_suspended": _("Il torneo è sospeso per tutti: riprendilo, poi pubblica il turno."),
        "nothing_to_draw": _("Non c'è niente da sorteggiare."),
        "no_draft": _("Prima sorteggia il turno."),
        "draft_changed": _("Nel frattempo la bozza è cambiata: guardala prima di pubblicarla."),
        "draft_stale": _("La bozza non vale più: da quando è sorteggiata è cambiato qualcosa. Sorteggia di nuovo."),
        "round_published": _("Questo turno è già pubblicato."),
        "bans_in_the_way": _(
            "Con gli incontri vietati il turno non si può sorteggiare. Togli questo divieto: %(bans)s."
        ),
        "clock_minutes_range": _("I minuti sono da 1 a %(high)s."),
        "unknown_clock_end": _("Allo scadere si può solo finire la smazzata, o fermarsi."),
        "no_clock": _("Questo turno non ha un orologio."),
        "clock_changed": _("L'orologio è già cambiato: guardalo, e se serve riprova."),
        "clock_held": _("Il torneo è sospeso: l'orologio riparte con tutto il torneo."),
        "cut_short_level": _("Pari allo scadere: si giocano smazzate di spareggio, una alla volta, al massimo tre."),
        "clock_table": _("A questo tavolo, in quest'ondata, nessuno gioca."),
        "swap_not_drafted": _("Scegli due iscritti diversi di questa bozza."),
        "swap_rematch": _("Così si incontrerebbero di nuovo due che hanno già giocato insieme."),
        "swap_bye_twice": _("Così riposerebbe chi ha già riposato una volta."),
        "swap_bye_asked": _("Uno dei due in questo turno non gioca: prima togli il suo riposo o la sua assenza."),
        "swap_forbidden": _("Così si incontrerebbero due che hai detto di non far incontrare: prima togli il divieto."),
        "round_stuck": _("Questo turno non si può abbinare con le regole: scegli come si va avanti."),
        "way_not_needed": _("Per questo turno non c'è niente da scegliere."),
        "way_not_there": _("Questa scelta qui non c'è: guarda quali restano."),
        "way_chosen": _("È già scelto così."),
        "no_way_chosen": _("Per questo turno non hai scelto niente."),
        "wishes_elsewhere": _("Si può solo in un torneo danese, prima che sia finito."),
        "ban_of_one": _("Scegli almeno due iscritti di questo torneo."),
        "bans_many": _("Sono troppi divieti: al massimo %(limit)s in un torneo."),
        "no_such_ban": _("Questo divieto non c'è più."),
        "bye_round": _("Questo turno non c'è, o è già pubblicato."),
        "bye_last_round": _("Nell'ultimo turno non si può chiedere un riposo."),
        "bye_asked_already": _("In quel turno non gioca già."),
        "bye_once": _("Un riposo si chiede una volta sola."),
        "byes_many": _("Fra riposi chiesti e turni persi se ne contano al massimo due."),
        "byes_leave_nobody": _("In quel turno resterebbe in gioco meno di due iscritti."),
        "late_closed": _("Chi arriva tardi qui non entra più."),
        "late_by_organiser": _("Qui chi arriva tardi lo fa entrare chi organizza: chiediglielo."),
        "late_asked_already": _("Hai già chiesto di entrare: aspetta la risposta."),
        "late_people": _("Servono i nomi di tutti: %(seats)s per iscrizione."),
        "team_size_range": _("Una squadra può avere da %(low)d a %(high)d persone."),
        "team_tables_range": _("Un incontro si gioca a un tavolo, o fra squadre a due."),
        "two_tables_ko": _("A due tavoli si gioca un girone o una danese: dove qualcuno è eliminato no."),
        "two_tables_people": _("A due tavoli una squadra è almeno di %(least)d persone."),
        "two_tables_hall": _("Per giocare a due tavoli in sala ne servono almeno due."),
        "teams_on_site": _("Sul sito le squadre giocano a due tavoli e a carte uguali: scegli anche quelle."),
        "team_size_on_site": _("Sul sito una squadra ha %(size)d persone: quante giocano ai due tavoli."),
        "needs_team": _("Qui si gioca a squadre di quattro: iscrivi la tua squadra."),
        "team_asked": _("La tua squadra aspetta già che gli altri accettino."),
        "team_level_outside": _("Il livello della squadra non è fra quelli che questo torneo ammette."),
        "teams_typed": _(
            "Le squadre si iscrivono con il loro nome prima del sorteggio; dopo le aggiunge chi organizza."
        ),
        "no_teams": _("In questo torneo non si gioca a squadre."),
        "line_up_size": _("Segna chi gioca: %(size)d, né di più né di meno."),
        "line_up_stranger": _("Può giocare solo chi è della squadra."),
        "line_up_played": _("Questo incontro non aspetta più di essere giocato: la formazione resta quella."),
        "team_full": _("La squadra è al completo: può avere al massimo %(high)d persone."),
        "no_such_bye": _("Questo riposo non c'è più, o il turno è già pubblicato."),
    }.get(code)


def _describe_slip_refusal(code: str) -> str | None:
    """Return the sentence of what score slips and telephones refuse (O4); None for any other code."""
    return {
        "slip_code_wrong": _("Questo codice non c'è. Controlla come è scritto sul tuo segnapunti."),
        "slip_code_elsewhere": _("Questo codice è di un altro tavolo."),
        "slip_code_over": _("Questo codice è di un turno già passato: serve il segnapunti di questo turno."),
        "slip_code_own": _("Questo è il codice di chi ha scritto: serve quello degli altri."),
        "slip_codes_many": _("Troppi codici sbagliati: per questo risultato andate al banco."),
        "slip_closed": _("Il risultato di questo incontro c'è già."),
        "slip_changed": _("Nel frattempo gli altri hanno cambiato quello che avevano scritto: guardate di nuovo."),
        "slip_nothing": _("Qui non c'è niente da confermare."),
        "slips_none": _("Non c'è nessun incontro da stampare."),
        "confirm_range": _("I minuti vanno da 1 a %(high)s."),
    }.get(code)


def _describe_wait_refusal(code: str) -> str | None:
    """Return the sentence of an act that is possible again after a while (AT6); None for any other code."""
    return {
        "entered_often": _("Ti sei iscritto a troppi tornei in poco tempo. Riprova %(wait)s."),
        "self_often": _("Da qui si sono iscritti in troppi: chiedi al banco, o riprova %(wait)s."),
        "claimed_often": _("Hai detto «sono io» troppe volte in poco tempo. Riprova %(wait)s."),
        "made_often": _("Hai creato troppi tornei in poco tempo. Riprova %(wait)s."),
        "brought_often": _("Hai importato troppi file in poco tempo. Riprova %(wait)s."),
        "file_busy": _("In questo momento il sito sta già leggendo un altro file. Riprova fra un minuto."),
        "played_often": _("Hai premuto «Gioca subito» troppe volte in poco tempo. Riprova %(wait)s."),
        "withdrew_often": _("Ti sei ritirato da troppi tornei in poco tempo. Riprova %(wait)s."),
        "tables_busy": _("La casa gioca già a tutti i suoi tavoli. Riprova %(wait)s, o siediti a un tavolo libero."),
        "halls_often": _("Hai segnato troppi indirizzi in poco tempo. Riprova %(wait)s."),
    }.get(code)


def describe_ruling_refusal(code: str, values: Mapping[str, Any]) -> str | None:
    """Return the sentence of a refused act of a referee; None for any other code."""
    values = {**values, **_describe_values(values)}
    text = {
        "not_referee": _("Può farlo solo chi arbitra questo torneo."),
        "act_gone": _("Nel frattempo qualcosa è cambiato: qui questo non si può più fare."),
        "real_already": _("Si gioca già al tavolo vero."),
        "not_moved": _("Non si gioca al tavolo vero."),
        "result_in": _("C'è già un risultato, o non si gioca: dove si gioca non cambia più."),
        "house_stays": _("I giocatori della casa giocano solo sul sito."),
        "plays_there": _("Ci giochi tu: su questo incontro decide un altro arbitro."),
        "plays_against": _("Ci giochi contro anche tu, o potrebbe toccarti: qui decide un altro arbitro."),
        "not_running": _("Il torneo non è ancora cominciato: non c'è niente da decidere."),
        "reason_missing": _("Scrivi il motivo: resta nel registro, e lo leggono tutti."),
        "reason_long": _("Il motivo è troppo lungo: al massimo %(limit)s caratteri."),
        "no_such_fixture": _("Questo incontro non c'è, o non ha ancora due avversari."),
        "no_such_line": _("Chi hai indicato non gioca in questo incontro."),
        "no_such_entry": _("Questo iscritto non è fra quelli sorteggiati."),
        "no_such_result": _("Questo risultato non è possibile."),
        "points_many": _("Troppi punti: qui una parte ne fa al massimo %(most)s."),
        "points_few": _("Nessuno è arrivato a %(target)s punti: la partita non sarebbe finita."),
        "points_total": _(
            "Non possono essere %(total)s punti in tutto: le smazzate di questa partita ne danno %(sums)s."
        ),
        "points_impossible": _("Con le smazzate di questa partita non si arriva a questi punti."),
        "deal_impossible": _(
            "La smazzata %(deal)s non può finire %(score)s: in tutto dà %(sums)s, divisi come le carte permettono."
        ),
        "deals_many": _("La partita era già finita prima della smazzata %(deal)s: ne hai scritta qualcuna di troppo."),
        "deals_few": _("Dopo la smazzata %(deal)s la partita non è finita: ne manca qualcuna."),
        "level_is_draw": _("A pari punti qui non vince nessuno."),
        "level_has_winner": _("A pari punti vince chi ha fatto l'ultima presa: indica chi."),
        "way_missing": _("Con questi punti può vincere solo %(ways)s: indica come, o controlla i punti."),
        "way_impossible": _("Chi vince %(way)s non può finire con questi punti."),
        "ko_needs_winner": _(
            "In un'eliminazione diretta uno vince: scrivi anche i punti dello spareggio, o scegli chi vince."
        ),
        "ko_not_annulled": _("In un'eliminazione diretta un incontro non si annulla: qualcuno deve passare il turno."),
        "draw_uneven": _("Con punti diversi non è un pareggio: scegli chi vince."),
        "vp_range": _("I due VP, insieme, sono al massimo %(most)s."),
        "vp_to_the_loser": _("Chi vince non può avere meno VP di chi perde."),
        "nothing_to_undo": _(
            "Non c'è niente da ritirare: il tuo ultimo risultato non è più questo, o ha chiuso un tavolo."
        ),
        "not_played_yet": _("Non si è ancora giocato: non c'è niente da rigiocare."),
        "table_over": _("La partita è appena finita da sé: guarda com'è andata, poi decidi."),
        "no_open_table": _("A questo tavolo adesso non si gioca."),
        "no_such_call": _("Questa chiamata non è di questo torneo."),
        "all_paused": _("Il torneo è già sospeso."),
        "none_paused": _("Qui non c'è niente di sospeso."),
        "paused_already": _("Questo tavolo è già sospeso."),
        "not_paused": _("Questo tavolo non è sospeso."),
        "minutes_range": _("Si restituiscono da 1 a %(high)s minuti alla volta."),
        "nothing_to_give": _("In questo momento questo giocatore non ha un tempo da allungare."),
        "entry_left": _("Questo iscritto si è già ritirato."),
        "entry_stays": _("Questo iscritto non è fuori: non c'è niente da riprendere."),
        "not_annulled": _("Questo incontro non è annullato."),
        "entry_plays": _("Adesso sta giocando: si sostituisce prima del prossimo incontro."),
        "player_unknown": _("Qui nessuno si chiama così. Controlla il nome."),
        "player_entered": _("Gioca già in questo torneo."),
    }.get(code)
    return None if text is None else text % values


def _describe_conflict(values: Mapping[str, Any]) -> str:
    """Return the refusal of an act on a fixture that somebody else has changed meanwhile, with what stands there."""
    stored = describe_result(values["stored"], values["names"])
    if values["by"] is None:
        now = _("Nel frattempo questo incontro è cambiato: adesso è %(stored)s.") % {"stored": stored}
    else:
        now = _("Nel frattempo %(by)s ha cambiato questo incontro: adesso è %(stored)s.") % {
            "by": values["by"],
            "stored": stored,
        }
    typed = values.get("typed")
    own = _("Il tuo non è stato scritto: %(typed)s.") % {"typed": typed} if typed else _("Il tuo non è stato scritto.")
    return f"{now} {own}"


def _describe_values(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the codes and sums among the values of a refusal in words."""
    named = {}
    if "victories" in values:
        named["ways"] = _(" o ").join(map(describe_decision, values["victories"]))
    if "victory" in values:
        named["way"] = describe_decision(values["victory"])
    totals: Sequence[int] = values.get("totals", ())
    if len(totals) > SUMS_LISTED:
        named["sums"] = _("da %(low)d a %(high)d") % {"low": totals[0], "high": totals[-1]}
    elif totals:
        named["sums"] = _(" o ").join(str(total) for total in totals)
    return named
