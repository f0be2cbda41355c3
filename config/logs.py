"""The form of a line of the log: in production one JSON object with its time, level, logger and sentence.

It adds nothing to what is logged but a traceback, which has no values of variables in it: they may be hands. An address
that lets somebody in loses what does (AT10). Which logger may say what stands in the settings.
"""

import logging
import re

import structlog
from structlog.typing import EventDict

# Whoever has such an address may enter, read a calendar, answer for somebody, sit at the desk or take an account. The
# tests compare this with the routes, and with docs/deploy/nginx.conf.
SECRET_ADDRESS = re.compile(
    r"(/(?:tornei/[^/\s]+/(?:invito|coppia|iscrizione|banco)|calendario|avvisi/basta"
    r"|account/(?:confirm-email|password/reset/key))/)[^/\s\"'<>?]+"
)


def hide_secrets(text: str) -> str:
    """Return a text without the secrets of the addresses in it."""
    return SECRET_ADDRESS.sub(r"\1…", text)


class LineFormatter(logging.Formatter):
    """Formatter of plain lines, for a machine of one's own."""

    def format(self, record: logging.LogRecord) -> str:
        return hide_secrets(super().format(record))


def _hide_secrets_of_event(_logger: object, _method: str, event: EventDict) -> EventDict:
    return {name: hide_secrets(value) if isinstance(value, str) else value for name, value in event.items()}


def build_json_formatter() -> logging.Formatter:
    """Return a formatter for all loggers, whoever wrote them."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _hide_secrets_of_event,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )
