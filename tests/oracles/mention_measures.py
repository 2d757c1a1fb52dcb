"""The measures that look at mentions once more: slow, on sets of words and lists in the order of the text.

A text is a list of words, each with a part of speech; "" stands for a word that is not written. A mention is a tuple of
runs of words, (first, last). An entity is a list of mentions.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tests.oracles import measures as slow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Mention: TypeAlias = tuple[tuple[int, int], ...]
Entity: TypeAlias = list[Mention]
Judged: TypeAlias = Counter[str]

PRONOUN_TAGS = {"PRP", "PRP$", "PRON"}
NAME_TAGS = {"NNP", "PROPN"}


class Text(NamedTuple):
    """Words with their parts of speech; "" is a word that is not written."""

    tags: list[str]

    def kind(self, mention: Mention) -> str:
        """A word that tells: the first one that it is not written, the only one that it is a pronoun, the last noun."""
        first, last = mention[0][0], mention[-1][1]
        if self.tags[first] == "":
            return "zero"
        if first == last and self.tags[first] in PRONOUN_TAGS:
            return "pronoun"
        nouns = [tag for tag in map(self.tags.__getitem__, sorted(words(mention))) if tag not in PRONOUN_TAGS]
        return "name" if nouns and nouns[-1] in NAME_TAGS else "nominal"


def words(mention: Mention) -> set[int]:
    """The words of a mention."""
    return {word for first, last in mention for word in range(first, last + 1)}


def in_order(entity: Entity) -> Entity:
    """By first word, then by last, then by how many there are."""
    return sorted(entity, key=lambda mention: (min(words(mention)), max(words(mention)), len(words(mention))))


def mor(key: Sequence[Entity], response: Sequence[Entity]) -> tuple[int, int, int]:
    """Words in common in the best one-to-one alignment, words of key mentions, words of response mentions."""
    ours = [words(mention) for entity in key for mention in entity]
    theirs = [words(mention) for entity in response for mention in entity]
    table: list[list[slow.Exact]] = [[len(one & other) for other in theirs] for one in ours]
    common = slow.best_alignment(table)
    assert isinstance(common, int)
    return common, sum(map(len, ours)), sum(map(len, theirs))


def home(mention: Mention, entities: Sequence[Entity]) -> Entity:
    """The entity of a mention in the order of the text; empty where there is none."""
    return next((in_order(entity) for entity in entities if mention in entity), [])


def before(mention: Mention, entities: Sequence[Entity]) -> Entity:
    """The mentions of its entity that come before a mention."""
    entity = home(mention, entities)
    return entity[: entity.index(mention)] if mention in entity else []


def anaphors(text: Text, key: Sequence[Entity], response: Sequence[Entity], wanted: str, antecedent: str) -> Judged:
    """How many anaphors are true, wrong, missed, false."""
    counts: Judged = Counter()
    judged = set()
    for entity in key:
        for mention in in_order(entity)[1:]:
            if wanted in ("all", text.kind(mention)):
                judged.add(mention)
                counts[RULES[antecedent](text, mention, key, response)] += 1
    for entity in response:
        for mention in in_order(entity)[1:]:
            if wanted in ("all", text.kind(mention)) and _is_false(text, mention, key, response, judged, antecedent):
                counts["false"] += 1
    return counts


def any_antecedent(_: Text, mention: Mention, key: Sequence[Entity], response: Sequence[Entity]) -> str:
    """Tuggener 2014 as the CorefUD scorer counts: an earlier mention of the key's is in the response entity."""
    if not before(mention, response):
        return "missed"
    return "true" if set(before(mention, key)) & set(home(mention, response)) else "wrong"


def closest(_: Text, mention: Mention, key: Sequence[Entity], response: Sequence[Entity]) -> str:
    """The last mention before it in the response is of the key entity."""
    if not before(mention, response):
        return "missed"
    return "true" if before(mention, response)[-1] in home(mention, key) else "wrong"


def immediate(_: Text, mention: Mention, key: Sequence[Entity], response: Sequence[Entity]) -> str:
    """The last mention before it is the same on both sides."""
    if not before(mention, response):
        return "missed"
    return "true" if before(mention, response)[-1] == before(mention, key)[-1] else "wrong"


def nouns(text: Text, mentions: Entity) -> Entity:
    """Names and nominals among them."""
    return [mention for mention in mentions if text.kind(mention) in ("name", "nominal")]


