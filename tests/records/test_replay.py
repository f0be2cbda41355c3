"""``manage.py replay``: records in, results out, one a line; faults in the middle; odd input of every kind."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.records import GOLDEN, LINES, RECORDS, RESULTS, read_golden, run_replay

MANAGE = Path(__file__).parent.parent.parent / "manage.py"


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    assert b"Traceback" not in done.stderr
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


NOT_JSON = {"ok": False, "deal": None, "move": None, "code": "not_json"}


def without_words(answer: dict[str, object]) -> dict[str, object]:
    assert answer["ok"] or (isinstance(answer["error"], str) and answer["error"])
    return {name: value for name, value in answer.items() if name != "error"}


@pytest.mark.soak
def test_the_program_itself_reads_records_and_writes_results():
    done = subprocess.run([sys.executable, str(MANAGE), "replay"], input="\n".join(LINES).encode(), capture_output=True)
    assert answers(done) == RESULTS
    assert done.returncode == 0


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_records_on_standard_input_give_one_result_each_in_order(arguments):
    done = run_replay(*arguments, stdin="\n".join(LINES))
    assert answers(done) == RESULTS
    assert done.returncode == 0


def test_records_in_several_files_are_replayed_one_file_after_the_other(tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.json"
    first.write_text(LINES[0] + "\n" + LINES[1] + "\n")
    second.write_text(json.dumps(RECORDS[2], indent=4))
    done = run_replay(str(first), str(second))
    assert answers(done) == RESULTS
    assert done.returncode == 0


def test_a_file_may_hold_one_object_over_several_lines():
    path = GOLDEN / "tresette-2-noshow.json"
    expected = [json.loads(path.read_text())["result"]]
    assert answers(run_replay(str(path))) == answers(run_replay(stdin=path.read_bytes())) == expected


def test_a_record_that_cannot_be_replayed_says_where_and_the_others_are_replayed_still():
    spoiled = read_golden("scopa-2-points")
    spoiled["deals"][1]["moves"][7] = "0 play 8d"
    done = run_replay(stdin="\n".join([LINES[0], json.dumps(spoiled), "{nonsense", "", "  ", LINES[1]]))
    results = [without_words(answer) for answer in answers(done)]
    fault = {"ok": False, "deal": 1, "move": 7, "code": "unreadable_move"}
    assert results == [RESULTS[0], fault, NOT_JSON, RESULTS[1]]
    assert done.returncode == 1


def test_a_line_that_is_not_json_is_an_error_of_its_own_wherever_it_stands():
    odd = [
        b"nonsense", b"{", b"\xff\xfe{}", b"{} {}", b'{"verbale": NaN}', b"[" * 100_000, b'{"a":' * 5_000,
        b'{"players": ' + b"9" * 10_000 + b"}", b"'", b"\x00",
    ]  # fmt: skip
    done = run_replay(stdin=b"\n".join(line for odd_line in odd for line in (odd_line, LINES[0].encode())))
    assert [without_words(answer) for answer in answers(done)] == [NOT_JSON, RESULTS[0]] * len(odd)
    assert done.returncode == 1


def test_json_that_is_no_record_is_a_fault_of_the_header():
    odd = ["null", "7", '"x"', "[]", "{}", '{"verbale": 1}', '"\\ud800"', '{"\\ud800": 1}']
    results = answers(run_replay(stdin="\n".join(line for odd_line in odd for line in (odd_line, LINES[0]))))
    assert [(answer["ok"], answer["deal"], answer["move"]) for answer in results[::2]] == [(False, None, None)] * len(
        odd
    )
    assert results[1::2] == RESULTS[:1] * len(odd)


def test_a_deep_about_is_ignored_like_any_other():
    deep: dict[str, object] = {}
    for _ in range(300):
        deep = {"in": deep}
    assert answers(run_replay(stdin=json.dumps({**RECORDS[0], "about": deep}))) == RESULTS[:1]


def test_an_empty_input_gives_nothing_and_is_no_error():
    done = run_replay(stdin="\n\n")
    assert (done.stdout, done.returncode) == (b"", 0)


def test_a_byte_order_mark_is_passed_over():
    assert answers(run_replay(stdin="\ufeff" + LINES[0])) == RESULTS[:1]


@pytest.mark.parametrize(("name", "reason"), [("missing.jsonl", "il file non c'è"), (".", "è una cartella")])
def test_a_file_that_cannot_be_read_is_said_in_one_sentence(tmp_path, name, reason):
    done = run_replay(str(tmp_path / name))
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.decode().count("\n") == 1
    assert reason in done.stderr.decode()


def test_the_program_answers_a_reader_who_has_had_enough_and_ends_without_a_traceback():
    command = f"{sys.executable} {MANAGE} replay | head -n {len(LINES)}"
    lines = "\n".join([*LINES, *[LINES[0]] * 3000])
    done = subprocess.run(command, shell=True, input=lines.encode(), capture_output=True)
    assert answers(done) == RESULTS
    assert done.stderr == b""


@pytest.mark.rule("V5")
def test_v5_a_forfeit_in_a_girone_has_its_vp_and_a_ko_has_none():
    names = ["tresette-2-noshow", "tresette-4-offender-ahead", "scopa-2-tie-break-1"]
    results = answers(run_replay(stdin="\n".join(json.dumps(read_golden(name)) for name in names)))
    assert [(answer["mp"], answer["vp"]) for answer in results] == [
        ([-24, 8], [0, 14]), ([-27, 10], [0, 14]), (None, None),
    ]  # fmt: skip


@pytest.mark.rule("V6")
def test_v6_what_a_stake_is_settled_on_is_the_ordinary_result_of_a_forfeit_and_not_its_vp():
    ahead = read_golden("tresette-4-offender-ahead")
    results = answers(run_replay(stdin=json.dumps({**ahead, "context": "free"})))[0]
    assert (results["vp"], results["mp"]) == ([0, 14], [-27, 10])
    assert (results["margin"], results["stakes"]) == (0, [0, 1])
    assert max(results["score"]) == results["score"][0]
