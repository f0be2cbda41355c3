"""The words for what the engine says in codes: refused moves, faults of a record, counts, results, cards, games.

The one place that turns the codes of ``games`` into what people read; Italian is the source language. The lists are
closed: every code the engine and the rulesets can give stands here, and nothing else. It decides nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from games.engine.cards import RANKS, SUITS, list_cards
from games.engine.game import GameMove, Length
from games.engine.match import LONGEST
from players.wording import describe_wait

Words = Mapping[str, object]  # code to lazy text

ILLEGAL_MOVE = _("Giocata non ammessa")  # G10: the alert's title, whatever the reason

# IllegalMove.code, in a move of a player or of a record.
ILLEGAL_MOVES: Words = {
    "unreadable_move": _("La mossa non è scritta come si deve."),
    "unknown_move": _("Questa mossa non esiste in questo gioco."),
    "no_such_seat": _("A questo tavolo non c'è quel posto."),
    "not_your_turn": _("Non è il turno di questo giocatore."),
    "card_not_in_hand": _("La carta non è in mano a questo giocatore."),
    "must_follow_suit": _("Bisogna rispondere al seme."),
    "must_take": _("Questa carta può prendere: non si può scartare."),
    "not_on_table": _("Una delle carte da prendere non è in tavola."),
    "must_take_single": _("C'è in tavola una carta dello stesso valore: si prende solo quella."),
    "ace_takes_all": _("L'asso prende tutte le carte in tavola, non solo alcune."),
    "wrong_sum": _("Le carte scelte non fanno il valore della carta giocata."),
    "combination_not_held": _("Questa combinazione non è in mano a questo giocatore."),
    "already_called": _("Questa combinazione è già stata accusata."),
    "must_accuse": _("Prima di giocare bisogna accusare tutto quello che si ha in mano."),
    "not_first_trick": _("Si accusa solo nella prima mano, prima di giocare la propria carta."),
    "not_just_taken": _("Si chiama fuori solo chi ha appena fatto la presa, prima di giocare."),
    "target_not_reached": _("Non ci sono ancora abbastanza punti per chiamarsi fuori."),
    "not_leading": _("Lo può dire solo chi è di mano, prima di giocare."),
    "already_declared": _("Su questa carta è già stata fatta una dichiarazione."),
    "suit_not_held": _("Si dichiara solo su un seme che si ha in mano."),
    "must_lead_declared": _("Bisogna giocare il seme su cui si è dichiarato."),
    "deal_begun": _("Si poteva solo prima della prima carta della smazzata."),
    "hand_worth_a_point": _("Queste dieci carte valgono almeno un punto: non si possono chiedere altre carte."),
    "suit_not_whole": _("Per il collatondrione servono tutte e dieci le carte di un seme."),
    "buongioco_too_late": _("Il buon gioco si dice prima di giocare la propria prima carta."),
    "no_buongioco": _("Accusa solo chi ha detto buon gioco."),
    "accuso_not_now": _("Gli onori si accusano tra la prima e la seconda mano."),
    "signal_too_early": _("I segnali si fanno dalla seconda mano in poi."),
    "volo_not_last": _("Si dice volo solo della propria ultima carta di un seme."),
    "noshow_too_late": _("Si può non presentarsi solo prima della prima mossa della partita."),
    "deal_over": _("La smazzata è finita."),
    "match_over": _("La partita è finita."),
}

# ActionRefused.code (games/services/errors.py): what is asked for isn't possible now.
REFUSALS: Words = {
    "stale": _("Nel frattempo il tavolo è andato avanti."),
    "not_started": _("La partita non è ancora cominciata."),
    "finished": _("La partita è finita."),
    "replaced": _("Questo posto è controllato da un'altra finestra."),
    "not_confirmed": _("L'abbandono va confermato: la partita è persa."),
    "paused": _("L'arbitro ha sospeso la partita: si riprende quando lo dice lui."),
    "goes_with_card": _("Una dichiarazione o un segnale si fa insieme alla carta, non prima."),
    "calls_open": _("La prima carta aspetta un momento: c'è ancora chi può parlare."),
    "window_over": _("È tardi: si poteva solo prima che si cominciasse a giocare."),
    "nonces_over": _("Il tempo per aggiungere il tuo numero alle carte non è questo."),
    "nonce_refused": _("Il tuo numero non corrisponde alla sua impronta: per le carte conta come se non ci fosse."),
    "not_training": _("Suggerimenti e carte riprese ci sono solo in allenamento."),
    "study_seated": _("Hai un posto a un tavolo: analisi, suggerimenti e problemi ci sono a partita finita."),
    "study_equal_round": _(
        "Giochi in un turno a carte uguali: analisi, suggerimenti e problemi ci sono quando tutti hanno finito."
    ),
    "nothing_to_take_back": _("Non hai ancora giocato carte da riprendere."),
    "not_seated": _("Non hai un posto a questo tavolo."),
    "chat_muted": _(
        "Per ora non puoi scrivere in chat: i moderatori te l'hanno chiusa. Il perché si legge dal tuo profilo."
    ),
    "chat_late": _("Chi vede il tavolo una smazzata dopo legge la chat, e non ci scrive."),
    "chat_closed": _("A coppie, mentre si gioca la chat è chiusa. Si parla prima e dopo la partita."),
    "chat_empty": _("Non hai scritto niente."),
    "chat_too_long": _("Il messaggio è troppo lungo: al massimo 200 caratteri."),
    "chat_too_fast": _("Un momento: troppi messaggi in poco tempo."),
    "report_unknown": _("Non si capisce che cosa vuoi segnalare."),
    "report_too_long": _("La segnalazione è troppo lunga: al massimo 300 caratteri."),
    "report_too_many": _("Hai già segnalato abbastanza: l'arbitro guarderà."),
    "seat_taken": _("Uno dei giocatori è già seduto a un altro tavolo."),
}

# What keeps a match from being studied (HP6), besides what keeps a person from it.
STUDY_REFUSALS: Words = {
    "study_running": _("La partita non è ancora finita: si analizza dopo."),
    "study_tournament_running": _("Le partite di un torneo si analizzano quando il torneo è finito."),
}

# HeaderError.code, and RecordError.code without a position.
HEADER_FAULTS: Words = {
    "not_json": _("Non è un oggetto JSON leggibile."),
    "wrong_type": _("Un valore non è del tipo giusto."),
    "unknown_field": _("C'è un campo sconosciuto."),
    "missing_field": _("Manca un campo."),
    "unknown_version": _("Questa versione del verbale non è conosciuta."),
    "unknown_ruleset": _("Questo gioco non è conosciuto."),
    "players_not_allowed": _("Questo gioco non si gioca in così tanti o così pochi."),
    "length_not_allowed": _("Questa lunghezza non è ammessa: da 1 a 20 smazzate o da 1 a 101 punti."),
    "length_not_of_game": _("Questo gioco, con queste opzioni, non si gioca a questa lunghezza."),
    "length_without_vp": _("Questa lunghezza non ha una colonna nella tabella dei VP: in un girone non è ammessa."),
    "unknown_context": _("Il contesto non è conosciuto: tavolo libero, KO o girone."),
    "three_only_free": _("In tre si gioca solo ai tavoli liberi."),
    "handicap_not_allowed": _("Di vantaggio si danno da 0 a 20 punti."),
    "handicap_only_free": _("Il vantaggio si dà solo ai tavoli liberi."),
    "first_dealer_not_seated": _("Il primo mazziere non siede a questo tavolo."),
    "unknown_option": _("Questo gioco non ha quest'opzione."),
    "unknown_option_value": _("Quest'opzione non ha questo valore."),
    "option_needs_points": _("Il vinco subito si gioca solo nelle partite a punti."),
    "option_only_free": _("Il cappotto si gioca solo ai tavoli liberi."),
    "option_not_for_two": _("Quest'opzione è solo per chi gioca a coppie."),
    "unreadable_shuffle": _("Da dove vengono i mazzi non è scritto come si deve."),
}

# RecordError.code at a deal; ``shuffle_mismatch`` also without a position.
DEAL_FAULTS: Words = {
    "unreadable_deck": _("Il mazzo non è scritto come si deve."),
    "not_a_whole_deck": _("Il mazzo non è fatto delle quaranta carte, ciascuna una volta."),
    "deal_after_end": _("La partita è già finita: questa smazzata non può esserci."),
    "deal_unfinished": _("La smazzata precedente non è finita: questa non può esserci."),
    "shuffle_mismatch": _("Non torna con il segreto: l'impegno, il primo mazziere o il mazzo è un altro."),
}

DECIDED_BY: Words = {
    "points": _("ai punti"),
    "draw": _("pari"),
    "last_trick": _("all'ultima presa"),
    "called_out": _("chiamandosi fuori"),
    "cappotto": _("per cappotto"),
    "cappottone": _("per cappottone"),
    "stramazzo": _("per stramazzo"),
    "stramazzone": _("per stramazzone"),
    "collatondrione": _("per collatondrione"),
    "tie_break_1": _("al primo spareggio"),
    "tie_break_2": _("al secondo spareggio"),
    "tie_break_3": _("al terzo spareggio"),
    "tie_break_last_trick": _("all'ultima presa del terzo spareggio"),
    "noshow": _("per assenza"),
    "timeout": _("per tempo scaduto"),
    "clock": _("per tempo partita scaduto"),
    "abandon": _("per abbandono"),
}

TALLY_ROWS: Words = {
    "scope": _("Scope"),
    "settebello": _("Settebello"),
    "denari": _("Denari"),
    "cards": _("Carte"),
    "primiera": _("Primiera"),
    "thirds": _("Terzi di punto"),
    "last_trick": _("Ultima presa"),
    "accuso": _("Accuso"),
    "cappotto": _("Cappotto"),
    "unassigned": _("Punti non ancora assegnati"),
    "unsecured": _("Punti non ancora sicuri"),
    "one_scopa": _("Come per una scopa"),
    "aces": _("Assi"),
    "threes": pgettext_lazy("conteggio", "Tre"),
    "kings": pgettext_lazy("conteggio", "Re"),
    "knights": _("Cavalli"),
    "jacks": _("Fanti"),
    "card_points": _("Punti delle carte"),
    "deal_forfeited": _("Smazzata interrotta"),
}

# What each line of a count says to learners of the game (S7, S8, T4, T5, M5, M6, BR4); none for a game of its own.
TALLY_SENTENCES: Words = {
    "scope": _("Un punto per ogni scopa."),
    "settebello": _("Un punto a chi ha preso il sette di denari."),
    "denari": _("Un punto a chi ne ha presi almeno sei; cinque pari, a nessuno."),
    "cards": _("Un punto a chi ne ha prese almeno ventuno; venti pari, a nessuno."),
    "primiera": _("Un punto a chi somma di più con la carta migliore di ogni seme."),
    "thirds": _("Tre terzi fanno un punto; quelli che avanzano si perdono."),
    "last_trick": _("L'ultima presa vale un punto."),
    "accuso": _("I punti delle combinazioni accusate."),
    "cappotto": _("Chi lascia gli altri senza punti ne prende di più."),
    "aces": _("Un asso vale 11."),
    "threes": _("Un tre vale 10."),
    "kings": _("Un re vale 4."),
    "knights": _("Un cavallo vale 3."),
    "jacks": _("Un fante vale 2."),
    "card_points": _("Un punto a chi ne fa più di 60, la metà di tutti."),
}

RULESET_NAMES: Words = {
    "scopa": _("Scopa"),
    "asso-piglia-tutto": _("Asso piglia tutto"),
    "scopone": _("Scopone"),
    "briscola": _("Briscola"),
    "tresette": _("Tresette"),
    "tresette-a-perdere": _("Tresette a perdere"),
    "tressette-accusa": _("Tressette con l'accusa"),
    "tressette-classico": _("Tressette classico"),
}

# What tells a game from its relatives, in one line.
RULESET_LINES: Words = {
    "scopa": _("Tre carte alla volta, in due o a coppie: settebello, denari, carte, primiera e scope."),
    "asso-piglia-tutto": _("La Scopa d'assi: un asso prende tutto quello che c'è in tavola. In due o a coppie."),
    "scopone": _("La Scopa a coppie con tutte le carte in mano dall'inizio, dieci a testa."),
    "briscola": _("Tre carte in mano e un seme che comanda; non si risponde al seme. In due o a coppie."),
    "tresette": _("In due o a coppie, con le opzioni che si vogliono: accuso, vinco subito, dichiarazioni."),
    "tresette-a-perdere": _("Al contrario: vince chi fa meno punti. In due o a coppie."),
    "tressette-accusa": _("Le combinazioni si accusano, il cappotto vale 17. In due, in tre con il morto o a coppie."),
    "tressette-classico": _("Solo a coppie: segnali al compagno, onori, vittorie speciali e poste."),
}
# Of games that are related, the one that most people play.
USUAL_RULESETS: Words = {"scopa": _("la Scopa più giocata"), "tresette": _("il Tresette più giocato")}
SAME_NAME = _("Tresette e tressette sono lo stesso nome, scritto come lo scrive il regolamento di ciascun gioco.")

# What a match is set up with: each option's name and its sentence; "ruleset.option" where a game has one of its own.
OPTIONS: Mapping[str, tuple[object, object]] = {
    "vinco_subito": (
        _("Vinco subito"),
        _(
            "Chi ha appena fatto la presa e, da solo o con il compagno, è arrivato ai punti chiude subito la partita, "
            "e la vince."
        ),
    ),
    "accuso": (
        _("Accuso"),
        _("Nella prima mano chi ha la napoletana, o tre o quattro assi, 2 o 3, prende 3 o 4 punti."),
    ),
    "cappotto": (
        _("Cappotto"),
        _("Chi fa tutti gli 11 punti di una smazzata vince una posta in più; solo ai tavoli liberi."),
    ),
    "dichiarazioni": (
        _("Dichiarazioni"),
        _("Chi è di mano può dire al compagno «Ho…», «Busso» o «Ho per te» sul seme che sta per giocare."),
    ),
    "carte_viste": (
        _("Carte viste"),
        _("Tutti possono rivedere le carte già giocate e quelle che si sanno in mano agli altri."),
    ),
    "scopa.carte_viste": (
        _("Carte viste"),
        _("Tutti possono rivedere le carte già prese; in due, l'ultima mano della smazzata si gioca scoperta."),
    ),
    "asso-piglia-tutto.carte_viste": (
        _("Carte viste"),
        _("Tutti possono rivedere le carte già prese; in due, l'ultima mano della smazzata si gioca scoperta."),
    ),
    "scopone.carte_viste": (_("Carte viste"), _("Tutti possono rivedere le carte già prese nella smazzata.")),
    "quattro_a_terra": (
        _("Quattro a terra"),
        _("Si comincia con quattro carte in tavola e nove in mano; se no, con dieci in mano e la tavola vuota."),
    ),
    "mostra_compagno": (
        _("Mostra al compagno"),
        _("Finito il mazzo, i due compagni vedono l'uno le ultime tre carte dell'altro; gli avversari no."),
    ),
    "carte_scoperte": (_("Carte scoperte"), _("I due compagni vedono l'uno le carte dell'altro; gli avversari no.")),
    "ko_tie": (
        _("In parità dopo l'ultima smazzata"),
        _("Come si decide una partita del KO che alla fine è pari."),
    ),
    "accusa": (
        _("Accusa"),
        _("Napoli e tre o quattro assi, 2 o 3 si contano a fine smazzata, per chi ha fatto almeno un punto."),
    ),
    "onori": (
        _("Onori"),
        _("Con «buon gioco» si accusano la napoletana e tre o quattro assi, 2 o 3; si va a 31 o a 51 punti."),
    ),
    "segnali": (_("Segnali"), _("Che cosa può dire chi è di mano al compagno, dalla seconda mano in poi.")),
}
OPTION_VALUES: Words = {
    "ko_tie.rulebook": _("vince chi ha fatto l'ultima presa"),
    "ko_tie.deals": _("si gioca lo spareggio, al massimo tre smazzate"),
    "accusa.obbligatoria": _("obbligatoria: il sistema la chiama per tutti"),
    "accusa.facoltativa": _("facoltativa: decide ogni giocatore"),
    "segnali.none": _("nessuno"),
    "segnali.due": _("due: busso e volo"),
    "segnali.tre": _("tre: busso, volo e striscio"),
}
# Where an option fits, said beside it when it was chosen elsewhere.
OPTION_FITS: Words = {
    "vinco_subito": _("Vale solo nelle partite a punti: toglilo, o gioca a punti."),
    "cappotto": _("Vale solo ai tavoli liberi."),
    "dichiarazioni": _("Vale solo quando si gioca a coppie: togli le dichiarazioni, o gioca in quattro."),
    "carte_scoperte": _("Vale solo quando si gioca a coppie: togli le carte scoperte, o gioca in quattro."),
    "mostra_compagno": _("Vale solo quando si gioca a coppie: toglilo, o gioca in quattro."),
    "onori": _("Con gli onori si gioca a 31 o a 51 punti, e in un girone solo a 31."),
}

# Match.absence: what becomes of whoever is absent, said before one sits down.
ABSENCES: Words = {
    "loses": _("Perde la partita"),
    "house": _("La casa gioca al suo posto finché non torna: la partita non conta per il livello e non ha posta"),
}

# LobbyRefused.code (games/lobby/actions.py): what can't be done at a free table that hasn't begun.
LOBBY_REFUSALS: Words = {
    "table_gone": _("Questo tavolo non c'è più."),
    "no_such_seat": _("A questo tavolo non c'è quel posto."),
    "seat_gone": _("Qualcuno è stato più veloce: il posto è preso. Scegline un altro."),
    "seated_elsewhere": _("Sei già seduto a un altro tavolo: prima finisci lì, o alzati."),
    "not_here": _("Non sei seduto a questo tavolo."),
    "not_host": _("Può farlo solo chi ha aperto il tavolo."),
    "house_busy": _("I giocatori della casa adesso sono tutti occupati: riprova tra qualche minuto."),
    "no_place": _("A questo tavolo per te non c'è posto: scegline un altro, o aprine uno."),
    "suspended": _("Il tuo account è sospeso: per ora non puoi giocare."),
    "too_many_tables": _("Hai aperto troppi tavoli in poco tempo. Riprova %(wait)s."),
    "somebody_left": _("Uno di voi nel frattempo gioca altrove: il suo posto è di nuovo libero."),
    "no_such_kind": _("Questa partita non si può cercare: scegli di nuovo."),
    "no_such_partner": _("Con questo compagno non si può giocare: scegline un altro, o chiunque."),
    "levels_crossed": _("Il livello più basso è sopra il più alto."),
    "table_due": _("Fra meno di cinque minuti si apre un tuo tavolo: aspetta quello."),
    "seek_ban": _("Oggi hai lasciato troppe partite: puoi cercarne un'altra %(wait)s."),
    "sought_already": _("Stai già cercando una partita."),
    "seek_gone": _("Chi cercava questa partita non la cerca più."),
    "not_seeking": _("Non stai cercando nessuna partita."),
    "offer_later": _("Prima si aspettano le persone: la casa si offre %(wait)s."),
    "partner_missing": _("Il tuo compagno non ha ancora detto di sì."),
    "to_confirm": _("Sei iscritto a un torneo con partite ancora da giocare: conferma che vuoi cercarne un'altra."),
    "no_rematch": _("Di questa partita non si gioca la rivincita."),
    "rematch_over": _("La rivincita si chiede entro un minuto dalla fine: il tempo è passato."),
    "rematch_left": _("Qualcuno di voi non gioca più con voi, o è già a un altro tavolo: niente rivincita."),
    "rematch_chips": _("Qualcuno di voi non ha più abbastanza gettoni: niente rivincita con questa posta."),
    "stake_members": _("Con una posta giocano solo i soci: i gettoni sono del loro account."),
    "stakes_off": _("A questo tavolo si gioca con una posta: prima scegli, dalla pagina dei gettoni, di vederli."),
    "too_few_chips": _("Non hai abbastanza gettoni liberi per la perdita più grande di questo tavolo."),
    "stake_no_house": _("Con una posta non si gioca con la casa: si aspettano altri soci."),
}

# What is said at a table with one click; everybody reads it in their own language.
PHRASES: Words = {
    "hello": _("Ciao a tutti!"),
    "luck": _("Buona fortuna!"),
    "well": _("Ben giocata!"),
    "oops": _("Ho sbagliato, scusate."),
    "moment": _("Un momento, per favore."),
    "thanks": _("Grazie!"),
    "game": _("Bella partita!"),
    "bye": _("Alla prossima!"),
}

BETWEEN_DEALS = ("well", "thanks", "oops")  # those that may be said in a pairs match while a deal is counted

# Calls by their verb in the record, as one reads them on a button and says them at the table.
CALLS: Words = {
    "out": _("Mi chiamo fuori"),
    "buongioco": _("Buon gioco"),
    "redeal": _("Chiedo altre carte"),
    "collatondrione": _("Collatondrione"),
}
AUTOMATIC_CALLS: Words = {  # those the system makes for whoever wants it (X1)
    "out": _("Chiamata fuori"),
    "accuso": _("Accuso"),
    "declare": _("Dichiarazione «Ho…»"),
}
DECLARATIONS: Words = {"ho": _("Ho…"), "busso": _("Busso"), "per-te": _("Ho per te")}  # T10, the parts of its codes
SIGNALS: Words = {"busso": _("Busso"), "volo": _("Volo"), "striscio": _("Striscio")}  # C3
ACCUSO = _("Accuso {combinations}")
COMBINATIONS: Words = {
    "3x3": _("tre 3"), "3x2": _("tre 2"), "3xA": _("tre assi"),
    "4x3": _("quattro 3"), "4x2": _("quattro 2"), "4xA": _("quattro assi"),
    "napoletana": _("napoletana di {suit}"),
}  # fmt: skip
COMBINATION_WITHOUT = _("{combination} senza {suit}")  # C4: three of a rank name the missing suit
# What a *Ho* says (T10): the honours, and how many cards of the suit, the one to be played included.
HONOURS: Words = {"3": _("il 3"), "2": _("il 2"), "A": _("l'asso")}
HO_ONE: Mapping[int, object] = {
    1: _("Ho {honours} secco"), 2: _("Ho {honours} secondo"), 3: _("Ho {honours} terzo"),
    4: _("Ho {honours} quarto"), 5: _("Ho {honours} quinto"), 6: _("Ho {honours} sesto"),
    7: _("Ho {honours} settimo"), 8: _("Ho {honours} ottavo"),
}  # fmt: skip
HO_SEVERAL: Mapping[int, object] = {
    2: _("Ho {honours} secondi"), 3: _("Ho {honours} terzi"), 4: _("Ho {honours} quarti"),
    5: _("Ho {honours} quinti"), 6: _("Ho {honours} sesti"), 7: _("Ho {honours} settimi"),
    8: _("Ho {honours} ottavi"), 9: _("Ho {honours} noni"), 10: _("Ho {honours} decimi"),
}  # fmt: skip
HO_CARDS = _("Ho {n} carte")
HO_ONE_CARD = _("Ho {n} carta")

# C8: the names of cards that go together, for whoever is learning, by ruleset; each with what it means.
NAMES_OF_CARDS: Mapping[str, tuple[tuple[object, object], ...]] = {
    "tressette-classico": (
        (_("venticinque"), _("il 3 e il 2 dello stesso seme")),
        (_("ventotto"), _("il 2 e l'asso dello stesso seme")),
        (_("ventinove"), _("il 3 e l'asso dello stesso seme")),
        (_("stillo, pizzico"), _("un 3, un 2 o un asso")),
        (_("secondo, terzo, quarto…"), _("accompagnato da una, due, tre… carte del suo seme")),
    ),
}

RANK_NAMES = (
    _("Asso"), _("Due"), _("Tre"), _("Quattro"), _("Cinque"), _("Sei"), _("Sette"), _("Fante"), _("Cavallo"), _("Re"),
)  # fmt: skip
SUIT_NAMES = (_("denari"), _("coppe"), _("bastoni"), _("spade"))
# With French cards in hand (G1). The queen stands for the cavallo, and an Italian calls her donna.
FRENCH_RANKS: Words = {"C": _("Donna")}
FRENCH_SUITS: Words = {"d": _("quadri"), "c": _("cuori"), "b": _("fiori"), "s": _("picche")}
FRENCH_TALLY_ROWS: Words = {"denari": _("Quadri"), "knights": _("Donne")}
FRENCH_TALLY_SENTENCES: Words = {
    "settebello": _("Un punto a chi ha preso il sette di quadri."),
    "knights": _("Una donna vale 3."),
}

DECKS: Mapping[str, tuple[object, object]] = {
    "napoletane": (
        _("Napoletane"),
        _("Figure intere su un fondo del colore del seme: a piedi il fante, in sella il cavallo, col manto il re."),
    ),
    "piacentine": (
        _("Piacentine"),
        _("Strette e alte, con le figure a due teste: si leggono da tutti e due i lati."),
    ),
    "trevisane": (
        _("Trevisane"),
        _("Spade ricurve e bastoni che s'incrociano, figure a due teste, e su ogni asso un motto."),
    ),
    "francesi": (
        _("Francesi"),
        _(
            "Quadri per denari, cuori per coppe, fiori per bastoni, picche per spade. Il fante è J, il cavallo è la "
            "donna (Q), il re è K; gli 8, i 9 e i 10 non ci sono."
        ),
    ),
}

FRENCH = "francesi"
_deck: ContextVar[str] = ContextVar("deck", default="napoletane")


def describe_refusal(code: str) -> str | None:
    """Return the sentence for an action refused at a table; None for a code of other frames."""
    text = REFUSALS.get(code) or ILLEGAL_MOVES.get(code)
    return None if text is None else str(text)


def describe_study_refusal(code: str) -> str:
    """Return the sentence for what keeps a person, or a match, from being studied (HP6). KeyError for another code."""
    return str(STUDY_REFUSALS.get(code) or REFUSALS[code])


def describe_fault(code: str) -> str:
    """Return the sentence for a refused record or header of a match. KeyError for a code in none of the lists."""
    text = HEADER_FAULTS.get(code) or DEAL_FAULTS.get(code) or ILLEGAL_MOVES[code]
    return str(text)


def describe_decision(code: str) -> str:
    """Return the words for the way a match was decided, to be put after "vince"."""
    return str(DECIDED_BY[code])


def name_tally_row(code: str) -> str:
    """Return the name of a row of a deal's count, with French cards theirs."""
    return str((FRENCH_TALLY_ROWS if _deck.get() == FRENCH else {}).get(code, TALLY_ROWS[code]))


