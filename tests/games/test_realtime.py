"""The socket of a table, over the real server and the real Redis: play, refusals, windows, watchers, lost hints."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY

from games import broadcast, selectors, table_views
from games.engine.game import Length
from games.engine.record import parse, replay
from games.models import Liveness, Match, Move
from games.outages import SWEEPER, WEB, record_beat
from games.realtime import hub
from games.realtime.protocol import CLOSE_FORBIDDEN, CLOSE_UNKNOWN
from games.services import playing as table_playing
from players.models import Player
from tests.support import live
from tests.support.live import Site
from tests.support.tables import again, legal, opened
from tests.support.waiting import until
from tests.support.wire import AtTable, Frame, at_table, on_site

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def quick_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same poll, more often; asked for before the site starts."""
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.05)


@pytest.fixture
def no_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody asks for what was missed; asked for before the site starts."""
    monkeypatch.setattr(hub, "POLL_SECONDS", 3600)


@pytest.fixture
def match(anna: Player, bruno: Player) -> Match:
    """Anna at seat 0 deals, Bruno leads."""
    return opened([anna, bruno], timezone.now())


@pytest.fixture
def annas(live_site: Site, match: Match, anna: Player) -> Iterator[AtTable]:
    with at_table(live_site, match, anna) as socket:
        socket.view()
        yield socket


@pytest.fixture
def brunos(live_site: Site, match: Match, annas: AtTable, bruno: Player) -> Iterator[AtTable]:
    with at_table(live_site, match, bruno) as socket:
        socket.view(playing)
        yield socket


def playing(view: Frame) -> bool:
    return view["status"] == "playing"


def test_who_opens_the_table_has_arrived_and_the_other_sees_it(
    live_site: Site, match: Match, anna: Player, bruno: Player
) -> None:
    with at_table(live_site, match, anna) as annas:
        view = annas.view(lambda view: view["seats"][0]["here"])
        assert (view["status"], view["seat"], view["seats"][1]["here"], view["turn"]) == ("waiting", 0, False, None)
        assert view["clock"]["noshow"] is not None
        with at_table(live_site, match, bruno) as brunos:
            assert brunos.view(playing)["legal"]
            assert annas.view(playing)["legal"] == []
            assert [len(hand["cards"]) for hand in annas.seen["hands"]] == [3, 0]
            assert [hand["count"] for hand in annas.seen["hands"]] == [3, 3]


@pytest.mark.parametrize("ruleset", ["scopa", "tresette"])
def test_two_people_play_a_whole_match_over_their_sockets(
    live_site: Site, anna: Player, bruno: Player, ruleset: str
) -> None:
    match = opened([anna, bruno], timezone.now(), ruleset=ruleset, length=Length("deals", 2), context="free")
    with at_table(live_site, match, anna) as annas, at_table(live_site, match, bruno) as brunos:
        sockets = [annas, brunos]
        version = max(socket.view(playing)["v"] for socket in sockets)
        while True:
            turn = sockets[0].seen["turn"]
            answer = sockets[turn].play()
            assert (answer["t"], answer["v"]) == ("ack", version + 1)
            version = answer["v"]
            for socket in sockets:
                if socket.seen["v"] < version:
                    socket.view(lambda view: view["v"] == version)  # noqa: B023
            if sockets[0].seen["status"] == "finished":
                break
        for seat, socket in enumerate(sockets):
            versions = [frame["v"] for frame in socket.frames if frame["t"] == "view"]
            assert versions == sorted(versions)
            assert all(frame["seat"] == seat for frame in socket.frames if frame["t"] == "view")
        assert annas.seen["previous"]["number"] == 2
        assert annas.seen["result"] == brunos.seen["result"]
        record = selectors.build_record(again(match))
        assert record is not None
        assert replay(parse(record)).progress.score == tuple(annas.seen["result"]["score"])


def test_every_refusal_has_a_code_words_and_the_current_version(annas: AtTable, brunos: AtTable, match: Match) -> None:
    version = brunos.seen["v"]
    illegal = brunos.play("play zz")
    assert (illegal["code"], illegal["v"]) == ("unreadable_move", version)
    assert illegal["message"]
    assert brunos.play("timeout")["code"] == "unknown_move"
    stale = brunos.play(version=version - 1)
    assert (stale["code"], stale["v"]) == ("stale", version)
    annas.view(lambda view: view["v"] == version)
    assert annas.play("play 7d")["code"] in {"not_your_turn", "card_not_in_hand"}
    unconfirmed = annas.ask({"t": "abandon", "id": "a", "confirm": False})
    assert (unconfirmed["code"], unconfirmed["v"]) == ("not_confirmed", version)
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    "frame",
    [
        "nonsense",
        "[]",
        '{"t": "move"}',
        '{"t": "move", "id": "x", "v": 1}',
        '{"t": "move", "id": "x", "v": 1, "move": 7}',
        '{"t": "move", "id": "x", "v": true, "move": "play 7d"}',
        '{"t": "move", "id": "x", "v": -1, "move": "play 7d"}',
        '{"t": "move", "id": "x", "v": 1, "move": "play 7d", "seat": 0}',
        '{"t": "move", "id": 5, "v": 1, "move": "play 7d"}',
        '{"t": "abandon", "id": "x", "confirm": 1}',
        '{"t": "abandon", "id": "x"}',
        '{"t": "sync"}',
        '{"t": "sing"}',
    ],
)
def test_junk_gets_an_error_and_changes_nothing(brunos: AtTable, match: Match, frame: str) -> None:
    before = again(match).version
    brunos.send(frame)
    error = brunos.until(lambda answer: answer["t"] == "error")
    assert error["code"] in {"malformed", "unknown"}
    brunos.answers()
    assert again(match).version == before


def test_a_move_sent_again_gets_its_first_answer(brunos: AtTable, annas: AtTable, match: Match) -> None:
    version, move = brunos.seen["v"], brunos.seen["legal"][0]["move"]
    first = brunos.play(move, version, "same")
    assert brunos.play(move, version, "same") == first
    assert Move.objects.filter(match=match).count() == 1


def test_every_move_and_its_answer_is_counted_whichever_way_it_went(brunos: AtTable, annas: AtTable) -> None:
    """Count refused moves among the answers: whoever runs the site sees how fast those are, too."""

    def count() -> tuple[float, ...]:
        names = ("smazzata_moves_total", "smazzata_ack_seconds_count")
        return tuple(REGISTRY.get_sample_value(name) or 0.0 for name in names)

    moves, answers = count()
    version, move = brunos.seen["v"], brunos.seen["legal"][0]["move"]
    assert brunos.play(move, version)["t"] == "ack"
    until(lambda: count() == (moves + 1, answers + 1), what="the first move to be counted")
    assert brunos.play(move, version)["t"] == "error"
    until(lambda: count() == (moves + 1, answers + 2), what="the refused one to be counted")


def test_abandoning_ends_the_match_for_both(brunos: AtTable, annas: AtTable) -> None:
    assert annas.ask({"t": "abandon", "id": "a", "confirm": True})["t"] == "ack"
    result = brunos.view(lambda view: view["status"] == "finished")["result"]
    assert (result["winner"], result["decided_by"]) == (1, "abandon")
    assert brunos.play("play 7d")["code"] in {"finished", "stale"}


def test_the_newest_window_takes_the_seat(live_site: Site, match: Match, bruno: Player, brunos: AtTable) -> None:
    with at_table(live_site, match, bruno) as newer:
        newer.view()
        brunos.until(lambda frame: frame["t"] == "replaced")
        assert brunos.play()["code"] == "replaced"
        assert newer.play()["t"] == "ack"
        assert brunos.view(lambda view: view["turn"] == 0)["seat"] == 1  # it may still look


def test_a_watcher_sees_no_hand_and_plays_none(live_site: Site, match: Match, brunos: AtTable, carla: Player) -> None:
    for person in (carla, None):
        with at_table(live_site, match, person) as watcher:
            view = watcher.view(playing)
            assert view["seat"] is None
            assert [hand["cards"] for hand in view["hands"]] == [[], []]
            assert view["legal"] == []
            assert watcher.ask({"t": "move", "id": "w", "v": view["v"], "move": "play 7d"})["code"] == "not_seated"
            assert watcher.ask({"t": "abandon", "id": "w", "confirm": True})["code"] == "not_seated"


def test_who_may_not_watch_is_turned_away(
    live_site: Site, match: Match, brunos: AtTable, carla: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "_policies", list(selectors._policies))
    selectors.register_watch_policy(
        lambda match, player, now: selectors.Watching.LIVE if player is None else selectors.Watching.REFUSED
    )
    with at_table(live_site, match, carla) as refused:
        assert refused.closing_code() == CLOSE_FORBIDDEN
        assert refused.frames == []
    with at_table(live_site, match) as visitor:
        visitor.view()
    brunos.answers()


def test_there_is_no_such_table(live_site: Site, anna: Player) -> None:
    with at_table(live_site, "2222222222", anna) as socket:
        assert socket.closing_code() == CLOSE_UNKNOWN


def test_who_says_what_they_have_gets_a_view(brunos: AtTable) -> None:
    version = brunos.seen["v"]
    brunos.send({"t": "sync", "v": 0})
    assert brunos.view()["v"] == version


def test_clocks_are_set_by_the_servers_hour(brunos: AtTable) -> None:
    clock, now = brunos.seen["clock"], brunos.seen["now"]
    assert clock["left"] == [600_000, 600_000]
    assert clock["ends"] - clock["from"] == 30_000
    assert now <= clock["ends"]
    brunos.send({"t": "ping", "c": 123})
    pong = brunos.until(lambda frame: frame["t"] == "pong")
    assert (pong["c"], pong["now"] >= now) == (123, True)


def test_an_overdue_table_is_settled_by_who_looks_at_it(live_site: Site, match: Match, brunos: AtTable) -> None:
    """Point 4: there is no worker here."""
    Match.objects.filter(pk=match.pk).update(deadline_at=timezone.now() - timedelta(seconds=1))
    with at_table(live_site, match) as watcher:
        assert watcher.view()["result"]["decided_by"] == "timeout"
    assert again(match).settled_at is not None


def test_a_view_whose_hint_was_lost_comes_all_the_same(
    quick_poll: None, match: Match, annas: AtTable, brunos: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Point 7: hints may be lost. This one is never sent; the poll of the process finds the version."""
    # A view may come as soon as Bruno has arrived, just before the window has taken the seat.
    until(lambda: all(again(match).controls), what="both windows to control their seats")
    monkeypatch.setattr(broadcast, "publish", lambda group, message: None)
    current = again(match)
    table_playing.play_move(
        match_id=match.pk,
        seat=1,
        control=current.controls[1],
        text=legal(match)[0],
        client_id=None,
        version=current.version,
        now=timezone.now,
    )
    for socket in (annas, brunos):
        socket.view(lambda view: view["v"] == current.version + 1)


