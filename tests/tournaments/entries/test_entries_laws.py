"""Laws of places, waiting list and check-in (E3, E4) under any acts before the draw, in any order.

The services are held against a model of a few entries.
"""

from datetime import datetime, timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from players.models import Player
from tests.support.entries import change_settings, list_placed, list_waiting
from tests.support.people import create_person
from tests.support.thorough import tries
from tests.support.tournaments import Opened
from tournaments.core import reads
from tournaments.core.errors import TournamentError
from tournaments.entries import approvals, checkin, join
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.organise import lifecycle
from tournaments.running import start

pytestmark = [pytest.mark.django_db]

HOUR = timedelta(hours=1)
ACTS = ("join", "wait", "leave", "approve", "decline", "remove", "check in", "more", "fewer", "window")
STEPS = st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 7)), min_size=5, max_size=20)


def step(tournament: Tournament, organiser: Player, player: Player, act: str, now: datetime) -> None:
    """Do it, if it can be done."""
    entry = Entry.objects.filter(tournament=tournament, members__person__player=player).first()
    here = {"tournament_id": tournament.pk, "now": now}
    entry_id = 0 if entry is None else entry.pk
    most = Tournament.objects.get(pk=tournament.pk).max_entries
    if act in ("join", "wait"):
        join.enter_player(player=player, wait=act == "wait", **here)
    elif act == "leave":
        join.leave_tournament(player=player, **here)
    elif act == "approve":
        approvals.approve_entries(by=organiser, entry_id=entry_id, **here)
    elif act == "decline":
        approvals.turn_down_entries(by=organiser, entry_id=entry_id, **here)
    elif act == "remove":
        approvals.remove_entry(by=organiser, entry_id=entry_id, **here)
    elif act == "check in":
        checkin.check_in(player=player, **here)
    elif act in ("more", "fewer"):
        tournament.refresh_from_db()
        wanted = change_settings(tournament, max_entries=most + (1 if act == "more" else -1))
        lifecycle.edit_tournament(by=organiser, settings=wanted, **here)
    else:
        start.start_due(tournament_id=tournament.pk, now=now + 45 * timedelta(minutes=1))


@pytest.mark.rule("E3", "E4")
@settings(
    max_examples=tries(6, 40),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # each example is seconds of database: none is spent on a smaller one
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS, registration=st.sampled_from(["open", "approval"]))
def test_nobody_has_a_place_too_many_nobody_is_lost_and_nobody_is_overtaken_e3_e4(
    opened: Opened, organiser: Player, now: datetime, steps: list[tuple[str, int]], registration: str
) -> None:
    everybody = [
        Player.objects.filter(name=f"Socio {n}x").first() or create_person(f"Socio {n}x", now) for n in range(8)
    ]
    before = transaction.savepoint()
    try:
        all_holds(opened, organiser, everybody, now, steps, registration)
    finally:
        transaction.savepoint_rollback(before)


def all_holds(
    opened: Opened,
    organiser: Player,
    everybody: list[Player],
    now: datetime,
    steps: list[tuple[str, int]],
    registration: str,
) -> None:
    tournament = opened(max_entries=3, starts_at=now + HOUR, checkin_minutes=15, registration=registration)
    inside: set[str] = set()
    queue: list[str] = []
    for number, (act, who) in enumerate(steps):
        player, before = everybody[who], list_waiting(tournament)
        try:
            step(tournament, organiser, player, act, now + timedelta(seconds=number))
        except TournamentError:
            assert list_waiting(tournament) == before, "what is refused changes nothing"
            continue
        if act in ("join", "wait"):
            inside.add(player.name)
        elif act in ("leave", "decline", "remove"):
            inside.discard(player.name)
        tournament.refresh_from_db()
        queue = list_waiting(tournament)
        assert len(list_placed(tournament)) <= tournament.max_entries
        assert not queue or len(list_placed(tournament)) == tournament.max_entries, "nobody waits while there is room"
        stayed = [name for name in before if name in queue]
        assert queue[: len(stayed)] == stayed, "who came later is behind"
        moved = [name for name in before if name in list_placed(tournament)]
        assert moved == [name for name in before if name in inside][: len(moved)], "the first of the list go up"
        asking = [entry.name for entry in reads.read_all_entries(tournament) if not entry.approved]
        assert sorted([*list_placed(tournament), *queue, *asking]) == sorted(inside), "nobody is lost"
    checked = EntryMember.objects.filter(tournament=tournament, checked_in_at__isnull=False)
    present = set(checked.values_list("person__player__name", flat=True))
    window = tournament.state == Tournament.State.CHECKIN
    expected = [name for name in list_placed(tournament) if name in present or not window]
    if window:
        expected += [name for name in queue if name in present][: tournament.max_entries - len(expected)]
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    tournament.refresh_from_db()
    if len(expected) < 2:
        assert tournament.state == Tournament.State.CANCELLED
    else:
        assert tournament.state == Tournament.State.RUNNING
        assert sorted(list_placed(tournament)) == sorted(expected)
        assert Entry.objects.filter(tournament=tournament).count() == len(expected), "only entries are left"
