"""Facts of finished matches: counted from the record, written with the result, the same again whenever asked."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine.game import Length
from games.facts.queries import choose_facts, list_companions, list_rulesets, read_months, read_sums
from games.facts.store import find_fact_differences, recompute_facts, store_facts
from games.models import Match, SeatFacts
from games.selectors import build_record
from games.services import playing
from games.services.annulment import annul_match
from games.table_views import build_table_view
from players.models import Player
from records.match_narrative import narrate_record
from tests.support.arrangements import arrange_once
from tests.support.tables import again, play_out, seated

pytestmark = pytest.mark.django_db
LONG = {"length": Length("deals", 3), "context": "free"}


def facts_of(match: Match) -> list[SeatFacts]:
    return list(SeatFacts.objects.filter(match=match).order_by("seat__number"))


@arrange_once
def played(anna: Player, bruno: Player, now: datetime) -> Match:
    match = seated([anna, bruno], now, ruleset="scopa", **LONG)
    play_out(match, now, pause=timedelta(seconds=2))
    return again(match)


def test_a_match_of_scopa_is_counted_for_each_of_its_players(played: Match, anna: Player, bruno: Player) -> None:
    annas, brunos = facts_of(played)
    assert (annas.player, brunos.player) == (anna, bruno)
    assert (annas.points_for, annas.points_against) == (played.score_0, played.score_1)
    assert (brunos.points_for, brunos.points_against) == (played.score_1, played.score_0)
    assert {annas.outcome, brunos.outcome} in ({"won", "lost"}, {"drawn"})
    assert annas.deals == brunos.deals == 3
    assert annas.settebello + brunos.settebello == 3, "each deal has one"
    assert 0 <= annas.primiera + brunos.primiera <= 3
    assert annas.plays + brunos.plays == 3 * (36 - 1)
    assert 2000 <= annas.thinking_ms / annas.plays < 3000
    assert annas.cappotti == annas.last_tricks == annas.accusi == 0


@pytest.mark.parametrize(("ruleset", "players"), [("scopa", 2), ("scopone", 4)])
def test_scope_are_those_of_the_count(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, ruleset: str, players: int
) -> None:
    """Compare what is counted play by play with the rulebook's own count."""
    match = seated([anna, bruno, carla, dino][:players], now, ruleset=ruleset, **LONG)
    play_out(match, now)
    tallies = [deal.tally for deal in narrate_record(build_record(again(match))).deals if deal.tally is not None]
    rows = [row for tally in tallies for row in tally.rows if row.code == "scope"]
    counted = facts_of(match)
    for side in (0, 1):
        assert sum(facts.scope for facts in counted if facts.side == side) == sum(row.values[side] for row in rows)


@pytest.mark.rule("BR4")
def test_the_cards_of_a_match_that_counts_deals_are_added_up(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, ruleset="briscola", length=Length("deals", 2), context="free")
    assert build_table_view(match, 0, now)["result"] is None
    play_out(match, now)
    over = again(match)
    tallies = [deal.tally for deal in narrate_record(build_record(over)).deals if deal.tally is not None]
    cards = [sum(row.values[side] for tally in tallies for row in tally.rows if row.part) for side in (0, 1)]
    assert sum(cards) == 240
    assert build_table_view(over, 0, now)["result"]["cards"] == cards
    annas, brunos = facts_of(over)
    assert [annas.cards_for, annas.cards_against] == [brunos.cards_against, brunos.cards_for] == cards
    sums = read_sums(choose_facts(bruno))
    assert (sums.card_deals, sums.cards_for, sums.cards_a_deal) == (2, cards[1], cards[1] / 2)


def test_of_other_games_no_cards_are_added_up(played: Match, anna: Player, now: datetime) -> None:
    assert build_table_view(played, 0, now)["result"]["cards"] is None
    assert {facts.cards_for for facts in facts_of(played)} == {None}
    assert read_sums(choose_facts(anna)).cards_a_deal is None


@pytest.mark.parametrize(
    ("ruleset", "length"),
    [
        ("tresette", Length("deals", 3)),
        ("tresette-a-perdere", Length("deals", 3)),
        ("tressette-accusa", Length("points", 21)),
        ("tressette-classico", Length("points", 21)),
        ("briscola", Length("points", 3)),
    ],
)
def test_a_match_of_tricks_is_counted_too(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, ruleset: str, length: Length
) -> None:
    match = seated([anna, bruno, carla, dino], now, ruleset=ruleset, length=length, context="free")
    play_out(match, now)
    rows = facts_of(match)
    assert rows[0].deals >= sum(facts.last_tricks for facts in rows) > 0
    assert 40 * rows[0].deals >= sum(facts.plays for facts in rows) > 0
    assert rows[0].settebello == rows[0].scope == 0


