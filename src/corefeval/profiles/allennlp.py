"""AllenNLP's scorer, and that of e2e-coref, which it resembles: both skip singletons in some measures only."""

from __future__ import annotations

from corefeval.matching.repeats import Lookup, rank_by_listing
from corefeval.matching.singletons import SingletonRule
from corefeval.options import Options
from corefeval.profiles import Profile

PROFILES = (
    Profile(
        "allennlp",
        "ConllCorefScores of allennlp-models 2.10.1",
        Options(singletons="allennlp", duplicates="allennlp"),
        ("muc", "bcub", "ceafe"),
        """
        It takes pairs of documents, so none can be missing. It reports the means of the three recalls and
        of the three precisions, too.
        """,
    ),
    Profile(
        "e2e",
        "metrics.py of e2e-coref (Lee et al. 2017, 2018), which many systems copied",
        Options(singletons="allennlp", duplicates="allennlp"),
        ("muc", "bcub", "ceafe"),
        """
        It takes pairs of documents, so none can be missing. It has a function for LEA, which skips singletons
        and which nothing there calls; LEA here need not agree with it.

        An entity that lists one mention twice is no singleton there.
        """,
    ),
)

SKIPPED_SINGLETONS = SingletonRule(
    {"bcub": "both", "lea": "both", "ceaf": "response", "ceafm": "response", "ceafe": "response"}
)

DUPLICATES = Lookup(rank_by_listing, once=False)
