"""The referee's page (F4): what it shows to whom, calls from the tables, clocks, players replaced, the public log."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games import presence, reports
from games.models import Commitment, Match, Report
from games.services import referee as table_referee
from games.services import settlement
from games.services.errors import ActionRefused
from players import caps
from players.models import Player
from tests.support.desk import WHY, build_act, raises_refusal, read_fixture, replace_by, send_act, start_refereed
from tests.support.entries import find_invitation
from tests.support.html import read_attribute, read_hooks, read_ways
from tests.support.people import create_person, take_house
from tests.support.play import OPENING, entry_of, nobody_comes, open_ready, play, ready, sit_down
from tests.support.tables import opened as free_table
from tests.support.tables import play as play_card
from tests.support.tournaments import GIRONE, Opened
from tournaments import sweep
from tournaments.desk import clocks, referee_calls, results, substitution
from tournaments.desk.queries import read_desk
from tournaments.models import EntryMember, Fixture, LogEntry, Referee, Round, Tournament
from tournaments.running import tables

pytestmark = [pytest.mark.django_db]


def as_(player: Player) -> Client:
    client = Client()
    assert player.user is not None
    client.force_login(player.user)
    return client


def call(match: Match, by: Player, now: datetime, text: str = "Venite") -> Report:
    number = Report.objects.count()
    reports.report(match_id=match.pk, reporter_id=by.pk, reason="call", text=text, client_id=f"call-{number}", now=now)
    return Report.objects.get(client_id=f"call-{number}")


# --- Clocks ----------------------------------------------------------------------------------------------------------


def test_one_table_or_all_are_held_and_run_on_f1_f2(
    cup: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    Referee.objects.create(tournament=cup, player=four[0])
    at = now + OPENING
    own = entry_of(cup, four[0])
    matches = sorted(open_ready(cup, at), key=lambda match: own.pk not in _sides(match))
    one = read_fixture(matches[0])  # where a referee plays

    def held() -> list[bool]:
        return [Match.objects.get(pk=match.pk).paused_at is not None for match in matches]

    assert clocks.hold_clocks(tournament_id=cup.pk, fixture_id=one.pk, act=build_act(referee, at)) == 1
    assert held() == [True, False]
    with raises_refusal("paused_already"):
        clocks.hold_clocks(tournament_id=cup.pk, fixture_id=one.pk, act=build_act(referee, at))
    assert clocks.hold_clocks(tournament_id=cup.pk, fixture_id=None, act=build_act(referee, at)) == 1
    assert held() == [True, True]
    with raises_refusal("all_paused"):
        clocks.hold_clocks(tournament_id=cup.pk, fixture_id=None, act=build_act(referee, at))
    assert clocks.resume_clocks(tournament_id=cup.pk, fixture_id=None, act=build_act(four[0], at)) == 1
    assert held() == [True, False], "it was held alone: another referee lets it run on"
    with raises_refusal("plays_there"):
        clocks.resume_clocks(tournament_id=cup.pk, fixture_id=one.pk, act=build_act(four[0], at))
    assert read_acts(as_(four[0]), cup) == ["sospendi-tutti"]
    with raises_refusal("not_paused"):
        clocks.resume_clocks(tournament_id=cup.pk, fixture_id=read_fixture(matches[1]).pk, act=build_act(referee, at))
    codes = list(LogEntry.objects.filter(code__startswith="ruling_").values_list("code", flat=True))
    assert codes == ["ruling_pause", "ruling_pause", "ruling_resume"]


def _sides(match: Match) -> tuple[int | None, int | None]:
    fixture = read_fixture(match)
    return fixture.first_id, fixture.second_id


def read_acts(client: Client, tournament: Tournament) -> list[str]:
    """Return the acts on all tables that the desk offers."""
    answer = client.get(reverse("tournament-desk", args=[tournament.public_id]))
    return [form.what for form in answer.context["acts"] if form.what.endswith("-tutti")]


@pytest.mark.rule("F1", "F6")
def test_pausing_all_also_holds_the_table_of_the_referee_who_does_it(
    cup: Tournament, four: list[Player], now: datetime
) -> None:
    """Holding everything decides nothing between two opponents, and who plays would be no-showed in the pause."""
    Referee.objects.create(tournament=cup, player=four[0])
    at = now + OPENING
    matches = open_ready(cup, at)
    about = {"tournament_id": cup.pk, "fixture_id": None}
    assert clocks.hold_clocks(**about, act=build_act(four[0], at)) == 2
    late = at + timedelta(hours=2)
    for match in matches:
        settlement.expire_overdue(match_id=match.pk, now=late)
        match.refresh_from_db()
        assert not match.both_forfeited
    assert clocks.resume_clocks(**about, act=build_act(four[0], late)) == 2
    assert {Match.objects.get(pk=match.pk).paused_at for match in matches} == {None}


@pytest.mark.rule("F6")
def test_the_desk_offers_to_pause_what_runs_and_to_resume_what_is_paused(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    desk, at = as_(referee), now + OPENING
    everything, one = {"tournament_id": cup.pk, "fixture_id": None}, open_ready(cup, at)[0]
    alone = {"tournament_id": cup.pk, "fixture_id": read_fixture(one).pk}
    assert read_acts(desk, cup) == ["sospendi-tutti"]
    clocks.hold_clocks(**alone, act=build_act(referee, at))
    assert read_acts(desk, cup) == ["sospendi-tutti", "riprendi-tutti"]
    clocks.hold_clocks(**everything, act=build_act(referee, at))
    assert read_acts(desk, cup) == ["riprendi-tutti"]
    url = reverse("tournament-desk", args=[cup.public_id])
    answer = send_act(desk, url, {"what": "sospendi-tutti", "reason": WHY})
    assert "Il torneo è già sospeso." in answer.content.decode(), "what was sent meanwhile is answered"
    clocks.resume_clocks(**everything, act=build_act(referee, at))
    assert read_acts(desk, cup) == ["sospendi-tutti"]


def test_an_annulled_fixture_is_called_so_once_f2(girone: Tournament, referee: Player, now: datetime) -> None:
    fixture = ready(girone)[0]
    results.annul_result(tournament_id=girone.pk, fixture_id=fixture.pk, act=build_act(referee, now))
    page = as_(referee).get(reverse("desk-fixture", args=[girone.public_id, fixture.pk])).content.decode()
    (state,) = re.findall(r'<p id="stato">(.*?)</p>', page, re.DOTALL)
    assert state.count("annullata") == 1


@pytest.mark.rule("F6")
def test_pausing_all_holds_the_tournament_and_not_only_the_tables_that_are_open(
    cup: Tournament, referee: Player, now: datetime
) -> None:
    first, second = ready(cup)
    at = now + OPENING
    match = tables.open_due_fixture(fixture_id=first.pk, now=at)
    assert match is not None
    about = {"tournament_id": cup.pk, "fixture_id": None}
    assert clocks.hold_clocks(**about, act=build_act(referee, at)) == 1
    assert "paused" in read_hooks(Client().get(tournament_page(cup)), "note")
    late = at + timedelta(hours=2)
    assert tables.open_due_fixture(fixture_id=second.pk, now=late) is None
    assert second.pk not in sweep.list_due_fixtures(late)
    settlement.expire_overdue(match_id=match.pk, now=late)
    match.refresh_from_db()
    assert not match.both_forfeited, "no no-show counts"
    assert clocks.resume_clocks(**about, act=build_act(referee, late)) == 1
    with raises_refusal("none_paused"):
        clocks.resume_clocks(**about, act=build_act(referee, late))
    match.refresh_from_db()
    assert match.noshow_at == late + timedelta(seconds=cup.noshow_after)
    assert tables.open_due_fixture(fixture_id=second.pk, now=late + OPENING) is not None
    acts = LogEntry.objects.filter(tournament=cup, code__startswith="ruling_").order_by("pk")
    assert list(acts.values_list("code", flat=True)) == ["ruling_pause", "ruling_resume"]


@pytest.mark.rule("F6", "R6")
def test_the_hours_of_rounds_move_on_by_the_pause_and_no_table_need_be_open(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, four, referee, now, replace(GIRONE, round_minutes=30))

    def hours() -> list[datetime]:
        rounds = Round.objects.filter(tournament=tournament, number__gt=1).order_by("number")
        return [hour for hour in rounds.values_list("opens_at", flat=True) if hour is not None]

    before, held = hours(), timedelta(minutes=20)
    assert clocks.hold_clocks(tournament_id=tournament.pk, fixture_id=None, act=build_act(referee, now)) == 0
    with raises_refusal("all_paused"):
        clocks.hold_clocks(tournament_id=tournament.pk, fixture_id=None, act=build_act(referee, now))
    assert clocks.resume_clocks(tournament_id=tournament.pk, fixture_id=None, act=build_act(referee, now + held)) == 0
    assert hours() == [hour + held for hour in before]
    waiting = Fixture.objects.filter(round__tournament=tournament, round__number=2)
    assert set(waiting.values_list("opens_at", flat=True)) == {hours()[0]}


@pytest.mark.rule("F6")
def test_a_round_that_follows_in_the_pause_opens_only_after_it(cup: Tournament, referee: Player, now: datetime) -> None:
    clocks.hold_clocks(tournament_id=cup.pk, fixture_id=None, act=build_act(referee, now))
    for fixture in ready(cup):
        decision = results.Decision(points=(8, 3), winner=0)
        results.set_result(tournament_id=cup.pk, fixture_id=fixture.pk, decision=decision, act=build_act(referee, now))
    (final,) = ready(cup)
    late = now + timedelta(hours=2)
    assert list(sweep.list_due_fixtures(late)) == []
    assert tables.open_due_fixture(fixture_id=final.pk, now=late) is None
    clocks.resume_clocks(tournament_id=cup.pk, fixture_id=None, act=build_act(referee, late))
    assert tables.open_due_fixture(fixture_id=final.pk, now=late) is None, "its pause comes first"
    assert tables.open_due_fixture(fixture_id=final.pk, now=late + OPENING) is not None


def test_time_is_given_back_to_a_player_and_written_down_f2_f3(cup: Tournament, referee: Player, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    sit_down(match, now + OPENING)
    fixture = read_fixture(match)
    seat = match.seats.get(number=1)

    def give(**changed: int) -> None:
        chosen = {"fixture_id": fixture.pk, "player_id": seat.player_id, "minutes": 2, **changed}
        clocks.give_time(tournament_id=cup.pk, act=build_act(referee, now + OPENING), **chosen)

    give()
    match.refresh_from_db()
    assert match.clocks_ms == [900_000, 1_020_000]
    detail = LogEntry.objects.get(code="ruling_time").detail
    assert (detail["before"], detail["after"], detail["minutes"]) == (900, 1020, 2)
    for wrong, code in (({"minutes": 0}, "minutes_range"), ({"minutes": 61}, "minutes_range")):
        with raises_refusal(code):
            give(**wrong)
    with raises_refusal("no_such_line"):
        give(player_id=referee.pk)
    play(match, now + OPENING)
    with raises_refusal("no_open_table"):
        give()


# --- Who plays -------------------------------------------------------------------------------------------------------


def test_a_player_is_replaced_before_the_next_fixture_of_their_entry_e1_f2(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    entry = entry_of(girone, four[0])
    nives = create_person("Nives", now)

    def replace(name: str, by: Player = referee, out: Player = four[0]) -> None:
        substitution.replace_player(
            tournament_id=girone.pk, entry_id=entry.pk, player_id=out.pk, name=name, act=build_act(by, now)
        )

    for name, code in (
        ("Nessuno", "player_unknown"),
        ("", "player_unknown"),
        ("bruno", "player_entered"),
        (take_house(count=1, now=now)[0].name, "house_not_allowed"),
    ):
        with raises_refusal(code):
            replace(name)
    with raises_refusal("not_referee"):
        replace("Nives", by=four[1])
    with raises_refusal("no_such_entry"):
        replace("Nives", out=four[1])
    Referee.objects.create(tournament=girone, player=four[0])
    with raises_refusal("plays_there"):
        replace("Nives", by=four[0])
    matches = open_ready(girone, now + OPENING)
    with raises_refusal("entry_plays"):
        replace("Nives")
    end = max(play(match, now + OPENING) for match in matches)
    replace_by(girone, entry.pk, four[0], nives, build_act(referee, end))
    assert EntryMember.objects.get(entry=entry).person.name == "Nives"
    (written,) = read_desk(girone, referee, now).rulings
    assert written.people == (four[0].name, "Nives")
    seated = {seat.player.name for match in open_ready(girone, end + OPENING) for seat in match.seats.all()}
    assert "Nives" in seated
    assert four[0].name not in seated


# --- Calls -----------------------------------------------------------------------------------------------------------


def test_a_call_comes_from_a_seat_of_a_tournaments_table_f4(cup: Tournament, referee: Player, now: datetime) -> None:
    match, other = open_ready(cup, now + OPENING)
    player = match.seats.get(number=0).player
    report = call(match, player, now)
    assert (report.reason, report.seen_at) == ("call", None)
    for who, where in ((other.seats.get(number=0).player, match), (referee, match)):
        with pytest.raises(ActionRefused, match="report_unknown"):
            call(where, who, now)
    nobody_comes(match)
    with pytest.raises(ActionRefused, match="report_unknown"):
        call(match, player, now)
    free = free_table([player, referee], now, context="free")
    with pytest.raises(ActionRefused, match="report_unknown"):
        call(free, player, now)


def test_nobody_calls_without_end(cup: Tournament, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    player = match.seats.get(number=0).player
    for _ in range(caps.MAX_CALLS_AT_A_TABLE):
        call(match, player, now)
    with pytest.raises(ActionRefused, match="report_too_many"):
        call(match, player, now)
    reports.report(match_id=match.pk, reporter_id=player.pk, reason="slow", text="", client_id="r", now=now, seat=1)


def test_a_call_shows_at_once_and_is_seen_to_once_f4(
    cup: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    match, _other = open_ready(cup, now + OPENING)
    before = Tournament.objects.get().version
    report = call(match, match.seats.get(number=0).player, now, "Ha <b>due</b> carte")
    assert Tournament.objects.get().version == before + 1, "the pages are told"
    page = as_(referee).get(reverse("tournament-desk", args=[cup.public_id])).content.decode()
    assert "Ha &lt;b&gt;due&lt;/b&gt; carte" in page
    assert read_hooks(page, "call") == [str(report.pk)]
    assert "1 chiamata da vedere" in page
    seen = {"tournament_id": cup.pk, "report_id": report.pk, "now": now}
    with raises_refusal("not_referee"):
        referee_calls.answer_call(by=four[0], **seen)
    assert referee_calls.answer_call(by=referee, **seen)
    assert not referee_calls.answer_call(by=referee, **seen)
    report.refresh_from_db()
    assert (report.seen_by, report.seen_at) == (referee, now)
    assert read_desk(cup, referee, now).calls == 0
    with raises_refusal("no_such_call"):
        referee_calls.answer_call(by=referee, tournament_id=cup.pk, report_id=report.pk + 9, now=now)


def test_seeing_to_a_call_is_one_click(cup: Tournament, four: list[Player], referee: Player, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    report = call(match, match.seats.get(number=0).player, now)
    address = reverse("desk-seen", args=[cup.public_id])
    assert as_(four[0]).post(address, {"chiamata": report.pk}).status_code == 404
    for typed in (str(report.pk), "x", "", "9" * 30):
        assert as_(referee).post(address, {"chiamata": typed}).status_code == 302
    report.refresh_from_db()
    assert report.seen_by == referee


def test_a_call_that_nobody_saw_in_time_is_not_lost_f4(cup: Tournament, referee: Player, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    report = call(match, match.seats.get(number=0).player, now + OPENING)
    assert read_desk(cup, referee, now).reports == ()
    nobody_comes(match)
    assert (read_desk(cup, referee, now).calls, read_desk(cup, referee, now).reports) == (0, (report,))


# --- The page --------------------------------------------------------------------------------------------------------


def test_only_referees_have_the_desk_f1(cup: Tournament, four: list[Player], referee: Player) -> None:
    (fixture, _other) = ready(cup)
    pages = [
        reverse("tournament-desk", args=[cup.public_id]),
        reverse("desk-fixture", args=[cup.public_id, fixture.pk]),
    ]
    for page in pages:
        assert Client().get(page).status_code == 404
        assert as_(four[0]).get(page).status_code == 404
        assert as_(referee).get(page).status_code == 200
    assert as_(referee).get(reverse("desk-fixture", args=[cup.public_id, fixture.pk + 99])).status_code == 404
    assert pages[0] in read_ways(as_(referee).get(tournament_page(cup)))
    assert pages[0] not in read_ways(as_(four[0]).get(tournament_page(cup)))


def tournament_page(tournament: Tournament) -> str:
    return reverse("tournament", args=[tournament.public_id])


def test_what_wants_somebody_stands_first_f4(cup: Tournament, referee: Player, now: datetime) -> None:
    first, second = open_ready(cup, now + OPENING)
    for match in (first, second):
        sit_down(match, now + OPENING)
    presence.mark_present({(match.pk, seat) for match in (first, second) for seat in (0, 1)})
    clocks.hold_clocks(tournament_id=cup.pk, fixture_id=read_fixture(first).pk, act=build_act(referee, now + OPENING))
    call(second, second.seats.get(number=1).player, now + OPENING)
    shown = read_desk(cup, referee, now + OPENING)
    assert [table.fixture.table for table in shown.tables] == [second.public_id, first.public_id]
    assert [(table.urgent, table.paused_at is not None) for table in shown.tables] == [(True, False), (True, True)]
    referee_calls.answer_call(tournament_id=cup.pk, report_id=Report.objects.get().pk, by=referee, now=now + OPENING)
    shown = read_desk(cup, referee, now + OPENING)
    assert [table.fixture.table for table in shown.tables] == [first.public_id, second.public_id]
    assert not shown.tables[1].urgent
    page = as_(referee).get(reverse("tournament-desk", args=[cup.public_id]) + "?solo").content.decode()
    assert f"tavolo-{shown.tables[0].fixture.id}" in page


def test_who_is_to_move_and_has_no_window_open_is_seen_f4(cup: Tournament, referee: Player, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)

    def shown() -> list[tuple[bool, bool]]:
        (table, _further) = sorted(read_desk(cup, referee, now + OPENING).tables, key=lambda each: each.waiting)
        return [(person.here, person.away) for person in table.people]

    assert [here for here, _away in shown()] == [False, False]
    sit_down(match, now + OPENING)
    match.refresh_from_db()
    assert match.turn_seat is not None
    cache.clear()
    presence.mark_present({(match.pk, 1 - match.turn_seat)})
    assert shown() == [(True, match.turn_seat == 0), (True, match.turn_seat == 1)]
    assert presence.find_present([(match.pk, 0), (match.pk, 1)]) == {(match.pk, 1 - match.turn_seat)}


def test_no_page_of_the_desk_tells_a_card_of_a_running_deal_n2_f4(
    cup: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    match, _other = open_ready(cup, now + OPENING)
    sit_down(match, now + OPENING)
    play_card(match, now + OPENING)
    fixture = read_fixture(match)
    deal = match.deals.get()
    played = deal.moves.get().text
    page = as_(referee).get(reverse("desk-record", args=[cup.public_id, fixture.pk])).content.decode()
    assert played.partition(" ")[2] in page
    assert read_hooks(page, "commitment") == [Commitment.objects.get(matches=match).digest]
    assert set(re.findall(r"\b[A2-7FCR][dcbs]\b", page)) <= set(played.split())
    Referee.objects.create(tournament=cup, player=four[0])
    for_player = as_(four[0]).get(reverse("desk-record", args=[cup.public_id, fixture.pk]))
    assert for_player.status_code == 404, "who plays here sees of running tables what everybody sees"


def test_a_referee_who_plays_reads_no_call_of_a_running_table_n2_f1(
    cup: Tournament, four: list[Player], now: datetime
) -> None:
    Referee.objects.create(tournament=cup, player=four[0])
    matches = open_ready(cup, now + OPENING)
    for match in matches:
        call(match, match.seats.get(number=0).player, now, "Ho visto il tre di coppe")
    client = as_(four[0])
    page = client.get(reverse("tournament-desk", args=[cup.public_id])).content.decode()
    assert len(read_hooks(page, "call")) == len(matches)
    assert "tre di coppe" not in page
    naming = reverse("referees", args=[cup.public_id])
    assert naming not in page, "they run nothing"
    Tournament.objects.filter(pk=cup.pk).update(organiser=four[0])
    assert naming in client.get(reverse("tournament-desk", args=[cup.public_id])).content.decode()
    own = next(f for f in map(read_fixture, matches) if entry_of(cup, four[0]).pk in (f.first_id, f.second_id))
    page = client.get(reverse("desk-fixture", args=[cup.public_id, own.pk]))
    assert read_hooks(page, "note") == ["own_fixture"]
    assert "what" not in read_attribute(page, "name"), "there is no act's form"


def test_a_decision_by_its_form_is_public_with_its_reason_f3(girone: Tournament, referee: Player) -> None:
    fixture = ready(girone)[0]
    address = reverse("desk-fixture", args=[girone.public_id, fixture.pk])
    client = as_(referee)
    typed = {
        "what": "risultato", "points_0": "8", "points_1": "3", "winner": "0", "vp_0": "", "vp_1": "", "mp_0": "",
        "mp_1": "", "reason": "Carte <viste>", "key": "k1",
    }  # fmt: skip
    for changed in ({"reason": ""}, {"points_0": "x"}, {"vp_0": "15"}, {"winner": "1"}, {"winner": "7"}):
        answer = send_act(client, address, {**typed, **changed})
        assert answer.status_code == 200, changed
        assert "error" in answer.content.decode(), changed
        assert "Carte &lt;viste&gt;" in answer.content.decode() or not changed.get("reason", "x"), (
            "what was typed stays"
        )
    assert not LogEntry.objects.filter(code="ruling_result").exists()
    typed["winner"] = ""  # as the points say
    for _ in range(2):
        assert send_act(client, address, typed).status_code == 302
    fixture.refresh_from_db()
    assert (fixture.winner, fixture.vp_0, fixture.vp_1) == (0, 15, 5)
    assert LogEntry.objects.filter(code="ruling_result").count() == 1
    page = Client().get(tournament_page(girone)).content.decode()
    for words in ("Risultato stabilito", "Carte &lt;viste&gt;", "Rita", "8–3, vince", "VP 15–5", "da giocare"):
        assert words in page


@pytest.mark.parametrize(
    ("what", "typed", "code"),
    [
        ("sospendi", {}, "ruling_pause"),
        ("tempo", {"minutes": "3"}, "ruling_time"),
        ("forfait", {"lines": "01"}, "ruling_forfeit"),
        ("rigioca", {}, "ruling_replay"),
        ("annulla", {}, "ruling_annulled"),
    ],
)
def test_every_act_about_a_fixture_has_its_form_f2(
    opened: Opened, four: list[Player], referee: Player, what: str, typed: dict[str, str], code: str
) -> None:
    at = timezone.now() - timedelta(minutes=1)
    tournament = start_refereed(opened, four, referee, at, GIRONE)
    match, _other = open_ready(tournament, at + OPENING)
    player = match.seats.get(number=0).player_id
    address = reverse("desk-fixture", args=[tournament.public_id, read_fixture(match).pk])
    sent = {"what": what, "reason": WHY, "player": str(player), **typed}
    assert send_act(as_(referee), address, sent).status_code == 302
    assert LogEntry.objects.get(code__startswith="ruling_").code == code


def test_the_acts_about_all_tables_and_entries_have_their_forms_f2(
    opened: Opened, four: list[Player], referee: Player
) -> None:
    at = timezone.now() - timedelta(minutes=1)
    tournament = start_refereed(opened, four, referee, at)
    nives = create_person("Nives", at)
    address = reverse("tournament-desk", args=[tournament.public_id])
    client = as_(referee)
    out = f"{entry_of(tournament, four[0]).pk} {four[0].pk}"
    sent = {"what": "sostituisci", "reason": WHY, "out": out, "name": "Nives"}
    refusal = send_act(client, address, {**sent, "name": "Bruno"})
    assert "Gioca già in questo torneo" in refusal.content.decode()
    assert send_act(client, address, sent).status_code == 302
    yes = {"invitation": find_invitation(tournament, nives).pk, "si": ""}
    assert as_(nives).post(reverse("invitation-answer", args=[tournament.public_id]), yes).status_code == 302
    open_ready(tournament, at + OPENING)
    for what in ("sospendi-tutti", "riprendi-tutti"):
        assert send_act(client, address, {"what": what, "reason": WHY}).status_code == 302
    leaver = {"what": "ritira", "reason": WHY, "entry": str(entry_of(tournament, four[1]).pk), "expelled": "on"}
    assert client.post(address, leaver).status_code == 200, "nobody does it by a slip"
    assert send_act(client, address, leaver).status_code == 302
    codes = LogEntry.objects.filter(code__startswith="ruling_").values_list("code", flat=True)
    assert list(codes) == ["ruling_replace", "ruling_pause", "ruling_resume", "ruling_expelled"]
    assert "ruling_expelled" in read_hooks(Client().get(tournament_page(tournament)), "log")


@pytest.mark.rule("F4")
def test_a_small_desk_is_searched_by_name_and_by_number_too(
    girone: Tournament, four: list[Player], referee: Player, now: datetime
) -> None:
    tables = {read_fixture(match).board: read_fixture(match) for match in open_ready(girone, now + OPENING)}
    client = as_(referee)

    def find(name: str) -> HttpResponse:
        return client.get(reverse("tournament-desk", args=[girone.public_id]), {"nome": name})

    def list_tables(page: HttpResponse) -> list[int]:
        return [
            int(id_.removeprefix("tavolo-")) for id_ in read_attribute(page, "id", "li") if id_.startswith("tavolo")
        ]

    assert set(list_tables(find(""))) == {fixture.pk for fixture in tables.values()}
    assert list_tables(find("2")) == [tables[2].pk]
    mine = next(one for one in tables.values() if entry_of(girone, four[0]).pk in (one.first_id, one.second_id))
    assert list_tables(find(four[0].name.lower())) == [mine.pk]
    found = find(four[0].name)
    decided = [address for address in read_ways(found) if re.search(r"/arbitro/\d+/$", address)]
    assert len(decided) == 3, "every fixture of theirs, and no other"
    assert read_hooks(find("Nessuno"), "note") == ["no_table"]


@pytest.mark.rule("F4", "F5")
def test_the_page_of_a_fixture_shows_its_running_clocks(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = start_refereed(opened, four, referee, now, replace(GIRONE, match_clock=600))
    match, _other = open_ready(tournament, now + OPENING)
    sit_down(match, now + OPENING)
    fixture = read_fixture(match)
    address = reverse("desk-fixture", args=[tournament.public_id, fixture.pk])
    client = as_(referee)
    page = client.get(address)
    assert f"tavolo-{fixture.pk}" in read_attribute(page, "id")
    assert page.content.decode().count("10:00") == 2, "the clock of each"
    assert address not in read_ways(page), "it doesn't lead to itself"
    live = client.get(address, headers={"HX-Request": "true", "HX-Target": "live"})
    assert f"tavolo-{fixture.pk}" in read_attribute(live, "id")
    assert "what" not in read_attribute(live, "name"), "what is being typed is not replaced"
    decision = results.Decision(points=(8, 3), winner=0)
    results.set_result(
        tournament_id=tournament.pk, fixture_id=fixture.pk, decision=decision, act=build_act(referee, now + OPENING)
    )
    assert f"tavolo-{fixture.pk}" not in read_attribute(client.get(address), "id")


def test_the_desk_takes_as_many_queries_for_many_tables_as_for_one_sp9(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    def queries(players: list[Player]) -> int:
        tournament = start_refereed(opened, players, referee, now)
        for match in open_ready(tournament, now + OPENING):
            table_referee.pause(match_id=match.pk, now=now + OPENING)
        with CaptureQueriesContext(connection) as counted:
            read_desk(tournament, referee, now + OPENING)
        return len(counted)

    few = queries(four[:2])
    others = [create_person(f"Altro{number}", now) for number in range(8)]
    assert queries(others) == few
