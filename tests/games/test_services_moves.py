"""A move's life: acknowledged once, refused with a code, written with all that follows from it."""

from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import selectors, table_views
from games.engine.cards import NAMES
from games.engine.game import IllegalMove, Length
from games.engine.record import parse, replay
from games.models import Deal, Match, Move, Seat
from games.services import errors, playing, seating
from players.models import Player
from tests.flows.scripts import scopa_deal, stacked_deck
from tests.support.arrangements import arrange_once
from tests.support.decks import load
from tests.support.tables import CONTROLS, FIRST, again, legal, opened, play, play_out, seated, stack

pytestmark = [pytest.mark.django_db]

# Seat 1 leads: hands go to seats 1, 0, 1, 0, 1, 0; then four on the table.
OPENING = "7c Ad 4b 2d Rs 3d 4d 3s Fc Cb"


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return seated([anna, bruno], now, OPENING)


def test_a_match_begins_when_everybody_has_arrived(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=now)
    assert again(match).status == Match.Status.WAITING
    assert not Deal.objects.filter(match=match).exists()
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=now)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="", now=now + timedelta(seconds=9))
    begun = again(match)
    assert (begun.status, begun.turn_seat, begun.noshow_at) == (Match.Status.PLAYING, 1, None)
    assert begun.clocks_ms == [600_000, 600_000]
    assert begun.deadline_at == now + timedelta(seconds=39)


def test_a_stranger_has_no_seat(match: Match, carla: Player, now: datetime) -> None:
    with pytest.raises(errors.NotSeated):
        seating.sit_down(match_id=match.pk, player_id=carla.pk, token="x", now=now)


def test_a_player_sits_live_at_one_table(match: Match, anna: Player, carla: Player, now: datetime) -> None:
    with pytest.raises(errors.SeatTaken) as refused:
        opened([carla, anna], now)
    assert refused.value.player_id == anna.pk
    assert Match.objects.count() == 1
    play_out(match, now)
    opened([carla, anna], now)


def test_a_move_is_written_with_all_that_follows_from_it(match: Match, now: datetime) -> None:
    then = now + timedelta(seconds=5)
    ack = play(match, then, "play 7c x 4d 3s", client_id="first")
    after = again(match)
    assert (ack.id, ack.version) == ("first", after.version)
    move = Move.objects.get(match=match)
    assert (move.text, move.ply, move.version, move.played_at) == ("1 play 7c x 4d 3s", 0, after.version, then)
    assert after.clocks_ms == [600_000, 595_000]
    assert after.turn_seat == 0
    assert after.turn_from == then + timedelta(milliseconds=1500)  # the capture is shown, charged to nobody
    assert after.deadline_at == after.turn_from + timedelta(seconds=30)


def test_a_discard_has_no_pause(match: Match, now: datetime) -> None:
    play(match, now, "play Rs")
    assert again(match).turn_from == now


def test_a_move_during_the_pause_costs_nothing(match: Match, now: datetime) -> None:
    play(match, now, "play 7c x 4d 3s")
    play(match, now + timedelta(seconds=1))
    assert again(match).clocks_ms == [600_000, 600_000]


def test_a_move_of_another_version_is_stale(match: Match, now: datetime) -> None:
    before = again(match)
    play(match, now)
    with pytest.raises(errors.Stale) as refused:
        play(match, now, version=before.version)
    assert refused.value.version == again(match).version
    assert Move.objects.filter(match=match).count() == 1


def test_a_resent_move_gets_its_first_answer(match: Match, now: datetime) -> None:
    before = again(match).version
    first = play(match, now, "play Rs", client_id="same", version=before)
    play(match, now)
    resent = play(match, now, "play Rs", client_id="same", seat=1, version=before)
    assert resent == first
    reused = play(match, now, client_id="same")
    assert reused == first
    assert Move.objects.filter(match=match).count() == 2


