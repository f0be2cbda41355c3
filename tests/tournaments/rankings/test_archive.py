"""The archive of finished tournaments (I2)."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Person, Player
from tests.support.counting import measure
from tests.support.html import read_hooks, read_ways
from tests.support.people import create_person
from tests.support.rankings import create_over, create_people
from tests.support.tournaments import KO, Opened
from tournaments.clubs.actions import create_club
from tournaments.models import Fixture, LineUp, NameClaim, Round, Tournament
from tournaments.rankings.archive import PAGE_TOURNAMENTS, Wanted, list_tournaments_played, read_archive
from tournaments.venues import HALL


def list_names(wanted: Wanted) -> list[str]:
    return [row.tournament.name for row in read_archive(wanted).rows]


@pytest.mark.rule("I2")
def test_a_finished_tournament_is_found_by_name_club_game_year_and_player(
    organiser: Player, anna: Player, now: datetime
) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    typed = Person.objects.create(typed_name="Ada Neri")
    create_over(organiser, now - timedelta(days=400), {anna.person: 9}, name="Coppa vecchia", ruleset="tresette")
    create_over(organiser, now, {typed: 9}, name="Coppa Aurora", club=club, venue=HALL, on_site=False)
    assert list_names(Wanted()) == ["Coppa Aurora", "Coppa vecchia"]
    assert list_names(Wanted(name="VECCHIA")) == ["Coppa vecchia"]
    assert list_names(Wanted(club="aurora")) == list_names(Wanted(club=club.public_id)) == ["Coppa Aurora"]
    assert list_names(Wanted(ruleset="tresette")) == ["Coppa vecchia"]
    assert list_names(Wanted(year=now.year)) == ["Coppa Aurora"]
    assert list_names(Wanted(venue="real")) == ["Coppa Aurora"]
    assert list_names(Wanted(player="ann")) == ["Coppa vecchia"]
    assert list_names(Wanted(player="ada n")) == ["Coppa Aurora"]
    assert list_names(Wanted(player="ada", ruleset="tresette")) == []


@pytest.mark.rule("I2")
def test_who_was_replaced_after_playing_is_found_too(
    organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    over = create_over(organiser, now, {anna.person: 9})
    over.members.update(person=bruno.person)
    assert list_names(Wanted(player="anna")) == list_names(Wanted(player="bruno")) == [over.name]


@pytest.mark.rule("I2", "I1")
def test_nobody_is_found_by_a_name_that_isnt_shown(organiser: Player, now: datetime) -> None:
    child = Person.objects.create(typed_name="Pia Verdi", initials=True)
    gone = Person.objects.create(typed_name="Lia Bruni")
    create_over(organiser, now, {child: 9, gone: 8}, venue=HALL, on_site=False)
    assert list_names(Wanted(player="lia")) == ["Torneo del giovedì"]
    gone.typed_name = "ritirato"
    gone.save(update_fields=["typed_name"])
    assert [list_names(Wanted(player=name)) for name in ("pia", "lia", "ritirato")] == [[], [], []]


@pytest.mark.rule("I2")
def test_what_isnt_over_or_isnt_shown_to_everybody_isnt_in_it(opened: Opened, organiser: Player, now: datetime) -> None:
    opened(KO)
    assert list_names(Wanted()) == []
    newcomer = create_person("Nuovo", now)
    Player.objects.filter(pk=newcomer.pk).update(created_at=now - timedelta(days=1))
    newcomer.refresh_from_db()
    create_over(newcomer, now, {newcomer.person: 10})
    assert list_names(Wanted()) == []


@pytest.mark.rule("I2")
def test_pages_lead_on_and_back_without_counting(organiser: Player, now: datetime) -> None:
    (one,) = create_people(1, now)
    for number in range(2 * PAGE_TOURNAMENTS + 3):  # some end at the same instant
        create_over(organiser, now - timedelta(hours=number // 2), {one: 9}, name=f"Torneo {number:02d}")
    first = read_archive(Wanted())
    second = read_archive(Wanted(), after=first.older)
    third = read_archive(Wanted(), after=second.older)
    everything = [row.tournament.pk for page in (first, second, third) for row in page.rows]
    assert len(set(everything)) == len(everything) == Tournament.objects.count()
    assert (first.newer, third.older, len(third.rows)) == ("", "", 3)
    assert read_archive(Wanted(), before=third.newer).rows == second.rows
    assert read_archive(Wanted(), before=second.newer).rows == first.rows
    assert read_archive(Wanted(), before=second.newer).newer == ""
    for cursor in ("x", "2026-01-01_1", "_", "2026-01-01T00:00:00+00:00_-1"):
        assert read_archive(Wanted(), after=cursor).rows == first.rows


@pytest.mark.rule("I2")
def test_a_page_of_the_archive_costs_as_many_queries_for_many_as_for_few(organiser: Player, now: datetime) -> None:
    costs = []
    for count in (1, PAGE_TOURNAMENTS):
        for number in range(count):
            create_over(organiser, now - timedelta(hours=number), {organiser.person: 9})
        costs.append([measure(lambda: read_archive(wanted))[0] for wanted in (Wanted(), Wanted(player="te"))])  # noqa: B023
    assert costs[0] == costs[1]


@pytest.mark.rule("I2")
def test_the_page_finds_and_leads_to_the_tournament(organiser: Player, anna: Player, now: datetime) -> None:
    over = create_over(organiser, now, {anna.person: 9}, name="Coppa Aurora")
    page = Client().get(reverse("archive"), {"nome": "aurora", "gioco": "scopa", "anno": str(now.year)})
    assert read_hooks(page, "tournament") == [over.public_id]
    assert {reverse("tournament", args=[over.public_id]), reverse("person", args=[anna.public_id])} <= read_ways(page)
    for query in ({"nome": "boh"}, {"anno": "abc", "giocatore": "\x00", "dove": "?"}, {"dopo": "boh"}):
        page = Client().get(reverse("archive"), query)
        assert page.status_code == 200
    assert read_hooks(Client().get(reverse("archive"), {"nome": "boh"}), "note") == ["nothing_found"]


@pytest.mark.rule("I2", "O2")
def test_a_persons_tournaments_are_listed_with_rank_and_field_on_the_site_and_at_real_tables(
    organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    typed = Person.objects.create(typed_name="Anna R.")
    create_over(organiser, now - timedelta(days=2), {bruno.person: 67, anna.person: 33}, name="Sul sito")
    real = create_over(
        organiser, now - timedelta(days=1), {typed: 67, bruno.person: 33}, name="Dal vivo", venue=HALL, on_site=False
    )
    waiting = NameClaim.objects.create(tournament=real, player=anna, person=typed, asked_at=now)
    assert [row.tournament.name for row in list_tournaments_played(anna)] == ["Sul sito"]
    waiting.state = NameClaim.State.ACCEPTED
    waiting.save()
    replaced = create_over(organiser, now, {bruno.person: 67}, name="Sostituita")
    turn = Round.objects.create(tournament=replaced, number=1)
    entry = replaced.entries.get()
    fixture = Fixture.objects.create(round=turn, board=1, first=entry, state="done")
    LineUp.objects.create(fixture=fixture, side=0, person=anna.person)
    rows = [
        (row.tournament.name, row.rank, row.field, row.points, row.claimed) for row in list_tournaments_played(anna)
    ]
    assert rows == [
        ("Sostituita", None, None, None, False),
        ("Dal vivo", 1, 2, 67, True),
        ("Sul sito", 2, 2, 33, False),
    ]
    assert len(list_tournaments_played(anna, limit=1)) == 1


@pytest.mark.rule("I2")
@pytest.mark.parametrize(
    "asked",
    ["anno=0", "anno=1", "anno=9999", "dopo=0001-01-01T00:00:00%2B14:00_1", "prima=9999-12-31T23:00:00-14:00_1"],
)
def test_a_year_or_a_page_that_no_calendar_has_finds_nothing_amiss(client: Client, asked: str, db: None) -> None:
    assert client.get(f"{reverse('archive')}?{asked}").status_code == 200
    if asked.startswith("anno=1"):
        assert client.get("/api/v1/archive/", {"year": 1}).json()["results"] == []
