"""Law of what search engines may keep (W8): public tournaments and the site's own pages; and tags for other sites."""

from datetime import datetime
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from config.search_engines import MAP_KEY
from games.engine.game import Length
from games.lobby import actions
from players import caps
from players.models import Person, Player
from tests.support.html import Tags
from tests.support.people import create_person
from tests.support.play import OPENING, open_ready
from tests.support.tournaments import KO
from tournaments.entries import join
from tournaments.models import EntryMember, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_map_is_kept() -> None:
    cache.delete(MAP_KEY)


def begin(organiser: Player, players: list[Player], now: datetime, **changed: object) -> Tournament:
    known = {name: getattr(KO, name) for name in Settings.__slots__}
    made = lifecycle.create_tournament(
        organiser=organiser, settings=Settings(**{**known, "max_entries": len(players), **changed}), now=now
    )
    lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=now)
    for player in players:
        join.enter_player(tournament_id=made.pk, player=player, now=now)
    return Tournament.objects.get(pk=made.pk)


@pytest.fixture
def running(anna: Player, bruno: Player, carla: Player, now: datetime) -> Tournament:
    return begin(anna, [bruno, carla], now)


def is_kept_out(client: Client, tournament: Tournament) -> bool:
    answer = client.get(reverse("tournament", args=[tournament.public_id]))
    return answer.headers.get("X-Robots-Tag") == "noindex"


def read_map(client: Client) -> list[str]:
    answer = client.get("/sitemap.xml")
    assert answer.headers["Content-Type"] == "application/xml"
    elements = ElementTree.fromstring(answer.content).iter()
    return [element.text or "" for element in elements if element.tag.endswith("loc")]


def read_tags(client: Client, address: str) -> dict[str, str]:
    tags = Tags(client.get(address)).tags
    metas = [attrs for tag, attrs in tags if tag == "meta" and "content" in attrs]
    return {attrs.get("property") or attrs.get("name", ""): attrs["content"] for attrs in metas}


@pytest.mark.rule("W8")
def test_a_public_tournament_is_kept_and_stands_in_the_map(client: Client, running: Tournament) -> None:
    assert not is_kept_out(client, running)
    assert f"{settings.SITE_URL}/tornei/{running.public_id}/" in read_map(client)
    assert f"{settings.SITE_URL}/" in read_map(client)


@pytest.mark.rule("W8")
@pytest.mark.parametrize(
    "changed",
    [
        {"registration": "link"},
        {"registration": "code", "join_code": "ABCDE"},
        {"registration": "list"},
        {"state": "cancelled"},
    ],
)
def test_a_tournament_that_is_not_for_everybody_is_kept_out(
    client: Client, running: Tournament, changed: dict[str, str]
) -> None:
    Tournament.objects.update(**changed)
    assert is_kept_out(client, running)
    assert f"{settings.SITE_URL}/tornei/{running.public_id}/" not in read_map(client)


@pytest.mark.rule("W8")
def test_what_a_new_account_opens_is_kept_out_until_somebody_enters(
    client: Client, anna: Player, now: datetime
) -> None:
    newcomer = create_person("Nuova", now)
    Player.objects.filter(pk=newcomer.pk).update(created_at=now)
    tournament = begin(newcomer, [], now, max_entries=4)
    assert is_kept_out(client, tournament)
    join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    assert not is_kept_out(client, tournament)


@pytest.mark.rule("W8")
def test_a_tournament_with_people_without_accounts_is_kept_out(client: Client, running: Tournament) -> None:
    member = EntryMember.objects.filter(tournament=running).first()
    assert member is not None
    member.person = Person.objects.create(typed_name="Gina Verdi")
    member.save()
    assert is_kept_out(client, running)
    standings = client.get(reverse("standings", args=[running.public_id]))
    assert standings.headers["X-Robots-Tag"] == "noindex"
    assert len(read_map(client)) == 8


@pytest.mark.rule("W8")
def test_only_tournaments_that_began_stand_in_the_map_and_not_endlessly_many(
    client: Client, anna: Player, running: Tournament, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = begin(anna, [], now, max_entries=4)
    assert not is_kept_out(client, waiting)
    assert waiting.public_id not in "".join(read_map(client))
    cache.delete(MAP_KEY)
    monkeypatch.setattr(caps, "SITEMAP_TOURNAMENTS", 0)
    assert running.public_id not in "".join(read_map(client))
    monkeypatch.undo()
    assert running.public_id not in "".join(read_map(client)), "it is kept for an hour"


@pytest.mark.rule("W8")
def test_tags_name_the_tournament_the_table_and_the_club(
    client: Client, anna: Player, running: Tournament, now: datetime
) -> None:
    (match,) = open_ready(running, now + OPENING)
    table = actions.open_table(
        host=anna,
        ruleset="scopa",
        players=2,
        length=Length("points", 11),
        options={},
        turn_timeout=60,
        match_clock=None,
        public=True,
        now=now,
    )
    for address, title, about in (
        (reverse("tournament", args=[running.public_id]), running.name, "Scopa · Eliminazione diretta"),
        (reverse("table", args=[match.public_id]), match.title, "Scopa · 1 smazzata"),
        (reverse("free-table", args=[table.public_id]), "Tavolo di Anna", "Scopa · 11 punti"),
        ("/regole/scopa/", "Scopa", "Le regole, con esempi."),
        ("/", "Smazzata", "Tornei"),
    ):
        tags = read_tags(client, address)
        assert (tags["og:title"], tags["twitter:title"]) == (title, title), address
        assert tags["og:description"].startswith(about), address
        assert tags["og:description"] == tags["twitter:description"]
        assert tags["og:url"].endswith(address)
    free = client.get(reverse("free-table", args=[table.public_id]))
    assert free.headers["X-Robots-Tag"] == "noindex"
    assert client.get(reverse("table", args=[match.public_id])).headers["X-Robots-Tag"] == "noindex"
