"""Rows of quick entry (O4): the fixtures at real tables whose results are typed now, one after the other.

Of a large hall a part is read: the tables around the one that is typed next, or of whoever is looked for. It reads; the
results are entered by ``results``, as everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, QueryDict

from players.clean_text import clean_line
from players.models import Player
from players.names import MAX_NAME_CHARACTERS
from tournaments.core.game_terms import GamesTerms, find_fixture_terms
from tournaments.core.log_details import LoggedResult
from tournaments.core.name_search import search_entries
from tournaments.core.parts import cut_sheet, read_address_number
from tournaments.core.permissions import may_run
from tournaments.core.reads import group_line_ups, make_fixture_row, read_entries, read_fixture_row
from tournaments.core.result_wording import describe_result
from tournaments.core.rows import FixtureRow, ListPage, PageRequest
from tournaments.core.wording import name_round
from tournaments.desk.act import compute_stamp
from tournaments.hall.own_results import read_own_typed
from tournaments.hall.phone_forms import CodeForm
from tournaments.hall.phone_results import TypedResult, compute_seen, is_typed_at_desk, read_typed
from tournaments.hall.quick_forms import GamesQuickForm, QuickForm
from tournaments.models import Fixture, LineUp, ScoreSlip, Tournament
from tournaments.querysets import FixtureQuerySet

AT_ONCE = 40  # tables of a sheet
MOST_SHEETS = 3  # of a page that goes on as it is typed


@dataclass(frozen=True, slots=True)
class OwnTyped:
    """Result that the reader typed of their own match (O13), in words; it waits for the other side's code."""

    words: str
    seen: str
    code: CodeForm


@dataclass(frozen=True, slots=True)
class TypedWords:
    """Result that a side typed and that isn't in yet, in words (O4): on its telephone, or ``at_desk`` (O13)."""

    side: str
    words: str
    at_desk: bool


@dataclass(frozen=True, slots=True)
class QuickRow:
    """A fixture with its form, None where its result is in, or where the reader plays and doesn't organise (F1).
    ``refused``: why what was typed there wasn't taken, where there is no form to say so. ``slip``: what came by
    telephone, and ``typed`` in words. ``own``: what waits of the reader's own match."""

    fixture: FixtureRow
    form: QuickForm | None
    refused: tuple[str, ...] = ()
    slip: ScoreSlip | None = None
    own: OwnTyped | None = None
    typed: tuple[TypedWords, ...] = ()

    @property
    def is_open(self) -> bool:
        """Tell if its result is to be typed next."""
        return self.form is not None and self.own is None


@dataclass(frozen=True, slots=True)
class QuickPart:
    """Part of a large hall that is asked for (O4, D5): the sheets from ``number`` to ``last``, else that of the fixture
    ``around``, of a ``table``, or of the first result missing after the fixture ``after``; all of it of entries with
    ``name`` in theirs."""

    number: int | None = None
    last: int | None = None
    after: int = 0
    table: int = 0
    name: str = ""
    around: int = 0

    @classmethod
    def of(cls, request: HttpRequest) -> "QuickPart":
        """Read what the address of a page asks for."""
        asked = {name: read_address_number(request, name) for name in ("pagina", "fino", "dopo", "tavolo")}
        name = clean_line(request.GET.get("nome", ""))[:MAX_NAME_CHARACTERS]
        return cls(asked["pagina"], asked["fino"], asked["dopo"] or 0, asked["tavolo"] or 0, name)


@dataclass(frozen=True, slots=True)
class QuickPage:
    """The rows in the order of waves and tables; ``next_id``: the fixture to be typed next, None once all are in.

    ``sheet``: the first of the list's sheets that are read, ``last`` the last of them; ``missing``: results that the
    whole list still waits for.
    """

    rows: tuple[QuickRow, ...]
    next_id: int | None
    round_name: str  # where all rows are of one
    sheet: ListPage
    last: int
    missing: int

    @property
    def games_form(self) -> GamesQuickForm | None:
        """The form of a fixture of several games that is to be typed (EV1): how that is done stands above the rows."""
        forms = (row.form for row in self.rows if isinstance(row.form, GamesQuickForm))
        return next(forms, None)


