"""Fixtures of several games (EV1) by each way in, and on each page: quick entry, telephones, files, slips, programs."""

import csv
import io
import re
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.best_of import OF_THREE, decide, enter, read, read_again
from tests.support.desk import build_act, send_act
from tests.support.html import read_hooks
from tests.support.keys import address_of, by_key, code, key_for, make_key
from tests.support.keys import send as send_by_key
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import KO, Opened, catch_code
from tournaments import sweep
from tournaments.core.result import FORFEIT, GameScore
from tournaments.hall import own_results
from tournaments.models import Fixture, LogEntry, ScoreSlip, Tournament
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV1")]
GAMES = "Partite dell'incontro"  # the column of a file


@arrange_once
def evening(opened: Opened, now: datetime) -> Tournament:
    """A girone of four, best of three games of Scopa to 21."""
    return draw_real(opened, 4, now, **OF_THREE)


@arrange_once
def counted(opened: Opened, now: datetime) -> Tournament:
    """A girone of four, best of three, of which only the games won are written."""
    return draw_real(opened, 4, now, only_games_won=True, **OF_THREE)


def url_of(tournament: Tournament, name: str = "tournament-results") -> str:
    return reverse(name, args=[tournament.public_id])


def type_row(client: Client, tournament: Tournament, fixture: Fixture, games: str, **more: str) -> Any:
    data = {"part": "1", "fixture": fixture.pk, "games": games, "how": "", **more}
    return client.post(url_of(tournament), data)


# --- Quick entry (O4) ------------------------------------------------------------------------------------------------


def test_games_are_typed_in_one_line(evening: Tournament) -> None:
    client = sign_in(evening.organiser)
    first, second = list_round(evening, 1)
    page = client.get(url_of(evening))
    assert 'name="games"' in page.content.decode()
    assert "games_typed" in read_hooks(page, "note")
    answer = type_row(client, evening, first, "21-11 8-21 22:15")
    assert answer.status_code == 200
    assert "games" in read_hooks(answer, "note")
    assert read(read_again(first)) == (0, (2, 1), (4, -4), (15, 5))
    answer = type_row(client, evening, second, "21-11 8-21 f-0")  # a referee gives the third away
    assert read(read_again(second)) == (1, (1, 2), (-3, 3), (5, 15))
    assert not find_differences(evening)


@pytest.mark.parametrize(
    ("games", "code"),
    [
        ("", "games_missing"),
        ("21", "no_games_typed"),
        ("21-11 8", "no_games_typed"),
        ("f-f", "no_games_typed"),
        ("21*-21*", "no_games_typed"),
        ("2-1", "game_impossible"),
        ("21-11", "games_undecided"),
        ("21-11 21-12 21-13", "games_many"),
    ],
)
def test_what_isnt_a_result_says_so_in_its_row(evening: Tournament, games: str, code: str) -> None:
    fixture = list_round(evening, 1)[0]
    answer = type_row(sign_in(evening.organiser), evening, fixture, games)
    assert answer.status_code == 422
    form = answer.context["row"].form
    assert [error.code for errors in form.errors.as_data().values() for error in errors] == [code]
    assert f'value="{games}"' in answer.content.decode()


def test_only_the_games_won_are_typed(counted: Tournament) -> None:
    client = sign_in(counted.organiser)
    first, second = list_round(counted, 1)
    assert type_row(client, counted, first, "21-11 8-21").status_code == 422
    assert type_row(client, counted, first, "2–1").status_code == 200
    assert read(read_again(first)) == (0, (2, 1), (1, -1), (15, 5))
    type_row(client, counted, second, "", how="0:forfeit")
    assert read(read_again(second)) == (1, (0, 0), (0, 0), (0, 20))


