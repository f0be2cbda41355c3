"""``python -m bench.put_back [name…]``: put faults that were mended back, one after another, and see tests go red.

A fault is a file of ``bench/faults``: plain lines, then a diff against the code as it is. Of the lines the first say
what goes wrong; ``From:`` says where that is told; each ``Test:`` names tests of which one at least must go red
(files or ``file::test``, with ``--db=postgres`` before them where only PostgreSQL shows it).

The named tests are run once as everything is, in a copy of the checkout, and must be green; then each fault is put
into the copy and taken out again. A test that can't be collected, or a run that breaks off, is no test that saw the
fault. ``--check`` only asks whether each diff applies and each test exists. The ending is 1 if any fault isn't seen.
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
FAULTS = Path(__file__).resolve().parent / "faults"
LINKED = (".venv", "node_modules")  # installed, and not copied
KEPT = "SMAZZATA_TEST_KEPT"  # the folder of what is made once (tests/services.py), as the empty database
# A file changed twice within a second is no older than its bytecode; pytest cuts its words at so many columns.
SETTINGS = {"PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "250"}
GREEN, RED = 0, 1  # pytest's codes; all others say that it couldn't try
ENDINGS = {2: "tests couldn't be collected", 4: "tests weren't there or couldn't be imported", 5: "no test was left"}
MOST_SECONDS = 900.0  # of one run: a fault may make tests wait for ever


@dataclass(frozen=True, slots=True)
class Demand:
    """Tests of which one at least must go red, and the database they run on."""

    tests: tuple[str, ...]
    db: str = "sqlite"

    def __str__(self) -> str:
        return " ".join((*(("--db=postgres",) if self.db == "postgres" else ()), *self.tests))


@dataclass(frozen=True, slots=True)
class MendedFault:
    """File of a fault, read."""

    name: str
    path: Path
    about: str
    origin: str
    demands: tuple[Demand, ...]
    diff: str

    @property
    def in_what_is_kept(self) -> bool:
        """Return whether it changes tables or what browsers are sent: no empty database and no collected static files
        that were made without it fit."""
        return bool(re.search(r"^\+\+\+ .*/(models|migrations|static)\b", self.diff, re.MULTILINE))


@dataclass(frozen=True, slots=True)
class Trial:
    """Demand tried while its fault was in, and the words of its end."""

    fault: MendedFault
    demand: Demand
    seen: bool
    words: str
    seconds: float


class Broken(Exception):
    """Sentence for whoever runs this: what must be mended before any fault can be tried."""


def read_faults(names: Sequence[str] = ()) -> list[MendedFault]:
    """Return the faults of these names, or all. Broken: a name nobody has, a file without what it needs."""
    paths = {path.stem: path for path in sorted(FAULTS.glob("*.patch"))}
    unknown = [name for name in names if name not in paths]
    if unknown:
        raise Broken(f"no fault is called {', '.join(unknown)}; there are {', '.join(paths)}")
    return [read_fault(paths[name]) for name in names or paths]


def read_fault(path: Path) -> MendedFault:
    """Read one file. Broken: it lacks a description, an origin, a test or a diff."""
    head, mark, diff = path.read_text().partition("diff --git ")
    about, origin, demands = [], "", []
    for line in filter(None, map(str.strip, head.splitlines())):
        if line.startswith("From:"):
            origin = line.removeprefix("From:").strip()
        elif line.startswith("Test:"):
            words = line.removeprefix("Test:").split()
            db = "postgres" if "--db=postgres" in words else "sqlite"
            demands.append(Demand(tuple(word for word in words if not word.startswith("--")), db))
        else:
            about.append(line)
    lacks = [
        name
        for name, value in (("a description", about), ("From:", origin), ("Test:", demands), ("a diff", mark))
        if not value
    ]
    if lacks:
        raise Broken(f"{path.name} lacks {', '.join(lacks)}")
    return MendedFault(path.stem, path, " ".join(about), origin, tuple(demands), mark + diff)


# --- Without running anything -------------------------------------------------------------------------------------


@cache
def list_tests(path: Path) -> frozenset[str]:
    """Return the tests of a file, ``Class::test`` those of a class."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            inner = (part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))
            names |= {f"{node.name}::{part.name}" for part in inner}
    return frozenset(names)


