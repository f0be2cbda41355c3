"""Memory, descriptors and threads of the processes of a storm, and their growth (H9)."""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean, linear_regression

import psutil

SAMPLE_SECONDS = 5.0
WARM_UP = 1 / 3  # of the samples: caches fill


@dataclass
class ProcessWatch:
    """Samples of each process: (seconds since the start, memory in MB, descriptors, threads)."""

    began: float = field(default_factory=time.monotonic)
    samples: dict[str, list[tuple[float, float, int, int]]] = field(default_factory=lambda: defaultdict(list))
    _next: float = 0.0

    def sample(self, pids: Mapping[str, int]) -> None:
        """Take a sample if it is time for one."""
        now = time.monotonic() - self.began
        if now < self._next:
            return
        self._next = now + SAMPLE_SECONDS
        for name, pid in pids.items():
            try:
                process = psutil.Process(pid)
                with process.oneshot():
                    row = (now, process.memory_info().rss / 2**20, process.num_fds(), process.num_threads())
            except psutil.Error:
                continue
            self.samples[name].append(row)

    def measure_growth(self) -> dict[str, float]:
        """Return by what each use grew from the end of the warm-up to the end, along the line that fits best, in
        hundredths of its mean."""
        figures = {}
        for name, rows in self.samples.items():
            steady = rows[int(len(rows) * WARM_UP) :]
            if len(steady) < 4:
                continue
            hours = [row[0] for row in steady]
            for column, what in enumerate(("memory", "descriptors", "threads"), 1):
                figures[f"{name}: {what} grew by, %"] = measure_rise(hours, [row[column] for row in steady])
        return figures


def measure_rise(at: list[float], values: Iterable[float]) -> float:
    """Return the rise of the line through values from the first instant to the last, in hundredths of their mean."""
    ordered = list(values)
    mean = fmean(ordered)
    return 0.0 if not mean else 100 * linear_regression(at, ordered).slope * (at[-1] - at[0]) / mean
