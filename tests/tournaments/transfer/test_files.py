"""A whole tournament in a file and out of it: equal, all or nothing, and each fault once (O9)."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse

from players.models import Person, Player
from players.services.players import create_guest
from tests.support.dead_ends import play_to_dead_end, play_two_rounds
from tests.support.desk import build_act
from tests.support.html import read_hooks
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready, play
from tests.support.real_tables import draw_real
from tests.support.standings import create_field
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened, catch_code
from tests.support.transfer import change_file, finish, read_picture, read_results, rule_ready
from tournaments.core.log_details import KINDS
from tournaments.desk.results import annul_result, declare_forfeit
from tournaments.models import Arrival, Entry, Fixture, LogEntry, Tournament
from tournaments.running import ways_out
from tournaments.running.recompute import find_differences
from tournaments.sweep import list_due_fixtures
from tournaments.transfer.document import read_document
from tournaments.transfer.faults import FileFault, FileRefused
from tournaments.transfer.field_lists import BODY, CARRIED, LEFT_OUT, REFERENCES, STAYING
from tournaments.transfer.loans import take_in_file
from tournaments.transfer.log_references import find_hints, find_reference
from tournaments.transfer.outgoing import make_copy, name_site
from tournaments.transfer.wording import describe_fault

pytestmark = [pytest.mark.django_db]

State = Tournament.State
DANESE = replace(GIRONE, name="Danese in piazza", format="danese", max_entries=8)
GROUPS = replace(GIRONE, name="Gironi e finale", format="gironi", min_entries=4, max_entries=8)
DOUBLE = replace(KO, name="Due vite", format="doppio", min_entries=3)
ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")


def carry(tournament: Tournament, by: Player, now: datetime) -> Tournament:
    """Take a copy to another site: in tests the same database under another key."""
    data = make_copy(tournament, now)
    with ELSEWHERE:
        return take_in_file(data=data, by=by, now=now)


def refuse(data: bytes, by: Player, now: datetime) -> list[tuple[str, str]]:
    """The faults of a refused file; nothing of it was written."""
    before = (Tournament.objects.count(), Person.objects.count(), LogEntry.objects.count())
    with ELSEWHERE, pytest.raises(FileRefused) as refused:
        take_in_file(data=data, by=by, now=now)
    assert (Tournament.objects.count(), Person.objects.count(), LogEntry.objects.count()) == before
    return [(fault.code, fault.place) for fault in refused.value.faults]


@pytest.mark.rule("O9")
@pytest.mark.parametrize(
    "settings",
    tries([KO, DOUBLE, DANESE, GROUPS], [KO, DOUBLE, GIRONE, DANESE, GROUPS]),
    ids=lambda settings: settings.format,
)
def test_a_tournament_in_the_middle_is_the_same_elsewhere_and_goes_on_o9(
    opened: Opened, organiser: Player, referee: Player, now: datetime, settings: Any
) -> None:
    tournament = draw_real(opened, 4 if settings in (KO, DOUBLE, GIRONE) else 8, now, settings)
    rule_ready(tournament, organiser, now, most=2)
    arrived = carry(tournament, referee, now)
    assert read_picture(arrived) == read_picture(tournament)
    assert find_differences(arrived) == []
    assert arrived.public_id != tournament.public_id
    assert (arrived.organiser, arrived.imported_from) == (referee, name_site())
    finish(tournament, organiser, now)
    finish(arrived, referee, now)
    home, away = read_picture(tournament), read_picture(arrived)
    for picture in (home, away):
        for entry in picture["log"]:
            entry["by"] = ""
    assert away == home


@pytest.mark.rule("O9")
def test_what_was_played_on_the_site_arrives_as_results_and_names_o9(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    for match in open_ready(girone, now + OPENING):
        now = max(now, play(match, now + OPENING))
    fixture = Fixture.objects.of(girone).ready().first()
    assert fixture is not None
    declare_forfeit(tournament_id=girone.pk, fixture_id=fixture.pk, lines=(1,), act=build_act(referee, now))
    other = Fixture.objects.of(girone).ready().first()
    assert other is not None
    annul_result(tournament_id=girone.pk, fixture_id=other.pk, act=build_act(referee, now))
    arrived = carry(girone, referee, now)
    assert read_results(arrived) == read_results(girone)
    assert not arrived.members.filter(person__player__isnull=False).exists()
    assert not Fixture.objects.of(arrived).filter(match__isnull=False).exists()
    acts = arrived.log.filter(code="ruling_forfeit")
    assert [(act.player, act.actor_name) for act in acts] == [(None, referee.name)]
    Fixture.objects.of(arrived).ready().update(opens_at=now)
    assert not Fixture.objects.of(arrived).filter(pk__in=list_due_fixtures(now)).exists(), "it opens no tables"
    for name in ("tournament-desk", "standings"):
        assert sign_in(referee).get(reverse(name, args=[arrived.public_id])).status_code == 200
    page = sign_in(None).get(reverse("tournament", args=[arrived.public_id]))
    assert page.status_code == 200
    assert "imported" in read_hooks(page, "note")


@pytest.mark.rule("O9")
def test_no_file_carries_contacts_accounts_tokens_or_codes_o9(
    opened: Opened, organiser: Player, four: list[Player], referee: Player, now: datetime
) -> None:
    tournament = opened(GIRONE, registration="code", join_code="SEGRETO7", max_entries=4)
    tournament.join_token = "gettone-segreto"
    tournament.save()
    for player in four:
        Entry.objects.create(tournament=tournament, created_at=now, token="altro-gettone")
        player.user.email = f"{player.public_id}@example.org"
        player.user.save()
    text = make_copy(tournament, now).decode()
    for secret in ("SEGRETO7", "gettone", "example.org", organiser.public_id, organiser.user.username):
        assert secret not in text


@pytest.mark.rule("O9")
def test_tables_that_are_open_keep_a_tournament_here_o9(cup: Tournament, now: datetime) -> None:
    open_ready(cup, now + OPENING)
    assert catch_code(make_copy, tournament=cup, now=now) == "tables_open"


@pytest.mark.rule("O9")
def test_a_file_is_taken_in_once_and_never_where_it_comes_from_o9(
    field: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    data = make_copy(field, now)
    assert catch_code(take_in_file, data=data, by=referee, now=now) == "file_own"
    with ELSEWHERE:
        take_in_file(data=data, by=referee, now=now)
        assert catch_code(take_in_file, data=data, by=referee, now=now) == "file_twice"
    assert Arrival.objects.count() == 1


@pytest.mark.rule("O9")
@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (lambda data: data.replace(b"Girone del circolo", b"Girone del circolI"), [("damaged", "")]),
        (lambda data: data[:-20], [("no_json", "")]),
        (lambda data: b"\xff\xfe", [("no_json", "")]),
        (lambda data: b"[]", [("no_tournament", "")]),
        (lambda data: data.replace(b'"version":1', b'"version":2', 1), [("other_version", "")]),
        (lambda data: b'{"kind": "smazzata-tournament", "kind": "smazzata-tournament"}', [("no_json", "")]),
        (lambda data: b"[" * 100_000, [("no_json", "")]),
        (lambda data: b" " * (16 * 1024 * 1024 + 1), [("too_big", "")]),
    ],
)
def test_a_file_that_is_none_is_refused_whole_o9(
    opened: Opened, referee: Player, now: datetime, change: Callable[[bytes], bytes], faults: Any
) -> None:
    data = make_copy(create_field(opened, GIRONE, 4, now), now)
    assert refuse(change(data), referee, now) == faults


def spoil_values(body: Any) -> None:
    body["tournament"]["colour"] = "red"
    del body["entries"][0]["mp"]
    body["entries"][1]["vp"] = "12"
    body["rounds"][0]["fixtures"][0]["winner"] = True
    body["rounds"][0]["fixtures"][1]["result_at"] = "2026-01-01T10:00:00"


def spoil_references(body: Any) -> None:
    body["entries"][1]["seed"] = body["entries"][0]["seed"]
    body["entries"][2]["members"] = []
    body["rounds"][1]["fixtures"][0]["first"] = "nobody"
    body["tournament"]["length_value"] = 3000


def spoil_result(body: Any) -> None:
    body["rounds"][0]["fixtures"][0]["points_0"] = 99


def spoil_worth(body: Any) -> None:
    fixture = body["rounds"][0]["fixtures"][0]
    fixture["vp_0"], fixture["vp_1"], fixture["ruled"] = 20, 0, False


def spoil_standings(body: Any) -> None:
    body["entries"][0]["vp"] += 1


def spoil_log(body: Any) -> None:
    body["log"][0]["detail"] = {"entry": "whoever"}


def spoil_names(body: Any) -> None:
    names = ["Amministratore", "Staff Smazzata", "Anna\u202e", "Ospite 4821"]
    for person, name in zip(body["persons"], names, strict=True):
        person["name"] = name


def spoil_actors(body: Any) -> None:
    for entry, name in zip(body["log"], ("", "Staff Smazzata", "Staff Smazzata", "Teresa\u202e"), strict=False):
        entry["by"] = name


def spoil_pairings(body: Any) -> None:
    first = body["rounds"][0]["fixtures"][0]
    first["first"], first["second"] = first["second"], first["first"]


@pytest.mark.rule("O9")
@pytest.mark.parametrize(
    ("spoil", "codes"),
    [
        (
            spoil_values,
            [
                ("missing", "body.entries[1].mp"),
                ("wrong_kind", "body.entries[2].vp"),
                ("wrong_kind", "body.rounds[1].fixtures[1].winner"),
                ("wrong_kind", "body.rounds[1].fixtures[2].result_at"),
                ("unknown", "body.tournament.colour"),
            ],
        ),
        (
            spoil_references,
            [
                ("refused", "tournament"),
                ("twice", "entries[2].seed"),
                ("other_size", "entries[3].members"),
                ("dangling", "rounds[2].fixtures[1].first"),
            ],
        ),
        (spoil_result, [("refused", "rounds[1].fixtures[1]")]),
        (spoil_worth, [("worth_differs", "rounds[1].fixtures[1]")]),
        (spoil_standings, [("differs", "seed 1")]),
        (spoil_log, [("log_impossible", "log[1]")]),
        (spoil_names, [("bad_name", f"persons[{number}].name") for number in (1, 2, 3)]),
        (spoil_actors, [("bad_name", "log[2].by"), ("bad_name", "log[4].by")]),
        (spoil_pairings, [("differs", "round 1 board 1"), ("differs", "round 1 board 1")]),
    ],
)
def test_each_fault_of_a_file_is_told_once_and_nothing_is_written_o9(
    field: Tournament, organiser: Player, referee: Player, now: datetime, spoil: Callable[[Any], None], codes: Any
) -> None:
    rule_ready(field, organiser, now)
    data = make_copy(field, now)
    assert refuse(change_file(data, spoil), referee, now) == codes


@pytest.mark.rule("O9")
def test_every_field_travels_or_is_left_out_with_its_reason_o9() -> None:
    """Add a new field to CARRIED, or to LEFT_OUT with its reason; a new model to STAYING if it stays here."""
    undecided = {}
    for model, carried in CARRIED.items():
        decided = {*carried, *REFERENCES.get(model, ()), *LEFT_OUT[model]}
        known = {field.name for field in model._meta.concrete_fields}
        names = {name for name in known if not (name == "id" and "id" in REFERENCES.get(model, ()))}
        if wrong := names - decided:
            undecided[model.__name__] = sorted(wrong)
    assert undecided == {}


def test_every_model_of_a_tournament_travels_or_stays_with_its_reason_o9() -> None:
    travelling = {model.__name__ for model in CARRIED}
    hanging = set()
    for model in apps.get_app_config("tournaments").get_models():
        targets = {
            getattr(field.remote_field, "model", None) for field in model._meta.concrete_fields if field.remote_field
        }
        if targets & set(CARRIED) and model not in CARRIED:
            hanging.add(model.__name__)
    hanging.add("Invitee")  # hangs on an invitation
    assert hanging - travelling <= set(STAYING)


def test_every_field_of_a_log_detail_is_a_reference_or_plain_o9() -> None:
    """Name a new detail's fields in ``log_references.FIELDS``."""
    for kind in set(KINDS.values()):
        for name in find_hints(kind):
            find_reference(kind, name)