def find_missing(test: str, root: Path = ROOT) -> str:
    """Return "" for a test that exists, else a sentence, with where a test of that name is now."""
    file, _, name = test.partition("::")
    name = name.partition("[")[0]
    path = root / file
    if path.exists() and (not name or (path.is_file() and name in list_tests(path))):
        return ""
    if not name:
        return f"{file} isn't there any more"
    last = name.rpartition("::")[2]
    moved = [
        str(other.relative_to(root))
        for other in sorted((root / "tests").rglob("test_*.py"))
        if re.search(rf"^\s*(async )?def {re.escape(last)}\(", other.read_text(), re.MULTILINE)
    ]
    return f"{test} isn't there any more" + (f": it is in {', '.join(moved)} now" if moved else "")


def apply_diff(fault: MendedFault, root: Path, *options: str) -> str:
    """Run ``git apply`` in a folder; return "" or what it says against it."""
    command = ["git", "apply", *options, str(fault.path)]
    env = {**os.environ, "GIT_CEILING_DIRECTORIES": str(root.parent)}  # of a copy no repository around it
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr.strip() or f"git apply ended with {done.returncode}"


def check(faults: Sequence[MendedFault]) -> list[str]:
    """Return a sentence for each diff that no longer applies and each test that is no longer there."""
    problems = []
    for fault in faults:
        against = apply_diff(fault, ROOT, "--check")
        if against:
            problems.append(f"{fault.name}: its diff no longer applies: {against}")
        missing = (find_missing(test) for demand in fault.demands for test in demand.tests)
        problems += [f"{fault.name}: {sentence}" for sentence in missing if sentence]
    return problems


# --- In a copy of the checkout ------------------------------------------------------------------------------------


def copy_checkout(folder: Path) -> Path:
    """Copy what git knows of the checkout, with what isn't committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for name in LINKED:
        if (ROOT / name).exists():
            (folder / name).symlink_to((ROOT / name).resolve())
    # Some tests ask git for the files there are.
    for command in (("init", "--quiet"), ("add", "--all")):
        subprocess.run(["git", *command], cwd=folder, capture_output=True, check=True)
    return folder


def run_tests(copy: Path, demand: Demand, *, kept: Path | None, first: bool) -> tuple[int, str, float]:
    """Run a demand's tests; return pytest's code (-1: out of time), the last line it wrote and the seconds."""
    browser = any(test.startswith("tests/browser") for test in demand.tests)
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=line", "-p", "no:cacheprovider", "-m", "not soak"]
    command += [] if browser else ["-p", "no:playwright"]
    command += [*(["-x"] if first else []), f"--db={demand.db}", *demand.tests]
    env = {**os.environ, **SETTINGS} | ({KEPT: str(kept)} if kept else {})
    began = time.monotonic()
    with subprocess.Popen(
        command, cwd=copy, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        try:
            output, _ = process.communicate(timeout=MOST_SECONDS)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.terminate()
            output, code = process.communicate()[0], -1
    return code, describe_end(code, output), time.monotonic() - began


def describe_end(code: int, output: str) -> str:
    """Return which test was red, or why there was none."""
    red = re.findall(r"^(?:FAILED|ERROR) tests/.*$", output, re.MULTILINE)
    lines = output.strip().splitlines() or [""]
    if code == -1:
        return f"still running after {MOST_SECONDS:.0f} s"
    if code in (GREEN, RED):
        return "; ".join(red) or lines[-1]
    errors = [line for line in lines if line.startswith("E ")]  # why something can't be imported
    return f"pytest ended with {code}, {ENDINGS.get(code, 'it broke off')}: {'; '.join(red) or (errors or lines)[-1]}"


def require_green(faults: Sequence[MendedFault], copy: Path, kept: Path) -> None:
    """Run all named tests once, as everything is. Broken: one of them isn't green."""
    for db in sorted({demand.db for fault in faults for demand in fault.demands}, reverse=True):
        demands = [demand for fault in faults for demand in fault.demands if demand.db == db]
        browser = {True: set(), False: set()}
        for test in (test for demand in demands for test in demand.tests):
            browser[test.startswith("tests/browser")].add(test)  # the two can't share a process
        for tests in filter(None, browser.values()):
            code, words, seconds = run_tests(copy, Demand(tuple(sorted(tests)), db), kept=kept, first=False)
            if code != GREEN:
                raise Broken(f"without any fault, the named tests aren't green on {db}: {words}")
            say(f"green without a fault: {len(tests)} named tests on {db}, {seconds:.0f} s")


