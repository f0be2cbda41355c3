"""Lists of players in a spreadsheet, CSV, XLSX or ODS, read into rows of plain text. It knows no player.

A list begins with its headings: what stands above them is a title, and a workbook's first sheet that has them is read.
The file may be anything, from anybody: it is small, its unpacked content is small, no formula is computed, no link in
it is followed. A file that can't be read is refused with a code of ``UNREADABLE``.
"""

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from typing import Any

from players.clean_text import clean_line
from tournaments.lists import open_document

MAX_FILE_BYTES = 1024 * 1024
MAX_UNPACKED_BYTES = 8 * MAX_FILE_BYTES  # of all that a workbook holds
MAX_PARTS = 200  # files inside a workbook
MAX_SHEETS = 30
MAX_ROWS = 5000
MAX_TITLE_ROWS = 20  # above the headings, with anything in them
MAX_SHEET_ROWS = MAX_ROWS + 100  # with titles and empty ones
MAX_SHEET_HEIGHT = 2**20  # rows, empty ones too: of any spreadsheet
MAX_SEEN_ROWS = 8 * MAX_SHEET_HEIGHT  # of a workbook
MAX_COLUMNS = 30
MAX_CELL_CHARS = 80  # longer than any name: a problem shows the cell
UNREADABLE = frozenset(
    {
        "too_big",
        "not_a_sheet",
        "old_excel",
        "too_many_rows",
        "no_player_column",
        "no_name_column",
        "column_twice",
        "no_rows",
    }
)
WHOLE_NAMES = (  # of one column that has a person's whole name
    "nome e cognome", "cognome e nome", "cognome nome", "nome cognome", "nominativo", "full name", "name and surname",
    "surname and name",
)  # fmt: skip
# Names of each column in the headings, without regard to case.
COLUMNS = {
    "player": ("giocatore", "giocatrice", "nome", "player", "name", *WHOLE_NAMES),
    "partner": ("compagno", "compagna", "partner", "nome 2", "giocatore 2", "player 2", "name 2"),
    "seed": ("testa", "testa di serie", "teste di serie", "seed"),
    "team": ("squadra", "nome squadra", "team"),  # of teams (J11), as the two after it
    "third": ("nome 3", "giocatore 3", "player 3", "name 3"),
    "fourth": ("nome 4", "giocatore 4", "player 4", "name 4"),
}
_OLE = b"\xd0\xcf\x11\xe0"  # an Excel file of before 2007
# Never in a spreadsheet's XML, in any encoding: how XML is made to explode.
_MARKS = tuple(mark.encode(code) for mark in ("<!DOCTYPE", "<!ENTITY") for code in ("ascii", "utf-16-le", "utf-16-be"))
_DELIMITERS = ";,\t"
_NO_DELIMITER = "\x1f"  # of a list of one column
_NEWLINE = re.compile(r"\r\n?|\n")
_JOINED = re.compile(r"\s*[/,&+-]\s*")  # "Cognome/nome"
_LAST = "\0"  # a row that no file has, put behind the last one: with a quote that never ends it isn't read
NumberedRow = tuple[int, list[str]]
Sheet = tuple[str, list[NumberedRow]]  # its name and rows
CsvRow = tuple[range, list[str]]  # the numbers of its lines, from 1, and its cells


@dataclass(frozen=True, slots=True)
class Headings:
    """Names that the columns of a list may have, in small letters, each with its meaning.

    ``needed``: the meanings without which a row heads no list, each set alone; ``missing``: the code of its refusal.
    """

    meanings: Mapping[str, str]
    needed: Sequence[Collection[str]]
    missing: str

    def find_meaning(self, cell: str) -> str | None:
        """Return what a column of that name holds; None for one of the organiser's own."""
        named = " ".join(cell.casefold().strip(" :*").split())
        return self.meanings.get(named) or self.meanings.get(_JOINED.sub(" ", named))

    def find_columns(self, cells: Sequence[str]) -> dict[str, int]:
        """Return the place of each meaning in a row that heads a list. Unreadable where two columns mean the same."""
        meanings = [(meaning, place) for place, cell in enumerate(cells) if (meaning := self.find_meaning(cell))]
        if len(dict(meanings)) < len(meanings):
            raise Unreadable("column_twice")
        return dict(meanings)

    def is_list(self, cells: Sequence[str]) -> bool:
        """Tell if a row heads a list."""
        meanings = set(map(self.find_meaning, cells))
        return any(meanings >= set(needed) for needed in self.needed)