def test_a_forfeit_takes_the_games_that_were_played(evening: Tournament) -> None:
    client = sign_in(evening.organiser)
    first, second = list_round(evening, 1)
    type_row(client, evening, first, "21-11", how="0:forfeit")
    assert read(read_again(first)) == (1, (1, 0), (10, -10), (0, 15))
    type_row(client, evening, second, "", how="01:forfeit")
    assert read_again(second).double_forfeit


@pytest.mark.rule("F3")
def test_the_desk_corrects_a_game_and_opens_the_fixture_again(evening: Tournament, now: datetime) -> None:
    fixture = enter(list_round(evening, 1)[0], now, (21, 11), (22, 15))
    client = sign_in(evening.organiser)
    address = reverse("desk-fixture", args=[evening.public_id, fixture.pk])
    page = client.get(address).content.decode()
    assert re.search(r'name="games_1_0"[^>]*value="22"', page), "as it stands"
    cells = {"games_0_0": "21", "games_0_1": "11", "games_1_0": "15", "games_1_1": "22"}
    preview = client.post(address, {"what": "risultato", "reason": "letto male", **cells})
    (form,) = [form for form in preview.context["acts"] if form.is_bound]
    assert form.consequences.ruling.code == "reopened"
    send_act(client, address, {"what": "risultato", "reason": "letto male", **cells})
    assert read_again(fixture).state == "ready"
    cells |= {"games_2_0": "21", "games_2_1": "20"}
    send_act(client, address, {"what": "risultato", "reason": "finito", **cells})
    assert read(read_again(fixture))[1] == (2, 1)
    assert LogEntry.objects.filter(tournament=evening, code="ruling_reopened").exists()
    assert client.get(url_of(evening, "tournament-desk")).status_code == 200


# --- Telephones and slips (O4) ---------------------------------------------------------------------------------------


def print_codes(tournament: Tournament) -> list[str]:
    page = sign_in(tournament.organiser).post(url_of(tournament, "tournament-slips"), {"which": "new"})
    return re.findall(r'class="slip-code">(\w{4} \w{4})<', page.content.decode())


def say(client: Client, tournament: Tournament, what: str, **values: str) -> list[str]:
    page = client.post(url_of(tournament, "tournament-phone"), {"what": what, **values}, follow=True)
    return read_hooks(page, "note")


def make_cells(*games: tuple[int, int]) -> dict[str, str]:
    return {f"games_{number}_{side}": str(points[side]) for number, points in enumerate(games) for side in (0, 1)}


def test_two_telephones_agree_on_each_game(evening: Tournament) -> None:
    first, second = list_round(evening, 1)
    codes = print_codes(evening)
    ours, theirs = Client(), Client()
    say(ours, evening, "code", code=codes[0])
    cells = make_cells((21, 11), (8, 21), (22, 15))
    assert "own_typed" in say(ours, evening, "type", fixture=str(first.pk), **cells)
    assert "other_typed" in say(theirs, evening, "code", code=codes[1])
    page = theirs.get(url_of(evening, "tournament-phone")).context["page"]
    assert "8–21" in page.other_words
    assert "result" in say(theirs, evening, "confirm", seen=page.stamp)
    assert read(read_again(first)) == (0, (2, 1), (4, -4), (15, 5))
    other = Client()
    say(other, evening, "code", code=codes[2])
    say(other, evening, "type", fixture=str(second.pk), **cells)
    say(other, evening, "code", code=codes[3])
    # The same games won by other points: the referee comes.
    assert "called" in say(other, evening, "type", fixture=str(second.pk), **make_cells((21, 11), (9, 21), (22, 15)))


