"""The straight line: read, match, count. Scores are formed by the results when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefeval import bridges, layers, matching
from corefeval import measures as known
from corefeval.corpus import Corpus, Entities
from corefeval.errors import Fault, InputError, OptionError, StrictError, check_choice
from corefeval.mentions import numbered
from corefeval.notices import Notice
from corefeval.options import DUPLICATES, IDENTITY, SINGLETONS, SPLIT_ANTECEDENTS
from corefeval.results import Evaluation

if TYPE_CHECKING:
    from corefeval.measures import Measure
    from corefeval.overlap import Overlap

Source: TypeAlias = "Corpus | str | PathLike[str] | Mapping[str, Entities] | Entities"
"""One side: a path, a Corpus, a list of entities, {document: entities}, or an object that `adapters` knows."""

Measures: TypeAlias = "str | Measure | Iterable[str | Measure]"


def score(
    key: Source,
    response: Source,
    *,
    measures: Measures | None = None,
    singletons: str = SINGLETONS[0],
    duplicates: str = DUPLICATES[0],
    split_antecedents: str = SPLIT_ANTECEDENTS[0],
    layer: str = IDENTITY,
    macro: bool = False,
    strict: bool = False,
    format: str | None = None,  # noqa: A002 - the name that users expect
    key_format: str | None = None,
    response_format: str | None = None,
) -> Evaluation:
    """Judge a response against a key.

    measures: names such as "muc" or "blanc:alpha=0.2", or "all"; by default those that papers report.
    singletons: "drop" removes entities of one mention from each side before matching.
    duplicates: what to do with a mention that is in several entities of one side.
    split_antecedents: "keep" scores them as members of their entities, "only" them alone.
    layer: what to score instead of identity, where the files have it, such as "discourse_deixis".
    macro: average the documents' scores; by default counts are summed over documents.
    strict: raise an error where there would be a warning.
    format, key_format, response_format: of files, where their content and names do not tell.
    """
    chosen = known.select(measures)
    check_options(singletons, duplicates, split_antecedents)
    read_sides = read(key, key_format or format), read(response, response_format or format)
    told: tuple[Notice, ...] = ()
    if layer != IDENTITY:
        read_sides, told = layers.chosen(*read_sides, layer)
    sides = tuple(prepared(side, singletons) for side in read_sides)
    table, notices = matching.overlap(*sides, duplicates=duplicates, split_antecedents=split_antecedents)
    return evaluation(
        table,
        sides[0].documents,
        chosen,
        singletons=singletons,
        duplicates=duplicates,
        split_antecedents=split_antecedents,
        layer=layer,
        macro=macro,
        strict=strict,
        notices=(*told, *notices),
        key=sides[0].source,
        response=sides[1].source,
    )


def check_options(singletons: str, duplicates: str, split_antecedents: str = SPLIT_ANTECEDENTS[0]) -> None:
    """Complain about words that the options do not take."""
    if singletons == "both":
        raise OptionError("singletons='both' makes two evaluations: call score once with 'keep' and once with 'drop'")
    check_choice("singletons", singletons, SINGLETONS)
    check_choice("duplicates", duplicates, DUPLICATES)
    check_choice("split_antecedents", split_antecedents, SPLIT_ANTECEDENTS)
    if split_antecedents != SPLIT_ANTECEDENTS[0] and singletons == "drop":
        why = "antecedents are often singletons"
        raise OptionError(f"split_antecedents='{split_antecedents}' needs singletons='keep': {why}")


def read(source: Source, format: str | None = None) -> Corpus:  # noqa: A002
    """Make a corpus of whatever describes one."""
    if _is_plain(source):
        return Corpus.from_entities(source if type(source) is dict else {"": source})  # type: ignore[dict-item]
    if isinstance(source, Corpus):
        return source
    if isinstance(source, str | PathLike):
        from corefeval import formats  # noqa: PLC0415 - objects in memory need no reader

        return formats.read(source, format)
    from corefeval import adapters  # noqa: PLC0415 - plain objects need none

    if isinstance(source, Iterator):
        source = list(source)
    found = adapters.corpus_of(source)
    if found is not None:
        return found
    if isinstance(source, Mapping):
        return Corpus.from_entities(source)
    if isinstance(source, Iterable):
        return Corpus.from_entities({"": source})
    raise InputError(Fault("input", f"a {type(source).__name__}", "entities, {document: entities}, a path or a Corpus"))


_PLAIN = (list, tuple, set, frozenset)
_FIELDS_OF_TEXT = frozenset({"sentences", "tokens", "text"})


def _is_plain(source: object) -> bool:
    """Whether this is evidently a list of entities, or entities by document, and not an object of another library."""
    if type(source) is dict:
        first = next(iter(source.values()), None)
        return type(first) in _PLAIN and _FIELDS_OF_TEXT.isdisjoint(source)
    return type(source) in _PLAIN and (not source or type(next(iter(source))) in _PLAIN)  # type: ignore[call-overload]


def prepared(corpus: Corpus, singletons: str) -> Corpus:
    """The corpus with or without its singletons."""
    if singletons == "keep":
        return corpus
    return bridges.kept(corpus, without_singletons(corpus))


def without_singletons(corpus: Corpus) -> Corpus:
    """Drop entities that have one mention only; one that stands there twice is still one."""
    number, _ = numbered(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
    order = np.lexsort((number, corpus.entity))
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.diff(corpus.entity[order]).astype(np.bool_) | np.diff(number[order]).astype(np.bool_)
    distinct = np.bincount(corpus.entity[order[new]], minlength=len(corpus.entity_document))
    return corpus.keep(distinct[corpus.entity] > 1)


def evaluation(
    table: Overlap,
    names: tuple[str, ...],
    measures: tuple[Measure, ...],
    *,
    singletons: str,
    duplicates: str,
    split_antecedents: str,
    layer: str,
    macro: bool,
    strict: bool,
    notices: tuple[Notice, ...],
    key: str = "",
    response: str = "",
) -> Evaluation:
    """Count with every measure, and say how."""
    for measure in measures:
        table.count(measure)
    options = {
        "match": "exact",
        "singletons": singletons,
        "duplicates": duplicates,
        "split_antecedents": split_antecedents,
        "layer": layer,
    }
    warnings = (*notices, *_undefined_in_average(table, measures)) if macro else notices
    result = Evaluation(measures, table, names, options, macro=macro, warnings=warnings, key=key, response=response)
    if strict and result.warnings:
        raise StrictError(Fault("", notice.message) for notice in result.warnings)
    return result


def _undefined_in_average(table: Overlap, measures: tuple[Measure, ...]) -> Iterable[Notice]:
    """Documents whose score is 0/0 and enters the average by convention."""
    for measure in measures:
        rows = measure.score(dict(table.count(measure)))
        for field, value in rows["undefined"].items():
            if np.any(value):
                count = int(np.count_nonzero(value))
                message = (
                    f"{measure}: {field} is undefined (0/0) in {count} of {table.documents} documents "
                    f"and counts as {measure.undefined} in their average"
                )
                yield Notice("undefined-in-average", message, {"measure": str(measure), "field": field, "count": count})
