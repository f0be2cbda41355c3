"""Calls at a live table: those the system makes (X1), those that go out with a card (T10), those one makes oneself."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import selectors, table_views
from games.engine.game import IllegalMove, Length
from games.engine.record import parse, replay
from games.models import Deal, Match, Move
from games.services import errors, playing, preferences, seating, settlement
from players.models import Player, User
from tests.support.decks import dealt, load
from tests.support.people import take_house
from tests.support.tables import CONTROLS, again, play, seated

pytestmark = [pytest.mark.django_db]

# Seat 0 leads (the last deals): three threes and the napoletana di denari; seat 1 three aces; seat 2 nothing.
ANNA = "3d 2d Ad 3c 3b 4d 5d 6d 7d 4c"
BRUNO = "Ac Ab As 5c 6c 7c 4b 5b 6b 7b"
ACCUSO = {"ruleset": "tresette", "options": {"accuso": True}, "first_dealer": 3, "length": Length("points", 31)}
DECLARING = {"ruleset": "tresette", "options": {"dichiarazioni": True}, "first_dealer": 3, "match_clock": 600}


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


@pytest.fixture
def three_threes(monkeypatch: pytest.MonkeyPatch) -> None:
    load(monkeypatch, dealt(ANNA, BRUNO, "", ""))


def record(match: Match) -> list[str]:
    return list(Move.objects.filter(match=match).order_by("version").with_results().values_list("text", flat=True))


def by_hand(player: Player, *verbs: str) -> None:
    User.objects.filter(player=player).update(**{f"auto_{verb}": False for verb in verbs})


def wish(match: Match, now: datetime, *automatic: str, seat: int = 0, control: str | None = None) -> playing.Ack:
    return preferences.choose_automatic(
        match_id=match.pk,
        seat=seat,
        control=CONTROLS[seat] if control is None else control,
        automatic=automatic,
        client_id="wish",
        now=now,
    )


def frame(match: Match, seat: int | None, now: datetime) -> dict[str, Any]:
    return table_views.build_table_view(match, seat, now)


# --- Made by the system ----------------------------------------------------------------------------------------------


@pytest.mark.rule("X1", "T5")
def test_an_accuso_is_called_at_the_instant_its_turn_comes(
    four: list[Player], now: datetime, three_threes: None
) -> None:
    match = seated(four, now, **ACCUSO)
    assert record(match) == ["0 accuso 3x3+napoletana:d"]
    then = now + timedelta(seconds=3)
    ack = play(match, then, "play 4d", client_id="card")
    assert record(match)[1:] == ["0 play 4d", "1 accuso 3xA"]
    assert set(Move.objects.filter(version__gt=ack.version - 2).values_list("played_at", flat=True)) == {then}
    current = again(match)
    assert (ack.version, current.version) == (current.version, ack.version)  # one action, one answer: the last version
    view = frame(match, 3, now)
    assert view["credited"] == [6, 3]
    assert [(call["seat"], call["arg"]) for call in view["said"]] == [(0, "3x3+napoletana:d"), (1, "3xA")]
    assert (current.turn_seat, current.turn_from, current.deadline_at) == (1, then, then + timedelta(seconds=30))


@pytest.mark.rule("X1", "T5")
def test_who_calls_by_hand_is_not_called_for(four: list[Player], now: datetime, three_threes: None) -> None:
    by_hand(four[0], "accuso")
    match = seated(four, now, **ACCUSO)
    assert record(match) == []
    view = frame(match, 0, now)
    assert view["automatic"] == ["out", "declare"]
    assert [move["arg"] for move in view["legal"] if move["verb"] == "accuso"] == [
        "3x3", "napoletana:d", "3x3+napoletana:d",
    ]  # fmt: skip
    assert [move for move in frame(match, 1, now)["legal"] if move["verb"] == "accuso"] == []
    assert frame(match, 1, now)["automatic"] == ["out", "accuso", "declare"]
    assert frame(match, None, now)["automatic"] == []
    before, then = again(match), now + timedelta(seconds=4)
    play(match, then, "accuso napoletana:d")
    after = again(match)
    assert (after.turn_seat, after.turn_from, after.deadline_at) == (0, before.turn_from, before.deadline_at)
    assert after.clocks_ms == before.clocks_ms
    play(match, then, "play 4d")
    assert again(match).clocks_ms[0] == 596_000  # the call cost nothing and gave nothing
    assert record(match) == ["0 accuso napoletana:d", "0 play 4d", "1 accuso 3xA"]


@pytest.mark.rule("X1", "T5")
def test_switched_on_in_ones_first_turn_it_is_called_then(
    four: list[Player], now: datetime, three_threes: None
) -> None:
    by_hand(four[0], "accuso", "out")
    match = seated(four, now, **ACCUSO)
    before = again(match)
    ack = wish(match, now, "accuso", "declare")
    assert record(match) == ["0 accuso 3x3+napoletana:d"]
    after = again(match)
    assert (ack.version, after.version) == (before.version + 1, before.version + 1)
    assert (after.turn_from, after.deadline_at) == (before.turn_from, before.deadline_at)
    assert wish(match, now, "accuso", "declare").version == after.version
    user = User.objects.get(player=four[0])
    assert (user.auto_out, user.auto_accuso, user.auto_declare) == (False, True, True)  # it is the profile's preference
    wish(match, now, "declare", seat=1)
    play(match, now, "play 4d")
    assert record(match) == ["0 accuso 3x3+napoletana:d", "0 play 4d"]


@pytest.mark.rule("X1")
def test_a_preference_is_the_newest_windows_and_changes_no_version(four: list[Player], now: datetime) -> None:
    match = seated(four, now, **DECLARING)
    with pytest.raises(errors.Replaced):
        wish(match, now, "out", control="older")
    before = again(match)
    theirs = table_views.encode_views(match.pk, [1, None])
    wish(match, now, "out")
    assert again(match).version == before.version
    assert frame(match, 0, now)["automatic"] == ["out"]
    assert table_views.encode_views(match.pk, [1, None]).by_seat == theirs.by_seat  # nobody else's business
    assert table_views.encode_views(match.pk, [1]).key != theirs.key  # but the pages look again


@pytest.mark.rule("X1", "T9")
@pytest.mark.parametrize("automatic", [True, False])
def test_calling_out_ends_the_match_with_the_trick(
    four: list[Player], now: datetime, three_threes: None, automatic: bool
) -> None:
    if not automatic:
        by_hand(four[0], "out")
    options = {"accuso": True, "vinco_subito": True}
    match = seated(four, now, **{**ACCUSO, "options": options, "length": Length("points", 6)})
    play(match, now, "play 3d")
    for _ in range(3):
        play(match, now)
    if not automatic:
        assert again(match).status == Match.Status.PLAYING
        assert "out" in [move["move"] for move in frame(match, 0, now)["legal"]]
        assert frame(match, 2, now)["legal"] == []  # Bruno's partner didn't take the trick
        play(match, now, "out")
    over = again(match)
    assert (over.winner, over.decided_by, over.status) == (0, "called_out", "finished")
    assert record(match)[-1] == "0 out"
    view = frame(match, 1, now)
    assert view["result"]["decided_by"] == "called_out"
    assert view["result"]["stakes"] == [1, 0]
    assert view["previous"]["points"] == view["score"]
    assert Deal.objects.get(match=match).finished
    written = selectors.build_record(over)
    assert written is not None
    assert replay(parse(written)).progress.outcome is not None


@pytest.mark.rule("X1", "T9")
def test_switched_on_after_the_trick_it_calls_out_then(four: list[Player], now: datetime, three_threes: None) -> None:
    by_hand(four[0], "out")
    options = {"accuso": True, "vinco_subito": True}
    match = seated(four, now, **{**ACCUSO, "options": options, "length": Length("points", 6)})
    play(match, now, "play 3d")
    for _ in range(3):
        play(match, now)
    wish(match, now, "out", "accuso", "declare")
    assert again(match).decided_by == "called_out"


@pytest.mark.rule("X1")
def test_a_preference_set_in_the_profile_is_true_at_the_table_at_once(
    four: list[Player], now: datetime, three_threes: None
) -> None:
    by_hand(four[0], "accuso")
    match = seated(four, now, **ACCUSO)
    User.objects.filter(player=four[0]).update(auto_accuso=True, auto_out=False)
    preferences.follow_preference(player_id=four[0].pk, now=now)
    assert record(match) == ["0 accuso 3x3+napoletana:d"]
    assert frame(match, 0, now)["automatic"] == ["accuso", "declare"]
    preferences.follow_preference(player_id=99_999, now=now)  # nobody sits nowhere


@pytest.mark.rule("X1", "B7")
def test_a_preference_set_in_the_profile_is_true_in_training_too(anna: Player, now: datetime) -> None:
    elsewhere = seated([anna, *take_house(count=1, now=now)], now, context="free")
    training = seated([anna, *take_house(count=1, now=now)], now, context="free", training=True)
    User.objects.filter(player=anna).update(auto_accuso=False)
    for match in (training, elsewhere):
        assert "accuso" in again(match).automatic(0)
    preferences.follow_preference(player_id=anna.pk, now=now)
    for match in (training, elsewhere):
        assert "accuso" not in again(match).automatic(0)


@pytest.mark.rule("X1", "T5")
def test_a_preference_given_too_late_does_not_save_the_turn(
    four: list[Player], now: datetime, three_threes: None
) -> None:
    by_hand(four[0], "accuso")
    match = seated(four, now, **ACCUSO)
    wish(match, now + timedelta(seconds=31), "accuso")
    assert record(match) == ["0 timeout"]
    assert User.objects.get(player=four[0]).auto_accuso


@pytest.mark.rule("G8", "T5")
def test_who_never_came_forfeits_before_anything_is_called(
    four: list[Player], now: datetime, three_threes: None
) -> None:
    match = seating.open_match(
        players=four, now=now, context="ko", turn_timeout=30, match_clock=None, noshow_after=60, title="", **ACCUSO
    )  # fmt: skip
    for player in four[1:]:
        seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
    settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=61))
    assert record(match) == ["0 noshow"]


# --- With a card -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("T10", "X1")
@pytest.mark.parametrize(
    ("calls", "made"),
    [
        pytest.param(None, ["0 declare d ho"], id="what is automatic"),
        pytest.param([], [], id="nothing"),
        pytest.param(["declare d busso"], ["0 declare d busso"], id="busso"),
        pytest.param(["declare d per-te+ho"], ["0 declare d per-te+ho"], id="ho per te, and what"),
    ],
)
def test_a_declaration_goes_out_together_with_its_card(
    four: list[Player], now: datetime, three_threes: None, calls: list[str] | None, made: list[str]
) -> None:
    match = seated(four, now, **DECLARING)
    before = again(match).version
    ack = play(match, now, "play 4d", client_id="lead", calls=calls)
    assert record(match) == [*made, "0 play 4d"]
    assert ack == playing.Ack("lead", before + len(made) + 1)
    resent = play(match, now, "play 4d", client_id="lead", calls=calls, seat=0, version=before)
    assert resent == ack
    assert len(record(match)) == len(made) + 1


@pytest.mark.rule("T10", "X1")
def test_nothing_is_declared_for_who_switched_it_off(four: list[Player], now: datetime, three_threes: None) -> None:
    by_hand(four[0], "declare")
    match = seated(four, now, **DECLARING)
    play(match, now, "play 4d")
    assert record(match) == ["0 play 4d"]
    assert [call["held"] for call in frame(match, 2, now)["said"]] == []


@pytest.mark.rule("T10")
@pytest.mark.parametrize(
    ("text", "calls", "code"),
    [
        ("play 4c", ["declare d ho"], "must_lead_declared"),
        ("play 4d", ["declare d ho", "declare d busso"], "already_declared"),
        ("play 4d", ["declare s ho"], "suit_not_held"),
        ("play 5s", ["declare d ho"], "card_not_in_hand"),
        ("play 5s", None, "card_not_in_hand"),
        ("play 4d", ["play 5d"], "unknown_move"),
        ("play 4d", ["abandon"], "unknown_move"),
        ("play 4d", ["declare x ho"], "unreadable_move"),
        ("out", ["declare d ho"], "unknown_move"),
    ],
)
def test_all_of_it_happens_or_none(
    four: list[Player], now: datetime, three_threes: None, text: str, calls: list[str] | None, code: str
) -> None:
    match = seated(four, now, **DECLARING)
    before = again(match)
    with pytest.raises(IllegalMove) as refused:
        play(match, now, text, calls=calls, seat=0)
    assert refused.value.code == code
    after = again(match)
    assert (record(match), after.version, after.turn_seat) == ([], before.version, 0)
    play(match, now, "play 4d")


@pytest.mark.rule("T10", "C3")
@pytest.mark.parametrize("call", ["declare d ho", "declare d busso", "signal busso"])
def test_a_declaration_without_its_card_is_refused(four: list[Player], now: datetime, call: str) -> None:
    match = seated(four, now, **DECLARING)
    with pytest.raises(errors.GoesWithCard):
        play(match, now, call)
    assert record(match) == []


@pytest.mark.rule("T10")
def test_the_frame_says_which_cards_a_declaration_may_be_said_with(
    four: list[Player], now: datetime, three_threes: None
) -> None:
    match = seated(four, now, **DECLARING)
    legal = frame(match, 0, now)["legal"]
    goes_with = {move["arg"]: move["goes_with"] for move in legal if move["verb"] == "declare"}
    assert {arg[0] for arg in goes_with} == {"d", "c", "b"}
    assert goes_with["c busso"] == ["3c", "4c"]
    assert goes_with["b ho"] == ["3b"]
    assert all({"move", "seat", "verb", "card", "takes"} == set(move) for move in legal if move["verb"] == "play")
    assert frame(match, 1, now)["legal"] == []


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("X1", "T10")
@pytest.mark.parametrize("cold", [False, True])
def test_calls_cost_a_move_no_further_query(four: list[Player], now: datetime, cold: bool) -> None:
    options = {"dichiarazioni": True, "accuso": True, "carte_viste": True}
    match = seated(four, now, ruleset="tresette", options=options, match_clock=None)
    seen_verbs = set()
    counts = []
    for _ in range(39):
        current = again(match)
        text = next(move["move"] for move in frame(match, current.turn_seat, now)["legal"] if move["verb"] == "play")
        if cold:
            table_views.clear_caches()
        with CaptureQueriesContext(connection) as captured:
            ack = play(match, now, text)
        seen_verbs.add(ack.version - current.version)
        # what the helper itself reads comes first; a move locks, (replays,) inserts and updates
        verbs = [query["sql"].split()[0] for query in captured.captured_queries]
        start = max(place for place, verb in enumerate(verbs) if verb == "BEGIN")
        counts.append(sum(verb in {"SELECT", "INSERT", "UPDATE"} for verb in verbs[start:]))
    assert len(seen_verbs) > 1
    assert len(set(counts)) == 1
    assert counts[0] <= 4
