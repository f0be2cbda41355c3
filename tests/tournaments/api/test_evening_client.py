"""The example client, typed and run as a program against a live site: a KO (of 8, in the soak of 16) from a CSV to its
ranking."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import timezone

from players.models import Player
from tests.support.entries import accept_all
from tests.support.keys import make_key
from tests.support.live import ROOT, Site
from tests.support.people import create_person
from tests.support.thorough import tries
from tests.support.waiting import PATIENCE
from tournaments.models import Tournament

CLIENT = ROOT / "docs/examples/evening.py"
NAMES = (
    "Adele", "Biagio", "Carola", "Dario", "Elsa", "Furio", "Gilda", "Ivo",
    "Lidia", "Mauro", "Norma", "Oreste", "Pia", "Renzo", "Sara", "Ugo",
)[: tries(8, 16)]  # fmt: skip
MATCHES = len(NAMES) // 2  # of the first round


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, str(CLIENT), *arguments], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_files(folder: Path) -> tuple[str, str]:
    """Write the players and the results of every round; return where they are."""
    players, results = folder / "players.csv", folder / "results.csv"
    players.write_text("\n".join(NAMES))
    sizes = [MATCHES >> round_ for round_ in range(len(NAMES).bit_length() - 1)]
    places = [(round_, board) for round_, boards in enumerate(sizes, 1) for board in range(1, boards + 1)]
    results.write_text("\n".join(f"{round_},{board},11,{board % 7}" for round_, board in places))
    return str(players), str(results)


@pytest.mark.rule("AP9")
@pytest.mark.django_db(transaction=True)
def test_an_evening_from_a_csv_to_the_ranking_u9(live_site: Site, tmp_path: Path) -> None:
    now = timezone.now()
    organiser = create_person("Teresa", now)
    for name in NAMES:
        create_person(name, now)
    players, results = write_files(tmp_path)
    key = make_key(organiser, scopes=["read", "organise"])
    arguments = ("--site", live_site.url, "--key", key, players, results)
    assert f"0 of {len(NAMES)}" in run(*arguments)
    tournament = Tournament.objects.get()
    accept_all(tournament, timezone.now())
    first = run(*arguments)
    assert run(*arguments) == first, "run again it writes nothing anew"
    assert Tournament.objects.count() == 1
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    draw, ranking = first.splitlines()[:MATCHES], first.splitlines()[MATCHES:]
    assert {name for row in draw for name in row.partition(": ")[2].split(" - ")} == set(NAMES)
    champion = tournament.entries.get(rank=1).members.with_people().get().person.name
    assert ranking[0] == f"1. {champion}"
    assert len(ranking) == len(NAMES)
    assert Player.objects.filter(name=champion).exists()


@pytest.mark.rule("AP9", "O2")
@pytest.mark.django_db(transaction=True)
def test_an_evening_at_real_tables_needs_no_accounts_u9_o2(live_site: Site, tmp_path: Path) -> None:
    key = make_key(create_person("Teresa", timezone.now()), scopes=["read", "organise"])
    arguments = ("--real", "--site", live_site.url, "--key", key, *write_files(tmp_path))
    first = run(*arguments)
    assert run(*arguments) == first, "run again it writes nothing anew"
    tournament = Tournament.objects.get()
    assert (tournament.state, Player.objects.count()) == ("finished", 1)
    assert {name for row in first.splitlines()[:MATCHES] for name in row.partition(": ")[2].split(" - ")} == set(NAMES)
    assert len(first.splitlines()[MATCHES:]) == len(NAMES)


def test_the_client_has_types() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(CLIENT)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout
