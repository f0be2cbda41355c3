"""The quick reading of a move beside the strict parser: what it takes, it takes as the parser does (AT1)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.realtime import protocol
from games.realtime.protocol import MAX_MOVE_CHARACTERS, MoveFrame
from players.realtime.frames import FrameError, parse
from tests.support.sockets import HOSTILE_FRAMES

FIELDS = {"v": 12, "move": "play 7c x 4d 3s", "id": "0f0e4a4e-6f3c-4b3e-9d3a-9c7d7f0f1a2b"}


def parse_strictly(text: str) -> object:
    try:
        return protocol.parse_frame(parse(text))
    except FrameError as error:
        return error.code


@pytest.mark.parametrize("names", [("v", "move", "id"), ("id", "v", "move")])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_a_move_of_our_own_page_needs_no_parser(names: tuple[str, ...], separators: tuple[str, str]) -> None:
    text = json.dumps({"t": "move", **{name: FIELDS[name] for name in names}}, separators=separators)
    assert protocol.read_move(text) == MoveFrame(str(FIELDS["id"]), 12, "play 7c x 4d 3s")


@pytest.mark.parametrize(
    "text",
    [
        '{"t":"move","v":1,"v":2,"move":"play 7d","id":"a"}',
        '{"t":"move","v":1,"move":"play 7d","id":"a","with":[]}',
        '{"t":"move","v":1,"move":"play 7d","id":"a","seat":0}',
        '{"t":"move","v":01,"move":"play 7d","id":"a"}',
        '{"t":"move","v":-1,"move":"play 7d","id":"a"}',
        '{"t":"move","v":1.0,"move":"play 7d","id":"a"}',
        '{"t":"move","v":9999999999999999,"move":"play 7d","id":"a"}',
        '{"t":"move","v":1,"move":"","id":"a"}',
        '{"t":"move","v":1,"move":"play\\n7d","id":"a"}',
        '{"t":"move","v":1,"move":"pl\\u0061y 7d","id":"a"}',
        '{"t":"move","v":1,"move":"play 7d","id":""}',
        '{"t":"move","v":1,"move":"play 7d","id":"' + "a" * 37 + '"}',
        '{"t":"move","v":1,"move":"' + "a" * (MAX_MOVE_CHARACTERS + 1) + '","id":"a"}',
        '{"t":"move","v":1,"move":"play è","id":"a"}',
        '{"t":"move","v":1,"move":"play 7d","id":"a"} ',
        '{"t":"chat","v":1,"move":"play 7d","id":"a"}',
        *(text for text, _ in HOSTILE_FRAMES),
    ],
)
def test_whatever_is_not_beyond_doubt_is_left_to_the_strict_parser(text: str) -> None:
    assert protocol.read_move(text) is None


VALUES = st.one_of(st.integers(-2, 2**60), st.text(max_size=90), st.sampled_from(["play 7d", "a", 1, True, None, []]))


@given(st.lists(st.tuples(st.sampled_from(["t", "id", "v", "move", "with", "x"]), VALUES), max_size=5), st.booleans())
def test_what_is_read_quickly_the_parser_reads_alike(fields: list[tuple[str, Any]], raw: bool) -> None:
    inner = ",".join(f"{json.dumps(name)}:{json.dumps(value, ensure_ascii=not raw)}" for name, value in fields)
    for text in (f"{{{inner}}}", f'{{"t":"move",{inner}}}'):
        move = protocol.read_move(text)
        assert move is None or move == parse_strictly(text)


@given(st.integers(0, 10**15 - 1), st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=36))
def test_a_move_with_any_texts_is_read_alike_or_not_at_all(version: int, move: str, client_id: str) -> None:
    for fields in ({"v": version, "move": move, "id": client_id}, {"id": client_id, "v": version, "move": move}):
        for ascii_only in (True, False):
            text = json.dumps({"t": "move", **fields}, ensure_ascii=ascii_only, separators=(",", ":"))
            quickly = protocol.read_move(text)
            assert quickly is None or quickly == parse_strictly(text)
