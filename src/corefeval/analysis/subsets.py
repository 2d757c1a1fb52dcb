"""Evaluations of other mentions than those that were scored: of some of them, of one document, of what can be analysed.

What is analysed is an evaluation whose table is that of its mentions, one to one, and of nothing else. Most are. Two
decisions make a table of more than the mentions of both files. Split antecedents are members of entities that are no
mentions: they are left out, and a notice says so; so are measures of other things than entities. With
`twinless=scorch-cli` mentions that only the response has are singletons of the key: here they are mentions of the key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from corefeval import measures as known
from corefeval._arrays import Booleans, Ints, invert_permutation
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mention_types import MentionTypes, find_types_of_sides, set_mention_types
from corefeval.corpus.mentions import Carried, join_columns, join_optional_spans
from corefeval.errors import OptionError
from corefeval.matching import matching
from corefeval.measures import Measure
from corefeval.notices import Notice, count_things
from corefeval.options import Options
from corefeval.overlap.views import Rows, Tables
from corefeval.scoring.counting import Counter
from corefeval.scoring.results import Evaluation


def get_rows(evaluation: Evaluation) -> Rows:
    """Return the Rows of an evaluation: key, response and twins; raise an OptionError if they were not kept."""
    if evaluation.mentions is None:
        raise OptionError("the mentions behind these scores were not kept: score key and response themselves")
    return evaluation.mentions


def score_rows(
    evaluation: Evaluation,
    rows: Rows,
    names: tuple[str, ...] | None = None,
    *,
    options: Options | None = None,
    notices: tuple[Notice, ...] = (),
) -> Evaluation:
    """Return the evaluation of other rows by the same measures; documents and options stay unless given, notices go."""
    decided = evaluation.options if options is None else options
    return replace(
        evaluation,
        counter=Counter(matching.mark_skipped_singletons(Tables(matching.rebuild_views(rows, decided)), decided)),
        document_names=evaluation.document_names if names is None else names,
        options=decided,
        notices=notices,
    )


def restrict_mentions(evaluation: Evaluation, key: Booleans, response: Booleans) -> Evaluation:
    """Return the evaluation of only the mentions that are True, unchanged if all are (Popescu-Belis 1999, 4.4)."""
    rows = get_rows(evaluation)
    if key.all() and response.all():
        return evaluation
    return score_rows(evaluation, _keep_rows(rows, key, response))


def _keep_rows(rows: Rows, key: Booleans, response: Booleans) -> Rows:
    """Return Rows of only the mentions that are True."""
    return _keep_twins(rows, rows.key.keep(key), rows.response.keep(response), key, response)


def _keep_twins(rows: Rows, key_corpus: Corpus, response_corpus: Corpus, key: Booleans, response: Booleans) -> Rows:
    """Return Rows of two corpora that have only the True mentions: twins renumbered, both of which are True."""
    both = key[rows.twin_key] & response[rows.twin_response]
    return Rows(
        key_corpus,
        response_corpus,
        (np.cumsum(key) - 1)[rows.twin_key[both]],  # row 2 of [True, False, True] becomes row 1
        (np.cumsum(response) - 1)[rows.twin_response[both]],
        rows.missing,
        None if rows.credit is None else rows.credit[both],
        None if rows.repeated is None else rows.repeated.keep(key, response),
        find_places=rows.find_places,
    )


def hide_singletons(evaluation: Evaluation, measure: Measure) -> Evaluation:
    """Return the evaluation without the singletons that the measure does not see; unchanged if it sees all."""
    rows = get_rows(evaluation)
    whose = evaluation.overlaps.skipped_singletons.get(measure.name)
    hidden = (whose == "both", whose is not None)
    key, response = (
        corpus.sizes[corpus.entity] > 1 if hide else np.ones(len(corpus), dtype=np.bool_)
        for corpus, hide in zip((rows.key, rows.response), hidden, strict=True)
    )
    return restrict_mentions(evaluation, key, response)


def rewrite_mentions(evaluation: Evaluation, measure: Measure) -> Evaluation:
    """Return the evaluation of the mentions that a measure counts by `twinless=pad`, `discard_both`; unchanged if all.

    Ways that do not treat both sides alike leave it unchanged, too.
    """
    rows = get_rows(evaluation)
    if len(rows.key) == len(rows.response) == len(rows.twin_key):
        return evaluation
    if measure.rewrite == "pad":
        return score_rows(evaluation, add_twinless_to_key(add_twinless_to_key(rows).mirror).mirror)
    if measure.rewrite == "discard_both":
        key, response = (found >= 0 for found in rows.find_twins())
        return score_rows(evaluation, _keep_rows(rows._replace(repeated=None), key, response))
    return evaluation


def select_documents(evaluation: Evaluation, names: tuple[str, ...]) -> Evaluation:
    """Return the evaluation of only these documents, to be given in its own order; unchanged if they are all."""
    if names == evaluation.document_names:
        return evaluation
    rows = get_rows(evaluation)
    numbers = [evaluation.document_names.index(name) for name in names]
    key, response = (np.isin(corpus.document, numbers) for corpus in (rows.key, rows.response))
    ours, theirs = (corpus.select_documents(names) for corpus in (rows.key, rows.response))
    return score_rows(evaluation, _keep_twins(rows._replace(missing=()), ours, theirs, key, response), names)


_LEFT_OUT: dict[Callable[[Measure], bool], str] = {
    lambda measure: not measure.scores_entities: (
        "which is of mentions and entities; they score relations, layers or types"
    ),
    lambda measure: measure.names_entities: "which corrects entities; weights are for those of the files, by name",
}
"""Which measures are left out of an analysis, and why."""


class Subject(NamedTuple):
    """An evaluation that can be analysed, and notices about what was left out for that."""

    evaluation: Evaluation
    notices: tuple[Notice, ...] = ()


def prepare_subject(evaluation: Evaluation) -> Subject:
    """Return a Subject: what can be analysed, notices of what is left out; OptionError if only splits are scored."""
    rows, overlaps, options = get_rows(evaluation), evaluation.overlaps, evaluation.options
    notices = []
    if overlaps.before is not None:
        evaluation = score_rows(evaluation, add_twinless_to_key(rows), notices=evaluation.notices)
    elif overlaps.splits is not None:
        if overlaps.splits.only:
            raise OptionError(
                "only split antecedents are scored, so there are no mentions to analyse: leave out "
                "--split-antecedents only"
            )
        count = len(overlaps.splits.key) + len(overlaps.splits.response)
        message = (
            f"{count_things(count, 'split antecedent')} of key and response {'is' if count == 1 else 'are'} left out: "
            "the analysis scores as with --split-antecedents drop"
        )
        notices.append(Notice("left-out", message, {"count": count}))
        dropped = options._replace(split_antecedents="drop")
        evaluation = score_rows(evaluation, rows, options=dropped, notices=evaluation.notices)
    if evaluation.overlaps.views.of_sets:
        message = "entities share mentions: a perfect response need not score 100"
        notices.append(Notice("sets-in-analysis", message))
    left = tuple(each for each in evaluation.measures if each.scores_entities and not each.names_entities)
    if left != evaluation.measures:
        for reason, why in _LEFT_OUT.items():
            beyond = [str(measure) for measure in evaluation.measures if reason(measure)]
            if beyond:
                message = f"{', '.join(beyond)}: left out of the analysis, {why}"
                notices.append(Notice("left-out", message, {"measures": beyond}))
        evaluation = replace(evaluation, measures=left or known.resolve_measures(known.select_measures(None), options))
    return Subject(evaluation, tuple(notices))


def add_twinless_to_key(rows: Rows) -> Rows:
    """Return rows whose key has the response's twinless mentions, too: as singletons, and as their twins."""
    extra = np.setdiff1d(np.arange(len(rows.response)), rows.twin_response)
    documents = np.concatenate([rows.key.entity_document, rows.response.document[extra]])
    order = np.argsort(documents, kind="stable")
    place = invert_permutation(order)
    ours = np.arange(len(rows.key))
    names = [*rows.key.entity_name, *(f"added {number + 1}" for number in range(len(extra)))]
    entity = place[np.concatenate([rows.key.entity, len(rows.key.entity_document) + np.arange(len(extra))])]
    key = join_mentions(rows, ours, extra, documents[order], [names[number] for number in order.tolist()], entity)
    sides = (rows.key, ours), (rows.response, extra)
    lines = [corpus.line(row) or 0 for corpus, chosen in sides for row in chosen.tolist()]
    types = {name: [*values, *[""] * len(extra)] for name, values in rows.key.entity_attributes.items()}
    return rows._replace(
        key=key.replace(
            source=rows.key.source,
            files=rows.key.files,
            lines=np.array(lines, dtype=np.int64),
            entity_attributes={name: [values[number] for number in order.tolist()] for name, values in types.items()},
        ),
        twin_key=np.concatenate([rows.twin_key, len(ours) + np.arange(len(extra))]),
        twin_response=np.concatenate([rows.twin_response, extra]),
        credit=None if rows.credit is None else np.concatenate([rows.credit, np.ones(len(extra))]),
        repeated=None,
    )


