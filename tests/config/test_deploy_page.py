"""docs/deploy.md, docs/operations.md and their files say what the code does."""

import json
import re
import socket
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import reverse
from prometheus_client import REGISTRY
from prometheus_client.exposition import ThreadingWSGIServer

from config import environment, exposition
from config.celery import serve_metrics
from config.environment import BASE_DIR
from config.launcher import programs
from config.safety import DANGERS
from players.api.problems import CONTENT_TYPE, build_problem
from tests.support.secret_paths import list_secret_paths

PAGE = BASE_DIR / "docs" / "deploy.md"
OPERATIONS = BASE_DIR / "docs" / "operations.md"
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


def test_the_pages_lead_to_every_file_and_every_file_is_named() -> None:
    page = PAGE.read_text() + OPERATIONS.read_text()
    assert all((BASE_DIR / "docs" / link).exists() for link in re.findall(r"\]\(([^)#]+)\)", page))
    for file in FILES.iterdir():
        assert file.name in page or file.match("smazzata*.service"), file.name


def test_the_example_names_only_variables_that_are_read() -> None:
    source = Path(environment.__file__).read_text()
    names = re.findall(r"^([A-Z_]+)=", (FILES / "environment.example").read_text(), re.MULTILINE)
    assert {"ENVIRONMENT", "SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"} <= set(names)
    assert [name for name in names if f'"{name}"' not in source] == []


def test_the_proxys_file_is_made_of_whole_words() -> None:
    """Nginx ends a word where its quote ends: an apostrophe inside one keeps the proxy from starting."""
    conf = (FILES / "nginx.conf").read_text()
    word = r"""'(?:[^'\\]|\\.)*'(?=[\s;{])|"(?:[^"\\]|\\.)*"(?=[\s;{])|(?:[^\s;{}'"#\\]|\\.|\{\d)(?:[^\s;{\\]|\\.)*"""
    piece = re.compile(rf"\s+|#[^\n]*|[;{{}}]|{word}")
    at, depth, last = 0, 0, ";"
    while at < len(conf):
        match = piece.match(conf, at)
        assert match, f"no word of nginx's: {conf[at : at + 60]!r}"
        at = match.end()
        if not match[0].strip() or match[0].startswith("#"):
            continue
        assert match[0] not in ";{" or last not in ";{}", f"nothing before {match[0]!r} at {conf[at - 60 : at]!r}"
        assert match[0] != "}" or last in ";{}", f"no end before {conf[at - 60 : at]!r}"
        depth += (match[0] == "{") - (match[0] == "}")
        last = match[0]
    assert depth == 0


def test_the_proxy_says_who_the_visitor_is_and_lets_sockets_through() -> None:
    conf = (FILES / "nginx.conf").read_text()
    for line in (
        "proxy_set_header X-Forwarded-For $remote_addr;",  # not $proxy_add_...: that keeps what a visitor made up
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header Upgrade $http_upgrade;",
        "location /ws/ {",
        "alias /var/lib/smazzata/static/;",
    ):
        assert line in conf
    # Who was away is asked again after a second: with nginx's own ten a restart of all were ten seconds of 502.
    ports = re.findall(r"server 127\.0\.0\.1:(\d+) fail_timeout=1s;", conf)
    assert ports == ["8001", "8002"] * 2  # of the sockets of tables, and of all else
    assert all(f"smazzata-web@{port}" in PAGE.read_text() for port in ports)


def test_addresses_that_let_somebody_in_are_in_no_log_of_the_proxy_at10() -> None:
    conf = (FILES / "nginx.conf").read_text()
    ((pattern, location),) = re.findall(r'location ~ "(\S+)" \{([^}]*)\}', conf)
    assert "access_log off;" in location
    assert "error_log /dev/null emerg;" in location, "what goes wrong is written with the whole request"
    quiet = re.compile(pattern)
    for path in list_secret_paths():
        assert quiet.search(path), path
    for name, of in (("tournament", ["t"]), ("pair", ["t"]), ("tournament-calendar", ["t"]), ("calendar-page", [])):
        assert not quiet.search(reverse(name, args=of)), name
    (plain,) = re.findall(r"server \{\s+listen 80;([^}]*)\}", conf)
    assert "access_log off;" in plain, "nor where somebody is led to https"
    (away,) = re.findall(r"location ~ \^/away\S+ \{([^}]*)\}", conf)
    assert "error_log /dev/null emerg;" in away


