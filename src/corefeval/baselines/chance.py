"""What chance scores: random partitions with the same sizes of entities (Popescu-Belis 1999, 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval.corpus.corpus import Corpus
from corefeval.notices import Notice
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.views import Rows, Tables, Views
from corefeval.scoring.counting import Counter
from corefeval.scoring.results import Evaluation, make_evaluation

DRAWS = 100
"""The number of random partitions by default."""
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Chance:
    """The score of random partitions: its mean with a confidence interval, its standard deviation, and how many."""

    mean: float
    interval: tuple[float, float]
    spread: float
    draws: int


def shuffle_mentions(corpus: Corpus, random: np.random.Generator) -> Ints:
    """Return an array, a random entity for every mention: of its own document, and entities keep their sizes."""
    rows = np.lexsort((random.random(len(corpus)), corpus.document))
    entity = np.empty(len(corpus), dtype=np.int64)
    # Entities are numbered document by document, so sorted numbers meet the mentions of their own document.
    entity[rows] = np.sort(corpus.entity)
    return entity


def score_partitions(
    like: Evaluation, sides: tuple[Side, Side], rows: Rows, key_entity: Ints, response_entity: Ints
) -> Evaluation:
    """Return an evaluation made as `like`, with both sides' mentions moved to these entities, whose sizes stay."""
    table = Overlap.from_twins(*sides, key_entity[rows.twin_key], response_entity[rows.twin_response])
    moved = rows._replace(
        key=rows.key.replace(entity=key_entity), response=rows.response.replace(entity=response_entity)
    )
    return score_tables(like, Tables(Views(table, moved)))


def score_tables(like: Evaluation, tables: Tables, notices: tuple[Notice, ...] = ()) -> Evaluation:
    """Return the evaluation of tables by the measures, options and document names of another evaluation."""
    return make_evaluation(
        Counter(tables), like.measures, like.options, strict=False, notices=notices, names=like.document_names
    )


def estimate_chance(scores: Floats) -> Chance:
    """Return a Chance: the mean of two or more random scores, Student's interval for it, their standard deviation."""
    from scipy.special import stdtrit  # noqa: PLC0415 - few evaluations ask for chance

    draws, mean, spread = len(scores), float(np.mean(scores)), float(np.std(scores, ddof=1))
    half = float(stdtrit(draws - 1, (1 + CONFIDENCE) / 2)) * spread / draws**0.5
    return Chance(mean, (mean - half, mean + half), spread, draws)