@pytest.mark.rule("O13", "F1")
def test_whoever_plays_gives_no_game_of_their_own_away(evening: Tournament, now: datetime) -> None:
    fixture = list_round(evening, 1)[0]
    assert fixture.first is not None
    member = fixture.first.members.get()
    member.person = evening.organiser.person
    member.save()
    about: dict[str, Any] = {"tournament_id": evening.pk, "fixture_id": fixture.pk}
    act = build_act(evening.organiser, now, "")
    given = GameScore(0, None, FORFEIT)
    refused = catch_code(own_results.enter_agreed_result, decision=decide((21, 11), given), act=act, **about)
    assert refused == "plays_there"
    own_results.enter_agreed_result(decision=decide((21, 11), (22, 15)), act=act, **about)
    assert read(read_again(fixture)) == (0, (2, 0), (17, -17), (20, 0))


def test_each_side_types_its_own_games_first(evening: Tournament) -> None:
    for side, slip_code in enumerate(print_codes(evening)[:2]):
        client = Client()
        say(client, evening, "code", code=slip_code)
        page = client.get(url_of(evening, "tournament-phone")).content.decode()
        assert (page.index('name="games_0_0"') < page.index('name="games_0_1"')) is (side == 0)


def test_an_undecided_fixture_isnt_taken_from_a_telephone(evening: Tournament) -> None:
    client = Client()
    say(client, evening, "code", code=print_codes(evening)[0])
    fixture = list_round(evening, 1)[0]
    assert "refused" in say(client, evening, "type", fixture=str(fixture.pk), **make_cells((21, 11)))


def test_what_nobody_confirms_enters_by_itself(counted: Tournament, now: datetime) -> None:
    client = Client()
    say(client, counted, "code", code=print_codes(counted)[0])
    fixture = list_round(counted, 1)[0]
    say(client, counted, "type", fixture=str(fixture.pk), **make_cells((2, 1)))
    due = ScoreSlip.objects.get(fixture=fixture).due_at
    assert due is not None
    sweep.enter_unconfirmed(fixture.pk, due)
    stored = read_again(fixture)
    assert (read(stored), stored.unconfirmed) == ((0, (2, 1), (1, -1), (15, 5)), True)


