"""The command `corefeval score`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

import corefeval
from corefeval import measures as known
from corefeval.cli.console import echo_data, echo_message
from corefeval.cli.options import Word, shared_options
from corefeval.cli.output import echo_result
from corefeval.cli.record_tables import ENGINES, EngineOptions, needs_engine, score_tables
from corefeval.cli.shared import SharedOptions
from corefeval.errors import OptionError, escape_controls, suggest_names
from corefeval.measures import Measure
from corefeval.notices import Notice, join_notices
from corefeval.options import IDENTITY
from corefeval.profiles.registry import DEFAULT
from corefeval.scoring.processes import count_processors
from corefeval.tables.table import Digits, format_percent, make_score_formatter, truncate_percent

if TYPE_CHECKING:
    from corefeval.corpus.corpus import Corpus
    from corefeval.scoring.layout import Evaluations, ScoreReport
    from corefeval.scoring.results import Evaluation


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("responses", metavar="RESPONSE...", nargs=-1, required=True)
@click.option("--per-document", is_flag=True, help="Also show the scores of every document.")
@click.option(
    "--audit",
    is_flag=True,
    help="Also show which words the responses changed, what became of their mentions, and scores without repairs.",
)
@click.option("-b", "--bare", is_flag=True, help="Print the number and nothing else: conll, or what -m asks for.")
@click.option(
    "--crac",
    is_flag=True,
    help="The four columns of the CRAC shared tasks: head match without singletons, partial, exact, head with them.",
)
@click.option(
    "--table",
    is_flag=True,
    help="Score a shared task: KEY is a directory of data sets, RESPONSE one of teams, with a file for each data set.",
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
@click.option(
    "--where",
    "wheres",
    multiple=True,
    metavar="ATTRIBUTE=VALUE",
    help="Score only mentions with this attribute, such as kind=event; repeatable, and = stands for all mentions.",
)
@click.option(
    "--fail-under",
    "thresholds",
    multiple=True,
    metavar="MEASURE=PERCENT",
    help="Exit with 1 if a response scores less, e.g. conll=70 or lea.recall=60; repeatable.",
)
@click.option(
    "--engine",
    type=Word(ENGINES),
    default="auto",
    help="What counts tables of records: memory, duckdb, spark; auto is duckdb for large ones.",
)
@click.option("--by", metavar="COLUMN", help="Also score each group of records that this column of tables names.")
@click.option(
    "--missing-labels",
    type=Word(["error", "singleton", "drop"]),
    help="Records without a label, in tables: an error, an entity each, or left out.",
)
@click.option("--master", metavar="URL", help="The Spark master to count tables on; this machine if not given.")
@shared_options("measures", "digits", "output", "relative-to", "decisions or both", "sides", "strict", "memory-limit")
def score(
    key: str,
    responses: tuple[str, ...],
    measures: tuple[str, ...] | None,
    per_document: bool,
    audit: bool,
    layers: tuple[str, ...],
    wheres: tuple[str, ...],
    strict: bool,
    thresholds: tuple[str, ...],
    bare: bool,
    crac: bool,
    table: bool,
    like: str | None,
    relative_to: str | None,
    engine: str,
    memory_limit: str | None,
    by: str | None,
    missing_labels: str | None,
    master: str | None,
    shared: SharedOptions,
    **decisions: Any,
) -> int:
    """Score one or more RESPONSE files against a KEY.

    Each is a file in any format that `corefeval formats` lists (compressed or not), a directory of such files, or - for
    standard input. Key and response may be in different formats. Several responses make one table; NAME=FILE gives one
    a name. With --table, KEY and RESPONSE are directories: KEY/dataset.conllu, RESPONSE/team/dataset.conllu.
    """
    _check_all_mentions(wheres, crac or table)
    if table:
        if per_document or audit or like or relative_to or bare or thresholds:
            raise click.UsageError("--table shows averages over data sets: it takes no other table, and no threshold")
        return _print_task(key, responses, measures, layers, shared, decisions, strict=strict)
    if bare and (shared.output or per_document or like or relative_to):
        raise click.UsageError("--bare prints numbers and nothing else: it takes no other output")
    _check_audit(audit, bare or like or crac or relative_to)
    limits = [_parse_threshold(text) for text in thresholds]
    if like is None:
        chosen = known.select_measures(measures or (("conll",) if crac or bare else None))
    else:
        _check_like_reference(decisions, measures, layers, wheres, shared.output, relative_to, crac=crac)
        chosen = known.select_measures(_OF_REFERENCE_SCORER)
    if crac:
        _list_crac_ways(decisions, layers)  # whose options are faulty before files are read
    engine_options = EngineOptions(engine, memory_limit, by, missing_labels, master)
    has_others = bool(any(decisions.values()) or layers or wheres or like or relative_to or crac or strict or audit)
    if needs_engine(engine_options, [key, *responses], has_others=has_others):
        counted = score_tables(key, responses, chosen, engine_options, shared)
        return _print_counted(counted, limits, shared, bare=bare, by_document=per_document or by is not None)
    from corefeval.scoring.layout import Evaluations  # noqa: PLC0415 - loads NumPy

    def list_ways(key_corpus: Corpus | None) -> list[dict[str, Any]]:
        """Return keywords of `score` for each way to score; the key says which levels "all" are."""
        if like is not None:
            return [decisions]
        return _list_crac_ways(decisions, layers) if crac else _list_ways(decisions, layers, wheres, key_corpus)

    in_memory = {
        "--relative-to": relative_to,
        "--audit": audit,
        "--like": like,
        "--level": decisions["level"] not in (None, "document"),
        "--where": wheres,
        "standard input": key == "-",
    }
    needs_mentions = next((name for name, given in in_memory.items() if given), "")
    evaluations, sides = _score_files(
        key,
        responses,
        chosen,
        list_ways,
        shared,
        strict=strict,
        memory_limit=memory_limit,
        needs_mentions=needs_mentions,
    )
    plain = Evaluations(tuple(evaluations), tuple(_CRAC) if crac else ())
    report, notices = _make_report(plain, sides, shared, relative_to, audit=audit)
    if bare:
        _echo_numbers(evaluations, len(evaluations) // len(responses), shared.digits)
    elif like is None:
        echo_result(report, shared.output, digits=shared.digits, per_document=per_document)
    else:
        from corefeval.show.reference_output import write_like_reference  # noqa: PLC0415 - loaded when asked for

        for each, (key_corpus, response) in zip(evaluations, sides, strict=True):
            written = write_like_reference(each, key_corpus, response, totals_only=like.endswith("totals"))
            echo_data(escape_controls(written, keep="\n\t"))
    shared.print_notices(notices)
    return max([_print_misses(evaluations, *limit, shared.digits) for limit in limits], default=0)


def _make_report(
    plain: Evaluations,
    sides: list[tuple[Corpus, Corpus]],
    shared: SharedOptions,
    relative_to: str | None,
    *,
    audit: bool,
) -> tuple[ScoreReport, tuple[Notice, ...]]:
    """Return evaluations as a report, by themselves, with audits, or relative to a baseline; and all notices."""
    evaluations = plain.evaluations
    if audit:
        from corefeval.analysis.audit import AuditedEvaluations, make_audit  # noqa: PLC0415 - loaded when asked for

        ways = len(evaluations) // len(sides)
        audits = (make_audit(each, *sides[place // ways]) for place, each in enumerate(evaluations))
        return AuditedEvaluations(plain, tuple(audits)), plain.notices
    baseline = shared.read_baseline(relative_to)
    if baseline is None:
        return plain, plain.notices
    from corefeval.baselines.relative import RelativeEvaluations, relate_evaluations  # noqa: PLC0415

    relatives = relate_evaluations(
        evaluations, baseline, format=shared.format_of_responses, processes=count_processors()
    )
    return RelativeEvaluations(plain, tuple(relatives)), plain.notices + relatives[0].notices


def _score_files(
    key: str,
    responses: tuple[str, ...],
    measures: tuple[Measure, ...],
    list_ways: Callable[[Corpus | None], list[dict[str, Any]]],
    shared: SharedOptions,
    *,
    strict: bool,
    memory_limit: str | None,
    needs_mentions: str,
) -> tuple[list[Evaluation], list[tuple[Corpus, Corpus]]]:
    """Return evaluations by response, then by way, and both corpora of each response; none of large files in parts.

    list_ways: returns keywords of `score` for each way, given the key, which is None where files are scored in parts.
    needs_mentions: the option, if any, for which files cannot be scored in parts.
    """
    from corefeval.cli.large_files import score_large_files  # noqa: PLC0415 - loads NumPy

    ways = [] if needs_mentions else list_ways(None)
    in_parts = score_large_files(
        key, responses, measures, ways, shared, strict=strict, memory_limit=memory_limit, needs_mentions=needs_mentions
    )
    if in_parts is not None:
        return in_parts, []
    key_corpus, corpora = shared.read_sides(key, responses)
    evaluations = [
        corefeval.score(key_corpus, response, measures=measures, strict=strict, **way)
        for response in corpora
        for way in list_ways(key_corpus)
    ]
    return evaluations, [(key_corpus, response) for response in corpora]


def _print_counted(
    counted: Sequence[Evaluation],
    limits: list[tuple[Measure, str, float]],
    shared: SharedOptions,
    *,
    bare: bool,
    by_document: bool,
) -> int:
    """Print evaluations of tables that an engine counted, and notices; return 1 if a threshold is missed, else 0."""
    from corefeval.scoring.layout import Evaluations  # noqa: PLC0415 - loads NumPy

    if bare:
        _echo_numbers(list(counted), 1, shared.digits)
    else:
        echo_result(Evaluations(tuple(counted)), shared.output, digits=shared.digits, per_document=by_document)
    shared.print_notices(join_notices(each.notices for each in counted))
    return max([_print_misses(list(counted), *limit, shared.digits) for limit in limits], default=0)


_OF_REFERENCE_SCORER = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc")
_CRAC = {
    "head": {"match": "head", "singletons": "drop"},
    "partial": {"match": "partial", "singletons": "drop"},
    "exact": {"match": "exact", "singletons": "drop"},
    "with singletons": {"match": "head", "singletons": "keep"},
}


_FIELDS = {
    "r": "recall", "rec": "recall", "recall": "recall",
    "p": "precision", "prec": "precision", "precision": "precision",
    "f": "f1", "f1": "f1", "score": "score",
}  # fmt: skip
"""The fields of scores, as users write them."""


def _print_task(
    keys: str,
    responses: tuple[str, ...],
    measures: tuple[str, ...] | None,
    layers: tuple[str, ...],
    shared: SharedOptions,
    decisions: dict[str, Any],
    *,
    strict: bool,
) -> int:
    """Score a shared task's teams on its data sets, print the table, return 0; UsageError for unfit measures."""
    chosen = known.select_measures(measures or "conll")
    if len(chosen) > 1:
        raise click.UsageError("--table shows one measure, by default conll")
    if not chosen[0].more_is_better:
        raise click.UsageError(f"--table ranks teams, but of {chosen[0]} more is not better")
    ways = dict(zip(_CRAC, _list_crac_ways(decisions, layers), strict=True))
    from corefeval.cli.task_table import score_task  # noqa: PLC0415 - loaded when asked for

    shared.print_result(score_task(keys, responses, chosen[0], ways, shared, strict=strict), digits=shared.digits)
    return 0