def name_ruleset(code: str) -> str:
    """Return the name of a game."""
    return str(RULESET_NAMES[code])


def describe_ruleset(code: str) -> str:
    """Return the line that tells a game from its relatives."""
    return str(RULESET_LINES[code])


@contextmanager
def use_names_of_deck(deck: str) -> Iterator[None]:
    """Name cards inside the block as one does with this deck, the one that the reader sees drawn."""
    before = _deck.set(deck)
    try:
        yield
    finally:
        _deck.reset(before)


def name_suit(suit: int) -> str:
    """Name a suit by its number: "denari"; with French cards "quadri"."""
    return str(FRENCH_SUITS[SUITS[suit]] if _deck.get() == FRENCH else SUIT_NAMES[suit])


def name_rank(rank: int) -> str:
    """Name a rank by its number: "Fante"; with French cards a cavallo is "Donna"."""
    name = RANK_NAMES[rank]
    return str(FRENCH_RANKS.get(RANKS[rank], name) if _deck.get() == FRENCH else name)


def name_card(card: int, deck: str = "") -> str:
    """Name a card as people say it: "Asso di denari"; with French cards "Asso di quadri". ``deck``: with this one."""
    with use_names_of_deck(deck or _deck.get()):
        rank, suit = name_rank(card % 10), name_suit(card // 10)
    return str(_("%(rank)s di %(suit)s")) % {"rank": rank, "suit": suit}


def describe_play(played: GameMove) -> str:
    """Describe a play as a label: "Gioca Sette di coppe: prende Quattro di denari, Tre di spade"."""
    card = name_card(played.card)
    if not played.takes:
        return str(_("Gioca %(card)s")) % {"card": card}
    taken = ", ".join(name_card(card_taken) for card_taken in list_cards(played.takes))
    return str(_("Gioca %(card)s: prende %(taken)s")) % {"card": card, "taken": taken}


# --- What a match is set up with -------------------------------------------------------------------------------------


def describe_option(ruleset: str, name: str) -> tuple[str, str]:
    """Return an option's name, and its effect in one sentence."""
    label, sentence = OPTIONS.get(f"{ruleset}.{name}") or OPTIONS[name]
    return str(label), str(sentence)


def describe_option_value(name: str, value: str) -> str:
    """Return the name of one value of an option that isn't just on or off."""
    return str(OPTION_VALUES[f"{name}.{value}"])


def describe_setup_fault(about: str, code: str, allowed: Iterable[Length] = ()) -> str:
    """Return the sentence for a SetupFault (games.options), to stand beside the field it is about."""
    if about == "length" and (named := describe_lengths(allowed)):
        return str(_("Lunghezze ammesse: %(allowed)s.")) % {"allowed": named}
    text = OPTION_FITS.get(about)
    return describe_fault(code) if text is None else str(text)


def describe_absence(code: str) -> str:
    """Return what becomes of whoever is absent, in words."""
    return str(ABSENCES[code])


def describe_lobby_refusal(code: str, wait: timedelta = timedelta()) -> str:
    """Return the sentence for an act refused at a free table that hasn't begun; ``wait``: until it is possible."""
    sentence = str(LOBBY_REFUSALS[code])
    return sentence % {"wait": describe_wait(wait)} if wait else sentence


def describe_length(kind: str, value: int) -> str:
    """Return the length of a match in words: "11 punti", "5 smazzate" (G6)."""
    if kind == "points":
        return ngettext("%(value)d punto", "%(value)d punti", value) % {"value": value}
    return ngettext("%(value)d smazzata", "%(value)d smazzate", value) % {"value": value}


def describe_lengths(allowed: Iterable[Length | tuple[str, int]]) -> str:
    """Describe lengths in a row, points first: "7, 11, 21 punti oppure da 1 a 5 smazzate". Empty without any."""
    named: dict[str, list[int]] = {}
    for kind, value in sorted(allowed, key=lambda length: (length[0] != "points", length[1])):
        named.setdefault(kind, []).append(value)
    parts = []
    for kind, values in named.items():
        whole = len(values) == LONGEST[kind]
        numbers = _("da 1 a %(last)d") % {"last": values[-1]} if whole else ", ".join(str(value) for value in values)
        parts.append(str(_("%(n)s punti") if kind == "points" else _("%(n)s smazzate")) % {"n": numbers})
    return str(_(" oppure ")).join(parts)


def describe_duration(seconds: int | None) -> str:
    """Describe a length of time as people say it, or a clock that is off."""
    if seconds is None:
        return str(_("senza limite"))
    if seconds % 60 == 0 and seconds >= 60:
        return ngettext("%(n)d minuto", "%(n)d minuti", seconds // 60) % {"n": seconds // 60}
    return ngettext("%(n)d secondo", "%(n)d secondi", seconds) % {"n": seconds}


def write_signed(value: int) -> str:
    """Return a difference with its sign, as people read it: +3, −3 with a minus that isn't a hyphen, 0."""
    return f"{value:+d}".replace("-", "−") if value else "0"


# Why the card of a hint is better than {instead} (B7), by the codes of games/bots/reasons.py.
HINT_REASONS: Words = {
    "missed_scopa": _("Fa scopa."),
    "missed_settebello": _("Prende il settebello."),
    "missed_capture": _("Così prendi {cards}."),
    "missed_denari": _("Così prendi più denari: {cards}."),
    "missed_primiera": _("Così prendi per la primiera: {cards}."),
    "missed_cards": _("Così prendi più carte."),
    "left_scopa": _("Con {instead} in tavola resterebbe {total}: chi ha quel valore farebbe scopa."),
    "left_settebello": _("Con {instead} lasceresti in tavola il settebello."),
    "left_denari": _("Tieni {instead}: è un denaro, e in tavola lo prenderebbero gli altri."),
    "gave_primiera": _("Tieni {instead}: vale molto per la primiera."),
    "fewer_left": _("Di carte come {instead} ce ne sono di più ancora fuori: te la prenderebbero più facilmente."),
    "missed_trick": _("Così la presa è tua."),
    "sure_trick": _("Così passi in testa alla presa."),
    "took_trick": _("Così la presa resta agli altri."),
    "gave_points": _("Tieni {instead}: vale di più, e questa presa la possono fare gli altri."),
    "partner_takes": _("La presa è del compagno, e gli porti punti. Tieni {instead}: serve per scartare."),
    "higher_out": _("Così la presa è sicura: con {instead} no, più alte sono ancora fuori {cards}."),
    "spent_high": _("Tieni {instead}: serve più avanti."),
    "missed_points": _("Vale di più, e si mette adesso. Tieni {instead}: serve per scartare."),
    "worth_taking": _("Questa presa conviene farla: poi esci tu."),
    "easier_left": _("Più alte ce ne sono di più ancora fuori: la presa si lascia meglio che con {instead}."),
    "trump_pays": _("La briscola conviene: prendi {n} punti."),
    "trump_spent": _("Tieni {instead}: è una briscola."),
    "gave_load": _("Tieni {instead}: vale {n} punti, e la possono prendere gli altri."),
    "partner_load": _("La presa è del compagno, e gli porti {n} punti. Tieni {instead}: serve per scartare."),
    "missed_load": _("La presa è tua, e ci metti {n} punti. Tieni {instead}: serve per scartare."),
    "unload": _("Conviene liberarsene adesso. Tieni {instead}: serve per stare sotto."),
    "on_average": _("Nella media dei modi in cui possono stare le carte, rende di più."),
}

# Bands of levels (L5), by their codes in games/levels.py.
BANDS: Words = {
    "beginner": _("Principiante"),
    "amateur": _("Dilettante"),
    "club": _("Circolo"),
    "expert": _("Esperto"),
    "master": _("Maestro"),
    "grand_master": _("Gran maestro"),
}


def name_band(code: str) -> str:
    """Return the name of a band of levels."""
    return str(BANDS[code])
