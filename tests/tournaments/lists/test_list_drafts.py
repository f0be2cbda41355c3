"""Drafts of imports: a list with faults loses nothing, waits to be mended, and is entered whole (E3, O2)."""

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import Workbook

from players import caps
from players.models import Player
from tests.support.entry_kinds import make_kind
from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in
from tests.support.real_tables import open_real
from tests.support.tournaments import Opened
from tournaments.lists.people_list import read_file, read_text
from tournaments.lists.spreadsheet import HEADINGS, make_text, read_rows
from tournaments.models import Club, ClubMember, EntryListDraft, Tournament
from tournaments.retention import forget_list_drafts

pytestmark = [pytest.mark.django_db]


def make_sheet(*rows: tuple[object, ...]) -> bytes:
    book, written = Workbook(), BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(written)
    return written.getvalue()


def url_of(tournament: Tournament, name: str = "tournament-import") -> str:
    return reverse(name, args=[tournament.public_id])


@pytest.mark.rule("O2")
@pytest.mark.parametrize("kind", ["text", "csv", "xlsx"])
def test_a_list_with_faults_waits_is_mended_in_place_and_entered_o2(
    opened: Opened, organiser: Player, kind: str
) -> None:
    tournament, client = open_real(opened), sign_in(organiser)
    sheet = "Nome;Cognome;Circolo\nUgo;Bianchi;Bocciofila\nX;;\n\nAda;Neri;\n"
    sent: dict[str, object] = {"text": sheet}
    if kind == "csv":
        sent = {"file": SimpleUploadedFile("e.csv", sheet.encode()), "text": ""}
    elif kind == "xlsx":
        cells = [tuple(row.split(";")) for row in sheet.splitlines()]
        sent = {"file": SimpleUploadedFile("e.xlsx", make_sheet(*cells)), "text": ""}
    told = client.post(url_of(tournament), sent)
    assert [(row, code) for row, _column, code, _text in told.context["problems"]] == [(3, "name_short")]
    assert not tournament.entries.exists()
    assert "list_draft" in read_hooks(client.get(url_of(tournament, "tournament-entries")), "note")
    back = sign_in(organiser).get(url_of(tournament))
    assert back.context["problems"] == told.context["problems"], "it is as it was left, anywhere"
    text = back.context["form"]["text"].value()
    assert "Bianchi" in text
    assert "Neri" in text
    mended = client.post(url_of(tournament), {"text": text.replace("X;;", "Xeno;Verdi;")})
    assert mended.context["rows_count"] == 3
    assert "Xeno" in EntryListDraft.objects.get().text
    done = client.post(url_of(tournament), {"rows": mended.context["ready"]}, follow=True)
    assert read_hooks(done, "notice") == ["imported"]
    assert sorted(str(member.person) for member in tournament.members.all()) == [
        "Ada Neri",
        "Ugo Bianchi",
        "Xeno Verdi",
    ]
    assert not EntryListDraft.objects.exists()


@pytest.mark.rule("E3")
def test_a_list_of_players_of_the_site_waits_too_e3(opened: Opened, organiser: Player, anna: Player) -> None:
    tournament, client = opened(starts_at=timezone.now() + timedelta(hours=3)), sign_in(organiser)
    file = SimpleUploadedFile("e.csv", b"nome\nAnna\nBrunno\n")
    assert read_hooks(client.post(url_of(tournament), {"file": file}), "problem") == ["unknown_name"]
    create_person("Bruno", timezone.now())
    back = client.get(url_of(tournament))
    text = back.context["form"]["text"].value()
    ready = client.post(url_of(tournament), {"text": text.replace("Brunno", "Bruno")})
    done = client.post(url_of(tournament), {"rows": ready.context["ready"]}, follow=True)
    assert read_hooks(done, "notice") == ["imported"]
    assert not EntryListDraft.objects.exists()


@pytest.mark.rule("O2")
def test_a_header_that_says_nothing_keeps_its_rows_and_a_file_that_is_none_keeps_the_draft_o2(
    opened: Opened, organiser: Player
) -> None:
    tournament, client = open_real(opened), sign_in(organiser)
    nameless = SimpleUploadedFile("e.csv", b"Chi;Da dove\nUgo Bianchi;Roma\n")
    told = client.post(url_of(tournament), {"file": nameless, "text": ""})
    assert told.context["form"].errors.as_data()["file"][0].code == "no_name_column"
    assert "Ugo Bianchi" in told.context["form"]["text"].value()
    assert "Ugo Bianchi" in EntryListDraft.objects.get().text
    none = SimpleUploadedFile("e.xlsx", b"PK no sheet")
    refused = client.post(url_of(tournament), {"file": none, "text": "Ada Neri"})
    assert refused.context["form"].errors.as_data()["file"][0].code == "not_a_sheet"
    assert refused.context["form"]["text"].value() == "Ada Neri", "nor is what was typed lost"
    assert "Ugo Bianchi" in EntryListDraft.objects.get().text


