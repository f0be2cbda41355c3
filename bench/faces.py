"""Faces of people, cut out of a deck's own figures: ``python -m bench.faces`` writes static/img/faces.svg anew.

Each is what a circle about a figure's head shows of its card, ``Fd`` to ``Rs``, and ``back`` a square out of the
middle of the back, for the house's players; each under its name in ``players.faces``. What lies outside is left out,
so that the file is a tenth of the deck's.
"""

import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

STATIC = Path(__file__).resolve().parents[1] / "static"
DECK, FACES = STATIC / "cards/napoletane.svg", STATIC / "img/faces.svg"
NAMESPACE = "http://www.w3.org/2000/svg"
TAG = f"{{{NAMESPACE}}}"
PIECE = re.compile(r"[ACHLMVZahl]|-?(?:\d+\.?\d*|\.\d+)")
STEP = re.compile(r"(\w+)\(([^)]*)\)")
SUBPATH = re.compile(r"M[^M]*")
ARGUMENTS = {"A": 7, "C": 6, "H": 1, "L": 2, "M": 2, "V": 1, "Z": 0, "a": 7, "h": 1, "l": 2}
PAPER = "#fffaf0"
TOP, RADIUS, BACK_SIDE = 9.0, 22.0, 44.0
MIDDLES = {"F": 50.0, "C": 55.0, "R": 50.0}  # of the heads, by rank
HEAD = 33.0

Matrix = tuple[float, float, float, float, float, float]
SAME: Matrix = (1, 0, 0, 1, 0, 0)


class Box(NamedTuple):
    """Rectangle that holds a shape."""

    left: float
    top: float
    right: float
    bottom: float


class Hole(NamedTuple):
    """Hole to look through: a circle, or the square about it."""

    x: float
    y: float
    radius: float
    square: bool = False

    def shows(self, box: Box) -> bool:
        """Tell whether anything in that box may be seen."""
        x = self.x - min(max(self.x, box.left), box.right)
        y = self.y - min(max(self.y, box.top), box.bottom)
        return max(abs(x), abs(y)) <= self.radius if self.square else math.hypot(x, y) <= self.radius

    @property
    def view(self) -> str:
        side = 2 * self.radius
        return " ".join(f"{number:g}" for number in (self.x - self.radius, self.y - self.radius, side, side))


