"""The strict parser of everything a browser sends."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.realtime.frames import FrameError, dump, parse, read_frame_id
from tests.support.sockets import HOSTILE_FRAMES


@pytest.mark.parametrize(("text", "code"), HOSTILE_FRAMES)
def test_a_hostile_frame_is_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        parse(text)
    assert refused.value.code in {code, "malformed"} if text.startswith("[" * 9) else refused.value.code == code


def test_bytes_are_no_frame() -> None:
    with pytest.raises(FrameError) as refused:
        parse(None, b'{"t":"a"}')
    assert refused.value.code == "binary"


@given(st.text())
def test_whatever_is_sent_is_a_frame_or_a_refusal(text: str) -> None:
    with suppress(FrameError):
        assert isinstance(parse(text)["t"], str)


@given(
    st.dictionaries(
        st.text("abcdefg", min_size=1), st.one_of(st.integers(-1000, 1000), st.booleans(), st.none()), max_size=5
    )
)
def test_an_honest_frame_comes_through_unchanged(values: dict[str, object]) -> None:
    frame = {**values, "t": "move"}
    assert parse(json.dumps(frame)) == frame
    assert parse(dump(frame).decode()) == frame


@pytest.mark.parametrize(
    ("value", "identifier"), [("abc", "abc"), ("", None), ("x" * 37, None), (3, None), (None, None)]
)
def test_only_a_short_text_is_an_id(value: object, identifier: str | None) -> None:
    assert read_frame_id({"t": "a", "id": value}) == identifier
