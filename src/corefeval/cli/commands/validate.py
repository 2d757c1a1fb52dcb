"""The command `corefeval validate`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from corefeval.cli.files import check_standard_input, read_files
from corefeval.cli.options import format_option
from corefeval.errors import InputError, MissingFileError

if TYPE_CHECKING:
    from corefeval.inspection.validate import Report

_SHOWN_OF_A_KIND = 20


@click.command(name="validate", short_help="List what is wrong with files.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--key", metavar="FILE", help="Also check whether the files fit as responses to this key.")
@format_option
@click.option("--key-format", metavar="FORMAT", help="The key's format.")
@click.option("--json", "as_json", is_flag=True, help="JSON with all problems.")
@click.option("-v", "--verbose", is_flag=True, help="Show all problems of a kind, not the first twenty.")
def command(
    files: tuple[str, ...], key: str | None, format_: str | None, key_format: str | None, as_json: bool, verbose: bool
) -> int:
    """List what is wrong with files, by kind and with the line: exit code 65 if anything is.

    Brackets that do not match, mentions that cross another one of their entity or stand in two, entities without
    mentions, documents that are there twice, links to oneself or in a circle; with a key also documents that are
    missing or not wanted, words that differ, and singletons where the key has none.
    """
    check_standard_input([key, *files])
    corpus = read_files([(key, key_format)], verbose=False)[0] if key is not None else None
    from corefeval.inspection.validate import MISSING, validate  # noqa: PLC0415 - --help loads no NumPy

    reports = [validate(file, key=corpus, format=format_) for file in files]
    if as_json:
        click.echo(json.dumps({"files": [report.to_dict() for report in reports]}, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(line for report in reports for line in _format_report(report, everything=verbose)))
    kinds = {kind for report in reports for kind in report.counts}
    return MissingFileError.exit_code if MISSING in kinds else InputError.exit_code if kinds else 0


def _format_report(report: Report, *, everything: bool) -> list[str]:
    read = f" (read as {report.format})" if report.format else ""
    if not report.problems:
        return [f"{report.file}: nothing wrong{read}"]
    count = len(report.problems) + report.more
    lines = [f"{report.file}: {count} problem{'s' if count > 1 else ''}{read}"]
    for kind, times in report.counts.items():
        lines.append(f"  {kind}: {times}")
        of_kind = [problem for problem in report.problems if problem.kind == kind]
        shown = of_kind if everything else of_kind[:_SHOWN_OF_A_KIND]
        lines += [f"    {problem}" for problem in shown]
        if len(shown) < times:
            lines.append(f"    and {times - len(shown)} more (-v shows them)")
    return [*lines, f"  and {report.more} more that are not listed"] if report.more else lines
