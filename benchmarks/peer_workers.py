"""One scorer of others in a process of its own: lines of JSON in, each a key and a response, lines of scores out."""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import logging
import re
import subprocess
import sys
import tempfile
import types
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

Scores = dict[str, Any]
Work = Callable[[Any, Any], Scores]


class RefusedError(Exception):
    """The reference scorer gives up: too many repeated mentions."""


def perl(path: str) -> Work:
    """The reference scorer: fractions and what it prints."""
    line = re.compile(r"\((\S+) / (\S+)\) (\S+)%\tPrecision: \((\S+) / (\S+)\) (\S+)%\tF1: (\S+)%")

    def work(key: str, response: str) -> Scores:
        found: Scores = {}
        for measure in ("muc", "bcub", "ceafm", "ceafe", "blanc"):
            command = ["perl", f"{path}/scorer.pl", measure, key, response, "none"]
            made = subprocess.run(command, capture_output=True, text=True, check=False)
            if made.returncode:
                raise RefusedError
            mentions, *others = line.findall(made.stdout)
            found["mentions"] = _fractions(*mentions)
            found[measure] = _fractions(*others[-1])
        return found

    return work


def _fractions(*texts: str) -> list[tuple[float | None, float]]:
    found, wanted, recall, right, given, precision, f1 = map(float, texts)
    rates = [top / bottom if bottom else 0.0 for top, bottom in ((found, wanted), (right, given))]
    return [(rates[0], recall), (rates[1], precision), (None, f1)]


def coval(path: str, **options: bool) -> Work:
    """Coval's reader and functions."""
    sys.path.insert(0, path)
    reader, evaluator = importlib.import_module("coval.conll.reader"), importlib.import_module("coval.eval.evaluator")
    names = {"mentions": "mentions", "muc": "muc", "bcub": "b_cubed", "ceafe": "ceafe", "lea": "lea"}

    def work(key: str, response: str) -> Scores:
        documents = reader.get_coref_infos(key, response, **options)
        return {ours: evaluator.evaluate_documents(documents, getattr(evaluator, name)) for ours, name in names.items()}

    return work


def _measures(evaluator: Any) -> dict[str, Any]:
    return {
        "muc": evaluator.muc,
        "bcub": evaluator.b_cubed,
        "ceafm": evaluator.ceafm,
        "ceafe": evaluator.ceafe,
        "blanc": [evaluator.blancc, evaluator.blancn],
        "lea": evaluator.lea,
    }


def universal_anaphora_1(path: str, *, singletons: bool = True, splits: bool = True, deixis: bool = False) -> Work:
    """Version 1, with its defaults unless told otherwise."""
    sys.path.insert(0, path)
    reader, evaluator = importlib.import_module("coval.ua.reader"), importlib.import_module("coval.eval.evaluator")

    def work(key: str, response: str) -> Scores:
        documents = reader.get_coref_infos(key, response, singletons, splits, False, False, deixis, False)[0]  # noqa: FBT003
        return {name: evaluator.evaluate_documents(documents, each) for name, each in _measures(evaluator).items()}

    return work


def _corefud(path: str, kind: str, settings: dict[str, Any]) -> Work:
    sys.path.insert(0, path)
    logging.disable()
    module, name = {"ua": ("scorer.ua.reader", "UAReader"), "corefud": ("scorer.corefud.reader", "CorefUDReader")}[kind]
    reader, evaluator = getattr(importlib.import_module(module), name), importlib.import_module("scorer.eval.evaluator")

    def work(key: str, response: str) -> Scores:
        read = reader(**settings)
        read.get_coref_infos(key, response)
        found = read.doc_discourse_deixis_infos if read.evaluate_discourse_deixis else read.doc_coref_infos
        measures = _measures(evaluator) | ({"zero": evaluator.als_zeros} if kind == "corefud" else {})
        return {name: evaluator.evaluate_documents(found, each) for name, each in measures.items()}

    return work


def universal_anaphora_2(path: str, **others: Any) -> Work:
    """Version 2, which comes with the CorefUD scorer, with singletons and split antecedents."""
    settings = {"match": "exact", "keep_singletons": True, "keep_split_antecedents": True, "keep_zeros": True}
    return _corefud(path, "ua", settings | others)


def corefud(path: str) -> Work:
    """The CorefUD scorer with its defaults."""
    settings = {"match": "head", "keep_zeros": True, "zero_match_method": "dependent"}
    return _corefud(path, "corefud", settings)


def corefud_exact(path: str) -> Work:
    """The same with exact matching and singletons."""
    settings = {"match": "exact", "keep_singletons": True, "keep_zeros": True, "zero_match_method": "dependent"}
    return _corefud(path, "corefud", settings)


