"""Passes of the desk (O9): another machine of a hall's network works at one tournament's desk for an evening."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.client import HTTPConnection
from typing import Any

import pytest
from django.template.backends.django import Template
from django.test import Client, override_settings
from django.urls import URLPattern, reverse
from django.utils import timezone

from players import caps
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.live import Site
from tests.support.people import create_person, sign_in
from tests.support.real_tables import draw_real, list_round
from tests.support.thorough import THOROUGH
from tests.support.tournaments import Opened, catch_code
from tests.support.waiting import PATIENCE
from tournaments.models import DeskPass, Fixture, Referee, Tournament
from tournaments.organise import passes
from tournaments.organise.desk_middleware import DESK_ROUTES
from tournaments.retention import forget_desk_passes
from tournaments.urls import urlpatterns

pytestmark = [pytest.mark.django_db]

ELSEWHERE = "192.168.1.30"
DRAW = Template.render


@pytest.fixture(autouse=True)
def hall() -> Iterator[None]:
    with override_settings(PLAIN_NETWORK=True, SITE_URL="http://192.168.1.20:8000"):
        yield


@arrange_once
def tournament(opened: Opened) -> Tournament:
    return draw_real(opened, 4, timezone.now())


def make(tournament: Tournament, now: datetime | None = None) -> str:
    by, now = tournament.organiser, now or timezone.now()
    token = passes.make_pass(tournament_id=tournament.pk, by=by, now=now)
    return reverse("desk-pass", args=[tournament.public_id, token])


def come(link: str) -> Client:
    """Another machine that opens the link and takes the pass."""
    client = Client(REMOTE_ADDR=ELSEWHERE)
    assert client.post(link).status_code == 302
    return client


@pytest.mark.rule("O9")
def test_the_laptop_gives_a_pass_and_another_machine_enters_results_with_it_o9(
    tournament: Tournament, organiser: Player
) -> None:
    page = reverse("tournament-hall", args=[tournament.public_id])
    laptop = sign_in(organiser)
    laptop.defaults["HTTP_HOST"] = "localhost:8000"
    assert "make_pass" in read_hooks(laptop.get(page), "action")
    made = laptop.post(page, {"accesso": "1"})
    assert read_hooks(made, "notice") == ["desk_pass_made"]
    assert made.headers["Cache-Control"] == "no-store"
    link = made.context["pass_link"]
    assert link.startswith("http://192.168.1.20:8000/tornei/")
    assert link not in laptop.get(page).content.decode(), "it is shown once"
    assert link.split("/")[-2] not in str(list(DeskPass.objects.values()))
    path = link.removeprefix("http://192.168.1.20:8000")
    helper = Client(REMOTE_ADDR=ELSEWHERE)
    assert {"plain_http"} == set(read_hooks(helper.get(path), "note"))
    assert DeskPass.objects.get().used_at is None, "who only looks takes nothing"
    desk = helper.post(path, follow=True)
    assert desk.redirect_chain[-1][0] == reverse("tournament-results", args=[tournament.public_id])
    assert read_hooks(desk, "notice") == ["desk_open"]
    assert "desk_pass" in read_hooks(desk, "note")
    assert "plain_http" not in read_hooks(desk, "note"), "warned once"
    fixture = list_round(tournament, 1)[0]
    fields = {"fixture": fixture.pk, "points_0": "7", "points_1": "4"}
    helper.post(reverse("tournament-results", args=[tournament.public_id]), fields)
    fixture.refresh_from_db()
    assert (fixture.points_0, fixture.points_1) == (7, 4)
    entered = tournament.log.get(code="ruling_entered")
    assert entered.player == organiser, "it acts for whoever made it"
    codes = list(tournament.log.values_list("code", flat=True))
    assert {"desk_pass_made", "desk_pass_used"} <= set(codes)


def draw_little(template: Template, context: Any = None, request: Any = None) -> str:
    """Draw a page only where it refuses somebody: who may see one is decided before it is drawn."""
    return DRAW(template, context, request) if template.template.name == "players/only_here.html" else ""


@pytest.mark.rule("O9")
def test_it_opens_that_desk_and_nothing_else_o9(
    tournament: Tournament, opened: Opened, organiser: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everywhere else its machine is answered as any visitor's is, or told that this opens on the laptop alone."""
    other = draw_real(opened, 4, timezone.now())
    helper, visitor, laptop = come(make(tournament)), Client(REMOTE_ADDR=ELSEWHERE), sign_in(organiser)
    opens = set()
    with monkeypatch.context() as patch:
        patch.setattr(Template, "render", draw_little)
        for pattern in urlpatterns:
            names = set(pattern.pattern.converters)
            if not isinstance(pattern, URLPattern) or not names <= {"public_id", "fixture_id", "entry_id"}:
                continue
            for one in (tournament, other) if THOROUGH or pattern.name in DESK_ROUTES else (tournament,):
                fixture, entry = Fixture.objects.of(one).order_by("pk")[0], one.entries.order_by("pk")[0]
                known = {"public_id": one.public_id, "fixture_id": fixture.pk, "entry_id": entry.pk}
                address = reverse(
                    str(pattern.name), kwargs={name: known[name] for name in names} | pattern.default_args
                )
                answer = helper.get(address)
                if one == tournament and pattern.name in DESK_ROUTES:
                    assert answer.status_code == laptop.get(address).status_code, address
                    opens.add(pattern.name)
                    continue
                plain = visitor.get(address)
                if answer.status_code == 403:
                    assert (read_hooks(answer, "note"), plain.status_code) == (["desk_pass", "only_here"], 404), address
                else:
                    assert (answer.status_code, answer.headers.get("Location")) == (
                        plain.status_code,
                        plain.headers.get("Location"),
                    ), address
    assert opens == DESK_ROUTES
    assert helper.get("/account/login/").status_code == helper.get("/admin/").status_code == 403
    assert helper.get("/api/v1/me/").status_code in (401, 403)
    page = helper.get(reverse("tournament-desk", args=[tournament.public_id]))
    assert page.context["player"] == None  # noqa: E711 a lazy object
    assert "/profilo/" not in page.content.decode()


