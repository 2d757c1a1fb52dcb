"""The command of the laboratory: `corefeval lab`."""

from __future__ import annotations

from typing import Any

import click

from corefeval.cli.commands.data_studies import OPTIONS, run_data_study
from corefeval.cli.console import echo_text
from corefeval.cli.options import shared_options
from corefeval.cli.output import echo_result
from corefeval.cli.shared import SharedOptions
from corefeval.errors import OptionError, escape_controls
from corefeval.lab.data.registry import DATA_STUDIES, list_data_studies
from corefeval.lab.registry import list_studies, run_all, study
from corefeval.lab.results import StudyList, StudyResult, StudyResults


@click.command()
@click.argument("name", metavar="[STUDY|all]", required=False)
@click.argument("files", metavar="[KEY] [RESPONSE]...", nargs=-1)
@click.option("-o", "--output", "path", metavar="FOLDER|FILE.html", help="Write a page that shows it, with figures.")
@click.option("--plot", metavar="FILE", help="Draw the study's figure: .svg, .png or .pdf (needs matplotlib).")
@shared_options(*OPTIONS)
def lab(
    name: str | None, files: tuple[str, ...], path: str | None, plot: str | None, shared: SharedOptions, **given: Any
) -> None:
    """List the studies of the papers behind the measures, run one of them again, or all; or one of files on yours.

    A study is named by paper and place, such as lea-figure-6. Shown are the paper's printed values beside ours, known
    misprints with the reason, the figure's numbers, and each claim of the text with the numbers by which it holds or
    not. A claim that does not hold is a finding: the exit code is 0.
    """
    if name is None:
        if path is not None or plot is not None:
            raise click.UsageError("name a study, or 'all', to write a page or a figure")
        echo_result(StudyList((*list_studies().studies, *list_data_studies())), shared.output)
        return
    if name in DATA_STUDIES or files:
        if path is not None or plot is not None:
            raise click.UsageError("pages and figures are of the papers' own studies")
        run_data_study(name, files, shared, **given)
        return
    if path is not None and shared.output is not None:
        raise click.UsageError(f"-o and --{shared.output} are two outputs: choose one")
    result = run_all() if name == "all" else study(name)
    if plot is not None:
        _draw_figure(result, plot)
    if path is None:
        echo_result(result, shared.output)
        return
    from corefeval.show.laboratory import write_page  # noqa: PLC0415 - it loads NumPy, and Matplotlib is an extra

    page = write_page(result.studies if isinstance(result, StudyResults) else (result,), path)
    echo_text(escape_controls(str(page)))


def _draw_figure(result: StudyResult | StudyResults, path: str) -> None:
    """Write the figure of one study to a file; an OptionError if it has none, or if there are several studies."""
    if isinstance(result, StudyResults):
        raise OptionError("--plot draws the figure of one study; 'corefeval lab all -o FOLDER' writes a page with all")
    if result.findings.figure is None:
        raise OptionError(f"{result.name} has no figure")
    from corefeval.show import plots  # noqa: PLC0415 - matplotlib is an extra

    plots.save(plots.curves(result.findings.figure), path)
