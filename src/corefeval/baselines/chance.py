"""What chance scores: random partitions with the same sizes of entities (Popescu-Belis 1999, 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefeval._arrays import Floats, Ints
from corefeval.corpus.corpus import Corpus
from corefeval.notices import Notice
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.views import Rows, Tables, Views
from corefeval.scoring.counting import Counter
from corefeval.scoring.processes import can_copy_process, receive, send, start_helpers
from corefeval.scoring.results import Evaluation, make_evaluation

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

DRAWS = 100
"""The number of random partitions by default."""
CONFIDENCE = 0.95
_WORTH_A_PROCESS = 2_000_000  # mentions drawn, from which on a second process is faster than its start takes


@dataclass(frozen=True, slots=True)
class Chance:
    """The score of random partitions: its mean with a confidence interval, its standard deviation, and how many."""

    mean: float
    interval: tuple[float, float]
    spread: float
    draws: int


class Shuffler:
    """Deals the mentions of a corpus out at random: to entities of their own document, which keep their sizes."""

    def __init__(self, corpus: Corpus) -> None:
        self._document = corpus.document.astype(np.float64)
        # Entities are numbered document by document, so sorted numbers meet the mentions of their own document.
        self._entities = np.sort(corpus.entity)

    def shuffle(self, random: np.random.Generator) -> Ints:
        """Return an array, a random entity for every mention."""
        numbers = random.random(len(self._document))
        places = self._document + numbers
        order = np.argsort(places)
        ordered = places[order]
        if (ordered[1:] == ordered[:-1]).any():  # numbers that differ in bits that the sum has no place for
            order = np.lexsort((numbers, self._document))
        entity = np.empty(len(order), dtype=np.int64)
        entity[order] = self._entities
        return entity


def score_partitions(
    like: Evaluation, sides: tuple[Side, Side], rows: Rows, key_entity: Ints, response_entity: Ints
) -> list[float]:
    """Return the main scores, by its measures and options, of an evaluation with its mentions moved to these entities.

    sides: the entities, whose sizes stay.
    """
    table = Overlap.from_twins(*sides, key_entity[rows.twin_key], response_entity[rows.twin_response])
    moved = rows._replace(
        key=rows.key.replace(entity=key_entity), response=rows.response.replace(entity=response_entity)
    )
    again = Evaluation(like.measures, Counter(Tables(Views(table, moved))), like.document_names, like.options)
    return [again.compute_main(measure) for measure in like.measures]


def score_tables(like: Evaluation, tables: Tables, notices: tuple[Notice, ...] = ()) -> Evaluation:
    """Return the evaluation of tables by the measures, options and document names of another evaluation."""
    return make_evaluation(
        Counter(tables), like.measures, like.options, strict=False, notices=notices, names=like.document_names
    )


def score_draws(
    score: Callable[[int], Sequence[float]], draws: int, mentions: int, processes: int, advance: Callable[[int], None]
) -> Floats:
    """Return an array of the scores of each draw, a row for every number from 0 to `draws`; advance(1) for each.

    mentions: how many are drawn each time. processes: how many may be at work at the same time, which changes nothing
    in the result; other ones start where a copy of this one can be made, and if there is enough to do.
    """
    many = processes if mentions * draws >= _WORTH_A_PROCESS and can_copy_process() else 1
    with start_helpers(many - 1, partial(_score_share, score, draws, many)) as helpers:
        for first, helper in enumerate(helpers, 1):
            send(helper, first)
        own = []
        for draw in range(0, draws, many):
            own.append(score(draw))
            advance(min(many, draws - draw))
        shares = [own, *map(receive, helpers)]
    scores = np.empty((draws, len(own[0])))
    for first, share in enumerate(shares):
        scores[first::many] = np.reshape(share, (-1, scores.shape[1]))
    return scores


def _score_share(score: Callable[[int], Sequence[float]], draws: int, processes: int, connection: Connection) -> None:
    """Receive the number of the first draw to score, and send a list of the scores of each so manyth from it on."""
    connection.send([score(draw) for draw in range(connection.recv(), draws, processes)])


def estimate_chance(scores: Floats) -> Chance:
    """Return a Chance: the mean of two or more random scores, Student's interval for it, their standard deviation."""
    from scipy.special import stdtrit  # noqa: PLC0415 - few evaluations ask for chance

    draws, mean, spread = len(scores), float(np.mean(scores)), float(np.std(scores, ddof=1))
    half = float(stdtrit(draws - 1, (1 + CONFIDENCE) / 2)) * spread / draws**0.5
    return Chance(mean, (mean - half, mean + half), spread, draws)
