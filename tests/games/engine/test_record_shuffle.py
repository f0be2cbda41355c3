"""The ``shuffle`` of a record: what may stand in it, and what replaying it checks (J6)."""

import json
import subprocess
from pathlib import Path

import playwright
import pytest

from games.engine import match, record, shuffling
from games.engine.cards import NAMES
from games.engine.record import RecordError
from records.results import replay_record
from tests.games import naive_replay, naive_shuffling
from tests.support.records import narrate, read_golden
from tests.support.thorough import tries
from tests.support.waiting import PATIENCE

NODE = Path(playwright.__file__).parent / "driver" / "node"  # the browser tests bring their own
CHECK = Path(__file__).resolve().parents[3] / "docs" / "examples" / "check_deals.mjs"
SECRET, SCOPE, NONCES = bytes(range(32)), "abc123", ["0" * 32, ""]
pytestmark = pytest.mark.rule("J6")


def build(**changed: object) -> dict[str, object]:
    """Return a record whose only deal has just been dealt."""
    decks = [" ".join(naive_shuffling.shuffled(SECRET, SCOPE, NONCES, deal)) for deal in range(2)]
    shuffle = {
        "scheme": "smazzata-1", "scope": SCOPE, "commitment": naive_shuffling.commit(SCOPE, SECRET),
        "nonces": NONCES, "secret": SECRET.hex(), "dealer": "drawn",
    }  # fmt: skip
    return {
        "verbale": 1, "ruleset": "tresette", "players": 2, "length": {"deals": 2}, "context": "free", "first_dealer": 1,
        "deals": [{"deck": decks[0], "moves": []}], "shuffle": {**shuffle, **changed},
    }  # fmt: skip


def fault(entry: object) -> tuple[int | None, int | None, str]:
    with pytest.raises(RecordError) as refused:
        replay_record(entry)
    return refused.value.deal, refused.value.move, refused.value.code


def play_out(entry: dict[str, object]) -> dict[str, object]:
    """Return the record with its first deal played to the end, and the second dealt."""
    parsed = record.parse(entry)
    progress = match.deal(match.start(parsed.setup), record.read_deck(parsed, 0))
    moves = []
    while progress.deal is not None:
        moves.append(match.legal(progress)[0])
        progress = match.play(progress, moves[-1])
    second = " ".join(naive_shuffling.shuffled(SECRET, SCOPE, NONCES, 1))
    deals = [
        {"deck": entry["deals"][0]["deck"], "moves": [record.write_move(move) for move in moves]},
        {"deck": second, "moves": []},
    ]
    return {**entry, "deals": deals}


def test_a_record_whose_decks_come_from_its_secret_is_replayed_and_says_so():
    entry = play_out(build())
    assert replay_record(entry)["ok"]
    assert replay_record(entry) == naive_replay.replay(entry)
    assert "mazzi controllati" in narrate(entry)
    assert "mazzi controllati" not in narrate(read_golden("scopa-2-points"))


def test_another_deck_is_a_fault_of_its_deal():
    entry = play_out(build())
    entry["deals"][1]["deck"] = entry["deals"][0]["deck"]
    assert fault(entry) == (1, None, "shuffle_mismatch")
    assert "mazzi controllati" not in narrate(entry)
    assert fault(build(nonces=["", ""], dealer="given")) == (0, None, "shuffle_mismatch")


@pytest.mark.parametrize(
    "changed",
    [
        {"commitment": "0" * 64}, {"scope": "abc124"}, {"secret": "0" * 64},
    ],
)  # fmt: skip
def test_a_commitment_that_is_not_the_secrets_is_a_fault_of_the_header(changed):
    assert fault(build(**changed)) == (None, None, "shuffle_mismatch")


def test_the_dealer_is_checked_where_it_was_drawn_and_only_there():
    entry = {**build(), "first_dealer": 0}
    assert fault(entry) == (None, None, "shuffle_mismatch")
    assert replay_record({**entry, "shuffle": {**entry["shuffle"], "dealer": "given"}})["ok"]


