"""A round that can't be paired, by programs (D1): read, chosen for with a reason, previewed (F5)."""

from datetime import datetime

import pytest

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.dead_ends import pair_across, play_to_dead_end, play_two_rounds
from tests.support.keys import address_of, code, key_for, send
from tests.support.tournaments import Opened
from tournaments.models import Tournament
from tournaments.rounds import drafts

pytestmark = [pytest.mark.django_db, pytest.mark.rule("D1", "AP7")]

WHY = "Siamo rimasti senza abbinamenti"


@arrange_once
def two_rounds(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    return play_two_rounds(opened, four, now)


def test_the_choice_is_read_previewed_made_and_taken_back(two_rounds: Tournament, now: datetime) -> None:
    key, own = key_for(two_rounds), address_of(two_rounds)
    nothing = {"round": None, "ways": [], "chosen": "", "by_draft": None}
    assert key.get(f"{own}rounds/stuck/").json() == nothing
    body = {"round": 4, "way": "end", "reason": WHY}
    assert code(send(key, f"{own}rounds/way/", body)) == (409, "way_not_needed")
    play_to_dead_end(two_rounds, now)
    waiting = {"round": 4, "ways": ["bye", "rematch", "end"], "chosen": "", "by_draft": None}
    assert key.get(f"{own}rounds/stuck/").json() == waiting
    assert code(send(key, f"{own}rounds/draw/")) == (409, "round_stuck")
    shown = send(key, f"{own}rounds/preview/", {"act": "way", "body": body}).json()
    assert (shown["ends"], shown["stuck"]) == (True, None)
    two_rounds.refresh_from_db()
    assert two_rounds.state == Tournament.State.RUNNING, "nothing has happened yet"
    assert send(key, f"{own}rounds/way/", body).json() == {**waiting, "chosen": "end"}
    two_rounds.refresh_from_db()
    assert two_rounds.state == Tournament.State.FINISHED
    logged = key.get(f"{own}log/").json()["results"]
    assert [(row["round"], row["way"], row["reason"]) for row in logged if row["code"] == "round_way"] == [
        (4, "end", WHY)
    ]
    assert send(key, f"{own}rounds/way/cancel/", {"round": 4, "reason": WHY}).json() == waiting
    assert send(key, f"{own}rounds/way/", {**body, "way": "bye"}).json()["chosen"] == "bye"
    assert len(send(key, f"{own}rounds/draw/").json()["pairs"]) == 4


@pytest.mark.rule("F5")
def test_a_draft_and_a_bye_tell_which_round_is_lost_by_them(two_rounds: Tournament, now: datetime) -> None:
    key, own = key_for(two_rounds), address_of(two_rounds)
    drafts.draw_round(tournament_id=two_rounds.pk, by=two_rounds.organiser, now=now)
    assert key.get(f"{own}rounds/stuck/").json()["by_draft"] is None
    two_rounds.refresh_from_db()
    assert two_rounds.draft is not None
    two_rounds.draft["pairs"] = [list(pair) for pair in pair_across(two_rounds, 2)]
    two_rounds.save(update_fields=["draft"])
    assert key.get(f"{own}rounds/stuck/").json()["by_draft"] == 4
    entries = list(two_rounds.entries.drawn().values_list("pk", flat=True))
    byes = [{"entry": entries[place], "round": 4, "kind": "absent"} for place in (1, 2, 4, 5)]
    for body in byes[:3]:
        assert send(key, f"{own}byes/preview/", {"act": "byes", "body": body}).json()["stuck"] is None
        assert send(key, f"{own}byes/", body).status_code == 201
    assert send(key, f"{own}byes/preview/", {"act": "byes", "body": byes[3]}).json()["stuck"] == 4
    assert len(key.get(f"{own}byes/").json()) == 3
