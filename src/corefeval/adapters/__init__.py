"""Objects of other libraries as corpora: spaCy, Stanza, fastcoref, Maverick, rows of `datasets`, clusters of dedupe.

No library is loaded, or needed, to tell what an object is: its class says where it was defined, and a plain dict is
known by its fields. `corefeval.score` asks `convert_object`; each adapter also has a `read` with options of its own:

    corefeval.score(key_doc, response_doc)
    corefeval.adapters.spacy.read(doc, prefix="coref_head_clusters")
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefeval.adapters import datasets, dedupe, fastcoref, maverick, spacy, stanza
    from corefeval.corpus.corpus import Corpus

__all__ = [
    "convert_object",
    "datasets",
    "dedupe",
    "evaluate_path",
    "fastcoref",
    "find_adapter",
    "has_memberships",
    "maverick",
    "spacy",
    "stanza",
]

_CLASSES = {
    "spacy": ("Doc", "DocBin"),
    "stanza": ("Document",),
    "fastcoref": ("CorefResult",),
    "datasets": ("Dataset", "IterableDataset", "DatasetDict", "IterableDatasetDict"),
}
"""The classes of each library that the adapter of the same name reads."""

_FIELDS = (
    ("tokens", "clusters_token_offsets", "maverick"),
    ("sentences", "coref_chains", "datasets"),
    ("sentences", "mention_clusters", "datasets"),
    ("sentences", "coref_entities", "datasets"),
    ("sentences", "document_id", "datasets"),
    ("sentences", "clusters", "datasets"),
    ("sentences", "predicted_clusters", "datasets"),
    ("tokens", "clusters", "datasets"),
    ("text", "clusters", "fastcoref"),
)
"""The text and the entities of a plain dict, and the adapter for it; the first that fits."""

_WITH_BOTH_SIDES = frozenset({"datasets"})  # adapters for what can hold a key and a response at once

_PLAIN = frozenset({list, tuple, set, frozenset})


def convert_object(source: object, side: str = "") -> Corpus | None:
    """Return the corpus of an object of another library, or of a list or dict of such; None for anything else.

    side: "key" or "response", for rows that hold both.
    """
    kind = find_adapter(source) or find_adapter(_get_first(source)) or ("dedupe" if has_memberships(source) else "")
    options = {"side": side} if kind in _WITH_BOTH_SIDES else {}
    return importlib.import_module(f"{__name__}.{kind}").read(source, **options) if kind else None


def find_adapter(document: object) -> str:
    """Return the name of the adapter for an object, without importing its library; "" if there is none."""
    if type(document) in _PLAIN:
        return ""
    for each in type(document).__mro__:
        library = each.__module__.partition(".")[0]
        if each.__name__ in _CLASSES.get(library, ()):
            return library
    if not isinstance(document, Mapping):
        return ""
    for text, entities, kind in _FIELDS:
        if text in document and entities in document and _has_words(document[text]):
            return kind
    return ""


def has_memberships(source: object) -> bool:
    """Return whether a source is clusters of dedupe: for each a tuple of ids and the confidence of each, as floats."""
    first = _get_first(source) if type(source) in (list, tuple) else None
    if type(first) is not tuple or len(first) != 2 or type(first[0]) is not tuple:
        return False
    confidence = first[1]
    if not isinstance(confidence, tuple) and not hasattr(confidence, "dtype"):
        return False
    return len(confidence) == len(first[0]) > 0 and all(_is_float(each) for each in confidence)


def _is_float(value: object) -> bool:
    """Return whether a value is a floating-point number, of Python or of NumPy."""
    return isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", "") == "f"


def evaluate_path() -> str:
    """Return the path of the metric for Hugging Face: `evaluate.load(corefeval.adapters.evaluate_path())`."""
    from pathlib import Path  # noqa: PLC0415 - scoring needs none

    return str(Path(__file__).with_name("evaluate_metric.py"))


def _get_first(objects: object) -> object:
    """Return the first value of a mapping, or first item of a list or tuple; None if empty, or for anything else."""
    if isinstance(objects, Mapping):
        return next(iter(objects.values()), None)
    return objects[0] if isinstance(objects, list | tuple) and objects else None


def _has_words(text: object) -> bool:
    """Return whether a value, its first item, or that one's first item is a str or mapping: text, words, sentences."""
    for _ in range(2):
        if not isinstance(text, str | Mapping | set | frozenset) and isinstance(text, Collection) and len(text):
            text = next(iter(text))
    return isinstance(text, str | Mapping)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")
