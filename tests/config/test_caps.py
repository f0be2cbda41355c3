"""The page of the limits tells every cap; that each says what it counts is a law of tests/lint/values.py."""

from pathlib import Path

from players import caps

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_the_limits_tells_the_figures_at6() -> None:
    page = (ROOT / "docs/limits.md").read_text()
    rows = [value for value in vars(caps).values() if isinstance(value, tuple) and isinstance(value[0], caps.Cap)]
    assert rows
    assert {f"{cap.most:,}" for row in rows for cap in row if f"{cap.most:,}" not in page} == set()
