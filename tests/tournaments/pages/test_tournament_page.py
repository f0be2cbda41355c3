"""The tournaments' pages, to a visitor, a guest, a member and the organiser; and what each may do on them."""

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertTemplateUsed

from games.models import Match
from players import caps
from players.models import Player
from players.services.players import create_guest
from players.templatetags.people import person_link
from tests.support import play as running
from tests.support.entries import fill_sit_and_go
from tests.support.html import drop_layout, read_hooks, read_ways
from tests.support.pages import get_tournament_page
from tests.support.tournaments import GIRONE, Opened
from tournaments import standing_offers
from tournaments.models import Entry, EntryMember, LogEntry, Tournament
from tournaments.organise import lifecycle

pytestmark = pytest.mark.django_db


def act(client: Client, name: str, tournament: Tournament) -> str:
    answer = client.post(reverse(f"tournament-{name}", args=[tournament.public_id]), follow=True)
    return answer.content.decode()


@pytest.fixture
def guests(now: datetime) -> Client:
    client = Client()
    client.force_login(create_guest(now=now, address="192.0.2.1").user)
    return client


@pytest.fixture
def annas(anna: Player) -> Client:
    client = Client()
    client.force_login(anna.user)
    return client


@pytest.fixture
def organisers(organiser: Player) -> Client:
    client = Client()
    client.force_login(organiser.user)
    return client


# --- Front page ----------------------------------------------------------------------------------------------------


def test_an_empty_house_says_what_to_do(client: Client) -> None:
    home = client.get(reverse("home"))
    assert {reverse("play-now"), reverse("tournament-new")} <= read_ways(home)
    assert "next-title" not in home.content.decode(), "nothing empty is drawn"
    assert {"none_open", "none_running", "none_finished"} <= set(read_hooks(client.get(reverse("tournaments")), "note"))


def test_the_page_of_tournaments_lists_those_open_running_and_finished(
    client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    opened(name="Coppa aperta")
    fill_sit_and_go(opened, four, now, name="Coppa in corso")
    running.rounds_played(fill_sit_and_go(opened, four[:2], now, name="Coppa finita"), now)
    text = client.get(reverse("tournaments")).content.decode()
    parts = ("open-title", "Coppa aperta", "running-title", "Coppa in corso", "finished-title", "Coppa finita")
    at = [text.index(f'id="{part}"' if part.endswith("title") else part) for part in parts]
    assert at == sorted(at)


def test_a_refresh_gets_the_live_region_alone(client: Client, opened: Opened) -> None:
    tournament = opened()
    for text in (
        drop_layout(client.get(reverse("home"), headers={"HX-Target": "live"}).content.decode()),
        get_tournament_page(client, tournament, **{"HX-Target": "live"}),
    ):
        assert text.lstrip().startswith('<div id="live"')
        assert "<html" not in text


def test_no_cache_takes_the_live_region_for_the_page(client: Client, opened: Opened) -> None:
    for url in (reverse("home"), reverse("tournament", args=[opened().public_id])):
        part = client.get(url, headers={"HX-Target": "live"})
        assert part.headers["Cache-Control"] == "no-store"
        assert "HX-Target" in client.get(url).headers["Vary"]


def test_pages_carry_no_inline_script_or_style(client: Client, opened: Opened) -> None:
    answer = client.get(reverse("tournament", args=[opened().public_id]))
    assert " style=" not in answer.content.decode()
    assert "onclick" not in answer.content.decode()
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "frame-ancestors 'none'" in policy


# --- Who sees what -------------------------------------------------------------------------------------------------


def test_a_draft_is_known_to_its_organiser_alone(
    client: Client, annas: Client, organisers: Client, organiser: Player, now: datetime
) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=GIRONE, now=now)
    url = reverse("tournament", args=[draft.public_id])
    assert [reader.get(url).status_code for reader in (client, annas, organisers)] == [404, 404, 200]
    assert "publish" in read_hooks(get_tournament_page(organisers, draft), "action")


def test_an_address_of_nothing_is_404_in_the_sites_look(client: Client) -> None:
    answer = client.get("/tornei/nonesiste/")
    assert answer.status_code == 404
    assertTemplateUsed(answer, "404.html")


def test_what_each_reader_may_do_with_an_open_tournament(
    client: Client, guests: Client, annas: Client, organisers: Client, opened: Opened
) -> None:
    tournament = opened()
    actions = [
        read_hooks(get_tournament_page(reader, tournament), "action") for reader in (client, guests, annas, organisers)
    ]
    assert actions[:3] == [["enter_as_guest"], ["enter"], ["enter"]]
    assert {"enter", "cancel"} <= set(actions[3])


