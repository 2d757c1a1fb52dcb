"""What one response fixed and what it broke, compared with another: diff()."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from corefeval.analysis.analyse import Analysis, analyse
from corefeval.analysis.errors import types
from corefeval.analysis.errors.types import TypedError
from corefeval.notices import Notice, announce_notices, join_notices
from corefeval.options import ScoringOptions
from corefeval.scoring.layout import describe_sides, format_main, list_scores, list_system_names
from corefeval.scoring.score import Measures, Source, read
from corefeval.tables.result import Result
from corefeval.tables.table import Digits, Table, format_points, make_score_formatter
from corefeval.tables.text import Style
from corefeval.tables.writers import collect_columns

_LETTERS = ("A", "B")


@dataclass(frozen=True, slots=True)
class ErrorChange:
    """Errors of one type: those of A that B has not, those of B that A has not, and how many both have."""

    type: str
    fixed: tuple[TypedError, ...]
    broken: tuple[TypedError, ...]
    both: int


@dataclass(frozen=True, slots=True)
class Diff(Result):
    """Two responses to one key. Errors are the same if they are of one type and begin with the same mention."""

    a: Analysis
    b: Analysis
    changes: tuple[ErrorChange, ...]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of both analyses, each message once."""
        return join_notices((self.a.notices, self.b.notices))

    @property
    def signatures(self) -> tuple[str, ...]:
        """The signatures of both evaluations; one if they are equal."""
        return tuple(dict.fromkeys(each.evaluation.signature for each in (self.a, self.b)))

    @property
    def names(self) -> tuple[str, str]:
        """What tables call both responses: their names if they were given any, else A and B."""
        a, b = self.a.evaluation.name, self.b.evaluation.name
        return a or _LETTERS[0], b or _LETTERS[1]

    def describe(self, style: Style) -> list[str]:
        """Return three lines that describe the key and both responses, as A and B unless both have names."""
        letters = () if set(self.names).isdisjoint(_LETTERS) else _LETTERS
        return describe_sides([self.a.evaluation, self.b.evaluation], style, letters)

    def tables(self, *, digits: Digits = "round", examples: int | None = types.EXAMPLES) -> Iterator[Table]:
        """Yield tables of both scores, errors by type, and `examples` fixed and broken ones of a type (None: all)."""
        write, body = make_score_formatter(digits), []
        for measure in self.a.evaluation.measures:
            scores = [each.evaluation[measure].values[measure.main] for each in (self.a, self.b)]
            if not any(isinstance(value, str) for value in scores):
                a, b = map(float, scores)
                shown = [format_main(each.evaluation, measure, write) for each in (self.a, self.b)]
                body.append([str(measure), *shown, format_points(b - a)])
        ours, theirs = self.names
        yield Table("Scores", ["measure", ours, theirs, f"{theirs} - {ours}"], body, 1)
        body = []
        for change in (change for change in self.changes if change.type in self.a.rules):
            fixed, broken = len(change.fixed), len(change.broken)
            counts = (change.both + fixed, change.both + broken, fixed, broken, change.both)
            body.append([change.type, *(f"{count:,}" for count in counts)])
        head = ["errors", ours, theirs, f"fixed by {theirs}", f"broken by {theirs}", "of both"]
        yield Table("Errors by type", head, body, 1)
        body = [
            [what, error.type, error.document, str(error.line or ""), types.describe_error(error)]
            for what, errors in self._list_changes()
            for error in errors[:examples]
        ]
        if body:
            yield Table(f"Fixed and broken by {theirs}", ["", "type", "document", "line", "what is wrong"], body, 5)

    def text_tables(self, *, digits: Digits = "round", examples: int | None = types.EXAMPLES) -> Iterator[Table]:
        """Yield the tables of `tables` for plain text: fixed and broken errors of each type as lists of lines."""
        yield from self.tables(digits=digits, examples=0)
        for what, errors in self._list_changes() if examples != 0 else ():
            title = f"{errors[0].type}, {what} by {self.names[1]} ({len(errors):,})"
            shown = errors[:examples]
            yield types.build_error_list(title, shown, len(errors) - len(shown))

    def _list_changes(self) -> Iterator[tuple[str, tuple[TypedError, ...]]]:
        """Yield for each type ("fixed", errors that only A has) and ("broken", errors that only B has), if any."""
        for change in self.changes:
            for what, errors in (("fixed", change.fixed), ("broken", change.broken)):
                if errors:
                    yield what, errors

    def build_columns(self) -> dict[str, list[object]]:
        """Return {name: column} with a row for each error that only one of the responses has."""
        rows = [(what, *types.build_error_record(error)) for what, errors in self._list_changes() for error in errors]
        return collect_columns(("change", *types.COLUMNS), rows)

    def build_content(self) -> dict[str, object]:
        """Return both sides' scores, the fixed and broken errors of each type, and notices as objects for JSON."""
        evaluations = self.a.evaluation, self.b.evaluation
        sides = zip(_LETTERS, list_system_names(evaluations), evaluations, strict=True)
        return {
            "key": self.a.evaluation.key,
            "responses": {
                letter: {
                    "system": name,
                    "response": each.response,
                    "signature": each.signature,
                    "measures": list_scores(each, each.measures),
                }
                for letter, name, each in sides
            },
            "types": [
                {
                    "type": change.type,
                    "fixed": [types.build_error_content(error) for error in change.fixed],
                    "broken": [types.build_error_content(error) for error in change.broken],
                    "both": change.both,
                }
                for change in self.changes
            ],
            "notices": [notice.to_dict() for notice in self.notices],
        }


