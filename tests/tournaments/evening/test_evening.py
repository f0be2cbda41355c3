"""An organiser's evening on one screen (EV12): door, till, breaks, what the wall announces, and the way on."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.html import read_hooks
from tests.support.people import create_person, sign_in
from tests.support.real_tables import draw_real, enter_deals, list_round, open_real, type_names
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.entries.checkin import LAST_TOUCH, check_in_everybody
from tournaments.evening import actions
from tournaments.evening.queries import read_door
from tournaments.fees.actions import note_refund, set_fees
from tournaments.models import Entry, Tournament
from tournaments.organise.settings import Settings
from tournaments.rounds.drafts import draw_round, publish_round
from tournaments.running import round_clocks

pytestmark = pytest.mark.django_db
DANESE = {"format": "danese", "format_options": {"rounds": 2}}


def url_of(tournament: Tournament, **query: str) -> str:
    return reverse("tournament-evening", args=[tournament.public_id], query=query or None)


def touch(client: Client, tournament: Tournament, act: str, entry: Entry | None = None, **more: str):  # type: ignore[no-untyped-def]
    about = {} if entry is None else {"entry": entry.pk}
    return client.post(url_of(tournament), {"atto": act, **about, **more})


@pytest.fixture
def door(opened: Opened, now: datetime) -> Tournament:
    """A danese with four names at the door, of whom nobody is here yet, and a fee of ten euros."""
    tournament = open_real(opened, **DANESE)
    type_names(tournament, ("Anna Bo", "Bruno Ri", "Carla Va", "Dino Po"), now)
    set_fees(tournament_id=tournament.pk, by=tournament.organiser, fee_cents=1000, prizes=(), now=now)
    return tournament


@pytest.mark.rule("O1", "O10")
def test_a_touch_ticks_a_payment_and_each_is_taken_back_by_the_same(door: Tournament) -> None:
    client, entry = sign_in(door.organiser), door.entries.order_by("pk")[0]
    for act, counts in (
        ("presente", (1, 0)),
        ("paga", (1, 1000)),
        ("assente", (0, 1000)),
        ("non-paga", (0, 0)),
    ):
        assert touch(client, door, act, entry).status_code == 302
        list_ = read_door(door)
        assert (len(list_.here), list_.totals.balance) == counts


@pytest.mark.rule("O1", "O10")
def test_everybody_is_ticked_and_whoever_is_here_has_paid(door: Tournament) -> None:
    client, (first, *_others) = sign_in(door.organiser), door.entries.order_by("pk")
    touch(client, door, "presente", first)
    touch(client, door, "tutti-pagano")
    assert read_door(door).totals.balance == 1000, "only one was here"
    touch(client, door, "tutti")
    touch(client, door, "tutti-pagano")
    assert (len(read_door(door).here), read_door(door).totals.balance) == (4, 4000)
    touch(client, door, "tutti-pagano")
    assert read_door(door).totals.balance == 4000, "nobody pays twice"


@pytest.mark.rule("O1", "O10")
def test_the_last_touch_is_taken_back_whichever_it_was(door: Tournament, now: datetime) -> None:
    client, (first, second, *_others) = sign_in(door.organiser), door.entries.order_by("pk")
    touch(client, door, "presente", first)
    touch(client, door, "paga", first)
    touch(client, door, "presente", second)
    states = []
    for _time in range(3):
        touch(client, door, "annulla")
        states.append((len(read_door(door).here), read_door(door).totals.balance))
    assert states == [(1, 1000), (1, 0), (0, 0)]
    page = client.post(url_of(door), {"atto": "annulla"})
    assert page.status_code == 422
    assert "Nell&#x27;ultima mezz&#x27;ora non c&#x27;è nessun tocco da annullare." in page.content.decode()


@pytest.mark.rule("O1", "O10")
def test_what_was_touched_long_ago_is_no_slip_of_a_finger(door: Tournament) -> None:
    client, (first, second, *_others) = sign_in(door.organiser), door.entries.order_by("pk")
    touch(client, door, "paga", first)
    touch(client, door, "presente", first)
    before = timezone.now() - LAST_TOUCH
    door.payments.update(at=before)
    door.members.filter(entry=first).update(checked_in_at=before)
    touch(client, door, "presente", second)
    touch(client, door, "annulla")
    assert ([row.entry.entry_id for row in read_door(door).here], read_door(door).totals.balance) == ([first.pk], 1000)
    assert touch(client, door, "annulla").status_code == 422
    assert ([row.entry.entry_id for row in read_door(door).here], read_door(door).totals.balance) == ([first.pk], 1000)


@pytest.mark.rule("O10")
def test_a_payment_of_which_something_was_given_back_is_no_touch_any_more(door: Tournament, now: datetime) -> None:
    client, (first, second, *_others) = sign_in(door.organiser), door.entries.order_by("pk")
    touch(client, door, "paga", second)
    touch(client, door, "paga", first)
    note_refund(tournament_id=door.pk, by=door.organiser, entry_id=first.pk, cents=400, now=now)
    touch(client, door, "annulla")
    totals = read_door(door).totals
    assert (totals.collected, totals.refunded) == (1000, 400), "the touch before was taken back"
    assert touch(client, door, "annulla").status_code == 422


@pytest.mark.rule("O2", "D2")
def test_a_line_at_the_door_enters_who_comes_before_and_after_the_draw(door: Tournament, now: datetime) -> None:
    client = sign_in(door.organiser)
    assert touch(client, door, "iscrivi", riga="Zita Bo").status_code == 302
    assert door.entries.count() == 5
    again = touch(client, door, "iscrivi", riga="Zita Bo")
    assert again.status_code == 422
    assert 'value="Zita Bo"' in again.content.decode(), "what was typed is still there"
    assert touch(client, door, "iscrivi", riga="Zita Bo", altro="1").status_code == 302
    assert door.entries.count() == 6


@pytest.mark.rule("D2")
def test_once_the_rounds_have_begun_a_line_enters_late(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, **DANESE)
    client = sign_in(tournament.organiser)
    assert touch(client, tournament, "iscrivi", riga="Zita Bo").status_code == 302
    assert tournament.entries.count() == 5
    set_fees(tournament_id=tournament.pk, by=tournament.organiser, fee_cents=1000, prizes=(), now=now)
    door = read_door(tournament)
    assert (len(door.here), door.missing_count) == (5, 0), "who comes late is here, and nothing could tick them"
    touch(client, tournament, "tutti-pagano")
    assert read_door(tournament).unpaid_count == 0


@pytest.mark.rule("O4", "D4")
def test_the_way_on_waits_for_the_results_and_says_for_how_many(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, **DANESE)
    client = sign_in(tournament.organiser)
    page = client.get(url_of(tournament))
    assert (page.context["entered"], page.context["total"], page.context["step"].missing) == (0, 2, 2)
    assert "waits" in read_hooks(page.content.decode(), "note")
    for fixture in list_round(tournament, 1):
        enter_deals(tournament, fixture, ((11, 0),), now)
    page = client.get(url_of(tournament))
    assert page.context["step"].is_open
    assert "next-round" in read_hooks(page.content.decode(), "action")


@pytest.mark.rule("O6", "O7")
def test_a_break_holds_the_clock_and_its_hour_is_on_the_wall(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, **DANESE, clock_minutes=30)
    client = sign_in(tournament.organiser)
    (clock,) = round_clocks.read_clocks(tournament, now)
    touch(client, tournament, "orologio", clock=str(clock.place))
    touch(client, tournament, "pausa", fino="21:30")
    tournament.refresh_from_db()
    assert tournament.break_until is not None
    assert tournament.break_until.astimezone(ZoneInfo(tournament.time_zone)).strftime("%H:%M") == "21:30"
    (clock,) = round_clocks.read_clocks(tournament, now)
    assert clock.held is not None
    wall = Client().get(reverse("tournament-wall", args=[tournament.public_id])).content.decode()
    assert "break" in read_hooks(wall, "note")
    touch(client, tournament, "riprendi")
    tournament.refresh_from_db()
    (clock,) = round_clocks.read_clocks(tournament, now)
    assert (tournament.break_until, clock.held) == (None, None)
    assert touch(client, tournament, "pausa", fino="venti").status_code == 422


@pytest.mark.rule("O6", "O7")
def test_a_break_is_over_when_the_clock_runs_again_or_all_is_over(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, **DANESE, clock_minutes=30)
    client, wall = sign_in(tournament.organiser), reverse("tournament-wall", args=[tournament.public_id])
    place = round_clocks.read_clocks(tournament, now)[0].place
    about = {"tournament_id": tournament.pk, "place": place, "by": tournament.organiser, "now": now}

    def read_notes() -> list[str]:
        return [note for note in read_hooks(Client().get(wall).content.decode(), "note") if note == "break"]

    for act in (round_clocks.start_clock, round_clocks.resume_clock):
        touch(client, tournament, "pausa", fino="21:30")
        assert read_notes() == ["break"]
        act(**about)
        assert read_notes() == [], f"by {act.__name__}"
    touch(client, tournament, "pausa", fino="21:30")
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    assert read_notes() == [], "nobody plays on at half past nine"


@pytest.mark.rule("O6")
def test_a_break_without_an_hour_or_a_clock_is_none(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, **DANESE)
    refused = touch(sign_in(tournament.organiser), tournament, "pausa", fino="")
    assert (refused.status_code, read_hooks(refused, "notice")) == (422, ["bad_hour"])


@pytest.mark.rule("D4")
@pytest.mark.parametrize("settings", [KO, GIRONE], ids=lambda settings: settings.format)
def test_the_way_on_says_draw_only_where_something_is_drawn(settings: Settings, opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, settings)
    type_names(tournament, ("Anna Bo", "Bruno Ri", "Carla Va", "Dino Po"), now)
    client, steps = sign_in(tournament.organiser), []

    def note_step() -> None:
        steps.append(client.get(url_of(tournament)).context["step"].what)

    note_step()
    check_in_everybody(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    note_step()
    publish_round(tournament_id=tournament.pk, number=1, by=tournament.organiser, now=now)
    for fixture in list_round(tournament, 1):
        enter_deals(tournament, fixture, ((3, 1) if settings is KO else (7, 4),), now)
    note_step()
    assert steps == ["draw", "publish", "publish"]
    rounds = client.get(reverse("tournament-rounds", args=[tournament.public_id]))
    assert [(one.number, one.key) for one in rounds.context["waiting"]] == [(2, "")], "it follows from the first draw"


@pytest.mark.rule("O7")
def test_the_wall_announces_a_line_until_it_is_taken_away(hall: Tournament) -> None:
    client, wall = sign_in(hall.organiser), reverse("tournament-wall", args=[hall.public_id])
    touch(client, hall, "avviso", avviso="La <b>tombola</b> alle undici")
    page = Client().get(wall).content.decode()
    assert "announcement" in read_hooks(page, "note")
    assert "La &lt;b&gt;tombola&lt;/b&gt; alle undici" in page
    assert touch(client, hall, "avviso", avviso="x" * 121).status_code == 422
    touch(client, hall, "avviso", avviso="")
    assert "announcement" not in read_hooks(Client().get(wall).content.decode(), "note")


def test_an_hour_is_the_next_one_that_clocks_show() -> None:
    zone = ZoneInfo("Europe/Rome")
    evening = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)  # 23:00 there
    assert actions.find_next(time(23, 30), evening, zone) == evening + timedelta(minutes=30)
    assert actions.find_next(time(0, 30), evening, zone) == evening + timedelta(minutes=90)
    assert actions.find_next(time(22, 30), evening, zone) == evening + timedelta(hours=23, minutes=30)


@pytest.mark.rule("E2")
def test_nobody_else_has_the_page_nor_is_it_of_the_site(hall: Tournament, opened: Opened, now: datetime) -> None:
    assert Client().get(url_of(hall)).status_code == 404
    assert sign_in(create_person("Zoe", now)).get(url_of(hall)).status_code == 404
    online = opened()
    assert sign_in(online.organiser).get(url_of(online)).status_code == 404
    assert touch(sign_in(hall.organiser), hall, "altro").status_code == 404
