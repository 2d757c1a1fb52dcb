"""Two annotators of the same documents: how far they agree, and how far they would by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from corefeval.agreement.results import PairAgreement
from corefeval.agreement.symmetry import one_way
from corefeval.baselines.chance import estimate_chance, rebuild_table, shuffle_mentions
from corefeval.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefeval._arrays import Ints
    from corefeval.agreement.together import Together
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.options import Options
    from corefeval.scoring.results import Evaluation


class Pair(NamedTuple):
    """Two annotators: their evaluation in one direction, or in both, and their rows that are twins.

    There is no direction where they have no document in common.
    """

    a: int
    b: int
    directions: tuple[Evaluation, ...]
    twins: tuple[Ints, Ints]

    @classmethod
    def of(cls, everyone: Together, a: int, b: int, measures: tuple[Measure, ...], options: Options) -> Pair:
        """Evaluate one against the other on the documents that both have."""
        sides = everyone.corpora
        both = np.flatnonzero(everyone.present[a] & everyone.present[b]).tolist()
        none = np.zeros(0, dtype=np.int64)
        if not both:
            return cls(a, b, (), (none, none))
        shared = tuple(sides[a].documents[number] for number in both)
        one, other = sides[a].in_documents(shared), sides[b].in_documents(shared)
        one_is_enough = options.match == "exact" and not one_way(measures)
        order = [(one, other)] if one_is_enough else [(one, other), (other, one)]
        directions = tuple(score.scored(key, response, measures, options) for key, response in order)
        rows = directions[0].table.rows
        if rows is None:
            return cls(a, b, directions, (none, none))
        in_a, in_b = _rows(sides[a], one, rows.key), _rows(sides[b], other, rows.response)
        return cls(a, b, directions, (in_a[rows.twin_key], in_b[rows.twin_response]))

    def agreement(
        self, names: Sequence[str], measures: tuple[Measure, ...], draws: int, seed: int, told: Callable[[], None]
    ) -> PairAgreement:
        """The agreement of the two, next to that of random partitions."""
        a, b = names[self.a], names[self.b]
        chance = np.empty((draws, len(measures)))
        for draw in range(draws):
            chance[draw] = np.mean(
                [_by_chance(each, _streams(each_way, seed, draw)) for each, each_way in self._named(a, b)], axis=0
            )
            told()
        first = self.directions[0]
        return PairAgreement(
            a,
            b,
            len(first.document_names),
            {str(measure): float(np.mean([each[measure].main for each in self.directions])) for measure in measures},
            {str(measure): estimate_chance(chance[:, place]) for place, measure in enumerate(measures)},
            tuple(str(measure) for measure in measures if measure.main in first[measure].undefined),
        )

    def _named(self, a: str, b: str) -> Iterator[tuple[Evaluation, tuple[str, str]]]:
        """Every direction with the names of its key and its response."""
        return zip(self.directions, ((a, b), (b, a)), strict=False)


def _rows(whole: Corpus, shared: Corpus, matched: Corpus) -> Ints:
    """The annotator's own row for every row that was matched."""
    kept = np.flatnonzero(np.isin(np.array(whole.documents)[whole.document], shared.documents))
    if len(matched) == len(kept):
        return kept
    # Mentions that fell together when they were carried over to the other's words: the first of them stayed.
    place = {who: row for row, who in zip(kept.tolist(), _who(shared), strict=True)}
    return np.array([place[who] for who in _who(matched.in_own_words())], dtype=np.int64)


def _who(corpus: Corpus) -> Iterator[tuple[str, object]]:
    names = [corpus.documents[number] for number in corpus.document.tolist()]
    return zip(names, corpus.mentions.objects(), strict=True)


def _streams(names: tuple[str, str], seed: int, draw: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Random numbers for the key and the response of a direction: by names, so that no order changes them."""
    key, response = (crc32(name.encode(errors="surrogatepass")) for name in names)
    return np.random.default_rng([seed, key, response, draw]), np.random.default_rng([seed, response, key, draw])


def _by_chance(evaluated: Evaluation, streams: tuple[np.random.Generator, np.random.Generator]) -> list[float]:
    """Scores where the mentions of both are dealt out to entities of the same sizes."""
    table, rows = evaluated.table, evaluated.table.rows
    assert rows is not None  # noqa: S101 - it has just been made from mentions
    key, response = shuffle_mentions(rows.key, streams[0]), shuffle_mentions(rows.response, streams[1])
    mixed = rebuild_table(table.key, table.response, rows, key, response)
    again = score.evaluation(
        mixed, evaluated.measures, evaluated.options, strict=False, notices=(), names=evaluated.document_names
    )
    return [again[measure].main for measure in evaluated.measures]
