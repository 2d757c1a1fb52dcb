"""corefeval as a metric of Hugging Face `evaluate`.

`evaluate.load` copies this file, so it takes what it needs from the installed corefeval. `evaluate` stores inputs in
Arrow tables, where a mention must have one type; here that is text: [0, 1] is kept as "[0, 1]" until it is scored.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from typing import Any

import datasets
import evaluate

import corefeval
from corefeval.adapters.shared import quote_object, read_integer
from corefeval.corpus.from_python import is_list
from corefeval.errors import Fault, InputError

_DESCRIPTION = """\
Coreference measures, exact and fast: MUC, B³, CEAF, BLANC, LEA, the CoNLL score and the rest of thirty years of papers.
"""

_INPUTS = """\
predictions, references: a list of documents, each a list of entities, each a list of mentions; a mention is a list of
    integers, such as [first, last], or a string. Two mentions are the same if their integers or strings are.
measures: names such as "muc" or "blanc:alpha=0.2", or "all"; by default those that papers report.
singletons, duplicates, macro, strict and others: as in corefeval.score.

Returns a dict: "muc_recall", "muc_precision", "muc_f1", ..., "conll_f1"; from 0 to 1.
"""

_CITATION = """\
@inproceedings{pradhan-etal-2014-scoring,
    title = "Scoring Coreference Partitions of Predicted Mentions: A Reference Implementation",
    author = "Pradhan, Sameer and Luo, Xiaoqiang and Recasens, Marta and Hovy, Eduard and Ng, Vincent and
      Strube, Michael",
    booktitle = "Proceedings of ACL 2014 (Volume 2: Short Papers)",
    year = "2014",
    pages = "30--35",
}
"""

_RATES = ("recall", "precision", "f1", "score")


class Corefeval(evaluate.Metric):  # type: ignore[misc]
    """Recall, precision and F1 of coreference measures."""

    def _info(self) -> evaluate.MetricInfo:
        """Return what `evaluate` wants to know of a metric: description, citation, and types of inputs (text)."""
        documents = datasets.Sequence(datasets.Sequence(datasets.Value("string")))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": documents, "references": documents}),
            reference_urls=["https://aclanthology.org/P14-2006/"],
        )

    def add(self, *, prediction: object = None, reference: object = None) -> None:
        """Store one document to be scored: the entities that a system predicts, and those of the key."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: object = None, references: object = None) -> None:
        """Store several documents to be scored: the entities that a system predicts in each, and those of the key."""
        super().add_batch(
            predictions=_write_documents("predictions", predictions),
            references=_write_documents("references", references),
        )

    def _compute(
        self,
        predictions: Iterable[Iterable[Iterable[str]]],
        references: Iterable[Iterable[Iterable[str]]],
        **options: Any,
    ) -> dict[str, float]:
        """Return {"muc_recall": value, ...} of all measures, given documents with mentions as JSON text."""
        evaluation = corefeval.score(_parse_documents(references), _parse_documents(predictions), **options)
        return {
            f"{measure}_{name}": float(value)
            for measure, score in evaluation.items()
            for name, value in score.values.items()
            if name in _RATES
        }


def _write_documents(side: str, documents: object) -> list[list[list[str]]]:
    """Return documents as lists of entities with every mention as JSON text; an InputError for what is no document."""
    written = []
    for number, document in enumerate(_check_list(documents, side, "a list of documents")):
        where = f"{side}[{number}]"
        entities = [
            _check_list(entity, where, "a list of mentions")
            for entity in _check_list(document, where, "a list of entities")
        ]
        written.append([[json.dumps(_to_json(mention, where)) for mention in entity] for entity in entities])
    return written


def _check_list(value: object, where: str, expected: str) -> Iterable[object]:
    """Return the value if it is a list or the like; raise an InputError otherwise."""
    if is_list(value):
        return value
    hint = "documents are lists of entities, which are lists of mentions"
    raise InputError(Fault(where, f"there is {quote_object(value)}", expected, hint))


def _to_json(mention: object, where: str) -> object:
    """Return a mention as JSON can hold it: text as it is, else nested lists of plain integers; else an InputError."""
    if isinstance(mention, str):
        return mention
    return _list_integers(_check_list(mention, where, "a mention: [first, last]"), where)


def _list_integers(mention: Iterable[object], where: str) -> list[object]:
    """Return a mention as lists of plain integers, nested as it is; an InputError for anything else in it."""
    integers = ((part, read_integer(part)) for part in mention)
    return [
        _list_integers(_check_list(part, where, "an integer of a mention"), where) if number is None else number
        for part, number in integers
    ]


def _parse_documents(documents: Iterable[Iterable[Iterable[str]]]) -> dict[str, list[list[Hashable]]]:
    """Return {number of a document as text: its entities}, with every mention read back from JSON text."""
    return {
        str(number): [[_to_hashable(json.loads(mention)) for mention in entity] for entity in document]
        for number, document in enumerate(documents)
    }


def _to_hashable(mention: object) -> Hashable:
    """Return a mention with lists as tuples, nested ones too; anything else as it is."""
    return tuple(map(_to_hashable, mention)) if isinstance(mention, list) else mention
