"""Nobody plays who hasn't said yes (E3, AT6): an organiser's entry, an import and a referee's act are invitations."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.engine.game import Length
from games.lobby.actions import open_table
from games.models import Seat
from players import caps
from players.models import Player, PlayerBlock
from players.selectors import list_blocked
from players.services.blocks import unblock_player
from players.services.close_account import close_account
from players.services.players import create_guest
from tests.support.desk import WHY, build_act, send_act, start_refereed
from tests.support.entries import accept_all, enter_all, find_invitation, list_placed, list_waiting
from tests.support.html import read_error_codes, read_hooks
from tests.support.pages import tournament_url
from tests.support.people import create_person, sign_in
from tests.support.play import OPENING, entry_of, open_ready, play
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments import sweep
from tournaments.clubs import actions as clubs
from tournaments.core import visibility
from tournaments.core.errors import TournamentError
from tournaments.desk import reinstatement, substitution
from tournaments.entries import import_list, invitations, join, pairs, queries
from tournaments.entries.open_invitations import HOLD
from tournaments.lists.spreadsheet import Row
from tournaments.models import Club, ClubMember, Entry, Invitee, LogEntry, PlayInvitation, Tournament
from tournaments.organise import lifecycle, referees
from tournaments.running import reminders, start, withdraw

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
State = Tournament.State
Outcome = PlayInvitation.Outcome


def invite(tournament: Tournament, by: Player, now: datetime, *names: str) -> import_list.Imported:
    rows = [Row(number, *name.split("+")) for number, name in enumerate(names, start=1)]
    return import_list.import_entries(tournament_id=tournament.pk, by=by, rows=rows, now=now)


def list_problems(tournament: Tournament, by: Player, now: datetime, *names: str) -> list[str]:
    with pytest.raises(TournamentError) as refused:
        invite(tournament, by, now, *names)
    return [problem.code for problem in refused.value.values["problems"]]


def answer(service: Any, tournament: Tournament, player: Player, now: datetime) -> Any:
    invitation = find_invitation(tournament, player)
    return service(tournament_id=tournament.pk, player=player, invitation_id=invitation.pk, now=now)


def sit_elsewhere(player: Player, now: datetime) -> None:
    """Open a free table as the player: refused to whoever sits somewhere (E8)."""
    open_table(
        host=player,
        ruleset="scopa",
        players=2,
        length=Length("deals", 1),
        options={},
        turn_timeout=60,
        match_clock=None,
        public=True,
        now=now,
    )


def is_nowhere(player: Player) -> bool:
    in_none = not visibility.list_current(player).exists()
    return in_none and not Seat.objects.filter(player=player, live=True).exists()


# --- The harm (AT6) --------------------------------------------------------------------------------------------------


@pytest.mark.rule("E3")
def test_an_organiser_seats_nobody_who_did_not_say_yes_at6(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    accomplice = create_person("Elio", now)
    tournament = opened(max_entries=2)
    enter_all(tournament, [accomplice], now)
    import_list.add_names(tournament_id=tournament.pk, by=organiser, row=Row(1, "Anna"), now=now)
    tournament.refresh_from_db()
    assert tournament.state == State.OPEN, "a full sit and go is drawn at once: this one isn't full"
    assert is_nowhere(anna)
    assert queries.find_collisions(opened(name="Altro", starts_at=now + HOUR), anna, now) == []
    sit_elsewhere(anna, now)


@pytest.mark.rule("E3")
def test_an_imported_list_seats_nobody_when_its_hour_comes_at6(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(starts_at=now + HOUR)
    invite(tournament, organiser, now, *(player.name for player in four))
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    tournament.refresh_from_db()
    assert tournament.cancelled_because == "too_few_entries"
    assert all(is_nowhere(player) for player in four)


def test_a_draft_that_is_full_of_strangers_starts_nothing_when_it_is_published_at6(
    organiser: Player, opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    settings = lifecycle.read_settings(opened(max_entries=2))
    draft = lifecycle.create_tournament(organiser=organiser, settings=settings, now=now)
    invite(draft, organiser, now, "Anna", "Bruno")
    lifecycle.publish_tournament(tournament_id=draft.pk, by=organiser, now=now)
    start.start_due(tournament_id=draft.pk, now=now)
    draft.refresh_from_db()
    assert draft.state == State.OPEN
    assert is_nowhere(anna)
    assert is_nowhere(bruno)


@pytest.mark.rule("F2")
def test_a_referee_puts_nobody_in_anothers_place_who_did_not_say_yes_at6(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    nives = create_person("Nives", now)
    entry = entry_of(girone, four[0])
    substitution.replace_player(
        tournament_id=girone.pk,
        entry_id=entry.pk,
        player_id=four[0].pk,
        name="Nives",
        act=build_act(referee, now),
    )
    seated = {seat.player for match in open_ready(girone, now + OPENING) for seat in match.seats.all()}
    assert seated == set(four), "who plays goes on playing"
    assert is_nowhere(nives)
    sit_elsewhere(nives, now)


@pytest.mark.rule("F2")
def test_who_left_a_tournament_is_not_made_to_play_on_at6(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    entry = entry_of(girone, four[0])
    withdraw.withdraw_entry(tournament_id=girone.pk, entry_id=entry.pk, by=four[0], reason="", now=now)
    reinstatement.reinstate_entry(tournament_id=girone.pk, entry_id=entry.pk, act=build_act(referee, now))
    open_ready(girone, now + OPENING)
    assert not Seat.objects.filter(player=four[0], live=True).exists()
    assert not LogEntry.objects.filter(code="ruling_returned").exists()
    sit_elsewhere(four[0], now)


# --- Answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("E3")
def test_who_accepts_has_the_place_that_was_held_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    tournament = opened(max_entries=2, starts_at=now + HOUR, registration="approval", guests_allowed=False)
    assert invite(tournament, organiser, now, "Anna", "Bruno") == import_list.Imported(0, 2)
    assert list_problems(tournament, organiser, now, "Carla", "Anna") == ["no_room", "invited_already", "no_room"]
    answer(invitations.accept_invitation, tournament, bruno, now)
    answer(invitations.accept_invitation, tournament, anna, now)
    assert list_placed(tournament) == ["Bruno", "Anna"]
    assert set(tournament.invitations.values_list("outcome", flat=True)) == {Outcome.ACCEPTED}
    assert carla not in [row.player for row in Invitee.objects.all()]
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    assert open_ready(tournament, now + HOUR + OPENING)[0].seats.count() == 2
    assert is_nowhere(dino)


@pytest.mark.rule("E3")
def test_a_held_place_is_nobodys_until_the_answer_and_then_the_waiting_lists_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    tournament = opened(max_entries=3, starts_at=now + 100 * HOUR)
    enter_all(tournament, [anna], now)
    invite(tournament, organiser, now, "Bruno", "Carla")
    assert catch_code(join.enter_player, tournament_id=tournament.pk, player=dino, now=now) == "full"
    join.enter_player(tournament_id=tournament.pk, player=dino, now=now, wait=True)
    assert list_waiting(tournament) == ["Dino"]
    answer(invitations.refuse_invitation, tournament, bruno, now)
    assert list_placed(tournament) == ["Anna", "Dino"]
    with pytest.raises(TournamentError, match="invitation_gone"):
        invitations.accept_invitation(
            tournament_id=tournament.pk,
            player=bruno,
            invitation_id=PlayInvitation.objects.get(invitees__player=bruno).pk,
            now=now,
        )
    assert list(sweep.list_overdue_invitations(now + HOLD - HOUR)) == []
    assert list(sweep.list_overdue_invitations(now + HOLD)) == [tournament.pk]
    sweep.expire_invitations(tournament.pk, now + HOLD)
    assert PlayInvitation.objects.get(invitees__player=carla).outcome == Outcome.LAPSED
    join.enter_player(tournament_id=tournament.pk, player=bruno, now=now + HOLD)
    assert list_placed(tournament) == ["Anna", "Dino", "Bruno"]


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("begins", "ends"), [(HOUR, HOUR), (100 * HOUR, HOLD), (None, HOLD)])
def test_it_is_said_until_when_an_invitation_can_be_answered(
    opened: Opened,
    organiser: Player,
    anna: Player,
    now: datetime,
    begins: timedelta | None,
    ends: timedelta,
) -> None:
    tournament = opened(starts_at=None if begins is None else now + begins)
    invite(tournament, organiser, now, "Anna")
    assert [row.until for row in queries.list_play_invitations(anna)] == [now + ends]
    assert [row.until for row in queries.read_invited(tournament)] == [now + ends]


@pytest.mark.rule("E3", "E5")
def test_unanswered_invitations_make_nothing_full_and_lapse_at_the_draw_e3_e5(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, _dino = four
    tournament = opened(max_entries=8, starts_at=now + HOUR)
    enter_all(tournament, [anna, bruno], now)
    invite(tournament, organiser, now, "Carla")
    reminders.remind_due(tournament_id=tournament.pk, now=now + 50 * timedelta(minutes=1))
    start.start_due(tournament_id=tournament.pk, now=now + HOUR)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert sorted(list_placed(tournament)) == ["Anna", "Bruno"]
    assert is_nowhere(carla)
    assert LogEntry.objects.get(tournament=tournament, code="invitations_lapsed").detail == {"count": 1}


@pytest.mark.rule("E3", "E1")
def test_a_pair_is_entered_when_both_have_said_yes_e3(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, bruno, carla, dino = four
    tournament = opened(PAIRS, starts_at=now + HOUR)
    invite(tournament, organiser, now, "Anna+Bruno", "Carla+Dino")
    assert answer(invitations.accept_invitation, tournament, anna, now) is None
    assert (list_placed(tournament), is_nowhere(anna)) == ([], True), "half a pair is in nothing"
    answer(invitations.accept_invitation, tournament, bruno, now)
    assert list_placed(tournament) == ["Anna+Bruno"]
    answer(invitations.accept_invitation, tournament, carla, now)
    answer(invitations.refuse_invitation, tournament, dino, now)
    assert list_placed(tournament) == ["Anna+Bruno"]
    assert catch_code(
        invitations.accept_invitation,
        tournament_id=tournament.pk,
        player=carla,
        invitation_id=tournament.invitations.get(outcome="refused").pk,
        now=now,
    ) == ("invitation_gone")


def test_whoever_enters_by_themself_takes_the_place_that_was_held_for_them(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    anna, _bruno, carla, _dino = four
    single = opened(max_entries=2, starts_at=now + HOUR)
    invite(single, organiser, now, "Anna", "Bruno")
    join.enter_player(tournament_id=single.pk, player=anna, now=now)
    assert (list_placed(single), single.invitations.holding().count()) == (["Anna"], 1)
    doubles = opened(PAIRS, starts_at=now + HOUR)
    invite(doubles, organiser, now, "Anna+Bruno")
    entry = pairs.enter_pair(tournament_id=doubles.pk, player=carla, partner="Anna", now=now)
    pairs.confirm_pair(tournament_id=doubles.pk, player=anna, entry_id=entry.pk, now=now)
    assert (list_placed(doubles), doubles.invitations.open().count()) == (["Carla+Anna"], 0)


def test_invited_guests_accept_only_where_guests_may_play_and_checking_in_stays_ones_own_e4(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    tournament = opened(PAIRS, starts_at=now + HOUR, checkin_minutes=15)
    invite(tournament, organiser, now, f"{guest.name}+Anna")
    Tournament.objects.filter(pk=tournament.pk).update(guests_allowed=False)
    with pytest.raises(TournamentError, match="guests_not_allowed"):
        answer(invitations.accept_invitation, tournament, guest, now)
    Tournament.objects.filter(pk=tournament.pk).update(guests_allowed=True)
    answer(invitations.accept_invitation, tournament, guest, now)
    start.start_due(tournament_id=tournament.pk, now=now + 45 * timedelta(minutes=1))
    entry = answer(invitations.accept_invitation, tournament, anna, now + 46 * timedelta(minutes=1))
    present = dict(entry.members.values_list("person__player", "checked_in_at"))
    assert present == {guest.pk: None, anna.pk: now + 46 * timedelta(minutes=1)}


def test_whoever_runs_it_takes_an_invitation_back_and_nobody_else_does_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(starts_at=now + HOUR)
    invite(tournament, organiser, now, "Anna")
    about = {"tournament_id": tournament.pk, "invitation_id": find_invitation(tournament, anna).pk, "now": now}
    assert catch_code(invitations.take_invitation_back, by=bruno, **about) == "not_organiser"
    assert catch_code(invitations.accept_invitation, player=bruno, **about) == "invitation_gone", "not one's own"
    assert catch_code(invitations.refuse_invitation, player=bruno, **about) == "invitation_gone"
    invitations.take_invitation_back(by=organiser, **about)
    assert catch_code(invitations.take_invitation_back, by=organiser, **about) == "invitation_gone"
    assert catch_code(invitations.accept_invitation, player=anna, **about) == "invitation_gone"


def test_a_closed_account_leaves_no_half_invitation_and_a_called_off_tournament_none(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(PAIRS, starts_at=now + HOUR)
    invite(tournament, organiser, now, "Anna+Bruno", "Carla+Dino")
    close_account(player_id=four[0].pk, now=now)
    assert [row.outcome for row in tournament.invitations.order_by("pk")] == [Outcome.LAPSED, ""]
    four[2].user.delete()  # an idle guest's row goes like this
    with pytest.raises(TournamentError, match="invitation_gone"):
        answer(invitations.accept_invitation, tournament, four[3], now)
    assert not Entry.objects.exists(), "half a pair is none"
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, reason="Neve", now=now)
    assert not tournament.invitations.open().exists()
    assert queries.list_play_invitations(four[3]) == ()


# --- Consent beforehand ----------------------------------------------------------------------------------------------


@pytest.mark.rule("E3")
def test_a_club_enters_the_members_who_let_it_and_invites_the_others_e3(
    opened: Opened, organiser: Player, consenting: Club, four: list[Player], now: datetime
) -> None:
    _anna, bruno, carla, dino = four
    clubs.choose_consent(club_id=consenting.pk, player=bruno, consents=False)
    ClubMember.objects.filter(player=carla).update(confirmed=False)
    PlayerBlock.objects.create(player=dino, blocked=organiser, at=now)
    elsewhere = opened(starts_at=now + HOUR)
    assert invite(elsewhere, organiser, now, "Anna") == import_list.Imported(0, 1), "not a tournament of the club"
    tournament = opened(starts_at=now + HOUR, club_id=consenting.pk)
    assert list_problems(tournament, organiser, now, "Dino") == ["not_invitable"], "a block outweighs the consent"
    assert invite(tournament, organiser, now, "Anna", "Bruno", "Carla") == import_list.Imported(1, 2)
    assert list_placed(tournament) == ["Anna"]
    doubles = opened(PAIRS, starts_at=now + HOUR, club_id=consenting.pk)
    invite(doubles, organiser, now, "Anna+Bruno")
    answer(invitations.accept_invitation, doubles, bruno, now)
    assert list_placed(doubles) == ["Anna+Bruno"], "who agreed beforehand isn't asked again"


def test_consent_is_the_members_own_choice_and_ends_with_the_membership(
    organiser: Player, anna: Player, now: datetime
) -> None:
    club = clubs.create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    with pytest.raises(clubs.ClubError, match="not_in"):
        clubs.choose_consent(club_id=club.pk, player=anna, consents=True)
    clubs.invite_to_club(club_id=club.pk, by=organiser, name="Anna", now=now)
    clubs.answer_club(club_id=club.pk, player=anna, accept=True, now=now)
    row = ClubMember.objects.get(player=anna)
    assert not row.consents, "off until they choose it"
    annas, page = sign_in(anna), reverse("club", args=[club.public_id])
    assert "asks_first" in read_hooks(annas.get(page), "note")
    done = annas.post(reverse("club-act", args=[club.public_id, "consenti"]), follow=True)
    assert (read_hooks(done, "notice"), "consents" in read_hooks(done, "note")) == (["consents"], True)
    sign_in(organiser).post(reverse("club-act", args=[club.public_id, "non-consentire"]))
    row.refresh_from_db()
    assert row.consents, "an administrator chooses for themself alone"
    clubs.leave_club(club_id=club.pk, player=anna)
    clubs.ask_to_join(club_id=club.pk, player=anna, now=now)
    clubs.answer_request(club_id=club.pk, by=organiser, player_id=anna.pk, accept=True, now=now)
    assert not ClubMember.objects.get(player=anna).consents


def test_who_organises_enters_themself_by_name_without_asking(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = opened(starts_at=now + HOUR)
    assert invite(tournament, organiser, now, "Teresa") == import_list.Imported(1, 0)
    assert list_placed(tournament) == ["Teresa"]


# --- Blocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("E3")
def test_who_refuses_for_good_is_asked_by_that_person_for_nothing_any_more_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, referee: Player, now: datetime
) -> None:
    first, second = opened(starts_at=now + HOUR), opened(starts_at=now + HOUR)
    doubles = opened(PAIRS, starts_at=now + HOUR)
    for tournament in (first, second):
        invite(tournament, organiser, now, "Anna")
    asked = pairs.enter_pair(tournament_id=doubles.pk, player=organiser, partner="Anna", now=now)
    assert answer(invitations.refuse_for_good, first, anna, now) == organiser
    assert queries.list_play_invitations(anna) == ()
    asked.refresh_from_db()
    assert asked.invited is None
    assert not PlayInvitation.objects.open().exists()
    third = opened(starts_at=now + HOUR)
    assert list_problems(third, organiser, now, "Anna") == ["not_invitable"]
    invite_partner = {"tournament_id": doubles.pk, "player": organiser, "partner": "Anna", "now": now}
    assert catch_code(pairs.invite_partner, **invite_partner) == "partner_not_invitable"
    named = {"tournament_id": third.pk, "by": organiser, "name": "Anna", "now": now}
    assert catch_code(referees.name_referee, **named) == "not_invitable"
    club = clubs.create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    with pytest.raises(clubs.ClubError, match="not_invitable"):
        clubs.invite_to_club(club_id=club.pk, by=organiser, name="Anna", now=now)
    running = start_refereed(opened, [bruno, create_person("Elio", now)], organiser, now)
    with pytest.raises(TournamentError, match="not_invitable"):
        substitution.replace_player(
            tournament_id=running.pk,
            entry_id=entry_of(running, bruno).pk,
            player_id=bruno.pk,
            name="Anna",
            act=build_act(organiser, now),
        )
    entered = join.enter_player(tournament_id=third.pk, player=anna, now=now)
    assert entered.confirmed, "whom one has blocked may still run what one enters"
    assert list_blocked(anna) == [organiser]
    assert unblock_player(player=anna, public_id=organiser.public_id)
    invite(opened(starts_at=now + HOUR), organiser, now, "Anna")


def test_a_partner_is_refused_for_good_like_an_organiser_e1(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    doubles = opened(PAIRS, starts_at=now + HOUR)
    entry = pairs.enter_pair(tournament_id=doubles.pk, player=bruno, partner="Anna", now=now)
    done = sign_in(anna).post(tournament_url("pair-answer", doubles), {"entry": entry.pk, "mai": ""}, follow=True)
    assert read_hooks(done, "notice") == ["refused_for_good"]
    assert list_blocked(anna) == [bruno]
    bruno_asks = sign_in(bruno).post(tournament_url("pair", doubles), {"partner": "Anna", "comunque": "1"})
    assert read_error_codes(bruno_asks) == {"partner": ["partner_not_invitable"]}


# --- Caps (AT6) ------------------------------------------------------------------------------------------------------


def test_an_organiser_has_so_many_open_invitations_and_no_more_at6(
    opened: Opened, organiser: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "OPEN_INVITATIONS_AN_ORGANISER", 3)
    monkeypatch.setattr(caps, "INVITATIONS_AN_ORGANISER_A_DAY", 5)
    everybody = [create_person(f"Persona {n}", now) for n in range(8)]
    names = [player.name for player in everybody]
    one, other = opened(max_entries=64, starts_at=now + HOUR), opened(max_entries=64, starts_at=now + HOUR)
    assert list_problems(one, organiser, now, *names[:4]) == ["no_invitations"]
    invite(one, organiser, now, *names[:2])
    assert list_problems(other, organiser, now, *names[2:4]) == ["no_invitations"], "counted over all tournaments"
    invite(other, organiser, now, names[2])
    for player in everybody[:2]:
        answer(invitations.refuse_invitation, one, player, now)
    invite(one, organiser, now, *names[3:5])
    answer(invitations.refuse_invitation, one, everybody[3], now)
    assert list_problems(one, organiser, now, names[5]) == ["no_invitations"], "five in a day, whatever they answered"
    tomorrow = now + timedelta(days=1, minutes=1)
    Tournament.objects.filter(pk=one.pk).update(starts_at=tomorrow + HOUR, due_at=None)
    invite(one, organiser, tomorrow, names[5])


@pytest.mark.rule("B6")
def test_two_of_whom_one_blocks_the_other_ask_each_other_for_nothing(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    PlayerBlock.objects.create(player=organiser, blocked=anna, at=now)
    PlayerBlock.objects.create(player=bruno, blocked=anna, at=now)
    single, doubles = opened(starts_at=now + HOUR), opened(PAIRS, starts_at=now + HOUR)
    assert list_problems(single, organiser, now, "Anna") == ["not_invitable"]
    for player, partner in ((anna, "Bruno"), (bruno, "Anna")):
        asks = {"tournament_id": doubles.pk, "player": player, "partner": partner, "now": now}
        assert catch_code(pairs.enter_pair, **asks) == "partner_not_invitable"


def test_nobody_has_more_invitations_than_they_can_read_at6(
    opened: Opened, organiser: Player, anna: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "OPEN_INVITATIONS_A_PERSON", 2)
    for _twice in range(2):
        invite(opened(starts_at=now + HOUR), organiser, now, "Anna")
    third = opened(starts_at=now + HOUR)
    assert list_problems(third, organiser, now, "Anna") == ["not_invitable"]
    doubles = opened(PAIRS, starts_at=now + HOUR)
    asks = {"tournament_id": doubles.pk, "player": create_person("Elio", now), "partner": "Anna", "now": now}
    assert catch_code(pairs.enter_pair, **asks) == "partner_not_invitable"


def test_whoever_says_no_is_not_asked_all_day_at6(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    tournament = opened(starts_at=now + HOUR)
    for _time in range(caps.INVITATIONS_BY_ONE_TO_ONE_A_DAY):
        invite(tournament, organiser, now, "Anna")
        answer(invitations.refuse_invitation, tournament, anna, now)
    assert list_problems(tournament, organiser, now, "Anna") == ["not_invitable"]


# --- Referees (F2) ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("F2")
def test_who_is_asked_plays_in_anothers_place_once_they_accept_f2(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    nives, entry = create_person("Nives", now), entry_of(girone, four[0])
    about: dict[str, Any] = {"tournament_id": girone.pk, "entry_id": entry.pk, "player_id": four[0].pk}
    for _twice in range(2):
        substitution.replace_player(name="Nives", act=build_act(referee, now, key="once"), **about)
    invitation = find_invitation(girone, nives)
    assert PlayInvitation.objects.count() == 1, "sent twice, asked once"
    elio = create_person("Elio", now)
    substitution.replace_player(name="Elio", act=build_act(referee, now), **about)
    invitation.refresh_from_db()
    assert invitation.outcome == Outcome.TAKEN_BACK, "of one place one is asked at a time"
    matches = open_ready(girone, now + OPENING)
    with pytest.raises(TournamentError, match="entry_plays"):
        answer(substitution.take_place, girone, elio, now + OPENING)
    end = max(play(match, now + OPENING) for match in matches)
    answer(substitution.take_place, girone, elio, end)
    assert entry.members.get().person.name == "Elio"
    act = LogEntry.objects.get(tournament=girone, code="ruling_replace")
    assert (act.player, act.detail["reason"]) == (referee, WHY)


@pytest.mark.rule("F1", "F2")
def test_an_invitation_of_who_is_no_referee_any_more_is_none_f1(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    nives, entry = create_person("Nives", now), entry_of(girone, four[0])
    substitution.replace_player(
        tournament_id=girone.pk, entry_id=entry.pk, player_id=four[0].pk, name="Nives", act=build_act(referee, now)
    )
    girone.referees.all().delete()
    with pytest.raises(TournamentError, match="invitation_gone"):
        answer(substitution.take_place, girone, nives, now)
    assert entry.members.get().person.name == four[0].name


@pytest.mark.rule("F2")
def test_a_club_puts_a_member_who_let_it_in_anothers_place_at_once_f2(
    opened: Opened, organiser: Player, consenting: Club, four: list[Player], now: datetime
) -> None:
    tournament = opened(max_entries=2, club_id=consenting.pk)
    enter_all(tournament, four[:2], now)
    entry = entry_of(tournament, four[0])
    assert substitution.replace_player(
        tournament_id=tournament.pk,
        entry_id=entry.pk,
        player_id=four[0].pk,
        name=four[2].name,
        act=build_act(organiser, now),
    )
    assert entry.members.get().person.name == four[2].name


@pytest.mark.rule("F2")
def test_who_left_plays_on_once_they_accept_and_before_that_only_reads_that_they_are_asked_f2(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    entry = entry_of(girone, four[0])
    withdraw.withdraw_entry(tournament_id=girone.pk, entry_id=entry.pk, by=four[0], reason="", now=now)
    desk, where = sign_in(referee), tournament_url("tournament-desk", girone)
    data = {"what": "riprendi-iscritto", "entry": entry.pk, "reason": WHY}
    asked = send_act(desk, where, data, follow=True)
    assert (read_hooks(asked, "notice"), read_hooks(asked, "invited")) == (["play_asked"], ["return"])
    annas = sign_in(four[0])
    assert "invited_return" in read_hooks(annas.get(tournament_url("tournament", girone)), "note")
    post = {"invitation": find_invitation(girone, four[0]).pk, "si": ""}
    done = annas.post(tournament_url("invitation-answer", girone), post, follow=True)
    assert read_hooks(done, "notice") == ["returned"]
    entry.refresh_from_db()
    assert entry.withdrawn_at is None
    assert LogEntry.objects.get(code="ruling_returned").player == referee


# --- Pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("E3", "W1")
def test_every_page_shows_an_invitation_and_the_answer_is_a_click_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player
) -> None:
    now = timezone.now()
    tournament = opened(starts_at=now + HOUR)
    desk = sign_in(organiser)
    sent = desk.post(tournament_url("tournament-entries", tournament), {"player": "Anna"}, follow=True)
    assert (read_hooks(sent, "notice"), read_hooks(sent, "invited")) == (["invited"], ["entry"])
    annas = sign_in(anna)
    own = reverse("invitations")
    for page in (reverse("home"), reverse("clubs"), own, tournament_url("tournament", tournament)):
        assert read_hooks(annas.get(page), "note").count("invited_entry") == 1, page
        assert "invited_entry" not in read_hooks(sign_in(bruno).get(page), "note")
    assert "held" in read_hooks(Client().get(tournament_url("tournament", tournament)), "note")
    page = tournament_url("tournament", tournament)
    assert "enter" in read_hooks(sign_in(bruno).get(page), "action")
    assert "enter" not in read_hooks(annas.get(page), "action"), "accepting is their way in"
    assert "Anna" not in Client().get(tournament_url("tournament", tournament)).content.decode()
    where = tournament_url("invitation-answer", tournament)
    post = {"invitation": find_invitation(tournament, anna).pk}
    assert read_hooks(sign_in(bruno).post(where, post | {"si": ""}, follow=True), "notice") == ["invitation_gone"]
    assert Client().post(where, post | {"si": ""}).url.startswith(reverse("account_login"))  # type: ignore[attr-defined]
    assert read_hooks(annas.post(where, post | {"si": ""}, follow=True), "notice") == ["entered"]
    assert list_placed(tournament) == ["Anna"]
    shown = desk.get(tournament_url("tournament-entries", tournament))
    assert read_hooks(shown, "answered") == ["accepted"]
    desk.post(tournament_url("tournament-entries", tournament), {"player": "Bruno"})
    post = {"invitation": find_invitation(tournament, bruno).pk}
    never = sign_in(bruno).post(where, post | {"mai": ""}, follow=True)
    assert read_hooks(never, "notice") == ["refused_for_good"]
    assert read_hooks(sign_in(bruno).get(own), "note") == ["no_invitations", "blocked"]
    again = desk.post(tournament_url("tournament-entries", tournament), {"player": "Bruno"})
    assert read_error_codes(again) == {"player": ["not_invitable"]}
    for code in ("unblocked", "not_blocked"):
        undone = sign_in(bruno).post(reverse("inviter-unblock"), {"chi": organiser.public_id}, follow=True)
        assert read_hooks(undone, "notice") == [code]


@pytest.mark.rule("E8")
def test_who_accepts_what_collides_is_warned_once_e8(opened: Opened, organiser: Player, anna: Player) -> None:
    now = timezone.now()
    enter_all(opened(starts_at=now + HOUR), [anna], now)
    tournament = opened(starts_at=now + HOUR)
    invite(tournament, organiser, now, "Anna")
    where, post = tournament_url("invitation-answer", tournament), {"invitation": find_invitation(tournament, anna).pk}
    warned = sign_in(anna).post(where, post | {"si": ""})
    assert "collision" in read_hooks(warned, "note")
    assert list_placed(tournament) == []
    again = dict(warned.context["again"])
    assert read_hooks(sign_in(anna).post(where, again | {"comunque": "1"}, follow=True), "notice") == ["entered"]


@pytest.mark.rule("W2")
def test_invitations_in_the_api_and_in_files_are_for_who_runs_it_w2(
    opened: Opened, organiser: Player, anna: Player, bruno: Player
) -> None:
    now = timezone.now()
    tournament = opened(starts_at=now + HOUR)
    invite(tournament, organiser, now, "Anna", "Bruno")
    answer(invitations.refuse_invitation, tournament, bruno, now)
    api = f"/api/v1/tournaments/{tournament.public_id}/"
    public, own = sign_in(anna).get(api).json(), sign_in(organiser).get(api).json()
    assert (public["held_places"], public["invitations"], public["entries"]) == (1, [], [])
    assert [(row["name"], row["outcome"]) for row in own["invitations"]] == [("Anna", "open"), ("Bruno", "refused")]
    for kind in ("csv", "xlsx", "json"):
        where = reverse(f"export-{kind}", args=[tournament.public_id, "inviti"])
        assert sign_in(anna).get(where).status_code == 404
        assert sign_in(organiser).get(where).status_code == 200
    body = sign_in(organiser).get(reverse("export-json", args=[tournament.public_id, "inviti"])).json()
    assert [(row["name"], row["outcome"]) for row in body["invitations"]] == [("Anna", "open"), ("Bruno", "refused")]
    assert body["tournament"]["held_places"] == 1


@pytest.mark.rule("F2")
def test_the_desk_shows_whom_it_asked_and_takes_it_back_f2(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    nives, entry = create_person("Nives", now), entry_of(girone, four[0])
    desk, where = sign_in(referee), tournament_url("tournament-desk", girone)
    data = {"what": "sostituisci", "out": f"{entry.pk} {four[0].pk}", "name": "Nives", "reason": WHY}
    asked = send_act(desk, where, data, follow=True)
    assert (read_hooks(asked, "notice"), read_hooks(asked, "invited")) == (["play_asked"], ["place"])
    page = sign_in(nives).get(tournament_url("tournament", girone))
    assert "invited_place" in read_hooks(page, "note")
    back = tournament_url("invitation-back", girone)
    post = {"invitation": find_invitation(girone, nives).pk}
    assert sign_in(four[1]).post(back, post).status_code == 404
    taken = desk.post(back, post, follow=True)
    assert (read_hooks(taken, "notice"), read_hooks(taken, "invited")) == (["taken_back"], [])


def test_accepting_is_the_same_for_everybody_at_once(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = opened(max_entries=4)
    invite(tournament, organiser, now, *(player.name for player in four))
    accept_all(tournament, now)
    assert tournament.state == State.RUNNING, "the last yes fills the sit and go"
