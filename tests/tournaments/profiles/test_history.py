"""A person's history: matches of the site, tournaments' among them, and results without a match."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.game import Length
from games.facts.store import store_facts
from games.models import Match
from games.services.annulment import annul_match
from players.models import Person, Player
from tests.support import play as running
from tests.support.entries import fill_sit_and_go
from tests.support.html import read_attribute, read_hooks
from tests.support.people import create_person, give_address
from tests.support.real_tables import draw_present, type_names
from tests.support.tables import play_out, seated
from tests.support.tournaments import GIRONE, Opened
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, declare_forfeit, set_result
from tournaments.models import Fixture
from tournaments.own_names import claims
from tournaments.profiles.history import HistoryRow, read_history
from tournaments.profiles.played_tournaments import read_played_tournaments
from tournaments.profiles.statistics import read_statistics
from tournaments.venues import HALL

pytestmark = pytest.mark.django_db


def test_a_tournaments_matches_and_forfeits_are_history_too(
    client: Client, opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four, now)
    now = running.rounds_played(tournament, now)
    tournament.refresh_from_db()
    winner = tournament.entries.get(rank=1).members.get().person.player
    assert winner is not None
    history = read_history(winner)
    assert [row.outcome for row in history.rows] == ["won", "won"]
    assert {row.title for row in history.rows} == {tournament.name}
    page = client.get(reverse("person", args=[winner.public_id]))
    assert read_hooks(page, "outcome") == ["won", "won"]
    played = client.get(reverse("person-tournaments", args=[winner.public_id]))
    assert read_hooks(played, "rank") == ["1"]
    awards = client.get(reverse("person-awards", args=[winner.public_id]))
    assert read_hooks(awards, "tournament") == [tournament.public_id]
    assert read_hooks(page, "trophies") == ["1"]
    assert "no_matches" not in read_hooks(page, "note")


def test_what_one_has_played_is_told_from_ones_own_side(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    match = seated([anna, bruno, carla, dino], now, ruleset="tresette", context="free")
    assert read_history(bruno).rows == ()

    def read(player: Player, **result: Any) -> HistoryRow:
        Match.objects.filter(pk=match.pk).update(status="finished", finished_at=now, **result)
        store_facts(match_id=match.pk)
        [row] = read_history(player).rows
        return row

    won, lost = (read(player, winner=1, score_0=3, score_1=11) for player in (bruno, anna))
    assert (won.outcome, won.score, won.partners, won.opponents) == ("won", (11, 3), (dino,), (anna, carla))
    assert (lost.outcome, lost.score, lost.partners, lost.opponents) == ("lost", (3, 11), (carla,), (bruno, dino))
    assert read(anna, winner=None, score_0=7, score_1=7).outcome == "drawn"
    assert read(carla, both_forfeited=True).outcome == "lost"


@pytest.mark.rule("BR4")
def test_the_points_of_the_cards_stand_beside_a_score_of_deals(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, ruleset="briscola", length=Length("deals", 1), context="free")
    play_out(match, now)
    [row] = read_history(anna).rows
    assert row.cards is not None
    assert sum(row.cards) == 120
    ours, theirs = row.cards
    assert f"{ours}–{theirs}" in client.get(reverse("person", args=[anna.public_id])).content.decode()
    result = client.get(reverse("match-result", args=[match.public_id]))
    assert read_attribute(result, "data-cards") == [str(ours), str(theirs)]
    assert any(f"({ours}–{theirs})" in about for about in read_attribute(result, "content", "meta"))
    picture = client.get(reverse("match-picture", args=[match.public_id])).content.decode()
    assert f">({ours})<" in picture
    assert "cards" in read_hooks(client.get(reverse("person-statistics", args=[anna.public_id])), "stat")


def test_a_free_match_that_was_annulled_is_said_to_be_so_and_counts_in_no_statistic(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, ruleset="scopa", context="free")
    annul_match(match_id=match.pk, now=play_out(match, now))
    assert [row.outcome for row in read_history(anna).rows] == ["annulled"]
    assert read_statistics(anna, ruleset="", period="", now=now).sums.matches == 0
    assert read_hooks(client.get(reverse("person", args=[anna.public_id])), "outcome") == ["annulled"]


def test_a_result_that_a_referee_gave_without_a_match_stands_there(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four[:2], now, base=GIRONE)
    fixture = Fixture.objects.of(tournament).open().get()
    act = Act(by=organiser, reason="assente", now=now)
    declare_forfeit(tournament_id=tournament.pk, fixture_id=fixture.pk, act=act, lines=(0,))
    fixture.refresh_from_db()
    assert fixture.first is not None
    loser = fixture.first.members.get().person.player
    for player in four[:2]:
        outcomes = [row.outcome for row in read_history(player).rows]
        assert outcomes == ["lost" if player == loser else "won"]


def test_what_was_played_at_a_real_table_under_a_claimed_name_stands_there(
    opened: Opened, organiser: Player, anna: Player, now: datetime
) -> None:
    tournament = opened(GIRONE, venue=HALL, max_entries=16)
    type_names(tournament, ["Anna B.", "Ugo"], now)
    draw_present(tournament, now)
    give_address(anna)
    person = Person.objects.get(typed_name="Anna B.")
    claim = claims.claim_name(tournament_id=tournament.pk, player=anna, person_id=person.pk, now=now)
    assert read_history(anna).rows == ()
    claims.answer_claim(tournament_id=tournament.pk, by=organiser, claim_id=claim.pk, yes=True, reason="", now=now)
    fixture = Fixture.objects.of(tournament).get()
    act = Act(by=organiser, reason="", now=now)
    decision = Decision(points=(7, 4), winner=0)
    set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=act)
    [row] = read_history(anna).rows
    own = fixture.first is not None and fixture.first.members.filter(person=person).exists()
    assert (row.outcome, row.real, row.table) == ("won" if own else "lost", True, "")
    assert [opponent.public_name for opponent in row.opponents if isinstance(opponent, Person)] == ["Ugo"]
    [played] = read_played_tournaments(anna).rows
    assert played.tournament == tournament


def test_pages_of_it_cost_the_same_however_long_it_is(
    client: Client, anna: Player, bruno: Player, now: datetime, django_assert_max_num_queries: Any
) -> None:
    match = seated([anna, bruno], now, ruleset="scopa", context="free")
    play_out(match, now)
    facts = match.facts.get(player=anna)
    for number in range(45):
        copy = Match.objects.get(pk=match.pk)
        copy.pk, copy.public_id, copy.commitment = None, f"copia{number}", None
        copy.finished_at = now - timedelta(days=number + 1)
        copy._state.adding = True
        copy.save()
        for place, player in enumerate((anna, bruno)):
            seat = copy.seats.create(number=place, player=player, live=False)
            facts.pk, facts.match, facts.player, facts.side = seat.pk, copy, player, place
            facts.finished_at = copy.finished_at
            facts._state.adding = True
            facts.save()
    url = reverse("person-matches", args=[anna.public_id])
    with django_assert_max_num_queries(16):
        page = client.get(url)
    assert len(read_hooks(page, "outcome")) == 20
    assert "?pagina=2" in read_attribute(page, "href")
    last = client.get(url, {"pagina": 3})
    assert len(read_hooks(last, "outcome")) == 6
    assert read_history(anna, 99).number == 3
    with django_assert_max_num_queries(26):
        client.get(reverse("person-statistics", args=[anna.public_id]))


def test_a_stranger_has_none(now: datetime) -> None:
    nobody = create_person("Elio", now)
    assert (read_history(nobody).total, read_played_tournaments(nobody).total) == (0, 0)
