"""Standing offers: sit and gos of house players with one free place, kept open by the house for every visitor.

They only exist where ``manage.py demo`` made them. This module never moves a card: house players play by the tables'
own services.
"""

from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.selectors import count_house_only_tables
from players import caps
from players.addresses import compute_address_digest
from players.models import Player
from players.services.counted_acts import TooMany, count_act, require_room
from players.services.halls import is_hall
from players.services.house import HouseBusy, create_house_player, prepare_house_players
from tournaments.core.errors import TournamentError
from tournaments.core.states import ENTERING
from tournaments.core.visibility import list_current
from tournaments.entries.house import enter_house_players
from tournaments.entries.join import enter_player
from tournaments.entries.pairs import enter_with_house
from tournaments.formats.girone import FORMAT as GIRONE
from tournaments.formats.ko import FORMAT as KNOCKOUT
from tournaments.models import Fixture, Tournament
from tournaments.organise.lifecycle import create_tournament, publish_tournament
from tournaments.organise.settings import Settings
from tournaments.running.withdraw import withdrawals_key

State = Tournament.State
HOUSE_ORGANISER = "Il Circolo"
SHOWS = Q(fixture__round__tournament__organiser__kind=Player.Kind.HOUSE)  # matches of the house's own tournaments
# Short, so that a whole tournament takes minutes.
_quick = partial(
    Settings, length_kind="deals", length_value=1, turn_timeout=60, match_clock=600, noshow_after=120, pause=3,
    house_allowed=True,
)  # fmt: skip
# In the order in which "Gioca subito" offers them.
OFFERS = (
    _quick(name="KO veloce di scopa", format=KNOCKOUT.id, ruleset="scopa", min_entries=8, max_entries=8),
    _quick(name="Girone veloce di tresette", format=GIRONE.id, ruleset="tresette", min_entries=6, max_entries=6),
    _quick(
        name="Coppie veloci di tresette",
        format=KNOCKOUT.id,
        ruleset="tresette",
        seats_an_entry=2,
        min_entries=4,
        max_entries=4,
    ),
    _quick(
        name="KO veloce di asso piglia tutto",
        format=KNOCKOUT.id,
        ruleset="asso-piglia-tutto",
        min_entries=4,
        max_entries=4,
    ),
    _quick(name="KO veloce di briscola", format=KNOCKOUT.id, ruleset="briscola", min_entries=4, max_entries=4),
    _quick(
        name="Coppie veloci di scopone",
        format=KNOCKOUT.id,
        ruleset="scopone",
        seats_an_entry=2,
        min_entries=4,
        max_entries=4,
    ),
)
# Played by the house alone, so that there is something to watch from the first minute.
SHOWCASE = Settings(
    name="Girone della casa",
    format=GIRONE.id,
    ruleset="scopa",
    length_kind="points",
    length_value=11,
    turn_timeout=60,
    match_clock=1800,
    pause=5,
    min_entries=6,
    max_entries=6,
    house_allowed=True,
)
# Over within minutes, so that there are results, replays and problems to look at, too.
SHORT_SHOWCASE = _quick(name="KO lampo della casa", format=KNOCKOUT.id, ruleset="scopa", min_entries=4, max_entries=4)


def list_missing_offers() -> tuple[Settings, ...]:
    """Return the offers that aren't open now; () where the house never made any."""
    offers = Tournament.objects.filter(standing_offer=True)
    open_now = set(offers.filter(state=State.OPEN).values_list("format", "ruleset"))
    missing = tuple(offer for offer in OFFERS if (offer.format, offer.ruleset) not in open_now)
    return missing if missing and offers.exists() else ()


def keep_offer_open(*, now: datetime) -> None:
    """Publish again every offer that was filled."""
    for settings in list_missing_offers():
        publish_offer(settings, now=now)


def publish_offer(settings: Settings, *, now: datetime) -> None:
    """Publish one offer, filled but for a place. Does nothing if another sweeper was faster.

    TournamentError("house_busy") where so many house players aren't free.
    """
    _prepare_players(settings, settings.max_entries - 1, now)
    try:
        with transaction.atomic():
            organiser = ensure_house_organiser(now=now)
            tournament = create_tournament(organiser=organiser, settings=settings, now=now, standing_offer=True)
            publish_tournament(tournament_id=tournament.pk, by=organiser, now=now)
            enter_house_players(tournament_id=tournament.pk, count=settings.max_entries - 1, now=now)
    except IntegrityError:
        offer = Tournament.objects.filter(format=settings.format, ruleset=settings.ruleset)
        if not offer.filter(standing_offer=True, state=State.OPEN).exists():
            raise


