"""Maverick: the dict that `Maverick.predict` returns.

    {"tokens": ["Kim", "saw", "herself"], "clusters_token_offsets": [((0, 0), (2, 2))], "clusters_char_offsets": None}

Offsets of tokens count from 0, first and last both included. They are there for every kind of input, so those of
characters, which have no text beside them, are not used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from corefeval.adapters import shared
from corefeval.corpus.corpus import Corpus
from corefeval.notices import announce_notices

Prediction: TypeAlias = "Mapping[str, object]"


@announce_notices
def read(predictions: Prediction | Iterable[Prediction] | Mapping[str, Prediction]) -> Corpus:
    """Return the corpus, in words, of a prediction, several, or {name: prediction}; InputError with all faults."""
    return shared.build_corpus("maverick", "Maverick", predictions, _add_prediction)


def _add_prediction(reader: shared.DocumentReader, prediction: Prediction) -> None:
    """Add a document with the words and the entities of a Maverick prediction; add faults."""
    words = reader.read_words(prediction["tokens"])
    if words is not None:
        reader.add_document(words=words)
        reader.add_entities(prediction["clusters_token_offsets"], 2, lambda first, last: (first, last))
