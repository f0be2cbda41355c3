"""Training (B7): one person against the house, in private, with hints and taking back. It has no live seat, and no
result that counts."""

import re
from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from games import bots, selectors, table_views, wording
from games.bots.dice import Dice
from games.bots.memory import remember
from games.bots.reasons import CODES
from games.engine import match as engine
from games.engine.game import Length
from games.engine.record import parse, parse_move, replay, write_move
from games.models import Deal, Match, Move, Seat, SeatFacts, Strength
from games.realtime import protocol
from games.rules import RULESETS
from games.services import errors, playing, settlement
from games.signals import match_finished
from games.thinking import make_question
from games.training import hints
from players.models import Player
from tests.games.rules.positions import in_trick
from tests.games.rules.positions import play as play_moves
from tests.support.arrangements import arrange_once
from tests.support.people import take_house
from tests.support.tables import FIRST, again, legal, opened, play, seated

pytestmark = pytest.mark.django_db

TRAINING = {
    "context": "free", "absence": Match.Absence.HOUSE, "training": True, "turn_timeout": None, "match_clock": None,
    "noshow_after": 86_400,
}  # fmt: skip
DAY = timedelta(days=1)


@arrange_once
def house(now: datetime) -> list[Player]:
    return take_house(count=1, now=now)


@arrange_once
def match(anna: Player, house: list[Player], now: datetime) -> Match:
    """Anna in training at Scopa in two deals; the house deals, and she leads."""
    return seated([anna, *house], now, **{**TRAINING, "first_dealer": 1, "length": Length("deals", 2)})


def take_back(match: Match, now: datetime, **changed: object) -> playing.Ack:
    chosen = {"seat": 0, "control": FIRST, "client_id": str(uuid4()), "version": again(match).version}
    return hints.take_back(match_id=match.pk, now=now, **{**chosen, **changed})


def move_house(match: Match) -> None:
    due = again(match).bot_due_at
    assert due is not None
    assert playing.play_house_move(match_id=match.pk, now=due) is not None


def live_line(match: Match) -> list[str]:
    rows = Move.objects.filter(match=match, undone_at=None).order_by("version")
    return list(rows.with_results().values_list("text", flat=True))


def play_on(match: Match, now: datetime, until: int = 10**6) -> None:
    """Both play, first legal move or the house's, until so many cards were played or it is over."""
    while (current := again(match)).status == Match.Status.PLAYING and len(live_line(match)) < until:
        if current.turn_seat == 0:
            play(match, now)
        else:
            move_house(match)


@pytest.mark.rule("B7")
def test_nobody_sits_live_by_training_and_who_plays_at_a_table_may_train(
    anna: Player, house: list[Player], now: datetime
) -> None:
    table = opened([anna, *house], now)
    private = opened([anna, *house], now, **TRAINING)
    assert private.training
    assert not Seat.objects.filter(match=private, live=True).exists()
    assert Seat.objects.filter(match=table, live=True).count() == 2


@pytest.mark.parametrize("asked", [{"training": True}, {"absence": Match.Absence.HOUSE}])
def test_only_at_free_tables_does_the_house_play_for_who_is_absent(
    anna: Player, bruno: Player, now: datetime, asked: dict[str, object]
) -> None:
    with pytest.raises(ValueError, match="free table"):
        opened([anna, bruno], now, context="ko", **asked)


@pytest.mark.rule("B7")
def test_nobody_else_watches_training_while_it_is_played_and_afterwards(
    match: Match, anna: Player, bruno: Player, now: datetime
) -> None:
    assert selectors.find_viewpoint(match, bruno, now).is_refused
    assert selectors.find_viewpoint(match, None, now).is_refused
    assert selectors.find_viewpoint(match, anna, now).seat == 0
    play_on(match, now)
    assert selectors.find_viewpoint(again(match), bruno, now).is_refused


