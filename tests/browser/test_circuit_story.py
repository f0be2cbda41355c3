"""A circuit of three evenings, one of them at real tables, made and run on its pages: two share the first place until a
late correction at the desk moves them, and the public page explains every total (Y3, Y4)."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from players.models import Player
from tests.support import live
from tests.support.browser import collect_complaints, decide_at_desk
from tests.support.circuits import decide, play_evening, sweep_circuits
from tests.support.tournaments import GIRONE, Opened, make_opened
from tournaments.entries import join
from tournaments.models import Fixture, Tournament

SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"
FIRST, REAL, THIRD = "Primo giovedì", "Secondo giovedì", "Terzo giovedì"
Open = Callable[..., Page]


@pytest.fixture
def early() -> datetime:
    return timezone.now() - timedelta(hours=6)


@pytest.fixture
def evenings(organiser: Player, anna: Player, bruno: Player, carla: Player, dino: Player, early: datetime) -> None:
    """Three evenings, each with the points 67, 33, 14 and 1; the second is at real tables, of typed names."""
    opened = make_opened(organiser, early)
    play_on_site(opened, FIRST, [anna, bruno, carla, dino], early)
    play_evening(opened, ["Bruno", "Anna", "Dino", "Carla"], early + timedelta(hours=1), name=REAL)
    play_on_site(opened, THIRD, [carla, dino, anna, bruno], early + timedelta(hours=2))


@pytest.fixture
def open_as_visitor(browser: Browser, live_site: live.Site) -> Iterator[Open]:
    """Give what opens the live site's pages for somebody who isn't signed in."""
    context = browser.new_context(base_url=live_site.url, locale="it-IT")
    yield context.new_page
    context.close()


def play_on_site(opened: Opened, name: str, players: Sequence[Player], now: datetime) -> Tournament:
    """A girone on the site between these players, ended by the referee: they end in this order."""
    tournament = opened(GIRONE, name=name, max_entries=len(players))
    places = {
        join.enter_player(tournament_id=tournament.pk, player=player, now=now).pk: place
        for place, player in enumerate(players)
    }
    for fixture in Fixture.objects.of(tournament).filter(second__isnull=False).order_by("pk"):
        assert fixture.first_id is not None
        assert fixture.second_id is not None
        decide(fixture, 0 if places[fixture.first_id] < places[fixture.second_id] else 1, now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    return tournament


def make_circuit(page: Page) -> str:
    """Make the circuit of the best two evenings on its pages, and say which names are one person; its address."""
    page.goto("/circuiti/")
    page.get_by_role("link", name="Nuovo circuito").click()
    page.get_by_label("Nome del circuito").fill("Giovedì d'inverno")
    page.get_by_label("Quanti risultati contano").fill("2")
    page.get_by_role("button", name="Crea il circuito").click()
    expect(page.locator("[data-notice=circuit_made]")).to_be_visible()
    desk = page.url
    for name in (FIRST, REAL, THIRD):
        page.get_by_label(re.compile(name)).check()
    page.get_by_role("button", name="Aggiungi", exact=True).click()
    expect(page.locator("[data-notice=tournaments_added]")).to_be_visible()
    expect(page.locator("[data-standing=counts]")).to_have_count(3)
    sweep_circuits(timezone.now())
    page.get_by_role("link", name="Nomi uguali").click()
    proposals = page.locator("[data-note=proposal]")
    for left in (3, 2, 1, 0):
        proposals.first.get_by_role("button").click()
        expect(page.locator("[data-notice=names_linked]")).to_be_visible()
        expect(proposals).to_have_count(left)
    sweep_circuits(timezone.now())
    page.goto(desk)
    page.locator(".ticket-kind a").click()
    page.wait_for_url(re.compile(r"/circuiti/\w+/$"))
    return page.url


def expect_ranking(page: Page, address: str, *rows: tuple[str, str, int, list[int]]) -> None:
    """Read the public page: rank, name and total of each row, and the results that make it, with those that don't."""
    page.goto(address)
    shown = page.locator("[data-total]")
    expect(shown).to_have_count(len(rows))
    for at, (rank, name, total, points) in enumerate(rows):
        row = shown.nth(at)
        expect(row.locator("td").first).to_have_text(rank)
        expect(row.locator("a.person")).to_have_text(name)
        expect(row.locator("td").last).to_have_text(str(total))
        row.locator("summary").click()
        expect(row.locator("[data-counts] .number")).to_have_text([str(one) for one in points])
        counting = row.locator("[data-counts='1'] .number").all_inner_texts()
        assert sum(map(int, counting)) == total, name


@pytest.mark.rule("Y3", "Y4")
@pytest.mark.django_db(transaction=True)
def test_a_late_correction_at_the_desk_parts_two_who_shared_the_first_place(
    evenings: None, open_as_organiser: Open, open_as_visitor: Open
) -> None:
    page, visitor = open_as_organiser("/"), open_as_visitor()
    heard = [*collect_complaints(page), *collect_complaints(visitor)]
    address = make_circuit(page)
    expect_ranking(
        visitor,
        address,
        ("1", "Anna", 100, [67, 33, 14]),
        ("1", "Bruno", 100, [33, 67, 1]),
        ("3", "Carla", 81, [14, 1, 67]),
        ("4", "Dino", 47, [1, 14, 33]),
    )
    expect(visitor.locator("[data-why=level]")).to_be_visible()

    page.goto(address)
    page.locator(".circuit-stages").get_by_role("link", name=REAL).click()
    page.wait_for_url(re.compile(r"/tornei/\w+/$"))
    page.goto(f"{page.url}arbitro/")
    played = page.locator("li", has_text=re.compile(r"Bruno\s+contro\s+Anna|Anna\s+contro\s+Bruno"))
    page.locator("details.round").filter(has=played).first.locator("summary").click()
    played.get_by_role("link", name=re.compile("^Decidi")).click()
    decide_at_desk(page, "risultato", points_0="4", points_1="7")
    sweep_circuits(timezone.now())

    expect_ranking(
        visitor,
        address,
        ("1", "Anna", 134, [67, 67, 14]),
        ("2", "Carla", 81, [14, 1, 67]),
        ("3", "Bruno", 66, [33, 33, 1]),
        ("4", "Dino", 47, [1, 14, 33]),
    )
    expect(visitor.locator("[data-why=level]")).to_have_count(0)
    for path in (address, f"{address}stampa/"):
        visitor.goto(path)
        for why in visitor.locator(".circuit-why summary").all():
            why.click()
        for width in (360, 1280):
            visitor.set_viewport_size({"width": width, "height": 900})
            assert visitor.evaluate(SIDEWAYS) <= 0, (path, width)
    visitor.goto(address)
    visitor.locator("a.person", has_text="Carla").click()
    expect(visitor.locator("h1")).to_have_text("Carla")
    assert heard == []
