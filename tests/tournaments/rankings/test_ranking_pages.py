"""Pages of the rankings (Y1): what they show to whom, and at what cost."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.rules import RULESETS
from games.services.annulment import annul_match
from players.models import Person, Player, ProfileAudience
from scoring.models import Level
from tests.support.counting import measure
from tests.support.histories import store_history
from tests.support.html import read_attribute, read_hooks, read_ways
from tests.support.people import create_person, sign_in, take_house
from tests.support.rankings import create_over, create_people, find_ranking, make_rankings
from tests.support.tournaments import Opened
from tournaments.clubs.actions import create_club
from tournaments.core.last_results import read_last_outcomes
from tournaments.entries.typed_names import rename_person
from tournaments.models import ClubMember
from tournaments.rankings.queries import PAGE_ROWS, read_people

SCOPA = {"gioco": "scopa", "forma": "alone"}


def read_ranks(client: Client, **query: object) -> list[str]:
    return read_hooks(client.get(reverse("rankings"), {**SCOPA, **query}), "rank")


@pytest.mark.rule("Y1")
def test_a_page_lists_so_many_and_leads_to_ones_own_place(organiser: Player, now: datetime) -> None:
    people = create_people(2 * PAGE_ROWS + 5, now)
    create_over(organiser, now, {person: 500 - 2 * number for number, person in enumerate(people)})
    make_rankings(now)
    own = people[PAGE_ROWS].player
    assert own is not None
    client = sign_in(own)
    first = client.get(reverse("rankings"), {**SCOPA, "classifica": "ever"})
    assert read_hooks(first, "rank") == [str(rank) for rank in range(1, PAGE_ROWS + 1)]
    assert read_hooks(first, "own-place") == [str(PAGE_ROWS + 1)]
    (way,) = {way for way in read_ways(first) if way.endswith("#own")}
    page = client.get(reverse("rankings") + way.partition("#")[0])
    assert read_hooks(page, "rank")[0] == str(PAGE_ROWS + 1)
    assert "own" in read_attribute(page, "id", "tr")
    assert not [way for way in read_ways(page) if way.endswith("#own")], "it leads nowhere: the row is in sight"
    assert len(read_ranks(client, classifica="ever", pagina=3)) == 5
    assert len(read_ranks(client, classifica="ever", pagina=99)) == 5, "the nearest"


@pytest.mark.rule("Y1")
def test_a_name_is_found_by_how_it_begins(organiser: Player, now: datetime) -> None:
    people = [create_person(name, now).person for name in ("Marcella", "Marco", "Ada", "Màrio")]
    create_over(organiser, now, {person: 100 - number for number, person in enumerate(people)})
    make_rankings(now)
    assert read_ranks(Client(), classifica="ever", nome="mar") == ["1", "2", "4"]
    assert read_ranks(Client(), classifica="ever", nome="MARCO") == ["2"]
    page = Client().get(reverse("rankings"), {**SCOPA, "classifica": "ever", "nome": "zz"})
    assert read_hooks(page, "note") == ["nobody_so_called"]


@pytest.mark.rule("Y1")
def test_a_club_is_a_filter_and_has_a_ranking_of_its_own(organiser: Player, anna: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    ClubMember.objects.create(club=club, player=anna, confirmed=True, since=now)
    others = create_people(3, now)
    typed = Person.objects.create(typed_name="Ada Neri")
    create_over(organiser, now, {others[0]: 90, anna.person: 50, others[1]: 20})
    create_over(organiser, now, {typed: 67, anna.person: 33}, club=club, on_site=False)
    make_rankings(now)
    assert read_ranks(Client(), classifica="ever", circolo=club.public_id) == ["2"]
    page = sign_in(anna).get(reverse("rankings"), {**SCOPA, "classifica": "ever", "circolo": club.public_id})
    assert read_attribute(page, "id", "tr") == ["own"]
    assert not [way for way in read_ways(page) if way.endswith("#own")]
    own = Client().get(reverse("club-ranking", args=[club.public_id]))
    assert read_hooks(own, "rank") == ["1", "2"]
    assert own.headers["X-Robots-Tag"] == "noindex"
    assert b"Ada Neri" in own.content
    assert Client().get(reverse("club-ranking", args=["x" * 10])).status_code == 404


@pytest.mark.rule("Y1", "O2")
def test_a_typed_name_that_was_corrected_is_found_by_what_it_is_now(organiser: Player, now: datetime) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    typed = Person.objects.create(typed_name="Ada Nerri")
    over = create_over(organiser, now, {typed: 67}, club=club, on_site=False)
    make_rankings(now)
    about = {"tournament_id": over.pk, "by": organiser, "person_id": typed.pk, "suffix": "", "now": now}
    rename_person(name="Neri Ada", **about)
    address = reverse("club-ranking", args=[club.public_id])
    found = {name: read_hooks(Client().get(address, {"nome": name}), "rank") for name in ("ada", "neri")}
    assert found == {"ada": [], "neri": ["1"]}


@pytest.mark.rule("Y1")
def test_a_level_that_was_just_hidden_is_seen_by_nobody_else(four: list[Player], now: datetime) -> None:
    for number, player in enumerate(four):
        Level.objects.create(
            player=player, ruleset="scopa", form="alone", mu=25 - number, sigma=3, matches=9, rated_at=now
        )
    make_rankings(now)
    assert read_ranks(Client(), classifica="level") == ["1", "2", "3", "4"]
    ProfileAudience.objects.create(player=four[0], levels="nobody")
    assert read_ranks(Client(), classifica="level") == ["2", "3", "4"]
    assert read_ranks(Client(), classifica="level", nome="anna") == []
    assert read_ranks(sign_in(four[0]), classifica="level") == ["1", "2", "3", "4"]


@pytest.mark.parametrize("query", [{}, {"classifica": "level"}, {"classifica": "ever", "gioco": "tresette"}])
def test_an_empty_ranking_says_what_to_do(db: None, query: dict[str, str]) -> None:
    page = Client().get(reverse("rankings"), query)
    assert "nobody_yet" in read_hooks(page, "note")
    assert reverse("home") in read_ways(page)


@pytest.mark.parametrize(
    "query",
    [
        {"gioco": "briscola9", "forma": "x", "classifica": "boh", "pagina": "-1"},
        {"classifica": "year-99999", "circolo": "x" * 50},
        {"gioco": "scopa", "classifica": "year-2019", "nome": "\x00'%_"},
    ],
)
def test_what_makes_no_sense_is_no_error(organiser: Player, now: datetime, query: dict[str, str]) -> None:
    create_over(organiser, now, {organiser.person: 10})
    make_rankings(now)
    assert Client().get(reverse("rankings"), query).status_code == 200


def test_who_isnt_listed_is_told_why(organiser: Player, anna: Player, now: datetime) -> None:
    create_over(organiser, now, {organiser.person: 10})
    make_rankings(now)
    page = sign_in(anna).get(reverse("rankings"), {**SCOPA, "classifica": "ever"})
    assert read_hooks(page, "note") == ["not_listed"]


@pytest.mark.rule("Y1")
@pytest.mark.parametrize("asked", [{}, {"number": 2}, {"name": "pers"}, {"members": True}])
def test_a_page_costs_as_many_queries_for_many_as_for_few(
    organiser: Player, now: datetime, asked: dict[str, object]
) -> None:
    club = create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    costs = []
    for start, count in ((1, 3), (10, 2 * PAGE_ROWS)):
        people = create_people(count, now, start)
        for person in people[:2]:
            ClubMember.objects.create(club=club, player=person.player, confirmed=True, since=now)
        create_over(organiser, now, dict.fromkeys(people, 10))
        make_rankings(now)
        ranking = find_ranking("ever")
        values = {key: value for key, value in asked.items() if key != "members"}
        values |= {"members_of": club} if asked.get("members") else {}
        costs.append(measure(lambda: read_people(ranking, people[0].player, **values))[0])  # type: ignore[arg-type]  # noqa: B023
    assert costs[0] == costs[1] <= 4


@pytest.mark.rule("Y1")
def test_the_whole_page_costs_as_much_for_many_as_for_few(organiser: Player, now: datetime) -> None:
    costs = []
    for start, count in ((1, 3), (10, 2 * PAGE_ROWS)):
        create_over(organiser, now, dict.fromkeys(create_people(count, now, start), 10))
        make_rankings(now)
        client = sign_in(organiser)
        read_ranks(client)
        costs.append(measure(lambda: read_ranks(client, classifica="ever"))[0])  # noqa: B023
    assert costs[0] == costs[1]


@pytest.mark.rule("Y1")
def test_dots_are_of_the_last_five_matches_of_the_game_and_of_whoever_shows_them(
    four: list[Player], organiser: Player, now: datetime
) -> None:
    anna, bruno, *_others = four
    results = [(11, 3), (11, 4), (5, 11), (11, 11), (7, 11), (11, 9)]
    store_history([anna, bruno], now, [("scopa", points, 9 - day) for day, points in enumerate(results)])
    store_history([anna, bruno], now, [("tresette", (21, 3), 1)])
    create_over(organiser, now, {anna.person: 50, bruno.person: 20})
    make_rankings(now)
    query = {**SCOPA, "classifica": "ever"}

    def read_dots(client: Client) -> list[str]:
        return read_attribute(client.get(reverse("rankings"), query), "class", "i")

    shown = read_dots(Client())
    anna_dots, bruno_dots = "won lost even lost won", "lost won even won lost"
    assert shown == [f"dot-{code}" for code in f"{anna_dots} {bruno_dots}".split()]
    ProfileAudience.objects.create(player=anna, history="nobody")
    assert read_dots(Client()) == shown[5:]
    assert read_dots(sign_in(anna)) == shown


@pytest.mark.rule("F2")
def test_dots_follow_what_a_referee_annulled(anna: Player, bruno: Player, now: datetime) -> None:
    [match, _other] = store_history([anna, bruno], now, [("scopa", (11, 3), 2), ("scopa", (3, 11), 1)])
    assert read_last_outcomes([anna.pk, bruno.pk], 5) == {anna.pk: ("won", "lost"), bruno.pk: ("lost", "won")}
    annul_match(match_id=match.pk, now=now)
    assert read_last_outcomes([anna.pk], 5) == {anna.pk: ("lost",)}


def test_an_empty_ranking_leads_to_the_next_tournament_and_says_how_the_house_does(
    opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = opened(ruleset="scopa")
    [house] = take_house(count=1, now=now)
    store_history([house, anna], timezone.now(), [("scopa", (11, 3), 2), ("scopa", (3, 11), 1)])
    page = Client().get(reverse("rankings"), {"gioco": "scopa"})
    assert read_hooks(page, "next") == [tournament.public_id]
    assert house.name in page.content.decode()
    assert read_hooks(Client().get(reverse("rankings"), {"gioco": "briscola"}), "next") == []


def test_the_game_last_looked_at_is_the_first_next_time(organiser: Player, now: datetime) -> None:
    client = sign_in(organiser)

    def read_chips(**query: str) -> list[str]:
        page = client.get(reverse("rankings"), query)
        return [chip for chip in read_attribute(page, "id", "a") if chip.startswith("game-")]

    usual = read_chips()
    assert read_chips(gioco="tressette-classico")[4] == "game-tressette-classico", "it is seen, the others stay"
    assert read_chips()[0] == "game-tressette-classico"
    assert sorted(read_chips()) == sorted(usual)
    assert len(usual) == len(RULESETS)
