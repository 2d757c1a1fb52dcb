"""What responses that need no system reach under each measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corefeval.baselines.relative import score_baseline
from corefeval.baselines.responses import KINDS, NEED_WORDS
from corefeval.corpus.corpus import Corpus
from corefeval.lab.data.results import DataFindings
from corefeval.lab.findings import Claim, Curve, Figure
from corefeval.measures import Measure
from corefeval.notices import Notice, join_notices
from corefeval.scoring.score import score

TITLE = "What do all singletons, one entity and the same heads reach?"
SOURCE = "Recasens & Hovy 2011, BLANC, tables 3, 14 and 16"
PROCEDURE = (
    "All baselines have the key's mentions (`corefeval baseline`); random is the mean of 100 random partitions "
    "with the key's sizes of entities."
)
RESPONSES = (0, None)


def run(key: Corpus, responses: Mapping[str, Corpus], measures: Sequence[Measure], seed: int) -> DataFindings:
    """Return the scores of all baselines, then of the responses, and what the paper says of the first two."""
    scores, notices = score_baselines(key, measures, seed)
    names = list(next(iter(scores.values())))
    for own, response in responses.items():
        evaluation = score(key, response, measures=measures)
        scores[own] = {name: evaluation[name].main for name in names}
        notices = join_notices((notices, evaluation.notices))
    curves = tuple(Curve(name, tuple(100 * row[name] for row in scores.values())) for name in names)
    claims = _check_claims(scores["singletons"], scores["one-entity"])
    sentences = () if has_words(key) else (f"No words, so no {' and '.join(NEED_WORDS)}.",)
    figure = Figure("response", "main score", tuple(scores), curves)
    return DataFindings(figures=[figure], sentences=sentences, claims=claims, notices=notices, seed=seed)


def score_baselines(
    key: Corpus, measures: Sequence[Measure], seed: int
) -> tuple[dict[str, dict[str, float]], tuple[Notice, ...]]:
    """Return the main scores, by baseline and measure, of all baselines that the key has the words for; and notices."""
    itself = score(key, key, measures=measures)
    kinds = [kind for kind in KINDS if has_words(key) or kind not in NEED_WORDS]
    found = {kind: score_baseline(itself, kind, seed=seed) for kind in kinds}
    return {kind: dict(each.scores) for kind, each in found.items()}, join_notices(
        (itself.notices, *(each.notices for each in found.values()))
    )


def has_words(key: Corpus) -> bool:
    """Return whether the words of mentions are known."""
    return key.tokens is not None or key.texts is not None


def _check_claims(singletons: Mapping[str, float], one: Mapping[str, float]) -> list[Claim]:
    """Return what the paper's text and tables say of both, as far as the measures are there."""
    others = {name: value for name, value in one.items() if name != "mentions"}
    claims = []
    if "muc" in one:
        numbers = ", ".join(f"{name} {100 * value:.2f}" for name, value in others.items())
        claims.append(Claim("muc scores one entity highest", one["muc"] >= max(others.values()), numbers))
    for name in (each for each in ("bcub", "ceafm", "blanc") if each in one):
        numbers = f"{100 * singletons[name]:.2f}, {100 * one[name]:.2f}"
        claims.append(Claim(f"{name} scores singletons above one entity", singletons[name] > one[name], numbers))
    return claims
