"""Random documents as files have them, with all that measures of mentions look at: text that can be copied.

A document is a block of text in which its name stands as `@`; a corpus is some blocks under a head, each under a name.
"""

from __future__ import annotations

import random
from typing import NamedTuple

TAGS = ("PRON", "NOUN", "PROPN", "VERB")
_LEVELS = {"PRON": "PRO", "PROPN": "NAM", "NOUN": "NOM", "VERB": "NOM"}
GENDERS = ("he", "she")


class Mark(NamedTuple):
    """A mention: its first and last word, the head's place, its entity, and how entity and anchor are marked."""

    first: int
    last: int
    head: int
    entity: str
    anchor: str
    referring: bool


class Written(NamedTuple):
    """A kind of file: what it begins with, the key and the response of every document, and what it is called."""

    head: str
    key: list[str]
    response: list[str]
    ending: str

    def side(self, name: str, drawn: list[int]) -> str:
        """The text of the key or of the response in which every document stands as often as it was drawn."""
        blocks = getattr(self, name)
        copies = [(number, copy) for number, times in enumerate(drawn) for copy in range(times)]
        return self.head + "".join(blocks[number].replace("@", f"d{number:02}x{copy}") for number, copy in copies)


def _marks(rng: random.Random, words: int) -> list[Mark]:
    """Mentions that do not cross, in the order of the text."""
    found: list[Mark] = []
    first = 0
    while first < words:
        last = min(words - 1, first + rng.choice([0, 0, 1, 2]))
        if rng.random() < 0.7:
            anchor = rng.choice(found).entity if found and rng.random() < 0.3 else ""
            head = rng.randint(first, last)
            found.append(Mark(first, last, head, f"e{rng.randrange(5)}", anchor, rng.random() > 0.15))
        first = last + 1
    return found


def _disturbed(marks: list[Mark], rng: random.Random) -> list[Mark]:
    found = []
    for mark in marks:
        if rng.random() < 0.15:
            continue
        entity = f"e{rng.randrange(5)}" if rng.random() < 0.3 else mark.entity
        shorter = mark.last > mark.head and rng.random() < 0.4
        anchor = f"e{rng.randrange(5)}" if mark.anchor and rng.random() < 0.4 else mark.anchor
        referring = mark.referring if rng.random() < 0.8 else not mark.referring
        found.append(mark._replace(entity=entity, last=mark.head if shorter else mark.last, anchor=anchor,
                                   referring=referring))  # fmt: skip
    return found


def corefud(documents: int, seed: int) -> Written:
    """CorefUD: heads, kinds of words, zeros, and split antecedents."""
    rng = random.Random(seed)
    sides: tuple[list[str], list[str]] = [], []
    for _ in range(documents):
        tags = [rng.choice(TAGS) for _ in range(rng.randint(4, 18))]
        zeros = [rng.random() < 0.25 for _ in tags]
        marks = _marks(rng, len(tags))
        unwritten = {at: f"e{rng.randrange(5)}" for at, there in enumerate(zeros) if there}
        theirs = {at: entity if rng.random() < 0.6 else f"e{rng.randrange(5)}" for at, entity in unwritten.items()}
        sides[0].append(_corefud(tags, marks, unwritten, split=rng.random() < 0.6))
        sides[1].append(_corefud(tags, _disturbed(marks, rng), theirs, split=rng.random() < 0.6))
    return Written("# global.Entity = eid-etype-head-level\n", *sides, "conllu")


