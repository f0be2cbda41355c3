"""Lists as people have them (O2, E3): titles above, other headings, pairs in one cell, any sheet, .ods."""

import io

import pytest
from openpyxl import Workbook

from tests.support.entry_kinds import make_kind
from tests.support.open_documents import make_open_document, wrap_sheets, write_row, write_sheet
from tournaments.hall import result_list
from tournaments.lists.people_list import HEADINGS, PeopleList, read_file, read_text
from tournaments.lists.spreadsheet import Unreadable, blank_rows, make_text, read_rows
from tournaments.register import imports

pytestmark = [pytest.mark.rule("O2", "E3")]

TITLES = (("Torneo di briscola, 12 maggio",), (), ("Circolo Arci; via Roma 1", "pagato"), ())
TITLED = "Torneo di briscola, 12 maggio\n\nCircolo Arci\n"


def make_book(**sheets: tuple[tuple[object, ...], ...]) -> bytes:
    book, out = Workbook(), io.BytesIO()
    book.remove(book.active)  # type: ignore[arg-type]
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


def read(data: bytes | str, *, pairs: bool = False, teams: bool = False) -> PeopleList:
    kind = make_kind(pairs=pairs, teams=teams)
    if isinstance(data, str):
        return read_text(data, kind=kind, by_lot=True)
    return read_file(data, kind=kind, by_lot=True)


def list_names(people: PeopleList) -> list[str]:
    assert not people.problems
    return [" + ".join(person.name for person in entry.people) for entry in people.entries]


LISTS = [
    f"{TITLED}Nome;Cognome\nAda;Neri\n",
    f"{TITLED}Nome;Cognome\nAda;Neri\n".encode(),
    f'"Torneo; di ""briscola"""\n{TITLED}Nome,Cognome\nAda,Neri\n'.encode(),
    make_book(Foglio1=(*TITLES, ("N.", "Nome:", "COGNOME"), (1, "Ada", "Neri"))),
    make_book(Note=(("Si gioca alle 21",), ("Portare", "le carte")), Iscritti=(("Nome", "Cognome"), ("Ada", "Neri"))),
    make_book(Vuoto=(), Modello=(("Nome", "Cognome"),), Iscritti=(("Nome", "Cognome"), ("Ada", "Neri"))),
    make_open_document({"Foglio1": (*map(list, TITLES), ["Nome", "Cognome"], ["Ada", "Neri"])}),
    make_open_document({"Note": [["Si gioca alle 21"]], "Iscritti": [["Nome", "Cognome"], [], ["Ada", "Neri"]]}),
    make_open_document({"Foglio1": [["Ada Neri"]]}),
    b"Ada Neri\n",
    b"Nome\nAda Neri\n",
    b"Nome\nAda Neri\nNome\n",
    b"Cognome/Nome;N. tessera\nAda Neri;7\n",
    b'Note;Nome;Cognome\n"di\npiu";Ada;Neri\n',
    '"Ada Neri"\n',
]


@pytest.mark.parametrize("data", LISTS, ids=range(len(LISTS)))
def test_a_list_is_found_wherever_it_stands(data: bytes | str) -> None:
    assert list_names(read(data)) == ["Ada Neri"]
    if isinstance(data, bytes):
        assert list_names(read(make_text(data, HEADINGS))) == ["Ada Neri"], "the same as the text that is mended"


def test_a_workbook_says_which_sheet_was_read_and_which_could_be() -> None:
    rows = (("Nome",), ("Ada",))
    people = read(make_book(Note=(("ciao",),), Oggi=rows, Ieri=rows))
    assert (people.sheet, people.others) == ("Oggi", ("Ieri",))


@pytest.mark.parametrize("head", ["Cognome e nome", "NOME E COGNOME", "Nominativo", "Giocatori", "Full name"])
def test_one_column_may_have_the_whole_name(head: str) -> None:
    assert list_names(read(f"{head}\nNeri Ada\nDe Luca Ugo\n".encode())) == ["Neri Ada", "De Luca Ugo"]


