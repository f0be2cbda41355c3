"""The words for what the engine says in codes: refused moves, faults of a record, counts, results, cards, games.

The one place that turns the codes of ``games`` into what people read; Italian is the source language. The lists are
closed: every code the engine and the rulesets can give stands here, and nothing else. It decides nothing.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from games.engine.cards import cards_in
from games.engine.game import Move

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
    "wrong_sum": _("Le carte scelte non fanno il valore della carta giocata."),
    "noshow_too_late": _("Si può non presentarsi solo prima della prima mossa della partita."),
    "deal_over": _("La smazzata è finita."),
    "match_over": _("La partita è finita."),
}

# Refused.code (games/services/refusals.py): what is asked for isn't possible now.
REFUSALS: Words = {
    "stale": _("Nel frattempo il tavolo è andato avanti."),
    "not_started": _("La partita non è ancora cominciata."),
    "finished": _("La partita è finita."),
    "replaced": _("Questo posto è controllato da un'altra finestra."),
    "not_confirmed": _("L'abbandono va confermato: la partita è persa."),
    "not_seated": _("Non hai un posto a questo tavolo."),
    "chat_closed": _("A coppie, mentre si gioca la chat è chiusa. Si parla prima e dopo la partita."),
    "chat_empty": _("Non hai scritto niente."),
    "chat_too_long": _("Il messaggio è troppo lungo: al massimo 200 caratteri."),
    "chat_too_fast": _("Un momento: troppi messaggi in poco tempo."),
    "seat_taken": _("Uno dei giocatori è già seduto a un altro tavolo."),
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
    "length_without_vp": _("Questa lunghezza non ha una colonna nella tabella dei VP: in un girone non è ammessa."),
    "unknown_context": _("Il contesto non è conosciuto: tavolo libero, KO o girone."),
    "first_dealer_not_seated": _("Il primo mazziere non siede a questo tavolo."),
    "unknown_option": _("Questo gioco non ha quest'opzione."),
    "unknown_option_value": _("Quest'opzione non ha questo valore."),
    "option_not_offered": _("Quest'opzione non è ancora disponibile."),
}

# RecordError.code at a deal.
DEAL_FAULTS: Words = {
    "unreadable_deck": _("Il mazzo non è scritto come si deve."),
    "not_a_whole_deck": _("Il mazzo non è fatto delle quaranta carte, ciascuna una volta."),
    "deal_after_end": _("La partita è già finita: questa smazzata non può esserci."),
    "deal_unfinished": _("La smazzata precedente non è finita: questa non può esserci."),
}

DECIDED_BY: Words = {
    "points": _("ai punti"),
    "draw": _("pari"),
    "last_trick": _("all'ultima presa"),
    "tie_break_1": _("al primo spareggio"),
    "tie_break_2": _("al secondo spareggio"),
    "tie_break_3": _("al terzo spareggio"),
    "tie_break_last_trick": _("all'ultima presa del terzo spareggio"),
    "noshow": _("per assenza"),
    "timeout": _("per timeout"),
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
}

RULESET_NAMES: Words = {
    "scopa": _("Scopa"),
    "tresette": _("Tresette"),
}

RANK_NAMES = (
    _("Asso"), _("Due"), _("Tre"), _("Quattro"), _("Cinque"), _("Sei"), _("Sette"), _("Fante"), _("Cavallo"), _("Re"),
)  # fmt: skip
SUIT_NAMES = (_("denari"), _("coppe"), _("bastoni"), _("spade"))


def refusal(code: str) -> str | None:
    """Why an action at a table was refused; None for a code of other frames."""
    found = REFUSALS.get(code) or ILLEGAL_MOVES.get(code)
    return None if found is None else str(found)


def fault(code: str) -> str:
    """Why a record, or a match's header, is refused. KeyError for a code that is in none of the lists."""
    found = HEADER_FAULTS.get(code) or DEAL_FAULTS.get(code) or ILLEGAL_MOVES[code]
    return str(found)


def decided_by(code: str) -> str:
    """How a match was decided, to be put after "vince"."""
    return str(DECIDED_BY[code])


def tally_row(code: str) -> str:
    """What a line of a deal's count is called."""
    return str(TALLY_ROWS[code])


def ruleset_name(code: str) -> str:
    """What a game is called."""
    return str(RULESET_NAMES[code])


def card_name(card: int) -> str:
    """A card as people say it: "Asso di denari"."""
    return str(_("%(rank)s di %(suit)s")) % {"rank": RANK_NAMES[card % 10], "suit": SUIT_NAMES[card // 10]}


def move(played: Move) -> str:
    """A play as a label: "Gioca Sette di coppe: prende Quattro di denari, Tre di spade"."""
    card = card_name(played.card)
    if not played.takes:
        return str(_("Gioca %(card)s")) % {"card": card}
    taken = ", ".join(card_name(each) for each in cards_in(played.takes))
    return str(_("Gioca %(card)s: prende %(taken)s")) % {"card": card, "taken": taken}
