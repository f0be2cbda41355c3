"""``python -m bench.hall_stage WHAT SIZE TIMES``: tournaments at real tables in the database of a bench, as JSON.

``evenings``: so many danesi of SIZE players at tables enough for all, their first round published, each with its path
and the Cookie header of its organiser. ``rounds``: seconds to draw, publish and decide the first two rounds of danesi
of SIZE, a list for each step; all of a round's results but the last are written as rows, as no desk types them here.
"""

import json
import sys
from collections import defaultdict
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench.programs import set_up_django
from bench.stage import cookie, people
from tournaments.venues import HALL

if TYPE_CHECKING:
    from players.models import Player
    from tournaments.models import Tournament

POINTS = 11  # of one deal of tresette
STEPS = ("drawn", "published", "last result in")
CHUNK = 500


def enter_names(organiser: "Player", size: int) -> "Tournament":
    """Make a danese at real tables, enter so many names and tick them all."""
    from django.utils import timezone

    from tournaments.entries import checkin
    from tournaments.entries.typed_names import type_entries
    from tournaments.lists.typed_entries import TypedEntry, TypedPerson
    from tournaments.organise import lifecycle
    from tournaments.organise.settings import Settings

    now = timezone.now()
    settings = Settings(
        name="Bench", format="danese", ruleset="tresette", length_kind="deals", length_value=1, pause=5, venue=HALL,
        max_entries=size,
    )  # fmt: skip
    made = lifecycle.create_tournament(organiser=organiser, settings=settings, now=now)
    lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=now)
    rows = [TypedEntry(number, (TypedPerson(f"Persona {number:05}"),)) for number in range(1, size + 1)]
    type_entries(tournament_id=made.pk, by=organiser, rows=rows, now=now)
    checkin.check_in_everybody(tournament_id=made.pk, by=organiser, now=now)
    return made


def open_evenings(organiser: "Player", size: int, times: int) -> list[dict[str, str]]:
    from django.utils import timezone

    from tournaments.rounds import drafts

    opened = []
    for _ in range(times):
        made = enter_names(organiser, size)
        about: dict[str, Any] = {"tournament_id": made.pk, "by": organiser, "now": timezone.now()}
        drafts.draw_round(**about)
        drafts.publish_round(number=1, **about)
        opened.append({"path": f"/tornei/{made.public_id}/risultati/", "cookie": cookie(organiser)})
    return opened


def time_rounds(organiser: "Player", size: int, times: int) -> dict[str, list[float]]:
    """Take the seconds of each step of two rounds, by the clock."""
    from django.utils import timezone

    from tournaments.desk.act import Act
    from tournaments.desk.results import Decision, set_result
    from tournaments.models import Fixture
    from tournaments.rounds import drafts

    found: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(times):
        made = enter_names(organiser, size)
        for number in (1, 2):
            about: dict[str, Any] = {"tournament_id": made.pk, "by": organiser, "now": timezone.now()}
            begun = perf_counter()
            drafts.draw_round(**about)
            drawn = perf_counter()
            drafts.publish_round(number=number, **about)
            published = perf_counter()
            fixtures = list(Fixture.objects.filter(round__tournament=made, round__number=number, second__isnull=False))
            assert len(fixtures) == size // 2, len(fixtures)
            write_results(fixtures[:-1])
            act = Act(by=organiser, reason="", now=timezone.now() + timedelta(seconds=1))
            decision = Decision(points=(7, 4), winner=0)
            typed = perf_counter()
            set_result(tournament_id=made.pk, fixture_id=fixtures[-1].pk, decision=decision, act=act)
            seconds = (drawn - begun, published - drawn, perf_counter() - typed)
            for step, took in zip(STEPS, seconds, strict=True):
                found[f"round {number} {step}"].append(took)
    return found


def write_results(fixtures: list[Any]) -> None:
    """Write results of one deal into the rows of fixtures that are being played."""
    from django.utils import timezone

    from games.engine.game import Length
    from scoring.vp import compute_points
    from tournaments.models import Fixture

    dice, now = Random(5), timezone.now()
    for fixture in fixtures:
        first = dice.randint(0, POINTS)
        fixture.points_0, fixture.points_1 = first, POINTS - first
        fixture.winner = int(first < POINTS - first)
        worth = compute_points("tresette", Length("deals", 1), fixture.winner, abs(2 * first - POINTS))
        assert worth is not None
        (fixture.mp_0, fixture.mp_1), (fixture.vp_0, fixture.vp_1) = worth
        fixture.state, fixture.result_at = Fixture.State.DONE, now
    names = ["points_0", "points_1", "winner", "mp_0", "mp_1", "vp_0", "vp_1", "state", "result_at"]
    Fixture.objects.bulk_update(fixtures, names, batch_size=CHUNK)


def main() -> int:
    from django.core.management import call_command

    set_up_django()
    from players.models import Player

    what, size, times = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    (organiser,) = people(1)
    Player.objects.filter(pk=organiser.pk).update(kind=Player.Kind.MEMBER)
    organiser.refresh_from_db()
    if what == "evenings":
        call_command("collectstatic", interactive=False, verbosity=0)  # its pages name hashed files
        json.dump(open_evenings(organiser, size, times), sys.stdout)
    else:
        json.dump(time_rounds(organiser, size, times), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
