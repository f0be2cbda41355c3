"""Rows of quick entry (O4): the fixtures at real tables whose results are typed now, one after the other.

It reads; the results are entered by ``results``, as everywhere.
"""

from dataclasses import dataclass

from django.http import QueryDict

from players.models import Player
from tournaments.core.reads import group_line_ups, make_fixture_row, read_entries
from tournaments.core.result import ResultTerms, find_context
from tournaments.core.rows import FixtureRow
from tournaments.desk.act import compute_stamp
from tournaments.desk.quick_forms import QuickForm
from tournaments.models import Fixture, LineUp, ScoreSlip, Tournament


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
    ids = ScoreSlip.objects.filter(fixture__round__tournament=tournament).exclude(called="").values("pk")
    return [_make_row(*at) for pk in ids for at in _read_fixtures(tournament, player, pk["pk"])]


def read_quick_fixture(tournament: Tournament, player: Player, fixture_id: int) -> tuple[Fixture, FixtureRow] | None:
    """Return a fixture with its row as it is now; None for one without a real table."""
    return next(iter(_read_fixtures(tournament, player, fixture_id)), None)


def _read_fixtures(
    tournament: Tournament, player: Player, fixture_id: int | None = None
) -> list[tuple[Fixture, FixtureRow]]:
    seated = Fixture.objects.of(tournament).filter(table__isnull=False)
    if fixture_id is not None:
        seated = seated.filter(pk=fixture_id)
    else:
        numbers = set(seated.open().values_list("round__number", flat=True)) or {
            max(seated.values_list("round__number", flat=True), default=0)
        }
        seated = seated.filter(round__number__in=numbers)
    by_id = read_entries(tournament)
    line_ups = group_line_ups(LineUp.objects.filter(fixture__in=seated))
    fixtures = seated.select_related("round__tournament", "match", "first", "slip").order_by(
        "round__number", "wave", "table"
    )
    return [(fixture, make_fixture_row(fixture, by_id, line_ups, player)) for fixture in fixtures]


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
