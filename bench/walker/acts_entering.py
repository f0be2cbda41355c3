"""Acts of entering and leaving: names typed at real tables, accounts, telephones, the house, the roll call."""

from random import Random
from typing import TYPE_CHECKING, Any

from tournaments.entries import (
    approvals,
    checkin,
    fixed_tables,
    house,
    invitations,
    join,
    pairs,
    partners,
    seeding,
    team_entry,
    typed_names,
)
from tournaments.lists.teams import make_team_row
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import (
    PlayInvitation,
)
from tournaments.own_names import self_entry

if TYPE_CHECKING:
    from bench.walker.walk import Walk
from bench.walker.kinds import (
    TEAMS,
    Call,
    act,
    draw_names,
    draw_typed,
    label,
    list_entries,
    name,
    pick,
    say_typed,
    staff,
)


@act(entering=8, running=1, only=lambda modes: modes.in_hall)
def type_names(walk: "Walk", dice: Random) -> Call | None:
    """The organiser types entries, one or a list."""
    by, listed = staff(walk, dice), dice.random() < 0.4
    rows: list[TypedEntry] = []
    for number in range(1, (dice.randint(1, 3) if listed else 1) + 1):
        row = draw_typed(walk, dice, number)
        if row is not None and not any(_list_names(row) & _list_names(other) for other in rows):
            rows.append(row)
    if not rows or len({row.number for row in rows}) < len(rows):
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now}
    words = "; ".join(map(say_typed, rows))
    return Call(f"{name(walk, by)} types {words}", lambda: typed_names.type_entries(rows=rows, **about))


def _list_names(row: TypedEntry) -> set[str]:
    """Return the names of an entry: of one name and two clubs there may be two (EV9), of whom no act here says so."""
    return {person.name for person in row.people}


@act(entering=6, running=1, only=lambda modes: modes["entry"] == "telephones")
def enter_self(walk: "Walk", dice: Random) -> Call | None:
    """Somebody enters by their telephone, without an account."""
    row = draw_typed(walk, dice, 1)
    if row is None:
        return None
    key = f"telephone {dice.randrange(10**9)}"
    walk.keys.append(key)
    about: dict[str, Any] = {"people": row.people, "team": row.team, "own_key": key, "address": "192.0.2.7"}
    about["another"] = row.another
    arguments: dict[str, Any] = {"tournament_id": walk.tournament.pk, "player": None, "now": walk.now, "wait": True}
    return Call(f"telephone enters {say_typed(row)}", lambda: self_entry.enter_by_name(**about, **arguments))


@act(entering=1, running=1, only=lambda modes: modes["entry"] == "telephones")
def leave_self(walk: "Walk", dice: Random) -> Call | None:
    key = pick(dice, walk.keys)
    if key is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "own_key": key, "now": walk.now}
    return Call(f"telephone {walk.keys.index(key) + 1} leaves", lambda: self_entry.leave_by_key(**about))


@act(entering=8, running=1, only=lambda modes: modes["entry"] == "accounts")
def enter_account(walk: "Walk", dice: Random) -> Call | None:
    """A player enters: alone, with a partner, or with a team."""
    people = dice.sample(walk.world.players, 4)
    player, other = people[0], people[1]
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "player": player, "now": walk.now}
    who = name(walk, player)
    if walk.modes["kind"] == "fours":
        size = 2 * walk.modes.seats
        names = [one.name for one in people[1:size]]
        row = make_team_row(1, dice.choice(TEAMS), [player.name, *names])
        return Call(f"{who} asks a team", lambda: team_entry.ask_team(row=row, **about))
    if walk.modes["kind"] in ("person", "drawn"):
        return Call(f"{who} enters", lambda: join.enter_player(wait=True, **about))
    if walk.modes.in_hall:
        names = draw_names(walk, dice, 1)
        key: dict[str, Any] = {"people": tuple(map(TypedPerson, names)), "own_key": "", "address": "192.0.2.7"}
        return Call(f"{who} enters with {names}", lambda: self_entry.enter_by_name(wait=True, **key, **about))

    def enter_and_confirm() -> None:
        entry = pairs.enter_pair(partner=other.name, wait=True, **about)
        if dice.random() < 0.9 and not entry.confirmed:
            pairs.confirm_pair(tournament_id=walk.tournament.pk, player=other, now=walk.now, entry_id=entry.pk)

    return Call(f"{who} enters with {name(walk, other)}", enter_and_confirm)