def join_mentions(
    rows: Rows, ours: Ints, theirs: Ints, entity_document: Ints, entity_name: Sequence[str | int], entity: Ints
) -> Corpus:
    """Return a corpus of the key's rows `ours`, then of the response's rows `theirs`, in the entities given."""
    key, response = rows.key, rows.response
    carried = isinstance(key.mentions, Carried) or isinstance(response.mentions, Carried)
    names = dict.fromkeys((*key.attributes, *response.attributes))
    sides = (key, ours), (response, theirs)
    heads = [None if corpus.heads is None else corpus.heads.take(chosen) for corpus, chosen in sides]
    made = Corpus(
        key.documents,
        entity_document,
        entity_name,
        entity,
        join_columns([key.mentions.take(ours), response.mentions.take(theirs)]),
        # Files that count words differently cannot share word numbers.
        None if carried else key.tokens,
        texts=key.texts,
        heads=join_optional_spans(heads, (len(ours), len(theirs))),
        attributes={name: [*_list_values(key, name, ours), *_list_values(response, name, theirs)] for name in names},
        source=response.source,
        of_records=key.of_records,
    )
    if not carried:
        return made
    one, other = find_types_of_sides(rows)
    code = np.concatenate([one.code[ours], other.code[theirs]])
    return set_mention_types(made, MentionTypes(code, np.concatenate([one.guessed[ours], other.guessed[theirs]])))


def _list_values(corpus: Corpus, name: str, rows: Ints) -> list[str]:
    """Return the value of an attribute in each of some rows; "" in all if the corpus lacks the attribute."""
    values = corpus.attributes.get(name)
    return [""] * len(rows) if values is None else [values[row] for row in rows.tolist()]
