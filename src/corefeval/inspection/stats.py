"""What a corpus consists of: the numbers that a paper's data section needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from corefeval._arrays import Booleans, Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans, find_previous_mentions
from corefeval.notices import Notice, announce_notices
from corefeval.scoring.score import Source, read
from corefeval.tables.result import Result
from corefeval.tables.table import UNDEFINED, Table, format_count
from corefeval.tables.writers import collect_columns


@dataclass(frozen=True, slots=True)
class Spread:
    """How numbers are spread: their mean, median, the ninth decile, the greatest, and how often each occurs."""

    mean: float
    median: float
    decile: float
    most: int
    times: dict[int, int]

    def to_dict(self) -> dict[str, object]:
        """Return "mean", "median", "decile_9", "max" and "times", {value as text: how often it occurs}, as a dict."""
        return {"mean": self.mean, "median": self.median, "decile_9": self.decile, "max": self.most,
                "times": {str(value): times for value, times in self.times.items()}}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """The numbers of a corpus or of one document, None where unknown; lengths and distances count the `unit`.

    noun: what mentions are called in tables.
    """

    name: str
    documents: int
    sentences: int | None
    words: int | None
    characters: int | None
    mentions: int
    entities: int
    singletons: int
    unit: str
    nested: int | None
    depth: int | None
    discontinuous: int | None
    zeros: int | None
    entity_size: Spread
    mention_length: Spread | None
    distance: Spread | None
    sentence_distance: Spread | None
    noun: str = "mention"

    def to_dict(self) -> dict[str, object]:
        """Return every field by name, spreads as dicts."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "noun"}
        return {name: v.to_dict() if isinstance(v, Spread) else v for name, v in values.items()}


@dataclass(frozen=True, slots=True)
class Stats(Result):
    """The numbers of corpora, and of their documents if they were asked for."""

    corpora: tuple[CorpusStats, ...]
    documents: tuple[tuple[CorpusStats, ...], ...]
    notices: tuple[Notice, ...] = ()

    def tables(self, *, per_document: bool = True) -> Iterator[Table]:
        """Yield a table with a column per corpus and, if asked for, one for each corpus with a row per document."""
        yield _build_corpus_table(self.corpora)
        if per_document:
            yield from (_build_document_table(parts) for parts in self.documents if parts)

    def build_columns(self, *, per_document: bool = True) -> dict[str, list[object]]:
        """Return {name: column}, a row per corpus and described document: the counts, and of every spread the mean."""
        rows = []
        names = [field.name for field in fields(CorpusStats) if field.name not in ("name", "noun")]
        for whole, parts in zip(self.corpora, self.documents, strict=True):
            for name, each in ((None, whole), *((part.name, part) for part in parts if per_document)):
                values = (getattr(each, field) for field in names)
                rows.append((whole.name, name, *(v.mean if isinstance(v, Spread) else v for v in values)))
        return collect_columns(("corpus", "document", *names), rows)

    def build_content(self, *, per_document: bool = True) -> dict[str, object]:
        """Return the numbers of all corpora and their documents as plain objects for JSON, with all distributions."""
        return {
            "corpora": [
                whole.to_dict()
                | ({"by_document": [each.to_dict() for each in parts]} if parts and per_document else {})
                for whole, parts in zip(self.corpora, self.documents, strict=True)
            ]
        }


@announce_notices
def stats(*sources: Source, format: str | None = None, per_document: bool = False) -> Stats:  # noqa: A002
    """Return Stats, the numbers of corpora that a paper's data section needs: counts, sizes, lengths and distances.

    sources: as in `score`: paths, corpora, entities. format: of files, where it is not recognised.
    per_document: also describe every document.
    """
    corpora = [read(source, format) for source in sources]
    wholes, parts = [], []
    for corpus in corpora:
        facts, names = _find_mention_facts(corpus), corpus.documents
        wholes.append(_compute_stats(corpus, facts, corpus.source, range(len(names))))
        listed = enumerate(names if per_document else ())
        parts.append(tuple(_compute_stats(corpus, facts, name, range(n, n + 1)) for n, name in listed))
    return Stats(tuple(wholes), tuple(parts), tuple(notice for corpus in corpora for notice in corpus.notices))


class _MentionFacts(NamedTuple):
    """What is known of every mention that has a place in the text; distances are to the antecedents of `linked`."""

    depth: Ints
    discontinuous: Booleans
    lengths: Ints
    linked: Booleans
    distance: Ints
    sentence_distance: Ints | None


def _find_mention_facts(corpus: Corpus) -> _MentionFacts | None:
    """Return arrays over all mentions: depth, length, distance to the antecedent ...; None if mentions are labels."""
    if not isinstance(corpus.mentions, Spans):
        return None
    start, tokens = corpus.mentions.start, corpus.tokens
    order = corpus.mentions.text_order(corpus.document)
    antecedent = find_previous_mentions(corpus.entity, order)
    sentence = None
    if tokens is not None:
        sentence = np.take(tokens.sentence, tokens.bounds[corpus.document] + start, mode="clip")
    return _MentionFacts(
        corpus.mentions.measure_depth(corpus.document),
        corpus.mentions.find_discontinuous(),
        corpus.mentions.lengths(),
        antecedent >= 0,
        start - start[antecedent],
        None if sentence is None else sentence - sentence[antecedent],
    )


