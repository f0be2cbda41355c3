"""Results by file at real tables (O4c): what was downloaded comes back filled in, whole or without the rows that
are wrong."""

import csv
import io
from datetime import datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import Workbook

from players.models import Player, User
from tests.support.html import read_hooks
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, list_round, publish_next
from tests.support.tournaments import KO, Opened
from tournaments.hall.result_list import enter_list, read_list
from tournaments.hall.result_list_views import ResultSheetForm
from tournaments.models import Fixture, LogEntry, Referee, Tournament
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O4")]


def download(client: Client, tournament: Tournament) -> list[dict[str, str]]:
    """Return the rows of the exported fixtures."""
    content = client.get(reverse("export-csv", args=[tournament.public_id, "incontri"])).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


def fill(rows: list[dict[str, str]], points: list[tuple[object, object]]) -> str:
    """Return the file with these points in its rows."""
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    for row, (first, second) in zip(rows, points, strict=True):
        columns = [name for name in row if name.startswith(("Punti", "Points"))]
        writer.writerow(row | dict(zip(columns, (first, second), strict=True)))
    return out.getvalue()


def send(client: Client, tournament: Tournament, text: str = "", file: bytes | None = None):  # type: ignore[no-untyped-def]
    data: dict[str, object] = {"text": text}
    if file is not None:
        data["file"] = SimpleUploadedFile("incontri.csv", file)
    return client.post(reverse("tournament-result-list", args=[tournament.public_id]), data, follow=True)


def read_results(tournament: Tournament, number: int = 1) -> list[tuple[object, ...]]:
    """Return points and winner of each fixture of a round."""
    return [(row.points_0, row.points_1, row.winner) for row in list_round(tournament, number)]


def read_faults(answer) -> list[tuple[int, str]]:  # type: ignore[no-untyped-def]
    return [(number, code) for number, _column, code, _why in answer.context["problems"]]


def read_text_of(answer: Any) -> str:
    """Return the list that stands in the page's form."""
    return str(answer.context["form"]["text"].value())


def send_rest(client: Client, tournament: Tournament, answer: Any) -> Any:
    """Press the button that enters the rows with nothing wrong; the page after it."""
    assert read_hooks(answer, "action") == ["enter_rest"]
    sent = {"text": answer.context["rest"], "left": answer.context["left"]}
    return client.post(reverse("tournament-result-list", args=[tournament.public_id]), sent)


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_downloaded_fixtures_come_back_filled_in_o4(opened: Opened, now: datetime, language: str) -> None:
    tournament = draw_real(opened, 6, now)
    User.objects.filter(pk=tournament.organiser.user_id).update(language=language)
    client = sign_in(tournament.organiser)
    rows = [row for row in download(client, tournament) if next(iter(row.values())) == "1"]
    points = [(7, 4), ("6", "5"), ("", "")]
    answer = send(client, tournament, file=fill(rows, points).encode())
    assert read_hooks(answer, "notice") == ["results_listed"]
    by_table = {row.table: (row.points_0, row.points_1, row.winner) for row in list_round(tournament, 1)}
    places = [int(row.get("Tavolo della sala") or row["Table in the hall"]) for row in rows]
    assert [by_table[place] for place in places] == [(7, 4, 0), (6, 5, 0), (None, None, None)]
    assert LogEntry.objects.filter(tournament=tournament, code="ruling_entered").count() == 2
    assert not find_differences(tournament)
    again = send(client, tournament, file=fill(rows, points).encode())
    assert read_hooks(again, "notice") == ["results_listed"], "nothing is entered twice"
    assert LogEntry.objects.filter(tournament=tournament, code="ruling_entered").count() == 2


def test_a_list_of_ones_own_needs_table_and_points_o4(hall: Tournament, now: datetime) -> None:
    client = sign_in(hall.organiser)
    send(client, hall, "Tavolo;Punti 1;Punti 2\n2;4;7\n1;7;4\n")
    assert read_results(hall) == [(7, 4, 0), (4, 7, 1)]
    publish_next(hall, now)
    send(client, hall, "Turno,Tavolo,Punti 1,Punti 2\n2,1,6,5\n")
    assert read_results(hall, 2)[0] == (6, 5, 0)


@pytest.mark.rule("O4", "O5")
@pytest.mark.parametrize(
    ("head", "told", "result"),
    [
        ("forfait di entrambi", "no", (7, 4, 0)),
        ("forfait di entrambi", "False", (7, 4, 0)),
        ("forfait di entrambi", "sì", (0, 0, None)),
        ("forfait di entrambi", "forse", "no_yes"),
        ("vince", "0", (7, 4, 0)),
        ("vince", "1", "other_winner"),
        ("vince", "2", "other_winner"),
    ],
)
def test_a_row_means_what_its_further_columns_say_o4(hall: Tournament, head: str, told: str, result: object) -> None:
    answer = send(sign_in(hall.organiser), hall, f"Tavolo;Punti 1;Punti 2;{head}\n1;7;4;{told}\n")
    if isinstance(result, str):
        assert (read_faults(answer), read_results(hall)[0]) == ([(2, result)], (None, None, None))
    else:
        assert read_results(hall)[0] == result


def test_with_one_bad_row_nothing_comes_in_and_each_fault_is_told_o4(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = draw_real(opened, 8, now)
    client = sign_in(organiser)
    send(client, tournament, "tavolo;punti 1;punti 2\n4;7;4")
    rows = ["1;7;4", "2;8;4", "2;7;4", "9;7;4", "x;7;4", ";7;4", "3;;4", "4;6;5"]
    answer = send(client, tournament, "\n".join(["tavolo;punti 1;punti 2", *rows]))
    assert read_faults(answer) == [
        (3, "points_total"),
        (4, "twice"),
        (5, "no_such_table"),
        (6, "no_number"),
        (7, "no_number"),
        (8, "points_missing"),
        (9, "in_already"),
    ]
    columns = [column for _number, column, _code, _why in answer.context["problems"]]
    assert columns == ["Punti", "Tavolo", "Tavolo", "Tavolo", "Tavolo", "Punti del primo", ""], "and where it stands"
    assert [result[0] for result in read_results(tournament)] == [None, None, None, 7]
    assert "tavolo;punti 1;punti 2" in answer.content.decode(), "what was pasted isn't lost"


def make_workbook(rows: list[str]) -> bytes:
    """Return a workbook with such rows on its second sheet, under a title."""
    workbook, file = Workbook(), io.BytesIO()
    workbook.active.append(["Torneo del giovedì"])
    sheet = workbook.create_sheet()
    for row in ["Risultati", *rows]:
        sheet.append([int(cell) if cell.isdigit() else cell for cell in row.split(";")])
    workbook.save(file)
    return file.getvalue()


LISTED = ["tavolo;punti 1;punti 2;note", "1;7;4;", "2;8;4;", "3;6;5;", "4;7;4;", "4;4;7;"]
MADE = {
    "csv": "\n".join(LISTED).encode(),
    "Excel's csv": "\r\n".join(["sep=;", *LISTED]).encode("cp1252"),
    "a cell of two lines": "\n".join(LISTED).replace("1;7;4;", '1;7;4;"prima\nserata"').encode(),
    "xlsx": make_workbook(LISTED),
    "larger than a text may be": "\n".join([*LISTED, *(f"{table};;;{'x' * 900}" for table in range(5, 1500))]).encode(),
    "more rows than a list of people has": "\n".join([*LISTED, *(f"{table};;;x" for table in range(5, 7000))]).encode(),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_rows_with_nothing_wrong_come_in_and_the_others_stay_on_the_page_o4(
    opened: Opened, organiser: Player, now: datetime, made: str, language: str
) -> None:
    tournament = draw_real(opened, 10, now)
    User.objects.filter(pk=organiser.user_id).update(language=language)
    client = sign_in(organiser)
    answer = send(client, tournament, file=MADE[made])
    assert [code for _number, code in read_faults(answer)] == ["points_total", "twice", "twice"], "nobody knows which"
    assert read_results(tournament) == [(None, None, None)] * 5
    assert "2;8;4" in read_text_of(answer), "what was in a file is there to be mended"
    answer = send_rest(client, tournament, answer)
    assert read_hooks(answer, "notice") == ["results_listed"]
    assert [row[0] for row in read_results(tournament)] == [7, None, 6, None, None]
    mended = read_text_of(answer)
    assert mended.splitlines()[1:] == ["2;8;4", "4;7;4", "4;4;7"], "by table, and no column that says nothing"
    mended = mended.replace("2;8;4", "2;7;4").replace("4;4;7", "")
    assert read_hooks(send(client, tournament, mended), "notice") == ["results_listed"]
    assert [row[0] for row in read_results(tournament)] == [7, 7, 6, 7, None]
    assert not find_differences(tournament)


def test_where_the_rest_is_refused_since_nothing_that_was_typed_is_lost_o4(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = draw_real(opened, 10, now)
    client = sign_in(organiser)
    answer = send(client, tournament, "tavolo;punti 1;punti 2\n1;7;4\n2;8;4\n3;6;5")
    send(client, tournament, "tavolo;punti 1;punti 2\n3;7;4")
    answer = send_rest(client, tournament, answer)
    assert read_faults(answer) == [(3, "in_already")]
    assert [row.cells["table"] for row in read_list(read_text_of(answer).encode())] == ["1", "3", "2"]
    answer = send_rest(client, tournament, answer)
    assert [row[0] for row in read_results(tournament)] == [7, None, 7, None, None]
    assert [row.cells["table"] for row in read_list(read_text_of(answer).encode())] == ["3", "2"]


def test_with_nothing_right_in_a_list_there_is_no_rest_to_enter_o4(hall: Tournament) -> None:
    answer = send(sign_in(hall.organiser), hall, "tavolo;punti 1;punti 2\n1;8;4")
    assert read_hooks(answer, "action") == []


@pytest.mark.parametrize("left", ["", "x", "tavolo;punti 1\n1;7", "\0", ";" * 5000])
def test_junk_in_what_was_left_out_is_nothing_o4(hall: Tournament, left: str) -> None:
    sent = {"text": "tavolo;punti 1;punti 2\n1;7;4", "left": left}
    answer = sign_in(hall.organiser).post(reverse("tournament-result-list", args=[hall.public_id]), sent)
    assert (answer.status_code, read_results(hall)[0]) == (302, (7, 4, 0))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "required"),
        ("tavolo;punti 1\n1;7", "no_result_columns"),
        ("tavolo;punti 1;punti 2\n1;;\n", "no_results"),
        ("tavolo;punti 1;punti 2;punti 1\n1;7;4;7", "column_twice"),
        ("tavolo;punti 1;punti 2\n" + "1;7;4\n" * 301, "too_many_results"),
    ],
)
def test_a_list_that_cannot_be_read_says_why_o4(hall: Tournament, text: str, code: str) -> None:
    answer = send(sign_in(hall.organiser), hall, text)
    form = answer.context["form"]
    assert [error.code for errors in form.errors.as_data().values() for error in errors] == [code]
    assert (form["text"].label, form["file"].help_text) == (ResultSheetForm.text_label, ResultSheetForm.file_help)


