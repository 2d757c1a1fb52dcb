"""Every profile beside the scorer that it stands for, on thousands of generated corpora.

    COREFEVAL_PERL=.../reference-coreference-scorers COREFEVAL_COVAL=.../coval \
    COREFEVAL_UA=.../universal-anaphora-scorer COREFEVAL_COREFUD=.../corefud-scorer \
    COREFEVAL_ALLENNLP=.../conll_coref_scores.py COREFEVAL_E2E=.../metrics.py \
        python benchmarks/differential.py --pairs 1000 [--seed 1] [PROFILE...]

Scorers are taken from where the environment says, and left out, saying so, where it says nothing; scorch is imported if
it is installed. Nothing of theirs is part of this project: each runs in a process of its own (`peer_workers.py`).
Corpora have mentions in several entities, twice in one, singletons, mentions that one side lacks, nested mentions,
several documents, documents without anything, documents that are missing or too many, and split antecedents.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import corefeval
from corefeval import InputError
from corefeval.tables.table import truncate_percent
from generated import Pair, generated, write_conll, write_conll_trees, write_corefud, write_ua

warnings.simplefilter("ignore", corefeval.CorefevalWarning)  # numbers are compared here, not notices
HERE = Path(__file__).parent
MEASURES = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")

MEASURES_OF_COVAL = ("mentions", "muc", "bcub", "ceafe", "lea")


class Peer(NamedTuple):
    """A scorer: its name, the profile, the environment's name for its path, its files' format, and further options."""

    name: str
    profile: str
    variable: str
    format: str
    measures: tuple[str, ...]
    options: dict[str, str] = {}  # noqa: RUF012 - never changed


PEERS = (
    Peer("conll-8.01", "conll-8.01", "COREFEVAL_PERL", "conll", ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc")),
    Peer("coval", "coval", "COREFEVAL_COVAL", "conll", MEASURES_OF_COVAL),
    *(
        Peer(f"coval-{name}", "coval", "COREFEVAL_COVAL", "conll-trees", MEASURES_OF_COVAL, options)
        for name, options in {
            "minspan": {"match": "minspan"},
            "np": {"verb_phrases": "drop"},
            "nested": {"nested": "drop"},
            "singletons": {"singletons": "drop"},
            "minspan-nested": {"match": "minspan", "nested": "drop", "singletons": "drop"},
            "np-nested": {"verb_phrases": "drop", "nested": "drop", "singletons": "drop"},
        }.items()
    ),
    Peer("ua-1", "ua-1", "COREFEVAL_UA", "ua", MEASURES),
    Peer("ua-1-zeros", "ua-1", "COREFEVAL_UA", "ua-lines", MEASURES),
    Peer("ua-1-singletons", "ua-1", "COREFEVAL_UA", "ua-lines", MEASURES, {"singletons": "drop"}),
    Peer("ua-1-splits", "ua-1", "COREFEVAL_UA", "ua", MEASURES, {"split_antecedents": "drop"}),
    Peer("ua-1-deixis", "ua-1", "COREFEVAL_UA", "ua-deixis", MEASURES, {"layer": "discourse_deixis"}),
    Peer("ua-2", "ua-2", "COREFEVAL_COREFUD", "ua", MEASURES),
    Peer("ua-2-inner", "ua-2", "COREFEVAL_COREFUD", "ua-inner", MEASURES),
    Peer("ua-2-zeros", "ua-2", "COREFEVAL_COREFUD", "ua-marked", MEASURES),
    Peer(
        "ua-2-drop", "ua-2", "COREFEVAL_COREFUD", "ua-marked", MEASURES,
        {"zeros": "drop", "singletons": "drop", "split_antecedents": "drop"},
    ),
    Peer("ua-2-partial", "ua-2", "COREFEVAL_COREFUD", "ua-marked", MEASURES, {"match": "partial"}),
    Peer("ua-2-deixis", "ua-2", "COREFEVAL_COREFUD", "ua-deixis", MEASURES, {"layer": "discourse_deixis"}),
    Peer("corefud-1.2", "corefud-1.2", "COREFEVAL_COREFUD", "corefud", (*MEASURES, "zero")),
    Peer(
        "corefud-1.2-exact", "corefud-1.2", "COREFEVAL_COREFUD", "corefud", (*MEASURES, "zero"),
        {"match": "exact", "singletons": "keep"},
    ),
    Peer("allennlp", "allennlp", "COREFEVAL_ALLENNLP", "entities", ("muc", "bcub", "ceafe")),
    Peer("e2e", "e2e", "COREFEVAL_E2E", "entities", ("muc", "bcub", "ceafe")),
    Peer("scorch", "scorch", "", "conll", ("muc", "bcub", "ceafm", "ceafe", "blanc")),
    Peer("scorch-cli", "scorch-cli", "", "conll", ("muc", "bcub", "ceafm", "ceafe", "blanc")),
)  # fmt: skip
WRITERS: dict[str, Callable[..., str]] = {
    "conll": write_conll,
    "conll-trees": write_conll_trees,
    "ua": write_ua,
    "ua-inner": partial(write_ua, zeros="inner"),
    "ua-marked": partial(write_ua, zeros="marked"),
    "ua-lines": partial(write_ua, zeros="lines"),
    "ua-deixis": partial(write_ua, column="DISCOURSE_DEIXIS"),
    "corefud": write_corefud,
}
SUFFIXES = {"conll": ".conll", "ua": ".CONLLUA", "corefud": ".conllu"}
ALWAYS_COMPLETE = ("allennlp", "e2e")  # they take pairs of documents


class Worker:
    """A scorer in a process of its own: two paths in, scores or an error out."""

    def __init__(self, profile: str, path: str) -> None:
        command = [sys.executable, str(HERE / "peer_workers.py"), profile, path]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def score(self, key: object, response: object) -> dict[str, Any]:
        """{measure: [recall, precision, f1]}, or {"error": what}."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: PT018
        self._process.stdin.write(json.dumps([key, response]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        found: dict[str, Any] = json.loads(line) if line else {"error": "the process has ended"}
        return found

    def close(self) -> None:
        """End it."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait(timeout=10)


class Outcome(NamedTuple):
    """What came out: how many pairs were equal, refused by both, crashed on by the scorer only, or differ."""

    equal: int
    refused: int
    crashed: dict[str, int]
    differences: list[str]


def compared(peer: Peer, path: str, pairs: int, seed: int) -> Outcome:
    """Score generated pairs in both ways."""
    worker = Worker(peer.name, path)
    rng = random.Random(seed)
    equal = refused = 0
    crashed: dict[str, int] = {}
    differences: list[str] = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(pairs):
                pair = generated(rng, documents=peer.profile not in ALWAYS_COMPLETE)
                sides = sides_of(peer, pair, Path(folder))
                theirs = worker.score(*sides)
                ours = scored(peer, sides)
                if "error" in theirs:
                    if "error" in ours:
                        refused += 1
                    else:
                        crashed[theirs["error"]] = crashed.get(theirs["error"], 0) + 1
                    continue
                wrong = difference(peer, theirs, ours)
                if wrong:
                    differences.append(
                        f"pair {number} of seed {seed}: {wrong}\n  key {pair.key} {pair.splits[0]}\n"
                        f"  response {pair.response} {pair.splits[1]}"
                    )
                else:
                    equal += 1
    finally:
        worker.close()
    return Outcome(equal, refused, crashed, differences)


def sides_of(peer: Peer, pair: Pair, folder: Path) -> tuple[Any, Any]:
    if peer.format == "entities":
        return pair.key, pair.response
    paths = folder / "key", folder / "response"
    for side, path in enumerate(paths):
        suffix = SUFFIXES[peer.format.partition("-")[0]]
        path.with_suffix(suffix).write_text(WRITERS[peer.format](pair, side), encoding="utf-8")
    return tuple(str(path.with_suffix(suffix)) for path in paths)  # type: ignore[return-value]


def scored(peer: Peer, sides: tuple[Any, Any]) -> dict[str, Any]:
    """Our scores, in the same shape."""
    key, response = ((_tuples(side) if isinstance(side, dict) else side) for side in sides)
    try:
        made = corefeval.score(key, response, profile=peer.profile, measures=peer.measures, **peer.options)  # type: ignore[arg-type]
    except InputError as error:
        return {"error": str(error)}
    return {str(each): [made[each].recall, made[each].precision, made[each].f1] for each in made.measures}


def _tuples(side: dict[str, Any]) -> dict[str, Any]:
    return {name: [[tuple(mention) for mention in entity] for entity in entities] for name, entities in side.items()}


def difference(peer: Peer, theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """What differs, if anything does."""
    if "error" in ours:
        return f"we say {ours['error']}"
    for measure in peer.measures:
        for field, one, other in zip(("recall", "precision", "f1"), theirs[measure], ours[measure], strict=True):
            if peer.profile == "conll-8.01":
                one, printed = one  # noqa: PLW2901
                if abs(float(truncate_percent(other)) - printed) > 0.0101:
                    return f"{measure} {field}: printed {printed}, ours {truncate_percent(other)}"
            if one is not None and abs(one - other) > 1e-9:
                return f"{measure} {field}: {one}, ours {other}"
    return ""


def path_of(peer: Peer) -> str:
    """Where the scorer is, or nothing."""
    if peer.variable:
        return os.environ.get(peer.variable, "")
    return peer.name if importlib.util.find_spec("scorch") else ""


def values(cases: Path) -> dict[str, dict[str, Any]]:
    """What each scorer gives for the cases of a file."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for peer in PEERS:
            worker = Worker(peer.name, path_of(peer))
            for case in json.loads(cases.read_text(encoding="utf-8")):
                sides = sides_of(peer, pair_of(case), Path(folder))
                found.setdefault(case["name"], {})[peer.name] = worker.score(*sides)
            worker.close()
    return found


def pair_of(case: dict[str, Any]) -> Pair:
    """A case as a pair of corpora."""
    lengths: dict[str, int] = {}
    for side in (case["key"], case["response"]):
        for name, entities in side.items():
            words = [end + 1 for entity in entities for _, end in entity]
            lengths[name] = max([lengths.get(name, 1), *words])
    return Pair(case["key"], case["response"], lengths)


def main() -> int:
    """Compare all, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("profiles", nargs="*", metavar="SCORER", help="only these")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=3, help="how many differences are shown")
    parser.add_argument("--values", type=Path, metavar="CASES", help="print what each scorer gives for these cases")
    given = parser.parse_args()
    if given.values:
        lines = [f"{json.dumps(name)}: {json.dumps(each)}" for name, each in values(given.values).items()]
        print("{\n" + ",\n".join(lines) + "\n}")
        return 0
    failed = 0
    for peer in PEERS:
        if given.profiles and peer.name not in given.profiles:
            continue
        path = path_of(peer)
        if not path:
            print(f"{peer.name:<18}left out: {peer.variable} is not set")
            continue
        outcome = compared(peer, path, given.pairs, given.seed)
        crashes = "".join(f"; {count} times {what}" for what, count in outcome.crashed.items())
        print(
            f"{peer.name:<18}{outcome.equal} equal, {outcome.refused} refused by both, "
            f"{sum(outcome.crashed.values())} where only the scorer fails, "
            f"{len(outcome.differences)} different{crashes}"
        )
        for difference in outcome.differences[: given.shown]:
            print(f"  {difference}")
        failed += len(outcome.differences)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
