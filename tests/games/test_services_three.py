"""Three at a table (M3): the lone player sits at seat 0 and plays seat 2, the morto, on their own clock."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games import selectors, table_views
from games.clocks import HOUSE_PATIENCE
from games.engine.game import HeaderError, IllegalMove, Length
from games.engine.record import parse, replay
from games.models import Match, Move, Seat
from games.services import errors, playing, seating, settlement
from games.sweep import Lane, Sweep
from players.models import Player, User
from tests.support.decks import dealt, load
from tests.support.tables import CONTROLS, THREE_SETTINGS, again, begin_three, legal, opened, play
from tests.support.thorough import tries

pytestmark = [pytest.mark.django_db]

# Anna alone at seat 0, the morto at 2; the 4 of denari leads (M2).
HANDS = ("3d 2d Ad 4c 5c", "4b 5b 6b 7b 3s 3b", "4d 3c 2c Ac 6c", "4s 5s 6s 7s As")


@pytest.fixture
def three(anna: Player, bruno: Player, carla: Player) -> list[Player]:
    return [anna, bruno, carla]


def turn(match: Match, now: datetime, text: str | None = None, **changed: Any) -> playing.Ack:
    """The player whose turn it is plays ``text``, or the first legal card."""
    seat = again(match).turn_seat
    player = 0 if seat == 2 else seat
    chosen = {"seat": player, "text": text or next(move for move in legal(match) if move.startswith("play"))}
    return play(match, now, **{**chosen, "control": CONTROLS[chosen["seat"]], **changed})


def record(match: Match) -> list[str]:
    return list(Move.objects.filter(match=match).order_by("version").with_results().values_list("text", flat=True))


def frame(match: Match, seat: int | None, now: datetime) -> dict[str, Any]:
    return table_views.build_table_view(match, seat, now)


@pytest.fixture
def match(three: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch) -> Match:
    load(monkeypatch, dealt(*HANDS, by_fives=True))
    return begin_three(three, now)


@pytest.mark.rule("M3", "G2")
def test_three_sit_at_four_hands(match: Match, now: datetime) -> None:
    assert list(Seat.objects.filter(match=match).values_list("number", flat=True)) == [0, 1, 3]
    view = frame(match, 0, now)
    assert (view["players"], view["lines"], view["turn"]) == (3, [[0, 2], [1, 3]], 2)
    assert [seat["name"] for seat in view["seats"]] == ["Anna", "Bruno", None, "Carla"]
    assert view["seats"][2] == {"name": None, "house": False, "here": True, "of": 0}
    assert [len(hand["cards"]) for hand in view["hands"]] == [10, 0, 10, 0]
    assert {(move["seat"], move["verb"]) for move in view["legal"]} == {(2, "play")}  # its accuso is called already
    assert len(view["clock"]["left"]) == 4
    for viewer, seen in ((1, [0, 10, 0, 0]), (3, [0, 0, 0, 10]), (None, [0, 0, 0, 0])):
        theirs = frame(match, viewer, now)
        assert [len(hand["cards"]) for hand in theirs["hands"]] == seen
        assert theirs["legal"] == []


@pytest.mark.rule("M3", "X1", "M4")
def test_the_morto_is_called_for_as_its_player_wishes(
    three: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(player=three[0]).update(auto_accuso=False)
    load(monkeypatch, dealt(*HANDS, by_fives=True))
    match = begin_three(three, now)
    assert record(match) == []
    turn(match, now, "accuso napoletana:c")
    turn(match, now, "play 4d")
    assert record(match) == ["2 accuso napoletana:c", "2 play 4d"]


@pytest.mark.rule("M3")
def test_the_lone_player_plays_both_hands_and_nobody_else_does(match: Match, now: datetime) -> None:
    assert record(match) == ["2 accuso napoletana:c"]
    for seat in (1, 3):
        with pytest.raises(IllegalMove):
            play(match, now, "play 4d", seat=seat, control=CONTROLS[seat])
    turn(match, now, "play 4d", client_id="lead")
    with pytest.raises(IllegalMove):
        play(match, now, "play 3c", seat=0)  # now it isn't the morto's turn
    turn(match, now)
    turn(match, now, "play 3d")
    turn(match, now)
    assert [text[0] for text in record(match)] == ["2", "2", "3", "0", "0", "1"]
    assert again(match).turn_seat == 0
    with pytest.raises(errors.Replaced):
        turn(match, now, control="older")


@pytest.mark.rule("M3", "G8")
def test_the_mortos_turn_runs_on_its_players_clock(match: Match, now: datetime) -> None:
    turn(match, now + timedelta(seconds=10))
    clock = frame(match, 1, now)["clock"]
    assert clock["left"] == [590_000, 600_000, 590_000, 600_000]
    current = again(match)
    assert (current.turn_seat, current.turn_from) == (3, now + timedelta(seconds=10))


def test_a_card_of_the_morto_is_the_first_of_a_beginner_who_plays_it(
    three: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(monkeypatch, dealt(*HANDS, by_fives=True))
    match = begin_three(three, now, welcoming=True)
    assert (match.beginners, match.deadline_at) == (0b1011, now + timedelta(seconds=90))
    turn(match, now, "play 4d")
    assert again(match).beginners == 0b1010


@pytest.mark.rule("M3", "G8", "M7")
@pytest.mark.parametrize(("limits", "verb"), [({}, "timeout"), ({"turn_timeout": None, "match_clock": 20}, "clock")])
def test_the_mortos_timeout_is_its_players_and_the_record_says_seat_2(
    three: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch, limits: dict[str, Any], verb: str
) -> None:
    load(monkeypatch, dealt(*HANDS, by_fives=True))
    match = begin_three(three, now, **limits)
    settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=31))
    over = again(match)
    assert (over.winner, over.offender, over.decided_by) == (1, 0, verb)
    assert record(match)[-1] == f"2 {verb}"


@pytest.mark.rule("M3", "G8")
@pytest.mark.parametrize(("seat", "winner"), [(0, 1), (3, 0)])
def test_anybody_of_the_three_may_abandon(match: Match, now: datetime, seat: int, winner: int) -> None:
    playing.abandon(
        match_id=match.pk, seat=seat, control=CONTROLS[seat], confirm=True, client_id="gone", now=now
    )  # fmt: skip
    assert again(match).winner == winner


@pytest.mark.rule("M3", "G8")
@pytest.mark.parametrize(
    ("come", "winner", "last"), [((0, 1), 0, "3 noshow"), ((1, 3), 1, "0 noshow"), ((1,), None, None)]
)
def test_who_does_not_come_forfeits_for_their_line(
    three: list[Player], now: datetime, come: tuple[int, ...], winner: int | None, last: str | None
) -> None:
    match = opened(three, now, **THREE_SETTINGS)
    for seat, player in zip((0, 1, 3), three, strict=True):
        if seat in come:
            seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
    assert again(match).status == Match.Status.WAITING
    assert [seat["here"] for seat in frame(match, None, now)["seats"]] == [
        seat in come or (seat == 2 and 0 in come) for seat in range(4)
    ]
    settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=301))
    assert again(match).winner == winner
    assert record(match) == ([last] if last else [])
    assert again(match).both_forfeited == (winner is None)


@pytest.mark.rule("M3", "M4")
@pytest.mark.parametrize("accusa", ["obbligatoria", "facoltativa"])
def test_three_play_a_match_out_and_its_record_replays(three: list[Player], now: datetime, accusa: str) -> None:
    match = begin_three(three, now, options={"accusa": accusa}, match_clock=None, first_dealer=None)
    while again(match).status == Match.Status.PLAYING:
        turn(match, now)
    written = selectors.build_record(again(match))
    assert written is not None
    assert (written["players"], written["about"]["names"]) == (3, ["Anna", "Bruno", "Carla"])
    assert any(text.startswith("2 play") for deal in written["deals"] for text in deal["moves"])
    outcome = replay(parse(written)).progress.outcome
    assert outcome is not None
    assert outcome.winner == again(match).winner


@pytest.mark.rule("M3")
@pytest.mark.parametrize("house", [(0,), (1, 2), (0, 1, 2)])
def test_the_house_plays_alone_with_the_morto_or_in_the_pair(
    three: list[Player], now: datetime, house: tuple[int, ...]
) -> None:
    Player.objects.filter(pk__in=[three[place].pk for place in house]).update(kind=Player.Kind.HOUSE)
    players = [Player.objects.get(pk=player.pk) for player in three]
    match = begin_three(players, now, match_clock=None)
    assert again(match).house_seats == sum((0b0101, 0b0010, 0b1000)[place] for place in house)
    at = now
    while (current := again(match)).status == Match.Status.PLAYING:
        if current.bot_due_at is not None:
            at = current.bot_due_at + HOUSE_PATIENCE
            Sweep(lambda at=at: at, lanes=[Lane.HOUSE]).round()  # type: ignore[misc]
        else:
            turn(match, max(at, current.turn_from or at))
        assert again(match).version > current.version
    assert again(match).decided_by in {"points", "draw"}


@pytest.mark.rule("M8")
def test_three_sit_at_free_tables_only(three: list[Player], now: datetime) -> None:
    for context in ("ko", "round_robin"):
        with pytest.raises(HeaderError):
            opened(three, now, **{**THREE_SETTINGS, "context": context})


@pytest.mark.rule("G9", "M3")
def test_the_pair_may_not_talk_while_the_three_play(match: Match) -> None:
    assert not match.chat_open


@pytest.mark.rule("G3", "M3")
def test_the_dealer_moves_over_four_seats(three: list[Player], now: datetime) -> None:
    dealers = set()
    for _ in range(60):
        match = begin_three(three, now, first_dealer=None)
        dealers.add(match.first_dealer)
        Match.objects.filter(pk=match.pk).delete()
        if len(dealers) == 4:
            break
    assert dealers == {0, 1, 2, 3}
    match = begin_three(three, now, length=Length("points", 41), match_clock=None)
    while again(match).status == Match.Status.PLAYING and match.deals.count() <= tries(2, 99):
        turn(match, now)
    dealt_by = list(match.deals.values_list("dealer", flat=True))
    assert len(dealt_by) > 1  # nobody makes 41 points in a deal
    assert dealt_by == [(3 + number) % 4 for number in range(len(dealt_by))]
