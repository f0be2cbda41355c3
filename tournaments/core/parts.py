"""The part of a big tournament that a page shows, as its address asks for it: a round, a page of a list, a name."""

from collections.abc import Sequence

from django.http import HttpRequest

from players.clean_text import clean_line
from players.names import MAX_NAME_CHARACTERS
from players.web.requests import read_number
from tournaments.core.rows import ListPage, PageRequest, RoundRow

MOST_ENTRIES = 128  # of a bracket that is drawn whole, and of a list of who is entered
MAX_NUMBER_DIGITS = 5


def page_request(request: HttpRequest) -> PageRequest:
    """Return which part is asked for: ``turno``, ``pagina`` of its fixtures (of whoever is entered, before the draw),
    ``nome``: only entries of players with that in their name."""
    asked = {name: read_address_number(request, name) for name in ("turno", "pagina")}
    name = clean_line(request.GET.get("nome", ""))[:MAX_NAME_CHARACTERS]
    return PageRequest(asked["turno"], asked["pagina"] or 1, name)


def read_address_number(request: HttpRequest, name: str) -> int | None:
    """Return a number of the address; None where it is none."""
    return read_number(request.GET.get(name, ""), None, digits=MAX_NUMBER_DIGITS)


def choose_round(rounds: Sequence[RoundRow], wanted: PageRequest) -> RoundRow:
    """Return the round asked for, else the one that is being played, else the last."""
    asked = next((row for row in rounds if row.number == wanted.turn), None)
    return asked or next((row for row in rounds if not row.finished), rounds[-1])


def cut_sheet(total: int, size: int, wanted: PageRequest) -> tuple[ListPage, slice]:
    """Return the page of that number, or the nearest there is, of a list of ``total`` rows."""
    count = max(1, -(-total // size))
    number = min(max(1, wanted.number), count)
    return ListPage(number, count, total, wanted.name), slice((number - 1) * size, number * size)