def test_a_resent_last_move_gets_its_first_answer(match: Match, now: datetime) -> None:
    last = play_out(match, now)
    move = Move.objects.filter(match=match).latest("version")
    seat, _, text = move.text.partition(" ")
    answer = play(match, last, text, seat=int(seat), client_id=move.client_id, version=move.version - 1)
    assert answer == playing.Ack(move.client_id, move.version)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("play 4d", "card_not_in_hand"),
        ("play 7c", "must_take"),
        ("play 7c x 4d", "wrong_sum"),
        ("play 7c x 4d 3s Fc", "wrong_sum"),
        ("play zz", "unreadable_move"),
        ("sing", "unreadable_move"),
        ("timeout", "unknown_move"),
        ("clock", "unknown_move"),
        ("noshow", "unknown_move"),
        ("abandon", "unknown_move"),
    ],
)
def test_an_illegal_move_is_refused_with_a_code_and_changes_nothing(
    match: Match, now: datetime, text: str, code: str
) -> None:
    before = again(match)
    with pytest.raises(IllegalMove) as refused:
        play(match, now, text)
    assert refused.value.code == code
    assert Move.objects.count() == 0
    after = again(match)
    assert (after.version, after.deadline_at, after.clocks_ms) == (before.version, before.deadline_at, before.clocks_ms)


def test_nobody_plays_out_of_turn(match: Match, now: datetime) -> None:
    with pytest.raises(IllegalMove) as refused:
        play(match, now, "play Ad", seat=0)
    assert refused.value.code in {"not_your_turn", "card_not_in_hand"}


def test_only_the_newest_window_moves(match: Match, bruno: Player, now: datetime) -> None:
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="newer", now=now)
    with pytest.raises(errors.Replaced):
        play(match, now)
    play(match, now, control="newer")


def test_nobody_moves_before_the_match_or_after_it(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    with pytest.raises(errors.NotStarted):
        play(match, now, "play 7c", seat=0, control="")
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=now)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="", now=now)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token=FIRST, now=now)
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id="gone", now=now)
    with pytest.raises(errors.Finished):
        play(match, now, "play 7c", seat=0)


@pytest.mark.parametrize(("ruleset", "length"), [("scopa", Length("points", 11)), ("tresette", Length("deals", 2))])
def test_a_match_played_out_replays_from_its_record(
    anna: Player, bruno: Player, now: datetime, ruleset: str, length: Length
) -> None:
    match = seated([anna, bruno], now, ruleset=ruleset, length=length, match_clock=None)
    assert selectors.build_record(match) is None
    play_out(match, now)
    over = again(match)
    record = selectors.build_record(over)
    assert record is not None
    outcome = replay(parse(record)).progress.outcome
    assert outcome is not None
    assert (over.winner, over.decided_by, over.margin) == (outcome.winner, outcome.decided_by, outcome.margin)
    assert [over.score_0, over.score_1] == [
        sum(points)
        for points in zip(
            *Deal.objects.filter(match=over).with_results().values_list("points_0", "points_1"), strict=True
        )
    ]
    assert not Seat.objects.filter(match=over, live=True).exists()
    assert (over.deadline_at, over.bot_due_at, over.turn_seat) == (None, None, None)


@pytest.mark.parametrize("ruleset", ["scopa", "tresette"])
def test_two_pairs_play_a_match_out(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, ruleset: str
) -> None:
    match = seated([anna, bruno, carla, dino], now, ruleset=ruleset)
    view = table_views.build_table_view(match, 2, now)
    assert (view["lines"], view["seat"], len(view["clock"]["left"])) == ([[0, 2], [1, 3]], 2, 4)
    assert [bool(hand["cards"]) for hand in view["hands"]] == [False, False, True, False]
    play_out(match, now)
    record = selectors.build_record(again(match))
    assert record is not None
    assert replay(parse(record)).progress.outcome is not None


def test_every_version_is_one_move_and_every_deal_forty_cards(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2))
    start = again(match).version
    play_out(match, now)
    assert list(Move.objects.filter(match=match).order_by("version").values_list("version", flat=True)) == list(
        range(start + 1, again(match).version + 1)
    )
    for deck in Deal.objects.with_results().values_list("deck", flat=True):
        assert len({deck[at : at + 2] for at in range(0, 80, 2)}) == 40


