"""Production starts only when it is safe: each unsafe configuration is refused by its name (guarantees: AT4)."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from celery.signals import beat_init, worker_init
from django.conf import settings as served
from django.core.checks import run_checks
from django.core.signing import Signer
from django.test import override_settings

from config import minimum_versions
from config.checks import Unsafe, check_redis, check_safety, refuse_open_servers
from config.environment import BASE_DIR
from config.launcher import prepare, processes
from config.launcher.redis_server import RedisServer
from config.safety import DANGERS, find_dangers
from tests.support.product import started
from tests.support.production import DECK_KEY, KEY, configured, given, variables
from tests.support.waiting import PATIENCE

# By environment: what an administrator may get wrong. Some of it is wrong in two ways.
BY_ENVIRONMENT: list[tuple[set[str], dict[str, str]]] = [
    ({"debug"}, {"DEBUG": "1"}),
    ({"secret_key_missing"}, {"SECRET_KEY": ""}),
    ({"secret_key_known"}, {"SECRET_KEY": f"django-insecure-{KEY}"}),
    ({"secret_key_known"}, {"SECRET_KEY": f"Change-me!-{KEY}"}),
    ({"secret_key_known"}, {"SECRET_KEY_FALLBACKS": f"django-insecure-{KEY}"}),
    ({"secret_key_weak"}, {"SECRET_KEY": KEY[:49]}),
    ({"secret_key_weak"}, {"SECRET_KEY": "abcabcabc" * 9}),
    ({"vapid_key_missing"}, {"VAPID_PRIVATE_KEY": ""}),
    ({"deck_key_missing"}, {"DECK_KEYS": ""}),
    ({"deck_key_weak"}, {"DECK_KEYS": f"{DECK_KEY},{'aBcD' * 10}aBc="}),
    ({"hosts_missing"}, {"ALLOWED_HOSTS": ""}),
    ({"hosts_open"}, {"ALLOWED_HOSTS": "carte.example,*"}),
    ({"hosts_open"}, {"ALLOWED_HOSTS": ".example"}),
    *(
        ({"hosts_open"}, {"ALLOWED_HOSTS": f"carte.example,{name}", "SITE_URL": "https://carte.example"})
        for name in (
            ".it",
            "it",
            "*.com",
            ".com",
            "*.it",
            ".co.uk",
            "co.uk",
            ".gov.it",
            ".abc.it",
            "github.io",
            ".fly.dev",
        )
    ),
    ({"origins_open"}, {"CSRF_TRUSTED_ORIGINS": "https://*.example"}),
    ({"origins_open"}, {"CSRF_TRUSTED_ORIGINS": "http://carte.example"}),
    ({"proxies_open"}, {"TRUSTED_PROXIES": "*"}),
    ({"proxies_open"}, {"TRUSTED_PROXIES": "127.0.0.1,0.0.0.0/0"}),
    ({"proxies_open"}, {"TRUSTED_PROXIES": "0.0.0.0/1,128.0.0.0/1"}),
    ({"proxies_open"}, {"TRUSTED_PROXIES": "0.0.0.0/1,128.0.0.0/2,192.0.0.0/3"}),
    ({"proxies_open"}, {"TRUSTED_PROXIES": "::/0"}),
    ({"proxies_open"}, {"TRUSTED_PROXIES": "::/1,8000::/1"}),
    ({"listens_everywhere"}, {"HOST": "0.0.0.0"}),
    ({"plain_http", "hsts_off", "cookies_open"}, {"HTTPS": "0"}),
    ({"database_sqlite"}, {"DATABASE_URL": ""}),
    ({"database_without_password"}, {"DATABASE_URL": "postgres://anna@db.example:5432/club"}),
    ({"redis_missing"}, {"REDIS_URL": ""}),
    ({"redis_without_password"}, {"REDIS_URL": "redis://127.0.0.1:6379/0"}),
    ({"redis_without_password"}, {"REDIS_URL": "redis://:change-me@127.0.0.1:6379/0"}),
    ({"redis_in_clear"}, {"REDIS_URL": "redis://:parola@10.0.0.2:6379/0"}),
    ({"redis_in_clear"}, {"REDIS_URL": "redis://:parola@redis.example:6379/0"}),
    ({"site_url_plain"}, {"SITE_URL": "http://carte.example"}),
    ({"mail_in_clear"}, {"EMAIL_URL": "smtp://anna:parola@posta.example:25"}),
    ({"mail_example"}, {"EMAIL_URL": "smtp+tls://change-me:parola@posta.example:587"}),
    ({"mail_example"}, {"EMAIL_URL": "smtp+tls://anna:change-me@posta.example:587"}),
    ({"mail_example"}, {"EMAIL_URL": "smtp+tls://anna:parola@mail.example.org:587"}),
    ({"mail_example"}, {"EMAIL_FROM": "Smazzata <carte@example.org>"}),
    ({"mail_nowhere"}, {"EMAIL_URL": ""}),
    ({"mail_nowhere"}, {"EMAIL_URL": "consolemail://"}),
    ({"outgoing_open"}, {"OUTGOING_OPEN": "1"}),
]

# By settings: what only somebody who changes them, or writes their own settings on top, can get wrong.
BY_SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("plain_http", {"SECURE_SSL_REDIRECT": False}),
    ("hsts_off", {"SECURE_HSTS_SECONDS": 3600}),
    ("cookies_open", {"SESSION_COOKIE_SECURE": False}),
    ("cookies_open", {"CSRF_COOKIE_NAME": "csrftoken"}),
    ("cookies_open", {"SESSION_COOKIE_HTTPONLY": False}),
    ("csp_open", {"CONTENT_SECURITY_POLICY": None}),
    ("csp_open", {"CONTENT_SECURITY_POLICY": {"DIRECTIVES": {"frame-ancestors": ["'none'"]}}}),
    ("guard_missing", {"MIDDLEWARE": ["django.middleware.security.SecurityMiddleware"]}),
    ("passwords_fast", {"PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"]}),
    ("throttle_off", {"ACCOUNT_RATE_LIMITS": False}),
    ("throttle_off", {"REST_FRAMEWORK": {"DEFAULT_THROTTLE_RATES": {}}}),
    ("throttle_off", {"POST_RATES": {}}),
    ("throttle_off", {"LIST_RATES": {}}),
    ("throttle_off", {"FILE_RATES": {}}),
    ("cache_of_one_process", {"CACHES": {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}}),
    ("channel_layer_in_memory", {"CHANNEL_LAYERS": {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}}),
    ("celery_pickle", {"CELERY_ACCEPT_CONTENT": ["json", "pickle"]}),
    ("celery_pickle", {"CELERY_ACCEPT_CONTENT": ["application/x-python-serialize"]}),
    ("celery_pickle", {"CELERY_TASK_SERIALIZER": "pickle"}),
    ("celery_pickle", {"CELERY_RESULT_ACCEPT_CONTENT": ["pickle"]}),
    ("celery_eager", {"CELERY_TASK_ALWAYS_EAGER": True}),
    ("mail_nowhere", {"EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend"}),
    ("logs_tell_all", {"LOGGING": {"version": 1, "root": {"level": "DEBUG"}}}),
    ("logs_tell_all", {"LOGGING": {"version": 1, "loggers": {"django.db.backends": {"level": "DEBUG"}}}}),
]


def test_a_production_as_the_page_describes_it_is_safe(tmp_path: Path) -> None:
    assert find_dangers(*configured(tmp_path)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"ALLOWED_HOSTS": "abc.it,[::1],.carte.example.org,.carte.it,www.club.co.uk,.club.co.uk,localhost,127.0.0.1"},
        {"TRUSTED_PROXIES": "10.0.0.0/8,192.168.1.5,fd00::/8"},
        {"REDIS_URL": "rediss://:parola@redis.example:6379/0"},
        {"REDIS_URL": "redis://:parola@[::1]:6379/0"},
        {"EMAIL_URL": "smtp://posta.example:25"},
        {"EMAIL_URL": "smtp+ssl://anna:parola@posta.example:465"},
    ],
)
def test_a_production_that_only_looks_unsafe_is_not_refused(tmp_path: Path, changes: dict[str, str]) -> None:
    assert find_dangers(*configured(tmp_path, **changes)) == []


@pytest.mark.parametrize(("names", "changes"), BY_ENVIRONMENT)
def test_an_unsafe_environment_is_named_for_what_it_is(
    tmp_path: Path, names: set[str], changes: dict[str, str]
) -> None:
    assert set(find_dangers(*configured(tmp_path, **changes))) == names


@pytest.mark.parametrize(("name", "changes"), BY_SETTINGS)
def test_unsafe_settings_are_named_for_what_they_are(tmp_path: Path, name: str, changes: dict[str, Any]) -> None:
    values, settings = configured(tmp_path)
    vars(settings).update(changes)
    assert find_dangers(values, settings) == [name]


def test_a_policy_that_lets_foreign_scripts_in_is_named(tmp_path: Path) -> None:
    values, settings = configured(tmp_path)
    for source in ("'unsafe-inline'", "'unsafe-eval'", "*", "https:", "data:"):
        _, loose = configured(tmp_path)
        loose.CONTENT_SECURITY_POLICY["DIRECTIVES"]["script-src"].append(source)
        assert find_dangers(values, loose) == ["csp_open"], source
    del settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["frame-ancestors"]
    assert find_dangers(values, settings) == ["csp_open"]


def test_an_installed_package_below_its_floor_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    higher = tmp_path / "floors.toml"
    higher.write_text('[[floor]]\npackage = "django"\nlowest = "99"\nreason = "tests"\nreviewed = 2026-11-21\n')
    known = minimum_versions.read_floors(higher)
    monkeypatch.setattr(minimum_versions, "read_floors", lambda: known)
    assert find_dangers(*configured(tmp_path)) == ["package_below_floor"]


def test_every_danger_of_the_list_is_tried_here() -> None:
    tried = {name for names, _ in BY_ENVIRONMENT for name in names} | {name for name, _ in BY_SETTINGS}
    assert tried | {"package_below_floor"} == set(DANGERS)
    assert len(DANGERS) >= 15


def test_django_checks_carry_the_names(settings: Any) -> None:
    settings.CELERY_ACCEPT_CONTENT = ["json", "pickle"]  # on top of the tests' own settings, which are unsafe too
    assert {"smazzata.celery_pickle", "smazzata.passwords_fast", "smazzata.hosts_open"} <= {
        message.id for message in check_safety(None)
    }


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")  # no check opens one
def test_the_deployment_check_of_a_safe_production_finds_nothing(tmp_path: Path) -> None:
    """All of Django's checks, on the settings of a production; the soak runs the command itself."""
    _, production = configured(tmp_path)
    differing = {name: value for name, value in vars(production).items() if getattr(served, name, None) != value}
    with given(variables(tmp_path)), override_settings(**differing):
        assert [found for found in run_checks(include_deployment_checks=True) if not found.is_silenced()] == []


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """A Redis of the test's own that asks for a password."""
    server = RedisServer(tmp_path / "redis", tmp_path / "redis.log")
    process = server.start(os.environ)
    yield server.url
    processes.stop(process, patience=1)


