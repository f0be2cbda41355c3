"""Acts of referees: results, forfeits, annulments, replays, leavers, substitutes and line-ups."""

from random import Random
from typing import TYPE_CHECKING, Any

from tournaments.desk import (
    reinstatement,
    results,
    substitution,
    undo,
)
from tournaments.running import (
    line_ups,
)
from tournaments.running.withdraw import withdraw_entry

if TYPE_CHECKING:
    from bench.walker.walk import Walk
from bench.walker.kinds import (
    WHY,
    Call,
    act,
    decide,
    draw_lines,
    draw_names,
    label,
    list_entries,
    make_act,
    name,
    pick,
    pick_fixture,
    place,
    staff,
)


@act(running=30, over=2)
def set_result(walk: "Walk", dice: Random) -> Call | None:
    return decide(walk, dice, results.set_result, "", open_=12, decides=True)


@act(running=10, over=1)
def declare_forfeit(walk: "Walk", dice: Random) -> Call | None:
    lines = draw_lines(dice)
    return decide(walk, dice, results.declare_forfeit, f"forfeit of {lines} in", lines=lines, open_=12)


@act(running=2, over=1)
def annul_result(walk: "Walk", dice: Random) -> Call | None:
    return decide(walk, dice, results.annul_result, "annuls", open_=1)


@act(running=2, over=1)
def restore_result(walk: "Walk", dice: Random) -> Call | None:
    return decide(walk, dice, results.restore_result, "restores", open_=1)


@act(running=2, over=1)
def order_replay(walk: "Walk", dice: Random) -> Call | None:
    return decide(walk, dice, results.order_replay, "has replayed", open_=1)


@act(running=3, over=1)
def undo_entry(walk: "Walk", dice: Random) -> Call | None:
    by = staff(walk, dice)
    last = undo.find_last_entry(walk.tournament, by)
    if last is None:
        return None
    own = make_act(walk, by, dice)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "entry_id": last.pk}
    return Call(f"{name(walk, by)} takes the last entry back", lambda: undo.undo_entry(act=own, **about))


@act(running=5, only=lambda modes: modes["leaving"] == "yes")
def withdraw(walk: "Walk", dice: Random) -> Call | None:
    """An entry leaves by itself, or a referee takes it out."""
    entry, by = pick(dice, list_entries(walk)), staff(walk, dice)
    if entry is None:
        return None
    player = pick(dice, [member.person.player for member in entry.members.with_people() if member.person.player])
    own = player is not None and dice.random() < 0.6
    by = player if own and player is not None else by
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now}
    expelled = not own and dice.random() < 0.3
    words = f"{name(walk, by)} {'expels' if expelled else 'takes out'} {label(walk, entry)}"
    reason = "" if own else WHY
    return Call(words, lambda: withdraw_entry(entry_id=entry.pk, reason=reason, expelled=expelled, **about))


@act(running=2, over=1, only=lambda modes: modes["leaving"] == "yes")
def reinstate(walk: "Walk", dice: Random) -> Call | None:
    entry, by = pick(dice, walk.tournament.entries.filter(withdrawn_at__isnull=False)), staff(walk, dice)
    if entry is None:
        return None
    own = make_act(walk, by, dice)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "entry_id": entry.pk}
    words = f"{name(walk, by)} takes {label(walk, entry)} in again"
    return Call(words, lambda: reinstatement.reinstate_entry(act=own, **about))


@act(running=1, only=lambda modes: modes.in_hall)
def replace_typed(walk: "Walk", dice: Random) -> Call | None:
    member = pick(dice, walk.tournament.members.filter(person__player=None).order_by("pk"))
    names, by = draw_names(walk, dice, 1), staff(walk, dice)
    if member is None or not names:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "entry_id": member.entry_id, "name": names[0]}
    own = make_act(walk, by, dice)
    words = f"{name(walk, by)} puts {names[0]} in somebody's place"
    return Call(words, lambda: substitution.replace_typed_person(person_id=member.person_id, act=own, **about))


@act(running=1, only=lambda modes: modes["kind"] in ("team", "fours") and modes.in_hall)
def name_line_up(walk: "Walk", dice: Random) -> Call | None:
    entry, by = pick(dice, list_entries(walk)), staff(walk, dice)
    if entry is None:
        return None
    people = list(entry.members.order_by("position").values_list("person", flat=True))
    dice.shuffle(people)
    chosen = people[: walk.tournament.entry_kind.line_up_size]
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "person_ids": chosen}
    fixture = pick_fixture(walk, dice)
    if fixture is not None and fixture.part < 2 and fixture.first_id == entry.pk and dice.random() < 0.5:
        words = f"{name(walk, by)} changes the line-up of {place(fixture)}"
        return Call(words, lambda: line_ups.change_line_up(fixture_id=fixture.pk, side=0, **about))
    words = f"{name(walk, by)} names the line-up of {label(walk, entry)}"
    return Call(words, lambda: line_ups.name_line_up(entry_id=entry.pk, **about))
