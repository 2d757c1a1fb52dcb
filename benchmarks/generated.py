"""Corpora made up for comparisons: pairs of key and response, and files of them as other scorers read them."""

from __future__ import annotations

import itertools
from random import Random
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Mention: TypeAlias = tuple[int, int]
Documents: TypeAlias = dict[str, list[list[Mention]]]
Splits: TypeAlias = dict[str, dict[int, set[int]]]
"""By document: entities that are made of others, by place."""


class Pair(NamedTuple):
    """Key and response, how many words each document has, and, if files can, zeros and split antecedents of each."""

    key: Documents
    response: Documents
    lengths: dict[str, int]
    zeros: bool = False
    splits: tuple[Splits, Splits] = ({}, {})

    def documents(self, side: int) -> Documents:
        """The key's, or the response's."""
        return self.response if side else self.key


def generated(rng: Random, *, documents: bool = True) -> Pair:
    """A key, a response that resembles it more or less, and sometimes documents that one of them lacks."""
    key: Documents = {}
    response: Documents = {}
    lengths = {}
    for number in range(rng.choice((1, 1, 2, 3))):
        name = f"doc{number}"
        lengths[name] = rng.randint(3, 25)
        spans = _nested(rng, 0, lengths[name] - 1)
        again = rng.choice((0.0, 0.1, 0.4))
        key[name] = _entities(rng, spans, again)
        response[name] = _noisy(rng, key[name], spans, again)
    if documents and len(key) > 1 and rng.random() < 0.2:
        del response[rng.choice(list(response))]
    if documents and rng.random() < 0.1:
        lengths["extra"] = 5
        response["extra"] = [[(0, 0), (1, 1)]]
    splits = {name: _made_of_others(rng, entities) for name, entities in key.items()}
    theirs = {name: _other_splits(rng, splits[name], key[name], response[name]) for name in key if name in response}
    return Pair(key, response, lengths, zeros=True, splits=(splits, theirs))


def _made_of_others(rng: Random, entities: list[list[Mention]]) -> dict[int, set[int]]:
    """Some entities, with those that they are made of; none is made of itself by detours."""
    order = rng.sample(range(len(entities)), len(entities))
    often = rng.choice((0.0, 0.3, 0.7))
    return {
        entity: set(rng.sample(order[:place], min(place, rng.choice((1, 2, 2, 2, 3)))))
        for place, entity in enumerate(order)
        if place and rng.random() < often
    }


def _other_splits(
    rng: Random, splits: dict[int, set[int]], key: list[list[Mention]], response: list[list[Mention]]
) -> dict[int, set[int]]:
    """Those of the response: much as the key's, as far as entities are."""
    if not splits or rng.random() < 0.15:
        return _made_of_others(rng, response)
    noise = rng.choice((0.0, 0.2, 0.5))
    same = {
        place: max(range(len(response)), key=lambda other: len(set(entity) & set(response[other])))
        for place, entity in enumerate(key)
        if response
    }
    found: dict[int, set[int]] = {}
    for entity, parts in splits.items():
        left = [same[each] for each in sorted(parts) if each in same and rng.random() > noise]
        left += [other for other in range(len(response)) if rng.random() < noise / 3]
        if entity in same and rng.random() > noise / 3:
            found.setdefault(same[entity], set()).update(left)
    return _without_circles(found)


def _without_circles(splits: dict[int, set[int]]) -> dict[int, set[int]]:
    left: dict[int, set[int]] = {}
    for entity, parts in splits.items():
        kept = {part for part in parts if part != entity and entity not in _reached(left, part)}
        if kept:
            left[entity] = kept
    return left


def _reached(splits: dict[int, set[int]], entity: int) -> set[int]:
    return {entity}.union(*(_reached(splits, part) for part in splits.get(entity, ())))


def _nested(rng: Random, first: int, last: int) -> list[Mention]:
    """Spans of which no two cross."""
    if first > last:
        return []
    found = [(first, last)] if rng.random() < 0.6 else []
    if first == last:
        return found
    cut = rng.randint(first, last - 1)
    return [*found, *_nested(rng, first, cut), *_nested(rng, cut + 1, last)]


def _entities(rng: Random, spans: list[Mention], again: float) -> list[list[Mention]]:
    """Some of the spans, shared out; some of them twice."""
    chosen = [span for span in dict.fromkeys(spans) if rng.random() < rng.choice((0.2, 0.7, 1.0))]
    count = max(1, int(len(chosen) * rng.choice((0.2, 0.5, 1.0))))
    entities: list[list[Mention]] = [[] for _ in range(count)]
    for span in chosen:
        rng.choice(entities).append(span)
        if rng.random() < again:
            rng.choice(entities).append(span)
    return _in_order(entities)