def _compute_stats(corpus: Corpus, facts: _MentionFacts | None, name: str, documents: range) -> CorpusStats:
    """Return the CorpusStats, under this name, of a range of a corpus's documents taken together."""
    rows = np.isin(corpus.document, documents)
    sizes = corpus.sizes[np.isin(corpus.entity_document, documents)]
    zeros = corpus.zeros
    sentences = words = characters = None
    if corpus.tokens is not None:
        ends = corpus.tokens.bounds[documents.start : documents.stop + 1].tolist()
        last = [corpus.tokens.sentence[end - 1] for begin, end in pairwise(ends) if end > begin]
        sentences = sum(int(each) + 1 for each in last)
        words = int(np.count_nonzero(~corpus.tokens.unwritten[ends[0] : ends[-1]]))
    elif corpus.texts is not None:
        characters = sum(map(len, corpus.texts[documents.start : documents.stop]))
    return CorpusStats(
        name=name,
        documents=len(documents),
        sentences=sentences,
        words=words,
        characters=characters,
        mentions=int(np.count_nonzero(rows)),
        entities=len(sizes),
        singletons=int(np.count_nonzero(sizes == 1)),
        unit=corpus.unit,
        entity_size=_compute_spread(sizes),
        nested=int(np.count_nonzero(facts.depth[rows])) if facts else None,
        depth=int(facts.depth[rows].max(initial=0)) if facts else None,
        discontinuous=int(np.count_nonzero(facts.discontinuous[rows])) if facts else None,
        zeros=int(np.count_nonzero(zeros[rows])) if facts else None,
        mention_length=_compute_spread(facts.lengths[rows & ~zeros]) if facts else None,
        distance=_compute_spread(facts.distance[rows & facts.linked]) if facts else None,
        sentence_distance=_compute_spread(facts.sentence_distance[rows & facts.linked])
        if facts and facts.sentence_distance is not None
        else None,
        noun=corpus.noun,
    )


def _compute_spread(numbers: Ints) -> Spread:
    """Return the Spread of numbers: mean, median, ninth decile, maximum, how often each; zeros for no numbers."""
    if len(numbers) == 0:
        return Spread(0.0, 0.0, 0.0, 0, {})
    values, times = np.unique(numbers, return_counts=True)
    median, decile = np.quantile(numbers, [0.5, 0.9]).tolist()
    return Spread(float(numbers.mean()), median, decile, int(values[-1]),
                  dict(zip(values.tolist(), times.tolist(), strict=True)))  # fmt: skip


_LABELS = (
    ("documents", "documents"),
    ("sentences", "sentences"),
    ("words", "words"),
    ("characters", "characters"),
    ("mentions", "mentions"),
    ("nested", "  nested in another"),
    ("depth", "  deepest nesting"),
    ("discontinuous", "  discontinuous"),
    ("zeros", "  zeros"),
    ("entities", "entities"),
    ("singletons", "  singletons"),
    ("entity_size", "mentions per entity"),
    ("unit", "lengths and distances in"),
    ("mention_length", "length of mentions"),
    ("distance", "distance to antecedent"),
    ("sentence_distance", "  in sentences"),
)
_SPREADS = ("mean", "median", "ninth decile", "greatest")


def _build_corpus_table(corpora: Sequence[CorpusStats]) -> Table:
    """Build a table with a column for every corpus and a row for every number; rows unknown to all are left out."""
    body = []
    of_records = all(each.noun == "record" for each in corpora)
    for field, label in _LABELS:
        if of_records:
            if field == "documents":
                continue
            label = label.replace("mentions", "records")  # noqa: PLW2901
        values = [getattr(each, field) for each in corpora]
        if field == "unit":
            values = [None if unit == "label" else f"{unit}s" for unit in values]
        if all(value is None for value in values):
            continue
        if any(isinstance(value, Spread) for value in values):
            written = [_format_spread(value) for value in values]
            names = (f"{label}, {_SPREADS[0]}", *(f"    {kind}" for kind in _SPREADS[1:]))
            body += [[name, *row] for name, row in zip(names, zip(*written, strict=True), strict=True)]
        else:
            body.append([label, *(value if isinstance(value, str) else format_count(value) for value in values)])
    return Table("", ["", *(each.name for each in corpora)], body, 1)


def _build_document_table(parts: Sequence[CorpusStats]) -> Table:
    """Build a table with a row for every document of one corpus, and a column for each number that some have."""
    columns = [(field, label.strip()) for field, label in _LABELS[1:11]]
    columns = [(field, label) for field, label in columns if any(getattr(part, field) is not None for part in parts)]
    body = [
        [
            part.name or "-",
            *(format_count(getattr(part, field)) for field, _ in columns),
            f"{part.entity_size.mean:.2f}",
        ]
        for part in parts
    ]
    return Table("", ["document", *(label for _, label in columns), "mentions per entity"], body, 1)


def _format_spread(spread: Spread | None) -> tuple[str, str, str, str]:
    """Return four texts: mean, median, ninth decile and maximum; dashes if the spread is None."""
    if spread is None:
        return UNDEFINED, UNDEFINED, UNDEFINED, UNDEFINED
    return f"{spread.mean:.2f}", f"{spread.median:g}", f"{spread.decile:g}", f"{spread.most:,}"
