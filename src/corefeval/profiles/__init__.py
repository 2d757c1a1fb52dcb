"""What each official scorer decides where the papers are silent: one module for each, and `registry` for all."""

from __future__ import annotations

from dataclasses import dataclass

from corefeval.options import Options


@dataclass(frozen=True, slots=True)
class Profile:
    """One scorer: its name, what it is, its decisions, its measures, and remarks on what is not copied."""

    name: str
    title: str
    options: Options
    measures: tuple[str, ...]
    remarks: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """The paragraphs of the remarks, each on one line."""
        return tuple(" ".join(paragraph.split()) for paragraph in self.remarks.split("\n\n") if paragraph.strip())
