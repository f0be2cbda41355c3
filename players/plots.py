"""Plots drawn on the server as SVG: a line over time, bars side by side.

Shapes and letters in one image with a name and a description; colours and letters are those of the class ``plot`` in
static/css/profiles.css. The figures stand in a table that the page draws beside it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.text import Truncator

WIDTH, HEIGHT = 440, 240
TOP, RIGHT, BOTTOM = 20, 420, 200  # edges of the field, where no legend takes of it
LEGEND = 24  # its height
LETTER = 8.4  # width of one at most, on a telephone
MARGIN = 7  # between the field's sides and the ends of a line
MOST_LABELS = 6  # written under the axis; more would lie on each other
MOST_LETTERS = 12  # of a label
MOST_TICKS = 7
MOST_DOTS = 60  # more would hide their line
BARS = 0.8  # of the room of a label


class PlotSeries(NamedTuple):
    """Values of one thing under all labels; None where there is none."""

    name: str
    values: Sequence[float | None]


class Scale(NamedTuple):
    """Values up the field, from ``low`` at its bottom to ``high`` at its top, and the step between marked ones."""

    low: float
    high: float
    step: float
    bottom: float

    def place(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - TOP)

    def list_ticks(self) -> list[float]:
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [number * self.step for number in range(first, last + 1)]


Place = Callable[[int, int, float], float]  # of a label by its number, how many there are, and the field's left edge
Shapes = Iterator[dict[str, Any]]  # of each series


def draw_line_plot(*, title: str, about: str, labels: Sequence[str], series: Sequence[PlotSeries]) -> SafeString:
    """Draw each series as a line over the labels. ``about`` says in a sentence what is to be seen."""

    def draw(scale: Scale, left: float) -> Shapes:
        for one in series:
            points = [
                (write_place(place_label(index, len(labels), left)), write_place(scale.place(value)))
                for index, value in enumerate(one.values)
                if value is not None
            ]
            yield {
                "line": "M" + " L".join(map(" ".join, points)) if points else "",
                "dots": points if len(labels) <= MOST_DOTS else (),
            }

    return _draw(title, about, labels, series, draw, place_label)


def draw_bar_plot(*, title: str, about: str, labels: Sequence[str], series: Sequence[PlotSeries]) -> SafeString:
    """Draw each series as bars over the labels, side by side, from zero."""

    def draw(scale: Scale, left: float) -> Shapes:
        width = (RIGHT - left) / max(1, len(labels)) * BARS / len(series)
        for number, one in enumerate(series):
            aside = (number - len(series) / 2) * width
            bars = [
                (place_bars(index, len(labels), left) + aside, *sorted((scale.place(0), scale.place(value))))
                for index, value in enumerate(one.values)
                if value is not None
            ]
            yield {"bars": [tuple(map(write_place, (x, top, width, foot - top))) for x, top, foot in bars]}

    return _draw(title, about, labels, series, draw, place_bars, from_zero=True)


def place_label(index: int, count: int, left: float) -> float:
    """Return where a label of so many stands under a line: the first and the last near the sides of the field."""
    if count == 1:
        return (left + RIGHT) / 2
    return left + MARGIN + index * (RIGHT - left - 2 * MARGIN) / (count - 1)


def place_bars(index: int, count: int, left: float) -> float:
    """Return where a label of so many stands under its bars: in the middle of its room."""
    return left + (index + 0.5) * (RIGHT - left) / count


def choose_scale(values: Sequence[float], bottom: float) -> Scale:
    """Return a scale with all the values, and round steps; whole numbers have whole steps."""
    low, high = min(values, default=0), max(values, default=0)
    if low == high:
        low, high = low - 1 if low else 0, high + 1
    rough = (high - low) / (MOST_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(nice * power for nice in (1, 2, 5, 10) if nice * power >= rough * (1 - 1e-9))
    return Scale(low, high, max(step, 1 if is_whole(values) else 0.1), bottom)


def is_whole(values: Sequence[float]) -> bool:
    return not any(value % 1 for value in values)


def write_place(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def choose_labels(labels: Sequence[str], left: float, place: Place) -> Iterator[tuple[str, str]]:
    """Yield the labels that are written, each with its place: at even distances, the last one always."""
    step = 1 if len(labels) <= MOST_LABELS else math.ceil((len(labels) - 1) / (MOST_LABELS - 1))
    letters = int((RIGHT - left) / LETTER * step / max(1, len(labels)))
    for index in range(len(labels) - 1, -1, -step):
        text = Truncator(labels[index]).chars(min(MOST_LETTERS, letters))
        yield write_place(min(place(index, len(labels), left), WIDTH - len(text) * LETTER / 2)), text


def name_colours(series: Sequence[PlotSeries], left: float) -> Iterator[tuple[str, str, str]]:
    """Yield where the square of each series stands, where its name does, and the name; nothing for one alone."""
    width = (RIGHT - left) / max(1, len(series))
    for number, one in enumerate(series if len(series) > 1 else ()):
        x = left + number * width
        yield write_place(x), write_place(x + 17), Truncator(one.name).chars(int((width - 17) / LETTER))


def _draw(
    title: str,
    about: str,
    labels: Sequence[str],
    series: Sequence[PlotSeries],
    draw: Callable[[Scale, float], Shapes],
    place: Place,
    *,
    from_zero: bool = False,
) -> SafeString:
    values = [value for one in series for value in one.values if value is not None]
    bottom = BOTTOM - LEGEND if len(series) > 1 else BOTTOM
    scale = choose_scale([*values, 0] if from_zero else values, bottom)
    ticks = [(scale.place(value), number_format(value, 0 if is_whole(values) else 1)) for value in scale.list_ticks()]
    left = 16 + LETTER * max((len(text) for _y, text in ticks), default=0)
    context = {
        "title": title,
        "about": about,
        "left": write_place(left),
        "right": RIGHT,
        "bottom": bottom,
        "ticks": [(write_place(y), write_place(y + 3.5), text) for y, text in ticks],
        "beside_axis": write_place(left - 5),
        "labels": list(choose_labels(labels, left, place)),
        "below_axis": bottom + 15,
        "series": list(draw(scale, left)),
        "legend": list(name_colours(series, left)),
    }
    return render_to_string("players/_plot.html", context)
