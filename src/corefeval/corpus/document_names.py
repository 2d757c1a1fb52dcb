"""The names of documents, and what a format puts around them."""

from __future__ import annotations

import re

_CONLL_NAME = re.compile(r"\((.*)\)(?:; part (\d+))?", re.DOTALL)


def strip_conll_name(name: str) -> str:
    """Return a document's name without the brackets and the part that CoNLL puts around it.

    >>> strip_conll_name("(36/36ecb/1); part 000")
    '36/36ecb/1'
    """
    found = _CONLL_NAME.fullmatch(name)
    return found[1] if found else name
