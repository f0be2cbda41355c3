"""Names of people as links to their pages."""

from datetime import datetime

import pytest

from players.models import Person, Player
from players.services.players import create_guest
from players.templatetags.people import people_links, person_link
from tests.support.html import read_attribute
from tests.support.people import take_house

pytestmark = pytest.mark.django_db


def test_a_name_leads_to_its_page_and_says_whose_it_is(anna: Player, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    [house] = take_house(count=1, now=now)
    assert person_link(anna) == f'<a class="person" href="/giocatori/{anna.public_id}/">Anna</a>'
    assert person_link(anna.person) == person_link(anna)
    for player, mark in ((guest, "ospite"), (house, "casa")):
        shown = str(person_link(player))
        assert read_attribute(shown, "href") == [f"/giocatori/{player.public_id}/"]
        assert shown.endswith(f'<span class="tag">{mark}</span>')
        assert "tag" not in person_link(player, mark=False)


def test_a_typed_name_is_no_link_and_a_minors_are_initials(anna: Player) -> None:
    assert person_link(Person(typed_name="Maria <b> Rossi")) == "Maria <b> Rossi"
    assert person_link(Person(typed_name="Maria Rossi", initials=True)) == "M. R."
    assert person_link(None) == ""
    linked = people_links([anna, Person(typed_name="Ugo <b>")])
    assert linked == f"{person_link(anna)} · Ugo &lt;b&gt;"
