"""Withdrawals and absences (R4, R5, K5): nobody waits for a leaver, and results are recomputed."""

from datetime import datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from players.models import Player
from tests.support.entries import enter_all
from tests.support.people import create_person
from tests.support.play import (
    OPENING,
    entry_of,
    nobody_comes,
    only_one_comes,
    open_ready,
    play,
    ready,
    sit_down,
    stored_equals_recomputed,
)
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.errors import TournamentError
from tournaments.desk import act
from tournaments.desk.results import Decision, set_result
from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, LogEntry, Tournament
from tournaments.organise.settings import Settings
from tournaments.pages import tournament_page
from tournaments.running import early_play, results, withdraw
from tournaments.running.recompute import find_differences
from tournaments.running.tables import open_due_fixture

pytestmark = [pytest.mark.django_db]

State = Fixture.State


@pytest.fixture
def begun(opened: Opened, four: list[Player], now: datetime) -> Any:
    def make(base: Settings = GIRONE, players: list[Player] = four, **changed: Any) -> Tournament:
        tournament = opened(base, max_entries=len(players), **changed)
        enter_all(tournament, players, now)
        assert tournament.state == Tournament.State.RUNNING
        return tournament

    return make


def leave(tournament: Tournament, player: Player, now: datetime) -> None:
    entry = entry_of(tournament, player)
    withdraw.withdraw_entry(tournament_id=tournament.pk, entry_id=entry.pk, by=player, reason="", now=now)
    tournament.refresh_from_db()


def own(tournament: Tournament, player: Player) -> list[Fixture]:
    entry = entry_of(tournament, player)
    rows = Fixture.objects.filter(round__tournament=tournament).order_by("round__number", "board")
    return [fixture for fixture in rows if entry.pk in (fixture.first_id, fixture.second_id)]


def round_played(tournament: Tournament, now: datetime) -> datetime:
    """Play the tables of one round, in which somebody always comes."""
    matches = open_ready(tournament, now + OPENING)
    assert matches
    return max(only_one_comes(match, 0) for match in matches)


def settled(tournament: Tournament, now: datetime) -> datetime:
    """Play to the end with nobody coming any more."""
    tournament.refresh_from_db()
    while tournament.state == Tournament.State.RUNNING:
        open_ready(tournament, now + OPENING)
        tables = Match.objects.filter(status=Match.Status.WAITING, fixture__round__tournament=tournament)
        now = max(nobody_comes(match) for match in tables)
        tournament.refresh_from_db()
    assert find_differences(tournament) == []
    assert stored_equals_recomputed(tournament)
    return now


@pytest.mark.rule("R5")
def test_who_leaves_before_half_is_annulled_for_everybody(girone: Tournament, anna: Player, now: datetime) -> None:
    now = round_played(girone, now)
    assert [f.state for f in own(girone, anna)] == [State.DONE, State.READY, State.WAITING]
    leave(girone, anna, now)
    assert [f.state for f in own(girone, anna)] == [State.ANNULLED] * 3
    assert own(girone, anna)[0].result_at is not None, "it stays visible"
    settled(girone, now)
    entry = entry_of(girone, anna)
    assert (entry.rank, entry.played, entry.vp, entry.withdrawn_after) == (4, 0, 0, 1)
    assert set(Entry.objects.filter(tournament=girone).exclude(pk=entry.pk).values_list("played", flat=True)) == {2}


@pytest.mark.rule("R5")
def test_the_cross_table_marks_what_is_annulled_and_every_sum_is_of_what_counts(
    girone: Tournament, anna: Player, client: Client, now: datetime
) -> None:
    """Page and paper both mark it (W2)."""
    now = round_played(girone, now)
    leave(girone, anna, now)
    now = round_played(girone, now)
    page = tournament_page.read_page(girone, None)
    seen = [cell for row in page.standings.cross for cells in row.cells for cell in cells]
    assert sum(cell.annulled for cell in seen) == 6
    for row in page.standings.cross:
        assert sum(cell.vp or 0 for cells in row.cells for cell in cells if not cell.annulled) == row.vp
    assert any(cell.annulled and cell.vp for cell in seen), "an annulled result stays in sight"
    shown = sum(cell.annulled and cell.points is not None for cell in seen)
    for address in (
        reverse("tournament", args=[girone.public_id]),
        reverse("tournament-print", args=[girone.public_id, "incrociata"]),
    ):
        text = client.get(address).content.decode()
        assert text.count("data-annulled") == shown > 0
        assert "annullati, non contano per nessuno" in text


