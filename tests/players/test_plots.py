"""Plots drawn on the server: shapes and letters, and nothing that a page's policy forbids."""

import re
from itertools import combinations

import pytest
from django.utils.translation import override

from players.plots import PlotSeries, draw_bar_plot, draw_line_plot
from tests.support.colours import EYES, STYLES, measure_contrast, measure_difference, multiply, read_colours


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
