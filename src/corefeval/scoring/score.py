"""The straight line: read, match, count, score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import TypeAlias, Unpack

import numpy as np

from corefeval import adapters, formats
from corefeval import measures as known
from corefeval.corpus import beyond_identity, units
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.from_python import Entities
from corefeval.corpus.mentions import number_mentions
from corefeval.errors import Fault, InputError
from corefeval.formats import registry
from corefeval.formats.base import EVERYTHING
from corefeval.matching import matching
from corefeval.measures import Measure
from corefeval.notices import Notice, announce_notices, check_strict, count_part, report_progress
from corefeval.options import IDENTITY, Decisions, Options
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.counting import Counter
from corefeval.scoring.results import Evaluation

Source: TypeAlias = "Corpus | str | PathLike[str] | Mapping[str, Entities] | Entities"
"""One side: a path, a Corpus, a list of entities, {document: entities}, or an object that `adapters` knows."""

Measures: TypeAlias = "str | Measure | Iterable[str | Measure]"


@announce_notices
def score(
    key: Source,
    response: Source,
    *,
    measures: Measures | None = None,
    profile: str | None = None,
    macro: bool = False,
    strict: bool = False,
    format: str | None = None,  # noqa: A002 - the name that users expect
    key_format: str | None = None,
    response_format: str | None = None,
    **decisions: Unpack[Decisions],
) -> Evaluation:
    """Score a response against a key, and return the evaluation: the scores of all measures, and notices.

    measures: names such as "muc" or "blanc:alpha=0.2", or "all"; by default those that papers report.
    profile: the scorer whose decisions are taken; `corefeval profiles` lists them, the default first.
    macro: average the documents' scores; the same as average="macro".
    strict: raise an error where there would be a warning.
    format, key_format, response_format: of files, where their content and names do not tell.

    Single decisions overrule the profile (`corefeval profiles` lists the words that each takes):

    match: which response mention is which key mention: "exact", "head", "partial", ...
    zeros: how mentions that are not written in the text are matched: "order", "dependency", or not at all: "drop".
    singletons: "drop" removes entities of one mention from each side before matching.
    verb_phrases, nested: "drop" leaves out verb phrases, or mentions within others of their entity.
    duplicates: what to do with a mention that is in several entities of one side.
    average: "micro" sums the counts of documents, "macro" averages their scores.
    twinless: what to do with a mention that only one side has.
    boundary: what BLANC does where there are no links of a kind.
    missing, extra: what to do with documents that the response, or the key, lacks.
    split_antecedents: "keep" scores them as members of their entities, "only" them alone.
    anaphors: "place" looks single anaphors up by their words before their twins.
    words: "position" or "letters" compares mentions by this, where the response's words differ from the key's.
    layer: what to score instead of identity, where the files have it, such as "discourse_deixis".
    """
    options = resolve_options(profile, macro=macro, **decisions)
    chosen = known.select_measures(measures)
    ours = read(key, key_format or format, side="key")
    theirs = read(response, response_format or format, side="response")
    drop_splits = decisions.get("split_antecedents") == "drop"
    return score_corpora(ours, theirs, chosen, options, strict=strict, drop_splits=drop_splits)


def score_corpora(
    key: Corpus,
    response: Corpus,
    measures: tuple[Measure, ...],
    options: Options,
    *,
    strict: bool = False,
    drop_splits: bool = False,
) -> Evaluation:
    """Return the evaluation of a response corpus against a key corpus; a StrictError if `strict` and there are notices.

    drop_splits: whether split antecedents are left out on purpose, so that no notice is due.
    """
    layer_notices: tuple[Notice, ...] = ()
    name = response.name
    if options.layer != IDENTITY:
        may_be_empty = has_place_for_layer(key, options.layer) or has_place_for_layer(response, options.layer)
        (key, response), layer_notices = beyond_identity.select_layers(
            key, response, options.layer, may_be_empty=may_be_empty
        )
    if drop_splits:
        key, response = drop_split_antecedents(key), drop_split_antecedents(response)
    if options.zeros in _WITHOUT_ZEROS:
        _check_words_known_beside_zeros(key, response, options.zeros)
    report_progress("matching documents", 0, len(key.documents))
    tables, notices = matching.build_tables(prepare_corpus(key, options), prepare_corpus(response, options), options)
    measures = known.resolve_measures(measures, options)
    counter = Counter(tables)
    notices = (*layer_notices, *notices, *counter.collect_notices(measures))
    return make_evaluation(
        counter, measures, options, strict=strict, notices=notices, key=key.source, response=response.source, name=name
    )


def read(source: Source, format: str | None = None, *, side: str = "") -> Corpus:  # noqa: A002
    """Return the corpus of a path, entities or an object of another library; a Corpus as it is; else an InputError.

    side: "key" or "response", for files and rows that hold both; "" where the source is neither.
    """
    if _is_plain(source):
        return Corpus.from_entities(source if type(source) is dict else {"": source})  # type: ignore[dict-item]
    if isinstance(source, Corpus):
        return source
    if isinstance(source, str | PathLike):
        return formats.read(source, format, side=side)
    if isinstance(source, Iterator):
        source = list(source)
    converted = adapters.convert_object(source, side)
    if converted is not None:
        return converted
    if isinstance(source, Mapping):
        return Corpus.from_entities(source)
    if isinstance(source, Iterable):
        return Corpus.from_entities({"": source})
    raise InputError(Fault("input", f"a {type(source).__name__}", "entities, {document: entities}, a path or a Corpus"))


def has_place_for_layer(corpus: Corpus, layer: str) -> bool:
    """Return whether the format of a corpus has a layer of this name, so that a file with nothing in it is no error."""
    capacity = registry.load_format(corpus.format).CAPACITY if corpus.format in registry.list_names() else None
    return capacity is not None and capacity.layers is not EVERYTHING and layer in capacity.layers


_COLLECTIONS = (list, tuple, set, frozenset)
_FIELDS_OF_TEXT = frozenset({"sentences", "tokens", "text"})


def _is_plain(source: object) -> bool:
    """Return whether a source is evidently entities, or entities by document, and no object of another library."""
    if type(source) is dict:
        first = next(iter(source.values()), None)
        return type(first) in _COLLECTIONS and _FIELDS_OF_TEXT.isdisjoint(source)
    if type(source) not in _COLLECTIONS or not source:
        return type(source) in _COLLECTIONS
    first = next(iter(source))  # type: ignore[call-overload]
    return type(first) in _COLLECTIONS and not (type(first) is tuple and adapters.has_memberships(source))


def prepare_corpus(corpus: Corpus, options: Options) -> Corpus:
    """Return the corpus with unwritten words dropped or set apart and singletons dropped, where the options say so."""
    if options.singletons == "drop_listed":
        listed = corpus.sizes[corpus.entity] > 1
        corpus = beyond_identity.keep_bridged_mentions(corpus, corpus.keep(listed))
    if options.zeros in _WITHOUT_ZEROS and corpus.tokens is not None and corpus.tokens.empty is not None:
        corpus = _WITHOUT_ZEROS[options.zeros](corpus)
    if options.singletons == "drop":
        corpus = beyond_identity.keep_bridged_mentions(corpus, _drop_singletons(corpus))
    return corpus


_WITHOUT_ZEROS: dict[str, Callable[[Corpus], Corpus]] = {
    "drop": lambda corpus: units.remove_empty_words(corpus.keep(~corpus.zeros))[0],
    "alone": units.separate_empty_words,
}
"""What happens to unwritten words before matching, by the value of `zeros`."""


def _check_words_known_beside_zeros(key: Corpus, response: Corpus, zeros: str) -> None:
    """Raise an InputError if one side has unwritten words to lose, and the other positions among unknown words."""
    for side, other in ((key, response), (response, key)):
        if units.counts_unknown_words(side) and other.tokens is not None and other.tokens.empty is not None:
            what = f"its words are not known, so the unwritten ones of {other.source or 'the other side'} stay counted"
            hint = "give it in a format with words"
            raise InputError(Fault(side.source or "input", what, f"words on both sides for zeros={zeros}", hint))


def drop_split_antecedents(corpus: Corpus) -> Corpus:
    """Return the corpus without its split antecedents."""
    left = tuple(relation for relation in corpus.relations if relation.kind != "split")
    return corpus if len(left) == len(corpus.relations) else corpus.replace(relations=left)


def _drop_singletons(corpus: Corpus) -> Corpus:
    """Return the corpus without entities that have one distinct mention only, even if it is there twice."""
    number, _ = number_mentions(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
    order = np.lexsort((number, corpus.entity))
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.diff(corpus.entity[order]).astype(np.bool_) | np.diff(number[order]).astype(np.bool_)
    distinct = np.bincount(corpus.entity[order[new]], minlength=len(corpus.entity_document))
    return corpus.keep(distinct[corpus.entity] > 1)


def make_evaluation(
    counter: Counter,
    measures: tuple[Measure, ...],
    options: Options,
    *,
    strict: bool,
    notices: tuple[Notice, ...],
    names: tuple[str, ...] | None = None,
    key: str = "",
    response: str = "",
    name: str = "",
) -> Evaluation:
    """Return the evaluation of a counter's tables, all scores computed; a StrictError if `strict` and notices exist."""
    if options.average != "micro":
        notices = (*notices, *_make_average_notices(counter, measures))
    names = tuple(counter.tables.table.key.document_name or ()) if names is None else names
    evaluation = Evaluation(measures, counter, names, options, notices=notices, key=key, response=response, name=name)
    evaluation.compute()
    check_strict(notices, strict=strict)
    return evaluation


def _make_average_notices(counter: Counter, measures: tuple[Measure, ...]) -> Iterable[Notice]:
    """Yield a notice for each field of a measure that is 0/0 in some documents: in how many, and as what it counts."""
    for measure in measures:
        rows = measure.score(dict(counter.count(measure)))
        for field, value in rows["undefined"].items():
            if np.any(value):
                count = int(np.count_nonzero(value))
                some = count_part(count, counter.tables.table.documents, "document")
                what = f"is undefined (0/0) in {some} and counts as {measure.undefined} in their average"
                message = f"{measure}: {field} {what}"
                yield Notice("undefined-in-average", message, {"measure": str(measure), "field": field, "count": count})
