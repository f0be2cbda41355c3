"""The decks (G1): where each is drawn, what its cards are called, and the page that shows them.

A deck is a file static/cards/<deck>.svg with a symbol for every card: ``7d`` with its corner indices, ``f-7d`` without,
and ``back``. Which one is drawn is the reader's own choice (players.selectors.read_looks): no rule and no other reader
sees it.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static

from games import wording
from games.engine.cards import CARDS
from games.engine.record import Json
from players.forms import LooksForm
from players.models import User
from players.selectors import Looks, player_for, read_looks
from players.web.live import PageContext

BACK = "back"
ITALIAN_SUITS, FRENCH_SUITS = ("denari", "coppe", "bastoni", "spade"), ("quadri", "cuori", "fiori", "picche")
# The card that each game is known by, and with it a suit; in the order in which a newcomer is shown the games.
MOTIFS = {
    "scopa": "7d",
    "briscola": "As",
    "tresette": "3c",
    "scopone": "Rd",
    "asso-piglia-tutto": "Ab",
    "tressette-accusa": "Ac",
    "tresette-a-perdere": "Rs",
    "tressette-classico": "3b",
}
SAMPLE_TABLED, SAMPLE_HAND = ("5s", "Fc", "7d"), ("As", "Cb", "Rd")


def build_address(card: str, looks: Looks, deck: str = "") -> str:
    """Return the address of the drawing of a card, or the back, in the reader's deck; ``deck``: in this one."""
    name = card if looks.indices or card == BACK else f"f-{card}"
    return f"{static(f'cards/{deck or looks.deck}.svg')}#{name}"


def build_suit_address(suit: int, looks: Looks) -> str:
    """Return the address of the drawing of a suit by its number, about its middle, in the reader's deck."""
    names = FRENCH_SUITS if looks.deck == wording.FRENCH else ITALIAN_SUITS
    return f"{static(f'cards/{looks.deck}.svg')}#{names[suit]}"


def build_motif_address(ruleset: str) -> str:
    """Return the address of the drawing of the card that a game is known by."""
    return f"{static('img/motifs.svg')}#{MOTIFS[ruleset]}"


def list_samples() -> list[PageContext]:
    """Return a small table for every deck, with corner indices and without: addresses of ``tabled`` and ``hand``."""
    samples: list[PageContext] = []
    for deck in User.Deck.values:
        for indices in (True, False):
            draw = partial(build_address, looks=Looks(deck=deck, indices=indices))
            samples.append(
                {
                    "deck": deck,
                    "indices": indices,
                    "back": draw(BACK),
                    "tabled": [draw(card) for card in SAMPLE_TABLED],
                    "hand": [draw(card) for card in SAMPLE_HAND],
                }
            )
    return samples


def build_script_data(user: Any) -> Json:
    """Return the data for scripts that draw cards: the decks with their own words, and the reader's preferences."""
    looks = read_looks(user)
    return {
        "decks": {
            deck: {"sprite": static(f"cards/{deck}.svg"), "words": _list_own_words(deck)} for deck in User.Deck.values
        },
        "preferences": {
            "deck": looks.deck,
            "indices": looks.indices,
            "one_click": looks.one_click,
            "second_tap": looks.second_tap,
            "sound": looks.sound,
            "vibration": looks.vibration,
            "theme": looks.theme,
        },
    }


def _list_own_words(deck: str) -> dict[str, str]:
    """The words that are others with this deck, by the script's names for them."""
    if deck != wording.FRENCH:
        return {}
    return {
        **{f"rank-{rank}": str(name) for rank, name in wording.FRENCH_RANKS.items()},
        **{f"suit-{suit}": str(name) for suit, name in wording.FRENCH_SUITS.items()},
        **{f"tally-{code}": str(row) for code, row in wording.FRENCH_TALLY_ROWS.items()},
        **{f"why-{code}": str(sentence) for code, sentence in wording.FRENCH_TALLY_SENTENCES.items()},
    }


def name_cards_as_drawn(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that tells of cards in words: they are called as in the deck the reader sees."""

    @wraps(view)
    def render_with_deck(request: HttpRequest, *about: Any, **named: Any) -> HttpResponse:
        with wording.use_names_of_deck(read_looks(request.user).deck):
            return view(request, *about, **named)

    return render_with_deck


def build_looks_form(user: Any) -> LooksForm | None:
    """Return the form of a player's choices where cards are drawn; None for visitors."""
    player = player_for(user)
    return None if player is None else LooksForm(instance=player.user, auto_id="looks_%s")


def show_decks(request: HttpRequest) -> HttpResponse:
    """Show all forty cards and the back of each deck."""
    shown = [
        {
            "id": deck,
            "name": wording.DECKS[deck][0],
            "about": wording.DECKS[deck][1],
            "cards": [(name, wording.name_card(card, deck)) for name, card in CARDS.items()],
        }
        for deck in User.Deck.values
    ]
    return render(request, "games/decks.html", {"decks": shown, "form": build_looks_form(request.user)})
