"""File formats of sheets, for spreadsheets and programs, and of calendars. The contents are chosen elsewhere.

Nothing in a file is code for the program that opens it: no text begins a formula (OWASP's rule: a quote before = + - @,
in workbooks too, which people save as CSV), cells of a workbook are typed as text, and control characters were taken
out before.
"""

import csv
import io
from collections.abc import Iterable
from datetime import datetime

from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from tournaments.sharing.calendars import Happening
from tournaments.sharing.exports import Sheet

BOM = "\ufeff"  # without it spreadsheets read UTF-8 as something else
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
PRODUCT = "-//Smazzata//Tornei//IT"


def name_column(column: str) -> str:
    """Return the heading of a column; of people each apart, as lists that are read in have it (*Nome 2*)."""
    what, _mark, number = column.rpartition("_")
    if what in ("person", "club") and number.isdigit():
        return (_("Nome") if what == "person" else _("Circolo")) + (f" {number}" if number != "1" else "")
    return {
        "number": _("N."),
        "seed": _("Testa di serie"),
        "name": _("Nome"),
        "team": _("Squadra"),
        "list": _("Lista"),
        "pair": _("Coppia"),
        "kind": _("Tipo"),
        "outcome": _("Risposta"),
        "invited_at": _("Invitato"),
        "expires_at": _("Vale fino a"),
        "answered_at": _("Risposto"),
        "group": _("Gruppo"),
        "house": _("Casa"),
        "guest": _("Ospite"),
        "confirmed": _("Confermato"),
        "withdrawn": _("Ritirato"),
        "part": _("Tavolo dell'incontro (1 o 2)"),
        "games": _("Partite dell'incontro"),
        "people": _("Chi ne fa parte"),
        "first_people": _("Chi gioca per il primo"),
        "second_people": _("Chi gioca per il secondo"),
        "round": _("Turno"),
        "round_name": _("Nome del turno"),
        "board": _("Tavolo"),
        "first": _("Primo"),
        "second": _("Secondo"),
        "state": _("Stato"),
        "points_first": _("Punti del primo"),
        "points_second": _("Punti del secondo"),
        "cards_first": _("Carte del primo, in punti"),
        "cards_second": _("Carte del secondo, in punti"),
        "mp_first": _("MP del primo"),
        "mp_second": _("MP del secondo"),
        "vp_first": _("VP del primo"),
        "vp_second": _("VP del secondo"),
        "winner": _("Vince (0 il primo, 1 il secondo)"),
        "forfeit_by": _("Forfait (0 il primo, 1 il secondo)"),
        "double_forfeit": _("Forfait di entrambi"),
        "annulled": _("Annullata"),
        "decided_by": _("Decisa"),
        "match": _("Partita"),
        "wave": _("Ondata"),
        "hall_table": _("Tavolo della sala"),
        "group_rank": _("Posizione nel gruppo"),
        "rank": _("Posizione"),
        "overall": _("Posizione con la casa"),
        "out_of_competition": _("Fuori classifica"),
        "played": _("Giocate"),
        "won": _("Vinte"),
        "drawn": _("Patte"),
        "lost": _("Perse"),
        "mp": _("MP"),
        "vp": _("VP"),
        "percentage": _("Percentuale media"),
        "wins": _("Vinte, con mezza per ogni patta"),
        "why": _("Davanti al successivo per"),
        "total": _("Totale"),
        "counted": _("Risultati che contano"),
        "tournaments": _("Tornei giocati"),
        "tournament": _("Torneo (codice)"),
        "tournament_name": _("Torneo"),
        "place": _("Piazzamento"),
        "field": _("In gara"),
        "points": _("Punti"),
        "counts": _("Conta"),
        "play_off": _("Spareggio"),
        "card": _("Scheda"),
        "card_number": _("Tessera"),
        "level": _("Livello"),
        "birth_year": _("Anno di nascita"),
        "minor": _("Minore"),
        "contact": _("Contatto"),
        "notes": _("Annotazioni"),
    }[column]


def list_headings(sheet: Sheet) -> list[str]:
    """Return the headings of a sheet's columns."""
    return [sheet.headings.get(column) or name_column(column) for column in sheet.columns]


def _format_value(value: str | int | bool | None) -> str | int:
    """Return a value as a cell of any file; a text that would be read as a formula with a quote before it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("sì") if value else ""
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA) else value


def unquote(text: str) -> str:
    """Return a text as it was before a file of ours put a quote before it."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text


def write_csv(sheet: Sheet) -> bytes:
    """Return the sheet by RFC 4180 with a byte order mark; the first row names the columns."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(list_headings(sheet))
    writer.writerows([[_format_value(value) for value in row] for row in sheet.texts()])
    return (BOM + out.getvalue()).encode()


def write_workbook(sheet: Sheet, title: str) -> bytes:
    """Return an XLSX of one page; every text is typed as one, whatever it begins with."""
    from openpyxl import Workbook  # dear to import: no process pays for it at its start
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    page = book.create_sheet(title)
    page.freeze_panes = "A2"

    def cells(values: Iterable[str | int]) -> list[WriteOnlyCell]:
        written = []
        for value in values:
            cell = WriteOnlyCell(page, value=value)
            if isinstance(value, str):
                cell.data_type = "s"
            written.append(cell)
        return written

    page.append(cells(list_headings(sheet)))
    for row in sheet.texts():
        page.append(cells(_format_value(value) for value in row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def write_calendar(name: str, zone: str, happenings: Iterable[tuple[Happening, str, str]], now: datetime) -> bytes:
    """Return an .ics of these happenings, with the text and address of each. Hours are UTC; ``zone`` is the one a
    calendar may show them in."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", name)
    calendar.add("x-wr-timezone", zone)
    calendar.add("x-published-ttl", "PT1H")
    for happening, text, url in happenings:
        event = Event()
        event.add("uid", happening.uid)
        event.add("sequence", happening.sequence)
        event.add("dtstamp", now)
        event.add("dtstart", happening.starts)
        event.add("dtend", happening.ends)
        event.add("summary", happening.title)
        event.add("description", text)
        event.add("url", url)
        event.add("status", _name_status(happening))
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _name_status(happening: Happening) -> str:
    if happening.cancelled:
        return "CANCELLED"
    return "TENTATIVE" if happening.tentative else "CONFIRMED"
