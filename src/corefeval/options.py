"""The decisions behind a score: for each the words that it takes, the first of which is the default.

The same words on the command line and in Python. A profile (`profiles.py`) is a value for each.
"""

from __future__ import annotations

from typing import NamedTuple

MATCH = ("exact", "head", "lenient", "partial", "craft", "min", "minspan", "overlap")
ZEROS = ("order", "drop", "dependency")
SINGLETONS = ("keep", "drop")
DUPLICATES = ("conll-8.01", "first", "merge", "keep", "error")
AVERAGE = ("micro", "macro")


class Options(NamedTuple):
    """Everything that decides a score beside the data and the measures.

    match: which response mention is which key mention.
    zeros: how mentions that are not written in the text are matched.
    singletons: whether entities of one mention are dropped from each side before matching.
    duplicates: what to do with a mention that is in several entities of one side.
    average: sum the documents' counts, or average their scores.
    """

    match: str = MATCH[0]
    zeros: str = ZEROS[0]
    singletons: str = SINGLETONS[0]
    duplicates: str = DUPLICATES[0]
    average: str = AVERAGE[0]


CHOICES: dict[str, tuple[str, ...]] = {
    "match": MATCH,
    "zeros": ZEROS,
    "singletons": SINGLETONS,
    "duplicates": DUPLICATES,
    "average": AVERAGE,
}
