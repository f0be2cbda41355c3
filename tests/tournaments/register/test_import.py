"""Lists of people read into a register (I1): all or nobody, every fault once with how to mend it, drafts that stay."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import Workbook

from players import caps
from players.models import Person, Player
from tests.support.html import read_hooks
from tests.support.keys import by_key, code, make_key, send
from tests.support.locks import somebody_waits
from tests.support.people import create_person, sign_in
from tests.support.waiting import until
from tournaments.models import Register, RegisterCard, RegisterDraft
from tournaments.register import cards, imports, wording
from tournaments.register.cards import CardValues
from tournaments.register.errors import RegisterError
from tournaments.register.queries import OWN
from tournaments.retention import forget_register_drafts, show_grown_names

pytestmark = pytest.mark.django_db

LIST = """Cognome;Nome;Tessera;Livello;Anno di nascita;Minore;Contatto;Annotazioni;Scarpe
Bianchi;Ugo;17;B;1961;;333 1;porta il vino;44
Neri;Ada;18;;2015;;;;38
Rossi;Pia;;;;sì;;;
"""


@pytest.fixture
def register(organiser: Player, now: datetime) -> Register:
    """The organiser's own, with Ugo Bianchi, card 17."""
    values = CardValues(name="Ugo Bianchi", number="17", contact="333 0", notes="vecchie")
    return cards.add_card(register=Register(organiser=organiser), by=organiser, values=values, now=now).register


def post(client: Client, **data: object) -> str:
    """Post to the page of the import and return the page that follows."""
    return client.post(reverse("register-import", args=[OWN]), data, follow=True).content.decode()


def names() -> list[str]:
    return sorted(Person.objects.filter(player=None).values_list("typed_name", flat=True))


def test_every_fault_has_words() -> None:
    assert all(wording.describe_fault(imports.Fault(1, "name", code, "x", 2)) for code in imports.FAULTS)


@pytest.mark.rule("I1")
@pytest.mark.parametrize("kind", ["file", "pasted", "workbook"])
def test_a_list_is_looked_at_then_taken_in(kind: str, organiser: Player, register: Register) -> None:
    client = sign_in(organiser)
    if kind == "pasted":
        page = post(client, act="read", text=LIST.replace(";", "\t"))
    elif kind == "file":
        page = post(client, act="read", file=SimpleUploadedFile("soci.csv", LIST.encode()))
    else:
        book, out = Workbook(), BytesIO()
        for line in LIST.splitlines():
            book.active.append(line.split(";"))
        book.save(out)
        page = post(client, act="read", file=SimpleUploadedFile("soci.xlsx", out.getvalue()))
    assert read_hooks(page, "note") == ["ready"]
    assert names() == ["Ugo Bianchi"], "nobody is in by a draft"
    assert read_hooks(post(client, act="import"), "notice") == ["people_imported"]
    assert names() == ["Ada Neri", "Pia Rossi", "Ugo Bianchi"]
    assert not RegisterDraft.objects.exists()
    ugo = RegisterCard.objects.get(number="17")
    assert (ugo.contact, ugo.notes, ugo.birth_year, ugo.level) == ("333 1", "porta il vino", 1961, "B")
    hidden = Person.objects.filter(initials=True).values_list("typed_name", flat=True)
    assert sorted(hidden) == ["Ada Neri", "Pia Rossi"], "a child by the year, and one who is ticked"


@pytest.mark.rule("I1")
def test_its_own_file_changes_what_was_changed_in_it_and_nothing_else(
    organiser: Player, register: Register, now: datetime
) -> None:
    another = CardValues(name="Ada Neri", contact="ada@example.org", minor=True)
    cards.add_card(register=register, by=organiser, values=another, now=now)
    client = sign_in(organiser)
    table = client.get(reverse("register-csv", args=[OWN])).content.decode("utf-8-sig")
    before = list(RegisterCard.objects.order_by("pk").values())
    post(client, act="read", text=table)
    post(client, act="import")
    assert list(RegisterCard.objects.order_by("pk").values()) == before
    post(client, act="read", text=table.replace("Ada Neri", "Ada Neri Verdi"))
    post(client, act="import")
    assert names() == ["Ada Neri Verdi", "Ugo Bianchi"]


