"""Generated words beside the words of their source: how long the alignment takes, and what is hard for it.

    python benchmarks/aligning.py [--words 100000 200000 400000 1000000] [--key FILE]

Words of a key are changed at random: one in twenty is left out, has another one behind it, is another one, or is spelt
another way. Times are processor time: letters read, folded and divided into words, and aligned.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random

import corefeval
from corefeval import Corpus
from corefeval.formats.draft import Draft
from corefeval.matching.carrying import compare_texts
from corefeval.matching.letters import read_both_letters

HERE = Path(__file__).parent


def change(words: list[str], rng: Random, vocabulary: list[str], rate: float = 0.05) -> list[str]:
    """The words with some of them changed."""
    found = []
    for word in words:
        kind = rng.choice("lbac") if rng.random() < rate else ""
        if kind != "l":
            found.append({"a": rng.choice(vocabulary), "c": word.swapcase() + "s"}.get(kind, word))
        if kind == "b":
            found.append(rng.choice(vocabulary))
    return found


def make_corpus(words: list[str]) -> Corpus:
    """A corpus of one document without mentions."""
    draft = Draft("benchmark")
    draft.add_document("d", words=words)
    return draft.build_corpus()


def show(name: str, ours: list[str], theirs: list[str]) -> None:
    """Print how long an alignment takes, and how much of the shorter text is changed."""
    key, response = make_corpus(ours), make_corpus(theirs)
    start = time.process_time()
    alignment = compare_texts(*read_both_letters(key, response, 0)).alignment
    seconds = time.process_time() - start
    print(f"{name:<44} {seconds:6.2f} s   {100 * alignment.share_changed:5.1f} % changed")


def main() -> None:
    """Print times by length, and those of texts that are made to be hard."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", type=int, nargs="+", default=[100_000, 200_000, 400_000, 1_000_000])
    parser.add_argument("--key", default=str(HERE.parents[1] / "shared/data/litbank/key.conll.gz"))
    given = parser.parse_args()
    tokens = corefeval.read(given.key).tokens
    assert tokens is not None
    book = [word for document in range(len(tokens.bounds) - 1) for word in tokens.words(document)]
    rng, vocabulary = Random(1), sorted(set(book))
    for length in given.words:
        words = (book * (1 + length // len(book)))[:length]
        show(f"{length:,} words, one in twenty changed", words, change(words, rng, vocabulary))
    words = (book * 2)[:200_000]
    for name, theirs in {
        "the same": words,
        "in capitals": [word.upper() for word in words],
        "half of the words changed": change(words, rng, vocabulary, 0.5),
        "the second half first": [*words[100_000:], *words[:100_000]],
        "every sentence of twenty words twice": [w for a in range(0, 200_000, 20) for w in words[a : a + 20] * 2],
        "a third of it, then chatter": [*words[:66_000], "I", "hope", "this", "helps", "."],
        "in another order": rng.sample(words, len(words)),
    }.items():
        show(f"200,000 words: {name}", words, theirs)
    show("100,000 and 100,000 words of two books", book[:100_000], book[100_000:200_000])
    show("one word 200,000 and 160,000 times", ["the"] * 200_000, ["x", *["the"] * 160_000, "y"])
    show("one letter a million and 500,000 times", ["a" * 1_000_000], ["a" * 500_000])
    show("two words at random", rng.choices("ab", k=200_000), rng.choices("ab", k=200_000))


if __name__ == "__main__":
    main()
