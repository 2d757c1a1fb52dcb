"""All that a page shows: the data of all documents together, and each document when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property

from corefeval.analysis.analyse import Analysis
from corefeval.analysis.diff import identify_errors
from corefeval.analysis.subsets import get_rows
from corefeval.comparison.results import Comparison
from corefeval.errors import decode_escaped_bytes
from corefeval.notices import Notice, join_notices
from corefeval.scoring.results import Evaluation
from corefeval.show.pages.content import documents, errors, findings, lists, overview
from corefeval.show.pages.content.attribution import CostTable


class Report:
    """What one page shows of systems that were compared; `data` and documents are as in `schema.json`."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self._evaluations = [system.runs[0] for system in comparison.systems]
        self._analyses = [Analysis(each) for each in self._evaluations]
        self._errors = [errors.list_errors(each) for each in self._analyses]
        self._key = documents.PageSide(get_rows(self._evaluations[0]).key)
        self._systems = [self._build_system(*each) for each in zip(self._evaluations, self._errors, strict=True)]
        self._kinds = errors.list_kinds(self._systems[0].rows)

    def _build_system(self, evaluation: Evaluation, found: Sequence[errors.PageError]) -> documents.PageSystem:
        """Return the PageSystem of one system, from its evaluation and errors."""
        rows = get_rows(evaluation)
        side = documents.PageSide(rows.response)
        by_document: list[list[errors.PageError]] = [[] for _ in self.comparison.document_names]
        for error in found:
            by_document[error.document].append(error)
        costs = CostTable(evaluation, self.comparison.measures, self._key, side)
        return documents.PageSystem(rows, side, rows.find_twins()[1], by_document, costs)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What a user should know of the comparison, of every evaluation and of every analysis, each thing once."""
        every = (self.comparison, *self._evaluations, *self._analyses)
        return join_notices(each.notices for each in every)

    @cached_property
    def data(self) -> overview.Record:
        """The data of all documents together."""
        measures, systems = self.comparison.measures, self._systems
        sides = [(system.rows.key, system.rows.response) for system in systems]
        return overview.build_overview(self.comparison, sides, self.notices) | {
            "mainMeasure": self._main,
            "kinds": [kind._asdict() for kind in self._kinds],
            "errors": [overview.count_kinds(each, len(self.comparison.document_names)) for each in self._errors],
            "corrections": [findings.list_corrections(each, measures) for each in self._analyses],
            "links": [findings.count_links(each) for each in self._analyses],
            "breakdowns": [findings.list_breakdowns(each, measures) for each in self._analyses],
            "costs": [system.costs.list_losses() for system in systems],
            "costliest": [[system.costs.list_costliest(place) for place in range(len(measures))] for system in systems],
            "changes": findings.list_changes([identify_errors(each) for each in self._analyses]),
        }

    @cached_property
    def _main(self) -> int:
        """The place of the measure by which costs are shown at first."""
        measures, chosen = self.comparison.measures, self._analyses[0].main_measure
        return measures.index(chosen) if chosen in measures else 0  # it is not where all of these are of relations

    def build_lists(self, number: int) -> lists.Record:
        """Return the lists of the system with this number: all its errors, and all its wrong entities."""
        system, kinds = self._systems[number], [kind.name for kind in self._kinds]
        sides = self._key, system.side
        return {
            "errors": lists.list_errors(self._errors[number], kinds, system.costs),
            "entities": lists.list_wrong_entities(self._evaluations[number], sides, system.costs, self._main),
        }

    def build_document(self, number: int) -> documents.Record:
        """Return the document with this number."""
        return documents.build_document_record(number, self._key, self._systems, [kind.name for kind in self._kinds])

    def encode_lists(self) -> list[bytes]:
        """Return the lists of every system as JSON in bytes."""
        return [encode_json(self.build_lists(number)) for number in range(len(self._systems))]

    def encode_document(self, number: int) -> bytes:
        """Return the document with this number as JSON in bytes."""
        return encode_json(self.build_document(number))

    def encode_worst_documents(self, limit: int) -> dict[int, bytes]:
        """Return {number: JSON bytes} of the worst documents that fit into `limit` bytes, one at least."""
        held: dict[int, bytes] = {}
        for number in self._rank_documents():
            document = self.encode_document(number)
            if len(document) > limit and held:
                break
            held[number] = document
            limit -= len(document)
        return dict(sorted(held.items()))

    def _rank_documents(self) -> list[int]:
        """Return the numbers of all documents: those that first screens quote, then those with most errors, come first.

        A first screen is of one system and one measure; those of the main measure come before others.
        """
        quoted = [
            lists.find_quoted_documents(found, system.costs)
            for found, system in zip(self._errors, self._systems, strict=True)
        ]
        main_first = sorted(range(len(self.comparison.measures)), key=lambda measure: measure != self._main)
        first = [number for measure in main_first for by_measure in quoted for number in by_measure[measure]]
        counts = [sum(map(len, found)) for found in zip(*(system.errors for system in self._systems), strict=True)]
        return list(dict.fromkeys([*first, *sorted(range(len(counts)), key=lambda number: -counts[number])]))


def encode_json(value: object) -> bytes:
    """Return a value as JSON in UTF-8 bytes that may stand in a page: "<" is escaped, so nothing looks like a tag."""
    text = decode_escaped_bytes(json.dumps(value, ensure_ascii=False, separators=(",", ":")), "surrogateescape")
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").encode("utf-8", "replace")