@pytest.mark.rule("O9")
def test_the_command_takes_a_tournament_out_and_in_o9(
    opened: Opened, organiser: Player, referee: Player, now: datetime, tmp_path: Path
) -> None:
    tournament = create_field(opened, KO, 4, now)
    file = tmp_path / "torneo.json"
    call_command("tournament", "export", tournament.public_id, str(file), stdout=StringIO())
    assert read_document(file.read_bytes(), BODY).tournament == tournament.public_id
    out = StringIO()
    with ELSEWHERE:
        call_command("tournament", "import", str(file), "--organiser", referee.name, stdout=out)
    arrived = Tournament.objects.get(public_id=out.getvalue().strip())
    assert read_results(arrived) == read_results(tournament)
    file.write_bytes(file.read_bytes().replace(b"Coppa", b"Zuppa"))
    with pytest.raises(CommandError, match="cambiato a mano"):
        call_command("tournament", "import", str(file), "--organiser", referee.name)
    with pytest.raises(CommandError, match="Nessun torneo"):
        call_command("tournament", "export", "niente", str(file))


@pytest.mark.rule("O9")
def test_pages_give_a_copy_to_who_runs_it_and_take_one_in_o9(
    opened: Opened, organiser: Player, organisers: Client, referee: Player, now: datetime
) -> None:
    tournament = create_field(opened, KO, 4, now)
    page = reverse("tournament-transfer", args=[tournament.public_id])
    copy = reverse("tournament-copy", args=[tournament.public_id])
    assert "copy" in read_hooks(organisers.get(page), "action")
    assert sign_in(referee).get(page).status_code == sign_in(None).get(copy).status_code == 404
    data = organisers.get(copy).content
    with ELSEWHERE:
        guest = sign_in(referee)
        answer = guest.post(reverse("tournament-file"), {"file": SimpleUploadedFile("t.json", data)})
        assert answer.status_code == 302
        assert Tournament.objects.get(organiser=referee).name == tournament.name
        again = guest.post(reverse("tournament-file"), {"file": SimpleUploadedFile("t.json", data)})
        assert again.context["form"].errors.as_data()["file"][0].code == "file_twice"
        bad = guest.post(reverse("tournament-file"), {"file": SimpleUploadedFile("t.json", data[:-9])})
        assert read_hooks(bad, "problem") == ["no_json"]
        spoiled = change_file(data, spoil_references)
        told = guest.post(reverse("tournament-file"), {"file": SimpleUploadedFile("t.json", spoiled)})
        assert len(read_hooks(told, "problem")) == 4
    assert json.loads(data)["body"]["log"]


