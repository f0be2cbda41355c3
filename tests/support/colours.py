"""Colours of the sheets, what each kind of eye makes of them, and how far apart they are."""

import re
from collections.abc import Sequence
from pathlib import Path

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
