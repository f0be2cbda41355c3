"""The log of production: JSON, one line an event, and no values of variables in it."""

import io
import json
import logging
import logging.config
from pathlib import Path
from typing import Any

import pytest

from tests.support.production import configured

HAND = ["Ad", "7c"]


@pytest.fixture
def production_log(tmp_path: Path) -> tuple[logging.Logger, io.StringIO]:
    """Return a logger that writes as production's do, and what it wrote."""
    _, settings = configured(tmp_path)
    name = settings.LOGGING["handlers"]["console"]["formatter"]
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(build(settings.LOGGING["formatters"][name]))
    logger = logging.Logger("games.sweep")
    logger.addHandler(handler)
    return logger, written


def build(formatter: dict[str, Any]) -> logging.Formatter:
    return logging.config.DictConfigurator({"version": 1}).configure_formatter(formatter)  # type: ignore[return-value]


def test_a_line_is_an_object_with_its_time_level_logger_and_sentence(production_log: Any) -> None:
    logger, written = production_log
    logger.warning("due work failed: %s %d", "turns\nforged", 7, extra={"request": "never shown"})
    (line,) = written.getvalue().splitlines()
    event = json.loads(line)
    assert event.pop("timestamp").endswith("Z")
    assert event == {"level": "warning", "logger": "games.sweep", "event": "due work failed: turns\nforged 7"}


def test_a_traceback_has_no_values_of_variables(production_log: Any) -> None:
    logger, written = production_log

    def fail(hand: list[str]) -> None:
        raise RuntimeError("without a card")

    try:
        fail(HAND)
    except RuntimeError:
        logger.exception("a table could not be read: %s", 7)
    (line,) = written.getvalue().splitlines()
    event = json.loads(line)
    assert "RuntimeError: without a card" in event["exception"]
    assert not any(card in line for card in HAND)


def test_on_a_machine_of_ones_own_lines_are_plain(tmp_path: Path) -> None:
    _, settings = configured(tmp_path, ENVIRONMENT="local", HTTPS="", SECRET_KEY="", DATABASE_URL="", REDIS_URL="")
    assert settings.LOGGING["handlers"]["console"]["formatter"] == "line"


def test_the_server_logs_no_visitor(tmp_path: Path) -> None:
    _, settings = configured(tmp_path)
    assert settings.LOGGING["loggers"]["uvicorn.error"]["level"] == "WARNING", "at INFO it writes addresses"
