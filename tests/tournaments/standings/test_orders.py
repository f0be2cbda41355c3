"""Orders of one's own (EV10) on the pages and in the API: said in words, with the values, and what a forfeit was."""

from datetime import datetime
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from players.models import Player
from scoring.tiebreaks import CRITERIA, EARLIER, PRESETS
from tests.support.desk import build_act
from tests.support.html import read_attribute
from tests.support.play import OPENING, abandon, nobody_comes, open_ready, sit_down, stored_equals_recomputed
from tests.support.standings import LEVEL, fill_tournament, write_results
from tests.support.tables import again, play
from tests.support.tournaments import GIRONE, Opened
from tournaments.core.order_wording import describe_separation, describe_tie_break, write_values
from tournaments.core.reads import read_entries, read_standings
from tournaments.desk.results import Decision, declare_forfeit, set_result
from tournaments.models import Fixture, Tournament
from tournaments.pages.tournament_page import read_page
from tournaments.standings.projections import project_standings

pytestmark = [pytest.mark.django_db, pytest.mark.rule("R2", "R3", "EV10")]


@pytest.fixture
def by_wins(opened: Opened, now: datetime) -> Tournament:
    """3 has 2½ wins, 2 has 1½, 1 and 4 have 1 each: 4 beat 2, 1 beat 4."""
    tournament = fill_tournament(opened, 4, now, GIRONE, tie_break="wins,sonneborn,direct")
    write_results(tournament, now, LEVEL)
    return tournament


def test_page_paper_wall_and_programs_say_the_order_and_what_it_gave(by_wins: Tournament) -> None:
    stored_equals_recomputed(by_wins)
    rows = read_standings(by_wins, read_entries(by_wins))
    assert [(row.entry.seed, row.wins) for row in rows] == [(3, Fraction(5, 2)), (2, Fraction(3, 2)), (4, 1), (1, 1)]
    assert [row.lost for row in rows] == [0, 1, 2, 2]
    rule = "Contano le partite vinte: la patta vale mezza"
    page = Client().get(reverse("tournament", args=[by_wins.public_id]))
    assert read_attribute(page, "data-wins") == ["5/2", "3/2", "1", "1"]
    for name in (("tournament",), ("standings",), ("tournament-print", "classifica")):
        said = Client().get(reverse(name[0], args=[by_wins.public_id, *name[1:]])).content.decode()
        assert rule in said
        assert "artite vinte: 2½ contro 1½" in said
        assert "Sonneborn-Berger: 1½ contro 1" in said
    explained = Client().get(reverse("standings-of", args=[by_wins.public_id, 4])).content.decode()
    assert f"Davanti a {rows[3].entry.name} per il Sonneborn-Berger: 1½ contro 1." in explained
    answer = Client().get(f"/api/v1/tournaments/{by_wins.public_id}/standings/").json()["results"]
    assert [row["wins"] for row in answer] == ["5/2", "3/2", 1, 1]
    assert answer[0]["why"] == {"code": "wins", "own": "5/2", "next": "3/2", "among": None, "before": []}
    assert answer[2]["why"]["before"] == [{"code": "wins", "value": 1, "among": 4}]
    file = Client().get(reverse("export-json", args=[by_wins.public_id, "classifica"])).json()
    assert [row["wins"] for row in file["standings"]] == ["5/2", "3/2", 1, 1]
    assert file["standings"][2]["why"] == answer[2]["why"]
    assert "2½" in Client().get(reverse("tournament-wall", args=[by_wins.public_id])).content.decode()


@pytest.mark.parametrize(
    ("order", "places"),
    [
        ("vp,mp", {1: {1: 10, 2: 8, 3: 2}, 2: {3: 0}, 3: {1: 11, 2: 9, 3: 3}}),
        ("vp,points,mp", {1: {1: 10, 2: 9, 3: 2}, 2: {3: 0}, 3: {1: 11, 2: 10, 3: 3}}),
        ("wins,mp", None),
    ],
)
def test_only_what_is_sure_in_any_order_is_claimed(
    opened: Opened, now: datetime, order: str, places: dict[int, dict[int, int]] | None
) -> None:
    """Only 3 against 1 is left: 1 has 23 VP, 2 has 31, 3 has 22 and 4 has 24."""
    tournament = fill_tournament(opened, 4, now, GIRONE, tie_break=order)
    write_results(tournament, now, dict(list(LEVEL.items())[:5]))
    projection = project_standings(read_page(tournament, None))
    if places is None:
        assert projection is None
        return
    assert projection is not None
    seeds = {row.entry.entry_id: row.entry.seed for row in read_standings(tournament, read_entries(tournament))}
    claims = {seeds[entry]: {one.place: one.least for one in own} for entry, own in projection.claims.items()}
    assert claims == places


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_order_and_every_reason_has_its_words(language: str) -> None:
    orders = [*PRESETS, *EARLIER, "wins,direct,buchholz,sonneborn,points,lot", "vp,forfeits", "percentage", "wins"]
    with translation.override(language):
        said = [describe_tie_break(code) for code in orders]
        assert len(set(said)) == len(said)
        assert all(text.endswith(".") for text in said)
        for code in CRITERIA.keys() - {"lot"}:  # it is called so in English
            for by_wins in (False, True):
                assert describe_separation(code, 3, 2, by_wins=by_wins).partition(":")[0] != code
    assert "Chi resta pari divide il posto" in describe_tie_break("svizzero")


def test_values_that_read_alike_have_more_digits() -> None:
    with translation.override("it"):
        assert write_values("sonneborn", Fraction(37, 3), Fraction(25, 2)) == ("12,33", "12½")
        assert write_values("sonneborn", Fraction(10001, 3000), Fraction(10, 3)) == ("3,334", "3,333")
        assert write_values("sonneborn", Fraction(10, 3), Fraction(10, 3)) == ("3,33", "3,33")
        assert write_values("difference", 3, -2) == ("+3", "−2")
        assert write_values("wins", Fraction(1, 2), 0) == ("½", "0")


def test_a_forfeit_is_unplayed_where_no_card_was(girone: Tournament, referee: Player, now: datetime) -> None:
    """Nobody comes to one table, and somebody goes away from the other: before the first card, and after it."""
    now += OPENING
    matches = open_ready(girone, now)
    assert len(matches) == 2
    late = nobody_comes(matches[0])
    sit_down(matches[1], now)
    play(again(matches[1]), now)
    abandon(matches[1], 0, now)
    kinds = {fixture.decided_by: fixture.unplayed for fixture in Fixture.objects.of(girone).exclude(match=None)}
    assert kinds == {"noshow": True, "abandon": False}
    late += OPENING
    [third, fourth] = open_ready(girone, late)
    abandon(third, 0, late)
    assert Fixture.objects.get(match=third).unplayed, "both sat down, and nobody has played a card"
    sit_down(fourth, late)
    play(again(fourth), late)
    waiting = Fixture.objects.get(match=fourth)
    declare_forfeit(tournament_id=girone.pk, fixture_id=waiting.pk, lines=(0, 1), act=build_act(referee, late))
    assert not Fixture.objects.get(match=fourth).unplayed


@pytest.mark.parametrize(("points", "unplayed"), [(None, True), ((3, 6), False)])
def test_at_a_real_table_a_forfeit_is_unplayed_where_no_points_were_written(
    hall: Tournament, now: datetime, points: tuple[int, int] | None, unplayed: bool
) -> None:
    fixture = Fixture.objects.of(hall).ready().first()
    assert fixture is not None
    known = {"tournament_id": hall.pk, "fixture_id": fixture.pk, "act": build_act(hall.organiser, now)}
    if points is None:
        declare_forfeit(lines=(0,), **known)
    else:
        set_result(decision=Decision(points=points, winner=1, decided_by="forfeit"), **known)
    fixture.refresh_from_db()
    assert (fixture.forfeit_by, fixture.unplayed) == (0, unplayed)
