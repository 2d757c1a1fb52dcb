"""Annotators on the same documents, in pairs: how far two agree, and how far they would by chance.

Every mention of each annotator stands once, and has the same number as the same mention of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from zlib import crc32

import numpy as np

from corefeval._arrays import Booleans, Floats, Ints
from corefeval.agreement.results import PairAgreement, PairSummary
from corefeval.baselines.chance import Chance, Shuffler, estimate_chance, score_draws, score_partitions
from corefeval.corpus.corpus import Corpus
from corefeval.errors import InputError
from corefeval.matching import matching
from corefeval.matching.same_documents import find_same_documents, rename_to_key
from corefeval.measures import Measure
from corefeval.notices import Notice, count_part
from corefeval.options import Options
from corefeval.scoring import score
from corefeval.scoring.results import Evaluation
from corefeval.scoring.sides import prepare_corpus


@dataclass(frozen=True, slots=True)
class AlignedAnnotators:
    """The annotators' names and corpora, all with the same documents, and which annotator (row) has which document."""

    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    document_names: tuple[str, ...]
    present: Booleans
    notices: tuple[Notice, ...]


def align_annotators(corpora: Mapping[str, Corpus], options: Options) -> AlignedAnnotators:
    """Return AlignedAnnotators: corpora with repeats settled, all with the same documents (some empty), and notices.

    A document is named as the first who has it names it, and has no mentions in the corpora of those who lack it.
    """
    aligned: list[Corpus] = []
    notices: list[Notice] = []
    for name, corpus in corpora.items():
        own = corpus if corpus.source else corpus.replace(source=name)
        for earlier in aligned:
            same = find_same_documents(earlier, own)
            for theirs, each in same.items():
                message = f"{name}: document {theirs!r} is taken for {each.ours!r}: {each.why}"
                notices += [Notice("other-name", message, {"document": each.ours})] if each.why else []
            own = rename_to_key(earlier, own, same)
        distinct, own_notices = _apply_decisions(prepare_corpus(own, options), options)
        notices += own_notices
        aligned.append(distinct)
    everything = tuple(dict.fromkeys(name for corpus in aligned for name in corpus.documents))
    present = np.array([np.isin(everything, corpus.documents) for corpus in aligned])
    for name, has in zip(corpora, present, strict=True):
        lacking = list(compress(everything, ~has))
        if lacking:
            message = (
                f"{name} lacks {count_part(len(lacking), len(everything), 'document')}, the first {lacking[0]!r}; "
                "annotators are compared on the documents that both have"
            )
            notices.append(Notice("missing-document", message, {"annotator": name, "documents": lacking}))
    widened = tuple(corpus.select_documents(everything).replace(unnamed=frozenset()) for corpus in aligned)
    return AlignedAnnotators(tuple(corpora), widened, everything, present, tuple(notices))


def _apply_decisions(corpus: Corpus, options: Options) -> tuple[Corpus, list[Notice]]:
    """Return an annotator's corpus as it is scored, repeats settled, and notices; InputError if repeats are errors."""
    try:
        tables, notices = matching.build_tables(corpus, corpus, options._replace(match="exact"))
    except InputError as error:  # one fault for the key and one for the response, which are the same corpus here
        hint = "duplicates=first or merge would go on"
        raise InputError(dict.fromkeys(fault._replace(hint=hint) for fault in error.faults)) from None
    own_notices = [notice for notice in notices if notice.details.get("side") != "response"]
    distinct = corpus if tables.mentions is None else tables.mentions.key.in_own_words()
    return distinct.replace(notices=()), own_notices


@dataclass(frozen=True, slots=True)
class PairEvaluation:
    """Two annotators: their evaluation in one direction or both (none without a common document), rows of twins."""

    a: int
    b: int
    directions: tuple[Evaluation, ...]
    twins: tuple[Ints, Ints]

    @classmethod
    def from_annotators(
        cls, aligned: AlignedAnnotators, a: int, b: int, measures: tuple[Measure, ...], options: Options
    ) -> PairEvaluation:
        """Return the evaluation of annotators `a` and `b` on the documents that both have; empty if there are none."""
        sides = aligned.corpora
        shared = tuple(compress(aligned.document_names, aligned.present[a] & aligned.present[b]))
        if not shared:
            return cls(a, b, (), (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)))
        one, other = sides[a].select_documents(shared), sides[b].select_documents(shared)
        one_is_enough = options.match == "exact" and all(measure.is_symmetric for measure in measures)
        order = [(one, other)] if one_is_enough else [(one, other), (other, one)]
        directions = tuple(score.score_corpora(key, response, measures, options) for key, response in order)
        rows = directions[0].mentions
        assert rows is not None  # noqa: S101 - it has just been made from mentions
        in_a, in_b = _find_own_rows(sides[a], one, rows.key), _find_own_rows(sides[b], other, rows.response)
        return cls(a, b, directions, (in_a[rows.twin_key], in_b[rows.twin_response]))

    def compute_values(self, measures: tuple[Measure, ...]) -> dict[str, float]:
        """Return each measure's main score, the mean of both directions."""
        return {str(measure): float(np.mean([each[measure].main for each in self.directions])) for measure in measures}

    def list_undefined(self, measures: tuple[Measure, ...]) -> tuple[str, ...]:
        """Return the measures that are 0/0."""
        first = self.directions[0]
        return tuple(str(measure) for measure in measures if measure.main in first[measure].undefined)