@act(entering=4, running=1, only=lambda modes: modes["entry"] == "accounts" and not modes.in_hall)
def answer_invitation(walk: "Walk", dice: Random) -> Call | None:
    invitation = pick(dice, PlayInvitation.objects.open().filter(tournament=walk.tournament).order_by("pk"))
    row = None if invitation is None else pick(dice, invitation.invitees.filter(accepted_at=None).order_by("pk"))
    if invitation is None or row is None:
        return None
    service = invitations.refuse_invitation if dice.random() < 0.1 else invitations.accept_invitation
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "player": row.player, "now": walk.now}
    return Call(f"{name(walk, row.player)} answers", lambda: service(invitation_id=invitation.pk, **about))


@act(entering=1, only=lambda modes: modes["entry"] == "accounts")
def leave_account(walk: "Walk", dice: Random) -> Call | None:
    player = dice.choice(walk.world.players)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "player": player, "now": walk.now}
    return Call(f"{name(walk, player)} leaves", lambda: join.leave_tournament(**about))


@act(entering=3, only=lambda modes: modes["house"] == "allowed")
def enter_house(walk: "Walk", dice: Random) -> Call | None:
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    count = dice.randint(1, 3)
    return Call(f"organiser asks {count} of the house", lambda: house.enter_house_players(count=count, **about))


@act(entering=1, running=1)
def remove_entry(walk: "Walk", dice: Random) -> Call | None:
    entry, by = pick(dice, list_entries(walk)), staff(walk, dice)
    if entry is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "entry_id": entry.pk, "now": walk.now}
    return Call(f"{name(walk, by)} removes {label(walk, entry)}", lambda: approvals.remove_entry(**about))


@act(entering=5, running=1, only=lambda modes: modes.in_hall)
def call_roll(walk: "Walk", dice: Random) -> Call | None:
    by = staff(walk, dice)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now}
    draw, entry = dice.random(), pick(dice, list_entries(walk))
    if draw < 0.5 or entry is None:
        return Call(f"{name(walk, by)} says all are there", lambda: checkin.check_in_everybody(**about))
    if draw < 0.6:
        return Call(f"{name(walk, by)} takes the roll call back", lambda: checkin.undo_roll_call(**about))
    present = dice.random() < 0.8 or walk.modes["absent"] == "no"
    words = f"{name(walk, by)} says {label(walk, entry)} is {'there' if present else 'absent'}"
    return Call(words, lambda: checkin.check_in_at_desk(entry_id=entry.pk, present=present, **about))


@act(entering=1, only=lambda modes: modes["seeding"] == "organiser")
def place_seeds(walk: "Walk", dice: Random) -> Call | None:
    entries = list_entries(walk)
    places: dict[int, int | None] = {entry.pk: dice.choice((None, *range(1, len(entries) + 1))) for entry in entries}
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    return Call(f"organiser seeds {list(places.values())}", lambda: seeding.place_entries(places=places, **about))


@act(entering=2, running=1, only=lambda modes: modes["kind"] == "drawn")
def choose_list(walk: "Walk", dice: Random) -> Call | None:
    entry, side = pick(dice, list_entries(walk)), dice.choice(("A", "A", "B", "B", ""))
    if entry is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    words = f"organiser puts {label(walk, entry)} on list {side}"
    return Call(words, lambda: partners.put_on_list(entry_id=entry.pk, side=side, **about))


@act(entering=1, running=1, only=lambda modes: modes["kind"] == "drawn")
def tie_people(walk: "Walk", dice: Random) -> Call | None:
    """Two stay a pair, or don't after all."""
    entries = list_entries(walk)
    chosen = dice.sample(list(entries), min(2, len(entries)))
    if len(chosen) < 2:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    if dice.random() < 0.3:
        words = f"organiser unties {label(walk, chosen[0])}"
        return Call(words, lambda: partners.untie_people(entry_id=chosen[0].pk, **about))
    ids = [entry.pk for entry in chosen]
    words = f"organiser ties {label(walk, chosen[0])} and {label(walk, chosen[1])}"
    return Call(words, lambda: partners.tie_people(entry_ids=ids, **about))


@act(entering=1, running=1, only=lambda modes: modes.in_hall)
def fix_table(walk: "Walk", dice: Random) -> Call | None:
    entry, by, table = pick(dice, list_entries(walk)), staff(walk, dice), dice.choice((None, 1, 2, 3))
    if entry is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "table": table}
    words = f"{name(walk, by)} fixes table {table} for {label(walk, entry)}"
    return Call(words, lambda: fixed_tables.fix_table(entry_id=entry.pk, **about))


@act(entering=1, running=1, over=1, only=lambda modes: modes.in_hall)
def rename_person(walk: "Walk", dice: Random) -> Call | None:
    member = pick(dice, walk.tournament.members.filter(person__player=None).order_by("pk"))
    names = draw_names(walk, dice, 1)
    if member is None or not names:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    typed: dict[str, Any] = {"person_id": member.person_id, "name": names[0], "suffix": ""}
    return Call(f"organiser renames somebody {names[0]}", lambda: typed_names.rename_person(**typed, **about))
