"""Plots drawn on the server as SVG, by pygal: a line over time, bars side by side.

What a page may carry is left: no style, no script, no id, one image with a name and a description. Colours and letters
are those of the class ``plot`` in static/css/profiles.css. The figures stand in a table that the page draws beside it.
"""

import re
import sys
from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pygal
from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe
from pygal.graph.graph import Graph

# pygal's finder of its maps, which aren't installed, is older than how Python imports: each later import would warn.
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "PluginImportFixer"]

WIDTH, HEIGHT = 440, 240
MOST_LABELS = 6  # written under the axis; more would lie on each other
KEPT_ATTRIBUTES = frozenset({"class", "cx", "cy", "d", "height", "r", "rx", "ry", "transform", "width", "x", "y"})
LONG_FRACTION = re.compile(r"(\d+\.\d)\d+")
NAMESPACE = "http://www.w3.org/2000/svg"


class PlotSeries(NamedTuple):
    """Values of one thing under all labels; None where there is none."""

    name: str
    values: Sequence[float | None]


def draw_line_plot(*, title: str, about: str, labels: Sequence[str], series: Sequence[PlotSeries]) -> SafeString:
    """Draw each series as a line over the labels. ``about`` says in a sentence what is to be seen."""
    return _draw(pygal.Line(**_choose(labels, series), show_dots=len(labels) <= 60), title, about, labels, series)


def draw_bar_plot(*, title: str, about: str, labels: Sequence[str], series: Sequence[PlotSeries]) -> SafeString:
    """Draw each series as bars over the labels, side by side, from zero."""
    return _draw(pygal.Bar(**_choose(labels, series)), title, about, labels, series)


def _choose(labels: Sequence[str], series: Sequence[PlotSeries]) -> dict[str, object]:
    values = [value for one in series for value in one.values if value is not None]
    whole = not any(value % 1 for value in values)
    write = _write_whole if whole else _write_number
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "js": (),
        "css": (),
        "show_legend": len(series) > 1,
        "legend_at_bottom": True,
        "legend_at_bottom_columns": len(series),
        "disable_xml_declaration": True,
        "x_labels_major_count": min(MOST_LABELS, len(labels)),
        "show_minor_x_labels": len(labels) <= MOST_LABELS,
        "truncate_label": 12,
        "max_scale": 7,
        "formatter": write,
        "value_formatter": write,  # of the axis
        "order_min": 0 if whole else None,  # whole numbers have whole steps
    }


def _write_number(value: float) -> str:
    return number_format(value, 1)  # with the reader's comma, as in the table beside it


def _write_whole(value: float) -> str:
    return f"{value:.0f}"


def _draw(chart: Graph, title: str, about: str, labels: Sequence[str], series: Sequence[PlotSeries]) -> SafeString:
    chart.x_labels = list(labels)
    for one in series:
        chart.add(one.name, list(one.values))
    return _write_svg(chart.render_tree(), title, about)


def _write_svg(root: ET.Element, title: str, about: str) -> SafeString:
    """Write the drawing as a page takes it: a tree of shapes, whose attributes are those of the list."""
    _drop_foreign(root)
    root.attrib = {"class": "plot", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "aria-label": title}
    for place, (name, text) in enumerate((("title", title), ("desc", about))):
        child = ET.Element(name)
        child.text = text
        root.insert(place, child)
    for node in root.iter():
        node.tag = node.tag.removeprefix(f"{{{NAMESPACE}}}")
    text = ET.tostring(root, encoding="unicode", short_empty_elements=True)
    return mark_safe(text)  # noqa: S308 (ElementTree has escaped every text of it)


def _drop_foreign(node: ET.Element) -> None:
    """Drop what isn't a shape or a letter: styles, scripts, comments, tooltips, and what those read."""
    for child in list(node):
        if not isinstance(child.tag, str) or _is_foreign(child):
            node.remove(child)
            continue
        _drop_foreign(child)
        child.attrib = {
            name: LONG_FRACTION.sub(r"\1", value) for name, value in child.attrib.items() if name in KEPT_ATTRIBUTES
        }


def _is_foreign(node: ET.Element) -> bool:
    name = node.tag.rpartition("}")[2]
    return name in ("defs", "script", "style", "title", "desc") or "tooltip-overlay" in node.get("class", "")
