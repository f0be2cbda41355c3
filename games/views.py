"""The table's page. Who may not watch a table is told that there is none; the game itself goes over the socket.

The page carries the words its script says, in the reader's language, and an import map from the plain names of the
script's modules to their hashed files. It reads no cards.
"""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.utils.translation import gettext as _

from games import selectors, words
from games.engine.cards import RANKS, SUITS
from games.models import Match
from players.selectors import player_of

MODULES = (
    "cards",
    "chat",
    "choose",
    "clocks",
    "dom",
    "main",
    "motion",
    "panels",
    "scene",
    "socket",
    "steps",
    "types",
    "words",
)


def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """A table, for who sits at it and for who may watch it; 404 for everybody else."""
    match = get_object_or_404(Match, public_id=public_id)
    player = player_of(request.user)
    seat = None if player is None else selectors.seat_of(match, player)
    if seat is None and not selectors.may_watch(match, player):
        raise Http404
    return render(
        request,
        "games/table.html",
        {"match": match, "seat": seat, "modules": _modules(), "client": {"words": _client_words()}},
    )


def _modules() -> list[tuple[str, str]]:
    """The script's modules: the address a plain relative import asks for, and the address of the file."""
    return [(f"{settings.STATIC_URL}js/table/{name}.js", static(f"js/table/{name}.js")) for name in MODULES]


def _client_words() -> dict[str, str]:
    """What the script says. Names in braces are filled by the script (static/js/table/words.js)."""
    return {
        **{f"rank-{rank}": str(name) for rank, name in zip(RANKS, words.RANK_NAMES, strict=True)},
        **{f"suit-{suit}": str(name) for suit, name in zip(SUITS, words.SUIT_NAMES, strict=True)},
        **{f"decided-{code}": str(how) for code, how in words.DECIDED_BY.items()},
        **{f"tally-{code}": str(row) for code, row in words.TALLY_ROWS.items()},
        "card": _("{rank} di {suit}"),
        "and": _("{first} e {last}"),
        # Choosing a play
        "play": _("Gioca {card}"),
        "play-takes": _("Gioca {card}: prende {taken}"),
        "takes": _("Prende {taken}"),
        "put-down": _("Gioca"),
        "card-off": _("{card}, non giocabile ora"),
        "not-allowed": str(words.ILLEGAL_MOVE),
        # What was played
        "you-play": _("Giochi {card}."),
        "they-play": _("{name} gioca {card}."),
        "you-take": _("Giochi {card} e prendi {taken}."),
        "they-take": _("{name} gioca {card} e prende {taken}."),
        "scopa": _("Scopa!"),
        "you-win-trick": _("La presa è tua."),
        "they-win-trick": _("La presa è di {name}."),
        "you-draw": _("Peschi {card}."),
        "they-draw": _("{name} pesca {card}."),
        "match-begins": _("Si comincia."),
        # Seats
        "you": _("te"),
        "you-mark": _("tu"),
        "house": _("casa"),
        "house-title": _("Giocatore della casa"),
        "dealer": _("mazziere"),
        "dealer-title": _("Ha dato le carte"),
        "away": _("assente"),
        "to-move": _("Tocca a questo giocatore."),
        "hand-count": _("Carte in mano: {n}"),
        "pile": _("{n} carte"),
        "scopa-one": _("{n} scopa"),
        "scope-many": _("{n} scope"),
        "stock": _("{n} nel mazzo"),
        "turned": _("Carta scoperta: {card}."),
        # Score and turn
        "deal": _("Smazzata {n}"),
        "deal-of": _("Smazzata {n} di {m}"),
        "tie-break": _("Spareggio {n}"),
        "in-one-deal": _("si gioca in una smazzata"),
        "in-deals": _("si gioca in {n} smazzate"),
        "target": _("si vince a {n} punti"),
        "your-turn": _("Tocca a te"),
        "their-turn": _("Tocca a {name}"),
        "turn-clock": _("Tempo per questa giocata: {time}"),
        "match-clock": _("Tempo partita: {time}"),
        "hurry": _("Ti restano {n} secondi."),
        # Waiting
        "waiting-for": _("Si aspetta: {names}"),
        "about-to-start": _("Ci siete tutti: si danno le carte."),
        # End of deal, end of match
        "deal-over": _("Fine della smazzata {n}."),
        "count-what": _("Conta"),
        "count-total": _("Punti della smazzata"),
        "how": _("Partita decisa {how}."),
        "won": _("Hai vinto!"),
        "lost": _("Hai perso."),
        "drawn": _("Pareggio."),
        "won-by": _("Vince {name}."),
        # The chat
        "chat-new": _("Chat: {n} da leggere"),
        "chat": _("Chat"),
        # The line to the server
        "line-lost": _("Connessione persa: mi ricollego…"),
        "line-replaced": _("Questo posto è aperto in un'altra finestra."),
        "play-here": _("Gioca qui"),
        "line-signed-out": _("La sessione è finita."),
        "sign-in": _("Accedi di nuovo"),
        "line-gone": _("Questo tavolo non c'è più."),
        "go-home": _("Torna ai tornei"),
    }
