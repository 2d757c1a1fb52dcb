"""MINA (Moosavi et al. 2019): the minimum span of a mention, from its constituents.

The words that hang highest in the tree, on a path of noun phrases (of verb phrases in a verb phrase); in a conjunction
those of every phrase. Determiners, conjunctions, prepositions and punctuation do not count by themselves. A mention
without any such word is its own minimum span.

Constituents come from the parse column of CoNLL files: `(NP*`, `*`, `*)`, a bit for every word of a mention. Only the
mention's own bits are looked at, so brackets that open before it or close behind it leave a tree that is not whole, or
several. Words in a row without a bracket between them are one leaf.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_MARK = re.compile(r"\(([^()*]*)|[*)]")
_NO_LETTER = re.compile(r"[\W\d_]")
_NOUN = ("NP", "NM", "QP", "NX")
_VERB = ("VP",)
_PHRASES = {"NP": _NOUN, "NM": _NOUN, "VP": _VERB}
"""The kinds of constituents that a path goes through, by the one that it begins with."""

_NO_CONTENT = ("CC", "DT", "IN")
_BRACKETS = ("-LRB-", "-RRB-")


class WordKind(NamedTuple):
    """Whether a word counts by itself, and whether it is nothing but letters or nothing but digits."""

    has_content: bool
    is_plain: bool


@lru_cache(maxsize=1 << 16)
def classify_word(text: str, pos: str) -> WordKind:
    """What a word is to the tree."""
    visible = text == "%" or any(letter.isalpha() or letter.isdigit() for letter in text)
    return WordKind(visible and text not in _BRACKETS and pos not in _NO_CONTENT, text.isalpha() or text.isdigit())


@lru_cache(maxsize=1 << 16)
def find_minimum(words: tuple[WordKind, ...], bits: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of the words, among those of a mention, that are its minimum span. Most mentions look like others."""
    root = parse_tree([each.is_plain for each in words], bits)
    content = {number for number, each in enumerate(words) if each.has_content}
    return tuple((_find_in_tree(root, content) if root is not None else []) or range(len(words)))


def _find_in_tree(root: TreeNode, content: Collection[int]) -> list[int]:
    direct = _leaf_words([root], content) or _leaf_words(root.children, content)
    if direct:
        return direct
    phrases = [node for node in root.children if node.children and node.kind in _path_kinds(root)]
    if phrases:
        return [word for node in phrases for word in _find_highest(node, _path_kinds(root), content)]
    return _find_highest(root, (), content)


def _path_kinds(root: TreeNode) -> tuple[str, ...]:
    """The kinds of phrases to look into: those of the mention itself, else of the constituents right below."""
    below = {node.kind for node in root.children}
    return _PHRASES.get(root.kind) or (_VERB if "VP" in below and below.isdisjoint(("NP", "NM")) else _NOUN)


def _find_highest(root: TreeNode, kinds: tuple[str, ...], content: Collection[int]) -> list[int]:
    """The leaves with content that are nearest to the root; without `kinds`, the first phrase on the way tells them."""
    level, top = [root], True
    while level:
        found = _leaf_words(level, content)
        if found:
            return found
        below: list[TreeNode] = []
        for node in level:
            kinds = kinds or _PHRASES.get(node.kind, ())
            if not node.words and (top or not kinds or node.kind in kinds):
                below += [child for child in node.children if not child.words or node.kind in kinds]
        level, top = below, False
    return []


def _leaf_words(nodes: Iterable[TreeNode], content: Collection[int]) -> list[int]:
    """The words of those nodes that are leaves with content."""
    return [word for node in nodes if _has_content(node, content) for word in node.words]


def _has_content(node: TreeNode, content: Collection[int]) -> bool:
    return any(word in content for word in node.words)


class TreeNode:
    """A constituent with its kind, the first two letters of its label; or a leaf with the numbers of its words."""

    __slots__ = ("children", "kind", "words")

    def __init__(self, kind: str = "", words: tuple[int, ...] = (), children: Sequence[TreeNode] = ()) -> None:
        self.kind, self.words, self.children = kind, words, list(children)


class _TreeBuilder:
    """A tree that bits are added to."""

    def __init__(self, plain: Sequence[bool]) -> None:
        self.plain = plain
        self.words: list[int] = []
        self.open: list[TreeNode] = []
        self.roots: list[TreeNode] = []

    def open_node(self, kind: str) -> None:
        """A constituent begins. Commas, brackets and the like before it are no leaf."""
        if any(self.plain[word] for word in self.words):
            self.close_leaf()
        self.words = []
        node = TreeNode(kind)
        self._attach(node)
        self.open.append(node)

    def close_leaf(self) -> None:
        """The words so far are a leaf. Without a constituent around it, what follows hangs on it."""
        if self.words:
            node = TreeNode(words=tuple(self.words))
            if self.open:
                self._attach(node)
            else:
                self.open.append(node)
            self.words = []

    def close_node(self) -> None:
        """A constituent ends; it may have begun before the mention."""
        self.close_leaf()
        if self.open:
            node = self.open.pop()
            if not self.open:
                self.roots.append(node)

    def _attach(self, node: TreeNode) -> None:
        if self.open:
            self.open[-1].children.append(node)


def parse_tree(plain: Sequence[bool], bits: Sequence[str]) -> TreeNode | None:
    """The tree over a mention, of whose words some are plain; several are put under an NP. None without any bits."""
    builder = _TreeBuilder(plain)
    for number, bit in enumerate(bits):
        for mark in _MARK.finditer(bit):
            if mark[1] is not None:
                builder.open_node(_NO_LETTER.sub("", mark[1])[:2])
            elif mark[0] == "*":
                builder.words.append(number)
            else:
                builder.close_node()
    builder.close_leaf()
    roots = [*builder.roots, *builder.open[:1]]
    return TreeNode("NP", children=roots) if len(roots) > 1 else roots[0] if roots else None
