"""The search: the cases of all criteria as rows of numbers, scored at once, and what becomes of each criterion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from itertools import chain

from corefeval._arrays import Booleans, Floats, Ints, np
from corefeval._lazy import NamedTuple
from corefeval.lab.criteria.cases import Case
from corefeval.lab.criteria.definitions import CRITERIA, Criterion
from corefeval.lab.criteria.pairs import LARGEST, Pair, draw_partition, normalise_pair
from corefeval.lab.criteria.relations import RELATIONS, TOLERANCE
from corefeval.lab.criteria.verdicts import Example, ScoredResponse, ScoreSpread, Verdict
from corefeval.lab.subject import check_measures
from corefeval.measures import Measure
from corefeval.scoring.score import score


class CaseRows(NamedTuple):
    """The cases of a criterion that expect one relation, different ones only, the smallest first.

    pairs: the numbers of all their pairs; starts: where each group begins, a column for each group of a case.
    """

    criterion: Criterion
    relation: str
    cases: tuple[Case, ...]
    sizes: Ints
    same_mentions: Booleans
    pairs: tuple[Ints, ...]
    starts: tuple[Ints, ...]


class SearchSpace(NamedTuple):
    """All pairs that cases have, each once, and the cases of each criterion by relation."""

    pairs: tuple[Pair, ...]
    rows: dict[str, tuple[CaseRows, ...]]


class MeasuredPairs(NamedTuple):
    """A measure's scores of all pairs of a search space, higher ones better; and which are 0/0."""

    measure: Measure
    scores: dict[str, Floats]
    undefined: dict[str, Booleans]

    def choose_field(self, criterion: Criterion) -> str:
        """Return the field that a criterion is about; the main one where the measure has no such field."""
        return criterion.field if criterion.field in self.scores else self.measure.main

    @property
    def best(self) -> float:
        """The best score: 1, or 0 where less is better."""
        return 1.0 if self.measure.more_is_better else 0.0


def _count_mentions(case: Case) -> int:
    """Return how many mentions a case has in all of its partitions."""
    return len({mention for pair in chain(*case.groups) for entity in chain(*pair) for mention in entity})


@cache
def build_search_space(bases: tuple[Pair, ...]) -> SearchSpace:
    """Return the cases that all criteria make of these pairs, those that are the same up to relabelling once."""
    numbers: dict[Pair, int] = {}
    rows = {}
    for criterion in CRITERIA:
        by_relation: dict[str, dict[tuple[tuple[int, ...], ...], Case]] = {}
        for case in criterion.search(bases):
            groups = tuple(
                tuple(numbers.setdefault(normalise_pair(pair), len(numbers)) for pair in group) for group in case.groups
            )
            by_relation.setdefault(case.relation, {}).setdefault(groups, case)
        rows[criterion.name] = tuple(_build_rows(criterion, *each) for each in by_relation.items())
    return SearchSpace(tuple(numbers), rows)


def _build_rows(criterion: Criterion, relation: str, found: dict[tuple[tuple[int, ...], ...], Case]) -> CaseRows:
    """Return the rows of cases, given with the numbers of their pairs."""
    ordered = sorted(found.items(), key=lambda each: _rank_case(each[1]))
    columns = list(zip(*(numbers for numbers, _ in ordered), strict=True))
    cases = tuple(case for _, case in ordered)
    return CaseRows(
        criterion,
        relation,
        cases,
        np.array([_count_mentions(case) for case in cases]),
        np.array([case.has_same_mentions for case in cases]),
        tuple(np.array(list(chain(*column)), dtype=np.int64) for column in columns),
        tuple(np.cumsum([0, *map(len, column[:-1])]) for column in columns),
    )


def _rank_case(case: Case) -> tuple[int, int, bool]:
    """Return what cases are sorted by: mentions, then entities; those with the same mentions on both sides first."""
    entities = sum(len(pair.key) + len(pair.response) for pair in chain(*case.groups))
    return _count_mentions(case), entities, not case.has_same_mentions


def measure_pairs(measures: Sequence[Measure], pairs: Sequence[Pair]) -> list[MeasuredPairs]:
    """Return the scores of pairs by measures: all pairs are documents of one evaluation."""
    check_measures(measures)
    keys = {str(number): list(map(list, pair.key)) for number, pair in enumerate(pairs)}
    responses = {str(number): list(map(list, pair.response)) for number, pair in enumerate(pairs)}
    evaluation = score(keys, responses, measures=list(measures))
    measured = []
    for measure in measures:
        values = evaluation.score_documents(measure)
        fields = [field for field in dict.fromkeys(("recall", measure.main)) if field in values]
        unsure = {field: np.asarray(values["undefined"].get(field, False)) for field in fields}
        measured.append(
            MeasuredPairs(
                measure,
                {field: measure.sign * np.asarray(values[field], dtype=np.float64) for field in fields},
                {field: np.broadcast_to(unsure[field], len(pairs)) for field in fields},
            )
        )
    return measured


