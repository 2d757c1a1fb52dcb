"""Reading and writing CoNLL-UA."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError
from corefeval.corpus.mentions import Spans
from corefeval.formats import ua
from corefeval.formats.base import File
from corefeval.formats.draft import Draft
from corefeval.formats.shared.fitting import fit_corpus
from corefeval.formats.ua.columns import STANDARD_COLUMNS
from tests.data import public_data
from tests.formats.content import notice_lines, sort_entities
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

    from corefeval.errors import Fault

COLUMNS = f"# global.columns = {' '.join(STANDARD_COLUMNS)}"

# "The house has a door." after the examples of the format's definition, with every column in use.
STORY = f"""{COLUMNS}
# newdoc id = story
# sent_id = story-1
# text = Kim met the man .
1     Kim   _  _  _  _  _  _  _  _  (EntityID=1|MarkableID=m1|Min=1|SemType=dn|ElementOf=4)  _  (EntityID=1-DD|MarkableID=dd1|Min=2  Kim_(name)  (MarkableID=m1|Entity_Type=person)
2     met   _  _  _  _  _  _  _  _  _                                                        _  _                                  _           _
3     the   _  _  _  _  _  _  _  _  (EntityID=2|MarkableID=m2|Min=4|SemType=dn|ElementOf=4   _  _                                  _           (MarkableID=m2|Entity_Type=person|Genericity=no
4     man   _  _  _  _  _  _  _  _  )                                                        _  _                                  _           )
5     .     _  _  _  _  _  _  _  _  _                                                        _  )                                  _

