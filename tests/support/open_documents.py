"""OpenDocument spreadsheets in tests, written by hand: what is in them may be anything."""

import io
import zipfile
from collections.abc import Mapping, Sequence

NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
MIMETYPE = "application/vnd.oasis.opendocument.spreadsheet"


def make_open_document(sheets: Mapping[str, Sequence[Sequence[str]]]) -> bytes:
    """A spreadsheet of these sheets of texts."""
    return wrap_sheets("".join(write_sheet(name, "".join(map(write_row, rows))) for name, rows in sheets.items()))


def write_sheet(name: str, rows: str) -> str:
    """The XML of a sheet."""
    return f'<table:table table:name="{name}"><table:table-column/>{rows}</table:table>'


def write_row(cells: Sequence[str], more: str = "") -> str:
    """The XML of a row; ``more``: its attributes."""
    texts = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in cells)
    return f"<table:table-row {more}>{texts}</table:table-row>"


def wrap_sheets(sheets: str, declared: str = '<?xml version="1.0" encoding="UTF-8"?>', code: str = "utf-8") -> bytes:
    """A file with the XML of its sheets, after what it declares."""
    body = f"<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body>"
    content = f"<office:document-content {NAMESPACES}>{body}</office:document-content>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", MIMETYPE, zipfile.ZIP_STORED)
        file.writestr("content.xml", declared.encode("ascii") + content.encode(code))
    return out.getvalue()
