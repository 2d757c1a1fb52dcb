"""Run by a test: a process that edits a project is killed at a random moment, again and again; nothing may be lost.

python -m tests.workbench.killed PROJECT TIMES SEED
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from typing import Any

from corefeval.workbench.edits import EditError
from corefeval.workbench.project import Project

LONGEST = 0.12  # seconds


def main() -> None:
    path, times, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    draw = random.Random(seed)
    confirmed: list[Any] = []
    for _ in range(times):
        confirmed += run_and_kill(path, draw.random() * LONGEST, draw.randrange(1 << 30))
        project = Project(path)
        rows = [[entry.revision, entry.kind, entry.edit] for entry in project.entries]
        project.close()
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
        by_revision = {row[0]: row for row in rows}
        assert all(by_revision.get(row[0]) == row for row in confirmed), "something confirmed is lost"
    sys.stdout.write(json.dumps({"confirmed": len(confirmed), "written": len(rows)}))


def run_and_kill(path: str, seconds: float, seed: int) -> list[Any]:
    """What a process had confirmed when it was killed."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        work(path, writing, random.Random(seed))
    os.close(writing)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    with os.fdopen(reading) as pipe:
        lines = pipe.read().split("\n")
    return [json.loads(line) for line in lines[:-1]]


def work(path: str, writing: int, draw: random.Random) -> None:
    project = Project(path)
    while True:
        entry = attempt(project, draw)
        if entry is not None:
            os.write(writing, (json.dumps([entry.revision, entry.kind, entry.edit]) + "\n").encode())


def attempt(project: Project, draw: random.Random) -> Any:
    side = draw.choice(["key", "response"])
    annotation = project.get_annotation(side, 0)
    first = draw.randrange(18)
    edits: list[dict[str, Any]] = [{"kind": "make", "runs": [[first, draw.randrange(first, 19)]]}]
    if annotation.mentions:
        chosen = draw.choice(list(annotation.mentions))
        edits += [{"kind": "move", "mentions": [chosen], "entity": draw.choice(list(annotation.entities))}]
        edits += [{"kind": "delete", "mentions": [chosen]}]
    try:
        if draw.random() < 0.2:
            return project.undo("ann")
        return project.make_edit("ann", side, 0, draw.choice(edits))
    except EditError:
        return None


if __name__ == "__main__":
    main()
