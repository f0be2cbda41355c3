"""An evening at real tables by a program: names, roll call, clocks, results, the log, and the last entry taken back."""

from datetime import datetime

import pytest
from django.test import Client

from players.models import Player
from tests.support.keys import address_of, by_key, code, key_for, make_key, send
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, open_real
from tests.support.tournaments import Opened
from tournaments.models import Entry, Fixture, LogEntry
from tournaments.organise.settings import Settings

pytestmark = pytest.mark.django_db

LIST = "/api/v1/tournaments/"
DANESE = Settings(
    name="Danese", format="danese", ruleset="scopa", length_kind="points", length_value=11, format_options={"rounds": 3}
)


@pytest.mark.rule("AP7", "O1", "O2", "O4")
def test_an_evening_at_real_tables_is_run_by_a_program_u7_o1_o2_o4(organiser: Player) -> None:
    key = by_key(make_key(organiser))
    body = {"name": "Serata", "format": "danese", "ruleset": "scopa", "length_kind": "points", "length_value": 11}
    made = send(key, LIST, {**body, "venue": "real", "format_options": {"rounds": 2}, "max_entries": 64})
    own = f"{LIST}{made.json()['public_id']}/"
    assert send(key, f"{own}publish/").json()["venue"] == "real"
    names = [{"player": name} for name in ("Ada", "Bice", "Ciro", "Dora")]
    names += [{"player": "Ada", "club": "Aurora"}, {"player": "Elio"}]
    assert send(key, f"{own}entries/", {"entries": names}).json() == {"entries": 6, "invitations": 0}
    entries = key.get(f"{own}entries/").json()["results"]
    assert [row["name"] for row in entries][4] == "Ada (Aurora)"
    twice = send(key, f"{own}entries/", {"entries": [{"player": "Dora"}]})
    assert (code(twice), twice.json()["values"]["problems"][0]["code"]) == ((409, "list_refused"), "in_already")
    assert send(key, f"{own}roll-call/").json() == {"entries": 6}
    assert send(key, f"{own}roll-call/undo/").json() == {"entries": 6}
    assert code(send(key, f"{own}roll-call/undo/")) == (409, "no_roll_call")
    assert send(key, f"{own}roll-call/").json() == {"entries": 6}
    absent = entries[5]["id"]
    assert send(key, f"{own}entries/{absent}/check-in/", {"present": False}).json()["checked_in"] is False
    draft = send(key, f"{own}rounds/draw/").json()
    assert send(key, f"{own}rounds/publish/", {"round": 1, "key": draft["key"]}).json()["state"] == "running"
    fixtures = key.get(f"{own}fixtures/?state=ready").json()["results"]
    assert [(row["table"], row["wave"], row["match"]) for row in fixtures] == [(1, 1, None), (2, 1, None)]
    for row in fixtures:
        answer = send(key, f"{own}fixtures/{row['round']}-{row['board']}/result/", {"points": [11, 4]}, "put")
        assert (answer.status_code, answer.json()["winner"], answer.json()["unconfirmed"]) == (200, 0, False)
    (first, *_) = fixtures
    place = f"{own}fixtures/1-{first['board']}/"
    assert code(send(key, f"{place}result/", {"points": [4, 11]}, "put")) == (409, "reason_missing")
    changed = send(key, f"{place}result/", {"points": [4, 11], "reason": "Scritto al contrario"}, "put").json()
    assert (changed["winner"], changed["points"]) == (1, [4, 11])


@pytest.mark.rule("AP7", "O5")
def test_points_of_deals_have_to_make_the_result_u7_o5(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, DANESE)
    key, own = key_for(tournament), address_of(tournament)
    place = f"{own}fixtures/1-1/result/"
    wrong = send(key, place, {"points": [11, 3], "deals": [[4, 2], [7, 2]]}, "put").json()
    assert [(fault["field"], fault["code"]) for fault in wrong["errors"]] == [("points", "deals_sum")]
    many = send(key, place, {"points": [12, 4], "deals": [[11, 0], [1, 4]]}, "put")
    assert code(many)[0] == 409
    assert send(key, place, {"points": [11, 4], "deals": [[4, 2], [7, 2]]}, "put").status_code == 200
    forfeit = send(key, f"{own}fixtures/1-2/forfeit/", {"forfeit_by": [1]}).json()
    assert (forfeit["winner"], forfeit["forfeit_by"]) == (0, 1)


@pytest.mark.rule("AP7", "O13")
def test_the_last_entry_is_taken_back_by_who_made_it_u7_o13(opened: Opened, referee: Player, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, DANESE)
    key, own = key_for(tournament), address_of(tournament)
    assert key.get(f"{own}last-entry/").status_code == 404
    assert code(send(key, f"{own}last-entry/undo/", {"entry": 1})) == (409, "nothing_to_undo")
    send(key, f"{own}fixtures/1-2/result/", {"points": [11, 4]}, "put")
    last = key.get(f"{own}last-entry/").json()
    assert (last["fixture"], last["before"]["over"], last["after"]["points"]) == ("1-2", False, [11, 4])
    assert code(send(key, f"{own}last-entry/undo/", {"entry": last["id"] - 1})) == (409, "nothing_to_undo")
    undone = send(key, f"{own}last-entry/undo/", {"entry": last["id"]}).json()
    assert (undone["board"], undone["state"], undone["points"]) == (2, "ready", None)
    assert Client().get(f"{own}last-entry/").status_code == 401
    assert sign_in(referee).get(f"{own}last-entry/").status_code == 403


