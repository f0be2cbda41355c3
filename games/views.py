"""The table's page. Who may not watch a table is told that there is none; the game itself goes over the socket.

The page carries the words its script says, in the reader's language, and the first view of the reader's own seat, the
same that the socket sends (games/frames.py), so that the cards are drawn before the line is there. Its script is one
file, or modules and an import map from their plain names to their files.
"""

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games import decks, match_cache, selectors, table_views, wording
from games.chips.wording import describe_stake
from games.engine.cards import RANKS, SUITS
from games.engine.game import count_hands
from games.engine.match import find_terms
from games.engine.record import Json
from games.levels import ShownLevel, read_shown_levels
from games.lobby.rematches import count_evening
from games.models import FreeTable, Match, Report
from games.services.beginners import is_beginner
from players.faces import HOUSE_FACE, find_face, name_drawing
from players.models import Player
from players.selectors import player_for
from players.web.live import PageContext

MODULES = (
    "after",
    "aim",
    "calls",
    "cards",
    "celebration",
    "chat",
    "choose",
    "chronicle",
    "clocks",
    "count",
    "decks",
    "dom",
    "drag",
    "ending",
    "faces",
    "gestures",
    "ghosts",
    "house",
    "keys",
    "last",
    "log",
    "main",
    "motion",
    "nonces",
    "options",
    "panels",
    "picks",
    "points",
    "preferences",
    "referee",
    "rematch",
    "room",
    "scene",
    "seen",
    "sha256",
    "silence",
    "socket",
    "steps",
    "tabs",
    "taps",
    "words",
)


@never_cache
def show_table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a table to the players at it and to whoever may watch it; 404 for everybody else."""
    match = get_object_or_404(Match, public_id=public_id)
    now = timezone.now()
    player = player_for(request.user)
    viewpoint = selectors.find_viewpoint(match, player, now)
    if viewpoint.is_refused:
        raise Http404
    return render(
        request,
        "games/table.html",
        {
            "match": match,
            "hands": count_hands(match.players),
            "seat": viewpoint.seat,
            "late": viewpoint.viewer == selectors.LATE,
            "names": wording.NAMES_OF_CARDS.get(match.ruleset, ()),
            **build_script(),
            "client": {
                "words": list_client_words() | name_house(match),
                **decks.build_script_data(request.user),
                "beginner": viewpoint.seat is not None and player is not None and is_beginner(player),
                "faces": _list_faces(match),
                "fewest": find_terms(match_cache.build_setup(match)).fewest_wins,
            },
            "first": table_views.build_table_view(match, viewpoint.viewer, now),
            "past": table_views.build_past(match, viewpoint.viewer),
            "looks_form": decks.build_looks_form(request.user),
            "phrases": wording.PHRASES.items(),
            "between_deals": [(code, wording.PHRASES[code]) for code in wording.BETWEEN_DEALS],
            **_describe_free_table(match, viewpoint.seat),
            "people": _list_people(match, player),
            "reasons": [choice for choice in Report.Reason.choices if choice[0] != Report.Reason.CALL],
        },
    )


def _list_people(match: Match, reader: Player | None) -> list[tuple[Player, ShownLevel | None]]:
    """Return who plays, by seat, each with the level that the reader is shown."""
    people = [seat.player for seat in match.seats.select_related("player").order_by("number")]
    levels = read_shown_levels(people, reader, match.ruleset, match.players)
    return [(player, levels.get(player.pk)) for player in people]


def _list_faces(match: Match) -> Json:
    """List the faces of those who sit there, by hand: nobody sits at the morto's; with the drawings of them."""
    seated = {seat.number: find_face(seat.player) for seat in match.seats.select_related("player")}
    codes = sorted({face for face in seated.values() if face})
    names = {code: "house" if code == HOUSE_FACE else str(number) for number, code in enumerate(codes)}
    faces = [_read_drawing("img/faces.svg", name_drawing(code), f"face-{name}") for code, name in names.items()]
    suits = [_read_drawing("img/suits.svg", suit, f"suit-{suit}") for suit in SUITS]
    seats = [names.get(seated.get(hand, ""), "") for hand in range(count_hands(match.players))]
    return {"drawn": [*faces, *suits], "seats": seats}


