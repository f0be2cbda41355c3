"""The time to call before a deal's first card (C2, C5): the same for everybody, whatever the hand."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games import bots, outages, selectors, table_views
from games.clocks import HOUSE_CALLS, HOUSE_PATIENCE
from games.engine.game import GameMove, IllegalMove, Length, View
from games.engine.record import parse, replay
from games.models import Deal, Match, Move
from games.services import errors, playing, seating
from games.sweep import Sweep
from players.models import Player
from tests.support.decks import dealt, load
from tests.support.tables import CONTROLS, again, opened, play, play_out, seated

pytestmark = [pytest.mark.django_db]

CLASSICO = {"ruleset": "tressette-classico", "length": Length("points", 21), "first_dealer": 3}
HONOURS = {**CLASSICO, "length": Length("points", 31), "options": {"onori": True}}
WINDOW = timedelta(seconds=5)
GRACE = timedelta(milliseconds=500)

POOR = "4d 5d 6d 7d 4c 5c 6c 7c 4b 5b"  # worth nothing
NAPOLETANA = "3s 2s As 6b 7b 4s 5s 6s 7s Fs"
THREES = "3d 3c 3b Rd Rc Rb Rs Cd Cc Cb"
PLAIN = "4d 5d 6d 7d 4c 5c 6c 7c Ab 2c"  # a point, and nothing to say
QUIET = ("3d 2c Ab", "3c 2b As", "3b 2s Ad", "3s 2d Ac")
WHOLE = "Ad 2d 3d 4d 5d 6d 7d Fd Cd Rd"


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


def record(match: Match) -> list[str]:
    return list(Move.objects.filter(match=match).order_by("version").with_results().values_list("text", flat=True))


def say(match: Match, seat: int, call: str, now: datetime, **changed: Any) -> playing.Ack:
    return play(match, now, call, seat=seat, **changed)


def frame(match: Match, seat: int | None, now: datetime) -> dict[str, Any]:
    return table_views.build_table_view(match, seat, now)


@pytest.mark.rule("C2", "C5", "G8")
@pytest.mark.parametrize("hands", [(POOR, "", "", ""), (NAPOLETANA, THREES, "", ""), ("", "", "", WHOLE)])
def test_the_first_card_waits_five_seconds_whatever_the_hands_and_its_clock_too(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch, hands: tuple[str, ...]
) -> None:
    load(monkeypatch, dealt(*hands))
    match = seated(four, now, **HONOURS)
    begun = again(match)
    until = now + WINDOW
    assert (begun.opening_until, begun.turn_from, begun.turn_seat) == (until, until, 0)
    assert begun.deadline_at == until + timedelta(seconds=30)
    shown = {seat: frame(match, seat, now)["opening"] for seat in (0, 1, 2, 3, None)}
    assert set(map(str, shown.values())) == {str({"until": round(until.timestamp() * 1000)})}
    card = next(move["move"] for move in frame(match, 0, now)["legal"] if move["verb"] == "play")
    for early in (now, until - timedelta(milliseconds=1)):
        with pytest.raises(errors.CallsOpen):
            play(match, early, card)
    play(match, until, card)
    after = again(match)
    assert (after.opening_until, after.clocks_ms) == (None, [600_000] * 4)
    assert frame(match, 1, now)["opening"] is None


@pytest.mark.rule("C2", "G3", "G5")
def test_a_redeal_is_dealt_again_by_the_same_dealer_with_a_time_of_its_own(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(monkeypatch, dealt("", "", POOR, ""), dealt("", "", "", ""))
    match = seated(four, now, **CLASSICO)
    assert [move["verb"] for move in frame(match, 2, now)["legal"]] == ["redeal"]
    for other in (1, 3, None):
        assert frame(match, other, now)["legal"] == []
    then = now + timedelta(seconds=3)
    ack = say(match, 2, "redeal", then, client_id="again")
    assert ack == playing.Ack("again", again(match).version)
    deals = list(Deal.objects.filter(match=match))
    assert [(deal.number, deal.dealer, deal.void, deal.finished) for deal in deals] == [
        (0, 3, True, True),
        (1, 3, False, False),
    ]
    after = again(match)
    assert (after.opening_until, after.turn_from, after.turn_seat) == (then + WINDOW, then + WINDOW, 0)
    assert frame(match, 1, now)["deal"] == {"number": 1, "dealer": 3, "tie_break": 0, "redealt": {"seat": 2}}
    table_views.clear_caches()
    assert frame(match, None, now)["deal"]["redealt"] == {"seat": 2}
    assert (frame(match, 2, now)["score"], frame(match, 2, now)["previous"]) == ([0, 0], None)
    monkeypatch.undo()
    play_out(match, then)
    written = selectors.build_record(again(match))
    assert written is not None
    assert written["deals"][0]["moves"] == ["2 redeal"]
    assert replay(parse(written)).progress.outcome is not None


@pytest.mark.rule("C2")
def test_cards_worth_a_point_are_not_redealt_and_nothing_is_after_the_time(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(monkeypatch, dealt("", "", POOR, ""))
    match = seated(four, now, **CLASSICO)
    with pytest.raises(IllegalMove) as refused:
        say(match, 1, "redeal", now)
    assert refused.value.code == "hand_worth_a_point"
    for seat in (1, 2):  # the hour says the same to everybody
        with pytest.raises(errors.WindowOver):
            say(match, seat, "redeal", now + WINDOW + GRACE)
    assert record(match) == []
    say(match, 2, "redeal", now + WINDOW + GRACE - timedelta(milliseconds=1))
    assert record(match) == ["2 redeal"]


@pytest.mark.rule("C5")
def test_a_collatondrione_wins_the_match_at_once_with_its_stakes(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(monkeypatch, dealt("", "", "", WHOLE))
    match = seated(four, now, **HONOURS)
    with pytest.raises(errors.WindowOver):
        say(match, 3, "collatondrione", now + WINDOW + GRACE)
    say(match, 3, "collatondrione", now + timedelta(seconds=1))
    over = again(match)
    assert (over.winner, over.decided_by, over.stakes_0, over.stakes_1) == (1, "collatondrione", 0, 16)
    assert over.opening_until is None
    shown = frame(match, None, now)
    assert shown["result"]["stakes"] == [0, 16]
    calls = [(call["seat"], call["verb"], len(call["cards"])) for call in shown["previous"]["said"]]
    assert calls == [(3, "collatondrione", 10)]  # everybody reads who, and which cards


@pytest.mark.rule("C4")
def test_good_play_is_said_out_of_turn_and_the_system_accuses_between_the_tricks(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(monkeypatch, dealt("", THREES, NAPOLETANA, ""))
    match = seated(four, now, **HONOURS)
    before = again(match)
    then = now + WINDOW + timedelta(seconds=4)
    say(match, 2, "buongioco", then)
    say(match, 1, "buongioco", then, version=before.version)  # two at the same moment: neither is too late
    after = again(match)
    fields = ("turn_seat", "turn_from", "deadline_at", "clocks_ms", "opening_until")
    assert [getattr(after, name) for name in fields] == [getattr(before, name) for name in fields]
    for _ in range(4):
        play(match, then)
    written = record(match)
    assert written[:2] == ["2 buongioco", "1 buongioco"]
    leader = again(match).turn_seat
    assert leader is not None
    accuses = {1: "1 accuso 3x3", 2: "2 accuso napoletana:s"}
    order = [accuses[(leader + step) % 4] for step in range(4) if (leader + step) % 4 in accuses]
    assert written[-2:] == order
    calls = frame(match, 3, now)["said"]
    assert {(call["seat"], call["verb"], tuple(sorted(call["cards"]))) for call in calls} == {
        (1, "buongioco", ()),
        (2, "buongioco", ()),
        (1, "accuso", ("3b", "3c", "3d")),
        (2, "accuso", ("2s", "3s", "As")),
    }


@pytest.mark.rule("C4")
def test_a_call_from_before_these_cards_is_stale(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(monkeypatch, dealt(POOR, THREES, NAPOLETANA, ""))
    match = seated(four, now, **HONOURS)
    before = again(match).version
    say(match, 0, "redeal", now)
    with pytest.raises(errors.Stale):
        say(match, 1, "buongioco", now, version=before)
    with pytest.raises(errors.Stale):
        say(match, 1, "buongioco", now, version=again(match).version + 1)
    say(match, 1, "buongioco", now, client_id="gj")
    first = again(match).version
    say(match, 2, "buongioco", now)
    assert say(match, 1, "buongioco", now, client_id="gj", version=first - 1).version == first


@pytest.mark.rule("C3")
def test_a_signal_goes_out_with_its_card(four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, dealt("3d 2d Ad Rd Cd 4s 5c 6c 4b 5b", "", "", ""))
    match = seated(four, now, **{**CLASSICO, "options": {"segnali": "due"}})
    then = now + WINDOW
    play(match, then, "play 3d")
    for _ in range(3):
        play(match, then)
    legal = frame(match, 0, now)["legal"]
    cards = {move["arg"]: move["goes_with"] for move in legal if move["verb"] == "signal"}
    assert cards["volo"] == ["4s"]
    assert len(cards["busso"]) == 9
    with pytest.raises(errors.GoesWithCard):
        play(match, then, "signal busso")
    with pytest.raises(IllegalMove) as refused:
        play(match, then, "play 2d", calls=["signal volo"])
    assert refused.value.code == "volo_not_last"
    play(match, then, "play 4s", calls=["signal volo"])
    assert record(match)[-2:] == ["0 signal volo", "0 play 4s"]


@pytest.mark.rule("C2", "C5")
def test_after_a_deal_the_time_begins_once_the_count_was_read(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = seated(four, now, **CLASSICO)
    at = now + WINDOW
    while Deal.objects.filter(match=match, finished=True, void=False).count() == 0:
        play(match, at)
    current = again(match)
    if current.status == Match.Status.PLAYING:
        assert current.opening_until == at + timedelta(seconds=8) + WINDOW
        assert current.turn_from == current.opening_until


def call_everything(_ruleset: str, view: View) -> tuple[GameMove, ...]:
    return tuple(move for move in view.legal if move.verb != "play")


@pytest.mark.rule("C2", "C4", "C5")
def test_the_house_calls_at_one_instant_whatever_it_holds(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The instant is set for a hand that calls and for one that doesn't; the sweep makes the call (N3)."""
    Player.objects.exclude(pk=four[0].pk).update(kind=Player.Kind.HOUSE)
    players = [Player.objects.get(pk=player.pk) for player in four]
    monkeypatch.setattr(bots, "choose_quickly", call_everything)
    for hands, calls in ((QUIET, []), (("", THREES, NAPOLETANA, PLAIN), ["1 buongioco", "2 buongioco"])):
        load(monkeypatch, dealt(*hands))
        match = opened(players, now, **HONOURS)
        seating.sit_down(match_id=match.pk, player_id=four[0].pk, token="", now=now)
        seating.sit_down(match_id=match.pk, player_id=four[0].pk, token=CONTROLS[0], now=now)
        due = now + WINDOW - HOUSE_CALLS
        assert again(match).bot_due_at == due
        Sweep(lambda due=due: due - timedelta(milliseconds=1)).round()  # type: ignore[misc]
        assert record(match) == []
        Sweep(lambda due=due: due).round()  # type: ignore[misc]
        assert record(match) == calls
        assert again(match).bot_due_at is None
        playing.abandon(match_id=match.pk, seat=0, control=CONTROLS[0], confirm=True, client_id=None, now=due)


