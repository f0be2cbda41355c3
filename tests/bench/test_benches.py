"""The benches run: each in a form too small to measure anything, whole processes and peers included where they are."""

import shutil
from pathlib import Path

import pytest

from bench import __main__ as program
from bench import (
    beside,
    delays,
    draws,
    forged,
    halls,
    languages,
    level_times,
    level_trial,
    load,
    peers,
    rankings,
    ranks,
    rest,
    sites,
    solvers,
    spiel,
    tells,
    timeouts,
    transactions,
)
from bench.hall_stage import STEPS
from bench.tables import Table
from tests.services import kept

PEERLESS = "not measured"


@pytest.fixture
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep all peers away, as on a machine without a network: a test installs nothing."""

    def away() -> None:
        raise peers.Unavailable("It is not here.")

    monkeypatch.setattr(peers, "open_spiel", away)
    monkeypatch.setattr(peers, "boardgame", away)
    monkeypatch.setattr(peers, "brackets", away)


@pytest.fixture
def migrated_already(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of a bench is a copy of the tests' own empty one: a bench makes its own, the same."""
    honest = sites.Backing.run

    def run(self: sites.Backing, *arguments: str) -> str:
        if arguments[:2] != ("manage.py", "migrate"):
            return honest(self, *arguments)
        data = Path(self.env["DATA_DIR"])
        data.mkdir()
        shutil.copy(kept() / "empty.sqlite3", data / "smazzata.sqlite3")
        return ""

    monkeypatch.setattr(sites.Backing, "run", run)


@pytest.mark.soak
def test_the_rules_bench_prints_ours_without_its_peer(no_peers: None) -> None:
    table = spiel.run(rounds=2, deals=2)
    assert len(table.rows) == 2 * len(spiel.GAMES)
    assert all(row[2] == PEERLESS and row[1].endswith("/s") for row in table.rows)
    assert "It is not here." in table.notes


def test_exact_endings_are_solved_and_held_against_the_peers_figures() -> None:
    table = solvers.run(ends=3)
    assert [row[0] for row in table.rows] == ["the last 5 tricks", "the last 6 tricks", "the last 7 tricks"]
    assert all(float(row[4]) > 0 for row in table.rows)
    assert [row[5] for row in table.rows] == ["", "≤ 1", "≤ 1"]


@pytest.mark.soak
def test_delays_are_taken_at_a_real_server(no_peers: None, migrated_already: None) -> None:
    table = delays.run(rounds=1, tables=2, seconds=0.5, rate=20, warm_up=0.1)
    assert [row[0] for row in table.rows] == ["p50", "p99"]
    assert all(float(row[1].removesuffix(" ms")) > 0 for row in table.rows)


@pytest.mark.soak
def test_a_move_takes_the_same_few_queries_always(migrated_already: None) -> None:
    table = transactions.run(rounds=1, moves=3, databases=("sqlite",))
    assert int(table.rows[1][1]) <= transactions.MOST_QUERIES


@pytest.mark.soak
def test_evenings_at_real_tables_are_typed_and_drawn(migrated_already: None) -> None:
    assert halls.run_quick(evenings=1, players=4).rows[0][1].endswith(" ms")
    assert len(halls.run_danese(fields=1, entries=8).rows) == 2 * len(STEPS)


@pytest.mark.soak
def test_timeouts_of_a_real_sweep_are_none_too_early(migrated_already: None) -> None:
    table = timeouts.run(tables=3, spread=0.1, turn=1, masters=1)
    assert not any("early" in sentence for sentence in table.short)


@pytest.mark.soak
def test_forged_tournaments_are_read_to_their_end_and_refused_beside_timeouts(migrated_already: None) -> None:
    table = forged.run(tables=3, entries=8, megabytes=1, members=2)
    assert "file_refused" in table.notes[0]


@pytest.mark.soak
def test_refusals_and_the_houses_plays_are_timed_at_real_processes(migrated_already: None) -> None:
    table = tells.run(guessed_at=1, house_tables=2, plays=12)
    assert len(table.rows) == 2
    assert all(float(row[2].split()[0]) > 0 for row in table.rows)


def test_a_spy_wins_half_of_the_bets_where_time_tells_nothing_and_more_where_it_does() -> None:
    assert tells.compute_bets_won([1.0, 3.0], [2.0, 2.0])[0] == 0.5
    share, width = tells.compute_bets_won([time + 0.2 for time in range(300)], range(300))
    assert abs(share - 0.5) <= width
    share, width = tells.compute_bets_won([time + 40.0 for time in range(300)], range(300))
    assert share - 0.5 > width


