"""Files for other programs, opened with the libraries that read them: tables and calendars (W2)."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from openpyxl import load_workbook

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.standings import LEVEL, fill_tournament, write_results
from tests.support.tournaments import GIRONE, PAIRS, Opened
from tournaments.entries import join, pairs
from tournaments.models import Tournament
from tournaments.organise import lifecycle

pytestmark = pytest.mark.django_db
HOSTILE = [
    '=HYPERLINK("http://male.example";"premi")',
    "+1+1|cmd",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r\nATTENDEE:mailto:x@y",
    "Anna\u202egnp.exe\u2066\x07\x00b",
    "<script>alert(1)</script>",
    "  =1",
    "＝1",
]


def fetch(client: Client, tournament: Tournament, what: str, kind: str) -> bytes:
    answer = client.get(reverse(f"export-{kind}", args=[tournament.public_id, what]))
    assert answer.status_code == 200
    assert f'filename="{what}-{tournament.public_id}.{kind}"' in answer.headers["Content-Disposition"]
    return answer.content


def table(client: Client, tournament: Tournament, what: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(fetch(client, tournament, what, "csv").decode("utf-8-sig"))))


@arrange_once
def girone(opened: Opened, now: datetime) -> Tournament:
    made = fill_tournament(opened, 4, now, GIRONE)
    write_results(made, now, LEVEL)
    return made


def test_the_three_kinds_of_file_say_the_same(client: Client, girone: Tournament) -> None:
    for what, key in (("iscritti", "entries"), ("incontri", "fixtures"), ("classifica", "standings")):
        raw = fetch(client, girone, what, "csv")
        assert raw.startswith(b"\xef\xbb\xbf")
        rows = table(client, girone, what)
        pages = load_workbook(io.BytesIO(fetch(client, girone, what, "xlsx")), read_only=False)
        sheet = [["" if cell is None else str(cell) for cell in row] for row in pages[what].iter_rows(values_only=True)]
        assert sheet == rows
        body = json.loads(fetch(client, girone, what, "json"))
        assert body["tournament"]["public_id"] == girone.public_id
        assert len(body[key]) == len(rows) - 1 == (6 if key == "fixtures" else 4)
    best = json.loads(fetch(client, girone, "classifica", "json"))["standings"][0]
    assert (best["rank"], best["vp"], best["why"]["code"]) == (1, 34, "vp")
    assert table(client, girone, "classifica")[1][-1] == "VP: 34 contro 31"
    first = json.loads(fetch(client, girone, "incontri", "json"))["fixtures"][0]
    assert (first["round"], first["vp_first"], first["vp_second"], first["winner"]) == (1, 16, 4, 0)
    assert (first["round_name"], first["state"]) == ("round", "done")


@pytest.mark.rule("W2")
def test_json_carries_codes_in_every_language_and_a_winner_as_the_api_has_it_w2(
    client: Client, opened: Opened, now: datetime
) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    write_results(tournament, now, {pair: vp for pair, vp in LEVEL.items() if pair not in ((2, 4), (3, 1))})
    for what in ("iscritti", "incontri", "classifica"):
        italian, english = (
            client.get(reverse("export-json", args=[tournament.public_id, what]), headers={"accept-language": language})
            for language in ("it", "en")
        )
        assert italian.content == english.content
    rows = json.loads(fetch(client, tournament, "incontri", "json"))["fixtures"]
    detail = client.get(f"/api/v1/tournaments/{tournament.public_id}/").json()
    of_api = [fixture for round_ in detail["rounds"] for fixture in round_["fixtures"]]
    for field in set(rows[0]) & set(of_api[0]) - {"first", "second"}:
        assert [row[field] for row in rows] == [fixture[field] for fixture in of_api], field
    assert {"winner", "forfeit_by", "double_forfeit", "state", "decided_by", "round", "board"} < set(rows[0])
    assert {row["round_name"] for row in rows} == {"round"}
    assert {row["winner"] for row in rows} == {None, 0, 1}
    standings = json.loads(fetch(client, tournament, "classifica", "json"))["standings"]
    assert [row["why"] for row in standings] == [row["why"] for row in detail["standings"]]


def test_no_cell_is_a_formula_whatever_people_are_called(client: Client, girone: Tournament) -> None:
    players = list(Player.objects.filter(name__startswith="Linea").order_by("pk"))
    for start in range(0, len(HOSTILE), len(players)):
        chosen = HOSTILE[start : start + len(players)]
        for i, (player, name) in enumerate(zip(players, chosen, strict=False)):
            Player.objects.filter(pk=player.pk).update(name=name[:24], name_key=f"{start}{i}", look_key=f"{start}{i}")
        for what in ("iscritti", "incontri", "classifica"):
            for row in table(client, girone, what):
                for cell in row:
                    assert not cell.lstrip(" ").startswith(("=", "+", "@", "＝", "\t", "\r"))
                    assert not cell.startswith("-") or cell[1:].isdigit()  # a number of MP
                    assert not set(cell) & set("\x00\x07\r\n\t\u202e\u2066")
            pages = load_workbook(io.BytesIO(fetch(client, girone, what, "xlsx")))
            texts = [str(cell.value) for row in pages[what].iter_rows() for cell in row if cell.data_type != "n"]
            assert not any(text.lstrip().startswith(("=", "+", "-", "@", "＝")) for text in texts)
            kinds = {cell.data_type for row in pages[what].iter_rows() for cell in row}
            assert kinds <= {"s", "n", "inlineStr"}
            assert "\u202e" not in fetch(client, girone, what, "json").decode()


def test_who_has_not_confirmed_and_links_are_in_no_file(
    client: Client, opened: Opened, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    tournament = opened(PAIRS, starts_at=now + timedelta(days=1))
    pairs.enter_pair(tournament_id=tournament.pk, player=anna, partner=bruno.name, now=now)
    pairs.enter_pair(tournament_id=tournament.pk, player=carla, partner=None, now=now)
    token = tournament.entries.exclude(token="").get().token
    files = [fetch(client, tournament, "iscritti", kind) for kind in ("csv", "json")]
    files.append(client.get(reverse("tournament-calendar", args=[tournament.public_id])).content)
    assert b"Anna" in files[0]
    for file in files:
        assert b"Bruno" not in file
        assert token.encode() not in file


def test_a_draft_and_a_table_that_is_not_there_are_404(client: Client, girone: Tournament, organiser: Player) -> None:
    assert client.get(f"/tornei/{girone.public_id}/esporta/altro.csv").status_code == 404
    assert client.get(f"/tornei/{girone.public_id}/esporta/iscritti.pdf").status_code == 404
    Tournament.objects.update(state=Tournament.State.DRAFT)
    assert client.get(reverse("export-csv", args=[girone.public_id, "iscritti"])).status_code == 404
    assert client.get(reverse("tournament-calendar", args=[girone.public_id])).status_code == 404


# --- Calendars -----------------------------------------------------------------------------------------------------


def events(content: bytes) -> list[dict[str, str]]:
    calendar = Calendar.from_ical(content)
    return [
        {name: str(event.get(name)) for name in ("uid", "sequence", "summary", "status", "url")}
        | {"starts": event.decoded("dtstart").isoformat()}
        for event in calendar.walk("VEVENT")
    ]


def test_a_tournaments_calendar_keeps_its_uid_and_grows_its_sequence(
    client: Client, opened: Opened, organiser: Player, now: datetime
) -> None:
    starts = now + timedelta(days=3)
    tournament = opened(GIRONE, starts_at=starts, name="Girone; di, prova")
    url = reverse("tournament-calendar", args=[tournament.public_id])
    answer = client.get(url)
    assert answer.headers["Content-Type"].startswith("text/calendar")
    assert b"X-WR-TIMEZONE:Europe/Rome" in answer.content
    [before] = events(answer.content)
    assert before["starts"] == starts.astimezone(UTC).isoformat()
    assert before["summary"] == "Girone; di, prova"
    assert before["status"] == "CONFIRMED"
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    [after] = events(client.get(url).content)
    assert (after["uid"], after["status"]) == (before["uid"], "CANCELLED")
    assert int(after["sequence"]) > int(before["sequence"])


def test_a_title_adds_no_line_to_a_calendar(client: Client, opened: Opened, now: datetime) -> None:
    tournament = opened(GIRONE, starts_at=now + timedelta(days=3))
    Tournament.objects.update(name="Coppa\r\nATTENDEE:mailto:x@y.example\r\nEND:VEVENT\u202e\x00")
    content = client.get(reverse("tournament-calendar", args=[tournament.public_id])).content
    assert b"\r\nATTENDEE" not in content
    [event] = events(content)
    assert event["summary"] == "Coppa ATTENDEE:mailto:x@y.example END:VEVENT"
    assert "\u202e" not in content.decode()


@pytest.mark.rule("R6")
def test_a_players_own_calendar_is_a_secret_they_can_make_anew(
    client: Client, opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = opened(GIRONE, starts_at=now + timedelta(days=1))
    join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    page = reverse("calendar-page")
    assert client.get(page).status_code == 302
    client.force_login(anna.user)
    assert "calendar-url" not in client.get(page).content.decode()
    client.post(page)
    anna.refresh_from_db()
    url = reverse("own-calendar", args=[anna.calendar_token])
    assert url in client.get(page).content.decode()
    answer = Client().get(url)
    assert answer.headers["Cache-Control"] == "private, no-store"
    [event] = events(answer.content)
    assert event["uid"] == f"torneo-{tournament.public_id}@smazzata"
    client.post(page)
    assert Client().get(url).status_code == 404
    client.post(page, {"togli": "1"})
    anna.refresh_from_db()
    assert anna.calendar_token == ""
    assert Client().get("/calendario/-.ics").status_code == 404
