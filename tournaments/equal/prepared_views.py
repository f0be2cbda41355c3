"""Page of the decks that a named person prepares for a round at real tables: before it is over for them alone, after
the reveal for everybody. No cache keeps it, and the API doesn't have it."""

from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import shuffles
from games.decks import build_suit_address, name_cards_as_drawn
from games.engine.cards import NAMES, RANKS
from games.engine.record import Json, Shuffle, write_deck
from games.wording import name_rank, name_suit
from players.models import Player
from players.selectors import Looks, player_for, read_looks
from players.web.live import PageContext
from players.web.qr import draw_qr
from records.views.deck_check import build_deck_check
from tournaments.core.errors import TournamentError
from tournaments.core.permissions import may_referee
from tournaments.core.web import Notice, build_address, get_tournament_or_404, run_and_report
from tournaments.equal import prepared_decks, queries
from tournaments.equal.prepared_decks import PreparedDeck, PreparedRound
from tournaments.equal.wording import describe_dealer
from tournaments.models import Round, Tournament


@never_cache
@name_cards_as_drawn
@require_http_methods(["GET", "HEAD", "POST"])
def show_prepared_decks(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show the decks of a round; while it is withheld, to whom the log names as one who prepares them. Who may ask for
    them reads what it means, and says so with a button."""
    tournament = get_tournament_or_404(request, public_id)
    round_ = queries.find_round(tournament, number) if tournament.venue.types_results else None
    if round_ is None:
        raise Http404
    player = player_for(request.user)
    if round_.is_shown:
        return _render_decks(request, tournament, round_)
    if player is None or not may_referee(tournament, player):
        raise Http404
    if request.method == "POST":
        done = Notice("decks_opened", _("Fatto: il tuo nome è nel registro."))
        about = {"tournament_id": tournament.pk, "number": number, "by": player, "now": timezone.now()}
        run_and_report(request, prepared_decks.open_decks, done, **about)
        return redirect("prepared-decks", public_id, number)
    refusal = _find_refusal(tournament, round_, player)
    if refusal is None and prepared_decks.has_opened(round_, player):
        return _render_decks(request, tournament, round_)
    context = {
        "tournament": tournament,
        "round": round_,
        "refusal": refusal,
        "preparers": prepared_decks.list_preparers(round_),
        "player": player,
    }
    return render(request, "tournaments/equal/prepare.html", context, status=403 if refusal else 200)


def _find_refusal(tournament: Tournament, round_: Round, player: Player) -> str | None:
    try:
        prepared_decks.require_preparer(tournament, round_, player)
    except TournamentError as error:
        return error.code
    return None


def _render_decks(request: HttpRequest, tournament: Tournament, round_: Round) -> HttpResponse:
    """Show the decks for paper; the caller has seen to it that the reader may."""
    prepared = prepared_decks.read_decks(tournament, round_)
    if prepared is None:
        raise Http404
    url = build_address(request, "equal-deals", tournament.public_id)
    looks = read_looks(request.user)
    context: PageContext = {
        "tournament": tournament,
        "round": round_,
        "what": "mazzi",
        "commitment": prepared.commitment,
        "decks": [_make_block(tournament, deck, looks) for deck in prepared.decks],
        "preparers": prepared_decks.list_preparers(round_),
        "now": timezone.now(),
        "url": url,
        "qr": draw_qr(url),
    }
    origin = shuffles.read_origin(prepared.commitment)
    if origin is not None:
        context |= build_deck_check(_write_decks(tournament, prepared, origin))
    with timezone.override(ZoneInfo(tournament.time_zone)):
        return render(request, "tournaments/equal/prepared_decks.html", context)


def _write_decks(tournament: Tournament, prepared: PreparedRound, origin: Shuffle) -> Json:
    """Return what a record of one of the round's tables would say of its decks (J6); the secret is public."""
    return {
        "players": tournament.entry_kind.players,
        "first_dealer": prepared.decks[0].dealer,
        "shuffle": origin.write(),
        "deals": [{"deck": write_deck(deck.cards)} for deck in prepared.decks],
    }


def _make_block(tournament: Tournament, deck: PreparedDeck, looks: Looks) -> PageContext:
    """Return a deal's block: who deals, and its cards with what is printed of each."""
    cards = [
        {
            "code": NAMES[card],
            "rank": RANKS[card % 10] if RANKS[card % 10].isdigit() else name_rank(card % 10),
            "suit": name_suit(card // 10),
            "drawing": build_suit_address(card // 10, looks),
        }
        for card in deck.cards
    ]
    return {"number": deck.number, "dealer": describe_dealer(deck.dealer, tournament.entry_kind.seats), "cards": cards}
