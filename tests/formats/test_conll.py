"""Reading and writing CoNLL columns."""

from __future__ import annotations

import gzip
import random
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError, MissingFileError
from corefeval.corpus.mentions import Spans
from corefeval.corpus.tokens import Tokens
from corefeval.formats import conll, registry
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from tests.formats.content import entity_texts, sort_entities
from tests.formats.small_files import columns

if TYPE_CHECKING:
    from pathlib import Path


def document(*cells: str, name: str = "d", separator: str = "\t") -> str:
    lines = [separator.join([name, "0", str(i), f"w{i}", cell]) for i, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "#end document", ""])


def entities(text: str | bytes, tmp_path: Path) -> list[Any]:
    path = tmp_path / "file.conll"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (found,) = corefeval.read(path).entities().values()
    return sort_entities(found)


def faults(text: str | bytes, tmp_path: Path) -> list[str]:
    path = tmp_path / "file.conll"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        corefeval.read(path)
    return [str(fault).removeprefix(f"{path}:") for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(1)", "-", "(1)"], [[(0, 0), (2, 2)]]),
        (["(1", "1)", "_"], [[(0, 1)]]),
        (["(1|(2)", "*", "1)"], [[(0, 0)], [(0, 2)]]),
        (["(1(2)", "-", "1)"], [[(0, 0)], [(0, 2)]]),
        (["(1(2", "2)1)"], [[(0, 1)], [(0, 1)]]),
        (["(1(1", "1)", "1)"], [[(0, 1), (0, 2)]]),
        (["(1)|(1)"], [[(0, 0), (0, 0)]]),
        (["(e1", "(x-1)", "e1)"], [[(0, 2)], [(1, 1)]]),
        (["(01)", "(1)"], [[(0, 0)], [(1, 1)]]),
        (["(1", "(2", "1)", "2)"], [[(0, 2)], [(1, 3)]]),
        (["(1", "1)(1", "1)"], [[(0, 2), (1, 1)]]),
        (["-", "-"], []),
    ],
    ids=str,
)
def test_cells_are_read_as_the_reference_scorer_reads_them(
    cells: list[str], expected: list[list[tuple[int, int]]], tmp_path: Path
) -> None:
    assert entities(document(*cells), tmp_path) == expected


