"""Stored rankings (Y1): who is in them, and what they follow (Y4)."""

from datetime import datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from players.models import Person, Player, ProfileAudience
from players.services.close_account import close_account
from players.services.hide_name import hide_name
from scoring.models import Level
from tests.support.people import create_person
from tests.support.rankings import create_over, create_people, find_ranking, make_rankings, read_rows
from tournaments.clubs.actions import create_club, dissolve_club, vouch_for_club
from tournaments.models import NameClaim, Ranking, RankingChange, RankingRow, Register, RegisterCard, Tournament
from tournaments.rankings.checks import find_ranking_differences, recompute_rankings
from tournaments.rankings.points import find_bounds
from tournaments.rankings.queries import read_people
from tournaments.rankings.refresh import refresh_board, refresh_rankings
from tournaments.register.cards import renew_initials
from tournaments.register.forgetting import forget_typed_name
from tournaments.register.merging import merge_cards
from tournaments.venues import HALL

YEAR = timedelta(days=365)


@pytest.mark.rule("Y1")
def test_points_are_added_up_of_the_year_and_of_all_time_and_equals_share_the_rank(
    organiser: Player, now: datetime
) -> None:
    one, two, three, four = create_people(4, now)
    create_over(organiser, now - YEAR, {one: 67, two: 33, three: 14})
    create_over(organiser, now, {two: 34, three: 53, four: 1})
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == [
        (1, "Persona001", 67), (1, "Persona002", 67), (1, "Persona003", 67), (4, "Persona004", 1),
    ]  # fmt: skip
    assert [(rank, value) for rank, _name, value in read_rows(find_ranking("year"))] == [(1, 53), (2, 34), (3, 1)]
    before = Ranking.objects.get(kind="year", year=find_ranking("year").year - 1)
    assert read_rows(before)[0] == (1, "Persona001", 67)


@pytest.mark.rule("Y1")
def test_each_game_and_form_has_a_ranking_of_its_own(organiser: Player, now: datetime) -> None:
    one, two = create_people(2, now)
    create_over(organiser, now, {one: 67}, ruleset="scopa")
    create_over(organiser, now, {two: 33}, ruleset="scopa", pairs=True)
    create_over(organiser, now, {two: 14}, ruleset="tresette")
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == [(1, "Persona001", 67)]
    assert read_rows(find_ranking("ever", form="pairs")) == [(1, "Persona002", 33)]
    assert read_rows(find_ranking("ever", ruleset="tresette")) == [(1, "Persona002", 14)]


@pytest.mark.rule("Y1")
def test_a_year_is_romes(organiser: Player, now: datetime) -> None:
    (one,) = create_people(1, now)
    start, _end = find_bounds(2026)
    create_over(organiser, start, {one: 20})
    create_over(organiser, start - timedelta(seconds=1), {one: 10})
    make_rankings(now)
    years = {row.year: read_rows(row)[0][2] for row in Ranking.objects.filter(club=None, kind="year")}
    assert years == {2026: 20, 2025: 10}


@pytest.mark.rule("Y1")
def test_real_tables_count_on_the_site_only_for_a_club_that_staff_vouch_for(organiser: Player, now: datetime) -> None:
    (one,) = create_people(1, now)
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    create_over(organiser, now, {one: 67}, club=club, venue=HALL)
    create_over(organiser, now, {one: 50}, venue=HALL)
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == []
    assert read_rows(find_ranking("ever", club=club)) == [(1, "Persona001", 67)]
    vouch_for_club(club_id=club.pk, vouched=True, now=now)
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == [(1, "Persona001", 67)]
    vouch_for_club(club_id=club.pk, vouched=False, now=now)
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == []


@pytest.mark.rule("Y1")
def test_what_doesnt_count_on_the_site_counts_for_the_club(organiser: Player, now: datetime) -> None:
    typed = Person.objects.create(typed_name="Ada Neri")
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    create_over(organiser, now, {typed: 67, organiser.person: 33}, club=club, on_site=False)
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == []
    assert read_rows(find_ranking("year", club=club)) == [(1, "Ada Neri", 67), (2, "Teresa", 33)]


