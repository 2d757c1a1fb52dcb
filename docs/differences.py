"""The smallest keys and responses on which two profiles give different numbers, found by searching small corpora.

Corpora are written as texts. Words are letters in the order of the alphabet, mentions stand between blanks, entities
between bars, documents between double slashes:

    a b | c                two entities; their mentions are words, each its own head
    ab c                   ab is a mention of two words, whose head is the first one
    ∅a b | ∅b              zeros, which depend on the words a and b, and stand behind all words in this order
    a∅ b                   a∅ is a mention of the word a and of an unwritten word behind the last word
    a | b | c=a+b          the entity of c has split antecedents: the entities that begin with a and with b
    X: a | Y: b // X: c    entities with names, which reach across documents
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, permutations, product, zip_longest
from typing import TypeAlias

import corefeval
from corefeval.corpus.corpus import Corpus
from corefeval.errors import CorefevalError
from corefeval.formats.draft import Draft
from corefeval.lab.criteria.pairs import Partition, list_pairs
from corefeval.measures import Measure, select_measures
from corefeval.options import DECISIONS, Options
from corefeval.profiles import Profile
from corefeval.profiles.registry import PROFILES
from corefeval.scoring.score import score_corpora

PLAIN = 4
"""Up to how many words one document with different mentions is searched."""
OTHER = 3
"""Up to how many words all else is searched: repeated mentions, two documents, longer mentions, zeros."""

LEGEND = {
    r"[a-z]{2}": "`ab` is a mention of the words a and b with the head a",
    "∅[a-z]": "`∅a` is a zero that depends on a; zeros stand behind the words, in the order in which they are listed",
    "[a-z]∅": "`a∅` is a mention of the word a and of an unwritten word behind it",
    "=": "`[c=a+b]` is an entity of c that has split antecedents, the entities of a and b",
    ":": "`X[a]` is an entity of the name X, which reaches across documents",
    "//": "`//` stands between documents, and `–` is a document that is not there",
}
"""What signs in these texts mean, by a pattern that finds them."""

_PARTS_OF_CONLL = {"muc", "bcub", "ceafe"}
_SAME = 1e-9
_NAMES = {"": ("1/1/1", "2/2/2"), "topic": ("1/1/1", "1/2/2"), "subtopic": ("1/1/1", "1/1/2")}
"""The names of documents, as topic/subtopic/document, by what they share."""

_CONCERNED = {"boundary": ("blanc",), "anaphors": ("anaphor", "zero")}
"""The measures that some decisions are about; all others are about all."""

Numbers: TypeAlias = "tuple[float, ...]"
Scores: TypeAlias = "dict[str, Numbers]"


@dataclass(frozen=True, slots=True)
class Example:
    """A key and a response as texts; whether their documents share nothing, a "topic", or even a "subtopic"."""

    key: str
    response: str
    shared: str = ""

    @property
    def sides(self) -> tuple[str, str]:
        """Both texts."""
        return self.key, self.response

    @property
    def documents(self) -> int:
        """How many documents it has."""
        return 1 + self.key.count("//")

    @property
    def size(self) -> tuple[int, ...]:
        """What examples are sorted by: mentions that follow themselves, mentions, documents, signs, letters."""
        both = f"{self.key} /// {self.response}"
        twice = len(re.findall(r"\b([a-z]) (?:\| )?\1\b", both))
        signs = sum(bool(re.search(sign, both)) for sign in LEGEND)
        mentions = len(list_mentions(self.key)) + len(list_mentions(self.response))
        return twice, mentions, self.documents, signs, len(both)


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision, an example on which some of its values give different numbers, and the numbers of each profile.

    numbers: None where a profile refuses the example. alone: whether profiles that decide alike give the same numbers.
    """

    decision: str
    example: Example
    numbers: Mapping[str, Numbers | None]
    alone: bool


@dataclass(frozen=True, slots=True)
class Differences:
    """What the search finds of a measure: an example for each difference that a decision makes between two profiles.

    idle: pairs of values of a decision that make none. alike: pairs of profiles that give the same numbers throughout.
    """

    found: tuple[Difference, ...]
    idle: Mapping[str, tuple[tuple[str, str], ...]]
    alike: tuple[tuple[str, str], ...]


def list_profiles(measure: str) -> list[Profile]:
    """Return the profiles that have a measure; of the CoNLL average, those with the three that it is the mean of."""
    needed = _PARTS_OF_CONLL if measure == "conll" else {measure}
    return [each for each in PROFILES.values() if needed <= set(each.measures)]


