"""Places and waiting (E3), and presence at the start (E4): registration modes, waiting list, check-in."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Mail, Player
from players.services.close_account import close_account
from players.services.players import create_guest
from tests.support.entries import accept_all, change_settings, enter_all, list_placed, list_waiting
from tests.support.people import create_person
from tests.support.threads import run_for_codes
from tests.support.tournaments import KO, PAIRS, Opened, catch_code
from tournaments import sweep
from tournaments.core import reads, visibility
from tournaments.core.errors import TournamentError
from tournaments.entries import approvals, checkin, import_list, join, waiting_list
from tournaments.entries.house import enter_house_players
from tournaments.entries.pairs import confirm_pair, enter_pair, enter_with_house
from tournaments.entries.queries import find_collisions, list_awaiting_checkin
from tournaments.lists.spreadsheet import Row
from tournaments.models import Entry, EntryMember, LogEntry, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings
from tournaments.pages import home, tournament_page
from tournaments.running import start

pytestmark = pytest.mark.django_db

State = Tournament.State
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def joined(tournament: Tournament, players: list[Player], now: datetime, **how: Any) -> list[Entry]:
    return [join.enter_player(tournament_id=tournament.pk, player=player, now=now, **how) for player in players]


def state_of(tournament: Tournament) -> str:
    tournament.refresh_from_db()
    return tournament.state


# --- Registration (E3) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("E3")
def test_by_link_only_who_has_it_enters_and_a_renewed_one_shuts_the_old_out_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(registration="link", max_entries=8)
    token = tournament.join_token
    assert len(token) >= 16
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=anna, now=now) == "link_needed"
    assert (
        catch_code(join.enter_player, tournament_id=tournament.pk, player=anna, now=now, key="é" + token)
        == "link_needed"
    )
    joined(tournament, [anna], now, key=token)
    assert catch_code(approvals.renew_join_link, tournament_id=tournament.pk, by=anna, now=now) == "not_organiser"
    new = approvals.renew_join_link(tournament_id=tournament.pk, by=organiser, now=now)
    assert new != token
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=bruno, now=now, key=token) == "link_needed"
    joined(tournament, [bruno], now, key=new)
    joined(tournament, [organiser], now)  # who runs it needs none
    assert list_placed(tournament) == ["Anna", "Bruno", "Teresa"]


@pytest.mark.rule("E3")
@pytest.mark.parametrize("typed", ["CASA7", "casa7", " c asa 7 "])
def test_a_code_counts_without_its_capitals_and_spaces_e3(
    opened: Opened, anna: Player, now: datetime, typed: str
) -> None:
    tournament = opened(registration="code", join_code="Casa7")
    for wrong in ("", "casa", "casa77"):
        assert (
            catch_code(join.enter_player, tournament_id=tournament.pk, player=anna, now=now, key=wrong) == "code_needed"
        )
    joined(tournament, [anna], now, key=typed)
    assert list_placed(tournament) == ["Anna"]


def test_a_code_left_empty_is_made_up_and_a_silly_one_refused_e3(opened: Opened, now: datetime) -> None:
    assert len(opened(registration="code").join_code) == 6
    for code in ("abc", "x" * 17):
        assert catch_code(opened, registration="code", join_code=code) == "code_length"
    assert catch_code(opened, registration="a caso") == "unknown_registration"


@pytest.mark.rule("E3")
def test_with_approval_who_asks_has_no_place_until_the_organiser_says_yes_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna = four[0]
    tournament = opened(registration="approval", max_entries=2, starts_at=now + HOUR)
    asked = joined(tournament, four, now)
    assert list_placed(tournament) == []
    assert visibility.list_tournaments(None).get(public_id=tournament.public_id).entries_count == 0
    page = tournament_page.read_page(tournament, anna)
    assert page.viewer.own is not None
    assert (page.viewer.own.approved, page.entries.applicants, page.entries.rows) == (False, (), ())
    assert [entry.name for entry in tournament_page.read_page(tournament, organiser).entries.applicants] == [
        "Anna",
        "Bruno",
        "Carla",
        "Dino",
    ]
    refused = catch_code(approvals.approve_entries, tournament_id=tournament.pk, by=anna, entry_id=asked[0].pk, now=now)
    assert refused == "not_organiser"
    approvals.approve_entries(tournament_id=tournament.pk, by=organiser, entry_id=asked[1].pk, now=now)
    approvals.turn_down_entries(tournament_id=tournament.pk, by=organiser, entry_id=asked[0].pk, now=now)
    assert approvals.approve_entries(tournament_id=tournament.pk, by=organiser, entry_id=None, now=now) == 2
    assert list_placed(tournament) == ["Bruno", "Carla"]
    assert list_waiting(tournament) == ["Dino"], "accepted, and the places are taken"
    gone = catch_code(
        approvals.approve_entries, tournament_id=tournament.pk, by=organiser, entry_id=asked[0].pk, now=now
    )
    assert gone == "entry_gone"
    joined(tournament, [anna], now)  # they may ask again


def test_a_sit_and_go_begins_when_the_last_one_is_accepted_e3_e5(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    tournament = opened(registration="approval", max_entries=2)
    joined(tournament, [anna, bruno, carla], now)
    assert state_of(tournament) == State.OPEN
    approvals.approve_entries(tournament_id=tournament.pk, by=organiser, entry_id=None, now=now)
    assert state_of(tournament) == State.RUNNING
    assert list_placed(tournament) == ["Anna", "Bruno"]
    assert Entry.objects.filter(tournament=tournament).count() == 2, "who waits is out at the draw"


def test_a_pair_is_accepted_when_it_is_two_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(PAIRS, registration="approval")
    pair = enter_pair(tournament_id=tournament.pk, player=anna, partner="Bruno", now=now)
    asked = {"tournament_id": tournament.pk, "by": organiser, "entry_id": pair.pk, "now": now}
    assert catch_code(approvals.approve_entries, **asked) == "pair_incomplete"
    confirm_pair(tournament_id=tournament.pk, player=bruno, entry_id=pair.pk, now=now)
    assert list_placed(tournament) == []
    approvals.approve_entries(**asked)
    assert list_placed(tournament) == ["Anna+Bruno"]


def test_by_list_only_the_organiser_enters_people_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(registration="list")
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=anna, now=now) == "list_only"
    add = {"tournament_id": tournament.pk, "now": now}
    assert catch_code(import_list.add_names, by=anna, row=Row(1, "Anna"), **add) == "not_organiser"
    import_list.add_names(by=organiser, row=Row(1, "ANNA"), **add)
    assert list_placed(tournament) == []
    accept_all(tournament, now)
    assert list_placed(tournament) == ["Anna"]
    join.leave_tournament(tournament_id=tournament.pk, player=anna, now=now)
    assert list_placed(tournament) == [], "and they may leave"
    pairs = opened(PAIRS, registration="list", house_allowed=True)
    asks: dict[str, Any] = {"tournament_id": pairs.pk, "player": anna, "now": now}
    assert catch_code(enter_pair, partner=None, **asks) == "list_only"
    assert catch_code(enter_with_house, **asks) == "list_only"
    import_list.add_names(tournament_id=pairs.pk, by=organiser, row=Row(1, "Anna", "Bruno"), now=now)
    accept_all(pairs, now)
    assert list_placed(pairs) == ["Anna+Bruno"]


def test_guests_come_in_only_where_they_may_e3(opened: Opened, organiser: Player, anna: Player, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    tournament = opened(registration="approval", guests_allowed=False)
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=guest, now=now) == "guests_not_allowed"
    with pytest.raises(TournamentError) as refused:
        import_list.add_names(tournament_id=tournament.pk, by=organiser, row=Row(1, guest.name), now=now)
    assert [problem.code for problem in refused.value.values["problems"]] == ["name_of_guest"]


def test_the_organiser_takes_an_entry_off_until_the_draw_and_it_is_told_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(max_entries=2, starts_at=now + HOUR)
    first, _second = joined(tournament, [anna, bruno], now)
    act = {"tournament_id": tournament.pk, "entry_id": first.pk, "now": now}
    assert catch_code(approvals.remove_entry, by=bruno, **act) == "not_organiser"
    approvals.remove_entry(by=organiser, **act)
    assert list_placed(tournament) == ["Bruno"]
    assert catch_code(approvals.remove_entry, by=organiser, **act) == "entry_gone"
    entry = LogEntry.objects.get(tournament=tournament, code="removed")
    assert (entry.player, "name" in entry.detail) == (organiser, False), "the name goes with the account"
    joined(tournament, [anna], now)
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    entry = Entry.objects.filter(tournament=tournament).first()
    assert entry is not None
    act["entry_id"] = entry.pk
    assert catch_code(approvals.remove_entry, by=organiser, **act) == "drawn"


# --- The waiting list (E3) -----------------------------------------------------------------------------------------


@pytest.mark.rule("E3")
def test_who_finds_it_full_waits_if_they_want_and_moves_up_in_order_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    tournament = opened(max_entries=2, starts_at=now + HOUR)
    joined(tournament, [anna, bruno], now)
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=carla, now=now) == "full"
    joined(tournament, [carla], now, wait=True)
    joined(tournament, [dino], now + MINUTE, wait=True)
    assert (list_placed(tournament), list_waiting(tournament)) == (["Anna", "Bruno"], ["Carla", "Dino"])
    page = tournament_page.read_page(tournament, dino)
    assert [entry.name for entry in page.entries.waiting_list] == ["Carla", "Dino"]
    assert len(page.entries.rows) == 2
    join.leave_tournament(tournament_id=tournament.pk, player=anna, now=now + MINUTE)
    assert (list_placed(tournament), list_waiting(tournament)) == (["Bruno", "Carla"], ["Dino"])
    lifecycle.edit_tournament(
        tournament_id=tournament.pk, by=organiser, settings=change_settings(tournament, max_entries=4), now=now
    )
    assert list_waiting(tournament) == []
    ups = LogEntry.objects.filter(tournament=tournament, code="moved_up")
    assert [entry.detail["count"] for entry in ups] == [1, 1]


def test_who_moves_up_is_mailed_if_they_want_e3(opened: Opened, anna: Player, bruno: Player, now: datetime) -> None:
    bruno.user.mail_places = True
    bruno.user.save()
    EmailAddress.objects.create(user=bruno.user, email="bruno@example.org", verified=True, primary=True)
    tournament = opened(max_entries=2, starts_at=now + HOUR)
    joined(tournament, [anna, create_person("Elio", now)], now)
    joined(tournament, [bruno], now, wait=True)
    assert not Mail.objects.filter(kind="moved_up").exists()
    join.leave_tournament(tournament_id=tournament.pk, player=anna, now=now)
    assert [mail.user for mail in Mail.objects.filter(kind="moved_up")] == [bruno.user]


def test_a_pair_whose_second_did_not_come_in_time_gives_its_place_to_who_waits_e3(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla = four[:3]
    tournament = opened(PAIRS, max_entries=3)
    for n in range(2):
        one, two = create_person(f"Uno {n}", now), create_person(f"Due {n}", now)
        entry = enter_pair(tournament_id=tournament.pk, player=one, partner=two.name, now=now)
        confirm_pair(tournament_id=tournament.pk, player=two, entry_id=entry.pk, now=now)
    enter_pair(tournament_id=tournament.pk, player=anna, partner=None, now=now)
    asks = {"tournament_id": tournament.pk, "player": bruno, "partner": "Carla", "now": now + MINUTE}
    assert catch_code(enter_pair, **asks) == "full"
    entry = enter_pair(**asks, wait=True)
    confirm_pair(tournament_id=tournament.pk, player=carla, entry_id=entry.pk, now=now + MINUTE)
    assert list_waiting(tournament) == ["Bruno+Carla"]
    waiting_list.expire_holds(tournament_id=tournament.pk, now=now + 10 * MINUTE)
    assert "Bruno+Carla" in list_placed(tournament)
    start.start_due(tournament_id=tournament.pk, now=now + 10 * MINUTE)
    assert state_of(tournament) == State.RUNNING, "full of complete pairs: the sweep begins it"


def test_the_house_takes_no_place_of_those_who_wait_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(max_entries=2, house_allowed=True, starts_at=now + HOUR)
    joined(tournament, four[:2], now)
    joined(tournament, four[2:], now, wait=True)
    enter_house_players(tournament_id=tournament.pk, count=4, now=now)
    assert len(list_placed(tournament)) == 2
    low = change_settings(tournament, max_entries=2, name="Altro nome")
    lifecycle.edit_tournament(tournament_id=tournament.pk, by=organiser, settings=low, now=now)
    assert len(list_waiting(tournament)) == 2


def test_who_still_waits_at_the_draw_is_no_entry_e3_e5(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(max_entries=2, starts_at=now + HOUR)
    joined(tournament, four[:2], now)
    joined(tournament, four[2:], now, wait=True)
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    assert state_of(tournament) == State.RUNNING
    assert sorted(Entry.objects.filter(tournament=tournament).values_list("seed", flat=True)) == [1, 2]
    assert LogEntry.objects.get(tournament=tournament, code="left_out").detail == {"count": 2}


# --- The check-in (E4) ---------------------------------------------------------------------------------------------


def checking_in(opened: Opened, now: datetime, base: Settings = KO, **values: Any) -> Tournament:
    """A tournament that begins in an hour, with a quarter of an hour's check-in."""
    return opened(base, **{"starts_at": now + HOUR, "checkin_minutes": 15, "max_entries": 8} | values)


