"""Accounts that claim to be somebody who was entered by name (O2): asked once, answered, undone, and nothing else
changes."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import pytest

from players import caps
from players.models import Mail, Person, Player
from players.services.close_account import close_account
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act
from tests.support.people import create_person, give_address
from tests.support.real_tables import draw_present, draw_real, list_round, open_real, type_names
from tests.support.tournaments import Opened, catch_code
from tests.support.transfer import read_picture
from tournaments.core.permissions import may_judge, may_judge_entry
from tournaments.desk.results import Decision, set_result
from tournaments.desk.substitution import replace_typed_person
from tournaments.entries.join import enter_player
from tournaments.models import LogEntry, NameClaim, Tournament
from tournaments.organise.referees import name_referee
from tournaments.own_names import claims
from tournaments.own_names.claims import (
    answer_claim,
    claim_name,
    list_claimable,
    list_claimed_tournaments,
    take_claim_back,
)
from tournaments.register import forgetting
from tournaments.rounds.late_requests import ask_to_enter_late

pytestmark = pytest.mark.django_db


@arrange_once
def tournament(opened: Opened, now: datetime) -> Tournament:
    """Ada, Bice, Ciro and Dora at real tables."""
    made = open_real(opened)
    type_names(made, ["Ada Neri", "Bice Neri", "Ciro Verdi", "Dora Verdi"], now)
    return made


@arrange_once
def confirmed(anna: Player) -> Player:
    give_address(anna)
    return anna


def find_person(tournament: Tournament, name: str) -> int:
    return Person.objects.get(memberships__tournament=tournament, typed_name=name).pk


def ask(tournament: Tournament, player: Player, name: str, now: datetime) -> NameClaim:
    return claim_name(tournament_id=tournament.pk, player=player, person_id=find_person(tournament, name), now=now)


def answer(claim: NameClaim, now: datetime, *, yes: bool = True, reason: str = "", by: Player | None = None) -> None:
    known: Any = {"tournament_id": claim.tournament_id, "claim_id": claim.pk, "now": now, "yes": yes, "reason": reason}
    answer_claim(by=by or claim.tournament.organiser, **known)


def read_claims(log: Iterable[LogEntry]) -> list[str]:
    """Return what the log says of claims, without the links."""
    logged = claims.name_logged_claims(log).values()
    return [" · ".join([*(name for name, _page in claim.people), *filter(None, [claim.reason])]) for claim in logged]


def read_codes(tournament: Tournament) -> list[str]:
    return [code for code in tournament.log.values_list("code", flat=True) if code.startswith("claim_")]


@pytest.mark.rule("O2")
def test_an_accepted_claim_adds_the_tournament_to_the_account_and_changes_no_result(
    tournament: Tournament, confirmed: Player, now: datetime
) -> None:
    draw_present(tournament, now)
    claim = ask(tournament, confirmed, "Ada Neri", now)
    before = read_picture(tournament)
    (row,) = list_claimed_tournaments(confirmed)
    assert (row.name, row.claim.state) == ("Ada Neri", "waiting")
    answer(claim, now)
    after = read_picture(tournament)
    assert {**after, "log": []} == {**before, "log": []} | {"tournament": after["tournament"]}
    assert not tournament.members.of_player(confirmed).exists()
    tournament.entries.filter(members__person=claim.person).update(rank=2)
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    (row,) = list_claimed_tournaments(confirmed)
    assert (row.claim.tournament, row.rank, row.entries) == (tournament, 2, 4)
    assert read_codes(tournament) == ["claim_asked", "claim_accepted"]


@pytest.mark.rule("E1", "O2")
def test_who_is_known_by_a_name_is_entered_and_does_not_enter_again(
    opened: Opened, tournament: Tournament, confirmed: Player, now: datetime
) -> None:
    answer(ask(tournament, confirmed, "Ada Neri", now), now)
    about: dict[str, Any] = {"player": confirmed, "now": now}
    assert catch_code(enter_player, tournament_id=tournament.pk, **about) == "already_entered"
    danese = draw_real(opened, 4, now, format="danese", format_options={"rounds": 3, "late": 3})
    answer(claim_name(tournament_id=danese.pk, person_id=list_claimable(danese)[0].pk, **about), now)
    late = {"people": (), "own_key": "", "address": "192.0.2.1", **about}
    assert catch_code(ask_to_enter_late, tournament_id=danese.pk, **late) == "already_entered"
    take_claim_back(tournament_id=tournament.pk, player=confirmed, now=now)
    enter_player(tournament_id=tournament.pk, **about)


@pytest.mark.rule("O2")
def test_only_a_confirmed_account_claims_once_one_who_is_a_name(
    tournament: Tournament, opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    about: Any = {"tournament": tournament, "name": "Ada Neri", "now": now}
    assert catch_code(ask, player=anna, **about) == "claim_needs_address"
    give_address(anna, verified=False)
    assert catch_code(ask, player=anna, **about) == "claim_needs_address"
    anna.user.emailaddress_set.update(verified=True)
    other = open_real(opened, name="Altro")
    type_names(other, ["Elio"], now)
    wrong = find_person(other, "Elio")
    claim: Any = {"tournament_id": tournament.pk, "player": anna, "now": now}
    assert catch_code(claim_name, person_id=wrong, **claim) == "claim_unknown"
    assert catch_code(claim_name, person_id=bruno.person.pk, **claim) == "claim_unknown"
    ask(tournament, anna, "Ada Neri", now)
    assert catch_code(ask, player=anna, **{**about, "name": "Bice Neri"}) == "claim_once"
    take_claim_back(**claim)
    assert catch_code(ask, player=anna, **about) == "claim_once"
    assert catch_code(take_claim_back, **claim) == "claim_gone"


@pytest.mark.rule("O2")
def test_who_runs_the_tournament_answers_and_starts_nothing(
    tournament: Tournament, confirmed: Player, bruno: Player, now: datetime
) -> None:
    organiser = tournament.organiser
    give_address(organiser)
    about: Any = {"tournament": tournament, "now": now}
    assert catch_code(ask, player=organiser, name="Ada Neri", **about) == "claim_by_organiser"
    claim = ask(tournament, confirmed, "Ada Neri", now)
    name_referee(tournament_id=tournament.pk, by=organiser, name=bruno.name, now=now)
    assert catch_code(answer, claim=claim, by=bruno, now=now) == "not_organiser"
    assert catch_code(answer, claim=claim, by=confirmed, now=now) == "not_organiser"
    Tournament.objects.filter(pk=tournament.pk).update(organiser=confirmed)
    assert catch_code(answer, claim=claim, by=confirmed, now=now) == "claim_by_organiser"


@pytest.mark.rule("O2")
def test_a_no_has_its_reason_and_can_become_a_yes(tournament: Tournament, confirmed: Player, now: datetime) -> None:
    claim = ask(tournament, confirmed, "Ada Neri", now)
    assert catch_code(answer, claim=claim, yes=False, now=now) == "reason_missing"
    answer(claim, now, yes=False, reason="Ada è mia zia")
    assert list_claimed_tournaments(confirmed) == []
    assert catch_code(answer, claim=claim, yes=False, reason="di nuovo", now=now) == "claim_gone"
    answer(claim, now)
    answer(claim, now, yes=False, reason="Mi ero sbagliato")
    answer(claim, now)
    assert list_claimed_tournaments(confirmed) != []
    take_claim_back(tournament_id=tournament.pk, player=confirmed, now=now)
    assert catch_code(answer, claim=claim, now=now) == "claim_gone", "who ended it themselves isn't brought back"
    assert list_claimed_tournaments(confirmed) == []
    assert read_codes(tournament) == [
        "claim_asked", "claim_refused", "claim_accepted", "claim_revoked", "claim_accepted", "claim_taken_back",
    ]  # fmt: skip
    assert read_claims(tournament.log.all())[1] == "Ada Neri · Anna · Ada è mia zia"
    second = list(claims.name_logged_claims(tournament.log.all()).values())[1]
    assert second.people == (("Ada Neri", ""), ("Anna", confirmed.public_id))


@pytest.mark.rule("O2")
def test_a_name_is_one_accounts(tournament: Tournament, confirmed: Player, bruno: Player, now: datetime) -> None:
    give_address(bruno)
    first, second = ask(tournament, confirmed, "Ada Neri", now), ask(tournament, bruno, "Ada Neri", now)
    answer(first, now)
    assert catch_code(answer, claim=second, now=now) == "claim_of_other"
    carla = create_person("Carla", now)
    give_address(carla)
    assert catch_code(ask, tournament=tournament, player=carla, name="Ada Neri", now=now) == "claim_unknown"
    take_claim_back(tournament_id=tournament.pk, player=confirmed, now=now)
    answer(second, now)
    assert [row.player for row in tournament.name_claims.standing()] == [bruno]


@pytest.mark.rule("O2")
def test_who_is_entered_with_an_account_claims_no_other_name(
    tournament: Tournament, confirmed: Player, now: datetime
) -> None:
    claim = ask(tournament, confirmed, "Ada Neri", now)
    enter_player(tournament_id=tournament.pk, player=confirmed, now=now)
    assert catch_code(answer, claim=claim, now=now) == "already_entered"
    assert claims.find_claim_refusal(tournament, confirmed) == "already_entered"


@pytest.mark.rule("O2", "F1")
def test_a_referee_decides_nothing_where_they_are_known_by_name(
    tournament: Tournament, confirmed: Player, now: datetime
) -> None:
    name_referee(tournament_id=tournament.pk, by=tournament.organiser, name=confirmed.name, now=now)
    draw_present(tournament, now)
    person = find_person(tournament, "Ada Neri")
    entry = tournament.entries.get(members__person=person)
    own = next(fixture for fixture in list_round(tournament, 1) if entry in (fixture.first, fixture.second))
    assert may_judge(tournament, confirmed, own)
    assert may_judge_entry(tournament, confirmed, entry)
    answer(ask(tournament, confirmed, "Ada Neri", now), now)
    assert not may_judge(tournament, confirmed, own)
    assert not may_judge_entry(tournament, confirmed, entry)
    about: Any = {"tournament_id": tournament.pk, "entry_id": entry.pk, "person_id": person}
    act = build_act(confirmed, now)
    assert catch_code(replace_typed_person, name="Zita Bo", act=act, **about) == "plays_there"


@pytest.mark.rule("O2", "F2")
def test_who_was_replaced_is_known_by_what_they_played(hall: Tournament, confirmed: Player, now: datetime) -> None:
    act = build_act(hall.organiser, now)
    fixture = list_round(hall, 1)[0]
    assert fixture.first is not None
    person = fixture.first.members.get().person
    set_result(tournament_id=hall.pk, fixture_id=fixture.pk, decision=Decision(points=(7, 4), winner=0), act=act)
    about: Any = {"tournament_id": hall.pk, "entry_id": fixture.first.pk, "person_id": person.pk}
    replace_typed_person(name="Zita Bo", act=build_act(hall.organiser, now), **about)
    answer(claim_name(tournament_id=hall.pk, player=confirmed, person_id=person.pk, now=now), now)
    (row,) = list_claimed_tournaments(confirmed)
    assert (row.name, row.rank) == (person.name, None)


@pytest.mark.rule("O2", "I1")
def test_with_a_forgotten_name_its_claim_ends_and_no_log_says_whose_it_was(
    tournament: Tournament, confirmed: Player, now: datetime
) -> None:
    answer(ask(tournament, confirmed, "Ada Neri", now), now)
    bice = create_person("Carla", now)
    give_address(bice)
    kept = ask(tournament, bice, "Bice Neri", now)
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    about: Any = {"tournament": tournament, "by": tournament.organiser, "staff": False, "now": now}
    forgetting.forget_typed_name(person_id=find_person(tournament, "Ada Neri"), **about)
    assert list(tournament.name_claims.all()) == [kept]
    entries = LogEntry.objects.filter(tournament=tournament, code__startswith="claim_")
    assert confirmed not in [entry.player for entry in entries]
    assert all(confirmed.public_id not in str(entry.detail) for entry in entries)
    assert read_claims(entries) == ["ritirato", "ritirato", "Bice Neri · Carla"]


@pytest.mark.rule("O2")
def test_a_closed_account_claims_nothing(tournament: Tournament, confirmed: Player, now: datetime) -> None:
    answer(ask(tournament, confirmed, "Ada Neri", now), now)
    close_account(player_id=confirmed.pk, now=now)
    assert not tournament.name_claims.exists()
    assert read_claims(tournament.log.all()) == ["Ada Neri", "Ada Neri"]


@pytest.mark.rule("O2")
def test_who_asked_is_mailed_the_answer(tournament: Tournament, confirmed: Player, now: datetime) -> None:
    confirmed.user.mail_places = True
    confirmed.user.save()
    claim = ask(tournament, confirmed, "Ada Neri", now)
    answer(claim, now, yes=False, reason="Ada è mia zia")
    answer(claim, now)
    mails = Mail.objects.filter(user=confirmed.user).order_by("pk")
    assert [(mail.kind, mail.values["why"]) for mail in mails] == [
        ("claim_answered", "refused"), ("claim_answered", "accepted"),
    ]  # fmt: skip


@pytest.mark.rule("O2")
def test_claims_are_counted(
    tournament: Tournament, confirmed: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "CLAIMS_A_PERSON", (caps.Cap(1, caps.DAY),))
    ask(tournament, confirmed, "Ada Neri", now)
    NameClaim.objects.all().delete()
    assert catch_code(ask, tournament=tournament, player=confirmed, name="Ada Neri", now=now) == "claimed_often"
