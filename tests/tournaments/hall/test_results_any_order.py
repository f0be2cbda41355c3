"""Standings and bracket are what the results alone give, after any acts of a referee in any order (F3)."""

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import transaction

from games.services import settlement
from players.models import Player
from tests.support.people import create_person
from tests.support.play import stored_equals_recomputed
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.errors import TournamentError
from tournaments.desk import clocks, reinstatement, results
from tournaments.desk.act import Act
from tournaments.desk.results import Decision
from tournaments.entries import join
from tournaments.models import Fixture, Tournament
from tournaments.organise import settings
from tournaments.running import tables, withdraw
from tournaments.running.recompute import find_differences
from tournaments.running.results import record_result

pytestmark = pytest.mark.django_db

State = Fixture.State
GROUPS = replace(GIRONE, format="gironi", format_options={"groups": 2, "qualify": 1})
DANESE = replace(GIRONE, format="danese")
FIELDS = (
    (KO, 5), (GIRONE, 4), (GROUPS, 6), (DANESE, 5),
    *tries((), ((KO, 2), (KO, 33), (KO, 64), (GIRONE, 2), (GIRONE, 13), (GIRONE, 64), (GROUPS, 24), (DANESE, 32))),
)  # fmt: skip
MAX_ENDED = 300  # fixtures of a tournament that is also ended: each result recomputes a girone of 64 from 2,016


def anything(tournament: Tournament, by: Player, dice: Random, now: datetime) -> str:
    """Do one act on one fixture of two known entries. Return the code of its refusal, empty where it was done."""
    known = Fixture.objects.filter(round__tournament=tournament, first__isnull=False, second__isnull=False)
    fixture = dice.choice(list(known.order_by("pk")))
    about = {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "act": Act(by=by, reason="Perché sì", now=now)}
    what = dice.choice(("open", *["result"] * 3, "annul", "reinstate", "forfeit", "replay", "pause", "leave", "return"))
    entry_id = dice.choice((fixture.first_id, fixture.second_id))
    try:
        if what == "open":
            tables.open_due_fixture(fixture_id=fixture.pk, now=now)
        elif what == "result":
            winner = dice.randint(0, 1)
            more = dice.randint(6, 11)
            points = (11 - more, more) if winner else (more, 11 - more)
            results.set_result(decision=Decision(points=points, winner=winner), **about)
        elif what == "annul":
            results.annul_result(**about)
        elif what == "reinstate":
            results.restore_result(**about)
        elif what == "forfeit":
            results.declare_forfeit(lines=dice.choice(((0,), (1,), (0, 1))), **about)
        elif what == "replay":
            results.order_replay(**about)
        elif what == "leave":
            expelled = dice.random() < 0.5
            withdraw.withdraw_entry(
                tournament_id=tournament.pk, entry_id=entry_id or 0, by=by, reason="Via", now=now, expelled=expelled
            )
        elif what == "return":
            act = Act(by=by, reason="Torna", now=now)
            reinstatement.reinstate_entry(tournament_id=tournament.pk, entry_id=entry_id or 0, act=act)
        else:
            clocks.hold_clocks(**about)
    except TournamentError as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("seed", range(tries(1, 3)))
@pytest.mark.parametrize(("base", "size"), FIELDS, ids=[f"{base.format}-{size}" for base, size in FIELDS])
def test_any_acts_leave_what_recomputing_gives_f3(
    opened: Opened, now: datetime, base: settings.Settings, size: int, seed: int
) -> None:
    dice = Random(f"{base.format} {size} {seed}")
    organiser = create_person("Rosa", now)
    tournament = opened(base, min_entries=size, max_entries=size)
    Tournament.objects.filter(pk=tournament.pk).update(organiser=organiser)
    for number in range(size):
        join.enter_player(tournament_id=tournament.pk, player=create_person(f"Linea{number}", now), now=now)
    tournament.refresh_from_db()
    done = 0
    for _ in range(tries(14, 25)):
        now += timedelta(minutes=1)
        before = list(
            Fixture.objects.order_by("pk").with_results().values_list("state", "winner", "annulled", "match_id")
        )
        with transaction.atomic():
            refused = anything(tournament, organiser, dice, now)
        done += not refused
        tournament.refresh_from_db()
        after = list(
            Fixture.objects.order_by("pk").with_results().values_list("state", "winner", "annulled", "match_id")
        )
        assert not refused or before == after, "what is refused changes nothing"
        assert stored_equals_recomputed(tournament)
        paired = [(fixture.first_id, fixture.second_id) for fixture in Fixture.objects.filter(state=State.PLAYING)]
        seats = [entry for pair in paired for entry in pair]
        assert len(seats) == len(set(seats)), "nobody plays twice at once"
    assert done > min(5, size)
    if Fixture.objects.filter(round__tournament=tournament).count() <= MAX_ENDED:
        end(tournament, organiser, now)


def end(tournament: Tournament, by: Player, now: datetime) -> None:
    """Every fixture that is open has a result; the tournament is over, and everybody has a rank."""
    while tournament.state == Tournament.State.RUNNING:
        waiting = Fixture.objects.filter(round__tournament=tournament, state__in=(State.READY, State.PLAYING))
        fixture = waiting.order_by("round__number", "board").first()
        assert fixture is not None, "running, and nothing can be played"
        if fixture.match_id is not None and settlement.expire_overdue(match_id=fixture.match_id, now=now):
            record_result(match_id=fixture.match_id, now=now)  # nobody came: what the sweep would have done
            tournament.refresh_from_db()
            continue
        act = Act(by=by, reason="Si chiude", now=now)
        results.set_result(
            tournament_id=tournament.pk, fixture_id=fixture.pk, act=act, decision=Decision(points=(8, 3), winner=0)
        )
        tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert not tournament.entries.filter(rank=None).exists()
    assert find_differences(tournament) == []
