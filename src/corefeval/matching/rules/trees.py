"""Constituents from the parse column of CoNLL files: `(NP*`, `*`, `*)`, a bit for every word of a mention.

Only the mention's own bits are looked at, so brackets that open before it or close behind it leave a tree that is not
whole, or several. Words in a row without a bracket between them are one leaf.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MARK = re.compile(r"\(([^()*]*)|[*)]")
_NO_LETTER = re.compile(r"[\W\d_]")


class Node:
    """A constituent with its kind, the first two letters of its label; or a leaf with the numbers of its words."""

    __slots__ = ("children", "kind", "words")

    def __init__(self, kind: str = "", words: tuple[int, ...] = (), children: Sequence[Node] = ()) -> None:
        self.kind, self.words, self.children = kind, words, list(children)


class _Growing:
    """A tree that bits are added to."""

    def __init__(self, plain: Sequence[bool]) -> None:
        self.plain = plain
        self.words: list[int] = []
        self.open: list[Node] = []
        self.roots: list[Node] = []

    def opened(self, kind: str) -> None:
        """A constituent begins. Commas, brackets and the like before it are no leaf."""
        if any(self.plain[word] for word in self.words):
            self.leaf()
        self.words = []
        node = Node(kind)
        self._under(node)
        self.open.append(node)

    def leaf(self) -> None:
        """The words so far are a leaf. Without a constituent around it, what follows hangs on it."""
        if self.words:
            node = Node(words=tuple(self.words))
            if self.open:
                self._under(node)
            else:
                self.open.append(node)
            self.words = []

    def closed(self) -> None:
        """A constituent ends; it may have begun before the mention."""
        self.leaf()
        if self.open:
            node = self.open.pop()
            if not self.open:
                self.roots.append(node)

    def _under(self, node: Node) -> None:
        if self.open:
            self.open[-1].children.append(node)


def tree(plain: Sequence[bool], bits: Sequence[str]) -> Node | None:
    """The tree over a mention, of whose words some are plain; several are put under an NP. None without any bits."""
    growing = _Growing(plain)
    for number, bit in enumerate(bits):
        for mark in _MARK.finditer(bit):
            if mark[1] is not None:
                growing.opened(_NO_LETTER.sub("", mark[1])[:2])
            elif mark[0] == "*":
                growing.words.append(number)
            else:
                growing.closed()
    growing.leaf()
    roots = [*growing.roots, *growing.open[:1]]
    return Node("NP", children=roots) if len(roots) > 1 else roots[0] if roots else None