@pytest.mark.rule("O5")
def test_results_at_the_bottom_of_all_fixtures_are_read_o4() -> None:
    rows = [
        f"{round_};{table};{'7;4' if (round_, table) > (12, 2018) else ';'}"
        for round_ in range(1, 13)
        for table in range(1, 2049)
    ]
    found = read_list("\n".join(["turno;tavolo;punti 1;punti 2", *rows]).encode())
    assert [int(row.cells["table"]) for row in found] == list(range(2019, 2049))


def test_forfeits_and_who_won_a_level_match_have_columns_o4_o5(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now, KO, ruleset="tresette", length_value=2)
    head = "tavolo;punti 1;punti 2;vince;forfait;forfait di entrambi;decisa"
    rows = ["1;11;11;0;;;", "2;;;;1;;", "3;;;;;sì;", "4;11;11;1;;;per l'ultima presa"]
    answer = send(sign_in(tournament.organiser), tournament, "\n".join([head, *rows]))
    assert read_hooks(answer, "notice") == ["results_listed"]
    found = list_round(tournament, 1)
    assert [(row.winner, row.forfeit_by, row.double_forfeit) for row in found] == [
        (0, None, False),
        (0, 1, False),
        (None, None, True),
        (1, None, False),
    ]
    assert [row.decided_by for row in found if row.points_0 == 11] == ["last_trick"] * 2


