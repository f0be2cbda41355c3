"""Late requests that are answered at the same time, or while the last round to come into is published (D2, H7)."""

from collections import Counter
from datetime import datetime
from functools import partial
from typing import Any

import pytest

from tests.support.real_tables import draw_present, open_real, type_names
from tests.support.threads import run_for_codes
from tests.support.tournaments import Opened
from tests.support.transfer import rule_ready
from tournaments.lists.typed_entries import TypedPerson
from tournaments.models import Tournament
from tournaments.rounds import drafts
from tournaments.rounds.late_requests import answer_late_request, ask_to_enter_late
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tournament(opened: Opened, now: datetime) -> Tournament:
    made = open_real(opened, format="danese", format_options={"rounds": 4, "late": 2})
    type_names(made, ["Ada Neri", "Bice Neri", "Ciro Verdi", "Dora Verdi"], now)
    draw_present(made, now)
    return made


def ask(tournament: Tournament, name: str, now: datetime, key: str = "one") -> Any:
    known: dict[str, Any] = {"player": None, "address": "192.0.2.7", "now": now}
    return partial(ask_to_enter_late, tournament_id=tournament.pk, people=(TypedPerson(name),), own_key=key, **known)


@pytest.mark.rule("D2")
def test_one_form_asks_once_and_of_answers_at_once_one_counts(tournament: Tournament, now: datetime) -> None:
    asked = run_for_codes(*[ask(tournament, "Zita Bo", now)] * 4)
    assert len(set(asked)) == 1
    about: dict[str, Any] = {"tournament_id": tournament.pk, "request_id": asked[0].pk, "now": now}
    yes, no = (partial(answer_late_request, by=tournament.organiser, yes=which, **about) for which in (True, False))
    assert Counter(run_for_codes(yes, yes, no)) == {None: 1, "entry_gone": 2}
    assert tournament.entries.count() in (4, 5)
    assert find_differences(tournament) == []


@pytest.mark.rule("D2", "D4")
def test_a_yes_and_the_publication_of_the_last_round_to_come_into_dont_mix(
    tournament: Tournament, now: datetime
) -> None:
    request = ask(tournament, "Zita Bo", now)()
    rule_ready(tournament, tournament.organiser, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    drafts.draw_round(**about)
    publish = partial(drafts.publish_round, number=2, **about)
    yes = partial(answer_late_request, request_id=request.pk, yes=True, **about)
    answered, published = run_for_codes(yes, publish)
    assert (answered, published == "draft_stale") in ((None, True), ("entry_gone", False))
    assert tournament.entries.count() == (5 if answered is None else 4)
    assert not tournament.late_requests.exists()
    assert find_differences(tournament) == []
