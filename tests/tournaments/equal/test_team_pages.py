"""Pages of squadre di quattro on the site (J11): the form, how a team enters, and its match deal by deal."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.equal import play_otherwise
from tests.support.fours import FOURS, TWOS, begin_teams, create_people, enter_team, list_boards
from tests.support.html import read_attribute, read_error_codes
from tests.support.keys import by_key, make_key
from tests.support.pages import post_tournament
from tests.support.people import sign_in
from tests.support.play import OPENING, abandon, open_ready, play
from tests.support.tournaments import Opened
from tournaments.core.visibility import find_watching
from tournaments.entries import team_entry
from tournaments.entries.house import enter_house_players
from tournaments.equal.team_results import combine_boards
from tournaments.models import Tournament
from tournaments.pages.after_match import read_after_match
from tournaments.pages.tournament_page import read_page
from tournaments.running import start
from tournaments.standings.explained import explain_standings, read_standings_tables

pytestmark = [pytest.mark.django_db, pytest.mark.rule("J11")]
EXTRA = {"format": "girone", "length_kind": "deals", "length_value": "2", "equal_deals": "on", "fours": "on"}


@arrange_once
def two_teams(opened: Opened, now: datetime) -> Tournament:
    return begin_teams(opened, 2, now)


def address(tournament: Tournament, board: int = 1) -> str:
    return reverse("team-match", args=[tournament.public_id, 1, board])


def test_a_match_of_teams_is_told_deal_by_deal_after_the_reveal(two_teams: Tournament, now: datetime) -> None:
    at = now + OPENING
    first, second = open_ready(two_teams, at)
    play(first, at)
    page = Client().get(address(two_teams)).content.decode()
    assert "withheld" in read_attribute(page, "data-note")
    assert not read_attribute(page, "data-swing")
    play_otherwise(second, at)
    tables = list_boards(two_teams)[0]
    combined = combine_boards(two_teams, {0: tables})[0]
    page = Client().get(address(two_teams)).content.decode()
    assert read_attribute(page, "data-swing") == [str(swing.ahead) for swing in combined.swings]
    assert read_attribute(page, "data-sum") == [str(combined.ahead)]
    assert read_attribute(page, "data-vp") == [str(tables[0].vp_0)]
    for route in ("standings", "tournament", "tournament-wall"):
        assert Client().get(reverse(route, args=[two_teams.public_id])).status_code == 200
    traveller = Client().get(reverse("traveller", args=[two_teams.public_id, 1])).content.decode()
    assert read_attribute(traveller, "data-team-match") == ["1"]


def test_a_forfeit_and_an_unknown_board_are_answered(two_teams: Tournament, now: datetime) -> None:
    at = now + OPENING
    first, second = open_ready(two_teams, at)
    abandon(first, 0, at)
    play(second, at)
    assert "forfeit" in read_attribute(Client().get(address(two_teams)).content.decode(), "data-note")
    assert Client().get(address(two_teams, 7)).status_code == 404
    assert Client().get(address(two_teams, 10**30)).status_code == 404


@pytest.mark.rule("R3")
def test_every_rank_is_explained_by_one_fixture_of_two_tables(opened: Opened, now: datetime) -> None:
    tournament = begin_teams(opened, 3, now)
    for _number in (1, 2, 3):
        at = now + OPENING
        first, second = open_ready(tournament, at)
        now = max(play(first, at), play_otherwise(second, at))
    tournament.refresh_from_db()
    page = read_page(tournament, None)
    for row in explain_standings(page, read_standings_tables(page)[0]):
        counted = [played for played in row.played if played.counts]
        assert len(counted) == row.row.played == 2
        assert sum(played.vp[0] for played in counted if played.vp) == row.row.vp
        assert sum(played.mp[0] for played in counted if played.mp) == row.row.mp
        shares = [played.share for played in counted if played.share is not None]
        assert sum(shares) / len(shares) == row.row.percentage
        assert all(len(played.tables) == 2 for played in counted)
    html = Client().get(reverse("standings", args=[tournament.public_id])).content.decode()
    assert read_attribute(html, "data-note").count("team_match") == 6


@pytest.mark.rule("J12")
def test_a_team_mate_is_led_to_their_own_table_and_to_no_other(two_teams: Tournament, now: datetime) -> None:
    first, second = open_ready(two_teams, now + OPENING)
    for match in (first, second):
        for seat in match.seats.select_related("player"):
            page = read_page(two_teams, seat.player)
            assert page.viewer.my_table == match.public_id
    played = play(first, now + OPENING)
    seat = first.seats.select_related("player").first()
    assert seat is not None
    after = read_after_match(first.pk, seat.player, played)
    assert after is not None
    assert (after.code, after.table) == ("played", None)
    assert find_watching(second, seat.player, played).name == "REFUSED"


def test_an_organiser_chooses_squadre_di_quattro_in_the_form(organisers: Client) -> None:
    post_tournament(organisers, **EXTRA)
    tournament = Tournament.objects.get()
    assert (tournament.team_size, tournament.team_tables, tournament.entry_kind.exchanges_seats) == (2, 2, True)


@pytest.mark.parametrize(
    ("changed", "code"),
    [({"equal_deals": None}, "teams_on_site"), ({"format": "gironi", "max_entries": "16"}, "two_tables_ko")],
)
def test_what_teams_cannot_play_is_refused_beside_its_box(
    organisers: Client, changed: dict[str, str], code: str
) -> None:
    answer = post_tournament(organisers, **{**EXTRA, **changed})
    assert read_error_codes(answer)["fours"] == [code]
    assert not Tournament.objects.exists()


def test_programs_say_the_same_settings_and_are_refused_alike(organiser: Player) -> None:
    client = by_key(make_key(organiser))
    body = {
        "name": "A squadre", "format": "girone", "ruleset": "scopa", "length_kind": "deals", "length_value": 2,
        "equal_deals": True, "team_size": 2, "team_tables": 2,
    }  # fmt: skip
    made = client.post("/api/v1/tournaments/", body, content_type="application/json")
    assert (made.status_code, made.json()["team_tables"]) == (201, 2)
    for changed, code in (({"equal_deals": False}, "teams_on_site"), ({"team_size": 4}, "team_size_on_site")):
        refused = client.post("/api/v1/tournaments/", {**body, **changed}, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (409, code)


def test_a_player_enters_a_team_on_its_page_and_the_others_accept(opened: Opened, now: datetime) -> None:
    tournament = opened(FOURS, max_entries=4, house_allowed=True)
    people = create_people(4, now)
    page, home = (reverse(name, args=[tournament.public_id]) for name in ("team", "tournament"))
    captain = sign_in(people[0])
    assert "enter_team" in read_attribute(captain.get(home).content.decode(), "data-action")
    typed = {"team": "Leoni", "first": people[1].name, "second": "Nessuno", "third": people[3].name}
    assert read_error_codes(captain.post(page, typed))["second"] == ["unknown_name"]
    captain.post(page, {**typed, "second": people[2].name})
    assert "own_team_accepted" in read_attribute(captain.get(home).content.decode(), "data-note")
    assert "enter_team" not in read_attribute(captain.get(home).content.decode(), "data-action")
    for player in people[1:]:
        other = sign_in(player)
        invitation = tournament.invitations.get().pk
        assert "invited_entry" in read_attribute(other.get(home).content.decode(), "data-note")
        other.post(reverse("invitation-answer", args=[tournament.public_id]), {"invitation": invitation, "si": ""})
    entry = tournament.entries.get()
    members = list(entry.members.order_by("position").values_list("person__player", flat=True))
    assert (entry.team_name, members) == ("Leoni", [player.pk for player in people])


def test_a_captain_gives_the_place_up_and_a_second_team_of_that_name_may_come(opened: Opened, now: datetime) -> None:
    tournament = opened(TWOS, max_entries=2)
    people = create_people(3, now)
    captain, page = sign_in(people[0]), reverse("team", args=[tournament.public_id])
    captain.post(page, {"team": "Leoni", "second": people[1].name})
    third = sign_in(people[2])
    assert read_error_codes(third.post(page, {"team": "leoni", "second": people[1].name}))["team"] == [
        "team_in_already"
    ]
    invitation = tournament.invitations.get().pk
    captain.post(reverse("invitation-answer", args=[tournament.public_id]), {"invitation": invitation, "no": ""})
    third.post(page, {"team": "leoni", "second": people[1].name})
    assert tournament.invitations.holding().get().by == people[2]


def test_an_organiser_answers_a_team_that_asks_and_invites_one_by_its_names(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = opened(TWOS, max_entries=4, registration="approval")
    people = create_people(4, now)
    enter_team(tournament, "Leoni", people[:2], now)
    assert not tournament.entries.get().approved
    manage = reverse("tournament-entries", args=[tournament.public_id])
    names = ", ".join(player.name for player in people[2:])
    sign_in(organiser).post(manage, {"team": "Volpi", "people": names})
    assert tournament.invitations.holding().get().team_name == "Volpi"


def test_a_list_of_teams_is_read_with_its_columns(opened: Opened, organiser: Player, now: datetime) -> None:
    tournament = opened(TWOS, max_entries=4)
    people = create_people(4, now)
    client, page = sign_in(organiser), reverse("tournament-import", args=[tournament.public_id])
    text = "squadra;giocatore;giocatore 2\n" + "\n".join(
        f"{team};{one.name};{other.name}" for team, one, other in (("Leoni", *people[:2]), ("Volpi", *people[2:]))
    )
    ready = client.post(page, {"text": text}).context["ready"]
    client.post(page, {"rows": ready})
    assert set(tournament.invitations.values_list("team_name", flat=True)) == {"Leoni", "Volpi"}


def test_a_program_enters_a_team_and_junk_is_answered(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(TWOS, max_entries=4, house_allowed=True)
    client, own = by_key(make_key(anna)), f"/api/v1/tournaments/{tournament.public_id}/"
    assert client.post(f"{own}join/", {}, content_type="application/json").json()["code"] == "needs_team"
    bad = client.post(f"{own}team/", {"team": "\0", "others": ["x" * 200]}, content_type="application/json")
    assert bad.status_code == 400
    asked = client.post(f"{own}team/", {"team": "Leoni", "others": [bruno.name]}, content_type="application/json")
    assert asked.status_code in (200, 204)
    assert tournament.invitations.get().team_name == "Leoni"
    house = by_key(make_key(bruno)).post(f"{own}team/house/", {"team": "Volpi"}, content_type="application/json")
    assert (house.status_code, house.json()["name"]) == (200, "Volpi")


@pytest.mark.rule("J9")
def test_a_tournament_of_teams_starts_at_its_hour_with_the_house(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened(replace(FOURS, starts_at=now + timedelta(hours=1)), max_entries=4, house_allowed=True)
    team_entry.enter_with_house(tournament_id=tournament.pk, player=anna, team="Leoni", now=now)
    enter_house_players(tournament_id=tournament.pk, count=1, now=now)
    start.start_due(tournament_id=tournament.pk, now=now + timedelta(hours=1))
    (tables,) = list_boards(tournament)
    assert len(tables) == 2
