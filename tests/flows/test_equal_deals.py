"""A danese of pairs with equal deals, from the check-in to its travellers: two people, the house, and the sweep. Four
pairs, two rounds and a deal a match; in the soak eight, four and two.

The hour is the story's own: nobody waits for it.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.conf import LazySettings
from django.test import Client

from games.models import Commitment, Match, RegisterHead, Seat
from games.selectors import build_record
from games.services import seating
from games.shuffles import digest_row
from games.sweep import Lane, Sweep
from players.models import Player
from records.results import replay_record
from tests.games import naive_shuffling
from tests.support.equal import EQUAL_DANESE, add, promise, read_decks
from tests.support.html import read_attribute
from tests.support.people import create_person
from tests.support.tables import CONTROLS
from tests.support.tables import play as play_card
from tests.support.thorough import tries
from tests.support.tournaments import make_opened
from tournaments.entries import checkin, pairs
from tournaments.entries.house import enter_house_players
from tournaments.equal import secrets
from tournaments.models import Entry, Fixture, Round, Tournament
from tournaments.running.recompute import find_differences

ROUNDS, PAIRS, DEALS = tries((2, 4, 1), (4, 8, 2))
STEP = timedelta(seconds=3)
CARDS_A_STEP = 4
ANNAS = "5a" * 16
STORY = replace(
    EQUAL_DANESE,
    format_options={"rounds": ROUNDS},
    seats_an_entry=2,
    length_value=DEALS,
    max_entries=PAIRS,
    house_allowed=True,
    tie_break="percentuale",
    checkin_minutes=15,
    turn_timeout=None,
    match_clock=3600,
)


class Story:
    """The hour, the sweep that works by it, and the two people who play."""

    def __init__(self, people: list[Player], now: datetime) -> None:
        self.people = people
        self.now = now
        self.sweep, self.house = (
            Sweep(clock=lambda: self.now, seconds=lambda: self.now.timestamp(), lanes=lanes)
            for lanes in (tuple(Lane), (Lane.HOUSE,))
        )

    def step(self) -> None:
        """Let the sweep do what is due, then the house and the people play some cards."""
        self.sweep.round()
        for _card in range(CARDS_A_STEP):
            self.play_on()

    def play_on(self) -> None:
        """Let the house and the people do what waits for them at their tables."""
        self.now += STEP
        self.house.round()
        for seat in Seat.objects.filter(player__in=self.people, live=True).select_related("match"):
            control = CONTROLS[seat.number]
            if seat.arrived_at is None:
                seating.sit_down(match_id=seat.match_id, player_id=seat.player_id, token=control, now=self.now)
            match = Match.objects.get(pk=seat.match_id)
            if match.status == Match.Status.PLAYING and match.turn_seat == seat.number:
                assert match.turn_from is not None
                self.now = max(self.now, match.turn_from)
                play_card(match, self.now)


@pytest.mark.both_databases
@pytest.mark.rule("J9", "J10", "J12", "J5")
def test_a_danese_of_pairs_with_equal_deals(anna: Player, bruno: Player, now: datetime, settings: LazySettings) -> None:
    settings.MIXING_SECONDS = 5
    start = now + timedelta(hours=1)
    tournament = make_opened(create_person("Teresa", now), now)(STORY, starts_at=start)
    pairs.enter_pair(tournament_id=tournament.pk, player=anna, partner=bruno.name, now=now)
    pairs.enter_pair(tournament_id=tournament.pk, player=bruno, partner=anna.name, now=now)
    enter_house_players(tournament_id=tournament.pk, count=PAIRS - 1, now=now)

    story = Story([anna, bruno], start - timedelta(minutes=15))
    story.sweep.round()
    commitments = secrets.list_commitments(tournament)
    assert [row.scope for row in commitments] == [f"{tournament.public_id}/{number}" for number in range(1, ROUNDS + 1)]
    for player in (anna, bruno):
        checkin.check_in(tournament_id=tournament.pk, player=player, now=story.now)
    promise(tournament, anna, ANNAS, story.now)
    story.now = start
    story.sweep.round()
    add(tournament, anna, ANNAS, story.now)

    seen = set()
    while Tournament.objects.get(pk=tournament.pk).state != Tournament.State.FINISHED:
        story.step()
        for round_ in Round.objects.filter(tournament=tournament, withheld=True, published_at__isnull=False):
            tables = list(Match.objects.filter(fixture__round=round_))
            if tables and any(match.status == Match.Status.FINISHED for match in tables):
                seen.add(round_.number)
                assert all(build_record(match) is None for match in tables)
                assert not Commitment.objects.get(round_secret__number=round_.number).secret
    assert seen, "a table finished before the others"
    story.step()

    nonces = secrets.list_commitments(tournament)[0].nonces
    assert nonces == [ANNAS, *[""] * (2 * PAIRS - 1)]
    for number, commitment in enumerate(secrets.list_commitments(tournament), start=1):
        assert naive_shuffling.commit(commitment.scope, bytes.fromhex(commitment.secret)) == commitment.digest
        matches = [
            fixture.match for fixture in Fixture.objects.filter(round__tournament=tournament, round__number=number)
        ]
        assert len(matches) == PAIRS // 2
        for match in matches:
            assert match is not None
            record = build_record(match)
            assert record is not None
            assert replay_record(record)["ok"]
            expected = [
                "".join(naive_shuffling.shuffled(bytes.fromhex(commitment.secret), commitment.scope, nonces, deal))
                for deal in range(len(record["deals"]))
            ]
            assert read_decks(match) == expected
        page = Client().get(f"/tornei/{tournament.public_id}/carte/{number}/").content.decode()
        assert len(read_attribute(page, "data-won")) == sum(
            match.deals.filter(finished=True, void=False).count() for match in matches if match is not None
        )
        assert len([share for share in read_attribute(page, "data-share") if share]) == PAIRS
    rows = list(Entry.objects.filter(tournament=tournament).order_by("rank", "seed"))
    assert all(row.percentage for row in rows)
    assert find_differences(Tournament.objects.get(pk=tournament.pk)) == []
    listed = list(Commitment.objects.order_by("number"))
    assert RegisterHead.objects.get().number == len(listed)
    assert all(digest_row(before) == after.previous for before, after in pairwise(listed))
