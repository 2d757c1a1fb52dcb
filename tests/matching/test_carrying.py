"""Key and response in different words, units, formats and names."""

from __future__ import annotations

import gzip
import itertools
import json
import unicodedata
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.corpus import units
from corefeval.formats.draft import Draft
from tests.data import public_data, read_once
from tests.formats.small_files import brat, conll, mention_counts, notice_kinds

if TYPE_CHECKING:
    from pathlib import Path


Mentions = list[tuple[str, tuple[int, int]]]


def corpus(mentions: Mentions, *, words: list[str] | None = None, text: str | None = None, name: str = "d") -> Corpus:
    draft = Draft("made up")
    document = draft.add_document(name, words=words, text=text)
    for entity, span in mentions:
        document.add_mention(entity, span)
    return draft.build_corpus().replace(format="characters" if words is None else "words")


WORDS = ["Kim", "ca", "n't", "see", "the", "U.S.", "she", "said"]
TEXT = "Kim can't see the U.S. she said"


def test_characters_are_carried_over_to_words() -> None:
    key = corpus([("1", (0, 0)), ("1", (6, 6)), ("2", (4, 5))], words=WORDS)
    response = corpus([("a", (0, 2)), ("a", (23, 25)), ("b", (14, 21))], text=TEXT)
    evaluation = corefeval.score(key, response)
    assert evaluation["conll"].f1 == 1.0
    assert not evaluation.notices


def test_blanks_at_the_ends_of_a_mention_do_not_count() -> None:
    key = corpus([("1", (0, 0)), ("1", (6, 6))], words=WORDS)
    response = corpus([("a", (0, 3)), ("a", (22, 26))], text=TEXT)
    assert corefeval.score(key, response)["conll"].f1 == 1.0


def test_words_are_carried_over_to_characters() -> None:
    key = corpus([("a", (0, 2)), ("a", (23, 25)), ("b", (14, 21))], text=TEXT)
    response = corpus([("1", (0, 0)), ("1", (6, 6)), ("2", (4, 5))], words=WORDS)
    assert corefeval.score(key, response)["conll"].f1 == 1.0


def test_a_mention_within_a_word_of_the_key_is_named_and_counts() -> None:
    key = corpus([("1", (0, 0)), ("1", (6, 6))], words=WORDS)
    response = corpus([("a", (0, 2)), ("a", (23, 25)), ("a", (18, 20)), ("b", (18, 20))], text=TEXT)
    evaluation = corefeval.score(key, response)
    kinds = [warning.kind for warning in evaluation.notices]
    assert kinds.count("not-carried-over") == 2
    assert any('"U.S"' in warning.message for warning in evaluation.notices)
    assert "repeated-mention" in kinds
    assert (evaluation["mentions"].recall, evaluation["mentions"].precision) == (1.0, 2 / 3)


def test_other_words_of_the_same_text() -> None:
    key = corpus([("1", (0, 0)), ("1", (6, 6)), ("2", (4, 5))], words=WORDS)
    response = corpus([("1", (0, 0)), ("1", (5, 5)), ("2", (3, 4))], words=["Kim", "can't", *WORDS[3:]])
    evaluation = corefeval.score(key, response)
    assert evaluation["conll"].f1 == 1.0
    assert [warning.kind for warning in evaluation.notices] == ["different-length"]


@pytest.mark.parametrize(("words", "shared"), [("auto", {(2, 2)}), ("position", {(2, 2)}), ("letters", {(0, 0)})])
def test_as_many_words_divided_differently_stay_in_their_positions_unless_asked(
    words: str, shared: set[tuple[int, int]]
) -> None:
    key = corpus([("1", (0, 0)), ("1", (2, 2))], words=["ab", "c", "d"])
    response = corpus([("1", (0, 1)), ("1", (2, 2))], words=["a", "b", "cd"])
    evaluation = corefeval.score(key, response, words=words)
    rows = evaluation.mentions
    assert rows is not None
    assert set(rows.key.mentions.take(rows.twin_key).objects()) == shared
    assert f"words:{words}" in evaluation.signature or words == "auto"


