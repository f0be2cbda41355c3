"""The pages by which one enters (E3), checks in (E4) and is warned (E8), and the organiser's page of the entries."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Player
from tests.tournaments.conftest import KO, PAIRS, Opened
from tests.tournaments.test_entering import placed, waits
from tests.tournaments.test_pages_pairs import browser, text_of, url
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
    page, invite = url("tournament", tournament), url("tournament-invite", tournament, tournament.join_token)
    annas, visitor = browser(anna), Client()
    assert "Qui si entra con il link" in text_of(annas.get(page))
    for text in (text_of(Client().get(page)), text_of(annas.get(page)), text_of(Client().get("/api/v1/tournaments/"))):
        assert tournament.join_token not in text
    assert "non vale più" in text_of(annas.get(url("tournament-invite", tournament, "x"), follow=True))
    assert "Gioca come ospite" in text_of(visitor.get(invite, follow=True))
    assert "Sei iscritto" in text_of(visitor.post(url("tournament-join", tournament), follow=True))
    assert "Iscriviti al torneo" in text_of(annas.get(invite, follow=True))
    desk = browser(organiser)
    assert tournament.join_token in text_of(desk.get(url("tournament-entries", tournament)))
    desk.post(url("tournament-renew-link", tournament))
    assert "Qui si entra con il link" in text_of(annas.post(url("tournament-join", tournament), follow=True))
    assert len(placed(tournament)) == 1


@pytest.mark.rule("E3")
def test_a_code_is_typed_and_tried_only_so_often_e3(opened: Opened, anna: Player, bruno: Player) -> None:
    cache.clear()
    tournament = opened(registration="code", join_code="Briscola1")
    annas = browser(anna)
    page = text_of(annas.get(url("tournament", tournament)))
    assert 'name="code"' in page
    assert "BRISCOLA1" not in page
    typed = url("tournament-code", tournament)
    assert "Il codice non è questo" in text_of(annas.post(typed, {"code": "briscola2"}, follow=True))
    for n in range(9):
        annas.post(typed, {"code": str(n)})
    assert "molti codici" in text_of(annas.post(typed, {"code": "briscola1"}, follow=True))
    assert "Sei iscritto" in text_of(browser(bruno).post(typed, {"code": " briscola 1"}, follow=True))
    pairs = opened(PAIRS, registration="code", join_code="Coppie")
    brunos = browser(bruno)
    brunos.post(url("pair", pairs), {"partner": "Anna", "comunque": "1"})
    assert not Entry.objects.filter(tournament=pairs).exists()
    assert brunos.post(url("tournament-code", pairs), {"code": "COPPIE"}).url == url("pair", pairs)
    brunos.post(url("pair", pairs), {"partner": "Anna", "comunque": "1"})
    assert placed(pairs) == ["Bruno"]
    cache.clear()


@pytest.mark.rule("E3")
def test_who_asks_reads_that_he_waits_and_the_organiser_answers_with_a_click_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, carla: Player
) -> None:
    tournament = opened(registration="approval", starts_at=timezone.now() + HOUR)
    for player in (anna, bruno, carla):
        asked = text_of(browser(player).post(url("tournament-join", tournament), follow=True))
        assert "In attesa di risposta." in asked
    public = text_of(browser(anna).get(url("tournament", tournament)))
    assert "Bruno" not in public.partition('id="log"')[0], "who asks is the organiser's business"
    desk, where = browser(organiser), url("tournament-entries", tournament)
    assert "Chiedono di giocare" in text_of(desk.get(where))
    entry = Entry.objects.get(members__person__player=anna)
    answered = text_of(desk.post(url("tournament-decide", tournament), {"entry": entry.pk, "si": "1"}, follow=True))
    assert "Accettato" in answered
    desk.post(url("tournament-decide", tournament), {"tutti": "1", "no": "1"})
    assert placed(tournament) == ["Anna"]
    assert Entry.objects.count() == 1
    gone = text_of(desk.post(url("tournament-remove", tournament), {"entry": "x"}, follow=True))
    assert "non c'è più" in gone
    desk.post(url("tournament-remove", tournament), {"entry": entry.pk})
    assert placed(tournament) == []
    assert "nessuno si chiama" in text_of(desk.post(where, {"player": "Zeno"}))
    desk.post(where, {"player": "bruno"})
    assert placed(tournament) == ["Bruno"]
    for name in ("tournament-decide", "tournament-remove", "tournament-renew-link", "tournament-desk-check-in"):
        assert browser(anna).post(url(name, tournament), {"entry": entry.pk}).status_code == 404


@pytest.mark.rule("E3")
def test_when_it_is_full_the_page_offers_the_waiting_list_and_says_the_place_e3(
    opened: Opened, anna: Player, bruno: Player, carla: Player
) -> None:
    tournament = opened(max_entries=2, starts_at=timezone.now() + HOUR)
    joins(anna, tournament)
    joins(bruno, tournament)
    carlas, visitor = browser(carla), Client()
    assert "Mettiti in lista d'attesa" in text_of(carlas.get(url("tournament", tournament)))
    assert "al completo" in text_of(carlas.post(url("tournament-join", tournament), follow=True))
    said = text_of(carlas.post(url("tournament-join", tournament), {"attesa": ""}, follow=True))
    assert "Sei in lista d'attesa, al posto 1." in said
    assert "al posto 2." in text_of(visitor.post(url("tournament-join", tournament), {"attesa": ""}, follow=True))
    assert "Lista d'attesa" in text_of(Client().get(url("tournament", tournament)))
    browser(anna).post(url("tournament-leave", tournament))
    assert placed(tournament) == ["Bruno", "Carla"]
    assert "Carla" not in waits(tournament)
    detail = Client().get(f"/api/v1/tournaments/{tournament.public_id}/").json()
    assert [line["name"] for line in detail["entries"]] == ["Bruno", "Carla"]
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
    annas, desk = browser(anna), browser(organiser)
    for page in (reverse("home"), url("tournament", tournament)):
        assert "Ci sono" in text_of(annas.get(page))
        assert "Ci sono" not in text_of(Client().get(page))
    assert "Check-in fatto" in text_of(annas.post(url("tournament-check-in", tournament), follow=True))
    assert "Ci sono" not in text_of(annas.get(reverse("home")))
    entry = Entry.objects.get(members__person__player=bruno)
    page = text_of(desk.get(url("tournament-entries", tournament)))
    assert "È qui" in page
    desk.post(url("tournament-desk-check-in", tournament), {"entry": entry.pk, "presente": "1"})
    public = text_of(Client().get(url("tournament", tournament)))
    assert "check-in aperto" in public
    assert public.count("presente") == 2
    for name in ("tournament-edit", "tournament-entries", "tournament-import"):
        assert desk.get(url(name, tournament)).status_code == 200


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
    annas = browser(anna)
    warned = text_of(annas.post(url("tournament-code", second), {"code": "abcd"}))
    assert "Due tornei alla stessa ora" in warned
    assert KO.name in warned
    assert placed(second) == []
    assert "Sei iscritto" in text_of(
        annas.post(url("tournament-code", second), {"code": "abcd", "comunque": "1"}, follow=True)
    )
    pairs = opened(PAIRS, starts_at=now + HOUR)
    asked = {"partner": "Bruno"}
    assert "Due tornei alla stessa ora" in text_of(annas.post(url("pair", pairs), asked))
    annas.post(url("pair", pairs), asked | {"comunque": "1"})
    assert placed(pairs) == ["Anna"]
    joins(bruno, first)
    brunos, entry = browser(bruno), Entry.objects.get(tournament=pairs)
    yes = {"entry": entry.pk, "si": ""}
    assert "Due tornei alla stessa ora" in text_of(brunos.post(url("pair-answer", pairs), yes))
    brunos.post(url("pair-answer", pairs), yes | {"comunque": "1"})
    assert placed(pairs) == ["Anna+Bruno"]
