"""Reading OntoNotes' normal form: leaves, traces, sections and chains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import onf_parser
import pytest
from hypothesis import given

import corefeval
from corefeval import Corpus, InputError
from corefeval.formats import onf
from corefeval.formats.base import File
from tests.cli.running import run
from tests.formats.content import entity_texts, notice_kinds, notice_lines
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

RULE, END = "-" * 120, "=" * 120


def sentence(*leaves: str, tagged: bool = True) -> str:
    """A sentence of leaves such as NNP/Kim, which is of that tag in the tree."""
    pairs = [leaf.split("/") for leaf in leaves]
    words = " ".join(word for _, word in pairs)
    tree = " ".join(f"({tag} {word})" for tag, word in pairs) if tagged else ""
    rows = "\n".join(f"    {number}   {word}" for number, (_, word) in enumerate(pairs))
    parts = [
        ("Plain sentence:", f"    {words}"),
        ("Treebanked sentence:", f"    {words}"),
        ("Tree:", f"    (TOP (S {tree}))"),
        ("Leaves:", rows),
    ]
    return "".join(f"{heading}\n{'-' * len(heading)}\n{content}\n\n" for heading, content in parts)


def chain(name: str, *mentions: str, type_: str = "IDENT", roles: tuple[str, ...] = ()) -> str:
    rows = [f"      {role:9}{mention}" for role, mention in zip(roles or ("",) * len(mentions), mentions, strict=True)]
    return "\n".join([f"    Chain {name} ({type_})", *rows]) + "\n\n"


def section(*sentences: str, chains: str, number: int = 0) -> str:
    heading = f"Coreference chains for section {number}:"
    body = f"{RULE}\n\n".join(["", *sentences])
    return f"{body}\n{END}\n{heading}\n{'-' * len(heading)}\n\n{chains}"


FIRST = sentence("NNP/Kim", "VBD/wanted", "-NONE-/*PRO*-1", "TO/to", "VB/sail")
SECOND = sentence("-NONE-/*pro*", "VBD/saw", "DT/the", "NN/sea", "-NONE-/*T*-2", "CD/0", "CD/*")
CHAINS = (
    chain("3", "0.0-0     Kim", "1.0-0     *pro*")
    + chain("7", "1.2-4     the sea *T*-2", f"0.3-4     to\n{' ' * 26}sail", type_="APPOS", roles=("HEAD", "ATTRIB"))
    + chain("9", "1.2-4     the sea *T*-2")
)
FILE = section(FIRST, SECOND, chains=CHAINS)


def read(text: str = FILE) -> Corpus:
    return onf.read(File("d.onf", text.encode(), "d", lambda suffix: None))


def test_chains_are_entities_and_traces_that_are_mentions_zeros() -> None:
    found = read()
    (document,) = found
    assert document.sentences == [["Kim", "wanted", "to", "sail"], ["*pro*", "saw", "the", "sea", "0", "*"]]
    assert found.tokens is not None
    assert found.tokens.unwritten.tolist() == [False] * 4 + [True] + [False] * 5
    assert {entity.name: [mention.id for mention in entity] for entity in document} == {
        "3": [(0, 0), (4, 4)],
        "9": [(6, 7)],
    }
    (layer,) = found.layers["appos"]
    assert [(mention.id, mention.attributes) for mention in layer.mentions] == [
        ((2, 3), {"role": "ATTRIB"}),
        ((6, 7), {"role": "HEAD"}),
    ]
    assert not found.notices


def test_it_is_what_onf_parser_reads(tmp_path: Path) -> None:
    (tmp_path / "a.onf").write_text(FILE)
    (theirs,) = onf_parser.parse_file(str(tmp_path / "a.onf"))
    expected = {
        each.id: [(mention.sentence_id, mention.token_id_range) for mention in each.mentions]
        for each in theirs.chains
        if each.type == "IDENT"
    }
    assert expected == {"3": [(0, (0, 0)), (1, (0, 0))], "9": [(1, (2, 4))]}
    leaves = [
        token for each in theirs.sentences for token in each.treebanked_sentence.tokens
    ]  # its leaves lack the last
    ours = read()
    (document,) = ours
    texts = {
        name: [" ".join(word for word in theirs.sentences[number].treebanked_sentence.tokens[first : last + 1] if word != "*T*-2")
               for number, (first, last) in spans]
        for name, spans in expected.items()
    }  # fmt: skip
    assert {entity.name: [mention.text for mention in entity] for entity in document} == texts
    assert [leaf for leaf in leaves if leaf not in ("*PRO*-1", "*T*-2")] == document.words


def test_several_sections_are_documents_and_one_without_chains_says_so() -> None:
    other = section(FIRST, chains=chain("3", "0.0-0     Kim"), number=1)
    found = read(f"{FILE}\n{other}")
    assert found.documents == ("d_0", "d_1")
    assert [len(each.entities) for each in found] == [2, 1]
    bare = read(f"{RULE}\n\n{FIRST}")
    assert (bare.documents, notice_kinds(bare)) == (("d",), ["no-coreference"])


def test_without_a_tree_traces_are_known_by_their_form() -> None:
    found = read(
        section(sentence("X/Kim", "X/*T*-1", "X/*", "X/0", "X/*-12", tagged=False), chains=chain("1", "0.0-0  Kim"))
    )
    assert [each.words for each in found] == [["Kim", "0"]]


def test_what_is_left_out_or_differs_is_said() -> None:
    found = read(
        section(FIRST, chains=chain("1", "0.0-0     Kim", type_="WHOLE") + chain("2", "0.4-4     steal") + chain("3"))
    )
    assert entity_texts(found) == {"2": ["sail"]}
    begin = section(FIRST, chains="").count("\n") + 1
    assert notice_lines(found) == [("text-differs", begin + 4), ("skipped-line", begin), ("empty-entity", None)]


def test_every_fault_is_reported_with_its_line() -> None:
    chains = (
        "    nonsense\n"
        + chain("1", "2.0-0     x", "0.4-5     sail", "0.2-1     x")
        + chain("1", "0.0-0  Kim")
        + "    Chain 5 (IDENT)\n   what\n"
    )
    with pytest.raises(InputError) as caught:
        read(section(FIRST, chains=chains))
    begin = section(FIRST, chains="").count("\n") + 1
    assert [(fault.line, str(fault).split(": ", 1)[1].partition(";")[0]) for fault in caught.value.faults] == [
        (begin, "'nonsense' is no chain"),
        (begin + 2, "mention 2.0-0 is not within the leaves of the section"),
        (begin + 3, "mention 0.4-5 is not within the leaves of the section"),
        (begin + 4, "mention 0.2-1 is not within the leaves of the section"),
        (begin + 6, "chain 1 is there already, on line " + str(begin + 1)),
        (begin + 10, "'what' is no mention"),
    ]


def test_files_are_recognised_and_converted(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(FILE)
    assert corefeval.read(tmp_path / "a").format == "onf"
    assert run("validate", tmp_path / "a").returncode == 0
    assert run("convert", tmp_path / "a", tmp_path / "a.conll").returncode == 0
    assert [each.words for each in corefeval.read(tmp_path / "a.conll")] == [
        ["Kim", "wanted", "to", "sail", "saw", "the", "sea", "0", "*"]
    ]
    with pytest.raises(InputError, match="no leaves"):
        read("Plain sentence:\n")


@given(
    edits("(", ")", "1", "-", ".", "Chain", "Leaves:", "", "    0   x", "\0", "99", "Coreference chains for section 1:")
)
def test_damaged_files_give_a_corpus_or_an_error(made: Any) -> None:
    try:
        found = read(edited(FILE, made))
    except InputError as error:
        assert error.faults  # noqa: PT017 - either is fine
    else:
        assert isinstance(found, Corpus)
