"""TournamentError and the closed list of what it refuses: a row a refusal, its code and its sentence.

Where a sentence is empty, ``core.refusals`` makes it of the values.
"""

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

REFUSALS: "dict[str, StrOrPromise]" = {
    # Setting one up.
    "name_missing": _("Dai un nome al torneo."),
    "unknown_format": _("Questa formula non esiste."),
    "unknown_format_option": _("Questa opzione non esiste."),
    "option_range": _("Dev'essere un numero da %(low)s a %(high)s."),  # values: name, low, high
    "groups_too_many": _("Per %(groups)s gironi servono almeno %(least)s posti."),  # values: groups, least
    "groups_too_few": _("In %(groups)s gironi stanno al massimo %(most)s iscritti."),  # values: groups, most
    # values: size, most
    "rounds_too_many": _("Con %(size)s iscritti si fanno al massimo %(most)s turni senza incontrarsi due volte."),
    "round_minutes_range": _("I minuti da un turno all'altro sono da %(low)s a %(high)s."),  # values: low, high
    "round_hours_start": _("Per dare un'ora ai turni serve un'ora d'inizio stabilita."),
    "round_hours_order": _("Ogni turno comincia dopo quello prima, e il secondo dopo l'inizio del torneo."),
    "round_hours_many": _("Sono troppe ore: al massimo %(limit)s, una per ogni turno dal secondo."),  # values: limit
    "round_hours_late": _("Un turno può cominciare al massimo un anno dopo."),
    "round_begun": _("Un turno già cominciato non si sposta, e nessuno si sposta nel passato."),
    "unknown_tie_break": _("Questo criterio non esiste."),
    "tie_break_order": _("In un ordine ogni criterio sta una volta sola, e dopo il sorteggio non viene più niente."),
    "tie_break_rounds": _("Il Buchholz c'è solo dove i turni si sorteggiano uno per uno: nel danese."),
    "setup_refused": "",  # values: reason, the rules' own code; about and allowed, as in games.options.Fault
    # V4; values: allowed, the lengths that have a column
    "length_without_vp": _("In un girone questa lunghezza non ha una tabella dei VP. Scegli fra: %(allowed)s."),
    # G8: turn timeout and match clock both off
    "clocks_missing": _("In un torneo serve almeno un limite: il tempo per giocata o il tempo partita."),
    # values: low, high
    "entries_range": _("Gli iscritti devono essere da %(low)s a %(high)s, e il minimo non più del massimo."),
    "start_in_the_past": _("L'ora d'inizio è già passata."),
    "start_too_far": _("Un torneo si annuncia al massimo un anno prima."),
    "hour_range": "",  # of another age than players.bounds knows
    # values: limit
    "too_many_open": _(
        "Hai già %(limit)s tornei non ancora cominciati, bozze comprese: aspetta che comincino, o annullane uno."
    ),
    # values: wait, the time until it is possible again
    "made_often": _("Hai creato troppi tornei in poco tempo. Riprova %(wait)s."),
    "brought_often": _("Hai importato troppi file in poco tempo. Riprova %(wait)s."),  # files; values: wait
    # somebody else's is being taken in
    "file_busy": _("In questo momento il sito sta già leggendo un altro file. Riprova fra un minuto."),
    # an imported tournament opens no tables of the site
    "imported_real": _("Un torneo importato si gioca dal vivo: qui non apre tavoli."),
    "hall_tables_range": _("I tavoli della sala sono da 1 a %(high)s."),  # values: high
    "unknown_seeding": _("Questo modo di assegnare le teste di serie non esiste."),
    "levels_range": _("I livelli ammessi vanno da 0 a %(high)s, il minimo non oltre il massimo."),  # values: high
    "level_outside": _(
        "Il tuo livello non è fra quelli che questo torneo ammette."
    ),  # of whoever would enter alone (L7)
    "pair_level_outside": _("Il livello della coppia non è fra quelli che questo torneo ammette."),
    # who seeds needs time between the last entry and the draw
    "seeding_needs_start": _("Per decidere le teste di serie serve un'ora d'inizio stabilita."),
    # pairs or single players: not to be changed once somebody is in
    "entered_already": _("Ci sono già iscritti: singoli o a coppie, sul sito o dal vivo, non si cambia più."),
    # guests don't organise
    "not_a_member": _("Per organizzare un torneo serve un account. Iscriviti: ci vuole un attimo."),
    "text_too_long": _("Il testo è troppo lungo: al massimo %(limit)s caratteri."),  # values: limit
    "unknown_time_zone": _("Questo fuso orario non c'è."),
    "not_of_club": _("A nome di questo circolo non puoi organizzare."),  # they may not organise in its name
    # Referees (F1).
    "referee_unknown": _("Qui nessuno si chiama così. Controlla il nome."),
    "referee_is_guest": _("È un ospite: un arbitro deve avere un account."),
    "referee_is_house": _("È un giocatore della casa: non può arbitrare."),
    "referee_already": _("È già fra gli arbitri."),
    "no_referee": _("Non è fra gli arbitri."),
    "too_many_referees": _("Più di %(limit)s arbitri non servono: aspetta un po', o togline uno."),  # values: limit
    # Series (E7).
    "not_series": _("Questa serie non è tua."),  # another's, or gone
    "series_range": _("Un torneo si apre da uno a %(high)s giorni prima."),  # weekday or days ahead; values: high
    "too_many_series": _("Hai già %(limit)s serie: fermane una."),  # values: limit
    # Score slips and telephones (O4).
    "slip_code_wrong": _("Questo codice non c'è. Controlla come è scritto sul tuo segnapunti."),
    "slip_code_elsewhere": _("Questo codice è di un altro tavolo."),  # of another table
    # of another round
    "slip_code_over": _("Questo codice è di un turno già passato: serve il segnapunti di questo turno."),
    # of the very side that typed
    "slip_code_own": _("Questo è il codice di chi ha scritto: serve quello degli altri."),
    "slip_codes_many": _("Troppi codici sbagliati: per questo risultato andate al banco."),  # wrong ones
    "slip_closed": _("Il risultato di questo incontro c'è già."),  # the result is in
    # the other side has typed something else since
    "slip_changed": _("Nel frattempo gli altri hanno cambiato quello che avevano scritto: guardate di nuovo."),
    "slip_nothing": _("Qui non c'è niente da confermare."),  # nothing to confirm or to object to
    "slips_none": _("Non c'è nessun incontro da stampare."),  # no fixture to print for
    "confirm_range": _("I minuti vanno da 1 a %(high)s."),  # values: high
    # Taken to another site (O9).
    "tables_open": _("A qualche tavolo si sta giocando: aspetta che finiscano, poi portalo via."),
    "house_inside": _("Ci giocano giocatori della casa, che non lasciano il sito: questo torneo resta qui."),
    # values: limit, in MB
    "file_too_big": _(
        "Il torneo è troppo grande per viaggiare: il suo file avrebbe più di %(limit)s MB, e nessun sito lo prende."
    ),
    "file_own": _("Questo file viene da questo sito, dove il torneo c'è già."),  # of this very site
    "file_twice": _("Questo file è già stato importato."),  # taken in before
    "lent": _("Il torneo è in prestito a %(to)s: finché non torna, qui si legge soltanto."),  # values: to
    "not_lent": _("Il torneo non è in prestito: è qui."),
    "place_missing": _("Scrivi dove lo porti: lo leggono tutti."),
    "file_forged": _("Questo file dice di tornare da un prestito che qui non c'è."),
    "file_returned": _("Da questo prestito il torneo è già tornato, con un altro file."),
    "file_recalled": _("Il torneo è stato richiamato: questo file non vale più."),
    "file_unchanged": _("È il file con cui il torneo è partito: per riaverlo com'era, richiamalo."),
    # Its life.
    "not_organiser": _("Può farlo solo chi organizza il torneo."),
    "not_a_draft": _("Il torneo è già pubblicato."),
    "drawn": _("Il sorteggio è già fatto: non si può più cambiare."),  # after the draw only the name can change (E2)
    "over": _("Il torneo è finito."),  # finished or cancelled
    # Entering and leaving.
    "registration_closed": _("Le iscrizioni sono chiuse."),
    "not_signed_in": _("Per iscriverti entra con il tuo account, o come ospite."),
    "account_needed": _("Per iscriverti serve un account."),  # not signed in, where guests aren't allowed
    "already_entered": _("Sei già fra gli iscritti."),
    "not_entered": _("Non sei fra gli iscritti."),
    "guests_not_allowed": _("Qui si iscrive solo chi ha un account."),
    "suspended": _("Il tuo account è sospeso: per ora non puoi giocare."),  # by moderators (U2)
    # somebody else who would come in: why is nobody's business
    "cannot_play": _("Non si può: una di queste persone per ora non può giocare."),
    "house_not_allowed": _("Qui i giocatori della casa non sono ammessi."),
    # of the house in one tournament; values: limit
    "house_many": _("La casa ha già %(limit)s posti, e in un torneo non ne prende di più. Aspetta altre persone."),
    # house players in all tournaments of one organiser; values: limit
    "house_of_organiser": _(
        "Nei tuoi tornei giocano insieme al massimo %(limit)s giocatori della casa: aspetta che ne finisca uno."
    ),
    # no house players are free now
    "house_busy": _("I giocatori della casa adesso sono tutti occupati: riprova tra qualche minuto."),
    "full": _("Il torneo è al completo."),
    "queue_full": _("Anche la lista d'attesa è al completo: prova più tardi, o con un altro torneo."),
    "asking_full": _("Molti hanno già chiesto di giocare e aspettano una risposta: prova più tardi."),
    # nothing to play now
    "no_offer": _("In questo momento non c'è un tavolo per chi arriva. Guarda i tornei aperti qui sotto."),
    # values: wait, the time until it is possible again
    "entered_often": _("Ti sei iscritto a troppi tornei in poco tempo. Riprova %(wait)s."),
    # by name, from one address; values: wait
    "self_often": _("Da qui si sono iscritti in troppi: chiedi al banco, o riprova %(wait)s."),
    # by name, from one browser; values: limit
    "self_many": _("Da questo telefono hai già fatto %(limit)s iscrizioni: per le altre chiedi al banco."),
    "played_often": _("Hai premuto «Gioca subito» troppe volte in poco tempo. Riprova %(wait)s."),  # values: wait
    "withdrew_often": _("Ti sei ritirato da troppi tornei in poco tempo. Riprova %(wait)s."),  # values: wait
    # values: wait
    "tables_busy": _("La casa gioca già a tutti i suoi tavoli. Riprova %(wait)s, o siediti a un tavolo libero."),
    # The hall (AT6).
    "hall_not_today": _("Si segna il giorno del torneo, da dove si gioca."),
    "halls_often": _("Hai segnato troppi indirizzi in poco tempo. Riprova %(wait)s."),  # values: wait
    # Passes of the desk (O9).
    "desk_passes_many": _("Ci sono già %(limit)s accessi al banco: chiudine uno."),  # values: limit
    "desk_pass_over": _(
        "Questo accesso non vale: è scaduto, chiuso, o di un altro computer. Chiedine uno nuovo a chi organizza."
    ),
    # How one enters, and the check-in (E3, E4).
    "unknown_registration": _("Questo modo di iscriversi non esiste."),
    "code_length": _("Un codice ha da %(low)s a %(high)s caratteri."),  # values: low, high
    "checkin_needs_start": _("Per il check-in serve un'ora d'inizio stabilita."),
    "checkin_range": _("Il check-in dura da 1 a %(high)s minuti."),  # values: high
    "link_needed": _("Qui si entra con il link di chi organizza: chiediglielo."),
    "code_needed": _("Qui si entra con il codice di chi organizza: chiediglielo."),
    "code_wrong": _("Il codice non è questo. Controlla come è scritto."),
    "too_many_codes": _("Hai provato molti codici: aspetta un po' e riprova."),
    "list_only": _("Qui gioca solo chi è nell'elenco di chi organizza."),
    "no_link": _("In questo torneo non ci si iscrive con un link."),
    "entry_gone": _("Questa iscrizione non c'è più, o ha già avuto risposta."),  # left, removed or answered meanwhile
    # the organiser answers pairs that are two
    "pair_incomplete": _("La coppia non è ancora completa: si accetta quando sono in due."),
    "checkin_not_open": _("Il check-in non è ancora aperto."),
    # a list that fills a sit and go, where nobody said that it may start
    "would_start": _("Con questo elenco il torneo è al completo e comincia subito: conferma."),
    # values: problems, as services.imports says them
    "list_refused": _("Nell'elenco c'è qualcosa che non va: non è stato iscritto nessuno."),
    # At real tables (O1-O3).
    # it is played on the site
    "not_real": _("Questo torneo si gioca sul sito: i nomi si scrivono a mano solo dove si gioca dal vivo."),
    # nothing was ticked that could be taken back
    "no_roll_call": _("Nell'ultima mezz'ora all'appello non è stato segnato nessuno: non c'è niente da annullare."),
    "cents_range": _("Quote e premi vanno da 0 a %(high)s euro."),  # values: high, in euros
    "prizes_many": _("I premi sono al massimo %(limit)s."),  # values: limit
    "prizes_not_final": _("Chi prende un premio si sceglie quando il torneo è finito."),
    # nobody shares this place, or all of it can be divided
    "prize_not_shared": _("Questo premio non è da scegliere: il posto è di uno solo, o si divide."),
    # the entry isn't one of those who share the place
    "prize_not_among": _("Questo iscritto non divide quel posto: la classifica può essere cambiata."),
    "no_fee": _("Questo torneo non ha una quota: scrivila prima."),
    "not_paid": _("Non risulta che abbia pagato."),
    "refund_range": _("Si rende al massimo quello che è stato pagato: %(most)s."),  # values: most, in cents
    # no tournament to take entries over from
    "no_source": _("Da questo torneo non si possono riprendere gli iscritti."),
    # values: typed
    "bad_name": _("«%(typed)s» non va bene come nome: da 3 a 60 caratteri, solo lettere, numeri, - _ . '."),
    "fixed_table_taken": _("Il tavolo %(table)s è già il tavolo fisso di %(by)s."),  # values: table, by
    "fixed_table_range": _("I tavoli vanno da 1 a %(high)s."),  # values: high
    # Claims of accounts to be somebody who was entered by name (O2).
    "claims_closed": _("In questo torneo adesso non si può dire «sono io»."),
    "claim_needs_address": _("Per dire «sono io» serve un account con l'e-mail confermata."),
    "claim_by_organiser": _("Chi organizza non può dire «sono io» nel suo torneo: darebbe la risposta da sé."),
    # who saw decks before they were played (J5)
    "claim_of_preparer": _("Chi ha preparato i mazzi di questo torneo non ci ha giocato: non può dire «sono io»."),
    "claim_once": _("In questo torneo hai già detto chi sei: si può una volta sola."),
    "claim_of_other": _("Quel nome è già di un altro account."),  # somebody else is known to be them
    "claim_unknown": _("Questo nome non è fra gli iscritti senza account."),  # no such name
    "claim_gone": _("Questa richiesta non c'è più, o ha già avuto risposta."),  # answered or taken back meanwhile
    "claimed_often": _("Hai detto «sono io» troppe volte in poco tempo. Riprova %(wait)s."),  # values: wait
    # Pairs.
    "needs_partner": _("Qui si gioca a coppie: iscriviti con un compagno."),  # a single player can't enter
    "not_pairs": _("Qui non si gioca a coppie."),
    "partner_unknown": _("Qui nessuno si chiama così. Controlla il nome, o manda un link."),
    "partner_is_you": _("Il compagno dev'essere un altro."),
    "partner_is_house": _("Per un compagno della casa c'è il pulsante apposta."),
    "partner_is_guest": _("È un ospite, e qui gioca solo chi ha un account."),  # where guests aren't allowed
    "partner_entered": _("È già iscritto in un'altra coppia."),
    # withdrawn, given to somebody else, taken by somebody else, or too late
    "invitation_gone": _("Questo invito non vale più."),
    "invited_already": _("È già invitato a questo torneo, e non ha ancora risposto."),
    "not_invitable": _("Questa persona non si può invitare."),  # why is nobody's business
    "partner_not_invitable": _("Questa persona non si può invitare."),
    "pair_complete": _("La tua coppia è già completa."),
    "too_many_invitations": _("Hai fatto molti inviti in poco tempo: aspetta un po', o manda un link."),
    # A referee's acts (F1-F3).
    "not_referee": _("Può farlo solo chi arbitra questo torneo."),
    "plays_there": _("Ci giochi tu: su questo incontro decide un altro arbitro."),
    # an entry the referee meets, has met or may still meet
    "plays_against": _("Ci giochi contro anche tu, o potrebbe toccarti: qui decide un altro arbitro."),
    "not_running": _("Il torneo non è ancora cominciato: non c'è niente da decidere."),
    "reason_missing": _("Scrivi il motivo: resta nel registro, e lo leggono tutti."),
    "reason_long": _("Il motivo è troppo lungo: al massimo %(limit)s caratteri."),  # values: limit
    "no_such_fixture": _("Questo incontro non c'è, o non ha ancora due avversari."),
    "no_such_line": _("Chi hai indicato non gioca in questo incontro."),
    "no_such_entry": _("Questo iscritto non è fra quelli sorteggiati."),
    "no_such_result": _("Questo risultato non è possibile."),
    "points_many": _("Troppi punti: qui una parte ne fa al massimo %(most)s."),  # values: most, that a line can have
    # values: target, that nobody has reached
    "points_few": _("Nessuno è arrivato a %(target)s punti: la partita non sarebbe finita."),
    # values: total, and totals, the possible ones
    "points_total": _("Non possono essere %(total)s punti in tutto: le smazzate di questa partita ne danno %(sums)s."),
    "points_impossible": _("Con le smazzate di questa partita non si arriva a questi punti."),
    # values: deal, score, and totals, the possible ones of a deal
    "deal_impossible": _(
        "La smazzata %(deal)s non può finire %(score)s: in tutto dà %(sums)s, divisi come le carte permettono."
    ),
    # values: deal, the first after the end
    "deals_many": _("La partita era già finita prima della smazzata %(deal)s: ne hai scritta qualcuna di troppo."),
    "deals_few": _("Dopo la smazzata %(deal)s la partita non è finita: ne manca qualcuna."),  # values: deal, the last
    "level_is_draw": _("A pari punti qui non vince nessuno."),  # G7
    "level_has_winner": _("A pari punti vince chi ha fatto l'ultima presa: indica chi."),  # T8, A2
    # O6: a KO needs tie-break deals
    "cut_short_level": _("Pari allo scadere: si giocano smazzate di spareggio, una alla volta, al massimo tre."),
    # values: victories, the codes of those by which such an entry may win (T9, C5, C6, forfeit)
    "way_missing": _("Con questi punti può vincere solo %(ways)s: indica come, o controlla i punti."),
    # values: victory, the one that doesn't give such points
    "way_impossible": _("Chi vince %(way)s non può finire con questi punti."),
    # EV1: values: needed, how many games win a fixture
    "games_undecided": _("Nessuno ha ancora vinto %(needed)s partite: scrivi anche le altre."),
    "games_many": _("Chi ha vinto %(needed)s partite ha vinto l'incontro: altre non se ne giocano."),
    "games_level": _("Pari nelle partite allo scadere: decide una smazzata di spareggio, che si scrive come partita."),
    "games_missing": _("Scrivi i punti di ogni partita."),
    "games_only_won": _("In questo torneo si scrive solo quante partite ha vinto ognuno."),
    "games_score": _("Queste partite danno un altro conto di partite vinte."),
    "games_winner": _("Con queste partite vince l'altro."),
    # values: game, its number
    "game_after_time": _("La partita %(game)s l'ha fermata l'orologio: dopo si gioca solo lo spareggio, se è pari."),
    # values: game, its number; fault and details, the code and the values of why
    "game_impossible": _("Partita %(game)s: %(why)s"),
    "no_games": _("Qui un incontro è una partita sola: scrivi i suoi punti."),
    "ko_needs_winner": _(
        "In un'eliminazione diretta uno vince: scrivi anche i punti dello spareggio, o scegli chi vince."
    ),
    "ko_not_annulled": _("In un'eliminazione diretta un incontro non si annulla: qualcuno deve passare il turno."),
    "draw_uneven": _("Con punti diversi non è un pareggio: scegli chi vince."),
    "vp_range": _("I due VP, insieme, sono al massimo %(most)s."),  # values: most
    "vp_to_the_loser": _("Chi vince non può avere meno VP di chi perde."),
    "fixture_changed": "",  # values: stored; names; by, who wrote it, or None; typed: the other one, in words
    "nothing_to_undo": _(
        "Non c'è niente da ritirare: il tuo ultimo risultato non è più questo, o ha chiuso un tavolo."
    ),
    "not_played_yet": _("Non si è ancora giocato: non c'è niente da rigiocare."),
    # a form of an act that is possible no more
    "act_gone": _("Nel frattempo qualcosa è cambiato: qui questo non si può più fare."),
    "real_already": _("Si gioca già al tavolo vero."),  # it is played at a real table (O1)
    "not_moved": _("Non si gioca al tavolo vero."),  # to one
    "result_in": _("C'è già un risultato, o non si gioca: dove si gioca non cambia più."),
    "house_stays": _("I giocatori della casa giocano solo sul sito."),  # the house plays on the site alone
    # values: fixtures, each round's name and number, and the board
    "depended_on": _("Da questo risultato ne dipendono altri, che vanno prima rifatti: %(fixtures)s."),
    "table_over": _("La partita è appena finita da sé: guarda com'è andata, poi decidi."),
    "no_open_table": _("A questo tavolo adesso non si gioca."),
    "no_such_call": _("Questa chiamata non è di questo torneo."),
    "paused_already": _("Questo tavolo è già sospeso."),
    "all_paused": _("Il torneo è già sospeso."),
    "none_paused": _("Qui non c'è niente di sospeso."),
    "not_paused": _("Questo tavolo non è sospeso."),
    "minutes_range": _("Si restituiscono da 1 a %(high)s minuti alla volta."),  # values: high
    "nothing_to_give": _("In questo momento questo giocatore non ha un tempo da allungare."),
    "entry_left": _("Questo iscritto si è già ritirato."),
    "entry_stays": _("Questo iscritto non è fuori: non c'è niente da riprendere."),
    "not_annulled": _("Questo incontro non è annullato."),
    "not_ahead": _("Questo incontro non si può anticipare."),  # a fixture that can't be played ahead of its round (R6)
    "entry_plays": _("Adesso sta giocando: si sostituisce prima del prossimo incontro."),
    "player_unknown": _("Qui nessuno si chiama così. Controlla il nome."),
    "player_entered": _("Gioca già in questo torneo."),
    # Round clocks (O6).
    "clock_minutes_range": _("I minuti sono da 1 a %(high)s."),  # values: high
    "unknown_clock_end": _("Allo scadere si può solo finire la smazzata, o fermarsi."),
    "no_clock": _("Questo turno non ha un orologio."),
    "clock_changed": _("L'orologio è già cambiato: guardalo, e se serve riprova."),  # somebody else was faster
    "announcement_long": _("Un avviso ha al massimo %(high)s caratteri."),  # values: high
    "bad_hour": _("Scrivi l'ora a cui si riprende, per esempio 21:30."),
    "nothing_touched": _("Nell'ultima mezz'ora non c'è nessun tocco da annullare."),
    "clock_held": _("Il torneo è sospeso: l'orologio riparte con tutto il torneo."),  # with all of the tournament (F6)
    "clock_table": _("A questo tavolo, in quest'ondata, nessuno gioca."),  # nobody plays there
    # Rounds that the organiser publishes (D4).
    "publishes_hours": _("Se i turni li pubblichi tu non hanno un'ora loro: togli i minuti e le ore dei turni."),
    "rounds_publish_themselves": _("In questo torneo i turni si pubblicano da soli."),
    "too_few_to_draw": _("Per sorteggiare servono almeno %(least)s iscritti presenti."),  # values: least
    "round_not_over": _("Il turno prima non è ancora finito."),
    "round_suspended": _("Il torneo è sospeso per tutti: riprendilo, poi pubblica il turno."),
    "nothing_to_draw": _("Non c'è niente da sorteggiare."),
    "no_draft": _("Prima sorteggia il turno."),
    "draft_changed": _("Nel frattempo la bozza è cambiata: guardala prima di pubblicarla."),
    "draft_stale": _("La bozza non vale più: da quando è sorteggiata è cambiato qualcosa. Sorteggia di nuovo."),
    "round_published": _("Questo turno è già pubblicato."),
    # values: bans, the names of each pair
    "bans_in_the_way": _("Con gli incontri vietati il turno non si può sorteggiare. Togli questo divieto: %(bans)s."),
    "swap_not_drafted": _("Scegli due iscritti diversi di questa bozza."),
    "swap_rematch": _("Così si incontrerebbero di nuovo due che hanno già giocato insieme."),
    "swap_bye_twice": _("Così riposerebbe chi ha già riposato una volta."),
    "swap_bye_asked": _("Uno dei due in questo turno non gioca: prima togli il suo riposo o la sua assenza."),
    "swap_forbidden": _("Così si incontrerebbero due che hai detto di non far incontrare: prima togli il divieto."),
    # Rounds that can't be paired (D1).
    "round_stuck": _("Questo turno non si può abbinare con le regole: scegli come si va avanti."),
    "way_not_needed": _("Per questo turno non c'è niente da scegliere."),
    "way_not_there": _("Questa scelta qui non c'è: guarda quali restano."),
    "way_chosen": _("È già scelto così."),
    "no_way_chosen": _("Per questo turno non hai scelto niente."),
    # What is asked of the rounds of a danese (D2-D4).
    "wishes_elsewhere": _("Si può solo in un torneo danese, prima che sia finito."),
    "ban_of_one": _("Scegli almeno due iscritti di questo torneo."),
    "bans_many": _("Sono troppi divieti: al massimo %(limit)s in un torneo."),  # values: limit
    "no_such_ban": _("Questo divieto non c'è più."),
    "bye_round": _("Questo turno non c'è, o è già pubblicato."),
    "bye_last_round": _("Nell'ultimo turno non si può chiedere un riposo."),
    "bye_asked_already": _("In quel turno non gioca già."),
    "bye_once": _("Un riposo si chiede una volta sola."),
    "byes_many": _("Fra riposi chiesti e turni persi se ne contano al massimo due."),
    "byes_leave_nobody": _("In quel turno resterebbe in gioco meno di due iscritti."),
    "no_such_bye": _("Questo riposo non c'è più, o il turno è già pubblicato."),
    "late_closed": _("Chi arriva tardi qui non entra più."),
    "late_people": _("Servono i nomi di tutti: %(seats)s per iscrizione."),  # values: seats
    "late_by_organiser": _("Qui chi arriva tardi lo fa entrare chi organizza: chiediglielo."),  # pairs on the site
    "late_asked_already": _("Hai già chiesto di entrare: aspetta la risposta."),
    # Play-offs for a rank (EV11).
    "play_offs_elsewhere": _(
        "Uno spareggio per il posto si gioca ai tavoli veri: in un torneo sul sito chi è pari divide il posto."
    ),
    "play_offs_two_tables": _("Fra squadre che giocano a due tavoli non c'è uno spareggio per il posto."),
    "play_off_not_over": _("Lo spareggio per un posto si gioca quando il torneo è concluso."),
    "play_off_closed": _("Il torneo è chiuso: per uno spareggio chi organizza deve prima riaprirlo."),
    "play_off_rank": _("Spareggiano tutti quelli che dividono un posto, e nessun altro: guarda com'è la classifica."),
    # values: least, most
    "play_off_size": _("Allo spareggio per un posto sono da %(least)d a %(most)d: questi dividono il posto."),
    "play_off_length": _("Una partita di spareggio non può avere questa lunghezza. Scegli fra: %(allowed)s."),
    "play_off_running": _("C'è uno spareggio che non è finito: finiscilo, o toglilo."),
    "no_such_play_off": _("Questo spareggio non c'è più."),
    "no_such_play_off_match": _("In questo spareggio quell'incontro non c'è, o non si sa ancora chi lo gioca."),
    "play_off_depended_on": _("Da questo risultato ne dipendono altri dello spareggio: prima ritira quelli."),
    "close_not_over": _("Si chiude un torneo concluso."),
    "closed_already": _("Il torneo è già chiuso."),
    "not_closed": _("Il torneo non è chiuso."),
    # Drawn pairs (EV2).
    "late_alone": _("A torneo cominciato si entra a due a due: aspetta che arrivi un altro."),
    "no_lists": _("Qui le coppie non si formano da due liste."),
    "pairs_dont_stay": _("Qui chi viene in coppia non resta in coppia: si sorteggia con gli altri."),
    "tie_two": _("Scegli due iscritti diversi."),
    "tied_already": _("Uno dei due resta già in coppia con un altro."),
    "unknown_partners": _("Questo modo di formare le coppie non c'è."),
    "partners_of_pairs": _("Le coppie si sorteggiano dove si gioca a coppie, senza squadre."),
    # Teams (O12).
    "team_size_range": _("Una squadra può avere da %(low)d a %(high)d persone."),  # values: low, high
    "teams_on_site": _("Sul sito le squadre giocano a due tavoli e a carte uguali: scegli anche quelle."),
    "team_size_on_site": _("Sul sito una squadra ha %(size)d persone: quante giocano ai due tavoli."),  # values: size
    "needs_team": _("Qui si gioca a squadre di quattro: iscrivi la tua squadra."),
    "team_asked": _("La tua squadra aspetta già che gli altri accettino."),
    "team_level_outside": _("Il livello della squadra non è fra quelli che questo torneo ammette."),
    # Fixtures of several games (EV1).
    "games_range": _("Un incontro è una partita sola, o al meglio di 3, 5 o 7."),
    "games_on_site": _("Al meglio di più partite si gioca per ora solo dal vivo: sul sito un incontro è una partita."),
    "games_equal_deals": _("Con le carte uguali un incontro è una partita sola."),
    "games_two_tables": _("Dove due squadre s'incontrano a due tavoli, un incontro è una partita sola."),
    "games_in_ko_alone": _("Un altro numero di partite per l'eliminazione diretta c'è solo dopo i gironi."),
    "late_games_ko": _("Un altro numero di partite negli ultimi turni c'è solo in un'eliminazione diretta."),
    "late_games_from": _("Scegli da quale turno le partite sono di più, e quante."),
    "late_games_quarters": _("Con il recupero i quarti non ci sono: scegli le semifinali o la finale."),
    "games_made_points": _("Dove si scrivono solo le partite vinte, i punti fatti non contano per la classifica."),
    "team_tables_range": _("Un incontro si gioca a un tavolo, o fra squadre a due."),
    "two_tables_ko": _("A due tavoli si gioca un girone o una danese: dove qualcuno è eliminato no."),
    "two_tables_people": _("A due tavoli una squadra è almeno di %(least)d persone."),  # values: least
    "two_tables_hall": _("Per giocare a due tavoli in sala ne servono almeno due."),
    "no_teams": _("In questo torneo non si gioca a squadre."),
    # no account enters one: its name and people are written
    "teams_typed": _("Le squadre si iscrivono con il loro nome prima del sorteggio; dopo le aggiunge chi organizza."),
    "line_up_size": _("Segna chi gioca: %(size)d, né di più né di meno."),  # values: size
    "line_up_stranger": _("Può giocare solo chi è della squadra."),
    "line_up_played": _("Questo incontro non aspetta più di essere giocato: la formazione resta quella."),
    "team_full": _("La squadra è al completo: può avere al massimo %(high)d persone."),  # values: high
    # Equal deals (J9).
    # at real tables
    "equal_deals_two_tables": _(
        "Ai tavoli veri le carte uguali non si giocano con due tavoli per incontro: scegli una cosa o l'altra."
    ),
    "equal_deals_ko": _("Nell'eliminazione diretta non ci sono carte uguali: scegli girone, gironi o danese."),
    "equal_deals_points": _("Con le carte uguali una partita è a smazzate, non a punti: scegli quante."),
    "equal_deals_hours": _(
        "Con le carte uguali i tavoli di un turno si aprono insieme: togli i minuti e le ore dei turni."
    ),
    "percentage_without_equal_deals": _("La classifica a percentuale serve le carte uguali: scegli anche quelle."),
    # another than its hash stands for
    "nonce_refused": _("Questo numero non è quello che il tuo browser aveva promesso."),
    "nonces_over": _("I numeri per le carte adesso non si raccolgono."),  # not taken now
    # where they are: such a tournament doesn't travel
    "equal_deals_stay": _("Un torneo a carte uguali resta qui: i segreti dei mazzi non lasciano il sito."),
    # of a fixture whose deals nobody else plays
    "no_comparison": _("Qui non si confronta niente: le carte non sono uguali a quelle degli altri tavoli."),
    # at real tables: their points one by one
    "deals_needed": _("Con le carte uguali servono i punti di ogni smazzata: scrivi per esempio 11+4+6."),
    # of a round that isn't being played
    "decks_closed": _("I mazzi si preparano quando il turno è pubblicato, e finché si gioca."),
    # who asks for them plays
    "decks_of_player": _("Chi gioca nel torneo non può vedere i mazzi: li prepara qualcun altro."),
    # of whoever plays in a round that is on (J12)
    "withheld": _("Giochi in questo turno: finché è in corso non puoi guardare né decidere gli altri incontri."),
    # Seeding.
    "not_seeded_by_organiser": _("In questo torneo le teste di serie si sorteggiano."),
}


class TournamentError(Exception):
    """A request the rules of tournaments refuse. ``code`` is one of REFUSALS, ``values`` what its sentence needs."""

    def __init__(self, code: str, **values: Any) -> None:
        if code not in REFUSALS:
            raise ValueError(f"not a code of tournaments: {code}")
        super().__init__(code)
        self.code = code
        self.values = values