# sent_id = story-2
# text = There the door told them that .
6     There  _  _  _  _  _  _  _  _  (EntityID=3-Pseudo|MarkableID=m3|SemType=expletive)  _                                                                  _                                  _  _
7     the    _  _  _  _  _  _  _  _  (EntityID=5|MarkableID=m4|Min=7,8                    (MarkableID=m4|Rel=poss|MentionAnchor=m2|EntityAnchor=2        _                                  _  _
8     door   _  _  _  _  _  _  _  _  )                                                    )                                                              _                                  _  _
8.1   pro    _  _  _  _  _  _  _  _  (EntityID=1|MarkableID=m5)                           _                                                              _                                  _  _
9     told   _  _  _  _  _  _  _  _  _                                                    _                                                              _                                  _  _
10    them   _  _  _  _  _  _  _  _  (EntityID=4|MarkableID=m6|Min=10|SemType=do)         _                                                              _                                  _  _
11    that   _  _  _  _  _  _  _  _  _                                                    _                                                              (EntityID=1-DD|MarkableID=dd2)     _  _
12    .      _  _  _  _  _  _  _  _  _                                                    _                                                              _                                  _  _
"""


def read(text: str | bytes, name: str = "file") -> Corpus:
    data = text if isinstance(text, bytes) else text.encode()
    return ua.read(File("f.conllua", data, name, lambda suffix: None))


def faults(text: str | bytes) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [(fault.line, fault.what) for fault in caught.value.faults]


def kinds(text: str) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        read(text)
    return [(fault.line, fault.kind) for fault in caught.value.faults]


def document(*cells: str, column: str = "IDENTITY", beside: tuple[str, ...] = ()) -> str:
    """A document of one column, and of IDENTITY where `beside` has its cells."""
    names = f"ID FORM {'IDENTITY ' if beside else ''}{column}"
    rows = zip(range(1, len(cells) + 1), beside, cells, strict=True) if beside else enumerate(cells, 1)
    lines = ["\t".join([str(number), f"w{number}", *cell]) for number, *cell in rows]
    return "\n".join([f"# global.columns = {names}", "# newdoc id = d", *lines, ""])


def entities(corpus: Corpus) -> dict[str, Any]:
    (found,) = corpus
    return {entity.name: [mention.id for mention in entity] for entity in found}


def content(corpus: Corpus) -> dict[str, Any]:
    """Everything that a corpus says, as plain objects."""
    tokens = corpus.tokens
    assert tokens is not None
    found: dict[str, Any] = {}
    for number, each in enumerate(corpus):
        here = slice(int(tokens.bounds[number]), int(tokens.bounds[number + 1]))
        found[each.name] = {
            "sentences": each.sentences,
            "empty": [] if tokens.empty is None else tokens.empty[here].tolist(),
            "words": {name: values[here] for name, values in tokens.attributes.items()},
            "entities": {e.name: [(m.runs, m.minimum, m.attributes) for m in e] for e in each},
            "relations": [relation._replace(attributes=dict(relation.attributes)) for relation in each.relations],
        }
    return {**found, **{f"layer {name}": content(layer) for name, layer in corpus.layers.items()}}


def written(corpus: Corpus, *lost: str) -> bytes:
    part, left = fit_corpus(corpus, ua.CAPACITY, "ua")
    assert tuple(notice.kind for notice in left) == lost
    return ua.write(part)


def test_words_sentences_and_zeros() -> None:
    (story,) = corpus = read(STORY)
    assert story.name == "story"
    assert story.sentences == [["Kim", "met", "the", "man", "."],
                               ["There", "the", "door", "pro", "told", "them", "that", "."]]  # fmt: skip
    assert [mention.text for mention in story.mentions if mention.is_zero] == ["pro"]
    assert [mention.line for mention in story.mentions] == [5, 7, 14, 16, 18]
    assert corpus.tokens is not None
    assert corpus.tokens.attributes == {"reference": ["Kim_(name)", *[""] * 12]}


def test_entities_with_minimum_spans_and_attributes() -> None:
    corpus = read(STORY)
    assert entities(corpus) == {"1": [(0, 0), (8, 8)], "2": [(2, 3)], "5": [(6, 7)], "4": [(10, 10)]}
    (story,) = corpus
    assert [mention.minimum for mention in story.mentions] == [(0, 0), (3, 3), (6, 7), None, (10, 10)]
    assert [mention.attributes for mention in story.mentions] == [
        {"MarkableID": "m1", "SemType": "dn"},
        {"MarkableID": "m2", "SemType": "dn"},
        {"MarkableID": "m4"},
        {"MarkableID": "m5"},
        {"MarkableID": "m6", "SemType": "do"},
    ]
    assert corpus.notices == ()


def test_relations_and_layers() -> None:
    corpus = read(STORY)
    assert [(r.kind, r.source, r.targets, r.label, dict(r.attributes)) for r in corpus.relations] == [
        ("split", "4", ("1", "2"), "", {}),
        ("bridge", (6, 7), ("2",), "poss", {"MarkableID": "m4", "MentionAnchor": "m2"}),
    ]
    assert {name: entities(layer) for name, layer in corpus.layers.items()} == {
        "non_referring": {"3-Pseudo": [(5, 5)]},
        "discourse_deixis": {"1-DD": [(0, 4), (11, 11)]},
        "nom_sem": {"m1": [(0, 0)], "m2": [(2, 3)]},
    }
    (described,) = corpus.layers["nom_sem"]
    assert [mention.attributes for mention in described.mentions] == [
        {"MarkableID": "m1", "Entity_Type": "person"},
        {"MarkableID": "m2", "Entity_Type": "person", "Genericity": "no"},
    ]
    (deixis,) = corpus.layers["discourse_deixis"]
    assert [mention.minimum for mention in deixis.mentions] == [(1, 1), None]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(EntityID=1)", "_", "(EntityID=1)"], {"1": [(0, 0), (2, 2)]}),
        (["(EntityID=1", "", ")"], {"1": [(0, 2)]}),
        (["(EntityID=1(EntityID=2)", ")"], {"1": [(0, 1)], "2": [(0, 0)]}),
        (["(EntityID=2)(EntityID=1", ")"], {"1": [(0, 1)], "2": [(0, 0)]}),
        (["(EntityID=1", ")(EntityID=2)", "(EntityID=3)"], {"1": [(0, 1)], "2": [(1, 1)], "3": [(2, 2)]}),
        (["(EntityID=1", "(EntityID=2)", "))"], InputError),
        (["(EntityID=1(EntityID=2", "_", "))"], {"1": [(0, 2)], "2": [(0, 2)]}),
        # as in the definition's examples: a mention of one word, and the one around it
        (["(EntityID=1", "_", "(EntityID=2))"], {"1": [(0, 2)], "2": [(2, 2)]}),
        (["(EntityID=1@(EntityID=2)", "_", ")@(EntityID=3)"], {"1": [(0, 2)], "2": [(0, 0)], "3": [(2, 2)]}),
        (["(EntityId=1|MarkableId=a", "_", ")"], {"1": [(0, 2)]}),
        (["(EntityID=1) (EntityID=2", ")", "_"], {"1": [(0, 0)], "2": [(0, 1)]}),
        # closing brackets that bear a name, where mentions cross
        (["(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b", "a)", "b)"], {"1": [(0, 2)], "2": [(1, 3)]}),
        (["(EntityID=1|MarkableID=a", "(EntityID=1|MarkableID=b", "a)", "b)"], {"1": [(0, 2), (1, 3)]}),
        (["(EntityID=1|MarkableID=a", "a)(EntityID=2|MarkableID=b", "b)"], {"1": [(0, 1)], "2": [(1, 2)]}),
        (["(EntityID=1|MarkableID=a(EntityID=2|MarkableID=b", "_", "a)b)"], {"1": [(0, 2)], "2": [(0, 2)]}),
        (["(EntityID=1|MarkableID=a(EntityID=2|MarkableID=b", "a)", ")"], {"1": [(0, 1)], "2": [(0, 2)]}),
        # mentions with gaps
        (["(EntityID=1|MarkableID=a)", "_", "(EntityID=1|MarkableID=a)"], {"1": [((0, 0), (2, 2))]}),
        (["(EntityID=1|MarkableID=a", ")", "_", "(EntityID=1|MarkableID=a)"], {"1": [((0, 1), (3, 3))]}),
        (["(EntityID=1|MarkableID=a)", "(EntityID=1|MarkableID=a)"], {"1": [(0, 1)]}),
    ],
)  # fmt: skip
def test_brackets(cells: list[str], expected: Any) -> None:
    if expected is InputError:
        assert kinds(document(*cells)) == [(5, "unbalanced-bracket")]
    else:
        assert entities(read(document(*cells))) == expected


def test_the_same_span_may_be_of_two_entities() -> None:
    corpus = read(document("(EntityID=1|MarkableID=a(EntityID=2|MarkableID=b", "))"))
    assert entities(corpus) == {"1": [(0, 1)], "2": [(0, 1)]}


def test_parts_that_overlap_are_taken_as_one_and_that_is_said() -> None:
    corpus = read(document("(EntityID=1|MarkableID=a", "(EntityID=1|MarkableID=a)", ")"))
    assert entities(corpus) == {"1": [(0, 2)]}
    assert notice_lines(corpus) == [("overlapping-parts", 4)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Min=2", (1, 1)),
        ("Min=2,3", (1, 2)),
        ("Min=2-3", (1, 2)),
        ("Min=4", (4, 4)),
        ("Min=3.1", (3, 3)),
        ("Min=3,3.1", (2, 3)),
        ("Min=", None),
    ],
)
def test_minimum_spans_count_the_written_words_of_the_document(given: str, expected: tuple[int, int] | None) -> None:
    text = "\n".join([
        "# global.columns = ID FORM IDENTITY", "# newdoc id = d",
        "1 a _", "", f"1 b (EntityID=1|{given}", "2 c _", "2.1 zero _", "3 d )",
    ])  # fmt: skip
    (mention,) = next(iter(read(text))).mentions
    assert (mention.runs, mention.minimum) == (((1, 4),), expected)
    assert mention.attributes == {}


@pytest.mark.parametrize("given", ["1", "1,2", "4", "2.1", "3.2", "0", "3,2", "x", "2,3,4", "-1", "9" * 5000, "2,"])
def test_what_is_not_a_span_within_the_mention_is_no_minimum(given: str) -> None:
    cells = ["_", f"(EntityID=1|Min={given}", ")", "_"]
    corpus = read(document(*cells))
    (mention,) = next(iter(corpus)).mentions
    assert (mention.minimum, mention.attributes) == (None, {"Min": given})
    assert notice_lines(corpus) == [("minimum-outside", 4)]
    assert content(read(written(corpus)))["d"]["entities"]["1"][0][2]["Min"] == given


def test_a_minimum_is_within_one_part_of_a_mention_with_gaps() -> None:
    assert notice_lines(read(document("(EntityID=1|MarkableID=a|Min=1,3)", "_", "(EntityID=1|MarkableID=a)"))) == [
        ("minimum-outside", 3)
    ]
    (found,) = read(document("(EntityID=1|MarkableID=a|Min=3)", "_", "(EntityID=1|MarkableID=a)"))
    assert [mention.minimum for mention in found.mentions] == [(2, 2)]


def test_misplaced_minimum_spans_are_counted_by_document() -> None:
    corpus = read(document("(EntityID=1|Min=7)", "(EntityID=1|Min=2)", "(EntityID=2-Pseudo|Min=1)"))
    assert [str(notice) for notice in corpus.notices] == [
        "f.conllua:3: 2 of 3 mentions of document 'd' have a Min that is not a span within them, "
        "and have no minimum, first Min=7"
    ]


def test_elements_of_plural_entities_in_the_order_of_the_entities() -> None:
    cells = ("(EntityID=3|ElementOf=9,8)", "(EntityID=1)", "(EntityID=1|ElementOf=9)", "(EntityID=2-Pseudo|ElementOf=9)",
             "(EntityID=8)", "(EntityID=9|ElementOf=8)", "(EntityID=3|ElementOf=9)")  # fmt: skip
    corpus = read(document(*cells))
    assert [(relation.source, relation.targets) for relation in corpus.relations] == [
        ("8", ("3", "9")),
        ("9", ("3", "1", "2-Pseudo")),
    ]
    assert content(read(written(corpus)))["d"]["relations"] == content(corpus)["d"]["relations"]


def test_discourse_deixis_has_elements_of_its_own() -> None:
    column = "DISCOURSE_DEIXIS"
    layer = read(document("(EntityID=1|ElementOf=2)", "(EntityID=2)", column=column)).layers["discourse_deixis"]
    assert [(relation.source, relation.targets) for relation in layer.relations] == [("2", ("1",))]


def test_elements_of_nothing_and_of_themselves_are_left_out() -> None:
    corpus = read(document("(EntityID=1|ElementOf=1)", "(EntityID=1|ElementOf=7)"))
    assert corpus.relations == ()
    assert notice_lines(corpus) == [("self-link", 3), ("dangling-reference", 4)]


def test_elements_of_each_other_are_refused() -> None:
    cells = ("(EntityID=1|ElementOf=2)", "(EntityID=2|ElementOf=3)", "(EntityID=3|ElementOf=1,4)", "(EntityID=4)")
    assert kinds(document(*cells)) == [(4, "reference-cycle")]
    ((_, what),) = faults(document(*cells))
    assert what == "entities that are elements of each other: 2 of 3 of 1 of 2"


@pytest.mark.parametrize(
    ("bridging", "source", "targets"),
    [
        (["_", "(MarkableID=b|Rel=r|EntityAnchor=1", ")"], (1, 2), ("1",)),
        (["_", "(MarkableID=b|Rel=r|MentionAnchor=a", ")"], (1, 2), ("1",)),
        (["_", "MarkableID=b|Rel=r|MentionAnchor=a", "_"], (1, 2), ("1",)),
        (["_", "Rel=r|EntityAnchor=1", "_"], (1, 2), ("1",)),
        (["_", "_", "(MarkableID=z|Rel=r|EntityAnchor=1)"], (2, 2), ("1",)),
        (["_", "(Rel=r|EntityAnchor=1-Pseudo)", "_"], (1, 1), ("1-Pseudo",)),
    ],
)
def test_bridging(bridging: list[str], source: object, targets: tuple[str, ...]) -> None:
    identity = ("(EntityID=1|MarkableID=a)(EntityID=1-Pseudo)", "(EntityID=2|MarkableID=b", ")")
    corpus = read(document(*bridging, column="BRIDGING", beside=identity))
    ((relation),) = corpus.relations
    assert (relation.kind, relation.source, relation.targets, relation.label) == ("bridge", source, targets, "r")
    assert corpus.notices == ()


def test_an_anaphor_may_have_two_anchors_and_gaps() -> None:
    identity = ("(EntityID=1|MarkableID=a)", "(EntityID=2|MarkableID=b)", "(EntityID=1)", "(EntityID=2|MarkableID=b)")
    one, two = "(MarkableID=b|EntityAnchor=1)", "(MarkableID=b|EntityAnchor=2)"
    corpus = read(document("_", one + two, "_", one + two, column="BRIDGING", beside=identity))
    assert [(each.source, each.targets) for each in corpus.relations] == [
        (((1, 1), (3, 3)), ("1",)),
        (((1, 1), (3, 3)), ("2",)),
    ]
    assert content(read(written(corpus)))["d"]["relations"] == content(corpus)["d"]["relations"]


@pytest.mark.parametrize(
    ("bridging", "relations"),
    [
        ("(MarkableID=a|MentionAnchor=z|EntityAnchor=1)", 1),
        ("(MarkableID=a|EntityAnchor=9)", 1),
        ("(MarkableID=a|Rel=r)", 1),
        ("MarkableID=z|EntityAnchor=1", 0),
    ],
)
def test_bridging_that_leads_nowhere_is_said(bridging: str, relations: int) -> None:
    corpus = read(document(bridging, "_", column="BRIDGING", beside=("(EntityID=1|MarkableID=a)", "_")))
    assert notice_lines(corpus) == [("dangling-reference", 3)]
    assert len(corpus.relations) == relations


def test_nominal_semantics_without_brackets_or_names() -> None:
    identity = ("(EntityID=1|MarkableID=a", ")", "(EntityID=2)", "_")
    cells = ("Type=x", "_", "(Type=y)", "Type=z")
    corpus = read(document(*cells, column="NOM_SEM", beside=identity))
    assert entities(corpus.layers["nom_sem"]) == {"#1": [(0, 1)], "#2": [(2, 2)]}
    assert notice_lines(corpus) == [("dangling-reference", 6)]
    assert entities(read(written(corpus)).layers["nom_sem"]) == {"#1": [(0, 1)], "#2": [(2, 2)]}


def test_columns_in_any_order_and_number() -> None:
    text = "# global.columns = IDENTITY FORM RST\n# newdoc id = d\n(EntityID=1)\t#1\t_\n_\t#\tx y\n#\tb\t_\n"
    assert faults(text) == [(5, "'#' in IDENTITY")]
    corpus = read(text.replace("\n#\t", "\n_\t"))
    (found,) = corpus
    assert (found.words, entities(corpus)) == (["#1", "#", "b"], {"1": [(0, 0)]})
    assert corpus.tokens is not None
    assert corpus.tokens.attributes == {"rst": ["", "x y", ""]}


def test_standard_columns_where_none_are_named_and_cells_missing_at_the_end() -> None:
    row = "1 a _ _ _ _ _ _ _ _ (EntityID=1)"
    assert entities(read(f"# newdoc id = d\n{row}\n")) == {"1": [(0, 0)]}
    tabs = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\t\t\t\t\t\t"
    assert entities(read(f"# newdoc id = d\n{tabs}\n{row} \t\n{row.replace(' ', chr(9))}\r\n")) == {
        "1": [(1, 1), (2, 2)]
    }


def test_columns_may_change_between_documents_but_not_within() -> None:
    one, two = "# global.columns = ID FORM IDENTITY", "# global.columns = IDENTITY FORM"
    corpus = read(f"{one}\n# newdoc id = a\n1 x (EntityID=1)\n{two}\n# newdoc id = b\n(EntityID=1) y\n")
    assert corpus.entities() == {"a": [[(0, 0)]], "b": [[(0, 0)]]}
    assert faults(f"{one}\n1 x (EntityID=1)\n{two}\n(EntityID=1) y\n")[0] == (4, "columns change within a document")


def test_documents_without_a_name_get_that_of_the_file() -> None:
    line = "1 a _ _ _ _ _ _ _ _ (EntityID=1)\n"
    assert read(line, "story").documents == ("story",)
    assert read(f"# newdoc\n{line}# newdoc\n{line}# newdoc id = \n", "story").documents == (
        "story",
        "story-2",
        "story-3",
    )
    assert faults(f"{line}{line}# newdoc id = d\n{line}") == [(1, "2 words outside a document")]


def test_sentences_end_with_blank_lines_or_where_others_begin() -> None:
    line = "1 a _ _ _ _ _ _ _ _ _"
    (found,) = read(f"# newdoc id = d\n\n{line}\n# sent_id = 2\n# text = a\n{line}\n{line}\n \n\n{line}\n")
    assert [len(sentence) for sentence in found.sentences or ()] == [1, 2, 1]


def test_words_with_blanks_and_forms_of_several_words() -> None:
    lines = ["# global.columns = ID FORM IDENTITY", "1-2\tdu\t_", "1\tde la\t_", "2\ta\xa0b\t(EntityID=é)"]
    (found,) = corpus = read("\ufeff" + "\r\n".join(lines) + "\r\n")
    assert (found.words, entities(corpus)) == (["de la", "a\xa0b"], {"é": [(1, 1)]})
    assert faults("\n".join([lines[0], "1-2\tdu\t(EntityID=1)", *lines[2:]])) == [
        (2, "IDENTITY on the form of several words")
    ]


def test_keys_that_the_draft_of_a_mention_takes_itself() -> None:
    (mention,) = next(iter(read(document("(EntityID=1|line=x|head=y|entity=z|self=s)")))).mentions
    assert mention.attributes == {"line": "x", "head": "y", "entity": "z", "self": "s"}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(EntityID=1", "_"], [(3, "(EntityID=1 in IDENTITY is never closed")]),
        (["_", ")"], [(4, ") in IDENTITY closes a mention that was not opened")]),
        (["(EntityID=1|MarkableID=a", "b)", ")"], [(4, "b) in IDENTITY closes a mention that was not opened")]),
        (["(EntityID=1|MarkableID=a)", "a)"], [(4, "a) in IDENTITY closes a mention that was not opened")]),
        (["(MarkableID=a)"], [(3, "(MarkableID=a in IDENTITY: a mention without EntityID")]),
        (["(EntityID=)"], [(3, "(EntityID= in IDENTITY: a mention without EntityID")]),
        (["(1", "1)"], [(3, "(1 in IDENTITY"), (4, "1) in IDENTITY closes a mention that was not opened")]),
        (["()"], [(3, "( in IDENTITY")]),
        (["(EntityID=1|EntityId=2)"], [(3, "(EntityID=1|EntityId=2 in IDENTITY")]),
        (["EntityID=1"], [(3, "'EntityID=1' in IDENTITY")]),
        (["(EntityID=1)x"], [(3, "'x' in IDENTITY")]),
        (["-"], [(3, "'-' in IDENTITY")]),
        (["(EntityID=1|MarkableID=a)", "(EntityID=2|MarkableID=a)"], [(4, "a in IDENTITY is of entity 1 and of 2")]),
    ],
)
def test_faults_of_brackets(cells: list[str], expected: list[tuple[int, str]]) -> None:
    assert faults(document(*cells)) == expected


def test_what_opens_in_one_document_is_not_closed_in_another() -> None:
    one = document("(EntityID=1", "_")
    assert faults(one + document(")").replace("id = d", "id = e")) == [
        (3, "(EntityID=1 in IDENTITY is never closed"),
        (7, ") in IDENTITY closes a mention that was not opened"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(1, "no document")]),
        ("# sent_id = 1\n\n", [(1, "no document")]),
        ("# newdoc id = d\n1 a\n", [(2, "a line of 2 cells")]),
        ("# newdoc id = d\nnonsense\n", [(2, "'nonsense' alone on a line")]),
        ("# newdoc id = d\n" + "x " * 16, [(2, "a line of 16 cells")]),
        ("# newdoc id = d\nx" + " _" * 14, [(2, "'x' as the ID of a word")]),
        ("# global.columns = ID FORM\n", [(1, "'# global.columns = ID FORM'"), (1, "no document")]),
        ("# global.columns = ID IDENTITY\n", [(1, "'# global.columns = ID IDENTITY'"), (1, "no document")]),
        ("# global.columns = FORM FORM IDENTITY\n# newdoc\n", [(1, "'# global.columns = FORM FORM IDENTITY'")]),
        ("# newdoc id = d\n# newdoc id = d\n", [(2, "document 'd' is there already")]),
        (b"# newdoc id = d\n1 \xe9 _ _ _ _ _ _ _ _ _\n\n1 \xe9 _ _ _ _ _ _ _ _ )\n",
         [(2, "bytes that are not UTF-8"), (4, "bytes that are not UTF-8"), (4, ") in IDENTITY closes a mention that was not opened")]),
        (b"# newdoc id = d\n\0\n", [(2, "a NUL byte: this is not a text file")]),
    ],
)  # fmt: skip
def test_faults_of_lines(text: str | bytes, expected: list[tuple[int, str]]) -> None:
    assert faults(text) == expected


def test_ten_faults_are_ten() -> None:
    assert len(faults(document(*[")"] * 10))) == 10


def test_it_is_recognised_by_its_columns_or_mentions() -> None:
    assert ua.recognise(STORY.encode())
    assert ua.recognise(b"\xef\xbb\xbf" + STORY.encode())
    assert ua.recognise(STORY.split("\n", 1)[1].encode())
    assert ua.recognise(ua.EXAMPLE.encode())
    for other in (
        b"#begin document (a); part 000\na\t0\t0\tw\t(1)\n#end document\n",
        b"# newdoc id = d\n# global.Entity = eid-etype-head-other\n1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-x-1-)\n",
        b"# global.columns = ID FORM UPOS\n1\ta\tX\n",
        b'{"EntityID": "(EntityID=1)"}',
        b"",
    ):
        assert not ua.recognise(other)


def test_the_example_is_read() -> None:
    assert entities(read(ua.EXAMPLE)) == {"1": [(0, 1)]}


def test_everything_is_written_and_read_again() -> None:
    corpus = read(STORY)
    assert content(read(written(corpus))) == content(corpus)


def test_what_is_written() -> None:
    text = "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n1 a (EntityID=1\n1.1 z (EntityID=2)\n2 b )\n"
    dashes = "\t".join("_" * 8)
    assert written(read(text)).decode() == "\n".join([
        COLUMNS,
        "# newdoc id = d",
        "# sent_id = d-1",
        "# text = a b",
        f"1\ta\t{dashes}\t(EntityID=1|MarkableID=markable_1\t_\t_\t_\t_",
        f"1.1\tz\t{dashes}\t(EntityID=2|MarkableID=markable_2)\t_\t_\t_\t_",
        f"2\tb\t{dashes}\t)\t_\t_\t_\t_",
        "", "",
    ])  # fmt: skip


def test_closing_brackets_are_named_in_a_column_where_mentions_cross_and_in_no_other() -> None:
    draft = Draft("x")
    found = draft.add_document("d", words=list("abcd"))
    found.add_mention("1", (0, 2))
    found.add_mention("2", (1, 3))
    found.add_mention("2", (0, 1))
    found.get_layer("discourse_deixis").add_mention("3", (0, 1))
    found.get_layer("discourse_deixis").add_mention("3", (1, 2))
    corpus = draft.build_corpus()
    rows = [line.split("\t") for line in written(corpus).decode().split("\n") if line[:1].isdigit()]
    assert [row[10].partition("(")[0] for row in rows] == ["", "markable_2)", "markable_1)", "markable_3)"]
    assert [row[12].partition("(")[0] for row in rows] == ["", ")", ")", "_"]
    again = read(written(corpus))
    assert entities(again) == {"1": [(0, 2)], "2": [(0, 1), (1, 3)]}
    assert entities(again.layers["discourse_deixis"]) == {"3": [(0, 1), (1, 2)]}


def test_names_that_cannot_be_written_are_replaced_and_stay_different() -> None:
    draft = Draft("x")
    found = draft.add_document("a \n b", words=["two words", "", "\u2028", "x\0y"])
    for place, name in enumerate(["(1)", "|1|", "1,2", "x-Pseudo"]):
        odd: Any = {"a b": "c|d", "elementof": "(@", "min": "7"}
        found.add_mention(name, (place, place), attributes={"MarkableID": "same", **odd})
    found.get_layer("non_referring").add_mention("x", (0, 0))
    found.get_layer("non_referring").add_mention("x-Pseudo", (1, 1))
    corpus = read(written(draft.build_corpus(), "lost-blanks", "lost-empty-words", "lost-document-name"))
    assert corpus.documents == ("a b",)
    assert next(iter(corpus)).words == ["two_words", "_", "\u2028", "x_y"]
    assert entities(corpus) == {"_1_": [(0, 0)], "_1__2": [(1, 1)], "1_2": [(2, 2)], "x_Pseudo": [(3, 3)]}
    assert entities(corpus.layers["non_referring"]) == {"x-Pseudo": [(0, 0)], "x_2-Pseudo": [(1, 1)]}
    attributes = [mention.attributes for mention in next(iter(corpus)).mentions]
    assert [each.pop("MarkableID") for each in attributes] == ["same", "same_2", "same_3", "same_4"]
    assert attributes == [{"a_b": "c_d", "elementof_": "__", "min_": "7"}] * 4


def test_relations_of_other_formats_are_written() -> None:
    draft = Draft("x")
    found = draft.add_document("d", words=list("abcde"))
    for place, name in enumerate(["p", "q", "r", "s"]):
        found.add_mention(name, (place, place))
    found.add_relation("split", "r", ("p", "q", "gone"))
    found.add_relation("split", "gone", ("p",))
    found.add_relation("bridge", "s", ("p", "q"), "part")
    found.add_relation("bridge", (4, 4), ("r",))
    found.add_relation("bridge", "gone", ("r",))
    found.add_relation("bridge", (2, 2), ())
    corpus = read(written(draft.build_corpus()))
    assert [(each.kind, each.source, each.targets, each.label) for each in corpus.relations] == [
        ("split", "r", ("p", "q"), ""),
        ("bridge", (2, 2), (), ""),
        ("bridge", (3, 3), ("p",), "part"),
        ("bridge", (3, 3), ("q",), "part"),
        ("bridge", (4, 4), ("r",), ""),
    ]


def test_words_need_not_be_known() -> None:
    corpus = Corpus.from_entities({"d": [[(0, 1), (3, 3)]], "e": []})
    again = read(written(corpus))
    assert again.entities() == {"d": [[(0, 1), (3, 3)]], "e": []}
    assert next(iter(again)).words == ["_"] * 4


def test_mentions_behind_the_last_word_are_refused() -> None:
    corpus = read(document("(EntityID=1)"))
    assert isinstance(corpus.mentions, Spans)
    longer = corpus.replace(mentions=Spans(corpus.mentions.start, corpus.mentions.end + 1))
    with pytest.raises(InputError, match="ends after the last word of document 'd'"):
        ua.write(longer)


def test_other_columns_of_words_are_kept() -> None:
    words = "1\ta\tA\tX\t_\t_\t0\troot\t0:root\tk=v\t(EntityID=1)\t_\t_\tWiki\t_\tj\n"
    corpus = read(f"{COLUMNS} RST\n# newdoc id = d\n{words}# newdoc id = e\n")
    assert corpus.tokens is not None
    expected = {"lemma": ["A"], "upos": ["X"], "deprel": ["root"], "misc": ["k=v"], "reference": ["Wiki"], "rst": ["j"]}
    assert corpus.tokens.attributes == expected
    again = read(written(corpus)).tokens
    assert again is not None
    assert again.attributes == expected


SCORER = "ua-scorer"


def public_files(folder: str = "") -> list[Any]:
    return [
        path for path in sorted((public_data(SCORER) / folder).rglob("*")) if path.is_file() and path.suffix != ".json"
    ]


def test_all_files_of_the_scorers_suite_are_read_without_complaint_and_written_again() -> None:
    paths = public_files()
    assert len(paths) == 137
    for path in paths:
        corpus = read(path.read_bytes())
        assert corpus.notices == (), path
        again = written(corpus)
        assert content(read(again)) == content(corpus), path
        assert written(read(again)) == again, path


def test_its_files_are_recognised_whatever_they_are_called(tmp_path: Path) -> None:
    for name in ("a.key", "a.conllua", "a.txt"):
        (tmp_path / name).write_text(STORY, encoding="utf-8")
        assert corefeval.read(tmp_path / name).format == "ua"


def test_the_reference_cases_are_the_same_in_both_formats() -> None:
    other = public_data("conll-scorer")
    compared = 0
    for path in public_files("original-conll"):
        if (other / path.name).is_file():
            (here,) = read(path.read_bytes()).entities().values()
            (there,) = corefeval.read(other / path.name).entities().values()
            assert sort_entities(here) == sort_entities(there), path
            compared += 1
    assert compared == 50


def test_what_the_suite_has_beyond_that() -> None:
    data = public_data(SCORER)
    plural = read((data / "plural" / "TC-PB.key").read_bytes())
    assert [(each.source, each.targets) for each in plural.relations] == [("4", ("1", "2")), ("5", ("1", "3"))]
    gaps = read((data / "discontinuous-craft" / "TC-Q.key").read_bytes())
    assert entities(gaps) == {"0": [((0, 0), (2, 2), (7, 7)), ((4, 5), (9, 10), (12, 12)), ((14, 14), (16, 18))]}
    crossing = read((data / "partial-match-corefud" / "overlapping_mentions" / "TC-OLMA.key").read_bytes())
    assert entities(crossing)["10043"] == [(1, 12), (47, 47)]
    (found,) = crossing
    assert [mention.minimum for mention in found.mentions[:2]] == [(9, 9), (2, 2)]
    zeros = read((data / "zeros" / "TC-ZB.key").read_bytes())
    assert [mention.id for mention in next(iter(zeros)).mentions if mention.is_zero] == [(14, 14), (15, 15)]


names = st.text(alphabet="ab1-_é", min_size=1, max_size=4).filter(lambda name: not name.endswith("-Pseudo"))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Anything that the format can carry, with the names that it asks for."""
    draft = Draft("x")
    for number in range(draw(st.integers(1, 2))):
        empty = draw(st.lists(st.booleans(), min_size=1, max_size=9))
        length = len(empty)
        sentence = sorted(draw(st.lists(st.integers(0, 3), min_size=length, max_size=length)))
        words = draw(st.lists(st.text(alphabet="aß#_()", min_size=1, max_size=3), min_size=length, max_size=length))
        found = draft.add_document(f"d {number}", words=words, sentence=sentence, empty=empty)
        span = st.tuples(st.integers(0, length - 1), st.integers(0, length - 1)).map(
            lambda pair: (min(pair), max(pair))
        )
        for part, suffix in (
            (found, ""), (found.get_layer("non_referring"), "-Pseudo"), (found.get_layer("discourse_deixis"), ""),
        ):  # fmt: skip
            for row in range(draw(st.integers(0, 5))):
                runs = draw(st.lists(span, min_size=1, max_size=3, unique=True).map(apart))
                minimum = draw(st.sampled_from([None, *runs]))
                part.add_mention(
                    draw(names) + suffix,
                    runs,
                    minimum=minimum,
                    attributes={"MarkableID": f"m{len(suffix)}{row}", "SemType": draw(names)},
                )
        listed = list(found.entities)
        for place, plural in enumerate(listed):
            elements = draw(st.lists(st.sampled_from(listed[:place]), unique=True)) if place else []
            if elements:
                found.add_relation("split", plural, elements)
    return draft.build_corpus()


