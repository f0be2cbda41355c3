"""Watching a tournament's tables: who may and how, whatever their part in it and however far it has come (W3, N4)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games import selectors
from games.models import Match, Seat
from games.realtime import consumers
from games.realtime.protocol import CLOSE_FORBIDDEN
from games.selectors import LATE, Watching
from players.models import Player
from players.services.players import create_guest
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act, replace_by
from tests.support.entries import enter_all
from tests.support.html import read_hooks
from tests.support.live import Site
from tests.support.people import create_person, give_address, sign_in
from tests.support.play import OPENING, abandon, entry_of, open_ready, play, rounds_played
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tests.support.wire import at_table
from tournaments.core.permissions import is_out
from tournaments.core.visibility import find_unwatchable
from tournaments.models import Fixture, Referee, Tournament
from tournaments.running.withdraw import withdraw_entry
from tournaments.tonight import queries as lobby

pytestmark = pytest.mark.django_db

R, L, A = Watching.REFUSED, Watching.LATE, Watching.LIVE  # not at all, one deal late, at once


@dataclass(frozen=True)
class Stage:
    """A table that is being played, and people by their part in its tournament."""

    match: Match
    people: dict[str, Player | None]
    now: datetime

    def watching(self) -> dict[str, Watching]:
        match = Match.objects.get(pk=self.match.pk)
        return {part: selectors.find_watching(match, who, self.now) for part, who in self.people.items()}

    def unwatchable(self) -> dict[str, bool]:
        return {part: self.match.pk in find_unwatchable([self.match.pk], who) for part, who in self.people.items()}


@arrange_once
def others(db: None, organiser: Player, referee: Player, now: datetime) -> dict[str, Player | None]:
    """Return those who aren't entered. Teresa and Rita have no confirmed address."""
    old, new, unconfirmed = (create_person(name, now) for name in ("Ottavia", "Nives", "Ugo"))
    for who in (old, new):
        give_address(who)
    Player.objects.filter(pk=new.pk).update(created_at=now - timedelta(days=6))
    guest = create_guest(now=now - timedelta(days=9), address="192.0.2.7")
    people = {"established": old, "new": new, "unconfirmed": unconfirmed, "guest": guest, "organiser": organiser}
    return {
        "visitor": None,
        **{part: Player.objects.get(pk=who.pk) for part, who in people.items()},
        "referee": referee,
    }


OTHERS = {"visitor": L, "established": A, "new": L, "unconfirmed": L, "guest": L, "organiser": A, "referee": A}


def start(tournament: Tournament, four: list[Player], referee: Player, now: datetime) -> Tournament:
    Referee.objects.create(tournament=tournament, player=referee)
    return enter_all(tournament, four, now)


def people_at(match: Match) -> list[Player]:
    return [seat.player for seat in Seat.objects.filter(match=match).select_related("player").order_by("number")]


def play_first(tournament: Tournament, now: datetime) -> tuple[Match, Match, Player, Player]:
    """Open the first two tables and play one to its end. Return both, and its winner and loser."""
    over, running = open_ready(tournament, now + OPENING)
    play(over, now + OPENING)
    over.refresh_from_db()
    assert over.winner is not None
    pair = people_at(over)
    return over, running, pair[over.winner], pair[1 - over.winner]


@pytest.mark.rule("W3")
def test_in_a_ko_who_is_out_watches_late_and_who_is_in_not_at_all(
    opened: Opened, four: list[Player], referee: Player, others: dict[str, Player | None], now: datetime
) -> None:
    tournament = start(opened(KO), four, referee, now)
    _, running, winner, loser = play_first(tournament, now)
    stage = Stage(running, {**others, "still in": winner, "out": loser}, now + OPENING)
    assert stage.watching() == {**OTHERS, "still in": R, "out": L}
    assert stage.unwatchable() == {part: how is R for part, how in stage.watching().items()}
    play(running, now + OPENING)
    (final,) = open_ready(tournament, now + 99 * OPENING)
    finalists = people_at(final)
    out = next(who for who in four if who not in finalists and who != loser)
    last = Stage(final, {**others, "out": loser, "out, too": out}, now + OPENING)
    assert last.watching() == {**OTHERS, "out": L, "out, too": L}, "who was knocked out watches the final"


