"""Records anybody sends, on the page, by the API and on the command line: an answer each, nothing stored."""

import html
import json
import re

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.models import Match
from records.results import MAX_RECORD_BYTES
from tests.support.html import drop_layout, read_element
from tests.support.records import LINES, RECORDS, RESULTS, narrate, read_golden, read_place, run_replay

pytestmark = pytest.mark.django_db

API = "/api/v1/records/replay/"
PAGE = "/verbali/"


def spoiled(**changed: object) -> bytes:
    return json.dumps({**RECORDS[0], **changed}).encode()


def with_move(move: object) -> bytes:
    record = read_golden("scopa-2-points")
    record["deals"][0]["moves"][2] = move
    return json.dumps(record).encode()


HOSTILE = {
    "empty": b" ",
    "truncated": LINES[0].encode()[:-40],
    "two objects": b"{} {}",
    "another encoding": LINES[0].encode("utf-16"),
    "a broken byte": b"\xff" + LINES[0].encode(),
    "a nul": b"\x00",
    "nan": b'{"verbale": NaN}',
    "infinity": spoiled(players=float("inf")),
    "a huge exponent": b'{"verbale": 1e999999}',
    "a huge number": b'{"verbale": ' + b"9" * 9000 + b"}",
    "deep lists": b"[" * 50_000,
    "deep objects": b'{"a":' * 20_000,
    "null": b"null",
    "a surrogate": b'"\\ud800"',
    "a surrogate field": b'{"\\ud800": 1}',
    "true for one": spoiled(verbale=True),
    "players in words": spoiled(players="2"),
    "a list of options": spoiled(options=[]),
    "an unknown field": spoiled(clock=3),
    "a negative dealer": spoiled(first_dealer=-1),
    "deals that are no list": spoiled(deals={}),
    "a deck in Cyrillic": spoiled(deals=[{"deck": "Аd " * 40, "moves": []}]),
    "a deck of one million cards": spoiled(deals=[{"deck": "7d " * 60_000, "moves": []}]),
    "arabic digits": with_move("٠ play 7d"),
    "full-width letters": with_move("0 ｐｌａｙ 7d"),
    "a move that is a list": with_move([["0 play 7d"]]),
    "a very long move": with_move("0 play " + "7d " * 50_000),
    "a move with a surrogate": with_move("0 play \ud800"),
    "markup": with_move("<script>alert(1)</script>"),
}
every_hostile = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


@pytest.fixture(autouse=True)
def nobody_has_asked_yet():
    cache.clear()


def ask(client: Client, text: bytes, query: str = ""):
    return client.post(API + query, text, content_type="application/json")


@every_hostile
def test_the_api_answers_a_hostile_record_with_its_fault(client, text):
    answer = ask(client, text, "?explain=1")
    assert answer.status_code == 200
    fault = answer.json()
    assert fault["ok"] is False
    assert fault["code"]
    assert fault["error"] in fault["account"]


@every_hostile
def test_the_page_answers_a_hostile_record_with_its_fault(client, text):
    for file in (False, True):
        sent = {"file": SimpleUploadedFile("x.json", text)} if file else {"text": text.decode("utf-8", "replace")}
        answer = client.post(PAGE, sent)
        page = answer.content.decode()
        assert "<script>alert" not in page
        if answer.status_code == 400:
            assert not text.strip() or b"\x00" in text
        else:
            assert answer.status_code == 200
            assert 'id="fault-title"' in page


def test_the_command_tells_the_fault_of_every_hostile_record_and_goes_on():
    texts = [text for text in HOSTILE.values() if text.strip() and b"\n" not in text]
    done = run_replay("--explain", stdin=b"\n".join([*texts, LINES[0].encode()]))
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stdout.decode().count("Il verbale non si può rigiocare") == len(texts)
    assert narrate(RECORDS[0]) in done.stdout.decode()


def test_the_api_gives_the_result_of_a_record(client):
    for record, result in zip(LINES, RESULTS, strict=True):
        assert ask(client, record.encode()).json() == result
    assert ask(client, b"\xef\xbb\xbf" + LINES[0].encode()).json() == RESULTS[0]


def test_the_api_tells_the_match_if_asked(client):
    assert ask(client, LINES[0].encode(), "?explain=1").json()["account"] == narrate(RECORDS[0])


def test_anybody_may_ask_whoever_is_logged_in_with_any_page_open(client, anna):
    client.force_login(anna.user)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    assert strict.post(API, LINES[0].encode(), content_type="application/json").status_code == 200


