"""Minimum spans from the key's parse trees (MINA, Moosavi et al. 2019): the same minimum span is the same mention.

Mentions of the same words are twins outright. Among the others, those can be twins whose minimum spans are the same
words. Where a side has several of one minimum span (`the man`, `the man who left`), those of the greatest overlap are
chosen, one to one. The trees are those of the key on both sides.

A minimum span are the words that hang highest in the tree, on a path of noun phrases (of verb phrases in a verb
phrase); in a conjunction those of every phrase. Determiners, conjunctions, prepositions and punctuation do not count by
themselves. A mention without any such word is its own minimum span.

Constituents come from the parse column of CoNLL files: `(NP*`, `*`, `*)`, a bit for every word of a mention. Only the
mention's own bits are looked at, so brackets that open before it or close behind it leave a tree that is not whole, or
several. Words in a row without a bracket between them are one leaf.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from corefeval._arrays import Ints, np
from corefeval._lazy import NamedTuple
from corefeval.corpus.tokens import Tokens
from corefeval.errors import OptionError
from corefeval.matching.places import find_step, list_words
from corefeval.matching.rules.assignment import assign_twins
from corefeval.matching.rules.base import Rule, TwinPairs, Unmatched, number_by_words, require_spans
from corefeval.matching.rules.candidates import Candidates, get_spans
from corefeval.notices import Notice, make_notices

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.documents import PairedDocuments
    from corefeval.options import Options

_MARK = re.compile(r"\(([^()*]*)|[*)]")
_NO_LETTER = re.compile(r"[\W\d_]")
_NOUN = ("NP", "NM", "QP", "NX")
_VERB = ("VP",)
_PHRASES = {"NP": _NOUN, "NM": _NOUN, "VP": _VERB}
"""The kinds of constituents that a path goes through, by the one that it begins with."""

_NO_CONTENT = ("CC", "DT", "IN")
_BRACKETS = ("-LRB-", "-RRB-")


def _number_by_words_given_trees(key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Return two columns of numbers, equal for the same words; OptionError if a key of mentions has no parse trees."""
    if len(key):
        check_trees(key, "match=minspan")
    return number_by_words(key, response)


def check_trees(key: Corpus, option: str) -> None:
    """Raise an OptionError if the key has no parse trees, which an option, such as "match=minspan", looks at."""
    if not any("(" in bit for bit in _read_column(key.tokens, "parse")):
        raise OptionError(
            f"{option} looks at the parse trees of the key, but {key.source or 'the key'} has none; "
            "CoNLL-2012 files of twelve columns have them in the sixth"
        )


def drop_verb_phrases(paired: PairedDocuments, options: Options) -> PairedDocuments:
    """Return both sides without verb phrases by the key's trees, and without entities that they leave with one mention.

    Entities without verb phrases stay as they are.
    """
    key, response = (require_spans(side, options.match) for side in paired[:2])
    if not len(key) and not len(response):
        return paired
    check_trees(key, "verb_phrases=drop")
    trees = KeyTrees(key)
    return paired._replace(key=_drop_from_side(key, trees), response=_drop_from_side(response, trees))


def _drop_from_side(corpus: Corpus, trees: KeyTrees) -> Corpus:
    """Return a side without verb phrases, and without entities that lose mentions by this and have at most one left."""
    roots = (trees.find_root(*trees.find_words(corpus, row)) for row in range(len(corpus)))
    others = np.array([root is None or root.label != "VP" for root in roots], dtype=np.bool_)
    left = np.bincount(corpus.entity[others], minlength=len(corpus.entity_document))
    stays = (left == corpus.sizes) | (left > 1)
    return corpus.keep(others & stays[corpus.entity])


