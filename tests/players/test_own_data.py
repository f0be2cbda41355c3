"""Export of all that the site keeps of a person: one ZIP of JSON, a file for each part, made while it is sent."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from players.models import Player
from players.services import own_data
from tests.support.archives import read_zip


@pytest.fixture(autouse=True)
def _parts_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_data, "_parts", {})


def test_each_part_is_a_file_of_rows(now: datetime) -> None:
    anna = Player(name="Anna")
    own_data.register_part("wishes", lambda player: [{"name": player.name, "at": now}, {"name": "è «»"}])
    own_data.register_part("nothing", lambda player: [])
    written = [{"name": "Anna", "at": now.isoformat()}, {"name": "è «»"}]
    assert read_zip(own_data.stream_archive(anna)) == {"nothing.json": [], "wishes.json": written}


def test_rows_are_sent_while_they_are_read() -> None:
    read: list[int] = []

    def list_many(_player: Player) -> Iterator[own_data.Row]:
        for number in range(20_000):
            read.append(number)
            yield {"number": number, "text": f"{hash((number, 'x')):x}" * 4}

    own_data.register_part("many", list_many)
    pieces = own_data.stream_archive(Player(name="Anna"))
    first = next(pieces)
    assert 0 < len(read) < 20_000
    [rows] = read_zip(iter([first, *pieces])).values()
    assert len(rows) == 20_000