def test_an_outage_made_good_shows_at_the_same_version(
    quick_poll: None, match: Match, annas: AtTable, brunos: AtTable
) -> None:
    shown = brunos.seen
    later = again(match).deadline_at
    assert later is not None
    Match.objects.filter(pk=match.pk).update(deadline_at=later + timedelta(seconds=7), extension_ms=7000)
    moved = brunos.view(lambda view: view["clock"] != shown["clock"])
    assert moved["v"] == shown["v"]
    assert moved["clock"]["from"] - shown["clock"]["from"] == moved["clock"]["ends"] - shown["clock"]["ends"] == 7000


def test_a_table_that_opens_is_shown_on_every_page_of_its_players(live_site: Site, anna: Player, bruno: Player) -> None:
    """Notices of an open table reach every page (W1)."""
    with on_site(live_site, "/ws/persona/", anna) as page, on_site(live_site, "/ws/persona/", anna) as other:
        for socket in (page, other):
            socket.until(lambda frame: frame["t"] == "hello")
        match = opened([anna, bruno], timezone.now())
        for socket in (page, other):
            notice = socket.until(lambda frame: frame["t"] == "table")
            assert notice["url"] == f"/tavoli/{match.public_id}/"
            assert notice["title"] == "Finale"


def test_a_page_that_comes_to_listen_is_told_of_the_table_where_its_person_is_awaited(
    live_site: Site, anna: Player, bruno: Player
) -> None:
    """A table that opens while a page is on its way is called there, too (W1)."""
    match = opened([anna, bruno], timezone.now())
    assert match.noshow_at is not None
    table = {"url": f"/tavoli/{match.public_id}/", "title": "Finale", "until": match.noshow_at.isoformat()}
    greeting = {"t": "hello", "table": table}
    with on_site(live_site, "/ws/persona/", anna) as page:
        assert page.until(lambda frame: frame["t"] == "hello") == greeting
    with at_table(live_site, match, anna) as annas:
        annas.view()
        with on_site(live_site, "/ws/persona/", anna) as page:
            assert page.until(lambda frame: frame["t"] == "hello") == {"t": "hello"}


