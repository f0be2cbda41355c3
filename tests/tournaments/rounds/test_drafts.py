"""Rounds that the organiser publishes (D4): a draft is seen at the desk alone, and what is published stays."""

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Mail, Player
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act
from tests.support.entries import enter_all
from tests.support.pages import post_tournament, tournament_url
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready, play, ready
from tests.support.tournaments import GIRONE, KO, Opened, catch_code
from tournaments.core.signals import round_published
from tournaments.desk import reinstatement
from tournaments.desk.results import Decision, set_result
from tournaments.entries import join
from tournaments.models import Fixture, LogEntry, Round, Tournament
from tournaments.rounds import drafts
from tournaments.running import withdraw
from tournaments.running.recompute import find_differences

pytestmark = [pytest.mark.django_db, pytest.mark.rule("D4")]

DANESE = {"format": "danese", "format_options": {"rounds": 2}, "length_kind": "deals", "length_value": 1}
PUBLIC = ("tournament", "ranks", "standings", "tournament-embed", "tournament-calendar")


@pytest.fixture
def told() -> Iterator[list[int]]:
    """The numbers of the rounds that were said to be published."""
    numbers: list[int] = []

    def note(sender: object, round: Round, **more: object) -> None:
        numbers.append(round.number)

    round_published.connect(note)
    yield numbers
    round_published.disconnect(note)


def open_published(opened: Opened, players: list[Player], now: datetime, **more: object) -> Tournament:
    return enter_all(opened(**{"publishes_rounds": True, **DANESE, **more}), players, now)