def find_differences(measure: str) -> Differences:
    """Return what the search finds of a measure; for each two values of a decision the smallest example, if any."""
    profiles = [each.name for each in list_profiles(measure)]
    scored = {name: score_examples(PROFILES[name].options) for name in profiles}
    numbers = {
        example: {name: own and own[measure] for name in profiles for own in (scored[name][example],)}
        for example in list_examples()
    }
    found, idle = [], {}
    for decision in DECISIONS:
        values = dict.fromkeys(get_value(name, decision) for name in profiles)
        left = list(combinations((each for each in values if each != "error"), 2))
        if not concerns(decision, measure):
            continue
        for alone in (True, False):
            for example, own in numbers.items():
                if alone and not _goes_by(decision, own):
                    continue
                score = _score_one if alone else _score_in_sweep
                apart = [pair for pair in left if _tells_apart(example, own, measure, decision, pair, score)]
                if apart:
                    left = [pair for pair in left if pair not in apart]
                    found.append(Difference(decision, example, own, alone))
                if not left:
                    break
        if left:
            idle[decision] = tuple(left)
    alike = [
        (one, other)
        for one, other in combinations(profiles, 2)
        if not any(differ(own[one], own[other]) for own in numbers.values())
    ]
    return Differences(tuple(found), idle, tuple(alike))


def find_smallest(
    measure: Measure, profile: str, decision: str, values: Sequence[str]
) -> tuple[Example, tuple[Numbers, ...]]:
    """Return the smallest example of one document to which values of a profile's decision give other numbers; these."""
    options = [PROFILES[profile].options._replace(**{decision: value}) for value in values]
    for example in list_examples():
        if example.documents > 1:
            continue
        numbers = tuple(_score_alone(example, measure, each) for each in options)
        if any(differ(numbers[0], other) for other in numbers[1:]):
            return example, tuple(own for own in numbers if own is not None)
    raise ValueError(f"{decision} makes no difference to {measure}")


def _score_alone(example: Example, measure: Measure, options: Options) -> Numbers | None:
    """Return the numbers that one measure has of an example; None where these options refuse it."""
    sides = [build_corpus((example,), side) for side in ("key", "response")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corefeval.CorefevalWarning)
        try:
            score = score_corpora(*sides, (measure,), options)[str(measure)]
        except CorefevalError:
            return None
    return tuple(float(score.values[name]) for name in measure.shown)


def concerns(decision: str, measure: str) -> bool:
    """Return whether a decision is about a measure."""
    return measure in _CONCERNED.get(decision, (measure,))


def get_value(profile: str, decision: str) -> str:
    """Return how a profile takes a decision."""
    value: str = getattr(PROFILES[profile].options, decision)
    return value


def _goes_by(decision: str, numbers: Mapping[str, Numbers | None]) -> bool:
    """Return whether profiles that take a decision alike give the same numbers."""
    by_value: dict[str, set[Numbers | None]] = {}
    for name, own in numbers.items():
        by_value.setdefault(get_value(name, decision), set()).add(own)
    return all(len(each) == 1 for each in by_value.values())


def _tells_apart(
    example: Example,
    numbers: Mapping[str, Numbers | None],
    measure: str,
    decision: str,
    values: tuple[str, str],
    score: Callable[[Example, Options], Scores | None],
) -> bool:
    """Return whether profiles with these values differ, and the first of them from itself with the other value."""
    first, *_ = (name for name in numbers if get_value(name, decision) == values[0])
    others = [name for name in numbers if get_value(name, decision) == values[1]]
    if not any(differ(numbers[first], numbers[other]) for other in others):
        return False
    changed = score(example, PROFILES[first].options._replace(**{decision: values[1]}))
    return differ(numbers[first], changed and changed[measure])


def _score_one(example: Example, options: Options) -> Scores | None:
    return score_together([example], options)[0]


def _score_in_sweep(example: Example, options: Options) -> Scores | None:
    return score_examples(options)[example]


def differ(one: Numbers | None, other: Numbers | None) -> bool:
    """Return whether two profiles both give numbers, and different ones."""
    return one is not None and other is not None and any(abs(a - b) > _SAME for a, b in zip(one, other, strict=True))


@cache
def score_examples(options: Options) -> dict[Example, Scores | None]:
    """Return the numbers of all examples by all measures of profiles; None where these options refuse an example."""
    kinds: dict[object, list[Example]] = {}
    for example in list_examples():
        kind = [sign in example.key + example.response for sign in "∅="]
        kinds.setdefault(example if example.documents > 1 else tuple(kind), []).append(example)
    found: dict[Example, Scores | None] = {}
    for examples in kinds.values():
        found |= zip(examples, score_together(examples, options), strict=True)
    return {example: found[example] for example in list_examples()}


