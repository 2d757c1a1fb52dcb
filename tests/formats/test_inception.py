"""Reading WebAnno / INCEpTION TSV 3."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import corefeval
from corefeval import Corpus, InputError, OptionError
from corefeval.formats import inception
from corefeval.formats.base import File
from tests.formats.content import notice_lines
from tests.formats.edits import edited, edits

if TYPE_CHECKING:
    from pathlib import Path

CHAINS = """\
#FORMAT=WebAnno TSV 3.3
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation


#Text=Kim Lee saw her .
1-1\t0-3\tKim\tPER[1]\tnam[7]\tcoref->7-1\t
1-2\t4-7\tLee\tPER[1]\tnam[7]\tcoref->7-1\t
1-3\t8-11\tsaw\t_\t_\t_\t
1-4\t12-15\ther\t_\tpr[7]|pr[3]\t*->7-2|ana->3-1\t
1-5\t16-17\t.\t_\t_\t_\t

#Sentence.id=s2
#Text=It is
#Text=hers .
2-1\t18-20\tIt\t_\t*[3]\t*->3-2\t
2-2\t21-23\tis\t_\t_\t_\t
2-3\t24-28\thers\t_\t_\t_\t
2-4\t29-30\t.\t_\t_\t_\t
"""

GUM = """\
#FORMAT=WebAnno TSV 3.2
#T_SP=webanno.custom.Referent|entity|infstat|identity
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent
#Summary1=Kim and Lee met.


#Text=Kim met Lee
1-1\t0-3\tKim\tperson[1]\tnew[1]\tKim_Lee[1]\tana|bridge:aggr\t2-1[3_1]|3-1[6_1]\t
1-2\t4-7\tmet\t_\t_\t_\t_\t_\t
1-3\t8-11\tLee\tperson\tnew\t_\tbridge:aggr\t3-1[6_0]\t

#Text=She left her house
2-1\t12-15\tShe\tperson[3]\tgiv:act[3]\t_\tana\t2-3[5_3]\t
2-2\t16-20\tleft\t_\t_\t_\t_\t_\t
2-3\t21-24\ther\tplace[4]|person[5]\tnew[4]|giv:act[5]\t_\tbridge:def\t3-3[0_4]\t
2-4\t25-30\thouse\tplace[4]\tnew[4]\t_\t_\t_\t

