"""People who enter by name or come late, and accounts that claim a name, on a narrow telephone (O2, D2)."""

from collections.abc import Iterator
from datetime import datetime

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from players.models import Player
from tests.browser.axe import faults
from tests.support import live
from tests.support.entries import list_placed
from tests.support.people import give_address
from tests.support.real_tables import draw_present, open_real, type_names
from tests.support.tournaments import PAIRS, Opened
from tournaments.models import NameClaim, Tournament


@pytest.fixture
def pairs(opened: Opened, now: datetime) -> Tournament:
    """A tournament of pairs at real tables, open to everybody."""
    tournament = open_real(opened, PAIRS)
    type_names(tournament, [("Ada Neri", "Bice Neri")], now)
    return tournament


class Readers:
    """Browsers of several people at once, all on narrow telephones."""

    def __init__(self, browser: Browser, site: live.Site) -> None:
        self._browser, self._site = browser, site
        self.contexts: list[BrowserContext] = []

    def open(self, player: Player | None = None) -> Page:
        """A telephone of a visitor, or of somebody who is signed in."""
        telephone = {"width": 360, "height": 740}
        context = self._browser.new_context(
            base_url=self._site.url, locale="it-IT", viewport=telephone, reduced_motion="reduce"
        )
        if player is not None:
            client = Client()
            client.force_login(player.user)
            session = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": self._site.url}])
        self.contexts.append(context)
        return context.new_page()


@pytest.fixture
def readers(browser: Browser, live_site: live.Site) -> Iterator[Readers]:
    made = Readers(browser, live_site)
    yield made
    for context in made.contexts:
        context.close()


@pytest.mark.rule("O2")
def test_a_pair_enters_by_name_and_gives_its_place_up_again(readers: Readers, pairs: Tournament) -> None:
    page = readers.open()
    page.goto(f"/tornei/{pairs.public_id}/")
    page.locator("[data-action=enter_self]").click()
    assert faults(page) == []
    page.get_by_label("Nome e cognome", exact=True).fill("Ugo Bo")
    page.get_by_label("Nome e cognome del compagno").fill("Smazzata staff")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Nome e cognome del compagno")).to_have_attribute("aria-invalid", "true")
    assert faults(page) == []
    page.get_by_label("Nome e cognome del compagno").fill("Pia Bo")
    page.locator("[data-action=enter_self]").click()
    expect(page.locator("[data-note=entered]")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    own = page.get_by_label("Indirizzo della tua iscrizione").input_value()
    assert list_placed(pairs) == ["Ada Neri+Bice Neri", "Ugo Bo+Pia Bo"]
    elsewhere = readers.open()
    elsewhere.goto(own)
    elsewhere.locator("summary").filter(has_text="Ritira l'iscrizione").click()
    elsewhere.get_by_role("button", name="Sì, ritirala").click()
    expect(elsewhere.locator("[data-notice=left]")).to_be_visible()
    assert list_placed(pairs) == ["Ada Neri+Bice Neri"]


@pytest.mark.rule("O2")
def test_an_account_claims_a_name_and_the_organiser_answers(readers: Readers, pairs: Tournament, anna: Player) -> None:
    give_address(anna)
    member, organiser = readers.open(anna), readers.open(pairs.organiser)
    member.goto(f"/tornei/{pairs.public_id}/")
    member.locator("[data-action=claim]").click()
    assert faults(member) == []
    member.get_by_label("Bice Neri").check()
    member.locator("form[data-action=claim] button").click()
    expect(member.locator("[data-note=claim_waiting]")).to_be_visible()
    organiser.goto(f"/tornei/{pairs.public_id}/")
    organiser.locator("[data-action=claims]").click()
    organiser.get_by_role("button", name="Non lo riconosco").click()
    expect(organiser.get_by_role("alert")).to_be_visible()
    assert faults(organiser) == []
    organiser.get_by_role("button", name="Lo riconosco", exact=False).first.click()
    expect(organiser.locator("[data-claim=accepted]")).to_be_visible()
    assert faults(organiser) == []
    assert organiser.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert NameClaim.objects.standing().count() == 1
    member.goto("/profilo/")
    expect(member.locator("[data-claimed=accepted]")).to_be_visible()
    assert faults(member) == []


@pytest.fixture
def danese(opened: Opened, now: datetime) -> Tournament:
    """A danese at real tables whose first round is drawn."""
    tournament = open_real(opened, format="danese", format_options={"rounds": 3, "late": 2})
    type_names(tournament, ["Ada Neri", "Bice Neri", "Ciro Verdi", "Dora Verdi"], now)
    draw_present(tournament, now)
    return tournament


@pytest.mark.rule("D2", "D3", "O2")
def test_who_comes_late_is_let_in_and_says_a_round_they_miss(readers: Readers, danese: Tournament) -> None:
    page, organiser = readers.open(), readers.open(danese.organiser)
    page.goto(f"/tornei/{danese.public_id}/")
    page.locator("[data-action=late]").click()
    assert faults(page) == []
    page.get_by_label("Nome e cognome").fill("Zita Bo")
    page.keyboard.press("Enter")
    expect(page.locator("[data-note=asked_late]")).to_be_visible()
    assert faults(page) == []
    organiser.goto(f"/tornei/{danese.public_id}/")
    organiser.locator("[data-action=rounds]").click()
    assert faults(organiser) == []
    organiser.locator("[data-asking]").get_by_role("button", name="Accetta").click()
    expect(organiser.locator("[data-notice=joined_late]")).to_be_visible()
    page.reload()
    page.locator("[data-action=bye]").click()
    assert faults(page) == []
    page.get_by_label("Assenza: niente punti.").check()
    page.get_by_role("button", name="Quel turno non gioco").click()
    expect(page.locator("[data-kind=absent]")).to_be_visible()
    assert faults(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert danese.entries.count() == 5
