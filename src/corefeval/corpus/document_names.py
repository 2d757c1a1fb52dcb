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


def find_genre(name: str) -> str:
    """Return the genre that a document's name begins with.

    >>> find_genre("(nw/wsj/00/wsj_0001); part 000"), find_genre("GUM_news_flag")
    ('nw', 'news')
    """
    parts = re.split(r"[/_);]", name.strip("(); "))
    return parts[1] if parts[0] == "GUM" and len(parts) > 1 else parts[0]
