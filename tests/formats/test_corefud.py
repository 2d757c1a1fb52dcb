"""Reading and writing CorefUD."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefeval import Corpus, InputError
from corefeval.formats import conll, corefud
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared import fitting
from tests.data import public_data

if TYPE_CHECKING:
    from collections.abc import Sequence

HEADER = "# global.Entity = eid-etype-head-other\n"


def sentence(*misc: str, start: int = 1) -> str:
    """A sentence of words a, b, c, ... with these values in MISC."""
    words = (f"{n}\t{chr(96 + n)}\t_\t_\t_\t_\t0\t_\t_\t{cell or '_'}\n" for n, cell in enumerate(misc, start))
    return "".join(words) + "\n"


def line(number: str, misc: str = "_", form: str = "w") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t0\t_\t_\t{misc}\n"


def read(text: str | bytes, document: str = "file") -> Corpus:
    data = text if isinstance(text, bytes) else text.encode()
    return corefud.read(File("f.conllu", data, document, lambda _: None))


def faults(text: str | bytes) -> list[tuple[int | None, str, str]]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [(fault.line, fault.what, fault.kind) for fault in caught.value.faults]


def notices(text: str | bytes) -> list[tuple[str, object]]:
    return [(notice.kind, notice.line) for notice in read(text).notices]


def spans(corpus: Corpus) -> dict[str, dict[str, list[Any]]]:
    return {d.name: {e.name: [m.id for m in e] for e in d} for d in corpus}


def only(corpus: Corpus) -> dict[str, list[Any]]:
    (found,) = spans(corpus).values()
    return found


def entity(*misc: str, header: str = HEADER) -> dict[str, list[Any]]:
    return only(read(header + sentence(*(f"Entity={cell}" if cell else "" for cell in misc))))


# Brackets


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(e1)", "", "(e1)"], {"e1": [(0, 0), (2, 2)]}),
        (["(e1-person-1-", "", "e1)"], {"e1": [(0, 2)]}),
        (["(e1-person-1-)"], {"e1": [(0, 0)]}),
        (["(e1(e2)", "e1)"], {"e1": [(0, 1)], "e2": [(0, 0)]}),
        (["(e1", "(e2)e1)"], {"e1": [(0, 1)], "e2": [(1, 1)]}),
        (["(e1", "e1)(e2", "e2)"], {"e1": [(0, 1)], "e2": [(1, 2)]}),
        (["(e1", "e1)(e2(e3)", "e2)"], {"e1": [(0, 1)], "e2": [(1, 2)], "e3": [(1, 1)]}),
        (["(e2)(e1", "e1)(e3)"], {"e2": [(0, 0)], "e1": [(0, 1)], "e3": [(1, 1)]}),
        (["(e1", "(e2", "e1)", "e2)"], {"e1": [(0, 2)], "e2": [(1, 3)]}),
        (["(e1--3(e1--1", "e1)", "e1)"], {"e1": [(0, 2), (0, 1)]}),
        (["(e1", "(e1)", "e1)"], {"e1": [(0, 2), (1, 1)]}),
        (["(e1", "e1)(e1", "e1)"], {"e1": [(0, 1), (1, 2)]}),
        (["(e1)(e1)"], {"e1": [(0, 0), (0, 0)]}),
        (["(12-x-1)", "(é)"], {"12": [(0, 0)], "é": [(1, 1)]}),
        (["(e9)", "(e1)", "(e9)"], {"e9": [(0, 0), (2, 2)], "e1": [(1, 1)]}),
        (["(e1", "e1-person-2)"], {"e1": [(0, 1)]}),
    ],
)
def test_brackets_are_read_from_left_to_right(cells: list[str], expected: dict[str, list[Any]]) -> None:
    found = entity(*cells)
    assert found == expected
    assert list(found) == list(expected)


def test_entity_is_found_among_other_items() -> None:
    text = HEADER + sentence("SpaceAfter=No|Entity=(e1)", "Entity=(e2)|X=1|Y", "XEntity=(e3)", "Lemma=Entity=(e4)")
    assert only(read(text)) == {"e1": [(0, 0)], "e2": [(1, 1)]}


@pytest.mark.parametrize("value", ["e1", "(e1)e2", "((e1)", "()", "(", "(e1))", "(e1 )", "e1(e2)", "(e1)x(e2)", ")"])
def test_what_is_no_value_of_entity_is_refused(value: str) -> None:
    ((at, what, kind),) = faults(HEADER + sentence(f"Entity={value}", "Entity=(e2)"))
    assert (at, kind) == (2, "syntax")
    assert what == f"{value!r} is not a value of Entity"


@pytest.mark.parametrize(
    ("misc", "what"),
    [
        ("Entity=(-person)", "(-person has no entity id"),
        ("Entity=(e1[2/1]-x)", "(e1[2/1]-x has no entity id"),
        ("Entity=(e1[x]-x)", "(e1[x]-x has no entity id"),
        ("Entity=(e1-abstract[1/2])", "(e1-abstract[1/2] has no entity id"),
        ("Entity=", "Entity is empty"),
        ("Entity=(e1)|Entity=(e2)", "Entity is given twice"),
        ("Bridge=e1<e2|Entity=(e1)(e2)|Bridge=e1<e2", "Bridge is given twice"),
        ("Split=e1<e2|Entity=(e1)(e2)|SplitAnte=e1<e2", "SplitAnte is given twice"),
        ("Entity=(e1)(e2)|Bridge=e1", "'e1' is not a pair in Bridge"),
        ("Entity=(e1)(e2)|Bridge=", "'' is not a pair in Bridge"),
        ("Entity=(e1)(e2)|SplitAnte=e1<e2,<e2", "'<e2' is not a pair in SplitAnte"),
    ],
)
def test_faults_on_a_word(misc: str, what: str) -> None:
    assert faults(HEADER + sentence("", misc)) == [(3, what, "syntax")]


def test_brackets_without_their_fellows() -> None:
    text = (
        HEADER
        + "# newdoc id = a\n"
        + sentence("Entity=(e1", "Entity=e2)")
        + "# newdoc id = b\n"
        + sentence("Entity=e1)")
    )
    assert faults(text) == [
        (3, "(e1 opens a mention that is never closed", "unbalanced-bracket"),
        (4, "e2) closes a mention that was not opened", "unbalanced-bracket"),
        (7, "e1) closes a mention that was not opened", "unbalanced-bracket"),
    ]


def test_all_faults_are_reported() -> None:
    text = HEADER + "".join(sentence("Entity=(e1", f"Entity=x{n})") for n in range(5)) + "1\tw\n"
    assert len(faults(text)) == 11


# Mentions with gaps


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(e1[1/2]--2", "e1[1/2])", "", "(e1[2/2]--2)"], [((0, 1), (3, 3))]),
        (["(e1[1/3])", "", "(e1[2/3])", "", "(e1[3/3]", "e1[3/3])"], [((0, 0), (2, 2), (4, 5))]),
        (["(e1[1/2]", "(e1)", "e1[1/2])", "(e1", "(e1[2/2])e1)"], [((0, 2), (4, 4)), (1, 1), (3, 4)]),
        (["(e1[1/2])", "(e1[1/2])", "", "(e1[2/2])", "(e1[2/2])"], [((0, 0), (4, 4)), ((1, 1), (3, 3))]),
        (["(e1[1/2])", "(e1[1/3])", "(e1[2/2])", "(e1[2/3])", "", "(e1[3/3])"], [((0, 0), (2, 2)), ((1, 1), (3, 3), (5, 5))]),
        (["(e1[1/3])", "(e1[1/3])", "", "(e1[2/3])", "(e1[2/3])", "(e1[3/3])", "(e1[3/3])"],
         [((0, 0), (4, 4), (6, 6)), ((1, 1), (3, 3), (5, 5))]),
        (["(e1[1/2]", "(e1[1/2]", "e1[1/2])", "e1[1/2])", "", "(e1[2/2])", "", "(e1[2/2])"],
         [((0, 3), (7, 7)), ((1, 2), (5, 5))]),
        (["(e1[1/2]", "e1[1/2])", "(e1[2/2]", "e1[2/2])"], [(0, 3)]),
        (["(e1[1/2]", "e1[1/2])(e1[2/2]", "e1[2/2])"], [(0, 2)]),
        (["(e1[1/1])"], [(0, 0)]),
    ],
)  # fmt: skip
def test_parts_are_put_together(cells: list[str], expected: list[Any]) -> None:
    assert entity(*cells) == {"e1": expected}


def test_fields_tell_which_parts_belong_together() -> None:
    cells = ["(e1[1/2]-a)(e1[1/2]-b)", "", "(e1[2/2]-a", "e1[2/2])", "", "(e1[2/2]-b)"]
    corpus = read(HEADER + sentence(*(f"Entity={cell}" if cell else "" for cell in cells)))
    assert only(corpus) == {"e1": [((0, 0), (5, 5)), ((0, 0), (2, 3))]}
    assert corpus.mentions.objects() == [((0, 0), (2, 3)), ((0, 0), (5, 5))]
    text = HEADER + sentence("Entity=(e1[1/2]-a)", "", "Entity=(e1[2/2]-b)")
    assert notices(text) == [("differing-fields", 4)]
    assert read(text).entity_attributes == {"type": ["a"]}


def test_parts_are_put_together_within_a_document() -> None:
    part = sentence("Entity=(e1[1/2])", "", "Entity=(e1[2/2])")
    text = f"{HEADER}# newdoc id = a\n{part}# newdoc id = b\n{part}"
    assert spans(read(text)) == {name: {"e1": [((0, 0), (2, 2))]} for name in "ab"}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(e1[2/2])"], [(2, "(e1[2/2] continues a mention that was not begun")]),
        (["(e1[1/2])"], [(2, "a mention of e1 has 1 of 2 parts")]),
        (["(e1[1/3])", "", "(e1[3/3])"], [(2, "a mention of e1 has 1 of 3 parts"), (4, "(e1[3/3] continues a mention that was not begun")]),
        (["(e1[1/2]", "(e1[2/2])", "e1[1/2])"], [(2, "a mention of e1 has 1 of 2 parts"), (3, "(e1[2/2] continues a mention that was not begun")]),
        (["(e1[1/2]", "e1)"], [(2, "(e1[1/2] opens a mention that is never closed"), (3, "e1) closes a mention that was not opened")]),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit(cells: list[str], expected: list[tuple[int, str]]) -> None:
    found = faults(HEADER + sentence(*(f"Entity={cell}" if cell else "" for cell in cells)))
    assert found == [(*fault, "unbalanced-bracket") for fault in expected]


# Fields


def only_mention(chunk: str, declared: str, *, length: int = 4) -> Any:
    cells = [f"Entity=({chunk}", *([""] * (length - 2)), "Entity=e1)"]
    (found,) = next(iter(next(iter(read(f"# global.Entity = {declared}\n" + sentence(*cells))))))
    return found


@pytest.mark.parametrize(
    ("declared", "chunk"),
    [
        ("eid-etype-head-other", "e1-person-2-"),
        ("eid-etype-head-minspan-infstat-link-identity", "e1-person-2--new-coref-Kim"),
        ("eid-head-etype", "e1-2-person"),
        ("etype-eid-head", "person-e1-2"),
        ("GRP-etype-head", "e1-person-2"),
        ("entity-GRP-head", "person-e1-2"),
    ],
)
def test_fields_are_as_declared(declared: str, chunk: str) -> None:
    found = only_mention(chunk, declared)
    assert found.entity.name == "e1"
    assert found.entity.attributes["type"] == "person"
    assert found.head == (1, 1)


def test_old_gum() -> None:
    text = "# global.Entity = entity-GRP-infstat-MIN-coref_type-identity\n" + sentence(
        "Entity=(person-1-giv:act-1-coref-Kim_Lee)",
        "Bridge=person-1<place-2|Entity=(place-2-new-1,2-sgl",
        "Entity=(person-7-new-1-coref)place-2)|Split=person-1<person-7,place-2<person-7",
    )
    corpus = read(text)
    assert only(corpus) == {"1": [(0, 0)], "2": [(1, 2)], "7": [(2, 2)]}
    first, second, _ = next(iter(corpus)).mentions
    assert first.attributes == {"infstat": "giv:act", "coref_type": "coref"}
    assert first.entity.attributes == {"type": "person", "identity": "Kim_Lee"}
    assert second.minimum == (1, 2)
    assert [(each.kind, each.source, each.targets) for each in corpus.relations] == [
        ("bridge", (1, 2), ("1",)),
        ("split", "7", ("1", "2")),
    ]
    assert corpus.notices == ()


def test_attributes_of_mentions_and_entities() -> None:
    declared = "eid-etype-head-other-infstat-link-identity"
    found = only_mention("e1-person-1-nptype:np,x:a%2Cb-giv:act-coref-Jean%2DPaul%2C_%28x%29%C3%A9", declared)
    assert found.attributes == {"other": "nptype:np,x:a%2Cb", "infstat": "giv:act", "link": "coref"}
    assert found.entity.attributes == {"type": "person", "identity": "Jean-Paul,_(x)é"}


@pytest.mark.parametrize(
    ("written", "meant"), [("a%25b", "a%b"), ("100%", "100%"), ("%zz", "%zz"), ("%E4", "%E4"), ("\xa0", "\xa0")]
)
def test_escapes(written: str, meant: str) -> None:
    assert only_mention(f"e1-{written}", "eid-note").attributes == {"note": meant}


def test_a_field_that_nobody_uses_is_no_attribute() -> None:
    assert read(HEADER + sentence("Entity=(e1-x-1-)")).attributes == {}
    assert read(HEADER + sentence("Entity=(e1)")).entity_attributes == {}


@pytest.mark.parametrize(
    ("head", "expected", "kinds"),
    [
        ("1", (0, 0), []),
        ("4", (3, 3), []),
        ("3,4", (2, 2), []),
        ("", None, []),
        ("5", None, ["head-outside"]),
        ("0", None, ["head-outside"]),
        ("x", None, ["head-outside"]),
    ],
)
def test_heads(head: str, expected: tuple[int, int] | None, kinds: list[str]) -> None:
    found = only_mention(f"e1-x-{head}", "eid-etype-head")
    assert found.head == expected
    assert [notice.kind for notice in found.corpus.notices] == kinds


def test_heads_count_the_words_of_all_parts() -> None:
    corpus = read(
        HEADER + sentence("Entity=(e1[1/2]-x-3", "Entity=e1[1/2])", "", "Entity=(e1[2/2]-x-3", "Entity=e1[2/2])")
    )
    (found,) = next(iter(corpus)).mentions
    assert found.head == (3, 3)


@pytest.mark.parametrize(
    ("minspan", "expected", "attribute", "kinds"),
    [
        ("2", (1, 1), {}, []),
        ("2,3", (1, 2), {}, []),
        ("1%2D3", (0, 2), {}, []),
        ("1,3", None, {"minspan": "1,3"}, []),
        ("3,2", None, {"minspan": "3,2"}, []),
        ("x", None, {"minspan": "x"}, []),
        ("4,5", None, {"minspan": "4,5"}, ["minspan-outside"]),
        ("", None, {}, []),
    ],
)
def test_minimums(minspan: str, expected: object, attribute: dict[str, str], kinds: list[str]) -> None:
    found = only_mention(f"e1-{minspan}-z", "eid-minspan-more")
    assert found.minimum == expected
    assert found.attributes == {"more": "z", **attribute}
    assert [notice.kind for notice in found.corpus.notices] == kinds


def test_a_minimum_over_a_gap_is_an_attribute() -> None:
    header = "# global.Entity = eid-minspan\n"
    corpus = read(
        header + sentence("Entity=(e1[1/2]-2,3", "Entity=e1[1/2])", "", "Entity=(e1[2/2]-2,3)", "Entity=(e2-1)")
    )
    first, second = next(iter(corpus)).mentions
    assert (first.minimum, first.attributes) == (None, {"minspan": "2,3"})
    assert (second.minimum, second.attributes) == ((4, 4), {})


def test_mentions_that_disagree_about_their_entity() -> None:
    text = "# global.Entity = eid-etype-identity\n" + sentence(
        "Entity=(e1)", "Entity=(e1-person-A)", "Entity=(e1-place)", "Entity=(e1--B)(e2-place)"
    )
    corpus = read(text)
    assert [entity.attributes for entity in next(iter(corpus))] == [
        {"type": "person", "identity": "A"},
        {"type": "place"},
    ]
    assert notices(text) == [("differing-type", 4), ("differing-identity", 5)]


def test_more_fields_than_declared() -> None:
    text = "# global.Entity = eid-etype-identity\n" + sentence("Entity=(e1-person-Jean-Paul)")
    (found,) = next(iter(read(text)))
    assert found.attributes == {"type": "person", "identity": "Jean-Paul"}
    assert notices(text) == [("too-many-fields", 2)]
    assert notices("# global.Entity = eid\n" + sentence("Entity=(e1-person)")) == [("too-many-fields", 2)]


def test_too_many_fields_around_an_id_at_the_end_are_one() -> None:
    text = "# global.Entity = head-other-eid\n" + sentence("Entity=(1-a-e1-b-c)(1--e2)")
    one, two = next(iter(read(text)))
    assert (one.name, one.mentions[0].attributes, one.mentions[0].head) == ("e1", {"other": "a-b-c"}, (0, 0))
    assert (two.name, two.mentions[0].attributes) == ("e2", {})
    assert notices(text) == [("too-many-fields", 2)]


def test_fields_are_found_by_the_declaration_of_their_document() -> None:
    text = (
        "# newdoc id = a\n# global.Entity = eid-infstat-head\n" + sentence("Entity=(e1-new-1)(e2)")
        + "# newdoc id = b\n# global.Entity = head-eid-infstat\n" + sentence("Entity=(2-e1-old", "Entity=e1)")
    )  # fmt: skip
    corpus = read(text)
    assert corpus.attributes == {"infstat": ["new", "", "old"]}
    assert corpus.heads is not None
    assert corpus.heads.objects() == [(0, 0), (-1, -1), (1, 1)]


def test_a_part_in_a_cell_that_is_refused() -> None:
    assert [line for line, _, _ in faults(HEADER + sentence("Entity=(a b-[1/2]-e1)"))] == [2]


def test_without_a_declaration() -> None:
    text = sentence("Entity=(e1-person-2-x", "Entity=e1)") + HEADER + sentence("Entity=(e1)")
    (found,) = next(iter(read(text)))
    assert (found.attributes, found.mentions[0].head) == ({"type": "person"}, (1, 1))
    assert notices(text) == [("no-declaration", 1)]
    assert notices(sentence("", "SpaceAfter=No")) == []


def test_every_document_may_declare_its_fields() -> None:
    text = (
        "# newdoc id = a\n# global.Entity = eid-etype\n" + sentence("Entity=(e1-person)")
        + "# global.Entity = eid-infstat-etype\n# newdoc id = b\n" + sentence("Entity=(e1-new-place)")
    )  # fmt: skip
    corpus = read(text)
    assert [[e.attributes for e in document] for document in corpus] == [[{"type": "person"}], [{"type": "place"}]]
    assert list(corpus.attributes["infstat"]) == ["", "new"]


@pytest.mark.parametrize("declared", ["", "etype-head", "eid-etype-etype", "eid-GRP"])
def test_declarations_that_declare_nothing(declared: str) -> None:
    ((at, _, kind),) = faults(f"# newdoc\n# global.Entity = {declared}\n" + sentence("Entity=(e1)"))
    assert (at, kind) == (2, "syntax")


# Words


def test_empty_nodes_are_words() -> None:
    text = HEADER + (
        "0.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1)\n"
        "1\tUna idea\t_\t_\t_\t_\t2\tobj\t_\t_\n"
        "2-3\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "2\tde\t_\t_\t_\t_\t0\troot\t0:root|1.1:x\t_\n"
        "3\tel\t_\t_\t_\t_\t2\tdet\t_\tEntity=(e2-x-1\n"
        "3.1\tel\t_\t_\t_\t_\t_\t_\t3:dep\tEntity=(e1)e2)\n\n"
    )
    corpus = read(text)
    tokens = corpus.tokens
    assert tokens is not None
    assert tokens.empty is not None
    assert tokens.words(0) == ["_", "Una idea", "de", "el", "el"]
    assert tokens.empty.tolist() == [True, False, False, False, True]
    assert tokens.line.tolist() == [2, 3, 5, 6, 7]
    assert {name: list(values) for name, values in tokens.attributes.items()} == {
        "id": ["0.1", "1", "2", "3", "3.1"],
        "upos": [""] * 5,
        "head": ["", "2", "0", "2", ""],
        "deprel": ["", "obj", "root", "det", ""],
        "deps": ["2:nsubj", "", "0:root|1.1:x", "", "3:dep"],
    }
    assert tokens.attributes["head"][1] == "2"
    assert tokens.attributes["deps"][1:3] == ["", "0:root|1.1:x"]
    assert [mention.is_zero for mention in next(iter(corpus)).mentions] == [True, False, True]
    assert only(corpus) == {"e1": [(0, 0), (4, 4)], "e2": [(3, 4)]}


def test_sentences() -> None:
    corpus = read("# x\n" + sentence("", "") + "\n \n# y\n" + sentence("") + line("1") + line("2"))
    assert [len(each) for each in next(iter(corpus)).sentences or ()] == [2, 1, 2]


@pytest.mark.parametrize(
    "change", [lambda text: text.replace(b"\n", b"\r\n"), lambda text: b"\xef\xbb\xbf" + text, lambda text: text[:-2]]
)
def test_line_ends_and_byte_order_mark(change: Any) -> None:
    plain = (HEADER + sentence("Entity=(e1-x-1", "X=Y|Entity=e1)")).encode()
    corpus = read(change(plain))
    assert only(corpus) == {"e1": [(0, 1)]}
    assert next(iter(corpus)).words == ["a", "b"]
    assert corpus.entity_attributes == {"type": ["x"]}


def test_lines_that_are_no_words() -> None:
    text = (
        HEADER
        + "1\tw\t_\n"
        + "1 w _ _ _ _ 0 _ _ _\n"
        + line("1").rstrip()
        + "\t_\n"
        + line("x")
        + line("")
        + line("1.")
    )
    assert faults(text) == [
        (2, "3 columns", "syntax"),
        (3, "1 column", "syntax"),
        (4, "11 columns", "syntax"),
        (5, "'x' is not the id of a word", "syntax"),
        (6, "'' is not the id of a word", "syntax"),
        (7, "'1.' is not the id of a word", "syntax"),
    ]


def test_mentions_on_lines_that_are_no_words() -> None:
    text = (
        HEADER
        + line("1-2", "Entity=(e1)")
        + line("1")
        + line("2")
        + line("3-4", "XEntity=(e1)")
        + line("3")
        + line("4")
    )
    assert faults(text) == [(2, "a mention or a relation on a line that is not a word", "syntax")]


def test_words_that_are_not_numbered_one_by_one() -> None:
    text = HEADER + line("1") + line("1.1") + line("2") + line("4") + line("1") + "\n" + line("7") + line("8")
    assert notices(text) == [("word-order", 5), ("word-order", 6)]


@pytest.mark.parametrize("text", ["", "\n", HEADER, "# x\n\n"])
def test_a_file_without_words(text: str) -> None:
    assert faults(text) == [(1, "no words", "syntax")]


def test_text_in_other_encodings() -> None:
    latin = (HEADER + sentence("Entity=(e1)")).encode().replace(b"\ta\t", b"\t\xe4\t")
    assert notices(latin) == [("encoding", 2)]
    assert next(iter(read(latin))).words == ["\ufffd"]
    assert "UTF-16" in faults((HEADER + sentence("")).encode("utf-16"))[0][1]
    assert "NUL" in faults(HEADER + line("1", form="\0"))[0][1]


# Documents


def test_documents() -> None:
    word = sentence("Entity=(e1)")
    assert spans(read(HEADER + word, "story")) == {"story": {"e1": [(0, 0)]}}
    text = f"# newdoc id = b c\n{HEADER}{word}{word}# newdoc\n{word}#newdoc id=x\n{word}# newdocument\n{word}"
    assert spans(read(text)) == {
        "b c": {"e1": [(0, 0), (1, 1)]},
        "2": {"e1": [(0, 0)]},
        "x": {"e1": [(0, 0), (1, 1)]},
    }
    assert list(spans(read(f"{HEADER}{word}# newdoc\n{word}# newdoc id = a\n# newdoc id = z\n{word}"))) == [
        "file",
        "1",
        "a",
        "z",
    ]


def test_the_same_document_twice() -> None:
    word = sentence("")
    text = f"# newdoc id = a\n{word}# newdoc id = b\n{word}# newdoc id = a\n{word}"
    assert faults(text) == [(7, "document 'a' already begins at line 1", "document-twice")]


def test_mentions_beyond_their_sentence() -> None:
    text = HEADER + sentence("Entity=(e1-x-3", "") + sentence("Entity=e1)", "Entity=(e2)")
    assert only(read(text)) == {"e1": [(0, 2)], "e2": [(3, 3)]}
    assert notices(text) == [("crossed-sentence", 2)]
    assert next(iter(read(text))).mentions[0].head == (2, 2)


# Relations


def related(*misc: str) -> list[tuple[object, ...]]:
    return [tuple(each)[:1] + tuple(each)[2:5] for each in read(HEADER + sentence(*misc)).relations]


def test_split_antecedents() -> None:
    assert related("Entity=(e5)", "Entity=(e6)", "Entity=(e25)|SplitAnte=e5<e25,e6<e25") == [
        ("split", "e25", ("e5", "e6"), "")
    ]
    cataphora = "Entity=(e2-x-1)|SplitAnte=e3<e2,e4<e2", "Entity=(e3)", "Entity=(e4)"
    assert related(*cataphora) == [("split", "e2", ("e3", "e4"), "")]
    assert related(
        "Entity=(a)(b)(c)(d)", "Entity=(p)(q)|SplitAnte=a<p,c<q,b<p,d<q", "Entity=(p)|SplitAnte=b<p,c<p"
    ) == [
        ("split", "p", ("a", "b", "c"), ""),
        ("split", "q", ("c", "d"), ""),
    ]


def test_bridging() -> None:
    assert related("Entity=(e12)(e6)", "Bridge=e12<e5:subset,e6<e5:x-y|Entity=(e5", "Entity=e5)") == [
        ("bridge", (1, 2), ("e12",), "subset"),
        ("bridge", (1, 2), ("e6",), "x-y"),
    ]
    assert related("Entity=(e1)", "Entity=(e5(e5", "Entity=e5)|Bridge=e1<e5", "Entity=e5)") == [
        ("bridge", (1, 2), ("e1",), "")
    ]
    assert related("Entity=(e1)", "Bridge=e1<e5|Entity=(e5[1/2])", "", "Entity=(e5[2/2])") == [
        ("bridge", ((1, 1), (3, 3)), ("e1",), "")
    ]


def test_relations_are_within_their_document() -> None:
    document = sentence("Entity=(e1)", "Bridge=e1<e2|Entity=(e2)")
    corpus = read(f"{HEADER}# newdoc id = a\n{document}# newdoc id = b\n{document}")
    assert [(each.document, each.source) for each in corpus.relations] == [("a", (1, 1)), ("b", (1, 1))]


@pytest.mark.parametrize(
    ("misc", "expected", "left"),
    [
        ("Entity=(e1)|Bridge=e9<e1", [("dangling-reference", 2)], 0),
        ("Entity=(e1)|Bridge=e1<e9", [("dangling-reference", 2)], 0),
        ("Entity=(e1)|SplitAnte=e9<e1,e3<e1", [("dangling-reference", 2), ("split-antecedent", 2)], 1),
        ("Entity=(e1)|Bridge=e1<e1", [("self-link", 2)], 0),
        ("Bridge=e3<e1", [("misplaced-bridge", 2)], 1),
    ],
)
def test_relations_that_lead_nowhere(misc: str, expected: list[tuple[str, int]], left: int) -> None:
    text = HEADER + sentence(misc, "Entity=(e1)(e3)")
    assert notices(text) == expected
    assert len(read(text).relations) == left


# What is a file of this format


def test_recognised() -> None:
    assert corefud.recognise(corefud.EXAMPLE.encode())
    assert corefud.recognise(("# newdoc id = x\r\n\r\n" + sentence("")).encode())
    assert corefud.recognise(b"\xef\xbb\xbf" + (line("1-2") + line("1")).encode())
    assert corefud.recognise(line("0.1").encode().replace(b"\t0\t", b"\t_\t"))
    for other in (
        "#begin document (x); part 000\n" + line("1"),
        "# global.columns = ID FORM\n" + line("1"),
        "# global.columns = ID FORM\n# global.Entity = eid\n",
        line("1").replace("\t", " "),
        line("1").rstrip() + "\t_\n",
        "document\tmention\tentity\n" + line("1"),
        '{"a": 1}',
        "",
    ):
        assert corefud.recognise(other.encode()) == ""


def test_the_example_can_be_read() -> None:
    assert only(read(corefud.EXAMPLE)) == {"e1": [(0, 0)]}


# Other people's files


def in_order(corpus: Corpus) -> list[list[list[Any]]]:
    documents: list[list[list[Any]]] = list(corpus.entities().values())
    return [sorted(sorted(entity) for entity in document) for document in documents]


def test_the_files_of_the_corefud_scorer() -> None:
    paths = [path for path in sorted(public_data("corefud-scorer").rglob("*")) if path.suffix in (".key", ".response")]
    assert len(paths) == 133
    for path in paths:
        corpus = read(path.read_bytes())
        assert corpus.notices == ()
        assert corpus.heads is not None
        assert (corpus.heads.start >= 0).all()
        assert described(read(corefud.write(corpus))) == described(corpus)


def test_litbank_is_the_same_as_in_conll() -> None:
    folder = public_data("litbank")
    for name in ("key", "response-20"):
        columns = gzip.decompress((folder / f"{name}.conll.gz").read_bytes())
        theirs = conll.read(File("x", columns, "", lambda _: None))
        ours = read(gzip.decompress((folder / f"{name}.conllu.gz").read_bytes()))
        assert ours.notices == ()
        assert in_order(ours) == in_order(theirs)
        assert [each.sentences for each in ours] == [each.sentences for each in theirs]


# Writing


def described(corpus: Corpus) -> dict[str, Any]:
    """All that is to survive writing and reading."""
    assert corpus.tokens is not None
    found = {}
    for document in corpus:
        here = slice(int(corpus.tokens.bounds[document.number]), int(corpus.tokens.bounds[document.number + 1]))
        found[document.name] = {
            "sentences": document.sentences,
            "empty": [] if corpus.tokens.empty is None else corpus.tokens.empty[here].tolist(),
            "entities": [
                (e.name, e.attributes, sorted((m.runs, m.head, m.minimum, sorted(m.attributes.items())) for m in e))
                for e in sorted(document, key=lambda e: e.name)
            ],
            "relations": sorted((each.kind, str(each.source), each.targets, each.label) for each in document.relations),
        }
    return found


def test_what_is_written() -> None:
    draft = Draft("x")
    document = draft.add_document(
        "a b",
        words=["Kim", "Lee", "_", "saw", "us"],
        sentence=[0, 0, 0, 0, 1],
        empty=[False, False, True, False, False],
    )
    document.add_mention("1", (0, 1), head=(0, 0), attributes={"other": "x:y", "infstat": "new"})
    document.add_mention("1", (2, 2), head=(2, 2))
    document.add_mention("we-2", (4, 4), head=(4, 4), minimum=(4, 4))
    document.add_mention("we-2", ((0, 1), (3, 3)), head=(3, 3))
    document.describe_entity("1", type="person", identity="Kim-Lee")
    document.add_relation("bridge", (2, 2), ["we-2"], "part,of")
    document.add_relation("split", "we-2", ["1", "gone"])
    assert corefud.write(draft.build_corpus()).decode().splitlines() == [
        "# newdoc id = a b",
        "# global.Entity = eid-etype-head-other-minspan-infstat-identity",
        "# sent_id = a_b-1",
        "# text = Kim Lee saw",
        "1\tKim\t_\t_\t_\t_\t0\troot\t_\tEntity=(we_2[1/2]--3(1-person-1-x:y--new-Kim%2DLee|SplitAnte=1<we_2",
        "2\tLee\t_\t_\t_\t_\t1\tdep\t_\tEntity=1)we_2[1/2])",
        "2.1\t_\t_\t_\t_\t_\t_\t_\t0:root\tBridge=we_2<1:part%2Cof|Entity=(1-person-1----Kim%2DLee)",
        "3\tsaw\t_\t_\t_\t_\t1\tdep\t_\tEntity=(we_2[2/2]--3)",
        "",
        "# sent_id = a_b-2",
        "# text = us",
        "1\tus\t_\t_\t_\t_\t0\troot\t_\tEntity=(we_2--1--1)",
        "",
    ]


def made(*mentions: tuple[str, Any], length: int = 9, **more: Any) -> Corpus:
    draft = Draft("x")
    document = draft.add_document("d", words=[chr(97 + n) for n in range(length)], **more)
    for name, mention in mentions:
        document.add_mention(name, mention)
    return draft.build_corpus()


def cells(corpus: Corpus) -> list[str]:
    written = corefud.write(corpus).decode().splitlines()
    return [text.rpartition("\t")[2] for text in written if "\t" in text]


def test_the_order_of_brackets() -> None:
    corpus = made(("a", (0, 3)), ("b", (0, 1)), ("c", (1, 1)), ("d", (1, 3)), ("e", (3, 3)), ("f", (0, 0)))
    assert cells(corpus)[:4] == ["Entity=(a(b(f)", "Entity=b)(d(c)", "_", "Entity=(e)d)a)"]


def test_brackets_are_nested_where_they_can_be() -> None:
    assert cells(made(("a", (0, 1)), ("b", (0, 1)), length=2)) == ["Entity=(a(b", "Entity=b)a)"]
    gap = made(("a", (0, 1)), ("a", ((0, 1), (3, 4))), ("a", (3, 4)), length=5)
    assert cells(gap) == ["Entity=(a[1/2](a", "Entity=a)a[1/2])", "_", "Entity=(a[2/2](a", "Entity=a)a[2/2])"]


def test_declarations_are_short() -> None:
    def declared(corpus: Corpus) -> str:
        return corefud.write(corpus).decode().splitlines()[1]

    assert declared(made(("a", (0, 0)))) == "# global.Entity = eid-etype-head"
    draft = Draft("x")
    for name in "ab":
        draft.add_document(name, words=["w"]).add_mention("1", (0, 0), attributes={"note": "x"})
    assert declared(draft.build_corpus()) == "# global.Entity = GRP-etype-note"


def test_trees_are_kept_where_they_fit() -> None:
    text = HEADER + (
        "1\ta\t_\tDET\t_\t_\t2\tdet\t2:det\tEntity=(e1)\n2\tb\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2.1\t_\t_\t_\t_\t_\t_\t_\t1:x\t_\n\n"
        "5\tc\t_\t_\t_\t_\t0\troot\t_\t_\n6\td\t_\t_\t_\t_\t5\tobj\t5:obj\t_\n\n"
    )
    corpus = read(corefud.write(read(text)))
    assert corpus.tokens is not None
    assert {name: list(values) for name, values in corpus.tokens.attributes.items()} == {
        "id": ["1", "2", "2.1", "1", "2"],
        "upos": ["DET", "NOUN", "", "", ""],
        "head": ["2", "0", "", "0", "1"],
        "deprel": ["det", "root", "", "root", "dep"],
        "deps": ["2:det", "", "1:x", "", ""],
    }


def test_names_that_cannot_be_written() -> None:
    draft = Draft("x")
    names = ["a b", "a_b", "a-b", "(", "x[1/2]", "e<f:g,h", "", "é%2D"]
    for number, name in enumerate(["a\tb", "a b", "", "1"]):
        document = draft.add_document(name, words=["tab\tnew\nline", "", " ", "#", "w"], sentence=[0] * 5)
        for place, entity in enumerate(names):
            document.add_mention(entity, (place % 5, place % 5), attributes={"note": f"{number} - (x)|y=%2C,%"})
    corpus = read(corefud.write(draft.build_corpus()))
    assert corpus.notices == ()
    assert corpus.documents == ("a b_2", "a b", "3", "1")
    assert next(iter(corpus)).words == ["tab new line", "_", " ", "#", "w"]
    for number, found in enumerate(corpus):
        assert len({entity.name for entity in found}) == len(names)
        assert {mention.attributes["note"] for mention in found.mentions} == {f"{number} - (x)|y=%2C,%"}
    assert {entity.name for entity in next(iter(corpus))} >= {"a_b", "x_1/2_", "e_f_g_h", "é%2D"}


def test_documents_without_words_and_corpora_without_documents() -> None:
    draft = Draft("x")
    draft.add_document("empty", words=[])
    draft.add_document("full", words=["w"]).add_mention("e", (0, 0))
    draft.add_document("last", words=[])
    assert spans(read(corefud.write(draft.build_corpus()))) == {"empty": {}, "full": {"e": [(0, 0)]}, "last": {}}
    assert corefud.write(Draft("x").build_corpus()) == b""


def test_words_that_are_not_known() -> None:
    corpus = Corpus.from_entities({"d": [[(0, 1), (3, 3)]]})
    fitted, left = fitting.fit_corpus(corpus, corefud.CAPACITY, "corefud")
    assert left == ()
    assert spans(read(corefud.write(fitted))) == {"d": {"0": [(0, 1), (3, 3)]}}
    beyond = corpus.replace(mentions=fitted.mentions, tokens=made(length=2).tokens)
    with pytest.raises(InputError, match="after the last word"):
        corefud.write(beyond)


def test_what_fits() -> None:
    corpus = made(("a", (0, 2)), ("a", (1, 3)), ("b", (1, 3)))
    fitted, (notice,) = fitting.fit_corpus(corpus, corefud.CAPACITY, "corefud")
    assert notice.kind == "lost-crossing"
    assert only(read(corefud.write(fitted))) == {"a": [(0, 2)], "b": [(1, 3)]}
    names = [
        "note",
        "other",
        "minspan",
        "infstat",
        "a.b:c",
        "eid",
        "GRP",
        "identity",
        "head",
        "MIN",
        "a-b",
        "a b",
        "",
        "1",
    ]
    assert [name for name in names if name in corefud.CAPACITY.attributes] == names[:5]


def test_parts_that_could_be_mixed_up_are_refused() -> None:
    nested = made(("a", ((0, 0), (7, 7))), ("a", ((2, 2), (4, 4))))
    assert described(read(corefud.write(nested))) == described(nested)
    tangled = made(("a", ((0, 0), (4, 4), (8, 8))), ("a", ((1, 1), (5, 5), (7, 7))))
    with pytest.raises(InputError, match="would be taken for those of another mention"):
        corefud.write(tangled)


def test_mentions_beyond_their_sentence_are_written_as_they_are() -> None:
    corpus = made(("a", (1, 3)), length=5, sentence=[0, 0, 0, 1, 1])
    again = read(corefud.write(corpus))
    assert described(again) == described(corpus)
    assert [notice.kind for notice in again.notices] == ["crossed-sentence"]


def test_relations_from_other_formats() -> None:
    draft = Draft("x")
    document = draft.add_document("d", words=list("abc"))
    for place, name in enumerate("xyz"):
        document.add_mention(name, (place, place))
    document.add_relation("bridge", "z", ["x", "y"], "part")
    document.add_relation("split", (2, 2), ["x", "y"])
    document.add_relation("bridge", (0, 2), ["x"])
    found = read(corefud.write(draft.build_corpus())).relations
    assert [tuple(each)[:1] + tuple(each)[2:5] for each in found] == [
        ("bridge", (2, 2), ("x",), "part"),
        ("bridge", (2, 2), ("y",), "part"),
        ("split", "z", ("x", "y"), ""),
    ]


values = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    draft = Draft("x")
    for name in draw(st.lists(st.sampled_from(["a", "b", "c d"]), max_size=3, unique=True, min_size=1)):
        length = draw(st.integers(0, 12))
        breaks = draw(st.lists(st.booleans(), min_size=length, max_size=length))
        numbers = [sum(breaks[1 : place + 1]) for place in range(length)]
        document = draft.add_document(
            name,
            words=draw(st.lists(st.sampled_from(["a", "ä ö", "_", "("]), min_size=length, max_size=length)),
            sentence=numbers,
            empty=draw(st.lists(st.booleans(), min_size=length, max_size=length)),
        )
        made = set()
        for _ in range(draw(st.integers(0, 8)) if length else 0):
            entity = draw(st.sampled_from(["e1", "e2", "é"]))
            places = sorted(draw(st.sets(st.integers(0, length - 1), min_size=1, max_size=5)))
            if (entity, *places) in made:
                continue
            made.add((entity, *places))
            runs = runs_of(places)
            head = draw(st.none() | st.sampled_from(places))
            least = draw(st.none() | st.sampled_from(runs))
            attributes: dict[str, Any] = draw(
                st.dictionaries(st.sampled_from(["other", "note", "infstat"]), values, max_size=2)
            )
            mention = runs if len(runs) > 1 else runs[0]
            document.add_mention(
                entity, mention, head=None if head is None else (head, head), minimum=least, attributes=attributes
            )
            document.describe_entity(entity, **draw(st.dictionaries(st.sampled_from(["type", "identity"]), values)))
            if draw(st.booleans()):
                document.add_relation("bridge", mention, [draw(st.sampled_from(["e1", "e2", "é"]))], draw(values))
    return draft.build_corpus()


def runs_of(places: Sequence[int]) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1] = runs[-1][0], place
        else:
            runs.append((place, place))
    return tuple(runs)


@given(corpora())
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    fitted, _ = fitting.fit_corpus(corpus, corefud.CAPACITY, "corefud")
    try:
        written = corefud.write(fitted)
    except InputError as error:
        assert "would be taken for those of another mention" in str(error)  # noqa: PT017
        return
    again = read(written)
    before, after = described(fitted), described(again)
    for found in (*before.values(), *after.values()):
        found.pop("relations")  # a mention may not be the one that bridges, if another begins on the same word
    assert after == before
    assert described(read(corefud.write(again))) == described(again)


# Anything else

VALID = (
    "# newdoc id = a\n# global.Entity = eid-etype-head-minspan-other\n# sent_id = 1\n"
    + sentence("Entity=(e1-person-1-1-x:y(e2[1/2]-x-2", "Entity=e2[1/2])", "Entity=(e2[2/2]-x-2)e1)|SpaceAfter=No")
    + "# newdoc id = b\n"
    + sentence("Entity=(e1)", "Bridge=e1<e3:part|Entity=(e3-place-1)(e4)", "Entity=(e5)|SplitAnte=e1<e5,e3<e5")
    + line("1-2")
    + line("1")
    + line("1.1", "Entity=(e3--1)")
    + line("2")
).encode()

PIECES = [
    b"(",
    b")",
    b"-",
    b"\t",
    b"\n",
    b"|",
    b"Entity=",
    b"[1/2]",
    b"[2/2]",
    b"e1",
    b"<",
    b"#",
    b"\xff",
    b"%2D",
    b"\r\n",
    b"1",
    b"",
]


@given(
    st.lists(
        st.tuples(st.integers(0, len(VALID)), st.integers(0, 30), st.sampled_from(PIECES) | st.binary(max_size=3)),
        max_size=4,
    )
)
def test_anything_is_read_or_refused(changes: list[tuple[int, int, bytes]]) -> None:
    data = VALID
    for place, length, piece in changes:
        data = data[:place] + piece + data[place + length :]
    corefud.recognise(data)
    try:
        corpus = read(data)
    except InputError as error:
        assert error.faults  # noqa: PT017
    else:
        assert corpus.tokens is not None
        described(corpus)


def test_the_valid_file_is_valid() -> None:
    assert notices(VALID) == []
