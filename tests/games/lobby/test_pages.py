"""The pages of free tables, for members, guests and visitors: opening one, waiting, sitting down, leaving."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.engine.game import Length
from games.levels import read_levels
from games.lobby import actions
from games.lobby.queries import find_sides
from games.models import FreeSeat, FreeTable, Match, Seat
from players import presence
from players.models import Player
from players.services.audience import choose_audience
from players.services.follows import follow_player
from tests.support.html import read_attribute, read_error_codes, read_hooks, read_ways
from tests.support.levels import settle_match
from tests.support.lobby import open_free_table
from tournaments.core.shared_reads import forget_shared_reads

pytestmark = pytest.mark.django_db

NEW = {
    "ruleset": "tresette",
    "players": "4",
    "length_kind": "points",
    "length_value": "21",
    "turn_timeout": "60",
    "match_clock": "",
    "public": "on",
}


def browser(player: Player | None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player.user)
    return client


def send(client: Client, **changed: str) -> Any:
    return client.post(reverse("free-table-new"), {**NEW, **changed})


def page(client: Client, table: FreeTable, **headers: str) -> str:
    return client.get(reverse("free-table", args=[table.public_id]), headers=headers).content.decode()


def do(client: Client, name: str, table: FreeTable, **data: str) -> Any:
    return client.post(reverse(f"free-table-{name}", args=[table.public_id]), data)


def test_a_table_is_opened_and_its_host_waits_there(anna: Player) -> None:
    client = browser(anna)
    assert "length_value" in read_attribute(client.get(reverse("free-table-new")), "name")
    answer = send(client, option_accuso="on", option_cappotto="on", option_dichiarazioni="on")
    table = FreeTable.objects.get()
    assert answer.headers["Location"] == reverse("free-table", args=[table.public_id])
    assert table.options == {"accuso": True, "cappotto": True, "dichiarazioni": True}
    assert (table.turn_timeout, table.match_clock, table.public) == (60, None, True)
    text = page(client, table)
    for words in ("Tavolo di Anna", "Cappotto", "una posta in più", "senza limite"):
        assert words in text
    assert {reverse(f"free-table-{act}", args=[table.public_id]) for act in ("house", "leave")} <= read_ways(text)
    assert read_hooks(text, "copy") == [f"http://testserver/tavoli/libero/{table.public_id}/"]
    assert read_hooks(text, "action") == [*["move"] * 3, "send", "call-friends"]


@pytest.mark.rule("T6", "T9", "T10", "G11", "M1", "M8", "C1", "V4")
@pytest.mark.parametrize(
    ("changed", "field", "words"),
    [
        ({"length_kind": "deals", "length_value": "4", "option_vinco_subito": "on"}, "option_vinco_subito", "a punti"),
        ({"players": "2", "option_dichiarazioni": "on"}, "option_dichiarazioni", "a coppie"),
        ({"players": "2", "option_carte_scoperte": "on"}, "option_carte_scoperte", "a coppie"),
        ({"players": "3"}, "players", "così tanti o così pochi"),
        ({"players": "5"}, "players", ""),
        ({"length_value": "0"}, "length_value", ""),
        ({"length_kind": "deals", "length_value": "21"}, "length_value", "da 1 a 20 smazzate"),
        ({"ruleset": "tressette-accusa", "length_value": "12"}, "length_value", "11, 21, 31, 41 punti"),
        ({"ruleset": "tressette-classico", "length_value": "31"}, "length_value", "21 punti"),
        ({"ruleset": "tressette-classico", "option_onori": "on"}, "length_value", "31, 51 punti"),
        ({"ruleset": "tressette-classico", "option_segnali": "quattro"}, "option_segnali", ""),
        ({"ruleset": "burraco"}, "ruleset", ""),
        ({"turn_timeout": "7"}, "turn_timeout", ""),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_lost(
    anna: Player, changed: dict[str, str], field: str, words: str
) -> None:
    answer = send(browser(anna), **{"match_clock": "300", "option_accuso": "on", **changed})
    assert answer.status_code == 200
    errors = answer.context["form"].errors
    assert list(errors) == [field]
    assert words in errors[field][0]
    text = answer.content.decode()
    assert f'id="id_{field}_error"' in text
    assert '<option value="300" selected>' in text
    if "ruleset" not in changed:
        assert 'name="option_accuso" aria-describedby="id_option_accuso_helptext" id="id_option_accuso" checked' in text
    assert not FreeTable.objects.exists()


@pytest.mark.parametrize(
    ("ruleset", "counts"), [("scopa", ["2", "4"]), ("tressette-accusa", ["2", "3", "4"]), ("tressette-classico", ["4"])]
)
def test_a_refused_form_offers_the_numbers_of_players_that_its_game_knows(
    anna: Player, ruleset: str, counts: list[str]
) -> None:
    for players in ("3", "4"):
        refused = send(browser(anna), ruleset=ruleset, players=players, length_kind="deals", length_value="99")
        assert [radio.data["value"] for radio in refused.context["form"]["players"]] == counts


def test_another_game_shows_its_options_before_anything_is_opened(anna: Player) -> None:
    client = browser(anna)
    answer = send(client, ruleset="tressette-classico", shown="tresette vinco_subito accuso", match_clock="300")
    text = answer.content.decode()
    assert answer.status_code == 200
    assert not answer.context["form"].errors
    assert "option_segnali" in read_attribute(text, "name")
    assert "Lunghezze ammesse: 21 punti" in text
    assert '<option value="300" selected>' in text
    assert not FreeTable.objects.exists()
    script = client.post(
        reverse("free-table-new"), {**NEW, "players": "2", "mostra": "1"}, headers={"HX-Request": "true"}
    )
    text = script.content.decode().partition('id="match-fields"')[2].partition("</form>")[0]
    assert "option_vinco_subito" in read_attribute(text, "name")
    assert "option_dichiarazioni" not in read_attribute(text, "name")


def test_without_a_script_a_suggested_option_that_fits_only_now_is_shown_switched_on_before_anything_is_opened(
    anna: Player,
) -> None:
    client = browser(anna)
    first = client.get(reverse("free-table-new")).content.decode()
    assert 'name="shown" value="scopa carte_viste -carte_scoperte"' in first
    shown = "tresette vinco_subito accuso cappotto carte_viste -dichiarazioni -carte_scoperte"
    answer = send(client, option_vinco_subito="on", option_carte_scoperte="on", shown=shown)
    form = answer.context["form"]
    assert (form["option_dichiarazioni"].value(), form["option_carte_scoperte"].value()) == (True, True)
    assert form["option_accuso"].value() is False
    assert not FreeTable.objects.exists()
    assert "-" not in form.memory
    send(client, option_vinco_subito="on", shown=form.memory)  # switched off where it was seen to fit
    assert FreeTable.objects.get().options == {"vinco_subito": True}


def test_a_script_is_told_where_to_go_on_and_gets_no_page(anna: Player, bruno: Player) -> None:
    table = open_free_table(anna, timezone.now(), ruleset="scopa", players=2, length=Length("points", 11))
    waiting = reverse("free-table", args=[table.public_id])

    def asked(name: str, **data: str) -> str:
        address = reverse(f"free-table-{name}", args=[table.public_id])
        answer = browser(bruno).post(address, data, headers={"Accept": "application/json"})
        assert answer.status_code == 200
        return str(answer.json()["url"])

    assert asked("house") == waiting
    assert asked("sit", posto="0") == waiting
    assert asked("sit", posto="1") == reverse("table", args=[Match.objects.get().public_id])
    assert asked("leave") == waiting  # it has begun


def test_without_a_script_nobody_is_let_in_unwarned(anna: Player, client: Client) -> None:
    table = open_free_table(anna, timezone.now())
    for text in (client.get(reverse("free-table-new")).content.decode(), page(client, table)):
        assert "per giocare serve JavaScript" in text.partition("<noscript><p")[2].partition("</noscript>")[0]


def test_a_visitor_becomes_a_guest_only_once_their_table_stands(client: Client) -> None:
    send(client, length_value="0")
    assert not Player.objects.exists()
    send(client)
    assert Player.objects.get().is_guest
    assert FreeSeat.objects.get().player == Player.objects.get()


def test_a_visitor_with_the_link_sits_down_where_they_like(anna: Player, client: Client) -> None:
    table = open_free_table(anna, timezone.now(), public=False)
    address = reverse("free-table", args=[table.public_id])
    assert address not in read_ways(client.get(reverse("lobby"))), "only who has the link finds it"
    assert read_hooks(page(client, table), "action") == [*["sit"] * 3, "send"]
    assert not Player.objects.exclude(pk=anna.pk).exists()
    assert do(client, "sit", table, posto="2").status_code == 302
    seat = FreeSeat.objects.get(number=2)
    assert seat.player.is_guest
    assert read_hooks(page(client, table), "action") == [*["move"] * 2, "send", "call-friends"]
    do(client, "sit", table, posto="3")
    seat.refresh_from_db()
    assert seat.number == 3
    assert do(client, "leave", table).headers["Location"] == reverse("home")
    assert FreeSeat.objects.get().player == anna


def test_the_lobby_lists_open_tables_and_the_last_seat_is_one_click_away(
    anna: Player, bruno: Player, client: Client
) -> None:
    table = open_free_table(anna, timezone.now(), ruleset="scopa", players=2, length=Length("points", 11))
    address = reverse("free-table", args=[table.public_id])
    forget_shared_reads()
    lobby = client.get(reverse("lobby"))
    assert {address, reverse("free-table-sit", args=[table.public_id])} <= read_ways(lobby)
    assert "manca 1 giocatore" in lobby.content.decode()
    for page in ("home", "lobby"):
        own = browser(anna).get(reverse(page))
        assert "own_table" in read_hooks(own, "note")
        assert address in read_ways(own)
    answer = do(browser(bruno), "sit", table, posto="1")
    match = Match.objects.get()
    assert answer.headers["Location"] == reverse("table", args=[match.public_id])
    forget_shared_reads()
    assert address not in read_ways(client.get(reverse("lobby")))


def test_who_waits_is_taken_to_the_table_when_it_begins(anna: Player, bruno: Player, client: Client) -> None:
    table = open_free_table(anna, timezone.now(), ruleset="scopa", players=2, length=Length("points", 11))
    do(browser(bruno), "sit", table, posto="1")
    match = Match.objects.get()
    address = reverse("table", args=[match.public_id])
    assert browser(anna).get(reverse("free-table", args=[table.public_id])).headers["Location"] == address
    live = page(browser(anna), table, **{"HX-Target": "live"})
    assert f'data-my-table="{address}"' in live
    other = page(client, table, **{"HX-Target": "live"})
    assert "data-my-table" not in other
    assert (read_hooks(live, "action"), read_hooks(other, "action")) == (["sit"], ["watch"])
    assert "Anna" in live
    assert "Bruno" in live, "whoever waited sees them all"


def test_the_host_begins_with_the_house_and_nobody_else_does(anna: Player, bruno: Player) -> None:
    table = open_free_table(anna, timezone.now())
    guest = browser(bruno)
    do(guest, "sit", table, posto="1")
    house = reverse("free-table-house", args=[table.public_id])
    assert house not in read_ways(page(guest, table))
    assert read_hooks(guest.post(house, follow=True), "notice") == ["not_host"]
    assert do(browser(anna), "house", table).headers["Location"] == reverse(
        "table", args=[Match.objects.get().public_id]
    )
    assert Seat.objects.count() == 4


@pytest.mark.rule("M3")
def test_the_page_of_three_says_who_plays_the_morto(anna: Player) -> None:
    table = open_free_table(anna, timezone.now(), ruleset="tressette-accusa", players=3, length=Length("points", 11))
    text = page(browser(anna), table)
    assert "Da solo, e gioca anche il morto" in text
    assert 'value="2"' not in text.partition('class="places"')[2].partition("</ol>")[0]


def test_the_host_has_somebody_get_up_and_nobody_else_does(anna: Player, bruno: Player, carla: Player) -> None:
    table = open_free_table(anna, timezone.now())
    do(browser(bruno), "sit", table, posto="1")
    do(browser(carla), "sit", table, posto="2")
    way = reverse("free-table-unseat", args=[table.public_id])
    assert way not in read_ways(page(browser(bruno), table))
    assert read_hooks(browser(bruno).post(way, {"posto": "2"}, follow=True), "notice") == ["not_host"]
    assert way in read_ways(page(browser(anna), table))
    do(browser(anna), "unseat", table, posto="2")
    assert set(FreeSeat.objects.values_list("player", flat=True)) == {anna.pk, bruno.pk}
    for posto in ("0", "3", "x"):
        answer = browser(anna).post(way, {"posto": posto}, follow=True)
        assert read_hooks(answer, "notice") == ["not_here"], posto
    assert FreeSeat.objects.count() == 2


def test_partners_sit_opposite_each_other_seen_from_every_seat() -> None:
    assert find_sides(4, 1) == {1: "bottom", 2: "right", 3: "top", 0: "left"}
    assert find_sides(2, 1) == {1: "bottom", 0: "top"}
    assert find_sides(3, 3) == {3: "bottom", 0: "right", 1: "left"}


@pytest.mark.rule("B6")
def test_friends_who_are_here_and_show_it_are_called_from_the_table(
    anna: Player, bruno: Player, carla: Player, dino: Player
) -> None:
    now = timezone.now()
    for friend in (bruno, carla, dino):
        follow_player(player=anna, followed=friend, now=now)
    choose_audience(player=carla, readers={"presence": "nobody"})
    presence.mark_here([bruno.pk, carla.pk], now)
    table = open_free_table(anna, now)
    text = page(browser(anna), table)
    assert ("Bruno" in text, "Carla" in text, "Dino" in text) == (True, False, False)
    here = reverse("free-table", args=[table.public_id])
    answer = browser(anna).post(reverse("friends-call"), {"chi": bruno.public_id, "next": here})
    assert answer["Location"] == here
    assert "called" in read_hooks(page(browser(anna), table), "note")
    away = browser(anna).post(reverse("friends-call"), {"chi": bruno.public_id, "next": "https://example.org/"})
    assert away["Location"] == reverse("friends")
    presence.forget_here()


def test_who_waits_alone_for_three_minutes_is_told_where_people_are(anna: Player) -> None:
    table = open_free_table(anna, timezone.now())
    text = page(browser(anna), table)
    assert "lonely" not in read_hooks(text, "note")
    assert read_attribute(text, "data-refresh-at")
    FreeSeat.objects.update(sat_at=timezone.now() - timedelta(minutes=3))
    assert "lonely" in read_hooks(page(browser(anna), table), "note")


@pytest.mark.parametrize("posto", ["", "2", "7", "-1", "zero", "1; drop table", "٣", "1" * 5000])
def test_a_seat_nobody_offered_is_refused_in_words(anna: Player, bruno: Player, posto: str) -> None:
    table = open_free_table(anna, timezone.now(), ruleset="scopa", players=2, length=Length("points", 11))
    client = browser(bruno)
    answer = client.post(reverse("free-table-sit", args=[table.public_id]), {"posto": posto}, follow=True)
    assert read_hooks(answer, "notice") == ["no_such_seat"]
    assert FreeSeat.objects.count() == 1


@pytest.mark.rule("E8")
def test_who_waits_elsewhere_is_told_where(anna: Player, bruno: Player) -> None:
    own, other = open_free_table(anna, timezone.now()), open_free_table(bruno, timezone.now())
    client = browser(anna)
    text = page(client, other)
    assert reverse("free-table", args=[own.public_id]) in text
    assert 'name="posto"' not in text
    answer = do(client, "sit", other, posto="1")
    assert answer.status_code == 302
    assert read_hooks(page(client, other), "notice") == ["seated_elsewhere"]
    answer = send(client)
    assert read_error_codes(answer) == {"__all__": ["seated_elsewhere"]}
    assert "già seduto a un altro tavolo" in answer.content.decode()


def test_what_is_over_says_so_and_what_never_was_is_not_found(anna: Player, client: Client) -> None:
    table = open_free_table(anna, timezone.now())
    actions.leave(table_id=table.pk, player=anna, now=timezone.now())
    assert read_hooks(page(client, table), "note") == ["closed"]
    do(client, "sit", table, posto="1")
    assert not Player.objects.exclude(pk=anna.pk).exists(), "nobody becomes a guest for nothing"
    for name in ("free-table", "free-table-sit", "free-table-leave", "free-table-house", "free-table-unseat"):
        url = reverse(name, args=["nonesiste"])
        assert (client.get(url) if name == "free-table" else client.post(url)).status_code == 404


def test_only_posts_change_anything_and_strangers_change_nothing(anna: Player, bruno: Player, client: Client) -> None:
    table = open_free_table(anna, timezone.now())
    for name in ("sit", "leave", "house"):
        url = reverse(f"free-table-{name}", args=[table.public_id])
        assert client.get(url).status_code == 405
        assert Client(enforce_csrf_checks=True).post(url).status_code == 403
    for who in (client, browser(bruno)):
        do(who, "leave", table)
        do(who, "house", table)
    table.refresh_from_db()
    assert table.state == FreeTable.State.OPEN
    assert [seat.player for seat in table.seats.all()] == [anna]


@pytest.mark.rule("L5")
def test_levels_stand_beside_the_names_of_who_shows_theirs(anna: Player, bruno: Player) -> None:
    now = timezone.now()
    settle_match([anna, bruno], now)
    table = open_free_table(anna, now, ruleset="scopa", players=2)
    address = reverse("free-table", args=[table.public_id])
    level = read_levels([anna.pk], "scopa", "alone")[anna.pk]
    assert read_attribute(browser(bruno).get(address), "data-level") == [str(level)]
    choose_audience(player=anna, readers={"levels": "nobody"})
    assert read_attribute(browser(bruno).get(address), "data-level") == []
    assert read_attribute(browser(anna).get(address), "data-level") == [str(level)]
