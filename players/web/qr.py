"""QR codes of addresses."""

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe


@lru_cache(maxsize=256)
def draw_qr(url: str) -> SafeString:
    """Draw the QR code of an address as SVG: dark on light in every theme, or no camera reads it."""
    drawn = segno.make_qr(url, error="m").svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr")
    return mark_safe(drawn)  # noqa: S308 (made of squares alone: the address is nowhere in it as text)
