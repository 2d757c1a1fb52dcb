"""What responses that need no system reach under each measure."""

from __future__ import annotations

from collections.abc import Mapping

from corefeval.baselines.relative import score_baseline
from corefeval.baselines.responses import KINDS, NEED_WORDS
from corefeval.corpus.corpus import Corpus
from corefeval.lab.findings import Claim, Figure, Findings, write_percents
from corefeval.lab.subject import StudySubject
from corefeval.notices import Notice, join_notices

TITLE = "What do all singletons, one entity and the same heads reach?"
SOURCE = "Recasens & Hovy 2011, BLANC, tables 3, 14 and 16"
PROCEDURE = (
    "All baselines have the key's mentions (`corefeval baseline`); random is the mean of 100 random partitions "
    "with the key's sizes of entities."
)
TAKES = (0, None)


def run(subject: StudySubject) -> Findings:
    """Return the scores of all baselines, then of the responses, and what the paper says of the first two."""
    scores, notices = score_baselines(subject)
    evaluations = {name: subject.score(response) for name, response in subject.responses.items()}
    scores |= {name: {measure: each[measure].main for measure in each} for name, each in evaluations.items()}
    notices = join_notices((notices, *(each.notices for each in evaluations.values())))
    curves = {name: [100 * row[name] for row in scores.values()] for name in scores["singletons"]}
    sentences = () if has_words(subject.key) else (f"No words, so no {' and '.join(NEED_WORDS)}.",)
    claims = _check_claims(scores["singletons"], scores["one-entity"])
    figure = Figure("response", "main score", list(scores), curves)
    return Findings(claims=claims, figures=[figure], sentences=sentences, notices=notices, seed=subject.seed)


def score_baselines(subject: StudySubject) -> tuple[dict[str, dict[str, float]], tuple[Notice, ...]]:
    """Return the main scores, by baseline and measure, of all baselines that the key has the words for; and notices."""
    itself = subject.score(subject.key)
    kinds = [kind for kind in KINDS if has_words(subject.key) or kind not in NEED_WORDS]
    found = {kind: score_baseline(itself, kind, seed=subject.seed) for kind in kinds}
    notices = join_notices((itself.notices, *(each.notices for each in found.values())))
    return {kind: dict(each.scores) for kind, each in found.items()}, notices


def has_words(key: Corpus) -> bool:
    """Return whether the words of mentions are known."""
    return key.tokens is not None or key.texts is not None


def _check_claims(singletons: Mapping[str, float], one: Mapping[str, float]) -> list[Claim]:
    """Return what the paper's text and tables say of both, as far as the measures are there."""
    others = {name: value for name, value in one.items() if name != "mentions"}
    claims = []
    if "muc" in one:
        highest = one["muc"] >= max(others.values())
        claims.append(Claim("muc scores one entity highest", highest, write_percents(others)))
    for name in (each for each in ("bcub", "ceafm", "blanc") if each in one):
        numbers = write_percents({"singletons": singletons[name], "one entity": one[name]})
        claims.append(Claim(f"{name} scores singletons above one entity", singletons[name] > one[name], numbers))
    return claims
