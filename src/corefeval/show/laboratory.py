"""The page of the laboratory: studies with their tables, figures and claims, in one file that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, cast

from corefeval.errors import OptionError
from corefeval.formats.shared.output import make_folder, write_over_own_kind
from corefeval.lab.findings import Figure as StudyFigure
from corefeval.lab.results import MARKS, StudyResult, StudyResults
from corefeval.show import drawing, plots
from corefeval.tables.writers import write_html

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_page(studies: Sequence[StudyResult], path: str | PathLike[str]) -> Path:
    """Write the page of studies and return its path: a name that ends in .html, or index.html in the folder named."""
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        if target.exists() and not target.is_dir():
            raise OptionError(f"{target}: is a file; a page is a name that ends in .html, or a folder")
        make_folder(str(target))
        target /= "index.html"
    write_over_own_kind(str(target), render_page(studies).encode("utf-8"), mark=len("<!doctype"))
    return target


def render_page(studies: Sequence[StudyResult]) -> str:
    """Return the page as HTML; without Matplotlib, figures are tables only, which the page says."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - loaded for pages only

    here = resources.files("corefeval.show")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(here.joinpath("laboratory.html").read_text(encoding="utf-8"))
    try:
        drawing.load_figure_class()
        missing = ""
    except OptionError as error:
        missing = str(error)
    return template.render(
        studies=studies,
        counts=StudyResults(tuple(studies)).count_findings(),
        missing=missing,
        parts={study.name: _list_parts(study, drawn=not missing) for study in studies},
        marks=MARKS,
        style=here.joinpath("pages", "style", "colours.css").read_text(encoding="utf-8"),
    )


def _list_parts(study: StudyResult, *, drawn: bool) -> list[dict[str, str]]:
    """Return for each table of a study its title, HTML and, if it is that of a figure, the address of the image."""
    from markupsafe import Markup  # noqa: PLC0415 - loaded for pages only

    images = {figure.vertical: _encode_figure(figure) for figure in study.findings.figures if drawn}
    # write_html escapes all texts itself.
    return [
        {"title": table.title, "table": Markup(write_html([table])), "image": images.get(table.title, "")}  # noqa: S704
        for table in study.number_tables()
    ]


def _encode_figure(figure: StudyFigure) -> str:
    """Return a figure as an SVG within an address, as images of a page may have it."""
    from matplotlib import rc_context  # noqa: PLC0415 - an extra

    with rc_context(drawing.TYPE_SIZES):
        drawn = drawing.render_figure(cast("Figure", plots.curves(figure).figure), ".svg")
    return f"data:image/svg+xml;base64,{b64encode(drawn).decode('ascii')}"