def _find_own_rows(whole: Corpus, shared: Corpus, matched: Corpus) -> Ints:
    """Return an array: for every mention of the corpus `matched`, its row in the annotator's whole corpus."""
    selected = np.flatnonzero(np.isin(np.array(whole.documents)[whole.document], shared.documents))
    if len(matched) == len(selected):
        return selected
    # Mentions that became one when they were carried over to the other's words: the first of them stayed.
    row_of = {mention: row for row, mention in zip(selected.tolist(), _identify_mentions(shared), strict=True)}
    return np.array([row_of[mention] for mention in _identify_mentions(matched.in_own_words())], dtype=np.int64)


def _identify_mentions(corpus: Corpus) -> Iterator[tuple[str, object]]:
    """Yield (document's name, mention) for each mention: (start, end), a tuple of these if it has gaps, or a label."""
    names = [corpus.documents[number] for number in corpus.document.tolist()]
    return zip(names, corpus.mentions.objects(), strict=True)


class _RandomDirection:
    """Two annotators' mentions, in one direction, to be shuffled into entities of the same sizes."""

    def __init__(self, evaluation: Evaluation, key: str, response: str) -> None:
        rows = evaluation.mentions
        assert rows is not None  # noqa: S101 - it has just been made from mentions
        self._evaluation, self._rows = evaluation, rows
        self._sides = evaluation.table.key, evaluation.table.response
        self._key, self._response = Shuffler(rows.key), Shuffler(rows.response)
        # Random numbers are started by the annotators' names, so that no order changes them.
        self._names = [crc32(name.encode(errors="surrogatepass")) for name in (key, response)]

    def score(self, seed: int, draw: int) -> list[float]:
        """Return each measure's main score of random partitions of both sides."""
        one, other = self._names
        key_entity = self._key.shuffle(np.random.default_rng([seed, one, other, draw]))
        response_entity = self._response.shuffle(np.random.default_rng([seed, other, one, draw]))
        return score_partitions(self._evaluation, self._sides, self._rows, key_entity, response_entity)


def measure_pairs(
    pairs: Sequence[PairEvaluation],
    names: Sequence[str],
    measures: tuple[Measure, ...],
    draws: int,
    seed: int,
    advance: Callable[[int], None],
    *,
    processes: int = 1,
) -> tuple[PairAgreement, ...]:
    """Return each PairAgreement by each measure, with that of `draws` random partitions; advance(1) after each draw."""
    random = []
    for pair in pairs:
        a, b = names[pair.a], names[pair.b]
        sides = zip(pair.directions, ((a, b), (b, a)), strict=False)
        random.append([_RandomDirection(evaluation, *of) for evaluation, of in sides])

    def score_draw(number: int) -> list[float]:
        """Return the mean of both directions for one draw of one pair."""
        place, draw = divmod(number, draws)
        scores: Floats = np.mean([direction.score(seed, draw) for direction in random[place]], axis=0)
        return scores.tolist()

    mentions = max(int(np.sum(pair.directions[0].table.union)) for pair in pairs)
    scores = score_draws(score_draw, draws * len(pairs), mentions, processes, advance)
    by_pair = scores.reshape(len(pairs), draws, -1)
    return tuple(
        PairAgreement(
            names[pair.a],
            names[pair.b],
            len(pair.directions[0].document_names),
            pair.compute_values(measures),
            {str(measure): estimate_chance(own[:, place]) for place, measure in enumerate(measures)},
            pair.list_undefined(measures),
        )
        for pair, own in zip(pairs, by_pair, strict=True)
    )


def number_mentions(aligned: AlignedAnnotators, pairs: Sequence[PairEvaluation]) -> list[Ints]:
    """Return an array for each annotator: a number for each mention, equal for what annotators have marked as the same.

    A mention has the number that the earliest annotator with a twin of it has given; nobody has a number twice.
    """
    numbers = [np.full(len(corpus), -1, dtype=np.int64) for corpus in aligned.corpora]
    unused = 0
    for annotator, own in enumerate(numbers):
        for pair in pairs:
            if pair.b == annotator:
                rows_a, rows_b = pair.twins
                number = numbers[pair.a][rows_a]
                free = (own[rows_b] < 0) & ~np.isin(number, own)
                own[rows_b[free]] = number[free]
        new = np.flatnonzero(own < 0)
        own[new] = unused + np.arange(len(new))
        unused += len(new)
    return numbers


def summarise_pairs(pairs: Sequence[PairAgreement], measure: Measure) -> PairSummary:
    """Return the PairSummary of a measure over all pairs: mean, spread, least, most, chance, and share above chance."""
    values = [pair.measures[str(measure)] for pair in pairs]
    chances = [pair.chance[str(measure)] for pair in pairs]
    mean, by_chance = float(np.mean(values)), float(np.mean([each.mean for each in chances]))
    # The random partitions of pairs are independent: variances add up.
    half = float(np.sqrt(sum((each.interval[1] - each.mean) ** 2 for each in chances))) / len(chances)
    spread = float(np.mean([each.spread for each in chances]))
    full = float(measure.more_is_better)
    summary = PairSummary(
        mean,
        float(np.std(values, ddof=1)) if len(values) > 1 else None,
        min(values),
        max(values),
        Chance(by_chance, (by_chance - half, by_chance + half), spread, chances[0].draws),
        (mean - by_chance) / (full - by_chance) if full != by_chance else None,
        measure.unit or measure.formula,
    )
    return replace(summary, above_chance=None) if summary.fixed else summary