@pytest.mark.rule("O9")
def test_what_tells_namesakes_apart_comes_in_without_what_cannot_be_seen_o9(
    opened: Opened, organiser: Player, referee: Player, now: datetime
) -> None:
    def spoil(body: Any) -> None:
        body["persons"][0]["suffix"] = " Bo\u202elogna\x07"

    data = change_file(make_copy(create_field(opened, GIRONE, 4, now), now), spoil)
    with ELSEWHERE:
        arrived = take_in_file(data=data, by=referee, now=now)
    assert set(arrived.members.values_list("person__suffix", flat=True)) == {"", "Bologna"}


@pytest.mark.rule("O9")
def test_a_refused_name_is_told_with_why_and_how_to_mend_it_o9() -> None:
    for code in ("short", "long", "characters", "letters", "reserved"):
        words = describe_fault(FileFault("bad_name", "persons[1].name", {"value": "Staff", "code": code}))
        assert "«Staff»" in words
        assert "sul sito da cui viene" in words


@pytest.mark.rule("O9")
def test_names_that_the_house_gives_travel_o9(
    field: Tournament, organiser: Player, referee: Player, now: datetime
) -> None:
    guest = create_guest(address="10.0.0.1", now=now)
    member = field.members.order_by("pk")[0]
    member.person = guest.person
    member.save()
    closed = field.members.order_by("pk")[1].person.player
    Player.objects.filter(pk=closed.pk).update(name="Ex socio 123456")
    arrived = carry(field, referee, now)
    assert {guest.name, "Ex socio 123456"} < {member.person.typed_name for member in arrived.members.all()}


@pytest.mark.rule("D1", "O9")
def test_the_choice_for_a_round_that_cannot_be_paired_travels_o9(
    opened: Opened, four: list[Player], anna: Player, now: datetime
) -> None:
    here = play_two_rounds(opened, four, now)
    play_to_dead_end(here, now)
    ways_out.choose_way(tournament_id=here.pk, number=4, way="bye", reason="Avanti", by=here.organiser, now=now)
    here.refresh_from_db()
    there = carry(here, anna, now)
    assert (there.stuck_round, there.rounds.get(number=4).way) == (4, "bye")
    assert find_differences(there) == []

    def forget(body: Any) -> None:
        for round_ in body["rounds"]:
            del round_["way"]

    Arrival.objects.all().delete()
    data = change_file(make_copy(here, now), forget)
    with ELSEWHERE:
        old = take_in_file(data=data, by=anna, now=now)
    assert (old.stuck_round, old.rounds.get(number=4).way) == (4, ""), "a file from before there was a choice"
