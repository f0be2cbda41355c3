"""Tournaments on loan: read-only at home, brought back equal, and no forged, doubled or recalled file (O9)."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction
from django.forms.models import model_to_dict
from django.test import Client, override_settings
from django.urls import URLPattern, reverse
from django.urls.converters import IntConverter

from players.models import FORGOTTEN_NAME, Person, Player
from players.names import make_name_key
from players.services.close_account import close_account
from tests.support.arrangements import arrange_once
from tests.support.desk import build_act, replace_by, start_refereed
from tests.support.entries import enter_all
from tests.support.html import read_hooks
from tests.support.people import create_person, give_address, sign_in
from tests.support.play import OPENING, open_ready, play
from tests.support.real_tables import draw_present, draw_real, type_names
from tests.support.standings import create_field
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened, catch_code
from tests.support.transfer import change_file, decide, finish, read_picture, read_results, rule_ready
from tournaments.desk.results import Decision, set_result
from tournaments.entries.typed_names import rename_person
from tournaments.hall.slip_codes import print_slips
from tournaments.models import Fixture, Loan, Referee, Register, RegisterCard, ScoreSlip, Tournament
from tournaments.organise.lifecycle import cancel_tournament, edit_tournament
from tournaments.organise.settings import read_settings
from tournaments.rankings.points import find_point_differences
from tournaments.register.cards import CardValues, add_card
from tournaments.register.forgetting import forget_typed_name
from tournaments.register.tombstones import is_forgotten
from tournaments.rounds.late_requests import ask_to_enter_late
from tournaments.running.recompute import find_differences
from tournaments.running.start import start_due
from tournaments.sweep import list_due_fixtures, list_due_starts
from tournaments.transfer.faults import FileRefused
from tournaments.transfer.loans import lend_tournament, recall_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy
from tournaments.urls import urlpatterns
from tournaments.venues import HALL, SITE

pytestmark = [pytest.mark.django_db]

State = Tournament.State
DANESE = replace(GIRONE, name="Danese in piazza", format="danese", max_entries=8)
ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")
HALL_NAME = "Sala del circolo"


def lend(tournament: Tournament, by: Player, now: datetime) -> bytes:
    return lend_tournament(tournament_id=tournament.pk, by=by, to=HALL_NAME, now=now)


def finish_elsewhere(data: bytes, by: Player, now: datetime) -> bytes:
    """Import at the other site, play to the end there, and give it back."""
    with ELSEWHERE:
        away = take_in_file(data=data, by=by, now=now)
        finish(away, by, now)
        return lend_tournament(tournament_id=away.pk, by=by, to="", now=now)


@arrange_once
def entering(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A girone that the four have entered, and that begins in three hours."""
    return enter_all(opened(GIRONE, starts_at=now + timedelta(hours=3), max_entries=8), four, now)


def without_names(picture: Any) -> Any:
    for entry in picture["log"]:
        entry["by"] = ""
    return picture


@pytest.mark.rule("O9")
@pytest.mark.parametrize("settings", tries([KO, DANESE], [KO, GIRONE, DANESE]), ids=lambda settings: settings.format)
def test_finished_elsewhere_and_brought_back_it_equals_one_finished_at_home_o9(
    opened: Opened, organiser: Player, referee: Player, now: datetime, settings: Any
) -> None:
    tournament = draw_real(opened, 8 if settings is DANESE else 4, now, settings)
    rule_ready(tournament, organiser, now, most=1)
    with transaction.atomic():
        finish(tournament, organiser, now)
        at_home = without_names(read_picture(tournament))
        transaction.set_rollback(True)
    tournament.refresh_from_db()
    people = list(tournament.members.order_by("entry", "position").values_list("person", flat=True))
    back = finish_elsewhere(lend(tournament, organiser, now), referee, now)
    assert take_in_file(data=back, by=organiser, now=now) == tournament
    assert without_names(read_picture(tournament)) == at_home
    assert list(tournament.members.order_by("entry", "position").values_list("person", flat=True)) == people
    assert find_differences(tournament) == []
    assert tournament.lent_to == tournament.imported_from == ""
    travels = [entry.code for entry in tournament.log.all() if entry.code in ("lent", "imported", "returned")]
    assert travels == ["lent", "imported", "lent", "returned"]


