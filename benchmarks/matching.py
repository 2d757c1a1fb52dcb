"""What matching costs beside reading, and the whole command beside the CorefUD scorer."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import corefeval
import corpora
import zeros
from corefeval.matching import matching as matched
from corefeval.profiles.registry import resolve_options
from timing import best, said

if TYPE_CHECKING:
    from collections.abc import Sequence

RULES = (("exact", "order"), ("head", "order"), ("head", "dependency"), ("partial", "dependency"), ("craft", "order"))


def matching(corefud_scorer: Path | None, *, quick: bool) -> None:
    """Compare, on 263 documents with 70,000 mentions a side, a ninth of them zeros."""
    runs = 3 if quick else 9
    with tempfile.TemporaryDirectory() as name:
        key, response = zeros.files(Path(name), corpora.Size(263, 280, 1600))
        sides = corefeval.read(key), corefeval.read(response)
        print(f"\nMatching 263 documents, {len(sides[0]):,} and {len(sides[1]):,} mentions")
        reading = sum(best(partial(corefeval.read, path), runs) for path in (key, response))
        said("reading both files", reading, reading)
        for match, of_zeros in RULES:
            options = resolve_options(match=match, zeros=of_zeros)
            seconds = best(partial(matched.build_tables, *sides, options), runs)
            said(f"match={match}, zeros={of_zeros}", seconds, reading)
        ours = [Path(sys.executable).with_name("corefeval"), "score", "-q", "--match", "head", "--zeros", "dependency",
                "--singletons", "drop", key, response]  # fmt: skip
        seconds = best(partial(_run, ours), runs)
        print(f"\nThe whole command, head match, zeros by dependency\n  corefeval      {seconds:8.2f} s")
        if corefud_scorer:
            measures = ["muc", "bcub", "ceafm", "ceafe", "blanc", "lea"]
            theirs = [
                sys.executable,
                corefud_scorer / "corefud-scorer.py",
                "-a",
                "head",
                key,
                response,
                "-m",
                *measures,
            ]
            slow = best(partial(_run, theirs), 1)
            print(f"  CorefUD scorer {slow:8.2f} s   {slow / seconds:.0f} times as long")


def _run(arguments: Sequence[object]) -> None:
    subprocess.run([str(each) for each in arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