def _list_ways(
    decisions: dict[str, Any], layers: tuple[str, ...], wheres: tuple[str, ...], key: Corpus | None
) -> list[dict[str, Any]]:
    """Return keywords of `score` for each way to score: all levels and singletons asked for, layers and attributes."""
    levels: tuple[str | None, ...] = (decisions["level"],)
    if decisions["level"] == "all" and key is not None:
        from corefeval.matching.levels import list_levels  # noqa: PLC0415 - loads NumPy

        levels = list_levels(key, decisions["topics"] or "")
    several = decisions["singletons"] == "both" or (decisions["level"] == "all" and decisions["singletons"] is None)
    policies = ("keep", "drop") if several else (decisions["singletons"],)
    return [
        decisions | {"level": level, "singletons": policy, "layer": layer, "where": "" if where == "=" else where}
        for level in levels
        for policy in policies
        for layer in dict.fromkeys(layers or (IDENTITY,))
        for where in dict.fromkeys(wheres or ("",))
    ]


def _check_audit(audit: bool, other: object) -> None:
    """Raise a UsageError if an audit is to be shown where something else is to be shown in another form."""
    if audit and other:
        raise click.UsageError("--audit shows more than numbers: it takes no --bare, --like, --crac or --relative-to")


def _check_all_mentions(wheres: tuple[str, ...], is_fixed: bool) -> None:
    """Raise a UsageError if some mentions are to be scored where the ways of scoring are fixed."""
    if wheres and is_fixed:
        raise click.UsageError("--crac and --table score all mentions: they take no --where")