@pytest.mark.rule("I1")
def test_with_one_bad_row_nobody_comes_in_and_each_fault_is_told_once(
    organiser: Player, register: Register, now: datetime
) -> None:
    rows = [
        ("", "", "21", "", "", ""),
        ("", "X", "", "", "", ""),
        ("", "Ada <b>", "", "", "", ""),
        ("", "Ugo Bianchi", "", "", "", ""),
        ("", "Ugo Bianchi", "99", "", "", ""),
        ("", "Ada Neri", "17", "", "", ""),
        ("", "Pia Rossi", "", "61", "", ""),
        ("", "Ida Rossi", "", "", "forse", ""),
        ("", "Eva Rossi", "x" * 21, "", "", ""),
        ("", "Pia Rossi", "", "", "", ""),
        ("nessuna", "Lia Rossi", "", "", "", ""),
        ("", "Mia Verdi", "31", "", "", ""),
        ("", "Mia Verdi", "32", "", "", ""),
        ("", "Zoe Verdi", "31", "", "", "x" * 501),
    ]
    header = "Scheda;Nome;Tessera;Anno di nascita;Minore;Note\n"
    text = header + "\n".join(";".join(row) for row in rows)
    checked = imports.check_rows(register, imports.read_list(text.encode()), now)
    assert [(fault.row, fault.column, fault.code, fault.other) for fault in checked.faults] == [
        (2, "name", "name_missing", 0),
        (3, "name", "name_short", 0),
        (4, "name", "name_characters", 0),
        (5, "name", "name_taken", 0),
        (7, "card_number", "number_taken", 0),
        (8, "birth_year", "year_unclear", now.year),
        (9, "minor", "minor_unclear", 0),
        (10, "card_number", "text_long", 20),
        (11, "name", "name_twice", 8),
        (12, "card", "card_unknown", 0),
        (15, "notes", "text_long", 500),
        (15, "card_number", "card_twice", 13),
    ]
    client = sign_in(organiser)
    page = post(client, act="read", text=text)
    assert sorted(read_hooks(page, "fault")) == sorted(fault.code for fault in checked.faults)
    assert read_hooks(page, "row") == [str(n) for n in (2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 15)]
    assert read_hooks(post(client, act="import"), "notice") == []
    assert names() == ["Ugo Bianchi"]


@pytest.mark.rule("I1")
def test_a_draft_is_mended_in_place_and_waits(organiser: Player, register: Register, now: datetime) -> None:
    client = sign_in(organiser)
    post(client, act="read", text="Nome;Tessera\nUgo Bianchi;\nAda <b>;5\nX;\nPia Rossi;6\n")
    other = create_person("Sandra", now)
    assert not imports.find_draft(register, other), "a draft is its reader's own"
    page = sign_in(organiser).get(reverse("register-import", args=[OWN])).content.decode()
    assert read_hooks(page, "row") == ["2", "3", "4"]
    kept = {"r2-name": "Ugo Bianchi", "r2-card_number": "", "r3-name": "Ada Neri", "r3-card_number": "5"}
    page = post(client, act="mend", **{**kept, "r4-drop": "on"})
    assert read_hooks(page, "fault") == ["name_taken"]
    page = post(client, act="mend", **{"r2-name": "Ugo Bianchi", "r2-card_number": "", "r2-another": "on"})
    assert read_hooks(page, "note") == ["ready"]
    post(client, act="import")
    assert names() == ["Ada Neri", "Pia Rossi", "Ugo Bianchi", "Ugo Bianchi"]
    assert read_hooks(post(client, act="import"), "notice") == ["no_draft"]
    post(client, act="read", text="Nome\nLia Verdi\n")
    assert read_hooks(post(client, act="drop"), "notice") == ["draft_dropped"]
    assert not RegisterDraft.objects.exists()


