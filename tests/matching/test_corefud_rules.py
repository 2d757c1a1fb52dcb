"""The matching rules against the slow re-implementation: random corpora with gaps, zeros, nesting and many ties."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

import corefeval
from corefeval import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Tokens
from corefeval.formats.draft import Draft
from corefeval.matching import matching
from corefeval.profiles.registry import resolve_options
from tests.oracles import corefud_matching as slow

if TYPE_CHECKING:
    from collections.abc import Iterable


class Document(NamedTuple):
    """One side of a document: its words, sentence by sentence, what zeros depend on, and mentions with entities."""

    sentences: list[list[slow.Word]]
    dependencies: dict[slow.Word, str]
    mentions: list[slow.Mention]
    entities: list[int]

    @property
    def words(self) -> list[slow.Word]:
        return [word for sentence in self.sentences for word in sentence]


def random_document(rng: random.Random, lengths: list[int], zeros: float, gaps: float, count: int) -> Document:
    sentences: list[list[slow.Word]] = []
    dependencies: dict[slow.Word, str] = {}
    number = 0
    for length in lengths:
        sentence: list[slow.Word] = []
        for _ in range(length):
            number += 1
            sentence.append(Fraction(number))
            for order in range(1, 4):
                if rng.random() >= zeros:
                    break
                zero = number + Fraction(order, 11)
                sentence.append(zero)
                parents = rng.sample(range(1, length + 1), min(length, rng.choice([0, 1, 1, 1, 2])))
                dependencies[zero] = "|".join(f"{parent}:{rng.choice('ab')}" for parent in parents)
        sentences.append(sentence)
    found: dict[tuple[slow.Word, ...], slow.Mention] = {}
    for _ in range(count):
        place = rng.randrange(len(sentences))
        sentence = sentences[place]
        first = rng.randrange(len(sentence))
        words = sentence[first : first + rng.choice([1, 1, 2, 2, 3, 4, 6])]
        unwritten = [word for word in sentence if word in dependencies]
        if unwritten and rng.random() < 0.4:
            words = [rng.choice(unwritten)]
        inner = words[1:-1]
        if inner and rng.random() < gaps:
            left_out = set(rng.sample(inner, rng.randint(1, len(inner))))
            words = [word for word in words if word not in left_out]
        head = rng.choice(words)
        depends = frozenset(
            (each.split(":")[0], each.split(":")[1]) for each in dependencies.get(head, "").split("|") if each
        )
        found.setdefault(tuple(words), slow.Mention(tuple(words), head, place, depends))
    mentions = list(found.values())
    return Document(sentences, dependencies, mentions, sorted(rng.randrange(4) for _ in mentions))


def corpus(documents: list[Document], *, minimums: bool = False) -> Corpus:
    runs, heads, empty, deps = [], [], [], []
    entity_document: list[int] = []
    entity: list[int] = []
    numbers: list[int] = []
    for number, document in enumerate(documents):
        place = {word: i for i, word in enumerate(document.words)}
        for mention in document.mentions:
            runs.append(_runs([place[word] for word in mention.words]))
            heads.append(((place[mention.head], place[mention.head]),))
        known = sorted(set(document.entities))
        entity += [len(entity_document) + known.index(each) for each in document.entities]
        entity_document += [number] * len(known)
        before = numbers[-1] + 1 if numbers else 0
        numbers += [before + s for s, sentence in enumerate(document.sentences) for _ in sentence]
        empty += [word in document.dependencies for word in document.words]
        deps += [document.dependencies.get(word, "") for word in document.words]
    core = Spans.from_runs(heads)
    return Corpus(
        tuple(f"d{number}" for number in range(len(documents))),
        np.array(entity_document, dtype=np.int64),
        [str(number) for number in range(len(entity_document))],
        np.array(entity, dtype=np.int64),
        Spans.from_runs(runs),
        Tokens.from_words(
            [[f"w{word}" for word in document.words] for document in documents],
            numbers=np.array(numbers, dtype=np.int64),
            empty=np.array(empty, dtype=np.bool_),
            attributes={"deps": deps},
        ),
        heads=None if minimums else core,
        minimums=core if minimums else None,
    )


def _runs(places: list[int]) -> tuple[tuple[int, int], ...]:
    breaks = [i for i in range(1, len(places)) if places[i] != places[i - 1] + 1]
    ends = zip([0, *breaks], [*breaks, len(places)], strict=True)
    return tuple((places[a], places[b - 1]) for a, b in ends)


def twins(key: list[Document], response: list[Document], match: str, zeros: str, *, minimums: bool) -> slow.Pairs:
    """The pairs that `corefeval` finds."""
    options = resolve_options(match=match, zeros=zeros)
    tables, _ = matching.build_tables(corpus(key, minimums=minimums), corpus(response, minimums=minimums), options)
    assert tables.mentions is not None
    ours = [mention for document in key for mention in document.mentions]
    theirs = [mention for document in response for mention in document.mentions]
    rows = zip(tables.mentions.twin_key.tolist(), tables.mentions.twin_response.tolist(), strict=True)
    return {(ours[one], theirs[other]) for one, other in rows}


RULES = [
    *((match, zeros, False) for match in ("exact", "head", "partial", "craft") for zeros in ("order", "dependency")),
    ("partial", "order", True),
]


@pytest.mark.parametrize(("match", "zeros", "minimums"), RULES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_random_corpora(match: str, zeros: str, *, minimums: bool, seed: int) -> None:
    rng = random.Random(f"{match} {zeros} {seed}")
    matched = 0
    for _ in range(60):
        lengths = [[rng.randint(2, 8) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(1, 3))]
        empty, gaps, count = rng.choice([0.0, 0.1, 0.3]), rng.choice([0.0, 0.4]), rng.choice([4, 12, 40])
        key, response = ([random_document(rng, each, empty, gaps, count) for each in lengths] for _ in range(2))
        if minimums:
            # Without heads, zeros are mentions of nothing but zeros; minimums decide about the rest as heads do.
            assert twins(key, response, match, zeros, minimums=True) == twins(
                key, response, match, zeros, minimums=False
            )
            continue
        expected: slow.Pairs = set()
        for ours, theirs in zip(key, response, strict=True):
            expected |= slow.pairs(ours.mentions, theirs.mentions, match, dependency=zeros == "dependency")
        found = twins(key, response, match, zeros, minimums=False)
        assert found == expected
        matched += sum(one != other for one, other in found)
    assert matched > 50 or match == "exact" or minimums


def test_the_order_of_a_corpus_does_not_matter() -> None:
    """Documents are matched one by one, whatever is around them."""
    rng = random.Random(0)
    lengths = [[rng.randint(2, 8) for _ in range(2)] for _ in range(6)]
    key, response = ([random_document(rng, each, 0.2, 0.3, 25) for each in lengths] for _ in range(2))
    together = twins(key, response, "head", "dependency", minimums=False)
    one_by_one: slow.Pairs = set()
    for ours, theirs in zip(key, response, strict=True):
        one_by_one |= twins([ours], [theirs], "head", "dependency", minimums=False)
    assert together == one_by_one


def placed(runs: list[tuple[tuple[int, int], ...]], empty: Iterable[int] = ()) -> Corpus:
    """One entity of mentions with gaps, over eight words of which some are not written."""
    draft = Draft("side")
    unwritten = [number in set(empty) for number in range(8)]
    document = draft.add_document("d", words=[chr(97 + number) for number in range(8)], empty=unwritten)
    for number, each in enumerate(runs):
        document.add_mention(f"e{number}", each if len(each) > 1 else each[0])
    return draft.build_corpus()


@pytest.mark.parametrize(
    ("empty", "one", "other"),
    [((), ((0, 0), (2, 4)), ((0, 1), (3, 4))), ((3,), ((3, 3), (5, 5)), ((5, 5),))],
    ids=["gaps in other places", "a zero before"],
)
def test_mentions_that_craft_takes_for_equal_are_taken_in_one_order(
    empty: tuple[int, ...], one: Any, other: Any
) -> None:
    key = placed([((0, 6),)], empty)
    matched = []
    for runs in ([one, other], [other, one]):
        rows = corefeval.score(key, placed(runs, empty), match="craft").mentions
        assert rows is not None
        matched.append([runs[row] for row in rows.twin_response.tolist()])
    assert matched[0] == matched[1]
    assert len(matched[0]) == 1
