"""Hostile records: huge, deep, of wrong types, in other alphabets, cut off. Each gets an error; the batch goes on."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games import wording
from records.results import replay_text
from tests.games import naive_replay
from tests.support.records import run_replay

GOLDEN = Path(__file__).parent.parent / "games" / "golden"
NAMES = [
    "scopa-2-points", "asso-2-alone", "tresette-4-dichiarazioni", "a-perdere-4-dichiarazioni", "accusa-3-points",
    "classico-onori", "classico-segnali",
]  # fmt: skip


def golden(name: str) -> dict[str, Any]:
    return json.loads((GOLDEN / f"{name}.json").read_text())


RECORDS = [golden(name) for name in NAMES]
each_record = pytest.mark.parametrize("record", RECORDS, ids=NAMES)


def deep(depth: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(depth):
        nested = [nested]
    return nested


ODD: list[Any] = [
    None, True, False, 0, -1, 1, 1.0, 1.5, 10**30, -(10**30), 1e300, "", "x", "0", "tresette", "\x00", "\ud800",
    "٤", "４", "тресетте", "特雷塞特", "x" * 10_000, [], [[]], {}, {"": 0}, {"deals": 1}, {"points": 21}, [0] * 5_000,
    {str(number): number for number in range(2_000)}, deep(200), "\u202e3d", "3d\n3d", "__class__", "%s%n", "'; --",
]  # fmt: skip
MOVES: list[Any] = [
    *ODD, "0 play", "0 play ", "0  play 3d", "0 play 3d ", " 0 play 3d", "0\u00a0play 3d", "0\tplay\t3d",
    "0 play 3d\n", "٠ play 3d", "０ play 3d", "0 рlay 3d", "0 play 3ԁ", "0 play ３d", "0 play 3D", "0 PLAY 3d",
    "4 play 3d", "-1 play 3d", "00 play 3d", "0 play 3d x", "0 play 3d x 3d", "0 play 3d x 4d 4d", "0 play 3d y 4d",
    "0 play 3d x " + "4d " * 10_000, "0 accuso", "0 accuso ", "0 accuso 3х3", "0 accuso 3x3+", "0 accuso +",
    "0 accuso 3x3+3x3", "0 accuso " + "+".join(["3x3"] * 10_000), "0 accuso 5x3", "0 accuso napoletana:x",
    "0 accuso napoletana", "0 declare", "0 declare d", "0 declare ho", "0 declare x ho", "0 declare d ho ho",
    "0 declare đ ho", "0 declare d HO", "0 declare d per-te+per-te", "0 declare d busso+ho", "0 signal",
    "0 signal VOLO", "0 signal volo busso", "0 out 1", "0 buongioco 3x3", "0 redeal now", "0 collatondrione d",
    "0 noshow 0", "0 timeout 5", "0 clock " * 1_000,
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return every place in a record but the single moves, which are too many."""
    yield path
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list) and (not path or path[-1] != "moves"):
        for number, element in enumerate(value[:3]):
            yield from places(element, (*path, number))


