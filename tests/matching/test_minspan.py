"""Minimum spans from the parse column: MINA, as coval extracts it, but for its mistakes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import corefeval
from corefeval import Corpus, OptionError
from corefeval.formats.draft import Draft
from corefeval.matching.rules import minspan

if TYPE_CHECKING:
    from pathlib import Path

Word = tuple[str, str, str, str]
"""A word, its part of speech, its part of the tree, and its coreference cell."""

ALL = ("muc", "bcub", "ceafe", "lea")


def conll(path: Path, *sentences: list[Word]) -> Path:
    rows = [
        "".join(f"d 0 {n} {word} {pos} {bit} - - - - * {cell}\n" for n, (word, pos, bit, cell) in enumerate(sentence))
        for sentence in sentences
    ]
    path.write_text("#begin document (d); part 000\n" + "\n".join(rows) + "\n#end document\n", encoding="utf-8")
    return path


def sentence(text: str, cells: dict[int, str] | None = None) -> list[Word]:
    """From "word/POS/bit ...", and the coreference cells of some words."""
    words = [tuple(item.split("/")) for item in text.split()]
    return [(word, pos, bit, (cells or {}).get(number, "-")) for number, (word, pos, bit) in enumerate(words)]


def minimum(text: str, first: int = 0, last: int | None = None) -> str:
    words = [tuple(item.split("/")) for item in text.split()][first : None if last is None else last + 1]
    found = minspan.find_minimum(
        tuple(minspan.classify_word(text, pos) for text, pos, _ in words), tuple(bit for _, _, bit in words)
    )
    return " ".join(words[number][0] for number in found)


MAN = "the/DT/(TOP(S(NP(NP* man/NN/*) who/WP/(SBAR(WHNP*) left/VBD/(S(VP*))) said/VBD/(VP* so/RB/(ADVP*)) ././*))"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the/DT/(NP(NP* man/NN/*) who/WP/(SBAR(WHNP*) left/VBD/(S(VP*))))", "the man"),
        ("the/DT/(NP* man/NN/*)", "the man"),
        ("Kim/NNP/(NP(NP*) and/CC/* Lee/NNP/(NP(NP*) from/IN/(PP* Rome/NNP/(NP*))))", "Kim Lee"),
        ("one/CD/(TOP(S(NP(NP*) of/IN/(PP* my/PRP$/(NP* friends/NNS/*)))", "one"),
        ("left/VBD/(VP* early/RB/(ADVP*))", "left"),
        ("did/VBD/(VP(VP* it/PRP/(NP*)) and/CC/* left/VBD/(VP*))", "did left"),
        ("that/DT/(NP*)", "that"),
        ("that/DT/(NP* of/IN/(PP* Rome/NNP/(NP*)))", "that of Rome"),
        ("the/DT/(NP(ADJP* very/RB/* old/JJ/*) man/NN/*)", "man"),
        ("of/IN/(PP* the/DT/(NP* man/NN/*))", "the man"),
        ("Rome/NNP/* ,/,/*) Italy/NNP/(NP*", "Rome ,"),
        ("man/NN/- who/WP/-", "man who"),
    ],
)
def test_minimum_spans_by_hand(text: str, expected: str) -> None:
    """The examples follow coval's rules step by step: own words first, then phrases below, then the nearest phrase."""
    assert minimum(text) == expected


def test_only_the_tree_within_the_mention_counts() -> None:
    assert minimum(MAN, 0, 1) == minimum(MAN, 0, 3) == "the man"
    assert minimum(MAN, 1, 3) == "man"


def test_mentions_of_one_minimum_span_are_the_same_for_all_measures(tmp_path: Path) -> None:
    other = "he/PRP/(TOP(S(NP*) laughed/VBD/(VP*) ././*))"
    key = conll(tmp_path / "key.conll", sentence(MAN, {0: "(1", 3: "1)"}), sentence(other, {0: "(1)"}))
    response = conll(tmp_path / "response.conll", sentence(MAN, {0: "(7", 1: "7)"}), sentence(other, {0: "(7)"}))
    evaluation = corefeval.score(key, response, match="minspan", measures=ALL)
    assert [evaluation[name].f1 for name in ALL] == [1.0] * 4
    assert corefeval.score(key, response, measures=ALL)["muc"].f1 == 0.0
    assert not evaluation.notices


