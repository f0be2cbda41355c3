"""Acts of everybody through the services: each looks at the tournament, draws what it does by dice, and returns a call.

An act may ask for what is refused: what counts is that it is refused by a name, and has changed nothing then. It draws
from its own dice alone and counts rows in their order, so that a walk is the same again, also without other acts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from games.engine.scores import CUT_SHORT
from games.models import Match, Seat
from games.services import playing, seating
from players.models import Player
from tournaments import sweep
from tournaments.core.result import find_context
from tournaments.desk import (
    clocks,
    phone_results,
    real_table_acts,
    reinstatement,
    results,
    slip_codes,
    substitution,
    undo,
)
from tournaments.desk.act import Act, compute_stamp
from tournaments.desk.phone_results import TypedResult
from tournaments.desk.results import Decision
from tournaments.entries import (
    approvals,
    checkin,
    fixed_tables,
    house,
    invitations,
    join,
    pairs,
    seeding,
    self_entry,
    team_entry,
    typed_names,
)
from tournaments.entries.spreadsheet import Row
from tournaments.entries.typed_entries import TypedEntry, TypedPerson
from tournaments.models import (
    Entry,
    Fixture,
    LateRequest,
    PlayInvitation,
    Round,
    RoundBye,
    RoundClock,
    ScoreSlip,
    Tournament,
)
from tournaments.organise import lifecycle
from tournaments.running import (
    drafts,
    late_entries,
    late_requests,
    line_ups,
    round_clocks,
    round_wishes,
    swaps,
    ways_out,
)
from tournaments.running.round_clocks import ClockPlace
from tournaments.running.withdraw import withdraw_entry

if TYPE_CHECKING:
    from bench.walker.walk import Walk

Chosen = TypeVar("Chosen")
State = Tournament.State
FIRST_NAMES = (
    "Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines", "Lino", "Mara", "Nora", "Otto", "Pia", "Rino",
    "Sara", "Tino",
)  # fmt: skip
NAMES = tuple(f"{first} {last}" for last in ("Neri", "Verdi", "D'Amico", "Peña Weiß") for first in FIRST_NAMES)
TEAMS = ("Leoni", "Volpi", "Orsi", "Lupi", "Gatti", "Falchi", "Tassi", "Cervi", "Aquile", "Draghi", "Lepri")
WHY = "Così ha visto l'arbitro"
ANYBODY = "*"  # among those who were said to be others: whoever a page has entered may be


class Call(NamedTuple):
    """Act that is about to be done: ``words`` of what, and by whom. ``clock``: time passes, by nobody."""

    words: str
    run: Callable[[], Any]


Chooser = Callable[["Walk", Random], Call | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of act: how likely it is before the draw, while it is played and after its end."""

    name: str
    choose: Chooser
    entering: int = 0
    running: int = 0
    over: int = 0
    only: Callable[[Any], bool] = lambda modes: True

    def weigh(self, walk: "Walk") -> int:
        state = walk.tournament.state
        if not self.only(walk.modes):
            return 0
        if state in (State.DRAFT, State.OPEN, State.CHECKIN):
            return self.entering
        return self.running if state == State.RUNNING else self.over if state == State.FINISHED else 0


KINDS: list[Kind] = []


def act(**weights: Any) -> Callable[[Chooser], Chooser]:
    """Add a kind of act."""

    def add(choose: Chooser) -> Chooser:
        KINDS.append(Kind(choose.__name__, choose, **weights))
        return choose

    return add


def pick(dice: Random, among: Iterable[Chosen]) -> Chosen | None:
    """Return one of these; None where there is none."""
    known = list(among)
    return dice.choice(known) if known else None


# --- Who, whom, what --------------------------------------------------------------------------------------------------


def staff(walk: "Walk", dice: Random) -> Player:
    """Return who acts at the desk: mostly the organiser, now and then somebody who may not."""
    referee, other = walk.world.referees
    return dice.choices([walk.world.organiser, referee, other, walk.world.players[0]], [12, 4, 3, 1])[0]


def name(walk: "Walk", player: Player) -> str:
    """Return who somebody is, in the list of acts."""
    if player == walk.world.organiser:
        return "organiser"
    if player in walk.world.referees:
        return f"referee {walk.world.referees.index(player) + 1}"
    return f"player {walk.world.players.index(player) + 1}" if player in walk.world.players else "house"


def list_fixtures(walk: "Walk") -> list[Fixture]:
    """Return the fixtures in which two meet."""
    rows = Fixture.objects.of(walk.tournament).filter(first__isnull=False, second__isnull=False)
    return list(rows.select_related("round", "first", "second").order_by("round__number", "board", "part"))


