"""Guests: let in, limited by address, kept, converted, expired; and the players of the house."""

from datetime import datetime, timedelta

import pytest

from players import caps
from players.models import ActCounter, CountedAct, Player, User
from players.services.counted_acts import forget_acts
from players.services.halls import mark_hall
from players.services.house import create_house_player
from players.services.players import (
    NameTaken,
    NotAGuest,
    TooManyGuests,
    close_idle_guests,
    convert_guest,
    create_guest,
    ensure_player,
    forget_unused_guests,
    touch_seen,
)
from tournaments.entries import join
from tournaments.models import EntryMember
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
FEW, MANY = caps.GUESTS_AN_ADDRESS  # in ten minutes, and in a day
SETTINGS = Settings(name="Prova", format="ko", ruleset="scopa", length_kind="deals", length_value=1, min_entries=2)


def guest(now: datetime, address: str = "192.0.2.1", link: str = "") -> Player:
    return create_guest(now=now, address=address, link=link)


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


def test_one_address_lets_in_so_many_guests_and_then_none_until_time_has_passed_at6(now: datetime) -> None:
    for _ in range(FEW.most):
        guest(now)
    with pytest.raises(TooManyGuests) as refused:
        guest(now + MINUTE)
    assert refused.value.wait == FEW.window - MINUTE, "they are told how long to wait"
    guest(now + MINUTE, address="192.0.2.2")
    guest(now + FEW.window)


def test_one_address_lets_in_only_so_many_guests_a_day_at6(now: datetime) -> None:
    at = let_in_all_day(now)
    with pytest.raises(TooManyGuests) as refused:
        guest(at + FEW.window)
    assert refused.value.wait == now + MANY.window - at - FEW.window
    assert Player.objects.count() == MANY.most, "who is refused leaves no row"


def let_in_all_day(now: datetime) -> datetime:
    """Let in as many guests as one address may in a day; the last instant."""
    for number in range(MANY.most):
        at = now + number // FEW.most * FEW.window
        guest(at)
    return at


def test_who_comes_by_a_tournaments_link_is_counted_for_it_and_all_of_them_for_their_address_at6(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "GUESTS_AN_ADDRESS_IN_ALL", (caps.Cap(2 * FEW.most + 1, caps.DAY),))
    for link in ("", "torneo1"):
        for _ in range(FEW.most):
            guest(now, link=link)
        with pytest.raises(TooManyGuests):
            guest(now, link=link)
    guest(now, link="torneo2")
    with pytest.raises(TooManyGuests):
        guest(now, link="torneo3")


def test_two_hundred_telephones_in_a_hall_come_in_and_no_neighbour_does_at6(now: datetime) -> None:
    mark_hall(key="torneo1", address="192.0.2.1", until=now + caps.HOUR)
    for _ in range(200):
        guest(now)
    for _ in range(FEW.most):
        guest(now, address="192.0.2.2")
    with pytest.raises(TooManyGuests):
        guest(now, address="192.0.2.2")
    for _ in range(FEW.most):
        guest(now + caps.HOUR)
    with pytest.raises(TooManyGuests):
        guest(now + caps.HOUR)  # its day is over: an address like any other


def test_the_site_lets_in_only_so_many_guests_from_everywhere_at6(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "GUESTS_ON_THE_SITE", (caps.Cap(3, caps.DAY),))
    for number in range(3):
        guest(now, address=f"192.0.2.{number}")
    with pytest.raises(TooManyGuests):
        guest(now, address="192.0.2.9")


def test_an_ipv6_household_counts_as_one_address_and_a_mapped_one_as_its_ipv4_at6(now: datetime) -> None:
    for number in range(FEW.most):
        guest(now, address=f"2001:db8:0:7::{number + 1:x}")
    with pytest.raises(TooManyGuests):
        guest(now, address="2001:db8:0:7:ffff::1")
    guest(now, address="2001:db8:0:8::1")
    guest(now, address="::ffff:192.0.2.9")
    guest(now, address="192.0.2.9")
    keys = ActCounter.objects.filter(key__endswith=":").values_list("key", flat=True)
    assert len(keys) == 3, "a household, its neighbours, and the one that was written in two ways"


def test_no_address_is_kept_as_it_is(now: datetime) -> None:
    guest(now, address="198.51.100.77")
    assert not any("198.51" in key for key in ActCounter.objects.values_list("key", flat=True))


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


def expire(now: datetime) -> tuple[int, int]:
    """Run both steps for guests; how many were deleted, and how many closed."""
    return forget_unused_guests(now=now), close_idle_guests(now=now)


def test_an_idle_guest_who_never_played_is_deleted(now: datetime) -> None:
    player = guest(now)
    assert expire(now + caps.GUEST_UNUSED_KEPT - MINUTE) == (0, 0)
    assert expire(now + caps.GUEST_UNUSED_KEPT) == (1, 0)
    assert not User.objects.filter(pk=player.user_id).exists()


def test_counted_acts_are_forgotten_when_no_window_reaches_them_any_more(now: datetime) -> None:
    guest(now)
    guest(now + caps.HOUR)
    forget_acts(now=now + caps.COUNTED_ACTS_KEPT)
    assert set(CountedAct.objects.values_list("at", flat=True)) == {now + caps.HOUR}
    forget_acts(now=now + caps.HOUR + caps.COUNTED_ACTS_KEPT)
    assert not CountedAct.objects.exists()
    assert set(ActCounter.objects.values_list("key", flat=True)) == {"guests"}, "the site's own stay"


def test_no_window_of_a_cap_is_longer_than_its_acts_are_kept() -> None:
    limits = [
        value for value in vars(caps).values() if isinstance(value, tuple) and value and type(value[0]) is caps.Cap
    ]
    assert limits
    assert max(cap.window for row in limits for cap in row) <= caps.COUNTED_ACTS_KEPT
    assert all(list(row) == sorted(row, key=lambda cap: cap.window) for row in limits)


def test_a_guest_who_left_results_is_closed_and_the_others_keep_theirs(now: datetime, anna: Player) -> None:
    player = guest(now)
    member_of = enter(player, anna, now)
    assert expire(now + caps.GUEST_UNUSED_KEPT) == (0, 0)
    assert expire(now + caps.GUEST_IDLE_KEPT) == (0, 1)
    player = Player.objects.select_related("user").get(pk=player.pk)
    assert not player.user.is_active
    assert EntryMember.objects.filter(pk=member_of.pk).exists()
    assert expire(now + 2 * caps.GUEST_IDLE_KEPT) == (0, 0)


def test_a_guest_who_comes_back_a_member_and_a_house_player_stay(now: datetime, anna: Player) -> None:
    player = guest(now)
    touch_seen(player=player, now=now + caps.GUEST_UNUSED_KEPT)
    house = create_house_player(now=now)
    assert expire(now + caps.GUEST_UNUSED_KEPT + MINUTE) == (0, 0)
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