@cache
def _read_drawing(sheet: str, code: str, name: str) -> str:
    """Return a symbol of a sheet of drawings by another name; empty if there is none. Nothing in it reads like a card:
    its numbers stand apart from the letters after them."""
    path = finders.find(sheet)
    text = "" if path is None else Path(path).read_text()
    symbol = re.search(rf'<symbol id="{code}".*?</symbol>', text, re.DOTALL)
    if symbol is None:
        return ""
    apart = re.sub(r' d="[^"]*"', lambda line: re.sub(r"(?<=\d)(?=[A-Za-z])", " ", line[0]), symbol[0])
    return apart.replace(f'id="{code}"', f'id="{name}"', 1)


def _describe_free_table(match: Match, seat: int | None) -> PageContext:
    """Return what a free match was opened with: its stake (Z2), and the evening's score before it (B5), the reader's
    side first."""
    table = FreeTable.objects.filter(match=match).first()
    if table is None:
        return {"free_table": None}
    evening = count_evening(table)
    won = evening.won if seat is None or seat % 2 == 0 else evening.won[::-1]
    return {
        "free_table": table,
        "evening": won if evening.played else None,
        "stake": describe_stake(table) if table.stake else "",
    }


@cache
def build_script(main: str = "js/table/main.js", used: Collection[str] = MODULES) -> PageContext:
    """Return a page's ``script``: its address, and the ``modules`` of the table's that it is made of.

    A module is named by the address a plain relative import asks for, and the address of the file. There are none where
    the storage has made one file of them (config/static_storage.py).
    """
    whole = main in getattr(staticfiles_storage, "bundles", {})
    modules = [(f"{settings.STATIC_URL}js/table/{name}.js", static(f"js/table/{name}.js")) for name in used]
    return {"script": static(main), "modules": [] if whole else modules}


def list_client_words() -> dict[str, str]:
    """List the script's words in the reader's language, by code. It fills names in braces (table/words.js)."""
    return _list_words(get_language())


def name_house(match: Match) -> dict[str, str]:
    """Return the script's words for the house's players at this table, who play at its strength (HP2)."""
    strength = {"strength": match.get_strength_display()}
    return {
        "house": _("casa · %(strength)s") % strength,
        "house-title": _("Giocatore della casa; forza: %(strength)s") % strength,
    }


