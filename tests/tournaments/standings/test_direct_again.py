"""The direct encounter asked again, on the pages that explain the ranks (R3), and in what is stored."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.html import read_attribute
from tests.support.play import stored_equals_recomputed
from tests.support.standings import CIRCLE, fill_tournament, write_result
from tests.support.tournaments import GIRONE, Opened
from tournaments.core.reads import read_entries
from tournaments.models import Fixture, Tournament
from tournaments.running.recompute import find_differences
from tournaments.running.results import advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def circle(opened: Opened, now: datetime) -> Tournament:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    for fixture in Fixture.objects.of(tournament).select_related("first", "second"):
        assert fixture.first is not None
        assert fixture.second is not None
        vp, mp = CIRCLE[fixture.first.seed or 0, fixture.second.seed or 0]
        write_result(fixture, vp, (mp, -mp), now)
    advance(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    return tournament


@pytest.mark.rule("R2", "R3")
def test_page_paper_and_api_say_of_whom_the_direct_encounter_was_asked_each_time(circle: Tournament) -> None:
    names = {entry.seed: read_entries(circle)[entry.pk].name for entry in circle.entries.all()}
    page = Client().get(reverse("standings-of", args=[circle.public_id, 1]))
    assert read_attribute(page, "data-asked") == ["direct", "mp", "direct"]
    assert read_attribute(page, "data-among") == ["3", "3", "2"]
    said = page.content.decode()
    assert f"fra {names[1]}, {names[2]}, {names[3]}: pari, 20" in said
    assert f"fra {names[1]}, {names[2]}: 14 contro 6" in said
    assert f"Davanti a {names[2]} per i VP negli scontri diretti fra i 2 ancora pari: 14 contro 6." in said
    paper = Client().get(reverse("tournament-print", args=[circle.public_id, "classifica"])).content.decode()
    assert "VP negli scontri diretti fra i 2 ancora pari: 14 contro 6" in paper
    before = [
        {"code": code, "value": value, "among": among}
        for code, value, among in (("vp", 36, 4), ("direct", 20, 3), ("mp", 8, 3))
    ]
    why = {"code": "direct", "own": 14, "next": 6, "among": 2, "before": before}
    answer = Client().get(f"/api/v1/tournaments/{circle.public_id}/standings/").json()
    assert answer["results"][0]["why"] == why
    file = Client().get(reverse("export-json", args=[circle.public_id, "classifica"])).json()
    assert file["standings"][0]["why"] == why


@pytest.mark.rule("R2", "F3")
def test_what_is_stored_of_it_is_what_the_results_give(circle: Tournament) -> None:
    assert [entry.seed for entry in circle.entries.order_by("rank")] == [1, 2, 3, 4]
    assert stored_equals_recomputed(circle)
    assert find_differences(circle) == []


@pytest.mark.rule("F3")
def test_a_reason_stored_before_it_said_what_was_asked_is_no_difference(circle: Tournament) -> None:
    first = circle.entries.get(rank=1)
    first.separation = {"code": "direct", "own": 14, "next": 6}
    first.save(update_fields=["separation"])
    assert find_differences(circle) == []
    assert Client().get(reverse("standings-of", args=[circle.public_id, 1])).status_code == 200
    first.separation = {"code": "direct", "own": 14, "next": 7}
    first.save(update_fields=["separation"])
    assert [one.about for one in find_differences(circle)] == ["seed 1"]
