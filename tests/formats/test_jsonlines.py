"""Reading and writing JSON lines."""

from __future__ import annotations

import json
import random
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Tokens
from corefeval.formats import jsonlines, registry
from corefeval.formats.base import File
from corefeval.formats.shared.fitting import fit_corpus
from tests.cli.running import run
from tests.data import public_data
from tests.formats.content import notice_kinds, only_document

if TYPE_CHECKING:
    from pathlib import Path


def read(*lines: Any, **options: str) -> Corpus:
    """What a file of these lines says; bytes and strings are lines as they stand."""
    written = [line if isinstance(line, bytes) else _text(line).encode() for line in lines]
    return jsonlines.read(File("file", b"\n".join(written), "stem", lambda _: None), **options)


def _text(line: Any) -> str:
    return line if isinstance(line, str) else json.dumps(line)


def faults(*lines: Any, **options: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(*lines, **options)
    return [str(fault).removeprefix("file:") for fault in caught.value.faults]


WORDS: dict[str, Any] = {"doc_key": "d", "sentences": [["Kim", "Lee", "saw"], ["herself"]]}


def test_words_by_sentence_with_ends_included() -> None:
    corpus = read({**WORDS, "speakers": [["-"] * 3, ["-"]], "clusters": [[[0, 1], [3, 3]], [[2, 2]]]})
    assert corpus.entities() == {"d": [[(0, 1), (3, 3)], [(2, 2)]]}
    (document,) = corpus
    assert document.sentences == [["Kim", "Lee", "saw"], ["herself"]]
    assert [entity.name for entity in document] == ["0", "1"]
    assert corpus.unit == "word"
    assert corpus.words_of(0) == "Kim Lee"
    assert corpus.notices == ()


def test_several_lines_know_their_numbers() -> None:
    corpus = read(
        {"doc_key": "a", "sentences": [["x"], ["y", "z"]], "clusters": [[[2, 2]]]},
        "",
        {"doc_key": "b", "sentences": [], "clusters": []},
        {"doc_key": "c", "sentences": [["u"], [], ["v"]], "clusters": [[[0, 1]]]},
    )
    assert corpus.documents == ("a", "b", "c")
    assert [document.sentences for document in corpus] == [[["x"], ["y", "z"]], [], [["u"], ["v"]]]
    assert corpus.entities() == {"a": [[(2, 2)]], "b": [], "c": [[(0, 1)]]}
    assert [corpus.line(row) for row in range(2)] == [1, 4]
    assert corpus.tokens is not None
    assert corpus.tokens.line.tolist() == [1, 1, 1, 4, 4]


def test_the_word_level_variant_excludes_ends_and_has_heads() -> None:
    corpus = read(
        {
            "document_id": "nw/x",
            "part_id": 2,
            "cased_words": ["the", "old", "man", "and", "his", "dog", "ran"],
            "sent_id": [0, 0, 0, 0, 1, 1, 1],
            "head": [2, 2, 6, 2, 5, 2, None],
            "clusters": [[[0, 6], [4, 5]], [[3, 5]], [[4, 7]]],
        }
    )
    assert corpus.entities() == {"nw/x_2": [[(0, 5), (4, 4)], [(3, 4)], [(4, 6)]]}
    assert [len(sentence) for sentence in next(iter(corpus)).sentences or []] == [4, 3]
    assert corpus.heads is not None
    # one word on top; the mention itself; two on top, so the last; two on top again
    assert corpus.heads.start.tolist() == corpus.heads.end.tolist() == [2, 4, 4, 6]


def test_heads_are_what_a_walk_through_the_mention_finds() -> None:
    chance = random.Random(3)
    length = 40
    parents = [chance.choice([None, *range(length)]) for _ in range(length)]
    spans = [sorted(chance.sample(range(length + 1), 2)) for _ in range(200)]
    line = {"cased_words": ["w"] * length, "head": parents, "clusters": [spans]}
    other = {"id": "x", "tokens": ["w"], "clusters": [[[0, 0]]]}
    heads = read({"id": "y", **line}, other).heads
    assert heads is not None
    expected = []
    for start, end in spans:
        on_top = [w for w in range(start, end) if parents[w] is None or not start <= (parents[w] or 0) < end]
        expected.append(on_top[0] if len(on_top) == 1 else end - 1)
    assert heads.start.tolist() == [*expected, -1]


def test_predicted_spans_of_the_word_level_system() -> None:
    line = {"document_id": "x", "cased_words": ["He", "left"], "sent_id": [0, 0], "word_clusters": [[0, 1]]}
    assert only_document(read({**line, "span_clusters": [[[0, 1], [0, 2]]]})) == [[(0, 0), (0, 1)]]
    assert only_document(read(line)) == [[(0, 0), (1, 1)]]
    both = {**line, "span_clusters": [[[0, 2]]]}
    assert only_document(read(both, clusters="word_clusters")) == [[(0, 0), (1, 1)]]


def test_characters() -> None:
    text = "We are so happy 😀 to see you using our coref package."
    corpus = read({"text": text, "clusters": [[[0, 2], [35, 38]]], "clusters_strings": [["We", "our"]]})
    assert corpus.documents == ("stem",)
    assert corpus.unit == "character"
    assert only_document(corpus) == [[(0, 1), (35, 37)]]
    assert [corpus.words_of(row) for row in range(2)] == ["We", "our"]
    assert corpus.line(1) == 1


VARIANTS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "AllenNLP": ({"document": ["a", "b"], "clusters": [[[0, 1]]], "top_spans": [[0, 1]]}, [[(0, 1)]]),
    "fastcoref on words": ({"text": ["a", "b"], "clusters": [[[0, 1]]]}, [[(0, 0)]]),
    "LingMess": ({"doc_key": "x", "text": "a b", "tokens": ["a", "b"], "clusters": [[[0, 1]]]}, [[(0, 1)]]),
    "Maverick": (
        {
            "tokens": ["a", "b"],
            "clusters_token_offsets": [[[0, 1], [1, 1]]],
            "clusters_char_offsets": [[[0, 2], [2, 2]]],
            "clusters_token_text": [["a b", "b"]],
            "clusters_char_text": None,
        },
        [[(0, 1), (1, 1)]],
    ),
    "Maverick's characters": ({"text": "a b", "clusters_char_offsets": [[[0, 2], [2, 2]]]}, [[(0, 2), (2, 2)]]),
    "PreCo": (
        {"id": "p", "sentences": [["a", "b"], [" "], ["c", "d"]], "mention_clusters": [[[0, 0, 2], [2, 1, 2]]]},
        [[(0, 1), (4, 4)]],
    ),
    "objects": ({"tokens": ["a", "b"], "clusters": [[{"start": 0, "end": 1, "text": "a b"}]]}, [[(0, 1)]]),
    "no words": ({"doc_key": "x", "clusters": [[[7, 9]]]}, [[(7, 9)]]),
    "words": ({"words": ["a", "b"], "predicted_clusters": [[[0, 1]]]}, [[(0, 1)]]),
    "no text": ({"text": "", "tokens": [], "clusters": []}, []),
}