def test_the_trees_are_the_keys(tmp_path: Path) -> None:
    """Coval looks at the key's parse column for both sides: the response's may be empty, the key's may not."""
    bare = [(word, "-", "-", cell) for word, _, _, cell in sentence(MAN, {0: "(7", 1: "7)"})]
    parsed = conll(tmp_path / "key.conll", sentence(MAN, {0: "(1", 3: "1)"}))
    unparsed = conll(tmp_path / "response.conll", bare)
    assert corefeval.score(parsed, unparsed, match="minspan")["mentions"].f1 == 1.0
    with pytest.raises(OptionError, match=r"match=minspan .*response\.conll has none"):
        corefeval.score(unparsed, parsed, match="minspan")


THAT = "that/DT/(TOP(S(NP*) is/VBZ/(VP* like/IN/(PP* that/DT/(NP*))) ././*))"


def test_a_file_against_itself(tmp_path: Path) -> None:
    """Coval numbers a mention without content within itself: two that's of a sentence are one, B³ 75, CoNLL 75."""
    rest = "Kim/NNP/(TOP(S(NP*) met/VBD/(VP* Kim/NNP/(NP*)) ././*))"
    key = conll(tmp_path / "key.conll", sentence(THAT, {0: "(1)", 3: "(2)"}), sentence(rest, {0: "(1)", 2: "(2)"}))
    evaluation = corefeval.score(key, key, match="minspan", measures=[*ALL, "conll"])
    assert [evaluation[name].f1 for name in (*ALL, "conll")] == [1.0] * 5


def test_several_mentions_of_one_minimum_span(tmp_path: Path) -> None:
    """Each has its own twin: the one with the same words, else the one that overlaps most."""
    key = conll(tmp_path / "key.conll", sentence(MAN, {0: "(1|(2", 1: "2)", 3: "1)"}))
    same = corefeval.score(key, key, match="minspan", measures=ALL)
    assert [same[name].f1 for name in ("bcub", "ceafe", "lea")] == [1.0] * 3
    response = conll(tmp_path / "response.conll", sentence(MAN, {0: "(1|(2", 1: "2)", 2: "1)"}))
    evaluation = corefeval.score(key, response, match="minspan", measures=ALL)
    assert [evaluation[name].f1 for name in ("bcub", "ceafe", "lea")] == [1.0] * 3


def test_random_mentions_against_themselves(tmp_path: Path) -> None:
    rng = random.Random(3)
    text = sentence(MAN) + sentence(THAT)
    for _ in range(60):
        spans = {(a, min(a + rng.choice((0, 1, 3)), len(text) - 1)) for a in rng.sample(range(len(text)), 5)}
        cells: dict[int, str] = {}
        for number, (a, b) in enumerate(sorted(spans)):
            for place, cell in ((a, f"({number})"),) if a == b else ((a, f"({number}"), (b, f"{number})")):
                cells[place] = "|".join(filter(None, (cells.get(place), cell)))
        key = conll(tmp_path / "key.conll", [(*word[:3], cells.get(n, "-")) for n, word in enumerate(text)])
        assert corefeval.score(key, key, match="minspan")["ceafe"].f1 == 1.0


def test_a_document_without_trees_is_named(tmp_path: Path) -> None:
    parsed = conll(tmp_path / "one.conll", sentence(MAN, {0: "(1", 3: "1)"})).read_text(encoding="utf-8")
    bare = parsed.replace("(d); part 000", "(d); part 001")
    bare = bare.replace("(TOP(S(NP(NP*", "-").replace("(SBAR(WHNP*)", "-").replace(" NN *) ", " NN - ")
    bare = bare.replace("(S(VP*)))", "-").replace("(VP*", "-").replace("(ADVP*))", "-").replace("*))", "-")
    (tmp_path / "key.conll").write_text(parsed + bare, encoding="utf-8")
    response = (
        (parsed + bare).replace("left VBD", "left X").replace("1)", "-").replace(" -\nd 0 2 who", " 1)\nd 0 2 who")
    )
    (tmp_path / "response.conll").write_text(response, encoding="utf-8")
    evaluation = corefeval.score(tmp_path / "key.conll", tmp_path / "response.conll", match="minspan")
    assert evaluation["mentions"].recall == 0.5
    assert [warning.kind for warning in evaluation.notices] == ["no-parse"]


