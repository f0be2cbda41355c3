"""Rows of quick entry (O4): the fixtures at real tables whose results are typed now, one after the other.

It reads; the results are entered by ``results``, as everywhere.
"""

from dataclasses import dataclass

from django.http import QueryDict

from players.models import Player
from tournaments.core.reads import group_line_ups, make_fixture_row, read_entries, read_fixture_row
from tournaments.core.result import ResultTerms, find_context
from tournaments.core.rows import FixtureRow
from tournaments.desk.act import compute_stamp
from tournaments.desk.quick_forms import QuickForm
from tournaments.models import Fixture, LineUp, ScoreSlip, Tournament
from tournaments.querysets import FixtureQuerySet


@dataclass(frozen=True, slots=True)
class QuickRow:
    """A fixture with its form, None where its result is in, or where the reader plays (F1). ``refused``: why what was
    typed there wasn't taken, where there is no form to say so. ``slip``: what came by telephone."""

    fixture: FixtureRow
    form: QuickForm | None
    refused: tuple[str, ...] = ()
    slip: ScoreSlip | None = None


@dataclass(frozen=True, slots=True)
class QuickPage:
    """The rows in the order of waves and tables; ``next_id``: the fixture to be typed next, None once all are in."""

    rows: tuple[QuickRow, ...]
    next_id: int | None


def is_all_in(tournament: Tournament) -> bool:
    """Tell if every fixture that has a table has its result."""
    seated = Fixture.objects.of(tournament).filter(table__isnull=False)
    return seated.exists() and not seated.open().exists()


def read_quick_page(tournament: Tournament, player: Player, *, after: int = 0, table: int = 0) -> QuickPage:
    """Return the rounds that are being played, of which the last stays when it is over.

    The next one to be typed is that of ``table``, else the first after the fixture with the id ``after``.
    """
    rows = tuple(_make_row(fixture, row) for fixture, row in _read_fixtures(tournament, player))
    open_ids = [row.fixture.id for row in rows if row.form is not None]
    at_table = [row.fixture.id for row in rows if row.form is not None and row.fixture.hall_table == table]
    order = [row.fixture.id for row in rows]
    later = order[order.index(after) + 1 :] if after in order else []
    following = [pk for pk in later if pk in open_ids]
    return QuickPage(rows, next(iter([*at_table, *following, *open_ids]), None))


def list_calling(tournament: Tournament, player: Player) -> list[QuickRow]:
    """Return the fixtures whose telephones call the referee (O4)."""
    calling = _list_seated(tournament).filter(slip__isnull=False).exclude(slip__called="")
    return [_make_row(*at) for at in _read_rows(calling, tournament, player)] if calling else []


def read_quick_fixture(tournament: Tournament, player: Player, fixture_id: int) -> tuple[Fixture, FixtureRow] | None:
    """Return a fixture with its row as it is now; None for one without a real table."""
    fixture = _list_seated(tournament).filter(pk=fixture_id).first()
    return None if fixture is None else (fixture, read_fixture_row(fixture, player))


def _read_fixtures(tournament: Tournament, player: Player) -> list[tuple[Fixture, FixtureRow]]:
    """Return the fixtures of the rounds that are being played, or of the last, with their rows."""
    seated = _list_seated(tournament)
    numbers = set(seated.open().values_list("round__number", flat=True)) or {
        max(seated.values_list("round__number", flat=True), default=0)
    }
    return _read_rows(seated.filter(round__number__in=numbers), tournament, player)


def _read_rows(fixtures: FixtureQuerySet, tournament: Tournament, player: Player) -> list[tuple[Fixture, FixtureRow]]:
    """Return these fixtures with their rows."""
    by_id = read_entries(tournament)
    line_ups = group_line_ups(LineUp.objects.filter(fixture__in=fixtures))
    return [(fixture, make_fixture_row(fixture, by_id, line_ups, player)) for fixture in fixtures]


def _list_seated(tournament: Tournament) -> FixtureQuerySet:
    """Return the fixtures that have a table, in the order of waves and tables."""
    seated = Fixture.objects.of(tournament).filter(table__isnull=False)
    related = seated.select_related("round__tournament", "match", "first", "slip")
    return related.order_by("round__number", "wave", "table")


def _make_row(fixture: Fixture, row: FixtureRow) -> QuickRow:
    form = make_quick_form(fixture, row) if takes_result(row) else None
    return QuickRow(row, form, slip=getattr(fixture, "slip", None))


def takes_result(row: FixtureRow) -> bool:
    """Tell if the reader may type this fixture's result now: it has none yet, and they don't play there (F1)."""
    return row.state == Fixture.State.READY and not row.mine


def make_quick_form(fixture: Fixture, row: FixtureRow, data: QueryDict | None = None) -> QuickForm:
    """Return the form of a fixture's result, bound to what was typed if there is something."""
    terms = ResultTerms.of(fixture.round.tournament, find_context(fixture.round.tournament, fixture))
    assert row.first is not None
    assert row.second is not None
    names = (row.first.name, row.second.name)
    return QuickForm(data, terms=terms, names=names, fixture_id=row.id, stamp=compute_stamp(fixture))
