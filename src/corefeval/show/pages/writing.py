"""The page as one file, or as a folder for corpora that are too large for one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from corefeval._lazy import NamedTuple
from corefeval.analysis.subsets import get_rows, score_rows
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Comparison, Settings
from corefeval.errors import OptionError, decode_escaped_bytes
from corefeval.formats.shared.output import make_folder, write_atomically, write_over_own_kind
from corefeval.notices import Notice, announce_notices, join_notices
from corefeval.scoring.results import Evaluation
from corefeval.show.pages import documents, errors, overview
from corefeval.show.pages.attribution import CostTable

STYLE = ("colours.css", "page.css", "tables.css", "text.css", "print.css")
SCRIPT = (
    "basics.js", "tables.js", "documents.js", "sides.js", "costs.js", "text.js", "columns.js", "reading.js",
    "choosing.js", "bands.js", "entities.js", "compare.js", "page.js",
)  # fmt: skip
LIMIT = 14_000_000
"""How many bytes of documents one file holds: what a browser opens in a moment."""

_GROUPS = 2000  # that are listed for all documents together


class WrittenPage(NamedTuple):
    """A page: its file, how many documents there are, of how many it has the text, and what a user should know."""

    path: Path
    documents: int
    shown: int
    notices: tuple[Notice, ...]


@announce_notices
def write(
    evaluations: Mapping[str, Evaluation],
    path: str | Path,
    *,
    title: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    limit: int = LIMIT,
    progress: Callable[[str, int, int], None] | None = None,
) -> WrittenPage:
    """Write the page of one or more responses to the same key, given by name, and return a WrittenPage about it.

    path: a name that ends in .html is one file, which has the documents with most errors if not all have room in
        `limit` bytes; any other name is a folder, which has all of them.
    resamples, seed: of intervals and tests, as in `compare`.
    """
    settings = Settings(resamples=resamples, seed=seed)
    measures = next(iter(evaluations.values())).measures
    runs = {name: (each,) for name, each in evaluations.items()}
    content = _PageContent(compare_evaluations(runs, measures, settings, progress))
    target, count = Path(path), len(content.comparison.document_names)
    if target.suffix.lower() in (".html", ".htm"):
        held = content.encode_worst_documents(limit)
        write_over_own_kind(str(target), _render_page(content, title, held, folder=""), mark=len("<!doctype"))
        shown = len(held)
    else:
        target, shown = _write_folder(content, target, title), count
    return WrittenPage(target, count, shown, join_notices(each.notices for each in evaluations.values()))


class _PageContent:
    """All that the page shows, document by document when it is asked for."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        evaluations = [system.runs[0] for system in comparison.systems]
        self._key = documents.PageSide(get_rows(evaluations[0]).key)
        found = [errors.list_errors(each) for each in evaluations]
        # A scorer may count entities that the files have not: those of the files are shown.
        groups = [errors.group_entities(score_rows(each, get_rows(each)).table) for each in evaluations]
        self.systems = [self._build_system(*each) for each in zip(evaluations, found, groups, strict=True)]
        self.data = overview.build_data(comparison, self.systems[0].rows.key, found) | {
            "kinds": [kind._asdict() for kind in errors.list_kinds(self.systems[0].rows)],
            "groups": [
                _list_worst_groups(each, system.costs) for each, system in zip(groups, self.systems, strict=True)
            ],
            "grouped": [len(each) for each in groups],
            "costs": [system.costs.list_losses() for system in self.systems],
        }

    def _build_system(
        self, evaluation: Evaluation, found: list[errors.PageError], groups: list[errors.EntityGroup]
    ) -> documents.PageSystem:
        """Return the PageSystem of one system, from its evaluation, errors and groups of entities."""
        rows, count = get_rows(evaluation), len(self.comparison.document_names)
        side = documents.PageSide(rows.response)
        return documents.PageSystem(
            rows,
            side,
            rows.find_twins()[1],
            _group_by_document(found, count),
            _group_by_document(groups, count),
            CostTable(evaluation, self.comparison.measures, self._key, side),
        )

    def encode_document(self, number: int) -> bytes:
        """Return the document with this number as JSON in bytes."""
        return _encode_json(documents.build_document_record(number, self._key, self.systems))

    def encode_worst_documents(self, limit: int) -> dict[int, bytes]:
        """Return {number: JSON bytes} of the documents with most errors that fit into `limit` bytes, one at least."""
        counts = [sum(map(len, errors)) for errors in zip(*(system.errors for system in self.systems), strict=True)]
        held: dict[int, bytes] = {}
        for number in sorted(range(len(counts)), key=lambda number: -counts[number]):
            document = self.encode_document(number)
            if len(document) > limit and held:
                break
            held[number] = document
            limit -= len(document)
        return dict(sorted(held.items()))