@pytest.mark.rule("O9")
def test_every_page_of_the_evening_that_its_desk_leads_to_opens_o9(tournament: Tournament) -> None:
    helper = come(make(tournament))
    desk = helper.get(reverse("tournament-results", args=[tournament.public_id]))
    ways = re.search(r'<nav class="ways".*?</nav>', desk.content.decode(), re.DOTALL)
    assert ways is not None
    addresses = re.findall(r'href="([^"]+)"', ways[0])
    assert len(addresses) > 5
    assert {address: helper.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 200)
    evening = helper.get(reverse("tournament-evening", args=[tournament.public_id])).content.decode()
    assert "/profilo/" not in evening


@pytest.mark.rule("O9")
def test_a_pass_is_of_one_machine_and_ends_with_the_evening_or_by_a_touch_o9(
    tournament: Tournament, organiser: Player
) -> None:
    desk = reverse("tournament-desk", args=[tournament.public_id])
    link = make(tournament)
    helper = come(link)
    assert helper.get(desk).status_code == 200
    second = Client(REMOTE_ADDR=ELSEWHERE).post(link)
    assert (second.status_code, read_hooks(second, "note")[0]) == (403, "desk_pass_over")
    DeskPass.objects.update(expires_at=timezone.now())
    assert helper.get(desk).status_code == 404
    assert list(passes.list_passes(tournament, timezone.now())) == []
    helper = come(make(tournament))
    page = reverse("tournament-hall", args=[tournament.public_id])
    ended = sign_in(organiser).post(page, {"chiudi": DeskPass.objects.get().pk}, follow=True)
    assert read_hooks(ended, "notice") == ["desk_pass_ended"]
    assert helper.get(desk).status_code == 404
    assert not DeskPass.objects.exists()


@pytest.mark.rule("O9")
@pytest.mark.parametrize("why", ["password", "gone", "dismissed", "https", "here"])
def test_it_counts_only_while_who_made_it_runs_the_tournament_and_in_that_network_o9(
    tournament: Tournament, organiser: Player, why: str
) -> None:
    desk = reverse("tournament-desk", args=[tournament.public_id])
    helper = come(make(tournament))
    if why == "password":
        organiser.user.set_password("altri-quattro-assi")
        organiser.user.save()
    elif why == "gone":
        organiser.user.is_active = False
        organiser.user.save()
    elif why == "dismissed":
        Tournament.objects.filter(pk=tournament.pk).update(organiser=create_person("Olga", timezone.now()))
    elif why == "here":
        helper.defaults["REMOTE_ADDR"] = "127.0.0.1"
    with override_settings(PLAIN_NETWORK=why != "https"):
        assert helper.get(desk).status_code == 404


