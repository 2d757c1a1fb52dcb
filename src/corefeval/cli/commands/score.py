"""The command `corefeval score`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

import corefeval
from corefeval import measures as known
from corefeval.cli.options import (
    Word,
    decision_options_or_both,
    digits_option,
    file_options,
    output_options,
    relative_to_option,
    strict_option,
)
from corefeval.cli.output import collect_notices, echo_notices, print_notices, print_result
from corefeval.cli.progress import show_progress
from corefeval.cli.thresholds import parse_threshold, report_misses
from corefeval.options import IDENTITY
from corefeval.profiles.registry import DEFAULT

if TYPE_CHECKING:
    from corefeval.baselines.layout import RelativeEvaluations
    from corefeval.cli.files import FileOptions
    from corefeval.corpus.corpus import Corpus
    from corefeval.measures import Measure
    from corefeval.scoring.layout import Evaluations
    from corefeval.scoring.results import Evaluation
    from corefeval.tables.table import Digits


@click.command(name="score", short_help="Score responses against a key.")
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure, such as muc or blanc:alpha=0.2, or a group: default, all, bridging, beyond; repeatable.",
)
@click.option("--per-document", is_flag=True, help="Also show the scores of every document.")
@digits_option
@output_options("json", "csv", "markdown", "latex")
@click.option(
    "--crac",
    is_flag=True,
    help="The four columns of the CRAC shared tasks: head match without singletons, partial, exact, head with them.",
)
@click.option(
    "--like",
    type=Word(["conll-8.01", "conll-8.01-totals"]),
    help="Print what 'scorer.pl all KEY RESPONSE' does, or with 'none' behind it: the totals only.",
)
@click.option(
    "--layer",
    "layers",
    multiple=True,
    metavar="LAYER",
    help="What to score: identity (the default) or what else the files have, such as discourse_deixis; repeatable.",
)
@relative_to_option
@decision_options_or_both
@file_options
@strict_option
@click.option(
    "--fail-under",
    "thresholds",
    multiple=True,
    metavar="MEASURE=PERCENT",
    help="Exit with 1 if a response scores less, e.g. conll=70 or lea.recall=60; repeatable.",
)
def command(
    key: str,
    responses: tuple[str, ...],
    measures: tuple[str, ...],
    per_document: bool,
    output: str | None,
    digits: Digits,
    layers: tuple[str, ...],
    strict: bool,
    thresholds: tuple[str, ...],
    crac: bool,
    like: str | None,
    relative_to: str | None,
    files: FileOptions,
    **given: Any,
) -> int:
    """Score one or more RESPONSE files against a KEY.

    Each is a file in any format that `corefeval formats` lists (compressed or not), a directory of such files, or - for
    standard input. Key and response may be in different formats. Several responses make one table.
    """
    wanted = [parse_threshold(text) for text in thresholds]
    if like is not None and relative_to is not None:
        raise click.UsageError("--like prints what the reference scorer does: it takes no --relative-to")
    ways = _find_ways(given, measures, layers, crac=crac, like=like, output=output)
    key_corpus, corpora = files.read_sides(key, responses)
    from corefeval.scoring.layout import Evaluations  # noqa: PLC0415 - --help loads no NumPy

    evaluations = [
        corefeval.score(key_corpus, response, measures=ways.measures, strict=strict, **options)
        for response in corpora
        for options in ways.options
    ]
    if like is not None:
        click.echo(_format_like_reference(evaluations, key_corpus, corpora, totals_only=like.endswith("totals")))
    else:
        plain = Evaluations(tuple(evaluations), ways.names)
        report = plain if relative_to is None else _add_relative_scores(plain, relative_to, files)
        print_result(report, output, digits=digits, per_document=per_document)
    print_notices(collect_notices(each.notices for each in evaluations), files)
    return max([report_misses(evaluations, threshold, digits) for threshold in wanted], default=0)


def _add_relative_scores(plain: Evaluations, baseline: str, files: FileOptions) -> RelativeEvaluations:
    """Relate evaluations to a baseline."""
    from corefeval.baselines.layout import RelativeEvaluations  # noqa: PLC0415 - --help loads no NumPy
    from corefeval.baselines.relative import relate_evaluations  # noqa: PLC0415

    with show_progress(quiet=files.quiet) as progress:
        found = relate_evaluations(plain.members, baseline, format=files.response_format, progress=progress)
    if not files.quiet:
        echo_notices(found[0].notices, show_all=False)
    return RelativeEvaluations(plain, tuple(found))


class _Ways(NamedTuple):
    """What is asked for: the measures, one or several sets of options, and the columns' names if those are columns."""

    measures: tuple[Measure, ...]
    options: list[dict[str, Any]]
    names: tuple[str, ...] = ()


_CRAC = {
    "head": {"match": "head", "singletons": "drop"},
    "partial": {"match": "partial", "singletons": "drop"},
    "exact": {"match": "exact", "singletons": "drop"},
    "with singletons": {"match": "head", "singletons": "keep"},
}


def _find_ways(
    given: dict[str, Any],
    measures: tuple[str, ...],
    layers: tuple[str, ...],
    *,
    crac: bool,
    like: str | None,
    output: str | None,
) -> _Ways:
    decided = [f"--{name}" for name, value in given.items() if value and name != "profile"]
    if like is not None:
        extra = [*decided, *measures, *layers, *([output] if output else [])]
        if given["profile"] not in (None, DEFAULT) or crac or extra:
            raise click.UsageError("--like prints what the reference scorer does: it takes no other way of scoring")
        return _Ways(known.select(("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc")), [given])
    if crac:
        if {"--match", "--singletons"} & set(decided):
            raise click.UsageError("--crac shows four ways of matching: it takes no --match or --singletons")
        if len(set(layers)) > 1:
            raise click.UsageError("--crac shows four ways of matching one --layer")
        chosen = {"profile": given["profile"] or "corefud-1.2", "layer": layers[0] if layers else IDENTITY}
        ways = [given | way | chosen for way in _CRAC.values()]
        return _Ways(known.select(measures or ("conll",)), ways, tuple(_CRAC))
    policies = ("keep", "drop") if given["singletons"] == "both" else (given["singletons"],)
    ways = [
        given | {"singletons": policy, "layer": layer}
        for policy in policies
        for layer in dict.fromkeys(layers or (IDENTITY,))
    ]
    return _Ways(known.select(measures or None), ways)


def _format_like_reference(
    evaluations: list[Evaluation], key: Corpus, responses: list[Corpus], *, totals_only: bool
) -> str:
    from corefeval.show.reference_output import write_like_reference  # noqa: PLC0415 - loaded when asked for

    return "\n".join(
        write_like_reference(each, key, response, totals_only=totals_only)
        for each, response in zip(evaluations, responses, strict=True)
    )