def test_words_that_are_not_written_are_not_in_the_tree() -> None:
    words, pos, bits, _ = (list(column) for column in zip(*sentence(MAN), strict=True))

    def corpus(zero: bool, span: tuple[int, int]) -> Corpus:
        draft = Draft("made up")
        columns = {"pos": [""] * zero + pos, "parse": [""] * zero + bits}
        empty = [True] * zero + [False] * len(words)
        document = draft.add_document("d", words=[""] * zero + words, empty=empty, word_attributes=columns)
        document.add_mention("1", (span[0] + zero, span[1] + zero))
        return draft.build_corpus()

    for key_zero, response_zero in ((True, False), (False, True), (True, True)):
        key, response = corpus(key_zero, (0, 3)), corpus(response_zero, (0, 1))
        assert corefeval.score(key, response, match="minspan")["mentions"].f1 == 1.0


def test_part_of_speech_and_tree_are_attributes_of_words(tmp_path: Path) -> None:
    key = conll(tmp_path / "key.conll", sentence(MAN, {0: "(1", 3: "1)"}))
    tokens = corefeval.read(key).tokens
    assert tokens is not None
    assert list(tokens.attributes["pos"][:3]) == ["DT", "NN", "WP"]
    assert list(tokens.attributes["parse"][:2]) == ["(TOP(S(NP(NP*", "*)"]
    short = tmp_path / "short.conll"
    short.write_text("#begin document d\nd 0 0 Kim NNP * (1)\n#end document\n", encoding="utf-8")
    few = corefeval.read(short).tokens
    assert few is not None
    assert not few.attributes


def test_the_columns_stay_with_documents_in_another_order_and_files_put_together(tmp_path: Path) -> None:
    (tmp_path / "both").mkdir()
    one = conll(tmp_path / "both" / "a.conll", sentence(MAN, {0: "(1)"}))
    conll(tmp_path / "both" / "b.conll", sentence(THAT, {0: "(1)"}))
    text = (tmp_path / "both" / "b.conll").read_text(encoding="utf-8").replace("part 000", "part 001")
    (tmp_path / "both" / "b.conll").write_text(text, encoding="utf-8")
    both = corefeval.read(tmp_path / "both")
    turned = both.select_documents(both.documents[::-1])
    assert both.tokens is not None
    assert turned.tokens is not None
    assert list(turned.tokens.attributes["pos"]) == [pos for _, pos, _, _ in sentence(THAT) + sentence(MAN)]
    assert len(both.tokens.attributes["parse"]) == len(both.tokens)
    assert corefeval.score(one, one, match="minspan")["mentions"].f1 == 1.0


def test_zeros_have_no_minimum_span_and_no_overlap() -> None:
    draft = Draft("side")
    attributes = {"pos": ["NN"] * 3, "parse": ["(NP*)", "", "(NP*)"]}
    document = draft.add_document("d", words=["a", "_", "b"], empty=[False, True, False], word_attributes=attributes)
    document.add_mention("A", (0, 0))
    document.add_mention("A", (1, 1))
    key = draft.build_corpus()
    document.mentions[-1] = document.mentions[-1]._replace(mention=(2, 2))
    other = draft.build_corpus()
    assert corefeval.score(key, key, match="minspan")["muc"].f1 == 1
    assert corefeval.score(key, other, match="minspan")["mentions"].recall == 1 / 2
    both = Draft("side")
    ours = both.add_document("d", words=["a", "_", "_"], empty=[False, True, True], word_attributes=attributes)
    ours.add_mention("A", (1, 1))
    first = both.build_corpus()
    ours.mentions[0] = ours.mentions[0]._replace(mention=(2, 2))
    assert corefeval.score(first, both.build_corpus(), match="minspan")["mentions"].recall == 0
