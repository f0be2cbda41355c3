"""The log of production: JSON, one line an event, and no values of variables in it."""

import io
import json
import logging
import logging.config
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from celery.signals import beat_init, worker_init

from config.celery import log_warnings
from tests.support.production import configured
from tests.support.secret_paths import SECRET, list_secret_paths

HAND = ["Ad", "7c"]
REFERRER = re.compile(r'name="referrer"\s+content="([\w-]+)"')


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


@pytest.mark.parametrize("place", ["production", "local"])
def test_an_address_that_lets_somebody_in_loses_what_does_at10(tmp_path: Path, place: str) -> None:
    _, settings = configured(tmp_path, ENVIRONMENT=place)
    name = settings.LOGGING["handlers"]["console"]["formatter"]
    formatter = build(settings.LOGGING["formatters"][name])
    for path in list_secret_paths():
        record = logging.LogRecord("django.request", logging.WARNING, "", 1, "Not Found: %s", (path,), None)
        record.exc_info = (ValueError, ValueError(f"no such page: https://carte.example.org{path}?a=1"), None)
        line = formatter.format(record)
        assert SECRET not in line
        assert path.split(SECRET)[0] + "…" in line, "the rest of it is of use"


def test_no_address_goes_along_as_the_page_one_came_from_at10(tmp_path: Path) -> None:
    _, settings = configured(tmp_path)
    assert settings.SECURE_REFERRER_POLICY == "strict-origin"
    pages = (settings.BASE_DIR / "templates").rglob("*.html")
    assert {said for page in pages for said in REFERRER.findall(page.read_text())} <= {"no-referrer"}


@pytest.mark.filterwarnings("always")
def test_workers_and_beat_log_warnings_as_lines_like_all_others(caplog: pytest.LogCaptureFixture) -> None:
    try:
        log_warnings()
        warnings.warn("of tomorrow", DeprecationWarning, stacklevel=1)
    finally:
        logging.captureWarnings(False)
    assert [record.name for record in caplog.records if "of tomorrow" in record.getMessage()] == ["py.warnings"]
    for signal in (worker_init, beat_init):
        assert log_warnings in [reference() for _key, reference in signal.receivers]