def test_whoever_comes_while_all_is_down_is_told_calmly_h13() -> None:
    conf = (FILES / "nginx.conf").read_text()
    assert conf.count("error_page 502 504 =503 $smazzata_away;") == 2
    for name in re.findall(r"/(away\w*\.html);", conf):
        page = (BASE_DIR / "static" / name).read_text()
        assert 'lang="it"' in page
        assert 'lang="en"' in page
        assert ("refresh" in page) == (name == "away.html"), "what was sent is sent again by whoever sent it"
    sent = (BASE_DIR / "static" / "away_sent.html").read_text()
    assert "non sappiamo se quello che hai mandato è arrivato" in sent, (
        "a process may die between the act and the answer"
    )


def test_the_proxy_leads_a_table_to_one_process_and_every_path_to_processes_that_exist() -> None:
    conf = re.sub(r"#.*", "", (FILES / "nginx.conf").read_text())
    assert conf.count("{") == conf.count("}")
    upstreams = dict(re.findall(r"upstream (\w+) \{([^}]*)\}", conf))
    assert set(re.findall(r"proxy_pass http://(\w+);", conf)) == set(upstreams)
    assert "hash $uri consistent;" in upstreams["smazzata_tables"]
    (sockets,) = re.findall(r"location (/ws/\w+/) \{\s*proxy_pass http://smazzata_tables;", conf)
    assert f"/{resolve_socket_prefix()}" == sockets
    assert re.search(r"location = /metrics \{\s*return 404;", conf), "figures are asked of a process, not of the site"


@pytest.mark.rule("AP4")
def test_the_proxy_refuses_programs_in_the_one_format_of_the_api() -> None:
    conf = (FILES / "nginx.conf").read_text()
    (of_api,) = re.findall(r"location /api/ \{([^}]*)\}", conf)
    pages = dict(re.findall(r"error_page ([\d ]+) = @(\w+);", of_api))
    assert {code for codes in pages for code in codes.split()} == {"413", "502", "503", "504"}
    for name in pages.values():
        (about,) = re.findall(rf"location @{name} \{{(.*?)\n    \}}", conf, re.DOTALL)
        assert f"default_type {CONTENT_TYPE};" in about
        ((status, body),) = re.findall(r"return (\d+) '(.*)';", about)
        problem = json.loads(body)
        assert problem == build_problem(int(status), problem["code"], problem["detail"])


def resolve_socket_prefix() -> str:
    """Return how the address of a table's socket begins."""
    from games.realtime.routing import websocket_urlpatterns

    (route,) = [route for route in websocket_urlpatterns if "public_id" in str(route.pattern)]
    return str(route.pattern).lstrip("^").split("<")[0].split("(")[0]


@pytest.mark.parametrize("name", ["smazzata-web@.service", "smazzata-worker@.service"])
def test_a_unit_may_open_as_many_sockets_as_come(name: str) -> None:
    assert "\nLimitNOFILE=65536\n" in (FILES / name).read_text()


# --- Figures -------------------------------------------------------------------------------------------------------


SAMPLES = {"counter": {"_total"}, "gauge": {""}, "histogram": {"_bucket", "_count", "_sum"}}


def name_samples() -> dict[str, set[str]]:
    """Return the names of each figure's samples, by the figure's; one with labels has none before it is used."""
    return {
        figure.name: {f"{figure.name}{part}" for part in SAMPLES.get(figure.type, ())} for figure in REGISTRY.collect()
    }


def name_figures() -> list[str]:
    """Return the names of the site's own figures."""
    return [name for name in name_samples() if name.startswith("smazzata_")]


def test_the_page_names_every_figure_and_no_other() -> None:
    named = re.findall(r"^\| `(smazzata_\w+)` \|", OPERATIONS.read_text(), re.MULTILINE)
    assert sorted(named) == sorted(name_figures())


def test_the_dashboard_asks_for_every_figure_and_for_nothing_that_isnt_there() -> None:
    dashboard = json.loads((FILES / "grafana.json").read_text())
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\b(?:smazzata|process|python)_\w+", target["expr"])
    }
    samples = name_samples()
    assert asked - set().union(*samples.values()) == set()
    assert [name for name in name_figures() if not samples[name] & asked] == []


# --- Containers ----------------------------------------------------------------------------------------------------


def read_compose() -> dict[str, Any]:
    return yaml.safe_load((FILES / "compose.yaml").read_text())["services"]  # type: ignore[no-any-return]


