"""The table's page: who may open it, and that it carries what its script needs, and of the cards its reader's own."""

import gzip
import json
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from config.stylesheets import join_imports
from games import selectors, table_views, views
from games.engine.cards import NAMES
from games.levels import read_levels
from games.models import Deal
from games.selectors import Watching
from players.models import Player, User
from players.services.audience import choose_audience
from tests.games.hidden import split_deck
from tests.support.html import read_attribute
from tests.support.levels import settle_match
from tests.support.tables import again, opened, play, seated

SCRIPTS = Path(settings.BASE_DIR) / "static" / "js" / "table"


def signed_in(player: Player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


def test_a_seated_player_gets_their_table(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)

    page = signed_in(anna).get(f"/tavoli/{match.public_id}/")

    assert page.status_code == 200
    assert f'data-socket="/ws/tavolo/{match.public_id}/"' in page.content.decode()


def test_a_table_nobody_opened_is_not_found(client: Client, db: None) -> None:
    assert client.get("/tavoli/nessuno/").status_code == 404


def test_who_may_not_watch_is_told_there_is_no_table(
    anna: Player, bruno: Player, carla: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = seated([anna, bruno], now)
    address = f"/tavoli/{match.public_id}/"
    assert signed_in(carla).get(address).status_code == 200

    all_but_carla = {carla: Watching.REFUSED}
    monkeypatch.setattr(selectors, "_policies", [lambda match, player, now: all_but_carla.get(player, Watching.LIVE)])

    assert signed_in(carla).get(address).status_code == 404
    assert signed_in(anna).get(address).status_code == 200
    assert Client().get(address).status_code == 200


def test_the_page_leads_back_to_where_the_match_belongs(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now, about_url="/tornei/coppadeltest/")

    page = signed_in(anna).get(f"/tavoli/{match.public_id}/").content.decode()

    assert page.count('href="/tornei/coppadeltest/"') == 2  # in the bar, and beside the result


def test_what_is_reported_goes_to_the_referee_where_there_is_one(anna: Player, bruno: Player, now: datetime) -> None:
    page = signed_in(anna).get(f"/tavoli/{seated([anna, bruno], now).public_id}/").content.decode()

    assert "Segnala all&#x27;arbitro" not in page
    assert "Segnala all'arbitro" not in page
    assert "Segnala ai moderatori" in page


def test_a_title_is_never_code(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now, title="<script>alert(1)</script>")

    assert "<script>alert" not in signed_in(anna).get(f"/tavoli/{match.public_id}/").content.decode()


FIRST = re.compile(r'<script id="table-first" type="application/json">(.+?)</script>')
PAST = re.compile(r'<script id="table-past" type="application/json">(.+?)</script>')
CARD = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")


def test_the_page_carries_the_view_of_its_readers_seat_and_no_other_card(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    seen = {}
    for player in (anna, bruno, carla):
        answer = signed_in(player).get(f"/tavoli/{match.public_id}/")
        page = answer.content.decode()
        hit = FIRST.search(page)
        assert hit is not None
        assert "no-store" in answer["Cache-Control"]
        assert "".join(split_deck(Deal.objects.get(match=match).deck)) not in page
        past = PAST.search(page)
        assert past is not None
        assert {*CARD.findall(past[1])} <= {lying["card"] for lying in json.loads(hit[1])["table"]}
        assert not CARD.findall(page_text(PAST.sub("", FIRST.sub("", page))))
        seen[player] = json.loads(hit[1])
    for player, seat in ((anna, 0), (bruno, 1), (carla, None)):
        view = table_views.build_table_view(match, seat, now)
        assert {**seen[player], "now": 0} == {**view, "now": 0}
    hands = [{card for hand in view["hands"] for card in hand["cards"]} for view in seen.values()]
    assert [len(cards) for cards in hands] == [len(hands[0]), len(hands[0]), 0]
    assert not hands[0] & hands[1]


def page_text(page: str) -> str:
    """The page without addresses and hashes, which may look like anything."""
    return re.sub(r'(?:href|src|nonce|data-\w+|content)="[^"]*"|"/static/[^"]*"', "", page)


def test_the_import_map_names_every_module_and_its_nonce_is_the_policys(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = opened([anna, bruno], now)

    answer = signed_in(anna).get(f"/tavoli/{match.public_id}/")

    hit = re.search(r'<script type="importmap" nonce="([^"]+)">(.+?)</script>', answer.content.decode(), re.DOTALL)
    assert hit is not None
    assert f"'nonce-{hit[1]}'" in answer["Content-Security-Policy"]
    imports = json.loads(hit[2])["imports"]
    assert sorted(imports) == sorted(
        f"/static/js/table/{path.name}" for path in SCRIPTS.glob("*.js") if path.stem != "types"
    )
    assert sorted(imports.values()) == sorted(staticfiles_storage.url(f"js/table/{name}.js") for name in views.MODULES)


def test_every_word_the_script_says_is_on_the_page(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)

    page = signed_in(anna).get(f"/tavoli/{match.public_id}/").content.decode()

    hit = re.search(r'<script id="table-words" type="application/json">(.+?)</script>', page)
    assert hit is not None
    given = set(json.loads(hit[1])["words"])
    script = "\n".join(path.read_text() for path in SCRIPTS.glob("*.js"))
    codes = set(re.findall(r'say\("([\w-]+)"', script)) | set(re.findall(r'words\["([\w-]+)"\]', script))
    codes |= set(re.findall(r"words\.(\w+)\b", script)) - {"js"}
    assert codes
    assert codes <= given


def test_every_id_the_script_looks_for_is_on_the_page(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)

    page = signed_in(anna).get(f"/tavoli/{match.public_id}/").content.decode()

    script = "\n".join(path.read_text() for path in SCRIPTS.glob("*.js"))
    sought = set(re.findall(r'byId\("([\w-]+)"\)', script))
    assert sought
    assert sought <= set(re.findall(r' id="([\w-]+)"', page))


@pytest.mark.parametrize("deck", User.Deck.values)
def test_a_deck_draws_forty_cards_with_and_without_indices_and_a_back(deck: str) -> None:
    drawn = (Path(settings.BASE_DIR) / "static" / "cards" / f"{deck}.svg").read_text()

    symbols = set(re.findall(r'<symbol id="([^"]+)"', drawn))

    assert {*NAMES, *(f"f-{name}" for name in NAMES), "back"} <= symbols
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(re.findall(r' id="([^"]+)"', drawn))


def test_the_page_with_all_it_needs_but_its_pictures_weighs_less_than_200_kb(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    page = signed_in(anna).get(f"/tavoli/{match.public_id}/").content
    root = Path(settings.BASE_DIR) / "static"
    named = set(re.findall(r"/static/((?:js|css)/[\w/.-]+\.(?:js|css))", page.decode()))
    assert {"js/table/main.js", "css/at_table.css"} <= named

    def read(name: str) -> str:
        return (root / name).read_text()

    whole = (join_imports(name, read) if name.endswith(".css") else read(name) for name in named)
    sent = [gzip.compress(body) for body in (page, *(text.encode() for text in whole))]
    assert sum(map(len, sent)) < 200_000


@pytest.mark.rule("L5", "W3")
def test_the_page_lists_who_plays_with_their_page_and_the_level_they_show(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    settle_match([anna, bruno], now, ruleset=match.ruleset)
    choose_audience(player=bruno, readers={"levels": "nobody"})
    level = read_levels([anna.pk], match.ruleset, "alone")[anna.pk]
    page = Client().get(f"/tavoli/{match.public_id}/")
    for player in (anna, bruno):
        assert f'href="/giocatori/{player.public_id}/" target="_blank"' in page.content.decode()
    assert read_attribute(page, "data-level") == [str(level)]


@pytest.mark.rule("N1", "W3")
def test_the_page_tells_the_running_deal_from_its_beginning_as_everybody_saw_it(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    for _ in range(3):
        now += timedelta(seconds=10)
        play(match, now)
    pasts = {}
    for player in (anna, bruno, carla):
        page = signed_in(player).get(f"/tavoli/{match.public_id}/").content.decode()
        hit = PAST.search(page)
        assert hit is not None
        pasts[player] = json.loads(hit[1])
    assert len(pasts[anna]["moments"]) == 4
    assert pasts[anna] == pasts[bruno] == pasts[carla]
    assert set(pasts[anna]["moments"][0]) == {"table", "turned", "piles", "last", "said"}
    late = table_views.build_past(again(match), selectors.LATE)
    assert late == {"deals": [], "moments": []}
