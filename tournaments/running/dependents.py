"""Dependents of a fixture's result, or of an entry's absence (F3): fixtures that wouldn't be paired so without it.

The format is asked, round after round, for its pairs after the changed result; in a bracket only for those on its path.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import groupby

from django.db.models import Max, Q

from tournaments.core.errors import TournamentError
from tournaments.formats import FORMATS
from tournaments.formats.protocol import PathFormat, Plan, Slot
from tournaments.models import Entry, Fixture, Tournament
from tournaments.querysets import FixtureQuerySet
from tournaments.running.path_store import StoredPath, find_path_format
from tournaments.running.plan_basis import make_plan

Seeds = tuple[int | None, int | None]  # the seeds of a fixture's two entries


def require_no_dependents(tournament: Tournament, changed: Fixture) -> None:
    """Raise TournamentError("depended_on") with the fixtures that depend on the former result of ``changed``."""
    _refuse(find_dependents(tournament, changed))


def find_dependents(tournament: Tournament, changed: Fixture) -> list[Fixture]:
    """Return the later fixtures, opened or decided, that wouldn't be paired so after this change.

    There are none where a round stays as it was drawn: there only the standings follow a result (F3).
    """
    if FORMATS[tournament.format].keeps_rounds:
        return []
    path_format = find_path_format(tournament)
    if path_format is not None:
        return _find_broken_on_path(tournament, path_format, [changed])
    kept: dict[Slot, Fixture] = {}
    later: list[Fixture] = []
    for fixture in _list_fixtures(tournament):
        if fixture.round.number <= changed.round.number:
            kept[_slot(fixture)] = changed if fixture.pk == changed.pk else fixture
        elif _stands(fixture):
            later.append(fixture)
    return _find_broken_of_all(tournament, kept, later)


def were_pairings_kept(tournament: Tournament, changed: Fixture) -> bool:
    """Tell if later rounds stay as they were drawn, though a result has changed (F3)."""
    later = Fixture.objects.of(tournament).filter(round__number__gt=changed.round.number, first__isnull=False)
    format_ = FORMATS[tournament.format]
    return (format_.keeps_rounds or format_.pairs_everyone_at_draw) and later.exists()


def require_no_dependents_of_entry(tournament: Tournament, entry: Entry, again: Collection[Fixture]) -> None:
    """The same after an entry has come back; ``again`` are the fixtures it plays after all.

    Entries and fixtures are read as they are stored now. Where a round stays as it was drawn, those that were drawn
    without the entry are drawn again, if nobody plays them.
    """
    path_format = find_path_format(tournament)
    if path_format is not None:
        _refuse(_find_broken_on_path(tournament, path_format, again))
        return
    stands = Q(match__isnull=False) | Q(result_at__isnull=False)
    fixtures = _list_fixtures(tournament)
    if not FORMATS[tournament.format].keeps_rounds:
        _refuse(_find_broken_of_all(tournament, {}, fixtures.filter(stands)))
        return
    if tournament.publishes_rounds:
        return  # what is published stays (D4): it is drawn again from the next round on
    last = fixtures.of_entry(entry).aggregate(last=Max("round__number"))["last"] or 0
    without = fixtures.filter(round__number__gt=last)
    _refuse(without.filter(stands))
    boards = (tournament.entries.drawn().count() + 1) // 2
    without.filter(board__gt=boards).delete()  # of whoever had a bye there: the round may need fewer
    without.filter(state=Fixture.State.BYE).update(mp_0=None, vp_0=None)
    without.update(first=None, second=None)


def _list_fixtures(tournament: Tournament) -> FixtureQuerySet:
    fixtures = Fixture.objects.with_results().of(tournament).firsts().select_related("round")
    return fixtures.order_by("round__number", "board")


def _stands(fixture: Fixture) -> bool:
    """Tell if a fixture was opened or decided."""
    return fixture.match_id is not None or fixture.result_at is not None


def _find_broken_on_path(tournament: Tournament, format_: PathFormat, changed: Collection[Fixture]) -> list[Fixture]:
    """Return those that depend on the fixtures ``changed``, reading a few fixtures a round.

    What came before all of them stands: the semifinals are on the path of the third place for its ranks alone (K5).
    """
    slots = {_slot(fixture): fixture for fixture in changed}
    first = min((slot.round for slot in slots), default=0)
    stored = StoredPath(tournament, format_, slots)
    stored.fixtures |= slots
    kept: dict[Slot, Fixture] = {}
    later: list[Fixture] = []
    for slot, fixture in sorted(stored.fixtures.items()):
        if slot in slots or slot not in stored.path.slots or slot.round < first:
            kept[slot] = fixture
        elif _stands(fixture):
            fixture.round = stored.rounds[slot.round]
            later.append(fixture)
    seeds = {entry.pk: seed for seed, entry in stored.entries.items()}
    return _find_broken(stored.make_plan, seeds, kept, later)


def _find_broken_of_all(tournament: Tournament, kept: dict[Slot, Fixture], later: Iterable[Fixture]) -> list[Fixture]:
    """Return those of ``later`` that wouldn't be paired so after ``kept``, by the plan of the whole tournament."""
    drawn = tournament.entries.drawn().values_list("pk", "seed")
    seeds = {pk: seed for pk, seed in drawn if seed is not None}
    return _find_broken(lambda results: make_plan(tournament, len(seeds), results), seeds, kept, later)


def _find_broken(
    make: Callable[[Mapping[Slot, Fixture]], Plan],
    seeds: Mapping[int, int],
    kept: dict[Slot, Fixture],
    later: Iterable[Fixture],
) -> list[Fixture]:
    """Return those of ``later``, in their order, that the plan that ``make`` makes of ``kept`` doesn't pair so."""
    broken: list[Fixture] = []
    for _number, fixtures in groupby(later, key=lambda fixture: fixture.round.number):
        paired: dict[Slot, Seeds] = {pairing.slot: (pairing.first, pairing.second) for pairing in make(kept).pairings}
        for fixture in fixtures:
            first, second = (None if pk is None else seeds[pk] for pk in (fixture.first_id, fixture.second_id))
            if paired.get(_slot(fixture)) == (first, second):
                kept[_slot(fixture)] = fixture
            else:
                broken.append(fixture)
    return broken


def _refuse(dependents: Iterable[Fixture]) -> None:
    names = [(fixture.round.name, fixture.round.number, fixture.board) for fixture in dependents]
    if names:
        raise TournamentError("depended_on", fixtures=names)


def _slot(fixture: Fixture) -> Slot:
    return Slot(fixture.round.number, fixture.board)