def judge_criterion(found: MeasuredPairs, parts: Sequence[CaseRows], *, same_mentions: bool) -> Verdict:
    """Return the verdict on a criterion for a measure; on cases only where key and response have the same mentions."""
    return reduce(Verdict.join, [_judge_rows(found, part, same_mentions=same_mentions) for part in parts], Verdict())


def _judge_rows(found: MeasuredPairs, rows: CaseRows, *, same_mentions: bool) -> Verdict:
    """Return the verdict on the cases of one relation."""
    relation = RELATIONS[rows.relation]
    if relation.of_shares and not found.measure.more_is_better:
        return Verdict()
    field = found.choose_field(rows.criterion)
    combine = np.minimum if rows.criterion.combine == "least" else np.add
    columns = []
    unsure = np.zeros(len(rows.cases), dtype=np.bool_)
    for pairs, starts in zip(rows.pairs, rows.starts, strict=True):
        values = combine.reduceat(found.scores[field][pairs], starts)
        counts = np.diff([*starts, len(pairs)])
        columns.append(values if combine is np.minimum else values / counts)
        unsure |= np.logical_or.reduceat(found.undefined[field][pairs], starts)
    signs = relation.judge(tuple(columns), found.best)
    used = ~unsure & (rows.same_mentions if same_mentions else True)
    small = rows.sizes <= LARGEST
    example = None
    for sign in (-1, 0):
        places = np.flatnonzero(used & (signs == sign))
        if len(places):
            place = int(places[0])
            example = _draw_example(found, rows, place, [float(column[place]) for column in columns])
            break
    return Verdict(
        int((used & small).sum()),
        int((used & ~small).sum()),
        int((used & (signs == 0)).sum()),
        int((used & (signs < 0)).sum()),
        int((unsure & (rows.same_mentions if same_mentions else True)).sum()),
        example,
    )


def _draw_example(found: MeasuredPairs, rows: CaseRows, place: int, scores: list[float]) -> Example:
    """Return the picture of a case; of a group of responses, one with the least score and how many there are."""
    values = found.scores[found.choose_field(rows.criterion)]
    drawn = []
    for group, score_, pairs, starts in zip(rows.cases[place].groups, scores, rows.pairs, rows.starts, strict=True):
        begin = int(starts[place])
        least = group[int(np.argmin(values[pairs[begin : begin + len(group)]]))]
        pictures = draw_partition(least.key), draw_partition(least.response)
        drawn.append(ScoredResponse(*pictures, found.measure.sign * score_, len(group)))
    return Example(rows.relation, int(rows.sizes[place]), tuple(drawn))


def describe_scores(found: MeasuredPairs, pairs: Sequence[Pair]) -> ScoreSpread:
    """Return how scores lie of pairs with the same mentions: of those of up to six, or where there are none, of all."""
    main = found.measure.main
    same = np.array([pair.has_same_mentions for pair in pairs])
    small = same & np.array([sum(map(len, pair.key)) <= LARGEST for pair in pairs])
    values = np.sort(found.scores[main][(small if small.any() else same) & ~found.undefined[main]])
    if not len(values):
        return ScoreSpread(None, None, 0, None)
    steps = np.diff(values)
    ends = sorted(found.measure.sign * float(values[place]) for place in (0, -1))
    return ScoreSpread(ends[0], ends[1], int((steps > TOLERANCE).sum()) + 1, float(steps.max(initial=0)))


def find_severer(found: Sequence[MeasuredPairs]) -> dict[str, tuple[str, ...]]:
    """Return for each measure those that it is never above, on any pair; measures of which less is better aside."""
    shares = [each for each in found if each.measure.more_is_better]
    severer = {}
    for one in shares:
        others = []
        for other in shares:
            unsure = one.undefined[one.measure.main] | other.undefined[other.measure.main]
            above = one.scores[one.measure.main] > other.scores[other.measure.main] + TOLERANCE
            if one is not other and not (above & ~unsure).any():
                others.append(str(other.measure))
        severer[str(one.measure)] = tuple(others)
    return severer
