"""Travellers of rounds with equal deals for programs: the page's own doors, exact percentages, and files with them."""

import csv
import io
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from api.travellers import write_percentage
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.equal import EQUAL, begun, play_otherwise
from tests.support.html import read_attribute
from tests.support.keys import by_key, make_key
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready, play
from tests.support.tournaments import GIRONE, Opened
from tournaments.equal.confronto import compute_means
from tournaments.equal.queries import compare_all
from tournaments.equal.wording import describe_share
from tournaments.models import Entry, Fixture, Round, Tournament

pytestmark = pytest.mark.django_db


def ask(tournament: Tournament, number: object, client: Client | None = None) -> Any:
    return (client or Client()).get(f"/api/v1/tournaments/{tournament.public_id}/travellers/{number}/")


def fetch(tournament: Tournament, kind: str) -> Any:
    return Client().get(reverse(f"export-{kind}", args=[tournament.public_id, "classifica"]))


@arrange_once
def played(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A girone by percentages, of which the first round is over."""
    tournament = begun(opened, four, now, base=replace(EQUAL, tie_break="percentuale"))
    first, second = open_ready(tournament, now + OPENING)
    play(first, now + OPENING)
    play_otherwise(second, now + OPENING)
    return tournament


@pytest.mark.rule("J12")
def test_a_traveller_is_refused_to_everybody_while_a_table_of_its_round_is_open(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four, now)
    over, on = open_ready(tournament, now + OPENING)
    play(over, now + OPENING)
    early = over.seats.get(number=0).player
    readers = [Client(), sign_in(organiser), sign_in(early), by_key(make_key(early)), by_key(make_key(organiser))]
    for reader in readers:
        answer = ask(tournament, 1, reader)
        assert (answer.status_code, answer.json()["code"]) == (404, "withheld")
        assert set(answer.json()) == {"type", "title", "status", "code", "detail"}
    play_otherwise(on, now + OPENING)
    assert [ask(tournament, 1, reader).status_code for reader in readers] == [200] * len(readers)
    assert ask(tournament, 2).json()["code"] == "withheld"


@pytest.mark.rule("J10", "J12")
def test_it_says_of_each_deal_and_table_what_the_page_says(played: Tournament) -> None:
    told = ask(played, 1).json()
    page = Client().get(reverse("traveller", args=[played.public_id, 1])).content.decode()
    rows = [row for deal in told["deals"] for row in deal["tables"]]
    assert told["round"] == 1
    assert [str(row["won"][0]) for row in rows] == read_attribute(page, "data-won")
    shares = [share for table in told["tables"] for share in table["percentages"]]
    assert shares == read_attribute(page, "data-share")
    points = {
        fixture.board: [fixture.points_0, fixture.points_1] for fixture in Fixture.objects.filter(round__number=1)
    }
    for board, of_match in points.items():
        deals = [row["points"] for row in rows if row["board"] == board]
        assert [sum(pair[side] for pair in deals) for side in (0, 1)] == of_match
    for row in rows:
        assert sum(row["won"]) == row["possible"] == 2
        assert {part["code"] for part in row["took"]} >= {"cards", "scope"}, row["took"]
        assert Client().get(reverse("match-replay", args=[row["match"], 1])).status_code == 200


@pytest.mark.rule("J10")
@pytest.mark.parametrize(
    ("hundredths", "exact", "rounded"), [(5550, "111/200", "55.50"), (0, "0", "0.00"), (10_000, "1", "100.00")]
)
def test_percentages_are_exact_and_with_two_decimals(
    played: Tournament, hundredths: int, exact: str, rounded: str
) -> None:
    ruled = Fixture.objects.filter(round__number=1).order_by("board").first()
    assert ruled is not None
    Fixture.objects.filter(pk=ruled.pk).update(percent_0=hundredths, percent_1=10_000 - hundredths)
    table = ask(played, 1).json()["tables"][0]
    assert (table["percentages"][0], table["rounded"][0], table["why"]) == (exact, rounded, "ruled")


@pytest.mark.rule("J10")
def test_two_decimals_are_half_up() -> None:
    shares = (Fraction(1, 3), Fraction(2, 3), Fraction(1, 16), Fraction(12345, 100_000), Fraction(1, 20_000))
    assert [write_percentage(share) for share in shares] == ["33.33", "66.67", "6.25", "12.35", "0.01"]


@pytest.mark.rule("J9", "J12")
def test_there_is_none_of_other_rounds_and_other_tournaments(
    played: Tournament, opened: Opened, four: list[Player], organiser: Player, now: datetime
) -> None:
    for number in ("0", "9", "9999", "99999", "x", "1e1", "%00"):
        answer = ask(played, number)
        assert (answer.status_code, "withheld" in answer.content.decode()) == (404, False), number
    other = opened(GIRONE, name="Altro")
    enter_all(other, four, now)
    for match in open_ready(other, now + OPENING):
        play(match, now + OPENING)
    assert Round.objects.get(tournament=other, number=1).finished
    assert (ask(other, 1).status_code, ask(other, 1).json()["code"]) == (404, "not_found")
    Tournament.objects.filter(pk=played.pk).update(state=Tournament.State.DRAFT)
    assert ask(played, 1).json()["code"] == "not_found"
    assert ask(played, 1, sign_in(organiser)).status_code == 200, "as the page: a draft is its organiser's"


@pytest.mark.rule("J10", "W2")
def test_the_files_of_the_standings_have_the_mean_percentage(played: Tournament) -> None:
    fixtures = list(Fixture.objects.filter(round__number=1).select_related("round", "match"))
    means = compute_means(compare_all(played, {1: fixtures}).values())
    told = {row["name"]: row["percentage"] for row in fetch(played, "json").json()["standings"]}
    of_api = Client().get(f"/api/v1/tournaments/{played.public_id}/standings/").json()["results"]
    assert {row["entry"]["id"]: row["percentage"] for row in of_api} == {pk: str(mean) for pk, mean in means.items()}
    assert told == {row["entry"]["name"]: row["percentage"] for row in of_api}
    Entry.objects.filter(tournament=played).update(percentage="12345/100000")
    sheet = csv.DictReader(io.StringIO(fetch(played, "csv").content.decode("utf-8-sig")))
    assert {row["Percentuale media"] for row in sheet} == {describe_share(Fraction("0.1235"))}


@pytest.mark.rule("J12", "W2")
def test_no_file_has_a_percentage_of_a_round_that_is_on(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = begun(opened, four, now, base=replace(EQUAL, tie_break="percentuale"))
    over, _on = open_ready(tournament, now + OPENING)
    play(over, now + OPENING)
    assert {row["percentage"] for row in fetch(tournament, "json").json()["standings"]} == {None}
