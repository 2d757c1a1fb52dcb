"""Other scorers, called in the way they are meant to be called. None of them is part of this project."""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Entities = list[list[Any]]


COVAL = ("mentions", "muc", "bcub", "ceafe", "lea")
"""What coval computes."""


class Command(NamedTuple):
    arguments: list[str | Path]
    folder: Path | None = None


def commands(options: argparse.Namespace, key: Path, response: Path) -> dict[str, Command]:
    """Those that score files: coval (MUC, B³, CEAFe, LEA), scorch (all but LEA), the reference scorer (all but LEA)."""
    found = {}
    if options.coval:
        found["coval"] = Command(
            [sys.executable, options.coval / "scorer.py", key, response, "muc", "bcub", "ceafe", "lea"]
        )
    if importlib.util.find_spec("scorch"):
        found["scorch"] = Command([sys.executable, Path(__file__).with_name("scorch_files.py"), key, response])
    if options.perl and shutil.which("perl"):
        found["Perl"] = Command(["perl", "scorer.pl", "all", key, response, "none"], options.perl)
    return found


def functions(options: argparse.Namespace) -> dict[str, Callable[[Entities, Entities], Callable[[], object]]]:
    """Those that score objects in memory."""
    found: dict[str, Callable[[Entities, Entities], Callable[[], object]]] = {}
    if options.coval:
        sys.path.insert(0, str(options.coval))
        found["coval"] = _coval
    if importlib.util.find_spec("scorch"):
        found["scorch"] = _scorch
    return found


def _coval(key: Entities, response: Entities) -> Callable[[], object]:
    from coval.eval import evaluator  # type: ignore[import-not-found]  # noqa: PLC0415

    def run() -> list[float]:
        of_key = {mention: place for place, entity in enumerate(key) for mention in entity}
        of_response = {mention: place for place, entity in enumerate(response) for mention in entity}
        information = (
            key,
            response,
            {mention: of_response[mention] for mention in of_key if mention in of_response},
            {mention: of_key[mention] for mention in of_response if mention in of_key},
        )
        scores = []
        for measure in (evaluator.mentions, evaluator.muc, evaluator.b_cubed, evaluator.ceafe, evaluator.lea):
            each = evaluator.Evaluator(measure)
            each.update(information)
            scores.append(each.get_f1())
        return scores

    return run


def _scorch(key: Entities, response: Entities) -> Callable[[], object]:
    from scorch import scores  # noqa: PLC0415

    def run() -> list[object]:
        sides = [set(entity) for entity in key], [set(entity) for entity in response]
        return [each(*sides) for each in (scores.muc, scores.b_cubed, scores.ceaf_m, scores.ceaf_e, scores.blanc)]

    return run