def start_showcase(settings: Settings = SHOWCASE, *, now: datetime) -> Tournament:
    """Start a tournament of the house's own, and return it."""
    _prepare_players(settings, settings.max_entries, now)
    with transaction.atomic():
        organiser = ensure_house_organiser(now=now)
        tournament = create_tournament(organiser=organiser, settings=settings, now=now)
        publish_tournament(tournament_id=tournament.pk, by=organiser, now=now)
        enter_house_players(tournament_id=tournament.pk, count=settings.max_entries, now=now)
    tournament.refresh_from_db()
    return tournament


def _prepare_players(settings: Settings, entries: int, now: datetime) -> None:
    """Have the players of so many entries ready before anything is locked."""
    try:
        prepare_house_players(count=entries * settings.entry_kind.line_up_size, now=now)
    except HouseBusy as busy:
        raise TournamentError(busy.code) from None


def ensure_house_organiser(*, now: datetime) -> Player:
    """Return the house player in whose name the house's tournaments run, created if it has none."""
    organiser = Player.objects.filter(kind=Player.Kind.HOUSE, name=HOUSE_ORGANISER).first()
    return organiser or create_house_player(now=now, name=HOUSE_ORGANISER)


def _filter_upcoming(player: Player) -> QuerySet[Fixture]:
    """Return the player's fixtures, now or later, in the tournament of an outer query: none once they are out of its
    bracket."""
    mine = Q(first__members__person__player=player) | Q(second__members__person__player=player)
    return Fixture.objects.open().filter(mine, round__tournament=OuterRef("pk"))


def enter_now(
    *, player: Player, now: datetime, ruleset: str | None = None, seats: int = 1, address: str = ""
) -> Tournament:
    """Enter ``player`` where they sit down soonest: the tournament they still play in, else a standing offer.

    ``seats`` 2: in a pair, with a partner of the house. Of two who enter at once the second gets the next offer.
    ``address``: where the request comes from; guests are counted by it, too. TournamentError: "no_offer" where the
    house keeps none, "house_busy" while too few of its players are free; played_often, withdrew_often, tables_busy
    (AT6).
    """
    playing = (
        list_current(player)
        .filter(standing_offer=True)
        .filter(Q(state__in=ENTERING) | Exists(_filter_upcoming(player)))
    )
    running = playing.first()
    if running is not None:
        return running
    offers = [offer for offer in OFFERS if ruleset in (None, offer.ruleset) and offer.entry_kind.seats == seats]
    enter = enter_player if seats == 1 else enter_with_house
    if not offers or not Tournament.objects.filter(standing_offer=True).exists():
        raise TournamentError("no_offer")
    _count_click(player, address, now)
    for _attempt in range(20):
        refused = None
        try:
            keep_offer_open(now=now)
        except TournamentError as error:
            if error.code != "house_busy":
                raise
            refused = error  # an offer may be open all the same
        for offer in offers:
            open_now = Tournament.objects.filter(
                standing_offer=True, state=State.OPEN, format=offer.format, ruleset=offer.ruleset
            ).first()
            if open_now is None:
                continue
            try:
                enter(tournament_id=open_now.pk, player=player, now=now)
            except TournamentError as error:
                if error.code not in ("full", "registration_closed"):
                    raise
                continue
            open_now.refresh_from_db()
            return open_now
        if refused is not None:
            raise refused
    raise TournamentError("no_offer")


def _count_click(player: Player, address: str, now: datetime) -> None:
    """Count a tournament that the house is about to play with ``player``. Raise TournamentError where a cap is
    reached (AT6)."""
    if count_house_only_tables() >= caps.MAX_HOUSE_ONLY_TABLES:
        raise TournamentError("tables_busy", wait=caps.MINUTE)
    limits = {f"play_now:{player.pk}": caps.PLAY_NOW_A_PERSON}
    if player.is_guest and address:
        cap = caps.PLAY_NOW_IN_A_HALL if is_hall(address=address, now=now) else caps.PLAY_NOW_AN_ADDRESS
        limits[f"play_now:{compute_address_digest(address)}"] = cap
    try:
        require_room(withdrawals_key(player), caps.WITHDRAWALS_A_PERSON, now=now)
    except TooMany as refused:
        raise TournamentError("withdrew_often", wait=refused.wait) from None
    try:
        count_act(limits, now=now)
    except TooMany as refused:
        raise TournamentError("played_often", wait=refused.wait) from None