@pytest.mark.rule("B7")
def test_a_hint_is_what_the_house_would_play_from_that_seats_knowledge_alone(match: Match, now: datetime) -> None:
    first = engine.view(selectors.load_progress(match), 0)
    play(match, now)
    move_house(match)
    before = again(match)
    question = hints.prepare_hint(match_id=match.pk, seat=0, control=FIRST, version=before.version, now=now)
    view = engine.view(selectors.load_progress(match), 0)
    assert (question.view, question.strength) == (view, Strength.MASTER)
    assert question.memory.seen == remember([first, view]).seen | question.memory.seen
    assert [play.seat for play in question.memory.plays] == [0, 1]
    hint = hints.think_of_hint(question)
    assert write_move(hint[-1]).partition(" ")[2] in legal(match)
    thought = hints._thinker.ask(question, 60)
    hints._thinker.stop()
    assert thought is not None, "the process that thinks understands the question"
    assert thought.moves == bots.decide("scopa", view, question.memory, "master", Dice(question.seed))
    again_asked = hints.prepare_hint(match_id=match.pk, seat=0, control=FIRST, version=before.version, now=now)
    assert again_asked == question, "who asks twice gets the same answer"
    after = again(match)
    assert (after.version, after.revision) == (before.version, before.revision)


@pytest.mark.rule("B7")
def test_a_hint_says_why_and_which_card_it_keeps() -> None:
    """The trick is the partner's: it is given the ace, and the 6 is kept to be thrown away later."""
    tresette = RULESETS["tresette"]
    state = in_trick(["3d 4c", "4d 4s", "Ad 6d 5d", "7d 5s"])
    state = play_moves(tresette, state, "0 play 3d", "1 play 4d")
    view = tresette.view(state, 2)
    question = make_question("tresette", [view], "master", seed=1)
    why = hints.explain_hint(question, [parse_move("2 play Ad")])
    frame = protocol.build_hint("id", 3, [parse_move("2 play Ad")], why)
    assert frame["why"] == {"code": "partner_takes", "instead": "5d", "cards": ["Ad"], "n": 3, "total": 0}
    assert "{instead}: serve per scartare" in wording.HINT_REASONS[frame["why"]["code"]]
    alone = tresette.view(in_trick(["3d", "4d"]), 0)
    alone_asked = make_question("tresette", [alone], "master", seed=1)
    only = hints.explain_hint(alone_asked, [parse_move("0 play 3d")])
    assert "why" not in protocol.build_hint("id", 3, [parse_move("0 play 3d")], only)
    assert hints.explain_hint(question, [parse_move("2 out")]) is None


def test_every_reason_of_a_hint_has_its_words() -> None:
    assert set(wording.HINT_REASONS) == CODES
    places = {place for words in wording.HINT_REASONS.values() for place in re.findall(r"{(\w+)}", str(words))}
    assert places <= {"instead", "cards", "n", "total"}


def test_a_hint_is_for_ones_own_turn_in_training(match: Match, now: datetime) -> None:
    play(match, now)
    with pytest.raises(engine.IllegalMove, match="not_your_turn"):
        hints.prepare_hint(match_id=match.pk, seat=0, control=FIRST, version=again(match).version, now=now)
    with pytest.raises(errors.Stale):
        hints.prepare_hint(match_id=match.pk, seat=0, control=FIRST, version=1, now=now)
    with pytest.raises(errors.Replaced):
        hints.prepare_hint(match_id=match.pk, seat=0, control="older", version=again(match).version, now=now)


def test_at_a_table_with_people_there_is_no_hint_and_nothing_is_taken_back(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, context="free", first_dealer=1)
    play(match, now)
    with pytest.raises(errors.NotTraining):
        hints.prepare_hint(match_id=match.pk, seat=0, control=FIRST, version=match.version, now=now)
    with pytest.raises(errors.NotTraining):
        take_back(match, now)


@pytest.mark.both_databases
@pytest.mark.rule("B7")
def test_the_last_card_is_taken_back_with_all_that_followed_and_the_rows_stay(match: Match, now: datetime) -> None:
    view = table_views.build_table_view(match, 0, now)
    play(match, now)
    move_house(match)
    version = again(match).version
    assert take_back(match, now).version == version + 1
    back = table_views.build_table_view(match, 0, now)
    assert (back["hands"], back["table"], back["turn"], back["stock"]) == (
        view["hands"], view["table"], view["turn"], view["stock"],
    )  # fmt: skip
    assert live_line(match) == []
    assert Move.objects.filter(match=match, undone_at=now).count() == 2
    play(match, now, legal(match)[-1])
    assert Move.objects.filter(match=match, undone_at=None).get().version == version + 2


def test_without_a_card_of_ones_own_there_is_nothing_to_take_back(match: Match, now: datetime) -> None:
    with pytest.raises(errors.NothingToTakeBack):
        take_back(match, now)
    play(match, now)
    with pytest.raises(errors.Stale):
        take_back(match, now, version=match.version)


