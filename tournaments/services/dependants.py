"""What already depends on a fixture's result, or on a line's absence (F3): pairings opened or decided that would be
others without it.

Found by asking the format, round after round, what it would pair after the changed result. It writes nothing.
"""

from collections.abc import Iterable
from itertools import groupby

from django.db.models import Q

from tournaments.models import Entry, Fixture, Stage, Tournament
from tournaments.pairing import Slot
from tournaments.services.errors import TournamentError
from tournaments.services.picture import plan_of


def require_none(tournament: Tournament, changed: Fixture) -> None:
    """TournamentError("depended_on") with the fixtures that depend on what ``changed``, as it stands in memory, was."""
    _refuse(dependants(tournament, changed))


def dependants(tournament: Tournament, changed: Fixture) -> list[Fixture]:
    """The fixtures of later rounds that were opened or have a result and wouldn't be paired so after this change."""
    stage = Stage.objects.get(tournament=tournament)
    entries = list(Entry.objects.filter(tournament=tournament, seed__isnull=False).order_by("seed"))
    seeds = {entry.pk: entry.seed for entry in entries}
    kept: dict[Slot, Fixture] = {}
    later: dict[int, list[Fixture]] = {}
    for fixture in (
        Fixture.objects.filter(round__stage=stage).select_related("round").order_by("round__number", "board")
    ):
        if fixture.round.number <= changed.round.number:
            kept[_slot(fixture)] = changed if fixture.pk == changed.pk else fixture
        elif fixture.match_id is not None or fixture.result_at is not None:
            later.setdefault(fixture.round.number, []).append(fixture)
    broken: list[Fixture] = []
    for _number, fixtures in sorted(later.items()):
        plan = plan_of(tournament, stage.format, len(entries), kept)
        paired = {pairing.slot: (pairing.first, pairing.second) for pairing in plan.pairings}
        for fixture in fixtures:
            lines = tuple(None if pk is None else seeds[pk] for pk in (fixture.first_id, fixture.second_id))
            if paired.get(_slot(fixture)) == lines:
                kept[_slot(fixture)] = fixture
            else:
                broken.append(fixture)
    return broken


def require_none_of_line(tournament: Tournament) -> None:
    """The same after a line has come back: the entries and its fixtures as they are stored now, round after round."""
    stage = Stage.objects.get(tournament=tournament)
    entries = list(Entry.objects.filter(tournament=tournament, seed__isnull=False).order_by("seed"))
    seeds = {entry.pk: entry.seed for entry in entries}
    stands = Q(match__isnull=False) | Q(result_at__isnull=False)
    rows = Fixture.objects.filter(stands, round__stage=stage).select_related("round")
    kept: dict[Slot, Fixture] = {}
    broken: list[Fixture] = []
    for _number, fixtures in groupby(rows.order_by("round__number", "board"), key=lambda row: row.round.number):
        plan = plan_of(tournament, stage.format, len(entries), kept)
        paired = {pairing.slot: (pairing.first, pairing.second) for pairing in plan.pairings}
        for fixture in fixtures:
            lines = tuple(None if pk is None else seeds[pk] for pk in (fixture.first_id, fixture.second_id))
            if paired.get(_slot(fixture)) == lines:
                kept[_slot(fixture)] = fixture
            else:
                broken.append(fixture)
    _refuse(broken)


def _refuse(found: Iterable[Fixture]) -> None:
    names = [(fixture.round.name, fixture.round.number, fixture.board) for fixture in found]
    if names:
        raise TournamentError("depended_on", fixtures=names)


def _slot(fixture: Fixture) -> Slot:
    return Slot(fixture.round.number, fixture.board)
