"""Previews of acts (F5): the act itself, carried out and rolled back, shows what it would do before it is confirmed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from django.apps import apps
from django.core import serializers
from django.test import Client

from games.signals import match_finished
from players import broadcast
from players.models import Mail, Player
from tests.support.arrangements import arrange_once
from tests.support.desk import WHY, build_act, raises_refusal, send_act, start_refereed
from tests.support.html import read_attribute, read_hooks
from tests.support.people import create_person
from tests.support.play import OPENING, entry_of, open_ready, ready, rounds_played, sit_down
from tests.support.tournaments import GIRONE, Opened
from tournaments.desk import clocks, results, substitution, undo
from tournaments.desk.rehearsal import rehearse
from tournaments.desk.results import Decision
from tournaments.models import Fixture, Tournament
from tournaments.running import withdraw

pytestmark = pytest.mark.django_db


def read_everything() -> str:
    """Return every row of every model, as text."""
    rows = [row for model in apps.get_models() for row in model._default_manager.order_by("pk")]  # type: ignore[attr-defined]
    return str(serializers.serialize("json", rows))


def list_acts(tournament: Tournament, referee: Player, now: datetime) -> dict[str, Callable[[], Any]]:
    """Return an act of every kind on a tournament of four: one table in play, one fixture decided by the referee."""
    live = Fixture.objects.of(tournament).filter(match__isnull=False).earliest("pk")
    done = Fixture.objects.of(tournament).filter(result_at__isnull=False).earliest("pk")
    assert live.match is not None
    assert live.first_id is not None
    act = build_act(referee, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "act": act}
    seat = live.match.seats.get(number=0)
    last = undo.find_last_entry(tournament, referee)
    assert last is not None
    free = done.first_id
    member = tournament.members.select_related("person__player").get(entry=free)
    decision = Decision(points=(2, 9), winner=1)
    return {
        "result": partial(results.set_result, fixture_id=live.pk, decision=decision, **about),
        "correction": partial(results.set_result, fixture_id=done.pk, decision=decision, **about),
        "forfeit": partial(results.declare_forfeit, fixture_id=live.pk, lines=(0,), **about),
        "annul": partial(results.annul_result, fixture_id=done.pk, **about),
        "replay": partial(results.order_replay, fixture_id=live.pk, **about),
        "pause": partial(clocks.hold_clocks, fixture_id=live.pk, **about),
        "pause all": partial(clocks.hold_clocks, fixture_id=None, **about),
        "time": partial(clocks.give_time, fixture_id=live.pk, player_id=seat.player_id, minutes=3, **about),
        "undo": partial(undo.undo_entry, entry_id=last.pk, **about),
        "leave": partial(
            withdraw.withdraw_entry,
            tournament_id=tournament.pk,
            entry_id=live.first_id,
            by=referee,
            reason=WHY,
            now=now,
        ),
        "replace": partial(
            substitution.replace_player, entry_id=free, player_id=member.require_player().pk, name="Nives", **about
        ),
    }


@arrange_once
def running(opened: Opened, four: list[Player], referee: Player, now: datetime) -> Tournament:
    """A girone of four with one table in play, and one fixture decided."""
    tournament = start_refereed(opened, four, referee, now, replace(GIRONE, match_clock=600))
    create_person("Nives", now)
    one, _two = ready(tournament)
    results.set_result(
        tournament_id=tournament.pk,
        fixture_id=one.pk,
        decision=Decision(points=(8, 3), winner=0),
        act=build_act(referee, now),
    )
    (match,) = open_ready(tournament, now + OPENING)
    sit_down(match, now + OPENING)
    tournament.refresh_from_db()
    return tournament


KINDS = (
    "result", "correction", "forfeit", "annul", "replay", "pause", "pause all", "time", "undo", "leave", "replace",
)  # fmt: skip


@pytest.mark.rule("F5")
@pytest.mark.parametrize("kind", KINDS)
def test_a_rehearsal_changes_nothing_tells_nobody_and_shows_what_the_act_does(
    running: Tournament, referee: Player, now: datetime, kind: str
) -> None:
    heard: list[object] = []
    act = list_acts(running, referee, now + 2 * OPENING)[kind]
    match_finished.connect(receiver := lambda **about: heard.append(about), weak=False)
    before, mails = read_everything(), Mail.objects.count()
    try:
        with patch.object(broadcast, "publish", lambda *sent: heard.append(sent)):
            shown = rehearse(running, referee, act)
    finally:
        match_finished.disconnect(receiver)
    assert read_everything() == before
    assert (heard, Mail.objects.count()) == ([], mails)
    assert shown.ruling is not None or shown.asked
    standings = dict(running.entries.values_list("pk", "rank"))
    act()
    after = dict(running.entries.values_list("pk", "rank"))
    ranks = {one.entry.entry_id: one.after[0] for one in shown.standings}
    assert {pk: rank for pk, rank in after.items() if rank != standings[pk]}.items() <= ranks.items()
    assert all(after[pk] == rank for pk, rank in ranks.items())
    for change in (*shown.results, *shown.pairings, *shown.closed):
        stored = Fixture.objects.get(pk=change.fixture.pk)
        assert (stored.state, stored.winner, stored.first_id) == (
            change.fixture.state, change.fixture.winner, change.fixture.first_id,
        )  # fmt: skip
    if shown.ruling is not None:
        latest = running.log.filter(code__startswith="ruling_").latest("pk")
        assert latest.code == f"ruling_{shown.ruling.code}"


@pytest.mark.rule("F5", "R5")
def test_who_leaves_takes_results_tables_and_places_along(running: Tournament, referee: Player, now: datetime) -> None:
    leaver = Fixture.objects.of(running).get(match__isnull=False)
    act = list_acts(running, referee, now + 2 * OPENING)["leave"]
    shown = rehearse(running, referee, act)
    assert [one.fixture.pk for one in shown.closed] == [leaver.pk]
    assert any(one.after.annulled for one in shown.results)
    assert shown.recipients, "also its opponents at the table"


@pytest.mark.rule("F5")
def test_what_is_refused_is_refused_in_rehearsal_too(running: Tournament, referee: Player, now: datetime) -> None:
    fixture = ready_or_done(running)
    with raises_refusal("draw_uneven"):
        rehearse(
            running,
            referee,
            partial(
                results.set_result,
                tournament_id=running.pk,
                fixture_id=fixture.pk,
                decision=Decision(points=(8, 3), winner=None),
                act=build_act(referee, now),
            ),
        )


def ready_or_done(tournament: Tournament) -> Fixture:
    return Fixture.objects.of(tournament).filter(result_at__isnull=False).earliest("pk")


@pytest.mark.rule("F5")
def test_an_act_is_done_only_as_its_preview_showed_it(
    running: Tournament, referee: Player, client: Client, now: datetime
) -> None:
    fixture = ready_or_done(running)
    page = f"/tornei/{running.public_id}/arbitro/{fixture.pk}/"
    client.force_login(referee.user)
    sent = {"what": "risultato", "points_0": "2", "points_1": "9", "winner": "", "reason": WHY, "key": "k"}
    shown = client.post(page, sent)
    assert read_hooks(shown, "preview") == [""]
    assert len(read_hooks(shown, "standing")) == 2
    assert set(read_hooks(shown, "stays")) >= {"notices", "prints"}, "what it doesn't undo"
    assert "prizes" not in read_hooks(shown, "stays")
    (form,) = [form for form in shown.context["acts"] if form.is_bound]
    assert form.seal in read_attribute(shown, "value", "button")
    for unseen in ({**sent, "sure": "on"}, {**sent, "points_0": "3", "points_1": "8", "sure": form.seal}):
        again = client.post(page, unseen)
        assert read_hooks(again, "preview") == [""], "what was changed is shown anew"
    fixture.refresh_from_db()
    assert fixture.points_0 == 8
    assert client.post(page, {**sent, "sure": form.seal}).status_code == 302
    fixture.refresh_from_db()
    assert fixture.points_0 == 2


@pytest.mark.rule("F5")
def test_a_correction_after_the_end_names_the_prizes(
    girone: Tournament, referee: Player, client: Client, now: datetime
) -> None:
    rounds_played(girone, now)
    fixture = Fixture.objects.of(girone).earliest("pk")
    client.force_login(referee.user)
    points = ("2", "9") if fixture.winner == 0 else ("9", "2")
    sent = {"what": "risultato", "points_0": points[0], "points_1": points[1], "winner": "", "reason": WHY}
    shown = client.post(f"/tornei/{girone.public_id}/arbitro/{fixture.pk}/", sent)
    assert read_hooks(shown, "stays") == ["notices", "pairings", "prints", "prizes"]


@pytest.mark.rule("F5")
def test_where_somebody_has_to_accept_the_preview_says_that_nothing_changes_yet(
    running: Tournament, referee: Player, client: Client, four: list[Player]
) -> None:
    free = next(player for player in four if not Fixture.objects.of_entry(entry_of(running, player)).playing().exists())
    client.force_login(referee.user)
    out = f"{entry_of(running, free).pk} {free.pk}"
    sent = {"what": "sostituisci", "out": out, "name": "Nives", "reason": WHY}
    shown = client.post(f"/tornei/{running.public_id}/arbitro/", sent)
    assert "asks_first" in read_hooks(shown, "note")
    assert send_act(client, f"/tornei/{running.public_id}/arbitro/", sent).status_code == 302
