"""One write sent many times at once, by the same key of its own (AP6): with real threads, on both databases."""

from functools import partial
from typing import Any

import pytest

from players.models import IdempotentAnswer, Player
from tests.support.keys import by_key, make_key
from tests.support.threads import run_at_once
from tournaments.models import LogEntry, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

AT_ONCE = 6
LIST = "/api/v1/tournaments/"
BODY = {"name": "Serata", "format": "ko", "ruleset": "scopa", "length_kind": "deals", "length_value": 1}


def send(key: str, once: str, name: str = "Serata") -> Any:
    headers = {"Idempotency-Key": once}
    return by_key(key).post(LIST, {**BODY, "name": name}, content_type="application/json", headers=headers)


@pytest.mark.rule("AP6")
def test_a_write_sent_many_times_at_once_is_done_once_u6(organiser: Player) -> None:
    key = make_key(organiser)
    answers = run_at_once(*[partial(send, key, "uno")] * AT_ONCE)
    assert [answer.status_code for answer in answers] == [201] * AT_ONCE
    tournament = Tournament.objects.get()
    assert {answer.json()["public_id"] for answer in answers} == {tournament.public_id}
    assert sorted("Idempotent-Replayed" in answer for answer in answers) == [False] + [True] * (AT_ONCE - 1)
    assert list(LogEntry.objects.values_list("code", flat=True)) == ["created"]
    assert organiser.user.access_tokens.get().targets == ["new", f"tournament:{tournament.public_id}"]


@pytest.mark.rule("AP6")
def test_of_different_bodies_at_once_under_one_key_one_is_done_u6(organiser: Player) -> None:
    key = make_key(organiser)
    answers = run_at_once(*[partial(send, key, "uno", f"Serata {n}") for n in range(AT_ONCE)])
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * (AT_ONCE - 1)
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"key_reused"}
    assert (Tournament.objects.count(), IdempotentAnswer.objects.count()) == (1, 1)