def has_quick_entry(tournament: Tournament) -> bool:
    """Tell if results are typed in quick entry: at real tables, or of fixtures that were taken to one (O1)."""
    if tournament.drawn_at is None:
        return False
    return tournament.venue.types_results or Fixture.objects.of(tournament).filter(moved=True).exists()


def is_all_in(tournament: Tournament) -> bool:
    """Tell if every fixture at a real table has its result."""
    seated = Fixture.objects.of(tournament).at_real_tables()
    return seated.exists() and not seated.open().exists()


def read_quick_page(tournament: Tournament, player: Player, wanted: QuickPart | None = None) -> QuickPage:
    """Return the rounds that are being played, of which the last stays when it is over, or a part of them.

    The next one to be typed is that of the table that is asked for, else the first after the fixture that is.
    """
    wanted = wanted or QuickPart()
    fixtures = list(_select_current(tournament, wanted.name))
    sheet, cut = cut_sheet(len(fixtures), AT_ONCE, PageRequest(None, _find_sheet(fixtures, wanted), wanted.name))
    last = min(max(sheet.number, wanted.last or 0), sheet.pages, sheet.number + MOST_SHEETS - 1)
    shown = fixtures[cut.start : last * AT_ONCE]
    rows = tuple(make_quick_row(fixture, row, player) for fixture, row in _read_rows(shown, tournament, player))
    names = {name_round(fixture.round.name, fixture.round.number) for fixture in fixtures}
    open_ids = [row.fixture.id for row in rows if row.is_open]
    at_table = [row.fixture.id for row in rows if row.is_open and row.fixture.hall_table == wanted.table]
    order = [row.fixture.id for row in rows]
    later = order[order.index(wanted.after) + 1 :] if wanted.after in order else []
    following = [pk for pk in later if pk in open_ids]
    return QuickPage(
        rows=rows,
        next_id=next(iter([*at_table, *following, *open_ids]), None),
        round_name=names.pop() if len(names) == 1 else "",
        sheet=sheet,
        last=last,
        missing=sum(fixture.state in Fixture.OPEN for fixture in fixtures),
    )


def _find_sheet(fixtures: Sequence[Fixture], wanted: QuickPart) -> int:
    """Return the number of the sheet that is asked for, else that of the result to be typed next."""
    if wanted.number is not None:
        return wanted.number
    ids = [fixture.pk for fixture in fixtures]
    if wanted.around in ids:
        return ids.index(wanted.around) // AT_ONCE + 1
    start = ids.index(wanted.after) + 1 if wanted.after in ids else 0
    at_table = [place for place, fixture in enumerate(fixtures) if fixture.table == wanted.table]
    missing = [place for place, fixture in enumerate(fixtures) if fixture.state == Fixture.State.READY]
    first = [place for place in missing if fixtures[place].table == wanted.table]
    later = [place for place in missing if place >= start]
    return next(iter([*first, *at_table, *later, *missing]), 0) // AT_ONCE + 1


def needs_address(request: HttpRequest, page: QuickPage) -> bool:
    """Tell if a part is shown whose address has to name it: what is asked for again must not be another one."""
    return request.method in ("GET", "HEAD") and page.sheet.pages > 1 and not request.GET.get("pagina")


def write_address(request: HttpRequest, page: QuickPage) -> str:
    """Return the address of the part that a page shows, with all else that was asked for."""
    asked = request.GET.copy()
    asked["pagina"] = str(page.sheet.number)
    return f"{request.path}?{asked.urlencode()}"


def list_calling(tournament: Tournament, player: Player) -> list[QuickRow]:
    """Return the fixtures whose telephones call the referee (O4)."""
    calling = _list_seated(tournament).filter(slip__isnull=False).exclude(slip__called="")
    rows = _read_rows(list(calling), tournament, player) if calling else []
    return [QuickRow(row, None, slip=fixture.slip, typed=list_typed(fixture, row)) for fixture, row in rows]


def read_quick_fixture(tournament: Tournament, player: Player, fixture_id: int) -> tuple[Fixture, FixtureRow] | None:
    """Return a fixture with its row as it is now; None for one without a real table."""
    fixture = _list_seated(tournament).filter(pk=fixture_id).first()
    return None if fixture is None else (fixture, read_fixture_row(fixture, player))