@pytest.mark.parametrize(("line", "expected"), VARIANTS.values(), ids=VARIANTS)
def test_variants(line: dict[str, Any], expected: list[Any]) -> None:
    assert only_document(read(line)) == expected


def test_ends_can_be_said() -> None:
    line = {"tokens": ["a", "b"], "clusters": [[[0, 1]]]}
    assert only_document(read(line, ends="excluded")) == [[(0, 0)]]
    assert only_document(read({"text": "ab", "clusters": [[[0, 1]]]}, ends="included")) == [[(0, 1)]]
    assert only_document(read({**line, "cased_words": ["a", "b"]}, ends="included")) == [[(0, 1)]]
    with pytest.raises(OptionError, match="ends='inside' is not possible"):
        read(line, ends="inside")


def test_options_come_with_the_format(tmp_path: Any) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"tokens": ["a", "b"], "clusters": [], "mine": [[[0, 2]]]}', encoding="utf-8")
    assert only_document(corefeval.read(path, "jsonlines:clusters=mine,ends=excluded")) == [[(0, 1)]]
    with pytest.raises(OptionError):
        corefeval.read(path, "jsonlines:end=excluded")


def test_predictions_are_read_and_that_is_said() -> None:
    line = {**WORDS, "clusters": [[[0, 0], [1, 1]]], "predicted_clusters": [[[2, 3]]]}
    corpus = read(line, {**line, "doc_key": "e"})
    assert corpus.entities()["d"] == [[(2, 3)]]
    (notice,) = corpus.notices
    assert notice.kind == "two-fields"
    assert "2 lines have both 'predicted_clusters', which is read, and 'clusters', which is not" in str(notice)
    assert "jsonlines:clusters=clusters reads the latter" in str(notice)
    asked = read(line, clusters="clusters")
    assert only_document(asked) == [[(0, 0), (1, 1)]]
    assert asked.notices == ()
    assert read({**line, "clusters": [[]]}).notices == ()


def test_a_key_is_read_from_clusters_and_a_response_from_predictions(tmp_path: Path) -> None:
    """A system's output with gold and predicted clusters is key and response at once."""
    both = {**WORDS, "clusters": [[[0, 0], [1, 1]], [[2, 2], [3, 3]]], "predicted_clusters": [[[0, 0], [1, 1]]]}
    path = tmp_path / "both.jsonlines"
    path.write_text(json.dumps(both), encoding="utf-8")
    key, response = (corefeval.read(path, side=side) for side in ("key", "response"))
    assert only_document(key) == [[(0, 0), (1, 1)], [(2, 2), (3, 3)]]
    assert only_document(response) == [[(0, 0), (1, 1)]]
    assert [(str(each.notices[0]).partition(";")[0], len(each.notices)) for each in (key, response)] == [
        (f"{path}:1: 1 line has both 'clusters', which is read for the key, and 'predicted_clusters', which is not", 1),
        (
            f"{path}:1: 1 line has both 'predicted_clusters', which is read for the response, and 'clusters', "
            "which is not",
            1,
        ),
    ]
    half = corefeval.score(path, path)["mentions"]
    assert (half.recall, half.precision) == (1 / 2, 1.0)
    same = corefeval.score(path, path, key_format="jsonlines:clusters=predicted_clusters")
    assert same["mentions"].f1 == 1.0
    with pytest.raises(OptionError, match="side='gold' is not possible"):
        corefeval.read(path, side="gold")


@pytest.mark.parametrize("gold", [{}, {"clusters": None}], ids=["missing", "null"])
@pytest.mark.parametrize("predicted", [[[[0, 0]]], []], ids=["some", "none"])
def test_a_key_without_clusters_is_read_from_what_there_is_and_that_is_said(
    gold: dict[str, None], predicted: list[list[list[int]]]
) -> None:
    lines = [{**WORDS, **gold, "doc_key": name, "predicted_clusters": predicted} for name in ("d", "e")]
    data = "\n".join(map(json.dumps, lines)).encode()
    corpus = jsonlines.read(File("f.jsonl", data, "f", lambda _: None, side="key"))
    assert [len(each) for each in corpus.entities().values()] == [len(predicted)] * 2
    (notice,) = corpus.notices
    assert str(notice) == (
        "f.jsonl:1: 2 lines of the key have no 'clusters', so 'predicted_clusters' is read; "
        "jsonlines:clusters=FIELD reads another field"
    )
    assert notice.details == {"read": "predicted_clusters", "passed": "clusters", "count": 2}
    for side, options in (("response", {}), ("", {}), ("key", {"clusters": "predicted_clusters"})):
        assert jsonlines.read(File("f.jsonl", data, "f", lambda _: None, side=side), **options).notices == ()