@pytest.mark.rule("R5")
def test_from_half_on_the_results_stand_and_the_rest_is_forfeited(
    girone: Tournament, anna: Player, now: datetime
) -> None:
    now = round_played(girone, round_played(girone, now))
    played = [(f.winner, f.vp_0, f.vp_1) for f in own(girone, anna)[:2]]
    leave(girone, anna, now)
    *before, last = own(girone, anna)
    assert [(f.winner, f.vp_0, f.vp_1) for f in before] == played
    side = 0 if last.first_id == entry_of(girone, anna).pk else 1
    assert (last.state, last.match, last.winner, last.forfeit_by) == (State.DONE, None, 1 - side, side)
    assert [last.vp_0, last.vp_1][side] == 0
    settled(girone, now)
    assert entry_of(girone, anna).played == 3


@pytest.mark.rule("R5")
def test_a_table_in_play_ends_at_once(girone: Tournament, begun: Any, anna: Player, now: datetime) -> None:
    """Stopped where it is annulled; from half on it is lost, by abandon, in its own record."""
    open_ready(girone, now + OPENING)
    table = own(girone, anna)[0].match
    sit_down(table, now + OPENING)
    leave(girone, anna, now + OPENING)
    table.refresh_from_db()
    assert (table.status, table.stopped_at) == (Match.Status.FINISHED, now + OPENING)
    results.record_result(match_id=table.pk, now=now + OPENING)
    assert own(girone, anna)[0].result_at is None
    settled(girone, now + OPENING)

    second = begun(name="Un altro")
    at = round_played(second, round_played(second, now + 3 * OPENING))
    open_ready(second, at + OPENING)
    table = own(second, anna)[2].match
    sit_down(table, at + OPENING)
    leave(second, anna, at + OPENING)
    table.refresh_from_db()
    last = own(second, anna)[2]
    assert (table.decided_by, table.stopped_at, last.state, last.decided_by) == ("abandon", None, "done", "abandon")


@pytest.mark.rule("R5")
def test_three_forfeits_are_enough(begun: Any, four: list[Player], anna: Player, now: datetime) -> None:
    players = [*four, create_person("Elio", now), create_person("Fosca", now), create_person("Gino", now)]
    tournament = begun(players=players)
    entry = entry_of(tournament, anna)
    while entry.forfeits < 3:
        for match in open_ready(tournament, now := now + OPENING):
            if entry.pk not in (match.fixture.first_id, match.fixture.second_id):
                continue
            only_one_comes(match, int(match.fixture.first_id == entry.pk))
        for match in Match.objects.filter(status=Match.Status.WAITING, fixture__round__tournament=tournament):
            now = only_one_comes(match, 0)
        entry.refresh_from_db()
        if entry.withdrawn_at:
            break
    assert (entry.expelled, entry.withdrawn_after) == (True, 3)
    # 3 of 6 is half: the results stand, and what comes is forfeited; the next round may be a rest.
    assert entry.played == entry.forfeits in (3, 4)
    assert LogEntry.objects.get(tournament=tournament, code="expelled").detail["entry"] == entry.pk
    assert not [f for f in ready(tournament) if entry.pk in (f.first_id, f.second_id)]


@pytest.mark.rule("K5")
def test_in_a_ko_the_next_opponent_goes_on_as_soon_as_they_are_known(
    cup: Tournament, four: list[Player], anna: Player, now: datetime
) -> None:
    now = round_played(cup, now) if not own(cup, anna) else now
    first = next(f for f in ready(cup) if entry_of(cup, anna).pk in (f.first_id, f.second_id))
    open_due_fixture(fixture_id=first.pk, now=now + OPENING)
    first.refresh_from_db()
    now = only_one_comes(first.match, int(first.second_id == entry_of(cup, anna).pk))
    leave(cup, anna, now)
    final = Fixture.objects.get(round__tournament=cup, round__name="final")
    assert (final.state, final.winner) == (State.WAITING, None)
    (other,) = open_ready(cup, now + OPENING)
    now = only_one_comes(other, 0)
    final.refresh_from_db()
    cup.refresh_from_db()
    assert (final.state, final.match, cup.state) == (State.DONE, None, Tournament.State.FINISHED)
    assert entry_of(cup, anna).rank == 2
    assert find_differences(cup) == []


