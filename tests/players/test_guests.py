"""Guests: let in, limited by address, kept, converted, expired; and the players of the house."""

from datetime import datetime, timedelta

import pytest

from players.models import GuestArrival, Player, User
from players.services.house import create_house_player
from players.services.players import (
    ARRIVAL_WINDOW,
    GUESTS_AN_ADDRESS,
    GUESTS_AN_ADDRESS_A_DAY,
    IDLE_AFTER,
    UNUSED_AFTER,
    NameTaken,
    NotAGuest,
    TooManyGuests,
    convert_guest,
    create_guest,
    ensure_player,
    expire_guests,
    touch_seen,
)
from tournaments.entries import join
from tournaments.models import EntryMember
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
SETTINGS = Settings(name="Prova", format="ko", ruleset="scopa", length_kind="deals", length_value=1, min_entries=2)


def guest(now: datetime, address: str = "192.0.2.1") -> Player:
    return create_guest(now=now, address=address)


def enter(player: Player, organiser: Player, now: datetime) -> EntryMember:
    """Let ``player`` enter a tournament of ``organiser``."""
    tournament = lifecycle.create_tournament(organiser=organiser, settings=SETTINGS, now=now)
    lifecycle.publish_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    return EntryMember.objects.get(tournament=tournament, person__player=player)


def test_a_guest_is_a_real_account_nobody_can_log_in_to(now: datetime) -> None:
    player = guest(now)
    assert player.is_guest
    assert player.name.startswith("Ospite ")
    assert not player.user.has_usable_password()
    assert player.user.is_active


def test_one_address_lets_in_so_many_guests_and_then_none_until_time_has_passed(now: datetime) -> None:
    for _ in range(GUESTS_AN_ADDRESS):
        guest(now)
    with pytest.raises(TooManyGuests):
        guest(now + MINUTE)
    guest(now + MINUTE, address="192.0.2.2")
    guest(now + ARRIVAL_WINDOW + MINUTE)


def test_one_address_lets_in_only_so_many_guests_a_day(now: datetime) -> None:
    at = now
    for number in range(GUESTS_AN_ADDRESS_A_DAY):
        if number % GUESTS_AN_ADDRESS == 0:
            at += ARRIVAL_WINDOW + MINUTE
        guest(at)
    with pytest.raises(TooManyGuests):
        guest(at + ARRIVAL_WINDOW + MINUTE)


def test_an_ipv6_household_counts_as_one_address_and_a_mapped_one_as_its_ipv4(now: datetime) -> None:
    for number in range(GUESTS_AN_ADDRESS):
        guest(now, address=f"2001:db8:0:7::{number + 1:x}")
    with pytest.raises(TooManyGuests):
        guest(now, address="2001:db8:0:7:ffff::1")
    guest(now, address="2001:db8:0:8::1")
    guest(now, address="::ffff:192.0.2.9")
    assert len(set(GuestArrival.objects.values_list("address", flat=True))) == 3


def test_no_address_is_kept_as_it_is(now: datetime) -> None:
    guest(now, address="198.51.100.77")
    assert "198.51" not in GuestArrival.objects.get().address


def test_a_guest_becomes_a_member_on_the_same_rows_and_keeps_their_entries(now: datetime, anna: Player) -> None:
    player = guest(now)
    member_of = enter(player, anna, now)
    member = convert_guest(
        player_id=player.pk, name="Bruno", email="bruno@example.org", password="tre-di-bastoni", now=now
    )
    assert (member.pk, member.user_id, member.public_id) == (player.pk, player.user_id, player.public_id)
    assert member.kind == Player.Kind.MEMBER
    assert member.user.check_password("tre-di-bastoni")
    member_of.refresh_from_db()
    assert member_of.person.name == "Bruno"


def test_a_guest_is_converted_once_and_never_into_somebody_else(now: datetime, anna: Player) -> None:
    player = guest(now)
    with pytest.raises(NameTaken):
        convert_guest(player_id=player.pk, name="ANNA", email="", password="x", now=now)
    convert_guest(player_id=player.pk, name="Bruno", email="", password="tre-di-bastoni", now=now)
    with pytest.raises(NotAGuest):
        convert_guest(player_id=player.pk, name="Carla", email="", password="x", now=now)


def test_an_idle_guest_who_never_played_is_deleted(now: datetime) -> None:
    player = guest(now)
    assert expire_guests(now=now + UNUSED_AFTER - MINUTE) == (0, 0)
    assert expire_guests(now=now + UNUSED_AFTER) == (1, 0)
    assert not User.objects.filter(pk=player.user_id).exists()
    assert not GuestArrival.objects.exists()


def test_a_guest_who_left_results_is_closed_and_the_others_keep_theirs(now: datetime, anna: Player) -> None:
    player = guest(now)
    member_of = enter(player, anna, now)
    assert expire_guests(now=now + UNUSED_AFTER) == (0, 0)
    assert expire_guests(now=now + IDLE_AFTER) == (0, 1)
    player = Player.objects.select_related("user").get(pk=player.pk)
    assert not player.user.is_active
    assert EntryMember.objects.filter(pk=member_of.pk).exists()
    assert expire_guests(now=now + 2 * IDLE_AFTER) == (0, 0)


def test_a_guest_who_comes_back_a_member_and_a_house_player_stay(now: datetime, anna: Player) -> None:
    player = guest(now)
    touch_seen(player=player, now=now + UNUSED_AFTER)
    house = create_house_player(now=now)
    assert expire_guests(now=now + UNUSED_AFTER + MINUTE) == (0, 0)
    assert Player.objects.filter(pk__in=[player.pk, house.pk, anna.pk]).count() == 3


def test_being_about_is_written_once_a_minute(now: datetime) -> None:
    player = guest(now)
    touch_seen(player=player, now=now + timedelta(seconds=59))
    assert Player.objects.get(pk=player.pk).seen_at == now
    touch_seen(player=player, now=now + MINUTE)
    assert Player.objects.get(pk=player.pk).seen_at == now + MINUTE


def test_an_account_made_by_the_staff_gets_a_player_of_its_own(now: datetime, anna: Player) -> None:
    lone = User.objects.create_user("Carla Bianchi")
    assert ensure_player(user=lone, now=now).name == "Carla Bianchi"
    assert ensure_player(user=lone, now=now).user_id == lone.pk
    staff = User.objects.create_user("admin")
    assert ensure_player(user=staff, now=now).name.startswith("Socio ")