def _group_by_document(listed: Sequence[Any], count: int) -> list[list[Any]]:
    """Return a list for each of `count` documents with its errors, or groups of entities."""
    grouped: list[list[Any]] = [[] for _ in range(count)]
    for each in listed:
        grouped[each.document].append(each)
    return grouped


def _list_worst_groups(groups: Sequence[errors.EntityGroup], costs: CostTable) -> list[list[Any]]:
    """Return [document, place among its groups, misplaced mentions, costs] for each of the 2,000 worst groups."""
    place: dict[int, int] = {}
    listed: list[list[Any]] = []
    for group in groups[:_GROUPS]:
        place[group.document] = place.get(group.document, -1) + 1
        cost = costs.sum_entities(group.key, group.response)
        listed.append([group.document, place[group.document], group.wrong, cost])
    return listed


def _write_folder(content: _PageContent, folder: Path, title: str | None) -> Path:
    """Write the page and every document into a folder, return the page's path; OptionError if a file is there."""
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: is a file; a report is a name that ends in .html, or a folder")
    make_folder(str(folder / "documents"))
    page = folder / "index.html"

    def list_contents() -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) of a script for each document, then of the page."""
        for number in range(len(content.comparison.document_names)):
            called = b"corefevalDocument(%d,%s)\n" % (number, content.encode_document(number))
            yield str(folder / "documents" / f"{number}.js"), called
        yield str(page), _render_page(content, title, {}, folder="documents/")

    write_atomically(list_contents())
    return page


def _render_page(content: _PageContent, title: str | None, held: Mapping[int, bytes], *, folder: str) -> bytes:
    """Return the page as bytes of HTML that holds some documents; others are in `folder`, or nowhere if it is ""."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - loaded for pages only

    here = resources.files("corefeval.show.pages")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(here.joinpath("template.html").read_text(encoding="utf-8"))
    comparison = content.comparison
    names = [system.name for system in comparison.systems]
    page = template.render(
        title=title or f"Coreference report: {', '.join(names)}",
        style=_read_files("style", STYLE),
        script=join_scripts(),
        data=_encode_json(content.data | {"held": sorted(held), "folder": folder}).decode("utf-8", "replace"),
        documents=((number, text.decode("utf-8", "replace")) for number, text in held.items()),
        lines=list(overview.build_lines(comparison)),
        losses=[
            [system.costs.build_measure_loss(place, number) for number, system in enumerate(content.systems)]
            for place in range(len(comparison.measures))
        ],
        document_names=overview.shorten_document_names(content.systems[0].rows.key.documents),
        is_there=lambda number: bool(folder) or number in held,
        comparison=comparison,
        systems=names,
        format_probability=overview.format_probability,
        left=0 if folder else len(comparison.document_names) - len(held),
        rows=[system.rows for system in content.systems],
    )
    return decode_escaped_bytes(page).encode("utf-8", "replace")


def join_scripts() -> str:
    """Return the page's script as one text: its files within one function. `scripts/lint` checks it, too."""
    return f'(() => {{\n"use strict";\n{_read_files("script", SCRIPT)}\n}})();'


def _read_files(folder: str, names: Sequence[str]) -> str:
    """Return the texts of some files of a folder of the page, joined by line ends."""
    here = resources.files("corefeval.show.pages").joinpath(folder)
    return "\n".join(here.joinpath(name).read_text(encoding="utf-8").strip() for name in names)


def _encode_json(value: object) -> bytes:
    """Return a value as JSON in UTF-8 bytes that may stand in a page: "<" is escaped, so nothing looks like a tag."""
    text = decode_escaped_bytes(json.dumps(value, ensure_ascii=False, separators=(",", ":")), "surrogateescape")
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").encode("utf-8", "replace")