def test_words_that_differ_in_case_stay_in_their_positions(tmp_path: Path) -> None:
    """The reference scorer never looks at words; MUC was 0 here, as "it" was taken for the wrong one of two."""
    (tmp_path / "k.conll").write_text(conll("d", "IT (1)", "it -", "Tech (1)"))
    (tmp_path / "r.conll").write_text(conll("d", "it (1)", "it -", "tech (1)"))
    for words in ("auto", "position", "letters"):
        evaluation = corefeval.score(tmp_path / "k.conll", tmp_path / "r.conll", words=words)
        assert evaluation["muc"].f1 == 1
        (notice,) = evaluation.notices
        assert (notice.kind, notice.details["count"]) == ("different-words", 2)
        assert "2 words differ from the key, first 'it' for 'IT'" in notice.message
        assert ("positions" in notice.message) == (words != "letters")


@pytest.mark.parametrize("words", ["auto", "letters"])
def test_a_response_in_lower_case_scores_as_it_does_in_the_case_of_the_key(words: str, tmp_path: Path) -> None:
    folder = public_data("litbank")
    key, response = folder / "key.conll.gz", folder / "response-20.conll.gz"
    lines = gzip.decompress(response.read_bytes()).decode().splitlines()
    lowered = [line if line.startswith("#") else _lower_word(line) for line in lines]
    assert lowered != lines
    (tmp_path / "r.conll").write_text("\n".join([*lowered, ""]))
    plain, changed = (corefeval.score(key, file, words=words) for file in (response, tmp_path / "r.conll"))
    assert dict(changed) == dict(plain)
    assert "different-words" in notice_kinds(changed)


def _lower_word(line: str) -> str:
    cells = line.split("\t")
    return "\t".join([*cells[:3], *(cell.lower() for cell in cells[3:4]), *cells[4:]])


@pytest.mark.parametrize("key_in_characters", [False, True])
def test_characters_of_a_text_in_lower_case_score_as_those_of_the_text_itself(key_in_characters: bool) -> None:
    folder = public_data("litbank")
    key, response = read_once(folder / "key.conll.gz"), read_once(folder / "response-20.conll.gz")
    names = key.documents[:20]
    key, response = key.select_documents(names), units.convert_to_characters(response.select_documents(names))[0]
    assert response.texts is not None
    if key_in_characters:
        key = units.convert_to_characters(key)[0]
    plain = corefeval.score(key, response)
    for change in (str.lower, str.upper, partial(unicodedata.normalize, "NFKD")):
        if [len(change(text)) for text in response.texts] != [len(text) for text in response.texts]:
            continue  # the mentions would have to be counted anew
        other = response.replace(texts=tuple(change(text) for text in response.texts))
        changed = corefeval.score(key, other)
        assert dict(changed) == dict(plain)
        assert "not-carried-over" not in notice_kinds(changed)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Stra\u00dfe", "STRASSE"),
        ("\u0130zmir", "i\u0307zmir"),
        ("na\u00efve", "nai\u0308ve"),
        ("\ufb01n", "FIN"),
        ("2\u00bd", "21\u20442"),
        ("\ud55c\uad6d", unicodedata.normalize("NFD", "\ud55c\uad6d")),
        ("\uff21\uff22", "ab"),
        ("\u201cso\u201d", '"So"'),
        ("\u00abso\u00bb", '"So"'),
        ("it\u2019s", "It's"),
        ("well\u2013known\u2014so", "Well-known-so"),
        ("wait\u2026", "Wait..."),
    ],
)
def test_letters_are_the_same_in_every_case_and_unicode_form(ours: str, theirs: str) -> None:
    """Some forms have more letters than others: what follows them must not move."""
    for one, other in ((ours, theirs), (theirs, ours)):
        key = corpus([("1", (0, 0)), ("1", (1, 1)), ("2", (2, 2))], words=["Kim", one, "she"])
        end = 4 + len(other)
        spans = [("1", (0, 2)), ("1", (4, end - 1)), ("2", (end + 1, end + 3))]
        evaluation = corefeval.score(key, corpus(spans, text=f"KIM {other} She"))
        assert (mention_counts(evaluation), notice_kinds(evaluation)) == ((3, 3, 3), set())


