"""fastcoref: the `CorefResult` that `predict` returns, and the lines of its `output_file`.

    {"text": "Kim saw herself", "clusters": [[[0, 3], [8, 15]]], "clusters_strings": [["Kim", "herself"]]}

Offsets are those of characters, counted from 0, the last one not included. For text that came split into words
(`is_split_into_words=True`) `text` is the list of words, and the same offsets count words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from corefeval.adapters import shared

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.formats.draft import Draft


class CorefResult(Protocol):
    """What is used of a result."""

    @property
    def text(self) -> str | list[str]:
        """The text, or its words."""
        ...

    def get_clusters(self, as_strings: bool = True) -> list[list[object]]:  # noqa: FBT001, FBT002 - theirs
        """The entities."""
        ...


Result: TypeAlias = "CorefResult | Mapping[str, object]"


def read(results: Result | Iterable[Result] | Mapping[str, Result]) -> Corpus:
    """The corpus of a result, of several, or of {name: result}; in characters, or in words if that was the input."""
    return shared.build_corpus("fastcoref", "fastcoref", results, _add_result)


def _add_result(draft: Draft, name: shared.DocumentName, result: object) -> None:
    text, entities = _get_text_and_entities(cast("Result", result))
    called = name.choose(None)
    if isinstance(text, str):
        document = draft.add_document(called, text=text)
    else:
        words = shared.read_words(draft, called, text)
        if words is None:
            return
        document = draft.add_document(called, words=words)
    shared.add_entities(draft, document, entities, 2, lambda first, end: (first, end - 1))


def _get_text_and_entities(result: Result) -> tuple[object, object]:
    if isinstance(result, Mapping):
        return result["text"], result["clusters"]
    return result.text, result.get_clusters(as_strings=False)