@pytest.mark.rule("O9", "O4")
def test_what_nobody_confirmed_is_marked_so_elsewhere_and_on_return_o9(
    hall: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    rule_ready(hall, organiser, now, most=1)
    (typed,) = Fixture.objects.of(hall).exclude(result_at=None)
    Fixture.objects.filter(pk=typed.pk).update(unconfirmed=True, ruled=False)
    data = lend(hall, organiser, now)
    marks = [row["unconfirmed"] for round_ in json.loads(data)["body"]["rounds"] for row in round_["fixtures"]]
    assert marks.count(True) == 1
    take_in_file(data=finish_elsewhere(data, referee, now), by=organiser, now=now)
    assert list(Fixture.objects.of(hall).filter(unconfirmed=True)) == [typed]


@pytest.mark.rule("O9", "O1")
@pytest.mark.parametrize("settings", tries([KO, DANESE], [KO, GIRONE, DANESE]), ids=lambda settings: settings.format)
def test_one_of_the_site_is_played_on_at_real_tables_elsewhere_and_comes_back_as_it_was_o9(
    opened: Opened, organiser: Player, referee: Player, now: datetime, settings: Any
) -> None:
    tournament = create_field(opened, settings, 8 if settings is DANESE else 4, now)
    rule_ready(tournament, organiser, now, most=1)
    with transaction.atomic():
        finish(tournament, organiser, now)
        at_home = read_results(tournament)
        transaction.set_rollback(True)
    tournament.refresh_from_db()
    own = read_settings(tournament)
    data = lend(tournament, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        on_site = replace(read_settings(away), venue=SITE)
        refused = catch_code(edit_tournament, tournament_id=away.pk, settings=on_site, by=referee, now=now)
        assert refused == "drawn"
        assert (away.venue, away.publishes_rounds) == (HALL, True)
        assert (away.turn_timeout, away.match_clock) == (None, None)
        assert find_differences(away) == []
        waiting = Fixture.objects.of(away).ready()
        assert list(waiting.values_list("table", flat=True).order_by("table")) == list(range(1, waiting.count() + 1))
        client = sign_in(referee)
        for name in ("tournament", "tournament-results", "tournament-rounds", "tournament-desk", "tournament-wall"):
            assert client.get(reverse(name, args=[away.public_id])).status_code == 200
        finish(away, referee, now)
        entered = [entry.code for entry in away.log.all() if entry.code == "ruling_entered"]
        assert len(entered) == Fixture.objects.of(away).filter(state="done").count() - 1, "no reason was asked"
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    take_in_file(data=back, by=organiser, now=now)
    tournament.refresh_from_db()
    assert read_settings(tournament) == own
    assert read_results(tournament) == at_home
    assert find_differences(tournament) == []


@pytest.mark.rule("O9", "O1")
def test_a_name_that_came_in_elsewhere_keeps_it_at_real_tables_o9(
    entering: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    data = lend(entering, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        type_names(away, ["Ugo Bianchi"], now)
        assert away.due_at is None, "nothing happens by the clock"
        draw_present(away, now)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    take_in_file(data=back, by=organiser, now=now)
    entering.refresh_from_db()
    assert entering.venue is HALL
    assert entering.publishes_rounds
    assert not set(list_due_fixtures(now + timedelta(days=9)))
    finish(entering, organiser, now)


@pytest.mark.rule("O9", "O1")
def test_what_was_imported_opens_no_tables_whatever_its_organiser_chooses_o9(
    opened: Opened, referee: Player, now: datetime
) -> None:
    data = make_copy(opened(KO), now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
    on_site = replace(KO, venue=SITE)
    assert catch_code(edit_tournament, tournament_id=away.pk, settings=on_site, by=referee, now=now) == "imported_real"


@pytest.mark.rule("O9", "O4")
def test_the_page_says_that_slips_are_printed_anew_o9(
    hall: Tournament, opened: Opened, organiser: Player, organisers: Client, referee: Player, now: datetime
) -> None:
    print_slips(tournament_id=hall.pk, by=organiser, now=now)
    data, address = lend(hall, organiser, now), reverse("tournament-file")
    assert not ScoreSlip.objects.exists()
    with ELSEWHERE:
        page = sign_in(referee).post(address, {"file": SimpleUploadedFile("t.json", data)}, follow=True)
        assert read_hooks(page, "notice") == ["file_imported", "slips_anew"]
        away = Tournament.objects.get(organiser=referee)
        assert "segnapunti" in sign_in(referee).get(reverse("tournament-slips", args=[away.public_id])).content.decode()
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    page = organisers.post(address, {"file": SimpleUploadedFile("t.json", change_file(back, rename))}, follow=True)
    assert read_hooks(page, "notice") == ["file_returned", "slips_anew"]
    over = create_field(opened, KO, 4, now)
    finish(over, organiser, now)
    with ELSEWHERE:
        copy = SimpleUploadedFile("t.json", make_copy(over, now))
    page = organisers.post(address, {"file": copy}, follow=True)
    assert read_hooks(page, "notice") == ["file_imported"]
    assert Tournament.objects.get(pk=over.pk).venue is SITE


def rename(body: Any) -> None:
    body["tournament"]["name"] = "Girone in piazza"


@pytest.mark.rule("O9", "R6")
def test_rounds_have_the_hours_of_home_again_o9(
    opened: Opened, organiser: Player, referee: Player, now: datetime
) -> None:
    hours = tuple(now + timedelta(days=day) for day in (7, 14))
    base = replace(GIRONE, starts_at=now + timedelta(hours=1), round_hours=hours)
    tournament, now = create_field(opened, base, 4, now, draw=False), now + timedelta(hours=1)
    start_due(tournament_id=tournament.pk, now=now)
    before = list(tournament.rounds.values_list("opens_at", flat=True).order_by("number"))
    assert before[1:] == list(hours)
    data = lend(tournament, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        assert set(away.rounds.values_list("opens_at", flat=True)) == {None}
        rule_ready(away, referee, now)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    take_in_file(data=back, by=organiser, now=now)
    assert list(tournament.rounds.values_list("opens_at", flat=True).order_by("number"))[1:] == list(hours)
    ready = Fixture.objects.of(tournament).ready()
    assert set(ready.values_list("opens_at", flat=True)) <= set(before) - {None}
    assert not set(list_due_fixtures(now + timedelta(days=6)))


@pytest.mark.rule("O9", "O1")
def test_what_is_at_real_tables_at_home_opens_none_when_it_returns_o9(
    hall: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    data = lend(hall, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        rule_ready(away, referee, now, most=1)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    take_in_file(data=back, by=organiser, now=now)
    assert not set(list_due_fixtures(now + timedelta(days=9)))


@pytest.mark.rule("O9")
def test_what_was_played_on_the_site_stays_linked_to_its_table_and_people_o9(
    girone: Tournament, four: list[Player], referee: Player, organiser: Player, now: datetime
) -> None:
    for match in open_ready(girone, now + OPENING):
        now = max(now, play(match, now + OPENING))
    member = girone.members.get(person__player=four[0])
    newcomer = create_person("Ines", now)
    replace_by(girone, member.entry_id, four[0], newcomer, build_act(referee, now))
    tables = dict(Fixture.objects.of(girone).filter(match__isnull=False).values_list("pk", "match"))
    back = finish_elsewhere(lend(girone, organiser, now), referee, now)
    take_in_file(data=back, by=organiser, now=now)
    assert dict(Fixture.objects.of(girone).filter(match__isnull=False).values_list("pk", "match")) == tables
    assert girone.members.filter(person__player=newcomer).exists()
    played = Fixture.objects.of(girone).get(line_ups__person__player=four[0])
    assert played.match_id is not None
    page = sign_in(None).get(reverse("tournament", args=[girone.public_id]))
    assert page.status_code == 200


@pytest.mark.rule("O9")
def test_brought_back_in_the_middle_it_goes_on_at_its_own_tables_o9(
    girone: Tournament, referee: Player, organiser: Player, now: datetime
) -> None:
    data = lend(girone, organiser, now)
    assert not set(list_due_fixtures(now + timedelta(days=1)))
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        rule_ready(away, referee, now, most=1)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
        assert catch_code(rule_ready, tournament=away, by=referee, now=now) == "lent"
    later = now + timedelta(hours=2)
    take_in_file(data=back, by=organiser, now=later)
    assert [play(match, later + OPENING) for match in open_ready(girone, later + OPENING)]


@pytest.mark.rule("O9")
def test_a_tournament_lent_before_the_draw_comes_back_drawn_o9(
    opened: Opened, four: list[Player], referee: Player, organiser: Player, now: datetime
) -> None:
    hour = now + timedelta(hours=3)
    tournament = enter_all(opened(GIRONE, starts_at=hour, max_entries=8), four, now)
    data = lend(tournament, organiser, now)
    assert list(list_due_starts(hour)) == []
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        away.entries.order_by("pk").last().delete()
        draw_present(away, hour)
        assert away.state == State.RUNNING
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=hour)
    take_in_file(data=back, by=organiser, now=hour)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.entries.count()) == (State.RUNNING, 3)
    assert set(tournament.members.player_ids()) < {player.pk for player in four}
    assert tournament.lot == away.lot
    finish(tournament, organiser, hour)


@pytest.mark.rule("O9", "O2")
def test_a_name_corrected_elsewhere_comes_back_corrected_o9(
    hall: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    wrong, carded, *_others = [member.person for member in hall.members.with_people().order_by("pk")]
    add_card(register=Register(organiser=organiser), by=organiser, values=CardValues(name=carded.name), now=now)
    RegisterCard.objects.update(person=carded)
    data = lend(hall, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        for person, name in ((wrong, "Ada Nèri"), (carded, "Un altro")):
            there = away.members.get(person__typed_name=person.typed_name).person_id
            about = {"tournament_id": away.pk, "by": referee, "person_id": there, "now": now}
            rename_person(name=name, suffix="Bar Sport", **about)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    take_in_file(data=back, by=organiser, now=now)
    wrong.refresh_from_db()
    assert wrong.name == "Ada Nèri (Bar Sport)"
    assert wrong.typed_key == make_name_key("Ada Nèri")
    assert str(Person.objects.get(pk=carded.pk)) == str(carded), "of whoever keeps the card"


@pytest.mark.rule("O9", "I1")
@pytest.mark.parametrize("keeps_card", [False, True])
def test_a_name_forgotten_elsewhere_is_forgotten_here_o9(
    hall: Tournament, organiser: Player, referee: Player, now: datetime, keeps_card: bool
) -> None:
    name = hall.members.with_people().order_by("pk")[0].person.name
    if keeps_card:
        card = add_card(register=Register(organiser=organiser), by=organiser, values=CardValues(name=name), now=now)
        hall.members.filter(person__typed_name=name).update(person=card.person)
    data = lend(hall, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        finish(away, referee, now)
        there = away.members.get(person__typed_name=name).person_id
        forget_typed_name(tournament=away, by=referee, person_id=there, staff=False, now=now)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    home = take_in_file(data=back, by=organiser, now=now)
    shown = [member.person.name for member in hall.members.with_people()]
    assert (name in shown, "ritirato" in shown) == (False, True)
    assert is_forgotten(name, list(hall.forgotten.values_list("digest", flat=True)))
    assert RegisterCard.objects.filter(person__typed_name=name).exists() is keeps_card
    assert find_point_differences(home) == []


@pytest.mark.rule("O9", "I1")
def test_a_name_forgotten_at_home_meanwhile_does_not_come_back_o9(
    hall: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    person = hall.members.with_people().order_by("pk")[0].person
    data = lend(hall, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        finish(away, referee, now)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    Person.objects.filter(pk=person.pk).update(typed_name=FORGOTTEN_NAME)
    take_in_file(data=back, by=organiser, now=now)
    assert Person.objects.get(pk=person.pk).is_forgotten


@pytest.mark.rule("Y1", "O9")
@pytest.mark.parametrize("drawn_at_home", [True, False], ids=["drawn at home", "drawn elsewhere"])
def test_a_loan_gives_points_on_the_site_only_if_it_was_drawn_here_where_accounts_are_known(
    opened: Opened, four: list[Player], referee: Player, organiser: Player, now: datetime, drawn_at_home: bool
) -> None:
    for player in four:
        give_address(player)
    hour = now if drawn_at_home else now + timedelta(hours=3)
    if drawn_at_home:
        tournament = start_refereed(opened, four, referee, now, GIRONE)
    else:
        tournament = enter_all(opened(GIRONE, starts_at=hour, max_entries=8), four, now)
    data = lend(tournament, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        if not drawn_at_home:
            draw_present(away, hour)
        finish(away, referee, hour)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=hour)
    tournament = take_in_file(data=back, by=organiser, now=hour)
    assert [row.site_points for row in away.points.all()] == [None] * 4, "what is imported never counts"
    assert [row.points is None for row in tournament.points.order_by("rank")] == [False] * 4, "in its club's ranking"
    assert [row.site_points is None for row in tournament.points.all()] == [not drawn_at_home] * 4
    assert find_point_differences(tournament) == []


@pytest.mark.rule("O9")
def test_forged_doubled_unchanged_and_recalled_files_are_refused_o9(
    field: Tournament, opened: Opened, organiser: Player, referee: Player, now: datetime
) -> None:
    data = lend(field, organiser, now)
    assert catch_code(take_in_file, data=data, by=organiser, now=now) == "file_unchanged"
    back = finish_elsewhere(data, referee, now)
    with ELSEWHERE:
        assert catch_code(take_in_file, data=data, by=referee, now=now) == "file_twice"
    ticket = json.loads(back)["loan"]["ticket"]
    forged = change_file(back.replace(ticket.encode(), b"x" * len(ticket)), lambda body: None)
    assert catch_code(take_in_file, data=forged, by=organiser, now=now) == "file_forged"
    assert catch_code(take_in_file, data=back, by=referee, now=now) == "not_organiser"
    take_in_file(data=back, by=organiser, now=now)
    assert catch_code(take_in_file, data=back, by=organiser, now=now) == "file_returned"
    again = create_field(opened, KO, 4, now)
    second = finish_elsewhere(lend(again, organiser, now), referee, now)
    recall_tournament(tournament_id=again.pk, by=organiser, now=now)
    before = read_picture(again)
    assert catch_code(take_in_file, data=second, by=organiser, now=now) == "file_recalled"
    assert read_picture(again) == before
    assert ticket not in str(list(Loan.objects.values()))


def forge_result(body: Any) -> None:
    fixture = body["rounds"][0]["fixtures"][0]
    for name in ("winner", "points", "mp", "vp"):
        if name == "winner":
            fixture[name] = 1 - fixture[name]
        else:
            fixture[f"{name}_0"], fixture[f"{name}_1"] = fixture[f"{name}_1"], fixture[f"{name}_0"]


def forge_settings(body: Any) -> None:
    body["tournament"]["tie_break"] = "rete"


def forge_log(body: Any) -> None:
    del body["log"][1]


def forge_seeds(body: Any) -> None:
    first, second = body["entries"][:2]
    first["id"], second["id"] = second["id"], first["id"]


@arrange_once
def loan(field: Tournament, organiser: Player, referee: Player, now: datetime) -> tuple[Tournament, bytes]:
    """A girone whose first round was played before it was lent, and the file with which it comes back finished."""
    rule_ready(field, organiser, now)
    return field, finish_elsewhere(lend(field, organiser, now), referee, now)


@pytest.mark.rule("O9")
@pytest.mark.parametrize(
    ("forge", "faults"),
    [
        (forge_result, [("no_act", "rounds[1].fixtures[1]")]),
        (forge_settings, [("denied", "tournament.tie_break")]),
        (forge_log, [("denied", "log[2]")]),
        (forge_seeds, [("denied", "entries: 1"), ("denied", "entries: 2")]),
    ],
)
def test_what_stood_when_it_left_is_not_denied_by_a_file_o9(
    loan: tuple[Tournament, bytes], organiser: Player, now: datetime, forge: Callable[[Any], None], faults: Any
) -> None:
    lent, back = loan
    before = read_picture(lent)
    with pytest.raises(FileRefused) as refused:
        take_in_file(data=change_file(back, forge), by=organiser, now=now)
    assert [(fault.code, fault.place) for fault in refused.value.faults] == faults
    assert read_picture(lent) == before
    assert Loan.objects.get(tournament=lent).ended_at is None


@pytest.mark.rule("O9")
@pytest.mark.parametrize("registration", ["code", "link"])
def test_texts_come_back_without_what_cannot_be_seen_o9(
    opened: Opened, organiser: Player, referee: Player, now: datetime, registration: str
) -> None:
    tournament = create_field(opened, replace(GIRONE, registration=registration), 4, now)
    secrets = (tournament.join_code, tournament.join_token)
    assert any(secrets)

    def spoil(body: Any) -> None:
        body["tournament"]["name"] = " Girone \u202e di sera\x07"
        body["tournament"]["description"] = "Si gioca\u202e qui\x07\r\nalle otto"

    back = finish_elsewhere(lend(tournament, organiser, now), referee, now)
    take_in_file(data=change_file(back, spoil), by=organiser, now=now)
    tournament.refresh_from_db()
    assert (tournament.name, tournament.description) == ("Girone di sera", "Si gioca qui\nalle otto")
    assert (tournament.join_code, tournament.join_token) == secrets


@pytest.mark.rule("O9")
def test_a_result_that_was_changed_by_an_act_elsewhere_comes_back_o9(
    field: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    rule_ready(field, organiser, now, most=1)
    ruled = Fixture.objects.of(field).get(result_at__isnull=False)
    data = lend(field, organiser, now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        theirs = Fixture.objects.of(away).get(result_at__isnull=False)
        before = decide(Fixture.objects.select_related("round__tournament").get(pk=ruled.pk))
        turned = Decision(points=before.points[::-1], winner=1 - (before.winner or 0))
        set_result(tournament_id=away.pk, fixture_id=theirs.pk, decision=turned, act=build_act(referee, now))
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    take_in_file(data=back, by=organiser, now=now)
    ruled.refresh_from_db()
    assert (ruled.points_0, ruled.points_1) == turned.points
    acts = field.log.filter(code="ruling_result").order_by("pk")
    assert [(act.player, act.actor_name) for act in acts] == [(organiser, "Teresa"), (None, "Rita")]


def snapshot(tournament: Tournament) -> list[Any]:
    """Every stored row of the tournaments' rooms."""
    models = apps.get_app_config("tournaments").get_models()
    return [model_to_dict(row) | {"of": type(row).__name__} for model in models for row in model.objects.order_by("pk")]


@pytest.mark.rule("O9")
def test_no_address_of_a_lent_tournament_writes_anything_o9(
    opened: Opened, organiser: Player, organisers: Client, four: list[Player], now: datetime
) -> None:
    """Every address below a tournament is posted to by its organiser and by whoever is entered: nothing changes."""
    tournament = enter_all(opened(GIRONE, starts_at=now + timedelta(hours=3), max_entries=8), four, now)
    drawn = create_field(opened, GIRONE, 4, now)
    known = {}
    for one in (tournament, drawn):
        lend(one, organiser, now)
        fixture, entry = Fixture.objects.of(drawn).first(), one.entries.first()
        known[one] = {"fixture_id": fixture.pk if fixture else 0, "entry_id": entry.pk if entry else 0, "seed": 1}
        known[one] |= {"public_id": one.public_id, "token": "x" * 22}
    before = snapshot(tournament)
    entered = sign_in(four[0])
    readers = {
        tournament.public_id: (organisers, entered),
        drawn.public_id: tries((organisers,), (organisers, entered)),
    }
    posted = 0
    for pattern in urlpatterns:
        route = pattern.pattern
        if not isinstance(pattern, URLPattern) or not str(route).startswith("tornei/<id:public_id>/"):
            continue
        if pattern.name == "tournament-recall":
            continue
        for values in known.values():
            number = values["entry_id"]
            given = {
                name: values.get(name, number if isinstance(kind, IntConverter) else "iscritti")
                for name, kind in route.converters.items()
            }
            form = {"entry": number, "nome": "Ines", "motivo": "Perché sì", "reason": "Perché sì", "dove": HALL_NAME}
            for client in readers[values["public_id"]]:
                assert client.post(reverse(str(pattern.name), kwargs=given), form).status_code < 500
                posted += 1
    assert posted > 60
    assert snapshot(tournament) == before
    assert catch_code(cancel_tournament, tournament_id=drawn.pk, by=organiser, now=now) == "lent"


@pytest.mark.rule("O9")
def test_recomputing_all_tournaments_passes_over_what_is_lent_o9(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    for _ in range(2):
        tournament = create_field(opened, GIRONE, 4, now)
    lend(tournament, organiser, now)
    tournament.entries.update(vp=99)
    out = StringIO()
    call_command("recompute", stdout=out)
    assert "1 tornei, 0 con differenze" in out.getvalue()
    with pytest.raises(CommandError):
        call_command("recompute", "--check", stdout=StringIO())


@pytest.mark.rule("O9")
def test_who_closes_their_account_may_while_a_tournament_is_lent_o9(
    entering: Tournament, organiser: Player, four: list[Player], now: datetime
) -> None:
    lend(entering, organiser, now)
    close_account(player_id=four[0].pk, now=now)
    assert entering.entries.count() == 4


@pytest.mark.rule("O9", "D2")
def test_nobody_waits_to_come_late_where_the_last_rounds_were_drawn_elsewhere_o9(
    opened: Opened, organiser: Player, referee: Player, four: list[Player], now: datetime
) -> None:
    tournament = draw_real(opened, 4, now, replace(DANESE, format_options={"rounds": 2, "late": 2}))
    asked = {"player": four[0], "people": (), "own_key": "", "address": "192.0.2.1", "now": now}
    ask_to_enter_late(tournament_id=tournament.pk, **asked)
    rule_ready(tournament, organiser, now, most=1)
    data = lend(tournament, organiser, now)
    back = finish_elsewhere(data, referee, now)
    home = take_in_file(data=back, by=organiser, now=now)
    assert (home.state, home.late_requests.count()) == (State.FINISHED, 0)


@pytest.mark.rule("O9", "E2")
def test_what_is_lent_before_the_draw_goes_to_a_referee_when_its_organiser_leaves_o9(
    entering: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    Referee.objects.create(tournament=entering, player=referee)
    data = lend(entering, organiser, now)
    close_account(player_id=organiser.pk, now=now)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        draw_present(away, now)
        back = lend_tournament(tournament_id=away.pk, by=referee, to="", now=now)
    home = take_in_file(data=back, by=referee, now=now)
    assert (home, home.organiser, home.state) == (entering, referee, State.RUNNING)


@pytest.mark.rule("O9")
def test_the_page_lends_recalls_and_brings_back_o9(
    field: Tournament, organiser: Player, organisers: Client, referee: Player, now: datetime, tmp_path: Path
) -> None:
    page = reverse("tournament-transfer", args=[field.public_id])
    lending = reverse("tournament-lend", args=[field.public_id])
    assert read_hooks(organisers.get(page), "action")[:2] == ["lend", "copy"]
    assert read_hooks(organisers.post(lending, {"dove": " "}, follow=True), "notice") == ["place_missing"]
    file = organisers.post(lending, {"dove": HALL_NAME})
    assert file["Content-Disposition"].startswith("attachment")
    shown = sign_in(None).get(reverse("tournament", args=[field.public_id]))
    assert "lent" in read_hooks(shown, "note")
    assert "recall" in read_hooks(organisers.get(page), "action")
    assert read_hooks(organisers.post(lending, {"dove": HALL_NAME}, follow=True), "notice") == ["lent"]
    back = finish_elsewhere(file.content, referee, now)
    (tmp_path / "torneo.json").write_bytes(back)
    with (tmp_path / "torneo.json").open("rb") as opened_file:
        answer = organisers.post(reverse("tournament-file"), {"file": opened_file}, follow=True)
    assert read_hooks(answer, "notice") == ["file_returned"]
    recalling = reverse("tournament-recall", args=[field.public_id])
    assert read_hooks(organisers.post(recalling, follow=True), "notice") == ["not_lent"]