def try_fault(fault: MendedFault, copy: Path, kept: Path) -> Iterator[Trial]:
    """Put one fault into a copy, run each of its demands, and take it out again."""
    against = apply_diff(fault, copy)
    if against:
        raise Broken(f"{fault.name}: its diff no longer applies: {against}")
    try:
        for demand in fault.demands:
            code, words, seconds = run_tests(copy, demand, kept=None if fault.in_what_is_kept else kept, first=True)
            yield Trial(fault, demand, code == RED, words, seconds)
    finally:
        apply_diff(fault, copy, "--reverse")


def try_all(faults: Sequence[MendedFault], jobs: int, *, green: bool = False) -> list[Trial]:
    """Try the faults, so many at once, each in a copy that nobody else uses meanwhile. ``green``: somebody has seen it
    that the tests are."""
    trials: list[Trial] = []
    with tempfile.TemporaryDirectory(prefix="smazzata-faults-") as place:
        Path(place).chmod(0o755)  # PostgreSQL's user passes through
        kept = Path(place) / "kept"
        kept.mkdir(mode=0o755)
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(min(jobs, len(faults))):
            folder = Path(place) / f"copy-{number}"
            folder.mkdir()
            copies.put(copy_checkout(folder))
        if not green:
            copy = copies.get()
            require_green(faults, copy, kept)
            copies.put(copy)

        def take_turn(fault: MendedFault) -> list[Trial]:
            copy = copies.get()
            try:
                own = []
                for trial in try_fault(fault, copy, kept):
                    say(describe_trial(trial))
                    own.append(trial)
                return own
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            for own in pool.map(take_turn, faults):
                trials += own
    return trials


def describe_trial(trial: Trial) -> str:
    word = "red" if trial.seen else "NOT SEEN"
    return f"{trial.fault.name:28} {word:8} {trial.seconds:6.1f} s  {trial.demand}\n{'':28} {trial.words[:250]}"


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program of the terminal


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.put_back", description="Put faults back, see tests go red.")
    parser.add_argument("names", nargs="*", help="faults to try; all without a name")
    parser.add_argument("--jobs", type=int, default=1, help="how many are tried at once")
    parser.add_argument("--green", action="store_true", help="the tests are green without a fault: don't ask")
    parser.add_argument("--check", action="store_true", help="only see that diffs apply and tests exist")
    parser.add_argument("--list", action="store_true", help="only name the faults, with what goes wrong")
    options = parser.parse_args(arguments)
    try:
        faults = read_faults(options.names)
        if options.list:
            say("\n".join(f"{fault.name:32} {fault.about} ({fault.origin})" for fault in faults))
            return 0
        problems = check(faults)
        if problems:
            raise Broken("\n".join(problems))
        if options.check:
            return 0
        trials = try_all(faults, max(1, options.jobs), green=options.green)
    except Broken as sentence:
        say(str(sentence))
        return 1
    unseen = [trial for trial in trials if not trial.seen]
    spent = sum(trial.seconds for trial in trials)
    say(f"\n{len(faults)} faults, {len(trials)} demands, {len(unseen)} not seen, {spent:.0f} s")
    for trial in unseen:
        say(f"NOT SEEN {trial.fault.name} by {trial.demand}: {trial.words}")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