@dataclass(frozen=True, slots=True)
class Table:
    """List under its headings: the place of each column's meaning, and the rows below that have anything in them.

    ``sheet``: the name of the workbook's sheet that it stands in; ``others``: of those that have one too.
    """

    columns: dict[str, int]
    rows: list[NumberedRow]
    sheet: str = ""
    others: tuple[str, ...] = ()

    def list_records(self) -> list[tuple[int, dict[str, str]]]:
        """Return each row's cells by their meanings, without rows that say nothing there."""
        cells = [
            (number, {name: row[place] if place < len(row) else "" for name, place in self.columns.items()})
            for number, row in self.rows
        ]
        return [(number, record) for number, record in cells if any(record.values())]


@dataclass(frozen=True, slots=True)
class Row:
    """Row of the list as it was typed. ``number``: its place in the file, from 1."""

    number: int
    player: str
    partner: str = ""
    seed: str = ""
    team: str = ""
    third: str = ""
    fourth: str = ""

    @property
    def people(self) -> str:
        """The names in one text."""
        return ", ".join(filter(None, self.names))

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The names in it, empty for none."""
        return self.player, self.partner, self.third, self.fourth


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a list: ``chars`` of a cell, beyond which it is cut; ``rows`` that say something on a
    sheet, and twice as many in a workbook; ``size`` of its file in bytes. Whatever has more is refused."""

    chars: int = MAX_CELL_CHARS
    rows: int = MAX_SHEET_ROWS
    size: int = MAX_FILE_BYTES


class Unreadable(Exception):
    """Refusal of a file: ``code`` is one of UNREADABLE."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


BOUNDS = Bounds()
HEADINGS = Headings(
    {name: column for column, names in COLUMNS.items() for name in names}, ({"player"},), "no_player_column"
)


def read_rows(data: bytes) -> list[Row]:
    """Return the rows of a file, without empty ones. Unreadable gives the code of its refusal."""
    table = read_table(data, HEADINGS)
    named = [Row(number, **record) for number, record in table.list_records()]
    if not named:
        raise Unreadable("no_rows")
    if len(named) > MAX_ROWS:
        raise Unreadable("too_many_rows")
    return named


def read_table(data: bytes, headings: Headings, bounds: Bounds = BOUNDS) -> Table:
    """Return the first list of a file, its cells as text. Unreadable gives the code of its refusal: that of
    ``headings`` where no row has them."""
    return find_table(read_sheets(data, headings, bounds), headings)


def find_table(sheets: Sequence[Sheet], headings: Headings) -> Table:
    """Return the first list that stands on one of these sheets. Unreadable gives the code of its refusal."""
    tables = [table for name, rows in sheets if (table := _find_on_sheet(name, rows, headings)) is not None]
    full = [table for table in tables if table.rows]
    if not full:
        raise Unreadable("no_rows" if tables or not sheets else headings.missing)
    return replace(full[0], others=tuple(table.sheet for table in full[1:]))


def read_sheets(data: bytes, headings: Headings, bounds: Bounds = BOUNDS) -> list[Sheet]:
    """Return the sheets of a file that have anything in them, by their names, and of each the rows that do, with their
    places from 1. By ``headings`` the delimiter is known. Unreadable gives the code of its refusal."""
    if len(data) > bounds.size:
        raise Unreadable("too_big")
    if data.startswith(_OLE):
        raise Unreadable("old_excel")
    if data.startswith(b"PK"):
        sheets = _read_workbook(data, bounds)
    else:
        rows = ((lines[-1], cells) for lines, cells in _split_csv(_decode(data), headings, bounds.rows))
        sheets = [("", _read_rows(rows, bounds.chars, bounds.rows))]
    return [(_read_cell(name, MAX_CELL_CHARS), rows) for name, rows in sheets if rows]


def make_text(data: bytes, headings: Headings) -> str:
    """Return what a file holds as text that reads the same, row by row, for whoever mends it by hand. Unreadable
    gives the code of its refusal."""
    if not data.startswith((b"PK", _OLE)) and len(data) <= MAX_FILE_BYTES:
        return _drop_delimiter(_decode(data))
    sheets = read_sheets(data, headings)
    listed = [rows for _name, rows in sheets if len(rows) > 1 and _find_headings(rows, headings) is not None]
    table_rows = dict((listed or [rows for _name, rows in sheets] or [[]])[0])
    written = io.StringIO()
    writer = csv.writer(written, delimiter=_DELIMITERS[0], lineterminator="\n")
    for number in range(1, max(table_rows, default=0) + 1):
        cells = table_rows.get(number, [])
        if listed:
            writer.writerow(cells)
        else:
            written.write(f"{_DELIMITERS[0]} ".join(filter(None, cells)) + "\n")
    return written.getvalue()


def split_lines(text: str) -> list[str]:
    """Return the lines of a list: nothing else ends one than what ends a row of CSV."""
    return _NEWLINE.split(text)


def split_rows(text: str, headings: Headings) -> list[tuple[int, str]]:
    """Return the rows of a list that have anything in them, each as it stands and by the number of its last line: a
    quoted cell may go over several. Unreadable gives the code of its refusal."""
    lines = split_lines(text)
    rows = _split_csv(text, headings, MAX_SHEET_ROWS)
    return [(numbers[-1], "\n".join(lines[number - 1] for number in numbers)) for numbers, _cells in rows]


def blank_rows(text: str, numbers: Collection[int], headings: Headings) -> str:
    """Return a list's text without these rows, whole; the others keep their places. Unreadable gives the code of its
    refusal."""
    rows = _split_csv(text, headings, MAX_SHEET_ROWS)
    blank = {number for lines, _cells in rows if lines[-1] in numbers for number in lines}
    lines = enumerate(split_lines(text.rstrip("\r\n")), start=1)
    return "\n".join("" if number in blank else line for number, line in lines)


def _find_headings(rows: Sequence[NumberedRow], headings: Headings) -> int | None:
    """Return the index of the row, one of a sheet's first, that heads a list; None where none does."""
    return next((index for index, row in enumerate(rows[:MAX_TITLE_ROWS]) if headings.is_list(row[1])), None)


