"""The form of a line of the log in production: one JSON object with its time, level, logger and sentence.

It adds nothing to what is logged but a traceback, which has no values of variables in it: they may be hands. Which
logger may say what stands in the settings.
"""

import logging

import structlog


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
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )
