"""Errors as the page and the plots show them: those of `Analysis`, with a sign each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from corefeval.analysis.analyse import Analysis
from corefeval.analysis.errors.types import RULES
from corefeval.analysis.errors.wording import describe_error
from corefeval.analysis.subsets import get_rows

if TYPE_CHECKING:
    from corefeval.analysis.errors import types
    from corefeval.overlap.views import Rows
    from corefeval.scoring.results import Evaluation

_SIGNS = {
    "span error": "≈",
    "conflated entities": "∪",
    "extra mention": "+",
    "extra entity": "++",
    "divided entity": "÷",
    "missing mention": "−",
    "missing entity": "−−",
}


class ErrorKind(NamedTuple):
    """A type of error: its name for styles, its title, a sign to mark it with, and the rule that makes it one."""

    name: str
    title: str
    sign: str
    rule: str


class PageError(NamedTuple):
    """One error: its kind, its document, the rows of the mentions that it shows at on either side, and a sentence."""

    kind: str
    document: int
    key: tuple[int, ...]
    response: tuple[int, ...]
    text: str


def _make_identifier(title: str) -> str:
    return title.replace(" ", "-")


KINDS = tuple(ErrorKind(_make_identifier(title), title, _SIGNS[title], rule) for title, rule in RULES.items())


def list_errors(evaluation: Evaluation) -> list[PageError]:
    """All errors of a response, by kind and in the order of the text."""
    analysis = Analysis(evaluation)
    # Mentions that a scorer adds to the key stand behind its own, and are not shown there.
    own = len(get_rows(evaluation).key)
    return [
        _make_page_error(replace(error, key_rows=tuple(row for row in error.key_rows if row < own)), analysis.rows)
        for error in analysis.errors
    ]


def _make_page_error(error: types.TypedError, rows: Rows) -> PageError:
    first = rows.key.document[error.key_rows[0]] if error.key_rows else rows.response.document[error.response_rows[0]]
    return PageError(
        _make_identifier(error.type), int(first), error.key_rows, error.response_rows, describe_error(error)
    )
