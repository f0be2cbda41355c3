"""A person's page: whose it is, what they have played, and what they let the reader see."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from games.facts.store import store_facts
from games.models import Match
from players.models import Player
from players.selectors import read_audience
from players.services.audience import choose_audience
from players.services.close_account import close_account
from tests.support.arrangements import arrange_once
from tests.support.html import read_attribute, read_hooks
from tests.support.people import sign_in, take_house
from tests.support.tables import seated

pytestmark = pytest.mark.django_db


def person_url(player: Player) -> str:
    return reverse("person", args=[player.public_id])


@arrange_once
def finished(anna: Player, bruno: Player, now: datetime) -> Match:
    match = seated([anna, bruno], now, context="free")
    Match.objects.filter(pk=match.pk).update(status="finished", finished_at=now, winner=1, score_0=3, score_1=11)
    store_facts(match_id=match.pk)
    return match


def test_the_page_shows_what_they_played_with_links_to_it_and_to_the_others(
    client: Client, anna: Player, bruno: Player, finished: Match
) -> None:
    page = client.get(person_url(anna))
    assert read_hooks(page, "outcome") == ["lost"]
    assert {person_url(bruno), reverse("match-result", args=[finished.public_id])} <= set(read_attribute(page, "href"))


def test_an_empty_page_says_so_also_of_the_house(client: Client, anna: Player, now: datetime) -> None:
    [house] = take_house(count=1, now=now)
    for player in (anna, house):
        page = client.get(person_url(player))
        assert set(read_hooks(page, "note")) == {"no_matches"}
        assert read_hooks(page, "kind") == [player.kind]


def test_of_a_closed_account_the_page_says_only_that_it_is_closed(
    client: Client, anna: Player, finished: Match, now: datetime
) -> None:
    finished.seats.update(live=False)
    close_account(player_id=anna.pk, now=now)
    page = client.get(person_url(anna))
    assert (page.status_code, read_hooks(page, "note"), read_hooks(page, "outcome")) == (410, ["closed"], [])
    assert client.get(reverse("person", args=["nobodyhere"])).status_code == 404


def test_search_engines_keep_the_page_only_of_who_chose_so(client: Client, anna: Player) -> None:
    assert client.get(person_url(anna))["X-Robots-Tag"] == "noindex"
    choose_audience(player=anna, readers={}, indexed=True)
    assert "X-Robots-Tag" not in client.get(person_url(anna))


def test_the_form_chooses_what_others_see_and_holds_at_once(
    client: Client, anna: Player, bruno: Player, finished: Match
) -> None:
    annas, form = sign_in(anna), reverse("audience")
    assert client.get(form).status_code == 302
    chosen = dict.fromkeys(("presence", "levels", "tournaments", "statistics", "pairs", "stakes"), "everybody")
    answer = annas.post(form, {**chosen, "history": "nobody"}, follow=True)
    assert read_hooks(answer, "notice") == ["audience_chosen"]
    assert (read_audience(anna).history, read_audience(anna).stakes) == ("nobody", "everybody")
    assert read_hooks(annas.get(person_url(anna)), "outcome") == ["lost"]
    for reader in (None, bruno):
        page = sign_in(reader).get(person_url(anna))
        assert read_hooks(page, "outcome") == []
        assert "history_hidden" in read_hooks(page, "note")
    assert annas.post(form, {**chosen, "history": "some"}).status_code == 200
    assert read_audience(anna).history == "nobody"