def test_positions_are_kept_on_request_where_a_document_has_more_words() -> None:
    key = corpus([("1", (0, 0)), ("1", (6, 6)), ("2", (4, 5))], words=WORDS)
    response = corpus([("1", (0, 0)), ("1", (5, 5)), ("2", (4, 5))], words=["Kim", "can't", *WORDS[3:]])
    evaluation = corefeval.score(key, response, words="position")
    assert mention_counts(evaluation) == (2, 3, 3)
    (notice,) = evaluation.notices
    assert notice.kind == "different-length"
    assert "stay in their positions" in notice.message


def test_positions_of_characters_are_kept_on_request() -> None:
    key = corpus([("1", (0, 2)), ("1", (8, 10))], text="Kim saw her")
    response = corpus([("1", (0, 2)), ("1", (8, 10))], text="Kim saw  her")
    assert mention_counts(corefeval.score(key, response)) == (1, 2, 2)
    evaluation = corefeval.score(key, response, words="position")
    assert (mention_counts(evaluation), notice_kinds(evaluation)) == ((2, 2, 2), {"different-text"})
    with pytest.raises(InputError, match="mentions count words, those of made up characters; expected one unit"):
        corefeval.score(key, corpus([("1", (0, 0))], words=["Kim", "saw", "her"]), words="position")


def test_zeros_are_the_same_also_beside_a_document_with_other_words() -> None:
    """A zero that only one side has moves no word of its document, whatever another document needs."""

    def side(first: list[str], span: tuple[int, int], words: list[str], empty: list[bool], last: int) -> Corpus:
        draft = Draft("made up")
        draft.add_document("a", words=first).add_mention("1", span)
        document = draft.add_document("b", words=words, empty=empty)
        document.add_mention("2", (0, 0))
        document.add_mention("2", (last, last))
        return draft.build_corpus()

    key = side(["can", "not"], (0, 1), ["x", "_", "y"], [False, True, False], 2)
    response = side(["cannot"], (0, 0), ["X", "y"], [False, False], 1)
    assert mention_counts(corefeval.score(key, response)) == (3, 3, 3)


def test_as_many_other_words_stay_in_their_place() -> None:
    key = corpus([("1", (0, 0)), ("1", (2, 2))], words=["a", "b", "c"])
    response = corpus([("1", (0, 0)), ("1", (2, 2))], words=["a", "x", "yz"])
    evaluation = corefeval.score(key, response)
    assert evaluation["conll"].f1 == 1.0
    assert [warning.kind for warning in evaluation.notices] == ["different-words"]


def test_brackets_and_quotes_of_the_penn_treebank() -> None:
    key = corpus([("1", (1, 1)), ("1", (4, 4))], words=["``", "Kim", "-LRB-", "''", "she", "-RRB-"])
    response = corpus([("1", (1, 3)), ("1", (7, 9))], text="“Kim (”she )")
    assert corefeval.score(key, response)["conll"].f1 == 1.0


def test_zeros_are_the_same_by_their_order_between_the_same_words() -> None:
    def side(words: list[str], empty: list[bool], spans: list[tuple[int, int]]) -> Corpus:
        draft = Draft("made up")
        document = draft.add_document("d", words=words, empty=empty)
        for span in spans:
            document.add_mention("1", span)
        return draft.build_corpus()

    key = side(["a", "_", "_", "b"], [False, True, True, False], [(1, 1), (2, 2), (3, 3)])
    response = side(["a", "_", "_", "_", "b"], [False, True, True, True, False], [(1, 1), (2, 2), (3, 3), (4, 4)])
    mentions = corefeval.score(key, response)["mentions"]
    assert (mentions.recall, mentions.precision) == (1.0, 3 / 4)


@st.composite
def divided(draw: st.DrawFn) -> tuple[list[str], list[str], str]:
    """A text in two divisions into words, and with blanks."""
    text = draw(st.text(st.sampled_from("abcé."), min_size=1, max_size=30))
    sides = []
    for _ in range(2):
        cuts = sorted({0, len(text), *draw(st.lists(st.integers(0, len(text)), max_size=10))})
        sides.append([text[a:b] for a, b in itertools.pairwise(cuts)])
    return sides[0], sides[1], " ".join(sides[1])