def _find_on_sheet(name: str, rows: Sequence[NumberedRow], headings: Headings) -> Table | None:
    """Return the list of a sheet, None where no row has headings. Those that stand on each page count once."""
    head = _find_headings(rows, headings)
    if head is None:
        return None
    cells = rows[head][1]
    return Table(headings.find_columns(cells), [row for row in rows[head + 1 :] if row[1] != cells], name)


def _read_cell(value: object, max_chars: int) -> str:
    """Return a cell as text; of a formula, the formula itself."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return clean_line(str(value)[: 2 * max_chars])[:max_chars]


def _read_all(sheets: Iterable[tuple[str, Iterable[tuple[int, Sequence[object]]]]], bounds: Bounds) -> list[Sheet]:
    """Return the sheets of a workbook as text. Unreadable where one has a row below those that it may have."""
    read: list[Sheet] = []
    left = 2 * bounds.rows
    for name, rows in sheets:
        read.append((name, _read_rows(rows, bounds.chars, min(left, bounds.rows))))
        left -= len(read[-1][1])
        if read[-1][1] and read[-1][1][-1][0] > bounds.rows:
            raise Unreadable("too_many_rows")
    return read


def _read_rows(rows: Iterable[tuple[int, Sequence[object]]], max_chars: int, most: int) -> list[NumberedRow]:
    """Return the rows that have anything in them, as text. Unreadable for more than ``most``."""
    read: list[NumberedRow] = []
    before: Sequence[object] | None = None
    cells: list[str] = []
    for number, row in rows:
        if row is not before:  # what a workbook repeats or leaves out is one and the same row
            before, cells = row, [_read_cell(value, max_chars) for value in row[:MAX_COLUMNS]] if any(row) else []
        if any(cells):
            if len(read) == most:
                raise Unreadable("too_many_rows")
            read.append((number, cells))
    return read


def _find_delimiter(text: str, headings: Headings) -> str:
    """Return the delimiter that cuts the headings best; where no row has any, the one that is there most often."""
    first = list(islice((row for row in split_lines(text) if row.strip()), MAX_TITLE_ROWS))
    rated: list[tuple[int, int, str]] = []
    for delimiter in _DELIMITERS:
        rows = [row.split(delimiter) for row in first]
        named = [sum(headings.find_meaning(cell.strip(' "')) is not None for cell in row) for row in rows]
        most = max(named, default=0)
        cut = [len(row) - 1 for row, names in zip(rows, named, strict=True) if names == most]
        rated.append((most, max(cut, default=0) if most else sum(cut), delimiter))
    best, cuts, delimiter = max(rated, key=lambda rating: rating[:2])
    return delimiter if cuts or not best else _NO_DELIMITER


def _split_csv(text: str, headings: Headings, most: int) -> list[CsvRow]:
    """Return the rows of a text that have anything in them. Unreadable for more than ``most``, or what is no row.

    A quote that is never closed would take the rows after it into its cell: where one does, none counts.
    """
    text = _drop_delimiter(text)
    try:
        return _parse_rows(text, _find_delimiter(text, headings), most)
    except csv.Error as error:
        raise Unreadable("not_a_sheet") from error


def _parse_rows(text: str, delimiter: str, most: int) -> list[CsvRow]:
    rows = _parse_csv(text, delimiter, most)
    if any(len(lines) > 1 for lines, _cells in rows) or rows[-1][1] != [_LAST]:
        try:
            rows = _parse_csv(text, delimiter, most, strict=True)
        except csv.Error:
            bare = _parse_csv(text, delimiter, most, quoting=csv.QUOTE_NONE)
            rows = [(lines, list(map(_unwrap, cells))) for lines, cells in bare]
    return rows[:-1]


def _parse_csv(text: str, delimiter: str, most: int, **options: Any) -> list[CsvRow]:
    lines = (f"{line}\n" for line in (*split_lines(text), _LAST))
    reader = csv.reader(lines, delimiter=delimiter, **options)
    rows: list[CsvRow] = []
    before = 0
    for cells in reader:
        if "".join(cells).strip():
            if len(rows) > most:
                raise Unreadable("too_many_rows")
            rows.append((range(before + 1, reader.line_num + 1), cells))
        before = reader.line_num
    return rows


def _unwrap(cell: str) -> str:
    """Return a cell without the quotes that it stands in, or the one that is never closed."""
    if cell.count('"') == 1:
        return cell.replace('"', "")
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _drop_delimiter(text: str) -> str:
    """Return the text without the first row by which Excel is told the delimiter; the others keep their numbers."""
    first, *rest = _NEWLINE.split(text, maxsplit=1)
    return "\n".join(["", *rest]) if first.strip().casefold().startswith("sep=") else text


def _decode(data: bytes) -> str:
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
        break
    raise Unreadable("not_a_sheet")


def _read_workbook(data: bytes, bounds: Bounds) -> list[Sheet]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            _check_parts(parts)
            if "mimetype" in parts.namelist() and parts.read("mimetype").startswith(open_document.KIND):
                return _read_open_document(parts.read(open_document.CONTENT), bounds)
            if any(mark in content for content in map(parts.read, parts.infolist()) for mark in _MARKS):
                raise Unreadable("not_a_sheet")
        return _read_xlsx(data, bounds)
    except Unreadable:
        raise
    except open_document.TooManyRows as error:
        raise Unreadable("too_many_rows") from error
    except Exception as error:  # whatever a broken or hostile file makes the library stumble over
        raise Unreadable("not_a_sheet") from error


def _check_parts(parts: zipfile.ZipFile) -> None:
    """Refuse a file that unpacks to more than a list needs; no part is read beyond the size it declares."""
    infos = parts.infolist()
    if len(infos) > MAX_PARTS or sum(info.file_size for info in infos) > MAX_UNPACKED_BYTES:
        raise Unreadable("too_big")


def _read_open_document(content: bytes, bounds: Bounds) -> list[Sheet]:
    reader = open_document.OpenDocumentReader(
        sheets=MAX_SHEETS, rows=2 * bounds.rows, columns=MAX_COLUMNS, chars=2 * bounds.chars
    )
    reader.read(content)
    return _read_all(reader.sheets, bounds)


def _read_xlsx(data: bytes, bounds: Bounds) -> list[Sheet]:
    from openpyxl import load_workbook  # dear to import: no process pays for it at its start

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions that don't matter here
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        try:
            shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            if len(shown) > MAX_SHEETS:
                raise Unreadable("not_a_sheet")
            seen = count()
            return _read_all(((sheet.title, _list_values(sheet, seen)) for sheet in shown), bounds)
        finally:
            book.close()


def _list_values(sheet: Any, seen: Iterator[int]) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Yield the rows of a sheet of openpyxl's, each with its place. ``seen`` counts those of the whole workbook."""
    sheet.reset_dimensions()  # what the file says of its size may be anything
    rows = sheet.iter_rows(max_row=MAX_SHEET_HEIGHT, max_col=MAX_COLUMNS, values_only=True)
    for place, row in enumerate(rows, start=1):
        if next(seen) == MAX_SEEN_ROWS:
            raise Unreadable("too_many_rows")
        yield place, row
