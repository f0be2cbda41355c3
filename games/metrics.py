"""Figures of the tables for whoever runs the site (config/exposition.py). They name no table, no player and no card."""

from prometheus_client import Counter, Gauge, Histogram

MOVES = Counter(
    "smazzata_moves", "Moves stored by this process: cards, calls and timeouts, of people and of the house."
)
ACK_SECONDS = Histogram(
    "smazzata_ack_seconds",
    "From a player's move that came in to its answer, an ack or an error.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5),
)
WRITER_BATCH = Histogram(
    "smazzata_writer_batch_moves",
    "Plain moves that waited for the thread which writes them, each time it looked.",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200),
)
WRITER_LONG_WAY = Counter("smazzata_writer_long_way", "Plain moves that could not be written so and went the long way.")
SWEEP_LAG_SECONDS = Histogram(
    "smazzata_sweep_lag_seconds",
    "From the end of a turn or of a wait for players, grace included, to what was done about it.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60),
)
SWEEP_ROUND_SECONDS = Histogram(
    "smazzata_sweep_round_seconds",
    "Length of a round of the sweep, by its thread.",
    ["thread"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
HOUSE_MOVES = Counter(
    "smazzata_house_moves",
    "Turns of house players, by how they were thought about: in full, with fewer samples, or by rules of thumb.",
    ["thought"],
)
HOUSE_THINKING_SECONDS = Histogram(
    "smazzata_house_thinking_seconds",
    "Processor that a house player's decision took.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1),
)
HOUSE_LATE_SECONDS = Histogram(
    "smazzata_house_late_seconds",
    "From the end of a house player's pause to its move.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10),
)
HOUSE_WAITING = Gauge("smazzata_house_waiting", "Turns of house players nobody had thought about yet, lately.")
VIEWS_HEALED = Counter("smazzata_views_healed", "Tables found by the poll to have moved on: their hint was lost.")
VERSION_GAPS = Counter("smazzata_version_gaps", "Versions by which those tables had moved on.")
TABLES_RUNNING = Gauge("smazzata_tables_running", "Tables of the site at which a clock runs; NaN: no database.")
TABLES_OVERDUE = Gauge("smazzata_tables_overdue", "Tables of the site overdue for two seconds; NaN: no database.")


def count_healed(versions: int) -> None:
    """Count a table whose views were ``versions`` behind when the poll looked."""
    VIEWS_HEALED.inc()
    VERSION_GAPS.inc(versions)
