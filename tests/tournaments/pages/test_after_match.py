"""Words after a tournament match: the next table, whom one waits for, the end; and the podium when all is over."""

from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Match
from players.models import Player
from tests.support.entries import enter_all
from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in
from tests.support.play import OPENING, open_ready, play, sit_down
from tests.support.tables import opened as open_table
from tests.support.tables import play_out, seated
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.models import Tournament
from tournaments.organise import lifecycle
from tournaments.pages.after_match import AfterMatch, read_after_match
from tournaments.pages.wording import describe_after_match
from tournaments.running.withdraw import withdraw_entry

pytestmark = pytest.mark.django_db


def people_at(match: Match) -> list[Player]:
    return [seat.player for seat in match.seats.select_related("player").order_by("number")]


def read(match: Match, player: Player | None, now: datetime) -> AfterMatch:
    after = read_after_match(match.pk, player, now)
    assert after is not None
    if after.code != "none":
        assert describe_after_match(after)
    return after


def split(match: Match) -> tuple[Player, Player]:
    """Return who won a match for two, and who lost it."""
    match.refresh_from_db()
    assert match.winner is not None
    pair = people_at(match)
    return pair[match.winner], pair[1 - match.winner]


def waited_for(after: AfterMatch) -> list[set[str]]:
    return [{first.name, second.name} for first, second in after.waited_for]


@pytest.mark.rule("K4", "W3")
def test_through_a_ko_one_waits_is_led_to_the_next_table_and_stands_on_the_podium(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(KO), four, now)
    first, second = open_ready(tournament, now + OPENING)
    now = play(first, now + OPENING)
    winner, loser = split(first)
    waiting = read(first, winner, now)
    assert (waiting.code, waiting.opponent) == ("feeds", None)
    assert waited_for(waiting) == [{player.name for player in people_at(second)}]
    out = read(first, loser, now)
    assert (out.code, out.place, out.watch) == ("out", 3, None), "nobody has come to the other table"
    sit_down(second, now)
    watch = read(first, loser, now).watch
    assert watch is not None
    assert watch.match == second
    assert read(first, None, now).code == "none"
    assert read(first, create_person("Zeno", now), now).code == "none", "they don't play in it"
    now = play(second, now)
    finalist, _ = split(second)
    soon = read(first, winner, now)
    assert (soon.code, soon.opponent and soon.opponent.name) == ("opens", finalist.name)
    assert soon.opens_at is not None
    (final,) = open_ready(tournament, now + OPENING)
    assert (read(first, winner, now).code, read(first, winner, now).table) == ("table", final.public_id)
    assert read(second, finalist, now).table == final.public_id
    play(final, now + OPENING)
    champion, runner_up = split(final)
    over = read(final, champion, now)
    assert (over.code, over.place) == ("over", 1)
    assert over.podium is not None
    assert [step.place for step in over.podium.steps] == [1, 2, 3]
    assert [entry.name for entry in over.podium.steps[0].entries] == [champion.name]
    assert (read(first, runner_up, now).place, read(first, None, now).place) == (2, None)


