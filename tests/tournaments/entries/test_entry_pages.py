"""The pages by which one enters (E3), checks in (E4) and is warned (E8), and the organiser's page of the entries."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from tests.support.entries import accept_all, list_placed, list_waiting
from tests.support.html import read_attribute, read_element, read_error_codes, read_hooks, read_ways
from tests.support.pages import read_page, tournament_url
from tests.support.people import sign_in
from tests.support.tournaments import KO, PAIRS, Opened
from tournaments.entries import join
from tournaments.models import Entry, Tournament
from tournaments.running import start

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def joins(player: Player, tournament: Tournament) -> None:
    join.enter_player(tournament_id=tournament.pk, player=player, now=timezone.now())


@pytest.mark.rule("E3")
def test_by_link_the_page_opens_for_whoever_came_by_it_also_for_a_guest_e3(
    opened: Opened, organiser: Player, anna: Player
) -> None:
    tournament = opened(registration="link")
    page, invite = (
        tournament_url("tournament", tournament),
        tournament_url("tournament-invite", tournament, tournament.join_token),
    )
    annas, visitor = sign_in(anna), Client()
    assert "link_needed" in read_hooks(annas.get(page), "note")
    for text in (
        read_page(Client().get(page)),
        read_page(annas.get(page)),
        read_page(Client().get("/api/v1/tournaments/")),
    ):
        assert tournament.join_token not in text
    gone = annas.get(tournament_url("tournament-invite", tournament, "x"), follow=True)
    assert read_hooks(gone, "notice") == ["link_gone"]
    assert read_hooks(visitor.get(invite, follow=True), "action") == ["enter_as_guest"]
    assert read_hooks(visitor.post(tournament_url("tournament-join", tournament), follow=True), "notice") == ["entered"]
    assert read_hooks(annas.get(invite, follow=True), "action") == ["enter"]
    desk = sign_in(organiser)
    assert tournament.join_token in read_page(desk.get(tournament_url("tournament-entries", tournament)))
    desk.post(tournament_url("tournament-renew-link", tournament))
    refused = annas.post(tournament_url("tournament-join", tournament), follow=True)
    assert read_hooks(refused, "notice") == ["link_needed"]
    assert len(list_placed(tournament)) == 1


@pytest.mark.rule("E3")
def test_a_code_is_typed_and_tried_only_so_often_e3(opened: Opened, anna: Player, bruno: Player) -> None:
    cache.clear()
    tournament = opened(registration="code", join_code="Briscola1")
    annas = sign_in(anna)
    page = read_page(annas.get(tournament_url("tournament", tournament)))
    assert 'name="code"' in page
    assert "BRISCOLA1" not in page
    typed = tournament_url("tournament-code", tournament)
    assert read_hooks(annas.post(typed, {"code": "briscola2"}, follow=True), "notice") == ["code_wrong"]
    for n in range(9):
        annas.post(typed, {"code": str(n)})
    assert read_hooks(annas.post(typed, {"code": "briscola1"}, follow=True), "notice")[-1] == "too_many_codes"
    assert read_hooks(sign_in(bruno).post(typed, {"code": " briscola 1"}, follow=True), "notice") == ["entered"]
    pairs = opened(PAIRS, registration="code", join_code="Coppie")
    brunos = sign_in(bruno)
    brunos.post(tournament_url("pair", pairs), {"partner": "Anna", "comunque": "1"})
    assert not Entry.objects.filter(tournament=pairs).exists()
    assert brunos.post(tournament_url("tournament-code", pairs), {"code": "COPPIE"}).url == tournament_url(
        "pair", pairs
    )
    brunos.post(tournament_url("pair", pairs), {"partner": "Anna", "comunque": "1"})
    assert list_placed(pairs) == ["Bruno"]
    cache.clear()


@pytest.mark.rule("E3")
def test_who_asks_reads_that_they_wait_and_the_organiser_answers_with_a_click_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, carla: Player
) -> None:
    tournament = opened(registration="approval", starts_at=timezone.now() + HOUR)
    for player in (anna, bruno, carla):
        asked = sign_in(player).post(tournament_url("tournament-join", tournament), follow=True)
        assert (read_hooks(asked, "notice"), read_hooks(asked, "note")) == (["asked"], ["awaits_approval"])
    public = read_page(sign_in(anna).get(tournament_url("tournament", tournament)))
    assert "Bruno" not in public.partition('id="log"')[0], "who asks is the organiser's business"
    desk, where = sign_in(organiser), tournament_url("tournament-entries", tournament)
    assert read_element(desk.get(where), "applicants-title")
    entry = Entry.objects.get(members__person__player=anna)
    answered = desk.post(tournament_url("tournament-decide", tournament), {"entry": entry.pk, "si": "1"}, follow=True)
    assert read_hooks(answered, "notice") == ["approved"]
    desk.post(tournament_url("tournament-decide", tournament), {"tutti": "1", "no": "1"})
    assert list_placed(tournament) == ["Anna"]
    assert Entry.objects.count() == 1
    gone = desk.post(tournament_url("tournament-remove", tournament), {"entry": "x"}, follow=True)
    assert read_hooks(gone, "notice")[-1] == "entry_gone"
    desk.post(tournament_url("tournament-remove", tournament), {"entry": entry.pk})
    assert list_placed(tournament) == []
    assert read_error_codes(desk.post(where, {"player": "Zeno"})) == {"player": ["unknown_name"]}
    assert read_hooks(desk.post(where, {"player": "bruno"}, follow=True), "notice") == ["invited"]
    accept_all(tournament, timezone.now())
    assert list_placed(tournament) == ["Bruno"]
    for name in ("tournament-decide", "tournament-remove", "tournament-renew-link", "tournament-desk-check-in"):
        assert sign_in(anna).post(tournament_url(name, tournament), {"entry": entry.pk}).status_code == 404


@pytest.mark.rule("E3")
def test_when_it_is_full_the_page_offers_the_waiting_list_and_says_the_place_e3(
    opened: Opened, anna: Player, bruno: Player, carla: Player
) -> None:
    tournament = opened(max_entries=2, starts_at=timezone.now() + HOUR)
    joins(anna, tournament)
    joins(bruno, tournament)
    carlas, visitor = sign_in(carla), Client()
    assert read_hooks(carlas.get(tournament_url("tournament", tournament)), "action") == ["wait"]
    assert read_hooks(carlas.post(tournament_url("tournament-join", tournament), follow=True), "notice") == ["full"]
    page = read_page(carlas.post(tournament_url("tournament-join", tournament), {"attesa": ""}, follow=True))
    assert "Sei in lista d'attesa, al posto 1." in page
    assert "al posto 2." in read_page(
        visitor.post(tournament_url("tournament-join", tournament), {"attesa": ""}, follow=True)
    )
    assert read_element(Client().get(tournament_url("tournament", tournament)), "waiting-title")
    sign_in(anna).post(tournament_url("tournament-leave", tournament))
    assert list_placed(tournament) == ["Bruno", "Carla"]
    assert "Carla" not in list_waiting(tournament)
    detail = Client().get(f"/api/v1/tournaments/{tournament.public_id}/").json()
    assert [entry["name"] for entry in detail["entries"]] == ["Bruno", "Carla"]
    assert len(detail["waiting_list"]) == 1
    assert detail["tournament"]["entries_count"] == 2


@pytest.mark.rule("E4")
def test_one_checks_in_on_the_home_page_and_at_the_desk_e4(
    opened: Opened, organiser: Player, anna: Player, bruno: Player
) -> None:
    now = timezone.now()
    tournament = opened(starts_at=now + timedelta(minutes=20), checkin_minutes=15)
    joins(anna, tournament)
    joins(bruno, tournament)
    start.start_due(tournament_id=tournament.pk, now=now + timedelta(minutes=6))
    annas, desk = sign_in(anna), sign_in(organiser)
    check_in = tournament_url("tournament-check-in", tournament)
    for page in (reverse("home"), tournament_url("tournament", tournament)):
        assert check_in in read_ways(annas.get(page))
        assert check_in not in read_ways(Client().get(page))
    done = annas.post(check_in, follow=True)
    assert (read_hooks(done, "notice"), "checked_in" in read_hooks(done, "note")) == (["checked_in"], True)
    assert check_in not in read_ways(annas.get(reverse("home")))
    entry = Entry.objects.get(members__person__player=bruno)
    buttons = read_attribute(desk.get(tournament_url("tournament-entries", tournament)), "name", "button")
    assert (buttons.count("presente"), buttons.count("assente")) == (1, 1)
    desk.post(tournament_url("tournament-desk-check-in", tournament), {"entry": entry.pk, "presente": "1"})
    public = read_page(Client().get(tournament_url("tournament", tournament)))
    assert "check-in aperto" in public
    assert public.count("presente") == 2
    for name in ("tournament-edit", "tournament-entries", "tournament-import"):
        assert desk.get(tournament_url(name, tournament)).status_code == 200


@pytest.mark.rule("E8")
def test_who_enters_a_second_tournament_at_the_same_time_is_warned_once_e8(
    opened: Opened, anna: Player, bruno: Player
) -> None:
    now = timezone.now()
    first, second = (
        opened(starts_at=now + HOUR),
        opened(starts_at=now + 2 * HOUR, registration="code", join_code="abcd"),
    )
    joins(anna, first)
    annas = sign_in(anna)
    warned = annas.post(tournament_url("tournament-code", second), {"code": "abcd"})
    assert read_hooks(warned, "note") == ["collision"]
    assert "Due tornei alla stessa ora" in read_page(warned)
    assert tournament_url("tournament", first) in read_ways(warned)
    assert KO.name in read_page(warned)
    assert list_placed(second) == []
    anyway = annas.post(tournament_url("tournament-code", second), {"code": "abcd", "comunque": "1"}, follow=True)
    assert read_hooks(anyway, "notice") == ["entered"]
    pairs = opened(PAIRS, starts_at=now + HOUR)
    asked = {"partner": "Bruno"}
    assert "collision" in read_hooks(annas.post(tournament_url("pair", pairs), asked), "note")
    annas.post(tournament_url("pair", pairs), asked | {"comunque": "1"})
    assert list_placed(pairs) == ["Anna"]
    joins(bruno, first)
    brunos, entry = sign_in(bruno), Entry.objects.get(tournament=pairs)
    yes = {"entry": entry.pk, "si": ""}
    assert "collision" in read_hooks(brunos.post(tournament_url("pair-answer", pairs), yes), "note")
    brunos.post(tournament_url("pair-answer", pairs), yes | {"comunque": "1"})
    assert list_placed(pairs) == ["Anna+Bruno"]
