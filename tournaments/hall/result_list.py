"""Lists of results at real tables (O4c): a file, or pasted text, whose rows name a fixture and its points.

Its columns are those of the exported fixtures, so that what was downloaded can be filled in and brought back. All rows
are entered or none, each by the acts of quick entry; a row without points says nothing, and a result that is in already
is left as it is. Where some are wrong, the others are a list of their own. Every row is checked before anything is
locked, and what follows from the results is recomputed once, after the last one (AT11).
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.db.models import Max
from django.http import QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.engine.scores import LAST_TIE_BREAK, LAST_TRICK
from players.models import Player
from players.web.requests import read_number
from tournaments.core import wording
from tournaments.core.errors import TournamentError
from tournaments.core.result import FORFEIT, FixtureResult
from tournaments.core.rows import FixtureRow
from tournaments.desk.act import compute_stamp
from tournaments.desk.game_fields import write_games
from tournaments.desk.results import recompute_after, require_possible
from tournaments.entries.fixed_tables import MAX_TABLES
from tournaments.hall.quick_entry import make_quick_form, read_quick_fixture
from tournaments.hall.quick_forms import BOTH, QuickForm
from tournaments.hall.typed_results import enter_typed_result
from tournaments.lists.spreadsheet import Bounds, Headings, Unreadable, read_table
from tournaments.models import Fixture, Tournament
from tournaments.querysets import FixtureQuerySet

MAX_RESULTS = 300  # rows with points in one list: each is an act of its own
MAX_ROUNDS = 63  # of as many entries as fill the tables
BOUNDS = Bounds(chars=120, rows=MAX_TABLES * MAX_ROUNDS, size=4 * 1024 * 1024)  # of the biggest tournament's fixtures
COLUMNS = {  # what a column may be called, without regard to case; the first in each language is the export's
    "round": ("turno", "round"),
    "wave": ("ondata", "wave"),
    "table": ("tavolo della sala", "table in the hall"),
    "board": ("tavolo", "table"),  # the real table, where there is no column of that name
    "points_0": ("punti del primo", "points of the first", "punti 1", "points 1"),
    "points_1": ("punti del secondo", "points of the second", "punti 2", "points 2"),
    "games": ("partite dell'incontro", "games", "partite"),
    "winner": ("vince (0 il primo, 1 il secondo)", "winner (0 the first, 1 the second)", "vince", "winner"),
    "forfeit": ("forfait (0 il primo, 1 il secondo)", "forfeit (0 the first, 1 the second)", "forfait", "forfeit"),
    "both": ("forfait di entrambi", "forfeit by both"),
    "decided": ("decisa", "decided"),
    "first": ("primo", "first"),
    "second": ("secondo", "second"),
}
HEADINGS = Headings(
    {name: column for column, names in COLUMNS.items() for name in names},
    ({"table", "points_0", "points_1"}, {"board", "points_0", "points_1"}),
    "no_result_columns",
)
YES, NO = {"sì", "si", "s", "yes", "y", "x", "1", "true", "vero"}, {"no", "n", "0", "false", "falso", "-"}
_FIELD_COLUMNS = {
    "games": "games",
    "points_0": "points_0",
    "points_1": "points_1",
    "points": "points",
    "how": "decided",
}


@dataclass(frozen=True, slots=True)
class ListedResult:
    """Row of a list as it was typed, by column. ``number``: its place in the file, from 1."""

    number: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ResultFault:
    """Fault of a row: place, code and how to mend it. ``column``: of COLUMNS, "points" for both, "" for the row."""

    number: int
    column: str
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class EnteredList:
    """Outcome of a list: how many results came in, how many were in already, or what is wrong with it."""

    entered: int
    repeats: int
    faults: tuple[ResultFault, ...]


ValidRow = tuple[ListedResult, tuple[Fixture, FixtureRow], QuickForm]


def read_list(data: bytes) -> list[ListedResult]:
    """Return the rows that say something. Unreadable gives the code of a list's refusal."""
    rows: list[ListedResult] = []
    table = read_table(data, HEADINGS, BOUNDS)
    if not table.columns.keys() & {"table"}:
        table.columns["table"] = table.columns["board"]
    for number, row in table.list_records():
        if row.get("both", "").casefold() in NO:
            row["both"] = ""
        if any(row.get(name) for name in ("points_0", "points_1", "games", "forfeit", "both")):
            rows.append(ListedResult(number, row))
        if len(rows) > MAX_RESULTS:
            raise Unreadable("too_many_results")
    if not rows:
        raise Unreadable("no_results")
    return rows