@pytest.mark.soak
def test_big_fields_are_drawn_and_their_standings_read(no_peers: None, migrated_already: None) -> None:
    table = draws.run(rounds=1, sizes=(8, 6))
    assert [row[0] for row in table.rows if "entries" in row[0]] == ["ko, 8 entries", "girone, 6 entries"]
    assert "It is not here." in table.notes
    read = ranks.run(rounds=1, entries=120)
    assert rankings.run(rounds=1, people=120, tournaments=60).rows
    assert all(float(row[1].removesuffix(" ms")) > 0 for row in read.rows)


@pytest.mark.rule("L4")
def test_the_trial_of_levels_compares_six_ways() -> None:
    tried = level_trial.run(people=24, matches=4, worlds=1)
    assert len(tried.rows) == 6
    assert all(0 < float(row[1]) < 3 and -1 <= float(row[2]) <= 1 for row in tried.rows)


@pytest.mark.soak
@pytest.mark.rule("L6")
def test_levels_computed_again_are_those_that_were_stored() -> None:
    measured = level_times.run(matches=600, people=12)
    assert measured.short == []


def test_a_goal_not_reached_is_said_in_the_table() -> None:
    pair = beside.in_turns(lambda: 1.0, lambda: 2.0, rounds=3)
    cells, short = beside.row("plies", pair, beside.per_second, beside.Goal(0.8))
    assert cells[3] == "0.50"
    assert short == ["plies: 0.50 × the peer's, the goal is ≥ 0.8."]
    assert beside.row("plies", pair, beside.per_second, beside.Goal(0.5))[1] == []
    assert beside.row("lateness", pair, beside.milliseconds, beside.Goal(0.4, at_most=True))[1] != []


def test_each_bench_keeps_its_section_of_the_page(tmp_path: Path) -> None:
    page = tmp_path / "bench.md"
    first = Table("One", ("what", "a second"), [["moves", "1,000"]])
    program.open_page(page).write("SP3", first)
    program.open_page(page).write("SP1", Table("Two", ("what", "a second"), [["plies", "9"]], short=["Too few."]))
    program.open_page(page).write("SP3", Table("Three", ("what", "a second"), [["moves", "2,000"]]))
    text = page.read_text()
    assert text.index("## SP1") < text.index("## SP3")
    assert "FALLS SHORT: Too few." in text
    assert "2,000" in text
    assert "1,000" not in text


def test_the_load_program_refuses_more_than_a_bench_may_make() -> None:
    with pytest.raises(ValueError, match="more load"):
        load.read_job('{"language": "ours", "port": 1, "tables": [], "seconds": 3600}')


def test_both_languages_say_whose_turn_it_is_and_what_may_be_played() -> None:
    place = languages.Place("tavolo", 1)
    ours = '{"t":"view","v":7,"legal":[{"move":"play 7d"}]}'
    assert languages.LANGUAGES["ours"].read(ours, place) == languages.Heard(7, "play 7d")
    theirs = '42/tresette,["update","tavolo",{"_stateID":7,"G":{"legal":[]}},[]]'
    assert languages.LANGUAGES["boardgame.io"].read(theirs, place) == languages.Heard(7, "")
    assert isinstance(languages.LANGUAGES["ours"].read('{"t":"error"}', place), languages.Complaint)


def test_the_rest_of_a_site_is_every_process_and_their_sum() -> None:
    ours = {"worker": rest.Rested(2.0, 150.0), "web": rest.Rested(0.5, 120.0)}
    bare = {"web": rest.Rested(0.5, 30.0), "an idle Python": rest.Rested(0.0, 10.0)}
    table = rest.build_table(ours, bare, 60)
    together = next(row for row in table.rows if row[0] == "all 2 together")
    assert together[1:5] == ["2.50 %", "270.0 MB", "5.00", "9.00"]
    assert table.short == ["2.50 % of a core, the goal is 1 %.", "270 MB, the goal is 250 MB."]


@pytest.mark.soak
def test_the_rest_of_a_site_is_taken_of_all_that_make_run_starts() -> None:
    table = rest.run(settle=0, measure=1)
    assert {"supervisor", "Redis", "web", "worker"} < {row[0] for row in table.rows}
