"""Fixed pairs: formed by an invitation and a yes, named by both, left by either."""

from datetime import datetime, timedelta

import pytest

from players import caps
from players.models import FixedPair, Player
from players.services.blocks import block_player, unblock_player
from players.services.close_account import close_account
from players.services.fixed_pairs import PairRefused, answer_pair, end_pairs, invite_to_pair, leave_pair, name_pair
from players.services.players import create_guest
from tests.support.people import create_person, take_house
from tournaments.profiles.queries import list_pair_invitations

pytestmark = pytest.mark.django_db


def form(first: Player, second: Player, now: datetime) -> FixedPair:
    pair = invite_to_pair(player=first, other=second, now=now)
    answer_pair(public_id=pair.public_id, player=second, accepts=True, now=now)
    pair.refresh_from_db()
    return pair


def refusal(call: object, **arguments: object) -> str:
    with pytest.raises(PairRefused) as refused:
        call(**arguments)  # type: ignore[operator]
    return refused.value.code


def test_a_pair_is_formed_by_an_invitation_and_a_yes(anna: Player, bruno: Player, now: datetime) -> None:
    pair = invite_to_pair(player=anna, other=bruno, now=now)
    assert pair.formed_at is None
    assert refusal(answer_pair, public_id=pair.public_id, player=anna, accepts=True, now=now) == "no_such_pair"
    assert refusal(name_pair, public_id=pair.public_id, player=anna, name="Le volpi") == "no_such_pair"
    assert answer_pair(public_id=pair.public_id, player=bruno, accepts=True, now=now) == pair
    assert refusal(invite_to_pair, player=bruno, other=anna, now=now) == "pair_exists"


def test_two_who_invite_each_other_are_a_pair_and_a_no_leaves_nothing(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    pair = invite_to_pair(player=anna, other=bruno, now=now)
    assert invite_to_pair(player=bruno, other=anna, now=now) == pair
    assert FixedPair.objects.get().formed_at == now
    declined = invite_to_pair(player=anna, other=carla, now=now)
    assert answer_pair(public_id=declined.public_id, player=carla, accepts=False, now=now) is None
    assert FixedPair.objects.get() == pair


def test_a_name_holds_once_both_have_given_it(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    pair = form(anna, bruno, now)
    for player, name, holds in ((anna, "Le volpi", ""), (anna, "Le volpi", ""), (bruno, "I lupi", "")):
        assert name_pair(public_id=pair.public_id, player=player, name=name).name == holds
    assert name_pair(public_id=pair.public_id, player=anna, name="I  lupi ").name == "I lupi"
    assert refusal(name_pair, public_id=pair.public_id, player=carla, name="Gli altri") == "no_such_pair"
    for name, code in (("7", "short"), ("x" * 41, "long"), ("Staff di Smazzata", "reserved")):
        assert refusal(name_pair, public_id=pair.public_id, player=anna, name=name) == f"pair_name_{code}"


def test_either_leaves_and_the_pair_stays_to_be_read_and_may_be_formed_anew(
    anna: Player, bruno: Player, now: datetime
) -> None:
    pair = form(anna, bruno, now)
    leave_pair(public_id=pair.public_id, player=bruno, now=now)
    pair.refresh_from_db()
    assert pair.ended_at == now
    assert refusal(leave_pair, public_id=pair.public_id, player=anna, now=now) == "no_such_pair"
    assert form(bruno, anna, now) != pair
    other = invite_to_pair(player=anna, other=create_person("Elio", now), now=now)
    leave_pair(public_id=other.public_id, player=anna, now=now)
    assert not FixedPair.objects.filter(pk=other.pk).exists()


def test_nobody_is_paired_with_guests_the_house_themselves_or_whom_a_block_parts(
    anna: Player, bruno: Player, now: datetime
) -> None:
    block_player(player=bruno, blocked=anna, now=now)
    [house] = take_house(count=1, now=now)
    for other in (create_guest(now=now, address="192.0.2.1"), house, anna, None):
        assert refusal(invite_to_pair, player=anna, other=other, now=now) == "nobody_to_pair"
    assert refusal(invite_to_pair, player=bruno, other=anna, now=now) == "nobody_to_pair"


def test_who_blocks_is_not_shown_an_invitation_and_who_invites_learns_nothing(
    anna: Player, bruno: Player, now: datetime
) -> None:
    block_player(player=bruno, blocked=anna, now=now)
    asked = invite_to_pair(player=anna, other=bruno, now=now)
    assert list(list_pair_invitations(anna)) == [asked], "as ever"
    assert not list_pair_invitations(bruno).exists()
    refused = refusal(answer_pair, public_id=asked.public_id, player=bruno, accepts=True, now=now)
    assert refused == "no_such_pair"
    unblock_player(player=bruno, public_id=anna.public_id)
    assert invite_to_pair(player=bruno, other=anna, now=now).formed_at == now


def test_who_blocks_takes_back_what_they_asked_and_no_yes_forms_it_after(
    anna: Player, bruno: Player, now: datetime
) -> None:
    invite_to_pair(player=anna, other=bruno, now=now)
    block_player(player=anna, blocked=bruno, now=now)
    assert not FixedPair.objects.exists()
    asked = FixedPair.objects.create(first=anna, second=bruno, invited_at=now)  # of that very moment
    refused = refusal(answer_pair, public_id=asked.public_id, player=bruno, accepts=True, now=now)
    assert refused == "no_such_pair"
    assert invite_to_pair(player=bruno, other=anna, now=now).formed_at is None


def test_invitations_of_others_take_nobody_s_places(anna: Player, bruno: Player, now: datetime) -> None:
    for number in range(caps.FIXED_PAIRS_A_PERSON):
        invite_to_pair(player=create_person(f"Persona {chr(97 + number)}", now), other=anna, now=now)
    assert invite_to_pair(player=anna, other=bruno, now=now).first == anna


def test_pairs_and_invitations_have_their_caps(anna: Player, now: datetime) -> None:
    people = [create_person(f"Persona {letter}", now) for letter in "abcdefghijklmnopqrstuvw"]
    for person in people[: caps.PAIR_INVITATIONS_A_PERSON[0].most]:
        invite_to_pair(player=anna, other=person, now=now)
    assert refusal(invite_to_pair, player=anna, other=people[-1], now=now) == "pair_invitations"
    for hour, person in enumerate(people[10 : caps.FIXED_PAIRS_A_PERSON]):
        invite_to_pair(player=anna, other=person, now=now + timedelta(hours=hour + 2))
    assert refusal(invite_to_pair, player=anna, other=people[-1], now=now + timedelta(days=2)) == "too_many_pairs"


def test_a_closed_account_leaves_its_pairs_and_their_names(anna: Player, bruno: Player, now: datetime) -> None:
    pair = form(anna, bruno, now)
    for player in (anna, bruno):
        name_pair(public_id=pair.public_id, player=player, name="Anna e Bruno")
    FixedPair.objects.filter(pk=pair.pk).update(name="Anna e Bruno")
    later = now + timedelta(days=1)
    end_pairs(player=bruno, now=later)
    pair.refresh_from_db()
    assert (pair.name, pair.ended_at) == ("", later)
    close_account(player_id=bruno.pk, now=later)
    assert not FixedPair.objects.exists(), "nothing hung on an account without results"