UPPER = SECRET.hex().upper()


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"scheme": "smazzata-2"}, "unreadable_shuffle"), ({"scheme": None}, "wrong_type"),
        ({"scope": ""}, "unreadable_shuffle"), ({"scope": "a" * 65}, "unreadable_shuffle"),
        ({"scope": "a b"}, "unreadable_shuffle"), ({"scope": "abc123\n"}, "unreadable_shuffle"),
        ({"scope": "àbc"}, "unreadable_shuffle"), ({"scope": 123}, "wrong_type"),
        ({"secret": UPPER}, "unreadable_shuffle"), ({"secret": SECRET.hex()[1:]}, "unreadable_shuffle"),
        ({"secret": "٠" * 64}, "unreadable_shuffle"), ({"secret": None}, "wrong_type"),
        ({"commitment": ""}, "unreadable_shuffle"), ({"commitment": []}, "wrong_type"),
        ({"nonces": ","}, "wrong_type"), ({"nonces": None}, "wrong_type"), ({"nonces": [None, ""]}, "wrong_type"),
        ({"nonces": ["0" * 31, ""]}, "unreadable_shuffle"), ({"nonces": ["F" * 32, ""]}, "unreadable_shuffle"),
        ({"nonces": ["0" * 32 + "\n", ""]}, "unreadable_shuffle"),
        ({"dealer": "lot"}, "unreadable_shuffle"), ({"dealer": 1}, "wrong_type"),
        ({"more": 1}, "unknown_field"),
    ],
)  # fmt: skip
def test_anything_else_is_a_fault_of_the_header(changed, code):
    entry = build(**changed)
    assert fault(entry) == (None, None, code)
    assert naive_replay.replay(entry) == {"ok": False, "deal": None, "move": None}


@pytest.mark.parametrize("name", ["scheme", "scope", "commitment", "nonces", "secret", "dealer"])
def test_each_field_is_required(name):
    entry = build()
    del entry["shuffle"][name]
    assert fault(entry) == (None, None, "missing_field")


@pytest.mark.parametrize("value", [None, 1, "smazzata-1", [], True])
def test_it_is_an_object(value):
    assert fault({**build(), "shuffle": value}) == (None, None, "wrong_type")


def test_what_is_dumped_is_read_again():
    entry = play_out(build())
    parsed = record.parse(entry)
    deals = [(record.read_deck(parsed, number), deal.moves) for number, deal in enumerate(parsed.deals)]
    dumped = record.dump(parsed.setup, deals, shuffle=parsed.shuffle)
    assert dumped["shuffle"] == entry["shuffle"]
    assert record.parse(json.loads(json.dumps(dumped))) == parsed


@pytest.mark.rule("J7")
def test_the_program_in_the_docs_compares_a_receipt_deal_by_deal(tmp_path):
    entry = play_out(build())
    seat, _play, card = str(entry["deals"][0]["moves"][-1]).split(" ")[:3]
    receipt = {
        "scope": SCOPE, "commitment": naive_shuffling.commit(SCOPE, SECRET), "nonce": NONCES[0], "nonces": NONCES,
        "place": 0,
    }  # fmt: skip

    def check(record: object, **seen: list[str]) -> int:
        (tmp_path / "record.json").write_text(json.dumps(record))
        deals = {number[1:]: {"hand": [], "played": played} for number, played in seen.items()}
        (tmp_path / "receipt.json").write_text(json.dumps({**receipt, "deals": deals}))
        run = [NODE, CHECK, tmp_path / "record.json", tmp_path / "receipt.json"]
        return subprocess.run(run, capture_output=True, check=False, timeout=PATIENCE).returncode

    assert check(entry, _1=[f"{seat} {card}"]) == 0
    assert check(entry, _1=[f"{1 - int(seat)} {card}"]) == 1, "the other one played it"
    assert check(entry, _2=[f"{seat} {card}"]) == 1, "in another deal"
    assert check({**entry, "shuffle": None}) == 1


@pytest.mark.rule("J3", "J8")
def test_the_program_in_the_docs_and_the_product_shuffle_alike(tmp_path):
    count = tries(1_000, 10_000)
    decks = [shuffling.shuffle_deck(SECRET, SCOPE, NONCES, deal) for deal in range(count)]
    deals = [{"deck": " ".join(NAMES[card] for card in deck), "moves": []} for deck in decks]

    def check(deals: list[dict[str, object]]) -> tuple[int, str]:
        (tmp_path / "record.json").write_text(json.dumps({**build(), "deals": deals}))
        run = [NODE, CHECK, tmp_path / "record.json"]
        done = subprocess.run(run, capture_output=True, check=False, timeout=PATIENCE, text=True)
        return done.returncode, done.stdout.strip()

    assert check(deals) == (0, f"{count} decks checked: all come from the secret.")
    deals[7], deals[8] = deals[8], deals[7]
    assert check(deals) == (1, "deck 7 is another\ndeck 8 is another")
