"""Layers: what is annotated besides identity, such as discourse deixis, each a corpus that can be scored instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError
from corefeval.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefeval.corpus.corpus import Corpus

    Two = tuple[Corpus, Corpus]

NON_REFERRING = "non_referring"
PSEUDO = "-Pseudo"  # the end of such entities' names in CoNLL-UA


def select_layers(key: Corpus, response: Corpus, layer: str) -> tuple[Two, tuple[Notice, ...]]:
    """Return a layer of both corpora, and a notice about a side that lacks it and counts as empty."""
    notices = check_layers(layer, key.layers, response.layers, (key.source, response.source))
    return (select_layer(key, layer), select_layer(response, layer)), notices


def check_layers(
    layer: str, key: Iterable[str], response: Iterable[str], names: tuple[str, str] = ("", "")
) -> tuple[Notice, ...]:
    """Return a notice about the side that lacks a layer; raise an OptionError if both do. Takes the names of layers."""
    sides = ("key", names[0], tuple(key)), ("response", names[1], tuple(response))
    found = [(side, name) for side, name, known in sides if layer not in known]
    if len(found) == len(sides):
        known = list(dict.fromkeys(name for *_, known in sides for name in known))
        has = f"they have {', '.join(known)}" if known else "they have none"
        raise OptionError(f"neither key nor response has a layer {layer!r} besides identity; {has}")
    return tuple(
        Notice(
            "empty-layer",
            f"{name or side}: nothing is marked in the layer {layer!r}; it counts as empty",
            {"side": side, "layer": layer},
        )
        for side, name in found
    )


def select_layer(corpus: Corpus, layer: str) -> Corpus:
    """Return a layer of a corpus with the notices of the corpus; an empty one if the corpus lacks it."""
    if layer in corpus.layers:
        found = corpus.layers[layer].replace(notices=corpus.notices, files=corpus.files, format=corpus.format)
        return _set_non_referring_apart(found) if layer != NON_REFERRING else found
    none = np.zeros(0, dtype=np.int64)
    return corpus.replace(
        entity_document=none, entity_name=[], entity=none, mentions=Spans(none, none), heads=None, minimums=None,
        lines=None, attributes={}, entity_attributes={}, relations=(), layers={},
    )  # fmt: skip


def _set_non_referring_apart(corpus: Corpus) -> Corpus:
    """Set entities apart that their names declare to be non-referring, as the reader does in identity."""
    refers = np.array([not str(name).endswith(PSEUDO) for name in corpus.entity_name], dtype=np.bool_)
    if refers.all():
        return corpus
    others = corpus.keep(~refers[corpus.entity]).replace(relations=())
    return corpus.keep(refers[corpus.entity]).replace(layers={**corpus.layers, NON_REFERRING: others})
