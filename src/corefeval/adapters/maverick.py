"""Maverick: the dict that `Maverick.predict` returns.

    {"tokens": ["Kim", "saw", "herself"], "clusters_token_offsets": [((0, 0), (2, 2))], "clusters_char_offsets": None}

Offsets of tokens count from 0, first and last both included. They are there for every kind of input, so those of
characters, which have no text beside them, are not used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from corefeval.adapters import reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.draft import Draft

Prediction: TypeAlias = "Mapping[str, object]"


def read(predictions: Prediction | Iterable[Prediction] | Mapping[str, Prediction]) -> Corpus:
    """The corpus of a prediction, of several, or of {name: prediction}; in words."""
    return reading.corpus("maverick", "Maverick", predictions, _add)


def _add(draft: Draft, name: reading.Name, prediction: object) -> None:
    fields = cast("Prediction", prediction)
    words = reading.words(draft, name.or_own(None), fields["tokens"])
    if words is not None:
        document = draft.add_document(name.or_own(None), words=words)
        reading.add_entities(draft, document, fields["clusters_token_offsets"], 2, lambda first, last: (first, last))
