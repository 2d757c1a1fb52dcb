"""The page as one file, or as a folder for corpora that are too large for one."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefeval.analysis.subsets import get_rows, score_rows
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Settings
from corefeval.errors import OptionError, OutputError
from corefeval.show.pages import documents, errors, groups, overview
from corefeval.show.pages.attribution import CostTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefeval._arrays import Ints
    from corefeval.comparison.results import Comparison
    from corefeval.overlap.views import Rows
    from corefeval.scoring.results import Evaluation

STYLE = ("colours.css", "page.css", "tables.css", "text.css", "print.css")
SCRIPT = (
    "basics.js", "tables.js", "documents.js", "sides.js", "costs.js", "text.js", "columns.js", "reading.js",
    "choosing.js", "bands.js", "entities.js", "compare.js", "page.js",
)  # fmt: skip
LIMIT = 14_000_000
"""How many bytes of documents one file holds: what a browser opens in a moment."""

_GROUPS = 2000  # that are listed for all documents together


class WrittenReport(NamedTuple):
    """What was written: the page, how many documents there are, and of how many it has the text."""

    path: Path
    documents: int
    shown: int


def write(
    evaluations: Mapping[str, Evaluation],
    path: str | Path,
    *,
    title: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    limit: int = LIMIT,
    progress: Callable[[str, int, int], None] | None = None,
) -> WrittenReport:
    """Write the page of one or more responses to the same key, by their names.

    path: a name that ends in .html is one file, which has the documents with most errors if not all have room in
        `limit` bytes; any other name is a folder, which has all of them.
    resamples, seed, confidence: of intervals and tests, as in `compare`.
    """
    if not evaluations:
        raise OptionError("a report needs a response")
    settings = Settings(resamples=resamples, seed=seed, confidence=confidence)
    measures = next(iter(evaluations.values())).measures
    comparison = compare_evaluations(
        {name: (each,) for name, each in evaluations.items()}, measures, settings, progress
    )
    content = _PageContent(comparison)
    target = Path(path)
    in_folder = target.suffix.lower() not in (".html", ".htm")
    try:
        if in_folder:
            return _write_folder(content, target, title)
        page, shown = _make_file(content, title, limit)
        target.write_bytes(page)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from None
    return WrittenReport(target, len(comparison.document_names), shown)


class _PageContent:
    """All that the page shows, document by document when it is asked for."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        evaluations = [system.runs[0] for system in comparison.systems]
        self.rows = [get_rows(each) for each in evaluations]
        found = [errors.list_errors(each) for each in evaluations]
        # A scorer may count entities that the files have not: those of the files are shown.
        tables = [score_rows(each, rows).table for each, rows in zip(evaluations, self.rows, strict=True)]
        grouped = [groups.group_entities(table) for table in tables]
        count = len(comparison.document_names)
        self._key = documents.PageSide(self.rows[0].key)
        self._sides = [documents.PageSide(rows.response) for rows in self.rows]
        self._twins = [_find_twins(rows) for rows in self.rows]
        self._errors = [_group_by_document(each, count) for each in found]
        self._groups = [_group_by_document(each, count) for each in grouped]
        self.costs = [
            CostTable(each, comparison.measures, self._key, side)
            for each, side in zip(evaluations, self._sides, strict=True)
        ]
        self.data = overview.make_data(comparison, self.rows, found) | {
            "kinds": [kind._asdict() for kind in errors.KINDS],
            "groups": [_rank_groups(each, costs) for each, costs in zip(grouped, self.costs, strict=True)],
            "grouped": [len(each) for each in grouped],
            "costs": [each.data() for each in self.costs],
        }

    def document(self, number: int) -> bytes:
        """A document as JSON."""
        systems = zip(self.rows, self._sides, self._twins, self._errors, self._groups, self.costs, strict=True)
        listed = [
            documents.PageSystem(rows, side, twin, own[number], grouped[number], costs)
            for rows, side, twin, own, grouped, costs in systems
        ]
        return _encode_json(documents.make_document_record(number, self._key, listed))

    def worst_first(self) -> list[int]:
        """The documents, those with most errors first."""
        many = [
            sum(len(each[number]) for each in self._errors) for number in range(len(self.comparison.document_names))
        ]
        return np.argsort(-np.array(many, dtype=np.int64), kind="stable").tolist()


