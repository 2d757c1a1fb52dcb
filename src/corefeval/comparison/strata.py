"""Groups of documents within which resamples are drawn: by genre, by file, or by a pattern in their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from corefeval.comparison.systems import sort_documents
from corefeval.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefeval._arrays import Ints
    from corefeval.scoring.results import Evaluation


def find_genres(evaluation: Evaluation) -> list[str]:
    """Return the genre that each document's name begins with: `nw` of nw/wsj/00/wsj_0001, `news` of GUM_news_flag."""
    found = []
    for name in evaluation.document_names:
        parts = re.split(r"[/_);]", name.strip("(); "))
        found.append(parts[1] if parts[0] == "GUM" and len(parts) > 1 else parts[0])
    return found


def find_files(evaluation: Evaluation) -> list[str]:
    """Return the file that each document was read from."""
    rows = evaluation.mentions
    return [rows.key.file(number) if rows is not None else "" for number in range(len(evaluation.document_names))]


FIELDS: dict[str, Callable[[Evaluation], list[str]]] = {"genre": find_genres, "file": find_files}

_POSSIBLE = f"{', '.join(FIELDS)} or a regular expression on the documents' names"


def number_strata(evaluation: Evaluation, field: str | None) -> Ints | None:
    """Return the number of each document's group, documents in the order of their names; None without a field."""
    if field is None:
        return None
    labels = FIELDS[field](evaluation) if field in FIELDS else _match_pattern(evaluation, field)
    if len(set(labels)) == len(labels) > 1:
        raise OptionError(
            f"stratify={field} puts every document into a group of its own: there is nothing to draw from"
        )
    numbers = np.unique(np.array(labels, dtype=np.str_), return_inverse=True)[1].reshape(-1).astype(np.int64)
    return numbers[sort_documents(evaluation.document_names)]


def _match_pattern(evaluation: Evaluation, pattern: str) -> list[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise OptionError(f"stratify={pattern!r} is not possible ({error}); it takes {_POSSIBLE}") from None
    found = [compiled.search(name) for name in evaluation.document_names]
    missed = [name for name, match in zip(evaluation.document_names, found, strict=True) if match is None]
    if missed:
        raise OptionError(
            f"stratify={pattern!r} finds nothing in the name of document {missed[0]!r}; it takes {_POSSIBLE}"
        )
    return ["|".join(group or "" for group in match.groups()) or match[0] for match in found if match]