def test_a_surname_before_a_comma_is_put_behind() -> None:
    assert list_names(read(b'Cognome e nome;Circolo\n"Neri, Ada";Arci\n')) == ["Ada Neri"]


@pytest.mark.parametrize(
    "data",
    [
        f"{TITLED}Coppia;Tessera\nAda Neri - Ugo Bo;\nPia & Rita;\n".encode(),
        b"Giocatori\nAda Neri / Ugo Bo\nPia e Rita\n",
        b"Cognome e nome\nAda Neri, Ugo Bo\nPia + Rita\n",
        b"Nome;Nome 2\nAda Neri;Ugo Bo\nPia con Rita;\n",
        b"Ada Neri;Ugo Bo\nPia;Rita\n",
        b"1;Ada Neri;Ugo Bo\n2;Pia;Rita\n",
        "1\tAda Neri\tUgo Bo\n2\tPia\tRita\n",
        "1. Ada Neri e Ugo Bo\n• Pia & Rita\n",
    ],
    ids=range(8),
)
def test_both_names_of_a_pair_may_stand_in_one_cell_or_without_headings(data: bytes | str) -> None:
    assert list_names(read(data, pairs=True)) == ["Ada Neri + Ugo Bo", "Pia + Rita"]


def test_where_nobody_plays_in_pairs_two_are_one_name() -> None:
    names = ["Bruno & Carla", 'Gianni "Il Moro" Bo', "Anna (Arci)", "Wu", "Анна"]
    assert list_names(read("\n".join(["Nome", *names]).encode())) == names
    assert list_names(read("\n".join(names))) == names
    assert list_names(read(make_book(A=(("Nome",), *((name,) for name in names))))) == names


def test_pair_numbers_without_names_are_no_list() -> None:
    with pytest.raises(Unreadable, match="no_name_column"):
        read(b"Coppia;Livello\n1;3\n2;4\n", pairs=True)


def test_a_quote_that_never_ends_takes_one_row_alone() -> None:
    people = read(b'Nome;Circolo\n"Ada;Arci\n"Ugo";"Bar"\nPia;\n')
    assert [(person.name, person.club) for entry in people.entries for person in entry.people] == [
        ("Ada", "Arci"), ("Ugo", "Bar"), ("Pia", ""),
    ]  # fmt: skip


def test_the_lists_of_accounts_of_a_register_and_of_results_are_found_too() -> None:
    book = {"Note": [["ciao"]], "Elenco": [["Titolo"], ["Nominativo"], ["Ada Neri"]]}
    for data in (make_open_document(book), make_book(**{name: tuple(map(tuple, rows)) for name, rows in book.items()})):
        assert [(row.number, row.player) for row in read_rows(data)] == [(3, "Ada Neri")]
        assert [(row.number, row.name) for row in imports.read_list(data)] == [(3, "Ada Neri")]
    results = [["Secondo turno"], [], ["Tavolo", "Punti 1", "Punti 2"], ["3", "21", "15"]]
    (row,) = result_list.read_list(make_open_document({"A": results}))
    assert (row.number, row.cells["table"], row.cells["points_0"]) == (4, "3", "21")


def test_no_row_is_left_out_in_silence() -> None:
    notes, people = [["pagato"]] * 3000, [["Nome"], *([f"Socio {number}"] for number in range(2500))]
    assert len(read(make_open_document({"Note": notes, "Iscritti": people})).entries) == 2500
    far = Workbook(write_only=True)
    for name, rows in (("Note", 5200), ("Iscritti", 1)):
        sheet = far.create_sheet(name)
        for _row in range(rows):
            sheet.append(["Nome"])
        sheet.append(["Ada"])
    out = io.BytesIO()
    far.save(out)
    for data in (out.getvalue(), b"pagato\n" * 5200 + b"Nome\nAda\n"):
        with pytest.raises(Unreadable, match="too_many_rows"):
            read(data)


LINE, PARAGRAPH, NEXT, TAB, PAGE = "\u2028", "\u2029", "\x85", "\x0b", "\x0c"  # no ends of lines in a spreadsheet


