"""Late views of a running tournament match: the deal before the running one, and nothing of this one (W3, N4).

How many of its cards were played is all that two running deals may differ in for such a reader.
"""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import chat, late_deals, selectors, table_views
from games.engine.cards import CARDS
from games.engine.game import Length
from games.engine.record import Json
from games.models import ChatLine, Deal, Match
from games.selectors import LATE
from players.models import Player
from tests.games.hidden import MOVE_CARD, read_position
from tests.support.live import Site
from tests.support.tables import again, legal, play, seated
from tests.support.thorough import tries
from tests.support.wire import at_table

pytestmark = pytest.mark.django_db

RULESETS = ("scopa", "tresette")


def late(match: Match) -> Json:
    view: Json = json.loads(table_views.encode_views(match.pk, [LATE]).by_seat[LATE])
    return view


def spectated(match: Match) -> Json:
    view: Json = json.loads(table_views.encode_views(match.pk, [None]).by_seat[None])
    return view


def play_any(match: Match, now: datetime, dice: random.Random) -> None:
    """Play any card that may be played."""
    play(match, now, dice.choice([move for move in legal(match) if move.startswith("play ")]))


def play_deal(match: Match, now: datetime, dice: random.Random) -> Iterator[None]:
    """Play the running deal to its end, yielding after each move but the last."""
    number = Deal.objects.filter(match=match).count()
    while True:
        play_any(match, now, dice)
        if again(match).status == Match.Status.FINISHED or Deal.objects.filter(match=match).count() > number:
            return
        yield


def begin(players: list[Player], now: datetime, ruleset: str, deals: int = 3, deck: str | None = None) -> Match:
    length = Length("deals", deals)
    return seated(players, now, deck, ruleset=ruleset, length=length, turn_timeout=None, match_clock=None)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_late_view_is_what_spectators_saw_one_deal_ago_w3(
    anna: Player, bruno: Player, now: datetime, ruleset: str
) -> None:
    """Not an invention: each late view was a spectator's in its time, but for clocks and what hasn't changed since."""
    match, dice = begin([anna, bruno], now, ruleset), random.Random(ruleset)
    once = {spectated(match)["v"]: spectated(match)}
    for _ in play_deal(match, now, dice):
        once[again(match).version] = spectated(match)
    versions = []
    for _ in play_deal(match, now, dice):
        view = late(match)
        versions.append(view["v"])
        before = once[view["v"]]
        assert view == {**before, "late": True, "clock": view["clock"], "opening": None}
        assert {**view["clock"], "extra": None} == dict.fromkeys(view["clock"])
    assert versions == sorted(versions)
    assert len(set(versions)) > 10


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_running_deal_changes_no_byte_but_by_the_number_of_its_cards_n4(
    anna: Player, bruno: Player, now: datetime, ruleset: str
) -> None:
    assert count_telling([anna, bruno], now, ruleset) == 0


