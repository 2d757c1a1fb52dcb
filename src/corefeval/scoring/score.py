"""The straight line: read, match, count, score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from typing import TypeAlias, Unpack

from corefeval import adapters, formats
from corefeval import measures as known
from corefeval.corpus import beyond_identity
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.from_python import Entities
from corefeval.corpus.limits import parse_size
from corefeval.errors import Fault, InputError
from corefeval.formats.shared.files import list_files
from corefeval.measures import Measure
from corefeval.notices import Notice, announce_notices, report_progress
from corefeval.options import IDENTITY, Decisions, Options
from corefeval.profiles.registry import resolve_options
from corefeval.scoring.counting import Counter
from corefeval.scoring.file_sizes import needs_parts
from corefeval.scoring.results import Evaluation, make_evaluation
from corefeval.scoring.sides import has_place_for_layer, tabulate_sides

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
    memory_limit: str | int | None = None,
    **decisions: Unpack[Decisions],
) -> Evaluation:
    """Score a response against a key, and return the evaluation: the scores of all measures, and notices.

    measures: names such as "muc" or "blanc:alpha=0.2", or "all"; by default those that papers report.
    profile: the scorer whose decisions are taken; `corefeval profiles` lists them, the default first.
    macro: average the documents' scores; the same as average="macro".
    strict: raise an error where there would be a warning.
    format, key_format, response_format: of files, where their content and names do not tell.
    memory_limit: such as "4GB"; files that need more are scored some documents at a time, with the same result except
        that the mentions are gone. A WholeCorpusError if that is not possible.

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
    level: how far entities reach: "document", or all documents of a "subtopic", a "topic" or the "corpus".
    entity_names: "shared" if an entity's name means the same in all documents, "local" if it does not.
    layer: what to score instead of identity, where the files have it, such as "discourse_deixis".
    topics: a CSV with the columns document, topic, subtopic, or a regular expression with groups of these names.
    where: which mentions to score, by an attribute, such as "kind=event".
    max_change: the share of a document's words that may be others than the key's where mentions are carried over, such
        as "0.5"; an InputError for a document with more, which is another text.
    """
    options = resolve_options(profile, macro=macro, **decisions)
    chosen = known.select_measures(measures)
    drop_splits = decisions.get("split_antecedents") == "drop"
    if memory_limit is not None and isinstance(key, str | PathLike) and isinstance(response, str | PathLike):
        limit = parse_size(memory_limit, "memory_limit")
        if needs_parts(list_files(fspath(key)), list_files(fspath(response)), limit):
            from corefeval.scoring.streaming import FileSide, Way, score_in_parts  # noqa: PLC0415 - for large files

            sides = FileSide(fspath(key), key_format or format), FileSide(fspath(response), response_format or format)
            return score_in_parts(*sides, [Way(chosen, options, drop_splits)], memory_limit=limit, strict=strict)[0]
    ours = read(key, key_format or format, side="key")
    theirs = read(response, response_format or format, side="response")
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
    report_progress("matching documents", 0, len(key.documents))
    tables, notices = tabulate_sides(key, response, options, drop_splits=drop_splits)
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
