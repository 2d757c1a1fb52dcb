"""Minimum spans from the key's parse trees (MINA, Moosavi et al. 2019): the same minimum span is the same mention.

Mentions of the same words are twins outright. Among the others, those can be twins whose minimum spans are the same
words. Where a side has several of one minimum span (`the man`, `the man who left`), those of the greatest overlap are
chosen, one to one. The trees are those of the key on both sides.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.errors import OptionError
from corefeval.matching.places import find_step, list_words
from corefeval.matching.rules import mina
from corefeval.matching.rules.assignment import assign_twins
from corefeval.matching.rules.base import Rule, TwinPairs, number_by_words
from corefeval.matching.rules.candidates import Candidates
from corefeval.matching.rules.spans import get_spans
from corefeval.notices import Notice, describe_events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefeval._arrays import Ints
    from corefeval.corpus.corpus import Corpus
    from corefeval.corpus.tokens import Tokens
    from corefeval.matching.rules.base import Unmatched


def _number_with_trees(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Number by words, once the key is known to have parse trees."""
    if len(key) and not any("(" in bit for bit in _read_column(key.tokens, "parse")):
        raise OptionError(
            f"match=minspan looks at the parse trees of the key, but {key.source or 'the key'} has none; "
            "CoNLL-2012 files of twelve columns have them in the sixth"
        )
    return number_by_words(key, response)


def match_by_trees(left: Unmatched) -> TwinPairs:
    """Match mentions whose minimum spans are the same words."""
    if not len(left.key):
        return TwinPairs(left.key_rows, left.key_rows)
    trees = _KeyTrees(left.key)
    ours = [trees.find_words(left.key, row) for row in left.key_rows.tolist()]
    theirs = [trees.find_words(left.response, row) for row in left.response_rows.tolist()]
    having: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    for place, (document, words) in enumerate(ours):
        having[document, trees.find_minimum(document, words)].append(place)
    pairs = [
        (one, other)
        for other, (document, words) in enumerate(theirs)
        for one in (having.get((document, trees.find_minimum(document, words)), ()) if words else ())
    ]
    score = np.array([_score_overlap(ours[one][1], theirs[other][1]) for one, other in pairs])
    key, response = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    found = assign_twins(left, Candidates(left.key_rows[key], left.response_rows[response], score))
    return found._replace(notices=_describe_treeless(left.key, trees))


class _KeyTrees:
    """The key's trees as bits, document by document, and the minimum spans that they give."""

    def __init__(self, key: Corpus) -> None:
        assert key.tokens is not None  # noqa: S101 - see `_number_with_trees`
        self.step = find_step(key)
        self.tokens = key.tokens if self.step == 1 else key.tokens.without_empty()
        self.pos, self.parse = _read_column(self.tokens, "pos"), _read_column(self.tokens, "parse")
        self._words: dict[int, list[mina.WordKind]] = {}

    def find_words(self, corpus: Corpus, row: int) -> tuple[int, list[int]]:
        """The document of a mention, and which of the key's words it has."""
        found = list_words(get_spans(corpus).runs(row), self.step)
        if self.step > 1:
            found = [place // self.step - 1 for place in found if place % self.step == 0]
        return int(corpus.document[row]), found

    def find_minimum(self, document: int, words: list[int]) -> frozenset[int]:
        """The minimum span of a mention; what the key has no words for is a minimum by itself."""
        known = self._classify_words(document)
        if not words or words[-1] >= len(known):
            return frozenset(words)
        begin = int(self.tokens.bounds[document])
        bits = tuple(self.parse[begin + word] for word in words)
        return frozenset(words[number] for number in mina.find_minimum(tuple(known[word] for word in words), bits))

    def _classify_words(self, document: int) -> list[mina.WordKind]:
        if document not in self._words:
            begin, end = self.tokens.bounds[document : document + 2].tolist()
            self._words[document] = list(map(mina.classify_word, self.tokens.words(document), self.pos[begin:end]))
        return self._words[document]

    def find_missing(self) -> list[int]:
        """Documents that were looked at and have no tree."""
        bounds = self.tokens.bounds
        return [d for d in sorted(self._words) if not any(self.parse[int(bounds[d]) : int(bounds[d + 1])])]


def _read_column(tokens: Tokens | None, name: str) -> Sequence[str]:
    if tokens is None:
        return ()
    return list(tokens.attributes.get(name) or [""] * len(tokens))


def _score_overlap(ours: list[int], theirs: list[int]) -> float:
    """How much of two mentions is in common; nothing, where no word of them is written."""
    shared = len(set(ours).intersection(theirs))
    return 2 * shared / max(1, len(ours) + len(theirs))


def _describe_treeless(key: Corpus, trees: _KeyTrees) -> tuple[Notice, ...]:
    missing = trees.find_missing()

    def describe(event: int) -> Notice:
        name, file = key.documents[missing[event]], key.file(missing[event]) or "key"
        what = f"document {name!r} has no parse trees; its mentions match exactly only"
        return Notice.at("no-parse", file, None, what, {"document": name})

    return describe_events("no-parse", len(missing), describe)


RULE = Rule(_number_with_trees, match_by_trees)