def letters_of(words: list[str], span: tuple[int, int]) -> tuple[int, int]:
    ends = np.cumsum([0, *map(len, words)])
    return int(ends[span[0]]), int(ends[span[1] + 1])


@given(divided(), st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), min_size=1, max_size=8), st.booleans())
@example((["a", "aa"], ["aa", "a"], "aa a"), [(0, 0)], False)
def test_mentions_are_the_same_if_their_letters_are(
    texts: tuple[list[str], list[str], str], numbers: list[tuple[int, int]], blanks: bool
) -> None:
    ours, theirs, spaced = texts

    def spans(words: list[str]) -> list[tuple[int, int]]:
        found = [(min(a, b) % len(words), max(a, b) % len(words)) for a, b in numbers]
        return list(dict.fromkeys((min(pair), max(pair)) for pair in found))

    key_spans, response_spans = spans(ours), spans(theirs)
    key = corpus([("1", span) for span in key_spans], words=ours)
    if blanks:
        starts = np.cumsum([0, *(len(word) + 1 for word in theirs)])
        placed = [(int(starts[a]), int(starts[b + 1]) - 2) for a, b in response_spans]
        response = corpus([("1", span) for span in placed], text=spaced)
    else:
        response = corpus([("1", span) for span in response_spans], words=theirs)
    same = {letters_of(ours, span) for span in key_spans} & {letters_of(theirs, span) for span in response_spans}
    if not blanks and len(ours) == len(theirs):  # as many words stay in their positions
        same = set(key_spans) & set(response_spans)
    mentions = corefeval.score(key, response)["mentions"]
    assert mentions.recall_numerator == len(same)
    assert mentions.recall_denominator == len(key_spans)
    assert mentions.precision_denominator == len(response_spans)


def test_documents_are_paired_by_the_spellings_of_their_names() -> None:
    entities = [[(0, 0), (1, 1)]]
    key = Corpus.from_entities({"(a/b); part 000": entities, "(a/b); part 001": [[(5, 5)]], "(c); part 000": entities})
    response = Corpus.from_entities({"c": entities, "a/b_1": [[(5, 5)]], "a/b_0": entities})
    evaluation = corefeval.score(key, response)
    assert evaluation["conll"].f1 == pytest.approx(1.0)
    assert evaluation.notices == ()


def test_one_document_in_each_of_two_formats_is_the_same_and_that_is_said() -> None:
    key = corpus([("1", (0, 0)), ("1", (2, 2))], words=["a", "b", "c"], name="one")
    other = corpus([("1", (0, 0)), ("1", (4, 4))], text="a b c", name="two")
    evaluation = corefeval.score(key, other)
    assert evaluation["conll"].f1 == 1.0
    assert [warning.kind for warning in evaluation.notices] == ["other-name"]
    same_format = other.replace(format=key.format)
    assert dict(corefeval.score(key, same_format)) == dict(evaluation)


def test_files_of_two_directories_are_paired_by_name(tmp_path: Path) -> None:
    cells = "#begin document {0}\n{0}\t0\t0\tKim\t(1)\n{0}\t0\t1\tsaw\t-\n{0}\t0\t2\ther\t(1)\n#end document\n"
    for side, suffix, names in (("key", "conll", "ab"), ("response", "v4_auto_conll", "xy")):
        (tmp_path / side).mkdir()
        for file, name in zip("ab", names, strict=True):
            (tmp_path / side / f"{file}.{suffix}").write_text(cells.format(name))
    evaluation = corefeval.score(tmp_path / "key", tmp_path / "response")
    assert evaluation["conll"].f1 == 1.0
    assert [warning.kind for warning in evaluation.notices] == ["other-name", "other-name"]


def test_labels_beside_characters_are_told() -> None:
    """[0, 1] may be words; beside a text they are taken for characters, which would be silent and wrong."""
    draft = Draft("text")
    document = draft.add_document("", text="Ann saw herself.")
    for span in ((0, 2), (8, 14)):
        document.add_mention("A", span)
    text = draft.build_corpus()
    kinds = [
        [notice.kind for notice in corefeval.score(*sides).notices]
        for sides in ((text, [[(0, 2), (2, 2)]]), ([[(0, 2), (2, 2)]], text), (text, []), (text, text))
    ]
    assert kinds == [["labels-beside-characters"], ["labels-beside-characters"], [], []]


