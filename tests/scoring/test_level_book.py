"""Levels as they are written: which matches count (L2), and in what order they are rated (L6)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.models import Match, Seat
from players.models import Player
from scoring import level_audit, level_book
from scoring.counted_matches import Place
from scoring.level_book import Rewriting
from scoring.levels import find_progress
from scoring.models import Level, LevelBook, LevelChange, LevelStep
from tests.support.levels import read_mu, read_stored, settle_match, store_match
from tests.support.people import create_person

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def recompute_from_nothing() -> None:
    """Forget all levels and compute them again from the matches."""
    Level.objects.all().delete()
    LevelStep.objects.all().delete()
    list(level_audit.recompute_all(datetime(2026, 1, 1, tzinfo=UTC)))


@pytest.mark.rule("L1", "L2")
def test_a_match_between_members_moves_both_levels_once(anna: Player, bruno: Player, now: datetime) -> None:
    match = settle_match([anna, bruno], now)
    first, second = read_mu(anna), read_mu(bruno)
    assert first is not None
    assert second is not None
    assert first > 25 > second
    level_book.note_changes(match_ids=[match.pk], now=now)
    assert level_book.settle(now=now) == 0
    assert (read_mu(anna), read_mu(bruno)) == (first, second)
    assert not LevelChange.objects.exists()


@pytest.mark.rule("L1")
def test_levels_alone_and_in_pairs_and_of_two_games_are_kept_apart(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    settle_match([anna, bruno], now)
    settle_match([anna, bruno, carla, dino], now + HOUR, (0, 11))
    settle_match([anna, bruno], now + 2 * HOUR, (5, 5), ruleset="asso-piglia-tutto")
    kinds = Level.objects.filter(player=anna).values_list("ruleset", "form").order_by("ruleset", "form")
    assert list(kinds) == [("asso-piglia-tutto", "alone"), ("scopa", "alone"), ("scopa", "pairs")]
    alone, pairs = read_mu(anna), read_mu(anna, form="pairs")
    assert alone is not None
    assert pairs is not None
    assert alone > 25 > pairs
    assert read_mu(carla, form="pairs") == pairs  # her partner, of the same level before


@pytest.mark.rule("L1", "L2")
@pytest.mark.parametrize(
    "changed",
    [
        {"training": True},
        {"absence": Match.Absence.HOUSE},
        {"handicap": [0, 3]},
        {"stopped_at": datetime(2026, 3, 1, tzinfo=UTC)},
        {"annulled_at": datetime(2026, 3, 1, tzinfo=UTC)},
        {"both_forfeited": True},
        {"context": "ko"},  # no fixture holds it: it was played anew
    ],
)
def test_what_counts_for_nothing_moves_no_level(
    anna: Player, bruno: Player, now: datetime, changed: dict[str, Any]
) -> None:
    settle_match([anna, bruno], now, **changed)
    assert not Level.objects.exists()


@pytest.mark.rule("L2")
@pytest.mark.parametrize("kind", [Player.Kind.GUEST, Player.Kind.HOUSE])
def test_where_a_guest_or_the_house_sits_nobody_is_rated(anna: Player, bruno: Player, now: datetime, kind: str) -> None:
    match = store_match([anna, bruno], now)
    Seat.objects.filter(match=match, player=bruno).update(kind=kind)  # with an account by now
    level_book.note_changes(match_ids=[match.pk], now=now)
    level_book.settle(now=now)
    assert not Level.objects.exists()


@pytest.mark.rule("L1")
def test_three_at_a_table_have_no_level(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    settle_match([anna, bruno, carla], now, ruleset="tressette-accusa")
    assert not Level.objects.exists()


@pytest.mark.rule("L2")
def test_of_the_same_two_lines_three_matches_a_day_count(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    noon = datetime(2026, 3, 2, 11, tzinfo=UTC)
    for number in range(5):
        seats = [anna, bruno] if number % 2 else [bruno, anna]
        settle_match(seats, noon + number * HOUR, ruleset="scopa" if number < 2 else "asso-piglia-tutto")
    settle_match([anna, carla], noon + 5 * HOUR)
    counted = LevelStep.objects.filter(player=anna).order_by("finished_at").values_list("finished_at", flat=True)
    assert list(counted) == [noon, noon + HOUR, noon + 2 * HOUR, noon + 5 * HOUR]
    stored = read_stored()
    recompute_from_nothing()
    assert read_stored() == stored


@pytest.mark.rule("L2", "L6")
def test_a_day_ends_at_midnight_in_rome(anna: Player, bruno: Player, now: datetime) -> None:
    evening = datetime(2026, 1, 10, 22, 50, tzinfo=UTC)  # ten to midnight in Rome
    for minutes in (0, 1, 2, 3, 15):
        settle_match([anna, bruno], evening + timedelta(minutes=minutes))
    steps = LevelStep.objects.filter(player=anna).order_by("finished_at").values_list("finished_at", flat=True)
    assert [(at - evening).seconds // 60 for at in steps] == [0, 1, 2, 15]


@pytest.mark.both_databases
@pytest.mark.rule("L6")
def test_a_match_settled_late_is_rated_in_its_place(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    late = store_match([bruno, carla], now, (11, 3))
    settle_match([anna, bruno], now + HOUR, (11, 9))
    settle_match([carla, dino], now + 2 * HOUR, (4, 12))
    level_book.note_changes(match_ids=[late.pk], now=now + 3 * HOUR)
    level_book.settle(now=now + 3 * HOUR)
    stored = read_stored()
    recompute_from_nothing()
    assert read_stored() == stored


@pytest.mark.rule("L6")
def test_two_matches_of_one_instant_are_rated_in_the_order_of_their_ids(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    first, second = store_match([anna, bruno], now), store_match([anna, carla], now)
    for match in (second, first):
        level_book.note_changes(match_ids=[match.pk], now=now)
        level_book.settle(now=now)
    steps = LevelStep.objects.filter(player=anna).order_by("matches").values_list("match_id", flat=True)
    assert list(steps) == [first.pk, second.pk]


@pytest.mark.both_databases
@pytest.mark.rule("L6", "L2")
def test_an_annulment_takes_back_what_it_did_and_lets_the_next_one_count(
    anna: Player, bruno: Player, now: datetime
) -> None:
    noon = datetime(2026, 3, 2, 11, tzinfo=UTC)
    matches = [settle_match([anna, bruno], noon + number * HOUR) for number in range(4)]
    Match.objects.filter(pk=matches[0].pk).update(stopped_at=noon)
    level_book.note_changes(match_ids=[matches[0].pk], now=noon + 5 * HOUR)
    level_book.settle(now=noon + 5 * HOUR)
    counted = LevelStep.objects.filter(player=anna).order_by("matches").values_list("match_id", "matches")
    assert list(counted) == [(match.pk, number) for number, match in enumerate(matches[1:], start=1)]


@pytest.mark.rule("L6")
def test_a_level_of_annulled_matches_alone_is_gone(anna: Player, bruno: Player, now: datetime) -> None:
    match = settle_match([anna, bruno], now)
    Match.objects.filter(pk=match.pk).update(stopped_at=now)
    level_book.note_changes(match_ids=[match.pk], now=now)
    level_book.settle(now=now)
    assert not Level.objects.exists()
    assert not LevelStep.objects.exists()


@pytest.mark.rule("L5", "L6")
def test_uncertainty_grows_by_the_days_between_two_matches(anna: Player, bruno: Player, now: datetime) -> None:
    settle_match([anna, bruno], now)
    after = Level.objects.get(player=anna).sigma
    settle_match([anna, bruno], now + timedelta(days=100))
    step = LevelStep.objects.get(player=anna, matches=2)
    assert step.sigma_before == pytest.approx((after**2 + 100 * 0.02) ** 0.5, abs=1e-9)


def play_many(people: list[Player], now: datetime, count: int) -> list[Match]:
    """Store so many matches, each an hour after the one before."""
    places = [(place % len(people), (3 * place + 1) % len(people)) for place in range(4 * count)]
    pairs = [(people[first], people[second]) for first, second in places if first != second][:count]
    return [store_match(list(pair), now + number * HOUR, (11, number % 11)) for number, pair in enumerate(pairs)]


@pytest.mark.both_databases
@pytest.mark.rule("L6")
def test_a_long_recomputation_is_a_run_that_tells_how_far_it_is(
    four_people: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = play_many(four_people, now, 12)
    level_book.note_changes(match_ids=[match.pk for match in matches], now=now)
    level_book.settle(now=now)
    stored = read_stored()
    Match.objects.filter(pk=matches[2].pk).update(winner=1, margin=9)
    monkeypatch.setattr(level_book, "AT_ONCE", 5)
    later = now + 100 * HOUR
    level_book.note_changes(match_ids=[matches[2].pk], now=later)
    assert level_book.is_due()
    level_book.settle(now=later)
    assert find_progress() == 0
    assert not level_book.is_due()
    assert read_stored() == stored  # those of before are shown until the end
    assert level_book.run(now=later)
    assert find_progress() is None
    assert not LevelChange.objects.exists()
    corrected = read_stored()
    assert corrected != stored
    assert [row for row in corrected[1] if row[0] < matches[2].pk] == [
        row for row in stored[1] if row[0] < matches[2].pk
    ]
    recompute_from_nothing()
    assert read_stored() == corrected


@pytest.mark.rule("L6")
def test_nobody_else_computes_while_a_run_gives_signs_and_a_dead_one_is_begun_again(
    four_people: list[Player], now: datetime
) -> None:
    play_many(four_people, now, 5)
    level_book.begin_whole_run(now=now)
    LevelBook.objects.update(beat_at=now)
    assert not level_book.run(now=now + timedelta(seconds=30))
    assert not Level.objects.exists()
    assert level_book.run(now=now + timedelta(minutes=3))
    assert Level.objects.exists()


@pytest.mark.rule("L6")
def test_a_run_that_was_taken_for_dead_writes_nothing_over_what_came_after_it(
    four_people: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_many(four_people, now, 5)
    level_book.begin_whole_run(now=now)
    compute, later = level_book.compute_rewriting, now + timedelta(hours=60)

    def fall_asleep(since: Place, tell: Callable[[int], None]) -> Rewriting:
        rewriting = compute(since, tell)
        monkeypatch.setattr(level_book, "compute_rewriting", compute)
        assert level_book.run(now=later)
        settle_match(four_people[:2], later)
        return rewriting

    monkeypatch.setattr(level_book, "compute_rewriting", fall_asleep)
    assert not level_book.run(now=now)
    assert list(level_audit.list_differences()) == []


@pytest.mark.rule("L6")
def test_a_result_that_comes_in_during_a_run_waits_for_its_end(four_people: list[Player], now: datetime) -> None:
    play_many(four_people, now, 3)
    level_book.begin_whole_run(now=now)
    late = store_match(four_people[:2], now + 50 * HOUR)
    level_book.note_changes(match_ids=[late.pk], now=now)
    assert level_book.settle(now=now) == 0
    level_book.run(now=now)
    level_book.settle(now=now)
    assert LevelStep.objects.filter(match=late).count() == 2
    assert list(level_audit.list_differences()) == []


@pytest.mark.rule("L6")
def test_the_command_finds_a_level_that_was_tampered_with_and_mends_it(
    anna: Player, bruno: Player, now: datetime
) -> None:
    settle_match([anna, bruno], now)
    call_command("recompute", "--check", "--only", "livelli")
    Level.objects.filter(player=anna).update(mu=40.0)
    LevelStep.objects.filter(player=bruno).update(sigma_after=1.0)
    with pytest.raises(CommandError):
        call_command("recompute", "--check", "--only", "livelli")
    call_command("recompute", "--only", "livelli")
    call_command("recompute", "--check", "--only", "livelli")


@pytest.mark.rule("L6")
def test_what_waits_to_be_rated_is_late_and_what_came_before_it_is_compared(
    anna: Player, bruno: Player, now: datetime
) -> None:
    settle_match([anna, bruno], now)
    later = store_match([anna, bruno], now + timedelta(hours=1))
    level_book.note_changes(match_ids=[later.pk], now=now)
    call_command("recompute", "--check", "--only", "livelli")
    LevelStep.objects.filter(player=bruno).update(sigma_after=1.0)
    with pytest.raises(CommandError):
        call_command("recompute", "--check", "--only", "livelli")


@pytest.mark.rule("L6")
def test_what_differs_by_less_than_the_sixth_decimal_is_equal(anna: Player, bruno: Player, now: datetime) -> None:
    settle_match([anna, bruno], now)
    level = Level.objects.get(player=anna)
    Level.objects.filter(pk=level.pk).update(mu=level.mu + 3e-7)
    call_command("recompute", "--check", "--only", "livelli")
    Level.objects.filter(pk=level.pk).update(mu=level.mu + 2e-6)
    with pytest.raises(CommandError):
        call_command("recompute", "--check", "--only", "livelli")


@pytest.fixture
def four_people(db: None, now: datetime) -> list[Player]:
    return [create_person(name, now) for name in ("Elena", "Fabio", "Gina", "Ivo")]