def nominal(text: Text, mention: Mention, key: Sequence[Entity], response: Sequence[Entity]) -> str:
    """ARCS 1.2, inferred antecedents."""
    in_key = nouns(text, before(mention, key))
    if not nouns(text, home(mention, key)) or (not in_key and not nouns(text, [mention])):
        return "skipped"
    if not before(mention, response):
        return "missed"
    inferred = nouns(text, before(mention, response))
    if not inferred:
        return "missed" if in_key else "skipped"
    return "true" if inferred[-1] in home(mention, key) else "wrong"


def _is_false(
    text: Text,
    mention: Mention,
    key: Sequence[Entity],
    response: Sequence[Entity],
    judged: set[Mention],
    antecedent: str,
) -> bool:
    if antecedent != "nominal":
        return mention not in judged
    if not nouns(text, home(mention, response)):
        return False
    if home(mention, key) and not nouns(text, before(mention, key)):
        return bool(nouns(text, before(mention, response)))
    return not before(mention, key)


RULES: Mapping[str, Callable[[Text, Mention, Sequence[Entity], Sequence[Entity]], str]] = {
    "any": any_antecedent,
    "closest": closest,
    "immediate": immediate,
    "nominal": nominal,
}


def pronouns(text: Text, key: Sequence[Entity], response: Sequence[Entity]) -> dict[str, int]:
    """Popescu-Belis 4.4, pronoun by pronoun: is a name or nominal of its key class in its response class?"""

    def is_pronominal(mention: Mention) -> bool:
        return text.kind(mention) in ("pronoun", "zero")

    counts = dict.fromkeys(("resolved", "resolvable", "pronouns", "attempted", "right_antecedents", "antecedents"), 0)
    for mention in (mention for entity in key for mention in entity if is_pronominal(mention)):
        wanted = set(nouns(text, home(mention, key)))
        counts["pronouns"] += 1
        counts["resolvable"] += bool(wanted)
        counts["resolved"] += bool(wanted & set(home(mention, response)))
    for mention in (mention for entity in response for mention in entity if is_pronominal(mention)):
        given = set(nouns(text, home(mention, response)))
        counts["attempted"] += bool(given)
        counts["antecedents"] += len(given)
        counts["right_antecedents"] += len(given & set(home(mention, key)))
    return counts


def nec(text: Text, key: Sequence[Entity], response: Sequence[Entity]) -> tuple[Fraction, int]:
    """The sum of F1 of the best alignment of entities with a name in common, and the number of key entities with one."""
    named = [entity for entity in key if any(text.kind(mention) == "name" for mention in entity)]
    table: list[list[slow.Exact]] = []
    for entity in named:
        names = {mention for mention in entity if text.kind(mention) == "name"}
        table.append([
            Fraction(2 * len(set(entity) & set(other)), len(entity) + len(other)) if names & set(other) else 0
            for other in response
        ])  # fmt: skip
    return Fraction(slow.best_alignment(table)), len(named)


def lenient(key: Sequence[Entity], response: Sequence[Entity], heads: Mapping[Mention, int]) -> tuple[int, int, int]:
    """Recasens & Hovy 4.2: pairs of which the response mention has the head and nothing outside; all of each side."""
    ours = [mention for entity in key for mention in entity]
    theirs = [mention for entity in response for mention in entity]
    table: list[list[slow.Exact]] = [
        [int(heads[one] in words(other) and words(other) <= words(one)) for other in theirs] for one in ours
    ]
    common = slow.best_alignment(table)
    assert isinstance(common, int)
    return common, len(ours), len(theirs)


def gap(
    key: Mapping[str, tuple[str, bool, bool]], response: Mapping[str, tuple[bool, bool]]
) -> dict[str, Counter[str]]:
    """GAP's scorer: decisions by gender, and overall."""
    counts: dict[str, Counter[str]] = {"all": Counter(), "masculine": Counter(), "feminine": Counter()}
    for name, (gender, *links) in key.items():
        for number, link in enumerate(links):
            if name not in response:
                kind = "false_negative"
            else:
                found = response[name][number]
                kind = ("true" if found == link else "false") + ("_positive" if found else "_negative")
            counts["all"][kind] += 1
            counts[gender][kind] += 1
    return counts