def put(record: dict[str, Any], path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy with another value in one place."""
    if not path:
        return value
    record = copy.deepcopy(record)
    inside: Any = record
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return record


def check(text: bytes, *, refused: bool = True) -> dict[str, Any]:
    """Return the answer to a record's text; it never raises, and a refusal has its words."""
    answer = replay_text(text)
    json.dumps(answer)
    if refused:
        assert not answer["ok"], text[:300]
    if not answer["ok"]:
        assert set(answer) == {"ok", "deal", "move", "code", "error"}
        assert answer["error"]
        assert wording.describe_fault(answer["code"])
        for place in (answer["deal"], answer["move"]):
            assert place is None or type(place) is int
    return answer


def as_text(record: Any) -> bytes:
    return json.dumps(record).encode()


@each_record
def test_an_odd_value_in_any_place_is_an_error_at_the_place_the_naive_replayer_finds(record):
    for path in places({name: value for name, value in record.items() if name != "result"}):
        for odd in ODD:
            spoiled = put(record, path, odd)
            answer = check(as_text(spoiled), refused=False)
            expected = naive_replay.replay(json.loads(as_text(spoiled)))
            got = {name: answer[name] for name in ("ok", "deal", "move")} if not answer["ok"] else answer
            assert got == expected, (path, repr(odd)[:60])


@each_record
def test_an_odd_move_is_an_error_at_its_place(record):
    rng = random.Random(4)
    for odd in MOVES:
        deal = rng.randrange(len(record["deals"]))
        move = rng.randrange(len(record["deals"][deal]["moves"]) or 1)
        if not record["deals"][deal]["moves"]:
            continue
        answer = check(as_text(put(record, ("deals", deal, "moves", move), odd)))
        assert (answer["deal"], answer["move"]) == (deal, move), repr(odd)[:60]


@each_record
def test_an_unknown_field_is_an_error_wherever_it_stands(record):
    for path in [(), ("deals", 0), ("length",), ("options",)]:
        for name in ["x", "Deck", "", "__proto__", "opzioni", "verbale ", "ｄeck"]:
            answer = check(as_text(put(record, (*path, name), 1)))
            assert (answer["deal"], answer["move"]) == (None, None)


@each_record
def test_a_record_cut_off_anywhere_is_no_json(record):
    text = as_text(record)
    for end in [*range(1, 200), *range(200, len(text), 997), len(text) - 1]:
        assert check(text[:end])["code"] == "not_json"


def test_what_is_not_json_is_an_error_of_its_own():
    whole = as_text(RECORDS[0])
    odd = [
        whole.replace(b'"players": 2', b'"players": NaN'), whole.replace(b'"players": 2', b'"players": Infinity'),
        whole.replace(b'"players": 2', b'"players": -Infinity'), whole.replace(b'"players": 2', b'"players": 02'),
        whole.decode().encode("utf-16"), whole.decode().encode("utf-32"), whole + b"\xff", b"\xff" + whole,
        whole.replace(b'"', b"'"), whole + whole, whole + b"x", whole.replace(b"}", b""), whole.replace(b",", b",,"),
        b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000, b'{"deals":' * 50_000, b"9" * 100_000, b"\x00" * 1_000,
        b'{"about": ' + b'{"x": ' * 20_000 + b"1" + b"}" * 20_001,
    ]  # fmt: skip
    for text in odd:
        assert check(text)["code"] == "not_json", text[:80]


def test_a_huge_record_is_read_to_its_first_fault():
    record = golden("scopa-2-points")
    deal = record["deals"][0]
    many = {**record, "length": {"deals": 20}, "deals": [deal] * 3_000}
    assert not check(as_text(many))["ok"]
    long = put(record, ("deals", 0, "moves"), deal["moves"] * 3_000)
    assert (check(as_text(long))["deal"], check(as_text(long))["move"]) == (0, len(deal["moves"]))
    wide = put(record, ("deals", 0, "deck"), deal["deck"] + " " * 1_000_000)
    assert check(as_text(wide), refused=False)["ok"] is naive_replay.replay(wide)["ok"]
    assert check(as_text(put(record, ("deals", 0, "deck"), "7d " * 300_000)))["deal"] == 0


@pytest.mark.parametrize("arguments", [(), ("--explain",)])
def test_the_command_answers_each_and_goes_on_with_the_next(arguments):
    rng = random.Random(9)
    lines = []
    for record in RECORDS:
        for _ in range(12):
            path = rng.choice([path for path in places(record) if path and path[0] not in ("about", "result")])
            lines.append(as_text(put(record, path, rng.choice([None, "\ud800", deep(150), 10**30, "x" * 10_000]))))
        deal = next(number for number, deal in enumerate(record["deals"]) if deal["moves"])
        for odd in rng.sample(MOVES, 12):
            lines.append(as_text(put(record, ("deals", deal, "moves", 0), odd)))
        lines.append(as_text(record)[:-1])
        lines.append(as_text(record))
    done = run_replay(*arguments, stdin=b"\n".join(lines))
    assert b"Traceback" not in done.stderr
    assert done.returncode == 1
    if arguments:
        assert done.stdout.strip()
        return
    answer = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(answer) == len(lines)
    assert answer[25::26] == [record["result"] for record in RECORDS]
    assert [result["ok"] for result in answer].count(True) >= len(RECORDS)
    assert [result["ok"] for result in answer].count(False) >= 24 * len(RECORDS)
