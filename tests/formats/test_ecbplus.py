"""ECB+'s XML: mentions, entities across documents, kinds, chosen sentences.

On the whole of ECB+ (982 documents) the reader finds the 6,833 event and 8,289 entity mentions of the annotated sentences,
in the same 4,962 entities as get_ecb_data.py of ariecattan/coref; the corpus itself is not among the tests' files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import InputError, OptionError
from corefeval.formats import ecbplus
from corefeval.formats.base import File
from tests.formats.content import notice_kinds

if TYPE_CHECKING:
    from pathlib import Path

TOKENS = "\n".join(
    f'<token t_id="{number}" sentence="{sentence}" number="0">{word}</token>'
    for number, (sentence, word) in enumerate(
        [(0, "Kim"), (0, "gave"), (0, "it"), (0, "up"), (1, "R&amp;D"), (1, "fell"), (1, "too")], 1
    )
)
MARKABLES = """<HUMAN_PART_PER m_id="1" note="byCROMER" >
  <token_anchor t_id="1"/>
</HUMAN_PART_PER>
<ACTION_OCCURRENCE m_id="2"  ><token_anchor t_id="2"/><token_anchor t_id="4"/></ACTION_OCCURRENCE>
<NON_HUMAN_PART m_id="3"  ><token_anchor t_id="3"/></NON_HUMAN_PART>
<NON_HUMAN_PART m_id="4"  ><token_anchor t_id="5"/></NON_HUMAN_PART>
<NEG_ACTION_STATE m_id="5"  ><token_anchor t_id="6"/></NEG_ACTION_STATE>
<HUMAN_PART_PER m_id="8" RELATED_TO="" TAG_DESCRIPTOR="kim" instance_id="HUM1" />
<UNKNOWN_INSTANCE_TAG m_id="9" RELATED_TO="" TAG_DESCRIPTOR="thing"  />
"""
RELATIONS = """<CROSS_DOC_COREF r_id="70" note="HUM1" >
  <source m_id="1" /><target m_id="8" />
</CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="71" >
  <source m_id="3" /><source m_id="4" /><target m_id="9" />
</INTRA_DOC_COREF>
"""


def write(name: str = "36_1ecb", tokens: str = TOKENS, markables: str = MARKABLES, relations: str = RELATIONS) -> str:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="{name}.xml" doc_id="DOC1">\n'
    return f"{head}{tokens}\n<Markables>\n{markables}</Markables>\n<Relations>\n{relations}</Relations>\n</Document>\n"


def read(text: str, sentences: str = "", **options: str) -> corefeval.Corpus:
    other = {"s.csv": sentences.encode()}.get
    if sentences:
        options["sentences"] = "s.csv"
    return ecbplus.read(File("36_1ecb.xml", text.encode(), "36_1ecb", lambda _: None, other), **options)


def content(corpus: corefeval.Corpus) -> dict[str, list[tuple[Any, str]]]:
    return {
        entity.name: [(mention.text, mention.attributes["kind"]) for mention in entity]
        for document in corpus
        for entity in document
    }


def test_mentions_entities_and_kinds() -> None:
    corpus = read(write())
    assert corpus.documents == ("36/36ecb/36_1ecb",)
    assert [document.sentences for document in corpus] == [[["Kim", "gave", "it", "up"], ["R&D", "fell", "too"]]]
    assert content(corpus) == {
        "HUM1": [("Kim", "entity")],
        "36/36ecb/36_1ecb:m2": [("gave ... up", "event")],
        "36/36ecb/36_1ecb:r71-entity": [("it", "entity"), ("R&D", "entity")],
        "36/36ecb/36_1ecb:m5": [("fell", "event")],
    }
    assert corpus.shared_names is True
    filled = read(write(), gaps="fill")
    assert content(filled)["36/36ecb/36_1ecb:m2"] == [("gave it up", "event")]


def test_sentences_are_chosen_by_a_table() -> None:
    """As ECBplus_coreference_sentences.csv has them: with blanks behind some numbers."""
    chosen = read(write(), "Topic,File,Sentence Number\n36,1ecb,1 \n36,1ecbplus,0\n")
    assert [document.words for document in chosen] == [["R&D", "fell", "too"]]
    assert list(content(chosen).values()) == [[("R&D", "entity")], [("fell", "event")]]
    none = read(write(), "Topic,File,Sentence Number\n36,2ecb,0\n")
    assert (len(none), none.documents) == (0, ("36/36ecb/36_1ecb",))
    with pytest.raises(InputError, match=r"s.csv:1: the first row is 'a, b'.*\n.*s.csv:2: '1'"):
        read(write(), "a,b\n1\n")
    with pytest.raises(OptionError, match=r"sentences=none.csv: there is no such file"):
        ecbplus.read(File("x.xml", write().encode(), "x", lambda _: None, lambda _: None), sentences="none.csv")
    with pytest.raises(OptionError, match="gaps='no' is not possible"):
        read(write(), gaps="no")


def test_a_directory_of_a_topic_is_scored_across_documents(tmp_path: Path) -> None:
    """Kim is in both documents, and the reader does not confuse what is known in one document only."""
    for name in ("36_1ecb", "36_1ecbplus"):
        (tmp_path / f"{name}.xml").write_text(write(name))
    corpus = corefeval.read(tmp_path)
    assert (corpus.format, corpus.documents) == ("ecbplus", ("36/36ecb/36_1ecb", "36/36ecbplus/36_1ecbplus"))
    assert notice_kinds(corpus) == ["spanning-entities"]
    links = {
        level: corefeval.score(corpus, corpus, level=level, measures=["muc"])["muc"].recall_denominator
        for level in ("document", "subtopic", "topic")
    }
    assert links == {"document": 2, "subtopic": 2, "topic": 3}
    events = corefeval.score(corpus, corpus, where="kind=event", measures=["mentions"])
    assert events["mentions"].recall_denominator == 4


def test_a_mention_of_two_relations_is_of_the_last() -> None:
    more = RELATIONS + '<INTRA_DOC_COREF r_id="72" ><source m_id="1" /><target m_id="9" /></INTRA_DOC_COREF>\n'
    corpus = read(write(relations=more))
    assert content(corpus)["36/36ecb/36_1ecb:r72-entity"] == [("Kim", "entity")]
    assert notice_kinds(corpus) == ["mention-twice"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (write(tokens="", markables="", relations=""), "36_1ecb.xml:1: no token"),
        (
            write(tokens=TOKENS + '\n<token t_id="1" sentence="0">x</token>'),
            "36_1ecb.xml:10: token 'x' has the t_id '1'",
        ),
        (
            write(tokens=TOKENS + '\n<token t_id="9" sentence="a">x</token>'),
            "36_1ecb.xml:10: token 'x' has the t_id '9'",
        ),
        (
            write(markables=MARKABLES.replace('t_id="6"', 't_id="60"')),
            "36_1ecb.xml:17: markable 5 is anchored to token 60",
        ),
        (write(markables=MARKABLES.replace('m_id="5"', 'm_id="4"')), "36_1ecb.xml:17: markable 4 is there already"),
        (write(relations=RELATIONS.replace('m_id="9"', 'm_id="99"')), "36_1ecb.xml:25: relation 71 has markable 99"),
    ],
)
def test_faults_have_lines(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(text)
    assert str(error.value).startswith(message)
