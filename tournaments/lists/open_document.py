"""Sheets of an OpenDocument spreadsheet (.ods), read as plain text. It knows no player.

Its XML says once what is repeated, so that a few hundred bytes may stand for millions of cells, and what expands them
(python-calamine: 2.5 GB for 600 bytes) can't be bounded. Here nothing is expanded beyond the cells that are wanted, no
formula is computed, and a declaration of entities is refused in whatever encoding it stands.
"""

from xml.parsers import expat

TABLE, TEXT, OFFICE = (f"urn:oasis:names:tc:opendocument:xmlns:{what}:1.0 " for what in ("table", "text", "office"))
KIND = b"application/vnd.oasis.opendocument.spreadsheet"  # what its first part says of the file
CONTENT = "content.xml"
CELLS = frozenset({f"{TABLE}table-cell", f"{TABLE}covered-table-cell"})
SPACES = frozenset({f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"})
NumberedRow = tuple[int, list[str]]


class NoOpenDocument(ValueError):
    """Refusal of a content that is no spreadsheet's."""


class TooManyRows(ValueError):
    """Refusal of a content with more rows than are wanted."""


class OpenDocumentReader:
    """Reader of the sheets in a content: ``sheets`` has each one's name and rows, those with anything in them, each
    with its place from 1; ``rows`` of all together, more of which are refused; ``columns``, beyond which nothing is
    kept, ``chars`` of a cell."""

    def __init__(self, *, sheets: int, rows: int, columns: int, chars: int) -> None:
        self.sheets: list[tuple[str, list[NumberedRow]]] = []
        self._most_sheets, self._columns, self._chars = sheets, columns, chars
        self._rows_left = rows
        self._row: list[str] = []
        self._number = self._row_repeats = self._cell_repeats = 0
        self._cell: list[str] | None = None  # the texts of the cell that is being read
        self._value = ""
        self._paragraphs = self._notes = 0  # that are open

    def read(self, content: bytes) -> None:
        """Read the whole content. NoOpenDocument for what is none, TooManyRows for what has more than are wanted."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._take_text
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            raise NoOpenDocument(str(error)) from error

    def _refuse(self, *_declared: object) -> None:
        raise NoOpenDocument("it declares what may be entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == f"{TABLE}table":
            self.sheets.append((attributes.get(f"{TABLE}name", ""), []))
            self._number = 0
            if len(self.sheets) > self._most_sheets:
                raise NoOpenDocument("too many sheets")
        elif name == f"{TABLE}table-row":
            self._row, self._row_repeats = [], _read_repeats(attributes, "number-rows-repeated")
        elif name in CELLS and self._cell is None:
            self._cell, self._cell_repeats = [], _read_repeats(attributes, "number-columns-repeated")
            self._value = attributes.get(f"{OFFICE}value", "")
        elif name == f"{OFFICE}annotation":
            self._notes += 1
        elif name == f"{TEXT}p":
            self._paragraphs += 1
            self._take_text(" ")
        elif name in SPACES:
            self._take_text(" ")

    def _take_text(self, text: str) -> None:
        if self._cell is not None and self._paragraphs and not self._notes:
            self._cell.append(text)

    def _end(self, name: str) -> None:
        if name == f"{TEXT}p":
            self._paragraphs -= 1
        elif name == f"{OFFICE}annotation":
            self._notes -= 1
        elif name in CELLS and self._cell is not None and not self._notes:
            text = "".join(self._cell).strip()[: self._chars] or self._value[: self._chars]
            self._row += [text] * min(self._cell_repeats, self._columns - len(self._row))
            self._cell = None
        elif name == f"{TABLE}table-row" and self.sheets:
            self._keep_row()

    def _keep_row(self) -> None:
        first, self._number = self._number + 1, self._number + self._row_repeats
        if any(self._row):
            self._rows_left -= self._row_repeats
            if self._rows_left < 0:
                raise TooManyRows(self._number)
            self.sheets[-1][1].extend((number, self._row) for number in range(first, self._number + 1))


def _read_repeats(attributes: dict[str, str], name: str) -> int:
    typed = attributes.get(TABLE + name, "1")
    return int(typed) if typed.isdecimal() and len(typed) < 10 else 1