def score_together(examples: Sequence[Example], options: Options) -> list[Scores | None]:
    """Return the numbers of several examples, scored as documents of one corpus; each by itself where that is refused.

    Whatever is averaged, the average of one document is that document's score.
    """
    measures = select_measures(tuple(dict.fromkeys(chain(*(each.measures for each in PROFILES.values())))))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", corefeval.CorefevalWarning)
            scored = score_corpora(
                *(build_corpus(tuple(examples), side) for side in ("key", "response")), measures, options
            )
    except CorefevalError:
        half = len(examples) // 2
        return score_together(examples[:half], options) + score_together(examples[half:], options) if half else [None]
    if len(examples) == 1:
        return [{str(each): tuple(float(scored[each].values[name]) for name in each.shown) for each in measures}]
    columns = {
        str(each): [scored.score_documents(own)[name].tolist() for name in each.shown]
        for each, own in zip(measures, scored.measures, strict=True)
    }
    rows = {measure: list(zip(*own, strict=True)) for measure, own in columns.items()}
    return [{measure: own[place] for measure, own in rows.items()} for place in range(len(examples))]


@cache
def build_corpus(examples: tuple[Example, ...], side: str) -> Corpus:
    """Return the corpus of one side of several examples of one document, or of a single one of several documents."""
    draft = Draft(side)
    if len(examples) == 1:
        _add_example(draft, examples[0], side, _NAMES[examples[0].shared])
    else:
        for number, example in enumerate(examples):
            _add_example(draft, example, side, [f"{number:04}/{number:04}/{number:04}"])
    return draft.build_corpus()


def _add_example(draft: Draft, example: Example, side: str, names: Sequence[str]) -> None:
    """Add the documents of one side; their words are those of both sides. "–" is a document that is not there."""
    contents: list[str] = getattr(example, side).split(" // ")
    both = [
        f"{one} {other}" for one, other in zip_longest(*(each.split(" // ") for each in example.sides), fillvalue="")
    ]
    for name, content, words in zip(names, contents, both, strict=False):
        if content != "–":
            _add_document(draft, name, content, sorted(set(re.findall("[a-z]", words))))


def _add_document(draft: Draft, name: str, content: str, letters: Sequence[str]) -> None:
    zeros = [mention for mention in list_mentions(content) if "∅" in mention]
    numbers = [str(1 + place) for place in range(len(letters))]
    document = draft.add_document(
        name,
        words=[*letters, *("_" for _ in zeros)],
        empty=[False] * len(letters) + [True] * len(zeros),
        word_attributes={
            "id": [*numbers, *(f"{len(letters)}.{1 + place}" for place in range(len(zeros)))],
            "deps": ["0:root"] * len(letters) + [f"{1 + letters.index(zero.strip('∅'))}:dep" for zero in zeros],
        },
    )
    entities = [each for each in content.split(" | ") if each]
    names = [
        entity.partition(": ")[0] if ":" in entity else f"{name} {n}{entity[0]}" for n, entity in enumerate(entities)
    ]
    for own, entity in zip(names, entities, strict=True):
        for mention in list_mentions(entity):
            written, _, parts = mention.partition("=")
            zero = len(letters) + zeros.index(mention) if "∅" in mention else -1
            first = zero if written[0] == "∅" else letters.index(written[0])
            last = zero if zero >= 0 else letters.index(written[-1])
            document.add_mention(own, (first, last), head=(first, first))
            if parts:
                made_of = [next(each for each in names if each.endswith(part)) for part in parts.split("+")]
                document.add_relation("split", own, made_of)


def list_mentions(text: str) -> list[str]:
    """Return the mentions in a text."""
    return [word for word in text.split() if word not in ("|", "//", "–") and not word.endswith(":")]


@cache
def list_examples() -> tuple[Example, ...]:
    """Return all examples that are searched, each once, the smallest first."""
    searched = (_list_plain, _list_repeated, _list_documents, _list_topics, _list_longer, _list_zeros, _list_split)
    return tuple(sorted(dict.fromkeys(chain(*(each() for each in searched))), key=lambda each: each.size))


def _write(entities: Sequence[Sequence[int]], first: int = 0) -> str:
    """Return the text of entities of numbered mentions, in the order in which they begin."""
    ordered = sorted(sorted(entity) for entity in entities)
    return " | ".join(" ".join(chr(97 + first + mention) for mention in entity) for entity in ordered)


def _list_partitions(words: int) -> Iterator[tuple[Partition, Partition]]:
    """Yield the entities of all keys and responses with this many words, up to relabelling, in each order of words."""
    for pair in list_pairs(words):
        for order in permutations(range(words)):
            key, response = ([[order[mention] for mention in entity] for entity in side] for side in pair)
            yield key, response  # type: ignore[misc]


