"""Tag by which a page is sent on (B6): a link to copy, the telephone's own way to share, WhatsApp, a QR code."""

from urllib.parse import quote

from django import template

from players.web.addresses import make_address
from players.web.live import PageContext
from players.web.qr import draw_qr

register = template.Library()

WHATSAPP = "https://wa.me/?text="


@register.inclusion_tag("players/_call.html", takes_context=True)
def call_link(context: PageContext, path: str, text: str, primary: bool = True) -> PageContext:
    """Show how others are called to the page at ``path``: a QR code to point a camera at, the telephone's own way to
    send it (without a script WhatsApp), and a copy; ``primary``: whether that is the main thing to do there."""
    address = make_address(context["request"], path)
    return {
        "address": address,
        "text": text,
        "primary": primary,
        "whatsapp": WHATSAPP + quote(f"{text} {address}"),
        "qr": draw_qr(address),
    }


@register.inclusion_tag("players/_share.html", takes_context=True)
def share_link(context: PageContext, path: str, text: str, name: str = "share", qr_page: str = "") -> PageContext:
    """Show every way to send on the page at ``path`` with the words ``text``; ``name`` tells several of one page apart,
    ``qr_page`` is the page of its QR code, where it has one."""
    address = path if path.startswith("http") else make_address(context["request"], path)
    return {
        "address": address,
        "text": text,
        "name": name,
        "whatsapp": WHATSAPP + quote(f"{text} {address}"),
        "qr": "" if qr_page else draw_qr(address),
        "qr_page": qr_page,
    }
