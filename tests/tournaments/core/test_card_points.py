"""Card points beside a tournament's results that only count deals won (BR4), wherever its fixtures are listed."""

import csv
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Match, SeatFacts
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.entries import fill_sit_and_go
from tests.support.html import read_attribute
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready, rounds_played
from tests.support.standings import create_field
from tests.support.tournaments import GIRONE, Opened
from tournaments.core import reads
from tournaments.core.card_points import read_card_points
from tournaments.core.result import FixtureResult
from tournaments.core.rows import EntryRow, FixtureRow, RoundRow
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, set_result
from tournaments.models import Fixture, Tournament
from tournaments.webhooks.actions import create_webhook

pytestmark = [pytest.mark.django_db, pytest.mark.rule("BR4")]
BRISCOLA = {"ruleset": "briscola", "base": GIRONE}


@arrange_once
def played(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """Return a tournament of two whose one match is over, by other cards than any other test's."""
    tournament = fill_sit_and_go(opened, four[:2], now, **BRISCOLA)
    rounds_played(tournament, now)
    tournament.refresh_from_db()
    return tournament


def find_fixture(tournament: Tournament) -> Fixture:
    return Fixture.objects.of(tournament).select_related("round", "match").get(match__isnull=False)


def read_pairs(tournament: Tournament) -> list[tuple[int, int] | None]:
    rounds = reads.read_rounds(tournament, reads.read_entries(tournament))
    return [row.cards for round_ in rounds for row in round_.fixtures if row.state == Fixture.State.DONE]


@arrange_once
def pair(played: Tournament) -> tuple[int, int]:
    """Return what the first and the second took in its match."""
    facts = SeatFacts.objects.get(match=find_fixture(played).match, side=0)
    assert facts.cards_for is not None
    assert facts.cards_against is not None
    return facts.cards_for, facts.cards_against


def test_its_pages_say_them(played: Tournament, pair: tuple[int, int]) -> None:
    def read(name: str) -> list[str]:
        return read_attribute(Client().get(reverse(name, args=[played.public_id])), "data-cards")

    assert sum(pair) == 120
    both_ways = {f"{pair[0]}–{pair[1]}", f"{pair[1]}–{pair[0]}"}
    assert set(read("tournament")) == {*map(str, pair), *both_ways}  # the round, and everybody against everybody
    assert set(read("standings")) == both_ways


def test_its_desk_and_its_papers_say_them(played: Tournament, pair: tuple[int, int], organiser: Player) -> None:
    client, cards = sign_in(organiser), f"{pair[0]}–{pair[1]}"
    for address in ("tournament-desk", played.public_id), ("desk-fixture", played.public_id, find_fixture(played).pk):
        assert read_attribute(client.get(reverse(address[0], args=address[1:])), "data-cards") == [cards]
    paper = client.get(reverse("tournament-print", args=[played.public_id, "turno"]))
    assert f"({cards})" in paper.content.decode()


def test_programs_are_told_them(played: Tournament, pair: tuple[int, int]) -> None:
    def read(address: str) -> Any:
        return Client().get(f"/api/v1/{address}").json()

    match = find_fixture(played).match
    assert match is not None
    assert [row["cards"] for row in read(f"tournaments/{played.public_id}/fixtures/?state=done")["results"]] == [
        list(pair)
    ]
    assert read(f"matches/{match.public_id}/")["cards"] == list(pair)
    first = match.seats.get(number=0).player.public_id
    assert [row["cards"] for row in read(f"people/{first}/matches/")["results"]] == [list(pair)]


def test_files_and_the_table_of_everybody_against_everybody_have_them(
    played: Tournament, pair: tuple[int, int], organiser: Player
) -> None:
    client = sign_in(organiser)
    page = client.get(reverse("tournament-print", args=[played.public_id, "incrociata"]))
    assert sorted(read_attribute(page, "data-cards")) == sorted([f"{pair[0]}–{pair[1]}", f"{pair[1]}–{pair[0]}"])
    sheet = client.get(reverse("export-csv", args=[played.public_id, "incontri"])).content.decode("utf-8-sig")
    [row] = csv.DictReader(sheet.splitlines())
    assert [row[f"Carte del {side}, in punti"] for side in ("primo", "secondo")] == list(map(str, pair))


def test_webhooks_are_told_them(opened: Opened, four: list[Player], organiser: Player, now: datetime) -> None:
    webhook = create_webhook(owner=organiser, url="https://93.184.215.14/hook", now=now)
    rounds_played(fill_sit_and_go(opened, four[:2], now, **BRISCOLA), now)
    told = webhook.deliveries.get(kind="result.in").data
    assert sum(told["cards"]) == 120


def test_beside_a_score_that_a_referee_ruled_there_are_none(
    played: Tournament, organiser: Player, now: datetime
) -> None:
    assert read_pairs(played) != [None]
    act = Act(by=organiser, reason="carte sbagliate", now=now)
    decision = Decision(points=(0, 0), winner=None)
    set_result(tournament_id=played.pk, fixture_id=find_fixture(played).pk, act=act, decision=decision)
    assert read_pairs(played) == [None]


@pytest.mark.rule("J12")
def test_while_the_round_is_withheld_nobody_is_told(played: Tournament) -> None:
    fixture = find_fixture(played)
    assert list(read_card_points(played, [fixture])) == [fixture.pk]
    played.rounds.update(withheld=True)
    assert read_pairs(played) == [None]
    assert reads.read_fixture_row(find_fixture(played), None).cards is None


def finish(tournament: Tournament, now: datetime) -> None:
    """Open the tables of the first round and end each 1-0, with 82 of the cards."""
    for match in open_ready(tournament, now + OPENING):
        Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, winner=0, score_0=1)
        Fixture.objects.filter(match=match).update(state="done", result_at=now, winner=0, points_0=1, points_1=0)
        SeatFacts.objects.create(
            seat=match.seats.get(number=0), match=match, player=match.seats.get(number=0).player, side=0,
            ruleset=match.ruleset, players=2, finished_at=now, points_for=1, cards_for=82, cards_against=38,
        )  # fmt: skip


