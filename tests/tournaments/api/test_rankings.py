"""Rankings and the archive for programs (Y1, I2): what the pages show, in pages by a cursor."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from players.models import Person, Player, ProfileAudience
from scoring.models import Level
from tests.support.people import sign_in
from tests.support.rankings import create_over, create_people, make_rankings
from tournaments.clubs.actions import create_club

RANKINGS, ARCHIVE = "/api/v1/rankings/", "/api/v1/archive/"
SCOPA = {"ruleset": "scopa", "form": "alone", "kind": "ever"}


def read_all(address: str, **query: object) -> list[dict[str, Any]]:
    """Read every page of a list, by its cursors."""
    answer = Client().get(address, query).json()
    rows = list(answer["results"])
    while answer["next"]:
        answer = Client().get(answer["next"]).json()
        rows += answer["results"]
    return rows


@pytest.mark.rule("Y1")
def test_a_ranking_is_read_in_pages(organiser: Player, now: datetime) -> None:
    people = create_people(7, now)
    create_over(organiser, now, {person: 50 - number // 2 for number, person in enumerate(people)})
    make_rankings(now)
    assert {(row["kind"], row["people"], row["club"]) for row in read_all(RANKINGS)} == {
        ("ever", 7, None),
        ("year", 7, None),
    }
    rows = read_all(f"{RANKINGS}people/", **SCOPA, limit=3)
    assert [(row["place"], row["rank"]) for row in rows] == [(1, 1), (2, 1), (3, 3), (4, 3), (5, 5), (6, 5), (7, 7)]
    assert rows[0]["player"] == people[0].player.public_id  # type: ignore[union-attr]
    named = read_all(f"{RANKINGS}people/", **SCOPA, name="persona007")
    assert [(row["rank"], row["name"], row["value"]) for row in named] == [(7, "Persona007", 47)]
    assert read_all(f"{RANKINGS}people/", **{**SCOPA, "ruleset": "tresette"}) == []


@pytest.mark.rule("Y1")
def test_a_clubs_own_ranking_names_who_has_no_account(organiser: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    create_over(organiser, now, {Person.objects.create(typed_name="Ada Neri"): 9}, club=club, on_site=False)
    make_rankings(now)
    assert {row["club"] for row in read_all(RANKINGS, club=club.public_id)} == {club.public_id}
    rows = read_all(f"{RANKINGS}people/", **SCOPA, club=club.public_id)
    assert [(row["name"], row["player"]) for row in rows] == [("Ada Neri", None)]
    assert Client().get(RANKINGS, {"club": "x" * 10}).status_code == 404


@pytest.mark.rule("Y1")
def test_a_hidden_level_isnt_told(four: list[Player], now: datetime) -> None:
    for player in four[:2]:
        Level.objects.create(player=player, ruleset="scopa", form="alone", mu=25, sigma=3, matches=9, rated_at=now)
    make_rankings(now)
    ProfileAudience.objects.create(player=four[0], levels="nobody")
    query = {**SCOPA, "kind": "level"}
    assert [row["name"] for row in read_all(f"{RANKINGS}people/", **query)] == ["Bruno"]
    own = sign_in(four[0]).get(f"{RANKINGS}people/", query).json()
    assert [row["name"] for row in own["results"]] == ["Anna", "Bruno"]


@pytest.mark.rule("I2")
def test_the_archive_is_read_in_pages_and_narrowed(organiser: Player, anna: Player, now: datetime) -> None:
    for number in range(5):
        create_over(organiser, now - timedelta(days=number // 2), {anna.person: 9}, name=f"Coppa {number}")
    rows = read_all(ARCHIVE, limit=2)
    assert len({row["public_id"] for row in rows}) == len(rows) == 5
    assert [row["finished_at"] for row in rows] == sorted((row["finished_at"] for row in rows), reverse=True)
    assert rows[0]["winners"] == [{"name": "Anna", "player": anna.public_id}]
    assert [row["name"] for row in read_all(ARCHIVE, name="a 3", player="anna", year=now.year)] == ["Coppa 3"]
    assert read_all(ARCHIVE, player="bruno") == []
    assert Client().get(ARCHIVE, {"citta": "Bari"}).status_code == 400