def _corefud(tags: list[str], marks: list[Mark], unwritten: dict[int, str], *, split: bool) -> str:
    opened = {mark.first: mark for mark in marks}
    closed = {mark.last: mark for mark in marks}
    entities = {mark.entity for mark in marks}
    lines = ["# newdoc id = @", "# sent_id = @-1"]
    for at, tag in enumerate(tags):
        cell = ""
        if at in opened:
            mark = opened[at]
            cell += f"(@{mark.entity}-{_type(mark.entity)}-{mark.head - mark.first + 1}-{_LEVELS[tags[mark.head]]}" + (
                ")" if mark.last == at else ""
            )
        if at in closed and closed[at].first != at:
            cell += f"@{closed[at].entity})"
        misc = f"Entity={cell}" if cell else "_"
        if split and at in opened and opened[at].entity == "e0" and {"e1", "e2"} <= entities:
            misc += "|SplitAnte=@e1<@e0,@e2<@e0"
            split = False
        lines.append(f"{at + 1}\tw{at}\t_\t{tag}\t_\t_\t{at}\tdep\t{at}:dep\t{misc}")
        if at in unwritten:
            entity = f"Entity=(@{unwritten[at]}-{_type(unwritten[at])}-1-PRO)"
            lines.append(f"{at + 1}.1\t_\t_\tPRON\t_\t_\t_\t_\t{at + 1}:nsubj\t{entity}")
    return "\n".join([*lines, "", ""])


def _type(entity: str) -> str:
    return "PER" if entity in ("e0", "e3") else "ORG"


def universal(documents: int, seed: int) -> Written:
    """CoNLL-UA: bridging, non-referring expressions, minimum spans, split antecedents."""
    rng = random.Random(seed)
    sides: tuple[list[str], list[str]] = [], []
    for _ in range(documents):
        words = rng.randint(4, 18)
        marks = _marks(rng, words)
        theirs = _disturbed(marks, rng)
        sides[0].append(_universal(words, marks, marks))
        sides[1].append(_universal(words, theirs, theirs[::-1]))
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"
    return Written(f"# global.columns = {columns}\n", *sides, "conllua")


def _universal(words: int, marks: list[Mark], anchors: list[Mark]) -> str:
    """An entity that is an anchor is so by the last of these mentions that it has."""
    opened = {mark.first: mark for mark in marks}
    closed = {mark.last: mark for mark in marks}
    anchor_of = {mark.entity: mark.first for mark in anchors}
    lines = ["# newdoc id = @"]
    for at in range(words):
        identity = bridging = "_"
        if at in opened:
            mark = opened[at]
            name = f"{mark.entity[1:]}{'' if mark.referring else '-Pseudo'}"
            element = "|ElementOf=0" if mark.entity in ("e1", "e2") and mark.referring else ""
            end = ")" if mark.last == at else ""
            identity = f"(EntityID={name}|MarkableID=m{at}|Min={mark.head + 1}|SemType=dn{element}{end}"
            if anchor_of.get(mark.anchor, at) != at:
                bridging = f"(MarkableID=m{at}|Rel=x|MentionAnchor=m{anchor_of[mark.anchor]}{end}"
        elif at in closed:
            identity = ")"
            mark = closed[at]
            bridging = ")" if anchor_of.get(mark.anchor, mark.first) != mark.first else "_"
        lines.append("\t".join([str(at + 1), f"w{at}", *"________", identity, bridging]))
    return "\n".join([*lines, "", ""])


def gap(documents: int, seed: int) -> Written:
    """GAP: a pronoun and two names."""
    rng = random.Random(seed)
    key, response = [], []
    for _ in range(documents):
        pronoun = rng.choice(GENDERS)
        truth = rng.choice([("TRUE", "FALSE"), ("FALSE", "TRUE"), ("FALSE", "FALSE")])
        said = [value if rng.random() < 0.7 else rng.choice(["TRUE", "FALSE"]) for value in truth]
        text = f"Kim met Lee when {pronoun} left."
        key.append("\t".join(["@", text, pronoun, "17", "Kim", "0", truth[0], "Lee", "8", truth[1], "u"]) + "\n")
        response.append("\t".join(["@", text, pronoun, "17", "Kim", "0", said[0], "Lee", "8", said[1], "u"]) + "\n")
    columns = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref", "URL")
    return Written("\t".join(columns) + "\n", key, response, "tsv")
