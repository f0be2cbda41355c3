"""Opening a table, coming to it, and which window controls a seat (E8). It makes no move."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from games import broadcast, clocks, shuffles
from games.clocks import Now
from games.engine import match as engine
from games.engine.game import AUTOMATIC, Context, Length, Points, Setup, controlling_seat, count_hands
from games.locked_match import LockedMatch
from games.models import Commitment, Match, Seat, Strength
from games.prepared_sql import PreparedSql
from games.services.beginners import find_beginners
from games.services.errors import NotSeated, SeatTaken
from games.services.settlement import deliver_when_over
from players.models import Player, make_public_id
from players.selectors import read_automatic_calls

SEATS = PreparedSql(Seat)  # only read here


def open_match(
    *,
    ruleset: str,
    length: Length,
    context: Context,
    options: Mapping[str, Any],
    players: Sequence[Player],
    turn_timeout: int | None,
    match_clock: int | None,
    noshow_after: int | None,
    first_dealer: int | None,
    title: str,
    now: Now,
    about_url: str = "",
    absence: Match.Absence | str = Match.Absence.LOSES,
    training: bool = False,
    handicap: Points = (0, 0),
    welcoming: bool = False,
    strength: str = Strength.CLUB,
    commitment: Commitment | None = None,
    scope: str = "",
    withheld: bool = False,
) -> Match:
    """Open a table for ``players``, in the order of their seats (three sit at 0, 1 and 3: M3); it is dealt when all
    have arrived. Times in seconds.

    House players are there at once. ``first_dealer`` None: drawn by lot, when it begins (G3). ``noshow_after`` None: it
    waits for ever.
    ``absence``: what becomes of whoever doesn't come or play in time, "house" at free tables alone. ``training``: one
    person against the house, who sits live nowhere by it (B7). ``handicap``: what each line starts with (L7).
    ``welcoming``: who has never finished a match has more time for their first card.
    ``strength``: of the house's players here, those who play for the absent too (HP2).
    ``commitment``: what its cards come from, where a round shares them (J9); else one is drawn, for its public id or
    another ``scope``. ``withheld``: who doesn't sit there is told nothing of it (J12).
    Raises HeaderError if it can't be played so, SeatTaken if somebody sits live elsewhere.
    """
    if (absence == Match.Absence.HOUSE or training) and context != "free":
        raise ValueError("only at a free table does the house play for whoever is absent")
    hands = count_hands(len(players))
    dealer = 0 if first_dealer is None else first_dealer  # one that is drawn is known when the nonces are (J3a)
    engine.check(Setup(ruleset, len(players), length, context, dict(options), dealer, handicap))
    with transaction.atomic():
        at = clocks.read_instant(now)
        has_clocks = turn_timeout is not None or match_clock is not None
        beginners = find_beginners(players) if welcoming and has_clocks else set()
        public_id = make_public_id()
        match = Match.objects.create(
            public_id=public_id,
            commitment=commitment
            or shuffles.draw(scope=scope or public_id, players=len(players), dealer_drawn=first_dealer is None, now=at),
            withheld=withheld,
            title=title,
            about_url=about_url,
            ruleset=ruleset,
            players=len(players),
            length_kind=length.kind,
            length_value=length.value,
            context=context,
            options=dict(options),
            first_dealer=dealer,
            handicap=list(handicap) if any(handicap) else [],
            score_0=handicap[0],
            score_1=handicap[1],
            version=1,
            opened_at=at,
            turn_timeout=turn_timeout,
            match_clock=match_clock,
            noshow_at=None if noshow_after is None else at + timedelta(seconds=noshow_after),
            controls=[""] * hands,
            house_seats=_compute_house_seats(players),
            by_hand=_compute_by_hand(players),
            beginners=sum(1 << seat for seat, player in _list_places(players) if player.pk in beginners),
            absence=absence,
            training=training,
            strength=strength,
        )
        set_training_aside([player.pk for player in players if not player.is_house], besides=match.pk, now=at)
        _seat(match, players, beginners)
        if all(player.is_house for player in players):
            LockedMatch(match, at).start()
        if not training:  # who begins it is there already
            broadcast.notify_opened(match, [player.pk for player in players if not player.is_house])
    return match


def _list_places(players: Sequence[Player]) -> list[tuple[int, Player]]:
    """List the seats with their players; seat 2 of three is the morto's, and nobody sits at it (M3)."""
    numbers = [seat for seat in range(count_hands(len(players))) if controlling_seat(seat, len(players)) == seat]
    return list(zip(numbers, players, strict=True))


