"""What a file says beyond identity."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping


class Relation(NamedTuple):
    """What a file says beyond identity, kept for those who want it: bridging, split antecedents.

    `source` is a mention as `Spans.objects` gives it, or the name of an entity; `targets` are names of entities.
    """

    kind: str
    document: str
    source: Hashable
    targets: tuple[str, ...]
    label: str = ""
    attributes: Mapping[str, str] = MappingProxyType({})
