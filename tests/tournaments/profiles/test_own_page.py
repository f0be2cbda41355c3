"""One's own page, its settings, and the steps that follow a sign-up; what a person's page shows beside the matches."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match, Seek
from players.faces import find_face
from players.models import Player, User
from players.services.audience import choose_audience
from players.services.players import create_guest
from tests.support.entries import enter_all
from tests.support.histories import store_history
from tests.support.html import read_attribute, read_hooks, read_ways
from tests.support.people import PASSWORD, sign_in
from tests.support.tournaments import Opened

pytestmark = pytest.mark.django_db

# Every way from one's own account that there was, and that the gear or the page itself still has.
ACCOUNT_WAYS = (
    "training", "chips", "calendar-page", "friends", "pairs", "invitations", "preferences", "devices", "account_email",
    "account_change_password", "sessions", "account_logout", "audience", "own-data", "tokens", "webhooks",
    "account-delete",
)  # fmt: skip


def test_every_way_from_ones_own_account_is_on_the_page_or_behind_the_gear(anna: Player) -> None:
    annas = sign_in(anna)
    page, behind = annas.get(reverse("profile")), annas.get(reverse("settings"))
    assert reverse("settings") in read_ways(page)
    ways = {way.partition("#")[0] for way in read_ways(page) | read_ways(behind)}
    assert {reverse(name) for name in ACCOUNT_WAYS} <= ways
    assert Client().get(reverse("settings")).status_code == 302


def test_what_is_next_stands_on_ones_own_page_alone(anna: Player, bruno: Player, opened: Opened, now: datetime) -> None:
    tournament = opened(ruleset="scopa")
    enter_all(tournament, [anna], now)
    training = Match.objects.create(
        ruleset="scopa", players=2, length_kind="points", length_value=11, context="free", first_dealer=0,
        training=True, status=Match.Status.PLAYING, opened_at=now, score_0=6, score_1=4,
    )  # fmt: skip
    training.seats.create(number=0, player=anna, live=False)
    page = sign_in(anna).get(reverse("profile"))
    assert read_hooks(page, "entered") == [tournament.public_id]
    assert read_hooks(page, "training") == [training.public_id]
    for reader in (anna, bruno):
        other = sign_in(reader).get(reverse("person", args=[anna.public_id]))
        assert read_hooks(other, "training") == []


def test_a_new_account_is_led_to_its_first_match(anna: Player) -> None:
    page = sign_in(anna).get(reverse("profile"))
    assert read_hooks(page, "note") == ["no_matches"]
    assert reverse("lobby") in read_ways(page)
    assert read_hooks(page, "level") == []


def test_against_you_counts_the_readers_own_matches_with_a_person(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    store_history([anna, bruno], now, [("scopa", (11, 3), 3), ("scopa", (11, 4), 2), ("scopa", (5, 11), 1)])
    store_history([anna, carla, bruno, dino], now, [("tresette", (21, 3), 4)])
    store_history([bruno, carla], now, [("scopa", (11, 3), 3)])
    page = reverse("person", args=[bruno.public_id])
    assert read_hooks(sign_in(anna).get(page), "meeting") == ["2-1"], "not what they played on one side"
    assert read_hooks(sign_in(carla).get(page), "meeting") == ["0-2"], "in two, and in a pair"
    assert read_hooks(sign_in(bruno).get(page), "meeting") == []
    assert read_hooks(Client().get(page), "meeting") == []


def test_dots_and_tiles_follow_what_is_shown(anna: Player, bruno: Player, now: datetime) -> None:
    store_history([anna, bruno], timezone.now(), [("scopa", (11, 3), day) for day in range(1, 13)])
    page = reverse("person", args=[anna.public_id])
    shown = Client().get(page)
    assert read_attribute(shown, "class", "i")[:10] == ["dot-won"] * 10
    assert len(read_hooks(shown, "level")) == 1
    assert b"level-curve" in shown.content, "of twelve matches"
    choose_audience(player=anna, readers={"history": "nobody", "levels": "nobody", "statistics": "nobody"})
    hidden = Client().get(page)
    assert {"history_hidden", "levels_hidden", "statistics_hidden"} <= set(read_hooks(hidden, "note"))
    assert read_attribute(hidden, "class", "i") == []
    assert b"level-tile" not in hidden.content


def test_a_face_and_a_theme_are_chosen_at_once(anna: Player) -> None:
    annas, address = sign_in(anna), reverse("appearance")
    other = "Rs" if find_face(anna) != "Rs" else "Fd"
    assert annas.post(address, {"theme": "dark", "face": other}, headers={"HX-Request": "true"}).status_code == 204
    user = User.objects.select_related("player").get(pk=anna.user_id)
    assert (user.theme, find_face(user.player)) == ("dark", other)
    assert annas.post(address, {"face": "Xx"}, headers={"HX-Request": "true"}).status_code == 422
    assert annas.post(address, {"theme": "light"})["Location"] == reverse("settings")
    user.refresh_from_db()
    assert (user.theme, find_face(Player.objects.get(pk=anna.pk))) == ("light", other), "what isn't said stays"
    assert Client().post(address, {"theme": "dark"}).status_code == 302


def test_a_sign_up_leads_to_three_steps_and_those_to_the_first_game(client: Client) -> None:
    data = {"username": "Zeno", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("account_signup"), data)["Location"] == reverse("welcome")
    page = client.get(reverse("welcome"))
    assert len([step for step in read_attribute(page, "id", "h2") if step.startswith("step-")]) == 3
    posted = {"face": "Rc", "deck": "piacentine", "game": "scopa:solita", "house": "1"}
    answer = client.post(reverse("welcome"), posted)
    assert (answer.status_code, answer["Location"]) == (307, reverse("seek"))
    player = Player.objects.select_related("user").get(name="Zeno")
    assert (player.user.deck, find_face(player)) == ("piacentine", "Rc")
    client.post(reverse("seek"), posted)
    assert Seek.objects.filter(player=player).exists()
    assert client.post(reverse("welcome"), {"face": "Rc"})["Location"] == reverse("lobby")
    assert Client().get(reverse("welcome")).status_code == 302


def test_who_signs_up_on_the_way_elsewhere_goes_on_there(client: Client, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    client.force_login(guest.user)
    data = {"username": "Zeno", "password1": PASSWORD, "password2": PASSWORD, "next": "/amici/"}
    assert client.post(reverse("account_signup"), data)["Location"] == "/amici/"
