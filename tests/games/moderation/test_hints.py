"""Hints (U3): marks as yes or no, pauses that depend on the hand, pairs who always meet; and nothing acts upon them."""

from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from games import match_cache
from games.engine import match as engine
from games.engine import record as records
from games.engine.game import Length
from games.models import Deal, Match, Move, Report
from games.moderation.hints import (
    ENOUGH,
    Timing,
    _is_high,
    _read_pauses,
    count_meetings,
    find_shared_marks,
    measure_timing,
)
from games.sealing import read_deck
from players.models import ConnectionMark, ModerationAct, Player, User
from players.services.marks import note_marks
from tests.support.decks import load
from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in, take_house
from tests.support.tables import opened, play_out, seated

pytestmark = pytest.mark.django_db


def play_pairs(players: list[Player], now: datetime) -> Match:
    match = seated(
        players, now, ruleset="tresette", context="free", length=Length("deals", 1), match_clock=None, turn_timeout=None
    )
    play_out(match, now)
    return match


@pytest.mark.rule("U3")
def test_staff_read_only_whether_two_at_a_table_had_a_mark_in_common_that_day(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, context="free")
    note_marks(player=anna, address="203.0.113.9", browser="a" * 32, now=now)
    note_marks(player=bruno, address="203.0.113.9", browser="b" * 32, now=now)
    note_marks(player=carla, address="203.0.113.9", browser="a" * 32, now=now - timedelta(days=9))
    shared = find_shared_marks(match, [anna, bruno, carla])
    assert [(pair.address, pair.browser) for pair in shared] == [(True, False), (False, False), (False, False)]
    moderator = create_person("Moreno", now)
    User.objects.filter(pk=moderator.user_id).update(is_staff=True)
    report = Report.objects.create(match=match, reporter=anna, about=bruno, reason="cards", client_id="1", at=now)
    page = sign_in(Player.objects.get(pk=moderator.pk)).get(reverse("moderation-report", args=[report.public_id]))
    assert read_hooks(page, "address") == ["yes"]
    assert read_hooks(page, "browser") == ["no"]
    text = page.content.decode()
    assert "203.0.113.9" not in text
    assert not any(digest in text for digest in ConnectionMark.objects.values_list("digest", flat=True))
    assert not ModerationAct.objects.exists(), "a hint is no verdict"


@pytest.mark.rule("U3")
def test_pairs_who_always_meet_are_counted_together_and_against(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    play_pairs([anna, bruno, carla, dino], now)
    play_out(seated([anna, carla], now + timedelta(hours=1), context="free"), now + timedelta(hours=1))
    training = opened([anna, *take_house(count=1, now=now)], now, context="free", training=True)
    Match.objects.filter(pk=training.pk).update(status=Match.Status.FINISHED, finished_at=now)
    with_carla, with_bruno = count_meetings(anna, carla), count_meetings(anna, bruno)
    assert (with_carla.matches, with_carla.together, with_carla.against) == (2, 1, 1)
    assert (with_bruno.matches, with_bruno.together, with_bruno.against) == (2, 0, 1)
    assert not with_carla.always, "two matches are too few to say so"


@pytest.mark.rule("J12")
def test_no_hint_tells_who_won_while_others_are_still_to_play_the_same_cards(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, context="free")
    play_out(match, now)
    assert count_meetings(anna, bruno).matches == 1
    Match.objects.filter(pk=match.pk).update(withheld=True)
    assert count_meetings(anna, bruno).matches == 0


@pytest.mark.rule("U3")
def test_pauses_that_depend_on_the_hand_stand_out_and_even_ones_do_not(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measure_timing(anna, carla) is None
    load(monkeypatch, [7 * place % 40 for place in range(40)])  # everybody has high cards and low ones
    even = play_pairs([anna, bruno, carla, dino], now)
    pauses = list(_read_pauses(even, 0))
    assert pauses
    assert all(0 <= strength <= 1 for _seconds, strength in pauses)
    monkeypatch.setattr("games.moderation.hints.ENOUGH", 1)
    usual = sum(strength for _seconds, strength in pauses) / len(pauses)
    told = []
    for factor in (1.0, 30.0):
        _slow_down(even, 0, usual, factor)
        told.append(measure_timing(anna, carla))
    assert all(isinstance(timing, Timing) for timing in told)
    assert told[1] is not None
    assert told[1].longer == 1.0
    assert told[1].striking
    assert told[1].strong > told[1].weak
    assert measure_timing(anna, bruno) is None, "they were no partners"
    Match.objects.filter(pk=even.pk).update(withheld=True)
    assert measure_timing(anna, carla) is None, "its hands are nobody's to read yet"
    assert ENOUGH > 1


def _slow_down(match: Match, seat: int, usual: float, factor: float) -> None:
    """Have the player at ``seat`` think longer with a strong hand: all hours of the match are made anew."""
    strengths = _read_strengths(match, seat)
    at = match.opened_at
    for move in Move.objects.filter(match=match).order_by("version"):
        at += timedelta(seconds=factor * 2 if strengths.get(move.version, 0) > usual else 2)
        Move.objects.filter(pk=move.pk).update(played_at=at)


def _read_strengths(match: Match, seat: int) -> dict[int, float]:
    """Return the strength of that seat's hand before each card of it, by the match's version."""
    progress = engine.start(match_cache.build_setup(match))
    found: dict[int, float] = {}
    for deal in Deal.objects.filter(match=match).order_by("number"):
        progress = engine.deal(progress, read_deck(deal.deck))
        for row in Move.objects.filter(deal=deal).order_by("version"):
            move = records.parse_move(row.text)
            if move.seat == seat and move.verb == "play":
                hand = engine.view(progress, seat).hands[seat].cards
                found[row.version] = sum(_is_high(card, match.ruleset) for card in hand) / len(hand)
            progress = engine.play(progress, move)
    return found