def _list_plain() -> Iterator[Example]:
    for words in range(1, PLAIN + 1):
        for pair in list_pairs(words):
            yield Example(_write(pair.key), _write(pair.response))


def _list_repeated() -> Iterator[Example]:
    """Yield those in which a mention stands in two entities, or twice in one; up to two words, on both sides."""
    for words in range(1, OTHER + 1):
        for key, response in _list_partitions(words):
            ours, theirs = list(_repeat_mention(key)), list(_repeat_mention(response))
            yield from (Example(_write(one), _write(response)) for one in ours)
            yield from (Example(_write(key), _write(other)) for other in theirs)
            if words < OTHER:
                yield from (Example(_write(one), _write(other)) for one, other in product(ours, theirs))


def _repeat_mention(entities: Sequence[Sequence[int]]) -> Iterator[list[list[int]]]:
    for mention in sorted(chain(*entities)):
        for place in range(len(entities)):
            yield [[*each, mention] if number == place else list(each) for number, each in enumerate(entities)]
        yield [*map(list, entities), [mention]]


def _list_documents() -> Iterator[Example]:
    """Yield those of two documents, of which the response may lack the second, or have one that the key lacks."""
    for first, second in ((1, 1), (1, OTHER - 1), (OTHER - 1, 1)):
        for one, other in product(list_pairs(first), list_pairs(second)):
            yield Example(
                f"{_write(one.key)} // {_write(other.key)}", f"{_write(one.response)} // {_write(other.response)}"
            )
            yield Example(f"{_write(one.key)} // {_write(other.key)}", f"{_write(one.response)} // –")
            yield Example(f"{_write(one.key)} // –", f"{_write(one.response)} // {_write(other.response)}")


def _list_topics() -> Iterator[Example]:
    """Yield those of entities with names, each of the mentions of one document or of two of a topic."""
    for words in range(1, OTHER + 1):
        for pair, first in product(list_pairs(words), range(1, words)):
            sides = [_write_documents(side, first) for side in pair]
            if not any(re.search(r"([X-Z]):.*//.*\1:", side) for side in sides):
                continue
            for shared in ("topic", "subtopic"):
                yield Example(*sides, shared)


def _write_documents(entities: Partition, first: int) -> str:
    """Return the text of entities with names of which the first mentions are in one document, the others in another."""
    documents = []
    for inside in (range(first), range(first, PLAIN)):
        parts = [
            (name, [each for each in entity if each in inside]) for name, entity in zip("XYZW", entities, strict=False)
        ]
        documents.append(" | ".join(f"{name}: {_write([part], -inside.start)}" for name, part in parts if part))
    return " // ".join(documents)


def _list_longer() -> Iterator[Example]:
    """Yield those of which one mention of the key, or of the response, has one word more, which no mention has."""
    for words in range(1, OTHER + 1):
        for pair, mention in product(list_pairs(words), range(words)):
            key, response = _write(pair.key), _write(pair.response)
            letter = chr(97 + mention)
            longer = f"{letter}{chr(97 + words)}"
            yield Example(key.replace(letter, longer), response)
            yield Example(key, response.replace(letter, longer))


def _list_zeros() -> Iterator[Example]:
    """Yield those in which the mentions of two words are zeros, in any order, and those with an unwritten word more."""
    for words in range(1, OTHER + 1):
        for pair in list_pairs(words):
            key, response = _write(pair.key), _write(pair.response)
            for mention in range(words):
                letter = chr(97 + mention)
                yield Example(key.replace(letter, f"{letter}∅"), response)
                yield Example(key, response.replace(letter, f"{letter}∅"))
        for key, response in _list_partitions(words):
            yield Example(*(re.sub("[ab]", lambda letter: f"∅{letter[0]}", _write(side)) for side in (key, response)))


def _list_split() -> Iterator[Example]:
    """Yield those with an entity in the key, or on both sides, whose split antecedents are two others."""
    for words in range(3, PLAIN + 1):
        for pair in list_pairs(words):
            for key, response in product(_split(pair.key), [_write(pair.response), *_split(pair.response)]):
                yield Example(key, response)


def _split(entities: Partition) -> Iterator[str]:
    """Yield the texts of entities in which each one, from the third on, is made of each two before it."""
    texts = _write(entities).split(" | ")
    for place in range(2, len(texts)):
        for one, other in combinations(texts[:place], 2):
            first, *rest = texts[place].split()
            made = " ".join([f"{first}={one[0]}+{other[0]}", *rest])
            yield " | ".join([*texts[:place], made, *texts[place + 1 :]])
