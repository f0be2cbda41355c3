"""Friends and blocks (B6): whom a player follows, whom they want nothing of, and what of it the other one learns."""

from datetime import datetime

import pytest
from django.urls import reverse

from players import caps
from players.models import Follow, Player, PlayerBlock
from players.selectors import Relation, find_blocks, find_relation, list_followed
from players.services.blocks import block_player, unblock_player
from players.services.close_account import close_account
from players.services.follows import FollowRefused, follow_player, unfollow_player
from tests.support.html import read_hooks
from tests.support.people import sign_in, take_house

pytestmark = pytest.mark.django_db


@pytest.mark.rule("B6")
def test_a_player_follows_another_who_follows_nobody_by_it(anna: Player, bruno: Player, now: datetime) -> None:
    follow_player(player=anna, followed=bruno, now=now)
    follow_player(player=anna, followed=bruno, now=now)
    assert list_followed(anna) == [bruno]
    assert list_followed(bruno) == []
    assert unfollow_player(player=anna, public_id=bruno.public_id)
    assert not unfollow_player(player=anna, public_id=bruno.public_id)
    assert list_followed(anna) == []


def test_nobody_follows_themselves_the_house_or_whom_they_block(anna: Player, bruno: Player, now: datetime) -> None:
    (house,) = take_house(count=1, now=now)
    block_player(player=anna, blocked=bruno, now=now)
    for other, code in ((anna, "nobody_to_follow"), (house, "nobody_to_follow"), (bruno, "follows_blocked")):
        with pytest.raises(FollowRefused) as refused:
            follow_player(player=anna, followed=other, now=now)
        assert refused.value.code == code


def test_friends_have_a_cap(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(caps, "FOLLOWS_A_PERSON", 1)
        follow_player(player=anna, followed=bruno, now=now)
        with pytest.raises(FollowRefused) as refused:
            follow_player(player=anna, followed=carla, now=now)
    assert refused.value.code == "too_many_follows"


@pytest.mark.rule("B6")
def test_a_block_holds_both_ways_and_only_who_made_it_takes_it_back(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    block_player(player=anna, blocked=bruno, now=now)
    everybody = [anna.pk, bruno.pk, carla.pk]
    assert find_blocks(everybody) == {frozenset({anna.pk, bruno.pk})}
    assert find_blocks([anna.pk, carla.pk]) == set()
    assert not unblock_player(player=bruno, public_id=anna.public_id)
    assert find_relation(bruno, anna) == Relation(follows=False, blocks=False), "who is blocked isn't told"
    assert unblock_player(player=anna, public_id=bruno.public_id)
    assert find_blocks(everybody) == set()


def test_who_blocks_a_friend_follows_them_no_longer(anna: Player, bruno: Player, now: datetime) -> None:
    follow_player(player=anna, followed=bruno, now=now)
    follow_player(player=bruno, followed=anna, now=now)
    block_player(player=anna, blocked=bruno, now=now)
    assert list_followed(anna) == []
    assert list_followed(bruno) == [anna], "else they would know"


def test_the_acts_are_posted_from_the_other_one_s_page_and_lead_back(anna: Player, bruno: Player) -> None:
    client = sign_in(anna)
    for act, code in (
        ("follow", "followed"),
        ("unfollow", "unfollowed"),
        ("block", "blocked"),
        ("follow", "follows_blocked"),
        ("unblock", "unblocked"),
    ):
        answer = client.post(reverse(act, args=[bruno.public_id]), {"next": reverse("privacy")}, follow=True)
        assert answer.redirect_chain == [(reverse("privacy"), 302)]
        assert code in read_hooks(answer, "notice")  # type: ignore[arg-type]
    assert not Follow.objects.exists()
    assert not PlayerBlock.objects.exists()


def test_the_acts_need_an_account_and_lead_nowhere_else(anna: Player, bruno: Player) -> None:
    address = reverse("follow", args=[bruno.public_id])
    assert sign_in(None).post(address).headers["Location"].startswith(reverse("account_login"))
    client = sign_in(anna)
    assert client.post(address, {"next": "https://example.org/"}).headers["Location"] == reverse("home")
    assert client.post(reverse("follow", args=["2222222222"])).status_code == 404


def test_a_closed_account_follows_nobody_and_is_followed_by_nobody(anna: Player, bruno: Player, now: datetime) -> None:
    follow_player(player=anna, followed=bruno, now=now)
    follow_player(player=bruno, followed=anna, now=now)
    close_account(player_id=anna.pk, now=now)
    assert not Follow.objects.exists()