@pytest.mark.rule("O9")
def test_guessed_and_foreign_links_open_nothing_and_are_counted_o9(tournament: Tournament, opened: Opened) -> None:
    other = draw_real(opened, 4, timezone.now())
    token = make(tournament).split("/")[-2]
    foreign = reverse("desk-pass", args=[other.public_id, token])
    guesser = Client(REMOTE_ADDR="192.168.1.66")
    assert guesser.post(foreign).status_code == 403
    assert DeskPass.objects.get().used_at is None
    wrong = reverse("desk-pass", args=[tournament.public_id, "x" * 32])
    refused = {tuple(read_hooks(guesser.post(wrong), "note")[:1]) for _ in range(40)}
    assert refused == {("desk_pass_over",), ("too_many_codes",)}
    right = reverse("desk-pass", args=[tournament.public_id, token])
    assert guesser.post(right).status_code == 403, "a guesser waits"
    here = Client().post(right)
    assert read_hooks(here, "note") == ["desk_pass_elsewhere"]


@pytest.mark.rule("O9")
def test_who_runs_it_makes_a_few_while_it_is_played_and_nobody_else_o9(
    tournament: Tournament, opened: Opened, organiser: Player, referee: Player, now: datetime
) -> None:
    known = {"tournament_id": tournament.pk, "now": now}
    Referee.objects.create(tournament=tournament, player=referee)
    assert catch_code(passes.make_pass, **known, by=referee) == "not_organiser"
    for _ in range(caps.DESK_PASSES):
        passes.make_pass(**known, by=organiser)
    assert catch_code(passes.make_pass, **known, by=organiser) == "desk_passes_many"
    later = now + timedelta(days=1)
    passes.make_pass(tournament_id=tournament.pk, by=organiser, now=later)
    assert DeskPass.objects.count() == 1, "the old ones are gone"
    assert forget_desk_passes(later + timedelta(days=1)) == 1
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    assert catch_code(passes.make_pass, **known, by=organiser) == "over"
    Tournament.objects.filter(pk=tournament.pk).update(state="draft")
    assert catch_code(passes.make_pass, **known, by=organiser) == "not_running"
    page = reverse("tournament-hall", args=[opened().public_id])
    with override_settings(PLAIN_NETWORK=False):
        assert "make_pass" not in read_hooks(sign_in(organiser).get(page), "action")
        assert sign_in(organiser).post(page, {"accesso": "1"}).status_code == 404


@pytest.mark.rule("O9")
@pytest.mark.parametrize(("made", "ends"), [("20:00", "22 06:00"), ("01:30", "21 06:00"), ("07:00", "22 06:00")])
def test_an_evening_ends_in_the_morning_of_where_it_is_played_o9(tournament: Tournament, made: str, ends: str) -> None:
    tournament.time_zone = "Europe/Rome"
    at = datetime.fromisoformat(f"2026-11-21T{made}:00+01:00")
    assert f"{passes.find_evening_end(tournament, at):%d %H:%M}" == ends


@pytest.mark.rule("O9")
@pytest.mark.django_db(transaction=True)
def test_over_real_connections_a_pass_is_of_its_machine_o9(live_site: Site, opened: Opened) -> None:
    tournament = draw_real(opened, 4, timezone.now())
    helper = come(make(tournament))
    desk, cookie = reverse("tournament-desk", args=[tournament.public_id]), helper.cookies["sessionid"].value

    def ask(path: str, forwarded: str | None) -> int:
        connection = HTTPConnection("127.0.0.1", live_site.port, timeout=PATIENCE)
        more = {} if forwarded is None else {"X-Forwarded-For": forwarded}
        connection.request("GET", path, headers={"Cookie": f"sessionid={cookie}", **more})
        status = connection.getresponse().status
        connection.close()
        return status

    assert ask(desk, ELSEWHERE) == 200
    assert ask(desk, None) == 404, "on the laptop one logs in"
    assert ask(reverse("organiser-home"), ELSEWHERE) == 302
    assert ask("/account/login/", ELSEWHERE) == 403
