"""The text of a page as a browser reads it: how its templates are laid out in lines is nobody's business."""

import re

BLOCKS = (
    "article|aside|body|button|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-4]|head|header|html|input"
    "|label|legend|li|link|main|meta|nav|ol|option|p|script|section|select|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
ROUND_BLOCK = re.compile(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?")
ROUND_CLASS = re.compile(r'class=" ?([^"]*?) ?"')


def drop_layout(html: str) -> str:
    """Return a page without the line breaks and spaces nobody sees: round blocks, inside tags and in their classes."""
    html = re.sub(r" (/?>)", r"\1", " ".join(html.split()))
    return ROUND_BLOCK.sub(r"\1", ROUND_CLASS.sub(r'class="\1"', html))
