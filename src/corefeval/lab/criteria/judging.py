"""judge_measures() and explain_verdict(): verdicts from those that are shipped, or else from a search."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from functools import cache
from importlib.resources import files

from corefeval.corpus.from_python import Entities
from corefeval.errors import OptionError
from corefeval.lab.criteria.definitions import CRITERIA, find_criterion
from corefeval.lab.criteria.pairs import Pair, draw_partition, freeze, list_bases, list_bases_of_key
from corefeval.lab.criteria.results import SEARCHED, SEARCHED_OF_KEY, CriteriaResult, ExplainedVerdict
from corefeval.lab.criteria.search import (
    build_search_space,
    describe_scores,
    find_severer,
    judge_criterion,
    measure_pairs,
)
from corefeval.lab.criteria.verdicts import JudgedMeasure, Judgement, ScoreSpread, Verdict
from corefeval.lab.partitions import make_entities
from corefeval.measures import Measure, get_measure, select_measures

CACHE = "cached.json"


def judge_measures(
    measures: str | Measure | Iterable[str | Measure] | None = None, key: Entities | None = None
) -> CriteriaResult:
    """Return the verdicts on all criteria for measures; by default for all that need nothing but entities.

    key: judge by responses to a key with entities of these sizes only.
    """
    chosen = select_measures("all" if measures is None else measures)
    if key is not None:
        sizes = [size for size in map(len, map(list, key)) if size]
        if not sizes:
            raise OptionError("a key without mentions says nothing about measures")
        bases = list_bases_of_key(freeze(make_entities(sizes)))
        return search_verdicts(chosen, bases, SEARCHED_OF_KEY.format(draw_partition(bases[0].key)))
    shipped, severer = load_cache()
    if all(str(measure) in shipped for measure in chosen):
        names = [str(measure) for measure in chosen]
        among = {name: tuple(each for each in severer[name] if each in names) for name in names if name in severer}
        return CriteriaResult(tuple(shipped[name] for name in names), among)
    return search_verdicts(chosen, list_bases())


def search_verdicts(measures: Sequence[Measure], bases: tuple[Pair, ...], searched: str = SEARCHED) -> CriteriaResult:
    """Return the verdicts on all criteria for measures by a search, which takes some seconds.

    searched: what the result says was searched.
    """
    space = build_search_space(bases)
    found = measure_pairs(measures, space.pairs)
    judged = []
    for each in found:
        judgements = {
            name: Judgement(*(judge_criterion(each, rows, same_mentions=same) for same in (False, True)))
            for name, rows in space.rows.items()
        }
        judged.append(JudgedMeasure(str(each.measure), judgements, describe_scores(each, space.pairs)))
    return CriteriaResult(tuple(judged), find_severer(found), searched)


def explain_verdict(measure: str | Measure, criterion: str, key: Entities | None = None) -> ExplainedVerdict:
    """Return what was found for one measure and one criterion, with pictures of the smallest counter-example.

    key: judge by responses to a key with entities of these sizes only.
    """
    chosen = find_criterion(criterion)
    result = judge_measures([get_measure(measure)], key)
    name = result.judged[0].measure
    return ExplainedVerdict(name, chosen, result[name, chosen.name], result.searched)


@cache
def load_cache() -> tuple[dict[str, JudgedMeasure], dict[str, tuple[str, ...]]]:
    """Return the verdicts that are shipped, by measure, and severity; of measures that have all criteria only."""
    content = json.loads(files("corefeval.lab.criteria").joinpath(CACHE).read_text(encoding="utf-8"))
    judged = {
        name: JudgedMeasure(
            name,
            {each: Judgement(*map(Verdict.from_content, pair)) for each, pair in entry["criteria"].items()},
            ScoreSpread(*entry["scores"]),
        )
        for name, entry in content["measures"].items()
        if list(entry["criteria"]) == [criterion.name for criterion in CRITERIA]
    }
    return judged, {name: tuple(others) for name, others in content["never_above"].items()}


def write_cache(result: CriteriaResult) -> str:
    """Return the text of the file of shipped verdicts, a line for each verdict."""
    measures = []
    for judged in result.judged:
        cells = [f"  {_dump(name)}: {_dump(list(map(astuple, both)))}" for name, both in judged.judgements.items()]
        spread, lines = _dump(judged.spread), ",\n".join(cells)
        measures.append(f' {_dump(judged.measure)}: {{"scores": {spread}, "criteria": {{\n{lines}}}}}')
    return '{"measures": {\n' + ",\n".join(measures) + f'}},\n"never_above": {_dump(result.severer)}}}\n'


def _dump(value: object) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)
