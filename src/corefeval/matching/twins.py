"""Which mentions are twins: number them so that the same mention has the same number, then settle repeated ones."""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING

from corefeval._arrays import np
from corefeval.corpus.mentions import Objects, Texts
from corefeval.matching.numbers import Matching, NumberedSides, find_twins, has_repeats, take_rows
from corefeval.matching.repeats import Lookup, rank_by_listing
from corefeval.matching.rules.base import EXACT, Rule, number_by_rule, require_spans
from corefeval.options import Options, load_behaviour
from corefeval.overlap.overlap import Overlap, Side
from corefeval.overlap.views import RepeatCounter, Rows, Views

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.matching.documents import PairedDocuments


def tabulate_mentions(paired: PairedDocuments, options: Options) -> tuple[Views, Matching]:
    """Return two things: the views counted on the matched mentions of paired documents, and the matching."""
    rule: Rule = load_behaviour("match", options.match)
    matching = _match_objects(paired.key, paired.response) if rule is EXACT else None
    if matching is None:
        matching = _match_numbers(paired.key, paired.response, rule, options)
    sides, recount = matching.sides, matching.count_repeats
    repeated = None if recount is None else RepeatCounter(sides.key_number, sides.response_number, recount)
    twins = matching.twin_key, matching.twin_response
    find_places = None
    if options.anaphors == "place":
        find_places = partial(_choose_lookup(options).find_places, rule.number)
    rows = Rows(sides.key, sides.response, *twins, paired.missing, repeated=repeated, find_places=find_places)
    views = count_twins(rows)
    if recount is not None:
        views = recount(views)
    return views if rule.add_credit is None else rule.add_credit(views), matching


def count_twins(rows: Rows) -> Views:
    """Return the views of the one-to-one table, which counts the twins of every pair of entities."""
    key, response = (
        Side(corpus.sizes, corpus.entity_document, len(corpus.documents), corpus.entity_name, corpus.documents)
        for corpus in (rows.key, rows.response)
    )
    ours, theirs = take_rows(rows.key.entity, rows.twin_key), take_rows(rows.response.entity, rows.twin_response)
    return Views(Overlap.from_twins(key, response, ours, theirs), rows)


def _match_objects(key: Corpus, response: Corpus) -> Matching | None:
    """Return a Matching of hashable Python objects of one document, by a dictionary; None for repeats and all else.

    They need no numbers, unless some are repeated.
    """
    ours, theirs = key.mentions, response.mentions
    if len(key.documents) != 1 or not isinstance(ours, Objects) or not isinstance(theirs, Objects):
        return None
    if isinstance(ours, Texts) and isinstance(theirs, Texts):
        return None  # Arrow numbers them faster
    wanted, given = ours.values, theirs.values
    try:
        row = dict(zip(wanted, range(len(wanted)), strict=True))
        if len(row) < len(wanted) or len(set(given)) < len(given):
            return None
        found = np.fromiter(map(row.get, given, repeat(-1)), dtype=np.int64, count=len(given))
    except TypeError:  # an object that cannot be hashed
        return None
    rows = (found >= 0).nonzero()[0]
    none = np.zeros(0, dtype=np.int64)
    return Matching(NumberedSides(key, response, none, none), found[rows], rows)


def _match_numbers(key: Corpus, response: Corpus, rule: Rule, options: Options) -> Matching:
    """Return a Matching by the numbers that the rule gives mentions; repeated ones are treated as the options say."""
    zeros = load_behaviour("zeros", options.zeros)
    if rule.match is not None:
        key, response = require_spans(key, options.match), require_spans(response, options.match)
    numbers = number_by_rule(key, response, rule, zeros)
    sides = NumberedSides(key, response, numbers.key, numbers.response)
    settle = load_behaviour("duplicates", options.duplicates)
    if has_repeats(sides.key_number) or has_repeats(sides.response_number):
        matching = settle(sides)
    else:
        matching = Matching(sides, *find_twins(sides.key_number, sides.response_number))
    if numbers.lookups is not None:
        count = partial(_choose_lookup(options).add_lookup_tables, numbers=numbers.lookups)
        matching = matching._replace(count_repeats=count)
    return matching._replace(notices=(*numbers.notices, *matching.notices)) if numbers.notices else matching


def _choose_lookup(options: Options) -> Lookup:
    """Return the lookup that the option `duplicates` sets, else that of `zeros`, else one in the entity listed last."""
    settle, zeros = load_behaviour("duplicates", options.duplicates), load_behaviour("zeros", options.zeros)
    if isinstance(settle, Lookup):
        return settle
    return (None if zeros is None else zeros.lookup) or Lookup(rank_by_listing, once=False)