def test_the_next_deal_is_dealt_with_the_last_card_after_a_pause(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2))
    for _ in range(36):
        play(match, now)
    between = again(match)
    assert [(deal.dealer, deal.finished) for deal in Deal.objects.filter(match=match, void=False)] == [
        (0, True),
        (1, False),
    ]
    assert between.turn_from == now + timedelta(seconds=8)
    assert between.turn_seat == 0
    view = table_views.build_table_view(between, 0, now)
    assert view["deal"] == {"number": 2, "dealer": 1, "tie_break": 0, "redealt": None}
    assert view["previous"]["number"] == 1
    assert view["score"] == view["previous"]["points"]
    assert [row["code"] for row in view["previous"]["rows"]] == ["scope", "settebello", "denari", "cards", "primiera"]


def test_a_void_deal_is_dealt_again_by_the_same_dealer(
    anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A void deal is dealt again (S2, G5). The dice are loaded: the deck is the one thing not left to chance here."""
    kings = [9, 19, 29, 39]
    others = [card for card in range(40) if card not in kings]
    decks = [[*others[:6], *kings, *others[6:]], [*others, *kings]]
    load(monkeypatch, *decks)
    match = seated([anna, bruno], now, context="free")
    assert [(deal.number, deal.dealer, deal.void, deal.finished) for deal in Deal.objects.filter(match=match)] == [
        (0, 0, True, True),
        (1, 0, False, False),
    ]
    deal = table_views.build_table_view(match, 0, now)["deal"]
    assert (deal["number"], deal["redealt"]) == (1, {"seat": None})
    table_views.clear_caches()
    assert table_views.build_table_view(match, 0, now)["deal"] == deal
    play_out(match, now)
    record = selectors.build_record(again(match))
    assert record is not None
    assert record["deals"][0]["moves"] == []
    assert replay(parse(record)).progress.outcome is not None


@pytest.mark.parametrize("cold", [False, True])
def test_a_move_that_ends_nothing_takes_at_most_four_queries(
    anna: Player, bruno: Player, now: datetime, cold: bool
) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2))
    counts = []
    for _ in range(45):
        text = legal(match)[0]
        current = again(match)
        if cold:
            table_views.clear_caches()
        with CaptureQueriesContext(connection) as captured:
            playing.play_move(
                match_id=match.pk,
                seat=current.turn_seat,
                control=CONTROLS[current.turn_seat],
                text=text,
                client_id=None,
                version=current.version,
                now=now,
            )
        verbs = [query["sql"].split()[0] for query in captured.captured_queries]
        counts.append(len([verb for verb in verbs if verb in {"SELECT", "INSERT", "UPDATE", "DELETE"}]))
    ends_the_deal = counts.pop(35)
    assert set(counts) == {4 if cold else 3}
    assert ends_the_deal > 4


def test_a_position_that_was_rolled_back_is_never_met_again(match: Match, now: datetime) -> None:
    class Crash(Exception):
        pass

    def crash_before_the_commit() -> None:
        with transaction.atomic():
            play(match, now, "play Rs")
            raise Crash

    with pytest.raises(Crash):
        crash_before_the_commit()
    assert again(match).turn_seat == 1
    play(match, now, "play 4b x 4d")
    assert table_views.build_table_view(match, None, now)["last"]["cards"] == [{"card": "4b", "seat": 1}]


def test_tie_break_deals_lengthen_the_match_clocks(anna: Player, bruno: Player, now: datetime) -> None:
    """Clocks get one deal's share for each (E9); here a match of one deal, so its whole clock."""
    match = seated([anna, bruno], now, " ".join(NAMES[card] for card in stacked_deck()), turn_timeout=None)
    for text in scopa_deal(0, level=True):
        play(match, now, text)
    current = again(match)
    assert current.status == Match.Status.PLAYING
    assert current.clocks_ms == [1_200_000, 1_200_000]
    assert table_views.build_table_view(match, None, now)["deal"]["tie_break"] == 1


def test_stacking_is_the_tests_only_way_to_know_a_deck(match: Match) -> None:
    stack(match, OPENING)
    assert set(legal(match)) == {"play 7c x 4d 3s", "play 4b x 4d", "play Rs"}
