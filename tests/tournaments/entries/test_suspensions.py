"""Suspensions (U2) at every way into a tournament: the services refuse it, by whomever one would come in."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from players.models import Player, User
from tests.support.desk import build_act, raises_refusal
from tests.support.entries import accept_all, enter_all, find_invitation, list_placed
from tests.support.people import create_person
from tests.support.play import entry_of
from tests.support.tournaments import KO, PAIRS, Opened, catch_code
from tournaments.core.errors import TournamentError
from tournaments.desk import substitution
from tournaments.entries import approvals, import_list, invitations, join, pairs
from tournaments.lists.spreadsheet import Row
from tournaments.models import Club, PlayInvitation, Tournament
from tournaments.organise import lifecycle
from tournaments.rounds import drafts
from tournaments.rounds.late_requests import answer_late_request, ask_to_enter_late

pytestmark = [pytest.mark.django_db, pytest.mark.rule("U2")]
HOUR = timedelta(hours=1)


def suspend(player: Player, now: datetime, days: int = 1) -> None:
    User.objects.filter(player=player).update(suspended_until=now + timedelta(days=days))


def list_problems(tournament: Tournament, by: Player, now: datetime, *names: str) -> list[str]:
    rows = [Row(number, *name.split("+")) for number, name in enumerate(names, start=1)]
    with pytest.raises(TournamentError) as refused:
        import_list.import_entries(tournament_id=tournament.pk, by=by, rows=rows, now=now)
    return [problem.code for problem in refused.value.values["problems"]]


def answer(service: Any, tournament: Tournament, player: Player, now: datetime) -> Any:
    invitation = find_invitation(tournament, player)
    return service(tournament_id=tournament.pk, player=player, invitation_id=invitation.pk, now=now)


def test_who_is_suspended_enters_nothing_until_the_hour(opened: Opened, anna: Player, now: datetime) -> None:
    suspend(anna, now)
    single, doubles = opened(starts_at=now + 50 * HOUR), opened(PAIRS, starts_at=now + 50 * HOUR, house_allowed=True)
    about: dict[str, Any] = {"player": anna, "now": now}
    assert catch_code(join.enter_player, tournament_id=single.pk, **about) == "suspended"
    assert catch_code(pairs.enter_pair, tournament_id=doubles.pk, partner=None, **about) == "suspended"
    assert catch_code(pairs.enter_with_house, tournament_id=doubles.pk, **about) == "suspended"
    assert join.enter_player(tournament_id=single.pk, player=anna, now=now + timedelta(days=1)).approved


def test_no_list_enters_or_invites_them_not_even_by_their_consent(
    opened: Opened, organiser: Player, consenting: Club, four: list[Player], now: datetime
) -> None:
    anna, bruno = four[:2]
    suspend(anna, now)
    of_club = opened(starts_at=now + HOUR, club_id=consenting.pk)
    assert list_problems(of_club, organiser, now, "Anna", "Bruno") == ["not_invitable"]
    assert list_problems(opened(starts_at=now + HOUR), organiser, now, "Anna") == ["not_invitable"]
    assert list_placed(of_club) == []
    assert not PlayInvitation.objects.exists()
    doubles = opened(PAIRS, starts_at=now + HOUR)
    asks = {"tournament_id": doubles.pk, "player": bruno, "partner": "Anna", "now": now}
    assert catch_code(pairs.enter_pair, **asks) == "partner_not_invitable"


def test_an_organiser_who_is_suspended_does_not_list_themself(opened: Opened, organiser: Player, now: datetime) -> None:
    suspend(organiser, now)
    problems = list_problems(opened(starts_at=now + HOUR), organiser, now, organiser.name)
    assert problems == ["not_invitable"]


def test_invitations_from_before_are_not_accepted_and_drafts_do_not_ask(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno = four[:2]
    doubles = opened(PAIRS, starts_at=now + HOUR)
    settings = replace(KO, name="Dopo", starts_at=now + HOUR)
    later = lifecycle.create_tournament(organiser=organiser, settings=settings, now=now)
    import_list.import_entries(tournament_id=doubles.pk, by=organiser, rows=[Row(1, "Anna", "Bruno")], now=now)
    import_list.import_entries(tournament_id=later.pk, by=organiser, rows=[Row(1, "Anna")], now=now)
    answer(invitations.accept_invitation, doubles, anna, now)
    suspend(anna, now)
    with raises_refusal("cannot_play"):
        answer(invitations.accept_invitation, doubles, bruno, now)
    with raises_refusal("suspended"):
        answer(invitations.accept_invitation, doubles, anna, now)
    lifecycle.publish_tournament(tournament_id=later.pk, by=organiser, now=now)
    assert not later.invitations.open().exists()
    suspend(anna, now, days=0)
    accept_all(doubles, now)
    assert list_placed(doubles) == ["Anna+Bruno"]


def test_a_pair_is_not_completed_by_or_with_them(opened: Opened, four: list[Player], now: datetime) -> None:
    anna, bruno, carla, _dino = four
    tournament = opened(PAIRS, starts_at=now + HOUR)
    linked = pairs.enter_pair(tournament_id=tournament.pk, player=anna, partner=None, now=now)
    named = pairs.enter_pair(tournament_id=tournament.pk, player=carla, partner="Bruno", now=now)
    suspend(bruno, now)
    by_link = {"tournament_id": tournament.pk, "player": bruno, "token": linked.token, "now": now}
    assert catch_code(pairs.confirm_pair, **by_link) == "suspended"
    by_name = {"tournament_id": tournament.pk, "player": bruno, "entry_id": named.pk, "now": now}
    assert catch_code(pairs.confirm_pair, **by_name) == "suspended"
    suspend(bruno, now, days=0)
    suspend(anna, now)
    assert catch_code(pairs.confirm_pair, **by_link) == "cannot_play"
    assert pairs.confirm_pair(**by_name).confirmed


def test_no_referee_puts_them_in_anothers_place(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    entry, nives = entry_of(girone, four[0]), create_person("Nives", now)
    about = {"tournament_id": girone.pk, "entry_id": entry.pk, "player_id": four[0].pk, "name": "Nives"}
    substitution.replace_player(act=build_act(referee, now), **about)
    suspend(nives, now)
    with raises_refusal("suspended"):
        answer(substitution.take_place, girone, nives, now)
    girone.invitations.all().delete()
    with raises_refusal("not_invitable"):
        substitution.replace_player(act=build_act(referee, now), **about)
    assert entry.members.get().person.name == four[0].name


def test_a_club_member_who_consents_is_no_substitute_meanwhile(
    opened: Opened, organiser: Player, consenting: Club, four: list[Player], now: datetime
) -> None:
    tournament = opened(max_entries=2, club_id=consenting.pk)
    enter_all(tournament, four[:2], now)
    suspend(four[2], now)
    with raises_refusal("not_invitable"):
        substitution.replace_player(
            tournament_id=tournament.pk,
            entry_id=entry_of(tournament, four[0]).pk,
            player_id=four[0].pk,
            name=four[2].name,
            act=build_act(organiser, now),
        )


def test_an_application_waits_while_its_player_is_suspended(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(registration="approval", starts_at=now + HOUR)
    asked = [join.enter_player(tournament_id=tournament.pk, player=one, now=now) for one in four[:2]]
    suspend(four[0], now)
    about = {"tournament_id": tournament.pk, "by": organiser, "now": now}
    assert catch_code(approvals.approve_entries, entry_id=asked[0].pk, **about) == "cannot_play"
    assert approvals.approve_entries(entry_id=None, **about) == 1
    assert list_placed(tournament) == ["Bruno"]
    suspend(four[0], now, days=0)
    assert approvals.approve_entries(entry_id=None, **about) == 1


def test_nobody_suspended_comes_late(opened: Opened, four: list[Player], now: datetime) -> None:
    anna, bruno = four[:2]
    danese = {"format": "danese", "format_options": {"rounds": 4, "late": 2}, "publishes_rounds": True}
    tournament = enter_all(opened(max_entries=8, **danese), [*four[2:], create_person("Nives", now)], now)
    draft = drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    drafts.publish_round(tournament_id=tournament.pk, by=tournament.organiser, number=draft.round, now=now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "people": [], "address": "192.0.2.1", "now": now}
    asked = ask_to_enter_late(player=anna, own_key="a" * 24, **about)
    for player in (anna, bruno):
        suspend(player, now)
    assert catch_code(ask_to_enter_late, player=bruno, own_key="b" * 24, **about) == "suspended"
    answers = {"tournament_id": tournament.pk, "request_id": asked.pk, "by": tournament.organiser, "now": now}
    assert catch_code(answer_late_request, yes=True, **answers) == "cannot_play"
    assert not tournament.members.of_player(anna).exists()
