"""Everything below the draw again, from the fixtures' results alone (F3, H8): what is stored must be what they give."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments.core.locking import lock_tournament
from tournaments.formats.protocol import Plan, Slot
from tournaments.models import Tournament
from tournaments.running.plan_basis import Picture, combine_slots, read_picture
from tournaments.running.plan_store import (
    PLACE,
    STANDING,
    build_standings,
    make_placement_values,
)
from tournaments.running.results import advance
from tournaments.running.team_tables import SUM, has_second_table, list_sum_values, turn_pairing


@dataclass(frozen=True, slots=True)
class Difference:
    """Value that isn't what the results give. ``about``: "seed 3", "round 2 board 1", "tournament"."""

    about: str
    name: str
    stored: Any
    given: Any


def find_differences(tournament: Tournament) -> list[Difference]:
    """Return the stored values that differ from those the stored results give; it writes nothing."""
    if tournament.drawn_at is None or tournament.state == Tournament.State.CANCELLED:
        return []
    picture = read_picture(tournament)
    return compare_picture(picture, picture.make_plan())


def compare_picture(picture: Picture, plan: Plan) -> list[Difference]:
    """Return the values of these rows that differ from those of the plan after their results."""
    tournament, rounds = picture.tournament, picture.rounds
    fixtures, seconds = picture.fixtures, picture.seconds
    by_seed = dict(enumerate(picture.entries, start=1))
    differences: list[Difference] = []
    planned = {pairing.slot: pairing for pairing in plan.pairings}
    for slot in sorted(set(planned) ^ set(fixtures)):
        differences.append(Difference(_name_slot(slot), "fixture", slot in fixtures, slot in planned))
    paired = {slot for slot, pairing in planned.items() if has_second_table(tournament, pairing)}
    for slot in sorted(paired ^ set(seconds)):
        differences.append(Difference(_name_slot(slot), "fixture", slot in seconds, slot in paired))
    for slot, pairing in planned.items():
        for fixture in (tables[slot] for tables in (fixtures, seconds) if slot in tables):
            stored = (fixture.first_id, fixture.second_id, fixture.group, fixture.state)
            own = turn_pairing(tournament, pairing) if fixture.part == 2 else pairing
            given = make_placement_values(fixture, own, by_seed)
            differences += _compare(_name_slot(slot), PLACE[:4], stored, given)
    for slot, whole in combine_slots(tournament, fixtures, seconds).items():
        for table, worth in zip((fixtures[slot], seconds[slot]), list_sum_values(tournament, whole), strict=True):
            differences += _compare(_name_slot(slot), SUM, tuple(getattr(table, name) for name in SUM), worth)
    for entry, values in build_standings(tournament, plan, fixtures, by_seed, seconds, picture.play_offs):
        stored = tuple(getattr(entry, name) for name in STANDING)
        differences += _compare(f"seed {entry.seed}", STANDING, stored, _tell_no_more(stored, values))
    names = dict(enumerate(plan.names, start=1))
    for number in sorted(set(names) | set(rounds)):
        stored_name = rounds[number].name if number in rounds else None
        differences += _compare(f"round {number}", ("name",), (stored_name,), (names.get(number),))
    over = tournament.state == Tournament.State.FINISHED
    stored_ends, given_ends = (over, tournament.stuck_round), (plan.finished, plan.stuck)
    differences += _compare("tournament", ("finished", "stuck_round"), stored_ends, given_ends)
    return differences


def recompute(*, tournament_id: int, now: datetime) -> list[Difference]:
    """Store what the results give. Return the former differences; a tournament that is over stays so if they say so."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        differences = find_differences(tournament)
        if differences:
            if tournament.state == Tournament.State.FINISHED:
                tournament.state = Tournament.State.RUNNING
                tournament.save(update_fields=["state"])
            advance(tournament_id=tournament.pk, now=now)
        return differences


def _compare(
    about: str, names: tuple[str, ...], stored: tuple[object, ...], given: tuple[object, ...]
) -> list[Difference]:
    rows = zip(names, stored, given, strict=True)
    return [Difference(about, name, own, other) for name, own, other in rows if own != other]


def _tell_no_more(stored: tuple[object, ...], given: tuple[object, ...]) -> tuple[object, ...]:
    """Return the values given, the reason without what was asked before it (R3) where the stored one is of a time that
    didn't keep that: it says less, and nothing else."""
    at = STANDING.index("separation")
    before, reason = stored[at], given[at]
    if isinstance(before, dict) and isinstance(reason, dict) and "before" not in before:
        reason = {name: reason[name] for name in ("code", "own", "next")}
    return (*given[:at], reason, *given[at + 1 :])


def _name_slot(slot: Slot) -> str:
    return f"round {slot.round} board {slot.board}"