def test_nobody_is_invited_to_be_the_first_where_only_who_is_listed_plays(client: Client, opened: Opened) -> None:
    for registration, notes in (("open", ["be_first"]), ("list", [])):
        page = get_tournament_page(client, opened(registration=registration))
        assert [note for note in read_hooks(page, "note") if note == "be_first"] == notes


def test_a_tournament_for_members_sends_a_guest_to_sign_up(client: Client, guests: Client, opened: Opened) -> None:
    tournament = opened(guests_allowed=False)
    assert reverse("account_signup") in get_tournament_page(guests, tournament).split("<main")[1]
    assert read_hooks(get_tournament_page(client, tournament), "action") == []
    assert read_hooks(act(guests, "join", tournament), "notice") == ["guests_not_allowed"]
    assert act(client, "join", tournament)
    assert Entry.objects.count() == 0
    assert Player.objects.filter(kind=Player.Kind.GUEST).count() == 1  # nobody new was let in for nothing


# --- Joining and leaving -------------------------------------------------------------------------------------------


def test_joining_and_leaving_from_the_page(annas: Client, anna: Player, opened: Opened) -> None:
    tournament = opened()
    assert read_hooks(act(annas, "join", tournament), "notice") == ["entered"]
    assert EntryMember.objects.filter(tournament=tournament, person__player=anna).exists()
    for name, code in (("join", "already_entered"), ("leave", "left"), ("leave", "not_entered")):
        assert read_hooks(act(annas, name, tournament), "notice") == [code]


def test_a_visitor_who_joins_becomes_a_guest(client: Client, opened: Opened) -> None:
    tournament = opened()
    assert "Ospite" in act(client, "join", tournament)
    member = EntryMember.objects.select_related("person__player").get(tournament=tournament)
    assert member.person.player.is_guest
    assert client.session["_auth_user_id"] == str(member.person.player.user_id)


def test_a_visitor_does_not_become_a_guest_where_there_is_no_room(
    client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four[:2], now)
    act(client, "join", tournament)
    assert not Player.objects.filter(kind=Player.Kind.GUEST).exists()


def test_too_many_guests_from_one_address_are_told_what_to_do(client: Client, opened: Opened) -> None:
    tournament = opened()
    for _ in range(caps.GUESTS_AN_ADDRESS[0].most):
        create_guest(now=timezone.now(), address="127.0.0.1")
    for page in (act(client, "join", tournament), client.post(reverse("play-now"), follow=True)):
        assert read_hooks(page, "notice") == ["too_many_guests"]
    assert not EntryMember.objects.exists()


def test_acts_are_posts_and_only_for_who_may(client: Client, annas: Client, opened: Opened, organisers: Client) -> None:
    tournament = opened()
    for name in ("join", "leave", "publish", "house"):
        url = reverse(f"tournament-{name}", args=[tournament.public_id])
        assert organisers.get(url).status_code == 405
    for name in ("publish", "house"):
        assert read_hooks(act(annas, name, tournament), "notice") == ["not_organiser"]
        assert client.post(reverse(f"tournament-{name}", args=[tournament.public_id])).status_code == 302
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.OPEN
    assert read_hooks(act(organisers, "cancel", tournament), "notice") == ["cancelled"]
    assert read_hooks(get_tournament_page(annas, tournament), "note") == ["cancelled", "by_organiser"]


def test_the_organiser_fills_the_free_places_with_the_house(organisers: Client, annas: Client, opened: Opened) -> None:
    tournament = opened(house_allowed=True)
    act(annas, "join", tournament)
    act(organisers, "house", tournament)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert get_tournament_page(annas, tournament).count(">casa<") >= 3


def test_who_only_comes_by_play_now_is_led_home_and_seeks_nothing(client: Client, now: datetime) -> None:
    standing_offers.publish_offer(standing_offers.OFFERS[0], now=now)
    answer = client.get(reverse("play-now"))
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("home"))
    assert not Player.objects.filter(kind=Player.Kind.GUEST).exists()


def test_a_click_on_a_standing_offer_makes_a_guest_and_seats_them_in_it(client: Client, now: datetime) -> None:
    assert client.get(reverse("play-offer")).status_code == 405
    assert read_hooks(client.post(reverse("play-offer"), follow=True), "notice") == ["no_offer"]
    standing_offers.publish_offer(standing_offers.OFFERS[0], now=now)
    answer = client.post(reverse("play-offer"), follow=True)
    tournament = Tournament.objects.get(state=Tournament.State.RUNNING)
    assert answer.request["PATH_INFO"] == reverse("tournament", args=[tournament.public_id])
    assert "data-goto-table" in answer.content.decode()
    assert Player.objects.filter(kind=Player.Kind.GUEST).count() == 1