def write_list(rows: Sequence[ListedResult]) -> str:
    """Return rows of a list as a list again, without the columns that say nothing to ``read_list``; empty for none."""
    if not rows:
        return ""
    used = {name for row in rows for name in row.cells} - {"board"}  # "table" says it
    columns = [name for name in COLUMNS if name in used]
    language = 0 if get_language() == "it" else 1
    written = io.StringIO()
    writer = csv.DictWriter(written, columns, extrasaction="ignore", delimiter=";", lineterminator="\n")
    writer.writerow({name: COLUMNS[name][language] for name in columns})
    writer.writerows(row.cells for row in rows)
    return written.getvalue()


def enter_list(*, tournament: Tournament, rows: Sequence[ListedResult], by: Player, now: datetime) -> EnteredList:
    """Enter all the results of a list, or none if anything is wrong with it."""
    faults: list[ResultFault] = []
    valid, repeats = _check_rows(tournament, rows, (by, now), faults)
    if faults:
        return EnteredList(0, 0, tuple(faults))
    later: list[Fixture] = []  # entered, and not recomputed yet
    with transaction.atomic():
        for row, at, form in valid:
            try:
                with transaction.atomic():
                    enter_typed_result(tournament, at, form, by, now, later)
            except TournamentError as refusal:  # something has changed since it was read
                form.refuse(refusal, "")
                faults += _list_faults(row, form)
        if faults:
            transaction.set_rollback(True)
        elif later:
            recompute_after(tournament, now, later)
    return EnteredList(0, 0, tuple(faults)) if faults else EnteredList(len(valid), repeats, ())


def _check_rows(
    tournament: Tournament, rows: Sequence[ListedResult], doing: tuple[Player, datetime], faults: list[ResultFault]
) -> tuple[list[ValidRow], int]:
    """Return the rows whose results can be entered, and how many are in already; the others add to ``faults``."""
    valid: list[ValidRow] = []
    repeats = 0
    seen: dict[int, int] = {}
    doubled: set[int] = set()
    seated = Fixture.objects.with_results().of(tournament).filter(table__isnull=False)
    last = seated.aggregate(last=Max("round__number"))["last"] or 0
    for row in rows:
        fixture = _find_fixture(seated, last, row, faults)
        if fixture is None:
            continue
        if fixture.pk in seen:
            why = _("Questo incontro c'è già nella riga %(row)d.") % {"row": seen[fixture.pk]}
            faults.append(ResultFault(row.number, "table", "twice", why))
            doubled.add(fixture.pk)
            continue
        seen[fixture.pk] = row.number
        if _is_known(fixture, row):
            repeats += 1
            continue
        checked = _check_row(tournament, fixture, row, doing, faults)
        if checked is not None:
            valid.append(checked)
    for row, (fixture, _row), _form in valid:
        if fixture.pk in doubled:  # which of the two is right, nobody here knows
            why = _("Questo incontro c'è anche in un'altra riga.")
            faults.append(ResultFault(row.number, "table", "twice", why))
    faults.sort(key=lambda fault: fault.number)
    return valid, repeats


def _find_fixture(seated: FixtureQuerySet, last: int, row: ListedResult, faults: list[ResultFault]) -> Fixture | None:
    """Return the fixture that a row names by round (else the ``last``), wave and table; None, with a fault, where there
    is none."""
    numbers = {}
    for column, usual in (("round", last), ("wave", 1), ("table", 0)):
        typed = row.cells.get(column, "")
        numbers[column] = read_number(typed, 0) if typed else usual
        if not numbers[column]:
            why = _("Scrivi un numero.") if typed else _("Manca il numero del tavolo.")
            faults.append(ResultFault(row.number, column, "no_number", why))
            return None
    fixture = seated.filter(
        round__number=numbers["round"], wave=numbers["wave"], table=numbers["table"], second__isnull=False
    ).first()
    if fixture is None:
        why = _("A questo tavolo, in questo turno, non gioca nessuno.")
        faults.append(ResultFault(row.number, "table", "no_such_table", why))
    return fixture


def _is_known(fixture: Fixture, row: ListedResult) -> bool:
    """Tell if the fixture has this very result already."""
    if fixture.state != Fixture.State.DONE:
        return False
    forfeits = {"0": 0, "1": 1}.get(row.cells.get("forfeit", ""))
    same = fixture.forfeit_by == forfeits and fixture.double_forfeit == bool(row.cells.get("both"))
    typed = [row.cells[f"points_{side}"] for side in (0, 1)]
    held = ["" if points is None else str(points) for points in (fixture.points_0, fixture.points_1)]
    winner = row.cells.get("winner", "")
    if row.cells.get("games"):
        return same and row.cells["games"] == write_games(FixtureResult.from_fixture(fixture).games)
    return same and typed == held and winner in ("", str(fixture.winner))


