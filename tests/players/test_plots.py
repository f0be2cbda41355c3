"""Plots drawn on the server: shapes and letters, and nothing that a page's policy forbids."""

import re

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


def test_fractions_are_written_as_the_reader_writes_them() -> None:
    for language, sign in (("it", ","), ("en", ".")):
        with override(language):
            drawn = draw_line_plot(title="A", about="B", labels=["a", "b"], series=[PlotSeries("C", [0.5, 2.5])])
        assert set(re.findall(r">\d+([,.])\d<", drawn)) == {sign}
