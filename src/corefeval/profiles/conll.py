"""The reference scorer of the CoNLL shared tasks. Its decisions are the defaults, and the core does what they say."""

from __future__ import annotations

from corefeval.options import Options
from corefeval.profiles import Profile

PROFILES = (
    Profile(
        "conll-8.01",
        "the reference scorer of the CoNLL shared tasks, version 8.01",
        Options(),
        ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc"),
        """
        The scorer stops after ten repeated mentions, counted over all documents and measures of a run; this
        is not copied.

        It scores only the last of several documents of one name; here they are refused.

        B³ and CEAFe are sums of fractions, which it adds in no fixed order: where such a sum lies on the
        edge of two truncated values, its own runs differ in the last digit.
        """,
    ),
    Profile(
        "conll-2012",
        "version 4 of that scorer, with the rewrite of Cai & Strube 2010, as used in the shared tasks of 2011 and 2012",
        Options(twinless="cai_strube"),
        ("mentions", "muc", "bcub", "ceafm", "ceafe"),
        """
        As far as the literature defines it: B³ and CEAF are rewritten as Cai & Strube 2010 describe;
        everything else is version 8.01. Version 4 itself has bugs that Pradhan et al. 2014 removed and that
        are not copied.

        BLANC of version 4 is defined for the key's mentions only, and is that of version 8.01 here.
        """,
    ),
)
