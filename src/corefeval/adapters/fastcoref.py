"""fastcoref: the `CorefResult` that `predict` returns, and the lines of its `output_file`.

    {"text": "Kim saw herself", "clusters": [[[0, 3], [8, 15]]], "clusters_strings": [["Kim", "herself"]]}

Offsets are those of characters, counted from 0, the last one not included. For text that came split into words
(`is_split_into_words=True`) `text` is the list of words, and the same offsets count words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from corefeval.adapters import shared
from corefeval.corpus.corpus import Corpus
from corefeval.notices import announce_notices

if TYPE_CHECKING:
    from fastcoref.modeling import CorefResult


Result: TypeAlias = "CorefResult | Mapping[str, object]"


@announce_notices
def read(results: Result | Iterable[Result] | Mapping[str, Result]) -> Corpus:
    """Return the corpus of a result, several, or {name: result}, in characters or words; InputError with all faults."""
    return shared.build_corpus("fastcoref", "fastcoref", results, _add_result)


def _add_result(reader: shared.DocumentReader, result: Result) -> None:
    """Add a document with the text or the words, and the entities, of a fastcoref result; add faults."""
    if isinstance(result, Mapping):
        text, entities = result["text"], result["clusters"]
    else:
        text, entities = result.text, result.get_clusters(as_strings=False)
    if isinstance(text, str):
        reader.add_document(text=text)
    else:
        words = reader.read_words(text)
        if words is None:
            return
        reader.add_document(words=words)
    reader.add_entities(entities, 2, lambda first, end: (first, end - 1))