def multiply(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def read_transform(text: str) -> Matrix:
    """Return the matrix of a transform of steps that the decks use."""
    matrix = SAME
    for kind, arguments in STEP.findall(text):
        numbers = [float(number) for number in re.split(r"[ ,]+", arguments.strip())]
        if kind == "translate":
            steps: list[Matrix] = [(1, 0, 0, 1, numbers[0], numbers[1] if len(numbers) > 1 else 0)]
        elif kind == "scale":
            steps = [(numbers[0], 0, 0, numbers[-1], 0, 0)]
        elif kind == "rotate":
            sine, cosine = math.sin(math.radians(numbers[0])), math.cos(math.radians(numbers[0]))
            x, y = numbers[1:] or (0.0, 0.0)
            steps = [(1, 0, 0, 1, x, y), (cosine, sine, -sine, cosine, 0, 0), (1, 0, 0, 1, -x, -y)]
        elif kind == "matrix":
            a, b, c, d, e, f = numbers
            steps = [(a, b, c, d, e, f)]
        else:
            raise ValueError(f"no deck has a {kind}")
        for step in steps:
            matrix = multiply(matrix, step)
    return matrix


def find_points(path: str) -> Iterator[tuple[float, float]]:
    """Yield points whose hull holds a path: ends, handles, and the corners of an arc's reach."""
    pieces = PIECE.findall(path)
    x = y = 0.0
    at = 0
    command = ""
    while at < len(pieces):
        if pieces[at].isalpha():
            command, at = pieces[at], at + 1
        count = ARGUMENTS[command]
        numbers = [float(piece) for piece in pieces[at : at + count]]
        at += count
        if command in "Hh":
            x = numbers[0] + (x if command == "h" else 0)
        elif command == "V":
            y = numbers[0]
        elif command == "C":
            yield from zip(numbers[:4:2], numbers[1:4:2], strict=True)
            x, y = numbers[4:]
        elif command in "MLAla":
            if command in "Aa":
                reach = max(numbers[:2])
                yield from ((x - reach, y - reach), (x + reach, y + reach))
            x, y = (numbers[-2] + x, numbers[-1] + y) if command in "al" else (numbers[-2], numbers[-1])
            if command in "Aa":
                yield from ((x - reach, y - reach), (x + reach, y + reach))
        yield x, y


def find_box(points: Iterator[tuple[float, float]], matrix: Matrix, margin: float) -> Box:
    a, b, c, d, e, f = matrix
    moved = [(a * x + c * y + e, b * x + d * y + f) for x, y in points]
    xs, ys = [x for x, _ in moved], [y for _, y in moved]
    return Box(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)


def find_corners(shape: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """Yield corners of a circle, an ellipse or a rectangle."""
    number = {name: float(shape.get(name, 0)) for name in ("cx", "cy", "r", "rx", "ry", "x", "y", "width", "height")}
    if shape.tag == f"{TAG}rect":
        yield from ((number["x"], number["y"]), (number["x"] + number["width"], number["y"] + number["height"]))
    else:
        wide, high = number["rx"] or number["r"], number["ry"] or number["r"]
        yield from ((number["cx"] - wide, number["cy"] - high), (number["cx"] + wide, number["cy"] + high))


class Cutter:
    """A deck's drawing, and what of it is seen through a hole."""

    def __init__(self, deck: ElementTree.Element) -> None:
        self.drawings = {str(element.get("id")): element for element in deck.iter() if element.get("id")}

    def cut(self, name: str, hole: Hole) -> ElementTree.Element:
        """Return the symbol of that name as seen through a hole: what it uses is in its place."""
        symbol = ElementTree.Element(f"{TAG}symbol", {"id": name_figure(name), "viewBox": hole.view})
        for child in self.drawings[name]:
            if child.get("href") != "#card":
                symbol.extend(self._see(child, SAME, hole))
        return symbol

    def _see(self, element: ElementTree.Element, above: Matrix, hole: Hole) -> list[ElementTree.Element]:
        matrix = multiply(above, read_transform(element.get("transform", "")))
        if element.tag in (f"{TAG}g", f"{TAG}use"):
            shapes = element if element.tag == f"{TAG}g" else self.drawings[element.get("href", "")[1:]]
            inside = [part for child in shapes for part in self._see(child, matrix, hole)]
            group = ElementTree.Element(f"{TAG}g", {key: said for key, said in element.items() if key != "href"})
            group.extend(inside)
            return [group] if inside else []
        margin = float(element.get("stroke-width", 1)) * math.hypot(*matrix[:2])
        if element.tag != f"{TAG}path":
            return [element] if hole.shows(find_box(find_corners(element), matrix, margin)) else []
        seen = [
            part
            for part in SUBPATH.findall(element.get("d", ""))
            if hole.shows(find_box(find_points(part), matrix, margin))
        ]
        return [ElementTree.Element(element.tag, {**element.attrib, "d": "".join(seen)})] if seen else []


def name_figure(name: str) -> str:
    """Return the id of a figure's drawing: its number in ``players.faces``, three of each suit."""
    rank, suit = name.removeprefix("f-")[:2]
    return name if name == "back" else f"figure-{3 * 'dcbs'.index(suit) + 'FCR'.index(rank) + 1}"


def draw_faces(deck: str) -> str:
    """Return the text of the file of faces, from that of a deck."""
    cutter = Cutter(ElementTree.fromstring(deck))
    # Those that are alike stand together: the file is sent in fewer bytes.
    symbols = [cutter.cut(f"f-{rank}{suit}", Hole(x, HEAD, RADIUS)) for rank, x in MIDDLES.items() for suit in "dcbs"]
    symbols.append(cutter.cut("back", Hole(50, 80, RADIUS, square=True)))
    ElementTree.register_namespace("", NAMESPACE)
    texts = [
        ElementTree.tostring(symbol, "unicode").replace(f' xmlns="{NAMESPACE}"', "").replace(" />", "/>")
        for symbol in symbols
    ]
    return "\n".join([f'<svg xmlns="{NAMESPACE}">', *texts, "</svg>", ""])


if __name__ == "__main__":
    FACES.write_text(draw_faces(DECK.read_text()))
    sys.stdout.write(f"{FACES.name}: {FACES.stat().st_size} bytes\n")
