"""`python -m corefeval.lab.criteria`: search again, and write the verdicts that are shipped with the package."""

from __future__ import annotations

from pathlib import Path

from corefeval.lab.criteria.judging import CACHE, search_verdicts, write_cache
from corefeval.lab.criteria.pairs import list_bases
from corefeval.measures import select_measures

if __name__ == "__main__":
    Path(__file__).with_name(CACHE).write_text(
        write_cache(search_verdicts(select_measures("all"), list_bases())), encoding="utf-8"
    )