@pytest.mark.rule("I1")
@pytest.mark.parametrize("act", ["import", "rest", "mend", "drop"])
def test_a_list_of_another_window_is_left_alone(organiser: Player, register: Register, act: str) -> None:
    client = sign_in(organiser)
    post(client, act="read", text="Nome\nAda Neri\nX\n")
    shown = str(RegisterDraft.objects.get().pk)
    post(client, act="read", text="Nome\nPia Rossi\nY\n")
    page = post(client, act=act, draft=shown, **{"r2-name": "Ada Bo"})
    assert read_hooks(page, "notice") == ["no_draft"]
    assert [row["name"] for row in RegisterDraft.objects.get().rows] == ["Pia Rossi", "Y"]
    assert names() == ["Ugo Bianchi"]


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "required"),
        ("Tessera\n1\n", "no_player_column"),
        ("Nome;Nome\nA;B\n", "column_twice"),
        ("Nome\n", "no_rows"),
        ("Nome\n" + "Ugo Bianchi\n" * 5001, "too_many_rows"),
    ],
)
def test_what_is_no_list_is_refused(organiser: Player, register: Register, typed: str, code: str) -> None:
    answer = sign_in(organiser).post(reverse("register-import", args=[OWN]), {"act": "read", "text": typed})
    errors = answer.context["form"].errors.as_data()
    assert [error.code for field in errors.values() for error in field] == [code]
    assert not RegisterDraft.objects.exists()


