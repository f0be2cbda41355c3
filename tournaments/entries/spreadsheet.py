"""A list of players as a spreadsheet gives it: CSV or XLSX, read into rows of plain text. It knows no player.

The file may be anything, from anybody: it is small, what it unpacks to is small, no formula is computed, nothing in it
is followed. What can't be read is refused by one code of ``UNREADABLE``, with the row where there is one.
"""

import csv
import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from players.clean_text import clean_line

LARGEST = 1024 * 1024  # bytes of a file
UNPACKED = 8 * LARGEST  # bytes of all that an XLSX holds
PARTS = 200  # files inside an XLSX
MOST_ROWS = 5000
MOST_COLUMNS = 30
LONGEST_CELL = 80  # characters: longer than any name, kept so that a problem can be shown
UNREADABLE = frozenset(
    {"too_big", "not_a_sheet", "old_excel", "too_many_rows", "no_player_column", "column_twice", "no_rows"}
)
# What the first row may call each column, without regard to case.
COLUMNS = {
    "player": ("giocatore", "giocatrice", "nome", "player", "name"),
    "partner": ("compagno", "compagna", "partner"),
    "seed": ("testa", "testa di serie", "teste di serie", "seed"),
}
_COLUMN_OF = {name: column for column, names in COLUMNS.items() for name in names}
_OLE = b"\xd0\xcf\x11\xe0"  # an Excel file of before 2007
# Never in a spreadsheet's XML, in any encoding: how XML is made to explode.
_MARKS = tuple(mark.encode(code) for mark in ("<!DOCTYPE", "<!ENTITY") for code in ("ascii", "utf-16-le", "utf-16-be"))
_DELIMITERS = ";,\t"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list as it was typed. ``number``: its row in the file, the first being 1."""

    number: int
    player: str
    partner: str = ""
    seed: str = ""


class Unreadable(Exception):
    """``code`` is one of UNREADABLE."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_rows(data: bytes) -> list[Row]:
    """The rows of a file, without those that are empty. Unreadable says in one code what is wrong with it."""
    if len(data) > LARGEST:
        raise Unreadable("too_big")
    if data.startswith(_OLE):
        raise Unreadable("old_excel")
    rows = _from_xlsx(data) if data.startswith(b"PK") else _from_csv(data)
    return _named(rows)


def _named(rows: Iterable[tuple[int, Sequence[str]]]) -> list[Row]:
    """Rows by the names of their columns: the first that isn't empty says what they are."""
    columns: dict[str, int] | None = None
    found: list[Row] = []
    for number, cells in rows:
        if not any(cells):
            continue
        if columns is None:
            columns = _columns(cells)
            continue
        here = {name: cells[index] if index < len(cells) else "" for name, index in columns.items()}
        if not any(here.values()):
            continue
        if len(found) == MOST_ROWS:
            raise Unreadable("too_many_rows")
        found.append(Row(number, **here))
    if columns is None or not found:
        raise Unreadable("no_rows")
    return found


def _columns(cells: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, cell in enumerate(cells):
        column = _COLUMN_OF.get(cell.casefold())
        if column is None:  # a column of the organiser's own
            continue
        if column in found:
            raise Unreadable("column_twice")
        found[column] = index
    if "player" not in found:
        raise Unreadable("no_player_column")
    return found


def _text(value: object) -> str:
    """A cell as text. A formula is what stands in it."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return clean_line(str(value)[: 2 * LONGEST_CELL])[:LONGEST_CELL]


def _from_csv(data: bytes) -> Iterator[tuple[int, list[str]]]:
    text = _decoded(data)
    if "\0" in text:
        raise Unreadable("not_a_sheet")
    first, _newline, rest = text.partition("\n")
    if first.strip().casefold().startswith("sep="):  # how Excel is told the delimiter
        text = "\n" + rest
        first = rest.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda each: _headers(first, each))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for cells in reader:
            yield reader.line_num, [_text(cell) for cell in cells[:MOST_COLUMNS]]
    except csv.Error as error:
        raise Unreadable("not_a_sheet") from error


def _headers(line: str, delimiter: str) -> int:
    """How many columns the first line names if it is cut here."""
    return sum(cell.strip().strip('"').strip().casefold() in _COLUMN_OF for cell in line.split(delimiter))


def _decoded(data: bytes) -> str:
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Unreadable("not_a_sheet")


def _from_xlsx(data: bytes) -> list[tuple[int, list[str]]]:
    try:
        _check_parts(data)
        return _cells(data)
    except Unreadable:
        raise
    except Exception as error:  # whatever a broken or hostile file makes the library stumble over
        raise Unreadable("not_a_sheet") from error


def _check_parts(data: bytes) -> None:
    """Refuse what unpacks to more than a list needs; a part is never read beyond the size it says it has."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        infos = parts.infolist()
        if len(infos) > PARTS or sum(info.file_size for info in infos) > UNPACKED:
            raise Unreadable("too_big")
        for info in infos:
            content = parts.read(info)
            if any(mark in content for mark in _MARKS):
                raise Unreadable("not_a_sheet")


def _cells(data: bytes) -> list[tuple[int, list[str]]]:
    from openpyxl import load_workbook  # dear to import: no process pays for it at its start

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions that don't matter here
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what the file says of its size may be anything
            rows = sheet.iter_rows(max_row=MOST_ROWS + 100, max_col=MOST_COLUMNS, values_only=True)
            found = [(number, [_text(value) for value in row]) for number, row in enumerate(rows, start=1)]
        finally:
            book.close()
    return found