@pytest.mark.rule("AP7", "O6")
def test_the_round_clocks_are_read_and_run_u7_o6(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, DANESE, clock_minutes=30)
    key, own = key_for(tournament), f"{address_of(tournament)}clocks/"
    (clock,) = Client().get(own).json()
    waiting = {"state": "waiting", "ends_at": None, "seconds_left": None, "more": []}
    assert clock == {"round": 1, "wave": 1, "board": 0, **waiting}
    started = send(key, f"{own}1-1/start/").json()
    assert (started["state"], started["ends_at"] is None) == ("running", False)
    assert code(send(key, f"{own}1-1/start/")) == (409, "clock_changed")
    held = send(key, f"{own}1-1/pause/").json()
    assert (held["state"], held["ends_at"], 0 < held["seconds_left"] <= 30 * 60) == ("held", None, True)
    assert send(key, f"{own}1-1/resume/").json()["state"] == "running"
    assert send(key, f"{own}1-1/extend/", {"minutes": 5, "table": 2}).json()["more"] == [{"table": 2, "minutes": 5}]
    assert code(send(key, f"{own}1-1/extend/", {"minutes": 5, "table": 9})) == (409, "clock_table")
    assert code(send(key, f"{own}2-1/start/")) == (409, "no_clock")
    codes = [row["code"] for row in Client().get(f"{address_of(tournament)}log/?limit=4").json()["results"]]
    assert codes == ["clock_extended", "clock_resumed", "clock_paused", "clock_started"]


@pytest.mark.rule("AP7", "AP8", "F3")
def test_the_log_says_what_was_done_by_whom_and_why_u7_u8_f3(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, DANESE)
    key, own = key_for(tournament), address_of(tournament)
    send(key, f"{own}fixtures/1-1/result/", {"points": [11, 4]}, "put")
    send(key, f"{own}fixtures/1-1/result/", {"points": [11, 5], "reason": "Contati male"}, "put")
    (row, entered, *_) = Client().get(f"{own}log/").json()["results"]
    assert (row["code"], row["by"], row["reason"], row["fixture"]) == ("ruling_result", "Teresa", "Contati male", "1-1")
    assert (row["before"]["points"], row["after"]["points"], entered["before"]["over"]) == ([11, 4], [11, 5], False)
    assert set(row["entries"]) == set(Fixture.objects.values_list("first", "second").first() or ())
    pages, seen = f"{own}log/?limit=3", []
    while pages:
        page = Client().get(pages).json()
        seen += [one["id"] for one in page["results"]]
        pages = page["next"]
    told = LogEntry.objects.filter(tournament=tournament).order_by("-pk").values_list("pk", flat=True)
    assert seen == list(told)
    assert "act" not in row


@pytest.mark.rule("AP7", "O2", "O3", "D2")
def test_names_are_corrected_tables_fixed_and_who_comes_late_enters_u7_o2_o3_d2(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, DANESE, format_options={"rounds": 3, "late": 2})
    key, own = key_for(tournament), address_of(tournament)
    entry = Entry.objects.order_by("pk")[0]
    changed = send(key, f"{own}entries/{entry.pk}/", {"names": [{"name": "Adele"}], "table": 1}, "patch")
    assert (changed.json()["name"], Entry.objects.get(pk=entry.pk).fixed_table) == ("Adele", 1)
    two = {"names": [{"name": "Adele"}, {"name": "Bruna"}]}
    assert code(send(key, f"{own}entries/{entry.pk}/", two, "patch")) == (409, "late_people")
    assert code(send(key, f"{own}entries/999999/", {"table": 2}, "patch")) == (404, "no_such_entry")
    late = send(key, f"{own}entries/late/", {"player": "Zita"})
    assert (late.status_code, late.json()["name"]) == (201, "Zita")
    assert code(send(key, f"{own}entries/late/", {"player": "Zita", "partner": "Ugo"})) == (409, "late_people")


@pytest.mark.rule("AP3", "K1")
def test_what_means_nothing_there_is_refused_u3_k1(opened: Opened) -> None:
    drawn_by_lot, site = open_real(opened), opened()
    seeded = {"entries": [{"player": "Ada", "seed": 1}]}
    answer = send(key_for(drawn_by_lot), f"{address_of(drawn_by_lot)}entries/", seeded)
    assert (code(answer), answer.json()["values"]["problems"][0]["code"]) == ((409, "list_refused"), "seeds_by_lot")
    with_club = {"entries": [{"player": "Anna", "club": "Aurora"}]}
    assert code(send(key_for(site), f"{address_of(site)}entries/", with_club)) == (409, "not_real")
    assert not Entry.objects.exists()


@pytest.mark.rule("O13", "F1")
def test_who_organises_and_plays_enters_what_the_other_side_confirmed_o13_f1(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, DANESE)
    member = Fixture.objects.get(round__number=1, board=1).first.members.get()
    member.person = tournament.organiser.person
    member.save()
    place = f"{address_of(tournament)}fixtures/1-1/result/"
    assert code(send(key_for(tournament), place, {"points": [11, 4]}, "put")) == (403, "plays_there")
    early = f"{address_of(tournament)}fixtures/1-1/play-early/"
    assert code(send(key_for(tournament), early)) == (409, "not_ahead")
    assert code(send(key_for(tournament), early.replace("1-1", "1-2"))) == (404, "no_such_fixture")
    agreed = send(key_for(tournament), place, {"points": [11, 4], "agreed": True}, "put")
    assert (agreed.status_code, agreed.json()["points"]) == (200, [11, 4])
