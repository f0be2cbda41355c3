"""Bodies of programs as they are read: JSON that is text throughout, no longer than its limit and no deeper than
Python goes."""

from io import BytesIO
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser, JSONParser

from players import caps
from players.clean_text import dump_text


class BodyTooLong(APIException):
    """Refusal of a body that is longer than may be sent; ``values``: limit, in bytes."""

    status_code = 413
    default_code = "too_long"

    def __init__(self, limit: int) -> None:
        super().__init__(_("Troppo lungo: al massimo %(limit)s.") % {"limit": f"{limit // 1024 // 1024} MB"})
        self.values = {"limit": limit}


class WholeTextParser(BaseParser):
    """JSON, names and values of whole characters alone: half of one can be neither stored nor answered.

    No more of a body is read than ``API_BODY_BYTES``, or than its view says as ``body_bytes``. Before Django REST
    framework's own JSON parser Django would read all of it, and refuse what is long with a page.
    """

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        most = getattr((parser_context or {}).get("view"), "body_bytes", caps.API_BODY_BYTES)
        data = stream.read(most + 1)
        if len(data) > most:
            raise BodyTooLong(most)
        try:
            body = JSONParser().parse(BytesIO(data), media_type, parser_context)
            dump_text(body)
        except (RecursionError, UnicodeEncodeError):
            raise ParseError from None
        return body