@pytest.mark.parametrize(("ruleset", "more"), [("briscola", 1), ("tresette", 0)])
def test_they_take_one_query_for_any_number_and_none_in_other_games(
    opened: Opened, now: datetime, ruleset: str, more: int
) -> None:
    for size in (2, 4):
        tournament = create_field(opened, replace(GIRONE, ruleset=ruleset, max_entries=size), size, now)
        finish(tournament, now)
        entries = reads.read_entries(tournament)
        with CaptureQueriesContext(connection) as captured:
            rounds = reads.read_rounds(tournament, entries)
        told = [row.cards for round_ in rounds for row in round_.fixtures if row.cards is not None]
        assert told == [(82, 38)] * (size // 2 * more)
        assert len(captured) == 2 + more


@pytest.mark.rule("O12")
@pytest.mark.parametrize(("exchanged", "sum_"), [(True, (50 + 40, 70 + 80)), (False, (50 + 80, 70 + 40))])
def test_of_two_tables_they_are_added_up_by_side(*, exchanged: bool, sum_: tuple[int, int]) -> None:
    one, other = (EntryRow(pk, f"Squadra {pk}", pk, house=False, guest=False, player_ids=()) for pk in (1, 2))
    sides = ((one, other), (other, one) if exchanged else (one, other))
    cards = ((50, 70), (80, 40))
    tables = tuple(
        FixtureRow(part, 1, 1, *sides[part - 1], "done", None, "t", live=False, mine=False, part=part,
                   result=FixtureResult(points=(0, 1)), cards=cards[part - 1])
        for part in (1, 2)
    )  # fmt: skip
    [merged] = reads.merge_tables([RoundRow(1, "round", True, tables)])[0].fixtures
    assert merged.cards == sum_