@cache
def _list_words(language: str | None) -> dict[str, str]:
    return {
        **{f"rank-{rank}": str(name) for rank, name in zip(RANKS, wording.RANK_NAMES, strict=True)},
        **{f"suit-{suit}": str(name) for suit, name in zip(SUITS, wording.SUIT_NAMES, strict=True)},
        **{f"decided-{code}": str(how) for code, how in wording.DECIDED_BY.items()},
        **{f"tally-{code}": str(row) for code, row in wording.TALLY_ROWS.items()},
        **{f"why-{code}": str(sentence) for code, sentence in wording.TALLY_SENTENCES.items()},
        **_list_call_words(),
        "card": _("{rank} di {suit}"),
        "and": _("{first} e {last}"),
        # Choosing a play
        "play": _("Gioca {card}"),
        "play-takes": _("Gioca {card}: prende {taken}"),
        "takes": _("Prende {taken}"),
        "put-down": _("Gioca"),
        "card-off": _("{card}, non giocabile ora"),
        "not-allowed": str(wording.ILLEGAL_MOVE),
        "not-allowed-why": _("Giocata non ammessa. {why}"),
        **{f"illegal-{code}": str(why) for code, why in wording.ILLEGAL_MOVES.items()},
        "off-calls": _("Questa carta non va con quello che hai scelto di dire."),
        "cant-take": _("Giocata non ammessa. Con {card} non si prende {taken}."),
        "cant-take-any": _("Giocata non ammessa. Con le tue carte non si prende {taken}."),
        "pick-one-by-one": _("Si può prendere in più modi: scegli le carte in tavola una alla volta."),
        "raised": _("{card}, alzata."),
        "raised-several": _("{card}, alzata: si gioca in {n} modi."),
        "raised-early": _("{card}, alzata. Non tocca ancora a te."),
        "lowered": _("{card}, rimessa giù."),
        "picked": _("{card}, scelta."),
        "unpicked": _("{card}, non più scelta."),
        # How a card is played, for whoever has never done it
        "gesture-raise": _("Tocca una carta per alzarla."),
        "gesture-raise-mouse": _("Clicca una carta per alzarla, o trascinala in tavola."),
        "gesture-play": _("{rank} va in tavola: toccala ancora per giocarla."),
        "gesture-take": _("{rank} prende {taken}: toccala ancora per giocarla."),
        "gesture-play-ghost": _("{rank} va in tavola: scegli la carta semitrasparente."),
        "gesture-take-ghost": _("{rank} prende {taken}: scegli la carta semitrasparente."),
        "gesture-choose": _("Si gioca in più modi: tocca in tavola quello che vuoi."),
        "keys": _("Frecce e Invio"),
        # What was played
        "you-play": _("Giochi {card}."),
        "they-play": _("{name} gioca {card}."),
        "you-take": _("Giochi {card} e prendi {taken}."),
        "they-take": _("{name} gioca {card} e prende {taken}."),
        "scopa": _("Scopa!"),
        "you-win-trick": _("La presa è tua."),
        "they-win-trick": _("La presa è di {name}."),
        "morto-play": _("Il morto gioca {card}."),
        "morto-take": _("Il morto gioca {card} e prende {taken}."),
        "morto-win-trick": _("La presa è del morto."),
        "you-draw": _("Peschi {card}."),
        "they-draw": _("{name} pesca {card}."),
        "house-play": _("La casa gioca per te {card}."),
        "house-take": _("La casa gioca per te {card} e prende {taken}."),
        "match-begins": _("Si comincia."),
        # Seats
        "you": _("te"),
        "you-mark": _("tu"),
        "house": _("casa"),
        "house-title": _("Giocatore della casa"),
        "partner": pgettext("il posto di un compagno", "con te"),
        "dealer": _("mazziere"),
        "dealer-title": _("Ha dato le carte"),
        "beginner": _("prima carta: +60 s"),
        "beginner-title": _("È la sua prima partita: per la prima giocata ha 60 secondi in più."),
        "away": _("assente"),
        "house-plays": _("gioca la casa"),
        "house-plays-title": _("Manca: la casa gioca al suo posto"),
        "house-for-you": _("La casa gioca per te."),
        "you-away": _("La casa gioca per te."),
        "you-back": _("Giochi di nuovo tu."),
        "they-away": _("La casa gioca per {name}."),
        "they-back": _("{name} gioca di nuovo."),
        "i-am-back": _("Sono qui"),
        "hint": _("La casa farebbe così: {moves}."),
        "hint-only": _("È l'unica carta che puoi giocare."),
        **{f"hint-{code}": str(why) for code, why in wording.HINT_REASONS.items()},
        "taken-back": _("Hai ripreso la carta: si torna indietro."),
        "to-move": _("Tocca a questo giocatore."),
        "hand-count": _("Carte in mano: {n}"),
        "pile": _("{n} carte"),
        "tricks-one": _("{n} presa"),
        "tricks": _("{n} prese"),
        "scopa-one": _("{n} scopa"),
        "scope-many": _("{n} scope"),
        "stock": _("{n} nel mazzo"),
        "turned": _("Carta scoperta: {card}."),
        "trump": _("briscola: {suit}"),
        # Score and turn
        "deal": _("Smazzata {n}"),
        "deal-of": _("Smazzata {n} di {m}"),
        "tie-break": _("Spareggio {n}"),
        "in-one-deal": _("si gioca in una smazzata"),
        "in-deals": _("si gioca in {n} smazzate"),
        "target-one": _("si vince a {n} punto"),
        "target": _("si vince a {n} punti"),
        "your-turn": _("Tocca a te"),
        "their-turn": _("Tocca a {name}"),
        "your-own-turn": _("Tocca a te: gioca dalle tue carte"),
        "your-morto-turn": _("Tocca al morto: gioca dalle sue carte"),
        "morto-turn": _("Tocca al morto, lo gioca {name}"),
        "follow": _("Rispondi a {suit}"),
        "you-open": _("Chiamate, poi tocca a te"),
        "they-open": _("Chiamate, poi tocca a {name}"),
        "morto-open": _("Chiamate, poi tocca al morto"),
        "turn-clock": _("Tempo per questa giocata: {time}"),
        "match-clock": _("Tempo partita: {time}"),
        "hurry": _("Ti restano {n} secondi."),
        "second-left": _("{n} secondo"),
        "seconds-left": _("{n} secondi"),
        "hurry-mark": _("ultimi secondi"),
        "points-match": _("Partita"),
        "points-deal": _("In questa smazzata"),
        "points-total": _("Totale"),
        "points-cards": _("Carte prese"),
        "points-tricks": _("Prese"),
        "points-scope": _("Scope"),
        "points-settebello": _("Settebello"),
        "points-calls": _("Accusi"),
        "points-you": pgettext("sopra i propri punti", "tu"),
        "points-us": pgettext("sopra i propri punti", "noi"),
        "points-them": pgettext("sopra i punti degli altri", "loro"),
        "score-us": _("Noi"),
        "score-them": _("Loro"),
        # Waiting
        "waiting-for": _("Si aspetta: {names}"),
        "about-to-start": _("Ci siete tutti: si danno le carte."),
        "table-open": _("Il tavolo è aperto"),
        "watching-late": _("Guardi una smazzata dopo"),
        "first-deal": _("Si gioca la prima smazzata: la vedrai quando è finita."),
        # Where the cards come from (J1, J2)
        "nonce-none": _("nessun numero"),
        "nonce-promised": _("impronta arrivata"),
        "nonce-awaited": _("si aspetta"),
        "nonce-missing": _("Il tuo numero non è arrivato in tempo: le carte si danno senza. Giochi lo stesso?"),
        "nonce-changed": _("Il numero che risulta per te non è quello che questo browser ha mandato."),
        "commitment-changed": _("L'impegno sulle carte non è più quello che questo browser ha ricevuto all'inizio."),
        # End of deal, end of match
        "deal-over": _("Fine della smazzata {n}."),
        "count-total": _("Punti della smazzata"),
        "count-match": _("Nella partita"),
        "mp": _("Match point"),
        "vp": _("Victory point"),
        "took-it": _("fa la presa"),
        "taken": pgettext("la carta", "presa"),
        "just-drawn": _("pescata"),
        "how": _("Partita decisa {how}."),
        "card-points": _("Punti delle carte: {points}."),
        "stakes": _("Vale {n} poste: {n} volte una vittoria semplice."),
        "won": _("Hai vinto!"),
        "lost": _("Stavolta no"),
        "drawn": _("Pareggio"),
        "stopped": _("Partita fermata dall'arbitro: non ha un risultato."),
        "deserted": _("Se ne sono andati tutti: la partita non ha un risultato."),
        "set_aside": _("Allenamento messo da parte: non ha un risultato."),
        "paused": _("Partita sospesa dall'arbitro"),
        "resumed": _("L'arbitro fa riprendere la partita."),
        "won-by": _("Vince {name}."),
        "won-noshow": _("Vinta per assenza"),
        "won-timeout": _("Vinta a tempo"),
        "won-clock": _("Vinta a tempo"),
        "won-abandon": _("Vinta per abbandono"),
        "deciding-deal": _("La smazzata decisiva, la {n}ª"),
        "only-deal": _("La smazzata"),
        "half-plus-one": _("servivano {n}"),
        "decide-one": _("Decide: {what}."),
        "decide-many": _("Decidono: {what}."),
        "thirds": _("terzi {own}–{other}"),
        "tally-points": _("Punti"),
        # The rematch
        **{
            f"rematch-{code}": str(wording.LOBBY_REFUSALS[code])
            for code in ("rematch_over", "rematch_left", "rematch_chips", "too_few_chips", "seated_elsewhere")
        },
        "rematch-off": str(wording.LOBBY_REFUSALS["no_rematch"]),
        "rematch-act": _("Rivincita"),
        "rematch-accept": _("Accetta"),
        "evening": _("serata {own}–{other}"),
        # The chat
        "chat-new": _("Chat: {n} da leggere"),
        "panel": _("Punti, mosse e chat"),
        **{f"phrase-{code}": str(phrase) for code, phrase in wording.PHRASES.items()},
        "watchers-one": _("{n} guarda"),
        "watchers": _("{n} guardano"),
        "watches": _("guarda"),
        "line-more": _("{name}: silenzia o segnala"),
        "mute": _("Silenzia"),
        "unmute": _("Riascolta {name}"),
        "report": _("Segnala"),
        "report-table": _("il tavolo in generale"),
        "report-line": _("{name}: «{said}»"),
        "call-sent": _("L'arbitro è stato chiamato."),
        "report-sent": _("Segnalazione mandata: la legge solo chi dirige."),
        # The line to the server
        "back": _("Di nuovo collegato: intanto non è successo niente."),
        "back-meanwhile": _("Di nuovo collegato. Intanto:"),
        "back-trick": _("Si è giocata {n} presa che non hai visto."),
        "back-tricks": _("Si sono giocate {n} prese che non hai visto."),
        "line-lost": _("Connessione persa: mi ricollego…"),
        "line-lost-sent": _("Connessione persa: mi ricollego e rimando quello che hai fatto…"),
        "try-now": _("Riprova ora"),
        "line-replaced": _("Questo posto è aperto in un'altra finestra."),
        "play-here": _("Gioca qui"),
        "line-signed-out": _("La sessione è finita."),
        "sign-in": _("Accedi di nuovo"),
        "line-gone": _("Questo tavolo non c'è più."),
        "go-home": _("Torna ai tornei"),
    }