def test_two_files_whose_documents_are_named_after_them_are_compared(tmp_path: Path) -> None:
    draft = Draft("text")
    document = draft.add_document("d", text="Ann saw herself.")
    for span in ((0, 2), (8, 14)):
        document.add_mention("A", span)
    for name in ("gold", "system"):
        corefeval.write(draft.build_corpus().rename_documents({"d": name}), tmp_path / f"{name}.ann", format="brat")
    made = corefeval.score(tmp_path / "gold.ann", tmp_path / "system.ann")
    assert made["muc"].f1 == 1
    assert [notice.kind for notice in made.notices] == ["other-name"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        corefeval.write(draft.build_corpus(), tmp_path / name / "d.ann", format="brat")
    for suffix in ("ann", "txt"):
        (tmp_path / f"gold.{suffix}").rename(tmp_path / "one" / f"gold.{suffix}")
        (tmp_path / f"system.{suffix}").rename(tmp_path / "two" / f"system.{suffix}")
    apart = corefeval.score(tmp_path / "one", tmp_path / "two")
    assert {"missing-document", "extra-document"} <= {notice.kind for notice in apart.notices}


def test_a_directory_of_characters_and_words_is_counted_in_words(tmp_path: Path) -> None:
    key, response = tmp_path / "key", tmp_path / "response"
    brat(key, "b", "Kim saw her", (0, 3), (8, 11))
    response.mkdir()
    line = {"doc_key": "b", "sentences": [["Kim", "saw", "her"]], "clusters": [[[0, 0], [2, 2]]]}
    (response / "b.jsonlines").write_text(json.dumps(line) + "\n")
    for side in (key, response):
        (side / "d.conll").write_text(conll("d", "John (1)", "saw -", "he (1)"))
    assert mention_counts(corefeval.score(key, response)) == (4, 4, 4)
    left = corefeval.write(corefeval.read(key), tmp_path / "all.conll")
    assert not left
    assert "Kim" in (tmp_path / "all.conll").read_text()


def test_characters_are_not_taken_for_words(tmp_path: Path) -> None:
    key = brat(tmp_path, "k", "A b c", (0, 1), (2, 3))
    (tmp_path / "t.csv").write_text("document,start,end,entity\nk,0,0,1\nk,2,2,1\n")
    with pytest.raises(InputError, match="count words, which it does not have"):
        corefeval.score(key, tmp_path / "t.csv")
    bare = brat(tmp_path / "bare", "k", None, (0, 1), (2, 3))
    (tmp_path / "k.conll").write_text(conll("k", "Kim (1)", "saw -", "her (1)"))
    with pytest.raises(InputError, match="its text is missing"):
        corefeval.score(tmp_path / "k.conll", bare)
    assert mention_counts(corefeval.score(bare, bare)) == (2, 2, 2)


def test_another_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "j.conll").write_text(conll("j", "he (1)", "left -", "he (2)", "left -", "she (2)"))
    response = brat(tmp_path, "j", "he left she", (0, 2), (8, 11))
    assert notice_kinds(corefeval.score(tmp_path / "j.conll", response)) == {"different-text"}


@pytest.mark.parametrize("turned", [False, True])
def test_blanks_at_the_ends_do_not_count_on_either_side(turned: bool, tmp_path: Path) -> None:
    one = brat(tmp_path, "k", "Kim saw her", (0, 4), (8, 11))
    other = tmp_path / "k.conll"
    other.write_text(conll("k", "Kim (1)", "saw -", "her (1)"))
    assert mention_counts(corefeval.score(*((other, one) if turned else (one, other)))) == (2, 2, 2)


def test_a_zero_is_not_a_blank(tmp_path: Path) -> None:
    key = brat(tmp_path, "d", "Kim came home", (0, 3), (9, 13), (8, 9))
    response = tmp_path / "d.conllu"
    response.write_text(
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "1\tKim\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e1--1)\n2\tcame\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "2.1\t_\t_\t_\t_\t_\t_\t_\t2:obl\tEntity=(e1--1)\n3\thome\t_\t_\t_\t_\t2\tobl\t_\t_\n\n"
    )
    assert mention_counts(corefeval.score(key, response)) == (1, 3, 2)