def find_open_servers(tmp_path: Path, url: str) -> list[str]:
    """Return what `check --deploy` says of the servers, as prepare refuses it."""
    with given(variables(tmp_path, REDIS_URL=url)):
        found = [str(message.id) for message in check_redis(None)]
        if found:
            with pytest.raises(Unsafe, match=f"{found[0]} .*it lets in whoever gives none"):
                refuse_open_servers()
        else:
            refuse_open_servers()
    return found


def test_a_redis_that_takes_the_password_and_asks_for_none_is_refused_at4(tmp_path: Path, redis_url: str) -> None:
    assert find_open_servers(tmp_path, redis_url) == []
    with redis.Redis.from_url(redis_url) as client:
        client.execute_command("ACL", "SETUSER", "anna", "on", ">parola", "~*", "+@all")
        named = redis_url.replace(f":{urlsplit(redis_url).password}@", "anna:parola@")
        assert find_open_servers(tmp_path, named) == []
        client.config_set("requirepass", "")
    assert find_open_servers(tmp_path, redis_url) == ["smazzata.redis_without_password"]
    assert find_open_servers(tmp_path, named) == ["smazzata.redis_without_password"]


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")  # none is opened
def test_a_site_with_an_open_redis_is_not_prepared_at4(
    tmp_path: Path, redis_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with redis.Redis.from_url(redis_url) as client:
        client.config_set("requirepass", "")
    _, production = configured(tmp_path, REDIS_URL=redis_url)
    differing = {name: value for name, value in vars(production).items() if getattr(served, name, None) != value}
    with given(variables(tmp_path, REDIS_URL=redis_url)), override_settings(**differing):
        assert prepare.main() == 2
    assert "smazzata.redis_without_password" in capfd.readouterr().err


def test_a_redis_that_is_away_is_nobodys_to_judge_at4(tmp_path: Path) -> None:
    assert find_open_servers(tmp_path, "redis://:parola@127.0.0.1:1/0") == []


def test_what_a_key_of_before_signed_still_counts(tmp_path: Path) -> None:
    before = KEY.swapcase()
    values, production = configured(tmp_path, SECRET_KEY_FALLBACKS=before)
    assert [before] == production.SECRET_KEY_FALLBACKS
    assert find_dangers(values, production) == []
    text = Signer(key=before).sign("anna")
    with override_settings(SECRET_KEY=KEY, SECRET_KEY_FALLBACKS=production.SECRET_KEY_FALLBACKS):
        assert Signer().unsign(text) == "anna"


@pytest.mark.parametrize(
    ("words", "wanted"), [("", (False, False)), ("subdomains", (True, False)), ("subdomains,preload", (True, True))]
)
def test_browsers_are_told_of_other_hosts_only_where_asked(
    tmp_path: Path, words: str, wanted: tuple[bool, bool]
) -> None:
    values, production = configured(tmp_path, HSTS=words)
    assert wanted == (production.SECURE_HSTS_INCLUDE_SUBDOMAINS, production.SECURE_HSTS_PRELOAD)
    assert find_dangers(values, production) == []


def start_web() -> object:
    from config.launcher import web

    return web.main()


def start_another_server() -> object:
    return import_module("config.asgi")


@pytest.mark.parametrize(
    "start",
    [
        lambda: worker_init.send(sender=None),
        lambda: beat_init.send(sender=None),
        start_web,
        start_another_server,
        prepare.main,
    ],
    ids=["worker", "beat", "web", "another server", "prepare"],
)
def test_whatever_starts_in_an_unsafe_production_refuses_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], start: Callable[[], object]
) -> None:
    """Ask in this process, whose settings are the tests' and unsafe; the soak starts each of them for real."""
    monkeypatch.delitem(sys.modules, "config.asgi", raising=False)
    with given(variables(tmp_path)):
        try:
            end = start()
            said = "".join(capfd.readouterr())
        except (SystemExit, Unsafe) as refusal:
            end = refusal.code if isinstance(refusal, SystemExit) else 2
            said = f"{refusal.__cause__ or refusal}"
    assert end == 2
    assert f"smazzata.passwords_fast ({DANGERS['passwords_fast'][1]}" in said
    assert KEY not in said


