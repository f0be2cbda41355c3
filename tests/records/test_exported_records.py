"""Every finished match exports its record, and reading it gives the same result: rulesets, calls and forfeits.

Matches are played at random through the services, as people at a table play them.
"""

import json
import random
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client

from games import selectors as tables
from games.engine import match as engine
from games.engine.game import GO_WITH_CARD, Setup, controlling_seat
from games.engine.record import write_move
from games.models import Match, Move
from games.services import playing, seating, settlement
from players.models import Player
from records import match_narrative
from records.results import replay_record
from scoring.match_points import compute_match_points
from tests.games import setups
from tests.support.records import filter_sentences
from tests.support.tables import again, opened
from tests.support.thorough import tries

MOST_MOVES = 150  # then somebody has had enough and abandons: the record of a forfeit
EACH = tries(1, 4)  # ways of every table


class Played:
    """A match among people, each with a window, played at random by a seed."""

    def __init__(self, setup: Setup, people: list[Player], now: datetime) -> None:
        self.rng = random.Random(repr(setup))
        self.now = now
        self.match = opened(
            people,
            now,
            ruleset=setup.ruleset,
            length=setup.length,
            context=setup.context,
            options=dict(setup.options),
            first_dealer=setup.first_dealer,
            match_clock=None,
        )
        for player in people:
            seating.sit_down(match_id=self.match.pk, player_id=player.pk, token="", now=now)
        self.controls = {
            seating.sit_down(match_id=self.match.pk, player_id=player.pk, token=f"of-{player.pk}", now=now): player.pk
            for player in people
        }

    def out(self) -> Match:
        """Play it to its end."""
        for _ in range(MOST_MOVES):
            if again(self.match).status == Match.Status.FINISHED:
                break
            self.move()
        else:
            if self.rng.random() < 0.5:
                self.abandon()
            else:
                settlement.expire_overdue(match_id=self.match.pk, now=self.now + timedelta(hours=1))
        finished = again(self.match)
        assert finished.status == Match.Status.FINISHED
        return finished

    def abandon(self) -> None:
        seat = self.rng.choice(sorted(self.controls))
        self.now += timedelta(seconds=1)
        playing.abandon(
            match_id=self.match.pk,
            seat=seat,
            control=f"of-{self.controls[seat]}",
            confirm=True,
            client_id=None,
            now=self.now,
        )

    def move(self) -> None:
        """Play one card with its calls, or make one call."""
        current = again(self.match)
        legal = engine.legal(tables.load_progress(current))
        plays = [move for move in legal if move.verb == "play"]
        alone = [move for move in legal if move.verb != "play" and move.verb not in GO_WITH_CARD]
        opening = current.opening_until
        late = opening is not None and self.now >= opening
        alone = [move for move in alone if not (late and move.verb in ("redeal", "collatondrione"))]
        if alone and self.rng.random() < 0.4:
            chosen, calls = self.rng.choice(alone), None
        else:
            chosen = self.rng.choice(plays)
            going = [move for move in legal if move.verb in GO_WITH_CARD and self.goes(move, chosen)]
            calls = [text(self.rng.choice(going))] if going and self.rng.random() < 0.5 else None
            self.now = max(self.now, opening or self.now)
        assert current.turn_from is not None
        self.now = max(self.now, current.turn_from if chosen.verb == "play" else self.now) + timedelta(milliseconds=100)
        seat = controlling_seat(chosen.seat, current.players)
        playing.play_move(
            match_id=current.pk,
            seat=seat,
            control=f"of-{self.controls[seat]}",
            text=text(chosen),
            client_id=str(uuid4()),
            version=current.version,
            now=self.now,
            calls=calls,
        )

    def goes(self, call, card) -> bool:
        """Return True if this card may carry a declaration or a signal: try both on a copy."""
        try:
            engine.play(engine.play(tables.load_progress(again(self.match)), call), card)
        except engine.IllegalMove:
            return False
        return True


def text(move) -> str:
    return write_move(move).partition(" ")[2]


@pytest.fixture
def people(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


def check(match: Match) -> dict[str, object]:
    """Read the exported record again and compare it with the match in the database."""
    record = json.loads(json.dumps(tables.build_record(match)))
    result = replay_record(record)
    assert result["complete"]
    assert result["score"] == [match.score_0, match.score_1]
    assert (result["winner"], result["decided_by"]) == (match.winner, match.decided_by)
    assert result["margin"] == match.margin
    worth = compute_match_points(match)
    assert result["vp"] == (list(worth.vp) if worth else None)
    assert [len(deal["deck"].split()) for deal in record["deals"]] == [40] * len(record["deals"])
    moves = Move.objects.filter(match=match).order_by("version").with_results().values_list("text", flat=True)
    assert [move for deal in record["deals"] for move in deal["moves"]] == list(moves)
    narrative = match_narrative.narrate_record(record)
    assert narrative.fault is None
    assert narrative.ending
    assert len(narrative.deals) == len(record["deals"])
    return record


@pytest.mark.parametrize("number", range(EACH))
@pytest.mark.parametrize(("ruleset", "players"), setups.KINDS)
def test_a_match_played_at_the_table_gives_the_same_result_from_its_record(
    ruleset, players, number, people, now, client
):
    setup = random.Random(7).sample(setups.chosen(ruleset, players), 4)[number]
    match = Played(setup, people[: setup.players], now).out()
    record = check(match)
    verbs = [move.split()[1] for deal in record["deals"] for move in deal["moves"]]
    assert len(filter_sentences(record, "call")) == sum(
        verb != "play" and verb not in engine.FORFEITS for verb in verbs
    )
    page = client.get(f"/partite/{match.public_id}/")
    assert page.status_code == 200
    assert page.content.decode().count('<details class="account">') == len(record["deals"])
    downloaded = client.get(f"/partite/{match.public_id}/verbale.json")
    answer = Client().post("/api/v1/records/replay/", downloaded.content, content_type="application/json").json()
    assert answer == replay_record(record)


def test_a_noshow_is_in_the_record_too(people, now):
    match = opened(people[:2], now, ruleset="tresette", noshow_after=300)
    seating.sit_down(match_id=match.pk, player_id=people[0].pk, token="", now=now)
    settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=301))
    assert check(again(match))["deals"][0]["moves"] == ["1 noshow"]
