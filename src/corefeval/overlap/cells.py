"""What the table counts: cells, links, and what the reference scorer counts twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from corefeval._arrays import Array, ByDocument, Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.sides import RepeatCounter


class Links(NamedTuple):
    """Coreference and non-coreference links by document: in the key, in the response, in both."""

    key_coreference: ByDocument
    response_coreference: ByDocument
    common_coreference: ByDocument
    key_noncoreference: ByDocument
    response_noncoreference: ByDocument
    common_noncoreference: ByDocument


class Cells(NamedTuple):
    """Pairs of entities that share mentions, ordered by key entity, and how many they share (or their worth)."""

    key: Ints
    response: Ints
    n: Array


class Rows(NamedTuple):
    """The mentions behind the table: both corpora, document by document alike, and which rows of them are twins.

    `missing` are the documents that the response lacks; it has them, without mentions, in `response`.
    `credit` is what each pair of twins is worth, where some are worth less than a whole mention. `repeated` counts
    mentions that are in several entities, where there are any. `looked` are, where every mention is looked up in the
    other side, the rows of the response in which the key's are found, and the other way round; -1 for none.
    """

    key: Corpus
    response: Corpus
    twin_key: Ints
    twin_response: Ints
    missing: tuple[str, ...] = ()
    credit: Array | None = None
    repeated: RepeatCounter | None = None
    looked: tuple[Ints, Ints] | None = None


class Repeats(NamedTuple):
    """What a scorer counts differently when a mention is in several entities of one side.

    The table itself stays one-to-one; these are the counts in which a repeated mention is seen more than once.

    key_distinct, response_distinct: how many different mentions each document has.
    members: cells with entities compared as sets.
    credit: for every cell of the table, how many of its mentions B³ credits each of them with.
    links: the links of BLANC.
    recall, precision: cells by look-up, where every occurrence of one side is looked up in the other, each way apart.
    """

    key_distinct: ByDocument
    response_distinct: ByDocument
    members: Cells
    credit: Ints
    links: Links
    recall: Cells | None = None
    precision: Cells | None = None


def pairs(size: Any) -> Any:
    """C(size) = size (size - 1) / 2."""
    return size * (size - 1) >> 1
