"""The wording of a narrative: calls as people say them, hands, lengths, scores, stakes.

Single words (cards, counts, games) are those of games/wording.py. It decides nothing and knows no record.
"""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games import wording as game_wording
from games.engine.cards import RANKS, SUITS
from games.engine.deciding import DecidingDeal
from games.engine.game import HeardCall, Length, Points, Setup

BARE = {
    "buongioco": gettext_lazy("%(name)s dice: «Buon gioco»"),
    "collatondrione": gettext_lazy("%(name)s annuncia il collatondrione: tutte e dieci le carte di un seme"),
    "redeal": gettext_lazy("%(name)s ha meno di un punto in mano e chiede di ridare le carte"),
    "out": gettext_lazy("%(name)s si chiama fuori"),
}
FORFEITS = {
    "noshow": gettext_lazy("%(name)s non si è presentato al tavolo e perde la partita"),
    "timeout": gettext_lazy("%(name)s lascia scadere il tempo della giocata e perde la partita"),
    "clock": gettext_lazy("%(name)s esaurisce il tempo partita e perde la partita"),
    "abandon": gettext_lazy("%(name)s abbandona e perde la partita"),
}
CONTEXTS = {
    "free": gettext_lazy("tavolo libero"),
    "ko": gettext_lazy("eliminazione diretta (KO)"),
    "round_robin": gettext_lazy("girone"),
}
OPTIONS = {
    ("vinco_subito", True): gettext_lazy("vinco subito"),
    ("accuso", True): gettext_lazy("accuso"),
    ("cappotto", True): gettext_lazy("cappotto"),
    ("dichiarazioni", True): gettext_lazy("dichiarazioni"),
    ("carte_viste", True): gettext_lazy("carte viste"),
    ("carte_scoperte", True): gettext_lazy("carte scoperte"),
    ("quattro_a_terra", True): gettext_lazy("quattro a terra"),
    ("mostra_compagno", True): gettext_lazy("mostra al compagno"),
    ("ko_tie", "deals"): gettext_lazy("in parità, spareggi"),
    ("accusa", "obbligatoria"): gettext_lazy("accusa obbligatoria"),
    ("accusa", "facoltativa"): gettext_lazy("accusa facoltativa"),
    ("onori", True): gettext_lazy("onori"),
    ("segnali", "due"): gettext_lazy("segnali: busso e volo"),
    ("segnali", "tre"): gettext_lazy("segnali: busso, volo e striscio"),
}


def join_list(items: Iterable[str]) -> str:
    """Join names or words: "a, b e c"."""
    *first, last = items
    if not first:
        return last
    return _("%(first)s e %(last)s") % {"first": ", ".join(first), "last": last}


def describe_deciding_deal(deal: DecidingDeal) -> str:
    """Say which deal decided a match, and by how much where it was by points; nothing where it was the only one."""
    if deal.of == 1:
        return ""
    values = {"n": deal.number, "gain": deal.gain}
    return (
        _("Smazzata decisiva: la n. %(n)s (+%(gain)s).") if deal.gain > 0 else _("Smazzata decisiva: la n. %(n)s.")
    ) % values


def name_suit(letter: str) -> str:
    return game_wording.name_suit(SUITS.index(letter))


def name_cards(held: Iterable[int]) -> str:
    """Name several cards in full: "Asso di denari, Re di spade"."""
    return ", ".join(game_wording.name_card(card) for card in held)


