"""docs/protocol.md and the types of the client say what the server sends, no more and no less."""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from games import table_views, wording
from games.engine.game import Length
from players.models import Player
from players.wording import describe_frame_error
from tests.support.tables import again, play, seated

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/protocol.md").read_text()
TYPES = (ROOT / "static/js/table/types.js").read_text()


def shape(value: Any, path: str = "") -> set[str]:
    """Every place in a JSON value that has a name: ``seats[].house``."""
    if isinstance(value, dict):
        return {f"{path}.{name}" for name in value}.union(*(shape(part, f"{path}.{n}") for n, part in value.items()))
    if isinstance(value, list):
        return set().union(*(shape(part, f"{path}[]") for part in value))
    return set()


@pytest.fixture
def frame(db: None, anna: Player, bruno: Player, now: datetime) -> dict[str, Any]:
    """A view in the middle of a second deal, after a capture, for the seat to move."""
    match = seated([anna, bruno], now, length=Length("points", 101))
    while (view := table_views.build_table_view(match, None, now))["previous"] is None or view["last"] is None:
        play(match, now)
    return table_views.build_table_view(again(match), again(match).turn_seat, now)


def test_the_example_has_the_fields_of_a_real_view(frame: dict[str, Any]) -> None:
    example = json.loads(PAGE.partition("### The view")[2].partition("```json")[2].partition("```")[0])
    lately = (".last", ".previous.last")  # in the example one is there, in the real one both are
    assert {path for path in shape(example) if not path.startswith(lately)} == {
        path for path in shape(frame) if not path.startswith(lately)
    }
    assert set(example["last"]) == set(frame["last"]) == set(frame["previous"]["last"])


def test_the_clients_types_name_the_fields_of_a_real_view(frame: dict[str, Any]) -> None:
    named = re.findall(r"@property \{.+\} (\w+)", TYPES.partition("@typedef {object} View")[2])
    assert {*named, "t"} == set(frame)


def test_the_page_lists_every_code_a_refused_frame_can_have_and_no_other() -> None:
    rows = [line for line in PAGE.partition("## Codes")[2].partition("## Closing")[0].splitlines() if line[:2] == "| "]
    listed = {code for row in rows for code in re.findall(r"`([a-z_]+)`", row.split("|")[1])}
    ours = set(wording.REFUSALS) - {"seat_taken"} | set(
        wording.ILLEGAL_MOVES
    )  # that one is said when a table is opened
    assert ours <= listed
    assert {
        code for code in listed - ours if describe_frame_error(code) == describe_frame_error("no such code")
    } == set()
