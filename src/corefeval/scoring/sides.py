"""What options leave out of a side before it is matched, and the tables of two sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corefeval.corpus import beyond_identity, units
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.singletons import drop_singletons
from corefeval.errors import Fault, InputError
from corefeval.formats import registry
from corefeval.formats.base import EVERYTHING
from corefeval.matching import matching
from corefeval.notices import Notice
from corefeval.options import Options
from corefeval.overlap.views import Tables


def tabulate_sides(
    key: Corpus, response: Corpus, options: Options, *, drop_splits: bool = False, missing: Sequence[str] | None = None
) -> tuple[Tables, tuple[Notice, ...]]:
    """Return the tables of two corpora with what options leave out left out, and notices, the readers' first.

    missing: the documents that the response lacks, if the documents are those of the key, in its order, already.
    """
    if drop_splits:
        key, response = drop_split_antecedents(key), drop_split_antecedents(response)
    if options.zeros in _WITHOUT_ZEROS:
        _check_words_known_beside_zeros(key, response, options.zeros)
    return matching.build_tables(prepare_corpus(key, options), prepare_corpus(response, options), options, missing)


def prepare_corpus(corpus: Corpus, options: Options) -> Corpus:
    """Return the corpus with unwritten words dropped or set apart and singletons dropped, where the options say so."""
    by_document = options.level == "document"  # else they are dropped when the documents of a group are one
    if options.singletons == "drop_listed" and by_document:
        listed = corpus.sizes[corpus.entity] > 1
        corpus = beyond_identity.keep_bridged_mentions(corpus, corpus.keep(listed))
    if options.zeros in _WITHOUT_ZEROS and corpus.tokens is not None and corpus.tokens.empty is not None:
        corpus = _WITHOUT_ZEROS[options.zeros](corpus)
    if options.singletons == "drop" and by_document:
        corpus = beyond_identity.keep_bridged_mentions(corpus, drop_singletons(corpus))
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


def has_place_for_layer(corpus: Corpus, layer: str) -> bool:
    """Return whether the format of a corpus has a layer of this name, so that a file with nothing in it is no error."""
    format_ = registry.find_format(corpus.format)
    capacity = None if format_ is None else format_.CAPACITY
    return capacity is not None and capacity.layers is not EVERYTHING and layer in capacity.layers
