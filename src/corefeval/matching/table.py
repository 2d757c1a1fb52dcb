"""From two corpora to the table: the only place that knows spans, words and documents.

Pair the documents, number mentions so that the same ones have the same number, settle mentions that stand in several
entities, and count who shares how many with whom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.matching import split_antecedents
from corefeval.matching.documents.pairing import pair_documents
from corefeval.matching.sides import Matching, NumberedSides
from corefeval.matching.twins import count_twins, tabulate_mentions
from corefeval.notices import Notice
from corefeval.options import load_behaviour
from corefeval.overlap import rewriting

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.options import Options
    from corefeval.overlap.cells import Rows
    from corefeval.overlap.table import Overlap

NOTHING_IN_COMMON = "nothing-in-common"


def build_table(key: Corpus, response: Corpus, options: Options) -> tuple[Overlap, tuple[Notice, ...]]:
    """Build the table of two corpora, with notices of everything about it that a user should know."""
    paired = pair_documents(key, response, options)
    notices = (*key.notices, *response.notices, *paired.notices)
    if options.split_antecedents == "drop":
        table, matching = tabulate_mentions(paired, options)
        if key.relations or response.relations:
            notices += split_antecedents.describe_unscored(paired.key, paired.response)
    else:
        table, matching, more = split_antecedents.tabulate_with_splits(paired, options)
        notices += more
    notices += (*matching.notices, *_describe_strangers(matching))
    table, more = rewriting.rewritten(table, options)
    return table, (*notices, *more)


def rebuild_table(rows: Rows, options: Options) -> Overlap:
    """Build the table of mentions that are matched already, such as some of those behind another table."""
    table = count_twins(rows)
    if rows.repeated is not None:
        table = rows.repeated.add_to(table, rows)
    if rows.credit is None:
        return table
    none = np.zeros(0, dtype=np.int64)
    numbers = (none, none) if rows.repeated is None else (rows.repeated.key_number, rows.repeated.response_number)
    matching = Matching(NumberedSides(rows.key, rows.response, *numbers), rows.twin_key, rows.twin_response)
    credited: Overlap = load_behaviour("match", options.match).add_credit(table, matching)
    return credited


def _describe_strangers(matching: Matching) -> tuple[Notice, ...]:
    """Say so if nothing matches at all: it is seldom the system's fault."""
    key, response = matching.sides.key, matching.sides.response
    if len(matching.twin_key) or not len(key) or not len(response):
        return ()
    ours, theirs = (side.mentions.take(np.zeros(1, dtype=np.int64)).objects()[0] for side in (key, response))
    shown = f"the key has {ours!r} ({type(ours).__name__}), the response {theirs!r} ({type(theirs).__name__})"
    return (Notice(NOTHING_IN_COMMON, f"key and response have no mention in common; e.g. {shown}"),)
