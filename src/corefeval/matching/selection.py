"""Scoring some mentions only: those with a value of an attribute, such as events apart from entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import Booleans, np
from corefeval.corpus.mentions import number_mentions
from corefeval.errors import OptionError, suggest_names
from corefeval.notices import Notice, count_things

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.documents import PairedDocuments


def select_mentions(paired: PairedDocuments, where: str) -> PairedDocuments:
    """Return paired documents with the mentions that have a value of an attribute, given as ATTRIBUTE=VALUE.

    All of them if `where` is "". Where the response lacks the attribute, it loses the mentions that the key has with
    another value, and a notice says so. An OptionError if the key lacks the attribute, or no mention has the value.
    """
    if not where:
        return paired
    name, sign, value = where.partition("=")
    if not sign or not name:
        raise OptionError(f"where={where}: expected ATTRIBUTE=VALUE, such as kind=event")
    key, response = paired.key, paired.response
    if name not in key.attributes:
        known = tuple(key.attributes)
        has = suggest_names(name, known) if known else "it has none"
        raise OptionError(f"where={where}: mentions of {key.source or 'the key'} have no attribute {name!r}; {has}")
    ours = _find_value(key, name, value)
    if len(key) and not ours.any():
        near = suggest_names(value, tuple(dict.fromkeys(map(str, key.attributes[name])))[:20])
        raise OptionError(f"where={where}: no mention of {key.source or 'the key'} has it; {near}")
    if name in response.attributes:
        return paired._replace(key=key.keep(ours), response=response.keep(_find_value(response, name, value)))
    columns = key.mentions, response.mentions, key.document, response.document
    number, their_number = number_mentions(*columns)
    # A mention that the key has twice, with both values, stays.
    other = np.isin(their_number, number[~ours]) & ~np.isin(their_number, number[ours])
    left = count_things(int(np.count_nonzero(other)), "mention", "is", "are")
    message = (
        f"mentions have no attribute {name!r}: {left} left out that the key has with another value; the others stay"
    )
    notice = Notice.at("no-attribute", response.source or "response", None, message, {"attribute": name})
    return paired._replace(key=key.keep(ours), response=response.keep(~other), notices=(*paired.notices, notice))


def _find_value(corpus: Corpus, attribute: str, value: str) -> Booleans:
    """Return for each mention whether an attribute of it has a value."""
    return np.array([str(each) == value for each in corpus.attributes[attribute]], dtype=np.bool_)