def _check_row(
    tournament: Tournament,
    fixture: Fixture,
    row: ListedResult,
    doing: tuple[Player, datetime],
    faults: list[ResultFault],
) -> ValidRow | None:
    """Return what quick entry would enter of a row; None, with its faults, where it would be refused."""
    by, now = doing
    at = read_quick_fixture(tournament, by, fixture.pk)
    assert at is not None
    if at[1].state != Fixture.State.READY or at[1].mine:
        own = at[1].mine
        why = (
            _("Ci giochi tu: questo risultato lo scrive un altro arbitro.")
            if own
            else _("Ha già un altro risultato, %(score)s: si corregge sulla pagina dell'incontro.")
            % {"score": f"{fixture.points_0}–{fixture.points_1}"}
        )
        faults.append(ResultFault(row.number, "", "plays_there" if own else "in_already", why))
        return None
    strangers = _list_strangers(at[1], row)
    if strangers:
        faults += strangers
        return None
    if row.cells.get("both", "").casefold() not in {"", *YES}:
        faults.append(ResultFault(row.number, "both", "no_yes", _("Scrivi sì o no.")))
        return None
    data = QueryDict(mutable=True)
    data.update({"fixture": str(fixture.pk), "stamp": compute_stamp(fixture)})
    data.update({f"points_{side}": row.cells[f"points_{side}"] for side in (0, 1)})
    data["games"] = _find_games(row)
    form = make_quick_form(*at, data)
    data["how"] = _find_way(form, row)
    winner = None
    if form.is_valid() and not form.list_forfeits():
        try:
            winner = require_possible(tournament, at[0], form.make_decision(), now).winner
        except TournamentError as refusal:
            form.refuse(refusal, "")
    if form.is_valid():
        if not _contradicts_winner(row, form, winner):
            return row, at, form
        why = _("Così non vince chi è scritto qui.")
        faults.append(ResultFault(row.number, "winner", "other_winner", why))
        return None
    faults += _list_faults(row, form)
    return None


def _find_games(row: ListedResult) -> str:
    """Return the games of a row as quick entry takes them (EV1): those that it has, or how many each side won."""
    if row.cells.get("games"):
        return row.cells["games"]
    won = [row.cells[f"points_{side}"] for side in (0, 1)]
    return "-".join(won) if any(number.strip("0") for number in won) else ""  # nothing was played, before a forfeit


def _list_strangers(fixture: FixtureRow, row: ListedResult) -> list[ResultFault]:
    """Return a fault for each side that a row calls by a name of which no word is in that of who plays there: the list
    is of another round or evening, or has the sides the other way round. A surname alone is enough."""
    strangers = []
    for column, entry in (("first", fixture.first), ("second", fixture.second)):
        typed, name = _split_name(row.cells.get(column, "")), "" if entry is None else entry.name
        if typed and not typed & _split_name(name):
            why = _("Qui gioca %(name)s.") % {"name": name}
            strangers.append(ResultFault(row.number, column, "other_name", why))
    return strangers


def _split_name(name: str) -> set[str]:
    """Return the words of a name that tell people apart: those of more than one letter, or all if there are none."""
    words = re.findall(r"\w+", name.casefold())
    return {word for word in words if len(word) > 1} or set(words)


def _contradicts_winner(row: ListedResult, form: QuickForm, winner: int | None) -> bool:
    """Tell if a row says that another side wins than the ``winner`` its points give, or its forfeits."""
    typed, forfeits = row.cells.get("winner", ""), form.list_forfeits()
    if not typed:
        return False
    if not forfeits:
        return typed != str(winner)
    return len(forfeits) == 2 or typed != str(1 - forfeits[0])


def _list_faults(row: ListedResult, form: QuickForm) -> list[ResultFault]:
    """Return what a form says is wrong with a row."""
    faults = []
    for field, errors in form.errors.as_data().items():
        for error in errors:
            about = "points" if field == NON_FIELD_ERRORS and (error.code or "").startswith("points_") else field
            column = _FIELD_COLUMNS.get(about, "")
            why = _("Qui non può essere.") if field == "how" else " ".join(error.messages)
            faults.append(ResultFault(row.number, column, error.code or "invalid", why))
    return faults


def _find_way(form: QuickForm, row: ListedResult) -> str:
    """Return how a row says its match was decided, as ``QuickForm.how`` has it: empty for the points alone.

    Where the points are level and the last trick decides, the winner alone says it.
    """
    if row.cells.get("both"):
        return BOTH
    if side := row.cells.get("forfeit", ""):
        return f"{side}:{FORFEIT}"
    winner, decided = row.cells.get("winner", ""), row.cells.get("decided", "").casefold()
    level = row.cells["points_0"] == row.cells["points_1"] and not decided
    for way in form.ways:
        side, _colon, code = way.partition(":")
        names = (code, wording.describe_decision(code).casefold())
        if side == winner and (decided in names or (level and code in (LAST_TRICK, LAST_TIE_BREAK))):
            return way
    return ""