def pick_fixture(walk: "Walk", dice: Random, *, open_: int = 6) -> Fixture | None:
    """Return a fixture: so many times likelier one that can be played now."""
    rows = list_fixtures(walk)
    weights = [open_ if row.state in (Fixture.State.READY, Fixture.State.PLAYING) else 1 for row in rows]
    return dice.choices(rows, weights)[0] if rows else None


def place(fixture: Fixture) -> str:
    """Return a fixture's round and board."""
    return f"{fixture.round.number}-{fixture.board}" + (f"-{fixture.part}" if fixture.part else "")


def list_entries(walk: "Walk") -> list[Entry]:
    """Return the entries in their order."""
    return list(walk.tournament.entries.order_by("seed", "pk"))


def label(walk: "Walk", entry: Entry) -> str:
    """Return an entry's place in the order of entering."""
    return f"entry {list(walk.tournament.entries.order_by('pk').values_list('pk', flat=True)).index(entry.pk) + 1}"


def draw_decision(walk: "Walk", dice: Random, fixture: Fixture, *, wrong: float = 0.04) -> Decision:
    """Return points that a match of this game can have, and so often some that it can't."""
    game, context = walk.modes.game, find_context(walk.tournament, fixture)
    if dice.random() < wrong:
        points = (dice.randint(0, 30), dice.randint(0, 30))
        return Decision(points=points, winner=dice.choice((None, 0, 1)))
    if game.level and context == "round_robin" and dice.random() < 0.2:
        points = dice.choice(game.level)
        return Decision(points=points, winner=None, deals=(points,))
    deals = dice.choice(game.deals)
    winner = dice.randrange(2)
    deals = tuple((b, a) for a, b in deals) if winner else deals
    points = (sum(a for a, _b in deals), sum(b for _a, b in deals))
    told = walk.tournament.equal_deals or dice.random() < 0.3
    return Decision(points=points, winner=winner, deals=deals if told else ())


def draw_lines(dice: Random) -> tuple[int, ...]:
    """Return who forfeits: a side or both."""
    return dice.choice(((0,), (1,), (0, 1), (0, 1)))


def make_act(walk: "Walk", by: Player, dice: Random, fixture: Fixture | None = None) -> Act:
    """Return the frame of a referee's act, as their page sends it."""
    reason = "" if dice.random() < 0.1 else WHY
    stamp = compute_stamp(fixture) if fixture is not None and dice.random() < 0.5 else ""
    return Act(by=by, reason=reason, now=walk.now, key=f"{dice.random():.17f}", stamp=stamp)


def draw_names(walk: "Walk", dice: Random, count: int) -> list[str]:
    """Return so many names that nobody here has; now and then one that somebody has."""
    taken = set(walk.tournament.members.values_list("person__typed_name", flat=True))
    free = [one for one in NAMES if one not in taken]
    names = dice.sample(free, min(count, len(free)))
    known = sorted(taken & set(NAMES))
    if names and known and dice.random() < 0.08:
        names[0] = dice.choice(known)
    return names


def draw_typed(walk: "Walk", dice: Random, number: int) -> TypedEntry | None:
    """Return an entry as somebody types it."""
    tournament = walk.tournament
    size = tournament.line_up_size + (dice.randint(0, 1) if walk.modes["kind"] == "team" else 0)
    names = draw_names(walk, dice, max(size, 2) if tournament.has_teams else size)
    taken = set(tournament.entries.values_list("team_name", flat=True))
    team = pick(dice, [one for one in TEAMS if one not in taken]) if tournament.has_teams else ""
    if len(names) < size or team is None:
        return None
    another = dice.random() < 0.1
    if another:
        walk.others.update(name.casefold() for name in names)
    return TypedEntry(number, tuple(map(TypedPerson, names)), team=team, another=another)


def say_typed(row: TypedEntry) -> str:
    names = " – ".join(person.name for person in row.people)
    return names + (f" ({row.team})" if row.team else "") + (", another" if row.another else "")


# --- Entering and leaving ---------------------------------------------------------------------------------------------


