"""Lots of a tournament that travels: no secret goes with it, and it says where they were drawn (J3a, O9)."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client, override_settings

from games.models import Commitment
from games.sealing import unseal
from players.models import Player
from tests.games import naive_shuffling
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.html import read_ways
from tests.support.pages import tournament_url
from tests.support.real_tables import draw_present
from tests.support.tournaments import GIRONE, Opened
from tests.support.transfer import change_file
from tournaments.core.draw_secret import read_drawn
from tournaments.models import LogEntry, Tournament
from tournaments.organise.lifecycle import create_tournament, publish_tournament
from tournaments.running.start import start_due
from tournaments.transfer.loans import lend_tournament, recall_tournament, take_in_file
from tournaments.transfer.outgoing import make_copy

pytestmark = [pytest.mark.django_db, pytest.mark.rule("J3a", "O9")]

ELSEWHERE = override_settings(SECRET_KEY="another site's", SITE_URL="http://sala.example:8000")
HOUR = timedelta(hours=3)


def find_commitment(tournament: Tournament) -> Commitment:
    return Commitment.objects.get(scope=f"{tournament.public_id}/draw")


def lend(tournament: Tournament, by: Player, now: datetime, to: str = "Sala") -> bytes:
    return lend_tournament(tournament_id=tournament.pk, by=by, to=to, now=now)


def read_check(tournament: Tournament) -> dict[str, Any]:
    answer: dict[str, Any] = Client().get(tournament_url("draw-json", tournament)).json()
    return answer


@arrange_once
def entering(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A girone that the four have entered, and that begins in some hours."""
    return enter_all(opened(GIRONE, starts_at=now + HOUR, max_entries=8), four, now)


def test_what_is_drawn_elsewhere_comes_from_a_secret_of_that_site_and_the_one_at_home_is_published(
    entering: Tournament, four: list[Player], referee: Player, organiser: Player, now: datetime
) -> None:
    at_home = find_commitment(entering)
    data = lend(entering, organiser, now)
    assert unseal(at_home.sealed).hex() not in data.decode()
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        there = find_commitment(away)
        assert away.draw_commitment == there.digest != at_home.digest
        draw_present(away, now)
        back = lend(away, referee, now, "")
    take_in_file(data=back, by=organiser, now=now)
    entering.refresh_from_db()
    at_home, there = find_commitment(entering), find_commitment(away)
    assert (at_home.reason, there.reason) == ("elsewhere", "drawn")
    assert "" not in (at_home.secret, there.secret)
    assert entering.draw_commitment == there.digest
    said = read_check(entering)
    assert (said["scope"], said["secret"]) == (there.scope, there.secret)
    secret = bytes.fromhex(there.secret)
    assert said["numbers"] == naive_shuffling.seeds(secret, there.scope, said["number"], len(four))
    assert entering.lot == naive_shuffling.lot(secret, there.scope, said["number"])


def test_what_was_drawn_at_home_says_so_elsewhere(entering: Tournament, referee: Player, now: datetime) -> None:
    start_due(tournament_id=entering.pk, now=now + HOUR)
    entering.refresh_from_db()
    data = make_copy(entering, now + HOUR)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now + HOUR)
    assert away.draw_commitment == entering.draw_commitment
    assert read_check(away) == read_check(entering)
    assert not Commitment.objects.filter(scope=f"{away.public_id}/draw").exists()


def test_a_draft_whose_entries_opened_elsewhere_is_committed_to_at_home_when_it_is_back(
    organiser: Player, referee: Player, now: datetime
) -> None:
    tournament = create_tournament(organiser=organiser, settings=GIRONE, now=now)
    data = lend(tournament, organiser, now)
    assert tournament.draw_commitment == ""
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now)
        publish_tournament(tournament_id=away.pk, by=referee, now=now)
        back = lend(away, referee, now, "")
    take_in_file(data=back, by=organiser, now=now)
    tournament.refresh_from_db()
    assert tournament.draw_commitment == find_commitment(tournament).digest != find_commitment(away).digest


def test_a_recalled_tournament_is_drawn_from_the_secret_it_had(
    entering: Tournament, organiser: Player, now: datetime
) -> None:
    before = find_commitment(entering)
    lend(entering, organiser, now)
    recall_tournament(tournament_id=entering.pk, by=organiser, now=now)
    start_due(tournament_id=entering.pk, now=now + HOUR)
    after = find_commitment(entering)
    assert (after.digest, after.reason) == (before.digest, "drawn")


@pytest.mark.parametrize(
    "change",
    [
        {"numbers": [1, 2, 3]},
        {"numbers": [1, 1, 2, 3]},
        {"swapped": [[1, 9]]},
        {"scope": "<script>"},
        {"commitment": "f" * 200},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_file_that_says_of_its_draw_what_cannot_be_has_none(
    entering: Tournament, referee: Player, now: datetime, change: dict[str, Any]
) -> None:
    start_due(tournament_id=entering.pk, now=now + HOUR)

    def forge(body: Any) -> None:
        (drawn,) = [entry for entry in body["log"] if entry["code"] == "drawn"]
        drawn["detail"] |= change

    data = change_file(make_copy(Tournament.objects.get(pk=entering.pk), now + HOUR), forge)
    with ELSEWHERE:
        away = take_in_file(data=data, by=referee, now=now + HOUR)
    assert read_drawn(away) is None
    assert away.draw_commitment == ""
    assert Client().get(tournament_url("draw", away)).status_code == 404
    assert tournament_url("draw", away) not in read_ways(Client().get(tournament_url("tournament", away)))
    assert LogEntry.objects.filter(tournament=away, code="drawn").count() == 1