@pytest.mark.rule("F1")
def test_who_plays_leaves_their_own_row_to_another_referee_f1(hall: Tournament, anna: Player) -> None:
    fixture = list_round(hall, 1)[0]
    member = fixture.first.members.get()  # type: ignore[union-attr]
    member.person.player = anna
    Referee.objects.create(tournament=hall, player=anna)
    type(member.person).objects.filter(player=anna).delete()
    member.person.typed_name = ""
    member.person.save()
    answer = send(sign_in(anna), hall, f"tavolo;punti 1;punti 2\n{fixture.table};7;4")
    assert read_faults(answer) == [(2, "plays_there")]


def test_the_page_is_the_referees_and_of_real_tables_o4(
    hall: Tournament, opened: Opened, anna: Player, four: list[Player]
) -> None:
    address = reverse("tournament-result-list", args=[hall.public_id])
    assert sign_in(anna).get(address).status_code == 404
    assert sign_in(hall.organiser).get(address).status_code == 200
    assert Fixture.objects.of(hall).open().exists()
    site = opened()
    assert sign_in(site.organiser).get(reverse("tournament-result-list", args=[site.public_id])).status_code == 404


def test_a_list_is_reckoned_with_once_however_long_it_is_at11(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now)
    before = Tournament.objects.get(pk=tournament.pk).version
    send(sign_in(tournament.organiser), tournament, "tavolo;punti 1;punti 2\n1;7;4\n2;6;5\n3;7;4\n4;4;7\n")
    tournament.refresh_from_db()
    assert tournament.version == before + 1
    assert not find_differences(tournament)


def test_a_list_that_is_refused_locks_nothing_at11(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now)
    rows = read_list(b"tavolo;punti 1;punti 2\n1;7;4\n2;6;5\n3;7;7\n")
    with CaptureQueriesContext(connection) as done:
        refused = enter_list(tournament=tournament, rows=rows, by=tournament.organiser, now=now)
    assert [(fault.number, fault.code) for fault in refused.faults] == [(4, "points_total")]
    assert {query["sql"].split()[0] for query in done.captured_queries} == {"SELECT"}


def test_lists_of_results_are_counted_at6(hall: Tournament, settings: Any) -> None:
    cache.clear()
    settings.LIST_RATES = {"list_looks": "9/m/user", "list_checks": "1/m/user"}
    client, page = sign_in(hall.organiser), reverse("tournament-result-list", args=[hall.public_id])
    assert [client.post(page, {"text": "x"}).status_code for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("exchanged", [False, True], ids=["of another evening", "the sides exchanged"])
def test_names_of_others_at_a_table_are_told(opened: Opened, now: datetime, exchanged: bool) -> None:
    tournament = draw_real(opened, 4, now)
    client = sign_in(tournament.organiser)
    rows = download(client, tournament)
    first, second = rows[0]["Primo"], rows[0]["Secondo"]
    rows[0]["Primo"], rows[0]["Secondo"] = (second, first) if exchanged else ("Zeno Strano", "")
    points: list[tuple[object, object]] = [(7, 4), *[("", "")] * (len(rows) - 1)]
    answer = send(client, tournament, fill(rows, points))
    told = [(2, "other_name")] * (2 if exchanged else 1)
    assert read_faults(answer) == told
    assert f"Qui gioca {first}." in answer.content.decode()
    assert read_results(tournament)[0] == (None, None, None)
    rows[0]["Primo"], rows[0]["Secondo"] = first.split()[0].upper(), ""
    send(client, tournament, fill(rows, points))
    assert read_results(tournament)[0] == (7, 4, 0), "one word of a name is enough"
