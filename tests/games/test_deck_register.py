"""The pages about where cards come from: the public register, the explanation, and what a browser checks (J1, J7)."""

import json
import re
from datetime import datetime, timedelta

import pytest
from django.test import Client

from games import deck_register
from games.models import Commitment, Match, RegisterHead
from games.selectors import build_record
from players.models import Player
from tests.support.html import read_hooks
from tests.support.tables import again, opened, play_out, seated

REGISTER, EXPLAINED = "/mazzi/registro/", "/mazzi/controllo/"
CHECKED = re.compile(r'<script id="deck-check-record" type="application/json">(.*?)</script>', re.DOTALL)


@pytest.mark.rule("J1", "J5")
def test_the_register_shows_every_commitment_and_each_secret_once_it_is_published(
    client: Client, anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    assert read_hooks(client.get(REGISTER), "number") == []
    over, running = seated([anna, bruno], now), seated([carla, dino], now)
    play_out(over, now)
    rows = {row.scope: row for row in Commitment.objects.all()}
    page = client.get(REGISTER)
    assert read_hooks(page, "number") == ["2", "1"]
    assert read_hooks(page, "commitment") == [rows[match.public_id].digest for match in (running, over)]
    assert read_hooks(page, "secret") == ["", rows[over.public_id].secret]
    assert read_hooks(page, "hidden") == ["0"]


@pytest.mark.rule("J1")
def test_what_is_hidden_too_long_is_counted_on_the_page(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    Match.objects.filter(pk=match.pk).update(finished_at=now - timedelta(days=400))
    assert read_hooks(client.get(REGISTER), "hidden") == ["1"]


def test_the_register_is_turned_over_page_by_page(db: None, client: Client, now: datetime) -> None:
    last = deck_register.ROWS_A_PAGE + 2
    Commitment.objects.bulk_create(
        Commitment(number=number, scope=f"m{number}", digest=f"{number:064}", drawn_at=now)
        for number in range(1, last + 1)
    )
    RegisterHead.objects.create(number=last, digest="")
    assert read_hooks(client.get(REGISTER), "number")[0] == str(last)
    assert read_hooks(client.get(REGISTER, {"fino": "2"}), "number") == ["2", "1"]
    for junk in ("", "0", "-1", "x", "9" * 30, "٣"):
        assert client.get(REGISTER, {"fino": junk}).status_code == 200


@pytest.mark.rule("J7")
@pytest.mark.parametrize("language", ["it", "en"])
def test_the_explanation_has_about_two_hundred_words(client: Client, language: str) -> None:
    page = client.get(EXPLAINED, headers={"accept-language": language}).content.decode()
    main = page.partition("<main")[2].partition("</main>")[0]
    assert 150 < len(re.sub(r"<[^>]*>", " ", main).split()) < 230


@pytest.mark.rule("J7")
def test_the_page_of_a_result_carries_what_a_browser_checks(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    play_out(match, now)
    record = build_record(again(match))
    assert record is not None
    carried = CHECKED.search(client.get(f"/partite/{match.public_id}/").content.decode())
    assert carried is not None
    checked = json.loads(carried[1])
    digest = Commitment.objects.get(matches=match).digest
    for answer in (client.get(f"/partite/{match.public_id}/"), client.post("/verbali/", {"text": json.dumps(record)})):
        assert read_hooks(answer, "commitment") == [digest]  # on paper, too
    assert checked["shuffle"] == record["shuffle"]
    assert [deal["deck"] for deal in checked["deals"]] == [deal["deck"] for deal in record["deals"]]
    sent = CHECKED.search(client.post("/verbali/", {"text": json.dumps(record)}).content.decode())
    assert sent is not None
    assert json.loads(sent[1]) == checked

    Match.objects.filter(pk=match.pk).update(commitment=None)
    page = client.get(f"/partite/{match.public_id}/")
    assert not CHECKED.search(page.content.decode())
    assert not read_hooks(page, "commitment")


@pytest.mark.rule("J1")
def test_the_table_page_has_the_commitment_before_anybody_sits(
    client: Client, anna: Player, bruno: Player, now: datetime
) -> None:
    match = opened([anna, bruno], now)
    assert Commitment.objects.get(matches=match).digest in client.get(f"/tavoli/{match.public_id}/").content.decode()