def allennlp(path: str) -> Work:
    """The class Scorer of the file, without the rest of AllenNLP."""
    import numpy as np  # noqa: PLC0415
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Scorer"]
    space: dict[str, Any] = {
        "np": np, "Counter": Counter, "linear_sum_assignment": linear_sum_assignment, "dist_reduce_sum": lambda x: x,
    }  # fmt: skip
    exec(compile(tree, path, "exec"), space)
    scorer = space["Scorer"]
    return _by_entities(
        lambda: {"muc": scorer(scorer.muc), "bcub": scorer(scorer.b_cubed), "ceafe": scorer(scorer.ceafe)}
    )


def e2e(path: str) -> Work:
    """metrics.py, with SciPy in place of a module that scikit-learn no longer has."""
    import numpy as np  # noqa: PLC0415
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    gone = types.ModuleType("sklearn.utils.linear_assignment_")
    gone.linear_assignment = lambda cost: np.transpose(linear_sum_assignment(cost))  # type: ignore[attr-defined]
    for name in ("sklearn", "sklearn.utils"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["sklearn.utils.linear_assignment_"] = gone
    sys.path.insert(0, str(Path(path).parent))
    metrics = importlib.import_module(Path(path).stem)
    makes = {"muc": metrics.muc, "bcub": metrics.b_cubed, "ceafe": metrics.ceafe}
    return _by_entities(lambda: {name: metrics.Evaluator(each) for name, each in makes.items()})


def _by_entities(make: Callable[[], dict[str, Any]]) -> Work:
    def work(key: dict[str, Any], response: dict[str, Any]) -> Scores:
        scorers = make()
        for name, entities in key.items():
            sides = [
                [tuple(tuple(mention) for mention in entity) for entity in side]
                for side in (entities, response.get(name, []))
            ]
            gold, predicted = sides
            of_gold, of_predicted = ({mention: entity for entity in side for mention in entity} for side in sides)
            for scorer in scorers.values():
                scorer.update(predicted, gold, of_predicted, of_gold)
        return {name: (each.get_recall(), each.get_precision(), each.get_f1()) for name, each in scorers.items()}

    return work


def _scorch(*, add: bool) -> Work:
    """Its reader of CoNLL files, and what its command does with what that makes of them."""
    main, reader = importlib.import_module("scorch.main"), importlib.import_module("scorch.conll")
    names = {"MUC": "muc", "B³": "bcub", "CEAF_m": "ceafm", "CEAF_e": "ceafe", "BLANC": "blanc"}

    def work(key: str, response: str) -> Scores:
        with tempfile.TemporaryDirectory() as folder:
            directories = []
            for side in (key, response):
                directories.append(Path(folder) / Path(side).stem)
                directories[-1].mkdir()
                reader.main_entry_point([side, str(directories[-1])])
            files = [sorted(directory.iterdir()) for directory in directories]
            if len(files[0]) == len(files[1]) == 1:
                with files[0][0].open() as one, files[1][0].open() as other:
                    lines = list(main.process_files(one, other, add_sys_mentions=add))
            else:
                lines = list(main.process_dirs(*directories, add_sys_mentions=add))
        found = {}
        for line in lines[:-1]:
            name, *values = line.split("\t")
            found[names[name.rstrip(":")]] = [float(value.partition("=")[2]) for value in values]
        return found

    return work


WORKS: dict[str, Callable[[str], Work]] = {
    "conll-8.01": perl,
    "coval": coval,
    "coval-minspan": partial(coval, min_span=True),
    "coval-np": partial(coval, NP_only=True),
    "coval-nested": partial(coval, remove_nested=True),
    "coval-singletons": partial(coval, keep_singletons=False),
    "coval-minspan-nested": partial(coval, min_span=True, remove_nested=True, keep_singletons=False),
    "coval-np-nested": partial(coval, NP_only=True, remove_nested=True, keep_singletons=False),
    "ua-1": universal_anaphora_1,
    "ua-1-zeros": universal_anaphora_1,
    "ua-1-singletons": partial(universal_anaphora_1, singletons=False),
    "ua-1-splits": partial(universal_anaphora_1, splits=False),
    "ua-1-deixis": partial(universal_anaphora_1, deixis=True),
    "ua-2": universal_anaphora_2,
    "ua-2-inner": universal_anaphora_2,
    "ua-2-zeros": universal_anaphora_2,
    "ua-2-drop": partial(universal_anaphora_2, keep_zeros=False, keep_singletons=False, keep_split_antecedents=False),
    "ua-2-partial": partial(universal_anaphora_2, match="partial-corefud"),
    "ua-2-deixis": partial(universal_anaphora_2, evaluate_discourse_deixis=True),
    "corefud-1.2": corefud,
    "corefud-1.2-exact": corefud_exact,
    "allennlp": allennlp,
    "e2e": e2e,
    "scorch": lambda _: _scorch(add=False),
    "scorch-cli": lambda _: _scorch(add=True),
}


def main() -> None:
    """Serve one scorer."""
    profile, path = sys.argv[1:]
    work = WORKS[profile](path)
    for line in sys.stdin:
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                answer = work(*json.loads(line))
            except BaseException as error:  # noqa: BLE001 - whatever a scorer does, it is an answer
                answer = {"error": type(error).__name__}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