@announce_notices
def diff(
    key: Source, a: Source, b: Source, *, measures: Measures | None = None, **options: Unpack[ScoringOptions]
) -> Diff:
    """Return a Diff: errors that response B fixed, and broke, compared with A; measures and options as in `score`."""
    whole = read(key, options.pop("key_format", None) or options.get("format"), side="key")
    one, other = (analyse(whole, response, measures=measures, **options) for response in (a, b))
    return Diff(one, other, compare_errors(*(identify_errors(each) for each in (one, other))))


def compare_errors(
    ours: Mapping[Hashable, TypedError], theirs: Mapping[Hashable, TypedError]
) -> tuple[ErrorChange, ...]:
    """Return an ErrorChange for each type, from both responses' errors by what identifies them."""
    fixed, broken = _group_by_type(ours, without=theirs), _group_by_type(theirs, without=ours)
    both = Counter(error.type for name, error in ours.items() if name in theirs)
    return tuple(ErrorChange(kind, tuple(fixed[kind]), tuple(broken[kind]), both[kind]) for kind in types.TYPES)


def _group_by_type(
    errors: Mapping[Hashable, TypedError], *, without: Mapping[Hashable, TypedError]
) -> defaultdict[str, list[TypedError]]:
    """Return {type: list of errors}, without those that others have too."""
    grouped: defaultdict[str, list[TypedError]] = defaultdict(list)
    for name, error in errors.items():
        if name not in without:
            grouped[error.type].append(error)
    return grouped


def identify_errors(analysis: Analysis) -> dict[Hashable, TypedError]:
    """Return {identity: error} of a response; errors of two responses to one key are the same if identities are."""
    return dict(zip(list_identities(analysis, analysis.errors), analysis.errors, strict=True))


def list_identities(analysis: Analysis, errors: Sequence[TypedError]) -> list[Hashable]:
    """Return a tuple for each error, equal for one in both responses: type, document, side, first mention, entity.

    A mention that stands in several key entities is told apart by their names.
    """
    key, response = analysis.rows.key, analysis.rows.response
    sides = [bool(error.key_rows) for error in errors]
    rows = [(error.key_rows or error.response_rows)[0] for error in errors]
    chosen, in_key = np.array(rows, dtype=np.int64), np.array(sides, dtype=np.bool_)
    mentions = {
        True: iter(key.in_own_words().mentions.take(chosen[in_key]).objects()),
        False: iter(response.mentions.take(chosen[~in_key]).objects()),
    }
    return [
        (error.type, error.document, side, next(mentions[side]), key.get_entity_name(row) if side else "")
        for error, side, row in zip(errors, sides, rows, strict=True)
    ]
