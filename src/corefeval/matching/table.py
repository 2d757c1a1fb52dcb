"""Which response mention is which key mention: the only place that knows spans, words and documents.

From two corpora to the table: pair the documents, say which mentions are the same, settle mentions that stand in
several entities, and count who shares how many with whom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.corpus import mentions
from corefeval.matching.documents import pairing
from corefeval.matching.matched import Settled, Sides
from corefeval.matching.rules import base, exact
from corefeval.notices import Notice
from corefeval.options import load_behaviour
from corefeval.overlap import rewriting
from corefeval.overlap.cells import Rows
from corefeval.overlap.side import Side
from corefeval.overlap.table import Overlap

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.documents.pairing import Paired
    from corefeval.options import Options

NOTHING_IN_COMMON = "nothing-in-common"


def overlap(key: Corpus, response: Corpus, options: Options) -> tuple[Overlap, tuple[Notice, ...]]:
    """The table of two corpora, with everything about it that a user should know."""
    paired = pairing.pair(key, response, options)
    told = (*key.notices, *response.notices, *paired.notices)
    if options.split_antecedents == "drop":
        table, settled = table_of(paired, options)
        if key.relations or response.relations:
            told += _unscored(paired.key, paired.response)
    else:
        from corefeval.matching import split_antecedents  # noqa: PLC0415 - few ask for them

        option = options.split_antecedents
        ours, theirs = split_antecedents.found(paired.key, option), split_antecedents.found(paired.response, option)
        table, settled = table_of(paired._replace(key=ours.corpus, response=theirs.corpus), options)
        table = split_antecedents.added(table, settled, ours, theirs, option)
        told += (*ours.notices, *theirs.notices)
    told += (*settled.notices, *_strangers(settled))
    table, said = rewriting.rewritten(table, options)
    return table, (*told, *said)


def _unscored(key: Corpus, response: Corpus) -> tuple[Notice, ...]:
    from corefeval.matching import split_antecedents  # noqa: PLC0415 - few files have relations

    return (*split_antecedents.unscored("key", key), *split_antecedents.unscored("response", response))


def table_of(paired: Paired, options: Options) -> tuple[Overlap, Settled]:
    """The table of mentions, and who is matched with whom."""
    settled = _objects(paired.key, paired.response, options) or _settled(paired.key, paired.response, options)
    table = Overlap.of_twins(
        _side(settled.sides.key),
        _side(settled.sides.response),
        settled.sides.key.entity[settled.twin_key],
        settled.sides.response.entity[settled.twin_response],
        Rows(
            settled.sides.key,
            settled.sides.response,
            settled.twin_key,
            settled.twin_response,
            paired.missing,
            repeated=settled.repeated(),
        ),
    )
    if settled.seen_twice is not None:
        table = settled.seen_twice(table, settled.sides)
    credit = load_behaviour("match", options.match).credit
    return table if credit is None else credit(table, settled), settled


def table_of_rows(rows: Rows) -> Overlap:
    """The table of mentions that are matched already, such as some of those behind another table."""
    ours, theirs = rows.key.entity[rows.twin_key], rows.response.entity[rows.twin_response]
    table = Overlap.of_twins(_side(rows.key), _side(rows.response), ours, theirs, rows)
    if rows.repeated is not None:
        table = rows.repeated.counted(table, rows)
    if rows.credit is None:
        return table
    none = np.zeros(0, dtype=np.int64)
    numbers = (none, none) if rows.repeated is None else rows.repeated[:2]
    return _credited(table, Settled(Sides(rows.key, rows.response, *numbers), rows.twin_key, rows.twin_response))


def _credited(table: Overlap, settled: Settled) -> Overlap:
    from corefeval.matching.rules import overlap as overlapping  # noqa: PLC0415 - no other rule gives credit in parts

    return overlapping.credited(table, settled)


def _strangers(settled: Settled) -> tuple[Notice, ...]:
    """Say so if nothing matches at all: it is seldom the system's fault."""
    key, response = settled.sides.key, settled.sides.response
    if len(settled.twin_key) or not len(key) or not len(response):
        return ()
    ours, theirs = (side.mentions.take(np.zeros(1, dtype=np.int64)).objects()[0] for side in (key, response))
    shown = f"the key has {ours!r} ({type(ours).__name__}), the response {theirs!r} ({type(theirs).__name__})"
    return (Notice(NOTHING_IN_COMMON, f"key and response have no mention in common; e.g. {shown}"),)


def _objects(key: Corpus, response: Corpus, options: Options) -> Settled | None:
    """Python objects of one document need no numbers, unless some are repeated: a dictionary finds the twins."""
    ours, theirs = key.mentions, response.mentions
    if len(key.documents) != 1 or not isinstance(ours, mentions.Objects) or not isinstance(theirs, mentions.Objects):
        return None
    if options.match != "exact":
        return None
    twins = exact.same_objects(ours.values, theirs.values)
    none = np.zeros(0, dtype=np.int64)
    return None if twins is None else Settled(Sides(key, response, none, none), *twins)


def _settled(key: Corpus, response: Corpus, options: Options) -> Settled:
    rule, zeros = load_behaviour("match", options.match), load_behaviour("zeros", options.zeros)
    if rule.match is not None:
        key, response = base.in_spans(key, options.match), base.in_spans(response, options.match)
    numbers = base.numbered(key, response, rule, zeros)
    sides = Sides(key, response, numbers.key, numbers.response)
    if exact.repeats(sides.key_number) or exact.repeats(sides.response_number):
        settled = load_behaviour("duplicates", options.duplicates).settle(sides)
    else:
        settled = Settled(sides, *exact.twins(sides.key_number, sides.response_number))
    if numbers.asks is not None:
        from corefeval.matching.repeats import lookup  # noqa: PLC0415 - one scorer needs it, where there are zeros

        way = load_behaviour("duplicates", options.duplicates).lookup or zeros.lookup
        settled = lookup.crossed(settled, way, numbers.asks)
    return settled._replace(notices=(*numbers.notices, *settled.notices)) if numbers.notices else settled


def _side(corpus: Corpus) -> Side:
    size = np.bincount(corpus.entity, minlength=len(corpus.entity_document))
    return Side(size, corpus.entity_document, len(corpus.documents), corpus.entity_name, corpus.documents)