def match_by_trees(left: Unmatched) -> TwinPairs:
    """Return twins whose minimum spans are the same words; notices name documents without trees."""
    if not len(left.key):
        return TwinPairs(left.key_rows, left.key_rows)
    trees = KeyTrees(left.key)
    ours = [trees.find_words(left.key, row) for row in left.key_rows.tolist()]
    theirs = [trees.find_words(left.response, row) for row in left.response_rows.tolist()]
    having: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    for place, (document, words) in enumerate(ours):
        having[document, trees.find_minimum_words(document, words)].append(place)
    pairs = [
        (one, other)
        for other, (document, words) in enumerate(theirs)
        for one in (having.get((document, trees.find_minimum_words(document, words)), ()) if words else ())
    ]
    both = ((ours[one][1], theirs[other][1]) for one, other in pairs)
    score = np.array([2 * len(set(one).intersection(other)) / (len(one) + len(other)) for one, other in both])
    key, response = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    found = assign_twins(left, Candidates(left.key_rows[key], left.response_rows[response], score))
    treeless = trees.find_treeless()

    def make_notice(index: int) -> Notice:
        """Return the notice that document `treeless[index]` has no parse trees."""
        name, file = left.key.documents[treeless[index]], left.key.file(treeless[index]) or "key"
        what = f"document {name!r} has no parse trees; its mentions match exactly only"
        return Notice.at("no-parse", file, None, what, {"document": name})

    return found._replace(notices=make_notices("no-parse", len(treeless), make_notice))


