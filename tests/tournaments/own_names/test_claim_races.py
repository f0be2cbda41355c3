"""Claims at the same time (O2, H7): an account asks once, a name is one account's, a yes and an end don't mix."""

from collections import Counter
from datetime import datetime
from functools import partial
from typing import Any

import pytest

from players.models import Person, Player
from tests.support.people import create_person, give_address
from tests.support.real_tables import open_real, type_names
from tests.support.threads import run_for_codes
from tests.support.tournaments import Opened
from tournaments.models import NameClaim, Tournament
from tournaments.own_names.claims import answer_claim, claim_name, take_claim_back
from tournaments.register.forgetting import forget_typed_name

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tournament(opened: Opened, now: datetime) -> Tournament:
    made = open_real(opened)
    type_names(made, ["Ada Neri", "Bice Neri"], now)
    return made


def make_claimants(count: int, now: datetime) -> list[Player]:
    players = [create_person(f"Socio {'ABCD'[number]}", now) for number in range(count)]
    for player in players:
        player.user.emailaddress_set.create(email=f"{player.pk}@example.org", verified=True, primary=True)
    return players


@pytest.mark.rule("O2")
def test_an_account_that_asks_twice_at_once_has_asked_once(tournament: Tournament, anna: Player, now: datetime) -> None:
    give_address(anna)
    people = Person.objects.filter(player=None).order_by("pk")
    calls = [
        partial(claim_name, tournament_id=tournament.pk, player=anna, person_id=person.pk, now=now)
        for person in (*people, *people)
    ]
    answers = run_for_codes(*calls)
    assert Counter(answer if isinstance(answer, str) else "asked" for answer in answers) == {
        "asked": 1, "claim_once": 3,
    }  # fmt: skip


@pytest.mark.rule("O2")
def test_of_answers_at_once_one_account_gets_the_name(tournament: Tournament, now: datetime) -> None:
    person = Person.objects.get(typed_name="Ada Neri")
    asked = [
        claim_name(tournament_id=tournament.pk, player=player, person_id=person.pk, now=now)
        for player in make_claimants(3, now)
    ]
    known: Any = {"tournament_id": tournament.pk, "by": tournament.organiser, "yes": True, "reason": "", "now": now}
    answers = run_for_codes(*(partial(answer_claim, claim_id=claim.pk, **known) for claim in asked))
    assert Counter(answers) == {None: 1, "claim_of_other": 2}
    assert tournament.name_claims.standing().count() == 1


@pytest.mark.rule("O2")
def test_a_yes_and_an_end_at_once_leave_an_ended_claim(tournament: Tournament, now: datetime) -> None:
    (player,) = make_claimants(1, now)
    person = Person.objects.get(typed_name="Ada Neri")
    claim = claim_name(tournament_id=tournament.pk, player=player, person_id=person.pk, now=now)
    yes = partial(
        answer_claim, tournament_id=tournament.pk, by=tournament.organiser, claim_id=claim.pk, yes=True, reason="",
        now=now,
    )  # fmt: skip
    back = partial(take_claim_back, tournament_id=tournament.pk, player=player, now=now)
    assert run_for_codes(yes, back)[1] is None
    claim.refresh_from_db()
    assert claim.state == NameClaim.State.TAKEN_BACK


@pytest.mark.rule("O2", "I1")
def test_no_claim_outlives_a_name_that_is_forgotten_meanwhile(tournament: Tournament, now: datetime) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    (player,) = make_claimants(1, now)
    person = Person.objects.get(typed_name="Ada Neri")
    about: Any = {"person_id": person.pk, "now": now}
    ask = partial(claim_name, tournament_id=tournament.pk, player=player, **about)
    forget = partial(forget_typed_name, tournament=tournament, by=tournament.organiser, staff=False, **about)
    asked, forgotten = run_for_codes(ask, forget)
    assert forgotten is None
    assert isinstance(asked, NameClaim) or asked == "claim_unknown"
    assert not NameClaim.objects.exists()
