"""A plain policy that ends a tournament from wherever it stands: enter every open fixture, publish, close.

It acts as an organiser who wants to go home: through the services, with the reasons they ask for. It never annuls, and
takes back only what nobody could play on with (a pause, a ban). What it can't end is a fault.
"""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from bench.walker.kinds import NAMES, TEAMS, WHY, draw_decision, place
from games.models import Match
from tournaments.core.errors import TournamentError
from tournaments.desk import clocks, results
from tournaments.desk.act import Act
from tournaments.entries import checkin, typed_names
from tournaments.formats import FORMATS
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Fixture, Round, Tournament
from tournaments.organise import lifecycle
from tournaments.rounds import drafts
from tournaments.rounds import wishes as round_wishes
from tournaments.running import ways_out

if TYPE_CHECKING:
    from bench.walker.walk import Walk

State = Tournament.State
MOST_STEPS = 300  # a girone of nine teams of four with return matches has 18 rounds of 9 steps
Step = tuple[str, Callable[[], Any]]


class Unended(Exception):
    """Sentence about a tournament that the policy can't end."""


def choose_step(walk: "Walk", dice: Random) -> Step | None:
    """Return what brings the tournament nearer to its end; None where it has ended. Unended: there is nothing."""
    tournament = walk.tournament
    if tournament.state in (State.FINISHED, State.CANCELLED):
        return None
    if tournament.state != State.RUNNING:
        return _start(walk)
    if tournament.paused_at is not None:
        act = Act(walk.world.organiser, WHY, walk.now)
        return "lets all run on", lambda: clocks.resume_clocks(tournament_id=tournament.pk, fixture_id=None, act=act)
    return _enter_result(walk, dice) or _go_on(walk)


def _start(walk: "Walk") -> Step:
    """Fill what is to be drawn, and draw it; call off what can't be filled."""
    tournament, organiser = walk.tournament, walk.world.organiser
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": organiser, "now": walk.now}
    if not walk.modes.in_hall and not tournament.publishes_rounds:
        return "calls it off", lambda: lifecycle.cancel_tournament(reason=WHY, **about)
    missing = max(tournament.min_entries, walk.modes.joined * FORMATS[tournament.format].min_size)
    missing -= len(checkin.list_entries_to_draw(tournament))
    if walk.modes.in_hall and checkin.is_roll_called(tournament):
        absent = tournament.members.people().filter(checked_in_at=None).exists()
        if missing > 0 and absent:
            return "says all are there", lambda: checkin.check_in_everybody(**about)
        if missing > 0:
            rows = make_rows(tournament, missing)
            if rows and tournament.max_entries >= tournament.entries.count() + missing:
                return "fills it", lambda: typed_names.type_entries(rows=rows, **about)
    if missing > 0:
        return "calls it off", lambda: lifecycle.cancel_tournament(reason=WHY, **about)
    draft = drafts.read_draft(tournament)
    if draft is None or drafts.is_stale(tournament, draft):
        return "draws the first round", lambda: _draw(walk, about)
    return "publishes the first round", lambda: drafts.publish_round(number=1, **about)


def make_rows(tournament: Tournament, count: int) -> list[TypedEntry]:
    """Return so many entries of names that nobody has here; none where there are too few."""
    taken = set(tournament.members.values_list("person__typed_name", flat=True))
    names = [name for name in NAMES if name not in taken]
    teams = [team for team in TEAMS if not tournament.entries.filter(team_name=team).exists()]
    kind = tournament.entry_kind
    size = kind.least
    if len(names) < count * size or (kind.has_name and len(teams) < count):
        return []
    return [
        TypedEntry(
            number + 1,
            tuple(map(TypedPerson, names[number * size : (number + 1) * size])),
            team=teams[number] if kind.has_name else "",
        )
        for number in range(count)
    ]


def _draw(walk: "Walk", about: dict[str, Any]) -> None:
    """Draw the next round; allow what stands in its way, as the refusal says."""
    for _ in range(200):
        try:
            drafts.draw_round(**about)
        except TournamentError as refusal:
            ban = walk.tournament.forbidden_pairings.order_by("pk").first()
            if refusal.code == "round_stuck":
                stuck = drafts.find_next_round(walk.tournament) or 0
                ways_out.choose_way(number=stuck, way=Round.Way.END, reason=WHY, **about)
                return
            if refusal.code != "bans_in_the_way" or ban is None:
                raise
            round_wishes.allow_pairing(ban_id=ban.pk, **about)
        else:
            return


def _enter_result(walk: "Walk", dice: Random) -> Step | None:
    """Give a fixture that can be played a result, by whoever may judge there."""
    rows = Fixture.objects.of(walk.tournament).filter(state__in=(Fixture.State.READY, Fixture.State.PLAYING))
    ordered = rows.select_related("round", "first", "match").order_by("round__number", "board", "part")
    fixture = ordered.first()
    if fixture is None:
        return None
    organiser, referee = walk.world.organiser, walk.world.referees[0]
    by = referee if walk.tournament.members.of_player(organiser).exists() else organiser
    if fixture.match is not None and fixture.match.status == Match.Status.FINISHED and fixture.result_at is None:
        raise Unended(f"the table of {place(fixture)} is over, and its result isn't in")
    about: dict[str, Any] = {"tournament_id": walk.tournament.pk, "fixture_id": fixture.pk}
    act = Act(by, WHY, walk.now)
    if dice.random() < 0.1:
        return f"forfeit in {place(fixture)}", lambda: results.declare_forfeit(lines=(0,), act=act, **about)
    decision = draw_decision(walk, dice, fixture, wrong=0)
    return f"result of {place(fixture)}", lambda: results.set_result(decision=decision, act=act, **about)


def _go_on(walk: "Walk") -> Step:
    """Publish the next round. Unended: there is none, and it isn't over."""
    tournament = walk.tournament
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": walk.world.organiser, "now": walk.now}
    if not tournament.publishes_rounds:
        raise Unended("nothing can be played, and it isn't over")
    number = drafts.find_next_round(tournament)
    if number is None:
        raise Unended("all rounds are published, nothing can be played, and it isn't over")
    if tournament.format != "danese":
        waiting = drafts.list_waiting_rounds(tournament)
        if not waiting:
            raise Unended("no round can be published, nothing can be played, and it isn't over")
        return f"publishes round {waiting[0]}", lambda: drafts.publish_round(number=waiting[0], **about)
    draft = drafts.read_draft(tournament)
    if draft is None or draft.round != number or drafts.is_stale(tournament, draft):
        return f"draws round {number}", lambda: _draw(walk, about)
    return f"publishes round {number}", lambda: drafts.publish_round(number=number, **about)