class KeyTrees:
    """The key's trees as bits, document by document, and the minimum spans that they give."""

    def __init__(self, key: Corpus) -> None:
        assert key.tokens is not None  # noqa: S101 - see `check_trees`
        self.step = find_step(key)
        self.tokens = key.tokens if self.step == 1 else key.tokens.without_empty()
        self.pos, self.parse = _read_column(self.tokens, "pos"), _read_column(self.tokens, "parse")
        self._words: dict[int, list[WordKind]] = {}

    def find_words(self, corpus: Corpus, row: int) -> tuple[int, list[int]]:
        """Return two things: the number of a mention's document, and the numbers of its written words there."""
        found = list_words(get_spans(corpus).runs(row), self.step)
        if self.step > 1:
            found = [place // self.step - 1 for place in found if place % self.step == 0]
        return int(corpus.document[row]), found

    def find_minimum_words(self, document: int, words: list[int]) -> frozenset[int]:
        """Return the numbers, in the document, of the words of a mention's minimum span; of all if there is none."""
        known = self._classify_words(document, words)
        if known is None:
            return frozenset(words)
        return frozenset(words[number] for number in find_minimum(known, self._list_bits(document, words)))

    def find_minimum_leaves(self, document: int, words: list[int]) -> tuple[TreeNode, ...]:
        """Return the leaves of the tree over a mention's words that are its minimum span; () if there are none."""
        known = self._classify_words(document, words)
        return () if known is None else find_leaves(known, self._list_bits(document, words))

    def find_root(self, document: int, words: list[int]) -> TreeNode | None:
        """Return the tree over a mention's words; None if there is none. Notes the document for `find_treeless`."""
        known = self._classify_words(document, words)
        return None if known is None else parse_tree([e.is_plain for e in known], self._list_bits(document, words))

    def _classify_words(self, document: int, words: list[int]) -> tuple[WordKind, ...] | None:
        """Return the kinds of a mention's words; None if the key's document lacks some of them, or there are none."""
        if document not in self._words:
            begin, end = self.tokens.bounds[document : document + 2].tolist()
            self._words[document] = list(map(classify_word, self.tokens.words(document), self.pos[begin:end]))
        known = self._words[document]
        return tuple(known[word] for word in words) if words and words[-1] < len(known) else None

    def _list_bits(self, document: int, words: list[int]) -> tuple[str, ...]:
        """Return the bits of parse of a mention's words, such as "(NP*", as a tuple."""
        begin = int(self.tokens.bounds[document])
        return tuple(self.parse[begin + word] for word in words)

    def find_treeless(self) -> list[int]:
        """Return the numbers of documents that were looked at and have no tree."""
        bounds = self.tokens.bounds
        return [d for d in sorted(self._words) if not any(self.parse[int(bounds[d]) : int(bounds[d + 1])])]


def _read_column(tokens: Tokens | None, name: str) -> Sequence[str]:
    """Return an attribute of every word, such as its part of speech; "" for each if unknown, () without words."""
    if tokens is None:
        return ()
    return list(tokens.attributes.get(name) or [""] * len(tokens))


class WordKind(NamedTuple):
    """Whether a word counts by itself, and whether it is nothing but letters or nothing but digits."""

    has_content: bool
    is_plain: bool


@lru_cache(maxsize=1 << 16)
def classify_word(text: str, pos: str) -> WordKind:
    """Return whether a word has content, and whether it is all letters or all digits, as a WordKind."""
    visible = text == "%" or any(letter.isalpha() or letter.isdigit() for letter in text)
    return WordKind(visible and text not in _BRACKETS and pos not in _NO_CONTENT, text.isalpha() or text.isdigit())


@lru_cache(maxsize=1 << 16)
def find_minimum(words: tuple[WordKind, ...], bits: tuple[str, ...]) -> tuple[int, ...]:
    """Return the indices of those of a mention's words that are its minimum span; of all words if it has none."""
    return tuple(word for leaf in find_leaves(words, bits) for word in leaf.words) or tuple(range(len(words)))


def find_leaves(words: tuple[WordKind, ...], bits: tuple[str, ...]) -> tuple[TreeNode, ...]:
    """Return the leaves of a mention's tree that are its minimum span; () if no leaf has a word with content."""
    root = parse_tree([each.is_plain for each in words], bits)
    content = {number for number, each in enumerate(words) if each.has_content}
    return tuple(_find_in_tree(root, content)) if root is not None else ()


def _find_in_tree(root: TreeNode, content: set[int]) -> list[TreeNode]:
    """Return the leaves of a mention's minimum span, given its tree and its words with content."""
    direct = _select_leaves([root], content) or _select_leaves(root.children, content)
    if direct:
        return direct
    phrases = [node for node in root.children if node.children and node.kind in _get_path_kinds(root)]
    if phrases:
        return [leaf for node in phrases for leaf in _find_highest(node, _get_path_kinds(root), content)]
    return _find_highest(root, (), content)


def _get_path_kinds(root: TreeNode) -> tuple[str, ...]:
    """Return the kinds of phrases that a path goes through: by the mention's kind, else by its constituents."""
    below = {node.kind for node in root.children}
    return _PHRASES.get(root.kind) or (_VERB if "VP" in below and below.isdisjoint(("NP", "NM")) else _NOUN)


def _find_highest(root: TreeNode, kinds: tuple[str, ...], content: set[int]) -> list[TreeNode]:
    """Return the leaves with content nearest to the root, by phrases of `kinds` (if (), the first phrase's); or []."""
    level, top = [root], True
    while level:
        found = _select_leaves(level, content)
        if found:
            return found
        below: list[TreeNode] = []
        for node in level:
            kinds = kinds or _PHRASES.get(node.kind, ())
            if not node.words and (top or not kinds or node.kind in kinds):
                below += [child for child in node.children if not child.words or node.kind in kinds]
        level, top = below, False
    return []


def _select_leaves(nodes: Iterable[TreeNode], content: set[int]) -> list[TreeNode]:
    """Return those nodes that are leaves with at least one word with content."""
    return [node for node in nodes if not content.isdisjoint(node.words)]


@dataclass(slots=True)
class TreeNode:
    """A constituent with its label, of letters only; or a leaf with the numbers of its words.

    last: the number of the word at whose bracket, or at whose end of the mention, a leaf ends.
    """

    label: str = ""
    words: tuple[int, ...] = ()
    children: list[TreeNode] = field(default_factory=list)
    last: int = 0

    @property
    def kind(self) -> str:
        """The first two letters of the label."""
        return self.label[:2]


def parse_tree(plain: Sequence[bool], bits: Sequence[str]) -> TreeNode | None:
    """Return the tree over a mention's words, several trees under a new NP; None if there are no bits of parse."""
    words: list[int] = []  # those that are in no leaf yet
    path: list[TreeNode] = []  # the constituents that are open, the innermost last
    roots: list[TreeNode] = []

    def close_leaf(last: int) -> None:
        """Put the words since the last bracket, if any, as a leaf below the open constituent, and forget them."""
        if words:  # without a constituent around them, what follows hangs on them
            siblings = path[-1].children if path else path
            siblings.append(TreeNode(words=tuple(words), last=last))
            words.clear()

    for number, bit in enumerate(bits):
        for mark in _MARK.finditer(bit):
            if mark[0] == "*":
                words.append(number)
            elif mark[1] is not None:
                if any(plain[word] for word in words):  # commas, brackets and the like are no leaf
                    close_leaf(number)
                words.clear()
                node = TreeNode(_NO_LETTER.sub("", mark[1]))
                if path:
                    path[-1].children.append(node)
                path.append(node)
            else:
                close_leaf(number)
                if len(path) == 1:
                    roots.append(path[0])
                del path[-1:]  # a constituent may have begun before the mention
    close_leaf(len(bits) - 1)
    roots += path[:1]
    return TreeNode("NP", children=roots) if len(roots) > 1 else roots[0] if roots else None


RULE = Rule(_number_by_words_given_trees, match_by_trees)
