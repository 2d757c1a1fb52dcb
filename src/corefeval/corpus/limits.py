"""How much is read before it is taken for a mistake or an attack; users raise a limit by an environment variable."""

from __future__ import annotations

import os
import re

from corefeval._arrays import np
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import as_spans
from corefeval.errors import Fault, InputError, OptionError

MAX_SIZE = "COREFEVAL_MAX_SIZE"
"""How many bytes a packed file, an archive, a pipe or a device may hold."""

MAX_OFFSET = "COREFEVAL_MAX_OFFSET"
"""How many words or characters a document whose text is not known may have."""

_DEFAULTS = {MAX_SIZE: "2GB", MAX_OFFSET: "10000000"}
_NUMBER = r"(?i)\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*"
_POWERS = ("", "K", "M", "G", "T")


def get_limit(name: str) -> int:
    """Return a limit as an integer, by its environment variable or else its default; OptionError if it is no number."""
    return parse_size(os.environ.get(name) or _DEFAULTS[name], name, _DEFAULTS[name])


def parse_size(given: str | int, option: str, example: str = "4GB") -> int:
    """Return a number of bytes (or of anything): 4GB is 4,000,000,000, 4GiB 4 * 1024³; OptionError if it is none.

    option, example: what the error calls it, and how it should look.
    """
    number = re.fullmatch(_NUMBER, str(given))
    if number is None:
        raise OptionError(f"{option}={given!r} is not possible; expected a number such as {example}")
    base = 1024 if number[3] else 1000
    return int(float(number[1]) * base ** _POWERS.index(number[2].upper()))


def tell_how_to_raise(name: str) -> str:
    """Return the end of a message: which environment variable raises a limit, and what the limit is now."""
    return (
        f"if it is meant, raise the limit: {name}=… in the environment (now {os.environ.get(name) or _DEFAULTS[name]})"
    )


def refuse_far_offsets(corpus: Corpus) -> None:
    """Raise an InputError if mentions of a corpus without words and text reach beyond the limit `MAX_OFFSET`."""
    spans = None if corpus.tokens is not None or corpus.texts is not None else as_spans(corpus.mentions)
    most = get_limit(MAX_OFFSET)
    far = [] if spans is None else np.flatnonzero(spans.end >= most).tolist()
    if far:
        expected, hint = f"offsets below {most:,}", tell_how_to_raise(MAX_OFFSET)
        raise InputError(
            Fault(
                corpus.file(int(corpus.document[row])) or "corpus",
                f"mention {corpus.describe(row)} reaches too far",
                expected,
                hint,
                corpus.line(row),
                "mention-outside",
            )
            for row in far
        )
