"""Scores at all levels at which documents are in groups, with and without singletons, in one table."""

from __future__ import annotations

from typing import Unpack

from corefeval.errors import OptionError
from corefeval.matching.levels import list_levels
from corefeval.notices import announce_notices
from corefeval.options import ScoringOptions
from corefeval.scoring.layout import Evaluations
from corefeval.scoring.score import Measures, Source, read, score

SINGLETONS = ("keep", "drop")


@announce_notices
def score_levels(
    key: Source, response: Source, *, measures: Measures | None = None, **options: Unpack[ScoringOptions]
) -> Evaluations:
    """Score a response at every level from documents to the corpus, with and without singletons; return all of it.

    options: as in `score`, without a level; singletons, if given, has its one value at all levels.

    Levels are left out at which some document of the key is in no group.
    """
    if options.get("level") not in (None, "all"):
        raise OptionError(f"score_levels shows all levels; score(level={options['level']!r}) shows one")
    if options.get("split_antecedents") not in (None, "drop"):
        raise OptionError("split antecedents are relations within a document: score_levels leaves them out")
    shared = options.get("format")
    ours = read(key, options.get("key_format") or shared, side="key")
    theirs = read(response, options.get("response_format") or shared, side="response")
    given = options.get("singletons")
    policies = SINGLETONS if given in (None, "both") else (given,)
    ways: list[ScoringOptions] = [
        {**options, "level": level, "singletons": policy}
        for level in list_levels(ours, options.get("topics") or "")
        for policy in policies
    ]
    return Evaluations(tuple(score(ours, theirs, measures=measures, **way) for way in ways))
