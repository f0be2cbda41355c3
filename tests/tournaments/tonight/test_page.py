"""The page of the lobby (B1) and what is done on it (B2, B4), with and without a seek, by visitors and players."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from games import levels
from games.levels import ShownLevel
from games.lobby import seeks
from games.lobby.kinds import OPTION_SETS, SeekKind
from games.models import FreeTable, Match, Seat, Seek
from games.sweep import Lane, Sweep
from players import caps, presence
from players.models import Player
from players.services.audience import choose_audience
from players.services.blocks import block_player
from players.services.follows import follow_player
from scoring.models import Level
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.html import parse_tags, read_attribute, read_element, read_hooks, read_ways
from tests.support.keys import by_key, make_key, send
from tests.support.lobby import begin_at, open_free_table
from tests.support.people import take_house
from tests.support.play import OPENING, open_ready
from tests.support.tables import opened as open_table
from tests.support.tournaments import GIRONE, Opened
from tournaments.core import drawn_once
from tournaments.tonight import queries, views

pytestmark = pytest.mark.django_db
LOBBY = "/sala/"
LEVEL = re.compile(r"\b2100\b")  # no part of an instant


@pytest.fixture(autouse=True)
def _nobody_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have nobody here, and nothing kept, before and after; who comes stays, however slow the test is."""
    monkeypatch.setattr(presence, "KEEP_SECONDS", 600.0)
    for _time in range(2):
        presence.forget_here()
        queries.forget_shared()
        if not _time:
            yield


@arrange_once
def playing(opened: Opened, four: list[Player], now: datetime) -> list[Match]:
    """The open tables of a girone of four without hours."""
    tables = open_ready(enter_all(opened(GIRONE), four, now), now + OPENING)
    assert len(tables) == 2
    return tables


