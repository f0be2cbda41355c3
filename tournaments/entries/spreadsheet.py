"""Lists of players in a spreadsheet, CSV or XLSX, read into rows of plain text. It knows no player.

The file may be anything, from anybody: it is small, its unpacked content is small, no formula is computed, no link in
it is followed. A file that can't be read is refused with a code of ``UNREADABLE``.
"""

import csv
import io
import warnings
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from players.clean_text import clean_line

MAX_FILE_BYTES = 1024 * 1024
MAX_UNPACKED_BYTES = 8 * MAX_FILE_BYTES  # of all that an XLSX holds
MAX_PARTS = 200  # files inside an XLSX
MAX_ROWS = 5000
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
# Names of each column in the first row, without regard to case.
COLUMNS = {
    "player": ("giocatore", "giocatrice", "nome", "player", "name"),
    "partner": ("compagno", "compagna", "partner", "nome 2", "giocatore 2", "player 2", "name 2"),
    "seed": ("testa", "testa di serie", "teste di serie", "seed"),
    "team": ("squadra", "nome squadra", "team"),  # of teams (J11), as the two after it
    "third": ("nome 3", "giocatore 3", "player 3", "name 3"),
    "fourth": ("nome 4", "giocatore 4", "player 4", "name 4"),
}
_COLUMN_OF = {name: column for column, names in COLUMNS.items() for name in names}
_OLE = b"\xd0\xcf\x11\xe0"  # an Excel file of before 2007
# Never in a spreadsheet's XML, in any encoding: how XML is made to explode.
_MARKS = tuple(mark.encode(code) for mark in ("<!DOCTYPE", "<!ENTITY") for code in ("ascii", "utf-16-le", "utf-16-be"))
_DELIMITERS = ";,\t"


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


class Unreadable(Exception):
    """Refusal of a file: ``code`` is one of UNREADABLE."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_rows(data: bytes) -> list[Row]:
    """Return the rows of a file, without empty ones. Unreadable gives the code of its refusal."""
    return _name_cells(read_cells(data, _COLUMN_OF, MAX_CELL_CHARS))


def read_cells(data: bytes, headings: Collection[str], max_chars: int) -> Iterable[tuple[int, list[str]]]:
    """Return the rows of a file as cells of text, none longer than ``max_chars``, each with its place from 1.

    ``headings``: what its columns may be called, by which the delimiter is known. Unreadable gives the code of its
    refusal.
    """
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable("too_big")
    if data.startswith(_OLE):
        raise Unreadable("old_excel")
    return _read_xlsx(data, max_chars) if data.startswith(b"PK") else _read_csv(data, headings, max_chars)


def make_text(data: bytes) -> str:
    """Return what a file holds as text that reads the same, row by row, for who mends it by hand. Unreadable gives the
    code of its refusal."""
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable("too_big")
    if data.startswith(_OLE):
        raise Unreadable("old_excel")
    if not data.startswith(b"PK"):
        return _drop_delimiter(_decode(data))
    written = io.StringIO()
    rows = csv.writer(written, delimiter=_DELIMITERS[0], lineterminator="\n")
    for _number, cells in _read_xlsx(data, MAX_CELL_CHARS):
        rows.writerow(cells if any(cells) else [])
    return written.getvalue()


def _name_cells(rows: Iterable[tuple[int, Sequence[str]]]) -> list[Row]:
    """Return rows by the names of their columns, which the first row that isn't empty gives."""
    columns: dict[str, int] | None = None
    named: list[Row] = []
    for number, cells in rows:
        if not any(cells):
            continue
        if columns is None:
            columns = _find_columns(cells)
            continue
        values = {name: cells[index] if index < len(cells) else "" for name, index in columns.items()}
        if not any(values.values()):
            continue
        if len(named) == MAX_ROWS:
            raise Unreadable("too_many_rows")
        named.append(Row(number, **values))
    if columns is None or not named:
        raise Unreadable("no_rows")
    return named


def _find_columns(cells: Sequence[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for index, cell in enumerate(cells):
        column = _COLUMN_OF.get(cell.casefold())
        if column is None:  # a column of the organiser's own
            continue
        if column in columns:
            raise Unreadable("column_twice")
        columns[column] = index
    if "player" not in columns:
        raise Unreadable("no_player_column")
    return columns


def _read_cell(value: object, max_chars: int) -> str:
    """Return a cell as text; of a formula, the formula itself."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return clean_line(str(value)[: 2 * max_chars])[:max_chars]


def _read_csv(data: bytes, headings: Collection[str], max_chars: int) -> Iterator[tuple[int, list[str]]]:
    text = _drop_delimiter(_decode(data))
    first = text.strip().partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda char: _count_headers(first, char, headings))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for cells in reader:
            yield reader.line_num, [_read_cell(cell, max_chars) for cell in cells[:MAX_COLUMNS]]
    except csv.Error as error:
        raise Unreadable("not_a_sheet") from error


def _drop_delimiter(text: str) -> str:
    """Return the text without the first row by which Excel is told the delimiter; the others keep their numbers."""
    first, newline, rest = text.partition("\n")
    return newline + rest if first.strip().casefold().startswith("sep=") else text


def _count_headers(line: str, delimiter: str, headings: Collection[str]) -> int:
    """Return how many columns the first line names if this delimiter cuts it."""
    return sum(cell.strip().strip('"').strip().casefold() in headings for cell in line.split(delimiter))


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


def _read_xlsx(data: bytes, max_chars: int) -> list[tuple[int, list[str]]]:
    try:
        _check_parts(data)
        return _read_sheet(data, max_chars)
    except Unreadable:
        raise
    except Exception as error:  # whatever a broken or hostile file makes the library stumble over
        raise Unreadable("not_a_sheet") from error


def _check_parts(data: bytes) -> None:
    """Refuse a file that unpacks to more than a list needs; no part is read beyond the size it declares."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        infos = parts.infolist()
        if len(infos) > MAX_PARTS or sum(info.file_size for info in infos) > MAX_UNPACKED_BYTES:
            raise Unreadable("too_big")
        for info in infos:
            content = parts.read(info)
            if any(mark in content for mark in _MARKS):
                raise Unreadable("not_a_sheet")


def _read_sheet(data: bytes, max_chars: int) -> list[tuple[int, list[str]]]:
    from openpyxl import load_workbook  # dear to import: no process pays for it at its start

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions that don't matter here
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        try:
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # what the file says of its size may be anything
            rows = sheet.iter_rows(max_row=MAX_ROWS + 100, max_col=MAX_COLUMNS, values_only=True)
            numbered = [
                (number, [_read_cell(value, max_chars) for value in row]) for number, row in enumerate(rows, start=1)
            ]
        finally:
            book.close()
    return numbered