def _noisy(rng: Random, key: list[list[Mention]], spans: list[Mention], again: float) -> list[list[Mention]]:
    kind = rng.random()
    if kind < 0.15:
        return [list(entity) for entity in key]
    if kind < 0.3:
        return _entities(rng, spans, again)
    noise = rng.choice((0.1, 0.4))
    entities = [[span for span in entity if rng.random() > noise / 2] for entity in key] or [[]]
    for entity in [list(each) for each in entities]:
        for span in entity:
            if rng.random() < noise:
                rng.choice(entities).append(span)
                if rng.random() > again:
                    next(each for each in entities if span in each).remove(span)
    for span in spans:
        if rng.random() < noise / 3 and span not in itertools.chain(*entities):
            rng.choice(entities).append(span)
    return _in_order(entities)


def _in_order(entities: list[list[Mention]]) -> list[list[Mention]]:
    """As a file has them: by the place where they begin, the longer first; entities by their first mention.

    Of two mentions in one place that are their entities' first, that of one word comes before longer ones, as the
    reference scorer takes one-word mentions of a cell first.
    """
    ordered = [sorted(entity, key=_place) for entity in entities if entity]
    return sorted(ordered, key=lambda entity: (entity[0][0], entity[0][0] < entity[0][1], -entity[0][1]))


def _place(mention: Mention) -> tuple[int, int]:
    return mention[0], -mention[1]


def _brackets(entities: list[list[Mention]], length: int) -> tuple[list[list[int]], ...]:
    """At every word: one-word mentions, openings, closings, each by entity, openings outermost first."""
    single: list[list[int]] = [[] for _ in range(length)]
    opening: list[list[tuple[int, int]]] = [[] for _ in range(length)]
    closing: list[list[tuple[int, int]]] = [[] for _ in range(length)]
    for number, entity in enumerate(entities):
        for start, end in entity:
            if start == end:
                single[start].append(number)
            else:
                opening[start].append((-end, number))
                closing[end].append((-start, number))
    return (
        single,
        [[number for _, number in sorted(each)] for each in opening],
        [[number for _, number in sorted(each)] for each in closing],
    )


WORDS = (
    ("w", "NN"),
    ("the", "DT"),
    ("and", "CC"),
    ("that", "DT"),
    (",", ","),
    ("of", "IN"),
    ("x1", "JJ"),
    ("5", "CD"),
)
LABELS = ("NP", "NP", "NP", "VP", "PP", "S", "NML", "QP", "ADJP", "VP")


def write_conll_trees(pair: Pair, side: int) -> str:
    """CoNLL-2012 with words of many kinds, and trees in which most constituents are mentions of the key or might be.

    Both sides have the same trees, sentences of nine words or fewer, and only mentions within a sentence.
    """
    lines = []
    for name, entities in pair.documents(side).items():
        rng = Random(f"{name} {pair.lengths[name]} {pair.key.get(name)}")
        length = pair.lengths[name]
        ends = sorted({length - 1, *range(8, length, 9)})
        within = [[(a, b) for a, b in entity if not any(a <= end < b for end in ends)] for entity in entities]
        single, opening, closing = _brackets([entity for entity in within if entity], length)
        bits = _parse_bits(rng, ends)
        lines.append(f"#begin document ({name}); part 000")
        for word in range(length):
            marks = [f"({number})" for number in single[word]]
            marks += [f"({number}" for number in opening[word]]
            marks += [f"{number})" for number in closing[word]]
            text, tag = rng.choice(WORDS)
            lines.append("\t".join([name, "0", str(word), text, tag, bits[word], *"-----", "|".join(marks) or "-"]))
            lines += [""] if word in ends else []
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def _parse_bits(rng: Random, ends: list[int]) -> list[str]:
    """The bits of a tree for each sentence, of which these are the last words."""
    bits: list[str] = []
    for last in ends:
        first = len(bits)
        before, behind = [""] * (last - first + 1), [""] * (last - first + 1)
        for start, end in [(first, last), *_nested(rng, first, last)]:
            before[start - first] += f"({rng.choice(LABELS)}"
            behind[end - first] += ")"
        bits += [f"{one}*{other}" for one, other in zip(before, behind, strict=True)]
    return bits


def write_conll(pair: Pair, side: int) -> str:
    """CoNLL-2012, with one sentence per document."""
    documents, lengths = pair.documents(side), pair.lengths
    lines = []
    for name, entities in documents.items():
        lines.append(f"#begin document ({name}); part 000")
        single, opening, closing = _brackets(entities, lengths[name])
        for word in range(lengths[name]):
            marks = [f"({number})" for number in single[word]]
            marks += [f"({number}" for number in opening[word]]
            marks += [f"{number})" for number in closing[word]]
            cells = [name, "0", str(word), f"w{word}", "NN", "*", "|".join(marks) or "-"]
            lines.append("\t".join(cells))
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


