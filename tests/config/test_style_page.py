"""Tokens: each is shown on the page of development, and their pairs are read by day and by night by every eye."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings

from config.style_page import read_tokens
from tests.support.colours import EYES, Rgb, measure_contrast, measure_difference, multiply, read_colours
from tests.support.html import read_attribute

pytestmark = pytest.mark.django_db

SHEETS = Path(settings.BASE_DIR) / "static/css"
SUITS = ("denari", "coppe", "bastoni", "spade")
GROUNDS = ("paper", "panel")


def read_night_and_day() -> dict[str, dict[str, Rgb]]:
    day = read_colours("tokens.css")
    return {"day": day, "night": {**day, **read_colours("dark.css")}}


COLOURS = read_night_and_day()


def test_the_page_is_there_in_development_alone(client: Client) -> None:
    assert client.get("/stile/").status_code == 404
    with override_settings(DEBUG=True):
        page = client.get("/stile/").content.decode()
    tokens = read_tokens((SHEETS / "tokens.css").read_text())
    assert read_attribute(page, "data-token") == [token.name for token in tokens]
    assert {token.name for token in tokens} > {"coin", "won", "lost", "type-result", "space-48", "hatch", "radius"}


@override_settings(DEBUG=True)
def test_the_page_is_shown_by_night_to_whoever_asks(client: Client) -> None:
    themes = [read_attribute(client.get(f"/stile/?tema={theme}").content.decode(), "data-theme")[0]
              for theme in ("dark", "light", "pink")]  # fmt: skip
    assert themes == ["dark", "light", "auto"]


@pytest.mark.parametrize("time", COLOURS)
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *((name, ground) for name in ("won", "lost") for ground in (*GROUNDS, f"{name}-soft")),
        *((name, f"{name}-soft") for name in SUITS),
        ("coin-ink", "coin"),
        ("coin-ink", "coin-hover"),
        ("felt-ink-soft", "felt"),
        ("ink-soft", "panel-sunk"),
        ("ink", "warn-soft"),
    ],
)
def test_text_is_read_on_its_ground(time: str, ink: str, ground: str) -> None:
    assert measure_contrast(COLOURS[time][ink], COLOURS[time][ground]) >= 4.5


@pytest.mark.parametrize("time", COLOURS)
@pytest.mark.parametrize(
    ("edge", "ground"),
    [
        *((name, ground) for name in ("won", "lost", "even", "line-strong") for ground in GROUNDS),
        ("felt-outline", "felt"),
        ("coin", "felt"),
        ("felt-focus", "felt"),
    ],
)
def test_edges_are_seen_on_their_ground(time: str, edge: str, ground: str) -> None:
    assert measure_contrast(COLOURS[time][edge], COLOURS[time][ground]) >= 3


@pytest.mark.parametrize("time", COLOURS)
@pytest.mark.parametrize("eye", EYES)
def test_won_lost_and_even_are_told_apart_by_every_eye(time: str, eye: str) -> None:
    colours = [multiply(EYES[eye], COLOURS[time][name]) for name in ("won", "lost", "even")]
    assert min(measure_difference(*pair) for pair in combinations(colours, 2)) > 20


def test_won_lost_and_even_differ_in_their_pattern_too() -> None:
    for sheet, kinds in (("dots", "dot-{}"), ("outcome", "bar-{}")):
        text = (SHEETS / f"components/{sheet}.css").read_text()
        grounds = [
            re.findall(rf"^\.{kinds.format(code)} {{[^}}]*background: ([^;]+);", text, re.MULTILINE)[-1]
            for code in ("lost", "won", "even")
        ]
        assert grounds[0] == "var(--hatch)"
        assert "--hatch" not in grounds[1]
        assert len(set(grounds)) == 3
    hatch = next(token for token in read_tokens((SHEETS / "tokens.css").read_text()) if token.name == "hatch")
    assert "135deg, var(--lost) 0 4px" in hatch.value