def test_score_says_that_a_key_has_only_predictions(tmp_path: Path) -> None:
    path = tmp_path / "only.jsonlines"
    path.write_text(json.dumps({**WORDS, "predicted_clusters": [[[0, 0], [1, 1]]]}), encoding="utf-8")
    done = run("score", str(path), str(path), "-v")
    assert "1 line of the key has no 'clusters', so 'predicted_clusters' is read" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("score", "{0}", "{0}", "--csv"),
        ("compare", "{0}", "{0}", "{1}", "--csv", "--resamples", "100"),
        ("errors", "{0}", "{0}", "--json"),
        ("diff", "{0}", "{0}", "{1}", "--json"),
        ("explain", "muc", "{0}", "{0}"),
        ("report", "{0}", "{0}", "-o", "{2}"),
        ("why", "{0}", "{0}", "--to", "coval"),
    ],
    ids=lambda command: str(command[0]),
)
def test_all_commands_with_a_key_read_it_from_clusters(command: tuple[str, ...], tmp_path: Path) -> None:
    both, other = tmp_path / "both.jsonlines", tmp_path / "other.jsonlines"
    line = {**WORDS, "clusters": [[[0, 0], [1, 1]]], "predicted_clusters": [[[0, 0], [2, 2]]]}
    both.write_text(json.dumps(line), encoding="utf-8")
    other.write_text(json.dumps({**WORDS, "clusters": [[[0, 0], [1, 1]]]}), encoding="utf-8")
    done = run(*(part.format(both, other, tmp_path / "page.html") for part in command))
    shown = done.stdout + done.stderr
    assert "which is read for the response" in shown
    assert "which is read for the key" in shown


@pytest.mark.parametrize("command", [("stats", "{0}"), ("convert", "{0}", "{1}"), ("agree", "{0}", "{0}x")])
def test_commands_without_a_key_read_predictions_and_say_so(command: tuple[str, ...], tmp_path: Path) -> None:
    line = {**WORDS, "clusters": [[[0, 0], [1, 1]]], "predicted_clusters": [[[0, 0], [2, 2]]]}
    for name in ("both.jsonlines", "both.jsonlinesx"):
        (tmp_path / name).write_text(json.dumps(line), encoding="utf-8")
    done = run(*(part.format(tmp_path / "both.jsonlines", tmp_path / "out.conll") for part in command))
    assert done.returncode == 0
    assert "has both 'predicted_clusters', which is read, and 'clusters', which is not" in done.stderr


def test_all_lines_have_the_same_field() -> None:
    found = faults({**WORDS, "clusters": []}, {**WORDS, "doc_key": "e", "clusters": [], "predicted_clusters": []})
    assert found == [
        "2: entities are in 'predicted_clusters', but in 'clusters' on line 1; expected the same field on all lines; "
        "say which with jsonlines:clusters=FIELD"
    ]


def test_entities_can_have_names() -> None:
    assert [entity.name for entity in next(iter(read({**WORDS, "clusters": {"e1": [[0, 0]], "e2": [[1, 1]]}})))] == [
        "e1",
        "e2",
    ]


def test_entities_without_mentions_are_left_out() -> None:
    corpus = read({**WORDS, "clusters": [[], [[1, 1]], []], "entity_attributes": [{"t": "a"}, {"t": "b"}, {}]})
    assert [entity.name for entity in next(iter(corpus))] == ["1"]
    assert corpus.entity_attributes == {"t": ["b"]}
    assert [str(notice) for notice in corpus.notices] == [
        "file:1: entity '0' of document 'd' has no mentions and is left out",
        "file:1: entity '2' of document 'd' has no mentions and is left out",
    ]


# Sub-tokens: the first line of mandarjoshi90/coref's example, shortened, with two segments.
PIECES: dict[str, Any] = {
    "doc_key": "bn/voa/02/voa_0210_0",
    "sentences": [
        ["[CLS]", "Prime", "Minister", "E", "##hu", "##d", "told", "Israel", "'", "s", ".", "[SEP]"],
        ["[CLS]", "He", "suppress", "##ing", "[SEP]"],
    ],
    "clusters": [],
    "sentence_map": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2],
    "subtoken_map": [0, 0, 1, 2, 2, 2, 3, 4, 5, 5, 6, 6, 6, 7, 8, 8, 8],
}
WHOLE = [["Prime", "Minister", "Ehud", "told", "Israel", "'s", "."], ["He", "suppressing"]]


def test_sub_tokens_become_words() -> None:
    corpus = read({**PIECES, "predicted_clusters": [[[1, 5], [13, 13]], [[7, 9]], [[14, 15]]]})
    assert only_document(corpus) == [[(0, 2), (7, 7)], [(4, 5)], [(8, 8)]]
    (document,) = corpus
    assert document.sentences == WHOLE
    assert [mention.text for mention in document.mentions] == ["Prime Minister Ehud", "Israel 's", "He", "suppressing"]
    assert corpus.notices == ()


def test_without_a_sentence_map_segments_are_sentences() -> None:
    line = {name: value for name, value in PIECES.items() if name != "sentence_map"}
    assert next(iter(read(line))).sentences == WHOLE
    one = {**line, "sentences": [list(chain(*PIECES["sentences"]))]}
    assert next(iter(read(one))).sentences == [WHOLE[0] + WHOLE[1]]


def test_a_mention_within_words_is_these_words() -> None:
    corpus = read({**PIECES, "clusters": [[[4, 8]]]})
    assert only_document(corpus) == [[(2, 5)]]
    assert corpus.words_of(0) == "Ehud told Israel 's"


def test_mentions_that_become_the_same_words_are_kept_and_told() -> None:
    corpus = read({**PIECES, "clusters": [[[3, 5], [4, 5]], [[1, 1], [1, 1]]]})
    assert only_document(corpus) == [[(2, 2), (2, 2)], [(0, 0), (0, 0)]]
    assert [str(notice) for notice in corpus.notices] == [
        'file:1: mentions [3, 5] and [4, 5] are the same words, "Ehud"'
    ]


def test_special_sub_tokens_go_by_the_map() -> None:
    # The systems' own writers look up their ends in the map, too.
    assert only_document(read({**PIECES, "clusters": [[[11, 13]], [[0, 0]]]})) == [[(6, 7)], [(0, 0)]]


@pytest.mark.parametrize("none", [-1, None, -7])
def test_sub_tokens_of_no_word(none: int | None) -> None:
    line = {
        "sentences": [["<s>", "▁He", "▁suppress", "ing", "</s>"]],
        "subtoken_map": [none, 0, 1, 1, none],
        "clusters": [[[0, 1], [2, 4], [4, 4]]],
    }
    corpus = read(line)
    assert only_document(corpus) == [[(0, 0), (1, 1)]]
    assert next(iter(corpus)).words == ["He", "suppressing"]
    assert [str(notice) for notice in corpus.notices] == [
        "file:1: mention [4, 4] has sub-tokens of no word and is left out"
    ]


