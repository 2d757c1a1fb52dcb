"""What one response fixed and what it broke, compared with another: diff()."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.analysis.analyse import Analysis, analyse
from corefeval.analysis.errors.types import TYPES
from corefeval.scoring.score import read

if TYPE_CHECKING:
    from collections.abc import Hashable

    from corefeval.analysis.errors.types import Error
    from corefeval.notices import Notice
    from corefeval.scoring.score import Measures, Source


class Change(NamedTuple):
    """Errors of one type: those of A that B has not, those of B that A has not, and how many both have."""

    type: str
    fixed: tuple[Error, ...]
    broken: tuple[Error, ...]
    both: int


class Diff(NamedTuple):
    """Two responses to one key. Errors are the same if they are of one type and begin with the same mention."""

    a: Analysis
    b: Analysis
    changes: tuple[Change, ...]

    def __str__(self) -> str:
        from corefeval.show import differing  # noqa: PLC0415 - reports are loaded when one is asked for

        return differing.text(self)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know, of both responses; what they share, such as the key's, once."""
        both = (self.a, self.b)
        return tuple({notice.message: notice for each in both for notice in each.notices}.values())

    def to_json(self) -> str:
        """JSON with full precision, as the command prints it."""
        from corefeval.show import differing  # noqa: PLC0415

        return differing.json_text(self)

    def to_csv(self) -> str:
        """Comma-separated values: a row for each error that only one of them has."""
        from corefeval.show import differing  # noqa: PLC0415

        return differing.csv_text(self)

    def to_markdown(self) -> str:
        """Markdown tables."""
        from corefeval.show import differing, titled  # noqa: PLC0415

        return titled.as_markdown(differing.tables(self), self.b.evaluation.signature)

    def to_latex(self) -> str:
        """LaTeX tables for booktabs."""
        from corefeval.show import differing, titled  # noqa: PLC0415

        return titled.as_latex(differing.tables(self), self.b.evaluation.signature)


def diff(key: Source, a: Source, b: Source, *, measures: Measures | None = None, **options: Any) -> Diff:
    """Compare the errors of response B with those of response A.

    measures, options: as in `score`.
    """
    whole = read(key, options.pop("key_format", None) or options.get("format"))
    return between(*(analyse(whole, response, measures=measures, **options) for response in (a, b)))


def between(a: Analysis, b: Analysis) -> Diff:
    """The same for responses that are analysed already, against the same key."""
    named = [{_identity(analysis, error): error for error in analysis.errors} for analysis in (a, b)]
    changes = []
    for kind in TYPES:
        ours, theirs = ({name: e for name, e in errors.items() if e.type == kind} for errors in named)
        changes.append(
            Change(
                kind,
                tuple(error for name, error in ours.items() if name not in theirs),
                tuple(error for name, error in theirs.items() if name not in ours),
                len(ours.keys() & theirs.keys()),
            )
        )
    return Diff(a, b, tuple(changes))


def _identity(analysis: Analysis, error: Error) -> Hashable:
    """What two responses to one key can agree on: the type, the document, and the mention that the error begins with.

    A mention that stands in several key entities is told apart by their names.
    """
    in_key = bool(error.key_rows)
    corpus = analysis.rows.key if in_key else analysis.rows.response
    row = (error.key_rows or error.response_rows)[0]
    mention = (corpus.in_own_words() if in_key else corpus).mentions.take(np.array([row])).objects()[0]
    name = str(corpus.entity_name[int(corpus.entity[row])]) if in_key else ""
    return error.type, error.document, in_key, mention, name
