"""Everything below the draw again, from the fixtures' results alone (F3, H8): what is stored must be what they give."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments.core.locking import lock_tournament
from tournaments.formats.protocol import Slot
from tournaments.models import Tournament
from tournaments.running.plan_store import (
    PLACE,
    STANDING,
    build_standings,
    make_plan,
    placement_values,
    read_leavers,
    read_rounds_by_number,
    stored_fixtures,
)
from tournaments.running.results import advance


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that isn't what the results give. ``about``: "seed 3", "round 2 board 1", "tournament"."""

    about: str
    name: str
    stored: Any
    given: Any


def differences(tournament: Tournament) -> list[Difference]:
    """Where the stored picture isn't the one the stored results give; it writes nothing."""
    if tournament.drawn_at is None or tournament.state == Tournament.State.CANCELLED:
        return []
    entries = list(tournament.entries.drawn())
    by_seed = dict(enumerate(entries, start=1))
    rounds = read_rounds_by_number(tournament)
    fixtures = stored_fixtures(tournament, rounds)
    plan = make_plan(tournament, len(entries), fixtures, read_leavers(entries))
    found: list[Difference] = []
    planned = {pairing.slot: pairing for pairing in plan.pairings}
    for slot in sorted(set(planned) ^ set(fixtures)):
        found.append(Difference(_where(slot), "fixture", slot in fixtures, slot in planned))
    for slot, pairing in planned.items():
        if slot in fixtures:
            fixture = fixtures[slot]
            stored = (fixture.first_id, fixture.second_id, fixture.group, fixture.state)
            given = placement_values(fixture, pairing, by_seed)
            found += _compare(_where(slot), PLACE[:4], stored, given)
    for entry, values in build_standings(plan, fixtures, by_seed):
        found += _compare(f"seed {entry.seed}", STANDING, tuple(getattr(entry, name) for name in STANDING), values)
    names = dict(enumerate(plan.names, start=1))
    for number in sorted(set(names) | set(rounds)):
        stored_name = rounds[number].name if number in rounds else None
        found += _compare(f"round {number}", ("name",), (stored_name,), (names.get(number),))
    over = tournament.state == Tournament.State.FINISHED
    found += _compare("tournament", ("finished",), (over,), (plan.finished,))
    return found


def recompute(*, tournament_id: int, now: datetime) -> list[Difference]:
    """Store what the results give; what differed before. A tournament that is over stays so if its results say so."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        found = differences(tournament)
        if found:
            if tournament.state == Tournament.State.FINISHED:
                tournament.state = Tournament.State.RUNNING
                tournament.save(update_fields=["state"])
            advance(tournament_id=tournament.pk, now=now)
        return found


def _compare(
    about: str, names: tuple[str, ...], stored: tuple[object, ...], given: tuple[object, ...]
) -> list[Difference]:
    rows = zip(names, stored, given, strict=True)
    return [Difference(about, name, own, other) for name, own, other in rows if own != other]


def _where(slot: Slot) -> str:
    return f"round {slot.round} board {slot.board}"
