"""What to consider before choosing measures for a corpus: numbers of its own, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corefeval._arrays import Ints
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Settings
from corefeval.errors import OptionError
from corefeval.lab.corruption import corrupt_key
from corefeval.lab.findings import Figure, Findings
from corefeval.lab.sides import MatchedSides, NumberedSide, number_sides
from corefeval.lab.studies.boundaries import score_baselines
from corefeval.lab.studies.sensitivity import SHOWN, describe_falls, find_drawn, find_falls, score_errors
from corefeval.lab.studies.sizes import BINS, bin_sizes
from corefeval.lab.subject import StudySubject
from corefeval.notices import count_part, join_notices

TITLE = "What speaks for and against each measure on this corpus"
SOURCE = "the key's own numbers: sizes of entities, baselines, errors made at one rate, power"
PROCEDURE = (
    f"Errors are those of `corefeval lab sensitivity` at {SHOWN} %. The documents that one point of difference "
    "needs (80 % power, level 0.05) are from the first two responses or, without these, from two responses made "
    f"of the key by moving {SHOWN} % of the mentions, with two seeds; where there is one document, it is its "
    "components: groups of entities that share mentions."
)
TAKES = (0, None)


def run(subject: StudySubject) -> Findings:
    """Return reasons for and against measures: singletons, sizes, baselines, errors, power; no verdict."""
    if len(subject.responses) == 1:
        raise OptionError("power is about differences: give two responses or more, or none")
    sides = number_sides(subject, subject.key)
    parts = [describe(subject, sides) for describe in _PARTS]
    responses = (response.notices for response in subject.responses.values())
    return Findings(
        figures=[figure for part in parts for figure in part.figures],
        sentences=[sentence for part in parts for sentence in part.sentences],
        notices=join_notices((sides.notices, *(part.notices for part in parts), *responses)),
        seed=subject.seed,
    )


def _describe_sizes(subject: StudySubject, sides: MatchedSides) -> Findings:
    """Return a figure of entities, mentions and links by size, and sentences on singletons, links, large entities."""
    noun, sizes = subject.key.noun, np.bincount(sides.key.entity)
    in_bins = bin_sizes(sizes)
    curves = {
        "entities": [len(own) for own in in_bins],
        f"{noun}s": [int(own.sum()) for own in in_bins],
        "links": [_count_pairs(own) for own in in_bins],
    }
    sentences = [_describe_singletons(noun, sizes, sides), *_describe_links(noun, sizes, sides.key)]
    return Findings(figures=[Figure("size", "by size of entities", list(BINS), curves)], sentences=sentences)


def _count_pairs(sizes: Ints) -> int:
    """Return how many pairs there are within groups of these sizes."""
    return int((sizes * (sizes - 1) // 2).sum())


def _describe_singletons(noun: str, sizes: Ints, sides: MatchedSides) -> str:
    """Return a sentence: how many singletons there are, and by which measures nothing is gained by them."""
    singletons, entities = int(np.count_nonzero(sizes == 1)), len(sizes)
    some = count_part(singletons, entities, "entity", "is a singleton", "are singletons")
    if not singletons:
        return f"{some}: nothing here tells how measures deal with them."
    blind = _find_blind(sides) if singletons < entities else []
    gain = f"; a response that has them all gains nothing by them under: {', '.join(blind)}" if blind else ""
    shares = f"{100 * singletons / entities:.1f} %), {100 * singletons / sizes.sum():.1f} % of the {noun}s"
    return f"{some} ({shares}{gain}."


def _find_blind(sides: MatchedSides) -> list[str]:
    """Return the measures to which it is all one whether key and response have the key's singletons, or neither.

    The response lacks every other mention of the larger entities.
    """
    coreferent = np.bincount(sides.key.entity)[sides.key.entity] > 1
    found = ~coreferent | (np.cumsum(coreferent) % 2 == 0)
    whole = sides.score([sides.key.keep(found)])
    part = sides._replace(key=sides.key.keep(coreferent)).score([sides.key.keep(found & coreferent)])
    return [name for name in whole if abs(whole[name][0].main - part[name][0].main) < 1e-12]


def _describe_links(noun: str, sizes: Ints, key: NumberedSide) -> list[str]:
    """Return sentences: which share of all pairs corefers, and which shares belong to the largest entities."""
    possible, linked = _count_pairs(np.bincount(key.document)), _count_pairs(sizes)
    sentences = []
    if possible:
        rate, within = 100 * linked / possible, " within documents" if len(key.names) > 1 else ""
        sentences.append(
            f"{linked:,} of {possible:,} pairs of {noun}s{within} corefer ({rate:.1f} %): a response without any "
            f"link has {100 - rate:.1f} % of the pairs right (rand), and blanc averages both kinds of pairs."
        )
    if linked:
        largest = np.sort(sizes)[::-1][: max(1, round(len(sizes) / 10))]
        of_entities, of_mentions = 100 * len(largest) / len(sizes), 100 * largest.sum() / sizes.sum()
        sentences.append(
            f"The largest {of_entities:.1f} % of the entities have {of_mentions:.1f} % of the {noun}s and "
            f"{100 * _count_pairs(largest) / linked:.1f} % of the links: so much of what is counted by entities "
            "(ceafe), mentions (bcub, ceafm) and links (pairwise, blanc) is about them."
        )
    return sentences


def _describe_baselines(subject: StudySubject, sides: MatchedSides) -> Findings:
    """Return a figure of what baselines reach, and a sentence for each measure on the best of them."""
    scores, notices = score_baselines(subject)
    best: dict[str, list[str]] = {}
    for measure in sides.measures:
        name = str(measure)
        kind = max(scores, key=lambda each: measure.sign * scores[each][name])
        if measure.more_is_better and scores[kind][name] < 1:
            room = f"{name} {100 * scores[kind][name]:.2f} (leaves {100 - 100 * scores[kind][name]:.2f})"
            best.setdefault(kind, []).append(room)
        else:
            best.setdefault("", []).append(name)
    chance = {name: score for name, score in scores["random"].items() if 0 < score < 1}
    low, high = (choose(chance, key=chance.__getitem__, default="") for choose in (min, max))
    ends = f"from {100 * chance[low]:.2f} ({low}) to {100 * chance[high]:.2f} ({high})" if chance else "nothing"
    sentences = [f"Chance, with the key's sizes of entities, reaches {ends}."]
    sentences += [f"Of the baselines, {kind} reaches most by: {', '.join(own)}." for kind, own in best.items() if kind]
    sentences += [f"No scale between a baseline and 100 by: {', '.join(best[''])}."] if "" in best else []
    curves = {name: [100 * row[name] for row in scores.values()] for name in scores["random"]}
    figure = Figure("baseline", "what baselines reach", list(scores), curves)
    return Findings(figures=[figure], sentences=sentences, notices=notices)


def _describe_falls(subject: StudySubject, sides: MatchedSides) -> Findings:
    """Return a figure of the points that errors cost by measure, of kinds that were drawn, and sentences on them."""
    drawn = find_drawn(sides, subject.seed)
    falls = {kind: find_falls(score_errors(sides, kind, (0, SHOWN), subject.seed), 1) for kind in drawn}
    curves = {str(each): [own[str(each)] for own in falls.values()] for each in sides.measures}
    without = {name: [kind for kind in drawn if abs(falls[kind][name]) < 1e-9] for name in curves}
    sentences = describe_falls(falls)
    sentences += [f"{name} loses nothing by these: {', '.join(kinds)}." for name, kinds in without.items() if kinds]
    figures = [Figure("error", f"points lost by errors at {SHOWN} %", drawn, curves)] if drawn else []
    return Findings(figures=figures, sentences=sentences)


def _describe_power(subject: StudySubject, sides: MatchedSides) -> Findings:
    """Return a figure of how many documents a point of difference needs by measure, if it is known, and sentences.

    Of one document, it is groups of entities that share mentions.
    """
    moved = (corrupt_key(sides.key, "moved mention", SHOWN / 100, seed) for seed in (subject.seed, subject.seed + 1))
    given = [subject.score(response) for response in list(subject.responses.values())[:2]] or sides.evaluate(moved)
    units = "documents" if len(sides.key.names) > 1 else "components"
    settings = Settings(resamples=1000, seed=subject.seed, plan=0.01, resample=units)
    evaluations = {str(place): (evaluation,) for place, evaluation in enumerate(given)}
    try:
        found = compare_evaluations(evaluations, sides.measures, settings, may_drop=True)
    except OptionError as error:
        return Findings(sentences=[f"How many documents a difference needs is not known: {error}."])
    planned = {each.measure: each.planned for each in found.comparisons if each.planned is not None}
    unknown = [str(each) for each in sides.measures if str(each) not in planned]
    missing = [f"How many {units} it takes is not known by: {', '.join(unknown)}."] if unknown else []
    if not planned:
        return Findings(sentences=missing)
    fewest, most = (choose(planned, key=planned.__getitem__) for choose in (min, max))
    sentence = (
        f"One point of difference takes from {planned[fewest]:,} {units} like these ({fewest}) to "
        f"{planned[most]:,} ({most}); here are {found.units:,}, from which that is estimated."
    )
    figure = Figure(
        "measure", f"{units} that one point of difference needs", list(planned), {units: list(planned.values())}
    )
    return Findings(figures=[figure], sentences=[sentence, *missing])


_PARTS: tuple[Callable[[StudySubject, MatchedSides], Findings], ...] = (
    _describe_sizes,
    _describe_baselines,
    _describe_falls,
    _describe_power,
)