def write_ua(pair: Pair, side: int, zeros: str = "", column: str = "IDENTITY") -> str:
    """CoNLL-UA. What is an element of others says so wherever it stands.

    zeros: "" for none; "inner" for unwritten words that are no mentions, not the same on both sides; "marked" for
    zeros as in CorefUD; "lines" for the same ones on both sides. Without a document of the column, it is empty.
    """
    documents, lengths = pair.documents(side), pair.lengths
    if zeros in ("marked", "lines"):
        pair = pair._replace(splits=({}, {}))
    columns = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
    lines = [f"# global.columns = {columns}"]
    markable = itertools.count(1)
    for name, entities in documents.items():
        lines += [f"# newdoc id = {name}", f"# sent_id = {name}-1"]
        single, opening, closing = _brackets(entities, lengths[name])
        empty = _unwritten(single, side, zeros)
        element = {
            part: "|ElementOf=" + ",".join(str(whole) for whole, parts in wholes.items() if part in parts)
            for wholes in (pair.splits[side].get(name, {}),)
            for part in set().union(*wholes.values())
        }
        for word in range(lengths[name]):
            marks = [")"] * len(closing[word])
            for numbers, close in ((opening[word], ""), (single[word], ")")):
                marks += [
                    f"(EntityID={number}|MarkableID=m{next(markable)}{element.get(number, '')}{close}"
                    for number in numbers
                ]
            lines.append(_ua_line(str(word + 1), f"w{word}", "".join(marks), column))
            for place, numbers in enumerate(empty.get(word, ()), 1):
                marked = [f"(EntityID={number}|MarkableID=m{next(markable)})" for number in numbers]
                lines.append(_ua_line(f"{word + 1}.{place}", "_", "".join(marked), column))
        lines.append("")
    return "\n".join(lines) + "\n"


def _ua_line(number: str, form: str, marks: str, column: str) -> str:
    cells = {"IDENTITY": "_", "BRIDGING": "_", "DISCOURSE_DEIXIS": "_", "REFERENCE": "_", "NOM_SEM": "_"}
    cells[column] = marks or "_"
    return "\t".join([number, form, *["_"] * 8, *cells.values()])


def _unwritten(single: list[list[int]], side: int, zeros: str) -> dict[int, list[list[int]]]:
    """By word, the unwritten words behind it, each with the entities of which it is a mention; see `write_ua`."""
    found: dict[int, list[list[int]]] = {}
    for word in range(0, len(single), 4) if zeros in ("marked", "lines") else ():
        for start in range(word + 1, min(word + 4, len(single)), 2):
            if single[start] or zeros == "lines":
                found.setdefault(word, []).append(single[start])
                single[start] = []
    if zeros in ("inner", "marked"):
        for word in range(side, len(single), 3 + side):
            found.setdefault(word, []).extend([[]] * (1 + word % 2))
    return found


def write_corefud(pair: Pair, side: int) -> str:
    """CorefUD. Heads depend on the mention, and the response has others for a few; so do zeros and what they depend on.

    Every second one-word mention is a zero, which stands behind the word before it that has a number divisible by four,
    with others, so that zeros of the two sides stand in each other's places.
    """
    documents, lengths, zeros = pair.documents(side), pair.lengths, pair.zeros
    lines = ["# global.Entity = eid-etype-head-other"]
    for name, entities in documents.items():
        lines += [f"# newdoc id = {name}", f"# sent_id = {name}-1"]
        openings: dict[int, list[tuple[int, int, str]]] = {}
        closings: dict[int, list[tuple[int, int, str]]] = {}
        empty: dict[int, dict[int, list[str]]] = {}
        for number, entity in enumerate(entities):
            for start, end in entity:
                head = 1 + (start * 7 + end * 3 + (side if (start + end) % 5 == 0 else 0)) % (end - start + 1)
                eid = f"{name}e{number}"
                if start == end and start % 2 and zeros:
                    empty.setdefault(start // 4 * 4, {}).setdefault(start, []).append(f"({eid}--1-)")
                elif start == end:
                    openings.setdefault(start, []).append((-end, number, f"({eid}--1-)"))
                else:
                    openings.setdefault(start, []).append((-end, number, f"({eid}--{head}-"))
                    closings.setdefault(end, []).append((-start, -number, f"{eid})"))
        for word in range(lengths[name]):
            marks = _marks(closings.get(word, [])) + _marks(openings.get(word, []))
            misc = f"Entity={marks}" if marks else "_"
            parent, relation = (0, "root") if word == 0 else (1, "dep")
            cells = [str(word + 1), f"w{word}", "_", "X", "_", "_", str(parent), relation, "_", misc]
            lines.append("\t".join(cells))
            turned = side == 1 and word % 3 == 0
            for place, (zero, marked) in enumerate(sorted(empty.get(word, {}).items(), reverse=turned)):
                relation = f"{1 + zero * 5 % lengths[name]}:r{(zero + (side if zero % 7 == 0 else 0)) % 3}"
                cells = [f"{word + 1}.{place + 1}", "_", "_", "X", *["_"] * 4, relation, f"Entity={''.join(marked)}"]
                lines.append("\t".join(cells))
        lines.append("")
    return "\n".join(lines) + "\n"


def _marks(found: Iterable[tuple[int, int, str]]) -> str:
    return "".join(text for *_, text in sorted(found))