def test_a_slip_has_a_line_a_game(evening: Tournament, counted: Tournament) -> None:
    lines = []
    for tournament in (evening, counted):
        page = sign_in(tournament.organiser).post(url_of(tournament, "tournament-slips"), {"which": "new"})
        lines.append(page.content.decode().count('class="slip-points"') // 4)
    assert lines == [3, 1]


# --- Files (O4c) -----------------------------------------------------------------------------------------------------


def download(client: Client, tournament: Tournament) -> list[dict[str, str]]:
    content = client.get(reverse("export-csv", args=[tournament.public_id, "incontri"])).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


def send_list(client: Client, tournament: Tournament, text: str) -> Any:
    return client.post(reverse("tournament-result-list", args=[tournament.public_id]), {"text": text}, follow=True)


def write(rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def test_the_downloaded_fixtures_come_back_with_their_games(evening: Tournament) -> None:
    client = sign_in(evening.organiser)
    rows = [row for row in download(client, evening) if row["Turno"] == "1"]
    for row, games in zip(rows, ("21-11 8-21 22-15", "12-21 20-24"), strict=True):
        row[GAMES] = games
    assert read_hooks(send_list(client, evening, write(rows)), "notice") == ["results_listed"]
    fixtures = list_round(evening, 1)
    assert [read(read_again(fixture))[1] for fixture in fixtures] == [(2, 1), (0, 2)]
    again = [row for row in download(client, evening) if row["Turno"] == "1"]
    assert [row[GAMES] for row in again] == ["21-11 8-21 22-15", "12-21 20-24"]
    before = LogEntry.objects.filter(tournament=evening).count()
    send_list(client, evening, write(again))  # in already
    assert LogEntry.objects.filter(tournament=evening).count() == before


def test_a_program_downloads_games_as_the_api_has_them(evening: Tournament, now: datetime) -> None:
    enter(list_round(evening, 1)[0], now, (21, 11), (8, 21), (22, 15))
    rows = Client().get(reverse("export-json", args=[evening.public_id, "incontri"])).json()["fixtures"]
    read_back = Client().get(f"{address_of(evening)}fixtures/").json()["results"]
    assert [row["games"] for row in rows] == [row["games"] for row in read_back]
    assert rows[0]["games"][1] == {"points": [8, 21], "winner": 1, "decided_by": "points"}


def test_a_list_of_games_won(counted: Tournament, evening: Tournament) -> None:
    client = sign_in(counted.organiser)
    text = "Tavolo;Punti 1;Punti 2\n1;2;1\n2;0;2\n"
    assert read_hooks(send_list(client, counted, text), "notice") == ["results_listed"]
    assert [read(read_again(fixture))[1] for fixture in list_round(counted, 1)] == [(2, 1), (0, 2)]
    answer = send_list(sign_in(evening.organiser), evening, text)
    assert [code for _number, _column, code, _why in answer.context["problems"]] == ["game_impossible"] * 2


# --- Programs (AP7) --------------------------------------------------------------------------------------------------


def test_a_program_writes_and_reads_games(evening: Tournament) -> None:
    key, own = key_for(evening), address_of(evening)
    games = [{"points": [21, 11]}, {"points": None, "winner": 1}, {"points": [22, 15]}]
    body: dict[str, Any] = {"points": [2, 1], "games": games}
    answer = send_by_key(key, f"{own}fixtures/1-1/result/", body, "put")
    assert answer.status_code == 200, answer.content
    read_back = answer.json()
    assert (read_back["points"], read_back["mp"], read_back["vp"]) == ([2, 1], [17, -17], [15, 5])
    assert read_back["games"][1] == {"points": None, "winner": 1, "decided_by": "forfeit"}
    body = {"act": "result", "body": {"points": [1, 0], "games": games[:1], "reason": "letto male"}}
    preview = send_by_key(key, f"{own}fixtures/1-1/preview/", body)
    assert preview.status_code == 200, preview.content
    undecided = send_by_key(key, f"{own}fixtures/1-2/result/", {"points": [1, 0], "games": games[:1]}, "put")
    assert code(undecided) == (409, "games_undecided")
    log = Client().get(f"{own}log/").json()["results"]
    (entered,) = [entry for entry in log if entry["code"] == "ruling_entered"]
    assert len(entered["after"]["games"]) == 3


def test_a_program_makes_a_tournament_of_several_games(organiser: Player) -> None:
    key = by_key(make_key(organiser))
    body: dict[str, Any] = {"name": "Coppa", "format": "ko", "venue": "real", "max_entries": 8, "games": 3}
    body |= {"ruleset": "scopa", "length_kind": "points", "length_value": 21, "late_games": 5, "late_from": "final"}
    made = send_by_key(key, "/api/v1/tournaments/", body).json()
    assert (made["games"], made["games_in_ko"], made["late_games"], made["late_from"]) == (3, None, 5, "final")
    assert code(send_by_key(key, "/api/v1/tournaments/", body | {"venue": "site"})) == (409, "games_on_site")


# --- Pages -----------------------------------------------------------------------------------------------------------


def test_everybody_reads_each_game(evening: Tournament, now: datetime) -> None:
    enter(list_round(evening, 1)[0], now, (21, 11), (8, 21), (22, 15))
    pages = [
        Client().get(reverse("tournament", args=[evening.public_id])),
        Client().get(reverse("standings-of", args=[evening.public_id, 1])),
    ]
    for page in pages:
        assert page.status_code == 200
        assert "8–21" in page.content.decode()
    assert "al meglio di 3 partite" in pages[0].content.decode()


def test_a_bracket_has_the_games_and_its_print_the_score(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, KO, late_games=5, late_from="final", **OF_THREE)
    enter(list_round(tournament, 1)[0], now, (21, 11), (8, 21), (22, 15))
    page = Client().get(reverse("tournament", args=[tournament.public_id])).content.decode()
    assert "8–21" in page
    assert "in finale al meglio di 5 partite" in page