@pytest.mark.rule("I1")
def test_full_is_full(organiser: Player, register: Register, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_REGISTER_CARDS", 2)
    rows = imports.read_list(b"Nome\nAda Neri\nPia Rossi\n")
    faults = imports.check_rows(register, rows, now).faults
    assert [(fault.row, fault.code) for fault in faults] == [(3, "no_room")]


@pytest.mark.rule("I1")
def test_old_drafts_go_and_children_grow_up(organiser: Player, register: Register, now: datetime) -> None:
    rows = imports.read_list(f"Nome;Anno di nascita;Minore\nAda Neri;{now.year - 14};\nPia Rossi;1990;sì\n".encode())
    imports.stage_list(register=register, by=organiser, rows=rows, now=now)
    imports.import_draft(register=register, by=organiser, now=now)
    assert show_grown_names(now) == 0
    assert show_grown_names(now + timedelta(days=366)) == 1
    assert list(Person.objects.filter(initials=True).values_list("typed_name", flat=True)) == ["Pia Rossi"]
    imports.stage_list(register=register, by=organiser, rows=rows, now=now)
    assert forget_register_drafts(now + caps.LIST_DRAFT_KEPT - timedelta(seconds=1)) == 0
    assert forget_register_drafts(now + caps.LIST_DRAFT_KEPT) == 1


@pytest.mark.rule("I1")
def test_a_telephone_number_comes_back_from_our_own_file_as_it_was(
    organiser: Player, register: Register, now: datetime
) -> None:
    values = CardValues(name="Zeno Blu", contact="+39 333 1234567", notes="=1+1")
    card = cards.add_card(register=register, by=organiser, values=values, now=now)
    file = sign_in(organiser).get(reverse("register-csv", args=[OWN])).content
    assert "'+39" in file.decode(), "no spreadsheet takes it for a formula"
    imports.stage_list(register=register, by=organiser, rows=imports.read_list(file), now=now)
    assert not imports.import_draft(register=register, by=organiser, now=now).faults
    assert cards.read_values(RegisterCard.objects.select_related("person").get(pk=card.pk)) == values


def write_bad_list(count: int) -> str:
    return "Nome\n" + "".join(f"Ada <{number}>\n" for number in range(count))


@pytest.mark.rule("I1")
def test_what_is_wrong_with_a_draft_is_kept_with_it_and_looking_at_it_checks_nothing_at6(
    organiser: Player, register: Register
) -> None:
    client, page = sign_in(organiser), reverse("register-import", args=[OWN])
    assert read_hooks(post(client, act="read", text=write_bad_list(3)), "fault") == ["name_characters"] * 3
    draft = RegisterDraft.objects.get()
    draft.checked["faults"] = draft.checked["faults"][:2]
    draft.save()
    assert read_hooks(client.get(page), "row") == ["2", "3"], "what the page says is what was kept"
    RegisterDraft.objects.update(checked=None)  # of a time that didn't keep them, or with a name that was forgotten
    assert read_hooks(client.get(page), "note") == ["unseen"]
    assert read_hooks(post(client, act="mend"), "row") == ["2", "3", "4"]


@pytest.mark.rule("I1")
def test_the_check_of_a_bad_list_stops_where_there_is_enough_to_mend_at6(
    organiser: Player, register: Register, now: datetime
) -> None:
    rows = imports.read_list(write_bad_list(imports.MOST_FAULTS + 50).encode())
    checked = imports.check_rows(register, rows, now)
    assert (len(checked.faults), checked.stopped_at) == (imports.MOST_FAULTS, imports.MOST_FAULTS + 1)
    page = post(sign_in(organiser), act="read", text=write_bad_list(imports.MOST_FAULTS + 50))
    assert read_hooks(page, "note") == ["stopped"]


@pytest.mark.rule("I1")
def test_a_list_is_checked_before_the_register_is_locked_and_only_as_it_was_then_at11(
    organiser: Player, register: Register, now: datetime
) -> None:
    rows = imports.read_list(b"Nome\nAda Neri\n")
    listed = imports.check_list(register, rows, now)
    cards.add_card(register=register, by=organiser, values=CardValues(name="Ada Neri"), now=now)
    with pytest.raises(RegisterError) as refused:
        imports.store_list(register=register, by=organiser, listed=listed, now=now)
    assert refused.value.code == "register_changed"
    imports.stage_list(register=register, by=organiser, rows=rows, now=now)
    with CaptureQueriesContext(connection) as done:
        assert imports.import_draft(register=register, by=organiser, now=now).faults
    words = [query["sql"] for query in done.captured_queries]
    looked = next(place for place, sql in enumerate(words) if "registercard" in sql)
    assert looked < next(place for place, sql in enumerate(words) if not sql.startswith("SELECT"))


@pytest.mark.rule("I1")
def test_looks_at_a_list_that_waits_and_checks_of_it_are_counted_at6(
    organiser: Player, register: Register, settings: Any
) -> None:
    cache.clear()
    assert set(caps.LIST_RATES) == {"list_looks", "list_checks"}
    settings.LIST_RATES = {"list_looks": "2/m/user", "list_checks": "1/m/user"}
    client, page = sign_in(organiser), reverse("register-import", args=[OWN])
    assert [client.get(page).status_code for _ in range(3)] == [200, 200, 429]
    assert [client.post(page, {"act": "read", "text": "Nome\nX\n"}).status_code for _ in range(2)] == [302, 429]
    sent = send(
        by_key(make_key(organiser, targets=["own"])),
        "/api/v1/registers/mine/import/",
        {"people": [{"name": "Ada Neri"}]},
    )
    assert code(sent) == (429, "throttled")


@pytest.mark.rule("I1")
@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "act",
    [imports.import_draft, lambda **about: imports.mend_rows(changes={2: {"name": "Eva Neri"}}, dropped=(), **about)],
    ids=["import", "mend"],
)
def test_a_draft_that_is_thrown_away_meanwhile_is_gone(
    organiser: Player, register: Register, now: datetime, act: Callable[..., object]
) -> None:
    imports.stage_list(register=register, by=organiser, rows=imports.read_list(b"Nome\nAda Neri\n"), now=now)

    def do() -> None:
        try:
            with pytest.raises(RegisterError, match="no_draft"):
                act(register=register, by=organiser, now=now)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            imports.drop_draft(register=register, by=organiser)
            done = pool.submit(do)
            until(lambda: done.done() or somebody_waits())
        done.result()
    assert names() == ["Ugo Bianchi"]