def test_what_has_no_result_and_what_is_training_has_no_facts(played: Match, now: datetime) -> None:
    for changed in ({"stopped_at": now}, {"stopped_at": None, "training": True}):
        Match.objects.filter(pk=played.pk).update(**changed)
        store_facts(match_id=played.pk)
        assert facts_of(played) == []


def test_a_free_match_that_was_annulled_keeps_its_facts_and_counts_for_nobody(
    played: Match, anna: Player, bruno: Player, now: datetime
) -> None:
    annul_match(match_id=played.pk, now=now)
    for player in (anna, bruno):
        assert read_sums(choose_facts(player)).matches == 0
        assert list_companions(choose_facts(player), player, partners=False) == []
    assert list(find_fact_differences()) == [], "its record is what it was"


@pytest.mark.rule("L7")
def test_points_of_a_handicap_are_none_that_somebody_made(played: Match) -> None:
    made = [(facts.points_for, facts.points_against) for facts in facts_of(played)]
    Match.objects.filter(pk=played.pk).update(handicap=[5, 2], score_0=played.score_0 + 5, score_1=played.score_1 + 2)
    store_facts(match_id=played.pk)
    assert [(facts.points_for, facts.points_against) for facts in facts_of(played)] == made


def test_a_match_whose_end_nobody_has_taken_in_yet_is_late_and_no_difference(played: Match) -> None:
    SeatFacts.objects.filter(match=played).delete()
    Match.objects.filter(pk=played.pk).update(settled_at=None)
    assert list(find_fact_differences()) == []


def test_the_command_compares_and_mends_them(played: Match) -> None:
    call_command("recompute", "--check", "--only", "statistiche")
    SeatFacts.objects.filter(match=played, side=1).update(plays=1)
    with pytest.raises(CommandError):
        call_command("recompute", "--check", "--only", "statistiche")
    call_command("recompute", "--only", "statistiche")
    call_command("recompute", "--check", "--only", "statistiche")


def test_a_forfeit_counts_with_its_points_and_no_more(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, ruleset="scopa")
    playing.abandon(match_id=match.pk, seat=0, control=again(match).controls[0], confirm=True, client_id=None, now=now)
    annas, brunos = facts_of(match)
    assert (annas.outcome, brunos.outcome, annas.plays, annas.settebello) == ("lost", "won", 0, 0)


def test_facts_written_twice_are_the_same_and_differences_are_found_and_mended(played: Match) -> None:
    before = [facts.__dict__ | {"_state": None} for facts in facts_of(played)]
    store_facts(match_id=played.pk)
    assert [facts.__dict__ | {"_state": None} for facts in facts_of(played)] == before
    assert list(find_fact_differences()) == []
    SeatFacts.objects.filter(match=played, side=0).update(scope=77)
    assert recompute_facts() == [played.public_id]
    SeatFacts.objects.filter(match=played).delete()
    assert recompute_facts() == [played.public_id]
    assert list(find_fact_differences()) == []


def test_sums_months_and_companions_are_read_in_as_many_queries_for_any_number(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, django_assert_num_queries: Any
) -> None:
    for month in range(3):
        for four in ([anna, bruno, carla, dino], [bruno, anna, carla, dino]):
            match = seated(four, now, ruleset="tresette")
            playing.abandon(
                match_id=match.pk, seat=0, control=again(match).controls[0], confirm=True, client_id=None, now=now
            )
            SeatFacts.objects.filter(match=match).update(finished_at=now - timedelta(days=31 * month))
    rows = choose_facts(anna)
    with django_assert_num_queries(7):
        sums, months = read_sums(rows), read_months(rows)
        partners = list_companions(rows, anna, partners=True)
        opponents = list_companions(rows, anna, partners=False)
        assert list_rulesets(rows) == ["tresette"]
    assert (sums.matches, sums.won, sums.lost, sums.won_percent) == (6, 3, 3, 50)
    assert [(month.matches, month.won) for month in months] == [(2, 1)] * 3
    assert [month.month for month in months] == sorted(month.month for month in months)
    assert {(row.player, row.matches, row.won) for row in partners} == {(carla, 3, 0), (dino, 3, 3)}
    assert {(row.player.name, row.matches, row.won) for row in opponents} == {
        ("Bruno", 6, 3), ("Dino", 3, 0), ("Carla", 3, 3)
    }  # fmt: skip
    assert read_sums(rows.filter(finished_at__gte=now)).matches == 2
    assert read_sums(rows.filter(ruleset="scopa")).matches == 0
