"""MINA (Moosavi et al. 2019): the minimum span of a mention, from its constituents.

The words that hang highest in the tree, on a path of noun phrases (of verb phrases in a verb phrase); in a conjunction
those of every phrase. Determiners, conjunctions, prepositions and punctuation do not count by themselves. As coval
extracts it; a mention without any such word is its own minimum span.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from corefeval.matching.rules.trees import tree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from corefeval.matching.rules.trees import Node

_NOUN = ("NP", "NM", "QP", "NX")
_VERB = ("VP",)
_PHRASES = {"NP": _NOUN, "NM": _NOUN, "VP": _VERB}
"""The kinds of constituents that a path goes through, by the one that it begins with."""

_NO_CONTENT = ("CC", "DT", "IN")
_BRACKETS = ("-LRB-", "-RRB-")


class Word(NamedTuple):
    """Whether a word counts by itself, and whether it is nothing but letters or nothing but digits."""

    has_content: bool
    is_plain: bool


@lru_cache(maxsize=1 << 16)
def word(text: str, pos: str) -> Word:
    """What a word is to the tree."""
    visible = text == "%" or any(letter.isalpha() or letter.isdigit() for letter in text)
    return Word(visible and text not in _BRACKETS and pos not in _NO_CONTENT, text.isalpha() or text.isdigit())


@lru_cache(maxsize=1 << 16)
def minimum(words: tuple[Word, ...], bits: tuple[str, ...]) -> tuple[int, ...]:
    """The numbers of the words, among those of a mention, that are its minimum span. Most mentions look like others."""
    root = tree([each.is_plain for each in words], bits)
    content = {number for number, each in enumerate(words) if each.has_content}
    return tuple((_of_tree(root, content) if root is not None else []) or range(len(words)))


def _of_tree(root: Node, content: Collection[int]) -> list[int]:
    direct = _words([root], content) or _words(root.children, content)
    if direct:
        return direct
    phrases = [node for node in root.children if node.children and node.kind in _kinds(root)]
    if phrases:
        return [word for node in phrases for word in _highest(node, _kinds(root), content)]
    return _highest(root, (), content)


def _kinds(root: Node) -> tuple[str, ...]:
    """The kinds of phrases to look into: those of the mention itself, else of the constituents right below."""
    below = {node.kind for node in root.children}
    return _PHRASES.get(root.kind) or (_VERB if "VP" in below and below.isdisjoint(("NP", "NM")) else _NOUN)


def _highest(root: Node, kinds: tuple[str, ...], content: Collection[int]) -> list[int]:
    """The leaves with content that are nearest to the root; without `kinds`, the first phrase on the way tells them."""
    level, top = [root], True
    while level:
        found = _words(level, content)
        if found:
            return found
        below: list[Node] = []
        for node in level:
            kinds = kinds or _PHRASES.get(node.kind, ())
            if not node.words and (top or not kinds or node.kind in kinds):
                below += [child for child in node.children if not child.words or node.kind in kinds]
        level, top = below, False
    return []


def _words(nodes: Iterable[Node], content: Collection[int]) -> list[int]:
    """The words of those nodes that are leaves with content."""
    return [word for node in nodes if _is_leaf(node, content) for word in node.words]


def _is_leaf(node: Node, content: Collection[int]) -> bool:
    return any(word in content for word in node.words)