#Text=They shut doors .
3-1\t31-35\tThey\tperson[6]\tacc:aggr[6]\t_\t_\t_\t
3-2\t36-40\tshut\t_\t_\t_\t_\t_\t
3-3\t41-46\tdoors\tobject\tacc:inf\t_\t_\t_\t
3-4\t47-48\t.\t_\t_\t_\t_\t_
"""


def read(text: str | bytes, **options: str) -> Corpus:
    data = text if isinstance(text, bytes) else text.encode()
    return inception.read(File("file.tsv", data, "doc", lambda suffix: None), **options)


def entities(text: str | bytes, **options: str) -> list[list[object]]:
    return [list(entity) for entity in read(text, **options).entities()["doc"]]


def faults(text: str | bytes, **options: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(text, **options)
    return [str(fault).removeprefix("file.tsv:") for fault in caught.value.faults]


def test_chains_are_entities() -> None:
    corpus = read(CHAINS)
    assert corpus.entities() == {"doc": [[(0, 1), (3, 3)], [(3, 3), (5, 5)]]}
    assert corpus.entity_name == ["7", "3"]
    assert corpus.attributes == {
        "referenceRelation": ["coref", "", "ana", ""],
        "referenceType": ["nam", "pr", "pr", ""],
    }
    assert corpus.notices == ()


def test_words_sentences_and_lines_are_known() -> None:
    corpus = read(CHAINS)
    (document,) = corpus
    assert document.sentences == [["Kim", "Lee", "saw", "her", "."], ["It", "is", "hers", "."]]
    assert [mention.line for mention in document.mentions] == [7, 10, 10, 16]


def test_columns_of_a_chain_layer_come_in_either_order() -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_CH=webanno.custom.SimpleLink|referenceRelation|referenceType\n\n\n#Text=This is it\n"
        "1-1\t0-4\tThis\t*->1-1|x->2-2\tA[1]|B[2]\t\n1-2\t5-7\tis\t*->1-1\tA[1]\t\n1-3\t8-10\tit\ty->2-1|z->1-2\t*[2]|C[1]\n"
    )
    assert entities(text) == [[(0, 1), (2, 2)], [(0, 0), (2, 2)]]
    assert read(text).attributes["referenceType"] == ["A", "B", "", "C"]


def test_relations_make_entities_of_spans_and_the_rest_are_singletons() -> None:
    corpus = read(GUM)
    assert corpus.entities() == {"doc": [[(0, 0), (3, 3), (5, 5)], [(2, 2)], [(5, 6)], [(7, 7)], [(9, 9)]]}
    assert corpus.entity_name == ["1", "2", "3", "4", "5"]
    assert corpus.entity_attributes == {
        "type": ["person", "person", "place", "person", "object"],
        "identity": ["Kim_Lee", "", "", "", ""],
    }
    assert corpus.notices == ()


def test_features_are_attributes_of_mentions() -> None:
    first, *_, last = next(iter(read(GUM))).mentions
    assert first.attributes == {"type": "person", "infstat": "new", "identity": "Kim_Lee"}
    assert last.attributes == {"type": "object", "infstat": "acc:inf"}


def test_bridging_and_split_antecedents_are_kept_as_relations() -> None:
    found = [(each.kind, each.source, each.targets, each.label) for each in read(GUM).relations]
    assert found == [("bridge", (9, 9), ("3",), "bridge:def"), ("split", "4", ("1", "2"), "bridge:aggr")]


def test_chosen_types_make_entities() -> None:
    text = GUM.replace("\tana\t2-3", "\tappos\t2-3")
    assert entities(text)[0] == [(0, 0), (3, 3), (5, 5)]
    assert entities(text, identity="ana+coref")[0] == [(0, 0), (3, 3)]
    kinds = [(each.kind, each.source) for each in read(text, identity="ana+coref").relations]
    assert ("appos", (5, 5)) in kinds


def test_relations_are_transitive_whatever_their_direction() -> None:
    ends = [(1, 4), (3, 4), (3, 2), (5, 6)]
    cells = ["|".join(f"1-{source}" for source, target in ends if target == token) or "_" for token in range(1, 7)]
    lines = [f"1-{n}\t{n}-{n}\tw\t*\t{cell}" for n, cell in enumerate(cells, 1)]
    header = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|value\n#T_RL=x.Coreference|BT_x.Span\n\n\n#Text=w\n"
    assert entities(header + "\n".join(lines)) == [[(0, 0), (1, 1), (2, 2), (3, 3)], [(4, 4), (5, 5)]]


def test_relations_between_tokens_need_no_layer_of_spans() -> None:
    text = "#FORMAT=WebAnno TSV 3.3\n#T_RL=x.Coref|type|BT_x.Token\n\n\n#Text=a b c\n1-1\t0-1\ta\t_\t_\n1-2\t2-3\tb\t_\t_\n1-3\t4-5\tc\tana\t1-1\n"
    assert entities(text) == [[(0, 0), (2, 2)]]


def test_parts_of_tokens_are_given_the_whole_token() -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_CH=webanno.custom.SimpleLink|referenceRelation|referenceType\n\n\n#Text=This is a test\n"
        "1-1\t0-4\tThis\t_\t_\t\n1-1.1\t1-3\thi\t*->1-1\t*[1]\t\n1-2\t5-7\tis\t*->1-1\t*[1]\t\n1-2.1\t6-6\t\t*->1-2\t*[1]\t\n1-3\t8-9\ta\t_\t_\t\n"
    )
    corpus = read(text)
    assert corpus.entities() == {"doc": [[(0, 1), (1, 1)]]}
    assert notice_lines(corpus) == [("sub-token", 7), ("sub-token", 9)]


def test_a_relation_may_end_at_a_part_of_a_token() -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|value\n#T_RL=x.Coref|type|BT_x.Span\n\n\n#Text=Test again\n"
        "1-1\t0-4\tTest\t_\t_\t_\t\n1-1.1\t0-1\tT\tOTH\t_\t_\t\n1-2\t5-10\tagain\tOTH\tcoref\t1-1.1\t\n"
    )
    assert entities(text) == [[(0, 0), (1, 1)]]


def test_escapes_are_undone() -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|value|note\n#T_RL=x.Coref|type|BT_x.Span\n\n\n#Text=a\n"
        "1-1\t0-1\t_\tA\\|B\\[1\\]\t\\_\t_\t_\n1-2\t2-3\ta\\\\b\\tc\t\\*[4]|x\\->y\\;z[5]\t*[4]|*[5]\t_\t_\n"
    )
    corpus = read(text)
    assert [mention.attributes for mention in next(iter(corpus)).mentions] == [
        {"value": "A|B[1]", "note": "_"}, {"value": "*"}, {"value": "x->y;z"}
    ]  # fmt: skip
    assert next(iter(corpus)).words == ["_", "a\\b\tc"]


def test_names_that_mean_something_else_are_altered() -> None:
    text = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|type|entity|head|line\n#T_RL=x.Coref|BT_x.Span\n\n\n#Text=a\n1-1\t0-1\ta\tT\tE\tH\tL\t_\n"
    (mention,) = next(iter(read(text))).mentions
    assert mention.attributes == {"type": "T", "entity": "E", "head": "H", "line": "L"}
    assert mention.entity.attributes == {"type": "E"}


def test_slots_are_passed_over() -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Other|\n#T_SP=x.Host|ROLE_x.Host:links_x.Link|x.Other|value\n#T_RL=x.Coref|type|BT_x.Host\n\n\n#Text=a\n"
        "1-1\t0-1\ta\t*\t_[1]|r;s[2]\t*|1-2[7];1-3[8]\tA[1]|B[2]\t_\t_\t\n1-2\t2-3\tb\t*[7]\tr\t1-3[8]\t*\tana\t1-1[2_0]\t\n"
        "1-3\t4-5\tc\t*[8]\t_\t_\t_\t_\t_\t\n"
    )
    corpus = read(text)
    assert corpus.entities() == {"doc": [[(0, 0)], [(0, 0), (1, 1)]]}
    assert corpus.attributes == {"value": ["A", "B", ""]}
    assert corpus.notices == ()


def test_spans_that_lack_the_first_feature_are_no_mentions() -> None:
    text = GUM.replace("\tobject\tacc:inf\t", "\t_\tacc:inf\t").replace("\tplace[4]|person[5]\t", "\tperson[5]\t")
    text = text.replace("\tplace[4]\t", "\t_\t").replace("bridge:def\t3-3[0_4]", "_\t_")
    corpus = read(text)
    assert corpus.entities() == {"doc": [[(0, 0), (3, 3), (5, 5)], [(2, 2)], [(7, 7)]]}
    (notice,) = corpus.notices
    assert (notice.kind, notice.line, notice.details) == ("left-out-span", 15, {"count": 2})
    kept = read(text.replace("shut\t_\t_\t_\t_\t_", "shut\tevent\tnew\t_\tana\t2-3[4_0]"))
    assert [(5, 6), (8, 8)] in kept.entities()["doc"]


def test_spans_with_gaps_are_filled_and_named() -> None:
    corpus = read(
        GUM.replace("2-2\t16-20\tleft\t_\t_\t_", "2-2\t16-20\tleft\tx[9]\t_\t_").replace(
            "\tacc:aggr[6]\t", "\tacc:aggr[6]|y[9]\t"
        )
    )
    assert [(4, 7)] in corpus.entities()["doc"]
    assert notice_lines(corpus) == [("gap", 14)]


def test_a_relation_of_a_span_to_itself_is_named() -> None:
    corpus = read(GUM.replace("2-3[5_3]", "2-1[3_3]"))
    assert notice_lines(corpus) == [("self-link", 13)]
    assert [(5, 5)] in corpus.entities()["doc"]


def test_columns_beyond_the_header_are_named_unless_they_are_empty() -> None:
    assert notice_lines(read(CHAINS.replace("\t_\t_\t_\t\n", "\t_\t_\t_\t_\t_\t\n"))) == []
    assert notice_lines(read(CHAINS.replace("\tcoref->7-1\t\n1-2", "\tcoref->7-1\tX\n1-2"))) == [("extra-columns", 7)]


def test_a_document_without_the_layer_has_no_entities() -> None:
    text = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Named|value\n#T_RL=a.dependency.Dependency|DependencyType|BT_x.POS\n\n\n#Text=a\n1-1\t0-1\ta\tPER\t_\t_\n"
    corpus = read(text)
    assert corpus.entities() == {"doc": []}
    assert notice_lines(corpus) == [("no-coreference-layer", None)]
    assert notice_lines(read(CHAINS, layer="Other")) == [("no-coreference-layer", None)]


def test_layers_can_be_chosen() -> None:
    both = CHAINS.replace("#T_CH", "#T_CH=webanno.custom.EventLink|referenceType|referenceRelation\n#T_CH", 1)
    both = "\n".join(
        line.replace(line.split("\t")[3], line.split("\t")[3] + "\te[1]\tx->1-1", 1) if line[:1] in ("1", "2") else line
        for line in both.split("\n")
    )
    assert len(entities(both)) == 2
    assert entities(both, layer="EventLink") == [[(0, 8)]]
    assert len(entities(both, layer="de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink")) == 2
    assert entities(GUM.replace("custom.Coref", "custom.Same"), layer="Same") == entities(GUM)


UNTOLD = GUM.replace("custom.Coref", "custom.Same")

FAULTY: dict[str, tuple[str, list[str]]] = {
    "another format": (
        "# webanno\nx\n",
        ["1: '# webanno' is not the beginning of such a file; expected #FORMAT=WebAnno TSV 3.3"],
    ),
    "no token": (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Y|z\n",
        ["2: no token; expected lines with SENTENCE-TOKEN, BEGIN-END and the token"],
    ),
    "an untold layer": (
        UNTOLD,
        [
            "1: not clear which layer is coreference: webanno.custom.Same; expected a layer named so; "
            "say which with --format inception:layer=NAME"
        ],
    ),
    "truncated, and a strange line": (
        CHAINS.replace("1-3\t8-11\tsaw\t_\t_\t_\t", "1-3\t8-11\tsaw\t_").replace("2-2\t21-23", "two\t21-23"),
        [
            "9: 4 columns; expected 6, as the header says; the line may be truncated",
            "17: 'two\\t21-23\\tis\\t_\\t_\\t_\\t' is not a line with a token; "
            "expected SENTENCE-TOKEN, BEGIN-END and the token, separated by tabs",
        ],
    ),
    "offsets": (
        CHAINS.replace("\t21-23\t", "\t21\t"),
        [
            "17: '2-2\\t21\\tis\\t_\\t_\\t_\\t' is not a line with a token; "
            "expected SENTENCE-TOKEN, BEGIN-END and the token, separated by tabs"
        ],
    ),
    "token twice": (
        CHAINS.replace("2-2\t", "2-1\t"),
        ["17: token 2-1 is given twice; expected every token once"],
    ),
    "two documents": (
        CHAINS + CHAINS.replace("\n1-", "\n3-").replace("\n2-", "\n4-"),
        [
            "20: '#FORMAT=WebAnno TSV 3.3' after the first token; expected it in the header of the file; one file per document",
            "21: '#T_SP=de.tudarmstadt.ukp.dkpro.core.api.' after the first token; "
            "expected it in the header of the file; one file per document",
            "22: '#T_CH=de.tudarmstadt.ukp.dkpro.core.api.' after the first token; "
            "expected it in the header of the file; one file per document",
        ],
    ),
    "part without its token": (
        CHAINS.replace("2-2\t", "2-7.1\t"),
        ["17: 2-7.1 does not follow its token; expected a line 2-7 before it"],
    ),
    "no link": (
        CHAINS.replace("*->7-2|ana->3-1", "*->7|*").replace("*->3-2", "7-2"),
        [
            "10: '*->7' is not a link of a chain; expected LABEL->CHAIN-PLACE such as coref->1-2",
            "10: '*' is not a link of a chain; expected LABEL->CHAIN-PLACE such as coref->1-2",
            "16: '7-2' is not a link of a chain; expected LABEL->CHAIN-PLACE such as coref->1-2",
        ],
    ),
    "chains without links": (
        CHAINS.replace("referenceRelation", "relation"),
        [
            "3: the chain layer de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink has no feature "
            "referenceRelation; expected referenceRelation"
        ],
    ),
    "relations between nothing": (
        GUM.replace("BT_", "B_"),
        ["3: the relation layer webanno.custom.Coref does not say which layer it connects; expected BT_ and a layer"],
    ),
    "dangling": (
        GUM.replace("2-3[5_3]", "2-3[77_3]").replace("3-3[0_4]", "3-2[0_4]"),
        [
            "13: the relation 2-3[77_3] of token 2-1 has an end without a span; expected spans of the layer webanno.custom.Referent",
            "15: the relation 3-2[0_4] of token 2-3 has an end without a span; expected spans of the layer webanno.custom.Referent",
        ],
    ),
    "not an end": (
        GUM.replace("2-3[5_3]", "2-3[5]"),
        ["13: '2-3[5]' is not the end of a relation; expected the token that it comes from, such as 4-2 or 4-2[7_3]"],
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_every_fault_is_reported_with_its_line(name: str) -> None:
    text, expected = FAULTY[name]
    assert faults(text) == expected


def test_dangling_references_have_a_kind() -> None:
    with pytest.raises(InputError) as caught:
        read(FAULTY["dangling"][0])
    assert {fault.kind for fault in caught.value.faults} == {"dangling-reference"}


@pytest.mark.parametrize("alter", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n"), str.rstrip])
def test_layouts(alter) -> None:  # type: ignore[no-untyped-def]
    assert entities(alter(CHAINS)) == entities(CHAINS)
    assert entities(alter(GUM)) == entities(GUM)


def test_line_separators_of_other_kinds_are_text() -> None:
    corpus = read(CHAINS.replace("\tsaw\t", "\ts\u2028\x85w\t"))
    assert next(iter(corpus)).words[2] == "s\u2028\x85w"  # type: ignore[index]


def test_bytes_that_are_not_utf_8_are_replaced_and_named() -> None:
    corpus = read(CHAINS.encode().replace(b"\tsaw\t", b"\ts\xe4w\t"))
    assert next(iter(corpus)).words[2] == "s\ufffdw"  # type: ignore[index]
    assert notice_lines(corpus) == [("not-utf-8", 9)]
    with pytest.raises(InputError, match="UTF-16"):
        read(CHAINS.encode("utf-16"))


def test_only_such_files_are_recognised() -> None:
    assert inception.recognise(CHAINS.encode())
    assert inception.recognise(b"\xef\xbb\xbf" + GUM.encode())
    assert not inception.recognise(b"#begin document d\n")
    assert not inception.recognise(b"doc\tmention\tentity\n")
    assert not inception.recognise(b"# newdoc\n# FORMAT=WebAnno TSV 3.3\n")
    assert not inception.recognise(b"")


def test_files_are_read_by_the_command(tmp_path: Path) -> None:
    path = tmp_path / "GUM_news.tsv"
    path.write_text(GUM)
    corpus = corefeval.read(path)
    assert (corpus.format, corpus.documents) == ("inception", ("GUM_news",))
    assert len(corefeval.read(path, format="inception:layer=Coref,identity=ana").entity_document) == 5
    with pytest.raises(OptionError):
        corefeval.read(path, format="inception:colour=red")
    with pytest.raises(OptionError):
        corefeval.write(corpus, path, format="inception")


EDITS = edits(*"\t|[]_*->\\.#0123456789\n\r\0", "\u0663", "99999999999999999999", "a")


@given(st.sampled_from([CHAINS, GUM]), EDITS)
def test_damaged_files_are_read_or_refused(text: str, made: list[tuple[str, float, str]]) -> None:
    with contextlib.suppress(InputError):
        assert isinstance(read(edited(text, made).encode()), Corpus)


def outcome(text: str) -> object:
    """What is read from a file: entities, attributes and lines of notices; or else the lines of its faults."""
    try:
        corpus = read(text)
    except InputError as error:
        return [(fault.line, fault.kind) for fault in error.faults]
    (document,) = corpus
    mentions = [[(mention.id, mention.attributes) for mention in entity] for entity in document]
    return (
        mentions,
        document.sentences,
        [(each.source, each.targets) for each in document.relations],
        notice_lines(corpus),
    )


_NUMBERS = re.compile(r"\[(\d+)(_\d+)?\](?=\||$)")  # at the end of a value; elsewhere it is text


def lengthen(numbers: re.Match[str]) -> str:
    """The numbers of spans in brackets with zeros before them."""
    return re.sub(r"\b([1-9])|(?<=_)([1-9])", r"00000000000\g<0>", numbers[0])


@given(st.sampled_from([CHAINS, GUM]), edits(*"\t|[]_*>.#\n", "a", "_\t", "ana", "coref->"))
@example(GUM, [("delete", 0.8359375, "\t")])
@example(CHAINS, [("drop", 0.6875, "\t"), ("repeat", 0.6875, "\t"), ("delete", 0.65625, "\t")])
def test_numbers_of_spans_may_be_of_any_form(text: str, made: list[tuple[str, float, str]]) -> None:
    usual = edited(text, made)
    lines = [line.split("\t") for line in usual.split("\n")]
    numbered = [[*cells[:3], *(_NUMBERS.sub(lengthen, cell) for cell in cells[3:])] for cells in lines]
    assert outcome("\n".join(map("\t".join, numbered))) == outcome(usual)


@given(st.sampled_from([CHAINS, GUM]), edits(*"\t|[]_*>.#\n", "a", "person[3]|x"))
def test_a_backslash_somewhere_else_changes_nothing(text: str, made: list[tuple[str, float, str]]) -> None:
    damaged = edited(text, made)
    assert outcome(damaged + "\n#Text=\\n\n") == outcome(damaged + "\n#Text=.n\n")