@pytest.mark.rule("E3", "O2")
def test_a_draft_is_its_readers_alone_and_can_be_thrown_away_o2(opened: Opened, organiser: Player) -> None:
    now, other = timezone.now(), create_person("Olga", timezone.now())
    club = Club.objects.create(name="Bocciofila", created_at=now)
    for player in (organiser, other):
        ClubMember.objects.create(club=club, player=player, role=ClubMember.Role.ADMIN, confirmed=True, since=now)
    tournament = open_real(opened, club_id=club.pk)
    sign_in(organiser).post(url_of(tournament), {"text": "Ugo Bianchi\nX"})
    page = sign_in(other).get(url_of(tournament))
    assert page.status_code == 200
    assert "Bianchi" not in page.content.decode()
    assert Client().get(url_of(tournament)).status_code == 404
    sign_in(other).post(url_of(tournament), {"butta": "1"})
    assert EntryListDraft.objects.count() == 1
    gone = sign_in(organiser).post(url_of(tournament), {"butta": "1"}, follow=True)
    assert read_hooks(gone, "notice") == ["draft_dropped"]
    assert not EntryListDraft.objects.exists()
    shown = sign_in(organiser).post(url_of(tournament), {"text": "X"})
    sign_in(organiser).post(url_of(tournament), {"text": "Y"})
    sign_in(organiser).post(url_of(tournament), {"butta": "1", "mark": shown.context["mark"]})
    assert EntryListDraft.objects.get().text == "Y", "another window's isn't thrown away"
    assert forget_list_drafts(timezone.now()) == 0
    assert forget_list_drafts(timezone.now() + caps.LIST_DRAFT_KEPT) == 1


@pytest.mark.rule("O2", "E3")
def test_a_file_as_text_reads_the_same_o2() -> None:
    sheet = make_sheet(("giocatore", "compagno"), (), ("Anna; la prima", 'Bruno "Bibi"'), (), (12.0, None))
    assert read_rows(make_text(sheet, HEADINGS).encode()) == read_rows(sheet)
    for text in ("sep=,\nNome,Circolo\nAda Neri,Roma\n", "Nome\tCircolo\r\nAda Neri\tRoma\r\n"):
        about = {"kind": make_kind(), "by_lot": True}
        assert read_text(make_text(text.encode("utf-16"), HEADINGS), **about) == read_file(text.encode(), **about)


@pytest.mark.rule("O2")
def test_what_is_wrong_with_a_list_is_kept_with_it_and_looking_at_it_checks_nothing_at6(
    opened: Opened, organiser: Player
) -> None:
    tournament, client = open_real(opened), sign_in(organiser)
    client.post(url_of(tournament), {"text": "Ugo Bianchi\nX\nY"})
    draft = EntryListDraft.objects.get()
    draft.problems = {"count": 500, "first": draft.problems["first"][:1]}
    draft.save()
    page = client.get(url_of(tournament))
    assert [row[2] for row in page.context["problems"]] == ["name_short"]
    assert (page.context["problems_count"], page.context["problems_more"]) == (500, 400)
    mended = client.post(url_of(tournament), {"text": "Ugo Bianchi"})
    assert not mended.context["problems"]
    assert client.get(url_of(tournament)).context["ready"] == mended.context["ready"]


@pytest.mark.rule("E3")
def test_looking_at_a_list_of_accounts_checks_nothing_and_is_counted_at6(
    opened: Opened, organiser: Player, anna: Player, settings: Any
) -> None:
    cache.clear()
    settings.LIST_RATES = {"list_looks": "2/m/user", "list_checks": "1/m/user"}
    tournament, client = opened(starts_at=timezone.now() + timedelta(hours=3)), sign_in(organiser)
    told = client.post(url_of(tournament), {"text": "nome\nBrunno\nAnna"})
    create_person("Brunno", timezone.now())
    page = client.get(url_of(tournament))
    for shown in ("problems", "rest", "invitations_count", "entries_count", "starts"):
        assert page.context[shown] == told.context[shown]
    assert told.context["rest_count"] == told.context["invitations_count"] == 1
    assert [client.get(url_of(tournament)).status_code for _ in range(2)] == [200, 429]
    assert client.post(url_of(tournament), {"text": "nome\nAnna"}).status_code == 429
