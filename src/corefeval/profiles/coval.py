"""coval: every occurrence of a mention counts, and is found in the entity of the other side that is complete last."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval.corpus.mentions import Spans
from corefeval.matching.repeats import Lookup, rank_by_first_mention, rank_by_listing
from corefeval.matching.rules import minspan
from corefeval.matching.rules.base import Rule, number_by_words, require_spans
from corefeval.matching.rules.candidates import get_spans
from corefeval.matching.rules.minspan import KeyTrees, check_trees
from corefeval.options import Options, load_behaviour
from corefeval.profiles import Profile

if TYPE_CHECKING:
    from collections.abc import Hashable

    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.documents import PairedDocuments

PROFILES = (
    Profile(
        "coval",
        "coval 0.0.1 (Moosavi)",
        Options(duplicates="coval", boundary="key", missing="error"),
        ("mentions", "muc", "bcub", "ceafe", "lea"),
        """
        It reads '(0(1' without a bar as (1, leaves unclosed brackets out, and takes (1+2) for entity 12;
        files are read as the reference scorer reads them here.

        A mention is a sentence with places in it there, so other sentence breaks make other mentions; here
        words are counted over the document.

        Its CEAFm, which its command does not show, divides by numbers of entities; here it is CEAFm. It has
        no BLANC.

        Its options min_span, NP_only, remove_nested and remove_singletons are match=minspan, verb_phrases=drop,
        nested=drop and singletons=drop beside this profile. With NP_only and min_span together it removes, in
        place of a verb phrase, the first mention of the entity that has the same minimum span; here the verb
        phrase itself.

        A mention that stands twice in one entity counts twice in all its measures but that of mentions.

        Two documents of one name become one there; here they are refused.
        """,
        MappingProxyType(
            {
                ("match", "minspan"): {"match": "coval-minspan"},
                ("singletons", "drop"): {"singletons": "drop_listed"},
                ("verb_phrases", "drop"): {"verb_phrases": "coval"},
                ("nested", "drop"): {"nested": "coval"},
            }
        ),
    ),
)

_RANK = "rank in coval"
"""The attribute of entities that keeps their rank when some of their mentions are dropped."""


def rank_by_completion(corpus: Corpus) -> Ints:
    """Return each entity's rank: one kept before, or by when its first mention is complete; as listed without spans.

    At one word, mentions of that word come first, then inner ones, then the order of rows: that of brackets in a file.
    """
    if _RANK in corpus.entity_attributes:
        return np.array(list(map(int, corpus.entity_attributes[_RANK])), dtype=np.int64)
    if not isinstance(corpus.mentions, Spans):
        return rank_by_listing(corpus)
    start, end = corpus.mentions.start, corpus.mentions.end
    return rank_by_first_mention(corpus, (np.arange(len(corpus)), -start, end > start, end))


DUPLICATES = Lookup(rank_by_completion, once=False)


def _keep_ranks(paired: PairedDocuments) -> PairedDocuments:
    """Return both sides with the present rank of every entity by completion as an attribute, which `_RANK` names."""
    key, response = (
        side.replace(entity_attributes={**side.entity_attributes, _RANK: list(map(str, rank_by_completion(side)))})
        for side in paired[:2]
    )
    return paired._replace(key=key, response=response)


def drop_verb_phrases(paired: PairedDocuments, options: Options) -> PairedDocuments:
    """Return both sides without verb phrases and entities these leave with one mention; ranks of entities stay."""
    return minspan.drop_verb_phrases(_keep_ranks(paired), options)


def drop_nested(paired: PairedDocuments, options: Options) -> PairedDocuments:
    """Return both sides without nested mentions; entities that would have one mention left stay whole, or go.

    Where singletons are dropped, such entities go.
    """
    keeps_singletons = options.singletons in ("keep", "drop_key")
    key, response = (require_spans(side, options.match) for side in _keep_ranks(paired)[:2])
    number = load_behaviour("match", options.match).number(key, response)
    sides = zip((key, response), number, strict=True)
    key, response = (_drop_nested_mentions(side, same, keeps_singletons=keeps_singletons) for side, same in sides)
    return paired._replace(key=key, response=response)


def _drop_nested_mentions(corpus: Corpus, number: Ints, *, keeps_singletons: bool) -> Corpus:
    """Return a side without nested mentions; an entity that would have one left keeps all, or goes if singletons go.

    A mention counts as removed once for every mention around it, and with it goes what is the same (equal `number`).
    """
    rows, bounds = corpus.by_entity
    spans = get_spans(corpus)
    kept = np.ones(len(corpus), dtype=np.bool_)
    for entity in np.flatnonzero(corpus.sizes > 1).tolist():
        members = rows[bounds[entity] : bounds[entity + 1]]
        start, end, same = spans.start[members], spans.end[members], number[members]
        within = (start[:, None] >= start) & (end[:, None] <= end) & (same[:, None] != same)
        within &= ~np.triu(within & within.T, 1).T  # of two of one extent the first is removed
        if len(members) - np.count_nonzero(within) != 1:
            kept[members] = ~np.isin(same, same[within.any(axis=1)])
        elif not keeps_singletons:
            kept[members] = False
    return corpus.keep(kept)


def number_by_minimum_spans(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Return two columns, equal for mentions of a sentence with coval's same minimum span; OptionError without trees.

    A leaf of the tree is its words and the place in the sentence where it ends; where no leaf has content, words are
    numbered within the mention, so that the same words elsewhere in the sentence are the same mention.
    """
    key, response = (require_spans(side, "coval-minspan") for side in (key, response))
    if len(key) or len(response):
        check_trees(key, "match=coval-minspan")
    if key.tokens is None:
        return number_by_words(key, response)
    trees = KeyTrees(key)
    numbers: dict[Hashable, int] = {}
    ours, theirs = (
        np.array(
            [numbers.setdefault(_identify_mention(side, row, trees), len(numbers)) for row in range(len(side))],
            dtype=np.int64,
        )
        for side in (key, response)
    )
    return ours, theirs


def _identify_mention(corpus: Corpus, row: int, trees: KeyTrees) -> Hashable:
    """Return what a mention is to coval: document, sentence, words of its minimum span with places; or all words."""
    document, words = trees.find_words(corpus, row)
    begin, end = trees.tokens.bounds[document : document + 2].tolist()
    if not words or words[-1] >= end - begin:
        return document, tuple(words)
    text = trees.tokens.words(document)
    sentence = trees.tokens.sentence[begin:end]
    here = int(sentence[words[-1]])
    first = int(np.searchsorted(sentence, here))
    leaves = trees.find_minimum_leaves(document, words)
    found = [(" ".join(text[words[each]] for each in leaf.words), words[0] - first + leaf.last) for leaf in leaves]
    if not found and trees.find_root(document, words) is None:
        return document, tuple(words)
    return document, here, frozenset(found or [(text[word], place) for place, word in enumerate(words)])


MINSPAN = Rule(number_by_minimum_spans)