@act(entering=8, running=1, only=lambda modes: modes.in_hall)
def type_names(walk: "Walk", dice: Random) -> Call | None:
    """The organiser types entries, one or a list."""
    by, listed = staff(walk, dice), dice.random() < 0.4
    rows: list[TypedEntry] = []
    for number in range(1, (dice.randint(1, 3) if listed else 1) + 1):
        row = draw_typed(walk, dice, number)
        if row is not None and not any(set(row.people) & set(other.people) for other in rows):
            rows.append(row)
    if not rows or len({row.number for row in rows}) < len(rows):
        return None
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now}
    words = "; ".join(map(say_typed, rows))
    return Call(f"{name(walk, by)} types {words}", lambda: typed_names.type_entries(rows=rows, **about))


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
    known: dict[str, Any] = {"tournament_id": walk.tournament.pk, "player": None, "now": walk.now, "wait": True}
    return Call(f"telephone enters {say_typed(row)}", lambda: self_entry.enter_by_name(**about, **known))


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
        team = dice.choice(TEAMS)
        row = Row(1, player.name, *names, team=team)
        return Call(f"{who} asks a team", lambda: team_entry.ask_team(row=row, **about))
    if walk.modes["kind"] == "person":
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


# --- Rounds -----------------------------------------------------------------------------------------------------------


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
    known: dict[str, Any] = {"tournament_id": walk.tournament.pk, "now": walk.now, "address": "192.0.2.7"}
    if walk.modes["entry"] == "accounts":
        player = dice.choice(walk.world.players)
        names = draw_names(walk, dice, walk.modes.seats - 1) if walk.modes.in_hall else []
        people = tuple(map(TypedPerson, names))
        about: dict[str, Any] = {"player": player, "people": people, "own_key": "", **known}
        return Call(f"{name(walk, player)} asks to come late", lambda: late_requests.ask_to_enter_late(**about))
    row = draw_typed(walk, dice, 1)
    if row is None or row.team:
        return None
    key = f"telephone {dice.randrange(10**9)}"
    walk.keys.append(key)
    asked: dict[str, Any] = {"player": None, "people": row.people, "own_key": key, "another": row.another, **known}
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


# --- Results ----------------------------------------------------------------------------------------------------------


def _decide(walk: "Walk", dice: Random, service: Any, words: str, *, open_: int = 6, **more: Any) -> Call | None:
    fixture, by = pick_fixture(walk, dice, open_=open_), staff(walk, dice)
    if fixture is None:
        return None
    if more.pop("decides", False):
        more["decision"] = draw_decision(walk, dice, fixture)
        words = f"enters {more['decision'].points[0]}-{more['decision'].points[1]} for"
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "fixture_id": fixture.pk}
    own = make_act(walk, by, dice, fixture)
    return Call(f"{name(walk, by)} {words} {place(fixture)}", lambda: service(act=own, **about, **more))


@act(running=30, over=2)
def set_result(walk: "Walk", dice: Random) -> Call | None:
    return _decide(walk, dice, results.set_result, "", open_=12, decides=True)


@act(running=10, over=1)
def declare_forfeit(walk: "Walk", dice: Random) -> Call | None:
    lines = draw_lines(dice)
    return _decide(walk, dice, results.declare_forfeit, f"forfeit of {lines} in", lines=lines, open_=12)


@act(running=2, over=1)
def annul_result(walk: "Walk", dice: Random) -> Call | None:
    return _decide(walk, dice, results.annul_result, "annuls", open_=1)


@act(running=2, over=1)
def restore_result(walk: "Walk", dice: Random) -> Call | None:
    return _decide(walk, dice, results.restore_result, "restores", open_=1)


@act(running=2, over=1)
def order_replay(walk: "Walk", dice: Random) -> Call | None:
    return _decide(walk, dice, results.order_replay, "has replayed", open_=1)


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
    walk.others.add(names[0].casefold())  # nobody asks there whether it is another
    words = f"{name(walk, by)} puts {names[0]} in somebody's place"
    return Call(words, lambda: substitution.replace_typed_person(person_id=member.person_id, act=own, **about))


@act(running=1, only=lambda modes: modes["kind"] in ("team", "fours") and modes.in_hall)
def name_line_up(walk: "Walk", dice: Random) -> Call | None:
    entry, by = pick(dice, list_entries(walk)), staff(walk, dice)
    if entry is None:
        return None
    people = list(entry.members.order_by("position").values_list("person", flat=True))
    dice.shuffle(people)
    chosen = people[: walk.tournament.line_up_size]
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "person_ids": chosen}
    fixture = pick_fixture(walk, dice)
    if fixture is not None and fixture.part < 2 and fixture.first_id == entry.pk and dice.random() < 0.5:
        words = f"{name(walk, by)} changes the line-up of {place(fixture)}"
        return Call(words, lambda: line_ups.change_line_up(fixture_id=fixture.pk, side=0, **about))
    words = f"{name(walk, by)} names the line-up of {label(walk, entry)}"
    return Call(words, lambda: line_ups.name_line_up(entry_id=entry.pk, **about))