def test_as_many_words_are_carried_over_by_letters_on_request(tmp_path: Path) -> None:
    """Divided differently, and one of them spelt differently."""
    tail = ["see (1)", "him (2)", "and (3)", "he (2)"]
    (tmp_path / "k.conll").write_text(conll("k", "I -", "cannot -", *tail, "gon -", "na -", "colour -"))
    (tmp_path / "r.conll").write_text(conll("k", "I -", "can -", "not -", *tail, "gonna -", "color -"))
    evaluation = corefeval.score(tmp_path / "k.conll", tmp_path / "r.conll", words="letters")
    assert mention_counts(evaluation) == (4, 4, 4)
    assert mention_counts(corefeval.score(tmp_path / "k.conll", tmp_path / "r.conll")) == (3, 4, 4)  # words 3 to 5


def test_files_are_the_same_by_all_of_their_name_but_the_suffix(tmp_path: Path) -> None:
    for side, name, document in (("n1", "wsj.0001.conll", "alpha"), ("n2", "wsj.0002.conll", "beta")):
        (tmp_path / side).mkdir()
        (tmp_path / side / name).write_text(conll(document, "Kim (1)", "she (1)"))
        (tmp_path / side / "wsj.0003.conll").write_text(conll("both", "Kim (1)", "she (1)"))
    evaluation = corefeval.score(tmp_path / "n1", tmp_path / "n2")
    assert notice_kinds(evaluation) == {"missing-document", "extra-document"}


def test_quotes_of_two_characters(tmp_path: Path) -> None:
    (tmp_path / "h.conll").write_text(conll("h", "`` (1", "He 1)", "-LRB- -", "it (1)", "-RRB- -", "'' -"))
    response = brat(tmp_path, "h", "``He (it)''", (0, 4), (6, 8))
    evaluation = corefeval.score(tmp_path / "h.conll", response)
    assert (mention_counts(evaluation), notice_kinds(evaluation)) == ((2, 2, 2), set())


@pytest.mark.parametrize("place", [0, 63, 64, 65, 199])
def test_words_that_differ_far_behind_their_beginning_differ(place: int) -> None:
    word = "w" * 200
    other = f"{word[:place]}v{word[place + 1 :]}"
    key = corpus([("1", (0, 0)), ("1", (2, 2))], words=[word, word, "b"])
    same, different = (corpus([("1", (0, 0)), ("1", (2, 2))], words=[word, each, "b"]) for each in (word, other))
    assert not corefeval.score(key, same).notices
    assert "different-words" in {notice.kind for notice in corefeval.score(key, different).notices}


@pytest.mark.parametrize(
    ("bracket", "written"), [("(", "-LRB-"), (")", "-rrb-"), ("[", "-LSB-"), ("}", "-RCB-"), ('"', "''")]
)
def test_brackets_that_are_written_out_in_a_running_text_are_those_of_the_words(bracket: str, written: str) -> None:
    """In "Kim WRITTEN she", the letters of the bracket are one mention, and what follows keeps its place."""
    text = f"Kim {written} she"
    end = 4 + len(written)
    response = corpus([("a", (0, 2)), ("a", (4, end - 1)), ("a", (end + 1, end + 3))], text=text)
    for words in (["Kim", bracket, "she"], ["Kim", written, "she"]):
        key = corpus([("1", (0, 0)), ("1", (1, 1)), ("1", (2, 2))], words=words)
        for evaluation in (corefeval.score(key, response), corefeval.score(response, key)):
            assert evaluation["mentions"].f1 == 1.0
            assert not evaluation.notices
    if len(written) > 2:
        divided = corpus([("1", (0, 0)), ("1", (2, 2))], words=["Kim", written[:2], written[2:], "she"])
        half = corpus([("a", (0, 2)), ("a", (6, end - 1))], text=text)
        assert corefeval.score(divided, half)["mentions"].f1 == 1.0
