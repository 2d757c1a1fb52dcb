"""Every number of the bootstrap is that of a resampled corpus: text in which documents are copied, read and scored.

For every measure, also those that look at mentions; for averages of documents, profiles, ways to match and to score
split antecedents; for single scores, differences and their intervals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import corefeval
from corefeval import measures as known
from corefeval.comparison.bootstrap import ResamplingPlan, draw_documents, score_resamples
from corefeval.comparison.systems import SystemSamples
from corefeval.measures import OF_MENTIONS, Ceafe, Ceafm, Lea, Measure
from tests.comparison import worlds, written

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval.scoring.score import Measures

DOCUMENTS = 14
FILES = {
    "corefud": written.corefud(DOCUMENTS, 3),
    "ua": written.universal(DOCUMENTS, 4),
    "gap": written.gap(DOCUMENTS, 6),
}
LEVELS = {"NAM": 1.0, "NOM": 0.5, "PRO": 0.2}
TYPES = {"PER": 1.0, "ORG": 0.3}
MEASURES: dict[str, tuple[str | Measure, ...]] = {
    "corefud": (
        "mor", "anaphor", "anaphor:filter=nominal,antecedent=immediate", "zero", "success_rate:antecedent=any", "pronoun_resolution", "nec",
        "ace_value", "ace_value:weights=uniform", "mentions:match=strict", "mentions:match=lenient",
        "blanc:mentions=shared", "blanc:alpha=0.2", "bcub:weight=entity", "bcub:weight=printed", "bcub:twinless=cai_strube",
        "lea:twinless=pad", "conll:twinless=discard_both", "lea:beta=2", "muc:undefined=1", Ceafe(mention_weights=LEVELS), Ceafm(entity_weights=TYPES),
        Lea(importance=np.sqrt),
    ),
    "ua": ("bridging_anaphors", "bridging_mentions", "bridging_entities", "non_referring", "mor"),
    "gap": ("gap", "gap:gender=feminine"),
}  # fmt: skip
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "corefud": [
        {},
        {"macro": True},
        {"match": "head"},
        {"match": "head", "macro": True, "singletons": "drop"},
        {"match": "partial"},
        {"zeros": "dependency"},
        {"profile": "corefud-1.2"},
    ],
    "ua": [{}, {"macro": True}, {"match": "min"}, {"singletons": "drop"}],
    "gap": [{}, {"macro": True}],
}
CASES = [(kind, options) for kind, several in OPTIONS.items() for options in several]
OF_TABLES: list[dict[str, Any]] = [
    {"profile": name} for name in ("coval", "ua-1", "allennlp", "scorch", "scorch-cli", "conll-2012")
] + [{"profile": "scorch", "match": "head"}, {"match": "overlap"}]
SPLITS: list[dict[str, Any]] = [
    {"split_antecedents": "keep"},
    {"split_antecedents": "keep", "macro": True},
    {"split_antecedents": "only"},
    {"profile": "ua-2"},
]
WITH_SPLITS = [
    *((kind, options) for kind in ("corefud", "ua") for options in SPLITS),
    ("corefud", {"split_antecedents": "keep", "match": "head"}),
    ("ua", {"split_antecedents": "keep", "match": "min"}),
]


def scored(
    kind: str, drawn: list[int], where: Path, measures: Measures, options: dict[str, Any]
) -> corefeval.Evaluation:
    """A corpus in which every document stands as often as it was drawn, written, read and scored."""
    file = FILES[kind]
    paths = [where / f"{side}.{file.ending}" for side in ("key", "response")]
    for path, side in zip(paths, ("key", "response"), strict=True):
        path.write_text(file.side(side, drawn), encoding="utf-8")
    return corefeval.score(*paths, measures=measures, **options)


def same(kind: str, where: Path, names: Measures, options: dict[str, Any], resamples: int = 4) -> None:
    """Whether all resamples score what the corpora score that they stand for."""
    measures = known.select_measures(names)
    plan = ResamplingPlan(resamples, 5)
    system = SystemSamples.from_runs("s", (scored(kind, [1] * DOCUMENTS, where, measures, options),), measures)
    found = score_resamples([system], measures, plan)
    weights = np.concatenate(list(draw_documents(DOCUMENTS, plan))).astype(int).tolist()
    for row, drawn in enumerate(weights):
        again = scored(kind, drawn, where, measures, options)
        for measure in measures:
            assert found[0, measure].by_all[row] == pytest.approx(again[measure].main, abs=1e-9), (str(measure), row)
    for measure in measures:
        assert system.observed(measure) == pytest.approx(system.runs[0][measure].main, abs=1e-12)


def test_every_measure_of_mentions_is_tried() -> None:
    tried = {known.get_measure(name).name for names in MEASURES.values() for name in names}
    assert set(OF_MENTIONS) <= tried


@pytest.mark.parametrize("kind", FILES)
def test_the_files_have_what_measures_look_at(kind: str, tmp_path: Path) -> None:
    """No measure is at an end of its scale, and documents differ: else it would be no wonder that numbers agree."""
    found = scored(kind, [1] * DOCUMENTS, tmp_path, MEASURES[kind], {})
    for name in MEASURES[kind]:
        assert found[name].main not in (0, 1), name
        assert len({each[name].main for each in found.documents.values()}) > 1, name


@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
def test_measures_that_look_at_mentions(kind: str, options: dict[str, Any], tmp_path: Path) -> None:
    same(kind, tmp_path, MEASURES[kind], options)


@pytest.mark.parametrize("options", OF_TABLES, ids=str)
def test_measures_of_the_table_under_other_profiles(options: dict[str, Any], tmp_path: Path) -> None:
    """Scorch weighs documents by their mentions; `all` has the CoNLL average in it."""
    same("corefud", tmp_path, "all", options)


@pytest.mark.parametrize(("kind", "options"), WITH_SPLITS, ids=str)
def test_split_antecedents(kind: str, options: dict[str, Any], tmp_path: Path) -> None:
    measures = ("muc", "bcub", "ceafe", "blanc", "lea", "conll")
    same(kind, tmp_path, measures, options, resamples=6)
    plain = scored(kind, [1] * DOCUMENTS, tmp_path, measures, {**options, "split_antecedents": "drop"})
    assert plain["bcub"].f1 != scored(kind, [1] * DOCUMENTS, tmp_path, measures, options)["bcub"].f1


@pytest.mark.parametrize("macro", [False, True])
def test_intervals_are_percentiles_of_scores_of_resampled_corpora(macro: bool) -> None:
    """From `compare` to its numbers: for each system, and for their difference, 100 corpora scored one by one."""
    key = worlds.key(9, 1)
    responses = {"a": worlds.disturbed(key, 0.3, 2), "b": worlds.disturbed(key, 0.5, 3)}
    found = corefeval.compare(key, responses, measures="all", resamples=100, seed=8, interval="percentile", macro=macro)
    weights = np.concatenate(list(draw_documents(len(key), ResamplingPlan(100, 8)))).astype(int).tolist()
    scores: dict[str, list[list[float]]] = {"a": [], "b": []}
    for drawn in weights:
        copies = [(name, copy) for name, count in zip(key, drawn, strict=True) for copy in range(count)]
        for system, response in responses.items():
            again = corefeval.score(
                {f"{name}/{copy}": key[name] for name, copy in copies},
                {f"{name}/{copy}": response[name] for name, copy in copies},
                measures="all",
                macro=macro,
            )
            scores[system].append([again[name].main for name in again])
    a, b = (np.array(scores[name]) for name in ("a", "b"))
    for place, measure in enumerate(found.measures):
        for standing, slow in zip(found.systems, (a, b), strict=True):
            expected = np.quantile(slow[:, place], [0.025, 0.975])
            assert standing.measures[str(measure)].interval == pytest.approx(tuple(expected), abs=1e-9)
        expected = np.quantile(b[:, place] - a[:, place], [0.025, 0.975])
        assert found.between("a", "b", str(measure)).interval == pytest.approx(tuple(expected), abs=1e-9)
