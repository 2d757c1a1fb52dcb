"""uCDCR's files: mentions as JSON, documents as CoNLL and Parquet, all with the same content."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import corefeval
from corefeval import InputError, OptionError
from corefeval.formats import registry
from tests.formats.content import notice_kinds

if TYPE_CHECKING:
    from pathlib import Path

CONLL = """#begin document (36/36ecb/1); part 0
36/36ecb/1\t0\t0\tKim\t(HUM7)
36/36ecb/1\t0\t1\twas\t(ACT1
36/36ecb/1\t0\t2\tcharged\tACT1)| (ACT2)

36/36ecb/1\t1\t0\tShe\t(HUM7)
36/36ecb/1\t1\t1\tleft\t-
#end document
#begin document (36/36ecbplus/2); part 0
36/36ecbplus/2\t0\t0\tcharges\t(ACT1)
#end document
"""
MENTIONS = [
    ("HUM7", "36/36ecb/1", 0, [0], "HUM"),
    ("HUM7", "36/36ecb/1", 1, [0], "HUM"),
    ("ACT1", "36/36ecb/1", 0, [1, 2], "ACT"),
    ("ACT2", "36/36ecb/1", 0, [2], "ACT"),
    ("ACT1", "36/36ecbplus/2", 0, [0], "ACT"),
]
FIELDS = ("coref_chain", "conll_doc_key", "sent_id", "tokens_number", "mention_type")


def write_json(path: Path, *types: str) -> Path:
    path.write_text(json.dumps([dict(zip(FIELDS, each, strict=True)) for each in MENTIONS if each[4] in types]))
    return path


def write_parquet(path: Path) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [line.split("\t") for line in CONLL.splitlines() if "\t" in line]
    columns = {
        "topic/subtopic_name/doc": [row[0] for row in rows],
        "sent_id": [int(row[1]) for row in rows],
        "token_id": [int(row[2]) for row in rows],
        "token": [row[3] for row in rows],
        "reference": [row[4] for row in rows],
        "split": ["test"] * 5 + ["train"],
    }
    parquet.write_table(pyarrow.table(columns), path)
    return path


def texts(corpus: corefeval.Corpus) -> list[tuple[str, str, list[Any]]]:
    return sorted((d.name, entity.name, [each.text for each in entity]) for d in corpus for entity in d)


EXPECTED = [
    ("36/36ecb/1", "ACT1", ["was charged"]),
    ("36/36ecb/1", "ACT2", ["charged"]),
    ("36/36ecb/1", "HUM7", ["Kim", "She"]),
    ("36/36ecbplus/2", "ACT1", ["charges"]),
]


def test_columns_parquet_and_mentions_with_documents_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "dataset.conll").write_text(CONLL)
    columns = corefeval.read(tmp_path / "dataset.conll")
    assert (columns.format, notice_kinds(columns)) == ("ucdcr", ["spanning-entities"])
    parquet = corefeval.read(write_parquet(tmp_path / "all_documents.parquet"), "ucdcr")
    events = write_json(tmp_path / "event_mentions.json", "ACT")
    write_json(tmp_path / "entity_mentions.json", "HUM")
    both = corefeval.read(events, "ucdcr:also=entity_mentions.json,documents=all_documents.parquet")
    for corpus in (columns, parquet, both):
        assert texts(corpus) == EXPECTED
        assert next(iter(corpus)).sentences == [["Kim", "was", "charged"], ["She", "left"]]
        assert corpus.shared_names is True
    assert sorted(both.attributes["kind"]) == ["entity"] * 2 + ["event"] * 3
    found = corefeval.score(both, columns, level="topic", where="kind=event", measures=["muc", "mentions"])
    assert (found["muc"].recall_numerator, found["mentions"].recall_numerator) == (1, 3)


def test_mentions_without_documents_are_sentences_and_tokens(tmp_path: Path) -> None:
    path = write_json(tmp_path / "event_mentions.json", "ACT")
    corpus = corefeval.read(path)
    assert corpus.format == "ucdcr"
    assert corpus.entities() == {"36/36ecb/1": [["0:1-2"], ["0:2-2"]], "36/36ecbplus/2": [["0:0-0"]]}
    found = corefeval.score(corpus, corpus, level="topic", measures=["muc"])
    assert (found["muc"].recall_denominator, found.notices) == (1, ())
    mixed = corefeval.read(write_json(tmp_path / "mentions.json", "ACT", "HUM"))
    assert sorted(mixed.attributes["kind"]) == ["entity"] * 2 + ["event"] * 3


def test_one_split_of_a_parquet_file(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "all_documents.parquet")
    assert corefeval.read(path, "ucdcr:split=train").documents == ("36/36ecbplus/2",)
    with pytest.raises(OptionError, match=r"split=dev: .* has test, train"):
        corefeval.read(path, "ucdcr:split=dev")
    path.write_bytes(b"PAR1 and nothing")
    with pytest.raises(InputError, match="damaged, or no Parquet"):
        corefeval.read(path, "ucdcr")


def test_plain_conll_is_not_taken_for_it() -> None:
    plain = b"#begin document (nw/wsj/1); part 000\nnw/wsj/1\t0\t0\tKim\t(1)\n#end document\n"
    assert registry.recognise("x.conll", plain).name == "conll"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.conll", CONLL.replace("\t1\t1\tleft", "\tone\t1\tleft"), "7: '36/36ecb/1"),
        ("x.conll", CONLL.replace("(HUM7)", "HUM7", 1), "2: 'HUM7' is no coreference"),
        ("x.conll", CONLL.replace("ACT1)| ", ""), "3: the bracket of entity ACT1 is not closed"),
        ("x_mentions.json", '[{"coref_chain": "a", "tokens_number": []}]', "1: mention 1 is not whole"),
        ("x_mentions.json", '[{"coref_chain": "a", "tokens_number": [1]', "1: not JSON: Expecting ',' delimiter"),
        ("x_mentions.json", "[]", "1: no document"),
    ],
)
def test_faults(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        corefeval.read(tmp_path / name, "ucdcr")
    assert str(error.value).startswith(f"{tmp_path / name}:{message}")


def test_mentions_outside_their_documents_are_faults(tmp_path: Path) -> None:
    write_parquet(tmp_path / "all_documents.parquet")
    path = tmp_path / "event_mentions.json"
    path.write_text(json.dumps([dict(zip(FIELDS, ("A", "36/36ecb/1", 0, [7], "ACT"), strict=True))]))
    with pytest.raises(
        InputError, match="tokens 7 to 7 of sentence 0 of document '36/36ecb/1' are not in the documents"
    ):
        corefeval.read(path, "ucdcr:documents=all_documents.parquet")
    with pytest.raises(OptionError, match=r"also=no.json: there is no such file"):
        corefeval.read(path, "ucdcr:also=no.json")
