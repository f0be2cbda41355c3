"""Words for analyses (HP6): for what a decision lost, why a card was worse, and what keeps from asking for one."""

from collections.abc import Mapping
from datetime import timedelta

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games import wording as game_wording
from games.engine.cards import CARDS
from games.engine.record import Json, parse_move
from players.wording import describe_wait
from records.wording import join_list

WORDS: Mapping[str, object] = {
    "best": _("ottima"),
    "good": _("buona"),
    "inexact": _("imprecisa"),
    "error": _("errore"),
}

REFUSALS: Mapping[str, object] = {
    "not_own": _("Si analizzano solo le partite che hai giocato tu."),
    "members_only": _("L'analisi di un verbale è per chi ha un account."),
    "unreadable": _("Il verbale non si può rigiocare: non c'è niente da analizzare."),
    "incomplete": _("La partita di questo verbale non è finita: si analizzano solo quelle intere."),
    "no_such_seat": _("A questo tavolo non c'è quel posto."),
    "too_many": _("Per oggi di analisi ne hai chieste abbastanza: se ne può chiedere un'altra %(wait)s."),
}

# %(card)s, %(cards)s: of the reason; %(played)s and %(best)s: the two cards; %(n)s: its number.
REASONS: Mapping[str, object] = {
    "missed_scopa": _("Con %(best)s si faceva scopa."),
    "missed_settebello": _("Con %(best)s si prendeva il settebello."),
    "missed_capture": _("C'era da prendere %(cards)s con %(best)s."),
    "missed_denari": _("Con %(best)s si prendevano più denari: %(cards)s."),
    "missed_primiera": _("Con %(best)s si prendeva una carta che conta per la primiera: %(cards)s."),
    "missed_cards": ngettext_lazy(
        "Con %(best)s si prendeva %(n)s carta in più.", "Con %(best)s si prendevano %(n)s carte in più.", "n"
    ),
    "left_scopa": ngettext_lazy(
        "Hai lasciato in tavola %(total)s in tutto: con l'ultima carta di quel valore, ancora fuori, si fa scopa.",
        "Hai lasciato in tavola %(total)s in tutto: con una delle %(n)s carte di quel valore ancora fuori si fa scopa.",
        "n",
    ),
    "left_settebello": ngettext_lazy(
        "Hai lasciato in tavola il settebello, con %(n)s altro sette ancora fuori.",
        "Hai lasciato in tavola il settebello, con %(n)s altri sette ancora fuori.",
        "n",
    ),
    "left_denari": _("Hai messo in tavola un denaro, %(card)s, che gli altri possono prendere."),
    "gave_primiera": _("%(card)s vale molto per la primiera: in tavola la possono prendere gli altri."),
    "fewer_left": ngettext_lazy(
        "Di carte come %(played)s ne è ancora fuori %(n)s che la può prendere; come %(best)s di meno.",
        "Di carte come %(played)s ne sono ancora fuori %(n)s che la possono prendere; come %(best)s di meno.",
        "n",
    ),
    "missed_trick": _("Con %(best)s la presa era tua, con %(points)s."),
    "sure_trick": _("Con %(best)s passavi in testa alla presa, che valeva %(points)s."),
    "took_trick": _("Così ti sei preso una presa che con %(best)s si poteva lasciare agli altri."),
    "gave_points": _("Hai dato %(played)s a una presa che potevano fare gli altri: %(best)s costava meno."),
    "partner_takes": _("La presa era del compagno: %(best)s gli portava %(points)s."),
    "higher_out": _("Più alte erano ancora fuori: %(cards)s. Con %(best)s la presa era sicura."),
    "spent_high": _("Hai speso %(played)s, che serviva più avanti: bastava %(best)s."),
    "missed_points": _("Si poteva mettere %(best)s, che vale %(points)s."),
    "worth_taking": _("Conveniva fare questa presa con %(best)s: costava %(points)s, e poi toccava a te uscire."),
    "easier_left": ngettext_lazy(
        "Con %(best)s la presa si lasciava meglio: di carte più alte ne è ancora fuori %(n)s, contro %(total)s.",
        "Con %(best)s la presa si lasciava meglio: di carte più alte ne sono ancora fuori %(n)s, contro %(total)s.",
        "n",
    ),
    "trump_pays": _("La briscola conveniva: con %(best)s si prendevano %(n)s punti."),
    "trump_spent": _("Hai speso una briscola, %(played)s: conveniva tenerla e giocare %(best)s."),
    "gave_load": _("Hai messo %(played)s, che vale %(n)s punti, dove la potevano prendere gli altri."),
    "partner_load": _("La presa era del compagno: %(best)s gli portava %(n)s punti."),
    "missed_load": _("Si poteva mettere %(best)s, che vale %(n)s punti."),
    "unload": _("Conveniva liberarsi adesso di %(best)s."),
    "on_average": _("Nella media dei modi in cui potevano stare le carte, %(best)s rende di più."),
}


