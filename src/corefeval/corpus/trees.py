"""Head words by parse trees, as Collins (1999) finds them and as the analyser of Kummerfeld & Klein (2013) does.

Trees are read from bits, one for every word: `(NP*`, `*`, `*)`. A constituent has the head of one of its children,
which is chosen by their labels and by the parts of speech of their heads.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from corefeval._lazy import NamedTuple

_MARK = re.compile(r"\(([^()*\s]*)|(\*)|\)")
_NOUN_PHRASES = frozenset({"NP", "NML"})
_NOUN_RULES: tuple[tuple[str, frozenset[str]], ...] = (
    ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"})),
    ("left", _NOUN_PHRASES),
    ("right", frozenset({"$", "ADJP", "PRN"})),
    ("right", frozenset({"CD"})),
    ("right", frozenset({"JJ", "JJS", "RB", "QP"})),
)
"""Of a noun phrase: where to begin, and which labels will do; the first rule with a child that has one decides."""

_NOMINAL = "right NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"
_TABLE = {
    "ADJP": "right NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
    "ADVP": "left RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN",
    "CONJP": "left CC RB IN",
    "FRAG": "left",
    "INTJ": "right",
    "LST": "left LS :",
    "META": "right",
    "NAC": _NOMINAL,
    "NX": _NOMINAL,
    "PP": "left IN TO VBG VBN RP FW",
    "PRN": "right",
    "PRT": "left RP",
    "QP": "right $ IN NNS NN JJ RB DT CD NCD QP JJR JJS",
    "RRC": "left VP NP ADVP ADJP PP",
    "S": "right TO IN VP S SBAR ADJP UCP NP",
    "SBAR": "right WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG",
    "SBARQ": "right SQ S SINV SBARQ FRAG",
    "SINV": "right VBZ VBD VBP VB MD VP S SINV ADJP NP",
    "SQ": "right VBZ VBD VBP VB MD VP SQ",
    "UCP": "left",
    "VP": "right TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP",
    "WHADJP": "right CC WRB JJ ADJP",
    "WHADVP": "left CC WRB",
    "WHNP": "right WDT WP WP$ WHADJP WHPP WHNP",
    "WHPP": "left IN TO FW",
    "X": _NOMINAL,
}
"""Where to begin in a constituent, and labels from the best on; without any of them, its first or last child."""

_RULES = {
    label: [(rule.split()[0], frozenset({wanted})) for wanted in rule.split()[1:]] + [(rule.split()[0], None)]
    for label, rule in _TABLE.items()
}


class _Constituent(NamedTuple):
    """A constituent or a word: its label, its first word, and its head with that word's part of speech."""

    label: str
    start: int
    head: int
    tag: str


def find_constituent_heads(bits: Sequence[str], tags: Sequence[str]) -> dict[tuple[int, int], int]:
    """Return {(first word, last word): head word} of all constituents; of several with the same words, the lowest.

    bits, tags: the bit of parse and the part of speech of every word of a document. Constituents that are never closed
    are left out.

    >>> find_constituent_heads(["(NP(NP*", "*)", "(PP*", "(NP*)))"], ["DT", "NN", "IN", "NNP"])
    {(0, 1): 1, (3, 3): 3, (2, 3): 2, (0, 3): 1}
    """
    heads: dict[tuple[int, int], int] = {}
    open_: list[tuple[str, int, list[_Constituent]]] = []  # label, first word and children so far, the innermost last
    for place, (bit, tag) in enumerate(zip(bits, tags, strict=True)):
        for mark in _MARK.finditer(bit):
            if mark[1] is not None:
                open_.append((mark[1].rstrip("_"), place, []))
                continue
            if mark[2]:
                closed = _Constituent(tag, place, place, tag)
            elif open_:
                label, start, children = open_.pop()
                if not children:
                    continue
                head = _choose_head(label, children)
                heads.setdefault((start, place), head.head)
                closed = _Constituent(label, start, head.head, head.tag)
            else:
                continue
            if open_:
                open_[-1][2].append(closed)
    return heads


def _choose_head(label: str, children: Sequence[_Constituent]) -> _Constituent:
    """Return the child whose head becomes that of a constituent with this label: the best by rules, else the last."""
    if label in _NOUN_PHRASES and children[-1].tag == "POS":
        return children[-1]
    for child in _list_choices(label, children):
        return child
    return children[-1]


def _list_choices(label: str, children: Sequence[_Constituent]) -> Iterator[_Constituent]:
    """Yield the children whose label or tag the rules for a constituent's label want, the best first."""
    rules: Iterable[tuple[str, Collection[str] | None]] = (
        _NOUN_RULES if label in _NOUN_PHRASES else _RULES.get(label, ())
    )
    for begin, wanted in rules:
        for child in children if begin == "left" else reversed(children):
            if wanted is None or child.label in wanted or child.tag in wanted:
                yield child
