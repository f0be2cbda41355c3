"""Confronto of a tournament's rounds (J10): percentages of each side, standings by them, a referee's corrections."""

from dataclasses import replace
from datetime import datetime
from fractions import Fraction

import pytest
from django.test import Client

from games.models import Deal, Match
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.equal import EQUAL, EQUAL_DANESE, begun, play_otherwise
from tests.support.html import read_attribute
from tests.support.play import OPENING, abandon, entry_of, open_ready, play
from tests.support.tournaments import Opened
from tournaments.desk import results
from tournaments.desk.act import Act
from tournaments.desk.comparison import ComparisonRuling, rule_comparison
from tournaments.desk.results import Decision
from tournaments.equal.queries import read_shares_by_fixture
from tournaments.hall.real_table_acts import move_to_real_table
from tournaments.models import Entry, Fixture, RoundBye, Tournament
from tournaments.rounds import wishes as round_wishes
from tournaments.running.recompute import find_differences

BY_PERCENTAGE = replace(EQUAL, tie_break="percentuale")


@arrange_once
def compared(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A girone of four by percentages whose first round is drawn."""
    return begun(opened, four, now, base=BY_PERCENTAGE)


def count_share(match: Match, other: Match) -> Fraction:
    """Return what side 0 of a table gets of a round of two tables, deal by deal, by the rule's own words."""
    tables = (table.deals.with_results().filter(finished=True, void=False) for table in (match, other))
    own, theirs = ({deal.number: deal.points_0 - deal.points_1 for deal in deals} for deals in tables)
    both = own.keys() & theirs.keys()
    return (
        Fraction(sum((own[k] > theirs[k]) * 2 + (own[k] == theirs[k]) for k in both), 2 * len(both))
        if both
        else Fraction(1, 2)
    )


@pytest.mark.rule("J10")
def test_percentages_are_what_the_deals_of_a_round_give(compared: Tournament, now: datetime) -> None:
    at = now + OPENING
    first, second = open_ready(compared, at)
    play(first, at)
    assert set(Entry.objects.filter(tournament=compared).values_list("percentage", "vp", "played")) == {("", 0, 0)}
    play_otherwise(second, at)
    share = count_share(first, second)
    shares = read_shares_by_fixture(compared)
    assert shares[Fixture.objects.get(match=first).pk] == ((share, 1 - share), "deals")
    assert shares[Fixture.objects.get(match=second).pk] == ((1 - share, share), "deals")
    entry = Fixture.objects.get(match=first).first
    assert entry is not None
    assert entry.percentage == str(share)
    assert find_differences(Tournament.objects.get(pk=compared.pk)) == []


@pytest.mark.rule("J10")
def test_standings_of_a_danese_go_by_the_mean_percentage(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = begun(opened, four, now, base=replace(EQUAL_DANESE, tie_break="percentuale"))
    for _number in (1, 2):
        first, second = open_ready(tournament, now + OPENING)
        now = max(play(first, now + OPENING), play_otherwise(second, now + OPENING))
    by_entry: dict[int, list[Fraction]] = {}
    for number in (1, 2):
        tables = [
            f.match for f in Fixture.objects.filter(round__tournament=tournament, round__number=number) if f.match
        ]
        for table, other in (tables, reversed(tables)):
            fixture, share = Fixture.objects.get(match=table), count_share(table, other)
            by_entry.setdefault(fixture.first_id or 0, []).append(share)
            by_entry.setdefault(fixture.second_id or 0, []).append(1 - share)
    rows = list(Entry.objects.filter(tournament=tournament).order_by("rank", "seed"))
    means = [sum(by_entry[row.pk], Fraction(0)) / 2 for row in rows]
    assert [row.percentage for row in rows] == [str(mean) for mean in means]
    assert [(mean, row.vp) for mean, row in zip(means, rows, strict=True)] == sorted(
        ((mean, row.vp) for mean, row in zip(means, rows, strict=True)), reverse=True
    )


@pytest.mark.rule("J10", "V5")
def test_who_forfeits_gets_nothing_and_the_deal_that_was_cut_short_is_not_compared(
    compared: Tournament, now: datetime
) -> None:
    at = now + OPENING
    first, second = open_ready(compared, at)
    abandon(first, 0, at)
    play(second, at)
    shares = read_shares_by_fixture(compared)
    assert Deal.objects.filter(match=first, finished=True).count() == 1, "it was counted, and broken off"
    assert shares[Fixture.objects.get(match=first).pk] == ((0, Fraction(7, 10)), "forfeit")
    assert shares[Fixture.objects.get(match=second).pk] == ((Fraction(1, 2), Fraction(1, 2)), "even")


@pytest.mark.rule("J10", "D1")
def test_a_bye_in_a_danese_is_sixty_per_cent(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = begun(opened, four[:3], now, base=replace(EQUAL_DANESE, tie_break="percentuale"))
    at = now + OPENING
    (match,) = open_ready(tournament, at)
    bye = Fixture.objects.get(round__tournament=tournament, round__number=1, state=Fixture.State.BYE)
    assert bye.first is not None
    assert bye.first.vp == 0, "the round isn't over"
    play(match, at)
    assert read_shares_by_fixture(tournament)[bye.pk] == ((Fraction(6, 10), None), "bye")
    bye.first.refresh_from_db()
    assert (bye.first.percentage, bye.first.vp) == ("3/5", 14)


@pytest.mark.rule("J10", "D2", "D3")
@pytest.mark.parametrize(
    ("kind", "share"), [(RoundBye.Kind.ASKED, Fraction(4, 10)), (RoundBye.Kind.ABSENT, Fraction(0))]
)
def test_a_round_that_somebody_asked_not_to_play_is_forty_per_cent_and_one_they_stayed_away_from_nothing(
    opened: Opened, organiser: Player, four: list[Player], now: datetime, kind: str, share: Fraction
) -> None:
    tournament = begun(opened, four, now, base=replace(EQUAL_DANESE, format_options={"rounds": 3}))
    own = entry_of(tournament, four[0])
    round_wishes.leave_out(tournament_id=tournament.pk, entry_id=own.pk, number=2, kind=kind, by=organiser, now=now)
    for match in open_ready(tournament, now + OPENING):
        now = max(now, play(match, now + OPENING))
    (match,) = open_ready(tournament, now + OPENING)
    play(match, now + OPENING)
    byes = Fixture.objects.filter(round__tournament=tournament, round__number=2, second=None, first__isnull=False)
    shares = read_shares_by_fixture(tournament)
    given = {bye.first_id: shares[bye.pk] for bye in byes}
    assert given.pop(own.pk) == ((share, None), "missed")
    assert list(given.values()) == [((Fraction(6, 10), None), "bye")]


@pytest.mark.rule("J10")
def test_during_a_round_standings_are_those_of_the_round_before(compared: Tournament, now: datetime) -> None:
    first, second = open_ready(compared, now + OPENING)
    now = max(play(first, now + OPENING), play_otherwise(second, now + OPENING))
    entries = Entry.objects.filter(tournament=compared).order_by("pk")
    standing = ("pk", "rank", "percentage", "vp", "mp", "played", "won")
    after_one = list(entries.values_list(*standing))
    assert {played for *_others, played, _won in after_one} == {1}
    first, second = open_ready(compared, now + OPENING)
    now = play(first, now + OPENING)
    assert list(entries.values_list(*standing)) == after_one
    play_otherwise(second, now)
    assert {played for *_others, played, _won in entries.values_list(*standing)} == {2}


@pytest.mark.rule("J10", "F2")
def test_an_annulled_fixture_gives_its_lines_no_percentage_and_stays_in_the_others_comparison(
    compared: Tournament, organiser: Player, now: datetime
) -> None:
    at = now + OPENING
    first, second = open_ready(compared, at)
    at = max(play(first, at), play_otherwise(second, at))
    share = count_share(second, first)
    fixtures = [Fixture.objects.get(match=match) for match in (first, second)]
    act = Act(organiser, "carte viste", at)
    results.annul_result(tournament_id=compared.pk, fixture_id=fixtures[0].pk, act=act)
    shares = read_shares_by_fixture(compared)
    assert shares[fixtures[0].pk] == ((None, None), "annulled")
    assert shares[fixtures[1].pk] == ((share, 1 - share), "deals")
    assert fixtures[0].first is not None
    fixtures[0].first.refresh_from_db()
    assert fixtures[0].first.percentage == ""


@pytest.mark.rule("J10", "F2")
def test_a_referee_takes_a_table_out_of_the_comparison_or_writes_its_deals_or_percentages(
    compared: Tournament, organiser: Player, now: datetime
) -> None:
    at = now + OPENING
    first, second = open_ready(compared, at)
    at = max(play(first, at), play_otherwise(second, at))
    fixtures = [Fixture.objects.get(match=match) for match in (first, second)]
    points = [(deal.points_0, deal.points_1) for deal in second.deals.with_results().filter(void=False)]
    higher = tuple((pair[0] + 1, pair[1] - 1) if pair[1] else (pair[0], pair[1]) for pair in points)
    decide = {"tournament_id": compared.pk, "fixture_id": fixtures[0].pk}
    total = (sum(pair[0] for pair in higher), sum(pair[1] for pair in higher))
    winner = None if total[0] == total[1] else int(total[1] > total[0])
    decision = Decision(points=total, winner=winner, deals=higher)
    results.set_result(decision=decision, act=Act(organiser, "segnati male", at), **decide)
    expected = Fraction(sum(2 if a[1] else 1 for a in points), 2 * len(points))
    assert read_shares_by_fixture(compared)[fixtures[0].pk][0] == (expected, 1 - expected)
    rule_comparison(ruling=ComparisonRuling(percent=(5500, 4000)), act=Act(organiser, "metà colpa", at), **decide)
    assert read_shares_by_fixture(compared)[fixtures[0].pk] == ((Fraction(55, 100), Fraction(40, 100)), "ruled")
    results.annul_result(act=Act(organiser, "carte viste", at), **decide)
    rule_comparison(ruling=ComparisonRuling(left_out=True), act=Act(organiser, "carte viste", at), **decide)
    assert read_shares_by_fixture(compared)[fixtures[1].pk] == ((Fraction(1, 2), Fraction(1, 2)), "even")


@pytest.mark.rule("J10", "F2", "O1")
def test_deals_of_a_real_table_are_not_compared(compared: Tournament, organiser: Player, now: datetime) -> None:
    at = now + OPENING
    first, second = open_ready(compared, at)
    decide = {"tournament_id": compared.pk, "fixture_id": Fixture.objects.get(match=first).pk}
    act = Act(organiser, "manca la rete", at)
    move_to_real_table(table=None, act=act, **decide)
    played = Decision(points=(4, 2), winner=0, deals=((2, 1), (2, 1)))
    results.set_result(decision=played, act=act, **decide)
    play(second, at)
    assert {why for _shares, why in read_shares_by_fixture(compared).values()} == {"even"}


@pytest.mark.rule("J10", "R3")
def test_the_explained_standings_have_every_percentage_and_lead_to_the_travellers(
    compared: Tournament, four: list[Player], now: datetime, client: Client
) -> None:
    at = now + OPENING
    matches = open_ready(compared, at)
    play(matches[0], at)
    play_otherwise(matches[1], at)
    page = client.get(f"/tornei/{compared.public_id}/classifica/").content.decode()
    told = {share for share in read_attribute(page, "data-share") if share}
    share = count_share(matches[0], matches[1])
    assert told == {str(share), str(1 - share)}
    entry = entry_of(compared, four[0])
    assert f"/tornei/{compared.public_id}/carte/1/" in page
    assert entry.separation is None or entry.separation["code"] in ("percentage", "vp", "equal")