# --- Telephones and clocks --------------------------------------------------------------------------------------------


@act(running=5, only=lambda modes: modes.in_hall)
def print_slips(walk: "Walk", dice: Random) -> Call | None:
    by, anew = staff(walk, dice), dice.random() < 0.2
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "anew": anew}

    def run() -> None:
        for slip in slip_codes.print_slips(**about):
            walk.codes[slip.fixture.pk] = slip.codes

    return Call(f"{name(walk, by)} prints slips", run)


@act(running=8, only=lambda modes: modes.in_hall)
def use_telephone(walk: "Walk", dice: Random) -> Call | None:
    """A side types its result, confirms the other's, or objects to it."""
    slips = ScoreSlip.objects.filter(fixture__round__tournament=walk.tournament, fixture__in=walk.codes)
    slip = pick(dice, slips.select_related("fixture__round").order_by("fixture"))
    if slip is None:
        return None
    fixture, side = slip.fixture, dice.randrange(2)
    code = walk.codes[fixture.pk][side] if dice.random() < 0.95 else "WWWWWWWW"
    digest = slip_codes.compute_code_digest(walk.tournament, code)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "digest": digest, "now": walk.now}
    other = phone_results.read_typed(slip, 1 - side)
    who, draw = f"telephone {side + 1} of {place(fixture)}", dice.random()
    if other is not None and draw < 0.5:
        return Call(f"{who} confirms", lambda: phone_results.confirm_result(seen=other, **about))
    if other is not None and draw < 0.65:
        return Call(f"{who} objects", lambda: phone_results.object_to_result(**about))
    if draw > 0.9:
        beside = walk.codes[fixture.pk][1 - side]
        return Call(f"{who} takes the other's code", lambda: phone_results.confirm_beside(code=beside, **about))
    forfeits = draw_lines(dice) if dice.random() < 0.1 else ()
    decision = None if forfeits else draw_decision(walk, dice, fixture)
    typed = TypedResult(forfeits, decision)
    words = f"{who} types {forfeits or (decision and decision.points)}"
    return Call(words, lambda: phone_results.type_result(typed=typed, **about))


@act(running=3, only=lambda modes: modes["clock"] != "none")
def use_clock(walk: "Walk", dice: Random) -> Call | None:
    rows = round_clocks.read_clocks(walk.tournament, walk.now)
    at = pick(dice, [row.place for row in rows]) or ClockPlace(1, 1)
    by = staff(walk, dice)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": by, "now": walk.now, "place": at}
    started = RoundClock.objects.filter(round__tournament=walk.tournament).exists()
    service = dice.choice(
        [round_clocks.start_clock] * (1 if started else 4) + [round_clocks.pause_clock, round_clocks.resume_clock]
    )
    if dice.random() < 0.2:
        minutes, table = dice.randint(0, 20), dice.choice((None, 1, 2))
        words = f"{name(walk, by)} gives {minutes} minutes to {at}, table {table}"
        return Call(words, lambda: round_clocks.give_more(minutes=minutes, table=table, **about))
    return Call(f"{name(walk, by)} {service.__name__} {at}", lambda: service(**about))


@act(running=2, over=1)
def hold_everything(walk: "Walk", dice: Random) -> Call | None:
    by = staff(walk, dice)
    held = walk.tournament.paused_at is not None
    service = clocks.resume_clocks if held else clocks.hold_clocks
    if dice.random() < 0.1:
        service = clocks.hold_clocks
    own = make_act(walk, by, dice)
    words = f"{name(walk, by)} {service.__name__} of all"
    return Call(words, lambda: service(tournament_id=walk.tournament.pk, fixture_id=None, act=own))


@act(running=2, only=lambda modes: modes["clock"] != "none")
def cut_short(walk: "Walk", dice: Random) -> Call | None:
    """The time of the round is up, and the points as they are are entered."""
    fixture = pick_fixture(walk, dice, open_=20)
    if fixture is None:
        return None
    first, second = dice.randint(0, 6), dice.randint(0, 6)
    winner = None if first == second else int(first < second)
    way = CUT_SHORT if dice.random() < 0.5 else ""
    decision = Decision(points=(first, second), winner=winner, decided_by=way)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "fixture_id": fixture.pk, "decision": decision}
    own = make_act(walk, walk.world.organiser, dice, fixture)
    words = f"organiser enters {first}-{second} {way} for {place(fixture)}"
    return Call(words, lambda: results.set_result(act=own, **about))


