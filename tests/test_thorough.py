"""Soaks run what tries more there, and nothing that ``make test`` has tried as well."""

from pathlib import Path

import pytest

from tests.support.thorough import find_names

HEAD = "from tests.support.thorough import tries\nfrom tests.support.people import sign_in\n\n"


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("def test_one():\n    for seed in range(tries(2, 20)): pass", True),
        ("SEEDS = tries(2, 20)\n@pytest.mark.parametrize('seed', range(SEEDS))\ndef test_one(seed): pass", True),
        ("def draw_all():\n    return tries(2, 20)\ndef test_one():\n    draw_all()", True),
        ("@pytest.fixture\ndef fields():\n    return tries(2, 20)\ndef test_one(fields): pass", True),
        ("from tests.games.setups import TABLES\ndef test_one():\n    TABLES", True),
        ("SEEDS = tries(2, 20)\ndef test_one():\n    sign_in()", False),
    ],
    ids=["inside", "parameters", "helper", "fixture", "imported", "beside"],
)
def test_what_speaks_of_tries_is_found(tmp_path: Path, text: str, reached: bool) -> None:
    path = tmp_path / "test_some.py"
    path.write_text(HEAD + text)
    assert ("test_one" in find_names(path)) is reached
