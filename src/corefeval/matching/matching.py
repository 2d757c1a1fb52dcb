"""From two corpora to the tables: directs what others do. Mentions are matched in `twins` and `rules`.

Pair the documents, make those of a group one, number mentions so that the same ones have the same number, settle
mentions that stand in several entities, and count who shares how many with whom.
"""

from __future__ import annotations

from collections.abc import Sequence

from corefeval._arrays import np
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import Spans
from corefeval.errors import OptionError
from corefeval.formats.shared.spanning import SPANNING
from corefeval.matching import split_antecedents
from corefeval.matching.documents import pair_documents
from corefeval.matching.numbers import Matching
from corefeval.matching.selection import select_mentions
from corefeval.matching.singletons import SingletonRule
from corefeval.matching.twins import count_twins, tabulate_mentions
from corefeval.notices import Notice
from corefeval.options import DECISIONS, Options, load_behaviour
from corefeval.overlap.views import Rows, Tables, Views

NOTHING_IN_COMMON = "nothing-in-common"


def build_tables(
    key: Corpus, response: Corpus, options: Options, missing: Sequence[str] | None = None
) -> tuple[Tables, tuple[Notice, ...]]:
    """Return two things: the tables of two corpora, and notices of the corpora, their pairing and their matching.

    missing: the documents that the response lacks, if the documents are those of the key, in its order, already.
    """
    _check_levels(key, response)
    paired = apart = pair_documents(key, response, options, missing)
    rule: SingletonRule | None = load_behaviour("singletons", options.singletons)
    if rule is not None and rule.drop is not None and key.level == "document":
        paired = rule.drop(paired, options)
    notices = key.notices + response.notices
    merge = load_behaviour("level", options.level)
    if merge is not None:  # entities are not cut at the borders of documents then
        paired = merge(paired, options)
        notices = tuple(notice for notice in notices if notice.kind != SPANNING)
    paired = select_mentions(paired, options.where)
    for decision in ("verb_phrases", "nested"):
        select = load_behaviour(decision, getattr(options, decision))
        if select is not None:
            paired = select(paired, options)
    notices += paired.notices
    if options.split_antecedents == "drop":
        views, matching = tabulate_mentions(paired, options)
        tables = Tables(views)
        if key.relations or response.relations:
            notices += split_antecedents.make_unscored_notices(apart.key, apart.response)
    else:
        tables, matching, more = split_antecedents.tabulate_with_splits(paired, options)
        notices += more
    notices += (*matching.notices, *_make_nothing_in_common_notices(matching))
    rewrite = load_behaviour("twinless", options.twinless)
    if rewrite is not None:
        tables, more = rewrite(tables)
        notices += more
    return mark_skipped_singletons(tables, options), notices


def _check_levels(key: Corpus, response: Corpus) -> None:
    """Raise an OptionError if only one side has the documents of a group in one already, or sides of other levels."""
    if key.level != response.level:
        merged = max(key.level, response.level, key=list(DECISIONS["level"].values).index)
        what = f"only one side has the documents of a {merged} in one"
        raise OptionError(f"level={merged}: {what}; give both as they are in their files")


def mark_skipped_singletons(tables: Tables, options: Options) -> Tables:
    """Return the tables with a note of which measures skip singletons, as the options say; unchanged if none does."""
    rule: SingletonRule | None = load_behaviour("singletons", options.singletons)
    return tables if rule is None else Tables(tables.views, tables.splits, rule.skipped, tables.before)


def rebuild_views(rows: Rows, options: Options) -> Views:
    """Return views counted anew from rows of mentions that are matched already."""
    views = count_twins(rows)
    if rows.repeated is not None:
        views = rows.repeated.recount(views)
    if rows.credit is not None:
        views = load_behaviour("match", options.match).add_credit(views)
    return views


def _make_nothing_in_common_notices(matching: Matching) -> tuple[Notice, ...]:
    """Return one notice, with examples, if both sides have mentions but none has a twin; else ()."""
    key, response = matching.sides.key, matching.sides.response
    if len(matching.twin_key) or not len(key) or not len(response):
        return ()
    return (make_nothing_in_common_notice(get_first_mention(key, key), get_first_mention(response, key)),)


def get_first_mention(corpus: Corpus, key: Corpus) -> object:
    """Return the mention that comes first in the text as a plain object; None if it does not align with key words.

    There must be one.
    """
    first = corpus.find_first(np.arange(len(corpus)))
    if key.tokens is not None and isinstance(corpus.mentions, Spans):
        words = np.diff(key.tokens.bounds)[corpus.document[first]]
        if corpus.mentions.end[first] >= words:  # where it stands depends on the other documents
            return None
    return corpus.mentions.take(np.array([first])).objects()[0]


def make_nothing_in_common_notice(ours: object, theirs: object) -> Notice:
    """Return the notice that no mention has a twin, with an example of each side if both are given (None if not)."""
    what = "key and response have no mention in common"
    if ours is None or theirs is None:
        return Notice(NOTHING_IN_COMMON, what)
    shown = f"the key has {ours!r} ({type(ours).__name__}), the response {theirs!r} ({type(theirs).__name__})"
    return Notice(NOTHING_IN_COMMON, f"{what}; e.g. {shown}")
