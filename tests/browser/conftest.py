"""Debian's Chromium against the whole product, started as a person starts it: hashed files, CSP and all."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.rigged import sit
from tests.product import Product, running

__all__ = ["sit"]  # a fixture

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    return {**browser_type_launch_args, "executable_path": "/usr/bin/chromium", "args": [*FLAGS, *sandbox]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "locale": "it-IT", "viewport": {"width": 1280, "height": 900}}


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The running product, with the tournaments of its first start."""
    with running(tmp_path_factory.mktemp("browser") / "data") as started:
        yield started


@pytest.fixture(scope="session")
def base_url(product: Product) -> str:
    return product.url