def _compute_house_seats(players: Sequence[Player]) -> int:
    house = {seat for seat, player in _list_places(players) if player.is_house}
    return sum(1 << seat for seat in range(count_hands(len(players))) if controlling_seat(seat, len(players)) in house)


def _compute_by_hand(players: Sequence[Player]) -> int:
    """The calls they make themselves (X1), as their profiles say."""
    match, automatic = Match(players=len(players)), read_automatic_calls([player.pk for player in players])
    for seat, player in _list_places(players):
        match.choose_automatic(seat, automatic.get(player.pk, AUTOMATIC))
    return match.by_hand


def set_training_aside(player_ids: Sequence[int], *, now: datetime, besides: int | None = None) -> None:
    """End the training of people who get another table, ``besides`` (B7)."""
    running = Match.objects.filter(training=True, seats__player__in=player_ids).exclude(status=Match.Status.FINISHED)
    for match_id in running.exclude(pk=besides or 0).order_by("pk").values_list("pk", flat=True):
        table = LockedMatch.lock(match_id, now)
        if table.match.status != Match.Status.FINISHED:
            table.set_aside()
            deliver_when_over(table)


def _seat(match: Match, players: Sequence[Player], beginners: Collection[int]) -> None:
    live = Seat.objects.filter(live=True, player__in=players).values_list("player_id", flat=True).first()
    if live is not None and not match.training:
        raise SeatTaken(live)
    seats = [
        Seat(
            match=match,
            number=number,
            player=player,
            live=not match.training,
            kind=player.kind,
            beginner=player.pk in beginners,
            arrived_at=match.opened_at if player.is_house else None,
        )
        for number, player in _list_places(players)
    ]
    try:
        with transaction.atomic():
            Seat.objects.bulk_create(seats)
    except IntegrityError:  # another table took one of them in the meantime
        raise SeatTaken from None


def sit_down(*, match_id: int, player_id: int, token: str, now: Now) -> int:
    """Note that a player is at the table with the socket ``token``, the newest, which controls their seat from now on.

    The last one to come starts the match; who comes after the no-show time has forfeited already. Return the seat.
    NotSeated.
    """
    with transaction.atomic():
        table = LockedMatch.lock(match_id, now)
        seat = SEATS.find(match=match_id, player=player_id)
        if seat is None:
            raise NotSeated(table.match.version)
        if seat.arrived_at is None:
            _arrive(table, seat)
        elif table.match.taken_over:
            table.show_return(seat.number)
        table.give_control(seat.number, token)
        broadcast.publish_claim(table.match, seat.number, token)
        if table.match.status != Match.Status.FINISHED:
            broadcast.notify_seated(table.match, player_id)
        return seat.number


def _arrive(table: LockedMatch, seat: Seat) -> None:
    expired = table.waiting and table.expire()
    if table.playing and table.match.absence == Match.Absence.HOUSE:  # the house has begun for them
        seat.arrived_at = table.now
        seat.save(update_fields=["arrived_at"])
        table.show_return(seat.number)
        return
    if expired or not table.waiting:
        deliver_when_over(table)
        return
    seat.arrived_at = table.now
    seat.save(update_fields=["arrived_at"])
    if table.match.mixing_until is not None:  # the house was about to begin for them
        table.match.taken_over &= ~table.match.mask(seat.number)
        table.show_arrival()
    elif table.match.paused_at is not None or Seat.objects.filter(match=table.match, arrived_at=None).exists():
        table.show_arrival()
    else:
        table.start()


def find_seated_house_players() -> set[int]:
    """Return the ids of the house players who sit at a table now."""
    return set(Seat.objects.filter(player__kind=Player.Kind.HOUSE, live=True).values_list("player_id", flat=True))
