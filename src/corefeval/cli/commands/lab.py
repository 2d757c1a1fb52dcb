"""The commands of the laboratory: `corefeval lab` and `corefeval advise`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from corefeval.cli.console import echo_text
from corefeval.cli.files import name_files
from corefeval.cli.options import shared_options
from corefeval.cli.shared import SharedOptions
from corefeval.errors import escape_controls
from corefeval.lab.registry import list_studies, load_study, run_all, study
from corefeval.lab.results import StudyResult, StudyResults

_OPTIONS = ("seed", "measures", "output", "decisions", "sides", "strict")


@click.command()
@click.argument("name", metavar="[STUDY|all]", required=False)
@click.argument("files", metavar="[KEY] [RESPONSE]...", nargs=-1)
@click.option("-o", "--output", "path", metavar="FOLDER|FILE.html", help="Write a page that shows it, with figures.")
@click.option("--plot", metavar="FILE", help="Draw the study's figures: .svg, .png or .pdf (needs matplotlib).")
@shared_options(*_OPTIONS)
def lab(
    name: str | None, files: tuple[str, ...], path: str | None, plot: str | None, shared: SharedOptions, **given: Any
) -> None:
    """List the studies of the papers behind the measures, run one of them again, or all; or one of files on yours.

    A study is named by paper and place, such as lea-figure-6. Shown are the paper's printed values beside ours, known
    misprints with the reason, the figure's numbers, and each claim of the text with the numbers by which it holds or
    not. A claim that does not hold is a finding: the exit code is 0. Measures, decisions and files are for studies of
    files, such as sensitivity.
    """
    if path is not None and shared.output is not None:
        raise click.UsageError(f"-o and --{shared.output} are two outputs: choose one")
    if name is None:
        if path is not None or plot is not None:
            raise click.UsageError("name a study, or 'all', to write a page or a figure")
        _refuse_options(given, "the list of studies")
        shared.print_result(list_studies())
        return
    result = _run_all(files, given) if name == "all" else _run_study(name, files, shared, given)
    if plot is not None:
        _draw_figures(result, plot)
    if path is None:
        shared.print_result(result)
        return
    from corefeval.show.laboratory import write_page  # noqa: PLC0415 - it loads NumPy, and Matplotlib is an extra

    page = write_page(result.studies if isinstance(result, StudyResults) else (result,), path)
    echo_text(escape_controls(str(page)))
    shared.print_notices(result.notices)


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="[RESPONSE]...", nargs=-1)
@shared_options(*_OPTIONS)
def advise(key: str, responses: tuple[str, ...], shared: SharedOptions, **given: Any) -> None:
    """Say what speaks for and against each measure on the corpus KEY, computed from it: reasons, no verdict.

    Singletons, sizes of entities, how many pairs corefer; what baselines and chance reach; how much errors of each kind
    cost; how many documents one point of difference needs, from two or more RESPONSE files or made-up ones.
    """
    shared.print_result(_run_study("advice", (key, *responses), shared, given))


def _run_study(name: str, files: Sequence[str], shared: SharedOptions, given: dict[str, Any]) -> StudyResult:
    """Return the result of a study, which is run on the files, the key first, if it takes any."""
    load_study(name)  # before files are read, which may take long
    if not files:
        return study(name, **given)
    key, responses = shared.read_sides(files[0], files[1:])
    return study(name, key, dict(zip(name_files(files[1:]), responses, strict=True)), **given)


def _refuse_options(given: dict[str, Any], what: str) -> None:
    """Raise a UsageError if there are measures or decisions, which `what` has no use for; the seed has a default."""
    names = {"measures": "-m"} | {name: f"--{name.replace('_', '-')}" for name in given if name != "measures"}
    useless = [names[name] for name, value in given.items() if value and name != "seed"]
    if useless:
        raise click.UsageError(f"{what} has no use for {', '.join(useless)}")


def _run_all(files: Sequence[str], given: dict[str, Any]) -> StudyResults:
    """Return the results of all studies of papers; a UsageError if there are files, measures or decisions."""
    _refuse_options(given, "'all'")
    if files:
        raise click.UsageError("'all' are the studies of papers, which take no files: name a study of files")
    return run_all()


def _draw_figures(result: StudyResult | StudyResults, path: str) -> None:
    """Write the figures of one study to a file; a UsageError if it has none, or if there are several studies."""
    if isinstance(result, StudyResults):
        raise click.UsageError("--plot draws one study; 'corefeval lab all -o FOLDER' writes a page with all of them")
    if not result.findings.figures:
        raise click.UsageError(f"{result.name} has no figure")
    from corefeval.show.plots import draw_figures  # noqa: PLC0415 - matplotlib is an extra

    draw_figures(result.findings.figures, path)