def test_who_just_clicked_is_taken_to_their_open_table_and_every_page_tells_the_others(
    annas: Client, anna: Player, bruno: Player, opened: Opened, now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, [anna, bruno], now)
    [match] = running.open_ready(tournament, now + running.OPENING)
    table = reverse("table", args=[match.public_id])
    clicked = annas.get(reverse("tournament", args=[tournament.public_id]), {"gioca": "1"})
    assert clicked.headers["Location"] == table
    assert f'data-my-table="{table}"' in get_tournament_page(annas, tournament)
    for url in (reverse("home"), reverse("profile")):
        assert table in annas.get(url).content.decode()


def list_tables(page: str) -> set[str]:
    """Return the addresses of the tables that a page leads to."""
    return {way for way in read_ways(page) if re.fullmatch(r"/tavoli/(?!nuovo)[^/]+/", way)}


# --- Running and finished ------------------------------------------------------------------------------------------


def test_a_bracket_shows_rounds_results_and_the_winner(
    client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four, now)
    text = get_tournament_page(client, tournament)
    for words in ("Tabellone", "Semifinali", "Finale"):
        assert words in text
    matches = running.open_ready(tournament, now + running.OPENING)
    assert len(list_tables(get_tournament_page(client, tournament))) == 2
    for match in matches:
        running.play(match, now + running.OPENING)
    running.rounds_played(tournament, now + timedelta(hours=1))
    text = get_tournament_page(client, tournament)
    assert "winner" in read_hooks(text, "note")
    assert "Ha vinto " in text
    assert "1º" in text
    for match in matches:
        assert reverse("match-result", args=[match.public_id]) in text


def test_who_plays_in_a_tournament_is_not_led_to_their_opponents_tables(
    annas: Client, client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four, now)
    running.open_ready(tournament, now + running.OPENING)
    own = set(read_hooks(get_tournament_page(annas, tournament), "my-table"))
    assert len(own) == 1
    assert list_tables(get_tournament_page(annas, tournament)) == own, "the one they play at"
    assert len(list_tables(get_tournament_page(client, tournament))) == 2


def test_a_girone_shows_standings_rounds_and_the_cross_table(
    client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four[:3], now, base=GIRONE)
    running.rounds_played(tournament, now)
    text = get_tournament_page(client, tournament)
    for words in ("Classifica", "Turno 1", "Turno 3", "riposa", "Tutti contro tutti", "VP", "MP"):
        assert words in text


def test_a_finished_profile_lists_matches_and_tournaments(
    annas: Client, client: Client, anna: Player, bruno: Player, opened: Opened, now: datetime
) -> None:
    running.rounds_played(fill_sit_and_go(opened, [anna, bruno], now), now)
    text = drop_layout(annas.get(reverse("profile")).content.decode())
    match = Match.objects.get()
    own = 0 if match.seats.get(player=anna).number % 2 == 0 else 1
    scores = (match.score_0, match.score_1)
    assert f"{scores[own]}–{scores[1 - own]}</span>" in text
    assert reverse("person", args=[bruno.public_id]) in text
    outcome = "drawn" if match.winner is None else "won" if match.winner == own else "lost"
    assert f'data-outcome="{outcome}"' in text
    assert client.get(reverse("profile")).headers["Location"].startswith(reverse("account_login"))


def test_names_are_never_markup(client: Client, organiser: Player, now: datetime, opened: Opened) -> None:
    tournament = opened(name="<img src=x onerror=alert(1)>")
    for text in (get_tournament_page(client, tournament), client.get(reverse("home")).content.decode()):
        assert "<img src=x" not in text
        assert "&lt;img src=x" in text


def test_every_name_of_the_log_leads_to_its_page(
    client: Client, opened: Opened, anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, [anna, bruno, carla, dino], now)
    named = [tournament.entries.of_player(player).get().pk for player in (anna, bruno)]
    log = {"tournament": tournament, "at": now, "code": "pairing_forbidden", "detail": {"entries": named}}
    LogEntry.objects.bulk_create([LogEntry(**log, player=carla), LogEntry(**log, by_name="Ugo <b>")])
    shown = get_tournament_page(client, tournament).partition('id="log"')[2]
    first, second, actor = (str(person_link(player, mark=False)) for player in (anna, bruno, carla))
    assert f"({first} / {second})" in shown
    assert f": {actor}" in shown
    assert ": Ugo &lt;b&gt;" in shown, "who acted on another site has no page here"