@pytest.mark.rule("E4")
def test_who_has_not_checked_in_is_out_and_who_waits_and_has_moves_up_e4(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    late = create_person("Elio", now)
    tournament = checking_in(opened, now, max_entries=3)
    joined(tournament, [anna, bruno, late], now)
    joined(tournament, [carla, dino], now, wait=True)
    assert Tournament.objects.get(pk=tournament.pk).due_at == now + 45 * MINUTE
    assert not start.start_due(tournament_id=tournament.pk, now=now + 44 * MINUTE)
    check = {"tournament_id": tournament.pk, "now": now + 50 * MINUTE}
    assert catch_code(checkin.check_in, player=anna, **check) == "checkin_not_open"
    assert start.start_due(tournament_id=tournament.pk, now=now + 45 * MINUTE)
    assert state_of(tournament) == State.CHECKIN
    assert tournament.due_at == now + HOUR
    for player in (anna, bruno, dino):
        checkin.check_in(player=player, **check)
    checkin.check_in(player=anna, **check)  # twice is once
    assert LogEntry.objects.filter(tournament=tournament, code="checked_in").count() == 3
    assert not start.start_due(tournament_id=tournament.pk, now=now + 59 * MINUTE)
    assert start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    assert state_of(tournament) == State.RUNNING
    assert sorted(list_placed(tournament)) == ["Anna", "Bruno", "Dino"], "Carla waited longer, and isn't there"
    assert catch_code(checkin.check_in, player=anna, **check) == "drawn"


@pytest.mark.rule("E4")
def test_both_of_a_pair_check_in_and_the_house_is_always_there_e4(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    tournament = checking_in(opened, now, PAIRS, house_allowed=True)
    for one, two in ((anna, bruno), (carla, dino)):
        import_list.add_names(tournament_id=tournament.pk, by=organiser, row=Row(1, one.name, two.name), now=now)
    accept_all(tournament, now)
    enter_with_house(tournament_id=tournament.pk, player=create_person("Elio", now), now=now)
    enter_house_players(tournament_id=tournament.pk, count=1, now=now)
    at = now + 50 * MINUTE
    start.start_due(tournament_id=tournament.pk, now=at)
    for player in (anna, bruno, carla, Player.objects.get(name="Elio")):
        checkin.check_in(tournament_id=tournament.pk, player=player, now=at)
    assert [entry.checked_in for entry in reads.read_entries(tournament).values()] == [True, False, True, True]
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    assert state_of(tournament) == State.RUNNING
    kept = list_placed(tournament)
    assert len(kept) == 3
    assert "Anna+Bruno" in kept
    assert "Carla+Dino" not in kept


def test_the_desk_checks_people_in_and_out_again_e4(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = checking_in(opened, now)
    first, second = joined(tournament, [anna, bruno], now)
    at = now + 50 * MINUTE
    desk = {"tournament_id": tournament.pk, "now": at}
    code = catch_code(checkin.check_in_at_desk, by=organiser, entry_id=first.pk, present=True, **desk)
    assert code == "checkin_not_open"
    start.start_due(tournament_id=tournament.pk, now=at)
    assert catch_code(checkin.check_in_at_desk, by=anna, entry_id=first.pk, present=True, **desk) == "not_organiser"
    assert catch_code(checkin.check_in_at_desk, by=organiser, entry_id=0, present=True, **desk) == "not_entered"
    for entry, present in ((first, True), (second, True), (first, False)):
        checkin.check_in_at_desk(by=organiser, entry_id=entry.pk, present=present, **desk)
    assert [entry.checked_in for entry in reads.read_entries(tournament).values()] == [False, True]


def test_with_too_few_checked_in_it_is_called_off_and_everybody_is_told_e4_e5(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = checking_in(opened, now)
    joined(tournament, [anna, bruno], now)
    start.start_due(tournament_id=tournament.pk, now=now + 45 * MINUTE)
    checkin.check_in(tournament_id=tournament.pk, player=anna, now=now + 50 * MINUTE)
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    assert state_of(tournament) == State.CANCELLED
    assert tournament.cancelled_because == "too_few_entries"


@pytest.mark.rule("E4")
def test_in_the_window_one_still_enters_and_is_there_leaves_and_it_is_called_off_e4(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    tournament = checking_in(opened, now, max_entries=3)
    joined(tournament, [anna], now)
    at = now + 45 * MINUTE
    start.start_due(tournament_id=tournament.pk, now=at)
    joined(tournament, [bruno, carla], at)
    joined(tournament, [dino], at, wait=True)
    assert [entry.checked_in for entry in reads.read_entries(tournament).values()] == [False, True, True]
    assert tournament.pk in [listed.pk for listed in list_awaiting_checkin(anna)]
    assert list(list_awaiting_checkin(bruno)) == []
    assert tournament in home.read_home().open
    join.leave_tournament(tournament_id=tournament.pk, player=bruno, now=at)
    assert list_placed(tournament) == ["Anna", "Carla", "Dino"]
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, reason="Neve", now=at)
    assert state_of(tournament) == State.CANCELLED


def test_the_sweep_opens_and_closes_it_and_an_account_that_closes_gives_its_place_up_e4(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    tournament = checking_in(opened, now, max_entries=3)
    joined(tournament, [anna, bruno, carla], now)
    joined(tournament, [dino], now, wait=True)

    def swept(at: datetime) -> str:
        for due_id in sweep.list_due_starts(at):
            sweep.start_tournament(due_id, at)
        return state_of(tournament)

    assert swept(now + 44 * MINUTE) == State.OPEN
    assert swept(now + 45 * MINUTE) == State.CHECKIN
    close_account(player_id=anna.pk, now=now + 50 * MINUTE)
    assert list_placed(tournament) == ["Bruno", "Carla", "Dino"]
    for player in (bruno, carla, dino):
        checkin.check_in(tournament_id=tournament.pk, player=player, now=now + 50 * MINUTE)
    assert swept(now + HOUR) == State.RUNNING
    assert swept(now + 2 * HOUR) == State.RUNNING
    early = checking_in(opened, now)
    start.start_due(tournament_id=early.pk, now=now + 45 * MINUTE)
    close_account(player_id=organiser.pk, now=now + 50 * MINUTE)
    assert state_of(early) == State.CANCELLED


def test_put_off_the_check_in_begins_anew_e4(opened: Opened, organiser: Player, anna: Player, now: datetime) -> None:
    tournament = checking_in(opened, now)
    joined(tournament, [anna], now)
    at = now + 50 * MINUTE
    start.start_due(tournament_id=tournament.pk, now=at)
    checkin.check_in(tournament_id=tournament.pk, player=anna, now=at)
    later = change_settings(tournament, starts_at=now + 5 * HOUR)
    lifecycle.edit_tournament(tournament_id=tournament.pk, by=organiser, settings=later, now=at)
    assert state_of(tournament) == State.OPEN
    assert tournament.due_at == now + 5 * HOUR - 15 * MINUTE
    assert not EntryMember.objects.filter(checked_in_at__isnull=False).exists()


def test_brought_nearer_than_its_shortest_length_the_check_in_goes_on_e4(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = checking_in(opened, now)
    joined(tournament, four[:3], now)
    at = now + 50 * MINUTE
    start.start_due(tournament_id=tournament.pk, now=at)
    for player in four[:2]:
        checkin.check_in(tournament_id=tournament.pk, player=player, now=at)
    sooner = at + timedelta(seconds=30)
    settings = change_settings(tournament, starts_at=sooner)
    lifecycle.edit_tournament(tournament_id=tournament.pk, by=organiser, settings=settings, now=at)
    assert state_of(tournament) == State.CHECKIN
    start.start_due(tournament_id=tournament.pk, now=sooner)
    assert (state_of(tournament), len(list_placed(tournament))) == (State.RUNNING, 2)


def test_a_site_that_was_down_through_the_window_puts_nobody_out_e4(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    for back in (now + HOUR, now + HOUR - timedelta(seconds=20)):
        tournament = checking_in(opened, now)
        joined(tournament, [anna, bruno], now)
        start.start_due(tournament_id=tournament.pk, now=back)
        start.start_due(tournament_id=tournament.pk, now=now + HOUR)
        assert state_of(tournament) == State.RUNNING
        assert len(list_placed(tournament)) == 2


def test_a_check_in_needs_an_hour_and_a_sensible_length_e4(opened: Opened, now: datetime) -> None:
    assert catch_code(opened, checkin_minutes=15) == "checkin_needs_start"
    for minutes in (0, 24 * 60 + 1):
        assert catch_code(opened, checkin_minutes=minutes, starts_at=now + HOUR) == "checkin_range"


# --- Collisions (E8) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("E8")
def test_tournaments_collide_when_they_want_one_at_the_same_time_e8(
    opened: Opened, anna: Player, now: datetime
) -> None:
    eight, nine, tomorrow, full = (
        opened(starts_at=now + HOUR),
        opened(starts_at=now + 2 * HOUR),
        opened(starts_at=now + 26 * HOUR),
        opened(),
    )
    joined(eight, [anna], now)
    assert find_collisions(nine, anna, now) == [eight]
    assert find_collisions(tomorrow, anna, now) == []
    assert find_collisions(full, anna, now) == [eight], "it may begin any moment"
    assert find_collisions(full, anna, now - 26 * HOUR) == []
    assert find_collisions(eight, anna, now) == [], "not with itself"


# --- Many, and many at once ----------------------------------------------------------------------------------------


def test_moving_up_and_closing_take_as_many_queries_for_many_as_for_few(opened: Opened, now: datetime) -> None:
    def queries(size: int) -> int:
        tournament = checking_in(opened, now, max_entries=size)
        everybody = [create_person(f"P{size}x{n}", now) for n in range(2 * size)]
        joined(tournament, everybody[:size], now)
        joined(tournament, everybody[size:], now, wait=True)
        start.start_due(tournament_id=tournament.pk, now=now + 45 * MINUTE)
        present = everybody[size // 2 : -1]
        EntryMember.objects.filter(tournament=tournament, person__player__in=present).update(checked_in_at=now)
        with CaptureQueriesContext(connection) as captured:
            start.start_due(tournament_id=tournament.pk, now=now + HOUR)
        assert state_of(tournament) == State.RUNNING
        return len(captured)

    few = queries(4)
    assert queries(8) <= few


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_of_many_for_the_last_place_one_has_it_and_the_others_wait_in_one_order_e3(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(max_entries=3, starts_at=now + HOUR)
    joined(tournament, [anna, bruno], now)
    crowd = [create_person(f"Giocatore {n}", now) for n in range(8)]

    def come(player: Player) -> Callable[[], Any]:
        return lambda: join.enter_player(tournament_id=tournament.pk, player=player, now=now, wait=True)

    def go(player: Player) -> Callable[[], Any]:
        return lambda: join.leave_tournament(tournament_id=tournament.pk, player=player, now=now)

    got = run_for_codes(*[*(come(player) for player in crowd), go(anna), go(bruno)])
    assert all(type(answer) in (Entry, type(None)) for answer in got), got
    assert len(list_placed(tournament)) == 3
    assert len(list_waiting(tournament)) == 5
    assert Entry.objects.filter(tournament=tournament).count() == 8


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_the_place_two_leave_at_once_goes_to_two_who_wait_e3(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(max_entries=2, starts_at=now + HOUR)
    joined(tournament, four[:2], now)
    joined(tournament, four[2:], now, wait=True)

    def go(player: Player) -> Callable[[], Any]:
        return lambda: join.leave_tournament(tournament_id=tournament.pk, player=player, now=now)

    run_for_codes(*[go(player) for player in four[:3]])
    assert (list_placed(tournament), list_waiting(tournament)) == (["Dino"], [])


def read_rows(tournament: Tournament) -> list[list[dict[str, object]]]:
    """Return the rows of a tournament's entries, its log and itself, without keys and what was drawn for its secret."""
    models = (Entry, EntryMember, LogEntry)
    rows = [list(model.objects.filter(tournament=tournament).order_by("pk").values()) for model in models]
    rows[-1] = [row for row in rows[-1] if row["code"] != "draw_committed"]
    rows.append(list(Tournament.objects.filter(pk=tournament.pk).values()))
    for row in (row for of_one_model in rows for row in of_one_model):
        for name in ("id", "public_id", "tournament_id", "entry_id", "draw_commitment"):
            row.pop(name, None)
    return rows


def test_what_tests_write_of_entries_is_what_the_service_writes(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    one, other = opened(max_entries=8), opened(max_entries=8)
    for player in four:
        join.enter_player(tournament_id=one.pk, player=player, now=now)
    enter_all(other, four, now)
    assert read_rows(one) == read_rows(other)
    assert (other.version, list_placed(other)) == (1 + len(four), ["Anna", "Bruno", "Carla", "Dino"])
