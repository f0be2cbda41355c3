"""The tables of fixtures: opened when their time has come (K4)."""

from datetime import datetime, timedelta
from typing import Required, TypedDict

from django.db import transaction
from django.urls import reverse

from games.models import Commitment, Match
from games.selectors import count_house_only_tables
from games.services import errors, seating
from players import caps
from players.models import Player
from players.services import counted_acts
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import FixtureDetail
from tournaments.core.result import find_context, find_length
from tournaments.equal import secrets
from tournaments.models import EntryMember, Fixture, LineUp, Tournament

State = Tournament.State
BUSY_RETRY = timedelta(seconds=2)  # a player still sits elsewhere (E8): look again so much later


def open_due_fixture(*, fixture_id: int, now: datetime) -> Match | None:
    """Open the table of a fixture whose time has come (K4); None where there was nothing to do. With equal deals (J9)
    those of its round open with it.

    If one of its players still sits at another table (E8), it stays ready and is tried again a little later; so does
    a table of the house alone while there are enough of those on the site (AT6).
    """
    tournament_id = Fixture.objects.values_list("round__tournament_id", flat=True).get(pk=fixture_id)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        if tournament.state != State.RUNNING or tournament.paused_at is not None:
            return None
        fixtures = Fixture.objects.select_for_update(of=("self",)).select_related("round")
        fixture = fixtures.get(pk=fixture_id)
        if not _is_due(fixture, now):
            return None
        together = () if fixture.is_shown else fixtures.filter(round=fixture.round).exclude(pk=fixture.pk)
        opened = _open_fixture(tournament, fixture, now)
        others = [_open_fixture(tournament, other, now) for other in together if _is_due(other, now)]
        if opened is not None or any(others):
            store_version(tournament)
        return opened


def _is_due(fixture: Fixture, now: datetime) -> bool:
    return fixture.state == Fixture.State.READY and fixture.opens_at is not None and fixture.opens_at <= now


def _open_fixture(tournament: Tournament, fixture: Fixture, now: datetime) -> Match | None:
    """Open the table of a fixture that is due, or put it off."""
    players = _list_players(fixture)
    if all(player.is_house for player in players) and not _has_room(now):
        fixture.opens_at = now + caps.HOUSE_ONLY_RETRY
        fixture.save(update_fields=["opens_at"])
        return None
    try:
        with transaction.atomic():
            match = _open_table(tournament, fixture, players, now)
    except errors.SeatTaken:
        fixture.opens_at = now + BUSY_RETRY
        fixture.save(update_fields=["opens_at"])
        return None
    fixture.match = match
    fixture.state = Fixture.State.PLAYING
    fixture.opens_at = None
    fixture.save(update_fields=["match", "state", "opens_at", "own_cards"])
    write_log(tournament, "table_opened", now, detail=FixtureDetail(fixture=fixture.pk))
    return match


def _list_players(fixture: Fixture) -> list[Player]:
    """List the players in the order of their seats: the first-named at seat 0 (R1), partners face each other (G2)."""
    named = LineUp.objects.filter(fixture=fixture).with_people() if fixture.part else ()
    players = [row.person.player for row in sorted(named, key=lambda row: (row.position, row.side))]
    if players:  # of a team (J11)
        return [player for player in players if player is not None]
    members = EntryMember.objects.filter(entry__in=(fixture.first_id, fixture.second_id)).with_people()
    seats = sorted(members, key=lambda member: (member.position, member.entry_id != fixture.first_id))
    return [member.require_player() for member in seats]


def _has_room(now: datetime) -> bool:
    """Return whether one more table of the house alone may be open on the site (AT6), until the transaction ends.

    False, too, where somebody else is opening one right now: the sweep waits for nobody.
    """
    if not counted_acts.lock_if_free("house_only_tables", now=now):
        return False
    return count_house_only_tables() < caps.MAX_HOUSE_ONLY_TABLES


def _open_table(tournament: Tournament, fixture: Fixture, players: list[Player], now: datetime) -> Match:
    context = find_context(tournament, fixture)
    return seating.open_match(
        ruleset=tournament.ruleset,
        length=find_length(tournament),
        context=context,
        options=tournament.options,
        players=players,
        turn_timeout=tournament.turn_timeout,
        match_clock=tournament.match_clock,
        noshow_after=tournament.noshow_after,
        title=tournament.name,
        about_url=reverse("tournament", args=[tournament.public_id]),
        welcoming=tournament.standing_offer,
        strength=tournament.house_strength,
        now=now,
        **_choose_cards(tournament, fixture),
    )


class CardSource(TypedDict, total=False):
    """Source of a table's cards, as ``seating.open_match`` is given it."""

    first_dealer: Required[int | None]
    commitment: Commitment | None
    scope: str
    withheld: bool


def _choose_cards(tournament: Tournament, fixture: Fixture) -> CardSource:
    """Return where the cards of a fixture come from: in a round with equal deals (J9) what the round shares, or for
    what is played anew, or after the reveal, a secret of its own. The dealer is the same at all tables there."""
    if not tournament.equal_deals or find_context(tournament, fixture) == "ko":
        return {"first_dealer": None}
    number = fixture.round.number
    shared = None if fixture.own_cards else secrets.find_commitment(tournament, number)
    fixture.own_cards = shared is None
    scope = secrets.name_own_scope(tournament, number) if shared is None else ""
    return {"first_dealer": 0, "commitment": shared, "scope": scope, "withheld": fixture.round.withheld}
