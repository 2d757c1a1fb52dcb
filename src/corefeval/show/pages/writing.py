"""The page as one file, or as a folder for corpora that are too large for one."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import resources
from pathlib import Path

from corefeval._lazy import NamedTuple
from corefeval.comparison.comparison import compare_evaluations
from corefeval.comparison.results import Settings
from corefeval.errors import OptionError, decode_escaped_bytes
from corefeval.formats.shared.output import make_folder, write_atomically, write_over_own_kind
from corefeval.notices import Notice, announce_notices, count_things, join_notices
from corefeval.scoring.results import Evaluation
from corefeval.show.pages.content.report import Report, encode_json

STYLE = ("colours.css", "page.css", "tables.css", "text.css", "print.css")
LIMIT = 14_000_000
"""How many bytes of documents one file holds: what a browser opens in a moment."""


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

    path: a name that ends in .html is one file, which has the documents that lose most if not all have room in
        `limit` bytes; any other name is a folder, which has all of them.
    resamples, seed: of intervals and tests, as in `compare`.
    """
    settings = Settings(resamples=resamples, seed=seed)
    measures = next(iter(evaluations.values())).measures
    runs = {name: (each,) for name, each in evaluations.items()}
    report = Report(compare_evaluations(runs, measures, settings, progress))
    target, count = Path(path), len(report.comparison.document_names)
    if target.suffix.lower() in (".html", ".htm"):
        held = report.encode_worst_documents(limit)
        write_over_own_kind(str(target), _render_page(report, title, held, in_folder=False), mark=len("<!doctype"))
        shown = len(held)
    else:
        target, shown = _write_folder(report, target, title), count
    return WrittenPage(target, count, shown, join_notices(each.notices for each in evaluations.values()))


def _write_folder(report: Report, folder: Path, title: str | None) -> Path:
    """Write the page and every document into a folder, return the page's path; OptionError if a file is there."""
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: is a file; a report is a name that ends in .html, or a folder")
    for name in ("documents", "systems"):
        make_folder(str(folder / name))
    page = folder / "index.html"

    def list_contents() -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) of a script for each document and each system, then of the page."""
        for number in range(len(report.comparison.document_names)):
            called = b"corefevalDocument(%d,%s)\n" % (number, report.encode_document(number))
            yield str(folder / "documents" / f"{number}.js"), called
        for number, encoded in enumerate(report.encode_lists()):
            yield str(folder / "systems" / f"{number}.js"), b"corefevalLists(%d,%s)\n" % (number, encoded)
        yield str(page), _render_page(report, title, {}, in_folder=True)

    write_atomically(list_contents())
    return page


def _render_page(report: Report, title: str | None, held: Mapping[int, bytes], *, in_folder: bool) -> bytes:
    """Return the page as bytes of HTML that holds some documents and all lists; in a folder, they are beside it."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - loaded for pages only

    here = resources.files("corefeval.show.pages")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(here.joinpath("template.html").read_text(encoding="utf-8"))
    data = report.data | {"held": sorted(held), "inFolder": in_folder}
    style = "\n".join(here.joinpath("style", name).read_text(encoding="utf-8").strip() for name in STYLE)
    script = here.joinpath("bundle", "report.js").read_text(encoding="utf-8")
    page = template.render(
        title=title or f"Coreference report: {_name_systems([system['name'] for system in data['systems']])}",
        policy=_write_policy(script, style, in_folder=in_folder),
        style=style,
        script=script,
        data=data,
        encoded=encode_json(data).decode("utf-8", "replace"),
        lists=() if in_folder else _decode_each(enumerate(report.encode_lists())),
        documents=_decode_each(held.items()),
        count=_count_things,
        shown=len(held),
        left=0 if in_folder else len(report.comparison.document_names) - len(held),
    )
    return decode_escaped_bytes(page).encode("utf-8", "replace")


def _name_systems(names: Sequence[str]) -> str:
    """Return up to three names, else how many there are: a heading of many names says nothing."""
    return ", ".join(names) if len(names) <= 3 else count_things(len(names), "system")


def _decode_each(encoded: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, str]]:
    """Yield numbered JSON as text."""
    return ((number, text.decode("utf-8", "replace")) for number, text in encoded)


def _write_policy(script: str, style: str, *, in_folder: bool) -> str:
    """Return a Content-Security-Policy by which the page's own script and style are all that runs and is loaded.

    Documents and lists of a folder are scripts beside the page, which a browser may have from a disk or from a server.
    """
    script_hash, style_hash = (b64encode(sha256(each.encode("utf-8")).digest()).decode() for each in (script, style))
    beside = " 'self' file:" if in_folder else ""
    return (
        f"default-src 'none'; script-src 'sha256-{script_hash}'{beside}; style-src 'sha256-{style_hash}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _count_things(count: int, one: str, many: str = "") -> str:
    """Return a number with the word for what it counts: "1 entity", "1,200 mentions"."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
