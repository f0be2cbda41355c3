"""Going for good: what is personal goes, what others played stays."""

from datetime import datetime

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from games.models import Match, Seat
from games.services import playing, seating
from players.faces import find_face
from players.models import Mail, Player, User
from players.services.close_account import close_account
from players.services.players import create_guest, is_name_taken
from players.signals import AccountBusy
from tests.support.html import read_hooks, read_ways
from tests.support.mail import enter_bar_cup, open_bar_table
from tests.support.people import PASSWORD, give_address, is_logged_in, log_in
from tournaments.models import EntryMember, LogEntry, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_attempts_yet")]


def played(now: datetime, anna: Player, bruno: Player) -> Match:
    """A match of the two, over because Anna gave up."""
    match = open_bar_table(now, anna, bruno)
    for player in (anna, bruno):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
    token = "t"
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token=token, now=now)
    playing.abandon(match_id=match.pk, seat=0, control=token, client_id="1", confirm=True, now=now)
    match.refresh_from_db()
    assert match.status == "finished"
    return match


def test_nothing_personal_is_left_and_the_others_keep_their_results(
    now: datetime, anna: Player, bruno: Player, client: Client
) -> None:
    match = played(now, anna, bruno)
    give_address(anna, mail_tables=True, language="en", time_zone="Asia/Tokyo")
    Player.objects.filter(pk=anna.pk).update(face="Rd")
    log_in(client, "anna")
    assert close_account(player_id=anna.pk, now=now) is False
    user = User.objects.get(pk=anna.user_id)
    left = " ".join(str(value) for value in User.objects.filter(pk=user.pk).values().get().values()).casefold()
    assert "anna" not in left
    assert "tokyo" not in left
    assert not user.is_active
    assert not user.has_usable_password()
    for model in (EmailAddress, UserSession, Mail):
        assert not model.objects.filter(user=user).exists()
    assert client.get(reverse("profile")).status_code == 302  # logged out everywhere
    kept = Match.objects.get(pk=match.pk)
    assert (kept.winner, kept.decided_by, kept.offender) == (match.winner, match.decided_by, match.offender)
    names = [seat.player.name for seat in Seat.objects.filter(match=match).select_related("player")]
    assert names[1] == "Bruno"
    assert names[0].startswith("Ex socio ")
    assert find_face(Player.objects.get(pk=anna.pk)) == ""
    page = Client().get(reverse("match-result", args=[match.public_id])).content.decode()
    assert "Anna" not in page
    assert "Bruno" in page


def test_who_never_met_anybody_is_deleted_whole(now: datetime, anna: Player) -> None:
    give_address(anna)
    assert close_account(player_id=anna.pk, now=now) is True
    assert not User.objects.filter(pk=anna.user_id).exists()
    assert not EmailAddress.objects.exists()


def test_an_account_is_closed_once(now: datetime, anna: Player, bruno: Player) -> None:
    played(now, anna, bruno)
    close_account(player_id=anna.pk, now=now)
    with pytest.raises(Player.DoesNotExist):
        close_account(player_id=anna.pk, now=now)


def test_nobody_goes_from_a_table_in_play(now: datetime, anna: Player, bruno: Player) -> None:
    give_address(anna)
    open_bar_table(now, anna, bruno)
    with pytest.raises(AccountBusy) as refused:
        close_account(player_id=anna.pk, now=now)
    assert refused.value.code == "at_table"
    assert EmailAddress.objects.filter(user=anna.user).exists()
    assert Player.objects.get(pk=anna.pk).name == "Anna"


def test_the_places_they_had_are_free_and_what_they_organised_is_called_off(
    now: datetime, anna: Player, bruno: Player, carla: Player
) -> None:
    hers = enter_bar_cup(now, anna, bruno)
    others = enter_bar_cup(now, carla, anna, bruno)
    running = enter_bar_cup(now, carla, anna, bruno, max_entries=2)
    close_account(player_id=anna.pk, now=now)
    states = {t.pk: t.state for t in Tournament.objects.all()}
    assert states == {hers.pk: "cancelled", others.pk: "open", running.pk: "running"}
    assert [m.person.name for m in EntryMember.objects.filter(tournament=others)] == ["Bruno"]
    assert EntryMember.objects.filter(tournament=running).count() == 2
    assert not [entry for entry in LogEntry.objects.all() if "Anna" in str(entry.detail)]


def test_the_name_is_free_again(now: datetime, anna: Player, bruno: Player) -> None:
    played(now, anna, bruno)
    close_account(player_id=anna.pk, now=now)
    assert not is_name_taken("Anna")


def test_the_page_asks_for_the_password_and_says_good_bye(anna: Player, client: Client) -> None:
    log_in(client, "anna")
    page = reverse("account-delete")
    assert page in read_ways(client.get(page))
    for wrong in ("", "sbagliata", "x" * 300, "a\x00b"):
        answer = client.post(page, {"password": wrong})
        assert set(answer.context["form"].errors) == {"password"}, wrong
        assert answer.context["form"].errors["password"][0] in answer.content.decode().replace("&#x27;", "'")
    answer = client.post(page, {"password": PASSWORD}, follow=True)
    assert read_hooks(answer, "notice") == ["account_closed"]
    assert not is_logged_in(client)
    assert not User.objects.filter(pk=anna.user_id).exists()


def test_a_guest_has_no_password_to_be_asked_for(now: datetime, client: Client) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    client.force_login(guest.user)
    client.post(reverse("account-delete"))
    assert not Player.objects.filter(pk=guest.pk).exists()


def test_at_a_table_the_page_says_why_not(now: datetime, anna: Player, bruno: Player, client: Client) -> None:
    log_in(client, "anna")
    open_bar_table(now, anna, bruno)
    answer = client.post(reverse("account-delete"), {"password": PASSWORD}, follow=True)
    assert read_hooks(answer, "notice") == ["at_table"]
    assert Player.objects.filter(pk=anna.pk, name="Anna").exists()