@arrange_once
def danese(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A danese of the four that waits for its first draft."""
    return open_published(opened, four, now)


def draw(tournament: Tournament, now: datetime) -> drafts.RoundDraft:
    draft = drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    tournament.refresh_from_db()
    return draft


def publish(tournament: Tournament, number: int, now: datetime, **more: object) -> None:
    organiser = tournament.organiser
    drafts.publish_round(tournament_id=tournament.pk, number=number, by=organiser, now=now, **more)  # type: ignore[arg-type]
    tournament.refresh_from_db()


def play_all(tournament: Tournament, now: datetime) -> datetime:
    return max(play(match, now) for match in open_ready(tournament, now + OPENING))


def list_pairs(tournament: Tournament, number: int) -> list[tuple[int | None, int | None]]:
    fixtures = Fixture.objects.filter(round__tournament=tournament, round__number=number).order_by("board")
    return [(fixture.first_id, fixture.second_id) for fixture in fixtures if fixture.first_id]


def list_published(tournament: Tournament) -> list[int]:
    return list(tournament.rounds.filter(published_at__isnull=False).values_list("number", flat=True))


def read_everything(tournament: Tournament) -> list[str]:
    """Read all that everybody can ask of a tournament."""
    client = Client()
    tables = [reverse(f"export-{kind}", args=[tournament.public_id, "incontri"]) for kind in ("csv", "json")]
    addresses = [*(tournament_url(name, tournament) for name in PUBLIC), *tables]
    addresses += [f"/api/v1/tournaments/{tournament.public_id}/"]
    answers = [client.get(address) for address in addresses]
    assert {answer.status_code for answer in answers} <= {200, 404}
    own = re.compile(r'nonce="[^"]*"|value="[^"]*"|content="\d+"|DTSTAMP.*')  # of each answer
    return [own.sub("", answer.content.decode()) for answer in answers]


def test_nothing_starts_before_the_organiser_publishes(danese: Tournament, now: datetime) -> None:
    assert danese.state == Tournament.State.OPEN, "full, and it waits"
    assert danese.due_at is None
    before = [LogEntry.objects.count(), Mail.objects.count(), danese.version]
    draft = draw(danese, now)
    assert len(draft.pairs) == 2
    assert danese.state == Tournament.State.OPEN
    assert not danese.rounds.exists()
    assert not danese.entries.drawn().exists()
    assert [LogEntry.objects.count(), Mail.objects.count(), danese.version] == before, "nobody is told"
    publish(danese, 1, now)
    assert danese.state == Tournament.State.RUNNING
    assert danese.draft is None
    assert list_pairs(danese, 1) == list(draft.pairs)
    assert [fixture.round.number for fixture in ready(danese)] == [1, 1]
    assert LogEntry.objects.filter(tournament=danese, code="round_published").count() == 1
    assert find_differences(danese) == []


def test_no_round_is_published_while_everybody_pauses(danese: Tournament, now: datetime) -> None:
    draw(danese, now)
    publish(danese, 1, now)
    now = play_all(danese, now)
    draw(danese, now)
    Tournament.objects.filter(pk=danese.pk).update(paused_at=now)
    about = {"tournament_id": danese.pk, "by": danese.organiser, "now": now, "number": 2}
    assert catch_code(drafts.publish_round, **about) == "round_suspended"
    Tournament.objects.filter(pk=danese.pk).update(paused_at=None)
    publish(danese, 2, now)


def test_a_later_round_is_a_draft_until_it_is_published(danese: Tournament, now: datetime, told: list[int]) -> None:
    draw(danese, now)
    publish(danese, 1, now)
    assert catch_code(drafts.draw_round, tournament_id=danese.pk, by=danese.organiser, now=now) == ("round_not_over")
    now = play_all(danese, now)
    danese.refresh_from_db()
    assert danese.state == Tournament.State.RUNNING
    assert list_pairs(danese, 2) == []
    shown = read_everything(danese)
    draft = draw(danese, now)
    assert draft.round == 2
    assert read_everything(danese) == shown
    assert list_pairs(danese, 2) == []
    assert not ready(danese)
    assert find_differences(danese) == []
    publish(danese, 2, now, seen=draft.key)
    assert list_pairs(danese, 2) == list(draft.pairs)
    assert told == [1, 2]
    assert list_published(danese) == [1, 2]
    play_all(danese, now)
    danese.refresh_from_db()
    assert danese.state == Tournament.State.FINISHED
    assert find_differences(danese) == []


def test_only_the_organiser_sees_the_draft(
    danese: Tournament, opened: Opened, four: list[Player], organisers: Client, now: datetime
) -> None:
    draw(danese, now)
    address = tournament_url("tournament-rounds", danese)
    page = organisers.get(address).content.decode()
    assert all(f">{player.name}<" in page or player.name in page for player in four)
    assert 'data-draft="1"' in page
    for reader in (Client(), Client()):
        assert reader.get(address).status_code == 404
    player = Client()
    player.force_login(four[0].user)
    assert player.get(address).status_code == 404
    assert "data-draft" not in "".join(read_everything(danese))
    plain = opened()
    assert organisers.get(tournament_url("tournament-rounds", plain)).status_code == 404, (
        "its rounds publish themselves"
    )


def test_the_page_draws_and_publishes(danese: Tournament, organisers: Client) -> None:
    address = tournament_url("tournament-rounds", danese)
    assert organisers.post(address, {"act": "unknown"}).status_code == 404
    assert organisers.post(address, {"act": "publish", "number": "1"}, follow=True).status_code == 200
    assert not danese.rounds.exists()
    organisers.post(address, {"act": "draw"})
    danese.refresh_from_db()
    draft = drafts.read_draft(danese)
    assert draft is not None
    organisers.post(address, {"act": "publish", "number": "1", "seen": "another"})
    assert not danese.rounds.exists(), "another draft was looked at"
    organisers.post(address, {"act": "publish", "number": "1", "seen": draft.key})
    assert list_published(danese) == [1]
    assert organisers.get(address).status_code == 200


def test_a_draft_is_stale_once_who_plays_has_changed(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = open_published(opened, four[:3], now, max_entries=4)
    draft = draw(tournament, now)
    assert not drafts.is_stale(tournament, draft)
    join.enter_player(tournament_id=tournament.pk, player=four[3], now=now)
    tournament.refresh_from_db()
    assert drafts.is_stale(tournament, draft)
    arguments = {"tournament_id": tournament.pk, "number": 1, "by": tournament.organiser, "now": now}
    assert catch_code(drafts.publish_round, **arguments) == "draft_stale"
    again = draw(tournament, now)
    assert (len(again.order), again.draws) == (4, 2)
    publish(tournament, 1, now)
    assert LogEntry.objects.get(tournament=tournament, code="round_published").detail["draws"] == 2


def test_a_correction_makes_the_next_draft_stale_and_it_can_be_drawn_anew(danese: Tournament, now: datetime) -> None:
    draw(danese, now)
    publish(danese, 1, now)
    now = play_all(danese, now)
    winner_first = {"points": (9, 2), "winner": 0}
    correct(danese, now, 0, **winner_first)
    correct(danese, now, 1, **winner_first)
    draft = draw(danese, now)
    correct(danese, now, 1, points=(2, 9), winner=1)
    danese.refresh_from_db()
    assert drafts.is_stale(danese, draft)
    arguments = {"tournament_id": danese.pk, "number": 2, "by": danese.organiser, "now": now}
    assert catch_code(drafts.publish_round, **arguments) == "draft_stale"
    new = draw(danese, now)
    assert new.pairs != draft.pairs
    publish(danese, 2, now)
    assert list_pairs(danese, 2) == list(new.pairs)


@pytest.mark.parametrize("drafted", [False, True])
def test_the_page_plans_the_next_round_once(
    opened: Opened, four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch, drafted: bool
) -> None:
    tournament = open_published(opened, four, now)
    draw(tournament, now)
    publish(tournament, 1, now)
    now = play_all(tournament, now)
    if drafted:
        draw(tournament, now)
    numbers: list[int] = []

    def draw_pairs(tournament: Tournament, number: int) -> tuple[drafts.Pair, ...]:
        numbers.append(number)
        return drawn(tournament, number)

    drawn = drafts.draw_pairs
    monkeypatch.setattr(drafts, "draw_pairs", draw_pairs)
    page = sign_in(tournament.organiser).get(tournament_url("tournament-rounds", tournament))
    assert numbers == [2]
    assert page.context["draws"]
    assert [row.stale for row in page.context["waiting"]] == [False] * drafted


def test_a_stale_draft_may_be_published_as_it_is_but_not_with_who_has_left(danese: Tournament, now: datetime) -> None:
    draw(danese, now)
    publish(danese, 1, now)
    now = play_all(danese, now)
    correct(danese, now, 0, points=(9, 2), winner=0)
    correct(danese, now, 1, points=(9, 2), winner=0)
    draft = draw(danese, now)
    correct(danese, now, 1, points=(2, 9), winner=1)
    with_all = {"tournament_id": danese.pk, "number": 2, "by": danese.organiser, "now": now, "anyway": True}
    leaver = danese.entries.drawn().first()
    assert leaver is not None
    withdraw.withdraw_entry(tournament_id=danese.pk, entry_id=leaver.pk, by=danese.organiser, reason="Malato", now=now)
    assert catch_code(drafts.publish_round, **with_all) == "draft_stale"
    draft = draw(danese, now)
    assert leaver.pk not in {pk for pair in draft.pairs for pk in pair}


def test_by_the_clock_every_round_is_published_at_once(
    opened: Opened, four: list[Player], now: datetime, told: list[int]
) -> None:
    tournament = enter_all(opened(**DANESE), four, now)
    assert list_published(tournament) == [1] == told
    play_all(tournament, now)
    assert list_published(tournament) == [1, 2] == told


@pytest.mark.parametrize("base", [KO, GIRONE])
def test_in_the_other_formats_a_round_is_played_once_it_is_published(
    opened: Opened, four: list[Player], now: datetime, base: object, told: list[int]
) -> None:
    tournament = enter_all(opened(base, publishes_rounds=True), four, now)
    draw(tournament, now)
    number = 0
    while tournament.state != Tournament.State.FINISHED:
        number += 1
        publish(tournament, number, now)
        assert {fixture.round.number for fixture in ready(tournament)} == {number}
        assert find_differences(tournament) == []
        now = play_all(tournament, now)
        tournament.refresh_from_db()
        assert not ready(tournament)
    assert told == list(range(1, number + 1))


def test_who_doesn_t_run_it_publishes_nothing(
    danese: Tournament, opened: Opened, four: list[Player], now: datetime
) -> None:
    arguments = {"tournament_id": danese.pk, "by": four[0], "now": now}
    assert catch_code(drafts.draw_round, **arguments) == "not_organiser"
    assert catch_code(drafts.publish_round, number=1, **arguments) == "not_organiser"
    plain = opened(**DANESE)
    arguments = {"tournament_id": plain.pk, "by": plain.organiser, "now": now}
    assert catch_code(drafts.draw_round, **arguments) == "rounds_publish_themselves"


def test_published_rounds_have_no_hours(organisers: Client) -> None:
    answer = post_tournament(
        organisers, publishes_rounds="on", round_minutes="30", start="at", starts_at="2030-01-01T21:00"
    )
    assert answer.status_code == 200
    assert answer.context["form"].errors.as_data()["publishes_rounds"][0].code == "publishes_hours"
    assert post_tournament(organisers, publishes_rounds="on").status_code == 302
    assert Tournament.objects.get().publishes_rounds


def correct(tournament: Tournament, now: datetime, board: int, **decision: object) -> None:
    fixture = Fixture.objects.filter(round__tournament=tournament, round__number=1).order_by("board")[board]
    act = build_act(tournament.organiser, now)
    set_result(tournament_id=tournament.pk, fixture_id=fixture.pk, decision=Decision(**decision), act=act)  # type: ignore[arg-type]


@pytest.mark.rule("F2")
def test_who_comes_back_is_drawn_again_and_what_is_published_stays(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = open_published(opened, four, now, format_options={"rounds": 3})
    draw(tournament, now)
    publish(tournament, 1, now)
    now = play_all(tournament, now)
    leaver = tournament.entries.drawn().last()
    assert leaver is not None
    about = {"tournament_id": tournament.pk, "entry_id": leaver.pk}
    withdraw.withdraw_entry(by=tournament.organiser, reason="Malato", now=now, **about)
    draft = draw(tournament, now)
    publish(tournament, 2, now)
    assert leaver.pk not in {pk for pair in draft.pairs for pk in pair}
    reinstatement.reinstate_entry(act=build_act(tournament.organiser, now), **about)
    assert list_pairs(tournament, 2) == list(draft.pairs)
    now = play_all(tournament, now)
    assert leaver.pk in {pk for pair in draw(tournament, now).pairs for pk in pair}
    assert find_differences(tournament) == []
