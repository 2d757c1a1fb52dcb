"""What reading costs: CoNLL against finding its lines, CoNLL-U against udapi, JSON lines against json.loads."""

from __future__ import annotations

import gc
import importlib.util
import json
import re
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import corefeval
import corpora
from timing import best, said

if TYPE_CHECKING:
    pass

_UDAPI = """
import sys, time
from udapi.core.document import Document
from udapi.block.read.conllu import Conllu
start = time.perf_counter()
document = Document(); document.load_conllu(sys.argv[1])
entities = document.coref_entities
print(time.perf_counter() - start)
"""


def reading(*, quick: bool) -> None:
    """Compare, on the corpus of 263 documents, 252,000 words and 33,000 mentions."""
    runs = 3 if quick else 9
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        conll, _ = corpora.files(folder, corpora.Size(263, 126, 958))
        corpus = corefeval.read(conll)
        bare = folder / "bare.conll"
        bare.write_bytes(re.sub(rb"[(\d|)]+$", b"-", conll.read_bytes(), flags=re.MULTILINE))
        print("\nReading 263 documents, 252,000 words, 33,000 mentions")
        lines = best(partial(_lines, bare), runs)
        said("CoNLL: bytes and line ends in NumPy", lines, lines)
        said("CoNLL: without its mentions", best(partial(corefeval.read, bare), runs), lines)
        said("CoNLL", best(partial(corefeval.read, conll), runs), lines)
        jsonlines = folder / "key.jsonlines"
        corefeval.write(corpus, jsonlines)
        loads = best(partial(_loads, jsonlines), runs)
        said("JSON lines: json.loads", loads, loads)
        said("JSON lines", best(partial(corefeval.read, jsonlines), runs), loads)
        conllu = folder / "key.conllu"
        corefeval.write(corpus, conllu)
        ours = best(partial(corefeval.read, conllu), runs)
        said("CoNLL-U", ours, ours)
        if importlib.util.find_spec("udapi"):
            code = [sys.executable, "-c", _UDAPI, str(conllu)]
            seconds = float(subprocess.run(code, check=True, capture_output=True, text=True).stdout)
            said("CoNLL-U: udapi", seconds, ours)


def against_udapi(conllu: Path, *, quick: bool) -> None:
    """Read a file with udapi and with corefeval in turn, in one process."""
    udapi = importlib.import_module("udapi.core.document")

    def theirs() -> object:
        document = udapi.Document()
        document.load_conllu(str(conllu))
        return document.coref_entities

    corefeval.read(conllu)
    times: dict[str, list[float]] = {"udapi": [], "corefeval": []}
    for _ in range(3 if quick else 9):
        times["udapi"].append(best(theirs, 1))
        gc.collect()
        times["corefeval"] += [best(partial(corefeval.read, conllu), 1) for _ in range(4)]
    print(f"\nReading {conllu.name}, in turn")
    for what, choose in (("best", min), ("median", statistics.median)):
        ours = choose(times["corefeval"])
        said(f"CoNLL-U, {what}", ours, ours)
        said(f"CoNLL-U: udapi, {what}", choose(times["udapi"]), ours)


def _lines(path: Path) -> object:
    return np.flatnonzero(np.frombuffer(path.read_bytes(), dtype=np.uint8) == ord("\n"))


def _loads(path: Path) -> object:
    return [json.loads(line) for line in path.read_bytes().splitlines()]