def test_containers_run_what_the_units_run() -> None:
    services = read_compose()
    commands = {
        "prepare": ("-m", "config.launcher.prepare"),
        "web-8001": programs.WEB,
        "web-8002": programs.WEB,
        "worker-1": (*programs.WORKER, "--hostname", "worker-1@%h"),
        "worker-2": (*programs.WORKER, "--hostname", "worker-2@%h"),
        "beat": programs.build_beat(Path("/var/lib/smazzata/beat-schedule")),
    }
    assert {
        name: tuple(services[name]["command"]) for name in services if name not in ("postgres", "redis")
    } == commands
    ports = [services[name]["environment"]["PORT"] for name in ("web-8001", "web-8002")]
    assert [str(port) for port in ports] == ["8001", "8002"], "those of nginx.conf"
    source = Path(environment.__file__).read_text()
    own = [services[name].get("environment", {}) for name in commands]
    assert [name for variables in own for name in variables if f'"{name}"' not in source] == []


def test_containers_wait_for_the_tables_and_are_reached_by_this_machine_only() -> None:
    services = read_compose()
    assert services["prepare"]["restart"] == "no"
    for name in ("web-8001", "worker-1", "beat"):
        assert services[name]["depends_on"] == {"prepare": {"condition": "service_completed_successfully"}}
        assert services[name]["env_file"] == "/etc/smazzata/environment"
    assert "listen_addresses=127.0.0.1" in services["postgres"]["command"]
    assert any(volume.startswith("./postgresql.sql:") for volume in services["postgres"]["volumes"]), (
        "no hand in its log"
    )
    redis = services["redis"]["command"]
    assert redis[redis.index("--bind") + 1] == "127.0.0.1"


def test_the_image_is_installed_from_the_lock_file_by_its_own_installer() -> None:
    image = (FILES / "Dockerfile").read_text()
    assert "config/launcher/install.py requirements.lock" in image
    assert image.index("USER smazzata") < image.index("ENTRYPOINT"), "it never runs as root"
    ignored = (FILES / "Dockerfile.dockerignore").read_text().split()
    assert {".git", ".venv", "var"} <= set(ignored), "no key and no data in an image"


def test_containers_have_exact_versions_no_rights_and_say_how_they_are() -> None:
    for name, service in read_compose().items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["read_only"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        image = service["image"]
        assert image == "smazzata" or re.fullmatch(r"\w+:\d+\.\d+(\.\d+)?", image), name
        assert "healthcheck" in service or name in ("prepare", "beat"), name
    assert re.search(r"^FROM python:\d+\.\d+\.\d+-", (FILES / "Dockerfile").read_text(), re.MULTILINE)
    assert "POSTGRES_USER" not in read_compose()["postgres"]["environment"], "the site would be its superuser"


def test_a_container_of_a_worker_is_well_while_its_worker_answers_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    program = read_compose()["worker-1"]["healthcheck"]["test"][-1]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    monkeypatch.setenv("METRICS_PORT", str(port))
    values = replace(environment.read_environment(), host="127.0.0.1", metrics_port=port, metrics_token="")
    monkeypatch.setattr(environment, "read_environment", lambda: values)
    with pytest.raises(ConnectionRefusedError):
        exec(program, {})
    servers: list[ThreadingWSGIServer] = []
    serve = exposition.serve_worker
    monkeypatch.setattr(exposition, "serve_worker", lambda *given: servers.append(serve(*given)))
    serve_metrics()
    try:
        exec(program, {})
    finally:
        servers[0].shutdown()
        servers[0].server_close()


# --- The environment file ------------------------------------------------------------------------------------------


def test_a_line_that_systemd_the_shell_and_compose_read_differently_is_refused(tmp_path: Path) -> None:
    script = (FILES / "smazzata").read_text().splitlines()
    (check,) = [line for line in script if line.startswith("wrong=")]

    def find_wrong(text: str) -> str:
        (tmp_path / "environment").write_text(text)
        command = check.replace("/etc/smazzata/environment", str(tmp_path / "environment"))
        return subprocess.run(["sh", "-c", f'{command}; echo "$wrong"'], capture_output=True, text=True).stdout.strip()

    assert find_wrong((FILES / "environment.example").read_text()) == ""
    lines = ("A='a$b`c\"d'", 'B="a$b"', "C=a", "D='a'b'", "E='a\\b'", " F='a'", "", "# G=a", "export H='a'")
    assert find_wrong("\n".join(lines)) == "2 3 4 5 6 9"