@pytest.mark.parametrize("between", [LINE, PARAGRAPH, NEXT, TAB, PAGE, "\x1c"])
def test_a_row_ends_where_its_line_does(between: str) -> None:
    text = f"Ugo{between}Bo\rPia\r\nAda\n"
    for listed in (text, f"Nome{between}\n{text}"):
        head = listed.count("Nome")
        people = read(listed)
        assert [entry.number for entry in people.entries] == [head + 1, head + 2, head + 3]
        assert blank_rows(listed, [head + 2], HEADINGS).splitlines()[-1] == "Ada"
        assert "Pia" not in blank_rows(listed, [head + 2], HEADINGS)


@pytest.mark.parametrize("text", ['Nome;Note\nUgo;\n"Ada";"di\npiù"\nPia;', '"Ugo"\n"Ada\nNeri"\n"Pia"'])
def test_a_row_of_two_lines_goes_whole(text: str) -> None:
    ugo, ada, pia = read(text).entries
    assert read(blank_rows(text, [ugo.number, pia.number], HEADINGS)).entries == (ada,)
    assert read(blank_rows(text, [ada.number], HEADINGS)).entries == (ugo, pia)


def test_an_open_document_says_its_rows_as_they_stand() -> None:
    note = "<office:annotation><text:p>nota</text:p></office:annotation>"
    two = '<table:table-cell table:number-columns-repeated="2"/>'
    rows = (
        write_row(["Nome"]),
        write_row([""], 'table:number-rows-repeated="3"'),
        f"<table:table-row><table:table-cell>{note}<text:p>Ada<text:s/>Neri</text:p><text:p>Bo</text:p>"
        "</table:table-cell></table:table-row>",
        f'<table:table-row>{two}<table:table-cell office:value="7"/></table:table-row>',
        write_row(["Ugo"], 'table:number-rows-repeated="2"'),
    )
    people = read(wrap_sheets(write_sheet("A", "".join(rows))))
    assert [(entry.number, entry.people[0].name) for entry in people.entries] == [
        (5, "Ada Neri Bo"),
        (7, "Ugo"),
        (8, "Ugo"),
    ]


MANY = 'table:number-rows-repeated="999999999"'
WIDE = '<table:table-cell table:number-columns-repeated="999999999"><text:p>x</text:p></table:table-cell>'
ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
HEAD = '<?xml version="1.0" encoding="{}"?>'


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (wrap_sheets(write_sheet("A", write_row(["Nome"]) + write_row(["Ada"], MANY))), "too_many_rows"),
        (wrap_sheets(write_sheet("A", f"<table:table-row {MANY}>{WIDE}</table:table-row>")), "too_many_rows"),
        (wrap_sheets(write_sheet("A", write_row(["x"] * 30, MANY)) * 30), "too_many_rows"),
        (wrap_sheets(write_sheet("A", write_row(["", "Ada"], MANY)) * 2000), "too_many_rows"),
        (wrap_sheets(write_sheet("A", write_row([""], MANY) + write_row(["Ada"]))), "too_many_rows"),
        (wrap_sheets(write_sheet("A", write_row(["Nome"])) * 31), "not_a_sheet"),
        (wrap_sheets("", declared=HEAD.format("UTF-8") + ENTITIES), "not_a_sheet"),
        (wrap_sheets("", declared=ENTITIES, code="utf-8"), "not_a_sheet"),
        (wrap_sheets(write_sheet("A", "<table:table-row>")), "not_a_sheet"),
        (wrap_sheets("<a>" * 100_000), "not_a_sheet"),
        (wrap_sheets(" " * (9 * 1024 * 1024)), "too_big"),
        (wrap_sheets(""), "no_rows"),
    ],
    ids=[
        "rows",
        "cells",
        "full-sheets",
        "long-sheets",
        "far-row",
        "sheets",
        "entities",
        "bare-entities",
        "open",
        "deep",
        "bomb",
        "empty",
    ],
)
def test_a_hostile_document_costs_and_says_nothing(data: bytes, code: str) -> None:
    assert len(data) < 100_000
    with pytest.raises(Unreadable) as refused:
        read(data)
    assert refused.value.code == code