# --- Real processes --------------------------------------------------------------------------------------------------

SETTINGS_OF_ONES_OWN = """
from config.settings import *
CELERY_ACCEPT_CONTENT = ["json", "pickle"]
"""


def ended(data_dir: Path, *command: str, **changes: str) -> tuple[int, str]:
    """Run a process of the project to its end: its code, and what it said."""
    process = subprocess.run(
        [sys.executable, *command],
        cwd=BASE_DIR,
        env=variables(data_dir, **changes),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return process.returncode, process.stdout + process.stderr


@pytest.mark.soak
def test_the_deployment_check_of_a_safe_production_says_nothing(tmp_path: Path) -> None:
    code, output = ended(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING")
    silenced = 2  # of HSTS, what only whoever runs the site can ask for
    assert (code, output) == (0, f"System check identified no issues ({silenced} silenced).\n")


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(("celery_pickle",), id="the worker"),
        pytest.param(
            ("redis_without_password", "secret_key_known", "hosts_open", "database_sqlite"),
            id="all others",
            marks=pytest.mark.soak,
        ),
    ],
)
@pytest.mark.long("it starts every kind of process there is")
def test_every_kind_of_process_of_an_unsafe_production_ends_at_once_and_says_why(
    tmp_path: Path, chosen: Sequence[str]
) -> None:
    (tmp_path / "own_settings.py").write_text(SETTINGS_OF_ONES_OWN)
    own = {"DJANGO_SETTINGS_MODULE": "own_settings", "PYTHONPATH": str(tmp_path), "C_FORCE_ROOT": "1"}
    celery = ("-m", "celery", "--app", "config")
    attempts = {
        "celery_pickle": lambda: ended(tmp_path, *celery, "worker", "--pool", "threads", **own),
        "redis_without_password": lambda: ended(
            tmp_path, *celery, "beat", "--schedule", str(tmp_path / "beat"), REDIS_URL="redis://127.0.0.1:1/0"
        ),
        "secret_key_known": lambda: ended(tmp_path, "-m", "config.launcher.web", SECRET_KEY=f"change-me {KEY}"),
        "hosts_open": lambda: ended(tmp_path, "-m", "uvicorn", "config.asgi:application", ALLOWED_HOSTS="*"),
        "database_sqlite": lambda: ended(tmp_path, "-m", "config.launcher.prepare", DATABASE_URL=""),
    }
    with ThreadPoolExecutor(2) as pool:
        ends = {name: pool.submit(attempts[name]) for name in chosen}
    for name, end in ends.items():
        code, output = end.result()
        assert code != 0, name
        assert f"smazzata.{name} ({DANGERS[name][1]}" in output
        assert KEY not in output
    assert not list(tmp_path.glob("*.sqlite3"))


def test_the_supervisor_does_not_lend_production_its_own_redis(tmp_path: Path) -> None:
    unsafe_site = {**variables(tmp_path), "REDIS_URL": "", "DATABASE_URL": ""}
    with started(tmp_path / "data", env={name: unsafe_site[name] for name in ("ENVIRONMENT", "HTTPS")}) as product:
        assert product.wait() == 1
        assert "redis_missing" in product.complaints.read_text()