def test_a_late_view_that_peeps_is_caught_n4(
    anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    with planted_peep(monkeypatch):
        assert count_telling([anna, bruno], now, "scopa") > 0


@contextmanager
def planted_peep(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The late view says how many cards lie on the running deal's table."""
    honest = table_views._build_late_view

    def peeping(match: Match, position: object) -> Json:
        table = spectated(match)["table"]
        return {**honest(match, position), "stock": len(table)}  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(table_views, "_build_late_view", peeping)
        yield


def count_telling(players: list[Player], now: datetime, ruleset: str) -> int:
    """Play the second deal of one match with other cards and moves; how often late views differ at as many cards."""
    match, dice = begin(players, now, ruleset), random.Random(f"late {ruleset}")
    for _ in play_deal(match, now, dice):
        assert not MOVE_CARD.search(json.dumps({**late(match), "shuffle": None})), "no deal is over"
    first = late(match)
    running = Deal.objects.get(match=match, finished=False)
    start = again(match)
    differing = 0
    seen: dict[int, str] = {}
    for _ in range(tries(3, 20)):
        mixed = dice.sample(list(CARDS), len(CARDS))
        Deal.objects.filter(pk=running.pk).update(deck="".join(mixed))
        running.moves.all().delete()
        start.save()
        table_views.clear_caches()
        if spectated(match)["deal"] is None:
            continue  # these cards would be void
        for _ in range(12):
            if Deal.objects.filter(match=match).count() > running.number + 1:
                break
            view = table_views.encode_views(match.pk, [LATE]).by_seat[LATE]
            remaining = late_deals.count_remaining(selectors.load_progress(again(match)))
            differing += seen.setdefault(remaining, view) != view
            play_any(match, now, dice)
        Deal.objects.filter(match=match, number__gt=running.number).delete()
        Deal.objects.filter(pk=running.pk).update(finished=False, void=False)
    assert len(seen) > 5
    assert first["deal"]["number"] == 1
    return differing


def test_a_match_of_one_deal_is_seen_when_it_is_over_w3(anna: Player, bruno: Player, now: datetime) -> None:
    dice = random.Random(3)
    match = begin([anna, bruno], now, "scopa", deals=1, deck=" ".join(dice.sample(list(CARDS), len(CARDS))))
    seen = []
    for _ in play_deal(match, now, dice):
        seen.append(late(match))
    assert all(view == seen[0] for view in seen)
    assert (seen[0]["status"], seen[0]["late"], seen[0]["table"]) == ("waiting", True, [])
    assert all(place["here"] for place in seen[0]["seats"]), "it waits for nobody: so the page knows that it is played"
    over = late(match)
    assert (over["status"], over["late"], over["result"] is None) == ("finished", False, False)
    assert over == {**spectated(match), "late": False}


def test_who_watches_late_reads_the_chat_as_late_and_says_nothing_w3(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = begin([anna, bruno], now, "scopa")

    def say(text: str, at: datetime) -> None:
        chat.say(match_id=match.pk, seat=0, text=text, client_id=text, now=at)

    def read() -> list[str]:
        return [line.text for line in chat.read_recent(match.pk).list_new(0, None, late=True)]

    Deal.objects.filter(match=match).update(dealt_at=now)
    say("prima", now - timedelta(minutes=1))
    say("durante", now + timedelta(seconds=1))
    assert read() == ["prima"]
    assert [line.text for line in chat.read_recent(match.pk).list_new(0, None)] == ["prima", "durante"]
    for _ in play_deal(match, now + timedelta(minutes=1), random.Random(4)):
        pass
    assert read() == ["prima", "durante"]


@pytest.fixture
def late_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "_policies", [lambda match, player, now: selectors.Watching.LATE])


@pytest.mark.django_db(transaction=True)
def test_socket_and_page_of_a_visitor_are_late_and_say_so_w3(
    late_for_all: None, live_site: Site, anna: Player, bruno: Player, client: Client
) -> None:
    match = begin([anna, bruno], timezone.now(), "scopa")
    dice = random.Random(5)
    with at_table(live_site, match, None) as visitor:
        assert visitor.view()["status"] == "waiting"
        for number in (1, 2):
            for _ in play_deal(match, timezone.now(), dice):
                pass
            body = client.get(reverse("table", args=[match.public_id])).content.decode()
            first = json.loads(body.partition('id="table-first"')[2].partition(">")[2].partition("<")[0])
            assert (first["late"], first["deal"]["number"]) == (True, number)
            assert 'data-notice="late"' in body
            assert visitor.view(lambda view: view["deal"] == first["deal"])["late"]  # noqa: B023
        assert visitor.ask({"t": "chat", "id": "a", "text": "Ciao"})["code"] in {"not_seated", "chat_late"}
        assert not ChatLine.objects.exists()
        deal, _moves = read_position(match)
        assert all(
            frame["deal"] is None or frame["deal"]["number"] <= deal.number
            for frame in visitor.frames
            if frame["t"] == "view"
        )
