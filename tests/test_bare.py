"""`make bare` reads docs/deploy.md, docs/operations.md and the units as a person and systemd do, and sees what was left
behind."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.bare import deploy, operations, systemctl
from tests.bare.guide import read_steps
from tests.bare.system import find_processes

STEPS = read_steps(deploy.PAGE.read_text(), "Install")
UNITS = deploy.ROOT / "docs" / "deploy"


def test_the_page_is_read_as_commands_and_as_lines_for_files_that_it_names() -> None:
    commands = [line for step in STEPS if step.file is None for line in step.lines]
    assert commands[0].startswith("apt install ")
    assert commands[-1] == "nginx -t && systemctl reload nginx"
    assert all(re.match(r"(/usr/bin/|\.venv/bin/)?[a-z0-9-]+( |$)", command) for command in commands), (
        "none is cut in two"
    )
    by_hand = {step.file: step.then for step in STEPS if step.file}
    assert by_hand == {
        "/etc/redis/redis.conf": "systemctl restart redis-server",
        "/etc/nginx/nginx.conf": "systemctl reload nginx",
    }


def test_a_backup_an_update_and_a_restore_are_read_as_whole_scripts() -> None:
    page = operations.PAGE.read_text()
    (update,) = read_steps(page, "Update")
    back_up, restore = read_steps(page, "Backup and restore")
    assert update.script.startswith("cd /srv/smazzata\n")
    assert "    until curl " in update.script, "a loop stays one"
    assert operations.EXAMPLE in update.script
    assert "pg_dump" in back_up.script
    day = "/var/backups/smazzata/$(date +%F).dump"
    assert day in back_up.script
    assert day in operations.DAY.sub("/$(date +%F)", restore.script), "what was backed up is restored"
    for step in (update, back_up, restore):
        assert subprocess.run(["sh", "-n", "-c", step.script], check=False).returncode == 0


def test_a_title_that_a_page_does_not_have_is_told() -> None:
    with pytest.raises(ValueError, match="no section Removal"):
        read_steps("## Install\n\n    one\n", "Removal")


def test_what_is_enabled_is_started_with_its_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [line for step in STEPS for line in step.lines if line.startswith("systemctl enable")]
    (enabled,) = names
    shutil.copytree(UNITS, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(systemctl, "UNITS", tmp_path)
    started: list[str] = []
    real = systemctl.start

    def start(name: str) -> None:
        if name.endswith(".target"):
            real(name)
        else:
            started.append(name)

    monkeypatch.setattr(systemctl, "start", start)
    units = [word for word in enabled.split() if word.startswith("smazzata")]
    systemctl.obey("enable", units)
    again, started[:] = sorted(started), []
    systemctl.obey("start", ["smazzata.target"])
    assert sorted(started) == sorted(set(again)) == sorted(name for name in units if not name.endswith(".target"))


def test_lines_of_a_file_take_the_place_of_what_it_says_of_the_same(tmp_path: Path) -> None:
    conf = tmp_path / "nginx.conf"
    conf.write_text("user www-data;\nevents {\n\tworker_connections 768;\n}\nhttp {\n}\n")
    guide = deploy.Deployment(deploy.BareSystem("trixie", tmp_path))
    guide.put_in(conf, "worker_rlimit_nofile 65536;\nevents { worker_connections 16384; }")
    assert re.findall(r"worker_\w+ \d+", conf.read_text()) == ["worker_rlimit_nofile 65536", "worker_connections 16384"]


@pytest.mark.parametrize("unit", sorted(path.name for path in UNITS.glob("*.service")))
def test_the_units_say_nothing_that_the_trial_does_not_know(unit: str) -> None:
    service = systemctl.read_service((UNITS / unit).read_text(), "8001")
    assert service["User"] == ["smazzata"]
    assert "%" not in "".join(service["ExecStart"])


def test_a_unit_with_a_word_nobody_follows_is_refused() -> None:
    with pytest.raises(systemctl.Refused, match="ExecStartPre is not followed"):
        systemctl.read_service("[Service]\nExecStartPre=/bin/true\n", "")


def test_an_environment_file_is_read_as_systemd_reads_it() -> None:
    text = '# a word\nONE="a b"\nTWO=\'$HOME `x`\'\n\nTHREE="a\\"b\\\\c \\$d $e"\nFOUR=plain\nFIVE=""\n'
    assert systemctl.read_environment(text) == {
        "ONE": "a b",
        "TWO": "$HOME `x`",
        "THREE": 'a"b\\c $d $e',
        "FOUR": "plain",
        "FIVE": "",
    }
    with pytest.raises(systemctl.Refused):
        systemctl.read_environment("export ONE=1\n")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root changes its root")
def test_a_process_that_was_left_behind_in_a_system_is_found(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.chroot(tmp_path)
        os.write(writing, b"there")
        time.sleep(60)
        os._exit(0)
    try:
        assert os.read(reading, 5) == b"there"
        assert list(find_processes(tmp_path)) == [child]
        assert find_processes(tmp_path / "elsewhere") == {}
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert find_processes(tmp_path) == {}