def _list_crac_ways(decisions: dict[str, Any], layers: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return keywords of `score` for the four columns of --crac and --table; UsageError for options these decide."""
    if decisions["level"] == "all":
        raise click.UsageError("--crac and --table show four ways of matching at one --level")
    if decisions["match"] or decisions["singletons"]:
        raise click.UsageError("--crac and --table show four ways of matching: they take no --match or --singletons")
    if len(set(layers)) > 1:
        raise click.UsageError("--crac and --table show four ways of matching one --layer")
    common = {"profile": decisions["profile"] or "corefud-1.2", "layer": layers[0] if layers else IDENTITY}
    return [decisions | way | common for way in _CRAC.values()]


def _echo_numbers(evaluations: list[Evaluation], ways: int, digits: Digits) -> None:
    """Print a line for each response: the main values of all measures in all `ways` of scoring, between tabs."""
    write = make_score_formatter(digits)
    shown = ["\t".join(_format_number(each, by, write) for by in each.measures) for each in evaluations]
    for place in range(0, len(shown), ways):
        click.echo("\t".join(shown[place : place + ways]))


def _format_number(evaluation: Evaluation, measure: Measure, write: Callable[[float], str]) -> str:
    """Return the main value of a measure as text; "nan" where it is undefined."""
    score = evaluation[measure]
    value = score.values[measure.main]
    if measure.main in score.undefined:
        return "nan"
    return value if isinstance(value, str) else write(float(value))


def _check_like_reference(decisions: dict[str, Any], *others: object, crac: bool) -> None:
    """Raise a UsageError for any option that would make --like print other scores than the reference scorer."""
    profile = decisions["profile"] not in (None, DEFAULT)
    if profile or crac or any(others) or any(value for name, value in decisions.items() if name != "profile"):
        raise click.UsageError(
            "--like prints what the reference scorer does: it takes no other way of scoring, no other output and no "
            "--relative-to"
        )


def _parse_threshold(text: str) -> tuple[Measure, str, float]:
    """Return (measure, field, per cent) of the text MEASURE[.FIELD]=PERCENT; an OptionError for other text.

    A number up to 1 may be meant as a share: it is taken with a sign only, as in conll=0.7%.
    """
    written, _, limit = text.rpartition("=")
    try:
        percent = float(limit.removesuffix("%"))
    except ValueError:
        percent = math.nan
    if not math.isfinite(percent):
        raise OptionError(f"--fail-under {text}: expected MEASURE=PERCENT, such as conll=70")
    if 0 < abs(percent) <= 1 and not limit.endswith("%"):
        share = f"{100 * percent:g}"
        raise OptionError(
            f"--fail-under {text}: do you mean {share} % ({written}={share}) or {limit} % ({written}={limit}%)?"
        )
    name, _, spelling = written.rpartition(".")
    field = _FIELDS.get(spelling.lower(), "")
    if not field:
        name = written
    measure = known.parse(name)
    field = field or measure.main
    if not measure.more_is_better:
        raise OptionError(f"--fail-under {text}: of {measure}, more is not better")
    if field not in measure.shown:
        raise OptionError(f"--fail-under {text}: {measure} has no {field}; {suggest_names(field, measure.shown)}")
    return measure, field, percent


def _print_misses(evaluations: list[Evaluation], measure: Measure, field: str, percent: float, digits: Digits) -> int:
    """Print on standard error which responses score below `percent` by a measure's field; return 1 if any, else 0."""
    missed = 0
    for each in evaluations:
        share = float(each[measure].values[field])
        if 100 * share < percent:
            written = (truncate_percent if digits == "truncate" else format_percent)(share)
            shown = written if float(written) < percent else repr(100 * share)
            echo_message(f"{each.name or each.response}: {measure}.{field} is {shown}, below {percent:g}")
            missed = 1
    return missed