def test_marks_may_have_any_number() -> None:
    line = {"sentences": [["[CLS]", "[", "b", "[SEP]"], ["[CLS]", "<c", "[SEP]"]], "clusters": [[[5, 5]]]}
    corpus = read({**line, "subtoken_map": [0, 0, 1, 0, 0, 2, 0]})
    assert (only_document(corpus), next(iter(corpus)).sentences) == ([[(2, 2)]], [["[", "b"], ["<c"]])
    assert faults({**line, "subtoken_map": [0, 0, 1, 1, 0, 0, 0]}) == [
        "1: 'subtoken_map' goes back; expected numbers of words that rise"
    ]


def test_sub_tokens_of_bytes() -> None:
    line = {"sentences": [["<s>", "ĠTh", "Ã©", "o", "Ġâ", "Ĥ¬", "Ġ5", "</s>"]], "clusters": [[[1, 3]]]}
    corpus = read({**line, "subtoken_map": [-1, 0, 0, 0, 1, 1, 2, -1]})
    assert next(iter(corpus)).words == ["Théo", "€", "5"]
    assert corpus.words_of(0) == "Théo"


def test_other_characters_beside_a_mark_of_bytes_are_left() -> None:
    corpus = read({"sentences": [["Ġ漢", "字", "Ġab"]], "subtoken_map": [0, 0, 1], "clusters": []})
    assert next(iter(corpus)).words == ["漢字", "ab"]


def test_words_that_have_no_sub_token_are_counted() -> None:
    corpus = read({"sentences": [["b", "##c"], ["e"]], "subtoken_map": [1, 1, 4], "clusters": [[[2, 2]]]})
    assert only_document(corpus) == [[(4, 4)]]
    assert next(iter(corpus)).words == ["", "bc", "", "", "e"]


@pytest.mark.parametrize("field", ["tokens", "words", "orig_tokens"])
def test_words_before_they_were_cut_are_taken(field: str) -> None:
    original = ["Prime", "Minister", "Ehud", "TOLD", "Israel", "'s", ".", "He", "suppressing"]
    (document,) = read({**PIECES, field: original})
    assert document.sentences == [original[:7], original[7:]]
    (document,) = read({**PIECES, field: original[1:]})
    assert document.sentences == WHOLE


def test_numbers_for_sub_tokens_leave_words_unknown() -> None:
    line = {"sentences": [[101, 7, 8, 9]], "subtoken_map": [0, 1, 2, 2], "clusters": [[[2, 3]]]}
    corpus = read({**line, "orig_subtoken_map": [-1, 0, 1, 1]})
    assert only_document(corpus) == [[(1, 1)]]
    assert corpus.tokens is None
    assert notice_kinds(corpus) == ["unknown-words"]
    known_words = read({**line, "orig_subtoken_map": [-1, 0, 1, 1], "orig_tokens": ["a", "b"]})
    assert next(iter(known_words)).words == ["a", "b"]


def test_maps_may_have_sentences() -> None:
    line = {"sentences": [["a", "##b"], ["c"]], "clusters": [[[0, 2]]]}
    corpus = read({**line, "subtoken_map": [[0, 0], [1]], "sentence_map": [[0, 0], [1]]})
    assert (only_document(corpus), next(iter(corpus)).sentences) == ([[(0, 1)]], [["ab"], ["c"]])


def test_lines_of_words_and_of_sub_tokens() -> None:
    corpus = read(
        {**WORDS, "clusters": [[[0, 3]]]},
        {**PIECES, "clusters": [[[3, 5]]]},
        {"doc_key": "u", "cased_words": ["##He", "[SEP]"], "clusters": [[[0, 2]]]},
    )
    assert list(corpus.entities().values()) == [[[(0, 3)]], [[(2, 2)]], [[(0, 1)]]]
    assert [document.sentences for document in corpus] == [WORDS["sentences"], WHOLE, [["##He", "[SEP]"]]]
    assert [corpus.words_of(row) for row in range(3)] == ["Kim Lee saw herself", "Ehud", "##He [SEP]"]
    unknown = read({**PIECES, "clusters": [[[3, 5]]]}, {"doc_key": "v", "clusters": [[[90, 91]]]})
    assert [document.words for document in unknown] == [None, None]
    assert list(unknown.entities().values()) == [[[(2, 2)]], [[(90, 91)]]]


@given(st.data())
def test_cutting_words_changes_nothing(data: st.DataObject) -> None:
    """Words cut into sub-tokens, with marks around segments, against the same words."""
    words = data.draw(st.lists(st.text("abcé漢", min_size=1, max_size=5), min_size=1, max_size=12))
    cuts = [data.draw(st.integers(1, len(word))) for word in words]
    starts, ends, numbers, segments = [], [], [], [["[CLS]"]]
    numbers.append(0)
    for number, (word, cut) in enumerate(zip(words, cuts, strict=True)):
        pieces = [word[:cut], *(f"##{letter}" for letter in word[cut:])]
        if len(segments[-1]) > 6:
            segments[-1].append("[SEP]")
            segments.append(["[CLS]"])
            numbers += [number - 1, number - 1]
        starts.append(len(numbers))
        numbers += [number] * len(pieces)
        ends.append(len(numbers) - 1)
        segments[-1].extend(pieces)
    segments[-1].append("[SEP]")
    numbers.append(len(words) - 1)
    span = st.tuples(st.integers(0, len(words) - 1), st.integers(0, len(words) - 1)).map(sorted)
    clusters = data.draw(st.lists(st.lists(span, min_size=1, max_size=3), max_size=3))
    cut_clusters = [[[starts[a], ends[b]] for a, b in cluster] for cluster in clusters]
    plain = read({"doc_key": "d", "sentences": [words], "clusters": clusters})
    found = read({"doc_key": "d", "sentences": segments, "subtoken_map": numbers, "clusters": cut_clusters})
    assert found.entities() == plain.entities()
    assert next(iter(found)).words == words


