"""Bodies of programs as they are read: JSON that is text throughout, and no deeper than Python goes."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from players.clean_text import dump_text


class WholeTextParser(JSONParser):
    """JSON, names and values of whole characters alone: half of one can be neither stored nor answered."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            body = super().parse(stream, media_type, parser_context)
            dump_text(body)
        except (RecursionError, UnicodeEncodeError):
            raise ParseError from None
        return body
