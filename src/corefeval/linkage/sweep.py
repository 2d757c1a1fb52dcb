"""sweep(): scored pairs against a truth, at every threshold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corefeval import measures as known
from corefeval._arrays import Booleans, Floats, Ints
from corefeval.errors import Fault, InputError, OptionError
from corefeval.formats.pairs import RecordPairs
from corefeval.linkage.inputs import AlignedRecords, Edges, WideClusterings, align_records, read_edges, read_records
from corefeval.linkage.intervals import SHARED_OUT, choose_grid, find_threshold_intervals
from corefeval.linkage.merging import Merges, build_table, merge_records
from corefeval.linkage.results import BestThreshold, ChosenThreshold, Sweep, SweepSettings, find_state
from corefeval.linkage.running_counts import RunningCounts, count_states, is_linear
from corefeval.measures import Measure
from corefeval.measures.score import Score, make_score
from corefeval.notices import announce_notices, check_strict, report_progress
from corefeval.overlap.views import Tables, Views
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.counting import Counter
from corefeval.scoring.score import Measures, Source, read

DEFAULT = ("pairwise", "muc", "bcub", "blanc", "lea")
"""The measures of a sweep, where none is asked for."""

_SHOWN = 12  # thresholds that a table shows beside the best ones
_FEWEST_LOOKED_AT, _MOST_LOOKED_AT = 30, 400  # thresholds among which draws look for the best one
_ENOUGH = 10_000_000  # records that are looked at in all these states together, which takes seconds
_MOST_RESAMPLES = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class _GivenStates:
    """The states of a sweep that are given as clusterings."""

    key: Ints
    key_size: Ints
    entities: Sequence[Ints]

    def find_entities(self, state: int) -> Ints:
        """Return the response entity of every record in a state."""
        return self.entities[state]

    @property
    def ordered_key(self) -> Ints:
        """The key entity of every record, -1 for none."""
        return self.key

    def find_ordered_entities(self, state: int) -> Ints:
        """Return the response entity of every record in a state."""
        return self.entities[state]


@dataclass(frozen=True, slots=True, eq=False)
class _States:
    """All states of a sweep, and the numbers of those measures that have some for each."""

    clusterings: Merges | _GivenStates
    thresholds: Floats
    pairs: Ints | None
    entities: Ints
    values: Mapping[str, Mapping[str, Floats]]
    undefined: Mapping[str, Mapping[str, Booleans]]

    def score(self, measures: Sequence[Measure], state: int) -> dict[str, Score]:
        """Return the scores of measures in one state, counted on its table."""
        own = self.clusterings
        table = build_table(own.key, own.key_size, own.find_entities(state))
        counter = Counter(Tables(Views(table)))
        return {str(measure): make_score(measure, measure.score(counter.count(measure))) for measure in measures}


@announce_notices
def sweep(
    edges: Edges,
    truth: Source,
    *,
    measures: Measures | None = None,
    at: Iterable[float] | None = None,
    records: Any = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    strict: bool = False,
    format: str | None = None,  # noqa: A002 - the name that users expect
    key_format: str | None = None,
    response_format: str | None = None,
) -> Sweep:
    """Score the closure of scored pairs against a truth at every threshold, and return the Sweep.

    edges: pairs of records with a score each: a file, a data frame, (left, right, score) tuples; or a table with a
        clustering for each of several thresholds in its columns.
    truth: the key: anything that `score` takes, such as a table of records and entities, or labelled pairs.
    measures: as in `score`. Those that are not linear (CEAF, the CoNLL average) are computed at some thresholds only.
    at: these thresholds; by default some that are spread over all, and the best ones.
    records: all records there are, a table or ids; those in no pair are singletons. By default the truth's are taken.
    resamples, confidence, seed: draws of key entities for the interval of each best threshold; 0: no intervals.
    strict: raise an error where there would be a warning.
    format, key_format, response_format: of the truth (key) and of the pairs (response), where they are not recognised.
    """
    chosen = known.resolve_measures(known.select_measures(DEFAULT if measures is None else measures), resolve_options())
    _check_options(chosen, resamples, confidence)
    wanted = None if at is None else [_check_threshold(each) for each in at]
    found = read_edges(edges, response_format or format)
    key = read(truth, key_format or format, side="key")
    others = None if records is None else read_records(records)
    aligned = align_records(found.records, found.source, key, others)
    if isinstance(found, RecordPairs):
        states = _link_pairs(found, aligned, [measure for measure in chosen if is_linear(measure)])
    else:
        _check_given(wanted or (), found.thresholds)
        states = _take_clusterings(found, aligned, chosen)
    curves = {
        str(measure): measure.sign * states.values[str(measure)][measure.main]
        for measure in chosen
        if str(measure) in states.values and measure.name != "mentions"
    }
    linear = [measure for measure in chosen if is_linear(measure)]
    grid = _choose_grid(states, curves, linear)
    intervals = find_threshold_intervals(
        states.clusterings, grid, linear, resamples=resamples, confidence=confidence, seed=seed
    )
    best = tuple(_find_best(measure, states, intervals) for measure in chosen if str(measure) in curves)
    notices = (*found.notices, *aligned.notices)
    check_strict(notices, strict=strict)
    return Sweep(
        measures=chosen,
        thresholds=states.thresholds,
        pairs=states.pairs,
        entities=states.entities,
        values=states.values,
        undefined=states.undefined,
        chosen=_score_chosen(states, chosen, _list_shown(states, best) if wanted is None else wanted),
        best=best,
        settings=SweepSettings(resamples, confidence, seed, len(grid)),
        records=aligned.count,
        key_entities=len(aligned.key_size),
        key=key.source,
        response=found.source,
        notices=notices,
    )


def _check_options(measures: Sequence[Measure], resamples: int, confidence: float) -> None:
    """Raise an OptionError for options that are not possible, and for measures that look at text."""
    for measure in measures:
        if measure.needs_mentions or not measure.scores_entities:
            raise OptionError(f"{measure} looks at more than entities of records; a sweep has nothing else")
    if not 0 <= resamples <= _MOST_RESAMPLES:
        raise OptionError(f"resamples={resamples}: expected 0 to {_MOST_RESAMPLES}")
    if not 0 < confidence < 1:
        raise OptionError(f"confidence={confidence}: expected a number between 0 and 1")


def _check_threshold(threshold: float) -> float:
    """Return a threshold as a float; an OptionError if it is no finite number."""
    try:
        number = float(threshold)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(f"at={threshold}: expected a number")
    return number


def _check_given(wanted: Iterable[float], thresholds: Sequence[float]) -> None:
    """Raise an OptionError for a threshold that is asked for and not among those of given clusterings."""
    for threshold in wanted:
        if threshold not in thresholds:
            there = ", ".join(map(str, thresholds))
            raise OptionError(f"at={threshold}: there is no clustering at this threshold; there are: {there}")


def _link_pairs(pairs: RecordPairs, aligned: AlignedRecords, measures: Sequence[Measure]) -> _States:
    """Return all states of scored pairs, with the numbers of linear measures."""
    report_progress("linking records", 0, 1)
    scores, place, times = np.unique(-pairs.value, return_inverse=True, return_counts=True)
    thresholds = np.append(np.inf, -scores)
    left, right = aligned.place[pairs.left], aligned.place[pairs.right]
    merges = merge_records(left, right, place.reshape(-1) + 1, len(thresholds), aligned.key, aligned.key_size)
    run = RunningCounts(merges)
    values: dict[str, Mapping[str, Floats]] = {}
    undefined: dict[str, Mapping[str, Booleans]] = {}
    for number, measure in enumerate(measures):
        report_progress("scoring thresholds", number, len(measures))
        scored = measure.score(count_states(measure, run))
        values[str(measure)] = {field: scored[field] for field in measure.shown}
        undefined[str(measure)] = {
            field: np.broadcast_to(scored["undefined"].get(field, False), thresholds.shape) for field in measure.shown
        }
    return _States(merges, thresholds, np.append(0, np.cumsum(times)), run.entities, values, undefined)


def _take_clusterings(found: WideClusterings, aligned: AlignedRecords, measures: Sequence[Measure]) -> _States:
    """Return the states of given clusterings, with the numbers of all measures; an InputError if a record is twice."""
    if len(np.unique(aligned.place)) < len(aligned.place):
        raise InputError(Fault(found.source, "a record is in it twice", "every record once"))
    entities = []
    for own in found.entities:
        # Records that the table lacks are alone.
        entity = int(own.max(initial=-1)) + 1 + np.arange(aligned.count)
        entity[aligned.place] = own
        entities.append(np.unique(entity, return_inverse=True)[1].reshape(-1))
    given = _GivenStates(aligned.key, aligned.key_size, entities)
    sizes = np.array([int(entity.max(initial=-1)) + 1 for entity in entities])
    states = _States(given, np.array(found.thresholds), None, sizes, {}, {})
    rows = [states.score(measures, state) for state in range(len(entities))]
    values = {
        str(measure): {field: np.array([row[str(measure)].values[field] for row in rows]) for field in measure.shown}
        for measure in measures
    }
    undefined = {
        str(measure): {
            field: np.array([field in row[str(measure)].undefined for row in rows]) for field in measure.shown
        }
        for measure in measures
    }
    return _States(given, states.thresholds, None, sizes, values, undefined)


def _choose_grid(states: _States, curves: Mapping[str, Floats], measures: Sequence[Measure]) -> list[int]:
    """Return the states among which draws look for the best one."""
    names = {str(measure) for measure in measures if measure.name in SHARED_OUT}
    own = {name: curve for name, curve in curves.items() if name in names}
    affordable = _ENOUGH // max(len(states.clusterings.key), 1)
    most = min(max(affordable, _FEWEST_LOOKED_AT), _MOST_LOOKED_AT)
    return choose_grid(states.entities, own, most) if own else []


def _find_best(measure: Measure, states: _States, intervals: Mapping[str, tuple[int, int]]) -> BestThreshold:
    """Return the best threshold of a measure, with its interval and its knee where they are known."""
    own = states.values[str(measure)]
    state = int(np.argmax(measure.sign * own[measure.main]))
    interval = intervals.get(str(measure))
    bounds = None
    if interval is not None:
        low, high = sorted((*interval, state))[::2]  # the whole truth may do better than most draws at either end
        bounds = float(states.thresholds[high]), float(states.thresholds[low])
    knee = _find_knee(own, states.undefined[str(measure)])
    return BestThreshold(
        str(measure),
        float(states.thresholds[state]),
        bounds,
        {field: _to_plain(own[field][state]) for field in measure.shown},
        None if knee is None else float(states.thresholds[knee]),
    )


def _to_plain(value: Any) -> Any:
    """Return a number or text of an array as a plain Python object."""
    return value.item() if hasattr(value, "item") else value


def _find_knee(fields: Mapping[str, Floats], undefined: Mapping[str, Booleans]) -> int | None:
    """Return the state at the knee of recall and precision; None for a measure without them, or where one is constant.

    Both are stretched from their least to their greatest value; the knee is the farthest from the line between the
    ends of their curve (Satopää et al. 2011, Finding a "Kneedle" in a haystack): where their sum is largest. States
    in which one of them is 0/0 are left aside.
    """
    if not {"recall", "precision"} <= fields.keys():
        return None
    states = np.flatnonzero(~undefined["recall"] & ~undefined["precision"])
    recall, precision = fields["recall"][states], fields["precision"][states]
    if not len(states) or not np.ptp(recall) or not np.ptp(precision):
        return None
    return int(states[np.argmax(recall / np.ptp(recall) + precision / np.ptp(precision))])


def _list_shown(states: _States, best: Sequence[BestThreshold]) -> list[float]:
    """Return the thresholds to show: some, between which about as many entities are merged, and the best ones."""
    last = len(states.entities) - 1
    wanted = np.linspace(states.entities[0], states.entities[last], _SHOWN)
    spread = np.minimum(np.searchsorted(-states.entities, -wanted), last).tolist()
    rows = {*spread, last, *(find_state(states.thresholds, each.threshold) for each in best)}
    return [float(states.thresholds[row]) for row in sorted(rows)]


def _score_chosen(
    states: _States, measures: Sequence[Measure], thresholds: Sequence[float]
) -> tuple[ChosenThreshold, ...]:
    """Return the scores of all measures at these thresholds, highest first."""
    chosen = []
    for number, threshold in enumerate(sorted(set(thresholds), reverse=True)):
        report_progress("scoring chosen thresholds", number, len(thresholds))
        state = find_state(states.thresholds, threshold)
        chosen.append(ChosenThreshold(threshold, state, states.score(measures, state)))
    return tuple(chosen)