LAYOUTS = {
    "tabs": document("(1", "1)", "(1)"),
    "blanks": document("(1", "1)", "(1)", separator=" "),
    "aligned blanks": document("(1", "1)", "(1)", separator="    "),
    "crlf": document("(1", "1)", "(1)").replace("\n", "\r\n"),
    "old mac": document("(1", "1)", "(1)").replace("\n", "\r"),
    "byte-order mark": "\ufeff" + document("(1", "1)", "(1)"),
    "no newline at the end": document("(1", "1)", "(1)").rstrip("\n"),
    "blank lines between sentences": document("(1", "1)", "(1)").replace("\nd\t0\t2", "\n\n \t\nd\t0\t2"),
    "mention across sentences": document("(1", "1)", "(1)").replace("\nd\t0\t1", "\n\nd\t0\t0"),
    "two columns": "#begin document d\nHe\t(1\nhimself\t1)\nleft\t(1)\n#end document\n",
    "four columns": "#begin document d\nd 0 He (1\nd 1 himself 1)\nd 2 left (1)\n#end document\n",
    "SemEval": "#begin document d\n1\tHe\the\tPRP\t(1\n2\thimself\the\tPRP\t1)\n3\tleft\tleave\tVBD\t(1)\n#end document d\n",
    "a tab too much": document("(1", "1)", "(1)").replace("(1)\n", "(1)\t\n"),
    "a blank in the cell": document("(1", "1)", "(1) "),
    "header with part": document("(1", "1)", "(1)", name="(d); part 003"),
    "blank after the hash": document("(1", "1)", "(1)").replace("#begin", "# begin").replace("#end", "# end"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read(layout: str, tmp_path: Path) -> None:
    assert entities(LAYOUTS[layout], tmp_path) == [[(0, 1), (2, 2)]]


def test_empty_last_cell_means_no_mention(tmp_path: Path) -> None:
    text = "#begin document d\nd\t0\t0\tShe\t_\t(7)\nd\t0\t1\t(sic)\t_\t\nd\t0\t2\t(2)\t\t\nd\t0\t3\tit\t_\t(7)\n#end document\n"
    assert entities(text, tmp_path) == [[(0, 0), (3, 3)]]


def test_words_with_brackets_are_not_mentions(tmp_path: Path) -> None:
    assert entities("#begin document d\nd 0 0 (7) NN -\nd 0 1 x NN (1)\n#end document\n", tmp_path) == [[(1, 1)]]


def test_words_are_known_and_mentions_can_be_described(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(document("(1", "1)", "-"))
    corpus = corefeval.read(path)
    assert corpus.tokens is not None
    assert corpus.tokens.words(0) == ["w0", "w1", "w2"]
    assert corpus.describe(0) == '"w0 w1"'
    assert corpus.line(0) == 2


def test_mention_of_several_entities_is_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(document("(1)", "(2)", "(1+2)"))
    corpus = corefeval.read(path)
    assert corpus.entities() == {"d": [[(0, 0)], [(1, 1)]]}
    assert [(notice.kind, notice.line) for notice in corpus.notices] == [("split-antecedent", 4)]


def test_comments_are_skipped_and_named(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(document("(1)", "(1)").replace("\nd\t0\t1", "\n# sent_id = 2\nd\t0\t1"))
    corpus = corefeval.read(path)
    assert corpus.entities() == {"d": [[(0, 0), (1, 1)]]}
    assert [notice.kind for notice in corpus.notices] == ["skipped-line"]


def test_missing_end_of_document_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(document("(1)").removesuffix("#end document\n") + document("(1)", name="e"))
    corpus = corefeval.read(path)
    assert corpus.documents == ("d", "e")
    assert [(notice.kind, notice.details["document"]) for notice in corpus.notices] == [("unfinished-document", "d")]


FAULTY: dict[str, tuple[str | bytes, list[str]]] = {
    "never closed": (document("(1", "-"), ["2: (1 opens a mention that is never closed; expected 1) in the same document"]),
    "never opened": (document("-", "1)"), ["3: 1) closes a mention that was not opened; expected (1 before it"]),
    "closed too often": (document("(1", "1)", "1)"), ["4: 1) closes a mention that was not opened; expected (1 before it"]),
    "closed in another document": (
        document("(1") + document("1)", name="e"),
        [
            "2: (1 opens a mention that is never closed; expected 1) in the same document",
            "5: 1) closes a mention that was not opened; expected (1 before it",
        ],
    ),
    "not a cell": (
        document("(1)", "((2)", "3", "()"),
        [
            f"{line}: {cell!r} is not a coreference cell; expected a coreference column such as (1), (1, 1), (1|(2) or -"
            for line, cell in ((3, "((2)"), (4, "3"), (5, "()"))
        ],
    ),
    "words outside": (
        "a b\n" + document("-"),
        ["1: 1 line outside a document, first 'a b'; expected a line '#begin document NAME' before words"],
    ),
    "end without begin": ("#end document\n" + document("-"), ["1: #end document without a #begin document before it"]),
    "same name twice": (
        document("-") + document("-"),
        ["4: document 'd' already begins at line 1; expected every document once; tell parts apart by "
         "'part 000' in the name"],
    ),
    "empty": ("", ["1: no document; expected a line '#begin document NAME'"]),
    "UTF-16": (document("-").encode("utf-16"), ["1: UTF-16 text; expected UTF-8; convert it: iconv -f UTF-16 -t UTF-8"]),
    "binary": (b"\x7fELF\n\0\1\2", ["2: a NUL byte: this is not a text file; expected UTF-8 text"]),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTY)
def test_faults_are_named_with_their_line(fault: str, tmp_path: Path) -> None:
    text, expected = FAULTY[fault]
    assert faults(text, tmp_path) == expected


def test_all_faults_of_a_file_are_reported_and_fifty_of_them_shown(tmp_path: Path) -> None:
    found = faults(document(*["x"] * 70), tmp_path)
    assert len(found) == 70
    path = tmp_path / "file.conll"
    with pytest.raises(InputError, match="and 20 more faults") as caught:
        corefeval.read(path)
    assert len(str(caught.value).splitlines()) == 51


def test_unbalanced_brackets_among_balanced_ones_are_found() -> None:
    """Compare with a stack per entity, on random brackets."""
    import numpy as np  # noqa: PLC0415

    from corefeval.formats.shared.brackets import pair_brackets  # noqa: PLC0415

    rng = random.Random(0)
    for _ in range(2000):
        events = [(rng.randrange(3), rng.random() < 0.5) for _ in range(rng.randrange(12))]
        stacks: dict[int, list[int]] = {0: [], 1: [], 2: []}
        pairs, unopened = set(), set()
        for place, (entity, opens) in enumerate(events):
            if opens:
                stacks[entity].append(place)
            elif stacks[entity]:
                pairs.add((stacks[entity].pop(), place))
            else:
                unopened.add(place)
        found = pair_brackets(
            np.array([entity for entity, _ in events], dtype=np.int64),
            np.array([opens for _, opens in events], dtype=bool),
            np.arange(len(events)),
        )
        assert set(zip(found.opening.tolist(), found.closing.tolist(), strict=True)) == pairs
        assert set(found.unopened.tolist()) == unopened
        assert set(found.unclosed.tolist()) == {place for stack in stacks.values() for place in stack}


def test_gzip_and_directories(tmp_path: Path) -> None:
    (tmp_path / "a.conll.gz").write_bytes(gzip.compress(document("(1)", name="a").encode()))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.conll").write_text(document("(1)", "-", "(1)", name="b"))
    (tmp_path / ".hidden").write_text("not a corpus")
    corpus = corefeval.read(tmp_path)
    assert corpus.entities() == {"a": [[(0, 0)]], "b": [[(0, 0), (2, 2)]]}
    assert corpus.tokens is not None
    assert corpus.tokens.words(1) == ["w0", "w1", "w2"]


def test_the_same_document_in_two_files_of_a_directory_is_refused(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).write_text(document("(1)"))
    with pytest.raises(InputError, match="document 'd' is also in"):
        corefeval.read(tmp_path)


def test_damaged_gzip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.conll").write_bytes(gzip.compress(document("(1)").encode())[:-9])
    with pytest.raises(InputError, match="damaged gzip data"):
        corefeval.read(tmp_path / "file.conll")


def test_missing_file_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="no such file"):
        corefeval.read(tmp_path / "nothing")


@pytest.mark.parametrize("seed", range(200))
def test_whatever_the_bytes_there_is_a_corpus_or_a_clear_refusal(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    good = bytearray(document("(1", "1)|(2)", "(1)", "-").encode() + document("(é", "é)", name="ö").encode())
    pieces = [
        b"(",
        b")",
        b"|",
        b"1",
        b"\n",
        b"\r",
        b"\t",
        b" ",
        b"#begin document x\n",
        b"#end document\n",
        b"\xff",
        b"\xc3",
        b"-",
    ]
    for _ in range(rng.randrange(1, 12)):
        place = rng.randrange(len(good) + 1)
        match rng.randrange(4):
            case 0:
                good[place:place] = rng.choice(pieces)
            case 1:
                del good[place : place + rng.randrange(1, 20)]
            case 2:
                good[place:place] = rng.randbytes(rng.randrange(1, 6)).replace(b"\0", b"")
            case _:
                del good[place:]
    path = tmp_path / "file.conll"
    path.write_bytes(good)
    try:
        corpus = corefeval.read(path)
    except InputError as error:
        assert all(fault.line is not None and fault.what for fault in error.faults)  # noqa: PT017
    else:
        assert corefeval.score(corpus, corpus, duplicates="first")["ceafm"].f1 in (0, 1)


def test_a_huge_line_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(
        f"#begin document d\n{'x ' * 2_000_000}(1)\n{'y' * 3_000_000}\t-\n{' ' * 3_000_000}\n#end document\n"
    )
    assert corefeval.read(path).entities() == {"d": [[(0, 0)]]}


spans = st.tuples(st.integers(0, 11), st.integers(0, 3)).map(lambda pair: (pair[0], min(pair[0] + pair[1], 11)))


def nested(mentions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that can be written: brackets of one entity must not cross or meet on a word."""
    kept: list[tuple[int, int]] = []
    for start, end in mentions:
        long = [(a, b) for a, b in kept if a < b]
        if start == end or all(
            b < start or end < a or (a <= start and end <= b) or (start <= a and b <= end) for a, b in long
        ):
            kept.append((start, end))
    return kept


@given(st.lists(st.lists(spans, min_size=1, max_size=5).map(nested), max_size=5))
def test_written_and_read_again_is_the_same(parts: list[list[tuple[int, int]]]) -> None:
    import numpy as np  # noqa: PLC0415

    from corefeval.formats import conll  # noqa: PLC0415

    words = ["a", "(b)", "c|d", "é", "", "-", "#", "x y", "1", "_", "*", "end"]
    sizes = [len(part) for part in parts]
    mentions = [mention for part in parts for mention in part]
    corpus = Corpus(
        ("(a b); part 007",),
        np.zeros(len(parts), dtype=np.int64),
        [f"e{number}" for number in range(len(parts))],
        np.repeat(np.arange(len(parts)), sizes),
        Spans(np.array([m[0] for m in mentions], dtype=np.int64), np.array([m[1] for m in mentions], dtype=np.int64)),
        tokens=Tokens.from_words([words]),
    )
    again = conll.read(File("memory", conll.write(corpus), "", lambda suffix: None))
    assert again.documents == corpus.documents
    name = corpus.documents[0]
    assert sort_entities(corpus.entities()[name]) == sort_entities(again.entities()[name])


def test_crossing_mentions_of_one_entity_are_left_out_and_named(tmp_path: Path) -> None:
    corpus = Corpus.from_entities({"d": [[(0, 2), (1, 3), (4, 4)], [(1, 3)]]})
    (left,) = corefeval.write(corpus, tmp_path / "file.conll")
    assert left.kind == "lost-crossing"
    assert left.details["count"] == 1
    assert "(1, 3)" in left.message
    assert sort_entities(corefeval.read(tmp_path / "file.conll").entities()["d"]) == [[(0, 2), (4, 4)], [(1, 3)]]


def test_only_spans_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'a' is not a span"):
        corefeval.write(Corpus.from_entities({"d": [["a"]]}), tmp_path / "file.conll")


def test_parts_of_speech_are_kept_where_there_is_a_column_for_them(tmp_path: Path) -> None:
    """They come along when documents are reordered and files joined."""
    for name, tag in (("b", "NNP"), ("a", "-")):
        lines = [
            f"{name}  0  {place}  w{place}  {tag}  *  -  -  -  -  *  {cell}" for place, cell in enumerate(("(1)", "-"))
        ]
        text = "\n".join([f"#begin document {name}", *lines, "#end document", ""])
        (tmp_path / f"{name}.conll").write_text(text, encoding="utf-8")
    corpus = corefeval.read(tmp_path)
    assert corpus.documents == ("a", "b")
    for documents, expected in ((("a", "b"), ["", "", "NNP", "NNP"]), (("b",), ["NNP", "NNP"])):
        tokens = corpus.select_documents(documents).tokens
        assert tokens is not None
        assert list(tokens.attributes["pos"]) == expected
        assert tokens.attributes["pos"][1:] == expected[1:]
    (tmp_path / "short.conll").write_text(document("(1)", "-"), encoding="utf-8")
    tokens = corefeval.read(tmp_path / "short.conll").tokens
    assert tokens is not None
    assert tokens.attributes == {}


@pytest.mark.parametrize("comment", ["# text = He left (1)", "#sent -", "# global.Entity = (1)"])
def test_comments_that_end_like_cells_are_comments(comment: str, tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(columns("d\t0\t0\tHe\t(1)", comment, "d\t0\t1\tleft\t(1)"))
    assert corefeval.read(path).entities() == {"d": [[(0, 0), (1, 1)]]}


def test_a_word_may_be_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(columns("He\t(1)", "#\t-", "it\t(1)"))
    assert corefeval.read(path).entities() == {"d": [[(0, 0), (2, 2)]]}


def test_files_in_which_every_cell_is_empty_have_no_mentions(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(columns(*(f"d\t0\t{i}\t{word}\t" for i, word in enumerate(["(7)", "said", "(7)"]))))
    assert corefeval.read(path).entities() == {"d": []}
    path.write_text(columns(*(f"d\t0\t{i}\tw\t" for i in range(3000)), "d\t0\t0\tx\t(1)"))
    assert corefeval.read(path).entities() == {"d": [[(3000, 3000)]]}


def test_a_tab_behind_every_cell_is_a_slip(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(columns(*(f"d\t0\t{i}\tw\t({i % 7})\t" for i in range(5000))))
    assert len(corefeval.read(path)) == 5000


def test_long_words_and_comments_take_no_time(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(columns("a" * 400_000))
    with pytest.raises(InputError, match="is not a coreference cell"):
        corefeval.read(path)
    path.write_text(columns("# " + "x" * 400_000, "w -"))
    assert len(corefeval.read(path)) == 0


CONTROLS = ["\x01", "\x0b", "\x0c", "\x1a", "\x1b", "\x1c", "\x1d", "\x1e", "\x1f", "\x7f", "\x85", "\xa0", "\u2028"]


@pytest.mark.parametrize("separator", ["\t", " ", "   "])
@pytest.mark.parametrize("control", [*CONTROLS, "\r"], ids=repr)
def test_only_blanks_and_tabs_separate_columns_and_only_line_feeds_lines(
    control: str, separator: str, tmp_path: Path
) -> None:
    """Python takes most of these for white space, and some of them for ends of lines."""
    forms = [f"a{control}b", f"{control}c", control, "d"] + ([f"e{control}"] if control != "\r" else [])
    for ending in ("\n", "\r\n"):
        lines = [separator.join(["d", "0", str(i), form, "(1)"]) for i, form in enumerate(forms)]
        path = tmp_path / "file.conll"
        path.write_bytes(ending.join(["#begin document d", *lines, "#end document", ""]).encode())
        corpus = corefeval.read(path)
        assert corpus.tokens is not None
        assert corpus.tokens.words(0) == forms
        assert corpus.entities() == {"d": [[(i, i) for i in range(len(forms))]]}


@pytest.mark.parametrize("control", [each for each in CONTROLS if each < "\x20"], ids=repr)
def test_names_of_entities_and_documents_that_differ_in_a_control_character_differ(
    control: str, tmp_path: Path
) -> None:
    path = tmp_path / "file.conll"
    path.write_text(columns("a (1)", f"b (1{control})", f"c (1{control}", f"d 1{control})"), encoding="utf-8")
    assert corefeval.read(path).entities() == {"d": [[(0, 0)], [(1, 1), (2, 3)]]}
    path.write_bytes("".join(f"#begin document {d}\nw -\n#end document\n" for d in ("d", f"d{control}")).encode())
    assert corefeval.read(path).documents == ("d", f"d{control}")


def test_a_control_character_that_stands_for_a_cell_is_a_fault(tmp_path: Path) -> None:
    """A page break between two lines is not a word, but nobody can know that."""
    (fault,) = faults(columns("a (1)", "\x0c", "b (1)"), tmp_path)
    assert fault.startswith("3: '\\x0c' is not a coreference cell")


def test_names_are_told_apart_by_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_bytes(b"#begin document caf\xe9\nw -\n#end document\n#begin document caf\xe8\nw -\n#end document\n")
    assert corefeval.read(path).documents == (r"caf\xe9", r"caf\xe8")


def test_written_names_stay_different(tmp_path: Path) -> None:
    corpus = Corpus(
        ("d",), np.zeros(4, dtype=np.int64), ["a_b_2", "a_b", "a b", "1+2"], np.arange(4),
        Spans(np.arange(4), np.arange(4)),
    )  # fmt: skip
    corefeval.write(corpus, tmp_path / "file.conll")
    assert len(corefeval.read(tmp_path / "file.conll").entities()["d"]) == 4


def test_a_document_whose_name_begins_with_a_hash_is_read_back(tmp_path: Path) -> None:
    draft = Draft("made up")
    draft.add_document("#1", words=["Kim", "left"]).add_mention("e", (0, 0))
    corefeval.write(draft.build_corpus(), tmp_path / "f.conll")
    again = corefeval.read(tmp_path / "f.conll")
    assert again.documents == ("#1",)
    assert entity_texts(again) == {"e": ["Kim"]}


BEGINNINGS = ["", "\ufeff", "# a comment\n"]
NAMES = ["a", " a\t", "", "a#b", "(x/y/z); part 000", "(x/y/z); part 0", "#begin document a", "é"]
LINES = [
    "x 0 0 a (0)", "x\t0\t1\tb\t-", "", " ", "#", "# a comment", "a (0", "x 0 0 a# 0)", "a\0b", "a\r", "(x/y/z)\t0\t0\ta\t-",
    "t\ts\td\t0\t1\tw\tTrue\t-", "#end document", "# end document", "#begin document", "#begin document b",
]  # fmt: skip
ENDS = ["#end document\n", "#end document", "#end document\r\n", "\n#end document\n\n", ""]


def test_a_file_that_is_evidently_one_document_is_that_at_a_closer_look() -> None:
    """All files of such lines: what is said at once is what the functions for any file say."""
    evident = 0
    for before, name, one, other, end in product(BEGINNINGS, NAMES, LINES, LINES, ENDS):
        data = f"{before}#begin document {name}\n{one}\n{other}\n{end}".encode()
        only = conll.find_only_document(data)
        if only is not None:
            begin, last = conll.mark_documents(data)
            assert (begin.place, begin.kind, last.kind) == (0, "document", "end"), data
            assert only == (begin.text, conll.find_layout(data)), data
            assert only[0], data
            assert registry.recognise("a", data).name == "conll", data
            assert b"\0" not in data
            evident += 1
    assert evident > 500


def test_a_usual_file_is_evidently_one_document() -> None:
    assert conll.find_only_document(document("(1", "1)", "-").encode()) == ("d", (5, 3))
    assert conll.find_only_document(document("(1)", "-", name="d#1").encode()) == ("d#1", (5, 3))
