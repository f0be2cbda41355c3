"""Many writes at once to one row, each of a part of it (H7): what one leaves out stays as another has just made it.
With real threads, on both databases."""

from datetime import datetime
from functools import partial
from typing import Any

import pytest

from players.models import AccessToken, Player
from tests.support.keys import by_key, make_key, send
from tests.support.threads import run_at_once
from tests.support.tournaments import Opened
from tournaments.core.log_details import change_details
from tournaments.models import LogEntry, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 8
API = "/api/v1/"
TOURNAMENT = {"name": "Serata", "format": "ko", "ruleset": "scopa", "length_kind": "deals", "length_value": 1}
WEEKLY = {"weekday": 3, "hour": "21:00", "days_ahead": 7}


def answers_of(*calls: Any) -> list[int]:
    """Make calls at once; return the status of each answer. Raise what one raised."""
    answers = run_at_once(*calls)
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return [answer.status_code for answer in answers]


@pytest.mark.rule("AP2")
def test_a_key_that_makes_many_tournaments_at_once_organises_each(organiser: Player) -> None:
    key = make_key(organiser)
    make = partial(send, address=f"{API}tournaments/")
    bodies = [{**TOURNAMENT, "name": f"Serata {n}"} for n in range(AT_ONCE)]
    assert answers_of(*[partial(make, by_key(key), body=body) for body in bodies]) == [201] * AT_ONCE
    made = [f"tournament:{public_id}" for public_id in Tournament.objects.values_list("public_id", flat=True)]
    assert organiser.user.access_tokens.get().targets == sorted([*made, "new"])
    assert len(made) == AT_ONCE


def test_a_key_that_was_taken_away_meanwhile_makes_no_fault_of_its_last_tournament(
    organiser: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tournaments.organise import lifecycle

    create, key = lifecycle.create_tournament, make_key(organiser)

    def create_slowly(**known: Any) -> Tournament:
        AccessToken.objects.all().delete()
        return create(**known)

    monkeypatch.setattr(lifecycle, "create_tournament", create_slowly)
    assert send(by_key(key), f"{API}tournaments/", TOURNAMENT).status_code == 201
    assert Tournament.objects.count() == 1


CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "tournaments/": (
        TOURNAMENT,
        {"name": "Coppa", "description": "Ciao", "max_entries": 16, "pause": 30, "turn_timeout": 30, "length_value": 2},
    ),
    "series/": (
        {**TOURNAMENT, **WEEKLY},
        {"name": "Coppa", "description": "Ciao", "weekday": 4, "days_ahead": 5, "pause": 30, "max_entries": 16},
    ),
    "circuits/": (
        {"name": "Inverno", "table": "places", "places": [10, 4]},
        {"name": "Estate", "description": "Ciao", "best_of": 3, "by_pairs": True, "places": [12, 6]},
    ),
    "clubs/": ({"name": "Circolo"}, {"name": "Bar Sport", "description": "Ciao"}),
    "registers/mine/cards/": (
        {"name": "Gino Neri"},
        {"name": "Gino Nero", "contact": "333", "notes": "porta il figlio", "birth_year": 1950, "level": "A"},
    ),
}


@pytest.mark.rule("AP7")
@pytest.mark.parametrize("path", CHANGES)
def test_changes_of_different_fields_at_once_all_stand(path: str, organiser: Player) -> None:
    body, changes = CHANGES[path]
    key = make_key(organiser, targets=["new", "own"])
    made = send(by_key(key), f"{API}{path}", body)
    assert made.status_code == 201, made.content
    own = f"{API}{path}{made.json()['card' if 'cards' in path else 'public_id']}/"
    change = partial(send, address=own, method="patch")
    calls = [partial(change, by_key(key), body={name: value}) for name, value in changes.items()]
    assert answers_of(*calls) == [200] * len(changes)
    kept = by_key(key).get(own).json()
    kept = {**kept, **kept.get("tournament", {}), **kept.get("settings", {})}
    assert {name: kept[name] for name in changes} == changes


def test_details_of_the_log_that_two_change_have_both_changes(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = opened(max_entries=2)
    entries = LogEntry.objects.filter(tournament=tournament, code="created")

    def sign(entry: LogEntry) -> dict[str, Any]:
        """Add a word, after somebody else has added theirs to what was seen."""
        added = {**entry.detail, "own": 1}
        if "other" not in entry.detail:
            LogEntry.objects.filter(pk=entry.pk).update(detail={**entry.detail, "other": 1})
        return added

    change_details(entries, sign)
    assert entries.get().detail == {"own": 1, "other": 1}
