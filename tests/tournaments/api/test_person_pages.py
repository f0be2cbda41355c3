"""People's pages, one's own choice of readers and fixed pairs, through the API."""

from datetime import datetime

import pytest
from django.test import Client

from games.facts.store import store_facts
from games.models import Match
from games.services.annulment import annul_match
from players.models import Player
from tests.support.entries import fill_sit_and_go
from tests.support.keys import by_key, make_key
from tests.support.play import rounds_played
from tests.support.tables import play_out, seated
from tests.support.tournaments import GIRONE, Opened
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, annul_result, order_replay, set_result
from tournaments.models import Fixture

pytestmark = pytest.mark.django_db
PEOPLE, AUDIENCE, OWN_PAIRS = "/api/v1/people/", "/api/v1/me/audience/", "/api/v1/me/pairs/"


def post(client: Client, address: str, **body: object) -> tuple[int, str]:
    answer = client.post(address, body, "application/json")
    return answer.status_code, answer.json().get("code", "") if answer.content else ""


def test_a_person_is_read_with_their_matches(client: Client, anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, context="free")
    Match.objects.filter(pk=match.pk).update(status="finished", finished_at=now, winner=0, score_0=11, score_1=3)
    store_facts(match_id=match.pk)
    person = client.get(f"{PEOPLE}{anna.public_id}/").json()
    assert (person["name"], person["kind"], person["statistics"]["won"]) == ("Anna", "member", 1)
    [row] = client.get(f"{PEOPLE}{anna.public_id}/matches/").json()["results"]
    assert (row["match"], row["outcome"], row["points_for"]) == (match.public_id, "won", 11)
    assert client.get(f"{PEOPLE}nobodyhere/").status_code == 404


def test_who_is_shown_what_is_read_and_chosen(anna: Player) -> None:
    annas = by_key(make_key(anna, scopes=["read", "play"]))
    assert annas.get(AUDIENCE).json()["history"] == "everybody"
    assert post(annas, AUDIENCE, history="nobody", indexed=True)[0] == 200
    assert annas.get(AUDIENCE).json()["history"] == "nobody"
    assert post(annas, AUDIENCE, history="some")[0] == 400


def test_a_pair_is_formed_named_and_left(anna: Player, bruno: Player) -> None:
    annas, brunos = (by_key(make_key(player, scopes=["read", "play"])) for player in (anna, bruno))
    assert post(annas, OWN_PAIRS, player=bruno.public_id)[0] == 201
    assert post(annas, OWN_PAIRS, player=bruno.public_id) == (409, "pair_exists")
    [pair] = brunos.get(OWN_PAIRS).json()
    own = f"{OWN_PAIRS}{pair['id']}/"
    assert pair["formed_at"] is None
    assert post(brunos, f"{own}accept/")[0] == 200
    assert [post(one, f"{own}name/", name="Le volpi")[0] for one in (annas, brunos)] == [200, 200]
    assert annas.get(OWN_PAIRS).json()[0]["name"] == "Le volpi"
    assert post(annas, f"{own}leave/")[0] == 204
    assert post(annas, f"{own}leave/") == (409, "no_such_pair")
    assert post(annas, OWN_PAIRS, player=bruno.public_id)[0] == 201
    again = annas.get(OWN_PAIRS).json()[0]["id"]
    assert post(brunos, f"{OWN_PAIRS}{again}/decline/")[0] == 204


@pytest.mark.rule("F2")
def test_a_match_that_a_referee_ruled_stands_as_it_was_ruled_or_annulled(
    client: Client, opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, [anna, bruno], now, base=GIRONE)
    now = rounds_played(tournament, now)
    fixture = Fixture.objects.of(tournament).get(second__isnull=False)
    assert fixture.first is not None
    own = 0 if fixture.first.members.filter(person=anna.person).exists() else 1
    points = (2, 9) if own == 0 else (9, 2)
    act = Act(by=organiser, reason="Carte cadute", now=now)
    where = {"tournament_id": tournament.pk, "fixture_id": fixture.pk}
    annas = by_key(make_key(anna, scopes=["read", "play"]))

    def read_both() -> tuple[dict[str, object], dict[str, object]]:
        """The match as it stands on anna's page, and among her own."""
        [shown] = client.get(f"{PEOPLE}{anna.public_id}/matches/").json()["results"]
        [hers] = annas.get("/api/v1/me/matches/").json()["results"]
        return shown, hers

    set_result(**where, decision=Decision(points=points, winner=1 - own), act=act)
    shown, hers = read_both()
    assert (shown["outcome"], shown["points_for"], shown["points_against"]) == ("lost", 2, 9)
    assert (shown["tournament"], shown["players"]) == (tournament.public_id, 2)
    assert (hers["points"], hers["winner"], hers["annulled"]) == (list(points), 1 - own, False)
    annul_result(**where, act=Act(by=organiser, reason="Errore", now=now))
    shown, hers = read_both()
    assert (shown["outcome"], hers["winner"], hers["annulled"]) == ("annulled", None, True)
    order_replay(**where, act=Act(by=organiser, reason="Si rigioca", now=now))
    shown, hers = read_both()
    assert (shown["outcome"], hers["winner"], hers["annulled"]) == ("annulled", None, True)


def test_a_free_match_that_the_staff_annulled_is_won_by_nobody(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, context="free")
    end = play_out(match, now)
    annas = by_key(make_key(anna, scopes=["read", "play"]))
    [before] = annas.get("/api/v1/me/matches/").json()["results"]
    assert before["annulled"] is False
    annul_match(match_id=match.pk, now=end)
    [hers] = annas.get("/api/v1/me/matches/").json()["results"]
    assert (hers["winner"], hers["annulled"], hers["points"]) == (None, True, before["points"])
    [shown] = client.get(f"{PEOPLE}{anna.public_id}/matches/").json()["results"]
    assert shown["outcome"] == "annulled"
