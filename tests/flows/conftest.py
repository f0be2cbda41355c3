"""One real Celery worker for all the stories of this folder: to start one takes longer than most of them.

It works on the database of the tests' process, which is emptied after each story while it sweeps on, and it can send
mail and messages to devices; nothing in a story depends on what it did in an earlier one.
"""

from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest
from pytest_django import DjangoDbBlocker

from tests.support import empty_databases, live
from tests.support.postbox import Postbox, open_postbox
from tests.support.receivers import write_certificates


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the stories share: logs of the workers, certificates."""
    return tmp_path_factory.mktemp("flows")


@pytest.fixture(scope="package")
def postbox() -> Iterator[Postbox]:
    """The mail server of this folder's workers."""
    with open_postbox() as server:
        yield server


@pytest.fixture(scope="package")
def workers_environment(folder: Path, postbox: Postbox) -> dict[str, str]:
    return {
        "EMAIL_URL": postbox.url,
        "EMAIL_FROM": "Circolo <carte@example.org>",
        "OUTGOING_OPEN": "1",
        "SSL_CERT_FILE": str(write_certificates(folder)),
    }


@pytest.fixture(scope="package")
def celery_worker(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, folder: Path, workers_environment: dict[str, str]
) -> Iterator[Popen[bytes]]:
    """The worker of this folder, in the place of each test's own. What it writes last is deleted after its end."""
    with live.worker_process(folder / "worker.log", workers_environment) as process:
        yield process
    with django_db_blocker.unblock():
        empty_databases.empty()