def test_names_of_documents() -> None:
    content = {"tokens": ["a"], "clusters": []}
    assert read(content).documents == ("stem",)
    assert read(content, content).documents == ("0", "1")
    assert read({**content, "id": 7}, content, {**content, "doc_id": "x"}).documents == ("7", "1", "x")
    assert read({**content, "document_id": "x", "part_id": [0, 0], "doc_key": None}).documents == ("x",)
    assert read({**content, "doc_key": "é", "id": 3}).documents == ("é",)


LAYOUTS = {
    "a list": '[\n{"doc_key": "a", "tokens": ["x"], "clusters": [[[0, 0]]]},\n\n{"doc_key": "b", "tokens": [], "clusters": []}]',
    "over several lines": '{\n"doc_key": "a",\n"tokens": ["x"], "clusters": [[[0,\n0]]]}\n{"doc_key": "b",\n"tokens": [], "clusters": []}\n',
    "on one line": '{"doc_key": "a", "tokens": ["x"], "clusters": [[[0, 0]]]}{"doc_key": "b", "tokens": [], "clusters": []}',
    "byte-order mark": '\ufeff{"doc_key": "a", "tokens": ["x"], "clusters": [[[0, 0]]]}\n{"doc_key": "b", "tokens": [], "clusters": []}',
    "crlf": '{"doc_key": "a", "tokens": ["x"], "clusters": [[[0, 0]]]}\r\n\r\n{"doc_key": "b", "tokens": [], "clusters": []}\r\n',
    "blank lines": '\n \n{"doc_key": "a", "tokens": ["x"], "clusters": [[[0, 0]]]}\n\t\n{"doc_key": "b", "tokens": [], "clusters": []}\n\n',
    "NaN elsewhere": '{"doc_key": "a", "tokens": ["x"], "clusters": [[[0, 0]]], "scores": [NaN, -Infinity]}\n{"doc_key": "b", "tokens": [], "clusters": []}',
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_layouts(text: str) -> None:
    assert read(text).entities() == {"a": [[(0, 0)]], "b": []}


def test_lines_in_a_list_are_those_of_the_file() -> None:
    assert faults('[\n{"tokens": [1], "clusters": []},\n\n{"tokens": ["x"], "clusters": [[[0, 1]]]}, 5]') == [
        "2: 'tokens' has 1; expected words, which are strings",
        "4: 5 is no document; expected a JSON object",
        "4: mention [0, 1] is not within the 1 word of document 'stem'; expected start and end, counted from 0, the "
        "end included; if ends are not part of mentions, read it as jsonlines:ends=excluded",
    ]


def test_line_separators_within_words_end_no_line() -> None:
    (document,) = read('{"tokens": ["a\u2028b", "c\x85d", "e\\nf"], "clusters": [[[2, 2]]]}')
    assert document.words == ["a\u2028b", "c\x85d", "e\nf"]


def test_halves_of_characters_are_replaced_and_told() -> None:
    corpus = read('{"tokens": ["a\\ud83d", "\\ud83d\\ude00", "\\\\ud83d", "\\uDE00b"], "clusters": [[[0, 0]]]}')
    assert next(iter(corpus)).words == ["a\ufffd", "😀", "\\ud83d", "\ufffdb"]
    (notice,) = corpus.notices
    assert (notice.kind, notice.details["count"], notice.line) == ("half-character", 2, 1)
    assert read('{"tokens": ["\\\\ud83d"], "clusters": []}').notices == ()
    running = read('{"text": "a\\ud83db", "clusters": [[[2, 3]]], "doc_key": "\\ud83d"}')
    assert (running.words_of(0), running.documents) == ("b", ("\ufffd",))


WORD = '{"tokens": ["a", "b"], '
FAULTS = {
    "truncated": (WORD + '"clusters": [[[0, 0', ["1: not JSON: Expecting ',' delimiter (column 43); expected a JSON object on each line; it may be truncated"]),
    "truncated in a word": ('{"tokens": ["a', ["1: not JSON: Unterminated string starting at (column 13); expected a JSON object on each line; it may be truncated"]),
    "comma between lines": (WORD + '"clusters": []},', ["1: not JSON: Expecting value (column 39); expected a JSON object on each line"]),
    "no JSON": ("#begin document x", ["1: not JSON: Expecting value (column 1); expected a JSON object on each line"]),
    "key twice": (WORD + '"clusters": [], "tokens": []}', ["1: not JSON: an object has the key 'tokens' twice (column 1); expected a JSON object on each line"]),
    "deep": ("[" * 200_000, ["1: not JSON: lists or objects are nested too deeply (column 2); expected a list of JSON objects, or one on each line"]),
    "deep in a line": ('{"a":' * 200_000, ["1: not JSON: lists or objects are nested too deeply (column 1); expected a JSON object on each line"]),
    "many digits": (WORD + '"clusters": [[[0, ' + "9" * 5000 + "]]]}", ["1: not JSON: a number has too many digits (column 1); expected a JSON object on each line"]),
    "no object": ("[]\n", ["1: no document; expected a line with a JSON object"]),
    "nothing": ("", ["1: no document; expected a line with a JSON object"]),
    "a number": ("7", ["1: 7 is no document; expected a JSON object"]),
    "broken list": ('[{"tokens": ["a"], "clusters": []}\n{', ["2: not JSON: Expecting ',' delimiter (column 1); expected a list of JSON objects, or one on each line"]),
    "behind the list": ('[{"tokens": ["a"], "clusters": []}]\n[]', ["2: not JSON: Extra data (column 1); expected a list of JSON objects, or one on each line"]),
    "broken over lines": ('{\n"tokens": ["a"],\n"clusters": []}\n{\n"a" 1}', ["5: not JSON: Expecting ':' delimiter (column 5); expected a list of JSON objects, or one on each line"]),
    "string": (WORD + '"clusters": [[["0", 1]]]}', ["1: ['0', 1], a mention of entity '0'; expected two integers: start and end"]),
    "float": (WORD + '"clusters": [[[0, 0], [0, 1.0]]]}', ["1: [0, 1.0], a mention of entity '0'; expected two integers: start and end"]),
    "NaN": (WORD + '"clusters": [[[0, NaN]]]}', ["1: [0, nan], a mention of entity '0'; expected two integers: start and end"]),
    "boolean": (WORD + '"clusters": [[[false, true]]]}', ["1: [False, True], a mention of entity '0'; expected two integers: start and end"]),
    "two wrong": (WORD + '"clusters": [[[0, null]], [[0, 1], {}]]}', ["1: [0, None], a mention of entity '0'; expected two integers: start and end", "1: {}, a mention of entity '1'; expected two integers: start and end"]),
    "object": (WORD + '"clusters": [[{"start": 0, "end": "1"}]]}', ["1: [0, '1'], a mention of entity '0'; expected two integers: start and end"]),
    "one number": (WORD + '"clusters": [[0, 1]]}', ["1: 0, a mention of entity '0'; expected two integers: start and end; entities are lists of mentions, and these are lists of two integers", "1: 1, a mention of entity '0'; expected two integers: start and end; entities are lists of mentions, and these are lists of two integers"]),
    "three numbers": (WORD + '"clusters": [[[0, 0, 1]]]}', ["1: [0, 0, 1], a mention of entity '0'; expected two integers: start and end; sentence, start and end are read from a field 'mention_clusters'"]),
    "too flat": (WORD + '"clusters": [0, 1]}', ["1: 'clusters' has 0; expected a list of entities, each a list of mentions"]),
    "a word": (WORD + '"clusters": "ab"}', ["1: 'clusters' has 'ab'; expected a list of entities, each a list of mentions"]),
    "words as mentions": (WORD + '"clusters": [["ab", "cd"]]}', ["1: 'ab', a mention of entity '0'; expected two integers: start and end", "1: 'cd', a mention of entity '0'; expected two integers: start and end"]),
    "null": (WORD + '"clusters": null}', ["1: no field with entities; expected one of predicted_clusters, span_clusters, clusters_token_offsets, clusters, mention_clusters, clusters_char_offsets, word_clusters; there are 'tokens', 'clusters'; say which with jsonlines:clusters=FIELD"]),
    "behind the end": (WORD + '"clusters": [[[0, 2], [1, 3]]]}', ["1: mention [0, 2] is not within the 2 words of document 'stem'; expected start and end, counted from 0, the end included; if ends are not part of mentions, read it as jsonlines:ends=excluded", "1: mention [1, 3] is not within the 2 words of document 'stem'; expected start and end, counted from 0, the end included"]),
    "before the beginning": (WORD + '"clusters": [[[-1, 0]]]}', ["1: mention [-1, 0] is not within the 2 words of document 'stem'; expected start and end, counted from 0, the end included"]),
    "backwards": (WORD + '"clusters": [[[1, 0]]]}', ["1: mention [1, 0] of document 'stem' ends before it starts; expected start and end, counted from 0, the end included"]),
    "nothing in it": ('{"text": "ab", "clusters": [[[1, 1]]]}', ["1: mention [1, 1] of document 'stem' ends before it starts; expected start and end, counted from 0, the end excluded; if ends are part of mentions, read it as jsonlines:ends=included"]),
    "behind the text": ('{"text": "ab", "clusters": [[[1, 3]]]}', ["1: mention [1, 3] is not within the 2 characters of document 'stem'; expected start and end, counted from 0, the end excluded"]),
    "behind the sub-tokens": ('{"sentences": [["a", "b"]], "subtoken_map": [0, 0], "clusters": [[[0, 2]]]}', ["1: mention [0, 2] is not within the 2 sub-tokens of document 'stem'; expected start and end, counted from 0, the end included; if ends are not part of mentions, read it as jsonlines:ends=excluded"]),
    "huge": (WORD + '"clusters": [[[0, ' + "9" * 30 + "]]]}", ["1: 999999999999999999999999999999 in a mention; expected numbers of words or characters"]),
    "large": ('{"clusters": [[[0, 9223372036854775807]]]}', ["1: mention [0, 9223372036854775807] is not within the 4,611,686,018,427,387,904 words of document 'stem'; expected start and end, counted from 0, the end included"]),
    "sentences of text": ('{"sentences": ["a b", ["c"]], "clusters": []}', ["1: 'sentences' has 'a b'; expected a list of sentences, each a list of words"]),
    "sentences": ('{"sentences": 3, "clusters": []}', ["1: 'sentences' has 3; expected a list of sentences, each a list of words"]),
    "a number among words": ('{"sentences": [["a", 3]], "clusters": []}', ["1: 'sentences' has 3; expected words, which are strings"]),
    "words": ('{"tokens": "a b", "clusters": []}', ["1: 'tokens' is 'a b'; expected a list of words"]),
    "null byte": ('{"tokens": ["a"], "clusters": []}\n{"tokens": ["a\\u0000"], "clusters": []}', ["2: a word has the character U+0000; expected words of visible characters"]),
    "other words": ('{"tokens": ["a"], "sentences": [["a", "b"]], "clusters": []}', ["1: 2 words in 'sentences' but 1 in 'tokens'; expected the same words in both"]),
    "no text": ('{"tokens": ["a"], "clusters_char_offsets": [[[0, 0]]]}', ["1: offsets of characters without the text; expected a string 'text'"]),
    "map": ('{"sentences": [["a"]], "subtoken_map": [0, 1], "clusters": []}', ["1: 'subtoken_map' has 2 entries for 1 sub-token; expected one for each"]),
    "map of words": ('{"sentences": [["a"]], "subtoken_map": ["0"], "clusters": []}', ["1: 'subtoken_map' has '0'; expected integers"]),
    "no map": ('{"sentences": [["a"]], "subtoken_map": 0, "clusters": []}', ["1: 'subtoken_map' is 0; expected a list of integers"]),
    "map far off": ('{"sentences": [["a"]], "subtoken_map": [1000000000000], "clusters": []}', ["1: 'subtoken_map' has the word 1000000000000 for 1 sub-token; expected words counted from 0"]),
    "map further off": ('{"sentences": [["a"]], "subtoken_map": [10000000000000000000000], "clusters": []}', ["1: 'subtoken_map' has 10000000000000000000000; expected numbers of sub-tokens"]),
    "map of sentences": ('{"sentences": [["a"]], "subtoken_map": [0], "sentence_map": [], "clusters": []}', ["1: 'sentence_map' has 0 entries for 1 sub-token; expected one for each"]),
    "sentence numbers": ('{"cased_words": ["a"], "sent_id": [0.5], "clusters": []}', ["1: 'sent_id' has 0.5; expected integers"]),
    "heads": ('{"cased_words": ["a"], "head": [0, 1], "clusters": []}', ["1: 'head' has 2 entries for 1 word; expected one for each"]),
    "outside its sentence": ('{"sentences": [["a"], ["b"]], "mention_clusters": [[[0, 0, 2]]]}', ["1: mention [0, 0, 2] is not within a sentence; expected three integers: sentence, start and end"]),
    "name": ('{"doc_key": ["a"], "tokens": [], "clusters": []}', ["1: 'doc_key' is ['a']; expected a string, the name of the document"]),
    "same name": ('{"id": 1, "tokens": [], "clusters": []}\n\n{"id": "1", "tokens": [], "clusters": []}', ["3: document '1' already begins at line 1; expected every document once; a doc_key names a document, not its genre"]),
    "units": ('{"text": "a", "clusters": []}\n{"tokens": ["a"], "clusters": []}', ["2: mentions are counted in words, but in characters on line 1; expected the same on all lines; use a file for each"]),
    "names": (WORD + '"clusters": [[[0, 0]]], "entity_names": ["a", "b"]}', ["1: 'entity_names' is ['a', 'b']; expected a list of 1 strings, one for each entity"]),
    "same names": (WORD + '"clusters": [[[0, 0]], [[1, 1]]], "entity_names": ["a", "a"]}', ["1: 'entity_names' has a name twice; expected different names"]),
    "attributes": (WORD + '"clusters": [[[0, 0]]], "mention_attributes": [[]]}', ["1: 'mention_attributes' is [[]]; expected a list for each entity with as many entries as it has mentions"]),
    "attribute": (WORD + '"clusters": [[[0, 0]]], "mention_attributes": [[{"a": 1}]]}', ["1: 'mention_attributes' has {'a': 1}; expected objects with strings"]),
    "entity attributes": (WORD + '"clusters": [[[0, 0]]], "entity_attributes": {}}', ["1: 'entity_attributes' is {}; expected 1 objects with strings, one for each entity"]),
    "head": (WORD + '"clusters": [[[0, 0]]], "mention_heads": [[[0]]]}', ["1: 'mention_heads' has [0]; expected lists of start and end, or null"]),
    "head outside": (WORD + '"clusters": [[[0, 0]]], "mention_heads": [[[4, 4]]]}', ["1: head [4, 4] is not within the 2 words of document 'stem'; expected start and end, counted from 0, the end included"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS)
def test_faults(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


def test_a_trailing_comma_is_a_fault() -> None:
    # how it is said, and of which column, depends on the version of Python
    (fault,) = faults(WORD + '"clusters": [[[0, 0]],]}')
    assert fault.startswith("1: not JSON: ")


def test_every_fault_is_found() -> None:
    good = {"tokens": ["a"], "clusters": []}
    found = faults(good, "{", {**good, "tokens": [1]}, {**good, "clusters": [[[0, 5]]]}, "x", good, {"a": 1})
    assert [fault.partition(":")[0] for fault in found] == ["2", "3", "4", "5", "7"]


def test_a_field_that_was_asked_for_must_be_there() -> None:
    assert faults({**WORDS, "clusters": []}, clusters="mine") == [
        "1: no field 'mine'; expected entities in the field that was asked for; there are 'doc_key', 'sentences', 'clusters'"
    ]
    assert faults({}) == [
        "1: no field with entities; expected one of predicted_clusters, span_clusters, clusters_token_offsets, "
        "clusters, mention_clusters, clusters_char_offsets, word_clusters; the object is empty; "
        "say which with jsonlines:clusters=FIELD"
    ]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b'\n{"tokens": ["\xe9"], "clusters": []}', "2: the byte 0xe9 is not UTF-8; expected UTF-8"),
        ('{"tokens": []}'.encode("utf-16"), "1: UTF-16 text"),
        (b'{"tokens": ["\0"]}', "1: a NUL byte"),
    ],
)
def test_other_encodings_are_refused(data: bytes, what: str) -> None:
    (fault,) = faults(data)
    assert fault.startswith(what)


RECOGNISED = {
    "words": '{"doc_key": "a", "sentences": [["x"]], "clusters": []}',
    "clusters first": '{"clusters": [[[0, 1], [2',
    "clusters first, not spaced": '{"predicted_clusters":[[[0,1],[2',
    "cut off": '{"doc_key": "a", "speakers": [["x"]], "sentences": [["x", "y',
    "a list": '[\n  {"doc_key": "a",\n "sentences": [\n["x"]], "clusters": [] }]',
    "word level": '{"document_id": "a", "cased_words": ["x"], "sent_id": [0], "head": [null]}',
    "characters": '{"text": "x", "clusters": [[[0, 1]]], "clusters_strings": [["x"]]}',
    "only clusters": '{"doc_key": "x", "clusters": [[[0, 1]]]}',
    "Maverick": '{"tokens": ["a"], "clusters_token_offsets": [[[0, 0]]]}',
    "byte-order mark": '\ufeff{"doc_key": "a", "sentences": [["x"]], "clusters": []}',
}


@pytest.mark.parametrize("text", RECOGNISED.values(), ids=RECOGNISED)
def test_files_are_recognised_by_their_content(text: str) -> None:
    assert registry.recognise("x.json", text.encode()).name == "jsonlines"


@pytest.mark.parametrize(
    "text",
    [
        '{"story": [["Kim", "herself"], ["a book"]]}',
        '{"type": "clusters", "clusters": {"e1": ["Kim"]}}',
        '{"sentences": [{"index": 0, "tokens": [{"index": 1}]}], "corefs": {}}',
        '{"%TYPES": {}, "%FEATURE_STRUCTURES": []}',
        "[[[0, 1], [2, 2]]]",
        '"tokens"',
        "#begin document (x); part 000",
    ],
)
def test_other_files_are_not_recognised(text: str) -> None:
    assert jsonlines.recognise(text.encode()) == ""


def written(corpus: Corpus) -> list[dict[str, Any]]:
    return [json.loads(line) for line in jsonlines.write(corpus).decode().splitlines()]


def test_words_are_written_as_systems_read_them() -> None:
    corpus = read({**WORDS, "clusters": [[[3, 3], [0, 1]], [[2, 2]]]})
    assert jsonlines.write(corpus).decode() == (
        '{"doc_key": "d", "sentences": [["Kim", "Lee", "saw"], ["herself"]], '
        '"clusters": [[[0, 1], [3, 3]], [[2, 2]]]}\n'
    )


def test_characters_are_written_with_ends_excluded() -> None:
    corpus = read({"text": "é 😀", "clusters": [[[0, 1], [2, 3]]]})
    assert jsonlines.write(corpus).decode() == '{"doc_key": "stem", "text": "é 😀", "clusters": [[[0, 1], [2, 3]]]}\n'


def test_words_that_are_not_known_are_not_written() -> None:
    spans = Spans(np.array([3]), np.array([5]))
    corpus = Corpus(("d",), np.array([0]), ["x"], np.array([0]), spans)
    assert written(corpus) == [{"doc_key": "d", "clusters": [[[3, 5]]], "entity_names": ["x"]}]
    assert read(jsonlines.write(corpus)).entities() == corpus.entities()


def everything(chance: random.Random, *, characters: bool) -> Corpus:
    """A corpus with all that the format can carry."""
    documents = [f"d{n}" for n in range(chance.randint(1, 3))]
    words = [[[chance.choice(["a", "é", "##b", "漢", '"', ""]) for _ in range(chance.randint(1, 4))]
              for _ in range(chance.randint(1, 3))] for _ in documents]  # fmt: skip
    length = [sum(map(len, each)) for each in words]
    entity_document = np.sort(np.array([chance.randrange(len(documents)) for _ in range(4)]))
    entity = np.array([chance.choice([0, 1, 2, 3]) for _ in range(8)] + [0, 1, 2, 3])
    limit = np.array(length)[entity_document[entity]]
    start, end = np.sort(np.array([[chance.randrange(int(n)) for n in limit] for _ in range(2)]), axis=0)
    some = np.array([chance.random() < 0.5 for _ in entity])
    numbers = [n for each in words for n, sentence in enumerate(each) for _ in sentence]
    return Corpus(
        tuple(documents),
        entity_document,
        [f"e{n}" for n in range(4)],
        entity,
        Spans(start, end),
        None if characters else Tokens.from_words([list(chain(*each)) for each in words], numbers=np.array(numbers)),
        texts=tuple("x" * n for n in length) if characters else None,
        heads=Spans(np.where(some, start, -1), np.where(some, start, -1)) if some.any() else None,
        minimums=Spans(np.where(some, end, -1), np.where(some, end, -1)) if some.any() else None,
        attributes={"level": [chance.choice(["", "NAM", "PRO"]) for _ in entity]},
        entity_attributes={"type": [chance.choice(["PER", "x y"]) for _ in range(4)]},
    )


def seen(corpus: Corpus) -> Any:
    return [
        (document.name, document.sentences, document.text, [
            (entity.name, entity.attributes, sorted(
                (mention.runs, str(mention.head), str(mention.minimum), str(mention.attributes)) for mention in entity
            )) for entity in document
        ]) for document in corpus
    ]  # fmt: skip


@given(st.randoms(use_true_random=False), st.booleans())
def test_what_is_written_is_read_again(chance: random.Random, characters: bool) -> None:
    corpus = everything(chance, characters=characters)
    again = read(jsonlines.write(corpus))
    assert seen(again) == seen(corpus)
    assert again.unit == corpus.unit
    assert jsonlines.write(again) == jsonlines.write(corpus)


def test_nothing_is_lost_on_the_way() -> None:
    corpus = everything(random.Random(1), characters=False)
    part, left = fit_corpus(corpus, jsonlines.CAPACITY, "jsonlines")
    assert left == ()
    assert seen(part) == seen(corpus)


@pytest.mark.slow
def test_public_documents_survive_a_round_trip(tmp_path: Any) -> None:
    corpus = corefeval.read(public_data("litbank") / "key.conll.gz")
    path = tmp_path / "key.jsonlines.gz"
    assert corefeval.write(corpus, path) == ()
    again = corefeval.read(path)
    assert again.format == "jsonlines"
    assert again.documents == corpus.documents
    assert [document.sentences for document in again] == [document.sentences for document in corpus]
    assert seen(again) == seen(corpus)


VALID = b"\n".join(
    json.dumps(line).encode()
    for line in (
        {**PIECES, "predicted_clusters": [[[1, 5], [13, 13]], [[7, 9]]], "entity_names": ["a", "b"]},
        {**WORDS, "predicted_clusters": [[[0, 1], [3, 3]], []], "mention_heads": [[[0, 0], None], []]},
        {
            "document_id": "w",
            "cased_words": ["a", "b"],
            "sent_id": [0, 1],
            "head": [1, None],
            "predicted_clusters": [[[0, 2]]],
        },
    )
)


@given(st.data())
def test_damaged_files_are_read_or_refused(data: st.DataObject) -> None:
    """Bytes and lines deleted, put in and replaced: a corpus or a list of faults, nothing else."""
    damaged = bytearray(VALID)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged)))
        until = place + data.draw(st.sampled_from([0, 0, 1, 1, 2, 9, 200]))
        damaged[place:until] = data.draw(
            st.sampled_from([b"", b"0", b"-1", b"9", b"[", b"]", b"{}", b",", b'"', b"null", b"1.5", b"\n", b"\xff", b"\\ud800", b"true", b"[]"])
        )  # fmt: skip
    try:
        corpus = read(bytes(damaged))
    except InputError:
        return
    for document in corpus:
        assert len(document.mentions) == sum(map(len, document.entities))
        assert all(mention.text is not None for mention in document.mentions) or corpus.tokens is None
    jsonlines.write(corpus)