def _select_current(tournament: Tournament, name: str) -> FixtureQuerySet:
    """Select the fixtures of the rounds that are being played, or of the last: of entries with the name in theirs."""
    seated = _list_seated(tournament)
    numbers = set(seated.open().values_list("round__number", flat=True)) or {
        max(seated.values_list("round__number", flat=True), default=0)
    }
    current = seated.filter(round__number__in=numbers)
    if not name:
        return current
    named = search_entries(tournament, name)[0].values("pk")
    return current.filter(Q(first__in=named) | Q(second__in=named))


def _read_rows(fixtures: Sequence[Fixture], tournament: Tournament, player: Player) -> list[tuple[Fixture, FixtureRow]]:
    """Return these fixtures with their rows."""
    by_id = read_entries(tournament)
    line_ups = group_line_ups(LineUp.objects.filter(fixture__in=fixtures))
    return [(fixture, make_fixture_row(fixture, by_id, line_ups, player)) for fixture in fixtures]


def _list_seated(tournament: Tournament) -> FixtureQuerySet:
    """Return the fixtures at real tables, in the order of waves and tables."""
    seated = Fixture.objects.of(tournament).at_real_tables()
    related = seated.select_related("round__tournament", "match", "first", "slip")
    return related.order_by("round__number", "wave", "table", "board")


def make_quick_row(fixture: Fixture, row: FixtureRow, player: Player) -> QuickRow:
    """Return the row of a fixture as it is now."""
    form = make_quick_form(fixture, row) if takes_result(fixture, row, player) else None
    own = _read_own(fixture, row, player) if form is not None and row.mine else None
    return QuickRow(row, form, slip=getattr(fixture, "slip", None), own=own, typed=list_typed(fixture, row))


def list_typed(fixture: Fixture, row: FixtureRow) -> tuple[TypedWords, ...]:
    """Return what both sides typed, which hasn't entered yet; nothing to whoever plays there (F1)."""
    slip = getattr(fixture, "slip", None)
    if slip is None or row.state != Fixture.State.READY or row.mine or row.first is None or row.second is None:
        return ()
    names = (row.first.name, row.second.name)
    sides = [(number, name, read_typed(slip, number)) for number, name in enumerate(names)]
    return tuple(
        TypedWords(name, describe_typed(fixture, row, typed), is_typed_at_desk(slip, number))
        for number, name, typed in sides
        if typed is not None
    )


def _read_own(fixture: Fixture, row: FixtureRow, player: Player) -> OwnTyped | None:
    """Return what waits of a fixture in which the reader plays."""
    typed = read_own_typed(fixture, player)
    if typed is None or typed.decision is None:
        return None
    return OwnTyped(describe_typed(fixture, row, typed), compute_seen(typed), CodeForm(auto_id=f"id_{row.id}_%s"))


def describe_typed(fixture: Fixture, row: FixtureRow, typed: TypedResult) -> str:
    """Return in words what a side typed."""
    assert row.first is not None
    assert row.second is not None
    result = typed.make(fixture.round.tournament, fixture)
    logged = LoggedResult(over=True, playing=False, annulled=False, result=result)
    return describe_result(logged, (row.first.name, row.second.name))


def takes_result(fixture: Fixture, row: FixtureRow, player: Player) -> bool:
    """Tell if the reader may type this fixture's result now: it has none yet, and they don't play there (F1), or
    organise it and enter what both agree on (O13), which nobody disputes."""
    if row.state != Fixture.State.READY:
        return False
    slip = getattr(fixture, "slip", None)
    return not row.mine or ((slip is None or not slip.called) and may_run(fixture.round.tournament, player))


def make_quick_form(fixture: Fixture, row: FixtureRow, data: QueryDict | None = None) -> QuickForm:
    """Return the form of a fixture's result, bound to what was typed if there is something."""
    terms = find_fixture_terms(fixture.round.tournament, fixture)
    assert row.first is not None
    assert row.second is not None
    names = (row.first.name, row.second.name)
    about: dict[str, Any] = {"names": names, "fixture_id": row.id, "stamp": compute_stamp(fixture)}
    about["forfeits"] = not row.mine
    if isinstance(terms, GamesTerms):
        return GamesQuickForm(data, terms=terms, **about)
    return QuickForm(data, terms=terms, **about)
