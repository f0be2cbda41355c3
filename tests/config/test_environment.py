"""Environment variables: good values as they are, broken ones refused by name."""

from pathlib import Path

import pytest

from config.environment import BrokenSetting, Environment, find_own_address, read_environment


def read(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Environment:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return read_environment.__wrapped__()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "８０００"),
        ("DATABASE_POOL", "-1"),
        ("DEBUG", "maybe"),
        ("HSTS", "preload"),
        ("HSTS", "1"),
        ("METRICS_TOKEN", "short"),
        ("METRICS_TOKEN", "x" * 31 + " y"),
        ("METRICS_PORT", "65536"),
        ("VAPID_PRIVATE_KEY", "change-me"),
        ("VAPID_PRIVATE_KEY", "A" * 43),
        ("VAPID_PRIVATE_KEY", "_" * 43),
        ("VAPID_PRIVATE_KEY", f"{'x' * 42}="),
        ("DATABASE_URL", "mysql://anna@host/club"),
        ("DATABASE_URL", "postgres://anna@host:port/club"),
        ("DATABASE_URL", "postgres://anna@host:5432/"),
        ("DATABASE_URL", "sqlite://:memory:"),
        ("REDIS_URL", "http://localhost"),
        ("REDIS_URL", "redis://host:port/0"),
        ("EMAIL_URL", "pigeon"),
        ("EMAIL_FROM", "Smazzata"),
        ("EMAIL_FROM", "a@b@c"),
        ("CSRF_TRUSTED_ORIGINS", "foo"),
        ("CSRF_TRUSTED_ORIGINS", "https://carte.example, carte.example"),
        ("CSRF_TRUSTED_ORIGINS", "https://carte.example/"),
        ("CSRF_TRUSTED_ORIGINS", "https://carte.example:port"),
        ("SITE_URL", "carte.example"),
        ("SITE_URL", "ftp://carte.example"),
        ("SITE_URL", "https://carte.example/club"),
        ("SITE_URL", "https://anna@carte.example"),
        ("SITE_URL", "https://carte.example:port"),
    ],
)
def test_a_broken_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    with pytest.raises(BrokenSetting, match=name) as refusal:
        read(monkeypatch, **{name: value})
    assert "\n" not in str(refusal.value)


def test_a_postgres_address_may_name_a_socket_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    database = read(monkeypatch, DATABASE_URL="postgres://anna@/club?host=/run/db").database
    assert database["NAME"] == "club"
    assert "/run/db" in (database.get("HOST"), database.get("OPTIONS", {}).get("host"))


def test_a_relative_data_folder_is_the_same_for_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, DATA_DIR="somewhere").data_dir == Path.cwd() / "somewhere"


@pytest.mark.parametrize(
    ("host", "answers", "refuses"),
    [("127.0.0.1", "localhost", find_own_address()), ("0.0.0.0", find_own_address(), "example.org")],
)
def test_the_site_answers_to_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, host: str, answers: str, refuses: str
) -> None:
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)
    allowed = read(monkeypatch, HOST=host).allowed_hosts
    assert answers in allowed
    assert refuses == "127.0.0.1" or refuses not in allowed


def test_names_that_were_given_are_all_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, ALLOWED_HOSTS="carte.example, www.example").allowed_hosts == [
        "carte.example",
        "www.example",
    ]


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ({"SITE_URL": "https://carte.example/"}, "https://carte.example"),
        ({"ALLOWED_HOSTS": "localhost, .example.org, carte.example", "HTTPS": "1"}, "https://carte.example"),
        ({"HOST": "127.0.0.1", "PORT": "8123"}, "http://127.0.0.1:8123"),
        ({"HOST": "::1", "PORT": "8123"}, "http://[::1]:8123"),
        ({"HOST": "0.0.0.0", "PORT": "8123"}, f"http://{find_own_address()}:8123"),
    ],
)
def test_links_in_mails_lead_where_people_reach_the_site(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], url: str
) -> None:
    for name in ("SITE_URL", "ALLOWED_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    assert read(monkeypatch, **given).site_url == url


def test_mails_come_from_the_site_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, SITE_URL="https://carte.example").email_from == "Smazzata <noreply@carte.example>"
    assert read(monkeypatch, EMAIL_FROM="Circolo <c@example.org>").email_from == "Circolo <c@example.org>"
