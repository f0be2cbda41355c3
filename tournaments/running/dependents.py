"""Dependents of a fixture's result, or of an entry's absence (F3): fixtures that wouldn't be paired so without it.

The format is asked, round after round, for its pairs after the changed result.
"""

from collections.abc import Iterable
from itertools import groupby

from django.db.models import Max, Q

from tournaments.core.errors import TournamentError
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Slot
from tournaments.models import Entry, Fixture, Tournament
from tournaments.querysets import FixtureQuerySet
from tournaments.running.plan_store import make_plan


def require_no_dependents(tournament: Tournament, changed: Fixture) -> None:
    """Raise TournamentError("depended_on") with the fixtures that depend on the former result of ``changed``."""
    _refuse(find_dependents(tournament, changed))


def find_dependents(tournament: Tournament, changed: Fixture) -> list[Fixture]:
    """Return the later fixtures, opened or decided, that wouldn't be paired so after this change.

    There are none where a round stays as it was drawn: there only the standings follow a result (F3).
    """
    if FORMATS[tournament.format].keeps_rounds:
        return []
    kept: dict[Slot, Fixture] = {}
    later: list[Fixture] = []
    for fixture in _list_fixtures(tournament):
        if fixture.round.number <= changed.round.number:
            kept[_slot(fixture)] = changed if fixture.pk == changed.pk else fixture
        elif fixture.match_id is not None or fixture.result_at is not None:
            later.append(fixture)
    return _find_broken(tournament, kept, later)


def were_pairings_kept(tournament: Tournament, changed: Fixture) -> bool:
    """Tell if later rounds stay as they were drawn, though a result has changed (F3)."""
    later = Fixture.objects.of(tournament).filter(round__number__gt=changed.round.number, first__isnull=False)
    format_ = FORMATS[tournament.format]
    return (format_.keeps_rounds or format_.pairs_everyone_at_draw) and later.exists()


def require_no_dependents_of_line(tournament: Tournament, entry: Entry) -> None:
    """The same after a line has come back: the entries and its fixtures as they are stored now, round after round.

    Where a round stays as it was drawn, those that were drawn without the line are drawn again, if nobody plays them.
    """
    stands = Q(match__isnull=False) | Q(result_at__isnull=False)
    fixtures = _list_fixtures(tournament)
    if not FORMATS[tournament.format].keeps_rounds:
        _refuse(_find_broken(tournament, {}, fixtures.filter(stands)))
        return
    last = fixtures.of_entry(entry).aggregate(last=Max("round__number"))["last"] or 0
    without = fixtures.filter(round__number__gt=last)
    _refuse(without.filter(stands))
    without.filter(state=Fixture.State.BYE).update(mp_0=None, vp_0=None)
    without.update(first=None, second=None)


def _list_fixtures(tournament: Tournament) -> FixtureQuerySet:
    fixtures = Fixture.objects.of(tournament).select_related("round")
    return fixtures.order_by("round__number", "board")


def _find_broken(tournament: Tournament, kept: dict[Slot, Fixture], later: Iterable[Fixture]) -> list[Fixture]:
    """Return those of ``later``, in their order, that wouldn't be paired so after ``kept``."""
    entries = tournament.entries.drawn()
    seeds = dict(entries.values_list("pk", "seed"))
    broken: list[Fixture] = []
    for _number, fixtures in groupby(later, key=lambda fixture: fixture.round.number):
        plan = make_plan(tournament, len(seeds), kept)
        paired = {pairing.slot: (pairing.first, pairing.second) for pairing in plan.pairings}
        for fixture in fixtures:
            lines = tuple(None if pk is None else seeds[pk] for pk in (fixture.first_id, fixture.second_id))
            if paired.get(_slot(fixture)) == lines:
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
