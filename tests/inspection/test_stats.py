"""What a corpus consists of, counted again by hand."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus
from corefeval.formats.draft import Draft
from tests.cli.running import run

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """#begin document one
a\t0\t0\tKim\t(1
a\t0\t1\tLee\t(2)|1)
a\t0\t2\tsaw\t-

a\t0\t0\ther\t(1)
#end document
#begin document two
b\t0\t0\tx\t(1)
#end document
"""


def test_the_numbers_of_a_small_file(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(TEXT)
    (whole,) = corefeval.stats(tmp_path / "a.conll").corpora
    assert (whole.documents, whole.sentences, whole.words, whole.characters) == (2, 3, 5, None)
    assert (whole.mentions, whole.entities, whole.singletons) == (4, 3, 2)
    assert (whole.nested, whole.depth, whole.discontinuous, whole.zeros) == (1, 1, 0, 0)
    assert whole.entity_size.times == {1: 2, 2: 1}
    assert whole.mention_length is not None
    assert whole.mention_length.times == {1: 3, 2: 1}
    assert whole.distance is not None
    assert whole.distance.times == {3: 1}
    assert whole.sentence_distance is not None
    assert whole.sentence_distance.times == {1: 1}


def test_labels_have_no_places() -> None:
    (whole,) = corefeval.stats(Corpus.from_labels(mention=[1, 2, 3], entity=[0, 0, 1])).corpora
    assert (whole.mentions, whole.entities, whole.words, whole.nested, whole.distance) == (3, 2, None, None, None)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Corpus, list[Any]]:
    """A corpus and the same as plain lists: for each document its words, sentences, zeros and entities."""
    draft, plain = Draft("made up"), []
    for name in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 12))
        sentence = sorted(draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
        sentence = [sorted(set(sentence)).index(number) for number in sentence]
        empty = draw(st.lists(st.booleans(), min_size=size, max_size=size))
        document = draft.add_document(str(name), words=["w"] * size, sentence=sentence, empty=empty)
        place = st.integers(0, size - 1)
        entities = draw(
            st.lists(st.lists(st.lists(place, min_size=1, unique=True), min_size=1, max_size=4), max_size=4)
        )
        for number, entity in enumerate(entities):
            for words in entity:
                document.add_mention(str(number), runs(words))
        plain.append((sentence, empty, entities))
    return draft.build_corpus(), plain


def runs(words: list[int]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for word in sorted(words):
        if found and found[-1][1] == word - 1:
            found[-1] = (found[-1][0], word)
        else:
            found.append((word, word))
    return tuple(found)


@given(corpora())
def test_counted_again_by_hand(both: tuple[Corpus, list[Any]]) -> None:
    corpus, plain = both
    (parts,) = corefeval.stats(corpus, per_document=True).documents
    for part, (sentence, empty, entities) in zip(parts, plain, strict=True):
        mentions = [set(words) for entity in entities for words in entity]
        assert part.words == empty.count(False)
        assert part.sentences == len(set(sentence))
        assert (part.mentions, part.entities) == (len(mentions), len(entities))
        assert part.singletons == sum(len(entity) == 1 for entity in entities)
        assert part.discontinuous == sum(len(runs(list(words))) > 1 for words in mentions)
        zero = [empty[min(words)] for words in mentions]  # no heads are given
        assert part.zeros == sum(zero)
        lengths = sorted(len(words) for words, is_zero in zip(mentions, zero, strict=True) if not is_zero)
        assert part.mention_length is not None
        assert sorted(n for n, times in part.mention_length.times.items() for _ in range(times)) == lengths
        firsts = [sorted((min(words), max(words)) for words in entity) for entity in entities]
        distances = sorted(b[0] - a[0] for entity in firsts for a, b in itertools.pairwise(entity))
        assert part.distance is not None
        assert sorted(n for n, times in part.distance.times.items() for _ in range(times)) == distances


def test_the_command_as_text_json_and_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(TEXT)
    shown = run("stats", str(path), "--per-document").stdout
    assert "mentions per entity, mean" in shown
    assert "one" in shown
    (corpus,) = json.loads(run("stats", str(path), "--json", "--per-document").stdout)["corpora"]
    assert (corpus["mentions"], corpus["entity_size"]["times"]) == (4, {"1": 2, "2": 1})
    assert [part["name"] for part in corpus["by_document"]] == ["one", "two"]
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    picture = tmp_path / "a.svg"
    assert run("stats", str(path), "--plot", str(picture)).returncode == 0
    assert "<svg" in picture.read_text()
    missing = run("stats", str(path), "--plot", str(tmp_path / "no" / "a.png"))
    assert missing.returncode == 74
    assert "cannot be written" in missing.stderr


def test_small_shares_keep_their_digits(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    from corefeval.show import plots as figure  # noqa: PLC0415

    corpus = Corpus.from_labels(mention=list(range(1001)), entity=[0, *range(1000)])
    figure.draw_distributions(corefeval.stats(corpus).corpora, str(tmp_path / "a.svg"))
    drawn = (tmp_path / "a.svg").read_text()
    assert "<!-- 100% -->" in drawn
    assert "<!-- 0.1% -->" in drawn
