"""Finished matches: their page, the record to download, the API; a running match has none of them."""

import json
from datetime import datetime, timedelta

import pytest
from django.test import Client

from games import selectors as tables
from games.engine import record as records
from games.engine.game import Length
from games.models import Match
from games.services import playing, settlement
from players.models import Player
from records import match_narrative
from records.results import list_deal_summaries, replay_record
from tests.support.arrangements import arrange_once
from tests.support.tables import FIRST, again, opened, play_out, seated


@arrange_once
def finished(anna: Player, bruno: Player, now: datetime) -> Match:
    match = seated([anna, bruno], now, context="round_robin", length=Length("deals", 2), about_url="/tornei/x/")
    play_out(match, now)
    return again(match)


def test_a_running_match_has_neither_result_nor_record(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)

    assert client.get(f"/partite/{match.public_id}/verbale.json").status_code == 404
    assert client.get(f"/api/v1/matches/{match.public_id}/").status_code == 404
    page = client.get(f"/partite/{match.public_id}/")
    assert (page.status_code, page["Location"]) == (302, f"/tavoli/{match.public_id}/")


def test_who_may_not_watch_a_running_match_is_told_there_is_none(
    client: Client, anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = seated([anna, bruno], now)
    monkeypatch.setattr(tables, "_policies", [lambda match, player, now: tables.Watching.REFUSED])

    assert client.get(f"/partite/{match.public_id}/").status_code == 404


def test_an_unknown_match_is_not_found(client: Client, db: None) -> None:
    for address in ("/partite/nessuna/", "/partite/nessuna/verbale.json", "/api/v1/matches/nessuna/"):
        assert client.get(address).status_code == 404


def test_the_record_replays_to_the_result_that_stands(client: Client, finished: Match) -> None:
    answer = client.get(f"/partite/{finished.public_id}/verbale.json")

    assert answer["Content-Disposition"] == f'attachment; filename="verbale-{finished.public_id}.json"'
    result = replay_record(json.loads(answer.content))
    assert result["complete"]
    assert result["score"] == [finished.score_0, finished.score_1]
    assert (result["winner"], result["margin"]) == (finished.winner, finished.margin)


def test_the_page_shows_every_deal_row_by_row(client: Client, finished: Match) -> None:
    page = client.get(f"/partite/{finished.public_id}/").content.decode()

    counts = list_deal_summaries(tables.build_record(finished))
    assert [count.number for count in counts if not count.void] == [1, 2]
    assert counts[-1].score == (finished.score_0, finished.score_1)
    assert page.count('<table class="deal-count">') == 2
    assert "Settebello" in page
    assert "Primiera" in page
    assert 'href="/tornei/x/"' in page
    assert f'href="/partite/{finished.public_id}/verbale.json"' in page


def test_the_rows_of_each_deal_add_up_to_its_points(finished: Match) -> None:
    record = tables.build_record(finished)
    for count, deal in zip(list_deal_summaries(record), match_narrative.narrate_record(record).deals, strict=True):
        if not count.void:
            assert deal.tally is not None
            assert tuple(sum(row.points[line] for row in deal.tally.rows) for line in (0, 1)) == count.points


def test_mp_and_vp_are_shown_in_a_round_robin_and_not_in_a_ko(
    client: Client, finished: Match, carla: Player, dino: Player, now: datetime
) -> None:
    knockout = seated([carla, dino], now)
    play_out(knockout, now)

    assert '<table class="worth">' in client.get(f"/partite/{finished.public_id}/").content.decode()
    assert '<table class="worth">' not in client.get(f"/partite/{knockout.public_id}/").content.decode()


def test_an_abandoned_match_says_so_and_who_forfeited(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    playing.abandon(
        match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now + timedelta(seconds=4)
    )

    page = client.get(f"/partite/{match.public_id}/").content.decode()

    assert "per abbandono" in page
    assert "forfait" in page
    assert page.count("Smazzata interrotta") == 2  # beside the count, and in the account card by card
    explanation = "Non ancora al sicuro: settebello, denari, carte e primiera. A Bruno: 4 punti."
    assert explanation in page
    assert "In più, 1 punto a Bruno come per una scopa." in page
    assert "Poste" not in page


@pytest.mark.rule("V5")
def test_the_page_says_how_a_forfeit_made_its_victory_points(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, context="round_robin", length=Length("deals", 2))
    playing.abandon(
        match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now + timedelta(seconds=4)
    )
    page = client.get(f"/partite/{match.public_id}/").content.decode()
    assert "per lo scarto 5, cioè 15, ma almeno 14: quindi 15." in page
    assert "per 0 VP la tabella non ha una riga, e vale l&#x27;ultima: −8." in page


@pytest.mark.parametrize(
    ("winner", "stakes", "words"),
    [
        (0, (1, 0), ""),
        (1, (0, 1), ""),
        (None, (0, 0), ""),
        (1, (0, 16), "Poste: 16 poste a Bruno."),
        (0, (2, 1), "Poste: 2 poste a Anna, 1 posta a Bruno."),
        (None, (1, 0), "Poste: 1 posta a Anna."),
        (0, (0, 0), ""),
    ],
)
def test_the_stakes_are_said_where_they_are_not_simply_one(
    client: Client, finished: Match, winner: int | None, stakes: tuple[int, int], words: str
) -> None:
    Match.objects.filter(pk=finished.pk).update(winner=winner, stakes_0=stakes[0], stakes_1=stakes[1])
    page = client.get(f"/partite/{finished.public_id}/").content.decode()
    assert ("Poste: " in page) == bool(words)
    assert words in page


def test_a_match_nobody_came_to_has_a_page(client: Client, anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    settlement.expire_overdue(match_id=match.pk, now=now + timedelta(seconds=301))
    assert again(match).both_forfeited

    page = client.get(f"/partite/{match.public_id}/")

    assert page.status_code == 200
    assert "Nessuno si è presentato" in page.content.decode()


def test_the_api_gives_result_and_record(client: Client, finished: Match) -> None:
    answer = client.get(f"/api/v1/matches/{finished.public_id}/").json()

    assert answer["players"] == ["Anna", "Bruno"]
    assert answer["points"] == [finished.score_0, finished.score_1]
    assert sum(answer["vp"]) == 20
    assert records.replay(records.parse(answer["record"])).progress.outcome is not None
