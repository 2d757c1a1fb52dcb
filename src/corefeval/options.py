"""The words that options take; the first is the default. The same on the command line and in Python."""

from __future__ import annotations

SINGLETONS = ("keep", "drop")
SPLIT_ANTECEDENTS = ("drop", "keep", "only")
IDENTITY = "identity"
DUPLICATES = ("conll-8.01", "first", "merge", "keep", "error")
