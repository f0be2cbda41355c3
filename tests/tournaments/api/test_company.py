"""Company by programs: friends, blocks, own conduct, and what moderators decided (B6, U1, U2)."""

from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from games.services import playing
from players.models import Player, PlayerBlock, User
from players.selectors import list_followed
from players.services.audience import choose_audience
from players.services.calls import list_calls
from players.services.moderation import judge_player
from tests.support.keys import by_key, code, make_key, send
from tests.support.lobby import open_free_table
from tests.support.people import create_person
from tests.support.tables import FIRST, seated
from tests.support.tournaments import Opened

pytestmark = pytest.mark.django_db
ME = "/api/v1/me/"


@pytest.fixture
def annas(anna: Player) -> Client:
    return by_key(make_key(anna, scopes=["read", "play"]))


@pytest.mark.rule("B6", "AP7")
def test_programs_follow_and_block_by_the_same_rules(annas: Client, anna: Player, bruno: Player) -> None:
    who = {"player": bruno.public_id}
    shown = {"player": bruno.public_id, "name": "Bruno"}
    assert send(annas, f"{ME}follows/", who).json() == shown
    assert annas.get(f"{ME}follows/").json() == [{**shown, "here": False, "match": ""}]
    assert send(annas, f"{ME}blocks/", who).status_code == 201
    assert annas.get(f"{ME}blocks/").json() == [shown]
    assert list_followed(anna) == []
    assert code(send(annas, f"{ME}follows/", who)) == (409, "follows_blocked")
    assert code(send(annas, f"{ME}follows/", {"player": "nobodyhere"})) == (404, "player_unknown")
    assert send(annas, f"{ME}blocks/{bruno.public_id}/", method="delete").status_code == 204
    assert not PlayerBlock.objects.exists()
    assert send(annas, f"{ME}blocks/{bruno.public_id}/", method="delete").status_code == 404
    assert send(annas, f"{ME}follows/{bruno.public_id}/", method="delete").status_code == 404


@pytest.mark.rule("B6", "AP7")
def test_programs_call_friends_to_a_table_or_a_tournament(
    annas: Client, opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    address = f"{ME}follows/{bruno.public_id}/call/"
    assert code(send(annas, address, {})) == (409, "nothing_to_call_to")
    tournament = opened(name="Coppa di maggio")
    about = {"tournament": tournament.public_id}
    assert code(send(annas, address, about)) == (409, "nobody_to_call"), "only whom one follows"
    send(annas, f"{ME}follows/", {"player": bruno.public_id})
    assert send(annas, address, about).status_code == 204
    table = open_free_table(anna, timezone.now())
    assert send(annas, address, {}).status_code == 204
    assert {(row.kind, row.key) for row in list_calls(bruno, timezone.now())} == {
        ("tournament", tournament.public_id),
        ("table", table.public_id),
    }
    brunos = by_key(make_key(bruno, scopes=["read", "play"])).get(f"{ME}follows/calls/").json()
    assert {(row["by"]["name"], row["kind"], row["public_id"]) for row in brunos} == {
        ("Anna", "tournament", tournament.public_id),
        ("Anna", "table", table.public_id),
    }
    assert code(send(annas, address, {"tournament": "nobodyhere"})) == (409, "nothing_to_call_to")
    PlayerBlock.objects.create(player=bruno, blocked=anna, at=now)
    told = len(list_calls(bruno, timezone.now()))
    assert send(annas, address, about).status_code == 204, "nobody learns of a block by calling"
    assert len(list_calls(bruno, timezone.now())) == told == 0
    assert code(send(annas, f"{ME}follows/nobodyhere/call/", about)) == (404, "player_unknown")
    reading = by_key(make_key(anna, scopes=["read"]))
    assert send(reading, address, about).status_code == 403


@pytest.mark.rule("U1")
def test_one_reads_one_s_own_conduct(annas: Client, anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, context="free")
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
    assert annas.get(f"{ME}moderation/conduct/").json() == {"matches": 1, "quits": 1, "rate": 100}


@pytest.mark.rule("U2")
def test_one_reads_and_appeals_and_a_suspended_account_has_no_key(annas: Client, anna: Player) -> None:
    now = timezone.now()
    moderator = create_person("Moreno", now)
    User.objects.filter(pk=moderator.user_id).update(is_staff=True)
    moderator.user.refresh_from_db()
    act = judge_player(player=anna, by=moderator, kind="mute", reason="Insulti", days=1, now=now)
    (shown,) = annas.get(f"{ME}moderation/").json()
    assert (shown["id"], shown["kind"], shown["reason"]) == (act.public_id, "mute", "Insulti")
    assert "Moreno" not in str(shown)
    appeal = f"{ME}moderation/{act.public_id}/appeal/"
    assert send(annas, appeal, {"text": "Non ero io"}).json()["appeal"] == "Non ero io"
    assert code(send(annas, appeal, {"text": "Davvero"})) == (409, "appealed")
    assert send(annas, f"{ME}moderation/nobodyhere/appeal/", {"text": "Ciao"}).status_code == 404
    judge_player(player=anna, by=moderator, kind="suspend", reason="Ancora", days=1, now=now)
    assert code(annas.get(ME)) == (401, "token_invalid")


@pytest.mark.rule("B6")
def test_a_friend_s_table_is_shown_only_if_they_show_that_they_are_here(
    annas: Client, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    send(annas, f"{ME}follows/", {"player": bruno.public_id})
    match = seated([bruno, carla], now, context="free")
    (shown,) = annas.get(f"{ME}follows/").json()
    assert (shown["here"], shown["match"]) == (True, match.public_id)
    choose_audience(player=bruno, readers={"presence": "nobody"})
    (shown,) = annas.get(f"{ME}follows/").json()
    assert (shown["here"], shown["match"]) == (False, "")