@act(entering=2, running=4, over=1)
def wait(walk: "Walk", dice: Random) -> Call | None:
    """Time passes, and the clock does what is due."""
    minutes = dice.choice((1, 5, 15, 45, 90))
    return Call(f"{minutes} minutes pass", lambda: pass_time(walk, timedelta(minutes=minutes)))


def pass_time(walk: "Walk", time: timedelta) -> None:
    """Let time pass, and do what the sweep does for tournaments."""
    walk.now += time
    for fixture_id in list(sweep.list_due_slips(walk.now)):
        sweep.enter_unconfirmed(fixture_id, walk.now)
    for tournament_id in list(sweep.list_overdue_pairs(walk.now)):
        sweep.expire_holds(tournament_id, walk.now)
    for tournament_id in list(sweep.list_overdue_invitations(walk.now)):
        sweep.expire_invitations(tournament_id, walk.now)
    for tournament_id in list(sweep.list_due_starts(walk.now)):
        sweep.start_tournament(tournament_id, walk.now)
    for fixture_id in list(sweep.list_due_fixtures(walk.now)):
        sweep.open_fixture(fixture_id, walk.now)


# --- On the site ------------------------------------------------------------------------------------------------------


def _list_tables(walk: "Walk") -> list[Match]:
    playing = Match.objects.filter(fixture__round__tournament=walk.tournament).exclude(status=Match.Status.FINISHED)
    return list(playing.order_by("pk"))


@act(running=8, only=lambda modes: not modes.in_hall)
def open_tables(walk: "Walk", dice: Random) -> Call | None:
    return Call("the tables open", lambda: pass_time(walk, timedelta(seconds=20)))


@act(running=8, only=lambda modes: not modes.in_hall)
def abandon(walk: "Walk", dice: Random) -> Call | None:
    """Have those at a table sit down, and one of them give it up."""
    match = pick(dice, _list_tables(walk))
    seat = None if match is None else pick(dice, Seat.objects.filter(match=match, player__kind__in=("guest", "member")))
    if match is None or seat is None:
        return None
    return Call(f"{name(walk, seat.player)} gives their table up", lambda: give_up(walk, match, seat.number))


def give_up(walk: "Walk", match: Match, number: int) -> None:
    """Have everybody sit down at a table, and the player of a seat lose it by giving up."""
    for seat in Seat.objects.filter(match=match).exclude(player__kind=Player.Kind.HOUSE).order_by("number"):
        token = f"window {seat.number}"
        seating.sit_down(match_id=match.pk, player_id=seat.player_id, token="", now=walk.now)
        seating.sit_down(match_id=match.pk, player_id=seat.player_id, token=token, now=walk.now)
    at: dict[str, Any] = {"seat": number, "control": f"window {number}", "client_id": None, "now": walk.now}
    playing.abandon(match_id=match.pk, confirm=True, **at)


@act(running=2, only=lambda modes: not modes.in_hall)
def stay_away(walk: "Walk", dice: Random) -> Call | None:
    """Nobody comes to a table until its no-show time is over."""
    from games.services import settlement

    match = pick(dice, _list_tables(walk))
    if match is None or match.noshow_at is None:
        return None

    def run() -> None:
        assert match.noshow_at is not None
        walk.now = max(walk.now, match.noshow_at + timedelta(seconds=10))
        settlement.expire_overdue(match_id=match.pk, now=walk.now)

    return Call("nobody comes to a table", run)


@act(running=3, only=lambda modes: not modes.in_hall)
def move_table(walk: "Walk", dice: Random) -> Call | None:
    draw = dice.random()
    service = real_table_acts.move_to_real_table if draw < 0.6 else real_table_acts.move_to_site
    more: dict[str, Any] = {"table": dice.choice((None, 1, 2))} if draw < 0.6 else {}
    return _decide(walk, dice, service, service.__name__, **more)


# --- The tournament ---------------------------------------------------------------------------------------------------


@act(entering=1, running=1)
def edit_settings(walk: "Walk", dice: Random) -> Call | None:
    from dataclasses import replace

    from tournaments.organise.settings import read_settings

    settings = read_settings(walk.tournament)
    changed: Sequence[dict[str, Any]] = (
        {"name": "Un altro nome"}, {"max_entries": dice.randint(2, 16)}, {"min_entries": dice.randint(2, 5)},
        {"hall_tables": dice.choice((None, 1, 2, 3))}, {"tie_break": dice.choice(("standard", "rete", "club"))},
    )  # fmt: skip
    more = dice.choice(changed)
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "by": walk.world.organiser, "now": walk.now}
    new = replace(settings, **more)
    return Call(f"organiser edits {more}", lambda: lifecycle.edit_tournament(settings=new, **about))
