"""Command lines of the product's processes, after ``python``: one place for the supervisor, tests and docs."""

from pathlib import Path

WEB = ("-m", "config.launcher.web")
CELERY = ("-m", "celery", "--quiet", "--app", "config")  # no banner: its log is one of objects
WORKER = (
    *CELERY,
    *("worker", "--pool", "threads", "--concurrency", "4"),
    *("--loglevel", "INFO", "--without-gossip", "--without-mingle"),
)


def build_worker_with_beat(schedule: Path) -> tuple[str, ...]:
    """Return the command of the one worker of a site of one machine, with Celery's beat in it."""
    return (*WORKER, "--with-beat", str(schedule))


def build_beat(schedule: Path) -> tuple[str, ...]:
    """Return the command of Celery's beat, which remembers in ``schedule`` when it last ran what."""
    return (
        *CELERY,
        "beat",
        "--loglevel",
        "INFO",
        "--schedule",
        str(schedule),
        "--pidfile",
        "",
    )
