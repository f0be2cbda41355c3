"""The page of play-offs (EV11): everybody reads what was played, a referee opens, writes and takes back."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.support.arrangements import arrange_once
from tests.support.desk import WHY, build_act
from tests.support.html import read_attribute
from tests.support.pages import tournament_url
from tests.support.people import sign_in
from tests.support.play_offs import decide, end_girone, end_ko, list_sharing, open_for, read_one, read_ranks, write
from tests.support.real_tables import list_round
from tests.support.tournaments import KO, Opened
from tournaments.desk import results
from tournaments.desk.results import Decision
from tournaments.formats.protocol import Slot
from tournaments.models import Entry, Fixture, LogEntry, PlayOff, Tournament
from tournaments.play_offs import actions

pytestmark = [pytest.mark.django_db, pytest.mark.rule("EV11")]


@arrange_once
def knockout(opened: Opened, now: datetime) -> Tournament:
    """A KO of four at real tables that is over, with two third ex aequo."""
    return end_ko(opened, 4, now)


def show(tournament: Tournament, client: Client | None = None) -> Any:
    return (client or Client()).get(tournament_url("play-offs", tournament))


def send(client: Client, tournament: Tournament, what: str, **typed: object) -> Any:
    """Send a form of the page as it stands there, and confirm what its preview shows."""
    address = tournament_url("play-offs", tournament)
    form = next(form for form in client.get(address).context["acts"] if form.what == what)
    hidden = {field.name: field.value() for field in form.hidden_fields()}
    sent = {"what": what, **{name: value or "" for name, value in hidden.items()}, "reason": "", **typed}
    shown = client.post(address, sent)
    (bound,) = [form for form in shown.context["acts"] if form.is_bound]
    return shown if bound.consequences is None else client.post(address, {**sent, "sure": bound.seal})


def test_a_referee_opens_a_play_off_writes_its_result_and_everybody_reads_it(knockout: Tournament) -> None:
    client = sign_in(knockout.organiser)
    page = show(knockout, client)
    assert [form.what for form in page.context["acts"]] == ["apri-3"]
    answer = send(client, knockout, "apri-3", length="deals 1")
    assert answer.status_code == 302
    first, second = read_one(knockout).entries
    answer = send(client, knockout, "risultato-1-1-1", points_0=3, points_1=5)
    assert answer.status_code == 302
    assert (read_ranks(knockout)[second], read_ranks(knockout)[first]) == (3, 4)
    page = show(knockout)
    assert read_attribute(page, "data-state") == ["counts"]
    assert page.context["acts"] == []
    assert "Spareggio 1 per il 3º posto" in page.content.decode()
    assert "3–5" in page.content.decode()
    standings = Client().get(tournament_url("standings", knockout)).content.decode()
    assert "spareggio per il posto: 1º contro 2º" in standings
    log = Client().get(tournament_url("tournament", knockout)).content.decode()
    assert "Spareggio 1 per il 3º posto: si gioca" in log
    assert "Spareggio 1 per il 3º posto: 3–5" in log
    assert "può spareggiare" in standings


@pytest.mark.rule("F5")
def test_the_preview_says_what_becomes_of_the_ranks_and_nothing_is_done(knockout: Tournament, now: datetime) -> None:
    open_for(knockout, 3, now)
    before = read_ranks(knockout)
    client, address = sign_in(knockout.organiser), tournament_url("play-offs", knockout)
    typed = {"what": "risultato-1-1-1", "points_0": 3, "points_1": 5, "reason": ""}
    page = client.post(address, typed)
    (form,) = [form for form in page.context["acts"] if form.is_bound]
    changed = {one.entry.entry_id: (one.before[0], one.after[0]) for one in form.consequences.standings}
    first, second = read_one(knockout).entries
    assert changed == {first: (3, 4)} or changed == {second: (3, 3), first: (3, 4)}
    assert read_ranks(knockout) == before
    assert not read_one(knockout).results


def test_a_correction_a_forfeit_and_the_end_of_a_play_off_need_a_reason(knockout: Tournament, now: datetime) -> None:
    open_for(knockout, 3, now)
    client = sign_in(knockout.organiser)
    assert send(client, knockout, "forfait-1-1-1", lines="0").status_code == 302
    refused = send(client, knockout, "ritira-1-1-1")
    (form,) = [form for form in refused.context["acts"] if form.is_bound]
    assert form.errors.as_data()["reason"][0].code == "required"
    assert send(client, knockout, "ritira-1-1-1", reason=WHY).status_code == 302
    assert not read_one(knockout).results
    assert send(client, knockout, "togli-1", reason=WHY).status_code == 302
    assert not PlayOff.objects.exists()
    page = Client().get(tournament_url("tournament", knockout)).content.decode()
    assert f"tolto. Motivo: {WHY}" in page


def test_what_cant_be_is_said_in_the_form_and_nothing_typed_is_lost(knockout: Tournament, now: datetime) -> None:
    open_for(knockout, 3, now)
    client = sign_in(knockout.organiser)
    refused = send(client, knockout, "risultato-1-1-1", points_0=99, points_1=1, reason="forse")
    (form,) = [form for form in refused.context["acts"] if form.is_bound]
    assert [error.code for error in form.non_field_errors().as_data()] == ["points_many"]
    assert 'value="99"' in refused.content.decode()
    answer = client.post(tournament_url("play-offs", knockout), {"what": "risultato-9-9-9"}, follow=True)
    assert read_attribute(answer, "data-notice") == ["act_gone"]


def test_entries_that_the_page_didnt_show_are_refused(knockout: Tournament) -> None:
    client, address = sign_in(knockout.organiser), tournament_url("play-offs", knockout)
    for typed in ("", "1 x", "9" * 40, "²", "1 1"):
        sent = {"what": "apri-3", "length": "deals 1", "entries": typed, "reason": ""}
        page = client.post(address, sent)
        (form,) = [form for form in page.context["acts"] if form.is_bound]
        assert form.errors, typed
    assert not PlayOff.objects.exists()


def test_who_has_no_say_sends_nothing_and_sees_no_form(knockout: Tournament, client: Client) -> None:
    assert show(knockout, client).context["acts"] == []
    answer = client.post(tournament_url("play-offs", knockout), {"what": "apri-3"})
    assert answer.status_code == 404


def test_the_page_says_why_nothing_is_played_for(opened: Opened, knockout: Tournament, now: datetime) -> None:
    on_site = opened(KO)
    client = sign_in(knockout.organiser)
    assert show(on_site, client).status_code == 404
    Tournament.objects.filter(pk=on_site.pk).update(drawn_at=now, state=Tournament.State.RUNNING)
    assert "play_offs_elsewhere" in read_attribute(show(on_site, client), "data-note")
    assert show(on_site).context["refusal"] is None
    everybody_apart = end_ko(opened, 2, now)
    assert "nothing_shared" in read_attribute(show(everybody_apart, client), "data-note")
    crowd = end_ko(opened, 25, now)
    page = show(crowd, client)
    assert "crowds" in read_attribute(page, "data-note")
    assert "apri-17" not in [form.what for form in page.context["acts"]]


def test_an_organiser_closes_it_and_opens_it_again(knockout: Tournament) -> None:
    client, address = sign_in(knockout.organiser), tournament_url("play-offs", knockout)
    answer = client.post(address, {"segno": "chiudi"}, follow=True)
    assert read_attribute(answer, "data-notice") == ["closed"]
    assert {"closed", "play_off_closed"} <= set(read_attribute(answer, "data-note"))
    assert answer.context["acts"] == []
    answer = client.post(address, {"segno": "chiudi"}, follow=True)
    assert read_attribute(answer, "data-notice") == ["closed_already"]
    answer = client.post(address, {"segno": "riapri"}, follow=True)
    assert read_attribute(answer, "data-notice") == ["opened_again"]
    assert [form.what for form in answer.context["acts"]] == ["apri-3"]
    codes = LogEntry.objects.filter(code__startswith="closed").order_by("pk").values_list("code", flat=True)
    assert list(codes) == ["closed", "closed_not"]


def test_a_play_off_without_effect_is_shown_as_such(opened: Opened, now: datetime) -> None:
    tournament = end_girone(opened, 3, now)
    open_for(tournament, 1, now)
    write(tournament, now, (11, 4), Slot(1, 2))
    write(tournament, now, (11, 4), Slot(2, 1))
    assert read_attribute(show(tournament), "data-state") == ["counts"]
    fixture = Fixture.objects.of(tournament).filter(second__isnull=False).order_by("round__number").first()
    assert fixture is not None
    decide(tournament, fixture, now, 11, 3)
    assert read_attribute(show(tournament), "data-state") == ["idle"]


def test_a_small_knock_out_shows_its_rounds_its_bye_and_its_lot(opened: Opened, now: datetime) -> None:
    tournament = end_ko(opened, 7, now)
    assert len(list_sharing(tournament, 5)) == 3
    open_for(tournament, 5, now)
    page = show(tournament)
    assert read_attribute(page, "data-match") == ["1-1", "1-2", "2-1"]
    assert "passa il turno" in page.content.decode()
    first = Entry.objects.get(pk=read_one(tournament).entries[0])
    assert f"{tournament.lot}/play-off/{first.seed}" in page.content.decode()
    assert read_attribute(page, "data-state") == ["running"]


def test_the_explained_standings_tell_what_was_asked_before(opened: Opened, now: datetime) -> None:
    tournament = end_girone(opened, 3, now)
    open_for(tournament, 1, now)
    write(tournament, now, (11, 4), Slot(1, 2))
    write(tournament, now, (11, 4), Slot(2, 1))
    page = Client().get(tournament_url("standings", tournament))
    asked = read_attribute(page, "data-asked")
    assert asked.count("play_off") == 2
    assert "Spareggio per il posto fra" in page.content.decode()
    with translation.override("en"):
        page = Client(headers={"accept-language": "en"}).get(tournament_url("standings", tournament))
    assert page.status_code == 200


def test_links_lead_to_it_where_there_is_something(knockout: Tournament, now: datetime) -> None:
    address = tournament_url("play-offs", knockout)
    public = Client().get(tournament_url("tournament", knockout)).content.decode()
    assert address not in public
    desk = sign_in(knockout.organiser).get(tournament_url("tournament-desk", knockout)).content.decode()
    assert address in desk
    open_for(knockout, 3, now)
    for name in ("tournament", "standings"):
        assert address in Client().get(tournament_url(name, knockout)).content.decode()


def test_a_closed_tournament_is_corrected_all_the_same(knockout: Tournament, now: datetime) -> None:
    actions.close_tournament(tournament_id=knockout.pk, by=knockout.organiser, now=now)
    decide_again = list_round(knockout, 2)[0]
    results.set_result(
        tournament_id=knockout.pk,
        fixture_id=decide_again.pk,
        decision=Decision(points=(4, 7), winner=1),
        act=build_act(knockout.organiser, now),
    )
    knockout.refresh_from_db()
    assert knockout.closed_at == now


def test_files_paper_and_the_wall_tell_of_play_offs(knockout: Tournament, now: datetime) -> None:
    def read_wall() -> list[str]:
        return read_attribute(Client().get(tournament_url("tournament-wall", knockout)), "data-sheet")

    assert "playoffs-1" not in read_wall()
    open_for(knockout, 3, now)
    assert "playoffs-1" in read_wall()
    write(knockout, now, (4, 7))
    assert "playoffs-1" not in read_wall()
    address = reverse("export-json", args=[knockout.public_id, "spareggi"])
    (row,) = Client().get(address).json()["play_offs"]
    told = (row["play_off"], row["rank"], row["counts"], row["points_first"], row["points_second"], row["winner"])
    assert told == (1, 3, True, 4, 7, 1)
    for kind in ("csv", "xlsx"):
        assert Client().get(reverse(f"export-{kind}", args=[knockout.public_id, "spareggi"])).status_code == 200
    paper = Client().get(reverse("tournament-print", args=[knockout.public_id, "classifica"]))
    assert read_attribute(paper, "data-play-off") == ["1"]
    assert "4–7" in paper.content.decode()