@pytest.mark.rule("B7")
def test_nothing_is_dealt_again_when_a_card_is_taken_back_across_a_deal(match: Match, now: datetime) -> None:
    played = Deal.objects.filter(match=match, void=False).order_by("number")  # three kings on the cloth count not (S2)
    play_on(match, now, until=36)
    assert again(match).turn_seat == 1 or played.count() == 2
    play_on(match, now, until=37)
    decks = list(played.with_results().values_list("deck", flat=True))
    assert len(decks) == 2, "the second deal is dealt"
    first, second = played
    assert first.finished
    take_back(match, now)
    assert not Deal.objects.get(pk=first.pk).finished
    assert Deal.objects.get(pk=second.pk).undone_at == now
    assert (again(match).score_0, again(match).score_1) == (0, 0)
    play_on(match, now, until=38)
    assert list(played.with_results().values_list("deck", flat=True)) == decks
    assert Deal.objects.get(pk=second.pk).undone_at is None


@pytest.mark.rule("B7")
def test_the_record_has_the_final_line_and_replays(match: Match, now: datetime) -> None:
    for until in (3, 9, 20, 38):
        play_on(match, now, until=until)
        take_back(match, now)
    table_views.clear_caches()  # as another process would read it
    play_on(match, now)
    record = selectors.build_record(again(match))
    assert record is not None
    verdict = replay(parse(record))
    assert verdict.progress.outcome is not None
    assert [move for deal in record["deals"] for move in deal["moves"]] == live_line(match)
    assert tuple(verdict.progress.score) == (again(match).score_0, again(match).score_1)


@pytest.mark.both_databases
def test_another_process_that_knew_an_older_position_reads_the_live_line(match: Match, now: datetime) -> None:
    play(match, now)
    older = table_views.match_cache.find_position(again(match))
    assert older is not None
    move_house(match)
    take_back(match, now)
    play(match, now, legal(match)[-1])
    table_views.clear_caches()
    table_views.match_cache._positions.put(match.public_id, older)
    _, position = table_views.match_cache.read_match(match.pk)
    assert position is not None
    assert (position.version, position.ply) == (again(match).version, 1)


@pytest.mark.rule("B7")
def test_a_match_that_is_over_stays_over(match: Match, now: datetime) -> None:
    play_on(match, now)
    over = again(match)
    assert over.status == Match.Status.FINISHED
    control = over.controls[0]
    with pytest.raises(errors.Finished):
        take_back(match, now, control=control)
    with pytest.raises(errors.Finished):
        hints.prepare_hint(match_id=match.pk, seat=0, control=control, version=over.version, now=now)
    assert not Move.objects.filter(match=match, undone_at__isnull=False).exists()


@pytest.mark.both_databases
@pytest.mark.rule("B7")
def test_training_is_set_aside_without_a_result_when_another_table_of_that_person_opens(
    match: Match, anna: Player, bruno: Player, now: datetime
) -> None:
    opened([anna, bruno], now)
    ended = again(match)
    assert (ended.status, ended.decided_by, ended.winner) == (Match.Status.FINISHED, "set_aside", None)


@pytest.mark.rule("B7")
def test_training_is_set_aside_after_a_day(match: Match, anna: Player, house: list[Player], now: datetime) -> None:
    never_begun = opened([anna, *house], now + DAY / 2, **TRAINING)
    assert again(match).status == Match.Status.FINISHED, "one at a time"
    assert settlement.expire_overdue(match_id=never_begun.pk, now=now + DAY) is False
    assert settlement.expire_overdue(match_id=never_begun.pk, now=now + DAY * 2)
    assert again(never_begun).decided_by == "set_aside"
    begun = seated([anna, *house], now, **TRAINING)
    assert settlement.expire_overdue(match_id=begun.pk, now=now + DAY + timedelta(seconds=1))
    assert again(begun).decided_by == "set_aside"


def test_who_leaves_training_sets_it_aside(match: Match, now: datetime) -> None:
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id="a", now=now)
    assert (again(match).decided_by, again(match).offender) == ("set_aside", None)


@pytest.mark.rule("B7")
def test_training_counts_nowhere(match: Match, now: datetime) -> None:
    heard: list[int] = []

    def hear(match_id: int, **_: object) -> None:
        heard.append(match_id)

    match_finished.connect(hear)
    try:
        play_on(match, now)
        settlement.pass_result_on(match_id=match.pk, now=now)
    finally:
        match_finished.disconnect(hear)
    assert heard == []
    assert again(match).settled_at is not None
    assert not SeatFacts.objects.exists()