def test_what_is_no_record_by_its_size_or_kind_is_refused(client):
    assert ask(client, b" " * (MAX_RECORD_BYTES + 1)).status_code == 413
    assert client.post(API, LINES[0].encode(), content_type="text/plain").status_code == 415
    assert client.get(API).status_code == 405
    file = SimpleUploadedFile("x.json", b" " * (MAX_RECORD_BYTES + 1))
    assert client.post(PAGE, {"file": file}).status_code == 400


def test_the_page_shows_result_and_account(client):
    page = drop_layout(client.post(PAGE, {"text": LINES[0]}).content.decode())
    assert read_element(page, "outcome-title")
    assert page.count('<details class="panel account">') == len(RECORDS[0]["deals"])
    assert "Settebello" in page


def test_the_page_marks_the_exact_place_of_a_fault(client):
    page = client.post(PAGE, {"text": with_move("0 play 3d x 9z").decode()}).content.decode()
    assert page.count("<mark>") == 1
    assert "<mark><code>0 play 3d x 9z</code></mark>" in page
    assert "smazzata 1, mossa 3" in page


def test_the_page_says_where_a_text_stops_being_json(client):
    page = client.post(PAGE, {"text": '{"verbale": 1,\n "players" 2}'}).content.decode()
    assert "riga 2, colonna 12" in page


def test_the_page_wants_a_text_or_a_file(client):
    assert client.get(PAGE).status_code == 200
    assert client.post(PAGE, {}).status_code == 400
    both = {"text": LINES[0], "file": SimpleUploadedFile("x.json", LINES[0].encode())}
    assert client.post(PAGE, both).status_code == 400


def test_nothing_is_stored(client):
    client.post(PAGE, {"text": LINES[0]})
    ask(client, LINES[0].encode())
    assert not Match.objects.exists()
    assert not client.session.keys()


def test_who_asks_too_often_has_to_wait(client):
    assert [client.post(PAGE, {}).status_code for _ in range(31)] == [400] * 30 + [429]
    assert [ask(client, b"x").status_code for _ in range(61)] == [200] * 60 + [429]
    assert client.get(PAGE).status_code == 200


# --- Gone through, deal by deal --------------------------------------------------------------------------------------


def replayed(client: Client, record: str, place: int = 1, query: str = "") -> str:
    answer = client.post(f"{PAGE}smazzate/{place}/{query}", {"text": record})
    assert answer.status_code == 200
    return drop_layout(answer.content.decode())


@pytest.mark.parametrize("record", [*RECORDS, read_golden("accusa-3-points")], ids=lambda record: record["ruleset"])
def test_a_record_that_was_sent_is_gone_through_deal_by_deal_and_stored_nowhere(client, record):
    text = json.dumps(record)
    checked = client.post(PAGE, {"text": text}).content.decode()
    for place, deal in enumerate(record["deals"], start=1):
        assert f'formaction="{PAGE}smazzate/{place}/"' in checked
        page = replayed(client, text, place)
        assert read_place(page) == (0, len(deal["moves"]))
        assert page.count('<li><button form="again" formaction="?mossa=') == len(deal["moves"]) + 1
        assert (f'formaction="{PAGE}smazzate/{place + 1}/"' in page) == (place < len(record["deals"]))
        assert (f'formaction="{PAGE}smazzate/{place - 1}/"' in page) == (place > 1)
        assert not re.search(r'<a[^>]*href="[^"]*mossa=', page), "no link could bring the record along"
    assert not Match.objects.exists()


def test_what_the_page_of_a_deal_sends_again_is_the_same_record(client):
    page = replayed(client, LINES[1], 1, "?posto=1&mossa=3")
    assert read_place(page)[0] == 3
    assert re.search(r'formaction="\?posto=1&amp;mossa=4"', page)
    assert re.search(rf'formaction="{PAGE}smazzate/2/\?posto=1"', page)
    assert re.search(r'data-seen-from="1" formaction="\?posto=1&amp;mossa=3" aria-current="true"', page)
    sent = re.search(r'name="text" value="([^"]*)"', page)
    assert sent is not None
    assert json.loads(html.unescape(sent[1])) == RECORDS[1]


@every_hostile
def test_a_hostile_record_has_no_deals_to_go_through(client, text):
    answer = client.post(f"{PAGE}smazzate/1/", {"text": text.decode("utf-8", "replace")})
    page = answer.content.decode()
    assert answer.status_code == 400 or 'id="fault-title"' in page
    assert "replay-data" not in page
    assert "<script>alert" not in page


def test_a_deal_that_the_record_has_not_is_answered_with_the_record(client):
    for place in (0, len(RECORDS[0]["deals"]) + 1):
        page = replayed(client, LINES[0], place)
        assert read_element(page, "outcome-title")
    assert client.get(f"{PAGE}smazzate/1/").status_code == 302