def _list_call_words() -> dict[str, str]:
    """List the words of calls, to choose, send and read them (T5, T9, T10, C2-C5), and those around them."""
    return {
        **{f"call-{verb}": str(name) for verb, name in wording.CALLS.items()},
        **{f"declare-{what}": str(name) for what, name in wording.DECLARATIONS.items()},
        **{f"signal-{what}": str(name) for what, name in wording.SIGNALS.items()},
        **{f"combination-{code}": str(name) for code, name in wording.COMBINATIONS.items()},
        **{f"honour-{rank}": str(name) for rank, name in wording.HONOURS.items()},
        **{f"ho-{held}": str(phrase) for held, phrase in wording.HO_ONE.items()},
        **{f"hos-{held}": str(phrase) for held, phrase in wording.HO_SEVERAL.items()},
        "held-one": str(wording.HO_ONE_CARD),
        "held-many": str(wording.HO_CARDS),
        "without": str(wording.COMBINATION_WITHOUT),
        "accuso": str(wording.ACCUSO),
        "named-collatondrione": _("Collatondrione: tutte e dieci le carte di {suit}"),
        "choose-ho": _("Ho…"),
        "group-accuso": _("Accuso"),
        "send-accuso": pgettext("pulsante", "Accusa"),
        "group-declare": _("Dichiarazione"),
        "group-signal": _("Segnale"),
        "goes-with-card": _("Si dice insieme alla carta che giochi."),
        "cancel": _("Annulla"),
        "you-say": _("Dici: «{said}»"),
        "they-say": _("{name}: «{said}»"),
        "morto-say": _("Il morto: «{said}»"),
        "said-label": _("Ha detto"),
        "credited": _("{n} punti accusati in questa smazzata"),
        "seen": _("Carte viste: {n}"),
        "seen-short": _("Viste: {n}"),
        "opening": _("Prima della prima carta c'è il tempo per chi vuole chiamare."),
        "redealt": _("carte ridate"),
        "you-redealt": _("Hai chiesto altre carte: la smazzata è nulla e si ridanno."),
        "they-redealt": _("{name} chiede altre carte: la smazzata è nulla e si ridanno."),
        "redealt-itself": _("La smazzata è nulla: si ridanno le carte."),
        "morto": _("Morto"),
        "morto-cards": _("Le carte del morto"),
    }
