"""Acts about rounds: drawn, published and swapped, byes and bans, whoever comes late, a way out of a round."""

from random import Random
from typing import TYPE_CHECKING, Any

from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import (
    LateRequest,
    Round,
    RoundBye,
)
from tournaments.rounds import drafts, late_entries, late_requests, swaps
from tournaments.rounds import wishes as round_wishes
from tournaments.running import ways_out

if TYPE_CHECKING:
    from bench.walker.walk import Walk
from bench.walker.kinds import (
    WHY,
    Call,
    State,
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


@act(entering=4, running=6)
def draw_round(walk: "Walk", dice: Random) -> Call | None:
    by = staff(walk, dice)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now}
    return Call(f"{name(walk, by)} draws a round", lambda: drafts.draw_round(**about))


@act(entering=4, running=8)
def publish_round(walk: "Walk", dice: Random) -> Call | None:
    by, draft = staff(walk, dice), drafts.read_draft(walk.tournament)
    number = drafts.find_next_round(walk.tournament)
    if number is None or (draft is None and walk.tournament.state != State.RUNNING):
        return None
    number = number if dice.random() < 0.95 else dice.randint(1, 4)
    seen = draft.key if draft is not None and dice.random() < 0.7 else ""
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "seen": seen}
    anyway = dice.random() < 0.2
    words = f"{name(walk, by)} publishes round {number}"
    return Call(words, lambda: drafts.publish_round(number=number, anyway=anyway, **about))


@act(running=2, only=lambda modes: modes["format"].startswith("danese"))
def choose_way(walk: "Walk", dice: Random) -> Call | None:
    """Choose how a round is played that can't be paired, or that the tournament ends before it (D1)."""
    by, number = staff(walk, dice), walk.tournament.stuck_round
    if number is None:
        if dice.random() < 0.9:
            return None
        number = dice.randint(1, 5)
    way = dice.choice(Round.Way.values)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "reason": WHY}
    words = f"{name(walk, by)} chooses {way} for round {number}"
    return Call(words, lambda: ways_out.choose_way(number=number, way=way, **about))


@act(entering=2, running=2)
def swap_entries(walk: "Walk", dice: Random) -> Call | None:
    draft = drafts.read_draft(walk.tournament)
    if draft is None:
        return None
    drafted = sorted(drafts.list_drafted(draft.pairs))
    first, second = dice.choice(drafted), dice.choice(drafted)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    words = f"organiser swaps {drafted.index(first) + 1} and {drafted.index(second) + 1} of the draft"
    return Call(words, lambda: swaps.swap_entries(first_id=first, second_id=second, **about))


@act(entering=2, running=4, only=lambda modes: modes["byes"] == "yes" or modes["absent"] == "yes")
def leave_out(walk: "Walk", dice: Random) -> Call | None:
    """Somebody asks for a bye, or is absent from a round."""
    entry, by = pick(dice, list_entries(walk)), staff(walk, dice)
    if entry is None or walk.modes.format != "danese":
        return None
    byes, absent = walk.modes["byes"] == "yes", walk.modes["absent"] == "yes"
    kind = dice.choice([*(["asked"] if byes else []), *(["absent"] if absent else [])])
    open_ = round_wishes.list_open_rounds(walk.tournament) if walk.tournament.state != State.DRAFT else []
    number = dice.choice([*open_[:2], *open_, dice.randint(1, 5)])
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "kind": kind}
    words = f"{name(walk, by)} leaves {label(walk, entry)} out of round {number}: {kind}"
    return Call(words, lambda: round_wishes.leave_out(entry_id=entry.pk, number=number, **about))


@act(entering=1, running=1, only=lambda modes: modes["byes"] == "yes" or modes["absent"] == "yes")
def take_bye_back(walk: "Walk", dice: Random) -> Call | None:
    bye = pick(dice, RoundBye.objects.filter(entry__tournament=walk.tournament).order_by("pk"))
    if bye is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    words = f"organiser takes a bye of round {bye.number} back"
    return Call(words, lambda: round_wishes.take_bye_back(bye_id=bye.pk, **about))


@act(entering=2, running=3, only=lambda modes: modes["bans"] == "yes")
def forbid_pairing(walk: "Walk", dice: Random) -> Call | None:
    entries = list_entries(walk)
    chosen = dice.sample(entries, min(len(entries), dice.choice((2, 2, 2, 3))))
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    words = f"organiser forbids {', '.join(label(walk, entry) for entry in chosen)}"
    return Call(words, lambda: round_wishes.forbid_pairings(entry_ids=[entry.pk for entry in chosen], **about))


@act(entering=1, running=1, only=lambda modes: modes["bans"] == "yes")
def allow_pairing(walk: "Walk", dice: Random) -> Call | None:
    ban = pick(dice, walk.tournament.forbidden_pairings.order_by("pk"))
    if ban is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    return Call("organiser allows a pair", lambda: round_wishes.allow_pairing(ban_id=ban.pk, **about))


@act(running=5, only=lambda modes: modes["late"] == "yes" and modes["entry"] != "accounts")
def enter_late(walk: "Walk", dice: Random) -> Call | None:
    """The organiser enters somebody who comes late."""
    row = draw_typed(walk, dice, 1)
    if row is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    names = [person.name for person in row.people]
    words = f"organiser enters late {say_typed(row)}"
    more: dict[str, Any] = {"team": row.team, "another": row.another}
    return Call(words, lambda: late_entries.enter_late_names(names=names, **more, **about))


@act(running=3, only=lambda modes: modes["late"] == "yes")
def ask_late(walk: "Walk", dice: Random) -> Call | None:
    """Somebody asks to come late: by names, or with an account."""
    arguments: dict[str, Any] = {"tournament_id": walk.tournament.pk, "now": walk.now, "address": "192.0.2.7"}
    if walk.modes["entry"] == "accounts":
        player = dice.choice(walk.world.players)
        names = draw_names(walk, dice, walk.modes.seats - 1) if walk.modes.in_hall else []
        people = tuple(map(TypedPerson, names))
        about: dict[str, Any] = {"player": player, "people": people, "own_key": "", **arguments}
        return Call(f"{name(walk, player)} asks to come late", lambda: late_requests.ask_to_enter_late(**about))
    row = draw_typed(walk, dice, 1)
    if row is None or row.team:
        return None
    key = f"telephone {dice.randrange(10**9)}"
    walk.keys.append(key)
    asked: dict[str, Any] = {"player": None, "people": row.people, "own_key": key, "another": row.another, **arguments}
    return Call(f"telephone asks to come late: {say_typed(row)}", lambda: late_requests.ask_to_enter_late(**asked))


@act(running=3, only=lambda modes: modes["late"] == "yes")
def answer_late(walk: "Walk", dice: Random) -> Call | None:
    asked = pick(dice, LateRequest.objects.filter(tournament=walk.tournament))
    if asked is None:
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    yes = dice.random() < 0.8
    words = f"organiser says {'yes' if yes else 'no'} to {asked.people or 'an account'}"
    return Call(words, lambda: late_requests.answer_late_request(request_id=asked.pk, yes=yes, **about))
