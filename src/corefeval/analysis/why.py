"""Why two scorers disagree: from one profile to the other, one decision after another.

What is responsible for each step is said in sentences: the mentions, entities and documents on which the decision makes
a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from corefeval import measures as known
from corefeval._arrays import Ints
from corefeval._lazy import NamedTuple
from corefeval.corpus.corpus import Corpus
from corefeval.corpus.mentions import number_mentions
from corefeval.errors import InputError, OptionError
from corefeval.matching.levels import DOCUMENT
from corefeval.measures import Measure
from corefeval.notices import Notice, announce_notices, count_part, count_things
from corefeval.options import DECISIONS, Options
from corefeval.profiles import Profile
from corefeval.profiles import registry as profiles
from corefeval.scoring.layout import get_system_name
from corefeval.scoring.results import Evaluation
from corefeval.scoring.score import Measures, Source, read, score_corpora
from corefeval.tables.result import Result
from corefeval.tables.table import Digits, Table, format_points, make_score_formatter
from corefeval.tables.writers import collect_columns

_GOES_ON = {"missing": "empty", "extra": "ignore", "duplicates": "keep"}
"""What to do where a scorer would refuse; where the data lack what its rule of matching needs, match exactly."""

_REFUSALS = (InputError, OptionError)
"""What is wrong with the data, and what they lack that a decision needs."""

CAUSES = 5
"""How many causes of a step are shown, unless more are asked for."""
_STILL = 5e-7  # what moves by less does not show
_FIELDS = ("recall", "precision", "f1", "score")


@dataclass(frozen=True, slots=True)
class DecisionStep:
    """One decision changed: from what to what, the evaluation then, and what is responsible for the difference.

    `refused` is what the scorer would say that takes no such files; the decision before it then stays.
    """

    decision: str
    before: str
    after: str
    evaluation: Evaluation
    causes: tuple[str, ...]
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Explanation(Result):
    """The way from one profile's numbers to the other's, one decision after another."""

    from_: Profile
    to: Profile
    measures: tuple[Measure, ...]
    start: Evaluation
    steps: tuple[DecisionStep, ...]
    refused: str = ""

    @property
    def end(self) -> Evaluation:
        """The evaluation after the last step: by the other profile, but for decisions that were refused."""
        return self.steps[-1].evaluation if self.steps else self.start

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of the first profile's evaluation."""
        return self.start.notices

    def changes(self, step: int, measure: Measure) -> dict[str, float]:
        """Return {name of a measure's numeric value: by how much a step, counted from 0, moves it}."""
        start = self.steps[step - 1].evaluation if step else self.start
        before, after = (evaluation[measure].values for evaluation in (start, self.steps[step].evaluation))
        return {
            field: float(after[field]) - float(before[field])
            for field in measure.shown
            if not isinstance(before[field], str)
        }

    def tables(self, *, digits: Digits = "round", examples: int | None = CAUSES) -> Iterator[Table]:
        """Yield tables: all decisions; each refusal; `examples` causes (None: all) of each step that moves a score."""
        write = make_score_formatter(digits)
        body = [[self.from_.name, "", *(write(self.start[measure].main) for measure in self.measures)]]
        for place, step in enumerate(self.steps):
            body.append([step.decision, f"{step.before} → {step.after}", *self._format_changes(place)])
        body.append([self.to.name, "", *(write(self.end[measure].main) for measure in self.measures)])
        fields = {measure.main for measure in self.measures}
        notes = [f"{' and '.join(sorted(fields))}; changes in points, · is none"]
        if len(self.steps) > 1:
            notes.append(
                "decisions change one after the other, in this order; in another order each may move more or less"
            )
        yield Table("", ["", "", *map(str, self.measures)], body, 2, tuple(notes))
        refusals = {f"{self.from_.name} itself would refuse these files": self.refused}
        for step in self.steps:
            refusals[f"{self.to.name} itself would refuse these files ({step.decision}={step.after})"] = step.refused
        for who, message in refusals.items():
            if message:
                yield Table("", (), [[f"{who}: {message}"]], 1)
        for place, step in enumerate(self.steps):
            changes = (change for measure in self.measures for change in self.changes(place, measure).values())
            if step.causes and any(abs(change) >= _STILL for change in changes):
                lines = [[f"  {cause}"] for cause in step.causes[:examples]]
                if len(lines) < len(step.causes):
                    lines.append([f"  and {len(step.causes) - len(lines):,} more"])
                yield Table(f"{step.decision}: {step.before} → {step.after}", (), lines, 1)

    def _format_changes(self, place: int) -> list[str]:
        """Return a text for each measure: points by which a step moves it, "·" for none, "refused" if the step is."""
        if self.steps[place].refused:
            return ["refused"] * len(self.measures)
        changes = [self.changes(place, measure)[measure.main] for measure in self.measures]
        return ["·" if abs(change) < _STILL else format_points(change) for change in changes]

    def build_columns(self) -> dict[str, list[object]]:
        """Return {name: column}, a row for every measure by the first profile, after each decision, by the second."""
        ways: list[tuple[str, str | None, str | None, Evaluation]] = [(self.from_.name, None, None, self.start)]
        ways += [(step.decision, step.before, step.after, step.evaluation) for step in self.steps]
        ways += [(self.to.name, None, None, self.end)]
        rows = [
            (*way, str(measure), *(evaluation[measure].values.get(field) for field in _FIELDS))
            for *way, evaluation in ways
            for measure in self.measures
        ]
        return collect_columns(("decision", "from", "to", "measure", *_FIELDS), rows)

    def build_content(self) -> dict[str, object]:
        """Return profiles, steps with causes, scores and notices as plain objects for JSON."""
        start, end = (
            {"profile": profile.name, "signature": evaluation.signature, "scores": self._get_values(evaluation)}
            for profile, evaluation in ((self.from_, self.start), (self.to, self.end))
        )
        return {
            "key": self.start.key,
            "system": get_system_name(self.start),
            "response": self.start.response,
            "from": {**start, "refused": self.refused},
            "steps": [
                {
                    "decision": step.decision,
                    "from": step.before,
                    "to": step.after,
                    "refused": step.refused,
                    "changes": {str(measure): self.changes(place, measure) for measure in self.measures},
                    "scores": self._get_values(step.evaluation),
                    "causes": list(step.causes),
                }
                for place, step in enumerate(self.steps)
            ],
            "to": end,
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def _get_values(self, evaluation: Evaluation) -> dict[str, object]:
        """Return the shown values of an evaluation: {measure: {value's name: value}}."""
        return {
            str(measure): {field: evaluation[measure].values[field] for field in measure.shown}
            for measure in self.measures
        }


@announce_notices
def why(
    key: Source,
    response: Source,
    *,
    to: str,
    from_: str = profiles.DEFAULT,
    measures: Measures | None = None,
    format: str | None = None,  # noqa: A002 - the name that users expect
    key_format: str | None = None,
    response_format: str | None = None,
) -> Explanation:
    """Return an Explanation of why two profiles' scores differ: from one to the other, one decision at a time.

    measures: by default those that the other scorer has, and the CoNLL average.
    """
    one, other = profiles.find_profile(from_), profiles.find_profile(to)
    ours = read(key, key_format or format, side="key")
    theirs = read(response, response_format or format, side="response")
    chosen = known.select_measures(measures if measures is not None else (*other.measures, "conll"))
    options, refused = _find_possible_options(ours, theirs, chosen, one.options)
    start = before = score_corpora(ours, theirs, chosen, options)
    steps: list[DecisionStep] = []
    for decision, list_causes in LIST_CAUSES.items():
        value, wanted = getattr(options, decision), getattr(other.options, decision)
        if value == wanted:
            continue
        changed = options._replace(**{decision: wanted})
        try:
            after = score_corpora(ours, theirs, chosen, changed)
        except _REFUSALS as error:
            steps.append(DecisionStep(decision, value, wanted, before, (), str(error)))
            continue
        causes = tuple(list_causes(_DecisionChange(ours, theirs, before, after)))
        steps.append(DecisionStep(decision, value, wanted, after, causes))
        options, before = changed, after
    return Explanation(one, other, chosen, start, tuple(steps), refused)


def _find_possible_options(
    key: Corpus, response: Corpus, measures: tuple[Measure, ...], options: Options
) -> tuple[Options, str]:
    """Return options, changed until scoring accepts them, and the errors before that as text; raise one if none do."""
    try:
        score_corpora(key, response, measures, options)
    except _REFUSALS as error:
        going_on = {name: value for name, value in _GOES_ON.items() if getattr(options, name) == "error"}
        if isinstance(error, OptionError):
            exact = DECISIONS["match"].default
            going_on = {"match": exact} if options.match != exact else {}
        if not going_on:
            raise
        possible, more = _find_possible_options(key, response, measures, options._replace(**going_on))
        return possible, "; ".join(filter(None, (str(error), more)))
    return options, ""


class _DecisionChange(NamedTuple):
    """Key and response as they were read, and the evaluations before and after one decision was changed."""

    key: Corpus
    response: Corpus
    before: Evaluation
    after: Evaluation


def _list_notice_messages(kinds: tuple[str, ...], change: _DecisionChange) -> list[str]:
    """Return messages of notices of these kinds: those after the change or, if there are none, those before."""
    after, before = (
        [notice.message for notice in evaluation.notices if notice.kind in kinds]
        for evaluation in (change.after, change.before)
    )
    return after or before


def _list_singletons(change: _DecisionChange) -> Iterator[str]:
    """Yield sentences: how many singletons each side has, if any, then one for each singleton."""
    lines = []
    for side, corpus in (("key", change.key), ("response", change.response)):
        rows = np.flatnonzero(corpus.sizes[corpus.entity] == 1).tolist()
        if rows:
            yield f"the {side} has {len(rows):,} {'entity' if len(rows) == 1 else 'entities'} of one mention"
        lines += [
            f"{_format_mention(corpus, row, side)} is alone in entity {corpus.get_entity_name(row)}" for row in rows
        ]
    yield from lines


def _list_spanning_entities(change: _DecisionChange) -> Iterator[str]:
    """Yield sentences: how many entities of each side are in several documents of a group, then one for each."""
    evaluation = change.before if change.after.options.level == DOCUMENT else change.after
    rows, lines = evaluation.mentions, []
    for side, corpus in () if rows is None else (("key", rows.key), ("response", rows.response)):
        places: dict[int, dict[str, None]] = {}
        for entity, document in zip(corpus.entity.tolist(), corpus.attributes.get(DOCUMENT, ()), strict=False):
            places.setdefault(entity, {})[document] = None
        spanning = {entity: names for entity, names in places.items() if len(names) > 1}
        if spanning:
            level = evaluation.options.level
            yield f"the {side} has {count_things(len(spanning), 'entity')} in several documents of a {level}"
        lines += [
            f"{side}: entity {corpus.entity_name[entity]} is in {', '.join(names)}"
            for entity, names in spanning.items()
        ]
    yield from lines


def _list_dropped_mentions(change: _DecisionChange) -> Iterator[str]:
    """Yield sentences: how many mentions of each side the change drops or brings back, if any, then one for each."""
    before, after = change.before.mentions, change.after.mentions
    if before is None or after is None:
        return
    lines = []
    for side, ours, theirs, what in (
        ("key", before.key, after.key, "is dropped"),
        ("response", before.response, after.response, "is dropped"),
        ("key", after.key, before.key, "is there again"),
        ("response", after.response, before.response, "is there again"),
    ):
        left = set(_identify_mentions(theirs, np.arange(len(theirs))))
        own = _identify_mentions(ours, np.arange(len(ours)))
        rows = [row for row, mention in enumerate(own) if mention not in left]
        if rows:
            yield f"{side}: {count_part(len(rows), len(ours), 'mention')}: each {what}"
        lines += [f"{_format_mention(ours, row, side)} {what}" for row in rows]
    yield from lines


def _list_changed_twins(change: _DecisionChange) -> Iterator[str]:
    """Yield sentences: how many pairs are newly matched or no longer, then one for each of these pairs."""
    before, after = _map_twins_to_rows(change.before), _map_twins_to_rows(change.after)
    lost, won = before.keys() - after.keys(), after.keys() - before.keys()
    if won or lost:
        yield f"{count_things(len(won), 'pair')} newly matched, {len(lost):,} no longer"
    for pairs, others, evaluation, what in (
        (after, before, change.after, "is now"),
        (before, after, change.before, "is no longer"),
    ):
        rows = evaluation.mentions
        for pair, (key, response) in pairs.items():
            if rows is not None and pair not in others:
                twin = _format_mention(rows.response, response, "response")
                yield f"{_format_mention(rows.key, key, 'key')} {what} {twin}"


def _map_twins_to_rows(evaluation: Evaluation) -> dict[tuple[Hashable, ...], tuple[int, int]]:
    """Return {identity of both mentions: (key row, response row)} of all twins; empty if mentions were not kept."""
    rows = evaluation.mentions
    if rows is None:
        return {}
    ours, theirs = _identify_mentions(rows.key, rows.twin_key), _identify_mentions(rows.response, rows.twin_response)
    places = zip(rows.twin_key.tolist(), rows.twin_response.tolist(), strict=True)
    return dict(zip(zip(ours, theirs, strict=True), places, strict=True))


def _identify_mentions(corpus: Corpus, rows: Ints) -> list[Hashable]:
    """Return for each row what identifies its mention: the names of its document and entity, and its own span."""
    documents = (corpus.documents[place] for place in corpus.document[rows].tolist())
    entities = (corpus.get_entity_name(row) for row in rows.tolist())
    return list(zip(documents, entities, corpus.mentions.own.take(rows).objects(), strict=True))


def _list_zeros(change: _DecisionChange) -> Iterator[str]:
    """Yield sentences: how many zeros each side has, notices of crossed zeros, and pairs of changed twins."""
    key, response = (int(np.count_nonzero(corpus.zeros)) for corpus in (change.key, change.response))
    if key or response:
        yield f"the key has {count_things(key, 'zero')}, the response {response:,}"
    yield from _list_notice_messages(("crossed-zeros",), change)
    yield from _list_changed_twins(change)


def _list_found_by_place(change: _DecisionChange) -> Iterator[str]:
    """Yield a sentence for each key mention that one evaluation finds in the response as another than its twin."""
    for evaluation in (change.before, change.after):
        rows = evaluation.mentions
        if rows is None or rows.find_places is None:
            continue
        found, twin = rows.find_places(rows)[0], rows.find_twins()[0]
        for row in np.flatnonzero((found != twin) & (found >= 0) & (twin >= 0)).tolist():
            place, own = (_format_mention(rows.response, int(each[row]), "response") for each in (found, twin))
            yield f"{_format_mention(rows.key, row, 'key')} is matched with {own}, but {place} stands in its place"


def _list_twinless(change: _DecisionChange) -> Iterator[str]:
    """Yield sentences: how many mentions of both sides have no twin, then one for each, the response's first."""
    rows = change.before.mentions
    if rows is None:
        return
    twinless_rows = []
    for corpus, twins in ((rows.key, rows.twin_key), (rows.response, rows.twin_response)):
        number, _ = number_mentions(corpus.mentions, corpus.mentions, corpus.document, corpus.document)
        distinct = np.unique(number, return_index=True)[1]  # the first row of every different mention
        twinless_rows.append(np.setdiff1d(distinct, twins).tolist())
    key, response = twinless_rows
    of_key = count_part(len(key), len(change.key), "key mention")
    yield f"{of_key} and {count_part(len(response), len(change.response), 'response mention')} have no twin"
    for side, corpus, twinless in (("response", rows.response, response), ("key", rows.key, key)):
        for row in twinless:
            yield f"{_format_mention(corpus, row, side)} of entity {corpus.get_entity_name(row)} is in the {side} only"


def _list_absent_links(change: _DecisionChange) -> Iterator[str]:
    """Yield a sentence for each kind of BLANC's links of which a side has none, in all or in each document."""
    evaluation = change.after
    links = {f"document {name!r}: ": scores["blanc"].links for name, scores in evaluation.documents.items()}
    if evaluation.options.average == "micro":
        links = {"": evaluation["blanc"].links}
    for where, counts in links.items():
        for kind, word in (("coreference", "coreference"), ("noncoreference", "non-coreference")):
            key, response = counts[f"key_{kind}"], counts[f"response_{kind}"]
            if not key or not response:
                yield f"{where}the key has {count_things(int(key), f'{word} link')}, the response {response}"


def _describe_largest_document(change: _DecisionChange) -> Iterator[str]:
    """Yield one sentence with the largest document's share of key mentions; nothing if there is one document."""
    names, mentions = change.after.document_names, np.atleast_1d(change.after.table.key.mentions)
    if len(names) < 2:
        return
    largest = int(np.argmax(mentions))
    share = mentions[largest] / max(1, int(mentions.sum()))
    yield (
        f"{len(names)} documents, of which the largest, {names[largest]!r}, has {share:.0%} of the key's mentions: "
        "summed counts weigh documents by size"
    )


def _format_mention(corpus: Corpus, row: int, side: str) -> str:
    """Return a mention as text, its place (or `side` for an unknown file) and its words: "FILE:LINE: words"."""
    return f"{corpus.place(row, side)}: {corpus.describe(row)}"


LIST_CAUSES: dict[str, Callable[[_DecisionChange], Iterable[str]]] = {
    "missing": partial(_list_notice_messages, ("missing-document",)),
    "extra": partial(_list_notice_messages, ("extra-document",)),
    "words": partial(_list_notice_messages, ("different-length", "different-words")),
    "split_antecedents": partial(_list_notice_messages, ("split-antecedents", "listed-links")),
    "entity_names": partial(_list_notice_messages, ("local-names",)),
    "level": _list_spanning_entities,
    "singletons": _list_singletons,
    "verb_phrases": _list_dropped_mentions,
    "nested": _list_dropped_mentions,
    "match": _list_changed_twins,
    "zeros": _list_zeros,
    "duplicates": partial(_list_notice_messages, ("repeated-mention",)),
    "anaphors": _list_found_by_place,
    "twinless": _list_twinless,
    "boundary": _list_absent_links,
    "average": _describe_largest_document,
}
"""Who says what is responsible, by decision; in the order of change: what is read, matched, counted."""
