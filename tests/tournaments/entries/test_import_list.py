"""A list of players from a spreadsheet (E3): read whatever the file is, checked row by row, imported whole or not."""

import io
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from openpyxl import Workbook

from players.models import Mail, Player
from players.services.close_account import close_account
from players.services.house import create_house_player
from players.services.players import create_guest
from tests.support.entries import accept_all, find_invitation, list_placed
from tests.support.html import read_element, read_hooks
from tests.support.mail import count_mails, want_all_mail
from tests.support.pages import read_page, tournament_url
from tests.support.people import create_person, sign_in
from tests.support.tournaments import KO, PAIRS, Opened
from tournaments.core import reads, visibility
from tournaments.core.errors import TournamentError
from tournaments.entries import import_list, invitations, join
from tournaments.entries.queries import list_play_invitations
from tournaments.lists import wording as entries_wording
from tournaments.lists.problems import PROBLEMS
from tournaments.lists.spreadsheet import MAX_FILE_BYTES, MAX_ROWS, UNREADABLE, Row, Unreadable, read_rows
from tournaments.models import Club, Entry, EntryMember, Tournament
from tournaments.organise import lifecycle, settings
from tournaments.running import start

HOUR = timedelta(hours=1)


def xlsx(*rows: tuple[object, ...]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def zipped(**parts: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return out.getvalue()


def with_part(sheet: bytes, name: str, content: bytes) -> bytes:
    """A spreadsheet with one of its parts changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sheet)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(info.filename, content if info.filename == name else old.read(info))
    return out.getvalue()


def said(data: bytes) -> list[tuple[int, str, str, str]]:
    return [(row.number, row.player, row.partner, row.seed) for row in read_rows(data)]


def short(value: object) -> str:
    """Return the name of a test with ``value``."""
    return value if isinstance(value, str) and len(value) < 40 else "data"


# --- Reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"giocatore;compagno;testa\r\nNic\xc3\xb2;Bruno;1\r\n",
        b"\xef\xbb\xbfGiocatore,Compagno,Testa\nNic\xc3\xb2,Bruno,1\n",
        b"PLAYER\tPARTNER\tSEED\nNic\xf2\tBruno\t1",  # cp1252
        "\ufeffname;partner;seed\nNicò;Bruno;1\n".encode("utf-16-le"),
        b'sep=;\n"nome";"note";"compagna";"testa di serie"\n"Nic\xc3\xb2";"ha, pagato";" Bruno ";"1"\n',
        xlsx(("giocatore", "compagno", "testa"), ("Nicò", "Bruno", 1)),
        xlsx(("Note", "Testa di serie", "Partner", "Nome"), ("=1+1", 1.0, "Bruno", "Nicò")),
    ],
    ids=short,
)
def test_a_list_is_read_however_it_was_saved_e3(data: bytes) -> None:
    assert [row[1:] for row in said(data)] == [("Nicò", "Bruno", "1")]


def test_empty_rows_are_passed_over_and_rows_keep_their_numbers() -> None:
    assert said(b"\n;;\nnome;testa\n\n;\nAnna;\n;;\nBruno;2;altro\n") == [(6, "Anna", "", ""), (8, "Bruno", "", "2")]
    assert said(xlsx(("nome",), (None,), ("Anna",))) == [(3, "Anna", "", "")]


@pytest.mark.parametrize(
    "name", ["=1+1", "+39", "-Anna", "@SUM(A1)", '=HYPERLINK("http://x","y")', "<b>x</b>", "'; DROP"]
)
def test_whatever_begins_like_a_formula_is_text(name: str) -> None:
    assert [row[1] for row in said(xlsx(("nome",), (name,)))] == [name]
    quoted = name.replace('"', '""')
    assert [row[1] for row in said(f'nome\n"{quoted}"\n'.encode())] == [name]


DOCTYPE = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "no_rows"),
        (b"nome\n", "no_rows"),
        (b"chi\nAnna\n", "no_player_column"),
        (b"Anna\nBruno\n", "no_player_column"),
        (b"nome;giocatore\nAnna;Anna\n", "column_twice"),
        (b"nome\nAn\x00na\n", "not_a_sheet"),
        (b"nome\n" + b"Anna\n" * (MAX_ROWS + 1), "too_many_rows"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "old_excel"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 60, "not_a_sheet"),
        (b"\xff\xfe\x00", "not_a_sheet"),
        (b"x" * (MAX_FILE_BYTES + 1), "too_big"),
        (b'nome\n"' + b"x" * 200_000, "not_a_sheet"),
        (b"PK\x03\x04 and nothing more", "not_a_sheet"),
        (zipped(a=b"x"), "not_a_sheet"),
        (zipped(a=b"0" * (9 * MAX_FILE_BYTES)), "too_big"),
        (zipped(**{f"p{n}": b"" for n in range(201)}), "too_big"),
        (with_part(xlsx(("nome",), ("Anna",)), "xl/workbook.xml", DOCTYPE), "not_a_sheet"),
        (with_part(xlsx(("nome",), ("Anna",)), "xl/workbook.xml", DOCTYPE.decode().encode("utf-16")), "not_a_sheet"),
        (with_part(xlsx(("nome",), ("Anna",)), "xl/worksheets/sheet1.xml", b"<worksheet"), "not_a_sheet"),
        (xlsx(*([("nome",)] + [("Anna",)] * (MAX_ROWS + 1))), "too_many_rows"),
    ],
    ids=short,
)
def test_what_is_no_list_is_refused_by_one_code_and_one_sentence(data: bytes, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_rows(data)
    assert refused.value.code == code
    assert entries_wording.describe_unreadable(code)


def test_every_code_has_words() -> None:
    assert all(entries_wording.describe_unreadable(code) for code in UNREADABLE)
    assert all(entries_wording.describe_problem(code, "Anna", 3) for code in PROBLEMS)


# --- Checking and importing ----------------------------------------------------------------------------------------


def refused(tournament: Tournament, by: Player, rows: list[Row], now: datetime) -> list[tuple[int, str]]:
    with pytest.raises(TournamentError) as error:
        import_list.import_entries(tournament_id=tournament.pk, by=by, rows=rows, now=now)
    assert error.value.code == "list_refused"
    assert error.value.values["problems"] == list(import_list.check_list(tournament, by, rows, now).problems)
    return [(problem.row, problem.code) for problem in error.value.values["problems"]]


@pytest.mark.rule("E3")
@pytest.mark.django_db
def test_everything_wrong_is_said_and_nobody_is_entered_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    house = create_house_player(now=now, name="Bettina")
    tournament = opened(PAIRS, starts_at=now + HOUR, seeding="organiser", guests_allowed=False, max_entries=6)
    import_list.add_names(tournament_id=tournament.pk, by=organiser, row=Row(1, "Dino", "Teresa"), now=now)
    accept_all(tournament, now)
    rows = [
        Row(2, "Anna", "Bruno", "1"),
        Row(3, "anna", "Carla", "1"),
        Row(4, "Carla", "", "zero"),
        Row(5, "", "Nessuno", "0"),
        Row(6, "Dino", house.name, "99999"),
        Row(7, guest.name, guest.name),
    ]
    assert refused(tournament, organiser, rows, now) == [
        (3, "twice"),
        (3, "seed_twice"),
        (4, "twice"),
        (4, "partner_missing"),
        (4, "seed_no_number"),
        (5, "player_missing"),
        (5, "unknown_name"),
        (5, "seed_no_number"),
        (6, "in_already"),
        (6, "name_of_house"),
        (6, "seed_no_number"),
        (7, "name_of_guest"),
        (7, "no_room"),
    ]
    assert list_placed(tournament) == ["Dino+Teresa"]
    assert refused(opened(), organiser, [Row(2, "Anna", "Bruno", "3")], now) == [
        (2, "partner_unwanted"),
        (2, "seeds_by_lot"),
    ]


@pytest.mark.rule("E3")
@pytest.mark.django_db
def test_a_list_is_imported_whole_with_its_seeds_and_a_full_sit_and_go_begins_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(PAIRS, starts_at=now + HOUR, seeding="organiser", registration="list")
    rows = [Row(2, "Anna", "Bruno", "2"), Row(3, "Carla", "Dino", "1")]
    imported = import_list.import_entries(tournament_id=tournament.pk, by=organiser, rows=rows, now=now)
    assert (imported.entries, imported.invitations) == (0, 2)
    accept_all(tournament, now)
    assert list_placed(tournament) == ["Anna+Bruno", "Carla+Dino"]
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    assert [entry.name for entry in reads.read_entries(tournament).values()] == ["Carla – Dino", "Anna – Bruno"]
    full = opened(max_entries=2)
    rows = [Row(2, "Anna"), Row(3, "Bruno")]
    import_list.import_entries(tournament_id=full.pk, by=organiser, rows=rows, now=now)
    accept_all(full, now)
    assert full.state == Tournament.State.RUNNING
    with pytest.raises(TournamentError, match="drawn"):
        import_list.import_entries(tournament_id=full.pk, by=organiser, rows=[Row(2, "Carla")], now=now)


@pytest.fixture
def draft(organiser: Player, now: datetime) -> Callable[..., Tournament]:
    """A tournament that only its organiser sees."""

    def make(base: settings.Settings = KO, **changed: Any) -> Tournament:
        return lifecycle.create_tournament(organiser=organiser, settings=replace(base, **changed), now=now)

    return make


@pytest.mark.rule("E3")
@pytest.mark.django_db
def test_a_list_goes_into_a_draft_and_nobody_hears_of_it_before_it_is_published_e3(
    draft: Callable[..., Tournament],
    organiser: Player,
    four: list[Player],
    now: datetime,
) -> None:
    want_all_mail(*four)
    tournament = draft(starts_at=now + HOUR)
    rows = [Row(n, player.name) for n, player in enumerate(four, start=2)]
    import_list.import_entries(tournament_id=tournament.pk, by=organiser, rows=rows, now=now)
    assert [list_play_invitations(player) for player in four] == [()] * 4
    gone = find_invitation(tournament, four[3])
    invitations.take_invitation_back(tournament_id=tournament.pk, by=organiser, invitation_id=gone.pk, now=now)
    assert not Mail.objects.exists()
    assert not visibility.list_current(four[0]).exists()
    lifecycle.publish_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    assert count_mails("play_invited") == Counter({"Anna": 1, "Bruno": 1, "Carla": 1})
    assert [len(list_play_invitations(player)) for player in four] == [1, 1, 1, 0]
    assert not visibility.list_current(four[0]).exists()
    accept_all(tournament, now)
    assert list_placed(tournament) == ["Anna", "Bruno", "Carla"]
    assert [listed.pk for listed in visibility.list_current(four[0])] == [tournament.pk]


@pytest.mark.rule("E5")
@pytest.mark.django_db
def test_a_full_draft_without_an_hour_starts_when_it_is_published_and_not_before_e5(
    draft: Callable[..., Tournament], organiser: Player, consenting: Club, now: datetime
) -> None:
    tournament = draft(max_entries=2, club_id=consenting.pk)
    import_list.import_entries(
        tournament_id=tournament.pk, by=organiser, rows=[Row(2, "Anna"), Row(3, "Bruno")], now=now
    )
    tournament.refresh_from_db()
    assert (tournament.state, tournament.due_at) == (Tournament.State.DRAFT, None)
    client = sign_in(organiser)
    assert "publish" in read_hooks(client.get(tournament_url("tournament", tournament)), "note")
    lifecycle.publish_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    start.start_due(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING


@pytest.mark.django_db
def test_a_draft_that_is_called_off_tells_nobody_and_a_closed_account_leaves_it(
    draft: Callable[..., Tournament], organiser: Player, four: list[Player], now: datetime
) -> None:
    want_all_mail(*four)
    tournament = draft(starts_at=now + HOUR)
    rows = [Row(2, "Anna"), Row(3, "Bruno")]
    import_list.import_entries(tournament_id=tournament.pk, by=organiser, rows=rows, now=now)
    close_account(player_id=four[0].pk, now=now)
    assert tournament.invitations.holding().count() == 1
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    assert not tournament.invitations.open().exists()
    assert not Mail.objects.exists()


@pytest.mark.django_db
def test_a_long_list_takes_as_many_queries_as_a_short_one(opened: Opened, organiser: Player, now: datetime) -> None:
    everybody = [create_person(f"P{n}x", now) for n in range(24)]

    def queries(names: list[str]) -> int:
        tournament = opened(max_entries=64, starts_at=now + HOUR)
        rows = [Row(n, name) for n, name in enumerate(names, start=2)]
        with CaptureQueriesContext(connection) as captured:
            import_list.import_entries(tournament_id=tournament.pk, by=organiser, rows=rows, now=now)
        return len(captured)

    all_names = [player.name for player in everybody]
    assert queries(all_names) == queries(all_names[:2])


@pytest.mark.rule("E3", "E5")
@pytest.mark.django_db
def test_a_list_that_fills_a_sit_and_go_says_beforehand_that_it_starts_and_afterwards_that_it_did_e5(
    opened: Opened, organiser: Player, consenting: Club, now: datetime
) -> None:
    tournament = opened(max_entries=2, club_id=consenting.pk)
    client, where = sign_in(organiser), tournament_url("tournament-import", tournament)
    one = client.post(where, {"file": SimpleUploadedFile("e.csv", b"nome\nAnna\n")})
    assert read_hooks(one, "note") == ["enters", "list_draft"]
    full = client.post(where, {"file": SimpleUploadedFile("e.csv", b"nome\nAnna\nBruno\n")})
    assert read_hooks(full, "note") == ["enters", "starts_at_once", "list_draft"]
    done = client.post(where, {"rows": full.context["ready"], "start": "1"}, follow=True)
    assert read_hooks(done, "notice") == ["entered_and_started"]
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING


@pytest.mark.rule("E5")
@pytest.mark.django_db
def test_a_list_that_fills_a_sit_and_go_only_since_it_was_looked_at_is_shown_again_e5(
    opened: Opened, organiser: Player, consenting: Club, bruno: Player, now: datetime
) -> None:
    tournament = opened(max_entries=2, club_id=consenting.pk)
    client, where = sign_in(organiser), tournament_url("tournament-import", tournament)
    one = client.post(where, {"file": SimpleUploadedFile("e.csv", b"nome\nAnna\n")})
    join.enter_player(tournament_id=tournament.pk, player=bruno, now=now)
    again = client.post(where, {"rows": one.context["ready"]})
    assert read_hooks(again, "note") == ["enters", "starts_at_once", "list_draft"]
    assert list_placed(tournament) == ["Bruno"]
    client.post(where, {"rows": again.context["ready"], "start": "1"})
    assert list_placed(tournament) == ["Bruno", "Anna"]


TAMPERED = (
    "", "x", "[]", "{}", "[1]", '[[2,"Anna","",""]', '[[2,"Anna"]]', '[["2","Anna","",""]]', '[[true,"Anna","",""]]',
    '[[-1,"Anna","",""]]', '[[2,"Anna\\u0000","",""]]', '[[2,"\\ud800","",""]]', f'[[2,"{"x" * 81}","",""]]',
    "[" * 100_000,
)  # fmt: skip


# --- The page ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_page_shows_what_is_there_first_and_a_second_click_enters_all_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player
) -> None:
    tournament = opened(starts_at=timezone.now() + HOUR)
    client, where = sign_in(organiser), tournament_url("tournament-import", tournament)
    file = SimpleUploadedFile("elenco.csv", b"nome\nAnna\nBruno\n<b>Elio</b>\n")
    shown = read_page(client.post(where, {"file": file}))
    assert read_hooks(shown, "problem") == ["unknown_name"]
    assert "Qui nessuno si chiama «&lt;b&gt;Elio&lt;/b&gt;»" in shown
    assert 'name="rows"' not in shown
    bad = SimpleUploadedFile("e.xlsx", xlsx(("nome", "compagno"), ("Anna", None), ("Elio", "Elio")))
    answer = client.post(where, {"file": bad})
    assert [row for row, *_problem in answer.context["problems"]] == [3, 3]
    assert not Entry.objects.exists()
    answer = client.post(where, {"file": SimpleUploadedFile("e.xlsx", xlsx(("nome",), ("anna",), ("BRUNO",)))})
    assert read_element(answer, "ready-title")
    assert (answer.context["rows_count"], answer.context["problems_count"]) == (2, 0)
    assert not Entry.objects.exists()
    done = client.post(where, {"rows": answer.context["ready"]}, follow=True)
    assert read_hooks(done, "notice") == ["imported"]
    assert "Inviti fatti: 2 righe" in read_page(done)
    again = client.post(where, {"rows": answer.context["ready"]})
    assert read_hooks(again, "problem") == ["invited_already", "invited_already"]
    assert not EntryMember.objects.exists()
    accept_all(tournament, timezone.now())
    again = client.post(where, {"rows": answer.context["ready"]})
    assert read_hooks(again, "problem") == ["in_already", "in_already"]
    assert EntryMember.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("rows", TAMPERED, ids=short)
def test_rows_that_were_tampered_with_enter_nobody(opened: Opened, organiser: Player, anna: Player, rows: str) -> None:
    tournament = opened(starts_at=timezone.now() + HOUR)
    client = sign_in(organiser)
    assert client.post(tournament_url("tournament-import", tournament), {"rows": rows}).status_code in (200, 302)
    assert not Entry.objects.exists()


@pytest.mark.django_db
def test_only_who_runs_it_imports_and_the_sample_reads_back(opened: Opened, organiser: Player, anna: Player) -> None:
    for tournament, row in ((opened(), ("Anna", "", "1")), (opened(PAIRS), ("Anna", "Bruno", "1"))):
        for name in ("tournament-import", "tournament-sample", "tournament-entries"):
            assert sign_in(anna).get(tournament_url(name, tournament)).status_code == 404
            assert Client().get(tournament_url(name, tournament)).status_code == 404
            assert sign_in(organiser).get(tournament_url(name, tournament)).status_code == 200
        sample = sign_in(organiser).get(reverse("tournament-sample", args=[tournament.public_id])).content
        assert said(sample)[0][1:] == row
