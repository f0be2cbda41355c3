"""A round of a danese that can't be paired any more (D1): it is said before and after the act that causes it, and the
organiser chooses how it is played."""

from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.dead_ends import pair_across, play_round, play_to_dead_end, play_two_rounds, publish_pairs
from tests.support.html import read_attribute, read_hooks
from tests.support.pages import get_tournament_page, tournament_url
from tests.support.real_tables import draw_real
from tests.support.tournaments import Opened, catch_code
from tournaments.desk.rehearsal import rehearse
from tournaments.models import Fixture, LogEntry, RoundBye, Tournament
from tournaments.pages.after_match import _describe_waiting
from tournaments.rounds import drafts
from tournaments.rounds import wishes as round_wishes
from tournaments.running import dead_ends, ways_out, withdraw
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.django_db, pytest.mark.rule("D1")]

WHY = "Siamo rimasti senza abbinamenti"


@arrange_once
def two_rounds(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    return play_two_rounds(opened, four, now)


@arrange_once
def stuck(two_rounds: Tournament, now: datetime) -> Tournament:
    play_to_dead_end(two_rounds, now)
    return two_rounds


def list_codes(tournament: Tournament) -> list[str]:
    return list(LogEntry.objects.filter(tournament=tournament).order_by("pk").values_list("code", flat=True))


def choose(tournament: Tournament, way: str, now: datetime, **more: Any) -> None:
    about = {"number": 4, "reason": WHY, "by": tournament.organiser, **more}
    ways_out.choose_way(tournament_id=tournament.pk, way=way, now=now, **about)
    tournament.refresh_from_db()


def list_fourth(tournament: Tournament) -> list[tuple[int | None, int | None]]:
    fixtures = Fixture.objects.of(tournament).filter(round__number=4, first__isnull=False).order_by("board")
    return [(fixture.first_id, fixture.second_id) for fixture in fixtures]


def test_a_draft_that_leaves_a_later_round_without_pairs_says_so_before_it_is_published(
    two_rounds: Tournament, now: datetime, client: Client
) -> None:
    draft = drafts.draw_round(tournament_id=two_rounds.pk, by=two_rounds.organiser, now=now)
    two_rounds.refresh_from_db()
    assert drafts.find_dead_end(two_rounds, draft) is None
    client.force_login(two_rounds.organiser.user)
    url = tournament_url("tournament-rounds", two_rounds)
    assert "dead_end" not in read_hooks(client.get(url), "note")
    assert two_rounds.draft is not None
    two_rounds.draft["pairs"] = [list(pair) for pair in pair_across(two_rounds, 2)]
    two_rounds.save(update_fields=["draft"])
    page = client.get(url)
    assert "dead_end" in read_hooks(page, "note")
    assert read_hooks(page, "stuck") == ["4"]
    assert two_rounds.stuck_round is None, "a draft is no round yet"


def test_the_tournament_waits_for_the_choice_and_the_log_says_why(stuck: Tournament, now: datetime) -> None:
    assert stuck.state == Tournament.State.RUNNING
    assert stuck.stuck_round == 4
    assert "round_stuck" in list_codes(stuck)
    assert find_differences(stuck) == []
    assert ways_out.list_ways(stuck) == ("bye", "rematch", "end")
    assert catch_code(drafts.draw_round, tournament_id=stuck.pk, by=stuck.organiser, now=now) == "round_stuck"


def test_a_second_bye_is_published_like_any_round(stuck: Tournament, now: datetime) -> None:
    choose(stuck, "bye", now)
    assert list_fourth(stuck) == [], "the organiser publishes it"
    publish_pairs(stuck, now)
    pairs = list_fourth(stuck)
    assert [second for _first, second in pairs].count(None) == 2
    play_round(stuck, now)
    assert stuck.state == Tournament.State.FINISHED
    assert find_differences(stuck) == []
    assert "rounds_dropped" not in list_codes(stuck)


def test_in_the_last_round_a_rematch_is_made_once(stuck: Tournament, now: datetime) -> None:
    choose(stuck, "rematch", now)
    publish_pairs(stuck, now)
    before = Fixture.objects.of(stuck).filter(round__number__lt=4, first__isnull=False)
    met = {frozenset((fixture.first_id, fixture.second_id)) for fixture in before}
    assert sum(frozenset(pair) in met for pair in list_fourth(stuck)) == 1
    play_round(stuck, now)
    assert stuck.state == Tournament.State.FINISHED
    assert find_differences(stuck) == []


def test_the_end_is_taken_back_like_any_other_choice(stuck: Tournament, now: datetime) -> None:
    choose(stuck, "end", now)
    assert stuck.state == Tournament.State.FINISHED
    assert list_codes(stuck)[-3:] == ["round_way", "rounds_dropped", "finished"]
    about = {"tournament_id": stuck.pk, "number": 4, "by": stuck.organiser, "now": now}
    assert catch_code(ways_out.take_way_back, reason="", **about) == "reason_missing"
    ways_out.take_way_back(reason=WHY, **about)
    stuck.refresh_from_db()
    assert stuck.state == Tournament.State.RUNNING
    assert stuck.finished_at is None
    assert list_codes(stuck)[-1] == "round_way_back"
    assert catch_code(ways_out.take_way_back, reason=WHY, **about) == "no_way_chosen"


def test_a_choice_needs_the_organiser_a_reason_and_a_round_that_cannot_be_paired(
    stuck: Tournament, now: datetime, anna: Player
) -> None:
    about: dict[str, Any] = {"tournament_id": stuck.pk, "now": now, "by": stuck.organiser, "reason": WHY}
    assert catch_code(ways_out.choose_way, **{**about, "by": anna}, number=4, way="bye") == "not_organiser"
    assert catch_code(ways_out.choose_way, **{**about, "reason": " "}, number=4, way="bye") == "reason_missing"
    assert catch_code(ways_out.choose_way, **about, number=3, way="bye") == "way_not_needed"
    assert catch_code(ways_out.choose_way, **about, number=4, way="other") == "way_not_there"
    choose(stuck, "bye", now)
    assert catch_code(ways_out.choose_way, **about, number=4, way="bye") == "way_chosen"
    publish_pairs(stuck, now)
    assert catch_code(ways_out.take_way_back, **about, number=4) == "way_not_needed", "it is published"


def test_the_page_of_the_rounds_offers_the_choice_and_shows_what_it_does_first(
    stuck: Tournament, now: datetime, client: Client
) -> None:
    client.force_login(stuck.organiser.user)
    url = tournament_url("tournament-rounds", stuck)
    page = client.get(url)
    assert read_hooks(page, "stuck") == ["4"]
    sent = {"act": "way", "number": "4", "way": "end", "reason": WHY}
    shown = client.post(url, sent)
    assert "ends" in read_hooks(shown, "note")
    stuck.refresh_from_db()
    assert stuck.state == Tournament.State.RUNNING, "nothing has happened yet"
    seal = read_attribute(shown, "value", "button")
    assert client.post(url, {**sent, "sure": seal[0]}).status_code == 302
    stuck.refresh_from_db()
    assert stuck.state == Tournament.State.FINISHED
    assert "way_chosen" in read_hooks(client.get(url), "note")
    public = get_tournament_page(client, stuck)
    assert "Lo pubblica chi organizza" not in public


def test_the_tournaments_page_says_that_the_round_waits_for_a_choice(stuck: Tournament, client: Client) -> None:
    page = get_tournament_page(client, stuck)
    assert "come si va avanti lo decide chi organizza" in page
    assert "Lo pubblica chi organizza, quando" not in page


def test_rounds_that_publish_themselves_end_and_go_on_by_a_choice(two_rounds: Tournament, now: datetime) -> None:
    publish_pairs(two_rounds, now, pair_across(two_rounds, 2))
    Tournament.objects.filter(pk=two_rounds.pk).update(publishes_rounds=False)
    two_rounds.refresh_from_db()
    play_round(two_rounds, now)
    assert two_rounds.state == Tournament.State.FINISHED
    assert list_codes(two_rounds)[-2:] == ["rounds_dropped", "finished"]
    choose(two_rounds, "rematch", now)
    assert two_rounds.state == Tournament.State.RUNNING
    assert len(list_fourth(two_rounds)) == 3
    assert find_differences(two_rounds) == []
    play_round(two_rounds, now)
    assert two_rounds.state == Tournament.State.FINISHED
    assert list_codes(two_rounds)[-1] == "finished"


def test_where_rounds_publish_themselves_a_choice_made_in_time_counts(two_rounds: Tournament, now: datetime) -> None:
    publish_pairs(two_rounds, now, pair_across(two_rounds, 2))
    Tournament.objects.filter(pk=two_rounds.pk).update(publishes_rounds=False)
    two_rounds.refresh_from_db()
    choose(two_rounds, "bye", now)
    play_round(two_rounds, now)
    assert two_rounds.state == Tournament.State.RUNNING
    assert [second for _first, second in list_fourth(two_rounds)].count(None) == 2


@pytest.mark.rule("F5")
def test_who_takes_somebody_out_sees_first_which_round_is_lost(
    two_rounds: Tournament, now: datetime, client: Client
) -> None:
    """Of the four who stay, one has met all but one of the others: of two rounds to come one can be paired."""
    ids = list(two_rounds.entries.drawn().values_list("pk", flat=True))
    organiser = two_rounds.organiser
    about: dict[str, Any] = {"tournament_id": two_rounds.pk, "by": organiser, "reason": WHY, "now": now}
    first, second = (partial(withdraw.withdraw_entry, entry_id=entry, **about) for entry in ids[1:3])
    assert rehearse(two_rounds, organiser, first).stuck is None
    first()
    assert rehearse(two_rounds, organiser, second).stuck == 4
    client.force_login(organiser.user)
    url = tournament_url("tournament-desk", two_rounds)
    shown = client.post(url, {"what": "ritira", "entry": ids[2], "reason": WHY, "key": "1"})
    assert read_hooks(shown, "stuck") == ["4"]
    two_rounds.refresh_from_db()
    assert two_rounds.stuck_round is None
    second()
    two_rounds.refresh_from_db()
    assert two_rounds.stuck_round == 4
    assert list_codes(two_rounds)[-1] == "round_stuck"
    assert find_differences(two_rounds) == []


@pytest.mark.rule("F5", "D3")
def test_an_absence_that_loses_a_round_is_shown_before_it_is_marked(
    two_rounds: Tournament, now: datetime, client: Client
) -> None:
    """Leave two in the last round who have met."""
    ids = list(two_rounds.entries.drawn().values_list("pk", flat=True))
    client.force_login(two_rounds.organiser.user)
    url = tournament_url("tournament-rounds", two_rounds)
    sent = [{"act": "bye", "entry": str(ids[place]), "number": "4", "kind": "absent"} for place in (1, 2, 4, 5)]
    assert [client.post(url, one).status_code for one in sent[:3]] == [302] * 3
    answer = client.post(url, sent[3])
    assert "dead_end" in read_hooks(answer, "note")
    assert not RoundBye.objects.filter(entry=ids[5]).exists()
    seal = read_attribute(answer, "value", "button")[0]
    assert client.post(url, {**sent[3], "kind": "asked", "sure": seal}).status_code == 200, "something else was typed"
    assert client.post(url, {**sent[3], "sure": seal}).status_code == 302
    two_rounds.refresh_from_db()
    assert two_rounds.stuck_round == 4
    bye = RoundBye.objects.get(entry=ids[5])
    round_wishes.take_bye_back(tournament_id=two_rounds.pk, bye_id=bye.pk, by=two_rounds.organiser, now=now)
    two_rounds.refresh_from_db()
    assert two_rounds.stuck_round is None
    assert [code for code in list_codes(two_rounds) if "stuck" in code] == ["round_stuck", "round_unstuck"]


@pytest.mark.rule("F5")
def test_who_leaves_or_rests_reads_first_which_round_is_lost(
    two_rounds: Tournament, now: datetime, client: Client
) -> None:
    ids = list(two_rounds.entries.drawn().values_list("pk", flat=True))
    about: dict[str, Any] = {"tournament_id": two_rounds.pk, "now": now}
    client.force_login(Player.objects.get(person__memberships__entry=ids[5]).user)
    leaving, resting = (tournament_url(f"tournament-{name}", two_rounds) for name in ("withdraw", "bye"))
    assert "dead_end" not in read_hooks(client.get(leaving), "note")
    for place in (1, 2, 4):
        wish = {"entry_id": ids[place], "number": 4, "kind": "absent", "by": two_rounds.organiser}
        round_wishes.leave_out(**wish, **about)
    assert read_hooks(client.get(leaving), "stuck") == ["4"]
    answer = client.post(resting, {"number": "4", "kind": "absent"})
    assert read_hooks(answer, "stuck") == ["4"]
    assert not RoundBye.objects.filter(entry=ids[5]).exists()
    assert client.post(resting, {"number": "4", "kind": "absent", "sure": "1"}).status_code == 302
    assert RoundBye.objects.filter(entry=ids[5]).exists()


def test_where_so_many_play_that_no_round_can_be_lost_nobody_waits_for_a_plan(
    opened: Opened, now: datetime, django_assert_max_num_queries: Any
) -> None:
    """A thousand may open the page by which one leaves: it costs nothing that grows with them."""
    rules = {"format": "danese", "format_options": {"rounds": 2}}
    crowd, few = (draw_real(opened, size, now, **rules) for size in (8, 6))
    entry = crowd.entries.drawn()[0]
    with django_assert_max_num_queries(3):
        assert dead_ends.foresee_leaving(crowd, entry.pk) is None
    with pytest.raises(pytest.fail.Exception), django_assert_max_num_queries(3):  # here it must be known
        dead_ends.foresee_leaving(few, few.entries.drawn()[0].pk)


def test_with_one_left_it_ends_by_itself_and_nothing_is_asked(stuck: Tournament, now: datetime, client: Client) -> None:
    about: dict[str, Any] = {"tournament_id": stuck.pk, "by": stuck.organiser, "reason": WHY, "now": now}
    for entry in stuck.entries.drawn()[1:]:
        withdraw.withdraw_entry(entry_id=entry.pk, **about)
    stuck.refresh_from_db()
    assert stuck.state == Tournament.State.FINISHED
    assert find_differences(stuck) == []
    client.force_login(stuck.organiser.user)
    page = client.get(tournament_url("tournament-rounds", stuck))
    assert page.status_code == 200
    assert read_hooks(page, "stuck") == []


def test_after_a_match_nobody_is_told_that_a_round_will_be_published_which_waits_for_a_choice(
    stuck: Tournament, now: datetime
) -> None:
    entry = stuck.entries.drawn()[0]
    assert _describe_waiting(stuck, entry, None).code == "stuck"
    choose(stuck, "bye", now)
    assert _describe_waiting(stuck, entry, None).code == "draw"
