"""Substitutions by programs (F2): accounts on the site, typed names at real tables, alone, in pairs and in teams."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
import yaml
from django.conf import settings

from tests.support.keys import address_of, code, key_for, send
from tests.support.real_tables import draw_present, draw_real, list_round, open_real, type_names, type_teams
from tests.support.tournaments import GIRONE, PAIRS, Opened
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

WHY = {"reason": "è andato a casa"}
PAIRS_OF_NAMES = [("Ada Bo", "Ciro Di"), ("Elio Fo", "Gino Hu")]


def replace_in(tournament: Tournament, player: str, name: str, act: str = "replace/", **body: Any) -> Any:
    """Replace somebody of the tournament's first entry by a key of its organiser's."""
    entry = Entry.objects.filter(tournament=tournament).order_by("pk").first()
    assert entry is not None
    sent = {"player": player, "name": name, **WHY}
    address = f"{address_of(tournament)}entries/{entry.pk}/{act}"
    return send(key_for(tournament), address, body | sent if act == "replace/" else {"act": "replace", "body": sent})


def draw_pairs(opened: Opened, now: datetime) -> Tournament:
    tournament = open_real(opened, PAIRS, format="girone")
    type_names(tournament, PAIRS_OF_NAMES, now)
    draw_present(tournament, now)
    return tournament


def draw_teams(opened: Opened, now: datetime) -> Tournament:
    tournament = open_real(opened, GIRONE, team_size=3)
    type_teams(tournament, {"Leoni": ["Ada Bo", "Ciro Di", "Ivo Lo"], "Orsi": ["Elio Fo", "Gino Hu", "Ugo Po"]}, now)
    draw_present(tournament, now)
    return tournament


def draw_single(opened: Opened, now: datetime) -> Tournament:
    return draw_real(opened, 4, now)


@pytest.mark.rule("F2", "O2", "AP7")
@pytest.mark.parametrize(
    ("draw", "out", "after"),
    [
        (draw_single, "Ada A", {"Rita Mei"}),
        (draw_pairs, "ciro  di", {"Ada Bo", "Rita Mei"}),
        (draw_teams, "Ivo Lo", {"Ada Bo", "Ciro Di", "Rita Mei"}),
    ],
)
def test_a_typed_name_is_replaced_by_another_at_real_tables(
    draw: Callable[[Opened, datetime], Tournament], out: str, after: set[str], opened: Opened, now: datetime
) -> None:
    tournament = draw(opened, now)
    previewed = replace_in(tournament, out, "Rita Mei", "preview/")
    assert (previewed.status_code, previewed.json()["asked"]) == (200, False), previewed.content
    done = replace_in(tournament, out, "Rita Mei")
    assert (done.status_code, done.json()["done"]) == (200, True), done.content
    entry = Entry.objects.filter(tournament=tournament).order_by("pk")[0]
    assert {member.person.typed_name for member in entry.members.all()} == after
    assert code(replace_in(tournament, "Nessuno Qui", "Rita Mei")) == (404, "no_such_entry")


@pytest.mark.rule("O2")
def test_a_namesake_is_replaced_by_the_name_everybody_is_shown(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, format="girone")
    (first, *_others) = type_names(tournament, [("Ada Bo", "Ciro Di"), ("Elio Fo", "Gino Hu")], now)
    twin = first.members.get(position=1).person
    twin.typed_name, twin.suffix = "Ada Bo", "2"
    twin.save()
    draw_present(tournament, now)
    assert replace_in(tournament, "Ada Bo (2)", "Rita Mei").status_code == 200
    assert {member.person.name for member in first.members.all()} == {"Ada Bo", "Rita Mei"}


@pytest.mark.rule("F2", "O2", "AP7")
def test_whoever_is_in_already_is_put_nowhere_else_unless_said_to_be_another(opened: Opened, now: datetime) -> None:
    tournament = draw_pairs(opened, now)
    assert code(replace_in(tournament, "Ciro Di", "elio fo")) == (409, "list_refused")
    assert replace_in(tournament, "Ciro Di", "elio fo", another=True).status_code == 200


@pytest.mark.rule("AP10", "O4")
def test_the_first_result_of_a_real_table_is_previewed_also_after_a_ruling(opened: Opened, now: datetime) -> None:
    tournament = draw_single(opened, now)
    assert replace_in(tournament, "Ada A", "Rita Mei").status_code == 200
    address = f"{address_of(tournament)}fixtures/1-{list_round(tournament, 1)[0].board}/preview/"
    told = send(key_for(tournament), address, {"act": "result", "body": {"points": [7, 4]}})
    assert told.status_code == 200, told.content
    (change,) = told.json()["results"]
    assert (change["before"]["over"], change["after"]["points"]) == (False, [7, 4])
    assert told.json()["stays"] == []


@pytest.mark.rule("AP10")
def test_the_document_tells_by_example_what_a_preview_takes_and_answers(opened: Opened, now: datetime) -> None:
    """The example is sent as it stands, but for the names that are there; of a danese's rounds, and of
    play-offs (test_play_offs.py), it is read alone."""
    paths = yaml.safe_load((settings.BASE_DIR / "docs/api.yaml").read_text())["paths"]
    previews = {path: operations["post"] for path, operations in paths.items() if path.endswith("/preview/")}
    assert len(previews) == 5
    tournament = draw_single(opened, now)
    fixture, entry = list_round(tournament, 1)[0], Entry.objects.filter(tournament=tournament).order_by("pk")[0]
    shapes = set()
    for path, operation in previews.items():
        (asked,) = operation["requestBody"]["content"]["application/json"]["examples"].values()
        (told,) = operation["responses"]["200"]["content"]["application/json"]["examples"].values()
        body = asked["value"]
        shapes.add(tuple(told["value"]))
        if path.endswith(("byes/preview/", "rounds/preview/", "{number}/preview/")):
            continue
        if "player" in body["body"]:
            body["body"]["player"] = "Ada A"
        place = {"public_id": tournament.public_id, "entry": entry.pk, "place": f"1-{fixture.board}"}
        answer = send(key_for(tournament), path.format(**place), body)
        assert answer.status_code == 200, answer.content
        assert answer.json().keys() == told["value"].keys()
        listed, meant = (value["standings"] for value in (answer.json(), told["value"]))
        for row in listed[:1]:
            assert {name: part.keys() for name, part in row.items()} == {
                name: part.keys() for name, part in meant[0].items()
            }
    assert listed, "a result changes the standings"
    assert len(shapes) == 1