@pytest.mark.rule("C2")
def test_a_house_player_has_cards_redealt(four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    Player.objects.update(kind=Player.Kind.HOUSE)
    monkeypatch.setattr(bots, "choose_quickly", call_everything)
    load(monkeypatch, dealt("", POOR, NAPOLETANA, ""), dealt("", "", "", ""))
    match = opened(list(Player.objects.all()), now, **CLASSICO)
    due = now + WINDOW - HOUSE_CALLS
    Sweep(lambda: due).round()
    assert record(match) == ["1 redeal"]
    assert again(match).bot_due_at == due + WINDOW - HOUSE_CALLS


@pytest.mark.rule("C2")
def test_a_house_player_that_comes_too_late_says_nothing_and_plays(
    four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.update(kind=Player.Kind.HOUSE)

    def choose(_: str, view: Any) -> tuple[GameMove, ...]:
        first = {move.verb: move for move in reversed(view.legal)}
        return tuple(first[verb] for verb in ("redeal", "play") if verb in first)

    monkeypatch.setattr(bots, "choose_quickly", choose)
    load(monkeypatch, dealt("", POOR, NAPOLETANA, ""))
    match = opened(list(Player.objects.all()), now, **HONOURS)
    late = now + WINDOW + GRACE
    Sweep(lambda: late).round()
    assert record(match) == []
    due = again(match).bot_due_at
    assert due is not None
    assert due > late
    Sweep(lambda: due + HOUSE_PATIENCE).round()
    assert [text.split()[:2] for text in record(match)] == [["0", "play"]]


@pytest.mark.rule("C2")
def test_an_outage_gives_the_time_back(four: list[Player], now: datetime) -> None:
    outages.record_beat(outages.SWEEPER, now)
    match = seated(four, now, **CLASSICO)
    back = now + timedelta(seconds=4)
    outages.record_beat(outages.SWEEPER, back)
    after = again(match)
    assert after.opening_until == after.turn_from == back + WINDOW
    assert after.deadline_at == back + WINDOW + timedelta(seconds=30)
    much_later = back + timedelta(seconds=20)
    outages.record_beat(outages.SWEEPER, much_later)  # the window ends in it: it begins anew, once somebody can call
    assert again(match).opening_until == much_later + WINDOW
    quiet = much_later + WINDOW + timedelta(seconds=1)
    for second in range(1, 7):
        outages.record_beat(outages.SWEEPER, much_later + timedelta(seconds=second))
    assert again(match).opening_until == much_later + WINDOW
    outages.record_beat(outages.SWEEPER, quiet + timedelta(seconds=10))
    last = again(match)
    assert last.opening_until == much_later + WINDOW  # an outage in the turn itself is the clock's affair
    assert last.extension_ms == 10_000
