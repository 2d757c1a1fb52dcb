"""What each official scorer decides where the papers are silent: one module for each, and `registry` for all."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from corefeval._lazy import NamedTuple
from corefeval.options import Options


class Profile(NamedTuple):
    """One scorer: its name, what it is, its decisions, its measures, and remarks on what is not copied.

    variants: by a decision and a value that users choose, the decisions that the scorer takes then. Its way of doing a
    thing may have a value of its own, and one choice may bring another with it.
    """

    name: str
    title: str
    options: Options
    measures: tuple[str, ...]
    remarks: str = ""
    variants: Mapping[tuple[str, str], Mapping[str, str]] = MappingProxyType({})

    @property
    def notes(self) -> tuple[str, ...]:
        """The paragraphs of the remarks, each on one line."""
        return tuple(" ".join(paragraph.split()) for paragraph in self.remarks.split("\n\n") if paragraph.strip())
