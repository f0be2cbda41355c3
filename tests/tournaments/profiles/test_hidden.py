"""Law: nobody sees what another has hidden, on pages, through the API, in exports and in what lists are made of."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Follow, Player
from players.selectors import PARTS, find_shown
from players.services.audience import choose_audience
from players.services.fixed_pairs import invite_to_pair
from players.services.own_data import stream_archive
from scoring.models import Level
from tests.support import play as running
from tests.support.archives import read_zip
from tests.support.entries import fill_sit_and_go
from tests.support.html import Tags
from tests.support.keys import by_key, make_key
from tests.support.people import create_person, sign_in
from tests.support.tables import play_out, seated
from tests.support.thorough import tries
from tests.support.tournaments import Opened

pytestmark = pytest.mark.django_db

# Where a part is shown, and the hook that carries it.
PAGES = {
    "history": (("person", "outcome"), ("person-matches", "outcome")),
    "tournaments": (("person-awards", "tournament"), ("person-tournaments", "tournament")),
    "statistics": (("person", "played"), ("person-statistics", "stat")),
    "levels": (("person", "level"),),
    "pairs": (("person", "pair"),),
}
READERS = ("visitor", "stranger", "follower", "friend", "owner")
ADMITTED = {
    "everybody": {"visitor", "stranger", "follower", "friend", "owner"},
    "friends": {"friend", "owner"},
    "nobody": {"owner"},
}
# Who opens the pages: all where they are told apart; of all the rule itself is asked.
LOOKING = tries(
    {"everybody": ("visitor", "follower"), "friends": READERS, "nobody": ("friend", "owner")},
    dict.fromkeys(ADMITTED, READERS),
)


@pytest.fixture
def readers(anna: Player, bruno: Player, carla: Player, dino: Player, opened: Opened, now: datetime) -> dict[str, Any]:
    """Anna has something of each part; Bruno is a stranger, Carla follows her, Dino is followed."""
    Follow.objects.create(player=carla, followed=anna, at=now)
    Follow.objects.create(player=anna, followed=dino, at=now)
    now = running.rounds_played(fill_sit_and_go(opened, [anna, bruno], now), now)
    play_out(seated([anna, bruno, carla, dino], now, ruleset="tresette", context="free"), now)
    invite_to_pair(player=anna, other=bruno, now=now)
    invite_to_pair(player=bruno, other=anna, now=now)
    Level.objects.get_or_create(
        player=anna,
        ruleset="tresette",
        form="pairs",
        defaults={"mu": 25.0, "sigma": 3.0, "matches": 1, "rated_at": now},
    )
    return {"visitor": None, "stranger": None, "follower": carla, "friend": dino, "owner": anna}


def read_shown(client: Client, owner: Player) -> dict[str, bool]:
    """Tell of each part if it is shown, which must be so on all pages alike; each page is asked once."""
    pages = {page for hooks in PAGES.values() for page, _hook in hooks}
    tags = {page: Tags(client.get(reverse(page, args=[owner.public_id]))).tags for page in pages}
    hooks = {page: {name for _tag, attributes in found for name in attributes} for page, found in tags.items()}
    seen = {part: {f"data-{hook}" in hooks[page] for page, hook in where} for part, where in PAGES.items()}
    assert [part for part, answers in seen.items() if len(answers) > 1] == [], seen
    return {part: answers.pop() for part, answers in seen.items()}


@pytest.mark.parametrize("chosen", ADMITTED)
def test_nobody_sees_what_another_has_hidden(readers: dict[str, Any], anna: Player, now: datetime, chosen: str) -> None:
    readers["stranger"] = create_person("Elio", now)
    choose_audience(player=anna, readers=dict.fromkeys(PARTS, chosen))
    for kind in READERS:
        reader, admitted = readers[kind], kind in ADMITTED[chosen]
        for part in PARTS:
            assert (anna.pk in find_shown([anna], reader, part)) is admitted, (kind, part)
        if kind not in LOOKING[chosen]:
            continue
        assert read_shown(sign_in(reader), anna) == dict.fromkeys(PAGES, admitted), kind
        programs = Client() if reader is None else by_key(make_key(reader, scopes=["read", "play"]))
        person = programs.get(f"/api/v1/people/{anna.public_id}/").json()
        assert bool(person["shows"]) is admitted, kind
        for field in ("statistics", "tournaments", "pairs"):
            assert bool(person[field]) is admitted, (kind, field)
        for address in ("matches", "levels"):
            status = programs.get(f"/api/v1/people/{anna.public_id}/{address}/").status_code
            assert status == (200 if admitted else 404), (kind, address)


@pytest.mark.parametrize("part", PAGES)
def test_each_part_is_hidden_alone(readers: dict[str, Any], anna: Player, client: Client, part: str) -> None:
    choose_audience(player=anna, readers={part: "nobody"})
    assert read_shown(client, anna) == {other: other != part for other in PAGES}


def test_what_another_site_shows_of_a_page_is_what_a_visitor_sees(
    readers: dict[str, Any], anna: Player, client: Client
) -> None:
    choose_audience(player=anna, readers=dict.fromkeys(PARTS, "nobody"))
    page = client.get(reverse("person", args=[anna.public_id])).content.decode()
    assert 'property="og:title" content="Anna"' in page
    assert "partit" not in page[page.index("og:description") :][:200]


def test_an_export_has_nothing_of_what_others_hide_but_what_was_met(
    readers: dict[str, Any], anna: Player, bruno: Player
) -> None:
    choose_audience(player=anna, readers=dict.fromkeys(PARTS, "nobody"))
    parts = read_zip(stream_archive(bruno))
    own = json.dumps({name: rows for name, rows in parts.items() if name != "matches"})
    assert "mu" not in own or anna.public_id not in own
    assert len(parts["matches.json"]) == 2
    assert anna.name not in json.dumps(parts["levels.json"]) + json.dumps(parts["statistics.json"])
