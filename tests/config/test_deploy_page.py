"""docs/deploy.md and its files say what the code does."""

import re
from pathlib import Path

import pytest
from django.urls import reverse

from config import environment
from config.environment import BASE_DIR
from config.launcher import programs
from config.safety import DANGERS

PAGE = BASE_DIR / "docs" / "deploy.md"
FILES = BASE_DIR / "docs" / "deploy"
COMMANDS = {
    "smazzata-web@.service": programs.WEB,
    "smazzata-worker@.service": programs.WORKER,
    "smazzata-beat.service": programs.build_beat(Path("/var/lib/smazzata/beat-schedule")),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_unit_runs_what_the_supervisor_runs(name: str) -> None:
    wanted = " ".join(part or '""' for part in COMMANDS[name])
    line = re.search(r"^ExecStart=/srv/smazzata/\.venv/bin/python (.*)$", (FILES / name).read_text(), re.MULTILINE)
    assert line
    assert line[1] == wanted or line[1].startswith(f"{wanted} --hostname ")


def test_the_page_names_every_danger_and_no_other() -> None:
    table = PAGE.read_text().split("| name | refused |")[1].split("## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(DANGERS)


def test_the_page_leads_to_every_file_and_every_file_is_named() -> None:
    page = PAGE.read_text()
    assert all((BASE_DIR / "docs" / link).exists() for link in re.findall(r"\]\(([^)#]+)\)", page))
    for file in FILES.iterdir():
        assert file.name in page or file.match("smazzata*.service"), file.name


def test_the_example_names_only_variables_that_are_read() -> None:
    source = Path(environment.__file__).read_text()
    names = re.findall(r"^([A-Z_]+)=", (FILES / "environment.example").read_text(), re.MULTILINE)
    assert {"ENVIRONMENT", "SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"} <= set(names)
    assert [name for name in names if f'"{name}"' not in source] == []


def test_the_proxy_says_who_the_visitor_is_and_lets_sockets_through() -> None:
    conf = (FILES / "nginx.conf").read_text()
    for line in (
        "proxy_set_header X-Forwarded-For $remote_addr;",  # not $proxy_add_...: that keeps what a visitor made up
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header Upgrade $http_upgrade;",
        "location /ws/ {",
        "alias /var/lib/smazzata/static/;",
        "location /account/password/reset/key/ {",
    ):
        assert line in conf
    ports = re.findall(r"server 127\.0\.0\.1:(\d+);", conf)
    assert ports == ["8001", "8002"]
    assert all(f"smazzata-web@{port}" in PAGE.read_text() for port in ports)


def test_addresses_that_let_somebody_in_are_in_no_log() -> None:
    conf = (FILES / "nginx.conf").read_text()
    assert re.findall(r"access_log /\S+ smazzata(.*);", conf) == [" if=$smazzata_logged"]
    quiet = [re.compile(pattern) for pattern in re.findall(r'"~(\S+)" 0;', conf)]
    for name, of in (
        ("tournament-invite", ["t", "secret"]),
        ("pair-link", ["t", "secret"]),
        ("own-calendar", ["secret"]),
        ("mails-stop", ["secret"]),
        ("account_confirm_email", ["secret"]),
    ):
        assert any(pattern.search(reverse(name, args=of)) for pattern in quiet), name
    for name, of in (("tournament", ["t"]), ("pair", ["t"]), ("tournament-calendar", ["t"]), ("calendar-page", [])):
        assert not any(pattern.search(reverse(name, args=of)) for pattern in quiet), name
