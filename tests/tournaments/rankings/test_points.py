"""Points of finished tournaments as they are stored (Y2), and what they follow (Y4)."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from players.models import Player
from tests.support.counting import measure
from tests.support.people import create_person, give_address, take_house
from tests.support.real_tables import draw_real
from tests.support.standings import LEVEL, create_field, fill_tournament, write_result, write_results
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.desk import results, substitution
from tournaments.desk.act import Act
from tournaments.models import Entry, EntryMember, Fixture, LineUp, RankingChange, Tournament
from tournaments.rankings.points import compute_points, find_point_differences, read_points, store_points
from tournaments.running import start
from tournaments.running.results import advance
from tournaments.running.withdraw import withdraw_entry


def read_by_seed(tournament: Tournament) -> dict[int | None, tuple[int, int, int | None]]:
    """Rank, field and points by the seed of the entry, of its first person."""
    return {
        row.entry.seed: (row.rank, row.field, row.points)
        for row in tournament.points.select_related("entry").order_by("-pk")
    }


def read_site(tournament: Tournament) -> dict[int | None, tuple[int | None, int | None, int | None]]:
    rows = tournament.points.select_related("entry")
    return {row.entry.seed: (row.site_rank, row.site_field, row.site_points) for row in rows}


def finish_girone(opened: Opened, now: datetime, known: int = 4) -> Tournament:
    """A girone of four that is over: seed 3 first, then 1, 2 and 4. So many have confirmed accounts at the draw."""
    starts_at = now + timedelta(hours=1)
    tournament = opened(GIRONE, min_entries=4, max_entries=5, seeding="organiser", starts_at=starts_at)
    entries = [Entry.objects.create(tournament=tournament, created_at=now, placed=number) for number in range(1, 5)]
    for number, entry in enumerate(entries, start=1):
        player = create_person(f"Numero{number}", now)
        if number <= known:
            give_address(player)
        EntryMember.objects.create(entry=entry, tournament=tournament, person=player.person)
    start.start_due(tournament_id=tournament.pk, now=starts_at)
    write_results(tournament, now, {**LEVEL, (3, 1): (14, 6)})
    return tournament


@pytest.mark.rule("Y2")
def test_the_points_are_written_when_it_ends(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    assert tournament.state == Tournament.State.FINISHED
    assert read_by_seed(tournament) == {3: (1, 4, 67), 2: (2, 4, 33), 1: (3, 4, 14), 4: (4, 4, 1)}
    assert find_point_differences(tournament) == []
    assert {points.points for points in read_points(tournament).values()} == {67, 33, 14, 1}


@pytest.mark.rule("Y2")
def test_nothing_is_written_before_the_end(opened: Opened, now: datetime) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    write_results(tournament, now, {(1, 4): (16, 4)})
    assert not tournament.points.exists()
    assert not RankingChange.objects.exists()


@pytest.mark.rule("Y4")
def test_a_correction_after_the_end_goes_through_to_the_points(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    RankingChange.objects.all().delete()
    fixture = Fixture.objects.of(tournament).get(first__seed=3, second__seed=1)
    write_result(fixture, (0, 20), (-20, 20), now)
    results.recompute_after(tournament, now, [fixture])
    tournament.refresh_from_db()
    assert read_by_seed(tournament)[1][0] == 1
    assert RankingChange.objects.count() == 1
    assert find_point_differences(tournament) == []


@pytest.mark.rule("Y4")
def test_a_tournament_that_goes_on_again_has_no_points_meanwhile(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    RankingChange.objects.all().delete()
    Fixture.objects.of(tournament).filter(first__seed=3, second__seed=1).update(
        state=Fixture.State.READY, result_at=None, winner=None, vp_0=None, vp_1=None, mp_0=None, mp_1=None
    )
    results.recompute_after(tournament, now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    assert not tournament.points.exists()
    assert RankingChange.objects.count() == 1


@pytest.mark.rule("Y4")
def test_what_isnt_what_the_results_give_is_found_and_mended(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    row = tournament.points.get(rank=1)
    tournament.points.filter(pk=row.pk).update(points=99)
    ((key, stored, given),) = find_point_differences(tournament)
    assert key == (row.entry_id, row.person_id)
    assert stored is not None
    assert given is not None
    assert (stored.points, given.points) == (99, 67)
    assert store_points(tournament, now)
    assert not store_points(tournament, now)
    assert find_point_differences(tournament) == []


@pytest.mark.rule("Y1")
def test_who_has_no_confirmed_account_counts_neither_in_the_field_nor_in_the_rank(
    opened: Opened, now: datetime
) -> None:
    tournament = finish_girone(opened, now, known=3)
    assert read_site(tournament) == {3: (1, 3, None), 2: (2, 3, None), 1: (3, 3, None), 4: (None, None, None)}
    assert read_by_seed(tournament)[3] == (1, 4, 67)


@pytest.mark.rule("Y1")
def test_an_account_that_is_confirmed_after_the_draw_comes_too_late(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now, known=3)
    give_address(Player.objects.get(name="Numero4"))
    store_points(tournament, now)
    assert read_site(tournament)[4] == (None, None, None)


@pytest.mark.rule("Y1")
def test_an_imported_tournament_counts_on_no_site(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    assert read_site(tournament)[3] == (1, 4, 67)
    tournament.imported_from = "Circolo di Bari"
    store_points(tournament, now)
    assert read_site(tournament)[3] == (None, None, None)
    assert read_by_seed(tournament)[3] == (1, 4, 67)


@pytest.mark.rule("Y2")
def test_the_house_counts_neither_in_the_field_nor_in_the_rank(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    (bot,) = take_house(count=1, now=now)
    tournament.members.filter(entry__seed=3).update(person=bot.person)
    store_points(tournament, now)
    assert read_by_seed(tournament) == {2: (1, 3, None), 1: (2, 3, None), 4: (3, 3, None)}


@pytest.mark.rule("Y2")
def test_an_annulled_line_has_no_points_and_is_no_part_of_the_field(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = fill_tournament(opened, 5, now, GIRONE)
    leaver = tournament.entries.get(seed=5)
    withdraw_entry(tournament_id=tournament.pk, entry_id=leaver.pk, by=organiser, reason="va via", now=now)
    pairs = {(a, b): (12, 8) for a in range(1, 5) for b in range(1, 5) if a != b}
    write_results(tournament, now, pairs)
    assert tournament.state == Tournament.State.FINISHED
    rows = read_by_seed(tournament)
    assert 5 not in rows
    assert {row[1] for row in rows.values()} == {4}


@pytest.mark.rule("Y2")
def test_who_never_came_is_no_part_of_the_field_and_an_expelled_line_has_nothing(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    own = Fixture.objects.of(tournament).filter(first__seed=4) | Fixture.objects.of(tournament).filter(second__seed=4)
    for fixture in own.select_related("first"):
        assert fixture.first is not None
        side = 0 if fixture.first.seed == 4 else 1
        Fixture.objects.filter(pk=fixture.pk).update(forfeit_by=side, winner=1 - side, decided_by="noshow")
    store_points(tournament, now)
    assert {row[1] for row in read_by_seed(tournament).values()} == {3}
    tournament.entries.filter(seed=1).update(expelled=True)
    store_points(tournament, now)
    assert read_by_seed(tournament) == {3: (1, 2, None), 2: (2, 2, None)}


@pytest.mark.rule("Y2")
def test_a_ko_without_a_winner_gives_both_finalists_the_second_place(opened: Opened, now: datetime) -> None:
    tournament = fill_tournament(opened, 4, now, KO)
    for number in (1, 2):
        fixtures = Fixture.objects.of(tournament).filter(round__number=number)
        for fixture in fixtures:
            fixture.state, fixture.result_at, fixture.winner = Fixture.State.DONE, now, 0 if number == 1 else None
            fixture.double_forfeit = number == 2
            fixture.decided_by = "timeout" if number == 2 else "points"
            fixture.points_0, fixture.points_1 = 21, 10
            fixture.save()
        advance(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert sorted(row[2] or 0 for row in read_by_seed(tournament).values()) == [7, 7, 33, 33]


@pytest.mark.rule("Y2")
def test_after_a_substitution_each_has_the_points_by_the_fixtures_played(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = fill_tournament(opened, 4, now, GIRONE)
    write_results(tournament, now, {key: value for key, value in LEVEL.items() if key in {(1, 4), (2, 3)}})
    first = tournament.entries.get(seed=1)
    old, new = first.members.get().require_player(), create_person("Sergio", now)
    give_address(new)
    act = Act(by=organiser, reason="sta male", key="k1", now=now)
    substitution.replace_player(
        tournament_id=tournament.pk, entry_id=first.pk, player_id=old.pk, name="Sergio", act=act
    )
    if not first.members.filter(person=new.person).exists():  # who hasn't agreed beforehand accepts first (E3)
        invitation = tournament.invitations.get(replaces=old.person)
        substitution.take_place(tournament_id=tournament.pk, player=new, invitation_id=invitation.pk, now=now)
    write_results(tournament, now, {**LEVEL, (1, 2): (20, 0)})
    points = read_points(tournament)
    assert (points[old.person.pk].points, points[new.person.pk].points) == (22, 45)  # of 67: a third and two thirds
    assert points[old.person.pk].rank == points[new.person.pk].rank == 1


@pytest.mark.rule("Y2")
def test_of_a_team_whoever_played_a_third_of_its_fixtures_has_the_points(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    Tournament.objects.filter(pk=tournament.pk).update(team_size=3)
    tournament.refresh_from_db()
    reserve, spectator = (create_person(name, now).person for name in ("Riserva", "Panchina"))
    best = tournament.entries.get(seed=3)
    captain = best.members.get().person
    for position, person in enumerate((reserve, spectator), start=1):
        EntryMember.objects.create(entry=best, tournament=tournament, person=person, position=position)
    played = list(Fixture.objects.of_entry(best).order_by("pk"))
    for number, fixture in enumerate(played):
        side = 0 if fixture.first_id == best.pk else 1
        LineUp.objects.create(fixture=fixture, side=side, person=reserve if number == 0 else captain)
    for fixture in Fixture.objects.of(tournament).select_related("first", "second"):
        for side, entry in enumerate((fixture.first, fixture.second)):
            if entry is not None and entry != best:
                LineUp.objects.create(fixture=fixture, side=side, person=entry.members.get().person)
    store_points(tournament, now)
    points = read_points(tournament)
    assert (points[captain.pk].points, points[reserve.pk].points) == (67, 67)
    assert spectator.pk not in points


@pytest.mark.rule("Y1")
def test_typed_names_have_points_for_the_club_and_none_on_the_site(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now)
    write_results(tournament, now, LEVEL)
    assert tournament.state == Tournament.State.FINISHED
    assert tournament.points.filter(points__isnull=False, person__player=None).count() == 4
    assert not tournament.points.filter(site_rank__isnull=False).exists()


def test_a_tournament_that_was_called_off_gives_none(opened: Opened, now: datetime) -> None:
    tournament = finish_girone(opened, now)
    tournament.state = Tournament.State.CANCELLED
    assert compute_points(tournament) == {}


def test_the_points_of_a_big_field_take_as_many_queries_as_of_a_small_one(opened: Opened, now: datetime) -> None:
    counts = []
    for size in (4, 12):
        tournament = create_field(opened, KO, size, now + timedelta(seconds=size))
        Fixture.objects.of(tournament).filter(second__isnull=False).update(
            state=Fixture.State.DONE, result_at=now, winner=0
        )
        Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED, finished_at=now)
        tournament.entries.update(rank=2)
        tournament.refresh_from_db()
        counts.append(measure(partial(store_points, tournament, now))[0])
    assert counts[0] == counts[1]