def test_of_several_windows_the_one_that_came_last_is_left_in_control(
    live_site: Site, match: Match, bruno: Player, brunos: AtTable
) -> None:
    with ExitStack() as open_windows:
        windows = [brunos]
        for _ in range(2):
            windows.append(open_windows.enter_context(at_table(live_site, match, bruno)))
            windows[-2].until(lambda frame: frame["t"] == "replaced")  # the one that has just opened sits there now
        last = windows[-1]
        last.view()
        assert last.play()["t"] == "ack"
        assert not any(frame["t"] == "replaced" for frame in last.frames)
        until(lambda: Move.objects.filter(match=match).count() == 1, what="the move")


def test_a_web_server_gives_signs_of_life_from_its_start_to_its_end(
    transactional_db: None, anna: Player, bruno: Player
) -> None:
    """Point 5: what it was away for is made good before anybody is served."""
    away = timezone.now() - timedelta(seconds=60)
    Liveness.objects.create(kind=WEB, beat_at=away)
    match = opened([anna, bruno], away)
    due = match.noshow_at
    assert due is not None
    with live.web_thread():
        extended = again(match).noshow_at
        assert extended is not None
        assert extended - due >= timedelta(seconds=60)
        assert Liveness.objects.get(kind=WEB).beat_at > away
        assert "heart-web" in {thread.name for thread in threading.enumerate()}
    assert "heart-web" not in {thread.name for thread in threading.enumerate()}


def test_the_clock_shown_is_put_right_as_soon_as_an_outage_is_over(no_poll: None, brunos: AtTable) -> None:
    before = brunos.seen["clock"]["ends"]
    now = timezone.now()
    record_beat(SWEEPER, now - timedelta(seconds=10))
    assert record_beat(SWEEPER, now) == timedelta(seconds=10)
    version = brunos.seen["v"]
    assert brunos.view(lambda view: view["clock"]["ends"] > before)["v"] == version


def test_a_move_that_is_made_is_answered_once_whatever_becomes_of_its_view(
    match: Match, annas: AtTable, brunos: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("nothing can be shown")

    monkeypatch.setattr(table_views, "encode_committed", fail)
    version = brunos.seen["v"]
    assert brunos.play(about="once")["t"] == "ack"
    for socket in (brunos, annas):
        socket.showing(lambda view: view["v"] > version)
        assert [frame for frame in socket.answers().frames if frame["t"] == "error"] == []
