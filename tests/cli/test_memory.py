"""Commands that hold all mentions take memory in proportion to them: so much a mention, and no more."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is limited and measured as Linux does"),
]

LIMITED = """
import resource, sys
import scipy.optimize, scipy.special  # what libraries map is no part of the limit
import corefeval
from corefeval.__main__ import main
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + int(sys.argv[1]),) * 2)
sys.argv = ["corefeval", *sys.argv[2:]]
main()
"""
MENTIONS = 200_000
WORDS = ("she", "it", "Anna", "the", "house")


def write_sides(folder: Path, documents: int, mentions: int) -> tuple[Path, Path]:
    """Write a key of so many documents, each with so many mentions, and a response with a fifth of them misplaced."""
    draw = random.Random(7)
    sides: list[list[str]] = [[], []]
    for document in range(documents):
        for side in sides:
            side.append(f"#begin document (d{document}); part 000\n")
        for place in range(mentions):
            entity, other = (draw.randrange(mentions // 3 + 1) for _ in sides)
            found = f"({entity if draw.random() < 0.8 else other})" if draw.random() < 0.9 else "-"
            for side, cell in zip(sides, (f"({entity})", found), strict=True):
                side.append(f"d{document}\t0\t{place}\t{WORDS[place % len(WORDS)]}\t{cell}\n")
        for side in sides:
            side.append("\n#end document\n")
    paths = folder / "key.conll", folder / "response.conll"
    for path, side in zip(paths, sides, strict=True):
        path.write_text("".join(side))
    return paths


def run_limited(megabytes: float, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command with so much memory beyond what its libraries take."""
    command = [sys.executable, "-c", LIMITED, str(int(megabytes * 1e6)), *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="module")
def large_sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write_sides(tmp_path_factory.mktemp("large"), 200, MENTIONS // 200)


@pytest.mark.parametrize(
    ("command", "kilobytes"),
    [("errors", 2.5), ("errors --worst 20", 1.5), ("diff", 2), ("report", 4.5), ("agree", 2.5)],
)
def test_memory_is_so_much_a_mention(
    command: str, kilobytes: float, large_sides: tuple[Path, Path], tmp_path: Path
) -> None:
    name, *options = command.split()
    key, response = large_sides
    files = [key, response, key] if name == "diff" else [key, response]
    options += ["-o", str(tmp_path / "page.html")] if name == "report" else []
    done = run_limited(kilobytes * MENTIONS / 1000, name, *files, *options)
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout


def test_one_long_document_takes_as_much(tmp_path: Path) -> None:
    done = run_limited(2.5 * MENTIONS / 1000, "errors", *write_sides(tmp_path, 1, MENTIONS))
    assert done.returncode == 0, done.stderr[-500:]


@pytest.mark.parametrize("command", ["errors --by document", "score --per-document --json"])
def test_many_documents_take_little_each(command: str, tmp_path: Path) -> None:
    """Ten thousand documents of eight mentions, with 12 kB for each."""
    name, *options = command.split()
    done = run_limited(120, name, *write_sides(tmp_path, 10_000, 8), *options)
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.count("part 000") >= 10_000


def test_what_is_too_much_ends_the_command(large_sides: tuple[Path, Path]) -> None:
    """The limits are none without effect: with a tenth of it, the same command does not end well."""
    assert run_limited(0.25 * MENTIONS / 1000, "errors", *large_sides).returncode != 0