def test_equal_names_are_one_person_only_by_card_or_by_claim(organiser: Player, anna: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    first, second, third = (Person.objects.create(typed_name="Anna Rossi") for _ in range(3))
    create_over(organiser, now, {first: 10}, club=club)
    create_over(organiser, now, {second: 20}, club=club)
    over = create_over(organiser, now, {third: 40}, club=club)
    create_over(organiser, now, {anna.person: 5}, club=club)
    make_rankings(now)
    assert [value for _rank, _name, value in read_rows(find_ranking("ever", club=club))] == [40, 20, 10, 5]
    register = Register.objects.create(club=club)
    cards = [
        RegisterCard.objects.create(register=register, person=person, name_key="annarossi", created_at=now)
        for person in (first, second)
    ]
    merge_cards(register=register, by=organiser, card_id=cards[0].public_id, double_id=cards[1].public_id, now=now)
    NameClaim.objects.create(tournament=over, player=anna, person=third, state="accepted", asked_at=now)
    make_rankings(now)
    assert read_rows(find_ranking("ever", club=club)) == [(1, "Anna", 45), (2, "Anna Rossi", 30)]


@pytest.mark.rule("Y1")
def test_levels_rank_who_shows_theirs_to_everybody(four: list[Player], now: datetime) -> None:
    for number, player in enumerate(four):
        Level.objects.create(
            player=player, ruleset="scopa", form="alone", mu=25 + number, sigma=3 + number / 2, matches=9, rated_at=now
        )
    ProfileAudience.objects.create(player=four[3], levels="friends")
    make_rankings(now)
    assert read_rows(find_ranking("level")) == [(1, "Carla", 1620), (2, "Bruno", 1560), (3, "Anna", 1500)]
    assert [row.uncertain for row in find_ranking("level").rows.order_by("place")] == [False, False, False]
    ProfileAudience.objects.filter(player=four[3]).update(levels="everybody")
    make_rankings(now)
    assert read_rows(find_ranking("level"))[0] == (1, "Dino", 1680)
    assert find_ranking("level").rows.get(place=1).uncertain


def test_levels_that_havent_changed_are_left_as_they_are(anna: Player, now: datetime) -> None:
    level = Level.objects.create(player=anna, ruleset="scopa", form="alone", mu=26, sigma=3, matches=9, rated_at=now)
    assert refresh_rankings(now=now) == 1
    assert refresh_rankings(now=now) == 0
    Level.objects.filter(pk=level.pk).update(mu=26.5)
    assert refresh_rankings(now=now) == 1
    assert refresh_rankings(now=now + timedelta(days=1)) == 1  # sigma grows by days


@pytest.mark.rule("Y4")
def test_a_result_turned_round_changes_the_ranking_though_the_levels_add_up_to_the_same(
    anna: Player, bruno: Player, now: datetime
) -> None:
    for player, mu in ((anna, 27.0), (bruno, 23.0)):
        Level.objects.create(player=player, ruleset="scopa", form="alone", mu=mu, sigma=7, matches=1, rated_at=now)
    make_rankings(now)
    Level.objects.filter(player=anna).update(mu=23.0)
    Level.objects.filter(player=bruno).update(mu=27.0)
    make_rankings(now)
    assert [name for _rank, name, _value in read_rows(find_ranking("level"))] == ["Bruno", "Anna"]


@pytest.mark.rule("Y4")
def test_a_change_is_followed_once_and_the_old_rows_are_gone(organiser: Player, now: datetime) -> None:
    (one,) = create_people(1, now)
    over = create_over(organiser, now, {one: 10})
    assert refresh_rankings(now=now) == 2  # of the year, of all time
    assert not RankingChange.objects.exists()
    assert refresh_rankings(now=now) == 0
    over.points.update(site_points=33)
    RankingChange.objects.create(ruleset="scopa", form="alone", year=now.year, at=now)
    refresh_rankings(now=now)
    assert read_rows(find_ranking("ever")) == [(1, "Persona001", 33)]
    assert RankingRow.objects.count() == 2


def test_two_who_make_a_ranking_at_once_dont_disturb_each_other(organiser: Player, now: datetime) -> None:
    (one,) = create_people(1, now)
    create_over(organiser, now, {one: 10})
    refresh_rankings(now=now)
    Ranking.objects.update(busy_since=now)
    RankingChange.objects.create(ruleset="scopa", form="alone", year=now.year, at=now)
    assert refresh_board((None, "scopa", "alone", "ever", 0), now) is None
    assert refresh_rankings(now=now) == 0
    assert RankingChange.objects.count() == 1, "it waits for the next look"
    assert refresh_rankings(now=now + timedelta(hours=1)) == 2, "whoever was at it has died"


@pytest.mark.rule("Y4")
def test_the_check_finds_what_differs_and_recomputing_mends_it(organiser: Player, now: datetime) -> None:
    one, two = create_people(2, now)
    create_over(organiser, now, {one: 10, two: 5})
    recompute_rankings(now)  # these points come from no results: nobody has any
    assert not Tournament.objects.get().points.exists()
    assert list(find_ranking_differences(now)) == []
    assert read_rows(find_ranking("ever")) == []
    Ranking.objects.filter(kind="ever").update(size=1)
    RankingRow.objects.create(
        ranking=find_ranking("ever"), generation=find_ranking("ever").generation, place=1, rank=1, person=one,
        name_key="persona001", value=10,
    )  # fmt: skip
    assert [difference.stored for difference in find_ranking_differences(now)] == [(1, 10)]
    recompute_rankings(now)
    assert list(find_ranking_differences(now)) == []


def test_a_closed_account_leaves_the_rankings_at_once_and_the_others_move_up(organiser: Player, now: datetime) -> None:
    one, two = (create_person(name, now) for name in ("Rosa", "Viola"))
    create_over(organiser, now, {one.person: 10, two.person: 5})
    make_rankings(now)
    close_account(player_id=one.pk, now=now)
    assert [name for _rank, name, _value in read_rows(find_ranking("ever"))] == ["Viola"]
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == [(1, "Viola", 5)]


@pytest.mark.rule("Y1", "I1")
def test_a_name_that_is_hidden_finds_nobody_from_then_on(organiser: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    child = Person.objects.create(typed_name="Ada Neri")
    rude = create_person("Scurrile", now)
    create_over(organiser, now, {child: 10, rude.person: 5}, club=club)
    make_rankings(now)
    ranking = find_ranking("ever", club=club)
    register = Register.objects.create(club=club)
    card = RegisterCard.objects.create(register=register, person=child, name_key="adaneri", created_at=now, minor=True)
    renew_initials(card, now)
    hide_name(player_id=rude.pk, now=now)
    for name in ("Ada Neri", "Scurrile"):
        assert read_people(ranking, None, name=name).rows == ()
    assert len(read_people(ranking, None).rows) == 2
    assert RankingChange.objects.exists()


@pytest.mark.rule("Y1", "Y4")
def test_what_a_dissolved_clubs_real_tables_gave_counts_no_longer_with_the_next_look(
    organiser: Player, now: datetime
) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    vouch_for_club(club_id=club.pk, vouched=True, now=now)
    create_over(organiser, now, {organiser.person: 67}, club=club, venue=HALL)
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == [(1, "Teresa", 67)]
    dissolve_club(club_id=club.pk, by=organiser, now=now)
    make_rankings(now)
    assert read_rows(find_ranking("ever")) == []


@pytest.mark.rule("Y1", "Y4", "I1")
def test_whoever_is_forgotten_leaves_the_rankings_with_the_next_look(organiser: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    person = Person.objects.create(typed_name="Ada Neri")
    over = create_over(organiser, now, {person: 10}, club=club)
    make_rankings(now)
    forget_typed_name(tournament=over, by=organiser, person_id=person.pk, staff=False, now=now)
    make_rankings(now)
    assert read_rows(find_ranking("ever", club=club)) == []


@pytest.mark.rule("Y4")
def test_the_command_compares_and_mends(organiser: Player, now: datetime, capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = create_people(1, now)
    create_over(organiser, now, {one: 10})  # points that come from no result
    with pytest.raises(CommandError):
        call_command("recompute", "--check", "--only", "classifiche")
    assert "points: 10 → None" in capsys.readouterr().out
    call_command("recompute", "--only", "classifiche")
    call_command("recompute", "--check", "--only", "classifiche")