@pytest.mark.rule("K4")
def test_in_a_greater_bracket_one_waits_only_for_the_tables_that_lead_to_ones_own(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    eight = [*four, *(create_person(name, now) for name in ("Elsa", "Furio", "Gina", "Ivo"))]
    tournament = enter_all(opened(KO, max_entries=8), eight, now)
    tables = open_ready(tournament, now + OPENING)
    now = play(tables[0], now + OPENING)
    first, _ = split(tables[0])
    assert waited_for(read(tables[0], first, now)) == [{player.name for player in people_at(tables[1])}]
    now = play(tables[1], now)
    (semifinal,) = [match for match in open_ready(tournament, now + OPENING) if match not in tables]
    now = play(semifinal, now + OPENING)
    finalist, _ = split(semifinal)
    waiting = read(semifinal, finalist, now)
    assert waiting.code == "feeds"
    assert waited_for(waiting) == [{player.name for player in people_at(table)} for table in tables[2:]]


@pytest.mark.rule("R6")
def test_in_a_girone_one_waits_for_the_round_and_has_played_all(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(GIRONE), four, now)
    for round_ in range(3):
        first, second = open_ready(tournament, now + OPENING)
        now = play(first, now + OPENING)
        player = people_at(first)[0]
        after = read(first, player, now)
        assert after.code == ("played" if round_ == 2 else "wait")
        assert (after.opponent is None) == (round_ == 2)
        assert waited_for(after) == [{other.name for other in people_at(second)}]
        now = play(second, now)
    assert read(first, player, now).code == "over"


@pytest.mark.rule("Q1")
def test_who_goes_on_from_a_group_is_known_when_the_tables_are_over(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    options = {"groups": 2, "qualify": 1}
    tournament = enter_all(opened(GIRONE, format="gironi", format_options=options, min_entries=4), four, now)
    first, second = open_ready(tournament, now + OPENING)
    now = play(first, now + OPENING)
    winner, loser = split(first)
    assert {read(first, player, now).code for player in (winner, loser)} <= {"groups", "feeds", "out"}
    now = play(second, now)
    assert read(first, winner, now).code == "opens"
    assert read(first, loser, now).code == "out"


@pytest.mark.rule("D1")
def test_in_a_danese_the_next_round_is_drawn_after_the_tables_still_open(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(GIRONE, format="danese", format_options={"rounds": 2}, min_entries=4), four, now)
    first, second = open_ready(tournament, now + OPENING)
    now = play(first, now + OPENING)
    after = read(first, people_at(first)[0], now)
    assert (after.code, waited_for(after)) == ("draw", [{player.name for player in people_at(second)}])


@pytest.mark.rule("E2", "R5")
def test_who_has_left_and_who_sees_it_cancelled_are_told_so(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(GIRONE), four, now)
    first, _ = open_ready(tournament, now + OPENING)
    now = play(first, now + OPENING)
    gone, other = people_at(first)
    entry = tournament.entries.of_player(gone).get()
    withdraw_entry(tournament_id=tournament.pk, entry_id=entry.pk, by=gone, reason="", now=now)
    assert read(first, gone, now).code == "left"
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, reason="Piove", now=now)
    assert read(first, other, now).code == "cancelled"


def test_its_address_answers_with_what_the_page_needs_once_the_match_is_over(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = enter_all(opened(KO), four, now)
    first, second = open_ready(tournament, now + OPENING)
    url = reverse("after-match", args=[first.public_id])
    assert Client().get(url).status_code == 404, "it is being played"
    play(first, now + OPENING)
    winner, _ = split(first)
    answer = sign_in(winner).get(url)
    assert (read_hooks(answer, "after"), read_hooks(answer, "follow")) == (
        ["feeds"], [f"/ws/tornei/{tournament.public_id}/"],
    )  # fmt: skip
    assert "no-store" in answer["Cache-Control"]
    play(second, now + OPENING)
    (final,) = open_ready(tournament, now + 99 * OPENING)
    assert read_hooks(sign_in(winner).get(url), "table") == [reverse("table", args=[final.public_id])]
    assert read_hooks(Client().get(url), "after") == ["none"]
    free = seated([create_person("Elsa", now), create_person("Furio", now)], now, context="free", about_url="")
    play_out(free, now)
    assert Client().get(reverse("after-match", args=[free.public_id])).status_code == 404
    waiting = open_table([create_person("Gina", now), create_person("Ivo", now)], now)
    assert Client().get(reverse("after-match", args=[waiting.public_id])).status_code == 404


@pytest.mark.parametrize("won", [True, False])
def test_it_takes_as_many_queries_in_any_field(opened: Opened, now: datetime, won: bool) -> None:
    counts = []
    for size in (4, 8):
        players = [create_person(f"Giocatore {size} {number}", now) for number in range(size)]
        tournament = enter_all(opened(KO, max_entries=size), players, now)
        assert tournament.state == Tournament.State.RUNNING
        first, *_ = open_ready(tournament, now + OPENING)
        play(first, now + OPENING)
        reader = split(first)[0 if won else 1]
        with CaptureQueriesContext(connection) as captured:
            read(first, reader, now)
        counts.append(len(captured))
    assert counts[0] == counts[1]