def name_word(word: str) -> str:
    """Return the word for what a decision lost."""
    return str(WORDS[word])


def describe_refusal(code: str, wait: timedelta = timedelta()) -> str:
    """Return the sentence for an analysis that isn't given; KeyError for a code of neither list."""
    if code in REFUSALS:
        return str(REFUSALS[code]) % {"wait": describe_wait(wait)} if wait else str(REFUSALS[code])
    return game_wording.describe_study_refusal(code)


def describe_reason(result: Json) -> str:
    """Return why the card that was played was worse than the best, as the player could see it; empty without one."""
    reason = result["reason"]
    if reason is None:
        return ""
    best, played = result["moves"][0][0], result["played"]
    cards = [game_wording.name_card(CARDS[name]) for name in reason["cards"]]
    values = {
        "best": describe_card(best),
        "played": describe_card(played),
        "card": cards[0] if cards else "",
        "cards": join_list(cards) if cards else "",
        "points": describe_thirds(reason["number"]),
        "n": reason["number"],
        "total": reason["total"],
    }
    text = REASONS[reason["code"]]
    return str(text % values)  # type: ignore[operator]  # a lazy text, or one that chooses its plural by ``n``


def describe_card(text: str) -> str:
    """Return the name of the card of a stored play."""
    return game_wording.name_card(parse_move(f"0 play {text}").card)


def describe_play(text: str) -> str:
    """Return a stored play in words: the card, and what it takes."""
    move = parse_move(f"0 play {text}")
    if not move.takes:
        return game_wording.name_card(move.card)
    taken = [game_wording.name_card(CARDS[name]) for name in text.split(" x ")[1].split()]
    return str(_("%(card)s (su %(taken)s)")) % {"card": game_wording.name_card(move.card), "taken": join_list(taken)}


def describe_thirds(thirds: int) -> str:
    """Return what Tresette cards are worth: points and thirds of one (T4)."""
    whole, rest = divmod(thirds, 3)
    if not rest:
        return str(describe_points(whole))
    if not whole:
        return str(_("un terzo di punto") if rest == 1 else _("due terzi di punto"))
    return str(_("%(points)s e %(rest)s")) % {
        "points": describe_points(whole),
        "rest": _("un terzo") if rest == 1 else _("due terzi"),
    }


def describe_points(points: int) -> str:
    return str(ngettext_lazy("%(n)s punto", "%(n)s punti", "n") % {"n": points})


def write_signed(value: float) -> str:
    """Write points with their sign and one decimal, in the reader's way."""
    rounded = round(value, 1)
    number = number_format(abs(rounded), 1)
    return f"+{number}" if rounded > 0 else f"−{number}" if rounded < 0 else number


def describe_turn(own: bool, change: float) -> str:
    """Return what a turning point was: the own card, or the others' play and the cards that came."""
    if own:
        return str(_("La tua carta: %(change)s")) % {"change": write_signed(change)}
    if change > 0:
        return str(_("Le giocate degli altri e le carte, a tuo favore: %(change)s")) % {"change": write_signed(change)}
    return str(_("Le giocate degli altri e le carte, a tuo sfavore: %(change)s")) % {"change": write_signed(change)}
