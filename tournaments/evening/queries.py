"""Parts of an organiser's evening: the door with presence and money, the next step, the wall in small (EV12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.core import reads
from tournaments.core.parts import MOST_ENTRIES
from tournaments.core.rows import EntryRow, RankedEntry
from tournaments.core.states import ENTERING, UNDRAWN
from tournaments.core.wording import name_round
from tournaments.entries.checkin import is_roll_called, list_entries_to_draw
from tournaments.fees.queries import FeeTotals, read_fee_rows, read_totals
from tournaments.formats import FORMATS
from tournaments.hall.quick_entry import QuickPage
from tournaments.models import Tournament
from tournaments.rounds.drafts import find_next_round
from tournaments.rounds.late_entries import find_late_round

LEADERS = 4  # of the wall in small


class Shown(StrEnum):
    """Rows of the door that are shown: all of them, who isn't here yet, who hasn't paid."""

    ALL = "tutti"
    MISSING = "mancano"
    UNPAID = "pagare"


@dataclass(frozen=True, slots=True)
class DoorRow:
    """An entry at the door. ``cents``: what it has paid, refunds taken off; ``missing``: so many fees of it are to be
    paid. ``drawn``: no roll is called any more."""

    entry: EntryRow
    cents: int
    missing: int
    drawn: bool

    @property
    def is_paid(self) -> bool:
        """Tell if nothing is to be paid."""
        return not self.missing

    @property
    def next_side(self) -> str:
        """Return the list that a touch puts them on: A, then B, then neither (EV2)."""
        return {"": "A", "A": "B"}.get(self.entry.side, "")

    @property
    def is_here(self) -> bool:
        """Tell if its people are here: ticked at the roll call, or come since, and not gone."""
        return (self.drawn or self.entry.checked_in) and not self.entry.withdrawn


@dataclass(frozen=True, slots=True)
class Door:
    """The list at the door, by name. ``calls_roll``: who is here is ticked now; ``takes_names``: one more may enter."""

    rows: tuple[DoorRow, ...]
    totals: FeeTotals
    fee_cents: int
    calls_roll: bool
    takes_names: bool

    @property
    def here(self) -> tuple[DoorRow, ...]:
        """The entries that are here."""
        return tuple(row for row in self.rows if row.is_here)

    @property
    def missing_count(self) -> int:
        """Return how many are not here yet."""
        return len(self.rows) - len(self.here)

    @property
    def unpaid_count(self) -> int:
        """Return how many haven't paid the fee."""
        return sum(not row.is_paid for row in self.rows) if self.fee_cents else 0


@dataclass(frozen=True, slots=True)
class NextStep:
    """The act that the evening waits for. ``what``: draw, publish, or ranks; ``round_name``: of the round it is about;
    ``missing``: results without which it can't be done, ``short_of``: entries likewise."""

    what: str
    round_name: str = ""
    missing: int = 0
    short_of: int = 0

    @property
    def is_open(self) -> bool:
        """Tell if it can be done now."""
        return not self.missing and not self.short_of


def read_door(tournament: Tournament) -> Door:
    """Return the list at the door."""
    entries = {row.entry_id: row for row in reads.read_all_entries(tournament) if row.approved and not row.waits}
    drawn = tournament.drawn_at is not None
    rows = [DoorRow(row.entry, row.cents, row.missing, drawn) for row in read_fee_rows(tournament, entries)]
    rows.sort(key=lambda row: row.entry.name.casefold())
    return Door(
        tuple(rows),
        read_totals(tournament, read_fee_rows(tournament, entries)),
        tournament.fee_cents,
        is_roll_called(tournament),
        tournament.state in UNDRAWN or find_late_round(tournament) is not None,
    )


def find_next_step(tournament: Tournament, page: QuickPage | None) -> NextStep | None:
    """Return what the evening waits for; None where it goes on by itself."""
    if tournament.state == Tournament.State.FINISHED:
        return NextStep("ranks")
    if tournament.publishes_rounds and tournament.state in ENTERING:
        short_of = tournament.min_entries - len(list_entries_to_draw(tournament))
        return NextStep(_name_step(tournament, 1), name_round("round", 1), short_of=max(0, short_of))
    number = find_next_round(tournament) if tournament.publishes_rounds else None
    if number is None or tournament.state != Tournament.State.RUNNING:
        return None
    name = tournament.rounds.get(number=number).name
    return NextStep(_name_step(tournament, number), name_round(name, number), count_missing(page))


def _name_step(tournament: Tournament, number: int) -> str:
    """Return what is done next with a round: it is drawn first, unless it has been or follows from the first draw."""
    draws = number == 1 or FORMATS[tournament.format].keeps_rounds
    return "draw" if draws and tournament.draft is None else "publish"


def count_missing(page: QuickPage | None) -> int:
    """Return how many results of the rounds being played are missing."""
    return 0 if page is None else page.missing


def read_leaders(tournament: Tournament) -> Sequence[RankedEntry]:
    """Return who leads, as the wall shows it; of big fields nobody."""
    if tournament.drawn_at is None or tournament.entries.count() > MOST_ENTRIES:
        return ()
    rows = reads.read_standings(tournament, reads.read_entries(tournament))
    return [row for row in rows if row.rank][:LEADERS]
