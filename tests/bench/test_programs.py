"""Every bench and storm still begins: its modules load, what they start is there, and a bench needs no argument."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import bench
from bench import __main__ as program
from bench.storm import __main__ as storm
from bench.storm import negative, soak
from bench.storm.plants import PLANTS

NAMED = re.compile(r'"(bench(?:\.\w+)+)"')
PROGRAM = re.compile(r'"-m",\s*"(bench[.\w]*)"')
MODULES = sorted(module.name for module in pkgutil.walk_packages(bench.__path__, "bench."))


def read_source(name: str) -> str:
    return Path(str(importlib.import_module(name).__file__)).read_text()


def test_every_module_of_the_benches_loads_and_what_one_starts_is_a_program() -> None:
    assert len(MODULES) > 50
    named = {(module, name) for module in MODULES for name in PROGRAM.findall(read_source(module))}
    assert len(named) > 15
    assert [(module, name) for module, name in named if '__name__ == "__main__"' not in read_source(name)] == []


def test_a_program_of_the_benches_that_loads_the_product_writes_no_log_of_a_server() -> None:
    """`make bench` shows its table and nothing else: the tables played at would say a hundred lines before it."""
    source = {module: read_source(module) for module in MODULES if not module.startswith("bench.walker")}
    assert [module for module, text in source.items() if "django.setup(" in text] == ["bench.programs"]


def test_settings_layers_and_apps_that_a_bench_names_are_there() -> None:
    named = {name for module in MODULES for name in NAMED.findall(read_source(module))} - {"bench.md"}
    assert {"bench.settings", "bench.storm.settings", "bench.storm.lossy.LossyLayer"} <= named
    for name in named:
        pkgutil.resolve_name(name)


def test_every_bench_of_the_table_runs_without_being_told_anything() -> None:
    for run in program.BENCHES.values():
        inspect.signature(run).bind()
    assert set(program.ON_BOTH) <= set(program.BENCHES)


def test_a_bench_that_nobody_has_is_refused_with_the_names_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main("SPEED", None) == 1
    assert ", ".join(program.BENCHES) in capsys.readouterr().err


def test_a_storm_says_what_it_can_be_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["storm", "--help"])
    with pytest.raises(SystemExit) as ended:
        storm.main()
    assert ended.value.code == 0
    assert "--kill-every" in capsys.readouterr().out


def test_every_long_storm_and_every_planted_fault_kills_what_there_is() -> None:
    assert {long.guarantee for long in soak.LONG.values()} >= {"H1", "H2", "H3", "H5", "H6", "H9", "H10", "AT1"}
    kinds = {"web", "worker", "beat", "redis", "postgres"}
    assert all(set(long.plan.killed) <= kinds for long in soak.LONG.values())
    assert all(set(negative.build_plan(plant, negative.QUICK).killed) <= kinds for plant in PLANTS.values())
