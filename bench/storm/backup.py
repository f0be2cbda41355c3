"""Backups in a storm (H10): dumped beside it by the documented commands, restored, and compared with what was told."""

import subprocess
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from bench.storm.history import Evidence, check
from bench.storm.layouts import Deployed
from bench.storm.run import gather_evidence


class Backup:
    """A dump made in the midst of a storm as docs/operations.md says, restored elsewhere (H10)."""

    def __init__(self, layout: Deployed, *options: str) -> None:
        """``options``: more of pg_dump's."""
        self.layout, self.options, self.began = layout, options, 0.0
        self.dump = Path(layout.database.folder) / "storm.dump"

    def make(self) -> None:
        self.began = time.time()
        self._run("pg_dump", "--format=custom", f"--file={self.dump}", *self.options, "postgres")

    def check(self, evidence: Evidence) -> list[str]:
        """Restore the dump, and check what had happened before it against it; what is in it is also in the original."""
        self._run("createdb", "restored")
        self._run("pg_restore", "--exit-on-error", "--no-owner", "--dbname=restored", str(self.dump))
        query = partial(self.layout.query_together, name="restored")
        restored = gather_evidence(evidence.history.cut(self.began), self.layout.clock, query)
        faults = check(replace(restored, ended_at=self.began)).faults
        if not any(match.status == "playing" for match in restored.matches.values()):
            faults.append("nobody played while the dump was made")
        return faults + [
            f"{name}: the backup has other moves"
            for name, match in restored.matches.items()
            if evidence.matches[name].moves[: len(match.moves)] != match.moves
        ]

    def _run(self, name: str, *arguments: str) -> None:
        database = self.layout.database
        command = [str(database.programs / name), f"--host={database.folder}", "--username=postgres", *arguments]
        subprocess.run([*database.user, *command], check=True, cwd=database.folder)