def write_hand(held: Sequence[int]) -> str:
    """Write a hand by suits, in the record's letters: "denari A 2 3 · spade R".

    The ranks stand in Tresette's order of strength.
    """
    parts = []
    for number, name in enumerate(map(game_wording.name_suit, range(len(SUITS)))):
        ranks = sorted(
            (card % 10 for card in held if card // 10 == number), key=lambda rank: "32ARCF7654".index(RANKS[rank])
        )
        if ranks:
            parts.append(f"{name} {' '.join(RANKS[rank] for rank in ranks)}")
    return " · ".join(parts)


def describe_length(agreed: Length) -> str:
    if agreed.kind == "points":
        return ngettext("a %(n)d punto", "a %(n)d punti", agreed.value) % {"n": agreed.value}
    return ngettext("%(n)d smazzata", "%(n)d smazzate", agreed.value) % {"n": agreed.value}


def describe_setup(setup: Setup) -> str:
    """Describe the terms of a match: game, length, context, options."""
    options = [str(OPTIONS[key]) for key in sorted(setup.options.items(), key=str) if key in OPTIONS]
    parts = [
        game_wording.name_ruleset(setup.ruleset),
        describe_length(setup.length),
        str(CONTEXTS[setup.context]),
        *options,
    ]
    return " · ".join(parts)


def describe_handicap(handicap: Points, lines: Sequence[str]) -> str:
    """Describe the points that each side starts with (L7); ``lines``: their names."""
    starts = [
        ngettext("%(names)s con %(n)d punto", "%(names)s con %(n)d punti", points) % {"names": names, "n": points}
        for names, points in zip(lines, handicap, strict=True)
    ]
    return _("Vantaggio: si comincia %(first)s, %(second)s") % {"first": starts[0], "second": starts[1]}


def name_combination(code: str, named: Sequence[int] = ()) -> str:
    """Name a combination; three of a rank with the missing suit, where the cards are named (C4)."""
    what, _colon, letter = code.partition(":")
    text = str(game_wording.COMBINATIONS[what])
    if letter:
        return text.format(suit=name_suit(letter))
    missing = set(range(len(SUITS))) - {card // 10 for card in named if RANKS[card % 10] == what[-1]}
    if what.startswith("3") and len(missing) == 1:
        return str(game_wording.COMBINATION_WITHOUT).format(
            combination=text, suit=game_wording.name_suit(missing.pop())
        )
    return text


def quote_holding(call: HeardCall) -> str:
    """Quote the content of a *Ho* (T10): "Ho il 3 e l'asso quarti"."""
    if not call.cards:
        return str(game_wording.HO_ONE_CARD if call.held == 1 else game_wording.HO_CARDS).format(n=call.held)
    honours = join_list(str(game_wording.HONOURS[RANKS[card % 10]]) for card in call.cards)
    phrases = game_wording.HO_ONE if len(call.cards) == 1 else game_wording.HO_SEVERAL
    return str(phrases[call.held]).format(honours=honours)


def describe_call(call: HeardCall, name: str, points: int = 0) -> str:
    """Describe a call as everybody heard it, and the points it brought at once."""
    if call.verb in BARE:
        return str(BARE[call.verb]) % {"name": name}
    if call.verb == "accuso":
        what = join_list(name_combination(code, call.cards) for code in call.arg.split("+"))
        if points:
            more = ngettext("%(n)d punto", "%(n)d punti", points) % {"n": points}
            return _("%(name)s accusa: %(what)s (%(points)s)") % {"name": name, "what": what, "points": more}
        return _("%(name)s accusa: %(what)s") % {"name": name, "what": what}
    if call.verb == "signal":
        return _("%(name)s segnala: «%(what)s»") % {"name": name, "what": game_wording.SIGNALS[call.arg]}
    letter, _space, phrases = call.arg.partition(" ")
    spoken = ". ".join(
        quote_holding(call) if part == "ho" else str(game_wording.DECLARATIONS[part]) for part in phrases.split("+")
    )
    return _("%(name)s dichiara a %(suit)s: «%(what)s»") % {"name": name, "suit": name_suit(letter), "what": spoken}


def write_score(values: Sequence[int]) -> str:
    """Write two numbers, line A's first: "7 a 4"."""
    return pgettext("punteggio", "%(ours)d a %(theirs)d") % {"ours": values[0], "theirs": values[1]}


def describe_stakes(won: Sequence[int], lines: Sequence[str]) -> str:
    """Describe the stakes of each line that has won any."""
    phrases = [
        ngettext("%(n)d posta a %(line)s", "%(n)d poste a %(line)s", number) % {"n": number, "line": line}
        for number, line in zip(won, lines, strict=True)
        if number
    ]
    return _("Poste: %(won)s.") % {"won": ", ".join(phrases)}