def sign_in(player: Player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


class CountedTemplates:
    """Names of the templates that the lobby has drawn for many readers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        draw = drawn_once.render_to_string

        def note(name: str, context: dict[str, object]) -> SafeString:
            self.names.append(name)
            return draw(name, context)

        monkeypatch.setattr(drawn_once, "render_to_string", note)


def look(client: Client) -> str:
    queries.forget_shared()
    return client.get(LOBBY).content.decode()


def seek(player: Player, seconds: int = 0, kind: SeekKind | None = None, **about: object) -> Seek:
    began = timezone.now() - timedelta(seconds=seconds)
    return seeks.seek_match(player=player, kind=kind or SeekKind(), now=began, **about)  # type: ignore[arg-type]


@pytest.mark.rule("B1")
def test_who_has_a_page_open_is_here(anna: Player, bruno: Player) -> None:
    now = timezone.now()
    assert read_hooks(look(Client()), "here") == ["0"]
    presence.mark_here([anna.pk, bruno.pk, *(one.pk for one in take_house(count=1, now=now))], now)
    page = look(Client())
    assert read_hooks(page, "here") == ["2"], "the house isn't counted"
    assert "Anna" in page


@pytest.mark.rule("B1")
def test_who_hides_that_they_are_here_is_counted_but_not_named(anna: Player, bruno: Player) -> None:
    presence.mark_here([anna.pk, bruno.pk], timezone.now())
    choose_audience(player=anna, readers={"presence": "nobody"})
    seek(anna)
    page = look(sign_in(bruno))
    assert read_hooks(page, "here") == ["2"]
    assert "Anna" not in page
    assert str(Seek.objects.get().pk) in read_hooks(page, "seek")
    assert "Anna" in look(sign_in(anna))


@pytest.mark.rule("B1", "L5")
@pytest.mark.parametrize("hidden", [None, "levels", "presence"])
def test_a_seek_says_a_level_only_of_who_shows_it_and_is_named(anna: Player, bruno: Player, hidden: str | None) -> None:
    Level.objects.create(
        player=anna, ruleset="scopa", form="alone", mu=27.0, sigma=3.0, matches=9, rated_at=timezone.now()
    )
    if hidden is not None:
        choose_audience(player=anna, readers={hidden: "friends"})
    seek(anna)
    assert Seek.objects.get().level == 1620
    for reader in (Client(), sign_in(bruno)):
        assert ("1620" in look(reader)) is (hidden is None)
        queries.forget_shared()
        (row,) = reader.get("/api/v1/seeks/").json()
        assert row["level"] == (1620 if hidden is None else None)
    follow_player(player=anna, followed=bruno, now=timezone.now())
    assert "1620" in look(sign_in(bruno)), "a friend is shown it"


@pytest.mark.rule("L5")
@pytest.mark.parametrize("sigma", [3.0, 6.0])
def test_a_seek_keeps_the_question_mark_of_its_level_and_the_page_says_what_it_means(
    anna: Player, bruno: Player, sigma: float
) -> None:
    assert "levels_explained" not in read_hooks(look(Client()), "note"), "where there is no level nothing is explained"
    Level.objects.create(
        player=anna, ruleset="scopa", form="alone", mu=27.0, sigma=sigma, matches=9, rated_at=timezone.now()
    )
    seek(anna)
    for reader in (Client(), sign_in(bruno)):
        page = look(reader)
        assert ("1620?" in page) is (sigma > 4)
        assert "levels_explained" in read_hooks(page, "note")
    (row,) = Client().get("/api/v1/seeks/").json()
    assert (row["level"], row["uncertain"]) == (1620, sigma > 4)


@pytest.mark.rule("B2")
def test_a_tile_seeks_its_game_and_a_second_press_stops(anna: Player, bruno: Player) -> None:
    annas = sign_in(anna)
    tile = read_element(look(annas), "seek-scopa") or {}
    assert (tile["formaction"], tile["value"]) == (reverse("seek"), "scopa:solita")
    assert "data-waits" not in tile
    seek(bruno)
    assert (read_element(look(annas), "seek-scopa") or {})["data-waits"] == "1"
    annas.post(tile["formaction"], {tile["name"]: tile["value"]})
    own = read_element(look(annas), "seek-scopa") or {}
    assert (own["formaction"], own["aria-pressed"]) == (reverse("seek-end"), "true")
    annas.post(own["formaction"])
    assert not Seek.objects.filter(player=anna).exists()


@pytest.mark.rule("B1")
def test_the_tiles_stand_as_often_as_their_games_were_played(anna: Player, bruno: Player) -> None:
    first = [name for name in read_attribute(look(sign_in(anna)), "id", "button") if name.startswith("seek-")]
    assert (len(first), first[0]) == (8, "seek-scopa")
    open_table([anna, bruno], timezone.now(), ruleset="tresette-a-perdere")
    Seat.objects.update(live=False)
    second = [name for name in read_attribute(look(sign_in(anna)), "id", "button") if name.startswith("seek-")]
    assert second[:2] == ["seek-tresette-a-perdere", "seek-scopa"]


@pytest.mark.rule("B4")
def test_the_house_is_the_choice_made_beforehand_in_an_empty_hall_alone(anna: Player, bruno: Player) -> None:
    annas = sign_in(anna)

    def is_chosen() -> bool:
        return any(
            "checked" in attrs
            for tag, attrs in parse_tags(look(annas))
            if tag == "input" and attrs.get("data-cookie") == "casa"
        )

    assert is_chosen()
    seek(bruno)
    assert not is_chosen()
    annas.cookies["casa"] = "1"
    assert is_chosen(), "as it was left"
    annas.post(reverse("seek"), {"game": "scopa:solita", "house": "1"})
    page = look(annas)
    assert Seek.objects.get(player=anna).house
    assert "house_chosen" in read_hooks(page, "note")


@pytest.mark.rule("U1")
def test_who_left_three_matches_finds_the_tiles_off_and_the_minute(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    annas = sign_in(anna)
    assert "seek_ban" not in read_hooks(look(annas), "note")
    monkeypatch.setattr(views, "find_seek_ban", lambda _player, now: now + timedelta(minutes=20))
    page = look(annas)
    assert "seek_ban" in read_hooks(page, "note")
    assert "disabled" in (read_element(page, "seek-scopa") or {})


@pytest.mark.rule("B1", "L5")
def test_a_table_says_how_strong_it_is_only_if_everybody_there_shows_it(
    anna: Player, bruno: Player, carla: Player, dino: Player
) -> None:
    now = timezone.now()
    for player in (anna, bruno, carla, dino):
        Level.objects.create(player=player, ruleset="scopa", form="alone", mu=30.0, sigma=3.0, matches=9, rated_at=now)
    strong, other = (open_table(pair, now, ruleset="scopa") for pair in ([anna, bruno], [carla, dino]))
    Match.objects.update(status=Match.Status.PLAYING)
    Level.objects.filter(player__in=[anna, bruno]).update(mu=35.0)
    page = look(Client())
    assert LEVEL.search(page)
    assert read_hooks(page, "watch") == [strong.public_id, other.public_id]
    choose_audience(player=anna, readers={"levels": "nobody"})
    page = look(Client())
    assert not LEVEL.search(page)
    assert read_hooks(page, "watch") == [other.public_id, strong.public_id], "nor does its place tell"


@pytest.mark.rule("B1", "B6")
def test_blocked_people_see_nothing_of_each_other(anna: Player, bruno: Player) -> None:
    presence.mark_here([anna.pk, bruno.pk], timezone.now())
    block_player(player=anna, blocked=bruno, now=timezone.now())
    seek(anna)
    brunos = sign_in(bruno)
    assert read_hooks(look(brunos), "seek") == []
    assert "Anna" not in look(brunos)
    seek(bruno)
    assert read_hooks(look(brunos), "waiting") == ["0"], "nor are they counted"
    assert queries.read_lobby(bruno, timezone.now()).seeking == 1
    program = by_key(make_key(bruno, scopes=["play"]))
    own = send(program, "/api/v1/seeks/heartbeat/").json()
    assert (own["rivals"], own["waiting"]) == (0, 0)
    assert read_hooks(look(Client()), "seek") != []


@pytest.mark.rule("B1")
def test_the_lobby_lists_tables_that_wait_tables_to_watch_and_tournaments_within_the_hour(
    anna: Player, bruno: Player, carla: Player, dino: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    strong = {carla.pk: 1900, dino.pk: 1800}
    monkeypatch.setattr(
        levels, "_readers", [lambda ids, *_about: {pk: ShownLevel(strong[pk], False) for pk in ids if pk in strong}]
    )
    weak = open_table([anna, bruno], now, ruleset="scopa")
    good = open_table([carla, dino], now, ruleset="scopa")
    Match.objects.update(status=Match.Status.PLAYING)
    assert read_hooks(look(Client()), "watch") == [good.public_id, weak.public_id]
    Match.objects.filter(pk=good.pk).update(training=True)
    assert read_hooks(look(Client()), "watch") == [weak.public_id]


@pytest.mark.rule("B1")
def test_a_table_that_only_its_link_leads_to_is_not_watched_from_the_lobby(anna: Player, bruno: Player) -> None:
    match = begin_at([anna, bruno], timezone.now(), public=False)
    assert match.status == Match.Status.PLAYING
    assert read_hooks(look(Client()), "watch") == []
    FreeTable.objects.update(public=True)
    assert read_hooks(look(Client()), "watch") == [match.public_id]


@pytest.mark.rule("B1")
def test_tournaments_that_begin_within_the_hour_are_listed(organiser: Player, opened: Opened, now: datetime) -> None:
    ways = {
        minutes: reverse("tournament", args=[opened(starts_at=timezone.now() + timedelta(minutes=minutes)).public_id])
        for minutes in (50, 70)
    }
    Player.objects.filter(pk=organiser.pk).update(created_at=now)
    assert not read_ways(look(Client())) & set(ways.values()), "a new account's, in which nobody has entered"
    Player.objects.filter(pk=organiser.pk).update(created_at=now - caps.NEW_ACCOUNT)
    assert read_ways(look(Client())) & set(ways.values()) == {ways[50]}


@pytest.mark.rule("B1")
def test_nobody_is_led_to_the_tables_of_a_tournament_they_play_in(playing: list[Match], anna: Player) -> None:
    tables = {match.public_id for match in playing}
    Match.objects.update(status=Match.Status.PLAYING)
    assert set(read_hooks(look(Client()), "watch")) == tables
    assert read_hooks(look(sign_in(anna)), "watch") == []


@pytest.mark.rule("B2")
def test_a_click_seeks_what_was_played_last_and_a_visitor_becomes_a_guest(anna: Player, bruno: Player) -> None:
    client = Client()
    answer = client.post(reverse("play-now"), follow=True)
    assert answer.redirect_chain[-1][0] == LOBBY
    assert "seeking" in read_hooks(answer, "note")
    mine = Seek.objects.get()
    assert (mine.player.is_guest, seeks.find_kind(mine), mine.house) == (True, SeekKind(), False)
    match = open_table([anna, bruno], timezone.now(), ruleset="tresette", turn_timeout=60)
    Seat.objects.update(live=False)
    annas = sign_in(anna)
    annas.post(reverse("play-now"), {"casa": "1"})
    own = Seek.objects.get(player=anna)
    assert (own.ruleset, own.form, own.speed, own.house) == (match.ruleset, "alone", "calmo", True)
    annas.post(reverse("play-now"), {"coppia": ""})
    assert Seek.objects.get(player=anna).form == "pairs"


@pytest.mark.rule("B2", "B4")
def test_the_page_says_what_is_waited_for_and_how_many_wait(anna: Player, bruno: Player, carla: Player) -> None:
    annas = sign_in(anna)
    assert "seeking" not in read_hooks(look(annas), "note")
    seek(anna)
    seek(bruno, kind=SeekKind("tresette"))
    page = look(annas)
    assert "seeking" in read_hooks(page, "note")
    assert read_hooks(page, "waiting") == ["0"]
    assert "altre 0" not in page
    assert (read_element(page, "seek-tresette") or {})["data-waits"] == "1"
    seeks.end_seek(player=bruno)
    assert "nobody_seeks" in read_hooks(look(annas), "note")
    assert "altre 0" not in look(annas)
    seek(carla)
    assert read_hooks(look(annas), "waiting") == ["1"]


@pytest.mark.rule("B2")
def test_the_bar_of_whoever_seeks_stands_on_every_page_and_can_be_read_by_itself(anna: Player, bruno: Player) -> None:
    annas = sign_in(anna)
    seek(anna)
    for page in (LOBBY, reverse("home"), reverse("rules")):
        assert read_hooks(annas.get(page), "note").count("seeking") == 1, page
        assert "seeking" not in read_hooks(sign_in(bruno).get(page), "note")
    alone = annas.get(LOBBY, headers={"HX-Target": "seek-bar"}).content.decode()
    assert alone.strip().startswith("<section")
    seeks.end_seek(player=anna)
    assert annas.get(LOBBY, headers={"HX-Target": "seek-bar"}).content.decode().strip() == ""


@pytest.mark.rule("B4")
def test_the_house_is_there_from_the_first_second_for_whoever_presses_its_button(anna: Player) -> None:
    annas = sign_in(anna)
    assert read_hooks(annas.post(reverse("seek-house"), follow=True), "notice") == ["not_seeking"]
    seek(anna)
    answer = annas.post(reverse("seek-house"))
    assert answer["Location"] == reverse("table", args=[Match.objects.get().public_id])


@pytest.mark.rule("B2")
def test_the_form_seeks_alone_or_with_a_partner_and_keeps_what_was_typed(anna: Player, bruno: Player) -> None:
    annas = sign_in(anna)
    body = {
        "game": "tresette:accusi", "form": "pairs", "speed": "lampo", "partner": "bruno", "lowest": "1400",
        "highest": "", "house": "1",
    }  # fmt: skip
    annas.post(reverse("seek"), body)
    mine = Seek.objects.get()
    assert seeks.find_kind(mine) == SeekKind("tresette", "accusi", "pairs", "lampo")
    assert (mine.partner, mine.house) == (bruno, True)
    wrong = annas.post(reverse("seek"), {**body, "partner": "nessuno", "lowest": "-3"})
    assert {error.code for errors in wrong.context["form"].errors.as_data().values() for error in errors} == {
        "no_such_partner", "min_value",
    }  # fmt: skip
    assert "nessuno" in wrong.content.decode()
    brunos = sign_in(bruno)
    page = look(brunos)
    brunos.post(reverse("seek-join", args=[mine.pk]))
    assert reverse("seek-join", args=[mine.pk]) in read_ways(page)
    assert Seek.objects.get(player=bruno).partner == anna


@pytest.mark.rule("B2", "SC1")
def test_a_game_of_pairs_is_sought_in_pairs_though_the_form_says_alone_where_it_asks_no_more(anna: Player) -> None:
    annas = sign_in(anna)
    assert 'value="scopone:solita" data-one-form' in look(annas)
    annas.post(reverse("seek"), {"game": "scopone:quattro", "form": "alone", "speed": "lampo"})
    assert seeks.find_kind(Seek.objects.get()) == SeekKind("scopone", "quattro", "pairs", "lampo")


@pytest.mark.rule("B2")
def test_who_is_named_as_partner_is_asked_on_top_and_whatever_levels_are_accepted(
    anna: Player, bruno: Player, carla: Player
) -> None:
    annas, brunos = sign_in(anna), sign_in(bruno)
    Level.objects.create(
        player=anna, ruleset="tresette", form="pairs", mu=25.0, sigma=3.0, matches=9, rated_at=timezone.now()
    )
    body = {"game": "tresette:accusi", "form": "pairs", "speed": "calmo", "partner": "Bruno", "lowest": "1800"}
    annas.post(reverse("seek"), body)
    assert "asks_you" in read_hooks(look(brunos), "note")
    assert "asks_you" not in read_hooks(look(sign_in(carla)), "note")
    join = reverse("seek-join", args=[Seek.objects.get().pk])
    ways = read_attribute(look(brunos), "formaction")
    assert ways.count(join) == 1, "though Bruno has no such level"
    brunos.post(join)
    assert "asks_you" not in read_hooks(look(brunos), "note")
    assert read_attribute(look(brunos), "data-partner") == [anna.public_id]


@pytest.mark.rule("B2")
def test_a_game_is_sought_by_its_button_and_a_seek_that_fits_joined_by_one_click(anna: Player, bruno: Player) -> None:
    annas, brunos = sign_in(anna), sign_in(bruno)
    annas.post(reverse("seek"), {"game": "tressette-classico:solita"})
    assert Seek.objects.get().form == "pairs", "the only one it has"
    annas.post(reverse("seek"), {"game": "scopa:solita"})
    answer = brunos.post(reverse("seek-join", args=[Seek.objects.get().pk]))
    assert answer["Location"] == reverse("table", args=[Match.objects.get().public_id])
    assert read_hooks(brunos.post(reverse("play-now"), follow=True), "notice") == ["seated_elsewhere"]


@pytest.mark.rule("B1", "B2")
def test_only_a_seek_whose_levels_admit_the_reader_has_a_button(
    anna: Player, bruno: Player, carla: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    strong = {anna.pk: 1700, carla.pk: 1650}
    monkeypatch.setattr(
        levels, "_readers", [lambda ids, *_about: {pk: ShownLevel(strong[pk], False) for pk in ids if pk in strong}]
    )
    way = reverse("seek-join", args=[seek(anna, lowest=1600, highest=1800).pk])
    assert [way in read_ways(look(sign_in(player))) for player in (anna, bruno, carla)] == [False, False, True]


@pytest.mark.rule("B1", "B2")
def test_the_buttons_of_the_games_send_the_pages_one_form(anna: Player, bruno: Player) -> None:
    seek(anna)
    brunos = Client(enforce_csrf_checks=True)
    brunos.force_login(bruno.user)
    page = look(brunos)
    assert read_element(page, "sala") == {"method": "post", "id": "sala", "hidden": ""}
    assert read_attribute(page, "form", "button") == ["sala"] * (len(queries.RULESETS) + 1)
    token = read_attribute(page, "value", "input")[0]
    join = read_element(page, f"join-{Seek.objects.get().pk}") or {}
    assert brunos.post(join["formaction"]).status_code == 403
    brunos.post(join["formaction"], {"csrfmiddlewaretoken": token})
    assert Match.objects.exists()


@pytest.mark.rule("B1", "B6")
def test_what_is_drawn_once_is_shown_to_who_may_see_the_very_same(
    anna: Player, bruno: Player, carla: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries._shared, "kept_for", timedelta(minutes=10))
    presence.mark_here([anna.pk, bruno.pk, carla.pk], timezone.now())
    block_player(player=anna, blocked=bruno, now=timezone.now())
    seek(anna)
    drawn = CountedTemplates(monkeypatch)
    pages = [client.get(LOBBY).content.decode() for client in (Client(), sign_in(bruno), sign_in(carla), Client())]
    assert ["Anna" in page for page in pages] == [True, False, True, True]
    assert drawn.names.count("tournaments/tonight/_rows.html") == 2
    english = Client(headers={"accept-language": "en"}).get(LOBBY).content.decode()
    assert "Gioca" not in english
    own = sign_in(anna).get(LOBBY).content.decode()
    assert f'id="join-{Seek.objects.get().pk}"' not in own


@pytest.mark.rule("B2")
def test_a_seek_is_ended_by_its_person(anna: Player) -> None:
    seek(anna)
    annas = sign_in(anna)
    annas.post(reverse("seek-end"))
    assert not Seek.objects.exists()
    assert read_hooks(annas.post(reverse("seek-end"), follow=True), "notice") == ["not_seeking"]


@pytest.mark.rule("B2")
def test_reading_the_lobby_keeps_a_seek_and_the_sweep_pairs_it(anna: Player, bruno: Player) -> None:
    seek(anna, seconds=15)
    sign_in(anna).get(LOBBY)
    assert Seek.objects.get().heard_at > timezone.now() - timedelta(seconds=5)
    seek(bruno)
    Sweep(lanes=[Lane.LOBBY]).round()
    assert Match.objects.count() == 1


@pytest.mark.rule("B2")
def test_who_has_fixtures_without_hours_to_play_is_asked_to_confirm(playing: list[Match], anna: Player) -> None:
    Seat.objects.update(live=False)
    client = sign_in(anna)
    asked = client.post(reverse("play-now"), {"casa": "1"})
    assert read_hooks(asked, "note") == ["to_confirm"]
    assert not Seek.objects.exists()
    client.post(reverse("play-now"), {"casa": "1", "conferma": "1"})
    assert Seek.objects.get(player=anna).house


def test_a_free_table_stands_in_the_part_of_its_game(anna: Player) -> None:
    table = open_free_table(anna, timezone.now())
    assert reverse("free-table", args=[table.public_id]) in read_ways(look(Client()))


@pytest.mark.rule("B2")
def test_a_seek_that_is_refused_is_still_in_its_form(anna: Player) -> None:
    client = sign_in(anna)
    game = f"scopa:{next(iter(OPTION_SETS['scopa']))}"
    typed = {"game": game, "form": "alone", "speed": "calmo", "lowest": "1700", "highest": "1300"}
    shown = client.post(reverse("seek"), typed)
    assert read_hooks(shown, "notice") == ["levels_crossed"]
    assert 'value="1700"' in shown.content.decode()
    assert "http-equiv" not in shown.content.decode(), "it would be read anew, and what is typed lost"
    assert not Seek.objects.exists()
    assert client.get(reverse("seek"))["Location"] == LOBBY


def test_the_browser_goes_to_the_field_that_is_wrong(anna: Player) -> None:
    client = sign_in(anna)
    assert "autofocus" not in client.get(LOBBY).content.decode()
    typed = {"game": "tresette:accusi", "form": "pairs", "speed": "calmo", "partner": "nessuno", "lowest": "-3"}
    page = client.post(reverse("seek"), typed).content.decode()
    assert [field for field in re.findall(r"<(?:input|select)[^>]*>", page) if "autofocus" in field] == [
        field for field in re.findall(r"<input[^>]*>", page) if 'name="partner"' in field
    ]


@pytest.mark.rule("B2", "E8")
def test_who_waits_at_a_free_table_finds_the_way_back_wherever_they_are_refused_another(anna: Player) -> None:
    client = sign_in(anna)
    table = open_free_table(anna, timezone.now(), public=False)
    way = reverse("free-table", args=[table.public_id])
    assert way in read_attribute(look(client), "href")
    refused = client.post(reverse("seek"), {"game": "scopa:solita"}, follow=True)
    assert "seated_elsewhere" in read_hooks(refused, "notice")
    assert way in read_attribute(refused, "href")
    assert way in read_attribute(client.get(reverse("free-table-new")), "href")
    assert "own_table" not in read_hooks(Client().get(LOBBY), "note")
