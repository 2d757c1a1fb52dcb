"""Do annotators agree, and where not? Agreement of every pair, of all, above chance, mention by mention: agree()."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval import evaluate
from corefeval import measures as known
from corefeval.baselines import dealt
from corefeval.chance import DRAWS, estimated, shuffled
from corefeval.errors import OptionError, check_choice
from corefeval.notices import Notice
from corefeval.options import Options
from corefeval.profiles import resolved
from corefeval.statistics import splits, together
from corefeval.statistics.agreement import Agreement, Annotator, Coefficient, Marks, PairAgreement, Summary
from corefeval.statistics.alpha import DISTANCES, Values, alpha
from corefeval.statistics.splits import Annotations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefeval.arrays import Booleans, Ints
    from corefeval.chance import Chance
    from corefeval.corpus import Corpus
    from corefeval.evaluate import Measures, Source
    from corefeval.measures import Measure
    from corefeval.results import Evaluation

DEFAULT = (
    "mentions", "muc", "bcub", "ceafm", "ceafe", "blanc:boundary=both", "lea", "conll", "adjusted_rand", "kappa",
)  # fmt: skip
DUPLICATES = ("first", "merge", "error")
"""What can be done with a mention in several entities of one annotator; other ways tell key and response apart,
or gives a mention two values."""
SYMMETRIC = frozenset(
    {"mentions", "muc", "bcub", "ceafm", "ceafe", "ceaf", "blanc", "lea", "conll", "pairwise", "rand", "adjusted_rand",
     "entropy", "core", "kappa", "dmt", "distributional_error"}
)  # fmt: skip
"""Measures whose main value can be the same whichever of two annotators is taken for the key."""
_EITHER_WAY = frozenset({"undefined", "alpha", "boundary", "phi"})
"""Parameters that do not tell key and response apart."""

_PAIRS = "pairs of mentions of a document; a mention that one of two annotators lacks is a singleton there"
UNITS = {
    "mentions": "mentions, whatever their entities",
    "muc": "links that join the mentions of an entity, one less than it has mentions",
    "bcub": "mentions",
    "ceafm": "mentions of entities that are aligned one to one",
    "ceafe": "entities that are aligned one to one",
    "blanc": "pairs of mentions of a document, linked or not linked, each kind by itself",
    "lea": "links of entities, weighted by the number of their mentions",
    "conll": "the mean of muc, bcub and ceafe",
    "pairwise": "pairs of mentions that are linked",
    "rand": _PAIRS,
    "adjusted_rand": _PAIRS + "; chance at 0",
    "kappa": "MUC's links, of as many as join all mentions of a document (of both annotators); chance as if links were "
    "independent of each other",
}


def agree(
    annotators: Mapping[str, Source],
    *,
    measures: Measures | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    worst: int = 10,
    progress: Callable[[str, int, int], None] | None = None,
    **options: Any,
) -> Agreement:
    """Compare annotators of the same documents with each other.

    annotators: by name, what each has marked; two or more.
    measures: as in `score`; the mean of both directions where a measure tells key and response apart.
    draws, seed: how many random partitions stand for chance, and where their random numbers begin.
    worst: how many of the mentions and entities that they split on are listed.
    progress: called with what is done, how much of it, and of how much.
    options: as in `score`: match, zeros, singletons, macro, format ...; duplicates is "first" unless given.
    """
    chosen = known.select(DEFAULT if measures is None else measures)
    decided = _decided(options, annotators, draws, seed, worst)
    read = {str(name): evaluate.read(source, options.get("format")) for name, source in annotators.items()}
    sides, present, notices = together.brought(read, decided)
    pairs = [_Pair.of(sides, present, each, chosen, decided) for each in combinations(range(len(sides)), 2)]
    pairs = [pair for pair in pairs if pair.directions]
    if not pairs:
        raise OptionError("no two annotators have a document in common: documents are told apart by their names")
    found = [_agreement(pair, tuple(read), chosen, draws, seed, _told(progress, len(pairs))) for pair in pairs]
    annotations = _annotations(tuple(read), sides, present, pairs)
    said = {notice.message: notice for notice in (*notices, *_said(pairs, chosen, tuple(read)))}
    agreement = Agreement(
        tuple(_annotator(name, side, has) for name, side, has in zip(read, sides, present, strict=True)),
        chosen,
        tuple(found),
        {str(measure): _summary(found, measure) for measure in chosen},
        tuple(_coefficients(annotations.values)),
        _marks(annotations),
        splits.found(annotations, worst),
        decided,
        draws,
        seed,
        pairs[0].directions[0].signature,
        tuple(said.values()),
    )
    if options.get("strict") and agreement.warnings:
        from corefeval.errors import Fault, StrictError  # noqa: PLC0415

        raise StrictError(Fault("", notice.message) for notice in agreement.warnings)
    return agreement


def _decided(
    options: Mapping[str, Any], annotators: Mapping[str, object], draws: int, seed: int, worst: int
) -> Options:
    unknown = set(options) - {"profile", "macro", "format", "strict", *Options._fields}
    if unknown:
        raise OptionError(f"agree has no option {min(unknown)!r}")
    if len(annotators) < 2:
        raise OptionError("agreement needs two annotators or more")
    for name, value, least in (("draws", draws, 2), ("seed", seed, 0), ("worst", worst, 0)):
        if value < least:
            raise OptionError(f"{name}={value} is not possible; it takes {least} or more")
    duplicates = options.get("duplicates") or DUPLICATES[0]
    check_choice("duplicates", duplicates, DUPLICATES)
    if options.get("match") == "overlap":
        raise OptionError("match=overlap is not possible: it gives credit in parts, which agreement has no use for")
    given = {name: options.get(name) for name in Options._fields} | {"duplicates": duplicates}
    decided = resolved(options.get("profile"), macro=bool(options.get("macro")), **given)
    for decision, chosen in (("twinless", decided.twinless), ("singletons", decided.singletons)):
        if chosen not in ("keep", "drop"):
            raise OptionError(f"{decision}={chosen} is not possible: it treats key and response differently")
    return decided


class _Pair(NamedTuple):
    """Two annotators: their evaluation in one direction, or in both, and their rows that are twins."""

    a: int
    b: int
    directions: tuple[Evaluation, ...]
    twins: tuple[Ints, Ints]

    @classmethod
    def of(
        cls,
        sides: Sequence[Corpus],
        present: Booleans,
        pair: tuple[int, int],
        measures: tuple[Measure, ...],
        options: Options,
    ) -> _Pair:
        a, b = pair
        both = np.flatnonzero(present[a] & present[b]).tolist()
        none = np.zeros(0, dtype=np.int64)
        if not both:
            return cls(a, b, (), (none, none))
        shared = tuple(sides[a].documents[number] for number in both)
        one, other = sides[a].in_documents(shared), sides[b].in_documents(shared)
        how = {**options._asdict(), "macro": options.average == "macro"}
        how.pop("average")
        one_is_enough = options.match == "exact" and not _one_way(measures)
        order = [(one, other)] if one_is_enough else [(one, other), (other, one)]
        directions = tuple(evaluate.score(key, response, measures=measures, **how) for key, response in order)
        rows = directions[0].table.rows
        if rows is None:
            return cls(a, b, directions, (none, none))
        in_a, in_b = _rows(sides[a], one, rows.key), _rows(sides[b], other, rows.response)
        return cls(a, b, directions, (in_a[rows.twin_key], in_b[rows.twin_response]))

    def value(self, measure: Measure) -> float:
        """The agreement of the two by a measure."""
        return float(np.mean([each[measure].main for each in self.directions]))


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


def _one_way(measures: Sequence[Measure]) -> list[Measure]:
    """Measures that tell key and response apart."""
    return [each for each in measures if not symmetric(each)]


def symmetric(measure: Measure) -> bool:
    """Whether the main value is the same whichever of two annotators is taken for the key."""
    declared = measure.parameters
    changed = {name for name in declared if not declared[name].is_default(getattr(measure, name))}
    both_sides = getattr(measure, "boundary", "both") == "both"
    return measure.name in SYMMETRIC and changed <= _EITHER_WAY and both_sides


def _agreement(
    pair: _Pair,
    names: tuple[str, ...],
    measures: tuple[Measure, ...],
    draws: int,
    seed: int,
    told: Callable[[int, int], None],
) -> PairAgreement:
    scores = np.empty((draws, len(measures)))
    for draw in range(draws):
        random = np.random.default_rng([seed, pair.a, pair.b, draw])
        scores[draw] = np.mean([_by_chance(each, random) for each in pair.directions], axis=0)
        told(draw + 1, draws)
    chance = {str(measure): estimated(scores[:, place]) for place, measure in enumerate(measures)}
    first = pair.directions[0]
    undefined = tuple(str(measure) for measure in measures if measure.main in first[measure].undefined)
    values = {str(measure): pair.value(measure) for measure in measures}
    return PairAgreement(names[pair.a], names[pair.b], len(first.names), values, chance, undefined)


def _by_chance(evaluated: Evaluation, random: np.random.Generator) -> list[float]:
    """Scores where the mentions of both are dealt out to entities of the same sizes."""
    table, rows = evaluated.table, evaluated.table.rows
    assert rows is not None  # noqa: S101 - it has just been made from mentions
    mixed = shuffled(table.key, table.response, rows, dealt(rows.key, random), dealt(rows.response, random))
    again = evaluate.evaluation(
        mixed, evaluated.measures, evaluated.options, strict=False, notices=(), names=evaluated.names
    )
    return [again[measure].main for measure in evaluated.measures]


def _told(progress: Callable[[str, int, int], None] | None, pairs: int) -> Callable[[int, int], None]:
    """Passes on how many random partitions there have been, of all pairs."""
    done = 0

    def tell(_: int, draws: int) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress("chance", done, draws * pairs)

    return tell


def _summary(pairs: Sequence[PairAgreement], measure: Measure) -> Summary:
    name = str(measure)
    values = [pair.measures[name] for pair in pairs]
    mean = float(np.mean(values))
    expected = _mean_chance([pair.chance[name] for pair in pairs])
    full = float(measure.more_is_better)
    found = Summary(
        mean,
        float(np.std(values, ddof=1)) if len(values) > 1 else None,
        min(values),
        max(values),
        expected,
        (mean - expected.mean) / (full - expected.mean) if full != expected.mean else None,
        UNITS.get(measure.name, measure.formula),
    )
    return found._replace(above_chance=None) if found.fixed else found


def _mean_chance(chances: Sequence[Chance]) -> Chance:
    """Of several pairs, whose random partitions have nothing to do with each other."""
    mean = float(np.mean([each.mean for each in chances]))
    half = float(np.sqrt(sum((each.interval[1] - each.mean) ** 2 for each in chances))) / len(chances)
    spread = float(np.mean([each.spread for each in chances]))
    return type(chances[0])(mean, (mean - half, mean + half), spread, chances[0].draws)


def _annotations(
    names: tuple[str, ...],
    sides: Sequence[Corpus],
    present: Booleans,
    pairs: Sequence[_Pair],
) -> Annotations:
    twins = [(pair.a, pair.b, *pair.twins) for pair in pairs]
    numbers = splits.numbers(twins, [len(side) for side in sides])
    return Annotations(names, tuple(sides), Values.of(sides, numbers), present)


def _annotator(name: str, corpus: Corpus, has: Booleans) -> Annotator:
    return Annotator(name, corpus.source, int(has.sum()), len(corpus), len(corpus.entity_document))


def _coefficients(values: Values) -> Iterator[Coefficient]:
    for itself in (False, True):
        sets = "all mentions of its entity" if itself else "the other mentions of its entity"
        for name, distance in DISTANCES.items():
            found = alpha(values, distance, itself=itself)
            counted = f"{found.units:,} mentions that two annotators or more have marked"
            units = f"{counted}; the value of one is {sets}; chance: two values of the same document"
            yield Coefficient(name, itself, found, units)


def _marks(annotations: Annotations) -> Marks:
    values = annotations.values
    marks = np.bincount(values.unit)
    document = np.zeros(len(marks), dtype=np.int64)
    document[values.unit] = values.document[values.entity]
    everyone = annotations.present.sum(axis=0)[document]
    several = everyone > 1
    by = np.bincount(marks[several])
    return Marks(
        int(np.count_nonzero(several)),
        int(np.count_nonzero(several & (marks == everyone))),
        int(np.count_nonzero(several & (marks == 1))),
        {number: int(by[number]) for number in range(1, len(by)) if by[number]},
    )


def _said(pairs: Sequence[_Pair], measures: Sequence[Measure], names: tuple[str, ...]) -> Iterator[Notice]:
    for pair in pairs:
        for direction in pair.directions:
            for notice in direction.warnings:
                yield notice._replace(message=f"{names[pair.a]} and {names[pair.b]}: {notice.message}")
    one_way = _one_way(measures)
    if one_way:
        what = ", ".join(str(measure) for measure in one_way)
        yield Notice("both-directions", f"{what}: not symmetric; the mean of both directions is shown")