def _find_twins(rows: Rows) -> Ints:
    """For every mention of the response the row of its twin in the key, or -1."""
    twin = np.full(len(rows.response), -1, dtype=np.int64)
    twin[rows.twin_response] = rows.twin_key
    return twin


def _group_by_document(listed: Sequence[Any], count: int) -> list[list[Any]]:
    found: list[list[Any]] = [[] for _ in range(count)]
    for each in listed:
        found[each.document].append(each)
    return found


def _rank_groups(listed: Sequence[groups.EntityGroup], costs: CostTable) -> list[list[Any]]:
    """The worst groups of all documents: document, place among the document's groups, mentions astray, costs."""
    place: dict[int, int] = {}
    found: list[list[Any]] = []
    for group in listed[:_GROUPS]:
        place[group.document] = place.get(group.document, -1) + 1
        found.append([group.document, place[group.document], group.wrong, costs.of_group(group.key, group.response)])
    return found


def _make_file(content: _PageContent, title: str | None, limit: int) -> tuple[bytes, int]:
    held: dict[int, bytes] = {}
    room = limit
    for number in content.worst_first():
        document = content.document(number)
        if len(document) > room and held:
            break
        held[number] = document
        room -= len(document)
    left = len(content.comparison.document_names) - len(held)
    return _render_page(content, title, dict(sorted(held.items())), left=left, folder=""), len(held)


def _write_folder(content: _PageContent, folder: Path, title: str | None) -> WrittenReport:
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: is a file; a report is a name that ends in .html, or a folder")
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    for number in range(len(content.comparison.document_names)):
        called = b"corefevalDocument(%d,%s)\n" % (number, content.document(number))
        (folder / "documents" / f"{number}.js").write_bytes(called)
    page = folder / "index.html"
    page.write_bytes(_render_page(content, title, {}, left=0, folder="documents/"))
    return WrittenReport(page, len(content.comparison.document_names), len(content.comparison.document_names))


def _render_page(
    content: _PageContent, title: str | None, held: Mapping[int, bytes], *, left: int, folder: str
) -> bytes:
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - loaded for pages only

    here = resources.files("corefeval.show.pages")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(here.joinpath("template.html").read_text(encoding="utf-8"))
    comparison = content.comparison
    evaluations = [system.runs[0] for system in comparison.systems]
    data = content.data | {"held": sorted(held), "folder": folder}
    page = template.render(
        title=title or f"Coreference report: {', '.join(system.name for system in comparison.systems)}",
        style=_read_files("style", STYLE),
        script=join_scripts(),
        data=_encode_json(data).decode("utf-8", "replace"),
        documents=((number, text.decode("utf-8", "replace")) for number, text in held.items()),
        lines=list(overview.make_lines(comparison)),
        told=[
            [each.describe_loss(place, number) for number, each in enumerate(content.costs)]
            for place in range(len(comparison.measures))
        ],
        document_names=overview.shorten_document_names(evaluations[0].document_names),
        is_there=lambda number: bool(folder) or number in held,
        comparison=comparison,
        evaluations=evaluations,
        systems=[system.name for system in comparison.systems],
        kinds=errors.KINDS,
        left=left,
        rows=content.rows,
    )
    return page.encode("utf-8", "replace")


def join_scripts() -> str:
    """The page's script: its files as one scope."""
    return f'(() => {{\n"use strict";\n{_read_files("script", SCRIPT)}\n}})();'


def _read_files(folder: str, names: Sequence[str]) -> str:
    here = resources.files("corefeval.show.pages").joinpath(folder)
    return "\n".join(here.joinpath(name).read_text(encoding="utf-8").strip() for name in names)


def _encode_json(value: object) -> bytes:
    """JSON that may stand in a page: nothing in it looks like a tag."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").encode("utf-8", "replace")