@pytest.mark.rule("W3")
def test_who_plays_for_third_place_is_not_out_of_the_bracket(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = start(opened(KO, format_options={"third_place": True}), four, referee, now)
    _, running, _, loser = play_first(tournament, now)
    assert Stage(running, {"loser": loser}, now).watching() == {"loser": R}
    later = play(running, now + OPENING)
    by_round = {match.fixture.round.name: match for match in open_ready(tournament, later + OPENING)}
    fourth = people_at(by_round["third_place"])
    assert Stage(by_round["final"], dict(zip("ab", fourth, strict=True)), later).watching() == {"a": R, "b": R}
    play(by_round["third_place"], later + OPENING)
    assert Stage(by_round["final"], dict(zip("ab", fourth, strict=True)), later).watching() == {"a": L, "b": L}


@pytest.mark.rule("W3")
def test_in_a_girone_whoever_is_entered_watches_nothing_till_its_end(
    opened: Opened, four: list[Player], referee: Player, others: dict[str, Player | None], now: datetime
) -> None:
    tournament = start(opened(GIRONE), four, referee, now)
    _, running, winner, loser = play_first(tournament, now)
    stage = Stage(running, {**others, "winner": winner, "loser": loser}, now + OPENING)
    assert stage.watching() == {**OTHERS, "winner": R, "loser": R}
    rounds_played(tournament, play(running, now + OPENING))
    assert set(stage.watching().values()) == {A}, "it is over: a match that is over is anybody's"


@pytest.mark.rule("W3", "Q1")
def test_after_groups_who_did_not_go_on_watches_the_bracket_late(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    options = {"groups": 2, "qualify": 1}
    tournament = start(opened(GIRONE, format="gironi", format_options=options, min_entries=4), four, referee, now)
    assert tournament.state == Tournament.State.RUNNING
    _, running, winner, loser = play_first(tournament, now)
    assert Stage(running, {"winner": winner, "loser": loser}, now).watching() == {"winner": R, "loser": L}
    later = play(running, now + OPENING)
    (final,) = open_ready(tournament, later + OPENING)
    out = [who for who in four if who not in people_at(final)]
    assert Stage(final, dict(zip("ab", out, strict=True)), later).watching() == {"a": L, "b": L}


@pytest.mark.rule("W3", "Q1", "F1")
def test_who_has_played_all_of_a_group_that_is_not_over_may_still_go_on(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    """Another group may be over before, and its first stand in the bracket."""
    six = [*four, create_person("Elsa", now), create_person("Furio", now)]
    options = {"groups": 2, "qualify": 1}
    settings = {"format": "gironi", "format_options": options, "min_entries": 6, "max_entries": 6}
    tournament = start(opened(GIRONE, **settings), six, referee, now)
    for _ in range(2):
        for match in open_ready(tournament, now + OPENING):
            now = max(now, play(match, now + OPENING))
    first, last = open_ready(tournament, now + OPENING)
    play(first, now + OPENING)
    assert Fixture.objects.of(tournament).filter(group=None, first__isnull=False).exists()
    group = entry_of(tournament, people_at(last)[0]).group
    (rests,) = [who for who in six if entry_of(tournament, who).group == group and who not in people_at(last)]
    assert Stage(last, {"rests": rests}, now).watching() == {"rests": R}
    assert not is_out(tournament, entry_of(tournament, rests))


@pytest.mark.rule("W3", "F2")
def test_who_left_a_ko_watches_late_and_who_was_replaced_not_at_all(
    opened: Opened, four: list[Player], referee: Player, others: dict[str, Player | None], now: datetime
) -> None:
    tournament = start(opened(KO), four, referee, now)
    _, running, winner, _ = play_first(tournament, now)
    newcomer = others["established"]
    assert newcomer is not None
    replace_by(tournament, entry_of(tournament, winner).pk, winner, newcomer, build_act(referee, now + OPENING))
    stage = Stage(running, {"replaced": winner, "in their place": newcomer}, now + OPENING)
    assert stage.watching() == {"replaced": R, "in their place": R}
    entry = entry_of(tournament, newcomer).pk
    withdraw_entry(tournament_id=tournament.pk, entry_id=entry, by=newcomer, reason="", now=now + OPENING)
    assert stage.watching() == {"replaced": R, "in their place": L}


@pytest.mark.rule("W3")
def test_page_lobby_and_tournament_offer_a_table_only_to_who_may_watch_it(
    opened: Opened, four: list[Player], referee: Player, others: dict[str, Player | None], now: datetime
) -> None:
    tournament = start(opened(KO), four, referee, now)
    _, running, winner, loser = play_first(tournament, now)
    Match.objects.filter(pk=running.pk).update(status=Match.Status.PLAYING)
    for part, who in {**others, "still in": winner, "out": loser}.items():
        client, may = sign_in(who), part != "still in"
        assert client.get(reverse("table", args=[running.public_id])).status_code == (200 if may else 404), part
        if part not in tries(("visitor", "established", "still in", "out"), part):
            continue
        lobby.forget_shared()
        assert read_hooks(client.get(reverse("lobby")), "watch") == [running.public_id] * may, part
        page = client.get(reverse("tournament", args=[tournament.public_id]))
        assert read_hooks(page, "watch") == [running.public_id] * may, part
        noted = set(read_hooks(page, "note")) & {"no_watching", "watching_late"}
        assert noted == {"still in": {"no_watching"}, "out": {"watching_late"}}.get(part, set()), part


@pytest.mark.rule("W3")
@pytest.mark.django_db(transaction=True)
def test_the_socket_of_who_is_out_shows_the_deal_before(
    live_site: Site, opened: Opened, four: list[Player], referee: Player
) -> None:
    now = timezone.now()
    tournament = start(opened(KO, length_value=2), four, referee, now)
    over, running = open_ready(tournament, now + OPENING)
    abandon(over, 0, now + OPENING)
    out, still = people_at(over)
    with at_table(live_site, running, out) as watcher:
        view = watcher.view()
        assert (view["seat"], view["late"], view["table"]) == (None, True, [])
        assert selectors.find_viewpoint(running, out, now).viewer == LATE
    with at_table(live_site, running, still) as refused:
        assert refused.closing_code() == CLOSE_FORBIDDEN


def come_in_by_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint alone tells of it."""
    monkeypatch.setattr(consumers, "CHECK_RIGHT_SECONDS", float("inf"))


def come_in_by_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint is lost."""
    monkeypatch.setattr(consumers, "CHECK_RIGHT_SECONDS", 0.0)
    monkeypatch.setattr("tournaments.core.notify.announce_changed_rights", lambda users: None)


@pytest.mark.rule("W3")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("told", [come_in_by_hint, come_in_by_poll])
def test_who_comes_into_a_tournament_loses_the_tables_of_it_they_watch(
    told: Callable[[pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
    live_site: Site,
    opened: Opened,
    four: list[Player],
    referee: Player,
) -> None:
    told(monkeypatch)
    now = timezone.now()
    tournament = start(opened(KO), four, referee, now)
    over, running = open_ready(tournament, now + OPENING)
    abandon(over, 0, now + OPENING)
    winner = people_at(over)[1]
    newcomer = create_person("Ottavia", now)
    give_address(newcomer)
    with at_table(live_site, running, newcomer) as watcher:
        assert not watcher.view()["late"]
        replace_by(tournament, entry_of(tournament, winner).pk, winner, newcomer, build_act(referee, now + OPENING))
        assert watcher.closing_code() == CLOSE_FORBIDDEN
