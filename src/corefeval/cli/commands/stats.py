"""The command `corefeval stats`."""

from __future__ import annotations

import json

import click

from corefeval.cli.files import FileOptions, read_files
from corefeval.cli.options import format_option
from corefeval.cli.output import print_notices


@click.command(name="stats", short_help="Describe a corpus in numbers.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--per-document", is_flag=True, help="Also describe every document.")
@click.option("--json", "as_json", is_flag=True, help="JSON with full precision and all distributions.")
@click.option("--plot", metavar="FILE", help="Also draw the distributions: .svg, .png or .pdf (needs matplotlib).")
@format_option
@click.option("-q", "--quiet", is_flag=True, help="Show no warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Show all warnings, and how the files were read.")
def command(
    files: tuple[str, ...],
    per_document: bool,
    as_json: bool,
    plot: str | None,
    format_: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Describe corpora in the numbers that a paper's data section needs.

    Documents, sentences, words, mentions, entities, singletons, how large entities and how long mentions are, how many
    lie within another, have gaps or are not written, and how far away the antecedent is.
    """
    corpora = read_files([(file, format_) for file in files], verbose=verbose)
    from corefeval.inspection.census import by_document, census  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.show import census as report  # noqa: PLC0415

    counted = [census(corpus) for corpus in corpora]
    if plot is not None:
        from corefeval.show.plots.corpora import draw_distributions  # noqa: PLC0415 - matplotlib is an extra

        draw_distributions(counted, plot)
    parts = [by_document(corpus) for corpus in corpora] if per_document else [[] for _ in corpora]
    if as_json:
        listed = [
            whole.to_dict() | ({"by_document": [part.to_dict() for part in each]} if per_document else {})
            for whole, each in zip(counted, parts, strict=True)
        ]
        click.echo(json.dumps({"corpora": listed}, indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join([report.write(counted), *(report.documents(each) for each in parts if each)]))
    notices = [notice for corpus in corpora for notice in corpus.notices]
    print_notices(notices, FileOptions(quiet=quiet, verbose=verbose))
    return 0