@pytest.mark.rule("K5")
def test_if_all_leave_it_ends_at_once(begun: Any, four: list[Player], now: datetime) -> None:
    for base in (KO, GIRONE):
        tournament = begun(base)
        for player in four:
            if tournament.state == Tournament.State.RUNNING:
                leave(tournament, player, now)
        assert tournament.state == Tournament.State.FINISHED
        assert None not in Entry.objects.filter(tournament=tournament).values_list("rank", flat=True)
        assert find_differences(tournament) == []


def test_only_oneself_or_a_referee_with_a_reason(
    girone: Tournament, anna: Player, bruno: Player, organiser: Player, now: datetime
) -> None:
    entry = entry_of(girone, anna)

    def refused(by: Player, reason: str = "") -> str:
        with pytest.raises(TournamentError) as refusal:
            withdraw.withdraw_entry(tournament_id=girone.pk, entry_id=entry.pk, by=by, reason=reason, now=now)
        return refusal.value.code

    assert (refused(bruno, "perché sì"), refused(organiser)) == ("not_referee", "reason_missing")
    withdraw.withdraw_entry(
        tournament_id=girone.pk, entry_id=entry.pk, by=organiser, reason="Imbroglia", now=now, expelled=True
    )
    assert refused(anna) == "entry_left"
    assert LogEntry.objects.get(tournament=girone, code="ruling_expelled").detail["reason"] == "Imbroglia"


def test_recompute_finds_what_was_patched_and_mends_it(girone: Tournament, anna: Player, now: datetime) -> None:
    round_played(girone, now)
    call_command("recompute", "--check", stdout=StringIO())
    Entry.objects.filter(pk=entry_of(girone, anna).pk).update(vp=99)
    output = StringIO()
    with pytest.raises(CommandError):
        call_command("recompute", "--check", stdout=output)
    assert f"{girone.public_id} seed {entry_of(girone, anna).seed} vp: 99" in output.getvalue()
    call_command("recompute", stdout=StringIO())
    call_command("recompute", "--check", stdout=StringIO())


@pytest.mark.rule("Q1", "Q2")
def test_groups_then_ko_on_real_tables(begun: Any, four: list[Player], client: Client, now: datetime) -> None:
    players = [*four, create_person("Elio", now), create_person("Fosca", now)]
    options = {"groups": 2, "qualify": 2}
    tournament = begun(format="gironi", format_options=options, players=players, min_entries=4)
    contexts = set()
    while tournament.state == Tournament.State.RUNNING:
        for match in open_ready(tournament, now := now + OPENING):
            contexts.add((match.context, match.fixture.group is None))
            now = play(match, now) if match.context == "ko" else only_one_comes(match, 0)
        tournament.refresh_from_db()
        shown = client.get(f"/tornei/{tournament.public_id}/").content.decode()
        assert "Gruppo A" in shown
        assert "Tabellone" in shown
    assert contexts == {("round_robin", False), ("ko", True)}
    ranks = sorted(Entry.objects.filter(tournament=tournament).values_list("rank", flat=True))
    assert ranks in ([1, 2, 3, 3, 5, 5], [1, 2, 3, 3, 5, 6]), "third of their groups, equal on VP and MP or not"
    assert set(Fixture.objects.filter(group=None, state="done").with_results().values_list("vp_0", flat=True)) == {None}
    assert find_differences(tournament) == []


@pytest.mark.rule("D1")
def test_a_swiss_on_real_tables_with_a_bye_and_a_leaver(
    begun: Any, four: list[Player], client: Client, now: datetime
) -> None:
    players = [*four, create_person("Elio", now)]
    tournament = begun(format="danese", players=players)
    (bye,) = Fixture.objects.filter(round__tournament=tournament, state="bye")
    bye.first.refresh_from_db()
    assert (bye.vp_0, bye.first.vp, bye.first.played, bye.first.mp) == (14, 14, 0, bye.mp_0)
    assert "Turno 3" in client.get(f"/tornei/{tournament.public_id}/").content.decode()
    now = round_played(tournament, now)
    leave(tournament, players[0], now)
    drawn = own(tournament, players[0])
    assert len(drawn) == 2
    assert drawn[-1].state in (State.DONE, State.BYE), "the round that was drawn already"
    settled(tournament, now)
    assert len(own(tournament, players[0])) == 2, "and no more"


