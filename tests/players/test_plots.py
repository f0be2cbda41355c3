"""Plots drawn on the server: shapes and letters, and nothing that a page's policy forbids."""

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from django.utils.translation import override

from players.plots import PlotSeries, draw_bar_plot, draw_line_plot


def test_a_plot_is_an_image_with_a_name_and_carries_no_style_script_or_id() -> None:
    scripts = "<script>alert(1)</script>"
    for draw in (draw_line_plot, draw_bar_plot):
        drawn = draw(
            title=f"Livelli {scripts}",
            about="Da 1500 a 1520 & oltre",
            labels=["gennaio", scripts, "marzo"],
            series=[PlotSeries("Scopa <b>", [1500, None, 1520.5]), PlotSeries("Tresette", [1, 2, 3])],
        )
        assert drawn.startswith('<svg class="plot" viewBox="0 0 440 240" role="img" aria-label="Livelli &lt;script&gt;')
        assert "<title>Livelli &lt;script&gt;" in drawn
        assert "<desc>Da 1500 a 1520 &amp; oltre</desc>" in drawn
        assert not re.search(r"<(?:script|style|defs|b)\b|\sid=|\sstyle=|\son\w+=|https?:|<!--", drawn)
        assert len(drawn) < 6000


def test_many_labels_are_not_written_on_each_other() -> None:
    names = [f"giorno {number}" for number in range(90)]
    drawn = draw_line_plot(title="A", about="B", labels=names, series=[PlotSeries("C", list(range(90)))])
    assert 4 <= drawn.count("giorno") <= 7


def test_labels_that_have_little_room_are_cut_and_the_last_stays_inside() -> None:
    names = [f"Nome assai lungo {number}" for number in range(5)]
    drawn = draw_bar_plot(title="A", about="B", labels=names, series=[PlotSeries("C", [1, 2, 3, 4, 5])])
    written = [(float(x), text) for x, text in re.findall(r'<text x="([\d.]+)" y="215">([^<]+)<', drawn)]
    assert len(written) == 5
    assert all(text.startswith("Nome") and len(text) <= 12 for _x, text in written)
    assert max(x + len(text) * 8.4 / 2 for x, text in written) <= 440


@pytest.mark.parametrize("values", [[], [None], [0], [5, 5], [0.25, 0.25], [-3, 4], [1e6, 0]])
def test_whatever_is_drawn_lies_in_the_field_above_round_figures(values: list[float | None]) -> None:
    for draw in (draw_line_plot, draw_bar_plot):
        drawn = draw(title="A", about="B", labels=["a"] * len(values), series=[PlotSeries("C", values)])
        heights = [float(y) for y in re.findall(r' (?:y|cy)="([\d.]+)"', drawn)]
        assert all(20 <= y <= 220 for y in heights)
        assert 2 <= drawn.count("guide line") <= 8
        assert drawn.count('class="dot"') + drawn.count('class="rect"') == sum(one is not None for one in values)


def test_fractions_are_written_as_the_reader_writes_them() -> None:
    for language, sign in (("it", ","), ("en", ".")):
        with override(language):
            drawn = draw_line_plot(title="A", about="B", labels=["a", "b"], series=[PlotSeries("C", [0.5, 2.5])])
        assert set(re.findall(r">\d+([,.])\d<", drawn)) == {sign}


STYLES = Path(__file__).resolve().parents[2] / "static" / "css"
Rgb = Sequence[float]  # 0 to 1, linear
# What each kind of eye makes of linear colours (Machado and others 2009, severity 1).
EYES = {
    "trichromat": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanope": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranope": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanope": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def multiply(matrix: Sequence[Sequence[float]], colour: Rgb) -> list[float]:
    return [min(1.1, max(0.0, sum(a * b for a, b in zip(row, colour, strict=True)))) for row in matrix]


def read_colours(sheet: str) -> dict[str, Rgb]:
    """Return the colours that a sheet names, linear."""
    named = re.findall(r"^  --([\w-]+): #([0-9a-f]{6});", (STYLES / sheet).read_text(), re.MULTILINE)
    values = {name: [int(text[at : at + 2], 16) / 255 for at in (0, 2, 4)] for name, text in named}
    return {
        name: [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
        for name, rgb in values.items()
    }


def measure_difference(one: Rgb, other: Rgb) -> float:
    """Return how different two colours look (CIE 1976 Lab)."""
    labs = []
    for colour in (one, other):
        shares = [part / white for part, white in zip(multiply(XYZ, colour), WHITE, strict=True)]
        x, y, z = (share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116 for share in shares)
        labs.append((116 * y - 16, 500 * (x - y), 200 * (y - z)))
    return sum((a - b) ** 2 for a, b in zip(*labs, strict=True)) ** 0.5


def measure_contrast(one: Rgb, other: Rgb) -> float:
    light, dark = sorted((multiply(XYZ, colour)[1] for colour in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sheet", ["tokens.css", "dark.css"])
@pytest.mark.parametrize("eye", EYES)
def test_series_are_told_apart_by_every_eye_by_day_and_by_night(sheet: str, eye: str) -> None:
    colours = read_colours(sheet)
    series = [multiply(EYES[eye], colours[f"plot-{number}"]) for number in range(3)]
    assert min(measure_difference(*pair) for pair in combinations(series, 2)) > 20
    assert min(measure_contrast(one, multiply(EYES[eye], colours["panel"])) for one in series) >= 3


def test_series_differ_in_their_pattern_too() -> None:
    text = (STYLES / "profiles.css").read_text()
    rules = dict(re.findall(r"^\.plot (rect\.color-\d|\.color-\d \.line) \{([^}]*)\}", text, re.MULTILINE))
    for kind in ("rect.color-{}", ".color-{} .line"):
        patterns = [re.sub(r"var\(--plot-\d\)", "", rules[kind.format(number)]) for number in range(3)]
        assert len(set(patterns)) == 3