def apart(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans in order, without those that touch another."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if not found or first > found[-1][1] + 1:
            found.append((first, last))
    return tuple(found)


def unordered(found: Any) -> Any:
    """Content without what order says; layers and documents with nothing in them are as good as none."""
    plain: dict[str, Any] = {}
    for name, each in found.items():
        if name.startswith("layer "):
            inside = {key: value for key, value in unordered(each).items() if value["entities"]}
            plain |= {name: inside} if inside else {}
        else:
            relations = {(r.kind, r.source, frozenset(r.targets)) for r in each["relations"]}
            rows = {name: sorted(map(repr, mentions)) for name, mentions in each["entities"].items()}
            plain[name] = {
                **each,
                "entities": rows,
                "relations": relations,
                "empty": [*each["empty"]] * any(each["empty"]),
            }
    return plain


@given(corpora())
def test_any_corpus_is_written_and_read_again(corpus: Corpus) -> None:
    again = read(written(corpus))
    assert unordered(content(again)) == unordered(content(corpus))
    assert ua.write(again) == written(read(written(again)))


LINES = STORY.encode().splitlines(keepends=True)
damages = st.lists(
    st.tuples(st.sampled_from(["delete", "insert", "replace", "line", "double"]), st.integers(0, len(STORY)),
              st.sampled_from([b"(", b")", b"|", b"=", b"\t", b" ", b"\n", b"#", b"_", b"\xff", b",", b"1", b"@", b"."])),
    min_size=1, max_size=6,
)  # fmt: skip


@given(damages)
def test_damaged_files_are_read_or_refused(changes: list[tuple[str, int, bytes]]) -> None:
    data = STORY.encode()
    for what, place, piece in changes:
        lines = data.splitlines(keepends=True)
        row = place % max(1, len(lines))
        data = {
            "delete": data[:place] + data[place + 3 :],
            "insert": data[:place] + piece + data[place:],
            "replace": data[:place] + piece + data[place + 1 :],
            "line": b"".join(lines[:row] + lines[row + 1 :]),
            "double": b"".join(lines[: row + 1] + lines[row:]),
        }[what]
    corpus = corpus_or_faults(data)
    if isinstance(corpus, Corpus):
        assert content(read(written(corpus)))
    else:
        assert all(fault.line for fault in corpus)


def corpus_or_faults(data: bytes) -> Corpus | tuple[Fault, ...]:
    try:
        return read(data)
    except InputError as error:
        return error.faults


BODY = STORY.split("\n", 2)[2]
WORD_EDITS = edits("(", ")", "|", "=", "_", "#", "1", "@", ".", "m1)", "MarkableID=m2", "(EntityID=2)", "é")


def outcome(text: str, before: int = 0) -> tuple[object, list[tuple[object, ...]]]:
    """The content of a file, if it can be read, and its faults and notices, their lines counted from another place."""
    found = corpus_or_faults(text.encode())
    if isinstance(found, Corpus):
        return content(found), [(each.kind, (each.line or 0) + before, each.message) for each in found.notices]
    return None, [(fault.kind, (fault.line or 0) + before, fault.what) for fault in found]


def mentions_by_layer(corpus: Corpus, name: str) -> dict[str, object]:
    """The mentions of a document by entity, and its relations, for the corpus itself and for its layers."""
    layers = {"": corpus, **corpus.layers}
    found = {layer: {each.name: each for each in part}[name] for layer, part in layers.items()}
    mentions = {
        layer: {entity.name: [(m.runs, m.minimum, m.attributes) for m in entity] for entity in each}
        for layer, each in found.items()
    }
    relations = {layer: each.relations for layer, each in found.items() if mentions[layer]}
    return {layer: (mentions[layer], relations[layer]) for layer in relations}


def put_tabs(text: str) -> str:
    """The text with a tab for each run of blanks between the cells of words."""
    return "\n".join(line if line.strip().startswith("#") else "\t".join(line.split()) for line in text.split("\n"))


@given(WORD_EDITS)
def test_cells_between_blanks_and_cells_between_tabs_are_the_same(made: list[tuple[str, float, str]]) -> None:
    text = edited(STORY, made)
    assert outcome(put_tabs(text)) == outcome(text)


def without_places(notices: list[Any]) -> list[Any]:
    """The notices in order, with their lines, but without those that their messages begin with."""
    return sorted((kind, line, re.sub(r"f\.conllua:\d+: ", "", message)) for kind, line, message in notices)


@given(WORD_EDITS, WORD_EDITS)
@example([], [("drop", 0.75, "(")])
def test_documents_are_read_together_as_apart(
    first: list[tuple[str, float, str]], second: list[tuple[str, float, str]]
) -> None:
    one, other = (
        f"# newdoc id = {name}\n{edited(BODY, made).replace('newdoc', '')}\n"
        for name, made in (("a", first), ("b", second))
    )
    head = f"{COLUMNS}\n"
    apart = outcome(head + one), outcome(head + other, one.count("\n"))
    together = outcome(head + one + other)
    if apart[0][0] is not None and apart[1][0] is not None:
        assert without_places(together[1]) == without_places(apart[0][1] + apart[1][1])
        (ours, a), (theirs, b) = ((read(head + text), name) for text, name in ((one, "a"), (other, "b")))
        found = read(head + one + other)
        for alone, name in ((ours, a), (theirs, b)):
            assert mentions_by_layer(found, name) == mentions_by_layer(alone, name)
    else:
        faults = [fault for side in apart if side[0] is None for fault in side[1]]
        assert (together[0], sorted(together[1])) == (None, sorted(faults))