@pytest.mark.rule("R6")
def test_rounds_may_have_hours_of_their_own(begun: Any, now: datetime) -> None:
    tournament = begun(round_minutes=30)
    hours = sorted({f.opens_at - now for f in ready(tournament)})
    assert [hour.total_seconds() for hour in hours] == [3, 1800, 3600]
    assert len(ready(tournament)) == 6


@pytest.mark.rule("R6")
def test_a_table_opens_ahead_of_its_hour_when_both_entries_want(
    begun: Any, anna: Player, organiser: Player, client: Client, now: datetime
) -> None:
    tournament = begun(round_minutes=30)
    fixture = own(tournament, anna)[1]
    other = next(pk for pk in (fixture.first_id, fixture.second_id) if pk != entry_of(tournament, anna).pk)
    opponent = Entry.objects.get(pk=other).members.get().person.player
    ask = {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "now": now}
    assert (early_play.play_ahead(by=anna, **ask), early_play.play_ahead(by=anna, **ask)) == (False, False)
    assert open_due_fixture(fixture_id=fixture.pk, now=now) is None
    with pytest.raises(TournamentError, match="no_such_fixture"):
        early_play.play_ahead(by=organiser, **ask)
    client.force_login(opponent.user)
    client.post(f"/tornei/{tournament.public_id}/anticipa/", {"fixture": fixture.pk})
    assert open_due_fixture(fixture_id=fixture.pk, now=timezone.now()) is not None


@pytest.mark.rule("R6", "F3")
def test_who_wanted_to_play_ahead_still_wants_it_after_a_correction(
    begun: Any, organiser: Player, anna: Player, now: datetime
) -> None:
    """A corrected result leaves the second round as it was drawn, and so what its players have agreed to."""
    tournament = begun(format="danese", round_minutes=30, format_options={"rounds": 2})
    for match in open_ready(tournament, now + OPENING):
        only_one_comes(match, 0)
    fixture = next(f for f in own(tournament, anna) if f.round.number == 2)
    assert fixture.announced
    Fixture.objects.filter(round=fixture.round).update(ahead_by=0)
    set_result(
        tournament_id=tournament.pk,
        fixture_id=own(tournament, anna)[0].pk,
        decision=Decision(points=(0, 11), winner=1),
        act=act.Act(by=organiser, reason="Segnato male", now=now + OPENING),
    )
    second = Fixture.objects.filter(round=fixture.round)
    pairs = {frozenset((f.first_id, f.second_id)) for f in second}
    assert frozenset((fixture.first_id, fixture.second_id)) in pairs
    assert set(second.values_list("ahead_by", flat=True)) == {0}


def test_one_leaves_by_two_clicks_and_the_page_says_so(girone: Tournament, anna: Player, client: Client) -> None:
    page = f"/tornei/{girone.public_id}/"
    client.force_login(anna.user)
    assert f'href="{page}lascia/"' in client.get(page).content.decode()
    assert "Sì, mi ritiro" in client.get(f"{page}lascia/").content.decode()
    assert entry_of(girone, anna).withdrawn_at is None
    client.post(f"{page}lascia/")
    assert entry_of(girone, anna).withdrawn_at is not None
    shown = client.get(page).content.decode()
    assert f"{page}lascia/" not in shown
    assert "annullata" in shown
    assert client.get(f"{page}lascia/").status_code == 302


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ({"format": "gironi", "groups": "2", "qualify": "1"}, {"groups": 2, "qualify": 1}),
        ({"format": "danese", "rounds": ""}, {"rounds": 0}),
        ({"format": "danese", "rounds": "5", "groups": "2"}, {"rounds": 5}),
    ],
)
def test_the_form_asks_what_each_format_wants(
    organiser: Player, client: Client, chosen: dict[str, str], kept: dict[str, int]
) -> None:
    client.force_login(organiser.user)
    shown = client.get("/tornei/nuovo/").context["form"]
    typed = {name: shown[name].value() for name in shown.fields if shown[name].value() not in (None, False)}
    answer = client.post("/tornei/nuovo/", typed | {"name": "Prova", "round_minutes": "20"} | chosen)
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get(name="Prova")
    assert made.round_minutes == 20
    assert kept.items() <= made.format_options.items()
    assert set(made.format_options) == set(FORMATS[made.format].options)
    client.get(f"/tornei/{made.public_id}/modifica/")
    refused = client.post("/tornei/nuovo/", typed | {"format": "gironi", "name": "No", "groups": "9"})
    assert list(refused.context["form"].errors) == ["groups"]
