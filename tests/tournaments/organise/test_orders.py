"""Choosing what orders the standings (R2, EV10): in the form without a script, and by programs."""

import json
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests.support.html import read_form
from tests.support.keys import by_key, make_key
from tests.support.pages import post_tournament, show_anew
from tournaments.models import Tournament
from tournaments.organise.forms import read_initial_values

pytestmark = [pytest.mark.django_db, pytest.mark.rule("R2", "EV10")]

DANESE = {"format": "danese", "ruleset": "tresette", "length_kind": "deals", "length_value": "1"}
GIRONE = {**DANESE, "format": "girone"}
NEW = "/tornei/nuovo/"
LIST = "/api/v1/tournaments/"
BODY = {"name": "Serata", "ruleset": "scopa", "length_kind": "deals", "length_value": 1}


def send(client: Client, address: str, body: Any, *, method: str = "post") -> Any:
    return client.generic(method.upper(), address, json.dumps(body), "application/json").json()


@pytest.mark.parametrize(
    ("chosen", "typed", "shown"),
    [
        (DANESE, "", "svizzero"),
        (DANESE, "rete", "rete"),
        (GIRONE, "", "standard"),
        (GIRONE, "svizzero", "standard"),
        (GIRONE, "own", "own"),
    ],
)
def test_the_form_proposes_what_fits_the_formula(
    organisers: Client, chosen: dict[str, str], typed: str, shown: str
) -> None:
    page = show_anew(organisers, NEW, **chosen, tie_break=typed)
    assert read_form(page)["tie_break"] == shown


def test_a_danese_for_which_nobody_chose_anything_is_ranked_as_proposed(organisers: Client) -> None:
    post_tournament(organisers, **DANESE, tie_break="")
    assert Tournament.objects.get().tie_break == "svizzero"


def test_an_order_of_ones_own_is_stored_criterion_by_criterion_gaps_closed(organisers: Client) -> None:
    own = {"order_1": "wins", "order_2": "direct", "order_4": "buchholz", "order_5": "vp", "order_6": "lot"}
    post_tournament(organisers, **DANESE, tie_break="own", **own)
    tournament = Tournament.objects.get()
    assert tournament.tie_break == "wins,direct,buchholz,vp,lot"
    initial = read_initial_values(tournament)
    assert initial["tie_break"] == "own"
    assert [initial[f"order_{number}"] for number in range(1, 6)] == ["wins", "direct", "buchholz", "vp", "lot"]


def test_an_order_that_is_a_preset_is_that_preset_and_one_of_before_is_todays(organisers: Client) -> None:
    post_tournament(organisers, **GIRONE, tie_break="own", order_1="vp", order_2="mp")
    tournament = Tournament.objects.get()
    assert tournament.tie_break == "rete"
    tournament.tie_break = "club-1"
    assert read_initial_values(tournament)["tie_break"] == "club"


@pytest.mark.parametrize(
    ("chosen", "field"),
    [
        ({**GIRONE, "tie_break": "svizzero"}, "tie_break"),
        ({**GIRONE, "tie_break": "own", "order_2": "buchholz"}, "tie_break"),
        ({**GIRONE, "tie_break": "own", "order_2": "mp", "order_3": "mp"}, "order_1"),
        ({**GIRONE, "tie_break": "own", "order_2": "lot", "order_3": "mp"}, "order_1"),
        ({**GIRONE, "tie_break": "own", "order_1": "percentage"}, "tie_break"),
        ({**GIRONE, "tie_break": "standard-1"}, "tie_break"),
    ],
)
def test_what_is_no_order_here_is_refused_beside_its_field(
    organisers: Client, chosen: dict[str, str], field: str
) -> None:
    page = post_tournament(organisers, **chosen)
    assert page.context["form"].errors.keys() == {field}
    assert not Tournament.objects.exists()


def test_programs_choose_a_preset_or_an_order_and_read_both(organiser: Player) -> None:
    key = by_key(make_key(organiser))
    danese = {**BODY, "format": "danese"}
    made = send(key, LIST, danese)
    assert (made["tie_break"], made["tie_break_order"][2]) == ("svizzero", "buchholz_cut")
    own = send(key, LIST, {**danese, "tie_break_order": ["wins", "sonneborn", "lot"]})
    assert (own["tie_break"], own["tie_break_order"]) == ("own", ["wins", "sonneborn", "lot"])
    assert Tournament.objects.get(public_id=own["public_id"]).tie_break == "wins,sonneborn,lot"
    again = {"tie_break": own["tie_break"], "tie_break_order": ["vp", "mp"]}
    changed = send(key, f"{LIST}{own['public_id']}/", again, method="patch")
    assert (changed["tie_break"], changed["tie_break_order"]) == ("rete", ["vp", "mp"])
    changed = send(key, f"{LIST}{own['public_id']}/", {"tie_break": "svizzero"}, method="patch")
    assert changed["tie_break"] == "svizzero"
    changed = send(key, f"{LIST}{own['public_id']}/", {"format": "girone", "format_options": {}}, method="patch")
    assert changed["tie_break"] == "standard", "a girone has no Buchholz"


def test_programs_are_told_what_is_wrong_with_an_order(organiser: Player) -> None:
    key = by_key(make_key(organiser))
    girone = {**BODY, "format": "girone"}
    assert send(key, LIST, {**girone, "tie_break_order": ["vp", "buchholz"]})["code"] == "tie_break_rounds"
    assert send(key, LIST, {**girone, "tie_break_order": ["mp", "vp"]})["code"] == "tie_break_order"
    assert send(key, LIST, {**girone, "tie_break": "own"})["code"] == "unknown_tie_break"
    refused = send(key, LIST, {**girone, "tie_break": "standard-1"})
    assert [fault["field"] for fault in refused["errors"]] == ["tie_break"]
