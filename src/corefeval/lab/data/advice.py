"""What to consider before choosing measures for a corpus: numbers of its own, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from corefeval import measures as known
from corefeval._arrays import Ints
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Settings
from corefeval.corpus.corpus import Corpus
from corefeval.errors import OptionError
from corefeval.lab.data.boundaries import score_baselines
from corefeval.lab.data.corruption import KINDS, corrupt_key
from corefeval.lab.data.registry import read_key
from corefeval.lab.data.results import DataFindings, DataStudyResult
from corefeval.lab.data.sensitivity import SHOWN, compare_falls, find_falls, score_errors
from corefeval.lab.data.sides import number_key
from corefeval.lab.data.sizes import BINS, bin_sizes
from corefeval.lab.findings import Curve, Figure
from corefeval.measures import Measure
from corefeval.notices import Notice, announce_notices, count_part, join_notices
from corefeval.scoring.score import Measures, Source, read, score

TITLE = "What speaks for and against each measure on this corpus"
SOURCE = "the key's own numbers: sizes of entities, baselines, errors made at one rate, power"
_RATE = SHOWN / 100
_POINT = 0.01
_RESAMPLES = 1000
PROCEDURE = (
    f"Errors are those of `corefeval lab sensitivity` at {SHOWN} %. The documents that one point of difference "
    "needs (80 % power, level 0.05) are from the first two responses or, without these, from two responses made "
    f"of the key by moving {SHOWN} % of the mentions, with two seeds; where there is one document, it is its "
    "components: groups of entities that share mentions."
)


@announce_notices
def advise(
    key: Source, responses: Mapping[str, Source] | None = None, *, measures: Measures | None = None, seed: int = 0
) -> DataStudyResult:
    """Return reasons for and against measures on a corpus: singletons, sizes, baselines, errors, power; no verdict.

    responses: two or more by name, on which power is then computed. measures: as in `score`.
    """
    if responses and len(responses) == 1:
        raise OptionError("power is about differences: give two responses or more, or none")
    corpus, chosen = read_key(key), known.select_measures(measures)
    sides = {name: read(source, side="response") for name, source in (responses or {}).items()}
    sizes, size_sentences = _describe_sizes(corpus, chosen)
    bases, base_sentences, notices = _describe_baselines(corpus, chosen, seed)
    falls, fall_sentences = _describe_falls(corpus, chosen, seed)
    power, power_sentences = _describe_power(corpus, sides, chosen, seed)
    findings = DataFindings(
        figures=[sizes, bases, falls, *power],
        sentences=[*size_sentences, *base_sentences, *fall_sentences, *power_sentences],
        seed=seed,
        notices=join_notices((corpus.notices, notices, *(side.notices for side in sides.values()))),
    )
    return DataStudyResult("advise", TITLE, SOURCE, PROCEDURE, findings)


def _describe_sizes(key: Corpus, measures: Sequence[Measure]) -> tuple[Figure, list[str]]:
    """Return a figure of entities, mentions and links by size, and sentences on singletons, links, large entities."""
    in_bins = bin_sizes(key)
    curves = (
        Curve("entities", tuple(len(own) for own in in_bins)),
        Curve(f"{key.noun}s", tuple(int(own.sum()) for own in in_bins)),
        Curve("links", tuple(_count_pairs(own) for own in in_bins)),
    )
    sentences = [_describe_singletons(key, measures), *_describe_links(key)]
    return Figure("size", "by size of entities", tuple(BINS), curves), sentences


def _count_pairs(sizes: Ints) -> int:
    """Return how many pairs there are within groups of these sizes."""
    return int((sizes * (sizes - 1) // 2).sum())


def _describe_singletons(key: Corpus, measures: Sequence[Measure]) -> str:
    """Return a sentence: how many singletons there are, and by which measures nothing is gained by them."""
    singletons, entities = int(np.count_nonzero(key.sizes == 1)), len(key.sizes)
    some = count_part(singletons, entities, "entity", "is a singleton", "are singletons")
    if not singletons:
        return f"{some}: nothing here tells how measures deal with them."
    blind = _find_blind(key, measures) if singletons < entities else []
    gain = f"; a response that has them all gains nothing by them under: {', '.join(blind)}" if blind else ""
    shares = f"{100 * singletons / entities:.1f} %), {100 * singletons / len(key):.1f} % of the {key.noun}s"
    return f"{some} ({shares}{gain}."


def _describe_links(key: Corpus) -> list[str]:
    """Return sentences: which share of all pairs corefers, and which shares belong to the largest entities."""
    possible = _count_pairs(np.bincount(key.document, minlength=1))
    linked, sentences = _count_pairs(key.sizes), []
    if possible:
        rate, within = 100 * linked / possible, " within documents" if len(key.documents) > 1 else ""
        sentences.append(
            f"{linked:,} of {possible:,} pairs of {key.noun}s{within} corefer ({rate:.1f} %): a response without any "
            f"link has {100 - rate:.1f} % of the pairs right (rand), and blanc averages both kinds of pairs."
        )
    if linked:
        largest = np.sort(key.sizes)[::-1][: max(1, round(len(key.sizes) / 10))]
        shares = [100 * float(part) / whole for part, whole in (
            (len(largest), len(key.sizes)), (largest.sum(), len(key)), (_count_pairs(largest), linked)
        )]  # fmt: skip
        sentences.append(
            f"The largest {shares[0]:.1f} % of the entities have {shares[1]:.1f} % of the {key.noun}s and "
            f"{shares[2]:.1f} % of the links: so much of what is counted by entities (ceafe), mentions (bcub, ceafm) "
            "and links (pairwise, blanc) is about them."
        )
    return sentences


def _find_blind(key: Corpus, measures: Sequence[Measure]) -> list[str]:
    """Return the measures to which it is all one whether key and response have the key's singletons, or neither.

    The response lacks every other mention of the larger entities.
    """
    side, coreferent = number_key(key), key.sizes[key.entity] > 1
    found = ~coreferent | (np.cumsum(coreferent) % 2 == 0)
    whole = score(side.build_corpus(), side.keep(found).build_corpus(), measures=measures)
    part = score(side.keep(coreferent).build_corpus(), side.keep(found & coreferent).build_corpus(), measures=measures)
    return [str(each) for each in measures if abs(whole[each].main - part[each].main) < 1e-12]


def _describe_baselines(
    key: Corpus, measures: Sequence[Measure], seed: int
) -> tuple[Figure, list[str], tuple[Notice, ...]]:
    """Return a figure of what baselines reach, a sentence for each measure on the best of them, and notices."""
    scores, notices = score_baselines(key, measures, seed)
    curves = tuple(Curve(str(each), tuple(100 * row[str(each)] for row in scores.values())) for each in measures)
    best: dict[str, list[str]] = {}
    for measure in measures:
        name = str(measure)
        kind = max(scores, key=lambda each: measure.sign * scores[each][name])
        if measure.more_is_better and scores[kind][name] < 1:
            room = f"{name} {100 * scores[kind][name]:.2f} (leaves {100 - 100 * scores[kind][name]:.2f})"
            best.setdefault(kind, []).append(room)
        else:
            best.setdefault("", []).append(name)
    chance = {str(each): scores["random"][str(each)] for each in measures if 0 < scores["random"][str(each)] < 1}
    low, high = (choose(chance, key=chance.__getitem__, default="") for choose in (min, max))
    ends = f"from {100 * chance[low]:.2f} ({low}) to {100 * chance[high]:.2f} ({high})" if chance else "nothing"
    sentences = [f"Chance, with the key's sizes of entities, reaches {ends}."]
    sentences += [f"Of the baselines, {kind} reaches most by: {', '.join(own)}." for kind, own in best.items() if kind]
    if "" in best:
        sentences.append(f"No scale between a baseline and 100 by: {', '.join(best[''])}.")
    return Figure("baseline", "what baselines reach", tuple(scores), curves), sentences, notices


def _describe_falls(key: Corpus, measures: Sequence[Measure], seed: int) -> tuple[Figure, list[str]]:
    """Return a figure of the points that errors of each kind cost by measure, and sentences on their spread."""
    falls = {kind: find_falls(score_errors(key, kind, (0, SHOWN), measures, seed), 1) for kind in KINDS}
    curves = tuple(Curve(str(each), tuple(own[str(each)] for own in falls.values())) for each in measures)
    sentences = [f"{kind}, {SHOWN} %: {compare_falls(own)}." for kind, own in falls.items()]
    unseen = {str(each): [kind for kind, own in falls.items() if own[str(each)] < 1e-9] for each in measures}
    sentences += [f"{name} does not fall by: {', '.join(kinds)}." for name, kinds in unseen.items() if kinds]
    return Figure("error", f"points lost by errors at {SHOWN} %", tuple(falls), curves), sentences


def _describe_power(
    key: Corpus, responses: Mapping[str, Corpus], measures: Sequence[Measure], seed: int
) -> tuple[list[Figure], list[str]]:
    """Return a figure of how many documents a point of difference needs by measure, if it is known, and sentences.

    Of one document, it is groups of entities that share mentions.
    """
    given = dict(list(responses.items())[:2])
    if not given:
        side = number_key(key)
        key = side.build_corpus()
        given = {str(own): corrupt_key(side, "moved mention", _RATE, own).build_corpus() for own in (seed, seed + 1)}
    units = "documents" if len(key.documents) > 1 else "components"
    settings = Settings(resamples=_RESAMPLES, seed=seed, plan=_POINT, resample=units)
    evaluations = {name: (score(key, response, measures=measures),) for name, response in given.items()}
    try:
        found = compare_evaluations(evaluations, tuple(measures), settings, may_drop=True)
    except OptionError as error:
        return [], [f"How many documents a difference needs is not known: {error}."]
    planned = {each.measure: each.planned for each in found.comparisons if each.planned is not None}
    unknown = [str(each) for each in measures if str(each) not in planned]
    sentences = []
    if planned:
        fewest, most = min(planned, key=planned.__getitem__), max(planned, key=planned.__getitem__)
        sentences.append(
            f"One point of difference takes from {planned[fewest]:,} {units} like these ({fewest}) to "
            f"{planned[most]:,} ({most}); here are {found.units:,}, from which that is estimated."
        )
    if unknown:
        sentences.append(f"How many {units} it takes is not known by: {', '.join(unknown)}.")
    curve = Curve(units, tuple(planned.values()))
    figure = Figure("measure", f"{units} that one point of difference needs", tuple(planned), (curve,))
    return [figure] if planned else [], sentences
